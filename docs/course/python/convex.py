"""Assignment 5: disabling nodes until the subnet is convex (5-convex.md).

Nodes of the n-cube are 0 .. 2^n - 1, port i inverts bit i. dead and faulty are sets of nodes; only nodes fail."""


def bad_links(n, dead, node):
    """The ports of a node that lead to dead nodes, as a set."""
    raise NotImplementedError


def is_safe(n, dead, node):
    """Whether this node, which is not dead, is safe: no other node that is not dead lies in the subcube that all its
    bad links span at it."""
    raise NotImplementedError


def make_convex(n, faulty):
    """The set of nodes to disable, none of them faulty, so that the rest of the cube is convex: every two survivors
    are joined by a path through survivors that is as long as their Hamming distance. Few nodes: at least
    as many must survive as of the 1-degraded subnet."""
    raise NotImplementedError

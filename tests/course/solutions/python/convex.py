"""Assignment 5: disabling nodes until the subnet is convex (5-convex.md).

Nodes of the n-cube are 0 .. 2^n - 1, port i inverts bit i. dead and faulty are sets of nodes; only nodes fail."""


def bad_links(n, dead, node):
    """The ports of a node that lead to dead nodes, as a set."""
    return {port for port in range(n) if node ^ 1 << port in dead}


def is_safe(n, dead, node):
    """Whether this node, which is not dead, is safe: no other node that is not dead lies in the subcube that all its
    bad links span at it."""
    return not companions(n, dead, node)


def make_convex(n, faulty):
    """The set of nodes to disable, none of them faulty, so that the rest of the cube is convex: every two survivors
    are joined by a path through survivors that is as long as their Hamming distance. Few nodes: at least
    as many must survive as of the 1-degraded subnet."""
    dead = set(faulty)
    while True:
        unsafe = {node: companions(n, dead, node) for node in range(2**n) if node not in dead}
        unsafe = {node: others for node, others in unsafe.items() if others}
        if not unsafe:
            return dead - set(faulty)
        node = max(unsafe, key=lambda node: len(bad_links(n, dead, node)))
        if len(unsafe[node]) == 1:
            node = min([node, *unsafe[node]],
                       key=lambda node: sum(bin(node ^ other).count("1") <= 2 for other in dead))
        dead.add(node)


def companions(n, dead, node):
    """The other survivors in the subcube of its bad links."""
    mask = sum(1 << port for port in bad_links(n, dead, node))
    return [other for other in range(2**n)
            if other != node and other not in dead and (other ^ node) & ~mask == 0]

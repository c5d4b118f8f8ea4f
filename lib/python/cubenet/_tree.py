"""Spanning trees."""

import ctypes
from typing import NamedTuple

from ._control import _Control
from ._function import _c, _declare
from ._handle import _OnTopology, _pointer
from ._values import _NO_NODE, _array, _listed, _packed

_declare("""
    status cn_tree_balanced(topology topology, u64 root, out tree tree)
    status cn_tree_binomial(topology topology, u64 root, u32 base, out tree tree)
    status cn_tree_edge_disjoint(topology topology, u64 root, u32 index, out tree tree)
    status cn_tree_from_parents(topology topology, u64 root, u64[] parents, size count,
        control control, out tree tree)
    status cn_tree_breadth_first(topology topology, u64 root, control control, out tree tree)
    void   cn_tree_free(ref tree)
    u64    cn_tree_root(tree tree)
    status cn_tree_parent(tree tree, u64 node, out u64 parent)
    status cn_tree_depth(tree tree, u64 node, out u64 depth)
    status cn_tree_child_count(tree tree, u64 node, out u64 count)
    status cn_tree_children(tree tree, u64 node, u64[] children, size capacity, out size count)
    status cn_tree_subtree_size(tree tree, u64 node, out u64 size)
    status cn_tree_path(tree tree, u64 node, u64[] nodes, size capacity, out size count)
    status cn_tree_arrays(tree tree, u64[] parents, u64[] first, u64[] children, size capacity,
                          out size count)
    status cn_tree_validate(topology topology, u64 root, u64[] parents, size count,
        control control, out u64 height, out int shortest)
    status cn_tree_common_channel(tree[] trees, size count, out u64 node)
    status cn_spanning_graph_parents(topology topology, u64 root, u64 node, u64[] parents,
                                     u64[] subtrees, size capacity, out size count)
""")


class TreeArrays(NamedTuple):
    """A whole tree: parents[v] is the parent of node v (None for the root); the children of v in
    their order are children[first[v]:first[v + 1]]."""

    parents: list
    first: list
    children: list


def _packed_parents(parents):
    numbers = [_NO_NODE if parent is None else parent for parent in parents]
    return _packed("u64", "parents", numbers)


class Tree(_OnTopology):
    """A spanning tree of a topology, with its root. The trees of generalized hypercubes and Boolean
    cubes (Topology.balanced_tree() and others) are rules of a few bytes; those of any topology are
    stored."""

    _kind = "tree"
    _end = _c.cn_tree_free

    @classmethod
    def from_parents(cls, topology, root, parents, seconds=None, progress=None):
        """The tree with these parents, None for the root: a spanning tree of any topology."""
        packed = _packed_parents(parents)
        return cls._of(topology, _c.cn_tree_from_parents(
            topology, root, packed, len(packed), control=_Control(0, seconds, progress)))

    @classmethod
    def breadth_first(cls, topology, root=0, seconds=None, progress=None):
        """The breadth-first Tree of any topology: shortest paths, ports in ascending order."""
        return cls._of(topology, _c.cn_tree_breadth_first(
            topology, root, control=_Control(0, seconds, progress)))

    @classmethod
    def _listed(cls, topology, family, root, dimension=None, parents=()):
        """As operations have it in JSON."""
        if family == "stored":
            return cls.from_parents(topology, root, [None if node == root else parent
                                                     for node, parent in enumerate(parents)])
        if family == "balanced":
            return topology.balanced_tree(root)
        binomial = family == "binomial"
        return (topology.binomial_tree if binomial else topology.edge_disjoint_tree)(root, dimension)

    @property
    def root(self):
        return _c.cn_tree_root(self)

    def parent(self, node):
        """The parent of a node; None for the root."""
        parent = _c.cn_tree_parent(self, node)
        return None if parent == _NO_NODE else parent

    def children(self, node):
        """The children of a node in their order."""
        return _c.cn_tree_children.fill(self, node)

    def child_count(self, node):
        return _c.cn_tree_child_count(self, node)

    def depth(self, node):
        """The number of hops from the root along the tree."""
        return _c.cn_tree_depth(self, node)

    def subtree_size(self, node):
        """The number of nodes in the subtree of a node, the node included."""
        return _c.cn_tree_subtree_size(self, node)

    def path(self, node):
        """The nodes from the root to a node, both included."""
        return _c.cn_tree_path.fill(self, node)

    def arrays(self):
        """The whole tree, as TreeArrays."""
        count = self._topology.node_count
        parents, children = (_array("u64", count, "arrays()") for _ in range(2))
        first = _array("u64", count + 1, "arrays()")
        _c.cn_tree_arrays(self, parents, first, children, count)
        parents, first, children = (_listed(values, "arrays()")
                                    for values in (parents, first, children))
        parents[self.root] = None
        return TreeArrays(parents, first, children[:-1])

    def __repr__(self):
        return f"<Tree of {self._topology.name}, root {self.root}>"


def common_channel(trees):
    """A node that two of the trees reach over the same channel; None when they share no channel.
    The trees must have the same topology and root."""
    trees = list(trees)
    addresses = (ctypes.c_void_p * len(trees))(
        *(_pointer("tree", f"trees[{i}]", tree) for i, tree in enumerate(trees)))
    node = _c.cn_tree_common_channel(addresses, len(trees))
    return None if node == _NO_NODE else node


class _Trees:
    """Of a Topology."""

    def balanced_tree(self, root=0):
        """The balanced spanning Tree: shortest paths, and root subtrees of about equal size."""
        return Tree._of(self, _c.cn_tree_balanced(self, root))

    def binomial_tree(self, root=0, base=0):
        """The spanning binomial Tree of a Boolean cube; the root sends first in dimension base."""
        return Tree._of(self, _c.cn_tree_binomial(self, root, base))

    def edge_disjoint_tree(self, root=0, index=0):
        """One of the n spanning Trees of a Boolean cube that share no channel."""
        return Tree._of(self, _c.cn_tree_edge_disjoint(self, root, index))

    def validate_tree(self, root, parents, seconds=None, progress=None):
        """(height, is_shortest) of a spanning tree of any topology, given by its parents (None for
        the root); is_shortest says whether all paths from the root are shortest paths. Raises
        ArgumentError when the parents are not those of a spanning tree."""
        packed = _packed_parents(parents)
        height, shortest = _c.cn_tree_validate(self, root, packed, len(packed),
                                               control=_Control(0, seconds, progress))
        return height, bool(shortest)

    def spanning_graph_parents(self, root, node):
        """The parents of a node in the balanced spanning graph, as a dict from the number of a root
        subtree to the parent in that subtree; empty for the root."""
        parents, subtrees = (_array("u64", self.dimensions, "spanning_graph_parents()")
                             for _ in range(2))
        count = _c.cn_spanning_graph_parents(self, root, node, parents, subtrees, len(parents))
        return dict(zip(subtrees[:count], parents[:count]))

"""Spanning trees."""
# mypy: no-warn-return-any

from __future__ import annotations

import ctypes
import operator
from typing import Any, Iterable, NamedTuple, TYPE_CHECKING

from ._arrays import _elements, _packed
from ._bulk import _ParentArrays
from ._control import _Control
from ._drawn import _Drawn
from ._errors import ArgumentError
from ._function import _c, _declare
from ._handle import _pointer
from ._hints import Progress, Seconds, Whole
from ._network import _Network
from ._values import _NO_NODE, _array, _listed

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._topology import Topology

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
    status cn_tree_draw(tree tree, int format, control control, char[] text,
                       size capacity, out size length)
    status cn_tree_validate(topology topology, u64 root, u64[] parents, size count,
        control control, out u64 height, out int shortest)
    status cn_tree_common_channel(tree[] trees, size count, out u64 node)
    status cn_spanning_graph_parents(topology topology, u64 root, u64 node, u64[] parents,
                                     u64[] subtrees, size capacity, out size count)
""")


class TreeArrays(NamedTuple):
    """A whole tree: parents[v] is the parent of node v (None for the root); the children of v in
    their order are children[first[v]:first[v + 1]]."""

    parents: list[int | None]
    first: list[int]
    children: list[int]


def _packed_parents(topology: Any, parents: Iterable[Whole | None]) -> Any:
    _pointer("topology", "topology", topology)  # refuses what is none
    numbers = [_NO_NODE if parent is None else parent for parent in _elements("parents", parents)]
    if len(numbers) != topology.node_count:
        raise ArgumentError(f"parents has {len(numbers)} elements, but {topology.name} has {topology.node_count} nodes")
    return _packed("u64", "parents", numbers)


class Tree(_ParentArrays, _Drawn):
    """A spanning tree of a topology, with its root. The trees of generalized hypercubes and Boolean
    cubes (Topology.balanced_tree() and others) are rules of a few bytes; those of any topology are
    stored.

    >>> tree = Topology.hypercube(3).balanced_tree()
    >>> tree.children(0)
    [4, 2, 1]
    >>> tree.path(7)
    [0, 4, 6, 7]
    """

    _kind = "tree"
    _end = _c.cn_tree_free

    @classmethod
    def from_parents(cls, topology: Topology, root: Whole, parents: Iterable[Whole | None],
                     seconds: Seconds = None, progress: Progress = None) -> Self:
        """The tree with these parents, None for the root: a spanning tree of any topology.

        >>> Tree.from_parents(Topology.ring(4), 0, [None, 0, 1, 0]).depth(2)
        2
        """
        packed = _packed_parents(topology, parents)
        return cls._of(topology, _c.cn_tree_from_parents(
            topology, root, packed, len(packed), control=_Control(0, seconds, progress)))

    @classmethod
    def breadth_first(cls, topology: Topology, root: Whole = 0, seconds: Seconds = None,
                      progress: Progress = None) -> Self:
        """The breadth-first Tree of any topology: shortest paths, ports in ascending order."""
        return cls._of(topology, _c.cn_tree_breadth_first(
            topology, root, control=_Control(0, seconds, progress)))

    _family: tuple[Any, ...] = ("stored", None)  # and its dimension, where it has one

    @classmethod
    def _made(cls, topology: _Network, address: int, family: str, dimension: Any = None) -> Tree:
        made = cls._of(topology, address)
        made._family = (family, None if dimension is None else operator.index(dimension))
        return made

    @classmethod
    def _listed(cls, topology: Topology, family: str, root: int, dimension: Any = None,
                parents: Any = ()) -> Tree:
        """As operations have it in JSON."""
        if family == "stored":
            return cls.from_parents(topology, root, [None if node == root else parent
                                                     for node, parent in enumerate(parents)])
        if family == "balanced":
            return topology.balanced_tree(root)
        binomial = family == "binomial"
        return (topology.binomial_tree if binomial else topology.edge_disjoint_tree)(root, dimension)

    @property
    def root(self) -> int:
        """The root."""
        return _c.cn_tree_root(self)

    def parent(self, node: Whole) -> int | None:
        """The parent of a node; None for the root."""
        parent = _c.cn_tree_parent(self, node)
        return None if parent == _NO_NODE else parent

    def children(self, node: Whole) -> list[int]:
        """The children of a node in their order."""
        return _c.cn_tree_children.fill(self, node)

    def child_count(self, node: Whole) -> int:
        """The number of children of a node."""
        return _c.cn_tree_child_count(self, node)

    def depth(self, node: Whole) -> int:
        """The number of hops from the root along the tree."""
        return _c.cn_tree_depth(self, node)

    def subtree_size(self, node: Whole) -> int:
        """The number of nodes in the subtree of a node, the node included."""
        return _c.cn_tree_subtree_size(self, node)

    def path(self, node: Whole) -> list[int]:
        """The nodes from the root to a node, both included."""
        return _c.cn_tree_path.fill(self, node)

    def arrays(self) -> TreeArrays:
        """The whole tree, as TreeArrays.

        >>> Tree.breadth_first(Topology.star(3)).arrays()
        TreeArrays(parents=[None, 0, 0], first=[0, 2, 2, 2], children=[1, 2])
        """
        count = self._topology.node_count
        parents, children = (_array("u64", count, "arrays()") for _ in range(2))
        first = _array("u64", count + 1, "arrays()")
        _c.cn_tree_arrays(self, parents, first, children, count)
        parents, first, children = (_listed(values, "arrays()")
                                    for values in (parents, first, children))
        parents[self.root] = None
        return TreeArrays(parents, first, children[:-1])

    def __reduce__(self) -> tuple[Any, ...]:
        family, dimension = self._family
        parents = self.arrays().parents if family == "stored" else ()
        return Tree._listed, (self._topology, family, self.root, dimension, parents)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        same = (self._topology == other._topology and self.root == other.root
                and self._family == other._family)
        return same and (self._family[0] != "stored" or self.arrays() == other.arrays())

    def __hash__(self) -> int:
        return hash((self._topology, self.root))

    def __repr__(self) -> str:
        return f"<Tree of {self._topology.name}, root {self.root}>"


def common_channel(trees: Iterable[Tree]) -> int | None:
    """A node that two of the trees reach over the same channel; None when they share no channel.
    The trees must have the same topology and root. Experimental.

    >>> common_channel([Topology.hypercube(3).edge_disjoint_tree(0, i) for i in range(3)]) is None
    True
    """
    trees = list(trees)
    addresses = (ctypes.c_void_p * len(trees))(
        *(_pointer("tree", f"trees[{i}]", tree) for i, tree in enumerate(trees)))
    node = _c.cn_tree_common_channel(addresses, len(trees))
    return None if node == _NO_NODE else node


class _Trees(_Network):
    """Spanning trees of a Topology."""

    def balanced_tree(self, root: Whole = 0) -> Tree:
        """The balanced spanning Tree: shortest paths, and root subtrees of about equal size."""
        return Tree._made(self, _c.cn_tree_balanced(self, root), "balanced")

    def binomial_tree(self, root: Whole = 0, base: Whole = 0) -> Tree:
        """The spanning binomial Tree of a Boolean cube; the root sends first in dimension base."""
        return Tree._made(self, _c.cn_tree_binomial(self, root, base), "binomial", base)

    def edge_disjoint_tree(self, root: Whole = 0, index: Whole = 0) -> Tree:
        """One of the n spanning Trees of a Boolean cube that share no channel."""
        return Tree._made(self, _c.cn_tree_edge_disjoint(self, root, index), "edge-disjoint", index)

    def validate_tree(self, root: Whole, parents: Iterable[Whole | None], seconds: Seconds = None,
                      progress: Progress = None) -> tuple[int, bool]:
        """(height, is_shortest) of a spanning tree of any topology, given by its parents (None for
        the root); is_shortest says whether all paths from the root are shortest paths. Raises
        ArgumentError when the parents are not those of a spanning tree."""
        packed = _packed_parents(self, parents)
        height, shortest = _c.cn_tree_validate(self, root, packed, len(packed),
                                               control=_Control(0, seconds, progress))
        return height, bool(shortest)

    def spanning_graph_parents(self, root: Whole, node: Whole) -> dict[int, int]:
        """The parents of a node in the balanced spanning graph, as a dict from the number of a root
        subtree to the parent in that subtree; empty for the root. Experimental."""
        parents, subtrees = (_array("u64", self.dimensions, "spanning_graph_parents()")
                             for _ in range(2))
        count = _c.cn_spanning_graph_parents(self, root, node, parents, subtrees, len(parents))
        return dict(zip(subtrees[:count], parents[:count]))

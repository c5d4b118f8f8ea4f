"""Questions about many nodes in one call, from arrays to arrays.

Nodes are any iterable of whole numbers. What has the buffer protocol and holds integers of 64 bits (array("Q"), a
memoryview, an array of numpy) is read where it is. Answers are arrays of numpy where that has been imported,
otherwise array("Q")."""

from __future__ import annotations

from array import array
from typing import Any

from ._arrays import _given_back, _numbers, _packed
from ._control import _Control
from ._errors import ArgumentError
from ._function import _c, _declare
from ._hints import Progress, Seconds, Whole, Wholes
from ._values import _room, _whole

_declare("""
    status cn_topology_adjacency(topology topology, control control, u64[] first,
                                 size first_capacity, u64[] neighbors, size capacity,
                                 out size count)
    status cn_topology_distances(topology topology, u64 source, control control, u64[] distances,
                                 size capacity)
    status cn_topology_digits_of(topology topology, u64[] nodes, size count, control control,
                                 u64[] digits, size capacity)
    status cn_topology_headers(topology topology, u64[] nodes, u64[] destinations, size count,
                               control control, u64[] headers)
    status cn_topology_translations(topology topology, u64[] nodes, u64[] by, size count,
                                    control control, u64[] translated)
    status cn_necklace_displacements(topology topology, u64[] nodes, size count, control control,
                                     u64[] displacements)
    status cn_tree_parents(tree tree, u64[] nodes, size count, control control, u64[] parents)
    status cn_routing_next_hops(routing routing, u64[] nodes, u64[] destinations, size count,
                                control control, u64[] ports)
""")


def _pair(names: tuple[str, str], one: Any, other: Any) -> tuple[Any, Any]:
    """Two C arrays of equal length; a single number stands for each of its elements."""
    nodes = _packed("u64", names[0], one)
    if hasattr(other, "__index__") and not hasattr(other, "__len__"):
        with _room(names[1], len(nodes), 8):
            repeated = array("Q", [_whole("u64", names[1], other)]) * len(nodes)
        return nodes, _packed("u64", names[1], repeated)
    others = _packed("u64", names[1], other)
    if len(nodes) != len(others):
        raise ArgumentError(f"{names[1]} has {len(others)} elements, but {names[0]} has {len(nodes)}")
    return nodes, others


class _Answers:
    """An array for the library to fill: `values` is what the caller gets, `c` its memory for C."""

    def __init__(self, count: int, purpose: str) -> None:
        numbers, self.c = _numbers("u64", count, purpose)
        self.values: Any = _given_back(numbers)

    def rows(self, width: int) -> Any:
        """The values in rows: an array of two dimensions, or a memoryview of one."""
        if not isinstance(self.values, array):
            return self.values.reshape(-1, width)
        view = memoryview(self.values)
        return view.cast("B").cast("Q", (len(view) // width, width)) if len(view) else view


def _answers(call: Any, asked: Any, arrays: Any, control: Any) -> Any:
    """What a function gives that takes arrays of one length and fills another."""
    count = len(arrays[0])
    answers = _Answers(count, call.name)
    call(asked, *arrays, count, answers.c, control=control)
    return answers.values


class _NodeArrays:
    """Of a Topology: many nodes in one call."""

    def adjacency(self, seconds: Seconds = None, progress: Progress = None) -> tuple[Any, Any]:
        """All channels as compressed sparse rows (first, neighbors): port p of node v leads to
        neighbors[first[v] + p]."""
        first = _Answers(self.node_count + 1, "adjacency()")  # type: ignore[attr-defined]
        size = len(first.values)
        control = _Control(0, seconds, progress)
        count = _c.cn_topology_adjacency(self, first.c, size, None, 0, control=control)
        neighbors = _Answers(count, "adjacency()")
        _c.cn_topology_adjacency(self, first.c, size, neighbors.c, count,
                                 control=_Control(0, seconds, progress))
        return first.values, neighbors.values

    def distances(self, source: Whole = 0, seconds: Seconds = None, progress: Progress = None) -> Any:
        """The hops from source to all nodes; 2**64 - 1 where there is no path."""
        answers = _Answers(self.node_count, "distances()")  # type: ignore[attr-defined]
        _c.cn_topology_distances(self, source, answers.c, len(answers.values),
                                 control=_Control(0, seconds, progress))
        return answers.values

    def digits_of(self, nodes: Wholes, seconds: Seconds = None, progress: Progress = None) -> Any:
        """The digits of many nodes, a row for each, dimension 0 first."""
        given = _packed("u64", "nodes", nodes)
        n = self.dimensions  # type: ignore[attr-defined]
        answers = _Answers(len(given) * n, "digits_of()")
        _c.cn_topology_digits_of(self, given, len(given), answers.c, len(answers.values),
                                 control=_Control(0, seconds, progress))
        return answers.rows(n)

    def headers(self, nodes: Wholes, destinations: Wholes | Whole, seconds: Seconds = None,
                progress: Progress = None) -> Any:
        """The headers of messages at nodes[i] for destinations[i], or for one destination."""
        return _answers(_c.cn_topology_headers, self,
                        _pair(("nodes", "destinations"), nodes, destinations),
                        _Control(0, seconds, progress))

    def translations(self, nodes: Wholes, by: Wholes | Whole, seconds: Seconds = None, progress: Progress = None) -> Any:
        """The translations of nodes[i] by by[i], or by one node."""
        return _answers(_c.cn_topology_translations, self, _pair(("nodes", "by"), nodes, by),
                        _Control(0, seconds, progress))

    def displacements(self, nodes: Wholes, seconds: Seconds = None, progress: Progress = None) -> Any:
        """The displacements of many nodes in their necklaces."""
        return _answers(_c.cn_necklace_displacements, self, (_packed("u64", "nodes", nodes),),
                        _Control(0, seconds, progress))


class _ParentArrays:
    """Of a Tree."""

    def parents(self, nodes: Wholes, seconds: Seconds = None, progress: Progress = None) -> Any:
        """The parents of many nodes; 2**64 - 1 for the root."""
        return _answers(_c.cn_tree_parents, self, (_packed("u64", "nodes", nodes),),
                        _Control(0, seconds, progress))


class _HopArrays:
    """Of a Routing."""

    def next_hops(self, nodes: Wholes, destinations: Wholes | Whole, seconds: Seconds = None,
                  progress: Progress = None) -> Any:
        """The ports that stored messages at nodes[i] may take for destinations[i], or for one
        destination, as words: bit p for port p. channels() gives those of one message as a list."""
        return _answers(_c.cn_routing_next_hops, self,
                        _pair(("nodes", "destinations"), nodes, destinations),
                        _Control(0, seconds, progress))

"""Questions about many nodes in one call, from arrays to arrays.

Nodes are any iterable of whole numbers. What has the buffer protocol and holds integers of 64 bits (array("Q"), a
memoryview, an array of numpy) is read where it is. Answers are arrays of numpy where that has been imported,
otherwise array("Q")."""

from __future__ import annotations

import ctypes
from array import array
from typing import Any

from ._arrays import _columns, _given_back, _numbers, _packed
from ._control import _Control, _in_turn
from ._function import _c, _declare
from ._handle import _ANY
from ._hints import Progress, Seconds, Whole, Wholes

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

    def distances(self, source: Whole | None = None, seconds: Seconds = None, progress: Progress = None) -> Any:
        """The hops from source to all nodes, with None from each node to all nodes as the rows of an
        array; 2**64 - 1 where there is no path.

        >>> list(Topology.ring(5).distances(0)), Topology.ring(3).distances().tolist()
        ([0, 1, 2, 2, 1], [[0, 1, 1], [1, 0, 1], [1, 1, 0]])
        """
        count: int = self.node_count  # type: ignore[attr-defined]
        if source is not None:
            answers = _Answers(count, "distances()")
            _c.cn_topology_distances(self, source, answers.c, count, control=_Control(0, seconds, progress))
            return answers.values
        answers = _Answers(count * count, "distances()")
        row = ctypes.c_uint64 * count
        for node in _in_turn(count, seconds, progress):  # a row of what fits into memory takes no time
            _c.cn_topology_distances(self, node, row.from_buffer(answers.c, 8 * count * node), count, control=_ANY)
        return answers.rows(count)

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
                        _columns(("nodes", "destinations"), nodes, destinations),
                        _Control(0, seconds, progress))

    def translations(self, nodes: Wholes, by: Wholes | Whole, seconds: Seconds = None, progress: Progress = None) -> Any:
        """The translations of nodes[i] by by[i], or by one node."""
        return _answers(_c.cn_topology_translations, self, _columns(("nodes", "by"), nodes, by),
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
                        _columns(("nodes", "destinations"), nodes, destinations),
                        _Control(0, seconds, progress))

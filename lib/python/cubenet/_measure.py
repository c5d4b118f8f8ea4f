"""Measures of a topology: distances, cuts, broadcasts, cost."""

import collections.abc
from typing import NamedTuple

from ._control import _Control
from ._errors import ArgumentError, UnsupportedError
from ._function import _c, _declare
from ._values import _LISTED, _array, _listed, _packed, _room

_declare("""
    status cn_chordal_ring_best_chord(u64 nodes, int dual, control control, out u64 chord,
                                      out u64 diameter)
    status cn_topology_diameter(topology topology, control control, out u64 diameter)
    status cn_topology_mean_distance(topology topology, control control, out f64 mean)
    status cn_topology_distance_counts(topology topology, u64 source, control control,
        u64[] counts, size capacity, out size count)
    text   cn_measure_name(int measure)
    status cn_measure_from_name(text name, out int measure)
    text   cn_known_name(int known)
    status cn_topology_measure(topology topology, int measure, f64 alpha, control control,
                               out f64 lower, out f64 upper, out int kind)
    status cn_topology_cost(topology topology, f64 processor_cost, f64 link_cost, out f64 cost)
    status cn_topology_bisection(topology topology, control control, u8[] side, size capacity,
                                 out u64 lower, out u64 upper, out int kind)
    status cn_bisection_check(topology topology, u8[] side, size count, out u64 width)
    status cn_bisection_side(topology topology, u64 node, out u32 side)
    status cn_topology_broadcast_schedule(topology topology, u64 source, control control,
                                          u64[] sender, u64[] receiver, u32[] sent_at,
                                          size capacity, out u64 lower, out u64 upper,
                                          out int kind)
    status cn_schedule_check(topology topology, u64 source, u64[] sender, u64[] receiver,
                             u32[] sent_at, size count, out u64 length)
""")


class Measure(NamedTuple):
    """The value or the bounds of a measure; kind is "closed form", "exact" or "bounds". lower and
    upper differ only for "bounds"."""

    lower: float
    upper: float
    kind: str

    @property
    def value(self):
        """The value; None when only bounds are known and they differ."""
        return self.lower if self.lower == self.upper else None


class BisectionRule(collections.abc.Sequence):
    """The sides of all nodes in the best cut of a network that has a closed form of it. It reads like a
    list of 0 and 1, equals the list, and needs no memory."""

    def __init__(self, topology):
        self._topology = topology

    def __len__(self):
        return self._topology.node_count

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[v] for v in range(*index.indices(len(self)))]
        node = index + len(self) if index < 0 else index
        if not 0 <= node < len(self):
            raise IndexError(f"node {index} of {len(self)}")
        return _c.cn_bisection_side(self._topology, node)

    def __eq__(self, other):
        if isinstance(other, BisectionRule):
            return self._topology == other._topology
        if not isinstance(other, (list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    __hash__ = None

    def __reduce__(self):
        return BisectionRule, (self._topology,)

    def __repr__(self):
        return f"<the sides of the {len(self)} nodes of {self._topology.name}>"


class Bisection(NamedTuple):
    """A cut into two halves: side[v] is the side of node v, 0 or 1, in a list or, where the kind is
    "closed form", in a BisectionRule; upper is the width of the cut in links."""

    side: collections.abc.Sequence
    lower: int
    upper: int
    kind: str


class Transfer(NamedTuple):
    """One message of a broadcast; steps count from 1."""

    step: int
    sender: int
    receiver: int


class Schedule(NamedTuple):
    """A broadcast: its Transfers in the order of their steps; upper is the last step."""

    transfers: list
    lower: int
    upper: int
    kind: str


def measures():
    """The names of all measures, as a list."""
    names, name = [], _c.cn_measure_name(1)
    while name is not None:
        names.append(name)
        name = _c.cn_measure_name(len(names) + 1)
    return names


class _Measures:
    """Of a Topology."""

    @staticmethod
    def best_chord(nodes, dual=False, seconds=None, progress=None):
        """(chord, diameter): the shortest chord that gives the least diameter, and that
        diameter."""
        chord, diameter = _c.cn_chordal_ring_best_chord(
            nodes, bool(dual), control=_Control(0, seconds, progress))
        return chord, diameter

    @property
    def diameter(self):
        """The greatest distance between two nodes."""
        return _c.cn_topology_diameter(self)

    @property
    def mean_distance(self):
        """The mean distance over all ordered pairs of distinct nodes."""
        return _c.cn_topology_mean_distance(self)

    def distance_counts(self, source=0, seconds=None, progress=None):
        """The numbers of nodes that are 0, 1, 2, ... hops away from source."""
        return _c.cn_topology_distance_counts.fill(
            self, source, control=_Control(0, seconds, progress))

    def measure(self, name, alpha=0.5, steps=0, seconds=None, progress=None):
        """The Measure with one of the names in measures(); alpha is the weight of the broadcast
        time in the looseness."""
        number = _c.cn_measure_from_name(name)
        lower, upper, kind = _c.cn_topology_measure(self, number, alpha,
                                                    control=_Control(steps, seconds, progress))
        return Measure(lower, upper, _c.cn_known_name(kind))

    def cost(self, processor_cost, link_cost):
        """The cost of all processors and links."""
        return _c.cn_topology_cost(self, processor_cost, link_cost)

    def bisection(self, steps=0, seconds=None, progress=None):
        """The best known cut into two halves, as a Bisection. A closed form takes no array of nodes."""
        try:
            _c.cn_bisection_side(self, 0)
        except UnsupportedError:
            side = _array("u8", self.node_count, "bisection()")
        else:
            lower, upper, kind = _c.cn_topology_bisection(self, None, 0,
                                                          control=_Control(steps, seconds, progress))
            return Bisection(BisectionRule(self), lower, upper, _c.cn_known_name(kind))
        lower, upper, kind = _c.cn_topology_bisection(self, side, len(side),
                                                      control=_Control(steps, seconds, progress))
        return Bisection(_listed(side, "bisection()"), lower, upper, _c.cn_known_name(kind))

    def check_bisection(self, side):
        """The number of links between the sides 0 and 1. Raises ArgumentError when their sizes
        differ by more than one node. A BisectionRule of this topology is checked without a list."""
        if isinstance(side, BisectionRule) and side == BisectionRule(self):
            return _c.cn_bisection_check(self, None, 0)
        packed = _packed("u8", "side", side)
        return _c.cn_bisection_check(self, packed, len(packed))

    def broadcast_schedule(self, source=0, steps=0, seconds=None, progress=None):
        """The best known broadcast from a node, as a Schedule; in a step every node sends and
        receives at most one message."""
        count = self.node_count - 1
        sender, receiver = (_array("u64", count, "broadcast_schedule()") for _ in range(2))
        step = _array("u32", count, "broadcast_schedule()")
        lower, upper, kind = _c.cn_topology_broadcast_schedule(
            self, source, sender, receiver, step, count,
            control=_Control(steps, seconds, progress))
        with _room("broadcast_schedule(): a list", count, 5 * _LISTED):
            transfers = list(map(Transfer, step, sender, receiver))
        return Schedule(transfers, lower, upper, _c.cn_known_name(kind))

    def check_schedule(self, source, transfers):
        """The last step of a broadcast from source, given as (step, sender, receiver) in the order
        of their steps. Raises ArgumentError when they are not such a broadcast."""
        columns = ([], [], [])
        for i, transfer in enumerate(transfers):
            try:
                step, sender, receiver = transfer
            except (TypeError, ValueError):
                raise ArgumentError(f"transfers[{i}] is not (step, sender, receiver)") from None
            for column, number in zip(columns, (step, sender, receiver)):
                column.append(number)
        step, sender, receiver = map(_packed, ("u32", "u64", "u64"), Transfer._fields, columns)
        return _c.cn_schedule_check(self, source, sender, receiver, step, len(step))

"""Measures of a topology: distances, cuts, broadcasts, cost."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import Any, Iterable, NamedTuple, overload, Sequence, TYPE_CHECKING

from ._arrays import _packed
from ._control import _Control
from ._enum import _name_of, _names, _value_of
from ._errors import ArgumentError, NotFoundError, UnsupportedError
from ._function import _c, _declare
from ._hints import Progress, Real, Seconds, Whole, Wholes
from ._network import _Network
from ._values import _LISTED, _array, _listed, _room, _text
from ._words import _with_names

if TYPE_CHECKING:
    from ._topology import Topology

_declare("""
    status cn_chordal_ring_best_chord(u64 nodes, int dual, control control, out u64 chord,
                                      out u64 diameter)
    status cn_topology_diameter(topology topology, control control, out u64 diameter)
    status cn_topology_mean_distance(topology topology, control control, out f64 mean)
    status cn_topology_distance_counts(topology topology, u64 source, control control,
        u64[] counts, size capacity, out size count)
    status cn_topology_measure(topology topology, int measure, f64 alpha, control control,
                               out f64 lower, out f64 upper, out int kind)
    status cn_topology_cost(topology topology, f64 processor_cost, f64 link_cost, out f64 cost)
    status cn_topology_bisection(topology topology, control control, u8[] side, size capacity,
                                 out u64 lower, out u64 upper, out int kind)
    status cn_bisection_check(topology topology, u8[] side, size count, control control,
                              out u64 width)
    status cn_bisection_side(topology topology, u64 node, out u32 side)
    status cn_topology_broadcast_schedule(topology topology, u64 source, control control,
                                          u64[] sender, u64[] receiver, u32[] sent_at,
                                          size capacity, out u64 lower, out u64 upper,
                                          out int kind)
    status cn_schedule_check(topology topology, u64 source, u64[] sender, u64[] receiver,
                             u32[] sent_at, size count, out u64 length)
""")


class Measure(NamedTuple):
    """The value or the bounds of a measure; kind is "closed-form", "exact" or "bounds". lower and
    upper differ only for "bounds"."""

    lower: float
    upper: float
    kind: str

    @property
    def value(self) -> float | None:
        """The value; None when only bounds are known and they differ."""
        return self.lower if self.lower == self.upper else None


class BisectionRule(Sequence[int]):
    """The sides of all nodes in the best cut of a network that has a closed form of it. It reads like a
    list of 0 and 1, equals the list, and needs no memory."""

    def __init__(self, topology: _Network) -> None:
        _c.cn_bisection_side(topology, 0)  # refuses a network that has no rule
        self._topology = topology

    def __len__(self) -> int:
        return self._topology.node_count

    @overload
    def __getitem__(self, index: int) -> int: ...

    @overload
    def __getitem__(self, index: slice) -> list[int]: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[v] for v in range(*index.indices(len(self)))]
        node = index + len(self) if index < 0 else index
        if not 0 <= node < len(self):
            raise IndexError(f"node {index} of {len(self)}")
        return _c.cn_bisection_side(self._topology, node)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, BisectionRule):
            return self._topology == other._topology
        if not isinstance(other, (list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    __hash__ = None  # type: ignore[assignment]  # it equals lists

    def __reduce__(self) -> tuple[Any, ...]:
        return BisectionRule, (self._topology,)

    def __repr__(self) -> str:
        return f"<the sides of the {len(self)} nodes of {self._topology.name}>"


class Bisection(NamedTuple):
    """A cut into two halves: side[v] is the side of node v, 0 or 1, in a list or, where the kind is
    "closed-form", in a BisectionRule; upper is the width of the cut in links."""

    side: Sequence[int]
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

    transfers: list[Transfer]
    lower: int
    upper: int
    kind: str


def measures() -> list[str]:
    """The names of all measures, as a list.

    >>> measures()[:3]
    ['diameter', 'mean_distance', 'broadcast_time']
    """
    return _names("measure")


class _Measures(_Network):
    """Measures of a Topology."""

    @staticmethod
    def best_chord(nodes: Whole, dual: bool = False, seconds: Seconds = None,
                   progress: Progress = None) -> tuple[int, int]:
        """(chord, diameter): the shortest chord that gives the least diameter, and that
        diameter. Experimental.

        >>> Topology.best_chord(16)
        (5, 4)
        """
        chord, diameter = _c.cn_chordal_ring_best_chord(
            nodes, bool(dual), control=_Control(0, seconds, progress))
        return chord, diameter

    def diameter(self, seconds: Seconds = None, progress: Progress = None) -> int:
        """The greatest distance between two nodes.

        >>> Topology.torus([5, 4]).diameter()
        4
        """
        return _c.cn_topology_diameter(self, control=_Control(0, seconds, progress))

    def mean_distance(self, seconds: Seconds = None, progress: Progress = None) -> float:
        """The mean distance over all ordered pairs of distinct nodes.

        >>> round(Topology.hypercube(3).mean_distance(), 4)
        1.7143
        """
        return _c.cn_topology_mean_distance(self, control=_Control(0, seconds, progress))

    def distance_counts(self, source: Whole = 0, seconds: Seconds = None,
                        progress: Progress = None) -> list[int]:
        """The numbers of nodes that are 0, 1, 2, ... hops away from source.

        >>> Topology.hypercube(3).distance_counts()
        [1, 3, 3, 1]
        """
        return _c.cn_topology_distance_counts.fill(
            self, source, control=_Control(0, seconds, progress))

    def measure(self, name: str, alpha: Real = 0.5, steps: Whole = 0, seconds: Seconds = None,
                progress: Progress = None) -> Measure:
        """The Measure with one of the names in measures(); alpha is the weight of the broadcast
        time in the looseness. A search ends after so many steps (0: some seconds' worth) or
        seconds, or when progress() returns False. It then gives what it has.

        >>> Topology.hypercube(3).measure("bisection_width")
        Measure(lower=4.0, upper=4.0, kind='closed-form')
        """
        try:
            number = _value_of("measure", _text("name", name))
        except NotFoundError as error:
            raise _with_names(error, name, "there are", measures())
        lower, upper, kind = _c.cn_topology_measure(self, number, alpha,
                                                    control=_Control(steps, seconds, progress))
        return Measure(lower, upper, _name_of("known", kind))

    def cost(self, processor_cost: Real, link_cost: Real) -> float:
        """The cost of all processors and links.

        >>> Topology.hypercube(3).cost(10, 1)
        92.0
        """
        return _c.cn_topology_cost(self, processor_cost, link_cost)

    def bisection(self, steps: Whole = 0, seconds: Seconds = None,
                  progress: Progress = None) -> Bisection:
        """The best known cut into two halves, as a Bisection. A closed form takes no array of nodes.

        >>> cut = Topology.ring(6).bisection()
        >>> (cut.upper, cut.kind, list(cut.side))
        (2, 'closed-form', [0, 0, 0, 1, 1, 1])
        """
        try:
            rule = BisectionRule(self)
        except UnsupportedError:
            side = _array("u8", self.node_count, "bisection()")
        else:
            lower, upper, kind = _c.cn_topology_bisection(self, None, 0,
                                                          control=_Control(steps, seconds, progress))
            return Bisection(rule, lower, upper, _name_of("known", kind))
        lower, upper, kind = _c.cn_topology_bisection(self, side, len(side),
                                                      control=_Control(steps, seconds, progress))
        return Bisection(_listed(side, "bisection()"), lower, upper, _name_of("known", kind))

    def check_bisection(self, side: BisectionRule | Wholes, seconds: Seconds = None,
                        progress: Progress = None) -> int:
        """The number of links between the sides 0 and 1. Raises ArgumentError when their sizes
        differ by more than one node. A BisectionRule of this topology is checked without a list.

        >>> Topology.ring(4).check_bisection([0, 0, 1, 1])
        2
        """
        if isinstance(side, BisectionRule):
            if side._topology == self:
                return _c.cn_bisection_check(self, None, 0,
                                             control=_Control(0, seconds, progress))
            if len(side) != self.node_count:
                raise ArgumentError(f"side is that of {len(side)} nodes, but {self.name} has "
                                    f"{self.node_count} nodes")
        packed = _packed("u8", "side", side)
        return _c.cn_bisection_check(self, packed, len(packed),
                                     control=_Control(0, seconds, progress))

    def broadcast_schedule(self, source: Whole = 0, steps: Whole = 0, seconds: Seconds = None,
                           progress: Progress = None) -> Schedule:
        """The best known broadcast from a node, as a Schedule; in a step every node sends and
        receives at most one message.

        >>> Topology.hypercube(3).broadcast_schedule().transfers[:2]
        [Transfer(step=1, sender=0, receiver=1), Transfer(step=2, sender=0, receiver=2)]
        """
        count = self.node_count - 1
        sender, receiver = (_array("u64", count, "broadcast_schedule()") for _ in range(2))
        step = _array("u32", count, "broadcast_schedule()")
        lower, upper, kind = _c.cn_topology_broadcast_schedule(
            self, source, sender, receiver, step, count,
            control=_Control(steps, seconds, progress))
        with _room("broadcast_schedule(): a list", count, 5 * _LISTED):
            transfers = list(map(Transfer, step, sender, receiver))
        return Schedule(transfers, lower, upper, _name_of("known", kind))

    def check_schedule(self, source: Whole, transfers: Iterable[tuple[Whole, Whole, Whole]]) -> int:
        """The last step of a broadcast from source, given as (step, sender, receiver) in the order
        of their steps. Raises ArgumentError when they are not such a broadcast."""
        columns: tuple[list[Whole], list[Whole], list[Whole]] = ([], [], [])
        for i, transfer in enumerate(transfers):
            try:
                step, sender, receiver = transfer
            except (TypeError, ValueError):
                raise ArgumentError(f"transfers[{i}] is not (step, sender, receiver)") from None
            for column, number in zip(columns, (step, sender, receiver)):
                column.append(number)
        steps, senders, receivers = map(_packed, ("u32", "u64", "u64"), Transfer._fields, columns)
        return _c.cn_schedule_check(self, source, senders, receivers, steps, len(steps))

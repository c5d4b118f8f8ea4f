"""Destinations and times of messages."""
# mypy: no-warn-return-any

from __future__ import annotations

import re
from typing import Any, Iterable, TYPE_CHECKING

from ._arrays import _columns, _elements, _memory, _packed, _reals, _table
from ._control import _Control
from ._enum import _chosen, _name_of, _names, _value_of
from ._errors import ArgumentError
from ._function import _c, _declare
from ._handle import _OnTopology, _pointer
from ._hints import Progress, Real, Reals, Seconds, Whole, Wholes
from ._json import _Json
from ._values import _fields, _text

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._topology import Topology

_declare("""
    status cn_traffic_new(topology topology, int pattern, out traffic traffic)
    status cn_traffic_hotspot(topology topology, u64 node, f64 share, out traffic traffic)
    status cn_traffic_permutation(topology topology, u64 seed, out traffic traffic)
    status cn_traffic_locality(topology topology, f64[] weights, size count,
                                   out traffic traffic)
    status cn_traffic_geometric_locality(topology topology, f64 ratio, out traffic traffic)
    status cn_traffic_destinations(topology topology, u64[] destinations, size count,
                                       out traffic traffic)
    status cn_traffic_matrix(topology topology, f64[] weights, size count,
                                 out traffic traffic)
    status cn_traffic_trace(topology topology, u64[] cycles, u64[] sources,
                                u64[] destinations, u64[] flits, size count, out traffic traffic)
    void   cn_traffic_free(ref traffic)
    status cn_traffic_json(traffic traffic, char[] text, size capacity, out size length)
    status cn_traffic_from_json(text text, control control, out traffic traffic)
    status cn_traffic_set_source(traffic traffic, int source)
    status cn_traffic_set_on_off(traffic traffic, f64 mean_on, f64 mean_off)
    int    cn_traffic_pattern(traffic traffic)
    int    cn_traffic_source(traffic traffic)
    u64    cn_traffic_trace_length(traffic traffic)
    status cn_traffic_senders(traffic traffic, out u64 senders)
    status cn_traffic_probability(traffic traffic, u64 source, u64 destination,
                                  out f64 probability)
    status cn_traffic_mean_distance(traffic traffic, control control, out f64 mean)
    status cn_traffic_loads(traffic traffic, routing routing, control control, f64[] loads,
                                    size capacity, out size count)
""")


def traffic_patterns() -> list[str]:
    """The names of all patterns of a Traffic, as a list.

    >>> traffic_patterns()[:3]
    ['uniform', 'bit-complement', 'bit-reverse']
    """
    return _names("pattern")




class Traffic(_Json, _OnTopology):
    """Destinations and times of messages: uniform, one of the fixed patterns ("bit-complement",
    "bit-reverse", "transpose", "shuffle", "tornado", "neighbor"), or the traffic that a class
    method makes.

    source is "geometric", "bernoulli" or "poisson"; None stands for the source of the system.
    on_off = (mean_on, mean_off) sets a source that switches on and off, with periods of these mean
    lengths in cycles.

    >>> traffic = Traffic(Topology.hypercube(4), "transpose")
    >>> traffic.probability(1, 4)
    1.0
    >>> traffic.mean_distance()
    2.6666666666666665
    """

    _kind = "traffic"
    _end = _c.cn_traffic_free

    def __init__(self, topology: Topology, pattern: str = "uniform", *, source: str | None = None,
                 on_off: tuple[Real, Real] | None = None) -> None:
        self._hold(_c.cn_traffic_new(topology, _value_of("pattern", _text("pattern", pattern))))
        self._topology = topology
        self._begin(source, on_off)

    def _begin(self, source: str | None, on_off: tuple[Real, Real] | None) -> Self:
        if on_off is not None:
            if source is not None:
                raise ArgumentError(f"source = {source!r}, but on_off is a source of its own")
            mean_on, mean_off = _fields("on_off", on_off, "mean_on", "mean_off")
            _c.cn_traffic_set_on_off(self, mean_on, mean_off)
        elif source is not None:
            _c.cn_traffic_set_source(self, _chosen("source", source))
        self._on_off: Any = on_off
        return self

    def _remember(self, data: Any) -> None:
        super()._remember(data)
        self._on_off = (data["mean_on"], data["mean_off"]) if "mean_on" in data else None

    @classmethod
    def hotspot(cls, topology: Topology, node: Whole, share: Real, *, source: str | None = None,
                on_off: tuple[Real, Real] | None = None) -> Self:
        """Sends a share of all messages to one node, and the rest uniformly."""
        return cls._of(topology, _c.cn_traffic_hotspot(topology, node, share))._begin(
            source, on_off)

    @classmethod
    def permutation(cls, topology: Topology, seed: Whole, *, source: str | None = None,
                    on_off: tuple[Real, Real] | None = None) -> Self:
        """A random permutation: one destination per node. A node that it maps to itself sends
        nothing."""
        return cls._of(topology, _c.cn_traffic_permutation(topology, seed))._begin(
            source, on_off)

    @classmethod
    def locality(cls, topology: Topology, weights: Real | Reals, *, source: str | None = None,
                 on_off: tuple[Real, Real] | None = None) -> Self:
        """Destinations by distance: weights[d-1] is proportional to the probability of distance d.
        A single number is the ratio of each weight to the one before.

        >>> Traffic.locality(Topology.hypercube(3), [1, 0, 0]).mean_distance()
        1.0
        """
        try:
            if isinstance(weights, (int, float)):
                made = _c.cn_traffic_geometric_locality(topology, weights)
            else:
                packed = _reals("weights", weights)
                made = _c.cn_traffic_locality(topology, packed, len(packed))
        except ArgumentError as error:
            error.args = (re.sub(r"^ratio\b", "weights", str(error)),)
            raise
        return cls._of(topology, made)._begin(source, on_off)

    @classmethod
    def destinations(cls, topology: Topology, destinations: Wholes, *, source: str | None = None,
                     on_off: tuple[Real, Real] | None = None) -> Self:
        """Node s sends to destinations[s], or nothing when destinations[s] is s."""
        packed = _packed("u64", "destinations", destinations)
        made = _c.cn_traffic_destinations(topology, packed, len(packed))
        return cls._of(topology, made)._begin(source, on_off)

    @classmethod
    def matrix(cls, topology: Topology, rows: Iterable[Reals], *, source: str | None = None,
               on_off: tuple[Real, Real] | None = None) -> Self:
        """Node s sends to node d with a probability proportional to rows[s][d]; a node whose row is
        all zeros sends nothing.

        >>> Traffic.matrix(Topology.ring(3), [[0, 3, 1], [1, 0, 1], [0, 0, 0]]).probability(0, 1)
        0.75
        """
        _pointer("topology", "topology", topology)  # refuses what is none
        hosts = len(topology.hosts)
        packed = _table("f64", rows, hosts)
        if packed is None:
            packed = _reals("rows", cls._rows(hosts, rows))
        made = _c.cn_traffic_matrix(topology, packed, len(packed))
        return cls._of(topology, made)._begin(source, on_off)

    @staticmethod
    def _rows(nodes: int, rows: Iterable[Reals]) -> list[Real]:
        numbers: list[Real] = []
        for s, given in enumerate(_elements("rows", rows)):
            row = list(_elements(f"rows[{s}]", given))
            if len(row) != nodes:
                raise ArgumentError(f"rows[{s}] has {len(row)} numbers, but there are {nodes} nodes")
            numbers += row
        return numbers

    @classmethod
    def trace(cls, topology: Topology, messages: Iterable[Wholes] | None = None, *,
              cycles: Wholes | None = None, sources: Wholes | Whole | None = None,
              destinations: Wholes | Whole | None = None, flits: Wholes | Whole | None = None) -> Self:
        """A list of messages in place of random traffic: (cycle, source, destination) or (cycle,
        source, destination, flits), in ascending order of cycles. An array has such rows, or each column
        is an array of its own: cycles, sources, destinations and, if they differ from those of the
        scenario, flits.

        >>> len(Traffic.trace(Topology.ring(4), [(0, 1, 2), (5, 2, 0)]))
        2
        """
        if messages is not None and (cycles, sources, destinations, flits) == (None,) * 4:
            cycles, sources, destinations, flits = cls._messages(messages)
        elif messages is not None or cycles is None or sources is None or destinations is None:
            raise TypeError("a trace takes either messages, or cycles, sources and destinations")
        names = ("cycles", "sources", "destinations", "flits")
        packed = _columns(names, cycles, sources, destinations, 0 if flits is None else flits)
        if flits is None:
            packed[3] = None
        return cls._of(topology, _c.cn_traffic_trace(topology, *packed, len(packed[0])))._begin(None, None)

    @staticmethod
    def _messages(messages: Any) -> list[Any]:
        """The columns of a list or an array of messages; no flits where these are not given."""
        columns: list[Any] = [[], [], [], []]
        lengths = set()
        table = _memory(messages, 2)
        for i, message in enumerate(_elements("messages", messages if table is None else table)):
            message = tuple(message)
            lengths.add(len(message))
            if len(message) not in (3, 4) or len(lengths) > 1:
                raise ArgumentError(f"messages[{i}] has {len(message)} numbers, but all must have 3 "
                                    "or all 4")
            for column, number in zip(columns, message):
                column.append(number)
        return columns if lengths == {4} else [*columns[:3], None]

    @property
    def pattern(self) -> str:
        """The name of the pattern."""
        return _name_of("pattern", _c.cn_traffic_pattern(self))

    @property
    def source(self) -> str | None:
        """"geometric", "bernoulli", "poisson" or "on-off"; None for the source of the system."""
        number = _c.cn_traffic_source(self)
        return _name_of("source", number) if number else None

    @property
    def on_off(self) -> tuple[float, float] | None:
        """The mean lengths of the periods of an on/off source; None for any other source."""
        return self._on_off

    @property
    def senders(self) -> int:
        """The number of nodes that send messages."""
        return _c.cn_traffic_senders(self)

    def mean_distance(self, seconds: Seconds = None, progress: Progress = None) -> float:
        """The mean distance over all messages."""
        return _c.cn_traffic_mean_distance(self, control=_Control(0, seconds, progress))

    def probability(self, source: Whole, destination: Whole) -> float:
        """The probability that a message of source goes to destination."""
        return _c.cn_traffic_probability(self, source, destination)

    def __len__(self) -> int:
        """The number of messages of a trace."""
        return _c.cn_traffic_trace_length(self)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Traffic {self.pattern} on {self._topology.name}>"

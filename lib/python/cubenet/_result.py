"""Results."""
# mypy: no-warn-return-any

from __future__ import annotations

import collections.abc
import ctypes
import json
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Sequence, TYPE_CHECKING

from ._arrays import _given_back, _numbers
from ._control import _Control
from ._enum import _name_of, _names, _value_of
from ._errors import NotFoundError
from ._function import _c, _declare
from ._gantt import _Bar, _gantt
from ._handle import _Object, _pointer
from ._hints import Progress, Real, Seconds
from ._html import _table_of
from ._json import _Json
from ._system import _metric
from ._values import _array, _NEVER
from ._words import _with_names

if TYPE_CHECKING:
    from ._plot import Plot
    from ._scenario import Scenario

_declare("""
    void   cn_result_free(ref result)
    int    cn_result_has(result result, int metric)
    status cn_result_value(result result, int metric, out f64 value)
    status cn_result_half_width(result result, int metric, out f64 half_width)
    status cn_result_samples(result result, int metric, out u64 samples)
    int    cn_result_stop(result result)
    text   cn_stop_text(int stop)
    int    cn_result_is_saturated(result result)
    int    cn_result_is_settled(result result)
    u64    cn_result_seed(result result)
    int    cn_result_has_statistics(result result)
    status cn_result_channel_loads(result result, u64[] loads, size capacity, out size count)
    status cn_result_node_counts(result result, int which, u64[] counts, size capacity,
                                 out size count)
    status cn_result_node_queues(result result, f64[] queues, size capacity, out size count)
    status cn_result_histogram(result result, int which, f64[] lower, f64[] upper, u64[] counts,
                               size capacity, out size count)
    status cn_result_quantile(result result, int which, f64 share, out f64 value)
    status cn_result_batches(result result, int metric, f64[] values, size capacity, out size count,
                             out u64 cycles)
    text   cn_result_system(result result)
    text   cn_result_model(result result)
    text   cn_result_library(result result)
    status cn_result_scenario(result result, out scenario scenario)
    status cn_result_json(result result, char[] text, size capacity, out size length)
    status cn_result_from_json(text text, control control, out result result)
    status cn_result_messages(result result, u64[] ready, u64[] injected, u64[] delivered,
                              size capacity, out size count)
    status cn_result_critical_path(result result, u64[] numbers, size capacity, out size count)
    status cn_result_shard(result result, out u64 shard, out u64 shards)
    status cn_result_merge(result[] results, size count, control control, out result merged)
""")


class Bin(NamedTuple):
    """A bin of a histogram: `count` messages have a value of at least `lower` and below `upper`."""

    lower: float
    upper: float
    count: int  # type: ignore[assignment]  # a tuple has a method of this name


class Batches(NamedTuple):
    """The values of a metric in batches of so many cycles; NaN where a batch has no such value."""

    values: Sequence[float]
    cycles: int


class Times(NamedTuple):
    """Cycles by message of a workload; 2^64 - 1 stands for what did not happen before the end of the run."""

    ready: Sequence[int]
    injected: Sequence[int]
    delivered: Sequence[int]


_MAX_BINS = 8448


class Result(_Json, Mapping[str, float]):
    """The result of an experiment: a read-only mapping from names of metrics to values.

    >>> result = Scenario(Topology.hypercube(4), "deflection", load=1, buffers=8).simulate()
    >>> result["mean_delay"] > 2, result.half_width("mean_delay") > 0
    (True, True)
    >>> result.stop, result.saturated
    ('precision', False)
    """

    _kind = "result"
    _end = _c.cn_result_free

    def __getitem__(self, name: str) -> float:
        try:
            return _c.cn_result_value(self, _c.cn_metric_from_name(name))
        except NotFoundError as error:
            raise _with_names(error, name, "this result holds", self)

    def __iter__(self) -> Iterator[str]:
        for number in range(1, _c.cn_metric_count() + 1):
            if _c.cn_result_has(self, number):
                yield _c.cn_metric_name(number)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def half_width(self, name: str) -> float:
        """The 95 % half-width of a value; 0 for a model, infinite when too little was measured."""
        return _c.cn_result_half_width(self, _c.cn_metric_from_name(name))

    def samples(self, name: str) -> int:
        """The number of observations behind a value; 0 for a model."""
        return _c.cn_result_samples(self, _c.cn_metric_from_name(name))

    @property
    def stop(self) -> str:
        """The reason why the run ended: "model" (nothing ran), "precision", "cycles", "saturated",
        "deadlock" or "completed"."""
        return _name_of("stop", _c.cn_result_stop(self))

    @property
    def stop_text(self) -> str:
        """The reason why the run ended, as a sentence."""
        return _c.cn_stop_text(_c.cn_result_stop(self))

    @property
    def saturated(self) -> bool:
        """Whether the load is more than the network can carry."""
        return bool(_c.cn_result_is_saturated(self))

    @property
    def settled(self) -> bool:
        """False when the run was too short for its network: half-widths of all that depends on the
        queues are then infinite."""
        return bool(_c.cn_result_is_settled(self))

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return _c.cn_result_seed(self)

    @property
    def system(self) -> str:
        """The name of the system."""
        return _c.cn_result_system(self)

    @property
    def model(self) -> str:
        """The name of the model that predicted the result, with its revision; "" for a simulation. The
        numbers of a model change only with its revision.

        >>> Scenario(Topology.hypercube(4), "separate-buffers", load=0.1).predict().model
        'separate-buffers/own/1'
        """
        return _c.cn_result_model(self)

    @property
    def library(self) -> str:
        """The version of the library that made the result."""
        return _c.cn_result_library(self)

    @property
    def scenario(self) -> Scenario | None:
        """The Scenario that the result is of, as a copy; None for a study without one."""
        try:
            made = _Object._of_kind["scenario"]._own(_c.cn_result_scenario(self))
        except NotFoundError:
            return None
        made._remember(json.loads(made.to_json()))
        return made

    @property
    def shard(self) -> tuple[int, int]:
        """(shard, shards): which part of a simulation or study the result is; (0, 1) for a whole one.
        A part holds no metrics: merge() makes the whole of all parts. Experimental."""
        shard, shards = _c.cn_result_shard(self)
        return shard, shards

    def to_dict(self, half_widths: bool = False) -> dict[str, Any]:
        """The values as a dict, with half_widths=True as pairs (value, half-width).

        >>> result = Scenario(Topology.hypercube(4), "separate-buffers", load=0.1).predict()
        >>> result.to_dict() == dict(result)
        True
        """
        if half_widths:
            return {name: (self[name], self.half_width(name)) for name in self}
        return dict(self)

    def _remember(self, data: Any) -> None:
        pass

    def __eq__(self, other: Any) -> bool:  # the values, as of any other mapping
        if isinstance(other, Result) and (len(self) == 0 or len(other) == 0):  # shards have none
            return self.to_json() == other.to_json()
        return collections.abc.Mapping.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]  # it equals any mapping with these values

    @property
    def has_statistics(self) -> bool:
        """Whether the simulation counted what channel_loads(), node_counts(), histogram(),
        quantile() and batches() return."""
        return bool(_c.cn_result_has_statistics(self))

    def channel_loads(self) -> Sequence[int]:
        """The number of messages that every directed channel carried in the measured cycles; of
        flits with wormhole switching. Element node * P + port is that of a port, with P the
        greatest degree of the network."""
        return _c.cn_result_channel_loads.array(self)

    def node_counts(self) -> dict[str, Sequence[float]]:
        """Counts of the measured cycles by node, as a dict of arrays: messages "offered",
        "accepted", "refused", "delivered" and "forwarded", and "queue", the mean number of
        messages in the queues of the node."""
        counts: dict[str, Sequence[float]] = {}
        for name in _names("node_count"):
            counts[name] = _c.cn_result_node_counts.array(self, _value_of("node_count", name))
        counts["queue"] = _c.cn_result_node_queues.array(self)
        return counts

    def histogram(self, name: str = "delay") -> list[Bin]:
        """The Bins of a histogram that are not empty, in ascending order: "delay" (in cycles),
        "delay_unicast", "delay_broadcast" or "hops".

        >>> scenario = Scenario(Topology.hypercube(4), "deflection", load=1, buffers=8)
        >>> scenario.simulate(statistics=True).histogram("hops")[0].lower
        1.0
        """
        number = _value_of("distribution", name)
        lower, upper, counts = (_array(kind, _MAX_BINS, name) for kind in ("f64", "f64", "u64"))
        bins = _c.cn_result_histogram(self, number, lower, upper, counts, _MAX_BINS)
        return [Bin(*row) for row in zip(lower[:bins], upper[:bins], counts[:bins])]

    def quantile(self, share: Real, histogram: str = "delay") -> float:
        """The least value that at least this share of the delivered messages do not exceed, of a
        histogram."""
        return _c.cn_result_quantile(self, _value_of("distribution", histogram), share)

    def batches(self, name: str) -> Batches:
        """A metric over time, as a Batches: its value in every complete batch of the measured
        cycles, and the length of a batch. The value of "messages_in_flight" is that at the end of
        the batch."""
        return Batches(*_c.cn_result_batches.array(self, _c.cn_metric_from_name(name)))

    def messages(self) -> Times:
        """When each message of the workload was ready, injected and delivered, as Times; of several
        replications in the first. Experimental."""
        delivered = _c.cn_result_messages.array(self, None, None)
        columns = [_numbers("u64", len(delivered), "messages()") for _ in range(2)]
        _c.cn_result_messages(self, *(memory for _, memory in columns), None, len(delivered))
        ready, injected = (_given_back(numbers) for numbers, _ in columns)
        return Times(ready, injected, delivered)

    def critical_path(self) -> list[int]:
        """The numbers of the messages on the critical path of the workload, from the first to the last: each
        was the last one that the next one waited for. Empty when the run ended before. Experimental."""
        return _c.cn_result_critical_path.fill(self)

    def gantt(self) -> Plot:
        """The run of the workload as SVG: a row a node, in it a bar for each message that the node sends, and
        the critical path. Experimental.

        >>> ring = Topology.ring(4)
        >>> workload = Workload(ring, [(0, 1, 16), (1, 2, 16, [0], 50)])
        >>> "critical" in Scenario(ring, "wormhole", workload=workload).simulate().gantt()
        True
        """
        times, scenario = self.messages(), self.scenario
        assert scenario is not None and scenario.workload is not None
        bars = [_Bar(number, m.source, int(ready) - m.computing, int(ready), min(int(injected), _NEVER),
                     int(delivered))
                for number, (m, ready, injected, delivered) in enumerate(zip(scenario.workload, *times))
                if delivered < _NEVER]
        # of the first run: with replications, or after a reset, the metrics have other cycles
        start = min((bar[2] for bar in bars), default=0)
        end = max((bar[5] for bar in bars), default=start)
        title = f"{scenario.workload!r}, {self.system}".replace("<Workload on ", "")
        return _gantt(title.replace(">", ""), bars, self.critical_path(), start, end - start)

    def __repr__(self) -> str:
        shard, shards = self.shard
        holds = f"{len(self)} metrics" if shards == 1 else f"shard {shard} of {shards}"
        return f"<Result of {self.model or self.system}: {holds}, {self.stop_text}>"

    def _title(self) -> str:
        return (f"{self.model or self.system}, seed {self.seed}: {self.stop_text}"
                + (" (saturated)" if self.saturated else "")
                + ("" if self.settled else " (not settled)"))

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Name, value, half-width and unit of every metric."""
        for name, value in self.items():
            half = self.half_width(name)
            unit = _metric(_c.cn_metric_from_name(name)).unit
            yield name, f"{value:.6g}", f"+- {half:.2g}" if half else "", "" if unit == "1" else unit

    def _repr_html_(self) -> str:
        return _table_of(self._title(), self._rows())

    def __str__(self) -> str:
        return "\n".join([self._title(), *(
            f"  {name:<28}{value:>12} {spread:<10} {unit}".rstrip()
            for name, value, spread, unit in self._rows())])


def merge(results: Iterable[Result], seconds: Seconds = None,
          progress: Progress = None) -> Result:
    """The Result of a whole simulation or study from all its shards, in any order: to the last bit that
    of one process. ArgumentError when a shard is missing, is there twice, or belongs to another whole.
    Experimental.

    >>> scenario = Scenario(Topology.hypercube(4), "deflection", load=1, buffers=8, replications=2,
    ...                     relative_precision=0)
    >>> parts = [scenario.simulate(shard=(part, 2)) for part in range(2)]
    >>> merge(parts) == scenario.simulate()
    True
    """
    held = list(results)  # also those that only an iterator had
    pointers = [_pointer("result", f"results[{i}]", result) for i, result in enumerate(held)]
    array = (ctypes.c_void_p * len(pointers))(*pointers)
    return Result._own(_c.cn_result_merge(array, len(pointers),
                                        control=_Control(0, seconds, progress)))

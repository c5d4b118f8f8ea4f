"""Models of one node and of the best routing."""
# mypy: no-warn-return-any

from __future__ import annotations

import ctypes
from typing import Any, Iterable, NamedTuple, TYPE_CHECKING

from ._arrays import _elements, _reals, _table
from ._control import _Control
from ._function import _c, _declare
from ._hints import Progress, Real, Reals, Seconds, Whole
from ._network import _Network
from ._system import _parameter_choice
from ._values import _LISTED, _array, _room, _whole

if TYPE_CHECKING:
    from ._fault import Faults

_declare("""
    status cn_assignment_phase_one(u32 channels, u64 messages, f64[] probabilities, size capacity,
                                   out size count)
    status cn_assignment_both_phases(u32 channels, u64 buffers, u64 messages,
                                     f64[] probabilities, size capacity, out size count)
    status cn_deflection_hops(u32 n, f64 q, f64[] hop_counts, size capacity, out size count)
    status cn_flow_deviation(topology topology, faults faults, f64[] traffic, size count, f64 load,
                             f64 gap, control control, out f64 delay, out f64 lower,
                             f64[] channel_flows, size capacity)
    status cn_flow_saturation(topology topology, faults faults, f64[] traffic, size count,
                              f64 accuracy, control control, out f64 lower, out f64 upper)
    status cn_shared_buffer_queue(u32 n, f64 load, f64[] probabilities, size count)
    status cn_separate_buffers_arrivals(u32 n, f64 load, f64[] probabilities, size count)
    status cn_separate_buffers_queue(u32 n, f64 load, f64[] probabilities, size count)
    status cn_optimistic_bound_queue(u32 n, f64 load, f64[] probabilities, size count)
    status cn_deflection_mean_hops(topology topology, int state_space, f64 q, control control,
                                   out f64 mean_hops, out u64 states)
    status cn_deflection_headers(topology topology, int state_space, f64 q, control control,
                                 f64[] start, f64[] matrix, size capacity, out size count)
    status cn_deflection_queue(u32 channels, u64 buffers, f64 load, f64 transit, control control,
                               f64[] probabilities, size capacity, out size count)
""")


class Flow(NamedTuple):
    """The least mean delay, a lower bound that holds for every routing, and the messages per unit
    of time on the channel of each port of each node."""

    delay: float
    lower: float
    channels: list[list[float]]


def _distribution(function: Any, channels: Whole, *arguments: Any) -> list[float]:
    # the library refuses more channels than 4096
    room = min(_whole("u32", "channels", channels), 4096) + 1
    values = (ctypes.c_double * room)()
    function(channels, *arguments, values, room)
    return list(values)


def assignment_phase_one(channels: Whole, messages: Whole) -> list[float]:
    """Probabilities that 0, 1, ... of the messages win a channel when each picks one channel.

    >>> assignment_phase_one(2, 2)
    [0.0, 0.5, 0.5]
    """
    return _distribution(_c.cn_assignment_phase_one, channels, messages)


def assignment_both_phases(channels: Whole, buffers: Whole, messages: Whole) -> list[float]:
    """Probabilities that a node with this many buffers and messages sends 0, 1, ... of the
    messages.

    >>> [round(p, 3) for p in assignment_both_phases(2, 4, 2)]
    [0.0, 0.5, 0.5]
    """
    return _distribution(_c.cn_assignment_both_phases, channels, buffers, messages)


def deflection_hops(n: Whole, q: Real) -> list[float]:
    """The mean number of remaining hops of a message that is 0, 1, ..., n hops away from its
    destination in the Boolean n-cube, when each hop is an assignment of phase 2 with probability
    q. Experimental.

    >>> deflection_hops(2, 0)
    [0.0, 1.0, 2.0]
    """
    room = min(_whole("u32", "n", n), 62) + 1  # the library refuses more dimensions
    values = (ctypes.c_double * room)()
    _c.cn_deflection_hops(n, q, values, room)
    return list(values)


def deflection_queue(channels: Whole, buffers: Whole, load: Real, transit: Real,
                     seconds: Seconds = None, progress: Progress = None) -> list[float]:
    """Probabilities that a node with this many buffers holds 0, 1, ..., buffers messages at the
    start of a cycle, when each channel brings a message in transit with probability transit. With
    the "transit_probability" of a prediction this is the node of the published model of
    deflection.

    >>> sum(deflection_queue(4, 8, 1, 0.5))
    1.0
    """
    return _c.cn_deflection_queue.fill(channels, buffers, load, transit,
                                       control=_Control(0, seconds, progress))


def _beginning(name: str, n: Whole, load: Real, count: Whole) -> list[float]:
    values = _array("f64", _whole("size", "count", count), f"{name}()")
    getattr(_c, f"cn_{name}")(n, load, values, len(values))
    return list(values)


def shared_buffer_queue(n: Whole, load: Real, count: Whole) -> list[float]:
    """Probabilities that a node of the Boolean n-cube with a shared, unlimited buffer holds 0, 1,
    ..., count - 1 messages at the start of a cycle. Experimental.

    >>> [round(p, 3) for p in shared_buffer_queue(4, 0.5, 3)]
    [0.289, 0.359, 0.223]
    """
    return _beginning("shared_buffer_queue", n, load, count)


def separate_buffers_arrivals(n: Whole, load: Real, count: Whole) -> list[float]:
    """Probabilities that a channel of the Boolean n-cube with a buffer at each channel is given 0, 1, ...,
    count - 1 messages in a cycle (Horng 1992, eq. 2.16). Experimental.

    >>> [round(p, 3) for p in separate_buffers_arrivals(4, 0.5, 3)]
    [0.769, 0.199, 0.028]
    """
    return _beginning("separate_buffers_arrivals", n, load, count)


def separate_buffers_queue(n: Whole, load: Real, count: Whole) -> list[float]:
    """Probabilities that a channel of the Boolean n-cube with a buffer at each channel holds 0, 1, ...,
    count - 1 messages at the start of a cycle (eq. 2.16 and 2.20). Experimental.

    >>> [round(p, 3) for p in separate_buffers_queue(4, 0.5, 3)]
    [0.733, 0.22, 0.04]
    """
    return _beginning("separate_buffers_queue", n, load, count)


def optimistic_bound_queue(n: Whole, load: Real, count: Whole) -> list[float]:
    """Probabilities that a node of the Boolean n-cube holds 0, 1, ..., count - 1 messages at the start
    of a cycle in the model of "optimistic-bound" (eq. 2.74). Experimental.

    >>> [round(p, 3) for p in optimistic_bound_queue(4, 0.5, 3)]
    [0.357, 0.358, 0.181]
    """
    return _beginning("optimistic_bound_queue", n, load, count)


def _state_space(name: str) -> Any:
    return _parameter_choice("state_space", name)


class _Models(_Network):
    """Models on a Topology."""

    def flow_deviation(self, load: Real, faults: Faults | None = None,
                       traffic: Iterable[Reals] | None = None, gap: Real = 1e-6,
                       seconds: Seconds = None, progress: Progress = None) -> Flow:
        """The least mean delay that any routing can reach, as a Flow whose delay exceeds lower by
        at most the share gap.

        traffic is a list of N lists: messages per unit of time from row to column at load 1. None
        stands for uniform traffic between the working nodes."""
        matrix, count = self._traffic(traffic)
        ports = self.max_degree
        flows = _array("f64", self.node_count * ports, "flow_deviation()")
        delay, lower = _c.cn_flow_deviation(self, faults, matrix, count, load, gap, flows,
                                            len(flows), control=_Control(0, seconds, progress))
        return Flow(delay, lower, self._by_port(flows, "flow_deviation()"))

    def _by_port(self, values: Any, purpose: str) -> list[list[float]]:
        """Splits a flat list with max_degree values per node into one list per node, with one value
        per port."""
        ports = self.max_degree
        with _room(f"{purpose}: a list", len(values), _LISTED):
            return [values[v * ports:v * ports + self.degree(v)] for v in range(self.node_count)]

    def flow_saturation(self, faults: Faults | None = None,
                        traffic: Iterable[Reals] | None = None, accuracy: Real = 1e-6,
                        seconds: Seconds = None, progress: Progress = None) -> tuple[float, float]:
        """(lower, upper): the load at which the channels saturate lies between them. Experimental.

        >>> lower, upper = Topology.hypercube(3).flow_saturation()
        >>> lower <= upper
        True
        """
        lower, upper = _c.cn_flow_saturation(self, faults, *self._traffic(traffic), accuracy,
                                             control=_Control(0, seconds, progress))
        return lower, upper

    def _traffic(self, traffic: Iterable[Reals] | None) -> tuple[Any, int]:
        if traffic is None:
            return None, 0
        packed = _table("f64", traffic, self.node_count)
        if packed is None:
            packed = _reals("traffic", [number for s, row in enumerate(_elements("traffic", traffic))
                                        for number in _elements(f"traffic[{s}]", row)])
        return packed, len(packed)

    def deflection_mean_hops(self, q: Real, state_space: str = "automatic") -> tuple[float, int]:
        """(hops, states): the mean number of hops of a message when each hop is an assignment of
        phase 2 with probability q, and the number of states of the state diagram. Experimental.

        For Boolean cubes and k-ary n-cubes. state_space is "exact", "reduced" or "automatic";
        automatic uses exact where that is not too expensive."""
        hops, states = _c.cn_deflection_mean_hops(self, _state_space(state_space), q)
        return hops, states

    def deflection_headers(self, q: Real, state_space: str = "automatic", seconds: Seconds = None,
                           progress: Progress = None) -> tuple[list[float], list[list[float]]]:
        """(start, matrix): the chain of a header of which deflection_mean_hops() gives the mean
        number of hops. start[i] is the probability that a new message begins in state i,
        matrix[i][j] that a hop leads from state i to j; state 0 is "arrived".
        cn_deflection_headers() in queueing.h has the numbers of the states."""
        given = self, _state_space(state_space), q
        _, (count,), _ = _c.cn_deflection_headers._call((*given, None, None, 0))
        states = count.value
        start = _array("f64", states, "deflection_headers()")
        matrix = _array("f64", states * states, "deflection_headers()")
        _c.cn_deflection_headers(*given, start, matrix, states,
                                 control=_Control(0, seconds, progress))
        with _room("deflection_headers(): a list", len(matrix), _LISTED):
            return list(start), [matrix[i * states:(i + 1) * states] for i in range(states)]

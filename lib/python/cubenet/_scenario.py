"""Experiments."""
# mypy: no-warn-return-any

from __future__ import annotations

import contextlib
import functools
import re
from typing import Any, Iterator, overload, TYPE_CHECKING, TypeVar

from ._collective import Operations
from ._arrays import _memory, _packed
from ._control import _SHORT, _Control
from ._errors import ArgumentError, NotFoundError, UnsupportedError
from ._fault import Faults
from ._function import _c, _declare
from ._handle import _Object
from ._hints import Buffer, Exchange, Progress, Real, Seconds, Whole
from ._json import _Json
from ._parameters import _Parameters
from ._part import Part, _Exchange
from ._result import Result
from ._routing import Routing
from ._simulation import Simulation
from ._system import _ATTACHED, _choice
from ._traffic import Traffic
from ._values import _fields, _real
from ._workload import Workload
from ._words import _with_names

if TYPE_CHECKING:
    from typing_extensions import Literal, Self
    from ._subnet import Subnet
    from ._topology import Topology

_declare("""
    status cn_scenario_new(topology topology, text system, out scenario scenario)
    status cn_scenario_copy(scenario scenario, out scenario copy)
    void   cn_scenario_free(ref scenario)
    status cn_scenario_json(scenario scenario, char[] text, size capacity, out size length)
    status cn_scenario_from_json(text text, control control, out scenario scenario)
    text   cn_scenario_system(scenario scenario)
    int    cn_scenario_takes(scenario scenario, int param)
    status cn_scenario_set(scenario scenario, int param, f64 value)
    status cn_scenario_get(scenario scenario, int param, out f64 value)
    status cn_scenario_range(scenario scenario, int param, out f64 least, out f64 greatest,
                             out f64 default_value)
    status cn_scenario_reset(scenario scenario)
    status cn_scenario_set_seed(scenario scenario, u64 seed)
    status cn_scenario_set_faults(scenario scenario, faults faults)
    status cn_scenario_set_traffic(scenario scenario, traffic traffic)
    status cn_scenario_set_operations(scenario scenario, operations operations)
    status cn_scenario_set_subnet(scenario scenario, subnet subnet)
    status cn_scenario_set_workload(scenario scenario, workload workload)
    status cn_scenario_set_routing(scenario scenario, routing routing)
    status cn_scenario_set_routing_name(scenario scenario, text name)
    text   cn_scenario_routing_name(scenario scenario)
    u64    cn_scenario_seed(scenario scenario)
    status cn_predict(scenario scenario, control control, out result result)
    status cn_predict_channel_delays(scenario scenario, control control, f64[] delays, size capacity,
                                     out size count)
    status cn_simulate(scenario scenario, control control, out result result)
    status cn_simulate_shard(scenario scenario, u64 shard, u64 shards, control control,
                             out result result)
    status cn_simulated_saturation_load(scenario scenario, f64 accuracy, control control,
                                        out f64 lower, out f64 upper)
    status cn_optimal_load(scenario scenario, control control, out f64 load, out f64 power)
    status cn_saturation_load(scenario scenario, control control, out f64 load)
    status cn_buffer_range(scenario scenario, f64 share, control control, out u64 least,
                           out u64 greatest, out f64 power)
""")


_S = TypeVar("_S", bound=Simulation)


def _snapshot(snapshot: Buffer) -> Any:
    if _memory(snapshot) is None:
        raise TypeError("snapshot must be the bytes that Simulation.save() gave, not "
                        f"{type(snapshot).__name__}")
    return _packed("u8", "snapshot", snapshot)


class Scenario(_Parameters, _Json):
    """One experiment: a system on a topology, with parameters and a seed.

    Parameters are items and attributes: scenario["load"] = 2 and scenario.load = 2 do the same. A
    parameter that selects one of several alternatives has names as values, as in tree="binomial",
    or True and False; parameters() lists them. The numbers of the values are accepted too. A
    scenario must not be changed in one thread while another uses it.

    >>> scenario = Scenario(Topology.hypercube(4), "deflection", load=1, buffers=8, seed=3)
    >>> scenario.buffers, scenario["load"]
    (8, 1.0)
    >>> round(scenario.predict()["throughput"], 3)
    0.968
    >>> scenario.simulate().stop
    'precision'
    """

    _kind = "scenario"
    _end = _c.cn_scenario_free

    def _begin(self, topology: Topology, system: str, seed: Whole, parameters: dict[str, Any]) -> None:
        self._hold(_c.cn_scenario_new(topology, system))
        self._topology = topology
        self._routing: Routing | None = None
        self._faults: Faults | None = None
        self._subnet: Subnet | None = None
        self._traffic: Traffic | None = None
        self._operations: Operations | None = None
        self._workload: Workload | None = None
        _c.cn_scenario_set_seed(self, seed)
        for name in _ATTACHED:
            if parameters.get(name) is not None:
                setattr(self, name, parameters[name])
        for name, value in parameters.items():
            if name not in _ATTACHED:
                self[name] = value

    if not TYPE_CHECKING:  # _Parameters has the types; here a wrong name gets a sentence
        @functools.wraps(_Parameters.__init__)
        def __init__(self, topology, system, *, seed=1, **parameters):
            self._begin(topology, system, seed, parameters)

    def _remember(self, data: Any) -> None:
        super()._remember(data)
        routing, subnet = data.get("routing"), data.get("subnet")
        self._routing = Routing._member(data, routing if isinstance(routing, dict) else None)
        self._faults = Faults._member(data, data.get("faults"))
        self._traffic = Traffic._member(data, data.get("traffic"))
        self._operations = Operations._listed(self._topology, data.get("operations"))
        self._workload = Workload._member(data, data.get("workload"))
        self._subnet = subnet and Faults._member(data, subnet["faults"]).chosen_subnet(
            subnet["disabled"])

    @property
    def topology(self) -> Topology:
        """The Topology."""
        return self._topology

    @property
    def system(self) -> str:
        """The name of the system."""
        return _c.cn_scenario_system(self)

    @property
    def seed(self) -> int:
        """The seed, which determines all random choices of a simulation."""
        return _c.cn_scenario_seed(self)

    @seed.setter
    def seed(self, seed: Whole) -> None:
        _c.cn_scenario_set_seed(self, seed)

    @property
    def faults(self) -> Faults | None:
        """The Faults of the network, as they were when they were set; None: no faults."""
        return self._faults

    @faults.setter
    def faults(self, faults: Faults | None) -> None:
        _c.cn_scenario_set_faults(self, faults)
        self._faults = None if faults is None else faults.copy()

    @property
    def routing(self) -> Routing | str | None:
        """The Routing that was set, otherwise the name of the routing in use; None when the system
        takes no routing. Setting None restores the system's own routing."""
        if self._routing is not None:
            return self._routing
        return _c.cn_scenario_routing_name(self) or None

    @routing.setter
    def routing(self, routing: Routing | str | None) -> None:
        if routing is None or isinstance(routing, str):
            try:
                _c.cn_scenario_set_routing_name(self, routing or "")
            except ArgumentError as error:
                error.args = (re.sub(r"^name\b", "routing", str(error)),)
                raise
            self._routing = None
        else:
            _c.cn_scenario_set_routing(self, routing)
            self._routing = routing

    @property
    def operations(self) -> Any:
        """The Operations of the scenario, as they were when they were set, or the number of random
        ones, which is the parameter of this name. None stands for that number as it was."""
        return self["operations"] if self._operations is None else self._operations

    @operations.setter
    def operations(self, operations: Operations | Whole | None) -> None:
        listed = isinstance(operations, Operations)
        if listed or self._operations is not None or operations is None:
            _c.cn_scenario_set_operations(self, operations if listed else None)
            self._operations = operations.copy() if isinstance(operations, Operations) else None
        if not listed and operations is not None:
            self["operations"] = operations

    @property
    def subnet(self) -> Subnet | None:
        """The Subnet that the messages use, as it was when it was set; None: no subnet."""
        return self._subnet

    @subnet.setter
    def subnet(self, subnet: Subnet | None) -> None:
        _c.cn_scenario_set_subnet(self, subnet)
        self._subnet = None if subnet is None else subnet.copy()

    @property
    def traffic(self) -> Traffic | None:
        """The Traffic that the nodes send; None for uniform traffic from the system's source. A fixed
        pattern may be set by its name.

        >>> Scenario(Topology.torus([8, 8]), "wormhole", traffic="tornado").traffic
        <Traffic tornado on torus([8,8])>
        """
        return self._traffic

    @traffic.setter
    def traffic(self, traffic: Traffic | str | None) -> None:
        made = Traffic(self._topology, traffic) if isinstance(traffic, str) else traffic
        _c.cn_scenario_set_traffic(self, made)
        self._traffic = made

    @property
    def workload(self) -> Workload | None:
        """The Workload of the scenario, as it was when it was set; None: no workload. A simulation with one
        ends with its last delivery. Experimental."""
        return self._workload

    @workload.setter
    def workload(self, workload: Workload | None) -> None:
        """Experimental."""
        _c.cn_scenario_set_workload(self, workload)
        self._workload = None if workload is None else workload.copy()

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that the system takes and their present values, as a dict."""
        names = (_c.cn_param_name(number) for number in range(1, _c.cn_param_count() + 1)
                 if _c.cn_scenario_takes(self, number))
        return {name: self[name] for name in names}

    def range(self, name: str) -> tuple[float, float, float]:
        """(least, greatest, default) of a parameter in this scenario. The system, the topology and
        the other parameters may narrow the range that parameters() lists.

        >>> Scenario(Topology.hypercube(4), "deflection").range("buffers")[0]
        4.0
        """
        number = self._number(name)
        least, greatest, default = _c.cn_scenario_range(self, number)
        return least, greatest, default

    def _number(self, name: str) -> int:
        try:
            return _c.cn_param_from_name(name)
        except NotFoundError as error:
            raise _with_names(error, name, f"{self.system} takes", [*self.parameters, "seed", *_ATTACHED])

    def __getitem__(self, name: str) -> Any:
        number = self._number(name)
        value = _c.cn_scenario_get(self, number)
        least, *_, whole = _c.cn_param_range(number)
        if value - least < _c.cn_param_choice_count(number):
            chosen = _c.cn_param_choice_name(number, int(value - least))
            return {"no": False, "yes": True}.get(chosen, chosen)
        return int(value) if whole else value

    def __setitem__(self, name: str, value: Any) -> None:
        number = self._number(name)
        value = _choice(number, value) if isinstance(value, str) else _real(name, value)
        try:
            _c.cn_scenario_set(self, number, value)
        except UnsupportedError as error:
            if str(error).endswith(f" the parameter {name}"):  # without a reason: other systems take it
                error.args = (f"{error}; it takes: {', '.join(self.parameters)}",)
            raise

    if not TYPE_CHECKING:  # _Parameters has the attributes
        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            try:
                return self[name]
            except (NotFoundError, UnsupportedError) as error:
                raise AttributeError(str(error)) from None

        def __setattr__(self, name: str, value: Any) -> None:
            if name.startswith("_") or hasattr(type(self), name):
                super().__setattr__(name, value)
                return
            try:
                self[name] = value
            except (NotFoundError, UnsupportedError) as error:
                raise AttributeError(str(error)) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.parameters]

    __iter__ = None  # items are named, not numbered

    def reset(self) -> None:
        """Resets every parameter and the seed to the defaults."""
        _c.cn_scenario_reset(self)

    # seconds limits the time. progress(done, total, lower, upper) is called about every 20 ms and
    # returns False to end the call; True draws a bar. A simulation or study that ends early returns
    # the Result of what it has, whose `stop` says so; CancelledError: there is nothing yet.

    def predict(self, seconds: Seconds = None, progress: Progress = None) -> Result:
        """The Result of the analytic model."""
        return Result._own(_c.cn_predict(self, control=_Control(0, seconds, progress)))

    @contextlib.contextmanager
    def _counting(self, statistics: bool | None) -> Iterator[None]:
        """With the parameter `statistics`; None: as it is."""
        before = None if statistics is None else self["statistics"]
        if statistics is not None:
            self["statistics"] = bool(statistics)
        try:
            yield
        finally:
            if statistics is not None:
                self["statistics"] = before

    def simulate(self, seconds: Seconds = None, progress: Progress = None, *,
                 statistics: bool | None = None, shard: tuple[Whole, Whole] = (0, 1)) -> Result:
        """The Result of a complete simulation. With shard=(s, of) that of a part of its
        replications, part s = 0, 1, ... of `of` parts, of which merge() makes the whole. With
        statistics=True it also holds what was counted
        by channel, by node, by message and by batch; None: as the parameter `statistics` says.
        progress() is told the cycles, and the 95 % limits of the mean delay so far.
        shard is experimental.

        >>> scenario = Scenario(Topology.hypercube(4), "deflection", load=1, buffers=8)
        >>> loads = scenario.simulate(statistics=True).channel_loads()
        >>> len(loads)
        64
        """
        with self._counting(statistics):
            control = _Control(0, seconds, progress)
            s, shards = _fields("shard", shard, "s", "of")
            if (s, shards) == (0, 1):
                return Result._own(_c.cn_simulate(self, control=control))
            return Result._own(_c.cn_simulate_shard(self, s, shards, control=control))

    def optimal_load(self, seconds: Seconds = None,
                     progress: Progress = None) -> tuple[float, float]:
        """(load, power): the load at which the model has its greatest power, and that power. All
        other parameters keep their values.

        >>> load, power = Scenario(Topology.hypercube(4), "deflection", buffers=8).optimal_load()
        >>> power > 0
        True
        """
        load, power = _c.cn_optimal_load(self, control=_Control(0, seconds, progress))
        return load, power

    @overload
    def saturation_load(self, simulated: Literal[False] = ..., accuracy: Real = ...,
                        seconds: Seconds = ..., progress: Progress = ...) -> float: ...

    @overload
    def saturation_load(self, simulated: Literal[True], accuracy: Real = ...,
                        seconds: Seconds = ..., progress: Progress = ...) -> tuple[float, float]: ...

    def saturation_load(self, simulated: bool = False, accuracy: Real = 0.01,
                        seconds: Seconds = None, progress: Progress = None) -> float | tuple[float, float]:
        """The load from which on the model has no steady state. With simulated=True (lower, upper):
        the greatest load at which a simulation had a steady state and the least at which one had
        none, at most `accuracy` of it apart; upper is infinite when the source of the traffic
        cannot saturate the network.

        For deflection, which refuses messages, the throughput at the greatest load, with
        simulated=True its confidence interval. The scenario's own load does not matter.

        >>> Scenario(Topology.hypercube(4), "separate-buffers").saturation_load()
        1.875
        """
        if simulated:
            lower, upper = _c.cn_simulated_saturation_load(
                self, accuracy, control=_Control(0, seconds, progress))
            return lower, upper
        return _c.cn_saturation_load(self, control=_Control(0, seconds, progress))

    def channel_delays(self, seconds: Seconds = None,
                       progress: Progress = None) -> list[list[float]]:
        """The mean time of a message at each channel by the model of separate-buffers, as
        [node][port]: the predicted delay of a path is the sum over its channels. Experimental."""
        values = _c.cn_predict_channel_delays.fill(self, control=_Control(0, seconds, progress))
        return self.topology._by_port(values, "channel_delays()")

    def buffer_range(self, share: Real, seconds: Seconds = None, progress: Progress = None
                     ) -> tuple[int, int | None, float]:
        """(least, greatest, power): the range of buffer sizes with which the model reaches this
        share of the greatest power over all sizes at this load, and that greatest power.

        greatest is None when there is no upper limit."""
        least, greatest, power = _c.cn_buffer_range(
            self, share, control=_Control(0, seconds, progress))
        return least, greatest or None, power

    def open(self, seconds: Seconds = None, progress: Progress = None, *,
             statistics: bool | None = None) -> Simulation:
        """A Simulation at cycle 0 that the caller steps. Later changes to the scenario do not
        affect it. statistics: as in simulate()."""
        with self._counting(statistics):
            return self._opened(Simulation._own(
                _c.cn_sim_open(self, control=_Control(0, seconds, progress))))

    def _opened(self, made: _S) -> _S:
        made._scenario = self.copy()
        made._short = _SHORT // self.topology.node_count
        return made

    def restore(self, snapshot: Buffer, seconds: Seconds = None,
                progress: Progress = None) -> Simulation:
        """A Simulation in the state that Simulation.save() gave as bytes: it goes on with the same
        bits, also on another machine or number of threads. The scenario must be the one that was
        opened, or an equal one."""
        data = _snapshot(snapshot)
        return self._opened(Simulation._own(_c.cn_sim_restore(
            self, data, len(data), control=_Control(0, seconds, progress))))

    def open_part(self, part: Whole, parts: Whole, exchange: Exchange, seconds: Seconds = None,
                  progress: Progress = None) -> Part:
        """Part number `part` of so many of a Simulation, each of which runs in a process of its own, as a
        Part. After each cycle exchange(number, sent) is called with the
        bytes for each neighbouring part, as {part: bytes}, and returns what these have for this one in the same way.
        Experimental."""
        swap = _Exchange(exchange)
        return self._opened(Part._with(swap, _c.cn_sim_open_part(
            self, part, parts, swap.function, None, control=_Control(0, seconds, progress))))

    def restore_part(self, snapshot: Buffer, exchange: Exchange, seconds: Seconds = None,
                     progress: Progress = None) -> Part:
        """A Part in the state that its save() gave as bytes. Experimental."""
        swap = _Exchange(exchange)
        data = _snapshot(snapshot)
        return self._opened(Part._with(swap, _c.cn_sim_restore_part(
            self, data, len(data), swap.function, None, control=_Control(0, seconds, progress))))

    def copy(self) -> Self:
        """An independent scenario, equal to this one."""
        made = type(self)._own(_c.cn_scenario_copy(self))
        for name in ("_topology", "_routing", "_faults", "_subnet", "_traffic", "_operations",
                     "_workload"):
            setattr(made, name, getattr(self, name))
        return made

    __copy__ = copy

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        routing = "" if self.routing is None else f", routing={self.routing!r}"
        workload = "" if self.workload is None else f", {len(self.workload)} messages of a workload"
        return f"<Scenario {self.system} on {self.topology.name}{workload}{routing}{settings}, seed={self.seed}>"


if Scenario.__doc__ and _Parameters.__doc__:  # there are none with -OO
    Scenario.__doc__ += f"\n    {_Parameters.__doc__}"

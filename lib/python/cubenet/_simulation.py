"""Simulations that the caller steps."""
# mypy: no-warn-return-any

from __future__ import annotations

import ctypes
import operator
import threading
from typing import Any, Iterator, overload, Sequence, TYPE_CHECKING

from ._arrays import _columns, _is_one
from ._control import _Control
from ._errors import CancelledError, CapacityError, Error, StateError
from ._function import _c, _declare
from ._handle import _ANY, _Object
from ._hints import Progress, Seconds, Whole, Wholes
from ._library import Delivery, _Delivery
from ._result import Result
from ._values import _ALL_NODES, _NEVER, _array

if TYPE_CHECKING:
    from ._scenario import Scenario
    from typing_extensions import Self

_ANY_BASE = 2**32 - 1  # CN_BASE_OF_SCENARIO

_declare("""
    status cn_sim_open(scenario scenario, control control, out sim sim)
    void   cn_sim_close(ref sim)
    status cn_sim_step(sim sim, u64 cycles, control control)
    u64    cn_sim_cycle(sim sim)
    u64    cn_sim_next_event(sim sim)
    status cn_sim_step_until(sim sim, u64 limit, control control)
    u64    cn_sim_in_flight(sim sim)
    status cn_sim_can_accept(sim sim, u64 source)
    status cn_sim_queued(sim sim, u64 node, out u64 messages)
    status cn_sim_report_trace(sim sim)
    status cn_sim_save(sim sim, u8[] data, size capacity, out size size)
    status cn_sim_restore(scenario scenario, u8[] data, size size, control control, out sim sim)
    status cn_sim_copy(sim sim, control control, out sim copy)
    status cn_sim_inject(sim sim, u64 source, u64 destination, u64 flits, u64 tag)
    status cn_sim_inject_broadcast(sim sim, u64 source, u32 base, u64 tag)
    status cn_sim_channel_loads(sim sim, u64[] loads, size capacity, out size count)
    status cn_sim_deadlock(sim sim, u64[] channels, size capacity, out size count)
    status cn_sim_next_delivery(sim sim, delivery[] delivery, size size)
    status cn_sim_reset_statistics(sim sim)
    status cn_sim_result(sim sim, out result result)
""")


class Simulation(_Object):
    """A running simulation that the caller steps. Leaving a `with` block closes it.

    >>> scenario = Scenario(Topology.hypercube(4), "deflection", load=0, buffers=8)
    >>> with scenario.open() as simulation:
    ...     taken = simulation.inject(0, 15, tag=7)
    ...     simulation.step(4)
    ...     [(d.tag, d.delay) for d in simulation.deliveries()]
    [(7, 4)]
    """

    _kind = "sim"
    _end = _c.cn_sim_close
    _scenario: Scenario
    _short = 0  # cycles that take so little time that no signal need wait

    def _hold(self, address: int) -> None:
        super()._hold(address)
        self._lock = threading.RLock()  # the handle belongs to one thread at a time
        self._steps = False

    def _rest(self) -> None:
        """Refuses a change by a progress() function of the call that steps the simulation."""
        if self._steps:
            raise StateError("the Simulation is in step(): progress() may not change it")

    def close(self) -> None:
        """Ends the simulation. Further calls do nothing."""
        with self._lock:
            self._rest()
            self._address = None
            self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def step(self, cycles: Whole = 1, seconds: Seconds = None, progress: Progress = None) -> None:
        """Simulates this many more cycles, or fewer when the time is over or progress() returns
        False: see `cycle`. seconds and progress are as in Scenario.simulate()."""
        control = _ANY
        if seconds is not None or progress or operator.index(cycles) > self._short:
            control = _Control(0, seconds, progress)
        with self._lock:
            self._rest()
            self._steps = True
            try:
                _c.cn_sim_step(self, cycles, control=control)
            except CancelledError:
                pass  # by progress(); the cycles that were simulated count
            finally:
                self._steps = False

    @property
    def cycle(self) -> int:
        """The number of cycles simulated so far, warm-up included."""
        with self._lock:
            return _c.cn_sim_cycle(self)

    def step_until(self, limit: Whole, seconds: Seconds = None, progress: Progress = None) -> bool:
        """Steps until an injected message has been delivered, nothing can happen any more, or the
        clock is at cycle `limit`. Returns True when a delivery can be fetched. seconds and progress
        are as in Scenario.simulate()."""
        with self._lock:
            self._rest()
            self._steps = True
            try:
                return _c.cn_sim_step_until(self, limit,
                                            control=_Control(0, seconds, progress)) == 0
            except CancelledError:
                return False  # by progress(); the cycles that were simulated count
            finally:
                self._steps = False

    @property
    def next_event(self) -> int | None:
        """The first cycle at whose end anything may have happened; None when nothing can happen
        unless a message is injected. step() skips the cycles before it."""
        with self._lock:
            cycle = _c.cn_sim_next_event(self)
        return None if cycle == _NEVER else cycle

    @property
    def in_flight(self) -> int:
        """The number of messages accepted and not delivered yet."""
        with self._lock:
            return _c.cn_sim_in_flight(self)

    def can_accept(self, source: Whole) -> bool:
        """Whether inject() would accept a message of this source now."""
        with self._lock:
            return _c.cn_sim_can_accept(self, source) == 0

    def queued(self, node: Whole) -> int:
        """The number of messages that wait at this node. The messages of others in transit count,
        except in "wormhole" and "cut-through"."""
        with self._lock:
            return _c.cn_sim_queued(self, node)

    @overload
    def inject(self, source: Whole, destination: Whole, tag: Whole = ..., flits: Whole | None = ...) -> bool: ...

    @overload
    def inject(self, source: Wholes, destination: Wholes | Whole, tag: Wholes | Whole = ...,
               flits: Wholes | Whole | None = ...) -> list[bool]: ...

    def inject(self, source: Any, destination: Any, tag: Any = 0, flits: Any = None) -> bool | list[bool]:
        """Offers the network one message, in "wormhole" and "cut-through" of this many flits (None:
        as many as the scenario's messages have). Returns True when it was accepted, False when it was
        refused because the buffers of the source are full.

        With a list or an array of sources it offers many messages in this order and returns a list. Each
        other argument is a list or an array of the same length, too, or a number for all of them. After an
        error in one message those before it have been offered."""
        length = 0 if flits is None else flits
        with self._lock:
            self._rest()
            if _is_one(source):
                return _c.cn_sim_inject(self, source, destination, length, tag) == 0
            taken: list[bool] = []
            messages = zip(*_columns(("source", "destination", "flits", "tag"), source, destination, length, tag))
            try:
                for message in messages:
                    taken.append(_c.cn_sim_inject(self, *message) == 0)
            except Error as error:
                error.args = (f"message {len(taken)}: {error}",)
                raise
            return taken

    def inject_broadcast(self, source: Whole, tag: Whole = 0, base: Whole | None = None) -> bool:
        """Offers the network one broadcast. Returns True when it was accepted. It is delivered,
        with destination None, when it reaches its last node. base is the dimension in which the tree of
        "wormhole" and "cut-through" begins, on undamaged Boolean n-cubes; None: as `broadcast_base` says."""
        with self._lock:
            self._rest()
            return _c.cn_sim_inject_broadcast(self, source, _ANY_BASE if base is None else base, tag) == 0

    def channel_loads(self) -> Sequence[int]:
        """The number of messages that every directed channel has carried, of flits in "wormhole" and
        "cut-through": since cycle 0, and after the warm-up since its end. Element node * P + port is
        that of a port, with P the greatest degree of the network. "wormhole", "cut-through" and "collective"
        always count them, other systems with statistics=True."""
        with self._lock:
            return _c.cn_sim_channel_loads.array(self)

    def deadlock(self) -> list[int]:
        """The channels of a dependency cycle, numbered as in channel_loads(): each is held by a
        message that waits for the next. This also finds a deadlock that step() has not reported
        yet because the rest of the network still moves."""
        with self._lock:
            return _c.cn_sim_deadlock.fill(self)

    def next_delivery(self) -> Delivery | None:
        """The next injected message that has been delivered, in order of arrival; None when there
        is none. Each is returned once."""
        row = _Delivery()
        with self._lock:
            if _c.cn_sim_next_delivery(self, row, ctypes.sizeof(row)) != 0:
                return None
        delivery = Delivery(*(getattr(row, name) for name in Delivery._fields))
        if delivery.destination == _ALL_NODES:
            delivery = delivery._replace(destination=None)
        return delivery

    def report_trace(self) -> None:
        """From now on the messages of the scenario's trace are delivered to the caller like those
        that it injects; the tag is the position of the message in the trace."""
        with self._lock:
            _c.cn_sim_report_trace(self)

    def deliveries(self) -> Iterator[Delivery]:
        """Iterates over what next_delivery() returns until it is None."""
        return iter(self.next_delivery, None)

    def save(self) -> bytes:
        """A snapshot of the simulation as bytes, from which Scenario.restore() goes on. It holds
        messages, counts, tags and deliveries that were not fetched, but not the scenario.

        >>> scenario = Scenario(Topology.hypercube(4), "deflection", load=0.5, buffers=8)
        >>> with scenario.open() as simulation:
        ...     simulation.step(100)
        ...     scenario.restore(simulation.save()).cycle
        100
        """
        with self._lock:
            _, (size,), error = _c.cn_sim_save._call((self, None, 0))
            if not isinstance(error, CapacityError):
                raise error
            data = _array("u8", size.value, "cn_sim_save")
            _c.cn_sim_save(self, data, len(data))
        return bytes(data)

    def copy(self, seconds: Seconds = None, progress: Progress = None) -> Self:
        """A second Simulation in the same state, independent of this one."""
        with self._lock:
            made = type(self)._own(_c.cn_sim_copy(self, control=_Control(0, seconds, progress)))
        made._short, made._scenario = self._short, self._scenario
        return made

    def __copy__(self) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return self._scenario.restore, (self.save(),)

    def reset_statistics(self) -> None:
        """Begins the measurement anew: later results cover the cycles from now on. A warm-up that
        is not over ends. Counts of the whole run go on."""
        with self._lock:
            self._rest()
            _c.cn_sim_reset_statistics(self)

    def result(self) -> Result:
        """The Result of the cycles so far."""
        with self._lock:
            return Result._own(_c.cn_sim_result(self))

    def __repr__(self) -> str:
        state = "closed" if self._address is None else f"at cycle {self.cycle}"
        return f"<{type(self).__name__} {state}>"

"""Parts of a simulation, each in a process of its own."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, TYPE_CHECKING

from ._errors import CapacityError, ExchangeError, UnsupportedError
from ._function import _c, _declare
from ._handle import _ANY
from ._hints import Buffer, Exchange, Progress, Seconds, Whole
from ._library import _EXCHANGE
from ._result import Result
from ._simulation import Simulation
from ._values import _array

if TYPE_CHECKING:
    from ._scenario import Scenario
    from ._topology import Topology
    from typing_extensions import Self

_declare("""
    status cn_part_nodes(topology topology, u32 part, u32 parts, out u64 first, out u64 count)
    status cn_sim_open_part(scenario scenario, u32 part, u32 parts, exchange_fn exchange, void user,
                            control control, out sim sim)
    status cn_sim_restore_part(scenario scenario, u8[] data, size size, exchange_fn exchange,
                               void user, control control, out sim sim)
    status cn_sim_exchanged(sim sim, out u64 messages, out u64 bytes, out f64 waiting,
                            out f64 stepping)
    status cn_sim_save_counts(sim sim, u8[] data, size capacity, out size size)
    status cn_result_merge_parts(scenario scenario, void data, size[] sizes, size count,
                                 out result result)
""")

_END, _STOP = 1, 2


def _bytes_of(name: str, data: Any) -> bytes:
    try:
        return bytes(memoryview(data))
    except TypeError:
        raise TypeError(f"{name} must be bytes, not {type(data).__name__}") from None


def part_nodes(topology: Topology, part: Whole, parts: Whole) -> range:
    """The nodes of part number `part` of so many, as a range. Experimental."""
    first, count = _c.cn_part_nodes(topology, part, parts)
    return range(first, first + count)


class _Exchange:
    """The C function of a part for what the caller gave: exchange(number, sent) with the bytes for each
    neighbour by its part, which returns theirs."""

    def __init__(self, exchange: Exchange) -> None:
        if not callable(exchange):
            raise TypeError(f"exchange must be callable, not {type(exchange).__name__}")
        self._exchange = exchange
        self._raised: BaseException | None = None
        self.function = _EXCHANGE(self._call)

    def _call(self, user: object, call: int, number: int, neighbors: Any, count: int) -> int:
        if call != _END and self._raised is None:
            return 0  # all is done at the end
        try:
            if call == _END:
                self._swap(number, [neighbors[i].contents for i in range(count)])
            return 0
        except BaseException as raised:
            self._raised = raised
            return 1

    def _swap(self, number: int, neighbors: Any) -> None:
        got = self._exchange(number, {one.part: ctypes.string_at(one.sent, one.sent_size)
                                      for one in neighbors})
        for one in neighbors:
            data = _bytes_of(f"what exchange() returned for part {one.part}", got[one.part])
            if len(data) > one.received_room:
                raise ValueError(f"part {one.part} sent {len(data)} bytes, but at most "
                                 f"{one.received_room} can come")
            ctypes.memmove(one.received, data, len(data))
            one.received_size = len(data)

    def raise_again(self) -> None:
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised from None


class Part(Simulation):
    """A part of a simulation: Scenario.open_part(). It has no result(): merge_parts()
    gives that of all parts. Experimental."""

    _exchange: _Exchange

    @classmethod
    def _with(cls, exchange: _Exchange, address: int) -> Self:
        made = cls._own(address)
        made._exchange = exchange
        return made

    def step(self, cycles: Whole = 1) -> None:  # type: ignore[override]  # none stops alone
        """Simulates this many more cycles, together with all other parts. An exception of the exchange
        function ends the simulation, and is raised again."""
        with self._lock:
            self._rest()
            self._steps = True
            try:
                _c.cn_sim_step(self, cycles, control=_ANY)
            except ExchangeError:
                self._exchange.raise_again()
                raise
            finally:
                self._steps = False

    def copy(self, seconds: Seconds = None, progress: Progress = None) -> Self:
        """Not for a part: save it and restore it with an exchange of its own."""
        raise UnsupportedError("a part cannot be copied: save() and Scenario.restore_part()")

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a Part cannot be pickled: save() and Scenario.restore_part()")

    def exchanged(self) -> tuple[int, int, float, float]:
        """(messages, bytes, waiting, stepping): messages that went to other parts, bytes that were sent
        for them, seconds of waiting for others, seconds in step()."""
        with self._lock:
            messages, sent, waiting, stepping = _c.cn_sim_exchanged(self)
            return messages, sent, waiting, stepping

    def save_counts(self) -> bytes:
        """What the part has counted, as bytes for merge_parts()."""
        with self._lock:
            _, (size,), error = _c.cn_sim_save_counts._call((self, None, 0))
            if not isinstance(error, CapacityError):
                raise error
            data = _array("u8", size.value, "cn_sim_save_counts")
            _c.cn_sim_save_counts(self, data, len(data))
        return bytes(data)


def merge_parts(scenario: Scenario, counts: Iterable[Buffer]) -> Result:
    """The Result of the whole network from the save_counts() of all parts, in any order: the same bits as
    in one process. Experimental."""
    saved = [_bytes_of(f"counts[{i}]", data) for i, data in enumerate(counts)]
    data = (ctypes.c_char_p * len(saved))(*saved)
    sizes = (ctypes.c_size_t * len(saved))(*map(len, saved))
    return Result._own(_c.cn_result_merge_parts(scenario, data, sizes, len(saved)))

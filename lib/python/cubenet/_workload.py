"""Messages that wait for messages."""
# mypy: no-warn-return-any

from __future__ import annotations

import csv
import ctypes
import io
from typing import Any, Iterable, Iterator, NamedTuple, overload, Sequence, TYPE_CHECKING

from ._arrays import _packed
from ._collectives import _Collectives
from ._control import _Control
from ._errors import ArgumentError
from ._function import _c, _declare
from ._handle import _ANY
from ._hints import Progress, Seconds, Whole, Wholes
from ._json import _Json
from ._library import _Entry
from ._values import _text

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._routing import Routing
    from ._topology import Topology

_declare("""
    status cn_workload_new(topology topology, out workload workload)
    status cn_workload_copy(workload workload, out workload copy)
    void   cn_workload_free(ref workload)
    status cn_workload_add(workload workload, u64 source, u64 destination, u64 flits, u64 computing,
                           u64[] after, size after_count, u64[] after_sent, size after_sent_count,
                           out u64 number)
    size   cn_workload_count(workload workload)
    status cn_workload_message(workload workload, size number, workload_entry[] message, size size)
    status cn_workload_waits(workload workload, size number, u64[] waits, size capacity, out size count)
    int    cn_workload_equal(workload a, workload b)
    status cn_workload_steps(workload workload, out u64 steps)
    status cn_workload_busiest_channel(workload workload, routing routing, control control, out f64 flits)
    status cn_workload_json(workload workload, char[] text, size capacity, out size length)
    status cn_workload_from_json(text text, control control, out workload workload)
""")

_COLUMNS = ["id", "source", "destination", "flits", "after", "computing", "after_sent"]
_NEEDED = 5  # of the columns


class Message(NamedTuple):
    """A message of a workload, as a row of Workload()."""

    source: int
    destination: int  # the source: computing alone
    flits: int  # 0: as the scenario says, or computing alone
    after: list[int]  # numbers of messages that are to be delivered before
    computing: int  # cycles
    after_sent: list[int]  # numbers of messages of the same source that are to be injected before


class Workload(_Collectives, _Json, Sequence[Message]):
    """Messages that wait for messages, as those of an application do; a scenario with one runs until
    the last message is delivered. Experimental. A row is (source, destination, flits, after, computing, after_sent):
    `after` are numbers of rows, counted from 0, whose messages must have been delivered to the source,
    `computing` the cycles that the source then computes, `after_sent` numbers of messages that the source
    must have injected. What follows the flits may be left out. A message to the source itself with
    0 flits is computing alone.

    >>> workload = Workload(Topology.ring(4), [(0, 1, 16), (1, 2, 16, [0], 50)])
    >>> workload[1].after, workload.steps, workload.busiest_link()
    ([0], 2, 16.0)
    >>> result = Scenario(workload.topology, "wormhole", workload=workload).simulate()
    >>> result.stop, result["completion_cycles"], result["critical_computing"]
    ('completed', 84.0, 50.0)
    """

    _kind = "workload"
    _end = _c.cn_workload_free

    def __init__(self, topology: Topology, rows: Iterable[Sequence[Any]] = ()) -> None:
        self._hold(_c.cn_workload_new(topology))
        self._topology = topology
        for number, row in enumerate(rows):
            if isinstance(row, str) or not 2 <= len(row) <= len(Message._fields):
                raise ArgumentError(f"rows[{number}] = {row!r}, but it must be (source, destination[, flits[, after"
                                    "[, computing[, after_sent]]]])")
            self.add(*row)

    def add(self, source: Whole, destination: Whole, flits: Whole = 0, after: Wholes = (), computing: Whole = 0,
            after_sent: Wholes = ()) -> int:
        """Adds a message. Returns its number. Experimental."""
        waits, sent = _packed("u64", "after", after), _packed("u64", "after_sent", after_sent)
        return _c.cn_workload_add(self, source, destination, flits, computing, waits, len(waits), sent, len(sent))

    def copy(self) -> Self:
        """An independent copy. Experimental."""
        made = type(self)._own(_c.cn_workload_copy(self))
        made._topology = self._topology
        return made

    __copy__ = copy

    @property
    def topology(self) -> Topology:
        """The Topology that this belongs to."""
        return self._topology

    def __len__(self) -> int:
        return _c.cn_workload_count(self)

    @overload
    def __getitem__(self, index: int) -> Message: ...

    @overload
    def __getitem__(self, index: slice) -> list[Message]: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"index {index} of a workload of {len(self)} messages")
        entry = _Entry()
        _c.cn_workload_message(self, at, entry, ctypes.sizeof(entry))
        waits = _c.cn_workload_waits.fill(self, at)
        return Message(entry.source, entry.destination, entry.flits, waits[:entry.after], entry.computing,
                       waits[entry.after:])

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Workload):
            return NotImplemented
        return bool(_c.cn_workload_equal(self, other))

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        return f"<Workload on {self._topology.name}: {len(self)} messages>"

    @property
    def steps(self) -> int:
        """The messages of the longest chain in which each waits for the one before; what is computing alone
        does not count. Experimental."""
        return _c.cn_workload_steps(self)

    def busiest_link(self, routing: Routing | None = None, seconds: Seconds = None,
                     progress: Progress = None) -> float:
        """The flits that cross the busiest channel when messages take each of the channels that a Routing
        allows with the same probability. None: dimension order, or all shortest paths where the network
        has no dimensions. A message of 0 flits counts as one flit. Experimental."""
        return _c.cn_workload_busiest_channel(self, _ANY if routing is None else routing,
                                              control=_Control(0, seconds, progress))

    def to_csv(self) -> str:
        """The messages as CSV: id, source, destination, flits, after, computing, after_sent. Numbers of
        messages are separated by spaces.

        >>> print(Workload(Topology.ring(4), [(0, 1, 16), (1, 2, 16, [0], 50)]).to_csv())
        id,source,destination,flits,after,computing,after_sent
        0,0,1,16,,0,
        1,1,2,16,0,50,
        <BLANKLINE>
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for number, m in enumerate(self):
            writer.writerow([number, m.source, m.destination, m.flits, " ".join(map(str, m.after)), m.computing,
                             " ".join(map(str, m.after_sent))])
        return text.getvalue()

    @classmethod
    def from_csv(cls, topology: Topology, text: str) -> Self:
        """The workload of a CSV text with these columns, in any order; computing and after_sent may be
        missing. An id may be any word; a message waits for ids of rows before its own."""
        text = _text("text", text).lstrip("\ufeff")  # of spreadsheets
        csv.field_size_limit(max(csv.field_size_limit(), len(text)))
        rows = csv.DictReader(io.StringIO(text))
        found = list(rows.fieldnames or [])
        if len(set(found)) < len(found) or set(_COLUMNS[:_NEEDED]) - set(found) or set(found) - set(_COLUMNS):
            raise ArgumentError(f"the columns are {', '.join(map(str, found)) or 'missing'}, but they must be "
                                f"{', '.join(_COLUMNS[:_NEEDED])}, and maybe {', '.join(_COLUMNS[_NEEDED:])}")
        made = cls(topology)
        numbers: dict[str, int] = {}
        for row in rows:
            try:
                numbers[_new_id(row, numbers)] = made.add(*_fields_of(row, numbers))
            except ArgumentError as error:
                raise ArgumentError(f"line {rows.line_num}: {error}") from None
        return made


def _new_id(row: dict[str, Any], numbers: dict[str, int]) -> str:
    name = (row["id"] or "").strip()
    if not name or name in numbers:
        raise ArgumentError(f"id = {name!r}, but every message needs an id of its own")
    return name


def _whole_of(row: dict[str, Any], name: str) -> int:
    text = (row.get(name) or "0").strip()
    if not text.isdecimal() or len(text) > 20:
        raise ArgumentError(f"{name} = {text!r}, but it must be a whole number")
    return int(text)


def _ids_of(row: dict[str, Any], name: str, numbers: dict[str, int]) -> Iterator[int]:
    for word in (row.get(name) or "").split():
        if word not in numbers:
            raise ArgumentError(f"{name} has {word!r}, but no row before has this id")
        yield numbers[word]


def _fields_of(row: dict[str, Any], numbers: dict[str, int]) -> list[Any]:
    if None in row or not (row["source"] and row["destination"]):
        raise ArgumentError("a row must have a source and a destination, and no more fields than columns")
    return [_whole_of(row, "source"), _whole_of(row, "destination"), _whole_of(row, "flits"),
            list(_ids_of(row, "after", numbers)), _whole_of(row, "computing"),
            list(_ids_of(row, "after_sent", numbers))]

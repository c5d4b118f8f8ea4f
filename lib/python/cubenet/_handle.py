"""Objects of the library that Python holds."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any, TYPE_CHECKING

from ._errors import StateError

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._topology import Topology

_ANY = object()  # in the place of a handle that may be left out: NULL


def _pointer(kind: str, name: str, value: Any) -> int | None:
    if value is _ANY:
        return None
    if value is None and kind in ("faults", "subnet", "traffic", "operations", "workload"):
        return None  # no faults, no subnet, no workload; the traffic of a new scenario; random operations
    if not isinstance(value, _Object) or value._kind != kind:
        raise TypeError(f"{name} must be a cubenet {kind}, not {type(value).__name__}")
    if value._address is None:
        raise StateError(f"the {type(value).__name__} is closed")
    return value._address


def _free(function: Any, address: int, process: int) -> None:
    # A forked child does not have the threads of a simulation, so it could wait for them for ever.
    if os.getpid() == process:
        function(ctypes.pointer(ctypes.c_void_p(address)))


class _Object:
    """A handle of the library. It is freed with the Python object, but not when Python exits."""

    _kind: str | None = None  # as in the prototypes
    _end: Any = None  # the function that frees the handle
    _address: int | None = None
    _of_kind: dict[str, Any] = {}  # the class of each kind
    _givers = "other functions"
    _instead = ""  # of what cannot be pickled: what can be

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls._kind is not None:
            _Object._of_kind.setdefault(cls._kind, cls)

    def __init__(self, *arguments: object, **keywords: object) -> None:
        raise TypeError(f"a {type(self).__name__} is given by {self._givers}, not made directly")

    @classmethod
    def _own(cls, address: int) -> Self:
        made = cls.__new__(cls)
        made._hold(address)
        return made

    def _hold(self, address: int) -> None:
        self._address = address
        self._finalizer = weakref.finalize(self, _free, self._end, address, os.getpid())
        self._finalizer.atexit = False  # a thread may still be inside the library

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(f"a {type(self).__name__} cannot be pickled{self._instead}")


class _OnTopology(_Object):
    """A handle of an object that belongs to a Topology."""

    _topology: Topology

    @classmethod
    def _of(cls, topology: Any, address: int) -> Self:
        made = cls._own(address)
        made._topology = topology
        return made

    @property
    def topology(self) -> Topology:
        """The Topology that this belongs to."""
        return self._topology

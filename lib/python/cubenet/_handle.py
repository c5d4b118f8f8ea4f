"""Objects of the library that Python holds."""

import ctypes
import os
import weakref

from ._errors import StateError

_ANY = object()  # in the place of a handle that may be left out: NULL


def _pointer(kind, name, value):
    if value is _ANY:
        return None
    if value is None and kind in ("faults", "subnet", "traffic", "operations"):
        return None  # no faults, no subnet; the traffic of a new scenario; random operations
    if not isinstance(value, _Object) or value._kind != kind:
        raise TypeError(f"{name} must be a cubenet {kind}, not {type(value).__name__}")
    if value._address is None:
        raise StateError(f"the {type(value).__name__} is closed")
    return value._address


def _free(function, address, process):
    # A forked child does not have the threads of a simulation, so it could wait for them for ever.
    if os.getpid() == process:
        function(ctypes.pointer(ctypes.c_void_p(address)))


class _Object:
    """A handle of the library. It is freed with the Python object, but not when Python exits."""

    _kind = None  # as in the prototypes
    _end = None  # the function that frees the handle
    _address = None
    _of_kind = {}  # the class of each kind

    def __init_subclass__(cls):
        super().__init_subclass__()
        if cls._kind is not None:
            _Object._of_kind.setdefault(cls._kind, cls)

    def __init__(self, *arguments, **keywords):
        raise TypeError(f"a {type(self).__name__} is given by other functions, not made directly")

    @classmethod
    def _own(cls, address):
        made = cls.__new__(cls)
        made._hold(address)
        return made

    def _hold(self, address):
        self._address = address
        self._finalizer = weakref.finalize(self, _free, self._end, address, os.getpid())
        self._finalizer.atexit = False  # a thread may still be inside the library

    def __reduce__(self):
        raise TypeError(f"a {type(self).__name__} can be neither copied nor pickled")


class _OnTopology(_Object):
    """A handle of an object that belongs to a Topology."""

    @classmethod
    def _of(cls, topology, address):
        made = cls._own(address)
        made._topology = topology
        return made

    @property
    def topology(self):
        return self._topology

"""The shared library, and the types of what its functions take and give."""

from __future__ import annotations

import ctypes
import os
import sys
import sysconfig
from pathlib import Path
from typing import Any, NamedTuple


def _candidates() -> list[str]:
    """Paths of the shared library, best first: existing files, then names for the loader of the
    system."""
    names = ["libcubenet.so.1", "libcubenet.so"]
    if sys.platform == "darwin":
        names = ["libcubenet.1.dylib", "libcubenet.dylib"]
    elif sys.platform == "win32":
        names = ["libcubenet-1.dll", "cubenet-1.dll"]  # made by MinGW or by another compiler
    above = list(Path(__file__).resolve().parents)[:4]
    folders = []
    if (above[-1] / "meson.build").exists():
        folders += sorted(above[-1].glob("build*/lib"))
    for folder in above:
        folders += [folder, folder / (sysconfig.get_config_var("MULTIARCH") or "")]
    files = [folder / name for folder in folders for name in names]
    return [str(file) for file in files if file.exists()] + names


def _load() -> ctypes.CDLL:
    given = os.environ.get("CUBENET_LIBRARY")
    tried = []
    for name in [given] if given else _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            tried.append(f"\n  {name}: {error}")
    raise ImportError("cubenet found no shared library that loads. Tried (the environment variable "
                      "CUBENET_LIBRARY can name the file):" + "".join(tried))


class Delivery(NamedTuple):
    """An injected message that was delivered. Its cycles are counted as in Simulation.cycle. The
    destination of a broadcast is None."""

    tag: int
    source: int
    destination: int | None
    injected: int
    delivered: int
    hops: int
    flits: int
    deflections: int

    @property
    def delay(self) -> int:
        """Cycles from admission to arrival."""
        return self.delivered - self.injected


class _Delivery(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in Delivery._fields]


class _Entry(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in
                ("source", "destination", "flits", "computing", "after", "after_sent")]


_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64,
                             ctypes.c_double, ctypes.c_double)
_VC_RULE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64,
                            ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32,
                            ctypes.POINTER(ctypes.c_uint64))
_NEIGHBOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32,
                             ctypes.POINTER(ctypes.c_uint64))
_RATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64,
                         ctypes.POINTER(ctypes.c_double))
_NO_RULE: Any = _VC_RULE()  # type: ignore[call-overload]  # NULL
_NO_RATE: Any = _RATE()  # type: ignore[call-overload]


class _Neighbor(ctypes.Structure):
    _fields_ = [("sent", ctypes.c_void_p), ("sent_size", ctypes.c_uint64),
                ("received", ctypes.c_void_p), ("received_room", ctypes.c_uint64),
                ("received_size", ctypes.c_uint64), ("part", ctypes.c_uint64)]


_EXCHANGE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64,
                             ctypes.POINTER(ctypes.POINTER(_Neighbor)), ctypes.c_size_t)
_CALLBACKS: dict[str, Any] = {"progress": _PROGRESS, "vc_rule": _VC_RULE, "neighbor_fn": _NEIGHBOR,
              "rate_fn": _RATE, "exchange_fn": _EXCHANGE}
_TYPES: dict[str, Any] = {
    **_CALLBACKS, "int": ctypes.c_int, "u8": ctypes.c_uint8, "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64, "size": ctypes.c_size_t, "f64": ctypes.c_double,
    "text": ctypes.c_char_p, "char": ctypes.c_char, "delivery": _Delivery,
    "workload_entry": _Entry,
    "status": ctypes.c_int, "void": None}
_library = _load()

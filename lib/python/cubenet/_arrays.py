"""Many numbers at once: from buffers without a loop, and back without a copy."""

from __future__ import annotations

import ctypes
import operator
import sys
from array import array
from typing import Any, Iterator

from ._errors import ArgumentError
from ._library import _TYPES
from ._values import _array, _real, _room, _whole

_CODES = {"u8": "B", "u32": "I", "u64": "Q", "f64": "d"}  # of the module array
_HIGH = -1 if sys.byteorder == "little" else 0  # the byte of a number that has its sign


def _memory(values: Any, dimensions: int = 1) -> memoryview | None:
    """The memory of what is a buffer without holes, as numpy, array and bytes are."""
    try:
        view = memoryview(values)
    except (TypeError, ValueError):
        return None
    return view if view.c_contiguous and view.ndim == dimensions else None


def _elements(name: str, values: Any) -> Iterator[Any]:
    """What an iterable has; rows of a buffer of two dimensions as lists."""
    try:
        return iter(values.tolist() if isinstance(values, memoryview) else values)
    except TypeError:
        raise TypeError(f"{name} must be a list or an array, not {type(values).__name__}") from None


def _none_negative(view: memoryview) -> bool:
    size = view.itemsize
    return bytes(view.cast("B")[_HIGH % size::size]).isascii()


def _fits(kind: str, view: memoryview) -> bool:
    """Whether the elements of the memory are numbers of this type of C."""
    if view.nbytes == 0 or view.itemsize != ctypes.sizeof(_TYPES[kind]):
        return False
    letter = view.format.lstrip("@")
    if kind == "f64":
        return letter == "d"
    return letter in ("B", "I", "L", "Q", "N") or (
        letter in ("b", "i", "l", "q", "n") and _none_negative(view))


def _shared(kind: str, values: Any, view: memoryview) -> Any:
    """A C array on this memory; a copy of what nobody may write."""
    wanted = _TYPES[kind] * (view.nbytes // view.itemsize)
    return wanted.from_buffer_copy(view) if view.readonly else wanted.from_buffer(values)


def _packed(kind: str, name: str, values: Any, stride: int = 1) -> Any:
    """A C array of whole numbers; each name[i] consists of stride of them."""
    view = _memory(values)
    if view is not None and _fits(kind, view):
        return _shared(kind, values, view)
    elements = _elements(name, values)
    with _room(f"{name}: a list", operator.length_hint(elements), 8):
        values = list(elements)
    try:
        numbers = array(_CODES[kind], map(operator.index, values))
    except (TypeError, OverflowError):
        for i, value in enumerate(values):
            _whole(kind, f"{name}[{i // stride}]", value)  # says which one
        raise
    return (_TYPES[kind] * len(numbers)).from_buffer(numbers)


def _is_one(value: Any) -> bool:
    """A whole number, and no array of numpy with one element."""
    return hasattr(value, "__index__") and not hasattr(value, "__len__")


def _columns(names: tuple[str, ...], first: Any, *others: Any) -> list[Any]:
    """C arrays of the length of the first one; a single number stands for each of the elements."""
    columns = [_packed("u64", names[0], first)]
    count = len(columns[0])
    for name, given in zip(names[1:], others):
        if _is_one(given):
            with _room(name, count, 8):
                given = array("Q", [_whole("u64", name, given)]) * count
        columns.append(_packed("u64", name, given))
        if len(columns[-1]) != count:
            raise ArgumentError(f"{name} has {len(columns[-1])} elements, but {names[0]} has {count}")
    return columns


def _reals(name: str, values: Any) -> Any:
    """A C array of numbers."""
    view = _memory(values)
    if view is not None and _fits("f64", view):
        return _shared("f64", values, view)
    if isinstance(values, array):  # of other numbers
        return (ctypes.c_double * len(values)).from_buffer(array("d", values))
    numbers = [_real(f"{name}[{i}]", value) for i, value in enumerate(_elements(name, values))]
    return (ctypes.c_double * len(numbers))(*numbers)


def _table(kind: str, values: Any, columns: int) -> Any:
    """A C array of the rows of a two-dimensional buffer with so many columns; None for all else."""
    view = _memory(values, 2)
    if view is None or view.shape is None or view.shape[1] != columns:
        return None
    return _shared(kind, values, view) if _fits(kind, view) else None


def _numbers(kind: str, count: int, purpose: str) -> tuple[Any, Any]:
    """An array of Python for the library to fill, and the same memory as a C array."""
    size = ctypes.sizeof(_TYPES[kind])
    with _room(purpose, count, size):
        numbers = array(_CODES[kind], bytes(size)) * count
    if count == 0:
        return numbers, _array(kind, 0, purpose)
    return numbers, (_TYPES[kind] * count).from_buffer(numbers)


def _given_back(numbers: Any) -> Any:
    """The array as it is or, where numpy is imported, as an ndarray of the same memory."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return numbers
    return numpy.frombuffer(numbers, numbers.typecode) if numbers else numpy.array(numbers)

"""Values of Python as the library takes them, and its arrays as values of Python."""

from __future__ import annotations

import collections.abc
import contextlib
import ctypes
import operator
from typing import Any, Iterator

from ._errors import ArgumentError, Error, NotFoundError, OutOfMemoryError
from ._hints import Wholes
from ._library import _TYPES

_LISTED = 40  # bytes of a number in a list, about
_GREATEST = {kind: 2 ** (8 * ctypes.sizeof(_TYPES[kind]) - (kind == "int")) - 1
             for kind in ("int", "u8", "u32", "u64", "size")}


def _whole(kind: str, name: str, value: Any) -> int:
    """The value as an integer, if it fits the C type; ctypes alone would truncate it silently."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None
    if 0 <= number <= _GREATEST[kind]:
        return number
    shown = f"{number}" if number.bit_length() <= 128 else f"a number of {number.bit_length()} bits"
    limit = "cannot be negative" if number < 0 else f"cannot be above {_GREATEST[kind]}"
    raise ArgumentError(f"{name} = {shown}, but it {limit}")


def _real(name: str, value: Any) -> float:
    try:
        return ctypes.c_double(value).value
    except (TypeError, ValueError):  # of an array of strings, too
        raise TypeError(f"{name} must be a number, not {type(value).__name__}") from None
    except OverflowError:
        raise ArgumentError(f"{name} does not fit a double") from None


def _number(argument: str, from_name: Any, value: Any) -> Any:
    """The number of an enum value that is given by its name or as the number itself."""
    if not isinstance(value, str):
        return value
    try:
        return from_name(value)
    except NotFoundError as error:
        raise ArgumentError(f"{argument} = {value!r}: {error}") from None


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    return value


def _bytes(name: str, value: Any) -> bytes:
    text = _text(name, value)
    if "\0" in text:
        raise ArgumentError(f"{name} = {text!r}, but it cannot hold a NUL")
    return text.encode(errors="replace")


@contextlib.contextmanager
def _room(purpose: str, count: int, size: int) -> Iterator[None]:
    """Allocates a block for count elements of size bytes."""
    try:
        yield
    except (MemoryError, OverflowError) as error:
        if isinstance(error, Error):
            raise
        raise OutOfMemoryError(f"{purpose}: out of memory for {count} elements of {size} bytes, "
                               f"{count * size / 2**30:.3g} GiB") from None


def _array(kind: str, count: int, purpose: str) -> Any:
    """A C array of zeros, for the library to fill."""
    element = _TYPES[kind]
    with _room(purpose, count, ctypes.sizeof(element)):
        return (element * count)()


def _listed(values: Any, purpose: str) -> list[Any]:
    """The array that the library filled, or a part of it, as a list."""
    with _room(f"{purpose}: a list", len(values), _LISTED):
        return list(values)


def _fields(name: str, value: Any, *shape: str) -> tuple[Any, ...]:
    """The fields of a tuple of this shape."""
    fields = tuple(value) if isinstance(value, collections.abc.Iterable) else ()
    if len(fields) != len(shape):
        raise ArgumentError(f"{name} = {value!r}, but it must be ({', '.join(shape)})")
    return fields


_NO_PORT = 2**32 - 1
_NO_GROUP = 2**32 - 1
_UNREACHABLE = 2**64 - 1
_ALL_NODES = _NEVER = 2**64 - 1
_NO_NODE = 2**64 - 1


def _channels(word: int) -> list[int]:
    return [port for port in range(64) if word >> port & 1]


def _channel_word(name: str, ports: Wholes) -> int:
    word = 0
    for port in map(operator.index, ports):
        if not 0 <= port < 64:
            raise ArgumentError(f"{name} has the port {port!r}, but ports are 0 to 63")
        word |= 1 << port
    return word

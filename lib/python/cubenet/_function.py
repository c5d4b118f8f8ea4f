"""Functions of the library, declared as in its headers."""

from __future__ import annotations

import ctypes
import re
import types
from typing import Any

from . import _control
from ._arrays import _given_back, _numbers
from ._errors import (
    CancelledError, CapacityError, Error, UnsupportedError, _DONE, _ERRORS)
from ._handle import _ANY, _Object, _pointer
from ._library import _CALLBACKS, _TYPES, _library
from ._values import _GREATEST, _LISTED, _array, _bytes, _real, _room, _whole
from ._words import _in_python


def _failure(status: int) -> Error:
    """The exception for a call that has just failed on this thread."""
    error = _ERRORS.get(status, Error)(_in_python(_c.cn_last_error()))
    error.status = status
    return error


class _Function:
    """One function of the library. It checks and converts arguments, raises exceptions, and returns
    the outputs."""

    room = 64  # elements that fill() begins with

    def __init__(self, result: str, name: str, parameters: str) -> None:
        self.name = name
        self.result = result
        self.inputs, self.outputs = [], []
        self.is_output = []  # of each parameter, in the order of the prototype
        for words in (text.split() for text in parameters.split(",") if text.strip()):
            self.is_output.append(words[0] == "out")
            if words[0] == "out":
                self.outputs.append((words[1], words[2]))
            else:
                self.inputs.append((words[0], words[1]))
        self._symbol = None
        kinds = [kind for kind, _ in self.inputs]
        self._control_at = None  # where a call takes its cn_control
        if "control" in kinds and not name.startswith("cn_control"):
            self._control_at = kinds.index("control")

    def _bind(self) -> Any:
        try:
            symbol = getattr(_library, self.name)
        except AttributeError:
            raise UnsupportedError(f"the library {_library._name} has no {self.name}") from None
        symbol.restype = _TYPES[self.result]
        symbol.argtypes = self._in_order(
            [self._input_type(kind) for kind, _ in self.inputs],
            [ctypes.POINTER(self._output_type(kind)) for kind, _ in self.outputs])
        self._symbol = symbol
        return symbol

    def _in_order(self, inputs: Any, outputs: Any) -> list[Any]:
        inputs, outputs = iter(inputs), iter(outputs)
        return [next(outputs) if is_output else next(inputs) for is_output in self.is_output]

    @staticmethod
    def _input_type(kind: str) -> Any:
        if kind == "ref":
            return ctypes.POINTER(ctypes.c_void_p)
        if kind.endswith("[]"):
            return ctypes.POINTER(_TYPES.get(kind[:-2], ctypes.c_void_p))
        return _TYPES.get(kind) or ctypes.c_void_p

    @staticmethod
    def _output_type(kind: str) -> Any:
        return _TYPES.get(kind, ctypes.c_void_p)

    @staticmethod
    def _convert(kind: str, name: str, value: Any) -> Any:
        if kind in _GREATEST:
            return _whole(kind, name, value)
        if kind == "f64":
            return _real(name, value)
        if kind == "text":
            return _bytes(name, value)
        if kind in ("ref", "void", *_CALLBACKS) or kind.endswith("[]"):
            return value
        return _pointer(kind, name, value)

    def _call(self, arguments: Any, control: Any = None) -> Any:
        """What it returns, its outputs, and the exception when it failed. Whatever takes a
        cn_control gets one: that of a _Control, else one that only listens to signals; with _ANY
        none."""
        if self._control_at is None:
            return self._invoke(arguments)
        if control is _ANY or isinstance(control, _control._Limits):  # none, or that of a block
            return self._invoke(self._with_control(arguments, control))
        answer = None
        try:
            with control or _control._Control() as limits:
                answer = self._invoke(self._with_control(arguments, limits))
            return answer
        except BaseException:  # from a signal handler: a cancelled call may have given an object
            if answer is not None:
                self._free_outputs(answer[1])
            raise

    def _free_outputs(self, outputs: Any) -> None:
        for (kind, _), output in zip(self.outputs, outputs):
            if kind in _Object._of_kind and output.value:
                _Object._of_kind[kind]._own(output.value)

    def _with_control(self, arguments: Any, limits: Any) -> tuple[Any, ...]:
        return (*arguments[:self._control_at], limits, *arguments[self._control_at:])

    def _invoke(self, arguments: Any) -> Any:
        symbol = self._symbol or self._bind()
        if len(arguments) != len(self.inputs):
            raise TypeError(f"{self.name} takes {len(self.inputs)} arguments")
        values = [self._convert(kind, name, value)
                  for (kind, name), value in zip(self.inputs, arguments)]
        outputs = [self._output_type(kind)() for kind, _ in self.outputs]
        returned = symbol(*self._in_order(values, map(ctypes.byref, outputs)))
        failed = self.result == "status" and returned < 0
        return returned, outputs, _failure(returned) if failed else None

    def __call__(self, *arguments: Any, control: Any = None) -> Any:
        """The outputs of a function that has outputs (None: nothing more to give), otherwise its
        return value. A call that the caller's progress function has ended gives what it has."""
        returned, outputs, error = self._call(arguments, control)
        has_some = isinstance(error, CancelledError) and any(output.value for output in outputs)
        if error is not None and not has_some:
            raise error
        if self.result == "text" and returned is not None:
            return returned.decode(errors="replace")
        if not outputs:
            return returned
        if self.result == "status" and returned == _DONE:
            return None
        values = [output.value for output in outputs]
        return values[0] if len(values) == 1 else values

    def fill(self, *arguments: Any, control: Any = None) -> Any:
        """For functions whose arguments end in (array, capacity, out count): a list of what the
        array holds, bytes where it is a text, followed by the outputs after the count, if any."""
        kind = self.inputs[-2][0][:-2]
        (values, count, *more) = self._filled(lambda room: _array(kind, room, self.name),
                                              lambda values: values, arguments, control)
        with _room(f"{self.name}: a list", count, _LISTED):
            filled = values[:count]
        return (filled, *more) if more else filled

    def array(self, *arguments: Any, control: Any = None) -> Any:
        """The same as an array of Python or, where numpy is imported, of numpy: without a copy."""
        kind = self.inputs[-2][0][:-2]
        made, count, *more = self._filled(lambda room: _numbers(kind, room, self.name),
                                          lambda made: made[1], arguments, control)
        numbers = made[0]
        del made  # ends the C array, which holds on to the memory
        del numbers[count:]
        return (_given_back(numbers), *more) if more else _given_back(numbers)

    def _filled(self, make: Any, memory: Any, arguments: Any, control: Any) -> Any:
        room = self.room
        while True:
            values = make(room)
            returned, (count, *more), error = self._call((*arguments, memory(values), room),
                                                          control)
            if returned == CapacityError.status and count.value >= room:
                room = count.value + 1  # the length of a text does not count its NUL
                continue
            if error is not None:
                raise error
            return (values, count.value, *(output.value for output in more))


_c = types.SimpleNamespace()


def _declare(prototypes: str) -> None:
    """Adds functions to _c. A row is as in the headers but with short names for the types. `out` marks
    what a call gives back, T[] an array of the caller, `ref` the address of a handle, a key of
    _CALLBACKS and `void` the two sides of a callback; any other word is a kind of handle, the _kind of
    a class."""
    for row in re.findall(r"(\w+)\s+(cn_\w+)\(([^)]*)\)", prototypes):
        setattr(_c, row[1], _Function(*row))


_declare("""
    text   cn_last_error()
""")

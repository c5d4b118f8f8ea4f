"""Functions of the caller that the library calls."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import threading
from typing import Any

from ._errors import StateError
from ._values import _whole

try:  # without the enumeration that `signal` wraps each answer in, which takes twenty times as long
    from _signal import (  # type: ignore[import]
        getsignal as _handler_of, signal as _set_handler)
except ImportError:
    from signal import getsignal as _handler_of, signal as _set_handler

_LEAST_ADDRESS = 4096  # no function lies below: a smaller number is a mistake


class _Callbacks:
    """Functions of the caller that the library calls within a `with` block. An exception in one of
    them ends the call, and is raised again at the end of the block.

    The same holds for an exception from a signal handler, such as KeyboardInterrupt. Python runs
    the handler between two instructions, usually right at the start of a callback, and from there
    the exception cannot pass through the library. Therefore the signal is only noted; its handler
    runs inside that callback, in the next one, or at the end of the block. A handler that raises
    nothing does not affect the call."""

    def __init__(self) -> None:
        self._functions: list[Any] = []  # they have to live as long as the library may call them
        self._raised: BaseException | None = None
        self._listening = False  # a function of the caller runs: an exception ends it
        self._handlers: dict[int, Any] = {}
        self._noted: list[tuple[int, Any]] = []
        self._restoring = contextlib.ExitStack()

    def __enter__(self) -> Any:
        self._handlers = {}
        if threading.current_thread() is threading.main_thread():  # no other one gets signals
            with contextlib.ExitStack() as restoring:
                for number in range(1, signal.NSIG):
                    handler = _handler_of(number)
                    if callable(handler):
                        self._handlers[number] = handler
                        restoring.callback(self._restore, number)
                        _set_handler(number, self._note)
                self._restoring = restoring.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self._restoring.close()
            self._handle_noted()
        except BaseException as error:
            self._raised = error
        self._functions = []  # they refer to this object
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised from None

    def _restore(self, number: int) -> None:
        if _handler_of(number) == self._note:  # else a function of the caller has set another
            _set_handler(number, self._handlers[number])

    def _note(self, number: int, frame: Any) -> None:
        if self._listening:
            self._handlers[number](number, frame)
        else:
            self._noted.append((number, frame))

    def _handle_noted(self) -> None:
        while self._noted:
            number, frame = self._noted.pop(0)
            self._handlers[number](number, frame)

    def _given(self, prototype: Any, name: str, given: Any, make: Any) -> Any:
        """The C function for what the caller gave. A C function (a ctypes function or an address)
        is called as it is, with NULL for the user argument; for a Python function make() makes
        one."""
        if isinstance(given, prototype.__base__):  # of ctypes
            return ctypes.cast(given, prototype)
        if isinstance(given, int) and given >= _LEAST_ADDRESS:
            return prototype(_whole("size", name, given))
        if not callable(given):
            raise TypeError(f"{name} must be callable, or the address of a function of C, not "
                            f"{type(given).__name__}")
        return self._function(prototype, make(given), StateError.status)

    def _function(self, prototype: Any, function: Any, failed: int) -> Any:
        """The C function, without its first argument. After the first exception it returns
        `failed`."""
        def call(user: Any, *arguments: Any) -> Any:
            if self._raised is None:
                try:
                    self._listening = True
                    self._handle_noted()
                    return function(*arguments)
                except BaseException as raised:
                    self._raised = raised
                finally:
                    self._listening = False
            return failed
        self._functions.append(prototype(call))
        return self._functions[-1]

"""The exceptions."""

from __future__ import annotations

class Error(Exception):
    """A call of the library failed: str() is the error text, `status` the cn_status number
    (base.h)."""

    status: int | None = None
    __str__ = Exception.__str__  # KeyError has one that quotes


class ArgumentError(Error, ValueError):
    """An argument is out of range, not a number, or malformed."""

    status = -1


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory."""

    status = -2


class UnsupportedError(Error):
    """The arguments are valid, but this combination is not supported."""

    status = -3


class UnstableError(Error, ArithmeticError):
    """There is no steady state: the load is more than the network can carry."""

    status = -4


class NotFoundError(Error, KeyError):
    """Nothing has this name, or the result does not hold this metric."""

    status = -5


class RangeError(Error, OverflowError):
    """The result does not fit its type."""

    status = -6


class CapacityError(Error):
    """An array is too small."""

    status = -7


class StateError(Error, RuntimeError):
    """The call is not allowed now."""

    status = -8


class ConvergenceError(Error, ArithmeticError):
    """An iteration did not converge."""

    status = -9


class DeadlockError(Error):
    """The simulated network is deadlocked: some messages can never move again."""

    status = -10


class ThreadError(Error, RuntimeError):
    """The operating system could not start a thread."""

    status = -11


class DisconnectedError(Error):
    """Some node cannot reach another one."""

    status = -12


class CancelledError(Error):
    """The call was cancelled, or its time limit was reached, before it had a result."""

    status = -13


class ExchangeError(Error):
    """Messages could not be exchanged with another part of a network."""

    status = -14


class InternalError(Error):
    """A check inside the library failed: a bug in cubenet."""

    status = -99


_DONE = 1  # the status of a regular outcome: there is nothing (more) to give
_ERRORS = {error.status: error for error in Error.__subclasses__()}

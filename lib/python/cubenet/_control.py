"""Progress, limits and signals of calls that may take long."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import math
import sys
import threading
import time
from typing import Any, Iterator

from ._callback import _Callbacks
from ._errors import CancelledError
from ._function import _c, _declare
from ._handle import _ANY, _Object
from ._hints import Progress, Seconds, Whole
from ._library import _PROGRESS

_declare("""
    status cn_control_new(out control control)
    void   cn_control_free(ref control)
    status cn_control_set_steps(control control, u64 steps)
    status cn_control_set_seconds(control control, f64 seconds)
    status cn_control_set_progress(control control, progress progress, void user)
    status cn_control_set_interval(control control, f64 seconds)
    status cn_control_cancel(control control)
    status cn_control_resume(control control)
""")

_SHORT = 1 << 16  # nodes times cycles: some milliseconds, so that no signal need wait


class _Limits(_Object):
    """The handle of a _Control, which frees it itself: there is one in every call."""

    _kind = "control"

    def _hold(self, address: int) -> None:
        self._address = address

    def free(self) -> None:
        _c.cn_control_free(ctypes.pointer(ctypes.c_void_p(self._address)))
        self._address = None


class _Bar:
    """What progress=True shows: in a notebook the bar of tqdm, where that is installed; on a
    terminal a line of text; elsewhere nothing."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._drawn = 0.0
        self._width = 0
        self._tqdm = None
        if "ipykernel" in sys.modules:
            with contextlib.suppress(ImportError):
                # not an import statement: for that one mypy asks for stubs of tqdm, on some machines
                self._tqdm = importlib.import_module("tqdm.auto").tqdm()

    def __call__(self, done: int, total: int, lower: float, upper: float) -> None:
        if self._tqdm is not None:
            self._tqdm.total = total or None
            self._tqdm.update(done - self._tqdm.n)
        elif sys.stderr is not None and sys.stderr.isatty():
            now = time.monotonic()
            if now - self._drawn >= 0.1:
                self._drawn = now
                self._write(self._line(done, total, lower, upper, now - self._begun))

    @staticmethod
    def _line(done: int, total: int, lower: float, upper: float, seconds: float) -> str:
        found = "" if upper == math.inf else f"  {lower:.6g} .. {upper:.6g}"
        if total == 0:
            return f"{done:,} done, {seconds:.0f} s{found}"
        share = min(done / total, 1.0)
        left = f"{seconds * (1 - share) / share:.0f} s left" if share > 0 else ""
        return f"[{'#' * int(30 * share):30}] {100 * share:3.0f} %  {left}{found}"

    def _write(self, line: str) -> None:
        before, self._width = self._width, len(line)  # also when a signal ends what follows
        sys.stderr.write("\r" + line.ljust(before))
        sys.stderr.flush()

    def close(self) -> None:
        if self._tqdm is not None:
            self._tqdm.close()
        elif self._width:
            self._write("")
            sys.stderr.write("\r")


class _Given(threading.local):
    """The seconds and progress of limits(), in this thread."""

    limits: tuple[Seconds, Progress] = (None, None)


_given = _Given()


@contextlib.contextmanager
def limits(seconds: Seconds = None, progress: Progress = None) -> Iterator[None]:
    """Within a `with` block, seconds and progress are those of each call of this thread that is
    given none: `with limits(2): hops = topology.diameter()`.

    >>> with limits(seconds=10):
    ...     hops = Topology.psnn(6).mean_distance()
    """
    outer, _given.limits = _given.limits, (seconds, progress)
    try:
        yield
    finally:
        _given.limits = outer


class _Control(_Callbacks):
    """Within a `with` block: the cn_control of one call. It keeps the limits, calls progress(done,
    total, lower, upper), which ends the call by returning False, and listens to signals. True
    stands for a bar."""

    _interval = 0.02  # seconds between two callbacks, for each of which a thread takes the GIL

    def __init__(self, steps: Whole = 0, seconds: Seconds = None, progress: Progress = None) -> None:
        if seconds is None:
            seconds = _given.limits[0]
        if progress is None:
            progress = _given.limits[1]
        if progress is True:
            progress = _Bar()
        elif progress is False:
            progress = None
        if progress is not None and not callable(progress):
            raise TypeError(f"progress must be callable, True or None, not "
                            f"{type(progress).__name__}")
        super().__init__()
        self._progress = progress
        self._steps = steps
        self._seconds = seconds

    def _ask(self, done: int, total: int, lower: float, upper: float) -> int:
        if self._progress is None:
            return 0
        with limits():  # the calls of the function are its own
            return int(self._progress(done, total, lower, upper) is False)

    def __enter__(self) -> Any:
        super().__enter__()
        self._limits = None
        try:
            if self._progress is not None or self._handlers or self._seconds or self._steps:
                self._limits = self._make()
        except BaseException:
            self.__exit__()
            raise
        return self._limits or _ANY

    def _make(self) -> Any:
        limits = self._limits = _Limits._own(_c.cn_control_new())
        _c.cn_control_set_steps(limits, self._steps)
        if self._seconds is not None:
            _c.cn_control_set_seconds(limits, self._seconds)
        _c.cn_control_set_interval(limits, self._interval)
        _c.cn_control_set_progress(limits, self._function(_PROGRESS, self._ask, 1), None)
        return limits

    def _close_bar(self) -> None:
        if isinstance(self._progress, _Bar):
            self._progress.close()

    def __exit__(self, *exception: object) -> None:
        self._close_bar()
        if self._limits is not None:
            self._limits.free()
        super().__exit__(*exception)


def _in_turn(count: int, seconds: Seconds, progress: Progress) -> Iterator[int]:
    """The numbers of short calls that together take long: limits and progress() are those of all."""
    whole = _Control(0, seconds, progress)
    begun = told = time.monotonic()
    try:
        for number in range(count):
            yield number
            now = time.monotonic()
            if whole._seconds and now - begun > whole._seconds:
                raise CancelledError(f"the time limit of {whole._seconds:g} seconds was reached before there was a result")
            if now - told >= whole._interval:
                told = now
                if whole._ask(number + 1, count, 0.0, math.inf):
                    raise CancelledError("cancelled by its callback")
    finally:
        whole._close_bar()

"""Many experiments: all combinations of some choices."""

from __future__ import annotations

import collections
import collections.abc
import itertools
import math
import os
import queue
import signal
import threading
from contextlib import ExitStack
from typing import Any, Callable, Generator, Iterable, Iterator, Tuple

from ._callback import _Callbacks
from ._control import _Bar, _Control, _given, _Limits
from ._errors import ArgumentError, Error, StateError
from ._function import _c
from ._handle import _Object
from ._json import _Json
from ._result import Result
from ._scenario import Scenario
from ._sweep_file import _OUTCOME, _File, _metric_columns
from ._system import _check_keyword, version
from ._topology import Topology
from ._values import _whole

_Task = Tuple[int, "_Experiment"]
_Outcome = Tuple[int, "dict[str, Any]"]


def _is_list(value: Any) -> bool:
    """Whether a keyword stands for several values, be it for one: numpy has iterable numbers."""
    return (isinstance(value, collections.abc.Iterable) and not isinstance(value, (str, bytes, _Object))
            and getattr(value, "ndim", 1) > 0)


def _several(value: Any) -> list[Any]:
    return list(value) if _is_list(value) else [value]


def _digest(text: str) -> str:
    import hashlib
    return hashlib.sha1(text.encode()).hexdigest()[:12]


def _shown(value: Any) -> Any:
    """A choice as it is in a row: a name or a number, and what has no name of its own by the digest
    of its text."""
    if isinstance(value, Topology) and not value.name.startswith(("edges(", "function(")):
        return value.name
    if isinstance(value, _Json):
        return f"{getattr(value, 'name', type(value).__name__.lower())}-{_digest(value.to_json())}"
    if isinstance(value, _Object):
        return repr(value)
    return value.item() if hasattr(value, "item") else value  # a number of numpy


def _choices(topology: Any, system: Any, keywords: Any) -> Iterator[dict[str, Any]]:
    """All combinations. Wrong names are refused here: else each of them would be a row."""
    given = {"topology": topology, "system": system, **keywords}
    names, columns = list(given), [_several(value) for value in given.values()]
    for name, column in zip(names, columns):
        if not column:
            raise ArgumentError(f"{name} has no values")
    for name in keywords:
        _check_keyword(name)
    for name in columns[1]:
        _c.cn_system_from_name(name)
    for values in itertools.product(*columns):
        yield dict(zip(names, values))


def _failed(error: Error) -> dict[str, Any]:
    """An experiment that fails is a row, too."""
    return {"error": str(error).replace("\n", " "), "model": "", "stop": "", "saturated": None,
            "settled": None}


class _Experiment:
    """One combination, and what a row says of it."""

    def __init__(self, choice: dict[str, Any], varied: list[str], simulate: bool) -> None:
        self.outcome: dict[str, Any] | None = None
        self._simulate = simulate
        try:
            self._scenario = Scenario(**choice)
        except Error as error:
            self.outcome = _failed(error)
            self._instead = str({name: _shown(one) for name, one in choice.items()})
        self.shown = {name: _shown(choice[name]) for name in varied}

    def key(self) -> str:
        """What tells it from other experiments, in a file: another version may count otherwise."""
        what = self._scenario.to_json() if self.outcome is None else self._instead
        return _digest(f"{version()} {self._simulate} {what}")

    def run(self, control: _Control | _Limits) -> dict[str, Any]:
        """In any thread or process."""
        if self.outcome is not None:
            return self.outcome
        call = _c.cn_simulate if self._simulate else _c.cn_predict
        try:
            result = Result._own(call(self._scenario, control=control))
        except Error as error:
            return _failed(error)
        row: dict[str, Any] = {"error": "", "model": result.model, "stop": result.stop,
                               "saturated": result.saturated, "settled": result.settled}
        for name, value in result.items():
            if name not in self.shown:  # warmup_cycles is a choice, too
                row[name] = value
            row[f"{name}_half_width"] = result.half_width(name)
        return row


class _Shared(_Limits):
    """The cn_control of all experiments at once: each of them has these seconds, and all are cancelled
    together. It is freed when the last thread has left it."""

    _end = _c.cn_control_free
    _hold = _Object._hold

    @classmethod
    def of(cls, seconds: float | None) -> Any:
        made = cls._own(_c.cn_control_new())
        if seconds is not None:
            _c.cn_control_set_seconds(made, seconds)
        return made


def _in_threads(tasks: list[_Task], count: int, control: Any) -> Generator[_Outcome, None, None]:
    """The outcomes, each as soon as it is there. The thread that asks for them waits in Python, where
    signals come in, and the library releases the lock of the interpreter in all others."""
    waiting = collections.deque(tasks)
    finished: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def work() -> None:
        while True:
            try:
                at, experiment = waiting.popleft()
            except IndexError:
                return  # none is left
            try:
                finished.put((at, experiment.run(control)))
            except BaseException as error:
                finished.put(error)

    threads = [threading.Thread(target=work) for _ in range(min(count, len(tasks)))]
    try:
        with _Callbacks():  # a signal comes when all have begun: none is lost between begun and not begun
            for thread in threads:
                thread.start()
        for _ in tasks:
            outcome = finished.get()
            if isinstance(outcome, BaseException):
                raise outcome
            yield outcome
    finally:
        with _Callbacks():  # nor does a second Ctrl-C leave one
            waiting.clear()
            _c.cn_control_cancel(control)
            for thread in threads:
                if thread.ident is not None:  # it has begun
                    thread.join()


def _work(pipe: Any, seconds: float | None) -> None:
    """What another process does, until it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that has the sweep
    try:
        while True:
            at, experiment = pipe.recv()
            pipe.send((at, experiment.run(_Control(0, seconds, None))))
    except (EOFError, ConnectionError):
        pass  # that process was killed


def _end(process: Any) -> None:
    process.terminate()
    process.join()


def _in_processes(tasks: list[_Task], count: int,
                  seconds: float | None) -> Generator[_Outcome, None, None]:
    """The same in other processes. Not a pool of multiprocessing: it would start a process that
    cannot begin again and again."""
    import multiprocessing.connection  # takes longer than all of the package
    context = multiprocessing.get_context("spawn")  # threads of the library do not survive a fork
    waiting = iter(tasks)
    working: dict[Any, Any] = {}
    try:
        for task in itertools.islice(waiting, count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, seconds), daemon=True)
            process.start()
            working[ours] = process
            theirs.close()
            ours.send(task)
        while working:
            ready: list[Any] = multiprocessing.connection.wait(list(working))
            for pipe in ready:
                yield pipe.recv()
                following = next(waiting, None)
                if following is not None:
                    pipe.send(following)
                else:
                    _end(working.pop(pipe))
    except (EOFError, ConnectionError):
        raise StateError("a process of the sweep has died; a script needs `if __name__ == "
                         "\"__main__\":` around its sweep, or threads, which are the default") from None
    finally:
        for process in working.values():
            _end(process)


def _teller(progress: Any, closing: ExitStack) -> Any:
    """What is told of each row; with True, as anywhere else, a bar."""
    outer: Any = _given.limits[1]
    if progress is None and callable(outer):  # it is also told bounds
        return lambda done, total: outer(done, total, 0.0, math.inf)
    if progress is True or progress is None and outer:
        bar = _Bar()
        closing.callback(bar.close)
        return lambda done, total: bar(done, total, 0.0, math.inf)
    if progress and not callable(progress):
        raise TypeError(f"progress must be callable, True or None, not {type(progress).__name__}")
    return progress or (lambda done, total: None)


def _counts(threads: Any, processes: Any) -> tuple[int, int]:
    """(threads, processes), one of them 0; one process alone is this one."""
    given = {name: _whole("u32", name, count)
             for name, count in (("threads", threads), ("processes", processes)) if count is not None}
    if len(given) == 2:
        raise ArgumentError(f"threads = {threads} and processes = {processes}, but experiments run in one or "
                            "the other")
    for name, count in given.items():
        if count == 0:
            raise ArgumentError(f"{name} = 0, but there has to be one")
    if given.get("processes", 1) > 1:
        return 0, given["processes"]
    return given.get("processes") or given.get("threads") or os.cpu_count() or 1, 0


def sweep(topology: Topology | Iterable[Topology], system: str | Iterable[str], *,
          simulate: bool = True, threads: int | None = None, processes: int | None = None,
          file: Any = None, seconds: float | None = None,
          progress: Callable[[int, int], object] | bool | None = None,
          **keywords: Any) -> list[dict[str, Any]]:
    """Carries out an experiment for each combination of the values given, and returns a row for each,
    in the order of the combinations: a dict, as pandas.DataFrame() takes them.

    >>> import cubenet
    >>> rows = cubenet.sweep(cubenet.Topology.hypercube(4), "deflection", simulate=False,
    ...                      load=[0.5, 1], buffers=8)
    >>> [(row["load"], round(row["throughput"], 3)) for row in rows]
    [(0.5, 0.5), (1, 0.968)]

    topology, system and all keywords of a Scenario may be one value or a list of values. All rows have the
    same columns: topology, system, and each keyword that was given as a list, be it of one value; "error"
    (empty, or why there is no result), "model", "stop", "saturated" and "settled" of the Result; and each
    metric that one row at least has, with its half-width: None in a row that has none. Of "warmup_cycles"
    it is the choice, where it varies. simulate=False asks the models.

    The experiments run in so many threads of this process, None: one for each core; a simulation itself
    takes one. With processes=2 or more they run in so many new interpreters, so a script needs
    `if __name__ == "__main__":` around its sweep. The rows are the same. seconds limits each experiment.
    progress(done, total) is called after each row and ends the sweep by returning False, with the rows that
    are there; True draws a bar. Ctrl-C ends all experiments.

    file is the path of a CSV file to which each row is added when it is there. A sweep that finds the
    file does only what is missing in it; a line that is damaged or half written is done again, one
    whose "stop" is "time-limit" is not unless you delete it. Its first column, "key", tells experiments apart; its
    name in the file also says what does not vary. What has no name (faults, traffic, edge lists) is in a row
    as a digest."""
    thread_count, process_count = _counts(threads, processes)
    given = {"topology": topology, "system": system, **keywords}
    varied = [name for name, value in given.items() if name in ("topology", "system") or _is_list(value)]
    experiments = [_Experiment(choice, varied, bool(simulate))
                   for choice in _choices(topology, system, keywords)]
    seconds = _given.limits[0] if seconds is None else seconds
    control = _Shared.of(seconds)  # refuses wrong seconds, with processes too
    rows: list[dict[str, Any] | None] = [None] * len(experiments)
    with ExitStack() as closing:
        tell = _teller(progress, closing)
        kept = None
        if file is not None:
            kept = _File(file, {name: _shown(one) for name, one in given.items() if name not in varied}, varied)
            closing.callback(kept.close)
        tasks: list[_Task] = []
        for at, one in enumerate(experiments):
            old = None if kept is None else kept.done.get(one.key())
            if old is not None:
                rows[at] = {**one.shown, **old}
            else:
                tasks.append((at, one))
        done = len(experiments) - len(tasks)
        finished = (_in_threads(tasks, thread_count, control) if process_count == 0 or len(tasks) < 2
                    else _in_processes(tasks, process_count, seconds))
        closing.callback(finished.close)  # ends what runs
        for at, outcome in finished:
            row = rows[at] = {**experiments[at].shown, **outcome}
            if kept is not None:
                kept.add(experiments[at].key(), row)
            done += 1
            if tell(done, len(experiments)) is False:
                break
    return _with_columns(varied, [row for row in rows if row is not None])


def _with_columns(varied: list[str], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with the same columns, in the same order."""
    there = {name for row in rows for name in row}
    columns = dict.fromkeys([*varied, *_OUTCOME, *(name for name in _metric_columns() if name in there)])
    return [{name: row.get(name) for name in columns} for row in rows]

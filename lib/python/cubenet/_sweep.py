"""Many experiments: all combinations of some choices."""

from __future__ import annotations

import collections.abc
import csv
import itertools
import os
import signal
import sys
import time
from contextlib import ExitStack
from typing import IO, Any, Callable, Generator, Iterable, Iterator, Optional, Tuple

from ._control import _Control
from ._errors import ArgumentError, Error, StateError
from ._function import _c
from ._handle import _Object
from ._json import _Json
from ._result import Result
from ._scenario import Scenario
from ._system import _check_keyword, metrics, version
from ._topology import Topology
from ._values import _whole

_OUTCOME = ["error", "model", "stop", "saturated", "settled"]


def _several(value: Any) -> list[Any]:
    """The values that a keyword stands for."""
    if not isinstance(value, collections.abc.Iterable) or isinstance(value, (str, bytes, _Object)):
        return [value]
    return [value] if getattr(value, "ndim", 1) == 0 else list(value)  # numpy has iterable numbers


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

    def __init__(self, choice: dict[str, Any], simulate: bool) -> None:
        self.outcome: dict[str, Any] | None = None
        try:
            self._scenario = Scenario(**choice)
        except Error as error:
            self.outcome = _failed(error)
        self.shown = {"simulate": simulate, **{name: _shown(one) for name, one in choice.items()}}

    def key(self) -> str:
        """What tells it from other experiments, in a file: another version may count otherwise."""
        what = self._scenario.to_json() if self.outcome is None else str(self.shown)
        return _digest(f"{version()} {self.shown['simulate']} {what}")

    def run(self, seconds: float | None) -> dict[str, Any]:
        """In this process or in another one."""
        if self.outcome is not None:
            return self.outcome
        try:
            result = (self._scenario.simulate(seconds) if self.shown["simulate"]
                      else self._scenario.predict(seconds))
        except Error as error:
            return _failed(error)
        row: dict[str, Any] = {"error": "", "model": result.model, "stop": result.stop,
                               "saturated": result.saturated, "settled": result.settled}
        for name, value in result.items():
            if name not in self.shown:  # warmup_cycles is a choice, too
                row[name] = value
            row[f"{name}_half_width"] = result.half_width(name)
        return row


_Task = Tuple[int, _Experiment, Optional[float]]


def _carry_out(task: _Task) -> tuple[int, dict[str, Any]]:
    at, experiment, seconds = task
    return at, experiment.run(seconds)


def _value(text: str) -> Any:
    """What a cell of the file says."""
    if text in ("True", "False"):
        return text == "True"
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


class _File:
    """The rows of a sweep on disk: the key of an experiment, its choices, its outcome and all metrics
    that there are. A row is written in one piece as soon as it is there."""

    def __init__(self, path: Any, choices: list[str]) -> None:
        self._head = list(dict.fromkeys(["key", *choices, *_OUTCOME, *(
            name for metric in metrics() for name in (metric.name, f"{metric.name}_half_width"))]))
        self.done: dict[str, dict[str, Any]] = {}  # by key, without the choices
        self._stream: IO[str] = open(path, "a+", newline="", encoding="utf-8",
                                     errors="surrogateescape")
        try:
            self._read(path, len(choices) + 1)
        except BaseException:
            self._stream.close()
            raise

    def _read(self, path: Any, first: int) -> None:
        self._stream.seek(0)
        text = self._stream.read()
        *whole, rest = text.split("\n")  # the last line may be half written
        lines = csv.reader(line for line in whole if "\0" not in line)
        head = next(lines, None)
        if head != self._head and (head is not None or not ",".join(self._head).startswith(rest)):
            begins = ", ".join(head[:first]) if head else rest[:60]
            raise ArgumentError(f"file = {str(path)!r} holds another sweep, or something else: it begins "
                                f"with {begins!r}")
        if rest:
            self._stream.seek(0)
            self._stream.truncate(len(text[:-len(rest)].encode(errors="surrogateescape")))
        if head is None:
            self._write(self._head)
        for cells in lines:
            if len(cells) != len(self._head):
                continue  # damaged: done again
            outcome = {name: _value(cell)
                       for name, cell in list(zip(self._head, cells))[first:] if cell}
            blank = {name: "" if name in ("error", "model", "stop") else None for name in _OUTCOME}
            self.done[cells[0]] = {**blank, **outcome}

    def add(self, key: str, row: dict[str, Any]) -> None:
        row = {"key": key, **row}
        self._write(["" if row.get(name) is None else row[name] for name in self._head])

    def _write(self, cells: list[Any]) -> None:
        csv.writer(self._stream, lineterminator="\n").writerow(cells)
        self._stream.flush()

    def close(self) -> None:
        self._stream.close()


class _Counter:
    """What progress=True shows of a sweep on a terminal."""

    def __init__(self) -> None:
        self._begun = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            spent = time.monotonic() - self._begun
            left = f", {spent * (total - done) / done:.0f} s left" if 0 < done < total else ""
            end = "\n" if done == total else ""
            sys.stderr.write(f"\r{done} of {total} experiments{left}".ljust(60) + end)
            sys.stderr.flush()


def _work(pipe: Any) -> None:
    """What another process does, until it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that has the sweep
    try:
        while True:
            pipe.send(_carry_out(pipe.recv()))
    except (EOFError, ConnectionError):
        pass  # that process was killed


def _end(process: Any) -> None:
    process.terminate()
    process.join()


def _finished(tasks: list[_Task],
              processes: int) -> Generator[tuple[int, dict[str, Any]], None, None]:
    """The outcomes, each as soon as it is there. Not a pool of multiprocessing: it would start a
    process that cannot begin again and again."""
    if processes == 1 or len(tasks) < 2:
        yield from map(_carry_out, tasks)
        return
    import multiprocessing.connection  # takes longer than all of the package
    context = multiprocessing.get_context("spawn")  # threads of the library do not survive a fork
    waiting = iter(tasks)
    working: dict[Any, Any] = {}
    try:
        for task in itertools.islice(waiting, processes):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs,), daemon=True)
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
                         "\"__main__\":` around its sweep, or processes=1") from None
    finally:
        for process in working.values():
            _end(process)


def sweep(topology: Topology | Iterable[Topology], system: str | Iterable[str], *,
          simulate: bool = True, processes: int | None = None, file: Any = None,
          seconds: float | None = None,
          progress: Callable[[int, int], object] | bool | None = None,
          **keywords: Any) -> list[dict[str, Any]]:
    """Carries out an experiment for each combination of the values given, and returns a row for each,
    in the order of the combinations: a dict, as pandas.DataFrame() takes them.

    >>> import cubenet
    >>> rows = cubenet.sweep(cubenet.Topology.hypercube(4), "deflection", simulate=False,
    ...                      load=[0.5, 1], buffers=8)
    >>> [(row["load"], round(row["throughput"], 3)) for row in rows]
    [(0.5, 0.5), (1, 0.97)]

    topology, system and all keywords of a Scenario may be one value or a list of values. A row has
    the choices and "simulate", then "error" (empty, or why there is no result), "model", "stop",
    "saturated" and "settled" of the Result, and each metric with its half-width; of "warmup_cycles" the choice,
    where it is one. simulate=False asks the models.

    processes is the number of processes, None for one for each core; they are new interpreters, so
    a script needs `if __name__ == "__main__":` around its sweep. seconds limits each experiment.
    progress(done, total) is called after each row and ends the sweep by returning False; True shows
    a count on a terminal.

    file is the path of a CSV file to which each row is added when it is there. A sweep that finds the
    file does only what is missing in it; a line that is damaged or half written is done again, one
    whose "stop" is "time-limit" is not unless you delete it. Its column "key" tells experiments apart. What has no name (faults, traffic, edge lists) is in a row as a digest."""
    count = (os.cpu_count() or 1) if processes is None else _whole("u32", "processes", processes)
    if count == 0:
        raise ArgumentError("processes = 0, but there has to be one")
    experiments = [_Experiment(choice, bool(simulate))
                   for choice in _choices(topology, system, keywords)]
    tell = _Counter() if progress is True else progress or None
    if tell is not None and not callable(tell):
        raise TypeError(f"progress must be callable, not {type(tell).__name__}")
    with _Control(0, seconds, None):
        pass  # wrong seconds are refused here, too
    rows: list[dict[str, Any] | None] = [None] * len(experiments)
    with ExitStack() as closing:
        kept = None
        if file is not None:
            kept = _File(file, list(experiments[0].shown))
            closing.callback(kept.close)
        tasks: list[_Task] = []
        for at, one in enumerate(experiments):
            old = None if kept is None else kept.done.get(one.key())
            if old is not None:
                rows[at] = {**one.shown, **old}
            else:
                tasks.append((at, one, seconds))
        done = len(experiments) - len(tasks)
        finished = _finished(tasks, count)
        closing.callback(finished.close)  # ends the processes
        for at, outcome in finished:
            row = rows[at] = {**experiments[at].shown, **outcome}
            if kept is not None:
                kept.add(experiments[at].key(), row)
            done += 1
            if tell is not None and tell(done, len(experiments)) is False:
                break
    return [row for row in rows if row is not None]

"""The file of a sweep."""

from __future__ import annotations

import csv
import io
import os
import shutil
from typing import IO, Any

from ._errors import ArgumentError
from ._system import metrics

_OUTCOME = ["error", "model", "stop", "saturated", "settled"]


def _metric_columns() -> list[str]:
    return [name for metric in metrics() for name in (metric.name, f"{metric.name}_half_width")]


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


def _line(cells: list[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _lines(text: str) -> Any:
    """The cells of each line that ends."""
    return csv.reader(line for line in text.split("\n")[:-1] if "\0" not in line and "\r" not in line[:-1])


def _is_alone(stream: IO[str]) -> bool:
    """Whether no other sweep has the file; it is ours until it is closed. Not every system can tell."""
    try:
        import fcntl
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        pass
    return True


class _File:
    """The rows of a sweep on disk: the key of an experiment, what varied, its outcome, and the metrics
    that one row at least has. A row is written in one piece as soon as it is there; when it has
    metrics that no row before had, the file is written anew with columns for them."""

    def __init__(self, path: Any, constants: dict[str, Any], varied: list[str]) -> None:
        key = " ".join(["key", *(f"{name}={constants[name]}" for name in sorted(constants))])
        self._path = os.fspath(path)  # no descriptor: that of the standard output would be closed
        self._head = [key, *varied, *_OUTCOME]
        self._columns: list[str] = []  # the head and the metrics; empty: the file is
        self.done: dict[str, dict[str, Any]] = {}  # by key, without what varied
        self._stream = self._opened()
        try:
            self._read()
        except BaseException:
            self._stream.close()
            raise

    def _opened(self) -> IO[str]:
        stream = open(self._path, "a+", newline="", encoding="utf-8", errors="surrogateescape")
        if not _is_alone(stream):
            stream.close()
            raise ArgumentError(f"file = {str(self._path)!r}, but another sweep is writing it")
        return stream

    def _refuse(self, head: list[str] | None, rest: str) -> None:
        begins = ", ".join(head[:len(self._head)]) if head else rest[:60]
        raise ArgumentError(f"file = {str(self._path)!r} holds another sweep, one of another version, or something "
                            f"else: it begins with {begins!r}, not with {', '.join(self._head)!r}")

    def _read(self) -> None:
        self._stream.seek(0)
        text = self._stream.read()
        rest = text[text.rfind("\n") + 1:]  # the last line may be half written
        lines = _lines(text)
        head = next(lines, None)
        first = len(self._head)
        if head is None:
            begins = _line(self._head)[:-1]
            if not begins.startswith(rest) and not rest.startswith(begins + ","):
                self._refuse(head, rest)
        elif head[:first] != self._head or not set(head[first:]) <= set(_metric_columns()):
            self._refuse(head, rest)
        if rest:
            self._stream.seek(0)
            self._stream.truncate(len(text[:-len(rest)].encode(errors="surrogateescape")))
        self._columns = head or []
        for cells in lines:
            if len(cells) != len(self._columns) or any(isinstance(_value(cell), str) for cell in cells[first:] if cell):
                continue  # damaged: done again
            outcome = {name: _value(cell)
                       for name, cell in list(zip(self._columns, cells))[first - len(_OUTCOME):] if cell}
            blank = {name: "" if name in ("error", "model", "stop") else None for name in _OUTCOME}
            self.done[cells[0]] = {**blank, **outcome}

    def add(self, key: str, row: dict[str, Any]) -> None:
        row = {self._head[0]: key, **row}
        if not self._columns or not set(self._columns) >= set(row):
            self._widen(row)
        self._write(["" if row.get(name) is None else row[name] for name in self._columns])

    def _widen(self, row: dict[str, Any]) -> None:
        self._stream.seek(0)
        old = [dict(zip(self._columns, cells)) for cells in _lines(self._stream.read())
               if len(cells) == len(self._columns)][1:]
        self._columns = [*self._head, *(
            name for name in _metric_columns()
            if name not in self._head and (name in row or name in self._columns))]
        if not old:
            self._stream.truncate(0)
            self._write(self._columns)
            return
        path = os.path.realpath(self._path)
        with open(f"{path}.new", "w", newline="", encoding="utf-8", errors="surrogateescape") as new:
            new.write(_line(self._columns))
            new.writelines(_line([cells.get(name, "") for name in self._columns]) for cells in old)
        shutil.copymode(path, f"{path}.new")
        self._stream.close()
        os.replace(f"{path}.new", path)
        self._stream = self._opened()

    def _write(self, cells: list[Any]) -> None:
        self._stream.write(_line(cells))
        self._stream.flush()

    def close(self) -> None:
        self._stream.close()

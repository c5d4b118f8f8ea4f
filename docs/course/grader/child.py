"""The process that runs an answer, seen from the judge. A call goes there as a line, a line comes back as JSON."""

import json
import os
import secrets
import select
import signal
import subprocess
import sys
import time

from .confine import COMPILER, confine

LINE = 16 << 20  # bytes of what a call may return
PRINTED = 1 << 16  # bytes of what an answer prints, that are shown
DIGITS = 25  # of a whole number


class Wrong(Exception):
    """An answer is wrong: where, what it is, what it must be."""


def one_line(text, most=300):
    """A text that an answer has made, as it is quoted: it cannot look like a line of the grader."""
    text = "".join(letter if letter.isprintable() else " " for letter in text[:most + 1])
    return text if len(text) <= most else text[:most].rstrip() + " ..."


def whole_number(text):
    if len(text) > DIGITS:
        raise Wrong(f"a whole number of {len(text)} digits is returned")
    return int(text)


def give_up(reason):
    """Where the fault is not one of the answer."""
    print(f"The grader cannot go on: {reason}", file=sys.stderr)
    sys.exit(2)


class Child:
    """Confined as long as it lives: no files but those in `readable`, so many seconds for all calls together."""

    def __init__(self, command, folder, encode, limits, readable, environment):
        self.encode, self.limits, self.left = encode, limits, limits.seconds
        self.printed, self.received = b"", b""
        try:
            self.process = subprocess.Popen(
                command, cwd=folder, env={"PATH": os.defpath, "LANG": "C.UTF-8", **environment}, start_new_session=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                preexec_fn=lambda: confine(limits.seconds, limits.memory, [folder, *readable]))
        except (OSError, subprocess.SubprocessError) as error:
            give_up(error)

    def ask(self, function, arguments):
        """What a function returns, as plain as JSON is."""
        token = secrets.token_hex(8)  # what is written ahead of a call is no answer to it
        try:
            os.write(self.process.stdin.fileno(), (self.encode(token, function, arguments) + "\n").encode())
        except BrokenPipeError:
            pass  # reading finds out why
        return self.read(token)

    def read(self, token):
        try:
            said, kind, value = json.loads(self.line(), parse_int=whole_number)
        except (ValueError, TypeError, RecursionError):
            said = None
        if said != token or kind not in ("value", "error", "unwritten"):
            raise Wrong("the answer has written to the grader's pipe: what is there is no value that a function "
                        "returned")
        if kind == "value":
            return value
        raise Wrong("not written yet" if kind == "unwritten" else one_line(str(value), 1000))

    def line(self):
        """The next line of the child; what the judge does in between takes none of its time."""
        end = time.monotonic() + self.left
        while b"\n" not in self.received:
            pipes = [pipe for pipe in (self.process.stdout, self.process.stderr) if not pipe.closed]
            ready = select.select(pipes, [], [], max(0, end - time.monotonic()))[0]
            if not ready or time.monotonic() > end:
                raise Wrong(f"still running after {self.limits.seconds:g} second{'s' * (self.limits.seconds != 1)}: "
                            "an endless loop?")
            if self.process.stderr in ready and not self.overhear():
                self.process.stderr.close()
            if self.process.stdout in ready:
                came = os.read(self.process.stdout.fileno(), 1 << 16)
                if not came:
                    raise Wrong(self.end_of())
                self.received += came
            if len(self.received) > LINE:
                raise Wrong(f"more than {LINE >> 20} MiB are returned")
        self.left = end - time.monotonic()
        line, _, self.received = self.received.partition(b"\n")
        return line

    def overhear(self):
        came = os.read(self.process.stderr.fileno(), 1 << 16)
        self.printed += came[:PRINTED - len(self.printed)]
        return came

    def end_of(self):
        """What became of a process that said nothing more."""
        try:
            status = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "the answer has closed the grader's pipe"
        if status < 0:
            return f"the program crashed (signal {-status}: {signal.strsignal(-status)})"
        return f"the program ended itself with exit status {status}"

    def close(self):
        """Ends the process; what it has printed."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.process.wait()
        while not self.process.stderr.closed and select.select([self.process.stderr], [], [], 0)[0] and self.overhear():
            pass
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        return self.printed.decode(errors="replace")


def run_tool(command, folder, limits, readable):
    """Runs a compiler, which reads what a student has written, in a folder that it may write to; (worked, what it
    printed)."""
    def confined():
        confine(limits.seconds + 60, max(4096, limits.memory), [*COMPILER, *readable], [folder], 256, processes=True)
    try:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, "TMPDIR": str(folder), "CCACHE_DISABLE": "1", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=confined)
    except OSError as error:
        return False, f"error: {error}"
    try:
        printed = process.communicate(timeout=limits.seconds + 60)[0]
    except subprocess.TimeoutExpired:
        printed = b"error: the compiler is still running"
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    return process.wait() == 0, printed.decode(errors="replace")


def show(printed):
    """What answers and compilers have printed is no part of the report."""
    if printed:
        print(printed, end="" if printed.endswith("\n") else "\n", file=sys.stderr)

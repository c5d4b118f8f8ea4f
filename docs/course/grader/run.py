"""The process in which an answer in Python runs. It reads calls and writes what they return, a line of JSON each.

    python3 -I -S run.py NAME [FOLDER]    NAME: of the answer's module, here; FOLDER: of the package cubenet, if the
                                          question needs it

Nothing here decides on points: the judge compares, in another process. What is refused here is refused to name a
mistake; the limits are those of confine.py."""

import importlib
import json
import os
import sys
import traceback

GRADER = ("grade", "grader", "questions", "confine", "child", "run")
# Audit events of what an answer has no reason to do.
REFUSED = ("subprocess.", "socket.", "shutil.", "pty.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.kill",
           "os.remove", "os.rename", "os.truncate", "os.chmod", "os.chown", "os.link", "os.symlink", "os.mkdir",
           "os.rmdir")
HERE = os.getcwd()
SYSTEM = (HERE, os.path.abspath(__file__), "/usr/", "/etc/", "/dev/", sys.prefix, sys.base_prefix)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Refused(BaseException):
    """No Exception, so that an answer does not take it for one of its own."""


class StandIn:
    """Stands where a module would: it can be imported, and its names are there, but nothing can be called or
    changed."""

    def __init__(self, name, sentence):
        self.__dict__.update(_name=name, _sentence=sentence)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self._name}.{name}", self._sentence)

    def __call__(self, *arguments, **named):
        raise Refused(self._sentence.format(f"{self._name}()"))

    def __setattr__(self, name, value):
        raise Refused(self._sentence.format(f"{self._name}.{name} = ..."))

    def __getitem__(self, index):
        return self

    def __setitem__(self, index, value):
        raise Refused(self._sentence.format(f"{self._name}[...] = ..."))


WITHOUT = "the answer calls {}, but this question is to be answered without cubenet"
PATCHED = "the answer reaches for the grader ({}), which is not in its process: nothing there gives points"


def guard(event, arguments, needs_cubenet):
    if event == "import" and arguments[0] == "_ctypes" or event.startswith("ctypes."):
        if not needs_cubenet:
            raise Refused("the answer loads a library (ctypes), but this question is to be answered without")
    elif event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING and arguments[0] != os.devnull:
        raise Refused(f"the answer opens {arguments[0]!r} for writing, but an answer only returns a value")
    elif event == "open" and isinstance(arguments[0], str) and not needs_cubenet:
        if not os.path.abspath(arguments[0]).startswith(SYSTEM):
            raise Refused(f"the answer opens {arguments[0]!r}, but an answer reads no files")
    elif event.startswith(REFUSED):
        raise Refused(f"the answer calls {event}(), but an answer only returns a value")


def argument(named):
    """What JSON has no form for."""
    if "set" in named:
        return set(named["set"])
    from cubenet import Topology
    if "cube" in named:
        return Topology.hypercube(named["cube"])

    def in_order(node, destination, came):
        return [(next(port for port in named["order"] if (node ^ destination) >> port & 1), 0)]
    return in_order


def plain(value):
    """Exact types: what only looks like a number stays here."""
    if type(value) is int and value.bit_length() > 64:
        raise Refused(f"the answer returns a whole number of {value.bit_length()} bits, where 64 are enough")
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) in (list, tuple, set, frozenset):
        return [plain(element) for element in value]
    raise Refused(f"the answer returns an object of the class {type(value).__name__}; it must be a plain int, float, "
                  "bool, None, or a list, tuple or set of them")


def attempt(action):
    """(kind, value) of the answer to a call."""
    try:
        return "value", action()
    except NotImplementedError:
        return "unwritten", None
    except MemoryError:
        return "error", "it takes more memory than it may"
    except Refused as refused:
        kind, place = "", refused
    except Exception as error:
        kind, place = f"{type(error).__name__}: ", error
    where = next((f" ({os.path.basename(frame.filename)}, line {frame.lineno})"
                  for frame in reversed(traceback.extract_tb(place.__traceback__))
                  if os.path.dirname(frame.filename) == HERE), "")
    return "error", f"{kind}{place}{where}"


def main(name, folder=None):
    calls, report = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what an answer prints goes elsewhere
    sys.path.insert(0, HERE)

    def reply(kind, value):
        sys.stdout.flush()
        report.write(json.dumps([token, kind, value]) + "\n")
        report.flush()
    answer, token = None, ""
    if folder is None:
        sys.modules["cubenet"] = StandIn("cubenet", WITHOUT)
    else:
        sys.path.append(folder)

    def find():
        importlib.import_module("cubenet")
    reply(*attempt(find))  # a fault here is none of the answer
    for module in ("__main__", *GRADER):
        sys.modules[module] = StandIn(module, PATCHED)
    sys.addaudithook(lambda event, arguments: guard(event, arguments, folder is not None))

    def load():
        nonlocal answer
        answer = importlib.import_module(name)

    def call():
        if not hasattr(answer, function):
            raise Refused(f"there is no function {function}()")
        return plain(getattr(answer, function)(*arguments))
    kind, value = attempt(load)
    while True:
        reply(kind, value)
        line = calls.readline()
        if kind != "value" or not line:
            return
        token, function, arguments = json.loads(line, object_hook=argument)
        kind, value = attempt(call)


if __name__ == "__main__":
    kept = sys.modules["__main__"]
    main(*sys.argv[1:])

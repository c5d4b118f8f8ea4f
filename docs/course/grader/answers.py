"""The answers of one student to one assignment: which files they are, and the processes that run them."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import cubenet

from .child import Child, Wrong, give_up, one_line, run_tool, show
from .confine import PYTHON
from .questions import RETURNS

HERE = Path(__file__).resolve().parent
COURSE = HERE.parent
PACKAGE = Path(cubenet.__file__).resolve().parent
LIBRARY = sys.modules["cubenet._library"]._library._name
LARGEST = 1 << 20  # bytes of a file
kept = tempfile.TemporaryDirectory()  # of what all students need
# Functions of the C library that an answer has no reason to call.
REFUSED = {"dlopen", "dlmopen", "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "fexecve", "fork",
           "popen", "posix_spawn", "posix_spawnp", "ptrace", "socket", "syscall", "system", "vfork"}


class Limits(NamedTuple):
    seconds: float
    memory: int  # MiB


class Tools(NamedTuple):
    """compiler: a command; include: the folder of cubenet.h, or None; library: what C answers that need cubenet are
    linked with; quiet: whether to leave out what answers and compilers print."""
    compiler: list
    include: Path
    library: str
    quiet: bool


def include_folder():
    """Where cubenet.h is, in the archive and in the source tree; None where the compiler knows."""
    folders = [COURSE, COURSE.parent.parent / "include"]
    return next((folder for folder in folders if (folder / "cubenet.h").exists()), None)


def handed_in(folder, name):
    """The one file of an answer."""
    files = [folder / (name + ending) for ending in (".py", ".c")]
    there = [file for file in files if os.path.lexists(file)]
    if not there:
        raise Wrong(f"there is no {name}.py and no {name}.c")
    if len(there) > 1:
        raise Wrong(f"{name}.py and {name}.c are there, but only one of them can count")
    if there[0].is_symlink() or not there[0].is_file():
        raise Wrong(f"{there[0].name} is no file but a link or a folder")
    if there[0].stat().st_size > LARGEST:
        raise Wrong(f"{there[0].name} has more than {LARGEST >> 20} MiB")
    return there[0]


class Answers:
    """A folder of their own, with nothing else in it, as long as the assignment is graded."""

    def __init__(self, folder, assignment, limits, tools):
        self.assignment, self.limits, self.tools = assignment, limits, tools
        self.failed = {}  # a sentence, by whether cubenet is needed: a file that cannot be loaded is not tried again
        self.made = tempfile.TemporaryDirectory()
        self.folder = Path(os.path.realpath(self.made.name))
        try:
            self.language = self.copied(folder, assignment.name).suffix
        except Wrong as wrong:
            self.failed = dict.fromkeys((False, True), str(wrong))
        self.also = []
        for other in assignment.also:  # what an answer may use of another assignment
            try:
                self.also.append(self.copied(folder, other).name)
            except Wrong:
                pass  # a mistake of another assignment

    def copied(self, folder, name):
        file = handed_in(folder, name)
        try:
            return Path(shutil.copyfile(file, self.folder / file.name))
        except OSError as error:
            raise Wrong(f"{file.name} cannot be read: {error.strerror}") from None

    def open(self, needs_cubenet):
        """A child with the answer loaded."""
        if needs_cubenet in self.failed:
            raise Wrong(self.failed[needs_cubenet])
        child = None
        try:
            child = (python_child if self.language == ".py" else c_child)(self, needs_cubenet)
            child.read("")  # the answer is loaded
        except BaseException as error:
            if isinstance(error, Wrong):
                self.failed[needs_cubenet] = str(error)
            if child is not None:
                self.close(child)
            raise
        return child

    def close(self, child):
        printed = child.close()
        if not self.tools.quiet:
            show(printed)


# ---- Python ----

@functools.lru_cache(None)
def package_alone():
    """A folder of the package and nothing else, unlike the one where it is installed."""
    folder = Path(os.path.realpath(kept.name)) / "package"
    folder.mkdir()
    (folder / PACKAGE.name).symlink_to(PACKAGE)
    return folder


def python_child(answers, needs_cubenet):
    command = [os.path.realpath(sys.executable), "-I", "-S", "-B", HERE / "run.py", answers.assignment.name]
    readable, environment = [*PYTHON, HERE / "run.py"], {}
    if needs_cubenet:
        command.append(package_alone())
        readable += [command[-1], PACKAGE, LIBRARY]
        environment = {"CUBENET_LIBRARY": LIBRARY}

    def encode(token, function, arguments):
        return json.dumps([token, function, arguments])
    child = Child(command, answers.folder, encode, answers.limits, readable, environment)
    try:
        child.read("")  # of run.py itself, before it loads the answer
    except Wrong as wrong:
        give_up(wrong)
    return child


# ---- C ----

def flat(arguments):
    """Words; a list is its length and its elements."""
    for argument in arguments:
        if isinstance(argument, dict):
            argument, = argument.values()
        if isinstance(argument, list):
            yield str(len(argument))
            yield from flat(argument)
        else:
            yield str(argument)


def c_child(answers, needs_cubenet):
    program = answers.folder / f"answer_{int(needs_cubenet)}"
    if not program.exists():
        link(answers, program, needs_cubenet)

    def encode(token, function, arguments):
        return " ".join([token, function, *flat(arguments)])
    readable = [answers.tools.library] if needs_cubenet else []
    return Child([program], answers.folder, encode, answers.limits, readable, {})


def near(tools):
    """Where a compiler has what belongs to it, if it is not one of the system."""
    program = shutil.which(tools.compiler[0])
    folder = Path(program or "/bin/cc").resolve().parent.parent
    return [] if str(folder) == folder.anchor else [folder]


def compiled(tools, limits, folder, source, *options):
    """The object of a source, in the folder."""
    include = [] if tools.include is None else ["-I", tools.include]
    made = folder / (Path(source).stem + ".o")
    command = [*tools.compiler, "-O1", "-I", COURSE / "c", *include, *options, "-c", source, "-o", made]
    worked, printed = run_tool(command, folder, limits, [*near(tools), COURSE / "c", HERE, *include[1:]])
    if not worked:
        if not tools.quiet:
            show(printed)
        error = re.search(r".*\berror: .*", printed)
        raise Wrong(f"{Path(source).name} does not compile: {one_line(error[0] if error else printed)}")
    return made


@functools.lru_cache(None)
def runner(tools, limits, number, needs_cubenet):
    """The object of run.c for an assignment, the same one for all students."""
    folder = Path(os.path.realpath(kept.name)) / f"{number}_{int(needs_cubenet)}"
    folder.mkdir()
    try:
        return compiled(tools, limits, folder, HERE / "run.c", f"-DASSIGNMENT={number}",
                        f"-DNEEDS_CUBENET={int(needs_cubenet)}")
    except Wrong as wrong:
        give_up(wrong)


def symbols(file):
    """(defined, undefined) names that the linker sees."""
    try:
        printed = subprocess.run(["nm", "-P", "-g", file], stdout=subprocess.PIPE, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        give_up(error)
    found = [line.split()[:2] for line in printed.splitlines()]
    names = [(name[1:] if sys.platform == "darwin" else name, kind) for name, kind in found]
    return {name for name, kind in names if kind not in "Uwv"}, {name for name, kind in names if kind in "Uwv"}


def names_in(answers, objects):
    """(defined, undefined) names of an answer, with none that it has no business with."""
    name = answers.assignment.name + ".c"
    defined, wanted = (set().union(*names) for names in zip(*map(symbols, objects)))
    own = sorted(symbol for symbol in defined if symbol.startswith("cn_"))
    if own:
        raise Wrong(f"{name} brings functions of cubenet along ({own[0]}): they are to be written")
    if wanted & REFUSED:
        raise Wrong(f"{name} calls {min(wanted & REFUSED)}(), but an answer only returns a value")
    return defined, wanted


def stand_ins(answers, absent):
    """What is not there is there as a function that says so; absent has the one that it calls."""
    source = answers.folder / "stand_ins.c"
    source.write_text("void miss(const char *name);\nvoid refuse(const char *name);\n" + "".join(
        f'void {symbol}(void) {{ {sayer}("{symbol}"); }}\n' for symbol, sayer in sorted(absent.items())))
    return compiled(answers.tools, answers.limits, answers.folder, source)


def link(answers, program, needs_cubenet):
    tools, limits, folder = answers.tools, answers.limits, answers.folder
    judged = runner(tools, limits, answers.assignment.number, needs_cubenet)
    objects = [compiled(tools, limits, folder, answers.assignment.name + ".c")]
    for other in answers.also:
        try:
            objects += [compiled(tools, limits, folder, other)] if other.endswith(".c") else []
        except Wrong:
            pass
    defined, wanted = names_in(answers, objects)
    absent = dict.fromkeys(symbols(judged)[1] & set(RETURNS) - defined, "miss")
    if not needs_cubenet:
        absent.update((symbol, "refuse") for symbol in wanted if symbol.startswith("cn_"))
    objects += [judged, stand_ins(answers, absent)]
    if needs_cubenet:
        library = Path(tools.library)
        objects += [library, f"-Wl,-rpath,{library.parent}", "-pthread"] if library.is_absolute() else [f"-l:{library}"]
    worked, printed = run_tool([*tools.compiler, *objects, "-lm", "-o", program], folder, limits,
                               [*near(tools), kept.name, tools.library])
    if not worked:
        error = re.search(r"(?:multiple|undefined|duplicate|error).*", printed)
        raise Wrong(f"{answers.assignment.name}.c does not link: {one_line(error[0] if error else printed)}")

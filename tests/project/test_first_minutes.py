"""The commands of the README and of docs/start.md, as printed, in a fresh copy of the tree: from the quickstart to the
programs that use what was installed. With the python3 that is first on the path; and, where there is another behind it, with
that one all that an interpreter has a part in: it configures and installs what the first has compiled.

What is installed under /usr/local stays in a mount namespace of its own; where there can be none, the
same commands run with a prefix in a temporary folder. cc compiles without optimization, which is quicker; how the
library is built otherwise is seen where it is built."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tree

PAGES = [(tree.ROOT / name).read_text() for name in ("README.md", "docs/start.md")]
PREFIX = "/usr/local"
# the mounts are seen by this process and its children alone
OVERLAY = f"""set -e
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work"
mount -t overlay -o lowerdir={PREFIX},upperdir="$1/upper",workdir="$1/work" none {PREFIX}
exec sh -e "$2"
"""
QUICK_CC = """#!/bin/sh
exec {} "$@" -O0 -DCNI_ONE_COPY
"""


def blocks():
    """The blocks of the pages in their order: (language, text); shell for what is indented."""
    pattern = r"^```(\w+)\n((?:.*\n)*?)```|((?:^    .*\n|^\n(?=    ))+)"
    for page in PAGES:
        for found in re.finditer(pattern, page, re.MULTILINE):
            language, code, indented = found.groups()
            yield language or "shell", code or re.sub("^    ", "", indented, flags=re.MULTILINE)


def shell_lines():
    """The commands, each once: a block of lines that all begin as one does. Then the examples in Python, which need them."""
    begin = re.compile(r"(sh|cp|build/bench/\w+|meson|\.|cc|\./\w+|PYTHONPATH=\S+ python3) ?")
    seen, examples = {"sh tests/run.sh"}, []
    for language, text in blocks():
        lines = text.strip("\n").split("\n")
        if language == "python":
            examples.append("cat >example.py <<'END'\n" + text + "END\npython3 example.py")
        elif language == "shell" and all(begin.match(line) for line in lines):
            yield from (line for line in lines if line not in seen)
            seen.update(lines)
    yield from examples


def namespace():
    """The command before a script and its folder for mounts, or None."""
    command = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    if shutil.which("unshare") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        probe = pathlib.Path(folder, "probe")
        probe.write_text(f"touch {PREFIX}/probe-of-cubenet\n")
        mounts = pathlib.Path(folder, "mounts")
        mounts.mkdir()
        command += ["sh", "-c", OVERLAY, "sh"]
        done = subprocess.run([*command, mounts, probe], capture_output=True)
        leaked = os.path.exists(f"{PREFIX}/probe-of-cubenet")
        return command if done.returncode == 0 and not leaked else None


def with_what_is_compiled(lines):
    """The lines from the first with Python on, in a tree in which all of them were carried out before."""
    yield "mv build-install compiled"
    for line in lines:
        if " -c cubenet.c" in line:
            continue
        if line.startswith(("PYTHONPATH=", "meson setup", ". ", "cc ", "./", "cat ")):
            yield line
        elif line.startswith("meson compile -C build-install"):
            yield "cp -a compiled/lib/libcubenet.* build-install/lib"
        elif line.startswith("meson install"):
            yield f"{line} --no-rebuild"


def quick_cc(folder):
    """The folder of a cc that stands before the other."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "cc").write_text(QUICK_CC.format(tree.tool("cc")))
    (programs / "cc").chmod(0o755)
    return programs


def follow(path, folder, lines, isolated):
    copy, home, mounts = folder / "cubenet", folder / "home", folder / "mounts"
    for made in home, mounts:
        made.mkdir(exist_ok=True)
    commands = "\n".join(lines)
    if isolated is None:
        # a shell does not take $(pkg-config --cflags --libs) for a path with a space: test_installed_package.py has one
        commands = commands.replace(PREFIX, str(folder / "prefix"))
    script = folder / "script"
    script.write_text(f"cd '{copy}'\nset -x\n{commands}\n")
    # an empty home, no variables of ours: what a new user has
    environment = {"HOME": str(home), "PATH": f"{quick_cc(folder)}:{path}", "LANG": "C.UTF-8"}
    before = [*isolated, mounts] if isolated else ["sh", "-e"]
    return subprocess.run([*before, script], env=environment, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True)


def check(what, path, folder, lines, wanted, isolated):
    done = follow(path, folder, lines, isolated)
    if done.returncode != 0:
        return [f"with {what} python3: status {done.returncode}\n{done.stdout}\n{done.stderr}"]
    return [f"with {what} python3 nothing prints {part!r}" for part in wanted
            if part not in done.stdout]


def path_of_another():
    """The path with its first folder whose python3 is another than the first one at the beginning; or None."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = {folder: os.path.realpath(shutil.which("python3", path=folder))
             for folder in folders if shutil.which("python3", path=folder)}
    first = next(iter(found.values()))
    others = [folder for folder, program in found.items() if program != first]
    return os.pathsep.join([others[0], *folders]) if others else None


def check_all(lines, isolated):
    first, other = os.environ.get("PATH", os.defpath), path_of_another()
    of_build = ["Deflection routing in hypercube(6)", "shahrabi01-fig-1"]
    of_install = ["mean delay 5.3279 cycles", "model 5.3279, simulation 5.3213", "model      5.3279", "acyclic 0.938",
                  "To use cubenet in this shell:  . "]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(tree.ROOT, folder / "cubenet", ignore=shutil.ignore_patterns(
            "build", "build-*", ".git", "__pycache__"))
        problems = check("the first", first, folder, lines, of_build + of_install, isolated)
        if not list(folder.rglob("horng92-fig-3.9.csv")):
            problems.append("there is no horng92-fig-3.9.csv")
        if problems or other is None:
            return problems
        # the prefix is empty again: with mounts by itself
        shutil.rmtree(folder / "prefix", ignore_errors=True)
        return check("another", other, folder, with_what_is_compiled(lines), of_install, isolated)


lines = list(shell_lines())
problems = [f"the pages have no line {begin!r}..." for begin in (
    "sh docs/quickstart.sh", "build/bench/reproduce list", "PYTHONPATH=", "meson install", ". /usr/local",
    "cc -o first", "./first", "cat >example.py") if not any(line.startswith(begin) for line in lines)]
isolated = namespace()
if isolated is None:
    print(f"no mount namespace here: {PREFIX} becomes a temporary prefix")
problems += check_all(lines, isolated)
tree.finish(problems)

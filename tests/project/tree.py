"""What the checks of the tree share."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLIC = ROOT / "include" / "cubenet"
EXPERIMENTAL = PUBLIC / "experimental"
CPP_HEADER = ROOT / "include" / "cubenet.hpp"
SKIP = 77  # meson's code for a test that could not run here


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIP)


def leave_out(reason):
    """The rest of the test goes on without this."""
    print(f"skipped: {reason}")


def finish(problems):
    """Ends the test: each problem is one line."""
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


def tool(name):
    """The path of a program, or the end of the test as skipped."""
    return shutil.which(name) or skip(f"there is no {name} here")


def run_for_status(*command, **options):
    """Runs a command that may fail."""
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, **options)


def run(*command, **options):
    """Runs a command that must succeed and gives back what it printed; the test ends if it fails."""
    done = run_for_status(*command, **options)
    if done.returncode != 0:
        print(f"$ {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
        sys.exit(f"exit status {done.returncode}")
    return done.stdout


def files(*folders, suffixes=(".c", ".h")):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in suffixes:
                yield path


def name(path):
    return path.relative_to(ROOT).as_posix()


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)


def core_headers():
    """Those whose names, numbers and meaning stay."""
    return [ROOT / "include" / "cubenet.h"] + sorted(PUBLIC.glob("*.h"))


def experimental_headers():
    """Those that may change in any version."""
    return sorted(EXPERIMENTAL.glob("*.h"))


def public_headers():
    return core_headers() + experimental_headers()


def exported(tier):
    """The names that the library exports: "core" or "experimental"."""
    return (ROOT / "lib" / "symbols" / f"{tier}.txt").read_text().split()


def environment(**changes):
    return {**os.environ, **{key: str(value) for key, value in changes.items()}}

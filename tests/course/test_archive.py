"""The archive for students who cannot install anything: unpacked in a folder of its own, with an environment in which nothing
is set, make grades the starter code and the model solutions in both languages.

    test_archive.py MAKE_ARCHIVE CUBENET_C LIBRARY VERSION MAKE_WHEEL COMPILER...
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
make_archive, *made_of = sys.argv[1:6]
COMPILER = [word for word in sys.argv[6:] if not word.endswith("ccache")]


def run(*command, folder=None):
    """In the environment of a student who has just logged in."""
    done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], "HOME": "/nowhere"})
    if done.returncode != 0:
        sys.exit(f"{command}\n{done.stdout}")
    return done.stdout


def make(folder, *arguments):
    return run("make", f"CC={' '.join(COMPILER)}", "CFLAGS=-O0", f"PYTHON={sys.executable}", *arguments, folder=folder)


def problems(folder):
    archives = []
    for turn in "first", "second":
        (folder / turn).mkdir()
        run(sys.executable, make_archive, *made_of, str(folder / turn))
        archives.append(folder / turn / "cubenet-course.tar.gz")
    if archives[0].read_bytes() != archives[1].read_bytes():
        yield "two archives of the same files differ"
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder)
    course = folder / "cubenet-course"
    for page in course.glob("*.md"):
        for link in re.findall(r"\]\(([^)#]*)", page.read_text()):
            if not (course / link).exists():
                yield f"{page.name}: there is no {link}"
    printed = make(course, "grade")
    if re.findall(r"^\d+ of \d+ points$", printed, re.MULTILINE) != ["0 of 70 points"] * 2 or printed.count("not written yet") != 68:
        yield f"the starter code:\n{printed}"
    if any(re.search("raise NotImplementedError|not_written", file.read_text()) is None
           for file in [*course.glob("python/*.py"), *course.glob("c/*.c")]):
        yield "not all starter code waits for answers"
    for language in "python", "c":
        shutil.copytree(HERE / "solutions" / language, course / language, dirs_exist_ok=True)
    printed = make(course, "grade")
    if printed.count("70 of 70 points") != 2:
        yield f"the model solutions:\n{printed}"
    printed = make(course, "grade-python", "OWN=1", "ONLY=7")
    if printed.count("10 of 10 points") != 1 or not (course / "libcubenet.so.1").exists():
        yield f"a library that is compiled here:\n{printed}"


with tempfile.TemporaryDirectory() as made:
    found = list(problems(Path(made)))
print("\n".join(found))
sys.exit(1 if found else 0)

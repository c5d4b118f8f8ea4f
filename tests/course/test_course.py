"""The graders of the course: full points for the model solutions, none for the starter code, and for each wrong
answer the question that it fails and the sentence that names the mistake.

    test_course.py python               CUBENET_LIBRARY names the library
    test_course.py c LIBRARY COMPILER...
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from wrong_answers import MISTAKES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COURSE = ROOT / "docs" / "course"
ASSIGNMENTS = ["necklaces", "routing", "two_phase", "chain", "convex", "broadcast", "shuffle"]
QUESTIONS, POINTS = 34, 70


class Python:
    ending, language = ".py", 3

    def __init__(self, folder):
        self.folder = Path(folder)
        self.solutions = HERE / "solutions" / "python"

    def given(self):
        return run(sys.executable, COURSE / "python" / "grade.py")

    def right(self):
        return run(sys.executable, COURSE / "python" / "grade.py", self.solutions)

    def wrong(self, number, name, text, assignment, seconds):
        folder = self.folder / str(number)
        folder.mkdir()
        (folder / f"{name}.py").write_text(text)
        return run(sys.executable, COURSE / "python" / "grade.py", folder, assignment,
                   seconds=seconds)


class C:
    ending, language = ".c", 2

    def __init__(self, folder, library, *compiler):
        self.folder, self.library, self.compiler = Path(folder), Path(library), compiler
        self.solutions = HERE / "solutions" / "c"
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            sources = [COURSE / "c" / "grade.c",
                       *(self.solutions / f"{name}.c" for name in ASSIGNMENTS)]
            self.objects = dict(zip(["grade", *ASSIGNMENTS], pool.map(self.compile, sources)))

    def compile(self, source, name=None):
        made = self.folder / f"{name or source.stem}.o"
        run(*self.compiler, "-std=c11", "-Wall", "-Wno-infinite-recursion", f"-I{ROOT / 'include'}",
            f"-I{COURSE / 'c'}", "-c", source, "-o", made, must=True)
        return made

    def grade(self, name, objects, *arguments, seconds=60):
        program = self.folder / name
        run(*self.compiler, *objects, self.library, f"-Wl,-rpath,{self.library.parent}", "-lm", "-o",
            program, must=True)
        return run(program, *arguments, seconds=seconds)

    def given(self):
        objects = [self.compile(COURSE / "c" / f"{name}.c", f"given_{name}") for name in ASSIGNMENTS]
        return self.grade("given", [self.objects["grade"], *objects])

    def right(self):
        return self.grade("right", self.objects.values())

    def wrong(self, number, name, text, assignment, seconds):
        source = self.folder / f"wrong_{number}.c"
        source.write_text(text.replace('#include "course.h"', '#include "course.h"\n#include <stdlib.h>\n#include <unistd.h>'))
        objects = {**self.objects, name: self.compile(source)}
        return self.grade(f"wrong_{number}", objects.values(), assignment, seconds=seconds)


def run(*command, must=False, seconds=60):
    """seconds: what the grader allows for a question."""
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT if must else subprocess.DEVNULL,
                          env={**os.environ, "COURSE_SECONDS": str(seconds)})
    if must and done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.returncode, done.stdout


def of_question(printed, question):
    """(points reached, points, sentence)."""
    found = re.search(rf"^   {re.escape(question)} +(\d) of (\d)(?:   (.*))?$", printed, re.MULTILINE)
    return (int(found[1]), int(found[2]), found[3] or "") if found else (None, None, printed)


def problems_of(grader, number, mistake):
    name, question, *languages = mistake
    old, new, sentence = languages[grader.language - 2]
    solution = (grader.solutions / (name + grader.ending)).read_text()
    where = f"mistake {number}, {name}{grader.ending}"
    if solution.count(old) != 1:
        return [f"{where}: {old!r} is {solution.count(old)} times in the model solution"]
    assignment = ASSIGNMENTS.index(name) + 1
    status, printed = grader.wrong(number, name, solution.replace(old, new), assignment,
                                   1 if "still running" in sentence else 60)
    reached, points, said = of_question(printed, question)
    problems = []
    if reached != 0 or sentence not in said:
        problems.append(f"{where}: {question} must say {sentence!r}, but {reached} of {points}: {said}")
    total = re.search(r"^(\d+) of (\d+) points$", printed, re.MULTILINE)
    if status != 1 or not total or int(total[1]) >= int(total[2]):
        problems.append(f"{where}: exit status {status}, and in the end: {printed.splitlines()[-1:]}")
    return problems


def problems(grader):
    status, printed = grader.right()
    if status != 0 or f"{POINTS} of {POINTS} points" not in printed:
        yield f"the model solutions have exit status {status}:\n{printed}"
    status, printed = grader.given()
    written = QUESTIONS - printed.count("not written yet")
    if status != 1 or written or f"0 of {POINTS} points" not in printed:
        yield f"the starter code has exit status {status}, {written} questions are written:\n{printed}"
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda case: problems_of(grader, *case), enumerate(MISTAKES)):
            yield from found


with tempfile.TemporaryDirectory() as made:
    found = list(problems({"python": Python, "c": C}[sys.argv[1]](made, *sys.argv[2:])))
print("\n".join(found))
sys.exit(1 if found else 0)

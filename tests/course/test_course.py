"""The grader of the course: full points for the model solutions, none for the starter code, for each wrong answer the
question that it fails and the sentence that names the mistake, and none for cheats.

    test_course.py python|c COMPILER...               CUBENET_LIBRARY names the library
    test_course.py reports COMPILER...                the reports on many students
"""

import csv
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cheats
from wrong_answers import MISTAKES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COURSE = ROOT / "docs" / "course"
ASSIGNMENTS = ["necklaces", "routing", "two_phase", "chain", "convex", "broadcast", "shuffle"]
QUESTIONS, POINTS = 34, 70
COMPILER = " ".join(word for word in sys.argv[2:] if not word.endswith("ccache"))


def solutions(ending):
    return HERE / "solutions" / {".py": "python", ".c": "c"}[ending]


def grade(*arguments, seconds=60):
    """seconds: what the grader allows for a question."""
    command = [sys.executable, COURSE / "grade.py", *arguments, "--seconds", seconds, "--cc", COMPILER]
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1) or "grade.py" in done.stderr and "Traceback" in done.stderr:
        sys.exit(f"{command}\n{done.stdout}{done.stderr}")
    return done.returncode, done.stdout


def graded(name, text, seconds):
    """What the grader says of one file."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_text(text)
        return grade(folder, ASSIGNMENTS.index(name.split(".")[0]) + 1, seconds=seconds)


def of_question(printed, question):
    """(points reached, points, sentence)."""
    found = re.search(rf"^   {re.escape(question)} +(\d) of (\d)(?:   (.*))?$", printed, re.MULTILINE)
    return (int(found[1]), int(found[2]), found[3] or "") if found else (None, None, printed)


def problems_of(where, name, text, question, pattern):
    status, printed = graded(name, text, 1 if "still" in pattern else 60)
    reached, points, said = of_question(printed, question)
    if reached != 0 or not re.search(pattern, said):
        yield f"{where}: {question} must say {pattern!r}, but {reached} of {points}: {said}"
    total = re.search(r"^(\d+) of (\d+) points$", printed, re.MULTILINE)
    if status != 1 or not total or int(total[1]) >= int(total[2]):
        yield f"{where}: exit status {status}, and in the end: {printed.splitlines()[-1:]}"


def mistaken(ending, number, mistake):
    name, question, *languages = mistake
    old, new, sentence = languages[ending == ".py"]
    solution = (solutions(ending) / (name + ending)).read_text()
    where = f"mistake {number}, {name}{ending}"
    if solution.count(old) != 1:
        return [f"{where}: {old!r} is {solution.count(old)} times in the model solution"]
    text = solution.replace(old, new)
    if "_Exit" in new:
        text = text.replace('#include "course.h"', '#include "course.h"\n#include <stdlib.h>')
    return list(problems_of(where, name + ending, text, question, re.escape(sentence)))


def cheated(cheat, folder):
    title, name, question, text, pattern = cheat
    known = {"library": os.environ["CUBENET_LIBRARY"], "package": str(ROOT / "lib" / "python"),
             "grader": str(folder / "grade.py"), "solution": str(solutions(Path(name).suffix) / name)}
    found = list(problems_of(f"cheat {title!r}, {name}", name, text.format(**known), question, pattern))
    if (folder / "grade.py").read_text() != (COURSE / "grade.py").read_text():
        found.append(f"cheat {title!r} has changed the grader")
    return found


def tried(ending):
    """The cheats of a language; what only the kernel refuses is tried where the kernel does."""
    sys.path.insert(0, str(COURSE))
    from grader.confine import MISSING
    return cheats.PYTHON if ending == ".py" else cheats.C if MISSING else cheats.C + cheats.CONFINED


def language_problems(ending):
    with ThreadPoolExecutor(os.cpu_count()) as pool, tempfile.TemporaryDirectory() as folder:
        right = pool.submit(grade, solutions(ending))
        given = pool.submit(grade, COURSE / solutions(ending).name)
        (Path(folder) / "grade.py").write_text((COURSE / "grade.py").read_text())  # for a cheat that changes it
        wrong = pool.map(lambda case: mistaken(ending, *case), enumerate(MISTAKES))
        cheating = pool.map(lambda cheat: cheated(cheat, Path(folder)), tried(ending))
        status, printed = right.result()
        if status != 0 or f"{POINTS} of {POINTS} points" not in printed:
            yield f"the model solutions have exit status {status}:\n{printed}"
        status, printed = given.result()
        written = QUESTIONS - printed.count("not written yet")
        if status != 1 or written or f"0 of {POINTS} points" not in printed:
            yield f"the starter code has exit status {status}, {written} questions are written:\n{printed}"
        for found in (*wrong, *cheating):
            yield from found
    for name, old, new in cheats.HARMLESS:
        if name.endswith(ending):
            status, printed = graded(name, (solutions(ending) / name).read_text().replace(old, new), 60)
            if status != 0 or "noise" in printed:
                yield f"a harmless answer has exit status {status}:\n{printed}"


def submissions(folder):
    """Students who have done the same assignment: well, with a mistake, and not at all."""
    files = {"ada": [("necklaces.py", None)], "bob": [("necklaces.c", None)],
             "eve": [("necklaces.py", "def rotate(k, n, node):\n    return 0\n\ndef distance(k, n, a, b):\n    return 0 / 0\n")],
             "hal": [], "ivy": [("necklaces.py", None), ("necklaces.c", None)]}
    for student, written in files.items():
        (folder / student).mkdir()
        for name, text in written:
            text = text or (solutions(Path(name).suffix) / name).read_text()
            (folder / student / name).write_text(text)
    (folder / "joe").mkdir()
    (folder / "joe" / "necklaces.py").symlink_to(solutions(".py") / "necklaces.py")
    (folder / "readme.txt").write_text("no student\n")


def report_problems():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        submissions(folder / "in")
        status, printed = grade("--folder", folder / "in", 1, "--csv", folder / "all.csv", "--json", folder / "all.json")
        reached = {"ada": 10, "bob": 10, "eve": 0, "hal": 0, "ivy": 0, "joe": 0}
        if status != 0 or printed.split() != " ".join(f"{name} {points} of 10" for name, points in reached.items()).split():
            yield f"--folder has exit status {status} and prints\n{printed}"
        rows = list(csv.reader((folder / "all.csv").read_text().splitlines()))
        if rows != [["student", "assignment 1", "points", "of"],
                    *([name, str(points), str(points), "10"] for name, points in reached.items())]:
            yield f"--csv: {rows}"
        told = {student["student"]: student["assignments"][0]["questions"]
                for student in json.loads((folder / "all.json").read_text())["students"]}
        said = {student: [question["sentence"] for question in questions] for student, questions in told.items()}
        expected = {"ada": [""] * 4, "bob": [""] * 4, "hal": ["there is no necklaces.py and no necklaces.c"] * 4,
                    "ivy": ["necklaces.py and necklaces.c are there, but only one of them can count"] * 4,
                    "joe": ["necklaces.py is no file but a link or a folder"] * 4,
                    "eve": ["ZeroDivisionError: division by zero (necklaces.py, line 5)",
                            "rotate of node 1 (0001) in GH(4,2): 0, expected 2",
                            "there is no function generator()", "there is no function displacement()"]}
        if said != expected:
            yield f"--json: {said}"
        grade(folder / "in" / "eve", 1, "--gradescope", folder / "results.json")
        tests = json.loads((folder / "results.json").read_text())["tests"]
        if tests[1] != {"name": "rotate", "number": "1.2", "score": 0, "max_score": 2, "status": "failed",
                        "output": expected["eve"][1]} or sum(test["max_score"] for test in tests) != 10:
            yield f"--gradescope: {tests}"
        yield from seed_problems()
        yield from refusal_problems()
        yield from interrupt_problems()
        yield from judge_problems()


def refusal_problems():
    """What the grader cannot do ends with exit status 2 and a sentence."""
    for wrong, sentence in [(["nowhere"], "grade.py: error: nowhere is no folder of answers"), (["--seconds", "0"], "--seconds: invalid"),
                            (["--memory", "1"], "--memory: invalid"), (["--folder", "nowhere"], "--folder names the folder"),
                            ([".", "8"], "there is no assignment 8; there are 1 .. 7"),
                            ([".", ".."], "., ..: one folder of answers, or --folder"), ([], "there are no answers here"),
                            ([COURSE / "c", "1", "--cc", "nowhere"], "The grader cannot go on: run.c does not compile"),
                            ([COURSE / "c", "1", "--include", "nowhere"], "cubenet.h: No such file or directory")]:
        done = subprocess.run([sys.executable, str(COURSE / "grade.py"), *map(str, wrong)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode != 2 or "Traceback" in done.stderr or sentence not in done.stderr:
            yield f"{wrong}: exit status {done.returncode}\n{done.stderr}"


class Returning:
    """In place of a child: all functions return the same."""

    def __init__(self, value):
        self.value = value

    def ask(self, function, arguments):
        return self.value


def judge_problems():
    """Whatever comes back, the judge decides, and no value is right for all calls of a question."""
    sys.path.insert(0, str(COURSE))
    from grader.child import Wrong
    from grader.questions import ASSIGNMENTS, Answer
    plain = [None, True, False, 0, 1, -1, 2**63, 10**24, 0.0, 1.5, math.nan, -math.inf, "", "x"]
    lists = [[], [[]], [[[]]], [[0, 0, 1], [1, 0, 1]], [[0.0] * 3] * 3, [[10**24] * 3] * 3, [{}], {}]
    for value in [*plain, *lists, *([element] * count for element in plain for count in (1, 2, 3, 5))]:
        for assignment in ASSIGNMENTS:
            wrong = 0
            for question in assignment.questions:
                try:
                    question.check(Answer(Returning(value)), random.Random(0))
                except Wrong:
                    wrong += 1
                except Exception as error:
                    yield f"{question.name}: {value!r} ends the judge: {error!r}"
            if wrong < len(assignment.questions):
                yield f"{assignment.title}: {value!r} is right {len(assignment.questions) - wrong} times"


def interrupt_problems():
    """Ctrl-C ends the grader and what it has started."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "necklaces.py").write_text("import sys\nprint('begun', file=sys.stderr)\nwhile True:\n    pass\n")
        process = subprocess.Popen([sys.executable, str(COURSE / "grade.py"), folder, "1"], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        end, started = time.monotonic() + 60, []
        while children.exists() and not started and time.monotonic() < end:
            started = children.read_text().split()
            time.sleep(0.01)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        printed = process.communicate(timeout=60)[0]
    if process.returncode != 130 or "Traceback" in printed or any(Path(f"/proc/{child}").exists() for child in started):
        yield f"an interrupt gives exit status {process.returncode}, with {started} started:\n{printed}"


def seed_problems():
    """The same seed asks the same, another one something else."""
    text = "def two_phase(channels, buffers, preferred, random):\n    raise ValueError(random)\n"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "two_phase.py").write_text(text)
        first, again, other = (grade(folder, 3, *seed)[1] for seed in ([], ["--seed", "1992"], ["--seed", "secret"]))
    if first != again or first == other or "ValueError: [" not in other:
        yield f"seeds:\n{first}\n{again}\n{other}"


what = {"python": lambda: language_problems(".py"), "c": lambda: language_problems(".c"), "reports": report_problems}
found = list(what[sys.argv[1]]())
print("\n".join(found))
sys.exit(1 if found else 0)

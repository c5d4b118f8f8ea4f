"""Grades the seven assignments, in C and Python.

    python3 grade.py FOLDER [NUMBER...]              the answers in a folder, here by default; NUMBER: 1 .. 7
    python3 grade.py --folder FOLDERS [NUMBER...]    those of all students, each in a folder of FOLDERS

Prints the points of each question and, where an answer is wrong, the first place where it is. Answers run in processes
of their own and have no part in the comparison. The exit status is 0 when all points are reached or, with --folder,
when all answers have been graded."""

import argparse
import csv
import json
import os
import random
import shlex
import sys
from pathlib import Path

try:
    import cubenet  # noqa: F401
except ImportError as error:
    print(f"The grader needs the Python package cubenet: {error}", file=sys.stderr)
    sys.exit(2)

from grader.answers import LIBRARY, Answers, Limits, Tools, include_folder
from grader.child import Wrong
from grader.confine import MISSING
from grader.questions import ASSIGNMENTS, Answer


def verdict(answers, question, seed):
    """None when the answer is right, else a sentence."""
    child = None
    try:
        child = answers.open(question.needs_cubenet)
        question.check(Answer(child), random.Random(f"{seed} {answers.assignment.name} {question.name}"))
    except Wrong as wrong:
        return str(wrong)
    finally:
        if child is not None:
            answers.close(child)
    return None


def graded(folder, numbers, seed, limits, tools):
    """The answers of a student, as --json has them."""
    assignments = []
    for assignment in ASSIGNMENTS:
        if assignment.number not in numbers:
            continue
        answers = Answers(folder, assignment, limits, tools)
        questions = []
        for question in assignment.questions:
            sentence = verdict(answers, question, seed)
            questions.append({"name": question.name, "points": 0 if sentence else question.points,
                              "of": question.points, "sentence": sentence or ""})
        assignments.append({"number": assignment.number, "title": assignment.title, **summed(questions),
                            "questions": questions})
    return {"student": folder.resolve().name, **summed(assignments), "assignments": assignments}


def summed(parts):
    return {"points": sum(part["points"] for part in parts), "of": sum(part["of"] for part in parts)}


# ---- reports ----

def print_report(student):
    for assignment in student["assignments"]:
        print(f"{assignment['number']}. {assignment['title']}: {assignment['points']} of {assignment['of']}")
        for question in assignment["questions"]:
            said = "   " + question["sentence"] if question["sentence"] else ""
            print(f"   {question['name']:24} {question['points']} of {question['of']}{said}")
    print(f"{student['points']} of {student['of']} points")


def write_csv(path, students):
    with open(path, "w", newline="", encoding="utf-8", errors="backslashreplace") as file:
        rows = csv.writer(file)
        numbers = [assignment["number"] for assignment in students[0]["assignments"]]
        rows.writerow(["student", *(f"assignment {number}" for number in numbers), "points", "of"])
        for student in students:
            rows.writerow([student["student"], *(assignment["points"] for assignment in student["assignments"]),
                           student["points"], student["of"]])


def gradescope(student):
    """The form of results.json of Gradescope: a test for each question."""
    return {"tests": [{"name": question["name"], "number": f"{assignment['number']}.{number}",
                       "score": question["points"], "max_score": question["of"],
                       "status": "failed" if question["sentence"] else "passed", "output": question["sentence"]}
                      for assignment in student["assignments"]
                      for number, question in enumerate(assignment["questions"], 1)]}


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
        file.write("\n")


# ---- the command ----

def above_zero(text):
    value = float(text)
    if not 0 < value <= 86400:
        raise ValueError
    return value


def memory(text):
    value = int(text)
    if not 64 <= value <= 1 << 20:
        raise ValueError
    return value


def parsed(arguments):
    known = [str(assignment.number) for assignment in ASSIGNMENTS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="grade.py [FOLDER] [NUMBER...] [OPTION...]")
    parser.add_argument("what", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--folder", metavar="FOLDERS", type=Path, help="grade every folder in this one")
    parser.add_argument("--csv", metavar="FILE", help="write a row for each student")
    parser.add_argument("--json", metavar="FILE", help="write all questions, points and sentences")
    parser.add_argument("--gradescope", metavar="FILE", help="write the results.json of Gradescope")
    parser.add_argument("--seed", default="1992", help="of what is drawn; another one asks other questions (1992)")
    parser.add_argument("--seconds", type=above_zero, default=20, help="that the answer to a question may take (20)")
    parser.add_argument("--memory", type=memory, default=1024, help="MiB that it may take, 64 at least (1024)")
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"), help="the compiler of C (the variable CC, or cc)")
    parser.add_argument("--include", metavar="FOLDER", type=Path, default=include_folder(), help="of cubenet.h")
    parser.add_argument("--library", metavar="FILE", default=LIBRARY, help="that answers in C are linked with where "
                        "they need cubenet, also an object (the library that Python has loaded)")
    options = parser.parse_intermixed_args(arguments)
    for word in options.what:
        if word.isdigit() and word not in known:
            parser.error(f"there is no assignment {word}; there are {known[0]} .. {known[-1]}")
    options.numbers = sorted({int(word) for word in options.what if word in known}) or [int(word) for word in known]
    options.students = students_of(parser, options, [Path(word) for word in options.what if word not in known])
    return options


def students_of(parser, options, folders):
    """The folders to grade."""
    files = [Path(assignment.name + ending) for assignment in ASSIGNMENTS for ending in (".py", ".c")]
    if options.folder is not None:
        if not options.folder.is_dir() or folders or options.gradescope:
            parser.error("--folder names the folder of all students; a folder of one, and --gradescope, go without it")
        folders = sorted(path for path in options.folder.iterdir() if path.is_dir() and not path.is_symlink())
    elif len(folders) > 1:
        parser.error(f"{', '.join(map(str, folders))}: one folder of answers, or --folder")
    elif not folders and not any(file.exists() for file in files):
        parser.error("there are no answers here; name their folder, such as python or c")
    folders = folders or ([] if options.folder else [Path()])
    if not folders or not folders[0].is_dir():
        parser.error(f"{folders[0] if folders else options.folder} is no folder of answers")
    return folders


def main(arguments):
    options = parsed(arguments)
    sys.stdout.reconfigure(errors="backslashreplace")  # names of students are bytes
    library = Path(options.library)  # or a name that the linker knows
    tools = Tools(tuple(shlex.split(options.cc)), options.include and options.include.resolve(),
                  str(library.resolve()) if library.exists() else options.library, options.folder is not None)
    students = []
    for sentence in MISSING if options.folder or options.gradescope else []:
        print(f"On this machine {sentence}.", file=sys.stderr)
    for folder in options.students:
        students.append(graded(folder, options.numbers, options.seed, Limits(options.seconds, options.memory), tools))
        if options.folder is None:
            print_report(students[-1])
        else:
            print(f"{students[-1]['student']:24} {students[-1]['points']} of {students[-1]['of']}", flush=True)
    if options.csv:
        write_csv(options.csv, students)
    if options.json:
        write_json(options.json, {"seed": options.seed, "seconds": options.seconds, "memory": options.memory,
                                  "students": students})
    if options.gradescope:
        write_json(options.gradescope, gradescope(students[0]))
    return 0 if options.folder or students[0]["points"] == students[0]["of"] else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

"""Layout and length of the sources."""

import re
import shutil
import subprocess

import tree

FOLDERS = ["lib", "include", "tests", "bench", "docs", "pkgconfig", ".ci"]
CODE = (".c", ".h", ".cpp", ".hpp")
SOURCES = (*CODE, ".py", ".sh", ".build", ".in", ".md", "")
LONGEST = {"lib/": 500, "docs/examples/hosts/": 240}
WIDEST = 100
# clang-format holds code; a comment behind code, and an example in one, may be longer
TRAILING = re.compile(r"^ {4,}\S.*/\*|^ \* {4,}\S|^\s*\"|^ {20,}")
# what is quoted may be the address of a subcube
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b|(?<!['\"`])\bX" r"XX\b(?!['\"`])")


def check(path):
    text = path.read_text()
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        place = f"{tree.name(path)}:{number}"
        if "\t" in line and path.name != "rules":  # a makefile of Debian
            yield f"{place}: a tab"
        if path.suffix in CODE and len(line) > WIDEST and not TRAILING.search(line):
            yield f"{place}: {len(line)} columns; {WIDEST} at most"
        if line != line.rstrip():
            yield f"{place}: white space at the end"
        if path.suffix in (*CODE, ".py") and UNFINISHED.search(line):
            yield f"{place}: unfinished work"
    if text and not text.endswith("\n"):
        yield f"{tree.name(path)}: no newline at the end"
    if tree.name(path).startswith("lib/") and path.suffix in CODE and not text.startswith("/*"):
        yield f"{tree.name(path)}: no comment at its head says what it is for"
    for folder, longest in LONGEST.items():
        if tree.name(path).startswith(folder) and path.suffix in CODE and len(lines) - 1 > longest:
            yield f"{tree.name(path)}: {len(lines) - 1} lines are two concepts; {longest} at most"


def check_format():
    """clang-format 14 decides; other versions lay out some things differently."""
    program = shutil.which("clang-format-14") or shutil.which("clang-format")
    if program is None or " version 14." not in tree.run(program, "--version"):
        tree.leave_out("the layout is not checked, for there is no clang-format 14 here")
        return
    sources = [str(path) for path in tree.files("lib", "include", "tests", "bench", "docs",
                                                suffixes=CODE)]
    done = subprocess.run([program, "--dry-run", "-Werror", *sources], stderr=subprocess.PIPE,
                          text=True)
    if done.returncode != 0:
        yield done.stderr


problems = []
for path in [*tree.files(*FOLDERS, suffixes=SOURCES), *tree.ROOT.glob("meson*"),
             *tree.ROOT.glob("*.md"), *tree.ROOT.glob("tests/**/CMakeLists.txt")]:
    problems.extend(check(path))
problems.extend(check_format())
tree.finish(problems)

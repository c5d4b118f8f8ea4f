"""README and the page of the first hour show what is: the README has fewer than 900 words and both its programs on the first
screen, its C example is docs/examples/first.c, each example in Python has its output below it, the output of the quickstart
is the program's, the picture is drawn by docs/examples/networks.py, and the functions that both pages name exist.
test_blocks.py runs the examples.

usage: test_readme.py DEFLECTION_TABLE SHARED_LIBRARY
"""

import os
import re
import subprocess
import sys

import tree

MOST_WORDS, FIRST_SCREEN = 900, 25
EXAMPLES = {"README.md": 1, "docs/start.md": 3}  # in Python, with their output


def indented(text):
    return [line[4:] for line in text.splitlines() if line.startswith("    ")]


def lines_of_text(page):
    """Without empty lines, pictures and fences."""
    return [line for line in page.splitlines() if line.strip() and not line.startswith(("```", "!["))]


def first_screen(readme):
    """What is wrong with it."""
    words = len(readme.split())
    if words >= MOST_WORDS:
        yield f"the README has {words} words; {MOST_WORDS} are too many"
    screen = "\n".join(lines_of_text(readme)[:FIRST_SCREEN])
    for language in "python", "c":
        found = re.search(rf"```{language}\n(.*?)```", readme, re.DOTALL)
        if not found or "\n".join(lines_of_text(found[1])) not in screen:
            yield f"the first {FIRST_SCREEN} lines of text have no whole example in {language}"
    sentences = re.findall(r"[.:?]\s", readme[:readme.index("![")].split("\n\n")[1] + " ")
    if sum(mark[0] == "." for mark in sentences) != 3:
        yield "the README does not say in three sentences what cubenet is"


def main(table, library):
    pages = {name: (tree.ROOT / name).read_text() for name in EXAMPLES}
    readme, start = pages.values()
    failures = list(first_screen(readme))

    example = re.search(r"```c\n(.*?)```", readme, re.DOTALL).group(1)
    source = (tree.ROOT / "docs/examples/first.c").read_text()
    if source.split("*/\n", 1)[1] != example:
        failures.append("the C example is not docs/examples/first.c")

    output = subprocess.run([table], check=True, capture_output=True, text=True).stdout
    printed = {line.rstrip() for line in output.splitlines()}
    shown = indented(start[start.index("Deflection routing in hypercube"):start.index("How to read it")])
    if len(shown) < 30 or not any("~~~" in line for line in shown):
        failures.append("docs/start.md does not show the table and the plot of the quickstart")
    for line in shown:
        if line.strip() != "..." and line.rstrip() not in printed:
            failures.append(f"the quickstart does not print: {line}")

    environment = dict(os.environ, CUBENET_LIBRARY=os.path.abspath(library),
                       PYTHONPATH=str(tree.ROOT / "lib/python"), PYTHONDONTWRITEBYTECODE="1")

    def python(*arguments):
        return subprocess.run([sys.executable, *arguments], check=True, capture_output=True,
                              text=True, env=environment).stdout

    for name, page in pages.items():
        examples = re.findall(r"```python\n(.*?)```\n\n((?:    [^\n]*\n)+)", page, re.DOTALL)
        if len(examples) != EXAMPLES[name]:
            failures.append(f"{name} has {len(examples)} examples in Python with their output, not {EXAMPLES[name]}")
        for code, after in examples:
            said = python("-c", code)
            if said.split("\n")[:-1] != indented(after):
                failures.append(f"an example in {name} prints: {said}")

    both = readme + start
    called = set(re.findall(r"\b(cn_\w+)\(\)", both))
    symbols = tree.exported("core") + tree.exported("experimental")
    if len(called) < 10:
        failures.append(f"the pages name only {sorted(called)}")
    failures += [f"there is no {name}()" for name in sorted(called - set(symbols))]
    for kind, letter in (("Topology", "t"), ("Routing", "r"), ("Scenario", "s"), ("Faults", "f")):
        named = set(re.findall(rf"`{letter}\.(\w+)", both))
        if not named:
            failures.append(f"the pages name nothing of {kind}")
        failures += [f"{kind} has no {name}" for name in sorted(named) if python(
            "-c", f"import cubenet; print(hasattr(cubenet.{kind}, '{name}'))") != "True\n"]

    # the last digits of sines differ from machine to machine
    shown = (tree.ROOT / "docs/networks.svg").read_text()
    drawn = python(tree.ROOT / "docs/examples/networks.py")
    number = re.compile(r"(?<![#\w])\d+")
    if number.sub("", shown) != number.sub("", drawn) or any(
            abs(int(a) - int(b)) > 1 for a, b in zip(number.findall(shown), number.findall(drawn))):
        failures.append("docs/networks.svg is not what docs/examples/networks.py draws")

    print("\n".join(failures) or "README and docs/start.md show what is")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""The README shows what is: its C example is docs/examples/first.c, and the output it prints of the
quickstart and of its Python examples is theirs, its picture is drawn by docs/examples/networks.py, and the functions that it
names exist.

usage: test_readme.py DEFLECTION_TABLE SHARED_LIBRARY
"""

import os
import re
import subprocess
import sys

import tree


def indented(text):
    return [line[4:] for line in text.splitlines() if line.startswith("    ")]


def main(table, library):
    readme = (tree.ROOT / "README.md").read_text()
    failures = []

    example = re.search(r"```c\n(.*?)```", readme, re.DOTALL).group(1).strip()
    source = (tree.ROOT / "docs/examples/first.c").read_text()
    if example not in source:
        failures.append("the C example is not docs/examples/first.c")

    output = subprocess.run([table], check=True, capture_output=True, text=True).stdout
    printed = {line.rstrip() for line in output.splitlines()}
    shown = indented(readme[readme.index("Deflection routing in hypercube"):
                            readme.index("To regenerate a table or figure")])
    for line in shown:
        if line.strip() != "..." and line.rstrip() not in printed:
            failures.append(f"the quickstart does not print: {line}")

    environment = dict(os.environ, CUBENET_LIBRARY=os.path.abspath(library),
                       PYTHONPATH=str(tree.ROOT / "lib/python"), PYTHONDONTWRITEBYTECODE="1")

    def python(*arguments):
        return subprocess.run([sys.executable, *arguments], check=True, capture_output=True,
                              text=True, env=environment).stdout

    examples = re.findall(r"```python\n(.*?)```\n\n((?:    [^\n]*\n)+)", readme, re.DOTALL)
    if len(examples) != 2:
        failures.append(f"there are {len(examples)} examples in Python with their output, not 2")
    for code, after in examples:
        printed = python("-c", code)
        if printed.split("\n")[:-1] != indented(after):
            failures.append(f"an example in Python prints: {printed}")

    called = set(re.findall(r"\b(cn_\w+)\(\)", readme))
    symbols = tree.exported("core") + tree.exported("experimental")
    failures += [f"there is no {name}()" for name in sorted(called - set(symbols))]
    for kind, letter in (("Topology", "t"), ("Routing", "r"), ("Scenario", "s"), ("Faults", "f")):
        named = set(re.findall(rf"`{letter}\.(\w+)", readme))
        failures += [f"{kind} has no {name}" for name in sorted(named) if python(
            "-c", f"import cubenet; print(hasattr(cubenet.{kind}, '{name}'))") != "True\n"]

    # the last digits of sines differ from machine to machine
    shown = (tree.ROOT / "docs/networks.svg").read_text()
    drawn = python(tree.ROOT / "docs/examples/networks.py")
    number = re.compile(r"(?<![#\w])\d+")
    if number.sub("", shown) != number.sub("", drawn) or any(
            abs(int(a) - int(b)) > 1 for a, b in zip(number.findall(shown), number.findall(drawn))):
        failures.append("docs/networks.svg is not what docs/examples/networks.py draws")

    print("\n".join(failures) or "the README shows what is")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

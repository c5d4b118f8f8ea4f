"""The README shows what is: its C example is docs/examples/first.c, and the output it prints of the
quickstart and of its Python example is theirs.

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

    code, after = re.search(r"```python\n(.*?)```\n(.*?)\nMore", readme, re.DOTALL).groups()
    environment = dict(os.environ, CUBENET_LIBRARY=library,
                       PYTHONPATH=str(tree.ROOT / "lib/python"), PYTHONDONTWRITEBYTECODE="1")
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True,
                            text=True, env=environment)
    if result.stdout.split("\n")[:-1] != indented(after):
        failures.append(f"the Python example prints: {result.stdout}")

    print("\n".join(failures) or "the README shows what is")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""The library as one C file gives what the library gives.

    test_amalgamation.py gcc|clang|gcc-no-threads numbers.txt cubenet.c first embed

Compiles cubenet.c, beside which lies cubenet.h, with all warnings as errors, and runs the examples and
the numbers that are the same on every machine. first and embed are the examples as the library's
build linked them. gcc alone makes all copies of the kernels: the others find what they are for in one. cubenet.h is read as
C and C++; what is experimental is in it for those who define CN_EXPERIMENTAL."""

import pathlib
import re
import subprocess
import sys
import tempfile

import tree

variant, numbers, code, *examples = sys.argv[1:]
compiler = tree.tool(variant.split("-")[0])
arguments = [] if variant == "gcc" else ["-DCNI_ONE_COPY"]
arguments += ["-DCNI_THREADS=0"] if "no-threads" in variant else []
libraries = ["-lm"] if "no-threads" in variant else ["-lm", "-pthread"]
# some warnings need an optimizing compiler; one is enough
optimization = "-O1" if variant == "gcc" else "-O0"
FLAGS = ["-std=c11", optimization, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffp-contract=off"]

CORE, EXPERIMENTAL = "cn_topology_hypercube", "cn_study_new"


def check_header(folder):
    """With and without what is experimental, in C and C++."""
    for language, standard in ("c", "c99"), ("c", "c11"), ("c++", "c++17"):
        for option in [], ["-DCN_EXPERIMENTAL"]:
            for name in CORE, EXPERIMENTAL:
                text = f'#include "cubenet.h"\n#include "cubenet.h"\nvoid *use(void);\nvoid *use(void) {{ return (void *)&{name}; }}\n'
                done = subprocess.run([compiler, f"-std={standard}", "-Wall", "-Wextra", "-fsyntax-only", "-Werror",
                                       f"-I{folder}", *option, "-x", language, "-"],
                                      input=text, capture_output=True, text=True)
                if (done.returncode == 0) != (name == CORE or bool(option)):
                    yield f"cubenet.h as {standard} with {option}: {name}\n{done.stderr}"


problems = [*check_header(pathlib.Path(code).parent)]
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    whole = folder / "cubenet.o"
    tree.run(compiler, *FLAGS, *arguments, "-c", code, "-o", whole)

    def program(source):
        path = folder / source.stem
        tree.run(compiler, *FLAGS, f"-I{pathlib.Path(code).parent}", source, whole, "-o", path, *libraries)
        return path

    for example in examples:
        with_library = tree.run(example)
        source = tree.ROOT / "docs" / "examples" / f"{pathlib.Path(example).name}.c"
        with_file = tree.run(program(source))
        if with_file != with_library:
            problems.append(f"{source.name} prints {with_file!r}, with the library {with_library!r}")
    said = tree.run(program(tree.ROOT / "tests" / "portable" / "test_numbers.c"), numbers)
    if not re.search(r"[1-9][0-9]* numbers, 0 wrong", said):
        problems.append(f"the numbers of {pathlib.Path(numbers).name}: {said}")
    if "no-threads" in variant:
        unresolved = tree.run(tree.tool("nm"), "--undefined-only", whole)
        problems += [f"without threads it uses {line.split()[-1]}"
                     for line in unresolved.splitlines() if "pthread" in line]
tree.finish(problems)

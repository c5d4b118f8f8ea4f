"""Every public header compiles alone and twice in a row, in each C and C++ that we promise, and its
comments name the parameters that there are.

Arguments: the C compiler of the build, as a command."""

import shutil
import subprocess
import sys

import tree

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
STANDARDS = {"c": ["c99", "c11", "c17"], "c++": ["c++17"]}


def compilers():
    found = {"c": [sys.argv[1:]], "c++": []}
    for language, names in ("c", ["gcc", "clang"]), ("c++", ["g++", "clang++"]):
        found[language] += [[name] for name in names if shutil.which(name)]
    return found


def compile_header(command, language, standard, header, *options):
    include = f'#include "{header.relative_to(tree.ROOT / "include").as_posix()}"\n'
    command = command + ["-fsyntax-only", f"-std={standard}", *WARNINGS, *options,
                         f"-I{tree.ROOT / 'include'}", "-x", language, "-"]
    # something after it, for ISO C forbids an empty file and a header may leave a line unfinished
    return subprocess.run(command, input=include + include + "extern int after;\n",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


problems = []
for language, commands in compilers().items():
    for command in commands:
        for standard in STANDARDS[language]:
            for header in tree.public_headers():
                done = compile_header(command, language, standard, header)
                if done.returncode != 0:
                    problems.append(f"{tree.name(header)} with {command[0]} -std={standard}:\n"
                                    f"{done.stdout}")
if shutil.which("clang"):
    for header in tree.public_headers():
        done = compile_header(["clang"], "c", "c11", header, "-Wdocumentation",
                              "-Wdocumentation-pedantic")
        if done.returncode != 0:
            problems.append(f"comments of {tree.name(header)}:\n{done.stdout}")
tree.finish(problems)

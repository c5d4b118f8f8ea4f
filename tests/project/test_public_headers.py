"""Every public header compiles alone and twice in a row, in each C and C++ that we promise, and its
comments name the parameters that there are. cubenet.hpp has a handle for every kind of object, and a handle cannot
be copied, nor lent by an expression that is about to free its object.

Arguments: the C compiler of the build, as a command."""

import os
import re
import shutil
import subprocess
import sys

import tree

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
STANDARDS = {"c": ["c99", "c11", "c17"], "c++": ["c++17"]}
FREES = re.compile(r"^CN_API void (cn_\w+_(?:free|close))\((cn_\w+) \*\*", re.MULTILINE)
USE = """#include <cubenet.hpp>
void use(cubenet::topology &a)
{
    using cubenet::make;
    (void)a;
    auto cube = make<cubenet::topology>(cn_topology_hypercube, 3u);
    %s
}
"""
MISUSES = ["a = cube;", "cubenet::topology b(a);",
           "(void)cn_topology_node_count(make<cubenet::topology>(cn_topology_hypercube, 3u));",
           "(void)make<cubenet::scenario>(cn_topology_hypercube, 3u);", "if (cube == 1) { }"]
USES = ["a = std::move(cube);", "(void)cn_topology_node_count(cube);", "if (cube) { }"]


def compilers():
    def file_of(name):
        return os.path.realpath(shutil.which(name) or "")

    own = sys.argv[1:]
    found = {"c": [own], "c++": []}
    for language, names in ("c", ["gcc", "clang"]), ("c++", ["g++", "clang++"]):
        # often the compiler of the build is one of them
        for name in names:
            if shutil.which(name) is None:
                tree.leave_out(f"no header is read by {name}, for there is none here")
            elif file_of(name) != file_of(own[-1]):
                found[language].append([name])
    return found


def compile_header(command, language, standard, header, *options):
    include = f'#include "{header.relative_to(tree.ROOT / "include").as_posix()}"\n'
    command = command + ["-fsyntax-only", f"-std={standard}", *WARNINGS, *options,
                         f"-I{tree.ROOT / 'include'}", "-x", language, "-"]
    # something after it, for ISO C forbids an empty file and a header may leave a line unfinished
    return subprocess.run(command, input=include + include + "extern int after;\n",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def check_cpp(commands):
    aliases = tree.CPP_HEADER.read_text()
    for header in tree.public_headers():
        for free, kind in FREES.findall(header.read_text()):
            if f"using {kind[3:]} = handle<{kind}, {free}>;" not in aliases:
                yield f"cubenet.hpp has no handle for {kind}"
    for command in commands:
        for wanted, lines in (0, USES), (1, MISUSES):
            for line in lines:
                done = subprocess.run([*command, "-std=c++17", "-fsyntax-only", *WARNINGS, "-x", "c++",
                                       f"-I{tree.ROOT / 'include'}", "-"], input=USE % line,
                                      capture_output=True, text=True)
                if (done.returncode != 0) != wanted:
                    yield f"{command[0]} {'takes' if wanted else 'refuses'} {line}\n{done.stderr}"


def check_seed(command):
    """Who takes the seed for a parameter is told what sets it."""
    done = subprocess.run([*command, "-fsyntax-only", f"-I{tree.ROOT / 'include'}", "-x", "c", "-"],
                          input="#include <cubenet/parameter.h>\ncn_param param = CN_PARAM_SEED;\n",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0 or "cn_scenario_set_seed" not in done.stdout:
        yield f"{command[0]} takes CN_PARAM_SEED, or does not say what sets the seed: {done.stdout}"


problems = []
commands_of = compilers()
for language, commands in commands_of.items():
    for command in commands:
        for standard in STANDARDS[language]:
            headers = tree.public_headers() + [tree.CPP_HEADER] * (language == "c++")
            for header in headers:
                done = compile_header(command, language, standard, header)
                if done.returncode != 0:
                    problems.append(f"{tree.name(header)} with {command[0]} -std={standard}:\n"
                                    f"{done.stdout}")
problems += check_cpp(commands_of["c++"])
for command in commands_of["c"]:
    problems += check_seed(command)
if shutil.which("clang"):
    for header in tree.public_headers():
        done = compile_header(["clang"], "c", "c11", header, "-Wdocumentation",
                              "-Wdocumentation-pedantic")
        if done.returncode != 0:
            problems.append(f"comments of {tree.name(header)}:\n{done.stdout}")
tree.finish(problems)

"""The command lines of README and docs/ run, and so do the pieces of C, in which no call fails, and those of Python that begin
within a thought. test_blocks.py runs all other Python and whole programs in C.

usage: test_examples.py BUILD_FOLDER SHARED_LIBRARY COMPILER...

The blocks of a page run in one folder, from top to bottom; it looks like the tree, with BUILD_FOLDER as build/. ELSEWHERE and
PIECES_ELSEWHERE say what does not run here, and why.
"""

import ast
import pathlib
import re
import sys
import tempfile

import test_blocks
import tree

COMMAND = re.compile(r"(?:sudo|sh|cp|cd|cc|\.|meson|cmake|pip|python3?|cubenet|emcc|build/\w+/\w+|\./\w+|\.ci/run|export|"
                     r"(?:[A-Z_]+=\S+ )+\w+)(?: |$)")
# {how a command begins: why it does not run here}
ELSEWHERE = {
    "sh docs/quickstart.sh": "builds the library: test_first_minutes.py",
    "sh tests/run.sh": "runs all tests",
    ".ci/run": "runs all tests",
    "meson ": "builds the library: test_first_minutes.py, test_installed_package.py, tests/python/test_wheel.py",
    ". /usr/local/share/cubenet/env.sh": "needs an installed library: test_first_minutes.py",
    "emcc": "needs a compiler for WebAssembly: tests/portable/wasm.ini",
    "python3 grade.py": "needs solutions: tests/course/test_course.py",
    "cd /autograder": "is for the machine of a grader: tests/course/test_archive.py",
    "export PYTHONPATH=$PWD/package": "is for the machine of a grader: tests/course/test_archive.py",
    "python3 ../source/grade.py": "is for the machine of a grader: tests/course/test_archive.py",
    "PYTHONPATH=lib/python CUBENET_LIBRARY=build/lib/libcubenet.so python3 docs/lab/peers": "takes minutes",
    "python3 tests/bench/claims/claims.py": "changes the pages: tests/bench/claims/",
}
PIECES_ELSEWHERE = {
    "scale": "shards and parts take many processes: tests/hosts/check_shards.py, tests/hosts/check_mpi.py",
    "routing": "the rule is docs/examples/own_routing.c, which is a test of its own",
}
# Runs the Python of a page, whatever is shown of it.
SESSION = """
import doctest
names = {}
for kind, code in %r:
    if kind == "session":
        code = "".join(one.source for one in doctest.DocTestParser().get_examples(code) if not one.exc_msg)
    if "networkx" in code and kind == "piece":
        try:
            import networkx, matplotlib
        except ImportError:
            continue
        matplotlib.use("Agg")
        names["networkx"] = networkx
    exec(compile(code, "block", "exec"), names)
"""
# What the pages take for granted around a piece of C: the variables of test_blocks.C_BEFORE as objects.
SET_UP = """
#include <stdio.h>
#include <string.h>
cn_topology *cube, *ring;
cn_scenario *scenario;
cn_routing *own;
cn_result *result;
cn_sim *sim, *later, *fork;
void piece(void);
int main(void)
{
    if (CUBE || cn_topology_ring(9, 0, &ring) || cn_scenario_new(SYSTEM, &scenario) ||
        cn_scenario_set(scenario, CN_PARAM_LOAD, LOAD) || cn_sim_open(scenario, NULL, &sim))
        return puts(cn_last_error()), 2;
    piece();
    const char *error = cn_last_error();
    return puts(error), error[0] != 0 && strstr(error, "capacity = 0") == NULL; /* which asks for a size */
}
"""
USUAL = {"CUBE": "cn_topology_hypercube(6, &cube)", "SYSTEM": 'cube, "deflection"', "LOAD": "0.1"}
OF_PAGE = {"collective": {**USUAL, "CUBE": "cn_topology_generalized_hypercube(8, 4, &cube)", "SYSTEM": 'ring, "wormhole"',
                          "LOAD": "0"}}


def commands(code):
    """The lines of a block that all are commands, without what stands far to their right; no lines otherwise."""
    lines = [re.split(r"\s{3,}(?=\S)", line)[0].rstrip()
             for line in re.sub(r"\\\n\s*", "", code).removeprefix("$ ").replace("\n$ ", "\n").splitlines() if line.strip()]
    return lines if lines and all(COMMAND.match(line) for line in lines) else []


def prepare(folder, build, library):
    """A folder that looks like the tree, and the environment in which its commands run."""
    for path in tree.ROOT.iterdir():
        if not path.name.startswith((".", "build")):
            (folder / path.name).symlink_to(path)
    (folder / "build").symlink_to(build)
    programs = folder / ".programs"
    programs.mkdir()
    for name, arguments in (("cubenet", "-m cubenet"), ("python3", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {arguments} "$@"\n')
        (programs / name).chmod(0o755)
    (programs / "cubenet.pc").write_text(f"Name: cubenet\nDescription: as built\nVersion: 0\nCflags: -I{tree.ROOT}/include\n"
                                         f"Libs: -L{library.parent} -lcubenet\n")
    return tree.environment(
        CUBENET_LIBRARY=library, PYTHONPATH=tree.ROOT / "lib" / "python", PYTHONDONTWRITEBYTECODE="1",
        LD_LIBRARY_PATH=library.parent, PKG_CONFIG_PATH=programs,
        PATH=f"{programs}:{tree.environment()['PATH']}")


def run_commands(page, build, library):
    """(how many ran, what failed) of a page."""
    ran, problems = 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = prepare(folder, build, library)
        for block in test_blocks.blocks(page.read_text()):
            for line in commands(block[1]) if block[0] in ("", "sh", "console") else []:
                reason = next((why for begin, why in ELSEWHERE.items() if line.startswith(begin)), None)
                if reason:
                    used.update(begin for begin in ELSEWHERE if line.startswith(begin))
                    continue
                ran += 1
                done = tree.run_for_status("sh", "-ec", line, cwd=folder, env=environment)
                if done.returncode != 0:
                    problems.append(f"{tree.name(page)}: {line}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return ran, problems


def run_pieces(page, library, compiler):
    """(how many ran, what failed) of the pieces of C of a page that are no whole programs."""
    ran, problems = 0, []
    for block in test_blocks.blocks(page.read_text()):
        code = block[1]
        if test_blocks.kind_of(*block) != "c" or "#include" in code:
            continue
        if page.stem in PIECES_ELSEWHERE:
            used.add(page.stem)
            continue
        ran += 1
        values = OF_PAGE.get(page.stem, USUAL)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "piece.c").write_text(test_blocks.C_BEFORE + re.sub(r"\b(CUBE|SYSTEM|LOAD)\b", lambda word: values[word[0]],
                                                                          SET_UP)
                                            + "void piece(void)\n{\n" + code.replace("\n...\n", "\n") + "}\n")
            built = tree.run_for_status(*compiler, "-std=c11", "-I", tree.ROOT / "include", folder / "piece.c", library,
                                        f"-Wl,-rpath,{library.parent}", "-o", folder / "piece")
            done = built if built.returncode else tree.run_for_status(folder / "piece", cwd=folder)
            if done.returncode != 0:
                problems.append(f"{tree.name(page)}: {code.strip()}: {done.stdout}{done.stderr}")
    return ran, problems


def is_python(code):
    try:
        ast.parse(code)
    except SyntaxError:
        return False
    return re.search(r"\bcubenet\.\w+\(", code) is not None


def run_python(page, environment):
    """(how many ran, what failed) of the pieces of Python of a page, after the page's other Python."""
    rows = []
    for block in test_blocks.blocks(page.read_text()):
        kind = test_blocks.kind_of(*block)
        kind = "piece" if kind == "text" and is_python(block[1]) else kind
        rows += [(kind, block[1])] if kind in ("python", "session", "piece") else []
    count = sum(kind == "piece" for kind, _ in rows)
    if count == 0:
        return 0, []
    with tempfile.TemporaryDirectory() as name:
        script = pathlib.Path(name, "session.py")
        script.write_text(SESSION % rows)
        done = tree.run_for_status(sys.executable, script, cwd=name, env=environment)
    return count, [f"{tree.name(page)}: {done.stdout}{done.stderr}"] if done.returncode else []


def main(build, library, *compiler):
    build, library = pathlib.Path(build).resolve(), pathlib.Path(library).resolve()
    problems, lines, pieces = [], 0, 0
    environment = tree.environment(CUBENET_LIBRARY=library, PYTHONPATH=tree.ROOT / "lib" / "python", PYTHONDONTWRITEBYTECODE="1")
    for page in (tree.ROOT / "README.md", *sorted((tree.ROOT / "docs").rglob("*.md"))):
        ran, failed = run_commands(page, build, library)
        lines, problems = lines + ran, problems + failed
        ran, failed = run_pieces(page, library, compiler)
        pieces, problems = pieces + ran, problems + failed
        ran, failed = run_python(page, environment)
        pieces, problems = pieces + ran, problems + failed
    problems += [f"no page has what begins with {begin}" for begin in sorted({*ELSEWHERE, *PIECES_ELSEWHERE} - used)]
    print(f"{lines} command lines and {pieces} pieces of C and Python")
    if lines < 8 or pieces < 4:
        problems.append("these are too few")
    tree.finish(problems)


used = set()
if __name__ == "__main__":
    main(*sys.argv[1:])

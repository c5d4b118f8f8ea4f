"""The code in README and docs/ is code: Python runs, C compiles with the public headers, C++ too, JSON reads, and what
`reproduce` is called with exists. What is shown in a session, or indented after a block of Python or after a whole program
in C, is what it prints.

usage: test_blocks.py SHARED_LIBRARY REPRODUCE COMPILER...

A page is one Python session, from top to bottom. A piece of C that is no whole file stands in a function, after
the variables that the pages have.
"""

import json
import pathlib
import re
import shutil
import sys
import tempfile

import tree

SESSION = """
import contextlib, doctest, io, sys
names, failed = {}, 0
for kind, code, shown in %r:
    if kind == "session":
        test = doctest.DocTestParser().get_doctest(code, names, "block", "block", 0)
        failed += doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False).failed
        names.update(test.globs)
    else:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "block", "exec"), names)
        if shown and printed.getvalue() != shown:
            failed += 1
            print("a block prints", printed.getvalue(), "and not", shown, sep="\\n")
sys.exit(failed > 0)
"""
# What the pages take for granted around a piece of C, and of C++.
C_BEFORE = """#define CN_EXPERIMENTAL
#include <cubenet.h>
#include <stdlib.h>
enum { K = 6 };
extern cn_topology *cube, *ring;
extern cn_scenario *scenario;
extern cn_routing *own;
extern cn_result *result;
extern cn_sim *sim, *later, *fork;
cn_status rule(void *user, uint64_t node, uint64_t destination, uint64_t previous, uint32_t port,
               uint32_t virtual_channel, uint64_t channels[]);
"""
C_OF_PAGE = {
    "scale": """extern cn_study *study;
extern cn_result *merged;
extern const cn_result *const *results;
extern char *text;
extern uint32_t part, parts;
extern cn_exchange_fn exchange;
extern void *user, *data;
extern size_t capacity, length, size;
extern const size_t *sizes;
"""}
CPP_BEFORE = """#include <cubenet.hpp>
#include <map>
struct receiver { template <class T> void take(const T &) {} };
extern std::map<uint64_t, receiver *> receivers;
extern uint64_t sides[2], tag;
extern uint32_t flits;
"""


def unindented(text):
    return re.sub("^    ", "", text, flags=re.MULTILINE)


def blocks(text):
    """(language, code, what is indented directly after it) of each block; language "" for what is indented or fenced without
    one."""
    pattern = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    rest, at = [], 0
    for found in pattern.finditer(text):
        rest.append((text[at:found.start()], None, None))
        at = found.end()
        rest.append((found.group(2), found.group(1), re.match(r"\n\n((?:    .*\n)+)", text[at:])))
    rest.append((text[at:], None, None))
    for part, language, after in rest:
        if language is not None:
            yield language, part, unindented(after[1]) if after else ""
            continue
        # a block begins after an empty line; within it lines may be empty
        for found in re.finditer(r"(?:\A|\n\n)((?:    .*\n(?:\n(?=    ))*)+)", part):
            yield "", unindented(found.group(1)), ""


def kind_of(language, code, _):
    if language in ("python", "json", "cpp"):
        return language
    if language == "c" or (not language and re.search(r"\bcn_\w+\(.*\);", code)):
        return "c"
    if not language and code.startswith(">>>"):
        return "session"
    if not language and re.match(r"(import|from) \w|def \w|\w+ = cubenet\.", code):
        return "python"
    return "text"


def compiled(page, kind, code, source, compiler):
    """What the compiler says against a block of a page."""
    if "#include" not in code:
        code = code.replace("\n...\n", "\n")
        is_function = code.startswith("static")
        code = (CPP_BEFORE if kind == "cpp" else C_BEFORE + C_OF_PAGE.get(page, "")) + (
            code if is_function else f"void piece(void);\nvoid piece(void)\n{{\n{code}}}\n")
    source = source.with_suffix("." + kind)
    source.write_text(code)
    return tree.run_for_status(*compiler, "-std=c++17" if kind == "cpp" else "-std=c11", "-fsyntax-only",
                               "-Wall", "-Werror", "-Wno-unused-function", "-I", tree.ROOT / "include",
                               source).stderr


def printed_by(code, library, folder, compiler):
    """What a whole program in C prints."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(code)
    done = tree.run_for_status(*compiler, "-std=c11", "-I", tree.ROOT / "include", source, library,
                               f"-Wl,-rpath,{library.parent}", "-o", program)
    return done.stderr if done.returncode else tree.run_for_status(program).stdout


def main(library, reproduce, *compiler):
    library = pathlib.Path(library).resolve()
    environment = tree.environment(CUBENET_LIBRARY=library, PYTHONPATH=tree.ROOT / "lib" / "python",
                                   PYTHONDONTWRITEBYTECODE="1")
    listed = tree.run(reproduce, "list")
    exhibits = set(re.findall(r"^(\S+)", listed, re.MULTILINE))
    problems, counts = [], {}
    compilers = {"c": compiler, "cpp": [shutil.which("c++")] if shutil.which("c++") else None}
    if compilers["cpp"] is None:
        tree.leave_out("the blocks of C++ are not compiled, for there is no c++ here")
    with tempfile.TemporaryDirectory() as folder:
        for page in (tree.ROOT / "README.md", *sorted((tree.ROOT / "docs").rglob("*.md"))):
            found = [(kind_of(*block), *block[1:]) for block in blocks(page.read_text())]
            for kind, code, _ in found:
                counts[kind] = counts.get(kind, 0) + 1
                if kind == "json":
                    json.loads(code)
            session = [row for row in found if row[0] in ("python", "session")]
            if session:
                script = pathlib.Path(folder, "session.py")
                script.write_text(SESSION % session)
                done = tree.run_for_status(sys.executable, script, env=environment, cwd=folder)
                if done.returncode != 0:
                    problems.append(f"{tree.name(page)}: {done.stdout}{done.stderr}")
            for kind, code, shown in found:
                if compilers.get(kind):
                    said = compiled(page.stem, kind, code, pathlib.Path(folder, "block"), compilers[kind])
                    problems += [f"{tree.name(page)}: {said}"] if said else []
                if kind == "c" and "int main(void)" in code and shown:
                    counts["program"] = counts.get("program", 0) + 1
                    said = printed_by(code, library, pathlib.Path(folder), compiler)
                    problems += [f"{tree.name(page)}: a program prints {said}"] if said != shown else []
            for name in re.findall(r"\breproduce ((?:[\w.-]+-[\w.-]+ ?)+)", " ".join(
                    page.read_text().split())):
                problems += [f"{tree.name(page)}: reproduce has no {part}" for part in name.split()
                             if not part.startswith("-") and part.rstrip(".") not in exhibits]
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    for kind, least in (("python", 5), ("session", 2), ("c", 4), ("program", 2), ("json", 4)):
        if counts.get(kind, 0) < least:
            problems.append(f"only {counts.get(kind, 0)} blocks of {kind} are found")
    tree.finish(problems)


if __name__ == "__main__":
    main(*sys.argv[1:])

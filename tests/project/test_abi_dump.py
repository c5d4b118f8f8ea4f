"""The binary interface of what stays is the recorded one, tests/project/abi/core.abi.

    test_abi_dump.py [--update] cubenet.c

Compiles the library from its one file, without optimization and with debug information, exports the names of
lib/symbols/core.txt alone, and has libabigail's abidw write what a program sees of it: functions, the types of their
arguments, the public structs and the numbers of enums. abidiff compares that with the record; --update writes it
(meson compile -C build abi). docs/quality.md says when that is allowed."""

import pathlib
import platform
import sys
import tempfile

import tree

RECORD = tree.ROOT / "tests" / "project" / "abi" / "core.abi"
ERRORS, INCOMPATIBLE = 1 | 2, 8  # bits of abidiff's exit status
# what depends on the machine, the folder or the line is left out
OPTIONS = ["--drop-private-types", "--no-comp-dir-path", "--no-corpus-path", "--no-show-locs", "--no-architecture",
           "--no-elf-needed", "--no-parameter-names", "--exported-interfaces-only", "--type-id-style", "hash"]


def dump(code, folder):
    script, library, made = folder / "core.map", folder / "libcubenet.so", folder / "core.abi"
    script.write_text("CUBENET_1 { global: " + "; ".join(tree.exported("core")) + "; local: *; };\n")
    tree.run(tree.tool("gcc"), "-std=c11", "-O0", "-g", "-fPIC", "-shared", "-fvisibility=hidden", "-DCNI_ONE_COPY",
             f"-Wl,--version-script={script}", code, "-o", library, "-lm", "-pthread")
    tree.run(tree.tool("abidw"), *OPTIONS, "--header-file", code.with_suffix(".h"), "--out-file", made, library)
    return made


def problems(code, folder):
    done = tree.run_for_status(tree.tool("abidiff"), RECORD, dump(code, folder))
    if done.returncode & (ERRORS | INCOMPATIBLE):
        yield "the binary interface is not compatible with the recorded one:\n" + done.stdout + done.stderr
    elif done.returncode != 0:
        yield ("the binary interface has changed; if that is meant, meson compile -C build abi records it:\n"
               + done.stdout + done.stderr)


if platform.machine() != "x86_64" or sys.maxsize < 2**32:
    tree.skip("the recorded interface is that of x86-64")
tree.tool("abidiff")
with tempfile.TemporaryDirectory() as name:
    code, folder = pathlib.Path(sys.argv[-1]).resolve(), pathlib.Path(name)
    if "--update" in sys.argv:
        RECORD.write_text(dump(code, folder).read_text())
        tree.finish([])
    tree.finish(list(problems(code, folder)))

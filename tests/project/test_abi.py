"""What was compiled against the last tagged version (v*) still runs with this shared object.

    test_abi.py libcubenet.so meson

Builds that version in a temporary folder and compares with libabigail's abidiff. Additions are fine;
what is gone or of another shape is not."""

import pathlib
import subprocess
import sys
import tempfile

import tree

INCOMPATIBLE = 8  # abidiff's bit for a change that breaks programs for certain
CHANGED, ERRORS = 4, 1 | 2

library, meson = sys.argv[1:]
abidiff, git = tree.tool("abidiff"), tree.tool("git")
found = subprocess.run([git, "-C", tree.ROOT, "describe", "--tags", "--abbrev=0", "--match", "v*"],
                       capture_output=True, text=True)
if found.returncode != 0:
    tree.skip("no version is tagged yet")
tag = found.stdout.strip()

with tempfile.TemporaryDirectory() as folder:
    source, build = pathlib.Path(folder) / "source", pathlib.Path(folder) / "build"
    source.mkdir()
    archive = pathlib.Path(folder) / "source.tar"
    tree.run(git, "-C", tree.ROOT, "archive", "-o", archive, tag)
    tree.run("tar", "-xf", archive, "-C", source)
    tree.run(meson, "setup", "-Dtests=disabled", "-Dbench=false", "-Dpython=disabled",
             "-Ddebug=true", build, source)
    tree.run(meson, "compile", "-C", build)
    before = build / "lib" / "libcubenet.so"
    # without its report of additions the exit status has the changes of what was there before
    compared = subprocess.run([abidiff, "--no-added-syms", before, library],
                              capture_output=True, text=True)
    problems = []
    if compared.returncode & (ERRORS | INCOMPATIBLE | CHANGED):
        problems = [f"{tag} and this tree differ:", compared.stdout + compared.stderr]
tree.finish(problems)

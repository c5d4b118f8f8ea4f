"""What was compiled against the last tagged version (v*) still runs with the shared object of this tree.

    test_abi.py meson

Builds both in a temporary folder, with debug information, without which types and enums cannot be seen, and
compares them with libabigail's abidiff. Additions are fine; what is gone or of another shape is not."""

import pathlib
import subprocess
import sys
import tempfile

import tree

INCOMPATIBLE = 8  # abidiff's bit for a change that breaks programs for certain
CHANGED, ERRORS = 4, 1 | 2

(meson,) = sys.argv[1:]
abidiff, git = tree.tool("abidiff"), tree.tool("git")
found = subprocess.run([git, "-C", tree.ROOT, "describe", "--tags", "--abbrev=0", "--match", "v*"],
                       capture_output=True, text=True)
if found.returncode != 0:
    tree.skip("no version is tagged yet")
tag = found.stdout.strip()

def shared_object(source, build):
    tree.run(meson, "setup", "-Dtests=disabled", "-Dbench=false", "-Dpython=disabled",
             "-Dbuildtype=debug", "-Ddefault_library=shared", build, source)
    tree.run(meson, "compile", "-C", build)
    return build / "lib" / "libcubenet.so"


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    source = folder / "source"
    source.mkdir()
    tree.run(git, "-C", tree.ROOT, "archive", "-o", folder / "source.tar", tag)
    tree.run("tar", "-xf", folder / "source.tar", "-C", source)
    before = shared_object(source, folder / "before")
    after = shared_object(tree.ROOT, folder / "after")
    # without its report of additions the exit status has the changes of what was there before
    compared = subprocess.run([abidiff, "--no-added-syms", before, after],
                              capture_output=True, text=True)
    problems = []
    if compared.returncode & (ERRORS | INCOMPATIBLE | CHANGED):
        problems = [f"{tag} and this tree differ:", compared.stdout + compared.stderr]
tree.finish(problems)

"""The library builds without a warning in configurations other than the one at hand.

    test_build_variants.py no-threads|clang meson

What these find does not depend on optimization; the warnings that do are those of test_amalgamation.py. Without any, gcc has
macros for AVX-512 that warn themselves."""

import os
import pathlib
import sys
import tempfile

import tree

variant, meson = sys.argv[1], sys.argv[2]
environment = dict(os.environ)
options = ["-Dtests=disabled", "-Dbench=false", "-Dpython=disabled", "-Dwerror=true",
           "-Doptimization=1", "-Dc_args=-DCNI_ONE_COPY", "-Ddefault_library=shared"]
if variant == "clang":
    environment["CC"] = tree.tool("clang")
else:
    options.append("-Dthreads=disabled")

problems = []
with tempfile.TemporaryDirectory() as folder:
    tree.run(meson, "setup", *options, folder, tree.ROOT, env=environment)
    tree.run(meson, "compile", "-C", folder, env=environment)
    library = pathlib.Path(folder) / "lib" / "libcubenet.so"
    if variant == "no-threads" and library.exists():
        imported = tree.run(tree.tool("nm"), "-D", "--undefined-only", library)
        problems = [f"without threads the library imports {line.split()[-1]}"
                    for line in imported.splitlines() if "pthread" in line]
tree.finish(problems)

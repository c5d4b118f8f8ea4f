"""A Meson project that has cubenet as a subproject links it by dependency('cubenet'), and builds the library alone:
no tests, no benchmarks, no examples.

    test_subproject.py CONSUMER MESON

CONSUMER is consumer.c as linked in the build folder; the subproject's must print the same."""

import json
import pathlib
import re
import shutil
import sys
import tempfile
import textwrap

import tree

HERE = pathlib.Path(__file__).resolve().parent / "consumer"
PAGE = (tree.ROOT / "docs" / "embedding.md").read_text()
# the wrap file as the page prints it
WRAP = re.search(r"`subprojects/cubenet\.wrap`.*:\n\n((?:    .*\n|\n)+)", PAGE).group(1)
consumer, meson = sys.argv[1:]

problems = []
with tempfile.TemporaryDirectory() as name:
    project, build = pathlib.Path(name, "project"), pathlib.Path(name, "build")
    shutil.copytree(tree.ROOT, project / "subprojects" / "cubenet", ignore=shutil.ignore_patterns(
        "build", "build-*", ".git", "__pycache__"))
    (project / "subprojects" / "cubenet.wrap").write_text(textwrap.dedent(WRAP))
    for file in "meson.build", "consumer.c":
        shutil.copy(HERE / file, project)
    tree.run(meson, "setup", "-Dbuildtype=plain", "-Dc_args=-DCNI_ONE_COPY", "-Dcubenet:default_library=static",
             "-Dcubenet:tests=enabled", build, project)
    tree.run(meson, "compile", "-C", build)
    if tree.run(build / "consumer") != tree.run(consumer):
        problems.append("the consumer prints something else")
    targets = json.loads(tree.run(meson, "introspect", "--targets", build))
    built = sorted(target["name"] for target in targets if target["build_by_default"])
    if built != ["consumer", "cubenet"]:
        problems.append(f"the project builds {' '.join(built)}")
tree.finish(problems)

"""A project of CMake that has the source of cubenet inside, as pkgconfig/CMakeLists.txt says.

    test_cmake_project.py CONSUMER

CONSUMER is consumer.c as linked in the build folder; the project's must print the same, built without what is made
for single processors, too."""

import pathlib
import sys
import tempfile

import tree

PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(host C)
include(FetchContent)
FetchContent_Declare(cubenet SOURCE_DIR "{root}" SOURCE_SUBDIR pkgconfig)
FetchContent_MakeAvailable(cubenet)
add_executable(consumer "{root}/tests/project/consumer/consumer.c")
target_link_libraries(consumer PRIVATE cubenet::cubenet)
"""

cmake = tree.tool("cmake")
problems = []
with tempfile.TemporaryDirectory() as name:
    project, build = pathlib.Path(name, "host"), pathlib.Path(name, "build")
    project.mkdir()
    (project / "CMakeLists.txt").write_text(PROJECT.format(root=tree.ROOT))
    tree.run(cmake, "-S", project, "-B", build, "-G", "Ninja", "-DCUBENET_PROCESSORS=OFF",
             "-DCMAKE_C_FLAGS=-DCNI_ONE_COPY", "-DCMAKE_BUILD_TYPE=Debug")
    tree.run(cmake, "--build", build)
    if tree.run(build / "consumer") != tree.run(sys.argv[1]):
        problems.append("the consumer prints something else")
tree.finish(problems)

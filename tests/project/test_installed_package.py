"""What `meson install` leaves is a package that others can use.

    test_installed_package.py CONSUMER THREADS MESON COMPILED CC...

CONSUMER is consumer.c as linked in the build folder; whatever is built or run here from the
installed files alone must print the same. COMPILED holds the shared and the static library as an ordinary build
leaves them: the prefix is not compiled into them. If it is empty, they are compiled here. The prefix has a space in its
name."""

import difflib
import pathlib
import shlex
import shutil
import sys
import tempfile

import tree

HERE = pathlib.Path(__file__).resolve().parent / "consumer"
consumer, threads, meson, compiled = sys.argv[1:5]
compiler = sys.argv[5:]
expected = tree.run(consumer)
problems = []


def expect_same(what, printed, wanted=expected):
    if printed != wanted:
        lines = difflib.unified_diff(wanted.splitlines(), printed.splitlines(), "expected", what,
                                     n=0, lineterm="")
        problems.append("\n".join(lines))


def install(folder):
    """Builds for a prefix of its own and installs there; gives back the prefix."""
    prefix, build = folder / "a prefix", folder / "build"
    env = tree.environment(CC=" ".join(compiler))
    tree.run(meson, "setup", f"--prefix={prefix}", "-Dtests=disabled", "-Dbench=false",
             f"-Dthreads={threads}", build, tree.ROOT, env=env)
    if compiled:
        for library in pathlib.Path(compiled).glob("libcubenet.*[!p]"):
            (build / "lib" / library.name).unlink(missing_ok=True)    # some versions of meson make the links at once
            shutil.copy2(library, build / "lib", follow_symlinks=False)
    else:
        tree.run(meson, "compile", "-C", build, env=env)
    tree.run(meson, "install", "-C", build, "--no-rebuild", env=env)
    # what is left can only be found where it was installed
    build.rename(folder / "elsewhere")
    return prefix


def package(pc, *options):
    env = tree.environment(PKG_CONFIG_PATH=pc.parent)
    return shlex.split(tree.run(tree.tool("pkg-config"), *options, "cubenet", env=env))


def dynamic_section(program):
    return tree.run(tree.tool("readelf"), "-d", program)


def link_and_run(what, command, flags, library, folder, source="consumer.c"):
    program = folder / what.replace(" ", "-")
    tree.run(*command, HERE / source, "-o", program, *flags)
    expect_same(what, tree.run(program, env=tree.environment(LD_LIBRARY_PATH=library.parent)))
    return program


def check_shared(pc, library, folder):
    flags = package(pc, "--cflags", "--libs")
    program = link_and_run("shared consumer", compiler, flags, library, folder)
    if "[libcubenet.so.1]" not in dynamic_section(program):
        problems.append("a program linked against the library does not ask for libcubenet.so.1")
    if "soname: [libcubenet.so.1]" not in dynamic_section(library):
        problems.append("the SONAME is not libcubenet.so.1")
    for name in "g++", "clang++":
        if shutil.which(name):
            link_and_run(f"consumer with {name}", [name, "-x", "c++"], ["-x", "none", *flags],
                         library, folder)
            link_and_run(f"C++ consumer with {name}", [name, "-std=c++17"], flags, library, folder,
                         "consumer.cpp")


def check_static(pc, library, folder):
    archive = library.parent / "libcubenet.a"
    flags = [str(archive) if flag == "-lcubenet" else flag
             for flag in package(pc, "--static", "--cflags", "--libs")]
    program = link_and_run("static consumer", compiler, flags, folder / "nowhere" / "x", folder)
    if "libcubenet" in dynamic_section(program):
        problems.append("the static consumer asks for the shared library")


def check_python(prefix, library):
    env = tree.environment(CUBENET_LIBRARY=library)
    script = HERE / "consumer.py"
    expect_same("consumer.py with ctypes", tree.run(sys.executable, script, env=env))

    modules = list(prefix.rglob("cubenet/__init__.py"))
    if not modules:
        print("the Python module is not installed in this configuration")
        return
    env = tree.environment(PYTHONPATH=modules[0].parent.parent, LD_LIBRARY_PATH=library.parent,
                           CUBENET_LIBRARY="")
    probe = "import cubenet; print(hasattr(cubenet, 'Scenario'))"
    if tree.run(sys.executable, "-c", probe, env=env).strip() == "True":
        printed = tree.run(sys.executable, script, "module", env=env)
        # all metrics, in whatever order
        metrics = expected.splitlines(keepends=True)[1:]
        expect_same("consumer.py with the module",
                    "".join(sorted(printed.splitlines(keepends=True))), "".join(sorted(metrics)))


def check_shell(prefix, folder):
    """env.sh puts what was installed on the paths, and pkg-config quotes for a shell that reads its words again."""
    script = folder / "script"
    script.write_text(f""". "$1/share/cubenet/env.sh"
eval "{shlex.join(compiler)} -o '{folder}/from-a-shell' '{HERE}/consumer.c' $(pkg-config --cflags --libs cubenet)"
'{folder}/from-a-shell'
""")
    env = {"HOME": str(folder), "PATH": tree.environment()["PATH"]}
    expect_same("consumer from a shell", tree.run("sh", "-eu", script, prefix, env=env))


def cmake_project(cmake, source, build, *options):
    """Configured for ninja, which is here where meson is; make need not be."""
    ninja = next(filter(None, map(shutil.which, ("ninja", "ninja-build", "samu"))))
    return tree.run(cmake, "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}", "-S", source, "-B", build, *options,
                    env=tree.environment(CC=" ".join(compiler)))


def check_cmake(prefix, folder):
    """A project that finds the package, in a prefix that was moved since: with both libraries, and not when it asks
    for a version that there is not."""
    cmake = shutil.which("cmake")
    if cmake is None:
        tree.leave_out("the package for CMake is not tried, for there is no cmake here")
        return
    moved = prefix.rename(folder / "moved")
    for kind, wanted in ("OFF", True), ("ON", False):
        build = folder / f"cmake-{kind}"
        cmake_project(cmake, HERE, build, f"-DCMAKE_PREFIX_PATH={moved}", f"-DSTATIC={kind}")
        tree.run(cmake, "--build", build)
        program = build / "consumer"
        expect_same(f"consumer of CMake with STATIC {kind}", tree.run(program))
        if ("libcubenet" in dynamic_section(program)) != wanted:
            problems.append(f"with STATIC {kind} CMake links the other library")
    check_versions(cmake, moved, folder)


def check_versions(cmake, moved, folder):
    asked = {"0.9.9": 0, "1": 1, "1.0.0": 1, "1.1": 0, "2.0": 0, "1.0...1.9": 1, "0.9...<1.0.0": 0,
             "1.0.0 EXACT": 1, "0.9.9 EXACT": 0}
    project = folder / "versions"
    project.mkdir()
    lines = ["cmake_minimum_required(VERSION 3.19)", "project(versions C)"]
    for version in asked:
        lines += ["unset(cubenet_DIR CACHE)", f"find_package(cubenet {version} QUIET CONFIG)",
                  f'message(STATUS "asked for {version}: ${{cubenet_FOUND}}")']
    (project / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
    said = cmake_project(cmake, project, folder / "versions-build", f"-DCMAKE_PREFIX_PATH={moved}")
    problems.extend(f"CMake does not answer {fits} when asked for {version}:\n{said}"
                    for version, fits in asked.items()
                    if f"-- asked for {version}: {fits}\n" not in said)


def check_headers(prefix):
    installed = {path.relative_to(prefix / "include")
                 for kind in ("*.h", "*.hpp") for path in prefix.rglob(kind)}
    ours = {path.relative_to(tree.ROOT / "include")
            for path in tree.public_headers() + [tree.CPP_HEADER]}
    problems.extend(f"the header {path} is not installed" for path in sorted(ours - installed))
    problems.extend(f"{path} is installed but not public" for path in sorted(installed - ours))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    prefix = install(folder)
    pc = next(prefix.rglob("cubenet.pc"))
    library = next(prefix.rglob("libcubenet.so"))
    check_headers(prefix)
    check_shared(pc, library, folder)
    check_static(pc, library, folder)
    check_python(prefix, library)
    check_shell(prefix, folder)
    check_cmake(prefix, folder)
tree.finish(problems)

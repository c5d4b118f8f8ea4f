"""What run.sh says of tests that were skipped, by tests/skipped.py; and that it goes by folder: each fuzz target in
tests/fuzz/ is in its meson.build, so that none is left out by the run nor by libFuzzer. Of the tests that the thread
sanitizer runs in part, the functions of that part are there."""

import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import tree

SCRIPT = tree.ROOT / "tests" / "skipped.py"
TESTS = [
    ({"name": "cubenet:project / abi", "result": "SKIP", "stdout": "skipped: there is no git here\n"},
     ["build/abi: there is no git here"]),
    ({"name": "cubenet:project / silent", "result": "SKIP", "stdout": "77\n"}, ["build/silent: it does not say why"]),
    ({"name": "cubenet:project / site", "result": "OK",
      "stdout": "all pages\nskipped: no page is looked at, for there is no chromium here\n"},
     ["build/site: no page is looked at, for there is no chromium here"]),
    ({"name": "cubenet:python / package.py", "result": "OK",
      "stderr": "test_a (test_package.Hints.test_a)\nAll of it. ... skipped 'there is no mypy here'\n"
                "test_b (test_package.Hints.test_b) ... ok\nOK (skipped=1)\n"},
     ["build/package.py: there is no mypy here"]),
    ({"name": "cubenet:systems / json", "result": "OK",
      "stdout": "[ RUN      ] comma\nskipped: there is no locale\n[  SKIPPED ] comma\n[  SKIPPED ] 1 test(s)\n"},
     ["build/json: there is no locale"]),
    ({"name": "cubenet:systems / other", "result": "OK", "stdout": "[  SKIPPED ] comma\n"}, ["build/other: comma"]),
    ({"name": "cubenet:base / text", "result": "OK", "stdout": "[       OK ] skipping_gives_the_same_bits\n"}, []),
]
LIST = "# allowed\n\nbuild/abi: there is no git here\nbuild*/silent: *\n"
problems = []


def expect(what, have, want):
    if have != want:
        problems.append(f"{what}: {have}, not {want}")


def printed(*arguments, given=""):
    return subprocess.run([sys.executable, SCRIPT, *arguments], input=given, check=True, stdout=subprocess.PIPE,
                          text=True).stdout.splitlines()


with tempfile.TemporaryDirectory() as name:
    log, allowed = pathlib.Path(name, "testlog.json"), pathlib.Path(name, "skips")
    log.write_text("".join(json.dumps(test) + "\n" for test, _ in TESTS))
    allowed.write_text(LIST)
    lines = [line for _, told in TESTS for line in told]
    expect("what was skipped", printed("build", log), lines)
    ended = [{"name": "cubenet:base / text", "result": "TIMEOUT", "duration": 150.2},
             {"name": "cubenet:base / team", "result": "FAIL", "duration": 0.1},
             {"name": "cubenet:base / sort", "result": "OK", "duration": 1.0}]
    failed = pathlib.Path(name, "failed.json")
    failed.write_text("".join(json.dumps(test) + "\n" for test in ended))
    expect("what failed", printed("--failed", "build", failed),
           ["build/text: TIMEOUT after 150 s", "build/team: FAIL after 0 s"])
    expect("what is not allowed", printed("--not-in", allowed, given="\n".join(lines)), lines[2:])

folder = tree.ROOT / "tests" / "fuzz"
expect("the targets of meson.build", re.findall(r"^  '(\w+)': '\d+',$", (folder / "meson.build").read_text(), re.MULTILINE),
       sorted(path.stem.removeprefix("fuzz_") for path in folder.glob("fuzz_*.c")))

folder = tree.ROOT / "tests" / "simulation"
in_part = re.findall(r"^  '(\w+)': '([*\w]+)',$", (folder / "meson.build").read_text(), re.MULTILINE)
expect("tests of which the thread sanitizer runs a part", len(in_part) > 0, True)
for name, pattern in in_part:
    source = next(folder.glob(f"*/test_{name}.c")).read_text()
    expect(f"functions {pattern} of test_{name}.c",
           fnmatch.filter(re.findall(r"cmocka_unit_test\((\w+)\)", source), pattern) != [], True)
tree.finish(problems)

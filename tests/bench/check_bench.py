"""check_bench.py PROGRAM: its --csv output is lines name,value,unit, and nothing else is accepted."""
import os
import re
import subprocess
import sys

program = sys.argv[1]
LINE = re.compile(r"[a-z-]+/n=\d+/[^,]+,\d+(\.\d+)?(e-?[1-9]\d*)?,[^,]+")


def run(*options):
    return subprocess.run([program, *options], capture_output=True, text=True)


done = run("--quick", "--csv", "--threads", "2")
assert done.returncode == 0, done.stderr
lines = done.stdout.splitlines()
assert lines, "no output"
for line in lines:
    assert LINE.fullmatch(line), line
    assert float(line.split(",")[1]) > 0, line
names = [line.split(",")[0] for line in lines]
assert len(set(names)) == len(names), "a name twice"
# Where the machine counts instructions, they are printed beside each rate of the programs of hops.
if any(what in program for what in ("deflection", "wormhole", "store", "collective")):
    assert ("/instructions," in done.stdout) != ("instructions are not counted" in done.stderr), done
SIZES = {"bench_wormhole": (6, 8, 10), "bench_faults": (8, 12, 16),
         "bench_routing": (8, 10, 12), "bench_statistics": (3, 8, 10),
         "bench_control": (6, 10), "bench_parts": (10, 12)}
for n in SIZES.get(os.path.basename(program), (6, 10, 14)):
    assert any(f"/n={n}/" in name for name in names), f"nothing for n = {n}"
if "deflection" in program:
    assert {"deflection/n=10/threads=1", "deflection/n=10/threads=2"} <= set(names), names
if "wormhole" in program:
    assert {"wormhole/n=10/threads=1", "wormhole/n=8/replications=8/threads=2",
            "cut-through/n=8/threads=1", "cut-through-deflection/n=8/threads=1"} <= set(names), names
if "predict" in program:
    for what in ("n=6/buffers=6..25", "n=6/separate-buffers", "n=6/shared-buffer",
                 "n=6/optimistic-bound", "n=6/degraded-bound", "n=6/deflection-published",
                 "n=6/deflection-own", "n=2/8-ary/exact", "n=3/16-ary/reduced"):
        assert f"predict/{what}" in names, what
if "faults" in program:
    assert {"faults/n=8/p=0.05/convex", "faults/n=12/p=0.01/hierarchy/update"} <= set(names), names
if "routing" in program:
    for what in ("table", "next", "loads"):
        assert f"routing/n=12/up-down-adaptive/{what}" in names, what
if "store" in program:
    assert {"store/n=10/separate", "store/n=14/shared", "store/n=14/continuous",
            "store/n=10/two-level", "store/n=10/torus"} <= set(names), names

for wrong in (["--nonsense"], ["--threads"], ["--threads", "0"], ["--threads", "x"]):
    assert run(*wrong).returncode == 1, wrong

"""The quickstart's program: what it prints for good arguments, and how it refuses bad ones.

    test_quickstart.py DEFLECTION_TABLE"""

import re
import subprocess
import sys

import tree

program = sys.argv[1]
problems = []

# M, load, then thrice: model, simulation, half-width, difference
ROW = re.compile(r"^ *(\d+) +([\d.]+)(\*?)((?: +[\d.]+ +[\d.]+\+-[\d.]+ *[-+][\d.]+){3})$",
                 re.MULTILINE)


def expect(what, have, want):
    if have != want:
        problems.append(f"{what}: {have}, not {want}")


def check_table(arguments, sizes, loads, saturated):
    printed = tree.run(program, *arguments)
    rows = [(int(buffers), float(load)) for buffers, load, _, _ in ROW.findall(printed)]
    stars = [(int(buffers), float(load)) for buffers, load, star, _ in ROW.findall(printed) if star]
    expect(f"rows of {arguments}", rows, [(size, load) for size in sizes for load in loads])
    expect(f"saturated rows of {arguments}", stars, saturated)
    for buffers, load, _, numbers in ROW.findall(printed):
        throughput, simulated, _, _ = map(float, re.findall(r"[-+]?[\d.]+", numbers)[:4])
        if not abs(throughput - simulated) < 0.1 * simulated:
            problems.append(f"M={buffers} load={load}: {throughput} is far from {simulated}")
    for drawn, signs in zip((sizes[0], sizes[-2], sizes[-1]), (".o", "-x", "~+")):
        if f"M = {drawn} " not in printed or any(sign not in printed for sign in signs):
            problems.append(f"{arguments}: the picture lacks M = {drawn}")


def check_refusal(arguments, sentence):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode == 0 or done.stdout or sentence not in done.stderr:
        problems.append(f"{arguments}: status {done.returncode}, prints {done.stdout!r}, says "
                        f"{done.stderr!r} instead of {sentence!r}")


check_table(["4", "0.5", "4"], [4, 6, 7, 8, 14], [0.5, 4.0],
            [(4, 4.0), (6, 4.0), (7, 4.0), (8, 4.0), (14, 4.0)])
check_table(["2", "0.3"], [2, 3, 4, 7], [0.3], [])
check_refusal(["0"], "cn_topology_hypercube: n = 0,")
check_refusal(["63"], "cn_topology_hypercube: n = 63,")
check_refusal(["40"], "hypercube(40) with buffers = 134")
check_refusal(["abc"], 'n = "abc", but it must be a number')
check_refusal(["2.5"], "n = 2.5, but")
check_refusal(["-1"], "n = -1, but")
check_refusal(["4", "-1"], "cn_scenario_set: load = -1,")
check_refusal(["4", "0.5", "nan"], "cn_scenario_set: load = nan,")
check_refusal(["4", "1x"], 'load = "1x", but it must be a number')
check_refusal(["4", ""], 'load = "", but it must be a number')
tree.finish(problems)

"""Plays the messages of a text file into a network and says when the last of them arrived.

A line is "cycle source destination" or "cycle source destination flits", cycles never decreasing;
what follows a # is a remark. To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/trace.py [file [dimensions]]
"""

import sys
from pathlib import Path

from cubenet import Scenario, Topology, Traffic


def read_trace(path):
    """The messages of a file, as tuples."""
    messages = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if len(words) not in (3, 4) or not all(word.isdecimal() for word in words):
                raise ValueError(f"{path}:{number}: not \"cycle source destination [flits]\"")
            messages.append(tuple(map(int, words)))
    return messages


path = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("trace.txt")
cube = Topology.hypercube(int(sys.argv[2]) if len(sys.argv) > 2 else 4)
traffic = Traffic.trace(cube, read_trace(path))
print(f"{len(traffic)} messages of {traffic.senders} nodes, {traffic.mean_distance():.3f} hops each")

for system in ("deflection", "separate-buffers", "shared-buffer"):
    scenario = Scenario(cube, system, traffic=traffic, warmup_cycles=0)
    with scenario.open() as simulation:
        while True:
            simulation.step()
            result = simulation.result()
            if result["messages_delivered"] == len(traffic):
                break
        print(f"{system:17} delivered all by cycle {simulation.cycle}, mean delay "
              f"{result['mean_delay']:.3f}")

"""Driving a simulation by hand: every node of a 6-cube asks another one, which answers.

The caller decides who sends what and when; the network brings along traffic of its own (load 1).
To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/drive.py
"""

import random

import cubenet

cube = cubenet.Topology.hypercube(6)
choose = random.Random(1)
QUESTION, ANSWER = 0, 1
# what waits to be sent: (source, destination, tag), the tag being what kind and who asked
waiting = [(v, choose.choice([u for u in range(64) if u != v]), 2 * v + QUESTION)
           for v in range(64)]
round_trips = []

with cubenet.Scenario(cube, "deflection", load=1, buffers=12, seed=1).open() as network:
    while len(round_trips) < 64:
        # a refused message stays in the list and is offered again after the next cycle
        waiting = [message for message in waiting if not network.inject(*message)]
        network.step()
        for arrived in network.deliveries():
            if arrived.tag % 2 == QUESTION:
                waiting.append((arrived.destination, arrived.source, arrived.tag + ANSWER))
            else:
                hops = 2 * cube.distance(arrived.source, arrived.destination)
                round_trips.append((hops, arrived.delivered))

    print("hops there and back   round trips   mean cycles")
    for hops in sorted({hops for hops, _ in round_trips}):
        cycles = [cycle for h, cycle in round_trips if h == hops]
        print(f"{hops:19}   {len(cycles):11}   {sum(cycles) / len(cycles):11.1f}")
    print(f"all answers were in after {network.cycle} cycles")

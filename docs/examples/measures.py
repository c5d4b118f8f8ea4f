"""A hypercube and a PSNN of 64 nodes, by all measures; where bounds differ both are printed.

To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/measures.py
"""

import cubenet
from cubenet import Topology

cube, psnn = Topology.hypercube(6), Topology.psnn(6)


def known(net, name):
    measure = net.measure(name)
    if measure.value is None:
        return f"{measure.lower:.6g}..{measure.upper:.6g}"
    return f"{measure.value:.6g} ({measure.kind})"


print(f"{'':28}  {cube.name:22}  {psnn.name}")
for name in cubenet.measures():
    if name != "node_cut":  # of stars and trees only
        print(f"{name:28}  {known(cube, name):22}  {known(psnn, name)}")

schedule, cut = psnn.broadcast_schedule(0), psnn.bisection()
print(f"\nlast step of a broadcast from node 0 of {psnn.name}:",
      *(f"{t.sender}->{t.receiver}" for t in schedule.transfers if t.step == schedule.upper))
print("one half of it:", *(v for v, side in enumerate(cut.side) if side == cut.side[0]))

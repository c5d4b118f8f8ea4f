"""Deflection routing on the 6-cube: what the model predicts beside what a simulation measures.

To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/deflection.py
"""

import cubenet

cube = cubenet.Topology.hypercube(6)
scenario = cubenet.Scenario(cube, "deflection", buffers=12, seed=1, relative_precision=0.01)

print("      mean delay in cycles       messages per node and cycle")
print("load    model  simulation          model  simulation")
for load in (0.25, 0.5, 1.0, 1.5, 2.0, 3.0):
    scenario.load = load
    model, simulated = scenario.predict(), scenario.simulate()
    columns = (f"{model[name]:7.3f}  {simulated[name]:7.3f} +- {simulated.half_width(name):.3f}"
               for name in ("mean_delay", "throughput"))
    print(f"{load:4}", *columns, sep="  ")

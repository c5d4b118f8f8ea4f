"""A damaged 4-cube: what it keeps in use, how it is split, a message around the faults,
and the delay under load.

To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/damaged.py
"""

from cubenet import Faults, Scenario, Topology

cube = Topology.hypercube(4)
faults = Faults(cube)
for address in ("0010", "0011", "0100", "0111", "1001"):
    faults.add_node(cube.parse_address(address))

for name, subnet in (("1-degraded", faults.degraded_subnet(1)), ("convex", faults.convex_subnet())):
    print(f"{name} subnet: {subnet.survivor_count} nodes, disabled:",
          *map(cube.address, subnet.disabled))

hierarchy = faults.hierarchy()
print("clusters:", *hierarchy.clusters)
print(f"mean hops: {hierarchy.mean_hops():.6f}, shortest paths: {faults.mean_distance():.6f}")

node, destination = map(cube.parse_address, ("0110", "0101"))
path = [node]
while node != destination:
    node = cube.neighbor(node, hierarchy.next_hops(node, destination)[0])
    path.append(node)
print("one message:", " -> ".join(map(cube.address, path)))

for routing in ("optimal-path", "two-level"):
    scenario = Scenario(cube, "separate-buffers", routing=routing, slotted=False, load=0.4,
                        faults=faults)
    exact, run = scenario.predict(), scenario.simulate()
    print(f"{routing}: mean delay {exact['mean_delay']:.4f}, "
          f"simulated {run['mean_delay']:.4f} +- {run.half_width('mean_delay'):.4f}")

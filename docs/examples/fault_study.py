"""What failing nodes do to a 6-cube: how much survives, how far messages go, and how long they take.

To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/fault_study.py
"""

from cubenet import Scenario, Study, Topology

cube = Topology.hypercube(6)


def shown(result, name, factor=1):
    return f"{factor * result[name]:7.3f} +- {factor * result.half_width(name):.3f}"


print("nodes fail independently; survivors in per cent of the nodes that work")
for p in (0.01, 0.05, 0.10):
    for keep in ("degraded", "convex"):
        result = Study(cube, node_probability=p, keep=keep, paths=False, patterns=1000).run()
        print(f"  p = {p:.2f}  {keep:10}{shown(result, 'survivors_of_working', 100)}")

print("8 nodes fail, apart and in one cluster; disabled nodes of the convex subnet, clusters")
for name, faults in (("apart", {"nodes": 8}), ("together", {"clusters": (8, 1)})):
    convex = Study(cube, **faults, keep="convex", paths=False, patterns=1000).run()
    split = Study(cube, **faults, keep="clusters", paths=False, patterns=1000).run()
    disabled = 64 * (convex["working_fraction"] - convex["survivor_fraction"])
    print(f"  {name:10}{disabled:7.3f}{shown(split, 'clusters')}")

print("6 nodes fail, every survivor offers 1 message per unit of time: mean delay")
for name, keep in (("optimal-path", "convex"), ("flow-deviation", "convex"),
                   ("two-level", "clusters")):
    if name == "flow-deviation":
        load = Scenario(cube, name, load=1)
    else:
        load = Scenario(cube, "separate-buffers", routing=name, slotted=False, load=1)
    result = Study(cube, nodes=6, keep=keep, scenario=load, patterns=50).run()
    print(f"  {name:16}{shown(result, 'mean_delay')}, on {result.samples('mean_delay')} patterns")

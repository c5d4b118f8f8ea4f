"""A rule of one's own as a routing: the turn model north-last on a mesh, beside two that are built in.

To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/own_routing.py
"""

from cubenet import Routing, Scenario, Topology, Traffic, UnsupportedError

K = 6
mesh = Topology.mesh([K, K])


def north_last(node, destination, came):
    """Any shortest way, but a hop north (to the next row) only when no other is left: a message that goes
    north turns no more, so no turns can close a cycle (Glass & Ni 1992)."""
    closer = [port for port, far in enumerate(mesh.neighbors(node))
              if mesh.distance(far, destination) < mesh.distance(node, destination)]
    others = [port for port in closer if mesh.neighbor(node, port) != node + K]
    return [(port, 0) for port in others or closer]


def any_way(node, destination, came):
    """The same without the rule for turns."""
    return [(port, 0) for port, far in enumerate(mesh.neighbors(node))
            if mesh.distance(far, destination) < mesh.distance(node, destination)]


# Each is asked now and never again; what it answered is a routing like those that are built in.
own = Routing.own(mesh, north_last)
routings = {"north-last": own, "any way": Routing.own(mesh, any_way),
            "dimension-order": Routing(mesh, "dimension-order"),
            "negative-first": Routing(mesh, "negative-first")}

# Paths: two walks of the same message.
source, destination = mesh.node([1, 4]), mesh.node([4, 1])
print("two walks south-east:")
for seed in (0, 3):
    walk = own.path(source, destination, seed=seed)
    assert len(walk) - 1 == own.distance(source, destination) == 6
    print("  " + " ".join(mesh.address(node) for node in walk))
assert own.is_minimal() and own.longest_walk() == 2 * (K - 1)

# Loads: what a channel to the north carries, row by row, when each node sends a message a cycle to a
# random other one.
print("\nchannels to the north, messages a cycle at load 1:")
loads = own.loads()
for y in reversed(range(K - 1)):
    row = [mesh.node([x, y]) for x in range(K)]
    print("  " + " ".join(f"{loads[v][mesh.port_to(v, v + K)]:6.3f}" for v in row))
hops = sum(map(sum, loads)) / K**2
assert abs(hops - mesh.mean_distance()) < 1e-9  # all walks are shortest ones

# What it costs and what it gives: where the first channel is full, and whether worms can deadlock.
transposed = Traffic(mesh, "transpose")
print("\nrouting           full at load: uniform  transpose  verdict")
for name, routing in routings.items():
    found = routing.deadlock_check()
    print(f"{name:<16}{routing.saturation_load():>23.4f}{routing.saturation_load(transposed):>11.4f}"
          f"  {found.verdict}")
    assert found.free == (name != "any way")

# It runs: worms by north-last and by the two that are built in, at a third of what the first channel carries. A routing
# that can deadlock is refused.
print("\nworms of 8 flits, uniform      mean delay")
load = own.saturation_load() / 8 / 3
for name in ("north-last", "dimension-order", "negative-first"):
    scenario = Scenario(mesh, "wormhole", routing=routings[name], load=load, message_flits=8,
                        measure_cycles=20000, relative_precision=0)
    print(f"{name:<30}{scenario.simulate()['mean_delay']:>11.1f}")
try:
    Scenario(mesh, "wormhole", routing=routings["any way"], load=load).simulate()
    assert False
except UnsupportedError as error:
    assert "may deadlock" in str(error)

# The routing without a rule for turns can deadlock: four messages that wait in a circle.
cycle = routings["any way"].deadlock_check().cycle
assert len(cycle) == 4
print("\na circle of messages that may wait for each other without a rule for turns:")
for wait in cycle:
    far = mesh.neighbor(wait.node, wait.port)
    print(f"  for {mesh.address(wait.destination)}: holds {mesh.address(wait.node)} -> "
          f"{mesh.address(far)}")

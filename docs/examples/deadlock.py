"""Deadlock in a torus, proved and watched, and three cures.

To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/deadlock.py
"""

from cubenet import DeadlockError, Scenario, Topology, deadlock_check

torus = Topology.torus([5, 5])


def show(title, found, net=torus):
    print(f"\n{title}\n  {found.text}")
    print(f"  {found.channels} virtual channels, {found.dependencies} dependencies")
    if found.free:
        return
    for wait, awaited in zip(found.cycle, found.cycle[1:] + found.cycle[:1]):
        far = net.neighbor(wait.node, wait.port)
        print(f"  the message for {net.address(wait.destination)} holds {net.address(wait.node)}->"
              f"{net.address(far)} and waits for {net.address(awaited.node)}->"
              f"{net.address(net.neighbor(awaited.node, awaited.port))}")


# Dimension by dimension, the shorter way round each ring: five messages that each hold one channel
# of a ring and want the next wait for ever.
found = deadlock_check(torus, "dimension-order-unsafe", virtual_channels=1)
show("dimension order, one virtual channel", found)
assert not found.free and len(found.cycle) == 5

# The simulator shows it happening: `unsafe` leaves out what protects a routing against deadlock.
scenario = Scenario(torus, "wormhole", routing="dimension-order", unsafe=True, virtual_channels=1,
                    message_flits=16, load=0.05)
with scenario.open() as simulation:
    try:
        simulation.step(100000)
    except DeadlockError as error:
        print(f"\nthe simulator\n  {error}")
    cycle = [divmod(channel, torus.degree(0)) for channel in simulation.deadlock()]
for (node, port), (next_node, next_port) in zip(cycle, cycle[1:] + cycle[:1]):
    assert torus.neighbor(node, port) == next_node and port == next_port
    print(f"  {torus.address(node)}->{torus.address(next_node)} is held by a message that waits for "
          f"{torus.address(next_node)}->{torus.address(torus.neighbor(next_node, next_port))}")
assert len(cycle) == len(found.cycle)

# A second virtual channel alone changes nothing: all ten can be held.
assert not deadlock_check(torus, "dimension-order-unsafe", virtual_channels=2).free

# First cure: one virtual channel before the end of the ring is crossed and another behind it.
found = deadlock_check(torus, "dimension-order", virtual_channels=2)
show("dimension order, two classes", found)
assert found.verdict == "acyclic"
scenario.unsafe, scenario.virtual_channels = False, 2
assert scenario.simulate()["throughput"] > 0.04  # a deadlock would raise DeadlockError

# Second cure: any shortest way, with those two to escape to. There are cycles, but a way out of each.
found = deadlock_check(torus, "duato", virtual_channels=3)
show("duato, two escape channels", found)
assert found.verdict == "escape"

# Third cure: no rings. The turns of a mesh can close a cycle too, unless some are forbidden.
mesh = Topology.mesh([5, 5])


def any_shortest_way(node, destination, came):
    return mesh.wormhole_channels("duato-unsafe", 1, node, destination)


def west_first(node, destination, came):
    """As above, but all hops to lower x come before any others."""
    choices = any_shortest_way(node, destination, came)
    x, target = mesh.digits(node)[0], mesh.digits(destination)[0]
    west = [(port, channel) for port, channel in choices
            if mesh.digits(mesh.neighbor(node, port))[0] < x]
    return west if target < x else choices


found = deadlock_check(mesh, any_shortest_way)
show("any shortest way in a mesh", found, mesh)
assert not found.free and len(found.cycle) == 4
found = deadlock_check(mesh, west_first)
show("west first in a mesh", found, mesh)
assert found.verdict == "acyclic"

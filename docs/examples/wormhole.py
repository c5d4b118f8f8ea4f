"""Wormholes on a 6-cube: the delay of unicasts and broadcasts until the network saturates, and one
broadcast driven by hand.
"""
import cubenet

cube = cubenet.Topology.hypercube(6)
scenario = cubenet.Scenario(cube, "wormhole", message_flits=32, virtual_channels=2,
                            broadcast_fraction=0.01, measure_cycles=20000)

print(" load   unicast broadcast")
for load in (0.004, 0.010, 0.016, 0.025, 0.040):
    scenario.load = load
    result = scenario.simulate()
    if "mean_delay" in result:
        print(f"{load:.3f} {result['mean_delay_unicast']:9.1f} {result['mean_delay_broadcast']:9.1f}")
    else:
        print(f"{load:.3f} {result.stop_text}: {result['throughput']:.4f} messages a node and cycle arrive")

scenario.load = 0
with scenario.open() as simulation:
    simulation.inject_broadcast(source=5, tag=1)
    simulation.step(500)
    (delivery,) = simulation.deliveries()
    print(f"alone, a broadcast takes n (M + 1) = {delivery.delay} cycles")
    loads = simulation.channel_loads()
    print(f"and crosses {sum(load > 0 for load in loads)} of the {len(loads)} channels")

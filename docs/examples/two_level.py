"""Two-level routing on damaged 6-cubes with uneven traffic, its tables updated by the measured delays.

Every node sends 2 % of its messages, beside its share, to one node; the load is 80 % of what the routing by hops can
carry. For each slack, by update, over ten patterns of 8 faulty nodes: the load that can be carried and the mean delay, both
against the routing by hops; a saturated pattern has no delay. And what the nodes need to make the tables among themselves.

To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/two_level.py
"""

from statistics import mean

from cubenet import Faults, Routing, Topology, Traffic, adapt_two_level

cube, spot_share, patterns, updates = Topology.hypercube(6), 0.02, 10, 4


def damaged(seed):
    faults = Faults(cube)
    faults.add_random_nodes(8, seed=seed)
    return faults


def uneven(faults):
    """Traffic between the working nodes; the first of them is the hot spot."""
    working = [node for node in range(cube.node_count) if not faults.has_node(node)]
    rows = [[0.0] * cube.node_count for _ in range(cube.node_count)]
    for source in working:
        for destination in working:
            if source != destination:
                rows[source][destination] = (1 - spot_share) / (len(working) - 1)
        if source != working[0]:
            rows[source][working[0]] += spot_share
    return Traffic.matrix(cube, rows)


def adapted(seed, slack, keep):
    """(limit against that of hops, delay against that of hops or None, rounds, messages) of each update."""
    faults = damaged(seed)
    traffic = uneven(faults)
    limit = Routing.two_level(faults.hierarchy()).saturation_load(traffic)
    periods = adapt_two_level(faults, updates, slack, keep, load=0.8 * limit, traffic=traffic, measure_cycles=5000)
    before = periods[0].result["mean_delay"]
    for period in periods:
        delay = period.result.get("mean_delay")
        yield (period.routing.saturation_load(traffic) / limit, delay and delay / before - 1, period.rounds,
               period.messages)


for slack, keep in (0, 0.5), (1, 0.8), (1.5, 0.8):
    print(f"slack {slack}, keep {keep}")
    for number, rows in enumerate(zip(*(adapted(seed, slack, keep) for seed in range(1, patterns + 1)))):
        limits, delays, rounds, messages = zip(*rows)
        held = [delay for delay in delays if delay is not None]
        shown = f"{mean(held):+7.1%} ({min(held):+.1%} to {max(held):+.1%})" if held else "      -"
        print(f"  update {number}: limit x {mean(limits):.3f} ({min(limits):.3f} to {max(limits):.3f}), delay {shown}, "
              f"{patterns - len(held)} saturated; {mean(rounds):.1f} rounds, {mean(messages):.0f} messages")

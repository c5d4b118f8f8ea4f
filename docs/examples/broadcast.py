"""The same broadcasts stored and forwarded, and with wormhole switching, on a 6-cube.

A message of M flits takes M + 1 cycles to cross a channel of its own; that is one cycle of the system
"collective", whose channels carry one message in each. Both send over binomial trees. The worms
begin each tree in a dimension drawn at random, the others always in the same one, so that half of all
copies go over the channels of one dimension, which is the first to saturate: at 1/32 broadcasts a node and
message time. With one port a node sends 63 copies for each broadcast that it starts, on average, and the limit is 1/63;
that of the worms is 6/63.
"""
import cubenet

N, FLITS = 6, 32
UNIT = FLITS + 1  # cycles of the wormhole machine in one of the other
STARTS = 3000     # cycles in which broadcasts start

cube = cubenet.Topology.hypercube(N)


def stored(load, one_port):
    """Mean time to the last node, in message times, at `load` broadcasts a node and message time;
    infinite where that is more than the limit."""
    if load * (63 if one_port else 32) >= 1:
        return float("inf")
    result = cubenet.Scenario(cube, "collective", machine="channels", tree="binomial",
                              one_port=one_port, operation_rate=load,
                              start_cycles=STARTS, replications=4, threads=2).simulate()
    return result["operation_cycles"]


def wormhole(load):
    """The same of worms; infinite where the network is saturated."""
    result = cubenet.Scenario(cube, "wormhole", load=load / UNIT, message_flits=FLITS,
                              broadcast_fraction=1, seed=1).simulate()
    return float("inf") if result.saturated else result["mean_delay_broadcast"] / UNIT


print(f"{'load':>7} {'stored, all ports':>18} {'stored, one port':>17} {'worms':>10}")
for load in (0.0001, 0.005, 0.01, 0.02, 0.04):
    print(f"{load:7} {stored(load, False):18.2f} {stored(load, True):17.2f} {wormhole(load):10.2f}")

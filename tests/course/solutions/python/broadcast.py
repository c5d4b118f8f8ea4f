"""Assignment 6: the traffic of broadcasts (6-broadcast.md).

A node of the n-cube creates load messages a cycle; a share beta of them are broadcasts over a binomial tree."""

from cubenet import Scenario, Topology


def replications(n):
    """How many of the 2^n - 1 nodes other than the source send i copies on, as a list for i = 0 .. n - 1."""
    return [2**(n - 1 - i) for i in range(n)]


def published_replica_rate(n, beta, load):
    """lambda_cr by equations 3, 10 and 11 as they were published."""
    mean = sum(i * nodes for i, nodes in enumerate(replications(n))) / (2**n - 1)
    return mean / n * (2**(n - 1) - 1) * beta * load


def replica_rate(n, beta, load):
    """lambda_cr as it is: copies per cycle over one channel that do not come from the source of their broadcast."""
    return beta * load * (2**n - 1 - n) / n


def measured_ratio(n, beta, load):
    """lambda_cr / lambda_cb in the simulator: the system of latency_errors(), metrics channel_rate_replica and
    channel_rate_broadcast."""
    result = worms(n, beta, load).simulate()
    return result["channel_rate_replica"] / result["channel_rate_broadcast"]


def latency_errors(n, beta, load):
    """The errors of mean_delay_broadcast, (model / simulation - 1) * 100, as (published, corrected).

    System "wormhole" on the n-cube: virtual_channels = 2, message_flits = 32, broadcast_fraction = beta; simulated
    with seed = 1, measure_cycles = 100000, relative_precision = 0. The models "published" and "corrected" need
    startup_latency = 1, for the cycle that they leave out; the simulation has 0."""
    scenario = worms(n, beta, load)
    simulated = scenario.simulate()["mean_delay_broadcast"]
    scenario.startup_latency = 1
    errors = []
    for scenario.model_variant in ("published", "corrected"):
        errors.append((scenario.predict()["mean_delay_broadcast"] / simulated - 1) * 100)
    return tuple(errors)


def worms(n, beta, load):
    return Scenario(Topology.hypercube(n), "wormhole", load=load, broadcast_fraction=beta,
                    virtual_channels=2, message_flits=32, seed=1, measure_cycles=100000,
                    relative_precision=0)

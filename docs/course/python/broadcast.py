"""Assignment 6: the traffic of broadcasts (6-broadcast.md).

A node of the n-cube creates load messages a cycle; a share beta of them are broadcasts over a binomial tree."""

from cubenet import Scenario, Topology


def replications(n):
    """How many of the 2^n - 1 nodes other than the source send i copies on, as a list for i = 0 .. n - 1."""
    raise NotImplementedError


def published_replica_rate(n, beta, load):
    """lambda_cr by equations 3, 10 and 11 as they were published."""
    raise NotImplementedError


def replica_rate(n, beta, load):
    """lambda_cr as it is: copies per cycle over one channel that do not come from the source of their broadcast."""
    raise NotImplementedError


def measured_ratio(n, beta, load):
    """lambda_cr / lambda_cb in the simulator: the system of latency_errors(), metrics channel_rate_replica and
    channel_rate_broadcast."""
    raise NotImplementedError


def latency_errors(n, beta, load):
    """The errors of mean_delay_broadcast, (model / simulation - 1) * 100, as (published, corrected).

    System "wormhole" on the n-cube: virtual_channels = 2, message_flits = 32, broadcast_fraction = beta; simulated
    with seed = 1, measure_cycles = 100000, relative_precision = 0. The models "published" and "corrected" need
    startup_latency = 1, for the cycle that they leave out; the simulation has 0."""
    raise NotImplementedError

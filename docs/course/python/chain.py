"""Assignment 4: the Markov chains of deflection routing (4-chain.md).

A node has n channels and M buffers; all functions but the last one are computed without cubenet."""

from cubenet import Scenario, Topology


def phase_one(n, messages):
    """f_{i,j} for i = messages, as a list for j = 0 .. n: the probability that they win j channels."""
    raise NotImplementedError


def both_phases(n, buffers, messages):
    """f'_{i,j} for i = messages, as a list for j = 0 .. n: the probability that j of them leave the node."""
    raise NotImplementedError


def stationary(n, buffers, load, transit):
    """The stationary distribution of the number of messages at the start of a cycle, as a list for 0 .. buffers;
    transit is P_t."""
    raise NotImplementedError


def headers(n, q):
    """The chain of a header in the n-cube, as a list of n + 1 rows: element j of row i is the probability that a hop
    of a message with i one-bits leaves it with j of them. A share q of all hops are of phase 2. Row 0 stays in 0."""
    raise NotImplementedError


def model_error(n, buffers, load):
    """The error of the published model of mean_delay on the n-cube, (model / simulation - 1) * 100. System
    "deflection", model_variant = "published"; simulated with seed = 1, measure_cycles = 20000,
    relative_precision = 0."""
    raise NotImplementedError

"""Assignment 4: the Markov chains of deflection routing (4-chain.md).

A node has n channels and M buffers; all functions but the last one are computed without cubenet."""

from math import comb

from cubenet import Scenario, Topology


def phase_one(n, messages):
    """f_{i,j} for i = messages, as a list for j = 0 .. n: the probability that they win j channels."""
    f = [1.0] + [0.0] * n
    for _ in range(messages):
        f = [0.0] + [f[j - 1] * (1 - (j - 1) / n) + f[j] * j / n for j in range(1, n + 1)]
    return f


def both_phases(n, buffers, messages):
    """f'_{i,j} for i = messages, as a list for j = 0 .. n: the probability that j of them leave the node."""
    f = phase_one(n, messages)
    least = max(0, messages - (buffers - n))
    return [0.0] * least + [sum(f[:least + 1])] + f[least + 1:]


def stationary(n, buffers, load, transit):
    """The stationary distribution of the number of messages at the start of a cycle, as a list for 0 .. buffers;
    transit is P_t."""
    a = load / (1 + load)
    came = [comb(n, t) * transit**t * (1 - transit)**(n - t) for t in range(n + 1)]
    matrix = [[0.0] * (buffers + 1) for _ in range(buffers + 1)]
    for i, row in enumerate(matrix):
        for j, sent in enumerate(both_phases(n, buffers, i)):
            for t in range(n + 1):
                here = sent * came[t]
                for m in range(i - j + t, buffers + 1 if here else 0):
                    row[m] += here * (1 - a if m < buffers else 1)
                    here *= a
    pi = [1.0] + [0.0] * buffers
    for _ in range(10000):
        following = [sum(p * row[m] for p, row in zip(pi, matrix)) for m in range(buffers + 1)]
        change = max(abs(x - y) for x, y in zip(pi, following))
        pi = following
        if change < 1e-14:
            break
    return pi


def headers(n, q):
    """The chain of a header in the n-cube, as a list of n + 1 rows: element j of row i is the probability that a hop
    of a message with i one-bits leaves it with j of them. A share q of all hops are of phase 2. Row 0 stays in 0."""
    rows = [[0.0] * (n + 1) for _ in range(n + 1)]
    rows[0][0] = 1.0
    for i in range(1, n + 1):
        forward = (i - 1) / (n - 1)
        rows[i][i - 1] = 1 - q + q * forward
        if i < n:
            rows[i][i + 1] = q * (1 - forward)
    return rows


def model_error(n, buffers, load):
    """The error of the published model of mean_delay on the n-cube, (model / simulation - 1) * 100. System
    "deflection", model_variant = "published"; simulated with seed = 1, measure_cycles = 20000,
    relative_precision = 0."""
    scenario = Scenario(Topology.hypercube(n), "deflection", load=load, buffers=buffers, seed=1,
                        measure_cycles=20000, relative_precision=0, model_variant="published")
    return (scenario.predict()["mean_delay"] / scenario.simulate()["mean_delay"] - 1) * 100

"""Assignment 7: is the perfect shuffle really more cost-effective? (7-shuffle.md)

The measures are "F" (broadcast time), "D" (disconnectivity) and "L" (looseness, their mean), the networks
"psnn" and "hypercube", each of 2^n nodes. A cost is a measure times the mean degree: lower is better."""

from cubenet import Topology

# Of PSNN(n) by exhaustive search, with loops dropped: F of the worst source, links of the least bisection, and
# the number of links. n = 7 takes a computer some seconds, n = 8 is not known in full.
BROADCAST_TIME = {3: 4, 4: 5, 5: 7, 6: 8, 7: 10}
BISECTION = {3: 4, 4: 6, 5: 8, 6: 14, 7: 24}
LINKS = {3: 12, 4: 27, 5: 60, 6: 123, 7: 252}


def neighbors(n, node):
    """The neighbours of a node of PSNN(n) in ascending order: node - 1 and node + 1 (mod 2^n), and the n bits rotated to
    the left and to the right; each once, without the node itself."""
    top = 1 << n - 1
    left = node << 1 & 2 * top - 1 | node // top
    right = node >> 1 | (node & 1) * top
    return sorted({(node - 1) % (2 * top), (node + 1) % (2 * top), left, right} - {node})


def diameter(n):
    """The greatest distance between two nodes of PSNN(n), found by searches."""
    def height(root):
        seen, level, levels = {root}, [root], 0
        while level := {far for node in level for far in neighbors(n, node)} - seen:
            seen |= level
            levels += 1
        return levels
    return max(map(height, range(2**n)))


def paper_cost(measure, network, n):
    """The cost by the formulas of the paper, with F, D and the degree that it prints."""
    fanout, disconnectivity, degree = (n, 2, n) if network == "hypercube" else (2 * n - 1, n / 2, 4)
    return degree * {"F": fanout, "D": disconnectivity, "L": (fanout + disconnectivity) / 2}[measure]


def exact_cost(measure, network, n):
    """The cost by exact values, n = 3 .. 5, in which cubenet measures both networks: Topology.measure(), whose
    "cost_effectiveness" is the looseness times the mean degree, with alpha as the weight of F."""
    topology = Topology.psnn(n) if network == "psnn" else Topology.hypercube(n)
    return topology.measure("cost_effectiveness", alpha={"F": 1, "D": 0, "L": 0.5}[measure]).value


def crossing(measure):
    """(paper, exact): the least n of 3 .. 9 by the paper's formulas, of 3 .. 7 by the exact values above, from which on
    PSNN has the lower cost, up to the last n; None where there is no such n."""
    def known(network, n):
        if network == "hypercube":
            return paper_cost(measure, network, n)
        fanout, cut = BROADCAST_TIME[n], 2**n / BISECTION[n]
        return 2 * LINKS[n] / 2**n * {"F": fanout, "D": cut, "L": (fanout + cut) / 2}[measure]

    def first(cost, greatest):
        better = None
        for n in range(greatest, 2, -1):
            if cost("psnn", n) >= cost("hypercube", n):
                break
            better = n
        return better

    return first(lambda network, n: paper_cost(measure, network, n), 9), first(known, 7)

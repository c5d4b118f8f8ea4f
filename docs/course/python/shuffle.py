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
    raise NotImplementedError


def diameter(n):
    """The greatest distance between two nodes of PSNN(n), found by searches."""
    raise NotImplementedError


def paper_cost(measure, network, n):
    """The cost by the formulas of the paper, with F, D and the degree that it prints."""
    raise NotImplementedError


def exact_cost(measure, network, n):
    """The cost by exact values, n = 3 .. 5, in which cubenet measures both networks: Topology.measure(), whose
    "cost_effectiveness" is the looseness times the mean degree, with alpha as the weight of F."""
    raise NotImplementedError


def crossing(measure):
    """(paper, exact): the least n of 3 .. 9 by the paper's formulas, of 3 .. 7 by the exact values above, from which on
    PSNN has the lower cost, up to the last n; None where there is no such n."""
    raise NotImplementedError

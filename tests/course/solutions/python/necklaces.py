"""Assignment 1: addresses and necklaces (1-necklaces.md).

A node of GH(n, k) is a whole number below k^n; its digits to the base k are its address. Divide and take
remainders: cubenet is not needed here."""


def distance(k, n, a, b):
    """The number of digits in which the addresses of nodes a and b differ."""
    return sum(x != y for x, y in zip(digits(k, n, a), digits(k, n, b)))


def rotate(k, n, node):
    """R(node): drop the leftmost digit x, move the others one place to the left, append r(x)."""
    address = digits(k, n, node)
    x = address[0]
    return number(k, address[1:] + [x % (k - 1) + 1 if x > 0 else 0])


def generator(k, n, node):
    """The node that stands for the necklace of this node: of those with the greatest binary
    correspondent the one with the greatest address."""
    def rank(other):
        address = digits(k, n, other)
        return [digit > 0 for digit in address], address
    return max(necklace(k, n, node), key=rank)


def displacement(k, n, node):
    """How many rotations, 0 or more, it takes at least from this node to its generator."""
    return necklace(k, n, node).index(generator(k, n, node))


# Helpers of this solution.

def digits(k, n, node):
    """The leftmost digit first."""
    return [node // k**place % k for place in reversed(range(n))]


def number(k, address):
    value = 0
    for digit in address:
        value = value * k + digit
    return value


def necklace(k, n, node):
    nodes = [node]
    while (nxt := rotate(k, n, nodes[-1])) != node:
        nodes.append(nxt)
    return nodes

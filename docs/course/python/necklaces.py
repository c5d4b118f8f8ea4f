"""Assignment 1: addresses and necklaces (1-necklaces.md).

A node of GH(n, k) is a whole number below k^n; its digits to the base k are its address. Divide and take
remainders: cubenet is not needed here."""


def distance(k, n, a, b):
    """The number of digits in which the addresses of nodes a and b differ."""
    raise NotImplementedError


def rotate(k, n, node):
    """R(node): drop the leftmost digit x, move the others one place to the left, append r(x)."""
    raise NotImplementedError


def generator(k, n, node):
    """The node that stands for the necklace of this node: of those with the greatest binary
    correspondent the one with the greatest address."""
    raise NotImplementedError


def displacement(k, n, node):
    """How many rotations, 0 or more, it takes at least from this node to its generator."""
    raise NotImplementedError

"""Necklaces of generalized hypercubes and Boolean cubes."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import Iterator

from ._function import _c, _declare
from ._hints import Whole
from ._network import _Network

_declare("""
    status cn_necklace_rotate(topology topology, u64 node, out u64 rotated)
    status cn_necklace_rotate_back(topology topology, u64 node, out u64 rotated)
    status cn_necklace_period(topology topology, u64 node, out u64 period)
    status cn_necklace_generator(topology topology, u64 node, out u64 generator)
    status cn_necklace_displacement(topology topology, u64 node, out u64 displacement)
    status cn_necklace_unfolded(topology topology, u64 node, u64[] nodes, size capacity,
                                out size count)
    status cn_necklace_count(topology topology, u64 distance, out u64 necklaces)
    status cn_necklace_first(topology topology, u64 distance, out u64 generator)
    status cn_necklace_next(topology topology, u64 generator, out u64 next)
""")


class _Necklaces(_Network):
    """Necklaces of a Topology."""

    def rotate(self, node: Whole) -> int:
        """The rotation of a node: drops the leftmost digit and appends the next one, which is 0
        after 0, otherwise 1, 2, ..., k-1, 1."""
        return _c.cn_necklace_rotate(self, node)

    def rotate_back(self, node: Whole) -> int:
        """The node whose rotation is node."""
        return _c.cn_necklace_rotate_back(self, node)

    def period(self, node: Whole) -> int:
        """The number of distinct nodes in the necklace of a node."""
        return _c.cn_necklace_period(self, node)

    def is_full(self, node: Whole) -> bool:
        """Whether the necklace of a node has n (k-1) distinct nodes."""
        return self.period(node) == self.max_degree

    def generator(self, node: Whole) -> int:
        """The generator of the necklace of a node: the node that represents it."""
        return _c.cn_necklace_generator(self, node)

    def displacement(self, node: Whole) -> int:
        """The least number of rotations that turn a node into its generator."""
        return _c.cn_necklace_displacement(self, node)

    def necklace(self, node: Whole) -> list[int]:
        """The unfolded necklace: n (k-1) nodes, first the generator; each node is the rotation of
        the next.

        >>> Topology.hypercube(3).necklace(3)
        [6, 3, 5]
        """
        return _c.cn_necklace_unfolded.fill(self, node)

    def necklaces(self, distance: Whole) -> Iterator[int]:
        """Iterates over the generators of all necklaces at this distance from node 0.

        >>> list(Topology.hypercube(3).necklaces(1))
        [4]
        """
        generator = _c.cn_necklace_first(self, distance)
        while generator is not None:
            yield generator
            generator = _c.cn_necklace_next(self, generator)

    def necklace_count(self, distance: Whole) -> int:
        """The number of necklaces at this distance from node 0, in closed form."""
        return _c.cn_necklace_count(self, distance)

"""The shapes of k-ary n-cubes of one size, compared at constant bisection width."""
# mypy: no-warn-return-any

from __future__ import annotations

import ctypes
from typing import NamedTuple

from ._errors import ArgumentError
from ._function import _c, _declare
from ._hints import Real, Whole
from ._system import _parameter_choice
from ._topology import Topology
from ._traffic import Traffic
from ._values import _real

_declare("""
    status cn_kary_shapes(u64 nodes, u64[] radix, u32[] dimensions, size capacity, out size count)
    status cn_bisection_cycle_time(u64 radix, int bidirectional, f64 processing_ratio,
                                   out f64 cycle_time)
    status cn_predict_shape(topology topology, traffic traffic, f64 processing_ratio, f64 load,
                            int model_variant, control control, out f64 throughput, out f64 delay)
""")

_MAX_SHAPES = 64  # more than any number of nodes has


class Shape(NamedTuple):
    """One of the k-ary n-cubes with the same number of nodes; times are in cycle times of the
    Boolean cube."""

    radix: int
    dimensions: int
    throughput: float
    delay: float


def kary_shapes(nodes: Whole) -> list[tuple[int, int]]:
    """The pairs (k, n) of all k-ary n-cubes with this number of nodes, in ascending order of n.
    Experimental.

    >>> kary_shapes(64)
    [(64, 1), (8, 2), (4, 3), (2, 6)]
    """
    radix, dimensions = (ctypes.c_uint64 * _MAX_SHAPES)(), (ctypes.c_uint32 * _MAX_SHAPES)()
    count = _c.cn_kary_shapes(nodes, radix, dimensions, _MAX_SHAPES)
    return list(zip(radix[:count], dimensions))


def bisection_cycle_time(radix: Whole, beta: Real, *, bidirectional: bool = False) -> float:
    """The cycle time of a k-ary n-cube divided by that of the Boolean cube with the same bisection
    width. Experimental.

    beta is the time that a node needs per message, divided by the time that a channel of the
    Boolean cube needs per message. bidirectional is for rings of both ways, which have twice as
    many channels.

    >>> bisection_cycle_time(4, 0)
    0.5
    """
    return _c.cn_bisection_cycle_time(radix, bool(bidirectional), beta)


def _geometric_mean(ratio: float, diameter: int) -> float:
    """The mean of 1 .. diameter with weights in this ratio."""
    total = hops = 0.0
    weight = 1.0
    for distance in range(1, diameter + 1):
        total += weight
        hops += distance * weight
        weight *= ratio
        if weight * diameter < 1e-18:  # what follows changes no digit
            break
    return hops / total


def _with_mean(topology: Topology, mean: float) -> Traffic:
    """Geometric locality with this mean distance."""
    diameter = topology.diameter()
    if not 1 <= mean <= (diameter + 1) / 2:
        raise ArgumentError(f"compare_shapes(): mean_distance = {mean:g}, but geometric locality "
                            f"on {topology.name} has a mean of 1 to {(diameter + 1) / 2:g}")
    low, high = 0.0, 1.0
    for _ in range(53):
        middle = (low + high) / 2
        low, high = (middle, high) if _geometric_mean(middle, diameter) < mean else (low, middle)
    return Traffic.locality(topology, high)


def compare_shapes(nodes: Whole, beta: Real, load: Real, model_variant: str = "automatic", *,
                   mean_distance: Real | None = None, bidirectional: bool = False
                   ) -> tuple[list[Shape], Shape]:
    """(shapes, best): deflection on all k-ary n-cubes with this number of nodes, at constant
    bisection width and with two buffers a channel. Experimental.

    shapes is a list of Shape; best is the one with the greatest throughput / delay. load is the
    number of new messages per node in one cycle time of the Boolean cube; beta is as in
    bisection_cycle_time(). model_variant is "automatic", "published" or "own". Traffic is uniform
    or, with a mean_distance in hops, of geometric locality. Rings are of one way, or of both.

    >>> shapes, best = compare_shapes(64, 1, 0.1)
    >>> best.radix, best.dimensions
    (2, 6)
    >>> compare_shapes(64, 1, 0.1, mean_distance=1.5)[1][:2]
    (64, 1)
    """
    variant = _parameter_choice("model_variant", model_variant)
    mean = None if mean_distance is None else _real("mean_distance", mean_distance)
    shapes = []
    for k, n in kary_shapes(nodes):
        cube = Topology.kary_ncube(k, n, bidirectional=bidirectional)
        traffic = None if mean is None else _with_mean(cube, mean)
        shapes.append(Shape(k, n, *_c.cn_predict_shape(cube, traffic, beta, load, variant)))
    return shapes, max(shapes, key=lambda shape: shape.throughput / shape.delay)

"""Twelve networks of about a thousand hosts, side by side: what a host costs in routers and links, and what it gets.

    twelve_networks.py [SECONDS]

The saturation load is that of uniform traffic on all shortest paths, in messages per host and cycle. The bisection, in
links per host, is an interval where no proof closes it; it is searched for SECONDS, 0.1 by default."""

import sys

from cubenet import Routing, Topology, UnsupportedError, networks

NETWORKS = {
    "HyperX 8x8, 16 hosts": lambda: networks.hyperx([8, 8], hosts=16),
    "HyperX 8x8x4, 4 hosts": lambda: networks.hyperx([8, 8, 4], hosts=4),
    "fat tree, k = 16": lambda: networks.fat_tree(16),
    "Dragonfly 4, 8, 4": lambda: networks.dragonfly(4, 8, 4),
    "Slim Fly, q = 11": lambda: networks.slim_fly(11, hosts=4),
    "PolarFly, q = 13": lambda: networks.polar_fly(13, hosts=6),
    "random, 128 routers of degree 12": lambda: networks.random_regular(128, 12, seed=1, hosts=8),
    "hypercube, 10 dimensions": lambda: Topology.hypercube(10),
    "torus 16x8x8": lambda: Topology.torus([16, 8, 8]),
    "twisted torus 8x8x16": lambda: networks.twisted_torus([8, 8, 16], 8),
    "cube-connected cycles, n = 7": lambda: networks.cube_connected_cycles(7),
    "mesh of trees 32x32": lambda: networks.mesh_of_trees(5),
}


def row(name, t, seconds):
    hosts, rule = len(t.hosts), Routing(t, "minimal")
    links = t.link_count / hosts
    try:
        cut = t.bisection(seconds=seconds)
        bisection = " to ".join(sorted({f"{end / hosts:.3f}" for end in (cut.lower, cut.upper)}))
    except UnsupportedError:  # some routers have no hosts
        bisection = "-"
    return (f"{name:34} {hosts:6} {t.node_count - hosts:8} {links:10.2f} {t.diameter():9} {t.mean_distance():9.2f} "
            f"{rule.saturation_load():11.3f}  {bisection}")


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.1
    print(f"{'network':34} {'hosts':>6} {'routers':>8} {'links/host':>10} {'diameter':>9} {'distance':>9} "
          f"{'saturation':>11}  bisection/host")
    for name, make in NETWORKS.items():
        print(row(name, make(), seconds))

"""Tests of cubenet.networks: sizes, degrees and diameters by the formulas of the papers."""

import collections
import doctest
import itertools
import unittest

import cubenet
from cubenet import ArgumentError, Topology, networks
from test_cubenet import Case


def degrees(t, nodes=None):
    return collections.Counter(t.degree(v) for v in nodes or range(t.node_count))


def distances(t, nodes):
    """Of all pairs of these nodes, by a search of their own."""
    found = []
    for source in nodes:
        away, queue = {source: 0}, collections.deque([source])
        while queue:
            v = queue.popleft()
            for u in t.neighbors(v):
                if u not in away:
                    away[u] = away[v] + 1
                    queue.append(u)
        found += [away[v] for v in nodes if v != source]
    return found


class Routers(Case):
    def test_slim_fly(self):
        for q in [3, 5, 7, 11, 13]:
            t, sign = networks.slim_fly(q, hosts=0), 1 if q % 4 == 1 else -1
            self.assertEqual(degrees(t), {(3 * q - sign) // 2: 2 * q * q})
            self.assertEqual(t.diameter(), 2)

    def test_polar_fly(self):
        for q in [2, 3, 5, 7, 11, 13]:
            t = networks.polar_fly(q, hosts=0)
            self.assertEqual(degrees(t), {q + 1: q * q, q: q + 1})
            self.assertEqual(t.diameter(), 2)

    def test_dragonfly(self):
        for p, a, h in [(1, 2, 1), (2, 4, 2), (1, 3, 2), (3, 6, 3)]:
            t, groups = networks.dragonfly(0, a, h), a * h + 1
            self.assertEqual(degrees(t), {a - 1 + h: groups * a})
            between = collections.Counter(tuple(sorted((u // a, v // a))) for u in range(t.node_count)
                                          for v in t.neighbors(u) if u < v and u // a != v // a)
            self.assertEqual(between, dict.fromkeys(itertools.combinations(range(groups), 2), 1))
            self.assertLessEqual(t.diameter(), 3)

    def test_cube_connected_cycles(self):
        for n in range(3, 9):
            t = networks.cube_connected_cycles(n)
            self.assertEqual(degrees(t), {3: n * 2**n})
            self.assertEqual(t.diameter(), 6 if n == 3 else 2 * n + n // 2 - 2)

    def test_random_regular(self):
        for n, d in [(6, 5), (20, 3), (50, 7), (101, 4)]:
            for seed in range(5):
                t = networks.random_regular(n, d, seed)
                self.assertEqual(degrees(t), {d: n})
        self.assertEqual(networks.random_regular(30, 4, 9), networks.random_regular(30, 4, 9))
        self.assertNotEqual(networks.random_regular(30, 4, 9), networks.random_regular(30, 4, 10))
        first = networks.random_regular(8, 3, seed=1)  # the same on every machine
        self.assertEqual([first.neighbors(v) for v in range(3)], [[2, 3, 5], [3, 4, 5], [0, 4, 6]])

    def test_links_of_random_regular_are_alike(self):
        """Each of the 45 pairs of 10 nodes is joined with probability 3/9."""
        joined = collections.Counter()
        for seed in range(600):
            t = networks.random_regular(10, 3, seed)
            joined.update((u, v) for u in range(10) for v in t.neighbors(u) if u < v)
        self.assertEqual(len(joined), 45)
        for count in joined.values():
            self.assertLess(abs(count - 200), 60)  # 5 standard deviations of a binomial number

    def test_twisted_torus(self):
        for a in [2 * i for i in range(2, 6)]:
            t = networks.twisted_torus([a, 2 * a], a)
            self.assertEqual(degrees(t), {4: 2 * a * a})
            self.assertEqual(t.diameter(), a)  # of the torus without a twist: 3a / 2
            rows = {tuple(sorted(collections.Counter(distances_from(t, v)).items())) for v in range(t.node_count)}
            self.assertEqual(len(rows), 1)  # all nodes are alike
        for shape in [[3, 4], [4, 4, 8]]:
            torus, untwisted = Topology.torus(shape), networks.twisted_torus(shape, 0)
            for v in range(torus.node_count):
                self.assertEqual(sorted(torus.neighbors(v)), sorted(untwisted.neighbors(v)))
        self.assertEqual(networks.twisted_torus([4, 4, 8], 4).diameter(), 6)  # and 8 without

    def test_doctests(self):
        failed, _ = doctest.testmod(networks, extraglobs={"networks": networks})
        self.assertEqual(failed, 0)


def distances_from(t, node):
    return [t.distance(node, v) for v in range(t.node_count)]


class Hosted(Case):
    """The networks of whose nodes only the hosts send and receive."""

    def test_fat_tree(self):
        for k in [2, 4, 6, 8]:
            t = networks.fat_tree(k)
            switches = 5 * k * k // 4
            self.assertEqual(len(t.hosts), k**3 // 4)
            self.assertEqual(list(t.hosts), list(range(switches, t.node_count)))
            self.assertEqual(degrees(t, range(switches)), {k: switches})
            self.assertEqual(degrees(t, t.hosts), {1: k**3 // 4})
            if k > 2:
                self.assertEqual(t.diameter(), 6)

    def test_mesh_of_trees(self):
        for levels in range(1, 4):
            t, k = networks.mesh_of_trees(levels), 2**levels
            self.assertEqual(t.node_count, 3 * k * k - 2 * k)
            self.assertEqual(len(t.hosts), k * k)
            self.assertEqual(degrees(t, t.hosts), {2: k * k})
            self.assertEqual(max(distances(t, list(t.hosts))), 4 * levels)

    def test_hosts_at_each_router(self):
        for t, routers, hosts, diameter in [
                (networks.hyperx([3, 4], hosts=2), 12, 2, 4), (networks.slim_fly(5), 50, 4, 4),
                (networks.polar_fly(3), 13, 2, 4), (networks.dragonfly(2, 4, 2), 36, 2, 5),
                (networks.random_regular(10, 3, 1, hosts=3), 10, 3, None),
                (networks.twisted_torus([4, 8], 4, hosts=1), 32, 1, 6),
                (networks.cube_connected_cycles(3, hosts=1), 24, 1, 8)]:
            self.assertEqual(t.node_count, routers * (1 + hosts))
            self.assertEqual(list(t.hosts), list(range(routers, t.node_count)))
            for i, host in enumerate(t.hosts):
                self.assertEqual(t.neighbors(host), [i // hosts])
            if diameter is not None:
                self.assertEqual(t.diameter(), diameter)

    def test_global_links_may_be_long(self):
        short, long = networks.dragonfly(1, 2, 1), networks.dragonfly(1, 2, 1, global_length=10)
        self.assertEqual(len(short.hosts), len(long.hosts))
        self.assertEqual(short.diameter(), 5)  # host, local, global, local, host
        self.assertEqual(long.diameter(), 14)

    def test_they_run(self):
        for t in [networks.fat_tree(4), networks.dragonfly(1, 2, 1, global_length=3), networks.slim_fly(3),
                  networks.mesh_of_trees(1)]:
            x = cubenet.Scenario(t, "separate-buffers", load=0.1, measure_cycles=2000, seed=1).simulate()
            self.assertGreater(x["throughput"], 0.09)
            self.assertLess(x["throughput"], 0.11)


class Workloads(Case):
    """Applications run on the hosts."""

    def test_collective_operations(self):
        for t in [networks.hyperx([4, 4], hosts=1), networks.fat_tree(4), Topology.torus([4, 4]).with_lengths(3)]:
            hosts = set(t.hosts)
            for algorithm in ["ring", "recursive", "bine"]:
                w = cubenet.Workload.allreduce(t, algorithm, 64)
                self.assertEqual({m.source for m in w} | {m.destination for m in w}, hosts)
                x = cubenet.Scenario(t, "cut-through", routing="up-down", workload=w).simulate()
                self.assertEqual(x.stop, "completed")
                self.assertGreaterEqual(x["bound_ratio"], 1.0)
            self.assertEqual(len(cubenet.Workload.all_to_all(t, "rotated", 1)), len(hosts) * (len(hosts) - 1))

    def test_what_a_host_is_for(self):
        t = networks.hyperx([4, 4], hosts=1)
        with self.assertRaisesRegex(ArgumentError, "destination = 3, but that node of .* is no host"):
            cubenet.Workload(t, [(16, 3, 1, [], 0)])
        with self.assertRaisesRegex(cubenet.UnsupportedError, "swing"):
            cubenet.Workload.allreduce(t, "swing", 64)


class Refused(Case):
    def test_sentences(self):
        for make, sentence in [
                (lambda: networks.slim_fly(4), "q = 4, but it must be one of the primes 3, 5, 7, "),
                (lambda: networks.slim_fly(2), "q = 2, but it must be one of the primes 3, 5, 7, "),
                (lambda: networks.polar_fly(9), "q = 9, but it must be one of the primes 2, 3, 5, "),
                (lambda: networks.fat_tree(5), "k = 5, .*must be even"),
                (lambda: networks.fat_tree(0), "k = 0, but it must be at least 2"),
                (lambda: networks.dragonfly(1, 0, 1), "a = 0, but it must be at least 1"),
                (lambda: networks.random_regular(5, 3), "n = 5 and d = 3, but n d must be even"),
                (lambda: networks.random_regular(4, 4), "n = 4 and d = 4, .* d below n"),
                (lambda: networks.twisted_torus([], 1), "shape is empty, but"),
                (lambda: networks.twisted_torus([4, 8], 8), "twist = 8, but it must be below the last radix, 8"),
                (lambda: networks.twisted_torus([2, 8], 1), r"shape\[0\] = 2, but it must be at least 3"),
                (lambda: networks.cube_connected_cycles(2), "n = 2, but it must be at least 3"),
                (lambda: networks.mesh_of_trees(0), "levels = 0, but it must be at least 1")]:
            with self.assertRaisesRegex(ArgumentError, sentence):
                make()
        with self.assertRaises(TypeError):
            networks.slim_fly("five")


if __name__ == "__main__":
    unittest.main(verbosity=2)

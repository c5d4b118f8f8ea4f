"""Hosts: the page, and what Python adds to C."""

import doctest
import pickle
import unittest
from pathlib import Path

import cubenet
from cubenet import Faults, Routing, Scenario, Topology, Traffic

LINE = [(0, 1), (1, 2), (2, 3)]


class HostsTest(unittest.TestCase):
    def test_the_page(self):
        text = (Path(__file__).resolve().parents[2] / "docs/hosts.md").read_text()
        tried = doctest.DocTestParser().get_doctest(text, {}, "hosts.md", None, 0)
        self.assertGreater(len(tried.examples), 5)
        self.assertEqual(doctest.DocTestRunner().run(tried).failed, 0)

    def test_all_nodes_are_a_range(self):
        self.assertEqual(Topology.hypercube(40).hosts, range(1 << 40))
        self.assertEqual(Topology.from_edges(4, LINE, hosts=[3, 1, 0, 2]).hosts, range(4))

    def test_hosts_of_edges_and_functions(self):
        t = Topology.from_edges(4, LINE, hosts=(3, 0))
        self.assertEqual(t.hosts, [0, 3])
        ring = Topology.from_function(5, 1, lambda node, port: (node + 1) % 5, hosts=[1, 4])
        self.assertEqual(ring.hosts, [1, 4])
        self.assertEqual(ring.diameter(), 3)
        self.assertNotEqual(t, Topology.from_edges(4, LINE))
        for again in (Topology.from_json(t.to_json()), pickle.loads(pickle.dumps(t))):
            self.assertEqual(t, again)
            self.assertEqual(again.hosts, [0, 3])

    def test_hosts_and_lengths_are_added(self):
        torus = Topology.torus([3, 4])
        t = torus.with_lengths(2).with_hosts(3)
        self.assertEqual(t.name, "torus([3,4]).with_lengths(2).with_hosts(3)")
        self.assertEqual((t.node_count, t.hosts[0], len(t.hosts)), (12 + 24 + 36, 36, 36))
        self.assertEqual(t.diameter(), 2 * torus.diameter() + 2)
        for again in (Topology.from_json(t.to_json()), pickle.loads(pickle.dumps(t)), eval("Topology." + t.name)):
            self.assertEqual(t, again)

    def test_lengths_by_link(self):
        asked = []

        def length(u, v):
            asked.append((u, v))
            return u + 1

        path = Topology.from_edges(4, LINE)
        t = path.with_lengths(length)
        self.assertEqual(asked, LINE)
        self.assertEqual(t.distance(0, 3), 1 + 2 + 3)
        self.assertEqual(t, Topology.from_json(t.to_json()))
        self.assertEqual(path.with_lengths(lambda u, v: 2), path.with_lengths(2))
        ring = Topology.from_function(3, 1, lambda node, port: (node + 1) % 3)
        asked.clear()
        self.assertEqual(ring.with_lengths(length).distance(0, 0 + 2), 1 + 2)
        self.assertEqual(asked, [(0, 1), (1, 2), (2, 0)])

    def test_matrices_and_lists_of_hosts(self):
        t = Topology.ring(3).with_hosts(2)
        traffic = Traffic.matrix(t, [[float(s == (d + 1) % 6) for d in range(6)] for s in range(6)])
        self.assertEqual(traffic.probability(4, 3), 1)
        self.assertEqual(Traffic.destinations(t, [8, 7, 6, 5, 4, 3]).probability(3, 8), 1)
        with self.assertRaisesRegex(cubenet.ArgumentError, "9 numbers"):
            Traffic.matrix(t, [[0] * 9] * 9)

    def test_faults_are_carried(self):
        torus = Topology.torus([4, 4])
        faults = Faults(torus)
        faults.add_node(5)
        t = torus.with_hosts(2)
        carried = faults.carry(t)
        self.assertEqual(carried.nodes, [5, 26, 27])
        x = Scenario(t, "wormhole", faults=carried, load=0.002).simulate()
        self.assertAlmostEqual(x["throughput"], 0.002, delta=0.0002)
        with self.assertRaisesRegex(cubenet.ArgumentError, "is not made"):
            faults.carry(Topology.torus([4, 5]).with_hosts(2))

    def test_own_rules_are_asked_about_the_base(self):
        ring = Topology.ring(5)
        t = ring.with_lengths(2).with_hosts(2)
        routing = Routing.own(t, lambda node, destination, came: [(0, 0)])
        self.assertEqual(routing.path(t.hosts[0], t.hosts[-1]), [10, 0, 5, 4, 19])
        with self.assertRaisesRegex(cubenet.UnsupportedError, "dead"):
            Scenario(t, "wormhole", routing=routing, load=0.001).simulate()

    def test_what_is_refused(self):
        cube = Topology.hypercube(3)
        for call, words in ((lambda: cube.with_hosts(0), "hosts = 0"), (lambda: cube.with_lengths(65), "= 65"),
                            (lambda: cube.with_lengths(lambda u, v: 0), "= 0"),
                            (lambda: cube.with_hosts(-1), "hosts")):
            with self.assertRaisesRegex(cubenet.ArgumentError, words):
                call()
        with self.assertRaisesRegex(cubenet.UnsupportedError, "before its hosts"):
            cube.with_hosts(2).with_lengths(3)
        with self.assertRaises(TypeError):
            cube.with_lengths("3")
        for hosts, words in (([0], "2 to 4 hosts"), ([0, 0], r"hosts\[1\] = 0"), ([0, 4], r"hosts\[1\] = 4")):
            with self.assertRaisesRegex(cubenet.ArgumentError, words):
                Topology.from_edges(4, LINE, hosts=hosts)
        with self.assertRaisesRegex(TypeError, "hosts"):
            Topology.from_edges(4, LINE, hosts=7)


if __name__ == "__main__":
    unittest.main()

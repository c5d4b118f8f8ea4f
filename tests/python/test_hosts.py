"""Hosts: the page, and what Python adds to C."""

import doctest
import pickle
import unittest
from pathlib import Path

import cubenet
from cubenet import Topology

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

    def test_what_is_refused(self):
        for hosts, words in (([0], "2 to 4 hosts"), ([0, 0], r"hosts\[1\] = 0"), ([0, 4], r"hosts\[1\] = 4")):
            with self.assertRaisesRegex(cubenet.ArgumentError, words):
                Topology.from_edges(4, LINE, hosts=hosts)
        with self.assertRaisesRegex(TypeError, "hosts"):
            Topology.from_edges(4, LINE, hosts=7)


if __name__ == "__main__":
    unittest.main()

"""Tests of lib/python/cubenet/, the Python package on the built library.

After every test nothing of the library may be left in memory: cn_set_allocator() refuses as long as
any object is alive.
"""

import contextlib
import copy
import ctypes
import doctest
import gc
import importlib.util
import io
import math
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import xml.etree.ElementTree
from array import array
from fractions import Fraction
from pathlib import Path
from unittest import mock

import cubenet
from cubenet import Scenario, Subcube, Topology, Traffic

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(cubenet.__file__).parent
FOLDER = str(PACKAGE.parent)  # where it is imported from
SOURCE = "".join(path.read_text() for path in sorted(PACKAGE.glob("*.py")))
FUNCTIONS = cubenet._function._c


def live_objects():
    gc.collect()
    return cubenet._library._library.cn_set_allocator(None, None, None) != 0


class Case(unittest.TestCase):
    def tearDown(self):
        self.assertFalse(live_objects(), "an object of the library was not freed")

    @contextlib.contextmanager
    def refused(self, error, *parts):
        """The block raises this error, and its sentence holds these parts."""
        with self.assertRaises(error) as caught:
            yield caught
        for part in parts:
            self.assertIn(part, str(caught.exception))


def python(script, *arguments, **environment):
    """Runs a script in an interpreter of its own."""
    settings = {**os.environ, "PYTHONPATH": FOLDER, **environment}
    return subprocess.run([sys.executable, "-X", "dev", "-c", textwrap.dedent(script), *arguments],
                          env=settings, capture_output=True, text=True, timeout=60)


def everything(result):
    """All that a result holds."""
    return ([(name, value, result.half_width(name), result.samples(name))
             for name, value in result.items()],
            result.saturated, result.settled, result.seed, result.system, result.model)


# ---- the table of prototypes ----

class Prototypes(Case):
    STRUCTS = ("cn_delivery", "cn_workload_entry")  # that a caller passes
    C_TYPES = {"uint8_t": "u8", "uint32_t": "u32", "uint64_t": "u64", "size_t": "size",
               "double": "f64", "int": "int", "void": "void", "cn_status": "status",
               "cn_param": "int", "cn_metric": "int", "cn_stop": "int", "cn_measure": "int",
               "cn_known": "int", "cn_format": "int", "cn_progress_fn": "progress",
               "cn_node_state": "int", "cn_link_rule": "int", "cn_tie_rule": "int", "cn_change": "int",
               "cn_verdict": "int", "cn_vc_rule": "vc_rule",
               "cn_pattern": "int", "cn_neighbor_fn": "neighbor_fn",
               "cn_rate_fn": "rate_fn", "cn_source": "int", "cn_attachment": "int", "cn_model_variant": "int",
               "cn_state_space": "int", "cn_message_tree": "int",
               "cn_destination_choice": "int", "cn_machine": "int", "cn_selection": "int",
               "cn_node_count": "int", "cn_distribution": "int", "cn_enum": "int", "cn_study_param": "int",
               "cn_keep": "int", "cn_collective_operation": "int", "cn_algorithm": "int"}

    def parameter(self, text):
        """A parameter of a header, as the table writes it."""
        kind, stars, name, brackets = re.fullmatch(
            r"(?:const )?(\w+)\s*(\**)(?:const )?(\w+)(\[\])?", text).groups()
        handle = kind.startswith("cn_") and kind not in self.C_TYPES and kind not in self.STRUCTS
        short = kind[3:] if handle else self.C_TYPES.get(kind, kind.replace("cn_", ""))
        if kind in ("char", "void") and stars:
            return f"{'text' if kind == 'char' else kind} {name}"
        if brackets and stars and not handle:
            return f"void {name}"  # addresses of arrays
        if brackets or kind in self.STRUCTS:
            return f"{short}[] {name}"
        if len(stars) > handle:
            return f"out {short} {name}"
        return f"{short} {name}"

    def test_agree_with_the_headers(self):
        headers = " ".join(path.read_text() for path in (ROOT / "include/cubenet").rglob("*.h"))
        declared = {}
        for result, name, parameters in re.findall(
                r"CN_API ([\w ]+?[ *]+)(cn_\w+)\(([^()]*)\);", headers):
            result = "text" if "char" in result else self.C_TYPES.get(result.strip())
            inside = [] if parameters == "void" else re.split(r",\s*", parameters)
            declared[name] = (result, inside)
        tables = re.findall(r'_declare\("""(.*?)"""\)', SOURCE, re.DOTALL)
        joined = re.sub(r",\s+", ", ", "".join(tables))
        rows = [row for row in joined.splitlines() if row.strip()]
        self.assertEqual(len(rows), len(vars(FUNCTIONS)))
        for row in rows:
            result, name, inside = re.fullmatch(r"\s*(\w+)\s+(\w+)\((.*)\)", row).groups()
            with self.subTest(function=name):
                in_c = [self.parameter(text) for text in declared[name][1]]
                if inside.startswith("ref "):
                    in_c = [text.replace("out " + inside[4:], "ref") for text in in_c]
                self.assertEqual(declared[name][0], result)
                self.assertEqual(", ".join(in_c), inside)

    def test_are_all_in_the_library(self):
        for name in vars(FUNCTIONS):
            self.assertTrue(hasattr(cubenet._library._library, name), name)

    def test_are_there_for_all_that_the_module_calls(self):
        called = set(re.findall(r"\b_c\.(cn_\w+)", SOURCE))
        self.assertGreater(len(called), 200)
        self.assertEqual(called - set(vars(FUNCTIONS)), set())

    def test_status_numbers_agree_with_the_header(self):
        text = (ROOT / "include/cubenet/base.h").read_text()
        numbers = {int(number) for number in re.findall(r"CN_ERR_\w+ = (-\d+)", text)}
        self.assertEqual(numbers, set(cubenet._errors._ERRORS))

    def test_the_number_of_no_cluster_agrees_with_the_header(self):
        text = (ROOT / "include/cubenet/hierarchy.h").read_text()
        self.assertIn("CN_NO_CLUSTER UINT32_MAX", text)
        self.assertEqual(cubenet._hierarchy._NO_CLUSTER, 2**32 - 1)


# ---- topologies ----

class Topologies(Case):
    def test_equality(self):
        self.assertEqual(Topology.tree(2, 3), Topology.tree(2, 3))
        self.assertEqual(hash(Topology.tree(2, 3)), hash(Topology.tree(2, 3)))
        self.assertEqual(Topology.ring(8), Topology.kary_ncube(8, 1, True))
        self.assertEqual(hash(Topology.ring(8)), hash(Topology.kary_ncube(8, 1, True)))
        self.assertNotEqual(Topology.tree(2, 3), Topology.tree(2, 4))
        self.assertNotEqual(Topology.star(15), Topology.tree(14, 1))
        self.assertNotEqual(Topology.chordal_ring(64, 5), Topology.chordal_ring(64, 9))
        self.assertNotEqual(Topology.star(4), "star(4)")
        path = Topology.from_edges(3, [(0, 1), (1, 2)])
        self.assertEqual(path, Topology.from_edges(3, [(0, 1), (1, 2)]))
        self.assertNotEqual(path, Topology.from_edges(3, [(0, 1), (0, 2)]))
        self.assertEqual(len({Topology.star(4), Topology.star(4), Topology.star(5), path}), 3)
        with self.assertRaises(cubenet.ArgumentError):
            Scenario(Topology.star(4), "flow-deviation", faults=cubenet.Faults(Topology.star(9)))

    def test_hypercube(self):
        cube = Topology.hypercube(6)
        self.assertEqual((cube.name, cube.node_count, cube.max_degree, cube.link_count,
                          cube.dimensions, cube.diameter()), ("hypercube(6)", 64, 6, 192, 6, 6))
        self.assertIs(cube.is_bidirectional, True)
        self.assertEqual(cube.degree(63), 6)
        self.assertEqual(cube.neighbors(3), [2, 1, 7, 11, 19, 35])
        self.assertEqual(cube.neighbor(3, 2), 7)
        self.assertEqual(cube.back_port(3, 2), 2)
        self.assertEqual(cube.port_to(3, 7), 2)
        self.assertIsNone(cube.port_to(3, 3))
        self.assertEqual(cube.distance(0, 0b101101), 4)
        self.assertEqual(cube.mean_distance(), float(Fraction(6 * 32, 63)))
        self.assertEqual(cube.distance_counts(), [1, 6, 15, 20, 15, 6, 1])
        self.assertEqual(cube.distance_counts(source=9), cube.distance_counts())
        self.assertEqual(cube.digits(0b001011), [1, 1, 0, 1, 0, 0])
        self.assertEqual(cube.node([1, 1, 0, 1, 0, 0]), 0b001011)
        self.assertEqual(cube.address(0b001011), "001011")
        self.assertEqual(cube.parse_address("001011"), 0b001011)
        self.assertEqual(cube.radix(5), 2)
        self.assertEqual(cube.header(0b1100, 0b1010), 0b0110)
        self.assertEqual(repr(cube), "<Topology hypercube(6)>")

    def test_largest_hypercube(self):
        cube = Topology.hypercube(62)
        self.assertEqual(cube.node_count, 2**62)
        self.assertEqual(cube.distance(0, 2**62 - 1), 62)
        self.assertEqual(len(cube.address(2**62 - 1)), 62)
        with self.refused(cubenet.RangeError, "2^64"):
            cube.link_count

    def test_kary_ncube(self):
        net = Topology.kary_ncube(5, 2)
        self.assertEqual((net.name, net.node_count, net.link_count),
                         ("kary_ncube(k=5,n=2,bidirectional=False)", 25, 50))
        self.assertIs(net.is_bidirectional, False)
        self.assertEqual(net.neighbors(0), [4, 20])
        self.assertIsNone(net.back_port(0, 0))
        self.assertEqual(net.distance(0, 24), 2)
        self.assertEqual(net.distance(24, 0), 8)
        both = Topology.kary_ncube(5, 2, bidirectional=True)
        self.assertEqual(both.neighbors(0), [4, 20, 1, 5])
        self.assertEqual(both.diameter(), 4)
        self.assertEqual(Topology.kary_ncube(16, 2).address(15), "0.15")

    def test_from_edges(self):
        path = Topology.from_edges(5, [(0, 1), (2, 1), [2, 3]])
        self.assertEqual(path.neighbors(1), [0, 2])
        self.assertEqual(path.neighbors(4), [])
        self.assertEqual(path.distance(0, 3), 3)
        self.assertIsNone(path.distance(0, 4))
        self.assertEqual(path.distance_counts(0), [1, 1, 1, 1])
        with self.refused(cubenet.DisconnectedError):
            path.diameter()
        with self.refused(cubenet.UnsupportedError, "no dimensions"):
            path.digits(0)
        self.assertEqual(Topology.from_edges(3, iter([])).link_count, 0)
        self.assertEqual(Topology.from_edges(2, zip(range(1), range(1, 2))).link_count, 1)

    def test_long_arrays_are_whole(self):
        star = Topology.from_edges(1000, [(0, leaf) for leaf in range(1, 1000)])
        self.assertEqual(star.neighbors(0), list(range(1, 1000)))
        line = Topology.from_edges(300, [(v, v + 1) for v in range(299)])
        self.assertEqual(line.distance_counts(0), [1] * 300)
        for count in (63, 64, 65, 66):
            star = Topology.from_edges(count, [(0, leaf) for leaf in range(1, count)])
            self.assertEqual(len(star.neighbors(0)), count - 1)
        for room in range(8):
            with mock.patch.object(cubenet._function._Function, "room", room):
                self.assertEqual(Topology.hypercube(6).address(5), "000101")
                self.assertEqual(Subcube.parse("0X1X").text, "0X1X")

    def test_routing(self):
        cube = Topology.hypercube(4)
        self.assertEqual(cube.valid_channels(0b1010), [1, 3])
        self.assertEqual(cube.preferred_channels(0b1010), [1, 3])
        self.assertEqual(cube.move(0b1010, 1), 0b1000)
        self.assertEqual(cube.move(0b1010, 0), 0b1011)
        ring = Topology.kary_ncube(6, 2)
        self.assertEqual(ring.preferred_channels(ring.node([5, 3])), [0])
        # the oldest wins port 0; the second stays, as there is room
        self.assertEqual(cube.two_phase([1, 1], 8, [0] * 6), [0, None])
        # no room: four may come, so the youngest loser is deflected over the first free port
        self.assertEqual(cube.two_phase([1] * 4, 4, [0] * 8), [0, 3, 2, 1])
        self.assertEqual(cube.two_phase([], 4, [0] * 4), [])
        # of 0b11 and 0b01 both want port 0, and one wants port 1
        self.assertEqual(cube.two_phase([3, 1], 8, [0] * 6), [0, None])
        self.assertEqual(cube.two_phase([3, 1], 8, [0] * 6, "least-loaded"), [1, 0])
        self.assertEqual(cube.two_phase([3], 8, [2**32 - 1] * 5), [1])
        self.assertEqual(cube.two_phase([3], 8, [2**32 - 1] * 5, selection="lowest"), [0])
        with self.refused(cubenet.ArgumentError, "selection = 'highest'"):
            cube.two_phase([3], 8, [0] * 5, "highest")
        with self.refused(cubenet.ArgumentError, "random_count = 4", "need 5 words"):
            cube.two_phase([1], 4, [0] * 4)
        with self.refused(ValueError, "random[0] = 4294967296"):
            cube.two_phase([1], 4, [2**32] * 5)

    def test_subcubes(self):
        cube = Subcube.parse("0x1X")
        self.assertEqual(cube, Subcube(n=4, value=0b0010, any=0b0101))
        self.assertEqual(str(cube), "0X1X")
        self.assertEqual([v for v in range(16) if v in cube], [2, 3, 6, 7])
        self.assertTrue(cube.contains(7))
        self.assertEqual(cube.distance(Subcube.parse("1100")), 2)
        self.assertEqual(len({cube, Subcube.parse("0X1X")}), 1)
        with self.refused(ValueError, "no distance"):
            cube.distance(Subcube.parse("0X1"))
        with self.refused(ValueError):
            Subcube.parse("0Y1X")
        with self.refused(ValueError):
            Subcube(4, 1, 1).text
        with self.refused(ValueError, "negative"):
            -1 in cube


# ---- necklaces, trees and multicast ----

class Names(Case):
    # the calls of each family, as different as its names can be
    CALLS = """
        hypercube(1) hypercube(6) hypercube(62)
        kary_ncube(5,2) kary_ncube(5,2,True) kary_ncube(2,4) kary_ncube(2,4,True) kary_ncube(2**62,1)
        generalized_hypercube(4,3) generalized_hypercube(2,3) generalized_hypercube(7,1)
        generalized_hypercube([4,3,2]) generalized_hypercube([3,3]) generalized_hypercube([2]*61+[3-1])
        generalized_hypercube([2]*60+[3])
        ring(9) ring(9,False) ring(2) ring(2,False) ring(2**62)
        torus([8,8]) torus(k=8,n=2) torus([3,5,2]) torus([2,2]) torus([7]) torus([2]*60+[3])
        torus([4611686018427387904])
        mesh([5,5,2]) mesh(k=5,n=2) mesh([2,2,2]) mesh([2]*60+[3]) mesh([2**31-1,2**31])
        complete(2) complete(7) complete(2**32-1) star(2) star(7) tree(1,4) tree(3,3)
        chordal_ring(64) chordal_ring(64,9) chordal_ring(64,dual=True) chordal_ring(64,32,True)
        psnn(1) psnn(5) shuffle_exchange(5) de_bruijn(5) de_bruijn(62)
    """.split()

    def same(self, a, b):
        """Whether two networks are, at the first and the last nodes of large ones, port by port."""
        nodes = a.node_count
        self.assertEqual((nodes, a.max_degree, a.is_bidirectional, a.dimensions),
                         (b.node_count, b.max_degree, b.is_bidirectional, b.dimensions))
        for node in {*range(min(nodes, 600)), *range(max(0, nodes - 20), nodes)}:
            if a.degree(node) < 10000:
                self.assertEqual(a.neighbors(node), b.neighbors(node))
            else:
                self.assertEqual([a.neighbor(node, port) for port in (0, 1, 77, a.degree(node) - 1)],
                                 [b.neighbor(node, port) for port in (0, 1, 77, b.degree(node) - 1)])

    def test_can_be_typed(self):
        families = set()
        for call in self.CALLS:
            with self.subTest(call=call):
                net = eval("Topology." + call)
                self.assertEqual(repr(net), f"<Topology {net.name}>")
                again = eval("Topology." + net.name)
                self.assertEqual(again.name, net.name)
                self.same(net, again)
                families.add(net.name.partition("(")[0])
        made = {name for name, value in vars(Topology).items() if isinstance(value, classmethod)}
        self.assertEqual(families, {name for name in made
                                    if not name.startswith(("_", "from_")) and "_mixed" not in name})

    def test_say_what_they_are(self):
        for call, name in (("torus([8, 8])", "torus([8,8])"), ("torus(k=8, n=2)", "torus([8,8])"),
                           ("mesh([5, 5, 2])", "mesh([5,5,2])"),
                           ("kary_ncube(8, 2)", "kary_ncube(k=8,n=2,bidirectional=False)"),
                           ("kary_ncube(2, 3)", "kary_ncube(k=2,n=3,bidirectional=True)"),
                           ("ring(9, bidirectional=False)", "ring(9,bidirectional=False)"),
                           ("ring(9)", "ring(9)"),
                           ("generalized_hypercube(4, 3)", "generalized_hypercube(k=4,n=3)"),
                           ("generalized_hypercube([4, 4, 4])", "generalized_hypercube(k=4,n=3)"),
                           ("generalized_hypercube([4, 3])", "generalized_hypercube([4,3])"),
                           ("chordal_ring(64, 8, dual=True)", "chordal_ring(64,8,dual=True)"),
                           ("from_edges(3, [(0, 1)])", "edges(3,1)")):
            self.assertEqual(eval("Topology." + call).name, name)

    def test_the_examples_of_the_page_of_terms(self):
        text = (ROOT / "docs/reference/terms.md").read_text()
        tried = doctest.DocTestParser().get_doctest(text, {}, "terms.md", None, 0)
        self.assertEqual(len(tried.examples), 3)
        self.assertEqual(doctest.DocTestRunner().run(tried).failed, 0)

    def test_of_different_networks_differ(self):
        nets = {}
        for call in self.CALLS:
            net = eval("Topology." + call)
            self.same(nets.setdefault(net.name, net), net)
        self.assertGreater(len(nets), 40)

    def test_two_numbers_are_not_two_radices(self):
        for family in (Topology.torus, Topology.mesh):
            name = family.__name__
            for call in (lambda: family(8, 8), lambda: family(8), lambda: family(),
                         lambda: family(8, n=2), lambda: family(k=8), lambda: family(n=8),
                         lambda: family([8, 8], 2), lambda: family([8, 8], n=2),
                         lambda: family([8, 8], k=8, n=2), lambda: family(5, 5, 2)):
                with self.refused(TypeError, f"{name}([8, 8])", f"{name}(k=8, n=2)"):
                    call()
            self.same(family([8, 8]), family(k=8, n=2))
        with self.refused(TypeError, "generalized_hypercube(k=8, n=2)"):
            Topology.generalized_hypercube(8)


class GeneralizedHypercubes(Case):
    def setUp(self):
        self.net = Topology.generalized_hypercube(5, 3)
        self.other = Topology.generalized_hypercube(3, 3)

    def tearDown(self):
        del self.net, self.other
        super().tearDown()

    def in_digits(self, function, text):
        """What a function makes of an address, as an address."""
        return self.net.address(function(self.net.parse_address(text)))

    def test_topology(self):
        self.assertEqual((self.net.node_count, self.net.max_degree, self.net.diameter(),
                          self.net.link_count), (125, 12, 3, 125 * 12 // 2))
        self.assertEqual(self.net.neighbors(0), [1, 2, 3, 4, 5, 10, 15, 20, 25, 50, 75, 100])
        self.assertEqual(self.net.distance(int("342", 5), int("304", 5)), 2)
        mixed = Topology.generalized_hypercube(iter([2, 3, 4]))
        self.assertEqual((mixed.node_count, mixed.max_degree), (24, 1 + 2 + 3))
        self.assertEqual([mixed.radix(i) for i in range(3)], [2, 3, 4])
        self.assertEqual(mixed.digits(23), [1, 2, 3])

    def test_translate(self):
        self.assertEqual(self.in_digits(lambda v: self.net.translate(v, int("123", 5)), "342"),
                         "410")
        self.assertEqual(self.net.header(int("410", 5), int("123", 5)), int("342", 5))
        self.assertEqual(Topology.hypercube(4).translate(0b1100, 0b1010), 0b0110)

    def test_rotation(self):
        # Ziavras & Krishnamurthy 1999, 4
        self.assertEqual(self.in_digits(self.net.rotate, "342"), "424")
        self.assertEqual(self.in_digits(self.net.rotate, "023"), "230")
        self.assertEqual(self.in_digits(self.net.rotate_back, "424"), "342")
        self.assertEqual(Topology.hypercube(4).rotate(0b1001), 0b0011)

    def test_necklaces(self):
        # the rows of table 2 of Ziavras & Krishnamurthy 1999 for GH(3,3)
        printed = {0: ["000 000 000 000 000 000"], 1: ["200 020 002 100 010 001"],
                   2: ["220 022 102 110 011 201", "210 021 202 120 012 101"],
                   3: ["222 122 112 111 211 221", "212 121 212 121 212 121"]}
        for distance, rows in printed.items():
            found = [self.other.necklace(node) for node in self.other.necklaces(distance)]
            self.assertEqual([" ".join(map(self.other.address, nodes)) for nodes in found], rows)
            self.assertEqual(self.other.necklace_count(distance), len(rows))
        for node in range(27):
            necklace = self.other.necklace(node)
            self.assertEqual(self.other.generator(node), necklace[0])
            self.assertEqual(self.other.displacement(node), necklace.index(node))
            self.assertEqual(self.other.period(node), len(set(necklace)))
            self.assertIs(self.other.is_full(node), len(set(necklace)) == 6)
        self.assertEqual([self.net.necklace_count(d) for d in range(4)], [1, 1, 4, 6])

    def test_balanced_tree(self):
        tree = self.net.balanced_tree()
        self.assertEqual((tree.root, tree.parent(0), tree.child_count(0)), (0, None, 12))
        self.assertIs(tree.topology, self.net)
        # one node for each necklace that is long enough: eleven of them, one of four nodes
        self.assertEqual([tree.subtree_size(child) for child in tree.children(0)],
                         [11] * 4 + [10] * 8)
        self.assertEqual(tree.subtree_size(0), 125)
        for node in range(1, 125):
            path = tree.path(node)
            self.assertEqual((path[0], path[-1], len(path) - 1), (0, node, tree.depth(node)))
            self.assertEqual(tree.depth(node), self.net.distance(0, node))
            self.assertEqual(tree.parent(node), path[-2])
            self.assertIn(node, tree.children(path[-2]))
            # root subtree i has the nodes of displacement i
            self.assertEqual(tree.children(0)[self.net.displacement(node)], path[1])
        self.assertEqual(repr(tree), "<Tree of generalized_hypercube(k=5,n=3), root 0>")

    def test_a_tree_of_any_topology(self):
        net = Topology.psnn(4)
        tree = cubenet.Tree.breadth_first(net, root=3)
        parents, first, children = tree.arrays()
        self.assertEqual([tree.depth(v) for v in range(net.node_count)],
                         [net.distance(3, v) for v in range(net.node_count)])
        again = cubenet.Tree.from_parents(net, 3, parents)
        self.assertEqual(again.arrays(), (parents, first, children))
        self.assertEqual((again.root, again.parent(3), again.topology), (3, None, net))
        self.assertEqual(cubenet.Routing.tree(again).distance(3, 9), tree.depth(9))
        with self.refused(cubenet.ArgumentError, "parents"):
            cubenet.Tree.from_parents(net, 0, parents)
        one_way = Topology.from_function(3, 1, lambda v, port: v + 1 if v < 2 else None)
        with self.refused(cubenet.DisconnectedError, "from root 1 to node 0"):
            cubenet.Tree.breadth_first(one_way, 1)

    def test_a_tree_as_arrays(self):
        for tree in (self.other.balanced_tree(root=14), Topology.hypercube(4).binomial_tree(5, 2)):
            parents, first, children = tree.arrays()
            nodes = range(tree.topology.node_count)
            self.assertEqual(parents, [tree.parent(v) for v in nodes])
            self.assertEqual([children[first[v]:first[v + 1]] for v in nodes],
                             [tree.children(v) for v in nodes])
            self.assertEqual(len(children), len(nodes) - 1)
            height = max(map(tree.depth, nodes))
            self.assertEqual(tree.topology.validate_tree(tree.root, parents), (height, True))

    def test_other_trees(self):
        cube = Topology.hypercube(4)
        binomial = cube.binomial_tree(root=5, base=2)
        self.assertEqual(binomial.children(5), [5 ^ 4, 5 ^ 8, 5 ^ 1, 5 ^ 2])
        self.assertEqual([binomial.subtree_size(v) for v in binomial.children(5)], [8, 4, 2, 1])
        trees = [cube.edge_disjoint_tree(root=5, index=j) for j in range(4)]
        self.assertEqual([tree.children(5) for tree in trees], [[4], [7], [1], [13]])
        for tree in trees:
            self.assertEqual(cube.validate_tree(5, tree.arrays().parents), (5, False))
        self.assertIsNone(cubenet.common_channel(trees))
        self.assertIsNone(cubenet.common_channel(iter(trees[:1])))
        self.assertEqual(cubenet.common_channel([trees[0], trees[1], trees[0]]), 4)
        shared = cubenet.common_channel([trees[2], cube.balanced_tree(root=5)])
        self.assertEqual(trees[2].parent(shared), cube.balanced_tree(root=5).parent(shared))

    def test_validate(self):
        path = Topology.from_edges(3, [(0, 1), (1, 2)])
        self.assertEqual(path.validate_tree(1, [1, None, 1]), (1, True))
        self.assertIs(path.validate_tree(0, (None, 0, 1))[1], True)
        for parents, part in (([None, 0, 0], "parents[2] = 0"), ([None, 2, 1], "node 1"),
                              ([None, None, 1], "node 1"), ([None, 0], "parents has 2 elements"),
                              ([None, 0, -1], "parents[2] = -1")):
            with self.subTest(parents=parents), self.refused(cubenet.ArgumentError, part):
                path.validate_tree(0, parents)

    def test_spanning_graph(self):
        # 212 has the period 2: it lies in the subtrees 0, 2 and 4, and in the tree in the first
        node = self.other.parse_address("212")
        parents = self.other.spanning_graph_parents(0, node)
        self.assertEqual({i: self.other.address(v) for i, v in parents.items()},
                         {0: "210", 2: "202", 4: "012"})
        self.assertEqual(parents[0], self.other.balanced_tree().parent(node))
        self.assertEqual(self.other.spanning_graph_parents(3, 3), {})
        sizes = [0] * 6
        for v in range(1, 27):
            for subtree in self.other.spanning_graph_parents(0, v):
                sizes[subtree] += 1
        self.assertEqual(sizes, [5] * 6)

    def test_multicast_goes_along_the_tree(self):
        for source in (0, 58):
            tree = self.net.balanced_tree(source)
            for destination in range(125):
                path = [source]
                while path[-1] is not None:
                    path.append(self.net.multicast_next_hop(source, path[-1], destination))
                self.assertEqual(path[:-1], tree.path(destination))

    def test_multicast_groups(self):
        source = 58
        tree = self.net.balanced_tree(source)
        everyone = self.net.multicast_groups(source, source, range(125))
        self.assertEqual({child: len(nodes) for child, nodes in everyone.items()},
                         {child: tree.subtree_size(child) for child in tree.children(source)})
        nodes = [7, 58, 100, 7, 31, 99]
        groups = self.net.multicast_groups(source, source, iter(nodes))
        self.assertEqual(list(groups), list(dict.fromkeys(
            tree.path(v)[1] for v in nodes if v != source)))
        for child, group in groups.items():
            self.assertEqual(group, [v for v in nodes if v != source and tree.path(v)[1] == child])
        self.assertEqual(self.net.multicast_groups(0, 3, []), {})
        self.assertEqual(self.net.multicast_groups(0, 3, [3, 3]), {})

    def test_errors(self):
        ring = Topology.kary_ncube(5, 3)
        mixed = Topology.generalized_hypercube([2, 3])
        for net in (ring, mixed):
            for call in (net.rotate, net.rotate_back, net.period, net.is_full, net.generator,
                         net.displacement, net.necklace, net.necklace_count, net.balanced_tree,
                         lambda d, net=net: next(net.necklaces(d)),
                         lambda v, net=net: net.multicast_next_hop(0, 0, v),
                         lambda v, net=net: net.multicast_groups(0, 0, [v]),
                         lambda v, net=net: net.spanning_graph_parents(0, v)):
                with self.refused(cubenet.UnsupportedError, net.name):
                    call(1)
        with self.refused(cubenet.UnsupportedError, "must be a hypercube"):
            self.net.binomial_tree(0, 0)
        cube = Topology.hypercube(4)
        tree = cube.balanced_tree()
        for call, part in ((lambda: Topology.generalized_hypercube(1, 3), "k = 1"),
                           (lambda: Topology.generalized_hypercube([]), "n = 0"),
                           (lambda: Topology.generalized_hypercube([3, 1]), "radices[1] = 1"),
                           (lambda: Topology.generalized_hypercube([3, -1]),
                            "radices[1] = -1"),
                           (lambda: self.net.rotate(125), "node = 125"),
                           (lambda: self.net.necklace_count(4), "distance = 4"),
                           (lambda: list(self.net.necklaces(4)), "distance = 4"),
                           (lambda: self.net.balanced_tree(125), "root = 125"),
                           (lambda: cube.binomial_tree(0, 4), "base = 4"),
                           (lambda: cube.edge_disjoint_tree(0, 4), "index = 4"),
                           (lambda: tree.parent(16), "node = 16"),
                           (lambda: tree.path(-1), "node = -1"),
                           (lambda: self.net.multicast_next_hop(125, 0, 1), "source = 125"),
                           (lambda: self.net.multicast_groups(0, 0, [3, 125]), "125"),
                           (lambda: self.net.multicast_groups(0, 0, [3, -1]),
                            "destinations[1] = -1"),
                           (lambda: cubenet.common_channel([tree, cube.balanced_tree(1)]),
                            "trees[1]")):
            with self.subTest(part=part), self.refused(cubenet.ArgumentError, part):
                call()
        for call in (lambda: cubenet.common_channel([cube]), lambda: cubenet.common_channel(tree),
                     lambda: cubenet.Tree(), lambda: cube.validate_tree(0, 7),
                     lambda: self.net.balanced_tree("0")):
            with self.assertRaises(TypeError):
                call()


# ---- the networks of Ginosar & Egozi and their measures ----

class Measures(Case):
    def test_networks(self):
        # nodes, links, diameter
        for net, *known in ((Topology.ring(7), 7, 7, 3), (Topology.ring(7, False), 7, 7, 6),
                            (Topology.torus(k=4, n=3), 64, 192, 6),
                            (Topology.mesh(k=4, n=3), 64, 144, 9),
                            (Topology.torus([3, 5]), 15, 30, 3),
                            (Topology.mesh([3, 5]), 15, 22, 6),
                            (Topology.complete(9), 9, 36, 1), (Topology.star(9), 9, 8, 2),
                            (Topology.tree(3, 2), 13, 12, 4),
                            (Topology.chordal_ring(64), 64, 96, 8),
                            (Topology.chordal_ring(64, 11), 64, 96, 7),
                            (Topology.chordal_ring(64, chord=0, dual=True), 64, 128, 7),
                            (Topology.chordal_ring(64, 10, dual=True), 64, 128, 6),
                            (Topology.psnn(6), 64, 123, 7), (Topology.psnn(3), 8, 12, 3),
                            (Topology.shuffle_exchange(4), 16, 21, 7),
                            (Topology.de_bruijn(3), 8, 13, 3)):
            with self.subTest(net=net.name):
                self.assertEqual([net.node_count, net.link_count, net.diameter()], known)
        self.assertFalse(Topology.ring(7, bidirectional=False).is_bidirectional)
        self.assertEqual(Topology.torus([3, 5]).address(14), "42")
        self.assertEqual(Topology.psnn(4).neighbors(3), [2, 4, 6, 9])
        self.assertEqual(Topology.best_chord(64), (11, 7))
        self.assertEqual(Topology.best_chord(64, dual=True), (10, 6))

    def test_exact_values(self):
        psnn = Topology.psnn(5)
        self.assertEqual(cubenet.measures()[:4],
                         ["diameter", "mean_distance", "broadcast_time", "bisection_width"])
        for name, value in {"diameter": 6, "broadcast_time": 7, "bisection_width": 8,
                            "disconnectivity": 4, "looseness": (7 + 4) / 2,
                            "mean_degree": 2 * 60 / 32, "links": 60,
                            "cost_effectiveness": (7 + 4) / 2 * 2 * 60 / 32}.items():
            with self.subTest(measure=name):
                measure = psnn.measure(name)
                self.assertAlmostEqual(measure.value, value, delta=1e-12)
                self.assertEqual(measure.lower, measure.upper)
                self.assertIn(measure.kind, ("exact", "closed-form"))
        self.assertEqual(psnn.measure("mean_distance").value, psnn.mean_distance())
        self.assertEqual(psnn.measure("looseness", alpha=1).value, 7)
        self.assertEqual(psnn.measure("looseness", 0).value, 4)
        self.assertEqual(psnn.cost(processor_cost=10, link_cost=0.5), 320 + 30)
        cube = Topology.hypercube(6)
        self.assertEqual(cube.measure("cost_effectiveness"), (24, 24, "closed-form"))
        self.assertEqual(Topology.star(9).measure("node_cut").value, 1)
        self.assertEqual([cube.measure(name).value for name in cubenet.measures()[10:]],
                         [40 ** 0.5, 12, 32 ** 2, 3, 36, 6])

    def test_messages_to_one_node(self):
        line, cycles = Topology.tree(1, 7), {}
        for kind in ("outward", "contention", "combining", "concentration"):
            operations = cubenet.Operations(line)
            operations.add(2)
            result = Scenario(line, "collective", operations=operations, operation_kind=kind).simulate()
            cycles[kind] = result["completion_cycles"]
        self.assertEqual(cycles, {"outward": 5, "contention": 5, "combining": 5, "concentration": 5})
        star = Topology.star(9)
        for kind, expected in (("contention", 8), ("combining", 2), ("concentration", 2)):
            operations = cubenet.Operations(star)
            operations.add(3)
            result = Scenario(star, "collective", operations=operations, operation_kind=kind).simulate()
            self.assertEqual(result["completion_cycles"], expected)

    def test_bounds(self):
        measure = Topology.psnn(10).measure("bisection_width", steps=1000)
        self.assertEqual(measure.kind, "bounds")
        self.assertIsNone(measure.value)
        self.assertLess(measure.lower, 122.5)
        self.assertGreaterEqual(measure.upper, 107)

    def test_bisection(self):
        for net, width in ((Topology.psnn(5), 8), (Topology.de_bruijn(5), 10),
                           (Topology.shuffle_exchange(5), 6), (Topology.torus([3, 3, 3]), 26),
                           (Topology.star(9), 4)):
            with self.subTest(net=net.name):
                cut = net.bisection()
                self.assertEqual((cut.lower, cut.upper), (width, width))
                self.assertEqual(sum(cut.side), net.node_count // 2 + (sum(cut.side) * 2 >
                                                                      net.node_count))
                self.assertEqual(net.check_bisection(cut.side), width)
        large = Topology.hypercube(28)
        cut = large.bisection()  # without an array of 2^28 sides
        self.assertEqual((cut.upper, cut.kind, len(cut.side)), (1 << 27, "closed-form", 1 << 28))
        self.assertEqual((cut.side[0], cut.side[(1 << 27) - 1], cut.side[1 << 27], cut.side[-1]),
                         (0, 0, 1, 1))
        self.assertIn("hypercube(28)", repr(cut))
        with self.assertRaises(IndexError):
            cut.side[1 << 28]
        small = Topology.mesh([3, 3]).bisection()
        self.assertEqual(pickle.loads(pickle.dumps(small)), small)
        self.assertEqual(Topology.hypercube(2).bisection().side, [0, 0, 1, 1])
        self.assertNotEqual(Topology.hypercube(2).bisection().side, [0, 1, 0, 1])
        ring = Topology.ring(4)
        self.assertEqual(ring.check_bisection([False, True, False, True]), 4)
        self.assertEqual(Topology.ring(3, False).check_bisection(iter([0, 0, 1])), 2)
        for side, part in (([0, 0, 0, 1], "side"), ([0, 0, 1], "count = 3"), ([0, 0, 1, 2], "2"),
                           ([0, 0, 1, -1], "side[3] = -1"), ([0, 0, 1, 256], "side[3] = 256")):
            with self.refused(cubenet.ArgumentError, part):
                ring.check_bisection(side)

    def test_broadcast(self):
        for net, steps in ((Topology.psnn(5), 7), (Topology.hypercube(5), 5),
                           (Topology.torus([5, 5]), 5), (Topology.complete(9), 4)):
            with self.subTest(net=net.name):
                schedule = net.broadcast_schedule(0)
                self.assertEqual((schedule.lower, schedule.upper), (steps, steps))
                self.assertEqual(len(schedule.transfers), net.node_count - 1)
                self.assertEqual(schedule.transfers[-1].step, steps)
                self.assertEqual(net.check_schedule(0, schedule.transfers), steps)
        self.assertEqual(net.broadcast_schedule(source=4).transfers[0].sender, 4)
        path = Topology.tree(1, 2)
        self.assertEqual(path.check_schedule(0, map(iter, [(1, 0, 1), (5, 1, 2)])), 5)
        for source, transfers, part in ((0, [(1, 0, 2), (2, 2, 1)], "2"),
                                        (1, [(1, 0, 1), (2, 1, 2)], "0"), (0, [(1, 0, 1)], "2"),
                                        (0, [(1, 0)], "transfers[0]"),
                                        (0, [(1, 0, 1), (2, -1, 2)], "sender[1] = -1")):
            with self.refused(cubenet.ArgumentError, part):
                path.check_schedule(source, transfers)

    def test_progress(self):
        net = Topology.psnn(10)
        calls = (lambda progress: net.measure("bisection_width", progress=progress),
                 lambda progress: net.bisection(progress=progress),
                 lambda progress: net.broadcast_schedule(0, progress=progress))
        seen = []

        def stop(done, total, lower, upper):
            seen.append((done, total, lower, upper))
            return len(seen) < 2

        for call in calls:
            seen.clear()
            found = call(stop)
            self.assertEqual(len(seen), 2)
            self.assertLessEqual(seen[0][0], seen[1][0])  # a look while it is set up is no step
            self.assertEqual(found.kind, "bounds")
            self.assertLess(found.lower, found.upper)

        class Own(BaseException):
            pass

        def fail(*arguments):
            seen.append(arguments)
            raise Own("from inside")

        for call in calls:
            seen.clear()
            with self.assertRaises(Own) as caught:
                call(fail)
            self.assertEqual(str(caught.exception), "from inside")
            self.assertEqual(len(seen), 1)
            with self.assertRaises(TypeError):
                call(7)

    def test_a_limit_in_seconds(self):
        start = time.monotonic()
        net = Topology.psnn(10)
        net.measure("bisection_width", steps=2**64 - 1, seconds=0.05)
        self.assertLess(time.monotonic() - start, 20)

    def test_errors(self):
        net = Topology.psnn(3)
        for call, part in ((lambda: Topology.ring(1), "nodes = 1"),
                           (lambda: Topology.torus(k=1, n=2), "= 1"),
                           (lambda: Topology.torus(k=2, n=0), "n = 0"),
                           (lambda: Topology.mesh(k=2, n=2**32 - 1), "n = 4294967295"),
                           (lambda: Topology.mesh(k=-1, n=2), "k = -1"),
                           (lambda: Topology.torus([3, -1]), "radices[1] = -1"),
                           (lambda: Topology.chordal_ring(63), "63"),
                           (lambda: Topology.psnn(63), "n = 63"),
                           (lambda: net.measure("looseness", alpha=2), "alpha = 2"),
                           (lambda: net.measure("diameter", seconds=-1), "seconds = -1"),
                           (lambda: net.measure("diameter", steps=-1), "steps = -1"),
                           (lambda: net.broadcast_schedule(8), "source = 8"),
                           (lambda: net.cost(-1, 1), "-1")):
            with self.subTest(part=part), self.refused(cubenet.ArgumentError, part):
                call()
        with self.refused(cubenet.NotFoundError, "width"):
            net.measure("width")
        with self.refused(cubenet.UnsupportedError, "psnn(3)"):
            net.measure("node_cut")
        with self.refused(cubenet.DisconnectedError):
            Topology.from_edges(3, [(0, 1)]).measure("diameter")
        for call in (lambda: net.measure(1), lambda: net.check_bisection(7),
                     lambda: Topology.torus([3, 4], 2), lambda: Topology.from_metis(b"")):
            with self.assertRaises(TypeError):
                call()


class Interchange(Case):
    def test_text(self):
        square = Topology.torus([2, 2])
        self.assertEqual(square.to_edge_list(), "# nodes 4\n0 1\n0 2\n1 3\n2 3\n")
        self.assertEqual(square.to_metis(), "4 4\n2 3\n1 4\n4 1\n3 2\n")
        self.assertIn("0 -- 1;", square.to_dot())
        self.assertIn("digraph", Topology.ring(3, False).to_dot())
        self.assertEqual(square.to_svg().count("<rect x="), 4)
        self.assertEqual(square.to_svg(), square._repr_svg_())
        self.assertIsNone(Topology.hypercube(11)._repr_svg_())
        self.assertEqual(Topology.mesh([3, 2]).layout(), [(x, y) for y in (0, 1) for x in (0, 1, 2)])
        with self.assertRaisesRegex(cubenet.UnsupportedError, "at most 1024"):
            Topology.hypercube(11).to_svg()
        root = xml.etree.ElementTree.fromstring(square.to_graphml())
        tags = [element.tag.rpartition("}")[2] for element in root.iter()]
        self.assertEqual([tags.count(name) for name in ("node", "edge")], [4, 4])

    def test_there_and_back(self):
        net = Topology.de_bruijn(6)
        links = {(u, v) for u in range(64) for v in net.neighbors(u)}
        for back in (Topology.from_edge_list(net.to_edge_list()),
                     Topology.from_metis(net.to_metis())):
            self.assertEqual(back.node_count, 64)
            self.assertEqual({(u, v) for u in range(64) for v in back.neighbors(u)}, links)
            self.assertEqual(back.measure("bisection_width"), (18, 18, "exact"))

    def test_errors(self):
        for call, part in ((lambda: Topology.from_edge_list("0 1\n1 x\n"), "line 2"),
                           (lambda: Topology.from_edge_list("0 1\n1 \xe9\n"), "line 2"),
                           (lambda: Topology.from_metis("2 1\n2\n\n"), "line"),
                           (lambda: Topology.from_edge_list("0 1\0"), "NUL"),
                           (lambda: Topology.from_edge_list("data/graph 1.txt"),
                            "line 1: a whole number of at most 2^64 - 1 was expected; if 'data/graph 1.txt' is the "
                            "name of a file, open('data/graph 1.txt').read() gives its text"),
                           (lambda: Topology.from_metis("a.graph"), "if 'a.graph' is the name of a file")):
            with self.subTest(part=part), self.refused(cubenet.ArgumentError, part):
                call()
        with self.refused(TypeError, "text must be a str, not PosixPath; its read_text() gives"):
            Topology.from_edge_list(Path("graph.txt"))
        for text in ("# abc", "0 1 x\n1 2", "a" * 300):
            with self.assertRaises(cubenet.ArgumentError) as caught:
                Topology.from_edge_list(text)
            self.assertNotIn("file", str(caught.exception))
        with self.refused(cubenet.UnsupportedError):
            Topology.ring(3, bidirectional=False).to_metis()


# ---- damaged networks ----

class DamagedNetworks(Case):
    def setUp(self):
        self.cube = Topology.hypercube(4)
        self.faults = self.figure()

    def tearDown(self):
        del self.cube, self.faults
        super().tearDown()

    def figure(self):
        """The damaged 4-cube of Horng 1992, figure 5.1."""
        faults = cubenet.Faults(self.cube)
        for address in "0010 0011 0100 0111 1001".split():
            faults.add_node(self.cube.parse_address(address))
        return faults

    def test_flow_deviation(self):
        cube = Topology.hypercube(4)
        faults = cubenet.Faults(cube)
        for node in (0b0010, 0b0011, 0b0100, 0b0111, 0b1001):
            faults.add_node(node)
        flow = cube.flow_deviation(0.2, faults)
        self.assertAlmostEqual(flow.delay, 2.817304, 5)
        self.assertTrue(flow.lower <= flow.delay <= flow.lower * (1 + 2e-6))
        total = sum(f / (1 - f) for node in flow.channels for f in node)
        self.assertAlmostEqual(total / (0.2 * 11), flow.delay, 9)
        lower, upper = cube.flow_saturation(faults)
        self.assertTrue(lower <= 5 / 6 <= upper and upper - lower < 2e-6)
        scenario = Scenario(cube, "flow-deviation", load=0.2, faults=faults)
        faults.add_node(0)  # the scenario keeps its own copy
        self.assertAlmostEqual(scenario.predict()["mean_delay"], 2.817304, 5)
        self.assertEqual(scenario.faults.node_count, 5)
        scenario.faults = None
        self.assertAlmostEqual(scenario.predict()["mean_delay"],
                               32 / 15 / (1 - 0.2 * 32 / 15 / 4), 9)
        # two nodes, all traffic one way: an M/M/1 queue
        line = Topology.from_edges(2, [(0, 1)])
        flow = line.flow_deviation(0.5, traffic=[[0, 1], [0, 0]])
        self.assertAlmostEqual(flow.delay, 2.0, 9)
        self.assertEqual([[round(f, 9) for f in node] for node in flow.channels], [[0.5], [0]])
        with self.refused(cubenet.UnstableError, "load"):
            line.flow_deviation(1.0, traffic=[[0, 1], [0, 0]])
        with self.refused(cubenet.UnsupportedError, "optimistic-bound"):
            Scenario(cube, "optimistic-bound", faults=faults)

    def test_delay_on_damaged_cubes(self):
        subnet = self.faults.convex_subnet()
        def scenario(routing, **more):
            return Scenario(self.cube, "separate-buffers", routing=routing, slotted=False, **more)

        by_faults = scenario("optimal-path", load=0.4, faults=self.faults)
        by_subnet = scenario("optimal-path", load=0.4, subnet=subnet)
        subnet.fail_node(0)  # the scenario keeps its own copy
        self.assertEqual(by_subnet.subnet.survivor_count, 9)
        exact = by_faults.predict()["mean_delay"]
        self.assertEqual(by_subnet.predict()["mean_delay"], exact)
        self.assertGreater(exact, 3.290043)  # flow deviation
        run = by_subnet.simulate()
        self.assertAlmostEqual(run["mean_delay"], exact, delta=1.5 * run.half_width("mean_delay"))
        self.assertEqual(run["survivor_fraction"], 9 / 16)
        self.assertEqual(dict(run), dict(by_faults.simulate()))
        by_subnet.subnet = None
        self.assertEqual(by_subnet.predict()["survivor_fraction"], 1)
        self.assertIsNone(by_subnet.subnet)
        slotted = Scenario(self.cube, "separate-buffers", routing="two-level", load=0.4,
                           faults=self.faults)
        run = slotted.simulate()
        self.assertAlmostEqual(run["mean_hops"], 126 / 55, delta=0.02)
        self.assertAlmostEqual(slotted.predict()["mean_delay"], run["mean_delay"], delta=0.1)
        with self.refused(cubenet.UnstableError, "0.8"):
            scenario("two-level", load=0.8, faults=self.faults).predict()
        with self.refused(cubenet.ArgumentError, "a subnet"):
            scenario("two-level", load=0.1, subnet=subnet).simulate()
        with self.refused(cubenet.UnsupportedError, "has only: random, lowest"):
            Scenario(self.cube, "shared-buffer", selection="least-loaded").simulate()

    def test_rules_as_pure_functions(self):
        subnet, hierarchy = self.faults.convex_subnet(), self.faults.hierarchy()
        for node in subnet.survivors:
            status = subnet.neighbor_status(node)
            for to in subnet.survivors:
                self.assertEqual(subnet.route_optimal_path(node ^ to, status),
                                 subnet.next_hops(node, to))
        working = [node for node in range(16) if not self.faults.has_node(node)]
        for node in working:
            status, table = hierarchy.neighbor_status(node), hierarchy.table(node)
            for to in working:
                for rule in ("header", "any", "lowest"):
                    self.assertEqual(hierarchy.route_two_level(node, to, status, table, rule),
                                     hierarchy.next_hops(node, to, rule))
        with self.refused(cubenet.DisconnectedError, "a bit in common"):
            cubenet.Subnet.route_optimal_path(0b0100, [0, 1])
        for ports in ([64], [-1]):
            with self.refused(cubenet.ArgumentError, "0 to 63"):
                cubenet.Subnet.route_optimal_path(1, ports)
        with self.refused(cubenet.DisconnectedError, "no entry"):
            cubenet.Hierarchy.route_two_level(0, 1, [0], {})
        with self.refused(cubenet.ArgumentError, "tie_rule"):
            cubenet.Hierarchy.route_two_level(0, 1, [0], {}, "best")

    def test_two_level_by_weight(self):
        hierarchy = self.faults.hierarchy()
        hops, working = cubenet.Routing.two_level(hierarchy), [v for v in range(16) if not self.faults.has_node(v)]
        equal, rounds, messages = cubenet.Routing.two_level_weighted(hierarchy, [[1] * 4] * 16, 0.5)
        self.assertEqual((rounds, messages), cubenet.Routing.two_level_weighted(hierarchy)[1:])
        self.assertEqual((rounds, messages), (4, 56))
        weights = [[1.0] * 4 for _ in range(16)]
        dear = next((s, d, hops.channels(s, d)) for s in working for d in working
                    if len(hops.channels(s, d)) > 1 and hierarchy.cluster_of(s) != hierarchy.cluster_of(d))
        weights[dear[0]][dear[2][0]] = 1.5
        for slack, expected in (0, dear[2][1:]), (0.5, dear[2]):
            routing, _, _ = cubenet.Routing.two_level_weighted(hierarchy, weights, slack)
            self.assertEqual(routing.channels(*dear[:2]), expected)
        for source in working:
            for destination in working:
                self.assertEqual(equal.channels(source, destination), hops.channels(source, destination))
        with self.refused(ValueError, "count = 60"):
            cubenet.Routing.two_level_weighted(hierarchy, weights[1:])
        with self.refused(ValueError, "weights[0] = 0"):
            cubenet.Routing.two_level_weighted(hierarchy, [[0] * 4] * 16)
        with self.refused(ValueError, "slack = -1"):
            cubenet.Routing.two_level_weighted(hierarchy, slack=-1)

    def test_adapt_two_level(self):
        settings = {"load": 0.3, "measure_cycles": 2000, "warmup_cycles": 500, "seed": 3}
        periods = cubenet.adapt_two_level(self.faults, 2, slack=0, keep=0, **settings)
        self.assertEqual(len(periods), 3)
        by_hops = Scenario(self.cube, "separate-buffers", faults=self.faults,
                           routing=cubenet.Routing.two_level(self.faults.hierarchy()), **settings)
        self.assertEqual(periods[0].result["mean_delay"], by_hops.simulate()["mean_delay"])
        for before, after in zip(periods, periods[1:]):
            loads = list(before.result.channel_loads())
            weights = [[1 / (1 - load / 2000) for load in loads[4 * v:4 * v + 4]] for v in range(16)]
            routing, rounds, messages = cubenet.Routing.two_level_weighted(self.faults.hierarchy(), weights)
            self.assertEqual((after.rounds, after.messages), (rounds, messages))
            self.assertEqual(after.routing.to_json(), routing.to_json())
        self.assertEqual(len(cubenet.adapt_two_level(self.faults, 0, load=0.1, measure_cycles=100)), 1)
        with self.refused(ValueError, "updates = -1"):
            cubenet.adapt_two_level(self.faults, -1, load=0.1)
        for keep in -0.1, 1.1, math.nan:
            with self.refused(cubenet.ArgumentError, f"keep = {keep}, but it must be 0 to 1"):
                cubenet.adapt_two_level(self.faults, keep=keep, load=0.1)
        still = cubenet.adapt_two_level(self.faults, 1, slack=0, keep=1, **settings)  # the weights of before: hops
        self.assertEqual(still[1].result["mean_delay"], still[0].result["mean_delay"])

    def test_faults(self):
        faults = self.faults
        self.assertIs(faults.topology, self.cube)
        self.assertEqual((faults.nodes, faults.links), ([2, 3, 4, 7, 9], []))
        faults.add_link(9, 0)
        faults.add_link(0, 3)
        self.assertEqual(faults.links, [(0, 3), (8, 0)])
        self.assertEqual((faults.node_count, faults.link_count), (5, 2))
        self.assertTrue(faults.has_node(3) and faults.has_link(8, 0) and faults.has_link(8, 3))
        self.assertFalse(faults.has_node(0) or faults.has_link(9, 1))
        other = faults.copy()
        faults.remove_node(9)
        faults.remove_link(8, 0)
        self.assertEqual((faults.nodes, faults.links), ([2, 3, 4, 7], [(0, 3)]))
        self.assertEqual((other.nodes, other.links), ([2, 3, 4, 7, 9], [(0, 3), (8, 0)]))
        self.assertEqual(repr(other), "<Faults of hypercube(4): 5 nodes, 2 links>")
        other.clear()
        self.assertEqual((other.nodes, other.links), ([], []))

    def test_operations(self):
        cube = Topology.generalized_hypercube(4, 3)
        operations = cubenet.Operations(cube)
        operations.add(5, start=3)
        operations.add(0, [63, 1], start=4)
        self.assertEqual(list(operations), [(5, None, 3), (0, [63, 1], 4)])
        self.assertEqual((len(operations), operations[-1].source, operations[:1]),
                         (2, 0, [(5, None, 3)]))
        scenario = Scenario(cube, "collective", machine="channels", operations=operations)
        operations.add(7)  # the scenario keeps its own copy
        self.assertEqual(len(scenario.operations), 2)
        result = scenario.simulate()
        self.assertEqual((result["messages_delivered"], result["completion_cycles"]), (65, 7))
        self.assertEqual(result.half_width("completion_cycles"), 0)
        self.assertEqual((result.stop, result.stop_text), ("completed", "all is complete"))
        with scenario.open() as simulation:
            simulation.step(20)
            loads = simulation.channel_loads()
            self.assertEqual((len(loads), sum(loads)), (64 * 9, 63 + 3 + 1))
            self.assertTrue(simulation.inject_broadcast(9, tag=4))
            with self.refused(cubenet.UnsupportedError, "base = 0", "no base"):
                simulation.inject_broadcast(9, base=0)
            simulation.step(3)
            self.assertEqual([(d.tag, d.destination, d.delivered) for d in simulation.deliveries()],
                             [(4, None, 23)])
            self.assertEqual(simulation.result().stop, "completed")
        scenario.operations = 10
        self.assertEqual((scenario.operations, scenario["operations"]), (10, 10))
        self.assertEqual(scenario.simulate()["messages_delivered"], 20 * 10 * 63)
        scenario = Scenario(cube, "collective", machine="channels", operations=100,
                            transit_buffers=1)
        with self.refused(cubenet.DeadlockError, "buffer_classes"):
            scenario.simulate()
        with self.refused(cubenet.ArgumentError, "twice"):
            operations.add(0, [1, 1])
        with self.refused(cubenet.UnsupportedError, "operations"):
            Scenario(Topology.hypercube(3), "deflection").operations = operations
        with self.assertRaises(IndexError):
            operations[3]

    def test_operations_along_trees(self):
        ring = Topology.ring(8)
        operations = cubenet.Operations(ring)
        operations.add(0)
        scenario = Scenario(ring, "collective", machine="channels", operations=operations)
        self.assertEqual(scenario.tree, "breadth-first")
        self.assertEqual(scenario.simulate()["completion_cycles"], 4)
        operations.set_tree(cubenet.Tree.from_parents(ring, 0, [None, *range(7)]))
        scenario.operations = operations
        self.assertEqual(scenario.simulate()["completion_cycles"], 7)
        with self.refused(cubenet.ArgumentError, "tree"):
            operations.set_tree(Topology.hypercube(3).balanced_tree())
        scenario.tree = "balanced"
        with self.refused(cubenet.UnsupportedError, "breadth-first"):
            scenario.simulate()

    def test_faults_that_there_are_not(self):
        with self.refused(ValueError, "node = 16"):
            self.faults.add_node(16)
        with self.refused(ValueError, "port = 4"):
            self.faults.add_link(0, 4)
        with self.refused(ValueError, "node = -1"):
            self.faults.remove_node(-1)
        with self.refused(TypeError, "cubenet topology"):
            cubenet.Faults(4)
        with self.refused(TypeError, "cubenet faults"):
            self.faults.convex_subnet().rebuild(self.cube)

    def test_generators(self):
        def made(name, *arguments):
            faults = cubenet.Faults(self.cube)
            getattr(faults, name)(*arguments)
            return faults

        for name, *arguments in (("add_random_nodes", 6), ("add_random_links", 6),
                                 ("add_failing_nodes", 0.5), ("add_failing_links", 0.5),
                                 ("add_random_clusters", 2, 1), ("add_grown_clusters", 5, 2)):
            with self.subTest(name):
                texts = [made(name, *arguments, seed).to_json() for seed in (1, 1, 2)]
                self.assertEqual(texts[0], texts[1])
                self.assertNotEqual(texts[0], texts[2])
        self.assertEqual(made("add_random_nodes", 6, 1).node_count, 6)
        self.assertEqual(made("add_random_links", 6, 1).link_count, 6)
        self.assertEqual(made("add_failing_nodes", 1, 1).node_count, 16)
        self.assertEqual(made("add_failing_links", 1, 1).link_count, 32)
        self.assertEqual(made("add_around", 0b0101, 1).nodes,
                         [0b0001, 0b0100, 0b0101, 0b0111, 0b1101])
        self.assertEqual(made("add_random_clusters", 1, 1, 1).node_count, 5)
        self.assertEqual(made("add_grown_clusters", 7, 2, 1).node_count, 7)
        for subcube in ("0X1X", Subcube.parse("0X1X")):
            self.assertEqual(made("add_subcube", subcube).nodes, [2, 3, 6, 7])
        with self.refused(ValueError, "0X1", "4 dimensions"):
            made("add_subcube", "0X1")
        with self.refused(ValueError, "count = 17"):
            made("add_random_nodes", 17, 1)

    def test_distances(self):
        faults = self.faults
        self.assertEqual(faults.distance(0b0110, 0b0101), 4)
        self.assertIsNone(faults.distance(0b0110, 0b0111))
        self.assertAlmostEqual(faults.mean_distance(), 252 / 110, delta=1e-12)  # 2.290909
        self.assertEqual(faults.reachable_pairs(), 110)
        self.assertEqual(faults.stretch(), ([102, 0, 8], 0))
        self.assertEqual(cubenet.Faults(self.cube).mean_distance(), self.cube.mean_distance())
        ring = cubenet.Faults(Topology.ring(200))
        ring.add_link(0, 1)  # pairs d apart are 200 - d apart when the way leads over it
        counts, unreachable = ring.stretch()
        self.assertEqual((len(counts), counts[198], sum(counts), unreachable),
                         (199, 2, 200 * 199, 0))
        ring.add_link(0, 0)
        self.assertEqual(ring.stretch().unreachable, 2 * 199)
        torus = cubenet.Faults(cubenet.Topology.kary_ncube(5, 2, bidirectional=True))
        torus.add_node(0)
        self.assertEqual(torus.monotone(), ([24 * 23 - 4, 4], 0))

    def test_drawings(self):
        drawn = (self.faults.dot(), self.faults.convex_subnet().dot(),
                 self.faults.hierarchy().dot())
        for text in drawn:
            self.assertTrue(text.startswith('graph "hypercube(4)" {\n') and text.endswith("}\n"))
            self.assertEqual(text.count("[label="), 16)
            self.assertEqual(text.count('fillcolor="black"'), 5)
        self.assertEqual([text.count("filled,dashed") for text in drawn], [0, 2, 0])
        self.assertEqual([text.count(">cluster XX") for text in drawn], [0, 0, 2])
        for drawing in self.faults, self.faults.convex_subnet(), self.faults.hierarchy():
            self.assertEqual(drawing.svg(), drawing._repr_svg_())
            self.assertEqual(drawing.svg().count("<rect x="), drawing.svg().count(' rx="40"'))
            self.assertIn(">faulty node</text>", drawing.svg())
        big = cubenet.Faults(Topology.hypercube(7))  # more than fill() begins with
        self.assertEqual(big.dot().count(" -- "), 7 * 64)

    def test_study_of_any_network(self):
        for topology in Topology.torus([5, 5]), Topology.psnn(5), Topology.de_bruijn(5):
            for system in ("separate-buffers", "shared-buffer", "deflection", "wormhole",
                           "cut-through"):
                scenario = Scenario(topology, system, load=0.01, measure_cycles=2000)
                study = cubenet.Study(topology, nodes=1, scenario=scenario, simulate=True, patterns=4,
                                      paths=False)
                result = study.run()
                survivors = 1 - 1 / topology.node_count
                self.assertAlmostEqual(result["survivor_fraction"], survivors, delta=1e-12)
                self.assertGreater(result["mean_delay"], 2)

    def test_study(self):
        cube = Topology.hypercube(6)
        study = cubenet.Study(cube, nodes=8, keep="clusters", patterns=50, seed=3)
        result = study.run()
        self.assertEqual((result.system, result.seed), ("study", 3))
        self.assertEqual(result["survivor_fraction"], 56 / 64)
        hierarchies = [study.pattern(i).hierarchy() for i in range(50)]
        clusters = [len(hierarchy.clusters) for hierarchy in hierarchies]
        self.assertAlmostEqual(result["clusters"], sum(clusters) / 50, delta=1e-12)
        hops = [hierarchy.mean_hops() for hierarchy in hierarchies]
        self.assertAlmostEqual(result["mean_hops"], sum(hops) / 50, delta=1e-12)
        self.assertGreater(result.half_width("clusters"), 0)
        self.assertEqual(result.samples("clusters"), 50)
        again = cubenet.Study(cube, nodes=8, keep="clusters", patterns=50, seed=3, threads=2)
        self.assertEqual(everything(again.run()), everything(result))
        self.assertEqual(repr(study), "<Study of hypercube(6)>")
        self.assertIs(study.topology, cube)

    def test_study_parts(self):
        study = cubenet.Study(self.cube, faults=self.faults, clusters=(2, 1), nodes=1, links=3)
        faults = study.pattern(5)
        self.assertEqual((faults.node_count, faults.link_count), (8, 3))
        self.assertTrue(set(self.faults.nodes) < set(faults.nodes))
        self.assertEqual(cubenet.Study(self.cube, bombs=(1, 1)).pattern(0).node_count, 5)
        dead = cubenet.Study(self.cube, node_probability=1, link_probability=1).run()
        self.assertEqual((dead["empty_fraction"], dead["survivor_fraction"]), (1, 0))
        self.assertNotIn("mean_distance", dead)
        kept = {keep: cubenet.Study(self.cube, faults=self.faults, keep=keep, patterns=1).run()
                for keep in ("working", "degraded", "convex", "minimal", "clusters")}
        self.assertEqual([round(16 * result["survivor_fraction"]) for result in kept.values()],
                         [11, 0, 9, self.faults.minimal_subnet().survivor_count, 11])
        self.assertNotIn("mean_distance", cubenet.Study(self.cube, paths=False, patterns=1).run())

    def test_study_load(self):
        for routing, keep in (("optimal-path", "convex"), ("two-level", "clusters")):
            study = {simulate: cubenet.Study(
                self.cube, nodes=2, keep=keep, patterns=20, simulate=simulate, scenario=Scenario(
                    self.cube, "separate-buffers", routing=routing, slotted=False, load=0.5,
                    warmup_cycles=100, measure_cycles=1000)).run()
                for simulate in (False, True)}
            model, simulation = study[False], study[True]
            self.assertEqual(model.system, "separate-buffers")
            self.assertEqual(model["saturated_fraction"], 0)
            self.assertAlmostEqual(model["mean_delay"], simulation["mean_delay"], delta=0.05)

    def test_bad_studies(self):
        for reason, bad in (("keep = 'best'", {"keep": "best"}), ("patterns = 0", {"patterns": 0}),
                            ("centers", {"clusters": (3, 4)}), ("tie_rule", {"tie_rule": "no"}),
                            ("node_probability", {"node_probability": 2})):
            with self.refused(ValueError, reason):
                cubenet.Study(self.cube, **{"keep": "clusters", **bad})
        with self.refused(cubenet.UnsupportedError, "neither faults"):
            cubenet.Study(self.cube, scenario=Scenario(self.cube, "collective"))
        with self.refused(cubenet.UnsupportedError):
            cubenet.Study(Topology.ring(5), keep="convex")
        with self.refused(TypeError):
            cubenet.Study(self.cube, clusters=3)

    def test_degraded_subnet(self):
        empty = self.faults.degraded_subnet(1)
        self.assertEqual((empty.survivors, empty.disabled_count), ([], 11))
        self.assertEqual((empty.rounds > 1, empty.messages > 0), (True, True))
        faults = cubenet.Faults(self.cube)
        faults.add_link(0, 1)
        self.assertEqual(faults.degraded_subnet(1).disabled, [0])
        self.assertEqual(faults.degraded_subnet(1, "is_bad").disabled, [])
        self.assertFalse(faults.degraded_subnet(1, "is_bad").is_convex())
        with self.refused(ValueError, "link_rule = 'no'", "disables_end"):
            faults.degraded_subnet(1, "no")

    def test_convex_subnet(self):
        subnet = self.faults.convex_subnet()
        self.assertEqual(subnet.disabled, [0b0110, 0b1011])
        self.assertEqual(subnet.survivors, [0, 1, 5, 8, 10, 12, 13, 14, 15])
        self.assertEqual((subnet.survivor_count, subnet.disabled_count), (9, 2))
        self.assertIs(subnet.is_convex(), True)
        self.assertTrue(all(map(subnet.is_safe, subnet.survivors)))
        self.assertEqual([subnet.state(node) for node in (0, 2, 6)],
                         ["surviving", "faulty", "disabled"])
        self.assertEqual(subnet.neighbor_status(0), [0, 3])
        self.assertEqual(subnet.next_hops(0, 0b1100), [3])
        self.assertEqual(subnet.next_hops(0, 0), [])
        with self.refused(cubenet.DisconnectedError):
            subnet.next_hops(0, 6)
        with self.refused(ValueError):
            subnet.is_safe(6)
        self.assertEqual(repr(subnet), "<Subnet of hypercube(4): 9 nodes survive, 2 are disabled>")

    def test_other_subnets(self):
        best, upper = self.faults.optimum_subnet()
        self.assertEqual((best.survivor_count, upper, best.is_convex()), (9, 9, True))
        self.assertTrue(self.faults.minimal_subnet().is_convex())
        chosen = self.faults.chosen_subnet([11, 6])
        self.assertEqual((chosen.disabled, chosen.is_convex()), ([6, 11], True))
        whole = self.faults.chosen_subnet([])
        self.assertEqual((whole.disabled, whole.is_convex()), ([], False))
        self.assertFalse(whole.is_safe(0b0110))
        with self.refused(cubenet.StateError):
            whole.fail_node(0)
        with self.refused(cubenet.UnsupportedError):
            cubenet.Faults(Topology.ring(5)).convex_subnet()

    def test_subnet_in_use(self):
        for make in ("convex_subnet", "degraded_subnet"):
            with self.subTest(make):
                k = [1] * (make == "degraded_subnet")
                subnet = getattr(cubenet.Faults(self.cube), make)(*k)
                before = subnet.copy()
                subnet.fail_node(5)
                self.assertEqual(subnet.state(5), "faulty")
                subnet.repair_node(5)
                self.assertEqual(subnet.survivor_count, 16)
                subnet.fail_link(0, 1)
                self.assertNotIn(1, subnet.neighbor_status(0))
                self.assertEqual(subnet.survivor_count, 15)
                subnet.repair_link(2, 1)
                self.assertEqual(subnet.survivor_count, 16)
                subnet.rebuild(self.faults)
                self.assertEqual(subnet.survivors,
                                 getattr(self.faults, make)(*k).survivors)
                self.assertEqual(before.survivor_count, 16)

    def test_hierarchy(self):
        split = self.faults.hierarchy()
        self.assertEqual(split.clusters, ["XX0X", "XX1X"])
        self.assertEqual([split.cluster_of(node) for node in (0, 6, 7)], ["XX0X", "XX1X", None])
        self.assertEqual(split.table(0b0110), {"XX0X": ([3], 2), "XX1X": ([], 0)})
        self.assertEqual(split.neighbor_status(0b0110), [3])
        self.assertEqual(split.next_hops(0b1110, 0b0101), [1])
        self.assertEqual(split.next_hops(5, 5), [])
        self.assertAlmostEqual(split.mean_hops(), 252 / 110, delta=1e-12)  # 2.290909
        self.assertGreater(split.mean_hops("any"), split.mean_hops("header"))
        with self.refused(cubenet.DisconnectedError):
            split.next_hops(5, 7)
        with self.refused(cubenet.StateError):
            split.table(7)
        with self.refused(ValueError, "tie_rule = 3", "lowest"):
            split.next_hops(5, 6, 3)
        self.assertEqual(repr(split), "<Hierarchy of hypercube(4): 2 clusters>")

    def test_hierarchy_in_use(self):
        split = self.faults.hierarchy()
        for node in self.faults.nodes:
            split.repair_node(node)
        self.assertEqual(split.clusters, ["XXXX"])
        split.fail_link(0, 1)
        self.assertEqual(split.neighbor_status(0), [0, 2, 3])
        self.assertEqual(len(split.clusters), 2)
        split.repair_link(2, 1)
        self.assertEqual(split.clusters, ["XXXX"])
        split.fail_node(0)
        self.assertIsNone(split.cluster_of(0))

    def test_a_cluster_without_a_way(self):
        for node in (1, 2, 4, 8):
            self.faults.add_node(node)
        split = self.faults.hierarchy()
        ways = split.table(0).values()
        self.assertEqual([way for way in ways if way.hops != 0],
                         [([], None)] * (len(split.clusters) - 1))
        self.assertGreater(len(ways), 1)

    def test_outlive_what_they_were_made_of(self):
        subnet, split = self.faults.convex_subnet(), self.faults.hierarchy()
        self.faults.clear()
        self.cube = self.faults = None
        gc.collect()
        self.assertEqual(subnet.disabled, [6, 11])
        self.assertEqual(split.clusters, ["XX0X", "XX1X"])


# ---- arguments ----

class Arguments(Case):
    def test_numbers_that_do_not_fit(self):
        cube = Topology.hypercube(6)
        for node in (-1, -2**64, 64, 2**32, 2**64, 2**64 + 1, 10**5000):
            with self.subTest(node=node.bit_length()), self.refused(ValueError, "node = "):
                cube.neighbors(node)
        for n in (0, 63, -1, 2**32 + 6, 2**64 + 6):
            with self.subTest(n=n), self.refused(cubenet.ArgumentError, f"n = {n}"):
                Topology.hypercube(n)
        with self.refused(ValueError, "port = 4294967296"):
            cube.neighbor(0, 2**32)
        with self.refused(ValueError, "edges[1] = -3"):
            Topology.from_edges(4, [(0, 1), (2, -3)])
        with self.refused(ValueError, "edges[1]"):
            Topology.from_edges(4, [(0, 1), (2, 2**64 + 3)])
        with self.refused(ValueError, "digits[0]"):
            cube.node([-1, 0, 0, 0, 0, 0])
        with self.refused(ValueError, "count = 5"):
            cube.node([0] * 5)

    def test_wrong_types(self):
        cube = Topology.hypercube(6)
        scenario = Scenario(cube, "deflection")
        wrong = [lambda: cube.neighbors(None), lambda: cube.neighbors(1.0),
                 lambda: cube.neighbors("1"), lambda: cube.distance(0, []),
                 lambda: Topology.hypercube(None), lambda: Topology.from_edges(None, []),
                 lambda: Topology.from_edges(3, None), lambda: Topology.from_edges(3, [(0, 1.5)]),
                 lambda: Topology.from_edges(3, [(0, None)]), lambda: cube.node(None),
                 lambda: cube.parse_address(None), lambda: cube.parse_address(7),
                 lambda: Scenario(None, "deflection"), lambda: Scenario(scenario, "deflection"),
                 lambda: Scenario(Topology, "deflection"), lambda: Scenario(6, "deflection"),
                 lambda: Scenario(cube, None), lambda: Scenario(cube, "deflection", seed=None),
                 lambda: Scenario(cube, "deflection", seed=1.5),
                 lambda: Scenario(cube, "deflection", load=None),
                 lambda: Scenario(cube, "deflection", load="1.5"), lambda: scenario[None],
                 lambda: scenario[0], lambda: iter(scenario), lambda: Topology(6),
                 lambda: cubenet.deflection_hops(6, None), lambda: cubenet.Result(),
                 lambda: cubenet.Simulation(scenario)]
        for i, call in enumerate(wrong):
            with self.subTest(i=i), self.assertRaises(TypeError):
                call()
        with self.refused(ValueError, "edges[1] = (0, 1, 2), but it must be (node, node)"):
            Topology.from_edges(3, [(0, 1), (0, 1, 2)])
        with self.refused(ValueError, "NUL"):
            Scenario(cube, "deflection\0")
        with self.refused(ValueError):
            cube.parse_address("00000\u00e9")

    def test_whatever_is_a_number_will_do(self):
        class Six:
            def __index__(self):
                return 6
        self.assertEqual(Topology.hypercube(Six()).node_count, 64)
        self.assertEqual(Topology.hypercube(True).node_count, 2)
        self.assertEqual(Topology.hypercube(3).node(array("b", [1, 0, 1])), 5)
        load = Fraction(3, 2)  # has a float, as numpy's numbers do
        self.assertEqual(Scenario(Topology.hypercube(3), "deflection", load=load).load, 1.5)

    def test_errors(self):
        with self.refused(LookupError, "deflektion"):
            Scenario(Topology.hypercube(3), "deflektion")
        try:
            Topology.hypercube(63)
        except cubenet.Error as error:
            self.assertEqual(error.status, -1)
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), again.status, str(again)),
                             (type(error), error.status, str(error)))
        self.assertEqual(str(cubenet.NotFoundError("plain")), "plain")
        for mixed, plain in [(cubenet.ArgumentError, ValueError), (cubenet.NotFoundError, KeyError),
                             (cubenet.OutOfMemoryError, MemoryError)]:
            self.assertTrue(issubclass(mixed, plain) and issubclass(mixed, cubenet.Error))

    def test_unknown_status(self):
        error = cubenet._function._failure(-77)
        self.assertEqual((type(error), error.status), (cubenet.Error, -77))


# ---- experiments ----

def small(load=1.0, **parameters):
    """A short experiment."""
    settings = {"warmup_cycles": 100, "measure_cycles": 400, "relative_precision": 0, **parameters}
    return Scenario(Topology.hypercube(5), "deflection", load=load, **settings)


class Scenarios(Case):
    def test_parameters(self):
        scenario = Scenario(Topology.hypercube(6), "deflection", load=1.5, buffers=14, seed=7)
        self.assertEqual((scenario.system, scenario.topology.name, scenario.seed),
                         ("deflection", "hypercube(6)", 7))
        self.assertEqual((scenario["load"], scenario.load, scenario["buffers"]), (1.5, 1.5, 14))
        self.assertIs(type(scenario.buffers), int)
        scenario["load"] = 2
        self.assertEqual(scenario.load, 2.0)
        scenario.load = 0.25
        self.assertEqual(scenario["load"], 0.25)
        self.assertEqual(scenario.parameters["load"], 0.25)
        self.assertNotIn("message_flits", scenario.parameters)
        self.assertIn("load", dir(scenario))
        scenario.seed = 2**64 - 1
        self.assertEqual(scenario.seed, 2**64 - 1)
        self.assertIn("load=0.25, buffers=14", repr(scenario))
        scenario.reset()
        self.assertEqual((scenario.seed, scenario.load, scenario.buffers), (1, 0, 12))

    def test_range(self):
        cube = Topology.hypercube(6)
        for system in cubenet.systems():
            scenario = Scenario(cube, system.name)
            for name, default in scenario.parameters.items():
                with self.subTest(system=system.name, parameter=name):
                    row = next(row for row in cubenet.parameters() if row.name == name)
                    least, greatest, given = scenario.range(name)
                    self.assertLessEqual(row.least, least)
                    self.assertLessEqual(greatest, row.greatest)
                    scenario[name] = given
                    self.assertEqual(scenario[name], default)
        wormhole = Scenario(cube, "wormhole", routing="dimension-order")
        self.assertEqual(wormhole.range("virtual_channels")[0], 1)
        wormhole.routing = "duato"
        self.assertEqual(wormhole.range("virtual_channels")[0], 2)
        with self.refused(cubenet.UnsupportedError, "message_flits"):
            Scenario(cube, "deflection").range("message_flits")
        with self.refused(cubenet.NotFoundError, '"lod"'):
            wormhole.range("lod")

    def test_refusals(self):
        cube = Topology.hypercube(6)
        scenario = Scenario(cube, "deflection")
        with self.refused(cubenet.NotFoundError, '"magic"'):
            Scenario(cube, "magic")
        with self.refused(cubenet.NotFoundError, '"lod"'):
            Scenario(cube, "deflection", lod=1)
        with self.refused(cubenet.NotFoundError, '"lod"'):
            scenario["lod"]
        with self.refused(cubenet.UnsupportedError, "message_flits"):
            scenario["message_flits"] = 3
        with self.refused(AttributeError, '"lod"'):
            scenario.lod = 1
        with self.refused(AttributeError, '"lod"'):
            scenario.lod
        self.assertFalse(hasattr(scenario, "message_flits"))
        for load in (math.nan, -1, math.inf, -math.inf, 1e7, 10**400):
            with self.subTest(load=load), self.refused(ValueError, "load"):
                scenario.load = load
        with self.refused(ValueError, "whole"):
            scenario.buffers = 12.5
        for seed in (-1, 2**64):
            with self.refused(ValueError, f"seed = {seed}"):
                scenario.seed = seed
        self.assertEqual((scenario.load, scenario.buffers, scenario.seed), (0, 12, 1))
        scenario.buffers = 5
        for run in (scenario.predict, scenario.simulate, scenario.open):
            with self.refused(ValueError, "buffers = 5", "at least 6"):
                run()
        with self.refused(cubenet.UnsupportedError, "complete(66)"):
            Scenario(Topology.complete(66), "deflection")
        with self.refused(cubenet.UnsupportedError, "edges(2,1)"):
            Scenario(Topology.from_edges(2, [(0, 1)]), "deflection").predict()
        with self.refused(cubenet.UnsupportedError, "state_space"):
            Scenario(Topology.kary_ncube(5, 2, bidirectional=True), "deflection", load=0.1,
                     state_space="reduced").predict()

    def test_predict(self):
        scenario = Scenario(Topology.hypercube(6), "deflection", load=1.5, buffers=12, model_variant="published")
        model = scenario.predict()
        for name, value in {"acceptance_probability": 0.91622, "throughput": 1.37433,
                            "mean_delay": 5.30814, "mean_hops": 3.12065,
                            "channel_utilization": 0.71480}.items():
            self.assertAlmostEqual(model[name], value, delta=0.5e-5, msg=name)
        self.assertAlmostEqual(model["mean_distance"], 6 * 32 / 63, delta=1e-14)
        self.assertEqual((model.half_width("mean_delay"), model.samples("mean_delay")), (0, 0))
        self.assertEqual((model.stop, model.saturated, model.seed, model.system),
                         ("model", False, 1, "deflection"))
        self.assertEqual(everything(scenario.predict()), everything(model))
        scenario.load = 20
        self.assertIs(scenario.predict().saturated, True)

    def test_simulate(self):
        first = small(seed=5).simulate()
        self.assertEqual(everything(small(seed=5).simulate()), everything(first))
        self.assertNotEqual(everything(small(seed=6).simulate()), everything(first))
        self.assertEqual((first.stop, first.seed), ("cycles", 5))
        self.assertEqual(first["cycles"], 500)
        self.assertEqual(first["messages_offered"],
                         first["messages_accepted"] + first["messages_refused"])
        self.assertEqual(first["messages_accepted"],
                         first["messages_delivered"] + first["messages_in_flight"])
        self.assertGreater(first.half_width("mean_delay"), 0)
        self.assertGreater(first.samples("mean_delay"), 0)

    def test_model_and_simulation_agree(self):
        scenario = Scenario(Topology.hypercube(6), "deflection", load=1.5, buffers=12)
        model, simulation = scenario.predict(), scenario.simulate()
        self.assertEqual(simulation.stop, "precision")
        # the model takes nodes as independent, which is worth up to about one percent
        for name in ("mean_delay", "throughput"):
            self.assertAlmostEqual(simulation[name] / model[name], 1, delta=0.015)

    def test_threads_do_not_matter(self):
        cube = Topology.hypercube(10)
        results = [Scenario(cube, "deflection", load=2, warmup_cycles=20, measure_cycles=60,
                            relative_precision=0, threads=threads).simulate() for threads in (1, 2)]
        self.assertEqual(everything(results[0]), everything(results[1]))

    def test_result_is_a_mapping(self):
        result = small().predict()
        self.assertEqual(list(result), [metric.name for metric in cubenet.metrics()
                                        if metric.name in result])
        self.assertEqual(len(result), len(dict(result)))
        self.assertEqual(dict(result)["throughput"], result["throughput"])
        self.assertTrue(all(type(value) is float for value in result.values()))
        self.assertEqual(result, small().predict())
        self.assertIsNone(result.get("delay_p50"))
        self.assertNotIn("delay_p50", result)
        with self.refused(KeyError, "holds no delay_p50"):
            result["delay_p50"]
        with self.refused(KeyError, '"dealy"'):
            result.half_width("dealy")
        with self.refused(KeyError, '"dealy"'):
            result.samples("dealy")
        with self.assertRaises(TypeError):
            result["mean_delay"] = 1
        with self.assertRaises(TypeError):
            result[None]
        self.assertEqual(repr(result), f"<Result of deflection/own/2: {len(result)} metrics, "
                         "analytic model>")
        self.assertEqual(result.model, "deflection/own/2")
        self.assertEqual(small(model_variant="own").predict().model, "deflection/own/2")
        self.assertEqual(str(result).splitlines()[0], "deflection/own/2, seed 1: analytic model")
        self.assertEqual(small().simulate().model, "")
        lines = str(small().simulate()).splitlines()
        self.assertEqual(lines[0], "deflection, seed 1: the cycles were over")
        self.assertRegex(lines[1], r"^  mean_delay +[\d.]+ \+- [\d.]+ +cycles$")

    def test_tables(self):
        self.assertIn("deflection", [system.name for system in cubenet.systems()])
        load, buffers = cubenet.parameters()[:2]
        self.assertEqual((load.name, load.unit, load.least, load.whole),
                         ("load", "messages/node/cycle", 0, False))
        self.assertEqual((buffers.name, buffers.whole), ("buffers", True))
        delay = cubenet.metrics()[0]
        self.assertEqual((delay.name, delay.unit, delay.source),
                         ("mean_delay", "cycles", "Horng 1992, eq. 3.25"))
        for row in cubenet.systems() + cubenet.parameters() + cubenet.metrics():
            self.assertTrue(all(field is not None for field in row), row)

    def test_building_blocks(self):
        self.assertEqual(cubenet.assignment_phase_one(4, 2), [0, 0.25, 0.75, 0, 0])
        # one buffer more than channels: at least i - 1 of the i messages must leave
        self.assertEqual(cubenet.assignment_both_phases(2, 3, 3), [0, 0, 1])
        self.assertEqual(cubenet.assignment_both_phases(4, 5, 2), [0, 0.25, 0.75, 0, 0])
        self.assertEqual(cubenet.deflection_hops(4, 0), [0, 1, 2, 3, 4])
        for call in (lambda: cubenet.assignment_phase_one(0, 1),
                     lambda: cubenet.assignment_phase_one(2**32 - 1, 1),
                     lambda: cubenet.assignment_phase_one(-1, 1),
                     lambda: cubenet.assignment_both_phases(4, 3, 1),
                     lambda: cubenet.deflection_hops(63, 0.1),
                     lambda: cubenet.deflection_hops(2**32 - 1, 0.1),
                     lambda: cubenet.deflection_hops(4, 1),
                     lambda: cubenet.deflection_hops(4, math.nan)):
            with self.assertRaises(ValueError):
                call()

    def test_deflection_chains(self):
        queue = cubenet.deflection_queue(4, 6, 1, 0.4)
        self.assertEqual(len(queue), 7)
        self.assertAlmostEqual(sum(queue), 1, delta=1e-14)
        self.assertEqual(cubenet.deflection_queue(2, 3, 0, 0), [1, 0, 0, 0])
        with self.refused(ValueError, "buffers = 3"):
            cubenet.deflection_queue(4, 3, 1, 0.4)
        with self.refused(ValueError, "transit = 1"):
            cubenet.deflection_queue(4, 6, 1, 1)
        start, matrix = Topology.hypercube(3).deflection_headers(0.25)
        self.assertEqual(start, [0, 3 / 7, 3 / 7, 1 / 7])
        self.assertEqual(matrix, [[1, 0, 0, 0], [0.75, 0, 0.25, 0], [0, 0.875, 0, 0.125], [0, 0, 1, 0]])
        start, _ = Topology.kary_ncube(4, 2).deflection_headers(0.25, state_space="reduced")
        self.assertEqual(len(start), Topology.kary_ncube(4, 2).deflection_mean_hops(0, "reduced")[1])
        with self.refused(cubenet.UnsupportedError, "star(9)"):
            Topology.star(9).deflection_headers(0.25)
        with self.refused(cubenet.UnsupportedError, "more than can be solved"):
            Topology.kary_ncube(128, 3).deflection_headers(0.25, state_space="exact")

    def test_check_two_phase(self):
        cube = Topology.hypercube(3)
        cube.check_two_phase([1, 1, 4], 5, [0, None, 2])
        cube.check_two_phase([], 5, [])
        with self.refused(cubenet.StateError, "message 2 stays although its preferred channel 2 is free"):
            cube.check_two_phase([1, 1, 4], 5, [0, None, None])
        with self.refused(ValueError, "ports has 2 elements"):
            cube.check_two_phase([1, 1, 4], 5, [0, None])
        with self.refused(ValueError, "count = 6"):
            cube.check_two_phase([1] * 6, 5, [None] * 6)

    def test_shared_buffer_queue(self):
        x = -4 * math.log(1 - 1 / 1.875)  # Poisson; the 4-cube carries n / d = 1.875
        for i, probability in enumerate(cubenet.shared_buffer_queue(4, 1, 20)):
            poisson = x**i / math.factorial(i) * math.exp(-x)
            self.assertAlmostEqual(probability, poisson, delta=1e-14)
        self.assertEqual(cubenet.shared_buffer_queue(4, 0, 3), [1, 0, 0])
        self.assertEqual(cubenet.shared_buffer_queue(4, 1, 0), [])
        with self.assertRaises(cubenet.UnstableError):
            cubenet.shared_buffer_queue(4, 1.875, 5)
        with self.refused(ValueError, "count = -1"):
            cubenet.shared_buffer_queue(4, 1, -1)

    def test_unlimited_queues(self):
        cube = Topology.hypercube(4)
        means = {system: cubenet.Scenario(cube, system, load=1, **more).predict()["mean_queue_length"]
                 for system, more in (("separate-buffers", {"model_variant": "published"}), ("optimistic-bound", {}))}
        for function, mean in ((cubenet.separate_buffers_arrivals, 1 / 1.875),
                               (cubenet.separate_buffers_queue, means["separate-buffers"] / 4),
                               (cubenet.optimistic_bound_queue, means["optimistic-bound"])):
            probabilities = function(4, 1, 200)
            self.assertAlmostEqual(sum(probabilities), 1, delta=1e-12)
            self.assertAlmostEqual(sum(i * p for i, p in enumerate(probabilities)), mean, delta=1e-10)
            self.assertEqual(function(4, 1, 0), [])
            with self.assertRaises(cubenet.UnstableError):
                function(4, 1.875, 5)
            with self.refused(ValueError, "count = -1"):
                function(4, 1, -1)

    def test_deflection_mean_hops(self):
        # the dissertation's Table 4.1
        for k, n, states in ((16, 2, 45), (4, 4, 25), (2, 8, 9)):
            network = Topology.kary_ncube(k, n)
            hops, count = network.deflection_mean_hops(0, state_space="reduced")
            self.assertEqual(count, states)
            self.assertAlmostEqual(hops, network.mean_distance(), delta=1e-12)
            self.assertEqual(network.deflection_mean_hops(0, 1)[1], math.factorial(n + k - 1)
                             // (math.factorial(n) * math.factorial(k - 1)))
        network = Topology.kary_ncube(8, 2)
        self.assertAlmostEqual(network.deflection_mean_hops(0.1, 2)[0], 8.936, delta=5e-4)
        self.assertAlmostEqual(network.deflection_mean_hops(0.1)[0], 8.790, delta=5e-4)
        # in the Boolean cube: the hops of the headers, by how many there are of each
        hops = cubenet.deflection_hops(4, 0.2)
        mean = sum(math.factorial(4) // (math.factorial(i) * math.factorial(4 - i)) * hops[i]
                   for i in range(5)) / 15
        found, _ = Topology.hypercube(4).deflection_mean_hops(0.2)
        self.assertAlmostEqual(found, mean, delta=1e-12)
        with self.refused(ValueError, "q = 1"):
            network.deflection_mean_hops(1)
        with self.assertRaises(cubenet.UnsupportedError):
            Topology.from_edges(3, [(0, 1), (1, 2)]).deflection_mean_hops(0.1)

    def test_shapes(self):
        self.assertEqual(cubenet.kary_shapes(64), [(64, 1), (8, 2), (4, 3), (2, 6)])
        self.assertEqual(cubenet.kary_shapes(7), [(7, 1)])
        self.assertEqual(cubenet.kary_shapes(2**60)[-1], (2, 60))
        self.assertEqual(len(cubenet.kary_shapes(2**60)), 12)
        self.assertAlmostEqual(cubenet.bisection_cycle_time(8, 0.25), 0.4, delta=1e-15)
        self.assertEqual(cubenet.bisection_cycle_time(2, 3), 1)
        for variant in ("published", "own"):
            shapes, best = cubenet.compare_shapes(64, 0.25, 0.8, variant)
            self.assertEqual([shape[:2] for shape in shapes], cubenet.kary_shapes(64))
            self.assertEqual(best, max(shapes, key=lambda shape: shape.throughput / shape.delay))
            for shape in shapes:
                unit = cubenet.bisection_cycle_time(shape.radix, 0.25)
                result = Scenario(Topology.kary_ncube(shape.radix, shape.dimensions), "deflection",
                                  load=0.8 * unit, buffers=2 * shape.dimensions,
                                  model_variant=variant).predict()
                self.assertAlmostEqual(shape.throughput, result["throughput"] / unit, delta=1e-9)
                self.assertAlmostEqual(shape.delay, result["mean_delay"] * unit, delta=1e-8)
        self.assertEqual(cubenet.bisection_cycle_time(8, 0, bidirectional=True), 0.5)
        for both in (False, True):
            shapes, best = cubenet.compare_shapes(256, 0, 0.5, mean_distance=1.5, bidirectional=both)
            self.assertEqual([shape[:2] for shape in shapes], cubenet.kary_shapes(256))
            cube = Topology.kary_ncube(16, 2, bidirectional=both)
            unit = cubenet.bisection_cycle_time(16, 0, bidirectional=both)
            near = Traffic.locality(cube, 1 / 3)  # the mean is 1 / (1 - ratio) but for the last distances
            result = Scenario(cube, "deflection", load=0.5 * unit, traffic=near).predict()
            self.assertAlmostEqual(shapes[1].delay, result["mean_delay"] * unit, delta=1e-4)
        for mean in (0.9, 4.0, float("nan")):
            with self.refused(cubenet.ArgumentError, "mean_distance = "):
                cubenet.compare_shapes(64, 0, 1, mean_distance=mean)
        with self.assertRaises(TypeError):
            cubenet.compare_shapes(64, 0, 1, mean_distance="near")
        for call in (lambda: cubenet.kary_shapes(1), lambda: cubenet.bisection_cycle_time(1, 0),
                     lambda: cubenet.compare_shapes(64, -1, 1)):
            with self.assertRaises(ValueError):
                call()
        with self.refused(cubenet.UnsupportedError, "model_variant = corrected"):
            cubenet.compare_shapes(64, 0, 1, "corrected")

    def test_choices_have_names(self):
        scenario = Scenario(Topology.hypercube(4), "collective", tree="binomial",
                            machine="channels", one_port=True)
        self.assertEqual((scenario.tree, scenario["machine"]), ("binomial", "channels"))
        self.assertIs(scenario.one_port, True)
        self.assertIs(scenario.clubbing, False)
        self.assertIn("tree='binomial'", repr(scenario))
        scenario.tree = 3  # a number still works
        scenario.clubbing = "yes"
        self.assertEqual((scenario.tree, scenario.clubbing), ("turned", True))
        with self.refused(cubenet.ArgumentError, "tree = 'oak'", "balanced, split, binomial"):
            scenario.tree = "oak"
        with self.refused(cubenet.ArgumentError, "tree = 7, but it must be one of: balanced"):
            scenario.tree = 7
        with self.assertRaises(TypeError):
            scenario.operations = "many"
        self.assertEqual(scenario.tree, "turned")
        for parameter in cubenet.parameters():
            if parameter.choices:
                self.assertIn(parameter.greatest, (len(parameter.choices) - 1, 1e15))
                self.assertTrue(all(parameter.choices.values()))
        choices = {parameter.name: parameter.choices for parameter in cubenet.parameters()}
        self.assertEqual(list(choices["model_variant"]), ["published", "corrected", "own", "automatic"])
        self.assertEqual(choices["load"], {})
        self.assertEqual(list(choices["warmup_cycles"]), ["automatic"])
        wormhole = Scenario(Topology.hypercube(4), "wormhole", model_variant="own")
        self.assertEqual((wormhole.unsafe, wormhole.model_variant), (False, "own"))
        cube = Topology.hypercube(3)
        self.assertEqual(cube.wormhole_channels("duato", 2, 0, 6),
                         cube.wormhole_channels("adaptive", 2, 0, 6))
        self.assertEqual(cube.deflection_mean_hops(0.5, "exact"), cube.deflection_mean_hops(0.5, 1))
        with self.refused(cubenet.ArgumentError, "state_space = 'all'"):
            cube.deflection_mean_hops(0.5, "all")

    def test_warmup(self):
        scenario = Scenario(Topology.hypercube(4), "wormhole", load=0.04, relative_precision=0,
                            measure_cycles=2000)
        self.assertEqual(scenario.warmup_cycles, "automatic")
        short = scenario.simulate()
        self.assertIs(short.settled, False)
        self.assertEqual(short.half_width("mean_delay"), math.inf)
        self.assertIn("(not settled)", str(short))
        self.assertLessEqual(short["warmup_cycles"], 500)
        self.assertEqual(short["cycles"], short["warmup_cycles"] + 2000)
        scenario.warmup_cycles = 77
        self.assertEqual(scenario.warmup_cycles, 77)
        self.assertEqual(scenario.simulate()["warmup_cycles"], 77)
        scenario.warmup_cycles = "automatic"
        scenario.load = 0.01
        self.assertEqual(scenario.warmup_cycles, "automatic")
        self.assertIs(scenario.simulate().settled, True)
        self.assertIn("warmup_cycles='automatic'", repr(scenario))
        with self.refused(cubenet.ArgumentError, "warmup_cycles = 'auto'", "automatic"):
            scenario.warmup_cycles = "auto"
        with self.refused(cubenet.ArgumentError, "must be 0 to 1e+15 cycles, or one of: automatic"):
            scenario.warmup_cycles = -2

    def test_sizing(self):
        scenario = Scenario(Topology.hypercube(6), "deflection", load=3, buffers=12, model_variant="published")

        def power(**parameters):
            return Scenario(scenario.topology, "deflection", model_variant="published",
                            **parameters).predict()["power"]

        powers = {m: power(load=3, buffers=m) for m in range(6, 41)}
        enough = [m for m in powers if powers[m] >= 0.95 * max(powers.values())]
        least, greatest, best = scenario.buffer_range(0.95)
        self.assertEqual((least, greatest), (enough[0], enough[-1]))
        self.assertEqual(best, max(powers.values()))
        self.assertEqual(scenario.buffers, 12)

        load, best = scenario.optimal_load()
        self.assertAlmostEqual(load, 1.59139, delta=2e-5)
        self.assertAlmostEqual(best, power(load=load, buffers=12), delta=1e-9)
        for other in (0.99 * load, 1.01 * load):
            self.assertLess(power(load=other, buffers=12), best)

        # below the capacity no number of buffers is too large
        scenario.load = 0.5
        self.assertIsNone(scenario.buffer_range(0.95)[1])
        with self.refused(ValueError, "share"):
            scenario.buffer_range(0)
        with self.refused(cubenet.UnsupportedError, "buffers"):
            Scenario(scenario.topology, "separate-buffers").buffer_range(0.9)

    def test_version(self):
        self.assertRegex(cubenet.version(), r"^\d+\.\d+\.\d+$")


# ---- simulations driven by hand ----

class TrafficPatterns(Case):
    def setUp(self):
        self.cube = Topology.hypercube(4)

    def tearDown(self):
        del self.cube
        super().tearDown()

    def test_fixed_patterns(self):
        wanted = {"bit-complement": lambda s: 15 - s, "neighbor": lambda s: 15 - s,
                  "bit-reverse": lambda s: int(f"{s:04b}"[::-1], 2),
                  "transpose": lambda s: s % 4 * 4 + s // 4,
                  "shuffle": lambda s: s * 2 % 16 + s // 8}
        for name, destination in wanted.items():
            traffic = Traffic(self.cube, name)
            self.assertEqual(traffic.pattern, name)
            self.assertIsNone(traffic.source)
            for s in range(16):
                for d in range(16):
                    self.assertEqual(traffic.probability(s, d), d == destination(s) != s)
            self.assertEqual(traffic.senders, sum(destination(s) != s for s in range(16)))
        self.assertTrue(set(wanted) < set(cubenet.traffic_patterns()))
        with self.refused(cubenet.UnsupportedError, "tornado"):
            Traffic(self.cube, "tornado")
        with self.refused(cubenet.NotFoundError, "butterfly"):
            Traffic(self.cube, "butterfly")
        with self.refused(ValueError, "makes it"):
            Traffic(self.cube, "matrix")

    def test_by_name_in_a_scenario(self):
        torus = Topology.torus([4, 4])
        scenario = Scenario(torus, "wormhole", load=0.01, traffic="tornado")
        self.assertEqual(scenario, Scenario(torus, "wormhole", load=0.01, traffic=Traffic(torus, "tornado")))
        scenario.traffic = "uniform"
        self.assertEqual(scenario.traffic, Traffic(torus))
        for wrong, error, part in (("tornad", cubenet.NotFoundError, 'did you mean "tornado"?'),
                                   ("trace", cubenet.ArgumentError, "Traffic.trace() makes it")):
            with self.refused(error, part):
                scenario.traffic = wrong
        self.assertEqual(scenario.traffic.pattern, "uniform")
        with self.refused(cubenet.UnsupportedError, "tornado"):
            Scenario(self.cube, "deflection", traffic="tornado")
        rows = cubenet.sweep(torus, "wormhole", load=0.01, traffic=["uniform", "tornado"], seed=[1, 2],
                             measure_cycles=100, processes=1)
        self.assertEqual([(row["traffic"], row["seed"], row["error"]) for row in rows],
                         [("uniform", 1, ""), ("uniform", 2, ""), ("tornado", 1, ""), ("tornado", 2, "")])

    def test_patterns_with_arguments(self):
        hotspot = Traffic.hotspot(self.cube, 5, 0.25, source="bernoulli")
        self.assertEqual((hotspot.pattern, hotspot.source), ("hotspot", "bernoulli"))
        self.assertAlmostEqual(hotspot.probability(0, 5), 0.25 + 0.75 / 15, 15)
        permutation = Traffic.permutation(self.cube, 3)
        self.assertEqual(permutation.senders, sum(
            any(permutation.probability(s, d) for d in range(16)) for s in range(16)))
        near = Traffic.locality(self.cube, 0, on_off=(5, 15))
        self.assertEqual((near.mean_distance(), near.source, near.on_off), (1, "on-off", (5, 15)))
        given = Traffic.locality(self.cube, [1, 0, 0, 1])
        self.assertAlmostEqual(given.mean_distance(), 2.5, 14)
        self.assertEqual(Traffic.locality(self.cube, 1.0).mean_distance(), 2.5)
        listed = Traffic.destinations(self.cube, [s ^ 3 if s < 8 else s for s in range(16)])
        self.assertEqual((listed.senders, listed.mean_distance()), (8, 2))
        rows = [[(s ^ d) % 3 for d in range(16)] for s in range(16)]
        matrix = Traffic.matrix(self.cube, rows)
        self.assertAlmostEqual(matrix.probability(1, 4), 2 / sum(rows[1]), 15)
        loads = cubenet.Routing(self.cube, "dimension-order").loads(Traffic(self.cube))
        self.assertEqual((len(loads), {len(row) for row in loads}), (16, {4}))
        self.assertAlmostEqual(loads[3][2], 8 / 15, 14)
        for wrong, part in ((lambda: Traffic.matrix(self.cube, [[0, 1]]), "rows[0]"),
                            (lambda: Traffic.hotspot(self.cube, 5, math.nan), "share"),
                            (lambda: Traffic.hotspot(self.cube, 16, 0.5), "node = 16"),
                            (lambda: Traffic.destinations(self.cube, [1, 0]), "count = 2"),
                            (lambda: Traffic.locality(self.cube, [1, 2]), "count = 2"),
                            (lambda: Traffic(self.cube, source="cauchy"), "source = 'cauchy'"),
                            (lambda: Traffic(self.cube, on_off=(0.5, 1)), "mean_on"),
                            (lambda: Traffic(self.cube, on_off=(2,)),
                             "on_off = (2,), but it must be (mean_on, mean_off)"),
                            (lambda: Traffic(self.cube, on_off=3), "on_off = 3"),
                            (lambda: Traffic(self.cube, source="poisson", on_off=(2, 2)),
                             "on_off")):
            with self.refused(ValueError, part):
                wrong()
        for wrong in (lambda: Traffic(None), lambda: Traffic(self.cube, 3),
                      lambda: Traffic.locality(self.cube, None),
                      lambda: Scenario(self.cube, "deflection", traffic=3)):
            with self.assertRaises(TypeError):
                wrong()

    def test_in_a_scenario(self):
        traffic = Traffic(self.cube, "bit-complement", source="bernoulli")
        scenario = Scenario(self.cube, "deflection", load=0.5, traffic=traffic)
        self.assertIs(scenario.traffic, traffic)
        del traffic
        result = scenario.simulate()
        self.assertEqual(result["mean_distance"], 4)
        with self.refused(cubenet.UnsupportedError, "uniform"):
            scenario.predict()
        scenario.load = 1.25
        with self.refused(ValueError, "Bernoulli"):
            scenario.simulate()
        scenario.traffic = None
        self.assertIsNone(scenario.traffic)
        plain = scenario.simulate()
        scenario.traffic = Traffic(self.cube)
        self.assertEqual(everything(scenario.simulate()), everything(plain))
        with self.refused(cubenet.UnsupportedError, "does not take traffic"):
            Scenario(self.cube, "degraded-bound", traffic=Traffic(self.cube))
        with self.refused(ValueError, "topology"):
            scenario.traffic = Traffic(Topology.hypercube(5))

    def test_traces(self):
        messages = [(0, 3, 5), (0, 1, 2), (7, 3, 4)]
        trace = Traffic.trace(self.cube, messages)
        self.assertEqual((len(trace), trace.pattern, trace.senders), (3, "trace", 2))
        self.assertTrue(Traffic.trace(self.cube, []))
        self.assertEqual(len(Traffic.trace(self.cube, iter([]))), 0)
        result = Scenario(self.cube, "shared-buffer", traffic=trace).simulate()
        self.assertEqual(result["messages_delivered"], 3)
        long = Traffic.trace(self.cube, [(0, 3, 5, 8)])
        with self.refused(cubenet.UnsupportedError, "flit"):
            Scenario(self.cube, "deflection", traffic=long).simulate()
        for wrong, part in (([(3, 0, 1), (2, 0, 1)], "cycles[1] = 2"), ([(0, 0, 16)], "0 to 15"),
                            ([(0, 1, 1)], "itself"), ([(0, 1)], "messages[0]"),
                            ([(0, 1, 2), (0, 1, 2, 3)], "messages[1]"),
                            ([(0, 1, 2, 0)], "flits[0]"), ([(0, -1, 2)], "sources[0]")):
            with self.refused(ValueError, part):
                Traffic.trace(self.cube, wrong)

    def test_traces_of_arrays(self):
        rows = [(0, 3, 5, 8), (0, 1, 2, 4), (7, 3, 4, 8)]
        cycles, sources, destinations, flits = (array("Q", column) for column in zip(*rows))
        trace = Traffic.trace(self.cube, rows)
        table = memoryview(array("q", sum(map(list, rows), []))).cast("B").cast("q", [3, 4])
        for same in (Traffic.trace(self.cube, table), Traffic.trace(self.cube, iter(rows)),
                     Traffic.trace(self.cube, cycles=cycles, sources=sources, destinations=destinations,
                                   flits=flits)):
            self.assertEqual(same, trace)
        short = Traffic.trace(self.cube, cycles=cycles, sources=3, destinations=destinations)
        self.assertEqual(short, Traffic.trace(self.cube, [(0, 3, 5), (0, 3, 2), (7, 3, 4)]))
        for wrong in ({}, {"cycles": cycles, "sources": sources}, {"messages": rows, "flits": flits},
                      {"messages": [(0, 1, 2)], "cycles": cycles}):
            with self.refused(TypeError, "either messages, or cycles, sources and destinations"):
                Traffic.trace(self.cube, **wrong)
        with self.refused(cubenet.ArgumentError, "sources has 2 elements, but cycles has 3"):
            Traffic.trace(self.cube, cycles=cycles, sources=[1, 2], destinations=destinations)
        with self.refused(TypeError, "messages must be a list or an array, not int"):
            Traffic.trace(self.cube, 3)


class Simulations(Case):
    def test_many_messages_in_one_call(self):
        cube = Topology.hypercube(4)
        scenario = Scenario(cube, "wormhole", load=0, message_flits=4)
        sources, destinations, flits = [0, 1, 2, 0], [15, 3, 4, 7], [4, 2, 9, 4]
        seen = []
        for given in (sources, array("Q", sources), array("q", sources)):
            with scenario.open() as simulation:
                self.assertEqual(simulation.inject(given, destinations, range(4), flits), [True] * 4)
                simulation.step(100)
                seen.append(sorted(simulation.deliveries()))
        with scenario.open() as simulation:
            for message in zip(sources, destinations, range(4), flits):
                self.assertIs(simulation.inject(*message), True)
            simulation.step(100)
            seen.append(sorted(simulation.deliveries()))
        self.assertEqual(len(seen[0]), 4)
        for other in seen[1:]:
            self.assertEqual(other, seen[0])
        few = Scenario(cube, "deflection", load=0, buffers=4)
        with few.open() as simulation:
            taken = simulation.inject([0] * 9, 15, tag=7)
            self.assertEqual((taken.count(True), taken[:1], taken[-1:]), (simulation.in_flight, [True], [False]))
            before = simulation.in_flight
            with self.refused(cubenet.ArgumentError, "message 1: ", "99"):
                simulation.inject([1, 99], [2, 3])
            self.assertEqual(simulation.in_flight, before + 1)  # the first one of the two
            for call, part in ((lambda: simulation.inject([1, 2], [3]), "destination has 1 elements, but source has 2"),
                               (lambda: simulation.inject([1], [2], tag=[1, 2]), "tag has 2 elements"),
                               (lambda: simulation.inject([1], [-2]), "destination[0] = -2")):
                with self.refused(cubenet.ArgumentError, part):
                    call()
            self.assertEqual(simulation.inject([], 3), [])
            with self.refused(TypeError, "source"):
                simulation.inject(None, 3)
            self.assertEqual(simulation.in_flight, before + 1)

    def test_routing_of_a_scenario(self):
        ring = Topology.ring(6)
        scenario = Scenario(ring, "wormhole", routing="dimension-order", unsafe=True,
                            virtual_channels=1, load=0.01, message_flits=8, measure_cycles=2000)
        self.assertEqual((scenario.routing, scenario.unsafe), ("dimension-order", True))
        self.assertIn(", routing='dimension-order', load=0.01", repr(scenario))
        self.assertGreater(scenario.simulate()["mean_delay"], 8)
        with self.refused(cubenet.NotFoundError, 'e-cube'):
            scenario.routing = "e-cube"
        with self.assertRaises(TypeError):
            scenario.routing = ring
        self.assertEqual(scenario.routing, "dimension-order")
        scenario.routing = "minimal"
        scenario.unsafe = False
        with self.refused(cubenet.UnsupportedError, "the routing minimal may deadlock"):
            scenario.simulate()
        scenario.routing = None
        self.assertEqual(scenario.routing, "duato")
        with self.refused(cubenet.UnsupportedError, "collective", "no choice of channel"):
            Scenario(Topology.hypercube(4), "collective", selection="random")
        selected = [Scenario(ring, "deflection", load=0.2, selection=selection, measure_cycles=200).simulate()
                    for selection in ("random", "lowest", "least-loaded")]
        self.assertEqual(len({result["mean_delay"] for result in selected}), 3)
        with self.refused(cubenet.UnsupportedError, "selection = least-loaded", "needs random"):
            Scenario(ring, "deflection", load=0.2, selection="least-loaded").predict()
        self.assertEqual(Scenario(ring, "wormhole", selection="least-loaded").selection, "least-loaded")
        with self.refused(cubenet.UnsupportedError, "does not take a routing"):
            Scenario(Topology.hypercube(4), "collective", routing="minimal")
        self.assertIsNone(Scenario(Topology.hypercube(4), "collective").routing)
        self.assertEqual(Scenario(Topology.hypercube(4), "deflection").routing, "preferred")

    def test_wormholes(self):
        cube = cubenet.Topology.hypercube(4)
        scenario = cubenet.Scenario(cube, "wormhole", message_flits=8, virtual_channels=2,
                                    warmup_cycles=0)
        with scenario.open() as simulation:
            self.assertTrue(simulation.inject(0, 0b0111, tag=1))
            self.assertTrue(simulation.inject_broadcast(9, tag=2, base=3))
            with self.refused(cubenet.ArgumentError, "base = 4", "0 to 3"):
                simulation.inject_broadcast(9, base=4)
            simulation.step(200)
            deliveries = list(simulation.deliveries())
            self.assertEqual({(d.tag, d.source, d.destination) for d in deliveries},
                             {(1, 0, 0b0111), (2, 9, None)})
            loads = simulation.channel_loads()
            self.assertEqual(len(loads), 64)
            self.assertEqual(sum(loads), 8 * (3 + 15))
            with self.assertRaises(cubenet.Error):
                simulation.deadlock()
            self.assertEqual(simulation.result()["mean_hops"], 3.0)

    def test_cut_through(self):
        torus = cubenet.Topology.torus([4, 4])
        scenario = cubenet.Scenario(torus, "cut-through", load=0.05, message_flits=8,
                                    message_buffers=4, selection="random")
        self.assertEqual((str(scenario.routing), scenario.virtual_channels), ("duato", 3))
        simulated, predicted = scenario.simulate(statistics=True), scenario.predict()
        self.assertAlmostEqual(predicted["mean_delay"] / simulated["mean_delay"], 1, delta=0.03)
        self.assertAlmostEqual(scenario.saturation_load(), 0.234375)
        scenario.model_variant = "published"
        self.assertLess(predicted["mean_delay"], scenario.predict()["mean_delay"])
        scenario.model_variant = "own"
        study = cubenet.Study(torus, nodes=1, scenario=scenario, patterns=3, simulate=False)
        self.assertGreater(study.run()["mean_delay"], predicted["mean_delay"])

    def test_statistics(self):
        scenario = small(seed=3)
        plain, counted = scenario.simulate(), scenario.simulate(statistics=True)
        self.assertEqual(everything(plain), everything(counted))
        self.assertFalse(scenario.statistics)
        self.assertEqual((plain.has_statistics, counted.has_statistics), (False, True))
        with self.assertRaises(cubenet.NotFoundError):
            plain.node_counts()
        loads, nodes = counted.channel_loads(), counted.node_counts()
        self.assertEqual((len(loads), len(nodes["queue"])), (32 * 5, 32))
        self.assertEqual(sum(loads), sum(nodes["forwarded"]) + sum(nodes["delivered"]))
        self.assertEqual([o - a for o, a in zip(nodes["offered"], nodes["accepted"])],
                         list(nodes["refused"]))
        self.assertAlmostEqual(sum(nodes["queue"]) / 32, counted["mean_queue_length"])
        self.assertEqual(sum(b.count for b in counted.histogram()), sum(nodes["delivered"]))
        hops = counted.histogram("hops")
        self.assertEqual((hops[0].lower, hops[0].upper), (1.0, 2.0))
        self.assertEqual(counted.quantile(0.5), counted["delay_p50"])
        self.assertEqual(counted.quantile(0, "hops"), 1.0)
        throughput = counted.batches("throughput")
        self.assertEqual(throughput.cycles * len(throughput.values) <= 500, True)
        self.assertTrue(all(value > 0 for value in throughput.values))
        with self.assertRaises(cubenet.NotFoundError):
            counted.histogram("delay_broadcast")

        with scenario.open(statistics=True) as simulation:
            simulation.step(500)
            self.assertEqual(list(simulation.channel_loads()),
                             list(simulation.result().channel_loads()))
            self.assertTrue(simulation.inject(0, 7, tag=1))
            simulation.step(200)
            delivery, = simulation.deliveries()
            self.assertEqual(delivery.hops, 3 + 2 * delivery.deflections)
            self.assertEqual(delivery.flits, 1)
        with scenario.open() as simulation, self.assertRaises(cubenet.UnsupportedError):
            simulation.channel_loads()

    def test_stepping_equals_simulate(self):
        scenario = small(seed=3)
        whole = scenario.simulate()
        with scenario.open() as simulation:
            for cycles in (1, 2, 0, 97, 150, 249, 1):
                simulation.step(cycles)
            self.assertEqual(simulation.cycle, 500)
            self.assertEqual(everything(simulation.result()), everything(whole))

    def test_deliveries(self):
        for load in (0, 1.5):
            with self.subTest(load=load), small(load).open() as simulation:
                cube = Topology.hypercube(5)
                sent, arrived = {}, []
                for tag in range(2**64 - 300, 2**64):
                    source, destination = tag % 32, (tag * 7 + 3) % 32
                    if source != destination and simulation.inject(source, destination, tag):
                        sent[tag] = (source, destination, simulation.cycle)
                    if tag % 10 == 0:
                        simulation.step()
                        arrived += simulation.deliveries()
                simulation.step(200)
                arrived += simulation.deliveries()
                self.assertEqual(list(simulation.deliveries()), [])
                self.assertGreater(len(sent), 100)
                self.assertEqual(sorted(sent), sorted(delivery.tag for delivery in arrived))
                for delivery in arrived:
                    self.assertEqual(sent[delivery.tag], delivery[1:4])
                    self.assertGreaterEqual(delivery.delay, cube.distance(*delivery[1:3]))
                self.assertEqual(arrived, sorted(arrived, key=lambda d: d.delivered))

    def test_a_message_alone_takes_as_many_cycles_as_hops(self):
        with small(0).open() as simulation:
            self.assertTrue(simulation.inject(0, 0b10110))
            simulation.step(3)
            self.assertEqual([*simulation.deliveries()], [(0, 0, 0b10110, 0, 3, 3, 1, 0)])

    def test_the_clock_of_a_host(self):
        with small(0, buffers=5).open() as simulation:
            self.assertIsNone(simulation.next_event)
            simulation.step(10**15)
            self.assertTrue(all(simulation.inject(3, 12, tag) for tag in range(5)))
            self.assertFalse(simulation.can_accept(3))
            self.assertTrue(simulation.can_accept(4))
            self.assertEqual(simulation.in_flight, 5)
            self.assertEqual([simulation.queued(v) for v in (2, 3, 4)], [0, 5, 0])
            self.assertEqual(simulation.next_event, 10**15 + 1)
            tags = []
            while simulation.step_until(10**15 + 1000):
                tags.append(simulation.next_delivery().tag)
            self.assertEqual(sorted(tags), [0, 1, 2, 3, 4])
            self.assertIsNone(simulation.next_delivery())
            self.assertIsNone(simulation.next_event)
            self.assertLess(simulation.cycle, 10**15 + 100)
            simulation.reset_statistics()
            simulation.step(100)
            self.assertEqual(simulation.result()["throughput"], 0)
            with self.assertRaises(cubenet.ArgumentError):
                simulation.can_accept(32)
            with self.assertRaises(cubenet.UnsupportedError):
                simulation.inject(0, 1, flits=2)
            with self.assertRaises(cubenet.ArgumentError):
                simulation.report_trace()

    def test_delays_of_channels(self):
        path = Topology.mesh([3])
        scenario = Scenario(path, "separate-buffers", load=0.4, slotted=False)
        delays = scenario.channel_delays()
        self.assertEqual([len(ports) for ports in delays], [1, 2, 1])
        for ports in delays: # each channel carries all of one end, or half of the middle and of an end
            for delay in ports:
                self.assertAlmostEqual(delay, 1 / (1 - 0.4), places=12)
        with self.assertRaises(cubenet.UnsupportedError):
            Scenario(path, "deflection", load=0.4).channel_delays()

    def test_saturation_loads(self):
        cube = Topology.hypercube(4)
        self.assertEqual(Scenario(cube, "separate-buffers").saturation_load(), 1.875)
        runs = {"warmup_cycles": 200, "measure_cycles": 1000}
        scenario = Scenario(cube, "shared-buffer", **runs)
        lower, upper = scenario.saturation_load(simulated=True, accuracy=0.05)
        self.assertLess(lower, 1.875)
        self.assertGreaterEqual(upper, 1.875)
        self.assertLessEqual(upper - lower, 0.05 * upper)
        with self.refused(cubenet.ArgumentError, "load was never set"):
            scenario.simulate()
        scenario.load = 4
        with self.refused(KeyError, "the network is saturated: offered"):
            scenario.simulate()["mean_delay"]
        scenario.load = 5
        with self.refused(cubenet.UnstableError, "carries more than 4"):
            scenario.simulate()

    def test_messages_of_their_own_length(self):
        for system in "wormhole", "cut-through":
            scenario = Scenario(Topology.hypercube(5), system, load=0)
            with scenario.open() as simulation:
                for flits in (12, 1, None):
                    self.assertTrue(simulation.inject(0, 3, tag=7, flits=flits))
                    self.assertTrue(simulation.step_until(simulation.cycle + 10000))
                    delivery = simulation.next_delivery()
                    self.assertEqual(delivery.tag, 7)
                    self.assertEqual(delivery.delay, 2 + (flits or scenario.message_flits))

    def test_the_messages_of_a_trace(self):
        cube = Topology.hypercube(5)
        messages = [(0, 1, 2), (0, 2, 1), (10**9, 3, 4), (10**9, 31, 0)]
        for system in ("deflection", "separate-buffers", "wormhole", "cut-through"):
            scenario = Scenario(cube, system, traffic=Traffic.trace(cube, messages))
            with scenario.open() as simulation:
                simulation.report_trace()
                simulation.step(2 * 10**9)
                got = {d.tag: (d.injected, d.source, d.destination)
                       for d in simulation.deliveries()}
                self.assertEqual(got, dict(enumerate(messages)))

    def test_full_buffers_refuse(self):
        with small(0, buffers=5, warmup_cycles=0).open() as simulation:
            taken = [simulation.inject(0, 31, tag) for tag in range(7)]
            self.assertEqual(taken, [True] * 5 + [False] * 2)
            simulation.step(100)
            result = simulation.result()
            self.assertEqual((result["messages_offered"], result["messages_refused"],
                              result["messages_delivered"]), (7, 2, 5))
            self.assertEqual(len([*simulation.deliveries()]), 5)

    def test_refusals(self):
        with small().open() as simulation:
            for source, destination, tag in ((32, 0, 0), (0, 32, 0), (1, 1, 0), (-1, 0, 0),
                                             (0, 2**64, 0), (0, 1, -1), (0, 1, 2**64)):
                with self.assertRaises(ValueError):
                    simulation.inject(source, destination, tag)
            for cycles in (-1, 2**64 - 1, 2**64):
                with self.refused(ValueError, f"cycles = {cycles}"):
                    simulation.step(cycles)
            with self.refused(cubenet.StateError):
                simulation.result()
            self.assertEqual(simulation.cycle, 0)

    def test_progress_may_not_change_the_simulation(self):
        scenario = Scenario(Topology.hypercube(4), "separate-buffers", load=1.0, measure_cycles=10**6)
        for change in ("close", "step", "reset_statistics", lambda sim: sim.step_until(10),
                       lambda sim: sim.inject(0, 1), lambda sim: sim.__exit__()):
            sim, refused = scenario.open(), []

            def progress(*numbers):
                try:
                    change(sim) if callable(change) else getattr(sim, change)()
                except cubenet.StateError:
                    refused.append(sim.cycle)
                return True

            while not refused:
                sim.step(10**5, progress=progress)
            self.assertGreater(sim.cycle, 0)
            sim.close()

    def test_closed(self):
        simulation = small().open()
        deliveries = simulation.deliveries()
        with simulation as same:
            self.assertIs(same, simulation)
        simulation.close()
        for call in (simulation.step, simulation.result, lambda: simulation.inject(0, 1),
                     lambda: simulation.cycle, lambda: next(deliveries)):
            with self.refused(cubenet.StateError, "closed"):
                call()
        self.assertEqual(repr(simulation), "<Simulation closed>")

    def test_later_changes_of_the_scenario_do_not_matter(self):
        scenario = small(seed=3)
        whole = scenario.simulate()
        simulation = scenario.open()
        scenario.load = 0
        simulation.step(500)
        self.assertEqual(everything(simulation.result()), everything(whole))

    def test_snapshots(self):
        scenario = cubenet.Scenario(cubenet.Topology.hypercube(5), "deflection", load=0.8,
                                    warmup_cycles=20)
        sim = scenario.open()
        sim.inject(1, 30, tag=7)
        sim.step(50)
        blob = sim.save()
        self.assertIsInstance(blob, bytes)
        others = [scenario.restore(blob), scenario.copy().restore(bytearray(blob)), sim.copy(),
                  copy.copy(sim)]
        sim.step(300)
        for other in others:
            self.assertEqual(other.cycle, 50)
            other.step(300)
            self.assertEqual(other.save(), sim.save())
            self.assertEqual(dict(other.result()), dict(sim.result()))
            self.assertEqual(other.next_delivery().tag, 7)
        scenario.load = 0.7
        with self.assertRaisesRegex(cubenet.ArgumentError, "another scenario"):
            scenario.restore(blob)
        with self.assertRaisesRegex(cubenet.ArgumentError, "no snapshot"):
            scenario.restore(b"")

    def test_two_simulations_in_two_threads(self):
        alone = [everything(small(seed=seed).simulate()) for seed in (1, 2)]
        together = [None, None]
        begin = threading.Barrier(2)

        def run(i):
            begin.wait()
            together[i] = everything(small(seed=i + 1).simulate())
        threads = [threading.Thread(target=run, args=(i,)) for i in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(together, alone)

    def test_the_interpreter_is_free_meanwhile(self):
        scenario = Scenario(Topology.hypercube(8), "deflection", load=2, measure_cycles=6000,
                            relative_precision=0)
        inside, moments = threading.Event(), 0

        def run():
            inside.set()
            scenario.simulate()
        thread = threading.Thread(target=run)
        thread.start()
        inside.wait()
        while thread.is_alive():
            time.sleep(0.001)
            moments += 1
        # with the lock held there would be one or two, before and after the call
        self.assertGreater(moments, 10)

    def test_one_simulation_in_two_threads_takes_turns(self):
        scenario = Scenario(Topology.hypercube(8), "deflection", load=2, warmup_cycles=0,
                            measure_cycles=400, relative_precision=0)
        simulation = scenario.open()
        threads = [threading.Thread(target=lambda: [simulation.step(4) for _ in range(50)])
                   for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(everything(simulation.result()), everything(scenario.simulate()))

    def test_errors_belong_to_their_thread(self):
        wrong = []

        def fail(low, high):
            for n in range(low, high):
                try:
                    Topology.hypercube(n)
                except ValueError as error:
                    if f"n = {n}," not in str(error):
                        wrong.append(str(error))
        threads = [threading.Thread(target=fail, args=(low, low + 2000)) for low in (1000, 5000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


# ---- lifetimes ----

class Lifetimes(Case):
    def test_any_order(self):
        for order in ("tsmr", "rmst", "smtr", "mrts"):
            alive = {"t": Topology.hypercube(4)}
            alive["s"] = Scenario(alive["t"], "deflection", load=1)
            alive["m"] = alive["s"].open()
            alive["m"].step(2000)
            alive["r"] = alive["m"].result()
            before = dict(alive["r"])
            for name in order:
                del alive[name]
                gc.collect()
                if "m" in alive:
                    alive["m"].step()
                if "r" in alive:
                    self.assertEqual(dict(alive["r"]), before)
                if "s" in alive:
                    self.assertEqual(alive["s"].topology.node_count, 16)

    def test_cycles(self):
        simulation = small().open()
        simulation._self = simulation
        simulation._deliveries = simulation.deliveries()
        topology = Topology.hypercube(3)
        topology.loop = [topology, simulation]
        del simulation, topology
        self.assertFalse(live_objects())

    def test_many_objects(self):
        for _ in range(300):
            cube = Topology.hypercube(4)
            several = [Scenario(cube, "deflection", load=load) for load in (0.5, 1)]
            results = [scenario.predict() for scenario in several]
            simulation = several[0].open()
            simulation.step(3)
            with self.assertRaises(cubenet.Error):
                cube.neighbors(16)
            self.assertEqual(len(results), 2)

    def test_a_failing_constructor_leaves_nothing(self):
        for _ in range(10):
            with self.assertRaises(cubenet.Error):
                Scenario(Topology.hypercube(4), "deflection", load=1, buffers=-1)

    def test_objects_without_a_handle(self):
        for kind, name in ((Topology, "node_count"), (cubenet.Tree, "root"), (Scenario, "seed"),
                           (cubenet.Result, "seed"), (cubenet.Faults, "nodes"),
                           (cubenet.Subnet, "survivors"), (cubenet.Hierarchy, "clusters")):
            with self.subTest(kind=kind), self.refused(cubenet.StateError, kind.__name__):
                getattr(kind.__new__(kind), name)

    def test_exit_with_everything_alive(self):
        done = python("""
            import threading, time, cubenet
            cube = cubenet.Topology.hypercube(6)
            scenario = cubenet.Scenario(cube, "deflection", load=1, threads=2)
            result = scenario.predict()
            simulation = scenario.open()
            simulation.step(10)
            simulation.inject(0, 1)
            simulation.step(50)
            half = simulation.deliveries()
            next(half)
            simulation._self = [simulation, half]
            cube.all = [scenario, result, simulation, cube.balanced_tree()]
            long = cubenet.Scenario(cube, "deflection", load=1, measure_cycles=1e12,
                                    relative_precision=0)
            threading.Thread(target=long.simulate, daemon=True).start()
            other = long.open()
            threading.Thread(target=other.step, args=(10**12,), daemon=True).start()
            time.sleep(0.05)  # both are inside the library now
            print("end")
        """, MALLOC_PERTURB_="165")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "end\n", ""))

    def test_a_forked_child_may_drop_everything(self):
        done = python("""
            import gc, os, cubenet
            simulation = cubenet.Scenario(cubenet.Topology.hypercube(10), "deflection", load=1,
                                          threads=2).open()
            simulation.step(10)
            child = os.fork()
            if child == 0:
                del simulation
                gc.collect()
                os._exit(7)
            status = os.waitpid(child, 0)[1]
            simulation.step(10)
            print(os.WEXITSTATUS(status), simulation.cycle)
        """, PYTHONWARNINGS="ignore")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "7 20\n", ""))

    def test_out_of_memory(self):
        # 2^30 buffers of 8 bytes and more
        done = python("""
            import resource, cubenet
            scenario = cubenet.Scenario(cubenet.Topology.hypercube(20), "deflection", buffers=1024)
            resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
            try:
                scenario.open()
            except MemoryError as error:
                print(type(error).__name__, error.status, error)
        """)
        self.assertRegex(done.stdout, r"^OutOfMemoryError -2 \w+: out of memory for \d+ elements of 8 bytes")
        self.assertEqual(done.stderr, "")

    def test_no_machine_has_so_much_memory(self):
        huge = Topology.hypercube(60)
        for call, *parts in (
                (Topology.de_bruijn(40).bisection, "bisection()", "1099511627776 elements of 1 b"),
                (Topology.ring(2**60).distance_counts, "cn_topology_distance_counts",
                 "576460752303423490 elements of 8 bytes"),
                (Topology.psnn(60).bisection, "bisection()", "elements of 1"),
                (huge.broadcast_schedule, "broadcast_schedule()", "elements of 8"),
                (huge.balanced_tree().arrays, "arrays()", "elements of 8"),
                (lambda: huge.flow_deviation(0.1), "flow_deviation()", "elements of 8"),
                (lambda: cubenet.shared_buffer_queue(4, 0.1, 2**64 - 1), "shared_buffer_queue()",
                 "18446744073709551615 elements of 8 bytes"),
        ):
            with self.refused(cubenet.OutOfMemoryError, "out of memory", *parts):
                call()

    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "needs the present size of a process")
    def test_every_out_of_memory_says_for_what(self):
        """A network whose lists take more than the process may have."""
        done = python("""
            import resource, cubenet
            net = cubenet.Topology.hypercube(21)
            tree = net.balanced_tree()
            calls = [net.bisection, tree.arrays, cubenet.Topology.hypercube(16).to_edge_list,
                     lambda: net.flow_deviation(0.1),
                     lambda: cubenet.Topology.star(2**22).neighbors(0),
                     cubenet.Topology.ring(2**23).distance_counts]
            with open("/proc/self/statm") as sizes:
                used = int(sizes.read().split()[0]) * resource.getpagesize()
            counted = 0
            for room in (2**20, 2**23, 2**25, 2**26):
                resource.setrlimit(resource.RLIMIT_AS, (used + room, resource.RLIM_INFINITY))
                for call in calls:
                    try:
                        call()
                    except MemoryError as error:
                        assert isinstance(error, cubenet.OutOfMemoryError), repr(error)
                        assert "out of memory for" in str(error), repr(error)
                        counted += 1
                    except cubenet.Error:
                        pass
            print(counted)
        """)
        self.assertEqual(done.stderr, "")
        self.assertGreater(int(done.stdout), 15)


# ---- wormhole routing and deadlock ----

class Deadlock(Case):
    def test_channels(self):
        cube, torus = Topology.hypercube(3), Topology.torus([5])
        self.assertEqual(cube.wormhole_channels("adaptive", 2, 0, 6), [(1, 0), (1, 1), (2, 1)])
        self.assertEqual(cube.wormhole_channels("dimension-order", 1, 0, 6), [(1, 0)])
        self.assertEqual(cube.wormhole_channels("adaptive", 2, 6, 6), [])
        self.assertEqual(torus.wormhole_channels("adaptive", 3, 1, 4), [(0, 1), (0, 2)])
        self.assertEqual(torus.wormhole_channels("adaptive", 3, 0, 4), [(0, 1), (0, 2)])
        self.assertEqual(torus.wormhole_channels("adaptive", 3, 4, 3), [(0, 0), (0, 2)])
        mesh = Topology.mesh([3, 3])
        self.assertEqual(mesh.wormhole_channels("adaptive", 2, 0, 8), [(0, 0), (0, 1), (1, 1)])
        for rule, channels, node, error, part in (
                ("xy", 2, 0, cubenet.NotFoundError, "xy"),
                ("adaptive", 1, 0, cubenet.ArgumentError, "virtual_channels = 1"),
                ("adaptive", 2, 8, cubenet.ArgumentError, "node = 8")):
            with self.refused(error, part):
                cube.wormhole_channels(rule, channels, node, 1)

    def test_torus(self):
        torus = Topology.torus([5, 5])
        found = cubenet.deadlock_check(torus, "dimension-order-unsafe", virtual_channels=1)
        self.assertEqual((found.verdict, found.free, len(found.cycle)), ("cyclic", False, 5))
        self.assertEqual({wait.port for wait in found.cycle}, {0})
        ahead = found.cycle[1:] + found.cycle[:1]
        for wait, awaited in zip(found.cycle, ahead):
            self.assertEqual(torus.neighbor(wait.node, wait.port), awaited.node)
            self.assertIn((awaited.port, awaited.virtual_channel), torus.wormhole_channels(
                "dimension-order-unsafe", 1, awaited.node, wait.destination))
        found = cubenet.deadlock_check(torus, "dimension-order", 2)
        self.assertEqual((found.verdict, found.free, found.cycle), ("acyclic", True, []))
        found = cubenet.deadlock_check(torus, "adaptive", virtual_channels=3)
        self.assertEqual((found.verdict, found.free, len(found.cycle)), ("escape", True, 4))
        self.assertGreater(found.escape_dependencies, 0)
        self.assertIn("no deadlock", found.text)

    def test_own_rule(self):
        ring = Topology.kary_ncube(4, 1)
        asked = []

        def forward(node, destination, came):
            asked.append((node, destination, came))
            return [(0, 0)]

        def switching(node, destination, came):
            return [(0, int(came is not None and (came[0] == 0 or came[2] == 1)))]

        found = cubenet.deadlock_check(ring, forward)
        self.assertEqual(found.verdict, "cyclic")
        self.assertEqual([wait.node for wait in found.cycle], [0, 3, 2, 1])
        self.assertIn((3, 1, None), asked)
        self.assertIn((3, 1, (0, 0, 0)), asked)
        self.assertTrue(cubenet.deadlock_check(ring, switching, 2).free)

        cube = Topology.hypercube(3)

        def adaptive(node, destination, came):
            return cube.wormhole_channels("adaptive", 2, node, destination)

        def lowest(node, destination, came):
            return adaptive(node, destination, came)[:1]

        inside = cubenet.deadlock_check(cube, "adaptive", 2)
        self.assertEqual(cubenet.deadlock_check(cube, adaptive, 2, escape=[0]), inside)
        self.assertEqual(cubenet.deadlock_check(cube, adaptive, 2, escape=lowest), inside)
        self.assertEqual(cubenet.deadlock_check(cube, adaptive, 2).verdict, "cyclic")
        found = cubenet.deadlock_check(cube, adaptive, 2, escape=[1])
        self.assertEqual(found.verdict, "escape-cyclic")
        found = cubenet.deadlock_check(cube, adaptive, 2, escape=lambda *place: [])
        self.assertEqual((found.verdict, found.cycle), ("escape-missing",
                                                        [(1, None, 0, 0)]))
        found = cubenet.deadlock_check(cube, lambda *place: [])
        self.assertEqual((found.verdict, found.free, found.channels), ("stuck", False, 0))

    def test_errors(self):
        cube = Topology.hypercube(2)

        class Own(BaseException):
            pass

        def fail(*place):
            raise Own("from inside")

        with self.assertRaises(Own):
            cubenet.deadlock_check(cube, fail)
        with self.assertRaises(Own):
            cubenet.deadlock_check(cube, lambda *place: [(0, 0)], escape=fail)
        for rule, options, error, part in (
                ("adaptive", {}, cubenet.ArgumentError, "virtual_channels = 1"),
                ("adaptive", {"virtual_channels": 2, "escape": [0]}, cubenet.ArgumentError, "own"),
                ("xy", {}, cubenet.NotFoundError, "xy"),
                (7, {}, TypeError, "not int"),
                (lambda *place: [(0, 1)], {}, cubenet.ArgumentError, "virtual channels 0 to 0"),
                (lambda *place: [(2, 0)], {}, cubenet.ArgumentError, "port = 2"),
                (lambda *place: [(0, 64)], {}, cubenet.ArgumentError, "virtual_channel = 64"),
                (lambda *place: [(0, -1)], {}, cubenet.ArgumentError, "virtual_channel = -1"),
                (lambda *place: [0], {}, cubenet.ArgumentError,
                 "a channel of rule = 0, but it must be (port, virtual channel)"),
                (lambda *place: 0, {}, TypeError, "rule must give (port, virtual channel) pairs, not int"),
                (lambda *place: [], {"escape": [1]}, cubenet.ArgumentError, "escape = 1"),
                (lambda *place: [(0, 0)], {"escape": lambda *place: [(1, 0)]},
                 cubenet.ArgumentError, "does not give")):
            with self.refused(error, part):
                cubenet.deadlock_check(cube, rule, **options)
        with self.refused(cubenet.UnsupportedError, "2^13"):
            cubenet.deadlock_check(Topology.hypercube(14), "dimension-order")


# ---- signals while the library works ----

class Interrupts(Case):
    """A signal whose handler raises ends a call that calls back. Without that every call here would go on to
    its limit, and give what it has found."""

    LIMIT = {"steps": 2**64 - 1, "seconds": 30}

    @classmethod
    def setUpClass(cls):
        """What is timed here must not fill every block of memory that is taken or given back: meson has the C library do
        that (MALLOC_PERTURB_), and for large blocks it takes longer than all the rest."""
        super().setUpClass()
        cls.fill_blocks(0)
        cls.addClassCleanup(cls.fill_blocks, int(os.environ.get("MALLOC_PERTURB_") or 0))

    @staticmethod
    def fill_blocks(byte):
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc's alone
        if mallopt is not None:
            mallopt(-6, byte)  # M_PERTURB of malloc.h

    def setUp(self):
        self.handlers = {number: signal.getsignal(number) for number in range(1, signal.NSIG)}

    def tearDown(self):
        self.assertEqual(self.handlers,
                         {number: signal.getsignal(number) for number in range(1, signal.NSIG)})
        super().tearDown()

    def calls(self):
        """Calls that take long, each with a function that does nothing else."""
        net, torus = Topology.psnn(11), Topology.torus(k=12, n=2)
        any_way = cubenet.Routing(torus, "minimal")

        def rule(node, destination, came):
            return [(port, 0) for port in any_way.channels(node, destination)]

        def idle(*bounds):
            return None

        return [lambda: net.measure("bisection_width", progress=idle, **self.LIMIT),
                lambda: net.measure("bisection_width", **self.LIMIT),
                lambda: net.bisection(progress=idle, **self.LIMIT),
                lambda: net.broadcast_schedule(0, progress=idle, **self.LIMIT),
                lambda: [cubenet.deadlock_check(torus, rule) for _ in range(20)],
                *self.other_calls(), *self.calls_on_faults(), *self.calls_on_networks()]

    @staticmethod
    def other_calls():
        """One of each kind that takes a control; all take half a second at least."""
        cube, shuffle = Topology.hypercube(12), Topology.psnn(18)
        # a network whose diameter takes many searches: nobody knows that it is a PSNN
        stored = Topology.psnn(16)
        stored = Topology.from_edges(2**16, [(v, w) for v in range(2**16)
                                             for w in stored.neighbors(v) if v < w])
        endless = {"load": 0.3, "measure_cycles": 10**9, "relative_precision": 0}
        run = Scenario(cube, "deflection", buffers=16, **endless)
        runs = Scenario(cube, "separate-buffers", replications=4, threads=2, **endless)
        chain = Scenario(cube, "deflection", load=0.5, buffers=10**6)
        faults = cubenet.Faults(cube)
        faults.add_random_nodes(100, 1)
        study = cubenet.Study(cube, nodes=100, patterns=100000, threads=2)
        low = Topology.psnn(8)

        def nothing(*numbers):
            return None

        def step():
            with run.open() as simulation:
                simulation.step(10**9)

        return [run.simulate, lambda: run.simulate(progress=nothing), runs.simulate, step,
                chain.predict, study.run, lambda: study.run(progress=nothing),
                lambda: stored.diameter(), lambda: shuffle.mean_distance(),
                lambda: Topology.best_chord(200000),
                lambda: low.flow_saturation(accuracy=1e-7),
                lambda: cubenet.Routing(Topology.psnn(13), "up-down-adaptive"),
                lambda: cubenet.deadlock_check(Topology.torus(k=16, n=2), "duato", 8),
                lambda: [faults.stretch() for _ in range(100)]]

    @staticmethod
    def calls_on_faults():
        cube = Topology.hypercube(19)
        faults = cubenet.Faults(cube)
        faults.add_random_nodes(20000, 1)
        small = cubenet.Faults(Topology.hypercube(12))
        small.add_random_nodes(700, 1)
        convex = small.convex_subnet()
        routing = cubenet.Routing(Topology.psnn(10), "up-down")
        traffic = cubenet.Traffic.permutation(Topology.psnn(10), 1)
        work = next(v for v in range(4096) if not small.has_node(v))

        def again(call, *arguments):
            return lambda: [call(*arguments) for _ in range(1000)]

        def each(method):
            """Of routings that are kept: what an interrupt raises while one is deleted, Python ignores."""
            kept = []
            for _ in range(1000):
                kept.append(cubenet.Routing(routing.topology, "up-down"))
                method(kept[-1])

        def change():
            for _ in range(1000):
                convex.fail_node(work)
                convex.repair_node(work)

        return [again(faults.convex_subnet), again(faults.degraded_subnet, 1),
                again(small.minimal_subnet), again(convex.rebuild, small), change,
                again(small.hierarchy), again(faults.distance, 0, 5),
                lambda: faults.mean_distance(), lambda: [faults.reachable_pairs() for _ in range(1000)],
                again(routing.loads), again(routing.saturation_load), again(routing.stretch),
                lambda: each(cubenet.Routing.deadlock_check), lambda: each(cubenet.Routing.longest_walk),
                again(routing.loads, traffic)]

    @staticmethod
    def calls_on_networks():
        large = Topology.psnn(19)
        text = Topology.psnn(16).to_edge_list()
        metis = Topology.psnn(16).to_metis()

        def again(call, *arguments):
            return lambda: [call(*arguments) for _ in range(1000)]

        return [again(large.distance, 0, 12345), again(large.distance_counts),
                again(cubenet.Tree.breadth_first, large), again(Topology.from_edge_list, text),
                again(Topology.from_metis, metis), Topology.psnn(50).to_dot, again(Topology.psnn(9).distances),
                again(Topology.from_function, 10000, 2, lambda v, port: (v + 1 + port) % 10000)]

    def test_limits_in_seconds_are_kept(self):
        cube = Topology.hypercube(12)
        run = Scenario(cube, "deflection", load=0.3, buffers=16, warmup_cycles=0,
                       measure_cycles=10**9, relative_precision=0)
        study = cubenet.Study(cube, nodes=100, patterns=100000, paths=False)
        big = Topology.psnn(18)
        calls = [lambda: self.assertEqual(run.simulate(seconds=0.3).stop, "time-limit"),
                 lambda: self.assertEqual(study.run(seconds=0.3).stop, "time-limit"),
                 lambda: big.measure("diameter", seconds=0.3),
                 lambda: big.measure("mean_distance", seconds=0.3)]
        for number, call in enumerate(calls):
            with self.subTest(call=number):
                start = time.monotonic()
                call()
                self.assertLess(time.monotonic() - start, 1.5)
        with self.assertRaisesRegex(cubenet.CancelledError, "time limit of 0.2 seconds"):
            Topology.best_chord(200000, seconds=0.2)

    def test_a_run_that_the_function_ends(self):
        seen = []

        def three(*numbers):
            seen.append(numbers)
            return len(seen) < 3

        run = Scenario(Topology.hypercube(10), "deflection", load=0.3, buffers=16,
                       warmup_cycles=0, measure_cycles=10**9, relative_precision=0)
        result = run.simulate(progress=three)
        self.assertEqual((result.stop, len(seen)), ("cancelled", 3))
        self.assertEqual(seen[-1][:2], (result["cycles"], 10**9))
        run.warmup_cycles = 10**9
        del seen[:]
        with self.assertRaises(cubenet.CancelledError):
            run.simulate(progress=three)
        del seen[:]
        with run.open() as simulation:
            simulation.step(10**9, progress=three)
            self.assertEqual(simulation.cycle, seen[-1][0])

    def test_a_bar(self):
        """On a terminal; elsewhere nothing is drawn."""
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        run = Scenario(Topology.hypercube(10), "deflection", load=0.3, buffers=16,
                       measure_cycles=10**9, relative_precision=0)
        for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
            with contextlib.redirect_stderr(stream):
                run.simulate(seconds=0.5, progress=True)
            self.assertEqual("%" in stream.getvalue(), drawn)

    RUN = """
        import sys
        import cubenet
        run = cubenet.Scenario(cubenet.Topology.hypercube(10), "deflection", load=0.3, buffers=16,
                               warmup_cycles=0, measure_cycles=10**9, relative_precision=0)
        """

    def process(self, script, *paths, **streams):
        path = os.pathsep.join([*map(str, paths), FOLDER])
        script = textwrap.dedent(self.RUN) + textwrap.dedent(script)
        return subprocess.Popen([sys.executable, "-c", script],
                                env={**os.environ, "PYTHONPATH": path}, **streams)

    def test_a_bar_on_a_real_terminal(self):
        """A line that is drawn again and again, and in the end is empty."""
        try:
            import pty
        except ImportError:
            self.skipTest("there are no pseudo-terminals here")
        ours, theirs = pty.openpty()
        with self.process("run.simulate(seconds=0.6, progress=True)", stderr=theirs) as process:
            os.close(theirs)
            drawn = b""
            with contextlib.suppress(OSError):  # the other end is closed
                while piece := os.read(ours, 4096):
                    drawn += piece
        os.close(ours)
        self.assertEqual(process.returncode, 0)
        lines = drawn.decode().split("\r")
        shown = [line for line in lines if "%" in line]
        self.assertGreater(len(shown), 2)
        for line in shown:
            self.assertRegex(line, r"^\[[# ]{30}\] +\d+ %")
        self.assertEqual(lines[-2:], [" " * len(lines[-2]), ""])

    def test_the_bar_of_a_notebook(self):
        """That of tqdm, told what there is to do and what is done; without tqdm nothing breaks."""
        fake = """
            class tqdm:
                def __init__(self):
                    self.n, self.total, self.updates = 0, None, []
                def update(self, more):
                    self.n += more
                    self.updates.append((self.n, self.total))
                def close(self):
                    print(self.updates[-1], len(self.updates) > 2,
                          all(u <= v for u, v in zip(self.updates, self.updates[1:])), "closed")
            """
        script = """
            import types
            sys.modules["ipykernel"] = types.ModuleType("ipykernel")  # as in a notebook
            print(int(run.simulate(seconds=0.6, progress=True)["cycles"]) > 0)
            """
        for installed in (True, False):
            with self.subTest(installed=installed), tempfile.TemporaryDirectory() as folder:
                package = Path(folder, "tqdm")
                package.mkdir()
                (package / "__init__.py").write_text("")
                if installed:
                    (package / "auto.py").write_text(textwrap.dedent(fake))
                with self.process(script, folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as process:
                    printed, errors = process.communicate(timeout=60)
                self.assertEqual((process.returncode, errors), (0, ""))
                told = r"\(\d+, 1000000000\) True True closed\n" if installed else ""
                self.assertRegex(printed, f"^{told}True\n$")

    def test_limits_of_all_calls_in_a_block(self):
        shuffle, seen = Topology.psnn(18), []
        with cubenet.limits(0.2):
            with self.assertRaisesRegex(cubenet.CancelledError, "limit of 0.2 seconds"):
                shuffle.mean_distance()  # the diameter has a closed form
            with self.assertRaisesRegex(cubenet.CancelledError, "limit of 0.1 seconds"):
                Topology.best_chord(200000, seconds=0.1)  # what it is given comes first
            with cubenet.limits():
                self.assertEqual(Topology.psnn(10).diameter(), 13)

        def stop(*numbers):
            seen.append(Topology.psnn(10).diameter())  # has no limits, and does not come back here
            return False

        with cubenet.limits(progress=stop), self.assertRaises(cubenet.CancelledError):
            shuffle.mean_distance()
        self.assertEqual(seen, [13])
        self.assertEqual(Topology.psnn(10).diameter(), 13)

    def test_subnets_after_a_cancelled_change(self):
        cube = Topology.hypercube(16)
        faults = cubenet.Faults(cube)
        faults.add_random_nodes(6000, 1)
        work = next(v for v in range(cube.node_count) if not faults.has_node(v))
        convex = faults.convex_subnet()
        survivors = convex.survivor_count
        with self.assertRaises(cubenet.CancelledError):
            convex.fail_node(work, progress=lambda *numbers: False)
        self.assertEqual(convex.state(work), "faulty")
        self.assertTrue(convex.is_convex())
        self.assertEqual(convex.survivor_count, 0)
        with self.assertRaises(cubenet.CancelledError):
            convex.rebuild(faults, seconds=1e-9)
        with self.assertRaises(cubenet.CancelledError):
            convex.rebuild(faults, progress=lambda *numbers: False)
        self.assertEqual(convex.survivor_count, 0)
        convex.rebuild(faults)
        self.assertEqual(convex.survivor_count, survivors)

    @contextlib.contextmanager
    def alarm(self, seconds, handler, again=0, of_process=False):
        """A signal after so much time, on the clock or of the process, and its handler; more signals
        in steps of `again`."""
        number, timer = ((signal.SIGPROF, signal.ITIMER_PROF) if of_process else
                         (signal.SIGALRM, signal.ITIMER_REAL))
        before = signal.signal(number, handler)
        signal.setitimer(timer, seconds, again)
        try:
            yield
        finally:
            signal.setitimer(timer, 0)
            signal.signal(number, before)

    def after_interrupt(self, call, delay, interrupt):
        """The time of the process from the signal to the exception."""
        with self.alarm(delay, interrupt, of_process=True):
            start = time.process_time()
            with contextlib.redirect_stderr(io.StringIO()) as printed:
                with self.assertRaises(KeyboardInterrupt):
                    call()
            taken = time.process_time() - start - delay
        self.assertEqual(printed.getvalue(), "")
        return taken

    def test_an_interrupt_ends_every_call(self):
        def interrupt(*arguments):
            os.kill(os.getpid(), signal.SIGINT)

        # What the process itself computes after the signal takes a tenth of a second at most, on a
        # free machine mostly 20 ms. On the clock it may take longer, while other programs get their
        # share; and where these use the same caches and memory, the same work takes the process two or
        # three times as long. So the best of some attempts counts, and the limit is wide.
        for number, call in enumerate(self.calls()):
            for delay in (0.01, 0.03, 0.08):
                with self.subTest(call=number, delay=delay):
                    taken = self.after_interrupt(call, delay, interrupt)
                    for _ in range(4):
                        if taken >= 0.1:
                            taken = min(taken, self.after_interrupt(call, delay, interrupt))
                    self.assertLess(taken, 0.25)

    def test_any_handler_may_raise(self):
        class Late(Exception):
            pass

        def late(*arguments):
            raise Late("too late")

        # Time of the process: on the clock, while other programs run, the signal may come before the call has begun, when an
        # object that was just made is not held yet.
        for number, call in enumerate(self.calls()):
            with self.subTest(call=number), self.alarm(0.02, late, of_process=True):
                with self.assertRaises(Late):
                    call()

    def test_a_handler_that_does_not_raise_ends_nothing(self):
        """Signals come all the time, and the answers are those of a call without any."""
        net, torus = Topology.psnn(9), Topology.torus(k=6, n=2)
        any_way = cubenet.Routing(torus, "minimal")

        def rule(node, destination, came):
            return [(port, 0) for port in any_way.channels(node, destination)]

        def calls():
            return [net.measure("bisection_width", steps=20000, progress=lambda *bounds: True),
                    net.bisection(steps=20000),
                    net.broadcast_schedule(0, steps=20000),
                    cubenet.deadlock_check(torus, rule)]

        expected, called = calls(), []
        with self.alarm(0.002, lambda number, frame: called.append(number), again=0.002):
            self.assertEqual(calls(), expected)
        self.assertGreater(len(called), 10)

    def test_in_a_function_of_the_caller(self):
        """The handler runs at once, and its exception can be caught there."""
        net, seen = Topology.psnn(9), []

        def patient(*bounds):
            try:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(20)
            except KeyboardInterrupt:
                seen.append("caught")
            return False

        start = time.monotonic()
        net.measure("bisection_width", progress=patient)
        self.assertEqual(seen, ["caught"])
        with self.assertRaises(KeyboardInterrupt):
            net.measure("bisection_width", progress=lambda *bounds: os.kill(os.getpid(),
                                                                            signal.SIGINT))
        self.assertLess(time.monotonic() - start, 20)

    def test_a_call_within_a_call(self):
        inner = Topology.psnn(9)

        def nested(*bounds):
            inner.bisection(progress=lambda *more: os.kill(os.getpid(), signal.SIGINT))
            self.fail("the inner call has swallowed the signal")

        with self.assertRaises(KeyboardInterrupt):
            Topology.psnn(10).measure("bisection_width", progress=nested)

    def test_a_handler_that_the_function_sets_stays(self):
        def own(number, frame):
            pass

        def setting(*bounds):
            signal.signal(signal.SIGINT, own)
            return False

        before = signal.getsignal(signal.SIGINT)
        try:
            Topology.psnn(9).bisection(progress=setting)
            self.assertIs(signal.getsignal(signal.SIGINT), own)
        finally:
            signal.signal(signal.SIGINT, before)

    def test_in_other_threads(self):
        """Signals are not theirs; what their functions raise is."""
        raised = []

        def work():
            try:
                Topology.psnn(9).bisection(progress=lambda *bounds: 1 // 0)
            except ZeroDivisionError as error:
                raised.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertEqual(len(raised), 1)
        del raised[:]

    def test_from_the_keyboard(self):
        """The whole process, as the shell ends it."""
        script = """
            import cubenet
            def shown(*bounds):
                print("running", flush=True)
            cubenet.Topology.psnn(11).measure("bisection_width", steps=2**64 - 1, seconds=30,
                                              progress=shown)
            print("swallowed")
        """
        for _ in range(3):
            with subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)],
                                  env={**os.environ,
                                       "PYTHONPATH": FOLDER},
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as process:
                self.assertEqual(process.stdout.readline(), "running\n")
                process.send_signal(signal.SIGINT)
                printed, errors = process.communicate(timeout=60)
            self.assertNotIn("swallowed", printed)
            self.assertIn("KeyboardInterrupt", errors)
            self.assertNotIn("ignored", errors)
            self.assertNotEqual(process.returncode, 0)


# ---- finding the library ----

class Loading(Case):
    def module(self, **environment):
        """A second copy of the package, loaded under these circumstances."""
        spec = importlib.util.spec_from_file_location("cubenet_again", cubenet.__file__)
        made = importlib.util.module_from_spec(spec)
        with mock.patch.dict(os.environ, environment), mock.patch.dict(sys.modules):
            sys.modules[spec.name] = made
            spec.loader.exec_module(made)
        return made

    def test_named_file_or_nothing(self):
        with self.refused(ImportError, "/nowhere/libcubenet.so", "CUBENET_LIBRARY"):
            self.module(CUBENET_LIBRARY="/nowhere/libcubenet.so")

    def test_all_that_was_tried_is_named(self):
        def fail(name, *arguments):
            raise OSError(f"no {name}")
        with mock.patch.object(ctypes, "CDLL", fail):
            with self.refused(ImportError, "no libcubenet.", "CUBENET_LIBRARY"):
                self.module(CUBENET_LIBRARY="")

    def test_build_folder_of_the_source_tree(self):
        with tempfile.TemporaryDirectory() as root:
            tree = Path(root).resolve()
            (tree / "lib/python").mkdir(parents=True)
            (tree / "build-mine/lib").mkdir(parents=True)
            (tree / "meson.build").touch()
            built = Path(cubenet._library._library._name).resolve()
            link = tree / "build-mine/lib" / ("libcubenet" + (".dylib" if sys.platform == "darwin"
                                                              else ".so"))
            link.symlink_to(built)
            shutil.copytree(PACKAGE, tree / "lib/python/cubenet")
            done = python("import cubenet; print(cubenet._library._library._name, cubenet.version())",
                          PYTHONPATH=str(tree / "lib/python"), CUBENET_LIBRARY="")
            self.assertEqual(done.stderr, "")
            self.assertEqual(done.stdout, f"{link} {cubenet.version()}\n")

    def test_a_missing_function_is_missed_only_when_used(self):
        other = self.module()

        class Old:
            _name = "old.so"
            cn_version_text = other._function._library.cn_version_text
        other._function._library = Old
        self.assertEqual(other.version(), cubenet.version())
        with self.refused(other.UnsupportedError, "old.so has no cn_topology_hypercube"):
            other.Topology.hypercube(3)


if __name__ == "__main__":
    unittest.main(verbosity=2)

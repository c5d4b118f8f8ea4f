"""Tests of the class Routing of lib/python/cubenet/, of networks by function and of networkx."""

import copy
import ctypes
import doctest
import itertools
import pickle
import re
import sys
import unittest
import warnings
import xml.etree.ElementTree
from fractions import Fraction
from unittest import mock

import cubenet
from cubenet import Faults, Routing, Scenario, Topology, Traffic, Tree
from test_cubenet import ROOT, Case

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it warns of is not ours
        import networkx
except ImportError:
    networkx = None


def dimension_order(mesh):
    """The rule of that name for a mesh, as a function."""
    def rule(node, destination, came):
        here, there = mesh.digits(node), mesh.digits(destination)
        i = next(i for i in range(len(here)) if here[i] != there[i])
        here[i] += 1 if here[i] < there[i] else -1
        return [(mesh.port_to(node, mesh.node(here)), 0)]
    return rule


def clockwise(node, destination, came):
    return [(1, 0)]


# ---- networks by function ----

class ByFunction(Case):
    def test_is_the_network_of_the_answers(self):
        t = Topology.from_function(6, 3, lambda v, p: [(v + 1) % 6, None, (v + 2) % 6][p])
        self.assertEqual((t.node_count, t.max_degree, t.is_bidirectional), (6, 2, False))
        self.assertEqual([t.neighbors(v) for v in range(6)],
                         [[(v + 1) % 6, (v + 2) % 6] for v in range(6)])

    def test_links_both_ways_make_it_two_way(self):
        torus = Topology.torus([3, 4])
        t = Topology.from_function(12, 4, torus.neighbor)
        self.assertTrue(t.is_bidirectional)
        self.assertEqual([t.neighbors(v) for v in range(12)],
                         [torus.neighbors(v) for v in range(12)])

    def test_is_asked_twice_on_the_same_thread(self):
        asked = []
        Topology.from_function(3, 2, lambda v, p: asked.append((v, p)) or (v + 1 + p) % 3)
        self.assertEqual(sorted(asked), sorted(2 * list(itertools.product(range(3), range(2)))))

    def test_a_function_of_c_does_as_well(self):
        @cubenet._library._NEIGHBOR
        def function(user, node, port, answer):
            answer[0] = (node + 1) % 5
            return 0
        address = ctypes.cast(function, ctypes.c_void_p).value
        for given in (function, address):
            self.assertEqual([Topology.from_function(5, 1, given).neighbors(v) for v in range(5)],
                             [[(v + 1) % 5] for v in range(5)])

    def test_refusals_and_exceptions(self):
        changing = itertools.count()
        for neighbor, error, part in (
                (lambda v, p: 1 // 0, ZeroDivisionError, "zero"),
                (lambda v, p: "x", TypeError, "neighbor"),
                (lambda v, p: -1, cubenet.ArgumentError, "neighbor = -1"),
                (lambda v, p: v, cubenet.ArgumentError, "node 0"),
                (lambda v, p: 4, cubenet.ArgumentError, "4"),
                (lambda v, p: (v + 1 + next(changing) % 3) % 4, cubenet.ArgumentError, "node 0"),
                (3.5, TypeError, "not float"), (7, TypeError, "not int"),
                (-2**20, TypeError, "not int"), (2**64, cubenet.ArgumentError, "neighbor"),
                (None, TypeError, "neighbor must be callable")):
            with self.refused(error, part):
                Topology.from_function(4, 1, neighbor)
        with self.refused(cubenet.ArgumentError, "nodes = 0"):
            Topology.from_function(0, 1, lambda v, p: None)


@unittest.skipIf(networkx is None, "networkx is not installed")
class Networkx(Case):
    def test_two_way_networks_keep_their_links(self):
        for t in (Topology.torus([3, 4]), Topology.psnn(4), Topology.star(5)):
            graph = t.to_networkx()
            self.assertIs(type(graph), networkx.Graph)
            self.assertEqual(graph.name, t.name)
            self.assertEqual(graph.number_of_edges(), t.link_count)
            back = Topology.from_networkx(graph)
            self.assertTrue(back.is_bidirectional)
            for v in range(t.node_count):
                self.assertEqual(sorted(back.neighbors(v)), sorted(t.neighbors(v)))
            self.assertEqual(networkx.diameter(graph), t.diameter())

    def test_one_way_networks_keep_their_ports(self):
        t = Topology.kary_ncube(4, 2)
        graph = t.to_networkx()
        self.assertIs(type(graph), networkx.DiGraph)
        back = Topology.from_networkx(graph)
        self.assertFalse(back.is_bidirectional)
        self.assertEqual([back.neighbors(v) for v in range(16)],
                         [t.neighbors(v) for v in range(16)])

    def test_nodes_are_numbered_in_their_order(self):
        graph = networkx.Graph([("b", "a"), ("a", "c")])
        self.assertEqual([Topology.from_networkx(graph).neighbors(v) for v in range(3)],
                         [[1], [0, 2], [1]])
        graph = networkx.DiGraph()
        graph.add_nodes_from("xy")
        self.assertEqual(Topology.from_networkx(graph).node_count, 2)
        graph.add_edges_from([("x", "y"), ("y", "x")])
        self.assertTrue(Topology.from_networkx(graph).is_bidirectional)

    def test_refusals(self):
        with self.refused(TypeError, "networkx Graph, not list"):
            Topology.from_networkx([])
        with self.refused(cubenet.ArgumentError, "node_count"):
            Topology.from_networkx(networkx.Graph())
        for kind, part in ((networkx.MultiGraph, "2 parallel edges join 'a' and 'b', but two nodes share at most one"),
                           (networkx.MultiDiGraph, "2 parallel edges join 'a' and 'b'"),
                           (networkx.Graph, None), (networkx.DiGraph, None)):
            if part is None:
                self.assertEqual(Topology.from_networkx(kind([("a", "b"), ("a", "b")])).link_count, 1)
            else:
                with self.refused(cubenet.ArgumentError, part, "networkx.Graph(graph)"):
                    Topology.from_networkx(kind([("a", "b"), ("a", "b")]))
            with self.refused(cubenet.ArgumentError, "edge ('c', 'c') joins a node with itself"):
                Topology.from_networkx(kind([("a", "b"), ("c", "c")]))
        two_way = networkx.MultiDiGraph([("a", "b"), ("b", "a")])
        self.assertTrue(Topology.from_networkx(two_way).is_bidirectional)

    def test_weights_are_not_lost(self):
        graph = networkx.Graph()
        graph.add_edge("a", "b", weight=1)
        graph.add_edge("b", "c", weight=2.5, length=3)
        with self.refused(cubenet.ArgumentError, "edge ('b', 'c') has weight = 2.5, but all links", "weight=None"):
            Topology.from_networkx(graph)
        with self.refused(cubenet.ArgumentError, "edge ('b', 'c') has length = 3"):
            Topology.from_networkx(graph, weight="length")
        self.assertEqual(Topology.from_networkx(graph, weight=None).link_count, 2)
        graph["b"]["c"]["weight"] = 1.0
        self.assertEqual(Topology.from_networkx(graph).link_count, 2)

    def test_names_are_kept(self):
        graph = networkx.Graph([("Rome", "x<y"), ("x<y", (1, 2)), ((1, 2), "a\"b\\"), ("Rome", "New York City")])
        names = ["Rome", "x<y", (1, 2), "a\"b\\", "New York City"]
        for t in (Topology.from_networkx(graph), pickle.loads(pickle.dumps(Topology.from_networkx(graph))),
                  copy.copy(Topology.from_networkx(graph))):
            self.assertEqual(t.node_names, names)
            self.assertEqual(set(map(frozenset, t.to_networkx().edges)), set(map(frozenset, graph.edges)))
        scenario = Scenario(t, "separate-buffers", load=0.2, measure_cycles=200)
        offered = scenario.simulate(statistics=True).node_counts()["offered"]
        self.assertEqual(scenario.topology.by_node(offered), dict(zip(names, offered)))
        with self.refused(cubenet.ArgumentError, "values has 4 elements, but edges(5,4) has 5 nodes"):
            t.by_node([1, 2, 3, 4])
        self.assertIsNone(Topology.ring(4).node_names)
        self.assertEqual(pickle.loads(pickle.dumps(Topology.ring(4))), Topology.ring(4))
        self.assertEqual(Topology.ring(3).by_node("abc"), {0: "a", 1: "b", 2: "c"})

    def test_names_are_drawn(self):
        names = ["Rome", "x<y", (1, 2), "a\"b\\", "New York City"]
        t = Topology.from_networkx(networkx.path_graph(names))
        faults = Faults(t)
        faults.add_node(1)
        for text in (t.to_svg(), faults.svg(), Tree.breadth_first(t).svg()):
            parts = xml.etree.ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}text")
            shown = [part.text for part in parts][1:6]  # the first one is the title
            self.assertEqual(shown, ["Rome", "x<y", "(1, 2)", "a\"b\\", "4"])  # that one is too long
            self.assertIn("<title>New York City</title>", text)
        boxes = re.findall(r'<rect x="(\d+)" y="\d+" width="(\d+)".*?<text x="(\d+)"', t.to_svg())
        self.assertEqual(len(boxes), 5)
        for x, width, middle in boxes:
            self.assertAlmostEqual(int(x) + int(width) / 2, int(middle), delta=1)
        for text in (t.to_dot(), faults.dot()):
            self.assertIn('\n  3 [label="a\\"b\\\\", pos=', text)
            self.assertIn('\n  4 [label="New York City", pos=', text)
        graphml = networkx.parse_graphml(t.to_graphml())
        self.assertEqual([graphml.nodes[f"n{v}"]["address"] for v in range(5)], list(map(str, names)))
        self.assertEqual(t.to_edge_list(), Topology.mesh([5]).to_edge_list())
        many = Topology.from_networkx(networkx.path_graph(1024))
        self.assertEqual(many.to_svg(), Topology.from_edges(1024, networkx.path_graph(1024).edges).to_svg())


class WithoutNetworkx(Case):
    def test_the_sentence_names_the_package(self):
        with mock.patch.dict(sys.modules, {"networkx": None}):
            with self.refused(ImportError, "to_networkx() needs the package networkx"):
                Topology.ring(4).to_networkx()
            with self.refused(ImportError, "from_networkx() needs the package networkx"):
                Topology.from_networkx(None)


# ---- making routings ----

class Making(Case):
    def test_by_name(self):
        names = [kind.name for kind in cubenet.routings()]
        self.assertEqual(names, ["minimal", "preferred", "dimension-order", "duato", "up-down",
                                 "up-down-adaptive", "negative-first", "valiant", "optimal-path",
                                 "two-level", "tree", "own"])
        self.assertTrue(all(kind.summary for kind in cubenet.routings()))
        cube = Topology.hypercube(3)
        for name in names[:-2]:
            r = Routing(cube, name)
            self.assertEqual(r.name, name)
            self.assertIs(r.topology, cube)
            self.assertEqual(repr(r), f"<Routing {name} on hypercube(3)>")

    def test_on_what_survives(self):
        ring = Topology.ring(6)
        faults = Faults(ring)
        faults.add_node(2)
        r = Routing(ring, "minimal", faults=faults)
        self.assertEqual(r.channels(3, 1), [1])
        self.assertEqual(Routing(ring, "minimal").channels(3, 1), [0])
        self.assertEqual(repr(r), "<Routing minimal on damaged ring(6)>")
        faults.clear()
        self.assertEqual(r.channels(3, 1), [1])  # it has its own copy
        self.assertEqual(repr(Routing(ring, "up-down", faults)), "<Routing up-down on ring(6)>")

    def test_of_a_subnet_a_hierarchy_and_a_tree(self):
        cube = Topology.hypercube(4)
        faults = Faults(cube)
        for node in (2, 3, 4, 7, 9):
            faults.add_node(node)
        subnet, hierarchy, tree = faults.convex_subnet(), faults.hierarchy(), cube.binomial_tree(5)
        for r, nodes, allowed, name in (
                (Routing.optimal_path(subnet), subnet.survivors, subnet.next_hops, "optimal-path"),
                (Routing.two_level(hierarchy), sorted(set(range(16)) - set(faults.nodes)),
                 hierarchy.next_hops, "two-level")):
            self.assertEqual(r.name, name)
            for u, v in itertools.product(nodes, nodes):
                self.assertEqual(r.channels(u, v), allowed(u, v))
        r = Routing.tree(tree)
        for v in set(range(16)) - {5}:
            self.assertEqual(r.channels(v, 5), [cube.port_to(v, tree.parent(v))])
            self.assertEqual(r.channels(5, v), [cube.port_to(5, tree.path(v)[1])])

    def test_keeps_alive_what_it_is_of(self):
        r = Routing(Topology.mesh([3, 3]), "negative-first")
        self.assertEqual(r.topology.name, "mesh([3,3])")
        self.assertTrue(r.deadlock_check().free)

    def test_refusals(self):
        mesh = Topology.mesh([3, 3])
        faults = Faults(mesh)
        faults.add_node(4)
        for make, error, parts in (
                (lambda: Routing(mesh, "nothing"), cubenet.NotFoundError, ["nothing"]),
                (lambda: Routing(mesh, 3), TypeError, ["name"]),
                (lambda: Routing(Topology.star(5), "duato"), cubenet.UnsupportedError, ["star(5)"]),
                (lambda: Routing(Topology.kary_ncube(3, 2), "up-down"), cubenet.UnsupportedError,
                 ["bidirectional links"]),
                (lambda: Routing(mesh, "dimension-order", faults=faults),
                 cubenet.DisconnectedError, ["no path from node"]),
                (lambda: Routing(Topology.ring(9), "minimal", faults), cubenet.ArgumentError, []),
                (lambda: Routing("mesh", "minimal"), TypeError, ["topology"]),
                (lambda: Routing(mesh, "minimal", 4), TypeError, ["faults"]),
                (lambda: Routing.optimal_path(mesh), TypeError, ["subnet"]),
                (lambda: Routing.optimal_path(None), cubenet.ArgumentError, ["subnet is NULL"]),
                (lambda: Routing.two_level(None), TypeError, ["hierarchy"]),
                (lambda: Routing.tree(None), TypeError, ["tree"]),
                (lambda: Routing(mesh, "own"), cubenet.ArgumentError, ["Routing.own()"])):
            with self.refused(error, *parts):
                make()


# ---- next channels ----

class Channels(Case):
    def test_agree_with_the_functions_of_one_node(self):
        torus = Topology.torus([4, 5])
        for name, rule, least in (("dimension-order", "dimension-order", 2), ("duato", "duato", 3)):
            r = Routing(torus, name)
            self.assertEqual(r.least_virtual_channels, least)
            for u, v in itertools.product(range(20), repeat=2):
                for count in (None, least, least + 3):
                    self.assertEqual(
                        r.virtual_channels(u, v, virtual_channels=count),
                        torus.wormhole_channels(rule, count or least, u, v))
        minimal = Routing(torus, "minimal")
        for u, v in itertools.product(range(20), repeat=2):
            self.assertEqual(minimal.channels(u, v), [
                port for port, other in enumerate(torus.neighbors(u))
                if torus.distance(other, v) < torus.distance(u, v)])

    def test_depend_on_where_a_worm_came_from(self):
        ring = Topology.ring(6)
        r = Routing(ring, "up-down-adaptive")
        new = r.virtual_channels(1, 3)
        self.assertIn((1, 1), new)  # adaptive
        on_escape = r.virtual_channels(1, 3, came=(0, 1, 0))
        self.assertTrue(on_escape and all(channel == 0 for _, channel in on_escape))
        self.assertEqual(r.virtual_channels(1, 3, (0, 1, 1)), new)
        self.assertEqual(r.virtual_channels(3, 3), [])

    def test_refusals(self):
        ring = Topology.ring(6)
        faults = Faults(ring)
        faults.add_node(2)
        r = Routing(ring, "up-down", faults)
        for attempt, parts in ((lambda: r.channels(6, 0), ["6"]),
                               (lambda: r.channels(2, 0), ["2"]),
                               (lambda: r.virtual_channels(0, 1, virtual_channels=65), ["65"]),
                               (lambda: r.virtual_channels(0, 4, came=(3, 1, 0)), ["3"]),
                               (lambda: r.virtual_channels(0, 1, came=(1, 0)),
                                ["came = (1, 0), but it must be (node, port, virtual channel)"]),
                               (lambda: r.virtual_channels(0, 1, came=1), ["came = 1, but"]),
                               (lambda: Routing(ring, "duato").deadlock_check(2), ["2"])):
            with self.refused(cubenet.ArgumentError, *parts):
                attempt()


# ---- rules of the caller ----

class Own(Case):
    def setUp(self):
        self.in_use = []  # functions that C has the addresses of

    def tearDown(self):
        self.in_use.clear()
        super().tearDown()

    def test_dimension_order_of_ones_own(self):
        mesh = Topology.mesh([3, 4])
        own, built_in = Routing.own(mesh, dimension_order(mesh)), Routing(mesh, "dimension-order")
        self.assertEqual((own.name, own.least_virtual_channels), ("own", 1))
        for u, v in itertools.product(range(12), repeat=2):
            self.assertEqual(own.channels(u, v), built_in.channels(u, v))
            self.assertEqual(own.virtual_channels(u, v), built_in.virtual_channels(u, v))
        self.assertEqual(own.deadlock_check(), built_in.deadlock_check())

    def test_is_asked_when_made_and_never_again(self):
        mesh, calls = Topology.mesh([2, 2]), []
        rule = dimension_order(mesh)
        r = Routing.own(mesh, lambda *place: calls.append(place) or rule(*place))
        asked = len(calls)
        self.assertGreater(asked, 0)
        self.assertTrue(all(node != destination for node, destination, _ in calls))
        r.channels(0, 3), r.virtual_channels(0, 3), r.deadlock_check()
        self.assertEqual(len(calls), asked)

    def test_rules_that_look_back(self):
        """Once a worm has taken virtual channel 1 it stays on it."""
        ring = Topology.ring(5, bidirectional=False)

        def rule(node, destination, came):
            return [(0, 1)] if came and (came[2] or node == 0) else [(0, 0)]
        r = Routing.own(ring, rule, virtual_channels=2)
        self.assertEqual(r.virtual_channels(2, 4), [(0, 0)])
        self.assertEqual(r.virtual_channels(4, 2, came=(0, 0, 1)), [(0, 1)])
        self.assertEqual(r.virtual_channels(4, 2, came=(0, 0, 0)), [(0, 0)])
        self.assertEqual(r.deadlock_check().verdict, "acyclic")

    def test_escapes(self):
        cube = Topology.hypercube(3)

        def adaptive(node, destination, came):
            ways = [port for port in range(3) if (node ^ destination) >> port & 1]
            return [(ways[0], 0)] + [(port, 1) for port in ways]

        def lowest(node, destination, came):
            return adaptive(node, destination, came)[:1]
        checked = cubenet.deadlock_check(cube, adaptive, 2, escape=[0])
        self.assertEqual(checked.verdict, "escape")
        for escape in ([0], lowest, self.in_c(cube, lowest)):
            r = Routing.own(cube, adaptive, escape=escape, virtual_channels=2)
            self.assertEqual(r.deadlock_check(), checked)
        self.assertEqual(
            Routing.own(cube, self.in_c(cube, adaptive), [0], 2).deadlock_check(), checked)
        self.assertEqual(Routing.own(cube, adaptive, None, 2).deadlock_check().verdict, "cyclic")
        self.assertEqual(Routing.own(cube, adaptive, [1], 2).deadlock_check().verdict,
                         cubenet.deadlock_check(cube, adaptive, 2, escape=[1]).verdict)

    def in_c(self, topology, rule):
        """The address of a cn_vc_rule that answers as the rule does."""
        @cubenet._library._VC_RULE
        def function(user, node, destination, previous, port, channel, sets):
            came = None if port == 2**32 - 1 else (previous, port, channel)
            for choice, v in rule(node, destination, came):
                sets[choice] |= 1 << v
            return 0
        self.in_use.append(function)
        return ctypes.cast(function, ctypes.c_void_p).value

    def test_functions_of_c(self):
        mesh = Topology.mesh([3, 3])
        address = self.in_c(mesh, dimension_order(mesh))
        own, built_in = Routing.own(mesh, address), Routing(mesh, "dimension-order")
        self.assertEqual(own.deadlock_check(), built_in.deadlock_check())
        self.assertEqual(cubenet.deadlock_check(mesh, address),
                         cubenet.deadlock_check(mesh, dimension_order(mesh)))
        failing = cubenet._library._VC_RULE(lambda *arguments: -8)
        with self.refused(cubenet.StateError, "rule returned -8 at node"):
            Routing.own(mesh, failing)
        self.assertEqual([own.channels(0, v) for v in range(9)],
                         [built_in.channels(0, v) for v in range(9)])

    def test_bad_rules_name_node_and_destination(self):
        ring = Topology.ring(4)
        flips = itertools.count()

        class Mine(Exception):
            pass

        def fail(*place):
            raise Mine("here")
        for rule, options, error, parts in (
                (fail, {}, Mine, ["here"]),
                (clockwise, {"escape": fail}, Mine, ["here"]),
                (lambda *place: [], {}, cubenet.DisconnectedError, ["node", "destination"]),
                (lambda *place: [(2, 0)], {}, cubenet.ArgumentError, ["port = 2"]),
                (lambda *place: [(0, 1)], {}, cubenet.ArgumentError, ["node", "destination"]),
                (lambda *place: [(0, 0), (1, 0)], {}, cubenet.ArgumentError, ["node", "destination"]),
                (lambda *place: [(next(flips) % 2, 0)], {}, cubenet.ArgumentError,
                 ["node", "destination"]),
                (clockwise, {"escape": lambda *place: [(0, 0)]}, cubenet.ArgumentError,
                 ["escape", "node", "destination"]),
                (clockwise, {"escape": [1]}, cubenet.ArgumentError, ["escape = 1"]),
                (clockwise, {"virtual_channels": 0}, cubenet.ArgumentError, ["virtual_channels"]),
                (clockwise, {"escape": 2.5}, TypeError, ["escape"]),
                ("duato", {}, TypeError, ["rule", "str"]), (None, {}, TypeError, ["rule"]),
                (7, {}, TypeError, ["rule", "not int"]),
                (clockwise, {"escape": 7}, TypeError, ["escape", "not int"])):
            with self.refused(error, *parts):
                Routing.own(ring, rule, **options)


# ---- deadlock ----

class Deadlock(Case):
    def test_verdicts(self):
        torus = Topology.torus([5, 5])
        found = Routing(torus, "minimal").deadlock_check()
        self.assertEqual((found.verdict, found.free), ("cyclic", False))
        self.assertTrue(found.cycle)
        self.assertEqual(Routing(torus, "dimension-order").deadlock_check(),
                         cubenet.deadlock_check(torus, "dimension-order", 2))
        duato = Routing(torus, "duato")
        self.assertEqual(duato.deadlock_check(), duato.deadlock_check(3))
        self.assertEqual(duato.deadlock_check(4), cubenet.deadlock_check(torus, "duato", 4))
        self.assertEqual(Routing(torus, "valiant").deadlock_check().verdict, "acyclic")


# ---- walks and loads, held against all walks of small networks ----

def stored_walks(routing, source, destination):
    """(probability, nodes) of every walk of a message that is stored at nodes, of a routing of one
    class."""
    t, walks, going = routing.topology, [], [(Fraction(1), [source])]
    while going:
        probability, nodes = going.pop()
        if nodes[-1] == destination:
            walks.append((probability, nodes))
            continue
        ports = routing.channels(nodes[-1], destination)
        going += [(probability / len(ports), nodes + [t.neighbor(nodes[-1], port)])
                  for port in ports]
    return walks


class Asked(Case):
    def networks(self):
        damaged = Faults(Topology.torus([3, 4]))
        damaged.add_node(5)
        for topology, name, faults in (
                (Topology.mesh([3, 3]), "dimension-order", None),
                (Topology.mesh([3, 3]), "negative-first", None),
                (Topology.kary_ncube(3, 2), "minimal", None),
                (Topology.hypercube(3), "preferred", None),
                (damaged.topology, "minimal", damaged)):
            yield Routing(topology, name, faults=faults), [
                v for v in range(topology.node_count) if not (faults and faults.has_node(v))]

    def test_walks(self):
        for r, nodes in self.networks():
            with self.subTest(routing=r):
                longest = 0
                for u, v in itertools.product(nodes, nodes):
                    walks = [walk for _, walk in stored_walks(r, u, v)]
                    lengths = [len(walk) - 1 for walk in walks]
                    longest = max(longest, *lengths)
                    self.assertEqual(r.distance(u, v), min(lengths))
                    drawn = {tuple(r.path(u, v, seed)) for seed in range(8)}
                    self.assertLessEqual(drawn, set(map(tuple, walks)))
                    self.assertEqual(r.path(u, v), r.path(u, v, seed=0))
                self.assertEqual(r.longest_walk(), longest)
                self.assertTrue(r.is_minimal())
                self.assertEqual(r.stretch(), (1.0, 1.0))

    def test_a_path_of_many_nodes(self):
        ring = Topology.ring(300)
        self.assertEqual(Routing(ring, "minimal").path(10, 160), list(range(10, 161)))

    def test_detours(self):
        """Clockwise only: pairs that were 1, 2 hops apart the other way have 4, 3."""
        ring = Topology.ring(5)
        r = Routing.own(ring, clockwise)
        self.assertEqual((r.distance(1, 0), r.longest_walk(), r.is_minimal()), (4, 4, False))
        mean, greatest = r.stretch()
        self.assertEqual(greatest, 4.0)
        self.assertAlmostEqual(mean, (1 + 1 + 1.5 + 4) / 4, places=12)
        self.assertEqual(r.loads(), [[0.0, 2.5]] * 5)
        self.assertEqual(r.saturation_load(), 0.4)
        by_way = Routing(ring, "valiant")
        self.assertEqual((by_way.is_minimal(), by_way.longest_walk()), (False, 4))
        self.assertEqual({len(by_way.path(0, 1, seed)) for seed in range(40)} - {2, 3, 4, 5}, set())

    def expected(self, r, nodes, rate):
        t = r.topology
        loads = [[0] * t.degree(v) for v in range(t.node_count)]
        for u, v in itertools.permutations(nodes, 2):
            for probability, walk in stored_walks(r, u, v):
                for a, b in zip(walk, walk[1:]):
                    loads[a][t.port_to(a, b)] += probability * rate(u, v)
        return loads

    def agree(self, found, expected):
        self.assertEqual(list(map(len, found)), list(map(len, expected)))
        for a, b in zip(itertools.chain(*found), itertools.chain(*expected)):
            self.assertAlmostEqual(a, float(b), places=12)

    def test_loads(self):
        def odd(u, v):
            return (3 * u + 5 * v) % 7 / 7
        for r, nodes in self.networks():
            with self.subTest(routing=r):
                uniform = Fraction(1, len(nodes) - 1)
                for loads, saturation, rate in (
                        (r.loads(), r.saturation_load(), lambda u, v: uniform),
                        (r.loads(odd), r.saturation_load(odd), lambda u, v: Fraction(odd(u, v)))):
                    expected = self.expected(r, nodes, rate)
                    self.agree(loads, expected)
                    self.assertAlmostEqual(saturation, 1 / float(max(map(max, expected))), places=12)

    def test_loads_of_a_traffic(self):
        mesh = Topology.mesh([3, 3])
        r = Routing(mesh, "negative-first")
        for traffic in (Traffic(mesh), Traffic(mesh, "transpose"), Traffic.hotspot(mesh, 4, 0.5)):
            expected = self.expected(r, range(9), lambda u, v: Fraction(traffic.probability(u, v)))
            self.agree(r.loads(traffic), expected)
            self.assertAlmostEqual(r.saturation_load(traffic),
                                   1 / float(max(map(max, expected))), places=12)
        self.agree(r.loads(Traffic(mesh)), r.loads())

    def test_a_rate_may_be_a_function_of_c(self):
        ring = Topology.ring(4, bidirectional=False)

        @cubenet._library._RATE
        def rate(user, source, destination, answer):
            answer[0] = 1.0
            return 0
        self.assertEqual(Routing(ring, "minimal").loads(rate), [[6.0]] * 4)

    def test_refusals(self):
        mesh = Topology.mesh([3, 3])
        faults = Faults(mesh)
        faults.add_node(8)
        r = Routing(mesh, "minimal", faults)
        for attempt, error, parts in (
                (lambda: r.path(0, 8), cubenet.ArgumentError, ["8"]),
                (lambda: r.path(9, 0), cubenet.ArgumentError, ["9"]),
                (lambda: r.path(0, 1, seed=-1), cubenet.ArgumentError, ["seed = -1"]),
                (lambda: r.distance(8, 0), cubenet.ArgumentError, ["8"]),
                (lambda: r.loads(lambda u, v: -1), cubenet.ArgumentError, ["-1"]),
                (lambda: r.loads(lambda u, v: "x"), TypeError, ["traffic must be a number"]),
                (lambda: r.loads(lambda u, v: 1 // 0), ZeroDivisionError, []),
                (lambda: r.saturation_load(lambda u, v: 0), cubenet.ArgumentError, ["no channel"]),
                (lambda: r.loads("uniform"), TypeError, ["traffic", "str"]),
                (lambda: r.loads(Traffic(Topology.ring(9))), cubenet.ArgumentError, ["ring(9)"])):
            with self.refused(error, *parts):
                attempt()


# ---- the page about it ----

class Worms(Case):
    def test_any_routing_runs(self):
        psnn = Topology.psnn(4)
        names = ["up-down", "up-down-adaptive", "valiant"]
        delays = {}
        for name in names:
            routing = Routing(psnn, name)
            runs = [Scenario(psnn, "wormhole", routing=given, load=0.01, message_flits=4,
                             broadcast_fraction=0.1, measure_cycles=2000).simulate()
                    for given in (name, routing)]
            self.assertEqual(*[run["mean_delay"] for run in runs])
            delays[name] = runs[0]["mean_delay"]
        self.assertEqual(len(set(delays.values())), 3)
        self.assertEqual(Scenario(psnn, "wormhole").routing, "up-down-adaptive")

    def test_faults(self):
        torus = Topology.kary_ncube(4, 2, bidirectional=True)
        faults = Faults(torus)
        faults.add_node(3)
        routing = Routing(torus, "up-down", faults=faults)
        scenario = Scenario(torus, "wormhole", routing=routing, faults=faults, load=0.01,
                            measure_cycles=1000)
        self.assertEqual(scenario.virtual_channels, 1)
        self.assertGreater(scenario.simulate()["throughput"], 0)
        sim = scenario.open()
        with self.assertRaisesRegex(cubenet.DisconnectedError, "destination = 3"):
            sim.inject(0, 3)
        scenario.routing = None
        self.assertEqual((scenario.routing, scenario.virtual_channels), ("up-down-adaptive", 2))
        self.assertGreater(scenario.simulate()["throughput"], 0)

    def test_what_may_deadlock(self):
        torus = Topology.kary_ncube(5, 2, bidirectional=True)
        scenario = Scenario(torus, "wormhole", routing="minimal", load=0.001, measure_cycles=1000)
        with self.assertRaisesRegex(cubenet.UnsupportedError, "may deadlock.*->.*unsafe = yes"):
            scenario.simulate()
        scenario.unsafe = True
        self.assertGreater(scenario.simulate()["throughput"], 0)


class Page(Case):
    def test_examples(self):
        text = (ROOT / "docs/routing.md").read_text()
        tried = doctest.DocTestParser().get_doctest(text, {"cubenet": cubenet}, "routing.md", None, 0)
        self.assertGreater(len(tried.examples), 10)
        self.assertEqual(doctest.DocTestRunner().run(tried).failed, 0)
        tried.globs.clear()

    def test_the_rule_in_c_is_that_of_the_example(self):
        text = (ROOT / "docs/routing.md").read_text()
        rule = re.search(r"```c\n(.*?)```", text, re.DOTALL).group(1)
        self.assertIn(rule, (ROOT / "docs/examples/own_routing.c").read_text())

    def test_names_of_kinds(self):
        text = (ROOT / "docs/routing.md").read_text()
        kinds = text[text.index("## Kinds"):text.index("## What a routing returns")]
        self.assertEqual(re.findall(r"^\| `([\w-]+)`", kinds, re.MULTILINE),
                         [kind.name for kind in cubenet.routings()])


if __name__ == "__main__":
    unittest.main(verbosity=2)

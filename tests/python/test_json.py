"""Tests of objects as JSON in lib/python/cubenet/, and of the examples of docs/reference/formats.md."""

import copy
import json
import pickle
import re
import unittest

import cubenet
from cubenet import (
    Faults, Operations, Result, Routing, Scenario, Study, Topology, Traffic, Tree, merge)
from test_cubenet import ROOT, Case

KINDS = {kind.__name__.lower(): kind
         for kind in (Topology, Faults, Traffic, Routing, Scenario, Study, Result)}


def objects():
    cube, ring = Topology.hypercube(3), Topology.ring(5)
    faults = Faults(cube)
    faults.add_node(3)
    operations = Operations(cube)
    operations.add(0, [1, 2], 4)
    operations.add(5)
    for tree in (cube.binomial_tree(0, 1), cube.edge_disjoint_tree(5, 2), cube.balanced_tree(1),
                 Tree.breadth_first(cube, 2)):
        operations.set_tree(tree)
    routing = Routing(cube, "minimal", faults=faults)
    return [
        Study(cube, faults=faults, clusters=(2, 1), bombs=(1, 1), node_probability=0.125, keep="clusters",
              scenario=Scenario(cube, "separate-buffers", load=0.1), patterns=7, seed=3),
        ring, Topology.from_edges(3, [(0, 1), (1, 2)]), faults, routing,
        Routing.own(ring, lambda node, destination, came: [(1, 0)]),
        Traffic(cube, "bit-complement", on_off=(2, 3.5)), Traffic.permutation(ring, 4),
        Scenario(ring, "wormhole", load=0.01, seed=2**64 - 1, routing="up-down"),
        Scenario(cube, "separate-buffers", load=0.1, faults=faults, routing=routing,
                 traffic=Traffic.hotspot(cube, 1, 0.5)),
        Scenario(cube, "deflection", load=0.1, subnet=faults.convex_subnet()),
        Scenario(cube, "collective", operations=operations),
    ]


class Shards(Case):
    def check(self, run):
        whole, parts = run((0, 1)), [run((s, 3)) for s in range(3)]
        self.assertEqual(whole.shard, (0, 1))
        self.assertEqual(parts[1].shard, (1, 3))
        self.assertEqual(len(parts[1]), 0)
        self.assertIn("shard 1 of 3", repr(parts[1]))
        with self.assertRaisesRegex(cubenet.NotFoundError, "shard 1 of 3"):
            parts[1]["mean_delay"]
        carried = [pickle.loads(pickle.dumps(part)) for part in (parts[2], parts[0], parts[1])]
        self.assertEqual(merge(carried).to_json(), whole.to_json())
        self.assertEqual(merge([whole]).to_json(), whole.to_json())
        with self.assertRaisesRegex(cubenet.ArgumentError, "shard 2 of 3 is missing"):
            merge(parts[:2])
        with self.assertRaisesRegex(TypeError, r"results\[1\] must be a cubenet result"):
            merge([whole, 5])
        with self.assertRaises(cubenet.ArgumentError):
            merge([])

    def test_simulations(self):
        scenario = Scenario(Topology.hypercube(4), "deflection", load=1, measure_cycles=300,
                            replications=7, relative_precision=0)
        self.check(lambda shard: scenario.simulate(shard=shard, statistics=True))

    def test_studies(self):
        study = Study(Topology.hypercube(4), nodes=2, patterns=11)
        self.check(lambda shard: study.run(shard=shard))
        self.assertEqual(Study.from_json(study.to_json()).run(), study.run())


class Text(Case):
    def test_what_is_read_is_equal(self):
        for one in objects():
            with self.subTest(one):
                again = type(one).from_json(one.to_json())
                self.assertEqual(again, one)
                self.assertEqual(hash(again), hash(one))
                self.assertEqual(again.to_json(), one.to_json())
                self.assertEqual(repr(again), repr(one))

    def test_pickled_and_copied(self):
        for one in objects():
            for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
                self.assertEqual(again, one)

    def test_a_scenario_knows_what_it_holds(self):
        *_, damaged, subnet, collective = map(copy.copy, objects())
        self.assertEqual(damaged.faults.nodes, [3])
        self.assertEqual(damaged.routing.name, "minimal")
        self.assertEqual(damaged.traffic.pattern, "hotspot")
        self.assertEqual(subnet.subnet.survivors, [0, 1, 2, 4, 5, 6, 7])
        self.assertEqual([tuple(one) for one in collective.operations],
                         [(0, [1, 2], 4), (5, None, 0)])

    def test_what_differs_is_not_equal(self):
        ring, other = Topology.ring(9), Topology.ring(8)
        named = Topology.kary_ncube(9, 1, bidirectional=True)
        self.assertEqual(Traffic(ring), Traffic(named))  # one network of two names
        self.assertNotEqual(Traffic(ring), Traffic(other))
        self.assertNotEqual(Traffic(ring), Traffic(ring, source="poisson"))
        self.assertNotEqual(Scenario(ring, "wormhole"), Scenario(ring, "wormhole", seed=2))
        self.assertNotEqual(Scenario(ring, "wormhole"), Traffic(ring))
        changed = Faults(ring)
        changed.add_node(1)
        self.assertNotEqual(changed, Faults(ring))

    def test_results(self):
        scenario = Scenario(Topology.torus([3, 4]), "separate-buffers", load=0.1, measure_cycles=40,
                            warmup_cycles=10, statistics=True)
        result = scenario.simulate()
        again = pickle.loads(pickle.dumps(result))
        self.assertEqual(again, result)
        self.assertEqual(again.to_dict(half_widths=True), result.to_dict(half_widths=True))
        self.assertEqual(again.half_width("mean_delay"), float("inf"))
        self.assertEqual(again.channel_loads(), result.channel_loads())
        self.assertEqual(again.histogram("delay"), result.histogram("delay"))
        self.assertEqual(again.scenario, scenario)
        self.assertEqual(again.scenario.simulate().to_json(), result.to_json())
        self.assertEqual(again.library, cubenet.version())
        predicted = scenario.predict()
        self.assertEqual(pickle.loads(pickle.dumps(predicted)).model, predicted.model)
        self.assertEqual(json.loads(predicted.to_json())["model"], "separate-buffers/own/1")
        self.assertNotIn("model", json.loads(result.to_json()))
        self.assertEqual(json.loads(result.to_json())["estimates"]["throughput"]["value"],
                         result["throughput"])

    def test_a_study_without_a_scenario(self):
        study = cubenet.Study(Topology.hypercube(4), patterns=3)
        result = study.run()
        self.assertIsNone(Result.from_json(result.to_json()).scenario)

    def test_refused(self):
        for text, part in (("", "line 1, column 1"), ("{}", "must say what this is"),
                           ('{"cubenet": "topology", "format": 9}', "format 9")):
            with self.assertRaisesRegex(cubenet.Error, re.escape(part)):
                Topology.from_json(text)
        with self.assertRaises(TypeError):
            Topology.from_json(None)

    def test_what_has_no_text(self):
        scenario = Scenario(Topology.hypercube(3), "deflection", load=0.1)
        faults = Faults(scenario.topology)
        for thing in (faults.convex_subnet(), faults.hierarchy()):
            with self.assertRaisesRegex(TypeError, "cannot be pickled"):
                pickle.dumps(thing)


class Documentation(Case):
    text = (ROOT / "docs" / "reference" / "formats.md").read_text()

    def test_examples_are_what_is_written(self):
        examples = re.findall(r"```json\n(.*?)\n```", self.text, re.S)
        self.assertGreater(len(examples), 3)
        for example in examples:
            kind = KINDS[json.loads(example)["cubenet"]]
            self.assertEqual(kind.from_json(example).to_json(), example)

    def test_every_key_is_documented(self):
        named = set(re.findall(r"`(\w+)`", self.text))

        def keys(data):
            if isinstance(data, list):
                return set().union(*map(keys, data))
            if not isinstance(data, dict):
                return set()
            by_name = {"parameters", "estimates", "batches"}  # whose keys are those of tables
            inner = set().union(*(keys(value) for key, value in data.items() if key not in by_name))
            return set(data) | inner
        scenario = Scenario(Topology.ring(4), "separate-buffers", load=0.1, statistics=True,
                            measure_cycles=200, warmup_cycles=10)
        ring = scenario.topology
        more = [scenario.simulate(), Traffic.locality(ring, [1, 2]), Traffic.trace(ring, [(0, 1, 2)]),
                Traffic.matrix(ring, [[0, 1, 1, 1]] + 3 * [[0] * 4]), Routing.tree(Tree.breadth_first(ring)),
                Routing(Topology.hypercube(2), "two-level"), Routing(Topology.hypercube(2), "optimal-path")]
        for one in objects() + more:
            found = keys(json.loads(one.to_json()))
            unnamed = found - named - {"cubenet", "format", "topology", "made_of", "neighbors"}
            # counts of nodes have the names of their table
            unnamed -= {"offered", "accepted", "refused", "delivered", "forwarded"}
            self.assertEqual(unnamed, set(), one)


if __name__ == "__main__":
    unittest.main(verbosity=2)

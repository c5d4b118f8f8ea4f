"""Tests of the class Workload of lib/python/cubenet/, and of the results of scenarios with one."""

import copy
import pickle
import random
import unittest
import xml.etree.ElementTree

import cubenet
from cubenet import ArgumentError, Message, Scenario, Topology, Workload
from test_cubenet import Case

NEVER = 2**64 - 1


def chain(topology):
    return Workload(topology, [(0, 1, 16), (1, 2, 16, [0], 50), (1, 3, 2, [], 0, [1]), (2, 2, 0, [1], 7)])


def reset(topology):
    """A run whose statistics begin anew in the middle."""
    sim = Scenario(topology, "wormhole", workload=chain(topology)).open()
    sim.step(30)
    sim.reset_statistics()
    sim.step(10000)
    return sim.result()


def at_random(topology, count, seed):
    """Messages each of which may wait for one that came to its source and for one that left it."""
    drawn, rows, came, left = random.Random(seed), [], {}, {}
    for number in range(count):
        source, destination = drawn.sample(range(topology.node_count), 2)
        rows.append((source, destination, drawn.randrange(1, 9), came.get(source, [])[-1:], drawn.randrange(9),
                     left.get(source, [])[-1:]))
        came.setdefault(destination, []).append(number)
        left.setdefault(source, []).append(number)
    return Workload(topology, rows)


class Rows(Case):
    def test_come_back(self):
        workload = chain(Topology.ring(5))
        self.assertEqual(len(workload), 4)
        self.assertEqual(workload[1], Message(1, 2, 16, [0], 50, []))
        self.assertEqual(workload[-1], (2, 2, 0, [1], 7, []))
        self.assertEqual(workload[1:3][1].after_sent, [1])
        self.assertEqual(workload.steps, 3)
        self.assertEqual(workload.busiest_link(), 18)
        self.assertEqual(repr(workload), "<Workload on ring(5): 4 messages>")
        with self.assertRaisesRegex(IndexError, "index 4 of a workload of 4 messages"):
            workload[4]

    def test_what_is_left_out_is_nothing(self):
        self.assertEqual(list(Workload(Topology.ring(5), [(0, 1)])), [(0, 1, 0, [], 0, [])])
        self.assertEqual(Workload(Topology.ring(5)).steps, 0)

    def test_bad_ones_are_refused(self):
        ring = Topology.ring(5)
        for row, sentence in [((0,), r"rows\[1\] = \(0,\)"), ((0, 1, 2, [], 0, [], 7), "must be"), ("01", "must be"),
                              ((0, 9), "destination = 9"), ((0, 1, -1), "cannot be negative"),
                              ((0, 1, 1, [1]), "smaller numbers"), ((3, 1, 1, [0]), "goes to node 1"),
                              ((1, 1, 4), "computing alone")]:
            with self.assertRaisesRegex(ArgumentError, sentence):
                Workload(ring, [(0, 1, 1), row])
        with self.assertRaisesRegex(TypeError, "after must be a list"):
            Workload(ring, [(0, 1, 1, 0)])

    def test_busiest_link_of_a_routing(self):
        torus = Topology.torus([3, 4])
        workload = Workload(torus, [(0, 4, 12)])
        self.assertEqual(workload.busiest_link(), 12)
        self.assertEqual(workload.busiest_link(cubenet.Routing(torus, "minimal")), 6)
        with self.assertRaisesRegex(ArgumentError, "the workload is on torus"):
            workload.busiest_link(cubenet.Routing(Topology.ring(5), "minimal"))


class Text(Case):
    def test_json_csv_pickles_and_copies_are_equal(self):
        workload = at_random(Topology.torus([3, 4]), 60, 1)
        for again in (Workload(workload.topology, list(workload)), pickle.loads(pickle.dumps(workload)),
                      Workload.from_json(workload.to_json()), Workload.from_csv(workload.topology, workload.to_csv()),
                      workload.copy(), copy.copy(workload)):
            self.assertEqual(again, workload)
        again.add(0, 1)
        self.assertNotEqual(again, workload)
        self.assertNotEqual(workload, list(workload))

    def test_ids_are_words(self):
        text = "after,id,destination,source,flits\n,first,1,0,3\nfirst,b c,2,1,\n"
        workload = Workload.from_csv(Topology.ring(3), text)
        self.assertEqual(list(workload), [(0, 1, 3, [], 0, []), (1, 2, 0, [0], 0, [])])

    def test_bad_csv_is_refused(self):
        head = "id,source,destination,flits,after\n"
        for text, sentence in [("", "columns are missing"), ("id,source\n", "but they must be id, source"),
                               (head + "0,1,2,3,7\n", "line 2: after has '7'"), (head + "0,1,2,x,\n", "flits = 'x'"),
                               (head + "0,1,2,1,\n0,1,2,1,\n", "line 3: id = '0'"), (head + ",1,2,1,\n", "id = ''"),
                               (head + "0,1,2,1,,8\n", "no more fields"), (head + "0,1\n", "must have a source"),
                               (head + "0,1,9,1,\n", "line 2: destination = 9"),
                               (head.strip() + ",bytes\n", "but they must be")]:
            with self.assertRaisesRegex(ArgumentError, sentence):
                Workload.from_csv(Topology.ring(3), text)


    def test_csv_of_spreadsheets_and_of_others(self):
        ring = Topology.ring(8)
        head = "id,source,destination,flits,after\n"
        self.assertEqual(len(Workload.from_csv(ring, "\ufeff" + head + "a,0,1,1,\n")), 1)
        for text in ["id,source,source,destination,flits,after\na,0,3,1,1,\n",  # which one?
                     head + "a,0,1," + "9" * 5000 + ",\n"]:
            with self.assertRaises(ArgumentError):
                Workload.from_csv(ring, text)
        long = Workload(ring, [(0, 1, 1)] * 30000 + [(1, 2, 1, list(range(30000)))])
        self.assertEqual(Workload.from_csv(ring, long.to_csv()), long)  # of a field of 170 000 characters


class Runs(Case):
    def test_of_every_system(self):
        cube = Topology.hypercube(4)
        workload = Workload(cube, [(m.source, m.destination, 1, *m[3:]) for m in at_random(cube, 80, 3)])
        for system in ("separate-buffers", "shared-buffer", "deflection", "cut-through", "cut-through-deflection",
                       "wormhole"):
            result = Scenario(cube, system, workload=workload).simulate()
            self.assertEqual(result.stop, "completed")
            times = result.messages()
            self.assertTrue(all(r <= i < d for r, i, d in zip(*times)))
            self.assertEqual(max(times.delivered), result["completion_cycles"])
            self.assertGreaterEqual(result["bound_ratio"], 1)
            shares = [result[f"critical_{name}"] for name in ("computing", "source_waiting", "network_waiting", "wires")]
            self.assertEqual(sum(shares), result["completion_cycles"])
            path = result.critical_path()
            self.assertEqual(times.delivered[path[-1]], result["completion_cycles"])
            for before, after in zip(path, path[1:]):
                self.assertIn(before, workload[after].after + workload[after].after_sent)

    def test_of_what_was_set(self):
        ring = Topology.ring(5)
        workload = chain(ring)
        scenario = Scenario(ring, "wormhole", workload=workload)
        workload.add(0, 1)
        self.assertEqual((len(scenario.workload), len(workload)), (4, 5))
        self.assertIn("4 messages of a workload", repr(scenario))
        for again in (pickle.loads(pickle.dumps(scenario)), copy.copy(scenario), scenario.simulate().scenario):
            self.assertEqual(again.workload, scenario.workload)
        scenario.workload = None
        self.assertIsNone(scenario.workload)
        with self.assertRaisesRegex(ArgumentError, "load was never set"):
            scenario.simulate()
        with self.assertRaisesRegex(TypeError, "workload must be a cubenet workload"):
            scenario.workload = [(0, 1)]
        with self.assertRaisesRegex(cubenet.UnsupportedError, "does not take a workload"):
            Scenario(ring, "collective", workload=workload)

    def test_driven(self):
        scenario = Scenario(Topology.ring(5), "cut-through", workload=chain(Topology.ring(5)))
        simulation = scenario.open()
        simulation.step(20)
        part = simulation.result()
        self.assertEqual(part.stop, "cycles")
        self.assertNotIn("completion_cycles", part)
        self.assertEqual(part.messages().delivered[1], NEVER)
        self.assertEqual(part.critical_path(), [])
        self.assertIn("message 0", part.gantt())
        again = scenario.restore(simulation.save())
        other = Scenario(Topology.ring(5), "cut-through", workload=Workload(Topology.ring(5), [(0, 1, 16)]))
        with self.assertRaisesRegex(ArgumentError, "operations or workload differ"):
            other.restore(simulation.save())
        with self.assertRaisesRegex(cubenet.StateError, "injects its messages itself"):
            again.inject(0, 1)
        for one in (simulation, again, pickle.loads(pickle.dumps(simulation))):
            one.step_until(1000)
            self.assertEqual(one.result(), scenario.simulate())

    def test_result_is_text(self):
        result = Scenario(Topology.ring(5), "wormhole", workload=chain(Topology.ring(5))).simulate()
        again = pickle.loads(pickle.dumps(result))
        self.assertEqual([list(column) for column in again.messages()], [list(column) for column in result.messages()])
        self.assertEqual(again.critical_path(), result.critical_path())
        self.assertEqual(again.to_json(), result.to_json())
        with self.assertRaisesRegex(cubenet.NotFoundError, "no times of messages"):
            Scenario(Topology.ring(5), "wormhole", load=0.01, measure_cycles=1000).simulate().messages()


class Picture(Case):
    def test_has_a_bar_a_message_and_the_critical_path(self):
        torus = Topology.torus([3, 4])
        workload = at_random(torus, 60, 5)
        result = Scenario(torus, "wormhole", workload=workload).simulate()
        drawing = result.gantt()
        root = xml.etree.ElementTree.fromstring(drawing)
        self.assertEqual(drawing.count("<title>message"), 60)
        self.assertEqual(len({text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
                             & {str(v) for v in {m.source for m in workload}}), len({m.source for m in workload}))
        line = next(path for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("class") == "critical")
        self.assertEqual(line.get("d").count("H"), len(result.critical_path()))
        self.assertEqual(drawing, result.gantt())

    def test_is_that_of_the_first_run(self):
        """With replications the cycles of the result are those of all runs, and after a reset others."""
        ring = Topology.ring(8)
        one = Scenario(ring, "wormhole", workload=chain(ring)).simulate()
        for x in [Scenario(ring, "wormhole", workload=chain(ring), replications=5).simulate(), reset(ring)]:
            self.assertEqual(x.gantt(), one.gantt())

    def test_of_too_much_is_refused(self):
        cube = Topology.hypercube(10)
        workload = Workload(cube, [(v, v ^ 1, 1) for v in range(1024)])
        with self.assertRaisesRegex(ArgumentError, "1024 messages of 1024 nodes"):
            Scenario(cube, "separate-buffers", workload=workload).simulate().gantt()


if __name__ == "__main__":
    unittest.main()

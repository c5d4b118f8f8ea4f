"""Tests of lib/python/cubenet.py, the Python module on the built library.

After every test nothing of the library may be left in memory: cn_set_allocator() refuses as long as
any object is alive.
"""

import contextlib
import copy
import ctypes
import gc
import importlib.util
import math
import os
import pickle
import re
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
from array import array
from fractions import Fraction
from pathlib import Path
from unittest import mock

import cubenet
from cubenet import Scenario, Subcube, Topology

ROOT = Path(__file__).resolve().parents[2]


def live_objects():
    gc.collect()
    return cubenet._library.cn_set_allocator(None, None, None) != 0


class Case(unittest.TestCase):
    def tearDown(self):
        self.assertFalse(live_objects(), "an object of the library was not freed")

    @contextlib.contextmanager
    def refused(self, error, *parts):
        """The block raises this error, and its sentence holds these parts."""
        with self.assertRaises(error) as caught:
            yield
        for part in parts:
            self.assertIn(part, str(caught.exception))


def python(script, *arguments, **environment):
    """Runs a script in an interpreter of its own."""
    settings = {**os.environ, "PYTHONPATH": str(Path(cubenet.__file__).parent), **environment}
    return subprocess.run([sys.executable, "-X", "dev", "-c", textwrap.dedent(script), *arguments],
                          env=settings, capture_output=True, text=True, timeout=60)


def everything(result):
    """All that a result holds."""
    return ([(name, value, result.half_width(name), result.samples(name))
             for name, value in result.items()],
            result.saturated, result.seed, result.system)


# ---- the table of prototypes ----

class Prototypes(Case):
    C_TYPES = {"uint32_t": "u32", "uint64_t": "u64", "size_t": "size", "double": "f64",
               "int": "int", "void": "void", "cn_status": "status", "cn_param": "int",
               "cn_metric": "int", "cn_stop": "int"}

    def parameter(self, text):
        """A parameter of a header, as the table writes it."""
        kind, stars, name, brackets = re.fullmatch(
            r"(?:const )?(\w+)\s*(\**)(\w+)(\[\])?", text).groups()
        handle = kind.startswith("cn_") and kind not in self.C_TYPES and kind != "cn_delivery"
        short = kind[3:] if handle else self.C_TYPES.get(kind, kind.replace("cn_", ""))
        if kind == "char" and stars:
            return f"text {name}"
        if brackets or kind == "cn_delivery":
            return f"{short}[] {name}"
        if len(stars) > handle:
            return f"out {short} {name}"
        return f"{short} {name}"

    def test_agree_with_the_headers(self):
        headers = " ".join(path.read_text() for path in (ROOT / "include/cubenet").glob("*.h"))
        declared = {}
        for result, name, parameters in re.findall(
                r"CN_API ([\w ]+?[ *]+)(cn_\w+)\(([^()]*)\);", headers):
            result = "text" if "char" in result else self.C_TYPES.get(result.strip())
            inside = [] if parameters == "void" else re.split(r",\s*", parameters)
            declared[name] = (result, inside)
        joined = re.sub(r",\s+", ", ", cubenet._PROTOTYPES)
        rows = [row for row in joined.splitlines() if row.strip()]
        self.assertEqual(len(rows), len(vars(cubenet._c)))
        for row in rows:
            result, name, inside = re.fullmatch(r"\s*(\w+)\s+(\w+)\((.*)\)", row).groups()
            with self.subTest(function=name):
                in_c = [self.parameter(text) for text in declared[name][1]]
                if inside.startswith("ref "):
                    in_c = [text.replace("out " + inside[4:], "ref") for text in in_c]
                self.assertEqual(declared[name][0], result)
                self.assertEqual(", ".join(in_c), inside)

    def test_are_all_in_the_library(self):
        for name in vars(cubenet._c):
            self.assertTrue(hasattr(cubenet._library, name), name)

    def test_status_numbers_agree_with_the_header(self):
        text = (ROOT / "include/cubenet/base.h").read_text()
        numbers = {int(number) for number in re.findall(r"CN_ERR_\w+ = (-\d+)", text)}
        self.assertEqual(numbers, set(cubenet._ERRORS))


# ---- topologies ----

class Topologies(Case):
    def test_hypercube(self):
        cube = Topology.hypercube(6)
        self.assertEqual((cube.name, cube.node_count, cube.max_degree, cube.link_count,
                          cube.dimensions, cube.diameter), ("hypercube(6)", 64, 6, 192, 6, 6))
        self.assertIs(cube.is_bidirectional, True)
        self.assertEqual(cube.degree(63), 6)
        self.assertEqual(cube.neighbors(3), [2, 1, 7, 11, 19, 35])
        self.assertEqual(cube.neighbor(3, 2), 7)
        self.assertEqual(cube.back_port(3, 2), 2)
        self.assertEqual(cube.port_to(3, 7), 2)
        self.assertIsNone(cube.port_to(3, 3))
        self.assertEqual(cube.distance(0, 0b101101), 4)
        self.assertEqual(cube.mean_distance, float(Fraction(6 * 32, 63)))
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
        with self.refused(cubenet.RangeError, "2^61"):
            cube.link_count

    def test_kary_ncube(self):
        net = Topology.kary_ncube(5, 2)
        self.assertEqual((net.name, net.node_count, net.link_count), ("kary_ncube(5,2)", 25, 50))
        self.assertIs(net.is_bidirectional, False)
        self.assertEqual(net.neighbors(0), [4, 20])
        self.assertIsNone(net.back_port(0, 0))
        self.assertEqual(net.distance(0, 24), 2)
        self.assertEqual(net.distance(24, 0), 8)
        both = Topology.kary_ncube(5, 2, bidirectional=True)
        self.assertEqual(both.neighbors(0), [4, 20, 1, 5])
        self.assertEqual(both.diameter, 4)
        self.assertEqual(Topology.kary_ncube(16, 2).address(15), "0.15")

    def test_from_edges(self):
        path = Topology.from_edges(5, [(0, 1), (2, 1), [2, 3]])
        self.assertEqual(path.neighbors(1), [0, 2])
        self.assertEqual(path.neighbors(4), [])
        self.assertEqual(path.distance(0, 3), 3)
        self.assertIsNone(path.distance(0, 4))
        self.assertEqual(path.distance_counts(0), [1, 1, 1, 1])
        with self.refused(cubenet.DisconnectedError):
            path.diameter
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
            with mock.patch.object(cubenet._Function, "room", room):
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
        with self.refused(cubenet.CapacityError, "random_count = 4", "need 5 words"):
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
        with self.refused(ValueError, "edges[1] is not a pair"):
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
        error = cubenet._failure(-77)
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
        with self.refused(cubenet.UnsupportedError, "edges(2,1)"):
            Scenario(Topology.from_edges(2, [(0, 1)]), "deflection")
        with self.refused(cubenet.UnsupportedError, "kary_ncube(3,2)"):
            Scenario(Topology.kary_ncube(3, 2), "deflection", load=0.1).predict()

    def test_predict(self):
        scenario = Scenario(Topology.hypercube(6), "deflection", load=1.5, buffers=12)
        model = scenario.predict()
        for name, value in {"acceptance_probability": 0.91622, "throughput": 1.37433,
                            "mean_delay": 5.30814, "mean_hops": 3.12065,
                            "channel_utilization": 0.71480}.items():
            self.assertAlmostEqual(model[name], value, delta=0.5e-5, msg=name)
        self.assertAlmostEqual(model["mean_distance"], 6 * 32 / 63, delta=1e-14)
        self.assertEqual((model.half_width("mean_delay"), model.samples("mean_delay")), (0, 0))
        self.assertEqual((model.stop, model.saturated, model.seed, model.system),
                         ("analytic model", False, 1, "deflection"))
        self.assertEqual(everything(scenario.predict()), everything(model))
        scenario.load = 20
        self.assertIs(scenario.predict().saturated, True)

    def test_simulate(self):
        first = small(seed=5).simulate()
        self.assertEqual(everything(small(seed=5).simulate()), everything(first))
        self.assertNotEqual(everything(small(seed=6).simulate()), everything(first))
        self.assertEqual((first.stop, first.seed), ("the cycles were over", 5))
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
        self.assertEqual(simulation.stop, "the precision was met")
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
        self.assertEqual(repr(result), f"<Result of deflection: {len(result)} metrics, "
                         "analytic model>")
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

    def test_version(self):
        self.assertRegex(cubenet.version(), r"^\d+\.\d+\.\d+$")


# ---- simulations driven by hand ----

class Simulations(Case):
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
            self.assertEqual([*simulation.deliveries()], [(0, 0, 0b10110, 0, 3)])

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

    def test_no_copies(self):
        scenario = small()
        for thing in (scenario, scenario.topology, scenario.predict(), scenario.open()):
            for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaises(TypeError):
                    duplicate(thing)

    def test_objects_without_a_handle(self):
        for kind in (Topology, Scenario, cubenet.Result):
            with self.subTest(kind=kind), self.refused(cubenet.StateError, kind.__name__):
                kind.__new__(kind).node_count if kind is Topology else kind.__new__(kind).seed

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
            cube.all = [scenario, result, simulation]
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
        self.assertRegex(done.stdout, r"^OutOfMemoryError -2 out of memory: \d+ elements")
        self.assertEqual(done.stderr, "")


# ---- finding the library ----

class Loading(Case):
    def module(self, **environment):
        """A second copy of the module, loaded under these circumstances."""
        spec = importlib.util.spec_from_file_location("cubenet_again", cubenet.__file__)
        made = importlib.util.module_from_spec(spec)
        with mock.patch.dict(os.environ, environment):
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
            built = Path(cubenet._library._name).resolve()
            link = tree / "build-mine/lib" / ("libcubenet" + (".dylib" if sys.platform == "darwin"
                                                              else ".so"))
            link.symlink_to(built)
            (tree / "lib/python/cubenet.py").write_text(Path(cubenet.__file__).read_text())
            done = python("import cubenet; print(cubenet._library._name, cubenet.version())",
                          PYTHONPATH=str(tree / "lib/python"), CUBENET_LIBRARY="")
            self.assertEqual(done.stderr, "")
            self.assertEqual(done.stdout, f"{link} {cubenet.version()}\n")

    def test_a_missing_function_is_missed_only_when_used(self):
        other = self.module()

        class Old:
            _name = "old.so"
            cn_version_text = other._library.cn_version_text
        other._library = Old
        self.assertEqual(other.version(), cubenet.version())
        with self.refused(other.UnsupportedError, "old.so has no cn_topology_hypercube"):
            other.Topology.hypercube(3)


if __name__ == "__main__":
    unittest.main()

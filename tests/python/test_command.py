"""Tests of the command, lib/python/cubenet/_command.py, and of the drawings that it makes."""

import contextlib
import csv
import io
import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

import cubenet
from cubenet import Faults, Result, Routing, Scenario, Topology, Traffic, _command, _plot, _written
from test_cubenet import Case

SVG = "{http://www.w3.org/2000/svg}"
CUBE = ["hypercube(4)", "deflection", "buffers=8", "measure_cycles=200"]


def scenario(**more):
    return Scenario(Topology.hypercube(4), "deflection", **{"buffers": 8, "measure_cycles": 200, **more})


class Command(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def call(self, *words, status=0):
        """The output of a command that ends with this status, and what it says on the error output."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            try:
                given = _command.main([str(word) for word in words])
            except SystemExit as end:  # of argparse
                given = end.code
        self.assertEqual(given, status, err.getvalue())
        self.said = err.getvalue()
        return out.getvalue()

    def wrong(self, *words, says, status=2):
        """A command that ends with one line, in which all of this is."""
        self.assertEqual(self.call(*words, status=status), "")
        self.assertRegex(self.said, r"\Acubenet: [^\n]+\n\Z")
        for part in says:
            self.assertIn(part, self.said.replace('"', "'"))

    def rows(self, text):
        return list(csv.DictReader(io.StringIO(text)))

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name


class Experiments(Command):
    def test_run(self):
        """From words, from the JSON of a scenario and from that of a result."""
        wanted = scenario(load=0.5, seed=3).simulate()
        words = [*CUBE, "load=0.5", "seed=3"]
        self.assertEqual(self.call("run", *words), f"{wanted}\n")
        self.assertEqual(self.said, "")
        file, again = self.write("scenario.json", scenario(load=0.5).to_json()), self.folder / "result.json"
        text = self.call("run", file, "seed=3", "--json", "--out", again)
        self.assertEqual(Result.from_json(text).to_json(), wanted.to_json())
        self.assertEqual(again.read_text(), wanted.to_json())
        self.assertEqual(self.call("run", again), f"{wanted}\n")
        self.assertEqual(self.call("run", "--json", *words[:2], "--seconds", "9", *words[2:]), text)
        self.assertEqual(self.call("run", again, "load=0.25", "seed=1"), f"{scenario(load=0.25).simulate()}\n")

    def test_predict(self):
        wanted = scenario(load=0.5).predict()
        self.assertEqual(self.call("predict", *CUBE, "load=0.5"), f"{wanted}\n")
        self.assertEqual(Result.from_json(self.call("predict", *CUBE, "load=0.5", "--json")), wanted)

    def test_what_is_attached(self):
        """By name, from files, and faults as they are written in a line."""
        torus = Topology.torus([4, 4])
        faults = Faults(torus)
        faults.add_node(5)
        faults.add_link(1, torus.port_to(1, 2))
        cut = Faults(torus)
        cut.add_link(1, torus.port_to(1, 2))
        routing, traffic = Routing(torus, "up-down", cut), Traffic.hotspot(torus, 3, 0.2)
        for words, keywords in (
                (["faults=5+1-2", "routing=up-down-adaptive"], {"faults": faults, "routing": "up-down-adaptive"}),
                (["traffic=transpose", "faults=none"], {"traffic": Traffic(torus, "transpose")}),
                ([f"faults={self.write('faults', cut.to_json())}",
                  f"routing={self.write('routing', routing.to_json())}",
                  f"traffic={self.write('traffic', traffic.to_json())}"],
                 {"faults": cut, "routing": routing, "traffic": traffic})):
            common = {"load": 0.05, "measure_cycles": 300, "selection": "lowest"}
            wanted = Scenario(torus, "separate-buffers", **common, **keywords)
            words = [*(f"{name}={value}" for name, value in common.items()), *words]
            given = self.call("run", "torus(k=4, n=2)", "separate-buffers", *words, "--json")
            self.assertEqual(Result.from_json(given).to_json(), wanted.simulate().to_json())
            file = self.write("plain.json", Scenario(torus, "separate-buffers").to_json())
            self.assertEqual(self.call("run", file, *words, "--json"), given)

    def test_workloads(self):
        ring = Topology.ring(5)
        workload = cubenet.Workload(ring, [(0, 1, 16), (1, 2, 16, [0], 50)])
        expected = Scenario(ring, "wormhole", workload=workload).simulate()
        for name, text in ("w.json", workload.to_json()), ("w.csv", workload.to_csv()):
            out = self.call("run", "ring(5)", "wormhole", f"workload={self.write(name, text)}", "--json")
            self.assertEqual(Result.from_json(out), expected)
        held = self.write("result.json", expected.to_json())
        other = self.write("other.csv", cubenet.Workload(ring, [(0, 1, 3)]).to_csv())
        self.assertEqual(Result.from_json(self.call("run", held, f"workload={other}", "--json"))["completion_cycles"], 4)
        self.wrong("run", "ring(5)", "wormhole", "workload=none.csv", says=["workload = 'none.csv'", "JSON or CSV"])
        self.wrong("run", "ring(5)", "wormhole", f"workload={self.write('bad.csv', 'id')}", says=["bad.csv: the columns"])

    def test_networks(self):
        """Calls with numbers and lists, and files of three kinds."""
        ring = Topology.ring(5)
        for text, wanted in (("hypercube(3)", Topology.hypercube(3)), (" torus([4,\n3]) ", Topology.torus([4, 3])),
                             ("mesh(n=2, k=3)", Topology.mesh(k=3, n=2)),
                             ("ring(5, bidirectional=False)", Topology.ring(5, False)),
                             (str(self.write("ring.json", ring.to_json())), ring),
                             (str(self.write("ring.txt", ring.to_edge_list())), Topology.from_edge_list(
                                 ring.to_edge_list())),
                             (str(self.write("ring.graph", ring.to_metis())), Topology.from_metis(ring.to_metis()))):
            self.assertEqual(_written.network(text), wanted)
        for family in _written._families():
            self.assertIn(family, Topology.__dict__)
        self.assertIn("de_bruijn", _written._families())
        self.assertNotIn("from_edges", _written._families())

    def test_time_limit(self):
        given = Result.from_json(self.call("run", "hypercube(9)", "deflection", "load=0.5", "buffers=18",
                                           "measure_cycles=100000000", "relative_precision=0", "warmup_cycles=0",
                                           "--seconds", "0.2", "--json"))
        self.assertEqual(given.stop, "time-limit")

    def test_wrong_input(self):
        text = self.write("text.txt", "all of my notes")
        for words, says in (
                (["run", "hypercub(4)", "deflection"], ["hypercub(4)", "torus, mesh", "did you mean 'hypercube'?"]),
                (["run", "hypercube(4, 5)", "deflection"], ["hypercube(4, 5)", "arguments of hypercube are (n)"]),
                (["run", "hypercube('4')", "deflection"], ["n must be a whole number, not str"]),
                (["run", "hypercube(x)", "deflection"], ["have to be numbers"]),
                (["run", "hypercube(*[4])", "deflection"], ["have to be numbers"]),
                (["run", "hypercube(99)", "deflection"], ["n = 99"]),
                (["run", "from_edges(2, [(0, 1)])", "deflection"], ["there is no 'from_edges'"]),
                (["run", "__import__('os').getcwd()", "deflection"], ["a file that is there, or a call"]),
                (["run", "nothing.json"], ["nothing.json", "no experiment"]),
                (["run", "nothing.json", "deflection"], ["nothing.json", "a file that is there"]),
                (["run", text], ["text.txt: line 1, column 1: an object"]),
                (["run", text, "deflection"], ["text.txt: "]),
                (["run", "hypercube(4)"], ["no experiment"]),
                (["run", "hypercube(4)", "deflecton"], ["did you mean 'deflection'?"]),
                (["run", *CUBE, "laod=1"], ["did you mean 'load'?"]),
                (["run", "grid([4,4])", "deflection"], ["there is no 'grid'", "did you mean 'mesh'?"]),
                (["run", *CUBE, "load=much"], ["load = 'much'", "must be a number"]),
                (["run", *CUBE, "load="], ["load = ''", "must be a number"]),
                (["run", *CUBE, "seed=one"], ["seed = 'one'", "must be a number"]),
                (["run", *CUBE, "load=0.1:0.5:0.1"], ["load = '0.1:0.5:0.1'", "several values are for a sweep"]),
                (["run", *CUBE, "load=0.1,0.2"], ["load = '0.1,0.2'", "several values are for a sweep"]),
                (["sweep", *CUBE, "load=0.1,,0.2"], ["load = ''", "must be a number"]),
                (["run", *CUBE, "load=1", "load=2"], ["load is set twice: to '1' and to '2'"]),
                (["run", *CUBE[:2], "load", "=", "1"], ["'load' is no setting", "load=1"]),
                (["run", *CUBE, "load=-1"], ["load = -1"]),
                (["run", *CUBE, "load=1", "hypercube(3)"], ["'hypercube(3)' comes after buffers="]),
                (["run", *CUBE, "traffic=transpos"], ["did you mean 'transpose'?"]),
                (["run", *CUBE, "faults=3-"], ["faults = '3-'", "3+5-7"]),
                (["run", *CUBE, "faults=0-3"], ["hypercube(4) has no link 0-3"]),
                (["run", *CUBE, "faults=99"], ["node = 99"]),
                (["run", *CUBE, "load=1", "--out", self.folder / "no" / "result.json"], ["out = ", "no folder"]),
                (["run", *CUBE, "load=1", "--out", self.folder], ["directory"]),
                (["sweep", *CUBE, "load=1", "--plot", self.folder / "no" / "a.svg"], ["plot = ", "no folder"]),
                (["sweep", *CUBE, "load=1", "--out", self.folder / "no" / "rows.csv"], ["No such file"]),
                (["sweep", *CUBE, "load=1", "--plot", self.folder / "a.svg", "--y", "mean_dely"], ["'mean_delay'?"]),
                (["sweep", *CUBE, "load=1", "--plot", self.folder / "a.svg", "--x", "laod"], ["'load'?", "a setting"]),
                (["sweep", *CUBE, "load=1", "--plot", self.folder / "a.png"], ["a.png", "a drawing is a .svg"]),
                (["predict", "hypercube(4)", "collective"], ["collective"]),
                (["measure", "torus([8,8])", "diamete"], ["did you mean 'diameter'?"]),
                (["measure", "torus([8,8])", "node_cut"], ["node_cut"]),
                (["sweep", "hypercube(4)", "load=1"], ["no sweep"]),
                (["sweep", *CUBE, "load=0.1:1"], ["begin:end:step"]),
                (["sweep", *CUBE, "load=1:0:1"], ["0 values"]),
                (["sweep", *CUBE, "load=0:1:0"], ["begin:end:step"]),
                (["sweep", *CUBE, "load=0:1:1e-9"], ["1000000001 values"]),
                (["sweep", *CUBE, "load=1", "--threads", "0"], ["threads = 0"]),
                (["sweep", *CUBE, "load=1", "threads=2"], ["threads is no setting", "--help"]),
                (["sweep", *CUBE, "load=1", "system=deflection"], ["system is no setting"]),
                (["sweep", "hypercube(4)", *CUBE, "faults=3"], ["one network"]),
                (["sweep", *CUBE, "load=1", "--predict", "--plot", self.folder / "a.svg", "--y", "delay_max"],
                 ["y = 'delay_max'"]),
                (["draw", "torus([4,4])", "--out", "torus.png"], ["torus.png", ".svg"]),
                (["draw", "hypercube(20)"], ["1024"]),
                (["deadlock", "torus([4,4])"], ["is no check", "a network and a routing"]),
                (["deadlock", "torus([4,4])", "duat"], ["did you mean 'duato'?"]),
                (["deadlock", "torus([4,4])", "duato", "load=1"], ["load is no setting"]),
                (["deadlock", "torus([4,4])", "duato-unsafe", "faults=3"], ["faults = '3'", "whole networks"]),
                (["deadlock", "torus([4,4])", "duato-unsafe", "virtual_channels=0"], ["virtual_channels = 0"]),
                (["deadlock", self.write("d.json", scenario().to_json()), "virtual_channels=2"], ["virtual_channels"]),
                (["parameters", "deflecton"], ["there is no system 'deflecton'", "did you mean 'deflection'?"])):
            with self.subTest(words=words):
                self.wrong(*words, says=says)
        self.wrong("predict", "hypercube(4)", "separate-buffers", "load=9", says=["steady state"], status=1)

    def test_wrong_usage(self):
        """argparse says what is wrong, and what is right."""
        for words in ([], ["fly"], ["run"], ["run", "hypercube(4)", "deflection", "--fast"], ["systems", "all"],
                      ["sweep", *CUBE, "--threads", "many"]):
            self.call(*words, status=2)
            self.assertIn("usage: cubenet", self.said)
        for words in (["--help"], ["sweep", "--help"]):
            self.assertIn("usage: cubenet", self.call(*words))
        self.assertEqual(self.call("--version"), f"cubenet {cubenet.version()}\n")


class Tables(Command):
    def test_measure(self):
        lines = [line.split() for line in self.call("measure", "torus([8,8])").splitlines()]
        self.assertEqual(lines[:4], [["topology", "torus([8,8])"], ["nodes", "64"], ["degree", "4"],
                                     ["diameter", "8", "closed-form"]])
        self.assertIn(["mean_distance", "4.063492", "closed-form"], lines)
        self.assertEqual(len(lines) - 3, len(cubenet.measures()) - 1)  # all but the cut of stars and trees
        graph = self.write("graph.txt", "\ufeff0 1\n1 2\n2 0\n2 3\n")  # the mark of Windows is no part of it
        given = json.loads(self.call("measure", graph, "diameter", "bisection_width", "--json"))
        exact = Topology.from_edge_list(graph.read_text(encoding="utf-8-sig")).measure("bisection_width")
        self.assertEqual(given, {"topology": "edges(4,4)", "nodes": 4, "degree": 3, "measures": {
            "diameter": {"lower": 2, "upper": 2, "kind": "exact"}, "bisection_width": exact._asdict()}})

    def test_measures_that_take_too_long(self):
        """They are bounds, of which JSON has no infinite ones."""
        words = ["measure", "psnn(13)", "mean_distance", "looseness", "--seconds", "1e-9"]
        rows = [re.split(r"\s\s+", line) for line in self.call(*words).splitlines()[3:]]
        self.assertEqual([(row[0], row[2]) for row in rows], [("mean_distance", "bounds"), ("looseness", "bounds")])
        self.assertTrue(rows[1][1].endswith(" .. inf"))
        given = json.loads(self.call(*words, "--json"), parse_constant=self.fail)["measures"]
        self.assertIsNone(given["looseness"]["upper"])
        self.assertLess(given["mean_distance"]["lower"], given["mean_distance"]["upper"])

    def test_measures_that_have_no_value(self):
        """In a network of two pieces, and in one of too many links: the others are printed, unless it is asked for."""
        pieces = self.write("pieces.txt", "0 1\n1 2\n3 4\n")
        self.assertIn("links     ", self.call("measure", pieces))
        self.assertRegex(self.said, r"\Acubenet: no diameter, mean_distance,[^\n]*: edges\(5,3\) is not connected")
        self.assertIn("links", json.loads(self.call("measure", pieces, "--json"))["measures"])
        self.wrong("measure", pieces, "diameter", status=1, says=["not connected"])
        self.assertRegex(self.call("measure", "hypercube(62)"), r"\ndiameter +62 ")
        self.assertIn("links", self.said)
        self.wrong("measure", "hypercube(62)", "links", says=["more than 2^64 - 1 links"])

    def test_systems(self):
        lines = self.call("systems").splitlines()
        self.assertEqual([line.split()[0] for line in lines], [one.name for one in cubenet.systems()])

    def test_parameters(self):
        """Of each system all that it takes, one in a line."""
        for system in cubenet.systems():
            lines = self.call("parameters", system.name).splitlines()
            self.assertEqual([line.split()[0] for line in lines],
                             ["name", "seed", *system.parameters, *system.attachments])
        rows = dict(re.split(r"\s\s+", line, maxsplit=1)
                    for line in self.call("parameters", "cut-through").splitlines())
        self.assertRegex(rows["selection"], r"^random, lowest, least-loaded +random +which of the channels")
        self.assertRegex(rows["warmup_cycles"], r"^automatic, 0 \.\. 1e\+15 cycles +automatic +cycles")
        self.assertRegex(rows["relative_precision"], r"^0 \.\. 1 +0.005 +a run ends early")
        self.assertRegex(self.call("parameters", "deflection"), r"\nbuffers +0 \.\. 1048576 messages +by network +num")
        self.assertRegex(self.call("parameters", "collective"), r"\nreplications +1 \.\. 1000000 runs +20 +number")
        for kind, made, network in (("routing", Routing, Topology.hypercube(4)),  # what is listed needs only its name
                                    ("traffic", Traffic, Topology.torus([4, 4]))):
            names = re.match(r"(.*), or a file", rows[kind])[1].split(", ")
            self.assertGreater(len(names), 6)
            for name in names:
                made(network, name)

    def test_draw(self):
        torus = Topology.torus([4, 4])
        faults = Faults(torus)
        faults.add_node(3)
        faults.add_link(0, torus.port_to(0, 1))
        self.assertEqual(self.call("draw", "torus([4,4])"), torus.to_svg())
        for name, words, wanted in (("a.svg", [], torus.to_svg()), ("a.dot", [], torus.to_dot()),
                                    ("a.gv", ["--faults", "3+0-1"], faults.dot()),
                                    ("b.svg", ["--faults", self.write("f.json", faults.to_json())], faults.svg())):
            self.assertEqual(self.call("draw", "torus([4,4])", "--out", self.folder / name, *words), "")
            self.assertEqual((self.folder / name).read_text(), wanted)

    def test_deadlock(self):
        """The status says whether worms can deadlock; the cycle is one of the network."""
        ring = Topology.ring(5)
        for words, verdict, status in ((["mesh([4,4])", "duato"], "escape", 0),
                                       (["torus([4,4])", "dimension-order", "virtual_channels=3"], "acyclic", 0),
                                       (["torus([4,4])", "up-down", "faults=3+0-1"], "acyclic", 0),
                                       (["ring(5)", "dimension-order-unsafe"], "cyclic", 1),
                                       (["ring(5)", "dimension-order-unsafe", "virtual_channels=2"], "cyclic", 1)):
            text = self.call("deadlock", *words, status=status)
            self.assertTrue(text.startswith(f"{verdict}: "), text)
            self.assertEqual(json.loads(self.call("deadlock", *words, "--json", status=status))["free"], status == 0)
        held = [tuple(map(int, found)) for found in re.findall(r"holds node (\d+) to (\d+), virtual channel 0", text)]
        self.assertEqual(len(held), 5)
        for (node, far), (following, _) in zip(held, held[1:] + held[:1]):
            self.assertIn(far, ring.neighbors(node))
            self.assertEqual(far, following)

    def test_deadlock_of_a_scenario(self):
        """With its routing, by name or as an object, its faults and its virtual channels."""
        ring = Topology.ring(5)
        one_way = Routing.own(ring, lambda node, destination, came: [(1, 0)])
        for keywords, status in (({"routing": "dimension-order", "virtual_channels": 2}, 0),
                                 ({"routing": one_way, "virtual_channels": 1, "unsafe": True}, 1)):
            file = self.write("ring.json", Scenario(ring, "wormhole", **keywords).to_json())
            self.call("deadlock", file, status=status)
        for channels, status in ((2, 0), (1, 2)):
            self.call("deadlock", "ring(5)", "wormhole", "routing=dimension-order", f"virtual_channels={channels}",
                      status=status)
        self.wrong("deadlock", self.write("c.json", Scenario(ring, "collective").to_json()), says=["no routing"])


class Sweeps(Command):
    def test_rows(self):
        """They are those of sweep(), with ranges and lists, in the file or on the standard output."""
        choices = {"load": [0.1, 0.2, 0.3, 1], "seed": [1, 2], "buffers": 8, "measure_cycles": 200}
        wanted = cubenet.sweep(Topology.hypercube(4), "deflection", **choices)
        words = ["sweep", *CUBE, "load=0.1:0.3:0.1,1", "seed=1,2"]
        given = self.rows(self.call(*words))
        self.assertEqual([list(row.values()) for row in given],
                         [["" if value is None else str(value) for value in row.values()] for row in wanted])
        self.assertEqual(list(given[0]), list(wanted[0]))
        file = self.folder / "rows.csv"
        self.assertEqual(self.call(*words, "--out", file, "--threads", "1"), "")
        text = file.read_text()
        self.assertEqual([row["mean_delay"] for row in self.rows(text)], [row["mean_delay"] for row in given])
        lines = text.splitlines(keepends=True)
        file.write_text("".join(lines[:4]))
        self.call(*words, "--out", file, "--threads", "1")
        self.assertEqual(file.read_text(), text)
        self.wrong("sweep", *CUBE, "load=1", "seed=1,2", "--out", file, says=["another sweep"])

    def test_networks_and_systems(self):
        given = self.rows(self.call("sweep", "hypercube(4)", "torus([4,4])", "deflection,separate-buffers", "load=0.1",
                                    "traffic=uniform", "--predict"))
        self.assertEqual([(row["topology"], row["system"], row["stop"]) for row in given],
                         [(network, system, "model") for network in ("hypercube(4)", "torus([4,4])")
                          for system in ("deflection", "separate-buffers")])

    def test_of_a_scenario(self):
        """What its JSON sets holds for each experiment, unless it varies."""
        cube = Topology.hypercube(4)
        keywords = {"buffers": 8, "measure_cycles": 200, "seed": 7, "traffic": Traffic(cube, "transpose")}
        file = self.write("scenario.json", scenario(**keywords, routing="minimal", load=1, threads=2).to_json())
        given = self.call("sweep", file, "load=0.1,0.2", "routing=preferred,minimal")
        wanted = cubenet.sweep(cube, "deflection", **keywords, load=[0.1, 0.2], routing=["preferred", "minimal"])
        self.assertEqual([row["mean_delay"] for row in self.rows(given)], [str(row["mean_delay"]) for row in wanted])
        self.assertEqual(list(self.rows(given)[0]), list(wanted[0]))

    def test_failures_are_told(self):
        given = self.rows(self.call("sweep", "hypercube(4)", "separate-buffers", "load=0.1,9", "--predict"))
        self.assertEqual([bool(row["error"]) for row in given], [False, True])
        self.assertRegex(self.said, r"^cubenet: 1 of 2 experiments have no result; the first: load = 9")
        picture = self.folder / "delay.svg"
        given = self.rows(self.call("sweep", *CUBE, "load=-1,-2", status=1))
        self.assertEqual([row["mean_delay"] if "mean_delay" in row else "" for row in given], ["", ""])
        self.wrong("sweep", *CUBE, "load=-1,-2", "--plot", picture, status=1, says=["2 of 2 experiments", "load = -1"])
        self.assertFalse(picture.exists())
        self.call("sweep", "mesh([4,4])", *CUBE[1:], "load=0.1,0.2", "--plot", picture)  # no model of it
        self.assertRegex(self.said, r"^cubenet: 2 of 2 predictions have no result; the first: there is a model of")
        self.assertIn("simulation, 95 %", picture.read_text())

    def test_plot(self):
        """Points and bands of the simulation, a line of the model; with --predict the line alone."""
        picture, file = self.folder / "delay.svg", self.folder / "rows.csv"
        words = ["sweep", *CUBE, "load=0.2:1:0.2", "--plot", picture]
        self.assertEqual(self.call(*words), "")
        drawn = xml.etree.ElementTree.fromstring(picture.read_text())
        area = drawn.find(f"{SVG}svg")
        self.assertEqual(sum("translate" in path.get("transform", "") for path in area), 5)
        texts = [text.text for text in drawn.iter(f"{SVG}text")]
        for text in ("deflection on hypercube(4)", "load (messages/node/cycle)", "mean delay (cycles)", "model",
                     "simulation, 95 %"):
            self.assertIn(text, texts)
        self.call(*words, "--predict", "--out", file, "--y", "throughput")
        self.assertEqual(len(self.rows(file.read_text())), 5)
        texts = [text.text for text in xml.etree.ElementTree.fromstring(picture.read_text()).iter(f"{SVG}text")]
        self.assertIn("throughput (messages/node/cycle)", texts)
        self.assertNotIn("simulation, 95 %", texts)
        for more in ([], ["--x", "load"], ["--x", "throughput"]):  # one point, and nothing that varies
            picture.unlink()
            self.assertEqual(self.call("sweep", *CUBE, "load=0.5", "--plot", picture, *more), "")
            self.assertIn("model", picture.read_text())


class Plots(Case):
    def sweep(self, **more):
        return cubenet.sweep(Topology.hypercube(4), "deflection",
                             **{"load": [0.5, 1, 2], "measure_cycles": 2000, **more})

    def drawn(self, *arguments, **keywords):
        picture = cubenet.plot(*arguments, **keywords)
        self.assertEqual((picture._repr_svg_(), type(picture._repr_svg_())), (picture, str))
        self.assertEqual(repr(picture), f"<Plot: {len(picture)} characters of SVG>")
        return xml.etree.ElementTree.fromstring(picture)

    def test_a_wide_band_is_cut_off(self):
        """It would leave the rest of the curve flat, and delays below 0 mean nothing."""
        rows = self.sweep()
        rows[-1] = {**rows[-1], "mean_delay_half_width": 100 * rows[-1]["mean_delay"]}
        texts = [text.text for text in self.drawn(rows).iter("{http://www.w3.org/2000/svg}text")]
        ticks = [float(text) for text in texts if text.replace(".", "").replace("-", "").isdigit()]
        self.assertEqual(min(ticks), 0)
        self.assertLess(max(ticks), 2 * rows[-1]["mean_delay"])

    def test_places(self):
        """Points, bands and lines are where the ticks say."""
        rows, models = self.sweep(buffers=8), self.sweep(buffers=8, simulate=False)
        drawing = self.drawn(rows + models)
        area = drawing.find(f"{SVG}svg")
        ticks = [(float(text.get("y")) - 4.5, float(text.text)) for text in drawing.iter(f"{SVG}text")
                 if text.get("text-anchor") == "end"]
        (y, value), (other_y, other) = ticks[0], ticks[-1]
        top = float(area.get("y")) + 6
        left = float(area.get("x"))
        beside = [(float(text.get("x")), float(text.text)) for text in drawing.iter(f"{SVG}text")
                  if text.get("text-anchor") == "middle" and re.fullmatch(r"[\d.]+", text.text)]

        def height(place):
            return value + (place + top - y) * (other - value) / (other_y - y)

        def across(place):
            (x, first), (other_x, last) = beside[0], beside[-1]
            return first + (place + left - x) * (last - first) / (other_x - x)
        paths = list(area)
        places = [tuple(map(float, re.findall(r"[\d.]+", path.get("transform")))) for path in paths
                  if path.get("transform")]
        for place, row in zip(places, rows):
            self.assertAlmostEqual(across(place[0]), row["load"], 2)
            self.assertAlmostEqual(height(place[1]), row["mean_delay"], 1)
        band = [tuple(map(float, point.split(","))) for point in re.split("[MLz]", paths[0].get("d"))[1:-1]]
        self.assertEqual(len(band), 6)
        for up, down, row in zip(band[:3], band[:2:-1], rows):
            self.assertAlmostEqual(height(up[1]), row["mean_delay"] + row["mean_delay_half_width"], 1)
            self.assertAlmostEqual(height(down[1]), row["mean_delay"] - row["mean_delay_half_width"], 1)
        line = [tuple(map(float, point.split(","))) for point in re.split("[ML]", paths[2].get("d"))[1:]]
        for point, row in zip(line, models):
            self.assertAlmostEqual(height(point[1]), row["mean_delay"], 1)

    def test_curves(self):
        """One for each value of what else varies, in the order of the rows."""
        rows = self.sweep(buffers=[8, 6], selection=["lowest", "random"], seed=[1])
        texts = [text.text for text in self.drawn(rows).iter(f"{SVG}text")]
        self.assertEqual([text for text in texts if text and "buffers" in text],
                         [f"buffers = {buffers}, selection = {selection}" for buffers in (8, 6)
                          for selection in ("lowest", "random")])
        self.assertIn("saturated", texts)
        self.assertIn("buffers (messages)", [text.text for text in self.drawn(rows, "buffers").iter(f"{SVG}text")])
        drawing = self.drawn(rows, "throughput")  # along the load, as over the load
        self.assertEqual(sum(path.get("fill-opacity") is not None for path in drawing.find(f"{SVG}svg")), 4)
        self.assertEqual([text.text for text in drawing.iter(f"{SVG}text")][-7:], texts[-7:])
        alone = self.sweep(load=0.5, buffers=[6, 8])
        self.assertIn("buffers (messages)", [text.text for text in self.drawn(alone).iter(f"{SVG}text")])

    def test_what_cannot_be_drawn(self):
        """Rows without a result and half-widths that are infinite leave holes; nothing at all is an error."""
        rows = self.sweep(buffers=8, load=[0.5, -1, 1])
        self.assertEqual(sum(bool(path.get("transform")) for path in self.drawn(rows).find(f"{SVG}svg")), 2)
        rows[0]["mean_delay_half_width"] = math.inf
        self.assertEqual([path.get("d").count("L") for path in self.drawn(rows).find(f"{SVG}svg")
                          if path.get("fill-opacity")], [1])
        for wrong in ([], self.sweep(load=[-1, -2])):
            with self.refused(cubenet.ArgumentError, "x = 'load' and y = 'mean_delay'"):
                cubenet.plot(wrong)
        with self.refused(cubenet.ArgumentError, "the first error: load = -1"):
            cubenet.plot(self.sweep(load=[-1, -2]))
        with self.refused(cubenet.ArgumentError, "a column 'load' where load is a list"):
            cubenet.plot(self.sweep(load=0.5))
        with self.refused(cubenet.ArgumentError, "2 of them are saturated"):
            cubenet.plot(cubenet.sweep(Topology.hypercube(4), "separate-buffers", load=[2.5, 3], measure_cycles=500))
        with self.refused(cubenet.ArgumentError, "x = 'system'"):
            cubenet.plot(rows, "system")
        with self.refused(cubenet.NotFoundError, "did you mean ", "mean_delay"):
            cubenet.plot(rows, y="mean_dely")
        for wrong in ([1], [{}]):
            with self.refused(TypeError, "rows must be rows of sweep()"):
                cubenet.plot(wrong)

    def test_ticks(self):
        for least, greatest in ((0, 1), (0.1, 2.4), (-3, 5), (4.506, 4.519), (0, 1e-9), (1e9, 3e9), (0, 7e300)):
            ticks = _plot._ticks(least, greatest)
            self.assertTrue(4 <= len(ticks) <= 9, ticks)
            self.assertLessEqual(ticks[0], least + 1e-9 * (greatest - least))
            self.assertGreaterEqual(ticks[-1], greatest - 1e-9 * (greatest - least))
            self.assertLess(max(len(f"{tick:.6g}") for tick in ticks), 9)
        for values in ([0.0], [5.0], [-2.0], [0.0, 0.0], [3.0, 3.0]):
            self.assertTrue(0 <= _plot._Axis(values).at(values[0]) <= 1)


class Pages(Command):
    def test_what_they_show_runs(self):
        """In docs/start.md and docs/python.md, in this order and in one folder."""
        root, count = Path(__file__).resolve().parents[2], 0
        for page in ("docs/start.md", "docs/python.md"):
            for line in re.findall(r"(?m)^    cubenet (.*)$", (root / page).read_text()):
                for name in ("result.json", "rows.csv", "delay.svg"):
                    line = re.sub(rf"\b{name}\b", str(self.folder / name), line)
                self.call(*shlex.split(line))
                count += 1
        self.assertGreater(count, 6)
        self.assertEqual(len(list(self.folder.iterdir())), 3)


class Processes(Command):
    """As a user starts it."""

    def start(self, *words, **more):
        return subprocess.Popen([sys.executable, "-W", "error", "-m", "cubenet", *map(str, words)],
                                stdout=subprocess.PIPE, text=True, **{"stderr": subprocess.PIPE, **more})

    def test_status(self):
        for words, status, wanted in ((["--version"], 0, f"cubenet {cubenet.version()}\n"),
                                      (["deadlock", "ring(5)", "dimension-order-unsafe"], 1, None),
                                      (["run", "ring(1"], 2, "")):
            with self.start(*words) as process:
                out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, status, err)
            self.assertEqual(out, wanted if wanted is not None else out)
            self.assertNotIn("Traceback", err)

    def test_broken_pipe(self):
        """Whoever reads only the first lines hears nothing."""
        with self.start("draw", "mesh([32,32])") as process:
            process.stdout.close()
            self.assertEqual(process.stderr.read(), "")
        self.assertEqual(process.returncode, 141)

    def test_from_the_keyboard(self):
        """Ctrl-C ends a sweep, with the rows that are there in the file, and a run."""
        file = self.folder / "rows.csv"
        words = ["sweep", "hypercube(4)", "deflection", "load=0.1,0.2,0.3", "buffers=24", "relative_precision=0",
                 "measure_cycles=100,10000000000", "--threads", "2", "--out", file]
        with self.start(*words) as process:
            while not file.exists() or file.read_text().count("\n") < 2:
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, out, err), (130, "", ""))
        self.assertEqual({row["measure_cycles"] for row in self.rows(file.read_text())}, {"100"})

    def test_a_run_from_the_keyboard(self):
        """On a terminal, where it draws a bar, which is gone afterwards."""
        ours, theirs = os.openpty()
        with self.start("run", *CUBE[:2], "buffers=8", "load=0.1", "relative_precision=0",
                        "measure_cycles=10000000000", stderr=theirs) as process:
            os.close(theirs)
            shown = b""
            while b"%" not in shown:
                shown += os.read(ours, 1000)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.stdout.read(), "")
        with contextlib.suppress(OSError):  # the end, where the other side is closed
            while True:
                shown += os.read(ours, 1000)
        os.close(ours)
        self.assertEqual(process.returncode, 130, shown)
        self.assertRegex(shown.decode(), r"\[#* +\] +\d+ %")
        self.assertTrue(shown.decode().endswith(" \r"), shown)
        self.assertNotIn("Traceback", shown.decode())


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Tests of lib/python/cubenet/ as a package: hints, docstrings, pickles, words, arrays, sweeps."""

import ast
import collections.abc
import contextlib
import copy
import ctypes
import doctest
import functools
import importlib.util
import inspect
import io
import multiprocessing
import os
import pickle
import pydoc
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import types
import typing
import unittest
from array import array
from pathlib import Path
from unittest import mock

import cubenet
from cubenet import (
    BisectionRule, Faults, Operations, Routing, Scenario, Study, Topology, Traffic, Tree)
from test_cubenet import FOLDER, PACKAGE, Case, python

MODULES = [importlib.import_module(f"cubenet.{path.stem}")
           for path in sorted(PACKAGE.glob("_[a-z]*.py"))]
USER = """
import cubenet
cube = cubenet.Topology.hypercube(4)
hops: int = cube.distance(0, 3) or 0
scenario = cubenet.Scenario(cube, "deflection", load=1, seed=2)
scenario.load = 0.5
result = scenario.simulate(progress=lambda done, total, lower, upper: done < 5)
delay: float = result["mean_delay"]
copied: cubenet.Scenario = scenario.copy()
rows = cubenet.sweep([cube], "deflection", load=[0.1, 0.2])
names = [row["topology"] for row in rows]
drawing: str = cubenet.plot(rows, y="throughput")
limit: float = scenario.saturation_load()
lower, upper = scenario.saturation_load(simulated=True)
first: cubenet.Operation = cubenet.Operations(cube)[0]
scenario.warmup_cycles = "automatic"
buffers: int = scenario.buffers
worms = cubenet.Scenario(cube, "wormhole", traffic="tornado", virtual_channels=4, unsafe=True, selection="lowest")
"""
WRONG = """
import cubenet
cube = cubenet.Topology.hypercube(4)
scenario = cubenet.Scenario(cube, "deflection", load=1)
cubenet.Scenario(cube, "deflection", lod=3)
cubenet.Scenario(cube, "deflection", load="much")
cubenet.Scenario(cube, "deflection", buffers=1.5)
cubenet.Scenario(cube, "collective", tree="oak")
scenario.lod = 3
scenario.load = "much"
scenario.selection = "best"
"""


def small(**settings):
    return Scenario(Topology.hypercube(4), "deflection",
                    **{"load": 0.5, "buffers": 8, "measure_cycles": 200, **settings})


def fits(value, hint):
    """Whether a value is what a hint says."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if hint is typing.Any:
        return True
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, one) for one in inside)
    if origin is None:
        return type(value) in (int, float) if hint is float else (
            value is hint or isinstance(value, type(None) if hint is None else hint))
    if origin is tuple:
        return isinstance(value, tuple) and all(map(fits, value, inside))
    if not isinstance(value, (origin, array)):
        return False
    if origin is dict:
        return all(fits(key, inside[0]) and fits(one, inside[1]) for key, one in value.items())
    return origin is collections.abc.Iterator or all(fits(one, inside[0]) for one in value)


def is_ours(thing):
    return (isinstance(thing, types.FunctionType)
            and thing.__globals__["__name__"].startswith("cubenet."))


def examples():
    """All examples in docstrings, wherever they are in the package."""
    for path in sorted(PACKAGE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                names = {name: getattr(cubenet, name) for name in cubenet.__all__}
                yield doctest.DocTestParser().get_doctest(
                    ast.get_docstring(node) or "", names,
                    f"{path.name}: {getattr(node, 'name', 'module')}", None, 0)


def public():
    """Name and object of all that a user sees."""
    for name in cubenet.__all__:
        thing = getattr(cubenet, name)
        yield name, thing
        for inner in (dir(thing) if inspect.isclass(thing) else ()):
            attribute = inspect.getattr_static(thing, inner)
            attribute = getattr(attribute, "__func__", attribute)
            attribute = getattr(attribute, "fget", attribute)
            if not inner.startswith("_") and is_ours(attribute):
                yield f"{name}.{inner}", attribute


class Hints(Case):
    def mypy(self, *arguments, refused=()):
        """Refuses these lines, or nothing."""
        program = shutil.which("mypy")
        if program is None:
            self.skipTest("there is no mypy here")
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run([program, "--strict", "--cache-dir", cache, *map(str, arguments)],
                                  cwd=FOLDER, capture_output=True, text=True)
        self.assertEqual({int(line) for line in re.findall(r":(\d+): error:", done.stdout)}, set(refused),
                         done.stdout + done.stderr)
        self.assertEqual(done.returncode, bool(refused), done.stderr)

    def test_strict(self):
        """The package, and a user's script that imports it; the wrong lines of another one are refused."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "user.py"
            script.write_text(USER)
            self.mypy("cubenet", script)
            script.write_text(WRONG)
            self.mypy(script, refused=range(5, 12))

    def test_parameters_are_keywords(self):
        """For editors and help(): with all names, by system."""
        names = [parameter.name for parameter in cubenet.parameters()]
        keywords = inspect.signature(Scenario).parameters
        self.assertEqual(set(names) | {"seed", *cubenet._system._ATTACHED},
                         {name for name, one in keywords.items() if one.kind is one.KEYWORD_ONLY})
        shown = pydoc.plain(pydoc.render_doc(Scenario))
        lines = " ".join(shown.replace("|", " ").split())
        for system in cubenet.systems():
            self.assertIn(f" {system.name}: {', '.join(system.parameters)}", lines)
        self.assertLess(len(repr(cubenet.systems())), 300)


    def test_everything_has_them(self):
        for name, thing in public():
            with self.subTest(name=name):
                if isinstance(thing, types.FunctionType):
                    signature = inspect.signature(thing)
                    self.assertNotEqual(signature.return_annotation, signature.empty)
                    for at, one in enumerate(signature.parameters.values()):
                        if at > 0 or one.name not in ("self", "cls"):
                            self.assertNotEqual(one.annotation, one.empty, one.name)

    @unittest.skipIf(sys.version_info < (3, 10), "hints of today are read by Python 3.10 and later")
    def test_they_are_true(self):
        """What mypy cannot see: the values that come from the library. They are checked wherever the
        examples call something."""
        known = {**vars(typing), **{name: thing for module in MODULES
                                    for name, thing in vars(module).items()}, "Self": typing.Any}
        checked = set()

        def checking(name, function):
            wanted = typing.get_type_hints(function, known)["return"]

            @functools.wraps(function)
            def call(*arguments, **keywords):
                value = function(*arguments, **keywords)
                self.assertTrue(fits(value, wanted), f"{name} gave {value!r}, not {wanted}")
                checked.add(name)
                return value
            return call

        with contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.dict(sys.modules))
            sys.modules.pop("numpy", None)  # its arrays are no Sequences
            for thing in {one for name, thing in public() if inspect.isclass(thing)
                          for one in thing.__mro__ if one.__module__.startswith("cubenet")}:
                for name, given in list(vars(thing).items()):
                    inner = getattr(given, "__func__", getattr(given, "fget", given))
                    if name.startswith("_") or not is_ours(inner):
                        continue
                    made = checking(f"{thing.__name__}.{name}", inner)
                    if isinstance(given, property):
                        made = property(made, given.fset)
                    elif given is not inner:
                        made = type(given)(made)
                    stack.enter_context(mock.patch.object(thing, name, made))
            for example in examples():
                done = doctest.DocTestRunner().run(example, out=lambda text: None)
                self.assertEqual(done.failed, 0, example.name)
        self.assertGreater(len(checked), 80)

    def test_python_3_7_reads_it(self):
        for path in PACKAGE.glob("*.py"):
            ast.parse(path.read_text(), str(path), feature_version=(3, 7))

    def test_modules_are_short(self):
        for path in PACKAGE.glob("*.py"):
            self.assertLess(len(path.read_text().splitlines()), 500, path.name)


class Docstrings(Case):
    def test_everything_has_one(self):
        self.assertEqual([name for name, thing in public() if not inspect.getdoc(thing)], [])

    def test_examples(self):
        tried = 0
        for example in examples():
            shown = io.StringIO()
            done = doctest.DocTestRunner().run(example, out=shown.write)
            self.assertEqual(done.failed, 0, shown.getvalue())
            tried += done.attempted
        self.assertGreater(tried, 130)


    def test_page(self):
        """docs/python.md."""
        text = (Path(__file__).resolve().parents[2] / "docs/python.md").read_text()
        example = doctest.DocTestParser().get_doctest(text, {}, "python.md", None, 0)
        shown = io.StringIO()
        done = doctest.DocTestRunner().run(example, out=shown.write)
        self.assertEqual(done.failed, 0, shown.getvalue())


class Values(Case):
    def things(self):
        cube, ring = Topology.hypercube(3), Topology.ring(5)
        faults = Faults(cube)
        faults.add_node(3)
        faults.add_link(0, 1)
        operations = Operations(cube)
        operations.add(0, [1, 2], 4)
        operations.set_tree(cube.binomial_tree(0, 1))
        own = Routing.own(ring, lambda node, destination, came: [(1, 0)])
        return [
            cube, Topology.from_edges(3, [(0, 1), (1, 2)]), faults, own, operations,
            cube.balanced_tree(2), cube.edge_disjoint_tree(1, 2), Tree.breadth_first(ring, 1),
            cube.bisection(), cube.bisection().side, Traffic.permutation(ring, 4),
            small(faults=None), Scenario(ring, "wormhole", routing=own, load=0.01, unsafe=True),
            small().predict(), cubenet.Subcube.parse("1X0"), cubenet.systems(),
        ]

    def test_pickled_and_copied_ones_are_equal(self):
        for thing in self.things():
            with self.subTest(thing=repr(thing)):
                for again in (pickle.loads(pickle.dumps(thing)), copy.copy(thing),
                              copy.deepcopy(thing)):
                    self.assertEqual(again, thing)
                    self.assertIs(type(again), type(thing))
                    if type(thing).__hash__ is not None and not isinstance(thing, (list, tuple)):
                        self.assertEqual(hash(again), hash(thing))

    def test_others_are_not_equal(self):
        cube = Topology.hypercube(3)
        self.assertNotEqual(cube.balanced_tree(1), cube.balanced_tree(2))
        self.assertNotEqual(cube.balanced_tree(), cube.binomial_tree())
        stored = Tree.from_parents(cube, 0, cube.binomial_tree().arrays().parents)
        self.assertNotEqual(cube.binomial_tree(), stored)  # as in a scenario that has them
        one, other = Operations(cube), Operations(cube)
        one.add(1)
        self.assertNotEqual(one, other)
        other.add(1)
        self.assertEqual(one, other)
        other.set_tree(cube.balanced_tree(1))
        self.assertNotEqual(one, other)
        self.assertNotEqual(one.copy(), other.copy())
        self.assertNotEqual(one, [cubenet.Operation(1, None, 0)])

    def test_across_processes(self):
        """Also where the other one has not seen the rule."""
        done = python("""
            import pickle, sys
            for thing in pickle.loads(bytes.fromhex(sys.argv[1])):
                assert thing == pickle.loads(pickle.dumps(thing)), thing
                if hasattr(thing, "path"):
                    print(thing.path(3, 1))
            """, pickle.dumps(self.things()[:5]).hex())
        self.assertEqual((done.stdout, done.stderr), ("[3, 4, 0, 1]\n", ""))

    def test_simulations_and_studies(self):
        with small().open() as simulation:
            simulation.step(50)
            with pickle.loads(pickle.dumps(simulation)) as other, copy.copy(simulation) as third:
                for one in (simulation, other, third):
                    one.step(50)
                self.assertEqual(simulation.result(), other.result())
                self.assertEqual(simulation.result(), third.result())
        faults = Faults(Topology.hypercube(4))
        study = Study(faults.topology, faults=faults, nodes=2, patterns=3)
        faults.add_node(0)  # the study has its own copy
        again = pickle.loads(pickle.dumps(study))
        self.assertEqual(study.run(), again.run())
        self.assertEqual(again.pattern(0), study.pattern(0))

    def test_what_cannot_be_pickled_says_so(self):
        faults = Faults(Topology.hypercube(3))
        for thing in (faults.convex_subnet(), faults.hierarchy()):
            with self.refused(TypeError, f"a {type(thing).__name__} cannot be pickled: pickle its Faults"):
                pickle.dumps(thing)
        self.assertEqual(copy.copy(faults.convex_subnet()).survivors, list(range(8)))

    def test_shards_are_equal_by_what_they_hold(self):
        """They have no metrics, as which results are compared else."""
        scenario = small(replications=2, relative_precision=0)
        one, other = (scenario.simulate(shard=(s, 2)) for s in range(2))
        self.assertNotEqual(one, other)
        self.assertEqual(one, pickle.loads(pickle.dumps(one)))
        self.assertNotEqual(one, scenario.simulate())

    def test_shards_that_only_an_iterator_had(self):
        scenario = small(replications=3, relative_precision=0)
        merged = cubenet.merge(pickle.loads(pickle.dumps(scenario.simulate(shard=(s, 3))))
                               for s in range(3))
        self.assertEqual(merged, scenario.simulate())
        study = Study(Topology.hypercube(3), nodes=1, patterns=2)
        for call in (scenario.simulate, study.run):
            for bad in ((0, 1, 2), 3, None):
                with self.refused(cubenet.ArgumentError, f"shard = {bad!r}, but it must be (s, of)"):
                    call(shard=bad)

    def test_tables_in_notebooks(self):
        result = small().simulate()
        for thing, parts in ((Topology.torus([4, 3]), ("torus([4,3])", "<td>12</td>", "both")),
                             (result, ("mean_delay", f"{result['mean_delay']:.6g}", "+- "))):
            text = thing._repr_html_()
            self.assertTrue(text.startswith("<table>") and text.endswith("</table>"))
            for part in parts:
                self.assertIn(part, text)


class Words(Case):
    def test_did_you_mean(self):
        cube = Topology.hypercube(3)
        for call, meant in (
                (lambda: Scenario(cube, "Deflection"), "deflection"),
                (lambda: Scenario(cube, "separate_buffers"), "separate-buffers"),
                (lambda: small(laod=1), "load"), (lambda: small(routng="minimal"), "routing"),
                (lambda: small().predict()["mean_dely"], "mean_delay"),
                (lambda: Routing(cube, "minmal"), "minimal"),
                (lambda: small(routing="mininal"), "minimal"),
                (lambda: Traffic(cube, "transpos"), "transpose"),
                (lambda: cube.measure("diamter"), "diameter"),
                (lambda: cubenet.sweep(cube, "deflecton"), "deflection"),
                (lambda: cubenet.sweep(cube, "deflection", sed=[1]), "seed"),
                (lambda: cubenet.sweep(cube, "deflection", laod=[1]), "load"),
                # words of the field
                (lambda: small(num_vcs=4), "virtual_channels"), (lambda: small(vc_buf_size=4), "flit_buffers"),
                (lambda: small(injection_rate=0.1), "load"), (lambda: small(routing="adaptive"), "duato"),
                (lambda: small().predict()["latency"], "mean_delay"),
                (lambda: Routing(cube, "dor"), "dimension-order"), (lambda: Routing(cube, "xy"), "dimension-order"),
                (lambda: cubenet.sweep(cube, "deflection", injection_rate=[1]), "load")):
            with self.refused(cubenet.NotFoundError, f'; did you mean "{meant}"?') as caught:
                call()
            self.assertEqual(str(caught.exception).count("did you mean"), 1)
        for name, meant in (("hyperkube", "hypercube"), ("kary_n_cube", "kary_ncube"), ("grid", "mesh"),
                            ("from_networks", "from_networkx"), ("grid_graph", "mesh"), ("path_graph", "mesh")):
            with self.refused(AttributeError, f'Topology has no "{name}"; did you mean "{meant}"?'):
                getattr(Topology, name)
        for name in ("fat_tree", "dragonfly"):  # what only shares some letters is something else
            with self.assertRaisesRegex(AttributeError, f'^Topology has no "{name}"$'):
                getattr(Topology, name)
        with self.refused(cubenet.NotFoundError, "It counts messages, not flits"):
            small(injection_rate=0.1)
        for name in ("injection_rate", "laod"):
            with self.refused(AttributeError, 'did you mean "load"?'):
                setattr(small(), name, 1)
        with self.refused(cubenet.UnsupportedError, "the parameter flit_buffers; it takes: load, buffers, "):
            small(flit_buffers=4)
        with self.refused(TypeError, "a Topology is given by functions such as Topology.hypercube(6)"):
            Topology("hypercube(6)")
        with self.refused(cubenet.NotFoundError, "Result.saturated says"):
            small().predict()["saturated"]
        with self.refused(cubenet.NotFoundError, "Scenario.seed sets the seed"):
            small()["seed"]
        with self.assertRaises(AttributeError) as caught:
            Topology.grille
        self.assertEqual(str(caught.exception), 'Topology has no "grille"')

    def test_names_that_there_are(self):
        """Where no other was meant, the sentence lists them: here, of this system and this result."""
        cube, model = Topology.hypercube(3), small().predict()
        listed = (
            (lambda: Scenario(cube, "xyz"), "there are", [system.name for system in cubenet.systems()]),
            (lambda: Routing(cube, "xyz"), "there are", [kind.name for kind in cubenet.routings()]),
            (lambda: Traffic(cube, "xyz"), "there are", cubenet.traffic_patterns()),
            (lambda: small(xyz=1), "deflection takes", [*small().parameters, "seed", *cubenet._system._ATTACHED]),
            (lambda: cubenet.sweep(cube, "deflection", xyz=1), "there are", [
                "seed", *cubenet._system._ATTACHED, *(parameter.name for parameter in cubenet.parameters())]),
            (lambda: model["xyz"], "this result holds", list(model)),
            (lambda: model["completion_cycles"], "holds no completion_cycles; this result holds", list(model)))
        for call, there, names in listed:
            with self.assertRaises(cubenet.NotFoundError) as caught:
                call()
            self.assertTrue(str(caught.exception).endswith(f"{there}: {', '.join(names)}"), caught.exception)
        with self.refused(cubenet.NotFoundError, "; metrics() lists them"):
            model.half_width("xyz")

    def test_no_names_of_c(self):
        cube = Topology.hypercube(3)
        for call in (lambda: Scenario(cube, "xyz"), lambda: cube.degree(9),
                     lambda: Routing(cube, "own"), lambda: small(load=-1),
                     lambda: Traffic(cube, source="on-off"), lambda: Topology.hypercube(99),
                     lambda: small(model_variant="corrected").predict(),
                     lambda: Scenario.from_json(small().to_json().replace("deflection", "xyz"))):
            with self.assertRaises(cubenet.Error) as caught:
                call()
            self.assertNotRegex(str(caught.exception), r"\bcn_|NULL|CN_")
        shard = small(replications=2, relative_precision=0).simulate(shard=(0, 2))
        with self.refused(cubenet.NotFoundError, "those of the whole come from merge()"):
            shard["mean_delay"]
        with self.refused(cubenet.ArgumentError, "Traffic.hotspot() makes it"):
            Traffic(cube, "hotspot")

    def test_rules_of_cuts(self):
        cube, torus = Topology.hypercube(4), Topology.torus([4, 4])
        with self.refused(cubenet.UnsupportedError, "psnn(4)"):
            BisectionRule(Topology.psnn(4))
        with self.refused(cubenet.ArgumentError, "side", "268435456", "hypercube(4)"):
            cube.check_bisection(Topology.hypercube(28).bisection().side)
        self.assertEqual(cube.check_bisection(torus.bisection().side),
                         cube.check_bisection(list(torus.bisection().side)))

    def test_snapshots(self):
        with self.refused(TypeError, "snapshot", "Simulation.save()", "str"):
            small().restore("abc")


class Arguments(Case):
    def test_methods_have_the_names_of_their_classes(self):
        """Those that come from classes inside the package, too: Python says which one lacks an argument."""
        torus = Topology.torus([4, 4])
        for call, name in (
                (lambda: Topology.from_edges([(0, 1)]), "Topology.from_edges()"), (torus.neighbors, "Topology.neighbors()"),
                (Topology.from_json, "Topology.from_json()"), (Faults.from_json, "Faults.from_json()"),
                (Routing.from_json, "Routing.from_json()"), (Scenario, "Scenario.__init__()"),
                (Routing(torus, "minimal").next_hops, "Routing.next_hops()"),
                (cubenet.Workload.allreduce, "Workload.allreduce()"), (lambda: small().open().inject(), "Simulation.inject()")):
            with self.refused(TypeError, name if sys.version_info >= (3, 10) else name.rpartition(".")[2]):
                call()
        for name in cubenet.__all__:
            public = getattr(cubenet, name)
            for attribute in dir(public) if isinstance(public, type) else ():
                member = inspect.getattr_static(public, attribute)
                function = getattr(member, "__func__", member)
                if attribute.startswith("_") or not isinstance(function, types.FunctionType):
                    continue
                with self.subTest(method=f"{name}.{attribute}"):
                    self.assertFalse(function.__qualname__.startswith("_"))
                    bound = getattr(public, attribute)
                    self.assertEqual(pickle.loads(pickle.dumps(bound)), bound)

    def test_foreign_objects(self):
        ring, cube = Topology.ring(4), Topology.hypercube(3)
        for call, sentence in (
                (lambda: Traffic.matrix([1], [[1]]), "topology must be a cubenet topology, not list"),
                (lambda: Traffic(ring, 3), "pattern must be a str, not int"),
                (lambda: cubenet.Workload.from_csv(ring, 5), "text must be a str, not int"),
                (lambda: cubenet.Workload.allreduce(ring, 5, 5), "algorithm must be a str, not int"),
                (lambda: ring.wormhole_channels(5, 1, 0, 1), "rule must be a str, not int"),
                (lambda: cubenet.Subcube.parse("1X").distance(5), "other must be a Subcube, not int"),
                (lambda: cubenet.adapt_two_level(5), "faults must be a cubenet faults, not int"),
                (lambda: Study(ring, bombs=5), "bombs must be (centers, radius), not int"),
                (lambda: Study(ring, node_probability="x"), "node_probability must be a number, not str"),
                (lambda: Faults(cube).add_subcube(5), "subcube must be a str, not int"),
                (lambda: Faults(cube).optimum_subnet("x"), "budget must be a whole number, not str"),
                (lambda: ring.measure(4), "name must be a str, not int"),
                (lambda: ring.validate_tree(0, 5), "parents must be a list or an array, not int"),
                (lambda: Tree.from_parents(5, 0, [1]), "topology must be a cubenet topology, not int")):
            with self.refused(TypeError, sentence):
                call()

    def test_sentences_name_the_argument(self):
        ring, cube = Topology.ring(4), Topology.hypercube(3)
        for call, sentence in (
                (lambda: Traffic.locality(cube, 2), "weights = 2, but it must be 0 to 1"),
                (lambda: Topology.from_function(2**40, 2, lambda node, port: None), "nodes = 1099511627776, but "),
                (lambda: Study(ring, clusters=[]), "clusters = [], but it must be (nodes, centers)"),
                (lambda: small(routing="own"), "routing = \"own\", but that routing needs more than a name"),
                (lambda: ring.validate_tree(0, [1]), "parents has 1 elements, but ring(4) has 4 nodes"),
                (lambda: ring.validate_tree(0, [1, 0, 1, 0]), "the root must have None"),
                (lambda: ring.with_lengths(0), "length = 0, but a link takes 1 to 64 cycles"),
                (lambda: ring.with_lengths(lambda u, v: 99 if u == 1 else 2), "length(1, 2) = 99, but ")):
            with self.refused(cubenet.ArgumentError, sentence):
                call()
        with self.refused(cubenet.NotFoundError, "there is no measure \"xyz\"; there are: diameter, "):
            ring.measure("xyz")
        with self.refused(cubenet.UnsupportedError, "it must be None"), Scenario(cube, "collective").open() as simulation:
            simulation.inject_broadcast(0, base=2)


class Arrays(Case):
    def test_buffers_go_in(self):
        """The same as lists, whatever the numbers are in; nothing is copied that need not be."""
        torus = Topology.torus([4, 3])
        for digits in (array("Q", [2, 1]), array("q", [2, 1]), array("B", [2, 1]), b"\x02\x01",
                       memoryview(array("Q", [2, 9, 1, 9]))[::2], (ctypes.c_uint64 * 2)(2, 1)):
            self.assertEqual(torus.node(digits), 6)
        given = array("Q", [2, 1])
        packed = cubenet._arrays._packed("u64", "digits", given)
        given[0] = 3
        self.assertEqual(list(packed), [3, 1])
        for bad in (array("q", [2, -1]), array("d", [2, 1]), [2, -1]):
            said = "digits[1] = -1, but it cannot be negative" if bad[1] < 0 else "digits[0] must be"
            with self.refused((TypeError, cubenet.ArgumentError), said):
                torus.node(bad)
        weights = array("d", [1, 2, 3])
        cube = Topology.hypercube(3)
        self.assertEqual(Traffic.locality(cube, weights), Traffic.locality(cube, [1, 2, 3]))
        self.assertEqual(Traffic.locality(cube, array("f", weights)), Traffic.locality(cube, weights))

    def test_what_is_no_list(self):
        """The argument is named. Rows are not run together, whatever their numbers are in."""
        cube, ring = Topology.hypercube(3), Topology.ring(3)
        for call, said in ((lambda: cube.digits_of(3), "nodes"), (lambda: cube.headers([1], None), "destinations"),
                           (lambda: Topology.from_edges(3, None), "edges"),
                           (lambda: Traffic.matrix(ring, None), "rows"),
                           (lambda: Traffic.matrix(ring, [1, 2, 3]), "rows[0]"),
                           (lambda: ring.flow_deviation(0.1, traffic=[1, 2, 3]), "traffic[0]"),
                           (lambda: Traffic.locality(cube, None), "weights")):
            with self.refused(TypeError, f"{said} must be a list or an array, not "):
                call()
        for code in "QI":
            numbers = array(code, [1, 0, 1, 0])
            table = memoryview(numbers).cast("B").cast(code, [2, 2])
            with self.refused(TypeError, "nodes[0] must be a whole number, not list"):
                cube.digits_of(table)
        edges = memoryview(bytes([0, 1, 1, 2])).cast("B", [2, 2])
        self.assertEqual(Topology.from_edges(3, edges), Topology.from_edges(3, [(0, 1), (1, 2)]))

    def test_tables_go_in(self):
        edges = memoryview(array("Q", [0, 1, 1, 2])).cast("B").cast("Q", [2, 2])
        self.assertEqual(Topology.from_edges(3, edges), Topology.from_edges(3, [(0, 1), (1, 2)]))
        rows = [[0, 3, 1], [1, 0, 1], [0, 0, 0]]
        flat = memoryview(array("d", sum(rows, []))).cast("B").cast("d", [3, 3])
        ring = Topology.ring(3)
        self.assertEqual(Traffic.matrix(ring, flat), Traffic.matrix(ring, rows))
        self.assertEqual(ring.flow_deviation(0.1, traffic=flat),
                         ring.flow_deviation(0.1, traffic=rows))

    def test_arrays_come_out(self):
        with mock.patch.dict(sys.modules):
            sys.modules.pop("numpy", None)
            self.check_arrays()

    def check_arrays(self):
        result = small().simulate(statistics=True)
        counts = result.node_counts()
        for values in (result.channel_loads(), *counts.values(), result.batches("throughput").values):
            self.assertIsInstance(values, array)
            memoryview(values).release()
        with small().open(statistics=True) as simulation:
            simulation.step(100)
            self.assertEqual(len(simulation.channel_loads()), 64)

    def test_arrays_of_numpy(self):
        class Numpy(types.ModuleType):
            def frombuffer(self, numbers, code):
                return ("ndarray", code, numbers)
        with mock.patch.dict(sys.modules, numpy=Numpy("numpy")):
            kind, code, numbers = small().simulate(statistics=True).channel_loads()
        self.assertEqual((kind, code, len(numbers)), ("ndarray", "Q", 64))

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("there is no numpy here")
        with contextlib.ExitStack() as stack:
            loads = small().simulate(statistics=True).channel_loads()
            self.assertIsInstance(loads, numpy.ndarray)
            self.assertEqual((loads.dtype, loads.shape), (numpy.uint64, (64,)))
            edges = numpy.array([(0, 1), (1, 2)])
            self.assertEqual(Topology.from_edges(3, edges).neighbors(1), [0, 2])
            self.assertEqual(Topology.from_edges(3, edges.astype("u1")).neighbors(1), [0, 2])
            with self.refused(cubenet.ArgumentError, "edges"):
                Topology.from_edges(3, -edges)
            self.assertEqual(Topology.hypercube(3).node(numpy.array([1, 0, 1])[::-1]), 5)
            matrix = numpy.ones((8, 8)) - numpy.eye(8)
            row = cubenet.sweep(Topology.hypercube(3), "deflection", simulate=False, processes=1,
                                buffers=numpy.array(8), load=numpy.array([0.5]))
            self.assertEqual([(one["load"], one["error"], "buffers" in one) for one in row], [(0.5, "", False)])
            for bad in (numpy.ones((2, 2)), numpy.ones((2, 2, 2))):
                with self.refused(TypeError, "load must be a number, not ndarray"):
                    cubenet.sweep(Topology.hypercube(3), "deflection", load=bad)
            traffic = Traffic.matrix(Topology.hypercube(3), matrix)
            self.assertAlmostEqual(traffic.probability(0, 5), 1 / 7)
            stack.pop_all()


class Sweeps(Case):
    CHOICES = {"load": [0.2, 0.6], "seed": range(2), "buffers": 8, "measure_cycles": 200}

    def cubes(self):
        return [Topology.hypercube(4), Topology.torus([4, 4])]

    def test_rows(self):
        rows = cubenet.sweep(self.cubes(), "deflection", processes=1, **self.CHOICES)
        self.assertEqual([(row["topology"], row["load"], row["seed"]) for row in rows],
                         [(name, load, seed) for name in ("hypercube(4)", "torus([4,4])")
                          for load in (0.2, 0.6) for seed in (0, 1)])
        result = Scenario(self.cubes()[1], "deflection", load=0.6, seed=1, buffers=8,
                          measure_cycles=200).simulate()
        for name, value in result.items():
            self.assertEqual((rows[-1][name], rows[-1][f"{name}_half_width"]),
                             (value, result.half_width(name)))
        self.assertEqual((rows[-1]["error"], rows[-1]["model"], rows[-1]["stop"]), ("", "", result.stop))

    def test_processes_give_the_same(self):
        """Started anew, with routings and faults of their own."""
        faults = Faults(self.cubes()[0])
        faults.add_link(0, 0)
        choices = {"load": [0.1, 0.2], "faults": [None, faults], "measure_cycles": 100}
        one, two = (cubenet.sweep(self.cubes()[0], "separate-buffers", processes=count, **choices)
                    for count in (1, 2))
        self.assertEqual(one, two)
        self.assertRegex(one[1]["faults"], "^faults-[0-9a-f]{12}$")

    def test_threads_give_the_same(self):
        """As processes and as one after the other: bit for bit, in the same order; with what functions of
        Python have made, which is asked before any thread begins."""
        ring = Topology.from_function(16, 2, lambda node, port: (node + 2 * port - 1) % 16)
        routing = Routing.own(ring, lambda node, destination, came: [(0 if (node - destination) % 16 <= 8 else 1, 0)])
        choices = {"load": [0.2, 0.05, -1], "routing": [routing, "minimal"], "seed": range(3), "measure_cycles": 400}
        rows = [cubenet.sweep(ring, "separate-buffers", **way, **choices)
                for way in ({"threads": 1}, {"threads": 4}, {}, {"processes": 1}, {"processes": 2})]
        self.assertEqual([row["load"] for row in rows[0]], [0.2] * 6 + [0.05] * 6 + [-1] * 6)
        self.assertEqual([bool(row["error"]) for row in rows[0]], [False] * 12 + [True] * 6)
        for other in rows[1:]:
            self.assertEqual(other, rows[0])
        with self.refused(cubenet.ArgumentError, "threads = 2 and processes = 1"):
            cubenet.sweep(ring, "deflection", threads=2, processes=1)
        with self.refused(cubenet.ArgumentError, "threads = 0"):
            cubenet.sweep(ring, "deflection", threads=0)

    def test_columns(self):
        """What varied, if by one value, and the metrics that one row has; the same in each row."""
        cube = Topology.hypercube(4)
        rows = cubenet.sweep(cube, ["deflection", "collective"], load=[0.3], buffers=8, measure_cycles=100)
        self.assertEqual(list(rows[0])[:8], ["topology", "system", "load", "error", "model", "stop", "saturated",
                                             "settled"])
        self.assertEqual(list(rows[0]), list(rows[1]))
        self.assertEqual(rows[1]["mean_delay"], None)
        self.assertNotIn(None, rows[0].values())
        alone = cubenet.sweep(cube, "deflection", load=[0.3, -1], buffers=8, measure_cycles=100)
        self.assertNotIn("completion_cycles", alone[0])
        failed = cubenet.sweep(cube, "deflection", load=-1)
        self.assertEqual(list(failed[0]), ["topology", "system", "error", "model", "stop", "saturated", "settled"])

    def test_columns_of_a_file(self):
        """They are those of the rows. Metrics that only a later row has get columns then, and no row is lost."""
        cube = Topology.hypercube(4)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.csv"
            choices = {"load": [-1, 0.3], "buffers": 8, "measure_cycles": 100, "threads": 1}
            rows = cubenet.sweep(cube, "deflection", file=file, **choices)
            head, failed, done = file.read_text().splitlines()
            columns = ["key buffers=8 measure_cycles=100", *rows[0]]
            self.assertEqual(head.split(","), columns)
            self.assertTrue(failed.endswith("," * (len(columns) - 5)))  # of what comes behind the error
            self.assertTrue(done.endswith(f"{rows[1]['warmup_cycles']!r},{rows[1]['warmup_cycles_half_width']!r}"))
            self.assertEqual([path.name for path in Path(folder).iterdir()], ["rows.csv"])
            self.assertEqual(cubenet.sweep(cube, "deflection", file=file, **choices,
                                           progress=lambda *told: self.fail(told)), rows)
            with self.refused(cubenet.ArgumentError, "file", "another sweep", "key buffers=8", "key buffers=9"):
                cubenet.sweep(cube, "deflection", file=file, **{**choices, "buffers": 9})

    def test_files_of_before_are_refused(self):
        """They had a column for each keyword and for each metric that there is."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.csv"
            head = ["key", "simulate", "topology", "system", "load", "error", "model", "stop", "saturated", "settled",
                    *cubenet._sweep_file._metric_columns()]
            text = ",".join(head) + "\n" + "," * (len(head) - 1) + "\n"
            file.write_text(text)
            with self.refused(cubenet.ArgumentError, "rows.csv", "one of another version", "key, simulate, topology",
                              "not with 'key, topology, system, load"):
                cubenet.sweep(self.cubes()[0], "deflection", load=[0.1], file=file)
            self.assertEqual(file.read_text(), text)

    def test_limits(self):
        """Those of a block hold for the experiments, wherever they run."""
        told = []
        with cubenet.limits(1e-9, lambda *told_now: told.append(told_now)):
            for way in ({"threads": 2}, {"processes": 2}):
                rows = cubenet.sweep(self.cubes()[0], "deflection", load=[0.1, 0.2], buffers=8, **way)
                self.assertTrue(all("time limit" in row["error"] or row["stop"] == "time-limit" for row in rows), rows)
        self.assertEqual(told, [(1, 2, 0.0, float("inf")), (2, 2, 0.0, float("inf"))] * 2)

    def test_bar(self):
        """progress=True draws the bar of all other calls."""
        class Terminal(io.StringIO):
            def isatty(self):
                return True
        with mock.patch.object(sys, "stderr", Terminal()):
            cubenet.sweep(self.cubes()[0], "deflection", simulate=False, load=[0.1, 0.2], buffers=8, progress=True)
            shown = sys.stderr.getvalue()
        self.assertIn("[###############               ]  50 %", shown)
        self.assertTrue(shown.endswith("\r"))

    def test_an_error_in_a_thread(self):
        """What is no error of an experiment ends the sweep, and no thread stays."""
        with mock.patch.object(cubenet.Result, "items", side_effect=ZeroDivisionError("bug")):
            with self.refused(ZeroDivisionError, "bug"):
                cubenet.sweep(self.cubes(), "deflection", threads=2, **self.CHOICES)
        self.assertEqual(threading.active_count(), 1)

    def test_choices_without_a_name(self):
        """In other processes and in files, too."""
        cube = Topology.hypercube(3)
        several = [Operations(cube), Operations(cube)]
        several[0].add(0)
        several[1].add(0, [1])
        faults = Faults(cube)
        faults.add_node(6)
        with tempfile.TemporaryDirectory() as folder:
            for system, choices in (("collective", {"operations": several}),
                                    ("deflection", {"load": 0.1, "buffers": 8, "measure_cycles": 100,
                                                    "subnet": [None, faults.convex_subnet()]})):
                file = Path(folder) / f"{system}.csv"
                rows = cubenet.sweep(cube, system, processes=2, file=file, **choices)
                self.assertEqual([row["error"] for row in rows], ["", ""])
                self.assertNotEqual(rows[0]["messages_delivered"], rows[1]["messages_delivered"])
                again = cubenet.sweep(cube, system, file=file, **choices,
                                      progress=lambda *told: self.fail(told))
                self.assertEqual(again, rows)

    def test_rows_of_another_version_do_not_count(self):
        told = []
        with tempfile.TemporaryDirectory() as folder:
            choices = {"load": [0.1, 0.2], "buffers": 8, "simulate": False, "processes": 1,
                       "file": Path(folder, "rows.csv"), "progress": lambda *done: told.append(done)}
            cubenet.sweep(Topology.hypercube(3), "deflection", **choices)
            with mock.patch.object(cubenet._sweep, "version", lambda: "0.0.1"):
                cubenet.sweep(Topology.hypercube(3), "deflection", **choices)
            cubenet.sweep(Topology.hypercube(3), "deflection", **choices)
        self.assertEqual(told, [(1, 2), (2, 2)] * 2)

    def test_an_experiment_that_fails_is_a_row(self):
        rows = cubenet.sweep(self.cubes()[0], ["deflection", "collective"], simulate=False,
                             load=[0.5, -1], buffers=8)
        self.assertEqual([bool(row["error"]) for row in rows], [False, True, True, True])
        self.assertIn("load", rows[1]["error"])
        for bad in ({"load": []}, {"processes": 0}, {"seconds": -1}):
            with self.refused(cubenet.ArgumentError, next(iter(bad))):
                cubenet.sweep(self.cubes(), "deflection", **bad)
        for bad in ({"load": b"12"}, {"seconds": "1"}, {"progress": 1}):
            with self.refused(TypeError, next(iter(bad))):
                cubenet.sweep(self.cubes(), "deflection", **bad, processes=2)

    def test_interrupted_and_continued(self):
        """At every point, and in the middle of a line; nothing is done twice."""
        with tempfile.TemporaryDirectory() as folder:
            def run(name, **more):
                return cubenet.sweep(self.cubes(), "deflection", processes=1,
                                     file=Path(folder) / name, **self.CHOICES, **more)
            whole = run("whole.csv")
            text = (Path(folder) / "whole.csv").read_text()
            self.assertEqual(whole, cubenet.sweep(self.cubes(), "deflection", processes=1,
                                                  **self.CHOICES))
            self.assertEqual(run("whole.csv", progress=lambda *told: self.fail(told)), whole)
            for at in (3, 5):
                cut = run(f"{at}.csv", progress=lambda done, total: done < at)
                self.assertEqual(cut, whole[:at])
                self.assertEqual(run(f"{at}.csv"), whole)
                self.assertEqual((Path(folder) / f"{at}.csv").read_text(), text)
            for at in (1, len(text) // 2, len(text) - 1, text.index("\n"), text.index("\n") + 1):
                (Path(folder) / "cut.csv").write_text(text[:at])
                self.assertEqual(run("cut.csv"), whole)
                self.assertEqual((Path(folder) / "cut.csv").read_text(), text)
            with self.refused(cubenet.ArgumentError, "file", "another sweep"):
                cubenet.sweep(self.cubes(), "deflection", file=Path(folder) / "whole.csv", load=0.1)

    def test_a_file_is_no_descriptor(self):
        """It would be closed at the end: 1 is the standard output."""
        for wrong in (1, True, sys.stdout):
            with self.assertRaises(TypeError):
                cubenet.sweep(self.cubes()[0], "deflection", simulate=False, load=0.5, buffers=8, file=wrong)
        os.fstat(1)

    @unittest.skipIf(importlib.util.find_spec("fcntl") is None, "no locks here")
    def test_one_sweep_writes_a_file(self):
        """Another one is refused, also after the file was written anew; then the first one ends as if alone."""
        with tempfile.TemporaryDirectory() as folder:
            file, refused = Path(folder) / "rows.csv", []

            def again(done, total):
                try:
                    cubenet.sweep(self.cubes()[0], "deflection", load=[0.5, -1, 0.6], **choices)
                except cubenet.ArgumentError as error:
                    refused.append(str(error))
            choices = {"file": file, "buffers": 8, "simulate": False}
            loads = [-1, 0.5, 0.6]
            rows = cubenet.sweep(self.cubes()[0], "deflection", load=loads, threads=1, progress=again, **choices)
            self.assertEqual(len(refused), 3)
            self.assertIn("another sweep is writing it", refused[0])
            self.assertEqual(len(file.read_text().splitlines()), 4)
            self.assertEqual(cubenet.sweep(self.cubes()[0], "deflection", load=loads, **choices), rows)

    def test_damaged_files(self):
        """What a power failure, an editor or another system leaves: only what is damaged is done again."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.csv"

            def run():
                return cubenet.sweep(self.cubes(), "deflection", simulate=False, buffers=8, load=[0.1, 0.2],
                                     file=file, processes=1, progress=lambda *done: told.append(done))
            told = []
            rows = run()
            text = file.read_bytes()
            middle = text.index(b"\n", text.index(b"\n") + 1)
            for damaged, again in ((text + b"\n\n", 0), (text + b"\0\0\n", 0), (text + b"\xff\xc3", 0),
                                   (text.replace(b"\n", b"\r\n"), 0), (text[:-9] + b"\n", 1),
                                   (text[:middle - 9] + text[middle:], 1), (text + b'"abc\n', 0)):
                file.write_bytes(damaged)
                told = []
                self.assertEqual(len(run()), len(rows))
                self.assertEqual(len(told), again, damaged)

    def test_files_of_others_are_left_alone(self):
        for text in (b"all of my notes", b"import os\nprint(1)", bytes(range(256)), b"\n", b"key,sim\n",
                     b"\xef\xbb\xbfkey,simulate"):
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "notes.txt"
                file.write_bytes(text)
                with self.refused(cubenet.ArgumentError, "notes.txt", "another sweep"):
                    cubenet.sweep(self.cubes(), "deflection", simulate=False, load=0.1, buffers=8, file=file)
                self.assertEqual(file.read_bytes(), text)

    def test_a_choice_that_is_a_metric_too(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = [cubenet.sweep(self.cubes()[0], "deflection", processes=1, load=0.2, buffers=8,
                                  measure_cycles=100, warmup_cycles=["automatic", 30],
                                  file=Path(folder) / "rows.csv") for _ in range(2)]
            self.assertEqual([row["warmup_cycles"] for row in rows[0]], ["automatic", 30])
            self.assertEqual(rows[0], rows[1])

    def test_models_and_simulations_are_not_mixed_up(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = [cubenet.sweep(self.cubes()[0], "deflection", simulate=simulate, processes=1,
                                  file=Path(folder) / "both.csv", load=0.5, buffers=8)[0]
                    for simulate in (True, False, True)]
        self.assertEqual([row["stop"] == "model" for row in rows], [False, True, False])
        self.assertEqual([row["model"] for row in rows], ["", "deflection/own/2", ""])
        self.assertEqual(rows[0], rows[2])

    def test_a_killed_process(self):
        """What it has written is kept."""
        script = """
            import os, sys
            import cubenet
            cubenet.sweep(cubenet.Topology.hypercube(4), "deflection", file=sys.argv[1], buffers=8,
                          load=[0.1, 0.2, 0.3], measure_cycles=200, processes=1,
                          progress=lambda done, total: done < 2 or os._exit(9))
        """
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.csv"
            self.assertEqual(python(script, str(file)).returncode, 9)
            told = []
            rows = cubenet.sweep(Topology.hypercube(4), "deflection", file=file, buffers=8,
                                 load=[0.1, 0.2, 0.3], measure_cycles=200, processes=1,
                                 progress=lambda *done: told.append(done))
            self.assertEqual((len(rows), told), (3, [(3, 3)]))

    def test_processes_of_a_killed_one(self):
        """They end, and say nothing."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "killed.py"
            script.write_text("import os\nimport cubenet\n"
                              "if __name__ == '__main__':\n"
                              "    cubenet.sweep(cubenet.Topology.hypercube(6), 'deflection', buffers=8,"
                              " seed=range(9), load=0.5, processes=2, progress=lambda *done: os._exit(9))\n")
            done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (9, "", ""))

    def test_from_the_keyboard(self):
        """Ctrl-C ends all processes, and no row is lost."""
        with tempfile.TemporaryDirectory() as folder:
            file, script = Path(folder) / "rows.csv", Path(folder) / "long.py"
            script.write_text(textwrap.dedent(f"""
                import cubenet
                if __name__ == "__main__":
                    cubenet.sweep(cubenet.Topology.hypercube(8), "deflection", file={str(file)!r},
                                  load=[0.1 * i for i in range(1, 9)], buffers=16, processes=2,
                                  relative_precision=0, measure_cycles=2000,
                                  progress=lambda done, total: print(done, flush=True))
                """))
            with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as process:
                self.assertEqual(process.stdout.readline(), "1\n")
                process.send_signal(signal.SIGINT)
                printed, errors = process.communicate(timeout=60)
            self.assertIn("KeyboardInterrupt", errors)
            self.assertNotIn("SpawnProcess", errors)
            rows = file.read_text().splitlines()[1:]
            self.assertIn(len(rows) - 1 - len(printed.split()), (0, 1))  # written, not yet told
            self.assertLess(len(rows), 8)

    def test_threads_from_the_keyboard(self):
        """In a plain script: Ctrl-C ends all threads at once, whatever they do, and leaves the rows that are there.
        The same sweep then gives the rows that it gives without a break."""
        with tempfile.TemporaryDirectory() as folder:
            file, script = Path(folder) / "rows.csv", Path(folder) / "plain.py"
            script.write_text(textwrap.dedent("""
                import sys, threading
                import cubenet
                cubes = [cubenet.Topology.hypercube(n) for n in (3, 4, 5, 17, 18, 19)]
                try:
                    cubenet.sweep(cubes, "deflection", file=sys.argv[1], load=0.5, buffers=24, threads=3,
                                  relative_precision=0, measure_cycles=int(sys.argv[2]),
                                  progress=lambda done, total: print(done, flush=True))
                except KeyboardInterrupt:
                    print("caught", threading.active_count(), flush=True)
                    raise
                """))
            with subprocess.Popen([sys.executable, script, file, "400000"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as process:
                self.assertEqual([process.stdout.readline() for _ in range(2)], ["1\n", "2\n"])
                begun = time.monotonic()
                process.send_signal(signal.SIGINT)
                printed, errors = process.communicate(timeout=60)
                spent = time.monotonic() - begun
            self.assertIn("caught 1\n", printed)
            self.assertTrue(errors.rstrip().endswith("KeyboardInterrupt"), errors)
            self.assertLess(spent, 20)  # the experiments that it ends would take minutes
            rows = file.read_text().splitlines()[1:]
            self.assertIn(len(rows), (2, 3))
            self.assertEqual({row.split(",")[1] for row in rows} - {f"hypercube({n})" for n in (3, 4, 5)}, set())
            choices = {"file": file, "load": 0.5, "buffers": 24, "relative_precision": 0, "measure_cycles": 400000}
            cubes = [Topology.hypercube(n) for n in (3, 4, 5)]
            told = []
            rows = cubenet.sweep(cubes[:2], "deflection", **choices, progress=lambda *done: told.append(done))
            self.assertEqual(told, [])
            del choices["file"]
            self.assertEqual(rows, cubenet.sweep(cubes[:2], "deflection", **choices))

    def test_signals_while_threads_begin_and_end(self):
        """They come when all threads have begun, or ended: none is left behind."""
        begin, join, come = threading.Thread.start, threading.Thread.join, []

        def signalling(call):
            def called(thread, *arguments):
                call(thread, *arguments)
                come.append(call)
                os.kill(os.getpid(), signal.SIGINT)
            return called
        with mock.patch.multiple(threading.Thread, start=signalling(begin), join=signalling(join)):
            with self.assertRaises(KeyboardInterrupt):
                cubenet.sweep(Topology.hypercube(4), "deflection", threads=2, load=[0.1, 0.2], buffers=8,
                              relative_precision=0, measure_cycles=10**10)
        self.assertEqual(come, [begin, begin, join, join])
        self.assertEqual(threading.active_count(), 1)

    def test_a_process_that_cannot_begin(self):
        """A script without the usual guard ends, and is told why."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "unguarded.py"
            script.write_text("import cubenet\n"
                              "cubenet.sweep(cubenet.Topology.hypercube(4), 'deflection',"
                              " simulate=False, load=[0.1, 0.2], buffers=8, processes=2)\n")
            done = subprocess.run([sys.executable, script], capture_output=True, text=True,
                                  timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("StateError: a process of the sweep has died", done.stderr)

    def test_no_more_processes(self):
        """The error of the system comes through, and the processes that there are end."""
        begin = multiprocessing.get_context("spawn").Process.start
        begun = []

        def start(process):
            begun.append(process)
            if len(begun) == 2:
                raise BlockingIOError("no more processes")
            begin(process)
        with mock.patch.object(multiprocessing.get_context("spawn").Process, "start", start):
            with self.refused(BlockingIOError, "no more processes"):
                cubenet.sweep(self.cubes(), "deflection", processes=2, **self.CHOICES)
        self.assertEqual(multiprocessing.active_children(), [])

    def test_ended_by_progress(self):
        """With all processes."""
        rows = cubenet.sweep(self.cubes(), "deflection", processes=2, **self.CHOICES,
                             progress=lambda done, total: done < 2)
        self.assertEqual(len(rows), 2)
        self.assertEqual(multiprocessing.active_children(), [])

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("there is no pandas here")
        rows = cubenet.sweep(self.cubes(), "deflection", processes=1, **self.CHOICES)
        frame = pandas.DataFrame(rows)
        self.assertEqual(frame["mean_delay"].dtype, float)
        self.assertEqual(len(frame.groupby(["topology", "load"])), 4)


class DamagedFiles(Case):
    def test_damaged_lines_are_done_again(self):
        """A carriage return within a line, and a metric that is no number."""
        def sweep(path):
            return cubenet.sweep(Topology.hypercube(4), "deflection", load=[0.1, 0.2, 0.3], buffers=8, simulate=False,
                                 file=path)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.csv"
            rows = sweep(path)
            head, first, *others = path.read_bytes().split(b"\n")
            for damaged in (first[:30] + b"\r" + first[30:], first[:-3] + b"B" + first[-2:], first + b"\r"):
                path.write_bytes(b"\n".join([head, damaged, *others]))
                self.assertEqual(sweep(path), rows)


class Pictures(Case):
    def test_example(self):
        """It draws, or says what it needs."""
        example = Path(__file__).resolve().parents[2] / "docs/examples/plots.py"
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(example), folder], capture_output=True,
                                  text=True)
            drawn = sorted(path.name for path in Path(folder).iterdir())
        if importlib.util.find_spec("matplotlib") is None:
            self.assertEqual((done.returncode, drawn), (1, []))
            self.assertIn("matplotlib, which is not installed", done.stderr)
            self.skipTest("nothing is drawn, for there is no matplotlib here")
        else:
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(drawn, ["channels.png", "delay.png", "queues.png"])


if __name__ == "__main__":
    unittest.main(verbosity=2)

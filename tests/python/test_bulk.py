"""Many nodes in one call: arrays in, arrays out, against the calls for one node."""

import contextlib
import ctypes
import sys
import unittest
from array import array
from unittest import mock

import cubenet
from cubenet import Faults, Routing, Topology
from cubenet._arrays import _packed
from test_cubenet import Case

NONE = 2**64 - 1


def networks():
    return [Topology.hypercube(5), Topology.kary_ncube(4, 2), Topology.torus([3, 4]), Topology.mesh([5, 2]),
            Topology.generalized_hypercube(3, 3), Topology.psnn(4), Topology.star(6), Topology.complete(5),
            Topology.from_edges(6, [(0, 1), (1, 2), (4, 5)])]


class Numpy:
    """What the package uses of numpy, where that is not installed."""

    class ndarray:
        pass

    @staticmethod
    def frombuffer(numbers, typecode):
        return memoryview(numbers).cast("B").cast(typecode)


class Bulk(Case):
    def test_as_one_by_one(self):
        for net in networks():
            nodes = [v * 7 % net.node_count for v in range(40)]
            others = [v * 11 % net.node_count for v in range(40)]
            first, neighbors = net.adjacency()
            for v in range(net.node_count):
                self.assertEqual(list(neighbors[first[v]:first[v + 1]]), net.neighbors(v))
            self.assertEqual([None if hops == NONE else hops for hops in net.distances(2)],
                             [net.distance(2, v) for v in range(net.node_count)])
            pairs = net.distances().tolist()
            self.assertEqual(pairs, [list(net.distances(v)) for v in range(net.node_count)])
            if not net.dimensions:
                continue
            self.assertEqual(net.digits_of(nodes).tolist(), [net.digits(v) for v in nodes])
            self.assertEqual(list(net.headers(nodes, others)), list(map(net.header, nodes, others)))
            self.assertEqual(list(net.translations(nodes, 3)), [net.translate(v, 3) for v in nodes])
        cube = Topology.generalized_hypercube(3, 3)
        self.assertEqual(list(cube.displacements(range(27))), list(map(cube.displacement, range(27))))
        tree = cube.balanced_tree(4)
        self.assertEqual([None if up == NONE else up for up in tree.parents(range(27))],
                         list(map(tree.parent, range(27))))

    def test_next_hops(self):
        net = Topology.hypercube(4)
        faults = Faults(net)
        faults.add_node(6)
        for routing in (Routing(net, "minimal"), Routing(net, "up-down", faults)):
            nodes, others = [0, 1, 2, 3, 15], [15, 1, 7, 4, 0]
            for words, destinations in ((routing.next_hops(nodes, others), others),
                                        (routing.next_hops(nodes, 9), [9] * 5)):
                self.assertEqual([[p for p in range(4) if word >> p & 1] for word in words],
                                 list(map(routing.channels, nodes, destinations)))
        with self.assertRaisesRegex(cubenet.ArgumentError, r"nodes\[1\] = 6, but up-down serves only"):
            routing.next_hops([1, 6], 3)

    def test_buffers_are_read_where_they_are(self):
        cube = Topology.hypercube(6)
        given = array("Q", range(64))
        for buffer in (given, memoryview(given)):
            self.assertEqual(ctypes.addressof(_packed("u64", "nodes", buffer)), given.buffer_info()[0])
        for buffer in (given, memoryview(given), array("q", given), (ctypes.c_uint64 * 64)(*given)):
            answers = cube.headers(buffer, given)
            self.assertIsInstance(answers, array)
            self.assertEqual(list(answers), [0] * 64)
        for other in (given.tobytes() and list(given), array("I", given), memoryview(given)[::2],
                      memoryview(given).toreadonly() if sys.version_info >= (3, 8) else tuple(given)):
            self.assertEqual(list(cube.headers(other, 0)), list(other))
        self.assertEqual(list(given), list(range(64)))
        self.assertEqual(list(cube.headers([], 3)), [])
        self.assertEqual(len(cube.digits_of([])), 0)

    def test_arrays_of_numpy_come_out_where_it_is_imported(self):
        with mock.patch.dict(sys.modules, numpy=Numpy):
            answers = Topology.hypercube(3).headers([1, 2], 7)
            self.assertIsInstance(answers, memoryview)
            self.assertEqual(list(answers), [6, 5])

    def test_errors(self):
        cube = Topology.hypercube(3)
        for call, sentence in ((lambda: cube.headers([1, 8], 2), r"nodes\[1\] = 8, but the nodes of hypercube"),
                               (lambda: cube.headers([1, 2], [2, 9]), r"destinations\[1\] = 9, but"),
                               (lambda: cube.headers([1, 2], [2]), "destinations has 1 elements, but nodes has 2"),
                               (lambda: cube.translations([1], [-1]), r"by\[0\] = -1, but it cannot be negative"),
                               (lambda: cube.headers(array("q", [-1]), 0), r"nodes\[0\] = -1, but"),
                               (lambda: cube.headers([1], 2**64), "destinations = 1844"),
                               (lambda: cube.distances(8), "source = 8, but")):
            with self.assertRaisesRegex(cubenet.ArgumentError, sentence):
                call()
        for wrong in (7, None, [1.5], ["1"]):
            with self.assertRaises(TypeError):
                cube.headers(wrong, 0)
        with self.assertRaises(cubenet.UnsupportedError):
            Topology.psnn(3).headers([1], [2])
        with self.assertRaises(cubenet.OutOfMemoryError):
            Topology.hypercube(50).distances(0)
        with self.assertRaises(cubenet.OutOfMemoryError):
            Topology.hypercube(40).distances()

    def test_limits_of_all_pairs(self):
        """They are those of all rows, and a function ends the call between two of them."""
        large, told = Topology.psnn(12), []

        def second(*numbers):
            told.append(numbers)
            return len(told) < 2

        for seconds in (0.05, None):
            with cubenet.limits(seconds=0.05) if seconds is None else contextlib.nullcontext():
                with self.refused(cubenet.CancelledError, "the time limit of 0.05 seconds was reached"):
                    large.distances(seconds=seconds)
        with self.refused(cubenet.CancelledError, "cancelled by its callback"):
            large.distances(progress=second)
        self.assertEqual([(0 < done < total, total, lower, upper) for done, total, lower, upper in told],
                         [(True, 4096, 0, float("inf"))] * 2)
        with self.assertRaises(ZeroDivisionError):
            large.distances(progress=lambda *numbers: 1 // 0)
        self.assertEqual(Topology.ring(4).distances(progress=True, seconds=100).tolist()[1], [1, 0, 1, 2])


if __name__ == "__main__":
    unittest.main(verbosity=2)

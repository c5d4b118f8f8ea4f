"""Collective operations as workloads."""

import unittest

import cubenet
from cubenet import Scenario, Topology, Tree, Workload
from test_cubenet import Case


class Collectives(Case):
    def test_all_operations(self):
        torus, cube = Topology.torus([4, 4]), Topology.hypercube(4)
        for make, parts in ((Workload.reduce_scatter, 1), (Workload.allreduce, 2)):
            for algorithm, steps, messages in (("ring", 15, 15), ("rings", 6, 24), ("recursive", 4, 4), ("swing", 4, 16),
                                               ("bine", 4, 4)):
                made = make(torus, algorithm, 64)
                self.assertEqual((made.steps, len(made)), (parts * steps, parts * 16 * messages), algorithm)
                self.assertEqual(made.topology, torus)
        self.assertEqual(Workload.allgather(cube, "interleaved", 3).steps, 4)
        self.assertEqual(Workload.allgather(cube, "dimensions", 3).steps, 4)
        self.assertEqual(Workload.all_to_all(cube, "dimensions", 4).busiest_link(), 32)
        self.assertEqual(Workload.all_to_all(torus, "rotated", 1).steps, 15)

    def test_trees(self):
        tree = Tree.breadth_first(Topology.mesh([3, 3]), 4)
        out, back = Workload.broadcast(tree, 7, most=3), Workload.reduce(tree, 7)
        self.assertEqual((len(out), out.steps, out.busiest_link()), (24, 2, 7))
        self.assertEqual((len(back), back.steps), (8, 2))
        self.assertTrue(all(tree.parent(m.source) == m.destination for m in back))

    def test_they_run(self):
        ring = Topology.ring(8)
        result = Scenario(ring, "wormhole", workload=Workload.allreduce(ring, "ring", 64)).simulate()
        self.assertEqual(result["completion_cycles"], 2 * 7 * (1 + 8))
        stored = Workload.allreduce(ring, "swing", 20, most=1)
        self.assertEqual({m.flits for m in stored}, {0, 1})
        self.assertEqual(Scenario(ring, "separate-buffers", workload=stored).simulate().stop, "completed")

    def test_what_is_refused(self):
        mesh = Topology.mesh([4, 4])
        with self.assertRaisesRegex(cubenet.UnsupportedError, "swing needs a torus"):
            Workload.allreduce(mesh, "swing", 1)
        with self.assertRaisesRegex(cubenet.UnsupportedError, "only by dimensions, rotated"):
            Workload.all_to_all(mesh, "ring", 1)
        with self.assertRaisesRegex(cubenet.NotFoundError, 'did you mean "rings"|no algorithm "rinks"'):
            Workload.allreduce(mesh, "rinks", 1)
        with self.assertRaisesRegex(TypeError, "tree must be a cubenet tree"):
            Workload.broadcast(mesh, 1)


if __name__ == "__main__":
    unittest.main()

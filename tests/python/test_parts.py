"""Tests of the parts of a simulation in lib/python/cubenet/."""

import pickle
import queue
import threading
import unittest

import cubenet
from cubenet import Scenario, Topology
from test_cubenet import Case

PARTS, CYCLES = 4, 60


class Parts(Case):
    def scenario(self, system="deflection"):
        more = {} if system == "deflection" else {"slotted": True}
        return Scenario(Topology.hypercube(9), system, load=0.7, warmup_cycles=20,
                        statistics=True, **more)

    def run_parts(self, work):
        """work(part, exchange) for each part in a thread of its own."""
        ways = {(a, b): queue.Queue() for a in range(PARTS) for b in range(PARTS)}

        def run(own, results):
            def exchange(number, sent):
                for other, data in sent.items():
                    ways[own, other].put(data)
                return {other: ways[other, own].get(timeout=60) for other in sent}
            results[own] = work(own, exchange)

        results = [None] * PARTS
        threads = [threading.Thread(target=run, args=(own, results)) for own in range(PARTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    def test_result_and_deliveries_are_those_of_the_whole(self):
        for system in "deflection", "separate-buffers":
            self.check_parts(self.scenario(system))

    def check_parts(self, scenario):
        whole = scenario.open()
        whole.inject(3, 500, 17)
        whole.step(CYCLES)

        def work(own, exchange):
            part = scenario.open_part(own, PARTS, exchange)
            if own == 0:
                part.inject(3, 500, 17)
            part.step(CYCLES // 2)
            part = scenario.restore_part(part.save(), exchange)
            part.step(CYCLES // 2)
            messages, size, waiting, stepping = part.exchanged()
            self.assertTrue(0 < messages < size and 0 <= waiting <= stepping)
            return part.save_counts(), list(part.deliveries())

        done = self.run_parts(work)
        merged = cubenet.merge_parts(scenario, [counts for counts, _ in done])
        self.assertEqual(merged.to_json(), whole.result().to_json())
        self.assertEqual([d for _, deliveries in done for d in deliveries],
                         list(whole.deliveries()))
        self.assertEqual(len(done[-1][1]), 1)

    def test_nodes(self):
        topology = Topology.hypercube(8)
        self.assertEqual([cubenet.part_nodes(topology, part, 3) for part in range(3)],
                         [range(0, 64), range(64, 128), range(128, 256)])
        with self.assertRaisesRegex(cubenet.ArgumentError, "1 to 4 parts"):
            cubenet.part_nodes(topology, 0, 5)

    def test_an_exception_of_the_exchange_ends_the_part(self):
        def fail(number, sent):
            raise KeyError(number)
        part = self.scenario().open_part(0, 2, fail)
        with self.assertRaises(KeyError):
            part.step()
        with self.assertRaises(cubenet.StateError):
            part.step()
        wrong = self.scenario().open_part(0, 2, lambda number, sent: sent)
        with self.assertRaisesRegex(cubenet.ExchangeError, "not what that one sent"):
            wrong.step()
        with self.assertRaisesRegex(TypeError, "exchange must be callable"):
            self.scenario().open_part(0, 2, None)

    def test_what_a_part_does_not_do(self):
        part = self.scenario().open_part(1, 2, lambda number, sent: sent)
        for call in (part.copy, part.result, lambda: part.step_until(5)):
            with self.assertRaises(cubenet.UnsupportedError):
                call()
        with self.assertRaisesRegex(cubenet.ArgumentError, "nodes 256 to 511"):
            part.inject(3, 500)
        with self.assertRaisesRegex(TypeError, "a Part cannot be pickled"):
            pickle.dumps(part)
        self.assertEqual(repr(part), "<Part at cycle 0>")

    def test_what_is_no_bytes(self):
        """bytes() alone makes zeros of a number."""
        for wrong in (5, -5, 10**12, "12", None):
            with self.assertRaisesRegex(TypeError, r"counts\[0\] must be bytes, not"):
                cubenet.merge_parts(self.scenario(), [wrong])
            part = self.scenario().open_part(0, 2, lambda number, sent: {1: wrong})
            with self.assertRaisesRegex(TypeError, "what exchange.* for part 1 must be bytes, not"):
                part.step()


if __name__ == "__main__":
    unittest.main(verbosity=2)

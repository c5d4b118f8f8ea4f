"""Collective operations as workloads."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import TYPE_CHECKING

from ._function import _c, _declare
from ._handle import _OnTopology
from ._hints import Whole
from ._values import _text

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._topology import Topology
    from ._tree import Tree

_declare("""
    status cn_collective_operation_from_name(text name, out int operation)
    status cn_algorithm_from_name(text name, out int algorithm)
    status cn_workload_collective(topology topology, int operation, int algorithm, u64 flits, u64 most,
                                  out workload workload)
    status cn_workload_tree(tree tree, int operation, u64 flits, u64 most, out workload workload)
""")


class _Collectives(_OnTopology):
    """Of a Workload: those of collective operations. With `most`, a message has at most so many flits, and more are sent
    as several messages; 1 in systems whose messages have no flits."""

    @classmethod
    def _collective(cls, topology: Topology, operation: str, algorithm: str, flits: Whole, most: Whole) -> Self:
        return cls._of(topology, _c.cn_workload_collective(
            topology, _c.cn_collective_operation_from_name(operation),
            _c.cn_algorithm_from_name(_text("algorithm", algorithm)), flits, most))

    @classmethod
    def allreduce(cls, topology: Topology, algorithm: str, flits: Whole, most: Whole = 0) -> Self:
        """Every node has the sum of the vectors of all nodes, of `flits` flits each. By "ring", "rings", "recursive",
        "swing", "bine" or "dimensions".

        >>> swing = Workload.allreduce(Topology.torus([4, 4]), "swing", 128)
        >>> swing.steps, swing.busiest_link()
        (8, 60.0)
        """
        return cls._collective(topology, "allreduce", algorithm, flits, most)

    @classmethod
    def reduce_scatter(cls, topology: Topology, algorithm: str, flits: Whole, most: Whole = 0) -> Self:
        """Every node has its share of that sum: flits / N flits. By the same algorithms."""
        return cls._collective(topology, "reduce-scatter", algorithm, flits, most)

    @classmethod
    def allgather(cls, topology: Topology, algorithm: str, flits: Whole, most: Whole = 0) -> Self:
        """Every node has the vectors of all nodes, of `flits` flits each. By the same algorithms, or "interleaved".

        >>> Workload.allgather(Topology.hypercube(3), "interleaved", 1).steps
        3
        """
        return cls._collective(topology, "allgather", algorithm, flits, most)

    @classmethod
    def all_to_all(cls, topology: Topology, algorithm: str, flits: Whole, most: Whole = 0) -> Self:
        """Every node has the `flits` flits that each other node has for it. By "rotated" or "dimensions"."""
        return cls._collective(topology, "all-to-all", algorithm, flits, most)

    @classmethod
    def broadcast(cls, tree: Tree, flits: Whole, most: Whole = 0) -> Self:
        """The `flits` flits of the root go to all nodes along a Tree.

        >>> Workload.broadcast(Topology.hypercube(3).balanced_tree(), 16)
        <Workload on hypercube(3): 7 messages>
        """
        return cls._along(tree, "broadcast", flits, most)

    @classmethod
    def reduce(cls, tree: Tree, flits: Whole, most: Whole = 0) -> Self:
        """The sum of the vectors of all nodes, of `flits` flits each, comes to the root along a Tree."""
        return cls._along(tree, "reduce", flits, most)

    @classmethod
    def _along(cls, tree: Tree, operation: str, flits: Whole, most: Whole) -> Self:
        made = _c.cn_workload_tree(tree, _c.cn_collective_operation_from_name(operation), flits, most)
        return cls._of(tree.topology, made)

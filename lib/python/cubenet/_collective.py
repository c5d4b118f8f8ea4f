"""Broadcasts and multicasts."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import Any, NamedTuple, overload, Sequence, TYPE_CHECKING

from ._arrays import _packed
from ._function import _c, _declare
from ._handle import _OnTopology
from ._hints import Whole, Wholes
from ._tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._topology import Topology

_declare("""
    status cn_operations_new(topology topology, out operations operations)
    status cn_operations_copy(operations operations, out operations copy)
    void   cn_operations_free(ref operations)
    status cn_operations_add(operations operations, u64 source, u64[] destinations, size count,
                             u64 start)
    status cn_operations_add_broadcast(operations operations, u64 source, u64 start)
    status cn_operations_set_tree(operations operations, tree tree)
    size   cn_operations_count(operations operations)
    status cn_operations_get(operations operations, size index, u64[] destinations, size capacity,
                             out size count, out u64 source, out u64 start)
""")


class Operation(NamedTuple):
    """One broadcast or multicast in a list."""

    source: int
    destinations: list[int] | None  # None: all other nodes, a broadcast
    start: int  # the cycle at whose end it starts


class Operations(_OnTopology, Sequence[Operation]):
    """A list of broadcasts and multicasts on a topology, empty at first. It must not be changed in
    one thread while another uses it.

    >>> operations = Operations(Topology.hypercube(3))
    >>> operations.add(0)
    >>> operations.add(5, [1, 2], start=4)
    >>> operations[1]
    Operation(source=5, destinations=[1, 2], start=4)
    """

    _kind = "operations"
    _end = _c.cn_operations_free
    _trees: dict[int, Tree] = {}

    def __init__(self, topology: Topology) -> None:
        self._hold(_c.cn_operations_new(topology))
        self._topology = topology

    @classmethod
    def _listed(cls, topology: Topology, data: Any) -> Operations | None:
        """As a scenario has them in JSON."""
        if data is None:
            return None
        made = cls(topology)
        for operation in data["list"]:
            made.add(operation["source"], operation.get("destinations"), operation["start"])
        for tree in data.get("trees", []):
            made.set_tree(Tree._listed(topology, **tree))
        return made

    def copy(self) -> Self:
        """An independent copy."""
        made = self._of(self._topology, _c.cn_operations_copy(self))
        made._trees = self._trees
        return made

    __copy__ = copy

    @classmethod
    def _again(cls, topology: Topology, rows: list[Operation], trees: list[Tree]) -> Operations:
        made = cls(topology)
        for row in rows:
            made.add(*row)
        for tree in trees:
            made.set_tree(tree)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return self._again, (self._topology, list(self), list(self._trees.values()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Operations):
            return NotImplemented
        return (self._topology == other._topology and list(self) == list(other)
                and self._trees == other._trees)

    def __hash__(self) -> int:
        return hash(self._topology)

    def add(self, source: Whole, destinations: Wholes | None = None, start: Whole = 0) -> None:
        """Adds a multicast to these destinations; without destinations, a broadcast."""
        if destinations is None:
            _c.cn_operations_add_broadcast(self, source, start)
            return
        nodes = _packed("u64", "destinations", destinations)
        _c.cn_operations_add(self, source, nodes, len(nodes), start)

    def set_tree(self, tree: Tree) -> None:
        """Lets the operations whose source is the root of a Tree follow it; one for each source."""
        _c.cn_operations_set_tree(self, tree)
        self._trees = {**self._trees, tree.root: tree}

    def __repr__(self) -> str:
        return f"<Operations on {self._topology.name}: {len(self)}>"

    def __len__(self) -> int:
        return _c.cn_operations_count(self)

    @overload
    def __getitem__(self, index: int) -> Operation: ...

    @overload
    def __getitem__(self, index: slice) -> list[Operation]: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"index {index} of a list of {len(self)} operations")
        destinations, source, start = _c.cn_operations_get.fill(self, at)
        return Operation(source, destinations or None, start)

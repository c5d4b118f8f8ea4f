"""Broadcasts and multicasts."""

import collections.abc
from typing import NamedTuple

from ._function import _c, _declare
from ._handle import _OnTopology
from ._tree import Tree
from ._values import _packed

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
    destinations: list  # None: all other nodes, a broadcast
    start: int  # the cycle at whose end it starts


class Operations(_OnTopology, collections.abc.Sequence):
    """A list of broadcasts and multicasts on a topology, empty at first. It must not be changed in
    one thread while another uses it."""

    _kind = "operations"
    _end = _c.cn_operations_free

    def __init__(self, topology):
        self._hold(_c.cn_operations_new(topology))
        self._topology = topology

    @classmethod
    def _listed(cls, topology, data):
        """As a scenario has them in JSON."""
        if data is None:
            return None
        made = cls(topology)
        for operation in data["list"]:
            made.add(operation["source"], operation.get("destinations"), operation["start"])
        for tree in data.get("trees", []):
            made.set_tree(Tree._listed(topology, **tree))
        return made

    def copy(self):
        """An independent copy."""
        return self._of(self._topology, _c.cn_operations_copy(self))

    def add(self, source, destinations=None, start=0):
        """Adds a multicast to these destinations; without destinations, a broadcast."""
        if destinations is None:
            _c.cn_operations_add_broadcast(self, source, start)
            return
        nodes = _packed("u64", "destinations", destinations)
        _c.cn_operations_add(self, source, nodes, len(nodes), start)

    def set_tree(self, tree):
        """Lets the operations whose source is the root of a Tree follow it; one for each source."""
        _c.cn_operations_set_tree(self, tree)

    def __len__(self):
        return _c.cn_operations_count(self)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"index {index} of a list of {len(self)} operations")
        destinations, source, start = _c.cn_operations_get.fill(self, at)
        return Operation(source, destinations or None, start)

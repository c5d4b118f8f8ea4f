"""Hosts: the nodes of a network that send and receive."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import Sequence, TYPE_CHECKING

from ._arrays import _packed
from ._control import _Control
from ._function import _c, _declare
from ._hints import Wholes
from ._named import _Named

if TYPE_CHECKING:
    from typing_extensions import Self

_declare("""
    status cn_topology_choose_hosts(topology base, u64[] hosts, size count, control control,
        out topology topology)
    u64    cn_topology_host_count(topology topology)
    status cn_topology_hosts(topology topology, u64[] hosts, size capacity, out size count)
""")


class _Hosts(_Named):
    """The part of Topology that knows hosts."""

    @property
    def hosts(self) -> Sequence[int]:
        """The nodes that send and receive, ascending: a range where all nodes do. Experimental.

        >>> Topology.ring(5).hosts
        range(0, 5)
        """
        count = _c.cn_topology_host_count(self)
        if count == _c.cn_topology_node_count(self):
            return range(count)
        return _c.cn_topology_hosts.fill(self)

    def _chosen(self, hosts: Wholes | None) -> Self:
        """The same network with these hosts; None: with all nodes."""
        if hosts is None:
            return self
        packed = _packed("u64", "hosts", hosts)
        return self._own(_c.cn_topology_choose_hosts(self, packed, len(packed), control=_Control(0, None, None)))

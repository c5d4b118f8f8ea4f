"""Hosts: the nodes of a network that send and receive."""
# mypy: no-warn-return-any

from __future__ import annotations

import re
from itertools import islice
from typing import Callable, Iterator, Sequence, TYPE_CHECKING

from ._arrays import _packed
from ._control import _Control
from ._errors import ArgumentError, UnsupportedError
from ._function import _c, _declare
from ._hints import Whole, Wholes
from ._named import _Named

if TYPE_CHECKING:
    from typing_extensions import Self

_declare("""
    status cn_topology_choose_hosts(topology base, u64[] hosts, size count, control control,
        out topology topology)
    status cn_topology_with_hosts(topology base, u32 hosts, out topology topology)
    status cn_topology_with_lengths(topology base, u32[] lengths, size count, control control,
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

    def with_hosts(self, hosts: Whole) -> Self:
        """The network with so many hosts at each router. The routers keep their numbers and ports, and
        host h of router r has the number N + r * hosts + h, where N is the number of nodes here. Routings are those of this
        network, lifted. Experimental.

        >>> hyperx = Topology.generalized_hypercube([4, 4]).with_hosts(4)
        >>> hyperx.node_count, hyperx.hosts[0], hyperx.neighbors(79)
        (80, 16, [15])
        """
        return self._own(_c.cn_topology_with_hosts(self, hosts))

    def with_lengths(self, length: Whole | Callable[[int, int], Whole]) -> Self:
        """The network with links that take several cycles: a link of L cycles is a chain of L - 1 relays,
        which only forward. length is a number for all links, or length(u, v) gives that of the link between
        the nodes u < v, of a link that goes one way that from u to v; 1 to 64. Hosts come after lengths. Experimental.

        >>> Topology.ring(4).with_lengths(3).node_count
        12
        """
        if callable(length) and self.node_count > 2**27:  # which no network with relays has
            raise UnsupportedError(f"{self.name} has more than 2^27 nodes, so its links cannot be asked for one by one")
        lengths: list[Whole] = [length(u, v) for u, v in self._links()] if callable(length) else [length]
        packed = _packed("u32", "length", lengths)
        try:
            return self._own(_c.cn_topology_with_lengths(self, packed, len(packed), control=_Control(0, None, None)))
        except ArgumentError as error:
            def name(found: re.Match[str]) -> str:
                return f"length{next(islice(self._links(), int(found[1]), None)) if callable(length) else ''}"
            error.args = (re.sub(r"^lengths\[(\d+)\]", name, str(error)),)
            raise

    def _links(self) -> Iterator[tuple[int, int]]:
        """The ends of every link, the first one first."""
        for node in range(self.node_count):
            for port, other in enumerate(self.neighbors(node)):
                if node < other or self.back_port(node, port) is None:
                    yield node, other

    def _chosen(self, hosts: Wholes | None) -> Self:
        """The same network with these hosts; None: with all nodes."""
        if hosts is None:
            return self
        packed = _packed("u64", "hosts", hosts)
        return self._own(_c.cn_topology_choose_hosts(self, packed, len(packed), control=_Control(0, None, None)))

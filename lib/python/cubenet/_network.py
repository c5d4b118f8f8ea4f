"""What there is to ask a network."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import Any

from ._arrays import _packed
from ._control import _SHORT, _Control
from ._function import _c, _declare
from ._handle import _ANY, _Object
from ._html import _table_of
from ._hints import Progress, Seconds, Whole, Wholes
from ._json import _Json
from ._values import _NO_PORT, _UNREACHABLE, _array

_declare("""
    int    cn_topology_equal(topology a, topology b)
    text   cn_topology_name(topology topology)
    u64    cn_topology_node_count(topology topology)
    u32    cn_topology_max_degree(topology topology)
    int    cn_topology_is_bidirectional(topology topology)
    status cn_topology_link_count(topology topology, out u64 links)
    status cn_topology_degree(topology topology, u64 node, out u32 degree)
    status cn_topology_neighbor(topology topology, u64 node, u32 port, out u64 neighbor)
    status cn_topology_neighbors(topology topology, u64 node, u64[] neighbors, size capacity,
                                 out size count)
    status cn_topology_back_port(topology topology, u64 node, u32 port, out u32 back_port)
    status cn_topology_port_to(topology topology, u64 node, u64 neighbor, out u32 port)
    status cn_topology_distance(topology topology, u64 source, u64 destination, control control,
        out u64 distance)
    u32    cn_topology_dimensions(topology topology)
    status cn_topology_radix(topology topology, u32 dimension, out u64 radix)
    status cn_topology_digits(topology topology, u64 node, u64[] digits, size capacity,
                              out size count)
    status cn_topology_node_at(topology topology, u64[] digits, size count, out u64 node)
    status cn_topology_address_text(topology topology, u64 node, char[] text, size capacity,
                                    out size length)
    status cn_topology_parse_address(topology topology, text text, out u64 node)
    status cn_topology_header(topology topology, u64 node, u64 destination, out u64 header)
    status cn_topology_translate(topology topology, u64 node, u64 by, out u64 translated)
""")


class _Network(_Json):
    """Nodes, ports, neighbours, distances and addresses of a Topology."""

    @property
    def name(self) -> str:
        """The family with its parameters, as in "hypercube(6)" or "torus([8,8])". With "Topology."
        in front it is the expression that makes the same network. The name of an edge list, as
        in "edges(9,12)", is no such expression."""
        return _c.cn_topology_name(self)

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return _c.cn_topology_node_count(self)

    @property
    def max_degree(self) -> int:
        """The greatest number of ports of a node."""
        return _c.cn_topology_max_degree(self)

    @property
    def is_bidirectional(self) -> bool:
        """Whether every link carries messages in both directions."""
        return bool(_c.cn_topology_is_bidirectional(self))

    @property
    def link_count(self) -> int:
        """The number of pairs of neighbours, or of channels in a unidirectional network."""
        return _c.cn_topology_link_count(self)

    def degree(self, node: Whole) -> int:
        """The number of ports of a node."""
        return _c.cn_topology_degree(self, node)

    def neighbor(self, node: Whole, port: Whole) -> int:
        """The neighbour behind a port of a node."""
        return _c.cn_topology_neighbor(self, node, port)

    def neighbors(self, node: Whole) -> list[int]:
        """All neighbours of a node, in the order of its ports."""
        return _c.cn_topology_neighbors.fill(self, node)

    def back_port(self, node: Whole, port: Whole) -> int | None:
        """The port of the neighbour that leads back to node; None when no port does."""
        back = _c.cn_topology_back_port(self, node, port)
        return None if back == _NO_PORT else back

    def port_to(self, node: Whole, neighbor: Whole) -> int | None:
        """The port of node that leads to neighbor; None when no port does.

        >>> Topology.hypercube(3).port_to(0, 4)
        2
        """
        port = _c.cn_topology_port_to(self, node, neighbor)
        return None if port == _NO_PORT else port

    def distance(self, source: Whole, destination: Whole, seconds: Seconds = None,
                 progress: Progress = None) -> int | None:
        """The number of hops of a shortest path; None when there is no path.

        >>> Topology.hypercube(3).distance(0, 7)
        3
        """
        short = seconds is None and not progress and self.node_count <= _SHORT
        hops = _c.cn_topology_distance(
            self, source, destination,
            control=_ANY if short else _Control(0, seconds, progress))
        return None if hops == _UNREACHABLE else hops

    @property
    def dimensions(self) -> int:
        """Number of dimensions; 0 for a network without them."""
        return _c.cn_topology_dimensions(self)

    def radix(self, dimension: Whole) -> int:
        """Number of positions in a dimension."""
        return _c.cn_topology_radix(self, dimension)

    def digits(self, node: Whole) -> list[int]:
        """The digits of a node, least significant (dimension 0) first.

        >>> Topology.torus([4, 4]).digits(6)
        [2, 1]
        """
        digits = _array("u64", self.dimensions, "digits()")
        _c.cn_topology_digits(self, node, digits, len(digits))
        return list(digits)

    def node(self, digits: Wholes) -> int:
        """The node with these digits.

        >>> Topology.torus([4, 4]).node([2, 1])
        6
        """
        packed = _packed("u64", "digits", digits)
        return _c.cn_topology_node_at(self, packed, len(packed))

    def address(self, node: Whole) -> str:
        """The address of a node as text, most significant digit first.

        >>> Topology.hypercube(3).address(6)
        '110'
        """
        return _c.cn_topology_address_text.fill(self, node).decode()

    def parse_address(self, text: str) -> int:
        """The node with this address."""
        return _c.cn_topology_parse_address(self, text)

    def header(self, node: Whole, destination: Whole) -> int:
        """The header of a message at node: the remaining path to its destination, numbered like a
        node; 0 on arrival."""
        return _c.cn_topology_header(self, node, destination)

    def translate(self, node: Whole, by: Whole) -> int:
        """The node whose digits are the sums of the digits of two nodes; header() reverses it."""
        return _c.cn_topology_translate(self, node, by)

    def _repr_html_(self) -> str:
        way = "both directions" if self.is_bidirectional else "one direction"
        rows = [("nodes", f"{self.node_count:,}"), ("links", f"{self.link_count:,}, {way}"),
                ("greatest degree", self.max_degree)]
        if self.dimensions:
            rows.append(("dimensions", self.dimensions))
        return _table_of(self.name, rows)

    def __repr__(self) -> str:
        return f"<Topology {self.name}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Network):
            return NotImplemented
        return bool(_c.cn_topology_equal(self, other))

    def _remember(self, data: Any) -> None:
        pass

    def __hash__(self) -> int:
        return hash((self.node_count, self.max_degree, self.dimensions))

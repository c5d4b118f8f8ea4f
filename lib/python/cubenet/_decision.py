"""Routing decisions of a node, as functions of what it knows."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import Any, Iterable

from ._arrays import _packed
from ._errors import ArgumentError
from ._function import _c, _declare
from ._hints import Whole, Wholes
from ._network import _Network
from ._system import _parameter_choice
from ._values import _NO_GROUP, _NO_PORT, _array, _channels, _text

_declare("""
    status cn_route_valid(topology topology, u64 header, out u64 channels)
    status cn_route_preferred(topology topology, u64 header, out u64 channels)
    status cn_route_move(topology topology, u64 header, u32 port, out u64 next_header)
    status cn_route_two_phase(topology topology, u64[] headers, size count, u64 buffers,
                              int selection, u32[] random, size random_count, u32[] ports)
    status cn_route_two_phase_check(topology topology, u64[] headers, size count, u64 buffers,
                                    u32[] ports, out size message)
    status cn_route_multicast_next_hop(topology topology, u64 source, u64 current, u64 destination,
                                       out u64 next)
    status cn_route_multicast_groups(topology topology, u64 source, u64 current,
                                     u64[] destinations, size count, u32[] group_of,
                                     u64[] children, u64[] sizes, size capacity, out size groups)
""")


def _wormhole_rule(topology: Any, rule: str) -> tuple[Any, bool]:
    """The Routing of a rule, and whether it may take all virtual channels of the ports of that
    routing."""
    from ._routing import Routing
    name = rule[:-len("-unsafe")] if _text("rule", rule).endswith("-unsafe") else rule
    # Duato's rule had another name once, which is understood, too
    return Routing(topology, {"adaptive": "duato"}.get(name, name)), name != rule


class _Decisions(_Network):
    """Routing decisions in a Topology."""

    def multicast_next_hop(self, source: Whole, current: Whole, destination: Whole) -> int | None:
        """The next node on the path along the balanced tree of the source; None on arrival.
        Experimental."""
        return _c.cn_route_multicast_next_hop(self, source, current, destination)

    def multicast_groups(self, source: Whole, current: Whole, destinations: Wholes) -> dict[int,
                         list[int]]:
        """Clubbing: a dict from each child of current that gets a copy of the message to the list
        of the destinations of that copy. Destinations equal to current are in no list.
        Experimental.

        >>> Topology.hypercube(3).multicast_groups(0, 0, [3, 5, 6])
        {2: [3], 1: [5], 4: [6]}
        """
        packed = _packed("u64", "destinations", destinations)
        group_of = _array("u32", len(packed), "multicast_groups()")
        children = _array("u64", min(len(packed), self.max_degree), "multicast_groups()")
        count = _c.cn_route_multicast_groups(self, source, current, packed, len(packed), group_of,
                                             children, None, len(children))
        groups: dict[int, list[int]] = {child: [] for child in children[:count]}
        for destination, group in zip(packed, group_of):
            if group != _NO_GROUP:
                groups[children[group]].append(destination)
        return groups

    def valid_channels(self, header: Whole) -> list[int]:
        """The ports that bring a message with this header one hop closer.

        >>> Topology.hypercube(3).valid_channels(0b101)
        [0, 2]
        """
        return _channels(_c.cn_route_valid(self, header))

    def preferred_channels(self, header: Whole) -> list[int]:
        """The valid ports in the dimensions with the most hops left.

        >>> Topology.kary_ncube(4, 2).preferred_channels(0b1101)
        [1]
        """
        return _channels(_c.cn_route_preferred(self, header))

    def move(self, header: Whole, port: Whole) -> int:
        """The header after a hop over a port."""
        return _c.cn_route_move(self, header, port)

    def two_phase(self, headers: Wholes, buffers: Whole, random: Wholes,
                  selection: str = "random") -> list[int | None]:
        """Deflection routing in one node: the port of each message, None for a message that stays.

        headers are those of the messages, oldest first; random has at least len(headers) + degree
        words of 32 random bits. selection says which of its preferred ports a message picks: a
        "random" one, the "lowest", or the "least-loaded", which the fewest of these messages want.

        >>> Topology.hypercube(2).two_phase([0b11, 0b01], 2, [0] * 4, selection="least-loaded")
        [1, 0]
        """
        packed = _packed("u64", "headers", headers)
        words = _packed("u32", "random", random)
        ports = _array("u32", len(packed), "two_phase()")
        number = _parameter_choice("selection", selection)
        _c.cn_route_two_phase(self, packed, len(packed), buffers, number, words, len(words),
                              ports)
        return [None if port == _NO_PORT else port for port in ports]

    def check_two_phase(self, headers: Wholes, buffers: Whole,
                        ports: Iterable[Whole | None]) -> None:
        """Judges ports that two_phase() or a rule of one's own has given. Unless two_phase() gives
        them for some random words, a StateError names the message that is wrongly placed and the
        reason."""
        packed = _packed("u64", "headers", headers)
        given = _packed("u32", "ports", [_NO_PORT if port is None else port for port in ports])
        if len(given) != len(packed):
            raise ArgumentError(f"ports has {len(given)} elements, but headers has {len(packed)}")
        _c.cn_route_two_phase_check(self, packed, len(packed), buffers, given)

    def wormhole_channels(self, rule: str, virtual_channels: Whole, node: Whole,
                          destination: Whole) -> list[tuple[int, int]]:
        """What the head of a wormhole may take, as a list of (port, virtual channel); none on
        arrival. rule is "dimension-order" or "duato", as Routing.virtual_channels(), or
        "dimension-order-unsafe" or "duato-unsafe": any virtual channel of the same ports, which
        may deadlock.

        >>> Topology.torus([4, 4]).wormhole_channels("dimension-order", 2, 0, 5)
        [(2, 0)]
        """
        routing, is_unsafe = _wormhole_rule(self, rule)
        if not is_unsafe:
            return routing.virtual_channels(node, destination, virtual_channels=virtual_channels)
        return [(port, v) for port in routing.channels(node, destination)
                for v in range(virtual_channels)]

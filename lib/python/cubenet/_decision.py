"""Routing decisions of a node, as functions of what it knows."""

from ._errors import ArgumentError
from ._function import _c, _declare
from ._values import _NO_GROUP, _NO_PORT, _array, _channels, _packed

_declare("""
    status cn_route_valid(topology topology, u64 header, out u64 channels)
    status cn_route_preferred(topology topology, u64 header, out u64 channels)
    status cn_route_move(topology topology, u64 header, u32 port, out u64 next_header)
    status cn_route_two_phase(topology topology, u64[] headers, size count, u64 buffers,
                              u32[] random, size random_count, u32[] ports)
    status cn_route_two_phase_check(topology topology, u64[] headers, size count, u64 buffers,
                                    u32[] ports, out size message)
    status cn_route_multicast_next_hop(topology topology, u64 source, u64 current, u64 destination,
                                       out u64 next)
    status cn_route_multicast_groups(topology topology, u64 source, u64 current,
                                     u64[] destinations, size count, u32[] group_of,
                                     u64[] children, u64[] sizes, size capacity, out size groups)
    status cn_wormhole_rule_from_name(text name, out int rule)
    status cn_route_wormhole(topology topology, int rule, u32 virtual_channels, u64 node,
                             u64 destination, u64[] channels, size capacity, out size count)
""")


def _wormhole_rule(rule):
    # their names before Duato's rule had its own are understood, too
    return _c.cn_wormhole_rule_from_name({"adaptive": "duato",
                                          "adaptive-unsafe": "duato-unsafe"}.get(rule, rule))


class _Decisions:
    """Of a Topology."""

    def multicast_next_hop(self, source, current, destination):
        """The next node on the path along the balanced tree of the source; None on arrival."""
        return _c.cn_route_multicast_next_hop(self, source, current, destination)

    def multicast_groups(self, source, current, destinations):
        """Clubbing: a dict from each child of current that gets a copy of the message to the list
        of the destinations of that copy. Destinations equal to current are in no list."""
        packed = _packed("u64", "destinations", destinations)
        group_of = _array("u32", len(packed), "multicast_groups()")
        children = _array("u64", min(len(packed), self.max_degree), "multicast_groups()")
        count = _c.cn_route_multicast_groups(self, source, current, packed, len(packed), group_of,
                                             children, None, len(children))
        groups = {child: [] for child in children[:count]}
        for destination, group in zip(packed, group_of):
            if group != _NO_GROUP:
                groups[children[group]].append(destination)
        return groups

    def valid_channels(self, header):
        """The ports that bring a message with this header one hop closer."""
        return _channels(_c.cn_route_valid(self, header))

    def preferred_channels(self, header):
        """The valid ports in the dimensions with the most hops left."""
        return _channels(_c.cn_route_preferred(self, header))

    def move(self, header, port):
        """The header after a hop over a port."""
        return _c.cn_route_move(self, header, port)

    def two_phase(self, headers, buffers, random):
        """Deflection routing in one node: the port of each message, None for a message that stays.

        headers are those of the messages, oldest first; random has at least len(headers) + degree
        words of 32 random bits."""
        headers = _packed("u64", "headers", headers)
        random = _packed("u32", "random", random)
        ports = _array("u32", len(headers), "two_phase()")
        _c.cn_route_two_phase(self, headers, len(headers), buffers, random, len(random), ports)
        return [None if port == _NO_PORT else port for port in ports]

    def check_two_phase(self, headers, buffers, ports):
        """Judges ports that two_phase() or a rule of one's own has given. Unless two_phase() gives
        them for some random words, a StateError names the message that is wrongly placed and the
        reason."""
        headers = _packed("u64", "headers", headers)
        ports = _packed("u32", "ports", [_NO_PORT if port is None else port for port in ports])
        if len(ports) != len(headers):
            raise ArgumentError(f"ports has {len(ports)} elements, but headers has {len(headers)}")
        _c.cn_route_two_phase_check(self, headers, len(headers), buffers, ports)

    def wormhole_channels(self, rule, virtual_channels, node, destination):
        """What the head of a wormhole may take, as a list of (port, virtual channel); none on
        arrival. rule is "dimension-order", "duato", "dimension-order-unsafe" or
        "duato-unsafe"."""
        number = _wormhole_rule(rule)
        sets = _array("u64", self.max_degree, "wormhole_channels()")
        _c.cn_route_wormhole(self, number, virtual_channels, node, destination, sets, len(sets))
        return [(port, v) for port, word in enumerate(sets) for v in _channels(word)]

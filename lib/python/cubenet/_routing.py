"""Routing as an object."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import Any, Iterable, NamedTuple, TYPE_CHECKING

from ._arrays import _reals
from ._bulk import _HopArrays
from ._control import _Control, limits
from ._deadlock import _Deadlock, _VcRules, _channel_set, _is_set
from ._errors import ArgumentError
from ._function import _c, _declare
from ._handle import _OnTopology
from ._hints import Came, Escape, Progress, Rate, Real, Reals, Seconds, VcRule, Whole
from ._json import _Json
from ._library import _NO_RATE, _NO_RULE, _RATE
from ._traffic import Traffic
from ._values import _NO_PORT, _channels, _fields, _real

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._deadlock import DeadlockCheck
    from ._fault import Faults
    from ._hierarchy import Hierarchy
    from ._subnet import Subnet
    from ._topology import Topology
    from ._tree import Tree

_declare("""
    size   cn_routing_kind_count()
    text   cn_routing_kind_name(size index)
    text   cn_routing_kind_summary(size index)
    status cn_routing_new(topology topology, text name, faults faults, control control,
                          out routing routing)
    status cn_routing_optimal_path(subnet subnet, out routing routing)
    status cn_routing_two_level(hierarchy hierarchy, control control, out routing routing)
    status cn_routing_two_level_weighted(hierarchy hierarchy, f64[] weights, size count, f64 slack,
                                         control control, out routing routing, out u64 rounds,
                                         out u64 messages)
    status cn_routing_tree(tree tree, out routing routing)
    status cn_routing_own(topology topology, u32 virtual_channels, vc_rule rule, vc_rule escape,
                          void user, control control, out routing routing)
    void   cn_routing_free(ref routing)
    status cn_routing_json(routing routing, char[] text, size capacity, out size length)
    status cn_routing_from_json(text text, control control, out routing routing)
    text   cn_routing_name(routing routing)
    status cn_routing_least_virtual_channels(routing routing, out u32 virtual_channels)
    status cn_routing_channels(routing routing, u64 node, u64 destination, out u64 ports)
    status cn_routing_virtual_channels(routing routing, u32 virtual_channels, u64 node,
                                       u64 destination, u64 previous, u32 port,
                                       u32 virtual_channel, u64[] channels, size capacity,
                                       out size count)
    status cn_routing_deadlock_check(routing routing, u32 virtual_channels, control control,
                                     out deadlock check)
    status cn_routing_path(routing routing, u64 source, u64 destination, u64 seed, u64[] nodes,
                           size capacity, out size count)
    status cn_routing_distance(routing routing, u64 source, u64 destination, control control,
                               out u64 hops)
    status cn_routing_stretch(routing routing, control control, out f64 mean, out f64 greatest)
    status cn_routing_longest_walk(routing routing, control control, out u64 hops)
    status cn_routing_is_minimal(routing routing, control control, out int is_minimal)
    status cn_routing_loads(routing routing, rate_fn rate, void user, control control, f64[] loads,
                            size capacity, out size count)
    status cn_routing_saturation_load(routing routing, rate_fn rate, void user, control control,
                                      out f64 load)
""")


class RoutingKind(NamedTuple):
    """A name of a kind of Routing, and a summary of it."""

    name: str
    summary: str


def routings() -> list[RoutingKind]:
    """All kinds of Routing, as a list of RoutingKind.

    >>> routings()[0].name
    'minimal'
    """
    return [RoutingKind(_c.cn_routing_kind_name(i), _c.cn_routing_kind_summary(i))
            for i in range(_c.cn_routing_kind_count())]


class Routing(_HopArrays, _Json, _OnTopology):
    """A routing: which channels a message may take in a network, damaged or not. It is immutable.

    A routing is made for the survivors of a topology by one of the names in routings(), or from a
    Subnet, a Hierarchy, a Tree or a function of the caller. When it cannot join some pair of
    survivors, an exception is raised that names the pair.

    >>> routing = Routing(Topology.mesh([3, 3]), "dimension-order")
    >>> routing.path(0, 8)
    [0, 1, 2, 5, 8]
    >>> routing.deadlock_check().verdict
    'acyclic'
    >>> routing.saturation_load()
    1.3333333333333333
    """

    _kind = "routing"
    _end = _c.cn_routing_free
    _damaged = False

    def __init__(self, topology: Topology, name: str, faults: Faults | None = None,
                 seconds: Seconds = None, progress: Progress = None) -> None:
        self._hold(_c.cn_routing_new(topology, name, faults,
                                     control=_Control(0, seconds, progress)))
        self._topology = topology
        self._damaged = faults is not None and bool(faults.node_count or faults.link_count)

    def _remember(self, data: Any) -> None:
        super()._remember(data)
        self._damaged = "faults" in data

    @classmethod
    def optimal_path(cls, subnet: Subnet) -> Self:
        """All shortest paths among the survivors of a convex Subnet of a Boolean cube. Later
        changes to the subnet have no effect."""
        return cls._from(subnet, _c.cn_routing_optimal_path)

    @classmethod
    def two_level(cls, hierarchy: Hierarchy, seconds: Seconds = None, progress: Progress = None) -> Self:
        """From cluster to cluster of a Hierarchy, with the tie rule "header". Later changes to the
        hierarchy have no effect."""
        return cls._from(hierarchy, _c.cn_routing_two_level,
                         control=_Control(0, seconds, progress))

    @classmethod
    def two_level_weighted(cls, hierarchy: Hierarchy, weights: Iterable[Reals] | None = None, slack: Real = 0,
                           seconds: Seconds = None, progress: Progress = None) -> tuple[Self, int, int]:
        """(routing, rounds, messages): from cluster to cluster of a Hierarchy by the ways of least
        weight, and what the nodes need to find them among themselves. Experimental.

        weights has a list for each node, with the weight, usually the delay, of the channel of each
        port; None: all 1. A node may take the channels by which the way has at most slack more
        weight than the best.

        >>> faults = Faults(Topology.hypercube(4))
        >>> for node in 2, 3, 4, 7, 9: faults.add_node(node)
        >>> routing, rounds, messages = Routing.two_level_weighted(faults.hierarchy())
        >>> rounds, messages
        (4, 56)
        """
        packed = None if weights is None else _reals("weights", [w for row in weights for w in row])
        address, rounds, messages = _c.cn_routing_two_level_weighted(
            hierarchy, packed, 0 if packed is None else len(packed), slack,
            control=_Control(0, seconds, progress))
        return cls._of(hierarchy.topology, address), rounds, messages

    @classmethod
    def tree(cls, tree: Tree) -> Self:
        """Along the edges of a Tree, in both directions."""
        return cls._from(tree, _c.cn_routing_tree)

    @classmethod
    def _from(cls, source: Any, make: Any, **control: Any) -> Self:
        address = make(source, **control)  # refuses what is none
        return cls._of(source.topology, address)

    @classmethod
    def own(cls, topology: Topology, rule: VcRule | int, escape: Escape = None,
            virtual_channels: Whole = 1, seconds: Seconds = None, progress: Progress = None) -> Self:
        """The caller's rule for this number of virtual channels. It is called now, in some cases
        twice for the same question; its results are stored, and it is not called later.

        rule and escape are as in deadlock_check(), but rule must be a function. With escape None
        all channels are escapes if their dependencies have no cycle, otherwise none. Every message
        must reach its destination, whatever it chooses.

        >>> one_way = Routing.own(Topology.ring(4), lambda node, destination, came: [(1, 0)])
        >>> one_way.distance(1, 0)
        3
        """
        with _VcRules(topology, seconds, progress) as rules:
            function, escape_function = rules.function("rule", rule), _NO_RULE
            if _is_set(escape):
                escape_function = rules.part(function, _channel_set(escape, virtual_channels))
            elif escape is not None:
                escape_function = rules.function("escape", escape)
            return cls._of(topology, _c.cn_routing_own(
                topology, virtual_channels, function, escape_function, None,
                control=rules.control))

    @property
    def name(self) -> str:
        """The canonical name, as in "up-down"."""
        return _c.cn_routing_name(self)

    @property
    def least_virtual_channels(self) -> int:
        """The least number of virtual channels with which the routing works for worms."""
        return _c.cn_routing_least_virtual_channels(self)

    def channels(self, node: Whole, destination: Whole) -> list[int]:
        """The ports that a message stored at its source may take; none on arrival. For `valiant`
        they are those of the first leg, with destination as the random node."""
        return _channels(_c.cn_routing_channels(self, node, destination))

    def virtual_channels(self, node: Whole, destination: Whole, came: Came | None = None,
                         virtual_channels: Whole | None = None) -> list[tuple[int, int]]:
        """The (port, virtual channel) pairs that the head of a worm may take. came is the (node,
        port, virtual channel) over which it came, None at its source. virtual_channels is their
        number on each channel; None: the least number that works."""
        count = self.least_virtual_channels if virtual_channels is None else virtual_channels
        previous, port, channel = (node, _NO_PORT, 0) if came is None else _fields(
            "came", came, "node", "port", "virtual channel")
        sets = _c.cn_routing_virtual_channels.fill(self, count, node, destination, previous, port,
                                                   channel)
        return [(port, v) for port, word in enumerate(sets) for v in _channels(word)]

    def deadlock_check(self, virtual_channels: Whole | None = None, seconds: Seconds = None,
                       progress: Progress = None) -> DeadlockCheck:
        """Checks whether worms can deadlock with this number of virtual channels (None: the least
        number that works); returns a DeadlockCheck. The routing keeps the result."""
        count = self.least_virtual_channels if virtual_channels is None else virtual_channels
        return _Deadlock._own(_c.cn_routing_deadlock_check(
            self, count, control=_Control(0, seconds, progress))).report()

    # ---- walks ----

    def path(self, source: Whole, destination: Whole, seed: Whole = 0) -> list[int]:
        """The nodes of one random walk, both ends included. Each allowed channel has the same
        probability; the same seed gives the same walk."""
        return _c.cn_routing_path.fill(self, source, destination, seed)

    def distance(self, source: Whole, destination: Whole, seconds: Seconds = None,
                 progress: Progress = None) -> int:
        """The number of hops of a shortest walk that the routing allows."""
        return _c.cn_routing_distance(self, source, destination,
                                      control=_Control(0, seconds, progress))

    def stretch(self, seconds: Seconds = None, progress: Progress = None) -> tuple[float, float]:
        """(mean, greatest): hops of a shortest walk that the routing allows, divided by the
        distance among the survivors, over all pairs of nodes that are served."""
        mean, greatest = _c.cn_routing_stretch(self, control=_Control(0, seconds, progress))
        return mean, greatest

    def longest_walk(self, seconds: Seconds = None, progress: Progress = None) -> int:
        """The greatest number of hops that a message can make, whatever it chooses."""
        return _c.cn_routing_longest_walk(self, control=_Control(0, seconds, progress))

    def is_minimal(self, seconds: Seconds = None, progress: Progress = None) -> bool:
        """Whether all walks are shortest paths among the survivors."""
        return bool(_c.cn_routing_is_minimal(self, control=_Control(0, seconds, progress)))

    # ---- loads: of a Traffic, or rate(source, destination); None: uniform between all served nodes ----

    def loads(self, traffic: Traffic | Rate | int | None = None, seconds: Seconds = None,
              progress: Progress = None) -> list[list[float]]:
        """The mean number of messages per cycle over each channel, as [node][port], when each node
        sends one message per cycle and a message takes each allowed port with the same
        probability.

        >>> Routing(Topology.ring(3), "minimal").loads()
        [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]
        """
        values = self._under(traffic, _c.cn_traffic_loads.fill, _c.cn_routing_loads.fill,
                             seconds, progress)
        return self._topology._by_port(values, "loads()")

    def saturation_load(self, traffic: Traffic | Rate | int | None = None,
                        seconds: Seconds = None, progress: Progress = None) -> float:
        """The load, in messages per node and cycle, at which the busiest channel is full."""
        def of_traffic(*arguments: Any, control: Any) -> float:
            greatest: float = max(_c.cn_traffic_loads.fill(*arguments, control=control))
            if not greatest:
                raise ArgumentError(f"traffic = {traffic!r}, but no channel carries any messages")
            return 1 / greatest
        return self._under(traffic, of_traffic, _c.cn_routing_saturation_load, seconds, progress)

    def _under(self, traffic: Traffic | Rate | int | None, of_traffic: Any, of_rates: Any,
               seconds: Seconds, progress: Progress) -> Any:
        callbacks = _Control(0, seconds, progress)
        if isinstance(traffic, Traffic):
            return of_traffic(traffic, self, control=callbacks)
        if traffic is None:
            return of_rates(self, _NO_RATE, None, control=callbacks)
        with callbacks as limits:
            def make(rate: Rate) -> Any:
                def ask(source: int, destination: int, answer: Any) -> int:
                    answer[0] = _real("traffic", rate(source, destination))
                    return 0
                return ask
            return of_rates(self, callbacks._given(_RATE, "traffic", traffic, make), None,
                            control=limits)

    def __repr__(self) -> str:
        return f"<Routing {self.name} on {'damaged ' * self._damaged}{self._topology.name}>"

"""Damaged networks."""
# mypy: no-warn-return-any

from __future__ import annotations

import time
from typing import NamedTuple, TYPE_CHECKING

from ._arrays import _packed
from ._control import _Control
from ._drawn import _Drawn
from ._enum import _chosen
from ._errors import ArgumentError
from ._function import _c, _declare
from ._hierarchy import Hierarchy
from ._hints import Progress, Real, Seconds, Whole, Wholes
from ._json import _Json
from ._subcube import Subcube
from ._subnet import Subnet
from ._values import _UNREACHABLE, _array, _text, _whole

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._topology import Topology

_declare("""
    status cn_faults_new(topology topology, out faults faults)
    status cn_faults_copy(faults faults, out faults copy)
    void   cn_faults_free(ref faults)
    status cn_faults_carry(faults faults, topology topology, out faults carried)
    status cn_faults_add_node(faults faults, u64 node)
    status cn_faults_remove_node(faults faults, u64 node)
    status cn_faults_add_link(faults faults, u64 node, u32 port)
    status cn_faults_remove_link(faults faults, u64 node, u32 port)
    status cn_faults_clear(faults faults)
    int    cn_faults_has_node(faults faults, u64 node)
    int    cn_faults_has_link(faults faults, u64 node, u32 port)
    u64    cn_faults_node_count(faults faults)
    u64    cn_faults_link_count(faults faults)
    status cn_faults_nodes(faults faults, u64[] nodes, size capacity, out size count)
    status cn_faults_links(faults faults, u64[] nodes, u32[] ports, size capacity, out size count)
    status cn_faults_add_random_nodes(faults faults, u64 count, u64 seed)
    status cn_faults_add_failing_nodes(faults faults, f64 p, u64 seed)
    status cn_faults_add_random_links(faults faults, u64 count, u64 seed)
    status cn_faults_add_failing_links(faults faults, f64 p, u64 seed)
    status cn_faults_add_subcube(faults faults, u64 value, u64 any)
    status cn_faults_add_around(faults faults, u64 center, u32 radius)
    status cn_faults_add_random_clusters(faults faults, u64 count, u32 radius, u64 seed)
    status cn_faults_add_grown_clusters(faults faults, u64 count, u64 centers, u64 seed)
    status cn_faults_json(faults faults, char[] text, size capacity, out size length)
    status cn_faults_from_json(text text, control control, out faults faults)
    status cn_faults_distance(faults faults, u64 source, u64 destination, control control,
        out u64 distance)
    status cn_faults_mean_distance(faults faults, control control, out f64 mean, out u64 pairs)
    status cn_faults_reachable_pairs(faults faults, control control, out u64 pairs)
    status cn_faults_stretch_counts(faults faults, control control, u64[] counts, size capacity,
                                    out size count, out u64 unreachable)
    status cn_faults_monotone_counts(faults faults, control control, u64[] counts, size capacity,
                                     out size count, out u64 blocked)
    status cn_faults_draw(faults faults, int format, control control, char[] text,
                       size capacity, out size length)
""")


class Stretch(NamedTuple):
    """The effect of faults on distances: counts[x] ordered pairs of working nodes are x hops
    farther apart than without faults. unreachable is the number of pairs that no path joins;
    they are in no count."""

    counts: list[int]
    unreachable: int


class Monotone(NamedTuple):
    """The effect of faults on monotone paths, which keep one direction in each dimension: counts[x]
    ordered pairs of working nodes have such a path that goes the long way in x dimensions, and
    none that does so in fewer. blocked is the number of pairs without any such path."""

    counts: list[int]
    blocked: int


class Faults(_Json, _Drawn):
    """A set of faulty nodes and links of a topology, empty at first. It must not be changed in one
    thread while another uses it.

    >>> faults = Faults(Topology.hypercube(3))
    >>> faults.add_node(5)
    >>> faults.add_link(0, 1)
    >>> faults
    <Faults of hypercube(3): 1 nodes, 1 links>
    >>> faults.distance(0, 7)
    3
    """

    _kind = "faults"
    _end = _c.cn_faults_free

    def __init__(self, topology: Topology) -> None:
        self._hold(_c.cn_faults_new(topology))
        self._topology = topology

    def copy(self) -> Self:
        """An independent copy."""
        return self._of(self._topology, _c.cn_faults_copy(self))

    def carry(self, topology: Topology) -> Self:
        """The same faults on a network that is composed of this one by with_lengths() or with_hosts(): a router
        fails with its hosts, and a link with all its cycles. Experimental.

        >>> ring = Topology.ring(4)
        >>> faults = Faults(ring)
        >>> faults.add_node(1)
        >>> faults.carry(ring.with_hosts(2)).nodes
        [1, 6, 7]
        """
        return self._of(topology, _c.cn_faults_carry(self, topology))

    @property
    def nodes(self) -> list[int]:
        """The faulty nodes in ascending order."""
        return _c.cn_faults_nodes.fill(self)

    @property
    def links(self) -> list[tuple[int, int]]:
        """The faulty links, each once, as (node, port) of its lower end."""
        count = _c.cn_faults_link_count(self)
        nodes, ports = _array("u64", count, "links"), _array("u32", count, "links")
        _c.cn_faults_links(self, nodes, ports, count)
        return list(zip(nodes, ports))

    @property
    def node_count(self) -> int:
        """Number of faulty nodes."""
        return _c.cn_faults_node_count(self)

    @property
    def link_count(self) -> int:
        """Number of faulty links, those at faulty nodes included."""
        return _c.cn_faults_link_count(self)

    def has_node(self, node: Whole) -> bool:
        """Whether a node is faulty."""
        return bool(_c.cn_faults_has_node(self, node))

    def has_link(self, node: Whole, port: Whole) -> bool:
        """Whether the link itself is faulty; a link that works is not, even at a faulty node."""
        return bool(_c.cn_faults_has_link(self, node, port))

    def add_node(self, node: Whole) -> None:
        """Lets a node fail."""
        _c.cn_faults_add_node(self, node)

    def remove_node(self, node: Whole) -> None:
        """Repairs a node; faulty links at it stay faulty."""
        _c.cn_faults_remove_node(self, node)

    def add_link(self, node: Whole, port: Whole) -> None:
        """Makes the link behind a port faulty, in both directions where it has two."""
        _c.cn_faults_add_link(self, node, port)

    def remove_link(self, node: Whole, port: Whole) -> None:
        """Repairs the link behind a port."""
        _c.cn_faults_remove_link(self, node, port)

    def clear(self) -> None:
        """Repairs everything."""
        _c.cn_faults_clear(self)

    # ---- generators: they add to what is there; the same seed gives the same faults ----

    def add_random_nodes(self, count: Whole, seed: Whole) -> None:
        """Lets count nodes fail; every choice is equally likely."""
        _c.cn_faults_add_random_nodes(self, count, seed)

    def add_failing_nodes(self, p: Real, seed: Whole) -> None:
        """Lets every node fail with probability p."""
        _c.cn_faults_add_failing_nodes(self, p, seed)

    def add_random_links(self, count: Whole, seed: Whole) -> None:
        """Lets count links fail; every choice is equally likely."""
        _c.cn_faults_add_random_links(self, count, seed)

    def add_failing_links(self, p: Real, seed: Whole) -> None:
        """Lets every link fail with probability p."""
        _c.cn_faults_add_failing_links(self, p, seed)

    def add_subcube(self, subcube: Subcube | str) -> None:
        """Lets all nodes of a subcube of a Boolean cube fail. subcube is a Subcube or its address
        text."""
        if not isinstance(subcube, Subcube):
            subcube = Subcube.parse(_text("subcube", subcube))
        if subcube.n != self._topology.dimensions:
            raise ArgumentError(f"subcube = {subcube}, but {self._topology.name} has "
                                f"{self._topology.dimensions} dimensions")
        _c.cn_faults_add_subcube(self, subcube.value, subcube.any)

    def add_around(self, center: Whole, radius: Whole) -> None:
        """Lets all nodes within radius hops of center fail. Experimental."""
        _c.cn_faults_add_around(self, center, radius)

    def add_random_clusters(self, count: Whole, radius: Whole, seed: Whole) -> None:
        """Lets all nodes within radius hops of count random centers fail. Experimental."""
        _c.cn_faults_add_random_clusters(self, count, radius, seed)

    def add_grown_clusters(self, count: Whole, centers: Whole, seed: Whole) -> None:
        """Lets count nodes fail, in clusters that grow around random centers. Experimental."""
        _c.cn_faults_add_grown_clusters(self, count, centers, seed)

    # ---- the damaged network as it is ----

    def distance(self, source: Whole, destination: Whole, seconds: Seconds = None,
                 progress: Progress = None) -> int | None:
        """The number of hops of a shortest path around the faults; None when there is no path."""
        hops = _c.cn_faults_distance(self, source, destination,
                                     control=_Control(0, seconds, progress))
        return None if hops == _UNREACHABLE else hops

    def reachable_pairs(self, seconds: Seconds = None, progress: Progress = None) -> int:
        """The number of ordered pairs of distinct working nodes that can reach each other."""
        return _c.cn_faults_reachable_pairs(self, control=_Control(0, seconds, progress))

    def mean_distance(self, seconds: Seconds = None, progress: Progress = None) -> float:
        """The mean distance over all ordered pairs of distinct working nodes that can reach each
        other."""
        mean, _ = _c.cn_faults_mean_distance(self, control=_Control(0, seconds, progress))
        return mean

    def stretch(self, seconds: Seconds = None, progress: Progress = None) -> Stretch:
        """The effect of the faults on distances, as a Stretch.

        >>> faults = Faults(Topology.hypercube(3))
        >>> faults.add_link(0, 0)
        >>> faults.stretch()
        Stretch(counts=[54, 0, 2], unreachable=0)
        """
        return Stretch(*_c.cn_faults_stretch_counts.fill(
            self, control=_Control(0, seconds, progress)))

    def monotone(self, seconds: Seconds = None, progress: Progress = None) -> Monotone:
        """The effect of the faults on monotone paths, as a Monotone. Experimental."""
        return Monotone(*_c.cn_faults_monotone_counts.fill(
            self, control=_Control(0, seconds, progress)))

    # ---- what is kept in use ----

    def degraded_subnet(self, k: Whole, link_rule: str = "disables_end", seconds: Seconds = None,
                        progress: Progress = None) -> Subnet:
        """The k-degraded Subnet: the largest set of nodes in which each node has at most k bad
        links. With link_rule "disables_end" a faulty link disables one of its two ends; with
        "is_bad" it counts as a bad link of both."""
        number = _chosen("link_rule", link_rule)
        return Subnet._of(self._topology, _c.cn_subnet_degraded(
            self, k, number, control=_Control(0, seconds, progress)))

    def convex_subnet(self, seconds: Seconds = None, progress: Progress = None) -> Subnet:
        """A convex Subnet of a Boolean cube, found by a heuristic."""
        return Subnet._of(self._topology, _c.cn_subnet_convex(
            self, control=_Control(0, seconds, progress)))

    def optimum_subnet(self, budget: Whole = 1000000, seconds: Seconds = None, progress: Progress = None
                ) -> tuple[Subnet, int]:
        """(subnet, upper): the largest convex Subnet of a small Boolean cube, and an upper bound on
        the survivors of any convex subnet. The two agree unless the search ends early. budget is
        its limit of steps; seconds and progress are as in Topology.measure(). Experimental."""
        address, upper, _ = _c.cn_subnet_optimum(self,
                                                 control=_Control(_whole("u64", "budget", budget), seconds, progress))
        return Subnet._of(self._topology, address), upper

    def minimal_subnet(self, seconds: Seconds = None, progress: Progress = None) -> Subnet:
        """A Subnet of a Boolean or k-ary n-cube in which minimal routing always has a channel to
        take. Experimental."""
        return Subnet._of(self._topology, _c.cn_subnet_minimal(
            self, control=_Control(0, seconds, progress)))

    def chosen_subnet(self, disabled: Wholes) -> Subnet:
        """The Subnet in which exactly these working nodes are disabled."""
        packed = _packed("u64", "disabled", disabled)
        return Subnet._of(self._topology, _c.cn_subnet_chosen(self, packed, len(packed)))

    def hierarchy(self, seconds: Seconds = None, progress: Progress = None) -> Hierarchy:
        """The damaged Boolean cube divided into clusters, as a Hierarchy with its routing
        tables."""
        begun = time.monotonic()
        made = Hierarchy._of(self._topology, _c.cn_hierarchy_new(
            self, control=_Control(0, seconds, progress)))
        if seconds:
            seconds = max(seconds - (time.monotonic() - begun), 1e-9)
        _c.cn_hierarchy_make_tables(made, control=_Control(0, seconds, progress))
        return made

    def __repr__(self) -> str:
        return (f"<Faults of {self._topology.name}: {self.node_count} nodes, "
                f"{self.link_count} links>")

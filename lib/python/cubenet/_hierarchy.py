"""Damaged Boolean cubes divided into clusters."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import Any, Mapping, NamedTuple

from ._arrays import _packed
from ._control import _Control
from ._drawn import _Drawn
from ._enum import _chosen
from ._errors import DisconnectedError
from ._function import _c, _declare
from ._hints import Progress, Seconds, Whole, Wholes
from ._subcube import Subcube
from ._subnet import (_CHANGE_FAIL_LINK, _CHANGE_FAIL_NODE, _CHANGE_REPAIR_LINK,
                      _CHANGE_REPAIR_NODE)
from ._values import _UNREACHABLE, _array, _channel_word, _channels

_declare("""
    status cn_hierarchy_new(faults faults, control control, out hierarchy hierarchy)
    void   cn_hierarchy_free(ref hierarchy)
    u32    cn_hierarchy_cluster_count(hierarchy hierarchy)
    status cn_hierarchy_cluster(hierarchy hierarchy, u32 cluster, out u64 value, out u64 any,
                                out u64 survivors)
    status cn_hierarchy_cluster_of(hierarchy hierarchy, u64 node, out u32 cluster)
    status cn_hierarchy_make_tables(hierarchy hierarchy, control control)
    status cn_hierarchy_table(hierarchy hierarchy, u64 node, u64[] values, u64[] anys,
                              u64[] channels, u64[] hops, size capacity, out size count)
    status cn_hierarchy_neighbor_status(hierarchy hierarchy, u64 node, out u64 status)
    status cn_hierarchy_mean_hops(hierarchy hierarchy, int tie_rule, control control, out f64 mean,
                                  out u64 pairs)
    status cn_hierarchy_update(hierarchy hierarchy, int change, u64 node, u32 port, control control)
    status cn_hierarchy_draw(hierarchy hierarchy, int format, control control, char[] text,
                       size capacity, out size length)
    status cn_route_two_level(u64 node, u64 destination, u64 neighbor_status, u64[] values,
                              u64[] anys, u64[] table_channels, size count, int tie_rule,
                              out u64 channels)
""")

_NO_CLUSTER = 2**32 - 1


class Way(NamedTuple):
    """The path to a cluster: the best channels at a node, and the number of hops; hops is None when
    there is no path."""

    channels: list[int]
    hops: int | None


class Hierarchy(_Drawn):
    """A damaged Boolean cube divided into clusters, which are named by their addresses over 0, 1
    and X. It has its own copy of the faults. It must not be changed in one thread while another
    uses it.

    tie_rule selects among equally good channels out of a cluster: "header" takes those that also
    bring the message closer to its destination, when there are any; "any" takes all; "lowest" takes
    the first.

    >>> faults = Faults(Topology.hypercube(3))
    >>> faults.add_node(5)
    >>> hierarchy = faults.hierarchy()
    >>> hierarchy.clusters
    ['XXX']
    >>> hierarchy.next_hops(4, 7)
    [1]
    """

    _kind = "hierarchy"
    _instead = ": pickle its Faults and make it again, or a Routing that has it"
    _end = _c.cn_hierarchy_free

    def _name(self, value: int, free: int) -> str:
        return Subcube(self._topology.dimensions, value, free).text

    def _cluster(self, number: int) -> str:
        value, free, _ = _c.cn_hierarchy_cluster(self, number)
        return self._name(value, free)

    @property
    def clusters(self) -> list[str]:
        """The addresses of all clusters."""
        return [self._cluster(i) for i in range(_c.cn_hierarchy_cluster_count(self))]

    def cluster_of(self, node: Whole) -> str | None:
        """The address of the cluster of a node; None for a faulty one."""
        number = _c.cn_hierarchy_cluster_of(self, node)
        return None if number == _NO_CLUSTER else self._cluster(number)

    def _table(self, node: Whole) -> list[Any]:
        count = _c.cn_hierarchy_cluster_count(self)
        columns = [_array("u64", count, "table()") for _ in range(4)]
        _c.cn_hierarchy_table(self, node, *columns, count)
        return columns

    def table(self, node: Whole) -> dict[str, Way]:
        """The routing table of a node: a dict from the address of each cluster to its Way. The Way
        to the node's own cluster has no channels and 0 hops."""
        values, free, channels, hops = self._table(node)
        return {self._name(*name): Way(_channels(word), None if far == _UNREACHABLE else far)
                for *name, word, far in zip(values, free, channels, hops)}

    def neighbor_status(self, node: Whole) -> list[int]:
        """The ports of a node whose links are good."""
        return _channels(_c.cn_hierarchy_neighbor_status(self, node))

    def next_hops(self, node: Whole, destination: Whole, tie_rule: str = "header") -> list[int]:
        """The ports that the two-level rule allows; none on arrival. Raises DisconnectedError when
        there is no path."""
        number = _chosen("tie_rule", tie_rule)
        for name, end in ("node", node), ("destination", destination):
            if _c.cn_hierarchy_cluster_of(self, end) == _NO_CLUSTER:
                raise DisconnectedError(f"next_hops(): {name} = {end}, but it is faulty")
        status = _c.cn_hierarchy_neighbor_status(self, node)
        *table, _ = self._table(node)
        return _channels(_c.cn_route_two_level(node, destination, status, *table, len(table[0]),
                                               number) or 0)

    @staticmethod
    def route_two_level(node: Whole, destination: Whole, neighbor_status: Wholes,
                        table: Mapping[str, Way], tie_rule: str = "header") -> list[int]:
        """The two-level rule as a function of what a node knows: the ports that a message may take,
        given the ports of the node whose links are good, and its table; none on arrival."""
        clusters = [Subcube.parse(name) for name in table]
        values = _packed("u64", "values", [cluster.value for cluster in clusters])
        anys = _packed("u64", "anys", [cluster.any for cluster in clusters])
        ways = _packed("u64", "table_channels",
                       [_channel_word("table", way.channels) for way in table.values()])
        return _channels(_c.cn_route_two_level(
            node, destination, _channel_word("neighbor_status", neighbor_status), values, anys,
            ways, len(ways), _chosen("tie_rule", tie_rule)) or 0)

    def mean_hops(self, tie_rule: str = "header", seconds: Seconds = None,
                  progress: Progress = None) -> float:
        """The mean number of hops of two-level routing over all ordered pairs of distinct working
        nodes that can reach each other."""
        mean, _ = _c.cn_hierarchy_mean_hops(
            self, _chosen("tie_rule", tie_rule),
            control=_Control(0, seconds, progress))
        return mean

    # ---- faults and repairs in use ----

    def fail_node(self, node: Whole) -> None:
        """Lets a node fail in use; the tables follow."""
        _c.cn_hierarchy_update(self, _CHANGE_FAIL_NODE, node, 0)

    def repair_node(self, node: Whole) -> None:
        """Repairs a node in use; the tables follow."""
        _c.cn_hierarchy_update(self, _CHANGE_REPAIR_NODE, node, 0)

    def fail_link(self, node: Whole, port: Whole) -> None:
        """Lets the link behind a port fail in use; the tables follow."""
        _c.cn_hierarchy_update(self, _CHANGE_FAIL_LINK, node, port)

    def repair_link(self, node: Whole, port: Whole) -> None:
        """Repairs the link behind a port in use; the tables follow."""
        _c.cn_hierarchy_update(self, _CHANGE_REPAIR_LINK, node, port)

    def __repr__(self) -> str:
        count = _c.cn_hierarchy_cluster_count(self)
        return f"<Hierarchy of {self._topology.name}: {count} clusters>"

"""The part of a damaged network that stays in use."""
# mypy: no-warn-return-any

from __future__ import annotations

from typing import TYPE_CHECKING

from ._control import _Control
from ._drawn import _Drawn
from ._enum import _name_of
from ._errors import DisconnectedError
from ._function import _c, _declare
from ._hints import Progress, Seconds, Whole, Wholes
from ._values import _channel_word, _channels

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._fault import Faults

_declare("""
    status cn_subnet_degraded(faults faults, u32 k, int link_rule, control control,
        out subnet subnet)
    status cn_subnet_convex(faults faults, control control, out subnet subnet)
    status cn_subnet_optimum(faults faults, control control, out subnet subnet, out u64 upper,
                             out u64 used)
    status cn_subnet_minimal(faults faults, control control, out subnet subnet)
    status cn_subnet_chosen(faults faults, u64[] disabled, size count, out subnet subnet)
    status cn_subnet_copy(subnet subnet, out subnet copy)
    void   cn_subnet_free(ref subnet)
    status cn_subnet_rebuild(subnet subnet, faults faults, control control)
    u64    cn_subnet_survivor_count(subnet subnet)
    u64    cn_subnet_disabled_count(subnet subnet)
    u64    cn_subnet_rounds(subnet subnet)
    u64    cn_subnet_messages(subnet subnet)
    status cn_subnet_node_state(subnet subnet, u64 node, out int state)
    status cn_subnet_survivors(subnet subnet, u64[] nodes, size capacity, out size count)
    status cn_subnet_neighbor_status(subnet subnet, u64 node, out u64 status)
    status cn_subnet_is_safe(subnet subnet, u64 node, out int safe)
    status cn_subnet_is_convex(subnet subnet, out int convex)
    status cn_subnet_update(subnet subnet, int change, u64 node, u32 port, control control)
    status cn_subnet_draw(subnet subnet, int format, control control, char[] text,
                       size capacity, out size length)
    status cn_route_optimal_path(u64 header, u64 neighbor_status, out u64 channels)
""")

_CHANGE_FAIL_NODE, _CHANGE_REPAIR_NODE, _CHANGE_FAIL_LINK, _CHANGE_REPAIR_LINK = range(4)


class Subnet(_Drawn):
    """The part of a damaged network that stays in use. It has its own copy of the faults. It must
    not be changed in one thread while another uses it.

    >>> faults = Faults(Topology.hypercube(3))
    >>> faults.add_node(5)
    >>> subnet = faults.convex_subnet()
    >>> subnet.survivors
    [0, 1, 2, 3, 4, 6, 7]
    """

    _kind = "subnet"
    _instead = ": pickle its Faults and make it again, or a Scenario or Routing that has it"
    _end = _c.cn_subnet_free

    def copy(self) -> Self:
        """An independent copy."""
        return self._of(self._topology, _c.cn_subnet_copy(self))

    __copy__ = copy

    def rebuild(self, faults: Faults, seconds: Seconds = None, progress: Progress = None) -> None:
        """Makes the subnet again, by its own rule, for other faults of the same topology. When it is
        cancelled no node survives."""
        _c.cn_subnet_rebuild(self, faults, control=_Control(0, seconds, progress))

    @property
    def survivors(self) -> list[int]:
        """The nodes in use, in ascending order."""
        return _c.cn_subnet_survivors.fill(self)

    @property
    def disabled(self) -> list[int]:
        """The nodes that work but are not in use, in ascending order."""
        rest = sorted(set(range(self._topology.node_count)).difference(self.survivors))
        return [node for node in rest if self.state(node) == "disabled"]

    @property
    def survivor_count(self) -> int:
        """The number of nodes in use."""
        return _c.cn_subnet_survivor_count(self)

    @property
    def disabled_count(self) -> int:
        """The number of nodes that work but are not in use."""
        return _c.cn_subnet_disabled_count(self)

    @property
    def rounds(self) -> int:
        """The number of rounds of the latest degrading; 0 for a convex subnet."""
        return _c.cn_subnet_rounds(self)

    @property
    def messages(self) -> int:
        """The number of messages of the latest degrading; 0 for a convex subnet."""
        return _c.cn_subnet_messages(self)

    def is_convex(self) -> bool:
        """Whether the distance between any two survivors of a Boolean cube is the same as without
        faults."""
        return bool(_c.cn_subnet_is_convex(self))

    def state(self, node: Whole) -> str:
        """"surviving", "faulty" or "disabled"."""
        return _name_of("node_state", _c.cn_subnet_node_state(self, node))

    def neighbor_status(self, node: Whole) -> list[int]:
        """The ports of a node whose links are good."""
        return _channels(_c.cn_subnet_neighbor_status(self, node))

    def is_safe(self, node: Whole) -> bool:
        """Whether a survivor is safe: the subcube that its bad links span has no other survivor."""
        return bool(_c.cn_subnet_is_safe(self, node))

    def next_hops(self, node: Whole, destination: Whole) -> list[int]:
        """The ports that the optimal-path rule allows; none on arrival. Raises DisconnectedError
        when it allows no port."""
        for name, end in ("node", node), ("destination", destination):
            if self.state(end) != "surviving":
                raise DisconnectedError(f"next_hops(): {name} = {end}, but it is not a survivor")
        header = _c.cn_topology_header(self._topology, node, destination)
        return self.route_optimal_path(_c.cn_route_valid(self._topology, header),
                                       self.neighbor_status(node))

    @staticmethod
    def route_optimal_path(header: Whole, neighbor_status: Wholes) -> list[int]:
        """The optimal-path rule as a function of what a node knows: the ports that a message with
        this header (node ^ destination) may take, given the ports whose links are good; none on
        arrival."""
        status = _channel_word("neighbor_status", neighbor_status)
        return _channels(_c.cn_route_optimal_path(header, status) or 0)

    # ---- faults and repairs in use ----

    def fail_node(self, node: Whole, seconds: Seconds = None, progress: Progress = None) -> None:
        """Lets a node fail in use: the subnet becomes that of rebuild(). When the call is cancelled in between, the fault
        is done, and no node survives until rebuild()."""
        _c.cn_subnet_update(self, _CHANGE_FAIL_NODE, node, 0,
                            control=_Control(0, seconds, progress))

    def repair_node(self, node: Whole, seconds: Seconds = None, progress: Progress = None) -> None:
        """Repairs a node in use, as fail_node() lets it fail."""
        _c.cn_subnet_update(self, _CHANGE_REPAIR_NODE, node, 0,
                            control=_Control(0, seconds, progress))

    def fail_link(self, node: Whole, port: Whole, seconds: Seconds = None,
                  progress: Progress = None) -> None:
        """Lets the link behind a port fail in use, as fail_node()."""
        _c.cn_subnet_update(self, _CHANGE_FAIL_LINK, node, port,
                            control=_Control(0, seconds, progress))

    def repair_link(self, node: Whole, port: Whole, seconds: Seconds = None,
                    progress: Progress = None) -> None:
        """Repairs the link behind a port in use, as fail_node()."""
        _c.cn_subnet_update(self, _CHANGE_REPAIR_LINK, node, port,
                            control=_Control(0, seconds, progress))

    def __repr__(self) -> str:
        return (f"<Subnet of {self._topology.name}: {self.survivor_count} nodes survive, "
                f"{self.disabled_count} are disabled>")

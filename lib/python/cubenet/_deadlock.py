"""Checks of rules of routing for deadlock."""
# mypy: no-warn-return-any

from __future__ import annotations

import collections.abc
from typing import Any, NamedTuple, TYPE_CHECKING

from ._control import _Control
from ._decision import _wormhole_rule
from ._enum import _name_of
from ._errors import ArgumentError, StateError
from ._function import _c, _declare
from ._handle import _Object
from ._hints import Escape, Progress, Seconds, VcRule, Whole, Wholes
from ._library import _NO_RULE, _VC_RULE
from ._values import _NO_PORT, _array, _fields, _whole

if TYPE_CHECKING:
    from typing_extensions import Self
    from ._topology import Topology

_declare("""
    status cn_deadlock_check(topology topology, u32 virtual_channels, vc_rule rule, vc_rule escape,
                             u64 escape_set, void user, control control, out deadlock check)
    void   cn_deadlock_free(ref deadlock)
    status cn_deadlock_verdict(deadlock check, out int verdict)
    text   cn_verdict_text(int verdict)
    int    cn_deadlock_is_free(deadlock check)
    status cn_deadlock_counts(deadlock check, out u64 channels, out u64 dependencies,
                              out u64 escape_channels, out u64 escape_dependencies)
    status cn_deadlock_cycle(deadlock check, u64[] nodes, u32[] ports, u32[] virtual_channels,
                             u64[] destinations, size capacity, out size count)
""")


class Wait(NamedTuple):
    """An element of a dependency cycle: a message for destination may hold this virtual channel of
    this port of node, and wait for the virtual channel of the next element. port is None for a
    message that is still at its source."""

    node: int
    port: int | None
    virtual_channel: int
    destination: int


class DeadlockCheck(NamedTuple):
    """The result of a check for deadlock: verdict is "acyclic" or "escape" (then free is True),
    "cyclic", "escape-cyclic", "escape-missing" or "stuck"; text explains it in a sentence.

    cycle is a shortest dependency cycle, as a list of Waits. For "escape" it is harmless; for
    "escape-cyclic" it is a cycle of escape channels; for "escape-missing" and "stuck" it is the one
    place where a channel is missing."""

    verdict: str
    free: bool
    text: str
    channels: int
    dependencies: int
    escape_channels: int
    escape_dependencies: int
    cycle: list[Wait]


class _Deadlock(_Object):
    _kind = "deadlock"
    _end = _c.cn_deadlock_free

    def report(self) -> DeadlockCheck:
        verdict = _c.cn_deadlock_verdict(self)
        channels, dependencies, escapes, escape_dependencies = _c.cn_deadlock_counts(self)
        # A cycle visits no virtual channel twice.
        columns = [_array(kind, max(1, channels), "deadlock_check()")
                   for kind in ("u64", "u32", "u32", "u64")]
        length = _c.cn_deadlock_cycle(self, *columns, len(columns[0]))
        cycle = [Wait(node, None if port == _NO_PORT else port, channel, destination)
                 for node, port, channel, destination in zip(*(c[:length] for c in columns))]
        return DeadlockCheck(_name_of("verdict", verdict), bool(_c.cn_deadlock_is_free(self)),
                             _c.cn_verdict_text(verdict), channels, dependencies, escapes,
                             escape_dependencies, cycle)


class _VcRules(_Control):
    """The caller's rules in the form in which the library calls them."""

    def __init__(self, topology: Topology, seconds: Seconds = None,
                 progress: Progress = None) -> None:
        super().__init__(0, seconds, progress)
        self._topology = topology

    def __enter__(self) -> Self:
        self.control = super().__enter__()
        return self

    def function(self, name: str, rule: Any) -> Any:
        def make(rule: Any) -> Any:
            def ask(node: int, destination: int, previous: int, port: int, channel: int,
                    sets: Any) -> int:
                came = None if port == _NO_PORT else (previous, port, channel)
                self._fill(name, sets, node, rule(node, destination, came))
                return 0
            return ask
        return self._given(_VC_RULE, name, rule, make)

    def part(self, function: Any, kept: int) -> Any:
        """A C function that returns those virtual channels of another function's result that are in
        a set."""
        def ask(node: int, destination: int, previous: int, port: int, channel: int,
                sets: Any) -> int:
            status = function(None, node, destination, previous, port, channel, sets)
            for p in range(self._topology.degree(node)):
                sets[p] &= kept
            return status
        return self._function(_VC_RULE, ask, StateError.status)

    def _fill(self, name: str, sets: Any, node: int, choices: Any) -> None:
        degree = self._topology.degree(node)
        if not isinstance(choices, collections.abc.Iterable):
            raise TypeError(f"{name} must give (port, virtual channel) pairs, not "
                            f"{type(choices).__name__}")
        for choice in choices:
            port, channel = _fields(f"a channel of {name}", choice, "port", "virtual channel")
            port = _whole("u32", "port", port)
            channel = _whole("u32", "virtual_channel", channel)
            if port >= degree:
                raise ArgumentError(f"port = {port}, but node {node} has {degree} ports")
            if channel > 63:
                raise ArgumentError(f"virtual_channel = {channel}, but it cannot be above 63")
            sets[port] |= 1 << channel


def deadlock_check(topology: Topology, rule: VcRule | str | int, virtual_channels: Whole = 1,
                   escape: Escape = None, seconds: Seconds = None, progress: Progress = None
                   ) -> DeadlockCheck:
    """Checks whether a rule of wormhole routing can deadlock on a small network; returns a
    DeadlockCheck.

    rule is the name of a rule (see Topology.wormhole_channels()) or a function. rule(node,
    destination, came) returns the (port, virtual channel) pairs that the head of a message at node
    may take; came is the (node, port, virtual channel) over which the message came, None at its
    source. The same arguments must always give the same result.

    escape is for a function only: the virtual channels that are escapes wherever the rule allows
    them, as a list of numbers, or a function like rule that returns a part of the result of rule.

    Both may also be C functions of type cn_vc_rule, as ctypes functions or addresses.

    >>> check = deadlock_check(Topology.ring(5), "dimension-order-unsafe")
    >>> check.verdict, check.free
    ('cyclic', False)
    """
    if isinstance(rule, str):
        if escape is not None:
            raise ArgumentError(f"escape must be None, since rule {rule!r} has its own")
        routing, is_unsafe = _wormhole_rule(topology, rule)
        if not is_unsafe:
            return routing.deadlock_check(virtual_channels, seconds, progress)
        name, rule = rule, lambda node, destination, came: topology.wormhole_channels(
            name, virtual_channels, node, destination)
    with _VcRules(topology, seconds, progress) as rules:
        function, escape_function, escape_set = rules.function("rule", rule), _NO_RULE, 0
        if _is_set(escape):
            escape_set = _channel_set(escape, virtual_channels)
        elif escape is not None:
            escape_function = rules.function("escape", escape)
        return _Deadlock._own(_c.cn_deadlock_check(
            topology, virtual_channels, function, escape_function, escape_set, None,
            control=rules.control)).report()


def _is_set(escape: Any) -> bool:
    return isinstance(escape, collections.abc.Iterable)


def _channel_set(escape: Any, virtual_channels: Any) -> int:
    """Virtual channels as the bits of a word."""
    word = 0
    for channel in escape:
        channel = _whole("u32", "escape", channel)
        if channel >= virtual_channels:
            raise ArgumentError(f"escape = {channel}, but there are {virtual_channels} "
                                "virtual channels")
        word |= 1 << channel
    return word

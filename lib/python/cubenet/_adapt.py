"""Two-level routing whose tables are updated periodically (Horng 1992, 5.5.2)."""

from __future__ import annotations

from typing import Any, NamedTuple, TYPE_CHECKING

from ._errors import ArgumentError
from ._handle import _pointer
from ._hints import Real, Whole
from ._routing import Routing
from ._scenario import Scenario
from ._values import _real, _whole

if TYPE_CHECKING:
    from ._fault import Faults
    from ._result import Result

_FULLEST = 0.99  # of a channel; beyond, the estimate of its delay says nothing


class Update(NamedTuple):
    """A period of adapt_two_level(): the routing and the result of its simulation, and the rounds and
    messages with which the nodes made the tables."""

    routing: Routing
    result: Result
    rounds: int
    messages: int


def _delays(result: Result, ports: int) -> list[list[float]]:
    """Of each channel, by node and port, from its measured utilization."""
    cycles = result["cycles"] - result["warmup_cycles"]
    delays = [1 / (1 - min(load / cycles, _FULLEST)) for load in result.channel_loads()]
    return [delays[at:at + ports] for at in range(0, len(delays), ports)]


def adapt_two_level(faults: Faults, updates: Whole = 4, slack: Real = 1, keep: Real = 0.8,
                    system: str = "separate-buffers", **keywords: Any) -> list[Update]:
    """Two-level routing on a damaged Boolean cube that is updated periodically: a simulation, the delays
    of its channels, a new routing, a simulation, and so on. Returns an Update for the routing by hops and
    for each of the updates after it. Experimental.

    The weight of a channel is keep times the one before plus 1 - keep times its delay, which is estimated
    as 1 / (1 - u) from the utilization u that was measured (at most 0.99); it is 1 at first. slack is
    that of Routing.two_level_weighted(), in cycles. Every period is a simulation of its own, from an empty
    network, with the same seed. The keywords are those of Scenario().

    >>> faults = Faults(Topology.hypercube(4))
    >>> faults.add_node(3)
    >>> first, second = adapt_two_level(faults, 1, load=0.5, measure_cycles=1000)
    >>> first.rounds, first.messages
    (1, 56)
    """
    _pointer("faults", "faults", faults)  # refuses what is none
    hierarchy, ports = faults.hierarchy(), faults.topology.max_degree
    weights = [[1.0] * ports for _ in range(faults.topology.node_count)]
    share = _real("keep", keep)
    if not 0 <= share <= 1:
        raise ArgumentError(f"adapt_two_level(): keep = {keep}, but it must be 0 to 1")
    periods: list[Update] = []
    for _ in range(_whole("u32", "updates", updates) + 1):
        made = Routing.two_level_weighted(hierarchy, weights, slack if periods else 0)
        result = Scenario(faults.topology, system, faults=faults, routing=made[0],
                          **keywords).simulate(statistics=True)
        periods.append(Update(made[0], result, *made[1:]))
        weights = [[share * before + (1 - share) * now for before, now in zip(*rows)]
                   for rows in zip(weights, _delays(result, ports))]
    return periods

"""The parameters as keywords and attributes of a Scenario.

Written by tests/project/test_reference.py --update."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Literal
    from ._collective import Operations
    from ._fault import Faults
    from ._hints import Real, Whole
    from ._routing import Routing
    from ._subnet import Subnet
    from ._topology import Topology
    from ._traffic import Traffic
    from ._workload import Workload


class _Parameters:
    """Parameters by system; parameters() has what they mean:

    separate-buffers: load, warmup_cycles, measure_cycles, replications, relative_precision, threads,
        model_variant, selection, slotted, statistics
    shared-buffer: load, warmup_cycles, measure_cycles, replications, relative_precision, threads,
        selection, slotted, statistics
    optimistic-bound: load
    deflection: load, buffers, warmup_cycles, measure_cycles, replications, relative_precision, threads,
        model_variant, state_space, selection, statistics
    degraded-bound: load, node_failure_probability, model_variant
    flow-deviation: load, relative_precision
    wormhole: load, warmup_cycles, measure_cycles, replications, relative_precision, threads,
        virtual_channels, message_flits, flit_buffers, broadcast_fraction, startup_latency, model_variant,
        selection, injection_servers, one_port, unsafe, statistics, broadcast_base
    collective: replications, threads, one_port, operations, start_cycles, destinations, destination_choice,
        machine, tree, clubbing, channel_capacity, buffer_classes, detours, operation_rate, transit_buffers,
        statistics, operation_threshold, operation_kind
    cut-through: load, warmup_cycles, measure_cycles, replications, relative_precision, threads,
        virtual_channels, message_flits, broadcast_fraction, startup_latency, model_variant, selection,
        injection_servers, one_port, unsafe, statistics, message_buffers, broadcast_base
    cut-through-deflection: load, buffers, warmup_cycles, measure_cycles, replications, relative_precision,
        threads, message_flits, statistics
    """

    load: float
    """Offered load, the mean number of new messages per node and cycle (or unit of time)."""
    buffers: int
    """Number of messages that a node can hold."""
    warmup_cycles: int | Literal["automatic"]
    """Cycles simulated before measuring starts."""
    measure_cycles: int
    """Greatest number of measured cycles."""
    replications: int
    """Number of independent runs, each with a seed of its own."""
    relative_precision: float
    """A run ends early when the 95 % half-widths of throughput and mean delay are at most this share of their
    values; 0: never."""
    threads: int
    """Number of threads that share the work; does not affect the result."""
    virtual_channels: int
    """Number of virtual channels per directed physical channel."""
    message_flits: int
    """Length of a message."""
    flit_buffers: int
    """Depth of the buffer of a virtual channel."""
    broadcast_fraction: float
    """Share of the new messages that are broadcasts."""
    startup_latency: float
    """Time from the creation of a message to its first flit."""
    node_failure_probability: float
    """Probability that a node is faulty, independently of the others."""
    model_variant: Literal["published", "corrected", "own", "automatic"]
    """Form of the system's analytic model."""
    state_space: Literal["automatic", "exact", "reduced"]
    """State diagram of the model of path lengths."""
    selection: Literal["random", "lowest", "least-loaded"]
    """Which of the channels that the routing allows a message takes."""
    injection_servers: int
    """Number of messages of one source queue that may enter the network at the same time."""
    one_port: bool
    """Whether a node sends over only one channel at a time."""
    slotted: bool
    """Whether each transmission takes exactly one cycle."""
    start_cycles: int
    """Number of cycles, from the first on, in which operations start."""
    destinations: int
    """Number of destinations drawn for an operation, before the source and repeated nodes are left out; 0: all
    other nodes."""
    destination_choice: Literal["stride", "same-stride", "uniform", "same-run"]
    """Rule for the destinations of a random multicast."""
    machine: Literal["paper", "channels"]
    """Limited resource of a node."""
    tree: Literal["balanced", "split", "binomial", "turned", "least-used", "breadth-first"]
    """Tree that the messages follow."""
    clubbing: bool
    """Whether messages of one multicast travel as one copy while they share a path on the tree, as those of a
    broadcast always do."""
    channel_capacity: int
    """Number of messages that a directed channel can carry in a cycle; 0: unlimited."""
    buffer_classes: bool
    """Whether buffers are divided into classes by the number of hops made, which makes the network free of
    deadlock."""
    detours: bool
    """Whether a message may avoid a channel for which other messages wait."""
    operation_rate: float
    """Mean number of operations that a node starts per cycle; 0: the parameter operations determines their
    number."""
    transit_buffers: int
    """Number of buffers of a node for messages in transit (machine = paper: number of messages that it handles in a
    cycle); 0: unlimited."""
    unsafe: bool
    """Whether a routing that can deadlock may run."""
    statistics: bool
    """Whether channels, nodes and hops are counted one by one."""
    message_buffers: int
    """Number of messages that the buffer of a virtual channel can hold; 0: unlimited."""
    broadcast_base: Literal["random", "fixed", "round-robin"]
    """Dimension in which the binomial tree of a broadcast begins; other values than random on undamaged Boolean
    n-cubes only."""
    operation_threshold: float
    """In each cycle every node draws a number k and starts an operation when its Poisson probability is above this
    share of the greatest one; 0: numbers of operations are Poisson numbers."""
    operation_kind: Literal["outward", "contention", "combining", "concentration"]
    """What an operation is."""

    def __init__(self, topology: Topology, system: str, *, seed: Whole = 1,
                 routing: Routing | str | None = None, faults: Faults | None = None,
                 subnet: Subnet | None = None, traffic: Traffic | str | None = None,
                 operations: Operations | Whole | None = None, workload: Workload | None = None,
                 load: Real = ...,
                 buffers: Whole = ...,
                 warmup_cycles: Whole | Literal["automatic"] = ...,
                 measure_cycles: Whole = ...,
                 replications: Whole = ...,
                 relative_precision: Real = ...,
                 threads: Whole = ...,
                 virtual_channels: Whole = ...,
                 message_flits: Whole = ...,
                 flit_buffers: Whole = ...,
                 broadcast_fraction: Real = ...,
                 startup_latency: Real = ...,
                 node_failure_probability: Real = ...,
                 model_variant: Literal["published", "corrected", "own", "automatic"] = ...,
                 state_space: Literal["automatic", "exact", "reduced"] = ...,
                 selection: Literal["random", "lowest", "least-loaded"] = ...,
                 injection_servers: Whole = ...,
                 one_port: bool = ...,
                 slotted: bool = ...,
                 start_cycles: Whole = ...,
                 destinations: Whole = ...,
                 destination_choice: Literal["stride", "same-stride", "uniform", "same-run"] = ...,
                 machine: Literal["paper", "channels"] = ...,
                 tree: Literal["balanced", "split", "binomial", "turned", "least-used", "breadth-first"] = ...,
                 clubbing: bool = ...,
                 channel_capacity: Whole = ...,
                 buffer_classes: bool = ...,
                 detours: bool = ...,
                 operation_rate: Real = ...,
                 transit_buffers: Whole = ...,
                 unsafe: bool = ...,
                 statistics: bool = ...,
                 message_buffers: Whole = ...,
                 broadcast_base: Literal["random", "fixed", "round-robin"] = ...,
                 operation_threshold: Real = ...,
                 operation_kind: Literal["outward", "contention", "combining", "concentration"] = ...) -> None: ...

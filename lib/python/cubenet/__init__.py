"""cubenet: direct interconnection networks: topologies, routing, models and simulations.

    import cubenet

    cube = cubenet.Topology.hypercube(6)
    scenario = cubenet.Scenario(cube, "deflection", load=1.5, buffers=12, seed=1)
    model, simulation = scenario.predict(), scenario.simulate()
    print(model["mean_delay"], simulation["mean_delay"], simulation.half_width("mean_delay"))

This module works with Python 3.7 and later. It calls the C library libcubenet; the comments of the C
headers describe each function in full. systems(), parameters() and metrics() list what is available.
Results are numbers and lists; counts by channel and node, and the answers of calls for many nodes
(Topology.headers(), Routing.next_hops() and others), are arrays, those of numpy where it is imported.
Arguments may be numbers and arrays of numpy and whatever else is a buffer.

What may take long takes seconds= and progress=, and limits() sets them for a block. A call that is
over time, or whose progress(done, total, lower, upper) returns False, ends: with what it has, or with a
CancelledError. True draws a bar; Ctrl-C ends any call.

A failed call of the library raises a cubenet.Error, whose text names the argument, its value and
what is allowed. An argument of the wrong type raises a TypeError. The library releases the
interpreter lock while it works, so threads run at the same time.

The shared library is searched in this order: the file that the environment variable
CUBENET_LIBRARY names; the build folder of the source tree that contains this package; the package
and the folders above it; the search path of the system.
"""

from ._errors import (
    Error, ArgumentError, OutOfMemoryError, UnsupportedError, UnstableError, NotFoundError,
    RangeError, CapacityError, StateError, ConvergenceError, DeadlockError, ThreadError,
    DisconnectedError, CancelledError, ExchangeError, InternalError)
from ._library import Delivery
from ._control import limits
from ._measure import measures, Measure, Bisection, BisectionRule, Schedule, Transfer
from ._tree import Tree, TreeArrays, common_channel
from ._queueing import (
    Flow, assignment_phase_one, assignment_both_phases, deflection_hops, deflection_queue,
    shared_buffer_queue, separate_buffers_arrivals, separate_buffers_queue, optimistic_bound_queue)
from ._topology import Topology
from ._subcube import Subcube
from ._fault import Faults, Stretch, Monotone
from ._subnet import Subnet
from ._hierarchy import Hierarchy, Way
from ._deadlock import deadlock_check, DeadlockCheck, Wait
from ._routing import Routing, routings, RoutingKind
from ._system import systems, System, parameters, Parameter, metrics, Metric, version
from ._traffic import Traffic, traffic_patterns
from ._shapes import kary_shapes, bisection_cycle_time, compare_shapes, Shape
from ._collective import Operations, Operation
from ._result import Result, Bin, Batches, Times, merge
from ._simulation import Simulation
from ._part import Part, part_nodes, merge_parts
from ._scenario import Scenario
from ._workload import Workload, Message
from ._adapt import adapt_two_level, Update
from ._study import Study
from ._sweep import sweep
from ._plot import plot, Plot
from ._words import _name_methods
from . import networks

__all__ = [
    "limits", "Topology", "Flow", "Tree", "TreeArrays", "common_channel", "Subcube",
    "Faults", "Stretch", "Monotone", "Subnet", "Hierarchy", "Way",
    "measures", "Measure", "Bisection", "BisectionRule", "Schedule", "Transfer",
    "Traffic", "traffic_patterns",
    "deadlock_check", "DeadlockCheck", "Wait", "Routing", "routings", "RoutingKind",
    "Scenario", "Operations", "Operation", "Workload", "Message",
    "Simulation", "Delivery", "Part", "part_nodes",
    "merge_parts", "adapt_two_level", "Update", "Study", "sweep", "plot", "Plot", "Result",
    "Bin", "Batches", "Times", "merge",
    "systems", "System", "parameters", "Parameter", "metrics", "Metric",
    "assignment_phase_one", "assignment_both_phases", "deflection_hops", "deflection_queue",
    "shared_buffer_queue", "separate_buffers_arrivals", "separate_buffers_queue",
    "optimistic_bound_queue",
    "networks", "kary_shapes", "bisection_cycle_time", "compare_shapes", "Shape", "version",
    "Error", "ArgumentError", "OutOfMemoryError", "UnsupportedError", "UnstableError",
    "NotFoundError", "RangeError", "CapacityError", "StateError", "ConvergenceError",
    "DeadlockError", "ThreadError", "DisconnectedError", "CancelledError", "ExchangeError",
    "InternalError",
]

for _name in __all__:  # a pickle and a traceback name the package, not the module inside it
    globals()[_name].__module__ = __name__
for _name in __all__:
    if isinstance(globals()[_name], type):
        _name_methods(globals()[_name])

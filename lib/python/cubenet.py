"""cubenet: direct interconnection networks: topologies, routing, models and simulations.

    import cubenet

    cube = cubenet.Topology.hypercube(6)
    scenario = cubenet.Scenario(cube, "deflection", load=1.5, buffers=12, seed=1)
    model, simulation = scenario.predict(), scenario.simulate()
    print(model["mean_delay"], simulation["mean_delay"], simulation.half_width("mean_delay"))

This module works with Python 3.7 and later. It calls the C library libcubenet; the comments of the C
headers describe each function in full. systems(), parameters() and metrics() list what is available.
Results are Python numbers and lists, which numpy.array() accepts. Arguments may also be numbers and
arrays of numpy.

A failed call of the library raises a cubenet.Error, whose text names the argument, its value and
what is allowed. An argument of the wrong type raises a TypeError. The library releases the
interpreter lock while it works, so threads run at the same time.

The shared library is searched in this order: the file that the environment variable
CUBENET_LIBRARY names; the build folder of the source tree that contains this file; the folders
above this file; the search path of the system.
"""

import collections.abc
import contextlib
import ctypes
import json
import math
import operator
import os
import re
import signal
import sys
import sysconfig
import threading
import time
import types
import weakref
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "limits", "Topology", "Flow", "Tree", "TreeArrays", "common_channel", "Subcube",
    "Faults", "Stretch", "Monotone", "Subnet", "Hierarchy", "Way",
    "measures", "Measure", "Bisection", "BisectionRule", "Schedule", "Transfer",
    "Traffic", "traffic_patterns",
    "deadlock_check", "DeadlockCheck", "Wait", "Routing", "routings", "RoutingKind",
    "Scenario", "Operations", "Operation", "Simulation", "Delivery", "Study", "Result",
    "Bin", "Batches",
    "systems", "System", "parameters", "Parameter", "metrics", "Metric",
    "assignment_phase_one", "assignment_both_phases", "deflection_hops", "shared_buffer_queue",
    "kary_shapes", "bisection_cycle_time", "compare_shapes", "Shape", "version",
    "Error", "ArgumentError", "OutOfMemoryError", "UnsupportedError", "UnstableError",
    "NotFoundError", "RangeError", "CapacityError", "StateError", "ConvergenceError",
    "DeadlockError", "ThreadError", "DisconnectedError", "CancelledError", "InternalError",
]


# ---- errors ----

class Error(Exception):
    """A call of the library failed: str() is the error text, `status` the cn_status number
    (base.h)."""

    status = None
    __str__ = Exception.__str__  # KeyError has one that quotes


class ArgumentError(Error, ValueError):
    """An argument is out of range, not a number, or malformed."""

    status = -1


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory."""

    status = -2


class UnsupportedError(Error):
    """The arguments are valid, but this combination is not supported."""

    status = -3


class UnstableError(Error, ArithmeticError):
    """There is no steady state: the load is more than the network can carry."""

    status = -4


class NotFoundError(Error, KeyError):
    """Nothing has this name, or the result does not hold this metric."""

    status = -5


class RangeError(Error, OverflowError):
    """The result does not fit its type."""

    status = -6


class CapacityError(Error):
    """An array is too small."""

    status = -7


class StateError(Error, RuntimeError):
    """The call is not allowed now."""

    status = -8


class ConvergenceError(Error, ArithmeticError):
    """An iteration did not converge."""

    status = -9


class DeadlockError(Error):
    """The simulated network is deadlocked: some messages can never move again."""

    status = -10


class ThreadError(Error, RuntimeError):
    """The operating system could not start a thread."""

    status = -11


class DisconnectedError(Error):
    """Some node cannot reach another one."""

    status = -12


class CancelledError(Error):
    """The call was cancelled, or its time limit was reached, before it had a result."""

    status = -13


class InternalError(Error):
    """A check inside the library failed: a bug in cubenet."""

    status = -99


_DONE = 1  # the status of a regular outcome: there is nothing (more) to give
_ERRORS = {error.status: error for error in Error.__subclasses__()}


def _failure(status):
    """The exception for a call that has just failed on this thread."""
    error = _ERRORS.get(status, Error)(_c.cn_last_error())
    error.status = status
    return error


# ---- the library ----

# Each function that is used, as in the headers but with short names for the types. `out` marks what
# a call gives back, T[] an array of the caller, `ref` the address of a handle, a key of _CALLBACKS and
# `void` the two sides of a callback; any other word is a kind of handle, the _kind of a class below.
_PROTOTYPES = """
    text   cn_last_error()
    text   cn_version_text()

    status cn_topology_hypercube(u32 n, out topology topology)
    status cn_topology_kary_ncube(u64 k, u32 n, int bidirectional, out topology topology)
    status cn_topology_generalized_hypercube(u64 k, u32 n, out topology topology)
    status cn_topology_generalized_hypercube_mixed(u64[] radices, u32 n, out topology topology)
    status cn_topology_ring(u64 nodes, int bidirectional, out topology topology)
    status cn_topology_torus(u64[] radices, u32 n, out topology topology)
    status cn_topology_mesh(u64[] radices, u32 n, out topology topology)
    status cn_topology_complete(u64 nodes, out topology topology)
    status cn_topology_star(u64 nodes, out topology topology)
    status cn_topology_tree(u64 branching, u32 levels, out topology topology)
    status cn_topology_chordal_ring(u64 nodes, u64 chord, int dual, out topology topology)
    status cn_chordal_ring_best_chord(u64 nodes, int dual, control control, out u64 chord,
                                      out u64 diameter)
    status cn_topology_psnn(u32 n, out topology topology)
    status cn_topology_shuffle_exchange(u32 n, out topology topology)
    status cn_topology_de_bruijn(u32 n, out topology topology)
    status cn_topology_from_edges(u64 node_count, u64[] edges, size edge_count, control control,
        out topology topology)
    status cn_topology_from_function(u64 node_count, u32 max_degree, neighbor_fn neighbor,
        void user, control control, out topology topology)
    void   cn_topology_free(ref topology)
    status cn_topology_json(topology topology, char[] text, size capacity, out size length)
    status cn_topology_from_json(text text, control control, out topology topology)
    int    cn_topology_equal(topology a, topology b)
    text   cn_topology_name(topology topology)
    u64    cn_topology_node_count(topology topology)
    u32    cn_topology_max_degree(topology topology)
    int    cn_topology_is_bidirectional(topology topology)
    status cn_topology_link_count(topology topology, out u64 links)
    status cn_topology_degree(topology topology, u64 node, out u32 degree)
    status cn_topology_neighbor(topology topology, u64 node, u32 port, out u64 neighbor)
    status cn_topology_neighbors(topology topology, u64 node, u64[] neighbors, size capacity,
                                 out size count)
    status cn_topology_back_port(topology topology, u64 node, u32 port, out u32 back_port)
    status cn_topology_port_to(topology topology, u64 node, u64 neighbor, out u32 port)
    status cn_topology_distance(topology topology, u64 source, u64 destination, control control,
        out u64 distance)
    status cn_topology_diameter(topology topology, control control, out u64 diameter)
    status cn_topology_mean_distance(topology topology, control control, out f64 mean)
    status cn_topology_distance_counts(topology topology, u64 source, control control,
        u64[] counts, size capacity, out size count)
    u32    cn_topology_dimensions(topology topology)
    status cn_topology_radix(topology topology, u32 dimension, out u64 radix)
    status cn_topology_digits(topology topology, u64 node, u64[] digits, size capacity,
                              out size count)
    status cn_topology_node_at(topology topology, u64[] digits, size count, out u64 node)
    status cn_topology_address_text(topology topology, u64 node, char[] text, size capacity,
                                    out size length)
    status cn_topology_parse_address(topology topology, text text, out u64 node)
    status cn_topology_header(topology topology, u64 node, u64 destination, out u64 header)
    status cn_topology_translate(topology topology, u64 node, u64 by, out u64 translated)

    text   cn_measure_name(int measure)
    status cn_measure_from_name(text name, out int measure)
    text   cn_known_name(int known)
    status cn_control_new(out control control)
    void   cn_control_free(ref control)
    status cn_control_set_steps(control control, u64 steps)
    status cn_control_set_seconds(control control, f64 seconds)
    status cn_control_set_progress(control control, progress progress, void user)
    status cn_control_set_interval(control control, f64 seconds)
    status cn_control_cancel(control control)
    status cn_control_resume(control control)

    status cn_topology_measure(topology topology, int measure, f64 alpha, control control,
                               out f64 lower, out f64 upper, out int kind)
    status cn_topology_cost(topology topology, f64 processor_cost, f64 link_cost, out f64 cost)
    status cn_topology_bisection(topology topology, control control, u8[] side, size capacity,
                                 out u64 lower, out u64 upper, out int kind)
    status cn_bisection_check(topology topology, u8[] side, size count, out u64 width)
    status cn_bisection_side(topology topology, u64 node, out u32 side)
    status cn_topology_broadcast_schedule(topology topology, u64 source, control control,
                                          u64[] sender, u64[] receiver, u32[] sent_at,
                                          size capacity, out u64 lower, out u64 upper,
                                          out int kind)
    status cn_schedule_check(topology topology, u64 source, u64[] sender, u64[] receiver,
                             u32[] sent_at, size count, out u64 length)

    status cn_format_from_name(text name, out int format)
    status cn_topology_write_text(topology topology, int format, control control, char[] text,
        size capacity, out size length)
    status cn_topology_read(int format, text text, size length, u64 node_limit, control control,
        out topology topology)

    status cn_necklace_rotate(topology topology, u64 node, out u64 rotated)
    status cn_necklace_rotate_back(topology topology, u64 node, out u64 rotated)
    status cn_necklace_period(topology topology, u64 node, out u64 period)
    status cn_necklace_is_full(topology topology, u64 node, out int full)
    status cn_necklace_generator(topology topology, u64 node, out u64 generator)
    status cn_necklace_displacement(topology topology, u64 node, out u64 displacement)
    status cn_necklace_unfolded(topology topology, u64 node, u64[] nodes, size capacity,
                                out size count)
    status cn_necklace_count(topology topology, u64 distance, out u64 necklaces)
    status cn_necklace_first(topology topology, u64 distance, out u64 generator)
    status cn_necklace_next(topology topology, u64 generator, out u64 next)

    status cn_tree_balanced(topology topology, u64 root, out tree tree)
    status cn_tree_binomial(topology topology, u64 root, u32 base, out tree tree)
    status cn_tree_edge_disjoint(topology topology, u64 root, u32 index, out tree tree)
    status cn_tree_from_parents(topology topology, u64 root, u64[] parents, size count,
        control control, out tree tree)
    status cn_tree_breadth_first(topology topology, u64 root, control control, out tree tree)
    void   cn_tree_free(ref tree)
    u64    cn_tree_root(tree tree)
    status cn_tree_parent(tree tree, u64 node, out u64 parent)
    status cn_tree_depth(tree tree, u64 node, out u64 depth)
    status cn_tree_child_count(tree tree, u64 node, out u64 count)
    status cn_tree_children(tree tree, u64 node, u64[] children, size capacity, out size count)
    status cn_tree_subtree_size(tree tree, u64 node, out u64 size)
    status cn_tree_path(tree tree, u64 node, u64[] nodes, size capacity, out size count)
    status cn_tree_arrays(tree tree, u64[] parents, u64[] first, u64[] children, size capacity,
                          out size count)
    status cn_tree_validate(topology topology, u64 root, u64[] parents, size count,
        control control, out u64 height, out int shortest)
    status cn_tree_common_channel(tree[] trees, size count, out u64 node)
    status cn_spanning_graph_parents(topology topology, u64 root, u64 node, u64[] parents,
                                     u64[] subtrees, size capacity, out size count)

    status cn_subcube_parse(text text, out u32 n, out u64 value, out u64 any)
    status cn_subcube_text(u32 n, u64 value, u64 any, char[] text, size capacity, out size length)
    int    cn_subcube_contains(u64 value, u64 any, u64 node)
    u32    cn_subcube_distance(u64 value_a, u64 any_a, u64 value_b, u64 any_b)

    status cn_route_valid(topology topology, u64 header, out u64 channels)
    status cn_route_preferred(topology topology, u64 header, out u64 channels)
    status cn_route_move(topology topology, u64 header, u32 port, out u64 next_header)
    status cn_route_two_phase(topology topology, u64[] headers, size count, u64 buffers,
                              u32[] random, size random_count, u32[] ports)
    status cn_route_multicast_next_hop(topology topology, u64 source, u64 current, u64 destination,
                                       out u64 next)
    status cn_route_multicast_groups(topology topology, u64 source, u64 current,
                                     u64[] destinations, size count, u32[] group_of,
                                     u64[] children, u64[] sizes, size capacity, out size groups)

    status cn_wormhole_rule_from_name(text name, out int rule)
    status cn_route_wormhole(topology topology, int rule, u32 virtual_channels, u64 node,
                             u64 destination, u64[] channels, size capacity, out size count)
    status cn_deadlock_check(topology topology, u32 virtual_channels, vc_rule rule, vc_rule escape,
                             u64 escape_set, void user, control control, out deadlock check)
    status cn_deadlock_check_wormhole(topology topology, int rule, u32 virtual_channels,
                                      control control, out deadlock check)
    void   cn_deadlock_free(ref deadlock)
    status cn_deadlock_verdict(deadlock check, out int verdict)
    text   cn_verdict_name(int verdict)
    text   cn_verdict_text(int verdict)
    int    cn_deadlock_is_free(deadlock check)
    status cn_deadlock_counts(deadlock check, out u64 channels, out u64 dependencies,
                              out u64 escape_channels, out u64 escape_dependencies)
    status cn_deadlock_cycle(deadlock check, u64[] nodes, u32[] ports, u32[] virtual_channels,
                             u64[] destinations, size capacity, out size count)

    status cn_faults_new(topology topology, out faults faults)
    status cn_faults_copy(faults faults, out faults copy)
    void   cn_faults_free(ref faults)
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
    status cn_faults_text(faults faults, char[] text, size capacity, out size length)
    status cn_faults_parse(topology topology, text text, out faults faults)
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
    text   cn_node_state_name(int state)
    status cn_link_rule_from_name(text name, out int link_rule)
    status cn_tie_rule_from_name(text name, out int tie_rule)
    status cn_subnet_survivors(subnet subnet, u64[] nodes, size capacity, out size count)
    status cn_subnet_neighbor_status(subnet subnet, u64 node, out u64 status)
    status cn_subnet_is_safe(subnet subnet, u64 node, out int safe)
    status cn_subnet_is_convex(subnet subnet, out int convex)
    status cn_subnet_next_hops(subnet subnet, u64 node, u64 destination, out u64 channels)
    status cn_subnet_fail_node(subnet subnet, u64 node, int thorough, control control)
    status cn_subnet_repair_node(subnet subnet, u64 node, int thorough, control control)
    status cn_subnet_fail_link(subnet subnet, u64 node, u32 port, int thorough, control control)
    status cn_subnet_repair_link(subnet subnet, u64 node, u32 port, int thorough, control control)

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
    status cn_hierarchy_next_hops(hierarchy hierarchy, u64 node, u64 destination, int tie_rule,
                                  out u64 channels)
    status cn_hierarchy_mean_hops(hierarchy hierarchy, int tie_rule, control control, out f64 mean,
                                  out u64 pairs)
    status cn_hierarchy_fail_node(hierarchy hierarchy, u64 node, control control)
    status cn_hierarchy_repair_node(hierarchy hierarchy, u64 node, control control)
    status cn_hierarchy_fail_link(hierarchy hierarchy, u64 node, u32 port, control control)
    status cn_hierarchy_repair_link(hierarchy hierarchy, u64 node, u32 port, control control)

    status cn_faults_dot(faults faults, char[] text, size capacity, out size length)
    status cn_subnet_dot(subnet subnet, char[] text, size capacity, out size length)
    status cn_hierarchy_dot(hierarchy hierarchy, char[] text, size capacity, out size length)

    status cn_route_optimal_path(u64 header, u64 neighbor_status, out u64 channels)
    status cn_route_two_level(u64 node, u64 destination, u64 neighbor_status, u64[] values,
                              u64[] anys, u64[] table_channels, size count, int tie_rule,
                              out u64 channels)

    size   cn_routing_kind_count()
    text   cn_routing_kind_name(size index)
    text   cn_routing_kind_summary(size index)
    status cn_routing_new(topology topology, text name, faults faults, control control,
                          out routing routing)
    status cn_routing_optimal_path(subnet subnet, out routing routing)
    status cn_routing_two_level(hierarchy hierarchy, control control, out routing routing)
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
    status cn_routing_is_connected(routing routing, control control, out int is_connected)
    status cn_routing_is_livelock_free(routing routing, control control, out int is_livelock_free)
    status cn_routing_loads(routing routing, rate_fn rate, void user, control control, f64[] loads,
                            size capacity, out size count)
    status cn_routing_saturation_load(routing routing, rate_fn rate, void user, control control,
                                      out f64 load)

    size   cn_pattern_count()
    status cn_source_from_name(text name, out int source)
    text   cn_source_name(int source)
    text   cn_pattern_name(int pattern)
    status cn_pattern_from_name(text name, out int pattern)
    status cn_traffic_new(topology topology, int pattern, out traffic traffic)
    status cn_traffic_new_hotspot(topology topology, u64 node, f64 share, out traffic traffic)
    status cn_traffic_new_permutation(topology topology, u64 seed, out traffic traffic)
    status cn_traffic_new_locality(topology topology, f64[] weights, size count,
                                   out traffic traffic)
    status cn_traffic_new_geometric_locality(topology topology, f64 ratio, out traffic traffic)
    status cn_traffic_new_destinations(topology topology, u64[] destinations, size count,
                                       out traffic traffic)
    status cn_traffic_new_matrix(topology topology, f64[] weights, size count,
                                 out traffic traffic)
    status cn_traffic_new_trace(topology topology, u64[] cycles, u64[] sources,
                                u64[] destinations, u64[] flits, size count, out traffic traffic)
    void   cn_traffic_free(ref traffic)
    status cn_traffic_json(traffic traffic, char[] text, size capacity, out size length)
    status cn_traffic_from_json(text text, control control, out traffic traffic)
    status cn_traffic_set_source(traffic traffic, int source)
    status cn_traffic_set_on_off(traffic traffic, f64 mean_on, f64 mean_off)
    int    cn_traffic_pattern(traffic traffic)
    int    cn_traffic_source(traffic traffic)
    u64    cn_traffic_trace_length(traffic traffic)
    status cn_traffic_senders(traffic traffic, out u64 senders)
    status cn_traffic_probability(traffic traffic, u64 source, u64 destination,
                                  out f64 probability)
    status cn_traffic_mean_distance(traffic traffic, control control, out f64 mean)
    status cn_traffic_ecube_loads(traffic traffic, control control, f64[] loads, size capacity,
        out size count)
    status cn_traffic_routing_loads(traffic traffic, routing routing, control control, f64[] loads,
                                    size capacity, out size count)
    status cn_traffic_routing_saturation_load(traffic traffic, routing routing, control control,
                                              out f64 load)

    size   cn_system_count()
    text   cn_system_name(size index)
    text   cn_system_summary(size index)
    status cn_system_from_name(text name, out size index)
    status cn_system_check_model(size index, topology topology)
    status cn_system_check_simulator(size index, topology topology)
    size   cn_attachment_count()
    text   cn_attachment_name(int attachment)
    int    cn_system_takes_attachment(size index, int attachment)
    int    cn_system_takes(size index, int param)
    size   cn_param_count()
    status cn_model_variant_from_name(text name, out int model_variant)
    status cn_state_space_from_name(text name, out int state_space)
    text   cn_param_name(int param)
    text   cn_param_unit(int param)
    text   cn_param_meaning(int param)
    status cn_param_range(int param, out f64 least, out f64 greatest, out f64 default_value,
                          out int whole)
    status cn_param_from_name(text name, out int param)
    size   cn_param_choice_count(int param)
    text   cn_param_choice_name(int param, size value)
    text   cn_param_choice_meaning(int param, size value)
    status cn_param_choice_from_name(int param, text name, out f64 value)
    size   cn_metric_count()
    text   cn_metric_name(int metric)
    text   cn_metric_unit(int metric)
    text   cn_metric_meaning(int metric)
    text   cn_metric_source(int metric)
    status cn_metric_from_name(text name, out int metric)

    status cn_scenario_new(topology topology, text system, out scenario scenario)
    status cn_scenario_copy(scenario scenario, out scenario copy)
    void   cn_scenario_free(ref scenario)
    status cn_scenario_json(scenario scenario, char[] text, size capacity, out size length)
    status cn_scenario_from_json(text text, control control, out scenario scenario)
    text   cn_scenario_system(scenario scenario)
    int    cn_scenario_takes(scenario scenario, int param)
    status cn_scenario_set(scenario scenario, int param, f64 value)
    status cn_scenario_get(scenario scenario, int param, out f64 value)
    status cn_scenario_range(scenario scenario, int param, out f64 least, out f64 greatest,
                             out f64 default_value)
    status cn_scenario_reset(scenario scenario)
    status cn_scenario_set_seed(scenario scenario, u64 seed)
    status cn_scenario_set_faults(scenario scenario, faults faults)
    status cn_scenario_set_traffic(scenario scenario, traffic traffic)
    status cn_scenario_set_operations(scenario scenario, operations operations)
    status cn_scenario_set_subnet(scenario scenario, subnet subnet)
    status cn_scenario_set_routing(scenario scenario, routing routing)
    status cn_scenario_set_routing_name(scenario scenario, text name)
    text   cn_scenario_routing_name(scenario scenario)
    u64    cn_scenario_seed(scenario scenario)
    status cn_predict(scenario scenario, control control, out result result)
    status cn_predict_channel_delays(scenario scenario, control control, f64[] delays, size capacity,
                                     out size count)
    status cn_simulate(scenario scenario, control control, out result result)

    status cn_study_new(topology topology, out study study)
    void   cn_study_free(ref study)
    status cn_study_set_faults(study study, faults faults)
    status cn_study_set_clusters(study study, u64 nodes, u64 centers)
    status cn_study_set_random(study study, u64 nodes, u64 links)
    status cn_study_set_bombs(study study, u64 count, u32 radius)
    status cn_study_set_failing(study study, f64 node_probability, f64 link_probability)
    status cn_study_pattern(study study, u64 index, out faults faults)
    status cn_study_keep_working(study study)
    status cn_study_keep_degraded(study study, u32 k, int link_rule)
    status cn_study_keep_convex(study study)
    status cn_study_keep_minimal(study study)
    status cn_study_keep_clusters(study study, int tie_rule)
    status cn_study_set_paths(study study, int measured)
    status cn_study_set_scenario(study study, scenario scenario, int simulate)
    status cn_study_set_patterns(study study, u64 patterns)
    status cn_study_set_seed(study study, u64 seed)
    status cn_study_set_threads(study study, u32 threads)
    status cn_study_run(study study, control control, out result result)

    void   cn_result_free(ref result)
    int    cn_result_has(result result, int metric)
    status cn_result_value(result result, int metric, out f64 value)
    status cn_result_half_width(result result, int metric, out f64 half_width)
    status cn_result_samples(result result, int metric, out u64 samples)
    int    cn_result_stop(result result)
    text   cn_stop_name(int stop)
    text   cn_stop_text(int stop)
    int    cn_result_is_saturated(result result)
    int    cn_result_is_settled(result result)
    u64    cn_result_seed(result result)
    int    cn_result_has_statistics(result result)
    status cn_result_channel_loads(result result, u64[] loads, size capacity, out size count)
    status cn_result_node_counts(result result, int which, u64[] counts, size capacity,
                                 out size count)
    status cn_result_node_queues(result result, f64[] queues, size capacity, out size count)
    status cn_result_histogram(result result, int which, f64[] lower, f64[] upper, u64[] counts,
                               size capacity, out size count)
    status cn_result_quantile(result result, int which, f64 share, out f64 value)
    status cn_result_batches(result result, int metric, f64[] values, size capacity, out size count,
                             out u64 cycles)
    text   cn_node_count_name(int count)
    status cn_node_count_from_name(text name, out int count)
    text   cn_distribution_name(int distribution)
    status cn_distribution_from_name(text name, out int distribution)
    text   cn_result_system(result result)
    text   cn_result_library(result result)
    status cn_result_scenario(result result, out scenario scenario)
    status cn_result_json(result result, char[] text, size capacity, out size length)
    status cn_result_from_json(text text, control control, out result result)

    status cn_operations_new(topology topology, out operations operations)
    status cn_operations_copy(operations operations, out operations copy)
    void   cn_operations_free(ref operations)
    status cn_operations_add(operations operations, u64 source, u64[] destinations, size count,
                             u64 start)
    status cn_operations_add_broadcast(operations operations, u64 source, u64 start)
    status cn_operations_set_tree(operations operations, tree tree)
    size   cn_operations_count(operations operations)
    status cn_operations_get(operations operations, size index, u64[] destinations, size capacity,
                             out size count, out u64 source, out u64 start)

    status cn_simulated_saturation_load(scenario scenario, f64 accuracy, control control,
                                        out f64 lower, out f64 upper)
    status cn_sim_open(scenario scenario, control control, out sim sim)
    void   cn_sim_close(ref sim)
    status cn_sim_step(sim sim, u64 cycles, control control)
    u64    cn_sim_cycle(sim sim)
    u64    cn_sim_next_event(sim sim)
    status cn_sim_step_until(sim sim, u64 limit, control control)
    u64    cn_sim_in_flight(sim sim)
    status cn_sim_can_accept(sim sim, u64 source)
    status cn_sim_queued(sim sim, u64 node, out u64 messages)
    status cn_sim_report_trace(sim sim)
    status cn_sim_save(sim sim, u8[] data, size capacity, out size size)
    status cn_sim_restore(scenario scenario, u8[] data, size size, control control, out sim sim)
    status cn_sim_copy(sim sim, control control, out sim copy)
    status cn_sim_inject(sim sim, u64 source, u64 destination, u64 tag)
    status cn_sim_inject_flits(sim sim, u64 source, u64 destination, u64 flits, u64 tag)
    status cn_sim_inject_broadcast(sim sim, u64 source, u64 tag)
    status cn_sim_channel_loads(sim sim, u64[] loads, size capacity, out size count)
    status cn_sim_deadlock(sim sim, u64[] channels, size capacity, out size count)
    status cn_sim_next_delivery(sim sim, delivery[] delivery, size size)
    status cn_sim_reset_statistics(sim sim)
    status cn_sim_result(sim sim, out result result)

    status cn_assignment_phase_one(u32 channels, u64 messages, f64[] probabilities, size capacity,
                                   out size count)
    status cn_assignment_both_phases(u32 channels, u64 buffers, u64 messages,
                                     f64[] probabilities, size capacity, out size count)
    status cn_deflection_hops(u32 n, f64 q, f64[] hop_counts, size capacity, out size count)
    status cn_flow_deviation(topology topology, faults faults, f64[] traffic, size count, f64 load,
                             f64 gap, control control, out f64 delay, out f64 lower,
                             f64[] channel_flows, size capacity)
    status cn_flow_saturation(topology topology, faults faults, f64[] traffic, size count,
                              f64 accuracy, control control, out f64 lower, out f64 upper)
    status cn_shared_buffer_queue(u32 n, f64 load, f64[] probabilities, size count)
    status cn_deflection_mean_hops(topology topology, int state_space, f64 q, control control,
                                   out f64 mean_hops, out u64 states)
    status cn_optimal_load(scenario scenario, control control, out f64 load, out f64 power)
    status cn_saturation_load(scenario scenario, control control, out f64 load)
    status cn_buffer_range(scenario scenario, f64 share, control control, out u64 least,
                           out u64 greatest, out f64 power)
    status cn_kary_shapes(u64 nodes, u64[] radix, u32[] dimensions, size capacity, out size count)
    status cn_bisection_cycle_time(u64 radix, f64 processing_ratio, out f64 cycle_time)
    status cn_predict_shape(u64 radix, u32 dimensions, f64 processing_ratio, f64 load,
                            int model_variant, control control, out f64 throughput, out f64 delay)
"""


def _candidates():
    """Paths of the shared library, best first: existing files, then names for the loader of the
    system."""
    names = ["libcubenet.so.0", "libcubenet.so"]
    if sys.platform == "darwin":
        names = ["libcubenet.0.dylib", "libcubenet.dylib"]
    above = list(Path(__file__).resolve().parents)[:3]
    folders = []
    if (above[-1] / "meson.build").exists():
        folders += sorted(above[-1].glob("build*/lib"))
    for folder in above:
        folders += [folder, folder / (sysconfig.get_config_var("MULTIARCH") or "")]
    files = [folder / name for folder in folders for name in names]
    return [str(file) for file in files if file.exists()] + names


def _load():
    given = os.environ.get("CUBENET_LIBRARY")
    tried = []
    for name in [given] if given else _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            tried.append(f"\n  {name}: {error}")
    raise ImportError("cubenet found no shared library that loads. Tried (the environment variable "
                      "CUBENET_LIBRARY can name the file):" + "".join(tried))


class Delivery(NamedTuple):
    """An injected message that was delivered. Its cycles are counted as in Simulation.cycle. The
    destination of a broadcast is None."""

    tag: int
    source: int
    destination: int
    injected: int
    delivered: int
    hops: int
    flits: int
    deflections: int

    @property
    def delay(self):
        """Cycles from admission to arrival."""
        return self.delivered - self.injected


class _Delivery(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in Delivery._fields]


_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64,
                             ctypes.c_double, ctypes.c_double)
_VC_RULE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64,
                            ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32,
                            ctypes.POINTER(ctypes.c_uint64))
_NEIGHBOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32,
                             ctypes.POINTER(ctypes.c_uint64))
_RATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64,
                         ctypes.POINTER(ctypes.c_double))
_CALLBACKS = {"progress": _PROGRESS, "vc_rule": _VC_RULE, "neighbor_fn": _NEIGHBOR,
              "rate_fn": _RATE}
_TYPES = {**_CALLBACKS, "int": ctypes.c_int, "u8": ctypes.c_uint8, "u32": ctypes.c_uint32,
          "u64": ctypes.c_uint64, "size": ctypes.c_size_t, "f64": ctypes.c_double,
          "text": ctypes.c_char_p, "char": ctypes.c_char, "delivery": _Delivery,
          "status": ctypes.c_int, "void": None}
_LISTED = 40  # bytes of a number in a list, about
_GREATEST = {kind: 2 ** (8 * ctypes.sizeof(_TYPES[kind]) - (kind == "int")) - 1
             for kind in ("int", "u8", "u32", "u64", "size")}


def _whole(kind, name, value):
    """The value as an integer, if it fits the C type; ctypes alone would truncate it silently."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None
    if 0 <= number <= _GREATEST[kind]:
        return number
    shown = f"{number}" if number.bit_length() <= 128 else f"a number of {number.bit_length()} bits"
    limit = "cannot be negative" if number < 0 else f"cannot be above {_GREATEST[kind]}"
    raise ArgumentError(f"{name} = {shown}, but it {limit}")


def _real(name, value):
    try:
        return ctypes.c_double(value).value
    except TypeError:
        raise TypeError(f"{name} must be a number, not {type(value).__name__}") from None
    except OverflowError:
        raise ArgumentError(f"{name} does not fit a double") from None


def _number(argument, from_name, value):
    """The number of an enum value that is given by its name or as the number itself."""
    if not isinstance(value, str):
        return value
    try:
        return from_name(value)
    except NotFoundError as error:
        raise ArgumentError(f"{argument} = {value!r}: {error}") from None


def _bytes(name, value):
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    if "\0" in value:
        raise ArgumentError(f"{name} = {value!r}, but it cannot hold a NUL")
    return value.encode(errors="replace")


_ANY = object()  # in the place of a handle that may be left out: NULL


def _pointer(kind, name, value):
    if value is _ANY:
        return None
    if value is None and kind in ("faults", "subnet", "traffic", "operations"):
        return None  # no faults, no subnet; the traffic of a new scenario; random operations
    if not isinstance(value, _Object) or value._kind != kind:
        raise TypeError(f"{name} must be a cubenet {kind}, not {type(value).__name__}")
    if value._address is None:
        raise StateError(f"the {type(value).__name__} is closed")
    return value._address


@contextlib.contextmanager
def _room(purpose, count, size):
    """Allocates a block for count elements of size bytes."""
    try:
        yield
    except (MemoryError, OverflowError) as error:
        if isinstance(error, Error):
            raise
        raise OutOfMemoryError(f"{purpose}: out of memory for {count} elements of {size} bytes, "
                               f"{count * size / 2**30:.3g} GiB") from None


def _array(kind, count, purpose):
    """A C array of zeros, for the library to fill."""
    element = _TYPES[kind]
    with _room(purpose, count, ctypes.sizeof(element)):
        return (element * count)()


def _listed(values, purpose):
    """The array that the library filled, or a part of it, as a list."""
    with _room(f"{purpose}: a list", len(values), _LISTED):
        return list(values)


def _packed(kind, name, values, stride=1):
    """A C array of whole numbers; each name[i] consists of stride of them."""
    values = list(values)
    try:
        numbers = array({"u8": "B", "u32": "I", "u64": "Q"}[kind], map(operator.index, values))
    except (TypeError, OverflowError):
        for i, value in enumerate(values):
            _whole(kind, f"{name}[{i // stride}]", value)  # says which one
        raise
    return (_TYPES[kind] * len(numbers)).from_buffer(numbers)


def _reals(name, values):
    """A C array of numbers."""
    numbers = [_real(f"{name}[{i}]", value) for i, value in enumerate(values)]
    return (ctypes.c_double * len(numbers))(*numbers)


def _fields(name, value, *shape):
    """The fields of a tuple of this shape."""
    fields = tuple(value) if isinstance(value, collections.abc.Iterable) else ()
    if len(fields) != len(shape):
        raise ArgumentError(f"{name} = {value!r}, but it must be ({', '.join(shape)})")
    return fields


class _Function:
    """One function of the library. It checks and converts arguments, raises exceptions, and returns
    the outputs."""

    room = 64  # elements that fill() begins with

    def __init__(self, result, name, parameters):
        self.name = name
        self.result = result
        self.inputs, self.outputs = [], []
        self.is_output = []  # of each parameter, in the order of the prototype
        for words in (text.split() for text in parameters.split(",") if text.strip()):
            self.is_output.append(words[0] == "out")
            if words[0] == "out":
                self.outputs.append((words[1], words[2]))
            else:
                self.inputs.append((words[0], words[1]))
        self._symbol = None
        kinds = [kind for kind, _ in self.inputs]
        self._control_at = None  # where a call takes its cn_control
        if "control" in kinds and not name.startswith("cn_control"):
            self._control_at = kinds.index("control")

    def _bind(self):
        try:
            symbol = getattr(_library, self.name)
        except AttributeError:
            raise UnsupportedError(f"the library {_library._name} has no {self.name}") from None
        symbol.restype = _TYPES[self.result]
        symbol.argtypes = self._in_order(
            [self._input_type(kind) for kind, _ in self.inputs],
            [ctypes.POINTER(self._output_type(kind)) for kind, _ in self.outputs])
        self._symbol = symbol
        return symbol

    def _in_order(self, inputs, outputs):
        inputs, outputs = iter(inputs), iter(outputs)
        return [next(outputs) if is_output else next(inputs) for is_output in self.is_output]

    @staticmethod
    def _input_type(kind):
        if kind == "ref":
            return ctypes.POINTER(ctypes.c_void_p)
        if kind.endswith("[]"):
            return ctypes.POINTER(_TYPES.get(kind[:-2], ctypes.c_void_p))
        return _TYPES.get(kind) or ctypes.c_void_p

    @staticmethod
    def _output_type(kind):
        return _TYPES.get(kind, ctypes.c_void_p)

    @staticmethod
    def _convert(kind, name, value):
        if kind in _GREATEST:
            return _whole(kind, name, value)
        if kind == "f64":
            return _real(name, value)
        if kind == "text":
            return _bytes(name, value)
        if kind in ("ref", "void", *_CALLBACKS) or kind.endswith("[]"):
            return value
        return _pointer(kind, name, value)

    def _call(self, arguments, control=None):
        """What it returns, its outputs, and the exception when it failed. Whatever takes a
        cn_control gets one: that of a _Control, else one that only listens to signals; with _ANY
        none."""
        if self._control_at is None:
            return self._invoke(arguments)
        if control is _ANY or isinstance(control, _Limits):  # none, or that of a block
            return self._invoke(self._with_control(arguments, control))
        answer = None
        try:
            with control or _Control() as limits:
                answer = self._invoke(self._with_control(arguments, limits))
            return answer
        except BaseException:  # from a signal handler: a cancelled call may have given an object
            if answer is not None:
                self._free_outputs(answer[1])
            raise

    def _free_outputs(self, outputs):
        for (kind, _), output in zip(self.outputs, outputs):
            if kind in _Object._of_kind and output.value:
                _Object._of_kind[kind]._own(output.value)

    def _with_control(self, arguments, limits):
        return (*arguments[:self._control_at], limits, *arguments[self._control_at:])

    def _invoke(self, arguments):
        symbol = self._symbol or self._bind()
        if len(arguments) != len(self.inputs):
            raise TypeError(f"{self.name} takes {len(self.inputs)} arguments")
        values = [self._convert(kind, name, value)
                  for (kind, name), value in zip(self.inputs, arguments)]
        outputs = [self._output_type(kind)() for kind, _ in self.outputs]
        returned = symbol(*self._in_order(values, map(ctypes.byref, outputs)))
        failed = self.result == "status" and returned < 0
        return returned, outputs, _failure(returned) if failed else None

    def __call__(self, *arguments, control=None):
        """The outputs of a function that has outputs (None: nothing more to give), otherwise its
        return value. A call that the caller's progress function has ended gives what it has."""
        returned, outputs, error = self._call(arguments, control)
        has_some = isinstance(error, CancelledError) and any(output.value for output in outputs)
        if error is not None and not has_some:
            raise error
        if self.result == "text" and returned is not None:
            return returned.decode(errors="replace")
        if not outputs:
            return returned
        if self.result == "status" and returned == _DONE:
            return None
        values = [output.value for output in outputs]
        return values[0] if len(values) == 1 else values

    def fill(self, *arguments, control=None):
        """For functions whose arguments end in (array, capacity, out count): the filled array,
        followed by the outputs after the count, if any."""
        kind = self.inputs[-2][0][:-2]
        room = self.room
        while True:
            values = _array(kind, room, self.name)
            returned, (count, *more), error = self._call((*arguments, values, room), control)
            if returned == CapacityError.status and count.value >= room:
                room = count.value + 1  # the length of a text does not count its NUL
                continue
            if error is not None:
                raise error
            with _room(f"{self.name}: a list", count.value, _LISTED):
                filled = values[:count.value]  # bytes where it is a text
            return (filled, *(output.value for output in more)) if more else filled


_library = _load()
_c = types.SimpleNamespace(**{row[1]: _Function(*row) for row in re.findall(
    r"(\w+)\s+(cn_\w+)\(([^)]*)\)", _PROTOTYPES)})


def _free(function, address, process):
    # A forked child does not have the threads of a simulation, so it could wait for them for ever.
    if os.getpid() == process:
        function(ctypes.pointer(ctypes.c_void_p(address)))


class _Object:
    """A handle of the library. It is freed with the Python object, but not when Python exits."""

    _kind = None  # as in the prototypes
    _end = None  # the function that frees the handle
    _address = None
    _of_kind = {}  # the class of each kind

    def __init_subclass__(cls):
        super().__init_subclass__()
        if cls._kind is not None:
            _Object._of_kind.setdefault(cls._kind, cls)

    def __init__(self, *arguments, **keywords):
        raise TypeError(f"a {type(self).__name__} is given by other functions, not made directly")

    @classmethod
    def _own(cls, address):
        made = cls.__new__(cls)
        made._hold(address)
        return made

    def _hold(self, address):
        self._address = address
        self._finalizer = weakref.finalize(self, _free, self._end, address, os.getpid())
        self._finalizer.atexit = False  # a thread may still be inside the library

    def __reduce__(self):
        raise TypeError(f"a {type(self).__name__} can be neither copied nor pickled")


class _Json:
    """An object that is text as well: pickled as that, and equal to one whose members are the same."""

    @classmethod
    def from_json(cls, text, seconds=None, progress=None):
        """The object that to_json() wrote."""
        read = getattr(_c, f"cn_{cls._kind}_from_json")
        made = cls._own(read(text, control=_Control(0, seconds, progress)))
        made._remember(json.loads(text))
        return made

    def to_json(self):
        """The object as JSON (docs/text.md); the same object always gives the same text."""
        return getattr(_c, f"cn_{self._kind}_json").fill(self).decode()

    @classmethod
    def _member(cls, whole, data):
        """An object from what stands for it in another one, on the same topology; None for None."""
        if data is None:
            return None
        head = {"cubenet": cls._kind, "format": whole["format"], "topology": whole["topology"]}
        return cls.from_json(json.dumps({**head, **data}))

    def _remember(self, data):
        """Sets what Python knows of an object beside its handle."""
        self._topology = Topology._member(data, {})

    def __reduce__(self):
        return type(self).from_json, (self.to_json(),)

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self is other or (self.topology == other.topology
                                 and self._members() == other._members())

    def __hash__(self):  # the topology of an object never changes
        return hash((type(self), self.topology))

    def _members(self):
        members = json.loads(self.to_json())
        del members["topology"]  # equal ones may have several names
        return members


# ---- functions of the caller ----

try:  # without the enumeration that `signal` wraps each answer in, which takes twenty times as long
    from _signal import getsignal as _handler_of, signal as _set_handler
except ImportError:
    from signal import getsignal as _handler_of, signal as _set_handler


_LEAST_ADDRESS = 4096  # no function lies below: a smaller number is a mistake


class _Callbacks:
    """Functions of the caller that the library calls within a `with` block. An exception in one of
    them ends the call, and is raised again at the end of the block.

    The same holds for an exception from a signal handler, such as KeyboardInterrupt. Python runs
    the handler between two instructions, usually right at the start of a callback, and from there
    the exception cannot pass through the library. Therefore the signal is only noted; its handler
    runs inside that callback, in the next one, or at the end of the block. A handler that raises
    nothing does not affect the call."""

    def __init__(self):
        self._functions = []  # they have to live as long as the library may call them
        self._raised = None
        self._listening = False  # a function of the caller runs: an exception ends it
        self._handlers = {}
        self._noted = []
        self._restoring = contextlib.ExitStack()

    def __enter__(self):
        self._handlers = {}
        if threading.current_thread() is threading.main_thread():  # no other one gets signals
            with contextlib.ExitStack() as restoring:
                for number in range(1, signal.NSIG):
                    handler = _handler_of(number)
                    if callable(handler):
                        self._handlers[number] = handler
                        restoring.callback(self._restore, number)
                        _set_handler(number, self._note)
                self._restoring = restoring.pop_all()
        return self

    def __exit__(self, *exception):
        try:
            self._restoring.close()
            self._handle_noted()
        except BaseException as raised:
            self._raised = raised
        self._functions = []  # they refer to this object
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised from None

    def _restore(self, number):
        if _handler_of(number) == self._note:  # else a function of the caller has set another
            _set_handler(number, self._handlers[number])

    def _note(self, number, frame):
        if self._listening:
            self._handlers[number](number, frame)
        else:
            self._noted.append((number, frame))

    def _handle_noted(self):
        while self._noted:
            number, frame = self._noted.pop(0)
            self._handlers[number](number, frame)

    def _given(self, prototype, name, given, make):
        """The C function for what the caller gave. A C function (a ctypes function or an address)
        is called as it is, with NULL for the user argument; for a Python function make() makes
        one."""
        if isinstance(given, prototype.__base__):  # of ctypes
            return ctypes.cast(given, prototype)
        if isinstance(given, int) and given >= _LEAST_ADDRESS:
            return prototype(_whole("size", name, given))
        if not callable(given):
            raise TypeError(f"{name} must be callable, or the address of a function of C, not "
                            f"{type(given).__name__}")
        return self._function(prototype, make(given), StateError.status)

    def _function(self, prototype, function, failed):
        """The C function, without its first argument. After the first exception it returns
        `failed`."""
        def call(user, *arguments):
            if self._raised is None:
                try:
                    self._listening = True
                    self._handle_noted()
                    return function(*arguments)
                except BaseException as raised:
                    self._raised = raised
                finally:
                    self._listening = False
            return failed
        self._functions.append(prototype(call))
        return self._functions[-1]


# ---- progress, limits and signals of calls that may take long ----

class _Limits(_Object):
    """The handle of a _Control, which frees it itself: there is one in every call."""

    _kind = "control"

    def _hold(self, address):
        self._address = address

    def free(self):
        _c.cn_control_free(ctypes.pointer(ctypes.c_void_p(self._address)))
        self._address = None


class _Bar:
    """What progress=True shows: in a notebook the bar of tqdm, where that is installed; on a
    terminal a line of text; elsewhere nothing."""

    def __init__(self):
        self._begun = time.monotonic()
        self._drawn = 0.0
        self._width = 0
        self._tqdm = None
        if "ipykernel" in sys.modules:
            with contextlib.suppress(ImportError):
                from tqdm.auto import tqdm
                self._tqdm = tqdm()

    def __call__(self, done, total, lower, upper):
        if self._tqdm is not None:
            self._tqdm.total = total or None
            self._tqdm.update(done - self._tqdm.n)
        elif sys.stderr is not None and sys.stderr.isatty():
            now = time.monotonic()
            if now - self._drawn >= 0.1:
                self._drawn = now
                self._write(self._line(done, total, lower, upper, now - self._begun))

    @staticmethod
    def _line(done, total, lower, upper, seconds):
        found = "" if upper == math.inf else f"  {lower:.6g} .. {upper:.6g}"
        if total == 0:
            return f"{done:,} done, {seconds:.0f} s{found}"
        share = min(done / total, 1.0)
        left = f"{seconds * (1 - share) / share:.0f} s left" if share > 0 else ""
        return f"[{'#' * int(30 * share):30}] {100 * share:3.0f} %  {left}{found}"

    def _write(self, line):
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def close(self):
        if self._tqdm is not None:
            self._tqdm.close()
        elif self._width:
            self._write("")
            sys.stderr.write("\r")


class _Given(threading.local):
    """The seconds and progress of limits(), in this thread."""

    limits = (None, None)


_given = _Given()


@contextlib.contextmanager
def limits(seconds=None, progress=None):
    """Within a `with` block, seconds and progress are those of each call of this thread that is
    given none, properties included: `with limits(2): hops = topology.diameter`."""
    outer, _given.limits = _given.limits, (seconds, progress)
    try:
        yield
    finally:
        _given.limits = outer


class _Control(_Callbacks):
    """Within a `with` block: the cn_control of one call. It keeps the limits, calls progress(done,
    total, lower, upper), which ends the call by returning False, and listens to signals. True
    stands for a bar."""

    _interval = 0.02  # seconds between two callbacks, for each of which a thread takes the GIL

    def __init__(self, steps=0, seconds=None, progress=None):
        if seconds is None:
            seconds = _given.limits[0]
        if progress is None:
            progress = _given.limits[1]
        if progress is True:
            progress = _Bar()
        elif progress is False:
            progress = None
        if progress is not None and not callable(progress):
            raise TypeError(f"progress must be callable, True or None, not "
                            f"{type(progress).__name__}")
        super().__init__()
        self._progress = progress
        self._steps = steps
        self._seconds = seconds

    def _ask(self, done, total, lower, upper):
        if self._progress is None:
            return 0
        with limits():  # the calls of the function are its own
            return int(self._progress(done, total, lower, upper) is False)

    def __enter__(self):
        super().__enter__()
        self._limits = None
        try:
            if self._progress is not None or self._handlers or self._seconds or self._steps:
                self._limits = self._make()
        except BaseException:
            self.__exit__()
            raise
        return self._limits or _ANY

    def _make(self):
        limits = self._limits = _Limits._own(_c.cn_control_new())
        _c.cn_control_set_steps(limits, self._steps)
        if self._seconds is not None:
            _c.cn_control_set_seconds(limits, self._seconds)
        _c.cn_control_set_interval(limits, self._interval)
        _c.cn_control_set_progress(limits, self._function(_PROGRESS, self._ask, 1), None)
        return limits

    def __exit__(self, *exception):
        if isinstance(self._progress, _Bar):
            self._progress.close()
        if self._limits is not None:
            self._limits.free()
        super().__exit__(*exception)


class Measure(NamedTuple):
    """The value or the bounds of a measure; kind is "closed form", "exact" or "bounds". lower and
    upper differ only for "bounds"."""

    lower: float
    upper: float
    kind: str

    @property
    def value(self):
        """The value; None when only bounds are known and they differ."""
        return self.lower if self.lower == self.upper else None


class BisectionRule(collections.abc.Sequence):
    """The sides of all nodes in the best cut of a network that has a closed form of it. It reads like a
    list of 0 and 1, equals the list, and needs no memory."""

    def __init__(self, topology):
        self._topology = topology

    def __len__(self):
        return self._topology.node_count

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[v] for v in range(*index.indices(len(self)))]
        node = index + len(self) if index < 0 else index
        if not 0 <= node < len(self):
            raise IndexError(f"node {index} of {len(self)}")
        return _c.cn_bisection_side(self._topology, node)

    def __eq__(self, other):
        if isinstance(other, BisectionRule):
            return self._topology == other._topology
        if not isinstance(other, (list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    __hash__ = None

    def __reduce__(self):
        return BisectionRule, (self._topology,)

    def __repr__(self):
        return f"<the sides of the {len(self)} nodes of {self._topology.name}>"


class Bisection(NamedTuple):
    """A cut into two halves: side[v] is the side of node v, 0 or 1, in a list or, where the kind is
    "closed form", in a BisectionRule; upper is the width of the cut in links."""

    side: collections.abc.Sequence
    lower: int
    upper: int
    kind: str


class Transfer(NamedTuple):
    """One message of a broadcast; steps count from 1."""

    step: int
    sender: int
    receiver: int


class Flow(NamedTuple):
    """The least mean delay, a lower bound that holds for every routing, and the messages per unit
    of time on the channel of each port of each node."""

    delay: float
    lower: float
    channels: list


class Schedule(NamedTuple):
    """A broadcast: its Transfers in the order of their steps; upper is the last step."""

    transfers: list
    lower: int
    upper: int
    kind: str


def measures():
    """The names of all measures, as a list."""
    names, name = [], _c.cn_measure_name(1)
    while name is not None:
        names.append(name)
        name = _c.cn_measure_name(len(names) + 1)
    return names


# ---- topologies ----

_NO_PORT = 2**32 - 1
_NO_GROUP = 2**32 - 1
_UNREACHABLE = 2**64 - 1
_ALL_NODES = _NEVER = 2**64 - 1
_NO_NODE = 2**64 - 1


def _radices(family, radices, k, n, *more):
    """The radices and their number, from a list or from k and n. Two plain numbers are refused:
    torus(8, 8) could mean either form."""
    if isinstance(radices, collections.abc.Iterable) and not more and k is None and n is None:
        packed = _packed("u64", "radices", radices)
        return packed, len(packed)
    if radices is None and not more and k is not None and n is not None:
        # the library refuses more than 62, and fewer than one, before it reads them
        equal = [_whole("u64", "k", k)] * min(_whole("u32", "n", n), 62)
        return _packed("u64", "radices", equal), n
    raise TypeError(f"{family} takes the radices of all dimensions as a list, as in {family}([8, 8]), "
                    f"or one radix k and the number n of dimensions by name, {family}(k=8, n=2)")


def _channels(word):
    return [port for port in range(64) if word >> port & 1]


def _channel_word(name, ports):
    word = 0
    for port in ports:
        if not 0 <= port < 64:
            raise ArgumentError(f"{name} has the port {port!r}, but ports are 0 to 63")
        word |= 1 << port
    return word


def _networkx(function):
    try:
        import networkx
    except ImportError:
        raise ImportError(f"Topology.{function}() needs the package networkx, which is not "
                          "installed") from None
    return networkx


class Topology(_Json, _Object):
    """An immutable network. The nodes are 0 .. node_count-1, the ports of a node 0 .. degree-1.

    Two topologies are equal when they are the same network node by node and port by port because
    they were made in the same way: by the same family and sizes or, for a stored graph, with the
    same neighbours at the same ports."""

    _kind = "topology"
    _end = _c.cn_topology_free

    @classmethod
    def hypercube(cls, n):
        """The Boolean n-cube; port i flips bit i."""
        return cls._own(_c.cn_topology_hypercube(n))

    @classmethod
    def kary_ncube(cls, k, n, bidirectional=False):
        """A ring of k nodes in each of n dimensions, unidirectional unless bidirectional is true.
        torus(k=8, n=2) is bidirectional."""
        return cls._own(_c.cn_topology_kary_ncube(k, n, bool(bidirectional)))

    @classmethod
    def generalized_hypercube(cls, k, n=None):
        """The generalized hypercube with n digits of radix k, or with one digit for each radix in a
        list, dimension 0 first. Neighbours differ in exactly one digit."""
        if n is None:
            return cls._own(_c.cn_topology_generalized_hypercube_mixed(
                *_radices("generalized_hypercube", k, None, None)))
        return cls._own(_c.cn_topology_generalized_hypercube(k, n))

    generalized_hypercube_mixed = generalized_hypercube  # its name for a list, before it took both

    @classmethod
    def ring(cls, nodes, bidirectional=True):
        """The ring; port 0 leads one down, port 1 one up."""
        return cls._own(_c.cn_topology_ring(nodes, bool(bidirectional)))

    @classmethod
    def torus(cls, radices=None, *more, k=None, n=None):
        """A bidirectional ring for each radix in a list, dimension 0 first; or, with the keywords k
        and n, a ring of k nodes in each of n dimensions."""
        return cls._own(_c.cn_topology_torus(*_radices("torus", radices, k, n, *more)))

    @classmethod
    def mesh(cls, radices=None, *more, k=None, n=None):
        """A line for each radix in a list, dimension 0 first; or, with the keywords k and n, a line
        of k nodes in each of n dimensions."""
        return cls._own(_c.cn_topology_mesh(*_radices("mesh", radices, k, n, *more)))

    torus_mixed, mesh_mixed = torus, mesh  # their names for a list, before they took both

    @classmethod
    def complete(cls, nodes):
        """The completely connected network."""
        return cls._own(_c.cn_topology_complete(nodes))

    @classmethod
    def star(cls, nodes):
        """Node 0 is joined to all other nodes; nodes is the number of all nodes, node 0
        included."""
        return cls._own(_c.cn_topology_star(nodes))

    @classmethod
    def tree(cls, branching, levels):
        """The balanced tree as a network: node 0 is the root, and levels is the number of levels
        below it."""
        return cls._own(_c.cn_topology_tree(branching, levels))

    @classmethod
    def chordal_ring(cls, nodes, chord=None, dual=False):
        """A ring with one chord of this length at every node, or with two if dual is true. The
        default length is about sqrt(nodes), as in the paper, and requires nodes to be a square."""
        return cls._own(_c.cn_topology_chordal_ring(nodes, 0 if chord is None else chord,
                                                    bool(dual)))

    @staticmethod
    def best_chord(nodes, dual=False, seconds=None, progress=None):
        """(chord, diameter): the shortest chord that gives the least diameter, and that
        diameter."""
        chord, diameter = _c.cn_chordal_ring_best_chord(
            nodes, bool(dual), control=_Control(0, seconds, progress))
        return chord, diameter

    @classmethod
    def psnn(cls, n):
        """Perfect shuffle with nearest neighbours, 2^n nodes."""
        return cls._own(_c.cn_topology_psnn(n))

    @classmethod
    def shuffle_exchange(cls, n):
        """Perfect shuffle exchange, 2^n nodes."""
        return cls._own(_c.cn_topology_shuffle_exchange(n))

    @classmethod
    def de_bruijn(cls, n):
        """The binary de Bruijn network, 2^n nodes, links in both directions."""
        return cls._own(_c.cn_topology_de_bruijn(n))

    @classmethod
    def from_edge_list(cls, text, node_limit=0, seconds=None, progress=None):
        """Reads a line "u v" for each link; # and % begin comments.

        The text may have at most node_limit nodes. 0 stands for the greater of 2^20 and 16 per byte
        of text."""
        return cls._read("edges", text, node_limit, seconds, progress)

    @classmethod
    def from_metis(cls, text, node_limit=0, seconds=None, progress=None):
        """Reads a METIS .graph file; node_limit is as in from_edge_list()."""
        return cls._read("metis", text, node_limit, seconds, progress)

    @classmethod
    def _read(cls, form, text, node_limit, seconds, progress):
        length = len(_bytes("text", text))
        form = _c.cn_format_from_name(form)
        return cls._own(_c.cn_topology_read(form, text, length, node_limit,
                                            control=_Control(0, seconds, progress)))

    @classmethod
    def from_edges(cls, node_count, edges, seconds=None, progress=None):
        """Any undirected graph, from pairs of nodes."""
        ends = []
        for i, edge in enumerate(edges):
            ends += _fields(f"edges[{i}]", edge, "node", "node")
        packed = _packed("u64", "edges", ends, 2)
        return cls._own(_c.cn_topology_from_edges(node_count, packed, len(ends) // 2,
                                                  control=_Control(0, seconds, progress)))

    @classmethod
    def from_function(cls, nodes, max_degree, neighbor, seconds=None, progress=None):
        """Any network, unidirectional or bidirectional: neighbor(node, port) returns the node to
        which a port 0 .. max_degree-1 leads, or None where the node has no such port. It is
        called twice for each port, and not after the network has been made.

        neighbor may also be a C function of type cn_neighbor_fn, as a ctypes function or an
        address."""
        callbacks = _Control(0, seconds, progress)
        with callbacks as limits:
            def make(neighbor):
                def ask(node, port, answer):
                    given = neighbor(node, port)
                    answer[0] = _NO_NODE if given is None else _whole("u64", "neighbor", given)
                    return 0
                return ask
            function = callbacks._given(_NEIGHBOR, "neighbor", neighbor, make)
            return cls._own(_c.cn_topology_from_function(nodes, max_degree, function, None,
                                                         control=limits))

    @classmethod
    def from_networkx(cls, graph):
        """A Graph or DiGraph of networkx. Node v is the v-th node of list(graph); the ports are in
        the order of graph.edges. A DiGraph in which every channel has an opposite channel gives
        a bidirectional network."""
        networkx = _networkx("from_networkx")
        if not isinstance(graph, networkx.Graph):  # all four classes are
            raise TypeError(f"graph must be a networkx Graph, not {type(graph).__name__}")
        numbers = {node: number for number, node in enumerate(graph)}
        if not graph.is_directed():
            return cls.from_edges(len(numbers), ((numbers[a], numbers[b]) for a, b, *_ in graph.edges))
        rows = [[] for _ in numbers]
        for a, b, *_ in graph.edges:
            rows[numbers[a]].append(numbers[b])
        return cls.from_function(
            len(rows), max([1, *map(len, rows)]),
            lambda node, port: rows[node][port] if port < len(rows[node]) else None)

    def to_networkx(self):
        """A Graph of networkx, or a DiGraph for a unidirectional network. Its nodes are 0, 1, ...
        in this order; the successors of a node of a DiGraph are in the order of its ports."""
        networkx = _networkx("to_networkx")
        graph = networkx.Graph() if self.is_bidirectional else networkx.DiGraph()
        graph.graph["name"] = self.name
        graph.add_nodes_from(range(self.node_count))
        for node in range(self.node_count):
            graph.add_edges_from((node, other) for other in self.neighbors(node))
        return graph

    @property
    def name(self):
        """The family with its parameters, as in "hypercube(6)" or "torus([8,8])". With "Topology."
        in front it is the expression that makes the same network. The name of an edge list, as
        in "edges(9,12)", is no such expression."""
        return _c.cn_topology_name(self)

    @property
    def node_count(self):
        return _c.cn_topology_node_count(self)

    @property
    def max_degree(self):
        """The greatest number of ports of a node."""
        return _c.cn_topology_max_degree(self)

    @property
    def is_bidirectional(self):
        """Whether every link carries messages in both directions."""
        return bool(_c.cn_topology_is_bidirectional(self))

    @property
    def link_count(self):
        """The number of pairs of neighbours, or of channels in a unidirectional network."""
        return _c.cn_topology_link_count(self)

    def degree(self, node):
        """The number of ports of a node."""
        return _c.cn_topology_degree(self, node)

    def neighbor(self, node, port):
        return _c.cn_topology_neighbor(self, node, port)

    def neighbors(self, node):
        """All neighbours of a node, in the order of its ports."""
        return _c.cn_topology_neighbors.fill(self, node)

    def back_port(self, node, port):
        """The port of the neighbour that leads back to node; None when no port does."""
        back = _c.cn_topology_back_port(self, node, port)
        return None if back == _NO_PORT else back

    def port_to(self, node, neighbor):
        """The port of node that leads to neighbor; None when no port does."""
        port = _c.cn_topology_port_to(self, node, neighbor)
        return None if port == _NO_PORT else port

    def distance(self, source, destination, seconds=None, progress=None):
        """The number of hops of a shortest path; None when there is no path."""
        short = seconds is None and not progress and self.node_count <= _SHORT
        hops = _c.cn_topology_distance(
            self, source, destination,
            control=_ANY if short else _Control(0, seconds, progress))
        return None if hops == _UNREACHABLE else hops

    @property
    def diameter(self):
        """The greatest distance between two nodes."""
        return _c.cn_topology_diameter(self)

    @property
    def mean_distance(self):
        """The mean distance over all ordered pairs of distinct nodes."""
        return _c.cn_topology_mean_distance(self)

    def distance_counts(self, source=0, seconds=None, progress=None):
        """The numbers of nodes that are 0, 1, 2, ... hops away from source."""
        return _c.cn_topology_distance_counts.fill(
            self, source, control=_Control(0, seconds, progress))

    @property
    def dimensions(self):
        """Number of dimensions; 0 for a network without them."""
        return _c.cn_topology_dimensions(self)

    def radix(self, dimension):
        """Number of positions in a dimension."""
        return _c.cn_topology_radix(self, dimension)

    def digits(self, node):
        """The digits of a node, least significant (dimension 0) first."""
        digits = _array("u64", self.dimensions, "digits()")
        _c.cn_topology_digits(self, node, digits, len(digits))
        return list(digits)

    def node(self, digits):
        """The node with these digits."""
        packed = _packed("u64", "digits", digits)
        return _c.cn_topology_node_at(self, packed, len(packed))

    def address(self, node):
        """The address of a node as text, most significant digit first."""
        return _c.cn_topology_address_text.fill(self, node).decode()

    def parse_address(self, text):
        """The node with this address."""
        return _c.cn_topology_parse_address(self, text)

    def header(self, node, destination):
        """The header of a message at node: the remaining path to its destination, numbered like a
        node; 0 on arrival."""
        return _c.cn_topology_header(self, node, destination)

    def translate(self, node, by):
        """The node whose digits are the sums of the digits of two nodes; header() reverses it."""
        return _c.cn_topology_translate(self, node, by)

    # ---- measures: a search ends after so many steps (0: some seconds' worth) or seconds, or when
    # progress(done, total, lower, upper), which it calls about every 20 ms, returns False or raises; True
    # draws a bar. It then gives what it has ----

    def measure(self, name, alpha=0.5, steps=0, seconds=None, progress=None):
        """The Measure with one of the names in measures(); alpha is the weight of the broadcast
        time in the looseness."""
        number = _c.cn_measure_from_name(name)
        lower, upper, kind = _c.cn_topology_measure(self, number, alpha,
                                                    control=_Control(steps, seconds, progress))
        return Measure(lower, upper, _c.cn_known_name(kind))

    def cost(self, processor_cost, link_cost):
        """The cost of all processors and links."""
        return _c.cn_topology_cost(self, processor_cost, link_cost)

    def bisection(self, steps=0, seconds=None, progress=None):
        """The best known cut into two halves, as a Bisection. A closed form takes no array of nodes."""
        try:
            _c.cn_bisection_side(self, 0)
        except UnsupportedError:
            side = _array("u8", self.node_count, "bisection()")
        else:
            lower, upper, kind = _c.cn_topology_bisection(self, None, 0,
                                                          control=_Control(steps, seconds, progress))
            return Bisection(BisectionRule(self), lower, upper, _c.cn_known_name(kind))
        lower, upper, kind = _c.cn_topology_bisection(self, side, len(side),
                                                      control=_Control(steps, seconds, progress))
        return Bisection(_listed(side, "bisection()"), lower, upper, _c.cn_known_name(kind))

    def check_bisection(self, side):
        """The number of links between the sides 0 and 1. Raises ArgumentError when their sizes
        differ by more than one node. A BisectionRule of this topology is checked without a list."""
        if isinstance(side, BisectionRule) and side == BisectionRule(self):
            return _c.cn_bisection_check(self, None, 0)
        packed = _packed("u8", "side", side)
        return _c.cn_bisection_check(self, packed, len(packed))

    def broadcast_schedule(self, source=0, steps=0, seconds=None, progress=None):
        """The best known broadcast from a node, as a Schedule; in a step every node sends and
        receives at most one message."""
        count = self.node_count - 1
        sender, receiver = (_array("u64", count, "broadcast_schedule()") for _ in range(2))
        step = _array("u32", count, "broadcast_schedule()")
        lower, upper, kind = _c.cn_topology_broadcast_schedule(
            self, source, sender, receiver, step, count,
            control=_Control(steps, seconds, progress))
        with _room("broadcast_schedule(): a list", count, 5 * _LISTED):
            transfers = list(map(Transfer, step, sender, receiver))
        return Schedule(transfers, lower, upper, _c.cn_known_name(kind))

    def check_schedule(self, source, transfers):
        """The last step of a broadcast from source, given as (step, sender, receiver) in the order
        of their steps. Raises ArgumentError when they are not such a broadcast."""
        columns = ([], [], [])
        for i, transfer in enumerate(transfers):
            try:
                step, sender, receiver = transfer
            except (TypeError, ValueError):
                raise ArgumentError(f"transfers[{i}] is not (step, sender, receiver)") from None
            for column, number in zip(columns, (step, sender, receiver)):
                column.append(number)
        step, sender, receiver = map(_packed, ("u32", "u64", "u64"), Transfer._fields, columns)
        return _c.cn_schedule_check(self, source, sender, receiver, step, len(step))

    # ---- as text, for other programs ----

    def _text(self, form):
        return _c.cn_topology_write_text.fill(self, _c.cn_format_from_name(form)).decode()

    def to_edge_list(self):
        """A line "u v" for each link, in the format that networkx and igraph read."""
        return self._text("edges")

    def to_metis(self):
        """The text of a METIS .graph file."""
        return self._text("metis")

    def to_dot(self):
        """The network in the DOT language of Graphviz."""
        return self._text("dot")

    def to_graphml(self):
        """The network in GraphML."""
        return self._text("graphml")

    # ---- necklaces: of a symmetric generalized hypercube or a Boolean cube, as the trees ----

    def rotate(self, node):
        """The rotation of a node: drops the leftmost digit and appends the next one, which is 0
        after 0, otherwise 1, 2, ..., k-1, 1."""
        return _c.cn_necklace_rotate(self, node)

    def rotate_back(self, node):
        """The node whose rotation is node."""
        return _c.cn_necklace_rotate_back(self, node)

    def period(self, node):
        """The number of distinct nodes in the necklace of a node."""
        return _c.cn_necklace_period(self, node)

    def is_full(self, node):
        """Whether the necklace of a node has n (k-1) distinct nodes."""
        return bool(_c.cn_necklace_is_full(self, node))

    def generator(self, node):
        """The generator of the necklace of a node: the node that represents it."""
        return _c.cn_necklace_generator(self, node)

    def displacement(self, node):
        """The least number of rotations that turn a node into its generator."""
        return _c.cn_necklace_displacement(self, node)

    def necklace(self, node):
        """The unfolded necklace: n (k-1) nodes, first the generator; each node is the rotation of
        the next."""
        return _c.cn_necklace_unfolded.fill(self, node)

    def necklaces(self, distance):
        """Iterates over the generators of all necklaces at this distance from node 0."""
        generator = _c.cn_necklace_first(self, distance)
        while generator is not None:
            yield generator
            generator = _c.cn_necklace_next(self, generator)

    def necklace_count(self, distance):
        """The number of necklaces at this distance from node 0, in closed form."""
        return _c.cn_necklace_count(self, distance)

    # ---- spanning trees ----

    def balanced_tree(self, root=0):
        """The balanced spanning Tree: shortest paths, and root subtrees of about equal size."""
        return Tree._of(self, _c.cn_tree_balanced(self, root))

    def binomial_tree(self, root=0, base=0):
        """The spanning binomial Tree of a Boolean cube; the root sends first in dimension base."""
        return Tree._of(self, _c.cn_tree_binomial(self, root, base))

    def edge_disjoint_tree(self, root=0, index=0):
        """One of the n spanning Trees of a Boolean cube that share no channel."""
        return Tree._of(self, _c.cn_tree_edge_disjoint(self, root, index))

    def validate_tree(self, root, parents, seconds=None, progress=None):
        """(height, is_shortest) of a spanning tree of any topology, given by its parents (None for
        the root); is_shortest says whether all paths from the root are shortest paths. Raises
        ArgumentError when the parents are not those of a spanning tree."""
        packed = _packed_parents(parents)
        height, shortest = _c.cn_tree_validate(self, root, packed, len(packed),
                                               control=_Control(0, seconds, progress))
        return height, bool(shortest)

    def spanning_graph_parents(self, root, node):
        """The parents of a node in the balanced spanning graph, as a dict from the number of a root
        subtree to the parent in that subtree; empty for the root."""
        parents, subtrees = (_array("u64", self.dimensions, "spanning_graph_parents()")
                             for _ in range(2))
        count = _c.cn_spanning_graph_parents(self, root, node, parents, subtrees, len(parents))
        return dict(zip(subtrees[:count], parents[:count]))

    # ---- routing ----

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

    def wormhole_channels(self, rule, virtual_channels, node, destination):
        """What the head of a wormhole may take, as a list of (port, virtual channel); none on
        arrival. rule is "dimension-order", "duato", "dimension-order-unsafe" or
        "duato-unsafe"."""
        number = _wormhole_rule(rule)
        sets = _array("u64", self.max_degree, "wormhole_channels()")
        _c.cn_route_wormhole(self, number, virtual_channels, node, destination, sets, len(sets))
        return [(port, v) for port, word in enumerate(sets) for v in _channels(word)]

    def flow_deviation(self, load, faults=None, traffic=None, gap=1e-6, seconds=None,
                       progress=None):
        """The least mean delay that any routing can reach, as a Flow whose delay exceeds lower by
        at most the share gap.

        traffic is a list of N lists: messages per unit of time from row to column at load 1. None
        stands for uniform traffic between the working nodes."""
        matrix, count = self._traffic(traffic)
        ports = self.max_degree
        flows = _array("f64", self.node_count * ports, "flow_deviation()")
        delay, lower = _c.cn_flow_deviation(self, faults, matrix, count, load, gap, flows,
                                            len(flows), control=_Control(0, seconds, progress))
        return Flow(delay, lower, self._by_port(flows, "flow_deviation()"))

    def _by_port(self, values, purpose):
        """Splits a flat list with max_degree values per node into one list per node, with one value
        per port."""
        ports = self.max_degree
        with _room(f"{purpose}: a list", len(values), _LISTED):
            return [values[v * ports:v * ports + self.degree(v)] for v in range(self.node_count)]

    def flow_saturation(self, faults=None, traffic=None, accuracy=1e-6, seconds=None,
                        progress=None):
        """(lower, upper): the load at which the channels saturate lies between them."""
        lower, upper = _c.cn_flow_saturation(self, faults, *self._traffic(traffic), accuracy,
                                             control=_Control(0, seconds, progress))
        return lower, upper

    def _traffic(self, traffic):
        if traffic is None:
            return None, 0
        numbers = [_real("traffic", number) for row in traffic for number in row]
        return (ctypes.c_double * len(numbers))(*numbers), len(numbers)

    def deflection_mean_hops(self, q, state_space="automatic"):
        """(hops, states): the mean number of hops of a message when each hop is an assignment of
        phase 2 with probability q, and the number of states of the state diagram.

        For Boolean cubes and k-ary n-cubes. state_space is "exact", "reduced" or "automatic";
        automatic uses exact where that is not too expensive."""
        hops, states = _c.cn_deflection_mean_hops(self, _number("state_space", _c.cn_state_space_from_name, state_space), q)
        return hops, states

    def __repr__(self):
        return f"<Topology {self.name}>"

    def __eq__(self, other):
        if not isinstance(other, Topology):
            return NotImplemented
        return bool(_c.cn_topology_equal(self, other))

    def _remember(self, data):
        pass

    def __hash__(self):
        return hash((self.node_count, self.max_degree, self.dimensions))


class _OnTopology(_Object):
    """A handle of an object that belongs to a Topology."""

    @classmethod
    def _of(cls, topology, address):
        made = cls._own(address)
        made._topology = topology
        return made

    @property
    def topology(self):
        return self._topology


class TreeArrays(NamedTuple):
    """A whole tree: parents[v] is the parent of node v (None for the root); the children of v in
    their order are children[first[v]:first[v + 1]]."""

    parents: list
    first: list
    children: list


def _packed_parents(parents):
    numbers = [_NO_NODE if parent is None else parent for parent in parents]
    return _packed("u64", "parents", numbers)


class Tree(_OnTopology):
    """A spanning tree of a topology, with its root. The trees of generalized hypercubes and Boolean
    cubes (Topology.balanced_tree() and others) are rules of a few bytes; those of any topology are
    stored."""

    _kind = "tree"
    _end = _c.cn_tree_free

    @classmethod
    def from_parents(cls, topology, root, parents, seconds=None, progress=None):
        """The tree with these parents, None for the root: a spanning tree of any topology."""
        packed = _packed_parents(parents)
        return cls._of(topology, _c.cn_tree_from_parents(
            topology, root, packed, len(packed), control=_Control(0, seconds, progress)))

    @classmethod
    def breadth_first(cls, topology, root=0, seconds=None, progress=None):
        """The breadth-first Tree of any topology: shortest paths, ports in ascending order."""
        return cls._of(topology, _c.cn_tree_breadth_first(
            topology, root, control=_Control(0, seconds, progress)))

    @classmethod
    def _listed(cls, topology, family, root, dimension=None, parents=()):
        """As operations have it in JSON."""
        if family == "stored":
            return cls.from_parents(topology, root, [None if node == root else parent
                                                     for node, parent in enumerate(parents)])
        if family == "balanced":
            return topology.balanced_tree(root)
        binomial = family == "binomial"
        return (topology.binomial_tree if binomial else topology.edge_disjoint_tree)(root, dimension)

    @property
    def root(self):
        return _c.cn_tree_root(self)

    def parent(self, node):
        """The parent of a node; None for the root."""
        parent = _c.cn_tree_parent(self, node)
        return None if parent == _NO_NODE else parent

    def children(self, node):
        """The children of a node in their order."""
        return _c.cn_tree_children.fill(self, node)

    def child_count(self, node):
        return _c.cn_tree_child_count(self, node)

    def depth(self, node):
        """The number of hops from the root along the tree."""
        return _c.cn_tree_depth(self, node)

    def subtree_size(self, node):
        """The number of nodes in the subtree of a node, the node included."""
        return _c.cn_tree_subtree_size(self, node)

    def path(self, node):
        """The nodes from the root to a node, both included."""
        return _c.cn_tree_path.fill(self, node)

    def arrays(self):
        """The whole tree, as TreeArrays."""
        count = self._topology.node_count
        parents, children = (_array("u64", count, "arrays()") for _ in range(2))
        first = _array("u64", count + 1, "arrays()")
        _c.cn_tree_arrays(self, parents, first, children, count)
        parents, first, children = (_listed(values, "arrays()")
                                    for values in (parents, first, children))
        parents[self.root] = None
        return TreeArrays(parents, first, children[:-1])

    def __repr__(self):
        return f"<Tree of {self._topology.name}, root {self.root}>"


def common_channel(trees):
    """A node that two of the trees reach over the same channel; None when they share no channel.
    The trees must have the same topology and root."""
    trees = list(trees)
    addresses = (ctypes.c_void_p * len(trees))(
        *(_pointer("tree", f"trees[{i}]", tree) for i, tree in enumerate(trees)))
    node = _c.cn_tree_common_channel(addresses, len(trees))
    return None if node == _NO_NODE else node


@dataclass(frozen=True)
class Subcube:
    """A subcube of the n-cube: the nodes that agree with value wherever any has a 0 bit."""

    n: int
    value: int
    any: int

    @classmethod
    def parse(cls, text):
        """Reads an address over 0, 1 and X, most significant symbol first."""
        return cls(*_c.cn_subcube_parse(text))

    @property
    def text(self):
        return _c.cn_subcube_text.fill(self.n, self.value, self.any).decode()

    def __str__(self):
        return self.text

    def contains(self, node):
        return bool(_c.cn_subcube_contains(self.value, self.any, node))

    __contains__ = contains

    def distance(self, other):
        """Dimensions in which one has 0 and the other 1."""
        if self.n != other.n:
            raise ArgumentError(f"subcubes of a {self.n}-cube and of a {other.n}-cube "
                                "have no distance")
        return _c.cn_subcube_distance(self.value, self.any, other.value, other.any)


# ---- damaged networks ----

_KEPT = ("working", "degraded", "convex", "minimal", "clusters")
_NO_CLUSTER = 2**32 - 1


class Stretch(NamedTuple):
    """The effect of faults on distances: counts[x] ordered pairs of working nodes are x hops
    farther apart than without faults. unreachable is the number of pairs that no path joins;
    they are in no count."""

    counts: list
    unreachable: int


class Monotone(NamedTuple):
    """The effect of faults on monotone paths, which keep one direction in each dimension: counts[x]
    ordered pairs of working nodes have such a path that goes the long way in x dimensions, and
    none that does so in fewer. blocked is the number of pairs without any such path."""

    counts: list
    blocked: int


class Faults(_Json, _OnTopology):
    """A set of faulty nodes and links of a topology, empty at first. It must not be changed in one
    thread while another uses it."""

    _kind = "faults"
    _end = _c.cn_faults_free

    def __init__(self, topology):
        self._hold(_c.cn_faults_new(topology))
        self._topology = topology

    @classmethod
    def parse(cls, topology, text):
        """Reads the text that text() returns; empty lines and lines that begin with # are
        skipped."""
        return cls._of(topology, _c.cn_faults_parse(topology, text))

    def text(self):
        """The set as lines: "topology NAME", "node ADDRESS", "link ADDRESS ADDRESS"."""
        return _c.cn_faults_text.fill(self).decode()

    def dot(self):
        """A drawing of the damaged network in the DOT language of graphviz."""
        return _c.cn_faults_dot.fill(self).decode()

    def copy(self):
        """An independent copy."""
        return self._of(self._topology, _c.cn_faults_copy(self))

    @property
    def nodes(self):
        """The faulty nodes in ascending order."""
        return _c.cn_faults_nodes.fill(self)

    @property
    def links(self):
        """The faulty links, each once, as (node, port) of its lower end."""
        count = _c.cn_faults_link_count(self)
        nodes, ports = _array("u64", count, "links"), _array("u32", count, "links")
        _c.cn_faults_links(self, nodes, ports, count)
        return list(zip(nodes, ports))

    @property
    def node_count(self):
        """Number of faulty nodes."""
        return _c.cn_faults_node_count(self)

    @property
    def link_count(self):
        """Number of faulty links, those at faulty nodes included."""
        return _c.cn_faults_link_count(self)

    def has_node(self, node):
        return bool(_c.cn_faults_has_node(self, node))

    def has_link(self, node, port):
        """Whether the link itself is faulty; a link that works is not, even at a faulty node."""
        return bool(_c.cn_faults_has_link(self, node, port))

    def add_node(self, node):
        _c.cn_faults_add_node(self, node)

    def remove_node(self, node):
        """Repairs a node; faulty links at it stay faulty."""
        _c.cn_faults_remove_node(self, node)

    def add_link(self, node, port):
        """Makes the link behind a port faulty, in both directions where it has two."""
        _c.cn_faults_add_link(self, node, port)

    def remove_link(self, node, port):
        _c.cn_faults_remove_link(self, node, port)

    def clear(self):
        """Repairs everything."""
        _c.cn_faults_clear(self)

    # ---- generators: they add to what is there; the same seed gives the same faults ----

    def add_random_nodes(self, count, seed):
        """Lets count nodes fail; every choice is equally likely."""
        _c.cn_faults_add_random_nodes(self, count, seed)

    def add_failing_nodes(self, p, seed):
        """Lets every node fail with probability p."""
        _c.cn_faults_add_failing_nodes(self, p, seed)

    def add_random_links(self, count, seed):
        """Lets count links fail; every choice is equally likely."""
        _c.cn_faults_add_random_links(self, count, seed)

    def add_failing_links(self, p, seed):
        """Lets every link fail with probability p."""
        _c.cn_faults_add_failing_links(self, p, seed)

    def add_subcube(self, subcube):
        """Lets all nodes of a subcube of a Boolean cube fail. subcube is a Subcube or its address
        text."""
        if not isinstance(subcube, Subcube):
            subcube = Subcube.parse(subcube)
        if subcube.n != self._topology.dimensions:
            raise ArgumentError(f"subcube = {subcube}, but {self._topology.name} has "
                                f"{self._topology.dimensions} dimensions")
        _c.cn_faults_add_subcube(self, subcube.value, subcube.any)

    def add_around(self, center, radius):
        """Lets all nodes within radius hops of center fail."""
        _c.cn_faults_add_around(self, center, radius)

    def add_random_clusters(self, count, radius, seed):
        """Lets all nodes within radius hops of count random centers fail."""
        _c.cn_faults_add_random_clusters(self, count, radius, seed)

    def add_grown_clusters(self, count, centers, seed):
        """Lets count nodes fail, in clusters that grow around random centers."""
        _c.cn_faults_add_grown_clusters(self, count, centers, seed)

    # ---- the damaged network as it is ----

    def distance(self, source, destination, seconds=None, progress=None):
        """The number of hops of a shortest path around the faults; None when there is no path."""
        hops = _c.cn_faults_distance(self, source, destination,
                                     control=_Control(0, seconds, progress))
        return None if hops == _UNREACHABLE else hops

    @property
    def reachable_pairs(self):
        """The number of ordered pairs of distinct working nodes that can reach each other."""
        return _c.cn_faults_reachable_pairs(self)

    @property
    def mean_distance(self):
        """The mean distance over all ordered pairs of distinct working nodes that can reach each
        other."""
        mean, _ = _c.cn_faults_mean_distance(self)
        return mean

    def stretch(self, seconds=None, progress=None):
        """The effect of the faults on distances, as a Stretch."""
        return Stretch(*_c.cn_faults_stretch_counts.fill(
            self, control=_Control(0, seconds, progress)))

    def monotone(self, seconds=None, progress=None):
        """The effect of the faults on monotone paths, as a Monotone."""
        return Monotone(*_c.cn_faults_monotone_counts.fill(
            self, control=_Control(0, seconds, progress)))

    # ---- what is kept in use ----

    def degraded_subnet(self, k, link_rule="disables_end", seconds=None, progress=None):
        """The k-degraded Subnet: the largest set of nodes in which each node has at most k bad
        links. With link_rule "disables_end" a faulty link disables one of its two ends; with
        "is_bad" it counts as a bad link of both."""
        number = _number("link_rule", _c.cn_link_rule_from_name, link_rule)
        return Subnet._of(self._topology, _c.cn_subnet_degraded(
            self, k, number, control=_Control(0, seconds, progress)))

    def convex_subnet(self, seconds=None, progress=None):
        """A convex Subnet of a Boolean cube, found by a heuristic."""
        return Subnet._of(self._topology, _c.cn_subnet_convex(
            self, control=_Control(0, seconds, progress)))

    def optimum(self, budget=1000000, seconds=None, progress=None):
        """(subnet, upper): the largest convex Subnet of a small Boolean cube, and an upper bound on
        the survivors of any convex subnet. The two agree unless the search ends early. budget is
        its limit of steps; seconds and progress are as in Topology.measure()."""
        address, upper, _ = _c.cn_subnet_optimum(self,
                                                 control=_Control(budget, seconds, progress))
        return Subnet._of(self._topology, address), upper

    def minimal_subnet(self, seconds=None, progress=None):
        """A Subnet of a Boolean or k-ary n-cube in which minimal routing always has a channel to
        take."""
        return Subnet._of(self._topology, _c.cn_subnet_minimal(
            self, control=_Control(0, seconds, progress)))

    def chosen_subnet(self, disabled):
        """The Subnet in which exactly these working nodes are disabled."""
        packed = _packed("u64", "disabled", disabled)
        return Subnet._of(self._topology, _c.cn_subnet_chosen(self, packed, len(packed)))

    def hierarchy(self, seconds=None, progress=None):
        """The damaged Boolean cube divided into clusters, as a Hierarchy with its routing
        tables."""
        begun = time.monotonic()
        made = Hierarchy._of(self._topology, _c.cn_hierarchy_new(
            self, control=_Control(0, seconds, progress)))
        if seconds:
            seconds = max(seconds - (time.monotonic() - begun), 1e-9)
        _c.cn_hierarchy_make_tables(made, control=_Control(0, seconds, progress))
        return made

    def __repr__(self):
        return (f"<Faults of {self._topology.name}: {self.node_count} nodes, "
                f"{self.link_count} links>")


class Subnet(_OnTopology):
    """The part of a damaged network that stays in use. It has its own copy of the faults. It must
    not be changed in one thread while another uses it."""

    _kind = "subnet"
    _end = _c.cn_subnet_free

    def copy(self):
        """An independent copy."""
        return self._of(self._topology, _c.cn_subnet_copy(self))

    def rebuild(self, faults, seconds=None, progress=None):
        """Makes the subnet again, by its own rule, for other faults of the same topology. When it is
        cancelled no node survives."""
        _c.cn_subnet_rebuild(self, faults, control=_Control(0, seconds, progress))

    def dot(self):
        """A drawing of the subnet in its network, in the DOT language of graphviz."""
        return _c.cn_subnet_dot.fill(self).decode()

    @property
    def survivors(self):
        """The nodes in use, in ascending order."""
        return _c.cn_subnet_survivors.fill(self)

    @property
    def disabled(self):
        """The nodes that work but are not in use, in ascending order."""
        rest = sorted(set(range(self._topology.node_count)).difference(self.survivors))
        return [node for node in rest if self.state(node) == "disabled"]

    @property
    def survivor_count(self):
        return _c.cn_subnet_survivor_count(self)

    @property
    def disabled_count(self):
        return _c.cn_subnet_disabled_count(self)

    @property
    def rounds(self):
        """The number of rounds of the latest degrading; 0 for a convex subnet."""
        return _c.cn_subnet_rounds(self)

    @property
    def messages(self):
        """The number of messages of the latest degrading; 0 for a convex subnet."""
        return _c.cn_subnet_messages(self)

    @property
    def is_convex(self):
        """Whether the distance between any two survivors of a Boolean cube is the same as without
        faults."""
        return bool(_c.cn_subnet_is_convex(self))

    def state(self, node):
        """"surviving", "faulty" or "disabled"."""
        return _c.cn_node_state_name(_c.cn_subnet_node_state(self, node))

    def neighbor_status(self, node):
        """The ports of a node whose links are good."""
        return _channels(_c.cn_subnet_neighbor_status(self, node))

    def is_safe(self, node):
        """Whether a survivor is safe: the subcube that its bad links span has no other survivor."""
        return bool(_c.cn_subnet_is_safe(self, node))

    def next_hops(self, node, destination):
        """The ports that the optimal-path rule allows; none on arrival. Raises DisconnectedError
        when it allows no port."""
        return _channels(_c.cn_subnet_next_hops(self, node, destination) or 0)

    @staticmethod
    def route_optimal_path(header, neighbor_status):
        """The optimal-path rule as a function of what a node knows: the ports that a message with
        this header (node ^ destination) may take, given the ports whose links are good; none on
        arrival."""
        status = _channel_word("neighbor_status", neighbor_status)
        return _channels(_c.cn_route_optimal_path(header, status) or 0)

    # ---- faults and repairs in use; thorough: a convex subnet is also made anew and the larger one
    # of the two is kept. When a call is cancelled in between, the fault or repair is done, and no
    # node survives until rebuild(); in the thorough part, the subnet is as with thorough=False.

    def fail_node(self, node, thorough=False, seconds=None, progress=None):
        _c.cn_subnet_fail_node(self, node, bool(thorough), control=_Control(0, seconds, progress))

    def repair_node(self, node, thorough=False, seconds=None, progress=None):
        _c.cn_subnet_repair_node(self, node, bool(thorough), control=_Control(0, seconds, progress))

    def fail_link(self, node, port, thorough=False, seconds=None, progress=None):
        _c.cn_subnet_fail_link(self, node, port, bool(thorough),
                          control=_Control(0, seconds, progress))

    def repair_link(self, node, port, thorough=False, seconds=None, progress=None):
        _c.cn_subnet_repair_link(self, node, port, bool(thorough),
                          control=_Control(0, seconds, progress))

    def __repr__(self):
        return (f"<Subnet of {self._topology.name}: {self.survivor_count} nodes survive, "
                f"{self.disabled_count} are disabled>")


class Way(NamedTuple):
    """The path to a cluster: the best channels at a node, and the number of hops; hops is None when
    there is no path."""

    channels: list
    hops: int


class Hierarchy(_OnTopology):
    """A damaged Boolean cube divided into clusters, which are named by their addresses over 0, 1
    and X. It has its own copy of the faults. It must not be changed in one thread while another
    uses it.

    tie_rule selects among equally good channels out of a cluster: "header" takes those that also
    bring the message closer to its destination, when there are any; "any" takes all; "lowest" takes
    the first."""

    _kind = "hierarchy"
    _end = _c.cn_hierarchy_free

    def _name(self, value, free):
        return Subcube(self._topology.dimensions, value, free).text

    def _cluster(self, number):
        value, free, _ = _c.cn_hierarchy_cluster(self, number)
        return self._name(value, free)

    @property
    def clusters(self):
        """The addresses of all clusters."""
        return [self._cluster(i) for i in range(_c.cn_hierarchy_cluster_count(self))]

    def dot(self):
        """A drawing of the cube with its clusters as boxes, in the DOT language of graphviz."""
        return _c.cn_hierarchy_dot.fill(self).decode()

    def cluster_of(self, node):
        """The address of the cluster of a node; None for a faulty one."""
        number = _c.cn_hierarchy_cluster_of(self, node)
        return None if number == _NO_CLUSTER else self._cluster(number)

    def table(self, node):
        """The routing table of a node: a dict from the address of each cluster to its Way. The Way
        to the node's own cluster has no channels and 0 hops."""
        count = _c.cn_hierarchy_cluster_count(self)
        values, free, channels, hops = (_array("u64", count, "table()") for _ in range(4))
        _c.cn_hierarchy_table(self, node, values, free, channels, hops, count)
        return {self._name(*name): Way(_channels(word), None if far == _UNREACHABLE else far)
                for *name, word, far in zip(values, free, channels, hops)}

    def neighbor_status(self, node):
        """The ports of a node whose links are good."""
        return _channels(_c.cn_hierarchy_neighbor_status(self, node))

    def next_hops(self, node, destination, tie_rule="header"):
        """The ports that the two-level rule allows; none on arrival. Raises DisconnectedError when
        there is no path."""
        number = _number("tie_rule", _c.cn_tie_rule_from_name, tie_rule)
        return _channels(_c.cn_hierarchy_next_hops(self, node, destination, number) or 0)

    @staticmethod
    def route_two_level(node, destination, neighbor_status, table, tie_rule="header"):
        """The two-level rule as a function of what a node knows: the ports that a message may take,
        given the ports of the node whose links are good, and its table; none on arrival."""
        clusters = [Subcube.parse(name) for name in table]
        values = _packed("u64", "values", [cluster.value for cluster in clusters])
        anys = _packed("u64", "anys", [cluster.any for cluster in clusters])
        ways = _packed("u64", "table_channels",
                       [_channel_word("table", way.channels) for way in table.values()])
        return _channels(_c.cn_route_two_level(
            node, destination, _channel_word("neighbor_status", neighbor_status), values, anys,
            ways, len(ways), _number("tie_rule", _c.cn_tie_rule_from_name, tie_rule)) or 0)

    def mean_hops(self, tie_rule="header", seconds=None, progress=None):
        """The mean number of hops of two-level routing over all ordered pairs of distinct working
        nodes that can reach each other."""
        mean, _ = _c.cn_hierarchy_mean_hops(
            self, _number("tie_rule", _c.cn_tie_rule_from_name, tie_rule),
            control=_Control(0, seconds, progress))
        return mean

    # ---- faults and repairs in use ----

    def fail_node(self, node):
        _c.cn_hierarchy_fail_node(self, node)

    def repair_node(self, node):
        _c.cn_hierarchy_repair_node(self, node)

    def fail_link(self, node, port):
        _c.cn_hierarchy_fail_link(self, node, port)

    def repair_link(self, node, port):
        _c.cn_hierarchy_repair_link(self, node, port)

    def __repr__(self):
        count = _c.cn_hierarchy_cluster_count(self)
        return f"<Hierarchy of {self._topology.name}: {count} clusters>"


# ---- wormhole routing and deadlock ----

def _wormhole_rule(rule):
    # their names before Duato's rule had its own are understood, too
    return _c.cn_wormhole_rule_from_name({"adaptive": "duato",
                                          "adaptive-unsafe": "duato-unsafe"}.get(rule, rule))


class Wait(NamedTuple):
    """An element of a dependency cycle: a message for destination may hold this virtual channel of
    this port of node, and wait for the virtual channel of the next element. port is None for a
    message that is still at its source."""

    node: int
    port: int
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
    cycle: list


class _Deadlock(_Object):
    _kind = "deadlock"
    _end = _c.cn_deadlock_free

    def report(self):
        verdict = _c.cn_deadlock_verdict(self)
        counts = _c.cn_deadlock_counts(self)
        # A cycle visits no virtual channel twice.
        columns = [_array(kind, max(1, counts[0]), "deadlock_check()")
                   for kind in ("u64", "u32", "u32", "u64")]
        length = _c.cn_deadlock_cycle(self, *columns, len(columns[0]))
        cycle = [Wait(node, None if port == _NO_PORT else port, channel, destination)
                 for node, port, channel, destination in zip(*(c[:length] for c in columns))]
        return DeadlockCheck(_c.cn_verdict_name(verdict), bool(_c.cn_deadlock_is_free(self)),
                             _c.cn_verdict_text(verdict), *counts, cycle)


class _VcRules(_Control):
    """The caller's rules in the form in which the library calls them."""

    def __init__(self, topology, seconds=None, progress=None):
        super().__init__(0, seconds, progress)
        self._topology = topology

    def __enter__(self):
        self.control = super().__enter__()
        return self

    def function(self, name, rule):
        def make(rule):
            def ask(node, destination, previous, port, channel, sets):
                came = None if port == _NO_PORT else (previous, port, channel)
                self._fill(name, sets, node, rule(node, destination, came))
                return 0
            return ask
        return self._given(_VC_RULE, name, rule, make)

    def part(self, function, kept):
        """A C function that returns those virtual channels of another function's result that are in
        a set."""
        def ask(node, destination, previous, port, channel, sets):
            status = function(None, node, destination, previous, port, channel, sets)
            for p in range(self._topology.degree(node)):
                sets[p] &= kept
            return status
        return self._function(_VC_RULE, ask, StateError.status)

    def _fill(self, name, sets, node, choices):
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


def deadlock_check(topology, rule, virtual_channels=1, escape=None, seconds=None, progress=None):
    """Checks whether a rule of wormhole routing can deadlock on a small network; returns a
    DeadlockCheck.

    rule is the name of a rule (see Topology.wormhole_channels()) or a function. rule(node,
    destination, came) returns the (port, virtual channel) pairs that the head of a message at node
    may take; came is the (node, port, virtual channel) over which the message came, None at its
    source. The same arguments must always give the same result.

    escape is for a function only: the virtual channels that are escapes wherever the rule allows
    them, as a list of numbers, or a function like rule that returns a part of the result of rule.

    Both may also be C functions of type cn_vc_rule, as ctypes functions or addresses."""
    if isinstance(rule, str):
        if escape is not None:
            raise ArgumentError(f"escape must be None, since rule {rule!r} has its own")
        number = _wormhole_rule(rule)
        return _Deadlock._own(_c.cn_deadlock_check_wormhole(
            topology, number, virtual_channels,
            control=_Control(0, seconds, progress))).report()
    with _VcRules(topology, seconds, progress) as rules:
        function, escape_function, escape_set = rules.function("rule", rule), _VC_RULE(), 0
        if _is_set(escape):
            escape_set = _channel_set(escape, virtual_channels)
        elif escape is not None:
            escape_function = rules.function("escape", escape)
        return _Deadlock._own(_c.cn_deadlock_check(
            topology, virtual_channels, function, escape_function, escape_set, None,
            control=rules.control)).report()


def _is_set(escape):
    return isinstance(escape, collections.abc.Iterable)


def _channel_set(escape, virtual_channels):
    """Virtual channels as the bits of a word."""
    word = 0
    for channel in escape:
        channel = _whole("u32", "escape", channel)
        if channel >= virtual_channels:
            raise ArgumentError(f"escape = {channel}, but there are {virtual_channels} "
                                "virtual channels")
        word |= 1 << channel
    return word


# ---- routing as an object ----

class RoutingKind(NamedTuple):
    """A name of a kind of Routing, and a summary of it."""

    name: str
    summary: str


def routings():
    """All kinds of Routing, as a list of RoutingKind."""
    return [RoutingKind(_c.cn_routing_kind_name(i), _c.cn_routing_kind_summary(i))
            for i in range(_c.cn_routing_kind_count())]


class Routing(_Json, _OnTopology):
    """A routing: which channels a message may take in a network, damaged or not. It is immutable.

    A routing is made for the survivors of a topology by one of the names in routings(), or from a
    Subnet, a Hierarchy, a Tree or a function of the caller. When it cannot join some pair of
    survivors, an exception is raised that names the pair."""

    _kind = "routing"
    _end = _c.cn_routing_free
    _damaged = False

    def __init__(self, topology, name, faults=None, seconds=None, progress=None):
        self._hold(_c.cn_routing_new(topology, name, faults,
                                     control=_Control(0, seconds, progress)))
        self._topology = topology
        self._damaged = faults is not None and bool(faults.node_count or faults.link_count)

    def _remember(self, data):
        super()._remember(data)
        self._damaged = "faults" in data

    @classmethod
    def optimal_path(cls, subnet):
        """All shortest paths among the survivors of a convex Subnet of a Boolean cube. Later
        changes to the subnet have no effect."""
        return cls._from(subnet, _c.cn_routing_optimal_path)

    @classmethod
    def two_level(cls, hierarchy, seconds=None, progress=None):
        """From cluster to cluster of a Hierarchy, with the tie rule "header". Later changes to the
        hierarchy have no effect."""
        return cls._from(hierarchy, _c.cn_routing_two_level,
                         control=_Control(0, seconds, progress))

    @classmethod
    def tree(cls, tree):
        """Along the edges of a Tree, in both directions."""
        return cls._from(tree, _c.cn_routing_tree)

    @classmethod
    def _from(cls, source, make, **control):
        address = make(source, **control)  # refuses what is none
        return cls._of(source.topology, address)

    @classmethod
    def own(cls, topology, rule, escape=None, virtual_channels=1, seconds=None, progress=None):
        """The caller's rule for this number of virtual channels. It is called now, in some cases
        twice for the same question; its results are stored, and it is not called later.

        rule and escape are as in deadlock_check(), but rule must be a function. With escape None
        all channels are escapes if their dependencies have no cycle, otherwise none. Every message
        must reach its destination, whatever it chooses."""
        with _VcRules(topology, seconds, progress) as rules:
            function, escape_function = rules.function("rule", rule), _VC_RULE()
            if _is_set(escape):
                escape_function = rules.part(function, _channel_set(escape, virtual_channels))
            elif escape is not None:
                escape_function = rules.function("escape", escape)
            return cls._of(topology, _c.cn_routing_own(
                topology, virtual_channels, function, escape_function, None,
                control=rules.control))

    @property
    def name(self):
        """The canonical name, as in "up-down"."""
        return _c.cn_routing_name(self)

    @property
    def least_virtual_channels(self):
        """The least number of virtual channels with which the routing works for worms."""
        return _c.cn_routing_least_virtual_channels(self)

    def channels(self, node, destination):
        """The ports that a message stored at its source may take; none on arrival. For `valiant`
        they are those of the first leg, with destination as the random node."""
        return _channels(_c.cn_routing_channels(self, node, destination))

    def virtual_channels(self, node, destination, came=None, virtual_channels=None):
        """The (port, virtual channel) pairs that the head of a worm may take. came is the (node,
        port, virtual channel) over which it came, None at its source. virtual_channels is their
        number on each channel; None: the least number that works."""
        count = self.least_virtual_channels if virtual_channels is None else virtual_channels
        previous, port, channel = (node, _NO_PORT, 0) if came is None else _fields(
            "came", came, "node", "port", "virtual channel")
        sets = _c.cn_routing_virtual_channels.fill(self, count, node, destination, previous, port,
                                                   channel)
        return [(port, v) for port, word in enumerate(sets) for v in _channels(word)]

    def deadlock_check(self, virtual_channels=None, seconds=None, progress=None):
        """Checks whether worms can deadlock with this number of virtual channels (None: the least
        number that works); returns a DeadlockCheck. The routing keeps the result."""
        count = self.least_virtual_channels if virtual_channels is None else virtual_channels
        return _Deadlock._own(_c.cn_routing_deadlock_check(
            self, count, control=_Control(0, seconds, progress))).report()

    # ---- walks ----

    def path(self, source, destination, seed=0):
        """The nodes of one random walk, both ends included. Each allowed channel has the same
        probability; the same seed gives the same walk."""
        return _c.cn_routing_path.fill(self, source, destination, seed)

    def distance(self, source, destination, seconds=None, progress=None):
        """The number of hops of a shortest walk that the routing allows."""
        return _c.cn_routing_distance(self, source, destination,
                                      control=_Control(0, seconds, progress))

    def stretch(self, seconds=None, progress=None):
        """(mean, greatest): hops of a shortest walk that the routing allows, divided by the
        distance among the survivors, over all pairs of nodes that are served."""
        mean, greatest = _c.cn_routing_stretch(self, control=_Control(0, seconds, progress))
        return mean, greatest

    @property
    def longest_walk(self):
        """The greatest number of hops that a message can make, whatever it chooses."""
        return _c.cn_routing_longest_walk(self)

    @property
    def is_minimal(self):
        """Whether all walks are shortest paths among the survivors."""
        return bool(_c.cn_routing_is_minimal(self))

    @property
    def is_connected(self):
        """Whether a message always has a channel to take until it arrives."""
        return bool(_c.cn_routing_is_connected(self))

    @property
    def is_livelock_free(self):
        """Whether all walks end."""
        return bool(_c.cn_routing_is_livelock_free(self))

    # ---- loads: of a Traffic, or rate(source, destination); None: uniform between all served nodes ----

    def loads(self, traffic=None, seconds=None, progress=None):
        """The mean number of messages per cycle over each channel, as [node][port], when each node
        sends one message per cycle and a message takes each allowed port with the same
        probability."""
        values = self._under(traffic, _c.cn_traffic_routing_loads.fill, _c.cn_routing_loads.fill,
                             seconds, progress)
        return self._topology._by_port(values, "loads()")

    def saturation_load(self, traffic=None, seconds=None, progress=None):
        """The load, in messages per node and cycle, at which the busiest channel is full."""
        return self._under(traffic, _c.cn_traffic_routing_saturation_load,
                           _c.cn_routing_saturation_load, seconds, progress)

    def _under(self, traffic, of_traffic, of_rates, seconds, progress):
        callbacks = _Control(0, seconds, progress)
        if isinstance(traffic, Traffic):
            return of_traffic(traffic, self, control=callbacks)
        if traffic is None:
            return of_rates(self, _RATE(), None, control=callbacks)
        with callbacks as limits:
            def make(rate):
                def ask(source, destination, answer):
                    answer[0] = _real("traffic", rate(source, destination))
                    return 0
                return ask
            return of_rates(self, callbacks._given(_RATE, "traffic", traffic, make), None,
                            control=limits)

    def __repr__(self):
        return f"<Routing {self.name} on {'damaged ' * self._damaged}{self._topology.name}>"


# ---- experiments ----

class System(NamedTuple):
    """A kind of node and switching. parameters and attachments are the names of those that it
    takes."""

    name: str
    summary: str
    parameters: list = ()
    attachments: list = ()

    def has_model(self, topology=None):
        """Whether the system has a model of this topology; None: of any topology."""
        return self._has(_c.cn_system_check_model, topology)

    def has_simulator(self, topology=None):
        """Whether the system has a simulator of this topology; None: of any topology."""
        return self._has(_c.cn_system_check_simulator, topology)

    def _has(self, check, topology):
        try:
            check(_c.cn_system_from_name(self.name), _ANY if topology is None else topology)
        except UnsupportedError:
            return False
        return True


class Parameter(NamedTuple):
    """One row of the table of parameters. For a parameter that selects one of several alternatives,
    choices maps the name of each value that has one to its meaning; for most numbers it is empty."""

    name: str
    unit: str
    least: float
    greatest: float
    default: float
    whole: bool
    meaning: str
    choices: dict


class Metric(NamedTuple):
    """One row of the table of metrics; source is the paper and equation that define it."""

    name: str
    unit: str
    meaning: str
    source: str


def systems():
    """All systems, as a list of System."""
    parameters = range(1, _c.cn_param_count() + 1)
    attachments = range(1, _c.cn_attachment_count() + 1)
    return [System(_c.cn_system_name(i), _c.cn_system_summary(i),
                   [_c.cn_param_name(p) for p in parameters if _c.cn_system_takes(i, p)],
                   [_c.cn_attachment_name(a) for a in attachments
                    if _c.cn_system_takes_attachment(i, a)])
            for i in range(_c.cn_system_count())]


def _parameter(number):
    least, greatest, default, whole = _c.cn_param_range(number)
    return Parameter(_c.cn_param_name(number), _c.cn_param_unit(number), least, greatest, default,
                     bool(whole), _c.cn_param_meaning(number),
                     {_c.cn_param_choice_name(number, value): _c.cn_param_choice_meaning(number, value)
                      for value in range(_c.cn_param_choice_count(number))})


def _choice(number, value):
    """The number of a parameter's value that is given by its name."""
    name = _c.cn_param_name(number)
    if not _c.cn_param_choice_count(number):
        raise TypeError(f"{name} must be a number, not str")
    return _number(name, lambda text: _c.cn_param_choice_from_name(number, text), value)


def parameters():
    """All parameters, as a list of Parameter."""
    return [_parameter(number) for number in range(1, _c.cn_param_count() + 1)]


def _metric(number):
    return Metric(_c.cn_metric_name(number), _c.cn_metric_unit(number),
                  _c.cn_metric_meaning(number), _c.cn_metric_source(number))


def metrics():
    """All metrics, as a list of Metric."""
    return [_metric(number) for number in range(1, _c.cn_metric_count() + 1)]


def traffic_patterns():
    """The names of all patterns of a Traffic, as a list."""
    return [_c.cn_pattern_name(number) for number in range(_c.cn_pattern_count())]


class Traffic(_Json, _OnTopology):
    """Destinations and times of messages: uniform, one of the fixed patterns ("bit-complement",
    "bit-reverse", "transpose", "shuffle", "tornado", "neighbor"), or the traffic that a class
    method makes.

    source is "geometric", "bernoulli" or "poisson"; None stands for the source of the system.
    on_off = (mean_on, mean_off) sets a source that switches on and off, with periods of these mean
    lengths in cycles."""

    _kind = "traffic"
    _end = _c.cn_traffic_free

    def __init__(self, topology, pattern="uniform", *, source=None, on_off=None):
        self._hold(_c.cn_traffic_new(topology, _c.cn_pattern_from_name(pattern)))
        self._topology = topology
        self._begin(source, on_off)

    def _begin(self, source, on_off):
        if on_off is not None:
            if source is not None:
                raise ArgumentError(f"source = {source!r}, but on_off is a source of its own")
            mean_on, mean_off = _fields("on_off", on_off, "mean_on", "mean_off")
            _c.cn_traffic_set_on_off(self, mean_on, mean_off)
        elif source is not None:
            _c.cn_traffic_set_source(self, _number("source", _c.cn_source_from_name, source))
        self._on_off = on_off
        return self

    def _remember(self, data):
        super()._remember(data)
        self._on_off = (data["mean_on"], data["mean_off"]) if "mean_on" in data else None

    @classmethod
    def hotspot(cls, topology, node, share, *, source=None, on_off=None):
        """Sends a share of all messages to one node, and the rest uniformly."""
        return cls._of(topology, _c.cn_traffic_new_hotspot(topology, node, share))._begin(
            source, on_off)

    @classmethod
    def permutation(cls, topology, seed, *, source=None, on_off=None):
        """A random permutation: one destination per node. A node that it maps to itself sends
        nothing."""
        return cls._of(topology, _c.cn_traffic_new_permutation(topology, seed))._begin(
            source, on_off)

    @classmethod
    def locality(cls, topology, weights, *, source=None, on_off=None):
        """Destinations by distance: weights[d-1] is proportional to the probability of distance d.
        A single number is the ratio of each weight to the one before."""
        if isinstance(weights, (int, float)):
            made = _c.cn_traffic_new_geometric_locality(topology, weights)
        else:
            packed = _reals("weights", weights)
            made = _c.cn_traffic_new_locality(topology, packed, len(packed))
        return cls._of(topology, made)._begin(source, on_off)

    @classmethod
    def destinations(cls, topology, destinations, *, source=None, on_off=None):
        """Node s sends to destinations[s], or nothing when destinations[s] is s."""
        packed = _packed("u64", "destinations", destinations)
        made = _c.cn_traffic_new_destinations(topology, packed, len(packed))
        return cls._of(topology, made)._begin(source, on_off)

    @classmethod
    def matrix(cls, topology, rows, *, source=None, on_off=None):
        """Node s sends to node d with a probability proportional to rows[s][d]; a node whose row is
        all zeros sends nothing."""
        nodes, numbers = topology.node_count, []
        for s, row in enumerate(rows):
            row = list(row)
            if len(row) != nodes:
                raise ArgumentError(f"rows[{s}] has {len(row)} numbers, but there are {nodes} nodes")
            numbers += row
        packed = _reals("rows", numbers)
        made = _c.cn_traffic_new_matrix(topology, packed, len(packed))
        return cls._of(topology, made)._begin(source, on_off)

    @classmethod
    def trace(cls, topology, messages):
        """A list of messages in place of random traffic: (cycle, source, destination) or (cycle,
        source, destination, flits), in ascending order of cycles."""
        columns = [[], [], [], []]
        lengths = set()
        for i, message in enumerate(messages):
            message = tuple(message)
            lengths.add(len(message))
            if len(message) not in (3, 4) or len(lengths) > 1:
                raise ArgumentError(f"messages[{i}] has {len(message)} numbers, but all must have 3 "
                                    "or all 4")
            for column, number in zip(columns, message):
                column.append(number)
        count, names = len(columns[0]), ("cycles", "sources", "destinations", "flits")
        packed = [_packed("u64", name, column) for name, column in zip(names, columns)]
        if lengths != {4}:
            packed[3] = None
        return cls._of(topology, _c.cn_traffic_new_trace(topology, *packed, count))._begin(
            None, None)

    @property
    def pattern(self):
        """The name of the pattern."""
        return _c.cn_pattern_name(_c.cn_traffic_pattern(self))

    @property
    def source(self):
        """"geometric", "bernoulli", "poisson" or "on-off"; None for the source of the system."""
        number = _c.cn_traffic_source(self)
        return _c.cn_source_name(number) if number else None

    @property
    def on_off(self):
        """The mean lengths of the periods of an on/off source; None for any other source."""
        return self._on_off

    @property
    def senders(self):
        """The number of nodes that send messages."""
        return _c.cn_traffic_senders(self)

    @property
    def mean_distance(self):
        """The mean distance over all messages."""
        return _c.cn_traffic_mean_distance(self)

    def probability(self, source, destination):
        """The probability that a message of source goes to destination."""
        return _c.cn_traffic_probability(self, source, destination)

    def ecube_loads(self, seconds=None, progress=None):
        """The mean number of messages per cycle over each channel of a hypercube, as
        [node][dimension], when every sending node offers one message per cycle and all messages
        take the e-cube path."""
        loads = _c.cn_traffic_ecube_loads.fill(self, control=_Control(0, seconds, progress))
        n = self._topology.dimensions
        return [loads[at:at + n] for at in range(0, len(loads), n)]

    def __len__(self):
        """The number of messages of a trace."""
        return _c.cn_traffic_trace_length(self)

    def __bool__(self):
        return True

    def __repr__(self):
        return f"<Traffic {self.pattern} on {self._topology.name}>"


class Operation(NamedTuple):
    """One broadcast or multicast in a list."""

    source: int
    destinations: list  # None: all other nodes, a broadcast
    start: int  # the cycle at whose end it starts


class Operations(_OnTopology, collections.abc.Sequence):
    """A list of broadcasts and multicasts on a topology, empty at first. It must not be changed in
    one thread while another uses it."""

    _kind = "operations"
    _end = _c.cn_operations_free

    def __init__(self, topology):
        self._hold(_c.cn_operations_new(topology))
        self._topology = topology

    @classmethod
    def _listed(cls, topology, data):
        """As a scenario has them in JSON."""
        if data is None:
            return None
        made = cls(topology)
        for operation in data["list"]:
            made.add(operation["source"], operation.get("destinations"), operation["start"])
        for tree in data.get("trees", []):
            made.set_tree(Tree._listed(topology, **tree))
        return made

    def copy(self):
        """An independent copy."""
        return self._of(self._topology, _c.cn_operations_copy(self))

    def add(self, source, destinations=None, start=0):
        """Adds a multicast to these destinations; without destinations, a broadcast."""
        if destinations is None:
            _c.cn_operations_add_broadcast(self, source, start)
            return
        nodes = _packed("u64", "destinations", destinations)
        _c.cn_operations_add(self, source, nodes, len(nodes), start)

    def set_tree(self, tree):
        """Lets the operations whose source is the root of a Tree follow it; one for each source."""
        _c.cn_operations_set_tree(self, tree)

    def __len__(self):
        return _c.cn_operations_count(self)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"index {index} of a list of {len(self)} operations")
        destinations, source, start = _c.cn_operations_get.fill(self, at)
        return Operation(source, destinations or None, start)


class Scenario(_Json, _Object):
    """One experiment: a system on a topology, with parameters and a seed.

    Parameters are items and attributes: scenario["load"] = 2 and scenario.load = 2 do the same. A
    parameter that selects one of several alternatives has names as values, as in tree="binomial",
    or True and False; parameters() lists them. The numbers of the values are accepted too. A
    scenario must not be changed in one thread while another uses it."""

    _kind = "scenario"
    _end = _c.cn_scenario_free

    def __init__(self, topology, system, *, seed=1, routing=None, faults=None, subnet=None,
                 traffic=None, operations=None, **parameters):
        self._hold(_c.cn_scenario_new(topology, system))
        self._topology = topology
        self._routing = self._faults = self._subnet = self._traffic = self._operations = None
        self.seed = seed
        if routing is not None:
            self.routing = routing
        if faults is not None:
            self.faults = faults
        if subnet is not None:
            self.subnet = subnet
        if traffic is not None:
            self.traffic = traffic
        if isinstance(operations, Operations):  # else it is the parameter of that name
            self.carry_out(operations)
        elif operations is not None:
            parameters["operations"] = operations
        for name, value in parameters.items():
            self[name] = value

    def _remember(self, data):
        super()._remember(data)
        routing, subnet = data.get("routing"), data.get("subnet")
        self._routing = Routing._member(data, routing if isinstance(routing, dict) else None)
        self._faults = Faults._member(data, data.get("faults"))
        self._traffic = Traffic._member(data, data.get("traffic"))
        self._operations = Operations._listed(self._topology, data.get("operations"))
        self._subnet = subnet and Faults._member(data, subnet["faults"]).chosen_subnet(
            subnet["disabled"])

    @property
    def topology(self):
        return self._topology

    @property
    def system(self):
        return _c.cn_scenario_system(self)

    @property
    def seed(self):
        """The seed, which determines all random choices of a simulation."""
        return _c.cn_scenario_seed(self)

    @seed.setter
    def seed(self, seed):
        _c.cn_scenario_set_seed(self, seed)

    @property
    def faults(self):
        """The Faults of the network, as they were when they were set; None: no faults."""
        return self._faults

    @faults.setter
    def faults(self, faults):
        _c.cn_scenario_set_faults(self, faults)
        self._faults = None if faults is None else faults.copy()

    @property
    def routing(self):
        """The Routing that was set, otherwise the name of the routing in use; None when the system
        takes no routing. Setting None restores the system's own routing."""
        if self._routing is not None:
            return self._routing
        return _c.cn_scenario_routing_name(self) or None

    @routing.setter
    def routing(self, routing):
        named = routing is None or isinstance(routing, str)
        if named:
            _c.cn_scenario_set_routing_name(self, routing or "")
        else:
            _c.cn_scenario_set_routing(self, routing)
        self._routing = None if named else routing

    def carry_out(self, operations):
        """Sets the Operations that the scenario carries out; later changes to the list have no
        effect. None: random operations."""
        _c.cn_scenario_set_operations(self, operations)
        self._operations = None if operations is None else operations.copy()

    @property
    def carried_out(self):
        """The Operations that the scenario carries out; None: random operations."""
        return self._operations

    @property
    def subnet(self):
        """The Subnet that the messages use, as it was when it was set; None: no subnet."""
        return self._subnet

    @subnet.setter
    def subnet(self, subnet):
        _c.cn_scenario_set_subnet(self, subnet)
        self._subnet = None if subnet is None else subnet.copy()

    @property
    def traffic(self):
        """The Traffic that the nodes send; None for uniform traffic from the system's source."""
        return self._traffic

    @traffic.setter
    def traffic(self, traffic):
        _c.cn_scenario_set_traffic(self, traffic)
        self._traffic = traffic

    @property
    def parameters(self):
        """The parameters that the system takes and their present values, as a dict."""
        names = (_c.cn_param_name(number) for number in range(1, _c.cn_param_count() + 1)
                 if _c.cn_scenario_takes(self, number))
        return {name: self[name] for name in names}

    def range(self, name):
        """(least, greatest, default) of a parameter in this scenario. The system, the topology and
        the other parameters may narrow the range that parameters() lists."""
        number = _c.cn_param_from_name(name)
        return tuple(_c.cn_scenario_range(self, number))

    def __getitem__(self, name):
        number = _c.cn_param_from_name(name)
        value = _c.cn_scenario_get(self, number)
        least, *_, whole = _c.cn_param_range(number)
        if value - least < _c.cn_param_choice_count(number):
            chosen = _c.cn_param_choice_name(number, int(value - least))
            return {"no": False, "yes": True}.get(chosen, chosen)
        return int(value) if whole else value

    def __setitem__(self, name, value):
        number = _c.cn_param_from_name(name)
        value = _choice(number, value) if isinstance(value, str) else _real(name, value)
        _c.cn_scenario_set(self, number, value)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except (NotFoundError, UnsupportedError) as error:
            raise AttributeError(str(error)) from None

    def __setattr__(self, name, value):
        if name.startswith("_") or hasattr(type(self), name):
            super().__setattr__(name, value)
            return
        try:
            self[name] = value
        except (NotFoundError, UnsupportedError) as error:
            raise AttributeError(str(error)) from None

    def __dir__(self):
        return [*super().__dir__(), *self.parameters]

    __iter__ = None  # items are named, not numbered

    def reset(self):
        """Resets every parameter and the seed to the defaults."""
        _c.cn_scenario_reset(self)

    # seconds limits the time. progress(done, total, lower, upper) is called about every 20 ms and
    # returns False to end the call; True draws a bar. A simulation or study that ends early returns
    # the Result of what it has, whose `stop` says so; CancelledError: there is nothing yet.

    def predict(self, seconds=None, progress=None):
        """The Result of the analytic model."""
        return Result._own(_c.cn_predict(self, control=_Control(0, seconds, progress)))

    @contextlib.contextmanager
    def _counting(self, statistics):
        """With the parameter `statistics`; None: as it is."""
        before = None if statistics is None else self["statistics"]
        if statistics is not None:
            self["statistics"] = bool(statistics)
        try:
            yield
        finally:
            if statistics is not None:
                self["statistics"] = before

    def simulate(self, seconds=None, progress=None, *, statistics=None):
        """The Result of a complete simulation. With statistics=True it also holds what was counted
        by channel, by node, by message and by batch; None: as the parameter `statistics` says.
        progress() is told the cycles, and the 95 % limits of the mean delay so far."""
        with self._counting(statistics):
            return Result._own(_c.cn_simulate(self, control=_Control(0, seconds, progress)))

    def optimal_load(self, seconds=None, progress=None):
        """(load, power): the load at which the model has its greatest power, and that power. All
        other parameters keep their values."""
        load, power = _c.cn_optimal_load(self, control=_Control(0, seconds, progress))
        return load, power

    def saturation_load(self, simulated=False, accuracy=0.01, seconds=None, progress=None):
        """The load from which on the model has no steady state. With simulated=True (lower, upper):
        the greatest load at which a simulation had a steady state and the least at which one had
        none, at most `accuracy` of it apart; upper is infinite when the source of the traffic
        cannot saturate the network.

        For deflection, which refuses messages, the throughput at the greatest load, with
        simulated=True its confidence interval. The scenario's own load does not matter."""
        if simulated:
            lower, upper = _c.cn_simulated_saturation_load(
                self, accuracy, control=_Control(0, seconds, progress))
            return lower, upper
        return _c.cn_saturation_load(self, control=_Control(0, seconds, progress))

    def channel_delays(self, seconds=None, progress=None):
        """The mean time of a message at each channel by the model of separate-buffers, as
        [node][port]: the predicted delay of a path is the sum over its channels."""
        values = _c.cn_predict_channel_delays.fill(self, control=_Control(0, seconds, progress))
        return self.topology._by_port(values, "channel_delays()")

    def buffer_range(self, share, seconds=None, progress=None):
        """(least, greatest, power): the range of buffer sizes with which the model reaches this
        share of the greatest power over all sizes at this load, and that greatest power.

        greatest is None when there is no upper limit."""
        least, greatest, power = _c.cn_buffer_range(
            self, share, control=_Control(0, seconds, progress))
        return least, greatest or None, power

    def open(self, seconds=None, progress=None, *, statistics=None):
        """A Simulation at cycle 0 that the caller steps. Later changes to the scenario do not
        affect it. statistics: as in simulate()."""
        with self._counting(statistics):
            made = Simulation._own(_c.cn_sim_open(self, control=_Control(0, seconds, progress)))
        return self._opened(made)

    def _opened(self, made):
        made._short = _SHORT // self.topology.node_count
        return made

    def restore(self, snapshot, seconds=None, progress=None):
        """A Simulation in the state that Simulation.save() gave as bytes: it goes on with the same
        bits, also on another machine or number of threads. The scenario must be the one that was
        opened, or an equal one."""
        with memoryview(snapshot).cast("B") as view:
            data = (ctypes.c_uint8 * len(view)).from_buffer_copy(view)
        return self._opened(Simulation._own(_c.cn_sim_restore(
            self, data, len(data), control=_Control(0, seconds, progress))))

    def copy(self):
        """An independent scenario, equal to this one."""
        made = type(self)._own(_c.cn_scenario_copy(self))
        for name in ("_topology", "_routing", "_faults", "_subnet", "_traffic", "_operations"):
            setattr(made, name, getattr(self, name))
        return made

    __copy__ = copy

    def __repr__(self):
        settings = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        routing = "" if self.routing is None else f", routing={self.routing!r}"
        return f"<Scenario {self.system} on {self.topology.name}{routing}{settings}, seed={self.seed}>"


_SHORT = 1 << 16  # nodes times cycles: some milliseconds


class Simulation(_Object):
    """A running simulation that the caller steps. Leaving a `with` block closes it."""

    _kind = "sim"
    _end = _c.cn_sim_close
    _short = 0  # cycles that take so little time that no signal need wait

    def _hold(self, address):
        super()._hold(address)
        self._lock = threading.RLock()  # the handle belongs to one thread at a time
        self._steps = False

    def _rest(self):
        """Refuses a change by a progress() function of the call that steps the simulation."""
        if self._steps:
            raise StateError("the Simulation is in step(): progress() may not change it")

    def close(self):
        """Ends the simulation. Further calls do nothing."""
        with self._lock:
            self._rest()
            self._address = None
            self._finalizer()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def step(self, cycles=1, seconds=None, progress=None):
        """Simulates this many more cycles, or fewer when the time is over or progress() returns
        False: see `cycle`. seconds and progress are as in Scenario.simulate()."""
        control = _ANY
        if seconds is not None or progress or operator.index(cycles) > self._short:
            control = _Control(0, seconds, progress)
        with self._lock:
            self._rest()
            self._steps = True
            try:
                _c.cn_sim_step(self, cycles, control=control)
            except CancelledError:
                pass  # by progress(); the cycles that were simulated count
            finally:
                self._steps = False

    @property
    def cycle(self):
        """The number of cycles simulated so far, warm-up included."""
        with self._lock:
            return _c.cn_sim_cycle(self)

    def step_until(self, limit, seconds=None, progress=None):
        """Steps until an injected message has been delivered, nothing can happen any more, or the
        clock is at cycle `limit`. Returns True when a delivery can be fetched. seconds and progress
        are as in Scenario.simulate()."""
        with self._lock:
            self._rest()
            self._steps = True
            try:
                return _c.cn_sim_step_until(self, limit,
                                            control=_Control(0, seconds, progress)) == 0
            except CancelledError:
                return False  # by progress(); the cycles that were simulated count
            finally:
                self._steps = False

    @property
    def next_event(self):
        """The first cycle at whose end anything may have happened; None when nothing can happen
        unless a message is injected. step() skips the cycles before it."""
        with self._lock:
            cycle = _c.cn_sim_next_event(self)
        return None if cycle == _NEVER else cycle

    @property
    def in_flight(self):
        """The number of messages accepted and not delivered yet."""
        with self._lock:
            return _c.cn_sim_in_flight(self)

    def can_accept(self, source):
        """Whether inject() would accept a message of this source now."""
        with self._lock:
            return _c.cn_sim_can_accept(self, source) == 0

    def queued(self, node):
        """The number of messages that wait at this node. The messages of others in transit count,
        except in "wormhole" and "cut-through"."""
        with self._lock:
            return _c.cn_sim_queued(self, node)

    def inject(self, source, destination, tag=0, flits=None):
        """Offers the network one message, in "wormhole" and "cut-through" of this many flits (None:
        as many as the scenario's messages have). Returns True when it was accepted, False when it was
        refused because the buffers of the source are full."""
        with self._lock:
            self._rest()
            if flits is None:
                return _c.cn_sim_inject(self, source, destination, tag) == 0
            return _c.cn_sim_inject_flits(self, source, destination, flits, tag) == 0

    def inject_broadcast(self, source, tag=0):
        """Offers the network one broadcast. Returns True when it was accepted. It is delivered,
        with destination None, when it reaches its last node."""
        with self._lock:
            self._rest()
            return _c.cn_sim_inject_broadcast(self, source, tag) == 0

    def channel_loads(self):
        """The number of messages that every directed channel has carried, of flits in "wormhole" and
        "cut-through": since cycle 0, and after the warm-up since its end. Element node * P + port is
        that of a port, with P the greatest degree of the network. "wormhole", "cut-through" and "collective"
        always count them, other systems with statistics=True."""
        with self._lock:
            return _c.cn_sim_channel_loads.fill(self)

    def deadlock(self):
        """The channels of a dependency cycle, numbered as in channel_loads(): each is held by a
        message that waits for the next. This also finds a deadlock that step() has not reported
        yet because the rest of the network still moves."""
        with self._lock:
            return _c.cn_sim_deadlock.fill(self)

    def next_delivery(self):
        """The next injected message that has been delivered, in order of arrival; None when there
        is none. Each is returned once."""
        row = _Delivery()
        with self._lock:
            if _c.cn_sim_next_delivery(self, row, ctypes.sizeof(row)) != 0:
                return None
        delivery = Delivery(*(getattr(row, name) for name in Delivery._fields))
        if delivery.destination == _ALL_NODES:
            delivery = delivery._replace(destination=None)
        return delivery

    def report_trace(self):
        """From now on the messages of the scenario's trace are delivered to the caller like those
        that it injects; the tag is the position of the message in the trace."""
        with self._lock:
            _c.cn_sim_report_trace(self)

    def deliveries(self):
        """Iterates over what next_delivery() returns until it is None."""
        return iter(self.next_delivery, None)

    def save(self):
        """A snapshot of the simulation as bytes, from which Scenario.restore() goes on. It holds
        messages, counts, tags and deliveries that were not fetched, but not the scenario."""
        with self._lock:
            _, (size,), error = _c.cn_sim_save._call((self, None, 0))
            if not isinstance(error, CapacityError):
                raise error
            data = _array("u8", size.value, "cn_sim_save")
            _c.cn_sim_save(self, data, len(data))
        return bytes(data)

    def copy(self, seconds=None, progress=None):
        """A second Simulation in the same state, independent of this one."""
        with self._lock:
            made = type(self)._own(_c.cn_sim_copy(self, control=_Control(0, seconds, progress)))
        made._short = self._short
        return made

    def __copy__(self):
        return self.copy()

    def reset_statistics(self):
        """Begins the measurement anew: later results cover the cycles from now on. A warm-up that
        is not over ends. Counts of the whole run go on."""
        with self._lock:
            self._rest()
            _c.cn_sim_reset_statistics(self)

    def result(self):
        """The Result of the cycles so far."""
        with self._lock:
            return Result._own(_c.cn_sim_result(self))

    def __repr__(self):
        state = "closed" if self._address is None else f"at cycle {self.cycle}"
        return f"<Simulation {state}>"


class Bin(NamedTuple):
    """A bin of a histogram: `count` messages have a value of at least `lower` and below `upper`."""

    lower: float
    upper: float
    count: int


class Batches(NamedTuple):
    """The values of a metric in batches of so many cycles; NaN where a batch has no such value."""

    values: list
    cycles: int


_MAX_BINS = 8448


class Result(_Json, _Object, collections.abc.Mapping):
    """The result of an experiment: a read-only mapping from names of metrics to values."""

    _kind = "result"
    _end = _c.cn_result_free

    def __getitem__(self, name):
        return _c.cn_result_value(self, _c.cn_metric_from_name(name))

    def __iter__(self):
        for number in range(1, _c.cn_metric_count() + 1):
            if _c.cn_result_has(self, number):
                yield _c.cn_metric_name(number)

    def __len__(self):
        return sum(1 for _ in self)

    def half_width(self, name):
        """The 95 % half-width of a value; 0 for a model, infinite when too little was measured."""
        return _c.cn_result_half_width(self, _c.cn_metric_from_name(name))

    def samples(self, name):
        """The number of observations behind a value; 0 for a model."""
        return _c.cn_result_samples(self, _c.cn_metric_from_name(name))

    @property
    def stop(self):
        """The reason why the run ended: "model" (nothing ran), "precision", "cycles", "saturated",
        "deadlock" or "completed"."""
        return _c.cn_stop_name(_c.cn_result_stop(self))

    @property
    def stop_text(self):
        """The reason why the run ended, as a sentence."""
        return _c.cn_stop_text(_c.cn_result_stop(self))

    @property
    def saturated(self):
        """Whether the load is more than the network can carry."""
        return bool(_c.cn_result_is_saturated(self))

    @property
    def settled(self):
        """False when the run was too short for its network: half-widths of all that depends on the
        queues are then infinite."""
        return bool(_c.cn_result_is_settled(self))

    @property
    def seed(self):
        return _c.cn_result_seed(self)

    @property
    def system(self):
        return _c.cn_result_system(self)

    @property
    def library(self):
        """The version of the library that made the result."""
        return _c.cn_result_library(self)

    @property
    def scenario(self):
        """The Scenario that the result is of, as a copy; None for a study without one."""
        try:
            made = Scenario._own(_c.cn_result_scenario(self))
        except NotFoundError:
            return None
        made._remember(json.loads(made.to_json()))
        return made

    def to_dict(self, half_widths=False):
        """The values as a dict, with half_widths=True as pairs (value, half-width)."""
        if half_widths:
            return {name: (self[name], self.half_width(name)) for name in self}
        return dict(self)

    def _remember(self, data):
        pass

    __eq__ = collections.abc.Mapping.__eq__  # the values, as of any other mapping
    __hash__ = None

    @property
    def has_statistics(self):
        """Whether the simulation counted what channel_loads(), node_counts(), histogram(),
        quantile() and batches() return."""
        return bool(_c.cn_result_has_statistics(self))

    def channel_loads(self):
        """The number of messages that every directed channel carried in the measured cycles; of
        flits with wormhole switching. Element node * P + port is that of a port, with P the
        greatest degree of the network."""
        return _c.cn_result_channel_loads.fill(self)

    def node_counts(self):
        """Counts of the measured cycles by node, as a dict of lists: messages "offered",
        "accepted", "refused", "delivered" and "forwarded", and "queue", the mean number of
        messages in the queues of the node."""
        counts, number = {}, 0
        while _c.cn_node_count_name(number) is not None:
            counts[_c.cn_node_count_name(number)] = _c.cn_result_node_counts.fill(self, number)
            number += 1
        counts["queue"] = _c.cn_result_node_queues.fill(self)
        return counts

    def histogram(self, name="delay"):
        """The Bins of a histogram that are not empty, in ascending order: "delay" (in cycles),
        "delay_unicast", "delay_broadcast" or "hops"."""
        number = _c.cn_distribution_from_name(name)
        lower, upper, counts = (_array(kind, _MAX_BINS, name) for kind in ("f64", "f64", "u64"))
        bins = _c.cn_result_histogram(self, number, lower, upper, counts, _MAX_BINS)
        return [Bin(*row) for row in zip(lower[:bins], upper[:bins], counts[:bins])]

    def quantile(self, share, histogram="delay"):
        """The least value that at least this share of the delivered messages do not exceed, of a
        histogram."""
        return _c.cn_result_quantile(self, _c.cn_distribution_from_name(histogram), share)

    def batches(self, name):
        """A metric over time, as a Batches: its value in every complete batch of the measured
        cycles, and the length of a batch. The value of "messages_in_flight" is that at the end of
        the batch."""
        return Batches(*_c.cn_result_batches.fill(self, _c.cn_metric_from_name(name)))

    def __repr__(self):
        return f"<Result of {self.system}: {len(self)} metrics, {self.stop_text}>"

    def __str__(self):
        lines = [f"{self.system}, seed {self.seed}: {self.stop_text}"
                 + (" (saturated)" if self.saturated else "")
                 + ("" if self.settled else " (not settled)")]
        for name, value in self.items():
            half = self.half_width(name)
            unit = _metric(_c.cn_metric_from_name(name)).unit
            spread = f"+- {half:.2g}" if half else ""
            lines.append(f"  {name:<28}{value:>12.6g} {spread:<10} {unit if unit != '1' else ''}"
                         .rstrip())
        return "\n".join(lines)


class Study(_OnTopology):
    """The effect of random faults on a network. run() draws patterns of faults, builds the subnet
    of each pattern, and returns the means over the patterns with 95 % half-widths, as a Result.

    The faults of a pattern are added in this order: the Faults that all patterns share;
    clusters=(nodes, centers): this many nodes, in clusters that grow around this many random
    centers; nodes and links: these numbers, chosen at random; bombs=(count, radius): all nodes
    within radius hops of count random nodes; finally each remaining node or link with its failure
    probability.

    keep selects the survivors: "working": all working nodes; "degraded": the k-degraded subnet;
    "convex"; "minimal"; "clusters": all working nodes, in a two-level hierarchy. paths=False skips
    the measurement of distances, which takes most of the time. With a scenario, its model is solved
    or its simulation is run on each pattern."""

    _kind = "study"
    _end = _c.cn_study_free

    def __init__(self, topology, *, faults=None, clusters=(0, 0), nodes=0, links=0, bombs=(0, 0),
                 node_probability=0, link_probability=0, keep="working", k=1,
                 link_rule="disables_end", tie_rule="header", paths=True, scenario=None,
                 simulate=False, patterns=100, seed=1, threads=1):
        self._hold(_c.cn_study_new(topology))
        self._topology = topology
        _c.cn_study_set_faults(self, faults)
        _c.cn_study_set_clusters(self, *clusters)
        _c.cn_study_set_random(self, nodes, links)
        _c.cn_study_set_bombs(self, *bombs)
        _c.cn_study_set_failing(self, node_probability, link_probability)
        if keep not in _KEPT:
            raise ArgumentError(f"keep = {keep!r}, but it has to be one of {', '.join(_KEPT)}")
        own = {"degraded": (k, _number("link_rule", _c.cn_link_rule_from_name, link_rule)),
               "clusters": (_number("tie_rule", _c.cn_tie_rule_from_name, tie_rule),)}
        getattr(_c, f"cn_study_keep_{keep}")(self, *own.get(keep, ()))
        _c.cn_study_set_paths(self, bool(paths))
        if scenario is not None:
            _c.cn_study_set_scenario(self, scenario, bool(simulate))
        _c.cn_study_set_patterns(self, patterns)
        _c.cn_study_set_seed(self, seed)
        _c.cn_study_set_threads(self, threads)

    def pattern(self, index):
        """The Faults of pattern 0, 1, ..., as used by run()."""
        return Faults._of(self._topology, _c.cn_study_pattern(self, index))

    def run(self, seconds=None, progress=None):
        """The Result: means over the patterns. seconds and progress are as in Scenario.simulate();
        progress() is told the patterns."""
        return Result._own(_c.cn_study_run(self, control=_Control(0, seconds, progress)))

    def __repr__(self):
        return f"<Study of {self._topology.name}>"


# ---- building blocks of the models ----

def _distribution(function, channels, *arguments):
    # the library refuses more channels than 4096
    room = min(_whole("u32", "channels", channels), 4096) + 1
    values = (ctypes.c_double * room)()
    function(channels, *arguments, values, room)
    return list(values)


def assignment_phase_one(channels, messages):
    """Probabilities that 0, 1, ... of the messages win a channel when each picks one channel."""
    return _distribution(_c.cn_assignment_phase_one, channels, messages)


def assignment_both_phases(channels, buffers, messages):
    """Probabilities that a node with this many buffers and messages sends 0, 1, ... of the
    messages."""
    return _distribution(_c.cn_assignment_both_phases, channels, buffers, messages)


def deflection_hops(n, q):
    """The mean number of remaining hops of a message that is 0, 1, ..., n hops away from its
    destination in the Boolean n-cube, when each hop is an assignment of phase 2 with probability
    q."""
    room = min(_whole("u32", "n", n), 62) + 1  # the library refuses more dimensions
    values = (ctypes.c_double * room)()
    _c.cn_deflection_hops(n, q, values, room)
    return list(values)


def shared_buffer_queue(n, load, count):
    """Probabilities that a node of the Boolean n-cube with a shared, unlimited buffer holds 0, 1,
    ..., count - 1 messages at the start of a cycle."""
    values = _array("f64", _whole("size", "count", count), "shared_buffer_queue()")
    _c.cn_shared_buffer_queue(n, load, values, len(values))
    return list(values)


# ---- which shape ----

_MAX_SHAPES = 64  # more than any number of nodes has


class Shape(NamedTuple):
    """One of the k-ary n-cubes with the same number of nodes; times are in cycle times of the
    Boolean cube."""

    radix: int
    dimensions: int
    throughput: float
    delay: float


def kary_shapes(nodes):
    """The pairs (k, n) of all k-ary n-cubes with this number of nodes, in ascending order of n."""
    radix, dimensions = (ctypes.c_uint64 * _MAX_SHAPES)(), (ctypes.c_uint32 * _MAX_SHAPES)()
    count = _c.cn_kary_shapes(nodes, radix, dimensions, _MAX_SHAPES)
    return list(zip(radix[:count], dimensions))


def bisection_cycle_time(radix, beta):
    """The cycle time of a k-ary n-cube divided by that of the Boolean cube with the same bisection
    width.

    beta is the time that a node needs per message, divided by the time that a channel of the
    Boolean cube needs per message."""
    return _c.cn_bisection_cycle_time(radix, beta)


def compare_shapes(nodes, beta, load, model_variant="published"):
    """(shapes, best): deflection on all unidirectional k-ary n-cubes with this number of nodes, at
    constant bisection width and with 2n buffers per node.

    shapes is a list of Shape; best is the one with the greatest throughput / delay. load is the
    number of new messages per node in one cycle time of the Boolean cube; beta is as in
    bisection_cycle_time(). model_variant is "published" or "own"."""
    variant = _number("model_variant", _c.cn_model_variant_from_name, model_variant)
    shapes = [Shape(k, n, *_c.cn_predict_shape(k, n, beta, load, variant))
              for k, n in kary_shapes(nodes)]
    return shapes, max(shapes, key=lambda shape: shape.throughput / shape.delay)


def version():
    """The version of the loaded library, as in "1.2.3"."""
    return _c.cn_version_text()

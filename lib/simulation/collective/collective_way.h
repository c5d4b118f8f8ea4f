/*
 * A copy on its way: its arrival at a node, and the next channels from there. Each machine compiles
 * its own copies of these functions, with its own `push`.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_WAY_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_WAY_H

#include "base/error.h"
#include "base/inline.h"
#include "simulation/collective/collective.h"
#include "topology/topology.h"

/* ---- channels ---- */

/* Counts a copy that crosses a channel; returns the load of the channel. */
CNI_INLINE uint32_t cni_cross(cni_collective *run, uint32_t channel)
{
    uint32_t load = ++run->load[channel];
    run->total[CNI_COUNT_TRANSMISSIONS]++;
    if (load > run->peak_channel)
        run->peak_channel = load;
    return load;
}

/* For the bound: notes the copy that is number `load` to cross a channel, or that a node sends
 * or accepts. */
CNI_INLINE void cni_note_since(cni_collective *run, const cni_copy *copy, uint32_t at,
                               uint32_t load)
{
    /* the least cycle after which a copy that waits for its channel could have crossed it */
    uint32_t since = (uint32_t)(run->operation[copy->operation].start + cni_hops(copy));
    if (CNI_RARELY(load == 1 || since < run->since[at]))
        run->since[at] = since;
}

/* For the bound by nodes: counts and notes a copy that a node sends or accepts. */
CNI_INLINE void cni_pass(cni_collective *run, const cni_copy *copy, uint32_t node)
{
    /* later hops of a wandering copy may differ in another run */
    if (!run->wandering || cni_hops(copy) == 0)
        cni_note_since(run, copy, node, ++run->passed[node]);
}

/* ---- at a node ---- */

/* The number of copies that go on from a node to which a copy comes. */
static inline uint32_t cni_onward(const cni_collective *run, uint32_t node, const cni_copy *copy)
{
    const cni_plan *plan = run->operation[copy->operation].plan;
    uint32_t away = cni_detour(copy) == CNI_AWAY;
    if (plan == NULL)
        return away | (copy->place != node);
    return away ? 1 : plan->place[copy->place + 1].first - plan->place[copy->place].first;
}

/* Counts a delivery of an operation. */
CNI_INLINE void cni_deliver(cni_collective *run, cni_operation *operation)
{
    uint64_t delay = run->cycle - operation->start;
    run->total[CNI_COUNT_DELIVERED]++;
    run->total[CNI_COUNT_DELAY] += delay;
    cni_histogram_add(&run->delays, delay);
    run->last_delivery = run->cycle;
    run->missing--;
    if (CNI_RARELY(--operation->missing == 0))
        cni_collective_complete(run, operation);
}

/* Takes a copy that has come to a node, and counts the delivery if the copy is for the node.
 * Returns the number of copies that go on. */
CNI_INLINE uint32_t cni_arrive(cni_collective *run, const cni_moved *come)
{
    const cni_copy *copy = &come->copy;
    const cni_plan *plan = run->operation[copy->operation].plan;
    uint32_t onward = cni_onward(run, come->node, copy), ends = onward ^ 1;
    if (plan != NULL)
        ends = plan->place[copy->place].delivers & (cni_detour(copy) != CNI_AWAY);
    if (CNI_RARELY(run->attentive))
        ends = cni_collective_tell(run, come, onward, ends);
    if (ends)
        cni_deliver(run, &run->operation[copy->operation]);
    return onward;
}

/* ---- onward ---- */

/* Whether copies are in line for the channel at a port. */
static inline int cni_is_in_line(const cni_collective *run, uint32_t node, uint32_t port)
{
    size_t channel = (size_t)node * run->routes.degree + port;
    return run->given[channel] != run->load[channel];
}

/* The adaptive rule (Ziavras & Krishnamurthy 1999, 7): when copies are in line for the channel,
 * the copy takes an empty channel to a neighbour of the next node instead: the first such
 * channel after its own, cyclically. */
static inline void cni_settle_port(const cni_collective *run, uint32_t node, uint32_t port,
                                   cni_copy *copy)
{
    copy->port = (uint16_t)port;
    if (!run->detours || cni_detour(copy) == CNI_BACK || !cni_is_in_line(run, node, port))
        return;
    uint32_t base, count = cni_ports_around(&run->routes, node, port, &base);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t other = base + (port - base + i) % count;
        uint32_t back = cni_is_in_line(run, node, other)
                            ? CN_NO_PORT
                            : cni_port_back(&run->routes, node, other, port);
        if (back == CN_NO_PORT)
            continue;
        copy->port = (uint16_t)other;
        copy->back = (uint16_t)back;
        cni_set_detour(copy, CNI_AWAY);
        return;
    }
}

/* Puts a copy in line. */
static inline cn_status cni_put_in_line(cni_collective *run, uint32_t node, const cni_copy *copy,
                                        cni_push_fn push)
{
    if (run->given != NULL)
        run->given[(size_t)node * run->routes.degree + copy->port]++;
    return push(run, node, copy);
}

/* Among the ports on shortest paths, the port with the fewest copies so far. */
static inline uint32_t cni_least_used_port(const cni_collective *run, uint32_t node,
                                           const cni_copy *copy)
{
    const uint32_t *given = run->given + (size_t)node * run->routes.degree;
    if (run->shortest == NULL)
        return cni_route_least_used(&run->routes, node, copy->place, cni_start(copy), given);
    uint64_t ports = cni_routing_ports(run->shortest, node, 0, copy->place);
    uint32_t best = cni_lowest_bit(ports);
    for (; ports != 0; ports &= ports - 1)
        if (given[cni_lowest_bit(ports)] < given[best])
            best = cni_lowest_bit(ports);
    return best;
}

/* The port from a node to its parent in the stored tree of an operation. */
static inline uint32_t cni_port_up(const cni_collective *run, const cni_operation *operation,
                                   uint32_t node)
{
    const cn_topology *topology = run->scenario->topology;
    uint32_t channel = operation->inlet[node], degree = run->routes.degree;
    return topology->ops->back_port(topology, channel / degree, channel % degree);
}

/* The next port of a separate message. */
CNI_INLINE uint32_t cni_next_port(const cni_collective *run, uint32_t node, const cni_copy *copy)
{
    const cni_operation *operation = &run->operation[copy->operation];
    if (operation->spreads)
        return cni_least_used_port(run, node, copy);
    if (operation->kind != CN_OPERATIONS_OUTWARD)
        return cni_port_up(run, operation, node);
    if (operation->inlet != NULL)
        return cni_tree_port(&run->routes, operation->inlet, node, copy->place);
    return cni_route_port(&run->routes, node, copy->place, cni_start(copy));
}

/* Puts the copies that go on in line. */
CNI_INLINE cn_status cni_pass_on(cni_collective *run, uint32_t node, const cni_copy *copy,
                                 cni_push_fn push)
{
    const cni_operation *operation = &run->operation[copy->operation];
    const cni_plan *plan = operation->plan;
    cni_copy next = *copy;
    cni_set_detour(&next, CNI_DIRECT);
    if (cni_detour(copy) == CNI_AWAY) {
        cni_set_detour(&next, CNI_BACK);
        next.port = copy->back;
        if (!operation->spreads)
            return cni_put_in_line(run, node, &next, push);
    }
    if (plan == NULL) {
        cni_settle_port(run, node, cni_next_port(run, node, copy), &next);
        return cni_put_in_line(run, node, &next, push);
    }
    uint32_t end = plan->place[copy->place + 1].first;
    for (next.place = plan->place[copy->place].first; next.place < end; next.place++) {
        cni_set_detour(&next, CNI_DIRECT);
        cni_settle_port(run, node, plan->place[next.place].port, &next);
        CNI_TRY(cni_put_in_line(run, node, &next, push));
    }
    return CN_OK;
}

#endif

/*
 * A copy on its way: what it does when it has come to a node, and where it goes from there. Machines make copies of
 * these functions, each with its own `push`.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_WAY_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_WAY_H

#include "base/inline.h"
#include "simulation/collective/collective.h"
#include "simulation/collective/collective_nodes.h"

/* Puts a copy in line for its channel. `holder` is what the machine gave out for the message that it came with,
 * CNI_NONE for a fresh one. */
typedef cn_status (*cni_push_fn)(cni_collective *run, uint32_t node, cni_copy copy,
                                 uint32_t holder);

/* A copy has come to `node` over its port. The number of copies that will go on from there. */
static inline uint32_t cni_copy_onward(const cni_collective *run, uint32_t node, cni_copy copy)
{
    if (copy.detour == CNI_AWAY)
        return 1;
    const cni_plan *plan = run->operation[copy.operation].plan;
    if (plan == NULL)
        return copy.place != node;
    return plan->place[copy.place + 1].first - plan->place[copy.place].first;
}

/* Delivers what is for the node. */
static inline void cni_arrive(cni_collective *run, uint32_t node, cni_copy copy)
{
    const cni_plan *plan = run->operation[copy.operation].plan;
    if (run->counts.words > 0)
        run->counts.forwarded[node] += cni_copy_onward(run, node, copy) > 0;
    if (copy.detour != CNI_AWAY &&
        (plan == NULL ? copy.place == node : plan->place[copy.place].delivers != 0))
        cni_collective_deliver(run, node, copy);
}

/* A copy crosses its channel out of `node`; `key` is the node that the bound goes by. */
static inline void cni_cross(cni_collective *run, uint32_t node, cni_copy copy, uint32_t key)
{
    size_t channel = (size_t)node * run->routes.degree + copy.port;
    uint32_t load = ++run->load[channel], *least;
    run->transmissions++;
    if (load > run->peak_channel)
        run->peak_channel = load;
    if (run->node != NULL) {
        if (run->wandering && copy.hops > 0)
            return; /* it may go elsewhere another time */
        load = ++run->node[key].load;
        least = &run->node[key].since;
    } else {
        least = &run->since[channel];
    }
    uint64_t since = run->operation[copy.operation].start + copy.hops;
    if (load == 1 || since < *least)
        *least = since < UINT32_MAX ? (uint32_t)since : UINT32_MAX;
}

/* The adaptive rule (Ziavras & Krishnamurthy 1999, 7): where others are in line, over an empty channel
 * to a neighbour of the next node; the first one after the channel that is meant, going round. */
static inline cni_copy cni_settle_port(const cni_collective *run, uint32_t node, uint32_t port,
                                       cni_copy copy)
{
    copy.port = (uint16_t)port;
    if (!run->detours || copy.detour == CNI_BACK)
        return copy;
    const uint64_t *in_line = run->in_line + node * run->port_words;
    if (!cni_set_has(in_line, port))
        return copy;
    uint32_t base, ports = cni_ports_around(&run->routes, node, port, &base), end = base + ports;
    for (int after = 1; after >= 0; after--, end = port) {
        uint32_t other = after ? port + 1 : base;
        while ((other = cni_set_first_outside(in_line, other, end)) < end) {
            uint32_t back = cni_port_back(&run->routes, node, other, port);
            if (back != CN_NO_PORT) {
                copy.port = (uint16_t)other;
                copy.back = (uint16_t)back;
                copy.detour = CNI_AWAY;
                return copy;
            }
            other++;
        }
    }
    return copy;
}

/* A copy takes its place in line. */
CNI_INLINE cn_status cni_put_in_line(cni_collective *run, uint32_t node, cni_copy copy,
                                     uint32_t holder, cni_push_fn push)
{
    if (run->given != NULL)
        run->given[(size_t)node * run->routes.degree + copy.port]++;
    return push(run, node, copy, holder);
}

/* Of the ports on shortest paths the one that was given the fewest copies. */
static inline uint32_t cni_least_used_port(const cni_collective *run, uint32_t node, cni_copy copy)
{
    const uint32_t *given = run->given + (size_t)node * run->routes.degree;
    if (run->shortest == NULL)
        return cni_route_least_used(&run->routes, node, copy.place, copy.start, given);
    uint64_t ports = cni_routing_ports(run->shortest, node, 0, copy.place);
    uint32_t best = cni_lowest_bit(ports);
    for (; ports != 0; ports &= ports - 1)
        if (given[cni_lowest_bit(ports)] < given[best])
            best = cni_lowest_bit(ports);
    return best;
}

/* Where a separate message goes on. */
static inline uint32_t cni_next_port(const cni_collective *run, uint32_t node, cni_copy copy)
{
    const cni_operation *operation = &run->operation[copy.operation];
    if (operation->spreads)
        return cni_least_used_port(run, node, copy);
    if (operation->inlet != NULL)
        return cni_tree_port(&run->routes, operation->inlet, node, copy.place);
    return cni_route_port(&run->routes, node, copy.place, copy.start);
}

/* Puts the copies that go on in line. */
CNI_INLINE cn_status cni_pass_on(cni_collective *run, uint32_t node, cni_copy copy, uint32_t holder,
                                 cni_push_fn push)
{
    const cni_operation *operation = &run->operation[copy.operation];
    const cni_plan *plan = operation->plan;
    cni_copy next = copy;
    next.detour = CNI_DIRECT;
    if (copy.detour == CNI_AWAY) {
        next.detour = CNI_BACK;
        next.port = copy.back;
        if (!operation->spreads)
            return cni_put_in_line(run, node, next, holder, push);
    }
    if (plan == NULL) {
        next = cni_settle_port(run, node, cni_next_port(run, node, copy), next);
        return cni_put_in_line(run, node, next, holder, push);
    }
    uint32_t end = plan->place[copy.place + 1].first;
    for (next.place = plan->place[copy.place].first; next.place < end; next.place++) {
        next = cni_settle_port(run, node, plan->place[next.place].port, next);
        CNI_TRY(cni_put_in_line(run, node, next, holder, push));
        next.detour = CNI_DIRECT;
    }
    return CN_OK;
}

#endif

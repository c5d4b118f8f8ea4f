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

/* What holds throughout a cycle, for functions of which each kind has a copy of its own. */
enum {
    CNI_WITH_DETOURS = 1,
    CNI_PLAIN_WAYS = 2 /* run->plain */
};

/* What becomes of a copy that has come to a node. */
typedef struct cni_fate {
    uint32_t onward; /* copies that will go on from there */
    uint32_t ends;   /* 1: it is for the node */
} cni_fate;

/* Of one over whose channel it can come; the plan is that of its operation. Without branches where it goes alone: most could
 * not be foreseen. */
CNI_INLINE cni_fate cni_fate_of(const cni_plan *plan, uint32_t node, const cni_copy *copy, int kind)
{
    uint32_t away = (kind & CNI_WITH_DETOURS) && cni_detour(copy) == CNI_AWAY;
    uint32_t other = copy->place != node;
    if (plan == NULL)
        return (cni_fate){.onward = away | other, .ends = (away | other) ^ 1};
    return (cni_fate){.onward = away ? 1 : cni_children(plan, copy->place),
                      .ends = plan->place[copy->place].delivers & (away ^ 1)};
}

/* One more copy crosses a channel. */
static inline void cni_count_crossing(cni_collective *run, uint32_t row[])
{
    uint32_t load = ++row[CNI_LOAD];
    if (load > run->peak_channel)
        run->peak_channel = load;
}

/* The least cycle after which a copy that waits for its channel could have crossed it. */
static inline uint64_t cni_since(const cni_operation *operation, const cni_copy *copy)
{
    return operation->start + cni_hops(copy);
}

/* One more that could have crossed, or not before. */
static inline void cni_note_since(uint64_t since, uint32_t *least)
{
    if (CNI_RARELY(since < *least))
        *least = (uint32_t)since;
}

/* For the bound: one more copy, which is not counted where it may go elsewhere another time. */
CNI_INLINE void cni_count_for_bound(const cni_copy *copy, uint64_t since, cni_tally *tally,
                                    int wandering)
{
    if (!wandering || cni_hops(copy) == 0) {
        tally->load++;
        cni_note_since(since, &tally->since);
    }
}

static inline void cni_turn_aside(cni_copy *copy, uint32_t port, uint32_t back)
{
    copy->port = (uint16_t)port;
    copy->back = (uint16_t)back;
    cni_set_detour(copy, CNI_AWAY);
}

/* The adaptive rule (Ziavras & Krishnamurthy 1999, 7): where others are in line, over an empty channel
 * to a neighbour of the next node; the first one after the channel that is meant, going round. */
CNI_INLINE cni_copy cni_settle_port(const cni_collective *run, uint32_t node, uint32_t port,
                                    cni_copy copy, int kind)
{
    copy.port = (uint16_t)port;
    if (!(kind & CNI_WITH_DETOURS) || cni_detour(&copy) == CNI_BACK)
        return copy;
    const uint64_t *in_line = run->in_line;
    const uint32_t first = cni_line_bit(run, node, 0);
    if (!cni_set_has(in_line, first + port))
        return copy;
    uint32_t base, ports = cni_ports_around(&run->routes, node, port, &base), end = base + ports;
    if (kind & CNI_PLAIN_WAYS) { /* any of them leads back */
        uint32_t other = cni_set_next_outside(in_line, first + base, ports, first + port) - first;
        if (other != port)
            cni_turn_aside(&copy, other, cni_port_back(&run->routes, node, other, port));
        return copy;
    }
    for (int after = 1; after >= 0; after--, end = port) {
        uint32_t other = after ? port + 1 : base;
        while ((other = cni_set_first_outside(in_line, first + other, first + end) - first) < end) {
            uint32_t back = cni_port_back(&run->routes, node, other, port);
            if (back != CN_NO_PORT) {
                cni_turn_aside(&copy, other, back);
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
        return cni_route_least_used(&run->routes, node, copy.place, cni_start(&copy), given);
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
    return cni_route_hop(&run->routes, node, copy.place, cni_start(&copy)).port;
}

/* Puts the copies that go on in line. */
CNI_INLINE cn_status cni_pass_on(cni_collective *run, uint32_t node, cni_copy copy, uint32_t holder,
                                 int kind, cni_push_fn push)
{
    const int detours = kind & CNI_WITH_DETOURS;
    cni_copy next = copy;
    if (kind & CNI_PLAIN_WAYS) {
        uint32_t port = copy.back;
        int away = detours && cni_detour(&copy) == CNI_AWAY;
        if (detours)
            cni_set_detour(&next, away ? CNI_BACK : CNI_DIRECT);
        if (!away)
            port = cni_route_hop(&run->routes, node, copy.place, cni_start(&copy)).port;
        return push(run, node, cni_settle_port(run, node, port, next, kind), holder);
    }
    const cni_operation *operation = &run->operation[copy.operation];
    const cni_plan *plan = operation->plan;
    if (detours)
        cni_set_detour(&next, CNI_DIRECT);
    if (detours && cni_detour(&copy) == CNI_AWAY) {
        cni_set_detour(&next, CNI_BACK);
        next.port = copy.back;
        if (!operation->spreads)
            return cni_put_in_line(run, node, next, holder, push);
    }
    if (plan == NULL) {
        next = cni_settle_port(run, node, cni_next_port(run, node, copy), next, kind);
        return cni_put_in_line(run, node, next, holder, push);
    }
    uint32_t end = plan->place[copy.place + 1].first;
    for (next.place = plan->place[copy.place].first; next.place < end; next.place++) {
        next = cni_settle_port(run, node, plan->place[next.place].port, next, kind);
        CNI_TRY(cni_put_in_line(run, node, next, holder, push));
        if (detours)
            cni_set_detour(&next, CNI_DIRECT);
    }
    return CN_OK;
}

#endif

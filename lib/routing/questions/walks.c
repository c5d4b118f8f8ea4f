#include "routing/questions/walks.h"

#include <string.h>

#include "base/error.h"
#include "base/inline.h"
#include "topology/topology.h"

static void fill_heads(cni_walks *w)
{
    const cn_topology *t = w->routing->topology;
    for (uint64_t v = 0; v < t->nodes; v++)
        for (uint32_t p = 0; p < cni_degree(t, v); p++) {
            uint64_t state = cni_neighbor(t, v, p);
            if (w->is_stored && !w->routing->kind->asks_more)
                state += cni_routing_after(w->routing, 0, state, v, p, CNI_STORED) * t->nodes;
            w->heads[v * t->max_degree + p] = (uint32_t)state;
        }
}

static cn_status list_served(const char *function, const cn_routing *routing, uint32_t **served)
{
    const cn_topology *t = routing->topology;
    if (t->nodes > CNI_WALKS_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s has %llu nodes, but walks are examined in networks of at most %llu",
                        function, t->name, (unsigned long long)t->nodes,
                        (unsigned long long)CNI_WALKS_NODES);
    uint32_t *list = *served = cni_allocate((size_t)routing->served_count + 1, sizeof *list);
    CNI_TRY_MEMORY(list);
    for (uint32_t v = 0; v < t->nodes; v++)
        if (cni_routing_serves(routing, v))
            *list++ = v;
    return CN_OK;
}

cn_status cni_walks_open(const char *function, const cn_routing *routing, int is_stored,
                         cni_budget *budget, cni_walks *walks)
{
    const cn_routing *leg = routing->leg;
    const cn_topology *t = leg->topology;
    *walks = (cni_walks){.routing = leg,
                         .is_stored = is_stored,
                         .budget = budget,
                         .served_count = (size_t)leg->served_count};
    CNI_TRY(list_served(function, leg, &walks->served));
    size_t nodes = walks->nodes = (size_t)t->nodes;
    size_t states = walks->states = nodes * leg->classes;
    const cni_array arrays[] = {
        CNI_ARRAY(walks->heads, nodes * t->max_degree + 1),
        CNI_ARRAY(walks->order, states + 1),
        CNI_ARRAY(walks->found, states + 1),
        CNI_ARRAY(walks->first, states),
        CNI_ARRAY(walks->count, states),
        CNI_ARRAY(walks->waiting, states),
    };
    CNI_TRY(cni_allocate_arrays(&walks->block, arrays));
    /* the array is there where there is no step: pointers are made to its places */
    CNI_TRY(cni_grow(&walks->steps, &walks->step_capacity, 1, sizeof *walks->steps));
    fill_heads(walks);
    return CN_OK;
}

void cni_walks_close(cni_walks *walks)
{
    cni_release(walks->served);
    cni_release(walks->block);
    cni_release(walks->steps);
    *walks = (cni_walks){0};
}

/* found has room for one more than there are states. Returns where the next step is put. */
CNI_INLINE cni_step *add_step(cni_step *next, uint32_t state, uint32_t channel, uint32_t found[],
                              uint32_t waiting[], size_t *reached)
{
    *next = (cni_step){state, channel};
    found[*reached] = state;
    *reached += waiting[state]++ == 0;
    return next + 1;
}

/* Over each port into each class once, but for two virtual channels apart that lead into one. Here and below, returns the end
 * of the steps. */
static cni_step *step_worm(cni_walks *w, uint32_t node, uint32_t class, uint32_t target,
                           const cni_lane *lane, cni_step *step)
{
    const cn_routing *r = w->routing;
    uint32_t first = node * r->topology->max_degree, none = UINT32_MAX;
    for (uint64_t ports = lane->ports; ports != 0; ports &= ports - 1) {
        uint32_t port = cni_lowest_bit(ports), before = none;
        for (uint64_t set = cni_cut_set(lane->set, r->least); set != 0; set &= set - 1) {
            uint32_t next = cni_routing_after(r, class, target, node, port, cni_lowest_bit(set));
            if (next != before)
                step = add_step(step, w->heads[first + port] + next * (uint32_t)w->nodes,
                                first + port, w->found, w->waiting, &w->reached);
            before = next;
        }
    }
    return step;
}

CNI_INLINE cni_step *step_stored(cni_walks *w, uint32_t node, uint32_t class, uint32_t target,
                                 cni_step *step)
{
    const cn_routing *r = w->routing;
    const uint32_t first = node * r->topology->max_degree, *heads = w->heads + first;
    const int asks = r->kind->asks_more;
    uint32_t *found = w->found, *waiting = w->waiting;
    size_t reached = w->reached;
    uint64_t ports = cni_routing_ports(r, node, class, target);
    for (; ports != 0; ports &= ports - 1) {
        uint32_t port = cni_lowest_bit(ports), state = heads[port];
        if (asks)
            state +=
                cni_routing_after(r, class, target, node, port, CNI_STORED) * (uint32_t)w->nodes;
        step = add_step(step, state, first + port, found, waiting, &reached);
    }
    w->reached = reached;
    return step;
}

static cni_step *step_by_lanes(cni_walks *w, uint32_t node, uint32_t class, uint32_t target,
                               cni_step *step)
{
    cni_entry room;
    const cni_entry *entry = cni_routing_next(w->routing, node, class, target, &room);
    for (uint32_t i = 0; i < entry->lanes; i++)
        step = step_worm(w, node, class, target, &entry->lane[i], step);
    return step;
}

CNI_INLINE cn_status expand(cni_walks *w, uint32_t state, uint32_t target)
{
    const cn_routing *r = w->routing;
    uint32_t node = state, class = 0;
    if (state >= w->nodes) {
        node = (uint32_t)(state % w->nodes);
        class = (uint32_t)(state / w->nodes);
    }
    w->first[state] = w->step_count;
    w->count[state] = 0;
    if (node == target)
        return CN_OK;
    size_t most = (size_t)r->topology->max_degree * (w->is_stored ? 1 : CNI_LANES * r->least);
    if (w->step_capacity < w->step_count + most)
        CNI_TRY(cni_grow(&w->steps, &w->step_capacity, w->step_count + most, sizeof *w->steps));
    cni_step *begin = w->steps + w->step_count;
    cni_step *end = w->is_stored ? step_stored(w, node, class, target, begin)
                                 : step_by_lanes(w, node, class, target, begin);
    w->step_count += w->count[state] = (uint32_t)(end - begin);
    w->dead_ends += w->count[state] == 0;
    return CN_OK;
}

/* A state follows when all steps to it have been made, a source when no other leads to it. With a flow, each state sends what
 * has come to it. */
CNI_INLINE void put_in_order(cni_walks *w, size_t sources, double flow[], double loads[])
{
    uint32_t *order = w->order, *waiting = w->waiting;
    size_t end = 0;
    for (size_t i = 0; i < sources; i++) {
        order[end] = w->found[i];
        end += --waiting[order[end]] == 0;
    }
    for (size_t at = 0; at < end; at++) {
        uint32_t state = order[at], count = w->count[state];
        const cni_step *step = w->steps + w->first[state], *last = step + count;
        double share = flow == NULL || count == 0 ? 0.0 : flow[state] / count;
        if (flow != NULL)
            flow[state] = 0.0;
        for (; step < last; step++) {
            order[end] = step->state;
            end += --waiting[step->state] == 0;
            if (flow == NULL)
                continue;
            loads[step->channel] += share;
            flow[step->state] += share;
        }
    }
    w->ordered = end;
}

/* Finds all states that are reached, and their steps. */
CNI_APART cn_status find_states(cni_walks *w, uint32_t target, const uint32_t sources[],
                                size_t count)
{
    memset(w->waiting, 0, w->states * sizeof *w->waiting);
    w->step_count = w->dead_ends = w->reached = 0;
    for (size_t i = 0; i < count; i++) {
        w->found[w->reached++] = sources[i];
        w->waiting[sources[i]] = 1; /* for itself */
    }
    for (size_t at = 0; at < w->reached; at++)
        CNI_TRY(expand(w, w->found[at], target));
    return cni_budget_go_on(w->budget, w->states + 8 * w->step_count);
}

cn_status cni_walks_load(cni_walks *walks, uint32_t target, const uint32_t sources[], size_t count,
                         double flow[], double loads[])
{
    CNI_TRY(find_states(walks, target, sources, count));
    if (flow == NULL)
        put_in_order(walks, count, NULL, NULL);
    else
        put_in_order(walks, count, flow, loads);
    return CN_OK;
}

cn_status cni_walks_to(cni_walks *walks, uint32_t target, const uint32_t sources[], size_t count)
{
    return cni_walks_load(walks, target, sources, count, NULL, NULL);
}

void cni_walks_lengths(const cni_walks *walks, uint32_t shortest[], uint32_t longest[])
{
    for (size_t at = walks->ordered; at-- > 0;) {
        uint32_t state = walks->order[at], count = walks->count[state], most = 0;
        uint32_t least = count == 0 ? 0 : UINT32_MAX;
        const cni_step *step = walks->steps + walks->first[state];
        for (uint32_t i = 0; i < count; i++) {
            uint32_t left = shortest[step[i].state] + 1, longer = longest[step[i].state] + 1;
            least = left < least ? left : least;
            most = longer > most ? longer : most;
        }
        shortest[state] = least;
        longest[state] = most;
    }
}

cn_status cni_walks_check(const char *function, const cni_walks *walks, uint64_t target)
{
    if (walks->ordered == walks->reached && walks->dead_ends == 0)
        return CN_OK;
    return cni_fail(CN_ERR_INTERNAL, "%s: %s has a walk to node %llu that never reaches it",
                    function, walks->routing->kind->name, (unsigned long long)target);
}

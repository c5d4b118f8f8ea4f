/* The graph of states of all walks to one target, in an order in which every step leads forward. */
#include "routing/questions/walks.h"

#include <string.h>

#include "base/bits.h"
#include "base/error.h"
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

/* Lists the nodes at which legs begin or end. */
static cn_status list_ends(const char *function, const cn_routing *routing, cni_walks *w)
{
    const cn_topology *t = routing->topology;
    if (t->nodes > CNI_WALKS_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s has %llu nodes, but walks are examined in networks of at most %llu",
                        function, t->name, (unsigned long long)t->nodes,
                        (unsigned long long)CNI_WALKS_NODES);
    w->ends = cni_allocate((size_t)routing->served_count + 1, sizeof *w->ends);
    CNI_TRY_MEMORY(w->ends);
    for (uint32_t v = 0; v < t->nodes; v++)
        if (cni_routing_is_host(routing, v) ||
            (routing->kind->legs > 1 && cni_routing_is_middle(routing, v)))
            w->ends[w->end_count++] = v;
    return CN_OK;
}

cn_status cni_walks_open(const char *function, const cn_routing *routing, int is_stored,
                         cni_budget *budget, cni_walks *walks)
{
    const cn_routing *leg = routing->leg;
    const cn_topology *t = leg->topology;
    *walks = (cni_walks){.routing = leg, .is_stored = is_stored, .budget = budget};
    CNI_TRY(list_ends(function, routing, walks));
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
    /* the array exists even without a step, because pointers lead to its places */
    CNI_TRY(cni_grow(&walks->steps, &walks->step_capacity, 1, sizeof *walks->steps));
    fill_heads(walks);
    return CN_OK;
}

void cni_walks_close(cni_walks *walks)
{
    cni_release(walks->ends);
    cni_release(walks->block);
    cni_release(walks->steps);
    *walks = (cni_walks){0};
}

/* The ends of the lists of steps and of found states, kept in registers while a state is
 * expanded. */
typedef struct walk_ends {
    cni_step *step;
    uint32_t *found;
} walk_ends;

/* found has room for one more than the number of states. */
static inline void add_step(walk_ends *e, uint32_t waiting[], uint32_t state, uint32_t channel)
{
    *e->step++ = (cni_step){state, channel};
    *e->found = state;
    e->found += waiting[state]++ == 0;
}

/* Makes one step over each port into each class. (Two steps into one class arise only where a
 * virtual channel into another class lies between two virtual channels into this one.) */
static void step_worm(const cni_walks *w, walk_ends *e, uint32_t node, uint32_t class,
                      uint32_t target, const cni_lane *lane)
{
    const cn_routing *r = w->routing;
    uint32_t first = node * r->topology->max_degree, none = UINT32_MAX;
    for (uint64_t ports = lane->ports; ports != 0; ports &= ports - 1) {
        uint32_t port = cni_lowest_bit(ports), before = none;
        for (uint64_t set = cni_cut_set(lane->set, r->least); set != 0; set &= set - 1) {
            uint32_t next = cni_routing_after(r, class, target, node, port, cni_lowest_bit(set));
            if (next != before)
                add_step(e, w->waiting, w->heads[first + port] + next * (uint32_t)w->nodes,
                         first + port);
            before = next;
        }
    }
}

static inline void step_stored(const cni_walks *w, walk_ends *e, uint32_t node, uint32_t class,
                               uint32_t target)
{
    const cn_routing *r = w->routing;
    const int asks = r->kind->asks_more;
    uint32_t first = node * r->topology->max_degree, *waiting = w->waiting;
    uint64_t ports = cni_routing_ports(r, node, class, target);
    for (; ports != 0; ports &= ports - 1) {
        uint32_t port = cni_lowest_bit(ports), state = w->heads[first + port];
        if (asks)
            state +=
                cni_routing_after(r, class, target, node, port, CNI_STORED) * (uint32_t)w->nodes;
        add_step(e, waiting, state, first + port);
    }
}

static void step_by_lanes(const cni_walks *w, walk_ends *e, uint32_t node, uint32_t class,
                          uint32_t target)
{
    cni_entry room;
    const cni_entry *entry = cni_routing_next(w->routing, node, class, target, &room);
    for (uint32_t i = 0; i < entry->lanes; i++)
        step_worm(w, e, node, class, target, &entry->lane[i]);
}

/* Appends the steps from a state, and the states that no other step led to before. */
static cn_status expand(cni_walks *w, uint32_t state, uint32_t target)
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
    walk_ends e = {w->steps + w->step_count, w->found + w->reached};
    if (w->is_stored)
        step_stored(w, &e, node, class, target);
    else
        step_by_lanes(w, &e, node, class, target);
    w->step_count = (size_t)(e.step - w->steps);
    w->reached = (size_t)(e.found - w->found);
    w->count[state] = (uint32_t)(w->step_count - w->first[state]);
    w->dead_ends += w->count[state] == 0;
    return CN_OK;
}

/* Puts the states in their order: a state when all steps into it have been followed. A source waits
 * also for itself. */
static void put_in_order(cni_walks *w, size_t sources)
{
    uint32_t *end = w->order, *waiting = w->waiting;
    for (size_t i = 0; i < sources; i++) {
        *end = w->found[i];
        end += --waiting[*end] == 0;
    }
    for (const uint32_t *state = w->order; state < end; state++) {
        const cni_step *step = w->steps + w->first[*state], *last = step + w->count[*state];
        for (; step < last; step++) {
            *end = step->state;
            end += --waiting[step->state] == 0;
        }
    }
    w->ordered = (size_t)(end - w->order);
}

cn_status cni_walks_to(cni_walks *walks, uint32_t target, const uint32_t sources[], size_t count)
{
    memset(walks->waiting, 0, walks->states * sizeof *walks->waiting);
    walks->step_count = walks->dead_ends = walks->reached = 0;
    for (size_t i = 0; i < count; i++) {
        walks->found[walks->reached++] = sources[i];
        walks->waiting[sources[i]] = 1; /* for itself, see put_in_order() */
    }
    for (size_t at = 0; at < walks->reached; at++)
        CNI_TRY(expand(walks, walks->found[at], target));
    put_in_order(walks, count);
    return cni_budget_go_on(walks->budget, walks->states + 8 * walks->step_count);
}

cn_status cni_walks_send(cni_walks *walks, uint32_t target, const uint32_t sources[], size_t count,
                         double flow[], double loads[])
{
    CNI_TRY(cni_walks_to(walks, target, sources, count));
    /* all of the flow of a state has come when it follows in the order */
    for (size_t at = 0; at < walks->ordered; at++) {
        uint32_t state = walks->order[at], steps = walks->count[state];
        const cni_step *step = walks->steps + walks->first[state];
        double share = steps > 0 ? flow[state] / steps : 0.0;
        flow[state] = 0.0;
        for (uint32_t i = 0; i < steps; i++) {
            loads[step[i].channel] += share;
            flow[step[i].state] += share;
        }
    }
    return CN_OK;
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

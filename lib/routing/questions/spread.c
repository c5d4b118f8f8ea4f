#include "routing/questions/spread.h"

#include "base/error.h"
#include "topology/topology.h"

static void fill_heads(cni_spread *f)
{
    const cn_topology *t = f->routing->topology;
    for (uint64_t v = 0; v < t->nodes; v++)
        for (uint32_t p = 0; p < cni_degree(t, v); p++) {
            uint64_t state = cni_neighbor(t, v, p);
            if (!f->asks)
                state += cni_routing_after(f->routing, 0, state, v, p, CNI_STORED) * t->nodes;
            f->heads[v * t->max_degree + p] = (uint32_t)state;
        }
}

cn_status cni_spread_open(const cn_routing *routing, cni_spread *spread)
{
    const cn_topology *t = routing->topology;
    size_t nodes = (size_t)t->nodes, states = nodes * routing->classes;
    *spread = (cni_spread){.routing = routing, .nodes = nodes, .asks = routing->kind->asks_more};
    const cni_array arrays[] = {
        CNI_ARRAY(spread->heads, nodes * t->max_degree + 1),
        CNI_ARRAY(spread->at, states),
        CNI_ARRAY(spread->ports, states),
        CNI_ARRAY(spread->waiting, states),
        CNI_ARRAY(spread->order, states + 1),
        CNI_ARRAY(spread->count, states),
    };
    CNI_TRY(cni_allocate_arrays(&spread->block, arrays));
    fill_heads(spread);
    return CN_OK;
}

void cni_spread_close(cni_spread *spread)
{
    cni_release(spread->block);
    *spread = (cni_spread){0};
}

/* A node and a class, and what a message may take there. */
typedef struct place {
    uint32_t node, class;
    uint64_t ports;
} place;

static inline place place_of(const cni_spread *f, uint32_t state)
{
    uint32_t nodes = (uint32_t)f->nodes;
    place p = {state, 0, f->ports[state]};
    if (state >= nodes) {
        p.node = state % nodes;
        p.class = state / nodes;
    }
    return p;
}

static inline uint32_t next_of(const cni_spread *f, int asks, const place *at, uint32_t target,
                               const uint32_t heads[], uint32_t port)
{
    uint32_t next = heads[port];
    if (asks)
        next += cni_routing_after(f->routing, at->class, target, at->node, port, CNI_STORED) *
                (uint32_t)f->nodes;
    return next;
}

/* What may be taken in these states. */
static void find_ports(cni_spread *f, uint32_t target, const uint32_t states[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        place at = place_of(f, states[i]);
        f->ports[states[i]] =
            at.node == target ? 0 : cni_routing_ports(f->routing, at.node, at.class, target);
    }
}

/* Finds all states that are reached, and how many ways lead to each. A source waits for itself. */
static size_t count_ways(cni_spread *f, uint32_t target, const uint32_t sources[], size_t count)
{
    uint32_t *order = f->order, *waiting = f->waiting;
    size_t ports = f->routing->topology->max_degree, end = count, looked = 0;
    int asks = f->asks;
    for (size_t i = 0; i < count; i++) {
        order[i] = sources[i];
        waiting[sources[i]] = 1;
    }
    for (size_t i = 0; i < end; i++) {
        if (i == looked) {
            find_ports(f, target, order + i, end - i);
            looked = end;
        }
        place at = place_of(f, order[i]);
        const uint32_t *heads = f->heads + at.node * ports;
        unsigned char ways = 0;
        for (uint64_t left = at.ports; left != 0; left &= left - 1, ways++) {
            uint32_t next = next_of(f, asks, &at, target, heads, cni_lowest_bit(left));
            order[end] = next;
            end += waiting[next]++ == 0;
        }
        f->count[order[i]] = ways;
    }
    return end;
}

/* Returns how many states have sent. */
static size_t send_on(cni_spread *f, uint32_t target, size_t sources, double loads[])
{
    uint32_t *order = f->order, *waiting = f->waiting;
    size_t ports = f->routing->topology->max_degree, end = 0;
    int asks = f->asks;
    double *at = f->at;
    for (size_t i = 0; i < sources; i++) {
        order[end] = order[i];
        end += --waiting[order[end]] == 0;
    }
    for (size_t i = 0; i < end; i++) {
        uint32_t state = order[i];
        place here = place_of(f, state);
        const uint32_t *heads = f->heads + here.node * ports;
        double *load = loads + here.node * ports, come = at[state];
        at[state] = 0.0;
        if (here.node == target)
            continue;
        if (here.ports == 0)
            return 0;
        double share = come / f->count[state];
        for (uint64_t left = here.ports; left != 0; left &= left - 1) {
            uint32_t port = cni_lowest_bit(left),
                     next = next_of(f, asks, &here, target, heads, port);
            load[port] += share;
            at[next] += share;
            order[end] = next;
            end += --waiting[next] == 0;
        }
    }
    return end;
}

int cni_spread_to(cni_spread *spread, uint32_t target, const uint32_t sources[], size_t count,
                  double loads[])
{
    size_t reached = count_ways(spread, target, sources, count);
    return send_on(spread, target, count, loads) == reached;
}

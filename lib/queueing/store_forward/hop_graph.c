#include "queueing/store_forward/hop_graph.h"

#include <string.h>

#include "base/error.h"
#include "routing/questions/walks.h"

static void fill_heads(cni_hop_graph *graph)
{
    const cn_topology *t = graph->routing->topology;
    for (uint32_t v = 0; v < graph->nodes; v++) {
        if (cni_routing_serves(graph->routing, v))
            graph->served[graph->served_count++] = v;
        for (uint32_t p = 0; p < cni_degree(t, v); p++)
            graph->heads[v * t->max_degree + p] = (uint32_t)cni_neighbor(t, v, p);
    }
}

cn_status cni_hop_graph_open(const char *function, const cn_routing *routing, cni_hop_graph *graph)
{
    const cn_topology *t = routing->topology;
    *graph = (cni_hop_graph){.routing = routing};
    if (t->nodes > CNI_WALKS_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s has %llu nodes, but the model covers networks of at most %llu",
                        function, t->name, (unsigned long long)t->nodes,
                        (unsigned long long)CNI_WALKS_NODES);
    size_t nodes = graph->nodes = (size_t)t->nodes;
    size_t states = graph->states = nodes * (routing->classes / routing->kind->legs);
    graph->served = cni_allocate(nodes, sizeof *graph->served);
    graph->heads = cni_allocate(nodes * t->max_degree + 1, sizeof *graph->heads);
    graph->order = cni_allocate(states + 1, sizeof *graph->order);
    graph->found = cni_allocate(states + 1, sizeof *graph->found);
    graph->first = cni_allocate(states, sizeof *graph->first);
    graph->count = cni_allocate(states, sizeof *graph->count);
    graph->waiting = cni_allocate(states, sizeof *graph->waiting);
    if (graph->served == NULL || graph->heads == NULL || graph->order == NULL ||
        graph->found == NULL || graph->first == NULL || graph->count == NULL ||
        graph->waiting == NULL)
        return CN_ERR_MEMORY;
    fill_heads(graph);
    return CN_OK;
}

void cni_hop_graph_close(cni_hop_graph *graph)
{
    cni_release(graph->served);
    cni_release(graph->heads);
    cni_release(graph->order);
    cni_release(graph->found);
    cni_release(graph->first);
    cni_release(graph->count);
    cni_release(graph->waiting);
    cni_release(graph->hops);
    *graph = (cni_hop_graph){0};
}

/* Adds the hops from a state; states that were not reached before follow those in `found`. */
static cn_status expand(cni_hop_graph *graph, uint32_t state, uint32_t target, size_t *reached)
{
    const cn_routing *r = graph->routing;
    uint32_t node = (uint32_t)(state % graph->nodes), class = (uint32_t)(state / graph->nodes);
    uint32_t channel = node * r->topology->max_degree;
    graph->first[state] = graph->hop_count;
    graph->count[state] = 0;
    if (node == target)
        return CN_OK;
    CNI_TRY(cni_grow((void **)&graph->hops, &graph->hop_capacity, graph->hop_count + CNI_MOST_PORTS,
                     sizeof *graph->hops));
    uint64_t ports = cni_routing_ports(r, node, class, target);
    for (; ports != 0; ports &= ports - 1) {
        uint32_t port = cni_lowest_bit(ports), next = graph->heads[channel + port];
        next +=
            cni_routing_after(r, class, target, node, port, CNI_STORED) * (uint32_t)graph->nodes;
        graph->hops[graph->hop_count++] = (cni_stored_hop){next, channel + port};
        graph->found[*reached] = next;
        *reached += graph->waiting[next]++ == 0;
    }
    graph->count[state] = (uint32_t)(graph->hop_count - graph->first[state]);
    return CN_OK;
}

/* A state follows when all hops to it have been made. Sources wait for themselves, too. */
static void put_in_order(cni_hop_graph *graph, size_t sources)
{
    uint32_t *order = graph->order, *waiting = graph->waiting;
    size_t end = 0;
    for (size_t i = 0; i < sources; i++) {
        order[end] = graph->found[i];
        end += --waiting[order[end]] == 0;
    }
    for (size_t at = 0; at < end; at++) {
        const cni_stored_hop *hop = graph->hops + graph->first[order[at]];
        const cni_stored_hop *last = hop + graph->count[order[at]];
        for (; hop < last; hop++) {
            order[end] = hop->state;
            end += --waiting[hop->state] == 0;
        }
    }
    graph->ordered = end;
}

cn_status cni_hop_graph_to(const char *function, cni_hop_graph *graph, uint32_t target,
                           const uint32_t sources[], size_t count)
{
    size_t reached = count, dead_ends = 0;
    memset(graph->waiting, 0, graph->states * sizeof *graph->waiting);
    graph->hop_count = 0;
    for (size_t i = 0; i < count; i++) {
        graph->found[i] = sources[i];
        graph->waiting[sources[i]] = 1;
    }
    for (size_t at = 0; at < reached; at++) {
        CNI_TRY(expand(graph, graph->found[at], target, &reached));
        dead_ends +=
            graph->count[graph->found[at]] == 0 && graph->found[at] % graph->nodes != target;
    }
    put_in_order(graph, count);
    if (graph->ordered == reached && dead_ends == 0)
        return CN_OK;
    return cni_fail(CN_ERR_INTERNAL, "%s: %s has a walk to node %lu that does not come to it",
                    function, graph->routing->kind->name, (unsigned long)target);
}

/*
 * A network whose links take several cycles: each link is a chain of relays, a wire with registers.
 * The network is stored as a graph.
 */

#include <stdio.h>
#include <string.h>

#include "cubenet/experimental/hosts.h"

#include "base/error.h"
#include "topology/families/stored_graph.h"

enum { MOST_LENGTH = 64 };
#define MOST_NODES (UINT64_C(1) << 27)
#define MOST_CHANNELS (UINT64_C(1) << 31)

static cn_status fail_size(const char *function, const cn_topology *base)
{
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: with the relays of its links %s has more than 2^27 nodes or 2^31 channels",
                    function, base->name);
}

/* The links of a network, each counted at its first end, and the channels. */
static cn_status count_links(const cn_topology *base, cni_budget *budget, uint64_t *links,
                             uint64_t *channels)
{
    *links = *channels = 0;
    for (uint64_t v = 0; v < base->nodes; v++) {
        uint32_t ports = base->ops->degree(base, v);
        CNI_TRY(cni_budget_go_on(budget, 1 + 4 * (uint64_t)ports));
        *channels += ports;
        if (base->nodes > MOST_NODES || *channels > MOST_CHANNELS)
            return fail_size(budget->function, base);
        for (uint32_t p = 0; p < ports; p++)
            *links += (uint64_t)cni_is_first_end(base, v, p);
    }
    return CN_OK;
}

/* Adds the number of relays to *relays, and clears *are_even unless all links have one length. */
static cn_status sum_lengths(const cn_topology *base, uint64_t links, const uint32_t lengths[],
                             size_t count, cni_budget *budget, uint64_t *relays, int *are_even)
{
    if (count == 0 || (count != 1 && count != links))
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: count = %zu, but %s has %llu links: 1 length is that of all",
                        budget->function, count, base->name, (unsigned long long)links);
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] < 1 || lengths[i] > MOST_LENGTH)
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: lengths[%zu] = %lu, but a link takes 1 to %d cycles",
                            budget->function, i, (unsigned long)lengths[i], MOST_LENGTH);
        *are_even &= lengths[i] == lengths[0];
        *relays += lengths[i] - 1;
    }
    *relays *= count == 1 ? links : 1;
    return CN_OK;
}

/* Puts a link, whose relays have the numbers from `relay` on: the channels at both ends, and those
 * of the relays. */
static void put_link(cni_stored_graph *graph, uint64_t node, uint32_t port, uint64_t relay,
                     uint64_t relays)
{
    const cn_topology *base = graph->common.base;
    uint64_t far = base->ops->neighbor(base, node, port);
    uint32_t back = base->ops->back_port(base, node, port);
    graph->neighbor[graph->first[node] + port] = (uint32_t)(relays > 0 ? relay : far);
    if (back != CN_NO_PORT)
        graph->neighbor[graph->first[far] + back] =
            (uint32_t)(relays > 0 ? relay + relays - 1 : node);
    for (uint64_t i = 0; i < relays; i++) {
        size_t at = graph->first[relay + i];
        if (back != CN_NO_PORT)
            graph->neighbor[at++] = (uint32_t)(i == 0 ? node : relay + i - 1);
        graph->neighbor[at++] = (uint32_t)(i == relays - 1 ? far : relay + i + 1);
        graph->first[relay + i + 1] = at;
    }
}

/* Hosts are those of the base. */
static cn_status take_hosts(cni_stored_graph *graph)
{
    cn_topology *t = &graph->common;
    t->hosts = t->base->hosts;
    t->hosts_forward = t->base->hosts_forward;
    t->host_at = t->base->host_at;
    if (t->base->host_rank == NULL)
        return CN_OK;
    t->host_rank = graph->host_rank = cni_allocate(t->nodes, sizeof *graph->host_rank);
    CNI_TRY_MEMORY(graph->host_rank);
    for (uint64_t v = 0; v < t->nodes; v++)
        graph->host_rank[v] = v < t->base->nodes ? t->base->host_rank[v] : CNI_NO_HOST;
    return CN_OK;
}

/* The arrays of the graph and what follows from them. */
static cn_status fill(cni_stored_graph *graph, uint64_t channels, cni_budget *budget)
{
    cn_topology *t = &graph->common;
    const cn_topology *base = t->base;
    uint64_t relay = base->nodes, link = 0;
    graph->neighbor = cni_allocate(channels + 2 * t->relays, sizeof *graph->neighbor);
    CNI_TRY_MEMORY(graph->neighbor);
    for (uint64_t v = 0; v < base->nodes; v++)
        graph->first[v + 1] = graph->first[v] + base->ops->degree(base, v);
    for (uint64_t v = 0; v < base->nodes; v++)
        for (uint32_t p = 0; p < base->ops->degree(base, v); p++) {
            if (!cni_is_first_end(base, v, p))
                continue;
            uint64_t relays = graph->lengths[graph->links > 1 ? link++ : 0] - 1;
            CNI_TRY(cni_budget_go_on(budget, 8 + 4 * relays));
            put_link(graph, v, p, relay, relays);
            relay += relays;
        }
    CNI_TRY(cni_stored_graph_finish(graph, "lengths", budget));
    return take_hosts(graph);
}

static cn_status make(const cn_topology *base, const uint32_t lengths[], size_t count,
                      cni_budget *budget, cn_topology **topology)
{
    uint64_t links, channels, relays = 0;
    int are_even = 1;
    CNI_TRY(count_links(base, budget, &links, &channels));
    CNI_TRY(sum_lengths(base, links, lengths, count, budget, &relays, &are_even));
    if (base->nodes + relays > MOST_NODES)
        return fail_size(budget->function, base);
    cni_stored_graph *graph = cni_stored_graph_new(base->nodes + relays);
    CNI_TRY_MEMORY(graph);
    cn_topology *t = *topology = &graph->common;
    t->family = CNI_WITH_LENGTHS;
    t->base = cni_topology_retain(base);
    t->relays = relays;
    t->first_relay = base->nodes;
    graph->links = are_even ? 1 : count;
    graph->lengths = cni_allocate(graph->links, sizeof *lengths);
    CNI_TRY_MEMORY(graph->lengths);
    memcpy(graph->lengths, lengths, graph->links * sizeof *lengths);
    CNI_TRY(fill(graph, channels, budget));
    t->diameter = are_even ? base->diameter * lengths[0] : 0;
    t->mean_distance = are_even ? base->mean_distance * lengths[0] : 0.0;
    if (are_even)
        snprintf(t->name, sizeof t->name, "%.100s.with_lengths(%lu)", base->name,
                 (unsigned long)lengths[0]);
    else
        snprintf(t->name, sizeof t->name, "%.100s.with_lengths(%llu relays)", base->name,
                 (unsigned long long)relays);
    return CN_OK;
}

cn_status cn_topology_with_lengths(const cn_topology *base, const uint32_t lengths[], size_t count,
                                   const cn_control *control, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE_BOTH(base, lengths);
    CNI_BUDGET(budget, control, 0);
    if (base->base != NULL)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s is composed already; a network gets lengths once, and before its "
                        "hosts",
                        __func__, base->name);
    cn_status status = make(base, lengths, count, &budget, topology);
    if (status != CN_OK)
        cn_topology_free(topology);
    return status;
}

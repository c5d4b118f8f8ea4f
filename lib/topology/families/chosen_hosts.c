/* A stored graph in which some nodes are hosts and the others forward. */
#include "topology/families/stored_graph.h"

#include <stdio.h>
#include <string.h>

#include "cubenet/experimental/hosts.h"

#include "base/error.h"

/* Gives the hosts rank 0, and all other nodes no rank. */
static cn_status mark(cni_stored_graph *graph, const uint64_t hosts[], size_t count,
                      cni_budget *budget)
{
    for (uint64_t v = 0; v < graph->common.nodes; v++)
        graph->host_rank[v] = CNI_NO_HOST;
    for (size_t i = 0; i < count; i++) {
        CNI_TRY(cni_budget_go_on(budget, 1));
        if (hosts[i] >= graph->common.nodes || graph->host_rank[hosts[i]] == 0)
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: hosts[%zu] = %llu, but hosts are different nodes from 0 to %llu",
                            budget->function, i, (unsigned long long)hosts[i],
                            (unsigned long long)(graph->common.nodes - 1));
        graph->host_rank[hosts[i]] = 0;
    }
    return CN_OK;
}

cn_status cni_stored_graph_choose(cni_stored_graph *graph, const uint64_t hosts[], size_t count,
                                  cni_budget *budget)
{
    cn_topology *t = &graph->common;
    uint32_t rank = 0;
    if (count < 2 || count > t->nodes)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but %s has 2 to %llu hosts",
                        budget->function, count, t->name, (unsigned long long)t->nodes);
    graph->host_at = cni_allocate(count, sizeof *graph->host_at);
    graph->host_rank = cni_allocate(t->nodes, sizeof *graph->host_rank);
    if (graph->host_at == NULL || graph->host_rank == NULL)
        return CN_ERR_MEMORY;
    CNI_TRY(mark(graph, hosts, count, budget));
    if (count == t->nodes)
        return CN_OK;
    for (uint64_t v = 0; v < t->nodes; v++)
        if (graph->host_rank[v] == 0) {
            graph->host_at[rank] = (uint32_t)v;
            graph->host_rank[v] = rank++;
        }
    t->hosts = count;
    t->hosts_forward = 0;
    t->host_at = graph->host_at;
    t->host_rank = graph->host_rank;
    size_t length = strcspn(t->name, ")");
    snprintf(t->name + length, sizeof t->name - length, ",hosts=%zu)", count);
    return CN_OK;
}

/* The graph of another, with its name. */
static cn_status copy(const cn_topology *base, cni_budget *budget, cni_stored_graph **copied)
{
    const cni_stored_graph *from = (const cni_stored_graph *)base;
    size_t nodes = (size_t)base->nodes, channels = from->first[nodes];
    cni_stored_graph *to = *copied = cni_stored_graph_new(base->nodes);
    CNI_TRY_MEMORY(to);
    to->neighbor = cni_allocate(channels, sizeof *to->neighbor);
    CNI_TRY_MEMORY(to->neighbor);
    memcpy(to->first, from->first, (nodes + 1) * sizeof *to->first);
    if (channels > 0)
        memcpy(to->neighbor, from->neighbor, channels * sizeof *to->neighbor);
    CNI_TRY(cni_stored_graph_finish(to, "", budget));
    memcpy(to->common.name, base->name, sizeof to->common.name);
    return CN_OK;
}

cn_status cn_topology_choose_hosts(const cn_topology *base, const uint64_t hosts[], size_t count,
                                   const cn_control *control, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE(base);
    CNI_REQUIRE_ARRAY(hosts, count);
    CNI_BUDGET(budget, control, 0);
    if (base->family != CNI_EDGE_LIST)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: hosts are chosen in networks made of edges or of a function, not in "
                        "%s",
                        __func__, base->name);
    CNI_TRY(cni_check_all_hosts(__func__, base));
    cni_stored_graph *graph = NULL;
    cn_status status = copy(base, &budget, &graph);
    if (status == CN_OK)
        status = cni_stored_graph_choose(graph, hosts, count, &budget);
    if (graph == NULL)
        return status;
    *topology = &graph->common;
    if (status != CN_OK)
        cn_topology_free(topology);
    return status;
}

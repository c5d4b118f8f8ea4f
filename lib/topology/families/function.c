/* A graph given by a function of the caller. The constructor asks the function twice for every
 * port, compares the two answers and stores them. The last step, cni_stored_graph_finish(), serves
 * all stored graphs. */
#include "topology/families/stored_graph.h"

#include <stdio.h>

#include "base/error.h"

static const uint64_t MOST_NODES = UINT64_C(1) << 20;
static const uint64_t MOST_CHANNELS = UINT64_C(1) << 31;

typedef struct asker {
    cn_neighbor_fn function;
    void *user;
    uint32_t ports; /* of each node, about which the function is asked */
    cni_budget *budget;
} asker;

static cn_status ask(const asker *a, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    *neighbor = CN_NO_NODE;
    CNI_TRY(cni_budget_go_on(a->budget, 16));
    cn_status status = a->function(a->user, node, port, neighbor);
    if (status == CN_OK)
        return CN_OK;
    return cni_fail(status > CN_OK ? CN_ERR_ARGUMENT : status,
                    "cn_topology_from_function: neighbor returned %d for port %lu of node %llu",
                    (int)status, (unsigned long)port, (unsigned long long)node);
}

/* Stores the neighbours of a node. */
static cn_status store(const asker *a, cni_stored_graph *graph, uint64_t node, size_t *capacity)
{
    size_t end = graph->first[node];
    for (uint32_t port = 0; port < a->ports; port++) {
        uint64_t far;
        CNI_TRY(ask(a, node, port, &far));
        if (far == CN_NO_NODE)
            continue;
        if (far >= graph->common.nodes)
            return cni_fail(
                CN_ERR_ARGUMENT,
                "cn_topology_from_function: neighbor gave %llu for port %lu of node %llu, "
                "but the nodes are 0 to %llu",
                (unsigned long long)far, (unsigned long)port, (unsigned long long)node,
                (unsigned long long)(graph->common.nodes - 1));
        if (end == MOST_CHANNELS)
            return cni_fail(CN_ERR_UNSUPPORTED,
                            "cn_topology_from_function: there are more than 2^31 channels");
        CNI_TRY(cni_grow(&graph->neighbor, capacity, end + 1, sizeof *graph->neighbor));
        graph->neighbor[end++] = (uint32_t)far;
    }
    graph->first[node + 1] = end;
    return CN_OK;
}

/* Asks once more and compares. */
static cn_status repeat(const asker *a, const cni_stored_graph *graph, uint64_t node)
{
    size_t at = graph->first[node], end = graph->first[node + 1];
    int same = 1;
    for (uint32_t port = 0; port < a->ports && same; port++) {
        uint64_t far;
        CNI_TRY(ask(a, node, port, &far));
        if (far != CN_NO_NODE)
            same = at < end && graph->neighbor[at++] == far;
    }
    if (same && at == end)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "cn_topology_from_function: neighbor gave different neighbours of node %llu in "
                    "its second call",
                    (unsigned long long)node);
}

static cn_status tabulate(const asker *a, cni_stored_graph *graph)
{
    size_t capacity = 0;
    for (uint64_t v = 0; v < graph->common.nodes; v++, a->budget->done++)
        CNI_TRY(store(a, graph, v, &capacity));
    for (uint64_t v = 0; v < graph->common.nodes; v++, a->budget->done++)
        CNI_TRY(repeat(a, graph, v));
    return CN_OK;
}

/* The channels that end at node v, as a list: last[v] is the first of them, and before[e] follows
 * channel e. These numbers are places of channels plus one; 0 ends a list. tail[e] is the node at
 * which channel e begins. */
typedef struct arrivals {
    uint32_t *last, *before, *tail;
} arrivals;

static void list_arrivals(const cni_stored_graph *graph, arrivals *in)
{
    for (size_t v = 0; v < graph->common.nodes; v++)
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            in->before[e] = in->last[graph->neighbor[e]];
            in->last[graph->neighbor[e]] = (uint32_t)e + 1;
            in->tail[e] = (uint32_t)v;
        }
}

/* Finds the channel back for every channel, and whether all channels have one. CN_ERR_ARGUMENT
 * for a loop, and for two channels between the same nodes. */
static cn_status match(cni_stored_graph *graph, const arrivals *in, cni_budget *budget,
                       size_t port_to[])
{
    size_t nodes = (size_t)graph->common.nodes, channels = graph->first[nodes], matched = 0;
    for (size_t v = 0; v < nodes; v++) {
        CNI_TRY(cni_budget_go_on(budget, 1 + 16 * (graph->first[v + 1] - graph->first[v])));
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            /* place, plus one, of the last channel to this neighbour so far; a number up to the
             * first place of v is of an earlier node */
            size_t *place = &port_to[graph->neighbor[e]];
            if (graph->neighbor[e] == v || *place > graph->first[v])
                return cni_fail(CN_ERR_ARGUMENT,
                                "%s: node %zu is joined to %lu%s, but a link joins two different "
                                "nodes, and two nodes share at most one",
                                budget->function, v, (unsigned long)graph->neighbor[e],
                                graph->neighbor[e] == v ? "" : " more than once");
            *place = e + 1;
        }
        for (uint32_t i = in->last[v]; i > 0; i = in->before[i - 1]) {
            size_t back = port_to[in->tail[i - 1]];
            int found = back > graph->first[v];
            graph->back_port[i - 1] = found ? (uint32_t)(back - 1 - graph->first[v]) : CN_NO_PORT;
            matched += (size_t)found;
        }
    }
    graph->common.bidirectional = matched == channels;
    graph->common.links = graph->common.bidirectional ? channels / 2 : channels;
    return CN_OK;
}

cn_status cni_stored_graph_finish(cni_stored_graph *graph, const char *made_of, cni_budget *budget)
{
    size_t nodes = (size_t)graph->common.nodes, channels = graph->first[nodes], *port_to;
    arrivals in;
    const cni_array arrays[] = {CNI_ARRAY(port_to, nodes), CNI_ARRAY(in.last, nodes),
                                CNI_ARRAY(in.before, channels), CNI_ARRAY(in.tail, channels)};
    void *block;
    for (size_t v = 0; v < nodes; v++)
        if (graph->first[v + 1] - graph->first[v] > graph->common.max_degree)
            graph->common.max_degree = (uint32_t)(graph->first[v + 1] - graph->first[v]);
    graph->back_port = cni_allocate(channels, sizeof *graph->back_port);
    CNI_TRY_MEMORY(graph->back_port);
    CNI_TRY(cni_allocate_arrays(&block, arrays));
    list_arrivals(graph, &in);
    cn_status status = match(graph, &in, budget, port_to);
    cni_release(block);
    snprintf(graph->common.name, sizeof graph->common.name, "%s(%llu,%llu)", made_of,
             (unsigned long long)graph->common.nodes, (unsigned long long)graph->common.links);
    return status;
}

cn_status cn_topology_from_function(uint64_t node_count, uint32_t max_degree,
                                    cn_neighbor_fn neighbor, void *user, const cn_control *control,
                                    cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_BUDGET(budget, control, 2 * node_count);
    CNI_REQUIRE_FUNCTION(neighbor);
    if (node_count < 1 || node_count > MOST_NODES)
        return cni_fail(CN_ERR_ARGUMENT, "%s: node_count = %llu, but it must be 1 to 2^20",
                        __func__, (unsigned long long)node_count);
    if (max_degree < 1 || max_degree > MOST_NODES)
        return cni_fail(CN_ERR_ARGUMENT, "%s: max_degree = %lu, but it must be 1 to 2^20", __func__,
                        (unsigned long)max_degree);
    asker a = {neighbor, user, max_degree, &budget};
    cni_stored_graph *graph = cni_stored_graph_new(node_count);
    CNI_TRY_MEMORY(graph);
    cn_status status = tabulate(&a, graph);
    if (status == CN_OK)
        status = cni_stored_graph_finish(graph, "function", &budget);
    *topology = &graph->common;
    if (status != CN_OK)
        cn_topology_free(topology);
    return status;
}

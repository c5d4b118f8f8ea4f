#include "topology/families/topology_json.h"

#include <string.h>

#include "topology/distances/graph.h"
#include "topology/families/stored_graph.h"

/* ---- writing ---- */

void cni_topology_put(cni_json_writer *w, const cn_topology *topology)
{
    cni_graph graph;
    if (topology->ops->lend_graph == NULL) {
        cni_json_put_name(w, "topology", topology->name);
        return;
    }
    char made_of[CNI_NAME_CAPACITY] = "";
    memcpy(made_of, topology->name, strcspn(topology->name, "("));
    topology->ops->lend_graph(topology, &graph);
    cni_json_open(w, "topology", '{');
    cni_json_put_name(w, "made_of", made_of);
    cni_json_open(w, "neighbors", '[');
    for (size_t v = 0; v < graph.nodes; v++) {
        cni_json_open(w, NULL, '[');
        for (size_t e = graph.first[v]; e < graph.first[v + 1]; e++)
            cni_json_put_whole(w, NULL, graph.neighbor[e]);
        cni_json_close(w, ']');
    }
    cni_json_close(w, ']');
    cni_json_close(w, '}');
}

static void put(cni_json_writer *w, const void *topology)
{
    cni_topology_put(w, topology);
}

CNI_JSON_TEXT(cn_topology_json, topology, put);

/* ---- reading ---- */

/* The neighbours of one node, which are others, each once; seen_by: last node + 1 that has it. */
static cn_status read_row(const cni_json *json, cni_json_value row, cni_stored_graph *graph,
                          size_t node, uint64_t seen_by[])
{
    size_t end = graph->first[node];
    for (cni_json_value v = cni_json_first(row); v.at != NULL; v = cni_json_next(v)) {
        uint64_t far;
        CNI_TRY(cni_json_whole(json, v, graph->common.nodes - 1, &far));
        if (far == node || seen_by[far] == node + 1)
            return cni_json_fail(json, v, "node %zu is joined to %llu %s", node,
                                 (unsigned long long)far,
                                 far == node ? "itself" : "more than once");
        seen_by[far] = node + 1;
        graph->neighbor[end++] = (uint32_t)far;
    }
    uint32_t ports = (uint32_t)(end - graph->first[node]);
    graph->first[node + 1] = end;
    if (ports > graph->common.max_degree)
        graph->common.max_degree = ports;
    return CN_OK;
}

static cn_status read_rows(const cni_json *json, cni_json_value rows, cni_stored_graph *graph)
{
    size_t channels = 0, count, node = 0;
    for (cni_json_value row = cni_json_first(rows); row.at != NULL; row = cni_json_next(row)) {
        CNI_TRY(cni_json_count(json, row, &count));
        channels += count;
    }
    uint64_t *seen_by = cni_allocate(graph->common.nodes, sizeof *seen_by);
    graph->neighbor = cni_allocate(channels, sizeof *graph->neighbor);
    cn_status status = seen_by == NULL || graph->neighbor == NULL ? CN_ERR_MEMORY : CN_OK;
    for (cni_json_value row = cni_json_first(rows); row.at != NULL && status == CN_OK;
         row = cni_json_next(row))
        status = read_row(json, row, graph, node++, seen_by);
    cni_release(seen_by);
    return status;
}

static cn_status read_graph(const cni_json *json, cni_json_value value, cn_topology **topology)
{
    enum { MADE_OF, NEIGHBORS, KEYS };
    static const char *const keys[] = {[MADE_OF] = "made_of", [NEIGHBORS] = "neighbors"};
    cni_json_value is[KEYS];
    char made_of[CNI_JSON_NAME];
    size_t nodes;
    CNI_TRY(cni_json_members(json, value, keys, KEYS, KEYS, is));
    CNI_TRY(cni_json_name(json, is[MADE_OF], made_of));
    int of_edges = strcmp(made_of, "edges") == 0;
    if (!of_edges && strcmp(made_of, "function") != 0)
        return cni_json_fail(json, is[MADE_OF], "a graph is made of \"edges\" or \"function\"");
    CNI_TRY(cni_json_count(json, is[NEIGHBORS], &nodes));
    if (nodes == 0)
        return cni_json_fail(json, is[NEIGHBORS], "a network has at least one node");
    cni_stored_graph *graph = cni_stored_graph_new(nodes);
    CNI_TRY_MEMORY(graph);
    cn_status status = read_rows(json, is[NEIGHBORS], graph);
    if (status == CN_OK)
        status = cni_stored_graph_finish(graph, made_of, json->budget);
    if (status == CN_OK && of_edges && !graph->common.bidirectional)
        status = cni_json_fail(json, is[NEIGHBORS],
                               "a graph of edges has a way back for every channel, but this one "
                               "has not");
    *topology = &graph->common;
    if (status != CN_OK)
        cn_topology_free(topology);
    return status;
}

cn_status cni_topology_of_json(const cni_json *json, cni_json_value value, cn_topology **topology)
{
    char name[CNI_JSON_NAME];
    *topology = NULL;
    if (cni_json_type(value) == '{')
        return read_graph(json, value, topology);
    CNI_TRY(cni_json_name(json, value, name));
    return cni_json_blame(json, value, cni_topology_by_name(name, topology));
}

cn_status cn_topology_from_json(const char *text, const cn_control *control, cn_topology **topology)
{
    static const char *const keys[] = {"topology"};
    cni_json_value value;
    CNI_REQUIRE_OUT(topology);
    CNI_JSON_READ(json, text, control);
    CNI_TRY(cni_json_begin(&json, "topology", keys, 1, 1, &value));
    return cni_topology_of_json(&json, value, topology);
}

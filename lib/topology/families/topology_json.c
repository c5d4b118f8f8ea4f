#include "topology/families/topology_json.h"

#include <string.h>

#include "topology/distances/graph.h"
#include "topology/families/stored_graph.h"

/* ---- writing ---- */

static void put_row(cni_io *io, size_t v, void *of)
{
    const cni_graph *graph = of;
    cni_json_open(io->writer, NULL, '[');
    for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++)
        cni_json_put_whole(io->writer, NULL, graph->neighbor[e]);
    cni_json_close(io->writer, ']');
}

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

static cn_status read_graph(const cni_json *json, cni_json_value neighbors, const char *made_of,
                            cn_topology **topology)
{
    int of_edges = strcmp(made_of, "edges") == 0;
    size_t nodes;
    CNI_TRY(cni_json_count(json, neighbors, &nodes));
    if (nodes == 0)
        return cni_json_fail(json, neighbors, "a network has at least one node");
    cni_stored_graph *graph = cni_stored_graph_new(nodes);
    CNI_TRY_MEMORY(graph);
    *topology = &graph->common;
    CNI_TRY(read_rows(json, neighbors, graph));
    CNI_TRY(cni_stored_graph_finish(graph, made_of, json->budget));
    return !of_edges || graph->common.bidirectional
               ? CN_OK
               : cni_json_fail(json, neighbors,
                               "a graph of edges has a way back for every channel, but this one "
                               "has not");
}

static void visit_graph(cni_io *io, void *object)
{
    cn_topology **topology = object;
    char made_of[CNI_JSON_NAME] = "";
    cni_graph graph = {0};
    if (cni_io_writes(io)) {
        memcpy(made_of, (*topology)->name, strcspn((*topology)->name, "("));
        (*topology)->ops->lend_graph(*topology, &graph);
    }
    cni_io_name(io, "made_of", made_of, made_of);
    if (cni_io_reads(io) && strcmp(made_of, "edges") != 0 && strcmp(made_of, "function") != 0)
        cni_io_fail(io, "made_of", "a graph is made of \"edges\" or \"function\"");
    if (cni_io_writes(io))
        cni_io_array(io, "neighbors", graph.nodes, put_row, &graph);
    else if (cni_io_takes(io, "neighbors"))
        io->status = read_graph(io->json, cni_io_value(io, "neighbors"), made_of, topology);
}

/* ---- both ---- */

static int is_stored(cni_io *io, const cn_topology *topology)
{
    if (cni_io_writes(io))
        return topology->ops->lend_graph != NULL;
    return cni_io_reads(io) && cni_json_type(cni_io_value(io, "topology")) == '{';
}

void cni_io_topology(cni_io *io, cn_topology **topology)
{
    char name[CNI_JSON_NAME];
    if (is_stored(io, *topology)) {
        cni_io_object(io, "topology", visit_graph, topology);
    } else {
        cni_io_name(io, "topology", cni_io_writes(io) ? (*topology)->name : NULL, name);
        if (cni_io_reads(io))
            cni_io_blame(io, "topology", cni_topology_by_name(name, topology));
    }
    if (io->status != CN_OK)
        cn_topology_free(topology);
}

static void visit(cni_io *io, void *topology)
{
    cni_io_topology(io, topology);
}

CNI_JSON_TEXTS(topology, visit);

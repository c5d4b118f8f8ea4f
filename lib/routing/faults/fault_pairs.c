/* Distances of all pairs of a damaged network: those of a graph of what works. */
#include "routing/faults/fault.h"

#include "base/error.h"
#include "topology/distances/all_pairs.h"
#include "topology/distances/breadth_first.h"

/* Where the channels of each working node begin and, when there is room for them, where they lead. */
static cn_status list_channels(const cn_faults *faults, const uint32_t rank[], cni_budget *budget,
                               cni_graph *graph)
{
    const cn_topology *t = faults->topology;
    size_t channels = 0;
    for (uint64_t v = 0; v < t->nodes; v++) {
        if (cni_node_faulty(faults, v))
            continue;
        uint64_t faulty = cni_faulty_links(faults, v);
        uint32_t degree = cni_degree(t, v);
        CNI_TRY(cni_budget_go_on(budget, 1 + 4 * (uint64_t)degree));
        for (uint32_t p = 0; p < degree; p++) {
            uint64_t far = cni_neighbor(t, v, p);
            /* no link fails where there are more than 64 ports */
            if ((faulty != 0 && (faulty >> p & 1) != 0) || cni_node_faulty(faults, far))
                continue;
            if (graph->neighbor != NULL)
                graph->neighbor[channels] = rank[far];
            channels++;
        }
        graph->first[rank[v] + 1] = channels;
    }
    return CN_OK;
}

/* The working nodes in ascending order, and the channels between them that work. It is to be closed, also
 * after an error. */
static cn_status open_graph(const cn_faults *faults, cni_budget *budget, cni_graph *graph)
{
    uint64_t nodes = faults->topology->nodes;
    uint32_t *rank = cni_allocate(nodes, sizeof *rank), next = 0;
    *graph = (cni_graph){
        .topology = faults->topology, .nodes = cni_size(nodes - faults->node_count), .owned = 1};
    graph->first = cni_allocate(graph->nodes + 1, sizeof *graph->first);
    cn_status status = rank == NULL || graph->first == NULL ? CN_ERR_MEMORY : CN_OK;
    for (uint64_t v = 0; status == CN_OK && v < nodes && cni_budget_pass(budget, v, 4); v++)
        rank[v] = cni_node_faulty(faults, v) ? UINT32_MAX : next++;
    if (status == CN_OK)
        status = cni_budget_go_on(budget, 0);
    if (status == CN_OK)
        status = list_channels(faults, rank, budget, graph); /* counts them */
    if (status == CN_OK) {
        graph->neighbor = cni_allocate(graph->first[graph->nodes], sizeof *graph->neighbor);
        status =
            graph->neighbor == NULL ? CN_ERR_MEMORY : list_channels(faults, rank, budget, graph);
    }
    cni_release(rank);
    return status;
}

typedef struct sums {
    double distances; /* of whole numbers, so exact */
    uint64_t pairs;
} sums;

static cn_status add_one_by_one(const cni_graph *graph, cni_budget *budget, cni_search *search,
                                sums *found)
{
    for (size_t v = 0; v < graph->nodes; v++) {
        uint64_t distances = 0;
        cni_search_within(graph, (uint32_t)v, budget, search);
        for (size_t i = 1; i < search->reached; i++)
            distances += search->hops[search->queue[i]];
        found->distances += (double)distances;
        found->pairs += search->reached - 1;
        budget->done++;
        CNI_TRY(cni_budget_go_on(budget, graph->nodes / 4)); /* what the search has cleared */
    }
    return CN_OK;
}

static cn_status add_batches(const cni_graph *graph, cni_budget *budget, sums *found)
{
    uint32_t sources[CNI_BATCH], eccentricity[CNI_BATCH];
    uint64_t *scratch = cni_allocate(cni_batch_words(graph), sizeof *scratch);
    cn_status status = scratch == NULL ? CN_ERR_MEMORY : CN_OK;
    for (size_t begin = 0, count; status == CN_OK && begin < graph->nodes; begin += count) {
        count = graph->nodes - begin < CNI_BATCH ? graph->nodes - begin : CNI_BATCH;
        for (size_t i = 0; i < count; i++)
            sources[i] = (uint32_t)(begin + i);
        cni_batch_run(graph, sources, count, budget, eccentricity, &found->distances, &found->pairs,
                      scratch);
        budget->done += count;
        status = cni_budget_go_on(budget, 0);
    }
    cni_release(scratch);
    return status;
}

static cn_status add_all(const cni_graph *graph, cni_budget *budget, sums *found)
{
    cni_search search;
    CNI_TRY(cni_search_open(graph, &search));
    uint32_t levels = cni_search_within(graph, 0, budget, &search);
    cn_status status = levels < CNI_BATCH_LEVELS ? add_batches(graph, budget, found)
                                                 : add_one_by_one(graph, budget, &search, found);
    cni_search_close(&search);
    return status;
}

cn_status cni_faults_mean_distance_within(const cn_faults *faults, cni_budget *budget, double *mean,
                                          uint64_t *pairs)
{
    sums found = {0.0, 0};
    cni_graph graph;
    cn_status status = open_graph(faults, budget, &graph);
    budget->total = graph.nodes;
    if (status == CN_OK && graph.nodes > 0)
        status = add_all(&graph, budget, &found);
    cni_graph_close(&graph);
    CNI_TRY(status);
    *mean = found.pairs == 0 ? 0 : found.distances / (double)found.pairs;
    CNI_GIVE(pairs, found.pairs);
    return CN_OK;
}

cn_status cn_faults_mean_distance(const cn_faults *faults, const cn_control *control, double *mean,
                                  uint64_t *pairs)
{
    CNI_REQUIRE_BOTH(faults, mean);
    CNI_BUDGET(budget, control, faults->topology->nodes);
    return cni_faults_mean_distance_within(faults, &budget, mean, pairs);
}

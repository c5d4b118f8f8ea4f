/*
 * Cluster routing tables by weight, as the nodes make them among themselves: the first ARPANET
 * algorithm, which Horng 1992, 5.5.2, names. Every node has a table: the least weight of a way to
 * each cluster, as far as it knows, 0 to its own. In each round the nodes tell their neighbours
 * their tables, if an entry has become less in the round before.
 */
#include "routing/hierarchy/weighted_tables.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static cn_status check_weights(const char *function, const cn_topology *topology,
                               const double weights[], size_t count)
{
    uint32_t ports = topology->max_degree;
    if (count != topology->nodes * ports)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: count = %zu, but there are %llu weights, one for each node and port",
                        function, count, (unsigned long long)(topology->nodes * ports));
    for (size_t i = 0; i < count; i++)
        if (!(weights[i] >= CNI_LEAST_WEIGHT && weights[i] <= CNI_GREATEST_WEIGHT))
            return cni_fail(CN_ERR_ARGUMENT, "%s: weights[%zu] = %g, but it must be %g to %g",
                            function, i, weights[i], CNI_LEAST_WEIGHT, CNI_GREATEST_WEIGHT);
    return CN_OK;
}

/* Of the channel of a node over a port, which is given as a set with one bit. */
static double weight_of(const cni_weighted_tables *t, uint64_t node, uint64_t port)
{
    const cn_topology *topology = t->hierarchy->faults->topology;
    return t->weights == NULL ? 1.0
                              : t->weights[node * topology->max_degree + cni_lowest_bit(port)];
}

/* A node has told its table to a neighbour, whose channel to the node has this weight. 1 when an
 * entry of the neighbour's table becomes less. */
static int learn_row(cni_weighted_tables *t, uint64_t neighbor, double weight, const double told[])
{
    double *table = t->least + neighbor * t->hierarchy->cluster_count;
    int is_new = 0;
    for (size_t c = 0; c < t->hierarchy->cluster_count; c++)
        if (told[c] + weight < table[c]) {
            table[c] = told[c] + weight;
            is_new = 1;
        }
    return is_new;
}

/* A node tells its neighbours its table as it was at the beginning of the round. */
static void tell_neighbors(cni_weighted_tables *t, uint64_t node, const double told[],
                           uint8_t tells_next[])
{
    for (uint64_t good = cni_good_links(t->hierarchy, node); good != 0; good &= good - 1) {
        uint64_t port = good & (0 - good), neighbor = node ^ port;
        t->messages++;
        if (learn_row(t, neighbor, weight_of(t, neighbor, port), told))
            tells_next[neighbor] = 1;
    }
}

/* All rounds. told: the tables at the beginning of a round; tells: the nodes that tell in this
 * round, and those of the next, in two halves that take turns. */
static cn_status tell_all(cni_weighted_tables *t, double told[], uint8_t tells[],
                          cni_budget *budget)
{
    const cn_hierarchy *h = t->hierarchy;
    uint64_t nodes = h->faults->topology->nodes;
    size_t clusters = h->cluster_count, size = cni_size(nodes * clusters) * sizeof *told;
    /* left: the nodes that have told in a round; a round in which no node tells is not counted */
    for (uint64_t left = nodes; left > 0; t->rounds += left > 0) {
        uint8_t *now = tells + (t->rounds & 1) * nodes, *next = tells + (~t->rounds & 1) * nodes;
        left = 0;
        memcpy(told, t->least, size);
        memset(next, 0, (size_t)nodes);
        for (uint64_t v = 0; v < nodes; v++)
            if (now[v]) {
                tell_neighbors(t, v, told + v * clusters, next);
                left++;
            }
        CNI_TRY(cni_budget_go_on(budget, cni_search_work(h->faults->topology) * clusters));
    }
    return CN_OK;
}

static cn_status make_tables(cni_weighted_tables *t, cni_budget *budget)
{
    const cn_hierarchy *h = t->hierarchy;
    size_t nodes = cni_size(h->faults->topology->nodes), entries = nodes * h->cluster_count;
    double *told;
    uint8_t *tells;
    const cni_array arrays[] = {CNI_ARRAY(told, entries), CNI_ARRAY(tells, 2 * nodes)};
    void *block;
    CNI_TRY(cni_allocate_arrays(&block, arrays));
    for (size_t i = 0; i < entries; i++)
        t->least[i] = INFINITY;
    for (uint64_t v = 0; v < nodes; v++) {
        tells[v] = h->cluster_of[v] != CN_NO_CLUSTER;
        if (tells[v])
            t->least[v * h->cluster_count + h->cluster_of[v]] = 0.0;
    }
    cn_status status = tell_all(t, told, tells, budget);
    cni_release(block);
    return status;
}

cn_status cni_weighted_tables_open(const char *function, const cn_hierarchy *hierarchy,
                                   const double weights[], size_t count, double slack,
                                   cni_budget *budget, cni_weighted_tables *t)
{
    *t = (cni_weighted_tables){.hierarchy = hierarchy, .weights = weights, .slack = slack};
    if (weights != NULL)
        CNI_TRY(check_weights(function, hierarchy->faults->topology, weights, count));
    if (!(slack >= 0.0 && slack <= CNI_GREATEST_WEIGHT))
        return cni_fail(CN_ERR_ARGUMENT, "%s: slack = %g, but it must be 0 to %g", function, slack,
                        CNI_GREATEST_WEIGHT);
    t->least = cni_allocate(hierarchy->faults->topology->nodes * hierarchy->cluster_count,
                            sizeof *t->least);
    CNI_TRY_MEMORY(t->least);
    cn_status status = make_tables(t, budget);
    if (status != CN_OK)
        cni_weighted_tables_close(t);
    return status;
}

void cni_weighted_tables_close(cni_weighted_tables *t)
{
    cni_release(t->least);
    t->least = NULL;
}

uint64_t cni_weighted_channels(const cni_weighted_tables *t, uint32_t cluster, uint64_t node)
{
    const double *least = t->least + cluster;
    size_t clusters = t->hierarchy->cluster_count;
    double mine = least[node * clusters];
    uint64_t channels = 0;
    for (uint64_t good = cni_good_links(t->hierarchy, node); good != 0; good &= good - 1) {
        uint64_t port = good & (0 - good);
        double far = least[(node ^ port) * clusters];
        if (far < mine && far + weight_of(t, node, port) <= mine + t->slack)
            channels |= port;
    }
    return channels;
}

/* Cluster routing tables: hops to every cluster, and the best channels (Horng 1992, 5.5.2). */
#include "routing/hierarchy/hierarchy.h"

#include "base/error.h"

cn_status cni_search_cluster(const cn_hierarchy *h, uint32_t cluster, uint16_t hops[],
                             uint32_t queue[], size_t *reached)
{
    cni_subcube cube = h->clusters[cluster].subcube;
    size_t begin = 0, end = 0;
    for (uint64_t v = 0; v < h->faults->topology->nodes; v++)
        hops[v] = CNI_NO_WAY;
    uint64_t node = cube.value;
    do {
        if (!cni_node_faulty(h->faults, node)) {
            hops[node] = 0;
            queue[end++] = (uint32_t)node;
        }
        node = cni_next_in(cube, node);
    } while (node != cube.value);
    for (; begin < end; begin++) {
        uint64_t v = queue[begin];
        for (uint64_t good = cni_good_links(h, v); good != 0; good &= good - 1) {
            uint64_t far = v ^ (good & (0 - good));
            if (hops[far] != CNI_NO_WAY)
                continue;
            if (hops[v] == CNI_NO_WAY - 1)
                return cni_fail(CN_ERR_OVERFLOW,
                                "the path from node %llu to a cluster has %d hops or more",
                                (unsigned long long)far, CNI_NO_WAY);
            hops[far] = (uint16_t)(hops[v] + 1);
            queue[end++] = (uint32_t)far;
        }
    }
    *reached = end;
    return CN_OK;
}

static void release_tables(cn_hierarchy *h)
{
    for (size_t c = 0; c < h->cluster_count; c++) {
        cni_release(h->clusters[c].hops);
        h->clusters[c].hops = NULL;
    }
    h->has_tables = 0;
}

static cn_status make_column(cn_hierarchy *h, uint32_t cluster)
{
    cni_cluster *c = &h->clusters[cluster];
    size_t reached;
    c->hops = cni_allocate(h->faults->topology->nodes, sizeof *c->hops);
    CNI_TRY_MEMORY(c->hops);
    return cni_search_cluster(h, cluster, c->hops, h->queue, &reached);
}

cn_status cni_hierarchy_make_tables_within(cn_hierarchy *hierarchy, cni_budget *budget)
{
    if (hierarchy->has_tables)
        return CN_OK;
    cn_status status = CN_OK;
    for (uint32_t c = 0; status == CN_OK && c < hierarchy->cluster_count; c++) {
        status = make_column(hierarchy, c);
        if (status == CN_OK)
            status = cni_budget_go_on(budget, cni_search_work(hierarchy->faults->topology));
    }
    hierarchy->has_tables = 1;
    if (status != CN_OK)
        release_tables(hierarchy);
    return status;
}

cn_status cn_hierarchy_make_tables(cn_hierarchy *hierarchy, const cn_control *control)
{
    CNI_REQUIRE(hierarchy);
    CNI_BUDGET(budget, control, 0);
    return cni_hierarchy_make_tables_within(hierarchy, &budget);
}

uint64_t cni_entry_channels(const cn_hierarchy *h, const uint16_t hops[], uint64_t node)
{
    if (hops[node] == 0 || hops[node] == CNI_NO_WAY)
        return 0;
    uint64_t channels = 0;
    for (uint64_t good = cni_good_links(h, node); good != 0; good &= good - 1) {
        uint64_t port = good & (0 - good);
        if (hops[node ^ port] < hops[node])
            channels |= port;
    }
    return channels;
}

cn_status cn_hierarchy_table(const cn_hierarchy *hierarchy, uint64_t node, uint64_t values[],
                             uint64_t anys[], uint64_t channels[], uint64_t hops[], size_t capacity,
                             size_t *count)
{
    CNI_REQUIRE(hierarchy);
    CNI_REQUIRE_ARRAY(values, capacity);
    CNI_REQUIRE_ARRAY(anys, capacity);
    CNI_REQUIRE_ARRAY(channels, capacity);
    CNI_REQUIRE_ARRAY(hops, capacity);
    CNI_TRY(cni_check_node(__func__, "node", hierarchy->faults->topology, node));
    if (!hierarchy->has_tables)
        return cni_fail(CN_ERR_STATE,
                        "%s: there are no tables; cn_hierarchy_make_tables() makes them", __func__);
    if (cni_node_faulty(hierarchy->faults, node))
        return cni_fail(CN_ERR_STATE, "%s: node = %llu, but it is faulty and has no table",
                        __func__, (unsigned long long)node);
    size_t needed = hierarchy->cluster_count;
    CNI_REQUIRE_FIT(needed, capacity, count, "there are %zu clusters", needed);
    for (size_t c = 0; c < needed; c++) {
        const cni_cluster *cluster = &hierarchy->clusters[c];
        values[c] = cluster->subcube.value;
        anys[c] = cluster->subcube.any;
        channels[c] = cni_entry_channels(hierarchy, cluster->hops, node);
        hops[c] = cluster->hops[node] == CNI_NO_WAY ? CN_UNREACHABLE : cluster->hops[node];
    }
    return CN_OK;
}

/* ---- mean number of hops ---- */

/* Walks by the two-level rule: the arrays of one cluster, and the sums over all walks. */
typedef struct walk {
    uint16_t *hops;   /* by node, to the cluster */
    uint32_t *order;  /* the nodes that reach the cluster, nearest first */
    double *expected; /* by node: hops to the destination at hand */
    double sum;
    uint64_t pairs;
} walk;

/* The mean of the expected hops from the neighbours over these channels. */
static double mean_over(const double expected[], uint64_t node, uint64_t channels)
{
    double sum = 0;
    for (uint64_t left = channels; left != 0; left &= left - 1)
        sum += expected[node ^ (left & (0 - left))];
    return sum / cni_popcount(channels);
}

/* Inside the cluster a walk is as long as the Hamming distance. */
static void add_walks_to(const cn_hierarchy *h, uint64_t destination, size_t reached,
                         cn_tie_rule tie_rule, walk *w)
{
    for (size_t i = 0; i < reached; i++) {
        uint64_t v = w->order[i], header = v ^ destination;
        if (w->hops[v] == 0) {
            w->expected[v] = cni_popcount(header);
        } else {
            uint64_t channels = cni_entry_channels(h, w->hops, v);
            w->expected[v] =
                1 + mean_over(w->expected, v, cni_break_tie(channels, header, tie_rule));
        }
        w->sum += w->expected[v];
    }
    w->pairs += reached - 1;
}

static cn_status walk_all(const cn_hierarchy *h, cn_tie_rule tie_rule, cni_budget *budget, walk *w)
{
    uint64_t work = cni_search_work(h->faults->topology);
    for (uint32_t c = 0; c < h->cluster_count; c++) {
        size_t reached;
        CNI_TRY(cni_search_cluster(h, c, w->hops, w->order, &reached));
        CNI_TRY(cni_budget_go_on(budget, work));
        for (uint64_t v = 0; v < h->faults->topology->nodes; v++)
            if (h->cluster_of[v] == c) {
                add_walks_to(h, v, reached, tie_rule, w);
                CNI_TRY(cni_budget_go_on(budget, work));
            }
    }
    return CN_OK;
}

cn_status cni_hierarchy_mean_hops_within(const cn_hierarchy *hierarchy, cn_tie_rule tie_rule,
                                         cni_budget *budget, double *mean, uint64_t *pairs)
{
    size_t nodes = cni_size(hierarchy->faults->topology->nodes);
    walk w = {.sum = 0};
    const cni_array arrays[] = {
        CNI_ARRAY(w.hops, nodes),
        CNI_ARRAY(w.order, nodes),
        CNI_ARRAY(w.expected, nodes),
    };
    void *block;
    CNI_TRY(cni_allocate_arrays(&block, arrays));
    cn_status status = walk_all(hierarchy, tie_rule, budget, &w);
    cni_release(block);
    CNI_TRY(status);
    *mean = w.pairs == 0 ? 0 : w.sum / (double)w.pairs;
    CNI_GIVE(pairs, w.pairs);
    return CN_OK;
}

cn_status cn_hierarchy_mean_hops(const cn_hierarchy *hierarchy, cn_tie_rule tie_rule,
                                 const cn_control *control, double *mean, uint64_t *pairs)
{
    CNI_REQUIRE_BOTH(hierarchy, mean);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_check_named(__func__, &cni_tie_rules, "tie_rule", (int)tie_rule));
    return cni_hierarchy_mean_hops_within(hierarchy, tie_rule, &budget, mean, pairs);
}

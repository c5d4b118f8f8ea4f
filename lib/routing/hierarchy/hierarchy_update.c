/* Faults and repairs while a hierarchy is in use (Horng 1992, 6.1.3). */
#include "routing/hierarchy/hierarchy.h"

#include "base/error.h"

/* ---- clusters ---- */

static uint32_t leaf_of(const cn_hierarchy *h, uint64_t node)
{
    uint32_t cut = CNI_ROOT;
    while (h->cuts[cut].child != CNI_NO_CUT) {
        uint32_t child = h->cuts[cut].child;
        cut = child + !cn_subcube_contains(h->cuts[child].value, h->cuts[child].any, node);
    }
    return cut;
}

/* Cuts a leaf again, if need be, and gives its parts their clusters. */
static cn_status redo_leaf(cn_hierarchy *h, uint32_t leaf)
{
    uint32_t old = h->cuts[leaf].cluster;
    CNI_TRY(cni_decompose(h, leaf));
    cn_status status = cni_assign_clusters(h, leaf, old);
    if (status != CN_OK)
        cni_uncut(h, leaf);
    return status;
}

static int is_leaf(const cn_hierarchy *h, uint32_t cut)
{
    return h->cuts[cut].child == CNI_NO_CUT;
}

/* Two leaves that are the halves of a convex subcube become one, as often as there are any from here
 * upwards. */
static void merge_upwards(cn_hierarchy *h, uint32_t leaf)
{
    for (;;) {
        uint32_t parent = h->cuts[leaf].parent;
        if (parent == CNI_NO_CUT)
            return;
        uint32_t child = h->cuts[parent].child;
        if (!is_leaf(h, child) || !is_leaf(h, child + 1) ||
            cni_cut_dimension(h, &h->cuts[parent]) != UINT32_MAX || !cni_budget_work(h->budget, 4))
            return;
        uint32_t kept = h->cuts[child].cluster, dropped = h->cuts[child + 1].cluster;
        cni_uncut(h, parent);
        if (kept == CN_NO_CLUSTER) {
            kept = dropped;
            dropped = CN_NO_CLUSTER;
        }
        if (kept != CN_NO_CLUSTER)
            cni_occupy(h, parent, kept);
        if (dropped != CN_NO_CLUSTER)
            cni_drop_cluster(h, dropped);
        leaf = parent;
    }
}

/* ---- tables ---- */

/* Spreads what has come nearer at a node; each node is met once, nearest first. */
static cn_status relax_from(const cn_hierarchy *h, uint16_t hops[], uint64_t node)
{
    size_t begin = 0, end = 0;
    h->queue[end++] = (uint32_t)node;
    for (; begin < end; begin++) {
        uint64_t v = h->queue[begin];
        for (uint64_t good = cni_good_links(h, v); good != 0; good &= good - 1) {
            uint64_t far = v ^ (good & (0 - good));
            if (hops[far] <= hops[v] + 1)
                continue;
            if (hops[v] == CNI_NO_WAY - 1)
                return CN_ERR_OVERFLOW;
            hops[far] = (uint16_t)(hops[v] + 1);
            h->queue[end++] = (uint32_t)far;
        }
    }
    return CN_OK;
}

/* Takes over what the neighbours of a node say, when that is nearer. */
static cn_status come_nearer(const cn_hierarchy *h, uint16_t hops[], uint64_t node)
{
    unsigned best = hops[node];
    for (uint64_t good = cni_good_links(h, node); good != 0; good &= good - 1) {
        unsigned through = hops[node ^ (good & (0 - good))] + 1u;
        best = through < best ? through : best;
    }
    if (best == hops[node])
        return CN_OK;
    hops[node] = (uint16_t)best;
    return relax_from(h, hops, node);
}

/* A node that has a way must have a neighbour that is one hop nearer. */
static int is_supported(const cn_hierarchy *h, const uint16_t hops[], uint64_t node)
{
    return cni_node_faulty(h->faults, node) || hops[node] == 0 || hops[node] == CNI_NO_WAY ||
           cni_entry_channels(h, hops, node) != 0;
}

/*
 * What failed or works again at these nodes. When all that lost a link still have a neighbour one hop
 * nearer, no distance has grown; else the column is made anew.
 */
static cn_status refresh_column(cn_hierarchy *h, uint32_t cluster, const uint64_t ends[],
                                size_t count, int failed)
{
    cni_cluster *c = &h->clusters[cluster];
    int anew = c->stale;
    for (size_t e = 0; failed && !anew && e < count; e++) {
        uint64_t v = ends[e];
        anew = !is_supported(h, c->hops, v);
        for (uint32_t i = 0; !anew && i < h->faults->topology->dimensions; i++)
            anew = !is_supported(h, c->hops, v ^ cni_bit(i));
    }
    c->stale = 0;
    if (anew) {
        size_t reached;
        return cni_search_cluster(h, cluster, c->hops, h->queue, &reached);
    }
    for (size_t e = 0; e < count; e++) {
        if (cni_node_faulty(h->faults, ends[e]))
            c->hops[ends[e]] = CNI_NO_WAY;
        else if (!failed)
            CNI_TRY(come_nearer(h, c->hops, ends[e]));
    }
    return CN_OK;
}

/* The last part of a change. */
static cn_status refresh_tables(const char *function, cn_hierarchy *h, const uint64_t ends[],
                                size_t count, int failed)
{
    cn_status status = cni_budget_go_on(h->budget, 0);
    for (uint32_t c = 0; h->has_tables && status == CN_OK && c < h->cluster_count; c++) {
        status = refresh_column(h, c, ends, count, failed);
        if (status == CN_OK)
            status = cni_budget_go_on(h->budget, cni_search_work(h->faults->topology));
    }
    if (status == CN_OK)
        return CN_OK;
    cni_release_tables(h);
    if (status == CN_ERR_CANCELLED)
        return status;
    return cni_fail(status, "%s: a path has %d hops or more; the tables were removed", function,
                    CNI_NO_WAY);
}

/* ---- the calls ---- */

static void refresh_bad(cn_hierarchy *h, uint64_t node)
{
    for (uint32_t i = 0; i < h->faults->topology->dimensions; i++) {
        uint64_t far = node ^ cni_bit(i), faulty = cni_faulty_links(h->faults, node) & cni_bit(i);
        h->bad[far] = (h->bad[far] & ~cni_bit(i)) | faulty |
                      (cni_node_faulty(h->faults, node) ? cni_bit(i) : 0);
        h->bad[node] = (h->bad[node] & ~cni_bit(i)) | faulty |
                       (cni_node_faulty(h->faults, far) ? cni_bit(i) : 0);
    }
}

static cn_status set_node(const char *function, cn_hierarchy *h, uint64_t node, int faulty)
{
    cni_faults_set_node(h->faults, node, faulty);
    refresh_bad(h, node);
    cn_status status = redo_leaf(h, leaf_of(h, node));
    if (status != CN_OK) {
        cni_faults_set_node(h->faults, node, !faulty);
        refresh_bad(h, node);
        return status;
    }
    merge_upwards(h, leaf_of(h, node));
    return refresh_tables(function, h, &node, 1, faulty);
}

static cn_status set_link(const char *function, cn_hierarchy *h, uint64_t node, uint32_t port,
                          int faulty)
{
    CNI_TRY(cni_faults_want_links(h->faults));
    cni_faults_set_link(h->faults, node, port, faulty);
    refresh_bad(h, node);
    uint64_t ends[] = {node, node ^ cni_bit(port)};
    uint32_t leaf = leaf_of(h, node);
    cn_status status = leaf == leaf_of(h, ends[1]) ? redo_leaf(h, leaf) : CN_OK;
    if (status != CN_OK) {
        cni_faults_set_link(h->faults, node, port, !faulty);
        refresh_bad(h, node);
        return status;
    }
    merge_upwards(h, leaf_of(h, ends[0]));
    merge_upwards(h, leaf_of(h, ends[1]));
    return refresh_tables(function, h, ends, 2, faulty);
}

/* A call that was cancelled before it began changes nothing. */
static cn_status change_node(const char *function, cn_hierarchy *h, uint64_t node, int faulty,
                             const cn_control *control)
{
    cni_budget budget;
    CNI_TRY(cni_budget_begin(&budget, function, control, 0));
    CNI_TRY(cni_check_node(function, "node", h->faults->topology, node));
    CNI_TRY(cni_budget_go_on(&budget, 0));
    if (cni_node_faulty(h->faults, node) == faulty)
        return CN_OK;
    h->budget = &budget;
    cn_status status = set_node(function, h, node, faulty);
    h->budget = NULL;
    return status;
}

static cn_status change_link(const char *function, cn_hierarchy *h, uint64_t node, uint32_t port,
                             int faulty, const cn_control *control)
{
    cni_budget budget;
    CNI_TRY(cni_budget_begin(&budget, function, control, 0));
    CNI_TRY(cni_check_link(function, h->faults, node, port));
    CNI_TRY(cni_budget_go_on(&budget, 0));
    if ((int)(cni_faulty_links(h->faults, node) >> port & 1) == faulty)
        return CN_OK;
    h->budget = &budget;
    cn_status status = set_link(function, h, node, port, faulty);
    h->budget = NULL;
    return status;
}

cn_status cn_hierarchy_fail_node(cn_hierarchy *hierarchy, uint64_t node, const cn_control *control)
{
    CNI_REQUIRE(hierarchy);
    return change_node(__func__, hierarchy, node, 1, control);
}

cn_status cn_hierarchy_repair_node(cn_hierarchy *hierarchy, uint64_t node,
                                   const cn_control *control)
{
    CNI_REQUIRE(hierarchy);
    return change_node(__func__, hierarchy, node, 0, control);
}

cn_status cn_hierarchy_fail_link(cn_hierarchy *hierarchy, uint64_t node, uint32_t port,
                                 const cn_control *control)
{
    CNI_REQUIRE(hierarchy);
    return change_link(__func__, hierarchy, node, port, 1, control);
}

cn_status cn_hierarchy_repair_link(cn_hierarchy *hierarchy, uint64_t node, uint32_t port,
                                   const cn_control *control)
{
    CNI_REQUIRE(hierarchy);
    return change_link(__func__, hierarchy, node, port, 0, control);
}

/* Decomposition of a damaged Boolean cube into convex clusters (Horng 1992, 5.5.1). */
#include "routing/hierarchy/hierarchy.h"

#include "base/error.h"
#include "routing/faults/node_set.h"

/* ---- the tree of cuts ---- */

static int has_other(const cn_hierarchy *h, uint64_t node, uint64_t bad)
{
    uint64_t other;
    return cni_others_in(h->faults->nodes, UINT64_MAX, node, bad, 1, &other) > 0;
}

/* Figure 5.11: dimensions, bad links and safety are those of the subcube alone. */
uint32_t cni_cut_dimension(const cn_hierarchy *h, const cni_cut *cut)
{
    uint64_t bad_links[CNI_MAX_DIMENSIONS] = {0}, node = cut->value, looked = 0;
    do {
        if (!cni_budget_pass(h->budget, looked++, 4))
            return UINT32_MAX;
        uint64_t bad = h->bad[node] & cut->any;
        if (bad != 0 && !cni_node_faulty(h->faults, node) && has_other(h, node, bad))
            for (; bad != 0; bad &= bad - 1)
                bad_links[cni_lowest_bit(bad)]++;
        node = cni_next_in(cut, node);
    } while (node != cut->value);
    uint32_t dimension = UINT32_MAX;
    uint64_t most = 0;
    for (uint32_t i = 0; i < h->faults->topology->dimensions; i++)
        if (bad_links[i] > most) {
            most = bad_links[i];
            dimension = i;
        }
    return dimension;
}

static cn_status take_pair(cn_hierarchy *h, uint32_t *pair)
{
    if (h->unused != CNI_NO_CUT) {
        *pair = h->unused;
        h->unused = h->cuts[h->unused].parent;
        return CN_OK;
    }
    void *cuts = h->cuts;
    CNI_TRY(cni_grow(&cuts, &h->cut_capacity, h->cut_count + 2, sizeof *h->cuts));
    h->cuts = cuts;
    *pair = (uint32_t)h->cut_count;
    h->cut_count += 2;
    return CN_OK;
}

void cni_uncut(cn_hierarchy *h, uint32_t cut)
{
    uint32_t child = h->cuts[cut].child;
    if (child == CNI_NO_CUT)
        return;
    cni_uncut(h, child);
    cni_uncut(h, child + 1);
    h->cuts[child].parent = h->unused;
    h->unused = child;
    h->cuts[cut].child = CNI_NO_CUT;
}

static cn_status decompose(cn_hierarchy *h, uint32_t cut)
{
    uint32_t dimension = cni_cut_dimension(h, &h->cuts[cut]), pair;
    CNI_TRY(cni_budget_go_on(h->budget, 4));
    if (dimension == UINT32_MAX)
        return CN_OK;
    CNI_TRY(take_pair(h, &pair));
    h->cuts[cut].child = pair;
    for (uint32_t half = 0; half < 2; half++)
        h->cuts[pair + half] = (cni_cut){
            .value = h->cuts[cut].value | (uint64_t)half << dimension,
            .any = h->cuts[cut].any & ~cni_bit(dimension),
            .parent = cut,
            .child = CNI_NO_CUT,
            .cluster = CN_NO_CLUSTER,
        };
    CNI_TRY(decompose(h, pair));
    return decompose(h, pair + 1);
}

cn_status cni_decompose(cn_hierarchy *h, uint32_t cut)
{
    cn_status status = decompose(h, cut);
    if (status != CN_OK)
        cni_uncut(h, cut);
    return status;
}

/* ---- clusters ---- */

/* The working nodes of a subcube. */
static uint64_t working_in(const cn_hierarchy *h, const cni_cut *cut)
{
    uint64_t working = 0, node = cut->value;
    do {
        working += !cni_node_faulty(h->faults, node);
        node = cni_next_in(cut, node);
    } while (node != cut->value);
    return working;
}

static size_t count_leaves(const cn_hierarchy *h, uint32_t cut)
{
    uint32_t child = h->cuts[cut].child;
    if (child == CNI_NO_CUT)
        return working_in(h, &h->cuts[cut]) > 0;
    return count_leaves(h, child) + count_leaves(h, child + 1);
}

void cni_occupy(cn_hierarchy *h, uint32_t leaf, uint32_t cluster)
{
    const cni_cut *cut = &h->cuts[leaf];
    uint64_t node = cut->value, survivors = 0;
    do {
        int faulty = cni_node_faulty(h->faults, node);
        survivors += !faulty;
        h->cluster_of[node] = faulty ? CN_NO_CLUSTER : cluster;
        node = cni_next_in(cut, node);
    } while (node != cut->value);
    h->cuts[leaf].cluster = survivors == 0 ? CN_NO_CLUSTER : cluster;
    if (survivors == 0)
        return;
    h->clusters[cluster].survivors = survivors;
    h->clusters[cluster].leaf = leaf;
    h->clusters[cluster].stale = 1;
}

void cni_drop_cluster(cn_hierarchy *h, uint32_t cluster)
{
    uint32_t last = (uint32_t)--h->cluster_count;
    cni_release(h->clusters[cluster].hops);
    if (cluster == last)
        return;
    int stale = h->clusters[last].stale;
    h->clusters[cluster] = h->clusters[last];
    cni_occupy(h, h->clusters[cluster].leaf, cluster);
    h->clusters[cluster].stale = stale;
}

/* Room for more clusters behind the last one, with columns when there are tables. */
static cn_status reserve_clusters(cn_hierarchy *h, size_t more)
{
    void *clusters = h->clusters;
    CNI_TRY(
        cni_grow(&clusters, &h->cluster_capacity, h->cluster_count + more, sizeof *h->clusters));
    h->clusters = clusters;
    for (size_t i = 0; i < more; i++) {
        cni_cluster *added = &h->clusters[h->cluster_count + i];
        *added = (cni_cluster){.stale = 1};
        if (!h->has_tables)
            continue;
        added->hops = cni_allocate(h->faults->topology->nodes, sizeof *added->hops);
        if (added->hops == NULL) {
            while (i-- > 0)
                cni_release(h->clusters[h->cluster_count + i].hops);
            return CN_ERR_MEMORY;
        }
    }
    return CN_OK;
}

/* The first cluster goes to `*old`, unless that is CN_NO_CLUSTER, the others behind the last one. */
static void occupy_leaves(cn_hierarchy *h, uint32_t cut, uint32_t *old)
{
    uint32_t child = h->cuts[cut].child;
    if (child != CNI_NO_CUT) {
        h->cuts[cut].cluster = CN_NO_CLUSTER;
        occupy_leaves(h, child, old);
        occupy_leaves(h, child + 1, old);
        return;
    }
    uint32_t cluster = *old != CN_NO_CLUSTER ? *old : (uint32_t)h->cluster_count;
    cni_occupy(h, cut, cluster);
    if (h->cuts[cut].cluster == CN_NO_CLUSTER)
        return;
    h->cluster_count += cluster == h->cluster_count;
    *old = CN_NO_CLUSTER;
}

cn_status cni_assign_clusters(cn_hierarchy *h, uint32_t cut, uint32_t old)
{
    size_t leaves = count_leaves(h, cut);
    size_t more = leaves - (leaves > 0 && old != CN_NO_CLUSTER);
    CNI_TRY(reserve_clusters(h, more));
    occupy_leaves(h, cut, &old);
    if (old != CN_NO_CLUSTER)
        cni_drop_cluster(h, old);
    return CN_OK;
}

/* ---- the handle ---- */

static void find_bad_links(cn_hierarchy *h)
{
    const cn_topology *topology = h->faults->topology;
    for (uint64_t v = 0; v < topology->nodes; v++)
        h->bad[v] = cni_faulty_links(h->faults, v);
    for (uint64_t v = 0; v < topology->nodes && cni_budget_pass(h->budget, v, 4); v++)
        if (cni_node_faulty(h->faults, v))
            for (uint32_t i = 0; i < topology->dimensions; i++)
                h->bad[v ^ cni_bit(i)] |= cni_bit(i);
}

static cn_status build(cn_hierarchy *h, const cn_faults *faults)
{
    CNI_TRY(cn_faults_copy(faults, &h->faults));
    size_t nodes = cni_size(faults->topology->nodes);
    uint32_t root;
    h->unused = CNI_NO_CUT;
    const cni_array arrays[] = {
        CNI_ARRAY(h->bad, nodes),
        CNI_ARRAY(h->cluster_of, nodes),
        CNI_ARRAY(h->queue, nodes),
    };
    CNI_TRY(cni_allocate_arrays(&h->block, arrays));
    find_bad_links(h);
    /* the root is one of a pair whose other half is never used */
    CNI_TRY(take_pair(h, &root));
    h->cuts[CNI_ROOT] = (cni_cut){.any = faults->topology->nodes - 1,
                                  .parent = CNI_NO_CUT,
                                  .child = CNI_NO_CUT,
                                  .cluster = CN_NO_CLUSTER};
    CNI_TRY(cni_decompose(h, CNI_ROOT));
    return cni_assign_clusters(h, CNI_ROOT, CN_NO_CLUSTER);
}

cn_status cni_hierarchy_new_within(const cn_faults *faults, cni_budget *budget,
                                   cn_hierarchy **hierarchy)
{
    cn_hierarchy *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->budget = budget;
    cn_status status = build(made, faults);
    made->budget = NULL;
    if (status != CN_OK)
        cn_hierarchy_free(&made);
    *hierarchy = made;
    return status;
}

cn_status cn_hierarchy_new(const cn_faults *faults, const cn_control *control,
                           cn_hierarchy **hierarchy)
{
    CNI_REQUIRE_OUT(hierarchy);
    CNI_REQUIRE(faults);
    CNI_TRY(cni_check_hypercube(__func__, faults->topology));
    CNI_BUDGET(budget, control, 0);
    return cni_hierarchy_new_within(faults, &budget, hierarchy);
}

void cn_hierarchy_free(cn_hierarchy **hierarchy)
{
    if (hierarchy == NULL || !CNI_IS_VALID(*hierarchy))
        return;
    cn_hierarchy *h = *hierarchy;
    cni_release_tables(h);
    cn_faults_free(&h->faults);
    cni_release(h->block);
    cni_release(h->cuts);
    cni_release(h->clusters);
    cni_object_release(h);
    *hierarchy = NULL;
}

CNI_GETTER(uint32_t, cn_hierarchy_cluster_count, hierarchy, (uint32_t)hierarchy->cluster_count, 0);

cn_status cn_hierarchy_cluster(const cn_hierarchy *hierarchy, uint32_t cluster, uint64_t *value,
                               uint64_t *any, uint64_t *survivors)
{
    CNI_REQUIRE(hierarchy);
    if (cluster >= hierarchy->cluster_count)
        return cni_fail(CN_ERR_ARGUMENT, "%s: cluster = %lu, but there are %zu clusters", __func__,
                        (unsigned long)cluster, hierarchy->cluster_count);
    const cni_cluster *found = &hierarchy->clusters[cluster];
    CNI_GIVE(value, hierarchy->cuts[found->leaf].value);
    CNI_GIVE(any, hierarchy->cuts[found->leaf].any);
    CNI_GIVE(survivors, found->survivors);
    return CN_OK;
}

cn_status cn_hierarchy_cluster_of(const cn_hierarchy *hierarchy, uint64_t node, uint32_t *cluster)
{
    CNI_REQUIRE_BOTH(hierarchy, cluster);
    CNI_TRY(cni_check_node(__func__, "node", hierarchy->faults->topology, node));
    *cluster = hierarchy->cluster_of[node];
    return CN_OK;
}

cn_status cn_hierarchy_neighbor_status(const cn_hierarchy *hierarchy, uint64_t node,
                                       uint64_t *status)
{
    CNI_REQUIRE_BOTH(hierarchy, status);
    CNI_TRY(cni_check_node(__func__, "node", hierarchy->faults->topology, node));
    *status = cni_good_links(hierarchy, node);
    return CN_OK;
}

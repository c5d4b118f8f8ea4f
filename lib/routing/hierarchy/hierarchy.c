/* Decomposition of a damaged Boolean cube into convex clusters (Horng 1992, 5.5.1). */
#include "routing/hierarchy/hierarchy.h"

#include "base/error.h"
#include "routing/faults/node_set.h"

/* ---- the cuts ---- */

/* Whether the working node is unsafe: the subcube that its bad links span has another working
 * node. */
static int is_unsafe(const cn_hierarchy *h, uint64_t node, uint64_t bad)
{
    uint64_t other;
    return cni_others_in(h->faults->nodes, UINT64_MAX, node, bad, 1, &other) > 0;
}

/* The dimension in which to cut a subcube: the one with the most bad links of unsafe nodes (figure
 * 5.11). UINT32_MAX for a convex subcube, and when the budget was stopped. Dimensions, bad links
 * and safety refer to the subcube alone. */
static uint32_t cut_dimension(const cn_hierarchy *h, cni_subcube cube, cni_budget *budget)
{
    uint64_t bad_links[CNI_MAX_DIMENSIONS] = {0}, node = cube.value, looked = 0;
    do {
        if (!cni_budget_pass(budget, looked++, 4))
            return UINT32_MAX;
        uint64_t bad = h->bad[node] & cube.any;
        if (bad != 0 && !cni_node_faulty(h->faults, node) && is_unsafe(h, node, bad))
            for (; bad != 0; bad &= bad - 1)
                bad_links[cni_lowest_bit(bad)]++;
        node = cni_next_in(cube, node);
    } while (node != cube.value);
    uint32_t dimension = UINT32_MAX;
    uint64_t most = 0;
    for (uint32_t i = 0; i < h->faults->topology->dimensions; i++)
        if (bad_links[i] > most) {
            most = bad_links[i];
            dimension = i;
        }
    return dimension;
}

/* Makes the working nodes of a convex subcube a cluster; an empty subcube makes none. */
static cn_status add_cluster(cn_hierarchy *h, cni_subcube cube)
{
    uint32_t number = (uint32_t)h->cluster_count;
    uint64_t node = cube.value, survivors = 0;
    do {
        int faulty = cni_node_faulty(h->faults, node);
        survivors += !faulty;
        h->cluster_of[node] = faulty ? CN_NO_CLUSTER : number;
        node = cni_next_in(cube, node);
    } while (node != cube.value);
    if (survivors == 0)
        return CN_OK;
    void *clusters = h->clusters;
    CNI_TRY(cni_grow(&clusters, &h->cluster_capacity, h->cluster_count + 1, sizeof *h->clusters));
    h->clusters = clusters;
    h->clusters[h->cluster_count++] = (cni_cluster){.subcube = cube, .survivors = survivors};
    return CN_OK;
}

/* Cuts a subcube until all its parts are convex, the half with bit 0 first. */
static cn_status decompose(cn_hierarchy *h, cni_subcube cube, cni_budget *budget)
{
    uint32_t dimension = cut_dimension(h, cube, budget);
    CNI_TRY(cni_budget_go_on(budget, 4));
    if (dimension == UINT32_MAX)
        return add_cluster(h, cube);
    cube.any &= ~cni_bit(dimension);
    CNI_TRY(decompose(h, cube, budget));
    cube.value |= cni_bit(dimension);
    return decompose(h, cube, budget);
}

/* ---- the handle ---- */

static void find_bad_links(cn_hierarchy *h, cni_budget *budget)
{
    const cn_topology *topology = h->faults->topology;
    for (uint64_t v = 0; v < topology->nodes; v++)
        h->bad[v] = cni_faulty_links(h->faults, v);
    for (uint64_t v = 0; v < topology->nodes && cni_budget_pass(budget, v, 4); v++)
        if (cni_node_faulty(h->faults, v))
            for (uint32_t i = 0; i < topology->dimensions; i++)
                h->bad[v ^ cni_bit(i)] |= cni_bit(i);
}

static cn_status build(cn_hierarchy *h, const cn_faults *faults, cni_budget *budget)
{
    CNI_TRY(cn_faults_copy(faults, &h->faults));
    size_t nodes = cni_size(faults->topology->nodes);
    const cni_array arrays[] = {
        CNI_ARRAY(h->bad, nodes),
        CNI_ARRAY(h->cluster_of, nodes),
        CNI_ARRAY(h->queue, nodes),
    };
    CNI_TRY(cni_allocate_arrays(&h->block, arrays));
    find_bad_links(h, budget);
    return decompose(h, (cni_subcube){.any = faults->topology->nodes - 1}, budget);
}

cn_status cni_hierarchy_new_within(const cn_faults *faults, cni_budget *budget,
                                   cn_hierarchy **hierarchy)
{
    cn_hierarchy *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    cn_status status = build(made, faults, budget);
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
    for (size_t c = 0; c < h->cluster_count; c++)
        cni_release(h->clusters[c].hops);
    cn_faults_free(&h->faults);
    cni_release(h->block);
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
    CNI_GIVE(value, found->subcube.value);
    CNI_GIVE(any, found->subcube.any);
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

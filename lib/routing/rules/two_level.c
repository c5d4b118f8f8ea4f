/* The two-level rule of a hierarchy (Horng 1992, 5.5.2). */
#include "base/error.h"
#include "routing/hierarchy/hierarchy.h"
#include "routing/rules/routing.h"

static cn_status decide(const cn_routing *routing, void *user, uint64_t node, uint64_t target,
                        cni_entry *entry)
{
    const cn_hierarchy *h = user;
    uint32_t there = h->cluster_of[target];
    uint64_t header = node ^ target, ports;
    (void)routing;
    if (h->cluster_of[node] == there)
        ports = header & cni_good_links(h, node);
    else
        ports = cni_break_tie(cni_entry_channels(h, h->clusters[there].hops, node), header,
                              CN_TIE_HEADER);
    cni_allow(entry, ports, 0);
    return CN_OK;
}

/* Of a damaged network its hierarchy. */
static cn_status open(const char *function, cn_routing *routing)
{
    cn_faults *none = NULL;
    cn_hierarchy *hierarchy = NULL;
    if (!cni_is_hypercube(routing->topology))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: two-level is for hypercubes, not for %s", function,
                        routing->topology->name);
    if (routing->faults == NULL)
        CNI_TRY(cn_faults_new(routing->topology, &none));
    cn_status status = cni_hierarchy_new_within(none != NULL ? none : routing->faults,
                                                routing->budget, &hierarchy);
    if (status == CN_OK)
        status = cni_hierarchy_make_tables_within(hierarchy, routing->budget);
    if (status == CN_OK)
        status = cni_routing_tabulate(function, routing, decide, hierarchy);
    cn_hierarchy_free(&hierarchy);
    cn_faults_free(&none);
    return status;
}

cn_status cn_routing_two_level(const cn_hierarchy *hierarchy, const cn_control *control,
                               cn_routing **routing)
{
    cni_budget budget;
    CNI_REQUIRE(routing);
    *routing = NULL;
    CNI_REQUIRE(hierarchy);
    CNI_TRY(cni_budget_begin(&budget, __func__, control, 0));
    if (!hierarchy->has_tables)
        return cni_fail(CN_ERR_STATE, "%s: hierarchy has no tables; cn_hierarchy_make_tables()",
                        __func__);
    cn_routing *made;
    CNI_TRY(cni_routing_make(__func__, &cni_two_level, hierarchy->faults->topology,
                             hierarchy->faults, &budget, &made));
    return cni_routing_finish(made, cni_routing_tabulate(__func__, made, decide, (void *)hierarchy),
                              routing);
}

const cni_routing_kind cni_two_level = {
    .name = "two-level",
    .summary = "from cluster to cluster of a damaged hypercube; in a cluster, every channel on a "
               "shortest path",
    .classes = 1,
    .legs = 1,
    .open = open,
};

/* The two-level rule of a hierarchy (Horng 1992, 5.5.2). */
#include "cubenet/experimental/damage.h"

#include "base/error.h"
#include "routing/hierarchy/weighted_tables.h"
#include "routing/rules/table_json.h"

/* In the cluster of the target, every good channel that comes closer; elsewhere the best channels
 * to that cluster. */
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
    cni_allow(entry, ports, CNI_FREE_LANE);
    return CN_OK;
}

/* Makes the hierarchy of the damaged network, and the table from the hierarchy. */
static cn_status open(const char *function, cn_routing *routing)
{
    cn_faults *faults;
    cn_hierarchy *hierarchy = NULL;
    if (!cni_is_hypercube(routing->topology))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: two-level is for hypercubes, not for %s", function,
                        routing->topology->name);
    CNI_TRY(cni_faults_copy_or_none(routing->topology, routing->faults, &faults));
    cn_status status = cni_hierarchy_new_within(faults, routing->budget, &hierarchy);
    if (status == CN_OK)
        status = cni_hierarchy_make_tables_within(hierarchy, routing->budget);
    if (status == CN_OK)
        status = cni_routing_tabulate(function, routing, decide, hierarchy);
    cn_hierarchy_free(&hierarchy);
    cn_faults_free(&faults);
    return status;
}

cn_status cn_routing_two_level(const cn_hierarchy *hierarchy, const cn_control *control,
                               cn_routing **routing)
{
    CNI_REQUIRE_OUT(routing);
    CNI_REQUIRE(hierarchy);
    CNI_BUDGET(budget, control, 0);
    if (!hierarchy->has_tables)
        return cni_fail(CN_ERR_STATE,
                        "%s: hierarchy has no tables; cn_hierarchy_make_tables() makes them",
                        __func__);
    cn_routing *made;
    CNI_TRY(cni_routing_make(__func__, &cni_two_level, hierarchy->faults->topology,
                             hierarchy->faults, &budget, &made));
    return cni_routing_finish(
        made, cni_routing_tabulate(__func__, made, decide, cni_mutable(hierarchy)), routing);
}

static cn_status decide_by_weight(const cn_routing *routing, void *user, uint64_t node,
                                  uint64_t target, cni_entry *entry)
{
    const cni_weighted_tables *tables = user;
    const cn_hierarchy *h = tables->hierarchy;
    uint32_t there = h->cluster_of[target];
    if (h->cluster_of[node] == there)
        return decide(routing, cni_mutable(h), node, target, entry);
    cni_allow(
        entry,
        cni_break_tie(cni_weighted_channels(tables, there, node), node ^ target, CN_TIE_HEADER),
        CNI_FREE_LANE);
    return CN_OK;
}

cn_status cn_routing_two_level_weighted(const cn_hierarchy *hierarchy, const double weights[],
                                        size_t count, double slack, const cn_control *control,
                                        cn_routing **routing, uint64_t *rounds, uint64_t *messages)
{
    CNI_REQUIRE_OUT(routing);
    CNI_REQUIRE(hierarchy);
    CNI_BUDGET(budget, control, 0);
    cni_weighted_tables tables;
    cn_routing *made;
    CNI_TRY(cni_routing_make(__func__, &cni_two_level, hierarchy->faults->topology,
                             hierarchy->faults, &budget, &made));
    cn_status status =
        cni_weighted_tables_open(__func__, hierarchy, weights, count, slack, &budget, &tables);
    if (status == CN_OK)
        status = cni_routing_tabulate(__func__, made, decide_by_weight, &tables);
    cni_weighted_tables_close(&tables);
    CNI_TRY(cni_routing_finish(made, status, routing));
    CNI_GIVE(rounds, tables.rounds);
    CNI_GIVE(messages, tables.messages);
    return CN_OK;
}

static cn_status decide_as_read(const cn_routing *routing, void *user, uint64_t node,
                                uint64_t target, cni_entry *entry)
{
    (void)routing;
    *entry = *cni_read_entry(user, node, 0, target);
    return CN_OK;
}

/* The clusters of a hierarchy depend on earlier faults, so the JSON text holds the table itself. */
static void visit(cni_io *io, void *object)
{
    cni_routing_form *f = object;
    cni_read_table table = {.classes = 1};
    cn_routing *made = NULL;
    if (cni_io_reads(io) && !cni_is_hypercube(f->topology))
        cni_io_fail(io, NULL, "two-level is for hypercubes, not for %s", f->topology->name);
    if (cni_io_reads(io))
        io->status = cni_routing_make(io->json->function, &cni_two_level, f->topology, f->faults,
                                      io->json->budget, &made);
    cni_io_table(io, f, &table);
    if (cni_io_reads(io))
        cni_io_blame(io, "table",
                     cni_routing_tabulate(io->json->function, made, decide_as_read, &table));
    cni_read_table_close(&table);
    if (made != NULL)
        io->status = cni_routing_finish(made, io->status, &f->routing);
}

const cni_routing_kind cni_two_level = {
    .name = "two-level",
    .summary = "from cluster to cluster of a damaged hypercube; in a cluster, every channel on a "
               "shortest path",
    .classes = 1,
    .legs = 1,
    .open = open,
    .visit = visit,
};

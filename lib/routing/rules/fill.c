/* How the table of a routing is filled: by a search from every target, or pair by pair. */
#include "base/error.h"
#include "routing/faults/inlets.h"
#include "routing/rules/routing.h"

cn_status cni_fail_pair(const char *function, const cn_routing *routing, uint64_t node,
                        uint64_t target)
{
    return cni_fail(CN_ERR_DISCONNECTED,
                    "%s: %s does not serve %s%s: no path from node %llu to %llu", function,
                    routing->kind->name, routing->topology->name,
                    routing->faults == NULL ? "" : " with these faults", (unsigned long long)node,
                    (unsigned long long)target);
}

cn_status cni_routing_check_table(const char *function, const cn_routing *routing)
{
    uint64_t nodes = routing->topology->nodes;
    if (nodes <= CNI_MOST_PLACES / nodes / routing->classes)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: %s needs a table of %lu times %llu^2 entries for %s, but it may have at "
                    "most 2^28",
                    function, routing->kind->name, (unsigned long)routing->classes,
                    (unsigned long long)nodes, routing->topology->name);
}

cn_status cni_routing_want_table(const char *function, cn_routing *routing)
{
    size_t nodes = (size_t)routing->topology->nodes;
    CNI_TRY(cni_routing_check_table(function, routing));
    if (routing->table.entries == NULL)
        CNI_TRY(cni_table_open(&routing->table));
    return cni_table_want(&routing->table, routing->classes * nodes * nodes);
}

/* ---- by search ---- */

/* Nodes whose ports are written together, so that a line of the cache is filled at once. */
enum { BLOCK = 32 };

typedef struct filling {
    const char *function;
    cn_routing *routing;
    cni_inlets inlets;
    cni_waves closer, up_down; /* opened only for the ways that the kind has */
    uint32_t targets[CNI_TARGETS];
    size_t count;
} filling;

/* Stores the ports of `count` nodes from node `from` on, in one class, for the targets at hand. */
static void keep_block(filling *f, uint32_t class, size_t from, size_t count)
{
    cn_routing *r = f->routing;
    uint64_t block[CNI_TARGETS][BLOCK];
    cni_way way = r->kind->ways[class];
    const cni_waves *waves = way == CNI_CLOSER ? &f->closer : &f->up_down;
    for (size_t v = 0; v < count; v++)
        cni_waves_ports(waves, (from + v) * waves->each + (way == CNI_DOWN), &block[0][v], BLOCK);
    for (size_t i = 0; i < f->count; i++)
        cni_packed_set(&r->ports, cni_routing_place(r, from, class, f->targets[i]), block[i],
                       count);
}

/* Every served node must have a way to the target. */
static cn_status check_pairs(const filling *f, uint64_t target)
{
    const cn_routing *r = f->routing;
    size_t row = cni_routing_place(r, 0, 0, target);
    for (uint64_t v = 0; v < r->topology->nodes; v++)
        if (cni_packed_at(&r->ports, row + (size_t)v) == 0 && v != target &&
            cni_routing_serves(r, v))
            return cni_fail_pair(f->function, r, v, target);
    return CN_OK;
}

/* Stores and checks what the searches from the targets at hand have found. */
static cn_status keep_entries(filling *f)
{
    size_t nodes = f->inlets.nodes;
    for (size_t v = 0; v < nodes; v += BLOCK)
        for (uint32_t k = 0; k < f->routing->classes; k++)
            keep_block(f, k, v, nodes - v < BLOCK ? nodes - v : BLOCK);
    for (size_t i = 0; i < f->count; i++)
        CNI_TRY(check_pairs(f, f->targets[i]));
    return CN_OK;
}

static cn_status open_filling(filling *f)
{
    cn_routing *r = f->routing;
    size_t nodes = (size_t)r->topology->nodes;
    uint32_t ports = r->topology->max_degree;
    CNI_TRY(cni_routing_check_table(f->function, r));
    CNI_TRY(cni_packed_open(&r->ports, r->classes * nodes * nodes, ports));
    CNI_TRY(cni_inlets_open(&f->inlets, r->topology, r->faults, NULL));
    if (r->classes > 1)
        cni_inlets_mark(&f->inlets, r->state);
    if (r->kind->ways[0] == CNI_CLOSER)
        CNI_TRY(cni_waves_open(&f->closer, &f->inlets, ports, CNI_CLOSER));
    return r->classes == 1 ? CN_OK : cni_waves_open(&f->up_down, &f->inlets, ports, CNI_UP);
}

/* Finds a bound on the hops of walks. All ways of one kind are shortest ones; a message that goes
 * one kind of way and then the other makes at most as many hops as the longest way of each kind
 * together. */
static void find_hops(filling *f)
{
    cn_routing *r = f->routing;
    uint32_t hops = f->closer.hops + f->up_down.hops;
    if (r->served == NULL && cni_all_are_hosts(r->topology))
        r->hops = hops > r->hops ? hops : r->hops;
}

static cn_status fill(filling *f)
{
    CNI_TRY(open_filling(f));
    for (uint32_t target = 0; target < f->inlets.nodes;) {
        f->count = 0;
        for (; target < f->inlets.nodes && f->count < CNI_TARGETS; target++)
            if (cni_routing_serves(f->routing, target))
                f->targets[f->count++] = target;
        if (f->closer.block != NULL)
            cni_waves_from(&f->closer, f->targets, f->count);
        if (f->up_down.block != NULL)
            cni_waves_from(&f->up_down, f->targets, f->count);
        find_hops(f);
        CNI_TRY(cni_budget_go_on(f->routing->budget, cni_search_work(f->routing->topology) * 8));
        CNI_TRY(keep_entries(f));
        CNI_TRY(cni_budget_go_on(f->routing->budget, f->count * f->inlets.nodes));
    }
    return CN_OK;
}

cn_status cni_routing_fill(const char *function, cn_routing *routing)
{
    filling f = {.function = function, .routing = routing};
    cn_status status = fill(&f);
    cni_inlets_close(&f.inlets);
    cni_waves_close(&f.closer);
    cni_waves_close(&f.up_down);
    return status;
}

/* ---- pair by pair ---- */

/* From all nodes to a target. */
static cn_status tabulate_to(const char *function, cn_routing *routing, cni_decide_fn decide,
                             void *user, uint64_t target)
{
    for (uint64_t v = 0; v < routing->topology->nodes; v++) {
        cni_entry entry; /* 112 bytes, of which few are used, so they are not all cleared */
        uint32_t number;
        if (v == target || !cni_routing_serves(routing, v) || !cni_routing_serves(routing, target))
            continue;
        entry.ports = 0;
        entry.lanes = 0;
        CNI_TRY(decide(routing, user, v, target, &entry));
        if (entry.lanes == 0)
            return cni_fail_pair(function, routing, v, target);
        CNI_TRY(cni_table_intern(&routing->table, &entry, &number));
        CNI_TRY(cni_table_set(&routing->table, cni_routing_place(routing, v, 0, target), number));
    }
    return cni_budget_go_on(routing->budget, 8 * routing->topology->nodes);
}

cn_status cni_routing_tabulate(const char *function, cn_routing *routing, cni_decide_fn decide,
                               void *user)
{
    CNI_TRY(cni_routing_want_table(function, routing));
    for (uint64_t target = 0; target < routing->topology->nodes; target++)
        CNI_TRY(tabulate_to(function, routing, decide, user, target));
    cni_table_seal(&routing->table);
    return CN_OK;
}

/* The entry of the closed form without its faulty channels; no lanes when all ports of an escape
 * are lost. */
static cn_status leave_good(const cn_routing *routing, void *user, uint64_t node, uint64_t target,
                            cni_entry *entry)
{
    const uint64_t *good = user;
    cni_entry whole = {0};
    routing->kind->entry(routing, node, 0, target, &whole);
    for (uint32_t i = 0; i < whole.lanes; i++)
        if (whole.lane[i].is_escape && (whole.lane[i].ports & good[node]) == 0)
            return CN_OK;
    entry->ports = whole.ports & good[node];
    for (uint32_t i = 0; i < whole.lanes; i++)
        cni_add_lane(entry, whole.lane[i].ports & good[node], whole.lane[i].set,
                     whole.lane[i].is_escape);
    return CN_OK;
}

cn_status cni_routing_fit(const char *function, cn_routing *routing)
{
    const cn_faults *faults = routing->faults;
    if (faults == NULL)
        return CN_OK;
    uint64_t nodes = routing->topology->nodes;
    uint64_t *good = cni_allocate((size_t)nodes, sizeof *good);
    CNI_TRY_MEMORY(good);
    for (uint64_t v = 0; v < nodes; v++)
        good[v] = cni_good_ports(faults, v);
    cn_status status = cni_routing_tabulate(function, routing, leave_good, good);
    cni_release(good);
    return status;
}

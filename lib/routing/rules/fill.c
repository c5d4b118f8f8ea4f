/* How the table of a routing is filled: by a search from every target, or pair by pair. */
#include "routing/rules/routing.h"

#include "base/error.h"
#include "routing/rules/inlets.h"

cn_status cni_fail_pair(const char *function, const cn_routing *routing, uint64_t node,
                        uint64_t target)
{
    return cni_fail(CN_ERR_DISCONNECTED,
                    "%s: %s does not serve %s%s: no way from node %llu to %llu", function,
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
                    "%s: %s needs a table of %lu times %llu^2 places for %s, but at most 2^28 are "
                    "kept",
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

/* Numbers of keys that came before, by their hash. */
enum { MEMO_BITS = 14 };

typedef struct memo {
    cni_key key;
    uint32_t class, number; /* number 0: unused */
} memo;

typedef struct filling {
    const char *function;
    cn_routing *routing;
    cni_inlets inlets;
    uint32_t *scratch; /* 4 N + 1, of the search */
    cni_key *keys;     /* classes N */
    uint32_t *numbers; /* N, of one class */
    memo *memos;
} filling;

static cn_status number_of(filling *f, uint32_t class, const cni_key *key, memo *m)
{
    cni_entry entry = {0};
    f->routing->kind->shape(class, key, &entry);
    *m = (memo){*key, class, 0};
    return cni_table_intern(&f->routing->table, &entry, &m->number);
}

static cn_status find_numbers(filling *f, uint32_t class, const cni_key keys[])
{
    size_t nodes = (size_t)f->routing->topology->nodes;
    for (size_t v = 0; v < nodes; v++) {
        const cni_key *key = &keys[v];
        uint64_t hash = (key->first * 3 + key->second + class) * UINT64_C(0x9e3779b97f4a7c15);
        memo *m = &f->memos[hash >> (64 - MEMO_BITS)];
        if ((m->key.first ^ key->first) | (m->key.second ^ key->second) | (m->class ^ class) ||
            m->number == 0)
            CNI_TRY(number_of(f, class, key, m));
        f->numbers[v] = m->number;
    }
    return CN_OK;
}

static cn_status check_pairs(const filling *f, uint64_t target)
{
    const cn_routing *r = f->routing;
    for (uint64_t v = 0; v < r->topology->nodes; v++)
        if (f->numbers[v] == 0 && v != target && cni_routing_serves(r, v))
            return cni_fail_pair(f->function, r, v, target);
    return CN_OK;
}

/* The keys of one target go into the table. */
static cn_status keep(filling *f, uint64_t target)
{
    cn_routing *r = f->routing;
    size_t nodes = (size_t)r->topology->nodes;
    for (uint32_t k = 0; k < r->classes; k++) {
        CNI_TRY(find_numbers(f, k, f->keys + k * nodes));
        if (k == 0)
            CNI_TRY(check_pairs(f, target));
        CNI_TRY(
            cni_table_set_row(&r->table, cni_routing_place(r, 0, k, target), f->numbers, nodes));
    }
    return CN_OK;
}

static cn_status fill(filling *f)
{
    cn_routing *r = f->routing;
    size_t nodes = (size_t)r->topology->nodes;
    CNI_TRY(cni_routing_want_table(f->function, r));
    f->scratch = cni_allocate(4 * nodes + 1, sizeof *f->scratch);
    f->keys = cni_allocate(r->classes * nodes, sizeof *f->keys);
    f->numbers = cni_allocate(nodes, sizeof *f->numbers);
    f->memos = cni_allocate((size_t)1 << MEMO_BITS, sizeof *f->memos);
    if (f->scratch == NULL || f->keys == NULL || f->numbers == NULL || f->memos == NULL)
        return CN_ERR_MEMORY;
    CNI_TRY(cni_inlets_open(&f->inlets, r->topology, r->faults));
    if (r->kind->prepare != NULL)
        r->kind->prepare(r, &f->inlets);
    for (uint64_t target = 0; target < nodes; target++) {
        if (!cni_routing_serves(r, target))
            continue;
        for (size_t i = 0; i < r->classes * nodes; i++)
            f->keys[i] = (cni_key){0, 0};
        r->kind->search(r, &f->inlets, (uint32_t)target, f->scratch, f->keys);
        CNI_TRY(keep(f, target));
    }
    cni_table_seal(&r->table);
    return CN_OK;
}

cn_status cni_routing_fill(const char *function, cn_routing *routing)
{
    filling f = {.function = function, .routing = routing};
    cn_status status = fill(&f);
    cni_inlets_close(&f.inlets);
    cni_release(f.scratch);
    cni_release(f.keys);
    cni_release(f.numbers);
    cni_release(f.memos);
    return status;
}

/* ---- pair by pair ---- */

cn_status cni_routing_tabulate(const char *function, cn_routing *routing, cni_decide_fn decide,
                               void *user)
{
    uint64_t nodes = routing->topology->nodes;
    CNI_TRY(cni_routing_want_table(function, routing));
    for (uint64_t target = 0; target < nodes; target++)
        for (uint64_t v = 0; v < nodes; v++) {
            cni_entry entry = {0};
            uint32_t number;
            if (v == target || !cni_routing_serves(routing, v) ||
                !cni_routing_serves(routing, target))
                continue;
            CNI_TRY(decide(routing, user, v, target, &entry));
            if (entry.lanes == 0)
                return cni_fail_pair(function, routing, v, target);
            CNI_TRY(cni_table_intern(&routing->table, &entry, &number));
            CNI_TRY(cni_table_set_row(&routing->table, cni_routing_place(routing, v, 0, target),
                                      &number, 1));
        }
    cni_table_seal(&routing->table);
    return CN_OK;
}

static uint64_t good_ports(const cn_faults *faults, uint64_t node)
{
    uint64_t good = cni_all_ports(faults->topology, node) & ~cni_faulty_links(faults, node);
    for (uint32_t p = 0; p < cni_degree(faults->topology, node); p++)
        if (cni_node_faulty(faults, cni_neighbor(faults->topology, node, p)))
            good &= ~cni_bit(p);
    return good;
}

/* What is left of the closed form; nothing when an escape is lost. */
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
    if (good == NULL)
        return CN_ERR_MEMORY;
    for (uint64_t v = 0; v < nodes; v++)
        good[v] = good_ports(faults, v);
    cn_status status = cni_routing_tabulate(function, routing, leave_good, good);
    cni_release(good);
    return status;
}

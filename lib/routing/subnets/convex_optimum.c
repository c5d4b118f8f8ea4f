/*
 * A largest convex subnet of a small Boolean cube, by branch and bound. A set of nodes is a word.
 *
 * Two survivors are in conflict when no optimal path of good links joins them. Removing nodes only
 * makes more conflicts, so no convex subset keeps both nodes of a present conflict. For any node,
 * therefore, either the node goes, or all nodes in conflict with it go. Of every two nodes of a
 * matching in the graph of conflicts one must go, which bounds the size of the rest.
 */
#include "routing/subnets/subnet.h"

#include "cubenet/experimental/damage.h"

#include "base/budget.h"
#include "base/error.h"
#include "routing/faults/node_set.h"

enum { MOST_DIMENSIONS = 6, MOST_NODES = 64, STEP_WORK = 1024 };

typedef struct search {
    uint32_t n;
    uint64_t working[MOST_DIMENSIONS]; /* by dimension: nodes whose link there works */
    uint64_t side[MOST_DIMENSIONS][2]; /* by bit i: nodes in which it is 0, and is 1 */
    cni_budget *budget;
    uint64_t best; /* the largest convex set so far */
    uint32_t best_size;
    uint32_t open; /* an upper bound of the sizes in all branches that were not searched */
} search;

/* The alive nodes that no optimal path from u reaches. */
static uint64_t conflicts_of(const search *s, uint64_t alive, uint32_t u)
{
    uint64_t reached = cni_bit(u), level = reached;
    while (level != 0) {
        uint64_t next = 0;
        for (uint32_t i = 0; i < s->n; i++) {
            /* away from u: from the side of the cube that has u */
            next |= cni_across(level & s->working[i], i) & ~s->side[i][u >> i & 1];
        }
        level = next & alive;
        reached |= level;
    }
    return alive & ~reached;
}

/* Fills the conflicts of the alive nodes. Returns an upper bound of the size of a convex subset,
 * from a greedy matching. */
static uint32_t find_conflicts(const search *s, uint64_t alive, uint64_t conflicts[])
{
    uint64_t unmatched = 0;
    uint32_t matched = 0;
    for (uint64_t left = alive; left != 0; left &= left - 1) {
        uint32_t u = cni_lowest_bit(left);
        conflicts[u] = conflicts_of(s, alive, u);
        uint64_t partners = conflicts[u] & unmatched;
        if (partners != 0) {
            unmatched &= ~(partners & (0 - partners));
            matched++;
        } else if (conflicts[u] != 0) {
            unmatched |= cni_bit(u);
        }
    }
    return cni_popcount(alive) - matched;
}

/* Nodes that cannot stay because other nodes must stay. */
static uint64_t forced_out(uint64_t kept, const uint64_t conflicts[])
{
    uint64_t out = 0;
    for (; kept != 0; kept &= kept - 1)
        out |= conflicts[cni_lowest_bit(kept)];
    return out;
}

/* The node with the most conflicts; MOST_NODES without conflicts. */
static uint32_t worst_of(uint64_t alive, const uint64_t conflicts[])
{
    uint32_t worst = MOST_NODES, most = 0;
    for (; alive != 0; alive &= alive - 1) {
        uint32_t u = cni_lowest_bit(alive), count = cni_popcount(conflicts[u]);
        if (count > most) {
            most = count;
            worst = u;
        }
    }
    return worst;
}

/* Searches all convex subsets of alive that contain kept. */
static void explore(search *s, uint64_t alive, uint64_t kept)
{
    uint64_t conflicts[MOST_NODES], out;
    uint32_t bound = find_conflicts(s, alive, conflicts);
    while ((out = forced_out(kept, conflicts)) != 0) {
        if ((out & kept) != 0)
            return;
        alive &= ~out;
        bound = find_conflicts(s, alive, conflicts);
    }
    if (bound <= s->best_size)
        return;
    if (s->budget->stopped || cni_budget_left(s->budget) == 0) {
        s->open = bound > s->open ? bound : s->open;
        return;
    }
    cni_budget_spend(s->budget, 1);
    cni_budget_work(s->budget, STEP_WORK);
    uint32_t u = worst_of(alive, conflicts);
    if (u == MOST_NODES) {
        s->best = alive;
        s->best_size = bound;
        s->budget->lower = bound;
        return;
    }
    explore(s, alive & ~cni_bit(u), kept);
    explore(s, alive & ~conflicts[u], kept | cni_bit(u));
}

static uint64_t survivors_of(const cn_subnet *subnet)
{
    uint64_t set = 0;
    for (uint32_t v = 0; v < subnet->faults->topology->nodes; v++)
        set |= (uint64_t)cni_survives(subnet, v) << v;
    return set;
}

static void open_search(search *s, const cn_subnet *subnet, cni_budget *budget)
{
    const cn_topology *topology = subnet->faults->topology;
    *s = (search){.n = topology->dimensions, .budget = budget};
    for (uint32_t v = 0; v < topology->nodes; v++)
        for (uint32_t i = 0; i < s->n; i++) {
            s->working[i] |= (~cni_faulty_links(subnet->faults, v) >> i & 1) << v;
            s->side[i][v >> i & 1] |= cni_bit(v);
        }
    s->best = survivors_of(subnet);
    s->best_size = cni_popcount(s->best);
    budget->lower = s->best_size;
    budget->upper = (double)topology->nodes;
}

/* Makes the nodes of the set the survivors of a convex subnet. */
static void keep_set(cn_subnet *subnet, uint64_t set)
{
    for (uint32_t v = 0; v < subnet->faults->topology->nodes; v++)
        if (subnet->state[v] != CN_NODE_FAULTY)
            subnet->state[v] = set >> v & 1 ? CN_NODE_SURVIVING : CN_NODE_DISABLED;
    cni_subnet_recount(subnet);
}

cn_status cn_subnet_optimum(const cn_faults *faults, const cn_control *control, cn_subnet **subnet,
                            uint64_t *upper, uint64_t *used)
{
    CNI_REQUIRE_OUT(subnet);
    CNI_REQUIRE(faults);
    const cn_topology *topology = faults->topology;
    if (!cni_is_hypercube(topology) || topology->dimensions > MOST_DIMENSIONS)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: the network must be a hypercube of at most %d dimensions, not %s",
                        __func__, MOST_DIMENSIONS, topology->name);
    cni_budget budget;
    CNI_TRY(cni_budget_start(&budget, __func__, control, CN_OPTIMUM_DEFAULT));
    cn_subnet *made;
    CNI_TRY(cni_subnet_new(__func__, faults, CNI_RULE_CONVEX, 0, CN_LINK_IS_BAD, NULL, &made));
    search s;
    open_search(&s, made, &budget);
    uint64_t working = 0;
    for (uint32_t v = 0; v < topology->nodes; v++)
        working |= (uint64_t)!cni_node_faulty(faults, v) << v;
    explore(&s, working, 0);
    keep_set(made, s.best);
    CNI_GIVE(upper, s.open > s.best_size ? s.open : s.best_size);
    CNI_GIVE(used, budget.done);
    *subnet = made;
    return cni_budget_answer(&budget);
}

/* The minimum bisection width (Ginosar & Egozi 1989, 5.3): closed form, or bounds that may meet. */
#include "topology/measures/bisection.h"

#include <string.h>

#include "base/error.h"

/* Steps of the local search before the exact search, so that there is a cut when the exact
 * search is stopped. */
static const uint64_t SHORT_SEARCH = 20000;

/* The rule for the sides of a cut of minimum width, where that width has a closed form. */
static uint8_t side_by_rule(const cn_topology *t, uint64_t node)
{
    uint32_t order[CNI_MAX_DIMENSIONS];
    uint64_t rank = 0;
    if (t->ops->bisection_side != NULL)
        return (uint8_t)t->ops->bisection_side(t, node);
    if (t->dimensions == 0 || cni_is_symmetric(t))
        return node >= (t->nodes + 1) / 2;
    cni_order_dimensions(t, order);
    for (uint32_t i = 0; i < t->dimensions; i++)
        rank = rank * t->radix[order[i]] + cni_digit(t, node, order[i]);
    return rank >= (t->nodes + 1) / 2;
}

/*
 * Bounds proved elsewhere for networks that are too wide for the exact search: a semidefinite bound
 * with triangle inequalities. tests/topology/measures/certificates/ keeps the multipliers and
 * checks them.
 */
static const struct {
    cni_family family;
    uint64_t nodes, least;
} known_bounds[] = {
    {CNI_PSNN, 256, 40},
    {CNI_PSNN, 512, 68},
    {CNI_SHUFFLE_EXCHANGE, 256, 27},
    {CNI_SHUFFLE_EXCHANGE, 512, 47},
};

static uint64_t known_bound(const cn_topology *topology)
{
    for (size_t i = 0; i < sizeof known_bounds / sizeof *known_bounds; i++)
        if (topology->family == known_bounds[i].family && topology->nodes == known_bounds[i].nodes)
            return known_bounds[i].least;
    return 0;
}

/* The local search, which keeps the earlier cut unless it finds a better one. */
static cn_status look_for_cut(const cni_graph *graph, uint64_t steps, double share,
                              cni_budget *budget, uint8_t side[], cni_bounds *found)
{
    cni_budget part = cni_budget_part(budget, steps, share);
    CNI_TRY(cni_bisect_heuristic(graph, found->lower, &part, side, &found->upper));
    cni_budget_join(budget, &part);
    budget->upper = (double)found->upper;
    return CN_OK;
}

static cn_status raise_bound(const cni_graph *graph, uint64_t steps, double share,
                             cni_budget *budget, cni_bounds *found)
{
    cni_budget part = cni_budget_part(budget, steps, share);
    CNI_TRY(cni_bisect_bound(graph, found->upper, &part, &found->lower));
    cni_budget_join(budget, &part);
    return CN_OK;
}

static cn_status prove(const cni_graph *graph, cni_budget *budget, cni_bounds *found, int *proved)
{
    cni_budget part = cni_budget_part(budget, UINT64_MAX, 0.6);
    CNI_TRY(cni_bisect_exact(graph, &part, &found->lower, proved));
    cni_budget_join(budget, &part);
    budget->lower = (double)found->lower;
    return CN_OK;
}

/*
 * A short local search, then the exact search if it fits the budget; the exact width leaves only
 * the cut to be found. Otherwise a lower bound, unless one is known, and a long local search.
 */
static cn_status search(const cni_graph *graph, cni_budget *budget, uint8_t side[],
                        cni_bounds *found)
{
    int is_known = found->lower > 0, proved = 0;
    CNI_TRY(look_for_cut(graph, SHORT_SEARCH, 0.1, budget, side, found));
    if (!is_known && !budget->stopped)
        CNI_TRY(prove(graph, budget, found, &proved));
    uint64_t left = cni_budget_left(budget);
    uint64_t share = (left > UINT64_C(2000000000) ? UINT64_C(2000000000) : left) / 5;
    if (!is_known && !proved && !budget->stopped)
        CNI_TRY(raise_bound(graph, share / 2, 0.4, budget, found));
    if (found->lower < found->upper && !budget->stopped)
        CNI_TRY(look_for_cut(graph, share, 1.0, budget, side, found));
    return CN_OK;
}

/* Bounds without a search: the first half of the nodes by number, and at most all links between
 * the halves. */
static cn_status cut_by_number(const cn_topology *topology, uint8_t side[], cni_bounds *found)
{
    for (uint64_t v = 0; side != NULL && v < topology->nodes; v++)
        side[v] = v >= (topology->nodes + 1) / 2;
    return cni_link_count(topology, &found->upper);
}

static cn_status search_topology(const cn_topology *topology, cni_budget *budget, uint8_t side[],
                                 cni_bounds *found)
{
    cni_graph graph;
    CNI_TRY(cni_check_two_way("bisection_width", topology));
    cn_status status = cni_graph_open_within(topology, budget, &graph);
    if (status == CN_DONE)
        return cut_by_number(topology, side, found);
    CNI_TRY(status);
    uint8_t *own = cni_allocate(graph.nodes, 1); /* side stays untouched if the search fails */
    status = own == NULL ? CN_ERR_MEMORY : search(&graph, budget, own, found);
    if (status == CN_OK && found->upper == UINT64_MAX)
        status = cut_by_number(topology, side, found);
    else if (status == CN_OK && side != NULL)
        memcpy(side, own, graph.nodes);
    cni_release(own);
    cni_graph_close(&graph);
    return status;
}

/* All routers have equally many hosts, so halves of the base are halves of the network. A host
 * is on the side of its router, a relay on the side of the end of its link to which its last port
 * leads. */
static cn_status bisect_base(const cn_topology *topology, cni_budget *budget, uint8_t side[],
                             cni_bounds *found)
{
    const cn_topology *base = topology->base;
    CNI_TRY(cni_bisection(base, budget, side, found));
    for (uint64_t v = topology->nodes; side != NULL && v-- > base->nodes;)
        side[v] =
            side[topology->ops->neighbor(topology, v, topology->ops->degree(topology, v) - 1)];
    return CN_OK;
}

cn_status cni_bisection(const cn_topology *topology, cni_budget *budget, uint8_t side[],
                        cni_bounds *found)
{
    if (topology->base != NULL)
        return bisect_base(topology, budget, side, found);
    CNI_TRY(cni_check_all_hosts("bisection_width", topology));
    *found = (cni_bounds){known_bound(topology), UINT64_MAX, 0};
    if (topology->bisection == 0)
        return search_topology(topology, budget, side, found);
    for (uint64_t v = 0; side != NULL && v < topology->nodes; v++)
        side[v] = side_by_rule(topology, v);
    *found = (cni_bounds){topology->bisection, topology->bisection, 1};
    return CN_OK;
}

cn_status cn_topology_bisection(const cn_topology *topology, const cn_control *control,
                                uint8_t side[], size_t capacity, uint64_t *lower, uint64_t *upper,
                                cn_known *kind)
{
    CNI_REQUIRE_BOTH(topology, lower);
    CNI_REQUIRE_BOTH(upper, kind);
    cni_budget budget;
    CNI_TRY(cni_budget_start(&budget, __func__, control, CN_SEARCH_DEFAULT));
    CNI_REQUIRE_ARRAY(side, capacity);
    if (side != NULL && capacity < topology->nodes)
        return cni_fail_capacity(__func__, capacity, "%s has %llu nodes", topology->name,
                                 (unsigned long long)topology->nodes);
    cni_bounds found;
    CNI_TRY(cni_bisection(topology, &budget, side, &found));
    *lower = found.lower;
    *upper = found.upper;
    *kind = cni_known_of(&found);
    return cni_budget_answer(&budget);
}

static cn_status check_rule(const char *function, const cn_topology *topology)
{
    if (topology->bisection > 0)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has no closed form of its bisection width",
                    function, topology->name);
}

cn_status cn_bisection_side(const cn_topology *topology, uint64_t node, uint32_t *side)
{
    CNI_REQUIRE_BOTH(topology, side);
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    CNI_TRY(check_rule(__func__, topology));
    *side = side_by_rule(topology, node);
    return CN_OK;
}

/* The number of links between the first `first` of k nodes and the rest; the k nodes differ in one
 * digit. */
static uint64_t cut_of_line(const cn_topology *t, uint64_t k, uint64_t first)
{
    if (first == 0 || first == k)
        return 0;
    if (cni_sets_digits(t) || cni_is_complete(t))
        return first * (k - first);
    return cni_has_rings(t) && k > 2 ? 2 : 1;
}

/*
 * The number of links between the halves of a lexicographic order, dimension after dimension. A cut
 * line agrees with the first node of the second half in all earlier digits; where its later digits
 * are smaller, the cut lies one place later.
 */
static uint64_t count_by_order(const cn_topology *t)
{
    uint64_t first = (t->nodes + 1) / 2, lines = t->nodes, links = 0;
    uint32_t order[CNI_MAX_DIMENSIONS];
    if (t->dimensions == 0)
        return cut_of_line(t, t->nodes, first);
    cni_order_dimensions(t, order);
    for (uint32_t i = 0; i < t->dimensions; i++) {
        uint64_t k = t->radix[order[i]];
        lines /= k;
        uint64_t digit = first / lines;
        first %= lines;
        links += first * cut_of_line(t, k, digit + 1) + (lines - first) * cut_of_line(t, k, digit);
    }
    return links;
}

/* The side of a node; without a list, by the rule. */
static uint8_t side_of(const cn_topology *topology, const uint8_t side[], uint64_t node)
{
    return side != NULL ? side[node] : side_by_rule(topology, node);
}

/* The number of channels of a node that lead to the other side. */
static cn_status count_at(const cn_topology *t, const uint8_t side[], uint64_t node,
                          cni_budget *budget, uint64_t *channels)
{
    uint8_t here = side_of(t, side, node);
    if (here > 1)
        return cni_fail(CN_ERR_ARGUMENT, "%s: side[%llu] = %u, but it must be 0 or 1",
                        budget->function, (unsigned long long)node, (unsigned)here);
    uint32_t degree = t->ops->degree(t, node);
    for (uint32_t p = 0; p < degree; p++) {
        CNI_TRY(cni_budget_go_on(budget, 4));
        *channels += side_of(t, side, t->ops->neighbor(t, node, p)) != here;
    }
    return CN_OK;
}

static cn_status count_cut(const cn_topology *t, const uint8_t side[], cni_budget *budget,
                           uint64_t *width)
{
    uint64_t channels = 0, ones = 0;
    for (uint64_t v = 0; v < t->nodes; v++) {
        CNI_TRY(count_at(t, side, v, budget, &channels));
        CNI_TRY(cni_budget_go_on(budget, 4));
        ones += side_of(t, side, v);
        budget->done = v;
    }
    if (ones != t->nodes / 2 && ones != (t->nodes + 1) / 2)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: %llu of the %llu nodes are on side 1, but the sides may differ by one",
                        budget->function, (unsigned long long)ones, (unsigned long long)t->nodes);
    *width = t->bidirectional ? channels / 2 : channels;
    return CN_OK;
}

cn_status cn_bisection_check(const cn_topology *topology, const uint8_t side[], size_t count,
                             const cn_control *control, uint64_t *width)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(side, count);
    CNI_REQUIRE(width);
    CNI_BUDGET(budget, control, topology->nodes);
    if (side == NULL)
        CNI_TRY(check_rule(__func__, topology));
    else if (count != topology->nodes)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but %s has %llu nodes", __func__, count,
                        topology->name, (unsigned long long)topology->nodes);
    if (side != NULL || (topology->dimensions == 0 && !cni_is_complete(topology)))
        return count_cut(topology, side, &budget, width);
    *width = count_by_order(topology);
    return CN_OK;
}

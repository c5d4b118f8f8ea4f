/* A convex subnet by the heuristic with check-lists (Horng 1992, 5.4.1). */
#include "routing/subnets/subnet.h"

#include "base/error.h"

/* ---- lists of nodes ---- */

static uint32_t head_of(const cn_subnet *s, uint32_t list)
{
    return (uint32_t)s->faults->topology->nodes + list;
}

static void list_clear(cn_subnet *s)
{
    uint32_t all = head_of(s, CNI_LISTS);
    for (uint32_t i = 0; i < all; i++)
        s->nodes[i].next = s->nodes[i].previous = i;
}

void cni_list_remove(cn_subnet *s, uint64_t node)
{
    uint32_t before = s->nodes[node].previous, after = s->nodes[node].next;
    s->nodes[before].next = after;
    s->nodes[after].previous = before;
    s->nodes[node].next = s->nodes[node].previous = (uint32_t)node;
}

void cni_list_put(cn_subnet *s, uint64_t node, uint32_t list)
{
    uint32_t head = head_of(s, list), first;
    cni_list_remove(s, node);
    first = s->nodes[head].next;
    s->nodes[node].next = first;
    s->nodes[node].previous = head;
    s->nodes[first].previous = s->nodes[head].next = (uint32_t)node;
}

/* Moves all nodes of a list to an empty list. */
static void move_list(cn_subnet *s, uint32_t from, uint32_t to)
{
    uint32_t old = head_of(s, from), head = head_of(s, to);
    if (s->nodes[old].next == old)
        return;
    s->nodes[head] = s->nodes[old];
    s->nodes[s->nodes[head].next].previous = s->nodes[s->nodes[head].previous].next = head;
    s->nodes[old].next = s->nodes[old].previous = old;
}

uint32_t cni_list_first(const cn_subnet *s, uint32_t list)
{
    return s->nodes[head_of(s, list)].next;
}

int cni_list_is_empty(const cn_subnet *s, uint32_t list)
{
    return cni_list_first(s, list) == head_of(s, list);
}

/* ---- the heuristic ---- */

void cni_convex_check(cn_subnet *s, uint64_t node)
{
    cni_list_put(s, node, cni_popcount(s->nodes[node].bad));
}

/* Whether a survivor is known to lie outside the 1-degraded subnet with CN_LINK_DISABLES_END. All
 * nodes of that subnet survive, so a node with two bad links now has two bad links there, too. */
static int may_be_disabled(const cn_subnet *s, uint64_t node)
{
    return cni_popcount(s->nodes[node].bad) > 1 || cni_is_dismissed(s->faults, node);
}

/* The number of dead nodes within Hamming distance 2. */
static uint32_t dead_around(const cn_subnet *s, uint64_t node)
{
    uint32_t n = s->faults->topology->dimensions, dead = 0;
    for (uint32_t i = 0; i < n; i++) {
        dead += !cni_survives(s, node ^ cni_bit(i));
        for (uint32_t j = 0; j < i; j++)
            dead += !cni_survives(s, node ^ cni_bit(i) ^ cni_bit(j));
    }
    return dead;
}

/* Notes a change in the journal of the trial at hand. */
static void note_node(cn_subnet *s, uint64_t node)
{
    if (s->journal != NULL)
        s->journal->node[s->journal->count++] = node;
}

/* Disables one node and puts its neighbours on the check-lists. Safety changes only where bad
 * links change: at the neighbours. Elsewhere a subcube loses a survivor. */
static void disable(cn_subnet *s, uint64_t node)
{
    cni_subnet_kill(s, node, CN_NODE_DISABLED);
    cni_list_put(s, node, CNI_DISABLED_LIST);
    note_node(s, node);
    for (uint32_t i = 0; i < s->faults->topology->dimensions; i++)
        if (cni_survives(s, node ^ cni_bit(i)))
            cni_convex_check(s, node ^ cni_bit(i));
}

/*
 * Chooses the node to disable when `node` is unsafe: `node` or `other`. The subcube that its bad
 * links span holds `others` further survivors; `other` is one of them.
 *
 * Across a faulty link the choice is an end that may be disabled. So no node of the 1-degraded
 * subnet D is ever disabled. A node of D has at most one bad link, so it is unsafe only across a
 * faulty link, whose other end is not in D. And a node of D is never the only further survivor in a
 * subcube of two dimensions or more: it would have a good link there, to a third survivor.
 */
static uint64_t choose(const cn_subnet *s, uint64_t node, uint32_t others, uint64_t other)
{
    if (s->journal != NULL && s->journal->kept == node && may_be_disabled(s, other))
        return other;
    if (others > 1)
        return node;
    if (!may_be_disabled(s, node))
        return other;
    if (s->journal != NULL && s->journal->kept == other)
        return node;
    if (cni_popcount(node ^ other) == 1 && !may_be_disabled(s, other))
        return node;
    return dead_around(s, node) <= dead_around(s, other) ? node : other;
}

void cni_convex_settle(cn_subnet *s)
{
    uint32_t n = s->faults->topology->dimensions;
    for (uint32_t list = n; !cni_journal_has_ended(s->journal);) {
        if (cni_list_is_empty(s, list)) {
            if (list == 0)
                return;
            list--;
            continue;
        }
        if (!cni_subnet_step(s, 256))
            return;
        uint64_t node = cni_list_first(s, list), other = node;
        uint32_t others = cni_others(s, node, 2, &other);
        if (others == 0) {
            cni_list_remove(s, node);
            continue;
        }
        disable(s, choose(s, node, others, other));
        list = n; /* the neighbours may have come to any list */
    }
}

void cni_convex_revive(cn_subnet *s, uint64_t node)
{
    cni_list_remove(s, node);
    cni_subnet_revive(s, node);
    note_node(s, node);
}

/*
 * With two-way links a node can join a convex subnet exactly when the node itself is safe. A safe
 * node has a good link towards each survivor, and an optimal path leads on from there; the path
 * backwards is the way back, so no survivor becomes unsafe.
 */
void cni_convex_try_candidates(cn_subnet *s)
{
    uint32_t n = s->faults->topology->dimensions;
    while (!cni_list_is_empty(s, CNI_CANDIDATE_LIST) && !cni_journal_has_ended(s->journal) &&
           cni_subnet_step(s, 256)) {
        uint64_t node = cni_list_first(s, CNI_CANDIDATE_LIST), other;
        if (cni_others(s, node, 1, &other) != 0) {
            cni_list_put(s, node, CNI_DISABLED_LIST);
            continue;
        }
        cni_convex_revive(s, node);
        /* only the neighbours have fewer bad links now, so only the neighbours may become safe */
        for (uint32_t i = 0; i < n; i++)
            if (s->state[node ^ cni_bit(i)] == CN_NODE_DISABLED)
                cni_list_put(s, node ^ cni_bit(i), CNI_CANDIDATE_LIST);
    }
}

void cni_convex_enable(cn_subnet *s)
{
    move_list(s, CNI_DISABLED_LIST, CNI_CANDIDATE_LIST);
    cni_convex_try_candidates(s);
}

void cni_make_convex(cn_subnet *s)
{
    cni_subnet_reset(s);
    list_clear(s);
    for (uint64_t v = s->faults->topology->nodes; v-- > 0;)
        if (cni_survives(s, v) && s->nodes[v].bad != 0)
            cni_convex_check(s, v);
    cni_convex_settle(s);
    cni_convex_enable(s);
    if (s->faults->link_count > 0)
        cni_convex_exchange(s);
}

cn_status cn_subnet_convex(const cn_faults *faults, const cn_control *control, cn_subnet **subnet)
{
    CNI_REQUIRE_OUT(subnet);
    CNI_REQUIRE(faults);
    return cni_subnet_new(__func__, faults, CNI_RULE_CONVEX, 0, CN_LINK_IS_BAD, control, subnet);
}

/*
 * A larger convex subnet by exchange, where links are faulty. A trial puts a disabled node back,
 * with the disabled nodes around it. Then it disables unsafe nodes, other nodes rather than the
 * first one, and puts nodes back that can come back. Unless the subnet is larger than before, the
 * trial is undone.
 */
#include "routing/subnets/subnet.h"

/* A trial takes a millisecond in the largest cubes; a third pass would hardly find an exchange. */
enum { PASSES = 2, MOST_TRIALS = 4096 };

/* Clears the check-lists and the candidates of a trial that ended early. */
static void clear_lists(cn_subnet *s)
{
    for (uint32_t list = 0; list <= s->faults->topology->dimensions; list++)
        while (!cni_list_is_empty(s, list))
            cni_list_remove(s, cni_list_first(s, list));
    while (!cni_list_is_empty(s, CNI_CANDIDATE_LIST))
        cni_list_put(s, cni_list_first(s, CNI_CANDIDATE_LIST), CNI_DISABLED_LIST);
}

static void undo(cn_subnet *s, cni_journal *journal)
{
    clear_lists(s);
    while (journal->count > 0) {
        uint64_t node = journal->node[--journal->count];
        if (cni_survives(s, node)) {
            cni_subnet_kill(s, node, CN_NODE_DISABLED);
            cni_list_put(s, node, CNI_DISABLED_LIST);
        } else {
            cni_list_remove(s, node);
            cni_subnet_revive(s, node);
        }
    }
}

static void enable_node(cn_subnet *s, uint64_t node)
{
    if (s->state[node] == CN_NODE_DISABLED && !cni_journal_has_ended(s->journal))
        cni_convex_revive(s, node);
}

static void make_candidate(cn_subnet *s, uint64_t node)
{
    if (s->state[node] == CN_NODE_DISABLED)
        cni_list_put(s, node, CNI_CANDIDATE_LIST);
}

/* Calls a function for all nodes within Hamming distance 2 of the node, without the node itself. */
static void around(cn_subnet *s, uint64_t node, void (*what)(cn_subnet *, uint64_t))
{
    for (uint32_t i = 0; i < s->faults->topology->dimensions; i++) {
        what(s, node ^ cni_bit(i));
        for (uint32_t j = 0; j < i; j++)
            what(s, node ^ cni_bit(i) ^ cni_bit(j));
    }
}

/* One trial; 1 when the subnet is larger than before. */
static int improve(cn_subnet *s, uint64_t node)
{
    uint64_t before = s->survivors;
    cni_journal journal = {.kept = node, .count = 0};
    s->journal = &journal;
    enable_node(s, node);
    around(s, node, enable_node);
    for (uint32_t i = 0; i < journal.count; i++)
        cni_convex_check(s, journal.node[i]);
    cni_convex_settle(s);
    for (uint32_t i = 0, count = journal.count; i < count; i++)
        if (!cni_survives(s, journal.node[i]))
            around(s, journal.node[i], make_candidate);
    cni_convex_try_candidates(s);
    int better = !cni_journal_has_ended(&journal) && s->survivors > before;
    if (!better)
        undo(s, &journal);
    s->journal = NULL;
    return better;
}

void cni_convex_exchange(cn_subnet *s)
{
    uint32_t trials = 0;
    int again = 1;
    for (int pass = 0; again && pass < PASSES; pass++) {
        again = 0;
        for (uint64_t v = 0; v < s->faults->topology->nodes && trials < MOST_TRIALS; v++)
            if (s->state[v] == CN_NODE_DISABLED) {
                again = improve(s, v) || again;
                trials++;
            }
    }
    cni_convex_enable(s);
}

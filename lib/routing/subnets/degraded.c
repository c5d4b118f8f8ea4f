/* The k-degraded subnet, as the nodes find it in rounds (Horng 1992, 5.3.1). */
#include "routing/subnets/subnet.h"

#include "base/names.h"

/* Faulty links between working nodes at this working node. */
static uint32_t live_faulty_links(const cn_faults *faults, uint64_t node)
{
    uint32_t count = 0;
    for (uint64_t left = cni_faulty_links(faults, node); left != 0; left &= left - 1)
        count +=
            !cni_node_faulty(faults, cni_neighbor(faults->topology, node, cni_lowest_bit(left)));
    return count;
}

/* The faults alone decide, not the order of events: so an update finds what a new build finds. */
int cni_is_dismissed(const cn_faults *faults, uint64_t node)
{
    uint64_t left = cni_faulty_links(faults, node);
    if (left == 0 || cni_node_faulty(faults, node))
        return 0;
    uint32_t mine = live_faulty_links(faults, node);
    for (; left != 0; left &= left - 1) {
        uint64_t far = cni_neighbor(faults->topology, node, cni_lowest_bit(left));
        if (cni_node_faulty(faults, far))
            continue;
        uint32_t others = live_faulty_links(faults, far);
        if (mine > others || (mine == others && node < far))
            return 1;
    }
    return 0;
}

/*
 * One round disables the nodes that had too many bad links at the end of the round before; each
 * sends a message over each good link. A node enters the queue once, when it has k + 1 bad links
 * for the first time; so the queue never holds more than N nodes.
 */
void cni_peel(cn_subnet *s, size_t count)
{
    const cn_topology *topology = s->faults->topology;
    cni_subnet_node *queue = s->nodes;
    s->rounds = s->messages = 0;
    for (size_t begin = 0, end = count; begin < end;) {
        size_t stop = end;
        s->rounds++;
        for (size_t i = begin; i < stop; i++) {
            uint64_t v = queue[i].next;
            s->messages += cni_popcount(cni_all_ports(topology, v) & ~s->nodes[v].bad);
        }
        for (; begin < stop; begin++) {
            uint64_t v = queue[begin].next;
            if (!cni_subnet_step(s, 4 * topology->max_degree))
                return;
            cni_subnet_kill(s, v, CN_NODE_DISABLED);
            uint64_t working = cni_all_ports(topology, v) & ~cni_faulty_links(s->faults, v);
            for (; working != 0; working &= working - 1) {
                uint64_t far = cni_neighbor(topology, v, cni_lowest_bit(working));
                if (cni_survives(s, far) && cni_popcount(s->nodes[far].bad) == s->k + 1)
                    queue[end++].next = (uint32_t)far;
            }
        }
    }
}

static const char *const link_rule_names[] = {
    [CN_LINK_IS_BAD] = "is_bad",
    [CN_LINK_DISABLES_END] = "disables_end",
};
const cni_names cni_link_rules = CNI_NAMES("link rule", link_rule_names, 0);

void cni_degrade(cn_subnet *s)
{
    uint64_t nodes = s->faults->topology->nodes;
    cni_subnet_reset(s);
    if (s->link_rule == CN_LINK_DISABLES_END && s->faults->link_count > 0)
        for (uint64_t v = 0; v < nodes && cni_budget_pass(s->budget, v, 64); v++)
            if (cni_is_dismissed(s->faults, v))
                cni_subnet_kill(s, v, CNI_NODE_DISMISSED);
    size_t count = 0;
    for (uint64_t v = 0; v < nodes; v++)
        if (cni_survives(s, v) && cni_popcount(s->nodes[v].bad) > s->k)
            s->nodes[count++].next = (uint32_t)v;
    cni_peel(s, count);
}

cn_status cn_subnet_degraded(const cn_faults *faults, uint32_t k, cn_link_rule link_rule,
                             const cn_control *control, cn_subnet **subnet)
{
    CNI_REQUIRE_OUT(subnet);
    CNI_REQUIRE(faults);
    CNI_TRY(cni_check_named(__func__, &cni_link_rules, "link_rule", (int)link_rule));
    return cni_subnet_new(__func__, faults, CNI_RULE_DEGRADED, k, link_rule, control, subnet);
}

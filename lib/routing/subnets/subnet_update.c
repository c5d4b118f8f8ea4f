/* Faults and repairs while a subnet is in use (Horng 1992, 6.1.3). */
#include "routing/subnets/subnet.h"

#include "base/error.h"

#include <string.h>

/* ---- k-degraded ---- */

/* The state that the faults alone give a node: surviving, faulty or dismissed. */
static int hard_state(const cn_subnet *s, uint64_t node)
{
    if (cni_node_faulty(s->faults, node))
        return CN_NODE_FAULTY;
    if (s->link_rule == CN_LINK_DISABLES_END && cni_is_dismissed(s->faults, node))
        return CNI_NODE_DISMISSED;
    return CN_NODE_SURVIVING;
}

void cni_subnet_empty(cn_subnet *s)
{
    const cn_topology *topology = s->faults->topology;
    for (uint64_t v = 0; v < topology->nodes; v++) {
        int hard = hard_state(s, v);
        s->state[v] = (unsigned char)(hard == CN_NODE_SURVIVING ? CN_NODE_DISABLED : hard);
        s->nodes[v].bad = cni_all_ports(topology, v);
    }
    s->survivors = 0;
    memset(s->alive, 0, (size_t)((topology->nodes + 63) / 64) * sizeof *s->alive);
}

/* An action on a node, with so many nodes in the queue; returns the new number of nodes in the
 * queue. */
typedef size_t (*visit_fn)(cn_subnet *s, uint64_t node, size_t count);

static size_t revive_into_queue(cn_subnet *s, uint64_t node, size_t count)
{
    if (s->state[node] != CN_NODE_DISABLED)
        return count;
    cni_subnet_revive(s, node);
    s->nodes[count].next = (uint32_t)node;
    return count + 1;
}

/* A node that is no longer faulty or dismissed counts as disabled until the peeling has decided. */
static size_t release(cn_subnet *s, uint64_t node, size_t count)
{
    int hard = hard_state(s, node);
    if (s->state[node] != hard &&
        (s->state[node] == CN_NODE_FAULTY || s->state[node] == CNI_NODE_DISMISSED))
        s->state[node] = (unsigned char)(hard == CN_NODE_SURVIVING ? CN_NODE_DISABLED : hard);
    return count;
}

/* Makes a node faulty or dismissed if the faults alone do. */
static size_t harden(cn_subnet *s, uint64_t node, size_t count)
{
    int hard = hard_state(s, node);
    if (hard != CN_NODE_SURVIVING && cni_survives(s, node))
        cni_subnet_kill(s, node, hard);
    else if (hard != CN_NODE_SURVIVING)
        s->state[node] = (unsigned char)hard;
    return count;
}

/* Queues a survivor with too many bad links, and marks it as disabled, so that later visits do not
 * queue it again. */
static size_t queue_overloaded(cn_subnet *s, uint64_t node, size_t count)
{
    if (!cni_survives(s, node) || cni_popcount(s->nodes[node].bad) <= s->k)
        return count;
    s->state[node] = CN_NODE_DISABLED;
    s->nodes[count].next = (uint32_t)node;
    return count + 1;
}

/* Visits the node and all nodes at most `radius` hops away, some of them several times. */
static size_t visit_around(cn_subnet *s, uint64_t node, int radius, visit_fn visit, size_t count)
{
    const cn_topology *topology = s->faults->topology;
    count = visit(s, node, count);
    for (uint32_t p = 0; radius > 0 && p < cni_degree(topology, node); p++)
        count = visit_around(s, cni_neighbor(topology, node, p), radius - 1, visit, count);
    return count;
}

/* Puts all disabled nodes back that are joined through disabled nodes to the first `count` nodes
 * in the queue, which are back already. Returns the number of nodes in the queue. */
static size_t flood(cn_subnet *s, size_t count)
{
    const cn_topology *topology = s->faults->topology;
    for (size_t begin = 0; begin < count && cni_subnet_step(s, 4 * topology->max_degree); begin++) {
        uint64_t v = s->nodes[begin].next;
        uint64_t working = cni_all_ports(topology, v) & ~cni_faulty_links(s->faults, v);
        for (; working != 0; working &= working - 1)
            count = revive_into_queue(s, cni_neighbor(topology, v, cni_lowest_bit(working)), count);
    }
    return count;
}

/* Visits the nodes around both ends of a changed link; a changed node is both ends. */
static size_t visit_ends(cn_subnet *s, const uint64_t ends[2], int radius, visit_fn visit,
                         size_t count)
{
    count = visit_around(s, ends[0], radius, visit, count);
    return ends[1] == ends[0] ? count : visit_around(s, ends[1], radius, visit, count);
}

/*
 * First the nodes that the change sets free: the new nodes of the largest subnet are joined to the
 * change, so the disabled nodes around it are put back and peeled again. Then the nodes that the
 * change takes away, from which the peeling goes on.
 */
static void update_degraded(cn_subnet *s, const uint64_t ends[2])
{
    /* How many hops around a change nodes may be dismissed or released: faults up to two hops away
     * decide which end of a faulty link is disabled. */
    int radius = s->link_rule == CN_LINK_DISABLES_END && s->faults->links != NULL ? 2 : 0;
    size_t kept = 0;
    visit_ends(s, ends, radius, release, 0);
    size_t queued = flood(s, visit_ends(s, ends, radius, revive_into_queue, 0));
    visit_ends(s, ends, radius, harden, 0);
    for (size_t i = 0; i < queued; i++)
        kept = queue_overloaded(s, s->nodes[i].next, kept);
    kept = visit_ends(s, ends, radius + 1, queue_overloaded, kept);
    for (size_t i = 0; i < kept; i++)
        s->state[s->nodes[i].next] = CN_NODE_SURVIVING;
    cni_peel(s, kept);
}

/* ---- the call ---- */

/* Adapts the subnet to a change of its faults. A convex subnet is built anew: with updates in place
 * it would become smaller in the course of time (docs/faults.md). */
static cn_status follow(cn_subnet *s, cni_change_at change, cni_budget *budget)
{
    if (s->rule != CNI_RULE_DEGRADED)
        return cni_subnet_build(s, s->faults, budget);
    uint64_t ends[2] = {change.node, change.node};
    if (cni_changes_link(change)) {
        cni_subnet_refresh_link(s, change.node, change.port);
        ends[1] = cni_neighbor(s->faults->topology, change.node, change.port);
    }
    s->budget = budget;
    update_degraded(s, ends);
    s->budget = NULL;
    return cni_budget_go_on(budget, 0);
}

/* A call that was cancelled before its change changes nothing. */
cn_status cn_subnet_update(cn_subnet *subnet, cn_change change, uint64_t node, uint32_t port,
                           const cn_control *control)
{
    CNI_REQUIRE(subnet);
    cni_change_at step = {change, node, port};
    cni_budget budget;
    int is_new;
    CNI_TRY(cni_check_changeable(__func__, subnet));
    CNI_TRY(cni_change_begin(__func__, subnet->faults, step, control, &budget, &is_new));
    if (!is_new)
        return CN_OK;
    CNI_TRY(cni_faults_change(subnet->faults, step));
    cn_status status = follow(subnet, step, &budget);
    if (status != CN_OK)
        cni_subnet_empty(subnet);
    return status;
}

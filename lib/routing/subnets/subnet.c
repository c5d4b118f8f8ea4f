/* Subnets: creation and release, the counts that they keep, and the answers of a subnet. */
#include "routing/subnets/subnet.h"

#include "base/names.h"
#include "routing/decisions/channels.h"
#include "routing/faults/node_set.h"

#include <string.h>

static cn_status check_topology(const char *function, const cn_topology *topology,
                                cni_subnet_rule rule)
{
    if (rule == CNI_RULE_CONVEX && !cni_is_hypercube(topology))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: convex subnets exist in hypercubes, not in %s",
                        function, topology->name);
    if (rule == CNI_RULE_MINIMAL)
        return cni_check_routable(function, topology);
    if (!topology->bidirectional || topology->max_degree > 64)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "%s: a subnet needs bidirectional links and at most 64 ports per node; %s does "
            "not have them",
            function, topology->name);
    return CN_OK;
}

static cn_status allocate_arrays(cn_subnet *s, size_t nodes)
{
    const cni_array arrays[] = {
        CNI_ARRAY(s->nodes, nodes + CNI_LISTS),
        CNI_ARRAY(s->state, nodes),
        CNI_ARRAY(s->alive, (nodes + 63) / 64),
    };
    return cni_allocate_arrays(&s->block, arrays);
}

cn_status cni_subnet_make(const char *function, const cn_faults *faults, cni_subnet_rule rule,
                          cn_subnet **subnet)
{
    CNI_TRY(cni_check_all_hosts(function, faults->topology));
    CNI_TRY(check_topology(function, faults->topology, rule));
    cn_subnet *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->rule = rule;
    cn_status status = cn_faults_copy(faults, &made->faults);
    if (status == CN_OK)
        status = allocate_arrays(made, cni_size(faults->topology->nodes));
    if (status != CN_OK)
        cn_subnet_free(&made);
    *subnet = made;
    return status;
}

cn_status cni_subnet_build(cn_subnet *s, const cn_faults *faults, cni_budget *budget)
{
    cn_status status = CN_OK;
    if (faults != s->faults)
        CNI_TRY(cni_faults_assign(s->faults, faults));
    s->budget = budget;
    if (s->rule == CNI_RULE_CONVEX)
        cni_make_convex(s);
    else if (s->rule == CNI_RULE_DEGRADED)
        cni_degrade(s);
    else
        status = cni_make_minimal(s);
    s->budget = NULL;
    return status == CN_OK ? cni_budget_go_on(budget, 0) : status;
}

cn_status cni_subnet_new(const char *function, const cn_faults *faults, cni_subnet_rule rule,
                         uint32_t k, cn_link_rule link_rule, const cn_control *control,
                         cn_subnet **subnet)
{
    cni_budget budget;
    cn_subnet *made;
    CNI_TRY(cni_budget_begin(&budget, function, control, 0));
    CNI_TRY(cni_subnet_make(function, faults, rule, &made));
    made->k = k;
    made->link_rule = link_rule;
    cn_status status = cni_subnet_build(made, made->faults, &budget);
    if (status != CN_OK)
        cn_subnet_free(&made);
    *subnet = made;
    return status;
}

void cn_subnet_free(cn_subnet **subnet)
{
    if (subnet == NULL || !CNI_IS_VALID(*subnet))
        return;
    cn_subnet *s = *subnet;
    cn_faults_free(&s->faults);
    cni_release(s->block);
    cni_object_release(s);
    *subnet = NULL;
}

cn_status cn_subnet_copy(const cn_subnet *subnet, cn_subnet **copy)
{
    CNI_REQUIRE_OUT(copy);
    CNI_REQUIRE(subnet);
    cn_subnet *made;
    CNI_TRY(cni_subnet_make(__func__, subnet->faults, subnet->rule, &made));
    size_t nodes = cni_size(subnet->faults->topology->nodes);
    made->k = subnet->k;
    made->link_rule = subnet->link_rule;
    made->survivors = subnet->survivors;
    made->rounds = subnet->rounds;
    made->messages = subnet->messages;
    memcpy(made->nodes, subnet->nodes, (nodes + CNI_LISTS) * sizeof *made->nodes);
    memcpy(made->state, subnet->state, nodes * sizeof *made->state);
    memcpy(made->alive, subnet->alive, (nodes + 63) / 64 * sizeof *made->alive);
    *copy = made;
    return CN_OK;
}

cn_status cn_subnet_chosen(const cn_faults *faults, const uint64_t disabled[], size_t count,
                           cn_subnet **subnet)
{
    CNI_REQUIRE_OUT(subnet);
    CNI_REQUIRE(faults);
    CNI_REQUIRE_ARRAY(disabled, count);
    for (size_t i = 0; i < count; i++)
        CNI_TRY(cni_check_node(__func__, "disabled[i]", faults->topology, disabled[i]));
    cn_subnet *made;
    CNI_TRY(cni_subnet_make(__func__, faults, CNI_RULE_CHOSEN, &made));
    cni_subnet_reset(made);
    for (size_t i = 0; i < count; i++)
        if (cni_survives(made, disabled[i]))
            cni_subnet_kill(made, disabled[i], CN_NODE_DISABLED);
    *subnet = made;
    return CN_OK;
}

cn_status cni_check_changeable(const char *function, const cn_subnet *subnet)
{
    if (subnet->rule != CNI_RULE_CHOSEN && subnet->rule != CNI_RULE_MINIMAL)
        return CN_OK;
    return cni_fail(CN_ERR_STATE,
                    "%s: only a degraded or convex subnet can be changed, but this one is %s",
                    function, subnet->rule == CNI_RULE_CHOSEN ? "chosen" : "minimal");
}

cn_status cn_subnet_rebuild(cn_subnet *subnet, const cn_faults *faults, const cn_control *control)
{
    CNI_REQUIRE_BOTH(subnet, faults);
    if (!cn_topology_equal(subnet->faults->topology, faults->topology))
        return cni_fail(CN_ERR_ARGUMENT, "%s: faults are those of %s, but the subnet is one of %s",
                        __func__, faults->topology->name, subnet->faults->topology->name);
    CNI_TRY(cni_check_changeable(__func__, subnet));
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_budget_go_on(&budget, 0)); /* cancelled before it began: nothing changes */
    cn_status status = cni_subnet_build(subnet, faults, &budget);
    if (status == CN_ERR_CANCELLED)
        cni_subnet_empty(subnet);
    return status;
}

/* ---- bookkeeping ---- */

uint64_t cni_incoming(const cn_topology *topology, uint64_t node, uint32_t port, uint32_t *from)
{
    if (topology->bidirectional) {
        *from = cni_back_port(topology, node, port);
        return cni_neighbor(topology, node, port);
    }
    *from = port; /* of the answer, the node one up in the dimension */
    uint64_t stride = topology->stride[port], radix = topology->radix[port];
    return cni_digit(topology, node, port) + 1 < radix ? node + stride
                                                       : node - (radix - 1) * stride;
}

/* Marks the links to a dead node as bad at the other end. */
static void mark_at_neighbors(cn_subnet *s, uint64_t node)
{
    const cn_topology *topology = s->faults->topology;
    uint32_t degree = cni_degree(topology, node), from;
    for (uint32_t p = 0; p < degree; p++) {
        uint64_t near = cni_incoming(topology, node, p, &from);
        s->nodes[near].bad |= cni_bit(from);
    }
}

void cni_subnet_kill(cn_subnet *s, uint64_t node, int state)
{
    s->state[node] = (unsigned char)state;
    s->alive[node >> 6] &= ~cni_bit(node & 63);
    s->survivors--;
    mark_at_neighbors(s, node);
}

void cni_subnet_revive(cn_subnet *s, uint64_t node)
{
    const cn_topology *topology = s->faults->topology;
    s->state[node] = CN_NODE_SURVIVING;
    s->alive[node >> 6] |= cni_bit(node & 63);
    s->survivors++;
    uint32_t degree = cni_degree(topology, node), from;
    for (uint32_t p = 0; p < degree; p++) {
        uint64_t near = cni_incoming(topology, node, p, &from);
        if ((cni_faulty_links(s->faults, near) >> from & 1) == 0)
            s->nodes[near].bad &= ~cni_bit(from);
    }
}

void cni_subnet_refresh_link(cn_subnet *s, uint64_t node, uint32_t port)
{
    const cn_topology *topology = s->faults->topology;
    uint64_t far = cni_neighbor(topology, node, port);
    uint32_t back = cni_back_port(topology, node, port);
    int faulty = (cni_faulty_links(s->faults, node) >> port & 1) != 0;
    s->nodes[node].bad &= ~cni_bit(port);
    s->nodes[far].bad &= ~cni_bit(back);
    if (faulty || !cni_survives(s, far))
        s->nodes[node].bad |= cni_bit(port);
    if (faulty || !cni_survives(s, node))
        s->nodes[far].bad |= cni_bit(back);
}

void cni_subnet_recount(cn_subnet *s)
{
    uint64_t nodes = s->faults->topology->nodes;
    s->survivors = 0;
    memset(s->alive, 0, (size_t)((nodes + 63) / 64) * sizeof *s->alive);
    for (uint64_t v = 0; v < nodes && cni_budget_pass(s->budget, v, 1); v++)
        s->nodes[v].bad = cni_faulty_links(s->faults, v);
    for (uint64_t v = 0; v < nodes && cni_budget_pass(s->budget, v, 8); v++)
        if (cni_survives(s, v)) {
            s->survivors++;
            s->alive[v >> 6] |= cni_bit(v & 63);
        } else {
            mark_at_neighbors(s, v);
        }
}

void cni_subnet_reset(cn_subnet *s)
{
    const cn_faults *faults = s->faults;
    for (uint64_t v = 0; v < faults->topology->nodes; v++)
        s->state[v] = cni_node_faulty(faults, v) ? CN_NODE_FAULTY : CN_NODE_SURVIVING;
    s->rounds = s->messages = 0;
    cni_subnet_recount(s);
}

uint32_t cni_others(const cn_subnet *s, uint64_t node, uint32_t most, uint64_t *other)
{
    return cni_others_in(s->alive, 0, node, s->nodes[node].bad, most, other);
}

/* ---- what a subnet says ---- */

CNI_GETTER(uint64_t, cn_subnet_survivor_count, subnet, subnet->survivors, 0);

uint64_t cn_subnet_disabled_count(const cn_subnet *subnet)
{
    if (!CNI_IS_VALID(subnet))
        return 0;
    return subnet->faults->topology->nodes - subnet->faults->node_count - subnet->survivors;
}

CNI_GETTER(uint64_t, cn_subnet_rounds, subnet, subnet->rounds, 0);
CNI_GETTER(uint64_t, cn_subnet_messages, subnet, subnet->messages, 0);

static const char *const state_names[] = {
    [CN_NODE_SURVIVING] = "surviving",
    [CN_NODE_FAULTY] = "faulty",
    [CN_NODE_DISABLED] = "disabled",
};
const cni_names cni_node_states = CNI_NAMES("node state", state_names, 0);

cn_status cn_subnet_node_state(const cn_subnet *subnet, uint64_t node, cn_node_state *state)
{
    CNI_REQUIRE_BOTH(subnet, state);
    CNI_TRY(cni_check_node(__func__, "node", subnet->faults->topology, node));
    int found = subnet->state[node];
    *state = found == CNI_NODE_DISMISSED ? CN_NODE_DISABLED : (cn_node_state)found;
    return CN_OK;
}

cn_status cn_subnet_survivors(const cn_subnet *subnet, uint64_t nodes[], size_t capacity,
                              size_t *count)
{
    CNI_REQUIRE(subnet);
    CNI_REQUIRE_ARRAY(nodes, capacity);
    CNI_REQUIRE_FIT(subnet->survivors, capacity, count, "there are %llu survivors",
                    (unsigned long long)subnet->survivors);
    size_t found = 0;
    for (uint64_t v = 0; found < subnet->survivors; v++)
        if (cni_survives(subnet, v))
            nodes[found++] = v;
    return CN_OK;
}

cn_status cn_subnet_neighbor_status(const cn_subnet *subnet, uint64_t node, uint64_t *status)
{
    CNI_REQUIRE_BOTH(subnet, status);
    CNI_TRY(cni_check_node(__func__, "node", subnet->faults->topology, node));
    *status = cni_all_ports(subnet->faults->topology, node) & ~subnet->nodes[node].bad;
    return CN_OK;
}

cn_status cn_subnet_is_safe(const cn_subnet *subnet, uint64_t node, int *safe)
{
    CNI_REQUIRE_BOTH(subnet, safe);
    CNI_TRY(cni_check_hypercube(__func__, subnet->faults->topology));
    CNI_TRY(cni_check_node(__func__, "node", subnet->faults->topology, node));
    if (!cni_survives(subnet, node))
        return cni_fail(CN_ERR_ARGUMENT, "%s: node = %llu, but it is not a survivor", __func__,
                        (unsigned long long)node);
    uint64_t other;
    *safe = cni_others(subnet, node, 1, &other) == 0;
    return CN_OK;
}

uint64_t cni_first_unsafe(const cn_subnet *s, uint64_t *other)
{
    uint64_t v = 0;
    while (v < s->faults->topology->nodes &&
           (!cni_survives(s, v) || cni_others(s, v, 1, other) == 0))
        v++;
    return v;
}

cn_status cn_subnet_is_convex(const cn_subnet *subnet, int *convex)
{
    uint64_t other;
    CNI_REQUIRE_BOTH(subnet, convex);
    CNI_TRY(cni_check_hypercube(__func__, subnet->faults->topology));
    *convex = cni_first_unsafe(subnet, &other) == subnet->faults->topology->nodes;
    return CN_OK;
}

/* Routings as objects: making them by name, and what they say of themselves. */
#include "routing/rules/routing.h"

#include "base/names.h"
#include "topology/each.h"

static const cni_routing_kind *const kinds[] = {
    &cni_minimal,      &cni_preferred,        &cni_dimension_order, &cni_duato,
    &cni_up_down,      &cni_up_down_adaptive, &cni_negative_first,  &cni_valiant,
    &cni_optimal_path, &cni_two_level,        &cni_tree_routing,    &cni_own,
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const cni_names kind_names = CNI_NAMES_AT("routing", kinds);

size_t cn_routing_kind_count(void)
{
    return KINDS;
}

const char *cn_routing_kind_name(size_t index)
{
    return index < KINDS ? kinds[index]->name : NULL;
}

const char *cn_routing_kind_summary(size_t index)
{
    return index < KINDS ? kinds[index]->summary : NULL;
}

/* ---- making and giving up ---- */

static cn_status check_ports(const char *function, const cn_topology *topology)
{
    if (topology->max_degree <= CNI_MOST_PORTS)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: %s has %lu ports a node, but a routing takes at most %d", function,
                    topology->name, (unsigned long)topology->max_degree, CNI_MOST_PORTS);
}

/* Keeps a copy of the faults; only working nodes are served. */
static cn_status take_faults(const cn_faults *faults, cn_routing *routing)
{
    if (faults == NULL || (faults->node_count == 0 && faults->link_count == 0))
        return CN_OK;
    uint64_t nodes = routing->topology->nodes;
    CNI_TRY(cn_faults_copy(faults, &routing->faults));
    routing->served = cni_allocate((size_t)((nodes + 63) / 64), sizeof *routing->served);
    CNI_TRY_MEMORY(routing->served);
    routing->served_count = 0;
    for (uint64_t v = 0; v < nodes; v++)
        if (!cni_node_faulty(faults, v)) {
            routing->served[v >> 6] |= UINT64_C(1) << (v & 63);
            routing->served_count++;
        }
    return CN_OK;
}

void cni_routing_count_ends(cn_routing *routing)
{
    routing->hosts = routing->middles = routing->served_count;
    if (cni_all_are_hosts(routing->topology))
        return;
    const cn_topology *t = routing->topology;
    routing->hosts = t->hosts;
    routing->middles = t->hosts_forward ? t->hosts : t->nodes - t->hosts - t->relays;
    if (routing->served_count == t->nodes)
        return;
    routing->hosts = routing->middles = 0;
    for (uint64_t v = 0; v < routing->topology->nodes; v++) {
        routing->hosts += (uint64_t)cni_routing_is_host(routing, v);
        routing->middles += (uint64_t)cni_routing_is_middle(routing, v);
    }
}

uint32_t cni_routing_least_of(const cni_routing_kind *kind, const cn_topology *topology,
                              const cn_faults *faults)
{
    if (kind->kind_of_legs != NULL)
        return 2 * cni_routing_least_of(kind->kind_of_legs(topology, faults), topology, faults);
    int has_classes = kind->has_ring_classes && cni_has_rings(cni_innermost(topology));
    return 1 + (uint32_t)kind->has_free_channels + (uint32_t)has_classes;
}

cn_status cni_routing_make(const char *function, const cni_routing_kind *kind,
                           const cn_topology *topology, const cn_faults *faults, cni_budget *budget,
                           cn_routing **routing)
{
    CNI_TRY(check_ports(function, topology));
    if (faults != NULL && !cn_topology_equal(topology, faults->topology))
        return cni_fail(CN_ERR_ARGUMENT, "%s: faults are those of %s, but topology is %s", function,
                        faults->topology->name, topology->name);
    cn_routing *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->references = 1;
    made->kind = kind;
    made->leg = made;
    made->topology = cni_topology_retain(topology);
    made->served_count = topology->nodes;
    made->classes = kind->classes;
    made->least = cni_routing_least_of(kind, topology, faults);
    made->has_escapes = kind->has_escapes;
    made->budget = budget;
    cn_status status = take_faults(faults, made);
    cni_routing_count_ends(made);
    if (status != CN_OK)
        cn_routing_free(&made);
    *routing = made;
    return status;
}

cn_status cni_routing_finish(cn_routing *made, cn_status status, cn_routing **routing)
{
    made->budget = NULL;
    if (status != CN_OK)
        cn_routing_free(&made);
    *routing = made;
    return status;
}

cn_status cni_routing_build(const char *function, const cni_routing_kind *kind,
                            const cn_topology *topology, const cn_faults *faults,
                            cni_budget *budget, cn_routing **routing)
{
    cn_routing *made;
    if (topology->base != NULL && kind != &cni_valiant)
        return cni_routing_build_lifted(function, kind, topology, faults, budget, routing);
    CNI_TRY(cni_routing_make(function, kind, topology, faults, budget, &made));
    return cni_routing_finish(made, kind->open(function, made), routing);
}

cn_routing *cni_routing_retain(const cn_routing *routing)
{
    cn_routing *shared = cni_mutable(routing); /* the count is the one part that changes */
    cni_retain(&shared->references);
    return shared;
}

void cn_routing_free(cn_routing **routing)
{
    if (routing == NULL || !CNI_IS_VALID(*routing))
        return;
    cn_routing *r = *routing;
    *routing = NULL;
    if (!cni_drop(&r->references))
        return;
    if (r->kind->close == NULL)
        cni_release(r->state);
    else if (r->state != NULL)
        r->kind->close(r->state);
    for (uint32_t v = 0; v <= CN_MAX_VIRTUAL_CHANNELS; v++) {
        cn_deadlock *check = r->checks[v];
        cn_deadlock_free(&check);
    }
    if (r->leg != r)
        cn_routing_free(&r->leg);
    cn_routing_free(&r->base);
    cni_table_close(&r->table);
    cni_packed_close(&r->ports);
    cni_release(r->served);
    cn_faults_free(&r->faults);
    cni_topology_release(r->topology);
    cni_object_release(r);
}

cn_status cni_routing_find(const char *function, const char *name, const cni_routing_kind **kind)
{
    int number;
    CNI_TRY(cni_from_name(function, &kind_names, name, &number));
    *kind = kinds[number];
    if ((*kind)->open != NULL)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: name = \"%s\", but that routing needs more than a name; "
                    "cn_routing_%s() makes it",
                    function, name, name);
}

cn_status cn_routing_new(const cn_topology *topology, const char *name, const cn_faults *faults,
                         const cn_control *control, cn_routing **routing)
{
    const cni_routing_kind *kind = NULL;
    CNI_REQUIRE_OUT(routing);
    CNI_REQUIRE_BOTH(topology, name);
    if (faults != NULL)
        CNI_REQUIRE(faults);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_routing_find(__func__, name, &kind));
    return cni_routing_build(__func__, kind, topology, faults, &budget, routing);
}

/* ---- what it says ---- */

CNI_GETTER(const char *, cn_routing_name, routing, routing->kind->name, "");

cn_status cn_routing_least_virtual_channels(const cn_routing *routing, uint32_t *virtual_channels)
{
    CNI_REQUIRE_BOTH(routing, virtual_channels);
    *virtual_channels = routing->least;
    return CN_OK;
}

/* CN_ERR_ARGUMENT, in the name of the calling function, unless the node is served. */
static cn_status check_served(const char *function, const char *argument, const cn_routing *routing,
                              uint64_t node)
{
    CNI_TRY(cni_check_node(function, argument, routing->topology, node));
    if (cni_routing_serves(routing, node))
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %llu, but %s serves only nodes that survive",
                    function, argument, (unsigned long long)node, routing->kind->name);
}

cn_status cni_check_end(const char *function, const char *argument, const cn_routing *routing,
                        uint64_t node)
{
    CNI_TRY(check_served(function, argument, routing, node));
    return cni_check_host(function, argument, routing->topology, node);
}

cn_status cni_check_virtual_channels(const char *function, const cn_routing *routing,
                                     uint32_t virtual_channels)
{
    if (virtual_channels >= routing->least && virtual_channels <= CN_MAX_VIRTUAL_CHANNELS)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: virtual_channels = %lu, but it must be %lu to %d for %s on %s", function,
                    (unsigned long)virtual_channels, (unsigned long)routing->least,
                    CN_MAX_VIRTUAL_CHANNELS, routing->kind->name, routing->topology->name);
}

cn_status cn_routing_channels(const cn_routing *routing, uint64_t node, uint64_t destination,
                              uint64_t *ports)
{
    CNI_REQUIRE_BOTH(routing, ports);
    CNI_TRY(check_served(__func__, "node", routing, node));
    CNI_TRY(cni_check_end(__func__, "destination", routing, destination));
    *ports = cni_routing_ports(routing->leg, node, 0, destination);
    return CN_OK;
}

static void take_ports(const void *routing, uint64_t node, uint64_t destination, uint64_t *ports)
{
    *ports = cni_routing_ports(((const cn_routing *)routing)->leg, node, 0, destination);
}

static int serves(const void *routing, uint64_t node)
{
    return cni_routing_serves(routing, node);
}

static cn_status refuse_unserved(const char *function, const char *argument, const void *routing,
                                 uint64_t node)
{
    return check_served(function, argument, routing, node);
}

cn_status cn_routing_next_hops(const cn_routing *routing, const uint64_t nodes[],
                               const uint64_t destinations[], size_t count,
                               const cn_control *control, uint64_t ports[])
{
    CNI_REQUIRE(routing);
    const cni_each each = {.function = __func__,
                           .topology = routing->topology,
                           .object = routing,
                           .answer = take_ports,
                           .name = {"nodes", "destinations", "ports"},
                           .nodes = nodes,
                           .others = destinations,
                           .units = 64,
                           .width = 1,
                           .takes = serves,
                           .refuse = refuse_unserved};
    return cni_answer_each(&each, count, control, ports);
}

/* Checks that a message can come to the node as the caller says: over a channel of the network, or
 * from nowhere, new at its source. */
static cn_status check_arrival(const char *function, const cn_routing *routing, uint64_t node,
                               uint64_t previous, uint32_t port, uint32_t virtual_channel,
                               uint32_t virtual_channels)
{
    const cn_topology *t = routing->topology;
    if (port == CN_NO_PORT)
        return CN_OK;
    CNI_TRY(check_served(function, "previous", routing, previous));
    if (port >= cni_degree(t, previous) || cni_neighbor(t, previous, port) != node)
        return cni_fail(
            CN_ERR_ARGUMENT, "%s: port = %lu, but no such port of node %llu leads to node %llu",
            function, (unsigned long)port, (unsigned long long)previous, (unsigned long long)node);
    return cni_check_range(function, "virtual_channel", virtual_channel, 0, virtual_channels - 1);
}

void cni_lanes_to_sets(const cni_entry *entry, uint32_t virtual_channels, int escapes_only,
                       uint64_t channels[])
{
    for (uint32_t i = 0; i < entry->lanes; i++) {
        const cni_lane *lane = &entry->lane[i];
        if (escapes_only && !lane->is_escape)
            continue;
        for (uint64_t ports = lane->ports; ports != 0; ports &= ports - 1)
            channels[cni_lowest_bit(ports)] |= cni_cut_set(lane->set, virtual_channels);
    }
}

cn_status cn_routing_virtual_channels(const cn_routing *routing, uint32_t virtual_channels,
                                      uint64_t node, uint64_t destination, uint64_t previous,
                                      uint32_t port, uint32_t virtual_channel, uint64_t channels[],
                                      size_t capacity, size_t *count)
{
    CNI_REQUIRE(routing);
    CNI_REQUIRE_ARRAY(channels, capacity);
    CNI_TRY(cni_check_virtual_channels(__func__, routing, virtual_channels));
    CNI_TRY(check_served(__func__, "node", routing, node));
    CNI_TRY(cni_check_end(__func__, "destination", routing, destination));
    CNI_TRY(
        check_arrival(__func__, routing, node, previous, port, virtual_channel, virtual_channels));
    uint32_t degree = cni_degree(routing->topology, node), class = 0;
    CNI_REQUIRE_FIT(degree, capacity, count, "node %llu has %lu ports", (unsigned long long)node,
                    (unsigned long)degree);
    if (port != CN_NO_PORT)
        class = cni_routing_after(routing, 0, destination, previous, port, virtual_channel);
    cni_entry room;
    for (uint32_t p = 0; p < degree; p++)
        channels[p] = 0;
    cni_lanes_to_sets(cni_routing_next(routing, node, class, destination, &room), virtual_channels,
                      CNI_ALL_LANES, channels);
    return CN_OK;
}

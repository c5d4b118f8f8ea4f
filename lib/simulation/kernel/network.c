/* The network of a kernel without header arithmetic: nodes, channels and a table of the routing. */
#include "simulation/kernel/network.h"

#include "cubenet/enum.h"

#include "base/error.h"
#include "base/memory.h"
#include "routing/rules/rows.h"
#include "scenario/traffic/traffic.h"

/* Up to this many places a table is computed when the network opens. A larger table would delay
 * the opening, so each hop asks the routing instead. A closed form reaches 2^21 places with 1448
 * nodes and one class. Stored ports take less time a place: they reach 2^22 places with 1182
 * nodes and three classes. */
#define MOST_COMPUTED (UINT64_C(1) << 21)
#define MOST_FROM_PORTS (UINT64_C(1) << 22)

static cn_status check_size(const char *function, const cn_topology *topology)
{
    if (topology->nodes <= CNI_UNIFORM_NODES)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: a simulation has at most %llu nodes, but %s has %llu",
                    function, (unsigned long long)CNI_UNIFORM_NODES, topology->name,
                    (unsigned long long)topology->nodes);
}

/* Ranks the endpoints, unless all nodes are endpoints. */
static cn_status rank_nodes(cni_network *network)
{
    const cn_routing *routing = network->routing;
    uint32_t rank = 0;
    network->served = (uint32_t)routing->served_count;
    network->endpoints = (uint32_t)routing->hosts;
    if (network->endpoints == network->nodes)
        return CN_OK;
    network->node_of = cni_allocate(network->endpoints, sizeof *network->node_of);
    network->rank_of = cni_allocate(network->nodes, sizeof *network->rank_of);
    if (network->node_of == NULL || network->rank_of == NULL)
        return CN_ERR_MEMORY;
    for (uint64_t v = 0; v < network->nodes; v++) {
        network->rank_of[v] = CNI_ABSENT;
        if (!cni_routing_is_host(routing, v))
            continue;
        network->node_of[rank] = (uint32_t)v;
        network->rank_of[v] = rank++;
    }
    return CN_OK;
}

static cn_status check_inlets(const char *function, const cni_network *network)
{
    const size_t *first = network->inlets.first;
    for (uint64_t v = 0; v < network->nodes; v++)
        if (first[v + 1] - first[v] > CNI_MOST_PORTS)
            return cni_fail(CN_ERR_UNSUPPORTED,
                            "%s: %zu channels come into node %llu of %s, but a simulation has room "
                            "for at most %d",
                            function, first[v + 1] - first[v], (unsigned long long)v,
                            network->topology->name, CNI_MOST_PORTS);
    return CN_OK;
}

/* Finds the far end of every channel, and counts the channels. */
static cn_status list_channels(cni_network *network)
{
    const cni_inlets *inlets = &network->inlets;
    uint64_t places = network->nodes * network->ports;
    network->far = cni_allocate(places, sizeof *network->far);
    CNI_TRY_MEMORY(network->far);
    for (uint64_t c = 0; c < places; c++)
        network->far[c] = CNI_ABSENT;
    for (uint64_t v = 0; v < network->nodes; v++)
        for (size_t i = inlets->first[v]; i < inlets->first[v + 1]; i++) {
            network->far[(uint64_t)inlets->tail[i] * network->ports + inlets->port[i]] =
                (uint32_t)v;
            network->channels += (uint64_t)(cni_network_serves(network, v) &&
                                            cni_network_serves(network, inlets->tail[i]));
        }
    return CN_OK;
}

/* Computes the entries of all nodes, target by target. */
static cn_status put_rows(cni_network *network, cni_rows *rows, cni_budget *budget)
{
    for (uint32_t class = 0; class < network->routing->classes; class ++)
        for (uint64_t target = 0; target < network->nodes; target++) {
            size_t place = cni_routing_place(network->routing, 0, class, target);
            CNI_TRY(cni_budget_go_on(budget, 8 * network->nodes));
            CNI_TRY(cni_rows_to(rows, class, target));
            for (uint64_t v = 0; v < network->nodes; v++)
                CNI_TRY(cni_table_set(&network->computed, place + (size_t)v, rows->number[v]));
        }
    return CN_OK;
}

cn_status cni_network_tabulate(cni_network *network, cni_budget *budget)
{
    uint64_t nodes = network->nodes, places = network->routing->classes * nodes * nodes;
    uint64_t most = cni_routing_is_closed_form(network->routing) ? MOST_COMPUTED : MOST_FROM_PORTS;
    if (network->table != NULL || nodes > UINT16_MAX || places > most)
        return CN_OK;
    CNI_TRY(cni_table_open(&network->computed));
    CNI_TRY(cni_table_want(&network->computed, (size_t)places));
    cni_rows rows;
    cn_status status = cni_rows_open(network->routing, &network->computed, &rows);
    if (status == CN_OK)
        status = put_rows(network, &rows, budget);
    cni_rows_close(&rows);
    CNI_TRY(status);
    cni_table_seal(&network->computed);
    network->table = &network->computed;
    return CN_OK;
}

/* TARGETS: rows that are computed before their ports are stored. PAD: places between rows, so that
 * equal places of all rows do not share a set of the cache. */
enum { TARGETS = 32, PAD = 8 };

/* Stores the ports of every node for a class and some targets. `rows` has a row of nodes for each
 * target. The loop goes node by node, because the places of one target are far apart. */
static void put_ports(cni_network *network, uint32_t class, uint64_t target, size_t targets,
                      const uint64_t rows[])
{
    uint64_t ports[TARGETS];
    for (uint64_t v = 0; v < network->nodes; v++) {
        size_t place = cni_network_place(network, (uint32_t)v, class, target);
        for (size_t i = 0; i < targets; i++)
            ports[i] = rows[i * (network->nodes + PAD) + v];
        if (network->bytes == NULL)
            cni_packed_set(&network->near, place, ports, targets);
        for (size_t i = 0; network->bytes != NULL && i < targets; i++)
            network->bytes[place + i] = (uint8_t)ports[i];
    }
}

static cn_status list_ports_to(cni_network *network, cni_rows *rows, uint64_t ports[],
                               cni_budget *budget)
{
    for (uint32_t class = 0; class < network->classes; class ++)
        for (uint64_t target = 0, count; target < network->nodes; target += count) {
            for (count = 0; count < TARGETS && target + count < network->nodes; count++) {
                CNI_TRY(cni_rows_ports(rows, class, target + count,
                                       ports + count * (network->nodes + PAD)));
                CNI_TRY(cni_budget_go_on(budget, 16 * network->nodes));
            }
            put_ports(network, class, target, (size_t)count, ports);
        }
    return CN_OK;
}

static cn_status list_rows_of_ports(cni_network *network, cni_rows *rows, cni_budget *budget)
{
    uint64_t *ports = cni_allocate(TARGETS * (network->nodes + PAD), sizeof *ports);
    CNI_TRY_MEMORY(ports);
    cn_status status = list_ports_to(network, rows, ports, budget);
    cni_release(ports);
    return status;
}

cn_status cni_network_list_ports(cni_network *network, cni_budget *budget)
{
    uint64_t nodes = network->nodes, places = network->classes * nodes * nodes;
    uint64_t most = cni_routing_is_closed_form(network->routing) ? MOST_COMPUTED : MOST_FROM_PORTS;
    cni_table entries;
    cni_rows rows = {0};
    if (nodes > UINT16_MAX || places > most)
        return CN_OK;
    /* vectors read four bytes from each entry on, so there is room behind the last one */
    if (network->ports > 8)
        CNI_TRY(cni_packed_open(&network->near, (size_t)places + 1, network->ports));
    else if ((network->bytes = cni_allocate(places + 3, 1)) == NULL)
        return CN_ERR_MEMORY;
    cn_status status = cni_table_open(&entries);
    if (status == CN_OK)
        status = cni_rows_open(network->routing, &entries, &rows);
    if (status == CN_OK)
        status = list_rows_of_ports(network, &rows, budget);
    cni_rows_close(&rows);
    cni_table_close(&entries);
    return status;
}

cn_status cni_network_open(const char *function, const cn_scenario *scenario, cni_network *network)
{
    const cn_topology *t = scenario->topology;
    *network = (cni_network){.topology = t, .nodes = t->nodes, .ports = t->max_degree};
    CNI_TRY(check_size(function, t));
    CNI_TRY(cni_scenario_open_routing(function, scenario, &network->routing));
    network->classes = network->routing->classes;
    CNI_TRY(rank_nodes(network));
    if (network->endpoints < 2)
        return cni_fail(CN_ERR_DISCONNECTED,
                        "%s: survivors = %lu on %s, but messages need at least 2", function,
                        (unsigned long)network->endpoints, t->name);
    CNI_TRY(cni_inlets_open(&network->inlets, t, network->routing->faults, NULL));
    CNI_TRY(check_inlets(function, network));
    if (network->routing->table.entries != NULL)
        network->table = &network->routing->table;
    return list_channels(network);
}

cn_status cni_network_open_whole(const char *function, const cn_topology *cube,
                                 cni_network *network)
{
    CNI_TRY(check_size(function, cube));
    *network = (cni_network){.topology = cube,
                             .nodes = cube->nodes,
                             .ports = cube->max_degree,
                             .served = (uint32_t)cube->nodes,
                             .endpoints = (uint32_t)cube->nodes,
                             .channels = cube->nodes * cube->max_degree};
    return CN_OK;
}

cn_status cni_network_hops(const cni_inlets *inlets, const uint32_t list[], uint64_t count,
                           cni_budget *budget, uint16_t **hops)
{
    size_t nodes = inlets->nodes;
    uint32_t *found = cni_allocate(2 * (uint64_t)nodes, sizeof *found);
    uint16_t *to = *hops = cni_allocate(count * count, sizeof *to);
    cn_status status = found == NULL || to == NULL ? CN_ERR_MEMORY : CN_OK;
    for (uint32_t target = 0; target < count && status == CN_OK; target++, to += count) {
        cni_search_hops(inlets, list == NULL ? target : list[target], found, found + nodes);
        for (size_t v = 0; v < count; v++)
            to[v] = (uint16_t)found[list == NULL ? v : list[v]];
        status = cni_budget_go_on(budget, 8 * (uint64_t)nodes);
    }
    cni_release(found);
    return status;
}

void cni_network_count(const cni_network *network, uint64_t first, uint64_t end,
                       uint64_t *endpoints, uint64_t *channels)
{
    *endpoints = *channels = 0;
    for (uint64_t v = first; v < end; v++) {
        if (!cni_network_serves(network, v))
            continue;
        *endpoints += (uint64_t)cni_network_is_endpoint(network, v);
        for (uint32_t port = 0; port < network->ports; port++) {
            uint32_t far = network->far == NULL ? 0 : network->far[v * network->ports + port];
            *channels += (uint64_t)(far != CNI_ABSENT && cni_network_serves(network, far));
        }
    }
}

void cni_network_close(cni_network *network)
{
    cn_routing_free(&network->routing);
    cni_release(network->node_of);
    cni_release(network->rank_of);
    cni_release(network->far);
    cni_inlets_close(&network->inlets);
    cni_table_close(&network->computed);
    cni_packed_close(&network->near);
    cni_release(network->bytes);
}

cn_status cni_network_check_node(const char *function, const cni_network *network,
                                 const char *argument, uint64_t node)
{
    if (cni_network_serves(network, node))
        return cni_check_host(function, argument, network->topology, node);
    return cni_fail(CN_ERR_DISCONNECTED,
                    "%s: %s = %llu, but that node does not survive: it is faulty or disabled",
                    function, argument, (unsigned long long)node);
}

static cn_status fail_dead(const char *function, const cn_traffic *traffic, uint64_t source,
                           uint64_t destination, uint64_t dead)
{
    return cni_fail(CN_ERR_DISCONNECTED,
                    "%s: the traffic %s has messages from node %llu to node %llu, but "
                    "node %llu does not survive; uniform traffic goes to survivors only",
                    function, cn_enum_name(CN_ENUM_PATTERN, (int)traffic->pattern),
                    (unsigned long long)source, (unsigned long long)destination,
                    (unsigned long long)dead);
}

static cn_status check_trace(const char *function, const cni_network *network,
                             const cn_traffic *traffic)
{
    const cni_traffic_table *table = traffic->table;
    for (size_t i = 0; i < table->trace_count; i++) {
        const cni_trace_message *m = &table->trace[i];
        int has_source = cni_network_serves(network, m->source);
        if (!has_source || !cni_network_serves(network, m->destination))
            return fail_dead(function, traffic, m->source, m->destination,
                             has_source ? m->destination : m->source);
    }
    return CN_OK;
}

cn_status cni_network_check_traffic(const char *function, const cni_network *network,
                                    const cn_traffic *traffic, cni_budget *budget)
{
    const cn_topology *t = network->topology;
    if (network->served == t->nodes || traffic == NULL || traffic->pattern == CN_PATTERN_UNIFORM)
        return CN_OK;
    if (cni_traffic_is_trace(traffic))
        return check_trace(function, network, traffic);
    for (uint64_t dead = 0; dead < t->nodes; dead++)
        for (uint64_t v = 0; v < t->nodes && !cni_network_serves(network, dead); v++) {
            uint64_t hops = 0;
            CNI_TRY(cni_budget_go_on(budget, 4));
            if (!cni_network_serves(network, v) || !cni_traffic_sends(traffic, v))
                continue;
            if (traffic->rule->by_distance)
                CNI_TRY(t->ops->distance(t, v, dead, &hops));
            if (cni_traffic_share(traffic, v, dead, hops) > 0.0)
                return fail_dead(function, traffic, v, dead, dead);
        }
    return CN_OK;
}

uint64_t cni_network_step(const cni_network *network, uint64_t node, uint64_t step)
{
    const cn_topology *t = network->topology;
    if (network->rank_of == NULL && t->dimensions > 0)
        return cni_header(t, node, step);
    uint64_t rank = cni_network_rank(network, node) + step;
    if (rank >= network->endpoints)
        rank -= network->endpoints;
    return cni_network_endpoint(network, rank);
}

uint64_t cni_network_destination(const cni_network *network, const cni_slotted *slotted,
                                 uint64_t node, uint64_t stream, uint64_t index)
{
    const cn_traffic *traffic = slotted->traffic;
    if (traffic == NULL || traffic->pattern == CN_PATTERN_UNIFORM)
        return cni_network_step(network, node,
                                cni_uniform_header(stream, index, network->endpoints));
    uint64_t word = cni_random_word(stream, CNI_WORDS_HEADERS + index);
    return cni_traffic_destination(traffic, node, word);
}

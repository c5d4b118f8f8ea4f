#include "simulation/kernel/network.h"

#include "base/error.h"
#include "base/memory.h"
#include "scenario/traffic/traffic.h"
#include "simulation/kernel/geometric.h"

static cn_status check_size(const char *function, const cn_topology *topology)
{
    if (topology->nodes <= CNI_UNIFORM_NODES)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: a simulation has at most %llu nodes, but %s has %llu",
                    function, (unsigned long long)CNI_UNIFORM_NODES, topology->name,
                    (unsigned long long)topology->nodes);
}

/* The ranks of the nodes that take part, unless all do. */
static cn_status rank_nodes(cni_network *network)
{
    const cn_routing *routing = network->routing;
    uint32_t rank = 0;
    network->served = (uint32_t)routing->served_count;
    if (network->served == network->nodes)
        return CN_OK;
    network->node_of = cni_allocate(network->served, sizeof *network->node_of);
    network->rank_of = cni_allocate(network->nodes, sizeof *network->rank_of);
    if (network->node_of == NULL || network->rank_of == NULL)
        return CN_ERR_MEMORY;
    for (uint64_t v = 0; v < network->nodes; v++) {
        network->rank_of[v] = CNI_NO_NODE;
        if (!cni_routing_serves(routing, v))
            continue;
        network->node_of[rank] = (uint32_t)v;
        network->rank_of[v] = rank++;
    }
    return CN_OK;
}

static cn_status list_channels(cni_network *network)
{
    const cni_inlets *inlets = &network->inlets;
    uint64_t places = network->nodes * network->ports;
    network->far = cni_allocate(places, sizeof *network->far);
    if (network->far == NULL)
        return CN_ERR_MEMORY;
    for (uint64_t c = 0; c < places; c++)
        network->far[c] = CNI_NO_NODE;
    for (uint64_t v = 0; v < network->nodes; v++)
        for (size_t i = inlets->first[v]; i < inlets->first[v + 1]; i++) {
            network->far[(uint64_t)inlets->tail[i] * network->ports + inlets->port[i]] =
                (uint32_t)v;
            network->channels += (uint64_t)(cni_network_serves(network, v) &&
                                            cni_network_serves(network, inlets->tail[i]));
        }
    return CN_OK;
}

cn_status cni_network_open(const char *function, const cn_scenario *scenario, cni_network *network)
{
    const cn_topology *t = scenario->topology;
    *network = (cni_network){.topology = t, .nodes = t->nodes, .ports = t->max_degree};
    CNI_TRY(check_size(function, t));
    CNI_TRY(cni_scenario_open_routing(function, scenario, &network->routing));
    CNI_TRY(rank_nodes(network));
    if (network->served < 2)
        return cni_fail(CN_ERR_DISCONNECTED,
                        "%s: survivors = %lu on %s, but messages need at least 2", function,
                        (unsigned long)network->served, t->name);
    CNI_TRY(cni_inlets_open(&network->inlets, t, network->routing->faults));
    return list_channels(network);
}

void cni_network_close(cni_network *network)
{
    cn_routing_free(&network->routing);
    cni_release(network->node_of);
    cni_release(network->rank_of);
    cni_release(network->far);
    cni_inlets_close(&network->inlets);
}

cn_status cni_network_check_node(const char *function, const cni_network *network,
                                 const char *argument, uint64_t node)
{
    if (cni_network_serves(network, node))
        return CN_OK;
    return cni_fail(CN_ERR_DISCONNECTED,
                    "%s: %s = %llu, but that node does not survive: it is faulty or disabled",
                    function, argument, (unsigned long long)node);
}

/* Whether a message of a node that takes part may go to one that does not. */
static int may_leave(const cni_network *network, const cn_traffic *traffic, uint64_t source,
                     uint64_t destination)
{
    return cni_network_serves(network, source) && !cni_network_serves(network, destination) &&
           cni_traffic_sends(traffic, source) &&
           (traffic->rule->by_distance || cni_traffic_share(traffic, source, destination, 0) > 0.0);
}

static cn_status fail_leaving(const char *function, const cn_traffic *traffic, uint64_t source,
                              uint64_t destination)
{
    return cni_fail(CN_ERR_DISCONNECTED,
                    "%s: the traffic %s sends messages from node %llu to node %llu, which does not "
                    "survive; uniform traffic goes to survivors only",
                    function, cn_pattern_name(traffic->pattern), (unsigned long long)source,
                    (unsigned long long)destination);
}

cn_status cni_network_check_traffic(const char *function, const cni_network *network,
                                    const cn_traffic *traffic)
{
    if (network->rank_of == NULL || traffic == NULL || traffic->pattern == CN_PATTERN_UNIFORM)
        return CN_OK;
    const cni_traffic_table *table = traffic->table;
    for (size_t i = 0; cni_traffic_is_trace(traffic) && i < table->trace_count; i++)
        if (cni_network_serves(network, table->trace[i].source) &&
            !cni_network_serves(network, table->trace[i].destination))
            return fail_leaving(function, traffic, table->trace[i].source,
                                table->trace[i].destination);
    if (cni_traffic_is_trace(traffic))
        return CN_OK;
    for (uint64_t d = 0; d < network->nodes; d++)
        for (uint64_t v = 0; v < network->nodes && !cni_network_serves(network, d); v++)
            if (may_leave(network, traffic, v, d))
                return fail_leaving(function, traffic, v, d);
    return CN_OK;
}

uint64_t cni_network_step(const cni_network *network, uint64_t node, uint64_t step)
{
    const cn_topology *t = network->topology;
    if (network->rank_of == NULL && t->dimensions > 0)
        return cni_header(t, node, step);
    uint64_t rank = (network->rank_of == NULL ? node : network->rank_of[node]) + step;
    if (rank >= network->served)
        rank -= network->served;
    return network->node_of == NULL ? rank : network->node_of[rank];
}

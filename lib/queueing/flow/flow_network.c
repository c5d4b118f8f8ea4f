/* The network of flow deviation: its working nodes and channels, and the traffic of each origin. */
#include "queueing/flow/flow_network.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "routing/faults/fault.h"

/* A flow keeps one number for each origin and channel; MOST_FLOWS_LOG2 bounds this memory. */
enum { MOST_NODES = 4096, MOST_FLOWS_LOG2 = 24, NO_NODE = -1 };

cn_status cni_flow_check_size(const char *function, const cn_topology *topology)
{
    uint64_t channels = 0;
    CNI_TRY(cni_check_all_hosts(function, topology));
    if (topology->nodes <= MOST_NODES) {
        channels = cni_links(topology);
        channels *= topology->bidirectional ? 2 : 1;
        if (topology->nodes * channels <= UINT64_C(1) << MOST_FLOWS_LOG2)
            return CN_OK;
    }
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: flow deviation covers networks of at most %d nodes, with at most 2^%d for "
                    "nodes times channels, not %s",
                    function, MOST_NODES, MOST_FLOWS_LOG2, topology->name);
}

static int node_works(const cn_faults *faults, uint64_t node)
{
    return faults == NULL || !cni_node_faulty(faults, node);
}

static int channel_works(const cn_faults *faults, uint64_t node, uint32_t port, uint64_t head)
{
    if (faults == NULL)
        return 1;
    /* a topology without a faulty link may have more than 64 ports */
    if (faults->link_count > 0 && (cni_faulty_links(faults, node) >> port & 1) != 0)
        return 0;
    return node_works(faults, node) && node_works(faults, head);
}

static cn_status check_element(const char *function, const cn_topology *topology,
                               const cn_faults *faults, uint64_t from, uint64_t to, double rate)
{
    char given[CNI_NUMBER_CAPACITY];
    const char *allowed = NULL;
    /* in a form that NaN fails */
    if (!(rate >= 0.0 && isfinite(rate)))
        allowed = "must be finite and at least 0";
    else if (rate > 0.0 && from == to)
        allowed = "must be 0: no node sends to itself";
    else if (rate > 0.0 && !(node_works(faults, from) && node_works(faults, to)))
        allowed = "must be 0: one of the two nodes is faulty";
    if (allowed == NULL)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: traffic[%llu] = %s (node %llu to %llu of %s), but it %s",
                    function, (unsigned long long)(from * topology->nodes + to),
                    cni_number_text(rate, given), (unsigned long long)from, (unsigned long long)to,
                    topology->name, allowed);
}

static cn_status check_traffic(const char *function, const cn_topology *topology,
                               const cn_faults *faults, const double traffic[], size_t count)
{
    size_t nodes = cni_size(topology->nodes), wanted = traffic == NULL ? 0 : nodes * nodes;
    if (count != wanted)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: count = %zu, but the traffic of %s has %zu elements (0 for NULL)",
                        function, count, topology->name, wanted);
    for (size_t i = 0; i < wanted; i++)
        CNI_TRY(check_element(function, topology, faults, i / nodes, i % nodes, traffic[i]));
    return CN_OK;
}

/* Numbers the working nodes. number[v] is NO_NODE for a faulty node v. */
static void number_nodes(cni_flow_network *network, const cn_faults *faults, int32_t number[])
{
    for (uint32_t node = 0; node < network->topology->nodes; node++) {
        number[node] = NO_NODE;
        if (!node_works(faults, node))
            continue;
        network->name[network->nodes] = node;
        number[node] = (int32_t)network->nodes++;
    }
}

static void list_channels(cni_flow_network *network, const cn_faults *faults,
                          const int32_t number[])
{
    const cn_topology *topology = network->topology;
    uint32_t channels = 0;
    for (uint32_t v = 0; v < network->nodes; v++) {
        uint32_t node = network->name[v], degree = cni_degree(topology, node);
        network->first[v] = channels;
        for (uint32_t port = 0; port < degree; port++) {
            uint64_t head = cni_neighbor(topology, node, port);
            if (!channel_works(faults, node, port, head))
                continue;
            network->tail[channels] = v;
            network->head[channels] = (uint32_t)number[head];
            network->place[channels++] = node * (size_t)topology->max_degree + port;
        }
    }
    network->first[network->nodes] = network->channels = channels;
}

/* So that neither a sum of the traffic nor the load of its saturation leaves the range of a
 * double. */
static const double LEAST_TOTAL = 1e-290, MOST_TOTAL = 1e290;

static cn_status add_up(cni_flow_network *network, const char *function)
{
    size_t nodes = cni_size(network->topology->nodes), pairs = nodes * nodes;
    if (network->traffic == NULL)
        network->total = network->nodes > 1 ? network->nodes : 0.0;
    else
        for (size_t i = 0; i < pairs; i++)
            network->total += network->traffic[i];
    if (network->total >= LEAST_TOTAL && network->total <= MOST_TOTAL)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: the traffic on %s, with %lu working nodes, sums up to %g, but it must be "
                    "%g to %g",
                    function, network->topology->name, (unsigned long)network->nodes,
                    network->total, LEAST_TOTAL, MOST_TOTAL);
}

static cn_status fill_network(cni_flow_network *network, const char *function,
                              const cn_faults *faults)
{
    size_t nodes = cni_size(network->topology->nodes);
    uint64_t links = cni_links(network->topology);
    const cni_array arrays[] = {
        CNI_ARRAY(network->name, nodes), CNI_ARRAY(network->first, nodes + 1),
        CNI_ARRAY(network->tail, 2 * links), CNI_ARRAY(network->head, 2 * links),
        CNI_ARRAY(network->place, 2 * links)};
    CNI_TRY(cni_allocate_arrays(&network->block, arrays));
    int32_t *number = cni_allocate(nodes, sizeof *number);
    CNI_TRY_MEMORY(number);
    number_nodes(network, faults, number);
    list_channels(network, faults, number);
    cni_release(number);
    return add_up(network, function);
}

cn_status cni_flow_network_open(cni_flow_network *network, const char *function,
                                const cn_topology *topology, const cn_faults *faults,
                                const double traffic[], size_t count, cni_budget *budget)
{
    memset(network, 0, sizeof *network);
    network->budget = budget;
    CNI_TRY(cni_flow_check_size(function, topology));
    if (faults != NULL && !cn_topology_equal(faults->topology, topology))
        return cni_fail(CN_ERR_ARGUMENT, "%s: faults of %s, but the network is %s", function,
                        faults->topology->name, topology->name);
    CNI_TRY(check_traffic(function, topology, faults, traffic, count));
    network->topology = topology;
    network->traffic = traffic;
    cn_status status = fill_network(network, function, faults);
    if (status != CN_OK)
        cni_flow_network_close(network);
    return status;
}

void cni_flow_network_close(cni_flow_network *network)
{
    cni_release(network->block);
    memset(network, 0, sizeof *network);
}

/* Topologies: the common questions about a network, answered by the operations of its family. */
#include "topology/topology.h"

#include "cubenet/experimental/hosts.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

void cn_topology_free(cn_topology **topology)
{
    if (topology == NULL || !CNI_IS_VALID(*topology) || !(*topology)->has_handle)
        return;
    (*topology)->has_handle = 0;
    cni_topology_release(*topology);
    *topology = NULL;
}

void cni_topology_release(cn_topology *topology)
{
    if (topology == NULL || !cni_drop(&topology->references))
        return;
    if (topology->ops->destroy != NULL)
        topology->ops->destroy(topology);
    cni_object_release(topology);
}

void cni_topology_init(cn_topology *topology, const cni_topology_ops *ops, cni_family family,
                       uint64_t nodes)
{
    topology->head.word = CNI_TYPE_WORD(CNI_OBJECT_topology);
    topology->has_handle = 1;
    topology->references = 1;
    topology->ops = ops;
    topology->family = family;
    topology->nodes = topology->hosts = nodes;
    topology->hosts_forward = 1;
    topology->bidirectional = 1;
}

cn_topology *cni_topology_retain(const cn_topology *topology)
{
    cn_topology *shared = cni_mutable(topology); /* only the count changes */
    cni_retain(&shared->references);
    return shared;
}

uint64_t cni_topology_fingerprint(const cn_topology *t, cni_budget *budget)
{
    uint64_t hash = cni_random_derive(cni_random_derive(t->family, t->nodes), t->dimensions);
    for (uint32_t i = 0; i < t->dimensions; i++)
        hash = cni_random_derive(hash, t->radix[i]);
    if (!cni_all_are_hosts(t))
        hash = cni_random_derive(hash, t->hosts);
    for (uint64_t v = 0; t->ops->same != NULL && v < t->nodes; v++) {
        uint32_t degree = t->ops->degree(t, v);
        if (!cni_budget_work(budget, degree))
            return hash;
        hash = cni_random_derive(hash, degree);
        if (t->host_rank != NULL)
            hash = cni_random_derive(hash, t->host_rank[v]);
        for (uint32_t port = 0; port < degree; port++)
            hash = cni_random_derive(hash, t->ops->neighbor(t, v, port));
    }
    return hash;
}

int cn_topology_equal(const cn_topology *a, const cn_topology *b)
{
    if (!CNI_IS_VALID(a) || !CNI_IS_VALID(b))
        return 0;
    if (a == b)
        return 1;
    if (a->family != b->family || a->nodes != b->nodes || a->hosts != b->hosts ||
        a->dimensions != b->dimensions ||
        memcmp(a->radix, b->radix, a->dimensions * sizeof *a->radix) != 0)
        return 0;
    return a->ops->same == NULL || a->ops->same(a, b);
}

uint32_t cni_regular_degree(const cn_topology *topology, uint64_t node)
{
    (void)node;
    return topology->max_degree;
}

uint64_t cni_doubling_time(const cn_topology *topology)
{
    uint64_t steps = 0;
    while (UINT64_C(1) << steps < topology->nodes)
        steps++;
    return steps;
}

uint64_t cni_links(const cn_topology *topology)
{
    uint64_t nodes = topology->nodes, ports = topology->max_degree;
    if (topology->bidirectional && nodes % 2 == 0) /* one of the two is even */
        nodes /= 2;
    else if (topology->bidirectional)
        ports /= 2;
    if (topology->links > 0 || ports == 0)
        return topology->links;
    return nodes > UINT64_MAX / ports ? UINT64_MAX : nodes * ports;
}

cn_status cni_link_count(const cn_topology *topology, uint64_t *links)
{
    uint64_t count = cni_links(topology);
    if (count == UINT64_MAX)
        return cni_fail(CN_ERR_OVERFLOW, "%s has more than 2^64 - 1 links", topology->name);
    *links = count;
    return CN_OK;
}

void cni_order_dimensions(const cn_topology *t, uint32_t order[])
{
    for (uint32_t i = 0; i < t->dimensions; i++) {
        uint32_t at = i;
        for (; at > 0; at--) {
            uint64_t before = t->radix[order[at - 1]];
            if (cni_sets_digits(t) ? before < t->radix[i] : before > t->radix[i])
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

cn_status cni_equal_radices(const char *function, uint64_t k, uint32_t n,
                            uint64_t radices[CNI_MAX_DIMENSIONS])
{
    uint64_t nodes = 1;
    if (k < 2)
        return cni_fail(CN_ERR_ARGUMENT, "%s: k = %llu, but it must be at least 2", function,
                        (unsigned long long)k);
    for (uint32_t i = 0; i < n; i++, nodes *= k) {
        if (nodes > CNI_MAX_NODES / k)
            return cni_fail(CN_ERR_ARGUMENT, "%s: k = %llu, n = %lu, but k^n must be at most 2^62",
                            function, (unsigned long long)k, (unsigned long)n);
        radices[i] = k;
    }
    return CN_OK;
}

cn_status cni_topology_of_radices(const char *function, const cni_topology_ops *ops,
                                  cni_family family, const uint64_t radices[], uint32_t n,
                                  cn_topology **topology)
{
    uint64_t nodes = 1, stride = 1;
    int are_bits = 1;
    CNI_TRY(cni_check_range(function, "n", n, 1, CNI_MAX_DIMENSIONS));
    for (uint32_t i = 0; i < n; i++) {
        if (radices[i] < 2)
            return cni_fail(CN_ERR_ARGUMENT, "%s: radices[%lu] = %llu, but it must be at least 2",
                            function, (unsigned long)i, (unsigned long long)radices[i]);
        if (nodes > CNI_MAX_NODES / radices[i])
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: with radices[%lu] = %llu there are more than 2^62 nodes", function,
                            (unsigned long)i, (unsigned long long)radices[i]);
        nodes *= radices[i];
    }
    cn_topology *t = cni_allocate(1, sizeof *t);
    CNI_TRY_MEMORY(t);
    cni_topology_init(t, ops, family, nodes);
    t->dimensions = n;
    t->representatives = 1;
    for (uint32_t i = 0; i < n; i++, stride *= radices[i - 1]) {
        t->radix[i] = radices[i];
        t->stride[i] = stride;
        t->tops |= radices[i] / 2 * stride;
        are_bits &= (radices[i] & (radices[i] - 1)) == 0;
    }
    t->tops = are_bits ? t->tops : 0;
    *topology = t;
    return CN_OK;
}

void cni_name_by_radices(cn_topology *topology, const char *family)
{
    int length = snprintf(topology->name, CNI_NAME_CAPACITY, "%s(", family);
    for (uint32_t i = 0; i < topology->dimensions; i++)
        length += snprintf(topology->name + length, (size_t)(CNI_NAME_CAPACITY - length), "%c%llu",
                           i == 0 ? '[' : ',', (unsigned long long)topology->radix[i]);
    snprintf(topology->name + length, (size_t)(CNI_NAME_CAPACITY - length), "])");
}

cn_status cni_check_node(const char *function, const char *argument, const cn_topology *topology,
                         uint64_t node)
{
    if (node < topology->nodes)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %llu, but the nodes of %s are 0 to %llu", function,
                    argument, (unsigned long long)node, topology->name,
                    (unsigned long long)(topology->nodes - 1));
}

cn_status cni_check_host(const char *function, const char *argument, const cn_topology *topology,
                         uint64_t node)
{
    CNI_TRY(cni_check_node(function, argument, topology, node));
    if (cni_is_host(topology, node))
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: %s = %llu, but that node of %s is no host: messages go from host to host",
                    function, argument, (unsigned long long)node, topology->name);
}

cn_status cni_check_all_hosts(const char *what, const cn_topology *topology)
{
    if (cni_all_are_hosts(topology))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: every node must be a host, but of the %llu nodes of %s only %llu are",
                    what, (unsigned long long)topology->nodes, topology->name,
                    (unsigned long long)topology->hosts);
}

cn_status cni_check_hypercube(const char *function, const cn_topology *topology)
{
    if (cni_is_hypercube(topology))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: the network must be a hypercube, not %s", function,
                    topology->name);
}

cn_status cni_check_port(const char *function, const cn_topology *topology, uint64_t node,
                         uint32_t port)
{
    CNI_TRY(cni_check_node(function, "node", topology, node));
    uint32_t degree = topology->ops->degree(topology, node);
    if (port < degree)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: port = %lu, but node %llu of %s has %lu ports", function,
                    (unsigned long)port, (unsigned long long)node, topology->name,
                    (unsigned long)degree);
}

CNI_GETTER(const char *, cn_topology_name, topology, topology->name, "");
CNI_GETTER(uint64_t, cn_topology_node_count, topology, topology->nodes, 0);
CNI_GETTER(uint32_t, cn_topology_max_degree, topology, topology->max_degree, 0);
CNI_GETTER(int, cn_topology_is_bidirectional, topology, topology->bidirectional, 0);

CNI_GETTER(uint64_t, cn_topology_host_count, topology, topology->hosts, 0);

cn_status cn_topology_hosts(const cn_topology *topology, uint64_t hosts[], size_t capacity,
                            size_t *count)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(hosts, capacity);
    CNI_REQUIRE_FIT(topology->hosts, capacity, count, "%s has %llu hosts", topology->name,
                    (unsigned long long)topology->hosts);
    for (uint64_t rank = 0; rank < topology->hosts; rank++)
        hosts[rank] = cni_host_at(topology, rank);
    return CN_OK;
}

cn_status cn_topology_link_count(const cn_topology *topology, uint64_t *links)
{
    CNI_REQUIRE_BOTH(topology, links);
    return cni_link_count(topology, links);
}

cn_status cn_topology_degree(const cn_topology *topology, uint64_t node, uint32_t *degree)
{
    CNI_REQUIRE_BOTH(topology, degree);
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    *degree = topology->ops->degree(topology, node);
    return CN_OK;
}

cn_status cn_topology_neighbor(const cn_topology *topology, uint64_t node, uint32_t port,
                               uint64_t *neighbor)
{
    CNI_REQUIRE_BOTH(topology, neighbor);
    CNI_TRY(cni_check_port(__func__, topology, node, port));
    *neighbor = topology->ops->neighbor(topology, node, port);
    return CN_OK;
}

cn_status cn_topology_neighbors(const cn_topology *topology, uint64_t node, uint64_t neighbors[],
                                size_t capacity, size_t *count)
{
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    uint32_t degree = topology->ops->degree(topology, node);
    CNI_REQUIRE_ARRAY(neighbors, capacity);
    CNI_REQUIRE_FIT(degree, capacity, count, "node %llu has %lu neighbours",
                    (unsigned long long)node, (unsigned long)degree);
    for (uint32_t port = 0; port < degree; port++)
        neighbors[port] = topology->ops->neighbor(topology, node, port);
    return CN_OK;
}

static cn_status fill_adjacency(const cn_topology *topology, cni_budget *budget, uint64_t first[],
                                uint64_t neighbors[])
{
    first[0] = 0;
    for (uint64_t v = 0; v < topology->nodes; v++) {
        uint32_t degree = topology->ops->degree(topology, v);
        CNI_TRY(cni_budget_go_on(budget, 2));
        budget->done = v;
        first[v + 1] = first[v] + degree;
        for (uint32_t port = 0; port < degree && neighbors != NULL; port++) {
            if ((port & 63) == 0)
                CNI_TRY(cni_budget_go_on(budget, 256));
            neighbors[first[v] + port] = topology->ops->neighbor(topology, v, port);
        }
    }
    return CN_OK;
}

cn_status cn_topology_adjacency(const cn_topology *topology, const cn_control *control,
                                uint64_t first[], size_t first_capacity, uint64_t neighbors[],
                                size_t capacity, size_t *count)
{
    CNI_REQUIRE_BOTH(topology, first);
    CNI_REQUIRE_ARRAY(neighbors, capacity);
    CNI_BUDGET(budget, control, topology->nodes);
    if (first_capacity <= topology->nodes)
        return cni_fail(CN_ERR_CAPACITY,
                        "%s: first_capacity = %zu, but %s has %llu nodes, and one place more is "
                        "needed",
                        __func__, first_capacity, topology->name,
                        (unsigned long long)topology->nodes);
    uint64_t channels = cni_links(topology);
    if (topology->bidirectional)
        channels = channels > UINT64_MAX / 2 ? UINT64_MAX : 2 * channels;
    CNI_GIVE(count, cni_size(channels));
    if (neighbors != NULL && capacity < channels)
        return cni_fail_capacity(__func__, capacity, "%s has %llu channels", topology->name,
                                 (unsigned long long)channels);
    return fill_adjacency(topology, &budget, first, neighbors);
}

cn_status cn_topology_back_port(const cn_topology *topology, uint64_t node, uint32_t port,
                                uint32_t *back_port)
{
    CNI_REQUIRE_BOTH(topology, back_port);
    CNI_TRY(cni_check_port(__func__, topology, node, port));
    *back_port = topology->ops->back_port(topology, node, port);
    return CN_OK;
}

cn_status cn_topology_port_to(const cn_topology *topology, uint64_t node, uint64_t neighbor,
                              uint32_t *port)
{
    CNI_REQUIRE_BOTH(topology, port);
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    CNI_TRY(cni_check_node(__func__, "neighbor", topology, neighbor));
    if (topology->ops->port_to != NULL) {
        *port = topology->ops->port_to(topology, node, neighbor);
        return CN_OK;
    }
    /* Looks from the end with fewer ports where all links go both ways. */
    uint32_t own = topology->ops->degree(topology, node);
    uint32_t other = topology->ops->degree(topology, neighbor);
    int reverse = topology->bidirectional && other < own;
    uint64_t from = reverse ? neighbor : node, to = reverse ? node : neighbor;
    uint32_t degree = reverse ? other : own, found = 0;
    while (found < degree && topology->ops->neighbor(topology, from, found) != to)
        found++;
    if (found == degree)
        *port = CN_NO_PORT;
    else
        *port = reverse ? topology->ops->back_port(topology, from, found) : found;
    return CN_OK;
}

/* A network with hosts at each of its routers, computed from its base. */
#include "topology/families/composed.h"

#include <stdio.h>

#include "cubenet/experimental/hosts.h"

#include "base/error.h"
#include "topology/distances/breadth_first.h"

/* A set of ports is a word of 64 bits. */
enum { MOST_PORTS = 64 };

static uint32_t degree(const cn_topology *t, uint64_t node)
{
    if (node >= t->first_host)
        return 1;
    int is_router = node < t->base->nodes - t->base->relays;
    return t->base->ops->degree(t->base, node) + (is_router ? cni_added_hosts(t) : 0);
}

static uint64_t neighbor(const cn_topology *t, uint64_t node, uint32_t port)
{
    if (node >= t->first_host)
        return cni_router_of(t, node);
    uint32_t own = t->base->ops->degree(t->base, node);
    return port < own ? t->base->ops->neighbor(t->base, node, port)
                      : t->first_host + node * cni_added_hosts(t) + (port - own);
}

static uint32_t back_port(const cn_topology *t, uint64_t node, uint32_t port)
{
    if (node >= t->first_host)
        return t->base->ops->degree(t->base, cni_router_of(t, node)) +
               (uint32_t)((node - t->first_host) % cni_added_hosts(t));
    return port < t->base->ops->degree(t->base, node) ? t->base->ops->back_port(t->base, node, port)
                                                      : 0;
}

static cn_status distance(const cn_topology *t, uint64_t source, uint64_t destination,
                          uint64_t *distance)
{
    *distance = 0;
    if (source == destination)
        return CN_OK;
    CNI_TRY(t->base->ops->distance(t->base, cni_router_of(t, source), cni_router_of(t, destination),
                                   distance));
    *distance += (uint64_t)(source >= t->first_host) + (uint64_t)(destination >= t->first_host);
    return CN_OK;
}

static int same(const cn_topology *a, const cn_topology *b)
{
    return cni_added_hosts(a) == cni_added_hosts(b) && cn_topology_equal(a->base, b->base);
}

static void destroy(cn_topology *t)
{
    cni_topology_release(t->base);
}

#define HOST_OPS \
    .degree = degree, .neighbor = neighbor, .back_port = back_port, .same = same, .destroy = destroy

static const cni_topology_ops ops = {HOST_OPS, .distance = distance};
static const cni_topology_ops searched_ops = {HOST_OPS, .distance = cni_search_distance};

/* The facts that follow from the closed forms of the base. A host has `each` - 1 other hosts at its
 * router, at distance 2; all others are at other routers. */
static void find_facts(cn_topology *t)
{
    const cn_topology *base = t->base;
    double hosts = (double)t->hosts, each = cni_added_hosts(t);
    uint64_t links = cni_links(base), added = base->bidirectional ? t->hosts : 2 * t->hosts;
    t->links = links < UINT64_MAX - added ? links + added : UINT64_MAX;
    t->diameter = base->diameter > 0 ? base->diameter + 2 : 0;
    t->mean_distance = base->mean_distance > 0.0
                           ? 2.0 + base->mean_distance * (hosts - each) / (hosts - 1.0)
                           : 0.0;
}

/* The greatest number of ports of a node that gets hosts; relays get none. */
static uint32_t ports_of_routers(const cn_topology *base)
{
    return base->relays > 0 ? base->base->max_degree : base->max_degree;
}

static cn_status check(const char *function, const cn_topology *base, uint32_t hosts)
{
    uint64_t routers = base->nodes - base->relays;
    uint32_t ports = ports_of_routers(base);
    if (base->hosts != routers)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has hosts already", function, base->name);
    if (hosts == 0)
        return cni_fail(CN_ERR_ARGUMENT, "%s: hosts = 0, but each router needs at least 1",
                        function);
    if (hosts > MOST_PORTS || ports + hosts > MOST_PORTS)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: hosts = %lu, but routers of %s have %lu ports already, and %d in all "
                        "are allowed",
                        function, (unsigned long)hosts, base->name, (unsigned long)ports,
                        MOST_PORTS);
    if (routers > (CNI_MAX_NODES - base->nodes) / hosts)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: hosts = %lu, but with those of %llu routers there are more than 2^62 "
                        "nodes",
                        function, (unsigned long)hosts, (unsigned long long)routers);
    return CN_OK;
}

cn_status cn_topology_with_hosts(const cn_topology *base, uint32_t hosts, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE(base);
    CNI_TRY(check(__func__, base, hosts));
    uint64_t count = (base->nodes - base->relays) * hosts;
    cni_with_hosts *made = cni_allocate(1, sizeof *made);
    CNI_TRY_MEMORY(made);
    cn_topology *t = &made->common;
    made->each = hosts;
    cni_topology_init(t, base->ops->distance == cni_search_distance ? &searched_ops : &ops,
                      CNI_WITH_HOSTS, base->nodes + count);
    t->base = cni_topology_retain(base);
    t->max_degree = ports_of_routers(base) + hosts;
    if (t->max_degree < base->max_degree)
        t->max_degree = base->max_degree;
    t->bidirectional = base->bidirectional;
    t->hosts = count;
    t->first_host = base->nodes;
    t->hosts_forward = 0;
    t->relays = base->relays;
    t->first_relay = base->first_relay;
    snprintf(t->name, sizeof t->name, "%.100s.with_hosts(%lu)", base->name, (unsigned long)hosts);
    find_facts(t);
    *topology = t;
    return CN_OK;
}

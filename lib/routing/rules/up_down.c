/*
 * The routings `up-down` (Autonet: Schroeder et al. 1991): up and then down the levels of a
 * spanning tree, by any links; and `up-down-adaptive`: all shortest ways, with up-down as the
 * escape (Silla & Duato 1997).
 *
 * A link leads up to the end that is nearer to the root; at equal distance, to the end with the
 * lower number. So dependencies follow an order, first the channels up and then the channels down,
 * and close no cycle. A worm on an escape channel stays on escape channels, so its earlier hops do
 * not matter.
 */
#include "base/error.h"
#include "routing/rules/routing.h"
#include "topology/distances/all_pairs.h"
#include "topology/distances/breadth_first.h"

/* Classes of up-down are 0 before the first hop down and 1 after it; of up-down-adaptive: */
enum { FREE, ESCAPED_UP, ESCAPED_DOWN };

/* The state of both routings has, by node, a bit for each port that leads up. */
static int leads_up(const cn_routing *routing, uint64_t node, uint32_t port)
{
    const uint64_t *up = routing->state;
    return (int)(up[node] >> port & 1);
}

static uint32_t after(const cn_routing *routing, uint32_t class, uint64_t target, uint64_t node,
                      uint32_t port, uint32_t virtual_channel)
{
    (void)class;
    (void)target;
    (void)virtual_channel;
    return !leads_up(routing, node, port);
}

static uint32_t after_adaptive(const cn_routing *routing, uint32_t class, uint64_t target,
                               uint64_t node, uint32_t port, uint32_t virtual_channel)
{
    (void)class;
    (void)target;
    if (virtual_channel != 0)
        return FREE;
    return leads_up(routing, node, port) ? ESCAPED_UP : ESCAPED_DOWN;
}

static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    cni_allow(entry, cni_routing_stored(routing, node, class, target), CNI_ESCAPE_LANE);
}

/* A worm that has not escaped may still go up where it escapes. */
static void entry_adaptive(const cn_routing *routing, uint64_t node, uint32_t class,
                           uint64_t target, cni_entry *entry)
{
    uint64_t ports = cni_routing_stored(routing, node, class, target);
    entry->ports = ports;
    if (class == FREE) {
        cni_add_lane(entry, ports, ~UINT64_C(1), CNI_FREE_LANE);
        ports = cni_routing_stored(routing, node, ESCAPED_UP, target);
    }
    cni_add_lane(entry, ports, 1, CNI_ESCAPE_LANE);
}

/* ---- which channels lead up ---- */

/* The served node of least eccentricity; among several, the lowest. */
static cn_status find_root(const cn_routing *routing, const cni_graph *graph, uint32_t *root)
{
    uint32_t *served = cni_allocate(2 * graph->nodes, sizeof *served), count = 0;
    CNI_TRY_MEMORY(served);
    uint32_t *eccentricity = served + graph->nodes, least = 0;
    for (uint32_t v = 0; v < graph->nodes; v++)
        if (cni_routing_serves(routing, v))
            served[count++] = v;
    cn_status status =
        cni_eccentricities(graph, served, count, routing->budget, eccentricity, NULL);
    for (uint32_t i = 1; i < count && status == CN_OK; i++)
        least = eccentricity[i] < eccentricity[least] ? i : least;
    *root = count == 0 ? 0 : served[least];
    cni_release(served);
    return status;
}

/* Finds which channels lead up, by a search from the root. */
static cn_status rank(const char *function, const cn_routing *routing, const cni_inlets *inlets,
                      const cni_graph *graph, uint64_t up[])
{
    cni_search levels;
    uint32_t root;
    CNI_TRY(find_root(routing, graph, &root));
    CNI_TRY(cni_search_open(graph, &levels));
    cni_search_within(graph, root, NULL, &levels);
    cn_status status = CN_OK;
    for (uint32_t v = 0; v < graph->nodes && status == CN_OK; v++) {
        if (levels.hops[v] == CNI_FAR && cni_routing_serves(routing, v))
            status = cni_fail_pair(function, routing, root, v);
        for (size_t e = inlets->first[v]; e < inlets->first[v + 1]; e++) {
            uint32_t tail = inlets->tail[e], from = levels.hops[tail], to = levels.hops[v];
            if (to < from || (to == from && v < tail))
                up[tail] |= cni_bit(inlets->port[e]);
        }
    }
    cni_search_close(&levels);
    return status;
}

static cn_status open(const char *function, cn_routing *routing)
{
    const cn_topology *topology = routing->topology;
    if (!topology->bidirectional)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s needs bidirectional links, but those of %s are unidirectional",
                        function, routing->kind->name, topology->name);
    CNI_TRY(cni_routing_check_table(function, routing));
    routing->state = cni_allocate((size_t)topology->nodes, sizeof(uint64_t));
    CNI_TRY_MEMORY(routing->state);
    cni_inlets inlets;
    cn_status status = cni_inlets_open(&inlets, topology, routing->faults, NULL);
    /* the graph of the channels backward is that of the channels: links go both ways */
    cni_graph graph = cni_inlets_graph(&inlets);
    if (status == CN_OK)
        status = rank(function, routing, &inlets, &graph, routing->state);
    cni_inlets_close(&inlets);
    return status == CN_OK ? cni_routing_fill(function, routing) : status;
}

static uint32_t sets_adaptive(const cn_routing *routing, uint64_t sets[])
{
    (void)routing;
    sets[0] = 1;
    return 1;
}

const cni_routing_kind cni_up_down = {
    .name = "up-down",
    .summary = "shortest of the paths that go up the levels of a spanning tree and then down",
    .classes = 2,
    .legs = 1,
    .has_escapes = 1,
    .open = open,
    .entry = entry,
    .ways = {CNI_UP, CNI_DOWN},
    .after = after,
};

const cni_routing_kind cni_up_down_adaptive = {
    .name = "up-down-adaptive",
    .summary = "every channel on a shortest path, with up-down on virtual channel 0 as the escape",
    .classes = 3,
    .legs = 1,
    .has_free_channels = 1,
    .has_escapes = 1,
    .open = open,
    .entry = entry_adaptive,
    .sets = sets_adaptive,
    .ways = {CNI_CLOSER, CNI_UP, CNI_DOWN},
    .after = after_adaptive,
};

/* All ways of worms through a network, target by target, with the groups of virtual channels that they may
 * take. */
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"
#include "queueing/wormhole/wormhole_network.h"
#include "topology/topology.h"

/* ---- groups ---- */

/* Divides the groups so that each lies within the set or outside. */
static int divide(cni_worm_routes *y, uint64_t set)
{
    for (uint32_t g = 0; g < y->groups; g++) {
        uint64_t inside = y->set[g] & set, outside = y->set[g] & ~set;
        if (inside == 0 || outside == 0)
            continue;
        if (y->groups == CNI_WORMHOLE_GROUPS)
            return 0;
        y->set[g] = inside;
        y->set[y->groups++] = outside;
    }
    return 1;
}

static cn_status find_groups(const cn_routing *routing, uint32_t channels, cni_budget *budget,
                             cni_worm_routes *y)
{
    cni_entry room;
    y->groups = 1;
    y->set[0] = cni_cut_set(UINT64_MAX, channels);
    for (uint64_t target = 0; target < y->nodes; target++) {
        CNI_TRY(cni_budget_go_on(budget, 32 * (uint64_t)y->nodes));
        for (uint64_t node = 0; node < y->nodes; node++) {
            const cni_entry *entry = cni_routing_next(routing, node, 0, target, &room);
            for (uint32_t i = 0; i < entry->lanes; i++)
                if (!divide(y, entry->lane[i].set))
                    return cni_fail(CN_ERR_UNSUPPORTED,
                                    "cn_predict: routing = %s divides %lu virtual channels into "
                                    "more than %d groups, but the model of wormhole covers %d",
                                    routing->kind->name, (unsigned long)channels,
                                    CNI_WORMHOLE_GROUPS, CNI_WORMHOLE_GROUPS);
        }
    }
    for (uint32_t g = 0; g < y->groups; g++)
        y->size[g] = cni_popcount(y->set[g]);
    return CN_OK;
}

static unsigned char groups_of(const cni_worm_routes *y, uint64_t set)
{
    uint32_t groups = 0;
    for (uint32_t g = 0; g < y->groups; g++)
        groups |= (uint32_t)((y->set[g] & set) != 0) << g;
    return (unsigned char)groups;
}

/* ---- ways ---- */

/* Where there is nothing but escapes they are like all others. */
static int has_adaptive(const cni_entry *entry)
{
    for (uint32_t i = 0; i < entry->lanes; i++)
        if (!entry->lane[i].is_escape)
            return 1;
    return 0;
}

static void add_lanes(cni_worm_routes *y, const cni_entry *entry, uint32_t port,
                      cni_wormhole_way *way)
{
    int divides = has_adaptive(entry);
    for (uint32_t i = 0; i < entry->lanes; i++) {
        if ((entry->lane[i].ports >> port & 1) == 0)
            continue;
        unsigned char groups = groups_of(y, entry->lane[i].set);
        if (divides && entry->lane[i].is_escape)
            way->escapes |= groups;
        else
            way->adaptive |= groups;
    }
    y->escapes |= way->escapes;
}

static cn_status add_ways(const cn_routing *routing, uint32_t node, uint32_t target,
                          cni_worm_routes *y)
{
    cni_entry room;
    const cni_entry *entry = cni_routing_next(routing, node, 0, target, &room);
    size_t first = y->count;
    uint32_t choices = 0;
    CNI_TRY(cni_grow((void **)&y->way, &y->capacity, y->count + CNI_MOST_PORTS, sizeof *y->way));
    for (uint32_t port = 0; port < y->ports; port++) {
        cni_wormhole_way way = {.channel = node * y->ports + port};
        if (port < cni_degree(y->topology, node))
            add_lanes(y, entry, port, &way);
        if ((way.adaptive | way.escapes) == 0)
            continue;
        way.next = (uint32_t)cni_neighbor(y->topology, node, port);
        choices += way.adaptive != 0;
        y->way[y->count++] = way;
    }
    choices = choices < 1 ? 1 : choices > CNI_WORMHOLE_KINDS ? CNI_WORMHOLE_KINDS : choices;
    y->kinds = choices > y->kinds ? choices : y->kinds;
    for (size_t w = first; w < y->count; w++)
        y->way[w].kind = (unsigned char)(choices - 1);
    return CN_OK;
}

/* Nodes follow when all hops to them have been made. */
static void put_in_order(cni_worm_routes *y, uint32_t target, uint32_t waiting[])
{
    size_t base = (size_t)target * y->nodes;
    uint32_t *order = y->order + base, end = 0;
    memset(waiting, 0, y->nodes * sizeof *waiting);
    for (size_t w = y->first[base]; w < y->count; w++)
        waiting[y->way[w].next]++;
    for (uint32_t node = 0; node < y->nodes; node++)
        if (waiting[node] == 0)
            order[end++] = node;
    for (uint32_t i = 0; i < end; i++)
        for (size_t w = y->first[base + order[i]]; w < y->first[base + order[i] + 1]; w++) {
            const cni_wormhole_way *way = &y->way[w];
            y->inputs[base + way->next] |= UINT64_C(1) << y->input[way->channel];
            if (--waiting[way->next] == 0)
                order[end++] = way->next;
        }
    for (uint32_t i = y->nodes; i-- > 0;) {
        size_t state = base + order[i], first = y->first[state], last = y->first[state + 1];
        for (size_t w = first; w < last; w++)
            y->left[state] += (1.0 + y->left[base + y->way[w].next]) / (double)(last - first);
        y->hops += y->left[state] / y->nodes / (y->nodes - 1.0);
    }
}

static cn_status find_ways(const cn_routing *routing, cni_budget *budget, cni_worm_routes *y,
                           uint32_t waiting[])
{
    for (uint32_t target = 0; target < y->nodes; target++) {
        size_t base = (size_t)target * y->nodes;
        for (uint32_t node = 0; node < y->nodes; node++) {
            y->first[base + node] = y->count;
            CNI_TRY(add_ways(routing, node, target, y));
        }
        y->first[base + y->nodes] = y->count;
        put_in_order(y, target, waiting);
        CNI_TRY(cni_budget_go_on(budget, 32 * (uint64_t)y->nodes));
    }
    return CN_OK;
}

static void number_inputs(cni_worm_routes *y, uint32_t seen[])
{
    for (uint32_t node = 0; node < y->nodes; node++)
        for (uint32_t port = 0; port < cni_degree(y->topology, node); port++)
            y->input[node * y->ports + port] =
                (unsigned char)seen[cni_neighbor(y->topology, node, port)]++;
}

static cn_status check_covered(const cn_routing *routing)
{
    const cn_topology *t = routing->topology;
    if (t->nodes > CNI_WORMHOLE_MOST_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: %s has %llu nodes, but the model of wormhole covers networks "
                        "of at most %d",
                        t->name, (unsigned long long)t->nodes, CNI_WORMHOLE_MOST_NODES);
    if (routing->classes == 1 && routing->kind->legs == 1)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_predict: routing = %s, but the model of wormhole covers routings by which "
                    "a header may go on wherever it came from, such as dimension-order and duato",
                    routing->kind->name);
}

cn_status cni_worm_routes_open(const cn_routing *routing, uint32_t virtual_channels,
                               cni_budget *budget, cni_worm_routes *ways)
{
    const cn_topology *t = routing->topology;
    *ways = (cni_worm_routes){.topology = t, .kinds = 1};
    CNI_TRY(check_covered(routing));
    ways->nodes = (uint32_t)t->nodes;
    ways->ports = t->max_degree;
    size_t states = (size_t)ways->nodes * ways->nodes;
    uint32_t *waiting = NULL;
    const cni_array arrays[] = {CNI_ARRAY(ways->first, states + 1),
                                CNI_ARRAY(ways->order, states),
                                CNI_ARRAY(ways->inputs, states),
                                CNI_ARRAY(ways->left, states),
                                CNI_ARRAY(ways->input, (size_t)ways->nodes * ways->ports),
                                CNI_ARRAY(waiting, ways->nodes)};
    CNI_TRY(cni_allocate_arrays(&ways->block, arrays));
    CNI_TRY(find_groups(routing, virtual_channels, budget, ways));
    number_inputs(ways, waiting);
    return find_ways(routing, budget, ways, waiting);
}

void cni_worm_routes_close(cni_worm_routes *ways)
{
    cni_release(ways->block);
    cni_release(ways->way);
    *ways = (cni_worm_routes){0};
}

/*
 * All ways of worms through a network, with the groups of virtual channels that they may take: site
 * by site for each of some targets that stand for all or, on Boolean cubes whose channels are all
 * alike, by distance.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "queueing/wormhole/wormhole_network.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

/* The network that is read. */
typedef struct reading {
    const cn_routing *routing;
    const cn_topology *topology;
    const cn_traffic *traffic;
    cni_budget *budget;
    cni_worm_routes *y;
    uint32_t *target;     /* the nodes that are targets */
    double *weight;       /* by target: as in cni_worm_routes */
    uint32_t *channel;    /* by node and port: class */
    unsigned char *input; /* by node and port: the input at the far node */
    uint32_t *waiting;    /* by node: a counter */
    void *block;
} reading;

/* ---- groups ---- */

/* Divides the groups so that each lies within a set or outside. Dimension order has two sets at
 * most, duato three. */
static void divide_groups(cni_worm_routes *y, uint64_t set)
{
    for (uint32_t g = 0; g < y->groups; g++) {
        uint64_t inside = y->set[g] & set, outside = y->set[g] & ~set;
        if (inside == 0 || outside == 0)
            continue;
        y->set[g] = inside;
        y->set[y->groups++] = outside;
    }
}

/* Divides the virtual channels until each set that the routing allows is a union of groups. */
static cn_status find_groups(const reading *r, uint32_t channels)
{
    cni_worm_routes *y = r->y;
    cni_entry room;
    y->groups = 1;
    y->set[0] = cni_cut_set(UINT64_MAX, channels);
    for (uint32_t t = 0; t < y->targets; t++) {
        CNI_TRY(cni_budget_go_on(r->budget, 32 * (uint64_t)y->sites));
        for (uint64_t node = 0; node < y->sites; node++) {
            const cni_entry *entry = cni_routing_next(r->routing, node, 0, r->target[t], &room);
            for (uint32_t i = 0; i < entry->lanes; i++)
                divide_groups(y, entry->lane[i].set);
        }
    }
    for (uint32_t g = 0; g < y->groups; g++)
        y->size[g] = cni_popcount(y->set[g]);
    return CN_OK;
}

/* The groups of a set of virtual channels. */
static unsigned char groups_of(const cni_worm_routes *y, uint64_t set)
{
    uint32_t groups = 0;
    for (uint32_t g = 0; g < y->groups; g++)
        groups |= (uint32_t)((y->set[g] & set) != 0) << g;
    return (unsigned char)groups;
}

/* ---- ways ---- */

/* Whether an entry has lanes besides escapes. Escapes alone are like all other lanes. */
static int has_adaptive(const cni_entry *entry)
{
    for (uint32_t i = 0; i < entry->lanes; i++)
        if (!entry->lane[i].is_escape)
            return 1;
    return 0;
}

/* Adds the groups that a header may take on a port. */
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

/* Lists the ways out of a node to a target, one for each allowed port. */
static cn_status add_ways(const reading *r, uint32_t node, uint32_t target)
{
    cni_worm_routes *y = r->y;
    cni_entry room;
    const cni_entry *entry = cni_routing_next(r->routing, node, 0, target, &room);
    uint32_t degree = cni_degree(r->topology, node), choices = 0;
    size_t first = y->count;
    CNI_TRY(cni_grow((void **)&y->way, &y->capacity, y->count + degree, sizeof *y->way));
    for (uint32_t port = 0; port < degree; port++) {
        size_t channel = (size_t)node * r->topology->max_degree + port;
        cni_wormhole_way way = {.channel = r->channel[channel], .ports = 1};
        add_lanes(y, entry, port, &way);
        if ((way.adaptive | way.escapes) == 0)
            continue;
        way.next = (uint32_t)cni_neighbor(r->topology, node, port);
        way.input = r->input[channel];
        choices += way.adaptive != 0;
        y->way[y->count++] = way;
    }
    choices += choices == 0;
    y->kinds = choices > y->kinds ? choices : y->kinds;
    for (size_t w = first; w < y->count; w++)
        y->way[w].kind = (unsigned char)(choices - 1);
    return CN_OK;
}

/* Puts the sites of a target in order: a site follows when all ways to it have been made. Finds
 * the mean hops to the target. */
static void put_in_order(cni_worm_routes *y, uint32_t target, uint32_t waiting[])
{
    size_t base = (size_t)target * y->sites;
    uint32_t *order = y->order + base, end = 0;
    memset(waiting, 0, y->sites * sizeof *waiting);
    for (size_t w = y->first[base]; w < y->count; w++)
        waiting[y->way[w].next]++;
    for (uint32_t site = 0; site < y->sites; site++)
        if (waiting[site] == 0)
            order[end++] = site;
    for (uint32_t i = 0; i < end; i++)
        for (size_t w = y->first[base + order[i]]; w < y->first[base + order[i] + 1]; w++) {
            const cni_wormhole_way *way = &y->way[w];
            y->from[base + way->next] |= UINT64_C(1) << way->input;
            if (--waiting[way->next] == 0)
                order[end++] = way->next;
        }
    for (uint32_t i = y->sites; i-- > 0;) {
        size_t state = base + order[i], first = y->first[state], last = y->first[state + 1];
        for (size_t w = first; w < last; w++)
            y->left[state] += (1.0 + y->left[base + y->way[w].next]) / (double)(last - first);
        y->hops += y->weight[target] * y->share[state] * y->left[state];
    }
}

static cn_status find_ways(const reading *r)
{
    cni_worm_routes *y = r->y;
    for (uint32_t t = 0; t < y->targets; t++) {
        size_t base = (size_t)t * y->sites;
        for (uint32_t node = 0; node < y->sites; node++) {
            y->first[base + node] = y->count;
            CNI_TRY(add_ways(r, node, r->target[t]));
        }
        y->first[base + y->sites] = y->count;
        put_in_order(y, t, r->waiting);
        CNI_TRY(cni_budget_go_on(r->budget, 32 * (uint64_t)y->sites));
    }
    return CN_OK;
}

/* ---- channels and targets ---- */

/* The direction of a channel: 2 d or, where digit d goes up, 2 d + 1. *coordinate is the digit
 * at its begin. */
static uint32_t direction_of(const cn_topology *t, uint64_t from, uint64_t to, uint64_t *coordinate)
{
    uint32_t d = 0;
    while (cni_digit(t, from, d) == cni_digit(t, to, d))
        d++;
    *coordinate = cni_digit(t, from, d);
    return 2 * d + ((*coordinate + 1) % t->radix[d] == cni_digit(t, to, d));
}

static uint32_t longest_side(const cn_topology *t)
{
    uint64_t side = 0;
    for (uint32_t d = 0; d < t->dimensions; d++)
        side = t->radix[d] > side ? t->radix[d] : side;
    return (uint32_t)side;
}

/* Both routings know no place but the coordinate in one dimension: channels of a direction differ
 * by that coordinate alone. */
static void number_channels(reading *r)
{
    const cn_topology *t = r->topology;
    cni_worm_routes *y = r->y;
    uint32_t side = longest_side(t), ports = t->max_degree;
    for (uint32_t node = 0; node < y->sites; node++)
        for (uint32_t port = 0; port < cni_degree(t, node); port++) {
            uint32_t head = (uint32_t)cni_neighbor(t, node, port);
            uint64_t coordinate;
            uint32_t input = direction_of(t, node, head, &coordinate);
            uint32_t class = input * side + (uint32_t)coordinate;
            r->channel[node * ports + port] = class;
            r->input[node * ports + port] = (unsigned char)input;
            y->input_class[head * y->inputs + input] = class;
            y->members[class] += 1.0 / y->sites;
        }
}

/* Takes so many targets that each coordinate of each dimension is as frequent as any other: a
 * staircase through the network. 1e-9 is above the rounding of the sums. */
static void take_targets(reading *r)
{
    const cn_topology *t = r->topology;
    cni_worm_routes *y = r->y;
    double at = 0.0;
    for (y->targets = 0; at < 1.0 - 1e-9; y->targets++) {
        double end = 1.0;
        uint64_t node = 0;
        for (uint32_t d = 0; d < t->dimensions; d++) {
            double side = (double)t->radix[d];
            uint64_t digit = (uint64_t)(at * side + 1e-9);
            node += digit * t->stride[d];
            end = fmin(end, (double)(digit + 1) / side);
        }
        r->target[y->targets] = (uint32_t)node;
        r->weight[y->targets] = end - at;
        at = end;
    }
}

static cn_status check_covered(const cn_routing *routing)
{
    const cn_topology *t = routing->topology;
    if (t->nodes > CNI_WORMHOLE_MOST_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: %s has %llu nodes, but the model of wormhole covers networks "
                        "of at most %d",
                        t->name, (unsigned long long)t->nodes, CNI_WORMHOLE_MOST_NODES);
    if (routing->kind == &cni_dimension_order || routing->kind == &cni_duato)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_predict: routing = %s, but the model of wormhole covers dimension-order "
                    "and duato",
                    routing->kind->name);
}

static cn_status make_room(cni_worm_routes *y)
{
    size_t states = (size_t)y->sites * y->targets;
    const cni_array arrays[] = {CNI_ARRAY(y->weight, y->targets),
                                CNI_ARRAY(y->share, states),
                                CNI_ARRAY(y->members, y->channels),
                                CNI_ARRAY(y->first, states + 1),
                                CNI_ARRAY(y->order, states),
                                CNI_ARRAY(y->from, states),
                                CNI_ARRAY(y->left, states),
                                CNI_ARRAY(y->input_class, (size_t)y->sites * y->inputs)};
    return cni_allocate_arrays(&y->block, arrays);
}

/* The shares of the messages to a target, by site. A node sends no message to itself. */
static cn_status find_shares(const reading *r)
{
    cni_worm_routes *y = r->y;
    const cn_topology *t = r->topology;
    for (size_t state = 0; state < (size_t)y->sites * y->targets; state++) {
        uint64_t site = state % y->sites, target = r->target[state / y->sites], distance;
        CNI_TRY(t->ops->distance(t, site, target, &distance));
        y->share[state] =
            site == target ? 0.0 : cni_traffic_lean(r->traffic, distance) / (y->sites - 1.0);
    }
    return CN_OK;
}

static cn_status read_network(reading *r, uint32_t virtual_channels)
{
    cni_worm_routes *y = r->y;
    const cn_topology *t = r->topology;
    y->sites = (uint32_t)t->nodes;
    y->channels = 2 * t->dimensions * longest_side(t);
    y->inputs = 2 * t->dimensions;
    size_t channels = (size_t)y->sites * t->max_degree;
    const cni_array arrays[] = {CNI_ARRAY(r->target, y->sites), CNI_ARRAY(r->weight, y->sites),
                                CNI_ARRAY(r->channel, channels), CNI_ARRAY(r->input, channels),
                                CNI_ARRAY(r->waiting, y->sites)};
    CNI_TRY(cni_allocate_arrays(&r->block, arrays));
    take_targets(r);
    CNI_TRY(make_room(y));
    memcpy(y->weight, r->weight, y->targets * sizeof *y->weight);
    CNI_TRY(find_shares(r));
    number_channels(r);
    CNI_TRY(find_groups(r, virtual_channels));
    return find_ways(r);
}

cn_status cni_worm_routes_open(const cn_routing *routing, const cn_traffic *traffic,
                               uint32_t virtual_channels, cni_budget *budget,
                               cni_worm_routes *routes)
{
    *routes = (cni_worm_routes){.kinds = 1, .alike = 1.0};
    CNI_TRY(check_covered(routing));
    reading r = {.routing = routing,
                 .topology = routing->topology,
                 .traffic = traffic,
                 .budget = budget,
                 .y = routes};
    cn_status status = read_network(&r, virtual_channels);
    cni_release(r.block);
    return status;
}

/* ---- by distance ---- */

/* Of the ports in whose dimensions hops are left, the lowest port has the escape. Group 0 is the
 * adaptive virtual channels, group 1 the escape; as sets of groups these are 1 and 2. */
cn_status cni_worm_routes_open_cube(uint32_t n, uint32_t virtual_channels, const double share[],
                                    cni_worm_routes *y)
{
    uint32_t adaptive = virtual_channels > 1 ? virtual_channels - 1 : 1, waiting[65];
    unsigned char escapes = virtual_channels > 1 ? 2 : 0;
    *y = (cni_worm_routes){.sites = n + 1,
                           .targets = 1,
                           .channels = 1,
                           .inputs = 1,
                           .kinds = escapes != 0 ? n : 1,
                           .groups = escapes != 0 ? 2 : 1,
                           .size = {adaptive, 1},
                           .escapes = escapes,
                           .by_distance = 1,
                           .alike = n > 1 ? n - 1.0 : 1.0};
    CNI_TRY(make_room(y));
    CNI_TRY(cni_grow((void **)&y->way, &y->capacity, 2 * (size_t)n, sizeof *y->way));
    y->weight[0] = 1.0;
    y->members[0] = n;
    for (uint32_t r = 1; r <= n; r++) {
        unsigned char others = (unsigned char)(escapes != 0 ? r - 1 : 0);
        y->share[r] = share[r];
        y->first[r] = y->count;
        y->way[y->count++] = (cni_wormhole_way){
            .next = r - 1, .ports = 1, .adaptive = 1, .escapes = escapes, .kind = others};
        if (others > 0)
            y->way[y->count++] =
                (cni_wormhole_way){.next = r - 1, .ports = others, .adaptive = 1, .kind = others};
    }
    y->first[n + 1] = y->count;
    put_in_order(y, 0, waiting);
    return CN_OK;
}

void cni_worm_routes_close(cni_worm_routes *routes)
{
    cni_release(routes->block);
    cni_release(routes->way);
    *routes = (cni_worm_routes){0};
}

/* Flow deviation by origin: flow moves from the longest to the shortest path in a bush. */
#include "queueing/flow/flow_bush.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Newton's method takes a few steps. MOST_STEPS bounds the time: the next round corrects the
 * remainder. */
enum { MOST_STEPS = 40 };

/* ---- the first flow ---- */

static int sends(const cni_flow_network *network, uint32_t origin)
{
    for (uint32_t to = 0; to < network->nodes; to++)
        if (cni_flow_demand(network, origin, to) > 0.0)
            return 1;
    return 0;
}

/* Searches breadth first from the origin: fills the order, and `nearest` with hops. Returns the
 * number of nodes found. */
static uint32_t search_from(cni_flow *flow, uint32_t origin)
{
    const cni_flow_network *network = flow->network;
    uint32_t *order = cni_flow_order(flow, origin), reached = 1;
    for (uint32_t v = 0; v < network->nodes; v++)
        flow->nearest[v] = INFINITY;
    flow->nearest[origin] = 0.0;
    order[0] = origin;
    for (uint32_t at = 0; at < reached; at++)
        for (uint32_t c = network->first[order[at]]; c < network->first[order[at] + 1]; c++) {
            uint32_t head = network->head[c];
            if (isfinite(flow->nearest[head]))
                continue;
            flow->nearest[head] = flow->nearest[order[at]] + 1.0;
            order[reached++] = head;
        }
    return reached;
}

static cn_status check_reached(const cni_flow *flow, const char *function, uint32_t origin)
{
    const cni_flow_network *network = flow->network;
    for (uint32_t v = 0; v < network->nodes; v++)
        if (!isfinite(flow->nearest[v]) && cni_flow_demand(network, origin, v) > 0.0)
            return cni_fail(CN_ERR_DISCONNECTED,
                            "%s: no working path leads from node %lu to node %lu of %s", function,
                            (unsigned long)network->name[origin], (unsigned long)network->name[v],
                            network->topology->name);
    return CN_OK;
}

/* Spreads the traffic of an origin over the paths of the fewest hops. From the farthest node
 * back, the flow that ends at a node or goes through it comes over the channels from the
 * neighbours one hop nearer, in equal parts. `farthest` holds this flow, `rank` the number of
 * these neighbours. */
static void spread_origin(cni_flow *flow, uint32_t origin)
{
    const cni_flow_network *network = flow->network;
    const uint32_t *order = cni_flow_order(flow, origin);
    double *part = cni_flow_part(flow, origin);
    for (uint32_t v = 0; v < network->nodes; v++) {
        flow->farthest[v] = cni_flow_demand(network, origin, v);
        flow->rank[v] = 0;
    }
    for (uint32_t c = 0; c < network->channels; c++)
        flow->rank[network->head[c]] +=
            flow->nearest[network->head[c]] == flow->nearest[network->tail[c]] + 1.0;
    for (uint32_t at = flow->reached[origin]; at-- > 0;) {
        uint32_t v = order[at];
        for (uint32_t c = network->first[v]; c < network->first[v + 1]; c++) {
            uint32_t head = network->head[c];
            if (flow->nearest[head] != flow->nearest[v] + 1.0)
                continue;
            part[c] = flow->farthest[head] / flow->rank[head];
            flow->farthest[v] += part[c];
        }
    }
}

static cn_status open_first_flow(cni_flow *flow, const char *function)
{
    const cni_flow_network *network = flow->network;
    for (uint32_t origin = 0; origin < network->nodes; origin++) {
        if (!sends(network, origin))
            continue;
        flow->reached[origin] = search_from(flow, origin);
        CNI_TRY(check_reached(flow, function, origin));
        spread_origin(flow, origin);
        CNI_TRY(cni_budget_go_on(network->budget, 4 * (uint64_t)network->channels));
    }
    cni_flow_sum(flow);
    return cni_budget_go_on(network->budget, 0);
}

cn_status cni_flow_open(cni_flow *flow, const char *function, const cni_flow_network *network)
{
    uint64_t nodes = network->nodes, channels = network->channels;
    *flow = (cni_flow){.network = network};
    const cni_array arrays[] = {
        CNI_ARRAY(flow->part, nodes * channels), CNI_ARRAY(flow->order, nodes * nodes),
        CNI_ARRAY(flow->reached, nodes),         CNI_ARRAY(flow->flow, channels),
        CNI_ARRAY(flow->length, channels),       CNI_ARRAY(flow->rank, nodes),
        CNI_ARRAY(flow->nearest, nodes),         CNI_ARRAY(flow->farthest, nodes),
        CNI_ARRAY(flow->near_channel, nodes),    CNI_ARRAY(flow->far_channel, nodes)};
    CNI_TRY(cni_allocate_arrays(&flow->block, arrays));
    cn_status status = open_first_flow(flow, function);
    if (status != CN_OK)
        cni_flow_close(flow);
    return status;
}

void cni_flow_close(cni_flow *flow)
{
    cni_release(flow->block);
    memset(flow, 0, sizeof *flow);
}

static double length_at(double flow)
{
    return 1.0 / ((1.0 - flow) * (1.0 - flow));
}

void cni_flow_sum(cni_flow *flow)
{
    const cni_flow_network *network = flow->network;
    memset(flow->flow, 0, network->channels * sizeof *flow->flow);
    for (uint32_t origin = 0;
         origin < network->nodes && cni_budget_work(network->budget, network->channels); origin++) {
        const double *part = cni_flow_part(flow, origin);
        if (flow->reached[origin] > 0)
            for (uint32_t c = 0; c < network->channels; c++)
                flow->flow[c] += part[c];
    }
    for (uint32_t c = 0; c < network->channels; c++)
        flow->length[c] = length_at(flow->flow[c]);
}

void cni_flow_scale(cni_flow *flow, double factor)
{
    size_t parts = (size_t)flow->network->nodes * flow->network->channels;
    for (size_t i = 0; i < parts; i++)
        flow->part[i] *= factor;
    cni_flow_sum(flow);
}

/* ---- paths in a bush ---- */

void cni_flow_rank(const cni_flow *flow, uint32_t origin)
{
    const uint32_t *order = cni_flow_order(flow, origin);
    for (uint32_t at = 0; at < flow->reached[origin]; at++)
        flow->rank[order[at]] = at;
}

/*
 * Finds the shortest path and the longest path in use to every node. A node without flow has no
 * path in use. It gets the shortest path that follows longest paths to its predecessors: this path
 * is longer than the longest path to some predecessor, and the order needs no more.
 */
static void measure_paths(cni_flow *flow, uint32_t origin)
{
    const cni_flow_network *network = flow->network;
    const uint32_t *order = cni_flow_order(flow, origin);
    double *part = cni_flow_part(flow, origin);
    uint32_t reached = flow->reached[origin];
    cni_flow_rank(flow, origin);
    for (uint32_t at = 0; at < reached; at++) {
        flow->nearest[order[at]] = flow->farthest[order[at]] = INFINITY;
        flow->near_channel[order[at]] = flow->far_channel[order[at]] = CNI_NO_CHANNEL;
    }
    flow->nearest[origin] = flow->farthest[origin] = 0.0;
    for (uint32_t at = 0; at < reached; at++) {
        uint32_t v = order[at];
        double near = flow->nearest[v], far = flow->farthest[v];
        int has_flow = v == origin || flow->far_channel[v] != CNI_NO_CHANNEL;
        for (uint32_t c = network->first[v]; c < network->first[v + 1]; c++) {
            uint32_t head = network->head[c];
            if (flow->rank[head] <= at)
                continue;
            if (near + flow->length[c] < flow->nearest[head]) {
                flow->nearest[head] = near + flow->length[c];
                flow->near_channel[head] = c;
            }
            if (!has_flow)
                part[c] = 0.0; /* a remainder of rounding */
            double there = far + flow->length[c];
            int in_use = flow->far_channel[head] != CNI_NO_CHANNEL;
            if (part[c] > 0.0 && (!in_use || there > flow->farthest[head])) {
                flow->farthest[head] = there;
                flow->far_channel[head] = c;
            } else if (!in_use && there < flow->farthest[head]) {
                flow->farthest[head] = there;
            }
        }
    }
}

/* Sorts the nodes by their longest path. Nodes with equal paths keep their order, so channels in
 * use still lead forwards. The order is nearly right before, so insertion is fast. */
static void sort_nodes(cni_flow *flow, uint32_t order[], uint32_t reached)
{
    for (uint32_t at = 1; at < reached; at++) {
        uint32_t v = order[at], to = at;
        for (; to > 0 && flow->farthest[order[to - 1]] > flow->farthest[v]; to--)
            order[to] = order[to - 1];
        order[to] = v;
    }
}

/* ---- moving flow ---- */

/* Two paths to a node, from the node back to the node where the paths part. */
typedef struct detour {
    uint32_t node, parting;
    /* the least part of the origin's flow on the longer path: no more can move */
    double least_part;
    double least_room; /* the least free capacity on the shorter path */
} detour;

/* Follows the shortest path and the longest path in use back from a node until they meet. */
static detour find_detour(const cni_flow *flow, const double part[], uint32_t node)
{
    const cni_flow_network *network = flow->network;
    uint32_t near = network->tail[flow->near_channel[node]];
    uint32_t far = network->tail[flow->far_channel[node]];
    detour found = {node, node, part[flow->far_channel[node]],
                    1.0 - flow->flow[flow->near_channel[node]]};
    while (near != far) {
        if (flow->rank[near] > flow->rank[far]) {
            uint32_t c = flow->near_channel[near];
            found.least_room = fmin(found.least_room, 1.0 - flow->flow[c]);
            near = network->tail[c];
        } else {
            uint32_t c = flow->far_channel[far];
            found.least_part = fmin(found.least_part, part[c]);
            far = network->tail[c];
        }
    }
    found.parting = near;
    return found;
}

/* Returns how much longer the longer path is once the amount `moved` has gone over to the
 * shorter path. *slope gets the rate at which the difference shrinks. */
static double find_excess(const cni_flow *flow, const detour *pair, double moved, double *slope)
{
    const uint32_t *tail = flow->network->tail;
    double difference = 0.0;
    *slope = 0.0;
    for (uint32_t v = pair->node; v != pair->parting; v = tail[flow->far_channel[v]]) {
        double room = 1.0 - flow->flow[flow->far_channel[v]] + moved;
        difference += 1.0 / (room * room);
        *slope += 2.0 / (room * room * room);
    }
    for (uint32_t v = pair->node; v != pair->parting; v = tail[flow->near_channel[v]]) {
        double room = 1.0 - flow->flow[flow->near_channel[v]] - moved;
        difference -= 1.0 / (room * room);
        *slope += 2.0 / (room * room * room);
    }
    return difference;
}

/* Finds the amount of flow that makes both paths equally long, or all flow of the longer path if
 * that is less, by Newton's method between bounds. At most all but 1e-9 of the free capacity is
 * used, so no channel becomes full. A thousandth of the first difference may stay: the flows of
 * the other origins change the lengths anyhow before the next round. */
static double find_amount(const cni_flow *flow, const detour *pair)
{
    double slope, at_first = find_excess(flow, pair, 0.0, &slope);
    double low = 0.0, high = fmin(pair->least_part, (1.0 - 1e-9) * pair->least_room);
    double moved = 0.0, difference = at_first;
    if (!(at_first > 0.0) || !(high > 0.0))
        return 0.0;
    for (int step = 0; step < MOST_STEPS; step++) {
        double next = moved + difference / slope;
        if (next >= pair->least_part && high == pair->least_part &&
            find_excess(flow, pair, pair->least_part, &slope) >= 0.0)
            return pair->least_part;
        moved = next > low && next < high ? next : low + (high - low) / 2.0;
        difference = find_excess(flow, pair, moved, &slope);
        if (fabs(difference) <= 1e-3 * at_first)
            break;
        if (difference > 0.0)
            low = moved;
        else
            high = moved;
    }
    return difference >= -1e-3 * at_first ? moved : low;
}

static void add_flow(cni_flow *flow, double part[], uint32_t c, double more)
{
    part[c] = fmax(part[c] + more, 0.0);
    flow->flow[c] = fmax(flow->flow[c] + more, 0.0);
    flow->length[c] = length_at(flow->flow[c]);
}

static void move_flow(cni_flow *flow, double part[], uint32_t node)
{
    const uint32_t *tail = flow->network->tail;
    detour pair = find_detour(flow, part, node);
    double moved = find_amount(flow, &pair);
    if (moved == 0.0)
        return;
    for (uint32_t v = node; v != pair.parting; v = tail[flow->far_channel[v]])
        add_flow(flow, part, flow->far_channel[v], -moved);
    for (uint32_t v = node; v != pair.parting; v = tail[flow->near_channel[v]])
        add_flow(flow, part, flow->near_channel[v], moved);
}

static void improve_origin(cni_flow *flow, uint32_t origin)
{
    uint32_t *order = cni_flow_order(flow, origin), reached = flow->reached[origin];
    measure_paths(flow, origin);
    sort_nodes(flow, order, reached);
    measure_paths(flow, origin);
    for (uint32_t at = reached; at-- > 1;) {
        uint32_t v = order[at];
        /* Differences below 1e-13 of a path's length are rounding. */
        if (flow->far_channel[v] != CNI_NO_CHANNEL &&
            flow->far_channel[v] != flow->near_channel[v] &&
            flow->farthest[v] - flow->nearest[v] > 1e-13 * flow->farthest[v])
            move_flow(flow, cni_flow_part(flow, origin), v);
    }
}

void cni_flow_improve(cni_flow *flow)
{
    const cni_flow_network *network = flow->network;
    uint64_t work = 16 * (uint64_t)network->channels;
    for (uint32_t origin = 0; origin < network->nodes && cni_budget_work(network->budget, work);
         origin++)
        if (flow->reached[origin] > 0)
            improve_origin(flow, origin);
}

/* ---- shortest paths outside the bush ---- */

/* Shortens paths once over all channels, in the order of the origin. Returns 1 when some node
 * came nearer. */
static int shorten_paths(cni_flow *flow, const uint32_t order[], uint32_t reached)
{
    const cni_flow_network *network = flow->network;
    int nearer = 0;
    for (uint32_t at = 0; at < reached; at++) {
        double near = flow->nearest[order[at]];
        for (uint32_t c = network->first[order[at]]; c < network->first[order[at] + 1]; c++) {
            if (near + flow->length[c] >= flow->nearest[network->head[c]])
                continue;
            flow->nearest[network->head[c]] = near + flow->length[c];
            nearer = 1;
        }
    }
    return nearer;
}

/* Passes are repeated until no node comes nearer. The order is nearly the order of the
 * distances, so a few passes are enough. A shortest path has fewer channels than the network has
 * nodes, so this number of passes always suffices. */
double cni_flow_shortest(cni_flow *flow)
{
    const cni_flow_network *network = flow->network;
    double sum = 0.0;
    for (uint32_t origin = 0; origin < network->nodes; origin++) {
        const uint32_t *order = cni_flow_order(flow, origin);
        uint32_t reached = flow->reached[origin];
        for (uint32_t at = 0; at < reached; at++)
            flow->nearest[order[at]] = INFINITY;
        flow->nearest[origin] = 0.0;
        for (uint32_t pass = 1; pass < reached && shorten_paths(flow, order, reached); pass++)
            if (!cni_budget_work(network->budget, 2 * (uint64_t)network->channels))
                return INFINITY;
        for (uint32_t at = 1; at < reached; at++)
            sum += cni_flow_demand(network, origin, order[at]) * flow->nearest[order[at]];
    }
    return sum;
}

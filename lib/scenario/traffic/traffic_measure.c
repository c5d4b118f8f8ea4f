/* What can be said of a traffic without running it: probabilities, distances, loads. */
#include "scenario/traffic/traffic.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "scenario/traffic/locality.h"
#include "scenario/traffic/pattern.h"
#include "topology/distances/breadth_first.h"

/* ---- senders ---- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static cn_status count_trace_sources(const cn_traffic *traffic, uint64_t *senders)
{
    size_t count = traffic->table->trace_count;
    uint64_t *source = cni_allocate(count, sizeof *source), found = 0;
    if (source == NULL)
        return CN_ERR_MEMORY;
    for (size_t i = 0; i < count; i++)
        source[i] = traffic->table->trace[i].source;
    qsort(source, count, sizeof *source, by_number);
    for (size_t i = 0; i < count; i++)
        found += i == 0 || source[i] != source[i - 1];
    cni_release(source);
    *senders = found;
    return CN_OK;
}

cn_status cn_traffic_senders(const cn_traffic *traffic, uint64_t *senders)
{
    CNI_REQUIRE(traffic);
    CNI_REQUIRE(senders);
    uint64_t nodes = traffic->topology->nodes, found = 0;
    if (cni_traffic_is_trace(traffic))
        return count_trace_sources(traffic, senders);
    if (traffic->table != NULL)
        for (uint64_t s = 0; s < nodes; s++)
            found += (uint64_t)cni_traffic_sends(traffic, s);
    else
        found = nodes - cni_pattern_fixed_points(traffic->topology, traffic->pattern);
    *senders = found;
    return CN_OK;
}

/* ---- probability ---- */

static double trace_share(const cn_traffic *traffic, uint64_t source, uint64_t destination)
{
    uint64_t of_source = 0, of_both = 0;
    for (size_t i = 0; i < traffic->table->trace_count; i++) {
        const cni_trace_message *m = &traffic->table->trace[i];
        of_source += m->source == source;
        of_both += m->source == source && m->destination == destination;
    }
    return of_source == 0 ? 0.0 : (double)of_both / (double)of_source;
}

double cni_traffic_share(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                         uint64_t distance)
{
    const cn_topology *topology = traffic->topology;
    const cni_traffic_table *table = traffic->table;
    double even = 1.0 / (double)(topology->nodes - 1), hot = ldexp((double)traffic->share, -53);
    const uint64_t *row;
    switch (traffic->pattern) {
    case CN_PATTERN_UNIFORM:
        return even;
    case CN_PATTERN_HOTSPOT:
        if (source == traffic->node)
            return even;
        return (destination == traffic->node ? hot : 0.0) + (1.0 - hot) * even;
    case CN_PATTERN_MATRIX:
        row = table->row + source * topology->nodes;
        return ldexp((double)(row[destination] - (destination == 0 ? 0 : row[destination - 1])),
                     -53);
    case CN_PATTERN_LOCALITY:
        if (distance > table->locality->diameter)
            return 0.0;
        return cni_locality_share(table->locality, topology, source, distance) /
               (double)cni_locality_shell(table->locality, topology, source, distance);
    default:
        return cni_traffic_destination(traffic, source, 0) == destination ? 1.0 : 0.0;
    }
}

cn_status cn_traffic_probability(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                                 double *probability)
{
    CNI_REQUIRE(traffic);
    CNI_REQUIRE(probability);
    const cn_topology *topology = traffic->topology;
    uint64_t distance = 0;
    CNI_TRY(cni_check_node(__func__, "source", topology, source));
    CNI_TRY(cni_check_node(__func__, "destination", topology, destination));
    if (traffic->pattern == CN_PATTERN_LOCALITY)
        CNI_TRY(topology->ops->distance(topology, source, destination, &distance));
    if (cni_traffic_is_trace(traffic))
        *probability = trace_share(traffic, source, destination);
    else if (source == destination || !cni_traffic_sends(traffic, source))
        *probability = 0.0;
    else
        *probability = cni_traffic_share(traffic, source, destination, distance);
    return CN_OK;
}

/* ---- distances from one source after another ---- */

typedef struct distances {
    const cn_topology *topology;
    int searching; /* the network has no closed form */
    cni_graph graph;
    cni_search search;
    uint64_t source;
} distances;

static cn_status open_distances(const cn_topology *topology, distances *from)
{
    from->topology = topology;
    from->source = topology->nodes;
    from->searching = topology->ops->distance == cni_search_distance;
    if (!from->searching)
        return CN_OK;
    CNI_TRY(cni_graph_open(topology, &from->graph));
    cn_status status = cni_search_open(&from->graph, &from->search);
    if (status != CN_OK)
        cni_graph_close(&from->graph);
    return status;
}

static void close_distances(distances *from)
{
    if (!from->searching)
        return;
    cni_search_close(&from->search);
    cni_graph_close(&from->graph);
}

static cn_status add_distance(distances *from, uint64_t source, uint64_t destination, double weight,
                              double *sum)
{
    uint64_t hops = CN_UNREACHABLE;
    if (from->searching) {
        if (source != from->source)
            cni_search_from(&from->graph, (uint32_t)source, &from->search);
        from->source = source;
        if (from->search.hops[destination] != CNI_FAR)
            hops = from->search.hops[destination];
    } else {
        CNI_TRY(from->topology->ops->distance(from->topology, source, destination, &hops));
    }
    if (hops == CN_UNREACHABLE)
        return cni_fail(CN_ERR_DISCONNECTED, "traffic: node %llu of %s cannot reach node %llu",
                        (unsigned long long)source, from->topology->name,
                        (unsigned long long)destination);
    *sum += weight * (double)hops;
    return CN_OK;
}

/* ---- mean distance: sums over the messages, and their number ---- */

typedef cn_status (*sum_fn)(const cn_traffic *traffic, distances *from, double *sum, double *count);

static cn_status sum_trace(const cn_traffic *traffic, distances *from, double *sum, double *count)
{
    for (size_t i = 0; i < traffic->table->trace_count; i++) {
        const cni_trace_message *m = &traffic->table->trace[i];
        CNI_TRY(add_distance(from, m->source, m->destination, 1.0, sum));
        *count += 1.0;
    }
    return CN_OK;
}

/* One destination a node. */
static cn_status sum_single(const cn_traffic *traffic, distances *from, double *sum, double *count)
{
    for (uint64_t s = 0; s < traffic->topology->nodes; s++)
        if (cni_traffic_sends(traffic, s)) {
            CNI_TRY(add_distance(from, s, cni_traffic_destination(traffic, s, 0), 1.0, sum));
            *count += 1.0;
        }
    return CN_OK;
}

static cn_status sum_matrix(const cn_traffic *traffic, distances *from, double *sum, double *count)
{
    uint64_t nodes = traffic->topology->nodes;
    for (uint64_t s = 0; s < nodes; s++) {
        if (!cni_traffic_sends(traffic, s))
            continue;
        *count += 1.0;
        for (uint64_t d = 0; d < nodes; d++) {
            double share = d == s ? 0.0 : cni_traffic_share(traffic, s, d, 0);
            if (share > 0.0)
                CNI_TRY(add_distance(from, s, d, share, sum));
        }
    }
    return CN_OK;
}

static cn_status sum_locality(const cn_traffic *traffic, distances *from, double *sum,
                              double *count)
{
    const cni_locality *locality = traffic->table->locality;
    uint64_t sources = locality->ways != NULL ? 1 : traffic->topology->nodes; /* one is like all */
    (void)from;
    for (uint64_t s = 0; s < sources; s++)
        if (cni_locality_sends(locality, traffic->topology, s)) {
            for (uint64_t d = 1; d <= locality->diameter; d++)
                *sum += (double)d * cni_locality_share(locality, traffic->topology, s, d);
            *count += 1.0;
        }
    return CN_OK;
}

/* Uniform but for the share of all others that goes to the hotspot instead. */
static cn_status sum_hotspot(const cn_traffic *traffic, distances *from, double *sum, double *count)
{
    const cn_topology *topology = traffic->topology;
    double share = ldexp((double)traffic->share, -53), uniform, to_node = 0.0, from_node = 0.0;
    double nodes = (double)topology->nodes;
    CNI_TRY(cn_topology_mean_distance(topology, &uniform));
    if (topology->representatives == 1) {
        to_node = from_node = (nodes - 1.0) * uniform;
    } else {
        for (uint64_t s = 0; s < topology->nodes; s++)
            CNI_TRY(add_distance(from, traffic->node, s, 1.0, &from_node));
        to_node = from_node;
        if (!topology->bidirectional) {
            to_node = 0.0;
            for (uint64_t s = 0; s < topology->nodes; s++)
                CNI_TRY(add_distance(from, s, traffic->node, 1.0, &to_node));
        }
    }
    *sum = share * (to_node + from_node / (nodes - 1.0)) + (1.0 - share) * nodes * uniform;
    *count = nodes;
    return CN_OK;
}

static sum_fn sum_of(cn_pattern pattern)
{
    switch (pattern) {
    case CN_PATTERN_TRACE:
        return sum_trace;
    case CN_PATTERN_MATRIX:
        return sum_matrix;
    case CN_PATTERN_LOCALITY:
        return sum_locality;
    case CN_PATTERN_HOTSPOT:
        return sum_hotspot;
    default:
        return sum_single;
    }
}

cn_status cn_traffic_mean_distance(const cn_traffic *traffic, double *mean)
{
    CNI_REQUIRE(traffic);
    CNI_REQUIRE(mean);
    const cn_topology *topology = traffic->topology;
    if (traffic->pattern == CN_PATTERN_UNIFORM)
        return cn_topology_mean_distance(topology, mean);
    if (sum_of(traffic->pattern) == sum_single && topology->nodes > CNI_TRAFFIC_TABLE_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s has %llu nodes, but the distances of at most %llu are added up",
                        __func__, topology->name, (unsigned long long)topology->nodes,
                        (unsigned long long)CNI_TRAFFIC_TABLE_NODES);
    distances from;
    double sum = 0.0, count = 0.0;
    CNI_TRY(open_distances(topology, &from));
    cn_status status = sum_of(traffic->pattern)(traffic, &from, &sum, &count);
    close_distances(&from);
    CNI_TRY(status);
    if (count == 0.0)
        return cni_fail(CN_ERR_ARGUMENT, "%s: nobody sends, so there is no mean", __func__);
    *mean = sum / count;
    return CN_OK;
}

/* ---- loads of e-cube routing ---- */

static void add_path(uint32_t n, uint64_t source, uint64_t destination, double rate, double loads[])
{
    uint64_t node = source;
    for (uint32_t i = 0; i < n; i++)
        if ((node ^ destination) >> i & 1) {
            loads[node * n + i] += rate;
            node ^= UINT64_C(1) << i;
        }
}

static void add_everywhere(const cn_topology *cube, double rate, double loads[])
{
    for (uint64_t c = 0; c < cube->nodes * cube->dimensions; c++)
        loads[c] += rate;
}

static void load_hotspot(const cn_traffic *traffic, double loads[])
{
    const cn_topology *cube = traffic->topology;
    double share = ldexp((double)traffic->share, -53), others = (double)(cube->nodes - 1);
    uint64_t node = traffic->node;
    add_everywhere(cube, (1.0 - share) * (double)(cube->nodes / 2) / others, loads);
    for (uint64_t s = 0; s < cube->nodes; s++) {
        add_path(cube->dimensions, s, node, share, loads);
        add_path(cube->dimensions, node, s, share / others, loads);
    }
}

static void load_trace(const cn_traffic *traffic, double loads[])
{
    const cni_traffic_table *table = traffic->table;
    for (size_t i = 0; i < table->trace_count; i++) {
        double cycles = (double)table->trace[table->trace_count - 1].cycle + 1.0;
        add_path(traffic->topology->dimensions, table->trace[i].source, table->trace[i].destination,
                 1.0 / cycles, loads);
    }
}

static void load_pairs(const cn_traffic *traffic, double loads[])
{
    const cn_topology *cube = traffic->topology;
    for (uint64_t s = 0; s < cube->nodes; s++) {
        if (!cni_traffic_sends(traffic, s))
            continue;
        if (traffic->pattern != CN_PATTERN_MATRIX) {
            add_path(cube->dimensions, s, cni_traffic_destination(traffic, s, 0), 1.0, loads);
            continue;
        }
        for (uint64_t d = 0; d < cube->nodes; d++)
            if (d != s)
                add_path(cube->dimensions, s, d, cni_traffic_share(traffic, s, d, 0), loads);
    }
}

cn_status cn_traffic_ecube_loads(const cn_traffic *traffic, double loads[], size_t capacity,
                                 size_t *count)
{
    CNI_REQUIRE(traffic);
    if (capacity > 0)
        CNI_REQUIRE(loads);
    const cn_topology *cube = traffic->topology;
    if (!cni_is_hypercube(cube) || cube->nodes > CNI_TRAFFIC_TABLE_NODES)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "%s: %s is no hypercube of at most %llu nodes, whose channel loads are known", __func__,
            cube->name, (unsigned long long)CNI_TRAFFIC_TABLE_NODES);
    size_t needed = (size_t)(cube->nodes * cube->dimensions);
    if (count != NULL)
        *count = needed;
    if (capacity < needed)
        return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but %s has %zu channels", __func__,
                        capacity, cube->name, needed);
    for (size_t c = 0; c < needed; c++)
        loads[c] = 0.0;
    double mean;
    switch (traffic->pattern) {
    case CN_PATTERN_UNIFORM: /* the same over every channel: no node and no dimension is special */
    case CN_PATTERN_LOCALITY:
        CNI_TRY(cn_traffic_mean_distance(traffic, &mean));
        add_everywhere(cube, mean / cube->dimensions, loads);
        break;
    case CN_PATTERN_HOTSPOT:
        load_hotspot(traffic, loads);
        break;
    case CN_PATTERN_TRACE:
        load_trace(traffic, loads);
        break;
    default:
        load_pairs(traffic, loads);
    }
    return CN_OK;
}

/*
 * A pattern by distance: first the distance, then one of the nodes that far away.
 *
 * In networks whose nodes are translations of each other and whose distance is a sum over the
 * digits of the header, the headers of one distance are counted dimension by dimension and one is
 * picked by its rank; a table of (dimensions + 1)(diameter + 1) counts serves all nodes. Elsewhere
 * every node has all others in a list in the order of their distances.
 */
#include "scenario/traffic/pattern.h"

#include <string.h>

#include "base/error.h"
#include "topology/topology.h"

typedef struct cni_locality {
    uint64_t diameter;
    double *up_to; /* [d]: the sum of the weights of distances 1 .. d */
    /* [i (D+1) + d]: in how many ways the digits of dimension i and of the later dimensions make d
     * hops; NULL: the network has lists */
    uint64_t *ways;
    void *lists;        /* the block of the three arrays below, which are by source */
    uint32_t *order;    /* the nodes by distance, the source first */
    uint32_t *shell;    /* D+2 words: [d] is the first place of distance d in the order */
    uint32_t *farthest; /* the greatest distance */
} cni_locality;

/* The most entries of `ways`: the time to fill them grows with the square of their number. The most
 * nodes of a network with lists. */
static const uint64_t MOST_COUNTS = UINT64_C(1) << 16;
static const uint64_t MOST_LISTED = 2048;

/* ---- digits ---- */

/* The most hops of a shortest path in a dimension. */
static uint64_t most_hops(const cn_topology *topology, uint32_t dimension)
{
    if (cni_sets_digits(topology))
        return 1;
    uint64_t radix = topology->radix[dimension];
    return !topology->bidirectional ? radix - 1 : radix / 2;
}

/* The number of digits of a header that stand for so many hops; hops is at most most_hops(). */
static uint64_t digits_at(const cn_topology *topology, uint32_t dimension, uint64_t hops)
{
    uint64_t radix = topology->radix[dimension];
    if (hops == 0 || !topology->bidirectional)
        return 1;
    if (cni_sets_digits(topology))
        return radix - 1;
    return 2 * hops == radix ? 1 : 2;
}

/* The digit number `which` of these digits. */
static uint64_t digit_at(const cn_topology *topology, uint32_t dimension, uint64_t hops,
                         uint64_t which)
{
    if (cni_sets_digits(topology))
        return hops + which;
    return which == 0 ? hops : topology->radix[dimension] - hops;
}

static cn_status count_ways(cni_locality *l, const cn_topology *topology)
{
    uint64_t width = l->diameter + 1;
    uint32_t n = topology->dimensions;
    l->ways = cni_allocate((uint64_t)width * (n + 1), sizeof *l->ways);
    CNI_TRY_MEMORY(l->ways);
    l->ways[n * width] = 1;
    for (uint32_t i = n; i-- > 0;)
        for (uint64_t d = 0; d < width; d++)
            for (uint64_t h = 0; h <= most_hops(topology, i) && h <= d; h++)
                l->ways[i * width + d] +=
                    digits_at(topology, i, h) * l->ways[(i + 1) * width + d - h];
    return CN_OK;
}

/* The header with this rank among the headers at distance d. */
static uint64_t header_at(const cni_locality *l, const cn_topology *topology, uint64_t d,
                          uint64_t rank)
{
    uint64_t width = l->diameter + 1, header = 0;
    for (uint32_t i = 0; i < topology->dimensions; i++)
        for (uint64_t h = 0;; h++) {
            uint64_t rest = l->ways[(i + 1) * width + d - h];
            uint64_t block = digits_at(topology, i, h) * rest;
            if (rank >= block) {
                rank -= block;
                continue;
            }
            header += digit_at(topology, i, h, rank / rest) * topology->stride[i];
            rank %= rest;
            d -= h;
            break;
        }
    return header;
}

/* ---- lists ---- */

static uint32_t *shell_of(const cni_locality *l, uint64_t source)
{
    return l->shell + source * (l->diameter + 2);
}

static cn_status list_from(cni_locality *l, const cni_graph *graph, cni_search *search)
{
    for (size_t s = 0; s < graph->nodes; s++) {
        cni_search_within(graph, (uint32_t)s, NULL, search);
        if (search->reached < graph->nodes)
            return cni_fail(CN_ERR_DISCONNECTED,
                            "locality: node %zu of %s reaches %zu of the %zu nodes", s,
                            graph->topology->name, search->reached, graph->nodes);
        uint32_t *shell = shell_of(l, s);
        for (size_t at = 0; at < graph->nodes; at++) {
            uint32_t node = search->queue[at];
            l->order[s * graph->nodes + at] = node;
            shell[search->hops[node] + 1]++;
        }
        for (uint64_t d = 0; d <= l->diameter; d++)
            shell[d + 1] += shell[d];
        l->farthest[s] = search->hops[search->queue[graph->nodes - 1]];
    }
    return CN_OK;
}

static cn_status list_nodes(cni_locality *l, const cn_topology *topology)
{
    uint64_t nodes = topology->nodes;
    const cni_array lists[] = {CNI_ARRAY(l->order, nodes * nodes),
                               CNI_ARRAY(l->shell, nodes * (l->diameter + 2)),
                               CNI_ARRAY(l->farthest, nodes)};
    cni_graph graph;
    cni_search search;
    CNI_TRY(cni_allocate_arrays(&l->lists, lists));
    CNI_TRY(cni_graph_open(topology, NULL, &graph));
    cn_status status = cni_search_open(&graph, &search);
    if (status == CN_OK) {
        status = list_from(l, &graph, &search);
        cni_search_close(&search);
    }
    cni_graph_close(&graph);
    return status;
}

/* ---- both ---- */

void cni_locality_close(cni_locality *l)
{
    cni_release(l->up_to);
    cni_release(l->ways);
    cni_release(l->lists);
}

static cn_status fill(const char *function, cn_traffic *made, uint64_t diameter,
                      const double sums[])
{
    cni_locality *l = made->table->locality;
    l->diameter = diameter;
    l->up_to = cni_allocate(diameter + 1, sizeof *l->up_to);
    CNI_TRY_MEMORY(l->up_to);
    memcpy(l->up_to + 1, sums, (size_t)diameter * sizeof *sums);
    if (!(l->up_to[diameter] > 0.0) || l->up_to[diameter] > 1e300)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: the sum of weights = %g, but it must be above 0 and at most 1e300",
                        function, l->up_to[diameter]);
    return cni_adds_digits(made->topology) ? count_ways(l, made->topology)
                                           : list_nodes(l, made->topology);
}

/* sums[d-1] is the sum of the weights of distances 1 to d; the sums are valid numbers and do not
 * decrease. */
static cn_status new_locality(const char *function, const cn_topology *topology, uint64_t diameter,
                              const double sums[], cn_traffic **traffic)
{
    cn_traffic *made = NULL;
    CNI_TRY(cni_traffic_create(function, topology, CN_PATTERN_LOCALITY, 1, sizeof(cni_locality),
                               &made));
    return cni_traffic_finish(fill(function, made, diameter, sums), made, traffic);
}

/* ---- making one ---- */

/* The diameter of a network that is not too large for the tables. */
static cn_status find_diameter(const char *function, const cn_topology *topology,
                               uint64_t *diameter)
{
    uint64_t most = MOST_COUNTS / (topology->dimensions + 1);
    CNI_TRY(cni_check_all_hosts(function, topology));
    if (!cni_adds_digits(topology) && topology->nodes > MOST_LISTED)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: locality on %s allows at most %llu nodes, but the network has %llu",
                        function, topology->name, (unsigned long long)MOST_LISTED,
                        (unsigned long long)topology->nodes);
    CNI_TRY(cni_diameter(topology, NULL, diameter));
    if (!cni_adds_digits(topology) || *diameter < most)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: locality on %s allows distances up to %llu, but the network has distances "
                    "up to %llu",
                    function, topology->name, (unsigned long long)most - 1,
                    (unsigned long long)*diameter);
}

/* Makes the traffic from a weight for each distance or, where `weights` is NULL, from the powers of
 * a ratio. */
static cn_status from_weights(const char *function, const cn_topology *topology, uint64_t diameter,
                              const double weights[], double ratio, cn_traffic **traffic)
{
    double *up_to = cni_allocate(diameter, sizeof *up_to), sum = 0.0, power = 1.0;
    CNI_TRY_MEMORY(up_to);
    for (uint64_t d = 0; d < diameter; d++, power *= ratio)
        up_to[d] = sum += weights == NULL ? power : weights[d];
    cn_status status = new_locality(function, topology, diameter, up_to, traffic);
    cni_release(up_to);
    return status;
}

cn_status cn_traffic_locality(const cn_topology *topology, const double weights[], size_t count,
                              cn_traffic **traffic)
{
    CNI_REQUIRE_OUT(traffic);
    CNI_REQUIRE_BOTH(topology, weights);
    uint64_t diameter;
    CNI_TRY(find_diameter(__func__, topology, &diameter));
    if (count != diameter)
        return cni_fail(
            CN_ERR_ARGUMENT,
            "%s: count = %zu, but %s has distances 1 to %llu and needs one weight for each",
            __func__, count, topology->name, (unsigned long long)diameter);
    for (size_t i = 0; i < count; i++)
        if (!(weights[i] >= 0.0 && weights[i] <= 1e300))
            return cni_fail(CN_ERR_ARGUMENT, "%s: weights[%zu] = %g, but it must be 0 to 1e300",
                            __func__, i, weights[i]);
    return from_weights(__func__, topology, diameter, weights, 1.0, traffic);
}

cn_status cn_traffic_geometric_locality(const cn_topology *topology, double ratio,
                                        cn_traffic **traffic)
{
    CNI_REQUIRE_OUT(traffic);
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_share(__func__, "ratio", ratio));
    uint64_t diameter;
    CNI_TRY(find_diameter(__func__, topology, &diameter));
    return from_weights(__func__, topology, diameter, NULL, ratio, traffic);
}

/* ---- as JSON: the sums, whose rounded differences need not add up to them ---- */

static void visit(cni_io *io, void *object)
{
    static const char key[] = "cumulative_weights";
    cni_traffic_form *f = object;
    const cni_locality *l = cni_io_writes(io) ? f->traffic->table->locality : NULL;
    uint64_t diameter = l == NULL ? 0 : l->diameter;
    CNI_IO_CALL(io, NULL, find_diameter(io->json->function, f->topology, &diameter));
    double *made = cni_io_allocate(io, diameter, sizeof *made), before = 0.0;
    cni_io_reals(io, key, l == NULL ? made : l->up_to + 1, diameter);
    for (uint64_t d = 0; d < diameter && cni_io_reads(io); before = made[d++])
        if (!(made[d] >= before && made[d] <= 1e300))
            cni_io_fail(io, key, "number %llu is less than the one before, or above 1e300",
                        (unsigned long long)d);
    CNI_IO_CALL(io, key,
                new_locality(io->json->function, f->topology, diameter, made, &f->traffic));
    cni_release(made);
}

/* ---- what it is ---- */

/* The number of nodes at distance d, 1 .. D, from the source. */
static uint64_t nodes_at(const cni_locality *l, uint64_t source, uint64_t distance)
{
    if (l->ways != NULL)
        return l->ways[distance];
    const uint32_t *shell = shell_of(l, source);
    return shell[distance + 1] - shell[distance];
}

/* The eccentricity of the source: every distance up to it has nodes. */
static uint64_t farthest(const cn_traffic *traffic, uint64_t source)
{
    const cni_locality *l = traffic->table->locality;
    return l->ways != NULL ? l->diameter : l->farthest[source];
}

/* 0 when the weights of all distances from the source are 0. */
static int sends(const cn_traffic *traffic, uint64_t source)
{
    return traffic->table->locality->up_to[farthest(traffic, source)] > 0.0;
}

/* Where all nodes are alike, every node has a distance with a weight above 0. */
static cn_status count_senders(const cn_traffic *traffic, uint64_t *senders)
{
    *senders =
        traffic->table->locality->ways != NULL ? traffic->topology->hosts : cni_senders_of(traffic);
    return CN_OK;
}

static uint64_t draw(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    const cni_locality *l = traffic->table->locality;
    uint64_t low = 1, high = farthest(traffic, source);
    double drawn = (double)(word >> 11) / 9007199254740992.0 * l->up_to[high]; /* below that */
    while (low < high) { /* the first distance whose sum lies above */
        uint64_t middle = (low + high) / 2;
        if (drawn < l->up_to[middle])
            high = middle;
        else
            low = middle + 1;
    }
    uint64_t rank = cni_random_scale(cni_random_derive(word, 1), nodes_at(l, source, low));
    if (l->ways != NULL)
        return cni_header(traffic->topology, source, header_at(l, traffic->topology, low, rank));
    return l->order[source * traffic->topology->nodes + shell_of(l, source)[low] + rank];
}

/* The probability that a message of a sending source goes to distance d, 1 .. D. */
static double share_at(const cn_traffic *traffic, uint64_t source, uint64_t distance)
{
    const double *up_to = traffic->table->locality->up_to;
    uint64_t most = farthest(traffic, source);
    return distance > most ? 0.0 : (up_to[distance] - up_to[distance - 1]) / up_to[most];
}

static double share_of(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                       uint64_t distance)
{
    const cni_locality *locality = traffic->table->locality;
    (void)destination;
    if (distance > locality->diameter)
        return 0.0;
    return share_at(traffic, source, distance) / (double)nodes_at(locality, source, distance);
}

static cn_status add_distances(const cn_traffic *traffic, cni_distances *from, double *sum,
                               double *count)
{
    const cni_locality *locality = traffic->table->locality;
    uint64_t sources = locality->ways != NULL ? 1 : traffic->topology->nodes; /* one is like all */
    (void)from;
    for (uint64_t s = 0; s < sources; s++)
        if (sends(traffic, s)) {
            for (uint64_t d = 1; d <= locality->diameter; d++)
                *sum += (double)d * share_at(traffic, s, d);
            *count += 1.0;
        }
    return CN_OK;
}

const cni_pattern_row cni_locality_pattern = {
    .sends = sends,
    .senders = count_senders,
    .destination = draw,
    .share = share_of,
    .by_distance = 1,
    .is_even = 1,
    .add_distances = add_distances,
    .visit = visit,
};

/* Making a cn_traffic, and the destinations of its messages. */
#include "scenario/traffic/traffic.h"

#include <math.h>

#include "base/names.h"
#include "scenario/traffic/locality.h"
#include "scenario/traffic/pattern.h"
#include "topology/topology.h"

/* Nodes of which every pair has a word. */
static const uint64_t MOST_IN_MATRIX = 4096;

/* Whole numbers of 2^-53 stand for probabilities. */
#define CERTAIN (UINT64_C(1) << 53)

/* ---- life ---- */

static void release_table(cni_traffic_table *table)
{
    if (table == NULL || !cni_drop(&table->references))
        return;
    cni_release(table->destination);
    cni_release(table->row);
    cni_locality_close(table->locality);
    cni_release(table->trace);
    cni_release(table);
}

void cn_traffic_free(cn_traffic **traffic)
{
    if (traffic == NULL || !CNI_IS_VALID(*traffic))
        return;
    cni_topology_release((*traffic)->topology);
    release_table((*traffic)->table);
    cni_object_release(*traffic);
    *traffic = NULL;
}

cn_traffic *cni_traffic_copy(const cn_traffic *traffic)
{
    cn_traffic *copy = CNI_NEW(copy);
    if (copy == NULL)
        return NULL;
    *copy = *traffic;
    cni_topology_retain(copy->topology);
    if (copy->table != NULL)
        cni_retain(&copy->table->references);
    return copy;
}

cn_status cni_traffic_create(const char *function, const cn_topology *topology, cn_pattern pattern,
                             int with_table, cn_traffic **traffic)
{
    if (topology->nodes < 2)
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s has a single node, which can send to no other",
                        function, topology->name);
    cn_traffic *made = CNI_NEW(made);
    if (made == NULL)
        return CN_ERR_MEMORY;
    made->pattern = pattern;
    made->topology = cni_topology_retain(topology);
    if (with_table) {
        made->table = cni_allocate(1, sizeof *made->table);
        if (made->table == NULL) {
            cn_traffic_free(&made);
            return CN_ERR_MEMORY;
        }
        atomic_init(&made->table->references, 1);
    }
    *traffic = made;
    return CN_OK;
}

cn_status cni_traffic_finish(cn_status status, cn_traffic *made, cn_traffic **traffic)
{
    if (status == CN_OK)
        *traffic = made;
    else
        cn_traffic_free(&made);
    return status;
}

/* ---- patterns ---- */

cn_status cn_traffic_new(const cn_topology *topology, cn_pattern pattern, cn_traffic **traffic)
{
    CNI_REQUIRE(traffic);
    *traffic = NULL;
    CNI_REQUIRE(topology);
    if (cn_pattern_name(pattern) == NULL || pattern > CN_PATTERN_NEIGHBOR)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: pattern = %d, but it must be 0 (uniform) to %d (neighbor); the others "
                        "have functions of their own",
                        __func__, (int)pattern, (int)CN_PATTERN_NEIGHBOR);
    CNI_TRY(cni_pattern_check(__func__, topology, pattern));
    return cni_traffic_create(__func__, topology, pattern, 0, traffic);
}

cn_status cn_traffic_new_hotspot(const cn_topology *topology, uint64_t node, double share,
                                 cn_traffic **traffic)
{
    CNI_REQUIRE(traffic);
    *traffic = NULL;
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    if (!(share >= 0.0 && share <= 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: share = %g, but it must be 0 to 1", __func__, share);
    CNI_TRY(cni_traffic_create(__func__, topology, CN_PATTERN_HOTSPOT, 0, traffic));
    (*traffic)->node = node;
    (*traffic)->share = (uint64_t)ldexp(share, 53);
    return CN_OK;
}

/* A traffic with room for a destination of each node. */
static cn_status new_listed(const char *function, const cn_topology *topology, cn_pattern pattern,
                            cn_traffic **made)
{
    if (topology->nodes > CNI_TRAFFIC_TABLE_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s has %llu nodes, but a list of destinations holds at most %llu",
                        function, topology->name, (unsigned long long)topology->nodes,
                        (unsigned long long)CNI_TRAFFIC_TABLE_NODES);
    CNI_TRY(cni_traffic_create(function, topology, pattern, 1, made));
    uint32_t *list = cni_allocate(topology->nodes, sizeof *list);
    (*made)->table->destination = list;
    if (list == NULL)
        cn_traffic_free(made);
    return list == NULL ? CN_ERR_MEMORY : CN_OK;
}

cn_status cn_traffic_new_permutation(const cn_topology *topology, uint64_t seed,
                                     cn_traffic **traffic)
{
    CNI_REQUIRE(traffic);
    *traffic = NULL;
    CNI_REQUIRE(topology);
    CNI_TRY(new_listed(__func__, topology, CN_PATTERN_PERMUTATION, traffic));
    uint32_t *list = (*traffic)->table->destination;
    uint64_t stream = cni_random_derive(seed, topology->nodes);
    for (uint64_t s = 0; s < topology->nodes; s++) { /* Fisher and Yates */
        uint64_t other = cni_random_scale(cni_random_word(stream, s), s + 1);
        list[s] = list[other];
        list[other] = (uint32_t)s;
    }
    return CN_OK;
}

static cn_status fill_destinations(const char *function, cn_traffic *made,
                                   const uint64_t destinations[])
{
    uint64_t nodes = made->topology->nodes, senders = 0;
    for (uint64_t s = 0; s < nodes; s++) {
        if (destinations[s] >= nodes)
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: destinations[%llu] = %llu, but the nodes are 0 to %llu", function,
                            (unsigned long long)s, (unsigned long long)destinations[s],
                            (unsigned long long)(nodes - 1));
        made->table->destination[s] = (uint32_t)destinations[s];
        senders += destinations[s] != s;
    }
    if (senders == 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: every node is its own destination, and nobody would send", function);
    return CN_OK;
}

cn_status cn_traffic_new_destinations(const cn_topology *topology, const uint64_t destinations[],
                                      size_t count, cn_traffic **traffic)
{
    CNI_REQUIRE(traffic);
    *traffic = NULL;
    CNI_REQUIRE(topology);
    CNI_REQUIRE(destinations);
    if (count != topology->nodes)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but %s has %llu nodes", __func__, count,
                        topology->name, (unsigned long long)topology->nodes);
    cn_traffic *made = NULL;
    CNI_TRY(new_listed(__func__, topology, CN_PATTERN_DESTINATIONS, &made));
    return cni_traffic_finish(fill_destinations(__func__, made, destinations), made, traffic);
}

/* ---- a probability for each pair ---- */

/* Turns a row of weights into the words of a matrix; *sends says whether one is positive. */
static cn_status fill_row(const char *function, uint64_t nodes, uint64_t source,
                          const double weights[], uint64_t row[], int *sends)
{
    double total = 0.0, sum = 0.0;
    uint64_t last = nodes;
    for (uint64_t d = 0; d < nodes; d++) {
        if (!(weights[d] >= 0.0 && weights[d] <= 1e300))
            return cni_fail(
                CN_ERR_ARGUMENT, "%s: the weight of %llu to %llu = %g, but it must be 0 to 1e300",
                function, (unsigned long long)source, (unsigned long long)d, weights[d]);
        total += weights[d];
        if (weights[d] > 0.0)
            last = d;
    }
    if (weights[source] > 0.0 || total > 1e300)
        return cni_fail(
            CN_ERR_ARGUMENT,
            weights[source] > 0.0 ? "%s: the weight of %llu to itself = %g, but it must be 0"
                                  : "%s: the weights of %llu make %g, but at most 1e300 is allowed",
            function, (unsigned long long)source, weights[source] > 0.0 ? weights[source] : total);
    for (uint64_t d = 0; d < nodes && last < nodes; d++) {
        sum += weights[d];
        double part = sum / total;
        row[d] = d >= last || part >= 1.0 ? CERTAIN : (uint64_t)ldexp(part, 53);
    }
    *sends |= last < nodes;
    return CN_OK;
}

static cn_status fill_matrix(const char *function, cn_traffic *made, const double weights[])
{
    uint64_t nodes = made->topology->nodes;
    int sends = 0;
    made->table->row = cni_allocate(nodes * nodes, sizeof *made->table->row);
    if (made->table->row == NULL)
        return CN_ERR_MEMORY;
    for (uint64_t s = 0; s < nodes; s++)
        CNI_TRY(fill_row(function, nodes, s, weights + s * nodes, made->table->row + s * nodes,
                         &sends));
    if (!sends)
        return cni_fail(CN_ERR_ARGUMENT, "%s: every weight is 0, and nobody would send", function);
    return CN_OK;
}

cn_status cn_traffic_new_matrix(const cn_topology *topology, const double weights[], size_t count,
                                cn_traffic **traffic)
{
    CNI_REQUIRE(traffic);
    *traffic = NULL;
    CNI_REQUIRE(topology);
    CNI_REQUIRE(weights);
    if (topology->nodes > MOST_IN_MATRIX)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s has %llu nodes, but a matrix serves at most %llu", __func__,
                        topology->name, (unsigned long long)topology->nodes,
                        (unsigned long long)MOST_IN_MATRIX);
    if (count != topology->nodes * topology->nodes)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but %s has %llu x %llu pairs of nodes",
                        __func__, count, topology->name, (unsigned long long)topology->nodes,
                        (unsigned long long)topology->nodes);
    cn_traffic *made = NULL;
    CNI_TRY(cni_traffic_create(__func__, topology, CN_PATTERN_MATRIX, 1, &made));
    return cni_traffic_finish(fill_matrix(__func__, made, weights), made, traffic);
}

/* ---- locality ---- */

static cn_status new_locality(const char *function, const cn_topology *topology, uint64_t diameter,
                              const double weights[], cn_traffic **traffic)
{
    cn_traffic *made = NULL;
    CNI_TRY(cni_traffic_create(function, topology, CN_PATTERN_LOCALITY, 1, &made));
    cn_status status =
        cni_locality_open(function, topology, diameter, weights, &made->table->locality);
    return cni_traffic_finish(status, made, traffic);
}

cn_status cn_traffic_new_locality(const cn_topology *topology, const double weights[], size_t count,
                                  cn_traffic **traffic)
{
    CNI_REQUIRE(traffic);
    *traffic = NULL;
    CNI_REQUIRE(topology);
    CNI_REQUIRE(weights);
    uint64_t diameter;
    CNI_TRY(cn_topology_diameter(topology, &diameter));
    if (count != diameter)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: count = %zu, but %s has the distances 1 to %llu, one weight each",
                        __func__, count, topology->name, (unsigned long long)diameter);
    for (size_t i = 0; i < count; i++)
        if (!(weights[i] >= 0.0 && weights[i] <= 1e300))
            return cni_fail(CN_ERR_ARGUMENT, "%s: weights[%zu] = %g, but it must be 0 to 1e300",
                            __func__, i, weights[i]);
    return new_locality(__func__, topology, diameter, weights, traffic);
}

cn_status cn_traffic_new_geometric_locality(const cn_topology *topology, double ratio,
                                            cn_traffic **traffic)
{
    CNI_REQUIRE(traffic);
    *traffic = NULL;
    CNI_REQUIRE(topology);
    if (!(ratio >= 0.0 && ratio <= 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: ratio = %g, but it must be 0 to 1", __func__, ratio);
    uint64_t diameter;
    CNI_TRY(cn_topology_diameter(topology, &diameter));
    if (diameter > UINT32_MAX)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has a diameter of %llu, which is too large",
                        __func__, topology->name, (unsigned long long)diameter);
    double *weights = cni_allocate(diameter, sizeof *weights), weight = 1.0;
    if (weights == NULL)
        return CN_ERR_MEMORY;
    for (uint64_t d = 0; d < diameter; d++, weight *= ratio)
        weights[d] = weight;
    cn_status status = new_locality(__func__, topology, diameter, weights, traffic);
    cni_release(weights);
    return status;
}

/* ---- sources ---- */

static const char *const source_names[] = {
    [CN_SOURCE_OF_SYSTEM] = "system",    [CN_SOURCE_GEOMETRIC] = "geometric",
    [CN_SOURCE_BERNOULLI] = "bernoulli", [CN_SOURCE_POISSON] = "poisson",
    [CN_SOURCE_ON_OFF] = "on-off",
};
static const cni_names sources = CNI_NAMES("source", source_names, 0);
CNI_NAMED_ENUM(cn_source, source, sources);

static cn_status check_source(const char *function, const cn_traffic *traffic)
{
    if (traffic->pattern != CN_PATTERN_TRACE)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: a trace has times of its own and takes no source",
                    function);
}

cn_status cn_traffic_set_source(cn_traffic *traffic, cn_source source)
{
    CNI_REQUIRE(traffic);
    CNI_TRY(check_source(__func__, traffic));
    CNI_TRY(cni_check_named(__func__, &sources, "source", (int)source));
    if (source == CN_SOURCE_ON_OFF)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: source = on-off, but on/off sources have a function of their own, "
                        "cn_traffic_set_on_off()",
                        __func__);
    traffic->source = source;
    return CN_OK;
}

cn_status cn_traffic_set_on_off(cn_traffic *traffic, double mean_on, double mean_off)
{
    CNI_REQUIRE(traffic);
    CNI_TRY(check_source(__func__, traffic));
    if (!(mean_on >= 1.0 && mean_on <= 1e15 && mean_off >= 1.0 && mean_off <= 1e15))
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: mean_on = %g, mean_off = %g, but both must be 1 to 1e15 cycles",
                        __func__, mean_on, mean_off);
    traffic->source = CN_SOURCE_ON_OFF;
    traffic->mean_on = mean_on;
    traffic->mean_off = mean_off;
    return CN_OK;
}

/* ---- what it is ---- */

cn_pattern cn_traffic_pattern(const cn_traffic *traffic)
{
    return !CNI_IS_VALID(traffic) ? CN_PATTERN_UNIFORM : traffic->pattern;
}

cn_source cn_traffic_source(const cn_traffic *traffic)
{
    return !CNI_IS_VALID(traffic) ? CN_SOURCE_OF_SYSTEM : traffic->source;
}

int cni_traffic_is_trace(const cn_traffic *traffic)
{
    return traffic != NULL && traffic->pattern == CN_PATTERN_TRACE;
}

int cni_traffic_is_plain(const cn_traffic *traffic, cn_source of_system)
{
    return traffic == NULL ||
           (traffic->pattern == CN_PATTERN_UNIFORM &&
            (traffic->source == CN_SOURCE_OF_SYSTEM || traffic->source == of_system));
}

/* ---- destinations ---- */

/* Uniform on the other nodes. */
static uint64_t draw_uniform(const cn_topology *topology, uint64_t source, uint64_t word)
{
    uint64_t header = 1 + cni_random_scale(word, topology->nodes - 1);
    if (topology->dimensions > 0)
        return cni_header(topology, source, header);
    uint64_t left = topology->nodes - source;
    return header < left ? source + header : header - left;
}

static uint64_t draw_from_row(const uint64_t row[], uint64_t nodes, uint64_t word)
{
    uint64_t low = 0, high = nodes - 1, drawn = word >> 11;
    while (low < high) { /* the first destination whose word lies above */
        uint64_t middle = (low + high) / 2;
        if (drawn < row[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int cni_traffic_sends(const cn_traffic *traffic, uint64_t source)
{
    const cn_topology *topology = traffic->topology;
    const cni_traffic_table *table = traffic->table;
    switch (traffic->pattern) {
    case CN_PATTERN_UNIFORM:
    case CN_PATTERN_HOTSPOT:
        return 1;
    case CN_PATTERN_PERMUTATION:
    case CN_PATTERN_DESTINATIONS:
        return table->destination[source] != source;
    case CN_PATTERN_MATRIX:
        return table->row[source * topology->nodes + topology->nodes - 1] > 0;
    case CN_PATTERN_LOCALITY:
        return cni_locality_sends(table->locality, topology, source);
    default:
        return cni_pattern_destination(topology, traffic->pattern, source) != source;
    }
}

uint64_t cni_traffic_destination(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    const cn_topology *topology = traffic->topology;
    const cni_traffic_table *table = traffic->table;
    switch (traffic->pattern) {
    case CN_PATTERN_UNIFORM:
        return draw_uniform(topology, source, word);
    case CN_PATTERN_HOTSPOT:
        if (source != traffic->node && word >> 11 < traffic->share)
            return traffic->node;
        return draw_uniform(topology, source, cni_random_derive(word, 1));
    case CN_PATTERN_PERMUTATION:
    case CN_PATTERN_DESTINATIONS:
        return table->destination[source];
    case CN_PATTERN_MATRIX:
        return draw_from_row(table->row + source * topology->nodes, topology->nodes, word);
    case CN_PATTERN_LOCALITY:
        return cni_locality_destination(table->locality, topology, source, word);
    default:
        return cni_pattern_destination(topology, traffic->pattern, source);
    }
}

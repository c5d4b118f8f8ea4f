/* A pattern that is a matrix: a probability for each pair of nodes. */
#include "scenario/traffic/pattern.h"

#include <math.h>

#include "base/error.h"
#include "topology/topology.h"

/* Nodes of which every pair has a word. */
static const uint64_t MOST_IN_MATRIX = 4096;

/* Whole numbers of 2^-53 stand for probabilities. */
#define CERTAIN (UINT64_C(1) << 53)

/* ---- making one ---- */

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
        return cni_fail(CN_ERR_ARGUMENT,
                        weights[source] > 0.0
                            ? "%s: the weight of %llu to itself = %g, but it must be 0"
                            : "%s: the weights of %llu add up to %g, but at most 1e300 is allowed",
                        function, (unsigned long long)source,
                        weights[source] > 0.0 ? weights[source] : total);
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
    CNI_TRY_MEMORY(made->table->row);
    for (uint64_t s = 0; s < nodes; s++)
        CNI_TRY(fill_row(function, nodes, s, weights + s * nodes, made->table->row + s * nodes,
                         &sends));
    if (!sends)
        return cni_fail(CN_ERR_ARGUMENT, "%s: every weight is 0, so no node would send", function);
    return CN_OK;
}

cn_status cn_traffic_new_matrix(const cn_topology *topology, const double weights[], size_t count,
                                cn_traffic **traffic)
{
    CNI_REQUIRE_OUT(traffic);
    CNI_REQUIRE_BOTH(topology, weights);
    if (topology->nodes > MOST_IN_MATRIX)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s has %llu nodes, but a matrix covers at most %llu", __func__,
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

/* ---- as JSON: of each source [destination, share in 2^-53] where that is not 0 ---- */

static void put(cni_json_writer *w, const cn_traffic *traffic)
{
    uint64_t nodes = traffic->topology->nodes;
    cni_json_open(w, "shares", '[');
    for (uint64_t s = 0; s < nodes; s++) {
        const uint64_t *row = traffic->table->row + s * nodes;
        cni_json_open(w, NULL, '[');
        for (uint64_t d = 0; d < nodes; d++) {
            uint64_t share[] = {d, row[d] - (d == 0 ? 0 : row[d - 1])};
            if (share[1] > 0)
                cni_json_put_wholes(w, NULL, share, 2);
        }
        cni_json_close(w, ']');
    }
    cni_json_close(w, ']');
}

/* Destinations ascend, and the shares are 1 in all, or there are none. */
static cn_status read_row(const cni_json *json, cni_json_value array, uint64_t nodes,
                          uint64_t source, uint64_t row[])
{
    uint64_t next = 0, sum = 0, share[2];
    size_t count;
    CNI_TRY(cni_json_count(json, array, &count));
    for (cni_json_value v = cni_json_first(array); v.at != NULL; v = cni_json_next(v)) {
        CNI_TRY(cni_json_wholes(json, v, CERTAIN, share, 2));
        if (share[0] < next || share[0] >= nodes || share[0] == source || share[1] == 0 ||
            share[1] > CERTAIN - sum)
            return cni_json_fail(json, v,
                                 "destinations of node %llu are other nodes and ascend, and their "
                                 "shares are 1 to 2^53, and that in all",
                                 (unsigned long long)source);
        for (; next < share[0]; next++)
            row[next] = sum;
        row[next++] = sum += share[1];
    }
    for (; next < nodes; next++)
        row[next] = sum;
    if (sum == CERTAIN || sum == 0)
        return CN_OK;
    return cni_json_fail(json, array, "the shares of node %llu are %llu in all, but must be 2^53",
                         (unsigned long long)source, (unsigned long long)sum);
}

static cn_status read_rows(const cni_json *json, cni_json_value shares, cn_traffic *made)
{
    uint64_t nodes = made->topology->nodes, s = 0, senders = 0;
    made->table->row = cni_allocate(nodes * nodes, sizeof *made->table->row);
    CNI_TRY_MEMORY(made->table->row);
    for (cni_json_value v = cni_json_first(shares); v.at != NULL; v = cni_json_next(v), s++) {
        uint64_t *row = made->table->row + s * nodes;
        CNI_TRY(read_row(json, v, nodes, s, row));
        senders += row[nodes - 1] > 0;
    }
    return senders > 0 ? CN_OK : cni_json_fail(json, shares, "no node sends");
}

static cn_status read(const cni_json *json, cni_json_value with, const cn_topology *topology,
                      cn_traffic **traffic)
{
    static const char *const keys[] = {"shares"};
    cni_json_value is;
    size_t count;
    cn_traffic *made = NULL;
    CNI_TRY(cni_json_members(json, with, keys, 1, 1, &is));
    CNI_TRY(cni_json_count(json, is, &count));
    if (count != topology->nodes || count > MOST_IN_MATRIX)
        return cni_json_fail(json, is,
                             "there are %zu rows, but %s has %llu nodes, and a matrix covers %llu",
                             count, topology->name, (unsigned long long)topology->nodes,
                             (unsigned long long)MOST_IN_MATRIX);
    CNI_TRY(cni_json_blame(
        json, with, cni_traffic_create(json->function, topology, CN_PATTERN_MATRIX, 1, &made)));
    return cni_traffic_finish(read_rows(json, is, made), made, traffic);
}

/* ---- what it is ---- */

static int sends(const cn_traffic *traffic, uint64_t source)
{
    uint64_t nodes = traffic->topology->nodes;
    return traffic->table->row[source * nodes + nodes - 1] > 0;
}

static uint64_t draw(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    uint64_t nodes = traffic->topology->nodes, low = 0, high = nodes - 1, drawn = word >> 11;
    const uint64_t *row = traffic->table->row + source * nodes;
    while (low < high) { /* the first destination whose word lies above */
        uint64_t middle = (low + high) / 2;
        if (drawn < row[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static double share_of(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                       uint64_t distance)
{
    const uint64_t *row = traffic->table->row + source * traffic->topology->nodes;
    (void)distance;
    return ldexp((double)(row[destination] - (destination == 0 ? 0 : row[destination - 1])), -53);
}

static cn_status add_distances(const cn_traffic *traffic, cni_distances *from, double *sum,
                               double *count)
{
    uint64_t nodes = traffic->topology->nodes;
    for (uint64_t s = 0; s < nodes; s++) {
        *count += sends(traffic, s);
        for (uint64_t d = 0; d < nodes; d++) {
            double share = share_of(traffic, s, d, 0);
            if (share > 0.0)
                CNI_TRY(cni_add_distance(from, s, d, share, sum));
        }
    }
    return CN_OK;
}

static cn_status add_loads(const cn_traffic *traffic, cni_budget *budget, double loads[])
{
    const cn_topology *cube = traffic->topology;
    for (uint64_t s = 0; s < cube->nodes; s++) {
        for (uint64_t d = 0; d < cube->nodes; d++)
            cni_add_path(cube, s, d, share_of(traffic, s, d, 0), loads);
        CNI_TRY(cni_budget_go_on(budget, 8 * cube->nodes));
    }
    return CN_OK;
}

static cn_status find_busiest(const cn_traffic *traffic, double *busiest)
{
    uint64_t nodes = traffic->topology->nodes;
    double *received = cni_allocate(nodes, sizeof *received);
    CNI_TRY_MEMORY(received);
    for (uint64_t s = 0; s < nodes; s++)
        for (uint64_t d = 0; d < nodes; d++)
            received[d] += share_of(traffic, s, d, 0);
    *busiest = 0.0;
    for (uint64_t d = 0; d < nodes; d++)
        *busiest = fmax(*busiest, received[d]);
    cni_release(received);
    return CN_OK;
}

const cni_pattern_row cni_matrix_pattern = {
    .sends = sends,
    .senders = cni_count_senders,
    .destination = draw,
    .share = share_of,
    .add_distances = add_distances,
    .add_loads = add_loads,
    .busiest = find_busiest,
    .put = put,
    .read = read,
};

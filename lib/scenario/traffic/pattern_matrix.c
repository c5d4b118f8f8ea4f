/* A pattern that is a matrix: a probability for each pair of nodes. */
#include "scenario/traffic/pattern.h"

#include <math.h>

#include "base/error.h"
#include "topology/topology.h"

/* The most nodes: the matrix has a word for every pair of nodes. */
static const uint64_t MOST_IN_MATRIX = 4096;

/* Whole numbers of 2^-53 stand for probabilities. */
#define CERTAIN (UINT64_C(1) << 53)

/* ---- making one ---- */

/* Turns a row of weights into the words of a matrix; *sends tells whether a weight is positive. */
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
    uint64_t nodes = made->topology->hosts;
    int sends = 0;
    for (uint64_t s = 0; s < nodes; s++)
        CNI_TRY(fill_row(function, nodes, s, weights + s * nodes, made->table->row + s * nodes,
                         &sends));
    if (!sends)
        return cni_fail(CN_ERR_ARGUMENT, "%s: every weight is 0, so no node would send", function);
    return CN_OK;
}

static cn_status new_matrix(const char *function, const cn_topology *topology, cn_traffic **made)
{
    uint64_t nodes = topology->hosts;
    if (nodes <= MOST_IN_MATRIX)
        return cni_traffic_create(function, topology, CN_PATTERN_MATRIX, nodes * nodes,
                                  sizeof(uint64_t), made);
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has %llu nodes, but a matrix covers at most %llu",
                    function, topology->name, (unsigned long long)nodes,
                    (unsigned long long)MOST_IN_MATRIX);
}

cn_status cn_traffic_matrix(const cn_topology *topology, const double weights[], size_t count,
                            cn_traffic **traffic)
{
    CNI_REQUIRE_OUT(traffic);
    CNI_REQUIRE_BOTH(topology, weights);
    cn_traffic *made = NULL;
    if (topology->hosts <= MOST_IN_MATRIX && count != topology->hosts * topology->hosts)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but %s has %llu x %llu pairs of nodes",
                        __func__, count, topology->name, (unsigned long long)topology->hosts,
                        (unsigned long long)topology->hosts);
    CNI_TRY(new_matrix(__func__, topology, &made));
    return cni_traffic_finish(fill_matrix(__func__, made, weights), made, traffic);
}

/* ---- as JSON: for each source [destination, share in 2^-53] where the share is not 0 ---- */

/* A row of the matrix, its node, and the progress of reading: the next destination, and the sum
 * so far. */
typedef struct row_form {
    uint64_t nodes, source, *row, next, sum;
} row_form;

static void visit_share(cni_io *io, size_t d, void *of)
{
    row_form *f = of;
    uint64_t share[] = {d, 0};
    if (cni_io_writes(io)) {
        share[1] = f->row[d] - (d == 0 ? 0 : f->row[d - 1]);
        if (share[1] > 0)
            cni_io_wholes(io, NULL, share, 2, CERTAIN);
        return;
    }
    cni_io_wholes(io, NULL, share, 2, CERTAIN);
    if (!cni_io_reads(io))
        return;
    if (share[0] < f->next || share[0] >= f->nodes || share[0] == f->source || share[1] == 0 ||
        share[1] > CERTAIN - f->sum) {
        cni_io_fail(
            io, NULL,
            "destinations of node %llu are other nodes and ascend, and their shares are 1 to "
            "2^53, and that in all",
            (unsigned long long)f->source);
        return;
    }
    for (; f->next < share[0]; f->next++)
        f->row[f->next] = f->sum;
    f->row[f->next++] = f->sum += share[1];
}

/* Visits a row. Destinations ascend, and the shares add up to 1; a silent node has an empty row. */
static void visit_row(cni_io *io, size_t source, void *of)
{
    const cn_traffic *traffic = of;
    uint64_t nodes = traffic->topology->hosts;
    row_form f = {nodes, source, traffic->table->row + source * nodes, 0, 0};
    cni_io_array(io, NULL, (size_t)nodes, visit_share, &f);
    if (!cni_io_reads(io))
        return;
    for (; f.next < nodes; f.next++)
        f.row[f.next] = f.sum;
    if (f.sum != CERTAIN && f.sum != 0)
        cni_io_fail(io, NULL, "the shares of node %zu are %llu in all, but must be 2^53", source,
                    (unsigned long long)f.sum);
}

static void visit(cni_io *io, void *object)
{
    cni_traffic_form *f = object;
    size_t rows = cni_io_writes(io) ? (size_t)f->topology->hosts : cni_io_count(io, "shares");
    if (cni_io_reads(io) && rows != f->topology->hosts)
        cni_io_fail(io, "shares", "there are %zu rows, but %s has %llu nodes", rows,
                    f->topology->name, (unsigned long long)f->topology->hosts);
    CNI_IO_CALL(io, NULL, new_matrix(io->json->function, f->topology, &f->traffic));
    cni_io_array(io, "shares", rows, visit_row, f->traffic);
    if (!cni_io_reads(io))
        return;
    if (cni_senders_of(f->traffic) == 0)
        cni_io_fail(io, "shares", "no node sends");
}

/* ---- what it is ---- */

static int sends(const cn_traffic *traffic, uint64_t source)
{
    uint64_t nodes = traffic->topology->hosts;
    return traffic->table->row[source * nodes + nodes - 1] > 0;
}

static uint64_t draw(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    uint64_t nodes = traffic->topology->hosts, low = 0, high = nodes - 1, drawn = word >> 11;
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
    const uint64_t *row = traffic->table->row + source * traffic->topology->hosts;
    (void)distance;
    return ldexp((double)(row[destination] - (destination == 0 ? 0 : row[destination - 1])), -53);
}

static uint64_t find_next(const cn_traffic *traffic, uint64_t source, uint64_t from)
{
    while (from < traffic->topology->hosts && !(share_of(traffic, source, from, 0) > 0.0))
        from++;
    return from;
}

const cni_pattern_row cni_matrix_pattern = {
    .sends = sends,
    .destination = draw,
    .share = share_of,
    .next_destination = find_next,
    .visit = visit,
};

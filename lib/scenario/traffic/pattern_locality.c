/* A pattern by distance. */
#include "scenario/traffic/pattern.h"

#include <string.h>

#include "base/error.h"
#include "scenario/traffic/locality.h"
#include "topology/topology.h"

/* ---- making one ---- */

static cn_status new_locality(const char *function, const cn_topology *topology, uint64_t diameter,
                              const double up_to[], cn_traffic **traffic)
{
    cn_traffic *made = NULL;
    CNI_TRY(cni_traffic_create(function, topology, CN_PATTERN_LOCALITY, 1, &made));
    cn_status status =
        cni_locality_open(function, topology, diameter, up_to, &made->table->locality);
    return cni_traffic_finish(status, made, traffic);
}

/* The greatest distance, of a network that is not too large to be searched for it. */
static cn_status find_diameter(const char *function, const cn_topology *topology,
                               uint64_t *diameter)
{
    CNI_TRY(cni_locality_check(function, topology));
    return cni_diameter(topology, NULL, diameter);
}

/* Sums of the weights, and the traffic from them. */
static cn_status add_up(const char *function, const cn_topology *topology, uint64_t diameter,
                        double up_to[], cn_traffic **traffic)
{
    CNI_TRY_MEMORY(up_to);
    for (uint64_t d = 1; d < diameter; d++)
        up_to[d] += up_to[d - 1];
    cn_status status = new_locality(function, topology, diameter, up_to, traffic);
    cni_release(up_to);
    return status;
}

cn_status cn_traffic_new_locality(const cn_topology *topology, const double weights[], size_t count,
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
    double *up_to = cni_allocate(count, sizeof *up_to);
    if (up_to != NULL)
        memcpy(up_to, weights, count * sizeof *up_to);
    return add_up(__func__, topology, diameter, up_to, traffic);
}

cn_status cn_traffic_new_geometric_locality(const cn_topology *topology, double ratio,
                                            cn_traffic **traffic)
{
    CNI_REQUIRE_OUT(traffic);
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_share(__func__, "ratio", ratio));
    uint64_t diameter;
    CNI_TRY(find_diameter(__func__, topology, &diameter));
    if (diameter > UINT32_MAX)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has a diameter of %llu, which is too large",
                        __func__, topology->name, (unsigned long long)diameter);
    double *weights = cni_allocate(diameter, sizeof *weights), weight = 1.0;
    for (uint64_t d = 0; weights != NULL && d < diameter; d++, weight *= ratio)
        weights[d] = weight;
    return add_up(__func__, topology, diameter, weights, traffic);
}

/* ---- as JSON: the sums, whose differences need not add up to them ---- */

static cn_status read_sums(const cni_json *json, cni_json_value array, uint64_t diameter,
                           cni_traffic_form *f)
{
    size_t count;
    CNI_TRY(cni_json_count(json, array, &count));
    if (count != diameter)
        return cni_json_fail(json, array, "there are %zu, but %s has distances 1 to %llu", count,
                             f->topology->name, (unsigned long long)diameter);
    double *up_to = cni_allocate(count, sizeof *up_to), before = 0.0;
    cn_status status = up_to == NULL ? CN_ERR_MEMORY : cni_json_reals(json, array, up_to, count);
    for (size_t d = 0; d < count && status == CN_OK; before = up_to[d++])
        if (!(up_to[d] >= before && up_to[d] <= 1e300))
            status = cni_json_fail(json, array,
                                   "number %zu is less than the one before, or above "
                                   "1e300",
                                   d);
    if (status == CN_OK)
        status = cni_json_blame(
            json, array, new_locality(json->function, f->topology, diameter, up_to, &f->traffic));
    cni_release(up_to);
    return status;
}

static void visit(cni_io *io, void *object)
{
    static const char key[] = "cumulative_weights";
    cni_traffic_form *f = object;
    const cni_locality *locality = cni_io_writes(io) ? f->traffic->table->locality : NULL;
    uint64_t diameter = 0;
    if (cni_io_reads(io))
        cni_io_blame(io, NULL, find_diameter(io->json->function, f->topology, &diameter));
    if (cni_io_writes(io))
        cni_io_reals(io, key, locality->up_to + 1, locality->diameter);
    else if (cni_io_takes(io, key))
        io->status = read_sums(io->json, cni_io_value(io, key), diameter, f);
}

/* ---- what it is ---- */

static int sends(const cn_traffic *traffic, uint64_t source)
{
    return cni_locality_sends(traffic->table->locality, traffic->topology, source);
}

/* Where one node is like all, some distance that it has goes with a weight above 0. */
static cn_status count_senders(const cn_traffic *traffic, uint64_t *senders)
{
    return traffic->table->locality->ways != NULL ? cni_count_everybody(traffic, senders)
                                                  : cni_count_senders(traffic, senders);
}

static uint64_t draw(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    return cni_locality_destination(traffic->table->locality, traffic->topology, source, word);
}

static double share_of(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                       uint64_t distance)
{
    const cni_locality *locality = traffic->table->locality;
    (void)destination;
    if (distance > locality->diameter)
        return 0.0;
    return cni_locality_share(locality, traffic->topology, source, distance) /
           (double)cni_locality_shell(locality, traffic->topology, source, distance);
}

static cn_status add_distances(const cn_traffic *traffic, cni_distances *from, double *sum,
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

const cni_pattern_row cni_locality_pattern = {
    .sends = sends,
    .senders = count_senders,
    .destination = draw,
    .share = share_of,
    .by_distance = 1,
    .is_even = 1,
    .add_distances = add_distances,
    .add_loads = cni_even_loads,
    .visit = visit,
};

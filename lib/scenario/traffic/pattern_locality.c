/* A pattern by distance. */
#include "scenario/traffic/pattern.h"

#include "base/error.h"
#include "scenario/traffic/locality.h"
#include "topology/topology.h"

/* ---- making one ---- */

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
    CNI_TRY(cni_diameter(topology, NULL, &diameter));
    if (count != diameter)
        return cni_fail(
            CN_ERR_ARGUMENT,
            "%s: count = %zu, but %s has distances 1 to %llu and needs one weight for each",
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
    CNI_TRY(cni_diameter(topology, NULL, &diameter));
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

/* ---- what it is ---- */

static int sends(const cn_traffic *traffic, uint64_t source)
{
    return cni_locality_sends(traffic->table->locality, traffic->topology, source);
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
    .destination = draw,
    .share = share_of,
    .by_distance = 1,
    .is_even = 1,
    .add_distances = add_distances,
    .add_loads = cni_even_loads,
};

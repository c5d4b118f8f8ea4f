/* Uniform traffic, and uniform traffic with a share that goes to one node. */
#include "scenario/traffic/pattern.h"

#include <math.h>

#include "base/error.h"
#include "topology/topology.h"

/* ---- uniform ---- */

cn_status cni_pattern_anywhere(const char *function, const char *name, const cn_topology *topology)
{
    (void)function;
    (void)name;
    (void)topology;
    return CN_OK;
}

int cni_everybody_sends(const cn_traffic *traffic, uint64_t source)
{
    (void)traffic;
    (void)source;
    return 1;
}

/* Draws one of the other nodes, each with the same probability. */
static uint64_t draw_uniform(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    const cn_topology *topology = traffic->topology;
    uint64_t header = 1 + cni_random_scale(word, topology->hosts - 1);
    if (topology->dimensions > 0)
        return cni_header(topology, source, header);
    uint64_t left = topology->hosts - source;
    return header < left ? source + header : header - left;
}

static double even_share(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                         uint64_t distance)
{
    (void)source;
    (void)destination;
    (void)distance;
    return 1.0 / (double)(traffic->topology->hosts - 1);
}

static cn_status add_mean(const cn_traffic *traffic, cni_distances *from, double *sum,
                          double *count)
{
    *count = 1.0;
    return cni_mean_distance(traffic->topology, from->budget, sum);
}

const cni_pattern_row cni_uniform_pattern = {
    .check = cni_pattern_anywhere,
    .sends = cni_everybody_sends,
    .destination = draw_uniform,
    .share = even_share,
    .is_even = 1,
    .add_distances = add_mean,
};

/* ---- hotspot ---- */

cn_status cn_traffic_hotspot(const cn_topology *topology, uint64_t node, double share,
                             cn_traffic **traffic)
{
    CNI_REQUIRE_OUT(traffic);
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_host(__func__, "node", topology, node));
    CNI_TRY(cni_check_share(__func__, "share", share));
    CNI_TRY(cni_traffic_create(__func__, topology, CN_PATTERN_HOTSPOT, 0, 0, traffic));
    (*traffic)->node = cni_host_rank(topology, node);
    (*traffic)->share = (uint64_t)ldexp(share, 53);
    return CN_OK;
}

static uint64_t draw(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    if (source != traffic->node && word >> 11 < traffic->share)
        return traffic->node;
    return draw_uniform(traffic, source, cni_random_derive(word, 1));
}

static double share_of(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                       uint64_t distance)
{
    double even = even_share(traffic, source, destination, distance);
    double hot = ldexp((double)traffic->share, -53);
    if (source == traffic->node)
        return even;
    return (destination == traffic->node ? hot : 0.0) + (1.0 - hot) * even;
}

/* Uniform, but a share of the messages of all other nodes goes to the hotspot instead. */
static cn_status add_distances(const cn_traffic *traffic, cni_distances *from, double *sum,
                               double *count)
{
    const cn_topology *topology = traffic->topology;
    double share = ldexp((double)traffic->share, -53), uniform, to_node = 0.0, from_node = 0.0;
    double nodes = (double)topology->hosts;
    CNI_TRY(cni_mean_distance(topology, from->budget, &uniform));
    if (topology->representatives == 1) {
        to_node = from_node = (nodes - 1.0) * uniform;
    } else {
        for (uint64_t s = 0; s < topology->hosts; s++)
            CNI_TRY(cni_add_distance(from, traffic->node, s, 1.0, &from_node));
        to_node = from_node;
        if (!topology->bidirectional) {
            to_node = 0.0;
            for (uint64_t s = 0; s < topology->hosts; s++)
                CNI_TRY(cni_add_distance(from, s, traffic->node, 1.0, &to_node));
        }
    }
    *sum = share * (to_node + from_node / (nodes - 1.0)) + (1.0 - share) * nodes * uniform;
    *count = nodes;
    return CN_OK;
}

static double find_busiest(const cn_traffic *traffic)
{
    double share = ldexp((double)traffic->share, -53);
    return share * (double)(traffic->topology->hosts - 1) + (1.0 - share);
}

static void visit(cni_io *io, void *object)
{
    cni_traffic_form *f = object;
    uint64_t node = cni_io_writes(io) ? cni_host_at(f->topology, f->traffic->node) : 0;
    double share = cni_io_writes(io) ? ldexp((double)f->traffic->share, -53) : 0.0;
    cni_io_whole(io, "node", &node, UINT64_MAX);
    cni_io_real(io, "share", &share);
    CNI_IO_CALL(io, NULL, cn_traffic_hotspot(f->topology, node, share, &f->traffic));
}

const cni_pattern_row cni_hotspot_pattern = {
    .sends = cni_everybody_sends,
    .destination = draw,
    .share = share_of,
    .add_distances = add_distances,
    .busiest = find_busiest,
    .visit = visit,
};

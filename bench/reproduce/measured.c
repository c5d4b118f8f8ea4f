/*
 * Measures of networks, each kept for the tables and figures that show it again. What is made of
 * other measures is made of what is kept of them, so that nothing is searched for twice.
 */
#include "reproduce.h"

#include <math.h>

/* Of a search; the default is worth some seconds. */
static const uint64_t QUICK_STEPS = 3000000;

static rp_range search(rp_run *run, const cn_topology *topology, cn_measure measure)
{
    rp_range range = {NAN, NAN, CN_KNOWN_BOUNDS};
    rp_known *known =
        rp_known_as(run, rp_text("measure %d of %s", (int)measure, cn_topology_name(topology)));
    if (known != NULL && known->made)
        return known->range;
    cn_control *control = NULL;
    rp_check(run, cn_control_new(&control));
    cn_control_set_steps(control, run->quick ? QUICK_STEPS : 0);
    rp_check(run, cn_topology_measure(topology, measure, 0.5, control, &range.lower, &range.upper,
                                      &range.known));
    cn_control_free(&control);
    if (known != NULL) {
        known->range = range;
        known->made = 1;
    }
    return range;
}

static cn_known weaker(cn_known a, cn_known b)
{
    return a > b ? a : b;
}

rp_range rp_weighted(double alpha, rp_range f, rp_range d)
{
    cn_known known = alpha == 1.0 ? f.known : alpha == 0.0 ? d.known : weaker(f.known, d.known);
    return (rp_range){alpha * f.lower + (1.0 - alpha) * d.lower,
                      alpha * f.upper + (1.0 - alpha) * d.upper, known};
}

rp_range rp_product(rp_range a, rp_range b)
{
    return (rp_range){a.lower * b.lower, a.upper * b.upper, weaker(a.known, b.known)};
}

rp_range rp_measure(rp_run *run, const cn_topology *topology, cn_measure measure)
{
    rp_range width;
    double nodes;
    if (run->failed)
        return (rp_range){NAN, NAN, CN_KNOWN_BOUNDS};
    switch ((int)measure) {
    case CN_MEASURE_DISCONNECTIVITY:
        width = rp_measure(run, topology, CN_MEASURE_BISECTION_WIDTH);
        nodes = (double)cn_topology_node_count(topology);
        return (rp_range){nodes / width.upper, nodes / width.lower, width.known};
    case CN_MEASURE_LOOSENESS:
        return rp_weighted(0.5, rp_measure(run, topology, CN_MEASURE_BROADCAST_TIME),
                           rp_measure(run, topology, CN_MEASURE_DISCONNECTIVITY));
    case CN_MEASURE_COST_EFFECTIVENESS:
        return rp_product(rp_measure(run, topology, CN_MEASURE_LOOSENESS),
                          rp_measure(run, topology, CN_MEASURE_MEAN_DEGREE));
    default:
        return search(run, topology, measure);
    }
}

/*
 * Measures of networks, each kept for the tables and figures that show it again. What is made of other measures is made
 * of what is kept of them, so that nothing is searched for twice.
 */
#include "reproduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct measured {
    struct measured *next;
    char network[64];
    cn_measure measure;
    rp_range range;
} measured;

/* Of a search; the default is worth some seconds. */
static const uint64_t QUICK_STEPS = 2000000;

static const measured *find(const rp_run *run, const char *network, cn_measure measure)
{
    for (const measured *m = run->measured; m != NULL; m = m->next)
        if (m->measure == measure && strcmp(m->network, network) == 0)
            return m;
    return NULL;
}

static void keep(rp_run *run, const char *network, cn_measure measure, rp_range range)
{
    measured *made = calloc(1, sizeof *made);
    if (made == NULL) {
        rp_fail(run, "out of memory");
        return;
    }
    snprintf(made->network, sizeof made->network, "%s", network);
    made->measure = measure;
    made->range = range;
    made->next = run->measured;
    run->measured = made;
}

static rp_range search(rp_run *run, const cn_topology *topology, cn_measure measure)
{
    rp_range range = {NAN, NAN, CN_KNOWN_BOUNDS};
    const measured *known = find(run, cn_topology_name(topology), measure);
    if (known != NULL)
        return known->range;
    cn_control *control;
    if (!rp_check(run, cn_control_new(&control)))
        return range;
    cn_control_set_steps(control, run->quick ? QUICK_STEPS : 0);
    if (rp_check(run, cn_topology_measure(topology, measure, 0.5, control, &range.lower,
                                          &range.upper, &range.known)))
        keep(run, cn_topology_name(topology), measure, range);
    cn_control_free(&control);
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

void rp_forget_measures(rp_run *run)
{
    while (run->measured != NULL) {
        measured *next = run->measured->next;
        free(run->measured);
        run->measured = next;
    }
}

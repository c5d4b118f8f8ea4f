/* Measures of networks, each kept for the tables and figures that show it again. */
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

rp_range rp_measure(rp_run *run, const cn_topology *topology, cn_measure measure)
{
    rp_range range = {NAN, NAN, CN_KNOWN_BOUNDS};
    if (run->failed)
        return range;
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

void rp_forget_measures(rp_run *run)
{
    while (run->measured != NULL) {
        measured *next = run->measured->next;
        free(run->measured);
        run->measured = next;
    }
}

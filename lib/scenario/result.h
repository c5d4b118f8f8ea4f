/* The inside of a cn_result. */
#ifndef CNI_SCENARIO_RESULT_H
#define CNI_SCENARIO_RESULT_H

#include "cubenet/scenario.h"

#include "base/object.h"

enum { CNI_METRICS = CN_METRIC_EMPTY_FRACTION };

struct cn_result {
    cni_object head;
    const char *system;
    uint64_t seed;
    cn_stop stop;
    int saturated;
    /* by metric; [0] is not used */
    char has[CNI_METRICS + 1];
    double value[CNI_METRICS + 1];
    double half_width[CNI_METRICS + 1];
    uint64_t samples[CNI_METRICS + 1];
};

/* An empty result of the scenario; NULL when out of memory. */
cn_result *cni_result_new(const cn_scenario *scenario);

/* Puts a metric into a result, its half-width 0. A value that is not finite is left out: there was
 * nothing to divide by. */
void cni_result_put(cn_result *result, cn_metric metric, double value, uint64_t samples);

#endif

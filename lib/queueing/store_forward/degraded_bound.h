/* The optimistic bound on the delay of a Boolean n-cube with node faults (Horng 1992, 5.2). */
#ifndef CNI_QUEUEING_STORE_FORWARD_DEGRADED_BOUND_H
#define CNI_QUEUEING_STORE_FORWARD_DEGRADED_BOUND_H

#include "scenario/result.h"

/* Fills the result; the scenario's topology is a Boolean n-cube. */
cn_status cni_predict_degraded_bound(const cn_scenario *scenario, cn_result *result);

/* The load that the surviving links carry. */
cn_status cni_limit_degraded_bound(const cn_scenario *scenario, double *load);

#endif

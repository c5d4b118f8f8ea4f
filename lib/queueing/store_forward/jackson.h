/* The exact mean delay of the optimal-path and two-level systems: a Jackson network. */
#ifndef CNI_QUEUEING_STORE_FORWARD_JACKSON_H
#define CNI_QUEUEING_STORE_FORWARD_JACKSON_H

#include "scenario/result.h"

/*
 * Fill the result of a scenario, which may have faults and, for the optimal-path rule, a subnet.
 * CN_ERR_UNSUPPORTED (slotted), CN_ERR_UNSTABLE, what cni_routes_open() returns. Time
 * O(survivors N n): n = 12 takes about a second.
 */
cn_status cni_predict_optimal_path(const cn_scenario *scenario, cn_result *result);
cn_status cni_predict_two_level(const cn_scenario *scenario, cn_result *result);

#endif

/* The least mean delay that a network can be given by routing (Fratta, Gerla & Kleinrock 1973). */
#ifndef CNI_QUEUEING_FLOW_FLOW_DEVIATION_H
#define CNI_QUEUEING_FLOW_FLOW_DEVIATION_H

#include "scenario/result.h"

#define CNI_FLOW_LEAST_GAP 1e-9

/* Fills the result of a scenario, which may have faults. */
cn_status cni_predict_flow_deviation(const cn_scenario *scenario, cn_result *result);

/* The least load that is proved to be too much, within a share of 1e-7. */
cn_status cni_limit_flow_deviation(const cn_scenario *scenario, double *load);

#endif

/* The least mean delay that any routing reaches on a network (docs/theory/flow-deviation.md;
 * Fratta, Gerla & Kleinrock 1973). */
#ifndef CNI_QUEUEING_FLOW_FLOW_DEVIATION_H
#define CNI_QUEUEING_FLOW_FLOW_DEVIATION_H

#include "scenario/result.h"

/* The least gap that a caller may ask for. At 1e-7 from saturation, the closest load, the
 * lengths 1 / (1 - f)^2 keep nine digits. */
#define CNI_FLOW_LEAST_GAP 1e-9

/* Fills the result of a scenario. The scenario may have faults. */
cn_status cni_predict_flow_deviation(const cn_scenario *scenario, cn_result *result);

/* Finds an upper bound of the saturation load, (F4), that is at most a share of 1e-7 above the
 * lower bound. */
cn_status cni_limit_flow_deviation(const cn_scenario *scenario, double *load);

#endif

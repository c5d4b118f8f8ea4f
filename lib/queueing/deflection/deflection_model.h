/* The models of deflection routing in Boolean cubes and k-ary n-cubes (Horng 1992, 3.3 and 4.3). */
#ifndef CNI_QUEUEING_DEFLECTION_DEFLECTION_MODEL_H
#define CNI_QUEUEING_DEFLECTION_DEFLECTION_MODEL_H

#include "scenario/result.h"

cn_model_variant cni_nearest_of_deflection(const cn_scenario *scenario);

/* The region of model_variant own, for the row of the system. */
cn_status cni_check_own_deflection(const char *function, const cn_scenario *scenario);

/* Fills the result; the scenario's `buffers` are at least as many as a node has channels. */
cn_status cni_predict_deflection(const cn_scenario *scenario, cn_result *result);

#endif

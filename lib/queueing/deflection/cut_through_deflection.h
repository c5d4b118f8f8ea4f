/* The model of cut-through with deflection in Boolean and k-ary n-cubes ((C5) to (C7) of
 * docs/theory/cut-through.md). */
#ifndef CNI_QUEUEING_DEFLECTION_CUT_THROUGH_DEFLECTION_H
#define CNI_QUEUEING_DEFLECTION_CUT_THROUGH_DEFLECTION_H

#include "scenario/result.h"

/* CN_ERR_UNSUPPORTED, with the name of the function, for a network that the model does not
 * cover. */
cn_status cni_check_cut_through_deflection(const char *function, const cn_topology *topology);

/* Checks the region of model_variant own in k, n and M. */
cn_status cni_check_own_cut_through_deflection(const char *function, const cn_scenario *scenario);

/* Fills the result. CN_ERR_UNSUPPORTED for more buffers than the model covers,
 * CN_ERR_CONVERGENCE. */
cn_status cni_predict_cut_through_deflection(const cn_scenario *scenario, cn_result *result);

#endif

/* The Markov model of deflection routing in the Boolean n-cube (Horng 1992, 3.3). */
#ifndef CNI_QUEUEING_DEFLECTION_MODEL_H
#define CNI_QUEUEING_DEFLECTION_MODEL_H

#include "scenario/result.h"

/* Fills the result; the scenario's topology is a Boolean n-cube and `buffers` is at least n. */
cn_status cni_predict_deflection(const cn_scenario *scenario, cn_result *result);

#endif

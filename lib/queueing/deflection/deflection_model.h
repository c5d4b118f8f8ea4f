/* The models of deflection (docs/theory/deflection.md; Horng 1992, 3.3 and 4.3). */
#ifndef CNI_QUEUEING_DEFLECTION_DEFLECTION_MODEL_H
#define CNI_QUEUEING_DEFLECTION_DEFLECTION_MODEL_H

#include "scenario/result.h"

/* Returns the variant that is nearest to the simulation in the region of the scenario. */
cn_model_variant cni_nearest_of_deflection(const cn_scenario *scenario);

/* Checks the region of model_variant own. */
cn_status cni_check_own_deflection(const char *function, const cn_scenario *scenario);

/* What a model of a system that deflects has found: load and accepted share, mean queue, delay,
 * utilization of a channel and the part of deflected hops in it, mean hops and mean distance. */
typedef struct cni_deflected {
    double nodes, load, accepted, queue, delay, rho, deflected, hops, distance;
} cni_deflected;

void cni_put_deflected(const cni_deflected *found, cn_result *result);

/* Fills the result. The scenario's `buffers` are at least the channels of a node. */
cn_status cni_predict_deflection(const cn_scenario *scenario, cn_result *result);

#endif

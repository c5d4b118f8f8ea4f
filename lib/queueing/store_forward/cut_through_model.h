/* The models of virtual cut-through on any network (docs/cut-through.md). */
#ifndef CNI_QUEUEING_STORE_FORWARD_CUT_THROUGH_MODEL_H
#define CNI_QUEUEING_STORE_FORWARD_CUT_THROUGH_MODEL_H

#include "scenario/result.h"
#include "scenario/scenario.h"

/* The system's models. They fill a result. */
cn_status cni_check_own_cut_through(const char *function, const cn_scenario *scenario);
cn_status cni_predict_cut_through(const cn_scenario *scenario, cn_result *result);

/* The load at which the first channel is full. */
cn_status cni_limit_cut_through(const cn_scenario *scenario, double *load);

/*
 * The mean wait, in services, at channels of which each carries rho services a service time, when every message goes to
 * the one of its channels that is free first; ways[i] of the messages choose among i + 1, in all 1.
 */
double cni_cut_through_wait(double rho, const double ways[], size_t count);

#endif

/* cn_simulate() for every system that has a kernel. */
#ifndef CNI_SIMULATION_RUN_REPLICATE_H
#define CNI_SIMULATION_RUN_REPLICATE_H

#include "scenario/result.h"

/* Runs the scenario's kernel: warm-up, measurement, stopping rule, replications. */
cn_status cni_replicate(const cn_scenario *scenario, cn_result *result);

#endif

/* What a wormhole run has measured, as metrics. */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_RESULT_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_RESULT_H

#include "simulation/kernel/kernel.h"

void cni_wormhole_evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                           cn_result *result);

#endif

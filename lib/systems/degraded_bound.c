/* Node faults in the Boolean n-cube, as an optimistic bound (Horng 1992, 5.2). */
#include "systems/systems.h"

#include "queueing/store_forward/unlimited_model.h"
#include "topology/topology.h"

static cn_status accepts(const cn_topology *topology)
{
    return cni_check_hypercube("degraded-bound", topology);
}

const cni_system cni_degraded_bound_system = {
    .name = "degraded-bound",
    .summary = "optimistic bound on the delay of a Boolean n-cube whose nodes fail at random",
    .params = CNI_TAKES(CN_PARAM_LOAD, CN_PARAM_NODE_FAILURE_PROBABILITY, CN_PARAM_MODEL_VARIANT),
    .no_choice = "it is a bound for every selection",
    .accepts = accepts,
    .model = {[CN_MODEL_PUBLISHED] = "degraded-bound/published/1",
              [CN_MODEL_CORRECTED] = "degraded-bound/corrected/1"},
    .predict = cni_predict_degraded_bound,
    .limit = cni_limit_degraded_bound,
};

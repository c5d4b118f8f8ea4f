/*
 * A lower bound on the mean delay with unlimited buffers (Horng 1992, 2.5). There is nothing to
 * simulate: no machine can send any message over any channel and always bring it closer.
 */
#include "systems/systems.h"

#include "queueing/store_forward/unlimited_model.h"
#include "topology/topology.h"

static cn_status accepts(const cn_topology *topology)
{
    return cni_check_hypercube("optimistic-bound", topology);
}

const cni_system cni_optimistic_bound_system = {
    .name = "optimistic-bound",
    .summary = "lower bound: every node sends as many messages as it has channels, all closer",
    .params = CNI_TAKES(CN_PARAM_LOAD),
    .with = CNI_WITH(CN_ATTACHMENT_TRAFFIC),
    .model_of_distances = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .no_choice = "it is a bound for every selection",
    .accepts = accepts,
    .model = {[CN_MODEL_PUBLISHED] = "optimistic-bound/published/1"},
    .predict = cni_predict_optimistic_bound,
    .limit = cni_limit_of_cube,
};

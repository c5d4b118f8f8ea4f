/* An unlimited queue at each outgoing channel (Horng 1992, 2.3). */
#include "systems/systems.h"

#include "queueing/store_forward/unlimited_model.h"
#include "routing/decisions/channels.h"
#include "simulation/run/replicate.h"
#include "simulation/store_forward/unlimited_kernel.h"

static cn_status accepts(const cn_topology *topology)
{
    return cni_check_routable("separate-buffers", topology);
}

const cni_system cni_separate_buffers_system = {
    .name = "separate-buffers",
    .summary = "slotted, an unlimited first-in-first-out queue at each outgoing channel",
    .params = CNI_TAKES(CN_PARAM_LOAD, CNI_TAKES_RUN),
    .with = CNI_WITH(CN_ATTACHMENT_TRAFFIC),
    .model_of_hypercubes = 1,
    .random_paths = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .accepts = accepts,
    .predict = cni_predict_separate_buffers,
    .simulate = cni_replicate,
    .kernel = &cni_separate_buffers_kernel,
};

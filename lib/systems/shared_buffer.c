/* An unlimited buffer at each node, shared by its channels (Horng 1992, 2.4). */
#include "systems/systems.h"

#include "queueing/store_forward/unlimited_model.h"
#include "routing/decisions/channels.h"
#include "simulation/run/replicate.h"
#include "simulation/store_forward/unlimited_kernel.h"

static cn_status accepts(const cn_topology *topology)
{
    return cni_check_routable("shared-buffer", topology);
}

const cni_system cni_shared_buffer_system = {
    .name = "shared-buffer",
    .summary = "slotted, an unlimited buffer at each node and a random assignment every cycle",
    .params = CNI_TAKES(CN_PARAM_LOAD, CNI_TAKES_RUN),
    .with = CNI_WITH(CN_ATTACHMENT_TRAFFIC),
    .model_of_hypercubes = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .accepts = accepts,
    .predict = cni_predict_shared_buffer,
    .simulate = cni_replicate,
    .kernel = &cni_shared_buffer_kernel,
};

/* An unlimited buffer at each node, shared by its channels (Horng 1992, 2.4). */
#include "systems/systems.h"

#include "queueing/store_forward/unlimited_model.h"
#include "simulation/store_forward/store_forward_kernel.h"

/* Messages draw their channels anew in every cycle, so time is slotted, and no messages wait for
 * one channel. */
static void narrow(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    (void)scenario;
    if (param == CN_PARAM_SLOTTED)
        *least = 1.0;
    if (param == CN_PARAM_SELECTION)
        *greatest = CN_SELECTION_LOWEST;
}

const cni_system cni_shared_buffer_system = {
    .name = "shared-buffer",
    .summary = "slotted, an unlimited buffer at each node and a random assignment every cycle",
    .params = CNI_TAKES(CN_PARAM_LOAD, CNI_TAKES_RUN, CN_PARAM_SLOTTED, CN_PARAM_SELECTION),
    .with = CNI_WITH_ROUTES | CNI_WITH(CN_ATTACHMENT_SUBNET),
    .model_of_hypercubes = 1,
    .model_of_distances = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .routing = cni_stored_routing,
    .accepts = cni_accept_ports,
    .narrow = narrow,
    .model = {[CN_MODEL_PUBLISHED] = "shared-buffer/published/1"},
    .predict = cni_predict_shared_buffer,
    .limit = cni_limit_shared_buffer,
    .kernel = &cni_shared_buffer_kernel,
};

/* An unlimited buffer at each node, shared by its channels (Horng 1992, 2.4). */
#include "systems/systems.h"

#include "base/error.h"
#include "queueing/store_forward/unlimited_model.h"
#include "simulation/store_forward/store_forward_kernel.h"

/* Messages draw their channels anew in every cycle. */
static void narrow(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    (void)scenario;
    if (param == CN_PARAM_SLOTTED)
        *least = 1.0;
    if (param == CN_PARAM_SELECTION)
        *greatest = CN_SELECTION_LOWEST;
}

static cn_status check(const cn_scenario *scenario)
{
    if (scenario->value[CN_PARAM_SLOTTED] == 0.0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "shared-buffer: slotted = no, but its messages draw their channels anew in "
                        "every cycle; separate-buffers also runs in continuous time");
    if (scenario->value[CN_PARAM_SELECTION] == CN_SELECTION_LEAST_LOADED)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "shared-buffer: selection = least-loaded, but its channels have no queues "
                        "of their own; allowed are random and lowest, and separate-buffers takes "
                        "all three");
    return CN_OK;
}

const cni_system cni_shared_buffer_system = {
    .name = "shared-buffer",
    .summary = "slotted, an unlimited buffer at each node and a random assignment every cycle",
    .params = CNI_TAKES(CN_PARAM_LOAD, CNI_TAKES_RUN, CN_PARAM_SLOTTED, CN_PARAM_SELECTION),
    .with = CNI_WITH_ROUTES | CNI_WITH(CN_ATTACHMENT_SUBNET),
    .model_of_hypercubes = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .routing = cni_stored_routing,
    .accepts = cni_accept_ports,
    .narrow = narrow,
    .check = check,
    .revision = {[CN_MODEL_PUBLISHED] = 1},
    .predict = cni_predict_shared_buffer,
    .limit = cni_limit_shared_buffer,
    .kernel = &cni_shared_buffer_kernel,
};

/* An unlimited queue at each outgoing channel (Horng 1992, 2.3). */
#include "systems/systems.h"

#include "base/error.h"
#include "queueing/store_forward/unlimited_model.h"
#include "scenario/traffic/traffic.h"
#include "simulation/run/replicate.h"
#include "simulation/store_forward/store_forward_kernel.h"

/* Arrivals in continuous time are Poisson and uniform. */
static cn_status check(const cn_scenario *scenario)
{
    if (scenario->value[CN_PARAM_SLOTTED] != 0.0 ||
        cni_traffic_is_plain(cni_traffic_of(scenario), CN_SOURCE_GEOMETRIC))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "separate-buffers: in continuous time (slotted = no) the traffic is uniform; "
                    "slotted = yes takes the traffic of the scenario");
}

const cni_system cni_separate_buffers_system = {
    .name = "separate-buffers",
    .summary = "an unlimited first-in-first-out queue at each outgoing channel, slotted or in "
               "continuous time",
    .params = CNI_TAKES(CN_PARAM_LOAD, CNI_TAKES_RUN, CN_PARAM_SLOTTED, CN_PARAM_SELECTION),
    .with = CNI_WITH(CN_ATTACHMENT_TRAFFIC) | CNI_WITH(CN_ATTACHMENT_FAULTS) |
            CNI_WITH(CN_ATTACHMENT_SUBNET) | CNI_WITH(CN_ATTACHMENT_ROUTING),
    .model_of_hypercubes = 1,
    .random_paths = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .routing = cni_stored_routing,
    .accepts = cni_accept_stored,
    .set_defaults = cni_set_slotted,
    .check = check,
    .predict = cni_predict_separate_buffers,
    .simulate = cni_replicate,
    .kernel = &cni_separate_buffers_kernel,
};

/* An unlimited queue at each outgoing channel (Horng 1992, 2.3). */
#include "systems/systems.h"

#include "queueing/store_forward/unlimited_model.h"
#include "simulation/store_forward/store_forward_kernel.h"

const cni_system cni_separate_buffers_system = {
    .name = "separate-buffers",
    .summary = "an unlimited first-in-first-out queue at each outgoing channel, slotted or in "
               "continuous time",
    .params = CNI_TAKES(CN_PARAM_LOAD, CNI_TAKES_RUN, CN_PARAM_SLOTTED, CN_PARAM_SELECTION,
                        CN_PARAM_MODEL_VARIANT),
    .with = CNI_WITH_ROUTES | CNI_WITH(CN_ATTACHMENT_SUBNET),
    .model_of_traffic = 1,
    .random_paths = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .routing = cni_stored_routing,
    .accepts = cni_accept_ports,
    .check_model = cni_check_separate_buffers,
    .nearest = cni_nearest_of_separate_buffers,
    .check_own = cni_check_own_separate_buffers,
    .model = {[CN_MODEL_PUBLISHED] = "separate-buffers/published/1",
              [CN_MODEL_OWN] = "separate-buffers/own/1"},
    .predict = cni_predict_separate_buffers,
    .channel_delays = cni_channel_delays_separate_buffers,
    .limit = cni_limit_separate_buffers,
    .kernel = &cni_separate_buffers_kernel,
};

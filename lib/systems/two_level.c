/* Two-level routing between the clusters of a damaged hypercube (Horng 1992, 5.5). */
#include "systems/systems.h"

#include "queueing/store_forward/unlimited_model.h"
#include "routing/tables/routes.h"
#include "simulation/run/replicate.h"
#include "simulation/store_forward/store_forward_kernel.h"

static cn_status accepts(const cn_topology *topology)
{
    return cni_check_routes("two-level", topology);
}

static const char *default_routing(const cn_scenario *scenario)
{
    (void)scenario;
    return "two-level";
}

const cni_system cni_two_level_system = {
    .name = "two-level",
    .summary = "store and forward between all working nodes of a damaged hypercube, by clusters",
    .params = CNI_TAKES(CN_PARAM_LOAD, CNI_TAKES_RUN, CN_PARAM_SLOTTED),
    .with = CNI_WITH(CN_ATTACHMENT_FAULTS),
    .routing = default_routing,
    .accepts = accepts,
    .check_model = cni_check_separate_buffers,
    .predict = cni_predict_separate_buffers,
    .simulate = cni_replicate,
    .kernel = &cni_two_level_kernel,
};

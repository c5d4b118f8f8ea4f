/* Optimal-path routing in a convex subnet of a damaged hypercube (Horng 1992, 5.3 and 5.4). */
#include "systems/systems.h"

#include "queueing/store_forward/unlimited_model.h"
#include "routing/tables/routes.h"
#include "simulation/run/replicate.h"
#include "simulation/store_forward/store_forward_kernel.h"

static cn_status accepts(const cn_topology *topology)
{
    return cni_check_routes("optimal-path", topology);
}

static const char *default_routing(const cn_scenario *scenario)
{
    (void)scenario;
    return "optimal-path";
}

const cni_system cni_optimal_path_system = {
    .name = "optimal-path",
    .summary = "store and forward on shortest paths in a convex subnet of a damaged hypercube",
    .params = CNI_TAKES(CN_PARAM_LOAD, CNI_TAKES_RUN, CN_PARAM_SLOTTED),
    .with = CNI_WITH(CN_ATTACHMENT_FAULTS) | CNI_WITH(CN_ATTACHMENT_SUBNET),
    .routing = default_routing,
    .accepts = accepts,
    .check_model = cni_check_separate_buffers,
    .predict = cni_predict_separate_buffers,
    .simulate = cni_replicate,
    .kernel = &cni_optimal_path_kernel,
};

/* Wormhole switching with virtual channels (Shahrabi, Ould-Khaoua & Mackenzie 2001). */
#include "systems/systems.h"

#include "base/error.h"
#include "queueing/wormhole/wormhole_model.h"
#include "routing/faults/fault.h"
#include "routing/rules/routing.h"
#include "simulation/wormhole/wormhole_kernel.h"
#include "topology/topology.h"

const char *cni_flit_routing(const cn_scenario *scenario)
{
    const cn_topology *t = cni_innermost(scenario->topology);
    int has_order = cni_is_hypercube(t) || cni_is_mesh(t) || cni_has_rings(t);
    return has_order && cni_faults_equal(cni_faults_of(scenario), NULL) ? "duato"
                                                                        : "up-down-adaptive";
}

void cni_set_flit_defaults(cn_scenario *scenario)
{
    scenario->value[CN_PARAM_VIRTUAL_CHANNELS] = cni_wormhole_least_channels(scenario, CNI_SAFE);
}

void cni_narrow_flits(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    const double *value = scenario->value;
    int is_unsafe = value[CN_PARAM_UNSAFE] != 0.0 ? CNI_UNSAFE : CNI_SAFE;
    if (param == CN_PARAM_VIRTUAL_CHANNELS)
        *least = cni_wormhole_least_channels(scenario, is_unsafe);
    if (param == CN_PARAM_UNSAFE &&
        value[CN_PARAM_VIRTUAL_CHANNELS] < cni_wormhole_least_channels(scenario, CNI_SAFE))
        *least = 1.0;
    if (param == CN_PARAM_INJECTION_SERVERS && value[CN_PARAM_ONE_PORT] != 0.0)
        *greatest = 1.0;
    if (param == CN_PARAM_ONE_PORT && value[CN_PARAM_INJECTION_SERVERS] > 1.0)
        *greatest = 0.0;
    if (param == CN_PARAM_BROADCAST_FRACTION && !cni_all_are_hosts(scenario->topology))
        *greatest = 0.0;
    if (param == CN_PARAM_BROADCAST_BASE &&
        !(cni_is_hypercube(scenario->topology) && !cni_is_damaged(scenario)))
        *greatest = CN_BASE_RANDOM;
}

static cn_status check_model(const char *function, const cn_topology *topology)
{
    if (cni_is_hypercube(topology))
        return CN_OK;
    if (!cni_is_mesh(topology) && !cni_has_rings(topology))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: the model of wormhole covers Boolean and k-ary n-cubes, tori and "
                        "meshes, not %s",
                        function, topology->name);
    if (topology->nodes <= CNI_WORMHOLE_MOST_NODES)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: the model of wormhole covers tori and meshes of at most %d nodes, but %s "
                    "has %llu",
                    function, CNI_WORMHOLE_MOST_NODES, topology->name,
                    (unsigned long long)topology->nodes);
}

const cni_system cni_wormhole_system = {
    .name = "wormhole",
    .summary = "wormhole switching with virtual channels by any routing, with broadcasts",
    .params = CNI_TAKES(CN_PARAM_FLIT_BUFFERS, CNI_TAKES_FLITS),
    .with = CNI_WITH_ROUTES,
    .model_of_distances = 1,
    .source = CN_SOURCE_POISSON,
    .routing = cni_flit_routing,
    .accepts = cni_accept_ports,
    .set_defaults = cni_set_flit_defaults,
    .narrow = cni_narrow_flits,
    .check_model = check_model,
    .model = {[CN_MODEL_PUBLISHED] = "wormhole/published/1",
              [CN_MODEL_CORRECTED] = "wormhole/corrected/1",
              [CN_MODEL_OWN] = "wormhole/own/2"},
    .predict = cni_predict_wormhole,
    .limit = cni_limit_wormhole,
    .kernel = &cni_wormhole_kernel,
};

/* Virtual cut-through (Kermani & Kleinrock 1979). */
#include "systems/systems.h"

#include "base/error.h"
#include "queueing/store_forward/unlimited_model.h"
#include "routing/questions/walks.h"
#include "simulation/wormhole/wormhole_kernel.h"
#include "topology/topology.h"

static cn_status check_model(const char *function, const cn_topology *topology)
{
    CNI_TRY(cni_check_all_hosts("the model of cut-through", topology));
    if (topology->nodes <= CNI_WALKS_NODES)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: the model covers networks of at most %llu nodes, but %s has %llu",
                    function, (unsigned long long)CNI_WALKS_NODES, topology->name,
                    (unsigned long long)topology->nodes);
}

const cni_system cni_cut_through_system = {
    .name = "cut-through",
    .summary =
        "virtual cut-through: messages go on at once, or wait as a whole in finite buffers of "
        "virtual channels, by any routing",
    .params = CNI_TAKES(CN_PARAM_MESSAGE_BUFFERS, CNI_TAKES_FLITS),
    .with = CNI_WITH_ROUTES,
    .model_of_traffic = 1,
    .source = CN_SOURCE_POISSON,
    .routing = cni_flit_routing,
    .accepts = cni_accept_ports,
    .set_defaults = cni_set_flit_defaults,
    .narrow = cni_narrow_flits,
    .check_model = check_model,
    .nearest = cni_nearest_of_cut_through,
    .check_own = cni_check_own_cut_through,
    .model =
        {[CN_MODEL_PUBLISHED] = "cut-through/published/1", [CN_MODEL_OWN] = "cut-through/own/1"},
    .predict = cni_predict_cut_through,
    .limit = cni_limit_cut_through,
    .kernel = &cni_cut_through_kernel,
};

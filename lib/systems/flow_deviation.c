/* The least mean delay that routing can give a damaged network (Horng 1992, 5.2 and 5.4.3). */
#include "systems/systems.h"

#include "queueing/flow/flow_deviation.h"
#include "queueing/flow/flow_network.h"

static cn_status accepts(const cn_topology *topology)
{
    return cni_flow_check_size("flow-deviation", topology);
}

static void set_defaults(cn_scenario *scenario)
{
    scenario->value[CN_PARAM_RELATIVE_PRECISION] = 1e-6;
}

static void narrow(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    (void)scenario;
    (void)greatest;
    if (param == CN_PARAM_RELATIVE_PRECISION)
        *least = CNI_FLOW_LEAST_GAP;
}

const cni_system cni_flow_deviation_system = {
    .name = "flow-deviation",
    .summary = "least mean delay over all ways of routing uniform traffic, faults included",
    .params = CNI_TAKES(CN_PARAM_LOAD, CN_PARAM_RELATIVE_PRECISION),
    .no_choice = "it finds itself how much goes over each channel",
    .with = CNI_WITH(CN_ATTACHMENT_FAULTS),
    .accepts = accepts,
    .set_defaults = set_defaults,
    .narrow = narrow,
    .model = {[CN_MODEL_PUBLISHED] = "flow-deviation/published/1"},
    .predict = cni_predict_flow_deviation,
    .limit = cni_limit_flow_deviation,
};

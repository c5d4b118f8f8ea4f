/* Wormhole switching with virtual channels (Shahrabi, Ould-Khaoua & Mackenzie 2001). */
#include "systems/systems.h"

#include "base/error.h"
#include "cubenet/wormhole.h"
#include "queueing/wormhole/wormhole_model.h"
#include "routing/wormhole/wormhole.h"
#include "simulation/run/replicate.h"
#include "simulation/wormhole/wormhole_kernel.h"
#include "topology/topology.h"

/* Networks on which some rule of wormhole routing works. */
static cn_status accepts(const cn_topology *topology)
{
    return cni_check_wormhole("wormhole", topology, CN_WORMHOLE_DIMENSION_ORDER_UNSAFE, 1);
}

static const char *default_routing(const cn_scenario *scenario)
{
    (void)scenario;
    return "duato";
}

/* As many virtual channels as Duato's rule needs. */
static void set_defaults(cn_scenario *scenario)
{
    uint32_t least = 2;
    cn_route_wormhole_least(scenario->topology, CN_WORMHOLE_ADAPTIVE, &least);
    scenario->value[CN_PARAM_VIRTUAL_CHANNELS] = least;
}

static void narrow(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    const cn_topology *topology = scenario->topology;
    const double *value = scenario->value;
    cn_wormhole_rule rule;
    uint32_t channels;
    if (param == CN_PARAM_VIRTUAL_CHANNELS && cni_wormhole_rule_of(scenario, &rule) == CN_OK &&
        cn_route_wormhole_least(topology, rule, &channels) == CN_OK)
        *least = channels;
    if (param == CN_PARAM_UNSAFE &&
        cni_wormhole_rule_named(cn_scenario_routing_name(scenario), 0, &rule) == CN_OK &&
        cn_route_wormhole_least(topology, rule, &channels) == CN_OK &&
        value[CN_PARAM_VIRTUAL_CHANNELS] < channels)
        *least = 1.0;
    if (param == CN_PARAM_INJECTION_SERVERS && value[CN_PARAM_ONE_PORT] != 0.0)
        *greatest = 1.0;
    if (param == CN_PARAM_ONE_PORT && value[CN_PARAM_INJECTION_SERVERS] > 1.0)
        *greatest = 0.0;
    if (param == CN_PARAM_BROADCAST_FRACTION && !cni_is_hypercube(topology))
        *greatest = 0.0;
}

const cni_system cni_wormhole_system = {
    .name = "wormhole",
    .summary = "wormhole switching with virtual channels, adaptive or e-cube, with broadcasts",
    .params = CNI_TAKES(CN_PARAM_LOAD, CN_PARAM_VIRTUAL_CHANNELS, CN_PARAM_MESSAGE_FLITS,
                        CN_PARAM_FLIT_BUFFERS, CN_PARAM_BROADCAST_FRACTION,
                        CN_PARAM_STARTUP_LATENCY, CN_PARAM_UNSAFE, CN_PARAM_INJECTION_SERVERS,
                        CN_PARAM_ONE_PORT, CN_PARAM_MODEL_VARIANT, CNI_TAKES_RUN),
    .with = CNI_WITH(CN_ATTACHMENT_TRAFFIC) | CNI_WITH(CN_ATTACHMENT_ROUTING),
    .model_of_hypercubes = 1,
    .source = CN_SOURCE_POISSON,
    .routing = default_routing,
    .accepts = accepts,
    .set_defaults = set_defaults,
    .narrow = narrow,
    .check = cni_wormhole_check_scenario,
    .predict = cni_predict_wormhole,
    .simulate = cni_replicate,
    .kernel = &cni_wormhole_kernel,
};

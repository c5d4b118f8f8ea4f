/* Deflection routing with finite buffers (Horng & Kleinrock 1991; Horng 1992, chapters 3 and 4). */
#include "systems/systems.h"

#include "base/error.h"
#include "queueing/deflection/deflection_model.h"
#include "queueing/deflection/hop_model.h"
#include "simulation/deflection/deflection_kernel.h"
#include "simulation/run/replicate.h"
#include "topology/topology.h"

static cn_status accepts(const cn_topology *topology)
{
    if (topology->max_degree <= 64)
        return cni_hop_model_accepts(topology);
    return cni_fail(CN_ERR_UNSUPPORTED, "deflection runs with at most 64 ports a node, not on %s",
                    topology->name);
}

/* Two buffers a channel: near-optimal for a wide range of loads (Horng 1992, 3.4). Where nothing is published the
 * library's own model is the one. */
static void set_defaults(cn_scenario *scenario)
{
    scenario->value[CN_PARAM_BUFFERS] = 2.0 * scenario->topology->max_degree;
    if (!cni_is_kary_ncube(scenario->topology))
        scenario->value[CN_PARAM_MODEL_VARIANT] = CN_MODEL_OWN;
}

static void narrow(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    (void)greatest;
    if (param == CN_PARAM_BUFFERS)
        *least = scenario->topology->max_degree;
}

static cn_status check(const cn_scenario *scenario)
{
    double buffers = scenario->value[CN_PARAM_BUFFERS];
    uint32_t ports = scenario->topology->max_degree;
    if (buffers >= ports)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "buffers = %g, but deflection on %s needs at least %lu (one per incoming "
                    "channel)",
                    buffers, scenario->topology->name, (unsigned long)ports);
}

const cni_system cni_deflection_system = {
    .name = "deflection",
    .summary = "slotted deflection routing with finite buffers and age priority",
    .params = CNI_TAKES(CN_PARAM_LOAD, CN_PARAM_BUFFERS, CNI_TAKES_RUN, CN_PARAM_MODEL_VARIANT,
                        CN_PARAM_STATE_SPACE),
    .with = CNI_WITH(CN_ATTACHMENT_TRAFFIC),
    .source = CN_SOURCE_GEOMETRIC,
    .accepts = accepts,
    .set_defaults = set_defaults,
    .narrow = narrow,
    .check = check,
    .predict = cni_predict_deflection,
    .simulate = cni_replicate,
    .kernel = &cni_deflection_kernel,
};

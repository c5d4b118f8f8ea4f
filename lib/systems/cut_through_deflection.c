/*
 * Virtual cut-through with deflection (Horng 1992, 6.1.1). Where the section leaves a choice, it is
 * made here (docs/simulation.md): of the messages that a channel brings closer, the oldest crosses
 * the channel; if there are none and the node is full, the youngest message crosses it. New
 * messages come in whenever a buffer is free. A message at its destination takes no buffer.
 */
#include "systems/systems.h"

#include "base/error.h"
#include "queueing/deflection/cut_through_deflection.h"
#include "simulation/deflection/deflection_kernel.h"
#include "topology/topology.h"

/* With one buffer a full node would deflect its only message, even the oldest message of all; so
 * some messages would never arrive. */
enum { LEAST_BUFFERS = 2 };

static cn_status accepts(const cn_topology *topology)
{
    CNI_TRY(cni_check_all_hosts("cut-through-deflection", topology));
    if (cni_is_kary_ncube(topology))
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSUPPORTED,
        "cut-through-deflection runs on Boolean and k-ary n-cubes, where every node gets "
        "one header over each port; %s is none",
        topology->name);
}

static void narrow(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    (void)scenario;
    (void)greatest;
    if (param == CN_PARAM_BUFFERS)
        *least = LEAST_BUFFERS;
}

const cni_system cni_cut_through_deflection_system = {
    .name = "cut-through-deflection",
    .summary =
        "virtual cut-through with deflection: rounds of n + m mini-cycles, in which a header "
        "may cross every channel once",
    .params = CNI_TAKES(CN_PARAM_LOAD, CN_PARAM_BUFFERS, CN_PARAM_MESSAGE_FLITS, CNI_TAKES_RUN),
    .with = CNI_WITH(CN_ATTACHMENT_TRAFFIC) | CNI_WITH(CN_ATTACHMENT_WORKLOAD),
    .model_of_distances = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .no_choice = "in a mini-cycle a node sends over one channel",
    .accepts = accepts,
    .set_defaults = cni_set_two_buffers,
    .narrow = narrow,
    .check_model = cni_check_cut_through_deflection,
    .check_own = cni_check_own_cut_through_deflection,
    .model = {[CN_MODEL_OWN] = "cut-through-deflection/own/2"},
    .predict = cni_predict_cut_through_deflection,
    .limit = cni_limit_of_model,
    .refuses = 1,
    .kernel = &cni_cut_through_deflection_kernel,
};

/* Deflection routing with finite buffers (Horng & Kleinrock 1991; Horng 1992, chapters 3 and 4). */
#include "systems/systems.h"

#include <string.h>

#include "base/error.h"
#include "queueing/deflection/deflection_model.h"
#include "queueing/deflection/hop_model.h"
#include "simulation/deflection/deflection_kernel.h"
#include "topology/topology.h"

/* That each node has as many channels out of it as into it is checked when a simulation opens,
 * because the check looks at all nodes. */
static cn_status accepts(const cn_topology *topology)
{
    CNI_TRY(cni_check_all_hosts("deflection", topology));
    if (topology->max_degree <= 64)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "deflection runs on networks with at most 64 ports a node, but %s has %lu",
                    topology->name, (unsigned long)topology->max_degree);
}

/* Whether the model covers the routing. On the Boolean cube `minimal` allows the same channels as
 * the routing that deflection has by default. */
static int is_of_model(const cn_scenario *scenario, const char *routing)
{
    return strcmp(routing, cni_stored_routing(scenario)) == 0 ||
           (cni_is_hypercube(scenario->topology) && strcmp(routing, "minimal") == 0);
}

static cn_status predict(const cn_scenario *scenario, cn_result *result)
{
    const char *routing = cn_scenario_routing_name(scenario);
    cn_selection selection = (cn_selection)scenario->value[CN_PARAM_SELECTION];
    if (cni_is_damaged(scenario))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "the model of deflection covers networks without faults; "
                        "cn_simulate() runs the others");
    if (!is_of_model(scenario, routing))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "the model of deflection covers the routing that %s has by default, not "
                        "%s; cn_simulate() runs it",
                        scenario->topology->name, routing);
    if (selection != CN_SELECTION_RANDOM)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "cn_predict: selection = %s, but the model of deflection needs random, where "
            "the picks of phase 1 are independent; cn_simulate() covers all",
            cn_param_choice_name(CN_PARAM_SELECTION, (size_t)selection));
    return cni_predict_deflection(scenario, result);
}

cn_status cni_limit_of_model(const cn_scenario *scenario, double *load)
{
    cn_scenario full = *scenario; /* shares all objects to which the scenario refers */
    cn_result *result = cni_result_new(scenario);
    CNI_TRY_MEMORY(result);
    CNI_TRY(cn_param_range(CN_PARAM_LOAD, NULL, &full.value[CN_PARAM_LOAD], NULL, NULL));
    cn_status status = scenario->system->predict(&full, result);
    *load = result->value[CN_METRIC_THROUGHPUT];
    cn_result_free(&result);
    return status;
}

void cni_set_two_buffers(cn_scenario *scenario)
{
    scenario->value[CN_PARAM_BUFFERS] = 2.0 * scenario->topology->max_degree;
}

static void narrow(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    (void)greatest;
    if (param == CN_PARAM_BUFFERS)
        *least = scenario->topology->max_degree;
}

const cni_system cni_deflection_system = {
    .name = "deflection",
    .summary = "slotted deflection routing with finite buffers and age priority",
    .params = CNI_TAKES(CN_PARAM_LOAD, CN_PARAM_BUFFERS, CNI_TAKES_RUN, CN_PARAM_SELECTION,
                        CN_PARAM_MODEL_VARIANT, CN_PARAM_STATE_SPACE),
    .with = CNI_WITH_ROUTES | CNI_WITH(CN_ATTACHMENT_SUBNET),
    .model_of_distances = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .routing = cni_stored_routing,
    .check_model = cni_hop_model_accepts,
    .nearest = cni_nearest_of_deflection,
    .check_own = cni_check_own_deflection,
    .accepts = accepts,
    .set_defaults = cni_set_two_buffers,
    .narrow = narrow,
    .model = {[CN_MODEL_PUBLISHED] = "deflection/published/1", [CN_MODEL_OWN] = "deflection/own/2"},
    .predict = predict,
    .limit = cni_limit_of_model,
    .refuses = 1,
    .kernel = &cni_deflection_kernel,
};

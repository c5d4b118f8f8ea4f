/* An unlimited queue at each outgoing channel (Horng 1992, 2.3). */
#include "systems/systems.h"

#include "queueing/store_forward/unlimited_model.h"
#include "routing/decisions/channels.h"
#include "simulation/run/replicate.h"
#include "simulation/store_forward/unlimited_kernel.h"
#include "topology/topology.h"

static cn_status accepts(const cn_topology *topology)
{
    return cni_check_routable("separate-buffers", topology);
}

static const char *default_routing(const cn_scenario *scenario)
{
    const cn_faults *faults = cni_faults_of(scenario);
    if (cni_subnet_of(scenario) != NULL)
        return "optimal-path";
    int is_damaged = cn_faults_node_count(faults) + cn_faults_link_count(faults) > 0;
    return cni_is_kary_ncube(scenario->topology) && !is_damaged ? "preferred" : "minimal";
}

/* What was published is for Boolean n-cubes. */
static void set_defaults(cn_scenario *scenario)
{
    int is_published = cni_is_hypercube(scenario->topology);
    scenario->value[CN_PARAM_MODEL_VARIANT] = is_published ? CN_MODEL_PUBLISHED : CN_MODEL_OWN;
    scenario->value[CN_PARAM_SLOTTED] = 1.0;
}

const cni_system cni_separate_buffers_system = {
    .name = "separate-buffers",
    .summary = "slotted, an unlimited first-in-first-out queue at each outgoing channel",
    .params = CNI_TAKES(CN_PARAM_LOAD, CNI_TAKES_RUN, CN_PARAM_MODEL_VARIANT),
    .with = CNI_WITH(CN_ATTACHMENT_TRAFFIC),
    .model_of_traffic = 1,
    .random_paths = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .routing = default_routing,
    .accepts = accepts,
    .set_defaults = set_defaults,
    .check_model = cni_check_separate_buffers,
    .predict = cni_predict_separate_buffers,
    .simulate = cni_replicate,
    .kernel = &cni_separate_buffers_kernel,
};

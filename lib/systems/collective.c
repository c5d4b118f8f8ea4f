/* Broadcasts and multicasts that compete for channels and buffers (Ziavras & Krishnamurthy
 * 1999). */
#include "systems/systems.h"

#include <math.h>

#include "base/error.h"
#include "simulation/collective/collective.h"
#include "topology/addresses/necklace.h"
#include "topology/topology.h"

/* A run lasts until all operations are complete, so the warm-up is 0. */
static void set_defaults(cn_scenario *scenario)
{
    scenario->value[CN_PARAM_WARMUP_CYCLES] = 0.0;
    scenario->value[CN_PARAM_REPLICATIONS] = 20.0;
    if (!cni_has_necklaces(scenario->topology))
        scenario->value[CN_PARAM_TREE] = CN_TREE_BREADTH_FIRST;
}

/* The machine of the paper has neither one port nor classes of buffers, and sends outward only. */
static void narrow(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    const double *value = scenario->value;
    int machine_of_paper = value[CN_PARAM_MACHINE] == CN_MACHINE_PAPER;
    int is_drawn = cni_operations_of(scenario) == NULL;
    int is_uniform = value[CN_PARAM_DESTINATION_CHOICE] == CN_DESTINATIONS_UNIFORM;
    if (param == CN_PARAM_OPERATIONS && value[CN_PARAM_OPERATION_RATE] == 0.0 && is_drawn)
        *greatest = CNI_MOST_OPERATIONS;
    if (param == CN_PARAM_DESTINATIONS && is_drawn)
        *greatest = fmin(*greatest, (double)scenario->topology->nodes - is_uniform);
    if ((param == CN_PARAM_ONE_PORT || param == CN_PARAM_BUFFER_CLASSES) && machine_of_paper)
        *greatest = 0.0;
    if (param == CN_PARAM_MACHINE &&
        (value[CN_PARAM_ONE_PORT] != 0.0 || value[CN_PARAM_BUFFER_CLASSES] != 0.0 ||
         value[CN_PARAM_OPERATION_KIND] != CN_OPERATIONS_OUTWARD))
        *least = CN_MACHINE_PAPER + 1.0;
    if ((param == CN_PARAM_CLUBBING || param == CN_PARAM_DETOURS || param == CN_PARAM_STATISTICS) &&
        value[CN_PARAM_OPERATION_KIND] != CN_OPERATIONS_OUTWARD)
        *greatest = 0.0;
    /* messages to one node go up a stored tree, which takes no further choices */
    if (param == CN_PARAM_OPERATION_KIND &&
        (machine_of_paper || value[CN_PARAM_CLUBBING] != 0.0 || value[CN_PARAM_DETOURS] != 0.0 ||
         value[CN_PARAM_STATISTICS] != 0.0 || value[CN_PARAM_TREE] != CN_TREE_BREADTH_FIRST ||
         !scenario->topology->bidirectional))
        *greatest = CN_OPERATIONS_OUTWARD;
    if (param == CN_PARAM_TREE && !cni_has_necklaces(scenario->topology))
        *least = CN_TREE_LEAST_USED;
    if (param == CN_PARAM_TREE && value[CN_PARAM_OPERATION_KIND] != CN_OPERATIONS_OUTWARD)
        *least = CN_TREE_BREADTH_FIRST;
}

/* Where buffers have classes, a node needs a buffer for each class: one for each number of hops. */
static cn_status check_classes(const cn_scenario *scenario)
{
    const double *value = scenario->value;
    if (value[CN_PARAM_BUFFER_CLASSES] == 0.0 || value[CN_PARAM_TRANSIT_BUFFERS] == 0.0)
        return CN_OK;
    uint64_t classes;
    CNI_TRY(cni_collective_classes(scenario, &classes));
    if (value[CN_PARAM_TRANSIT_BUFFERS] >= (double)classes)
        return CN_OK;
    return cni_fail(
        CN_ERR_ARGUMENT,
        "transit_buffers = %g, but buffer_classes = yes on %s needs at least %llu: one for each "
        "number of hops that a message in transit has made",
        value[CN_PARAM_TRANSIT_BUFFERS], scenario->topology->name, (unsigned long long)classes);
}

static cn_status check(const cn_scenario *scenario)
{
    const cn_topology *topology = scenario->topology;
    if (scenario->value[CN_PARAM_TREE] != CN_TREE_BINOMIAL || cni_is_hypercube(topology))
        return check_classes(scenario);
    return cni_fail(CN_ERR_ARGUMENT,
                    "tree = binomial, but the binomial tree exists in hypercubes, not in %s",
                    topology->name);
}

const cni_system cni_collective_system = {
    .name = "collective",
    .summary = "broadcasts and multicasts on trees, with contention for channels and buffers",
    .params = CNI_TAKES(CN_PARAM_OPERATION_RATE, CN_PARAM_TRANSIT_BUFFERS, CN_PARAM_REPLICATIONS,
                        CN_PARAM_THREADS, CN_PARAM_DETOURS, CN_PARAM_ONE_PORT, CN_PARAM_OPERATIONS,
                        CN_PARAM_START_CYCLES, CN_PARAM_DESTINATIONS, CN_PARAM_DESTINATION_CHOICE,
                        CN_PARAM_BUFFER_CLASSES, CN_PARAM_MACHINE, CN_PARAM_TREE, CN_PARAM_CLUBBING,
                        CN_PARAM_CHANNEL_CAPACITY, CN_PARAM_STATISTICS,
                        CN_PARAM_OPERATION_THRESHOLD, CN_PARAM_OPERATION_KIND),
    .no_choice = "the parameters tree and detours say where its copies go",
    .with = CNI_WITH(CN_ATTACHMENT_OPERATIONS),
    .accepts = cni_tree_routes_check,
    .set_defaults = set_defaults,
    .narrow = narrow,
    .check = check,
    .kernel = &cni_collective_kernel,
};

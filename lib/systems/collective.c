/* Broadcasts and multicasts that compete for channels and buffers (Ziavras & Krishnamurthy 1999). */
#include "systems/systems.h"

#include "base/error.h"
#include "simulation/collective/collective.h"
#include "simulation/collective/collective_kernel.h"
#include "topology/addresses/necklace.h"
#include "topology/topology.h"

/* It runs until all is complete: nothing is left unmeasured. */
static void set_defaults(cn_scenario *scenario)
{
    scenario->value[CN_PARAM_WARMUP_CYCLES] = 0.0;
    scenario->value[CN_PARAM_REPLICATIONS] = 20.0;
    if (!cni_has_necklaces(scenario->topology))
        scenario->value[CN_PARAM_TREE] = CN_TREE_BREADTH_FIRST;
}

static double most_destinations(const cn_scenario *scenario)
{
    double nodes = (double)scenario->topology->nodes;
    return scenario->value[CN_PARAM_DESTINATION_CHOICE] == CN_DESTINATIONS_UNIFORM ? nodes - 1.0
                                                                                   : nodes;
}

static void narrow(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    const double *value = scenario->value;
    int machine_of_paper = value[CN_PARAM_MACHINE] == CN_MACHINE_PAPER;
    double most = most_destinations(scenario);
    (void)least;
    if (param == CN_PARAM_OPERATIONS && value[CN_PARAM_OPERATION_RATE] == 0.0)
        *greatest = CNI_MOST_OPERATIONS;
    if (param == CN_PARAM_DESTINATIONS && most < *greatest)
        *greatest = most;
    if ((param == CN_PARAM_ONE_PORT || param == CN_PARAM_BUFFER_CLASSES) && machine_of_paper)
        *greatest = 0.0;
    if (param == CN_PARAM_MACHINE &&
        (value[CN_PARAM_ONE_PORT] != 0.0 || value[CN_PARAM_BUFFER_CLASSES] != 0.0))
        *least = CN_MACHINE_PAPER + 1.0;
    if (param == CN_PARAM_TREE && !cni_has_necklaces(scenario->topology))
        *least = CN_TREE_LEAST_USED;
}

static cn_status check_workload(const cn_scenario *scenario)
{
    const double *value = scenario->value;
    char choice[CNI_NUMBER_CAPACITY];
    double most = most_destinations(scenario);
    if (cni_operations_of(scenario) != NULL)
        return CN_OK;
    if (value[CN_PARAM_OPERATION_RATE] == 0.0 && value[CN_PARAM_OPERATIONS] > CNI_MOST_OPERATIONS)
        return cni_fail(CN_ERR_ARGUMENT, "operations = %g, but collective starts at most %d",
                        value[CN_PARAM_OPERATIONS], CNI_MOST_OPERATIONS);
    if (value[CN_PARAM_DESTINATIONS] <= most)
        return CN_OK;
    return cni_fail(
        CN_ERR_ARGUMENT,
        "destinations = %g, but on %s with destination_choice = %s it must be at most "
        "%g",
        value[CN_PARAM_DESTINATIONS], scenario->topology->name,
        cni_param_text(CN_PARAM_DESTINATION_CHOICE, value[CN_PARAM_DESTINATION_CHOICE], choice),
        most);
}

static cn_status check_machine(const cn_scenario *scenario)
{
    const double *value = scenario->value;
    if (value[CN_PARAM_MACHINE] == CN_MACHINE_PAPER) {
        if (value[CN_PARAM_ONE_PORT] != 0.0)
            return cni_fail(CN_ERR_ARGUMENT, "one_port = yes, but machine = paper has no ports");
        if (value[CN_PARAM_BUFFER_CLASSES] != 0.0)
            return cni_fail(
                CN_ERR_ARGUMENT,
                "buffer_classes = yes, but the buffers of machine = paper are never full");
        return CN_OK;
    }
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

static cn_status check_tree(const cn_scenario *scenario)
{
    double tree = scenario->value[CN_PARAM_TREE];
    char choice[CNI_NUMBER_CAPACITY];
    if (tree == CN_TREE_BINOMIAL && !cni_is_hypercube(scenario->topology))
        return cni_fail(CN_ERR_ARGUMENT,
                        "tree = binomial, but the binomial tree exists in hypercubes, not "
                        "in %s",
                        scenario->topology->name);
    if (tree >= CN_TREE_LEAST_USED || cni_has_necklaces(scenario->topology))
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "tree = %s, but this tree exists in generalized hypercubes with equal radices "
                    "and in hypercubes, not in %s; tree = breadth-first and least-used exist there",
                    cni_param_text(CN_PARAM_TREE, tree, choice), scenario->topology->name);
}

static cn_status check(const cn_scenario *scenario)
{
    CNI_TRY(check_tree(scenario));
    CNI_TRY(check_workload(scenario));
    return check_machine(scenario);
}

const cni_system cni_collective_system = {
    .name = "collective",
    .summary = "broadcasts and multicasts on trees, with contention for channels and buffers",
    .params = CNI_TAKES(CN_PARAM_OPERATION_RATE, CN_PARAM_TRANSIT_BUFFERS, CN_PARAM_REPLICATIONS,
                        CN_PARAM_THREADS, CN_PARAM_DETOURS, CN_PARAM_ONE_PORT, CN_PARAM_OPERATIONS,
                        CN_PARAM_START_CYCLES, CN_PARAM_DESTINATIONS, CN_PARAM_DESTINATION_CHOICE,
                        CN_PARAM_MACHINE, CN_PARAM_TREE, CN_PARAM_CLUBBING,
                        CN_PARAM_CHANNEL_CAPACITY, CN_PARAM_BUFFER_CLASSES, CN_PARAM_STATISTICS),
    .no_choice = "the parameters tree and detours say where its copies go",
    .with = CNI_WITH(CN_ATTACHMENT_OPERATIONS),
    .accepts = cni_tree_routes_check,
    .set_defaults = set_defaults,
    .narrow = narrow,
    .check = check,
    .kernel = &cni_collective_kernel,
};

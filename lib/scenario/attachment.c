/* What is attached to a scenario and is not a number. */
#include "cubenet/scenario.h"

#include "base/error.h"
#include "routing/faults/fault.h"
#include "routing/subnets/subnet.h"
#include "scenario/operations.h"
#include "scenario/scenario.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

/* Whether the scenario's system takes this kind of thing, and this one belongs to its topology. */
static cn_status check_attachment(const char *function, const char *what, unsigned kind,
                                  const cn_scenario *scenario, const cn_topology *topology)
{
    if ((scenario->system->with & kind) == 0)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s does not take %s", function,
                        scenario->system->name, what);
    if (!cn_topology_equal(topology, scenario->topology))
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s of %s, but the scenario's topology is %s",
                        function, what, topology->name, scenario->topology->name);
    return CN_OK;
}

cn_status cn_scenario_set_faults(cn_scenario *scenario, const cn_faults *faults)
{
    CNI_REQUIRE(scenario);
    CNI_REQUIRE_OR_NULL(faults);
    cn_faults *copy = NULL;
    if (faults != NULL) {
        CNI_TRY(check_attachment(__func__, "faults", CNI_WITH_FAULTS, scenario, faults->topology));
        CNI_TRY(cn_faults_copy(faults, &copy));
    }
    cn_faults_free(&scenario->faults);
    scenario->faults = copy;
    return CN_OK;
}

cn_status cn_scenario_set_traffic(cn_scenario *scenario, const cn_traffic *traffic)
{
    CNI_REQUIRE(scenario);
    CNI_REQUIRE_OR_NULL(traffic);
    cn_traffic *copy = NULL;
    if (traffic != NULL) {
        CNI_TRY(
            check_attachment(__func__, "traffic", CNI_WITH_TRAFFIC, scenario, traffic->topology));
        copy = cni_traffic_copy(traffic);
        if (copy == NULL)
            return CN_ERR_MEMORY;
        cni_traffic_bound bound;
        cn_status status = cni_traffic_bound_of(scenario->topology, traffic,
                                                scenario->system->random_paths, &bound);
        if (status != CN_OK) {
            cn_traffic_free(&copy);
            return status;
        }
        scenario->bound = bound;
    }
    cn_traffic_free(&scenario->traffic);
    scenario->traffic = copy;
    return CN_OK;
}

cn_status cn_scenario_set_operations(cn_scenario *scenario, const cn_operations *operations)
{
    CNI_REQUIRE(scenario);
    CNI_REQUIRE_OR_NULL(operations);
    cn_operations *copy = NULL;
    if (operations != NULL) {
        CNI_TRY(check_attachment(__func__, "operations", CNI_WITH_OPERATIONS, scenario,
                                 operations->topology));
        if (operations->rows == 0)
            return cni_fail(CN_ERR_ARGUMENT, "%s: the list has no operation, but it must have one",
                            __func__);
        CNI_TRY(cn_operations_copy(operations, &copy));
    }
    cn_operations_free(&scenario->operations);
    scenario->operations = copy;
    return CN_OK;
}

cn_status cn_scenario_set_subnet(cn_scenario *scenario, const cn_subnet *subnet)
{
    CNI_REQUIRE(scenario);
    CNI_REQUIRE_OR_NULL(subnet);
    cn_subnet *copy = NULL;
    if (subnet != NULL) {
        CNI_TRY(check_attachment(__func__, "a subnet", CNI_WITH_SUBNET, scenario,
                                 subnet->faults->topology));
        CNI_TRY(cn_subnet_copy(subnet, &copy));
    }
    cn_subnet_free(&scenario->subnet);
    scenario->subnet = copy;
    return CN_OK;
}

cn_status cni_copy_attachments(const cn_scenario *scenario, cn_scenario *copy)
{
    copy->faults = NULL;
    copy->subnet = NULL;
    copy->traffic = NULL;
    copy->operations = NULL;
    if (scenario->faults != NULL)
        CNI_TRY(cn_faults_copy(scenario->faults, &copy->faults));
    if (scenario->subnet != NULL)
        CNI_TRY(cn_subnet_copy(scenario->subnet, &copy->subnet));
    if (scenario->operations != NULL)
        CNI_TRY(cn_operations_copy(scenario->operations, &copy->operations));
    if (scenario->traffic != NULL)
        copy->traffic = cni_traffic_copy(scenario->traffic);
    return scenario->traffic == NULL || copy->traffic != NULL ? CN_OK : CN_ERR_MEMORY;
}

void cni_free_attachments(cn_scenario *scenario)
{
    cn_faults_free(&scenario->faults);
    cn_subnet_free(&scenario->subnet);
    cn_traffic_free(&scenario->traffic);
    cn_operations_free(&scenario->operations);
}

/* What is attached to a scenario and is not a number. */
#include "cubenet/scenario.h"

#include "base/error.h"
#include "routing/fault.h"
#include "scenario/scenario.h"
#include "scenario/system.h"
#include "scenario/traffic.h"
#include "topology/topology.h"

/* Whether the scenario's system takes this kind of thing, and this one belongs to its topology. */
static cn_status check_attachment(const char *function, const char *what, unsigned kind,
                                  const cn_scenario *scenario, const cn_topology *topology)
{
    if ((scenario->system->with & kind) == 0)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s does not take %s", function,
                        scenario->system->name, what);
    if (!cni_same_topology(topology, scenario->topology))
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s of %s, but the scenario's topology is %s",
                        function, what, topology->name, scenario->topology->name);
    return CN_OK;
}

cn_status cn_scenario_set_faults(cn_scenario *scenario, const cn_faults *faults)
{
    CNI_REQUIRE(scenario);
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
    cn_traffic *copy = NULL;
    if (traffic != NULL) {
        CNI_TRY(
            check_attachment(__func__, "traffic", CNI_WITH_TRAFFIC, scenario, traffic->topology));
        copy = cni_traffic_copy(traffic);
        if (copy == NULL)
            return CN_ERR_MEMORY;
        cni_traffic_bound bound;
        cn_status status = cni_traffic_bound_of(scenario->topology, traffic, &bound);
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

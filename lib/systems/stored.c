/* What the systems that take a routing have in common, and what the systems of stored messages have
 * in common. */
#include "systems/systems.h"

#include "base/error.h"
#include "routing/faults/fault.h"
#include "routing/rules/routing.h"
#include "topology/topology.h"

const char *cni_stored_routing(const cn_scenario *scenario)
{
    int is_whole = cni_faults_equal(cni_faults_of(scenario), NULL);
    if (cni_subnet_of(scenario) != NULL)
        return cni_optimal_path.name;
    return is_whole && cni_is_kary_ncube(cni_innermost(scenario->topology)) ? cni_preferred.name
                                                                            : cni_minimal.name;
}

cn_status cni_accept_ports(const cn_topology *topology)
{
    if (topology->max_degree <= CNI_MOST_PORTS)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s has %lu ports a node, but messages are routed where there are at most %d",
                    topology->name, (unsigned long)topology->max_degree, CNI_MOST_PORTS);
}

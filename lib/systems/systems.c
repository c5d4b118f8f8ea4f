/* The names of the systems, and the scenario that begins with one of them. */
#include "systems/systems.h"

#include <string.h>

#include "base/error.h"

#define SYSTEM_LISTED(name) &cni_##name##_system,

static const cni_system *const systems[] = {CNI_SYSTEMS(SYSTEM_LISTED)};

enum { SYSTEMS = sizeof systems / sizeof systems[0] };

size_t cn_system_count(void)
{
    return SYSTEMS;
}

const char *cn_system_name(size_t index)
{
    return index < SYSTEMS ? systems[index]->name : NULL;
}

const char *cn_system_summary(size_t index)
{
    return index < SYSTEMS ? systems[index]->summary : NULL;
}

cn_status cn_scenario_new(const cn_topology *topology, const char *system, cn_scenario **scenario)
{
    CNI_REQUIRE(scenario);
    *scenario = NULL;
    CNI_REQUIRE(topology);
    CNI_REQUIRE(system);
    for (size_t i = 0; i < SYSTEMS; i++)
        if (strcmp(systems[i]->name, system) == 0)
            return cni_scenario_create(systems[i], topology, scenario);
    return cni_fail(CN_ERR_NOT_FOUND,
                    "%s: there is no system \"%.80s\"; cn_system_name() lists them", __func__,
                    system);
}

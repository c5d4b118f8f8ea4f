/* The table of systems, and what can be asked about each. */
#include "systems/systems.h"

#include "base/names.h"

#define SYSTEM_LISTED(name) &cni_##name##_system,

static const cni_system *const systems[] = {CNI_SYSTEMS(SYSTEM_LISTED)};

enum { SYSTEMS = sizeof systems / sizeof systems[0] };

const cni_names cni_systems = CNI_NAMES_AT("system", systems);

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

cn_status cn_system_from_name(const char *name, size_t *index)
{
    int number;
    CNI_REQUIRE_BOTH(name, index);
    CNI_TRY(cni_from_name(__func__, &cni_systems, name, &number));
    *index = (size_t)number;
    return CN_OK;
}

int cn_system_takes(size_t index, cn_param param)
{
    return index < SYSTEMS && cni_row_takes(systems[index], param);
}

int cn_system_takes_attachment(size_t index, cn_attachment attachment)
{
    return index < SYSTEMS && cni_row_takes_attachment(systems[index], attachment);
}

/* Checks the index of a system, and whether the system accepts the topology, if one is given. */
static cn_status check_system(const char *function, size_t index, const cn_topology *topology)
{
    if (index >= SYSTEMS)
        return cni_fail(CN_ERR_ARGUMENT, "%s: index = %zu, but the systems are 0 to %d", function,
                        index, SYSTEMS - 1);
    if (topology == NULL)
        return CN_OK;
    if (!CNI_IS_VALID(topology))
        return cni_fail_invalid(function, "topology", topology, CNI_TYPE_OF(topology));
    return systems[index]->accepts(topology);
}

cn_status cn_system_check_model(size_t index, const cn_topology *topology)
{
    CNI_TRY(check_system(__func__, index, topology));
    return cni_check_model(__func__, systems[index], topology);
}

cn_status cn_system_check_simulator(size_t index, const cn_topology *topology)
{
    CNI_TRY(check_system(__func__, index, topology));
    return cni_check_simulator(__func__, systems[index]);
}

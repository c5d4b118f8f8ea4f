/* Questions to a scenario before a model or a simulation runs. */
#include "cubenet/scenario.h"

#include <math.h>

#include "base/error.h"
#include "scenario/scenario.h"
#include "scenario/system.h"
#include "topology/topology.h"

/* ---- models and simulators ---- */

static cn_status has_none(const char *function, const cni_system *system, const char *what)
{
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s has no %s", function, system->name,
                    what);
}

cn_status cni_check_model(const char *function, const cni_system *system,
                          const cn_topology *topology)
{
    if (system->predict == NULL)
        return has_none(function, system, "model");
    if (system->model_of_hypercubes && topology != NULL && !cni_is_hypercube(topology))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the model of %s covers Boolean n-cubes, not %s",
                        function, system->name, topology->name);
    if (system->check_model != NULL && topology != NULL)
        return system->check_model(function, topology);
    return CN_OK;
}

cn_status cni_check_simulator(const char *function, const cni_system *system)
{
    return system->kernel != NULL ? CN_OK : has_none(function, system, "simulator");
}

/* ---- ranges ---- */

/* The range of a parameter that the system takes, given all other parameters. */
static void find_range(const cn_scenario *scenario, cn_param param, double *least, double *greatest)
{
    cn_param_range(param, least, greatest, NULL, NULL); /* cannot fail: there is such a parameter */
    if (scenario->system->narrow != NULL)
        scenario->system->narrow(scenario, param, least, greatest);
}

cn_status cni_scenario_check_ranges(const cn_scenario *scenario)
{
    const char *system = scenario->system->name, *topology = scenario->topology->name;
    char given[CNI_NUMBER_CAPACITY], limit[CNI_NUMBER_CAPACITY];
    if (scenario->system->narrow == NULL)
        return CN_OK; /* cn_scenario_set() has checked each value against the range of its row */
    for (const cn_param *param = scenario->system->params; *param != 0; param++) {
        double value = scenario->value[*param], least = -HUGE_VAL, greatest = HUGE_VAL;
        scenario->system->narrow(scenario, *param, &least, &greatest);
        if (value >= least && value <= greatest)
            continue;
        find_range(scenario, *param, &least, &greatest);
        if (cn_param_choice_count(*param) > 0)
            return cni_param_check_choice(topology, system, *param, value,
                                          (UINT64_C(2) << (int)greatest) -
                                              (UINT64_C(1) << (int)least));
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %s, but with these parameters %s needs at %s %s",
                        topology, cn_param_name(*param), cni_number_text(value, given), system,
                        value < least ? "least" : "most",
                        cni_number_text(value < least ? least : greatest, limit));
    }
    return CN_OK;
}

cn_status cn_scenario_range(const cn_scenario *scenario, cn_param param, double *least,
                            double *greatest, double *default_value)
{
    CNI_REQUIRE(scenario);
    CNI_TRY(cni_param_check_id(__func__, param));
    CNI_TRY(cni_scenario_check_takes(__func__, scenario, param));
    double low, high;
    find_range(scenario, param, &low, &high);
    CNI_GIVE(least, low);
    CNI_GIVE(greatest, high);
    if (default_value != NULL) {
        cn_scenario fresh = *scenario;
        cni_scenario_set_defaults(&fresh);
        *default_value = fresh.value[param];
    }
    return CN_OK;
}

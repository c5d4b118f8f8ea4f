/* Scenarios: creation, copies, defaults, and the checks before a model or a simulation uses one. */
#include "scenario/scenario.h"

#include <string.h>

#include "base/error.h"
#include "cubenet/experimental/intermediate.h"
#include "routing/questions/walks.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

void cni_scenario_set_defaults(cn_scenario *scenario)
{
    for (size_t id = 1; id <= cn_param_count(); id++)
        scenario->value[id] = cni_param_default((cn_param)id);
    if (scenario->system->set_defaults != NULL)
        scenario->system->set_defaults(scenario);
    scenario->seed = 1;
    scenario->chosen = 0;
}

void cni_scenario_follow_defaults(cn_scenario *scenario)
{
    cn_scenario fresh = *scenario;
    cni_scenario_set_defaults(&fresh);
    for (size_t id = 1; id <= cn_param_count(); id++)
        if ((scenario->chosen >> id & 1) == 0)
            scenario->value[id] = fresh.value[id];
}

cn_status cni_scenario_create(const cni_system *system, const cn_topology *topology,
                              cn_scenario **scenario)
{
    CNI_TRY(system->accepts(topology));
    cn_scenario *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->system = system;
    made->topology = cni_topology_retain(topology);
    cni_scenario_set_defaults(made);
    *scenario = made;
    return CN_OK;
}

cn_status cn_scenario_new(const cn_topology *topology, const char *system, cn_scenario **scenario)
{
    int number;
    CNI_REQUIRE_OUT(scenario);
    CNI_REQUIRE_BOTH(topology, system);
    CNI_TRY(cni_from_name(__func__, &cni_systems, system, &number));
    return cni_scenario_create(cni_row_of(&cni_systems, number), topology, scenario);
}

cn_scenario *cni_scenario_duplicate(const cn_scenario *scenario)
{
    cn_scenario *copy = CNI_NEW(copy);
    if (copy == NULL)
        return NULL;
    *copy = *scenario;
    copy->budget = NULL;
    copy->part = NULL;
    cni_topology_retain(copy->topology);
    cni_share_attachments(copy);
    return copy;
}

cn_status cn_scenario_copy(const cn_scenario *scenario, cn_scenario **copy)
{
    CNI_REQUIRE_OUT(copy);
    CNI_REQUIRE(scenario);
    *copy = cni_scenario_duplicate(scenario);
    return *copy == NULL ? CN_ERR_MEMORY : CN_OK;
}

void cn_scenario_free(cn_scenario **scenario)
{
    if (scenario == NULL || !CNI_IS_VALID(*scenario))
        return;
    cni_topology_release((*scenario)->topology);
    cni_detach_all(*scenario);
    cni_object_release(*scenario);
    *scenario = NULL;
}

CNI_GETTER(const char *, cn_scenario_system, scenario, scenario->system->name, "");

int cni_row_takes(const cni_system *system, cn_param param)
{
    const cn_param *taken = system->params;
    while (*taken != 0 && *taken != param)
        taken++;
    return *taken != 0;
}

int cn_scenario_takes(const cn_scenario *scenario, cn_param param)
{
    return CNI_IS_VALID(scenario) && cni_row_takes(scenario->system, param);
}

cn_status cni_scenario_check_takes(const char *function, const cn_scenario *scenario,
                                   cn_param param)
{
    const cni_system *system = scenario->system;
    if (cni_row_takes(system, param))
        return CN_OK;
    if (param == CN_PARAM_SELECTION && system->no_choice != NULL)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: the system %s does not take the parameter selection, as it has no "
                        "choice of channel: %s",
                        function, system->name, system->no_choice);
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s does not take the parameter %s",
                    function, system->name, cn_param_name(param));
}

cn_status cn_scenario_set(cn_scenario *scenario, cn_param param, double value)
{
    CNI_REQUIRE(scenario);
    CNI_TRY(cni_param_check(__func__, param, value));
    CNI_TRY(cni_scenario_check_takes(__func__, scenario, param));
    scenario->value[param] = value;
    scenario->chosen |= UINT64_C(1) << param;
    return CN_OK;
}

cn_status cn_scenario_get(const cn_scenario *scenario, cn_param param, double *value)
{
    CNI_REQUIRE_BOTH(scenario, value);
    CNI_TRY(cni_param_check_id(__func__, param));
    CNI_TRY(cni_scenario_check_takes(__func__, scenario, param));
    *value = scenario->value[param];
    return CN_OK;
}

cn_status cn_scenario_reset(cn_scenario *scenario)
{
    CNI_REQUIRE(scenario);
    cni_scenario_set_defaults(scenario);
    return CN_OK;
}

cn_status cn_scenario_set_seed(cn_scenario *scenario, uint64_t seed)
{
    CNI_REQUIRE(scenario);
    scenario->seed = seed;
    return CN_OK;
}

CNI_GETTER(uint64_t, cn_scenario_seed, scenario, scenario->seed, 0);

/* ---- running ---- */

cn_status cni_scenario_check(const cn_scenario *scenario)
{
    CNI_TRY(cni_scenario_check_routing(scenario));
    CNI_TRY(cni_scenario_check_ranges(scenario));
    return scenario->system->check == NULL ? CN_OK : scenario->system->check(scenario);
}

/* The form of the model that the scenario asks for. `automatic` stands for another form. */
static cn_model_variant form_of_model(const cn_scenario *scenario)
{
    const cni_system *system = scenario->system;
    int form = cni_row_takes(system, CN_PARAM_MODEL_VARIANT)
                   ? (int)scenario->value[CN_PARAM_MODEL_VARIANT]
                   : CN_MODEL_AUTOMATIC;
    if (form != CN_MODEL_AUTOMATIC)
        return (cn_model_variant)form;
    if (system->nearest != NULL)
        return system->nearest(scenario);
    for (form = CN_MODEL_OWN; form > 0 && system->model[form] == NULL;)
        form--;
    return (cn_model_variant)form;
}

cn_scenario cni_scenario_for_model(const cn_scenario *scenario, cni_budget *budget)
{
    cn_scenario copy = *scenario;
    copy.budget = budget;
    copy.value[CN_PARAM_MODEL_VARIANT] = form_of_model(scenario);
    return copy;
}

void cni_result_put_model(cn_result *result, const cn_scenario *scenario)
{
    const char *name = scenario->system->model[form_of_model(scenario)];
    memcpy(result->model, name, strlen(name) + 1);
}

static cn_status check_form(const char *function, const cn_scenario *scenario)
{
    const cni_system *system = scenario->system;
    double form = scenario->value[CN_PARAM_MODEL_VARIANT];
    uint64_t forms = UINT64_C(1) << CN_MODEL_AUTOMATIC;
    for (int f = 0; f < CNI_MODEL_VARIANTS; f++)
        if (system->model[f] != NULL)
            forms |= UINT64_C(1) << f;
    CNI_TRY(cni_scenario_check(scenario));
    CNI_TRY(cni_param_check_choice(function, system->name, CN_PARAM_MODEL_VARIANT, form, forms));
    return system->check_own != NULL && form == CN_MODEL_OWN ? system->check_own(function, scenario)
                                                             : CN_OK;
}

static int covers_traffic(const cni_system *system, const cn_traffic *traffic)
{
    return system->model_of_traffic ||
           (system->model_of_distances ? cni_traffic_is_by_distance(traffic, system->source)
                                       : cni_traffic_is_plain(traffic, system->source));
}

cn_status cni_scenario_check_model(const char *function, const cn_scenario *scenario)
{
    const cni_system *system = scenario->system;
    CNI_TRY(cni_check_model(function, system, scenario->topology));
    if (cni_workload_of(scenario) != NULL)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: the model of %s covers no workload; the simulator does", function,
                        system->name);
    if (covers_traffic(system, cni_traffic_of(scenario)))
        return check_form(function, scenario);
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: the model of %s covers uniform traffic%s from its own source only, not "
                    "the traffic of the scenario",
                    function, system->name,
                    system->model_of_distances
                        ? ", and locality on networks that look the same from every node,"
                        : "");
}

double cni_scenario_flits(const cn_scenario *scenario)
{
    return cni_row_takes(scenario->system, CN_PARAM_MESSAGE_FLITS)
               ? scenario->value[CN_PARAM_MESSAGE_FLITS]
               : 1.0;
}

double cni_scenario_most_load(const cn_scenario *scenario)
{
    return scenario->topology->max_degree / cni_scenario_flits(scenario);
}

/* A scenario without a load is an error, not a load of 0. A trace brings its own load, and a
 * workload needs none. */
static cn_status check_load_is_set(const char *function, const cn_scenario *scenario)
{
    if (!cni_row_takes(scenario->system, CN_PARAM_LOAD) ||
        (scenario->chosen >> CN_PARAM_LOAD & 1) != 0 ||
        cni_traffic_is_trace(cni_traffic_of(scenario)) || cni_workload_of(scenario) != NULL)
        return CN_OK;
    return cni_fail(
        CN_ERR_ARGUMENT,
        "%s: the parameter load was never set; it is the number of messages that a node "
        "offers per cycle, at least 0",
        function);
}

cn_status cni_scenario_check_load(const char *function, const cn_scenario *scenario)
{
    char given[CNI_NUMBER_CAPACITY], most[CNI_NUMBER_CAPACITY];
    CNI_TRY(check_load_is_set(function, scenario));
    if (!cni_row_takes(scenario->system, CN_PARAM_LOAD) || scenario->system->refuses ||
        cni_traffic_is_trace(cni_traffic_of(scenario)) ||
        scenario->value[CN_PARAM_LOAD] <= cni_scenario_most_load(scenario))
        return CN_OK;
    return cni_fail(CN_ERR_UNSTABLE,
                    "%s: load = %s, but no network with %lu channels a node carries more than %s "
                    "messages of %g flit%s per node and cycle",
                    function, cni_number_text(scenario->value[CN_PARAM_LOAD], given),
                    (unsigned long)scenario->topology->max_degree,
                    cni_number_text(cni_scenario_most_load(scenario), most),
                    cni_scenario_flits(scenario), cni_scenario_flits(scenario) == 1.0 ? "" : "s");
}

cn_status cni_scenario_predict(const cn_scenario *scenario, cni_budget *budget, cn_result **result)
{
    cn_scenario asked = cni_scenario_for_model(scenario, budget);
    CNI_TRY(cni_scenario_check_model("cn_predict", &asked));
    CNI_TRY(check_load_is_set("cn_predict", scenario));
    *result = cni_result_new(scenario);
    CNI_TRY_MEMORY(*result);
    cni_result_put_model(*result, scenario);
    cn_status status = scenario->system->predict(&asked, *result);
    if (status != CN_OK)
        cn_result_free(result);
    return status;
}

cn_status cn_predict(const cn_scenario *scenario, const cn_control *control, cn_result **result)
{
    CNI_REQUIRE_OUT(result);
    CNI_REQUIRE(scenario);
    CNI_BUDGET(budget, control, 0);
    return cni_scenario_predict(scenario, &budget, result);
}

cn_status cn_predict_channel_delays(const cn_scenario *scenario, const cn_control *control,
                                    double delays[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(scenario);
    CNI_REQUIRE_ARRAY(delays, capacity);
    CNI_BUDGET(budget, control, 0);
    cn_scenario asked = cni_scenario_for_model(scenario, &budget);
    CNI_TRY(cni_scenario_check_model(__func__, &asked));
    CNI_TRY(check_load_is_set(__func__, scenario));
    const cn_topology *t = scenario->topology;
    if (scenario->system->channel_delays == NULL || t->nodes > CNI_WALKS_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: the model of %s on %s does not give delays by channel; that of "
                        "separate-buffers does, on networks of at most %llu nodes",
                        __func__, scenario->system->name, t->name,
                        (unsigned long long)CNI_WALKS_NODES);
    size_t needed = (size_t)t->nodes * t->max_degree;
    if (capacity < needed)
        CNI_REQUIRE_FIT(needed, capacity, count, "%s has %llu nodes of %lu ports", t->name,
                        (unsigned long long)t->nodes, (unsigned long)t->max_degree);
    CNI_TRY(scenario->system->channel_delays(&asked, delays));
    for (uint64_t v = 0; v < t->nodes; v++)
        for (uint32_t port = t->ops->degree(t, v); port < t->max_degree; port++)
            delays[v * t->max_degree + port] = 0.0;
    CNI_GIVE(count, needed);
    return CN_OK;
}

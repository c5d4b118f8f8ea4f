#include "scenario/scenario_json.h"

#include "base/error.h"
#include "routing/faults/fault.h"
#include "scenario/system.h"
#include "topology/families/topology_json.h"
#include "topology/topology.h"

/* ---- writing ---- */

static void put_parameters(cni_json_writer *w, const cn_scenario *scenario)
{
    cni_json_open(w, "parameters", '{');
    for (size_t id = 1; id <= cn_param_count(); id++) {
        char number[CNI_NUMBER_CAPACITY];
        double value = scenario->value[id];
        const char *name = cn_param_name((cn_param)id);
        if ((scenario->chosen >> id & 1) == 0)
            continue;
        const char *text = cni_param_text((cn_param)id, value, number);
        if (text != number)
            cni_json_put_name(w, name, text);
        else
            cni_json_put_real(w, name, value);
    }
    cni_json_close(w, '}');
}

void cni_scenario_put(cni_json_writer *w, const cn_scenario *scenario)
{
    cni_topology_put(w, scenario->topology);
    cni_json_put_name(w, "system", cn_scenario_system(scenario));
    cni_json_put_whole(w, "seed", scenario->seed);
    put_parameters(w, scenario);
    cni_put_attachments(w, scenario);
}

static void put(cni_json_writer *w, const void *object)
{
    cni_scenario_put(w, object);
}

CNI_JSON_TEXT(cn_scenario_json, scenario, put);

/* ---- its identity ---- */

/* Whether one run does not look at it, or gives the same bits whatever it is. */
static int is_ignored(size_t param)
{
    return param == CN_PARAM_THREADS || param == CN_PARAM_REPLICATIONS ||
           param == CN_PARAM_RELATIVE_PRECISION || param == CN_PARAM_MODEL_VARIANT;
}

uint64_t cni_scenario_identity(const cn_scenario *scenario)
{
    uint64_t hash = cni_topology_fingerprint(scenario->topology);
    cni_json_writer w = {.out = {.hash = &hash}};
    cn_scenario own = *scenario; /* shares what is attached */
    const cn_faults *faults = cni_faults_of(scenario);
    own.routing_name = cn_scenario_routing_name(scenario);
    if (cn_faults_node_count(faults) == 0 && cn_faults_link_count(faults) == 0)
        own.attached[CN_ATTACHMENT_FAULTS] = NULL;
    cni_json_put_name(&w, "system", scenario->system->name);
    for (size_t id = 1; id <= cn_param_count(); id++)
        if (cni_row_takes(scenario->system, (cn_param)id) && !is_ignored(id))
            cni_json_put_real(&w, cn_param_name((cn_param)id), scenario->value[id] + 0.0);
    cni_put_attachments(&w, &own);
    return hash;
}

/* ---- reading ---- */

/* Attachments follow from ATTACHED on, in the order of their numbers. */
enum { TOPOLOGY, SYSTEM, SEED, PARAMETERS, ATTACHED, KEYS = ATTACHED + CNI_ATTACHMENT_ROOM };

static size_t list_keys(const char *keys[KEYS])
{
    size_t count = ATTACHED;
    keys[TOPOLOGY] = "topology";
    keys[SYSTEM] = "system";
    keys[SEED] = "seed";
    keys[PARAMETERS] = "parameters";
    for (size_t kind = 1; kind <= cn_attachment_count(); kind++)
        keys[count++] = cn_attachment_name((cn_attachment)kind);
    return count;
}

static cn_status read_parameter(const cni_json *json, cni_json_value value, cn_param param,
                                cn_scenario *scenario)
{
    char name[CNI_JSON_NAME];
    double number;
    if (cni_json_type(value) == '"' && cn_param_choice_count(param) > 0) {
        CNI_TRY(cni_json_name(json, value, name));
        CNI_TRY(cni_json_blame(json, value, cn_param_choice_from_name(param, name, &number)));
    } else {
        CNI_TRY(cni_json_real(json, value, &number));
    }
    return cni_json_blame(json, value, cn_scenario_set(scenario, param, number));
}

static cn_status read_parameters(const cni_json *json, cni_json_value value, cn_scenario *scenario)
{
    const char *keys[CNI_PARAM_ROOM];
    cni_json_value is[CNI_PARAM_ROOM];
    cn_param params[CNI_PARAM_ROOM];
    size_t count = 0;
    for (size_t id = 1; id <= cn_param_count(); id++) {
        params[count] = (cn_param)id;
        keys[count] = cn_param_name((cn_param)id);
        count += keys[count] != NULL;
    }
    CNI_TRY(cni_json_members(json, value, keys, 0, count, is));
    for (size_t i = 0; i < count; i++)
        if (is[i].at != NULL)
            CNI_TRY(read_parameter(json, is[i], params[i], scenario));
    return CN_OK;
}

static cn_status fill(const cni_json *json, const cni_json_value is[KEYS], cn_scenario *scenario)
{
    for (size_t kind = 1; kind <= cn_attachment_count(); kind++)
        if (is[ATTACHED + kind - 1].at != NULL)
            CNI_TRY(
                cni_read_attachment(json, is[ATTACHED + kind - 1], (cn_attachment)kind, scenario));
    if (is[PARAMETERS].at != NULL)
        CNI_TRY(read_parameters(json, is[PARAMETERS], scenario));
    return is[SEED].at == NULL ? CN_OK
                               : cni_json_whole(json, is[SEED], UINT64_MAX, &scenario->seed);
}

static cn_status read_members(const cni_json *json, const cni_json_value is[KEYS],
                              cni_scenario_new_fn new, cn_scenario **scenario)
{
    char system[CNI_JSON_NAME];
    cn_topology *topology;
    *scenario = NULL;
    CNI_TRY(cni_json_name(json, is[SYSTEM], system));
    CNI_TRY(cni_topology_of_json(json, is[TOPOLOGY], &topology));
    cn_status status = cni_json_blame(json, is[SYSTEM], new (topology, system, scenario));
    cn_topology_free(&topology);
    if (status == CN_OK)
        status = fill(json, is, *scenario);
    if (status != CN_OK)
        cn_scenario_free(scenario);
    return status;
}

cn_status cni_scenario_of_json(const cni_json *json, cni_json_value value, cni_scenario_new_fn new,
                               cn_scenario **scenario)
{
    const char *keys[KEYS];
    cni_json_value is[KEYS];
    size_t count = list_keys(keys);
    CNI_TRY(cni_json_members(json, value, keys, SEED, count, is));
    return read_members(json, is, new, scenario);
}

cn_status cni_scenario_of_text(cni_json *json, cni_scenario_new_fn new, cn_scenario **scenario)
{
    const char *keys[KEYS];
    cni_json_value is[KEYS];
    size_t count = list_keys(keys);
    CNI_TRY(cni_json_begin(json, "scenario", keys, SEED, count, is));
    return read_members(json, is, new, scenario);
}

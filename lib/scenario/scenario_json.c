/* Scenarios, to JSON and from JSON. */
#include "scenario/scenario_json.h"

#include "base/error.h"
#include "routing/faults/fault.h"
#include "scenario/system.h"
#include "topology/families/topology_json.h"
#include "topology/topology.h"

/* Visits a parameter. A choice is written by its name, and read by its name or its number. */
static void visit_parameter(cni_io *io, const char *key, cn_param param, cn_scenario *scenario)
{
    char name[CNI_JSON_NAME], number[CNI_NUMBER_CAPACITY];
    double value = scenario->value[param];
    int is_named = cni_io_writes(io)
                       ? cni_param_text(param, value, number) != number
                       : cni_io_begins(io, key, '"') && cn_param_choice_count(param) > 0;
    if (is_named)
        cni_io_name(io, key, cni_param_text(param, value, number), name);
    else
        cni_io_real(io, key, &value);
    if (cni_io_reads(io) && is_named)
        cni_io_blame(io, key, cn_param_choice_from_name(param, name, &value));
    CNI_IO_CALL(io, key, cn_scenario_set(scenario, param, value));
}

static void visit_parameters(cni_io *io, void *of)
{
    cn_scenario *scenario = of;
    for (size_t id = 1; id <= cn_param_count(); id++) {
        const char *key = cn_param_name((cn_param)id);
        if (key != NULL && CNI_IO_HAS(io, key, (scenario->chosen >> id & 1) != 0))
            visit_parameter(io, key, (cn_param)id, scenario);
    }
}

/* Attachments may change the possible values of parameters, so reading visits the attachments
 * first. */
void cni_scenario_visit(cni_io *io, void *of)
{
    cn_scenario **scenario = of, *s = *scenario;
    char system[CNI_JSON_NAME];
    cn_topology *topology = cni_io_writes(io) ? s->topology : NULL;
    cni_io_topology(io, &topology);
    cni_io_name(io, "system", cn_scenario_system(s), system);
    CNI_IO_CALL(io, "system", cn_scenario_new(topology, system, scenario));
    if (!cni_io_writes(io))
        cn_topology_free(&topology);
    s = *scenario;
    if (CNI_IO_HAS(io, "seed", 1))
        cni_io_whole(io, "seed", &s->seed, UINT64_MAX);
    int has_parameters = CNI_IO_HAS(io, "parameters", 1);
    if (has_parameters && cni_io_writes(io))
        cni_io_object(io, "parameters", visit_parameters, s);
    cni_attachments_visit(io, s);
    if (has_parameters && !cni_io_writes(io))
        cni_io_object(io, "parameters", visit_parameters, s);
    if (io->status != CN_OK)
        cn_scenario_free(scenario);
}

CNI_JSON_TEXTS(scenario, cni_scenario_visit);

/* ---- its identity ---- */

/* Whether one run ignores the parameter, or gives the same bits for each of its values.
 * Parameters that are younger than snapshots count unless they are 0. */
static int is_ignored(size_t param, double value)
{
    return (param >= CN_PARAM_OPERATION_THRESHOLD && value == 0.0) || param == CN_PARAM_THREADS ||
           param == CN_PARAM_REPLICATIONS || param == CN_PARAM_RELATIVE_PRECISION ||
           param == CN_PARAM_MODEL_VARIANT;
}

static void visit_identity(cni_io *io, void *of)
{
    cn_scenario own = *(const cn_scenario *)of; /* shares what is attached */
    const cn_faults *faults = cni_faults_of(of);
    own.routing_name = cn_scenario_routing_name(of);
    if (cn_faults_node_count(faults) == 0 && cn_faults_link_count(faults) == 0)
        own.attached[CN_ATTACHMENT_FAULTS] = NULL;
    cni_io_name(io, "system", own.system->name, NULL);
    for (size_t id = 1; id <= cn_param_count(); id++) {
        double value = own.value[id] + 0.0;
        if (cni_row_takes(own.system, (cn_param)id) && !is_ignored(id, value))
            cni_io_real(io, cn_param_name((cn_param)id), &value);
    }
    cni_attachments_visit(io, &own);
}

uint64_t cni_scenario_identity(const cn_scenario *scenario)
{
    return cni_json_hash(cni_topology_fingerprint(scenario->topology, NULL), visit_identity,
                         scenario);
}

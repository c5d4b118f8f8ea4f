/* A routing in JSON: its name, its faults and, under "with", what its kind has beside them. */
#include "routing/rules/routing_json.h"

#include "base/error.h"
#include "routing/faults/fault_json.h"
#include "topology/families/topology_json.h"

static void put_members(cni_json_writer *w, const cn_routing *routing)
{
    cni_json_put_name(w, "name", routing->kind->name);
    if (routing->faults != NULL)
        cni_faults_put(w, routing->faults);
    if (routing->kind->put == NULL)
        return;
    cni_json_open(w, "with", '{');
    routing->kind->put(w, routing);
    cni_json_close(w, '}');
}

void cni_routing_put(cni_json_writer *w, const cn_routing *routing)
{
    cni_json_open(w, "routing", '{');
    put_members(w, routing);
    cni_json_close(w, '}');
}

static void put(cni_json_writer *w, const void *object)
{
    const cn_routing *routing = object;
    cni_topology_put(w, routing->topology);
    put_members(w, routing);
}

CNI_JSON_TEXT(cn_routing_json, routing, put);

/* ---- reading ---- */

enum { NAME, FAULTS, WITH, KEYS };

static cn_status read_kind(const cni_json *json, const cni_json_value is[KEYS],
                           const cn_topology *topology, const cn_faults *faults,
                           cn_routing **routing)
{
    char name[CNI_JSON_NAME];
    const cni_routing_kind *kind = NULL;
    CNI_TRY(cni_json_name(json, is[NAME], name));
    cn_status status = cni_routing_find(json->function, name, &kind);
    if (kind != NULL && kind->read != NULL && is[WITH].at != NULL)
        return kind->read(json, is[WITH], topology, faults, routing);
    if (status != CN_OK)
        return cni_json_blame(json, is[NAME], status);
    if (is[WITH].at != NULL)
        return cni_json_fail(json, is[WITH], "the routing %s has nothing beside its name", name);
    return cni_json_blame(
        json, is[NAME],
        cni_routing_build(json->function, kind, topology, faults, json->budget, routing));
}

static cn_status read_members(const cni_json *json, const cni_json_value is[KEYS],
                              const cn_topology *topology, cn_routing **routing)
{
    cn_faults *faults = NULL;
    *routing = NULL;
    if (is[FAULTS].at != NULL)
        CNI_TRY(cni_faults_of_json(json, is[FAULTS], topology, &faults));
    cn_status status = read_kind(json, is, topology, faults, routing);
    cn_faults_free(&faults);
    return status;
}

cn_status cni_routing_of_json(const cni_json *json, cni_json_value value,
                              const cn_topology *topology, cn_routing **routing)
{
    static const char *const keys[] = {"name", "faults", "with"};
    cni_json_value is[KEYS];
    CNI_TRY(cni_json_members(json, value, keys, 1, KEYS, is));
    return read_members(json, is, topology, routing);
}

cn_status cn_routing_from_json(const char *text, const cn_control *control, cn_routing **routing)
{
    static const char *const keys[] = {"topology", "name", "faults", "with"};
    cni_json_value is[KEYS + 1];
    cn_topology *topology;
    CNI_REQUIRE_OUT(routing);
    CNI_JSON_READ(json, text, control);
    CNI_TRY(cni_json_begin(&json, "routing", keys, 2, KEYS + 1, is));
    CNI_TRY(cni_topology_of_json(&json, is[0], &topology));
    cn_status status = read_members(&json, is + 1, topology, routing);
    cn_topology_free(&topology);
    return status;
}

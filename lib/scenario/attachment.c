/* The objects that a scenario may have attached: one row for each kind of object. */
#include "cubenet/scenario.h"

#include "base/names.h"
#include "routing/faults/fault.h"
#include "routing/rules/routing.h"
#include "routing/subnets/subnet.h"
#include "scenario/operations.h"
#include "scenario/scenario_json.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
#include "scenario/workload/workload.h"
#include "topology/topology.h"

typedef struct attachment_row {
    const char *name, *what;
    const cn_topology *(*topology)(const void *object);
    cn_status (*copy)(const void *object, void **copy);
    void (*release)(void *object);
    /* Further checks of the scenario's own copy of an object; may be NULL. Keeps the facts that
     * follow from the object in the scenario. */
    cn_status (*accept)(const char *function, cn_scenario *scenario, const void *object);
    /* The member `name` of a scenario in JSON, for an object on its topology. */
    void (*io)(cni_io *io, const cn_topology *topology, void **object);
} attachment_row;

/* ---- the rows ---- */

/* The functions of a type of object, with pointers to void. */
#define FUNCTIONS(name, copy_it, topology_of)                                     \
    static const cn_topology *name##_topology(const void *object)                 \
    {                                                                             \
        const cn_##name *name = object;                                           \
        return name->topology_of;                                                 \
    }                                                                             \
    static cn_status name##_copy(const void *object, void **copy)                 \
    {                                                                             \
        cn_##name *made = NULL;                                                   \
        cn_status status = copy_it(object, &made);                                \
        *copy = made;                                                             \
        return status;                                                            \
    }                                                                             \
    static void name##_release(void *object)                                      \
    {                                                                             \
        cn_##name *name = object;                                                 \
        cn_##name##_free(&name);                                                  \
    }                                                                             \
    static void name##_io(cni_io *io, const cn_topology *topology, void **object) \
    {                                                                             \
        cn_##name *name = *object;                                                \
        cni_io_##name(io, topology, &name);                                       \
        if (*object != name) /* a writer may share the pointer with threads */    \
            *object = name;                                                       \
    }

/* A routing never changes, so the routing serves as its own copy. */
static cn_status share_routing(const cn_routing *routing, cn_routing **copy)
{
    *copy = cni_routing_retain(routing);
    return CN_OK;
}

FUNCTIONS(faults, cn_faults_copy, topology)
FUNCTIONS(subnet, cn_subnet_copy, faults->topology)
FUNCTIONS(traffic, cni_traffic_copy, topology)
FUNCTIONS(operations, cn_operations_copy, topology)
FUNCTIONS(routing, share_routing, topology)
FUNCTIONS(workload, cn_workload_copy, topology)

static cn_status accept_traffic(const char *function, cn_scenario *scenario, const void *object)
{
    cni_traffic_bound bound;
    (void)function;
    CNI_TRY(
        cni_traffic_bound_of(scenario->topology, object, scenario->system->random_paths, &bound));
    scenario->bound = bound;
    return CN_OK;
}

static cn_status check_filled(const char *function, size_t count, const char *what, const char *one)
{
    return count > 0
               ? CN_OK
               : cni_fail(CN_ERR_ARGUMENT, "%s: the %s is empty, but it must hold at least one %s",
                          function, what, one);
}

static cn_status accept_operations(const char *function, cn_scenario *scenario, const void *object)
{
    (void)scenario;
    return check_filled(function, cn_operations_count(object), "list", "operation");
}

static cn_status accept_workload(const char *function, cn_scenario *scenario, const void *object)
{
    (void)scenario;
    return check_filled(function, cn_workload_count(object), "workload", "message");
}

#define ROW(name, text, accept_it)                                                      \
    {                                                                                   \
#name, text, name##_topology, name##_copy, name##_release, accept_it, name##_io \
    }

static const attachment_row rows[] = {
    [CN_ATTACHMENT_FAULTS] = ROW(faults, "faults", NULL),
    [CN_ATTACHMENT_SUBNET] = ROW(subnet, "a subnet", NULL),
    [CN_ATTACHMENT_TRAFFIC] = ROW(traffic, "traffic", accept_traffic),
    [CN_ATTACHMENT_OPERATIONS] = ROW(operations, "operations", accept_operations),
    [CN_ATTACHMENT_ROUTING] = ROW(routing, "a routing", NULL),
    [CN_ATTACHMENT_WORKLOAD] = ROW(workload, "a workload", accept_workload),
};

enum { ATTACHMENTS = sizeof rows / sizeof rows[0] - 1 };

_Static_assert((int)ATTACHMENTS < (int)CNI_ATTACHMENT_ROOM,
               "a scenario has no room for so many objects");

const cni_names cni_attachments = CNI_NAMES("attachment", rows, 0);

int cni_row_takes_attachment(const cni_system *system, cn_attachment attachment)
{
    return cni_name_of(&cni_attachments, (int)attachment) != NULL &&
           (system->with & CNI_WITH(attachment)) != 0;
}

/* ---- what is done with all kinds ---- */

static void detach(cn_scenario *scenario, cn_attachment kind)
{
    cni_attached *attached = scenario->attached[kind];
    scenario->attached[kind] = NULL;
    if (attached == NULL || !cni_drop(&attached->references))
        return;
    rows[kind].release(attached->object);
    cni_release(attached);
}

static cn_status check_takes(const char *function, const cn_scenario *scenario, cn_attachment kind)
{
    if (cni_row_takes_attachment(scenario->system, kind))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s does not take %s", function,
                    scenario->system->name, rows[kind].what);
}

/* Whether the system of the scenario takes this kind of object, and the object belongs to its
 * topology. */
static cn_status check(const char *function, const cn_scenario *scenario, cn_attachment kind,
                       const void *object)
{
    const char *what = rows[kind].what;
    const cn_topology *topology = rows[kind].topology(object);
    CNI_TRY(check_takes(function, scenario, kind));
    if (!cn_topology_equal(topology, scenario->topology))
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s of %s, but the scenario's topology is %s",
                        function, what, topology->name, scenario->topology->name);
    return CN_OK;
}

/* Attaches a copy of an object; NULL detaches. */
static cn_status attach(const char *function, cn_scenario *scenario, cn_attachment kind,
                        const void *object)
{
    const attachment_row *row = &rows[kind];
    cni_attached *made = NULL;
    cn_status status = CN_OK;
    if (object != NULL) {
        CNI_TRY(check(function, scenario, kind, object));
        made = cni_allocate(1, sizeof *made);
        CNI_TRY_MEMORY(made);
        atomic_init(&made->references, 1);
        status = row->copy(object, &made->object);
        if (status == CN_OK && row->accept != NULL)
            status = row->accept(function, scenario, made->object);
    }
    if (status == CN_OK) {
        detach(scenario, kind);
        scenario->attached[kind] = made;
        if (kind == CN_ATTACHMENT_ROUTING)
            scenario->routing_name = NULL;
        cni_scenario_follow_defaults(scenario);
        return CN_OK;
    }
    row->release(made->object);
    cni_release(made);
    return status;
}

void cni_share_attachments(cn_scenario *copy)
{
    for (int kind = 1; kind <= ATTACHMENTS; kind++)
        if (copy->attached[kind] != NULL)
            cni_retain(&copy->attached[kind]->references);
}

void cni_detach_all(cn_scenario *scenario)
{
    for (int kind = 1; kind <= ATTACHMENTS; kind++)
        detach(scenario, (cn_attachment)kind);
}

/* ---- as JSON ---- */

static void read_attachment(cni_io *io, cn_attachment kind, cn_scenario *scenario)
{
    const attachment_row *row = &rows[kind];
    char name[CNI_JSON_NAME];
    void *object = NULL;
    if (kind == CN_ATTACHMENT_ROUTING && cni_io_begins(io, row->name, '"')) {
        cni_io_name(io, row->name, NULL, name);
        CNI_IO_CALL(io, row->name, cn_scenario_set_routing_name(scenario, name));
        return;
    }
    cni_io_blame(io, row->name, check_takes(io->json->function, scenario, kind));
    row->io(io, scenario->topology, &object);
    CNI_IO_CALL(io, row->name, attach(io->json->function, scenario, kind, object));
    row->release(object);
}

void cni_attachments_visit(cni_io *io, void *of)
{
    cn_scenario *scenario = of;
    for (int kind = 1; kind <= ATTACHMENTS; kind++)
        if (!CNI_IO_HAS(io, rows[kind].name, scenario->attached[kind] != NULL))
            continue;
        else if (cni_io_writes(io))
            rows[kind].io(io, scenario->topology, &scenario->attached[kind]->object);
        else
            read_attachment(io, (cn_attachment)kind, scenario);
    if (cni_io_writes(io) && scenario->routing_name != NULL)
        cni_io_name(io, rows[CN_ATTACHMENT_ROUTING].name, scenario->routing_name, NULL);
}

/* ---- the setters ---- */

#define SETTER(type, kind)                                                         \
    cn_status cn_scenario_set_##type(cn_scenario *scenario, const cn_##type *type) \
    {                                                                              \
        CNI_REQUIRE(scenario);                                                     \
        CNI_REQUIRE_OR_NULL(type);                                                 \
        return attach(__func__, scenario, kind, type);                             \
    }                                                                              \
    enum { type##_is_set } /* takes the semicolon */

SETTER(faults, CN_ATTACHMENT_FAULTS);
SETTER(subnet, CN_ATTACHMENT_SUBNET);
SETTER(traffic, CN_ATTACHMENT_TRAFFIC);
SETTER(operations, CN_ATTACHMENT_OPERATIONS);
SETTER(routing, CN_ATTACHMENT_ROUTING);
SETTER(workload, CN_ATTACHMENT_WORKLOAD);

/* ---- the routing: an object or a name ---- */

cn_status cn_scenario_set_routing_name(cn_scenario *scenario, const char *name)
{
    const cni_routing_kind *kind = NULL;
    const char *canonical = NULL;
    CNI_REQUIRE(scenario);
    if (name != NULL && name[0] != '\0') {
        CNI_TRY(check_takes(__func__, scenario, CN_ATTACHMENT_ROUTING));
        CNI_TRY(cni_routing_find(__func__, name, &kind));
        canonical = kind->name;
    }
    detach(scenario, CN_ATTACHMENT_ROUTING);
    scenario->routing_name = canonical;
    cni_scenario_follow_defaults(scenario);
    return CN_OK;
}

const char *cn_scenario_routing_name(const cn_scenario *scenario)
{
    if (!CNI_IS_VALID(scenario))
        return "";
    if (cni_routing_of(scenario) != NULL)
        return cn_routing_name(cni_routing_of(scenario));
    if (scenario->routing_name != NULL)
        return scenario->routing_name;
    return scenario->system->routing == NULL ? "" : scenario->system->routing(scenario);
}

static cn_status check_same(const char *what, const cn_faults *its, const cn_faults *faults,
                            const char *demand)
{
    if (cni_faults_equal(its, faults))
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s was made with %llu faulty nodes and %llu faulty links, but the scenario "
                    "has %llu and %llu; %s",
                    what, (unsigned long long)cn_faults_node_count(its),
                    (unsigned long long)cn_faults_link_count(its),
                    (unsigned long long)cn_faults_node_count(faults),
                    (unsigned long long)cn_faults_link_count(faults), demand);
}

int cni_is_damaged(const cn_scenario *scenario)
{
    const cn_routing *routing = cni_routing_of(scenario);
    return cni_subnet_of(scenario) != NULL || !cni_faults_equal(cni_faults_of(scenario), NULL) ||
           (routing != NULL && routing->served_count < scenario->topology->nodes);
}

cn_status cni_scenario_check_routing(const cn_scenario *scenario)
{
    const cn_routing *routing = cni_routing_of(scenario);
    const cn_subnet *subnet = cni_subnet_of(scenario);
    const cn_faults *faults = cni_faults_of(scenario);
    if (subnet != NULL && faults != NULL)
        CNI_TRY(check_same("the subnet", subnet->faults, faults, "set only one of the two"));
    return routing == NULL ? CN_OK
                           : check_same("the routing", routing->faults,
                                        subnet != NULL ? subnet->faults : faults,
                                        "both must have the same faults");
}

/* A routing by name. The routing `optimal-path` needs a subnet, and no other routing takes one. */
static cn_status make_routing(const char *function, const cn_scenario *scenario,
                              cn_routing **routing)
{
    const cn_subnet *subnet = cni_subnet_of(scenario);
    const char *name = cn_scenario_routing_name(scenario);
    const cni_routing_kind *kind;
    CNI_TRY(cni_routing_find(function, name, &kind));
    if (subnet == NULL)
        return cni_routing_build(function, kind, scenario->topology, cni_faults_of(scenario),
                                 scenario->budget, routing);
    if (kind == &cni_optimal_path)
        return cn_routing_optimal_path(subnet, routing);
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: the scenario has a subnet, which the routing %s does not use; only "
                    "optimal-path does",
                    function, name);
}

cn_status cni_scenario_open_routing(const char *function, const cn_scenario *scenario,
                                    cn_routing **routing)
{
    const cn_routing *attached = cni_routing_of(scenario);
    if (attached == NULL)
        return make_routing(function, scenario, routing);
    *routing = cni_routing_retain(attached);
    return CN_OK;
}

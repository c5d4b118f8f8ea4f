/* The inside of a cn_scenario. */
#ifndef CNI_SCENARIO_SCENARIO_H
#define CNI_SCENARIO_SCENARIO_H

#include "cubenet/experimental/workload.h"
#include "cubenet/scenario.h"

#include "base/budget.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/object.h"
#include "scenario/traffic/traffic_bound.h"

/* Numbers of parameters and attachments stay below these. */
enum { CNI_PARAM_ROOM = 64, CNI_ATTACHMENT_ROOM = 8 };

/* The scenario's own copy of an object, shared between copies of the scenario and never changed. */
typedef struct cni_attached {
    cni_references references;
    void *object;
} cni_attached;

/* The greatest loads with a steady state, as far as known (store_forward_limit.c). */
typedef struct cni_store_limit {
    double channels; /* load at which all channels together are full; INFINITY: unknown */
    double steady;   /* load from which on there is no steady state */
    int is_even;     /* all channels are equally busy */
    int is_known;    /* found already */
} cni_store_limit;

struct cn_scenario {
    cni_object head;
    const struct cni_system *system;
    cn_topology *topology;
    cni_attached *attached[CNI_ATTACHMENT_ROOM]; /* by cn_attachment; NULL: none */
    cni_traffic_bound bound;                     /* of the traffic; not used while there is none */
    const char *routing_name;                    /* canonical; NULL: the system's, or attached */
    uint64_t seed;
    double value[CNI_PARAM_ROOM]; /* by parameter; [0] is not used */
    uint64_t chosen;              /* bit p: parameter p was set, and does not follow its default */
    cni_budget *budget;           /* of the call for which this copy was made; NULL: of no call */
    const struct cni_part_order *part; /* the part of the network to open; NULL: all */
    /* of the run for which this copy was made: found once for all its replications */
    cni_store_limit limit;
};

/* The default in the row of a parameter, which a system may replace by its own; 0 for an unknown
 * parameter. */
double cni_param_default(cn_param param);

/* CN_ERR_ARGUMENT for an unknown parameter. */
cn_status cni_param_check_id(const char *function, cn_param param);

/* CN_ERR_UNSUPPORTED unless the system of the scenario takes the parameter. */
cn_status cni_scenario_check_takes(const char *function, const cn_scenario *scenario,
                                   cn_param param);

/* Sets parameters and seed as in a new scenario of the system. */
void cni_scenario_set_defaults(cn_scenario *scenario);

/* Parameters that were never set take the defaults of the present attachments. */
void cni_scenario_follow_defaults(cn_scenario *scenario);

/* CN_ERR_ARGUMENT unless the row of the parameter allows the value. */
cn_status cni_param_check(const char *function, cn_param param, double value);

/* A value for a sentence: the name where the parameter is a choice, else the number. Returns
 * text or the name. */
const char *cni_param_text(cn_param param, double value, char text[CNI_NUMBER_CAPACITY]);

/* CN_ERR_UNSUPPORTED, with a sentence of the possible choices, for a choice that a system does
 * not have. Bit v of `allowed` stands for the value v. */
cn_status cni_param_check_choice(const char *function, const char *system, cn_param param,
                                 double value, uint64_t allowed);

/* cn_predict() within a call that has a budget. */
cn_status cni_scenario_predict(const cn_scenario *scenario, cni_budget *budget, cn_result **result);

/* For a simulation: CN_ERR_ARGUMENT where the load was never set, CN_ERR_UNSTABLE for a load
 * that no network with so many channels carries. */
cn_status cni_scenario_check_load(const char *function, const cn_scenario *scenario);

/* A scenario with the same topology, attachments, parameters and seed; NULL without memory. */
cn_scenario *cni_scenario_duplicate(const cn_scenario *scenario);

/* Adds a reference to each attachment, for a plain copy of the struct of a scenario. The second
 * function gives up the references of a scenario. */
void cni_share_attachments(cn_scenario *copy);
void cni_detach_all(cn_scenario *scenario);

/* The attached object of a kind; NULL: none. */
static inline const void *cni_attached_object(const cn_scenario *scenario, cn_attachment kind)
{
    return scenario->attached[kind] == NULL ? NULL : scenario->attached[kind]->object;
}

#define CNI_ATTACHED(name, kind)                                                \
    static inline const cn_##name *cni_##name##_of(const cn_scenario *scenario) \
    {                                                                           \
        return cni_attached_object(scenario, kind);                             \
    }

CNI_ATTACHED(faults, CN_ATTACHMENT_FAULTS)
CNI_ATTACHED(subnet, CN_ATTACHMENT_SUBNET)
CNI_ATTACHED(traffic, CN_ATTACHMENT_TRAFFIC)
CNI_ATTACHED(operations, CN_ATTACHMENT_OPERATIONS)
CNI_ATTACHED(routing, CN_ATTACHMENT_ROUTING)
CNI_ATTACHED(workload, CN_ATTACHMENT_WORKLOAD)

/* Whether the scenario has faults, a subnet, or a routing that serves a part of the nodes. */
int cni_is_damaged(const cn_scenario *scenario);

/* CN_ERR_ARGUMENT unless the attached subnet, routing and faults have the same faults. */
cn_status cni_scenario_check_routing(const cn_scenario *scenario);

/* The routing of a scenario that cni_scenario_check() accepts: the attached one, or one made by
 * name for its topology, faults and subnet. Free it with cn_routing_free(). Errors as for
 * cn_routing_new(). */
cn_status cni_scenario_open_routing(const char *function, const cn_scenario *scenario,
                                    cn_routing **routing);

/* Unless each parameter is in the range that the other parameters leave (cn_scenario_range()):
 * CN_ERR_UNSUPPORTED for a choice, CN_ERR_ARGUMENT for a number. */
cn_status cni_scenario_check_ranges(const cn_scenario *scenario);

/* The checks at the beginning of every use of a scenario: attachments agree, parameters agree,
 * and the check of the system. */
cn_status cni_scenario_check(const cn_scenario *scenario);

extern const cni_names cni_attachments;

#endif

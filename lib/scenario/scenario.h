/* The inside of a cn_scenario. */
#ifndef CNI_SCENARIO_SCENARIO_H
#define CNI_SCENARIO_SCENARIO_H

#include "cubenet/scenario.h"

#include "base/object.h"
#include "scenario/traffic/traffic_bound.h"

enum { CNI_PARAMS = CN_PARAM_BUFFER_CLASSES };

struct cn_scenario {
    cni_object head;
    const struct cni_system *system;
    cn_topology *topology;
    cn_faults *faults;         /* NULL: none */
    cn_subnet *subnet;         /* NULL: none */
    cn_traffic *traffic;       /* NULL: uniform, from the system's source */
    cni_traffic_bound bound;   /* of that traffic; not used while there is none */
    cn_operations *operations; /* NULL: random ones */
    uint64_t seed;
    double value[CNI_PARAMS + 1]; /* by parameter; [0] is not used */
};

/* The row's default of a parameter, before a system has its say. */
double cni_param_default(cn_param param);

/* CN_ERR_ARGUMENT for a number that is no parameter. */
cn_status cni_param_check_id(const char *function, cn_param param);

/* CN_ERR_UNSUPPORTED unless the scenario's system takes the parameter. */
cn_status cni_scenario_check_takes(const char *function, const cn_scenario *scenario,
                                   cn_param param);

/* Parameters and seed as in a new scenario of its system. */
void cni_scenario_set_defaults(cn_scenario *scenario);

/* CN_ERR_ARGUMENT unless the row of the parameter allows the value. */
cn_status cni_param_check(const char *function, cn_param param, double value);

/* A scenario with the same topology, attachments, parameters and seed; NULL when out of memory. */
cn_scenario *cni_scenario_copy(const cn_scenario *scenario);

/* Replaces what a plain copy of the scenario's struct refers to by copies of it. On failure some are
 * there, for cni_free_attachments(). */
cn_status cni_copy_attachments(const cn_scenario *scenario, cn_scenario *copy);
void cni_free_attachments(cn_scenario *scenario);

#endif

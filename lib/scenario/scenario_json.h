/*
 * A scenario in JSON: topology, system, seed, the parameters that were set, and what is attached,
 * under the names of their tables.
 */
#ifndef CNI_SCENARIO_SCENARIO_JSON_H
#define CNI_SCENARIO_SCENARIO_JSON_H

#include "base/json.h"
#include "scenario/scenario.h"

/* A hash of all that the bits of one run depend on but the seed: equal for equal scenarios,
 * whichever way they were made. O(what is stored of the network and of what is attached). */
uint64_t cni_scenario_identity(const cn_scenario *scenario);

/* cn_scenario_new(), which is in a room above this one. */
typedef cn_status (*cni_scenario_new_fn)(const cn_topology *topology, const char *system,
                                         cn_scenario **scenario);

/* A scenario that is written or read, for a visit to its members, whether they are a whole text or
 * a member. Start from NULL to read; NULL stays after a failure. */
typedef struct cni_scenario_form {
    cn_scenario *scenario;
    cni_scenario_new_fn new;
} cni_scenario_form;

void cni_scenario_visit(cni_io *io, void *form);
void cni_io_scenario(cni_io *io, const char *key, cni_scenario_new_fn new, cn_scenario **scenario);

/* The members for what is attached. */
void cni_attachments_visit(cni_io *io, void *scenario);

#endif

/*
 * A scenario in JSON: topology, system, seed, the parameters that were set, and the attachments,
 * under the names of their tables.
 */
#ifndef CNI_SCENARIO_SCENARIO_JSON_H
#define CNI_SCENARIO_SCENARIO_JSON_H

#include "base/json.h"
#include "scenario/scenario.h"

/* A hash of everything but the seed on which the bits of one run depend: equal for equal
 * scenarios, however they were made. O(stored data of the network and the attachments). */
uint64_t cni_scenario_identity(const cn_scenario *scenario);

/* cn_scenario_new(), which lies in a folder above this one. */
typedef cn_status (*cni_scenario_new_fn)(const cn_topology *topology, const char *system,
                                         cn_scenario **scenario);

/* A scenario that is written or read, for a visit to its members, as a whole text or as a
 * member. Start from NULL to read; the scenario stays NULL after a failure. */
typedef struct cni_scenario_form {
    cn_scenario *scenario;
    cni_scenario_new_fn new;
} cni_scenario_form;

void cni_scenario_visit(cni_io *io, void *form);
void cni_io_scenario(cni_io *io, const char *key, cni_scenario_new_fn new, cn_scenario **scenario);

/* The members for what is attached. */
void cni_attachments_visit(cni_io *io, void *scenario);

#endif

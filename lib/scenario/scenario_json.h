/*
 * A scenario in JSON: topology, system, seed, the parameters that were set, and the attachments,
 * under the names of their tables.
 */
#ifndef CNI_SCENARIO_SCENARIO_JSON_H
#define CNI_SCENARIO_SCENARIO_JSON_H

#include "base/json.h"
#include "scenario/scenario.h"

/* A hash of everything on which the bits of one run depend, except the seed. Equal scenarios have
 * the same hash, however they were made. O(stored data of the network and the attachments). */
uint64_t cni_scenario_identity(const cn_scenario *scenario);

/* Visits a scenario; `scenario` points to its handle. Start from NULL to read; the handle stays
 * NULL after a failure. */
void cni_scenario_visit(cni_io *io, void *scenario);

/* Visits the members of the attached objects; `scenario` is a cn_scenario. */
void cni_attachments_visit(cni_io *io, void *scenario);

#endif

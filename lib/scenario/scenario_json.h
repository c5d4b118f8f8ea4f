/*
 * A scenario in JSON: topology, system, seed, the parameters that were set, and what is attached, under the names of
 * their tables.
 */
#ifndef CNI_SCENARIO_SCENARIO_JSON_H
#define CNI_SCENARIO_SCENARIO_JSON_H

#include "base/json.h"
#include "scenario/scenario.h"

/* The members of an object. */
void cni_scenario_put(cni_json_writer *w, const cn_scenario *scenario);

/* A hash of all that the bits of one run depend on but the seed: equal for equal scenarios, whichever way they were made.
 * O(what is stored of the network and of what is attached). */
uint64_t cni_scenario_identity(const cn_scenario *scenario);

/* cn_scenario_new(), which is in a room above this one. */
typedef cn_status (*cni_scenario_new_fn)(const cn_topology *topology, const char *system,
                                         cn_scenario **scenario);

/* From an object; from a whole text. */
cn_status cni_scenario_of_json(const cni_json *json, cni_json_value value, cni_scenario_new_fn new,
                               cn_scenario **scenario);
cn_status cni_scenario_of_text(cni_json *json, cni_scenario_new_fn new, cn_scenario **scenario);

/* The members for what is attached; one of them, which becomes attached. */
void cni_put_attachments(cni_json_writer *w, const cn_scenario *scenario);
cn_status cni_read_attachment(const cni_json *json, cni_json_value value, cn_attachment kind,
                              cn_scenario *scenario);

#endif

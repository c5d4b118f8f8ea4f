/* A number that tells scenarios apart whose simulations differ. */
#ifndef CNI_SCENARIO_FINGERPRINT_H
#define CNI_SCENARIO_FINGERPRINT_H

#include "scenario/scenario.h"

/* A hash of all that the bits of a driven simulation depend on but the seed: equal for equal scenarios, whichever way they were made. O(what
 * is stored of the network and of what is attached). */
uint64_t cni_fingerprint(const cn_scenario *scenario);

#endif

/* One traffic of every kind on networks of every kind, for tests that hold for all of them. */
#ifndef CUBENET_TESTS_TRAFFIC_CASES_H
#define CUBENET_TESTS_TRAFFIC_CASES_H

#include "support/support.h"

/* Calls the check for every traffic on every small network on which it exists. */
void for_every_traffic(void (*check)(const cn_topology *topology, const cn_traffic *traffic));

#endif

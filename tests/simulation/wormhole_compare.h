/* The wormhole kernel beside the plain simulator. */
#ifndef CUBENET_TESTS_WORMHOLE_COMPARE_H
#define CUBENET_TESTS_WORMHOLE_COMPARE_H

#include "support/support.h"

#include "simulation/plain_wormhole.h"

/* Ten networks whose nodes have digits, and ten of all kinds. */
cn_topology *digit_network(int kind);
cn_topology *any_network(int kind);

/* The scenario that the kernel runs. */
cn_scenario *scenario_of(const plain_config *config);

void assert_same_counts(const cn_sim *sim, const plain_counts *plain);

/* The same counters and deliveries at the end of every cycle, with random messages of the caller's
 * between them. */
void compare(const plain_config *config, uint64_t cycles);

/* At loads from a light one to twice what the channels carry. */
void compare_loads(plain_config config, uint64_t cycles);

/* With bit reversal, a hotspot with on/off sources and a trace, whose messages have lengths of
 * their own. */
void compare_traffics(plain_config config);

/* Under a rule that can deadlock, until the watchdog ends it: that is in the cycle in which the
 * plain simulator first stands still. 1 after a deadlock, 0 when the cycles were over. */
int compare_to_the_end(const plain_config *config, uint64_t cycles);

/* By this routing, attached with the fewest virtual channels and named with one more. */
void compare_routing(plain_config config, const char *name, const cn_faults *faults,
                     uint64_t cycles);

#endif

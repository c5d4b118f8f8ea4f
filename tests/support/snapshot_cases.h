/*
 * Scenarios whose simulations are saved and restored: every system, clock, form of message, machine
 * and source of traffic. Nothing but the public functions, so that any program can be built with
 * it.
 */
#ifndef CUBENET_TESTS_SNAPSHOT_CASES_H
#define CUBENET_TESTS_SNAPSHOT_CASES_H

#include <cubenet.h>

size_t snapshot_cases(void);
const char *snapshot_case_name(size_t index);

/* Whether equal states give equal bytes: it may have no broadcasts and no startup latency. */
int snapshot_case_is_canonical(size_t index);

/* NULL, with the sentence of the library, when it cannot be made. */
cn_scenario *snapshot_case_scenario(size_t index, double threads);

/* Nodes of its network; 0 when it cannot be made. */
uint64_t snapshot_case_nodes(size_t index);

/* What a host does at the end of a cycle in a network of so many nodes, of which bits of `word`
 * decide. */
cn_status snapshot_case_inject(cn_sim *sim, size_t index, uint64_t nodes, uint64_t word);

#endif

/*
 * The traffic of a slotted simulation: every node offers a geometric number of messages a cycle to
 * uniformly random other nodes (Horng 1992, 2.3.1).
 */
#ifndef CNI_SIMULATION_TRAFFIC_H
#define CNI_SIMULATION_TRAFFIC_H

#include <stdint.h>

/* Where in a node's random sequence of a cycle, cni_random_derive(cni_random_derive(seed, cycle),
 * node), which words lie. The assignment takes half a word a message from word 0 on. The same for
 * every slotted kernel, so that their runs can be compared message by message. */
#define CNI_TRAFFIC_OFFERED (UINT64_C(2) << 32)
#define CNI_TRAFFIC_HEADERS (UINT64_C(3) << 32)

enum { CNI_TRAFFIC_THRESHOLDS = 254 };

/* Start from {0}: no traffic. */
typedef struct cni_traffic {
    uint32_t thresholds;
    uint64_t threshold[CNI_TRAFFIC_THRESHOLDS]; /* 2^64 a^(j+1), a = load / (1 + load) */
} cni_traffic;

void cni_traffic_start(cni_traffic *traffic, double load);

/* Number of messages that a node offers at the end of a cycle. */
uint64_t cni_traffic_offered(const cni_traffic *traffic, uint64_t stream);

/* The header of number `index` of them, numbered as by cn_topology_header(): 1 .. N-1, uniform to
 * within N / 2^40. */
uint64_t cni_traffic_header(uint64_t stream, uint64_t index, uint64_t nodes);

#endif

/*
 * Kernels whose cycle is a pass over the nodes (part_cycles.c). The parts of a network divide the
 * nodes, and the threads of a part divide the nodes of the part.
 */
#ifndef CNI_SIMULATION_KERNEL_DIVIDED_H
#define CNI_SIMULATION_KERNEL_DIVIDED_H

#include "base/team.h"
#include "scenario/counts.h"
#include "simulation/kernel/kernel_head.h"
#include "simulation/kernel/part.h"
#include "simulation/kernel/slotted.h"

/* An arrival to report. */
typedef struct cni_landing {
    uint64_t cycle, node;
    uint64_t message[2]; /* the name of the message in the kernel */
} cni_landing;

/* The data of one thread. It is the first member of the data that a kernel keeps for a thread. */
typedef struct cni_hand {
    uint64_t counters[CNI_COUNTERS];
    /* histograms; the first thread uses the histograms of the head and of the counts */
    cni_histogram *delays, *hops;
    /* arrivals to report, by cycle and node: of the caller's messages, and of a reported trace */
    cni_landing *landing;
    size_t landing_room, landings;
    /* index of the next trace message from this thread's nodes, in the present cycle */
    size_t trace_at;
} cni_hand;

/* The first member of a kernel's state. Start from {0}. */
typedef struct cni_divided {
    cni_kernel_head head;
    cni_part part;
    cni_slotted slotted; /* the traffic of the scenario */
    cni_counts counts;   /* with statistics */
    uint64_t seed, cycle;
    uint64_t traced; /* with a reported trace: trace messages that may arrive in the present step */
    cni_team *team;
    cni_hand **hands; /* the data of each thread */
} cni_divided;

/* Opens a team with as many threads as are useful for this many nodes, at most `threads`. The
 * data of each thread take `size` bytes. CN_ERR_MEMORY. */
cn_status cni_divided_open_hands(cni_divided *base, uint32_t threads, uint64_t nodes, size_t size);

/* Also closes a kernel whose opening failed. */
void cni_divided_close(cni_divided *base);

/* Adds up the counters of all threads, and sets the number of cycles. */
void cni_divided_count(const cni_divided *base, uint64_t counters[CNI_COUNTERS]);

/* Members of cni_kernel. The first function collects the delays and, with statistics, the hops of
 * all threads in the first thread, and returns the delays. */
const cni_histogram *cni_divided_gather(const void *state);
void cni_divided_clear_delays(void *state);
cni_part *cni_divided_part(void *state);

/* As cni_kernel.next_event. */
uint64_t cni_divided_next_event(const void *state);

/* Makes room for this many arrivals in every thread, because any thread may find them.
 * CN_ERR_MEMORY. */
cn_status cni_divided_make_landing_room(cni_divided *base, uint64_t messages);

/* Makes room also for the messages of a reported trace that may arrive within this many cycles.
 * The second function is cni_part.make_room. */
cn_status cni_divided_make_trace_room(cni_divided *base, uint64_t cycles);
cn_status cni_divided_make_room(void *kernel);

/* Inserts an arrival behind the arrivals of its cycle at nodes up to its own node. There is room
 * for every announced arrival; arrivals beyond the room, which only a wrong exchange between
 * parts can cause, are dropped. */
void cni_divided_note_landing(cni_hand *hand, const cni_landing *landing);

/* Passes all noted arrivals to a function, in the order of cycle and node. */
void cni_divided_land(cni_divided *base,
                      void (*post)(cni_divided *base, const cni_landing *landing));

/* The number of messages that the scenario's traffic offers a node at the end of a cycle. With a
 * trace, *listed points to these messages. Call it for consecutive nodes, after
 * cni_divided_find_listed() for the first node. */
uint64_t cni_divided_offered(const cni_divided *base, cni_hand *hand, uint64_t node,
                             uint64_t stream, const cni_trace_message **listed, uint64_t cycle);
void cni_divided_find_listed(const cni_divided *base, cni_hand *hand, uint64_t node,
                             uint64_t cycle);

/* Visits counters and delays. How threads share them is left to chance, so a snapshot has their
 * sums, and the first thread gets the sums. */
cn_status cni_divided_visit_counters(cni_archive *archive, cni_divided *base);

/* Lists the hop histograms of all threads. Returns their number. */
size_t cni_divided_list_hops(const cni_divided *base, cni_histogram *hops[CNI_MAX_WORKERS]);

#endif

/*
 * Kernels whose cycle is a pass over the nodes (part_cycles.c): the nodes are divided among the
 * parts of a network and the threads of a part.
 */
#ifndef CNI_SIMULATION_KERNEL_DIVIDED_H
#define CNI_SIMULATION_KERNEL_DIVIDED_H

#include "base/team.h"
#include "scenario/counts.h"
#include "simulation/kernel/kernel_head.h"
#include "simulation/kernel/landings.h"
#include "simulation/kernel/part.h"
#include "simulation/kernel/slotted.h"

/* The data of one thread. First member of the data that a kernel keeps by thread. */
typedef struct cni_hand {
    uint64_t counters[CNI_COUNTERS];
    /* histograms; of the first thread: the histograms of the head and of the counts */
    cni_histogram *delays, *hops;
    /* arrivals of the caller's messages, and of a trace that is reported */
    cni_landings landed;
    size_t trace_at; /* the next message of the trace from its nodes, in the present cycle */
} cni_hand;

/* First member of the state. Start from {0}. */
typedef struct cni_divided {
    cni_kernel_head head;
    cni_part part;
    cni_slotted slotted; /* the traffic of the scenario */
    cni_counts counts;   /* with statistics */
    uint64_t seed, cycle;
    uint64_t traced; /* arrivals with room, because the messages of a trace are reported */
    cni_team *team;
    cni_hand **hands; /* by thread */
} cni_divided;

/* As many threads as are useful for so many nodes, up to this number; the data of each thread
 * take `size` bytes. CN_ERR_MEMORY. */
cn_status cni_divided_open_hands(cni_divided *base, uint32_t threads, uint64_t nodes, size_t size);

/* Also closes a kernel whose opening failed. */
void cni_divided_close(cni_divided *base);

/* Adds up the counters of all threads, and the cycles. */
void cni_divided_count(const cni_divided *base, uint64_t counters[CNI_COUNTERS]);

/* Members of cni_kernel. The first thread collects the counts of all threads. */
const cni_histogram *cni_divided_delays(const void *state);
void cni_divided_clear_delays(void *state);
cni_part *cni_divided_part(void *state);

/* The same for the hops; with statistics. */
void cni_divided_gather_hops(const cni_divided *base);

/* Accepted and not delivered. */
uint64_t cni_divided_present(const cni_divided *base);

/* As cni_kernel.next_event. */
uint64_t cni_divided_next_event(const void *state);

/* Room for so many arrivals in every thread, because any thread may find them. CN_ERR_MEMORY. */
cn_status cni_divided_make_landing_room(cni_divided *base, uint64_t messages);

/* Room also for the messages of a reported trace that may arrive within so many cycles; and as
 * cni_part.make_room. */
cn_status cni_divided_make_trace_room(cni_divided *base, uint64_t cycles);
cn_status cni_divided_make_room(void *kernel);

/* Passes all arrivals to a function, by cycle and node. */
void cni_divided_land(cni_divided *base,
                      void (*post)(cni_divided *base, const cni_landing *landing));

/* The number of messages that the traffic of the scenario, other than geometric.h, offers a
 * node; messages of a trace are at *listed. For consecutive nodes, after
 * cni_divided_find_listed() for the first node. */
uint64_t cni_divided_offered(const cni_divided *base, cni_hand *hand, uint64_t node,
                             uint64_t stream, const cni_trace_message **listed, uint64_t cycle);
void cni_divided_find_listed(const cni_divided *base, cni_hand *hand, uint64_t node,
                             uint64_t cycle);

/* Threads divide the counters and delays in their own ways; a snapshot has their sum, which the
 * first thread gets. */
cn_status cni_divided_visit_counters(cni_archive *archive, cni_divided *base);

/* The hops of all threads, likewise. Returns their number. */
size_t cni_divided_list_hops(const cni_divided *base, cni_histogram *hops[CNI_MAX_WORKERS]);

#endif

/*
 * What the kernels have in common whose cycle is a pass over the nodes (part_cycles.c): the nodes
 * are divided among the parts of a network and the threads of a part.
 */
#ifndef CNI_SIMULATION_KERNEL_DIVIDED_H
#define CNI_SIMULATION_KERNEL_DIVIDED_H

#include "base/team.h"
#include "scenario/counts.h"
#include "simulation/kernel/kernel_head.h"
#include "simulation/kernel/landings.h"
#include "simulation/kernel/part.h"
#include "simulation/kernel/slotted.h"

/* What one thread has to itself. First member of what it has of the kernel. */
typedef struct cni_hand {
    uint64_t counters[CNI_COUNTERS];
    cni_histogram *delays, *hops; /* of the first one: those of the head and of the counts */
    cni_landings landed;          /* of the caller's messages, and of a trace that is reported */
    size_t trace_at; /* the next message of the trace that is of its nodes, in the present cycle */
} cni_hand;

/* First member of the state. Start from {0}. */
typedef struct cni_divided {
    cni_kernel_head head;
    cni_part part;
    cni_slotted slotted; /* the traffic of the scenario */
    cni_counts counts;   /* with statistics */
    uint64_t seed, cycle;
    uint64_t traced; /* arrivals that have room because the messages of a trace are reported */
    cni_team *team;
    cni_hand **hands; /* by thread */
} cni_divided;

/* As many threads as are useful for so many nodes, up to this; what each has takes `size` bytes.
 * CN_ERR_MEMORY. */
cn_status cni_divided_open_hands(cni_divided *base, uint32_t threads, uint64_t nodes, size_t size);

/* Also of a kernel that was not opened to its end. */
void cni_divided_close(cni_divided *base);

/* Adds up what the threads have counted; with the cycles. */
void cni_divided_count(const cni_divided *base, uint64_t counters[CNI_COUNTERS]);

/* Members of cni_kernel. The first thread collects what the others have. */
const cni_histogram *cni_divided_delays(const void *state);
void cni_divided_clear_delays(void *state);
cni_part *cni_divided_part(void *state);

/* The same for the hops; with statistics. */
void cni_divided_gather_hops(const cni_divided *base);

/* Accepted and not delivered. */
uint64_t cni_divided_present(const cni_divided *base);

/* As cni_kernel.next_event. */
uint64_t cni_divided_next_event(const void *state);

/* Room for the account of so many arrivals in every thread: which thread will find them is not
 * known. CN_ERR_MEMORY. */
cn_status cni_divided_make_landing_room(cni_divided *base, uint64_t messages);

/* And for those of a trace, if they are reported, that may be delivered in so many cycles; and as
 * cni_part.make_room. */
cn_status cni_divided_make_trace_room(cni_divided *base, uint64_t cycles);
cn_status cni_divided_make_room(void *kernel);

/* Hands what has arrived to a function, by cycle and node. */
void cni_divided_land(cni_divided *base,
                      void (*post)(cni_divided *base, const cni_landing *landing));

/* What the scenario's traffic, if it is not that of geometric.h, offers a node: number of messages;
 * those of a trace are at *listed. For nodes in a row, after cni_divided_find_listed() for the
 * first of them. */
uint64_t cni_divided_offered(const cni_divided *base, cni_hand *hand, uint64_t node,
                             uint64_t stream, const cni_trace_message **listed, uint64_t cycle);
void cni_divided_find_listed(const cni_divided *base, cni_hand *hand, uint64_t node,
                             uint64_t cycle);

/* Threads divide the counters and delays in their own ways; in a snapshot the first one gets
 * all. */
cn_status cni_divided_visit_counters(cni_archive *archive, cni_divided *base);

/* The hops of all threads, likewise. Returns how many they are. */
size_t cni_divided_list_hops(const cni_divided *base, cni_histogram *hops[CNI_MAX_WORKERS]);

#endif

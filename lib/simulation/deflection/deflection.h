/*
 * The slotted kernel of deflection routing (Horng 1992, 3.2 and 4.2): its state, shared between the
 * code that runs cycles (deflection_cycle.inc.h, compiled in variants) and the code around it.
 *
 * A message is one word, from the top:
 *
 *     created | source | number | tagged | header
 *
 * created: cycle of admission less `epoch`; number: among those of this source and cycle; tagged:
 * injected by the caller; header: the digits e_i of cn_topology_header(), one field a dimension.
 * The smaller word is the older message (ties by lower source address), so "the oldest claimant"
 * is a minimum and nothing is ever sorted. All ones means no message.
 *
 * What crosses a channel in a cycle lies in channel[b][port * stride + sender], as it was in the
 * sender's queue: senders write and receivers read along the nodes. The stride is a cache line more
 * than the nodes, or a power of two would put the places of all ports into one set of the cache. The
 * two banks take turns, so that one pass over the nodes can receive for one cycle and send for the
 * next.
 */
#ifndef CNI_SIMULATION_DEFLECTION_DEFLECTION_H
#define CNI_SIMULATION_DEFLECTION_DEFLECTION_H

#include "base/histogram.h"
#include "base/inline.h"
#include "base/random.h"
#include "base/team.h"
#include "simulation/kernel/kernel.h"
#include "simulation/kernel/mailbox.h"
#include "simulation/kernel/slotted.h"

#define CNI_NO_MESSAGE UINT64_MAX

/* Counters beyond those of every kernel. */
enum {
    CNI_COUNT_FIRST_PHASE = CNI_COUNT_OWN, /* messages sent by phase 1 */
    CNI_COUNT_SECOND_PHASE,                /* messages sent by phase 2 */
    CNI_COUNT_DEFLECTED,                   /* of those, over a channel that is not valid */
    CNI_COUNT_QUEUE,                       /* messages in the nodes at the start of the cycles */
    CNI_COUNT_DISTANCE,                    /* sum over the accepted messages */
    CNI_COUNT_DEFLECTION_END
};

enum {
    CNI_MAX_PORTS = 64,
    CNI_ARRIVAL_ROOM = 1024 /* delivered messages that are counted at a time */
};

/* A tagged message that has arrived. */
typedef struct cni_tagged_arrival {
    uint64_t cycle;
    uint64_t message;
} cni_tagged_arrival;

/* What one thread has to itself. */
typedef struct cni_deflection_worker {
    uint64_t first_node, end_node;
    uint64_t counters[CNI_COUNTERS];
    cni_histogram delays;
    cni_tagged_arrival *tagged;
    size_t tagged_room, tagged_count;
    size_t trace_at; /* the next message of the trace that is of its nodes, in the present cycle */
    size_t arrivals;
    uint64_t arrival[CNI_ARRIVAL_ROOM + CNI_MAX_PORTS];
} cni_deflection_worker;

/* What does not change while a simulation runs. The cycle works on a copy of its own, which the
 * compiler can keep in registers: nothing that is written through a pointer can change it. */
typedef struct cni_deflection_shape {
    uint64_t nodes;
    uint64_t stride; /* from a port to the next in the arrays of channels */
    uint64_t slots;  /* of a node's queue: M, and two that take writes that do not count */
    uint32_t ports;
    uint32_t buffers; /* M */

    /* layout of a message */
    uint32_t digit_bits; /* of one header field */
    uint32_t tag_shift, number_shift, source_shift, created_shift;
    uint64_t header_mask;

    /* the networks that are not Boolean cubes */
    uint32_t dimensions;
    int bidirectional;
    uint64_t radix;
} cni_deflection_shape;

typedef struct cni_deflection {
    const cn_topology *topology; /* kept alive by the scenario of the cn_sim */
    cni_deflection_shape shape;
    uint64_t *preferred; /* by header, when the table is small enough; else NULL */

    /* the traffic of the scenario */
    cni_slotted slotted;

    /* state */
    uint64_t seed;
    uint64_t cycle;
    uint64_t epoch;
    uint64_t greatest_created; /* of the field */
    uint64_t *queue;           /* by node and slot, in no order */
    uint32_t *length;          /* by node */
    uint64_t *channel[2];
    uint64_t injected[CNI_COUNTERS]; /* what inject added to the counters */
    cni_mailbox mailbox;

    cni_team *team;
    cni_deflection_worker **workers;
} cni_deflection;

/* Runs `cycles` cycles over the nodes of one worker, meeting the others after each. */
typedef void (*cni_deflection_run_fn)(cni_deflection *kernel, uint32_t worker, uint64_t cycles);

void cni_deflection_run_boolean(cni_deflection *kernel, uint32_t worker, uint64_t cycles);
void cni_deflection_run_kary(cni_deflection *kernel, uint32_t worker, uint64_t cycles);

#if CNI_BMI2
void cni_deflection_run_boolean_bmi2(cni_deflection *kernel, uint32_t worker, uint64_t cycles);
void cni_deflection_run_kary_bmi2(cni_deflection *kernel, uint32_t worker, uint64_t cycles);
#endif

/* Counts the delivered messages that have been put aside. */
void cni_deflection_count_arrivals(const cni_deflection *kernel, cni_deflection_worker *worker,
                                   uint64_t cycle);

/* What the scenario's own traffic offers a node at the end of a cycle, as far as there is room; gives
 * the new length of its queue. For all nodes of the worker in order, after
 * cni_deflection_find_listed(). */
uint32_t cni_deflection_admit(const cni_deflection *kernel, cni_deflection_worker *worker,
                              uint64_t node, uint64_t stream, uint64_t cycle, uint32_t length);
void cni_deflection_find_listed(const cni_deflection *kernel, cni_deflection_worker *worker,
                                uint64_t cycle);

/* The messages of a trace that are there before the first cycle. */
void cni_deflection_admit_first(cni_deflection *kernel);

/* The preferred channels of a header as it stands in a message, not by table. */
uint64_t cni_deflection_preferred(const cni_deflection *kernel, uint64_t header);

#endif

/*
 * The slotted kernels with unlimited buffers (Horng 1992, 2.3 and 2.4): their state.
 *
 * Separate: a node has a queue for each channel; a message joins that of one of its preferred
 * channels, picked at random, and every channel sends the first of its queue. Shared: a node has one
 * queue; in every cycle each message picks one of its preferred channels anew and the oldest that
 * picked a channel gets it: deflection with buffers without limit. (In the Boolean n-cube every
 * valid channel is preferred.) Both run on one thread.
 *
 * All messages lie in one array of places, chained into queues and into the list of free places by
 * number; place 0 is never used and ends every chain. The array grows at the end of a cycle, before
 * a node admits new messages.
 */
#ifndef CNI_SIMULATION_STORE_FORWARD_UNLIMITED_H
#define CNI_SIMULATION_STORE_FORWARD_UNLIMITED_H

#include "base/histogram.h"
#include "simulation/kernel/kernel_head.h"
#include "simulation/kernel/slotted.h"
#include "simulation/store_forward/counters.h"

enum { CNI_UNLIMITED_PORTS = 64, CNI_UNLIMITED_HEADER_BITS = 22 };

/* The older of two messages has the smaller (created, identity): ties by lower source address, then
 * the scenario's own before those injected, then by number. */
typedef struct cni_message {
    uint64_t created;  /* cycle at whose end it was admitted */
    uint64_t identity; /* source | injected | number | header, from the top */
    uint32_t next;     /* place */
    uint32_t node;     /* where it is, or where the channel leads that it crosses */
} cni_message;

typedef struct cni_queue {
    uint32_t first, last;
} cni_queue;

/* A delivered message that the caller injected. */
typedef struct cni_unlimited_arrival {
    uint64_t order; /* by destination, then as they came */
    uint64_t created, identity;
} cni_unlimited_arrival;

typedef struct cni_unlimited {
    cni_kernel_head head;
    const cn_topology *topology; /* kept alive by the scenario of the cn_sim */
    int separate;
    uint64_t nodes;
    uint32_t ports;
    uint32_t queues; /* of a node */

    /* layout of an identity */
    uint32_t number_shift, injected_shift, source_shift;
    uint64_t header_mask;
    uint64_t numbers; /* that the field holds */

    cni_slotted slotted;

    /* state */
    uint64_t seed;
    uint64_t cycle;
    cni_message *place;
    size_t places;
    size_t used;        /* places that were ever used, 0 included */
    size_t messages;    /* of them, in use now */
    uint32_t free;      /* first free place among those once used */
    cni_queue *queue;   /* by node and, when separate, port */
    uint32_t *crossing; /* places of the messages on the channels, by port and as they were sent */
    uint64_t crossings[CNI_UNLIMITED_PORTS];
    uint64_t injections; /* since the last cycle */
    uint64_t counters[CNI_COUNTERS];
    cni_unlimited_arrival *arrived; /* in the present cycle */
    size_t arrived_room, arrived_count;
} cni_unlimited;

/* Runs `cycles` cycles. CN_ERR_MEMORY, CN_ERR_OVERFLOW. */
cn_status cni_unlimited_run(cni_unlimited *kernel, uint64_t cycles);

/* Makes room for so many more messages. CN_ERR_MEMORY. */
cn_status cni_unlimited_make_room(cni_unlimited *kernel, uint64_t count);

/* CN_ERR_OVERFLOW for a number that its field does not hold. */
cn_status cni_unlimited_check_number(const cni_unlimited *kernel, uint64_t source, uint64_t number);

/* Admits a new message, for which there is room. The word picks its queue. */
void cni_unlimited_admit(cni_unlimited *kernel, uint64_t source, uint64_t header, uint64_t number,
                         int injected, uint64_t word);

#endif

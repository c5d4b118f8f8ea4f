/* The inside of a workload. */
#ifndef CNI_SCENARIO_WORKLOAD_WORKLOAD_H
#define CNI_SCENARIO_WORKLOAD_WORKLOAD_H

#include "cubenet/experimental/workload.h"

#include "base/json.h"
#include "base/object.h"

/* The most messages of a workload: a wait has the number of a message and one more bit. */
#define CNI_MOST_MESSAGES UINT32_C(0x7fffffff)

/* The most nodes: node numbers have 32 bits. No simulation has so many. */
#define CNI_WORKLOAD_NODES (UINT64_C(1) << 32)

typedef struct cni_workload_row {
    uint32_t source, destination, flits, computing;
    /* the first wait of the message; its waits end at the first wait of the next message */
    uint32_t waits;
} cni_workload_row;

/* What a message waits for: the number of another message, and in the lowest bit 0 for its
 * delivery, 1 for its injection. */
typedef uint32_t cni_workload_wait;

static inline uint32_t cni_waited_number(cni_workload_wait wait)
{
    return wait >> 1;
}

static inline int cni_waits_for_sent(cni_workload_wait wait)
{
    return (wait & 1) != 0;
}

struct cn_workload {
    cni_object head;
    cn_topology *topology;
    cni_workload_row *message;
    size_t messages, messages_room;
    /* message by message: the waits for deliveries, then the waits for injections */
    cni_workload_wait *wait;
    size_t waits, waits_room;
};

/* Where the waits of a message end. */
static inline size_t cni_workload_waits_end(const cn_workload *workload, size_t number)
{
    return number + 1 < workload->messages ? workload->message[number + 1].waits : workload->waits;
}

/* A message from a node to itself only takes the time of its computing. */
static inline int cni_is_computing(const cni_workload_row *message)
{
    return message->source == message->destination;
}

/* ---- in JSON ---- */

/* The member "workload" of an object on a topology. Start from NULL to read; the workload stays
 * NULL after a failure. */
void cni_io_workload(cni_io *io, const cn_topology *topology, cn_workload **workload);

#endif

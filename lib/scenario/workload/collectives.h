/* Transfers, from which the algorithms of collective operations make messages. */
#ifndef CNI_SCENARIO_WORKLOAD_COLLECTIVES_H
#define CNI_SCENARIO_WORKLOAD_COLLECTIVES_H

#include "cubenet/experimental/collectives.h"

#include "topology/topology.h"

/* The arguments of a public function, and the workload that it makes. */
typedef struct cni_making {
    const char *function; /* for sentences */
    const cn_topology *topology;
    cn_collective_operation operation;
    cn_algorithm algorithm;
    uint64_t flits; /* as the caller gave them */
    uint64_t most;  /* the most flits of a message; 0: no limit */
    cn_workload *workload;
} cni_making;

#define CNI_NOT_BEHIND UINT64_MAX

/* Flits from a host to another, by their ranks, as one message or several. */
typedef struct cni_transfer {
    uint64_t source, destination, flits;
    uint64_t *after; /* numbers of the messages for whose delivery the transfer waits */
    size_t count;    /* elements of `after` */
    /* The last `alike` elements of `after` are the first messages of transfers with as many flits.
     * Message i of this transfer waits for message i of each of these transfers.
     * cni_add_transfer() counts the elements up. */
    size_t alike;
    int in_turn; /* 1: each message but the first waits for the injection of the one before */
    /* the first message waits for the injection of this message; CNI_NOT_BEHIND: for none */
    uint64_t behind;
} cni_transfer;

/* CN_ERR_UNSUPPORTED when so many transfers of so many flits exceed the messages of a workload,
 * or the length of a message. */
cn_status cni_check_transfers(const cni_making *making, uint64_t transfers, uint64_t flits);

/* Adds the messages of a transfer to the workload. */
cn_status cni_add_transfer(const cni_making *making, cni_transfer *transfer);

/* The number of messages that carry so many flits. */
static inline uint64_t cni_count_pieces(const cni_making *making, uint64_t flits)
{
    return making->most == 0 || flits <= making->most ? 1 : 1 + (flits - 1) / making->most;
}

/* The flits of block i of `blocks` when the blocks share `total` flits. */
static inline uint64_t cni_block_flits(uint64_t total, uint64_t blocks, uint64_t i)
{
    uint64_t each = total / blocks, rest = total % blocks; /* no product beyond 64 bits */
    return each + (i + 1) * rest / blocks - i * rest / blocks;
}

/* 1 for a power of two. */
static inline int cni_is_power_of_two(uint64_t x)
{
    return (x & (x - 1)) == 0;
}

/* Algorithms by phases, from `ring` to `dimensions`: in each phase the nodes of a group combine
 * their data. */
cn_status cni_make_phases(const cni_making *making);

#endif

/*
 * Short messages of the wormhole kernel: the buffer of a virtual channel has room for all flits of
 * one. As the virtual channel is its own, no flit ever waits for room, and what may move follows
 * from single virtual channels: each requests its channel while there are flits before it. A
 * message of one flit is header and tail at once, and no flits are counted.
 *
 * While all messages are short, and the virtual channels of a node are a word, this way goes in
 * place of that of worms, with the same bits.
 */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_SHORT_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_SHORT_H

#include "simulation/wormhole/wormhole.h"

/* The most flits of a message that goes this way while it is on; else all do. */
static inline uint32_t cni_short_most(const cni_wormhole *k)
{
    if (k->way != &cni_short_messages)
        return UINT32_MAX;
    return k->flits == 1 ? 1 : k->buffers;
}

/* Goes over to this way between cycles, if it can: from the sets of a crowd, or without any
 * messages. Or to that of worms. */
void cni_short_enter(cni_wormhole *kernel);
void cni_short_leave(cni_wormhole *kernel);

/* As in cni_worm_way. */
void cni_short_grant(cni_wormhole *kernel);
cn_status cni_short_move(cni_wormhole *kernel);

#endif

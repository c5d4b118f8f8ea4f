/*
 * Short messages of the wormhole kernel: the buffer of a virtual channel has room for all flits of
 * a message. A message has its virtual channels to itself, so no flit ever waits for room, and each
 * virtual channel requests its channel while flits are before it. A message of one flit is header
 * and tail at once, and no flits are counted.
 *
 * While all messages are short and the virtual channels of a node fit into a word, this form
 * replaces the form of worms, with the same bits. is_possible() in wormhole_short.c has all
 * conditions. The list `active` of the kernel has the virtual channels of messages at their
 * destinations then.
 */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_SHORT_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_SHORT_H

#include "simulation/wormhole/wormhole.h"

/* The most flits of a message while this form is in use; UINT32_MAX while it is not. */
static inline uint32_t cni_short_most(const cni_wormhole *k)
{
    if (k->way != &cni_short_messages)
        return UINT32_MAX;
    return k->flits == 1 ? 1 : k->buffers;
}

/* Between cycles. enter: goes over to this form where it is possible, from the sets of a crowd
 * or without any messages. leave: goes back to the form of worms. */
void cni_short_enter(cni_wormhole *kernel);
void cni_short_leave(cni_wormhole *kernel);

/* As grant and move of cni_worm_way. */
void cni_short_grant(cni_wormhole *kernel);
cn_status cni_short_move(cni_wormhole *kernel);

#endif

/* Messages of the wormhole kernel that go as a whole (docs/cut-through.md). */
#ifndef CNI_SIMULATION_WORMHOLE_CUT_THROUGH_H
#define CNI_SIMULATION_WORMHOLE_CUT_THROUGH_H

#include "simulation/wormhole/wormhole.h"

/* The tail of a message leaves the virtual channel or source with this key until `end`: from the end of a channel to its
 * node, with a number beyond the channels; or over a channel. A message takes a place in the buffer of a virtual channel. */
void cni_cut_through_pass(cni_wormhole *kernel, uint32_t number, uint32_t worm, uint32_t left,
                          uint64_t end);
void cni_cut_through_cross(cni_wormhole *kernel, uint32_t channel, uint32_t worm, uint32_t left,
                           uint64_t end);
void cni_cut_through_store(cni_wormhole *kernel, uint32_t virtual_channel);

/* The first cycle at whose end a message that is under way ends. */
uint64_t cni_cut_through_next_end(const cni_wormhole *kernel);

#endif

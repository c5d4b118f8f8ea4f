/* Selection functions: which one of the allowed channels a message takes. */
#ifndef CNI_ROUTING_DECISIONS_SELECTION_H
#define CNI_ROUTING_DECISIONS_SELECTION_H

#include "base/bits.h"
#include "base/inline.h"
#include "base/names.h"
#include "cubenet/decision.h"

extern const cni_names cni_selections;

/* Counts one more message that wants each of these channels. */
CNI_INLINE void cni_want_channels(uint64_t channels, uint32_t wanted[])
{
    for (; channels != 0; channels &= channels - 1)
        wanted[cni_lowest_bit(channels)]++;
}

/* Of the given channels, the channels that the fewest messages want. */
CNI_INLINE uint64_t cni_least_wanted(uint64_t channels, const uint32_t wanted[])
{
    uint64_t fewest = 0;
    uint32_t least = UINT32_MAX;
    for (; channels != 0; channels &= channels - 1) {
        uint32_t count = wanted[cni_lowest_bit(channels)];
        if (count < least)
            fewest = 0;
        least = count < least ? count : least;
        fewest |= count == least ? channels & (0 - channels) : 0;
    }
    return fewest;
}

/* The channels among which a random word decides, of all channels that a message may take.
 * `wanted`: by port, the number of messages that want the port; for CN_SELECTION_LEAST_LOADED
 * alone. */
CNI_INLINE uint64_t cni_selected(cn_selection selection, uint64_t channels, const uint32_t wanted[])
{
    if (selection == CN_SELECTION_LOWEST)
        return channels & (0 - channels);
    return selection == CN_SELECTION_LEAST_LOADED ? cni_least_wanted(channels, wanted) : channels;
}

#endif

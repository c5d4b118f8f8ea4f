/* Assignment 3: the two-phase assignment of deflection routing (3-two-phase.md). */
#include "course.h"

/*
 * Assigns the messages of one node to its channels 0 .. channels - 1.
 *
 * preferred[m] is the set of channels that message m prefers, bit p for channel p; message 0 is the
 * oldest of count. random has words of 32 bits: message m picks with random[m], the x-th message
 * that phase 2 serves (x = 0, 1, ...) with random[count + x]. A word r picks element r w / 2^32 of
 * w channels in ascending order.
 *
 * Fills ports[]: the channel of message m, or CN_NO_PORT when it stays.
 */
void two_phase(unsigned channels, unsigned buffers, const uint64_t preferred[], unsigned count,
               const uint32_t random[], uint32_t ports[])
{
    not_written();
}

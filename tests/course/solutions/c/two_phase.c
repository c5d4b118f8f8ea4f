/* Assignment 3: the two-phase assignment of deflection routing (3-two-phase.md). */
#include "course.h"

/* Element word * w / 2^32 of the w channels of a set, in ascending order. */
static uint32_t pick(uint64_t set, uint32_t word)
{
    unsigned size = 0, port = 0;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1)
        size++;
    for (uint64_t rank = (uint64_t)word * size >> 32;; port++)
        if ((set >> port & 1) != 0 && rank-- == 0)
            return port;
}

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
    uint64_t free = channels < 64 ? (UINT64_C(1) << channels) - 1 : UINT64_MAX;
    unsigned losers = 0;
    for (unsigned m = 0; m < count; m++) {
        uint32_t port = pick(preferred[m], random[m]);
        int won = (free >> port & 1) != 0;
        ports[m] = won ? port : CN_NO_PORT;
        free &= ~(UINT64_C(1) << port);
        losers += !won;
    }
    random += count;
    for (unsigned m = count; m-- > 0 && losers > buffers - channels;)
        if (ports[m] == CN_NO_PORT) {
            ports[m] = pick(free, *random++);
            free &= ~(UINT64_C(1) << ports[m]);
            losers--;
        }
}

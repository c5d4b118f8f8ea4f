/*
 * How the wormhole kernel keeps flits while most channels are shared: in sets of virtual channels
 * instead of words along each worm. The sets are made of those words and made into them again; of
 * the words, `header` and `exit` go on meanwhile. A snapshot reads whichever hold: it changes
 * nothing, as several threads may save one simulation at once.
 */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_CROWD_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_CROWD_H

#include <stddef.h>
#include <stdint.h>

#include "cubenet/base.h"

typedef struct cni_wormhole cni_wormhole;

/* Virtual channels by their numbers, 64 a word: rows of one array, which begins with `fed`. */
typedef struct cni_crowd_sets {
    uint64_t *fed;    /* those with flits before them, at the source or in a buffer */
    uint64_t *used;   /* those with flits in their buffers */
    uint64_t *full;   /* and with no room there */
    uint64_t *shared; /* all of the channels of which two or more are held */
    uint64_t *turn;   /* of each channel the one that won last */
    uint64_t *header; /* those given to a header that has not gone over them */
    uint64_t *tail;   /* those into whose buffers the tail has come */
    uint64_t *exit;   /* those from whose buffers flits go to the node */
    uint64_t *moves;  /* in a cycle: those over which a flit goes */
    uint64_t *turned; /* and those whose buffers are used now and were not, or were */
    /* and those that the header has come over, or from which the tail has gone to the node */
    uint64_t *events;
    uint64_t *flits; /* how many are in their buffers: a row for each binary digit */
} cni_crowd_sets;

/* A virtual channel that is held. */
typedef struct cni_crowd_hop {
    uint32_t previous; /* from whose buffer flits come over it; outside: from the source */
    uint32_t rest;     /* flits that have not */
} cni_crowd_hop;

typedef struct cni_crowd {
    int is_on; /* else the words of worms hold */
    cni_crowd_sets set;
    uint64_t *marks;    /* for another set: with vectors a byte of 0 or 1 each */
    size_t words, row;  /* of a set; and to the next row */
    uint32_t digits;    /* of the number of flits in a buffer */
    uint32_t outside;   /* a virtual channel behind all others */
    cni_crowd_hop *hop; /* by virtual channel */
    uint32_t *next; /* to whose buffer flits go from its buffer; outside: to none, or to the node */
} cni_crowd;

/* CN_ERR_MEMORY. */
cn_status cni_crowd_open(cni_wormhole *kernel);

/* Between cycles: goes over to sets, or from them to the words of worms if these have them. */
void cni_crowd_set(cni_wormhole *kernel, int is_on);

/* Puts the flits of a worm into the sets: so many are at the source, and in the buffers of its
 * hops, from the tail on. */
void cni_crowd_lay(cni_wormhole *kernel, uint32_t worm, uint32_t left, const uint32_t flits[]);

/* A worm has been given a hop, and so many virtual channels are held of that channel; its header
 * has come over it; its tail has, from the source or from a buffer; it has left the buffer, and so
 * many were held. */
void cni_crowd_give(cni_wormhole *kernel, uint32_t worm, uint32_t hop, uint32_t count);
void cni_crowd_come(cni_wormhole *kernel, uint32_t virtual_channel, int has_arrived);
void cni_crowd_follow(cni_wormhole *kernel, uint32_t virtual_channel, int is_of_source);
void cni_crowd_release(cni_wormhole *kernel, uint32_t virtual_channel, uint32_t count);

/* Moves flits, and lists the worms of which the header or the tail has moved. */
void cni_crowd_send(cni_wormhole *kernel);

/* Flits of a worm at its source. */
uint32_t cni_worm_left(const cni_wormhole *kernel, uint32_t worm);

/* The virtual channel of a channel that has won last, by its number there. */
uint8_t cni_crowd_last(const cni_wormhole *kernel, uint32_t channel);

/* Whether this processor can list sets by vectors. */
int cni_crowd_has_lanes(void);

/* Of the virtual channels in a word, 1 << shift a channel, the first ones of all channels. */
static inline uint64_t cni_worm_lowest(uint32_t shift)
{
    uint64_t lowest = 1;
    for (uint32_t i = shift; i < 6; i++)
        lowest |= lowest << (1 << i);
    return lowest;
}

/* The bit of a hop or virtual channel in its word. */
static inline uint64_t cni_worm_bit(uint32_t number)
{
    return UINT64_C(1) << (number & 63);
}

static inline int cni_crowd_has(const uint64_t set[], uint32_t virtual_channel)
{
    return (set[virtual_channel >> 6] & cni_worm_bit(virtual_channel)) != 0;
}

/* Flits in the buffer of a virtual channel. */
static inline uint32_t cni_crowd_flits(const cni_crowd *crowd, uint32_t virtual_channel)
{
    uint32_t flits = 0;
    for (uint32_t digit = 0; digit < crowd->digits; digit++)
        flits |= (uint32_t)cni_crowd_has(crowd->set.flits + digit * crowd->row, virtual_channel)
                 << digit;
    return flits;
}

static inline void cni_crowd_mark(uint64_t set[], uint32_t virtual_channel)
{
    set[virtual_channel >> 6] |= cni_worm_bit(virtual_channel);
}

/* Puts it in, or takes it out. */
static inline void cni_crowd_turn(uint64_t set[], uint32_t virtual_channel)
{
    set[virtual_channel >> 6] ^= cni_worm_bit(virtual_channel);
}

#endif

/*
 * How the wormhole kernel keeps flits while most channels are shared: in sets of virtual channels,
 * not in words along each worm. The kernel makes the sets from the words, and the words from the
 * sets. Of the words `header`, `leaving` and `exit` are kept up meanwhile. A snapshot reads the
 * form that is in use and changes nothing, since several threads may save one simulation at once.
 */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_CROWD_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_CROWD_H

#include <stddef.h>
#include <stdint.h>

#include "cubenet/base.h"

typedef struct cni_wormhole cni_wormhole;

/* Sets of virtual channels by their numbers, 64 a word: rows of one array, which begins with
 * `fed`. */
typedef struct cni_crowd_sets {
    uint64_t *fed;    /* with flits before them, at the source or in a buffer */
    uint64_t *used;   /* with flits in their buffers */
    uint64_t *full;   /* with full buffers */
    uint64_t *shared; /* all of a channel of which two or more are held */
    uint64_t *turn;   /* of each channel the virtual channel that won last */
    uint64_t *header; /* given to a header that has not crossed them */
    uint64_t *tail;   /* into whose buffers the tail has come */
    uint64_t *exit;   /* from whose buffers flits go to the node */
    uint64_t *moves;  /* in a cycle: over which a flit goes */
    uint64_t *turned; /* in a cycle: whose buffers become used or empty */
    /* in a cycle: which the header has crossed, or from which the tail has gone to the node */
    uint64_t *events;
    uint64_t *marks; /* in a cycle: whose buffers flits leave; then those behind `turned` */
    uint64_t *flits; /* flits in their buffers: a row for each binary digit */
} cni_crowd_sets;

/* A virtual channel that is held. */
typedef struct cni_crowd_hop {
    uint32_t previous; /* virtual channel from whose buffer flits come; outside: the source */
    uint32_t rest;     /* flits that have not crossed it */
} cni_crowd_hop;

typedef struct cni_crowd {
    int is_on; /* 0: the words of worms hold the flits */
    cni_crowd_sets set;
    size_t words, row;  /* words of a set; words from a row to the next */
    uint32_t digits;    /* binary digits of the number of flits in a buffer */
    uint32_t outside;   /* a number behind all virtual channels */
    cni_crowd_hop *hop; /* by virtual channel */
    uint32_t *next; /* by virtual channel: the next one of its worm; outside: none, or the node */
} cni_crowd;

/* Makes the arrays of the sets. CN_ERR_MEMORY. */
cn_status cni_crowd_open(cni_wormhole *kernel);

/* Between cycles: goes over to sets, or back to the words of worms where has_words allows them. */
void cni_crowd_set(cni_wormhole *kernel, int is_on);

/* Puts the flits of a worm into the sets: `left` are at the source, flits[i] in the buffer of
 * hop tail + i. */
void cni_crowd_lay(cni_wormhole *kernel, uint32_t worm, uint32_t left, const uint32_t flits[]);

/* Events that change the sets. give: a worm is granted a hop, and `count` virtual channels of
 * the channel are held. come: the header has crossed the virtual channel. follow: the tail has
 * crossed it, from the source or from a buffer. release: the tail has left its buffer, and
 * `count` were held. */
void cni_crowd_give(cni_wormhole *kernel, uint32_t worm, uint32_t hop, uint32_t count);
void cni_crowd_come(cni_wormhole *kernel, uint32_t virtual_channel, int has_arrived);
void cni_crowd_follow(cni_wormhole *kernel, uint32_t virtual_channel, int is_of_source);
void cni_crowd_release(cni_wormhole *kernel, uint32_t virtual_channel, uint32_t count);

/* Moves flits, and lists the worms whose header or tail has moved. */
void cni_crowd_send(cni_wormhole *kernel);

/* Flits of a worm at its source. */
uint32_t cni_worm_left(const cni_wormhole *kernel, uint32_t worm);

/* The virtual channel of a channel that won last, by its number in the channel. */
uint8_t cni_crowd_last(const cni_wormhole *kernel, uint32_t channel);

/* The first virtual channel of each channel of a word; a channel has 1 << shift virtual
 * channels. */
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

/* Adds a virtual channel to a set, or removes it. */
static inline void cni_crowd_turn(uint64_t set[], uint32_t virtual_channel)
{
    set[virtual_channel >> 6] ^= cni_worm_bit(virtual_channel);
}

#endif

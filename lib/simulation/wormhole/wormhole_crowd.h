/*
 * How the wormhole kernel keeps flits while most channels are shared: in sets of virtual channels instead of words along
 * each worm. The sets are made of those words and made into them again; of the words, `header` and `exit` go on meanwhile.
 * A snapshot reads whichever hold: it changes nothing, as several threads may save one simulation at once.
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
    uint64_t *
        events; /* and those that the header has come over, or from which the tail has gone to the node */
} cni_crowd_sets;

/* A virtual channel that is held. */
typedef struct cni_crowd_hop {
    uint32_t previous; /* from whose buffer flits come over it; outside: from the source */
    uint32_t rest;     /* flits that have not */
} cni_crowd_hop;

typedef struct cni_crowd {
    int is_on;     /* else the words of worms hold */
    int has_lanes; /* sets are listed and marked by vectors; the same bits */
    cni_crowd_sets set;
    uint64_t *marks;    /* for another set: with vectors a byte of 0 or 1 each */
    size_t words;       /* of a set */
    uint32_t outside;   /* a virtual channel behind all others */
    cni_crowd_hop *hop; /* by virtual channel */
    uint32_t *next; /* to whose buffer flits go from its buffer; outside: to none, or to the node */
    uint32_t *came; /* those over which headers have gone in a cycle */
    uint32_t *gone; /* and tails, or from whose buffers these have gone to the node */
    size_t came_count, gone_count;
} cni_crowd;

/* CN_ERR_MEMORY. */
cn_status cni_crowd_open(cni_wormhole *kernel);

/* Between cycles: goes over to sets, or from them to the words of worms. With buffers of other sizes than two flits, and with
 * cut-through, it does nothing. */
void cni_crowd_set(cni_wormhole *kernel, int is_on);

/* A worm has been given a hop, and so many virtual channels are held of that channel; the tail has left the buffer of one, and
 * so many were held. */
void cni_crowd_give(cni_wormhole *kernel, uint32_t worm, uint32_t hop, uint32_t count);
void cni_crowd_release(cni_wormhole *kernel, uint32_t virtual_channel, uint32_t count);

/* Moves flits, and lists the headers and tails that have moved. */
void cni_crowd_send(cni_wormhole *kernel);

/* Flits of a worm at its source. */
uint32_t cni_crowd_left(const cni_wormhole *kernel, uint32_t worm);

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
    return (uint32_t)cni_crowd_has(crowd->set.used, virtual_channel) +
           (uint32_t)cni_crowd_has(crowd->set.full, virtual_channel);
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

/* Searches over the working channels, backward from the targets of messages. */
#ifndef CNI_ROUTING_RULES_SEARCH_H
#define CNI_ROUTING_RULES_SEARCH_H

#include "routing/faults/inlets.h"

/* Messages that go one kind of way. */
typedef enum cni_way {
    CNI_CLOSER, /* any shortest way */
    CNI_UP,     /* the shortest way up and then down, before the first hop down */
    CNI_DOWN,   /* and when they may no more */
    CNI_WAYS
} cni_way;

/*
 * Searches from up to 64 targets at once, a bit of a word for each: bit i of first[way][v ports +
 * p] is 1 when port p of node v begins a way to target i.
 */
enum { CNI_TARGETS = 64 };
typedef struct cni_waves {
    size_t nodes, ports;
    const cni_inlets *inlets;
    void *block;                /* of the arrays */
    uint64_t *first[CNI_WAYS];  /* NULL: not looked for */
    uint32_t *closer, *up_down; /* by node and port: the front that a wave comes from */
    uint64_t *front;            /* by node, with up and down by way: waves of the last step */
    uint64_t *seen, *next;      /* reached by any, by the next */
    uint32_t *active, *touched; /* nodes with a front, and nodes that lead to these */
    unsigned char *is_touched, *degree; /* ports up to the last one that works */
    uint32_t hops[CNI_WAYS];            /* of the longest way to one of the last targets */
} cni_waves;

/* Opens searches of these ways; up and down need marked inlets. The inlets must live as long as
 * the waves. Close also after a failure. */
cn_status cni_waves_open(cni_waves *waves, const cni_inlets *inlets, size_t ports, int closer,
                         int up_down);
void cni_waves_close(cni_waves *waves);

void cni_waves_from(cni_waves *waves, const uint32_t targets[], size_t count);

/* The ports of node v, below 64, that begin a way, by target. */
void cni_waves_ports(const cni_waves *waves, cni_way way, size_t v, uint64_t ports[CNI_TARGETS]);

#endif

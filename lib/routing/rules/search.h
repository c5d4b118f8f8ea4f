/* Searches over the working channels, backward from the targets of messages. */
#ifndef CNI_ROUTING_RULES_SEARCH_H
#define CNI_ROUTING_RULES_SEARCH_H

#include "routing/faults/inlets.h"

/* Messages that go one kind of way. */
typedef enum cni_way {
    CNI_CLOSER, /* any shortest way */
    CNI_UP,     /* the shortest way up and then down, before the first hop down */
    CNI_DOWN    /* and when they may no more */
} cni_way;

/*
 * Searches from up to 64 targets at once, a bit of a word for each: bit i of first[s ports + p] is
 * 1 when port p begins a way to target i from state s. A state is a node; for ways up and down, 2 v
 * is node v before the first hop down, 2 v + 1 after it.
 */
enum { CNI_TARGETS = 64 };
typedef struct cni_waves {
    size_t nodes, each, ports; /* each: states of a node */
    const cni_inlets *inlets;
    void *block; /* of the arrays */
    uint64_t *first;
    uint32_t *head;             /* by state and port: the state that the port leads to */
    uint64_t *front;            /* by state: waves of the last step */
    uint64_t *seen, *next;      /* reached by any, by the next */
    uint32_t *active, *touched; /* nodes with a front, and nodes that lead to these */
    unsigned char *is_touched;
    unsigned char *degree; /* by node: ports up to the last one that works */
    uint32_t hops;         /* of the longest way to one of the last targets */
} cni_waves;

/* Opens searches of shortest ways, or of ways up and down, for which the inlets are marked. The
 * inlets must live as long as the waves. Close also after a failure. */
cn_status cni_waves_open(cni_waves *waves, const cni_inlets *inlets, size_t ports, int up_down);
void cni_waves_close(cni_waves *waves);

void cni_waves_from(cni_waves *waves, const uint32_t targets[], size_t count);

/* The ports of a state, below 64, that begin a way: of target i in ports[i stride]. */
void cni_waves_ports(const cni_waves *waves, size_t state, uint64_t ports[], size_t stride);

#endif

/* Searches over the working channels, backward from the targets of messages. */
#ifndef CNI_ROUTING_RULES_SEARCH_H
#define CNI_ROUTING_RULES_SEARCH_H

#include "routing/faults/inlets.h"

/* The ways that the messages of a class go. */
typedef enum cni_way {
    CNI_CLOSER, /* any shortest way */
    CNI_UP,     /* a shortest way up and then down, before the first hop down */
    CNI_DOWN    /* a shortest way down alone, after the first hop down */
} cni_way;

/*
 * Searches from up to 64 targets at once: the wave of target i is bit i of a word. Bit i of
 * first[s ports + p] is 1 when port p begins a way to target i from state s. A state is a node; for
 * ways up and down, state 2 v is node v before the first hop down, 2 v + 1 after it.
 */
enum { CNI_TARGETS = 64 };
typedef struct cni_waves {
    size_t nodes, each, ports; /* each: states of a node */
    const cni_inlets *inlets;
    void *block; /* of the arrays */
    uint64_t *first;
    uint32_t *head;             /* by state and port: the state that the port leads to */
    uint64_t *front;            /* by state: waves that reached it in the last step */
    uint64_t *seen;             /* by state: waves that have reached it */
    uint64_t *next;             /* by state: waves that reach it in this step */
    uint32_t *active, *touched; /* nodes with a front, and nodes that lead to these */
    unsigned char *is_touched;  /* by node: is listed in touched */
    unsigned char *degree;      /* by node: ports up to the last one that works */
    uint32_t hops;              /* of the longest of all ways that were found to the last targets */
} cni_waves;

/* Opens searches of shortest ways, CNI_CLOSER, or of ways up and down, CNI_UP, for which the inlets
 * are marked. The inlets must live as long as the waves. Close also after a failure. */
cn_status cni_waves_open(cni_waves *waves, const cni_inlets *inlets, size_t ports, cni_way way);
void cni_waves_close(cni_waves *waves);

/* Searches from at most CNI_TARGETS targets: fills first and hops. */
void cni_waves_from(cni_waves *waves, const uint32_t targets[], size_t count);

/* Sets ports[i stride], for each i below CNI_TARGETS, to the ports of the state that begin a way to
 * target i. */
void cni_waves_ports(const cni_waves *waves, size_t state, uint64_t ports[], size_t stride);

#endif

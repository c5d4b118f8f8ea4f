/*
 * All walks of worms or of stored messages to one target, as a graph of states: a node and the
 * class of a message there. A question goes through the states once, forward or backward.
 *
 * Both legs of a routing with two go the same ways, so these are the walks of one leg.
 */
#ifndef CNI_ROUTING_QUESTIONS_WALKS_H
#define CNI_ROUTING_QUESTIONS_WALKS_H

#include "routing/rules/routing.h"

/* The most nodes for questions about all pairs. */
#define CNI_WALKS_NODES (UINT64_C(1) << 14)

typedef struct cni_step {
    uint32_t state;   /* to which the step leads */
    uint32_t channel; /* node max_degree + port */
} cni_step;

typedef struct cni_walks {
    const cn_routing *routing; /* of one leg */
    int is_stored;             /* a message goes over a port, whatever the virtual channels */
    cni_budget *budget;
    size_t nodes, states; /* the number of a state is class N + node */
    uint32_t *ends;       /* nodes at which legs begin or end, ascending */
    size_t end_count;
    /* by channel: the node at its end; for stored messages the state, where the channel alone
     * decides it */
    uint32_t *heads;
    /* of the target at hand */
    uint32_t *order; /* the reached states, each behind all states that lead to it */
    size_t ordered;
    /* the reached states in the order of the search; more than `order` when a walk has no end */
    uint32_t *found;
    size_t reached;
    size_t dead_ends; /* states without a way on */
    /* by state: its steps are first .. first + count - 1 */
    size_t *first;
    uint32_t *count;
    uint32_t *waiting; /* by state: steps into it that were not followed yet */
    cni_step *steps;
    size_t step_count, step_capacity;
    void *block; /* of the arrays other than ends and steps */
} cni_walks;

/* Opens the walks of worms or of stored messages. Close also after a failure. CN_ERR_UNSUPPORTED
 * above CNI_WALKS_NODES, CN_ERR_MEMORY. */
enum { CNI_WALKS_OF_WORMS, CNI_WALKS_OF_STORED };
cn_status cni_walks_open(const char *function, const cn_routing *routing, int is_stored,
                         cni_budget *budget, cni_walks *walks);
void cni_walks_close(cni_walks *walks);

/* Finds the walks from these nodes. CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_walks_to(cni_walks *walks, uint32_t target, const uint32_t sources[], size_t count);

/* Finds the walks of stored messages, and sends a flow along them. `flow` is by state: at first it
 * is nonzero at sources only, at the end 0. Each state sends its flow on over its steps in equal
 * parts, and the parts add to the loads of the channels. The flow that reaches the target ends
 * there. */
cn_status cni_walks_send(cni_walks *walks, uint32_t target, const uint32_t sources[], size_t count,
                         double flow[], double loads[]);

/* By ordered state: the hops to the target on the shortest and on the longest walk. All walks
 * end at the target. */
void cni_walks_lengths(const cni_walks *walks, uint32_t shortest[], uint32_t longest[]);

/* CN_ERR_INTERNAL unless all walks end at the target; the constructors of routings make sure of
 * it. */
cn_status cni_walks_check(const char *function, const cni_walks *walks, uint64_t target);

#endif

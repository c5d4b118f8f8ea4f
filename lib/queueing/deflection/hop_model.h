/*
 * The number of hops of a message: the state diagrams of Horng 1992 (3.3.4, 4.3.2) with one
 * interface ("The hops" in docs/theory/deflection.md).
 *
 * A state is the part of a header that the model knows. State 0 is "arrived". A hop is an
 * assignment of phase 1 with probability 1 - q, and of phase 2 with probability q. In each case it
 * leads to other states with probabilities of their own. There are two diagrams:
 *
 *     exact              the header with its digits sorted: C(n + k - 1, n) states; n + 1 states
 *                        where a digit is right or wrong
 *     reduced, k-ary     (valid dimensions, distance): (k - 2) n (n + 1) / 2 + n + 1 states
 *
 * In both a hop lowers the distance by one or raises it by k - 1. So the distance falls by one
 * modulo k. On bidirectional rings it does so modulo 2 when k is even, and there is no such rule
 * when k is odd, nor in generalized hypercubes with k > 2. The states of one residue class are a
 * chain of their own, k hops a step, and only this chain is solved: see hop_model.c.
 */
#ifndef CNI_QUEUEING_DEFLECTION_HOP_MODEL_H
#define CNI_QUEUEING_DEFLECTION_HOP_MODEL_H

#include "cubenet/traffic.h"

#include "base/budget.h"

/* A hop out of a state. */
typedef struct cni_hop {
    size_t target;
    int deflects;  /* 1: the hop brings the message no closer to its destination */
    double first;  /* its probability when it is a hop of phase 1 */
    double second; /* its probability when it is a hop of phase 2 */
    /* the probability that the message then wants the channel in the same direction */
    double onward;
} cni_hop;

typedef struct cni_hop_model {
    /* The budget of the call, or NULL. Means that are found after it was stopped mean nothing. */
    cni_budget *budget;
    size_t states;
    uint32_t period; /* every hop lowers the distance by one modulo the period */
    uint32_t digits; /* k where one hop sets a digit right, else 0 */

    /* by state */
    void *block; /* holds the arrays except `hop` and `chain` */
    /* probability that a new message has the state; uniform over the other nodes when opened */
    double *start;
    uint64_t *distance; /* distance to the destination */
    uint32_t *wants;    /* number of channels that phase 1 chooses from */
    size_t *first_hop;  /* states + 1 elements: the first hop of each state in hop[] */
    cni_hop *hop;
    size_t hops, hop_room;

    /* the solution */
    uint32_t *order;    /* states by residue class, state 0 first */
    size_t *class_from; /* period + 1 elements: the first place of each class in order[] */
    size_t *place;      /* place of each state in order[] */
    double *chance;     /* probabilities of the states some hops after one state */
    /* class 0 after `period` hops from each of its states; column 0: arrived */
    double *chain;
    double *count[2]; /* by state: [0] mean hops to come, [1] mean deflections to come */
} cni_hop_model;

/* CN_ERR_UNSUPPORTED for a topology whose headers have no diagram. */
cn_status cni_hop_model_accepts(const char *function, const cn_topology *topology);

/* Returns whether the diagram of this topology is the reduced one. */
int cni_hop_model_is_reduced(const cn_topology *topology, int state_space);

/* Returns the number of states of the diagram. */
double cni_hop_model_states(const cn_topology *topology, int state_space);

/* Opens the diagram of a topology. `state_space` matters for k-ary n-cubes only.
 * CN_ERR_UNSUPPORTED, CN_ERR_MEMORY; the caller closes nothing then. */
cn_status cni_hop_model_open(const char *function, const cn_topology *topology, int state_space,
                             cni_hop_model *model);
void cni_hop_model_close(cni_hop_model *model);

/* Finds the mean hops of a new message, and the mean number of its deflections; q in [0, 1). */
void cni_hop_model_means(cni_hop_model *model, double q, double *hops, double *deflections);

/* ---- for the functions that build the diagrams ---- */

/* Makes room for the states. For each state in order follow cni_hop_model_state() and its hops. */
cn_status cni_hop_model_begin(cni_hop_model *model, size_t states, uint32_t period);
void cni_hop_model_state(cni_hop_model *model, size_t state, uint64_t distance, double weight,
                         uint32_t wants);
/* Adds a hop. A hop whose probabilities are both 0 is left out. */
cn_status cni_hop_model_hop(cni_hop_model *model, cni_hop hop);
/* Ends the diagram: scales the weights to probabilities and sorts the states into classes. */
cn_status cni_hop_model_end(cni_hop_model *model);

/* The values that a hop gives to a digit: on rings of one way the next one, on rings of two ways
 * the next or the last one, in generalized hypercubes and complete networks any. */
typedef enum cni_hop_ways { CNI_ONE_WAY, CNI_TWO_WAY, CNI_ALL_VALUES } cni_hop_ways;

/* Build the diagrams. The caller closes the model also after a failure. The reduced diagram is for
 * one-way rings. */
cn_status cni_hops_exact(uint32_t k, uint32_t n, cni_hop_ways ways, cni_hop_model *model);
cn_status cni_hops_reduced(uint32_t k, uint32_t n, cni_hop_model *model);

uint32_t cni_period_exact(uint32_t k, cni_hop_ways ways);

/* Return the number of states. It is a double because it may be beyond any integer. */
double cni_states_exact(double k, uint32_t n, cni_hop_ways ways);
double cni_states_reduced(double k, uint32_t n);

#endif

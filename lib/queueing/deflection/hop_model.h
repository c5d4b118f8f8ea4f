/*
 * How many hops a message makes: the state diagrams of Horng 1992 (3.3.4, 4.3.2) behind one door.
 *
 * A state is what the model knows of a header; state 0 is "arrived". A hop is an assignment of
 * phase 1 with probability 1 - q, of phase 2 with probability q, and leads to another state with a
 * probability of its own in either case. Three diagrams:
 *
 *     Boolean n-cube     the number of one-bits: n + 1 states
 *     exact, k-ary       the header with its digits sorted: C(n + k - 1, n) states
 *     reduced, k-ary     (valid dimensions, distance): (k - 2) n (n + 1) / 2 + n + 1 states
 *
 * In all of them a hop lowers the distance by one or raises it by k - 1, so modulo k it always
 * falls by one (on bidirectional rings modulo 2 when k is even, and there is no such rule when k is
 * odd). The states of one residue class are a chain of their own, k hops a step, and only they are
 * solved for: see hop_model.c.
 */
#ifndef CNI_QUEUEING_DEFLECTION_HOP_MODEL_H
#define CNI_QUEUEING_DEFLECTION_HOP_MODEL_H

#include "cubenet/choice.h"
#include "cubenet/traffic.h"

#include "base/budget.h"

/* A way out of a state. */
typedef struct cni_hop {
    size_t target;
    int deflects;  /* 1: the message is then no closer to its destination */
    double first;  /* probability, given phase 1 */
    double second; /* given phase 2 */
    double onward; /* probability that the message then wants the channel of the same direction */
} cni_hop;

typedef struct cni_hop_model {
    /* of the call, or NULL; means that come after it was stopped mean nothing */
    cni_budget *budget;
    size_t states;
    uint32_t period; /* every hop lowers the distance by one, modulo this */
    uint32_t digits; /* k where one hop sets a digit right, else 0 */

    /* by state */
    void *block;        /* of the arrays but hop and chain */
    double *start;      /* probability of a new message; uniform over the other nodes when opened */
    uint64_t *distance; /* to the destination */
    uint32_t *wants;    /* how many channels phase 1 picks among */
    size_t *first_hop;  /* into hop[]; states + 1 elements */
    cni_hop *hop;
    size_t hops, hop_room;

    /* the solution */
    uint32_t *order;    /* states by residue class, state 0 first */
    size_t *class_from; /* into order[]; period + 1 elements */
    size_t *place;      /* of a state in order[] */
    double *chance;     /* of the states after some hops from one state */
    double *chain;      /* of class 0 upon itself, period hops a step; column 0: arrives */
    double *count[2];   /* mean hops and mean deflections to come, by state */
} cni_hop_model;

/* CN_ERR_UNSUPPORTED for a topology whose headers have no diagram. */
cn_status cni_hop_model_accepts(const char *function, const cn_topology *topology);

/* Whether the diagram of this topology is the reduced one. */
int cni_hop_model_is_reduced(const cn_topology *topology, int state_space);

/* A new message is in each state by its number of headers and their distance, with traffic that is
 * by distance. */
void cni_hop_model_lean(cni_hop_model *model, const cn_traffic *traffic);

/* How many states it has. */
double cni_hop_model_states(const cn_topology *topology, int state_space);

/* The diagram of a topology. state_space is of k-ary n-cubes only. CN_ERR_UNSUPPORTED,
 * CN_ERR_MEMORY; nothing to close then. */
cn_status cni_hop_model_open(const char *function, const cn_topology *topology, int state_space,
                             cni_hop_model *model);
void cni_hop_model_close(cni_hop_model *model);

/* The mean number of hops, and of the deflections among them, of a new message; q in [0, 1). */
void cni_hop_model_means(cni_hop_model *model, double q, double *hops, double *deflections);

/* ---- for those that draw the diagrams ---- */

/* Room for the states; then for each, in order, cni_hop_model_state() and its hops. */
cn_status cni_hop_model_begin(cni_hop_model *model, size_t states, uint32_t period);
void cni_hop_model_state(cni_hop_model *model, size_t state, uint64_t distance, double weight,
                         uint32_t wants);
/* An edge; none when both probabilities are 0. */
cn_status cni_hop_model_hop(cni_hop_model *model, cni_hop hop);
/* Scales the weights to probabilities and sorts the states into classes. */
cn_status cni_hop_model_end(cni_hop_model *model);

/* The diagrams. On failure the model is to be closed by the caller. */
cn_status cni_hops_generalized(uint32_t k, uint32_t n, cni_hop_model *model);
cn_status cni_hops_kary_exact(uint32_t k, uint32_t n, int bidirectional, cni_hop_model *model);
cn_status cni_hops_kary_reduced(uint32_t k, uint32_t n, cni_hop_model *model);

/* Numbers of states; as doubles, for they may be beyond any integer. */
double cni_states_kary_exact(double k, uint32_t n, int bidirectional);
double cni_states_kary_reduced(double k, uint32_t n);

#endif

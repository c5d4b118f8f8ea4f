/* The Markov chain of a node's number of messages, for a given flow of transit messages. */
#ifndef CNI_QUEUEING_DEFLECTION_NODE_CHAIN_H
#define CNI_QUEUEING_DEFLECTION_NODE_CHAIN_H

#include "base/budget.h"

enum { CNI_CHANNELS = 64 }; /* at most, of a node */

typedef struct cni_node_chain {
    cni_budget
        *budget;       /* of the call, or NULL; what is solved after it was stopped means nothing */
    uint32_t channels; /* n */
    size_t states;     /* M + 1 */
    double load;
    double ratio;        /* a = load / (1 + load) */
    double rest;         /* 1 - a, without the cancellation */
    void *block;         /* of the arrays */
    double *first;       /* f_{i,j} by i and j */
    double *both;        /* f'_{i,j} by i and j */
    double *first_sent;  /* mean number of messages sent by phase 1, by i */
    double *second_sent; /* by phase 2 */
    double *lean;        /* P_t is so much more, by messages kept: M - n + 1 of them */
    double *band;        /* the chain: row m, columns m-n .. m+n */

    double *pi; /* the solution, and what follows from it */
    double accepted, rho_1, rho_2, queue;
} cni_node_chain;

cn_status cni_node_chain_open(uint32_t channels, size_t buffers, double load, cni_budget *budget,
                              cni_node_chain *chain);
void cni_node_chain_close(cni_node_chain *chain);

/* Replaces the probabilities f_{i,.} of a node with `messages` messages. */
void cni_node_chain_set_row(cni_node_chain *chain, size_t messages, const double row[]);

/* P_t of a node that has kept so many messages in the cycle. */
static inline double cni_transit(const cni_node_chain *chain, double transit, size_t kept)
{
    double leaned = transit + chain->lean[kept];
    return leaned < 0.0 ? 0.0 : leaned > 1.0 ? 1.0 : leaned;
}

/* t_0 .. t_n: how many of n channels bring a message that each brings with probability p. */
void cni_binomial(uint32_t n, double p, double t[]);

/* transit is P_t, in [0, 1). O(M n^2). */
void cni_node_chain_solve(cni_node_chain *chain, double transit);

/* The solution for load 0. */
void cni_node_chain_empty(cni_node_chain *chain);

#endif

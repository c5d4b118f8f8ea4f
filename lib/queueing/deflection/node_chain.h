/* The Markov chain of the number of messages in a node, for a given flow in transit ((D1) to
 * (D4) of docs/theory/deflection.md). */
#ifndef CNI_QUEUEING_DEFLECTION_NODE_CHAIN_H
#define CNI_QUEUEING_DEFLECTION_NODE_CHAIN_H

#include "base/budget.h"

enum { CNI_CHANNELS = 64 }; /* at most, for a node */

typedef struct cni_node_chain {
    /* The budget of the call, or NULL. Results that are found after it was stopped mean nothing. */
    cni_budget *budget;
    uint32_t channels; /* n */
    size_t states;     /* M + 1 */
    double load;
    double ratio;        /* a = load / (1 + load) */
    double rest;         /* 1 - a, without the cancellation */
    void *block;         /* holds the arrays */
    double *first;       /* f_{i,j} by i and j */
    double *both;        /* f'_{i,j} by i and j */
    double *first_sent;  /* by i: mean messages that phase 1 sends, s_i of (D3) */
    double *second_sent; /* by i: mean messages that phase 2 sends, e_i of (D3) */
    /* By messages kept, M - n + 1 elements: P_t(x) - P_t, (D19). */
    double *lean;
    double *band; /* the band of the chain: row m, columns m-n .. m+n */

    /* The solution pi; P_A, rho_1, rho_2, and the mean of Z. */
    double *pi;
    double accepted, rho_1, rho_2, queue;
} cni_node_chain;

cn_status cni_node_chain_open(uint32_t channels, size_t buffers, double load, cni_budget *budget,
                              cni_node_chain *chain);
void cni_node_chain_close(cni_node_chain *chain);

/* Replaces the probabilities f_{i,.} of a node with `messages` messages. */
void cni_node_chain_set_row(cni_node_chain *chain, size_t messages, const double row[]);

/* Returns P_t of a node that has kept so many messages in the cycle. */
static inline double cni_transit(const cni_node_chain *chain, double transit, size_t kept)
{
    double leaned = transit + chain->lean[kept];
    return leaned < 0.0 ? 0.0 : leaned > 1.0 ? 1.0 : leaned;
}

/* Fills t_0 .. t_n: the probability that this many of n channels bring a message. Each channel
 * brings one with probability p. */
void cni_binomial(uint32_t n, double p, double t[]);

/* Solves the chain; transit is P_t in [0, 1). O(M n^2). */
void cni_node_chain_solve(cni_node_chain *chain, double transit);

/* Sets the solution for load 0. */
void cni_node_chain_empty(cni_node_chain *chain);

#endif

/* The own model of deflection: messages followed by age, claims that depend on where messages come
 * from, and nodes that get more the more they have kept (docs/theory/deflection.md, D9 to D23). */
#ifndef CNI_QUEUEING_DEFLECTION_OWN_MODEL_H
#define CNI_QUEUEING_DEFLECTION_OWN_MODEL_H

#include "queueing/deflection/hop_model.h"
#include "queueing/deflection/own_equations.h"

typedef struct cni_own_model {
    cni_node_chain *node;
    const cni_hop_model *path;
    void *block;    /* of the arrays */
    double transit; /* P_t */

    /* Messages by age, see own_ages.c. */
    double *beyond; /* P(a node has more than j messages), by j */
    size_t reach;   /* beyond this j it is nothing */
    double *forced; /* pi_m C(m,x) e_x, x > M - n, by x and m - x */
    double *now;    /* messages of a node that are of one age, by state of their header */
    double *next;
    /* g: with older claims on its channel a message finds it taken as if n were n/g */
    double crowd;

    /* What has become of a message. */
    double hops, deflections;
    double wanting[CNI_CHANNELS + 1]; /* by t: how often one stays that wants any of t channels */
    double leaving[CNI_CHANNELS + 1]; /* how often one of these leaves */
    double onward; /* probability that one that has moved wants to go on in the same direction */

    /* Claims, see own_tables.c: by messages kept, M - n + 1 of them, and by i and j. */
    double *kept; /* probability that a node keeps so many messages in a cycle */
    double *flow; /* f_{i,j} weighted by how often a node has i messages */
    /* mean pairs of claims on one channel, of those that win or stay, weighted likewise */
    double *pairs;
    double *first, *later, *spare; /* responses to a message that came; a cycle of work */
    cni_rivals rivals;
    double meetings; /* mean pairs of claims on one channel, in all of a node */

    /* The rounds, see own_solver.c. s(x), that two of x kept messages have lost the same channel:
     * as used, as it then turned out, as used before, and how far that was off. */
    double *same, *found, *same_before, *miss_before;
    double common; /* V, see own_equations.c */
    double step;   /* what is taken of each step; less than 1 once they swing to and fro */
    int rounds;
} cni_own_model;

/* Both are kept by reference. CN_ERR_UNSUPPORTED for a diagram that takes too long to follow. */
cn_status cni_own_open(cni_node_chain *node, const cni_hop_model *path, cni_own_model *own);
void cni_own_close(cni_own_model *own);

/* What becomes of messages when nodes are as in the solution of the chain. CN_ERR_CONVERGENCE when
 * some never arrive. */
cn_status cni_own_follow(cni_own_model *own);

/* Pairs of messages that win or stay, in the mean of a node, as claimed in the present rows. */
typedef struct cni_pair_count {
    double all, same;      /* of claims; on the same channel */
    double losers, of_one; /* of those that stay; that have lost the same channel */
} cni_pair_count;

/* The numbers kept, of the chain's present solution; the pairs, and s by the number kept, where
 * that was seen. */
void cni_own_count_kept(cni_own_model *own);
cni_pair_count cni_own_count_pairs(cni_own_model *own);

/* Puts new probabilities f_{i,j} into the chain. Returns by how much the numbers of channels won
 * have changed, as a share of all in the mean over the states of the node. */
double cni_own_claim(cni_own_model *own);

/* Sets the lean of P_t in the chain. Returns by how much it has changed, in the mean over nodes. */
double cni_own_lean(cni_own_model *own);

/* New claims, for the present P_t: all of the above but the messages by age. Returns the change. */
double cni_own_renew(cni_own_model *own);

/* P_t in balance with the claims, from a P_t near it. */
cn_status cni_own_settle(cni_own_model *own, double transit);

#endif

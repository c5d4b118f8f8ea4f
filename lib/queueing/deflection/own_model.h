/* The own model of deflection ((D9) to (D23) of docs/theory/deflection.md): it follows messages
 * by age, its claims depend on where messages come from, and a node that has kept more messages
 * gets more. */
#ifndef CNI_QUEUEING_DEFLECTION_OWN_MODEL_H
#define CNI_QUEUEING_DEFLECTION_OWN_MODEL_H

#include "queueing/deflection/hop_model.h"
#include "queueing/deflection/own_equations.h"

typedef struct cni_own_model {
    cni_node_chain *node;
    const cni_hop_model *path;
    void *block;    /* holds the arrays */
    double transit; /* P_t */

    /* Messages by age, see own_ages.c. */
    double *beyond; /* by j: P(Z > j), the probability that a node has more than j messages */
    size_t reach;   /* from this j on `beyond` is negligible */
    double *forced; /* pi_m C(m,x) e_x, x > M - n, by x and m - x */
    double *now;    /* by header state: messages of one age in a node */
    double *next;   /* the same messages in the next cycle */
    /* g of (D12): a message finds its channel claimed as if n were n/g */
    double crowd;

    /* The life of a message, in the mean. */
    double hops, deflections;
    /* by t: kept messages in a cycle that want any of t channels */
    double wanting[CNI_CHANNELS + 1];
    /* by t: messages of this kind that leave in a cycle */
    double leaving[CNI_CHANNELS + 1];
    /* probability that a message wants to go on in the direction of its last hop */
    double onward;

    /* Claims, see own_tables.c. */
    /* by x: probability that a node keeps x messages in a cycle, M - n + 1 elements */
    double *kept;
    double *flow; /* by i and j: f_{i,j} weighted by the probability of i messages */
    /* by i and j: mean pairs of claims on one channel by messages that win or stay, with the
     * same weight */
    double *pairs;
    /* by x: R_1 and the fixed point L, see (D20); work space of a cycle */
    double *first_response, *all_responses, *spare;
    cni_rivals rivals;
    /* mean pairs of claims on one channel in a node */
    double meetings;

    /* The rounds, see own_solver.c. s(x) of (D14) by x: the value in use, the value that it then
     * gave, the value in the last round, and the miss of that round. */
    double *same, *found, *same_before, *miss_before;
    double common; /* W of (D23) */
    /* the part that is taken of each step; less than 1 once the claims swing to and fro */
    double step;
    int rounds;
} cni_own_model;

/* Opens the model. It refers to `node` and `path`. CN_ERR_MEMORY. */
cn_status cni_own_open(cni_node_chain *node, const cni_hop_model *path, cni_own_model *own);
void cni_own_close(cni_own_model *own);

/* Follows the messages by age, with nodes as in the solution of the chain. CN_ERR_CONVERGENCE
 * when some messages never arrive. */
cn_status cni_own_follow(cni_own_model *own);

/* Mean pairs of messages in a node that win or stay, by the claims of the present rows. */
typedef struct cni_pair_count {
    double all, same;      /* pairs of claims; pairs on the same channel */
    double losers, of_one; /* pairs of messages that stay; pairs that lost the same channel */
} cni_pair_count;

/* Count the numbers kept in the present solution of the chain, and the pairs. The second
 * function also finds s(x) for each x that occurs. */
void cni_own_count_kept(cni_own_model *own);
cni_pair_count cni_own_count_pairs(cni_own_model *own);

/* Sets new rows f_{i,j} in the chain. Returns the change of the number of channels won, as a
 * share of all in the mean over the states of the node. */
double cni_own_claim(cni_own_model *own);

/* Sets P_t(x) - P_t in the chain, (D19). Returns its mean change over nodes. */
double cni_own_lean(cni_own_model *own);

/* Makes new claims for the present P_t: everything above except the messages by age. Returns the
 * change. */
double cni_own_renew(cni_own_model *own);

/* Brings P_t into balance with the claims, from a P_t near the balance on. */
cn_status cni_own_settle(cni_own_model *own, double transit);

#endif

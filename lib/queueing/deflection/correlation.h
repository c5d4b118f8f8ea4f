/* What nodes have in common: a node's queue and those of its neighbours, and what the messages in all of them want. */
#ifndef CNI_QUEUEING_DEFLECTION_CORRELATION_H
#define CNI_QUEUEING_DEFLECTION_CORRELATION_H

#include "queueing/deflection/node_chain.h"

/* All of them are 0 where a message may need more than one hop in a dimension (digits = 0), else digits is k of n
 * dimensions with k - 1 channels each. */

/* V: the variance, between the k^(n-1) channels that change the same digit into the same other one, and the rest, of
 * what messages want them, relative to the mean and beyond chance. share[t]: of the messages, those that want any of
 * t channels. 0 in one dimension. */
double cni_correlated_wants(const cni_node_chain *node, uint32_t digits, const double share[]);

/* The covariance of a channel's bringing a message and the number of messages kept that comes from the queues of all
 * nodes, where there is `known` of it without them. going_on: see claims.h; insist: of a channel's excess, what is left
 * after a cycle. */
double cni_correlated_queues(const cni_node_chain *node, uint32_t digits, double known,
                             double going_on, double insist);

#endif

/*
 * What stored messages for one target make the channels carry, when each of them takes any of the channels
 * that it is allowed with equal probability.
 *
 * A state is a node and a class of message there. A state sends on when all that comes to it has come, so
 * each is looked at twice: once to count the ways that lead to it, and once to send.
 */
#ifndef CNI_ROUTING_QUESTIONS_SPREAD_H
#define CNI_ROUTING_QUESTIONS_SPREAD_H

#include "routing/rules/routing.h"

typedef struct cni_spread {
    const cn_routing *routing; /* of one leg */
    size_t nodes;
    int asks; /* the class of a message that comes over a channel depends on more than that */
    uint32_t *heads; /* by channel, node max_degree + port: its node, or state when that is all */
    double *at;      /* by state, class N + node: what comes there */
    uint64_t *ports; /* by state: what may be taken there */
    uint32_t *waiting, *order;
    unsigned char *count;
    void *block; /* of the arrays */
} cni_spread;

/* Close it also after a failure. */
cn_status cni_spread_open(const cn_routing *routing, cni_spread *spread);
void cni_spread_close(cni_spread *spread);

/*
 * Adds what at[] of these nodes, which then is 0 again, puts on the channels of ways to the target. Returns
 * 0 when some of it does not come there: constructors see to it that all does.
 */
int cni_spread_to(cni_spread *spread, uint32_t target, const uint32_t sources[], size_t count,
                  double loads[]);

#endif

/*
 * The inside of the library's own wormhole model; the names of the steps are those of
 * docs/wormhole-model.md.
 *
 * "Own" is the message that a channel carries for the source queue of that channel, at most one at
 * a time; "transits" are all others: unicasts from other channels or other queues of the node. A
 * channel is in state (o, t): o own messages and t transits hold virtual channels of it.
 */
#ifndef CNI_QUEUEING_WORMHOLE_WORMHOLE_OWN_H
#define CNI_QUEUEING_WORMHOLE_WORMHOLE_OWN_H

#include "queueing/wormhole/wormhole_model.h"

enum {
    CNI_WORMHOLE_NODES = 16, /* of the quadrature */
    CNI_WORMHOLE_ROWS = CNI_WORMHOLE_MAX_VCS + 2,
    CNI_WORMHOLE_HOPS = CNI_WORMHOLE_MAX_DIMENSIONS + 1
};

typedef double cni_wormhole_row[CNI_WORMHOLE_ROWS];

typedef struct cni_wormhole_state {
    const cni_wormhole_case *c;
    double node[CNI_WORMHOLE_NODES], weight[CNI_WORMHOLE_NODES]; /* of the quadrature on [0, 1] */

    /* Arrivals. */
    double copies;                    /* of broadcasts, per channel */
    double first;                     /* unicasts per source queue */
    double own;                       /* own messages per channel */
    double demand[CNI_WORMHOLE_HOPS]; /* transits with r dimensions left, per node */

    /* What is iterated. */
    double wait[CNI_WORMHOLE_HOPS]; /* of a header with r dimensions left */
    double felt[CNI_WORMHOLE_HOPS],
        felt_variance[CNI_WORMHOLE_HOPS]; /* with r still to wait: a hop before */
    double stream[CNI_WORMHOLE_HOPS];     /* D_i: time in which a unicast's flits flow */
    double early[CNI_WORMHOLE_HOPS];      /* by which its tail leaves the source before that */
    double copy_stream, copy_wait;
    double busy;              /* share of the time in which a source queue sends */
    double variation;         /* squared coefficient of variation of its service time */
    cni_wormhole_row free;    /* P(x adaptive virtual channels are free) */
    cni_wormhole_row escaped; /* P(the escape channel is held | v are) */
    double own_escapes;       /* P(an own message got the escape channel) */
    double own_birth;         /* rate at which own messages begin while there is none */

    /* The channel (wormhole_channel.c). */
    double share[CNI_WORMHOLE_HOPS][CNI_WORMHOLE_ROWS]; /* of a header's choice, by free channels */
    cni_wormhole_row births[2];                         /* of transits in (o, t) */
    cni_wormhole_row own_births;
    cni_wormhole_row spacing; /* what input channels leave of them */
    double denser;
    double spaced;                                /* 1 - spacing for one transit, times n - 1 */
    double waiting_rate;                          /* of transits while all channels are held */
    double queue;                                 /* waiting_rate over the rate of departures */
    cni_wormhole_row flows[2][CNI_WORMHOLE_ROWS]; /* P(j transits flow | own does not / does, t) */
    cni_wormhole_row own_flows;                   /* P(own flows | (1, t)) */
    cni_wormhole_row own_rate, rate[2];           /* of departures: own, transits by o */
    cni_wormhole_row x[2];                        /* probabilities of (o, t) */
    cni_wormhole_row held;                        /* P_v */
} cni_wormhole_state;

/* On [0, 1], of CNI_WORMHOLE_NODES nodes. */
void cni_wormhole_quadrature(double node[], double weight[]);

/* A round of the channel: from waits and streams to the probabilities of its states.
 * CN_ERR_UNSTABLE where headers come faster than virtual channels fall free. */
cn_status cni_wormhole_channel(cni_wormhole_state *s);

/* From those to the times in which flits flow. */
void cni_wormhole_share(cni_wormhole_state *s);

/* A time of `base` plus an excess that is 0 with probability `at_once`, else gamma distributed. */
typedef struct cni_wormhole_step {
    double base, at_once, mean, variance; /* the last two of the excess when there is one */
} cni_wormhole_step;

/* Mean time until the last node of a binomial tree of n dimensions is reached. `together`: the
 * share of the delays that children of a node have in common. CN_ERR_MEMORY */
cn_status cni_wormhole_last(uint32_t n, const cni_wormhole_step *step, double together,
                            double *mean);

#endif

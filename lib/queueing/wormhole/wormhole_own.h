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
    CNI_WORMHOLE_HOPS = CNI_WORMHOLE_MAX_DIMENSIONS + 1,
    CNI_WORMHOLE_CROWD = 24 /* others beside a message; more count as so many */
};

typedef double cni_wormhole_row[CNI_WORMHOLE_ROWS];

/* What happens on a channel on which a message flows, by the number k of others that hold virtual channels of it, and what
 * they get when j of them flow. A greedy message is one that no other channel holds up. */
typedef struct cni_wormhole_company {
    cni_wormhole_row found[CNI_WORMHOLE_HOPS]; /* k when it comes, with r dimensions left */
    cni_wormhole_row come;                     /* rate at which k becomes k + 1 */
    cni_wormhole_row flows[CNI_WORMHOLE_ROWS]; /* P(j flow | k) */
    cni_wormhole_row level[CNI_WORMHOLE_ROWS]; /* of the message, by k */
    cni_wormhole_row greedy, usual;            /* flits of it, by j */
    cni_wormhole_row beside_greedy, beside_usual;
} cni_wormhole_company;

typedef struct cni_wormhole_state {
    const cni_wormhole_case *c;
    double node[CNI_WORMHOLE_NODES], weight[CNI_WORMHOLE_NODES]; /* of the quadrature on [0, 1] */

    /* Arrivals. */
    double copies;                    /* of broadcasts, per channel */
    double first;                     /* unicasts per source queue */
    double own;                       /* own messages per channel */
    double demand[CNI_WORMHOLE_HOPS]; /* transits with r dimensions left, per node */

    double
        through; /* share of the transits that came over a channel, not from a queue of the node */
    double from_queue; /* share of the headers that a channel brings that are of its own queue */

    double next; /* P(the next message of its queue takes the same channel as a transit) */

    /* What is iterated. */
    double wait[CNI_WORMHOLE_HOPS]; /* of a header with r dimensions left */
    double felt[CNI_WORMHOLE_HOPS],
        felt_variance[CNI_WORMHOLE_HOPS]; /* with r still to wait: a hop before */
    double stream[CNI_WORMHOLE_HOPS];     /* D_i: time in which a unicast's flits flow */
    double sending[CNI_WORMHOLE_HOPS];    /* until its tail has left the source */
    double copy_stream, copy_wait;
    double copy_blocked;      /* P(a copy finds all virtual channels held by transits) */
    double busy;              /* share of the time in which a source queue sends */
    cni_wormhole_row free;    /* P(x adaptive virtual channels are free) */
    cni_wormhole_row escaped; /* P(the escape channel is held | v are) */
    double own_forced;        /* share of own messages that come where no adaptive one is free */
    double own_escapes;       /* P(an own message got the escape channel) */
    double own_birth;         /* rate at which own messages begin while there is none */

    /* What messages allow themselves of a channel, as laws over 1, 1/2, 1/3 .. (wormhole_pace.c). */
    cni_wormhole_row width;                     /* from 1/(k+2) to 1/(k+1) */
    cni_wormhole_row limit[2];                  /* that their other channels allow: transits, own */
    cni_wormhole_row rest[CNI_WORMHOLE_HOPS];   /* on the first of i hops, the later ones */
    cni_wormhole_row others[CNI_WORMHOLE_HOPS]; /* on a later one, all but that */
    cni_wormhole_row
        level[2][CNI_WORMHOLE_ROWS]; /* what the channel allows beside j transits, by own */
    cni_wormhole_row greedy[CNI_WORMHOLE_ROWS]; /* where the own one has no limit */
    cni_wormhole_row of_transits[2], beside_greedy,
        of_own;                      /* flits of j transits, and of the own one */
    cni_wormhole_company company[2]; /* of a transit, of an own message */
    uint32_t reach; /* so many others are followed: more are rarer than any digit shows */

    /* The channel (wormhole_channel.c). */
    double share[CNI_WORMHOLE_HOPS][CNI_WORMHOLE_ROWS]; /* of a header's choice, by free channels */
    cni_wormhole_row births[2];                         /* of transits in (o, t) */
    cni_wormhole_row own_births; /* of own messages in (0, t), over their mean */
    cni_wormhole_row
        spacing;     /* of transits, what input channels bring with t there, over the mean */
    double denser;   /* spacing with none there */
    double followed; /* P(the next message of its queue comes right behind a transit) */
    double
        waiting_share; /* of the headers that find all held, those that wait for more than a tail */
    double come_full;  /* rate of transits that find all channels held */
    double waiting_rate;                          /* less those that wait for a tail alone */
    double queue;                                 /* waiting_rate over the rate of departures */
    cni_wormhole_row flows[2][CNI_WORMHOLE_ROWS]; /* P(j transits flow | own does not / does, t) */
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

/* From the limits to the levels. */
void cni_wormhole_levels(cni_wormhole_state *s);

/* Mean of a law. */
double cni_wormhole_pace(const cni_wormhole_state *s, const cni_wormhole_row law);

/* Mean of the lower of two. */
double cni_wormhole_lower(const cni_wormhole_state *s, const cni_wormhole_row limit,
                          const cni_wormhole_row level);

/* A time of `base` plus an excess that is 0 with probability `at_once`, else gamma distributed. */
typedef struct cni_wormhole_step {
    double base, at_once, mean, variance; /* the last two of the excess when there is one */
} cni_wormhole_step;

/* Mean time until the last node of a binomial tree of n dimensions is reached. `together`: the
 * share of the delays that children of a node have in common. CN_ERR_MEMORY */
cn_status cni_wormhole_last(uint32_t n, const cni_wormhole_step *step, double together,
                            double *mean);

#endif

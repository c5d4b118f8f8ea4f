/*
 * The inside of the library's own wormhole model on any network (docs/wormhole-model.md).
 *
 * Virtual channels that routings always allow together form a group: the classes of dimension order on
 * rings, the adaptive ones and each escape of Duato's rule. A header comes to a node over an input: one of
 * the channels into it, the queue whose channel it is about to take, or another queue of the node.
 */
#ifndef CNI_QUEUEING_WORMHOLE_WORMHOLE_NETWORK_H
#define CNI_QUEUEING_WORMHOLE_WORMHOLE_NETWORK_H

#include "base/budget.h"
#include "queueing/wormhole/wormhole_model.h"
#include "routing/rules/routing.h"

enum {
    CNI_WORMHOLE_GROUPS = 3,
    CNI_WORMHOLE_KINDS = 8, /* of choices: headers with 1, 2, .. ports to choose from */
    CNI_WORMHOLE_LEVELS = CNI_WORMHOLE_MAX_VCS + 1
};

/* A port that a header may take at a node. */
typedef struct cni_wormhole_way {
    uint32_t channel, next; /* next: the node to which it leads */
    unsigned char adaptive,
        escapes;        /* groups that it may take; these only when no adaptive one is free */
    unsigned char kind; /* ports with adaptive groups, less one */
} cni_wormhole_way;

/* All ways of all messages; a state is target N + node. */
typedef struct cni_worm_routes {
    const cn_topology *topology;
    uint32_t nodes, ports, groups, kinds;
    uint32_t size[CNI_WORMHOLE_GROUPS]; /* virtual channels of a group */
    uint64_t set[CNI_WORMHOLE_GROUPS];
    uint32_t escapes;     /* groups that are escapes somewhere */
    void *block;          /* of the arrays but way */
    size_t *first;        /* by state: its ways; one more at the end */
    uint32_t *order;      /* by target: nodes, each before those to which its ways lead */
    uint64_t *inputs;     /* by state: the channels by which headers come */
    double *left;         /* by state: mean hops to the target */
    unsigned char *input; /* by channel: its number among those into its head */
    cni_wormhole_way *way;
    size_t count, capacity;
    double hops; /* mean distance */
} cni_worm_routes;

/* CN_ERR_UNSUPPORTED for a routing that the model does not cover. Close it also after a failure. */
cn_status cni_worm_routes_open(const cn_routing *routing, uint32_t virtual_channels,
                               cni_budget *budget, cni_worm_routes *ways);
void cni_worm_routes_close(cni_worm_routes *ways);

/* What is iterated, by place: channel; channel and group; and so on, last index fastest. */
typedef struct cni_wormhole_net {
    cni_worm_routes ways;
    cni_budget *budget;
    uint32_t channels; /* V */
    uint32_t inputs;   /* of a node: those of its ports, then two for its queues */
    size_t places;     /* channels of the network, nodes times ports */
    double flits, buffers, load;
    double *block; /* all numbers below */

    /* of the hops: rates, and per channel and group */
    double *split, *adaptive; /* by way: P(taken); of that, over an adaptive group */
    double *rate;             /* of messages */
    double *held, *before;    /* mean number held, now and a round ago */
    double *square;           /* rate times the second moment of the time for which one is held */
    double *turn, *kept;      /* by channel, group, input: rate, and mean number held */
    double *behind;           /* by channel, group, input: P(right behind another from there) */
    double *pairs;  /* by channel, input: how often that brings two at a time, over by chance */
    double *demand; /* by channel, kind: rate */
    double *queue;  /* by channel: rate and rate times two moments of a source's service */

    /* of the occupancy */
    uint32_t states, stride[CNI_WORMHOLE_GROUPS]; /* held virtual channels by group */
    double *law;                                  /* by channel, state: its probability */
    double *birth;     /* by channel, group: rate of arrivals that gives `held` */
    double *flowing;   /* by channel: share of the weights of messages that flow */
    double *full;      /* by channel, group: P(all held) */
    double *escaped;   /* by channel, group: P(all held | all adaptive ones are) */
    double *relief;    /* by channel, group: rate at which one falls free when all are held */
    double *variation; /* squared coefficient of variation of the time for which one is held */
    double *found;     /* by channel, group, input: P(a header from there finds all held) */
    double *blocked;   /* the same, with a whole stay in place of what is left of one */
    double *beside;    /* by channel, kind, input, k: P(at most k others flow beside it) */
    double share[CNI_WORMHOLE_KINDS][CNI_WORMHOLE_LEVELS]; /* of a choice, by free ones */

    /* outcome */
    double flow, wait, hop_wait; /* of a message: flits, all its headers' waits, a hop's */
} cni_wormhole_net;

static inline size_t cni_group_at(const cni_wormhole_net *n, size_t channel, uint32_t group)
{
    return channel * n->ways.groups + group;
}

static inline size_t cni_input_at(const cni_wormhole_net *n, size_t channel, uint32_t group,
                                  uint32_t input)
{
    return cni_group_at(n, channel, group) * n->inputs + input;
}

static inline double *cni_beside_at(const cni_wormhole_net *n, size_t channel, uint32_t kind,
                                    uint32_t input)
{
    return n->beside + ((channel * n->ways.kinds + kind) * n->inputs + input) * n->channels;
}

static inline int cni_has_group(uint32_t groups, uint32_t group)
{
    return (int)(groups >> group & 1);
}

/* Input of a message from the queue of the channel that it takes, and from another queue of the node. */
static inline uint32_t cni_own_queue(const cni_wormhole_net *n)
{
    return n->inputs - 2;
}

static inline uint32_t cni_other_queue(const cni_wormhole_net *n)
{
    return n->inputs - 1;
}

/* Virtual channels held in a state, of all groups. */
static inline uint32_t cni_wormhole_held_in(const cni_wormhole_net *n, uint32_t state)
{
    uint32_t held = 0;
    for (uint32_t g = n->ways.groups; g-- > 0; state %= n->stride[g])
        held += state / n->stride[g];
    return held;
}

/* How headers choose, and what they and their flits meet on the way: from what is known of the channels to
 * rates and numbers held. Errors of the budget. */
cn_status cni_wormhole_follow(cni_wormhole_net *n);

/* And back. CN_ERR_UNSTABLE, without a sentence, where a channel cannot carry it. */
cn_status cni_wormhole_occupy(cni_wormhole_net *n, int is_first);

/* What inputs bring to the channels behind them, from what is found there. Errors of the budget. */
cn_status cni_wormhole_bring(cni_wormhole_net *n);

/* What headers of each input find on a channel of which all virtual channels of a group are held. `alone`: the share of them
 * that may take no other channel; `faster`, by group: departures from there, over their mean. */
void cni_wormhole_block(cni_wormhole_net *n, size_t channel, double alone, const double faster[]);

/* Mean delay of unicasts, and the other figures. CN_ERR_UNSTABLE without a sentence. */
cn_status cni_wormhole_network(const cn_scenario *scenario, double load,
                               const cni_worm_routes *ways, cni_wormhole_outcome *outcome);

#endif

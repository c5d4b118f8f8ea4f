/*
 * The inside of the library's own wormhole model (docs/theory/wormhole.md; W7 is its equation 7).
 *
 * Channels that carry the same form a class, and the model has the numbers of one channel of each.
 * Virtual channels that routings always allow together form a group: the classes of dimension order
 * on rings, the adaptive ones and each escape of Duato's rule. A header comes to a node over an
 * input: one of the channels into it, the queue whose channel it is about to take, or another queue
 * of the node.
 */
#ifndef CNI_QUEUEING_WORMHOLE_WORMHOLE_NETWORK_H
#define CNI_QUEUEING_WORMHOLE_WORMHOLE_NETWORK_H

#include "base/budget.h"
#include "queueing/wormhole/wormhole_model.h"
#include "routing/rules/routing.h"

enum { CNI_WORMHOLE_GROUPS = 3, CNI_WORMHOLE_LEVELS = CNI_WORMHOLE_MAX_VCS + 1 };

typedef double cni_wormhole_row[CNI_WORMHOLE_LEVELS];

/* Ports that a header may take at a site, all with the same class of channels. */
typedef struct cni_wormhole_way {
    uint32_t channel, next;     /* class; the site to which they lead */
    unsigned char ports, input; /* how many; the input there */
    unsigned char adaptive,
        escapes; /* groups that it may take; these only when no adaptive one is free, and on one port */
    unsigned char kind; /* of the choice: ports with adaptive groups at this site, less one */
} cni_wormhole_way;

/*
 * All ways of the messages to some targets which stand for all, site by site: a site is a node or,
 * on Boolean cubes where all channels are alike, a distance. A state is target sites + site.
 */
typedef struct cni_worm_routes {
    uint32_t sites, targets, channels, inputs, kinds,
        groups;                         /* channels: classes; inputs: of a site that are channels */
    uint32_t size[CNI_WORMHOLE_GROUPS]; /* virtual channels of a group */
    uint64_t set[CNI_WORMHOLE_GROUPS];
    uint32_t escapes; /* groups that are escapes somewhere */
    int by_distance;  /* on a Boolean cube: sites are hops to go */
    double alike;     /* channels for which an input stands */
    double hops;      /* mean distance */
    void *block;      /* of the arrays but way */
    double *weight;   /* by target: share of the messages for which it stands */
    double *share;    /* by target and site: of the messages to the target those that begin there */
    double *members;  /* by class: channels of a node */
    size_t *first;    /* by state: its ways; one more at the end */
    uint32_t *order;  /* by target: sites, each before those to which its ways lead */
    uint64_t *from;   /* by state: the inputs by which headers come */
    double *left;     /* by state: mean hops to the target */
    uint32_t *by;     /* by site and input: the class of that channel */
    cni_wormhole_way *way;
    size_t count, capacity;
} cni_worm_routes;

/* By pairs of nodes, with traffic that is by distance. CN_ERR_UNSUPPORTED for a routing that the
 * model does not cover. Close it also after a failure. */
cn_status cni_worm_routes_open(const cn_routing *routing, const cn_traffic *traffic,
                               uint32_t virtual_channels, cni_budget *budget,
                               cni_worm_routes *routes);

/* By distance: Duato's rule on a Boolean n-cube, or dimension order with one virtual channel;
 * share[i]: of the messages over i hops. */
cn_status cni_worm_routes_open_cube(uint32_t n, uint32_t virtual_channels, const double share[],
                                    cni_worm_routes *routes);
void cni_worm_routes_close(cni_worm_routes *routes);

/* What messages of a source queue take there: rate, and rate times three moments of the time. */
typedef struct cni_wormhole_service {
    double rate, first, second, third;
} cni_wormhole_service;

typedef struct cni_wormhole_copy {
    double flow, wait;            /* of a copy of a broadcast */
    double blocked, once_blocked; /* P(it finds all held); its wait where it does */
} cni_wormhole_copy;

/* Of a group of virtual channels: how many are free; P(all held), also where all adaptive ones
 * are. */
typedef struct cni_wormhole_view {
    double free, full, escaped;
} cni_wormhole_view;

/* Of a set of groups. */
typedef struct cni_wormhole_sum {
    double free, full, escaped; /* as above; of one group in the set */
    double relief, variation;   /* sums of these, the second by size */
} cni_wormhole_sum;

/* A state: what is held of each group, and whether one holds it that came from the channel's own
 * queue. */
typedef struct cni_wormhole_held {
    uint32_t own, of[CNI_WORMHOLE_GROUPS], all, adaptive, adaptive_free;
} cni_wormhole_held;

/* How the messages of a channel come to those behind it. */
typedef struct cni_wormhole_bunching {
    double trains;   /* those right behind another, over their rate */
    double meetings; /* how often two hold it at a time, over by chance */
} cni_wormhole_bunching;

/* Of a group of virtual channels of a channel. */
typedef struct cni_wormhole_group {
    double rate, held; /* sums of a round: rate of messages; mean number held */
    double square;     /* rate times the second moment of the time for which one is held */
    double before;     /* mean number held a round ago */
    double birth;      /* rate of arrivals that gives `held` */
    double relief;     /* rate at which one falls free when all are held */
    double variation;  /* squared coefficient of variation of the time for which one is held */
} cni_wormhole_group;

/* Of those that come to a group over an input. */
typedef struct cni_wormhole_input {
    double turn, kept; /* sums of a round: rate, and mean number held */
    double behind;     /* P(right behind another from there) */
    double found;      /* P(a header from there finds all held) */
    double blocked;    /* the same, with a whole stay in place of what is left of one */
} cni_wormhole_input;

/* What is iterated, by place: channel (class); channel and group; and so on, last index fastest. */
typedef struct cni_wormhole_net {
    cni_worm_routes routes;
    cni_budget *budget;
    uint32_t channels; /* V */
    uint32_t inputs;   /* of a node: those that are channels, then two for its queues */
    int one_port;
    double flits, buffers, degree;
    double load, copies;       /* unicasts of a node; copies of broadcasts, over each channel */
    uint32_t rounds;           /* so far */
    void *block;               /* of all arrays below */
    cni_wormhole_group *group; /* by channel, group */
    cni_wormhole_input *input; /* by channel, group, input */

    /* of the hops */
    double *split, *adaptive; /* by way: P(taken) by a transit; of that, over an adaptive group */
    double *width;            /* by k: from 1/(k+2) to 1/(k+1) */
    double *nothing;          /* by k: 1, the law where no channel is */
    double lowest;            /* level: 1/(V+1) */
    double size_of[1 << CNI_WORMHOLE_GROUPS]; /* by a set of groups: virtual channels */
    double part[1 << CNI_WORMHOLE_GROUPS][CNI_WORMHOLE_GROUPS]; /* of these, in each group */
    cni_wormhole_bunching *bunching;                            /* by channel */

    /* of these, all sums or means of a round */
    double *demand; /* by channel, transit or own, kind: rate */
    double *stall;  /* by channel: time for which its messages stand still, over M */
    /* by channel, k: law of what other channels allow them; last element: of the weights */
    double *limit;
    cni_wormhole_bunching *brought; /* by channel, input: mean over the channels of the input */
    cni_wormhole_service *queue;    /* by channel: of its source */

    /* of the occupancy */
    uint32_t states, stride[CNI_WORMHOLE_GROUPS]; /* held virtual channels by group */
    cni_wormhole_held *state; /* twice as many: without and with an own message */
    double *law;   /* by channel, transits alone or an own message too, state: its probability */
    double *eager; /* by channel: births of own messages where there is none, over their mean */
    cni_wormhole_view *view; /* by channel, group; with and without own messages */
    cni_wormhole_sum *sum;   /* by channel, without and with own messages, set of groups */
    double *beside;          /* by channel, kind, input, k: P(at most k others flow beside it) */
    double *choice; /* by free ones, kind: share of the headers that take a channel with so many */
    cni_wormhole_row *seen; /* of the channel at hand, by kind: others when a message comes */
    double *finds;          /* the same: by number held, kind */

    /* outcome */
    double flow, wait; /* of a message: flits, all its headers' waits */
    cni_wormhole_copy copy;
} cni_wormhole_net;

static inline size_t cni_group_at(const cni_wormhole_net *n, size_t channel, uint32_t group)
{
    return channel * n->routes.groups + group;
}

/* At any time or, for own messages, while there is none. */
static inline cni_wormhole_view *cni_view_at(const cni_wormhole_net *n, size_t channel,
                                             uint32_t group, int own)
{
    return &n->view[2 * cni_group_at(n, channel, group) + (size_t)own];
}

static inline cni_wormhole_sum *cni_sum_at(const cni_wormhole_net *n, size_t channel, int own,
                                           uint32_t set)
{
    return n->sum + ((2 * channel + (size_t)own) << n->routes.groups) + set;
}

static inline size_t cni_input_at(const cni_wormhole_net *n, size_t channel, uint32_t group,
                                  uint32_t input)
{
    return cni_group_at(n, channel, group) * n->inputs + input;
}

static inline double *cni_beside_at(const cni_wormhole_net *n, size_t channel, uint32_t kind,
                                    uint32_t input)
{
    return n->beside + ((channel * n->routes.kinds + kind) * n->inputs + input) * n->channels;
}

static inline int cni_has_group(uint32_t groups, uint32_t group)
{
    return (int)(groups >> group & 1);
}

/* Input of a message from the queue of the channel that it takes, and from another queue of the
 * node. */
static inline uint32_t cni_own_queue(const cni_wormhole_net *n)
{
    return n->inputs - 2;
}

static inline uint32_t cni_other_queue(const cni_wormhole_net *n)
{
    return n->inputs - 1;
}

static inline double cni_power(double a, uint32_t exponent)
{
    double product = 1.0;
    for (; exponent != 0; exponent >>= 1, a *= a)
        product *= (exponent & 1) != 0 ? a : 1.0;
    return product;
}

/* Inputs for which one stands. */
static inline double cni_alike(const cni_wormhole_net *n, uint32_t input)
{
    return input < n->routes.inputs ? n->routes.alike : 1.0;
}

/* How headers choose, and what they and their flits meet on the way: from what is known of the
 * channels to rates and numbers held. Errors of the budget. */
cn_status cni_wormhole_follow(cni_wormhole_net *n);

/* The states of a channel. */
void cni_wormhole_states(cni_wormhole_net *n);

/* And back. CN_ERR_UNSTABLE, without a sentence, where a channel cannot carry it. */
cn_status cni_wormhole_occupy(cni_wormhole_net *n);

/* What headers of each input find on a channel of which all virtual channels of a group are held.
 * `alone`: the share of them that may take no other channel; by group: rate of departures while it
 * is full, and of those for which headers wait there. */
void cni_wormhole_block(cni_wormhole_net *n, size_t channel, double alone, const double left[],
                        const double relief[]);

/* Of what sharing adds to the time of a message: each message that it meets takes up to M cycles
 * from it, all times as likely, and all together at most (V - 1) M. */
static inline double cni_sharing_variance(const cni_wormhole_net *n, double added)
{
    double most = (n->channels - 1.0) * n->flits;
    double variance = added * 2.0 / 3.0 * n->flits * (1.0 - added / most);
    return most > 0.0 && variance > 0.0 ? variance : 0.0;
}

/* Of a wait that is 0 or, with small probability, exponential with mean `once_blocked`. */
static inline double cni_wait_variance(double mean, double once_blocked)
{
    return mean < 2.0 * once_blocked ? mean * (2.0 * once_blocked - mean) : 0.0;
}

/* A time of `base` plus an excess that is 0 with probability `at_once`, else gamma distributed. */
typedef struct cni_wormhole_step {
    double base, at_once, mean, variance; /* the last two of the excess when there is one */
} cni_wormhole_step;

/* Mean time until the last node of a binomial tree of n dimensions is reached. `together`: the
 * share of the delays that children of a node have in common. CN_ERR_MEMORY */
cn_status cni_wormhole_last(uint32_t n, const cni_wormhole_step *step, double together,
                            double *mean);

/* The same of nodes that send their copies one after the other, the first into the largest subtree:
 * `service` of each, after `queued` of the first. */
cn_status cni_wormhole_last_of_one_port(uint32_t n, const cni_wormhole_step *service,
                                        const cni_wormhole_step *queued, double together,
                                        double *mean);

/* Mean delays of the own model, and the other figures; outcome may be NULL. CN_ERR_UNSTABLE without
 * a sentence. */
cn_status cni_wormhole_own(const cni_wormhole_case *c, const cni_worm_routes *routes,
                           cni_wormhole_outcome *outcome);

/* Whether there is a steady state, asked for load after load: the state at the last one that had
 * one is where the next one begins. */
typedef struct cni_wormhole_trial {
    cni_wormhole_net steady, tried;
} cni_wormhole_trial;

/* For a case of any load. Close it also after a failure. */
cn_status cni_wormhole_trial_open(const cni_wormhole_case *c, const cni_worm_routes *routes,
                                  cni_wormhole_trial *trial);
void cni_wormhole_trial_close(cni_wormhole_trial *trial);

/* At the load of the case, greater than any before that had one. CN_ERR_UNSTABLE without a
 * sentence. */
cn_status cni_wormhole_try(cni_wormhole_trial *trial, const cni_wormhole_case *c);

#endif

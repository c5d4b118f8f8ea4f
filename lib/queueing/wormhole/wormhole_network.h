/*
 * The inside of the library's own wormhole model (docs/theory/wormhole.md; W7 is its equation 7).
 *
 * Channels that carry the same form a class, and the model has the numbers of one channel of each
 * class. Virtual channels that the routing always allows together form a group: the classes of
 * dimension order on rings, the adaptive virtual channels and each escape of Duato's rule. A header
 * comes to a node over an input: a channel into the node, the queue whose channel it is about to
 * take, or another queue of the node. Messages from the queue of a channel are the own messages of
 * the channel, all others are transits.
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
    uint32_t channel, next;     /* class; the site to which the ports lead */
    unsigned char ports, input; /* number of ports; the input at that site */
    /* groups that the header may take; escapes only when no adaptive virtual channel is free,
     * and on one port */
    unsigned char adaptive, escapes;
    unsigned char kind; /* kind of choice: ports with adaptive groups at this site, less 1 */
} cni_wormhole_way;

/*
 * All ways of the messages to some targets that stand for all targets, site by site. A site is a
 * node or, on Boolean cubes where all channels are alike, a distance from the target. The number of
 * a state is target times sites plus site.
 */
typedef struct cni_worm_routes {
    /* channels: classes of channels; inputs: inputs of a site that are channels */
    uint32_t sites, targets, channels, inputs, kinds, groups;
    /* by group: its virtual channels, their number and as bits */
    uint32_t size[CNI_WORMHOLE_GROUPS];
    uint64_t set[CNI_WORMHOLE_GROUPS];
    uint32_t escapes; /* set of the groups that are escapes at some site */
    int by_distance;  /* on a Boolean cube: sites are hops to go */
    double alike;     /* channels for which an input stands */
    double hops;      /* mean distance */
    void *block;      /* memory of the arrays except way */
    double *weight;   /* by target: share of the messages for which it stands */
    double *share;    /* by target and site: share of the messages to the target that begin there */
    double *members;  /* by class: mean number of its channels at a node */
    size_t *first;    /* by state: number of its first way; one more element at the end */
    uint32_t *order;  /* by target: sites, each before the sites to which its ways lead */
    uint64_t *from;   /* by state: set of the inputs over which headers come */
    double *left;     /* by state: mean hops to the target */
    uint32_t *input_class; /* by site and input: the class of that channel */
    cni_wormhole_way *way;
    size_t count, capacity;
} cni_worm_routes;

/* Finds the ways by pairs of nodes, for traffic that depends on the distance alone.
 * CN_ERR_UNSUPPORTED for a routing that the model does not cover. Close the routes also after a
 * failure. */
cn_status cni_worm_routes_open(const cn_routing *routing, const cn_traffic *traffic,
                               uint32_t virtual_channels, cni_budget *budget,
                               cni_worm_routes *routes);

/* Finds the ways by distance, for Duato's rule on a Boolean n-cube or dimension order with one
 * virtual channel. share[i] is the share of the messages over i hops. */
cn_status cni_worm_routes_open_cube(uint32_t n, uint32_t virtual_channels, const double share[],
                                    cni_worm_routes *routes);
void cni_worm_routes_close(cni_worm_routes *routes);

/* The services of the messages in a source queue: rate, and rate times the first three moments
 * of the time of service. */
typedef struct cni_wormhole_service {
    double rate, first, second, third;
} cni_wormhole_service;

/* A copy of a broadcast, or a unicast, after its source queue. */
typedef struct cni_wormhole_copy {
    double flow, wait;            /* cycles of its flits, and of its waits */
    double blocked, once_blocked; /* P(it finds all held); its mean wait then */
} cni_wormhole_copy;

/* A group of virtual channels: mean number that is free; P(all are held); P(all are held, given
 * that all adaptive virtual channels are). */
typedef struct cni_wormhole_view {
    double free, full, escaped;
} cni_wormhole_view;

/* The view of a set of groups, and sums over the set. */
typedef struct cni_wormhole_sum {
    double free, full, escaped; /* sum; product; sum, for a set of one escape */
    double relief, variation;   /* sum of the rates; sum of variation times size */
} cni_wormhole_sum;

/* A state of a channel: the number held of each group, and whether a message from the channel's
 * own queue holds one of them. */
typedef struct cni_wormhole_held {
    uint32_t own, of[CNI_WORMHOLE_GROUPS], all, adaptive, adaptive_free;
} cni_wormhole_held;

/* How the messages of a channel come to the channels behind it. */
typedef struct cni_wormhole_bunching {
    double trains;   /* share of messages right behind another message, over the rate of all */
    double meetings; /* how often two hold the channel at a time, over how often by chance */
} cni_wormhole_bunching;

/* A group of virtual channels of a channel. */
typedef struct cni_wormhole_group {
    double rate, held; /* sums of a round: rate of messages; mean number held */
    double square;     /* rate times the second moment of the time for which a message holds one */
    double before;     /* mean number held in the round before */
    double birth;      /* rate of births in the chain that gives the mean number `held` */
    double relief;     /* rate at which a virtual channel falls free when all are held */
    /* squared coefficient of variation of the time for which a message holds one */
    double variation;
} cni_wormhole_group;

/* The messages that come to a group over an input. */
typedef struct cni_wormhole_input {
    double rate, held; /* sums of a round: rate, and mean number held */
    double behind;     /* P(a message comes right behind another message of the input) */
    double found;      /* P(a header of the input finds all held) */
    /* `found` by the length of the waits: a header right behind another message waits a whole time
     * between departures, not the rest of one */
    double blocked;
} cni_wormhole_input;

/* The state of the iteration. Arrays are by place: channel (class), then group, and so on; the
 * last index runs fastest. */
typedef struct cni_wormhole_net {
    cni_worm_routes routes;
    cni_budget *budget;
    uint32_t channels; /* virtual channels of a channel: V */
    uint32_t inputs;   /* inputs of a node: channels, then two for its queues */
    int one_port;
    double flits, buffers, degree;
    /* rates: unicasts of a node; copies of broadcasts over each channel */
    double load, copies;
    uint32_t rounds;           /* rounds so far */
    void *block;               /* memory of all arrays below */
    cni_wormhole_group *group; /* by channel, group */
    cni_wormhole_input *input; /* by channel, group, input */

    /* The hops. A law has for each cell k of levels the mean share of the cell below the level.
     * So the mean level is `lowest` plus the sum of law times width. */
    /* by way: P(a transit takes it); share of that over an adaptive group */
    double *split, *adaptive;
    double *width;   /* by k: length of the cell from 1/(k+2) to 1/(k+1) */
    double *nothing; /* by k: 1, the law of a level that no channel limits */
    double lowest;   /* the lowest level: 1/(V+1) */
    double size_of[1 << CNI_WORMHOLE_GROUPS]; /* by set of groups: its virtual channels */
    /* the share of each group in these virtual channels */
    double part[1 << CNI_WORMHOLE_GROUPS][CNI_WORMHOLE_GROUPS];
    cni_wormhole_bunching *bunching; /* by channel */

    /* Sums or means of a round. */
    double *demand; /* by channel, transit or own, kind: rate */
    double *stall;  /* by channel: mean time for which its messages stand still, over M */
    /* by channel, k: law of the level that other channels allow its messages; last element: sum
     * of the weights */
    double *limit;
    cni_wormhole_bunching *brought; /* by channel, input: mean over the channels of the input */
    cni_wormhole_service *queue;    /* by channel: services of its source queue */

    /* The occupancy of channels. */
    /* number of states; distance of states that differ by one of a group */
    uint32_t states, stride[CNI_WORMHOLE_GROUPS];
    cni_wormhole_held *state; /* twice as many: without and with an own message */
    double *law; /* by channel, without or with an own message, state: its probability */
    /* by channel: factor on the births of own messages; at most one is there */
    double *eager;
    cni_wormhole_view *view; /* by channel, group: at any time, and while no own message is there */
    cni_wormhole_sum *sum;   /* by channel, at any time or without own messages, set of groups */
    /* by channel, kind, input, k: law of the level beside the others there */
    double *beside;
    double *choice; /* by number of free virtual channels, kind: W7 times the number of ports */
    /* of the channel at hand, by kind: others that flow when a message comes */
    cni_wormhole_row *seen;
    double *finds; /* of the same channel, by number held, kind: share of messages that find it */

    /* The outcome. */
    double flow, wait; /* of a unicast: cycles of its flits, waits of its header */
    cni_wormhole_copy copy;
} cni_wormhole_net;

static inline size_t cni_group_at(const cni_wormhole_net *n, size_t channel, uint32_t group)
{
    return channel * n->routes.groups + group;
}

/* The view of a group at any time or, for own messages, while no own message is there. */
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

/* The input of a message from the queue of the channel that it takes, and of a message from
 * another queue of the node. */
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

/* The number of inputs for which this one stands. */
static inline double cni_alike(const cni_wormhole_net *n, uint32_t input)
{
    return input < n->routes.inputs ? n->routes.alike : 1.0;
}

/* Step 1 of the theory, from the views of the channels to rates and numbers held: how headers
 * choose, and which waits and levels worms meet on the way. Errors of the budget. */
cn_status cni_wormhole_follow(cni_wormhole_net *n);

/* Lists the states of a channel. */
void cni_wormhole_states(cni_wormhole_net *n);

/* Step 2 of the theory: from rates and numbers held back to the channels. CN_ERR_UNSTABLE,
 * without a sentence, where a channel cannot carry its messages. */
cn_status cni_wormhole_occupy(cni_wormhole_net *n);

/* Finds for the headers of each input the probability that all virtual channels of a group are
 * held. `alone`: share of the headers that may take no other channel. By group: `left` is the
 * number of departures from the full group in a cycle, `relief` the rate of departures while
 * headers may wait for the group. */
void cni_wormhole_block(cni_wormhole_net *n, size_t channel, double alone, const double left[],
                        const double relief[]);

/* W11: the variance of the cycles that sharing adds to the time of a message. Each message that
 * it meets takes up to M cycles from it, all numbers of cycles as likely, and all messages
 * together take at most (V - 1) M. */
static inline double cni_sharing_variance(const cni_wormhole_net *n, double added)
{
    double most = (n->channels - 1.0) * n->flits;
    double variance = added * 2.0 / 3.0 * n->flits * (1.0 - added / most);
    return most > 0.0 && variance > 0.0 ? variance : 0.0;
}

/* W11: the variance of a wait that is 0 or, with small probability, exponential with the mean
 * `once_blocked`. */
static inline double cni_wait_variance(double mean, double once_blocked)
{
    return mean < 2.0 * once_blocked ? mean * (2.0 * once_blocked - mean) : 0.0;
}

/* A time of `base` plus an excess that is 0 with probability `at_once`, else gamma distributed. */
typedef struct cni_wormhole_step {
    double base, at_once, mean, variance; /* the last two: of an excess above 0 */
} cni_wormhole_step;

/* W21, W22: mean time until a broadcast reaches the last node of a binomial tree of n dimensions.
 * With one port `service` is the service of each copy, and `queued` the wait of the first copy, the
 * one into the largest subtree. With all ports `service` is NULL, and `queued` is a step.
 * `together` is theta, the share of the delays that the children of a node have in common.
 * CN_ERR_MEMORY. */
cn_status cni_wormhole_last(uint32_t n, const cni_wormhole_step *service,
                            const cni_wormhole_step *queued, double together, double *mean);

/* Mean delays of the own model, and its other figures; outcome may be NULL. CN_ERR_UNSTABLE
 * without a sentence. */
cn_status cni_wormhole_own(const cni_wormhole_case *c, const cni_worm_routes *routes,
                           cni_wormhole_outcome *outcome);

#endif

/*
 * The models of broadcast and unicast latency in wormhole-switched Boolean n-cubes (Shahrabi,
 * Ould-Khaoua & Mackenzie 2001); derivation of all in docs/theory/wormhole.md, W1 to W22.
 */
#ifndef CNI_QUEUEING_WORMHOLE_WORMHOLE_MODEL_H
#define CNI_QUEUEING_WORMHOLE_WORMHOLE_MODEL_H

#include "scenario/result.h"
#include "scenario/scenario.h"

enum {
    CNI_WORMHOLE_MAX_VCS = 64,
    CNI_WORMHOLE_MAX_DIMENSIONS = 63,
    CNI_WORMHOLE_MOST_NODES = 1024 /* of networks that are no cubes: all pairs are followed */
};

/* What is asked, and the rates that follow from it (messages per channel and cycle). */
typedef struct cni_wormhole_case {
    uint32_t n, channels; /* dimensions; V, virtual channels of a channel */
    int one_port;         /* a node has one source queue, not one for each port */
    double nodes, degree, flits, buffers, beta, load, startup;
    cn_model_variant variant;
    cni_budget *budget;
    double share[CNI_WORMHOLE_MAX_DIMENSIONS + 1]; /* p_i of a unicast over i hops (eq. 5) */
    double distance;                               /* of unicasts (eq. 6) */
    double unicast, broadcast, replica;            /* eq. 7, 8, 11 */
    double channel;                                /* their sum (eq. 4) */
    double claimed; /* share of the limit of own up to which its accuracy is stated */
} cni_wormhole_case;

typedef struct cni_wormhole_outcome {
    double unicast_delay, broadcast_delay, waiting_per_hop, multiplexing;
    double first_wait; /* of broadcast_delay: until the source sends the first copy */
    int extrapolated;  /* of own */
} cni_wormhole_outcome;

/* The rates at another load, for a case whose other members are set. */
void cni_wormhole_set_load(cni_wormhole_case *c, double load);

/* The models; outcome may be NULL. CN_ERR_UNSTABLE, without a sentence, where they have no steady
 * state. */
cn_status cni_wormhole_published(const cni_wormhole_case *c, cni_wormhole_outcome *outcome);

/* The system's model. It fills a result. */
cn_status cni_predict_wormhole(const cn_scenario *scenario, cn_result *result);

/* The load from which on it has no steady state, to about ten digits. */
cn_status cni_limit_wormhole(const cn_scenario *scenario, double *load);

#endif

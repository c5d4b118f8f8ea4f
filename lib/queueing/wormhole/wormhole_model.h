/*
 * The models of the latency of unicasts and broadcasts with wormhole switching: the model of
 * Shahrabi, Ould-Khaoua & Mackenzie 2001 for Boolean n-cubes, and the library's own model.
 * docs/theory/wormhole.md derives both, W1 to W22; the paper numbers its equations as eq. 1 to 31.
 */
#ifndef CNI_QUEUEING_WORMHOLE_WORMHOLE_MODEL_H
#define CNI_QUEUEING_WORMHOLE_WORMHOLE_MODEL_H

#include "scenario/result.h"
#include "scenario/scenario.h"

enum {
    CNI_WORMHOLE_MAX_VCS = 64,
    CNI_WORMHOLE_MAX_DIMENSIONS = 63,
    /* of networks that are no cubes, as the own model follows all pairs of nodes */
    CNI_WORMHOLE_MOST_NODES = 1024
};

/* A question, and the rates that follow from it (messages per channel and cycle). */
typedef struct cni_wormhole_case {
    uint32_t n;        /* dimensions of a cube; 0 on other networks */
    uint32_t channels; /* V, virtual channels of a channel */
    int one_port;      /* a node has one source queue, not one for each port */
    double nodes, degree, flits, buffers, beta, load, startup;
    cn_model_variant variant;
    cni_budget *budget;
    /* p_i: share of the unicasts over i hops (eq. 5) */
    double share[CNI_WORMHOLE_MAX_DIMENSIONS + 1];
    double distance;                    /* mean distance of unicasts (eq. 6) */
    double unicast, broadcast, replica; /* of unicasts, first copies, replicas (eq. 7, 8, 11) */
    double channel;                     /* sum of these rates (eq. 4) */
    double claimed; /* share of the limit of own up to which the accuracy of own is stated */
} cni_wormhole_case;

typedef struct cni_wormhole_outcome {
    double unicast_delay, broadcast_delay, waiting_per_hop, multiplexing;
    double first_wait; /* part of broadcast_delay until the source sends the first copy */
    int extrapolated;  /* own: the load is beyond the claimed share of the limit */
} cni_wormhole_outcome;

/* Sets the load and the rates of a case whose other members are set. */
void cni_wormhole_set_load(cni_wormhole_case *c, double load);

/* The models published and corrected; outcome may be NULL. CN_ERR_UNSTABLE, without a sentence,
 * where there is no steady state. */
cn_status cni_wormhole_published(const cni_wormhole_case *c, cni_wormhole_outcome *outcome);

/* The model of the system `wormhole` that a scenario asks for. It fills a result. */
cn_status cni_predict_wormhole(const cn_scenario *scenario, cn_result *result);

/* The load from which on the model has no steady state: to 1e-10 of it on cubes, else to 1e-3. */
cn_status cni_limit_wormhole(const cn_scenario *scenario, double *load);

#endif

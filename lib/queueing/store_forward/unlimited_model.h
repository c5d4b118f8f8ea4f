/* What the models of networks with unlimited buffers have in common (Horng 1992, chapter 2). */
#ifndef CNI_QUEUEING_STORE_FORWARD_UNLIMITED_MODEL_H
#define CNI_QUEUEING_STORE_FORWARD_UNLIMITED_MODEL_H

#include "queueing/store_forward/channel_flows.h"
#include "scenario/result.h"

/* What they start from. */
typedef struct cni_unlimited_model {
    double n;        /* channels of a node, on average */
    double nodes;    /* N: those that take part */
    double load;     /* lambda: messages that a node sends, on average */
    double distance; /* d */
    double hops;     /* d again, on shortest paths */
    double rho;      /* lambda d / n (eq. 2.7) */
    double fullest;  /* rho of the busiest channel */
    double idle;     /* 1 - rho, without the cancellation near capacity */
} cni_unlimited_model;

/* Of a Boolean n-cube. CN_ERR_UNSTABLE from its capacity on. */
cn_status cni_unlimited_model_open(const char *function, const cn_topology *topology, double load,
                                   cni_unlimited_model *model);

/* The load at which the first channel is full. CN_ERR_ARGUMENT when nobody sends. */
cn_status cni_limit_of_flows(const char *function, const cni_channel_flows *flows, double *load);

/* That of a scenario, for cn_saturation_load(). Errors of cni_channel_flows_open(), too. */
cn_status cni_limit_of_network(const cn_scenario *scenario, double *load);

/* Of any network, by its flows. CN_ERR_UNSTABLE from that load on. */
cn_status cni_unlimited_model_of(const char *function, const cni_channel_flows *flows, double load,
                                 cni_unlimited_model *model);

/* 1 for a Boolean n-cube without faults, with uniform traffic, all of whose shortest paths are taken alike:
 * what eq. 2.7 is for. */
int cni_is_plain_cube(const cn_scenario *scenario);

/* The metrics that follow from the mean delay T. */
void cni_unlimited_model_put(const cni_unlimited_model *model, const cn_scenario *scenario,
                             double delay, cn_result *result);

/* The models. They fill a result. That of separate buffers covers Boolean n-cubes without faults, and all
 * networks of at most CNI_WALKS_NODES. */
cn_status cni_predict_separate_buffers(const cn_scenario *scenario, cn_result *result);
cn_status cni_channel_delays_separate_buffers(const cn_scenario *scenario, double delays[]);
cn_status cni_check_separate_buffers(const char *function, const cn_topology *topology);
cn_status cni_check_own_separate_buffers(const char *function, const cn_scenario *scenario);
cn_status cni_predict_shared_buffer(const cn_scenario *scenario, cn_result *result);
cn_status cni_predict_optimistic_bound(const cn_scenario *scenario, cn_result *result);

/* The loads from which on they have no steady state; the last is that of Boolean cubes. */
cn_status cni_limit_separate_buffers(const cn_scenario *scenario, double *load);
cn_status cni_limit_shared_buffer(const cn_scenario *scenario, double *load);
cn_status cni_limit_of_cube(const cn_scenario *scenario, double *load);

#endif

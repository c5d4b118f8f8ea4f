/* The common part of the models of networks with unlimited buffers
 * (docs/theory/store-and-forward.md; Horng 1992, chapter 2). */
#ifndef CNI_QUEUEING_STORE_FORWARD_UNLIMITED_MODEL_H
#define CNI_QUEUEING_STORE_FORWARD_UNLIMITED_MODEL_H

#include "queueing/store_forward/channel_flows.h"
#include "scenario/result.h"

/* The means from which the models start. */
typedef struct cni_unlimited_model {
    double n;        /* channels of a node, on average */
    double nodes;    /* N: nodes that take part */
    double load;     /* lambda: messages of a node in a cycle, on average */
    double distance; /* d: the mean distance */
    double hops;     /* mean hops, d on shortest paths; 0: not known */
    double rate;     /* lambda d / n: messages of a channel in a cycle */
    double rho;      /* the share of the time in which these take the channel (eq. 2.7) */
    double fullest;  /* rho of the busiest channel */
    double idle;     /* 1 - rho, without the cancellation near capacity */
} cni_unlimited_model;

/* The means of a Boolean n-cube with traffic by distance. CN_ERR_UNSTABLE from its capacity on. */
cn_status cni_unlimited_model_open(const char *function, const cn_topology *topology,
                                   const cn_traffic *traffic, double load,
                                   cni_unlimited_model *model);

/* The means of the Boolean cube of n dimensions with uniform traffic. Checks the arguments n and
 * load. */
cn_status cni_unlimited_model_of_cube(const char *function, uint32_t n, double load,
                                      cni_unlimited_model *model);

/* The load of a scenario at which its busiest channel is full. CN_ERR_ARGUMENT when no node
 * sends; errors of cni_channel_flows_open(). */
cn_status cni_limit_of_network(const cn_scenario *scenario, double *load);

/* The means of any network, with its flows. The caller closes the flows also after a failure.
 * CN_ERR_UNSTABLE from the load of cni_limit_of_network() on, and the errors of that function. */
cn_status cni_unlimited_model_of(const char *function, const cn_scenario *scenario, int turns,
                                 cni_channel_flows *flows, cni_unlimited_model *model);

/* Returns the exact mean delay in continuous time, (S10), where no channel is full. `delays`
 * (may be NULL) gets the delay of each channel. */
double cni_jackson_delay(const cni_channel_flows *flows, double load, double delays[]);

/* 1 for a Boolean n-cube without faults and a routing that takes all shortest paths equally
 * often: eq. 2.7 holds there. */
int cni_is_plain_cube(const cn_scenario *scenario);

/* Fill the metrics that follow from the mean delay T: cni_put_load() the metrics of the load, the
 * other function all. */
void cni_put_load(const cni_unlimited_model *model, double delay, cn_result *result);
void cni_unlimited_model_put(const cni_unlimited_model *model, const cn_scenario *scenario,
                             double delay, cn_result *result);

/* The models; each fills a result. Separate buffers cover Boolean n-cubes without faults, and
 * all networks of at most CNI_WALKS_NODES nodes. */
cn_status cni_predict_separate_buffers(const cn_scenario *scenario, cn_result *result);
cn_status cni_channel_delays_separate_buffers(const cn_scenario *scenario, double delays[]);
cn_status cni_check_separate_buffers(const char *function, const cn_topology *topology);
cn_model_variant cni_nearest_of_separate_buffers(const cn_scenario *scenario);
cn_status cni_check_own_separate_buffers(const char *function, const cn_scenario *scenario);
cn_status cni_predict_shared_buffer(const cn_scenario *scenario, cn_result *result);
/* Returns t = lambda (z_n - 1) of (S4), from 0 to 1 (eq. 2.67). */
double cni_optimistic_root(const cni_unlimited_model *model);
cn_status cni_predict_optimistic_bound(const cn_scenario *scenario, cn_result *result);
/* The bound of a Boolean n-cube with node faults, (S11) (Horng 1992, 5.2). */
cn_status cni_predict_degraded_bound(const cn_scenario *scenario, cn_result *result);

/* Virtual cut-through on any network, (C1) to (C4) of docs/theory/cut-through.md. */
cn_status cni_predict_cut_through(const cn_scenario *scenario, cn_result *result);
cn_model_variant cni_nearest_of_cut_through(const cn_scenario *scenario);
cn_status cni_check_own_cut_through(const char *function, const cn_scenario *scenario);

/*
 * Returns the mean wait of (C3) in units of a service. Each channel has the load rho. Every message
 * goes to the first free channel of its choice. ways[i] of the messages choose among i + 1
 * channels; the sum of `ways` is 1.
 */
double cni_cut_through_wait(double rho, const double ways[], size_t count);

/* The loads from which on a model has no steady state. cni_limit_of_cube() has the limit of
 * Boolean n-cubes. */
cn_status cni_limit_cut_through(const cn_scenario *scenario, double *load);
cn_status cni_limit_degraded_bound(const cn_scenario *scenario, double *load);
cn_status cni_limit_separate_buffers(const cn_scenario *scenario, double *load);
cn_status cni_limit_shared_buffer(const cn_scenario *scenario, double *load);
cn_status cni_limit_of_cube(const cn_scenario *scenario, double *load);

#endif

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
    double hops;     /* d again, on shortest paths; 0: not known */
    double rate;     /* lambda d / n: messages of a channel */
    double rho;      /* and for how much of the time they take it (eq. 2.7) */
    double fullest;  /* rho of the busiest channel */
    double idle;     /* 1 - rho, without the cancellation near capacity */
} cni_unlimited_model;

/* Of a Boolean n-cube with traffic that is by distance. CN_ERR_UNSTABLE from its capacity on. */
cn_status cni_unlimited_model_open(const char *function, const cn_topology *topology,
                                   const cn_traffic *traffic, double load,
                                   cni_unlimited_model *model);

/* The same of the cube of n dimensions, with checks of the arguments n and load. */
cn_status cni_unlimited_model_of_cube(const char *function, uint32_t n, double load,
                                      cni_unlimited_model *model);

/* The load of a scenario at which the first channel is full. CN_ERR_ARGUMENT when nobody sends;
 * errors of cni_channel_flows_open(). */
cn_status cni_limit_of_network(const cn_scenario *scenario, double *load);

/* Of any network, with the flows, which the caller closes also after a failure. CN_ERR_UNSTABLE
 * from that load on, and its errors. */
cn_status cni_unlimited_model_of(const char *function, const cn_scenario *scenario, int turns,
                                 cni_channel_flows *flows, cni_unlimited_model *model);

/* The exact mean delay in continuous time, where no channel is full, and into delays (may be NULL)
 * that of each channel. */
double cni_jackson_delay(const cni_channel_flows *flows, double load, double delays[]);

/* 1 for a Boolean n-cube without faults, all of whose shortest paths are taken alike: what eq. 2.7
 * is for. */
int cni_is_plain_cube(const cn_scenario *scenario);

/* The metrics that follow from the mean delay T: those of the load alone, and all. */
void cni_put_load(const cni_unlimited_model *model, double delay, cn_result *result);
void cni_unlimited_model_put(const cni_unlimited_model *model, const cn_scenario *scenario,
                             double delay, cn_result *result);

/* The models. They fill a result. That of separate buffers covers Boolean n-cubes without faults,
 * and all networks of at most CNI_WALKS_NODES. */
cn_status cni_predict_separate_buffers(const cn_scenario *scenario, cn_result *result);
cn_status cni_channel_delays_separate_buffers(const cn_scenario *scenario, double delays[]);
cn_status cni_check_separate_buffers(const char *function, const cn_topology *topology);
cn_model_variant cni_nearest_of_separate_buffers(const cn_scenario *scenario);
cn_status cni_check_own_separate_buffers(const char *function, const cn_scenario *scenario);
cn_status cni_predict_shared_buffer(const cn_scenario *scenario, cn_result *result);
/* lambda (z_n - 1), from 0 to 1 (eq. 2.67). */
double cni_optimistic_root(const cni_unlimited_model *model);
cn_status cni_predict_optimistic_bound(const cn_scenario *scenario, cn_result *result);
/* That of a Boolean n-cube with node faults (Horng 1992, 5.2). */
cn_status cni_predict_degraded_bound(const cn_scenario *scenario, cn_result *result);

/* Virtual cut-through on any network (docs/theory/cut-through.md). */
cn_status cni_predict_cut_through(const cn_scenario *scenario, cn_result *result);
cn_model_variant cni_nearest_of_cut_through(const cn_scenario *scenario);
cn_status cni_check_own_cut_through(const char *function, const cn_scenario *scenario);

/*
 * The mean wait, in services, at channels of which each carries rho services a service time, when
 * every message goes to the one of its channels that is free first; ways[i] of the messages choose
 * among i + 1, in all 1.
 */
double cni_cut_through_wait(double rho, const double ways[], size_t count);

/* The loads from which on they have no steady state; the last is that of Boolean cubes. */
cn_status cni_limit_cut_through(const cn_scenario *scenario, double *load);
cn_status cni_limit_degraded_bound(const cn_scenario *scenario, double *load);
cn_status cni_limit_separate_buffers(const cn_scenario *scenario, double *load);
cn_status cni_limit_shared_buffer(const cn_scenario *scenario, double *load);
cn_status cni_limit_of_cube(const cn_scenario *scenario, double *load);

#endif

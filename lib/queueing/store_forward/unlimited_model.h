/* The models of Boolean n-cubes with unlimited buffers (Horng 1992, chapter 2). */
#ifndef CNI_QUEUEING_STORE_FORWARD_UNLIMITED_MODEL_H
#define CNI_QUEUEING_STORE_FORWARD_UNLIMITED_MODEL_H

#include "scenario/result.h"
#include "scenario/scenario.h"

/* What the three of them start from. */
typedef struct cni_unlimited_model {
    double n;
    double nodes;    /* N */
    double load;     /* lambda */
    double distance; /* d */
    double rho;      /* lambda d / n (eq. 2.7) */
    double idle;     /* 1 - rho, without the cancellation near capacity */
} cni_unlimited_model;

/* Of a Boolean n-cube. CN_ERR_UNSTABLE from its capacity on. */
cn_status cni_unlimited_model_open(const char *function, const cn_topology *topology, double load,
                                   cni_unlimited_model *model);

/* The metrics that follow from the mean delay T. */
void cni_unlimited_model_put(const cni_unlimited_model *model, double delay, cn_result *result);

/* The models. They fill a result. */
cn_status cni_predict_separate_buffers(const cn_scenario *scenario, cn_result *result);
cn_status cni_predict_shared_buffer(const cn_scenario *scenario, cn_result *result);
cn_status cni_predict_optimistic_bound(const cn_scenario *scenario, cn_result *result);

#endif

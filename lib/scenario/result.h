/* The inside of a cn_result. */
#ifndef CNI_SCENARIO_RESULT_H
#define CNI_SCENARIO_RESULT_H

#include "cubenet/scenario.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/object.h"
#include "base/statistics.h"
#include "scenario/counts.h"

enum { CNI_METRIC_ROOM = 64 }; /* no metric has this number or a larger one */
enum { CNI_MODEL_NAME = 48 };  /* room for a name like "deflection/own/2" */

/* What a metric of a simulation rests on. */
typedef enum cni_rest {
    CNI_COUNTED, /* counted events: the metric holds in any case */
    CNI_QUEUED,  /* the length of the queues: while the queues grow its half-width is unknown */
    CNI_STEADY   /* the same, and a saturated network has no such value */
} cni_rest;

/* CNI_COUNTED for a number that is no metric. */
cni_rest cni_metric_rest(cn_metric metric);

/* The counts of a simulation with statistics. */
typedef struct cni_result_statistics {
    cni_counts counts;
    cni_histogram delays; /* of all messages */
    double unit;          /* cycles in a unit of the delays and of the time in the queues */
    uint64_t cycles;      /* measured, of all runs */
    size_t batches;       /* 0 for several runs */
    uint64_t batch_cycles;
    double batch[CNI_METRIC_ROOM][CNI_BATCHES]; /* NaN: the batch has no such value */
} cni_result_statistics;

/* By message: the cycle of an event, UINT64_MAX before the event. The three arrays are one
 * block. */
typedef struct cni_message_times {
    size_t messages; /* 0: none */
    uint64_t *ready, *injected, *delivered;
} cni_message_times;

struct cn_result {
    cni_object head;
    cni_references references;
    const char *system;
    /* the result's own copy of its scenario; NULL: a study without one */
    cn_scenario *scenario;
    char model[CNI_MODEL_NAME]; /* the model that predicted the result; empty: none */
    char library[16];           /* the version that made the result */
    uint64_t seed;
    cn_stop stop;
    int saturated;
    cni_result_statistics *statistics; /* NULL: none */
    cni_message_times messages;        /* with a workload: of the first replication */
    /* NULL: a whole result; otherwise the result is a shard and holds no metric */
    struct cni_shard *shard;
    /* 1: the run was too short for the steady state of the metrics */
    int unsettled;
    /* by metric; [0] is not used */
    char has[CNI_METRIC_ROOM];
    double value[CNI_METRIC_ROOM];
    double half_width[CNI_METRIC_ROOM];
    uint64_t samples[CNI_METRIC_ROOM];
};

/* The name in place of the system, in a study without a scenario. */
extern const char cni_study_system[];

/* An empty result of the scenario, which may be NULL; NULL without memory. */
cn_result *cni_result_new(const cn_scenario *scenario);

/* Another reference to the result, with its own cn_result_free(); results never change. */
cn_result *cni_result_retain(const cn_result *result);

/* CN_ERR_ARGUMENT for a number that is no metric, CN_ERR_NOT_FOUND for a metric that the result
 * does not hold. */
cn_status cni_result_check_has(const char *function, const cn_result *result, cn_metric metric);

/* Puts a metric into a result, with half-width 0. A value that is not finite is left out: its
 * divisor was 0. */
void cni_result_put(cn_result *result, cn_metric metric, double value, uint64_t samples);

extern const cni_names cni_stops, cni_node_counts, cni_distributions;

#endif

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
    CNI_COUNTED, /* what was counted: it holds as it is */
    CNI_QUEUED,  /* the length of the queues: while they grow its half-width is not known */
    CNI_STEADY   /* the same, and a saturated network has no such value at all */
} cni_rest;

/* CNI_COUNTED for a number that is no metric. */
cni_rest cni_metric_rest(cn_metric metric);

/* What a simulation with statistics has counted. */
typedef struct cni_result_statistics {
    cni_counts counts;
    cni_histogram delays; /* of all messages */
    double unit;          /* cycles that one of the delays counts, and of the time in the queues */
    uint64_t cycles;      /* measured, of all runs */
    size_t batches;       /* of one run; 0 for several */
    uint64_t batch_cycles;
    double batch[CNI_METRIC_ROOM][CNI_BATCHES]; /* NaN: the batch has no such value */
} cni_result_statistics;

/* By message: cycles, UINT64_MAX as long as it has not happened. The three are one block. */
typedef struct cni_message_times {
    size_t messages; /* 0: none */
    uint64_t *ready, *injected, *delivered;
} cni_message_times;

struct cn_result {
    cni_object head;
    cni_references references;
    const char *system;
    cn_scenario *scenario;      /* its own copy of the one that it is of; NULL: a study without */
    char model[CNI_MODEL_NAME]; /* that predicted it; empty: none did */
    char library[16];           /* version that made it */
    uint64_t seed;
    cn_stop stop;
    int saturated;
    cni_result_statistics *statistics; /* NULL: none */
    cni_message_times messages;        /* of the first replication, with a workload */
    struct cni_shard *shard;           /* NULL: it is a whole one; else it holds no metric */
    int unsettled;                     /* 1: too short for the steady state that it speaks of */
    /* by metric; [0] is not used */
    char has[CNI_METRIC_ROOM];
    double value[CNI_METRIC_ROOM];
    double half_width[CNI_METRIC_ROOM];
    uint64_t samples[CNI_METRIC_ROOM];
};

/* What takes the place of the system in a study without a scenario. */
extern const char cni_study_system[];

/* An empty result of the scenario, which may be NULL; NULL when out of memory. */
cn_result *cni_result_new(const cn_scenario *scenario);

/* The same result once more, to be freed once more: nothing else changes it. */
cn_result *cni_result_retain(const cn_result *result);

/* CN_ERR_ARGUMENT for a number that is no metric, CN_ERR_NOT_FOUND for a metric that the result
 * does not hold. */
cn_status cni_result_check_has(const char *function, const cn_result *result, cn_metric metric);

void cni_result_free_statistics(cn_result *result);

/* Puts a metric into a result, its half-width 0. A value that is not finite is left out: there was
 * nothing to divide by. */
void cni_result_put(cn_result *result, cn_metric metric, double value, uint64_t samples);

extern const cni_names cni_stops, cni_node_counts, cni_distributions;

#endif

/* The inside of a cn_study, and one fault pattern of it. */
#ifndef CNI_STUDY_STUDY_H
#define CNI_STUDY_STUDY_H

#include "base/budget.h"
#include "cubenet/experimental/study.h"

#include "scenario/shard.h"

enum { CNI_STUDY_ROOM = CN_STUDY_THREADS + 1 };

struct cn_study {
    cni_object head;
    cn_topology *topology;
    cn_faults *faults;            /* of every pattern; none in most studies */
    double value[CNI_STUDY_ROOM]; /* by cn_study_param; [0] is not used */
    cn_scenario *scenario;        /* NULL: no load */
    int simulate;
    uint64_t seed;
};

/* A value that is a whole number. */
static inline uint64_t cni_study_whole(const cn_study *study, cn_study_param param)
{
    return (uint64_t)study->value[param];
}

static inline cn_keep cni_study_keeps(const cn_study *study)
{
    return (cn_keep)study->value[CN_STUDY_KEEP];
}

/* CN_ERR_ARGUMENT when the grown nodes cannot have so many centers. */
cn_status cni_study_check_centers(const char *function, const cn_study *study);

/* A hash of everything but the seed on which the results of a study depend. Of no use once the
 * budget was stopped. */
uint64_t cni_study_identity(const cn_study *study, cni_budget *budget);

/* Fills a result from the moments and sums of patterns. CN_ERR_ARGUMENT: these sums are
 * impossible. */
cn_status cni_study_conclude(const cni_shard *patterns, cn_result *result);

/* Draws a pattern: replaces the faults of an object on the topology of the study. */
cn_status cni_study_draw(const cn_study *study, uint64_t index, cn_faults *faults);

/* What was measured of one fault pattern. */
typedef struct cni_fault_pattern {
    cn_status status;
    char error[320]; /* the sentence of a failure, which belongs to the thread that measured it */
    /* the scenario ran on the pattern; measured.saturated: the network could not carry the load;
     * measured.unsettled: it may carry the load, but the simulation was too short to tell */
    int solved;
    cn_result measured;
} cni_fault_pattern;

/* The objects that a worker needs to measure one pattern after the other. */
typedef struct cni_study_bench {
    const cn_study *study;
    cni_budget budget;       /* of the worker; counts patterns */
    cni_budget inner;        /* of the pattern */
    cn_faults *faults;       /* of the pattern */
    cn_faults *kept;         /* the same faults, and the disabled nodes as faulty nodes */
    cn_subnet *subnet;       /* NULL where all working nodes are kept */
    cn_hierarchy *hierarchy; /* NULL where no clusters are kept */
    cn_scenario *scenario;   /* NULL: no load */
} cni_study_bench;

cn_status cni_study_bench_open(const cn_study *study, cni_study_bench *bench);
void cni_study_bench_close(cni_study_bench *bench);

/* Draws and measures pattern number `index`; `pattern` has no measurements at first. */
void cni_study_measure(cni_study_bench *bench, uint64_t index, cni_fault_pattern *pattern);

extern const cni_names cni_keeps;

#endif

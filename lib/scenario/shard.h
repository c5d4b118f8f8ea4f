/*
 * A part of a simulation with several replications, or of a study of random faults. Its rows are
 * numbered through the whole; what is not in rows is whole numbers, which add up in any order. So
 * the whole is the same, to the last bit, however it was divided: real numbers are made of the rows
 * in their order.
 */
#ifndef CNI_SCENARIO_SHARD_H
#define CNI_SCENARIO_SHARD_H

#include "cubenet/experimental/shard.h"

#include "scenario/result.h"

/* Shard number `shard`, from 0, of so many of equal size. */
typedef struct cni_division {
    uint64_t shard, shards;
} cni_division;

#define CNI_UNDIVIDED ((cni_division){0, 1})

enum { CNI_SHARD_SUMS = 12, CNI_STUDY_BLOCKS = 1 << 14 };

typedef struct cni_shard {
    cni_division division;
    uint64_t study; /* identity of the study; 0: it is one of replications */
    uint64_t units; /* of the whole: replications, or patterns of the study */
    uint64_t rows;  /* of the shard: replications, or blocks of patterns */
    cn_stop stop;   /* of the last row that was not ended by the precision, else that */
    uint64_t sum[CNI_SHARD_SUMS];
    /* of replications */
    uint64_t *row;         /* the counters of each, CNI_COUNTERS of them */
    cni_histogram *delays; /* of all */
    /* of a study: by metric, NULL where no pattern has it, of each block */
    cni_moments *moments[CNI_METRIC_ROOM];
} cni_shard;

/* Patterns of a study in a block of it: a power of two, 1 unless there are more than
 * CNI_STUDY_BLOCKS. */
uint64_t cni_study_block(uint64_t patterns);

/* What is divided: replications, or blocks of patterns. */
uint64_t cni_shard_all_rows(const cni_shard *shard);

/* Those of a shard, which its division and units say. */
uint64_t cni_shard_rows(const cni_shard *shard);

/* The first row of a shard of this number, of so many rows in all; that of shard `shards` is the
 * end. */
uint64_t cni_shard_begin(uint64_t all_rows, uint64_t shard, uint64_t shards);

/* CN_ERR_ARGUMENT unless there is such a shard, and each has a row; `what` the rows are. */
cn_status cni_division_check(const char *function, cni_division division, uint64_t all_rows,
                             const char *what);

/* A shard of so many replications or, where `study` is not 0, patterns; nothing is counted yet.
 * CN_ERR_MEMORY. */
cn_status cni_shard_new(cni_division division, uint64_t study, uint64_t units, cni_shard **shard);
void cni_shard_free(cni_shard *shard);

/* Adds what is not in rows, of the next shard in their order. */
void cni_shard_add_sums(cni_shard *into, const cni_shard *next);

/* CN_ERR_ARGUMENT when of so many there are more: sums that were read need not be those of a
 * run. */
cn_status cni_shard_check_sum(const char *what, uint64_t part, uint64_t whole);

/* The moments of a metric, which are made when they are asked for; NULL when out of memory. */
cni_moments *cni_shard_moments(cni_shard *shard, size_t metric);

#endif

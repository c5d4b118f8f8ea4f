/*
 * A part of a simulation with several replications, or of a study of random faults. Each row has
 * its number in the whole. All other data are whole numbers, which add up in any order. Real
 * numbers are computed from the rows in their order. So every division gives the same whole, to the
 * last bit.
 */
#ifndef CNI_SCENARIO_SHARD_H
#define CNI_SCENARIO_SHARD_H

#include "cubenet/experimental/shard.h"

#include "scenario/result.h"

/* Shard number `shard`, from 0, of so many shards of equal size. */
typedef struct cni_division {
    uint64_t shard, shards;
} cni_division;

#define CNI_UNDIVIDED ((cni_division){0, 1})

/* The sums of a shard; the most blocks of patterns of a study. */
enum { CNI_SHARD_SUMS = 12, CNI_STUDY_BLOCKS = 1 << 14 };

typedef struct cni_shard {
    cni_division division;
    uint64_t study; /* identity of the study; 0: a simulation with replications */
    uint64_t units; /* of the whole: replications, or patterns of the study */
    uint64_t rows;  /* of the shard: replications, or blocks of patterns */
    /* of the last row that did not end by its precision; CN_STOP_PRECISION: all did */
    cn_stop stop;
    /* sums over the rows; simulation/run/replicate.c and study/study_run.c number them */
    uint64_t sum[CNI_SHARD_SUMS];
    /* of a simulation */
    uint64_t *row;         /* by replication: CNI_COUNTERS counters */
    cni_histogram *delays; /* of all replications */
    /* of a study: by metric, the moments of each block; NULL where no pattern has the metric */
    cni_moments *moments[CNI_METRIC_ROOM];
} cni_shard;

/* The number of patterns in a block of a study: a power of two, 1 up to CNI_STUDY_BLOCKS
 * patterns. */
uint64_t cni_study_block(uint64_t patterns);

/* The number of rows of the whole: replications, or blocks of patterns. */
uint64_t cni_shard_all_rows(const cni_shard *shard);

/* The number of rows of a shard, from its division and units. */
uint64_t cni_shard_rows(const cni_shard *shard);

/* The first row of a shard, of so many rows in all. The end of the last shard is the first row of
 * shard number `shards`. */
uint64_t cni_shard_begin(uint64_t all_rows, uint64_t shard, uint64_t shards);

/* CN_ERR_ARGUMENT unless the shard exists, and each shard has a row; `what` is the name of the
 * rows in the sentence. */
cn_status cni_division_check(const char *function, cni_division division, uint64_t all_rows,
                             const char *what);

/* A shard of so many replications or, where `study` is not 0, patterns, with zero counts.
 * CN_ERR_MEMORY. */
cn_status cni_shard_new(cni_division division, uint64_t study, uint64_t units, cni_shard **shard);
void cni_shard_free(cni_shard *shard);

/* Adds all data but the rows of the next shard in order. */
void cni_shard_add_sums(cni_shard *into, const cni_shard *next);

/* CN_ERR_ARGUMENT when a part exceeds its whole: sums from a text may be anything. */
cn_status cni_shard_check_sum(const char *what, uint64_t part, uint64_t whole);

/* The moments of a metric, made on first use; NULL without memory. */
cni_moments *cni_shard_moments(cni_shard *shard, size_t metric);

#endif

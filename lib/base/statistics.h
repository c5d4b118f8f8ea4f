/* Means with confidence: Student's t, running moments, batch means. */
#ifndef CNI_BASE_STATISTICS_H
#define CNI_BASE_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

/* Mean and variance of a sequence, one value at a time (Welford 1962). Start from {0}. */
typedef struct cni_moments {
    uint64_t count;
    double mean;
    double square_sum; /* of the deviations from the mean */
} cni_moments;

void cni_moments_add(cni_moments *moments, double value);

/* Adds the moments of the values that follow (Chan, Golub & LeVeque 1979). */
void cni_moments_merge(cni_moments *into, const cni_moments *next);

/* Half-width of the 95 % confidence interval of the mean of independent, roughly normal values:
 * t_{0.975, count-1} s / sqrt(count). Infinite for fewer than two. */
double cni_moments_half_width(const cni_moments *moments);

/* How far the ends of Wilson's 95 % interval (1927) for a probability lie from the share of
 * hits; the farther end counts. Never 0, whatever the share. Infinite for a count of 0. Check: 0
 * of 100 -> 0.0369935, 50 of 100 -> 0.0961684. */
double cni_share_half_width(uint64_t hits, uint64_t count);

/* The point t with P(|T| <= t) = 0.95 for Student's T with this many degrees of freedom (>= 1).
 * Check: 1 -> 12.7062047, 2 -> 4.30265273, 10 -> 2.22813885, 63 -> 1.99834054. */
double cni_student_t95(uint64_t degrees);

/*
 * The number of independent values that tell as much of a mean as `count` correlated values do:
 * count (1 - r) / (1 + r). The values are the levels of a process at equal distances; r, at least
 * 0, is their lag-1 correlation without the bias of its estimate. `count` itself where the level
 * never changes.
 */
double cni_independent_count(const double levels[], size_t count);

/*
 * The standard error of an estimate that is the mean of these values, one for each batch of a run.
 * The batches are joined to 8 to 15 large batches, whose spread is widened as for a
 * first-order autoregression where they are still correlated. Infinite for fewer than 8 values. The
 * error has cni_large_batches() - 1 degrees of freedom.
 */
enum { CNI_LEAST_BATCHES = 8 };

double cni_batch_error(const double values[], size_t count);

/* The number of large batches to which so many batches are joined; 0 for fewer than 8. */
size_t cni_large_batches(size_t count);

/*
 * The batches of a run, for batch means: rows of counters, one row a batch. Whenever all rows are
 * full, the batch length doubles and neighbouring batches are joined. So a long run has between
 * half of CNI_BATCHES and CNI_BATCHES batches. The borders of batches depend on the number of
 * cycles only, never on the steps of the caller.
 */
enum {
    CNI_BATCHES = 64,
    CNI_BATCH_CYCLES = 32, /* of a batch at first */
    CNI_COUNTERS = 25      /* in a row */
};

typedef struct cni_batches {
    uint64_t length; /* cycles a batch */
    size_t full;     /* rows that are complete */
    uint64_t filled; /* cycles in the row after them */
    uint64_t row[CNI_BATCHES][CNI_COUNTERS];
} cni_batches;

void cni_batches_start(cni_batches *batches);

/* Cycles until the present batch is complete; cni_batches_add() takes no more cycles at once. */
uint64_t cni_batches_room(const cni_batches *batches);

/* Adds the counts of the next cycles to the present batch. */
void cni_batches_add(cni_batches *batches, uint64_t cycles, const uint64_t counted[CNI_COUNTERS]);

#endif

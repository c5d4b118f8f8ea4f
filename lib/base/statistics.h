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

/* Adds those of the values that follow (Chan, Golub & LeVeque 1979). */
void cni_moments_merge(cni_moments *into, const cni_moments *next);

/* Half-width of the 95 % confidence interval of the mean of independent, roughly normal values:
 * t_{0.975, count-1} s / sqrt(count). Infinite for fewer than two. */
double cni_moments_half_width(const cni_moments *moments);

/* How far the ends of Wilson's 95 % interval (1927) for a probability lie from the share of hits,
 * the farther one. Never 0, whatever the share. Infinite for a count of 0. Check: 0 of 100 ->
 * 0.0369935, 50 of 100 -> 0.0961684. */
double cni_share_half_width(uint64_t hits, uint64_t count);

/* The point t with P(|T| <= t) = 0.95 for Student's T with this many degrees of freedom (>= 1).
 * Check: 1 -> 12.7062047, 2 -> 4.30265273, 10 -> 2.22813885, 63 -> 1.99834054. */
double cni_student_t95(uint64_t degrees);

/*
 * Number of independent values that equal so many correlated ones, the levels of a process at equal
 * distances, in what they tell of its mean: count (1 - r) / (1 + r), where r, at least 0, is their
 * lag-1 correlation, less the bias of its estimate. The count itself where the level never changes.
 */
double cni_independent_count(const double levels[], size_t count);

/*
 * Standard error of a mean, from the share of each batch in it: values whose mean is the estimate.
 * They are joined to 8 to 15 large batches, the spread of which is widened as for a first-order
 * autoregression, where they are still correlated. Infinite for fewer than 8 values. The error has
 * cni_large_batches() - 1 degrees of freedom.
 */
enum { CNI_LEAST_BATCHES = 8 };

double cni_batch_error(const double values[], size_t count);

/* Number of large batches to which so many are joined; 0 for fewer than 8. */
size_t cni_large_batches(size_t count);

/*
 * Batches of a run: rows of counters, one row a batch, for batch means. The batch length doubles,
 * and neighbouring batches are joined, whenever all rows are full; so there are between half of
 * CNI_BATCHES and CNI_BATCHES of them once the run is long enough, and where the batches begin
 * depends on the number of cycles only, never on how the run was cut into steps.
 */
enum { CNI_BATCHES = 64, CNI_BATCH_CYCLES = 32, CNI_COUNTERS = 25 };

typedef struct cni_batches {
    uint64_t length; /* cycles a batch */
    size_t full;     /* rows that are complete */
    uint64_t filled; /* cycles in the row after them */
    uint64_t row[CNI_BATCHES][CNI_COUNTERS];
} cni_batches;

void cni_batches_start(cni_batches *batches);

/* Cycles until the present batch is complete; cni_batches_add() takes no more than these at
 * once. */
uint64_t cni_batches_room(const cni_batches *batches);

/* Adds what was counted in the next cycles to the present batch. */
void cni_batches_add(cni_batches *batches, uint64_t cycles, const uint64_t counted[CNI_COUNTERS]);

#endif

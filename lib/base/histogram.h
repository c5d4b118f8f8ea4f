/*
 * Histograms of whole numbers, for quantiles. Values below 512 have a bin each; above, the values
 * from one power of two to the next share 256 bins. So a quantile is exact below 512, and within
 * 1/256 above. cni_histogram_add() also keeps the greatest value exactly.
 */
#ifndef CNI_BASE_HISTOGRAM_H
#define CNI_BASE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
    CNI_HISTOGRAM_EXACT = 512,
    CNI_HISTOGRAM_TOP_BIT = 40, /* values of 2^40 and more share the last bin */
    CNI_HISTOGRAM_BINS = CNI_HISTOGRAM_EXACT + (CNI_HISTOGRAM_TOP_BIT - 9) * 256
};

typedef struct cni_histogram {
    uint64_t total;
    uint64_t greatest;
    uint64_t bin[CNI_HISTOGRAM_BINS];
} cni_histogram;

void cni_histogram_clear(cni_histogram *histogram);

/* For values of 512 and more. */
size_t cni_histogram_wide_bin(uint64_t value);

/* The least value of a bin; for CNI_HISTOGRAM_BINS, the end of the last bin. */
uint64_t cni_histogram_bin_start(size_t bin);

/* Counts a value only in its bin. Afterwards cni_histogram_settle() finds the total and the
 * greatest value from the bins. */
static inline void cni_histogram_count(cni_histogram *histogram, uint64_t value)
{
    size_t bin = value < CNI_HISTOGRAM_EXACT ? (size_t)value : cni_histogram_wide_bin(value);
    histogram->bin[bin]++;
}

/* Sets total, and greatest to the least value of the last bin that is not empty. */
void cni_histogram_settle(cni_histogram *histogram);

/* Counts a value in its bin, in total and in greatest. */
static inline void cni_histogram_add(cni_histogram *histogram, uint64_t value)
{
    cni_histogram_count(histogram, value);
    histogram->total++;
    if (value > histogram->greatest)
        histogram->greatest = value;
}

void cni_histogram_merge(cni_histogram *into, const cni_histogram *from);

/* The least value that at least `rank` of the values do not exceed (rank 1: the least value);
 * above 511 within the width of a bin. 0 for an empty histogram. */
uint64_t cni_histogram_at_rank(const cni_histogram *histogram, uint64_t rank);

/* The rank of a quantile: the least number of so many values that is at least their share p. */
uint64_t cni_rank_of(double p, uint64_t total);

/* The least value that at least the share p of the values do not exceed. */
uint64_t cni_histogram_quantile(const cni_histogram *histogram, double p);

/* The variance of the values, where each value counts as the lower end of its bin. */
double cni_histogram_variance(const cni_histogram *histogram);

#endif

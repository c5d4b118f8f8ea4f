/* Histograms of whole numbers: bins, quantiles, sums of two histograms. */
#include "base/histogram.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"

size_t cni_histogram_wide_bin(uint64_t value)
{
    uint32_t top = 63 - cni_leading_zeros(value);
    if (top >= CNI_HISTOGRAM_TOP_BIT)
        return CNI_HISTOGRAM_BINS - 1;
    return CNI_HISTOGRAM_EXACT + (size_t)(top - 9) * 256 + (size_t)((value >> (top - 8)) & 255);
}

uint64_t cni_histogram_bin_start(size_t bin)
{
    if (bin < CNI_HISTOGRAM_EXACT)
        return bin;
    size_t octave = (bin - CNI_HISTOGRAM_EXACT) / 256, part = (bin - CNI_HISTOGRAM_EXACT) % 256;
    return (uint64_t)(256 + part) << (octave + 1);
}

void cni_histogram_clear(cni_histogram *histogram)
{
    memset(histogram, 0, sizeof *histogram);
}

void cni_histogram_merge(cni_histogram *into, const cni_histogram *from)
{
    for (size_t i = 0; i < CNI_HISTOGRAM_BINS; i++)
        into->bin[i] += from->bin[i];
    into->total += from->total;
    if (from->greatest > into->greatest)
        into->greatest = from->greatest;
}

uint64_t cni_histogram_at_rank(const cni_histogram *histogram, uint64_t rank)
{
    uint64_t below = 0;
    for (size_t i = 0; i < CNI_HISTOGRAM_BINS; i++) {
        below += histogram->bin[i];
        if (below >= rank && below > 0)
            return cni_histogram_bin_start(i) < histogram->greatest ? cni_histogram_bin_start(i)
                                                                    : histogram->greatest;
    }
    return histogram->greatest;
}

uint64_t cni_rank_of(double p, uint64_t total)
{
    /* the product may be above a whole number by its rounding */
    double rank = ceil(p * (double)total * (1.0 - DBL_EPSILON));
    return rank < 1.0 ? 1 : (uint64_t)rank;
}

uint64_t cni_histogram_quantile(const cni_histogram *histogram, double p)
{
    return cni_histogram_at_rank(histogram, cni_rank_of(p, histogram->total));
}

void cni_histogram_settle(cni_histogram *histogram)
{
    histogram->total = histogram->greatest = 0;
    for (size_t i = 0; i < CNI_HISTOGRAM_BINS; i++) {
        histogram->total += histogram->bin[i];
        if (histogram->bin[i] > 0)
            histogram->greatest = cni_histogram_bin_start(i);
    }
}

double cni_histogram_variance(const cni_histogram *histogram)
{
    if (histogram->total < 2)
        return 0.0;
    double total = (double)histogram->total, mean = 0.0, variance = 0.0;
    for (size_t i = 0; i < CNI_HISTOGRAM_BINS; i++)
        mean += (double)histogram->bin[i] / total * (double)cni_histogram_bin_start(i);
    for (size_t i = 0; i < CNI_HISTOGRAM_BINS; i++) {
        double off = (double)cni_histogram_bin_start(i) - mean;
        variance += (double)histogram->bin[i] / total * off * off;
    }
    return variance;
}

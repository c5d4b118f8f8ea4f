/* Statistics of simulations: moments, batch means, and half widths of 95 % confidence intervals. */
#include "base/statistics.h"

#include <math.h>
#include <string.h>

/* The moments of one value are (1, value, 0); with these the merge is Welford's step. */
void cni_moments_merge(cni_moments *into, const cni_moments *next)
{
    double n = (double)next->count, before = next->mean - into->mean;
    if (next->count == 0)
        return;
    into->count += next->count;
    into->mean += n * before / (double)into->count;
    into->square_sum += next->square_sum + n * before * (next->mean - into->mean);
}

void cni_moments_add(cni_moments *moments, double value)
{
    cni_moments_merge(moments, &(cni_moments){1, value, 0.0});
}

double cni_moments_half_width(const cni_moments *moments)
{
    if (moments->count < 2)
        return INFINITY;
    double degrees = (double)(moments->count - 1);
    double deviation = sqrt(moments->square_sum / degrees);
    return cni_student_t95(moments->count - 1) * deviation / sqrt((double)moments->count);
}

double cni_share_half_width(uint64_t hits, uint64_t count)
{
    if (count == 0)
        return INFINITY;
    double n = (double)count, share = (double)hits / n;
    double z = 1.959963984540054, z2 = z * z / n;
    double center = (share + z2 / 2.0) / (1.0 + z2);
    double reach = sqrt(z2 * (share * (1.0 - share) + z2 / 4.0)) / (1.0 + z2);
    return fabs(center - share) + reach;
}

/* P(|T| <= t) by the finite sums of Abramowitz & Stegun 26.7.3 and 26.7.4, theta = atan(t/sqrt(v)):
 * v odd:  2/pi (theta + sin theta (cos theta + 2/3 cos^3 theta + ... ))
 * v even: sin theta (1 + 1/2 cos^2 theta + 1 3/(2 4) cos^4 theta + ... ) */
static double student_inside(double t, uint64_t degrees)
{
    double theta = atan(t / sqrt((double)degrees));
    double square = cos(theta) * cos(theta);
    int odd = degrees % 2 == 1;
    double term = odd ? cos(theta) : 1.0;
    double sum = 0.0;
    for (uint64_t used = odd ? 1 : 0; used + 2 <= degrees; used += 2) {
        sum += term;
        double next = (double)(used + 1);
        term *= square * next / (next + 1.0);
    }
    if (!odd)
        return sin(theta) * sum;
    return 2.0 / 3.14159265358979323846 * (theta + sin(theta) * sum);
}

double cni_student_t95(uint64_t degrees)
{
    if (degrees > 1000) { /* Abramowitz & Stegun 26.7.5: the remainder is below 1e-9 here */
        double x = 1.959963984540054, v = (double)degrees, x3 = x * x * x;
        return x + (x3 + x) / (4.0 * v) + (5.0 * x3 * x * x + 16.0 * x3 + 3.0 * x) / (96.0 * v * v);
    }
    double low = 1.0, high = 16.0; /* t95(1) = 12.7, and it falls to 1.96 */
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (student_inside(middle, degrees) < 0.95)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* The lag-1 correlation of values with these moments. The estimate is too low by (1 + 3 r) /
 * count on average (Marriott & Pope 1954), which the function adds. Between 0 and 1. */
static double correlation(const double values[], size_t count, const cni_moments *moments)
{
    double lagged = 0.0;
    if (!(moments->square_sum > 0.0))
        return 0.0;
    for (size_t i = 1; i < count; i++)
        lagged += (values[i - 1] - moments->mean) * (values[i] - moments->mean);
    double r = lagged / moments->square_sum;
    return fmin(fmax(r + (1.0 + 3.0 * r) / (double)count, 0.0), 1.0);
}

double cni_independent_count(const double levels[], size_t count)
{
    cni_moments moments = {0};
    for (size_t i = 0; i < count; i++)
        cni_moments_add(&moments, levels[i]);
    double r = correlation(levels, count, &moments);
    return (double)count * (1.0 - r) / (1.0 + r);
}

size_t cni_large_batches(size_t count)
{
    return count < CNI_LEAST_BATCHES ? 0 : count / (count / CNI_LEAST_BATCHES);
}

double cni_batch_error(const double values[], size_t count)
{
    double large[2 * CNI_LEAST_BATCHES] = {0};
    size_t batches = cni_large_batches(count), joined = count / CNI_LEAST_BATCHES;
    cni_moments moments = {0};
    if (batches == 0)
        return INFINITY;
    for (size_t b = 0; b < batches; b++) {
        for (size_t i = 0; i < joined; i++)
            large[b] += values[b * joined + i] / (double)joined;
        cni_moments_add(&moments, large[b]);
    }
    double n = (double)batches;
    /* at most 0.95: so few batches cannot show a stronger correlation */
    double r = fmin(correlation(large, batches, &moments), 0.95);
    return sqrt(moments.square_sum / (n - 1.0) / n * (1.0 + r) / (1.0 - r));
}

void cni_batches_start(cni_batches *batches)
{
    memset(batches, 0, sizeof *batches);
    batches->length = CNI_BATCH_CYCLES;
}

uint64_t cni_batches_room(const cni_batches *batches)
{
    return batches->length - batches->filled;
}

static void add_row(uint64_t sum[CNI_COUNTERS], const uint64_t counted[CNI_COUNTERS])
{
    for (size_t i = 0; i < CNI_COUNTERS; i++)
        sum[i] += counted[i];
}

static void join_pairs(cni_batches *batches)
{
    for (size_t i = 0; i < CNI_BATCHES / 2; i++) {
        if (i > 0)
            memcpy(batches->row[i], batches->row[2 * i], sizeof batches->row[i]);
        add_row(batches->row[i], batches->row[2 * i + 1]);
    }
    memset(batches->row[CNI_BATCHES / 2], 0, sizeof batches->row / 2);
    batches->full = CNI_BATCHES / 2;
    batches->length *= 2;
}

void cni_batches_add(cni_batches *batches, uint64_t cycles, const uint64_t counted[CNI_COUNTERS])
{
    add_row(batches->row[batches->full], counted);
    batches->filled += cycles;
    if (batches->filled < batches->length)
        return;
    batches->filled = 0;
    batches->full += 1;
    if (batches->full == CNI_BATCHES)
        join_pairs(batches);
}

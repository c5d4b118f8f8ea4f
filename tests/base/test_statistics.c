#include "support/support.h"

#include "base/random.h"
#include "base/statistics.h"

#include <math.h>
#include <string.h>

/* From printed tables of Student's t, two-sided 95 %. */
static void t_is_that_of_the_tables(void **state)
{
    (void)state;
    static const struct {
        uint64_t degrees;
        double t, half_unit;
    } rows[] = {
        {1, 12.7062047, 5e-7},  {2, 4.30265273, 5e-8},       {3, 3.18245, 5e-6},
        {5, 2.57058, 5e-6},     {10, 2.22813885, 5e-8},      {30, 2.04227, 5e-6},
        {63, 1.99834054, 5e-8}, {120, 1.97993, 5e-6},        {1000, 1.96234, 5e-6},
        {5000, 1.96044, 5e-6},  {UINT64_MAX, 1.95996, 5e-6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_near(cni_student_t95(rows[i].degrees), rows[i].t, rows[i].half_unit);
}

/* P(|T| <= t) for a whole number of degrees of freedom is a finite sum of powers of
 * cos(arctan(t / sqrt(degrees))) (Abramowitz & Stegun 26.7.3 and 26.7.4). */
static double central_probability(double t, uint64_t degrees)
{
    double angle = atan(t / sqrt((double)degrees)), c = cos(angle), sum = 0;
    double term = degrees % 2 == 1 ? c : 1;
    for (uint64_t k = degrees % 2 == 1 ? 1 : 0; k + 2 <= degrees; k += 2) {
        sum += term;
        term *= c * c * (double)(k + 1) / (double)(k + 2);
    }
    if (degrees % 2 == 1)
        return 2 / acos(-1) * (angle + sin(angle) * sum);
    return sin(angle) * sum;
}

static void t_cuts_off_five_percent(void **state)
{
    (void)state;
    for (uint64_t degrees = 1; degrees <= 2000;
         degrees = degrees < 100 ? degrees + 1 : degrees + 37)
        assert_near(central_probability(cni_student_t95(degrees), degrees), 0.95, 1e-8);
}

static void t_falls_with_the_degrees(void **state)
{
    (void)state;
    for (uint64_t degrees = 1; degrees < 3000; degrees++)
        assert_true(cni_student_t95(degrees) > cni_student_t95(degrees + 1));
}

static void moments_are_those_of_two_passes(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static double values[COUNT];
    for (uint32_t offset = 0; offset < 2; offset++) {
        cni_moments moments = {0};
        double mean = 0, squares = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            /* a great mean beside a small spread takes the digits of naive sums */
            values[i] = 1e9 * offset + (double)(cni_random_word(3, i) >> 11) / 9007199254740992.0;
            cni_moments_add(&moments, values[i]);
            mean += values[i] / COUNT;
        }
        double rest = 0;
        for (uint32_t i = 0; i < COUNT; i++)
            rest += (values[i] - mean) / COUNT;
        mean += rest;
        for (uint32_t i = 0; i < COUNT; i++)
            squares += (values[i] - mean) * (values[i] - mean);
        assert_int_equal(moments.count, COUNT);
        /* a thousand roundings of the mean, of half a unit in its last place each */
        assert_near(moments.mean, mean, 1000 * mean * 0x1p-53);
        assert_near(moments.square_sum / squares, 1, offset == 0 ? 1e-12 : 1e-5);
        assert_near(cni_moments_half_width(&moments),
                    1.962341461 * sqrt(squares / (COUNT - 1) / COUNT), 2e-8);
    }
}

static void half_width_needs_two_values(void **state)
{
    (void)state;
    cni_moments moments = {0};
    assert_true(isinf(cni_moments_half_width(&moments)));
    cni_moments_add(&moments, 3);
    assert_true(isinf(cni_moments_half_width(&moments)));
    assert_true(cni_moments_half_width(&moments) > 0);
    cni_moments_add(&moments, 5); /* s = sqrt 2, so t s / sqrt 2 = t */
    assert_near(cni_moments_half_width(&moments), 12.7062047, 5e-7);
    cni_moments_add(&moments, 7); /* s = 2 */
    assert_near(cni_moments_half_width(&moments), 4.30265273 * 2 / sqrt(3), 1e-7);
}

/* What happens in cycle c adds these to the counters. */
static uint64_t counted_in(uint64_t cycle, uint32_t counter)
{
    return cni_random_word(counter, cycle) % 1000;
}

/* Gives the batches the cycles [0, end), at most `stride` at once. */
static void run(cni_batches *batches, uint64_t end, uint64_t stride)
{
    cni_batches_start(batches);
    for (uint64_t cycle = 0; cycle < end;) {
        uint64_t cycles = stride, counted[CNI_COUNTERS] = {0};
        if (cycles > end - cycle)
            cycles = end - cycle;
        assert_true(cni_batches_room(batches) > 0);
        if (cycles > cni_batches_room(batches))
            cycles = cni_batches_room(batches);
        for (uint64_t c = cycle; c < cycle + cycles; c++)
            for (uint32_t i = 0; i < CNI_COUNTERS; i++)
                counted[i] += counted_in(c, i);
        cni_batches_add(batches, cycles, counted);
        cycle += cycles;
    }
}

static const uint64_t ends[] = {0,    1,    31,   32,   33,   1000, 2016, 2047, 2048,
                                2049, 2500, 4095, 4096, 4097, 8192, 9000, 20000};
enum { ENDS = sizeof ends / sizeof ends[0] };

static void batches_hold_every_cycle_once(void **state)
{
    (void)state;
    static cni_batches batches;
    for (int e = 0; e < ENDS; e++) {
        run(&batches, ends[e], 1000);
        assert_true(batches.full * batches.length + batches.filled == ends[e]);
        assert_true(batches.filled < batches.length);
        assert_true(batches.full < CNI_BATCHES);
        assert_true(cni_batches_room(&batches) == batches.length - batches.filled);
        uint64_t doublings = batches.length / CNI_BATCH_CYCLES;
        assert_true(batches.length % CNI_BATCH_CYCLES == 0 && (doublings & (doublings - 1)) == 0);
        if (ends[e] >= CNI_BATCHES * CNI_BATCH_CYCLES)
            assert_true(batches.full >= CNI_BATCHES / 2);
        else
            assert_true(batches.length == CNI_BATCH_CYCLES);
        for (size_t row = 0; row <= batches.full; row++) {
            uint64_t first = row * batches.length;
            uint64_t end = row < batches.full ? first + batches.length : ends[e];
            for (uint32_t i = 0; i < CNI_COUNTERS; i++) {
                uint64_t sum = 0;
                for (uint64_t c = first; c < end; c++)
                    sum += counted_in(c, i);
                assert_true(batches.row[row][i] == sum);
            }
        }
    }
}

static void batches_do_not_know_how_the_run_was_cut(void **state)
{
    (void)state;
    static cni_batches one, other;
    static const uint64_t strides[] = {1, 7, 32, 33, 100, 4096};
    for (int e = 0; e < ENDS; e++) {
        run(&one, ends[e], UINT64_MAX);
        for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
            run(&other, ends[e], strides[s]);
            assert_true(one.length == other.length && one.full == other.full &&
                        one.filled == other.filled);
            assert_memory_equal(one.row, other.row, (one.full + 1) * sizeof one.row[0]);
        }
    }
}

static void batches_of_no_cycles_change_nothing(void **state)
{
    (void)state;
    static cni_batches one, other;
    static const uint64_t nothing[CNI_COUNTERS];
    run(&one, 1000, 100);
    memcpy(&other, &one, sizeof one);
    cni_batches_add(&one, 0, nothing);
    assert_memory_equal(&one, &other, sizeof one);
}

/* An autoregression of normal steps, each the sum of twelve uniform numbers, and of variance 1. */
static void draw_series(double values[], size_t count, double r, uint64_t seed)
{
    double level = 0;
    for (size_t i = 0; i < count + 100; i++) {
        double step = -6;
        for (uint64_t k = 0; k < 12; k++)
            step += (double)cni_random_word(seed, 12 * i + k) / 18446744073709551616.0;
        level = r * level + sqrt(1 - r * r) * step;
        if (i >= 100)
            values[i - 100] = level;
    }
}

static void correlated_values_are_fewer(void **state)
{
    (void)state;
    static double values[20000];
    static const double correlations[] = {0, 0.5, 0.8, 0.95};
    for (size_t c = 0; c < 4; c++) {
        double r = correlations[c], expected = 20000 * (1 - r) / (1 + r);
        draw_series(values, 20000, r, 7 + c);
        assert_near(cni_independent_count(values, 20000), expected, 0.1 * expected);
    }
    for (int i = 0; i < 40; i++)
        values[i] = i % 2;
    assert_near(cni_independent_count(values, 40), 40, 0); /* not more than there are */
    for (int i = 0; i < 40; i++)
        values[i] = i;
    assert_true(cni_independent_count(values, 40) < 1); /* it has but begun to move */
    for (int i = 0; i < 40; i++)
        values[i] = 5;
    assert_near(cni_independent_count(values, 40), 40, 0);
}

/* The mean of a series is its own estimate: how often is 0 in the interval? */
static double covered(size_t count, double r)
{
    enum { SERIES = 2000 };
    double values[64], inside = 0;
    double t = cni_student_t95(cni_large_batches(count) - 1);
    for (uint64_t s = 0; s < SERIES; s++) {
        double mean = 0;
        draw_series(values, count, r, 1000 + s);
        for (size_t i = 0; i < count; i++)
            mean += values[i] / (double)count;
        inside += fabs(mean) <= t * cni_batch_error(values, count);
    }
    return inside / SERIES;
}

static void batch_errors_cover(void **state)
{
    (void)state;
    static const size_t counts[] = {8, 15, 16, 31, 32, 47, 64};
    double values[64] = {0};
    for (size_t i = 0; i < 7; i++) {
        size_t got = cni_large_batches(counts[i]);
        assert_true(got >= 8 && got <= 15 && got <= counts[i]);
    }
    assert_int_equal(cni_large_batches(7), 0);
    assert_true(isinf(cni_batch_error(values, 7)));
    assert_true(cni_batch_error(values, 8) == 0);
    for (size_t count = 32; count <= 64; count += 15) {
        assert_in_range(1000 * covered(count, 0), 950, 985);
        assert_in_range(1000 * covered(count, 0.5), 940, 980);
        assert_in_range(1000 * covered(count, 0.8), 880, 960); /* 4 to 7 independent values */
    }
}

/* The interval holds the probability in about 95 % of all draws, by the binomial distribution
 * itself; since the draws are whole numbers, for some probabilities in 92 % only. */
static void share_half_width_covers(void **state)
{
    (void)state;
    assert_near(cni_share_half_width(0, 100), 0.0369935, 1e-7);
    assert_near(cni_share_half_width(50, 100), 0.0961684, 1e-7);
    assert_near(cni_share_half_width(100, 100), 0.0369935, 1e-7);
    assert_true(isinf(cni_share_half_width(0, 0)));
    for (int n = 10; n <= 160; n *= 2) {
        double sum = 0;
        for (int i = 1; i < 100; i++) {
            double p = i / 100.0, inside = 0, weight = pow(1 - p, n);
            for (int hits = 0; hits <= n; hits++) {
                if (fabs((double)hits / n - p) <= cni_share_half_width((uint64_t)hits, (uint64_t)n))
                    inside += weight;
                weight *= (n - hits) * p / ((hits + 1) * (1 - p));
            }
            assert_true(inside > 0.92);
            sum += inside / 99;
        }
        assert_near(sum, 0.96, 0.012);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t_is_that_of_the_tables),
        cmocka_unit_test(t_cuts_off_five_percent),
        cmocka_unit_test(t_falls_with_the_degrees),
        cmocka_unit_test(moments_are_those_of_two_passes),
        cmocka_unit_test(half_width_needs_two_values),
        cmocka_unit_test(share_half_width_covers),
        cmocka_unit_test(correlated_values_are_fewer),
        cmocka_unit_test(batch_errors_cover),
        cmocka_unit_test(batches_hold_every_cycle_once),
        cmocka_unit_test(batches_do_not_know_how_the_run_was_cut),
        cmocka_unit_test(batches_of_no_cycles_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/support.h"

#include "base/histogram.h"
#include "base/random.h"

#include <math.h>

enum { VALUES = 5000 };

static cni_histogram histogram, other;
static uint64_t values[VALUES];

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Fills `values`, sorted, and the histogram: uniform below the bound, or spread over all sizes of
 * words of up to `bits` bits when the bound is 0. */
static void fill(uint64_t seed, uint64_t bound, uint32_t bits)
{
    cni_histogram_clear(&histogram);
    for (uint32_t i = 0; i < VALUES; i++) {
        uint64_t word = cni_random_word(seed, i);
        values[i] = bound > 0 ? word % bound : word >> (64 - 1 - word % bits);
        cni_histogram_add(&histogram, values[i]);
    }
    qsort(values, VALUES, sizeof values[0], by_value);
}

/* The least value that at least the share p do not exceed, by its definition. */
static uint64_t quantile(double p)
{
    for (uint32_t i = 0; i < VALUES; i++)
        if ((i + 1.0) / VALUES >= p)
            return values[i];
    return values[VALUES - 1];
}

static void empty_histogram_gives_zeros(void **state)
{
    (void)state;
    histogram.total = 99;
    histogram.greatest = 7;
    histogram.bin[3] = 1;
    histogram.bin[CNI_HISTOGRAM_BINS - 1] = 1;
    cni_histogram_clear(&histogram);
    assert_true(histogram.total == 0 && histogram.greatest == 0);
    for (size_t i = 0; i < CNI_HISTOGRAM_BINS; i++)
        assert_true(histogram.bin[i] == 0);
    assert_true(cni_histogram_at_rank(&histogram, 1) == 0);
    assert_true(cni_histogram_quantile(&histogram, 0.5) == 0);
}

static void quantiles_are_exact_below_512(void **state)
{
    (void)state;
    static const uint64_t bounds[] = {1, 2, 10, 100, 511, 512};
    for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++) {
        fill(b, bounds[b], 0);
        assert_true(histogram.total == VALUES);
        assert_true(histogram.greatest == values[VALUES - 1]);
        for (uint32_t rank = 1; rank <= VALUES; rank++)
            assert_true(cni_histogram_at_rank(&histogram, rank) == values[rank - 1]);
        for (uint32_t i = 1; i <= 100; i++) {
            assert_true(cni_histogram_quantile(&histogram, i / 128.0) == quantile(i / 128.0));
            assert_true(cni_histogram_quantile(&histogram, i / 100.0) == quantile(i / 100.0));
        }
        assert_true(cni_histogram_quantile(&histogram, 1.0) == values[VALUES - 1]);
        assert_true(cni_histogram_quantile(&histogram, 1e-12) == values[0]);
    }
}

static void quantiles_are_within_one_256th_above(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 4; seed++) {
        if (seed % 2 == 0)
            fill(seed, UINT64_C(1) << (10 + 7 * seed), 0);
        else
            fill(seed, 0, 39);
        for (uint32_t rank = 1; rank <= VALUES; rank++) {
            double found = (double)cni_histogram_at_rank(&histogram, rank);
            double truth = (double)values[rank - 1];
            assert_near(found, truth, values[rank - 1] < 512 ? 0 : truth / 256);
        }
        assert_true(histogram.greatest == values[VALUES - 1]);
    }
}

static void half_of_small_counts_is_rounded_up(void **state)
{
    (void)state;
    cni_histogram_clear(&histogram);
    cni_histogram_add(&histogram, 5);
    assert_true(cni_histogram_quantile(&histogram, 0.5) == 5);
    cni_histogram_add(&histogram, 7);
    assert_true(cni_histogram_quantile(&histogram, 0.5) == 5);
    assert_true(cni_histogram_quantile(&histogram, 0.51) == 7);
    cni_histogram_add(&histogram, 9);
    assert_true(cni_histogram_quantile(&histogram, 0.5) == 7);
    assert_true(cni_histogram_quantile(&histogram, 0.95) == 9);
}

/* Bins follow each other without a gap, each no wider than 1/256 of its values. */
static void wide_bins_are_in_order(void **state)
{
    (void)state;
    assert_true(cni_histogram_wide_bin(512) == CNI_HISTOGRAM_EXACT);
    size_t last = CNI_HISTOGRAM_EXACT;
    uint64_t first = 512; /* of the bin */
    for (uint64_t value = 513; value < 300000; value++) {
        size_t bin = cni_histogram_wide_bin(value);
        assert_true(bin == last || bin == last + 1);
        if (bin != last)
            first = value;
        assert_true((value - first) * 256 < first);
        last = bin;
    }
    for (uint32_t bit = 10; bit < CNI_HISTOGRAM_TOP_BIT; bit++)
        assert_true(cni_histogram_wide_bin(UINT64_C(1) << bit) ==
                    cni_histogram_wide_bin((UINT64_C(1) << bit) - 1) + 1);
}

static void greatest_values_share_the_last_bin(void **state)
{
    (void)state;
    uint64_t top = UINT64_C(1) << CNI_HISTOGRAM_TOP_BIT;
    assert_true(cni_histogram_wide_bin(top - 1) <= CNI_HISTOGRAM_BINS - 1);
    assert_true(cni_histogram_wide_bin(top) == CNI_HISTOGRAM_BINS - 1);
    assert_true(cni_histogram_wide_bin(UINT64_MAX) == CNI_HISTOGRAM_BINS - 1);
    cni_histogram_clear(&histogram);
    cni_histogram_add(&histogram, UINT64_MAX);
    assert_true(histogram.greatest == UINT64_MAX);
    assert_true(histogram.total == 1);
    assert_true(histogram.bin[CNI_HISTOGRAM_BINS - 1] == 1);
}

static void merging_is_adding_all_to_one(void **state)
{
    (void)state;
    static cni_histogram both;
    cni_histogram_clear(&both);
    cni_histogram_clear(&other);
    fill(77, 3000, 0);
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t value = cni_random_word(78, i) % 100000;
        cni_histogram_add(&other, value);
        cni_histogram_add(&both, value);
    }
    for (uint32_t i = 0; i < VALUES; i++)
        cni_histogram_add(&both, values[i]);
    cni_histogram_merge(&histogram, &other);
    assert_memory_equal(&histogram, &both, sizeof both);
    cni_histogram_clear(&other);
    cni_histogram_merge(&histogram, &other);
    assert_memory_equal(&histogram, &both, sizeof both);
}

static void variance_is_that_of_the_values(void **state)
{
    (void)state;
    fill(5, 512, 0);
    double mean = 0, squares = 0;
    for (uint32_t i = 0; i < VALUES; i++)
        mean += (double)values[i] / VALUES;
    for (uint32_t i = 0; i < VALUES; i++)
        squares += ((double)values[i] - mean) * ((double)values[i] - mean);
    /* whether the divisor is n or n-1 is left open */
    assert_near(cni_histogram_variance(&histogram), squares / VALUES,
                1.1 * squares / VALUES / VALUES);

    fill(6, UINT64_C(1) << 20, 0); /* lower ends of the bins: two parts in 256 at most */
    mean = squares = 0;
    for (uint32_t i = 0; i < VALUES; i++)
        mean += (double)values[i] / VALUES;
    for (uint32_t i = 0; i < VALUES; i++)
        squares += ((double)values[i] - mean) * ((double)values[i] - mean);
    assert_near(cni_histogram_variance(&histogram) * VALUES / squares, 1, 2.0 / 256);

    cni_histogram_clear(&histogram);
    for (int i = 0; i < 10; i++)
        cni_histogram_add(&histogram, 300);
    assert_near(cni_histogram_variance(&histogram), 0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_histogram_gives_zeros),
        cmocka_unit_test(quantiles_are_exact_below_512),
        cmocka_unit_test(quantiles_are_within_one_256th_above),
        cmocka_unit_test(half_of_small_counts_is_rounded_up),
        cmocka_unit_test(wide_bins_are_in_order),
        cmocka_unit_test(greatest_values_share_the_last_bin),
        cmocka_unit_test(merging_is_adding_all_to_one),
        cmocka_unit_test(variance_is_that_of_the_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

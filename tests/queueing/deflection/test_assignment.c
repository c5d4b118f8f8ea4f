#include "support/support.h"

#include "cubenet/experimental/intermediate.h"

#include "queueing/deflection/assignment.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

static double sum(const double row[], uint32_t n)
{
    double total = 0;
    for (uint32_t j = 0; j <= n; j++)
        total += row[j];
    return total;
}

static double mean(const double row[], uint32_t n)
{
    double total = 0;
    for (uint32_t j = 0; j <= n; j++)
        total += j * row[j];
    return total;
}

/* Counts, over all n^i choices of i messages, how many channels are won; and how many messages a
 * node with M buffers then sends: so many more that n buffers are free. */
static void enumerate(uint32_t n, uint32_t i, uint32_t buffers, double won[], double sent[])
{
    uint64_t choices = 1;
    for (uint32_t m = 0; m < i; m++)
        choices *= n;
    memset(won, 0, (n + 1) * sizeof won[0]);
    memset(sent, 0, (n + 1) * sizeof sent[0]);
    for (uint64_t c = 0; c < choices; c++) {
        uint32_t claimed = 0, j = 0;
        uint64_t rest = c;
        for (uint32_t m = 0; m < i; m++, rest /= n)
            claimed |= UINT32_C(1) << rest % n;
        for (; claimed != 0; claimed &= claimed - 1)
            j++;
        won[j] += 1.0 / (double)choices;
        uint32_t free_buffers = buffers - i + j;
        sent[free_buffers < n ? j + (n - free_buffers) : j] += 1.0 / (double)choices;
    }
}

static void rows_are_those_of_enumeration(void **state)
{
    (void)state;
    double won[MOST], sent[MOST], row[MOST];
    for (uint32_t n = 1; n <= 6; n++)
        for (uint32_t i = 0; pow(n, i) <= 60000 && i <= 16; i++)
            for (uint32_t buffers = n > i ? n : i; buffers <= i + 2 * n; buffers++) {
                enumerate(n, i, buffers, won, sent);
                assert_ok(cn_assignment_phase_one(n, i, row, n + 1, NULL));
                for (uint32_t j = 0; j <= n; j++)
                    assert_near(row[j], won[j], 1e-11); /* sums of up to 60000 small terms */
                assert_ok(cn_assignment_both_phases(n, buffers, i, row, n + 1, NULL));
                for (uint32_t j = 0; j <= n; j++)
                    assert_near(row[j], sent[j], 1e-11);
            }
}

static void rows_sum_to_one(void **state)
{
    (void)state;
    static double row[4097];
    static const uint32_t channels[] = {1, 2, 3, 6, 10, 62, 4096};
    for (size_t c = 0; c < sizeof channels / sizeof channels[0]; c++) {
        uint32_t n = channels[c];
        static const uint64_t messages[] = {0, 1, 2, 5, 6, 7, 12, 100, 5000};
        for (size_t m = 0; m < sizeof messages / sizeof messages[0]; m++) {
            uint64_t i = messages[m];
            assert_ok(cn_assignment_phase_one(n, i, row, 4097, NULL));
            assert_near(sum(row, n), 1, 1e-12);
            /* a channel is missed by all with probability (1 - 1/n)^i */
            double expected = n == 1 ? (i > 0) : n * -expm1((double)i * log1p(-1.0 / n));
            assert_near(mean(row, n), expected, 1e-10 * expected + 1e-15);
            for (uint32_t j = 0; j <= n; j++) {
                assert_true(row[j] >= 0);
                if (j > i || (j == 0 && i > 0))
                    assert_true(row[j] == 0);
            }
            for (uint64_t buffers = i > n ? i : n; buffers <= i + n + 1;
                 buffers += n > 10 ? n : 1) {
                assert_ok(cn_assignment_both_phases(n, buffers, i, row, 4097, NULL));
                assert_near(sum(row, n), 1, 1e-12);
                for (uint32_t j = 0; j <= n; j++)
                    assert_true(row[j] == 0 || (j <= i && i - j <= buffers - n));
            }
        }
    }
}

/* Where the printed sum of 3.3 is empty: an empty node sends nothing. */
static void empty_node_sends_nothing(void **state)
{
    (void)state;
    double row[MOST];
    for (uint32_t n = 1; n < MOST; n++)
        for (uint64_t buffers = n; buffers < n + 3; buffers++) {
            assert_ok(cn_assignment_both_phases(n, buffers, 0, row, n + 1, NULL));
            assert_true(row[0] == 1);
            assert_true(sum(row, n) == 1);
        }
}

/* M = n: whatever the node has must go. */
static void least_buffers_send_everything(void **state)
{
    (void)state;
    double row[MOST];
    for (uint32_t n = 1; n < MOST; n++)
        for (uint32_t i = 0; i <= n; i++) {
            assert_ok(cn_assignment_both_phases(n, n, i, row, n + 1, NULL));
            for (uint32_t j = 0; j <= n; j++)
                assert_near(row[j], i == j, 1e-13);
        }
}

static void extremes_work(void **state)
{
    (void)state;
    static double row[4097];
    assert_ok(cn_assignment_phase_one(1, UINT64_C(1) << 20, row, 2, NULL));
    assert_true(row[0] == 0 && row[1] == 1);
    assert_ok(cn_assignment_phase_one(4, UINT64_C(1) << 20, row, 5, NULL));
    assert_near(row[4], 1, 1e-12);
    assert_ok(cn_assignment_both_phases(4, UINT64_C(1) << 20, UINT64_C(1) << 20, row, 5, NULL));
    assert_near(row[4], 1, 1e-12);
    assert_ok(cn_assignment_phase_one(4096, 2, row, 4097, NULL));
    assert_near(row[1], 1.0 / 4096, 1e-17);
}

static void inner_steps_make_the_rows(void **state)
{
    (void)state;
    double row[8] = {1}, expected[8];
    for (uint64_t i = 0; i <= 12; i++) {
        assert_ok(cn_assignment_phase_one(6, i, expected, 7, NULL));
        assert_memory_equal(row, expected, 7 * sizeof row[0]);
        double forced[8];
        memcpy(forced, row, sizeof forced);
        cni_assignment_force(6, 12, i, forced);
        assert_ok(cn_assignment_both_phases(6, 12, i, expected, 7, NULL));
        assert_memory_equal(forced, expected, 7 * sizeof row[0]);
        cni_assignment_next(6, row);
    }
}

/* The equations of Horng 1992 before 3.13, solved by elimination: h_i - (p + (i-1)/(n-1) q) h_{i-1}
 * - (n-i)/(n-1) q h_{i+1} = 1, h_0 = 0. (For i = 1 the probability of the way down is p.) */
static void solve_hops(uint32_t n, double q, long double h[])
{
    static long double a[MOST][MOST + 1];
    memset(a, 0, sizeof a);
    for (uint32_t i = 1; i <= n; i++) {
        long double over = n > 1 ? (long double)(i - 1) / (n - 1) : 1;
        long double up = n > 1 ? (long double)(n - i) / (n - 1) * q : 0;
        a[i][i] += 1;
        a[i][i - 1] -= n > 1 ? 1 - (long double)q + over * q : 1;
        if (i < n)
            a[i][i + 1] -= up;
        a[i][n + 1] = 1;
    }
    for (uint32_t i = 1; i <= n; i++) /* h_0 = 0: its column is not used */
        for (uint32_t r = i + 1; r <= n; r++) {
            long double factor = a[r][i] / a[i][i];
            for (uint32_t c = i; c <= n + 1; c++)
                a[r][c] -= factor * a[i][c];
        }
    h[0] = 0;
    for (uint32_t i = n; i >= 1; i--) {
        h[i] = a[i][n + 1];
        for (uint32_t c = i + 1; c <= n; c++)
            h[i] -= a[i][c] * h[c];
        h[i] /= a[i][i];
    }
}

static void hops_solve_their_equations(void **state)
{
    (void)state;
    static const double qs[] = {0, 1e-9, 0.1, 0.35, 0.5, 0.75};
    for (uint32_t n = 1; n <= 10; n++)
        for (size_t s = 0; s < sizeof qs / sizeof qs[0]; s++) {
            double found[MOST];
            long double expected[MOST];
            solve_hops(n, qs[s], expected);
            assert_ok(cn_deflection_hops(n, qs[s], found, n + 1, NULL));
            assert_true(found[0] == 0);
            for (uint32_t i = 1; i <= n; i++) {
                assert_near(found[i], (double)expected[i], 1e-11 * (double)expected[i]);
                if (qs[s] == 0)
                    assert_true(found[i] == i);
            }
        }
}

/* The recursion is stable, elimination is not: at the extremes only what is known for sure. */
static void hops_at_the_extremes(void **state)
{
    (void)state;
    double h[63];
    assert_ok(cn_deflection_hops(1, 0.9, h, 2, NULL));
    assert_true(h[0] == 0 && h[1] == 1);
    assert_ok(cn_deflection_hops(1, 5, h, 2, NULL)); /* q is ignored */
    assert_true(h[1] == 1);
    /* n = 2: h_1 = 1 + q h_2, h_2 = 1 + h_1, so h_1 = (1 + q) / (1 - q) */
    assert_ok(cn_deflection_hops(2, 0.999999, h, 3, NULL));
    assert_near(h[1], 1.999999 / 0.000001, 1e-3);
    assert_near(h[2] - h[1], 1, 1e-9);
    for (double q = 0; q < 1; q += 0.09) {
        assert_ok(cn_deflection_hops(62, q, h, 63, NULL));
        for (int i = 1; i <= 62; i++)
            assert_true(isfinite(h[i]) && h[i] >= i && h[i] >= h[i - 1] + 1);
        assert_near(h[62] - h[61], 1, 1e-15 * h[62]);
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    double row[8] = {17};
    assert_fails(cn_assignment_phase_one(0, 1, row, 8, NULL), CN_ERR_ARGUMENT, "channels = 0");
    assert_fails(cn_assignment_phase_one(4097, 1, row, 8, NULL), CN_ERR_ARGUMENT, "4097");
    assert_fails(cn_assignment_phase_one(6, (UINT64_C(1) << 20) + 1, row, 8, NULL), CN_ERR_ARGUMENT,
                 "1048577");
    assert_fails(cn_assignment_phase_one(6, UINT64_MAX, row, 8, NULL), CN_ERR_ARGUMENT,
                 "18446744073709551615");
    assert_fails(cn_assignment_phase_one(6, 1, NULL, 8, NULL), CN_ERR_ARGUMENT, "probabilities");
    assert_fails(cn_assignment_phase_one(6, 1, row, 6, NULL), CN_ERR_CAPACITY, "channels + 1 = 7");
    assert_fails(cn_assignment_both_phases(0, 6, 1, row, 8, NULL), CN_ERR_ARGUMENT, "channels = 0");
    assert_fails(cn_assignment_both_phases(4097, 5000, 1, row, 8, NULL), CN_ERR_ARGUMENT, "4097");
    assert_fails(cn_assignment_both_phases(6, 5, 1, row, 8, NULL), CN_ERR_ARGUMENT, "buffers = 5");
    assert_fails(cn_assignment_both_phases(6, (UINT64_C(1) << 20) + 1, 1, row, 8, NULL),
                 CN_ERR_ARGUMENT, "1048577");
    assert_fails(cn_assignment_both_phases(6, 8, 9, row, 8, NULL), CN_ERR_ARGUMENT, "messages = 9");
    assert_fails(cn_assignment_both_phases(6, 8, 1, NULL, 8, NULL), CN_ERR_ARGUMENT,
                 "probabilities");
    assert_fails(cn_assignment_both_phases(6, 8, 1, row, 6, NULL), CN_ERR_CAPACITY,
                 "channels + 1 = 7");
    assert_fails(cn_deflection_hops(0, 0.5, row, 8, NULL), CN_ERR_ARGUMENT, "n = 0");
    assert_fails(cn_deflection_hops(63, 0.5, row, 8, NULL), CN_ERR_ARGUMENT, "n = 63");
    assert_fails(cn_deflection_hops(6, 1, row, 8, NULL), CN_ERR_ARGUMENT, "q = 1,");
    assert_fails(cn_deflection_hops(6, -1e-9, row, 8, NULL), CN_ERR_ARGUMENT, "q = -1e-09");
    assert_fails(cn_deflection_hops(6, NAN, row, 8, NULL), CN_ERR_ARGUMENT, "q = nan");
    assert_fails(cn_deflection_hops(6, 0.5, NULL, 8, NULL), CN_ERR_ARGUMENT, "hop_counts");
    assert_fails(cn_deflection_hops(6, 0.5, row, 6, NULL), CN_ERR_CAPACITY, "n + 1 = 7");
    assert_true(row[0] == 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_enumeration),
        cmocka_unit_test(rows_sum_to_one),
        cmocka_unit_test(empty_node_sends_nothing),
        cmocka_unit_test(least_buffers_send_everything),
        cmocka_unit_test(extremes_work),
        cmocka_unit_test(inner_steps_make_the_rows),
        cmocka_unit_test(hops_solve_their_equations),
        cmocka_unit_test(hops_at_the_extremes),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

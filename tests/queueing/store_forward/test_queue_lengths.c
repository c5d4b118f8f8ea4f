/* Distributions with unlimited buffers (Horng 1992, eq. 2.16, 2.20, 2.74). */
#include "support/support.h"

#include "cubenet/experimental/intermediate.h"

#include <math.h>

typedef cn_status distribution(uint32_t n, double load, double probabilities[], size_t count);

enum { LONG = 200000, STATES = 160, CYCLES = 900 };

static double pi[LONG];

/* The sum of the distribution, and its mean. */
static double moments(distribution *of, uint32_t n, double load, double *mean)
{
    double sum = 0.0;
    assert_ok(of(n, load, pi, LONG));
    *mean = 0.0;
    for (size_t i = LONG; i-- > 0;) {
        assert_true(pi[i] >= 0.0);
        sum += pi[i];
        *mean += (double)i * pi[i];
    }
    return sum;
}

static double predicted_queue(const char *system, uint32_t n, double load)
{
    cn_topology *cube;
    cn_scenario *scenario;
    cn_result *result;
    double queue;
    assert_ok(cn_topology_hypercube(n, &cube));
    assert_ok(cn_scenario_new(cube, system, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    if (system[0] == 's')
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_ok(cn_predict(scenario, NULL, &result));
    assert_ok(cn_result_value(result, CN_METRIC_MEAN_QUEUE_LENGTH, &queue));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    return queue;
}

/* Sum 1; the means are the channel utilization (eq. 2.18) and those of the models (eq. 2.30,
 * 2.75). */
static void sums_and_means_are_those_of_the_models(void **state)
{
    (void)state;
    static const uint32_t dimensions[] = {1, 2, 3, 6, 10, 62};
    static const double shares[] = {1e-18, 1e-9, 0.01, 0.5, 0.9, 0.999};
    for (size_t d = 0; d < 6; d++)
        for (size_t i = 0; i < 6; i++) {
            uint32_t n = dimensions[d];
            double load = shares[i] * (2.0 - ldexp(1.0, 1 - (int)n)), mean;
            double separate = predicted_queue("separate-buffers", n, load);
            double bound = predicted_queue("optimistic-bound", n, load);
            assert_near(moments(cn_separate_buffers_arrivals, n, load, &mean), 1.0, 1e-12);
            assert_near(mean, shares[i], 1e-12 * shares[i]);
            assert_near(moments(cn_separate_buffers_queue, n, load, &mean), 1.0, 1e-10);
            assert_near(mean * n, separate, 1e-9 * separate);
            assert_near(moments(cn_optimistic_bound_queue, n, load, &mean), 1.0, 1e-11);
            assert_near(mean, bound, 1e-10 * bound);
        }
}

/* x becomes the sum of x and a binomial number of transit messages and a geometric one of new
 * messages. */
static void receive(double x[STATES], uint32_t n, double load)
{
    double d = n / 2.0 / (1.0 - ldexp(1.0, -(int)n)), a = load / (1.0 + load);
    double transit = load * (d - 1.0) / n;
    for (uint32_t channel = 0; channel < n; channel++)
        for (uint32_t i = STATES; i-- > 0;)
            x[i] = x[i] * (1.0 - transit) + (i > 0 ? x[i - 1] * transit : 0.0);
    for (uint32_t i = 0; i < STATES; i++)
        x[i] = (1.0 - a) * x[i] + (i > 0 ? a * x[i - 1] : 0.0);
}

/* Eq. 2.16 as it is printed, with a_i of eq. 2.10. */
static void thin(double b[STATES], uint32_t n, double load)
{
    double a[STATES] = {1.0};
    receive(a, n, load);
    for (uint32_t j = 0; j < STATES; j++) {
        double chosen = pow(1.0 / n, j); /* C(i, j) (1/n)^j (1 - 1/n)^(i-j), from i = j on */
        b[j] = 0.0;
        for (uint32_t i = j; i < STATES; i++) {
            b[j] += a[i] * chosen;
            chosen *= (1.0 - 1.0 / n) * (i + 1) / (i + 1 - j);
        }
    }
}

static const struct {
    uint32_t n;
    double load;
} cases[] = {{1, 0.5}, {2, 0.3}, {2, 0.9}, {3, 1.2}, {6, 0.2}, {6, 1.4}, {10, 1.3}};

static void the_arrivals_are_as_printed(void **state)
{
    (void)state;
    double b[STATES], got[STATES];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        thin(b, cases[c].n, cases[c].load);
        assert_ok(cn_separate_buffers_arrivals(cases[c].n, cases[c].load, got, STATES));
        for (int j = 0; j < STATES / 4; j++)
            assert_near(got[j], b[j], 1e-14);
    }
}

/* Eq. 2.20, cycle by cycle, from an empty channel. */
static void the_queue_is_that_of_the_chain(void **state)
{
    (void)state;
    double b[STATES], got[STATES];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double q[STATES] = {1.0};
        thin(b, cases[c].n, cases[c].load);
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            double next[STATES] = {0.0};
            for (int i = 0; i < STATES; i++)
                for (int v = 0; v < 40 && i - (i > 0) + v < STATES; v++)
                    next[i - (i > 0) + v] += q[i] * b[v];
            for (int i = 0; i < STATES; i++)
                q[i] = next[i];
        }
        assert_ok(cn_separate_buffers_queue(cases[c].n, cases[c].load, got, STATES));
        for (int i = 0; i < STATES / 2; i++)
            assert_near(got[i], q[i], 1e-9);
    }
}

/* Eq. 2.58: min(i, n) leave, transit and new messages come. */
static void the_bound_is_that_of_the_chain(void **state)
{
    (void)state;
    double got[STATES];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        uint32_t n = cases[c].n;
        double x[STATES] = {1.0};
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            double next[STATES] = {0.0};
            for (uint32_t i = 0; i < STATES; i++)
                next[i > n ? i - n : 0] += x[i];
            receive(next, n, cases[c].load);
            for (uint32_t i = 0; i < STATES; i++)
                x[i] = next[i];
        }
        assert_ok(cn_optimistic_bound_queue(n, cases[c].load, got, STATES));
        for (int i = 0; i < STATES / 2; i++)
            assert_near(got[i], x[i], 1e-9);
    }
}

static distribution *const all[] = {cn_separate_buffers_arrivals, cn_separate_buffers_queue,
                                    cn_optimistic_bound_queue};

static void any_count_is_filled(void **state)
{
    (void)state;
    double whole[64], part[65];
    for (size_t f = 0; f < 3; f++) {
        assert_ok(all[f](10, 1.9, whole, 64));
        for (size_t count = 0; count <= 64; count++) {
            part[count] = -1.0;
            assert_ok(all[f](10, 1.9, part, count));
            assert_memory_equal(part, whole, count * sizeof part[0]);
            assert_near(part[count], -1.0, 0.0);
        }
        assert_ok(all[f](10, 0.0, part, 3));
        assert_true(part[0] == 1.0 && part[1] == 0.0 && part[2] == 0.0);
    }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    double out[4];
    for (size_t f = 0; f < 3; f++) {
        assert_fails(all[f](6, 1.0, NULL, 4), CN_ERR_ARGUMENT, "probabilities");
        assert_fails(all[f](0, 1.0, out, 4), CN_ERR_ARGUMENT, "n = 0");
        assert_fails(all[f](63, 1.0, out, 4), CN_ERR_ARGUMENT, "n = 63");
        assert_fails(all[f](6, -0.1, out, 4), CN_ERR_ARGUMENT, "load = -0.1");
        assert_fails(all[f](6, NAN, out, 4), CN_ERR_ARGUMENT, "load = ");
        assert_fails(all[f](6, 1.97, out, 4), CN_ERR_UNSTABLE, "1.96875");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_means_are_those_of_the_models),
        cmocka_unit_test(the_arrivals_are_as_printed),
        cmocka_unit_test(the_queue_is_that_of_the_chain),
        cmocka_unit_test(the_bound_is_that_of_the_chain),
        cmocka_unit_test(any_count_is_filled),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

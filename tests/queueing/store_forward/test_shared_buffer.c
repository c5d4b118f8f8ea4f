/* The model of a shared buffer (Horng 1992, 2.4). */
#include "support/support.h"

#include "cubenet/experimental/intermediate.h"

#include <math.h>

static double delay_of(uint32_t n, double load)
{
    cn_topology *topology;
    cn_scenario *scenario;
    cn_result *result;
    double delay;
    assert_ok(cn_topology_hypercube(n, &topology));
    assert_ok(cn_scenario_new(topology, "shared-buffer", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_predict(scenario, NULL, &result));
    assert_ok(cn_result_value(result, CN_METRIC_MEAN_DELAY, &delay));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return delay;
}

static void published_delays_come_out(void **state)
{
    (void)state;
    assert_near(delay_of(6, 0.2), 3.2138, 5e-5);
    assert_near(delay_of(6, 1.4), 5.3216, 5e-5);
    assert_near(delay_of(6, 1.8), 8.1891, 5e-5);
    assert_near(delay_of(10, 1.4), 8.6161, 5e-5);
}

/* From an independent solution with 80 digits. */
static void delays_are_right_to_the_last_digits(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double load, delay;
    } cases[] = {{1, 0.5, 1.3862943611198906},          {1, 0.999999, 13.815524373459892},
                 {2, 1.4999999, 22.031415813404543},    {3, 0.001, 1.7147756968730061},
                 {6, 1e-09, 3.0476190483930461},        {6, 0.2, 3.213772235471863},
                 {6, 1.4, 5.3216277098947842},          {6, 1.96874999, 58.203671377151274},
                 {10, 1.998046874, 107.18184930389258}, {20, 1.9, 31.534214668920509},
                 {62, 1e-09, 31.00000000775},           {62, 0.5, 35.672576984020836},
                 {62, 1.5, 57.30016692628881},          {62, 1.9999999999, 735.28893903176663}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_near(delay_of(cases[i].n, cases[i].load), cases[i].delay, 1e-13 * cases[i].delay);
}

/* ---- the queue length distribution ---- */

enum { QUEUE = 4000 };

/* Eq. 2.50 to 2.52: the generating function at 0, 1 - 1/n and 1, and its mean, eq. 2.56. */
static void the_queue_fulfils_its_equations(void **state)
{
    (void)state;
    static const uint32_t dimensions[] = {1, 2, 6, 10, 50};
    static const double shares[] = {1e-9, 0.01, 0.5, 0.9, 0.999, 1 - 1e-9, 1 - 1e-15};
    static double pi[QUEUE];
    for (size_t d = 0; d < 5; d++)
        for (size_t i = 0; i < 7; i++) {
            double n = dimensions[d], capacity = 2.0 - ldexp(1.0, 1 - (int)dimensions[d]);
            double load = shares[i] * capacity, idle = (capacity - load) / capacity;
            assert_ok(cn_shared_buffer_queue(dimensions[d], load, pi, QUEUE));
            double sum = 0.0, mean = 0.0, thinned = 0.0;
            for (size_t q = QUEUE; q-- > 0;) {
                sum += pi[q];
                mean += (double)q * pi[q];
                thinned += pi[q] * pow(1.0 - 1.0 / n, (double)q);
            }
            assert_near(sum, 1.0, 1e-13);
            assert_near(pi[0], pow(idle, n), 1e-12 * pow(idle, n) + 1e-300);
            assert_near(thinned, idle, 1e-12 * idle);
            assert_near(mean, load * delay_of(dimensions[d], load), 1e-12 * mean);
        }
}

static void the_queue_is_poisson(void **state)
{
    (void)state;
    double x = -6.0 * log(1.0 - 1.4 / 1.96875), pi[40];
    assert_ok(cn_shared_buffer_queue(6, 1.4, pi, 40));
    for (int i = 0; i < 40; i++) {
        double expected = exp(i * log(x) - x - lgamma(i + 1.0));
        assert_near(pi[i], expected, 1e-12 * expected);
    }
}

/* A shorter array gets the beginning of the same distribution, on either side of the greatest. */
static void any_capacity_is_filled(void **state)
{
    (void)state;
    double whole[64], part[65];
    assert_ok(cn_shared_buffer_queue(10, 1.9, whole, 64));
    for (size_t capacity = 0; capacity <= 64; capacity++) {
        part[capacity] = -1.0;
        assert_ok(cn_shared_buffer_queue(10, 1.9, part, capacity));
        assert_memory_equal(part, whole, capacity * sizeof part[0]);
        assert_near(part[capacity], -1.0, 0.0);
    }
    assert_ok(cn_shared_buffer_queue(10, 0.0, part, 3));
    assert_true(part[0] == 1.0 && part[1] == 0.0 && part[2] == 0.0);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    double pi[4];
    assert_fails(cn_shared_buffer_queue(6, 1.0, NULL, 4), CN_ERR_ARGUMENT, "probabilities");
    assert_fails(cn_shared_buffer_queue(0, 1.0, pi, 4), CN_ERR_ARGUMENT, "n = 0");
    assert_fails(cn_shared_buffer_queue(63, 1.0, pi, 4), CN_ERR_ARGUMENT, "n = 63");
    assert_fails(cn_shared_buffer_queue(6, -0.1, pi, 4), CN_ERR_ARGUMENT, "load = -0.1");
    assert_fails(cn_shared_buffer_queue(6, NAN, pi, 4), CN_ERR_ARGUMENT, "load = ");
    assert_fails(cn_shared_buffer_queue(6, 1.97, pi, 4), CN_ERR_UNSTABLE, "1.96875");
    assert_fails(cn_shared_buffer_queue(6, INFINITY, pi, 4), CN_ERR_UNSTABLE, "load = inf");
}

/* What the model rests on: i messages send n (1 - (1 - 1/n)^i) of them on average (eq. 2.43). */
static void the_mean_sent_is_that_of_the_assignment(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 10; n++)
        for (uint64_t i = 0; i <= 40; i++) {
            double f[11], mean = 0.0;
            assert_ok(cn_assignment_phase_one(n, i, f, 11, NULL));
            for (uint32_t j = 1; j <= n; j++)
                mean += j * f[j];
            assert_near(mean, n * (1.0 - pow(1.0 - 1.0 / n, (double)i)), 1e-13 * n);
        }
}

static cn_status fill_queue(void *context)
{
    (void)context;
    double pi[8];
    return cn_shared_buffer_queue(6, 1.4, pi, 8);
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    support_fail_every_allocation(fill_queue, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_delays_come_out),
        cmocka_unit_test(delays_are_right_to_the_last_digits),
        cmocka_unit_test(the_queue_fulfils_its_equations),
        cmocka_unit_test(the_queue_is_poisson),
        cmocka_unit_test(any_capacity_is_filled),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(the_mean_sent_is_that_of_the_assignment),
        cmocka_unit_test(every_failed_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

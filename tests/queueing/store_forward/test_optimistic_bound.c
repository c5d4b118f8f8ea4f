/* The optimistic bound (Horng 1992, 2.5 and appendix A). */
#include "support/support.h"

#include <math.h>
#include <complex.h>

static double delay_of(uint32_t n, double load)
{
    cn_topology *topology;
    cn_scenario *scenario;
    cn_result *result;
    double delay;
    assert_ok(cn_topology_hypercube(n, &topology));
    assert_ok(cn_scenario_new(topology, "optimistic-bound", &scenario));
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
    assert_near(delay_of(6, 0.2), 3.0477, 5e-5);
    assert_near(delay_of(6, 0.8), 3.0993, 5e-5);
    assert_near(delay_of(6, 1.4), 3.5373, 5e-5);
    assert_near(delay_of(6, 1.8), 5.9741, 5e-5);
}

/* From an independent solution with 80 digits. */
static void delays_are_right_to_the_last_digits(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double load, delay;
    } cases[] = {{1, 0.5, 2},
                 {1, 0.999999, 999999.99997124437},
                 {2, 1.4999999, 10312500.457994025},
                 {3, 0.001, 1.7142857161778833},
                 {6, 1e-09, 3.0476190476190474},
                 {6, 0.2, 3.0477439101168717},
                 {6, 1.4, 3.5373280980564754},
                 {6, 1.96874999, 59729006.684443437},
                 {10, 1.998046874, 379453269.71704596},
                 {20, 1.9, 11.500144250229516},
                 {62, 1e-09, 31},
                 {62, 0.5, 31},
                 {62, 1.5, 31.00074773916948},
                 {62, 1.9999999999, 639958357.07598996}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_near(delay_of(cases[i].n, cases[i].load), cases[i].delay, 1e-13 * cases[i].delay);
}

/* ---- appendix A: where the roots are ---- */

/* z^n (1 - a z) - (1 - a) (P z + 1 - P)^n over |z|^n, which has the same argument */
static double complex denominator(uint32_t n, double load, double complex z)
{
    double d = n / 2.0 / (1.0 - ldexp(1.0, -(int)n)), a = load / (1.0 + load);
    double transit = load * (d - 1.0) / n, r = cabs(z);
    double complex turned = 1.0, bracket = 1.0;
    for (uint32_t i = 0; i < n; i++) {
        turned *= z / r;
        bracket *= (transit * z + 1.0 - transit) / r;
    }
    return turned * (1.0 - a * z) - bracket / (1.0 + load);
}

/* Number of roots inside |z| = r, by the argument principle. */
static int roots_inside(uint32_t n, double load, double r)
{
    enum { STEPS = 200000 };
    double turn = 0.0, pi = acos(-1.0);
    double complex before = denominator(n, load, r);
    for (int i = 1; i <= STEPS; i++) {
        double complex now = denominator(n, load, r * cexp(2.0 * pi * I * i / STEPS));
        double step = carg(now / before);
        assert_true(fabs(step) < 1.0); /* fine enough not to lose a turn */
        turn += step;
        before = now;
    }
    return (int)lround(turn / (2.0 * pi));
}

/* The root above 1, back from T = d - 1 + 1 / (load (z_n - 1)) (eq. 2.76). */
static double root_of(uint32_t n, double load)
{
    double d = n / 2.0 / (1.0 - ldexp(1.0, -(int)n));
    return 1.0 + 1.0 / (load * (delay_of(n, load) - d + 1.0));
}

/* n roots in |z| <= 1, one outside; that one is where the model says, no other is near. */
static void one_root_is_outside(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double load;
    } cases[] = {{1, 0.5},  {2, 0.1},  {2, 1.4},   {3, 1.0},  {6, 0.01}, {6, 0.2},  {6, 0.8},
                 {6, 1.4},  {6, 1.8},  {6, 1.95},  {10, 0.2}, {10, 1.4}, {10, 1.9}, {20, 0.5},
                 {20, 1.9}, {40, 1.5}, {62, 0.01}, {62, 1.0}, {62, 1.9}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t n = cases[i].n;
        double load = cases[i].load, z = root_of(n, load);
        assert_true(z > 1.0 && z < (1.0 + 1e-12) * (1.0 + load) / load);
        assert_int_equal(roots_inside(n, load, 1.0 + 0.01 * (z - 1.0)), n);
        assert_int_equal(roots_inside(n, load, 1.0 + 0.99 * (z - 1.0)), n);
        assert_int_equal(roots_inside(n, load, 1.0 + 1.01 * (z - 1.0)), n + 1);
        assert_int_equal(roots_inside(n, load, 10.0 * z), n + 1);
    }
}

/* All n + 1 roots at once, by the iteration of Durand and Kerner. */
static void find_roots(uint32_t n, double load, double complex roots[])
{
    double d = n / 2.0 / (1.0 - ldexp(1.0, -(int)n)), a = load / (1.0 + load);
    double transit = load * (d - 1.0) / n;
    for (uint32_t i = 0; i <= n; i++)
        roots[i] = cpow(0.4 + 0.9 * I, i);
    for (int round = 0; round < 3000; round++)
        for (uint32_t i = 0; i <= n; i++) {
            double complex z = roots[i], power = 1.0, bracket = 1.0, others = -a;
            for (uint32_t j = 0; j < n; j++) {
                power *= z;
                bracket *= transit * z + 1.0 - transit;
            }
            for (uint32_t j = 0; j <= n; j++)
                if (j != i)
                    others *= z - roots[j];
            roots[i] -= (power * (1.0 - a * z) - (1.0 - a) * bracket) / others;
        }
}

/* Again one outside, real and the model's; those inside are simple, and one of them is 1. */
static void the_roots_inside_are_simple(void **state)
{
    (void)state;
    static const double loads[] = {0.2, 0.8, 1.2, 1.45};
    for (uint32_t n = 2; n <= 8; n++)
        for (size_t l = 0; l < 4; l++) {
            double complex roots[9];
            uint32_t outside = 0, ones = 0;
            find_roots(n, loads[l], roots);
            for (uint32_t i = 0; i <= n; i++) {
                for (uint32_t j = 0; j < i; j++)
                    assert_true(cabs(roots[i] - roots[j]) > 1e-3);
                ones += cabs(roots[i] - 1.0) < 1e-9;
                if (cabs(roots[i]) <= 1.0 + 1e-9)
                    continue;
                outside++;
                assert_near(cabs(roots[i] - root_of(n, loads[l])), 0.0, 1e-9 * cabs(roots[i]));
            }
            assert_int_equal(outside, 1);
            assert_int_equal(ones, 1);
        }
}

/* Eq. 2.73, with the product over the roots inside, without z_0 = 1 and without z_n:
 * docs/errata.md. */
static void the_product_ends_before_the_root_outside(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n++)
        for (double load = 0.2; load < 1.45; load += 0.4) {
            double complex roots[9], product = 1.0, to_n = 1.0;
            double d = n / 2.0 / (1.0 - ldexp(1.0, -(int)n)), z = root_of(n, load);
            double right = (n - load * d) / (load * (z - 1.0));
            find_roots(n, load, roots);
            for (uint32_t i = 0; i <= n; i++) {
                if (cabs(roots[i] - 1.0) < 1e-9)
                    continue;
                to_n *= 1.0 - roots[i];
                product *= cabs(roots[i]) <= 1.0 + 1e-9 ? 1.0 - roots[i] : 1.0;
            }
            assert_near(cabs(product - right), 0.0, 1e-9 * right);
            assert_true(creal(to_n) < 0.0);
            if (n == 6 && fabs(load - 1.0) < 1e-9) {
                assert_near(creal(product), 3.307, 5e-4);
                assert_near(creal(to_n), -2.952, 5e-4);
            }
        }
}

/* What appendix A needs of h (A.6) and of the polynomial of A.11, with the signs and arguments of
 * docs/errata.md. */
static void the_steps_of_appendix_a_hold(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 20; n++)
        for (double load = 0.2; load < 1.45; load += 0.4) {
            double d = n / 2.0 / (1.0 - ldexp(1.0, -(int)n)), a = load / (1.0 + load);
            double p = load * (d - 1.0) / n, q = 1.0 - p;
            double slope_at_0 = n - (n + 1) * a - n * p * (1.0 - a);
            assert_near(slope_at_0, (n - load * d) / (1.0 + load), 1e-12 * n);
            assert_true(p * a + (n + 1) * q * a - n * q <
                        0.0); /* a + b + c >= 0 is the contradiction */
            assert_near(p * a + (n + 1) * q * a - n * q, a - n * q * (1.0 - a),
                        1e-12 * n);                             /* A.12 */
            assert_true(p * a + (n + 1) * q * a + n * q > 0.0); /* as it reads: no contradiction */
        }
}

/* ---- the chain itself ---- */

/* The queue of a node step by step: min(i, n) leave, binomial transit and geometric new messages
 * come (eq. 2.58). Its mean after many cycles, over the load, is the delay. */
static double delay_by_iteration(uint32_t n, double load)
{
    enum { STATES = 120, CYCLES = 600 };
    double d = n / 2.0 / (1.0 - ldexp(1.0, -(int)n)), a = load / (1.0 + load);
    double transit = load * (d - 1.0) / n, x[STATES] = {1.0}, mean = 0.0;
    for (int c = 0; c < CYCLES; c++) {
        double next[STATES] = {0.0};
        for (uint32_t i = 0; i < STATES; i++)
            next[i > n ? i - n : 0] += x[i];
        for (uint32_t channel = 0; channel < n; channel++)
            for (uint32_t i = STATES; i-- > 0;)
                next[i] = next[i] * (1.0 - transit) + (i > 0 ? next[i - 1] * transit : 0.0);
        for (uint32_t i = 0; i < STATES; i++) /* x_i = (1 - a) next_i + a x_{i-1} */
            x[i] = (1.0 - a) * next[i] + (i > 0 ? a * x[i - 1] : 0.0);
    }
    for (uint32_t i = 0; i < STATES; i++)
        mean += i * x[i];
    return mean / load;
}

static void the_chain_gives_the_same_delay(void **state)
{
    (void)state;
    static const double loads[] = {0.2, 0.8, 1.2, 1.4};
    for (uint32_t n = 2; n <= 10; n += 2)
        for (size_t l = 0; l < 4; l++)
            assert_near(delay_by_iteration(n, loads[l] * (n == 2 ? 0.5 : 1.0)),
                        delay_of(n, loads[l] * (n == 2 ? 0.5 : 1.0)), 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_delays_come_out),
        cmocka_unit_test(delays_are_right_to_the_last_digits),
        cmocka_unit_test(one_root_is_outside),
        cmocka_unit_test(the_roots_inside_are_simple),
        cmocka_unit_test(the_product_ends_before_the_root_outside),
        cmocka_unit_test(the_steps_of_appendix_a_hold),
        cmocka_unit_test(the_chain_gives_the_same_delay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

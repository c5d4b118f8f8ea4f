/* The last node of a broadcast, from the law of a step. */
#include "support/support.h"

#include <math.h>

#include "queueing/wormhole/wormhole_network.h"

static double last(uint32_t n, const cni_wormhole_step *step, double together)
{
    double mean = 0.0;
    assert_ok(cni_wormhole_last(n, NULL, step, together, &mean));
    return mean;
}

static void one_step_takes_its_mean(void **state)
{
    (void)state;
    for (double variance = 0.2; variance < 5.0; variance *= 2.0) {
        const cni_wormhole_step step = {10.0, 0.25, 3.0, variance};
        assert_near(last(1, &step, 0.0), 10.0 + 0.75 * 3.0, 0.02);
    }
}

static void steps_without_excess_add_up(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 12; n++)
        assert_near(last(n, &(cni_wormhole_step){33.0, 1.0, 0.0, 0.0}, 0.3), 33.0 * n, 1e-12);
}

/* Two dimensions: one node after a step, one after two, base b and exponential excesses of mean 1:
 * 2 b + 2 + E[(e1 - b - e2 - e3)+] = 2 b + 2 + exp(-b) / 4. */
static void two_dimensions_are_exact(void **state)
{
    (void)state;
    for (double base = 0.25; base < 5.0; base *= 2.0) {
        const cni_wormhole_step step = {base, 0.0, 1.0, 1.0};
        assert_near(last(2, &step, 0.0), 2.0 * base + 2.0 + 0.25 * exp(-base), 0.002 * base);
    }
}

static void what_is_common_makes_it_earlier_down_to_the_deepest_node(void **state)
{
    (void)state;
    const cni_wormhole_step step = {33.0, 0.4, 40.0, 1500.0};
    double deepest = 6.0 * (33.0 + 0.6 * 40.0), before = INFINITY;
    for (int i = 0; i <= 10; i++) {
        double now = last(6, &step, i / 10.0);
        assert_true(now < before && now >= deepest - 0.1);
        before = now;
    }
    assert_near(before, deepest, 0.1);
}

/* A step whose excess is far longer than its base is seen on a coarser grid. */
static void long_waits_are_covered(void **state)
{
    (void)state;
    for (double mean = 1.0; mean < 1e9; mean *= 10.0) {
        const cni_wormhole_step step = {33.0, 0.0, mean, mean * mean};
        double now = last(7, &step, 0.0);
        assert_true(now > 7.0 * (33.0 + mean) && now < 7.0 * 33.0 + 14.0 * mean);
    }
}

static double last_of_one_port(uint32_t n, const cni_wormhole_step *service,
                               const cni_wormhole_step *queued, double together)
{
    double mean = 0.0;
    assert_ok(cni_wormhole_last(n, service, queued, together, &mean));
    return mean;
}

/* All nodes have the message after the same time: recursive doubling. */
static void one_port_without_excess_doubles(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 12; n++)
        for (double hop = 1.0; hop < 100.0; hop *= 3.0) {
            const cni_wormhole_step service = {32.0, 1.0, 0.0, 0.0}, queued = {hop, 1.0, 0.0, 0.0};
            double mean = last_of_one_port(n, &service, &queued, 0.3);
            assert_near(mean, n * (32.0 + hop), 1e-9 * mean);
        }
}

/* Services of M + 1 with exponential excesses, hops of h: the source takes S, then the longer of h
 * + S' to the deepest node and S'' to the other child: 2 (M + h) + 2 + exp(-h) / 2. */
static void two_dimensions_with_one_port_are_exact(void **state)
{
    (void)state;
    for (double base = 0.25; base < 5.0; base *= 2.0) {
        const cni_wormhole_step service = {base, 0.0, 1.0, 1.0}, queued = {base, 1.0, 0.0, 0.0};
        assert_near(last_of_one_port(2, &service, &queued, 0.0),
                    4.0 * base + 2.0 + 0.5 * exp(-base), 0.004 * base);
    }
}

static void what_is_common_leaves_the_deepest_node_with_one_port(void **state)
{
    (void)state;
    const cni_wormhole_step service = {32.0, 0.7, 10.0, 100.0}, queued = {1.0, 0.6, 40.0, 1500.0};
    double deepest = 6.0 * (33.0 + 0.3 * 10.0 + 0.4 * 40.0), before = INFINITY;
    for (int i = 0; i <= 10; i++) {
        double now = last_of_one_port(6, &service, &queued, i / 10.0);
        assert_true(now < before && now >= deepest - 0.2);
        before = now;
    }
    assert_near(before, deepest, 0.2);
}

static void long_waits_of_one_port_are_covered(void **state)
{
    (void)state;
    for (double mean = 1.0; mean < 1e9; mean *= 10.0) {
        const cni_wormhole_step service = {32.0, 0.5, 1.0, 1.0},
                                queued = {1.0, 0.0, mean, mean * mean};
        double now = last_of_one_port(7, &service, &queued, 0.0);
        assert_true(now > 7.0 * (33.0 + mean) && now < 7.0 * 35.0 + 14.0 * mean);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_takes_its_mean),
        cmocka_unit_test(steps_without_excess_add_up),
        cmocka_unit_test(two_dimensions_are_exact),
        cmocka_unit_test(what_is_common_makes_it_earlier_down_to_the_deepest_node),
        cmocka_unit_test(long_waits_are_covered),
        cmocka_unit_test(one_port_without_excess_doubles),
        cmocka_unit_test(two_dimensions_with_one_port_are_exact),
        cmocka_unit_test(what_is_common_leaves_the_deepest_node_with_one_port),
        cmocka_unit_test(long_waits_of_one_port_are_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

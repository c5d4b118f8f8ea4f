/* What nodes have in common: where it is nothing, and how it depends on the network. */
#include "support/support.h"

#include <math.h>

#include "queueing/deflection/own_equations.h"

enum { CHANNELS = 4, BUFFERS = 32 };

static void solve(double load, double transit, cni_node_chain *chain)
{
    assert_ok(cni_node_chain_open(CHANNELS, BUFFERS, load, NULL, chain));
    cni_node_chain_solve(chain, transit);
}

/* The check values of own_equations.c, in deflection/own/2. */
static void check_values_come_out(void **state)
{
    (void)state;
    cni_node_chain chain;
    const double share[CHANNELS + 1] = {0.0, 0.5, 0.5};
    solve(1.8, 0.5, &chain);
    assert_near(cni_correlated_wants(&chain, 2, share), 0.048478954931, 1e-12);
    assert_near(cni_correlated_queues(&chain, 2, 0.0, 0.53), 0.076386818399, 1e-12);
    assert_near(cni_correlated_queues(&chain, 2, 0.05, 0.53), 0.068356573247, 1e-12);
    cni_node_chain_close(&chain);
}

/* Messages that all go at once leave nothing that lasts. */
static void nothing_is_in_common_where_nobody_waits(void **state)
{
    (void)state;
    cni_node_chain chain;
    const double share[CHANNELS + 1] = {0.0, 0.0, 1.0};
    solve(1e-3, 1e-3, &chain);
    assert_true(cni_correlated_wants(&chain, 2, share) < 1e-3);
    assert_true(cni_correlated_queues(&chain, 2, 0.0, 0.5) < 1e-8);
    cni_node_chain_close(&chain);
    solve(1.8, 0.5, &chain);
    assert_true(cni_correlated_wants(&chain, 0, share) == 0.0); /* rings */
    assert_true(cni_correlated_queues(&chain, 0, 0.0, 0.5) == 0.0);
    assert_true(cni_correlated_wants(&chain, 5, share) == 0.0); /* one dimension */
    cni_node_chain_close(&chain);
}

/* Eight channels of the Boolean 4-cube are one queue, three of the generalized 3-ary 2-cube. */
static void what_is_wanted_varies_less_in_larger_networks(void **state)
{
    (void)state;
    cni_node_chain chain;
    const double share[CHANNELS + 1] = {0.0, 0.5, 0.5};
    solve(1.8, 0.5, &chain);
    double boolean = cni_correlated_wants(&chain, 2, share);
    assert_true(boolean > 0.0);
    assert_near(3.0 * cni_correlated_wants(&chain, 3, share), 8.0 * boolean, 1e-12);
    cni_node_chain_close(&chain);
}

/* Who already knows of all that there is in common finds nothing more. */
static void queues_have_more_in_common_the_farther_messages_go(void **state)
{
    (void)state;
    cni_node_chain chain;
    double before = 0.0;
    solve(1.8, 0.5, &chain);
    for (double p = 0.0; p < 0.95; p += 0.1) {
        double covariance = cni_correlated_queues(&chain, 2, 0.0, p);
        assert_true(covariance >= before);
        before = covariance;
    }
    assert_true(before > 0.0);
    assert_true(cni_correlated_queues(&chain, 2, 1e3, 0.9) == 0.0);
    cni_node_chain_close(&chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_values_come_out),
        cmocka_unit_test(nothing_is_in_common_where_nobody_waits),
        cmocka_unit_test(what_is_wanted_varies_less_in_larger_networks),
        cmocka_unit_test(queues_have_more_in_common_the_farther_messages_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Uneven claims: the cases that can be told by hand. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "queueing/deflection/claims.h"

static void open_both(uint32_t n, size_t buffers, double load, double transit,
                      cni_node_chain *chain, cni_claims *claims)
{
    assert_ok(cni_node_chain_open(n, buffers, load, NULL, chain));
    assert_ok(cni_claims_open(chain, 0, 0, claims));
    cni_node_chain_solve(chain, transit);
}

static void close_both(cni_node_chain *chain, cni_claims *claims)
{
    cni_claims_close(claims);
    cni_node_chain_close(chain);
}

/* Of the kept messages some want one channel and the others any, so that they insist in the mean on what they lost with
 * this probability. */
static double update(cni_claims *claims, double transit, double insist, double onward,
                     double going_on)
{
    double n = claims->node->channels, wanting[CNI_CHANNELS + 1] = {0.0};
    double leaving[CNI_CHANNELS + 1];
    wanting[1] = (insist - 1.0 / n) / (1.0 - 1.0 / n);
    wanting[claims->node->channels] += 1.0 - wanting[1];
    memcpy(leaving, wanting, sizeof leaving); /* all stay as long */
    cni_claim_habits habits = {.transit = transit,
                               .wanting = wanting,
                               .leaving = leaving,
                               .parting = leaving,
                               .onward = onward,
                               .going_on = going_on};
    return cni_claims_update(claims, &habits);
}

/* A message that wants any channel with probability 1/n, wherever it comes from, is the published one. */
static void even_claims_are_the_published_ones(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n += 3)
        for (size_t buffers = n; buffers <= 3 * n; buffers += n) {
            cni_node_chain chain;
            cni_claims claims;
            open_both(n, buffers, 1.3, 0.4, &chain, &claims);
            update(&claims, 0.4, 1.0 / n, 1.0 / n, 0.7);
            for (size_t i = 0; i <= buffers; i++) {
                double f[16];
                assert_ok(cn_assignment_phase_one(n, i, f, 16, NULL));
                for (size_t j = 0; j <= n; j++)
                    assert_near(chain.first[i * (n + 1) + j], f[j], 1e-13);
            }
            close_both(&chain, &claims);
        }
}

/* With two channels and (all but) nothing but transit: two messages that both go straight on, or both turn,
 * never want the same channel; with probability r each, they do with 2 r (1 - r). */
static void two_from_two_channels(void **state)
{
    (void)state;
    for (double r = 0.0; r <= 1.0; r += 0.125) {
        cni_node_chain chain;
        cni_claims claims;
        open_both(2, 2, 1e-12, 0.5, &chain, &claims);
        update(&claims, 0.5, 1.0, r, 0.5);
        assert_near(chain.first[2 * 3 + 2], 1.0 - 2.0 * r * (1.0 - r), 1e-10);
        assert_near(chain.first[2 * 3 + 1], 2.0 * r * (1.0 - r), 1e-10);
        close_both(&chain, &claims);
    }
}

static double won_by_two(double insist, double onward)
{
    cni_node_chain chain;
    cni_claims claims;
    open_both(3, 9, 1.0, 0.6, &chain, &claims);
    for (int round = 0; round < 40; round++) {
        update(&claims, 0.6, insist, onward, 0.7);
        cni_node_chain_solve(&chain, 0.6);
    }
    double won = chain.first_sent[2];
    close_both(&chain, &claims);
    return won;
}

/* The check value of claims.c. */
static void the_check_value_holds(void **state)
{
    (void)state;
    assert_near(won_by_two(0.6, 0.1), 1.675040749998, 1e-11);
}

/* Insisting crowds; not going back the way one came, spreads. */
static void either_way_is_the_right_one(void **state)
{
    (void)state;
    double even = won_by_two(1.0 / 3.0, 1.0 / 3.0);
    assert_near(even, 5.0 / 3.0, 1e-9);
    assert_true(won_by_two(0.6, 1.0 / 3.0) < even - 0.001);
    assert_true(won_by_two(1.0, 1.0 / 3.0) < won_by_two(0.6, 1.0 / 3.0) - 0.001);
    assert_true(won_by_two(1.0 / 3.0, 0.0) > even + 0.001);
}

static void rows_are_probabilities_and_come_to_rest(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 10; n += 4)
        for (size_t buffers = n; buffers <= 4 * n; buffers += n) {
            cni_node_chain chain;
            cni_claims claims;
            double change = 1.0;
            open_both(n, buffers, 1.5, 0.45, &chain, &claims);
            for (int round = 0; round < 60; round++) {
                change = update(&claims, 0.45, 0.5, 0.05, 0.67);
                cni_node_chain_solve(&chain, 0.45);
            }
            assert_true(change < 1e-12);
            size_t most = buffers - n; /* more where more were kept; nothing where none ever are */
            assert_true(most == 0 ? fabs(chain.lean[0]) < 1e-15
                                  : chain.lean[0] < 0.0 && chain.lean[most] > 0.0);
            for (size_t i = 0; i <= buffers; i++) {
                double sum = 0.0;
                for (size_t j = 0; j <= n; j++) {
                    double f = chain.first[i * (n + 1) + j];
                    assert_true(f >= 0.0 && (f <= 0.0 || j <= i));
                    sum += f;
                }
                assert_near(sum, 1.0, 1e-13);
            }
            close_both(&chain, &claims);
        }
}

static int count_look(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    (void)done, (void)total, (void)lower, (void)upper;
    ++*(int *)user;
    return 0;
}

/* The claims of those kept are made one after the other for each number of them, so one round of a large node takes long:
 * some milliseconds here, and seconds with ten times the buffers. */
static void a_round_looks_at_its_control(void **state)
{
    (void)state;
    cni_node_chain chain;
    cni_claims claims;
    cn_control *control;
    cni_budget budget;
    int looks = 0;
    open_both(2, 1000, 1.9, 0.9, &chain, &claims);
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_progress(control, count_look, &looks));
    assert_ok(cni_budget_begin(&budget, "cn_predict", control, 0));
    chain.budget = &budget;
    update(&claims, 0.9, 0.6, 0.1, 0.7);
    assert_true(looks > 10);
    assert_ok(cn_control_cancel(control));
    looks = 0;
    update(&claims, 0.9, 0.6, 0.1, 0.7);
    assert_true(looks <= 1);
    assert_fails(cni_budget_go_on(&budget, 0), CN_ERR_CANCELLED, "cancelled");
    close_both(&chain, &claims);
    cn_control_free(&control);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_claims_are_the_published_ones),
        cmocka_unit_test(two_from_two_channels),
        cmocka_unit_test(the_check_value_holds),
        cmocka_unit_test(either_way_is_the_right_one),
        cmocka_unit_test(rows_are_probabilities_and_come_to_rest),
        cmocka_unit_test(a_round_looks_at_its_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Uneven claims: the cases that can be told by hand. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "queueing/deflection/own_model.h"

typedef struct bench {
    cni_node_chain chain;
    cni_hop_model path;
    cni_own_model own;
} bench;

/* On rings, where nodes have nothing in common. */
static void open_bench(uint32_t n, size_t buffers, double load, double transit, bench *b)
{
    assert_ok(cni_node_chain_open(n, buffers, load, NULL, &b->chain));
    assert_ok(cni_hops_exact(2, n, CNI_ALL_VALUES, &b->path));
    b->path.digits = 0;
    assert_ok(cni_own_open(&b->chain, &b->path, &b->own));
    cni_node_chain_solve(&b->chain, transit);
}

static void close_bench(bench *b)
{
    cni_own_close(&b->own);
    cni_hop_model_close(&b->path);
    cni_node_chain_close(&b->chain);
}

/* Of the kept messages some want one channel and the others any, so that they insist in the mean on
 * what they lost with this probability. */
static double update(bench *b, double transit, double insist, double onward, double hops)
{
    double n = b->chain.channels;
    memset(b->own.wanting, 0, sizeof b->own.wanting);
    b->own.wanting[1] = (insist - 1.0 / n) / (1.0 - 1.0 / n);
    b->own.wanting[b->chain.channels] += 1.0 - b->own.wanting[1];
    memcpy(b->own.leaving, b->own.wanting, sizeof b->own.leaving); /* all stay as long */
    b->own.transit = transit;
    b->own.onward = onward;
    b->own.hops = hops;
    return cni_own_renew(&b->own);
}

/* A message that wants any channel with probability 1/n, wherever it comes from, is the published
 * one. */
static void even_claims_are_the_published_ones(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n += 3)
        for (size_t buffers = n; buffers <= 3 * n; buffers += n) {
            bench b;
            open_bench(n, buffers, 1.3, 0.4, &b);
            update(&b, 0.4, 1.0 / n, 1.0 / n, 10.0 / 3.0);
            for (size_t i = 0; i <= buffers; i++) {
                double f[16];
                assert_ok(cn_assignment_phase_one(n, i, f, 16, NULL));
                for (size_t j = 0; j <= n; j++)
                    assert_near(b.chain.first[i * (n + 1) + j], f[j], 1e-13);
            }
            close_bench(&b);
        }
}

/* With two channels and (all but) nothing but transit: two messages that both go straight on, or
 * both turn, never want the same channel; with probability r each, they do with 2 r (1 - r). */
static void two_from_two_channels(void **state)
{
    (void)state;
    for (double r = 0.0; r <= 1.0; r += 0.125) {
        bench b;
        open_bench(2, 2, 1e-12, 0.5, &b);
        update(&b, 0.5, 1.0, r, 2.0);
        assert_near(b.chain.first[2 * 3 + 2], 1.0 - 2.0 * r * (1.0 - r), 1e-10);
        assert_near(b.chain.first[2 * 3 + 1], 2.0 * r * (1.0 - r), 1e-10);
        close_bench(&b);
    }
}

static double won_by_two(double insist, double onward)
{
    bench b;
    open_bench(3, 9, 1.0, 0.6, &b);
    for (int round = 0; round < 40; round++) {
        update(&b, 0.6, insist, onward, 10.0 / 3.0);
        cni_node_chain_solve(&b.chain, 0.6);
    }
    double won = b.chain.first_sent[2];
    close_bench(&b);
    return won;
}

/* The check value of own_tables.c, in deflection/own/2. */
static void the_check_value_holds(void **state)
{
    (void)state;
    assert_near(won_by_two(0.6, 0.1), 1.674841689742, 1e-11);
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
            bench b;
            double change = 1.0;
            open_bench(n, buffers, 1.5, 0.45, &b);
            for (int round = 0; round < 60; round++) {
                change = update(&b, 0.45, 0.5, 0.05, 3.0);
                cni_node_chain_solve(&b.chain, 0.45);
            }
            assert_true(change < 1e-12);
            size_t most = buffers - n; /* more where more were kept; nothing where none ever are */
            assert_true(most == 0 ? fabs(b.chain.lean[0]) < 1e-15
                                  : b.chain.lean[0] < 0.0 && b.chain.lean[most] > 0.0);
            for (size_t i = 0; i <= buffers; i++) {
                double sum = 0.0;
                for (size_t j = 0; j <= n; j++) {
                    double f = b.chain.first[i * (n + 1) + j];
                    assert_true(f >= 0.0 && (f <= 0.0 || j <= i));
                    sum += f;
                }
                assert_near(sum, 1.0, 1e-13);
            }
            close_bench(&b);
        }
}

static int count_look(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    (void)done, (void)total, (void)lower, (void)upper;
    ++*(int *)user;
    return 0;
}

/* The claims of those kept are made one after the other for each number of them, so one round of a
 * large node takes long: some milliseconds here, and seconds with ten times the buffers. */
static void a_round_looks_at_its_control(void **state)
{
    (void)state;
    bench b;
    cn_control *control;
    cni_budget budget;
    int looks = 0;
    open_bench(2, 1000, 1.9, 0.9, &b);
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_progress(control, count_look, &looks));
    assert_ok(cni_budget_begin(&budget, "cn_predict", control, 0));
    b.chain.budget = &budget;
    update(&b, 0.9, 0.6, 0.1, 10.0 / 3.0);
    assert_true(looks > 10);
    assert_ok(cn_control_cancel(control));
    looks = 0;
    update(&b, 0.9, 0.6, 0.1, 10.0 / 3.0);
    assert_true(looks <= 1);
    assert_fails(cni_budget_go_on(&budget, 0), CN_ERR_CANCELLED, "cancelled");
    close_bench(&b);
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

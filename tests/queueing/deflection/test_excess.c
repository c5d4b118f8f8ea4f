/* What comes in to nodes that have kept more than others, against the cycle of a node written
 * out. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "cubenet.h"
#include "queueing/deflection/own_model.h"

enum { CHANNELS = 3, BUFFERS = 9, KINDS = BUFFERS - CHANNELS + 1, CALLS = 40 };
static const double LOAD = 1.0, TRANSIT = 0.6;

/* Messages kept after a cycle, from those kept before it, one in `certain` channels and what the
 * others bring. */
static void cycle(const double from[], uint32_t channels, size_t certain, double to[])
{
    double came[CHANNELS + 1], sent[CHANNELS + 1], here[BUFFERS + 1] = {0.0};
    cni_binomial(channels, TRANSIT, came);
    for (size_t x = 0; x < KINDS; x++)
        for (size_t k = 0; k <= channels; k++) {
            double more = from[x] * came[k];
            size_t i = x + k + certain;
            for (; i < BUFFERS; i++, more *= LOAD / (1.0 + LOAD))
                here[i] += more / (1.0 + LOAD);
            here[BUFFERS] += more;
        }
    memset(to, 0, KINDS * sizeof to[0]);
    for (size_t i = 0; i <= BUFFERS; i++) {
        assert_ok(cn_assignment_both_phases(CHANNELS, BUFFERS, i, sent, CHANNELS + 1, NULL));
        for (size_t j = 0; j <= CHANNELS && j <= i; j++)
            if (i - j < KINDS)
                to[i - j] += here[i] * sent[j];
    }
}

typedef struct bench {
    cni_node_chain chain;
    cni_hop_model path;
    cni_own_model own;
} bench;

/* On rings, where nodes have nothing in common; pairs on one channel in a node, and what is not the
 * last hop 0.7 of all. */
static void set_up(bench *b, double insist, double pairs)
{
    assert_ok(cni_node_chain_open(CHANNELS, BUFFERS, LOAD, NULL, &b->chain));
    assert_ok(cni_hops_exact(2, CHANNELS, CNI_ALL_VALUES, &b->path));
    b->path.digits = 0;
    assert_ok(cni_own_open(&b->chain, &b->path, &b->own));
    cni_node_chain_solve(&b->chain, TRANSIT);
    cni_own_count_kept(&b->own);
    b->own.transit = TRANSIT;
    b->own.hops = 1.0 / 0.3;
    b->own.rivals.insist = insist;
    b->own.meetings = pairs;
}

static void tear_down(bench *b)
{
    cni_own_close(&b->own);
    cni_hop_model_close(&b->path);
    cni_node_chain_close(&b->chain);
}

static double covariance(const bench *b)
{
    double sum = 0.0;
    for (size_t x = 0; x < KINDS; x++)
        sum += b->own.kept[x] * b->chain.lean[x] * (double)x;
    return sum;
}

/* The response to a message in the cycle in which it comes, and the sum of those to come. */
static void responses_are_those_of_the_chain(void **state)
{
    (void)state;
    bench b;
    double with[KINDS], without[KINDS], later[KINDS], mean = 0.0, waiting = 0.0;
    set_up(&b, 0.6, 5.0);
    for (int call = 0; call < CALLS; call++)
        mean = cni_own_lean(&b.own);
    assert_true(mean < 1e-15); /* it has come to rest */
    cycle(b.own.kept, CHANNELS - 1, 1, with);
    cycle(b.own.kept, CHANNELS - 1, 0, without);
    for (size_t x = 0; x < KINDS; x++) {
        assert_near(b.own.first_response[x], with[x] - without[x], 1e-15);
        waiting += b.own.kept[x] * (double)x / CHANNELS;
    }
    double claims = waiting + b.chain.rho_1;
    double fades =
        1.0 - claims * (1.0 - b.chain.rho_1) / (2.0 * 5.0 / CHANNELS + claims - claims * claims);
    cycle(b.own.all_responses, CHANNELS, 0, later);
    for (size_t x = 0; x < KINDS; x++)
        assert_near(b.own.all_responses[x], b.own.first_response[x] + fades * later[x], 1e-14);
    tear_down(&b);
}

/* The mean P_t stays, nodes that have kept more get more, and the check value of own_tables.c, in
 * deflection/own/2, holds. */
static void fuller_nodes_get_more(void **state)
{
    (void)state;
    bench b;
    double mean = 0.0;
    set_up(&b, 0.6, 5.0);
    for (int call = 0; call < CALLS; call++)
        cni_own_lean(&b.own);
    for (size_t x = 0; x < KINDS; x++) {
        mean += b.own.kept[x] * b.chain.lean[x];
        assert_true(x == 0 || b.chain.lean[x] > b.chain.lean[x - 1]);
    }
    assert_near(mean, 0.0, 1e-15);
    assert_near(covariance(&b), 0.015784920588, 1e-12);
    tear_down(&b);
}

/* A channel is busy again the more often the more messages insist. */
static void those_that_insist_make_more_of_it(void **state)
{
    (void)state;
    double before = 0.0;
    for (double insist = 0.4; insist < 1.0; insist += 0.2) {
        bench b;
        set_up(&b, insist, 5.0);
        for (int call = 0; call < CALLS; call++)
            cni_own_lean(&b.own);
        assert_true(covariance(&b) > 1.01 * before);
        before = covariance(&b);
        tear_down(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_are_those_of_the_chain),
        cmocka_unit_test(fuller_nodes_get_more),
        cmocka_unit_test(those_that_insist_make_more_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

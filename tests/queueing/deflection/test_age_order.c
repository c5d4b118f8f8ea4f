/* Messages followed by age: where the outcome is known without following them. */
#include "support/support.h"

#include <math.h>

#include "queueing/deflection/own_model.h"

typedef struct bench {
    cni_node_chain chain;
    cni_hop_model path;
    cni_own_model ages;
    double distance;
} bench;

static void open_bench(uint32_t n, size_t buffers, double load, double transit, bench *b)
{
    assert_ok(cni_node_chain_open(n, buffers, load, NULL, &b->chain));
    assert_ok(cni_hops_exact(2, n, CNI_ALL_VALUES, &b->path));
    assert_ok(cni_own_open(&b->chain, &b->path, &b->ages));
    b->distance = 0.0;
    for (size_t i = 1; i < b->path.states; i++)
        b->distance += b->path.start[i] * (double)b->path.distance[i];
    cni_node_chain_solve(&b->chain, transit);
    assert_ok(cni_own_follow(&b->ages));
}

/* Probability that a message that stays wants the same channel again. */
static double insist(const bench *b)
{
    double stays = 0.0, again = 0.0;
    for (uint32_t t = 1; t <= b->chain.channels; t++) {
        stays += b->ages.wanting[t];
        again += b->ages.wanting[t] / t;
    }
    return again / stays;
}

static void close_bench(bench *b)
{
    cni_own_close(&b->ages);
    cni_hop_model_close(&b->path);
    cni_node_chain_close(&b->chain);
}

/* P_t at which the messages followed use the channels that the nodes fill. */
static double balanced(uint32_t n, size_t buffers, double load)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 50; i++) {
        bench b;
        double middle = (low + high) / 2.0;
        open_bench(n, buffers, load, middle, &b);
        double used = load * b.chain.accepted * b.ages.hops;
        if (used > n * (b.chain.rho_1 + b.chain.rho_2))
            low = middle;
        else
            high = middle;
        close_bench(&b);
    }
    return low;
}

/* Where nothing is forced out, a message makes as many hops as it is far. */
static void no_deflection_no_detour(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 8; n++) {
        bench b;
        open_bench(n, 60 * n, 0.5, 0.3, &b);
        assert_near(b.ages.hops / b.distance, 1.0, 1e-12);
        assert_near(b.ages.deflections, 0.0, 1e-14);
        close_bench(&b);
    }
}

/* A deflection costs two hops, whoever is deflected. */
static void hops_are_distance_and_detours(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n += 2)
        for (size_t buffers = n; buffers <= 2 * n; buffers += n / 2)
            for (double load = 0.2; load < 1e5; load *= 11.0) {
                bench b;
                open_bench(n, buffers, load, 0.6, &b);
                assert_near(b.ages.hops, b.distance + 2.0 * b.ages.deflections,
                            1e-11 * b.ages.hops);
                close_bench(&b);
            }
}

/* In balance the messages that are followed are those of the chain: their hops in the two phases
 * add up, and with M = n nobody stays. The old are spared: fewer detours than with q for
 * everybody. */
static void the_old_are_spared(void **state)
{
    (void)state;
    static const size_t buffers[] = {6, 8, 12};
    for (size_t m = 0; m < 3; m++) {
        bench b;
        double even, deflections;
        open_bench(6, buffers[m], 2.0, balanced(6, buffers[m], 2.0), &b);
        double rho = b.chain.rho_1 + b.chain.rho_2;
        assert_near(2.0 * b.chain.accepted * b.ages.hops / (6.0 * rho), 1.0, 1e-11);
        cni_hop_model_means(&b.path, b.chain.rho_2 / rho, &even, &deflections);
        assert_true(b.ages.hops < even * (buffers[m] < 12 ? 0.97 : 1.0));
        if (buffers[m] > 6)
            assert_true(insist(&b) > 1.0 / 6.0 && insist(&b) <= 1.0);
        assert_true(b.ages.onward > 0.0 && b.ages.onward < 0.15);
        close_bench(&b);
    }
}

/* The check value of own_ages.c, in deflection/own/2. */
static void the_check_value_holds(void **state)
{
    (void)state;
    bench b;
    open_bench(6, 9, 2.0, 0.6, &b);
    assert_near(b.ages.hops, 3.551854368345, 1e-11);
    assert_near(insist(&b), 0.502273063954, 1e-11);
    close_bench(&b);
}

/* P_t far from balance: too many messages for the chain, too few, and hardly any. */
static void out_of_balance_it_comes_to_an_end(void **state)
{
    (void)state;
    static const double loads[] = {1e-9, 1e-3, 1.0, 1e6};
    for (size_t l = 0; l < 4; l++)
        for (double transit = 0.0; transit < 1.0; transit += 0.24)
            for (size_t buffers = 3; buffers < 100; buffers *= 4) {
                bench b;
                open_bench(3, buffers, loads[l], transit, &b);
                assert_true(b.ages.hops >= b.distance * (1.0 - 1e-9));
                assert_true(isfinite(b.ages.hops));
                double stays = 0.0;
                for (uint32_t t = 1; t <= 3; t++)
                    stays += b.ages.wanting[t];
                if (buffers == 3 && l > 1) /* M = n: whatever wins or not, nobody stays */
                    assert_near(stays / b.ages.hops, 0.0, 1e-12);
                close_bench(&b);
            }
}

/* A diagram in which every hop leads back to where it began. */
static void messages_that_never_arrive(void **state)
{
    (void)state;
    bench b;
    open_bench(3, 9, 0.5, 0.3, &b);
    for (size_t i = 1; i < b.path.states; i++)
        for (size_t e = b.path.first_hop[i]; e < b.path.first_hop[i + 1]; e++)
            b.path.hop[e].target = i;
    assert_fails(cni_own_follow(&b.ages), CN_ERR_CONVERGENCE, "still in the network");
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_deflection_no_detour),
        cmocka_unit_test(hops_are_distance_and_detours),
        cmocka_unit_test(the_old_are_spared),
        cmocka_unit_test(the_check_value_holds),
        cmocka_unit_test(out_of_balance_it_comes_to_an_end),
        cmocka_unit_test(messages_that_never_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

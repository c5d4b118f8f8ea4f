#include "topology/oracle.h"

/* for the best order, which nothing outside finds alone */
#include "topology/measures/broadcast_bound.c"

#include "base/random.h"

static uint32_t bound_of(const cn_topology *t, uint32_t source, uint32_t enough)
{
    cni_graph graph;
    cni_budget budget;
    uint32_t bound = 0;
    assert_ok(cni_graph_open(t, NULL, &graph));
    assert_ok(cni_budget_start(&budget, "test", NULL, CN_SEARCH_DEFAULT));
    assert_ok(cni_broadcast_bound(&graph, source, enough, &budget, &bound));
    cni_graph_close(&graph);
    return bound;
}

/* The greatest sum over all orders of the channels that are left, by trying them. */
static float by_trying(const counting *c, size_t open[], uint32_t count, uint32_t t)
{
    float best = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        size_t taken = open[i], last = open[count - 1];
        open[i] = last;
        float rest = count > 1 ? by_trying(c, open, count - 1, t - 1) : 0.0f;
        open[i] = taken;
        float sum = up(reach_of(c, t - 1)[taken] + rest);
        best = sum > best ? sum : best;
    }
    return best;
}

/* Written out for up to four channels: each order is the only best one time and again. Some counts
 * are too great for a float to hold all sums of them. */
static void best_orders(void **state)
{
    (void)state;
    enum { CHANNELS = 5, STEPS = 6, TRIALS = 2000 };
    float reach[(MOST_ORDERED + STEPS) * CHANNELS] = {0};
    counting c = {.reach = reach, .channels = CHANNELS};
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t limit = trial % 2 == 0 ? 40 : UINT64_C(1) << 24;
        for (uint32_t i = 0; i < STEPS * CHANNELS; i++)
            reach_of(&c, 0)[i] = (float)(cni_random_word(trial, i) % limit);
        for (uint32_t t = 1; t <= STEPS; t++)
            for (uint32_t set = 0; set < 1 << CHANNELS; set++) {
                size_t open[CHANNELS];
                uint32_t count = 0;
                for (uint32_t e = 0; e < CHANNELS; e++)
                    if (set >> e & 1)
                        open[count++] = e;
                if (count <= MOST_ORDERED)
                    assert_true(best_order(&c, open, count, t) == by_trying(&c, open, count, t));
            }
    }
}

/* Never above the least time; dense graphs have nodes of more than four neighbours. */
static void random_graphs(void **state)
{
    (void)state;
    uint32_t met = 0, all = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        cn_topology *t = oracle_random(4 + seed % 7, seed % 17, seed);
        for (uint32_t v = 0; v < cn_topology_node_count(t); v++) {
            uint64_t exact = oracle_broadcast(t, v);
            uint32_t bound = bound_of(t, v, 100);
            assert_true(bound <= exact);
            assert_true(bound_of(t, v, 2) <= 2);
            met += bound == exact;
            all++;
        }
        cn_topology_free(&t);
    }
    assert_true(4 * met >= 3 * all); /* and mostly just that */
}

/* The proofs of the exact values of PSNN, and d = F of PSE. */
static void shuffles(void **state)
{
    (void)state;
    const uint32_t psnn[] = {2, 4, 5, 7, 8, 10, 12, 13};
    cn_topology *t;
    for (uint32_t n = 2; n <= 9; n++) {
        assert_ok(cn_topology_psnn(n, &t));
        assert_int_equal(bound_of(t, 0, 100), psnn[n - 2]);
        cn_topology_free(&t);
    }
    assert_ok(cn_topology_shuffle_exchange(6, &t));
    assert_int_equal(bound_of(t, 0, 100), 11);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_orders),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(shuffles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Two messages that have met on two rings and meet again, in nodes of three buffers. */
#include "support/support.h"

#include <math.h>

#include "queueing/deflection/encounters.h"

enum { RADIX = 12, SIDE = 9, WISHES = 7 };

typedef struct bench {
    cni_node_chain node;
    cni_hop_model path;
    cni_age_order ages;
    cni_encounters encounters;
} bench;

/* As the published claims leave the nodes, for a given P_t. */
static void open_bench(double load, double transit, bench *b)
{
    assert_ok(cni_node_chain_open(2, 3, load, NULL, &b->node));
    assert_ok(cni_hops_kary_exact(RADIX, 2, 0, &b->path));
    assert_ok(cni_age_order_open(&b->node, &b->path, &b->ages));
    assert_ok(cni_age_order_keep_trips(&b->ages));
    assert_ok(cni_encounters_open(RADIX, &b->node, &b->ages, &b->encounters));
    cni_node_chain_solve(&b->node, transit);
    assert_ok(cni_age_order_follow(&b->ages));
}

static void close_bench(bench *b)
{
    cni_encounters_close(&b->encounters);
    cni_age_order_close(&b->ages);
    cni_hop_model_close(&b->path);
    cni_node_chain_close(&b->node);
}

static void update(bench *b, int times)
{
    for (int i = 0; i < times; i++)
        cni_encounters_update(&b->encounters);
}

/* Each message is in all its pairs; the older one of a pair wins more often, and is forced out less. */
static void trips_are_of_all_messages(void **state)
{
    (void)state;
    bench b;
    cni_trip sum[CNI_AGE_ROLES] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    open_bench(0.2, 0.8, &b);
    for (size_t i = 0; i < CNI_AGE_ROLES * b.path.states; i++) {
        const cni_trip *trip = &b.ages.trips[i];
        sum[i / b.path.states].present += trip->present;
        sum[i / b.path.states].win += trip->win;
        sum[i / b.path.states].forced += trip->forced;
    }
    const cni_trip *older = &sum[CNI_AGE_OLDER], *younger = &sum[CNI_AGE_YOUNGER];
    double hops = b.node.load * b.node.accepted * b.ages.hops;
    assert_near((older->win + older->forced + younger->win + younger->forced) / hops, 1.0, 1e-9);
    assert_true(older->win / older->present > 1.1 * younger->win / younger->present);
    assert_true(older->forced / older->present < 0.9 * younger->forced / younger->present);
    close_bench(&b);
}

/* Both channels are alike: with them the places are mirrored, and what is wanted. */
static void channels_are_alike(void **state)
{
    (void)state;
    bench b;
    open_bench(0.5, 0.9, &b);
    update(&b, 4);
    for (size_t x = 0; x < SIDE; x++)
        for (size_t y = 0; y < SIDE; y++)
            for (size_t i = 0; i < WISHES * WISHES; i++) {
                double here = b.encounters.now[(x * SIDE + y) * WISHES * WISHES + i];
                double there = b.encounters.now[(y * SIDE + x + 1) * WISHES * WISHES - 1 - i];
                assert_true(here >= 0.0);
                assert_near(here, there, 1e-12);
            }
    close_bench(&b);
}

/* A node has as many pairs as the chain says. */
static void pairs_are_those_of_the_chain(void **state)
{
    (void)state;
    bench b;
    open_bench(0.5, 0.9, &b);
    double chain = b.node.pi[2] + 3.0 * b.node.pi[3], pairs = 0.0;
    update(&b, 30);
    for (size_t i = 0; i < WISHES * WISHES; i++)
        pairs += b.encounters.now[i];
    assert_near(pairs, chain, 1e-12);
    close_bench(&b);
}

static void check_value(void **state)
{
    (void)state;
    bench b;
    open_bench(0.5, 0.9, &b);
    update(&b, 60);
    assert_near(b.encounters.channels_meet, 0.503636586549, 1e-10);
    assert_near(b.encounters.common, 0.049168332891, 1e-10);
    close_bench(&b);
}

/* ---- the model ---- */

static cn_scenario *scenario_of(uint64_t k, double load, cn_topology **topology)
{
    cn_scenario *scenario;
    assert_int_equal(cn_topology_kary_ncube(k, 2, 0, topology), CN_OK);
    assert_int_equal(cn_scenario_new(*topology, "deflection", &scenario), CN_OK);
    cn_scenario_set(scenario, CN_PARAM_LOAD, load);
    cn_scenario_set(scenario, CN_PARAM_BUFFERS, 3.0);
    cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN);
    return scenario;
}

static double predicted(uint64_t k, double load, cn_metric metric)
{
    cn_topology *topology;
    cn_scenario *scenario = scenario_of(k, load, &topology);
    cn_result *result;
    assert_int_equal(cn_predict(scenario, NULL, &result), CN_OK);
    double value = value_of(result, metric);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return value;
}

/* Any load settles; nobody meets without load; with more load the delay is longer. */
static void all_loads_settle(void **state)
{
    (void)state;
    for (uint64_t k = 3; k <= 13; k += 5) {
        double distance = predicted(k, 0.0, CN_METRIC_MEAN_DISTANCE), before = 0.0;
        for (double load = 1e-290; load < 1e-12; load *= 1e130)
            assert_near(predicted(k, load, CN_METRIC_MEAN_DELAY), distance, 1e-9);
        for (double load = 1e-4; load < 1e6; load *= 100.0) {
            double delay = predicted(k, load, CN_METRIC_MEAN_DELAY);
            assert_true(delay > before);
            before = delay;
        }
    }
}

static void compare(uint64_t k, double share, uint64_t seed)
{
    static const cn_metric metrics[] = {CN_METRIC_MEAN_DELAY, CN_METRIC_THROUGHPUT};
    double distance = predicted(k, 0.0, CN_METRIC_MEAN_DISTANCE);
    cn_topology *topology;
    cn_scenario *scenario = scenario_of(k, share * 2.0 / distance, &topology);
    cn_result *model, *truth;
    cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 600.0);
    cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, floor(2e6 / (double)(k * k)));
    cn_scenario_set_seed(scenario, seed);
    assert_int_equal(cn_predict(scenario, NULL, &model), CN_OK);
    assert_int_equal(cn_simulate(scenario, NULL, &truth), CN_OK);
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        double found = value_of(model, metrics[i]), expected = value_of(truth, metrics[i]);
        if (!(fabs(found - expected) <= 0.02 * expected))
            print_error("k %lu share %g metric %zu: %g, simulated %g\n", (unsigned long)k, share, i,
                        found, expected);
        assert_true(fabs(found - expected) <= 0.02 * expected);
    }
    cn_result_free(&model);
    cn_result_free(&truth);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

/* From half of capacity to far above, where the model of single nodes was 3 % off. */
static void loads_as_simulated(void **state)
{
    (void)state;
    for (uint64_t k = 8; k <= 16; k += 4)
        for (double share = 0.5; share < 100.0; share *= 3.2)
            compare(k, share, k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trips_are_of_all_messages),
        cmocka_unit_test(channels_are_alike),
        cmocka_unit_test(pairs_are_those_of_the_chain),
        cmocka_unit_test(check_value),
        cmocka_unit_test(all_loads_settle),
        cmocka_unit_test(loads_as_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Who sends to whom: draws against probabilities, and what is refused. */
#include "scenario/traffic_cases.h"

#include <math.h>

#include "base/random.h"
#include "scenario/traffic/traffic.h"

/* ---- what holds for every traffic ---- */

static double share(const cn_traffic *traffic, uint64_t source, uint64_t destination)
{
    double p;
    assert_ok(cn_traffic_probability(traffic, source, destination, &p));
    assert_true(p >= 0.0 && p <= 1.0);
    return p;
}

static void check_sums(const cn_topology *topology, const cn_traffic *traffic)
{
    uint64_t nodes = cn_topology_node_count(topology), found = 0, senders;
    for (uint64_t s = 0; s < nodes; s++) {
        double sum = 0.0;
        for (uint64_t d = 0; d < nodes; d++)
            sum += share(traffic, s, d);
        assert_true(share(traffic, s, s) == 0.0);
        assert_near(sum, cni_traffic_sends(traffic, s) ? 1.0 : 0.0, 1e-13);
        found += (uint64_t)cni_traffic_sends(traffic, s);
    }
    assert_ok(cn_traffic_senders(traffic, &senders));
    assert_int_equal(senders, found);
    assert_true(senders > 0);
}

static void probabilities_sum_to_one(void **state)
{
    (void)state;
    for_every_traffic(check_sums);
}

/* Upper 1e-6 point of chi-square (Wilson and Hilferty): some thousand of them are looked at. */
static double chi_square_limit(double freedom)
{
    double spread = sqrt(2.0 / (9.0 * freedom));
    return freedom * pow(1.0 - 2.0 / (9.0 * freedom) + 4.753424 * spread, 3.0) + 6.0;
}

/* Destinations that expect fewer than 5 messages count as one cell. */
static void check_draws(const cn_topology *topology, const cn_traffic *traffic)
{
    enum { DRAWS = 4000, MOST_NODES = 128 };
    uint64_t nodes = cn_topology_node_count(topology);
    for (uint64_t s = 0; s < nodes; s += 1 + nodes / 6) {
        uint64_t seen[MOST_NODES] = {0};
        if (!cni_traffic_sends(traffic, s))
            continue;
        for (uint64_t i = 0; i < DRAWS; i++) {
            uint64_t d = cni_traffic_destination(traffic, s, cni_random_word(1000 + s, i));
            assert_true(d < nodes && d != s);
            seen[d]++;
        }
        double chi_square = 0.0, rare = 0.0, rare_seen = 0.0, cells = -1.0;
        for (uint64_t d = 0; d < nodes; d++) {
            double expected = DRAWS * share(traffic, s, d), off = (double)seen[d] - expected;
            if (expected == 0.0)
                assert_int_equal(seen[d], 0);
            if (expected < 5.0) {
                rare += expected;
                rare_seen += (double)seen[d];
            } else {
                chi_square += off * off / expected;
                cells += 1.0;
            }
        }
        assert_near(rare_seen, rare, 6.0 * sqrt(rare) + 6.0 * (rare > 0.0));
        if (cells > 0.0)
            assert_true(chi_square < chi_square_limit(cells));
    }
}

static void draws_follow_the_probabilities(void **state)
{
    (void)state;
    for_every_traffic(check_draws);
}

/* ---- one by one ---- */

static cn_topology *cube(uint32_t n)
{
    cn_topology *topology;
    assert_ok(cn_topology_hypercube(n, &topology));
    return topology;
}

static void a_hotspot_takes_its_share(void **state)
{
    (void)state;
    cn_topology *topology = cube(4);
    cn_traffic *traffic;
    assert_ok(cn_traffic_hotspot(topology, 5, 0.25, &traffic));
    assert_int_equal(cn_traffic_pattern(traffic), CN_PATTERN_HOTSPOT);
    assert_near(share(traffic, 0, 5), 0.25 + 0.75 / 15.0, 1e-15);
    assert_near(share(traffic, 0, 6), 0.75 / 15.0, 1e-15);
    assert_near(share(traffic, 5, 6), 1.0 / 15.0, 1e-15); /* from the hotspot itself */
    cn_traffic_free(&traffic);
    assert_null(traffic);
    cn_traffic_free(&traffic);
    cn_traffic_free(NULL);
    cn_topology_free(&topology);
}

/* A permutation each, all of 24 as likely over 9600 seeds (99.9 % of chi-square with 23 degrees),
 * the same for the same seed. */
static void permutations_are_uniform(void **state)
{
    (void)state;
    enum { SEEDS = 9600 };
    cn_topology *topology = cube(2);
    uint64_t seen[256] = {0}, silent = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        cn_traffic *traffic, *again;
        uint64_t code = 0, taken = 0;
        assert_ok(cn_traffic_permutation(topology, seed, &traffic));
        assert_ok(cn_traffic_permutation(topology, seed, &again));
        for (uint64_t s = 0; s < 4; s++) {
            uint64_t d = cni_traffic_destination(traffic, s, 0);
            assert_int_equal(cni_traffic_destination(again, s, 0), d);
            code = code * 4 + d;
            taken |= UINT64_C(1) << d;
            silent += !cni_traffic_sends(traffic, s);
        }
        assert_int_equal(taken, 15);
        seen[code]++;
        cn_traffic_free(&traffic);
        cn_traffic_free(&again);
    }
    double chi_square = 0.0;
    int kinds = 0;
    for (size_t c = 0; c < 256; c++)
        if (seen[c] > 0) {
            double off = (double)seen[c] - SEEDS / 24.0;
            chi_square += off * off / (SEEDS / 24.0);
            kinds++;
        }
    assert_int_equal(kinds, 24);
    assert_true(chi_square < 49.73);
    assert_near((double)silent / SEEDS, 1.0, 4.0 / sqrt(SEEDS)); /* one fixed point on average */
    cn_topology_free(&topology);
}

/* The arrays of the caller are copied, and so is the handle when it is attached. */
static void a_scenario_keeps_a_copy(void **state)
{
    (void)state;
    cn_topology *topology = cube(3);
    uint64_t destinations[8] = {1, 0, 3, 2, 5, 4, 7, 6};
    cn_traffic *traffic;
    cn_scenario *scenario;
    cn_result *result;
    double mean;
    assert_ok(cn_traffic_destinations(topology, destinations, 8, &traffic));
    destinations[0] = 7;
    assert_true(share(traffic, 0, 1) == 1.0);
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_BERNOULLI));
    cn_traffic_free(&traffic);
    cn_topology_free(&topology);
    assert_ok(cn_scenario_reset(scenario)); /* the traffic stays */
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 200.0));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_ok(cn_result_value(result, CN_METRIC_MEAN_DISTANCE, &mean));
    assert_true(mean == 1.0);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void a_scenario_checks_the_traffic(void **state)
{
    (void)state;
    cn_topology *topology = cube(4), *other = cube(5);
    cn_traffic *traffic;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_traffic_new(topology, CN_PATTERN_TRANSPOSE, &traffic));
    assert_ok(cn_scenario_new(other, "deflection", &scenario));
    assert_fails(cn_scenario_set_traffic(scenario, traffic), CN_ERR_ARGUMENT, "topology");
    assert_ok(cn_scenario_set_traffic(scenario, NULL));
    assert_fails(cn_scenario_set_traffic(NULL, traffic), CN_ERR_ARGUMENT, "scenario");
    cn_scenario_free(&scenario);
    assert_ok(cn_scenario_new(topology, "degraded-bound", &scenario));
    assert_fails(cn_scenario_set_traffic(scenario, traffic), CN_ERR_UNSUPPORTED,
                 "does not take traffic");
    assert_ok(cn_scenario_set_traffic(scenario, NULL));
    cn_scenario_free(&scenario);
    static const char *const systems[] = {"deflection", "shared-buffer"};
    for (size_t i = 0; i < 2; i++) {
        assert_ok(cn_scenario_new(topology, systems[i], &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5));
        assert_ok(cn_scenario_set_traffic(scenario, traffic));
        assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "uniform traffic");
        assert_ok(cn_scenario_set_traffic(scenario, NULL));
        assert_ok(cn_predict(scenario, NULL, &result));
        cn_result_free(&result);
        cn_traffic *uniform;
        assert_ok(cn_traffic_new(topology, CN_PATTERN_UNIFORM, &uniform));
        assert_ok(cn_traffic_set_source(uniform, CN_SOURCE_GEOMETRIC)); /* what the model has */
        assert_ok(cn_scenario_set_traffic(scenario, uniform));
        assert_ok(cn_predict(scenario, NULL, &result));
        cn_result_free(&result);
        assert_ok(cn_traffic_set_source(uniform, CN_SOURCE_POISSON));
        assert_ok(cn_scenario_set_traffic(scenario, uniform));
        assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, systems[i]);
        cn_traffic_free(&uniform);
        cn_scenario_free(&scenario);
    }
    cn_traffic_free(&traffic);
    cn_topology_free(&topology);
    cn_topology_free(&other);
}

/* ---- bad input ---- */

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *t = cube(2), *one, *large = cube(25), *wide = cube(13);
    cn_traffic *traffic;
    double weights[16] = {0.0, 1.0, 2.0, 3.0}, p;
    uint64_t destinations[4] = {0, 1, 2, 3}, senders;
    assert_ok(cn_topology_from_edges(1, NULL, 0, NULL, &one));
    assert_fails(cn_traffic_new(one, CN_PATTERN_UNIFORM, &traffic), CN_ERR_ARGUMENT, "single node");
    assert_fails(cn_traffic_permutation(one, 1, &traffic), CN_ERR_ARGUMENT, "single node");
    cn_topology_free(&one);

    assert_fails(cn_traffic_new(NULL, CN_PATTERN_UNIFORM, &traffic), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_traffic_new(t, CN_PATTERN_UNIFORM, NULL), CN_ERR_ARGUMENT, "traffic");
    assert_fails(cn_traffic_new(t, CN_PATTERN_MATRIX, &traffic), CN_ERR_ARGUMENT,
                 "pattern = 11 (matrix)");
    assert_fails(cn_traffic_new(t, (cn_pattern)99, &traffic), CN_ERR_ARGUMENT,
                 "pattern = 99, but there is no traffic pattern");

    assert_fails(cn_traffic_hotspot(t, 4, 0.5, &traffic), CN_ERR_ARGUMENT, "node = 4");
    assert_fails(cn_traffic_hotspot(t, 0, 1.5, &traffic), CN_ERR_ARGUMENT, "share = 1.5");
    assert_fails(cn_traffic_hotspot(t, 0, -0.1, &traffic), CN_ERR_ARGUMENT, "share");
    assert_fails(cn_traffic_hotspot(t, 0, NAN, &traffic), CN_ERR_ARGUMENT, "share");
    assert_fails(cn_traffic_permutation(large, 1, &traffic), CN_ERR_UNSUPPORTED, "at most");

    assert_fails(cn_traffic_destinations(t, destinations, 3, &traffic), CN_ERR_ARGUMENT,
                 "count = 3");
    assert_fails(cn_traffic_destinations(t, destinations, 4, &traffic), CN_ERR_ARGUMENT,
                 "no node would send");
    destinations[2] = 4;
    assert_fails(cn_traffic_destinations(t, destinations, 4, &traffic), CN_ERR_ARGUMENT,
                 "destinations[2] = 4");
    assert_fails(cn_traffic_destinations(t, NULL, 4, &traffic), CN_ERR_ARGUMENT, "NULL");

    assert_fails(cn_traffic_matrix(t, weights, 4, &traffic), CN_ERR_ARGUMENT, "count = 4");
    assert_fails(cn_traffic_matrix(wide, weights, 16, &traffic), CN_ERR_UNSUPPORTED, "4096");
    weights[6] = NAN;
    assert_fails(cn_traffic_matrix(t, weights, 16, &traffic), CN_ERR_ARGUMENT, "1 to 2");
    weights[6] = -1.0;
    assert_fails(cn_traffic_matrix(t, weights, 16, &traffic), CN_ERR_ARGUMENT, "1 to 2");
    weights[6] = INFINITY;
    assert_fails(cn_traffic_matrix(t, weights, 16, &traffic), CN_ERR_ARGUMENT, "1 to 2");
    weights[6] = 0.0;
    weights[5] = 1.0;
    assert_fails(cn_traffic_matrix(t, weights, 16, &traffic), CN_ERR_ARGUMENT, "to itself");
    static const double nothing[16];
    assert_fails(cn_traffic_matrix(t, nothing, 16, &traffic), CN_ERR_ARGUMENT,
                 "no node would send");
    assert_null(traffic);

    assert_ok(cn_traffic_new(t, CN_PATTERN_UNIFORM, &traffic));
    assert_fails(cn_traffic_set_source(traffic, CN_SOURCE_ON_OFF), CN_ERR_ARGUMENT,
                 "source = on-off");
    assert_fails(cn_traffic_set_source(traffic, (cn_source)-1), CN_ERR_ARGUMENT, "source = -1");
    assert_fails(cn_traffic_set_source(NULL, CN_SOURCE_POISSON), CN_ERR_ARGUMENT, "traffic");
    assert_fails(cn_traffic_set_on_off(traffic, 0.5, 2.0), CN_ERR_ARGUMENT, "mean_on = 0.5");
    assert_fails(cn_traffic_set_on_off(traffic, 2.0, NAN), CN_ERR_ARGUMENT, "mean_off");
    assert_fails(cn_traffic_set_on_off(traffic, INFINITY, 2.0), CN_ERR_ARGUMENT, "mean_on");
    assert_fails(cn_traffic_probability(traffic, 4, 0, &p), CN_ERR_ARGUMENT, "source = 4");
    assert_fails(cn_traffic_probability(traffic, 0, 4, &p), CN_ERR_ARGUMENT, "destination = 4");
    assert_fails(cn_traffic_probability(traffic, 0, 1, NULL), CN_ERR_ARGUMENT, "probability");
    assert_fails(cn_traffic_senders(NULL, &senders), CN_ERR_ARGUMENT, "traffic");
    assert_int_equal(cn_traffic_source(traffic), CN_SOURCE_OF_SYSTEM); /* as it was */
    cn_traffic_free(&traffic);
    assert_int_equal(cn_traffic_pattern(NULL), CN_PATTERN_UNIFORM);
    assert_int_equal(cn_traffic_source(NULL), CN_SOURCE_OF_SYSTEM);
    cn_topology_free(&t);
    cn_topology_free(&large);
    cn_topology_free(&wide);
}

static cn_status make_all(void *context)
{
    static const double weights[16] = {0.0, 1.0, 2.0, 3.0};
    static const uint64_t list[4] = {3, 2, 1, 0};
    const char *system = context;
    cn_topology *t = NULL;
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    cn_traffic *traffic[5] = {NULL};
    cn_status status = cn_topology_hypercube(2, &t);
    if (status == CN_OK)
        status = cn_traffic_new(t, CN_PATTERN_TRANSPOSE, &traffic[0]);
    if (status == CN_OK)
        status = cn_traffic_permutation(t, 1, &traffic[1]);
    if (status == CN_OK)
        status = cn_traffic_destinations(t, list, 4, &traffic[2]);
    if (status == CN_OK)
        status = cn_traffic_hotspot(t, 1, 0.5, &traffic[3]);
    if (status == CN_OK)
        status = cn_traffic_matrix(t, weights, 16, &traffic[4]);
    if (status == CN_OK)
        status = cn_traffic_set_on_off(traffic[4], 2.0, 2.0);
    if (status == CN_OK)
        status = cn_scenario_new(t, system, &scenario);
    if (status == CN_OK)
        status = cn_scenario_set_traffic(scenario, traffic[4]);
    if (status == CN_OK)
        status = cn_sim_open(scenario, NULL, &sim);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    for (size_t i = 0; i < 5; i++)
        cn_traffic_free(&traffic[i]);
    cn_topology_free(&t);
    return status;
}

static void no_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    support_fail_every_allocation(make_all, "deflection");
    support_fail_every_allocation(make_all, "shared-buffer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_sum_to_one),
        cmocka_unit_test(draws_follow_the_probabilities),
        cmocka_unit_test(a_hotspot_takes_its_share),
        cmocka_unit_test(permutations_are_uniform),
        cmocka_unit_test(a_scenario_keeps_a_copy),
        cmocka_unit_test(a_scenario_checks_the_traffic),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(no_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

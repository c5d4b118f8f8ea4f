#include "support/support.h"

#include "cubenet/experimental/study.h"

#include <math.h>

static cn_study *study_of(uint32_t n, uint64_t patterns)
{
    cn_topology *cube;
    cn_study *study;
    assert_ok(cn_topology_hypercube(n, &cube));
    assert_ok(cn_study_new(cube, &study));
    assert_ok(cn_study_set(study, CN_STUDY_PATTERNS, (double)patterns));
    cn_topology_free(&cube);
    return study;
}

static cn_result *run(const cn_study *study)
{
    cn_result *result;
    assert_ok(cn_study_run(study, NULL, &result));
    return result;
}

static uint64_t samples_of(const cn_result *result, cn_metric metric)
{
    uint64_t samples;
    assert_ok(cn_result_samples(result, metric, &samples));
    return samples;
}

/* Mean, half-width and number of patterns by a plain loop over the building blocks. */
static void aggregates_are_those_of_a_loop(void **state)
{
    (void)state;
    enum { PATTERNS = 700 }; /* more than a block */
    static double x[PATTERNS];
    cn_study *study = study_of(5, PATTERNS);
    double sum = 0, squares = 0, hits = 0;
    int count = 0, with_survivors = 0;
    assert_ok(cn_study_set(study, CN_STUDY_NODE_PROBABILITY, 0.45));
    assert_ok(cn_study_set(study, CN_STUDY_LINK_PROBABILITY, 0.05));
    assert_ok(cn_study_set(study, CN_STUDY_K, 2));
    assert_ok(cn_study_set(study, CN_STUDY_LINK_RULE, CN_LINK_IS_BAD));
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_DEGRADED));
    for (uint64_t i = 0; i < PATTERNS; i++) {
        cn_faults *faults;
        cn_subnet *subnet;
        assert_ok(cn_study_pattern(study, i, &faults));
        assert_ok(cn_subnet_degraded(faults, 2, CN_LINK_IS_BAD, NULL, &subnet));
        with_survivors += cn_subnet_survivor_count(subnet) > 0;
        if (cn_faults_node_count(faults) < 32) {
            x[count] = (double)cn_subnet_survivor_count(subnet) /
                       (double)(32 - cn_faults_node_count(faults));
            sum += x[count++];
        }
        hits += cn_subnet_survivor_count(subnet) == 0;
        cn_subnet_free(&subnet);
        cn_faults_free(&faults);
    }
    for (int i = 0; i < count; i++)
        squares += pow(x[i] - sum / count, 2);
    cn_result *result = run(study);
    assert_near(value_of(result, CN_METRIC_SURVIVORS_OF_WORKING), sum / count, 1e-12);
    assert_near(half_width_of(result, CN_METRIC_SURVIVORS_OF_WORKING),
                1.963374 * sqrt(squares / (count - 1) / count), 1e-6);
    assert_int_equal(samples_of(result, CN_METRIC_SURVIVORS_OF_WORKING), count);
    assert_near(value_of(result, CN_METRIC_EMPTY_FRACTION), hits / PATTERNS, 1e-12);
    assert_int_equal(samples_of(result, CN_METRIC_EMPTY_FRACTION), PATTERNS);
    assert_int_equal(samples_of(result, CN_METRIC_CONNECTED_FRACTION), with_survivors);
    assert_true(with_survivors < PATTERNS && with_survivors > 0);
    cn_result_free(&result);
    cn_study_free(&study);
}

static cn_study *busy_study(void)
{
    cn_study *study = study_of(4, 600);
    cn_topology *cube;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_scenario_new(cube, "flow-deviation", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 1));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 1e-2));
    assert_ok(cn_study_set_scenario(study, scenario, 0));
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_NODES, 2));
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_CENTERS, 1));
    assert_ok(cn_study_set(study, CN_STUDY_NODE_PROBABILITY, 0.1));
    assert_ok(cn_study_set(study, CN_STUDY_LINK_PROBABILITY, 0.02));
    assert_ok(cn_study_set(study, CN_STUDY_TIE_RULE, CN_TIE_HEADER));
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CLUSTERS));
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    return study;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    cn_study *study = busy_study();
    cn_result *one = run(study);
    assert_true(value_of(one, CN_METRIC_SATURATED_FRACTION) > 0);
    assert_true(value_of(one, CN_METRIC_MEAN_DELAY) > value_of(one, CN_METRIC_MEAN_DISTANCE));
    assert_true(half_width_of(one, CN_METRIC_MEAN_DELAY) > 0);
    assert_true(samples_of(one, CN_METRIC_SATURATED_FRACTION) < 600); /* some are cut in two */
    for (uint32_t threads = 2; threads <= 5; threads++) {
        assert_ok(cn_study_set(study, CN_STUDY_THREADS, threads));
        cn_result *more = run(study);
        assert_same_result(one, more);
        cn_result_free(&more);
    }
    cn_result_free(&one);
    cn_study_free(&study);
}

/* The pattern that is reported is the first that fails, on any number of threads. */
static void failures_are_told(void **state)
{
    (void)state;
    cn_study *study = study_of(4, 600);
    cn_result *result;
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_NODES, 9));
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_CENTERS, 1));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 8));
    for (uint32_t threads = 1; threads <= 3; threads++) {
        assert_ok(cn_study_set(study, CN_STUDY_THREADS, threads));
        assert_fails(cn_study_run(study, NULL, &result), CN_ERR_ARGUMENT, "only 7 working nodes");
        assert_null(result);
    }
    assert_fails(cn_study_run(NULL, NULL, &result), CN_ERR_ARGUMENT, "study");
    assert_fails(cn_study_run(study, NULL, NULL), CN_ERR_ARGUMENT, "result");
    cn_study_free(&study);
}

static void assert_about(const cn_result *result, cn_metric metric, double expected,
                         double rounding)
{
    assert_near(value_of(result, metric), expected, half_width_of(result, metric) + rounding);
}

/* Shares of survivors, as computed by others: in the equations with one digit, whence the
 * rounding. */
static void survivors_are_as_many_as_expected(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double p, degraded, convex;
    } expected[] = {
        {6, 0.01, 0.9865, 0.9894}, {6, 0.05, 0.706, 0.935}, {6, 0.10, 0.226, 0.851},
        {8, 0.01, 0.945, 0.989},   {8, 0.05, 0.035, 0.917}, {8, 0.10, 0, 0.763},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        cn_study *study = study_of(expected[i].n, 2000);
        assert_ok(cn_study_set(study, CN_STUDY_NODE_PROBABILITY, expected[i].p));
        assert_ok(cn_study_set(study, CN_STUDY_PATHS, 0));
        assert_ok(cn_study_set(study, CN_STUDY_K, 1));
        assert_ok(cn_study_set(study, CN_STUDY_LINK_RULE, CN_LINK_IS_BAD));
        assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_DEGRADED));
        cn_result *degraded = run(study);
        assert_int_equal(cn_result_has(degraded, CN_METRIC_MEAN_DISTANCE), 0);
        assert_about(degraded, CN_METRIC_SURVIVOR_FRACTION, expected[i].degraded, 0.001);
        assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CONVEX));
        cn_result *convex = run(study);
        assert_about(convex, CN_METRIC_SURVIVOR_FRACTION, expected[i].convex, 0.005);
        assert_about(convex, CN_METRIC_WORKING_FRACTION, 1 - expected[i].p, 0);
        assert_near(value_of(convex, CN_METRIC_CONNECTED_FRACTION), 1, 0);
        cn_result_free(&convex);
        cn_result_free(&degraded);
        cn_study_free(&study);
    }
}

/* Mean clusters and path lengths of the 6-cube. */
static void clusters_and_paths_are_as_expected(void **state)
{
    (void)state;
    static const struct {
        uint64_t faults;
        double clusters;
    } expected[] = {{2, 1.238}, {4, 2.143}, {8, 3.885}, {16, 6.38}};
    for (size_t i = 0; i < 4; i++) {
        cn_study *study = study_of(6, 10000);
        assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, (double)expected[i].faults));
        assert_ok(cn_study_set(study, CN_STUDY_PATHS, 0));
        assert_ok(cn_study_set(study, CN_STUDY_TIE_RULE, CN_TIE_HEADER));
        assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CLUSTERS));
        cn_result *result = run(study);
        assert_about(result, CN_METRIC_CLUSTERS, expected[i].clusters, 0.03);
        assert_near(value_of(result, CN_METRIC_SURVIVORS_OF_WORKING), 1, 0);
        assert_near(half_width_of(result, CN_METRIC_SURVIVORS_OF_WORKING), 0, 0);
        cn_result_free(&result);
        if (expected[i].faults == 8) {
            assert_ok(cn_study_set(study, CN_STUDY_PATHS, 1));
            assert_ok(cn_study_set(study, CN_STUDY_PATTERNS, 300));
            result = run(study);
            assert_about(result, CN_METRIC_MEAN_DISTANCE, 3.057, 0.0005);
            assert_about(result, CN_METRIC_MEAN_HOPS, 3.0635, 0.001);
            cn_result_free(&result);
        }
        cn_study_free(&study);
    }
}

/* Separate buffers by a routing, in continuous time, on the 4-cube. */
static cn_scenario *routed(const char *routing, double load)
{
    cn_scenario *scenario = cube_scenario("separate-buffers", 4, load);
    assert_ok(cn_scenario_set_routing_name(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0));
    return scenario;
}

static cn_study *carrying(const char *routing, uint64_t patterns, double load, int simulate)
{
    cn_study *study = study_of(4, patterns);
    cn_scenario *scenario = routed(routing, load);
    if (simulate) {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 200));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 2000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, 4)); /* does not matter */
    }
    assert_ok(cn_study_set_scenario(study, scenario, simulate));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 3));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_LINKS, 1));
    cn_scenario_free(&scenario);
    return study;
}

/* The delay of each pattern by its own scenario, one after the other. */
static double mean_delay(const cn_study *study, const char *routing, uint64_t patterns, double load,
                         uint64_t *carried)
{
    double sum = 0;
    *carried = 0;
    cn_scenario *scenario = routed(routing, load);
    for (uint64_t i = 0; i < patterns; i++) {
        cn_faults *faults;
        cn_result *result;
        assert_ok(cn_study_pattern(study, i, &faults));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        if (cn_predict(scenario, NULL, &result) == CN_OK) {
            sum += value_of(result, CN_METRIC_MEAN_DELAY);
            ++*carried;
        }
        cn_result_free(&result);
        cn_faults_free(&faults);
    }
    cn_scenario_free(&scenario);
    return sum / (double)*carried;
}

/* Predictions are those of a loop; the convex subnet is the one that the system would make itself.
 * Simulations agree, for any number of threads. */
static void delays_are_those_of_the_systems(void **state)
{
    (void)state;
    enum { PATTERNS = 40 };
    for (int clusters = 0; clusters < 2; clusters++) {
        const char *routing = clusters ? "two-level" : "optimal-path";
        uint64_t carried;
        cn_result *results[4];
        cn_study *model = carrying(routing, PATTERNS, 0.5, 0);
        cn_study *simulation = carrying(routing, PATTERNS, 0.5, 1);
        cn_study *both[] = {model, simulation};
        for (int i = 0; i < 2; i++)
            assert_ok(
                cn_study_set(both[i], CN_STUDY_KEEP, clusters ? CN_KEEP_CLUSTERS : CN_KEEP_CONVEX));
        results[0] = run(model);
        assert_near(value_of(results[0], CN_METRIC_MEAN_DELAY),
                    mean_delay(model, routing, PATTERNS, 0.5, &carried), 1e-12);
        assert_int_equal(samples_of(results[0], CN_METRIC_MEAN_DELAY), carried);
        assert_near(value_of(results[0], CN_METRIC_OFFERED_LOAD), 0.5, 1e-12);
        assert_near(value_of(results[0], CN_METRIC_SATURATED_FRACTION),
                    1 - (double)carried / PATTERNS, 1e-12);
        assert_string_equal(cn_result_system(results[0]), "separate-buffers");
        results[1] = run(simulation);
        assert_int_equal(cn_result_stop(results[1]), CN_STOP_CYCLES);
        /* the same patterns, so that only the noise of the runs is between the two */
        assert_near(value_of(results[1], CN_METRIC_MEAN_DELAY),
                    value_of(results[0], CN_METRIC_MEAN_DELAY), 0.03);
        assert_ok(cn_study_set(simulation, CN_STUDY_THREADS, 3));
        results[2] = run(simulation);
        assert_same_result(results[1], results[2]);
        assert_ok(cn_study_set_seed(simulation, 2));
        results[3] = run(simulation);
        assert_true(value_of(results[3], CN_METRIC_MEAN_DELAY) !=
                    value_of(results[1], CN_METRIC_MEAN_DELAY));
        for (int i = 0; i < 4; i++)
            cn_result_free(&results[i]);
        cn_study_free(&simulation);
        cn_study_free(&model);
    }
}

/* Runs of 200 cycles have too few batches to tell anything; a model has nothing to settle. */
static void short_runs_are_counted_apart(void **state)
{
    (void)state;
    for (int simulate = 0; simulate < 2; simulate++) {
        cn_study *study = study_of(4, 20);
        cn_scenario *scenario = routed("optimal-path", 0.5);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 200));
        assert_ok(cn_study_set_scenario(study, scenario, simulate));
        assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CONVEX));
        assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 1));
        cn_result *result = run(study);
        assert_int_equal(cn_result_is_settled(result), !simulate);
        assert_int_equal(cn_result_has(result, CN_METRIC_UNSETTLED_FRACTION), simulate);
        if (simulate)
            assert_near(value_of(result, CN_METRIC_UNSETTLED_FRACTION), 1, 0);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
        cn_study_free(&study);
    }
}

static void subnets_must_suit_the_system(void **state)
{
    (void)state;
    cn_result *result;
    cn_study *study = carrying("optimal-path", 40, 0.5, 0);
    assert_fails(cn_study_run(study, NULL, &result), CN_ERR_ARGUMENT, "keep a convex one");
    assert_ok(cn_study_set(study, CN_STUDY_K, 3));
    assert_ok(cn_study_set(study, CN_STUDY_LINK_RULE, CN_LINK_IS_BAD));
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_DEGRADED));
    assert_fails(cn_study_run(study, NULL, &result), CN_ERR_ARGUMENT, "must be convex");
    assert_ok(cn_study_set(study, CN_STUDY_K, 1));
    assert_ok(cn_study_set(study, CN_STUDY_LINK_RULE, CN_LINK_DISABLES_END));
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_DEGRADED));
    assert_ok(cn_study_run(study, NULL, &result));
    cn_result_free(&result);
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_MINIMAL));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 3));
    assert_ok(cn_study_run(study, NULL, &result));
    cn_result_free(&result);
    cn_study_free(&study);
}

/* Worms take no subnet, but its routing. */
static void worms_go_by_the_subnet(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_scenario *worms;
    cn_study *study;
    cn_result *result;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_scenario_new(cube, "wormhole", &worms));
    assert_ok(cn_scenario_set_routing_name(worms, "optimal-path"));
    assert_ok(cn_scenario_set(worms, CN_PARAM_LOAD, 0.001));
    assert_ok(cn_scenario_set(worms, CN_PARAM_UNSAFE, 1));
    assert_ok(cn_scenario_set(worms, CN_PARAM_MEASURE_CYCLES, 2000));
    assert_ok(cn_study_new(cube, &study));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 2));
    assert_ok(cn_study_set(study, CN_STUDY_PATTERNS, 3));
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CONVEX));
    assert_ok(cn_study_set_scenario(study, worms, 1));
    assert_ok(cn_study_run(study, NULL, &result));
    assert_true(cn_result_has(result, CN_METRIC_THROUGHPUT));
    cn_result_free(&result);
    cn_study_free(&study);
    cn_scenario_free(&worms);
    cn_topology_free(&cube);
}

/* Distances are those of the damaged network, or not in the result. */
static void distances_of_the_system_are_not_taken(void **state)
{
    (void)state;
    cn_study *study = carrying("two-level", 5, 0.2, 0);
    assert_ok(cn_study_set(study, CN_STUDY_PATHS, 0));
    assert_ok(cn_study_set(study, CN_STUDY_TIE_RULE, CN_TIE_ANY));
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CLUSTERS));
    cn_result *result = run(study);
    assert_int_equal(cn_result_has(result, CN_METRIC_MEAN_DISTANCE), 0);
    assert_int_equal(cn_result_has(result, CN_METRIC_MEAN_HOPS), 1); /* its own */
    cn_result_free(&result);
    cn_study_free(&study);
}

/* A cluster costs the convex subnet less than as many faults apart. */
static void clustered_faults_cost_less(void **state)
{
    (void)state;
    cn_study *study = study_of(7, 300);
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CONVEX));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 12));
    cn_result *apart = run(study);
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 0));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_LINKS, 0));
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_NODES, 12));
    assert_ok(cn_study_set(study, CN_STUDY_GROWN_CENTERS, 1));
    cn_result *together = run(study);
    assert_near(value_of(together, CN_METRIC_WORKING_FRACTION), 116 / 128.0, 1e-12);
    assert_true(value_of(together, CN_METRIC_SURVIVORS_OF_WORKING) -
                    half_width_of(together, CN_METRIC_SURVIVORS_OF_WORKING) >
                value_of(apart, CN_METRIC_SURVIVORS_OF_WORKING));
    cn_result_free(&together);
    cn_result_free(&apart);
    cn_study_free(&study);
}

static void nothing_left_is_no_error(void **state)
{
    (void)state;
    cn_study *study = busy_study();
    assert_ok(cn_study_set(study, CN_STUDY_NODE_PROBABILITY, 1));
    assert_ok(cn_study_set(study, CN_STUDY_LINK_PROBABILITY, 1));
    cn_result *result = run(study);
    assert_near(value_of(result, CN_METRIC_EMPTY_FRACTION), 1, 0);
    assert_near(half_width_of(result, CN_METRIC_EMPTY_FRACTION), 0.0063619, 1e-6);
    assert_near(value_of(result, CN_METRIC_SURVIVOR_FRACTION), 0, 0);
    static const cn_metric absent[] = {
        CN_METRIC_SURVIVORS_OF_WORKING, CN_METRIC_CONNECTED_FRACTION, CN_METRIC_REACHABLE_FRACTION,
        CN_METRIC_MEAN_DISTANCE,        CN_METRIC_MEAN_HOPS,          CN_METRIC_MEAN_DELAY,
        CN_METRIC_SATURATED_FRACTION,
    };
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        assert_int_equal(cn_result_has(result, absent[i]), 0);
    assert_int_equal(cn_result_is_saturated(result), 0);
    cn_result_free(&result);
    cn_study_free(&study);
}

static void one_pattern_tells_no_spread(void **state)
{
    (void)state;
    cn_study *study = study_of(3, 1);
    cn_result *result = run(study);
    assert_near(value_of(result, CN_METRIC_MEAN_DISTANCE), 12 / 7.0, 1e-12);
    assert_true(isinf(half_width_of(result, CN_METRIC_MEAN_DISTANCE)));
    cn_result_free(&result);
    cn_study_free(&study);
}

static cn_status pipeline(void *context)
{
    cn_topology *cube = NULL;
    cn_study *study = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    cn_status status = cn_topology_hypercube(3, &cube);
    if (status == CN_OK)
        status = cn_study_new(cube, &study);
    if (status == CN_OK)
        status = cn_scenario_new(cube, "flow-deviation", &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, 0);
    if (status == CN_OK)
        status = cn_study_set_scenario(study, scenario, 0);
    if (status == CN_OK)
        status =
            cn_study_set(study, CN_STUDY_KEEP, *(int *)context ? CN_KEEP_CLUSTERS : CN_KEEP_CONVEX);
    if (status == CN_OK)
        status = cn_study_set(study, CN_STUDY_GROWN_NODES, 2);
    if (status == CN_OK)
        status = cn_study_set(study, CN_STUDY_RANDOM_LINKS, 1);
    if (status == CN_OK)
        status = cn_study_set(study, CN_STUDY_PATTERNS, 2);
    if (status == CN_OK)
        status = cn_study_set(study, CN_STUDY_THREADS, 2);
    if (status == CN_OK)
        status = cn_study_run(study, NULL, &result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_study_free(&study);
    cn_topology_free(&cube);
    return status;
}

static void out_of_memory_unwinds(void **state)
{
    (void)state;
    for (int clusters = 0; clusters < 2; clusters++)
        support_fail_every_allocation(pipeline, &clusters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aggregates_are_those_of_a_loop),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(survivors_are_as_many_as_expected),
        cmocka_unit_test(clusters_and_paths_are_as_expected),
        cmocka_unit_test(delays_are_those_of_the_systems),
        cmocka_unit_test(short_runs_are_counted_apart),
        cmocka_unit_test(subnets_must_suit_the_system),
        cmocka_unit_test(worms_go_by_the_subnet),
        cmocka_unit_test(distances_of_the_system_are_not_taken),
        cmocka_unit_test(clustered_faults_cost_less),
        cmocka_unit_test(nothing_left_is_no_error),
        cmocka_unit_test(one_pattern_tells_no_spread),
        cmocka_unit_test(out_of_memory_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/support.h"

#include <math.h>

static const char *const systems[] = {"optimal-path", "two-level"};

static cn_faults *figure_5_1(const cn_topology *cube)
{
    cn_faults *faults;
    assert_ok(
        cn_faults_parse(cube, "node 0010\nnode 0011\nnode 0100\nnode 0111\nnode 1001\n", &faults));
    return faults;
}

/* A scenario of one of the systems on the n-cube; the faults, which may be NULL, are given up. */
static cn_scenario *damaged(const char *system, uint32_t n, double load, const char *faults)
{
    cn_scenario *scenario = cube_scenario(system, n, load);
    cn_topology *cube;
    cn_faults *set;
    if (faults == NULL)
        return scenario;
    assert_ok(cn_topology_hypercube(n, &cube));
    assert_ok(cn_faults_parse(cube, faults, &set));
    assert_ok(cn_scenario_set_faults(scenario, set));
    cn_faults_free(&set);
    cn_topology_free(&cube);
    return scenario;
}

static double metric_of(const cn_scenario *scenario, cn_metric metric)
{
    cn_result *result;
    assert_ok(cn_predict(scenario, &result));
    double value = value_of(result, metric);
    cn_result_free(&result);
    return value;
}

/* T = d / (1 - load d / n). */
static void an_undamaged_cube_has_a_closed_form(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (uint32_t n = 1; n <= 9; n++)
            for (double load = 0.0; load < 1.9; load += 0.45) {
                double nodes = ldexp(1.0, (int)n), d = n * nodes / 2.0 / (nodes - 1.0);
                cn_scenario *scenario = cube_scenario(systems[s], n, load);
                if (load * d < n)
                    assert_near(metric_of(scenario, CN_METRIC_MEAN_DELAY) * (1.0 - load * d / n), d,
                                1e-11);
                cn_scenario_free(&scenario);
            }
}

/* 2 (N-1) / N is a number without rounding; the flows that are summed up to it are not. */
static void an_undamaged_cube_is_full_at_its_limit(void **state)
{
    (void)state;
    cn_result *result;
    for (size_t s = 0; s < 2; s++)
        for (uint32_t n = 1; n <= 10; n++) {
            double limit = 2.0 - ldexp(2.0, -(int)n);
            cn_scenario *scenario = cube_scenario(systems[s], n, limit);
            assert_fails(cn_predict(scenario, &result), CN_ERR_UNSTABLE, "only below");
            assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, limit * (1.0 - 1e-9)));
            assert_true(metric_of(scenario, CN_METRIC_MEAN_DELAY) > 1e8);
            cn_scenario_free(&scenario);
        }
}

/*
 * A ring of four with the node 3 dead is a path 1 - 0 - 2. Flows at load 1: 1 and 2 each send one message
 * inwards; 0 sends half of its own outwards, and half of each end's passes. All four channels carry 1.
 */
static void a_path_by_hand(void **state)
{
    (void)state;
    for (double load = 0.0; load < 1.0; load += 0.3) {
        cn_scenario *scenario = damaged("two-level", 2, load, "node 11\n");
        assert_near(metric_of(scenario, CN_METRIC_MEAN_DELAY), 4.0 / 3.0 / (1.0 - load), 1e-12);
        assert_near(metric_of(scenario, CN_METRIC_MEAN_HOPS), 4.0 / 3.0, 1e-12);
        assert_near(metric_of(scenario, CN_METRIC_CHANNEL_UTILIZATION), load, 1e-12);
        assert_near(metric_of(scenario, CN_METRIC_SURVIVOR_FRACTION), 0.75, 0.0);
        cn_scenario_free(&scenario);
    }
}

/* Never below the least delay of any routing, on the same network. */
static void never_better_than_flow_deviation(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint32_t n = 4 + (uint32_t)(seed % 3);
        cn_topology *cube;
        cn_faults *faults;
        cn_scenario *scenario;
        cn_result *result;
        double least, load = 0.2 + 0.05 * (double)seed;
        assert_ok(cn_topology_hypercube(n, &cube));
        assert_ok(cn_faults_new(cube, &faults));
        assert_ok(cn_faults_add_random_nodes(faults, 1 + seed % 4, seed));
        assert_ok(cn_scenario_new(cube, "two-level", &scenario));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
        assert_ok(cn_predict(scenario, &result));
        assert_ok(cn_flow_deviation(cube, faults, NULL, 0, load, 1e-6, &least, NULL, NULL, 0));
        double delay = value_of(result, CN_METRIC_MEAN_DELAY);
        assert_true(delay > least * (1.0 - 1e-6) && delay < 2.0 * least);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

/* Figure 5.1: least delays by flow deviation, independently computed, and what the rules come to. The
 * damaged network carries 5/6 by the best routing and 4/5 by two levels; its convex subnet 8/9. */
static void figure_5_1_has_these_delays(void **state)
{
    (void)state;
    static const struct {
        size_t system;
        double load, least;
    } cases[] = {{1, 0.1, 2.525924}, {1, 0.2, 2.817304}, {1, 0.4, 3.685011}, {1, 0.6, 5.483675},
                 {0, 0.2, 2.566730}, {0, 0.4, 3.290043}, {0, 0.8, 9.583333}};
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(4, &cube));
    cn_faults *faults = figure_5_1(cube);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_scenario *scenario;
        assert_ok(cn_scenario_new(cube, systems[cases[i].system], &scenario));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, cases[i].load));
        double delay = metric_of(scenario, CN_METRIC_MEAN_DELAY);
        assert_true(delay > cases[i].least && delay < 1.11 * cases[i].least);
        double hops = metric_of(scenario, CN_METRIC_MEAN_HOPS);
        assert_near(hops, cases[i].system == 1 ? 126.0 / 55.0 : 19.0 / 9.0, 1e-12);
        cn_scenario_free(&scenario);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void metrics_fit_together(void **state)
{
    (void)state;
    cn_scenario *scenario = damaged("optimal-path", 4, 0.4, "node 0000\n");
    double delay = metric_of(scenario, CN_METRIC_MEAN_DELAY);
    double hops = metric_of(scenario, CN_METRIC_MEAN_HOPS);
    double rho = metric_of(scenario, CN_METRIC_CHANNEL_UTILIZATION);
    assert_near(metric_of(scenario, CN_METRIC_THROUGHPUT), 0.4, 0.0);
    assert_near(metric_of(scenario, CN_METRIC_OFFERED_LOAD), 0.4, 0.0);
    assert_near(metric_of(scenario, CN_METRIC_NETWORK_THROUGHPUT), 6.0, 1e-12);
    assert_near(metric_of(scenario, CN_METRIC_ACCEPTANCE_PROBABILITY), 1.0, 0.0);
    assert_near(metric_of(scenario, CN_METRIC_MEAN_QUEUE_LENGTH), 0.4 * delay, 1e-12);
    assert_near(metric_of(scenario, CN_METRIC_MEAN_DISTANCE), hops, 1e-12);
    assert_near(rho, 6.0 * hops / 56.0, 1e-12); /* 28 links are left */
    assert_near(metric_of(scenario, CN_METRIC_TRANSIT_PROBABILITY), rho * (1.0 - 1.0 / hops),
                1e-12);
    assert_near(metric_of(scenario, CN_METRIC_POWER), 6.0 / delay, 1e-12);
    assert_near(metric_of(scenario, CN_METRIC_SURVIVOR_FRACTION), 15.0 / 16.0, 0.0);
    assert_near(metric_of(scenario, CN_METRIC_REACHABLE_FRACTION), 1.0, 0.0);
    cn_scenario_free(&scenario);
}

static void what_has_no_model_is_refused(void **state)
{
    (void)state;
    cn_result *result;
    static const char figure[] = "node 0010\nnode 0011\nnode 0100\nnode 0111\nnode 1001\n";
    cn_scenario *scenario = damaged("two-level", 4, 0.8, figure);
    assert_fails(cn_predict(scenario, &result), CN_ERR_UNSTABLE, "only below 0.8,");
    assert_null(result);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 1));
    assert_fails(cn_predict(scenario, &result), CN_ERR_UNSUPPORTED, "slotted = yes");
    cn_scenario_free(&scenario);
    scenario = damaged("optimal-path", 4, 1.0, figure);
    assert_fails(cn_predict(scenario, &result), CN_ERR_UNSTABLE, "only below 0.888888889,");
    cn_scenario_free(&scenario);
    scenario = damaged("optimal-path", 1, 0.1, "node 1\n");
    assert_fails(cn_predict(scenario, &result), CN_ERR_DISCONNECTED, "survivors = 1");
    cn_scenario_free(&scenario);
    scenario = damaged("two-level", 2, 0.1, "node 01\nnode 10\n");
    assert_fails(cn_predict(scenario, &result), CN_ERR_DISCONNECTED, "node 3 to node 0");
    cn_scenario_free(&scenario);
}

static cn_status predict_once(void *context)
{
    cn_topology *cube = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    cn_status status = cn_topology_hypercube(3, &cube);
    if (status == CN_OK)
        status = cn_scenario_new(cube, context, &scenario);
    if (status == CN_OK)
        status = cn_predict(scenario, &result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    char first[] = "optimal-path", second[] = "two-level";
    support_fail_every_allocation(predict_once, first);
    support_fail_every_allocation(predict_once, second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_undamaged_cube_has_a_closed_form),
        cmocka_unit_test(an_undamaged_cube_is_full_at_its_limit),
        cmocka_unit_test(a_path_by_hand),
        cmocka_unit_test(never_better_than_flow_deviation),
        cmocka_unit_test(figure_5_1_has_these_delays),
        cmocka_unit_test(metrics_fit_together),
        cmocka_unit_test(what_has_no_model_is_refused),
        cmocka_unit_test(every_failed_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

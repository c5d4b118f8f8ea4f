/* The model of continuous time. */
#include "plain_queues.h"

#include <math.h>

#include "queueing/store_forward/unlimited_model.h"
#include "support/networks.h"
#include "support/faults.h"

static const char *const routings[] = {"optimal-path", "two-level"};

static cn_faults *figure_5_1(const cn_topology *cube)
{
    cn_faults *faults;
    assert_ok(
        support_faults(cube, "node 0010\nnode 0011\nnode 0100\nnode 0111\nnode 1001\n", &faults));
    return faults;
}

static cn_scenario *routed(const cn_topology *t, double load, const char *routing)
{
    cn_scenario *scenario = stored_scenario(t, load, 0);
    assert_ok(cn_scenario_set_routing_name(scenario, routing));
    return scenario;
}

static cn_scenario *undamaged(const char *routing, uint32_t n, double load)
{
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(n, &cube));
    cn_scenario *scenario = routed(cube, load, routing);
    cn_topology_free(&cube);
    return scenario;
}

static cn_scenario *damaged(const char *routing, uint32_t n, double load, const char *faults)
{
    cn_topology *cube;
    cn_faults *set;
    cn_scenario *scenario = undamaged(routing, n, load);
    assert_ok(cn_topology_hypercube(n, &cube));
    assert_ok(support_faults(cube, faults, &set));
    assert_ok(cn_scenario_set_faults(scenario, set));
    cn_faults_free(&set);
    cn_topology_free(&cube);
    return scenario;
}

static double metric_of(const cn_scenario *scenario, cn_metric metric)
{
    cn_result *result;
    assert_ok(cn_predict(scenario, NULL, &result));
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
                cn_scenario *scenario = undamaged(routings[s], n, load);
                if (load * d < n)
                    assert_near(metric_of(scenario, CN_METRIC_MEAN_DELAY) * (1.0 - load * d / n), d,
                                1e-11);
                cn_scenario_free(&scenario);
            }
}

/* The flows of the channels come to the same. */
static void the_closed_form_is_what_the_flows_give(void **state)
{
    (void)state;
    static const char *const alike[] = {"minimal", "preferred", "optimal-path", "two-level"};
    for (size_t s = 0; s < 4; s++)
        for (uint32_t n = 1; n <= 7; n++) {
            cn_scenario *scenario = undamaged(alike[s], n, 0.7 + 0.03 * n);
            cni_channel_flows flows;
            double load = 0.7 + 0.03 * n, delay = metric_of(scenario, CN_METRIC_MEAN_DELAY);
            assert_ok(cni_channel_flows_open("test", scenario, 0, &flows));
            assert_near(cni_jackson_delay(&flows, load, NULL), delay, 1e-12 * delay);
            cni_channel_flows_close(&flows);
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
            cn_scenario *scenario = undamaged(routings[s], n, limit);
            assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "only below");
            assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, limit * (1.0 - 1e-9)));
            assert_true(metric_of(scenario, CN_METRIC_MEAN_DELAY) > 1e8);
            cn_scenario_free(&scenario);
        }
}

/*
 * A ring of four with the node 3 dead is a path 1 - 0 - 2. Flows at load 1: 1 and 2 each send one
 * message inwards; 0 sends half of its own outwards, and half of each end's passes. All four
 * channels carry 1.
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
        scenario = routed(cube, load, "two-level");
        assert_ok(cn_scenario_set_faults(scenario, faults));
        assert_ok(cn_predict(scenario, NULL, &result));
        assert_ok(
            cn_flow_deviation(cube, faults, NULL, 0, load, 1e-6, NULL, &least, NULL, NULL, 0));
        double delay = value_of(result, CN_METRIC_MEAN_DELAY);
        assert_true(delay > least * (1.0 - 1e-6) && delay < 2.0 * least);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

/* Figure 5.1: least delays by flow deviation, independently computed, and what the rules come
 * to. The damaged network carries 5/6 by the best routing and 4/5 by two levels; its convex
 * subnet 8/9. */
static void figure_5_1_has_these_delays(void **state)
{
    (void)state;
    static const struct {
        size_t routing;
        double load, least;
    } cases[] = {{1, 0.1, 2.525924}, {1, 0.2, 2.817304}, {1, 0.4, 3.685011}, {1, 0.6, 5.483675},
                 {0, 0.2, 2.566730}, {0, 0.4, 3.290043}, {0, 0.8, 9.583333}};
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(4, &cube));
    cn_faults *faults = figure_5_1(cube);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_scenario *scenario = routed(cube, cases[i].load, routings[cases[i].routing]);
        assert_ok(cn_scenario_set_faults(scenario, faults));
        double delay = metric_of(scenario, CN_METRIC_MEAN_DELAY);
        assert_true(delay > cases[i].least && delay < 1.11 * cases[i].least);
        double hops = metric_of(scenario, CN_METRIC_MEAN_HOPS);
        assert_near(hops, cases[i].routing == 1 ? 126.0 / 55.0 : 19.0 / 9.0, 1e-12);
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
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "only below 0.8,");
    assert_null(result);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 1));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "only below 0.8,");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, CN_SELECTION_LOWEST));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "selection = lowest, but the model needs random");
    cn_scenario_free(&scenario);
    scenario = damaged("optimal-path", 4, 1.0, figure);
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "only below 0.888888889,");
    cn_scenario_free(&scenario);
    scenario = damaged("optimal-path", 1, 0.1, "node 1\n");
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_DISCONNECTED, "survivors = 1");
    cn_scenario_free(&scenario);
    scenario = damaged("two-level", 2, 0.1, "node 01\nnode 10\n");
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_DISCONNECTED, "node 3 to 0");
    cn_scenario_free(&scenario);
}

/* Loads of networks whose channels are not alike, within three half-widths of what happens
 * there. */
static void the_simulation_holds_the_model(void **state)
{
    (void)state;
    static const uint64_t sides[] = {4, 4};
    static const char *const names[] = {"minimal", "dimension-order",  "minimal",
                                        "up-down", "up-down-adaptive", "valiant"};
    double worst = 0.0;
    for (size_t i = 0; i < 6; i++) {
        cn_topology *t;
        cn_routing *routing;
        double limit;
        if (i < 2)
            assert_ok(cn_topology_mesh(sides, 2, &t));
        else if (i < 4)
            assert_ok(cn_topology_psnn(4, &t));
        else if (i == 4)
            assert_ok(cn_topology_torus(sides, 2, &t));
        else
            assert_ok(cn_topology_tree(2, 4, &t));
        assert_ok(cn_routing_new(t, names[i], NULL, NULL, &routing));
        assert_ok(cn_routing_saturation_load(routing, NULL, NULL, NULL, &limit));
        plain_run run = {0.6 * limit, i + 1, 500, 32000, 1};
        plain_means means = simulate_plainly(routing, &run);
        cn_scenario *scenario = routed(t, run.load, names[i]);
        double delay = metric_of(scenario, CN_METRIC_MEAN_DELAY);
        assert_true(means.half_width < 0.03 * delay);
        worst = fmax(worst, fabs(means.delay - delay) / means.half_width);
        assert_near(metric_of(scenario, CN_METRIC_MEAN_HOPS), means.hops, 0.02 * means.hops);
        cn_scenario_free(&scenario);
        cn_routing_free(&routing);
        cn_topology_free(&t);
    }
    assert_true(worst < 3.0);
}

/* In a tree there is one path, so all routings of it have the same delay. */
static void traffic_is_predicted_too(void **state)
{
    (void)state;
    cn_topology *t;
    cn_traffic *traffic;
    cn_result *result;
    assert_ok(cn_topology_tree(2, 4, &t));
    assert_ok(cn_traffic_hotspot(t, 0, 0.5, &traffic));
    cn_scenario *scenario = routed(t, 0.04, "minimal");
    double uniform = metric_of(scenario, CN_METRIC_MEAN_DELAY);
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    double limit, delay = metric_of(scenario, CN_METRIC_MEAN_DELAY);
    assert_true(fabs(delay - uniform) > 0.1);
    cn_routing *routing;
    assert_ok(cn_routing_new(t, "minimal", NULL, NULL, &routing));
    limit = support_saturation(traffic, routing);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, limit));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "only below");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.0));
    assert_ok(cn_traffic_mean_distance(traffic, NULL, &uniform));
    assert_near(metric_of(scenario, CN_METRIC_MEAN_DELAY), uniform, 1e-12);
    assert_near(metric_of(scenario, CN_METRIC_MEAN_DISTANCE), uniform, 1e-12);
    assert_ok(cn_scenario_set_routing_name(scenario, "up-down"));
    assert_near(metric_of(scenario, CN_METRIC_MEAN_DELAY), uniform, 1e-12);
    /* the other clock has another source */
    assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_GEOMETRIC));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "the source is geometric");
    assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_POISSON));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    assert_near(metric_of(scenario, CN_METRIC_MEAN_DELAY), uniform, 1e-12);
    cn_scenario_free(&scenario);
    cn_routing_free(&routing);
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_undamaged_cube_has_a_closed_form),
        cmocka_unit_test(the_closed_form_is_what_the_flows_give),
        cmocka_unit_test(an_undamaged_cube_is_full_at_its_limit),
        cmocka_unit_test(a_path_by_hand),
        cmocka_unit_test(never_better_than_flow_deviation),
        cmocka_unit_test(figure_5_1_has_these_delays),
        cmocka_unit_test(metrics_fit_together),
        cmocka_unit_test(what_has_no_model_is_refused),
        cmocka_unit_test(the_simulation_holds_the_model),
        cmocka_unit_test(traffic_is_predicted_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

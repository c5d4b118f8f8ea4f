/* The system "two-level": the model beside the simulation. */
#include "support/support.h"

#include <math.h>

static double within, cases;

/* The simulation holds the exact delay of the model within its 95 % half-width, but for the one in twenty
 * that may miss it by up to six tenths; and it is not below `least`, the best of all routings. */
static void check_against_model(cn_scenario *scenario, double least)
{
    cn_result *model, *run;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 30000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.01));
    assert_ok(cn_predict(scenario, &model));
    assert_ok(cn_simulate(scenario, &run));
    double exact = value_of(model, CN_METRIC_MEAN_DELAY);
    double delay = value_of(run, CN_METRIC_MEAN_DELAY);
    double half_width = half_width_of(run, CN_METRIC_MEAN_DELAY);
    assert_true(half_width < 0.06 * exact);
    assert_near(delay, exact, 1.6 * half_width);
    assert_true(delay >= least - half_width);
    within += fabs(delay - exact) <= half_width;
    cases += 1;
    assert_near(value_of(run, CN_METRIC_MEAN_HOPS), value_of(model, CN_METRIC_MEAN_HOPS), 0.02);
    assert_near(value_of(run, CN_METRIC_CHANNEL_UTILIZATION),
                value_of(model, CN_METRIC_CHANNEL_UTILIZATION), 0.01);
    assert_near(value_of(run, CN_METRIC_MEAN_DISTANCE), value_of(model, CN_METRIC_MEAN_DISTANCE),
                0.02);
    assert_near(value_of(run, CN_METRIC_SURVIVOR_FRACTION),
                value_of(model, CN_METRIC_SURVIVOR_FRACTION), 0.0);
    cn_result_free(&model);
    cn_result_free(&run);
}

static void check_damaged(const cn_topology *cube, const cn_faults *faults, double load)
{
    cn_scenario *scenario;
    double least;
    assert_ok(cn_flow_deviation(cube, faults, NULL, 0, load, 1e-5, &least, NULL, NULL, 0));
    assert_ok(cn_scenario_new(cube, "two-level", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    check_against_model(scenario, least);
    cn_scenario_free(&scenario);
}

static void the_simulation_holds_the_model(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *hierarchy;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(
        cn_faults_parse(cube, "node 0010\nnode 0011\nnode 0100\nnode 0111\nnode 1001\n", &faults));
    for (double load = 0.2; load < 0.7; load += 0.2)
        check_damaged(cube, faults, load);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    /* random faults, links among them, with several clusters */
    uint32_t most = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint32_t n = 5 + (uint32_t)(seed % 2);
        assert_ok(cn_topology_hypercube(n, &cube));
        assert_ok(cn_faults_new(cube, &faults));
        assert_ok(cn_faults_add_random_nodes(faults, 3 + seed, seed));
        assert_ok(cn_faults_add_random_links(faults, seed % 3, seed));
        assert_ok(cn_hierarchy_new(faults, &hierarchy));
        uint32_t clusters = cn_hierarchy_cluster_count(hierarchy);
        most = clusters > most ? clusters : most;
        cn_hierarchy_free(&hierarchy);
        check_damaged(cube, faults, 0.05 + 0.07 * (double)seed);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
    assert_true(most >= 5);
    assert_true(within >= 0.8 * cases);
}

static void what_cannot_run_is_refused(void **state)
{
    (void)state;
    cn_topology *cube, *torus;
    cn_faults *faults;
    cn_scenario *scenario;
    cn_result *result;
    cn_sim *sim;
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &torus));
    assert_fails(cn_scenario_new(torus, "two-level", &scenario), CN_ERR_UNSUPPORTED,
                 "kary_ncube(5,2,");
    assert_ok(cn_faults_parse(cube, "node 001\nnode 010\nlink 000 100\n", &faults));
    assert_ok(cn_scenario_new(cube, "two-level", &scenario));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_fails(cn_simulate(scenario, &result), CN_ERR_DISCONNECTED, "are disconnected");
    assert_fails(cn_sim_open(scenario, &sim), CN_ERR_DISCONNECTED, "are disconnected");
    assert_null(sim);
    assert_ok(cn_faults_remove_link(faults, 0, 2));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_ok(cn_sim_open(scenario, &sim));
    cn_sim_close(&sim);
    for (uint64_t v = 0; v < 8; v++) {
        assert_ok(cn_faults_add_node(faults, v));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        cn_status status = cn_sim_open(scenario, &sim);
        assert_true(status == CN_OK || status == CN_ERR_DISCONNECTED);
        cn_sim_close(&sim);
    }
    assert_fails(cn_sim_open(scenario, &sim), CN_ERR_DISCONNECTED, "survivors = 0");
    cn_scenario_free(&scenario);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    cn_topology_free(&torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_simulation_holds_the_model),
        cmocka_unit_test(what_cannot_run_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Separate buffers by the routing "two-level" in continuous time: the model beside the
 * simulation. */
#include "jackson_check.h"
#include "support/faults.h"

static void check_damaged(const cn_topology *cube, const cn_faults *faults, double load)
{
    cn_scenario *scenario;
    double least;
    assert_ok(cn_flow_deviation(cube, faults, NULL, 0, load, 1e-5, NULL, &least, NULL, NULL, 0));
    assert_ok(support_routed_scenario(cube, "two-level", &scenario));
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
        support_faults(cube, "node 0010\nnode 0011\nnode 0100\nnode 0111\nnode 1001\n", &faults));
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
        assert_ok(cn_hierarchy_new(faults, NULL, &hierarchy));
        uint32_t clusters = cn_hierarchy_cluster_count(hierarchy);
        most = clusters > most ? clusters : most;
        cn_hierarchy_free(&hierarchy);
        check_damaged(cube, faults, 0.05 + 0.07 * (double)seed);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
    assert_true(most >= 5);
    check_that_most_were_within();
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
    assert_ok(support_routed_scenario(torus, "two-level", &scenario));
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_UNSUPPORTED,
                 "kary_ncube(k=5,n=2,bidirectional=True)");
    cn_scenario_free(&scenario);
    assert_ok(support_faults(cube, "node 001\nnode 010\nlink 000 100\n", &faults));
    assert_ok(support_routed_scenario(cube, "two-level", &scenario));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.1));
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_DISCONNECTED, "no path from");
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_DISCONNECTED, "no path from");
    assert_null(sim);
    assert_ok(cn_faults_remove_link(faults, 0, 2));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cn_sim_close(&sim);
    for (uint64_t v = 0; v < 8; v++) {
        assert_ok(cn_faults_add_node(faults, v));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        cn_status status = cn_sim_open(scenario, NULL, &sim);
        assert_true(status == CN_OK || status == CN_ERR_DISCONNECTED);
        cn_sim_close(&sim);
    }
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_DISCONNECTED, "survivors = 0");
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

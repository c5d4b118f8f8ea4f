/* The system "optimistic-bound": a model and nothing else. */
#include "support/support.h"

static void it_takes_only_a_load_and_has_no_simulator(void **state)
{
    (void)state;
    cn_topology *topology;
    cn_scenario *scenario;
    cn_result *result;
    cn_sim *sim;
    assert_ok(cn_topology_hypercube(6, &topology));
    assert_ok(cn_scenario_new(topology, "optimistic-bound", &scenario));
    for (size_t p = 1; p <= cn_param_count(); p++)
        assert_int_equal(cn_scenario_takes(scenario, (cn_param)p), p == CN_PARAM_LOAD);
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_ARGUMENT, "load was never set");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0));
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_result_free(&result);
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "no simulator");
    assert_null(result);
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_UNSUPPORTED, "no simulator");
    assert_null(sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

static void other_networks_are_refused(void **state)
{
    (void)state;
    cn_topology *topology;
    cn_scenario *scenario;
    assert_ok(cn_topology_kary_ncube(4, 2, 0, &topology));
    assert_fails(cn_scenario_new(topology, "optimistic-bound", &scenario), CN_ERR_UNSUPPORTED,
                 "kary_ncube(k=4,n=2,");
    assert_null(scenario);
    cn_topology_free(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_takes_only_a_load_and_has_no_simulator),
        cmocka_unit_test(other_networks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Separate buffers by the routing "optimal-path" in continuous time: the model beside the
 * simulation. */
#include "jackson_check.h"
#include "support/faults.h"

static cn_scenario *scenario_on(const cn_topology *cube, const cn_faults *faults, double load)
{
    cn_scenario *scenario;
    assert_ok(support_routed_scenario(cube, "optimal-path", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    return scenario;
}

/* The faults and what is disabled: the network on which flow deviation is to be asked. */
static double least_delay(const cn_topology *cube, const cn_subnet *subnet, double load)
{
    cn_faults *dead;
    double least;
    assert_ok(cn_faults_new(cube, &dead));
    for (uint64_t v = 0; v < cn_topology_node_count(cube); v++) {
        cn_node_state is;
        assert_ok(cn_subnet_node_state(subnet, v, &is));
        if (is != CN_NODE_SURVIVING)
            assert_ok(cn_faults_add_node(dead, v));
    }
    assert_ok(cn_flow_deviation(cube, dead, NULL, 0, load, 1e-5, NULL, &least, NULL, NULL, 0));
    cn_faults_free(&dead);
    return least;
}

static void the_simulation_holds_the_model(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(
        support_faults(cube, "node 0010\nnode 0011\nnode 0100\nnode 0111\nnode 1001\n", &faults));
    /* undamaged: the closed form; figure 5.1: least delays by flow deviation */
    for (double load = 0.3; load < 1.5; load += 0.4) {
        double d = 32.0 / 15.0;
        cn_scenario *scenario = scenario_on(cube, NULL, load);
        check_against_model(scenario, d / (1.0 - load * d / 4.0));
        cn_scenario_free(&scenario);
    }
    static const double loads[] = {0.2, 0.4, 0.7}, least[] = {2.566730, 3.290043, 0.0};
    for (size_t i = 0; i < 3; i++) {
        cn_scenario *scenario = scenario_on(cube, faults, loads[i]);
        check_against_model(scenario, least[i]);
        cn_scenario_free(&scenario);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    /* random faults of a 6-cube */
    assert_ok(cn_topology_hypercube(6, &cube));
    for (uint64_t seed = 1; seed <= 4; seed++) {
        cn_subnet *subnet;
        double load = 0.2 + 0.1 * (double)seed;
        assert_ok(cn_faults_new(cube, &faults));
        assert_ok(cn_faults_add_random_nodes(faults, 2 * seed, seed));
        assert_ok(cn_subnet_convex(faults, NULL, &subnet));
        cn_scenario *scenario = scenario_on(cube, faults, load);
        check_against_model(scenario, least_delay(cube, subnet, load));
        cn_scenario_free(&scenario);
        cn_subnet_free(&subnet);
        cn_faults_free(&faults);
    }
    cn_topology_free(&cube);
    check_that_most_were_within();
}

static double predicted_survivors(const cn_scenario *scenario)
{
    cn_result *result;
    assert_ok(cn_predict(scenario, NULL, &result));
    double share = value_of(result, CN_METRIC_SURVIVOR_FRACTION);
    cn_result_free(&result);
    return share;
}

static void the_subnet_goes_with_the_scenario(void **state)
{
    (void)state;
    static const uint64_t disabled[] = {0, 1, 2, 3};
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet, *half;
    cn_result *result;
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    cn_scenario *scenario = scenario_on(cube, NULL, 0.3);
    assert_near(predicted_survivors(scenario), 1.0, 0.0);
    assert_ok(cn_subnet_chosen(faults, disabled, 4, &half)); /* a 2-cube is left */
    assert_ok(cn_scenario_set_subnet(scenario, half));
    cn_subnet_free(&half); /* the scenario has a copy */
    assert_near(predicted_survivors(scenario), 0.5, 0.0);
    assert_ok(cn_scenario_reset(scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.3));
    assert_near(predicted_survivors(scenario), 0.5, 0.0);
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_near(value_of(result, CN_METRIC_MEAN_DISTANCE), 4.0 / 3.0, 0.02);
    cn_result_free(&result);
    /* with the faults that it was made for it may come, with others not */
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_near(predicted_survivors(scenario), 0.5, 0.0);
    assert_ok(cn_faults_add_node(faults, 7));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_ARGUMENT, "set only one of the two");
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_ARGUMENT, "set only one of the two");
    assert_ok(cn_scenario_set_subnet(scenario, NULL));
    assert_near(predicted_survivors(scenario), 7.0 / 8.0, 0.0);
    /* one that is not convex, one with a single survivor, one without any */
    assert_ok(cn_faults_add_node(faults, 4));
    assert_ok(cn_subnet_chosen(faults, NULL, 0, &subnet));
    assert_ok(cn_scenario_set_subnet(scenario, subnet));
    assert_ok(cn_scenario_set_faults(scenario, NULL));
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_ARGUMENT, "convex");
    assert_null(result);
    cn_subnet_free(&subnet);
    for (uint64_t v = 1; v < 8; v++)
        assert_ok(cn_faults_add_node(faults, v));
    assert_ok(cn_subnet_chosen(faults, NULL, 0, &subnet));
    assert_ok(cn_scenario_set_subnet(scenario, subnet));
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_DISCONNECTED, "survivors = 1");
    cn_subnet_free(&subnet);
    assert_ok(cn_faults_add_node(faults, 0));
    assert_ok(cn_scenario_set_subnet(scenario, NULL));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_DISCONNECTED, "survivors = 0");
    cn_scenario_free(&scenario);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* The same subnet with the routing, or by itself: models and simulations agree, also where nothing
 * is faulty. */
static void a_subnet_may_come_with_the_routing(void **state)
{
    (void)state;
    static const char *const systems[] = {"separate-buffers", "separate-buffers", "shared-buffer",
                                          "deflection"};
    const uint64_t disabled[] = {4, 5, 6, 7};
    cn_topology *cube;
    cn_faults *none;
    cn_subnet *half;
    cn_routing *routing;
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_faults_new(cube, &none));
    assert_ok(cn_subnet_chosen(none, disabled, 4, &half));
    assert_ok(cn_routing_optimal_path(half, &routing));
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        cn_result *model[2] = {NULL, NULL}, *run[2];
        cn_status status[2];
        for (int with_routing = 0; with_routing < 2; with_routing++) {
            cn_scenario *scenario;
            assert_ok(cn_scenario_new(cube, systems[i], &scenario));
            assert_ok(with_routing ? cn_scenario_set_routing(scenario, routing)
                                   : cn_scenario_set_subnet(scenario, half));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.6));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 2000));
            if (i == 0)
                assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0));
            status[with_routing] = cn_predict(scenario, NULL, &model[with_routing]);
            assert_ok(cn_simulate(scenario, NULL, &run[with_routing]));
            cn_scenario_free(&scenario);
        }
        assert_int_equal(status[0], status[1]);
        if (status[0] == CN_OK)
            assert_same_result(model[0], model[1]);
        assert_same_result(run[0], run[1]);
        assert_near(value_of(run[1], CN_METRIC_SURVIVOR_FRACTION), 0.5, 1e-12);
        for (int k = 0; k < 2; k++) {
            cn_result_free(&model[k]);
            cn_result_free(&run[k]);
        }
    }
    cn_scenario *worms;
    cn_sim *sim;
    assert_ok(cn_scenario_new(cube, "wormhole", &worms));
    assert_ok(cn_scenario_set_routing(worms, routing));
    assert_ok(cn_scenario_set(worms, CN_PARAM_UNSAFE, 1));
    assert_ok(cn_scenario_set(worms, CN_PARAM_BROADCAST_BASE, CN_BASE_ROUND_ROBIN));
    assert_fails(cn_sim_open(worms, NULL, &sim), CN_ERR_UNSUPPORTED, "broadcast_base");
    cn_scenario_free(&worms);
    cn_routing_free(&routing);
    cn_subnet_free(&half);
    cn_faults_free(&none);
    cn_topology_free(&cube);
}

/* Node 0 works, but its neighbours do not; the convex subnet disables node 0. */
static void deflection_needs_no_way_to_disabled_nodes(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *convex;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    for (uint64_t node = 1; node < 16; node *= 2)
        assert_ok(cn_faults_add_node(faults, node));
    assert_ok(cn_subnet_convex(faults, NULL, &convex));
    assert_ok(cn_scenario_new(cube, "deflection", &scenario));
    assert_ok(cn_scenario_set_subnet(scenario, convex));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.1));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 1000));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_near(value_of(result, CN_METRIC_SURVIVOR_FRACTION), 11.0 / 16.0, 1e-12);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_subnet_free(&convex);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void what_it_does_not_take_is_refused(void **state)
{
    (void)state;
    cn_topology *cube, *other, *ring;
    cn_faults *faults;
    cn_subnet *subnet;
    cn_scenario *scenario, *without;
    cn_sim *sim;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_hypercube(5, &other));
    assert_ok(cn_topology_ring(5, 1, &ring));
    assert_ok(support_routed_scenario(ring, "optimal-path", &scenario));
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_UNSUPPORTED, "ring(5)");
    cn_scenario_free(&scenario);
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_subnet_convex(faults, NULL, &subnet));
    assert_ok(support_routed_scenario(other, "optimal-path", &scenario));
    assert_fails(cn_scenario_set_subnet(scenario, subnet), CN_ERR_ARGUMENT,
                 "a subnet of hypercube(4)");
    assert_fails(cn_scenario_set_subnet(NULL, subnet), CN_ERR_ARGUMENT, "scenario");
    assert_fails(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 3), CN_ERR_UNSUPPORTED, "buffers");
    static const char *const others[] = {"wormhole", "flow-deviation"};
    for (size_t i = 0; i < 2; i++) {
        assert_ok(cn_scenario_new(cube, others[i], &without));
        assert_fails(cn_scenario_set_subnet(without, subnet), CN_ERR_UNSUPPORTED,
                     "does not take a subnet");
        assert_ok(cn_scenario_set_subnet(without, NULL));
        cn_scenario_free(&without);
    }
    cn_scenario_free(&scenario);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    cn_topology_free(&other);
    cn_topology_free(&ring);
}

static cn_status run_with_subnet(void *context)
{
    cn_topology *cube = NULL;
    cn_faults *faults = NULL;
    cn_subnet *subnet = NULL;
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    (void)context;
    cn_status status = cn_topology_hypercube(3, &cube);
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK)
        status = cn_subnet_convex(faults, NULL, &subnet);
    if (status == CN_OK)
        status = support_routed_scenario(cube, "optimal-path", &scenario);
    if (status == CN_OK)
        status = cn_scenario_set_faults(scenario, faults);
    if (status == CN_OK)
        status = cn_scenario_set_subnet(scenario, subnet);
    if (status == CN_OK)
        status = cn_sim_open(scenario, NULL, &sim); /* copies the scenario */
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    support_fail_every_allocation(run_with_subnet, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_simulation_holds_the_model),
        cmocka_unit_test(the_subnet_goes_with_the_scenario),
        cmocka_unit_test(a_subnet_may_come_with_the_routing),
        cmocka_unit_test(deflection_needs_no_way_to_disabled_nodes),
        cmocka_unit_test(what_it_does_not_take_is_refused),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

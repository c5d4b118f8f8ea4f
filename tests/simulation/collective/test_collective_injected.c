/* Collective operations that the caller injects into a running simulation. */
#include "support/support.h"

static cn_sim *open_on(uint64_t k, uint32_t n, double machine, double tree, double operations)
{
    cn_topology *topology;
    cn_scenario *scenario;
    cn_sim *sim;
    assert_ok(cn_topology_generalized_hypercube(k, n, &topology));
    assert_ok(cn_scenario_new(topology, "collective", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, machine));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_TREE, tree));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_OPERATIONS, operations));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return sim;
}

static double metric_of(cn_sim *sim, cn_metric metric)
{
    cn_result *result;
    assert_ok(cn_sim_result(sim, &result));
    double value = value_of(result, metric);
    cn_result_free(&result);
    return value;
}

/* Alone, it takes as many cycles as the network has dimensions, on every machine and tree. */
static void a_broadcast_is_delivered_once_when_the_last_node_has_it(void **state)
{
    (void)state;
    for (int machine = 0; machine < 2; machine++)
        for (int tree = 0; tree < 5; tree++) {
            uint64_t k = tree == 2 ? 2 : 4, n = tree == 2 ? 6 : 3;
            cn_sim *sim = open_on(k, (uint32_t)n, machine, tree, 0);
            cn_delivery got;
            assert_ok(cn_sim_step(sim, 7, NULL));
            assert_ok(cn_sim_inject_broadcast(sim, 21, 99));
            assert_ok(cn_sim_step(sim, n - 1, NULL));
            assert_int_equal(cn_sim_next_delivery(sim, &got, sizeof got), CN_DONE);
            assert_near(metric_of(sim, CN_METRIC_MESSAGES_OFFERED), 63, 0);
            assert_true(metric_of(sim, CN_METRIC_MESSAGES_IN_FLIGHT) > 0);
            assert_ok(cn_sim_step(sim, 5, NULL));
            assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
            assert_int_equal(got.tag, 99);
            assert_int_equal(got.source, 21);
            assert_true(got.destination == CN_ALL_NODES);
            assert_int_equal(got.injected, 7);
            assert_int_equal(got.delivered, 7 + n);
            assert_int_equal(cn_sim_next_delivery(sim, &got, sizeof got), CN_DONE);
            assert_near(metric_of(sim, CN_METRIC_MESSAGES_DELIVERED), 63, 0);
            assert_near(metric_of(sim, CN_METRIC_COMPLETION_CYCLES), (double)(7 + n), 0);
            assert_near(metric_of(sim, CN_METRIC_LOWER_BOUND_CYCLES), (double)(7 + n), 0);
            cn_sim_close(&sim);
        }
}

/* Among messages to single nodes and the scenario's own operations everything comes back once; in a cycle
 * in order of the destinations, broadcasts last. */
static void broadcasts_mix_with_messages_to_one_node(void **state)
{
    (void)state;
    for (int machine = 0; machine < 2; machine++) {
        cn_sim *sim = open_on(4, 3, machine, 0, 20);
        uint64_t tag = 0, seen[4] = {0}, cycle = 0, node = 0;
        cn_delivery got;
        for (uint64_t round = 0; round < 6; round++, assert_ok(cn_sim_step(sim, 2, NULL))) {
            for (uint64_t v = 0; v < 8; v++, tag++)
                assert_ok(cn_sim_inject(sim, (5 * v + round) % 64, (7 * v + round + 9) % 64, tag));
            assert_ok(cn_sim_inject_broadcast(sim, 10 * round, tag++));
        }
        assert_ok(cn_sim_step(sim, 500, NULL));
        for (uint64_t i = 0; i < tag; i++) {
            assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
            assert_true((got.destination == CN_ALL_NODES) == (got.tag % 9 == 8));
            assert_true(got.delivered > cycle ||
                        (got.delivered == cycle && got.destination >= node));
            assert_int_equal(seen[got.tag / 64] >> got.tag % 64 & 1, 0);
            seen[got.tag / 64] |= UINT64_C(1) << got.tag % 64;
            cycle = got.delivered;
            node = got.destination;
        }
        assert_int_equal(cn_sim_next_delivery(sim, &got, sizeof got), CN_DONE);
        assert_near(metric_of(sim, CN_METRIC_MESSAGES_DELIVERED), 26 * 63 + 48, 0);
        assert_near(metric_of(sim, CN_METRIC_MESSAGES_IN_FLIGHT), 0, 0);
        assert_fails(cn_sim_inject_broadcast(sim, 64, 0), CN_ERR_ARGUMENT, "source = 64");
        cn_sim_close(&sim);
    }
}

/* One injected at the end of cycle 0 is the same as one that a list starts there. */
static void an_injected_broadcast_is_as_one_of_a_list(void **state)
{
    (void)state;
    for (int machine = 0; machine < 2; machine++) {
        cn_topology *topology;
        cn_scenario *scenario;
        cn_operations *list;
        cn_sim *sims[2];
        assert_ok(cn_topology_generalized_hypercube(5, 2, &topology));
        assert_ok(cn_operations_new(topology, &list));
        assert_ok(cn_scenario_new(topology, "collective", &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, machine));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_TRANSIT_BUFFERS, 2));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_OPERATIONS, 0));
        assert_ok(cn_sim_open(scenario, NULL, &sims[0]));
        for (uint64_t i = 0; i < 30; i++) {
            assert_ok(cn_operations_add_broadcast(list, i * i % 25, 0));
            assert_ok(cn_sim_inject_broadcast(sims[0], i * i % 25, i));
        }
        assert_ok(cn_scenario_set_operations(scenario, list));
        assert_ok(cn_sim_open(scenario, NULL, &sims[1]));
        for (int s = 0; s < 2; s++)
            assert_ok(cn_sim_step(sims[s], 100, NULL));
        static const cn_metric same[] = {CN_METRIC_COMPLETION_CYCLES, CN_METRIC_CONTENTIONS,
                                         CN_METRIC_MEAN_DELAY, CN_METRIC_OPERATION_CYCLES,
                                         CN_METRIC_LOWER_BOUND_CYCLES};
        for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
            assert_near(metric_of(sims[0], same[i]), metric_of(sims[1], same[i]), 0);
        cn_sim_close(&sims[0]);
        cn_sim_close(&sims[1]);
        cn_scenario_free(&scenario);
        cn_operations_free(&list);
        cn_topology_free(&topology);
    }
}

/* Opens, steps and injects a broadcast while one allocation fails; before: how many there were until then. */
static cn_status inject_failing(uint64_t failing, cn_sim **sim, uint64_t *before)
{
    support_install_allocator(failing);
    *sim = open_on(4, 3, 1, 1, 3);
    assert_ok(cn_sim_step(*sim, 5, NULL));
    *before = support_allocations();
    return cn_sim_inject_broadcast(*sim, 9, 1);
}

/* When memory runs out while an operation starts, either nothing has happened or it is the end. */
static void nothing_is_half_started(void **state)
{
    (void)state;
    cn_sim *sim;
    cn_delivery got;
    uint64_t first, before, ends = 0, retries = 0;
    assert_ok(inject_failing(0, &sim, &first));
    uint64_t last = support_allocations();
    cn_sim_close(&sim);
    support_remove_allocator();
    for (uint64_t failing = first + 1; failing <= last; failing++) {
        assert_int_equal(inject_failing(failing, &sim, &before), CN_ERR_MEMORY);
        assert_int_equal(before, first);
        cn_status status = cn_sim_inject_broadcast(sim, 9, 2);
        if (status == CN_OK) {
            assert_ok(cn_sim_step(sim, 200, NULL));
            assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
            assert_int_equal(got.tag, 2);
            assert_near(metric_of(sim, CN_METRIC_MESSAGES_DELIVERED), 4 * 63, 0);
            retries++;
        } else {
            assert_int_equal(status, CN_ERR_MEMORY);
            assert_fails(cn_sim_step(sim, 1, NULL), CN_ERR_MEMORY, "could not be started");
            assert_fails(cn_sim_step(sim, 1, NULL), CN_ERR_STATE, "ended");
            ends++;
        }
        cn_sim_close(&sim);
        assert_int_equal(support_blocks(), 0);
        support_remove_allocator();
    }
    assert_true(ends > 0 && retries > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broadcast_is_delivered_once_when_the_last_node_has_it),
        cmocka_unit_test(broadcasts_mix_with_messages_to_one_node),
        cmocka_unit_test(an_injected_broadcast_is_as_one_of_a_list),
        cmocka_unit_test(nothing_is_half_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

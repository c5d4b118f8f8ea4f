/* Collective operations that the caller injects into a running simulation. */
#include "support/support.h"

#include <stdlib.h>

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
            assert_ok(cn_sim_inject_broadcast(sim, 21, CN_BASE_OF_SCENARIO, 99));
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

/* Among messages to single nodes and the scenario's own operations everything comes back once; in a
 * cycle in order of the destinations, broadcasts last. */
static void broadcasts_mix_with_messages_to_one_node(void **state)
{
    (void)state;
    for (int machine = 0; machine < 2; machine++) {
        cn_sim *sim = open_on(4, 3, machine, 0, 20);
        uint64_t tag = 0, seen[4] = {0}, cycle = 0, node = 0;
        cn_delivery got;
        for (uint64_t round = 0; round < 6; round++, assert_ok(cn_sim_step(sim, 2, NULL))) {
            for (uint64_t v = 0; v < 8; v++, tag++)
                assert_ok(
                    cn_sim_inject(sim, (5 * v + round) % 64, (7 * v + round + 9) % 64, 0, tag));
            assert_ok(cn_sim_inject_broadcast(sim, 10 * round, CN_BASE_OF_SCENARIO, tag++));
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
        assert_fails(cn_sim_inject_broadcast(sim, 64, CN_BASE_OF_SCENARIO, 0), CN_ERR_ARGUMENT,
                     "source = 64");
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
            assert_ok(cn_sim_inject_broadcast(sims[0], i * i % 25, CN_BASE_OF_SCENARIO, i));
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

/* The same simulation, from a snapshot. */
static cn_sim *restore(const cn_scenario *scenario, const cn_sim *sim)
{
    size_t size = 0;
    cn_sim *restored;
    cn_sim_save(sim, NULL, 0, &size);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    assert_ok(cn_sim_save(sim, bytes, size, NULL));
    assert_ok(cn_sim_restore(scenario, bytes, size, NULL, &restored));
    free(bytes);
    return restored;
}

enum { SOURCES = 4, NODES = 64, BROADCAST_FROM = 21 };

/* Every node has got one message from each other node that sent to all. */
static void check_deliveries(cn_sim *sim)
{
    cn_result *result;
    uint64_t delivered[NODES];
    size_t count = 0;
    assert_ok(cn_sim_result(sim, &result));
    assert_ok(cn_result_node_counts(result, CN_NODE_COUNT_DELIVERED, delivered, NODES, &count));
    for (uint64_t node = 0; node < NODES; node++)
        assert_int_equal(delivered[node],
                         SOURCES + 1 - (node < SOURCES) - (node == BROADCAST_FROM));
    cn_result_free(&result);
}

/* Separate messages that wait when a broadcast, which is split on its way, comes between: all go on
 * along shortest paths, also after a snapshot. */
static void messages_that_wait_keep_their_paths(void **state)
{
    (void)state;
    for (int is_restored = 0; is_restored < 2; is_restored++) {
        cn_topology *topology;
        cn_scenario *scenario;
        cn_operations *list;
        cn_sim *sim;
        uint64_t all[NODES - 1], hops = 0;
        assert_ok(cn_topology_generalized_hypercube(4, 3, &topology));
        assert_ok(cn_operations_new(topology, &list));
        for (uint64_t source = 0; source < SOURCES; source++) {
            for (uint64_t i = 0; i < NODES - 1; i++) {
                uint64_t distance = 0;
                all[i] = (source + 1 + i) % NODES;
                assert_ok(cn_topology_distance(topology, source, all[i], NULL, &distance));
                hops += distance;
            }
            assert_ok(cn_operations_add(list, source, all, NODES - 1, 0));
        }
        assert_ok(cn_scenario_new(topology, "collective", &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, CN_MACHINE_PAPER));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_TRANSIT_BUFFERS, 1));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, 1));
        assert_ok(cn_scenario_set_operations(scenario, list));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_step(sim, 5, NULL));
        if (is_restored) {
            cn_sim *saved = sim;
            sim = restore(scenario, saved);
            cn_sim_close(&saved);
        }
        assert_ok(cn_sim_inject_broadcast(sim, BROADCAST_FROM, CN_BASE_OF_SCENARIO, 1));
        assert_ok(cn_sim_step(sim, 1000, NULL));
        assert_near(metric_of(sim, CN_METRIC_MESSAGES_IN_FLIGHT), 0, 0);
        assert_near(metric_of(sim, CN_METRIC_TRANSMISSIONS), (double)(hops + NODES - 1), 0);
        check_deliveries(sim);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
        cn_operations_free(&list);
        cn_topology_free(&topology);
    }
}

/* Opens, steps and injects a broadcast while one allocation fails; before: how many there were
 * until then. */
static cn_status inject_failing(uint64_t failing, cn_sim **sim, uint64_t *before)
{
    support_install_allocator(failing);
    *sim = open_on(4, 3, 1, 1, 3);
    assert_ok(cn_sim_step(*sim, 5, NULL));
    *before = support_allocations();
    return cn_sim_inject_broadcast(*sim, 9, CN_BASE_OF_SCENARIO, 1);
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
        cn_status status = cn_sim_inject_broadcast(sim, 9, CN_BASE_OF_SCENARIO, 2);
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
        cmocka_unit_test(messages_that_wait_keep_their_paths),
        cmocka_unit_test(nothing_is_half_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

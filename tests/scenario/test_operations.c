/* Lists of collective operations. */
#include "support/support.h"

static cn_operations *list_on_cube(uint32_t n)
{
    cn_topology *topology;
    cn_operations *operations;
    assert_ok(cn_topology_hypercube(n, &topology));
    assert_ok(cn_operations_new(topology, &operations));
    cn_topology_free(&topology);
    return operations;
}

static void what_was_added_comes_back(void **state)
{
    (void)state;
    cn_operations *operations = list_on_cube(4), *copy;
    static const uint64_t given[] = {15, 0, 7};
    assert_int_equal(cn_operations_count(operations), 0);
    assert_ok(cn_operations_add(operations, 3, given, 3, 20));
    assert_ok(cn_operations_add_broadcast(operations, 9, CN_LATEST_START));
    assert_ok(cn_operations_copy(operations, &copy));
    assert_ok(cn_operations_add_broadcast(operations, 1, 2));
    assert_int_equal(cn_operations_count(operations), 3);
    assert_int_equal(cn_operations_count(copy), 2);
    assert_int_equal(cn_operations_count(NULL), 0);
    cn_operations_free(&operations);
    assert_null(operations);

    uint64_t source, start, destinations[3];
    size_t count;
    assert_ok(cn_operations_get(copy, 0, destinations, 3, &count, &source, &start));
    assert_int_equal(source, 3);
    assert_int_equal(start, 20);
    assert_int_equal(count, 3);
    assert_memory_equal(destinations, given, sizeof given);
    assert_fails(cn_operations_get(copy, 0, destinations, 2, &count, NULL, NULL), CN_ERR_CAPACITY,
                 "capacity = 2");
    assert_int_equal(count, 3);
    assert_ok(cn_operations_get(copy, 1, NULL, 0, &count, &source, &start));
    assert_int_equal(source, 9);
    assert_true(start == CN_LATEST_START);
    assert_int_equal(count, 0);
    assert_fails(cn_operations_get(copy, 2, NULL, 0, NULL, NULL, NULL), CN_ERR_ARGUMENT,
                 "index = 2");
    cn_operations_free(&copy);
    cn_operations_free(&copy);
    cn_operations_free(NULL);
}

static void bad_operations_are_refused(void **state)
{
    (void)state;
    cn_operations *operations = list_on_cube(3), *none;
    static const uint64_t twice[] = {1, 2, 1}, outside[] = {1, 8}, source[] = {4, 5};
    static const uint64_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    assert_fails(cn_operations_add(operations, 0, twice, 3, 0), CN_ERR_ARGUMENT,
                 "destinations[2] = 1 appears twice");
    assert_fails(cn_operations_add(operations, 0, outside, 2, 0), CN_ERR_ARGUMENT,
                 "a destination = 8");
    assert_fails(cn_operations_add(operations, 5, source, 2, 0), CN_ERR_ARGUMENT,
                 "destinations[1] = 5 is the source");
    assert_fails(cn_operations_add(operations, 8, source, 2, 0), CN_ERR_ARGUMENT, "source");
    assert_fails(cn_operations_add(operations, 0, source, 0, 0), CN_ERR_ARGUMENT, "count = 0");
    assert_fails(cn_operations_add(operations, 0, all, 8, 0), CN_ERR_ARGUMENT, "count = 8");
    assert_fails(cn_operations_add(operations, 0, NULL, 2, 0), CN_ERR_ARGUMENT, "destinations");
    assert_fails(cn_operations_add(operations, 0, source, 2, CN_LATEST_START + 1), CN_ERR_ARGUMENT,
                 "start");
    assert_fails(cn_operations_add_broadcast(operations, 8, 0), CN_ERR_ARGUMENT, "source");
    assert_fails(cn_operations_add_broadcast(NULL, 0, 0), CN_ERR_ARGUMENT, "operations");
    assert_fails(cn_operations_new(NULL, &none), CN_ERR_ARGUMENT, "topology");
    assert_null(none);
    assert_fails(cn_operations_copy(NULL, &none), CN_ERR_ARGUMENT, "operations");
    assert_int_equal(cn_operations_count(operations), 0);
    assert_ok(cn_operations_add(operations, 0, all + 1, 7, 0));
    cn_operations_free(&operations);
}

static void one_node_has_nobody_to_tell(void **state)
{
    (void)state;
    cn_topology *node;
    cn_operations *operations;
    assert_ok(cn_topology_from_edges(1, NULL, 0, NULL, &node));
    assert_ok(cn_operations_new(node, &operations));
    assert_fails(cn_operations_add_broadcast(operations, 0, 0), CN_ERR_ARGUMENT, "no other node");
    assert_int_equal(cn_operations_count(operations), 0);
    cn_operations_free(&operations);
    cn_topology_free(&node);
}

static void a_scenario_takes_a_copy(void **state)
{
    (void)state;
    cn_operations *operations = list_on_cube(3), *other = list_on_cube(4);
    cn_topology *topology;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_topology_hypercube(3, &topology));
    assert_ok(cn_scenario_new(topology, "collective", &scenario));
    assert_fails(cn_scenario_set_operations(scenario, operations), CN_ERR_ARGUMENT,
                 "the list is empty");
    assert_ok(cn_operations_add_broadcast(other, 0, 0));
    assert_fails(cn_scenario_set_operations(scenario, other), CN_ERR_ARGUMENT, "hypercube(4)");
    assert_ok(cn_operations_add_broadcast(operations, 5, 7));
    assert_ok(cn_scenario_set_operations(scenario, operations));
    assert_ok(cn_operations_add_broadcast(operations, 5, 100));
    cn_operations_free(&operations);
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_near(value_of(result, CN_METRIC_COMPLETION_CYCLES), 7 + 3, 0);
    cn_result_free(&result);
    assert_ok(cn_scenario_set_operations(scenario, NULL)); /* random again */
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_near(value_of(result, CN_METRIC_MESSAGES_OFFERED), 20 * 7, 0);
    cn_result_free(&result);
    cn_scenario_free(&scenario);

    cn_operations_free(&other);
    other = list_on_cube(3);
    assert_ok(cn_operations_add_broadcast(other, 0, 0));
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_fails(cn_scenario_set_operations(scenario, other), CN_ERR_UNSUPPORTED,
                 "does not take operations");
    assert_ok(cn_scenario_set_operations(scenario, NULL));
    cn_scenario_free(&scenario);
    cn_operations_free(&other);
    cn_topology_free(&topology);
}

static cn_status build(void *context)
{
    (void)context;
    cn_topology *topology = NULL;
    cn_operations *operations = NULL, *copy = NULL;
    static const uint64_t given[] = {5, 6};
    cn_status status = cn_topology_hypercube(3, &topology);
    if (status == CN_OK)
        status = cn_operations_new(topology, &operations);
    if (status == CN_OK)
        status = cn_operations_add(operations, 0, given, 2, 1);
    if (status == CN_OK)
        status = cn_operations_copy(operations, &copy);
    cn_operations_free(&operations);
    cn_operations_free(&copy);
    cn_topology_free(&topology);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    support_fail_every_allocation(build, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_added_comes_back),   cmocka_unit_test(bad_operations_are_refused),
        cmocka_unit_test(one_node_has_nobody_to_tell), cmocka_unit_test(a_scenario_takes_a_copy),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

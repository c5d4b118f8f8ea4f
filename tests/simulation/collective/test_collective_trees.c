/* Collective operations along stored trees: breadth first in any network, or given with the
 * list. */
#include "support/networks.h"

#include "scenario/scenario.h"
#include "simulation/collective/collective.h"

enum { MOST = 64 };

static cn_scenario *scenario_on(const cn_topology *topology, double machine)
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(topology, "collective", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, machine));
    return scenario;
}

static void set(cn_scenario *scenario, cn_param param, double value)
{
    assert_ok(cn_scenario_set(scenario, param, value));
}

static double value_alone(const cn_scenario *scenario, cn_metric metric)
{
    cn_result *result;
    assert_ok(cn_simulate(scenario, NULL, &result));
    double value = value_of(result, metric);
    cn_result_free(&result);
    return value;
}

/* ---- alone ---- */

/* The eccentricity by its definition. */
static uint64_t farthest(const cn_topology *t, uint64_t source)
{
    uint64_t greatest = 0, distance;
    for (uint64_t v = 0; v < cn_topology_node_count(t); v++) {
        assert_ok(cn_topology_distance(t, source, v, NULL, &distance));
        greatest = distance > greatest ? distance : greatest;
    }
    return greatest;
}

static void a_broadcast_alone_takes_the_eccentricity_of_its_source(void **state)
{
    (void)state;
    for (size_t i = 0; i < network_count(); i++) {
        cn_topology *t = make_network(i);
        uint64_t nodes = cn_topology_node_count(t);
        for (uint64_t source = 0; source < nodes && nodes <= MOST; source += 1 + nodes / 5)
            for (int machine = 0; machine < 2; machine++) {
                cn_operations *operations;
                cn_scenario *scenario = scenario_on(t, machine);
                assert_ok(cn_operations_new(t, &operations));
                assert_ok(cn_operations_add_broadcast(operations, source, 5));
                assert_ok(cn_scenario_set_operations(scenario, operations));
                set(scenario, CN_PARAM_TREE, CN_TREE_BREADTH_FIRST);
                set(scenario, CN_PARAM_TRANSIT_BUFFERS, 0);
                assert_near(value_alone(scenario, CN_METRIC_COMPLETION_CYCLES),
                            (double)(5 + farthest(t, source)), 0);
                assert_near(value_alone(scenario, CN_METRIC_LOWER_BOUND_CYCLES),
                            (double)(5 + farthest(t, source)), 0);
                assert_near(value_alone(scenario, CN_METRIC_TRANSMISSIONS), (double)(nodes - 1), 0);
                cn_operations_free(&operations);
                cn_scenario_free(&scenario);
            }
        cn_topology_free(&t);
    }
}

/* ---- two ways to say the same ---- */

typedef cn_status (*tree_fn)(const cn_topology *topology, uint64_t root, cn_tree **tree);

static cn_status breadth_first(const cn_topology *topology, uint64_t root, cn_tree **tree)
{
    return cn_tree_breadth_first(topology, root, NULL, tree);
}

static cn_status binomial(const cn_topology *topology, uint64_t root, cn_tree **tree)
{
    return cn_tree_binomial(topology, root, 0, tree);
}

/* Some operations; with a tree for each source, by its parents, unless `tree` is NULL. */
static cn_operations *operations_on(const cn_topology *t, int broadcasts, tree_fn tree)
{
    uint64_t nodes = cn_topology_node_count(t), parents[MOST], destinations[MOST];
    cn_operations *operations;
    assert_ok(cn_operations_new(t, &operations));
    for (uint64_t o = 0; o < 12; o++) {
        uint64_t source = o * 5 % nodes;
        size_t count = 0;
        for (uint64_t v = nodes; v-- > 0;)
            if (v != source && (v + o) % 3 > 0)
                destinations[count++] = v;
        if (broadcasts)
            assert_ok(cn_operations_add_broadcast(operations, source, o % 4));
        else
            assert_ok(cn_operations_add(operations, source, destinations, count, o % 4));
    }
    for (uint64_t root = nodes; tree != NULL && root-- > 0;) {
        cn_tree *rule, *stored;
        assert_ok(tree(t, root, &rule));
        assert_ok(cn_tree_arrays(rule, parents, NULL, NULL, MOST, NULL));
        assert_ok(cn_tree_from_parents(t, root, parents, nodes, NULL, &stored));
        assert_ok(cn_operations_set_tree(operations, root % 2 ? rule : stored));
        cn_tree_free(&rule);
        cn_tree_free(&stored);
    }
    return operations;
}

/* The result on the trees that `named` names, and on the same ones given, while `beside` is
 * named. */
static void compare(const cn_topology *t, cn_message_tree named, cn_message_tree beside,
                    tree_fn given)
{
    static const cn_metric same[] = {CN_METRIC_COMPLETION_CYCLES, CN_METRIC_TRANSMISSIONS,
                                     CN_METRIC_CONTENTIONS, CN_METRIC_MEAN_DELAY};
    for (int choice = 0; choice < 32; choice++) {
        int broadcasts = choice >> 1 & 1;
        cn_scenario *scenario = scenario_on(t, choice & 1);
        cn_operations *plain = operations_on(t, broadcasts, NULL);
        cn_operations *treed = operations_on(t, broadcasts, given), *copy;
        cn_result *one, *other;
        assert_ok(cn_operations_copy(treed, &copy));
        cn_operations_free(&treed);
        set(scenario, CN_PARAM_CLUBBING, choice >> 2 & 1);
        set(scenario, CN_PARAM_DETOURS, choice >> 3 & 1);
        set(scenario, CN_PARAM_TRANSIT_BUFFERS, choice >> 4 & 1 ? 7 : 0);
        if (choice & 1)
            set(scenario, CN_PARAM_BUFFER_CLASSES, 1);
        set(scenario, CN_PARAM_TREE, named);
        assert_ok(cn_scenario_set_operations(scenario, plain));
        assert_ok(cn_simulate(scenario, NULL, &one));
        set(scenario, CN_PARAM_TREE, beside);
        assert_ok(cn_scenario_set_operations(scenario, copy));
        assert_ok(cn_simulate(scenario, NULL, &other));
        if (beside == CN_TREE_LEAST_USED) /* with which the lower bound goes by nodes */
            for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
                assert_near(value_of(one, same[i]), value_of(other, same[i]), 0);
        else
            assert_same_result(one, other);
        cn_result_free(&one);
        cn_result_free(&other);
        cn_operations_free(&plain);
        cn_operations_free(&copy);
        cn_scenario_free(&scenario);
    }
}

static void a_tree_by_its_parents_is_the_tree_of_that_name(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube(3, 3, &t));
    compare(t, CN_TREE_BREADTH_FIRST, CN_TREE_BREADTH_FIRST, breadth_first);
    compare(t, CN_TREE_BREADTH_FIRST, CN_TREE_BALANCED, breadth_first);
    compare(t, CN_TREE_BALANCED, CN_TREE_BALANCED, cn_tree_balanced);
    compare(t, CN_TREE_BALANCED, CN_TREE_BREADTH_FIRST, cn_tree_balanced);
    compare(t, CN_TREE_BALANCED, CN_TREE_SPLIT, cn_tree_balanced);
    compare(t, CN_TREE_BALANCED, CN_TREE_LEAST_USED, cn_tree_balanced);
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(4, &t));
    compare(t, CN_TREE_BINOMIAL, CN_TREE_BALANCED, binomial);
    compare(t, CN_TREE_BINOMIAL, CN_TREE_BREADTH_FIRST, binomial);
    cn_topology_free(&t);
    const uint64_t radices[] = {4, 5};
    assert_ok(cn_topology_torus(radices, 2, &t));
    compare(t, CN_TREE_BREADTH_FIRST, CN_TREE_BREADTH_FIRST, breadth_first);
    compare(t, CN_TREE_BREADTH_FIRST, CN_TREE_LEAST_USED, breadth_first);
    cn_topology_free(&t);
}

/* A path around the ring instead of two halves; the later of two trees holds. */
static void the_later_tree_of_a_root_holds(void **state)
{
    (void)state;
    cn_topology *t, *other;
    cn_tree *around, *halves, *wrong;
    cn_operations *operations;
    const uint64_t parents[] = {CN_NO_NODE, 0, 1, 2, 3, 4, 5};
    assert_ok(cn_topology_ring(7, 1, &t));
    assert_ok(cn_topology_ring(8, 1, &other));
    assert_ok(cn_tree_from_parents(t, 0, parents, 7, NULL, &around));
    assert_ok(cn_tree_breadth_first(t, 0, NULL, &halves));
    assert_ok(cn_tree_breadth_first(other, 0, NULL, &wrong));
    assert_ok(cn_operations_new(t, &operations));
    assert_ok(cn_operations_add_broadcast(operations, 0, 0));
    assert_fails(cn_operations_set_tree(operations, wrong), CN_ERR_ARGUMENT, "but the operations");
    assert_fails(cn_operations_set_tree(operations, NULL), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_operations_set_tree(NULL, halves), CN_ERR_ARGUMENT, "operations");
    for (int i = 0; i < 4; i++) {
        cn_scenario *scenario = scenario_on(t, i / 2);
        assert_ok(cn_operations_set_tree(operations, i % 2 ? around : halves));
        assert_ok(cn_scenario_set_operations(scenario, operations));
        assert_near(value_alone(scenario, CN_METRIC_COMPLETION_CYCLES), i % 2 ? 6 : 3, 0);
        cn_scenario_free(&scenario);
    }
    cn_operations_free(&operations);
    cn_tree_free(&around);
    cn_tree_free(&halves);
    cn_tree_free(&wrong);
    cn_topology_free(&t);
    cn_topology_free(&other);
}

/* ---- what does not go ---- */

/* One way: 0 -> 1 -> 2 -> 3. */
static cn_status chain(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    (void)user;
    *neighbor = port == 0 && node < 3 ? node + 1 : CN_NO_NODE;
    return CN_OK;
}

static void a_missing_path_is_named(void **state)
{
    (void)state;
    cn_topology *t;
    cn_operations *operations;
    cn_result *result;
    cn_sim *sim;
    cn_delivery got;
    const uint64_t below[] = {3, 2}, above[] = {3, 0};
    assert_ok(cn_topology_from_function(4, 1, chain, NULL, NULL, &t));
    for (int machine = 0; machine < 2; machine++) {
        cn_scenario *scenario = scenario_on(t, machine);
        assert_ok(cn_operations_new(t, &operations));
        assert_ok(cn_operations_add(operations, 1, below, 2, 1));
        assert_ok(cn_scenario_set_operations(scenario, operations));
        assert_near(value_alone(scenario, CN_METRIC_MESSAGES_DELIVERED), 2, 0);
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_step(sim, 2, NULL));
        assert_fails(cn_sim_inject(sim, 2, 1, 0, 7), CN_ERR_DISCONNECTED,
                     "no path leads from node 2, where an operation starts, to node 1");
        if (machine == 1) /* that of the paper takes no broadcasts beside multicasts */
            assert_fails(cn_sim_inject_broadcast(sim, 1, CN_BASE_OF_SCENARIO, 7),
                         CN_ERR_DISCONNECTED, "to node 0");
        assert_ok(cn_sim_inject(sim, 1, 3, 0, 8));
        assert_ok(cn_sim_step(sim, 20, NULL));
        assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
        assert_int_equal(got.tag, 8);
        assert_int_equal(cn_sim_next_delivery(sim, &got, sizeof got), CN_DONE);
        cn_sim_close(&sim);
        assert_ok(cn_operations_add(operations, 1, above, 2, 3));
        assert_ok(cn_scenario_set_operations(scenario, operations));
        assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_DISCONNECTED,
                     "from node 1, where an operation starts, to node 0 of");
        cn_operations_free(&operations);
        cn_scenario_free(&scenario);
    }
    cn_topology_free(&t);
}

static void what_exists_elsewhere_only_is_refused(void **state)
{
    (void)state;
    cn_topology *t;
    cn_result *result;
    double least, greatest, value;
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &t));
    cn_scenario *scenario = scenario_on(t, 1);
    assert_ok(cn_scenario_range(scenario, CN_PARAM_TREE, &least, &greatest, &value));
    assert_near(least, CN_TREE_LEAST_USED, 0);
    assert_near(value, CN_TREE_BREADTH_FIRST, 0);
    for (int tree = 0; tree < CN_TREE_LEAST_USED; tree++) {
        set(scenario, CN_PARAM_TREE, tree);
        assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                     "has only: least-used, breadth-first");
    }
    set(scenario, CN_PARAM_TREE, CN_TREE_BREADTH_FIRST);
    set(scenario, CN_PARAM_BUFFER_CLASSES, 1);
    set(scenario, CN_PARAM_TRANSIT_BUFFERS, 2); /* the diameter is 4 */
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_ARGUMENT, "needs at least 3");
    set(scenario, CN_PARAM_DETOURS, 1);
    set(scenario, CN_PARAM_TRANSIT_BUFFERS, 6);
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_ARGUMENT, "needs at least 7");
    set(scenario, CN_PARAM_TRANSIT_BUFFERS, 7);
    assert_near(value_alone(scenario, CN_METRIC_MESSAGES_IN_FLIGHT), 0, 0);
    cn_scenario_free(&scenario);
    cn_topology_free(&t);
}

static void trees_are_kept_up_to_a_limit(void **state)
{
    (void)state;
    cn_topology *t;
    void *opened;
    assert_ok(cn_topology_psnn(5, &t));
    cn_scenario *scenario = scenario_on(t, 1);
    set(scenario, CN_PARAM_OPERATIONS, 100);
    assert_ok(cni_collective_kernel.open(scenario, 1, &opened));
    cni_collective *run = opened;
    run->trees.most = 3 * cn_topology_node_count(t);
    assert_fails(cni_collective_kernel.step(opened, 1000), CN_ERR_UNSUPPORTED,
                 "start at more than 3 nodes");
    cni_collective_kernel.close(opened);
    cn_scenario_free(&scenario);
    cn_topology_free(&t);
}

/* ---- many operations ---- */

/* All arrive, threads change nothing, and with classes of buffers there is no deadlock. */
static void random_operations_are_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < network_count(); i++) {
        cn_topology *t = make_network(i);
        uint64_t nodes = cn_topology_node_count(t), diameter;
        assert_ok(cn_topology_diameter(t, NULL, &diameter));
        for (int choice = 0; choice < 16 && nodes <= MOST && nodes > 4; choice++) {
            cn_scenario *scenario = scenario_on(t, choice & 1);
            cn_result *one, *other;
            set(scenario, CN_PARAM_TREE, choice & 8 ? CN_TREE_LEAST_USED : CN_TREE_BREADTH_FIRST);
            set(scenario, CN_PARAM_OPERATIONS, 30);
            set(scenario, CN_PARAM_REPLICATIONS, 4);
            set(scenario, CN_PARAM_DESTINATIONS, choice & 2 ? 3 : 0);
            set(scenario, CN_PARAM_CLUBBING, (choice >> 2 & 1) && choice < 8);
            set(scenario, CN_PARAM_DETOURS, choice >> 2 & 1);
            set(scenario, CN_PARAM_TRANSIT_BUFFERS, (double)(2 * diameter));
            if (choice & 1)
                set(scenario, CN_PARAM_BUFFER_CLASSES, 1);
            assert_ok(cn_simulate(scenario, NULL, &one));
            set(scenario, CN_PARAM_THREADS, 3);
            assert_ok(cn_simulate(scenario, NULL, &other));
            assert_same_result(one, other);
            assert_near(value_of(one, CN_METRIC_MESSAGES_IN_FLIGHT), 0, 0);
            assert_near(value_of(one, CN_METRIC_MESSAGES_DELIVERED),
                        value_of(one, CN_METRIC_MESSAGES_OFFERED), 0);
            assert_true(value_of(one, CN_METRIC_COMPLETION_CYCLES) >=
                        value_of(one, CN_METRIC_LOWER_BOUND_CYCLES));
            if ((choice & 2) == 0)
                assert_near(value_of(one, CN_METRIC_MESSAGES_OFFERED),
                            4.0 * 30 * (double)(nodes - 1), 0);
            cn_result_free(&one);
            cn_result_free(&other);
            cn_scenario_free(&scenario);
        }
        cn_topology_free(&t);
    }
}

static cn_status simulate_small(void *context)
{
    const int *choice = context;
    cn_topology *t = NULL;
    cn_tree *tree = NULL;
    cn_operations *operations = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    cn_status status = cn_topology_psnn(3, &t);
    if (status == CN_OK)
        status = cn_tree_breadth_first(t, 2, NULL, &tree);
    if (status == CN_OK)
        status = cn_operations_new(t, &operations);
    for (uint64_t source = 2; source < 4 && status == CN_OK; source++)
        status = *choice ? cn_operations_add_broadcast(operations, source, 0)
                         : cn_operations_add(operations, source, (uint64_t[]){0, 1}, 2, 0);
    if (status == CN_OK)
        status = cn_operations_set_tree(operations, tree);
    if (status == CN_OK)
        status = cn_scenario_new(t, "collective", &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_MACHINE, CN_MACHINE_PAPER);
    if (status == CN_OK)
        status = cn_scenario_set_operations(scenario, operations);
    if (status == CN_OK)
        status = cn_simulate(scenario, NULL, &result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_operations_free(&operations);
    cn_tree_free(&tree);
    cn_topology_free(&t);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int broadcast = 0; broadcast < 2; broadcast++)
        support_fail_every_allocation(simulate_small, &broadcast);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broadcast_alone_takes_the_eccentricity_of_its_source),
        cmocka_unit_test(a_tree_by_its_parents_is_the_tree_of_that_name),
        cmocka_unit_test(the_later_tree_of_a_root_holds),
        cmocka_unit_test(a_missing_path_is_named),
        cmocka_unit_test(what_exists_elsewhere_only_is_refused),
        cmocka_unit_test(trees_are_kept_up_to_a_limit),
        cmocka_unit_test(random_operations_are_complete),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

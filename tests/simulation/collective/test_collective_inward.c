/* Operations whose messages go to one node (Ginosar & Egozi 1989, 5.2), against counts of messages
 * on their trees. */
#include "support/support.h"

#include <stdio.h>

enum { MOST = 64 };

typedef struct run_of {
    double completion, transmissions, delivered, bound;
} run_of;

static cn_topology *network(int which)
{
    static const char *const names[] = {"hypercube(4)", "psnn(5)",
                                        "star(9)",      "torus([5,5])",
                                        "tree(1,7)",    "generalized_hypercube(k=3,n=3)"};
    cn_topology *t = NULL;
    if (which < (int)(sizeof names / sizeof names[0])) {
        char text[160];
        snprintf(text, sizeof text, "{\"cubenet\":\"topology\",\"format\":1,\"topology\":\"%s\"}",
                 names[which]);
        assert_ok(cn_topology_from_json(text, NULL, &t));
    }
    return t;
}

static cn_scenario *scenario_of(const cn_topology *t, const cn_operations *list, double kind)
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(t, "collective", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_TREE, CN_TREE_BREADTH_FIRST));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_OPERATION_KIND, kind));
    if (list != NULL)
        assert_ok(cn_scenario_set_operations(scenario, list));
    return scenario;
}

static run_of read_result(cn_result *result)
{
    run_of r = {value_of(result, CN_METRIC_COMPLETION_CYCLES),
                value_of(result, CN_METRIC_TRANSMISSIONS),
                value_of(result, CN_METRIC_MESSAGES_DELIVERED),
                value_of(result, CN_METRIC_LOWER_BOUND_CYCLES)};
    assert_near(value_of(result, CN_METRIC_MESSAGES_OFFERED), r.delivered, 0);
    assert_true(r.bound <= r.completion);
    cn_result_free(&result);
    return r;
}

static run_of simulate(const cn_scenario *scenario)
{
    cn_result *result;
    assert_ok(cn_simulate(scenario, NULL, &result));
    return read_result(result);
}

/* Which nodes are to send. The root never is. */
static int sends(uint64_t node, uint64_t root, int some)
{
    return node != root && (!some || node % 3 == 0);
}

/* Of one operation on a tree: in a step every node that has messages sends one to its parent. */
static run_of plain(const uint64_t parents[], size_t nodes, uint64_t root, int some, int kind)
{
    uint64_t here[MOST] = {0}, below[MOST] = {0}, left = 0;
    run_of r = {0, 0, 0, 0};
    for (uint64_t v = 0; v < nodes; v++) {
        here[v] = (uint64_t)sends(v, root, some);
        r.delivered += (double)here[v];
        for (uint64_t u = v; kind == CN_OPERATIONS_CONCENTRATION && here[v] && u != root;
             u = parents[u])
            below[u]++; /* messages that go through it */
    }
    if (kind == CN_OPERATIONS_CONCENTRATION) { /* a node has one when all below have come */
        r.delivered = 0;
        for (uint64_t v = 0; v < nodes; v++)
            r.delivered += below[v] > 0;
        for (uint64_t v = 0; v < nodes; v++)
            here[v] = below[v] == 1 && sends(v, root, some);
        for (uint64_t v = 0; v < nodes; v++)
            for (uint64_t u = 0; u < nodes; u++)
                if (u != root && parents[u] == v && below[u] > 0)
                    here[v] = 0;
    }
    for (uint64_t v = 0; v < nodes; v++)
        left += here[v];
    while (left > 0) {
        uint64_t next[MOST] = {0};
        r.completion++;
        for (uint64_t v = 0; v < nodes; v++) {
            next[v] += here[v] > 0 ? here[v] - 1 : 0;
            if (here[v] == 0)
                continue;
            r.transmissions++;
            below[v] = kind == CN_OPERATIONS_CONCENTRATION ? 0 : below[v];
            if (parents[v] != root)
                next[parents[v]]++;
        }
        left = 0;
        for (uint64_t v = 0; v < nodes; v++) {
            uint64_t waits = 0;
            for (uint64_t u = 0; u < nodes && kind == CN_OPERATIONS_CONCENTRATION; u++)
                waits += u != root && parents[u] == v && below[u] > 0;
            here[v] = kind == CN_OPERATIONS_CONTENTION ? next[v] : next[v] > 0;
            if (kind == CN_OPERATIONS_CONCENTRATION)
                here[v] = v != root && below[v] > 0 && waits == 0;
            left += here[v];
        }
    }
    return r;
}

static void one_operation_is_as_counted(void **state)
{
    (void)state;
    cn_topology *t;
    for (int which = 0; (t = network(which)) != NULL; which++) {
        size_t nodes = (size_t)cn_topology_node_count(t);
        for (uint64_t root = 0; root < nodes; root++)
            for (int choice = 0; choice < 12; choice++) {
                int kind = 1 + choice % 3, some = choice / 3 % 2, one_port = choice / 6;
                uint64_t parents[MOST], chosen[MOST];
                size_t count = 0;
                cn_tree *tree;
                cn_operations *list;
                for (uint64_t v = 0; v < nodes; v++)
                    if (sends(v, root, some))
                        chosen[count++] = v;
                assert_ok(cn_operations_new(t, &list));
                if (some)
                    assert_ok(cn_operations_add(list, root, chosen, count, 0));
                else
                    assert_ok(cn_operations_add_broadcast(list, root, 0));
                assert_ok(cn_tree_breadth_first(t, root, NULL, &tree));
                assert_ok(cn_tree_arrays(tree, parents, NULL, NULL, MOST, NULL));
                assert_ok(cn_operations_set_tree(list, tree));
                cn_scenario *scenario = scenario_of(t, list, kind);
                assert_ok(cn_scenario_set(scenario, CN_PARAM_ONE_PORT, one_port));
                run_of got = simulate(scenario), want = plain(parents, nodes, root, some, kind);
                assert_near(got.completion, want.completion, 0);
                assert_near(got.transmissions, want.transmissions, 0);
                assert_near(got.delivered, want.delivered, 0);
                cn_scenario_free(&scenario);
                cn_operations_free(&list);
                cn_tree_free(&tree);
            }
        cn_topology_free(&t);
    }
}

/* 5.2: what is combined or concentrated takes as long as the farthest node is away, other messages
 * longer. */
static void combined_messages_take_the_distance(void **state)
{
    (void)state;
    cn_topology *t;
    for (int which = 0; (t = network(which)) != NULL; which++) {
        uint64_t nodes = cn_topology_node_count(t), far, most;
        for (uint64_t root = 0; root < nodes; root++) {
            cn_operations *list;
            assert_ok(cn_operations_new(t, &list));
            assert_ok(cn_operations_add_broadcast(list, root, 0));
            most = 0;
            for (uint64_t v = 0; v < nodes; v++) {
                assert_ok(cn_topology_distance(t, v, root, NULL, &far));
                most = far > most ? far : most;
            }
            for (int kind = 1; kind <= 3; kind++) {
                cn_scenario *scenario = scenario_of(t, list, kind);
                run_of r = simulate(scenario);
                if (kind == CN_OPERATIONS_CONTENTION)
                    assert_true(r.completion >= (double)most);
                else
                    assert_near(r.completion, (double)most, 0);
                if (kind == CN_OPERATIONS_CONCENTRATION)
                    assert_near(r.transmissions, (double)nodes - 1, 0);
                cn_scenario_free(&scenario);
            }
            cn_operations_free(&list);
        }
        cn_topology_free(&t);
    }
}

/* Many at once, few buffers, saved and restored in every cycle: the same end. */
static void snapshots_go_on(void **state)
{
    (void)state;
    static uint8_t data[1 << 20];
    for (int choice = 0; choice < 12; choice++) {
        cn_topology *t = network(choice % 2 ? 1 : 5);
        cn_scenario *scenario = scenario_of(t, NULL, 1 + choice / 2 % 3);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_OPERATIONS, 25));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 1));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_DESTINATIONS, choice % 3 ? 9 : 0));
        if (choice >= 6) {
            assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFER_CLASSES, 1));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_TRANSIT_BUFFERS, 7));
        }
        run_of want = simulate(scenario);
        assert_true(want.completion > 20 || want.delivered > 0);
        cn_sim *sim;
        cn_result *result;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        for (int cycle = 0; cycle < (int)want.completion; cycle++) {
            size_t size;
            assert_ok(cn_sim_step(sim, 1, NULL));
            assert_ok(cn_sim_save(sim, data, sizeof data, &size));
            cn_sim_close(&sim);
            assert_ok(cn_sim_restore(scenario, data, size, NULL, &sim));
        }
        assert_ok(cn_sim_result(sim, &result));
        run_of got = read_result(result);
        assert_near(got.completion, want.completion, 0);
        assert_near(got.transmissions, want.transmissions, 0);
        assert_near(got.delivered, want.delivered, 0);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
        cn_topology_free(&t);
    }
}

static void refusals(void **state)
{
    (void)state;
    cn_topology *t = network(5);
    cn_result *result;
    cn_scenario *scenario = scenario_of(t, NULL, CN_OPERATIONS_COMBINING);
    static const struct {
        cn_param param;
        const char *name;
    } excluded[] = {{CN_PARAM_CLUBBING, "clubbing"},
                    {CN_PARAM_DETOURS, "detours"},
                    {CN_PARAM_STATISTICS, "statistics"}};
    for (int i = 0; i < 3; i++) {
        assert_ok(cn_scenario_set(scenario, excluded[i].param, 1));
        assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED, excluded[i].name);
        assert_ok(cn_scenario_set(scenario, excluded[i].param, 0));
    }
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, CN_MACHINE_PAPER));
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "machine");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, CN_MACHINE_CHANNELS));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_TREE, CN_TREE_BALANCED));
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "tree = balanced, but collective has only: breadth-first");
    cn_scenario_free(&scenario);
    cn_topology_free(&t);
    assert_ok(cn_topology_ring(5, 0, &t));
    scenario = scenario_of(t, NULL, CN_OPERATIONS_CONTENTION);
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "ring");
    cn_scenario_free(&scenario);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_operation_is_as_counted),
        cmocka_unit_test(combined_messages_take_the_distance),
        cmocka_unit_test(snapshots_go_on),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

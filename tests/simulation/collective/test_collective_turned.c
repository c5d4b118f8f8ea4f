/* Collective operations on turned trees, and on shortest paths by what the channels were given. */
#include "support/support.h"

#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"
#include "simulation/collective/collective.h"

enum { NODES = 256, OPERATIONS = 9, TURNED = 3, LEAST_USED = 4 };

static cn_scenario *scenario_on(uint64_t k, uint32_t n, double machine, double tree)
{
    cn_topology *topology;
    cn_scenario *scenario;
    assert_ok(cn_topology_generalized_hypercube(k, n, &topology));
    assert_ok(cn_scenario_new(topology, "collective", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, machine));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_TREE, tree));
    cn_topology_free(&topology);
    return scenario;
}

static void set(cn_scenario *scenario, cn_param param, double value)
{
    assert_ok(cn_scenario_set(scenario, param, value));
}

static cn_result *run(const cn_scenario *scenario)
{
    cn_result *result;
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_true(value_of(result, CN_METRIC_COMPLETION_CYCLES) >=
                value_of(result, CN_METRIC_LOWER_BOUND_CYCLES));
    return result;
}

/* ---- who gets what ---- */

static void count_delivery(void *user, uint32_t number, uint32_t node, uint64_t cycle)
{
    uint8_t(*times)[NODES] = user;
    assert_true(cycle > 0);
    times[number][node]++;
}

/* Operation o goes to every (1 + o mod 4)-th node; with `all` the third ones are broadcasts. */
static cn_operations *operations_of(const cn_scenario *scenario, int all,
                                    uint8_t expected[OPERATIONS][NODES])
{
    const cn_topology *topology = scenario->topology;
    uint64_t nodes = cn_topology_node_count(topology), destinations[NODES];
    cn_operations *operations;
    assert_ok(cn_operations_new(topology, &operations));
    memset(expected, 0, sizeof(uint8_t[OPERATIONS][NODES]));
    for (uint64_t o = 0; o < OPERATIONS; o++) {
        uint64_t source = o * 37 % nodes, step = all && o % 3 == 0 ? 1 : 1 + o % 4;
        size_t count = 0;
        for (uint64_t v = 0; v < nodes; v += step)
            if (v != source) {
                destinations[count++] = v;
                expected[o][v] = 1;
            }
        if (all && o % 3 == 0)
            assert_ok(cn_operations_add_broadcast(operations, source, o % 4));
        else
            assert_ok(cn_operations_add(operations, source, destinations, count, o % 4));
    }
    return operations;
}

static void check_delivery(cn_scenario *scenario, int all)
{
    static uint8_t times[OPERATIONS][NODES], expected[OPERATIONS][NODES];
    cn_operations *operations = operations_of(scenario, all, expected);
    assert_ok(cn_scenario_set_operations(scenario, operations));
    cn_operations_free(&operations);
    memset(times, 0, sizeof times);
    void *state;
    assert_ok(cni_collective_kernel.open(scenario, 1, &state));
    ((cni_collective *)state)->witness = count_delivery;
    ((cni_collective *)state)->witness_user = times;
    do
        assert_ok(cni_collective_kernel.step(state, 1));
    while (cni_collective_kernel.next_event(state) != CN_NEVER);
    assert_memory_equal(times, expected, sizeof times);
    cni_collective_kernel.close(state);
}

static void every_destination_once_and_nobody_else(void **state)
{
    (void)state;
    static const uint64_t shapes[][2] = {{4, 4}, {3, 5}, {16, 2}, {2, 6}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int choice = 0; choice < 16; choice++) {
            int machine = choice & 1;
            cn_scenario *scenario = scenario_on(shapes[i][0], (uint32_t)shapes[i][1], machine,
                                                choice & 2 ? TURNED : LEAST_USED);
            set(scenario, CN_PARAM_CLUBBING, choice >> 2 & 1);
            set(scenario, CN_PARAM_DETOURS, choice >> 3 & 1);
            set(scenario, CN_PARAM_TRANSIT_BUFFERS, 11);
            if (machine == 1)
                set(scenario, CN_PARAM_BUFFER_CLASSES, 1);
            check_delivery(scenario, machine);
            cn_scenario_free(&scenario);
        }
}

/* ---- paths ---- */

/* The paths are as short as on the balanced tree, and the tree of a broadcast has as many edges. */
static void paths_are_shortest(void **state)
{
    (void)state;
    double transmissions[5];
    for (int all = 0; all < 2; all++) {
        for (int tree = 0; tree <= LEAST_USED; tree++) {
            if (tree == 1 || tree == 2)
                continue;
            cn_scenario *scenario = scenario_on(4, 4, 1, tree);
            set(scenario, CN_PARAM_OPERATIONS, 20);
            set(scenario, CN_PARAM_DESTINATIONS, all ? 0 : 50);
            set(scenario, CN_PARAM_DESTINATION_CHOICE, CN_DESTINATIONS_UNIFORM);
            cn_result *result = run(scenario);
            transmissions[tree] = value_of(result, CN_METRIC_TRANSMISSIONS);
            cn_result_free(&result);
            cn_scenario_free(&scenario);
        }
        assert_near(transmissions[TURNED], transmissions[0], 0);
        assert_near(transmissions[LEAST_USED], transmissions[0], 0);
        if (all)
            assert_near(transmissions[0], 20 * 255, 0);
    }
}

/* A plan is a tree of shortest paths in which every branch ends at a destination: a copy that leads
 * to none might still be under way when its operation is complete. */
static void check_plan(const cni_tree_routes *routes, const cni_plan *plan, size_t pieces)
{
    static uint32_t level[2 * NODES];
    size_t delivering = 0;
    level[0] = 0;
    for (uint32_t p = 0; p < plan->places; p++) {
        uint32_t first = plan->place[p].first, end = plan->place[p + 1].first;
        delivering += plan->place[p].delivers;
        assert_true(first < end || plan->place[p].delivers);
        for (uint32_t child = first; child < end; child++)
            level[child] = level[p] + 1;
        assert_true(level[p] <= plan->height && plan->height <= routes->columns);
    }
    assert_int_equal(delivering, pieces);
}

static void every_branch_of_a_plan_ends_at_a_destination(void **state)
{
    (void)state;
    static const uint64_t shapes[][2] = {{4, 3}, {3, 4}, {2, 6}, {6, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (uint32_t tree = 0; tree <= 3; tree++) {
            cn_topology *topology;
            cni_tree_routes routes = {0};
            cni_planner planner = {0};
            assert_ok(
                cn_topology_generalized_hypercube(shapes[i][0], (uint32_t)shapes[i][1], &topology));
            assert_ok(cni_tree_routes_open(topology, tree, NULL, &routes));
            assert_ok(cni_planner_open(&routes, &planner));
            for (uint32_t step = 1; step < routes.nodes; step++)
                for (uint32_t turn = 0; turn < (tree == TURNED ? routes.columns : 1); turn++) {
                    uint32_t relative[NODES], count = 0;
                    size_t pieces = 0;
                    for (uint32_t v = step; v < routes.nodes; v += step, count++) {
                        relative[count] = v;
                        pieces += cni_pieces(&routes, v);
                    }
                    cni_plan *plan;
                    assert_ok(cni_plan_make(&routes, &planner, &(cni_paths){.turn = turn}, relative,
                                            count, &plan));
                    check_plan(&routes, plan, pieces);
                    cni_release(plan);
                }
            cni_planner_close(&planner);
            cni_tree_routes_close(&routes);
            cn_topology_free(&topology);
        }
}

/* Nodes that send over one port at a time keep copies waiting until long after most have
 * arrived. */
static void clubbed_multicasts_on_turned_trees_end_well(void **state)
{
    (void)state;
    static const uint64_t shapes[][2] = {{2, 5}, {3, 3}, {4, 3}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int choice = 0; choice < 8; choice++) {
            cn_scenario *scenario =
                scenario_on(shapes[i][0], (uint32_t)shapes[i][1], choice & 1, TURNED);
            double transmissions[2];
            set(scenario, CN_PARAM_ONE_PORT, choice & 1);
            set(scenario, CN_PARAM_DESTINATION_CHOICE, choice >> 1);
            set(scenario, CN_PARAM_DESTINATIONS, 12);
            set(scenario, CN_PARAM_OPERATIONS, 40);
            for (int clubbing = 0; clubbing < 2; clubbing++) {
                set(scenario, CN_PARAM_CLUBBING, clubbing);
                cn_result *result = run(scenario);
                transmissions[clubbing] = value_of(result, CN_METRIC_TRANSMISSIONS);
                assert_near(value_of(result, CN_METRIC_MESSAGES_IN_FLIGHT), 0, 0);
                cn_result_free(&result);
            }
            assert_true(transmissions[1] < transmissions[0]);
            cn_scenario_free(&scenario);
        }
}

/* Each of the n turns takes its part of the operations, and none of them is idle. */
static void turns_are_drawn_evenly(void **state)
{
    (void)state;
    cn_scenario *scenario = scenario_on(3, 4, 1, TURNED);
    set(scenario, CN_PARAM_OPERATIONS, 400);
    void *opened;
    assert_ok(cni_collective_kernel.open(scenario, 7, &opened));
    const cni_collective *collective = opened;
    size_t drawn[4] = {0};
    for (size_t i = 0; i < 400; i++) {
        uint32_t turn = cni_collective_random_turn(collective, &collective->operation[i]);
        assert_true(turn < 4);
        drawn[turn]++;
    }
    for (size_t turn = 0; turn < 4; turn++) /* 100, standard deviation 8.7 */
        assert_true(drawn[turn] > 65 && drawn[turn] < 135);
    cni_collective_kernel.close(opened);
    cn_scenario_free(&scenario);
}

/* ---- what it gives ---- */

static double completion_of(double tree, double destinations, double choice, double machine)
{
    cn_scenario *scenario = scenario_on(5, 4, machine, tree);
    set(scenario, CN_PARAM_OPERATIONS, 100);
    set(scenario, CN_PARAM_DESTINATIONS, destinations);
    set(scenario, CN_PARAM_DESTINATION_CHOICE, choice);
    set(scenario, CN_PARAM_TRANSIT_BUFFERS, 0);
    cn_result *result = run(scenario);
    double cycles = value_of(result, CN_METRIC_COMPLETION_CYCLES);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return cycles;
}

/* The machine of channels is done much earlier where the load is spread over the shortest paths. */
static void spreading_saves_cycles(void **state)
{
    (void)state;
    double tree = completion_of(0, 78, 3, 1), turned = completion_of(TURNED, 78, 3, 1),
           spread = completion_of(LEAST_USED, 78, 3, 1);
    assert_true(turned < tree);
    assert_true(spread < 0.6 * tree);
    assert_true(completion_of(LEAST_USED, 78, 0, 1) < 0.8 * completion_of(0, 78, 0, 1));
}

/* ---- the same bits ---- */

/* A list that is run on trees turned at random is a random experiment; on fixed trees it is
 * none. */
static void lists_on_turned_trees_are_random(void **state)
{
    (void)state;
    for (int tree = 0; tree < 5; tree++) {
        static uint8_t expected[OPERATIONS][NODES];
        uint64_t k = tree == 2 ? 2 : 3, samples;
        cn_scenario *scenario = scenario_on(k, tree == 2 ? 6 : 4, 1, tree);
        cn_operations *operations = operations_of(scenario, 0, expected);
        assert_ok(cn_scenario_set_operations(scenario, operations));
        cn_result *result = run(scenario);
        assert_ok(cn_result_samples(result, CN_METRIC_COMPLETION_CYCLES, &samples));
        assert_int_equal(samples, tree == TURNED ? 20 : 1);
        assert_true((half_width_of(result, CN_METRIC_CONTENTIONS) > 0) == (tree == TURNED));
        cn_result_free(&result);
        cn_operations_free(&operations);
        cn_scenario_free(&scenario);
    }
}

static void threads_and_cuts_do_not_matter(void **state)
{
    (void)state;
    for (int tree = TURNED; tree <= LEAST_USED; tree++)
        for (int clubbing = 0; clubbing < 2; clubbing++) {
            cn_scenario *scenario = scenario_on(4, 3, 1, tree);
            set(scenario, CN_PARAM_OPERATIONS, 40);
            set(scenario, CN_PARAM_DESTINATIONS, 20);
            set(scenario, CN_PARAM_CLUBBING, clubbing);
            cn_result *one = run(scenario), *many;
            set(scenario, CN_PARAM_THREADS, 3);
            many = run(scenario);
            assert_same_result(one, many);
            cn_result_free(&one);
            cn_result_free(&many);
            cn_sim *whole, *cut;
            assert_ok(cn_sim_open(scenario, NULL, &whole));
            assert_ok(cn_sim_open(scenario, NULL, &cut));
            assert_ok(cn_sim_step(whole, 60, NULL));
            for (uint64_t left = 60, part = 1; left > 0; left -= part, part = 1 + left % 3) {
                part = part < left ? part : left;
                assert_ok(cn_sim_step(cut, part, NULL));
            }
            assert_ok(cn_sim_result(whole, &one));
            assert_ok(cn_sim_result(cut, &many));
            assert_same_result(one, many);
            cn_result_free(&one);
            cn_result_free(&many);
            cn_sim_close(&whole);
            cn_sim_close(&cut);
            cn_scenario_free(&scenario);
        }
}

static cn_status simulate_small(void *context)
{
    const int *tree_and_all = context;
    const struct {
        cn_param param;
        double value;
    } values[] = {
        {CN_PARAM_MACHINE, CN_MACHINE_CHANNELS},
        {CN_PARAM_TREE, tree_and_all[0]},
        {CN_PARAM_OPERATIONS, 6},
        {CN_PARAM_DESTINATIONS, tree_and_all[1] ? 0 : 9},
        {CN_PARAM_CLUBBING, 1},
        {CN_PARAM_REPLICATIONS, 1},
    };
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    cn_status status = cn_topology_generalized_hypercube(3, 3, &topology);
    if (status == CN_OK)
        status = cn_scenario_new(topology, "collective", &scenario);
    for (size_t i = 0; i < sizeof values / sizeof values[0] && status == CN_OK; i++)
        status = cn_scenario_set(scenario, values[i].param, values[i].value);
    if (status == CN_OK)
        status = cn_simulate(scenario, NULL, &result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int tree = TURNED; tree <= LEAST_USED; tree++)
        for (int all = 0; all < 2; all++)
            support_fail_every_allocation(simulate_small, (int[]){tree, all});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_destination_once_and_nobody_else),
        cmocka_unit_test(paths_are_shortest),
        cmocka_unit_test(every_branch_of_a_plan_ends_at_a_destination),
        cmocka_unit_test(clubbed_multicasts_on_turned_trees_end_well),
        cmocka_unit_test(turns_are_drawn_evenly),
        cmocka_unit_test(spreading_saves_cycles),
        cmocka_unit_test(lists_on_turned_trees_are_random),
        cmocka_unit_test(threads_and_cuts_do_not_matter),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

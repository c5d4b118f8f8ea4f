/* What must hold of collective operations, whatever the machine; driven through the public
 * interface. */
#include "support/support.h"

#include <string.h>

#include "base/random.h"
#include "simulation/collective/collective.h"

static cn_topology *generalized(uint64_t k, uint32_t n)
{
    cn_topology *topology;
    assert_ok(cn_topology_generalized_hypercube(k, n, &topology));
    return topology;
}

typedef struct pair {
    cn_param param;
    double value;
} pair;

/* Takes the topology. The pairs end with one of zeros. */
static cn_scenario *scenario_on(cn_topology *topology, const pair pairs[])
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(topology, "collective", &scenario));
    for (size_t i = 0; pairs[i].param != 0; i++)
        assert_ok(cn_scenario_set(scenario, pairs[i].param, pairs[i].value));
    cn_topology_free(&topology);
    return scenario;
}

static void set(cn_scenario *scenario, cn_param param, double value)
{
    assert_ok(cn_scenario_set(scenario, param, value));
}

static double metric_of(const cn_scenario *scenario, cn_metric metric)
{
    cn_result *result;
    assert_ok(cn_simulate(scenario, NULL, &result));
    double value = value_of(result, metric);
    cn_result_free(&result);
    return value;
}

/* ---- who gets what ---- */

enum { NODES = 256, OPERATIONS = 12 };

static void count_delivery(void *user, uint32_t number, uint32_t node, uint64_t cycle)
{
    uint8_t(*times)[NODES] = user;
    assert_true(cycle > 0);
    times[number][node]++;
}

/* A third of the operations go to all, if they may; the others to every `stride`-th node. */
static cn_operations *some_operations(const cn_topology *topology, int broadcasts)
{
    uint64_t nodes = cn_topology_node_count(topology);
    cn_operations *operations;
    assert_ok(cn_operations_new(topology, &operations));
    for (uint64_t o = 0; o < OPERATIONS; o++) {
        uint64_t source = o * 37 % nodes, destinations[NODES], count = 0;
        for (uint64_t v = (source + 1) % nodes; v != source && count < nodes / 2;
             v = (v + 1) % nodes)
            if (v % (1 + o % 3) == 0)
                destinations[count++] = v;
        if (broadcasts && o % 3 == 0)
            assert_ok(cn_operations_add_broadcast(operations, source, o % 4));
        else
            assert_ok(cn_operations_add(operations, source, destinations, count, o % 4));
    }
    return operations;
}

static void check_who_got_it(const cn_operations *operations, uint64_t nodes,
                             uint8_t times[OPERATIONS][NODES])
{
    for (size_t o = 0; o < OPERATIONS; o++) {
        uint64_t source, destinations[NODES];
        size_t count;
        uint8_t expected[NODES] = {0};
        assert_ok(cn_operations_get(operations, o, destinations, NODES, &count, &source, NULL));
        for (uint64_t v = 0; v < nodes && count == 0; v++)
            expected[v] = v != source;
        for (size_t i = 0; i < count; i++)
            expected[destinations[i]] = 1;
        assert_memory_equal(times[o], expected, sizeof expected);
    }
}

static void check_delivery(cn_topology *topology, const pair pairs[])
{
    cn_scenario *scenario = scenario_on(topology, pairs);
    double machine;
    assert_ok(cn_scenario_get(scenario, CN_PARAM_MACHINE, &machine));
    cn_operations *operations = some_operations(topology, machine == 1);
    assert_ok(cn_scenario_set_operations(scenario, operations));
    uint8_t times[OPERATIONS][NODES] = {{0}};
    void *state;
    assert_ok(cni_collective_kernel.open(scenario, 1, &state));
    ((cni_collective *)state)->witness = count_delivery;
    ((cni_collective *)state)->witness_user = times;
    do
        assert_ok(cni_collective_kernel.step(state, 1));
    while (cni_collective_kernel.next_event(state) != CN_NEVER);
    check_who_got_it(operations, ((cni_collective *)state)->routes.nodes, times);
    cni_collective_kernel.close(state);
    cn_operations_free(&operations);
    cn_scenario_free(&scenario);
}

static void every_destination_once_and_nobody_else(void **state)
{
    (void)state;
    for (int choice = 0; choice < 48; choice++) {
        pair pairs[] = {{CN_PARAM_MACHINE, choice & 1},
                        {CN_PARAM_CLUBBING, choice >> 1 & 1},
                        {CN_PARAM_DETOURS, choice >> 2 & 1},
                        {CN_PARAM_TRANSIT_BUFFERS, choice >> 3 & 1 ? 9 : 0},
                        {CN_PARAM_BUFFER_CLASSES, choice & choice >> 3 & 1},
                        {CN_PARAM_TREE, choice >> 4},
                        {0, 0}};
        if (choice >> 4 < 2) {
            check_delivery(generalized(4, 4), pairs);
            check_delivery(generalized(6, 2), pairs);
            check_delivery(generalized(9, 1), pairs);
        }
        check_delivery(generalized(2, 5), pairs);
    }
}

/* ---- how long ---- */

/* Nothing holds anything up: the last operation's depth after its start. */
static void without_limits_it_takes_the_last_start_and_the_depth(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
    } networks[] = {{4, 3}, {8, 2}, {2, 6}, {5, 1}};
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++)
        for (int choice = 0; choice < 8; choice++) {
            pair pairs[] = {{CN_PARAM_MACHINE, choice & 1},   {CN_PARAM_TREE, choice >> 1 & 1},
                            {CN_PARAM_CLUBBING, choice >> 2}, {CN_PARAM_CHANNEL_CAPACITY, 0},
                            {CN_PARAM_OPERATIONS, 150},       {0, 0}};
            cn_topology *topology = generalized(networks[i].k, networks[i].n);
            cn_scenario *scenario = scenario_on(topology, pairs);
            cn_result *result;
            assert_ok(
                cn_simulate(scenario, NULL, &result)); /* broadcasts; one starts in cycle 20 */
            assert_near(value_of(result, CN_METRIC_COMPLETION_CYCLES), 20 + networks[i].n, 0);
            assert_near(half_width_of(result, CN_METRIC_COMPLETION_CYCLES), 0, 0);
            assert_near(value_of(result, CN_METRIC_LOWER_BOUND_CYCLES), 20 + networks[i].n, 0);
            assert_near(value_of(result, CN_METRIC_OPERATION_CYCLES), networks[i].n, 0);
            assert_near(value_of(result, CN_METRIC_CONTENTIONS), 0, 0);
            cn_result_free(&result);
            cn_scenario_free(&scenario);
        }
}

static void a_lone_multicast_takes_the_distance_of_the_farthest(void **state)
{
    (void)state;
    cn_topology *topology = generalized(3, 4);
    cn_operations *operations;
    static const uint64_t destinations[] = {4, 40, 44, 30}; /* 0011 1111 1122 1010 */
    assert_ok(cn_operations_new(topology, &operations));
    assert_ok(cn_operations_add(operations, 0, destinations, 4, 1000000000));
    for (int machine = 0; machine < 2; machine++) {
        pair pairs[] = {{CN_PARAM_MACHINE, machine}, {CN_PARAM_CLUBBING, 1}, {0, 0}};
        cn_scenario *scenario = scenario_on(generalized(3, 4), pairs);
        assert_ok(cn_scenario_set_operations(scenario, operations));
        cn_result *result;
        assert_ok(cn_simulate(scenario, NULL, &result)); /* and the wait costs no time */
        assert_near(value_of(result, CN_METRIC_COMPLETION_CYCLES), 1000000004, 0);
        assert_near(value_of(result, CN_METRIC_OPERATION_CYCLES), 4, 0);
        assert_near(half_width_of(result, CN_METRIC_OPERATION_CYCLES), 0, 0);
        assert_near(value_of(result, CN_METRIC_MESSAGES_DELIVERED), 4, 0);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
    cn_topology_free(&topology);
    cn_operations_free(&operations);
}

/* One broadcast from a node that sends over one port at a time needs n cycles on the binomial tree,
 * with the largest subtree first. */
static void a_one_port_broadcast_on_the_binomial_tree_takes_n_cycles(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 10; n++) {
        pair pairs[] = {{CN_PARAM_MACHINE, CN_MACHINE_CHANNELS},
                        {CN_PARAM_TREE, CN_TREE_BINOMIAL},
                        {CN_PARAM_ONE_PORT, 1},
                        {CN_PARAM_OPERATIONS, 1},
                        {0, 0}};
        cn_scenario *scenario = scenario_on(generalized(2, n), pairs);
        assert_near(metric_of(scenario, CN_METRIC_OPERATION_CYCLES), n, 0);
        cn_scenario_free(&scenario);
    }
}

/* The loads of all channels follow from the trees; no channel is done before it has carried its
 * load. */
static void channels_carry_what_the_trees_say(void **state)
{
    (void)state;
    enum { SIDE = 125, DEGREE = 12, CHANNELS = SIDE * DEGREE };
    cn_topology *topology = generalized(5, 3);
    cn_operations *operations;
    uint64_t expected[CHANNELS] = {0}, loads[CHANNELS], most = 0;
    assert_ok(cn_operations_new(topology, &operations));
    for (uint64_t source = 0; source < SIDE; source += 3) {
        cn_tree *tree;
        uint64_t parents[SIDE];
        assert_ok(cn_operations_add_broadcast(operations, source, 0));
        assert_ok(cn_tree_balanced(topology, source, &tree));
        assert_ok(cn_tree_arrays(tree, parents, NULL, NULL, SIDE, NULL));
        for (uint64_t v = 0; v < SIDE; v++)
            for (uint32_t port = 0; v != source && port < DEGREE; port++) {
                uint64_t neighbor;
                assert_ok(cn_topology_neighbor(topology, parents[v], port, &neighbor));
                expected[parents[v] * DEGREE + port] += neighbor == v;
            }
        cn_tree_free(&tree);
    }
    pair pairs[] = {{CN_PARAM_MACHINE, CN_MACHINE_CHANNELS}, {0, 0}};
    cn_scenario *scenario = scenario_on(topology, pairs);
    assert_ok(cn_scenario_set_operations(scenario, operations));
    cn_sim *sim;
    size_t count;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, 1000, NULL));
    assert_fails(cn_sim_channel_loads(sim, loads, 7, &count), CN_ERR_CAPACITY, "1500");
    assert_int_equal(count, CHANNELS);
    assert_ok(cn_sim_channel_loads(sim, loads, CHANNELS, &count));
    assert_memory_equal(loads, expected, sizeof loads);
    for (size_t c = 0; c < CHANNELS; c++)
        most = loads[c] > most ? loads[c] : most;
    cn_result *result;
    assert_ok(cn_sim_result(sim, &result));
    assert_near(value_of(result, CN_METRIC_PEAK_CHANNEL_LOAD), (double)most, 0);
    double bound = value_of(result, CN_METRIC_LOWER_BOUND_CYCLES);
    assert_true(bound >= (double)most && bound >= 3);
    assert_true(value_of(result, CN_METRIC_COMPLETION_CYCLES) >= bound);
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_operations_free(&operations);
    cn_scenario_free(&scenario);
}

static void more_buffers_do_not_take_more_cycles_in_the_mean(void **state)
{
    (void)state;
    static const double buffers[] = {2, 3, 4, 6, 8, 16, 64, 0};
    for (int choice = 0; choice < 4; choice++) {
        pair pairs[] = {{CN_PARAM_MACHINE, choice & 1},
                        {CN_PARAM_BUFFER_CLASSES, choice & 1},
                        {CN_PARAM_DESTINATIONS, choice >> 1 ? 31 : 0},
                        {CN_PARAM_OPERATIONS, 120},
                        {0, 0}};
        cn_scenario *scenario = scenario_on(generalized(5, 3), pairs);
        double before = 1e9;
        for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
            cn_result *result;
            set(scenario, CN_PARAM_TRANSIT_BUFFERS, buffers[i]);
            assert_ok(cn_simulate(scenario, NULL, &result));
            double cycles = value_of(result, CN_METRIC_COMPLETION_CYCLES);
            assert_true(cycles <= before);
            assert_true(cycles >= value_of(result, CN_METRIC_LOWER_BOUND_CYCLES));
            if (choice & 1 && buffers[i] > 0)
                assert_true(value_of(result, CN_METRIC_PEAK_BUFFER_USE) <= buffers[i]);
            before = cycles;
            cn_result_free(&result);
        }
        cn_scenario_free(&scenario);
    }
}

/* ---- clubbing ---- */

static void clubbing_saves_transmissions(void **state)
{
    (void)state;
    for (int machine = 0; machine < 2; machine++)
        for (double destinations = 1; destinations <= 63; destinations += 4) {
            pair pairs[] = {{CN_PARAM_MACHINE, machine},
                            {CN_PARAM_DESTINATIONS, destinations},
                            {CN_PARAM_DESTINATION_CHOICE, CN_DESTINATIONS_UNIFORM},
                            {CN_PARAM_OPERATIONS, 20},
                            {CN_PARAM_REPLICATIONS, 1},
                            {0, 0}};
            cn_scenario *scenario = scenario_on(generalized(4, 3), pairs);
            double separate = metric_of(scenario, CN_METRIC_TRANSMISSIONS);
            set(scenario, CN_PARAM_CLUBBING, 1);
            double clubbed = metric_of(scenario, CN_METRIC_TRANSMISSIONS);
            assert_true(clubbed <= separate);
            assert_true(clubbed >= 20 * destinations);
            if (destinations == 1)
                assert_near(clubbed, separate, 0);
            if (destinations == 61) { /* to all others: the edges of the tree */
                set(scenario, CN_PARAM_DESTINATIONS, 63);
                assert_near(metric_of(scenario, CN_METRIC_TRANSMISSIONS), 20 * 63, 0);
            }
            set(scenario, CN_PARAM_DESTINATIONS, 0);
            assert_near(metric_of(scenario, CN_METRIC_TRANSMISSIONS), 20 * 63, 0);
            cn_scenario_free(&scenario);
        }
}

/* With split messages there are as many copies as the spanning graph has elements but the root. */
static void split_messages_use_every_edge_of_the_spanning_graph(void **state)
{
    (void)state;
    pair pairs[] = {{CN_PARAM_MACHINE, CN_MACHINE_CHANNELS},
                    {CN_PARAM_TREE, CN_TREE_SPLIT},
                    {CN_PARAM_REPLICATIONS, 1},
                    {0, 0}};
    cn_scenario *scenario = scenario_on(generalized(3, 3), pairs);
    /* GH(3,3) has 1 + 2 + 2 necklaces but that of 0, each unfolded to 6 elements */
    assert_near(metric_of(scenario, CN_METRIC_TRANSMISSIONS), 5 * 6, 0);
    assert_near(metric_of(scenario, CN_METRIC_MESSAGES_DELIVERED), 26, 0);
    cn_scenario_free(&scenario);
}

/* ---- adaptive routing ---- */

static void assert_same_runs(const cn_scenario *one, const cn_scenario *other)
{
    cn_result *a, *b;
    assert_ok(cn_simulate(one, NULL, &a));
    assert_ok(cn_simulate(other, NULL, &b));
    assert_same_result(a, b);
    cn_result_free(&a);
    cn_result_free(&b);
}

/* Neighbours in a Boolean cube have no neighbour in common: there is nothing to choose. And where
 * no copy ever waits nothing is chosen. */
static void adaptive_routing_without_a_choice_is_deterministic(void **state)
{
    (void)state;
    pair pairs[] = {{CN_PARAM_DESTINATIONS, 20}, {CN_PARAM_OPERATIONS, 50}, {0, 0}};
    for (int machine = 0; machine < 2; machine++) {
        cn_scenario *plain = scenario_on(generalized(2, 6), pairs);
        cn_scenario *adaptive = scenario_on(generalized(2, 6), pairs);
        set(plain, CN_PARAM_MACHINE, machine);
        set(adaptive, CN_PARAM_MACHINE, machine);
        set(adaptive, CN_PARAM_DETOURS, 1);
        assert_same_runs(plain, adaptive);
        cn_scenario_free(&plain);
        cn_scenario_free(&adaptive);
    }
}

/* The copies of a source crowd some of its channels and leave others empty: going round helps. */
static void adaptive_routing_goes_round(void **state)
{
    (void)state;
    pair pairs[] = {{CN_PARAM_MACHINE, CN_MACHINE_CHANNELS},
                    {CN_PARAM_DESTINATIONS, 32},
                    {CN_PARAM_OPERATIONS, 200},
                    {0, 0}};
    cn_scenario *scenario = scenario_on(generalized(8, 3), pairs);
    double cycles = metric_of(scenario, CN_METRIC_COMPLETION_CYCLES);
    double transmissions = metric_of(scenario, CN_METRIC_TRANSMISSIONS);
    set(scenario, CN_PARAM_DETOURS, 1);
    assert_true(metric_of(scenario, CN_METRIC_COMPLETION_CYCLES) < 0.9 * cycles);
    assert_true(metric_of(scenario, CN_METRIC_TRANSMISSIONS) > transmissions);
    cn_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_destination_once_and_nobody_else),
        cmocka_unit_test(without_limits_it_takes_the_last_start_and_the_depth),
        cmocka_unit_test(a_lone_multicast_takes_the_distance_of_the_farthest),
        cmocka_unit_test(a_one_port_broadcast_on_the_binomial_tree_takes_n_cycles),
        cmocka_unit_test(channels_carry_what_the_trees_say),
        cmocka_unit_test(more_buffers_do_not_take_more_cycles_in_the_mean),
        cmocka_unit_test(clubbing_saves_transmissions),
        cmocka_unit_test(split_messages_use_every_edge_of_the_spanning_graph),
        cmocka_unit_test(adaptive_routing_without_a_choice_is_deterministic),
        cmocka_unit_test(adaptive_routing_goes_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

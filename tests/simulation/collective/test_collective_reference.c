/* The simulator of collective operations against the slow and plain one, bit for bit: every
 * delivery, every channel, every count. */
#include "simulation/collective_reference.h"

#include <string.h>

#include "base/random.h"
#include "simulation/collective/collective.h"

static uint64_t draw(uint64_t seed, uint64_t *index, uint64_t bound)
{
    return cni_random_below((uint32_t)(cni_random_word(seed, (*index)++) >> 32), (uint32_t)bound);
}

/* broadcasts: 0 none, 1 all, 2 some. */
static cn_operations *random_operations(const cn_topology *topology, uint64_t seed, size_t count,
                                        int broadcasts)
{
    uint64_t nodes = cn_topology_node_count(topology), index = 0;
    cn_operations *operations;
    assert_ok(cn_operations_new(topology, &operations));
    for (size_t o = 0; o < count; o++) {
        uint64_t source = draw(seed, &index, nodes), start = draw(seed, &index, 6);
        if (broadcasts == 1 || (broadcasts == 2 && o % 3 == 0)) {
            assert_ok(cn_operations_add_broadcast(operations, source, start));
            continue;
        }
        uint64_t destinations[REFERENCE_NODES];
        size_t chosen = 0, wanted = 1 + (size_t)draw(seed, &index, nodes - 1);
        for (uint64_t node = 0; node < nodes && chosen < wanted; node++)
            if (node != source && draw(seed, &index, nodes) < wanted)
                destinations[chosen++] = node;
        if (chosen == 0)
            destinations[chosen++] = (source + 1) % nodes;
        for (size_t i = chosen; i > 1; i--) { /* in any order */
            size_t j = (size_t)draw(seed, &index, i);
            uint64_t swapped = destinations[j];
            destinations[j] = destinations[i - 1];
            destinations[i - 1] = swapped;
        }
        assert_ok(cn_operations_add(operations, source, destinations, chosen, start));
    }
    return operations;
}

static cn_scenario *scenario_of(const cn_topology *topology, const cn_operations *operations,
                                const reference_setting *setting)
{
    const struct {
        cn_param param;
        double value;
    } values[] = {
        {CN_PARAM_MACHINE, setting->machine},
        {CN_PARAM_TREE, setting->least_used ? CN_TREE_LEAST_USED : setting->tree},
        {CN_PARAM_CLUBBING, setting->clubbing},
        {CN_PARAM_DETOURS, setting->adaptive},
        {CN_PARAM_ONE_PORT, setting->one_port},
        {CN_PARAM_BUFFER_CLASSES, setting->buffer_classes},
        {CN_PARAM_TRANSIT_BUFFERS, (double)setting->buffers},
        {CN_PARAM_CHANNEL_CAPACITY, (double)setting->channel_capacity},
        {CN_PARAM_STATISTICS, 1},
    };
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(topology, "collective", &scenario));
    assert_ok(cn_scenario_set_operations(scenario, operations));
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_ok(cn_scenario_set(scenario, values[i].param, values[i].value));
    return scenario;
}

static void witness(void *user, uint32_t number, uint32_t node, uint64_t cycle)
{
    uint64_t(*arrived)[REFERENCE_NODES] = user;
    assert_int_equal(arrived[number][node], 0);
    arrived[number][node] = cycle;
}

/* A message is delivered to a node of which there is an arrival, and waits from its start until
 * then. */
static void compare_nodes(const cni_collective *run, const cn_operations *operations,
                          uint64_t arrived[][REFERENCE_NODES])
{
    static uint64_t accepted[REFERENCE_NODES], delivered[REFERENCE_NODES], queue[REFERENCE_NODES];
    static uint64_t nodes[REFERENCE_NODES];
    cni_counts counts = {0};
    uint64_t transmissions = 0, hops = 0;
    assert_ok(cni_counts_open(run->scenario->topology, &counts));
    cni_collective_kernel.read(run, &counts);
    cni_counts_settle(&counts);
    memset(accepted, 0, sizeof accepted);
    memset(delivered, 0, sizeof delivered);
    memset(queue, 0, sizeof queue);
    for (size_t i = 0; i < cn_operations_count(operations); i++) {
        uint64_t source, start;
        assert_ok(cn_operations_get(operations, i, nodes, REFERENCE_NODES, NULL, &source, &start));
        for (uint64_t node = 0; node < counts.nodes; node++) {
            if (arrived[i][node] == 0)
                continue;
            accepted[source]++;
            delivered[node]++;
            queue[source] += arrived[i][node] - start;
        }
    }
    for (uint64_t node = 0; node < counts.nodes; node++) {
        assert_int_equal(counts.offered[node], accepted[node]);
        assert_int_equal(counts.accepted[node], accepted[node]);
        assert_int_equal(counts.delivered[node], delivered[node]);
        assert_int_equal(counts.queue[node], queue[node]);
    }
    for (uint64_t channel = 0; channel < counts.nodes * counts.ports; channel++)
        transmissions += counts.load[channel];
    for (uint64_t value = 0; value < CNI_HISTOGRAM_EXACT; value++)
        hops += value * counts.hops->bin[value];
    assert_int_equal(transmissions, run->total[CNI_COUNT_TRANSMISSIONS]);
    assert_int_equal(counts.hops->total, run->total[CNI_COUNT_DELIVERED]);
    int is_separate = !run->clubbing && run->routes.shorts == 0; /* a copy for each message */
    for (size_t i = 0; i < run->operations; i++)
        is_separate = is_separate && !run->operation[i].broadcast;
    if (is_separate)
        assert_int_equal(hops, transmissions);
    assert_null(counts.broadcasts);
    cni_counts_close(&counts);
}

/* When nobody asks for single deliveries they are counted by operation: the same counts and
 * delays. */
static void compare_unasked(cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                            const cni_histogram *delays, cn_status expected)
{
    const cni_kernel *kernel = &cni_collective_kernel;
    uint64_t unasked[CNI_COUNTERS];
    void *state;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, 0));
    assert_ok(kernel->open(scenario, 1, &state));
    cn_status status = CN_OK;
    do
        status = kernel->step(state, 3);
    while (status == CN_OK && kernel->next_event(state) != CN_NEVER);
    assert_int_equal(status, expected);
    kernel->count(state, unasked);
    unasked[CNI_COUNT_CYCLES] = counters[CNI_COUNT_CYCLES]; /* some more pass until the step ends */
    assert_memory_equal(unasked, counters, sizeof unasked);
    assert_memory_equal(kernel->delays(state), delays, sizeof *delays);
    kernel->close(state);
}

/* On the machine of the paper with unlimited buffers and fixed paths: an operation takes as many
 * cycles as its farthest destination is away. */
static void check_that_none_waits(const cn_topology *topology, const cn_operations *operations,
                                  uint64_t completion)
{
    static uint64_t nodes[REFERENCE_NODES];
    uint64_t most, latest = 0;
    assert_ok(cn_topology_diameter(topology, NULL, &most));
    for (size_t i = 0; i < cn_operations_count(operations); i++) {
        uint64_t source, start, farthest = 0, distance;
        size_t count;
        assert_ok(
            cn_operations_get(operations, i, nodes, REFERENCE_NODES, &count, &source, &start));
        for (size_t d = 0; d < count; d++) {
            assert_ok(cn_topology_distance(topology, source, nodes[d], NULL, &distance));
            farthest = distance > farthest ? distance : farthest;
        }
        start += count == 0 ? most : farthest;
        latest = start > latest ? start : latest;
    }
    assert_int_equal(completion, latest);
}

static int deadlocks, without_waiting;

static void compare(const cn_topology *topology, const cn_operations *operations,
                    const reference_setting *setting)
{
    static reference_outcome outcome;
    static uint64_t arrived[REFERENCE_OPERATIONS][REFERENCE_NODES];
    reference_run(topology, operations, setting, &outcome);
    cn_scenario *scenario = scenario_of(topology, operations, setting);
    const cni_kernel *kernel = &cni_collective_kernel;
    void *state;
    assert_ok(kernel->open(scenario, 1, &state));
    cni_collective *run = state;
    memset(arrived, 0, sizeof arrived);
    run->witness = witness;
    run->witness_user = arrived;
    cn_status status = CN_OK;
    do
        status = kernel->step(state, 1);
    while (status == CN_OK && kernel->next_event(state) != CN_NEVER);
    assert_int_equal(status, outcome.deadlock ? CN_ERR_DEADLOCK : CN_OK);
    deadlocks += outcome.deadlock;
    assert_memory_equal(arrived, outcome.arrived, sizeof arrived);
    uint64_t counters[CNI_COUNTERS];
    kernel->count(state, counters);
    assert_int_equal(counters[CNI_COUNT_OFFERED],
                     counters[CNI_COUNT_DELIVERED] + kernel->in_flight(state));
    assert_int_equal(counters[CNI_COUNT_TRANSMISSIONS], outcome.transmissions);
    assert_int_equal(counters[CNI_COUNT_CONTENTIONS], outcome.contentions);
    assert_int_equal(counters[CNI_COUNT_OPERATION_TIME], outcome.operation_time);
    if (!outcome.deadlock) {
        assert_int_equal(counters[CNI_COUNT_PEAK_BUFFER], outcome.peak_buffer_use);
        assert_int_equal(counters[CNI_COUNT_COMPLETION], outcome.completion);
        assert_int_equal(counters[CNI_COUNT_BOUND], outcome.bound);
        assert_true(outcome.bound <= outcome.completion);
        static uint64_t loads[REFERENCE_NODES * 32];
        kernel->read(state, &(cni_counts){.load = loads});
        assert_memory_equal(loads, outcome.loads,
                            sizeof loads[0] * run->routes.nodes * run->routes.degree);
        compare_nodes(run, operations, arrived);
    }
    compare_unasked(scenario, counters, kernel->delays(state), status);
    if (setting->machine == 0 && setting->buffers == 0 && !setting->adaptive) {
        assert_int_equal(outcome.completion, outcome.bound);
        if (setting->trees == NULL && !setting->least_used) {
            check_that_none_waits(topology, operations, outcome.completion);
            without_waiting++;
        }
    }
    kernel->close(state);
    cn_scenario_free(&scenario);
    free(outcome.loads);
}

/* ---- trees ---- */

static reference_trees trees;

/* Those of the default. */
static void find_breadth_first(const cn_topology *topology)
{
    for (uint64_t root = 0; root < cn_topology_node_count(topology); root++) {
        cn_tree *tree;
        assert_ok(cn_tree_breadth_first(topology, root, NULL, &tree));
        assert_ok(cn_tree_arrays(tree, trees[root], NULL, NULL, REFERENCE_NODES, NULL));
        cn_tree_free(&tree);
    }
}

/* A tree that grows at random, over any channel from a node that it has reached, for two roots of
 * three. */
static void find_at_random(const cn_topology *topology, cn_operations *operations, uint64_t seed)
{
    uint64_t nodes = cn_topology_node_count(topology), index = 0;
    for (uint64_t root = 0; root < nodes; root++) {
        cn_tree *tree;
        if (root % 3 == 2)
            continue;
        for (uint64_t v = 0; v < nodes; v++)
            trees[root][v] = CN_NO_NODE;
        for (uint64_t reached = 1, tries = 0; reached < nodes; tries++) {
            uint64_t v = draw(seed, &index, nodes), w;
            uint32_t degree;
            assert_true(tries < 100000);
            assert_ok(cn_topology_degree(topology, v, &degree));
            if ((v != root && trees[root][v] == CN_NO_NODE) || degree == 0)
                continue;
            assert_ok(cn_topology_neighbor(topology, v, (uint32_t)draw(seed, &index, degree), &w));
            if (w == root || trees[root][w] != CN_NO_NODE)
                continue;
            trees[root][w] = v;
            reached++;
        }
        assert_ok(cn_tree_from_parents(topology, root, trees[root], nodes, NULL, &tree));
        assert_ok(cn_operations_set_tree(operations, tree));
        cn_tree_free(&tree);
    }
}

/* ---- all choices ---- */

/* After the trees by digits. */
enum { BREADTH_FIRST = CN_TREE_BREADTH_FIRST, GIVEN, LEAST_USED };

static void compare_choice(const cn_topology *topology, reference_setting *setting, uint64_t seed,
                           size_t count, int broadcasts)
{
    cn_operations *operations = random_operations(topology, seed, count, broadcasts);
    int given = setting->tree == GIVEN;
    setting->least_used = setting->tree == LEAST_USED;
    setting->adaptive = setting->adaptive && !setting->least_used;
    if (setting->tree >= BREADTH_FIRST) {
        find_breadth_first(topology);
        setting->trees = (const reference_trees *)&trees;
        setting->tree = BREADTH_FIRST;
    }
    if (given)
        find_at_random(topology, operations, seed);
    uint64_t height = reference_height(topology, setting);
    if (!setting->buffer_classes || setting->buffers == 0 || setting->buffers >= 2 * height - 1)
        compare(topology, operations, setting);
    cn_operations_free(&operations);
}

/* Every `step`-th combination of the choices on one network, with trees from `first` on. */
static void compare_all(cn_topology *topology, int first, int tree_count, uint64_t step,
                        uint64_t seed)
{
    static const uint64_t buffers[] = {0, 1, 2, 5};
    for (uint64_t choice = 0; choice < 256; choice += step) {
        reference_setting setting = {
            .machine = (int)(choice & 1),
            .clubbing = (int)(choice >> 1 & 1),
            .adaptive = (int)(choice >> 2 & 1),
            .buffers = buffers[choice >> 3 & 3],
            .one_port = (int)(choice >> 5 & 1),
            .buffer_classes = (int)(choice >> 6 & 1),
            .channel_capacity = choice >> 7 & 1 ? 2 : choice % 3,
        };
        if (setting.machine == 0 && choice >> 5 > 0)
            continue;
        if (setting.buffer_classes && setting.buffers == 5)
            setting.buffers = first >= BREADTH_FIRST ? 40 : 5;
        for (int broadcasts = 0; broadcasts < 2 + setting.machine; broadcasts++) {
            reference_setting chosen = setting;
            chosen.tree = first + (int)((choice + seed) % (uint64_t)tree_count);
            compare_choice(topology, &chosen, seed + 1000 * choice, 4 + choice % 5, broadcasts);
            seed++;
        }
    }
    cn_topology_free(&topology);
}

static cn_topology *generalized(uint64_t k, uint32_t n)
{
    cn_topology *topology;
    assert_ok(cn_topology_generalized_hypercube(k, n, &topology));
    return topology;
}

static void small_generalized_hypercubes(void **state)
{
    (void)state;
    compare_all(generalized(3, 3), 0, 2, 1, 1);
    compare_all(generalized(5, 2), 0, 2, 1, 2);
    compare_all(generalized(7, 1), 0, 2, 1, 3);
}

static void a_boolean_cube(void **state)
{
    (void)state;
    compare_all(generalized(2, 4), 0, 3, 1, 4);
    assert_true(deadlocks > 0 && without_waiting > 0); /* or the comparisons would say nothing */
}

/* ---- any network ---- */

/* Node v leads to 2v and 2v + 1, one way, without the loops. */
static cn_status shift(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    uint64_t nodes = *(const uint64_t *)user, first = 2 * node % nodes;
    if (first == node || first + 1 == node)
        first = first == node ? first + 1 : first;
    else
        first += port;
    if (port == 0 || (2 * node % nodes != node && 2 * node % nodes + 1 != node))
        *neighbor = first;
    return CN_OK;
}

/* A random tree and some more links. */
static cn_topology *random_graph(uint64_t nodes, size_t more, uint64_t seed)
{
    uint64_t edges[2 * REFERENCE_NODES], index = 0;
    uint8_t joined[REFERENCE_NODES][REFERENCE_NODES] = {{0}};
    size_t count = 0;
    while (count < nodes - 1 + more) {
        uint64_t u = count + 1 < nodes ? count + 1 : draw(seed, &index, nodes);
        uint64_t v = draw(seed, &index, count + 1 < nodes ? u : nodes);
        if (u == v || joined[u][v])
            continue;
        joined[u][v] = joined[v][u] = 1;
        edges[2 * count] = u;
        edges[2 * count++ + 1] = v;
    }
    cn_topology *t;
    assert_ok(cn_topology_from_edges(nodes, edges, count, NULL, &t));
    return t;
}

static void on_two_way_networks(void **state)
{
    (void)state;
    cn_topology *t = NULL;
    const uint64_t radices[] = {4, 3}, mixed[] = {2, 4, 3};
    assert_ok(cn_topology_psnn(4, &t));
    compare_all(t, BREADTH_FIRST, 3, 3, 1);
    assert_ok(cn_topology_torus(radices, 2, &t));
    compare_all(t, BREADTH_FIRST, 3, 5, 2);
    assert_ok(cn_topology_mesh(radices, 2, &t));
    compare_all(t, BREADTH_FIRST, 3, 5, 3);
    assert_ok(cn_topology_tree(2, 3, &t));
    compare_all(t, BREADTH_FIRST, 3, 5, 4);
    assert_ok(cn_topology_generalized_hypercube_mixed(mixed, 3, &t));
    compare_all(t, BREADTH_FIRST, 3, 5, 5);
    assert_ok(cn_topology_star(9, &t));
    compare_all(t, BREADTH_FIRST, 3, 7, 6);
    compare_all(generalized(3, 3), BREADTH_FIRST, 2, 5, 7);
    compare_all(generalized(2, 4), BREADTH_FIRST, 2, 7, 8);
}

static void on_one_way_networks(void **state)
{
    (void)state;
    cn_topology *t = NULL;
    uint64_t nodes = 16;
    assert_ok(cn_topology_from_function(nodes, 2, shift, &nodes, NULL, &t));
    assert_false(cn_topology_is_bidirectional(t));
    compare_all(t, BREADTH_FIRST, 3, 3, 11);
    assert_ok(cn_topology_kary_ncube(4, 2, 0, &t));
    compare_all(t, BREADTH_FIRST, 3, 5, 12);
}

static void on_random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++)
        compare_all(random_graph(6 + 2 * seed, 3 * seed, seed), BREADTH_FIRST, 3, 7, 20 + seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_generalized_hypercubes),
        cmocka_unit_test(a_boolean_cube),
        cmocka_unit_test(on_two_way_networks),
        cmocka_unit_test(on_one_way_networks),
        cmocka_unit_test(on_random_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

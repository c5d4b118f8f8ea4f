/* The simulator of collective operations against the slow and plain one, bit for bit: every delivery, every
 * channel, every count. */
#include "simulation/collective_reference.h"

#include <string.h>

#include "base/random.h"
#include "simulation/collective/collective.h"
#include "simulation/collective/collective_kernel.h"

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
        {CN_PARAM_TREE, setting->tree},
        {CN_PARAM_CLUBBING, setting->clubbing},
        {CN_PARAM_DETOURS, setting->adaptive},
        {CN_PARAM_ONE_PORT, setting->one_port},
        {CN_PARAM_BUFFER_CLASSES, setting->buffer_classes},
        {CN_PARAM_TRANSIT_BUFFERS, (double)setting->buffers},
        {CN_PARAM_CHANNEL_CAPACITY, (double)setting->channel_capacity},
    };
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(topology, "collective", &scenario));
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_ok(cn_scenario_set(scenario, values[i].param, values[i].value));
    assert_ok(cn_scenario_set_operations(scenario, operations));
    return scenario;
}

static void witness(void *user, uint32_t number, uint32_t node, uint64_t cycle)
{
    uint64_t(*arrived)[REFERENCE_NODES] = user;
    assert_int_equal(arrived[number][node], 0);
    arrived[number][node] = cycle;
}

static int deadlocks;

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
    for (uint64_t cycles; status == CN_OK && (cycles = kernel->pending(state)) > 0;)
        status = kernel->step(state, cycles);
    assert_int_equal(status, outcome.deadlock ? CN_ERR_DEADLOCK : CN_OK);
    deadlocks += outcome.deadlock;
    assert_memory_equal(arrived, outcome.arrived, sizeof arrived);
    uint64_t counters[CNI_COUNTERS];
    kernel->count(state, counters);
    assert_int_equal(counters[CNI_COUNT_TRANSMISSIONS], outcome.transmissions);
    assert_int_equal(counters[CNI_COUNT_CONTENTIONS], outcome.contentions);
    assert_int_equal(counters[CNI_COUNT_OPERATION_TIME], outcome.operation_time);
    if (!outcome.deadlock) {
        assert_int_equal(counters[CNI_COUNT_PEAK_BUFFER], outcome.peak_buffer_use);
        assert_int_equal(counters[CNI_COUNT_COMPLETION], outcome.completion);
        assert_int_equal(counters[CNI_COUNT_BOUND], outcome.bound);
        assert_true(outcome.bound <= outcome.completion);
        static uint64_t loads[REFERENCE_NODES * 32];
        kernel->channel_loads(state, loads);
        assert_memory_equal(loads, outcome.loads,
                            sizeof loads[0] * run->routes.nodes * run->routes.degree);
    }
    kernel->close(state);
    cn_scenario_free(&scenario);
    free(outcome.loads);
}

/* Every combination of the choices on one network. */
static void compare_all(cn_topology *topology, int trees, uint64_t seed)
{
    static const uint64_t buffers[] = {0, 1, 2, 5};
    for (uint64_t choice = 0; choice < 256; choice++) {
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
        uint64_t classes = setting.adaptive && cn_topology_node_count(topology) % 2 ? 5 : 3;
        if (setting.buffer_classes && setting.buffers > 0 && setting.buffers < classes)
            continue;
        for (int broadcasts = 0; broadcasts < 2 + setting.machine; broadcasts++) {
            setting.tree = (int)((choice + seed) % (uint64_t)trees);
            cn_operations *operations =
                random_operations(topology, seed + 1000 * choice, 4 + choice % 5, broadcasts);
            compare(topology, operations, &setting);
            cn_operations_free(&operations);
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
    compare_all(generalized(3, 3), 2, 1);
    compare_all(generalized(5, 2), 2, 2);
    compare_all(generalized(7, 1), 2, 3);
}

static void a_boolean_cube(void **state)
{
    (void)state;
    compare_all(generalized(2, 4), 3, 4);
    assert_true(deadlocks > 0); /* or the comparisons of them would say nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_generalized_hypercubes),
        cmocka_unit_test(a_boolean_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

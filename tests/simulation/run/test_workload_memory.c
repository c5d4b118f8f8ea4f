/* What a large workload takes: 244 messages of each node of the 12-cube, all of them under way at
 * once. */
#include "support/support.h"

#include "cubenet/experimental/workload.h"

enum { NODES = 4096, EACH = 244, MOST_BYTES = 200 };

static size_t held, most; /* bytes */

static void *take(void *user, size_t size)
{
    size_t *block = malloc(size + 16);
    (void)user;
    if (block == NULL)
        return NULL;
    *block = size;
    held += size;
    most = held > most ? held : most;
    return (char *)block + 16;
}

static void give_back(void *user, void *memory)
{
    (void)user;
    if (memory == NULL)
        return;
    size_t *block = (size_t *)(void *)((char *)memory - 16);
    held -= *block;
    free(block);
}

/* In turn at each node: a message waits for the injection of the one before. */
static cn_workload *all_to_many(const cn_topology *cube)
{
    static uint64_t sent[NODES];
    cn_workload *workload;
    assert_ok(cn_workload_new(cube, &workload));
    for (uint64_t k = 1; k <= EACH; k++)
        for (uint64_t v = 0; v < NODES; v++)
            assert_ok(cn_workload_add(workload, v, (v + 17 * k) % NODES, 1, 0, NULL, 0, &sent[v],
                                      k > 1, &sent[v]));
    return workload;
}

static void a_million_messages_take_little_memory(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_scenario *scenario;
    cn_result *result;
    skip_under_sanitizers();
    assert_ok(cn_set_allocator(take, give_back, NULL));
    assert_ok(cn_topology_hypercube(12, &cube));
    assert_ok(cn_scenario_new(cube, "separate-buffers", &scenario));
    cn_workload *workload = all_to_many(cube);
    assert_ok(cn_scenario_set_workload(scenario, workload));
    cn_workload_free(&workload); /* the scenario has its own copy */
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_COMPLETED);
    assert_true(value_of(result, CN_METRIC_MESSAGES_DELIVERED) == (double)NODES * EACH);
    assert_true(value_of(result, CN_METRIC_BOUND_RATIO) >= 1.0);
    print_message("%zu bytes a message\n", most / (NODES * EACH));
    assert_true(most / (NODES * EACH) < MOST_BYTES);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    assert_int_equal(held, 0);
    assert_ok(cn_set_allocator(NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_messages_take_little_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Workloads in every system: message by message what a plain interpreter finds; completion, critical path, bound. */
#include "support/networks.h"
#include "plain_workload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const systems[] = {"separate-buffers", "shared-buffer",
                                      "deflection",       "cut-through",
                                      "wormhole",         "cut-through-deflection"};
enum { SYSTEMS = sizeof systems / sizeof systems[0] };

static int has_flits(const char *system)
{
    return strcmp(system, "wormhole") == 0 || strcmp(system, "cut-through") == 0;
}

static cn_scenario *with_workload(const cn_scenario *scenario, const cn_workload *workload)
{
    cn_scenario *own;
    assert_ok(cn_scenario_copy(scenario, &own));
    assert_ok(cn_scenario_set_workload(own, workload));
    return own;
}

static void assert_times(const cn_result *result, const plain_times *plain, size_t messages)
{
    uint64_t ready[PLAIN_MESSAGES], injected[PLAIN_MESSAGES], delivered[PLAIN_MESSAGES];
    size_t count;
    assert_ok(cn_result_messages(result, ready, injected, delivered, PLAIN_MESSAGES, &count));
    assert_int_equal(count, messages);
    for (size_t m = 0; m < messages; m++) {
        assert_int_equal(ready[m], plain->ready[m]);
        assert_int_equal(injected[m], plain->injected[m]);
        assert_int_equal(delivered[m], plain->delivered[m]);
    }
}

/* The same network does the same for both hosts. */
static void assert_same_network(const cn_result *result, cn_sim *plain)
{
    static const cn_metric metrics[] = {CN_METRIC_CYCLES, CN_METRIC_MESSAGES_DELIVERED,
                                        CN_METRIC_MESSAGES_OFFERED, CN_METRIC_MEAN_HOPS};
    cn_result *other;
    assert_ok(cn_sim_result(plain, &other));
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        if (cn_result_has(other, metrics[i]) && cn_result_has(result, metrics[i]))
            assert_true(value_of(result, metrics[i]) == value_of(other, metrics[i]));
    cn_result_free(&other);
}

static void assert_shares(const cn_result *result, const plain_times *plain)
{
    static const cn_metric shares[] = {
        CN_METRIC_CRITICAL_COMPUTING, CN_METRIC_CRITICAL_SOURCE_WAITING,
        CN_METRIC_CRITICAL_NETWORK_WAITING, CN_METRIC_CRITICAL_WIRES};
    double sum = 0.0, completion = value_of(result, CN_METRIC_COMPLETION_CYCLES);
    for (size_t i = 0; i < 4; i++) {
        assert_true(value_of(result, shares[i]) >= 0.0);
        sum += value_of(result, shares[i]);
    }
    assert_true(sum == completion);
    assert_true(completion == (double)(plain->end - plain->start));
    if (cn_result_has(result, CN_METRIC_BOUND_RATIO)) {
        assert_true(value_of(result, CN_METRIC_BOUND_RATIO) >= 1.0);
        assert_near(value_of(result, CN_METRIC_BOUND_RATIO),
                    completion / value_of(result, CN_METRIC_LOWER_BOUND_CYCLES), 1e-12);
    }
}

static void compare(const cn_scenario *scenario, const cn_workload *workload, uint64_t start)
{
    plain_times plain;
    cn_sim *sim = plain_workload_run(scenario, workload, start, &plain);
    cn_scenario *own = with_workload(scenario, workload);
    cn_result *result;
    assert_ok(cn_simulate(own, NULL, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_COMPLETED);
    assert_times(result, &plain, cn_workload_count(workload));
    if (plain.end > plain.start) {
        assert_same_network(result, sim);
        assert_shares(result, &plain);
    }
    cn_result_free(&result);
    cn_scenario_free(&own);
    cn_sim_close(&sim);
}

/* Whether the system exists on the network. */
static int make_scenario(const cn_topology *topology, const char *system, uint64_t seed,
                         cn_scenario **scenario)
{
    if (cn_scenario_new(topology, system, scenario) != CN_OK)
        return 0;
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_LOAD, 0.0));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_WARMUP_CYCLES, 0.0));
    assert_ok(cn_scenario_set_seed(*scenario, seed));
    if (cn_scenario_takes(*scenario, CN_PARAM_MESSAGE_FLITS))
        assert_ok(cn_scenario_set(*scenario, CN_PARAM_MESSAGE_FLITS, 5.0));
    if (cn_scenario_takes(*scenario, CN_PARAM_BUFFERS) && seed % 2 == 1) {
        double least;
        assert_ok(cn_scenario_range(*scenario, CN_PARAM_BUFFERS, &least, NULL, NULL));
        assert_ok(cn_scenario_set(*scenario, CN_PARAM_BUFFERS, least));
    }
    cn_sim *sim;
    if (cn_sim_open(*scenario, NULL, &sim) == CN_OK) {
        cn_sim_close(&sim);
        return 1;
    }
    cn_scenario_free(scenario);
    return 0;
}

static void the_interpreter_agrees(void **state)
{
    (void)state;
    size_t compared[SYSTEMS] = {0};
    for (size_t n = 0; n < network_count(); n++) {
        cn_topology *topology = make_network(n);
        uint64_t nodes = cn_topology_node_count(topology);
        for (size_t s = 0; s < SYSTEMS && nodes >= 2 && nodes <= 32; s++) {
            cn_scenario *scenario;
            if (!make_scenario(topology, systems[s], n, &scenario))
                continue;
            size_t messages = 1 + (n * 37 + s * 61) % 200;
            cn_workload *workload = random_workload(topology, n * SYSTEMS + s, messages,
                                                    has_flits(systems[s]) ? 20 : 1, CN_NO_NODE);
            compare(scenario, workload, 0);
            compared[s]++;
            cn_workload_free(&workload);
            cn_scenario_free(&scenario);
        }
        cn_topology_free(&topology);
    }
    for (size_t s = 0; s < SYSTEMS; s++)
        assert_true(compared[s] >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interpreter_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Deflection on generalized hypercubes and complete networks: the model beside a plain
 * simulation. */
#include "support/support.h"

#include <math.h>

#include "queueing/plain_deflection.h"

static cn_topology *network(uint32_t k, uint32_t n)
{
    cn_topology *topology;
    if (n == 1)
        assert_ok(cn_topology_complete(k, &topology));
    else
        assert_ok(cn_topology_generalized_hypercube(k, n, &topology));
    return topology;
}

static cn_result *predict(const cn_topology *topology, double load, uint32_t buffers)
{
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers));
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_scenario_free(&scenario);
    return result;
}

/* Within `tolerance`, and what the simulation leaves in doubt. */
static void compare(uint32_t k, uint32_t n, uint32_t buffers, double load, double node_cycles,
                    double tolerance)
{
    cn_topology *topology = network(k, n);
    cn_result *model = predict(topology, load, buffers);
    double cycles = fmax(600.0, node_cycles / (double)cn_topology_node_count(topology));
    plain_run run = {.load = load,
                     .buffers = buffers,
                     .warmup = 200 + (uint64_t)cycles / 8,
                     .cycles = (uint64_t)cycles,
                     .seed = 1000 * k + 100 * n + buffers};
    plain_result truth;
    plain_deflection(topology, &run, &truth);
    double of_throughput = tolerance + truth.throughput_doubt;
    double of_delay = tolerance + truth.delay_doubt;
    assert_near(value_of(model, CN_METRIC_THROUGHPUT) / truth.throughput, 1.0, of_throughput);
    assert_near(value_of(model, CN_METRIC_MEAN_DELAY) / truth.delay, 1.0, of_delay);
    assert_near(value_of(model, CN_METRIC_MEAN_HOPS) / truth.hops, 1.0, tolerance);
    assert_near(value_of(model, CN_METRIC_MEAN_QUEUE_LENGTH) / truth.queue, 1.0,
                of_throughput + of_delay);
    assert_near(value_of(model, CN_METRIC_DEFLECTION_PROBABILITY) /
                    value_of(model, CN_METRIC_CHANNEL_UTILIZATION),
                truth.deflected, 0.01);
    cn_result_free(&model);
    cn_topology_free(&topology);
}

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

/* Points drawn with a fixed seed: n = 1..4, k = 3..8, M from one to three times the degree, loads
 * from 0.05 to 1.6 of what the channels could carry. */
static void the_model_is_within_two_percent(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const uint32_t most_k[] = {0, 8, 8, 7, 5};
    uint64_t random = 7;
    for (int point = 0; point < 36; point++) {
        uint32_t n = 1 + (uint32_t)point % 4;
        uint32_t k = 3 + (uint32_t)((most_k[n] - 2) * uniform(&random));
        double ports = n * (k - 1.0), nodes = pow(k, n);
        uint32_t buffers = (uint32_t)ceil(ports * (1.0 + 2.0 * uniform(&random)));
        double distance = ports / k * nodes / (nodes - 1.0);
        double load = (0.05 + 1.55 * uniform(&random)) * ports / distance;
        compare(k, n, buffers, load, n < 3 ? 1e5 : 5e4, 0.02);
    }
}

/* A complete network is a number of queues in one buffer: well met with any number of buffers. */
static void complete_networks_with_many_buffers(void **state)
{
    (void)state;
    compare(5, 1, 20, 3.8, 3e5, 0.015);
    compare(8, 1, 63, 6.3, 2e5, 0.015);
    compare(3, 1, 18, 4.0, 3e5, 0.015);
}

/* Near capacity, where what nodes have in common counts most. */
static void two_dimensions_with_many_buffers(void **state)
{
    (void)state;
    compare(4, 2, 54, 3.56, 2.4e5, 0.02);
}

/* The plain simulation itself: on the Boolean cube it is the library's kernel. */
static void the_plain_simulation_is_the_kernel(void **state)
{
    (void)state;
    cn_topology *topology;
    cn_scenario *scenario = cube_scenario("deflection", 4, 1.3);
    cn_result *kernel;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 5));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.003));
    assert_ok(cn_simulate(scenario, NULL, &kernel));
    assert_ok(cn_topology_hypercube(4, &topology));
    plain_run run = {.load = 1.3, .buffers = 5, .warmup = 1000, .cycles = 20000, .seed = 5};
    plain_result plain;
    plain_deflection(topology, &run, &plain);
    assert_near(plain.throughput / value_of(kernel, CN_METRIC_THROUGHPUT), 1.0, 0.01);
    assert_near(plain.delay / value_of(kernel, CN_METRIC_MEAN_DELAY), 1.0, 0.01);
    assert_near(plain.hops / value_of(kernel, CN_METRIC_MEAN_HOPS), 1.0, 0.01);
    cn_result_free(&kernel);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

/* GH(1, k) and the complete network of k nodes are one; so are their predictions, in every form of
 * the model. */
static void one_dimension_is_a_complete_network(void **state)
{
    (void)state;
    static const cn_metric metrics[] = {CN_METRIC_THROUGHPUT, CN_METRIC_MEAN_DELAY,
                                        CN_METRIC_MEAN_HOPS, CN_METRIC_CHANNEL_UTILIZATION};
    for (uint64_t k = 2; k <= 9; k++)
        for (double variant = CN_MODEL_PUBLISHED; variant <= CN_MODEL_OWN;
             variant += CN_MODEL_OWN) {
            cn_topology *networks[2];
            cn_result *results[2];
            assert_ok(cn_topology_complete(k, &networks[0]));
            assert_ok(cn_topology_generalized_hypercube(k, 1, &networks[1]));
            for (int i = 0; i < 2; i++) {
                cn_scenario *scenario;
                assert_ok(cn_scenario_new(networks[i], "deflection", &scenario));
                assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.7 * (double)k));
                assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
                assert_ok(cn_predict(scenario, NULL, &results[i]));
                cn_scenario_free(&scenario);
            }
            for (size_t m = 0; m < 4; m++)
                assert_true(value_of(results[0], metrics[m]) == value_of(results[1], metrics[m]));
            for (int i = 0; i < 2; i++) {
                cn_result_free(&results[i]);
                cn_topology_free(&networks[i]);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_is_within_two_percent),
        cmocka_unit_test(complete_networks_with_many_buffers),
        cmocka_unit_test(two_dimensions_with_many_buffers),
        cmocka_unit_test(the_plain_simulation_is_the_kernel),
        cmocka_unit_test(one_dimension_is_a_complete_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

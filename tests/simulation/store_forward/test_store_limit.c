/* What is found of the loads at which a network that stores and forwards has a steady state. */
#include "support/support.h"

#include <math.h>
#include <time.h>

#include "simulation/store_forward/store_forward.h"
#include "simulation/store_forward/store_forward_kernel.h"

/* All of what is taken is freed. */
static cn_scenario *routed_on(cn_topology *topology, const char *routing)
{
    cn_scenario *made;
    assert_ok(cn_scenario_new(topology, "separate-buffers", &made));
    assert_ok(cn_scenario_set(made, CN_PARAM_LOAD, 0.01));
    assert_ok(cn_scenario_set_routing_name(made, routing));
    cn_topology_free(&topology);
    return made;
}

static cni_store_limit limit_of(const cn_scenario *scenario)
{
    cni_network network = {0};
    cni_store_form form;
    cni_store_limit limit;
    cni_budget budget;
    cn_scenario own = *scenario;
    assert_ok(cni_budget_begin(&budget, "test", NULL, 0));
    own.budget = &budget;
    assert_ok(cni_store_open_network(&own, &network, &form));
    assert_ok(cni_store_find_limit(&own, &network, &limit));
    cni_network_close(&network);
    return limit;
}

static cn_topology *mesh(uint64_t side)
{
    cn_topology *made;
    assert_ok(cn_topology_mesh((const uint64_t[]){side, side}, 2, &made));
    return made;
}

static cn_topology *de_bruijn(uint32_t n)
{
    cn_topology *made;
    assert_ok(cn_topology_de_bruijn(n, &made));
    return made;
}

static double of_flows(const cn_scenario *scenario)
{
    cn_routing *routing;
    double load;
    assert_ok(cn_routing_new(scenario->topology, cn_scenario_routing_name(scenario), NULL, NULL,
                             &routing));
    assert_ok(cn_routing_saturation_load(routing, NULL, NULL, NULL, &load));
    cn_routing_free(&routing);
    return load;
}

static double of_mean(const cn_scenario *scenario, uint64_t channels)
{
    double mean;
    const cn_topology *t = scenario->topology;
    assert_ok(cn_topology_mean_distance(t, NULL, &mean));
    return (double)channels / ((double)cn_topology_node_count(t) * mean);
}

/* On both sides of 2^23 steps: the flows of all channels, or their mean. */
static void as_far_as_there_are_few_steps(void **state)
{
    (void)state;
    cn_scenario *few = routed_on(mesh(38), "dimension-order"); /* 2^22.96 */
    cn_scenario *many = routed_on(mesh(39), "dimension-order");
    cn_scenario *classes = routed_on(mesh(33), "up-down"); /* twice 2^22.1 */
    assert_near(limit_of(few).steady, of_flows(few), 1e-12);
    assert_near(limit_of(many).steady, of_mean(many, UINT64_C(4) * 39 * 38), 1e-12);
    assert_true(limit_of(many).steady > 1.4 * of_flows(many));
    assert_near(limit_of(classes).steady, of_mean(classes, UINT64_C(4) * 33 * 32), 1e-12);
    cn_scenario_free(&few);
    cn_scenario_free(&many);
    cn_scenario_free(&classes);
}

/* Closed distances of all neighbours on the way to all nodes took 12 s on 2^12 nodes; the search
 * for the mean distance of 2^16 takes long as well. */
static void it_takes_no_long(void **state)
{
    (void)state;
    for (uint32_t n = 10; n <= 16; n += n < 13 ? 1 : 3) {
        cn_sim *sim;
        cn_scenario *scenario = routed_on(de_bruijn(n), "minimal");
        clock_t begin = clock();
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 1.5);
        cn_sim_close(&sim);
        double steady = limit_of(scenario).steady;
        assert_int_equal(isinf(steady), n == 16);
        assert_true(n != 10 || fabs(steady - of_flows(scenario)) < 1e-12);
        cn_scenario_free(&scenario);
    }
}

/* A run finds it once, and hands it to its replications; nobody else has it. */
static void it_is_found_once(void **state)
{
    (void)state;
    cn_scenario *scenario = routed_on(de_bruijn(6), "minimal");
    cni_budget budget;
    cn_scenario run = *scenario;
    assert_ok(cni_budget_begin(&budget, "test", NULL, 0));
    run.budget = &budget;
    assert_false(run.limit.is_known);
    assert_ok(cni_separate_buffers_kernel.shorten(&run));
    assert_true(run.limit.is_known);
    assert_near(run.limit.steady, of_flows(scenario), 1e-12);
    run.limit.steady = 7.0;
    assert_near(limit_of(&run).steady, 7.0, 0.0);
    cn_result *result;
    cn_scenario *copy;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 100));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_ok(cn_result_scenario(result, &copy));
    assert_false(copy->limit.is_known);
    cn_scenario_free(&copy);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_far_as_there_are_few_steps),
        cmocka_unit_test(it_takes_no_long),
        cmocka_unit_test(it_is_found_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

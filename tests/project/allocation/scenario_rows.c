/* system.h, parameter.h, scenario.h, collective.h: what a scenario is. simulation_rows.c runs
 * it. */
#include "given.h"

static void deflection(void)
{
    scenario_of("deflection", 0.5);
}

static void optimal_path(void)
{
    convex();
    routed_scenario("optimal-path", 0.2);
}

static void with_faults(void)
{
    optimal_path();
    assert_ok(cn_scenario_set_faults(given.scenario, given.faults));
}

static void collective(void)
{
    small_cube();
    scenario_of("collective", 0.2);
    assert_ok(cn_operations_new(given.topology, &given.operations));
    assert_ok(cn_operations_add(given.operations, 0, (uint64_t[]){3, 5}, 2, 1));
    assert_ok(cn_operations_add_broadcast(given.operations, 2, 0));
}

static void collective_and_tree(void)
{
    collective();
    assert_ok(cn_tree_breadth_first(given.topology, 2, NULL, &given.tree));
}

static void with_traffic(void)
{
    deflection();
    assert_ok(cn_traffic_new(given.topology, CN_PATTERN_BIT_REVERSE, &given.traffic));
}

static void with_trace(void)
{
    static const uint64_t cycles[] = {0, 0, 4}, sources[] = {1, 2, 1}, ends[] = {2, 3, 5};
    deflection();
    assert_ok(cn_traffic_trace(given.topology, cycles, sources, ends, NULL, 3, &given.traffic));
}

static void trace_attached(void)
{
    with_trace();
    assert_ok(cn_scenario_set_traffic(given.scenario, given.traffic));
}

static void with_workload(void)
{
    static const uint64_t first[] = {0};
    scenario_of("wormhole", 0.0);
    assert_ok(cn_workload_new(given.topology, &given.workload));
    assert_ok(cn_workload_add(given.workload, 1, 2, 4, 0, NULL, 0, NULL, 0, NULL));
    assert_ok(cn_workload_add(given.workload, 2, 3, 4, 9, first, 1, NULL, 0, NULL));
}

static void empty_workload(void)
{
    scenario_of("wormhole", 0.0);
    assert_ok(cn_workload_new(given.topology, &given.workload));
}

static void shared_workload(void)
{
    with_workload();
    assert_ok(cn_scenario_set_workload(given.scenario, given.workload));
}

static void workload_and_routing(void)
{
    with_workload();
    assert_ok(cn_routing_new(given.topology, "minimal", NULL, NULL, &given.routing));
}

static void workload_result(void)
{
    shared_workload();
    assert_ok(cn_simulate(given.scenario, NULL, &given.result));
}

static const char workload_text[] = "{\"cubenet\":\"workload\",\"format\":1,\"topology\":"
                                    "\"hypercube(3)\",\"messages\":[{\"source\":1,"
                                    "\"destination\":2,\"flits\":3},{\"source\":2,\"destination\":"
                                    "2,\"computing\":7,\"after\":[0]},{"
                                    "\"source\":1,\"destination\":5,\"after_sent\":[0]}]}";

#define SCENARIO                                                                                  \
    "\"topology\":\"hypercube(3)\",\"system\":\"separate-buffers\",\"parameters\":{\"load\":0.1," \
    "\"measure_cycles\":10,\"warmup_cycles\":1}"

static const char scenario_text[] =
    "{\"cubenet\":\"scenario\",\"format\":1," SCENARIO
    ",\"faults\":{\"nodes\":[3],\"links\":[[0,1]]},\"traffic\":{\"pattern\":\"hotspot\",\"with\":{"
    "\"node\":1,\"share\":0.5}},\"routing\":{\"name\":\"minimal\",\"faults\":{\"nodes\":[3],"
    "\"links\":[[0,1]]}}}";

static const char result_text[] =
    "{\"cubenet\":\"result\",\"format\":1,\"library\":\"0.1.0\",\"system\":\"separate-buffers\","
    "\"seed\":1,\"stop\":\"cycles\",\"saturated\":false,\"settled\":true,\"estimates\":{\"power\":{"
    "\"value\":1,\"half_width\":\"Infinity\",\"samples\":2}},\"scenario\":{" SCENARIO "}}";

static void separate_with_traffic(void)
{
    scenario_of("separate-buffers", 0.1);
    assert_ok(cn_traffic_new(given.topology, CN_PATTERN_BIT_REVERSE, &given.traffic));
}

static void with_routing(void)
{
    cube();
    scenario_of("wormhole", 0.01);
    assert_ok(cn_routing_new(given.topology, "dimension-order", NULL, NULL, &given.routing));
}

static void result(void)
{
    deflection();
    assert_ok(cn_predict(given.scenario, NULL, &given.result));
}

static void tables(void)
{
    NUMBER(cn_system_count, nothing, );
    TEXT(cn_system_name, nothing, 0);
    TEXT(cn_system_summary, nothing, 0);
    NUMBER(cn_param_count, nothing, );
    TEXT(cn_param_name, nothing, CN_PARAM_LOAD);
    TEXT(cn_param_unit, nothing, CN_PARAM_LOAD);
    TEXT(cn_param_meaning, nothing, CN_PARAM_LOAD);
    NEVER(cn_param_range, nothing, CN_PARAM_LOAD, out.reals[0], out.reals[1], out.reals[2],
          out.numbers);
    NEVER(cn_param_from_name, nothing, "load", (cn_param *)(void *)out.numbers);
    NUMBER(cn_param_choice_count, nothing, CN_PARAM_TREE);
    TEXT(cn_param_choice_name, nothing, CN_PARAM_TREE, 2);
    TEXT(cn_param_choice_meaning, nothing, CN_PARAM_TREE, 2);
    NEVER(cn_param_choice_from_name, nothing, CN_PARAM_TREE, "binomial", out.reals[0]);
    NUMBER(cn_metric_count, nothing, );
    TEXT(cn_metric_name, nothing, CN_METRIC_POWER);
    TEXT(cn_metric_unit, nothing, CN_METRIC_POWER);
    TEXT(cn_metric_meaning, nothing, CN_METRIC_POWER);
    TEXT(cn_metric_source, nothing, CN_METRIC_POWER);
    NEVER(cn_metric_from_name, nothing, "power", (cn_metric *)(void *)out.numbers);
}

static void operations(void)
{
    static const uint64_t ends[] = {3, 5};
    FAILS(cn_operations_new, cube, given.topology, &made.operations);
    FAILS(cn_operations_copy, collective, given.operations, &made.operations);
    FREES(cn_operations_free, collective, &given.operations);
    FAILS(cn_operations_add, collective, given.operations, 1, ends, 2, 0);
    NEVER(cn_operations_add_broadcast, collective, given.operations, 1, 0);
    FAILS(cn_operations_set_tree, collective_and_tree, given.operations, given.tree);
    NUMBER(cn_operations_count, collective, given.operations);
    NEVER(cn_operations_get, collective, given.operations, 0, out.words[0], 8, out.sizes,
          out.words[1], out.words[2]);
}

static void attachments(void)
{
    FAILS(cn_scenario_set_faults, optimal_path, given.scenario, given.faults);
    FAILS(cn_scenario_set_faults, with_faults, given.scenario, given.faults);
    NEVER(cn_scenario_set_faults, with_faults, given.scenario, NULL);
    FAILS(cn_scenario_set_subnet, optimal_path, given.scenario, given.subnet);
    FAILS(cn_scenario_set_subnet, with_faults, given.scenario, given.subnet);
    FAILS(cn_scenario_set_traffic, with_traffic, given.scenario, given.traffic);
    FAILS(cn_scenario_set_traffic, with_trace, given.scenario, given.traffic);
    FAILS(cn_scenario_set_traffic, separate_with_traffic, given.scenario, given.traffic);
    FAILS(cn_scenario_set_operations, collective, given.scenario, given.operations);
    FAILS(cn_scenario_set_routing, with_routing, given.scenario, given.routing);
    NEVER(cn_scenario_set_routing_name, with_routing, given.scenario, "dimension-order");
    TEXT(cn_scenario_routing_name, with_routing, given.scenario);
}

static void queries(void)
{
    NEVER(cn_system_from_name, nothing, "wormhole", out.sizes);
    NUMBER(cn_system_takes, nothing, 3, CN_PARAM_LOAD);
    NUMBER(cn_system_takes_attachment, nothing, 3, CN_ATTACHMENT_FAULTS);
    NEVER(cn_system_check_model, cube, 3, given.topology);
    NEVER(cn_system_check_simulator, cube, 3, given.topology);
}

static void results(void)
{
    FREES(cn_result_free, result, &given.result);
    NUMBER(cn_result_has, result, given.result, CN_METRIC_POWER);
    NEVER(cn_result_value, result, given.result, CN_METRIC_POWER, out.reals[0]);
    NEVER(cn_result_half_width, result, given.result, CN_METRIC_POWER, out.reals[0]);
    NEVER(cn_result_samples, result, given.result, CN_METRIC_POWER, out.words[0]);
    NUMBER(cn_result_stop, result, given.result);
    TEXT(cn_stop_text, nothing, CN_STOP_DEADLOCK);
    NUMBER(cn_result_is_saturated, result, given.result);
    NUMBER(cn_result_is_settled, result, given.result);
    NUMBER(cn_result_seed, result, given.result);
    TEXT(cn_result_system, result, given.result);
    TEXT(cn_result_library, result, given.result);
    TEXT(cn_result_model, result, given.result);
    FAILS(cn_result_scenario, result, given.result, &made.scenario);
    NEVER(cn_result_json, result, given.result, out.text, 8192, out.sizes);
    FAILS(cn_result_from_json, nothing, result_text, NULL, &made.result);
}

static void workloads(void)
{
    FAILS(cn_workload_new, cube, given.topology, &made.workload);
    FAILS(cn_workload_collective, cube, given.topology, CN_COLLECTIVE_ALLREDUCE,
          CN_ALGORITHM_DIMENSIONS, 70, 3, &made.workload);
    FAILS(cn_workload_tree, collective_and_tree, given.tree, CN_COLLECTIVE_REDUCE, 4, 3,
          &made.workload);
    TEXT(cn_collective_operation_name, nothing, CN_COLLECTIVE_ALLREDUCE);
    TEXT(cn_algorithm_name, nothing, CN_ALGORITHM_RING);
    NEVER(cn_collective_operation_from_name, nothing, "reduce",
          (cn_collective_operation *)(void *)out.numbers);
    NEVER(cn_algorithm_from_name, nothing, "ring", (cn_algorithm *)(void *)out.numbers);
    FAILS(cn_workload_copy, with_workload, given.workload, &made.workload);
    FREES(cn_workload_free, with_workload, &given.workload);
    FAILS(cn_workload_add, empty_workload, given.workload, 2, 4, 1, 0, NULL, 0, NULL, 0,
          out.words[0]);
    NUMBER(cn_workload_count, with_workload, given.workload);
    NEVER(cn_workload_message, with_workload, given.workload, 1,
          (cn_workload_entry *)(void *)out.words[0], sizeof(cn_workload_entry));
    NEVER(cn_workload_waits, with_workload, given.workload, 1, out.words[0], 8, out.sizes);
    NUMBER(cn_workload_equal, with_workload, given.workload, given.workload);
    FAILS(cn_workload_steps, with_workload, given.workload, out.words[0]);
    FAILS(cn_workload_busiest_channel, with_workload, given.workload, NULL, NULL, out.reals[0]);
    FAILS(cn_workload_busiest_channel, workload_and_routing, given.workload, given.routing, NULL,
          out.reals[0]);
    NEVER(cn_workload_json, with_workload, given.workload, out.text, 8192, out.sizes);
    FAILS(cn_workload_from_json, nothing, workload_text, NULL, &made.workload);
    FAILS(cn_scenario_set_workload, with_workload, given.scenario, given.workload);
    NEVER(cn_result_messages, workload_result, given.result, out.words[0], out.words[1],
          out.words[2], 256, out.sizes);
    NEVER(cn_result_critical_path, workload_result, given.result, out.words[0], 256, out.sizes);
    FAILS(cn_simulate, shared_workload, given.scenario, NULL, &made.result);
    FAILS(cn_sim_open, shared_workload, given.scenario, NULL, &made.sim);
}

void scenario_rows(void **state)
{
    (void)state;
    tables();
    operations();
    workloads();
    FAILS(cn_scenario_new, cube, given.topology, "deflection", &made.scenario);
    FAILS(cn_scenario_new, cube, given.topology, "wormhole", &made.scenario);
    FAILS(cn_scenario_new, general, given.topology, "collective", &made.scenario);
    FREES(cn_scenario_free, with_faults, &given.scenario);
    NEVER(cn_scenario_json, trace_attached, given.scenario, out.text, 8192, out.sizes);
    FAILS(cn_scenario_from_json, nothing, scenario_text, NULL, &made.scenario);
    TEXT(cn_scenario_system, deflection, given.scenario);
    NUMBER(cn_scenario_takes, deflection, given.scenario, CN_PARAM_LOAD);
    NEVER(cn_scenario_range, deflection, given.scenario, CN_PARAM_BUFFERS, &out.reals[0][0],
          &out.reals[0][1], &out.reals[0][2]);
    NEVER(cn_scenario_set, deflection, given.scenario, CN_PARAM_LOAD, 1);
    NEVER(cn_scenario_get, deflection, given.scenario, CN_PARAM_LOAD, out.reals[0]);
    NEVER(cn_scenario_reset, optimal_path, given.scenario);
    FAILS(cn_scenario_copy, optimal_path, given.scenario, &made.scenario);
    NEVER(cn_scenario_set_seed, deflection, given.scenario, 7);
    NUMBER(cn_scenario_seed, deflection, given.scenario);
    attachments();
    queries();
    results();
}

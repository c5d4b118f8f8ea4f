#include "support/support.h"

#include "base/memory.h"
#include "scenario/scenario.h"

#include <string.h>

static cn_scenario *open_scenario(uint32_t n)
{
    cn_topology *cube;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(n, &cube));
    assert_ok(cn_scenario_new(cube, "deflection", &scenario));
    cn_topology_free(&cube);
    return scenario;
}

static double get(const cn_scenario *scenario, cn_param param)
{
    double value;
    assert_ok(cn_scenario_get(scenario, param, &value));
    return value;
}

static void systems_have_names(void **state)
{
    (void)state;
    size_t count = cn_system_count(), deflection = 0;
    assert_true(count >= 1);
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(cn_system_name(i)) > 0);
        assert_true(strlen(cn_system_summary(i)) > 0);
        assert_null(strchr(cn_system_summary(i), '\n'));
        deflection += strcmp(cn_system_name(i), "deflection") == 0;
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(cn_system_name(i), cn_system_name(j));
    }
    assert_int_equal(deflection, 1);
    assert_null(cn_system_name(count));
    assert_null(cn_system_summary(count));
    assert_null(cn_system_name(SIZE_MAX));
    assert_null(cn_system_summary(SIZE_MAX));
}

static void scenario_starts_at_the_defaults(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario(6);
    assert_string_equal(cn_scenario_system(scenario), "deflection");
    assert_int_equal(cn_scenario_seed(scenario), 1);
    assert_true(get(scenario, CN_PARAM_BUFFERS) == 12); /* 2n (Horng 1992, 3.4) */
    for (int i = 1; i <= (int)cn_param_count(); i++) {
        double start = 0.0;
        assert_true(cn_param_range((cn_param)i, NULL, NULL, &start, NULL) == CN_OK || i == 14);
        if (cn_scenario_takes(scenario, (cn_param)i) && i != CN_PARAM_BUFFERS)
            assert_true(get(scenario, (cn_param)i) == start);
    }
    cn_scenario_free(&scenario);
}

static void buffers_start_at_twice_the_ports(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
        int bidirectional;
        double buffers;
    } rows[] = {{2, 5, 0, 10}, {2, 5, 1, 10}, {8, 2, 0, 4}, {8, 2, 1, 8}, {4, 3, 1, 12}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cn_topology *network;
        cn_scenario *scenario;
        assert_ok(cn_topology_kary_ncube(rows[i].k, rows[i].n, rows[i].bidirectional, &network));
        assert_ok(cn_scenario_new(network, "deflection", &scenario));
        assert_true(get(scenario, CN_PARAM_BUFFERS) == rows[i].buffers);
        cn_scenario_free(&scenario);
        cn_topology_free(&network);
    }
}

static void deflection_takes_what_it_uses(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario(4);
    static const cn_param taken[] = {CN_PARAM_LOAD,          CN_PARAM_BUFFERS,
                                     CN_PARAM_WARMUP_CYCLES, CN_PARAM_MEASURE_CYCLES,
                                     CN_PARAM_REPLICATIONS,  CN_PARAM_RELATIVE_PRECISION,
                                     CN_PARAM_THREADS};
    static const cn_param others[] = {CN_PARAM_VIRTUAL_CHANNELS, CN_PARAM_MESSAGE_FLITS,
                                      CN_PARAM_FLIT_BUFFERS, CN_PARAM_BROADCAST_FRACTION,
                                      CN_PARAM_STARTUP_LATENCY};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        assert_int_equal(cn_scenario_takes(scenario, taken[i]), 1);
        assert_ok(cn_scenario_set(scenario, taken[i], get(scenario, taken[i])));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        double value = 17, start;
        assert_ok(cn_param_range(others[i], NULL, NULL, &start, NULL));
        assert_int_equal(cn_scenario_takes(scenario, others[i]), 0);
        assert_fails(cn_scenario_set(scenario, others[i], start), CN_ERR_UNSUPPORTED,
                     cn_param_name(others[i]));
        assert_fails(cn_scenario_get(scenario, others[i], &value), CN_ERR_UNSUPPORTED,
                     cn_param_name(others[i]));
        assert_true(value == 17);
    }
    cn_scenario_free(&scenario);
}

static void parameters_do_not_disturb_each_other(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario(4);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.375));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 9));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, 2));
    assert_ok(cn_scenario_set_seed(scenario, UINT64_MAX));
    assert_fails(cn_scenario_set(scenario, CN_PARAM_LOAD, -1), CN_ERR_ARGUMENT, "load");
    assert_true(get(scenario, CN_PARAM_LOAD) == 0.375);
    assert_true(get(scenario, CN_PARAM_BUFFERS) == 9);
    assert_true(get(scenario, CN_PARAM_THREADS) == 2);
    assert_true(cn_scenario_seed(scenario) == UINT64_MAX);
    assert_ok(cn_scenario_set_seed(scenario, 0));
    assert_int_equal(cn_scenario_seed(scenario), 0);
    cn_scenario_free(&scenario);
}

static void reset_puts_all_back(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario(6), *fresh = open_scenario(6);
    for (int i = 1; i <= (int)cn_param_count(); i++) {
        double least, greatest;
        if (!cn_scenario_takes(scenario, (cn_param)i))
            continue;
        assert_ok(cn_param_range((cn_param)i, &least, &greatest, NULL, NULL));
        assert_ok(cn_scenario_set(scenario, (cn_param)i,
                                  get(scenario, (cn_param)i) == greatest ? least : greatest));
    }
    assert_ok(cn_scenario_set_seed(scenario, 99));
    assert_ok(cn_scenario_reset(scenario));
    assert_int_equal(cn_scenario_seed(scenario), 1);
    for (int i = 1; i <= (int)cn_param_count(); i++)
        if (cn_scenario_takes(scenario, (cn_param)i))
            assert_true(get(scenario, (cn_param)i) == get(fresh, (cn_param)i));
    cn_scenario_free(&scenario);
    cn_scenario_free(&fresh);
}

static void copy_is_a_scenario_of_its_own(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario(4);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.25));
    assert_ok(cn_scenario_set_seed(scenario, 5));
    cn_scenario *copy = cni_scenario_duplicate(scenario);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5));
    assert_true(get(copy, CN_PARAM_LOAD) == 0.25);
    cn_scenario_free(&scenario);
    assert_int_equal(cn_scenario_seed(copy), 5);
    assert_string_equal(cn_scenario_system(copy), "deflection");
    assert_true(get(copy, CN_PARAM_BUFFERS) == 8);
    cn_scenario_free(&copy);
    assert_int_equal(cni_live_blocks(), 0);
}

static void unknown_systems_are_not_found(void **state)
{
    (void)state;
    static const char *const names[] = {"", "Deflection", "deflect", "deflections", "no-such"};
    int some_object;
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cn_scenario *scenario = (cn_scenario *)(void *)&some_object;
        assert_fails(cn_scenario_new(cube, names[i], &scenario), CN_ERR_NOT_FOUND,
                     quoted(names[i]));
        assert_null(scenario);
    }
    cn_topology_free(&cube);
}

static void other_networks_are_not_supported(void **state)
{
    (void)state;
    int some_object;
    cn_topology *wide;
    cn_scenario *scenario = (cn_scenario *)(void *)&some_object;
    assert_ok(cn_topology_complete(66, &wide));
    assert_fails(cn_scenario_new(wide, "deflection", &scenario), CN_ERR_UNSUPPORTED, "deflection");
    assert_null(scenario);
    cn_topology_free(&wide);
}

static void null_is_refused(void **state)
{
    (void)state;
    int some_object;
    cn_topology *cube;
    cn_scenario *scenario = (cn_scenario *)(void *)&some_object;
    double value = 17;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_fails(cn_scenario_new(NULL, "deflection", &scenario), CN_ERR_ARGUMENT, "topology");
    assert_null(scenario);
    scenario = (cn_scenario *)(void *)&some_object;
    assert_fails(cn_scenario_new(cube, NULL, &scenario), CN_ERR_ARGUMENT, "system");
    assert_null(scenario);
    assert_fails(cn_scenario_new(cube, "deflection", NULL), CN_ERR_ARGUMENT, "scenario");
    assert_ok(cn_scenario_new(cube, "deflection", &scenario));
    assert_fails(cn_scenario_set(NULL, CN_PARAM_LOAD, 1), CN_ERR_ARGUMENT, "scenario");
    assert_fails(cn_scenario_get(NULL, CN_PARAM_LOAD, &value), CN_ERR_ARGUMENT, "scenario");
    assert_fails(cn_scenario_get(scenario, CN_PARAM_LOAD, NULL), CN_ERR_ARGUMENT, "value");
    assert_fails(cn_scenario_reset(NULL), CN_ERR_ARGUMENT, "scenario");
    assert_fails(cn_scenario_set_seed(NULL, 1), CN_ERR_ARGUMENT, "scenario");
    assert_true(value == 17);
    assert_string_equal(cn_scenario_system(NULL), "");
    assert_int_equal(cn_scenario_takes(NULL, CN_PARAM_LOAD), 0);
    assert_int_equal(cn_scenario_seed(NULL), 0);
    cn_result *result = (cn_result *)(void *)&some_object;
    assert_fails(cn_predict(NULL, NULL, &result), CN_ERR_ARGUMENT, "scenario");
    assert_null(result);
    result = (cn_result *)(void *)&some_object;
    assert_fails(cn_simulate(NULL, NULL, &result), CN_ERR_ARGUMENT, "scenario");
    assert_null(result);
    assert_fails(cn_predict(scenario, NULL, NULL), CN_ERR_ARGUMENT, "result");
    assert_fails(cn_simulate(scenario, NULL, NULL), CN_ERR_ARGUMENT, "result");
    cn_scenario_free(&scenario);
    cn_scenario_free(&scenario);
    cn_scenario_free(NULL);
    cn_topology_free(&cube);
}

/* All six orders of giving the three handles up, each still usable after the others are gone. */
static void handles_may_be_freed_in_any_order(void **state)
{
    (void)state;
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int o = 0; o < 6; o++) {
        cn_topology *cube;
        cn_scenario *scenario;
        cn_result *result;
        assert_ok(cn_topology_hypercube(4, &cube));
        assert_ok(cn_scenario_new(cube, "deflection", &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5));
        assert_ok(cn_predict(scenario, NULL, &result));
        for (int i = 0; i < 3; i++) {
            if (orders[o][i] == 0)
                cn_topology_free(&cube);
            else if (orders[o][i] == 1)
                cn_scenario_free(&scenario);
            else
                cn_result_free(&result);
            if (cube != NULL)
                assert_int_equal(cn_topology_node_count(cube), 16);
            if (scenario != NULL) {
                cn_result *again;
                assert_ok(cn_predict(scenario, NULL, &again));
                cn_result_free(&again);
            }
            if (result != NULL)
                assert_string_equal(cn_result_system(result), "deflection");
        }
        assert_int_equal(cni_live_blocks(), 0);
    }
}

static void failed_run_leaves_no_result(void **state)
{
    (void)state;
    int some_object;
    cn_scenario *scenario = open_scenario(6);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 5)); /* one too few */
    cn_result *result = (cn_result *)(void *)&some_object;
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_ARGUMENT, "buffers = 5");
    assert_null(result);
    result = (cn_result *)(void *)&some_object;
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_ARGUMENT, "buffers = 5");
    assert_null(result);
    assert_non_null(strstr(cn_last_error(), "at least 6"));
    cn_scenario_free(&scenario);
    assert_int_equal(cni_live_blocks(), 0);
}

/* Each run of several works on a copy. What is attached is as it was when it was attached. */
static void a_copy_keeps_what_was_attached(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_faults_add_node(faults, 5));
    assert_ok(cn_scenario_new(cube, "flow-deviation", &scenario));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    cn_scenario *copy = cni_scenario_duplicate(scenario);
    assert_true(cni_faults_of(copy) == cni_faults_of(scenario));
    assert_true(cni_faults_of(scenario) != faults);
    assert_ok(cn_faults_add_node(faults, 6));
    assert_ok(cn_scenario_set_faults(scenario, NULL));
    assert_null(cni_faults_of(scenario));
    cn_scenario_free(&scenario);
    assert_true(cn_faults_has_node(cni_faults_of(copy), 5));
    assert_false(cn_faults_has_node(cni_faults_of(copy), 6));
    assert_ok(cn_scenario_set_faults(copy, faults));
    assert_true(cn_faults_has_node(cni_faults_of(copy), 6));
    cn_scenario_free(&copy);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_have_names),
        cmocka_unit_test(scenario_starts_at_the_defaults),
        cmocka_unit_test(buffers_start_at_twice_the_ports),
        cmocka_unit_test(deflection_takes_what_it_uses),
        cmocka_unit_test(parameters_do_not_disturb_each_other),
        cmocka_unit_test(reset_puts_all_back),
        cmocka_unit_test(copy_is_a_scenario_of_its_own),
        cmocka_unit_test(unknown_systems_are_not_found),
        cmocka_unit_test(other_networks_are_not_supported),
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(handles_may_be_freed_in_any_order),
        cmocka_unit_test(failed_run_leaves_no_result),
        cmocka_unit_test(a_copy_keeps_what_was_attached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

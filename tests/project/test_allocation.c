/* Whatever allocation fails, a call gives CN_ERR_MEMORY, makes no object and leaves nothing behind. */
#include "support/support.h"

/* One experiment of each kind, from the topology to the result. */
typedef struct experiment {
    uint32_t n, k; /* k = 0: Boolean cube */
    double replications, threads;
    cn_status (*run)(const cn_scenario *scenario);
} experiment;

static int some_object;

static cn_status build(const experiment *e, cn_topology **network, cn_scenario **scenario)
{
    *network = (cn_topology *)(void *)&some_object;
    cn_status status = e->k == 0 ? cn_topology_hypercube(e->n, network)
                                 : cn_topology_kary_ncube(e->k, e->n, 1, network);
    if (status != CN_OK) {
        assert_null(*network);
        return status;
    }
    *scenario = (cn_scenario *)(void *)&some_object;
    status = cn_scenario_new(*network, "deflection", scenario);
    if (status != CN_OK)
        assert_null(*scenario);
    return status;
}

static cn_status carry_out(void *context)
{
    const experiment *e = context;
    cn_topology *network = NULL;
    cn_scenario *scenario = NULL;
    cn_status status = build(e, &network, &scenario);
    if (status == CN_OK) {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 10));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 50));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, e->threads));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, e->replications));
        status = e->run(scenario);
    }
    cn_scenario_free(&scenario);
    cn_topology_free(&network);
    return status;
}

static cn_status predict(const cn_scenario *scenario)
{
    cn_result *result = (cn_result *)(void *)&some_object;
    cn_status status = cn_predict(scenario, &result);
    if (status != CN_OK)
        assert_null(result);
    cn_result_free(&result);
    return status;
}

static cn_status simulate(const cn_scenario *scenario)
{
    cn_result *result = (cn_result *)(void *)&some_object;
    cn_status status = cn_simulate(scenario, &result);
    if (status != CN_OK)
        assert_null(result);
    cn_result_free(&result);
    return status;
}

/* Steps, injects, steps, fetches and asks for the result; every call may be the one that fails. */
static cn_status drive_open(cn_sim *sim)
{
    cn_delivery delivery;
    cn_result *result = (cn_result *)(void *)&some_object;
    cn_status status = cn_sim_step(sim, 15);
    uint64_t accepted = 0, delivered = 0;
    for (uint64_t tag = 0; status == CN_OK && tag < 200; tag++) {
        cn_status injected = cn_sim_inject(sim, tag % 16, (tag + 1 + tag % 15) % 16, tag);
        accepted += injected == CN_OK;
        if (injected != CN_REFUSED)
            status = injected;
        if (status == CN_OK && tag % 10 == 9)
            status = cn_sim_step(sim, 1);
    }
    if (status == CN_OK)
        status = cn_sim_step(sim, 400);
    if (status != CN_OK)
        return status;
    while (cn_sim_next_delivery(sim, &delivery, sizeof delivery) == CN_OK)
        delivered++;
    assert_true(accepted > 0 && delivered == accepted);
    status = cn_sim_result(sim, &result);
    if (status != CN_OK)
        assert_null(result);
    cn_result_free(&result);
    return status;
}

static cn_status drive(const cn_scenario *scenario)
{
    cn_sim *sim = (cn_sim *)(void *)&some_object;
    cn_status status = cn_sim_open(scenario, &sim);
    if (status != CN_OK)
        assert_null(sim);
    else
        status = drive_open(sim);
    cn_sim_close(&sim);
    return status;
}

static void predicting(void **state)
{
    (void)state;
    support_fail_every_allocation(carry_out, &(experiment){4, 0, 1, 1, predict});
}

static void simulating(void **state)
{
    (void)state;
    support_fail_every_allocation(carry_out, &(experiment){4, 0, 1, 1, simulate});
    support_fail_every_allocation(carry_out, &(experiment){2, 4, 1, 1, simulate});
}

static void simulating_with_threads(void **state)
{
    (void)state;
    support_fail_every_allocation(carry_out, &(experiment){4, 0, 1, 2, simulate});
}

static void simulating_several_times(void **state)
{
    (void)state;
    support_fail_every_allocation(carry_out, &(experiment){4, 0, 3, 1, simulate});
    support_fail_every_allocation(carry_out, &(experiment){4, 0, 3, 2, simulate});
}

static void driving(void **state)
{
    (void)state;
    support_fail_every_allocation(carry_out, &(experiment){4, 0, 1, 1, drive});
    support_fail_every_allocation(carry_out, &(experiment){2, 4, 1, 1, drive});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicting),
        cmocka_unit_test(simulating),
        cmocka_unit_test(simulating_with_threads),
        cmocka_unit_test(simulating_several_times),
        cmocka_unit_test(driving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

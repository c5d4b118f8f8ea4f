/* The model of a buffer at each channel (Horng 1992, 2.3). */
#include "support/support.h"

#include <math.h>

static double delay_of(uint32_t n, double load)
{
    cn_topology *topology;
    cn_scenario *scenario;
    cn_result *result;
    double delay;
    assert_ok(cn_topology_hypercube(n, &topology));
    assert_ok(cn_scenario_new(topology, "separate-buffers", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_ok(cn_predict(scenario, NULL, &result));
    assert_ok(cn_result_value(result, CN_METRIC_MEAN_DELAY, &delay));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return delay;
}

static void published_delays_come_out(void **state)
{
    (void)state;
    assert_near(delay_of(6, 0.2), 3.2255, 5e-5);
    assert_near(delay_of(6, 0.8), 4.1245, 5e-5);
    assert_near(delay_of(6, 1.4), 6.9202, 5e-5);
    assert_near(delay_of(6, 1.8), 19.8287, 5e-5);
}

/* From an independent solution with 80 digits. */
static void delays_are_right_to_the_last_digits(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double load, delay;
    } cases[] = {{1, 0.5, 2},
                 {1, 0.999999, 999999.99997124437},
                 {2, 1.4999999, 15312500.303559534},
                 {3, 0.001, 1.7149141913292856},
                 {6, 1e-09, 3.0476190484181469},
                 {6, 0.2, 3.2255104043973302},
                 {6, 1.4, 6.9201770451770441},
                 {6, 1.96874999, 309729007.2630114},
                 {10, 1.998046874, 4879452895.4964104},
                 {20, 1.9, 102.10435149615736},
                 {62, 1e-09, 31.000000007640999},
                 {62, 0.5, 36.093999306278185},
                 {62, 1.5, 76.845993756503645},
                 {62, 1.9999999999, 305639934429.14929}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_near(delay_of(cases[i].n, cases[i].load), cases[i].delay, 1e-13 * cases[i].delay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_delays_come_out),
        cmocka_unit_test(delays_are_right_to_the_last_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The models of wormhole switching and the ports of nodes: nodes with one port (`one_port`), and
 * when the first of the copies leaves its source (mean_delay_broadcast_sent), against
 * simulations. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"

typedef struct asked {
    uint32_t n;
    double flits, channels, beta, load;
} asked;

static cn_scenario *scenario_of(const asked *a, int one_port)
{
    cn_scenario *scenario = cube_scenario("wormhole", a->n, a->load);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, a->flits));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, a->channels));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, a->beta));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_ONE_PORT, one_port));
    return scenario;
}

static double limit_of(cn_scenario *scenario)
{
    double limit = 0.0;
    assert_ok(cn_saturation_load(scenario, NULL, &limit));
    return limit;
}

/* NAN where the form has no steady state. */
static double predicted(cn_scenario *scenario, cn_model_variant form, cn_metric metric)
{
    cn_result *result = NULL;
    double value = NAN;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, form));
    cn_status status = cn_predict(scenario, NULL, &result);
    assert_true(status == CN_OK || status == CN_ERR_UNSTABLE);
    if (status == CN_OK)
        value = value_of(result, metric);
    cn_result_free(&result);
    return value;
}

/* ---- one port ---- */

typedef struct measured {
    asked of;
    double broadcast, broadcast_half_width, sent, sent_half_width, unicast, unicast_half_width;
} measured;

/* 20, 40, 60 and 75 % of the limit of own; seed 1, 10 000 cycles of warm-up, 4 000 000 (n = 7 and
 * 8: 2 000 000) measured. Without broadcasts: 0. */
static const measured simulations[] = {
    {{6, 32, 2, 0.01, 0.00304}, 277.1, 1.4, 271.6, 1.1, 42.37, 0.16},
    {{6, 32, 2, 0.01, 0.00607}, 368.4, 3.2, 352.6, 2.6, 54.21, 0.38},
    {{6, 32, 2, 0.01, 0.00911}, 536.1, 5.6, 500.0, 5.1, 76.64, 0.51},
    {{6, 32, 2, 0.01, 0.0114}, 831.8, 19.3, 758.9, 16.8, 115.01, 2.03},
    {{6, 32, 4, 0.02, 0.00217}, 280.5, 2.7, 274.4, 2.4, 44.43, 0.27},
    {{6, 32, 4, 0.02, 0.00435}, 384.2, 4.0, 366.9, 3.5, 59.08, 0.48},
    {{6, 32, 4, 0.02, 0.00652}, 570.8, 8.5, 530.8, 7.6, 85.29, 0.88},
    {{6, 32, 4, 0.02, 0.00815}, 900.9, 28.5, 819.1, 24.2, 129.29, 3.46},
    {{6, 32, 2, 0.2, 0.000453}, 300.2, 3.3, 290.5, 2.9, 46.60, 0.40},
    {{6, 32, 2, 0.2, 0.000907}, 426.8, 4.1, 401.8, 3.3, 63.87, 0.45},
    {{6, 32, 2, 0.2, 0.00136}, 645.6, 17.3, 591.9, 14.0, 94.03, 1.66},
    {{6, 32, 2, 0.2, 0.0017}, 1003.8, 30.5, 903.9, 27.9, 141.21, 3.38},
    {{8, 32, 4, 0.02, 0.000921}, 431.9, 6.5, 423.0, 6.1, 47.84, 0.58},
    {{8, 32, 4, 0.02, 0.00184}, 606.4, 10.1, 582.8, 9.3, 65.28, 0.82},
    {{8, 32, 4, 0.02, 0.00276}, 903.5, 11.1, 853.8, 10.3, 94.18, 1.37},
    {{8, 32, 4, 0.02, 0.00345}, 1380.6, 39.8, 1289.3, 35.8, 138.55, 3.11},
    {{7, 64, 2, 0.1, 0.000222}, 729.7, 11.8, 710.9, 11.8, 90.57, 1.35},
    {{7, 64, 2, 0.1, 0.000445}, 1046.0, 23.0, 995.2, 21.9, 125.33, 1.36},
    {{7, 64, 2, 0.1, 0.000667}, 1570.9, 46.6, 1465.2, 41.9, 185.16, 3.30},
    {{7, 64, 2, 0.1, 0.000834}, 2423.7, 98.5, 2227.7, 89.0, 278.01, 7.74},
    {{4, 16, 3, 0.05, 0.00584}, 85.2, 0.4, 82.5, 0.4, 22.00, 0.04},
    {{4, 16, 3, 0.05, 0.0117}, 111.1, 0.9, 103.5, 0.6, 28.13, 0.09},
    {{4, 16, 3, 0.05, 0.0175}, 160.0, 1.3, 142.3, 0.9, 39.44, 0.23},
    {{4, 16, 3, 0.05, 0.0219}, 245.8, 4.7, 209.8, 3.2, 58.52, 1.20},
    {{6, 32, 2, 0, 0.00433}, 0.0, 0.0, 0.0, 0.0, 40.03, 0.04},
    {{6, 32, 2, 0, 0.00866}, 0.0, 0.0, 0.0, 0.0, 48.03, 0.09},
    {{6, 32, 2, 0, 0.013}, 0.0, 0.0, 0.0, 0.0, 63.26, 0.17},
    {{6, 32, 2, 0, 0.0162}, 0.0, 0.0, 0.0, 0.0, 88.51, 0.36},
    {{5, 8, 6, 0, 0.0164}, 0.0, 0.0, 0.0, 0.0, 12.28, 0.02},
    {{5, 8, 6, 0, 0.0328}, 0.0, 0.0, 0.0, 0.0, 14.81, 0.02},
    {{5, 8, 6, 0, 0.0491}, 0.0, 0.0, 0.0, 0.0, 19.22, 0.04},
    {{5, 8, 6, 0, 0.0614}, 0.0, 0.0, 0.0, 0.0, 26.28, 0.10},
};
enum { POINTS = sizeof simulations / sizeof simulations[0], LOADS = 4 };

static const char *page; /* docs/lab/accuracy.md */

/* The errors of own, in the row of the case that begins at this point. */
static void check_row(size_t first, int of_unicasts)
{
    const asked *of = &simulations[first].of;
    double errors[LOADS];
    char begins[100];
    for (size_t l = 0; l < LOADS; l++) {
        const measured *m = &simulations[first + l];
        cn_scenario *scenario = scenario_of(&m->of, 1);
        cn_metric metric =
            of_unicasts ? CN_METRIC_MEAN_DELAY_UNICAST : CN_METRIC_MEAN_DELAY_BROADCAST;
        double simulated = of_unicasts ? m->unicast : m->broadcast;
        errors[l] = predicted(scenario, CN_MODEL_OWN, metric) / simulated - 1.0;
        cn_scenario_free(&scenario);
    }
    snprintf(begins, sizeof begins, "%u | %g | %g | %g | %s, one port", (unsigned)of->n, of->flits,
             of->channels, of->beta, of_unicasts ? "unicasts" : "broadcasts");
    assert_errors_in(page, begins, errors, LOADS);
}

static void the_page_tells_the_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < POINTS; i += LOADS) {
        if (simulations[i].broadcast > 0.0)
            check_row(i, 0);
        check_row(i, 1);
    }
}

/* Unicasts are within 5.1 %. Broadcasts are within 6 % to 60 % of the limit, and within 9.1 % at 75
 * %, where half-widths are 2 to 4 %; counted from the first copy they are as near. */
static void nodes_with_one_port_are_as_simulated(void **state)
{
    (void)state;
    for (size_t i = 0; i < POINTS; i++) {
        const measured *m = &simulations[i];
        cn_scenario *scenario = scenario_of(&m->of, 1);
        double unicast = predicted(scenario, CN_MODEL_OWN, CN_METRIC_MEAN_DELAY_UNICAST);
        double broadcast = predicted(scenario, CN_MODEL_OWN, CN_METRIC_MEAN_DELAY_BROADCAST);
        double sent = predicted(scenario, CN_MODEL_OWN, CN_METRIC_MEAN_DELAY_BROADCAST_SENT);
        assert_near(unicast / m->unicast, 1.0, 0.051);
        assert_near(predicted(scenario, CN_MODEL_AUTOMATIC, CN_METRIC_MEAN_DELAY_UNICAST), unicast,
                    0.0);
        assert_near(predicted(scenario, CN_MODEL_OWN, CN_METRIC_EXTRAPOLATED), 0.0, 0.0);
        if (m->broadcast > 0.0) {
            assert_near(broadcast / m->broadcast, 1.0, i % 4 == 3 ? 0.092 : 0.06);
            assert_near(sent / m->sent, 1.0, i % 4 == 3 ? 0.092 : 0.06);
        }
        cn_scenario_free(&scenario);
    }
}

/* The paper's queue takes one message at a time for Poisson arrivals, and the copies of a broadcast
 * come together. */
static void the_errors_of_the_other_forms_are_known(void **state)
{
    (void)state;
    static const double lowest[] = {-0.713, -0.469}, highest[] = {-0.021, 0.016};
    for (int form = CN_MODEL_PUBLISHED; form <= CN_MODEL_CORRECTED; form++) {
        double least = 0.0, most = -1.0;
        for (size_t i = 0; i < POINTS; i++) {
            cn_scenario *scenario = scenario_of(&simulations[i].of, 1);
            assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, 1));
            double value =
                predicted(scenario, (cn_model_variant)form, CN_METRIC_MEAN_DELAY_BROADCAST);
            double error = value / simulations[i].broadcast - 1.0;
            if (simulations[i].broadcast > 0.0 && isfinite(error)) {
                least = fmin(least, error);
                most = fmax(most, error);
            }
            cn_scenario_free(&scenario);
        }
        assert_near(least, lowest[form], 0.002);
        assert_near(most, highest[form], 0.002);
    }
}

/* The stored numbers are those of the simulator. */
static void the_stored_simulations_can_be_simulated(void **state)
{
    (void)state;
    for (size_t i = 1; i < POINTS; i += 8) {
        const measured *m = &simulations[i];
        cn_scenario *scenario = scenario_of(&m->of, 1);
        cn_result *result = NULL;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 3000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 60000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
        assert_ok(cn_simulate(scenario, NULL, &result));
        assert_near(value_of(result, CN_METRIC_MEAN_DELAY_UNICAST), m->unicast,
                    2.0 * half_width_of(result, CN_METRIC_MEAN_DELAY_UNICAST));
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

/* A channel that is the only one of its node has one queue. */
static void one_dimension_has_one_port(void **state)
{
    (void)state;
    for (int step = 1; step <= 8; step++) {
        asked a = {1, 16, 2, 0.3, 0.0065 * step};
        cn_scenario *one = scenario_of(&a, 1), *all = scenario_of(&a, 0);
        static const cn_metric same[] = {CN_METRIC_MEAN_DELAY_UNICAST,
                                         CN_METRIC_MEAN_DELAY_BROADCAST,
                                         CN_METRIC_MEAN_DELAY_BROADCAST_SENT};
        for (int form = CN_MODEL_PUBLISHED; form <= CN_MODEL_OWN; form++)
            for (size_t i = 0; i < 3; i++) {
                double value = predicted(all, (cn_model_variant)form, same[i]);
                if (isfinite(value))
                    assert_near(predicted(one, (cn_model_variant)form, same[i]), value,
                                0.004 * value);
            }
        cn_scenario_free(&one);
        cn_scenario_free(&all);
    }
}

/* All messages of a node go through its queue, a flit a cycle, and the simulation carries what the
 * model says that it does. */
static void the_queue_of_a_node_limits_the_load(void **state)
{
    (void)state;
    static const asked cases[] = {{4, 16, 3, 0.0, 0}, {4, 16, 2, 0.1, 0}, {3, 4, 4, 0.02, 0}};
    for (size_t i = 0; i < 3; i++) {
        const asked *a = &cases[i];
        cn_scenario *one = scenario_of(a, 1), *all = scenario_of(a, 0);
        double limit = limit_of(one), copies = ldexp(1.0, (int)a->n) - 1.0;
        assert_true(limit < limit_of(all));
        assert_true(limit < 1.0 / (a->flits * (1.0 + a->beta * (copies - 1.0))));
        for (int above = 0; above < 2; above++) {
            cn_result *result = NULL;
            assert_ok(cn_scenario_set(one, CN_PARAM_LOAD, (above ? 1.1 : 0.9) * limit));
            assert_ok(cn_scenario_set(one, CN_PARAM_MEASURE_CYCLES, 60000));
            assert_ok(cn_simulate(one, NULL, &result));
            assert_int_equal(cn_result_is_saturated(result), above);
            cn_result_free(&result);
        }
        cn_scenario_free(&one);
        cn_scenario_free(&all);
    }
}

/* ---- at random points ---- */

static double uniform(uint64_t *place)
{
    return (double)(cni_random_word(41, (*place)++) >> 11) * 0x1p-53;
}

static asked random_point(uint64_t *place)
{
    asked a = {.n = 3 + (uint32_t)(4.0 * uniform(place))};
    a.flits = floor(8.0 * pow(6.0, uniform(place)));
    a.channels = 2.0 + floor(5.0 * uniform(place));
    a.beta = uniform(place) < 0.3 ? 0.0 : 0.005 * pow(40.0, uniform(place));
    return a;
}

static void hold(const cn_scenario *scenario, const cn_result *simulation, cn_metric metric,
                 double share)
{
    cn_result *forecast = NULL;
    assert_ok(cn_predict(scenario, NULL, &forecast));
    double value = value_of(simulation, metric);
    assert_near(value_of(forecast, metric), value,
                share * value + 1.5 * half_width_of(simulation, metric));
    cn_result_free(&forecast);
}

/* Up to 60 % of the limit, with one port and with all. */
static void delays_are_as_simulated_at_random_points(void **state)
{
    (void)state;
    skip_under_sanitizers();
    uint64_t place = 0;
    for (int i = 0; i < 40; i++) {
        asked a = random_point(&place);
        cn_scenario *scenario = scenario_of(&a, i % 2);
        cn_result *result = NULL;
        double load = (0.1 + 0.5 * uniform(&place)) * limit_of(scenario);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 100000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
        assert_ok(cn_simulate(scenario, NULL, &result));
        hold(scenario, result, CN_METRIC_MEAN_DELAY_UNICAST, 0.065);
        if (a.beta > 0.0) {
            hold(scenario, result, CN_METRIC_MEAN_DELAY_BROADCAST, 0.08);
            hold(scenario, result, CN_METRIC_MEAN_DELAY_BROADCAST_SENT, 0.08);
        }
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

static void other_networks_with_one_port_are_as_simulated(void **state)
{
    (void)state;
    skip_under_sanitizers();
    uint64_t place = 1000;
    for (int i = 0; i < 12; i++) {
        uint64_t sides[2];
        for (int side = 0; side < 2; side++)
            sides[side] = 3 + (uint64_t)(5.0 * uniform(&place));
        cn_topology *topology = NULL;
        cn_scenario *scenario = NULL;
        cn_result *result = NULL;
        assert_ok(i % 3 == 2 ? cn_topology_mesh(sides, 2, &topology)
                             : cn_topology_torus(sides, 2, &topology));
        assert_ok(cn_scenario_new(topology, "wormhole", &scenario));
        assert_ok(cn_scenario_set_routing_name(scenario, i % 2 == 0 ? "duato" : "dimension-order"));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 3 + i % 3));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 16 + 4 * i));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_ONE_PORT, 1));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD,
                                  (0.1 + 0.5 * uniform(&place)) * limit_of(scenario)));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 60000));
        assert_ok(cn_simulate(scenario, NULL, &result));
        hold(scenario, result, CN_METRIC_MEAN_DELAY, 0.08);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
        cn_topology_free(&topology);
    }
}

/* The furthest one known, as far with all ports: 74.45 +- 1.4 cycles at 0.0188 with all, 71.45 +-
 * 2.0 at 0.01408 with one (2 000 000 cycles, seed 1). */
static void a_long_narrow_mesh_is_slower_than_predicted(void **state)
{
    (void)state;
    static const uint64_t sides[] = {2, 6, 3};
    static const double loads[] = {0.0187988, 0.0140820}, delays[] = {74.45, 71.45};
    static const double errors[] = {-0.104, -0.100};
    for (int one_port = 0; one_port < 2; one_port++) {
        cn_topology *mesh = NULL;
        cn_scenario *scenario = NULL;
        assert_ok(cn_topology_mesh(sides, 3, &mesh));
        assert_ok(cn_scenario_new(mesh, "wormhole", &scenario));
        assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 3));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 23));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_ONE_PORT, one_port));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, loads[one_port]));
        double delay = predicted(scenario, CN_MODEL_OWN, CN_METRIC_MEAN_DELAY);
        assert_near(delay / delays[one_port] - 1.0, errors[one_port], 0.002);
        cn_scenario_free(&scenario);
        cn_topology_free(&mesh);
    }
}

/* ---- the first copy ---- */

/* Of n copies in as many queues the first waits for little; the one on the paper's way, to the
 * deepest node, waits like any. */
static void the_first_of_many_copies_hardly_waits(void **state)
{
    (void)state;
    asked a = {6, 32, 4, 0.02, 0.014};
    cn_scenario *scenario = scenario_of(&a, 0);
    for (int form = CN_MODEL_PUBLISHED; form <= CN_MODEL_OWN; form++) {
        cn_model_variant f = (cn_model_variant)form;
        double wait = predicted(scenario, f, CN_METRIC_MEAN_DELAY_BROADCAST) -
                      predicted(scenario, f, CN_METRIC_MEAN_DELAY_BROADCAST_SENT);
        double unicast = predicted(scenario, f, CN_METRIC_MEAN_DELAY_UNICAST);
        assert_true(wait > 0.0);
        if (form == CN_MODEL_OWN)
            assert_true(wait < 0.1);
        else
            assert_true(wait > 2.0 && wait < unicast - 32.0);
    }
    cn_scenario_free(&scenario);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_tells_the_errors),
        cmocka_unit_test(nodes_with_one_port_are_as_simulated),
        cmocka_unit_test(the_errors_of_the_other_forms_are_known),
        cmocka_unit_test(the_stored_simulations_can_be_simulated),
        cmocka_unit_test(one_dimension_has_one_port),
        cmocka_unit_test(the_queue_of_a_node_limits_the_load),
        cmocka_unit_test(delays_are_as_simulated_at_random_points),
        cmocka_unit_test(other_networks_with_one_port_are_as_simulated),
        cmocka_unit_test(a_long_narrow_mesh_is_slower_than_predicted),
        cmocka_unit_test(the_first_of_many_copies_hardly_waits),
    };
    if (argc != 2)
        return 1;
    page = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}

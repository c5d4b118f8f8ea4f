/* Buffer ranges and optimal loads: against a scan of all numbers and a fine grid of loads. */
#include "support/support.h"

#include <math.h>
#include <string.h>

static cn_scenario *scenario_of(uint64_t k, uint32_t n, double load, int variant)
{
    cn_topology *topology;
    cn_scenario *scenario;
    assert_ok(cn_topology_kary_ncube(k, n, 0, &topology));
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
    cn_topology_free(&topology);
    return scenario;
}

static double power_of(cn_scenario *scenario, cn_param param, double value)
{
    cn_result *result;
    double power;
    assert_ok(cn_scenario_set(scenario, param, value));
    assert_ok(cn_predict(scenario, NULL, &result));
    assert_ok(cn_result_value(result, CN_METRIC_POWER, &power));
    cn_result_free(&result);
    return power;
}

enum { SCANNED = 60 };

static void a_range_is_what_a_scan_finds(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const struct {
        uint64_t k;
        uint32_t n;
        double load;
    } cases[] = {{2, 6, 0.25}, {2, 6, 1.0}, {2, 6, 1.5}, {2, 6, 4.0}, {8, 2, 0.1},
                 {8, 2, 0.2},  {8, 2, 0.5}, {4, 3, 0.6}, {2, 3, 1e6}, {2, 1, 0.5}};
    static const double shares[] = {0.5, 0.95, 0.99, 0.999};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (int variant = CN_MODEL_PUBLISHED; variant <= CN_MODEL_OWN; variant += CN_MODEL_OWN) {
            cn_scenario *scenario = scenario_of(cases[c].k, cases[c].n, cases[c].load, variant);
            double power[SCANNED + 1], best = 0.0;
            int on_rings = variant == CN_MODEL_OWN && cases[c].k == 8; /* own covers 4 and more */
            uint64_t fewest = on_rings ? 4 : cases[c].n;
            for (uint64_t m = fewest; m <= SCANNED; m++) {
                power[m] = power_of(scenario, CN_PARAM_BUFFERS, (double)m);
                best = fmax(best, power[m]);
            }
            for (size_t s = 0; s < 4; s++) {
                uint64_t least, greatest, first = 0, last = 0;
                double found;
                for (uint64_t m = fewest; m <= SCANNED; m++)
                    if (power[m] >= shares[s] * best) {
                        first = first == 0 ? m : first;
                        last = m;
                    }
                if (on_rings && first == fewest) { /* fewer may do */
                    assert_fails(
                        cn_buffer_range(scenario, shares[s], NULL, &least, &greatest, &found),
                        CN_ERR_UNSUPPORTED, "with buffers = 3");
                    continue;
                }
                assert_ok(cn_buffer_range(scenario, shares[s], NULL, &least, &greatest, &found));
                assert_near(found / best, 1.0, 1e-9);
                assert_int_equal(least, first);
                assert_int_equal(greatest > SCANNED ? 0 : greatest, last == SCANNED ? 0 : last);
            }
            cn_scenario_free(&scenario);
        }
}

/* Horng 1992, figure 3.11: 2n is in the range of 95 % of a 6-cube for a wide range of loads; 4.6
 * and 4.7. */
static void two_buffers_a_channel_are_a_good_choice(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
        double loads[4];
    } nets[] = {{2, 6, {0.5, 1.0, 2.0, 4.0}},
                {8, 2, {0.05, 0.1, 0.2, 0.28}},
                {4, 3, {0.1, 0.3, 0.5, 0.66}}};
    for (size_t i = 0; i < 3; i++)
        for (size_t l = 0; l < 4; l++) {
            cn_scenario *scenario =
                scenario_of(nets[i].k, nets[i].n, nets[i].loads[l], CN_MODEL_PUBLISHED);
            uint64_t least, greatest;
            assert_ok(cn_buffer_range(scenario, 0.95, NULL, &least, &greatest, NULL));
            assert_true(least <= 2 * nets[i].n);
            assert_true(greatest == 0 || greatest >= 2 * nets[i].n);
            cn_scenario_free(&scenario);
        }
}

static void the_optimal_load_is_that_of_a_grid(void **state)
{
    (void)state;
    static const double buffers[] = {7, 8, 12, 20, 40};
    for (int variant = CN_MODEL_PUBLISHED; variant <= CN_MODEL_OWN; variant += CN_MODEL_OWN)
        for (size_t b = 0; b < 5; b++) {
            cn_scenario *scenario = scenario_of(2, 6, 0.1, variant);
            double load, power, best = 0.0, at = 0.0;
            assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers[b]));
            assert_ok(cn_optimal_load(scenario, NULL, &load, &power));
            for (double l = 0.5; l < 5.0; l *= 1.01) {
                double here = power_of(scenario, CN_PARAM_LOAD, l);
                at = here > best ? l : at;
                best = fmax(best, here);
            }
            assert_true(power >= best * (1.0 - 1e-12));
            assert_near(load / at, 1.0, 0.011);
            assert_near(power_of(scenario, CN_PARAM_LOAD, load) / power, 1.0, 1e-12);
            cn_scenario_free(&scenario);
        }
}

/* A ring of two with one buffer: nothing is ever in the way, and the power is that of the
 * acceptance. */
static void a_power_without_a_peak_is_greatest_at_the_end(void **state)
{
    (void)state;
    cn_scenario *scenario = scenario_of(2, 1, 0.1, CN_MODEL_PUBLISHED);
    double load, power;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 1));
    assert_ok(cn_optimal_load(scenario, NULL, &load, &power));
    assert_true(load == 1e6);
    assert_near(power, 2.0, 1e-5);
    cn_scenario_free(&scenario);
}

/* The power as the headers define it; 0 without a steady state. */
static double power_by_hand(cn_scenario *scenario, double load)
{
    cn_result *result;
    double throughput, delay;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    cn_status status = cn_predict(scenario, NULL, &result);
    if (status == CN_ERR_UNSTABLE)
        return 0.0;
    assert_ok(status);
    assert_ok(cn_result_value(result, CN_METRIC_NETWORK_THROUGHPUT, &throughput));
    assert_ok(cn_result_value(result, CN_METRIC_MEAN_DELAY, &delay));
    cn_result_free(&result);
    return throughput / delay;
}

static void hold_against_a_scan(cn_scenario *scenario, const char *what)
{
    double load, power, best = 0.0, at = 0.0;
    if (cn_optimal_load(scenario, NULL, &load, &power) != CN_OK)
        fail_msg("%s: %s", what, cn_last_error());
    for (double l = 1e-6; l < 1e3; l *= fabs(log(l / load)) < 2.0 ? 1.02 : 1.3) {
        double here = power_by_hand(scenario, l);
        at = here > best ? l : at;
        best = fmax(best, here);
    }
    assert_true(best > 0.0);
    if (power < best * (1.0 - 1e-9) || fabs(load / at - 1.0) > 0.021)
        fail_msg("%s: power %g at load %g, but a scan finds %g at %g", what, power, load, best, at);
    assert_near(power_by_hand(scenario, load) / power, 1.0, 1e-12);
}

/* Whatever the variants of its model; systems for damaged cubes on a damaged one, too. */
static int scan_system(const char *system, uint32_t n, int damaged)
{
    cn_topology *cube;
    cn_scenario *scenario;
    cn_faults *faults;
    cn_result *result;
    int scanned = 0;
    assert_ok(cn_topology_hypercube(n, &cube));
    assert_ok(cn_scenario_new(cube, system, &scenario));
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_faults_add_node(faults, 5));
    if (cn_scenario_takes(scenario, CN_PARAM_LOAD))
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.0));
    int runs = !damaged || cn_scenario_set_faults(scenario, faults) == CN_OK;
    for (int variant = 0; runs && variant < 3; variant++) {
        if (cn_scenario_takes(scenario, CN_PARAM_MODEL_VARIANT))
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
        else if (variant > 0)
            break;
        cn_status status = cn_predict(scenario, NULL, &result);
        if (status == CN_ERR_UNSUPPORTED)
            continue;
        assert_ok(status);
        cn_result_free(&result);
        hold_against_a_scan(scenario, system);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.0));
        scanned++;
    }
    cn_faults_free(&faults);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    return scanned;
}

static void every_system_with_a_model_has_an_optimal_load(void **state)
{
    (void)state;
    int scanned = 0, with_a_model = 0;
    for (size_t i = 0; i < cn_system_count(); i++) {
        int whole = scan_system(cn_system_name(i), 4, 0);
        with_a_model += whole > 0;
        scanned += whole + scan_system(cn_system_name(i), 3, 1);
    }
    assert_int_equal(with_a_model, 9); /* all but collective */
    assert_true(scanned >= 19);
}

/* A source that offers at most one message a cycle, where the network could do with more. */
static void an_optimal_load_is_one_that_the_source_offers(void **state)
{
    (void)state;
    cn_topology *net;
    cn_traffic *traffic;
    cn_scenario *scenario;
    double load, power;
    assert_ok(cn_topology_complete(7, &net));
    assert_ok(cn_traffic_new(net, CN_PATTERN_UNIFORM, &traffic));
    assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_BERNOULLI));
    assert_ok(cn_scenario_new(net, "separate-buffers", &scenario));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    assert_ok(cn_optimal_load(scenario, NULL, &load, &power));
    assert_near(load, 1.0, 0.0);
    assert_near(power, power_by_hand(scenario, 1.0), 0.0);
    assert_ok(cn_saturation_load(scenario, NULL, &load));
    assert_near(load, 6.0, 1e-12);
    cn_scenario_free(&scenario);
    cn_traffic_free(&traffic);
    cn_topology_free(&net);
}

/* ---- the saturation load ---- */

static cn_status predict_at(cn_scenario *scenario, double load)
{
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    cn_status status = cn_predict(scenario, NULL, &result);
    cn_result_free(&result);
    return status;
}

/* The model has a steady state just below, and none at this load, for every system and variant. */
static int check_saturation(const cn_topology *t, const char *system, cn_faults *faults,
                            int slotted)
{
    cn_scenario *scenario;
    double load;
    int checked = 0;
    assert_ok(cn_scenario_new(t, system, &scenario));
    if (cn_scenario_takes(scenario, CN_PARAM_SLOTTED))
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, slotted));
    if (faults != NULL && cn_scenario_set_faults(scenario, faults) != CN_OK) {
        cn_scenario_free(&scenario);
        return 0;
    }
    for (int variant = 0; variant < 3; variant++) {
        if (cn_scenario_takes(scenario, CN_PARAM_MODEL_VARIANT))
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
        else if (variant > 0)
            break;
        cn_status status = cn_saturation_load(scenario, NULL, &load);
        if (status == CN_ERR_UNSUPPORTED)
            continue;
        assert_ok(status);
        /* the search of flow deviation takes too long any nearer */
        double near = strcmp(system, "flow-deviation") == 0 ? 1e-2 : 1e-9;
        assert_ok(predict_at(scenario, load * (1.0 - near)));
        assert_int_equal(predict_at(scenario, load * (1.0 + 1e-9)), CN_ERR_UNSTABLE);
        checked++;
    }
    cn_scenario_free(&scenario);
    return checked;
}

static void models_end_at_the_saturation_load(void **state)
{
    (void)state;
    static const char *const systems[] = {"separate-buffers", "shared-buffer",  "wormhole",
                                          "optimistic-bound", "degraded-bound", "flow-deviation"};
    static const int variants[] = {2, 1, 3, 1, 2, 1};
    static const uint64_t sides[] = {4, 3};
    cn_topology *cube, *mesh;
    cn_faults *faults;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_mesh(sides, 2, &mesh));
    assert_ok(cn_faults_new(mesh, &faults));
    assert_ok(cn_faults_add_node(faults, 5));
    for (int i = 0; i < 6; i++)
        assert_int_equal(check_saturation(cube, systems[i], NULL, 1), variants[i]);
    for (int slotted = 0; slotted < 2; slotted++) {
        assert_true(check_saturation(mesh, "separate-buffers", NULL, slotted) > 0);
        assert_true(check_saturation(mesh, "separate-buffers", faults, slotted) > 0);
    }
    assert_int_equal(check_saturation(mesh, "flow-deviation", faults, 1), 1);
    cn_faults_free(&faults);
    cn_topology_free(&mesh);
    cn_topology_free(&cube);
}

/* Deflection refuses: it delivers no more than this, however much is offered. */
static void deflection_has_a_throughput_limit(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_scenario *scenario;
    cn_result *result;
    double limit;
    assert_ok(cn_topology_hypercube(5, &cube));
    assert_ok(cn_scenario_new(cube, "deflection", &scenario));
    assert_ok(cn_saturation_load(scenario, NULL, &limit));
    for (double load = 1e3; load <= 1e6; load *= 10.0) {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
        assert_ok(cn_predict(scenario, NULL, &result));
        assert_near(value_of(result, CN_METRIC_THROUGHPUT), limit, 10.0 / load);
        cn_result_free(&result);
    }
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

static void what_has_no_saturation_load_is_told(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_scenario *scenario;
    double load = -1.0;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_scenario_new(cube, "collective", &scenario));
    assert_fails(cn_saturation_load(scenario, NULL, &load), CN_ERR_UNSUPPORTED,
                 "does not take the parameter load");
    cn_scenario_free(&scenario);
    assert_ok(cn_scenario_new(cube, "separate-buffers", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, CN_SELECTION_LEAST_LOADED));
    assert_fails(cn_saturation_load(scenario, NULL, &load), CN_ERR_UNSUPPORTED, "least-loaded");
    assert_fails(cn_saturation_load(scenario, NULL, NULL), CN_ERR_ARGUMENT, "load");
    assert_near(load, -1.0, 0.0);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

/* Worms so long, or a ring so wide, that the steady states end far below the first load tried. */
static void an_optimal_load_may_be_small(void **state)
{
    (void)state;
    cn_topology *net;
    cn_scenario *scenario;
    double load, power;
    assert_ok(cn_topology_hypercube(8, &net));
    assert_ok(cn_scenario_new(net, "wormhole", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 1000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 0.5));
    hold_against_a_scan(scenario, "wormhole");
    assert_ok(cn_optimal_load(scenario, NULL, &load, &power));
    assert_true(load < 1e-4);
    cn_scenario_free(&scenario);
    cn_topology_free(&net);
}

static void other_failures_are_reported(void **state)
{
    (void)state;
    cn_topology *net;
    cn_scenario *scenario;
    double load = -1.0;
    assert_ok(cn_topology_psnn(4, &net));
    assert_ok(cn_scenario_new(net, "wormhole", &scenario));
    assert_fails(cn_optimal_load(scenario, NULL, &load, NULL), CN_ERR_UNSUPPORTED, "psnn(4)");
    cn_scenario_free(&scenario);
    cn_topology_free(&net);
    assert_ok(cn_topology_hypercube(4, &net));
    assert_ok(cn_scenario_new(net, "collective", &scenario));
    assert_fails(cn_optimal_load(scenario, NULL, &load, NULL), CN_ERR_UNSUPPORTED,
                 "does not take the parameter load");
    cn_scenario_free(&scenario);
    /* nothing is left that could talk */
    assert_ok(cn_scenario_new(net, "degraded-bound", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_NODE_FAILURE_PROBABILITY, 1.0));
    assert_fails(cn_optimal_load(scenario, NULL, &load, NULL), CN_ERR_ARGUMENT,
                 "node_failure_probability = 1");
    assert_true(load == -1.0);
    cn_scenario_free(&scenario);
    cn_topology_free(&net);
}

static void the_scenario_is_not_touched(void **state)
{
    (void)state;
    cn_scenario *scenario = scenario_of(2, 4, 1.25, CN_MODEL_OWN);
    uint64_t least, greatest;
    double load, buffers, power;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 3)); /* too few, and of no matter here */
    assert_ok(cn_buffer_range(scenario, 0.9, NULL, &least, &greatest, &power));
    assert_ok(cn_scenario_get(scenario, CN_PARAM_BUFFERS, &buffers));
    assert_true(buffers == 3.0);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 9));
    assert_ok(cn_optimal_load(scenario, NULL, &load, &power));
    assert_ok(cn_scenario_get(scenario, CN_PARAM_LOAD, &load));
    assert_true(load == 1.25);
    cn_scenario_free(&scenario);
}

static int count_look(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    (void)done, (void)total, (void)lower, (void)upper;
    ++*(int *)user;
    return 0;
}

/* However short a prediction is, the control is looked at before it. */
static void a_search_looks_at_its_control(void **state)
{
    (void)state;
    cn_scenario *scenario = scenario_of(2, 3, 1.0, CN_MODEL_PUBLISHED);
    cn_control *control;
    double load;
    int looks = 0;
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_progress(control, count_look, &looks));
    assert_ok(cn_optimal_load(scenario, control, &load, NULL));
    assert_true(looks >= 50);
    cn_control_free(&control);
    cn_scenario_free(&scenario);
}

static void arguments_are_checked(void **state)
{
    (void)state;
    cn_scenario *scenario = scenario_of(2, 4, 1.0, CN_MODEL_PUBLISHED);
    uint64_t least = 77, greatest = 78;
    double load = -1.0;
    assert_fails(cn_buffer_range(scenario, 0.0, NULL, &least, &greatest, NULL), CN_ERR_ARGUMENT,
                 "share = 0");
    assert_fails(cn_buffer_range(scenario, 1.01, NULL, &least, &greatest, NULL), CN_ERR_ARGUMENT,
                 "share = 1.01");
    assert_fails(cn_buffer_range(scenario, NAN, NULL, &least, &greatest, NULL), CN_ERR_ARGUMENT,
                 "share");
    assert_fails(cn_buffer_range(NULL, 0.9, NULL, &least, &greatest, NULL), CN_ERR_ARGUMENT,
                 "scenario");
    assert_fails(cn_buffer_range(scenario, 0.9, NULL, NULL, &greatest, NULL), CN_ERR_ARGUMENT,
                 "least");
    assert_fails(cn_buffer_range(scenario, 0.9, NULL, &least, NULL, NULL), CN_ERR_ARGUMENT,
                 "greatest");
    assert_fails(cn_optimal_load(NULL, NULL, &load, NULL), CN_ERR_ARGUMENT, "scenario");
    assert_fails(cn_optimal_load(scenario, NULL, NULL, NULL), CN_ERR_ARGUMENT, "load");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 3));
    assert_fails(cn_optimal_load(scenario, NULL, &load, NULL), CN_ERR_ARGUMENT, "buffers = 3");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_CORRECTED));
    assert_fails(cn_buffer_range(scenario, 0.9, NULL, &least, &greatest, NULL), CN_ERR_UNSUPPORTED,
                 "model_variant = corrected");
    assert_true(least == 77 && greatest == 78 && load == -1.0);
    cn_scenario_free(&scenario);
}

static cn_status size_and_load(void *context)
{
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    uint64_t least, greatest;
    double load;
    (void)context;
    cn_status status = cn_topology_hypercube(2, &topology);
    if (status == CN_OK)
        status = cn_scenario_new(topology, "deflection", &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, 3.0);
    if (status == CN_OK)
        status = cn_buffer_range(scenario, 0.9, NULL, &least, &greatest, NULL);
    if (status == CN_OK)
        status = cn_optimal_load(scenario, NULL, &load, NULL);
    if (status == CN_OK)
        status = cn_saturation_load(scenario, NULL, &load);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    support_fail_every_allocation(size_and_load, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_is_what_a_scan_finds),
        cmocka_unit_test(two_buffers_a_channel_are_a_good_choice),
        cmocka_unit_test(the_optimal_load_is_that_of_a_grid),
        cmocka_unit_test(a_power_without_a_peak_is_greatest_at_the_end),
        cmocka_unit_test(every_system_with_a_model_has_an_optimal_load),
        cmocka_unit_test(an_optimal_load_is_one_that_the_source_offers),
        cmocka_unit_test(models_end_at_the_saturation_load),
        cmocka_unit_test(deflection_has_a_throughput_limit),
        cmocka_unit_test(what_has_no_saturation_load_is_told),
        cmocka_unit_test(an_optimal_load_may_be_small),
        cmocka_unit_test(other_failures_are_reported),
        cmocka_unit_test(the_scenario_is_not_touched),
        cmocka_unit_test(a_search_looks_at_its_control),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(every_failed_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

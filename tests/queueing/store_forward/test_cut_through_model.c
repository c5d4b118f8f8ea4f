/* The models of cut-through: limits that are known, the shortest of several queues against a
 * simulation of it, and the model of stored messages in slots of a service. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "queueing/store_forward/unlimited_model.h"

/* ---- the shortest of several queues ---- */

static double md1(double rho)
{
    return rho / (2.0 * (1.0 - rho));
}

/* Without a choice it is the queue with one server and services of one length. */
static void one_queue_is_pollaczek_and_khinchin(void **state)
{
    (void)state;
    static const double loads[] = {0.01, 0.3, 0.7, 0.9, 0.99};
    const double alone[] = {1.0, 0.0, 0.0};
    for (size_t i = 0; i < 5; i++)
        for (size_t count = 1; count <= 3; count++)
            assert_near(cni_cut_through_wait(loads[i], alone, count) / md1(loads[i]), 1.0, 0.002);
}

/* At light load all k are busy with probability rho^k, and the first of k services ends after 1/(k
 * + 1). */
static void a_light_load_meets_one_service_each(void **state)
{
    (void)state;
    const double rho = 1e-2;
    for (size_t k = 1; k <= 4; k++) {
        double ways[4] = {0.0};
        ways[k - 1] = 1.0;
        double light = pow(rho, (double)k) / (double)(k + 1);
        assert_near(cni_cut_through_wait(rho, ways, k) / light, 1.0, 0.03);
    }
}

/* Each of some thousand servers keeps its work; a customer joins the least of k drawn ones. */
static double simulated(double rho, double share_of_one, uint32_t k, uint64_t customers)
{
    enum { SERVERS = 4000 };
    static double free_at[SERVERS];
    double now = 0.0, sum = 0.0;
    uint64_t counted = 0;
    memset(free_at, 0, sizeof free_at);
    for (uint64_t i = 0; i < customers; i++) {
        uint64_t stream = cni_random_derive(11, i);
        uint32_t drawn =
            (double)(cni_random_word(stream, 0) >> 11) * 0x1p-53 < share_of_one ? 1 : k;
        now -= log(((double)(cni_random_word(stream, 1) >> 11) + 1.0) * 0x1p-53) / (rho * SERVERS);
        uint32_t best = 0;
        for (uint32_t j = 0; j < drawn; j++) {
            uint32_t server =
                cni_random_below((uint32_t)(cni_random_word(stream, 2 + j) >> 32), SERVERS);
            if (j == 0 || free_at[server] < free_at[best])
                best = server;
        }
        double start = fmax(now, free_at[best]);
        if (i > customers / 5) {
            sum += start - now;
            counted++;
        }
        free_at[best] = start + 1.0;
    }
    return sum / (double)counted;
}

/* The mean of 3 200 000 waits; the standard errors are below 0.4 %. */
static void the_shortest_of_several_queues(void **state)
{
    (void)state;
    static const struct {
        double rho, share_of_one;
        uint32_t k;
    } cases[] = {{0.5, 0.0, 2}, {0.9, 0.0, 2}, {0.8, 0.5, 3}, {0.95, 0.2, 4}};
    for (size_t i = 0; i < 4; i++) {
        double ways[4] = {cases[i].share_of_one};
        ways[cases[i].k - 1] += 1.0 - cases[i].share_of_one;
        double wait = cni_cut_through_wait(cases[i].rho, ways, 4);
        double seen = simulated(cases[i].rho, cases[i].share_of_one, cases[i].k, 4000000);
        assert_near(wait / seen, 1.0, 0.02);
    }
}

/* ---- whole networks ---- */

static cn_scenario *scenario_of(const cn_topology *t, const char *routing, double load,
                                cn_model_variant variant)
{
    cn_scenario *scenario = NULL;
    assert_ok(cn_scenario_new(t, "cut-through", &scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 20));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
    return scenario;
}

static double delay_of(cn_scenario *scenario)
{
    cn_result *result = NULL;
    assert_ok(cn_predict(scenario, NULL, &result));
    double delay = value_of(result, CN_METRIC_MEAN_DELAY);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return delay;
}

/* M + hops, and the startup latency. */
static void without_load_nothing_waits(void **state)
{
    (void)state;
    cn_topology *torus = NULL;
    double hops = 0.0;
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &torus));
    assert_ok(cn_topology_mean_distance(torus, NULL, &hops));
    for (int variant = CN_MODEL_PUBLISHED; variant <= CN_MODEL_OWN; variant += CN_MODEL_OWN) {
        cn_scenario *scenario = scenario_of(torus, "duato", 0, (cn_model_variant)variant);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, 7));
        assert_near(delay_of(scenario), 27 + hops, 1e-12);
    }
    cn_topology_free(&torus);
}

/* Every channel of a cube is busy for rho; published: M/D/1 at each hop. */
static void the_published_one_is_a_queue_a_hop(void **state)
{
    (void)state;
    cn_topology *cube = NULL;
    double d = 0.0;
    assert_ok(cn_topology_hypercube(5, &cube));
    assert_ok(cn_topology_mean_distance(cube, NULL, &d));
    for (double rho = 0.1; rho < 1.0; rho += 0.2) {
        double load = rho * 5 / d / 20;
        assert_near(delay_of(scenario_of(cube, "duato", load, CN_MODEL_PUBLISHED)),
                    20 + d + d * 20 * md1(rho), 1e-9 * (20 + d * 20 * md1(rho)));
    }
    cn_topology_free(&cube);
}

/* Without choices the waits are those of stored messages, in slots of M cycles; with choices
 * less. */
static void in_order_it_is_the_model_of_stored_messages(void **state)
{
    (void)state;
    static const char *const routings[] = {"dimension-order", "up-down"};
    cn_topology *mesh = NULL;
    cn_traffic *poisson = NULL;
    assert_ok(cn_topology_mesh((const uint64_t[]){4, 3}, 2, &mesh));
    assert_ok(cn_traffic_new(mesh, CN_PATTERN_UNIFORM, &poisson));
    assert_ok(cn_traffic_set_source(poisson, CN_SOURCE_POISSON));
    for (size_t i = 0; i < 2; i++) {
        cn_scenario *stored = NULL;
        cn_result *result = NULL;
        assert_ok(cn_scenario_new(mesh, "separate-buffers", &stored));
        assert_ok(cn_scenario_set_routing_name(stored, routings[i]));
        assert_ok(cn_scenario_set_traffic(stored, poisson));
        assert_ok(cn_scenario_set(stored, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
        double limit = 0.0, own_limit = 0.0;
        assert_ok(cn_saturation_load(stored, NULL, &limit));
        assert_ok(cn_scenario_set(stored, CN_PARAM_LOAD, 0.7 * limit));
        assert_ok(cn_predict(stored, NULL, &result));
        double wait =
            value_of(result, CN_METRIC_MEAN_DELAY) - value_of(result, CN_METRIC_MEAN_HOPS);
        cn_scenario *own = scenario_of(mesh, routings[i], 0.7 * limit / 20, CN_MODEL_OWN);
        assert_ok(cn_saturation_load(own, NULL, &own_limit));
        assert_near(own_limit, limit / 20, 1e-12);
        if (i == 0)
            assert_near(delay_of(own), 20 * (1 + wait) + value_of(result, CN_METRIC_MEAN_HOPS),
                        1e-9);
        else
            assert_true(delay_of(own) <=
                        20 * (1 + wait) + value_of(result, CN_METRIC_MEAN_HOPS) + 1e-9);
        cn_result_free(&result);
        cn_scenario_free(&stored);
    }
    cn_traffic_free(&poisson);
    cn_topology_free(&mesh);
}

static void a_full_channel_has_no_steady_state(void **state)
{
    (void)state;
    cn_topology *cube = NULL;
    cn_result *result = NULL;
    double limit = 0.0;
    assert_ok(cn_topology_hypercube(4, &cube));
    cn_scenario *scenario = scenario_of(cube, "duato", 0.01, CN_MODEL_OWN);
    assert_ok(cn_saturation_load(scenario, NULL, &limit));
    assert_near(limit, 1.875 / 20, 1e-12);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, limit));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "0.09375");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.999999 * limit));
    assert_ok(cn_predict(scenario, NULL, &result));
    assert_true(value_of(result, CN_METRIC_MEAN_DELAY) < 1e9);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

static void what_it_does_not_cover_is_refused(void **state)
{
    (void)state;
    static const struct {
        cn_param param;
        double value;
        const char *text;
    } cases[] = {{CN_PARAM_SELECTION, CN_SELECTION_LEAST_LOADED, "selection = least-loaded"},
                 {CN_PARAM_BROADCAST_FRACTION, 0.1, "broadcast_fraction = 0.1"},
                 {CN_PARAM_ONE_PORT, 1, "one_port = yes"},
                 {CN_PARAM_INJECTION_SERVERS, 2, "injection_servers = 2"},
                 {CN_PARAM_MODEL_VARIANT, CN_MODEL_CORRECTED, "corrected"}};
    cn_topology *cube = NULL;
    cn_result *result = NULL;
    cn_traffic *bursts = NULL;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_scenario *scenario = scenario_of(cube, "duato", 0.01, CN_MODEL_OWN);
        double load = 0.0;
        assert_ok(cn_scenario_set(scenario, cases[i].param, cases[i].value));
        assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, cases[i].text);
        assert_fails(cn_saturation_load(scenario, NULL, &load), CN_ERR_UNSUPPORTED, cases[i].text);
        cn_scenario_free(&scenario);
    }
    cn_scenario *scenario = scenario_of(cube, "duato", 0.01, CN_MODEL_OWN);
    assert_ok(cn_traffic_new(cube, CN_PATTERN_UNIFORM, &bursts));
    assert_ok(cn_traffic_set_on_off(bursts, 20.0, 60.0));
    assert_ok(cn_scenario_set_traffic(scenario, bursts));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "on-off");
    cn_traffic_free(&bursts);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_queue_is_pollaczek_and_khinchin),
        cmocka_unit_test(a_light_load_meets_one_service_each),
        cmocka_unit_test(the_shortest_of_several_queues),
        cmocka_unit_test(without_load_nothing_waits),
        cmocka_unit_test(the_published_one_is_a_queue_a_hop),
        cmocka_unit_test(in_order_it_is_the_model_of_stored_messages),
        cmocka_unit_test(a_full_channel_has_no_steady_state),
        cmocka_unit_test(what_it_does_not_cover_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

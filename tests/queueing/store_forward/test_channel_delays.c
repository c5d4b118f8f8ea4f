/* The delays of single channels: with the loads that routings say they make up the mean delay. */
#include "support/support.h"

#include "cubenet/experimental/intermediate.h"

#include <string.h>

#include <math.h>

#include "support/networks.h"

enum { ROOM = 4096 };

static double delays[ROOM], loads[ROOM];

static cn_scenario *scenario_of(const cn_topology *t, const char *routing, double load, int slotted,
                                cn_model_variant variant)
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(t, "separate-buffers", &scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, slotted));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
    return scenario;
}

static double mean_delay(const cn_scenario *scenario)
{
    cn_result *result;
    assert_ok(cn_predict(scenario, NULL, &result));
    double delay = value_of(result, CN_METRIC_MEAN_DELAY);
    cn_result_free(&result);
    return delay;
}

/* Sum of load times delay over the messages sent; every channel takes at least a cycle, unused ones
 * just that. */
static void check(const cn_topology *t, const char *name, double share, int slotted,
                  cn_model_variant variant)
{
    cn_routing *routing;
    double limit, sum = 0.0;
    size_t count, ports = cn_topology_max_degree(t);
    uint64_t nodes = cn_topology_node_count(t);
    assert_ok(cn_routing_new(t, name, NULL, NULL, &routing));
    assert_ok(cn_routing_saturation_load(routing, NULL, NULL, NULL, &limit));
    assert_ok(cn_routing_loads(routing, NULL, NULL, NULL, loads, ROOM, NULL));
    cn_scenario *scenario = scenario_of(t, name, share * limit, slotted, variant);
    for (size_t c = 0; c < ROOM; c++)
        delays[c] = -1.0;
    assert_ok(cn_predict_channel_delays(scenario, NULL, delays, ROOM, &count));
    assert_int_equal(count, nodes * ports);
    for (size_t c = 0; c < count; c++) {
        uint32_t degree;
        assert_ok(cn_topology_degree(t, c / ports, &degree));
        if (c % ports >= degree)
            assert_true(delays[c] == 0.0);
        else if (loads[c] == 0.0 || share == 0.0)
            assert_near(delays[c], 1.0, 1e-14);
        else
            assert_true(delays[c] >= 1.0 - 1e-14);
        if (c % ports < degree && !slotted) /* M/M/1 */
            assert_near(delays[c] * (1.0 - share * limit * loads[c]), 1.0, 1e-9);
        sum += loads[c] * delays[c];
    }
    assert_true(delays[count] == -1.0);
    assert_near(sum / (double)nodes / mean_delay(scenario), 1.0, 1e-11);
    cn_scenario_free(&scenario);
    cn_routing_free(&routing);
}

/* Trees of more than four children with valiant. */
static int is_outside_of_own(const cn_topology *t, const char *routing)
{
    return strcmp(routing, "valiant") == 0 && strncmp(cn_topology_name(t), "tree(", 5) == 0 &&
           cn_topology_max_degree(t) > 5;
}

static void they_make_up_the_mean_delay(void **state)
{
    (void)state;
    static const char *const routings[] = {"minimal", "dimension-order", "up-down", "valiant"};
    size_t checked = 0;
    for (size_t i = 0; i < network_count(); i++) {
        cn_topology *t = make_network(i);
        for (size_t r = 0; r < 4; r++) {
            cn_routing *routing;
            if (cn_topology_node_count(t) < 2 || cn_topology_node_count(t) > 64 ||
                cn_routing_new(t, routings[r], NULL, NULL, &routing) != CN_OK)
                continue;
            cn_routing_free(&routing);
            for (double share = 0.0; share < 1.0; share += 0.45) {
                check(t, routings[r], share, 0, CN_MODEL_OWN);
                if (!is_outside_of_own(t, routings[r]))
                    check(t, routings[r], share, 1, CN_MODEL_OWN);
                check(t, routings[r], share, 1, CN_MODEL_PUBLISHED);
            }
            checked++;
        }
        cn_topology_free(&t);
    }
    assert_true(checked > 100);
}

/* What comes to the channel of a leaf is new: 1 / (1 - load) with geometric sources. The hub is
 * behind all. */
static void the_leaf_of_a_star_by_hand(void **state)
{
    (void)state;
    cn_topology *star;
    assert_ok(cn_topology_star(5, &star));
    for (double load = 0.0; load < 1.0; load += 0.2) {
        uint32_t degree;
        cn_scenario *scenario = scenario_of(star, "minimal", load, 1, CN_MODEL_OWN);
        size_t ports = cn_topology_max_degree(star), leaves = 0;
        assert_ok(cn_predict_channel_delays(scenario, NULL, delays, ROOM, NULL));
        for (uint64_t v = 0; v < cn_topology_node_count(star); v++) {
            assert_ok(cn_topology_degree(star, v, &degree));
            if (degree != 1)
                continue;
            assert_near(delays[v * ports], 1.0 / (1.0 - load), 1e-12);
            leaves++;
        }
        assert_true(leaves >= 4);
        cn_scenario_free(&scenario);
    }
    cn_topology_free(&star);
}

static void what_has_no_answer_is_refused(void **state)
{
    (void)state;
    cn_topology *cube, *large;
    size_t count = 0;
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_topology_hypercube(15, &large));
    cn_scenario *scenario = scenario_of(cube, "minimal", 0.5, 1, CN_MODEL_OWN);
    delays[0] = -1.0;
    assert_fails(cn_predict_channel_delays(scenario, NULL, delays, 23, &count), CN_ERR_CAPACITY,
                 "capacity = 23");
    assert_int_equal(count, 24);
    assert_fails(cn_predict_channel_delays(scenario, NULL, NULL, 24, NULL), CN_ERR_ARGUMENT,
                 "delays");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 2));
    assert_fails(cn_predict_channel_delays(scenario, NULL, delays, ROOM, NULL), CN_ERR_UNSTABLE,
                 "cn_predict_channel_delays: load = 2");
    assert_ok(cn_scenario_reset(scenario));
    assert_fails(cn_predict_channel_delays(scenario, NULL, delays, ROOM, NULL), CN_ERR_ARGUMENT,
                 "never set");
    cn_scenario_free(&scenario);
    scenario = scenario_of(large, "minimal", 0.5, 1, CN_MODEL_OWN);
    assert_fails(cn_predict_channel_delays(scenario, NULL, NULL, 0, NULL), CN_ERR_UNSUPPORTED,
                 "at most 16384");
    cn_scenario_free(&scenario);
    assert_ok(cn_scenario_new(cube, "shared-buffer", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5));
    assert_fails(cn_predict_channel_delays(scenario, NULL, delays, ROOM, NULL), CN_ERR_UNSUPPORTED,
                 "shared-buffer");
    cn_scenario_free(&scenario);
    assert_fails(cn_predict_channel_delays(NULL, NULL, delays, ROOM, NULL), CN_ERR_ARGUMENT,
                 "scenario");
    assert_true(delays[0] == -1.0);
    cn_topology_free(&large);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_make_up_the_mean_delay),
        cmocka_unit_test(the_leaf_of_a_star_by_hand),
        cmocka_unit_test(what_has_no_answer_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

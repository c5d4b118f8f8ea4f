/* The library's own models: the shares of capacity that their accuracy is stated up to, and the
 * regions of those that end. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "topology/topology.h"

typedef struct claim {
    const char *system, *routing, *network;
    double share; /* of the saturation load; of deflection, of what the channels can carry */
    cn_param param;
    double value;
} claim;

static cn_topology *network(const char *name)
{
    cn_topology *t;
    const uint64_t sides[] = {4, 4}, longer[] = {8, 4};
    if (strcmp(name, "cube") == 0)
        assert_ok(cn_topology_hypercube(4, &t));
    else if (strcmp(name, "torus") == 0)
        assert_ok(cn_topology_torus(sides, 2, &t));
    else if (strcmp(name, "torus of 32") == 0)
        assert_ok(cn_topology_torus(longer, 2, &t));
    else
        assert_ok(cn_topology_tree(name[4] == '4' ? 4 : 5, 2, &t));
    return t;
}

static cn_scenario *scenario_of(const claim *c)
{
    cn_topology *t = network(c->network);
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(t, c->system, &scenario));
    cn_topology_free(&t);
    if (c->routing != NULL)
        assert_ok(cn_scenario_set_routing_name(scenario, c->routing));
    if (cn_scenario_takes(scenario, CN_PARAM_MODEL_VARIANT))
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
    if (c->param != 0)
        assert_ok(cn_scenario_set(scenario, c->param, c->value));
    return scenario;
}

static double predicted(cn_scenario *scenario, double load, cn_metric metric)
{
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_predict(scenario, NULL, &result));
    double value = value_of(result, metric);
    cn_result_free(&result);
    return value;
}

/* The load of which shares are: n / d in messages, or for what refuses nothing the saturation
 * load. */
static double full(const claim *c, cn_scenario *scenario)
{
    double load;
    if (strstr(c->system, "deflection") == NULL) {
        assert_ok(cn_saturation_load(scenario, NULL, &load));
        return load;
    }
    double distance = predicted(scenario, 0.0, CN_METRIC_MEAN_DISTANCE), flits = 1.0, n = 4.0;
    if (cn_scenario_takes(scenario, CN_PARAM_MESSAGE_FLITS))
        assert_ok(cn_scenario_get(scenario, CN_PARAM_MESSAGE_FLITS, &flits));
    return flits == 1.0 ? n / distance : n / distance / (n + flits - 1.0);
}

static void the_share_is_the_stated_one(void **state)
{
    (void)state;
    static const claim claims[] = {
        {"deflection", NULL, "cube", 5.0, 0, 0},
        {"cut-through-deflection", NULL, "cube", 3.0, CN_PARAM_BUFFERS, 16},
        {"cut-through-deflection", NULL, "cube", 0.8, CN_PARAM_BUFFERS, 17},
        {"separate-buffers", NULL, "cube", 0.8, 0, 0},
        {"separate-buffers", "up-down", "torus", 0.8, 0, 0},
        {"cut-through", "duato", "torus", 0.7, 0, 0},
        {"cut-through", "up-down-adaptive", "torus", 0.4, 0, 0},
        {"cut-through", "dimension-order", "torus", 0.4, 0, 0},
        {"cut-through", "dimension-order", "torus", 0.7, CN_PARAM_VIRTUAL_CHANNELS, 4},
        {"cut-through", "dimension-order", "torus", 0.7, CN_PARAM_MESSAGE_BUFFERS, 4},
        {"cut-through", "dimension-order", "torus", 0.7, CN_PARAM_MESSAGE_BUFFERS, 0},
        {"cut-through", "up-down", "torus", 0.4, 0, 0},
        {"cut-through", "dimension-order", "cube", 0.4, 0, 0},
        {"cut-through", "dimension-order", "cube", 0.7, CN_PARAM_VIRTUAL_CHANNELS, 2},
        {"wormhole", "duato", "cube", 0.75, 0, 0},
        {"wormhole", "dimension-order", "torus of 32", 0.7, 0, 0},
    };
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        cn_scenario *scenario = scenario_of(&claims[i]);
        double end = claims[i].share * full(&claims[i], scenario);
        assert_near(predicted(scenario, 0.0, CN_METRIC_EXTRAPOLATED), 0, 0);
        assert_near(predicted(scenario, 0.99 * end, CN_METRIC_EXTRAPOLATED), 0, 0);
        assert_near(predicted(scenario, 1.01 * end, CN_METRIC_EXTRAPOLATED), 1, 0);
        cn_scenario_free(&scenario);
    }
}

/* A Jackson network is exact at any load. */
static void continuous_time_has_no_end(void **state)
{
    (void)state;
    const claim c = {"separate-buffers", NULL, "torus", 1.0, CN_PARAM_SLOTTED, 0};
    cn_scenario *scenario = scenario_of(&c);
    assert_near(predicted(scenario, 0.99 * full(&c, scenario), CN_METRIC_EXTRAPOLATED), 0, 0);
    cn_scenario_free(&scenario);
}

/* Nothing is claimed of what was published. */
static void only_own_models_say_it(void **state)
{
    (void)state;
    static const char *const systems[] = {"deflection", "separate-buffers", "cut-through",
                                          "wormhole"};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        const claim c = {systems[i], NULL, "cube", 1.0, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED};
        cn_scenario *scenario = scenario_of(&c);
        cn_result *result;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 1e-3));
        assert_ok(cn_predict(scenario, NULL, &result));
        assert_false(cn_result_has(result, CN_METRIC_EXTRAPOLATED));
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

static void check_refused(const claim *outside, const char *sentence, cn_param param, double inside)
{
    cn_scenario *scenario = scenario_of(outside);
    cn_result *result;
    for (double load = 1e-6; load < 1e3; load *= 1e3) { /* whatever the load */
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
        assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, sentence);
    }
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 1e-6));
    assert_ok(cn_scenario_set(scenario, param, inside));
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void outside_a_sentence_names_the_region(void **state)
{
    (void)state;
    const claim one_place = {"cut-through", "dimension-order",        "torus",
                             0.0,           CN_PARAM_MESSAGE_BUFFERS, 1};
    check_refused(&one_place, "covers message_buffers = 1 with routing = duato only",
                  CN_PARAM_MESSAGE_BUFFERS, 2);
    check_refused(&one_place, "not with dimension-order", CN_PARAM_MODEL_VARIANT,
                  CN_MODEL_PUBLISHED);
    const claim tree = {"separate-buffers", "valiant", "tree5", 0.0, 0, 0};
    check_refused(&tree, "on trees of at most 4 children", CN_PARAM_MODEL_VARIANT,
                  CN_MODEL_PUBLISHED);
    check_refused(&tree, "not on tree(5,2)", CN_PARAM_SLOTTED, 0);
    const claim small_tree = {"separate-buffers", "valiant", "tree4", 0.0, 0, 0};
    cn_scenario *scenario = scenario_of(&small_tree);
    assert_near(predicted(scenario, 1e-6, CN_METRIC_EXTRAPOLATED), 0, 0);
    cn_scenario_free(&scenario);
}

static void two_rings_of_cut_through_deflection(void **state)
{
    (void)state;
    cn_topology *t;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_topology_kary_ncube(4, 2, 0, &t));
    assert_ok(cn_scenario_new(t, "cut-through-deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.01));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 2));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "covers k-ary 2-cubes with at least 3 buffers");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 3));
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&t);
}

/* On one-way rings nothing is claimed with many buffers, nor of worms on few nodes but cubes. */
static void small_and_narrow_networks_are_extrapolated(void **state)
{
    (void)state;
    static const struct {
        const char *network, *system;
        double buffers;
        int extrapolated;
    } cases[] = {
        {"ring(14,bidirectional=False)", "deflection", 2, 0},
        {"ring(14,bidirectional=False)", "deflection", 3, 1},
        {"kary_ncube(k=5,n=2,bidirectional=False)", "deflection", 10, 0},
        {"ring(6)", "deflection", 10, 0},
        {"kary_ncube(k=3,n=2,bidirectional=True)", "deflection", 12, 0},
        {"kary_ncube(k=3,n=2,bidirectional=True)", "deflection", 13, 1},
        {"ring(13,bidirectional=False)", "cut-through-deflection", 3, 0},
        {"ring(13,bidirectional=False)", "cut-through-deflection", 4, 1},
        {"mesh([4,3,2])", "wormhole", 0, 1},
        {"torus([4,4])", "wormhole", 0, 1},
        {"mesh([4,4,2])", "wormhole", 0, 0},
        {"hypercube(3)", "wormhole", 0, 0},
        {"hypercube(1)", "cut-through-deflection", 4, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_topology *t;
        cn_scenario *scenario;
        assert_ok(cni_topology_by_name(cases[i].network, &t));
        assert_ok(cn_scenario_new(t, cases[i].system, &scenario));
        if (cases[i].buffers > 0.0)
            assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, cases[i].buffers));
        assert_near(predicted(scenario, 1e-4, CN_METRIC_EXTRAPOLATED), cases[i].extrapolated, 0);
        cn_scenario_free(&scenario);
        cn_topology_free(&t);
    }
}

/* ---- automatic ---- */

typedef struct choice {
    const char *system, *routing;
    uint64_t k; /* a k-ary n-cube of one-way rings; 0: a tree of n children */
    uint32_t n;
    cn_param param;
    double value;
    const char *model;
} choice;

static const choice choices[] = {
    {"deflection", NULL, 2, 6, CN_PARAM_BUFFERS, 6, "deflection/own/2"},
    {"deflection", NULL, 2, 6, CN_PARAM_BUFFERS, 128, "deflection/own/2"},
    {"deflection", NULL, 2, 6, CN_PARAM_BUFFERS, 129, "deflection/published/1"},
    {"deflection", NULL, 5, 2, CN_PARAM_BUFFERS, 4, "deflection/own/2"},
    {"deflection", NULL, 5, 2, CN_PARAM_BUFFERS, 3, "deflection/published/1"},
    {"deflection", NULL, 25, 2, CN_PARAM_BUFFERS, 8, "deflection/published/1"},
    {"deflection", NULL, 60000, 1, CN_PARAM_BUFFERS, 4, "deflection/published/1"},
    {"separate-buffers", NULL, 2, 6, CN_PARAM_SLOTTED, 1, "separate-buffers/own/1"},
    {"separate-buffers", "valiant", 0, 4, CN_PARAM_SLOTTED, 1, "separate-buffers/own/1"},
    {"separate-buffers", "valiant", 0, 5, CN_PARAM_SLOTTED, 1, "separate-buffers/published/1"},
    {"separate-buffers", "valiant", 0, 5, CN_PARAM_SLOTTED, 0, "separate-buffers/own/1"},
    {"cut-through", "duato", 2, 4, CN_PARAM_MESSAGE_BUFFERS, 1, "cut-through/own/1"},
    {"cut-through", "dimension-order", 2, 4, CN_PARAM_MESSAGE_BUFFERS, 1,
     "cut-through/published/1"},
    {"cut-through", "dimension-order", 2, 4, CN_PARAM_MESSAGE_BUFFERS, 2, "cut-through/own/1"},
    {"wormhole", NULL, 2, 6, CN_PARAM_FLIT_BUFFERS, 2, "wormhole/own/2"},
    {"degraded-bound", NULL, 2, 6, CN_PARAM_NODE_FAILURE_PROBABILITY, 0.1,
     "degraded-bound/corrected/1"},
    {"shared-buffer", NULL, 2, 6, CN_PARAM_LOAD, 0.001, "shared-buffer/published/1"},
};

static cn_scenario *scenario_of_choice(const choice *c)
{
    cn_topology *t;
    cn_scenario *scenario;
    assert_ok(c->k == 0   ? cn_topology_tree(c->n, 2, &t)
              : c->k == 2 ? cn_topology_hypercube(c->n, &t)
                          : cn_topology_kary_ncube(c->k, c->n, 0, &t));
    assert_ok(cn_scenario_new(t, c->system, &scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, c->routing));
    assert_ok(cn_scenario_set(scenario, c->param, c->value));
    cn_topology_free(&t);
    return scenario;
}

/* Whatever the load is, and with the numbers of the form that it names. */
static void automatic_is_the_form_that_is_stated(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        for (double load = 1e-6; load < 2e-3; load *= 1000) {
            cn_scenario *scenario = scenario_of_choice(&choices[i]);
            cn_result *automatic, *named;
            double form;
            double here = choices[i].k > 100 ? 0.0 : load; /* a long ring takes long */
            assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, here));
            assert_ok(cn_predict(scenario, NULL, &automatic));
            assert_string_equal(cn_result_model(automatic), choices[i].model);
            if (cn_scenario_takes(scenario, CN_PARAM_MODEL_VARIANT)) {
                char name[16];
                assert_int_equal(sscanf(strchr(choices[i].model, '/'), "/%15[a-z]", name), 1);
                assert_ok(cn_param_choice_from_name(CN_PARAM_MODEL_VARIANT, name, &form));
                assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, form));
                assert_ok(cn_predict(scenario, NULL, &named));
                assert_true(value_of(named, CN_METRIC_MEAN_DELAY) ==
                            value_of(automatic, CN_METRIC_MEAN_DELAY));
                cn_result_free(&named);
            }
            cn_result_free(&automatic);
            cn_scenario_free(&scenario);
        }
}

/* The published models do not know that a channel then sends every other cycle. */
static void automatic_refuses_single_flit_buffers(void **state)
{
    (void)state;
    const choice c = {"wormhole", NULL, 2, 6, CN_PARAM_FLIT_BUFFERS, 1, NULL};
    cn_scenario *scenario = scenario_of_choice(&c);
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.001));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "flit_buffers = 1");
    cn_scenario_free(&scenario);
}

/* On a 2-cube own needs 4 buffers and more: the range from 2 on is that of published. */
static void a_range_of_buffers_has_one_form(void **state)
{
    (void)state;
    const choice c = {"deflection", NULL, 5, 2, CN_PARAM_BUFFERS, 8, NULL};
    uint64_t least[2], greatest[2];
    double power[2];
    for (int form = 0; form < 2; form++) {
        cn_scenario *scenario = scenario_of_choice(&c);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.7));
        if (form == 1)
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
        assert_ok(
            cn_buffer_range(scenario, 0.95, NULL, &least[form], &greatest[form], &power[form]));
        cn_scenario_free(&scenario);
    }
    assert_true(least[0] == least[1] && greatest[0] == greatest[1] && power[0] == power[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_the_stated_one),
        cmocka_unit_test(continuous_time_has_no_end),
        cmocka_unit_test(only_own_models_say_it),
        cmocka_unit_test(outside_a_sentence_names_the_region),
        cmocka_unit_test(two_rings_of_cut_through_deflection),
        cmocka_unit_test(small_and_narrow_networks_are_extrapolated),
        cmocka_unit_test(automatic_is_the_form_that_is_stated),
        cmocka_unit_test(automatic_refuses_single_flit_buffers),
        cmocka_unit_test(a_range_of_buffers_has_one_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

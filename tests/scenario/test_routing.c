/* The routing of a scenario: an object or a name. */
#include "support/support.h"

#include "routing/faults/fault.h"
#include "scenario/scenario.h"

static cn_topology *ring_of(uint64_t nodes)
{
    cn_topology *ring = NULL;
    assert_ok(cn_topology_ring(nodes, 1, &ring));
    return ring;
}

static cn_scenario *on_ring(uint64_t nodes)
{
    cn_topology *ring = ring_of(nodes);
    cn_scenario *scenario = NULL;
    assert_ok(cn_scenario_new(ring, "wormhole", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.01));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 8));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 2000));
    cn_topology_free(&ring);
    return scenario;
}

static cn_routing *routing_of(uint64_t nodes, const char *name)
{
    cn_topology *ring = ring_of(nodes);
    cn_routing *routing = NULL;
    assert_ok(cn_routing_new(ring, name, NULL, NULL, &routing));
    cn_topology_free(&ring);
    return routing;
}

static double delay_of(const cn_scenario *scenario)
{
    cn_result *result = NULL;
    assert_ok(cn_simulate(scenario, NULL, &result));
    double delay = value_of(result, CN_METRIC_MEAN_DELAY);
    cn_result_free(&result);
    return delay;
}

/* A scenario is simulated only if it is sound; the sentence says why not. */
static void refused(const cn_scenario *scenario, cn_status expected, const char *part)
{
    cn_result *result = NULL;
    cn_sim *sim = NULL;
    assert_fails(cn_simulate(scenario, NULL, &result), expected, part);
    assert_null(result);
    assert_fails(cn_sim_open(scenario, NULL, &sim), expected, part);
    assert_null(sim);
}

static void every_system_has_its_own_or_none(void **state)
{
    (void)state;
    cn_topology *cube = NULL;
    size_t with = 0;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (size_t i = 0; i < cn_system_count(); i++) {
        cn_scenario *scenario = NULL;
        assert_ok(cn_scenario_new(cube, cn_system_name(i), &scenario));
        int takes = cn_system_takes_attachment(i, CN_ATTACHMENT_ROUTING);
        assert_true(cn_scenario_routing_name(scenario)[0] != '\0' || !takes);
        assert_ok(cn_scenario_set_routing_name(scenario, NULL));
        assert_ok(cn_scenario_set_routing_name(scenario, ""));
        assert_ok(cn_scenario_set_routing(scenario, NULL));
        if (!takes)
            assert_fails(cn_scenario_set_routing_name(scenario, "minimal"), CN_ERR_UNSUPPORTED,
                         "does not take a routing");
        with += (size_t)takes;
        cn_scenario_free(&scenario);
    }
    assert_true(with >= 1);
    cn_topology_free(&cube);
}

static void a_name_is_checked_at_once(void **state)
{
    (void)state;
    cn_scenario *scenario = on_ring(6);
    assert_string_equal(cn_scenario_routing_name(scenario), "duato");
    assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
    assert_fails(cn_scenario_set_routing_name(scenario, "e-cube"), CN_ERR_NOT_FOUND, "\"e-cube\"");
    assert_fails(cn_scenario_set_routing_name(scenario, "own"), CN_ERR_ARGUMENT,
                 "needs more than a name");
    assert_string_equal(cn_scenario_routing_name(scenario), "dimension-order");
    assert_ok(cn_scenario_reset(scenario));
    assert_string_equal(cn_scenario_routing_name(scenario), "dimension-order");
    assert_ok(cn_scenario_set_routing_name(scenario, ""));
    assert_string_equal(cn_scenario_routing_name(scenario), "duato");
    cn_scenario_free(&scenario);
    assert_string_equal(cn_scenario_routing_name(NULL), "");
    assert_fails(cn_scenario_set_routing_name(NULL, "duato"), CN_ERR_ARGUMENT, "scenario");
    assert_fails(cn_scenario_set_routing(NULL, NULL), CN_ERR_ARGUMENT, "scenario");
}

static void object_and_name_take_each_others_place(void **state)
{
    (void)state;
    cn_scenario *scenario = on_ring(6);
    cn_routing *routing = routing_of(6, "dimension-order"), *larger = routing_of(7, "duato");
    double own = delay_of(scenario);
    assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
    double named = delay_of(scenario);
    assert_true(named != own);
    assert_ok(cn_scenario_set_routing_name(scenario, NULL));
    assert_ok(cn_scenario_set_routing(scenario, routing));
    cn_routing_free(&routing); /* the scenario keeps it */
    assert_string_equal(cn_scenario_routing_name(scenario), "dimension-order");
    assert_true(delay_of(scenario) == named);
    assert_fails(cn_scenario_set_routing(scenario, larger), CN_ERR_ARGUMENT, "a routing of");
    assert_string_equal(cn_scenario_routing_name(scenario), "dimension-order");
    assert_ok(cn_scenario_set_routing_name(scenario, "duato"));
    assert_true(delay_of(scenario) == own);
    assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
    assert_ok(cn_scenario_set_routing(scenario, NULL));
    assert_true(delay_of(scenario) == own);
    cn_routing_free(&larger);
    cn_scenario_free(&scenario);
}

static void copies_keep_it(void **state)
{
    (void)state;
    for (int is_object = 0; is_object < 2; is_object++) {
        cn_scenario *scenario = on_ring(6);
        cn_routing *routing = routing_of(6, "dimension-order");
        if (is_object)
            assert_ok(cn_scenario_set_routing(scenario, routing));
        else
            assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
        cn_scenario *copy = cni_scenario_duplicate(scenario);
        double delay = delay_of(scenario);
        assert_ok(cn_scenario_set_routing_name(scenario, "duato"));
        assert_string_equal(cn_scenario_routing_name(copy), "dimension-order");
        assert_true(delay_of(copy) == delay);
        cn_routing_free(&routing);
        cn_scenario_free(&scenario);
        assert_true(delay_of(copy) == delay);
        cn_scenario_free(&copy);
    }
}

static void what_wormhole_has_not_is_refused_in_use(void **state)
{
    (void)state;
    static const char sentence[] = "covers Boolean n-cubes with routing = duato";
    cn_scenario *scenario = on_ring(6);
    cn_result *result = NULL;
    assert_ok(cn_scenario_set_routing_name(scenario, "negative-first"));
    refused(scenario, CN_ERR_UNSUPPORTED, "negative-first is for meshes and hypercubes");
    cn_routing *routing = routing_of(6, "minimal");
    assert_ok(cn_scenario_set_routing(scenario, routing));
    refused(scenario, CN_ERR_UNSUPPORTED, "the routing minimal may deadlock");
    cn_routing_free(&routing);
    cn_scenario_free(&scenario);
    scenario = cube_scenario("wormhole", 4, 0.001);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    for (int v = 1; v <= 2; v++) {
        assert_ok(cn_scenario_set_routing_name(scenario, "minimal"));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, v));
        assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, sentence);
    }
    cn_faults *faults = NULL;
    assert_ok(cn_faults_new(scenario->topology, &faults));
    assert_ok(cn_faults_add_node(faults, 2));
    assert_ok(cn_scenario_set_routing_name(scenario, NULL));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "undamaged networks");
    cn_faults_free(&faults);
    cn_scenario_free(&scenario);
}

/* Of the faults of a routing and those of a scenario all that differs is noticed. */
static void faults_are_the_scenarios(void **state)
{
    (void)state;
    cn_topology *ring = ring_of(6);
    cn_scenario *scenario = on_ring(6);
    cn_faults *none = NULL, *node = NULL, *link = NULL, *other = NULL, *again = NULL;
    cn_routing *routing = NULL;
    assert_ok(cn_faults_new(ring, &none));
    assert_ok(cn_faults_new(ring, &node));
    assert_ok(cn_faults_add_node(node, 2));
    assert_ok(cn_faults_new(ring, &link));
    assert_ok(cn_faults_add_link(link, 2, 0));
    assert_ok(cn_faults_new(ring, &other));
    assert_ok(cn_faults_add_link(other, 3, 0));
    assert_ok(cn_faults_copy(link, &again));
    const cn_faults *all[] = {none, node, link, other, again};
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++)
            assert_int_equal(cni_faults_equal(all[i], all[j]), i == j || i * j == 8);
    assert_int_equal(cni_faults_equal(NULL, none) && cni_faults_equal(none, NULL), 1);
    assert_int_equal(cni_faults_equal(NULL, link) || cni_faults_equal(link, NULL), 0);
    assert_int_equal(cni_faults_equal(NULL, NULL), 1);
    assert_ok(cn_routing_new(ring, "minimal", link, NULL, &routing));
    assert_ok(cn_scenario_set_routing(scenario, routing));
    refused(scenario, CN_ERR_ARGUMENT,
            "made with 0 faulty nodes and 1 faulty links, but the scenario has 0 and 0");
    cn_routing_free(&routing);
    assert_ok(cn_routing_new(ring, "duato", none, NULL, &routing));
    assert_ok(cn_scenario_set_routing(scenario, routing));
    assert_true(delay_of(scenario) > 0.0);
    cn_routing_free(&routing);
    cn_faults_free(&none), cn_faults_free(&node), cn_faults_free(&link);
    cn_faults_free(&other), cn_faults_free(&again);
    cn_scenario_free(&scenario);
    cn_topology_free(&ring);
}

/* Unsafe rules need one virtual channel; the ranges of both parameters know of each other. */
static void unsafe_needs_fewer_virtual_channels(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double least;
    } rules[] = {{"dimension-order", 2}, {"duato", 3}};
    for (size_t i = 0; i < 2; i++) {
        cn_scenario *scenario = on_ring(6);
        double least;
        assert_ok(cn_scenario_set_routing_name(scenario, rules[i].name));
        assert_ok(cn_scenario_range(scenario, CN_PARAM_VIRTUAL_CHANNELS, &least, NULL, NULL));
        assert_true(least == rules[i].least);
        assert_ok(cn_scenario_range(scenario, CN_PARAM_UNSAFE, &least, NULL, NULL));
        assert_true(least == 0.0);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, rules[i].least - 1));
        refused(scenario, CN_ERR_ARGUMENT, "virtual_channels = ");
        assert_ok(cn_scenario_range(scenario, CN_PARAM_UNSAFE, &least, NULL, NULL));
        assert_true(least == 1.0);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_UNSAFE, 1));
        assert_ok(cn_scenario_range(scenario, CN_PARAM_VIRTUAL_CHANNELS, &least, NULL, NULL));
        assert_true(least == 1.0);
        assert_true(delay_of(scenario) > 0.0);
        cn_scenario_free(&scenario);
    }
}

static void the_rule_is_no_parameter_any_more(void **state)
{
    (void)state;
    cn_param param;
    assert_fails(cn_param_from_name("adaptive", &param), CN_ERR_NOT_FOUND, "\"adaptive\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_system_has_its_own_or_none),
        cmocka_unit_test(a_name_is_checked_at_once),
        cmocka_unit_test(object_and_name_take_each_others_place),
        cmocka_unit_test(copies_keep_it),
        cmocka_unit_test(what_wormhole_has_not_is_refused_in_use),
        cmocka_unit_test(faults_are_the_scenarios),
        cmocka_unit_test(unsafe_needs_fewer_virtual_channels),
        cmocka_unit_test(the_rule_is_no_parameter_any_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

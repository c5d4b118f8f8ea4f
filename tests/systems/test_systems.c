#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/system.h"

static void every_system_has_a_name_and_a_summary(void **state)
{
    (void)state;
    assert_true(cn_system_count() >= 1);
    for (size_t i = 0; i < cn_system_count(); i++) {
        assert_true(strlen(cn_system_name(i)) > 0);
        assert_true(strlen(cn_system_summary(i)) > 10);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(cn_system_name(i), cn_system_name(j));
    }
    assert_null(cn_system_name(cn_system_count()));
    assert_null(cn_system_summary(SIZE_MAX));
}

static void a_scenario_begins_with_a_known_system(void **state)
{
    (void)state;
    cn_topology *topology;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(3, &topology));
    assert_fails(cn_scenario_new(topology, "deflektion", &scenario), CN_ERR_NOT_FOUND,
                 "\"deflektion\"");
    assert_null(scenario);
    assert_fails(cn_scenario_new(topology, "", &scenario), CN_ERR_NOT_FOUND, "\"\"");
    assert_fails(cn_scenario_new(topology, NULL, &scenario), CN_ERR_ARGUMENT, "system");
    assert_fails(cn_scenario_new(NULL, "deflection", &scenario), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_scenario_new(topology, "deflection", NULL), CN_ERR_ARGUMENT, "scenario");
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    cn_topology_free(&topology);
    assert_string_equal(cn_scenario_system(scenario), "deflection");
    cn_scenario_free(&scenario);
}

static size_t index_of(const char *name)
{
    size_t index;
    assert_ok(cn_system_from_name(name, &index));
    assert_string_equal(cn_system_name(index), name);
    return index;
}

/* The queries by index say what a scenario of the system says. */
static void what_a_system_takes(void **state)
{
    (void)state;
    cn_topology *topology;
    size_t last = cn_system_count();
    assert_ok(cn_topology_hypercube(3, &topology));
    for (size_t i = 0; i < last; i++) {
        cn_scenario *scenario;
        assert_int_equal(index_of(cn_system_name(i)), i);
        assert_ok(cn_scenario_new(topology, cn_system_name(i), &scenario));
        for (int p = -1; p <= (int)cn_param_count() + 70; p++)
            assert_int_equal(cn_system_takes(i, (cn_param)p),
                             cn_scenario_takes(scenario, (cn_param)p));
        for (int a = -1; a <= CN_ATTACHMENT_ROUTING + 40; a++)
            assert_true(!cn_system_takes_attachment(i, (cn_attachment)a) ||
                        cn_enum_name(CN_ENUM_ATTACHMENT, a) != NULL);
        assert_int_equal(cn_system_takes_attachment(i, CN_ATTACHMENT_SUBNET),
                         strcmp(cn_system_name(i), "separate-buffers") == 0 ||
                             strcmp(cn_system_name(i), "shared-buffer") == 0 ||
                             strcmp(cn_system_name(i), "deflection") == 0);
        cn_scenario_free(&scenario);
    }
    assert_int_equal(cn_system_takes(last, CN_PARAM_LOAD), 0);
    assert_int_equal(cn_system_takes_attachment(last, CN_ATTACHMENT_FAULTS), 0);
    assert_true(cn_system_takes(index_of("wormhole"), CN_PARAM_MESSAGE_FLITS));
    assert_true(cn_system_takes_attachment(index_of("separate-buffers"), CN_ATTACHMENT_FAULTS));
    cn_topology_free(&topology);
}

/* A query says what cn_predict() and cn_simulate() do. */
static void who_has_a_model_or_simulator(void **state)
{
    (void)state;
    cn_topology *networks[4], *star;
    assert_ok(cn_topology_hypercube(3, &networks[0]));
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &networks[1]));
    assert_ok(cn_topology_generalized_hypercube(3, 2, &networks[2]));
    assert_ok(cn_topology_psnn(4, &networks[3]));
    for (size_t i = 0; i < cn_system_count(); i++) {
        int some_model = 0, some_simulator = 0;
        for (size_t t = 0; t < 4; t++) {
            cn_scenario *scenario;
            cn_result *result;
            cn_sim *sim;
            int model = cn_system_check_model(i, networks[t]) == CN_OK;
            int simulator = cn_system_check_simulator(i, networks[t]) == CN_OK;
            some_model |= model;
            some_simulator |= simulator;
            if (cn_scenario_new(networks[t], cn_system_name(i), &scenario) != CN_OK) {
                assert_true(!model && !simulator);
                continue;
            }
            if (cn_scenario_takes(scenario, CN_PARAM_LOAD))
                assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.01));
            assert_int_equal(cn_predict(scenario, NULL, &result) == CN_OK, model);
            cn_result_free(&result);
            assert_int_equal(cn_sim_open(scenario, NULL, &sim) == CN_OK, simulator);
            cn_sim_close(&sim);
            cn_scenario_free(&scenario);
        }
        assert_int_equal(cn_system_check_model(i, NULL) == CN_OK, some_model);
        assert_int_equal(cn_system_check_simulator(i, NULL) == CN_OK, some_simulator);
    }
    assert_fails(cn_system_check_model(index_of("collective"), NULL), CN_ERR_UNSUPPORTED,
                 "collective has no model");
    assert_fails(cn_system_check_simulator(index_of("flow-deviation"), networks[3]),
                 CN_ERR_UNSUPPORTED, "flow-deviation has no simulator");
    assert_fails(cn_system_check_model(cn_system_count(), networks[0]), CN_ERR_ARGUMENT,
                 "index = ");
    assert_ok(cn_topology_star(70, &star));
    for (size_t i = 0; i < cn_system_count(); i++)
        if (cn_system_check_model(i, star) == CN_ERR_UNSUPPORTED)
            assert_null(strstr(cn_last_error(), "cn_scenario_new")); /* which was not called */
    cn_topology_free(&star);
    assert_ok(cn_topology_star(20, &star));
    assert_fails(cn_system_check_model(index_of("wormhole"), star), CN_ERR_UNSUPPORTED,
                 "tori and meshes, not star(");
    cn_topology_free(&star);
    for (size_t t = 0; t < 4; t++)
        cn_topology_free(&networks[t]);
}

/* Both ends of a range are accepted, and what is beyond them is refused. */
static void ranges(void **state)
{
    (void)state;
    cn_topology *networks[3];
    int narrowed = 0;
    assert_ok(cn_topology_hypercube(6, &networks[0]));
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &networks[1]));
    assert_ok(cn_topology_generalized_hypercube(3, 2, &networks[2]));
    for (size_t i = 0; i < cn_system_count(); i++)
        for (size_t t = 0; t < 3; t++)
            for (int p = 1; p <= (int)cn_param_count(); p++) {
                cn_param param = (cn_param)p;
                cn_scenario *scenario;
                double least, greatest, start, value, low, high;
                if (cn_param_name(param) == NULL ||
                    cn_scenario_new(networks[t], cn_system_name(i), &scenario) != CN_OK)
                    continue;
                if (!cn_scenario_takes(scenario, param)) {
                    assert_fails(cn_scenario_range(scenario, param, NULL, NULL, NULL),
                                 CN_ERR_UNSUPPORTED, cn_param_name(param));
                    cn_scenario_free(&scenario);
                    continue;
                }
                assert_ok(cn_scenario_get(scenario, param, &value));
                assert_ok(cn_scenario_range(scenario, param, &least, &greatest, &start));
                assert_true(start == value && least <= start && start <= greatest);
                assert_ok(cn_param_range(param, &low, &high, NULL, NULL));
                assert_true(low <= least && greatest <= high);
                assert_ok(cn_scenario_set(scenario, param, least));
                assert_ok(cni_scenario_check(scenario));
                assert_ok(cn_scenario_set(scenario, param, greatest));
                assert_ok(cni_scenario_check(scenario));
                assert_ok(cn_scenario_range(scenario, param, NULL, NULL, &start));
                assert_true(start == value);
                if (low < least) {
                    assert_ok(cn_scenario_set(scenario, param, low));
                    assert_int_not_equal(cni_scenario_check(scenario), CN_OK);
                    narrowed++;
                }
                if (greatest < high) {
                    assert_ok(cn_scenario_set(scenario, param, high));
                    assert_int_not_equal(cni_scenario_check(scenario), CN_OK);
                    narrowed++;
                }
                cn_scenario_free(&scenario);
            }
    assert_true(narrowed >= 8);
    for (size_t t = 0; t < 3; t++)
        cn_topology_free(&networks[t]);
}

/* Where no routing can be attached no message has a choice, and a sentence says why; all others
 * take it or may. */
static void a_system_without_a_choice_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *system, *why;
    } rows[] = {
        {"cut-through-deflection", "in a mini-cycle a node sends over one channel"},
        {"collective", "the parameters tree and detours say where its copies go"},
        {"optimistic-bound", "it is a bound for every selection"},
        {"degraded-bound", "it is a bound for every selection"},
        {"flow-deviation", "it finds itself how much goes over each channel"},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    cn_topology *topology;
    size_t told = 0;
    assert_ok(cn_topology_hypercube(3, &topology));
    for (size_t i = 0; i < cn_system_count(); i++) {
        size_t row = 0;
        cn_scenario *scenario;
        char sentence[256];
        double value;
        while (row < ROWS && strcmp(rows[row].system, cn_system_name(i)) != 0)
            row++;
        assert_int_equal(row == ROWS, cn_system_takes_attachment(i, CN_ATTACHMENT_ROUTING));
        if (row == ROWS)
            continue;
        assert_false(cn_system_takes(i, CN_PARAM_SELECTION));
        assert_ok(cn_scenario_new(topology, cn_system_name(i), &scenario));
        snprintf(sentence, sizeof sentence,
                 "cn_scenario_set: the system %s does not take the parameter selection, as it has "
                 "no choice of channel: %s",
                 rows[row].system, rows[row].why);
        assert_fails(cn_scenario_set(scenario, CN_PARAM_SELECTION, CN_SELECTION_LOWEST),
                     CN_ERR_UNSUPPORTED, sentence);
        assert_fails(cn_scenario_get(scenario, CN_PARAM_SELECTION, &value), CN_ERR_UNSUPPORTED,
                     "no choice of channel");
        assert_fails(cn_scenario_set(scenario, CN_PARAM_FLIT_BUFFERS, 1), CN_ERR_UNSUPPORTED,
                     "does not take the parameter flit_buffers");
        cn_scenario_free(&scenario);
        told++;
    }
    assert_int_equal(told, ROWS);
    cn_topology_free(&topology);
}

/* What a model says of itself: its system, its form and a revision; whether it covers the cube. */
static int names_its_model(const cn_scenario *scenario, const char *variant)
{
    cn_result *result;
    char form[64];
    if (cn_predict(scenario, NULL, &result) != CN_OK)
        return 0;
    const char *model = cn_result_model(result);
    snprintf(form, sizeof form, "%s/%s/", cn_scenario_system(scenario), variant);
    assert_int_equal(strncmp(model, form, strlen(form)), 0);
    assert_true(strtol(model + strlen(form), NULL, 10) > 0);
    cn_result_free(&result);
    return 1;
}

static void check_simulated(const cn_scenario *scenario)
{
    cn_result *result;
    if (cn_simulate(scenario, NULL, &result) == CN_OK)
        assert_string_equal(cn_result_model(result), "");
    cn_result_free(&result);
}

/* The form that model_variant asks for; where a system does not take it, that of its one model. */
static void predictions_name_their_model(void **state)
{
    (void)state;
    cn_topology *cube;
    int models = 0;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (size_t i = 0; i < cn_system_count(); i++) {
        cn_scenario *s;
        assert_ok(cn_scenario_new(cube, cn_system_name(i), &s));
        if (cn_scenario_takes(s, CN_PARAM_LOAD))
            assert_ok(cn_scenario_set(s, CN_PARAM_LOAD, 0.01));
        check_simulated(s);
        int is_own = strcmp(cn_system_name(i), "cut-through-deflection") == 0;
        if (!cn_scenario_takes(s, CN_PARAM_MODEL_VARIANT))
            models += names_its_model(s, is_own ? "own" : "published");
        else
            for (int v = CN_MODEL_PUBLISHED; v <= CN_MODEL_OWN; v++) {
                assert_ok(cn_scenario_set(s, CN_PARAM_MODEL_VARIANT, v));
                models +=
                    names_its_model(s, cn_param_choice_name(CN_PARAM_MODEL_VARIANT, (size_t)v));
            }
        cn_scenario_free(&s);
    }
    assert_int_equal(models, 15);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_system_has_a_name_and_a_summary),
        cmocka_unit_test(a_scenario_begins_with_a_known_system),
        cmocka_unit_test(what_a_system_takes),
        cmocka_unit_test(who_has_a_model_or_simulator),
        cmocka_unit_test(ranges),
        cmocka_unit_test(a_system_without_a_choice_says_so),
        cmocka_unit_test(predictions_name_their_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/support.h"

#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_system_has_a_name_and_a_summary),
        cmocka_unit_test(a_scenario_begins_with_a_known_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

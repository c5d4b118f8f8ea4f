/* Whatever allocation fails in whatever public function, it says so, and nothing is lost or broken:
 * allocation/table.h has the rules, the files beside it the rows. A public function without a row
 * fails the last test. */
#include "allocation/table.h"

static void every_public_function_has_a_row(void **state)
{
    (void)state;
    table_check_complete(SYMBOLS "/core.txt", SYMBOLS "/experimental.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(base_rows, table_finish),
        cmocka_unit_test_teardown(topology_rows, table_finish),
        cmocka_unit_test_teardown(measure_rows, table_finish),
        cmocka_unit_test_teardown(tree_rows, table_finish),
        cmocka_unit_test_teardown(routing_rows, table_finish),
        cmocka_unit_test_teardown(decision_rows, table_finish),
        cmocka_unit_test_teardown(fault_rows, table_finish),
        cmocka_unit_test_teardown(subnet_rows, table_finish),
        cmocka_unit_test_teardown(traffic_rows, table_finish),
        cmocka_unit_test_teardown(scenario_rows, table_finish),
        cmocka_unit_test_teardown(queueing_rows, table_finish),
        cmocka_unit_test_teardown(simulation_rows, table_finish),
        cmocka_unit_test_teardown(study_rows, table_finish),
        cmocka_unit_test(every_public_function_has_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

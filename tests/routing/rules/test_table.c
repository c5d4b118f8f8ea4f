#include "support/support.h"

#include "routing/rules/table.h"

/* Numbers of 16 bits do for the first entries, not for all. */
static void tables_hold_many_entries(void **state)
{
    (void)state;
    enum { ENTRIES = 70000 };
    cni_table table;
    assert_ok(cni_table_open(&table));
    assert_ok(cni_table_want(&table, ENTRIES + 1));
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 1; i <= ENTRIES; i++) {
            cni_entry entry = {0};
            uint32_t number;
            cni_add_lane(&entry, i, CNI_ALL_CHANNELS, CNI_FREE_LANE);
            assert_ok(cni_table_intern(&table, &entry, &number));
            assert_int_equal(number, i);
            assert_ok(cni_table_set(&table, i, number));
        }
    cni_table_seal(&table);
    assert_int_equal(table.count, ENTRIES + 1);
    assert_int_equal(cni_table_at(&table, 0)->lanes, 0);
    for (uint32_t i = 1; i <= ENTRIES; i++)
        assert_int_equal(cni_table_at(&table, i)->lane[0].ports, i);
    cni_table_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_hold_many_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/support.h"

#include <string.h>

#include "base/text.h"

static void parts_follow_each_other(void **state)
{
    (void)state;
    char memory[8] = {0};
    cni_text text = {.text = memory, .capacity = sizeof memory};
    cni_text_put(&text, "%s%d", "ab", 12);
    cni_text_put(&text, "%s", "");
    cni_text_put(&text, "cde");
    assert_int_equal(text.length, 7);
    assert_memory_equal(memory, "ab12cde", 8);
}

/* A part that does not fit leaves room for the NUL, and is counted. */
static void what_does_not_fit_is_counted(void **state)
{
    (void)state;
    char memory[4] = "....";
    cni_text text = {.text = memory, .capacity = sizeof memory}, measure = {0};
    cni_text_put(&text, "abcd");
    assert_memory_equal(memory, "....", 4);
    assert_int_equal(text.length, 4);
    cni_text_put(&measure, "%0900d", 7);
    assert_int_equal(measure.length, 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_follow_each_other),
        cmocka_unit_test(what_does_not_fit_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/support.h"

#include <stdio.h>

static void numbers_and_text_agree(void **state)
{
    (void)state;
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", CN_VERSION_MAJOR, CN_VERSION_MINOR, CN_VERSION_PATCH);
    assert_string_equal(cn_version_text(), text);
    assert_int_equal(cn_version(),
                     10000 * CN_VERSION_MAJOR + 100 * CN_VERSION_MINOR + CN_VERSION_PATCH);
}

static void headers_and_build_agree(void **state)
{
    (void)state;
    assert_string_equal(cn_version_text(), PROJECT_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_text_agree),
        cmocka_unit_test(headers_and_build_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

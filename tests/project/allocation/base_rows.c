#include "given.h"

static void limits(void)
{
    assert_ok(cn_control_new(&given.control));
}

void base_rows(void **state)
{
    (void)state;
    TEXT(cn_status_text, nothing, CN_ERR_MEMORY);
    TEXT(cn_enum_name, nothing, CN_ENUM_STATUS, CN_ERR_MEMORY);
    NEVER(cn_enum_from_name, nothing, CN_ENUM_STATUS, "memory", (int *)(void *)out.numbers);
    NEVER(cn_enum_range, nothing, CN_ENUM_STATUS, (int *)(void *)out.numbers,
          (int *)(void *)(out.numbers + 1));
    TEXT(cn_last_error, nothing, );
    NUMBER(cn_version, nothing, );
    TEXT(cn_version_text, nothing, );
    FAILS(cn_control_new, nothing, &made.control);
    NEVER(cn_control_set_steps, limits, given.control, 9);
    NEVER(cn_control_set_seconds, limits, given.control, 2.5);
    NEVER(cn_control_set_progress, limits, given.control, NULL, NULL);
    NEVER(cn_control_set_interval, limits, given.control, 0.02);
    NEVER(cn_control_cancel, limits, given.control);
    NEVER(cn_control_resume, limits, given.control);
    FREES(cn_control_free, limits, &given.control);
    /* refused while the cube is alive; before each row it is called with success */
    NEVER(cn_set_allocator, cube, NULL, NULL, NULL);
}

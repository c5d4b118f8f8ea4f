#include "given.h"

void base_rows(void **state)
{
    (void)state;
    TEXT(cn_status_text, nothing, CN_ERR_MEMORY);
    TEXT(cn_status_name, nothing, CN_ERR_MEMORY);
    NEVER(cn_status_from_name, nothing, "memory", (cn_status *)(void *)out.numbers);
    TEXT(cn_last_error, nothing, );
    NUMBER(cn_version, nothing, );
    TEXT(cn_version_text, nothing, );
    /* refused while the cube is alive; before each row it is called with success */
    NEVER(cn_set_allocator, cube, NULL, NULL, NULL);
}

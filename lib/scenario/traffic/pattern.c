/* The table of patterns and their names. */
#include "scenario/traffic/pattern.h"

#include <string.h>

#include "base/error.h"

#define PATTERN_LISTED(number, name) [CN_PATTERN_##number] = &cni_##name##_pattern,

static const cni_pattern_row *const rows[] = {CNI_PATTERNS(PATTERN_LISTED)};

enum { PATTERNS = sizeof rows / sizeof rows[0] };

const cni_pattern_row *cni_pattern_row_of(cn_pattern pattern)
{
    return (unsigned)pattern < PATTERNS ? rows[pattern] : NULL;
}

size_t cn_pattern_count(void)
{
    return PATTERNS;
}

const char *cn_pattern_name(cn_pattern pattern)
{
    const cni_pattern_row *row = cni_pattern_row_of(pattern);
    return row == NULL ? NULL : row->name;
}

cn_status cn_pattern_from_name(const char *name, cn_pattern *pattern)
{
    CNI_REQUIRE(name);
    CNI_REQUIRE(pattern);
    for (unsigned i = 0; i < PATTERNS; i++)
        if (strcmp(rows[i]->name, name) == 0) {
            *pattern = (cn_pattern)i;
            return CN_OK;
        }
    return cni_fail(CN_ERR_NOT_FOUND,
                    "%s: there is no traffic pattern \"%.80s\"; cn_pattern_name() lists them",
                    __func__, name);
}

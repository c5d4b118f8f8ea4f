/* The table of patterns and their names. */
#include "scenario/traffic/pattern.h"

#include "base/names.h"

#define PATTERN_LISTED(number, name, text) [CN_PATTERN_##number] = &cni_##name##_pattern,
#define PATTERN_NAMED(number, name, text) [CN_PATTERN_##number] = text,

static const cni_pattern_row *const rows[] = {CNI_PATTERNS(PATTERN_LISTED)};
static const char *const names[] = {CNI_PATTERNS(PATTERN_NAMED)};
static const cni_names pattern_names = CNI_NAMES("traffic pattern", names, 0);
CNI_NAMED_ENUM(cn_pattern, pattern, pattern_names);

enum { PATTERNS = sizeof rows / sizeof rows[0] };

const cni_pattern_row *cni_pattern_row_of(cn_pattern pattern)
{
    return (unsigned)pattern < PATTERNS ? rows[pattern] : NULL;
}

size_t cn_pattern_count(void)
{
    return PATTERNS;
}

/* The table of patterns and their names. */
#include "scenario/traffic/pattern.h"

#include "base/names.h"

#define PATTERN_LISTED(number, name, text) [CN_PATTERN_##number] = &cni_##name##_pattern,
#define PATTERN_NAMED(number, name, text) [CN_PATTERN_##number] = text,

static const cni_pattern_row *const rows[] = {CNI_PATTERNS(PATTERN_LISTED)};
static const char *const names[] = {CNI_PATTERNS(PATTERN_NAMED)};
const cni_names cni_patterns = CNI_NAMES("traffic pattern", names, 0);

enum { PATTERNS = sizeof rows / sizeof rows[0] };

const cni_pattern_row *cni_pattern_row_of(cn_pattern pattern)
{
    return (unsigned)pattern < PATTERNS ? rows[pattern] : NULL;
}

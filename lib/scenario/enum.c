/* All enums by number, with their tables of names. */
#include "cubenet/enum.h"

#include "base/names.h"
#include "routing/deadlock/dependency.h"
#include "routing/hierarchy/hierarchy.h"
#include "routing/subnets/subnet.h"
#include "scenario/result.h"
#include "scenario/scenario.h"
#include "scenario/traffic/pattern.h"
#include "scenario/traffic/source.h"
#include "topology/interchange/picture.h"
#include "topology/measures/bisection.h"

static const cni_names *const enums[] = {
    [CN_ENUM_STATUS] = &cni_statuses,
    [CN_ENUM_FORMAT] = &cni_formats,
    [CN_ENUM_MEASURE] = &cni_measures,
    [CN_ENUM_KNOWN] = &cni_kinds_known,
    [CN_ENUM_NODE_STATE] = &cni_node_states,
    [CN_ENUM_LINK_RULE] = &cni_link_rules,
    [CN_ENUM_TIE_RULE] = &cni_tie_rules,
    [CN_ENUM_VERDICT] = &cni_verdicts,
    [CN_ENUM_PATTERN] = &cni_patterns,
    [CN_ENUM_SOURCE] = &cni_sources,
    [CN_ENUM_STOP] = &cni_stops,
    [CN_ENUM_NODE_COUNT] = &cni_node_counts,
    [CN_ENUM_DISTRIBUTION] = &cni_distributions,
    [CN_ENUM_ATTACHMENT] = &cni_attachments,
};

enum { ENUMS = sizeof enums / sizeof enums[0] };

static const cni_names *enum_of(cn_enum which)
{
    return (unsigned)which < ENUMS ? enums[which] : NULL;
}

static cn_status find_enum(const char *function, cn_enum which, const cni_names **names)
{
    *names = enum_of(which);
    if (*names != NULL)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: which = %d, but the enums are 1 to %d", function,
                    (int)which, ENUMS - 1);
}

const char *cn_enum_name(cn_enum which, int value)
{
    const cni_names *names = enum_of(which);
    return names == NULL ? NULL : cni_name_of(names, value);
}

cn_status cn_enum_from_name(cn_enum which, const char *name, int *value)
{
    const cni_names *names;
    CNI_REQUIRE_BOTH(name, value);
    CNI_TRY(find_enum(__func__, which, &names));
    return cni_from_name(__func__, names, name, value);
}

cn_status cn_enum_range(cn_enum which, int *least, int *greatest)
{
    const cni_names *names;
    CNI_REQUIRE_BOTH(least, greatest);
    CNI_TRY(find_enum(__func__, which, &names));
    *least = names->first;
    *greatest = names->last;
    while (cni_name_of(names, *least) == NULL)
        ++*least;
    return CN_OK;
}

/* The two-level rule, from the table of one node (Horng 1992, 5.5.2). */
#include "routing/hierarchy/hierarchy.h"

#include "base/error.h"

static const cni_named tie_rules[] = {
    [CN_TIE_HEADER] = {"header", "those that also come closer to the destination"},
    [CN_TIE_ANY] = {"any", "all of them"},
    [CN_TIE_LOWEST] = {"lowest", "the one of the lowest dimension"},
};
const cni_names cni_tie_rules = CNI_NAMES("tie rule", tie_rules, 0);

uint64_t cni_break_tie(uint64_t channels, uint64_t header, cn_tie_rule tie_rule)
{
    if (tie_rule == CN_TIE_LOWEST)
        return channels & (0 - channels);
    if (tie_rule == CN_TIE_HEADER && (channels & header) != 0)
        return channels & header;
    return channels;
}

/* Whether the subcube holds the node. */
static int is_in(uint64_t value, uint64_t any, uint64_t node)
{
    return ((node ^ value) & ~any) == 0;
}

cn_status cn_route_two_level(uint64_t node, uint64_t destination, uint64_t neighbor_status,
                             const uint64_t values[], const uint64_t anys[],
                             const uint64_t table_channels[], size_t count, cn_tie_rule tie_rule,
                             uint64_t *channels)
{
    CNI_REQUIRE(channels);
    CNI_REQUIRE_ARRAY(values, count);
    CNI_REQUIRE_ARRAY(anys, count);
    CNI_REQUIRE_ARRAY(table_channels, count);
    CNI_TRY(cni_check_named(__func__, &cni_tie_rules, "tie_rule", (int)tie_rule));
    size_t entry = 0;
    while (entry < count && !is_in(values[entry], anys[entry], destination))
        entry++;
    if (entry == count)
        return cni_fail(CN_ERR_DISCONNECTED,
                        "%s: destination = %llu, but no entry of the table contains it", __func__,
                        (unsigned long long)destination);
    if (is_in(values[entry], anys[entry], node)) {
        if (node == destination || ((node ^ destination) & neighbor_status) != 0)
            return cn_route_optimal_path(node ^ destination, neighbor_status, channels);
        return cni_fail(CN_ERR_DISCONNECTED,
                        "%s: neighbor_status = %#llx, but none of its channels leads from node = "
                        "%llu closer to destination = %llu",
                        __func__, (unsigned long long)neighbor_status, (unsigned long long)node,
                        (unsigned long long)destination);
    }
    uint64_t best = table_channels[entry] & neighbor_status;
    if (best == 0)
        return cni_fail(CN_ERR_DISCONNECTED,
                        "%s: destination = %llu, but no channel leads to its cluster", __func__,
                        (unsigned long long)destination);
    *channels = cni_break_tie(best, node ^ destination, tie_rule);
    return CN_OK;
}

/* The rule `preferred`: of the valid channels, the channels with the most hops left (Horng 1992,
 * 4.2). */
#include "base/error.h"
#include "routing/decisions/channels.h"
#include "routing/rules/routing.h"

static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    const cn_topology *t = routing->topology;
    (void)class;
    cni_allow(entry, cni_preferred_channels(t, cni_header(t, node, target)), CNI_FREE_LANE);
}

static cn_status open(const char *function, cn_routing *routing)
{
    CNI_TRY(cni_check_routable(function, routing->topology));
    return cni_routing_fit(function, routing);
}

const cni_routing_kind cni_preferred = {
    .name = "preferred",
    .summary = "of the channels on shortest paths, those in the dimensions with the most hops left",
    .classes = 1,
    .legs = 1,
    .is_minimal = 1,
    .open = open,
    .entry = entry,
};

/* All shortest ways. */
#include "routing/rules/routing.h"

#include "routing/decisions/channels.h"
#include "topology/distances/breadth_first.h"

static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    const cn_topology *t = routing->topology;
    uint64_t ports = 0, here, there;
    if (routing->ports.count > 0) {
        cni_allow(entry, cni_routing_stored(routing, node, class, target), CNI_FREE_LANE);
        return;
    }
    if (cni_is_kary_ncube(t) || cni_sets_digits(t)) {
        cni_allow(entry, cni_digit_channels(t, node, target), CNI_FREE_LANE);
        return;
    }
    t->ops->distance(t, node, target, &here); /* a closed form, which does not fail */
    for (uint32_t p = 0; p < t->ops->degree(t, node); p++) {
        t->ops->distance(t, t->ops->neighbor(t, node, p), target, &there);
        if (there < here)
            ports |= cni_bit(p);
    }
    cni_allow(entry, ports, CNI_FREE_LANE);
}

/* Up to so many nodes, searches fill a table within some milliseconds. A question about all
 * pairs would take tens of times as long with distances of all neighbors, so larger networks
 * alone use distances. */
enum { FEW_NODES = 1448 };

static cn_status open(const char *function, cn_routing *routing)
{
    const cn_topology *t = routing->topology;
    int by_digits = cni_is_kary_ncube(t) || cni_sets_digits(t);
    int by_distance = t->ops->distance != cni_search_distance && t->nodes > FEW_NODES;
    if (routing->faults == NULL && (by_digits || by_distance))
        return CN_OK;
    return cni_routing_fill(function, routing);
}

const cni_routing_kind cni_minimal = {
    .name = "minimal",
    .summary = "every channel on a shortest path among the survivors",
    .classes = 1,
    .legs = 1,
    .is_minimal = 1,
    .by_digits = 1,
    .open = open,
    .entry = entry,
    .ways = {CNI_CLOSER},
};

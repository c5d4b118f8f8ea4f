/* Negative first: all hops down before the first one up (Glass & Ni 1992). */
#include "base/error.h"
#include "routing/rules/routing.h"

/* Ports of a mesh: the ports down, dimension by dimension, then the ports up; a border node has
 * no port beyond the border. */
static uint64_t ports_of(const cn_topology *t, uint64_t node, uint64_t target)
{
    uint64_t down = 0, up = 0;
    uint32_t port = 0;
    for (uint32_t i = 0; i < t->dimensions; i++) {
        uint64_t a = cni_digit(t, node, i), b = cni_digit(t, target, i);
        if (a > 0)
            down |= (uint64_t)(a > b) << port++;
    }
    for (uint32_t i = 0; i < t->dimensions; i++) {
        uint64_t a = cni_digit(t, node, i), b = cni_digit(t, target, i);
        if (a < t->radix[i] - 1)
            up |= (uint64_t)(a < b) << port++;
    }
    return down != 0 ? down : up;
}

static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    (void)class;
    if (cni_is_mesh(routing->topology))
        cni_allow(entry, ports_of(routing->topology, node, target), CNI_ESCAPE_LANE);
    else
        cni_allow(entry, (node & ~target) != 0 ? node & ~target : target & ~node, CNI_ESCAPE_LANE);
}

static cn_status open(const char *function, cn_routing *routing)
{
    const cn_topology *t = routing->topology;
    if (!cni_is_mesh(t) && !cni_is_hypercube(t))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s is for meshes and hypercubes, not for %s",
                        function, routing->kind->name, t->name);
    return cni_routing_fit(function, routing);
}

const cni_routing_kind cni_negative_first = {
    .name = "negative-first",
    .summary = "on meshes: shortest paths, all hops to lower digits before those to higher ones",
    .classes = 1,
    .legs = 1,
    .has_escapes = 1,
    .is_minimal = 1,
    .open = open,
    .entry = entry,
};

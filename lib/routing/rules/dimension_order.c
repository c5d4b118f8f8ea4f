/* The rules of wormhole.h as routings: dimension order (Dally & Seitz 1987) and Duato's (1993). */
#include "base/error.h"
#include "routing/rules/routing.h"
#include "routing/wormhole/wormhole.h"

/* At most two lanes: the escapes lie in one place, and all other ports have the same set. */
static void lanes_of(const cn_routing *routing, cn_wormhole_rule rule, uint64_t node,
                     uint64_t target, cni_entry *entry)
{
    const cn_topology *t = routing->topology;
    uint64_t sets[CNI_MOST_PORTS], escape_ports = 0, escapes = 0, others = 0;
    uint64_t escape = cni_wormhole_escape(t, rule, CN_MAX_VIRTUAL_CHANNELS);
    cni_wormhole_channels(t, rule, CN_MAX_VIRTUAL_CHANNELS, node, target, sets);
    for (uint32_t p = 0; p < cni_degree(t, node); p++) {
        if ((sets[p] & escape) != 0) {
            escape_ports |= cni_bit(p);
            escapes = sets[p] & escape;
        }
        if ((sets[p] & ~escape) != 0)
            others |= cni_bit(p);
    }
    entry->ports = escape_ports | others;
    cni_add_lane(entry, others, ~escape, 0);
    cni_add_lane(entry, escape_ports, escapes, 1);
}

static void dimension_order(const cn_routing *routing, uint64_t node, uint32_t class,
                            uint64_t target, cni_entry *entry)
{
    (void)class;
    lanes_of(routing, CN_WORMHOLE_DIMENSION_ORDER, node, target, entry);
}

static void duato(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    (void)class;
    lanes_of(routing, CN_WORMHOLE_ADAPTIVE, node, target, entry);
}

static cn_status open(const char *function, cn_routing *routing, cn_wormhole_rule rule)
{
    CNI_TRY(cni_check_wormhole(function, routing->topology, rule, CN_MAX_VIRTUAL_CHANNELS));
    CNI_TRY(cn_route_wormhole_least(routing->topology, rule, &routing->least));
    return cni_routing_fit(function, routing);
}

static cn_status open_dimension_order(const char *function, cn_routing *routing)
{
    return open(function, routing, CN_WORMHOLE_DIMENSION_ORDER);
}

static cn_status open_duato(const char *function, cn_routing *routing)
{
    return open(function, routing, CN_WORMHOLE_ADAPTIVE);
}

const cni_routing_kind cni_dimension_order = {
    .name = "dimension-order",
    .summary = "the lowest dimension in which hops are left",
    .classes = 1,
    .legs = 1,
    .has_escapes = 1,
    .is_proved = 1,
    .open = open_dimension_order,
    .entry = dimension_order,
};

const cni_routing_kind cni_duato = {
    .name = "duato",
    .summary = "every dimension in which hops are left, with dimension order as the escape",
    .classes = 1,
    .legs = 1,
    .has_escapes = 1,
    .is_proved = 1,
    .open = open_duato,
    .entry = duato,
};

/* The rules of wormhole.h as routings: dimension order (Dally & Seitz 1987) and Duato's (1993). */
#include "base/error.h"
#include "routing/rules/routing.h"
#include "routing/wormhole/wormhole.h"

static cn_wormhole_rule rule_of(const cn_routing *routing)
{
    return routing->kind == &cni_duato ? CN_WORMHOLE_ADAPTIVE : CN_WORMHOLE_DIMENSION_ORDER;
}

/* At most two lanes: the escapes lie in one place, and all other ports have the same set. */
static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    cn_wormhole_rule rule = rule_of(routing);
    (void)class;
    cni_wormhole_ways ways = cni_wormhole_ways_of(routing->topology, rule, node, target);
    uint64_t first = cni_bit(ways.first), others = 0;
    if (rule == CN_WORMHOLE_ADAPTIVE) /* in a network without ways up that shift may be one by 64 */
        others = ways.down | (ways.up == 0 ? 0 : ways.up << ways.downs);
    entry->ports = others | first;
    cni_add_lane(entry, others, ~ways.escape, 0);
    cni_add_lane(entry, first, ways.escape & ways.of_class, 1);
}

static uint32_t least_of_order(const cn_topology *topology, const cn_faults *faults)
{
    (void)faults;
    return cni_wormhole_least(topology, CN_WORMHOLE_DIMENSION_ORDER);
}

static uint32_t least_of_duato(const cn_topology *topology, const cn_faults *faults)
{
    (void)faults;
    return cni_wormhole_least(topology, CN_WORMHOLE_ADAPTIVE);
}

static cn_status open(const char *function, cn_routing *routing)
{
    CNI_TRY(
        cni_check_wormhole(function, routing->topology, rule_of(routing), CN_MAX_VIRTUAL_CHANNELS));
    return cni_routing_fit(function, routing);
}

const cni_routing_kind cni_dimension_order = {
    .name = "dimension-order",
    .summary = "the lowest dimension in which hops are left",
    .classes = 1,
    .legs = 1,
    .has_escapes = 1,
    .is_proved = 1,
    .is_minimal = 1,
    .least = least_of_order,
    .open = open,
    .entry = entry,
};

const cni_routing_kind cni_duato = {
    .name = "duato",
    .summary = "every dimension in which hops are left, with dimension order as the escape",
    .classes = 1,
    .legs = 1,
    .has_escapes = 1,
    .is_proved = 1,
    .is_minimal = 1,
    .least = least_of_duato,
    .open = open,
    .entry = entry,
};

/* Wormhole routing with virtual channels (Duato 1993; Dally & Seitz 1987). */
#include "routing/wormhole/wormhole.h"

#include <string.h>

#include "base/error.h"
#include "topology/topology.h"

static const cni_named rules[] = {
    [CN_WORMHOLE_DIMENSION_ORDER] = {"dimension-order",
                                     "the lowest dimension in which hops are left"},
    [CN_WORMHOLE_ADAPTIVE] = {"duato", "minimal adaptive with escape channels in dimension order"},
    [CN_WORMHOLE_DIMENSION_ORDER_UNSAFE] = {"dimension-order-unsafe",
                                            "dimension order without classes: may deadlock on "
                                            "rings"},
    [CN_WORMHOLE_ADAPTIVE_UNSAFE] = {"duato-unsafe",
                                     "minimal adaptive without escape channels: may deadlock"},
};
static const cni_names wormhole_rules = CNI_NAMES("wormhole rule", rules, 0);
CNI_NAMED_ENUM(cn_wormhole_rule, rule, wormhole_rules);

cn_status cni_wormhole_rule_named(const char *routing, int is_unsafe, cn_wormhole_rule *rule)
{
    char list[CNI_LIST_CAPACITY];
    for (int i = CN_WORMHOLE_DIMENSION_ORDER; i <= CN_WORMHOLE_ADAPTIVE; i++)
        if (strcmp(routing, rules[i].name) == 0) {
            *rule = (cn_wormhole_rule)(is_unsafe ? i + CN_WORMHOLE_DIMENSION_ORDER_UNSAFE : i);
            return CN_OK;
        }
    return cni_fail(
        CN_ERR_UNSUPPORTED, "routing = %s, but the system wormhole takes only: %s", routing,
        cni_list_names(&wormhole_rules,
                       1u << CN_WORMHOLE_DIMENSION_ORDER | 1u << CN_WORMHOLE_ADAPTIVE, list));
}

/* Virtual channels of class 0; those of class 1 are the others. */
#define EVEN UINT64_C(0x5555555555555555)

static uint64_t all_of(uint32_t virtual_channels)
{
    return UINT64_MAX >> (CN_MAX_VIRTUAL_CHANNELS - virtual_channels);
}

static uint32_t least(const cn_topology *topology, cn_wormhole_rule rule)
{
    /* rings round which dependencies could close need two classes */
    uint32_t classes = cni_has_rings(topology) ? 2 : 1;
    if (rule == CN_WORMHOLE_ADAPTIVE)
        return classes + 1;
    return rule == CN_WORMHOLE_DIMENSION_ORDER ? classes : 1;
}

static cn_status check_rule(const char *function, const cn_topology *topology,
                            cn_wormhole_rule rule)
{
    CNI_TRY(cni_check_named(function, &wormhole_rules, "rule", (int)rule));
    if (!cni_is_hypercube(topology) && !cni_is_mesh(topology) && !cni_has_rings(topology))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s is not a hypercube, k-ary n-cube, torus or mesh", function,
                        topology->name);
    return CN_OK;
}

cn_status cni_check_wormhole(const char *function, const cn_topology *topology,
                             cn_wormhole_rule rule, uint32_t virtual_channels)
{
    CNI_TRY(check_rule(function, topology, rule));
    uint32_t needed = least(topology, rule);
    if (virtual_channels < needed || virtual_channels > CN_MAX_VIRTUAL_CHANNELS)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: virtual_channels = %lu, but it must be %lu to %d for rule %s on %s",
                        function, (unsigned long)virtual_channels, (unsigned long)needed,
                        CN_MAX_VIRTUAL_CHANNELS, cn_wormhole_rule_name(rule), topology->name);
    return CN_OK;
}

uint64_t cni_wormhole_escape(const cn_topology *topology, cn_wormhole_rule rule,
                             uint32_t virtual_channels)
{
    if (rule == CN_WORMHOLE_ADAPTIVE)
        return all_of(least(topology, rule) - 1);
    return rule == CN_WORMHOLE_DIMENSION_ORDER ? all_of(virtual_channels) : 0;
}

/* What is left to go in one dimension. */
typedef struct leg {
    int down, up;   /* the next hop of a shortest way; both at a tie */
    int first_up;   /* where only one is allowed: 1 up, 0 down */
    int down_wraps; /* whether the way down crosses the end-around channel */
    int up_wraps;   /* and the way up */
    int is_ring;    /* of three or more */
    int has_down_port, has_up_port;
} leg;

static leg leg_of(const cn_topology *topology, uint32_t dimension, uint64_t node,
                  uint64_t destination)
{
    uint64_t a = cni_digit(topology, node, dimension), k = topology->radix[dimension];
    uint64_t b = cni_digit(topology, destination, dimension);
    leg it = {.has_down_port = 1, .is_ring = cni_has_rings(topology) && k > 2};
    if (cni_is_mesh(topology)) {
        it.down = a > b;
        it.up = a < b;
        it.has_down_port = a > 0;
        it.has_up_port = a < k - 1;
    } else if (k == 2 || !topology->bidirectional) {
        it.down = a != b;
        it.down_wraps = it.is_ring && a < b;
    } else {
        uint64_t hops_down = a >= b ? a - b : a + k - b, hops_up = k - hops_down;
        it.down = a != b && hops_down <= hops_up;
        it.up = a != b && hops_up <= hops_down;
        it.down_wraps = a < b;
        it.up_wraps = a > b;
        it.has_up_port = 1;
    }
    it.first_up = it.up && (!it.down || a % 2 == 1);
    return it;
}

/* The virtual channels of one port: `first` when it is the one that dimension order takes. */
static uint64_t set_of(cn_wormhole_rule rule, uint64_t all, uint64_t escape, int first, int is_ring,
                       int wraps)
{
    uint64_t of_class = wraps ? ~EVEN : EVEN;
    switch (rule) {
    case CN_WORMHOLE_DIMENSION_ORDER:
        return !first ? 0 : is_ring ? all & of_class : all;
    case CN_WORMHOLE_ADAPTIVE: /* off the rings the escape is 0, an even one */
        return (all & ~escape) | (first ? escape & of_class : 0);
    case CN_WORMHOLE_DIMENSION_ORDER_UNSAFE:
        return first ? all : 0;
    case CN_WORMHOLE_ADAPTIVE_UNSAFE:
        break;
    }
    return all;
}

/* The ports of these families: those down, dimension by dimension, then those up. */
static void route(const cn_topology *topology, cn_wormhole_rule rule, uint32_t virtual_channels,
                  uint64_t node, uint64_t destination, uint64_t channels[])
{
    uint64_t all = all_of(virtual_channels);
    uint64_t escape = cni_wormhole_escape(topology, rule, virtual_channels);
    uint32_t port = 0, lowest = 0;
    while (lowest < topology->dimensions &&
           cni_digit(topology, node, lowest) == cni_digit(topology, destination, lowest))
        lowest++;
    for (int up = 0; up < 2; up++)
        for (uint32_t i = 0; i < topology->dimensions; i++) {
            leg it = leg_of(topology, i, node, destination);
            if (!(up ? it.has_up_port : it.has_down_port))
                continue;
            int wraps = up ? it.up_wraps : it.down_wraps;
            int first = i == lowest && up == it.first_up;
            channels[port++] =
                (up ? it.up : it.down) ? set_of(rule, all, escape, first, it.is_ring, wraps) : 0;
        }
}

/* The same in the Boolean cube, where every set is one of three. */
static void route_boolean(const cn_topology *cube, cn_wormhole_rule rule, uint32_t virtual_channels,
                          uint64_t header, uint64_t channels[])
{
    uint64_t all = all_of(virtual_channels), others = 0;
    if (rule == CN_WORMHOLE_ADAPTIVE)
        others = all & ~UINT64_C(1);
    else if (rule == CN_WORMHOLE_ADAPTIVE_UNSAFE)
        others = all;
    uint64_t lowest = header & (~header + 1);
    for (uint32_t i = 0; i < cube->dimensions; i++) {
        uint64_t bit = UINT64_C(1) << i;
        channels[i] = (lowest & bit) != 0 ? all : (header & bit) != 0 ? others : 0;
    }
}

void cni_wormhole_channels(const cn_topology *topology, cn_wormhole_rule rule,
                           uint32_t virtual_channels, uint64_t node, uint64_t destination,
                           uint64_t channels[])
{
    if (cni_is_hypercube(topology))
        route_boolean(topology, rule, virtual_channels, node ^ destination, channels);
    else
        route(topology, rule, virtual_channels, node, destination, channels);
}

cn_status cn_route_wormhole_least(const cn_topology *topology, cn_wormhole_rule rule,
                                  uint32_t *virtual_channels)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE(virtual_channels);
    CNI_TRY(check_rule(__func__, topology, rule));
    *virtual_channels = least(topology, rule);
    return CN_OK;
}

cn_status cn_route_wormhole_escape(const cn_topology *topology, cn_wormhole_rule rule,
                                   uint32_t virtual_channels, uint64_t *escape)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE(escape);
    CNI_TRY(cni_check_wormhole(__func__, topology, rule, virtual_channels));
    *escape = cni_wormhole_escape(topology, rule, virtual_channels);
    return CN_OK;
}

cn_status cn_route_wormhole(const cn_topology *topology, cn_wormhole_rule rule,
                            uint32_t virtual_channels, uint64_t node, uint64_t destination,
                            uint64_t channels[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(topology);
    if (capacity > 0)
        CNI_REQUIRE(channels);
    CNI_TRY(cni_check_wormhole(__func__, topology, rule, virtual_channels));
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    CNI_TRY(cni_check_node(__func__, "destination", topology, destination));
    uint32_t degree = topology->ops->degree(topology, node);
    if (count != NULL)
        *count = degree;
    if (capacity < degree)
        return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but node %llu has %lu ports",
                        __func__, capacity, (unsigned long long)node, (unsigned long)degree);
    cni_wormhole_channels(topology, rule, virtual_channels, node, destination, channels);
    return CN_OK;
}

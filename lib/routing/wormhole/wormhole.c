/* Wormhole routing with virtual channels (Duato 1993; Dally & Seitz 1987). */
#include "routing/wormhole/wormhole.h"

#include <string.h>

#include "base/bits.h"
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

/* Virtual channels of class 0; those of class 1 are the others. */
#define EVEN UINT64_C(0x5555555555555555)

static uint64_t all_of(uint32_t virtual_channels)
{
    return UINT64_MAX >> (CN_MAX_VIRTUAL_CHANNELS - virtual_channels);
}

uint32_t cni_wormhole_least(const cn_topology *topology, cn_wormhole_rule rule)
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
    uint32_t needed = cni_wormhole_least(topology, rule);
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
        return all_of(cni_wormhole_least(topology, rule) - 1);
    return rule == CN_WORMHOLE_DIMENSION_ORDER ? all_of(virtual_channels) : 0;
}

/* ---- what is left to go ---- */

/* In one dimension. */
typedef struct leg {
    int down, up; /* the next hop of a shortest way; both at a tie */
    int is_up;    /* the one that dimension order takes */
    int wraps;    /* this one comes over the end-around channel, now or later */
    int is_ring;  /* of three or more */
    int has_down_port, has_up_port;
} leg;

static leg leg_of(const cn_topology *topology, uint64_t k, uint64_t a, uint64_t b)
{
    leg it = {.has_down_port = 1, .is_ring = k > 2};
    if (cni_is_mesh(topology)) {
        it.down = a > b;
        it.up = it.is_up = a < b;
        it.is_ring = 0;
        it.has_down_port = a > 0;
        it.has_up_port = a < k - 1;
    } else if (k == 2 || !topology->bidirectional) {
        it.down = a != b;
        it.wraps = it.is_ring && a < b;
    } else {
        uint64_t hops_down = a >= b ? a - b : a + k - b, hops_up = k - hops_down;
        it.down = a != b && hops_down <= hops_up;
        it.up = a != b && hops_up <= hops_down;
        it.is_up = it.up && (!it.down || a % 2 == 1);
        it.wraps = it.is_up ? a > b : a < b;
        it.has_up_port = 1;
    }
    return it;
}

/* The lowest digit of what is left of a node, which goes on without it. */
static inline uint64_t next_digit(uint64_t *rest, uint64_t radix)
{
    uint64_t digit;
    if ((radix & (radix - 1)) == 0) {
        digit = *rest & (radix - 1);
        *rest >>= cni_lowest_bit(radix);
    } else if ((*rest | radix) >> 32 == 0) { /* short divisions are fast ones */
        digit = (uint32_t)*rest % (uint32_t)radix;
        *rest = (uint32_t)*rest / (uint32_t)radix;
    } else {
        digit = *rest % radix;
        *rest /= radix;
    }
    return digit;
}

static int is_in_order(cn_wormhole_rule rule)
{
    return rule == CN_WORMHOLE_DIMENSION_ORDER || rule == CN_WORMHOLE_DIMENSION_ORDER_UNSAFE;
}

/* Off the rings dimension order has no classes, and the only escape of the adaptive rule is 0, an even one. */
static uint64_t class_of(cn_wormhole_rule rule, int is_ring, int wraps)
{
    if (rule == CN_WORMHOLE_DIMENSION_ORDER && !is_ring)
        return UINT64_MAX;
    return wraps ? ~EVEN : EVEN;
}

cni_wormhole_ways cni_wormhole_ways_of(const cn_topology *topology, cn_wormhole_rule rule,
                                       uint64_t node, uint64_t destination)
{
    cni_wormhole_ways ways = {.escape = cni_wormhole_escape(topology, rule, 64)};
    if (cni_is_hypercube(topology)) {
        ways.down = node ^ destination;
        ways.downs = topology->dimensions;
        ways.first = cni_lowest_bit(ways.down);
        ways.of_class = class_of(rule, 0, 0);
        return ways;
    }
    uint32_t ups = 0;
    int found = 0, first_is_up = 0;
    for (uint32_t i = 0; i < topology->dimensions; i++) {
        uint64_t k = topology->radix[i];
        leg it = leg_of(topology, k, next_digit(&node, k), next_digit(&destination, k));
        if (!found && (it.down || it.up)) {
            found = 1;
            first_is_up = it.is_up;
            ways.first = it.is_up ? ups : ways.downs;
            ways.of_class = class_of(rule, it.is_ring, it.wraps);
        }
        ways.down |= (uint64_t)it.down << ways.downs;
        ways.up |= (uint64_t)it.up << ups;
        ways.downs += (uint32_t)it.has_down_port;
        ups += (uint32_t)it.has_up_port;
        if (found && !cni_is_mesh(topology) && is_in_order(rule)) {
            ways.downs = topology->dimensions;
            break;
        }
    }
    ways.first += first_is_up ? ways.downs : 0;
    return ways;
}

void cni_wormhole_channels(const cn_topology *topology, cn_wormhole_rule rule,
                           uint32_t virtual_channels, uint64_t node, uint64_t destination,
                           uint64_t channels[])
{
    uint64_t all = all_of(virtual_channels);
    uint32_t degree = topology->ops->degree(topology, node);
    memset(channels, 0, degree * sizeof *channels);
    if (node == destination)
        return;
    cni_wormhole_ways ways = cni_wormhole_ways_of(topology, rule, node, destination);
    uint64_t escapes =
        rule >= CN_WORMHOLE_DIMENSION_ORDER_UNSAFE ? all : ways.escape & ways.of_class;
    for (uint32_t p = 0; p < degree && !is_in_order(rule); p++)
        if (((p < ways.downs ? ways.down >> p : ways.up >> (p - ways.downs)) & 1) != 0)
            channels[p] = all & ~ways.escape;
    channels[ways.first] |= all & escapes;
}

cn_status cn_route_wormhole_least(const cn_topology *topology, cn_wormhole_rule rule,
                                  uint32_t *virtual_channels)
{
    CNI_REQUIRE_BOTH(topology, virtual_channels);
    CNI_TRY(check_rule(__func__, topology, rule));
    *virtual_channels = cni_wormhole_least(topology, rule);
    return CN_OK;
}

cn_status cn_route_wormhole_escape(const cn_topology *topology, cn_wormhole_rule rule,
                                   uint32_t virtual_channels, uint64_t *escape)
{
    CNI_REQUIRE_BOTH(topology, escape);
    CNI_TRY(cni_check_wormhole(__func__, topology, rule, virtual_channels));
    *escape = cni_wormhole_escape(topology, rule, virtual_channels);
    return CN_OK;
}

cn_status cn_route_wormhole(const cn_topology *topology, cn_wormhole_rule rule,
                            uint32_t virtual_channels, uint64_t node, uint64_t destination,
                            uint64_t channels[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(channels, capacity);
    CNI_TRY(cni_check_wormhole(__func__, topology, rule, virtual_channels));
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    CNI_TRY(cni_check_node(__func__, "destination", topology, destination));
    uint32_t degree = topology->ops->degree(topology, node);
    CNI_REQUIRE_FIT(degree, capacity, count, "node %llu has %lu ports", (unsigned long long)node,
                    (unsigned long)degree);
    cni_wormhole_channels(topology, rule, virtual_channels, node, destination, channels);
    return CN_OK;
}

/* Dimension order (Dally & Seitz 1987) and Duato's rule (1993), in which dimension order is the
 * escape. */
#include "base/bits.h"
#include "base/error.h"
#include "routing/decisions/channels.h"
#include "routing/rules/routing.h"

/* The virtual channels of class 0; the other virtual channels have class 1. */
#define EVEN UINT64_C(0x5555555555555555)

/* ---- what is left to go ---- */

/* What is left to go in one dimension, and the ports of the dimension. */
typedef struct leg {
    int down, up; /* the next hop of a shortest way; both at a tie */
    int is_up;    /* dimension order takes the hop up; at a tie, from odd digits */
    int wraps;    /* this hop crosses the end-around channel, or a later one does */
    int is_ring;  /* of three or more nodes, with an end-around channel */
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

/*
 * Ports lead down, then up. Bit i of `down` stands for port i, bit i of `up` for port downs + i; a
 * bit is set where the hop comes closer. `first` is the port of the lowest dimension with hops
 * left, `of_class` the virtual channels of the class that dimension order asks for there.
 */
typedef struct order_ways {
    uint64_t down, up;
    uint32_t downs, first;
    uint64_t of_class;
} order_ways;

/* The virtual channels for the next hop in a dimension. On a ring: class 1 as long as the
 * end-around channel is still to be crossed, then class 0; so no dependencies close the ring.
 * Elsewhere dimension order has no classes, and the only escape of Duato's rule is virtual channel
 * 0, an even one. */
static uint64_t class_of(int is_duato, const leg *it)
{
    if (!is_duato && !it->is_ring)
        return UINT64_MAX;
    return it->wraps ? ~EVEN : EVEN;
}

static order_ways ways_of(const cn_topology *topology, int is_duato, uint64_t node,
                          uint64_t destination)
{
    order_ways ways = {0};
    if (cni_is_hypercube(topology) || cni_sets_digits(topology)) { /* a hop sets a digit */
        ways.down = cni_digit_channels(topology, node, destination);
        ways.first = cni_lowest_bit(ways.down);
        ways.of_class = class_of(is_duato, &(leg){0});
        return ways;
    }
    uint32_t ups = 0;
    int found = 0, first_is_up = 0;
    for (uint32_t i = 0; i < topology->dimensions; i++) {
        uint64_t k = topology->radix[i];
        leg it = leg_of(topology, k, cni_take_digit(&node, k), cni_take_digit(&destination, k));
        if (!found && (it.down || it.up)) {
            found = 1;
            first_is_up = it.is_up;
            ways.first = it.is_up ? ups : ways.downs;
            ways.of_class = class_of(is_duato, &it);
        }
        ways.down |= (uint64_t)it.down << ways.downs;
        ways.up |= (uint64_t)it.up << ups;
        ways.downs += (uint32_t)it.has_down_port;
        ups += (uint32_t)it.has_up_port;
        /* dimension order needs no later dimension; a mesh still needs its number of ports down */
        if (found && !cni_is_mesh(topology) && !is_duato) {
            ways.downs = topology->dimensions;
            break;
        }
    }
    ways.first += first_is_up ? ways.downs : 0;
    return ways;
}

/* ---- the routings ---- */

/* Rings around which dependencies could close need two classes. */
static uint32_t classes_of(const cn_topology *topology)
{
    return cni_has_rings(topology) ? 2 : 1;
}

/* Sets that divide the virtual channels as the lanes do: with Duato's rule the escapes, with
 * dimension order the channels of class 0. */
static uint32_t sets(const cn_routing *routing, uint64_t sets[])
{
    int has_classes = classes_of(routing->topology) > 1;
    uint64_t escape = has_classes ? 3 : 1;
    if (routing->kind != &cni_duato) {
        sets[0] = has_classes ? EVEN : CNI_ALL_CHANNELS;
        return 1;
    }
    sets[0] = escape & EVEN;
    sets[1] = escape;
    return 2;
}

/* At most two lanes: the escapes lie on one port, and all other ports have the same set. */
static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    int is_duato = routing->kind == &cni_duato;
    (void)class;
    order_ways ways = ways_of(routing->topology, is_duato, node, target);
    uint64_t first = cni_bit(ways.first), others = 0, escape = UINT64_MAX;
    if (is_duato) {
        /* in a network without ways up that shift may be one by 64 */
        others = ways.down | (ways.up == 0 ? 0 : ways.up << ways.downs);
        escape = cni_bit(classes_of(routing->topology)) - 1;
    }
    entry->ports = others | first;
    cni_add_lane(entry, others, ~escape, CNI_FREE_LANE);
    cni_add_lane(entry, first, escape & ways.of_class, CNI_ESCAPE_LANE);
}

static cn_status open(const char *function, cn_routing *routing)
{
    const cn_topology *topology = routing->topology;
    if (!cni_has_dimension_order(topology))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s is not a (generalized) hypercube, k-ary n-cube, torus or mesh",
                        function, topology->name);
    return cni_routing_fit(function, routing);
}

const cni_routing_kind cni_dimension_order = {
    .name = "dimension-order",
    .summary = "the lowest dimension in which hops are left",
    .classes = 1,
    .legs = 1,
    .has_ring_classes = 1,
    .has_escapes = 1,
    .is_minimal = 1,
    .by_digits = 1,
    .open = open,
    .entry = entry,
    .sets = sets,
};

const cni_routing_kind cni_duato = {
    .name = "duato",
    .summary = "every dimension in which hops are left, with dimension order as the escape",
    .classes = 1,
    .legs = 1,
    .has_free_channels = 1,
    .has_ring_classes = 1,
    .has_escapes = 1,
    .is_minimal = 1,
    .by_digits = 1,
    .open = open,
    .entry = entry,
    .sets = sets,
};

/*
 * The fixed patterns: one destination a node, computed from its address (Dally & Towles 2004, 3.2:
 * bit permutations and digit permutations). Bit permutations work on the digits of the address
 * where N is no power of two.
 */
#include "scenario/traffic/pattern.h"

#include "base/error.h"
#include "topology/families/composed.h"

/* ---- one destination a node ---- */

int cni_single_sends(const cn_traffic *traffic, uint64_t source)
{
    return traffic->rule->destination(traffic, source, 0) != source;
}

double cni_single_share(const cn_traffic *traffic, uint64_t source, uint64_t destination,
                        uint64_t distance)
{
    (void)distance;
    return traffic->rule->destination(traffic, source, 0) == destination ? 1.0 : 0.0;
}

uint64_t cni_single_next(const cn_traffic *traffic, uint64_t source, uint64_t from)
{
    return from > 0 ? traffic->topology->hosts : traffic->rule->destination(traffic, source, 0);
}

/* These patterns are permutations, so no node receives from two others. */
static double one_message(const cn_traffic *traffic)
{
    (void)traffic;
    return 1.0;
}

#define FIXED(row, check_it, map) \
    const cni_pattern_row row = { \
        .check = check_it, .destination = map, .busiest = one_message, CNI_SINGLE};

/* ---- addresses ---- */

/* The lowest digit of the number of an added host is its place at the router; the other digits
 * are the router's. */
static uint64_t hosts_of_router(const cn_topology *topology)
{
    return cni_has_added_hosts(topology) ? cni_added_hosts(topology) : 1;
}

/* An address as `count` digits in one base: bits where N is a power of two, else the digits of
 * the node. */
typedef struct places {
    uint64_t base;
    uint32_t count; /* 0: no such form */
} places;

static places places_of(const cn_topology *topology)
{
    places form = {0};
    const cn_topology *routers = cni_innermost(topology);
    uint64_t each = hosts_of_router(topology);
    if ((topology->hosts & (topology->hosts - 1)) == 0) {
        form.base = 2;
        while (topology->hosts >> form.count > 1)
            form.count++;
    } else if (cni_is_symmetric(routers) && (each == 1 || each == routers->radix[0])) {
        form.base = routers->radix[0];
        form.count = routers->dimensions + (each > 1);
    }
    return form;
}

static cn_status check_places(const char *function, const char *name, const cn_topology *topology,
                              int is_enough, const char *needs)
{
    places form = places_of(topology);
    if (form.count == 0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s needs 2^m nodes or address digits of equal radix, but %s with its "
                        "%llu nodes has neither",
                        function, name, topology->name, (unsigned long long)topology->hosts);
    if (is_enough)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: an address of %s has %lu %s, but %s needs %s",
                    function, topology->name, (unsigned long)form.count,
                    form.base == 2 ? "bits" : "digits", name, needs);
}

static cn_status check_two(const char *function, const char *name, const cn_topology *topology)
{
    return check_places(function, name, topology, places_of(topology).count >= 2,
                        "two or more of them");
}

static cn_status check_digits(const char *function, const char *name, const cn_topology *topology)
{
    if (cni_innermost(topology)->dimensions > 0)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s needs address digits, but %s has none", function,
                    name, topology->name);
}

/* ---- complement ---- */

static uint64_t complement(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    (void)word;
    return traffic->topology->hosts - 1 - source;
}

FIXED(cni_bit_complement_pattern, cni_pattern_anywhere, complement)

/* ---- reverse ---- */

static uint64_t reverse(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    places form = places_of(traffic->topology);
    uint64_t reversed = 0;
    (void)word;
    for (uint32_t i = 0; i < form.count; i++, source /= form.base)
        reversed = reversed * form.base + source % form.base;
    return reversed;
}

FIXED(cni_bit_reverse_pattern, check_two, reverse)

/* ---- transpose ---- */

static cn_status check_even(const char *function, const char *name, const cn_topology *topology)
{
    return check_places(function, name, topology, places_of(topology).count % 2 == 0,
                        "an even number of them");
}

/* The two halves of the digits change places. */
static uint64_t transpose(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    places form = places_of(traffic->topology);
    uint64_t half = 1;
    (void)word;
    for (uint32_t i = 0; i < form.count / 2; i++)
        half *= form.base;
    return source % half * half + source / half;
}

FIXED(cni_transpose_pattern, check_even, transpose)

/* ---- shuffle ---- */

/* The highest digit becomes the lowest one. */
static uint64_t shuffle(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    uint64_t base = places_of(traffic->topology).base, rest = traffic->topology->hosts / base;
    (void)word;
    return source % rest * base + source / rest;
}

FIXED(cni_shuffle_pattern, check_two, shuffle)

/* ---- tornado and neighbor: every digit moves up its ring ---- */

static cn_status check_tornado(const char *function, const char *name, const cn_topology *topology)
{
    CNI_TRY(check_digits(function, name, topology));
    const cn_topology *routers = cni_innermost(topology);
    for (uint32_t i = 0; i < routers->dimensions; i++)
        if (routers->radix[i] > 2)
            return CN_OK;
    if (hosts_of_router(topology) > 2)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: tornado sends ceil(k/2) - 1 nodes along a dimension, but this is 0 in "
                    "every dimension of %s",
                    function, topology->name);
}

/* Moves a digit up its ring: by half of the ring, ceil(k/2) - 1 nodes, or by one node. */
static uint64_t move_digit(uint64_t digit, uint64_t radix, int half_way)
{
    return (digit + (half_way ? (radix + 1) / 2 - 1 : 1)) % radix;
}

static uint64_t move_rank_up(const cn_topology *topology, uint64_t rank, int half_way)
{
    const cn_topology *routers = cni_innermost(topology);
    uint64_t moved = 0, each = hosts_of_router(topology), node = rank / each;
    for (uint32_t i = 0; i < routers->dimensions; i++)
        moved += move_digit(cni_digit(routers, node, i), routers->radix[i], half_way) *
                 routers->stride[i];
    return moved * each + move_digit(rank % each, each, half_way);
}

static uint64_t tornado(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    (void)word;
    return move_rank_up(traffic->topology, source, 1);
}

FIXED(cni_tornado_pattern, check_tornado, tornado)

static uint64_t neighbor(const cn_traffic *traffic, uint64_t source, uint64_t word)
{
    (void)word;
    return move_rank_up(traffic->topology, source, 0);
}

FIXED(cni_neighbor_pattern, check_digits, neighbor)

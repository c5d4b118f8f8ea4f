/*
 * The fixed patterns and the names of all (Dally & Towles 2004, 3.2: bit permutations and digit
 * permutations). Bit permutations work on the digits of the address where N is no power of two.
 */
#include "scenario/traffic/pattern.h"

#include "base/names.h"
#include "topology/topology.h"

static const char *const names[] = {
    "uniform", "bit-complement", "bit-reverse", "transpose",    "shuffle", "tornado", "neighbor",
    "hotspot", "permutation",    "locality",    "destinations", "matrix",  "trace"};

static const cni_names pattern_names = CNI_NAMES("traffic pattern", names, 0);
CNI_NAMED_ENUM(cn_pattern, pattern, pattern_names);

size_t cn_pattern_count(void)
{
    return sizeof names / sizeof names[0];
}

/* ---- where they are defined ---- */

/* An address as `count` places in one base: bits where N is a power of two, else digits. */
typedef struct places {
    uint64_t base;
    uint32_t count; /* 0: no such form */
} places;

static places places_of(const cn_topology *topology)
{
    places form = {0};
    if ((topology->nodes & (topology->nodes - 1)) == 0) {
        form.base = 2;
        while (topology->nodes >> form.count > 1)
            form.count++;
    } else if (cni_is_symmetric(topology)) {
        form.base = topology->radix[0];
        form.count = topology->dimensions;
    }
    return form;
}

static cn_status fail_places(const char *function, const cn_topology *topology, cn_pattern pattern,
                             places form)
{
    static const char *const needs[] = {[CN_PATTERN_BIT_REVERSE] = "two or more of them",
                                        [CN_PATTERN_TRANSPOSE] = "an even number of them",
                                        [CN_PATTERN_SHUFFLE] = "two or more of them"};
    if (form.count == 0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s works on the bits of a power of two of nodes or on digits of one "
                        "radix, and %s with its %llu nodes has neither",
                        function, names[pattern], topology->name,
                        (unsigned long long)topology->nodes);
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: an address of %s has %lu %s, but %s needs %s",
                    function, topology->name, (unsigned long)form.count,
                    form.base == 2 ? "bits" : "digits", names[pattern], needs[pattern]);
}

static cn_status check_digits(const char *function, const cn_topology *topology, cn_pattern pattern)
{
    if (topology->dimensions == 0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s works on the digits of an address, and %s has none", function,
                        names[pattern], topology->name);
    uint64_t greatest = 0;
    for (uint32_t i = 0; i < topology->dimensions; i++)
        greatest = topology->radix[i] > greatest ? topology->radix[i] : greatest;
    if (pattern == CN_PATTERN_TORNADO && greatest == 2)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "%s: tornado goes ceil(k/2) - 1 nodes along a dimension, which is 0 in every "
            "dimension of %s: nobody would send",
            function, topology->name);
    return CN_OK;
}

cn_status cni_pattern_check(const char *function, const cn_topology *topology, cn_pattern pattern)
{
    places form = places_of(topology);
    switch (pattern) {
    case CN_PATTERN_BIT_REVERSE:
    case CN_PATTERN_SHUFFLE:
        return form.count >= 2 ? CN_OK : fail_places(function, topology, pattern, form);
    case CN_PATTERN_TRANSPOSE:
        return form.count > 0 && form.count % 2 == 0
                   ? CN_OK
                   : fail_places(function, topology, pattern, form);
    case CN_PATTERN_TORNADO:
    case CN_PATTERN_NEIGHBOR:
        return check_digits(function, topology, pattern);
    default:
        return CN_OK;
    }
}

/* ---- destinations ---- */

static uint64_t reverse(places form, uint64_t node)
{
    uint64_t reversed = 0;
    for (uint32_t i = 0; i < form.count; i++, node /= form.base)
        reversed = reversed * form.base + node % form.base;
    return reversed;
}

static uint64_t power(uint64_t base, uint32_t exponent)
{
    uint64_t product = 1;
    for (uint32_t i = 0; i < exponent; i++)
        product *= base;
    return product;
}

static uint64_t transpose(places form, uint64_t node)
{
    uint64_t half = power(form.base, form.count / 2);
    return node % half * half + node / half;
}

/* Every digit moved up its ring. */
static uint64_t move_up(const cn_topology *topology, cn_pattern pattern, uint64_t node)
{
    uint64_t moved = 0;
    for (uint32_t i = 0; i < topology->dimensions; i++) {
        uint64_t radix = topology->radix[i];
        uint64_t hops = pattern == CN_PATTERN_TORNADO ? (radix + 1) / 2 - 1 : 1;
        moved += (cni_digit(topology, node, i) + hops) % radix * topology->stride[i];
    }
    return moved;
}

uint64_t cni_pattern_destination(const cn_topology *topology, cn_pattern pattern, uint64_t source)
{
    places form;
    switch (pattern) {
    case CN_PATTERN_BIT_COMPLEMENT:
        return topology->nodes - 1 - source;
    case CN_PATTERN_BIT_REVERSE:
        return reverse(places_of(topology), source);
    case CN_PATTERN_TRANSPOSE:
        return transpose(places_of(topology), source);
    case CN_PATTERN_SHUFFLE:
        form = places_of(topology);
        return source % (topology->nodes / form.base) * form.base +
               source / (topology->nodes / form.base);
    default:
        return move_up(topology, pattern, source);
    }
}

uint64_t cni_pattern_fixed_points(const cn_topology *topology, cn_pattern pattern)
{
    places form = places_of(topology);
    switch (pattern) {
    case CN_PATTERN_BIT_COMPLEMENT: /* the one in the middle */
        return topology->nodes % 2;
    case CN_PATTERN_BIT_REVERSE: /* the same from both ends */
        return power(form.base, (form.count + 1) / 2);
    case CN_PATTERN_TRANSPOSE: /* equal halves */
        return power(form.base, form.count / 2);
    case CN_PATTERN_SHUFFLE: /* all places the same */
        return form.base;
    default:
        return 0;
    }
}

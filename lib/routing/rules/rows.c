/* Rows of entries: joined digit by digit, otherwise node by node. */
#include "routing/rules/rows.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"

/* The caches of entries have 2^13 and 2^12 places, 96 KB each, which fit into the second cache of
 * a processor. A pair whose place is taken by another pair is computed again. */
enum { JOINED = 1 << 13, KNOWN_BITS = 12 };

/* Whether rows go by digits. Meshes do not, because their ports have other numbers at the
 * borders. */
static int is_by_digits(const cn_routing *routing)
{
    const cn_topology *t = routing->topology;
    const cn_routing *leg = routing->leg;
    return leg->kind->by_digits && cni_routing_is_closed_form(routing) &&
           cni_routing_is_closed_form(leg) && routing->served == NULL && t->dimensions > 0 &&
           cni_has_dimension_order(t) && !cni_is_mesh(t);
}

cn_status cni_rows_open(const cn_routing *routing, cni_table *table, cni_rows *rows)
{
    const cn_topology *t = routing->topology;
    uint64_t pairs = 0;
    uint32_t *digit;
    *rows = (cni_rows){.routing = routing, .table = table, .class = UINT32_MAX};
    rows->by_digits = is_by_digits(routing);
    for (uint32_t d = 0; rows->by_digits && d < t->dimensions; d++)
        pairs += t->radix[d] * t->radix[d];
    const cni_array arrays[] = {
        CNI_ARRAY(rows->number, t->nodes),
        CNI_ARRAY_IF(routing->ports.count > 0, rows->known, UINT64_C(1) << KNOWN_BITS),
        CNI_ARRAY(digit, pairs), CNI_ARRAY_IF(rows->by_digits, rows->joined, JOINED)};
    CNI_TRY(cni_allocate_arrays(&rows->block, arrays));
    for (uint32_t d = 0; rows->by_digits && d < t->dimensions; d++) {
        rows->digit[d] = digit;
        digit += t->radix[d] * t->radix[d];
    }
    return CN_OK;
}

void cni_rows_close(cni_rows *rows)
{
    cni_release(rows->block);
    *rows = (cni_rows){0};
}

/* Finds the entry of a node for a target; the routing serves both. */
static cn_status find_entry(cni_rows *rows, uint64_t node, uint64_t target, uint32_t *number)
{
    cni_entry room;
    return cni_table_intern(
        rows->table, cni_routing_next(rows->routing, node, rows->class, target, &room), number);
}

/* ---- by digits ---- */

/* Computes the entries of all pairs of nodes that differ in one digit only. */
static cn_status begin_class(cni_rows *rows, uint32_t class)
{
    const cn_topology *t = rows->routing->topology;
    rows->class = class;
    memset(rows->joined, 0, JOINED * sizeof *rows->joined);
    for (uint32_t d = 0; d < t->dimensions; d++)
        for (uint64_t pair = 0, k = t->radix[d]; pair < k * k; pair++)
            CNI_TRY(find_entry(rows, pair % k * t->stride[d], pair / k * t->stride[d],
                               &rows->digit[d][pair]));
    return CN_OK;
}

/* Joins the entries of lower digits with the entry of a digit that differs, at `count` nodes from
 * `node` on. Entry 0 is that of equal digits, which add nothing. */
static cn_status join_entries(cni_rows *rows, const uint32_t lower[], uint32_t digit,
                              uint64_t count, uint64_t node, uint64_t target, uint32_t both[])
{
    for (uint64_t x = 0; x < count; x++) {
        cni_joined *joined = &rows->joined[(61 * lower[x] + digit) % JOINED];
        if (joined->lower != lower[x] || joined->digit != digit) {
            *joined = (cni_joined){lower[x], digit, digit};
            if (lower[x] != 0)
                CNI_TRY(find_entry(rows, node + x, target, &joined->both));
        }
        both[x] = joined->both;
    }
    return CN_OK;
}

/* Fills the row dimension by dimension: after each, the row has the numbers of the nodes that
 * differ from the target only in the digits so far, at places by these digits. The places of digit
 * 0 are overwritten last, because the other digits are made from them. */
static cn_status join_digits(cni_rows *rows, uint64_t target)
{
    const cn_topology *t = rows->routing->topology;
    rows->number[0] = 0;
    for (uint32_t d = 0; d < t->dimensions; d++) {
        uint64_t k = t->radix[d], size = t->stride[d], rest = target - target % (size * k);
        const uint32_t *digit = rows->digit[d] + cni_digit(t, target, d) * k;
        for (uint64_t i = k; i-- > 0;)
            if (digit[i] == 0)
                memmove(rows->number + i * size, rows->number, size * sizeof *rows->number);
            else
                CNI_TRY(join_entries(rows, rows->number, digit[i], size, rest + i * size, target,
                                     rows->number + i * size));
    }
    return CN_OK;
}

/* ---- of any kind ---- */

/* Finds the entry of a node from its stored ports, or from the cache when they were met before. */
static cn_status find_by_ports(cni_rows *rows, uint64_t node, uint64_t target, uint32_t *number)
{
    const cn_routing *r = rows->routing;
    uint64_t ports = cni_routing_stored(r, node, rows->class, target);
    uint64_t of_one = r->classes > 1 ? cni_routing_stored(r, node, 1, target) : 0;
    uint64_t hash = (ports * 3 ^ of_one) * CNI_RANDOM_STEP;
    cni_known_ports *known = &rows->known[hash >> (64 - KNOWN_BITS)];
    if (known->ports != ports || known->of_one != of_one) {
        CNI_TRY(find_entry(rows, node, target, &known->number));
        known->ports = ports;
        known->of_one = of_one;
    }
    *number = ports == 0 ? 0 : known->number;
    return CN_OK;
}

cn_status cni_rows_to(cni_rows *rows, uint32_t class, uint64_t target)
{
    const cn_routing *r = rows->routing;
    if (rows->by_digits && rows->class != class)
        CNI_TRY(begin_class(rows, class));
    if (rows->by_digits)
        return join_digits(rows, target);
    if (rows->known != NULL && rows->class != class)
        memset(rows->known, 0, sizeof *rows->known << KNOWN_BITS);
    rows->class = class;
    for (uint64_t v = 0; v < r->topology->nodes; v++) {
        rows->number[v] = 0;
        if (!cni_routing_serves(r, v) || !cni_routing_serves(r, target))
            continue;
        CNI_TRY(rows->known != NULL ? find_by_ports(rows, v, target, &rows->number[v])
                                    : find_entry(rows, v, target, &rows->number[v]));
    }
    return CN_OK;
}

cn_status cni_rows_ports(cni_rows *rows, uint32_t class, uint64_t target, uint64_t ports[])
{
    const cn_routing *routing = rows->routing;
    if (rows->by_digits)
        CNI_TRY(cni_rows_to(rows, class, target));
    for (uint64_t v = 0; v < routing->topology->nodes; v++)
        if (rows->by_digits)
            ports[v] = rows->table->entries[rows->number[v]].ports;
        else
            ports[v] = cni_routing_serves(routing, v) && cni_routing_serves(routing, target)
                           ? cni_routing_ports(routing, v, class, target)
                           : 0;
    return CN_OK;
}

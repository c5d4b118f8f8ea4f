/* Rows of entries: by digits composed of pieces, otherwise node by node. */
#include "routing/rules/rows.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"

/* The caches of entries have 2^13 and 2^12 places, 96 KB each, which fit into the second cache of
 * a processor. A pair whose place is taken by another pair is computed again. */
enum { JOINED_BITS = 13, KNOWN_BITS = 12 };

static cni_joined *joined_at(const cni_rows *rows, uint32_t lower, uint32_t digit)
{
    uint64_t pair = (uint64_t)lower << 32 | digit;
    return &rows->joined[pair * CNI_RANDOM_STEP >> (64 - JOINED_BITS)];
}

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

static cn_status open_digits(cni_rows *rows)
{
    const cn_topology *t = rows->routing->topology;
    uint64_t pairs = 0, radix = t->radix[t->dimensions - 1];
    uint32_t *digit;
    for (uint32_t d = 0; d < t->dimensions; d++)
        pairs += t->radix[d] * t->radix[d];
    rows->last = t->dimensions - 1;
    rows->size = t->nodes / radix;
    const cni_array arrays[] = {CNI_ARRAY(digit, pairs), CNI_ARRAY(rows->lower, rows->size),
                                CNI_ARRAY(rows->piece_of, radix * radix),
                                CNI_ARRAY(rows->piece_entry, radix * radix),
                                CNI_ARRAY(rows->joined, UINT64_C(1) << JOINED_BITS)};
    CNI_TRY(cni_allocate_arrays(&rows->digits, arrays));
    for (uint32_t d = 0; d < t->dimensions; d++, digit += t->radix[d - 1] * t->radix[d - 1])
        rows->digit[d] = digit;
    return CN_OK;
}

cn_status cni_rows_open(const cn_routing *routing, cni_table *table, cni_rows *rows)
{
    *rows = (cni_rows){
        .routing = routing, .table = table, .own = table, .by_digits = is_by_digits(routing)};
    if (routing->table.entries != NULL)
        rows->table = &routing->table;
    const cni_array arrays[] = {
        CNI_ARRAY(rows->number, routing->topology->nodes),
        CNI_ARRAY_IF(routing->ports.count > 0, rows->known, UINT64_C(1) << KNOWN_BITS)};
    rows->class = UINT32_MAX;
    CNI_TRY(cni_allocate_arrays(&rows->block, arrays));
    return rows->by_digits ? open_digits(rows) : CN_OK;
}

void cni_rows_close(cni_rows *rows)
{
    cni_release(rows->block);
    cni_release(rows->digits);
    cni_release(rows->of_class);
    *rows = (cni_rows){0};
}

uint64_t cni_rows_target(const cni_rows *rows, uint64_t i)
{
    uint64_t radix;
    if (!rows->by_digits)
        return i;
    radix = rows->routing->topology->radix[rows->last];
    return i / radix + i % radix * rows->size;
}

/* Finds the entry of a node for a target; the routing serves both. */
static cn_status find_entry(cni_rows *rows, uint64_t node, uint64_t target, uint32_t *number)
{
    cni_entry room;
    return cni_table_intern(
        rows->own, cni_routing_next(rows->routing, node, rows->class, target, &room), number);
}

/* ---- by digits ---- */

static cn_status find_digits(cni_rows *rows)
{
    const cn_topology *t = rows->routing->topology;
    for (uint32_t d = 0; d < t->dimensions; d++)
        for (uint64_t pair = 0, k = t->radix[d]; pair < k * k; pair++)
            CNI_TRY(find_entry(rows, pair % k * t->stride[d], pair / k * t->stride[d],
                               &rows->digit[d][pair]));
    return CN_OK;
}

/* Lists the pieces: one for each different entry of the highest digit. */
static cn_status list_pieces(cni_rows *rows)
{
    uint64_t radix = rows->routing->topology->radix[rows->last];
    const uint32_t *digit = rows->digit[rows->last];
    uint32_t *piece_at;
    void *block;
    const cni_array places[] = {CNI_ARRAY(piece_at, rows->table->count)};
    CNI_TRY(cni_allocate_arrays(&block, places));
    rows->pieces = 0;
    for (uint64_t pair = 0; pair < radix * radix; pair++) {
        uint32_t *at = &piece_at[digit[pair]];
        if (*at == 0) {
            rows->piece_entry[rows->pieces] = digit[pair];
            *at = ++rows->pieces;
        }
        rows->piece_of[pair] = *at - 1;
    }
    cni_release(block);
    const cni_array pieces[] = {CNI_ARRAY(rows->piece, rows->pieces * rows->size),
                                CNI_ARRAY(rows->piece_made, rows->pieces)};
    return cni_allocate_arrays(&rows->of_class, pieces);
}

static cn_status begin_class(cni_rows *rows, uint32_t class)
{
    rows->class = class;
    rows->of_lower = UINT64_MAX;
    memset(rows->joined, 0, sizeof *rows->joined << JOINED_BITS);
    cni_release(rows->of_class);
    rows->of_class = NULL;
    CNI_TRY(find_digits(rows));
    return list_pieces(rows);
}

/* Joins the entries of lower digits with the entry of a digit, at `count` nodes from `node` on.
 * 0 means that the digits are equal and add nothing. */
static cn_status join_entries(cni_rows *rows, const uint32_t lower[], uint32_t digit,
                              uint64_t count, uint64_t node, uint64_t target, uint32_t both[])
{
    for (uint64_t x = 0; x < count; x++) {
        cni_joined *joined = joined_at(rows, lower[x], digit);
        if (lower[x] == 0 || digit == 0) {
            both[x] = lower[x] | digit;
            continue;
        }
        if (joined->lower != lower[x] || joined->digit != digit) {
            CNI_TRY(find_entry(rows, node + x, target, &joined->both));
            joined->lower = lower[x];
            joined->digit = digit;
        }
        both[x] = joined->both;
    }
    return CN_OK;
}

/* Fills `lower` dimension by dimension. The places of digit 0 are overwritten last, because the
 * other digits are made from them. */
static cn_status find_lower(cni_rows *rows, uint64_t target)
{
    const cn_topology *t = rows->routing->topology;
    uint64_t size = 1;
    rows->lower[0] = 0;
    for (uint32_t d = 0; d < rows->last; d++) {
        uint64_t k = t->radix[d], rest = target - target % (size * k);
        const uint32_t *digit = rows->digit[d] + cni_digit(t, target, d) * k;
        for (uint64_t i = k; i-- > 0;)
            CNI_TRY(join_entries(rows, rows->lower, digit[i], size, rest + i * size, target,
                                 rows->lower + i * size));
        size *= k;
    }
    rows->of_lower = target % rows->size;
    return CN_OK;
}

static cn_status put_together(cni_rows *rows, uint64_t target)
{
    uint64_t size = rows->size, k = rows->routing->topology->radix[rows->last];
    const uint32_t *piece_of = rows->piece_of + target / size * k;
    if (rows->of_lower != target % size)
        CNI_TRY(find_lower(rows, target));
    for (uint64_t i = 0; i < k; i++) {
        uint32_t *piece = rows->piece + piece_of[i] * size;
        if (rows->piece_made[piece_of[i]] != rows->of_lower + 1)
            CNI_TRY(join_entries(rows, rows->lower, rows->piece_entry[piece_of[i]], size, i * size,
                                 target, piece));
        rows->piece_made[piece_of[i]] = rows->of_lower + 1;
        memcpy(rows->number + i * size, piece, size * sizeof *piece);
    }
    return CN_OK;
}

/* ---- of any kind ---- */

/* Copies the numbers of the routing's own table. */
static void copy_numbers(cni_rows *rows, uint64_t target)
{
    const cn_routing *routing = rows->routing;
    size_t place = cni_routing_place(routing, 0, rows->class, target);
    for (size_t v = 0; v < routing->topology->nodes; v++)
        rows->number[v] = cni_table_number(&routing->table, place + v);
}

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

/* Finds the entries node by node. */
static cn_status find_row(cni_rows *rows, uint64_t target)
{
    const cn_routing *r = rows->routing;
    for (uint64_t v = 0; v < r->topology->nodes; v++) {
        rows->number[v] = 0;
        if (!cni_routing_serves(r, v) || !cni_routing_serves(r, target))
            continue;
        CNI_TRY(rows->known != NULL ? find_by_ports(rows, v, target, &rows->number[v])
                                    : find_entry(rows, v, target, &rows->number[v]));
    }
    return CN_OK;
}

cn_status cni_rows_to(cni_rows *rows, uint32_t class, uint64_t target)
{
    if (rows->by_digits && rows->class != class)
        CNI_TRY(begin_class(rows, class));
    if (rows->by_digits)
        return put_together(rows, target);
    if (rows->known != NULL && rows->class != class)
        memset(rows->known, 0, sizeof *rows->known << KNOWN_BITS);
    rows->class = class;
    if (rows->routing->table.entries == NULL)
        return find_row(rows, target);
    copy_numbers(rows, target);
    return CN_OK;
}

cn_status cni_rows_ports(cni_rows *rows, uint32_t class, uint64_t target, uint64_t ports[])
{
    const cn_routing *routing = rows->routing;
    int is_numbered = rows->by_digits || routing->table.entries != NULL;
    if (is_numbered)
        CNI_TRY(cni_rows_to(rows, class, target));
    for (uint64_t v = 0; v < routing->topology->nodes; v++)
        if (is_numbered)
            ports[v] = rows->table->entries[rows->number[v]].ports;
        else
            ports[v] = cni_routing_serves(routing, v) && cni_routing_serves(routing, target)
                           ? cni_routing_ports(routing, v, class, target)
                           : 0;
    return CN_OK;
}

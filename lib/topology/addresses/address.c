/* Digits, address text and headers of the networks that have dimensions. */
#include "cubenet/address.h"

#include <stdio.h>

#include "base/text.h"
#include "topology/each.h"

CNI_GETTER(uint32_t, cn_topology_dimensions, topology, topology->dimensions, 0);

cn_status cn_topology_radix(const cn_topology *topology, uint32_t dimension, uint64_t *radix)
{
    CNI_REQUIRE_BOTH(topology, radix);
    if (dimension >= topology->dimensions)
        return cni_fail(CN_ERR_ARGUMENT, "%s: dimension = %lu, but %s has %lu dimensions", __func__,
                        (unsigned long)dimension, topology->name,
                        (unsigned long)topology->dimensions);
    *radix = topology->radix[dimension];
    return CN_OK;
}

static cn_status check_dimensions(const char *function, const cn_topology *topology)
{
    if (topology->dimensions > 0)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has no dimensions", function, topology->name);
}

static void take_digits(const void *topology, uint64_t node, uint64_t other, uint64_t digits[])
{
    const cn_topology *t = topology;
    (void)other;
    for (uint32_t i = 0; cni_is_hypercube(t) && i < t->dimensions; i++)
        digits[i] = node >> i & 1;
    for (uint32_t i = 0; !cni_is_hypercube(t) && i < t->dimensions; i++)
        digits[i] = cni_take_digit(&node, t->radix[i]);
}

cn_status cn_topology_digits(const cn_topology *topology, uint64_t node, uint64_t digits[],
                             size_t capacity, size_t *count)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(digits, capacity);
    CNI_TRY(check_dimensions(__func__, topology));
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    CNI_REQUIRE_FIT(topology->dimensions, capacity, count, "%s has %lu dimensions", topology->name,
                    (unsigned long)topology->dimensions);
    take_digits(topology, node, node, digits);
    return CN_OK;
}

cn_status cn_topology_digits_of(const cn_topology *topology, const uint64_t nodes[], size_t count,
                                const cn_control *control, uint64_t digits[], size_t capacity)
{
    CNI_REQUIRE(topology);
    cni_budget budget; /* a bad control is named before a want of room */
    CNI_TRY(cni_budget_begin(&budget, __func__, control, 0));
    CNI_TRY(check_dimensions(__func__, topology));
    if (capacity / topology->dimensions < count)
        return cni_fail_capacity(__func__, capacity, "%zu nodes of %s have %lu digits each", count,
                                 topology->name, (unsigned long)topology->dimensions);
    const cni_each each = {.function = __func__,
                           .topology = topology,
                           .object = topology,
                           .answer = take_digits,
                           .name = {"nodes", NULL, "digits"},
                           .nodes = nodes,
                           .units = 4 * topology->dimensions,
                           .width = topology->dimensions};
    return cni_answer_each(&each, count, control, digits);
}

cn_status cn_topology_node_at(const cn_topology *topology, const uint64_t digits[], size_t count,
                              uint64_t *node)
{
    CNI_REQUIRE_BOTH(topology, digits);
    CNI_REQUIRE(node);
    CNI_TRY(check_dimensions(__func__, topology));
    if (count != topology->dimensions)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but %s has %lu dimensions", __func__,
                        count, topology->name, (unsigned long)topology->dimensions);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < topology->dimensions; i++) {
        if (digits[i] >= topology->radix[i])
            return cni_fail(CN_ERR_ARGUMENT, "%s: digits[%lu] = %llu, but it must be 0 to %llu",
                            __func__, (unsigned long)i, (unsigned long long)digits[i],
                            (unsigned long long)(topology->radix[i] - 1));
        sum += digits[i] * topology->stride[i];
    }
    *node = sum;
    return CN_OK;
}

/* ---- text ---- */

/* One character a digit is enough when no radix is above ten. */
static int is_compact(const cn_topology *topology)
{
    for (uint32_t i = 0; i < topology->dimensions; i++)
        if (topology->radix[i] > 10)
            return 0;
    return topology->dimensions > 0;
}

/* Up to 62 digits of at most 19 characters, but the product of radices is at most 2^62: under
 * 200 characters. */
enum { ADDRESS_CAPACITY = 256 };

static size_t print_address(const cn_topology *topology, uint64_t node, char text[])
{
    int length = 0;
    if (topology->dimensions == 0)
        length = snprintf(text, ADDRESS_CAPACITY, "%llu", (unsigned long long)node);
    int compact = is_compact(topology);
    for (uint32_t i = topology->dimensions; i-- > 0;)
        length += snprintf(text + length, ADDRESS_CAPACITY - (size_t)length, "%llu%s",
                           (unsigned long long)cni_digit(topology, node, i),
                           compact || i == 0 ? "" : ".");
    return (size_t)length;
}

cn_status cn_topology_address_text(const cn_topology *topology, uint64_t node, char text[],
                                   size_t capacity, size_t *length)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(text, capacity);
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    char address[ADDRESS_CAPACITY];
    size_t written = print_address(topology, node, address);
    CNI_TRY(cni_text_fits(__func__, "address", written, capacity, length));
    for (size_t i = 0; i <= written; i++)
        text[i] = address[i];
    return CN_OK;
}

/* Reads one decimal digit, or all that follow, as a number below limit. 0 without such a number;
 * a number that begins with 0 has no further digit. */
static int read_number(const char **text, int one_character, uint64_t limit, uint64_t *number)
{
    const char *from = *text;
    return cni_read_whole(text, one_character ? from + 1 : NULL, number) && *number < limit &&
           (*from != '0' || *text == from + 1);
}

static int read_address(const cn_topology *topology, const char *text, uint64_t *node)
{
    if (topology->dimensions == 0)
        return read_number(&text, 0, topology->nodes, node) && *text == '\0';
    int compact = is_compact(topology);
    uint64_t sum = 0;
    for (uint32_t i = topology->dimensions; i-- > 0;) {
        uint64_t digit;
        if (!read_number(&text, compact, topology->radix[i], &digit))
            return 0;
        sum += digit * topology->stride[i];
        if (!compact && i > 0 && *text++ != '.')
            return 0;
    }
    *node = sum;
    return *text == '\0';
}

cn_status cn_topology_parse_address(const cn_topology *topology, const char *text, uint64_t *node)
{
    CNI_REQUIRE_BOTH(topology, text);
    CNI_REQUIRE(node);
    uint64_t parsed;
    if (!read_address(topology, text, &parsed)) {
        char last[ADDRESS_CAPACITY];
        print_address(topology, topology->nodes - 1, last);
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: text = \"%.80s\" is not an address of %s; the last address is \"%s\"",
                        __func__, text, topology->name, last);
    }
    *node = parsed;
    return CN_OK;
}

/* ---- headers and translations ---- */

/* The loops take the digits off both nodes one after the other: one division for a digit, where
 * cni_digit() needs two. */

uint64_t cni_header(const cn_topology *topology, uint64_t node, uint64_t destination)
{
    if (topology->family == CNI_BOOLEAN_CUBE)
        return node ^ destination;
    uint64_t sum = 0, tops = topology->tops;
    if (tops != 0) /* all digits at once: with its top bit set, no digit borrows from the next */
        return ((node | tops) - (destination & ~tops)) ^ ((node ^ ~destination) & tops);
    for (uint32_t i = 0; i < topology->dimensions; i++) {
        uint64_t k = topology->radix[i];
        uint64_t a = cni_take_digit(&node, k), b = cni_take_digit(&destination, k);
        uint64_t down = a - b;
        sum += (down + (k & -(down >> 63))) *
               topology->stride[i]; /* no branch: it could not be guessed */
    }
    return sum;
}

uint64_t cni_translate(const cn_topology *topology, uint64_t node, uint64_t by)
{
    if (topology->family == CNI_BOOLEAN_CUBE)
        return node ^ by;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < topology->dimensions; i++) {
        uint64_t k = topology->radix[i];
        uint64_t digit = cni_take_digit(&node, k) + cni_take_digit(&by, k);
        sum += (digit < k ? digit : digit - k) * topology->stride[i];
    }
    return sum;
}

cn_status cn_topology_header(const cn_topology *topology, uint64_t node, uint64_t destination,
                             uint64_t *header)
{
    CNI_REQUIRE_BOTH(topology, header);
    CNI_TRY(check_dimensions(__func__, topology));
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    CNI_TRY(cni_check_node(__func__, "destination", topology, destination));
    *header = cni_header(topology, node, destination);
    return CN_OK;
}

cn_status cn_topology_translate(const cn_topology *topology, uint64_t node, uint64_t by,
                                uint64_t *translated)
{
    CNI_REQUIRE_BOTH(topology, translated);
    CNI_TRY(check_dimensions(__func__, topology));
    CNI_TRY(cni_check_node(__func__, "node", topology, node));
    CNI_TRY(cni_check_node(__func__, "by", topology, by));
    *translated = cni_translate(topology, node, by);
    return CN_OK;
}

static void take_header(const void *topology, uint64_t node, uint64_t destination, uint64_t *header)
{
    *header = cni_header(topology, node, destination);
}

static void take_translation(const void *topology, uint64_t node, uint64_t by, uint64_t *translated)
{
    *translated = cni_translate(topology, node, by);
}

cn_status cn_topology_headers(const cn_topology *topology, const uint64_t nodes[],
                              const uint64_t destinations[], size_t count,
                              const cn_control *control, uint64_t headers[])
{
    CNI_REQUIRE(topology);
    CNI_TRY(check_dimensions(__func__, topology));
    const cni_each each = {.function = __func__,
                           .topology = topology,
                           .object = topology,
                           .answer = take_header,
                           .name = {"nodes", "destinations", "headers"},
                           .nodes = nodes,
                           .others = destinations,
                           .units = 8 * topology->dimensions,
                           .width = 1};
    return cni_answer_each(&each, count, control, headers);
}

cn_status cn_topology_translations(const cn_topology *topology, const uint64_t nodes[],
                                   const uint64_t by[], size_t count, const cn_control *control,
                                   uint64_t translated[])
{
    CNI_REQUIRE(topology);
    CNI_TRY(check_dimensions(__func__, topology));
    const cni_each each = {.function = __func__,
                           .topology = topology,
                           .object = topology,
                           .answer = take_translation,
                           .name = {"nodes", "by", "translated"},
                           .nodes = nodes,
                           .others = by,
                           .units = 8 * topology->dimensions,
                           .width = 1};
    return cni_answer_each(&each, count, control, translated);
}

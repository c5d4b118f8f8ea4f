/*
 * What headers may take: the entries of a routing as words of the virtual channels that there are.
 *
 * They are looked up by the number of the entry where there is a table. In Duato's rule and dimension order on
 * cubes and rings the dimensions do not depend on each other: a choice is put together from what each part
 * of the node numbers gives, the escape from the lowest part in which they differ. On Boolean cubes only the bits in which
 * node and target differ count: these are numbers of a table of their own, where it is small.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "routing/decisions/channels.h"
#include "simulation/wormhole/wormhole.h"
#include "topology/topology.h"

/* A part has that many values, or is a single dimension of so many. */
enum { VALUES = 32, MOST_VALUES = 256 };

/* Nodes of the largest Boolean cube with a table of differences: a larger one leaves the first caches. */
enum { DIFFERENCES = 4096 };

static void add(const cni_wormhole *k, uint64_t ports, uint64_t set, uint64_t words[])
{
    set &= k->every;
    for (; ports != 0; ports &= ports - 1) {
        uint32_t at = cni_lowest_bit(ports) << k->shift;
        words[at >> 6] |= set << (at & 63);
    }
}

static void write_entry(const cni_wormhole *k, const cni_entry *entry, uint64_t choice[])
{
    memset(choice, 0, (size_t)2 * k->node_words * sizeof *choice);
    if (k->is_unclassed)
        add(k, entry->ports, k->every, choice);
    for (uint32_t i = 0; i < entry->lanes && !k->is_unclassed; i++)
        add(k, entry->lane[i].ports, entry->lane[i].set,
            entry->lane[i].is_escape ? choice + k->node_words : choice);
}

/* ---- by parts ---- */

static int is_by_parts(const cni_wormhole *k)
{
    const cn_routing *routing = k->network.routing;
    const cn_topology *t = routing->topology;
    int is_of_digits = cni_wormhole_is_by_class(routing->kind) && !cni_is_mesh(t);
    for (uint32_t i = 0; i < t->dimensions; i++)
        is_of_digits &= t->radix[i] <= MOST_VALUES;
    return k->network.table == NULL && is_of_digits;
}

/* Sets the parts; the number of choices of all. */
static size_t divide(cni_wormhole *k)
{
    const cn_topology *t = k->network.topology;
    size_t choices = 0;
    for (uint32_t i = 0; i < t->dimensions;) {
        uint32_t radix = (uint32_t)t->radix[i++];
        while (i < t->dimensions && radix * t->radix[i] <= VALUES)
            radix *= (uint32_t)t->radix[i++];
        uint32_t shift = cni_lowest_bit(radix);
        k->choices.part[k->choices.parts++] =
            (cni_worm_part){radix, radix >> shift == 1 ? shift : 0, choices * 2 * k->node_words};
        choices += (size_t)radix * radix;
    }
    return choices;
}

static cn_status open_parts(cni_wormhole *k)
{
    const cn_routing *routing = k->network.routing;
    size_t size = (size_t)2 * k->node_words;
    uint64_t weight = 1;
    cni_entry entry;
    k->choices.is_in_order = routing->kind == &cni_dimension_order;
    CNI_TRY(CNI_WORM_MAKE(k, k->choices.of_parts, divide(k) * size));
    for (const cni_worm_part *part = k->choices.part; part < k->choices.part + k->choices.parts;
         part++) {
        for (uint32_t i = 0; i < part->radix * part->radix; i++) {
            uint64_t node = i / part->radix * weight, target = i % part->radix * weight;
            write_entry(k, cni_routing_next(routing, node, 0, target, &entry),
                        &k->choices.of_parts[part->first + i * size]);
        }
        weight *= part->radix;
    }
    return CN_OK;
}

/* The lowest digit of what is left of a node, which goes on without it. */
CNI_INLINE uint32_t next_part(const cni_worm_part *part, uint32_t *rest)
{
    uint32_t digit;
    if (part->shift > 0) {
        digit = *rest & (part->radix - 1);
        *rest >>= part->shift;
    } else {
        digit = *rest % part->radix;
        *rest /= part->radix;
    }
    return digit;
}

CNI_INLINE void put_together(const cni_wormhole *k, uint32_t words, uint32_t node, uint32_t target,
                             uint64_t choice[])
{
    const uint64_t *first = NULL;
    for (uint32_t i = 0; i < words; i++)
        choice[i] = 0;
    for (const cni_worm_part *part = k->choices.part; node != target; part++) {
        uint32_t own = next_part(part, &node), wanted = next_part(part, &target);
        if (own == wanted)
            continue;
        const uint64_t *here =
            &k->choices.of_parts[part->first + (size_t)(own * part->radix + wanted) * 2 * words];
        first = first == NULL ? here : first;
        for (uint32_t i = 0; i < words; i++)
            choice[i] |= here[i];
        if (k->choices.is_in_order)
            break;
    }
    for (uint32_t i = words; i < 2 * words && first != NULL; i++)
        choice[i] = first[i];
}

/* ---- by differences ---- */

static cn_status open_differences(cni_wormhole *k)
{
    size_t size = (size_t)2 * k->node_words;
    cni_entry entry;
    k->choices.is_by_difference = 1;
    k->choices.set = cni_allocate(k->nodes * size, sizeof *k->choices.set);
    if (k->choices.set == NULL)
        return CN_ERR_MEMORY;
    for (uint32_t i = 1; i < k->nodes; i++)
        write_entry(k, cni_routing_next(k->network.routing, 0, 0, i, &entry),
                    &k->choices.set[i * size]);
    return CN_OK;
}

/* ---- of any kind ---- */

cn_status cni_worm_open_choices(cni_wormhole *k, cni_budget *budget)
{
    size_t size = (size_t)2 * k->node_words;
    const cn_routing *routing = k->network.routing;
    if (is_by_parts(k) && cni_is_hypercube(k->network.topology) && k->nodes <= DIFFERENCES)
        return open_differences(k);
    if (is_by_parts(k))
        return open_parts(k);
    /* other closed forms may take long for all pairs */
    if (!cni_routing_is_closed_form(routing) || cni_wormhole_is_by_class(routing->kind))
        CNI_TRY(cni_network_tabulate(&k->network, budget));
    const cni_table *table = k->network.table;
    if (table == NULL)
        return CN_OK;
    k->choices.set = cni_allocate(table->count * size, sizeof *k->choices.set);
    if (k->choices.set == NULL)
        return CN_ERR_MEMORY;
    for (size_t i = 0; i < table->count; i++)
        write_entry(k, &table->entries[i], &k->choices.set[i * size]);
    return CN_OK;
}

/* In a table. */
static uint32_t number_of(const cni_wormhole *k, uint32_t node, const cni_worm_message *message)
{
    if (k->choices.is_by_difference)
        return node ^ message->target;
    return cni_table_number(k->network.table, cni_routing_place(k->network.routing, node,
                                                                message->state, message->target));
}

/* Where there is no table. */
static void write_choice(const cni_wormhole *k, uint32_t node, const cni_worm_message *message,
                         uint64_t choice[])
{
    const cn_routing *routing = k->network.routing;
    cni_entry entry;
    if (k->choices.parts > 0 && k->node_words == 1)
        put_together(k, 1, node, message->target, choice);
    else if (k->choices.parts > 0)
        put_together(k, k->node_words, node, message->target, choice);
    else
        write_entry(k, cni_routing_next(routing, node, message->state, message->target, &entry),
                    choice);
}

void cni_worm_choose(cni_wormhole *k, uint32_t worm)
{
    const cni_worm_message *message = &k->worms.message[worm];
    cni_worm_header *header = cni_worm_header_of(k, worm);
    if (cni_worm_has_numbers(k)) {
        header->choice = number_of(k, header->node, message);
        return;
    }
    header->choice = worm;
    write_choice(k, header->node, message, &k->choices.set[(size_t)worm * 2 * k->node_words]);
}

const uint64_t *cni_worm_find_choice(const cni_wormhole *k, uint32_t node,
                                     const cni_worm_message *message, uint64_t room[])
{
    if (cni_worm_has_numbers(k))
        return &k->choices.set[(size_t)number_of(k, node, message) * 2 * k->node_words];
    write_choice(k, node, message, room);
    return room;
}

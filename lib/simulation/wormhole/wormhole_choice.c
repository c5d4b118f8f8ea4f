/*
 * What headers may take: the entries of a routing as sets of the virtual channels that there are.
 *
 * Where there is a table, entries have numbers. On Boolean cubes Duato's rule and dimension order
 * depend only on the bits in which node and target differ; these bits are the numbers of a table of
 * its own, if it is not too large. Without a table the kernel asks the routing for each header.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "simulation/wormhole/wormhole_hops.h"
#include "topology/topology.h"

/* Nodes of the largest Boolean cube with a table of differences. On larger cubes the kernel asks
 * the routing for each header. */
enum { DIFFERENCES = 1 << 16 };

/* Adds the virtual channels `set` of each of these ports. */
static void add_ports(const cni_wormhole *k, uint64_t ports, uint64_t set, uint64_t words[])
{
    set &= k->every;
    for (; ports != 0; ports &= ports - 1) {
        uint32_t at = cni_lowest_bit(ports) << k->shift;
        words[at >> 6] |= set << (at & 63);
    }
}

/* Writes an entry as the set of cni_wormhole.choices. */
static void write_entry(const cni_wormhole *k, const cni_entry *entry, uint64_t choice[])
{
    memset(choice, 0, (size_t)2 * k->node_words * sizeof *choice);
    if (k->is_unclassed)
        add_ports(k, entry->ports, k->every, choice);
    for (uint32_t i = 0; i < entry->lanes && !k->is_unclassed; i++)
        add_ports(k, entry->lane[i].ports, entry->lane[i].set,
                  entry->lane[i].is_escape ? choice + k->node_words : choice);
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

/* ---- by any numbers, or without ---- */

cn_status cni_worm_open_choices(cni_wormhole *k, cni_budget *budget)
{
    size_t size = (size_t)2 * k->node_words;
    const cn_routing *routing = k->network.routing;
    if (k->network.table == NULL && cni_wormhole_is_by_class(routing->kind) &&
        cni_is_hypercube(k->network.topology) && k->nodes <= DIFFERENCES)
        return open_differences(k);
    /* no table for other closed forms, as all pairs may take long */
    if (!cni_routing_is_closed_form(routing) || cni_wormhole_is_by_class(routing->kind) ||
        routing->topology->base != NULL)
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

/* Asks the routing, where choices have no numbers. */
static void write_choice(const cni_wormhole *k, uint32_t node, const cni_worm_message *message,
                         uint64_t choice[])
{
    const cn_routing *routing = k->network.routing;
    cni_entry entry;
    write_entry(k, cni_routing_next(routing, node, message->state, message->target, &entry),
                choice);
}

void cni_worm_write_choice(cni_wormhole *k, uint32_t worm)
{
    cni_worm_header *header = cni_worm_header_of(k, worm);
    header->choice = worm;
    write_choice(k, header->node, &k->worms.message[worm],
                 &k->choices.set[(size_t)worm * 2 * k->node_words]);
}

const uint64_t *cni_worm_find_choice(const cni_wormhole *k, uint32_t node,
                                     const cni_worm_message *message, uint64_t room[])
{
    if (cni_worm_has_numbers(k))
        return &k->choices
                    .set[(size_t)cni_worm_choice_number(k, node, message) * 2 * k->node_words];
    write_choice(k, node, message, room);
    return room;
}

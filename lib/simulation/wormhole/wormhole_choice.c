/* What headers may take: the entries of a routing, cut to the virtual channels that there are. */
#include "base/error.h"
#include "base/memory.h"
#include "simulation/wormhole/wormhole.h"

static void add(cni_worm_choice *choice, uint64_t ports, uint64_t set)
{
    if (ports == 0 || set == 0)
        return;
    choice->lane[choice->all].ports = ports;
    choice->lane[choice->all++].set = set;
}

static void cut(const cni_wormhole *k, const cni_entry *entry, cni_worm_choice *choice)
{
    choice->all = 0;
    if (k->is_unclassed)
        add(choice, entry->ports, k->every);
    for (int is_escape = 0; is_escape < 2; is_escape++) {
        for (uint32_t i = 0; i < entry->lanes && !k->is_unclassed; i++)
            if (entry->lane[i].is_escape == is_escape)
                add(choice, entry->lane[i].ports, entry->lane[i].set & k->every);
        if (!is_escape)
            choice->free = choice->all;
    }
}

cn_status cni_worm_open_choices(cni_wormhole *k)
{
    if (k->network.routing->ports.count > 0)
        CNI_TRY(cni_network_tabulate(&k->network));
    const cni_table *table = k->network.table;
    if (table == NULL)
        return CN_OK;
    k->choice = cni_allocate(table->count, sizeof *k->choice);
    if (k->choice == NULL)
        return CN_ERR_MEMORY;
    for (size_t i = 0; i < table->count; i++)
        cut(k, &table->entries[i], &k->choice[i]);
    return CN_OK;
}

const cni_worm_choice *cni_worm_find(const cni_wormhole *k, uint32_t node,
                                     const cni_worm_message *message, cni_worm_choice *room)
{
    const cn_routing *r = k->network.routing;
    if (k->network.table != NULL)
        return &k->choice[cni_table_number(
            k->network.table, cni_routing_place(r, node, message->state, message->target))];
    cni_entry entry;
    cut(k, cni_routing_next(r, node, message->state, message->target, &entry), room);
    return room;
}

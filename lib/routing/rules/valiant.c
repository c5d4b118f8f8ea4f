/*
 * The routing `valiant`: to a random intermediate node, then to the destination (Valiant & Brebner
 * 1981). Each leg goes by a routing without deadlock, in virtual channels of its own: dimension
 * order where the network has it and has no faults, otherwise up-down.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/random.h"
#include "routing/rules/routing.h"
#include "topology/topology.h"

/* The leg of a message with this class: 0 or 1. */
static uint32_t leg_of(const cn_routing *routing, uint32_t class)
{
    return class / routing->leg->classes;
}

/*
 * The virtual channels of a leg. The routing of the legs, `base`, takes virtual channels in groups:
 * of 1 (any channel) or of 2 (classes 0 and 1); its sets repeat after a group. The legs get the
 * groups in turn.
 */
static uint64_t set_of(const cn_routing *base, uint64_t set, uint32_t leg)
{
    if (base->least == 1)
        return (set & 1) * (UINT64_C(0x5555555555555555) << leg);
    return (set & 3) * (UINT64_C(0x1111111111111111) << 2 * leg);
}

static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    const cn_routing *base = routing->leg;
    uint32_t leg = leg_of(routing, class);
    *entry = *cni_routing_next(base, node, class % base->classes, target, entry);
    for (uint32_t i = 0; i < entry->lanes; i++)
        entry->lane[i].set = set_of(base, entry->lane[i].set, leg);
}

static uint32_t after(const cn_routing *routing, uint32_t class, uint64_t target, uint64_t node,
                      uint32_t port, uint32_t virtual_channel)
{
    const cn_routing *base = routing->leg;
    uint32_t leg = leg_of(routing, class);
    if (virtual_channel != CNI_STORED)
        leg = virtual_channel / base->least % 2;
    return cni_leg_class(routing, leg) +
           cni_routing_after(base, class % base->classes, target, node, port, virtual_channel);
}

static uint64_t begin(const cn_routing *routing, uint64_t word)
{
    const uint64_t *middles = routing->state; /* ascending; NULL: all nodes */
    uint64_t index = cni_random_scale(word, routing->middles);
    return middles == NULL ? index : middles[index];
}

static cn_status list_middles(const char *function, cn_routing *routing)
{
    size_t count = 0;
    if (routing->middles == routing->topology->nodes)
        return CN_OK;
    if (routing->middles == 0)
        return cni_fail(CN_ERR_DISCONNECTED, "%s: no router of %s survives", function,
                        routing->topology->name);
    uint64_t *middles = cni_allocate((size_t)routing->middles, sizeof *middles);
    CNI_TRY_MEMORY(middles);
    routing->state = middles;
    for (uint64_t v = 0; v < routing->topology->nodes; v++)
        if (cni_routing_is_middle(routing, v))
            middles[count++] = v;
    return CN_OK;
}

static const cni_routing_kind *kind_of_legs(const cn_topology *t, const cn_faults *faults)
{
    t = cni_innermost(t);
    return cni_has_dimension_order(t) && cni_faults_equal(faults, NULL) ? &cni_dimension_order
                                                                        : &cni_up_down;
}

/* Both legs go by the given routing, which the new routing owns. On a composed network the new
 * routing gets a base routing likewise. */
static cn_status take_leg(const char *function, cn_routing *routing, cn_routing *leg)
{
    cn_routing *base;
    routing->leg = leg;
    routing->classes = 2 * leg->classes;
    if (leg->base == NULL)
        return list_middles(function, routing);
    CNI_TRY(cni_routing_make(function, &cni_valiant, leg->base->topology, leg->base->faults,
                             routing->budget, &base));
    cn_status status = take_leg(function, base, cni_routing_retain(leg->base));
    CNI_TRY(cni_routing_finish(base, status, &routing->base));
    return list_middles(function, routing);
}

static cn_status open(const char *function, cn_routing *routing)
{
    const cn_topology *t = routing->topology;
    const cni_routing_kind *base = kind_of_legs(t, routing->faults);
    char place[160]; /* stands in place of the name of the function in the text of a refusal */
    cn_routing *leg;
    snprintf(place, sizeof place,
             "%s: valiant goes by dimension-order on undamaged cubes, generalized hypercubes, tori "
             "and meshes, by up-down "
             "elsewhere",
             function);
    CNI_TRY(cni_routing_build(place, base, t, routing->faults, routing->budget, &leg));
    return take_leg(function, routing, leg);
}

const cni_routing_kind cni_valiant = {
    .name = "valiant",
    .summary = "over a random node; each leg uses dimension order or up-down",
    .classes = 2,
    .legs = 2,
    .has_escapes = 1,
    .kind_of_legs = kind_of_legs,
    .open = open,
    .entry = entry,
    .after = after,
    .begin = begin,
};

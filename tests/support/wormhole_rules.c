#include "support/wormhole_rules.h"

#define ALL(virtual_channels) (UINT64_MAX >> (64 - (virtual_channels)))

static cn_status routing_of(const cn_topology *topology, wormhole_rule rule, cn_routing **routing)
{
    return cn_routing_new(topology, rule % 2 == WORMHOLE_DUATO ? "duato" : "dimension-order", NULL,
                          NULL, routing);
}

static cn_status least_of(const cn_routing *routing, wormhole_rule rule, uint32_t *virtual_channels)
{
    *virtual_channels = 1;
    return rule >= WORMHOLE_ORDER_UNSAFE
               ? CN_OK
               : cn_routing_least_virtual_channels(routing, virtual_channels);
}

cn_status wormhole_least(const cn_topology *topology, wormhole_rule rule,
                         uint32_t *virtual_channels)
{
    cn_routing *routing;
    cn_status status = routing_of(topology, rule, &routing);
    if (status == CN_OK)
        status = least_of(routing, rule, virtual_channels);
    cn_routing_free(&routing);
    return status;
}

cn_status wormhole_escape(const cn_topology *topology, wormhole_rule rule,
                          uint32_t virtual_channels, uint64_t *escape)
{
    uint32_t least;
    cn_status status = wormhole_least(topology, rule, &least);
    if (status == CN_OK)
        *escape = rule == WORMHOLE_ORDER   ? ALL(virtual_channels)
                  : rule == WORMHOLE_DUATO ? ALL(least - 1)
                                           : 0;
    return status;
}

static cn_status ask(const cn_routing *routing, wormhole_rule rule, uint32_t virtual_channels,
                     uint64_t node, uint64_t destination, uint64_t channels[], size_t capacity,
                     size_t *count)
{
    uint32_t asked = virtual_channels, needed;
    size_t ports = 0;
    cn_status status = cn_routing_least_virtual_channels(routing, &needed);
    if (status == CN_OK && rule >= WORMHOLE_ORDER_UNSAFE && asked < needed)
        asked = needed;
    if (status == CN_OK)
        status = cn_routing_virtual_channels(routing, asked, node, destination, node, CN_NO_PORT, 0,
                                             channels, capacity, &ports);
    if (count != NULL)
        *count = ports;
    for (size_t p = 0; status == CN_OK && rule >= WORMHOLE_ORDER_UNSAFE && p < ports; p++)
        channels[p] = channels[p] == 0 ? 0 : ALL(virtual_channels);
    return status;
}

cn_status wormhole_route(const cn_topology *topology, wormhole_rule rule, uint32_t virtual_channels,
                         uint64_t node, uint64_t destination, uint64_t channels[], size_t capacity,
                         size_t *count)
{
    cn_routing *routing;
    cn_status status = routing_of(topology, rule, &routing);
    if (status == CN_OK)
        status = ask(routing, rule, virtual_channels, node, destination, channels, capacity, count);
    cn_routing_free(&routing);
    return status;
}

typedef struct asked {
    const cn_routing *routing;
    wormhole_rule rule;
    uint32_t virtual_channels, degree;
} asked;

static cn_status answer(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                        uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const asked *it = user;
    (void)previous;
    (void)port;
    (void)virtual_channel;
    return ask(it->routing, it->rule, it->virtual_channels, node, destination, channels, it->degree,
               NULL);
}

cn_status wormhole_check(const cn_topology *topology, wormhole_rule rule, uint32_t virtual_channels,
                         const cn_control *control, cn_deadlock **check)
{
    asked it = {.rule = rule, .virtual_channels = virtual_channels};
    cn_routing *routing;
    uint64_t escape;
    cn_status status = routing_of(topology, rule, &routing);
    *check = NULL;
    if (status == CN_OK)
        status = wormhole_escape(topology, rule, virtual_channels, &escape);
    if (status == CN_OK) {
        it.routing = routing;
        it.degree = cn_topology_max_degree(topology);
        status = cn_deadlock_check(topology, virtual_channels, answer, NULL, escape, &it, control,
                                   check);
    }
    cn_routing_free(&routing);
    return status;
}

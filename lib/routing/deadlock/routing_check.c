/* The verdict on a routing, found once for each number of virtual channels. */
#include "base/error.h"
#include "routing/deadlock/dependency.h"
#include "routing/rules/routing.h"

typedef struct checking {
    const cn_routing *routing;
    uint32_t virtual_channels;
} checking;

/* The channels that a message may take after the first of two legs: the first channels to every
 * destination. */
static void begin_leg(const checking *c, uint64_t node, uint32_t leg, int escapes_only,
                      uint64_t channels[])
{
    cni_entry room;
    for (uint64_t t = 0; t < c->routing->topology->nodes; t++)
        if (t != node && cni_routing_is_host(c->routing, t))
            cni_lanes_to_sets(
                cni_routing_next(c->routing, node, cni_leg_class(c->routing, leg), t, &room),
                c->virtual_channels, escapes_only, channels);
}

/* The answer of the routing to one question of the dependencies. The target is a node, plus N for
 * the second of two legs. */
static void give_answer(const checking *c, uint64_t node, uint64_t target, uint64_t previous,
                        uint32_t port, uint32_t virtual_channel, int escapes_only,
                        uint64_t channels[])
{
    const cn_routing *r = c->routing;
    uint64_t nodes = r->topology->nodes, end = target % nodes;
    uint32_t leg = (uint32_t)(target / nodes), class = cni_leg_class(r, leg);
    cni_entry room;
    if (node == end) {
        begin_leg(c, node, leg + 1, escapes_only, channels);
        return;
    }
    if (port != CN_NO_PORT)
        class = cni_routing_after(r, class, end, previous, port, virtual_channel);
    cni_lanes_to_sets(cni_routing_next(r, node, class, end, &room), c->virtual_channels,
                      escapes_only, channels);
}

static cn_status rule(void *user, uint64_t node, uint64_t target, uint64_t previous, uint32_t port,
                      uint32_t virtual_channel, uint64_t channels[])
{
    give_answer(user, node, target, previous, port, virtual_channel, CNI_ALL_LANES, channels);
    return CN_OK;
}

static cn_status escape(void *user, uint64_t node, uint64_t target, uint64_t previous,
                        uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    give_answer(user, node, target, previous, port, virtual_channel, CNI_ESCAPES_ONLY, channels);
    return CN_OK;
}

static int is_end(const void *user, uint64_t node, int is_middle)
{
    const checking *c = user;
    return is_middle ? cni_routing_is_middle(c->routing, node)
                     : cni_routing_is_host(c->routing, node);
}

static cn_status find(const cn_routing *routing, uint32_t virtual_channels, cni_budget *budget,
                      cn_deadlock **check)
{
    checking c = {routing, virtual_channels};
    cni_dependencies d = {
        .rules = {"cn_routing_deadlock_check", routing->topology, virtual_channels, rule,
                  routing->has_escapes ? escape : NULL, 0, &c, routing->topology->max_degree},
        .legs = routing->kind->legs,
        .is_end = is_end,
        .budget = budget,
    };
    return cni_deadlock_make(&d, check);
}

cn_status cni_routing_check(const cn_routing *routing, uint32_t virtual_channels,
                            cni_budget *budget, cn_deadlock **check)
{
    if (routing->base != NULL)
        return cni_routing_check(routing->base, virtual_channels, budget, check);
    /* the kept check is no part of the value of the routing */
    cn_routing *r = cni_mutable(routing);
    cn_deadlock *kept = atomic_load_explicit(&r->checks[virtual_channels], memory_order_acquire);
    if (kept == NULL) {
        cn_deadlock *made;
        CNI_TRY(find(routing, virtual_channels, budget, &made));
        if (atomic_compare_exchange_strong(&r->checks[virtual_channels], &kept, made))
            kept = made;
        else
            cn_deadlock_free(&made); /* another thread was faster */
    }
    *check = cni_deadlock_retain(kept);
    return CN_OK;
}

cn_status cn_routing_deadlock_check(const cn_routing *routing, uint32_t virtual_channels,
                                    const cn_control *control, cn_deadlock **check)
{
    CNI_REQUIRE_OUT(check);
    CNI_REQUIRE(routing);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_check_virtual_channels(__func__, routing, virtual_channels));
    return cni_routing_check(routing, virtual_channels, &budget, check);
}

/* The scenarios that the wormhole kernel runs, and the error texts for all others. */
#include <math.h>

#include "base/error.h"
#include "routing/deadlock/dependency.h"
#include "scenario/traffic/traffic.h"
#include "simulation/wormhole/wormhole.h"
#include "simulation/wormhole/wormhole_kernel.h"
#include "topology/distances/breadth_first.h"

/* Virtual channels have numbers of 31 bits: keys from CNI_WORM_SOURCE = 2^31 on are source
 * queues. */
#define MOST_VIRTUAL_CHANNELS (UINT64_C(1) << 31)

uint32_t cni_wormhole_shift(uint32_t virtual_channels)
{
    uint32_t shift = 0;
    while (UINT32_C(1) << shift < virtual_channels)
        shift++;
    return shift;
}

/* ---- the parameters ---- */

/* `unsafe` takes the classes from dimension order and the escapes from Duato's rule. */
int cni_wormhole_is_by_class(const cni_routing_kind *kind)
{
    if (kind->origin != NULL)
        kind = kind->origin;
    return kind == &cni_dimension_order || kind == &cni_duato;
}

uint32_t cni_wormhole_least_channels(const cn_scenario *scenario, int is_unsafe)
{
    const cn_routing *attached = cni_routing_of(scenario);
    const cni_routing_kind *kind = NULL;
    if (attached != NULL)
        kind = attached->kind;
    else if (cni_routing_find("", cn_scenario_routing_name(scenario), &kind) != CN_OK)
        return 1; /* the error comes where the routing is made */
    if (is_unsafe && cni_wormhole_is_by_class(kind))
        return 1;
    return attached != NULL
               ? attached->least
               : cni_routing_least_of(kind, scenario->topology, cni_faults_of(scenario));
}

cn_status cni_wormhole_check_simulation(const cn_scenario *scenario)
{
    const cn_topology *t = scenario->topology;
    double startup = scenario->value[CN_PARAM_STARTUP_LATENCY];
    uint32_t virtual_channels = (uint32_t)scenario->value[CN_PARAM_VIRTUAL_CHANNELS];
    if (startup != floor(startup))
        return cni_fail(CN_ERR_ARGUMENT,
                        "startup_latency = %g, but the simulator needs whole cycles", startup);
    if (t->nodes * t->max_degree <= MOST_VIRTUAL_CHANNELS >> cni_wormhole_shift(virtual_channels))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "the simulator covers up to 2^31 virtual channels, not %s with %lu virtual "
                    "channels a channel",
                    t->name, (unsigned long)virtual_channels);
}

/* ---- the routing ---- */

/* The most hops that fit into a word of a worm. */
enum { FEW_HOPS = 63 };

/* Whether each node of a cube or torus has one farthest node. A digit that is set in one hop has
 * several farthest values if its radix is 3 or more. */
static int has_one_farthest(const cn_topology *t)
{
    if (cni_sets_digits(t))
        return 0;
    for (uint32_t d = 0; d < t->dimensions; d++)
        if (t->radix[d] % 2 != 0)
            return 0;
    return 1;
}

/* Hops of the longest walk, or a few more. No walk is looked at where there are few hops at
 * most, or where each hop comes closer to the end of a leg. */
static cn_status find_longest(const cn_routing *routing, cni_budget *budget, uint64_t *hops)
{
    *hops = routing->hops;
    if (routing->hops > 0 && routing->hops <= FEW_HOPS)
        return CN_OK;
    int has_short_legs = routing->kind == &cni_valiant &&
                         routing->leg->kind == &cni_dimension_order &&
                         cni_adds_digits(routing->topology) && routing->topology->bidirectional;
    if (!has_short_legs && !(routing->kind->is_minimal && cni_routing_is_closed_form(routing)))
        return cni_routing_longest_walk_within(routing, budget, hops);
    CNI_TRY(cni_diameter(routing->topology, budget, hops));
    *hops *= routing->kind->legs;
    if (has_short_legs && has_one_farthest(routing->topology))
        *hops -= 1; /* the two ends differ, so one of them is nearer to the middle */
    return CN_OK;
}

static cn_status check_walks(const cn_routing *routing, cni_budget *budget, uint32_t *longest)
{
    uint64_t hops = 0;
    CNI_TRY(find_longest(routing, budget, &hops));
    *longest = (uint32_t)hops;
    if (hops <= CNI_WORM_HOPS)
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSUPPORTED,
        "cn_sim_open: the routing %s has walks of %llu hops on %s, but the simulator covers "
        "up to %d",
        routing->kind->name, (unsigned long long)hops, routing->topology->name, CNI_WORM_HOPS);
}

static cn_status fail_cyclic(const cn_routing *routing, uint32_t virtual_channels,
                             const cn_deadlock *check)
{
    char text[512];
    cn_verdict verdict = CN_VERDICT_CYCLIC;
    cn_deadlock_verdict(check, &verdict);
    cni_deadlock_show(check, routing->topology, text, sizeof text);
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_sim_open: the routing %s may deadlock on %s with virtual_channels = %lu "
                    "(%s%s); unsafe = yes simulates it",
                    routing->kind->name, routing->topology->name, (unsigned long)virtual_channels,
                    cn_verdict_text(verdict), text);
}

/* Whether worms with this routing are proved to arrive. */
static cn_status check_deadlock(const cn_routing *routing, uint32_t virtual_channels,
                                cni_budget *budget)
{
    cn_deadlock *check;
    if (routing->kind->has_escapes)
        return CN_OK;
    cn_status status = cni_routing_check(routing, virtual_channels, budget, &check);
    if (status == CN_ERR_UNSUPPORTED)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_sim_open: %s with virtual_channels = %lu is too large to find out "
                        "whether the routing %s may deadlock; unsafe = yes simulates it",
                        routing->topology->name, (unsigned long)virtual_channels,
                        routing->kind->name);
    CNI_TRY(status);
    if (!cn_deadlock_is_free(check))
        status = fail_cyclic(routing, virtual_channels, check);
    cn_deadlock_free(&check);
    return status;
}

cn_status cni_wormhole_check_network(const cn_scenario *scenario, const cni_network *network,
                                     uint32_t *longest)
{
    CNI_TRY(check_walks(network->routing, scenario->budget, longest));
    if (scenario->value[CN_PARAM_UNSAFE] == 0.0)
        CNI_TRY(check_deadlock(network->routing,
                               (uint32_t)scenario->value[CN_PARAM_VIRTUAL_CHANNELS],
                               scenario->budget));
    return cni_network_check_traffic("cn_sim_open", network, cni_traffic_of(scenario),
                                     scenario->budget);
}

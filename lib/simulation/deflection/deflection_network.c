/* Deflection on any network: the requirements on routing and network, and the arrays. */
#include "simulation/deflection/deflection.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"
#include "simulation/kernel/network.h"
#include "topology/topology.h"

/* Up to this size, closed forms of a routing and all distances are kept in tables: 2^20
 * distances take 2 MB. Each hop of a larger network computes them. */
enum { TABLE_NODES = 1024 };

/* The hops of a routing are checked for all pairs of nodes up to this size; 2^28 pairs take
 * seconds. Larger networks need a routing that is known to be shortest. */
enum { PAIRS_NODES = 1 << 14 };

static const char opening[] = "cn_sim_open";

/* ---- the routing ---- */

static cn_status check_kind(const cn_routing *r)
{
    if (r->kind->legs > 1)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: deflection takes a routing of one leg, but %s has %lu; minimal works",
                        opening, r->kind->name, (unsigned long)r->kind->legs);
    if (r->classes > 1)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "%s: deflection takes a routing of one class, as a deflected message may be "
            "anywhere, but %s has %lu; minimal works",
            opening, r->kind->name, (unsigned long)r->classes);
    return CN_OK;
}

/* Whether a routing takes shortest ways alone, on every network for which it is made. */
static int is_shortest(const cn_routing *r)
{
    return r->kind == &cni_minimal || r->kind == &cni_preferred ||
           r->kind == &cni_dimension_order || r->kind == &cni_duato ||
           r->kind == &cni_negative_first;
}

/* The faults of a routing, and the nodes that it does not serve for another reason. */
static cn_status copy_unserved(const cn_routing *routing, cn_faults **faults)
{
    cn_status status = cni_faults_copy_or_none(routing->topology, routing->faults, faults);
    for (uint64_t v = 0; status == CN_OK && v < routing->topology->nodes; v++)
        if (!cni_routing_serves(routing, v))
            status = cn_faults_add_node(*faults, v);
    return status;
}

static cn_status open_closer(cni_deflection_network *any, cni_budget *budget)
{
    cn_routing *original = any->network.routing;
    cn_faults *unserved = NULL;
    if (original->kind == &cni_minimal) {
        any->closer = cni_routing_retain(original);
        return CN_OK;
    }
    cn_status status = original->served == NULL ? CN_OK : copy_unserved(original, &unserved);
    if (status == CN_OK)
        status = cni_routing_build(opening, &cni_minimal, original->topology, unserved, budget,
                                   &any->closer);
    cn_faults_free(&unserved);
    return status;
}

/* Makes tables, on small networks, of the answers that every hop needs. */
static cn_status make_tables(cni_deflection_network *any, cni_budget *budget)
{
    if (any->network.nodes > TABLE_NODES)
        return CN_OK;
    CNI_TRY(cni_network_list_ports(&any->network, budget));
    return cni_network_hops(&any->network.inlets, NULL, any->network.nodes, budget, &any->hops);
}

/* Checks that every port that the routing allows brings a message closer. */
static cn_status check_pair(const cni_deflection_network *any, uint64_t node, uint64_t target)
{
    uint64_t ports = cni_network_ports(&any->network, node, 0, target) &
                     ~cni_routing_ports(any->closer, node, 0, target);
    if (ports == 0)
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSUPPORTED,
        "%s: deflection takes a routing whose hops all come closer to the destination, but by %s a "
        "message at node %llu for node %llu may take port %lu, which does not; minimal works",
        opening, any->network.routing->kind->name, (unsigned long long)node,
        (unsigned long long)target, (unsigned long)cni_lowest_bit(ports));
}

static cn_status check_hops(const cni_deflection_network *any, cni_budget *budget)
{
    const cni_network *net = &any->network;
    if (is_shortest(net->routing))
        return CN_OK;
    if (net->nodes > PAIRS_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: whether the hops of %s come closer is not looked up in networks of "
                        "more than %d nodes, but %s has %llu; minimal works",
                        opening, net->routing->kind->name, PAIRS_NODES, net->topology->name,
                        (unsigned long long)net->nodes);
    for (uint64_t target = 0; target < net->nodes; target++) {
        CNI_TRY(cni_budget_go_on(budget, 8 * net->nodes));
        for (uint64_t v = 0; v < net->nodes; v++)
            if (v != target && cni_network_serves(net, v) && cni_network_serves(net, target))
                CNI_TRY(check_pair(any, v, target));
    }
    return CN_OK;
}

/* ---- the channels ---- */

/* Finds the place of each channel's word, and the number of inlets of each node. */
static void place_channels(cni_deflection *k, uint32_t inlets[])
{
    const cni_network *net = &k->any.network;
    for (uint64_t v = 0; v < net->nodes; v++)
        for (size_t i = net->inlets.first[v]; i < net->inlets.first[v + 1]; i++) {
            uint64_t from = net->inlets.tail[i];
            uint32_t port = net->inlets.port[i];
            if (!cni_network_serves(net, from) || !cni_network_serves(net, v))
                continue;
            k->any.working[from] |= cni_bit(port);
            k->any.place[from * net->ports + port] =
                (uint32_t)(inlets[v]++ * k->shape.stride + v - k->base.part.first);
        }
}

/* Links a channel that comes to node v in this row, if it crosses the edge of the part. */
static cn_status link_channel(cni_deflection *k, uint64_t row, uint64_t v, uint64_t from,
                              uint32_t port)
{
    cni_part *part = &k->base.part;
    if (cni_part_has(part, from) == cni_part_has(part, v))
        return CN_OK;
    if (cni_part_has(part, v))
        return cni_part_expect(part, from);
    uint64_t place = k->shape.rows * k->shape.stride + k->any.leaving++;
    k->any.place[from * k->shape.ports + port] = (uint32_t)place;
    return cni_part_add(part, place, row, v);
}

/* Links the channels to and from other parts. The words of channels to other parts lie behind
 * the rows, in the order in which the other parts receive them. */
static cn_status link_parts(cni_deflection *k)
{
    const cni_network *net = &k->any.network;
    for (uint32_t row = 0; row < k->shape.rows; row++)
        for (uint64_t v = 0; v < net->nodes; v++) {
            uint32_t at = 0;
            for (size_t i = net->inlets.first[v]; i < net->inlets.first[v + 1]; i++) {
                uint64_t from = net->inlets.tail[i];
                if (cni_network_serves(net, from) && cni_network_serves(net, v) && at++ == row)
                    CNI_TRY(link_channel(k, row, v, from, net->inlets.port[i]));
            }
        }
    return CN_OK;
}

/* Checks a node. With as many outlets as inlets a message never lacks a channel, and a buffer
 * for each inlet takes the arrivals. */
static cn_status check_node(cni_deflection *k, uint64_t node, uint32_t inlets)
{
    uint32_t outlets = cni_popcount(k->any.working[node]);
    if (inlets > outlets)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: deflection needs as many channels out of a node as come in, but %lu "
                        "come into node %llu of %s and %lu go out; store and forward "
                        "(separate-buffers) works",
                        opening, (unsigned long)inlets, (unsigned long long)node, k->topology->name,
                        (unsigned long)outlets);
    if (inlets > k->shape.buffers)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: buffers = %lu, but %lu channels come into node %llu of %s, and each "
                        "needs one",
                        opening, (unsigned long)k->shape.buffers, (unsigned long)inlets,
                        (unsigned long long)node, k->topology->name);
    k->any.most_kept[node] = k->shape.buffers - inlets;
    k->shape.rows = inlets > k->shape.rows ? inlets : k->shape.rows;
    return CN_OK;
}

static cn_status open_channels(cni_deflection *k)
{
    cni_network *net = &k->any.network;
    k->any.place = cni_allocate(net->nodes * net->ports, sizeof *k->any.place);
    k->any.working = cni_allocate(net->nodes, sizeof *k->any.working);
    k->any.most_kept = cni_allocate(net->nodes, sizeof *k->any.most_kept);
    uint32_t *inlets = cni_allocate(net->nodes, sizeof *inlets);
    cn_status status = CN_ERR_MEMORY;
    if (k->any.place != NULL && k->any.working != NULL && k->any.most_kept != NULL &&
        inlets != NULL) {
        status = CN_OK;
        place_channels(k, inlets);
        for (uint64_t v = 0; v < net->nodes && status == CN_OK; v++)
            status = check_node(k, v, inlets[v]);
        if (status == CN_OK && k->base.part.parts > 1)
            status = link_parts(k);
    }
    cni_release(inlets);
    return status;
}

cn_status cni_deflection_open_network(const cn_scenario *scenario, cni_deflection *k)
{
    cni_deflection_network *any = &k->any;
    const cni_part *part = &k->base.part;
    if (k->form != CNI_FORM_ROUTED) {
        CNI_TRY(cni_network_open_whole(opening, scenario->topology, &any->network));
        cni_network_count(&any->network, part->first, part->end, &any->endpoints, &any->channels);
        return CN_OK;
    }
    CNI_TRY(cni_network_open(opening, scenario, &any->network));
    cni_network_count(&any->network, part->first, part->end, &any->endpoints, &any->channels);
    CNI_TRY(cni_network_check_traffic(opening, &any->network, cni_traffic_of(scenario),
                                      scenario->budget));
    CNI_TRY(check_kind(any->network.routing));
    CNI_TRY(open_channels(k));
    CNI_TRY(open_closer(any, scenario->budget));
    CNI_TRY(make_tables(any, scenario->budget));
    return check_hops(any, scenario->budget);
}

void cni_deflection_close_network(cni_deflection_network *any)
{
    cni_network_close(&any->network);
    cn_routing_free(&any->closer);
    cni_release(any->hops);
    cni_release(any->place);
    cni_release(any->working);
    cni_release(any->most_kept);
}

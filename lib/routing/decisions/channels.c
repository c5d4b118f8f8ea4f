/* Valid and preferred channels of a header (Horng 1992, 1.2.2 and 4.2). */
#include "routing/decisions/channels.h"

#include "base/error.h"
#include "topology/topology.h"

cn_status cni_check_routable(const char *function, const cn_topology *topology)
{
    if (!cni_is_kary_ncube(topology))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s is neither a hypercube nor a k-ary n-cube",
                        function, topology->name);
    if (topology->max_degree > 64)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: %s has %lu ports a node, but a set of channels holds at most 64",
                        function, topology->name, (unsigned long)topology->max_degree);
    return CN_OK;
}

/* The valid channels in a dimension i, where the destination is e hops down. Port i leads down,
 * port n + i up, if the network has it. */
static uint64_t valid_in(const cn_topology *topology, uint32_t dimension, uint64_t e)
{
    if (e == 0)
        return 0;
    uint64_t down = UINT64_C(1) << dimension;
    if (topology->max_degree == topology->dimensions)
        return down;
    uint64_t up = down << topology->dimensions, hops_up = topology->radix[dimension] - e;
    return e < hops_up ? down : e > hops_up ? up : down | up;
}

uint64_t cni_valid_channels(const cn_topology *topology, uint64_t header)
{
    if (cni_is_hypercube(topology))
        return header;
    uint64_t channels = 0;
    for (uint32_t i = 0; i < topology->dimensions; i++)
        channels |= valid_in(topology, i, cni_digit(topology, header, i));
    return channels;
}

uint64_t cni_digit_channels(const cn_topology *topology, uint64_t node, uint64_t target)
{
    uint64_t channels = 0;
    uint32_t first = 0;
    if (cni_is_kary_ncube(topology))
        return cni_valid_channels(topology, cni_header(topology, node, target));
    for (uint32_t i = 0; i < topology->dimensions; i++) {
        uint64_t k = topology->radix[i];
        uint64_t from = cni_take_digit(&node, k), to = cni_take_digit(&target, k);
        if (from != to) /* port x of a dimension adds x + 1 to its digit, modulo k */
            channels |= UINT64_C(1) << (first + (uint32_t)((to > from ? to : to + k) - from - 1));
        first += (uint32_t)(k - 1);
    }
    return channels;
}

uint64_t cni_preferred_channels(const cn_topology *topology, uint64_t header)
{
    if (cni_is_hypercube(topology))
        return header;
    uint64_t channels = 0, most = 0;
    int both_ways = topology->max_degree > topology->dimensions;
    for (uint32_t i = 0; i < topology->dimensions; i++) {
        uint64_t e = cni_digit(topology, header, i), hops = e;
        if (both_ways && topology->radix[i] - e < e)
            hops = topology->radix[i] - e;
        if (hops > most)
            channels = 0;
        if (hops >= most)
            channels |= valid_in(topology, i, e);
        most = hops > most ? hops : most;
    }
    return channels;
}

uint64_t cni_move_header(const cn_topology *topology, uint64_t header, uint32_t port)
{
    /* A header has the number of the node at that offset from the destination, and a hop changes
     * both alike. */
    return topology->ops->neighbor(topology, header, port);
}

cn_status cn_route_valid(const cn_topology *topology, uint64_t header, uint64_t *channels)
{
    CNI_REQUIRE_BOTH(topology, channels);
    CNI_TRY(cni_check_routable(__func__, topology));
    CNI_TRY(cni_check_node(__func__, "header", topology, header));
    *channels = cni_valid_channels(topology, header);
    return CN_OK;
}

cn_status cn_route_preferred(const cn_topology *topology, uint64_t header, uint64_t *channels)
{
    CNI_REQUIRE_BOTH(topology, channels);
    CNI_TRY(cni_check_routable(__func__, topology));
    CNI_TRY(cni_check_node(__func__, "header", topology, header));
    *channels = cni_preferred_channels(topology, header);
    return CN_OK;
}

cn_status cn_route_move(const cn_topology *topology, uint64_t header, uint32_t port,
                        uint64_t *next_header)
{
    CNI_REQUIRE_BOTH(topology, next_header);
    CNI_TRY(cni_check_routable(__func__, topology));
    CNI_TRY(cni_check_node(__func__, "header", topology, header));
    if (port >= topology->max_degree)
        return cni_fail(CN_ERR_ARGUMENT, "%s: port = %lu, but %s has %lu ports", __func__,
                        (unsigned long)port, topology->name, (unsigned long)topology->max_degree);
    *next_header = cni_move_header(topology, header, port);
    return CN_OK;
}

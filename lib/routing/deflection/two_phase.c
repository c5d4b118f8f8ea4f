/* The two-phase assignment of deflection routing (Horng 1992, 3.2; Horng & Kleinrock 1991, 2.2). */
#include "cubenet/decision.h"

#include "base/error.h"
#include "base/random.h"
#include "routing/decisions/channels.h"
#include "topology/topology.h"

static cn_status check(const cn_topology *topology, const uint64_t headers[], size_t count,
                       uint64_t buffers)
{
    CNI_TRY(cni_check_routable("cn_route_two_phase", topology));
    if (buffers < topology->max_degree)
        return cni_fail(CN_ERR_ARGUMENT,
                        "cn_route_two_phase: buffers = %llu, but %s needs at least %lu (one per "
                        "incoming channel)",
                        (unsigned long long)buffers, topology->name,
                        (unsigned long)topology->max_degree);
    if (count > buffers)
        return cni_fail(CN_ERR_ARGUMENT,
                        "cn_route_two_phase: count = %zu, but a node holds at most buffers = %llu",
                        count, (unsigned long long)buffers);
    for (size_t m = 0; m < count; m++)
        if (headers[m] == 0 || headers[m] >= topology->nodes)
            return cni_fail(CN_ERR_ARGUMENT,
                            "cn_route_two_phase: headers[%zu] = %llu, but it must be 1 to %llu", m,
                            (unsigned long long)headers[m],
                            (unsigned long long)(topology->nodes - 1));
    return CN_OK;
}

/* One of the channels in the set, by a random word. */
static uint32_t pick(uint64_t channels, uint32_t random)
{
    return cni_select_bit(channels, cni_random_below(random, cni_popcount(channels)));
}

cn_status cn_route_two_phase(const cn_topology *topology, const uint64_t headers[], size_t count,
                             uint64_t buffers, const uint32_t random[], size_t random_count,
                             uint32_t ports[])
{
    CNI_REQUIRE(topology);
    if (count > 0) {
        CNI_REQUIRE(headers);
        CNI_REQUIRE(random);
        CNI_REQUIRE(ports);
    }
    CNI_TRY(check(topology, headers, count, buffers));
    if (count == 0)
        return CN_OK;
    if (random_count < count || random_count - count < topology->max_degree)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: random_count = %zu, but %zu messages and %lu ports need %zu words",
                        __func__, random_count, count, (unsigned long)topology->max_degree,
                        count + topology->max_degree);

    uint32_t degree = topology->max_degree;
    uint64_t free = degree == 64 ? UINT64_MAX : (UINT64_C(1) << degree) - 1;
    uint64_t waiting = 0;
    for (size_t m = 0; m < count; m++) { /* oldest first: who comes first wins */
        uint32_t port = pick(cni_preferred_channels(topology, headers[m]), random[m]);
        int won = (free >> port & 1) != 0;
        free &= ~(UINT64_C(1) << port);
        ports[m] = won ? port : CN_NO_PORT;
        waiting += !won;
    }
    /* waiting <= buffers - degree leaves room for one message from every neighbour */
    const uint32_t *next_random = random + count;
    for (size_t m = count; m-- > 0 && waiting > buffers - degree;) {
        if (ports[m] != CN_NO_PORT)
            continue;
        ports[m] = pick(free, *next_random++);
        free &= ~(UINT64_C(1) << ports[m]);
        waiting--;
    }
    return CN_OK;
}

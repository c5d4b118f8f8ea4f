/*
 * The perfect-shuffle networks (Ginosar & Egozi 1989, 4.1.8), v = b_{n-1} ... b_1 b_0:
 *   sigma(v) = b_{n-2} ... b_0 b_{n-1}, epsilon(v) = v with b_0 inverted.
 * PSNN: v - 1, v + 1 (mod N), sigma(v), sigma^-1(v). PSE: epsilon(v), sigma(v), sigma^-1(v).
 */
#include "topology/families/shift_network.h"

#include "base/error.h"

static uint32_t nearest_neighbors(const cn_topology *t, uint64_t node,
                                  uint64_t candidates[CNI_SHIFT_PORTS])
{
    candidates[0] = (node - 1) & (t->nodes - 1);
    candidates[1] = (node + 1) & (t->nodes - 1);
    candidates[2] = cni_shuffle(t, node);
    candidates[3] = cni_unshuffle(t, node);
    return 4;
}

static uint32_t exchange(const cn_topology *t, uint64_t node, uint64_t candidates[CNI_SHIFT_PORTS])
{
    candidates[0] = node ^ 1;
    candidates[1] = cni_shuffle(t, node);
    candidates[2] = cni_unshuffle(t, node);
    return 3;
}

/* The shuffle alone has N - 2 links, less one where 0101...01 and 1010...10 exchange (n even). */
static uint64_t shuffle_links(uint32_t n)
{
    return (UINT64_C(1) << (n & 63)) - 2 - (n % 2 == 0 ? 1 : 0);
}

cn_status cn_topology_psnn(uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE(topology);
    *topology = NULL;
    /* N links of the ring, of which 1-2 and (N-3)-(N-2) are shuffles as well */
    uint64_t links = (UINT64_C(1) << (n & 63)) + shuffle_links(n) - 2;
    return cni_shift_network_new(__func__, "psnn", CNI_PSNN, n, nearest_neighbors, links, topology);
}

cn_status cn_topology_shuffle_exchange(uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE(topology);
    *topology = NULL;
    uint64_t links = (UINT64_C(1) << (n & 63)) / 2 + shuffle_links(n);
    return cni_shift_network_new(__func__, "shuffle_exchange", CNI_SHUFFLE_EXCHANGE, n, exchange,
                                 links, topology);
}

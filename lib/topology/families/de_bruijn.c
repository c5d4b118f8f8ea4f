/*
 * The binary de Bruijn network, links in both directions: v leads to 2v and 2v + 1 (mod N) and to
 * v/2 and v/2 + N/2 (rounded down).
 */
#include "topology/families/shift_network.h"

#include "base/error.h"

static uint32_t shifts(const cn_topology *t, uint64_t node, uint64_t candidates[CNI_SHIFT_PORTS])
{
    candidates[0] = 2 * node & (t->nodes - 1);
    candidates[1] = candidates[0] | 1;
    candidates[2] = node >> 1;
    candidates[3] = node >> 1 | t->nodes / 2;
    return 4;
}

cn_status cn_topology_de_bruijn(uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE(topology);
    *topology = NULL;
    /* 2 N shifts without the loops at 0 and N-1; 0101... and 1010... shift to each other */
    uint64_t links = (UINT64_C(2) << (n & 63)) - 3;
    return cni_shift_network_new(__func__, "de_bruijn", CNI_DE_BRUIJN, n, shifts, links, topology);
}

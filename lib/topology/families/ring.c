/* The ring of N nodes: the k-ary 1-cube under its own name (Ginosar & Egozi 1989, 4.1.2). */
#include "topology/topology.h"

#include <stdio.h>

#include "base/error.h"

cn_status cn_topology_ring(uint64_t nodes, int bidirectional, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    if (nodes < 2 || nodes > CNI_MAX_NODES)
        return cni_fail(CN_ERR_ARGUMENT, "%s: nodes = %llu, but they must be 2 to 2^62", __func__,
                        (unsigned long long)nodes);
    CNI_TRY(cn_topology_kary_ncube(nodes, 1, bidirectional, topology));
    snprintf((*topology)->name, sizeof(*topology)->name, "ring(%llu%s)", (unsigned long long)nodes,
             (*topology)->bidirectional ? "" : ",bidirectional=False");
    return CN_OK;
}

/* Some networks can be made in several ways, and are named after the way: ring(9) is
 * kary_ncube(k=9,n=1,bidirectional=True). Only cubes, rings and tori of equal radices can. */
#include "topology/topology.h"

#include <string.h>

#include "base/error.h"

enum { WAYS = 6 };

/* Way number `way` to make a network of these radices; no network where there is none. */
static cn_status make(int way, const cn_topology *like, cn_topology **made)
{
    uint64_t k = like->radix[0];
    uint32_t n = like->dimensions;
    switch (way) {
    case 0:
        return cn_topology_kary_ncube(k, n, like->bidirectional, made);
    case 1:
        return n > 1 ? CN_OK : cn_topology_ring(k, like->bidirectional, made);
    case 2:
        return cn_topology_torus(like->radix, n, made);
    case 3:
        return k > 2 ? CN_OK : cn_topology_mesh(like->radix, n, made);
    case 4:
        return k > 2 ? CN_OK : cn_topology_generalized_hypercube(k, n, made);
    default:
        return k > 2 ? CN_OK : cn_topology_hypercube(n, made);
    }
}

cn_status cni_topology_has_name(const cn_topology *topology, const char *name, int *has)
{
    *has = strcmp(name, topology->name) == 0;
    for (int way = 0; way < WAYS && !*has && cni_is_kary_ncube(topology); way++) {
        cn_topology *other = NULL;
        CNI_TRY(make(way, topology, &other));
        *has = cn_topology_equal(other, topology) && strcmp(name, other->name) == 0;
        cn_topology_free(&other);
    }
    return CN_OK;
}

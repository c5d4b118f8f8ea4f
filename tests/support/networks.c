#include "support/networks.h"

enum family {
    CUBE,
    KARY,
    KARY_TWO_WAY,
    GENERALIZED,
    RING,
    TORUS,
    MESH,
    COMPLETE,
    STAR,
    TREE,
    CHORDAL,
    CHORDAL_DUAL,
    PSNN,
    SHUFFLE_EXCHANGE,
    DE_BRUIJN,
    EDGES
};

/* b = 0 is a family with one parameter; of those with radices a is dimension 0, and c = 0 means
 * two. */
static const struct network {
    enum family family;
    uint64_t a, b, c;
    size_t same_as; /* 1 + an earlier one, 0: a new one */
} networks[] = {
    {CUBE, 1, 0, 0, 0},
    {CUBE, 3, 0, 0, 0},
    {CUBE, 4, 0, 0, 0},
    {CUBE, 6, 0, 0, 0},
    {KARY, 3, 2, 0, 0},
    {KARY, 4, 2, 0, 0},
    {KARY, 8, 1, 0, 0},
    {KARY_TWO_WAY, 3, 2, 0, 0},
    {KARY_TWO_WAY, 4, 2, 0, 0},
    {KARY_TWO_WAY, 8, 1, 0, 0},
    {KARY_TWO_WAY, 16, 1, 0, 0},
    {KARY_TWO_WAY, 2, 3, 0, 2},
    {GENERALIZED, 3, 3, 0, 0},
    {GENERALIZED, 3, 4, 0, 0},
    {GENERALIZED, 4, 3, 0, 0},
    {GENERALIZED, 2, 2, 2, 2},
    {GENERALIZED, 4, 4, 0, 0},
    {RING, 8, 0, 0, 10},
    {RING, 12, 0, 0, 0},
    {TORUS, 4, 4, 0, 9},
    {TORUS, 4, 3, 0, 0},
    {TORUS, 3, 4, 0, 0},
    {TORUS, 3, 3, 4, 0},
    {MESH, 4, 4, 0, 0},
    {MESH, 4, 3, 0, 0},
    {MESH, 3, 4, 0, 0},
    {MESH, 2, 2, 2, 2},
    {MESH, 2, 8, 0, 0},
    {COMPLETE, 4, 0, 0, 0},
    {COMPLETE, 16, 0, 0, 0},
    {COMPLETE, 60, 0, 0, 0},
    {STAR, 4, 0, 0, 0},
    {STAR, 16, 0, 0, 0},
    {STAR, 400, 0, 0, 0},
    {TREE, 2, 3, 0, 0},
    {TREE, 2, 9, 0, 0},
    {TREE, 3, 2, 0, 0},
    {TREE, 15, 1, 0, 0},
    {CHORDAL, 64, 5, 0, 0},
    {CHORDAL, 64, 9, 0, 0},
    {CHORDAL, 16, 5, 0, 0},
    {CHORDAL_DUAL, 64, 5, 0, 0},
    {CHORDAL_DUAL, 64, 6, 0, 0},
    {CHORDAL_DUAL, 16, 8, 0, 0},
    {PSNN, 4, 0, 0, 0},
    {PSNN, 8, 0, 0, 0},
    {SHUFFLE_EXCHANGE, 4, 0, 0, 0},
    {SHUFFLE_EXCHANGE, 8, 0, 0, 0},
    {DE_BRUIJN, 4, 0, 0, 0},
    {DE_BRUIJN, 8, 0, 0, 0},
    {EDGES, 0, 0, 0, 0},
    {EDGES, 1, 0, 0, 0},
    {EDGES, 2, 0, 0, 0},
    {EDGES, 3, 0, 0, 0},
    {EDGES, 4, 0, 0, 0},
    {EDGES, 5, 0, 0, 51},
    {TREE, 14, 1, 0, 0}, /* as many nodes as TREE, 2, 3 */
};

/* Lists of edges of as many nodes: two different ones; the first in another order, with other
 * ports; more edges; fewer nodes; the first with the ends of its edges changed. */
static cn_status from_edges(uint64_t which, cn_topology **made)
{
    static const uint64_t edges[][12] = {
        {0, 1, 1, 2, 2, 3, 3, 4, 4, 0}, {0, 1, 1, 2, 2, 3, 3, 4, 4, 1},
        {4, 0, 3, 4, 2, 3, 1, 2, 0, 1}, {0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 0, 2},
        {0, 1, 1, 2, 2, 3, 3, 0, 0, 2}, {1, 0, 2, 1, 3, 2, 4, 3, 0, 4},
    };
    return cn_topology_from_edges(which == 4 ? 4 : 5, edges[which], which == 3 ? 6 : 5, NULL, made);
}

static cn_status make(const struct network *it, cn_topology **made)
{
    uint64_t radices[] = {it->a, it->b, it->c};
    uint32_t a = (uint32_t)it->a, b = (uint32_t)it->b, n = it->c > 0 ? 3 : 2;
    switch (it->family) {
    case CUBE:
        return cn_topology_hypercube(a, made);
    case KARY:
        return cn_topology_kary_ncube(it->a, b, 0, made);
    case KARY_TWO_WAY:
        return cn_topology_kary_ncube(it->a, b, 1, made);
    case GENERALIZED:
        return cn_topology_generalized_hypercube_mixed(radices, n, made);
    case RING:
        return cn_topology_ring(it->a, 1, made);
    case TORUS:
        return cn_topology_torus(radices, n, made);
    case MESH:
        return cn_topology_mesh(radices, n, made);
    case COMPLETE:
        return cn_topology_complete(it->a, made);
    case STAR:
        return cn_topology_star(it->a, made);
    case TREE:
        return cn_topology_tree(it->a, b, made);
    case CHORDAL:
        return cn_topology_chordal_ring(it->a, it->b, 0, made);
    case CHORDAL_DUAL:
        return cn_topology_chordal_ring(it->a, it->b, 1, made);
    case PSNN:
        return cn_topology_psnn(a, made);
    case SHUFFLE_EXCHANGE:
        return cn_topology_shuffle_exchange(a, made);
    case DE_BRUIJN:
        return cn_topology_de_bruijn(a, made);
    case EDGES:
        return from_edges(it->a, made);
    }
    return CN_ERR_INTERNAL;
}

size_t network_count(void)
{
    return sizeof networks / sizeof networks[0];
}

cn_topology *make_network(size_t index)
{
    cn_topology *made = NULL;
    assert_ok(make(&networks[index], &made));
    return made;
}

size_t network_class(size_t index)
{
    return networks[index].same_as > 0 ? networks[index].same_as - 1 : index;
}

#include "input.h"

enum { FAMILIES = 15, MOST_DIMENSIONS = 6, MOST_EDGES = 24 };

/* Both kinds of networks are made here; only the sizes of the arguments differ. */
typedef struct sizes {
    input *in;
    int any; /* arguments of any size */
} sizes;

static uint64_t size_of(const sizes *s, uint64_t least, uint64_t greatest)
{
    if (s->any)
        return input_hostile(s->in);
    return least + input_below(s->in, greatest - least + 1);
}

static cn_status from_radices(const sizes *s, uint8_t family, cn_topology **made)
{
    uint64_t radices[MOST_DIMENSIONS];
    uint32_t n = 1 + (uint32_t)input_below(s->in, s->any ? MOST_DIMENSIONS : 3);
    for (uint32_t i = 0; i < n; i++)
        radices[i] = size_of(s, 2, 5);
    if (family == 0)
        return CALL(cn_topology_torus(radices, n, made));
    if (family == 1)
        return CALL(cn_topology_mesh(radices, n, made));
    return CALL(cn_topology_generalized_hypercube_mixed(radices, n, made));
}

static cn_status from_edges(const sizes *s, cn_topology **made)
{
    uint64_t edges[2 * MOST_EDGES], nodes = size_of(s, 1, 16);
    size_t count = (size_t)input_below(s->in, MOST_EDGES + 1);
    for (size_t i = 0; i < 2 * count; i++)
        edges[i] = s->any ? input_hostile(s->in) : input_below(s->in, nodes);
    return CALL(cn_topology_from_edges(nodes, edges, count, NULL, made));
}

static cn_status make(const sizes *s, uint8_t family, cn_topology **made)
{
    switch (family) {
    case 0:
    case 1:
    case 2:
        return from_radices(s, family, made);
    case 3:
        return CALL(cn_topology_hypercube((uint32_t)size_of(s, 1, 6), made));
    case 4: {
        int both = input_byte(s->in) % 2;
        uint64_t k = size_of(s, 2, 8);
        return CALL(cn_topology_kary_ncube(k, (uint32_t)size_of(s, 1, 3), both, made));
    }
    case 5: {
        uint64_t k = size_of(s, 2, 5);
        return CALL(cn_topology_generalized_hypercube(k, (uint32_t)size_of(s, 1, 3), made));
    }
    case 6: {
        int both = input_byte(s->in) % 2;
        return CALL(cn_topology_ring(size_of(s, 2, 24), both, made));
    }
    case 7:
        return CALL(cn_topology_complete(size_of(s, 2, 12), made));
    case 8:
        return CALL(cn_topology_star(size_of(s, 2, 16), made));
    case 9: {
        uint64_t branching = size_of(s, 1, 4);
        return CALL(cn_topology_tree(branching, (uint32_t)size_of(s, 1, 4), made));
    }
    case 10: {
        int dual = input_byte(s->in) % 2;
        uint64_t nodes = size_of(s, 4, 36);
        return CALL(cn_topology_chordal_ring(nodes, size_of(s, 0, 20), dual, made));
    }
    case 11:
        return CALL(cn_topology_psnn((uint32_t)size_of(s, 1, 6), made));
    case 12:
        return CALL(cn_topology_shuffle_exchange((uint32_t)size_of(s, 1, 6), made));
    case 13:
        return CALL(cn_topology_de_bruijn((uint32_t)size_of(s, 1, 6), made));
    default:
        return from_edges(s, made);
    }
}

static cn_topology *made_by(const sizes *s, int *searched)
{
    /* not NULL, so that a failure can be seen to clear it */
    static char place;
    cn_topology *made = (cn_topology *)(void *)&place;
    uint8_t family = (uint8_t)input_below(s->in, FAMILIES);
    cn_status status = make(s, family, &made);
    CHECK((status == CN_OK) == (made != NULL));
    *searched = family >= 10;
    return made;
}

cn_topology *network_small(input *in, uint64_t most)
{
    int searched;
    cn_topology *made = made_by(&(sizes){in, 0}, &searched);
    if (cn_topology_node_count(made) > most)
        cn_topology_free(&made);
    return made;
}

cn_topology *network_any(input *in, int *searched)
{
    return made_by(&(sizes){in, 1}, searched);
}

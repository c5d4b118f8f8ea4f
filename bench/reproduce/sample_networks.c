/* A network of each family, for tables of what goes with what. */
#include "reproduce.h"

static cn_status hypercube(cn_topology **t)
{
    return cn_topology_hypercube(4, t);
}

static cn_status one_way(cn_topology **t)
{
    return cn_topology_kary_ncube(5, 2, 0, t);
}

static cn_status two_way(cn_topology **t)
{
    return cn_topology_kary_ncube(5, 2, 1, t);
}

static cn_status torus(cn_topology **t)
{
    return cn_topology_torus((const uint64_t[]){6, 4}, 2, t);
}

static cn_status mesh(cn_topology **t)
{
    return cn_topology_mesh((const uint64_t[]){4, 4}, 2, t);
}

static cn_status generalized(cn_topology **t)
{
    return cn_topology_generalized_hypercube(4, 2, t);
}

static cn_status psnn(cn_topology **t)
{
    return cn_topology_psnn(4, t);
}

static cn_status shuffle_exchange(cn_topology **t)
{
    return cn_topology_shuffle_exchange(4, t);
}

static cn_status de_bruijn(cn_topology **t)
{
    return cn_topology_de_bruijn(4, t);
}

static cn_status ring(cn_topology **t)
{
    return cn_topology_ring(8, 1, t);
}

static cn_status chordal_ring(cn_topology **t)
{
    return cn_topology_chordal_ring(16, 4, 1, t);
}

static cn_status tree(cn_topology **t)
{
    return cn_topology_tree(2, 3, t);
}

static cn_status star(cn_topology **t)
{
    return cn_topology_star(8, t);
}

static cn_status complete(cn_topology **t)
{
    return cn_topology_complete(8, t);
}

/* An edge list: the Petersen graph. */
static cn_status petersen(cn_topology **t)
{
    static const uint64_t edges[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 5, 7, 7, 9, 9,
                                     6, 6, 8, 8, 5, 0, 5, 1, 6, 2, 7, 3, 8, 4, 9};
    return cn_topology_from_edges(10, edges, COUNT(edges) / 2, NULL, t);
}

static cn_status (*const makers[])(cn_topology **) = {
    hypercube, one_way, two_way,      torus, mesh, generalized, psnn,    shuffle_exchange,
    de_bruijn, ring,    chordal_ring, tree,  star, complete,    petersen};

cn_topology *rp_sample_network(rp_run *run, size_t number)
{
    cn_topology *made = NULL;
    if (number < COUNT(makers))
        rp_check(run, makers[number](&made));
    return made;
}

cn_faults *rp_sample_faults(rp_run *run, const cn_topology *topology)
{
    cn_faults *faults = NULL;
    if (rp_check(run, cn_faults_new(topology, &faults)))
        rp_check(run, cn_faults_add_node(faults, cn_topology_node_count(topology) / 2));
    return faults;
}

/* A network of each family, for tables of what goes with what. */
#include "reproduce.h"

static const char *const names[] = {"hypercube(4)",
                                    "kary_ncube(k=5,n=2,bidirectional=False)",
                                    "kary_ncube(k=5,n=2,bidirectional=True)",
                                    "torus([6,4])",
                                    "mesh([4,4])",
                                    "generalized_hypercube(k=4,n=2)",
                                    "psnn(4)",
                                    "shuffle_exchange(4)",
                                    "de_bruijn(4)",
                                    "ring(8)",
                                    "chordal_ring(16,4,dual=True)",
                                    "tree(2,3)",
                                    "star(8)",
                                    "complete(8)"};

/* And an edge list: the Petersen graph. */
static const uint64_t petersen[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 5, 7, 7, 9, 9,
                                    6, 6, 8, 8, 5, 0, 5, 1, 6, 2, 7, 3, 8, 4, 9};

cn_topology *rp_sample_network(rp_run *run, size_t number)
{
    cn_topology *made = NULL;
    if (number < COUNT(names))
        return rp_network(run, "%s", names[number]);
    if (number == COUNT(names))
        rp_check(run, cn_topology_from_edges(10, petersen, COUNT(petersen) / 2, NULL, &made));
    return made;
}

cn_faults *rp_sample_faults(rp_run *run, const cn_topology *topology)
{
    cn_faults *faults = NULL;
    if (rp_check(run, cn_faults_new(topology, &faults)))
        rp_check(run, cn_faults_add_node(faults, cn_topology_node_count(topology) / 2));
    return faults;
}

/*
 * Which routing serves which network, whole and with a faulty node, and what comes of it.
 *
 * The rule of an own routing is the caller's, so it has no rows; a tree serves whole networks only.
 */
#include "reproduce.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- the networks: one of each family, of some 16 nodes ---- */

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
    return cn_topology_from_edges(10, edges, COUNT(edges) / 2, t);
}

static cn_status (*const networks[])(cn_topology **) = {
    hypercube, one_way, two_way,      torus, mesh, generalized, psnn,    shuffle_exchange,
    de_bruijn, ring,    chordal_ring, tree,  star, complete,    petersen};

/* ---- a row ---- */

static cn_status make_routing(const char *name, const cn_topology *topology,
                              const cn_faults *faults, cn_routing **routing)
{
    if (strcmp(name, "tree") != 0)
        return cn_routing_new(topology, name, faults, routing);
    cn_tree *tree;
    cn_status status = cn_tree_balanced(topology, 0, &tree);
    if (status != CN_OK)
        return status;
    status = cn_routing_tree(tree, routing);
    cn_tree_free(&tree);
    return status;
}

static void write_answers(rp_table *table, const cn_routing *routing)
{
    rp_run *run = table->run;
    cn_deadlock *check = NULL;
    cn_verdict verdict = CN_VERDICT_STUCK;
    uint32_t least = 0;
    uint64_t walk = 0;
    double load = NAN;
    rp_check(run, cn_routing_least_virtual_channels(routing, &least));
    if (rp_check(run, cn_routing_deadlock_check(routing, least, &check)))
        rp_check(run, cn_deadlock_verdict(check, &verdict));
    cn_deadlock_free(&check);
    rp_check(run, cn_routing_longest_walk(routing, &walk));
    rp_check(run, cn_routing_saturation_load(routing, NULL, NULL, &load));
    rp_table_number(table, least);
    rp_table_text(table, cn_verdict_name(verdict));
    rp_table_number(table, (double)walk);
    rp_table_number(table, load);
    rp_table_text(table, "");
}

static void write_refusal(rp_table *table)
{
    rp_table_number(table, NAN);
    rp_table_text(table, "");
    rp_table_number(table, NAN);
    rp_table_number(table, NAN);
    rp_table_text(table, cn_last_error());
}

static void write_row(rp_table *table, const char *name, const cn_topology *topology,
                      const cn_faults *faults)
{
    cn_routing *routing;
    rp_table_text(table, name);
    rp_table_text(table, cn_topology_name(topology));
    rp_table_number(table, faults != NULL);
    if (make_routing(name, topology, faults, &routing) == CN_OK) {
        write_answers(table, routing);
        cn_routing_free(&routing);
    } else {
        write_refusal(table);
    }
    rp_table_end_row(table);
}

/* ---- the table ---- */

static void write_network(rp_table *table, const char *name, const cn_topology *topology)
{
    int is_tree = strcmp(name, "tree") == 0;
    cn_faults *faults = NULL;
    write_row(table, name, topology, NULL);
    if (!is_tree && rp_check(table->run, cn_faults_new(topology, &faults)) &&
        rp_check(table->run, cn_faults_add_node(faults, cn_topology_node_count(topology) / 2)))
        write_row(table, name, topology, faults);
    cn_faults_free(&faults);
}

static void make_table(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "routing,network,damaged,virtual_channels,verdict,longest_walk,saturation_load,"
                  "refusal");
    for (size_t k = 0; k < cn_routing_kind_count(); k++) {
        const char *name = cn_routing_kind_name(k);
        for (size_t i = 0; i < COUNT(networks) && strcmp(name, "own") != 0; i++) {
            cn_topology *topology = NULL;
            if (rp_check(run, networks[i](&topology)))
                write_network(&table, name, topology);
            cn_topology_free(&topology);
        }
    }
    rp_table_close(&table);
}

const rp_exhibit routing_table[] = {
    {"routing-table", "Which routing serves which network, and what comes of it", "no paper", 0.1,
     make_table},
    {0},
};

/* The drawings of the papers that show a network: the library draws it, and its links are the rows. */
#include "reproduce.h"

#include <string.h>

static cn_status draw(const void *object, char text[], size_t capacity, size_t *length)
{
    return cn_topology_write_text(object, CN_FORMAT_DOT, NULL, text, capacity, length);
}

static void write_links(rp_table *table, const cn_topology *network)
{
    for (uint64_t v = 0; v < cn_topology_node_count(network) && !table->run->failed; v++) {
        uint64_t far[64];
        size_t degree = 0;
        rp_check(table->run, cn_topology_neighbors(network, v, far, 64, &degree));
        for (size_t p = 0; p < degree; p++) {
            char address[2][16];
            if (far[p] < v && cn_topology_is_bidirectional(network))
                continue;
            rp_check(table->run, cn_topology_address_text(network, v, address[0], 16, NULL));
            rp_check(table->run, cn_topology_address_text(network, far[p], address[1], 16, NULL));
            rp_table_text(table, address[0]);
            rp_table_text(table, address[1]);
        }
    }
}

/* Frees the network. */
static void show(rp_run *run, const rp_exhibit *exhibit, cn_topology *network)
{
    rp_table table;
    rp_table_open(&table, run, exhibit, "node,neighbor");
    if (!run->failed)
        write_links(&table, network);
    rp_table_close(&table);
    rp_graph_draw_by(run, exhibit, draw, network);
    cn_topology_free(&network);
}

static void binary_4_cube(rp_run *run, const rp_exhibit *exhibit)
{
    cn_topology *cube = NULL;
    rp_check(run, cn_topology_hypercube(4, &cube));
    show(run, exhibit, cube);
}

/* Rings of Horng 1992 are unidirectional. */
static void four_ary_2_cube(rp_run *run, const rp_exhibit *exhibit)
{
    cn_topology *cube = NULL;
    rp_check(run, cn_topology_kary_ncube(4, 2, 0, &cube));
    show(run, exhibit, cube);
}

static void seven_ary(rp_run *run, const rp_exhibit *exhibit)
{
    cn_topology *network = NULL;
    rp_check(run, cn_topology_generalized_hypercube(7, 2, &network));
    show(run, exhibit, network);
}

/* The sizes are ours: some sixteen nodes. The letter of the figure says which. */
static void surveyed(rp_run *run, const rp_exhibit *exhibit)
{
    static const uint64_t sides[] = {4, 4};
    cn_topology *t = NULL;
    cn_status status = CN_OK;
    switch (exhibit->id[strlen(exhibit->id) - 1]) {
    case 'a':
        status = cn_topology_complete(12, &t);
        break;
    case 'b':
        status = cn_topology_ring(12, 0, &t);
        break;
    case 'c':
        status = cn_topology_torus(sides, 2, &t);
        break;
    case 'd':
        status = cn_topology_hypercube(4, &t);
        break;
    case 'e':
        status = cn_topology_star(12, &t);
        break;
    case 'f':
        status = cn_topology_tree(2, 3, &t);
        break;
    case 'g':
        status = cn_topology_chordal_ring(16, 5, 0, &t);
        break;
    case 'h':
        status = cn_topology_chordal_ring(16, 4, 1, &t);
        break;
    default:
        status = cn_topology_psnn(4, &t);
    }
    rp_check(run, status);
    show(run, exhibit, t);
}

#define SURVEYED(letter, what)                                                                  \
    {                                                                                           \
        "ginosar89-fig-2" letter, what, "Ginosar & Egozi 1989, Figure 2" letter, 0.1, surveyed, \
            NULL                                                                                \
    }

const rp_exhibit drawings[] = {
    {"horng92-fig-1.2", "The Boolean 4-cube", "Horng 1992, Figure 1.2", 0.1, binary_4_cube, NULL},
    {"horng91-fig-1", "The Boolean 4-cube", "Horng & Kleinrock 1991, Figure 1", 0.1, binary_4_cube,
     NULL},
    {"horng92-fig-4.1", "The 4-ary 2-cube (the 4-cube of the figure is Figure 1.2)",
     "Horng 1992, Figure 4.1", 0.1, four_ary_2_cube, NULL},
    {"ziavras99-fig-1", "GH(2,7)", "Ziavras & Krishnamurthy 1999, Figure 1", 0.1, seven_ary, NULL},
    SURVEYED("a", "Completely connected network"),
    SURVEYED("b", "One-way ring"),
    SURVEYED("c", "Two-dimensional nearest neighbour network"),
    SURVEYED("d", "Hypercube"),
    SURVEYED("e", "Star"),
    SURVEYED("f", "Tree"),
    SURVEYED("g", "Chordal ring, single chord"),
    SURVEYED("h", "Chordal ring, dual chords"),
    SURVEYED("i", "PSNN"),
    {0},
};

/* The drawings of the papers that show a network: the library draws it, and its links are the
 * rows. */
#include "reproduce.h"

static cn_status draw(const void *object, char text[], size_t capacity, size_t *length)
{
    return cn_topology_write(object, CN_FORMAT_DOT, NULL, text, capacity, length);
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

static void show(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    cn_topology *network = rp_network(run, "%s", (const char *)exhibit->of);
    rp_table_open(&table, run, exhibit, "node,neighbor");
    write_links(&table, network);
    rp_table_close(&table);
    rp_graph_draw_by(run, exhibit, draw, network);
    cn_topology_free(&network);
}

/* The sizes are ours: some sixteen nodes. */
#define SURVEYED(letter, what, network)                                                     \
    {                                                                                       \
        "ginosar89-fig-2" letter, what, "Ginosar & Egozi 1989, Figure 2" letter, 0.1, show, \
            network                                                                         \
    }

/* Rings of Horng 1992 are unidirectional. */
const rp_exhibit drawings[] = {
    {"horng92-fig-1.2", "The Boolean 4-cube", "Horng 1992, Figure 1.2", 0.1, show, "hypercube(4)"},
    {"horng91-fig-1", "The Boolean 4-cube", "Horng & Kleinrock 1991, Figure 1", 0.1, show,
     "hypercube(4)"},
    {"horng92-fig-4.1", "The 4-ary 2-cube (the 4-cube of the figure is Figure 1.2)",
     "Horng 1992, Figure 4.1", 0.1, show, "kary_ncube(k=4,n=2,bidirectional=False)"},
    {"ziavras99-fig-1", "GH(2,7)", "Ziavras & Krishnamurthy 1999, Figure 1", 0.1, show,
     "generalized_hypercube(k=7,n=2)"},
    SURVEYED("a", "Completely connected network", "complete(12)"),
    SURVEYED("b", "One-way ring", "ring(12,bidirectional=False)"),
    SURVEYED("c", "Two-dimensional nearest neighbour network", "torus([4,4])"),
    SURVEYED("d", "Hypercube", "hypercube(4)"),
    SURVEYED("e", "Star", "star(12)"),
    SURVEYED("f", "Tree", "tree(2,3)"),
    SURVEYED("g", "Chordal ring, single chord", "chordal_ring(16,5)"),
    SURVEYED("h", "Chordal ring, dual chords", "chordal_ring(16,4,dual=True)"),
    SURVEYED("i", "PSNN", "psnn(4)"),
    {0},
};

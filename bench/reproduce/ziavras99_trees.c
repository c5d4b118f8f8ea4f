/*
 * Tables 1 and 2 and figures 2 to 6 of Ziavras & Krishnamurthy 1999: networks, necklaces and trees.
 *
 * Figures 5 and 6 show a multicast to nodes that are shaded in the print and not named in the text;
 * the destinations here are our own, chosen in the way of section 6.1.
 */
#include "reproduce.h"

#include "cubenet/experimental/multicast.h"

#include <math.h>
#include <string.h>

enum { MOST = 64, ADDRESS = 8 }; /* nodes of GH(3,4), the largest network drawn; room for one */

/* ---- table 1 ---- */

/* What the paper says of a network: the formulas of the table with n and k put in, and the wires of
 * the text; NaN where there is nothing. */
typedef struct printed_network {
    double channels, diameter, wires;
} printed_network;

static printed_network printed_torus(uint64_t k, uint32_t n)
{
    return (printed_network){.channels = 2.0 * n * pow((double)k, n),
                             .diameter = n * floor((double)k / 2.0),
                             .wires = n == 3 && k == 22 ? 4088832.0 : NAN};
}

static printed_network printed_hypercube(uint64_t k, uint32_t n)
{
    return (printed_network){.channels = (double)(k - 1) * n * pow((double)k, n),
                             .diameter = n,
                             .wires = n == 3 && k == 22 ? 42932736.0 : NAN};
}

/* The value and the paper's beside it; 1 when they agree or the paper has none. */
static int write_cell(rp_table *table, const char *name, const char *unit, double value,
                      double printed)
{
    rp_table_numbers(table, value, printed);
    rp_table_compare(table, name, unit, value, printed);
    return isnan(printed) || value == printed;
}

static void write_network(rp_table *table, const cn_topology *t, const char *name, uint64_t k,
                          uint32_t n, printed_network printed)
{
    uint64_t diameter = 0;
    double channels = (double)cn_topology_node_count(t) * cn_topology_max_degree(t);
    rp_check(table->run, cn_topology_diameter(t, NULL, &diameter));
    rp_table_text(table, name);
    rp_table_numbers(table, n, (double)k, (double)cn_topology_node_count(t));
    int agrees = write_cell(table, "channels", "channels", channels, printed.channels);
    agrees &= write_cell(table, "diameter", "hops", (double)diameter, printed.diameter);
    agrees &= write_cell(table, "wires_64_bit", "wires", 64.0 * channels, printed.wires);
    rp_table_numbers(table, agrees);
}

static void table_1(rp_run *run, const rp_exhibit *exhibit)
{
    static const uint32_t shapes[][2] = {{2, 8}, {3, 8}, {3, 22}, {4, 10}, {5, 5}, {6, 3}};
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "network,n,k,nodes,channels,channels_paper,diameter,diameter_paper,"
                  "wires_64_bit,wires_64_bit_paper,agrees");
    for (size_t i = 0; i < COUNT(shapes) && !run->failed; i++) {
        uint32_t n = shapes[i][0], k = shapes[i][1];
        cn_topology *torus = rp_network(run, "kary_ncube(k=%u,n=%u,bidirectional=True)", k, n);
        cn_topology *cube = rp_network(run, "generalized_hypercube(k=%u,n=%u)", k, n);
        write_network(&table, torus, "k-ary n-cube", k, n, printed_torus(k, n));
        write_network(&table, cube, "generalized hypercube", k, n, printed_hypercube(k, n));
        cn_topology_free(&torus);
        cn_topology_free(&cube);
    }
    rp_table_close(&table);
}

/* ---- table 2 ---- */

static const char *const printed_3_3[] = {
    "000 000 000 000 000 000",
    "200 020 002 100 010 001",
    "220 022 102 110 011 201",
    "210 021 202 120 012 101",
    "222 122 112 111 211 221",
    "212 121 212 121 212 121",
    NULL,
};
static const char *const printed_3_4[] = {
    "000 000 000 000 000 000 000 000 000 000",
    "300 030 003 200 020 002 100 010 001",
    "330 033 203 220 022 102 110 011 301",
    "310 031 303 230 023 202 120 012 101",
    "320 032 103 210 021 302 130 013 201",
    "333 233 223 222 122 112 111 311 331",
    "332 133 213 221 322 132 113 211 321",
    "323 232 123 212 121 312 131 313 231",
    NULL,
};

/* The cells of one of the two networks, and how many of them are as printed. */
typedef struct cell_count {
    double cells, agreeing;
} cell_count;

/* One row of the paper, cell by cell beside the print, as far as the longer of them goes. */
static void write_necklace(rp_table *table, const cn_topology *t, uint64_t distance, int row,
                           uint64_t generator, const char *printed, cell_count *count)
{
    uint64_t nodes[MOST];
    size_t length = 0;
    rp_check(table->run, cn_necklace_unfolded(t, generator, nodes, MOST, &length));
    for (size_t j = 0; (j < length || *printed != '\0') && !table->run->failed; j++) {
        char address[ADDRESS] = "", paper[4] = "";
        if (j < length)
            rp_check(table->run, cn_topology_address_text(t, nodes[j], address, ADDRESS, NULL));
        if (*printed != '\0') {
            memcpy(paper, printed, 3);
            printed += printed[3] == ' ' ? 4 : 3;
        }
        int agrees = strcmp(address, paper) == 0;
        count->cells++;
        count->agreeing += agrees;
        rp_table_text(table, cn_topology_name(t));
        rp_table_numbers(table, (double)distance, row, (double)j);
        rp_table_text(table, address);
        rp_table_text(table, paper);
        rp_table_numbers(table, agrees);
    }
}

static void write_necklaces(rp_table *table, const cn_topology *t, const char *const printed[])
{
    cell_count count = {0.0, 0.0};
    int row = 0;
    for (uint64_t distance = 0; distance <= cn_topology_dimensions(t); distance++) {
        uint64_t generator = 0;
        cn_status status = cn_necklace_first(t, distance, &generator);
        for (; status == CN_OK; status = cn_necklace_next(t, generator, &generator)) {
            const char *line = *printed == NULL ? "" : *printed++;
            write_necklace(table, t, distance, row++, generator, line, &count);
        }
        rp_check(table->run, status);
    }
    uint64_t k = 0;
    rp_check(table->run, cn_topology_radix(t, 0, &k));
    rp_table_compare(
        table,
        rp_text("n=%u/k=%u/cells_as_printed", (unsigned)cn_topology_dimensions(t), (unsigned)k),
        "cells", count.agreeing, count.cells);
}

static void table_2(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit, "network,distance,necklace,element,node,node_paper,agrees");
    for (unsigned k = 3; k <= 4 && !run->failed; k++) {
        cn_topology *t = rp_network(run, "generalized_hypercube(k=%u,n=3)", k);
        write_necklaces(&table, t, k == 3 ? printed_3_3 : printed_3_4);
        cn_topology_free(&t);
    }
    rp_table_close(&table);
}

/* ---- figures ---- */

/* A figure under way: its edges go into the table and into the graph. A node that is drawn once for
 * each of several root subtrees is told apart by the subtree; the root is node 0, in subtree 0. */
typedef struct drawing {
    rp_run *run;
    rp_table table;
    rp_graph graph;
    cn_topology *topology;
    const char *name; /* of what is drawn; a figure may hold two graphs */
} drawing;

static void open_drawing(drawing *d, rp_run *run, const rp_exhibit *exhibit, unsigned k,
                         const char *header)
{
    d->run = run;
    d->topology = rp_network(run, "generalized_hypercube(k=%u,n=3)", k);
    rp_table_open(&d->table, run, exhibit, header);
    rp_graph_open(&d->graph, run, exhibit);
}

static void close_drawing(drawing *d)
{
    rp_table_close(&d->table);
    rp_graph_close(&d->graph);
    cn_topology_free(&d->topology);
}

static const char *address_of(drawing *d, uint64_t node)
{
    char address[ADDRESS] = "";
    rp_check(d->run, cn_topology_address_text(d->topology, node, address, ADDRESS, NULL));
    return rp_text("%s", address);
}

static uint64_t subtree_of(drawing *d, uint64_t node)
{
    uint64_t displacement = 0;
    rp_check(d->run, cn_necklace_displacement(d->topology, node, &displacement));
    return displacement;
}

static void draw_node(drawing *d, uint64_t node, uint64_t subtree, int shaded)
{
    const char *address = address_of(d, node);
    rp_graph_print(&d->graph, "\"%s/%s/%u\" [label=\"%s\"%s]", d->name, address, (unsigned)subtree,
                   address, shaded ? ", style=\"rounded,filled\"" : "");
}

/* The arrow of an edge in a subtree. */
static void draw_arrow(drawing *d, uint64_t from, uint64_t to, uint64_t subtree,
                       const char *attributes)
{
    rp_graph_print(&d->graph, "\"%s/%s/%u\" -> \"%s/%s/%u\"%s", d->name, address_of(d, from),
                   (unsigned)(from == 0 ? 0 : subtree), d->name, address_of(d, to),
                   (unsigned)subtree, attributes);
}

/* The first columns of its row. */
static void write_edge(drawing *d, uint64_t from, uint64_t to, uint64_t subtree)
{
    rp_table_text(&d->table, d->name);
    rp_table_text(&d->table, address_of(d, from));
    rp_table_text(&d->table, address_of(d, to));
    rp_table_numbers(&d->table, (double)subtree);
}

/* ---- figures 2 and 3: the balanced spanning tree and the spanning graph ---- */

/* The root of one of the two, with its name. */
static void draw_named_root(drawing *d, const char *name)
{
    const char *address = address_of(d, 0);
    d->name = name;
    rp_graph_print(&d->graph, "\"%s/%s/0\" [label=\"%s\\n%s\"]", name, address, name, address);
}

static void draw_plain_edge(drawing *d, uint64_t from, uint64_t to, uint64_t subtree, int shaded)
{
    draw_node(d, to, subtree, shaded);
    draw_arrow(d, from, to, subtree, "");
    write_edge(d, from, to, subtree);
}

static void draw_below(drawing *d, const cn_tree *tree, uint64_t node)
{
    uint64_t children[MOST];
    size_t count = 0;
    rp_check(d->run, cn_tree_children(tree, node, children, MOST, &count));
    for (size_t i = 0; i < count && !d->run->failed; i++) {
        draw_plain_edge(d, node, children[i], subtree_of(d, children[i]), 0);
        draw_below(d, tree, children[i]);
    }
}

static void draw_tree(drawing *d)
{
    cn_tree *tree = NULL;
    rp_check(d->run, cn_tree_balanced(d->topology, 0, &tree));
    draw_named_root(d, "BST");
    draw_below(d, tree, 0);
    cn_tree_free(&tree);
}

/* One root subtree. A node has a copy in each of its subtrees; those beyond the tree are shaded. */
static void draw_subtree(drawing *d, uint64_t subtree)
{
    for (uint64_t v = 1; v < cn_topology_node_count(d->topology) && !d->run->failed; v++) {
        uint64_t parents[MOST], subtrees[MOST];
        size_t count = 0;
        rp_check(d->run,
                 cn_spanning_graph_parents(d->topology, 0, v, parents, subtrees, MOST, &count));
        for (size_t i = 0; i < count; i++)
            if (subtrees[i] == subtree)
                draw_plain_edge(d, parents[i], v, subtree, i > 0);
    }
}

static void draw_spanning_graph(drawing *d)
{
    draw_named_root(d, "BSG");
    for (uint64_t subtree = 0; subtree < cn_topology_max_degree(d->topology); subtree++)
        draw_subtree(d, subtree);
}

static const char tree_header[] = "graph,parent,node,subtree";

static void figure_2(rp_run *run, const rp_exhibit *exhibit)
{
    drawing d;
    open_drawing(&d, run, exhibit, 4, tree_header);
    draw_tree(&d);
    close_drawing(&d);
}

static void figure_3(rp_run *run, const rp_exhibit *exhibit)
{
    drawing d;
    open_drawing(&d, run, exhibit, 3, tree_header);
    draw_spanning_graph(&d); /* graphviz stacks them from the bottom */
    draw_tree(&d);
    close_drawing(&d);
}

/* ---- figures 4 to 6: messages on the edges, "messages/destinations" ---- */

/* What crosses the edge into each node, and where from. */
typedef struct traffic {
    uint64_t from[MOST], messages[MOST], destinations[MOST];
} traffic;

static void send(traffic *t, uint64_t from, uint64_t to, uint64_t destinations)
{
    t->from[to] = from;
    t->messages[to]++;
    t->destinations[to] += destinations;
}

/* With clubbing: one message for all destinations behind a child, and so on from there. */
static void send_clubbed(drawing *d, traffic *t, uint64_t current, const uint64_t destinations[],
                         size_t count)
{
    uint64_t children[MOST], sizes[MOST], part[MOST];
    uint32_t group_of[MOST];
    size_t groups = 0;
    rp_check(d->run, cn_route_multicast_groups(d->topology, 0, current, destinations, count,
                                               group_of, children, sizes, MOST, &groups));
    for (size_t g = 0; g < groups && !d->run->failed; g++) {
        size_t in_part = 0;
        for (size_t m = 0; m < count; m++)
            if (group_of[m] == g)
                part[in_part++] = destinations[m];
        send(t, current, children[g], sizes[g]);
        send_clubbed(d, t, children[g], part, in_part);
    }
}

/* Without: one message for each destination all the way. */
static void send_single(drawing *d, traffic *t, uint64_t destination)
{
    uint64_t current = 0, next = 0;
    cn_status status;
    while ((status = cn_route_multicast_next_hop(d->topology, 0, current, destination, &next)) ==
           CN_OK) {
        send(t, current, next, 1);
        current = next;
    }
    rp_check(d->run, status);
}

/* The balanced tree below a node, what crosses its edges, and the destinations shaded. */
static void draw_traffic(drawing *d, const traffic *t, const cn_tree *tree, uint64_t node,
                         const int is_destination[])
{
    uint64_t children[MOST];
    size_t count = 0;
    rp_check(d->run, cn_tree_children(tree, node, children, MOST, &count));
    for (size_t i = 0; i < count && !d->run->failed; i++) {
        const char *attributes = " [color=\"#cccccc\"]";
        uint64_t child = children[i], subtree = subtree_of(d, child);
        draw_node(d, child, subtree, is_destination[child]);
        if (t->messages[child] > 0) {
            attributes = rp_text(" [label=\"%u/%u\"]", (unsigned)t->messages[child],
                                 (unsigned)t->destinations[child]);
            write_edge(d, t->from[child], child, subtree);
            rp_table_numbers(&d->table, (double)t->messages[child], (double)t->destinations[child]);
        }
        draw_arrow(d, t->messages[child] > 0 ? t->from[child] : node, child, subtree, attributes);
        draw_traffic(d, t, tree, child, is_destination);
    }
}

typedef struct multicast {
    const char *name;
    int clubbed;
    size_t count; /* of destinations */
    uint64_t destinations[MOST];
} multicast;

static void make_traffic(rp_run *run, const rp_exhibit *exhibit)
{
    const multicast *m = exhibit->of;
    drawing d;
    traffic t = {.from = {0}};
    int is_destination[MOST] = {0};
    cn_tree *tree = NULL;
    open_drawing(&d, run, exhibit, 4, "graph,from,to,subtree,messages,destinations");
    rp_check(run, cn_tree_balanced(d.topology, 0, &tree));
    if (m->clubbed)
        send_clubbed(&d, &t, 0, m->destinations, m->count);
    for (size_t i = 0; i < m->count && !run->failed; i++) {
        is_destination[m->destinations[i]] = 1;
        if (!m->clubbed)
            send_single(&d, &t, m->destinations[i]);
    }
    d.name = m->name;
    draw_node(&d, 0, 0, 0);
    draw_traffic(&d, &t, tree, 0, is_destination);
    cn_tree_free(&tree);
    close_drawing(&d);
}

static const multicast broadcast = {
    "broadcast", 1, MOST - 1, {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                               17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
                               33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48,
                               49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63}};

/* (r_1 + i r_2) mod N with r_1 = 21, r_2 = 5; N/4 of them. */
#define CHOSEN                                                       \
    {                                                                \
        21, 26, 31, 36, 41, 46, 51, 56, 61, 2, 7, 12, 17, 22, 27, 32 \
    }

static const multicast separate = {"multicast", 0, MOST / 4, CHOSEN};
static const multicast clubbed = {"multicast", 1, MOST / 4, CHOSEN};

/* ---- the list ---- */

#define PAPER "Ziavras & Krishnamurthy 1999, "

const rp_exhibit ziavras99_trees[] = {
    {"ziavras99-table-1", "Channels and diameter of k-ary n-cube and generalized hypercube",
     PAPER "Table 1", 0.01, table_1, NULL},
    {"ziavras99-table-2", "Unfolded necklaces of GH(3,3) and GH(3,4)", PAPER "Table 2", 0.01,
     table_2, NULL},
    {"ziavras99-fig-2", "Balanced spanning tree of GH(3,4)", PAPER "Figure 2", 0.1, figure_2, NULL},
    {"ziavras99-fig-3", "Balanced spanning tree and spanning graph of GH(3,3)", PAPER "Figure 3",
     0.1, figure_3, NULL},
    {"ziavras99-fig-4", "Clubbed messages of a broadcast, GH(3,4)", PAPER "Figure 4", 0.1,
     make_traffic, &broadcast},
    {"ziavras99-fig-5", "Multicast to 16 nodes, GH(3,4)", PAPER "Figure 5", 0.1, make_traffic,
     &separate},
    {"ziavras99-fig-6", "Clubbed messages of a multicast to 16 nodes, GH(3,4)", PAPER "Figure 6",
     0.1, make_traffic, &clubbed},
    {0},
};

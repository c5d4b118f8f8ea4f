/*
 * Tables 1 and 2 and figures 2 to 6 of Ziavras & Krishnamurthy 1999.
 *
 * Figures 5 and 6 show a multicast to nodes that are shaded in the print and not named in the text; the
 * destinations here are our own, chosen in the way of section 6.1.
 */
#include "ziavras99_trees.h"

#include <string.h>

#define TRY(call)                      \
    do {                               \
        cn_status try_status = (call); \
        if (try_status != CN_OK)       \
            return try_status;         \
    } while (0)

enum { MOST = 64 }; /* nodes of the largest network drawn, GH(3,4) */

/* ---- table 1 ---- */

/* The wires that section 2 gives, for n = 3 and k = 22. */
static const uint64_t PAPER_TORUS_WIRES = 4088832, PAPER_GH_WIRES = 42932736;

static cn_status write_network(FILE *csv, const cn_topology *t, const char *model, uint64_t k,
                               uint32_t n, uint64_t paper_wires)
{
    uint64_t diameter, channels = cn_topology_node_count(t) * cn_topology_max_degree(t);
    TRY(cn_topology_diameter(t, &diameter));
    fprintf(csv, "%s,%lu,%llu,%llu,%llu,%llu,%llu,", model, (unsigned long)n, (unsigned long long)k,
            (unsigned long long)cn_topology_node_count(t), (unsigned long long)channels,
            (unsigned long long)diameter, (unsigned long long)(64 * channels));
    if (n == 3 && k == 22)
        fprintf(csv, "%llu", (unsigned long long)paper_wires);
    fputc('\n', csv);
    return CN_OK;
}

cn_status ziavras99_table_1(FILE *csv)
{
    static const uint32_t SHAPES[][2] = {{2, 8}, {3, 8}, {3, 22}, {4, 10}, {5, 5}, {6, 3}};
    fputs("network,n,k,nodes,channels,diameter,wires_64_bit,paper_wires\n", csv);
    for (size_t i = 0; i < sizeof SHAPES / sizeof SHAPES[0]; i++) {
        uint32_t n = SHAPES[i][0], k = SHAPES[i][1];
        cn_topology *torus = NULL, *cube = NULL;
        cn_status status = cn_topology_kary_ncube(k, n, 1, &torus);
        if (status == CN_OK)
            status = cn_topology_generalized_hypercube(k, n, &cube);
        if (status == CN_OK)
            status = write_network(csv, torus, "k-ary n-cube", k, n, PAPER_TORUS_WIRES);
        if (status == CN_OK)
            status = write_network(csv, cube, "generalized hypercube", k, n, PAPER_GH_WIRES);
        cn_topology_free(&torus);
        cn_topology_free(&cube);
        TRY(status);
    }
    return CN_OK;
}

/* ---- table 2 ---- */

static const char *const PRINTED_GH33[] = {"000 000 000 000 000 000",
                                           "200 020 002 100 010 001",
                                           "220 022 102 110 011 201",
                                           "210 021 202 120 012 101",
                                           "222 122 112 111 211 221",
                                           "212 121 212 121 212 121",
                                           NULL};
static const char *const PRINTED_GH34[] = {"000 000 000 000 000 000 000 000 000 000",
                                           "300 030 003 200 020 002 100 010 001",
                                           "330 033 203 220 022 102 110 011 301",
                                           "310 031 303 230 023 202 120 012 101",
                                           "320 032 103 210 021 302 130 013 201",
                                           "333 233 223 222 122 112 111 311 331",
                                           "332 133 213 221 322 132 113 211 321",
                                           "323 232 123 212 121 312 131 313 231",
                                           NULL};

/* One row of the table, element by element beside the print, as far as the longer of them goes. */
static cn_status write_necklace(FILE *csv, const cn_topology *t, uint64_t distance, int row,
                                uint64_t generator, const char *printed)
{
    uint64_t nodes[MOST];
    size_t count;
    TRY(cn_necklace_unfolded(t, generator, nodes, MOST, &count));
    for (size_t j = 0; j < count || *printed != '\0'; j++) {
        char address[8] = "", paper[4] = "";
        if (j < count)
            TRY(cn_topology_address_text(t, nodes[j], address, sizeof address, NULL));
        if (*printed != '\0') {
            memcpy(paper, printed, 3);
            printed += printed[3] == ' ' ? 4 : 3;
        }
        fprintf(csv, "\"%s\",%llu,%d,%zu,%s,%s,%d\n", cn_topology_name(t),
                (unsigned long long)distance, row, j, address, paper, strcmp(address, paper) == 0);
    }
    return CN_OK;
}

static cn_status write_necklaces(FILE *csv, const cn_topology *t, const char *const printed[])
{
    int row = 0;
    for (uint64_t distance = 0; distance <= cn_topology_dimensions(t); distance++) {
        uint64_t generator;
        TRY(cn_necklace_first(t, distance, &generator));
        cn_status status = CN_OK;
        for (; status == CN_OK; status = cn_necklace_next(t, generator, &generator)) {
            const char *line = printed[row] == NULL ? "" : printed[row];
            TRY(write_necklace(csv, t, distance, row, generator, line));
            row += printed[row] != NULL;
        }
        if (status != CN_DONE)
            return status;
    }
    return CN_OK;
}

cn_status ziavras99_table_2(FILE *csv)
{
    fputs("network,distance,necklace,element,node,paper_node,agrees\n", csv);
    for (uint64_t k = 3; k <= 4; k++) {
        cn_topology *t;
        TRY(cn_topology_generalized_hypercube(k, 3, &t));
        cn_status status = write_necklaces(csv, t, k == 3 ? PRINTED_GH33 : PRINTED_GH34);
        cn_topology_free(&t);
        TRY(status);
    }
    return CN_OK;
}

/* ---- drawings ---- */

/* Where the edges of a figure go. A node that is drawn once for each of several root subtrees is told
 * apart by the subtree; the root is node 0, in subtree 0. */
typedef struct drawing {
    FILE *csv, *dot;
    const cn_topology *topology;
    const char *graph;
} drawing;

static void begin(const drawing *d, const char *title)
{
    if (d->dot != NULL)
        fprintf(d->dot, "digraph \"%s\" {\n  label=\"%s of %s\";\n", d->graph, title,
                cn_topology_name(d->topology));
}

static void end(const drawing *d)
{
    if (d->dot != NULL)
        fputs("}\n", d->dot);
}

static cn_status draw_node(const drawing *d, uint64_t node, uint64_t subtree, int shaded)
{
    char address[8];
    TRY(cn_topology_address_text(d->topology, node, address, sizeof address, NULL));
    if (d->dot != NULL)
        fprintf(d->dot, "  \"%s/%llu\" [label=\"%s\"%s];\n", address, (unsigned long long)subtree,
                address, shaded ? ", style=filled" : "");
    return CN_OK;
}

/* An edge in a subtree, with `messages` messages for `destinations` destinations; no label without. */
static cn_status draw_edge(const drawing *d, uint64_t from, uint64_t to, uint64_t subtree,
                           uint64_t messages, uint64_t destinations)
{
    char a[8], b[8], label[64] = "";
    TRY(cn_topology_address_text(d->topology, from, a, sizeof a, NULL));
    TRY(cn_topology_address_text(d->topology, to, b, sizeof b, NULL));
    if (messages > 0)
        snprintf(label, sizeof label, " [label=\"%llu/%llu\"]", (unsigned long long)messages,
                 (unsigned long long)destinations);
    if (d->dot != NULL)
        fprintf(d->dot, "  \"%s/%llu\" -> \"%s/%llu\"%s;\n", a,
                (unsigned long long)(from == 0 ? 0 : subtree), b, (unsigned long long)subtree,
                label);
    if (d->csv == NULL)
        return CN_OK;
    fprintf(d->csv, "%s,%s,%s,%llu", d->graph, a, b, (unsigned long long)subtree);
    if (messages > 0)
        fprintf(d->csv, ",%llu,%llu", (unsigned long long)messages,
                (unsigned long long)destinations);
    fputc('\n', d->csv);
    return CN_OK;
}

static void write_header(FILE *csv, const char *columns)
{
    if (csv != NULL)
        fprintf(csv, "%s\n", columns);
}

/* ---- figures 2 and 3: the balanced spanning tree and the spanning graph ---- */

static cn_status draw_tree(const drawing *d)
{
    cn_tree *tree;
    TRY(cn_tree_balanced(d->topology, 0, &tree));
    begin(d, "balanced spanning tree");
    cn_status status = draw_node(d, 0, 0, 0);
    for (uint64_t v = 1; v < cn_topology_node_count(d->topology) && status == CN_OK; v++) {
        uint64_t parent, subtree;
        status = cn_tree_parent(tree, v, &parent);
        if (status == CN_OK)
            status = cn_necklace_displacement(d->topology, v, &subtree);
        if (status == CN_OK)
            status = draw_node(d, v, subtree, 0);
        if (status == CN_OK)
            status = draw_edge(d, parent, v, subtree, 0, 0);
    }
    cn_tree_free(&tree);
    end(d);
    return status;
}

static cn_status draw_graph(const drawing *d)
{
    begin(d, "spanning graph");
    TRY(draw_node(d, 0, 0, 0));
    for (uint64_t v = 1; v < cn_topology_node_count(d->topology); v++) {
        uint64_t parents[MOST], subtrees[MOST];
        size_t count;
        TRY(cn_spanning_graph_parents(d->topology, 0, v, parents, subtrees, MOST, &count));
        for (size_t i = 0; i < count; i++) {
            TRY(draw_node(d, v, subtrees[i], 0));
            TRY(draw_edge(d, parents[i], v, subtrees[i], 0, 0));
        }
    }
    end(d);
    return CN_OK;
}

cn_status ziavras99_fig_2(FILE *csv, FILE *dot)
{
    cn_topology *t;
    write_header(csv, "graph,parent,node,subtree");
    TRY(cn_topology_generalized_hypercube(4, 3, &t));
    cn_status status = draw_tree(&(drawing){csv, dot, t, "BST"});
    cn_topology_free(&t);
    return status;
}

cn_status ziavras99_fig_3(FILE *csv, FILE *dot)
{
    cn_topology *t;
    write_header(csv, "graph,parent,node,subtree");
    TRY(cn_topology_generalized_hypercube(3, 3, &t));
    cn_status status = draw_tree(&(drawing){csv, dot, t, "BST"});
    if (status == CN_OK)
        status = draw_graph(&(drawing){csv, dot, t, "BSG"});
    cn_topology_free(&t);
    return status;
}

/* ---- figures 4 to 6: messages on the edges, "messages/destinations" ---- */

static cn_status draw_messages_to(const drawing *d, uint64_t from, uint64_t to, uint64_t messages,
                                  uint64_t destinations)
{
    uint64_t subtree;
    TRY(cn_necklace_displacement(d->topology, to, &subtree));
    return draw_edge(d, from, to, subtree, messages, destinations);
}

/* With clubbing: one message for all destinations behind a child, and so on from there. */
static cn_status draw_clubbed(const drawing *d, uint64_t current, const uint64_t destinations[],
                              size_t count)
{
    uint64_t children[MOST], sizes[MOST], part[MOST];
    uint32_t group_of[MOST];
    size_t groups;
    TRY(cn_route_multicast_groups(d->topology, 0, current, destinations, count, group_of, children,
                                  sizes, MOST, &groups));
    for (size_t g = 0; g < groups; g++) {
        size_t in_part = 0;
        for (size_t m = 0; m < count; m++)
            if (group_of[m] == g)
                part[in_part++] = destinations[m];
        TRY(draw_messages_to(d, current, children[g], 1, sizes[g]));
        TRY(draw_clubbed(d, children[g], part, in_part));
    }
    return CN_OK;
}

/* Without: one message for each destination all the way. */
static cn_status draw_single(const drawing *d, const uint64_t destinations[], size_t count)
{
    uint64_t crossing[MOST] = {0}, above[MOST] = {0};
    for (size_t m = 0; m < count; m++) {
        uint64_t current = 0, next;
        cn_status status;
        while ((status = cn_route_multicast_next_hop(d->topology, 0, current, destinations[m],
                                                     &next)) == CN_OK) {
            crossing[next]++;
            above[next] = current;
            current = next;
        }
        if (status != CN_DONE)
            return status;
    }
    for (uint64_t v = 0; v < MOST; v++)
        if (crossing[v] > 0)
            TRY(draw_messages_to(d, above[v], v, crossing[v], crossing[v]));
    return CN_OK;
}

/* All nodes of GH(3,4), those among the destinations shaded, and the messages. */
static cn_status draw_messages(const drawing *d, const char *title, const uint64_t destinations[],
                               size_t count, int clubbed)
{
    begin(d, title);
    for (uint64_t v = 0; v < cn_topology_node_count(d->topology); v++) {
        int shaded = 0;
        uint64_t subtree;
        TRY(cn_necklace_displacement(d->topology, v, &subtree));
        for (size_t m = 0; m < count; m++)
            shaded |= destinations[m] == v;
        TRY(draw_node(d, v, subtree, shaded));
    }
    TRY(clubbed ? draw_clubbed(d, 0, destinations, count) : draw_single(d, destinations, count));
    end(d);
    return CN_OK;
}

static cn_status messages(FILE *csv, FILE *dot, const char *graph, const char *title,
                          const uint64_t destinations[], size_t count, int clubbed)
{
    cn_topology *t;
    write_header(csv, "graph,from,to,subtree,messages,destinations");
    TRY(cn_topology_generalized_hypercube(4, 3, &t));
    cn_status status =
        draw_messages(&(drawing){csv, dot, t, graph}, title, destinations, count, clubbed);
    cn_topology_free(&t);
    return status;
}

/* (r_1 + i r_2) mod N with r_1 = 21, r_2 = 5; N/4 of them. */
static const uint64_t DESTINATIONS[] = {21, 26, 31, 36, 41, 46, 51, 56,
                                        61, 2,  7,  12, 17, 22, 27, 32};
enum { DESTINATION_COUNT = sizeof DESTINATIONS / sizeof DESTINATIONS[0] };

cn_status ziavras99_fig_4(FILE *csv, FILE *dot)
{
    uint64_t all[MOST - 1];
    for (uint64_t v = 1; v < MOST; v++)
        all[v - 1] = v;
    return messages(csv, dot, "broadcast", "clubbed messages of a broadcast", all, MOST - 1, 1);
}

cn_status ziavras99_fig_5(FILE *csv, FILE *dot)
{
    return messages(csv, dot, "multicast", "multicast", DESTINATIONS, DESTINATION_COUNT, 0);
}

cn_status ziavras99_fig_6(FILE *csv, FILE *dot)
{
    return messages(csv, dot, "multicast", "clubbed messages of a multicast", DESTINATIONS,
                    DESTINATION_COUNT, 1);
}

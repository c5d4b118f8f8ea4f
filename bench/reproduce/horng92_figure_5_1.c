/*
 * The damaged 4-cube of Horng 1992, Figure 5.1: the unsafe nodes of Table 5.1, the convex subnet of
 * Figure 5.6 and the two-level hierarchy of Figure 5.12.
 *
 * The copy of the dissertation shows no drawings; the faults follow from the table.
 */
#include "horng92_chapter5.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIMENSIONS = 4, NODES = 16, ADDRESS = 8, MOST_CLUSTERS = 8 };

cn_faults *horng92_figure_5_1(rp_run *run)
{
    static const uint64_t faulty[] = {2, 3, 4, 7, 9};
    cn_topology *cube = rp_network(run, "hypercube(%d)", DIMENSIONS);
    cn_faults *faults = NULL;
    rp_check(run, cn_faults_new(cube, &faults));
    for (size_t i = 0; i < COUNT(faulty); i++)
        rp_check(run, cn_faults_add_node(faults, faulty[i]));
    cn_topology_free(&cube);
    return faults;
}

static void write_address(rp_table *table, uint64_t node)
{
    char address[ADDRESS] = "";
    rp_check(table->run, cn_subcube_text(DIMENSIONS, node, 0, address, sizeof address, NULL));
    rp_table_text(table, address);
}

/* The dimensions of the one-bits, as the table prints them: "1 2". */
static const char *dimensions_of(uint64_t word, char text[2 * DIMENSIONS + 1])
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < DIMENSIONS; i++)
        if ((word >> i & 1) != 0)
            length += (size_t)snprintf(text + length, 2 * DIMENSIONS + 1 - length, "%s%d",
                                       length > 0 ? " " : "", i);
    return text;
}

/* ---- Table 5.1 ---- */

/* What the paper prints of a node; "" for one that is not in the table. */
static const char *printed(uint64_t node)
{
    static const char *const rows[NODES] = {
        [0] = "1 2", [1] = "1 3", [5] = "0 1", [6] = "0 1 2", [11] = "1 3"};
    return rows[node] == NULL ? "" : rows[node];
}

/* The bad dimensions of an unsafe survivor; 0 for any other node. */
static uint64_t unsafe_dimensions(rp_run *run, const cn_subnet *subnet, uint64_t node)
{
    cn_node_state state = CN_NODE_FAULTY;
    int safe = 1;
    uint64_t status = 0;
    rp_check(run, cn_subnet_node_state(subnet, node, &state));
    if (run->failed || state != CN_NODE_SURVIVING)
        return 0;
    rp_check(run, cn_subnet_is_safe(subnet, node, &safe));
    rp_check(run, cn_subnet_neighbor_status(subnet, node, &status));
    return safe ? 0 : ~status & (NODES - 1);
}

void horng92_bad_dimensions(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    cn_subnet *subnet = NULL;
    cn_faults *faults = horng92_figure_5_1(run);
    int wrong = 0;
    rp_check(run, cn_subnet_chosen(faults, NULL, 0, &subnet));
    rp_table_open(&table, run, exhibit, "node,bad_dimensions,bad_dimensions_paper,agrees");
    for (uint64_t v = 0; v < NODES && !run->failed; v++) {
        char text[2 * DIMENSIONS + 1];
        dimensions_of(unsafe_dimensions(run, subnet, v), text);
        int agrees = strcmp(text, printed(v)) == 0;
        wrong += !agrees;
        if (text[0] == '\0' && agrees)
            continue;
        write_address(&table, v);
        rp_table_text(&table, text);
        rp_table_text(&table, printed(v));
        rp_table_numbers(&table, agrees);
    }
    rp_table_compare(&table, "rows_as_printed", "rows", wrong, 0);
    rp_table_close(&table);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
}

/* ---- Figures 5.1, 5.6, 5.7 and 5.12 ---- */

static cn_status draw_subnet(const void *object, char text[], size_t capacity, size_t *length)
{
    return cn_subnet_draw(object, CN_FORMAT_DOT, NULL, text, capacity, length);
}

static cn_status draw_hierarchy(const void *object, char text[], size_t capacity, size_t *length)
{
    return cn_hierarchy_draw(object, CN_FORMAT_DOT, NULL, text, capacity, length);
}

/* Frees the faults. */
static void draw_convex(rp_run *run, const rp_exhibit *exhibit, cn_faults *faults)
{
    static const char *const states[] = {"surviving", "faulty", "disabled"};
    rp_table table;
    cn_subnet *subnet = NULL;
    rp_check(run, cn_subnet_convex(faults, NULL, &subnet));
    rp_table_open(&table, run, exhibit, "node,state,good_dimensions");
    for (uint64_t v = 0; v < NODES && !run->failed; v++) {
        char text[2 * DIMENSIONS + 1];
        cn_node_state state = CN_NODE_SURVIVING;
        uint64_t status = 0;
        rp_check(run, cn_subnet_node_state(subnet, v, &state));
        rp_check(run, cn_subnet_neighbor_status(subnet, v, &status));
        write_address(&table, v);
        rp_table_text(&table, states[state]);
        rp_table_text(&table, state == CN_NODE_SURVIVING ? dimensions_of(status, text) : "");
    }
    rp_table_close(&table);
    rp_graph_draw_by(run, exhibit, draw_subnet, subnet);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
}

void horng92_convex_drawing(rp_run *run, const rp_exhibit *exhibit)
{
    draw_convex(run, exhibit, horng92_figure_5_1(run));
}

/* Figure 5.7: the text names the faulty link, between 1001 and 1101, and no faulty node. */
void horng92_link_drawing(rp_run *run, const rp_exhibit *exhibit)
{
    cn_topology *cube = rp_network(run, "hypercube(%d)", DIMENSIONS);
    cn_faults *faults = NULL;
    rp_check(run, cn_faults_new(cube, &faults));
    rp_check(run, cn_faults_add_link(faults, 9, 2));
    cn_topology_free(&cube);
    draw_convex(run, exhibit, faults);
}

static cn_status draw_faults(const void *object, char text[], size_t capacity, size_t *length)
{
    return cn_faults_draw(object, CN_FORMAT_DOT, NULL, text, capacity, length);
}

void horng92_damaged_drawing(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    cn_faults *faults = horng92_figure_5_1(run);
    uint64_t nodes[NODES];
    size_t count = 0;
    rp_check(run, cn_faults_nodes(faults, nodes, NODES, &count));
    rp_table_open(&table, run, exhibit, "faulty_node");
    for (size_t i = 0; i < count && !run->failed; i++) {
        write_address(&table, nodes[i]);
    }
    rp_table_close(&table);
    rp_graph_draw_by(run, exhibit, draw_faults, faults);
    cn_faults_free(&faults);
}

/* A row for each entry of the cluster routing table of a node. */
static void write_entries(rp_table *table, const cn_hierarchy *hierarchy, uint64_t node)
{
    uint64_t values[MOST_CLUSTERS], anys[MOST_CLUSTERS], channels[MOST_CLUSTERS];
    uint64_t hops[MOST_CLUSTERS], value = 0, any = 0;
    char text[2 * DIMENSIONS + 1];
    uint32_t own = CN_NO_CLUSTER;
    size_t count = 0;
    rp_run *run = table->run;
    rp_check(run, cn_hierarchy_cluster_of(hierarchy, node, &own));
    if (run->failed || own == CN_NO_CLUSTER)
        return;
    rp_check(run, cn_hierarchy_cluster(hierarchy, own, &value, &any, NULL));
    rp_check(run, cn_hierarchy_table(hierarchy, node, values, anys, channels, hops, MOST_CLUSTERS,
                                     &count));
    for (size_t i = 0; i < count && !run->failed; i++) {
        char address[2][ADDRESS];
        rp_check(run, cn_subcube_text(DIMENSIONS, value, any, address[0], ADDRESS, NULL));
        rp_check(run, cn_subcube_text(DIMENSIONS, values[i], anys[i], address[1], ADDRESS, NULL));
        write_address(table, node);
        rp_table_text(table, address[0]);
        rp_table_text(table, address[1]);
        rp_table_text(table, dimensions_of(channels[i], text));
        rp_table_numbers(table, hops[i] == CN_UNREACHABLE ? NAN : (double)hops[i]);
    }
}

void horng92_cluster_drawing(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    cn_hierarchy *hierarchy = NULL;
    cn_faults *faults = horng92_figure_5_1(run);
    rp_check(run, cn_hierarchy_new(faults, NULL, &hierarchy));
    rp_check(run, cn_hierarchy_make_tables(hierarchy, NULL));
    rp_table_open(&table, run, exhibit, "node,cluster,destination_cluster,best_dimensions,hops");
    for (uint64_t v = 0; v < NODES && !run->failed; v++)
        write_entries(&table, hierarchy, v);
    rp_table_close(&table);
    rp_graph_draw_by(run, exhibit, draw_hierarchy, hierarchy);
    cn_hierarchy_free(&hierarchy);
    cn_faults_free(&faults);
}

/*
 * Tables I, II and A and figures 3 to 9 of Ginosar & Egozi 1989: what is printed beside what is true.
 *
 * A printed value agrees when it lies between the bounds that are known; `difference` is what it
 * misses them by. Figures 3 and 4 of the paper set orders of growth against each other, as Table I
 * lists them; here they have the values for 64 nodes.
 */
#include "reproduce.h"

#include <math.h>
#include <stdio.h>

/* ---- the measures of one network ---- */

typedef enum quantity {
    DISTANCE,
    FANOUT,
    DISCONNECTIVITY,
    LOOSENESS,
    CONNECTIVITY,
    LC,
    MEASURES
} quantity;

static const char *const quantity_names[MEASURES] = {"d", "F", "D", "L", "C", "LC"};

typedef struct facts {
    double nodes;
    rp_range of[MEASURES]; /* L and LC for alpha = 1/2 */
} facts;

/* Takes the topology and frees it. */
static facts find_facts(rp_run *run, cn_topology *t)
{
    facts f = {.nodes = (double)cn_topology_node_count(t)};
    f.of[DISTANCE] = rp_measure(run, t, CN_MEASURE_DIAMETER);
    f.of[FANOUT] = rp_measure(run, t, CN_MEASURE_BROADCAST_TIME);
    f.of[DISCONNECTIVITY] = rp_measure(run, t, CN_MEASURE_DISCONNECTIVITY);
    f.of[CONNECTIVITY] = rp_measure(run, t, CN_MEASURE_MEAN_DEGREE);
    f.of[LOOSENESS] = rp_weighted(0.5, f.of[FANOUT], f.of[DISCONNECTIVITY]);
    f.of[LC] = rp_product(f.of[LOOSENESS], f.of[CONNECTIVITY]);
    cn_topology_free(&t);
    return f;
}

/* ---- rows ---- */

static const char value_header[] =
    "network,n,nodes,measure,paper,lower,upper,known,difference,agrees";

static double nearest(double paper, rp_range r)
{
    double slack = 1e-9 * fabs(paper);
    if (paper > r.upper + slack)
        return r.upper;
    return paper < r.lower - slack ? r.lower : paper;
}

static void write_range(rp_table *table, rp_range r)
{
    rp_table_number(table, r.lower);
    rp_table_number(table, r.upper);
}

static void write_value(rp_table *table, const char *network, double nodes, const char *name,
                        double paper, rp_range r)
{
    double by = paper - nearest(paper, r);
    char summary[80];
    rp_table_text(table, network);
    rp_table_number(table, ceil(log2(nodes)));
    rp_table_number(table, nodes);
    rp_table_text(table, name);
    rp_table_number(table, paper);
    write_range(table, r);
    rp_table_text(table, cn_known_name(r.known));
    rp_table_number(table, by);
    rp_table_number(table, by == 0.0);
    rp_table_end_row(table);
    snprintf(summary, sizeof summary, "%s/%s", network, name);
    rp_table_compare(table, summary, "1", nearest(paper, r), paper);
}

/* ---- the nine networks ---- */

typedef enum network { CCN, NN1, NN2, NN3, STAR, TREE, CHORDAL, HYPERCUBE, PSNN, NETWORKS } network;

static const char *const network_names[NETWORKS] = {
    "CCN", "NN_1", "NN_2", "NN_3", "star", "tree", "chordal-ring", "hypercube", "PSNN"};

/* About 64 (size 0) or 256 (size 1) nodes; NN_3 has 64 and 512, the binary tree one node less. */
static cn_status make_network(network which, int size, cn_topology **t)
{
    const uint64_t nodes = size == 0 ? 64 : 256, root = size == 0 ? 8 : 16;
    const uint64_t square[] = {root, root}, cube[] = {root / 2, root / 2, root / 2};
    switch (which) {
    case CCN:
        return cn_topology_complete(nodes, t);
    case NN1:
        return cn_topology_ring(nodes, 1, t);
    case NN2:
        return cn_topology_torus(square, 2, t);
    case NN3:
        return cn_topology_torus(cube, 3, t);
    case STAR:
        return cn_topology_star(nodes, t);
    case TREE:
        return cn_topology_tree(2, size == 0 ? 5 : 7, t);
    case CHORDAL:
        return cn_topology_chordal_ring(nodes, 0, 0, t);
    case HYPERCUBE:
        return cn_topology_hypercube(size == 0 ? 6 : 8, t);
    case PSNN:
    case NETWORKS:
    default:
        return cn_topology_psnn(size == 0 ? 6 : 8, t);
    }
}

/* About 64 (size 0) or 256 nodes (size 1). */
static facts facts_of(rp_run *run, network which, int size)
{
    cn_topology *t = NULL;
    rp_check(run, make_network(which, size, &t));
    return find_facts(run, t);
}

/* ---- Table I: orders of growth, and how the true values follow them ---- */

typedef enum order { ONE, LOG, LOG2, ROOT, CUBE_ROOT, LINEAR, N_LOG, INVERSE } order;

static const char *const order_names[] = {"1",       "log N", "log^2 N", "sqrt N",
                                          "N^(1/n)", "N",     "N log N", "1/N"};

static double grow(order o, double nodes)
{
    switch (o) {
    case ONE:
        return 1.0;
    case LOG:
        return log2(nodes);
    case LOG2:
        return log2(nodes) * log2(nodes);
    case ROOT:
        return sqrt(nodes);
    case CUBE_ROOT:
        return cbrt(nodes);
    case LINEAR:
        return nodes;
    case N_LOG:
        return nodes * log2(nodes);
    case INVERSE:
    default:
        return 1.0 / nodes;
    }
}

/* As printed; for NN_n with n fixed at 3, so that the factors log N of the paper, which are n, are
 * constants. */
static const order printed[NETWORKS][MEASURES] = {
    [CCN] = {ONE, LOG, INVERSE, LOG, LINEAR, N_LOG},
    [NN1] = {LINEAR, LINEAR, LINEAR, LINEAR, ONE, LINEAR},
    [NN2] = {ROOT, ROOT, ROOT, ROOT, ONE, ROOT},
    [NN3] = {CUBE_ROOT, CUBE_ROOT, CUBE_ROOT, CUBE_ROOT, ONE, CUBE_ROOT},
    [STAR] = {ONE, LINEAR, LINEAR, LINEAR, ONE, LINEAR},
    [TREE] = {LOG, LOG, LINEAR, LINEAR, ONE, LINEAR},
    [CHORDAL] = {ROOT, ROOT, ROOT, ROOT, ONE, ROOT},
    [HYPERCUBE] = {LOG, LOG, ONE, LOG, LOG, LOG2},
    [PSNN] = {LOG, LOG, LOG, LOG, ONE, LOG},
};

/* The one entry that differs: by links, half a star is cut from the other half at N/2 places. */
static order true_order(network which, quantity m)
{
    return which == STAR && m == DISCONNECTIVITY ? ONE : printed[which][m];
}

static void table_1(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    double agreeing = 0.0;
    rp_table_open(&table, run, exhibit,
                  "network,measure,paper,true,agrees,nodes_a,lower_a,upper_a,upper_a_over_true,"
                  "nodes_b,lower_b,upper_b,upper_b_over_true");
    for (int w = 0; w < NETWORKS && !run->failed; w++) {
        facts f[2] = {facts_of(run, (network)w, 0), facts_of(run, (network)w, 1)};
        for (int m = 0; m < MEASURES; m++) {
            order paper = printed[w][m], truth = true_order((network)w, (quantity)m);
            agreeing += paper == truth;
            rp_table_text(&table, network_names[w]);
            rp_table_text(&table, quantity_names[m]);
            rp_table_text(&table, order_names[paper]);
            rp_table_text(&table, order_names[truth]);
            rp_table_number(&table, paper == truth);
            for (int size = 0; size < 2; size++) {
                rp_table_number(&table, f[size].nodes);
                write_range(&table, f[size].of[m]);
                rp_table_number(&table, f[size].of[m].upper / grow(truth, f[size].nodes));
            }
            rp_table_end_row(&table);
        }
    }
    rp_table_compare(&table, "entries_as_printed", "entries", agreeing, NETWORKS * MEASURES);
    rp_table_close(&table);
}

/* ---- figures 3 and 4 ---- */

/* The paper's axes are orders of growth; here they are the values for 64 nodes. */
static void draw_plane(rp_run *run, const rp_exhibit *exhibit, quantity x, quantity y)
{
    rp_plot plot;
    char labels[2][48];
    snprintf(labels[0], sizeof *labels, "%s, 64 nodes", quantity_names[x]);
    snprintf(labels[1], sizeof *labels, "%s, 64 nodes", quantity_names[y]);
    rp_plot_open(&plot, run, exhibit, labels[0], labels[1]);
    rp_plot_command(&plot,
                    "set logscale xy\nset offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05");
    for (unsigned w = 0; w < NETWORKS; w++)
        rp_plot_curve(&plot, CURVE_POINTS, w, network_names[w],
                      "($0 == %u ? column('%s_lower') : NaN):(column('%s_lower')):(0)", w,
                      quantity_names[x], quantity_names[y]);
    rp_plot_close(&plot);
}

static void write_plane(rp_run *run, const rp_exhibit *exhibit, quantity x, quantity y)
{
    rp_table table;
    char header[120];
    snprintf(header, sizeof header,
             "network,nodes,%s_paper,%s_lower,%s_upper,%s_paper,%s_lower,%s_upper,agrees",
             quantity_names[x], quantity_names[x], quantity_names[x], quantity_names[y],
             quantity_names[y], quantity_names[y]);
    rp_table_open(&table, run, exhibit, header);
    for (int w = 0; w < NETWORKS && !run->failed; w++) {
        facts f = facts_of(run, (network)w, 0);
        const quantity axes[] = {x, y};
        int agrees = 1;
        rp_table_text(&table, network_names[w]);
        rp_table_number(&table, f.nodes);
        for (int a = 0; a < 2; a++) {
            order paper = printed[w][axes[a]];
            agrees &= paper == true_order((network)w, axes[a]);
            rp_table_text(&table, order_names[paper]);
            write_range(&table, f.of[axes[a]]);
        }
        rp_table_number(&table, agrees);
        rp_table_end_row(&table);
    }
    rp_table_close(&table);
    draw_plane(run, exhibit, x, y);
}

static void figure_3(rp_run *run, const rp_exhibit *exhibit)
{
    write_plane(run, exhibit, FANOUT, DISCONNECTIVITY);
}

static void figure_4(rp_run *run, const rp_exhibit *exhibit)
{
    write_plane(run, exhibit, CONNECTIVITY, LOOSENESS);
}

/* ---- Table A: the printed formulas, at 64 and about 256 nodes ---- */

/* NAN, and so no row, where the paper prints no formula or where scan and print cannot be told apart:
 * d and F of NN_2, D of NN_3 and of the hypercube, L and LC of the PSNN (docs/errata.md). */
static double printed_in_table_a(network which, quantity m, double nodes)
{
    double lg = log2(nodes), root = sqrt(nodes), third = cbrt(nodes);
    double tree_levels = log2(nodes + 1.0) - 1.0, width = 2.0 * nodes / lg - 1.0;
    switch (which) {
    case CCN: {
        const double v[] = {
            1, lg, 4 / nodes, lg / 2 + 2 / nodes, nodes - 1, (nodes - 1) * (lg / 2 + 2 / nodes)};
        return v[m];
    }
    case NN1: {
        const double v[] = {floor(nodes / 2), ceil(nodes / 2), nodes / 2, nodes / 2, 2, nodes};
        return v[m];
    }
    case NN2: {
        const double v[] = {NAN, NAN, root / 2, 3 * root / 4, 4, 3 * root};
        return v[m];
    }
    case NN3: {
        const double v[] = {
            3 * floor(third / 2 + 1e-9), 3 * ceil(third / 2 - 1e-9), NAN, third, 6, 6 * third};
        return v[m];
    }
    case STAR: {
        const double v[] = {2, nodes - 1, nodes, nodes - 0.5, nodes, nodes * nodes - nodes / 2};
        return v[m];
    }
    case TREE: {
        double l = nodes / 2 + 1.5 * tree_levels - 0.5;
        double fanout = 3 * tree_levels - 1;
        const double v[] = {2 * tree_levels, fanout, nodes, l, 2.5, 1.25 * (nodes + fanout)};
        return v[m];
    }
    case CHORDAL: { /* d and F as orders only */
        const double v[] = {NAN, NAN, nodes / (root + 2), root, 3, 3 * root};
        return v[m];
    }
    case HYPERCUBE: {
        const double v[] = {lg, lg, NAN, 1 + lg / 2, lg, lg + lg * lg / 2};
        return v[m];
    }
    case PSNN:
    case NETWORKS:
    default: {
        const double v[] = {
            lg + ceil(lg / 2) - 1, 2 * lg - 1, nodes / width, NAN, 4, NAN,
        };
        return v[m];
    }
    }
}

static void table_a(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit, value_header);
    for (int w = 0; w < NETWORKS; w++)
        for (int size = 0; size < 2 && !run->failed; size++) {
            facts f = facts_of(run, (network)w, size);
            for (int m = 0; m < MEASURES; m++) {
                double paper = printed_in_table_a((network)w, (quantity)m, f.nodes);
                if (!isnan(paper))
                    write_value(&table, network_names[w], f.nodes, quantity_names[m], paper,
                                f.of[m]);
            }
        }
    rp_table_close(&table);
}

/* ---- Table II and figures 5 to 9: hypercube, PSNN and binary tree of 2^n nodes ---- */

enum { LEAST_N = 2, MOST_N = 10 };

static const network compared[] = {HYPERCUBE, PSNN, TREE};

/* The tree has 2^n - 1 nodes, n - 1 levels below the root. */
static facts facts_of_size(rp_run *run, network which, uint32_t n)
{
    cn_topology *t = NULL;
    rp_check(run, which == HYPERCUBE ? cn_topology_hypercube(n, &t)
                  : which == PSNN    ? cn_topology_psnn(n, &t)
                                     : cn_topology_tree(2, n - 1, &t));
    return find_facts(run, t);
}

static double printed_in_table_2(network which, quantity m, double n, double nodes)
{
    const double cube[] = {n, n, 2, n / 2 + 1, n, n * n / 2 + n};
    const double psnn[] = {n + ceil(n / 2) - 1, 2 * n - 1, n / 2, 1.25 * n - 0.5, 4, 5 * n - 2};
    const double tree[] = {
        2 * n - 2, 3 * n - 4, nodes, 1.5 * n - 2 + nodes / 2, 2.5, 3.75 * n - 5 + 1.25 * nodes};
    return which == HYPERCUBE ? cube[m] : which == PSNN ? psnn[m] : tree[m];
}

static void write_compared(rp_table *table, quantity first, quantity last)
{
    for (int w = 0; w < 3; w++)
        for (uint32_t n = LEAST_N; n <= MOST_N && !table->run->failed; n++) {
            facts f = facts_of_size(table->run, compared[w], n);
            for (int m = (int)first; m <= (int)last; m++)
                write_value(table, network_names[compared[w]], f.nodes, quantity_names[m],
                            printed_in_table_2(compared[w], (quantity)m, n, f.nodes), f.of[m]);
        }
}

static void table_2(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit, value_header);
    write_compared(&table, DISTANCE, LC);
    rp_table_close(&table);
}

/* The paper's values as a dashed line, the true ones as points, with bars between differing bounds. */
static void draw_network(rp_plot *plot, unsigned colour, network which, const char *name,
                         const char *title)
{
    char rows[120];
    snprintf(rows, sizeof rows,
             "(strcol('network') eq '%s' && strcol('measure') eq '%s' ? column('n') : NaN)",
             network_names[which], name);
    rp_plot_curve(plot, CURVE_DASHED, colour, "", "%s:(column('paper'))", rows);
    rp_plot_curve(plot, CURVE_POINTS, colour, title,
                  "%s:((column('lower') + column('upper')) / 2):"
                  "((column('upper') - column('lower')) / 2)",
                  rows);
}

static void close_plot(rp_plot *plot)
{
    rp_plot_curve(plot, CURVE_DASHED, 6, "as printed", "(NaN):(NaN)");
    rp_plot_close(plot);
}

static void draw_compared(rp_run *run, const rp_exhibit *exhibit, quantity m, const char *y_label,
                          const char *command)
{
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit, value_header);
    write_compared(&table, m, m);
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "n = log_2 N", y_label);
    rp_plot_command(&plot, command);
    for (unsigned w = 0; w < 3; w++)
        draw_network(&plot, w, compared[w], quantity_names[m], network_names[compared[w]]);
    close_plot(&plot);
}

static void figure_5(rp_run *run, const rp_exhibit *exhibit)
{
    draw_compared(run, exhibit, DISTANCE, "distance d, hops", "set yrange [0:*]");
}

static void figure_6(rp_run *run, const rp_exhibit *exhibit)
{
    draw_compared(run, exhibit, FANOUT, "fanout F, steps", "set yrange [0:*]");
}

static void figure_7(rp_run *run, const rp_exhibit *exhibit)
{
    draw_compared(run, exhibit, DISCONNECTIVITY, "disconnectivity D", "set yrange [0:12]");
}

static void figure_8(rp_run *run, const rp_exhibit *exhibit)
{
    draw_compared(run, exhibit, CONNECTIVITY, "connectivity C, links a node", "set yrange [0:*]");
}

/* ---- figure 9: L C for alpha = 1/2, 0 (D C) and 1 (F C) ---- */

static const double alphas[] = {0.5, 0.0, 1.0};
static const char *const alpha_names[] = {"LC", "DC", "FC"};

static void write_effectiveness(rp_table *table, network which, int i)
{
    for (uint32_t n = LEAST_N; n <= MOST_N && !table->run->failed; n++) {
        facts f = facts_of_size(table->run, which, n);
        double a = alphas[i];
        double fanout = printed_in_table_2(which, FANOUT, n, f.nodes);
        double disconnectivity = printed_in_table_2(which, DISCONNECTIVITY, n, f.nodes);
        double cost = printed_in_table_2(which, CONNECTIVITY, n, f.nodes);
        rp_range l = rp_weighted(a, f.of[FANOUT], f.of[DISCONNECTIVITY]);
        write_value(table, network_names[which], f.nodes, alpha_names[i],
                    (a * fanout + (1.0 - a) * disconnectivity) * cost,
                    rp_product(l, f.of[CONNECTIVITY]));
    }
}

/* Of the tree F C alone is drawn: the other two grow with N. */
static void figure_9(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_plot plot;
    char title[40];
    rp_table_open(&table, run, exhibit, value_header);
    for (int w = 0; w < 3; w++)
        for (int i = 0; i < 3; i++)
            write_effectiveness(&table, compared[w], i);
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "n = log_2 N", "cost-effectiveness");
    rp_plot_command(&plot, "set yrange [0:110]");
    for (unsigned i = 0; i < 3; i++)
        for (unsigned w = 0; w < 2; w++) {
            snprintf(title, sizeof title, "%s %s", alpha_names[i], network_names[compared[w]]);
            draw_network(&plot, 2 * i + w, compared[w], alpha_names[i], title);
        }
    draw_network(&plot, 6, TREE, "FC", "FC tree");
    close_plot(&plot);
}

/* ---- the list ---- */

#define PAPER "Ginosar & Egozi 1989, "

const rp_exhibit ginosar89[] = {
    {"ginosar89-table-1", "Orders of growth of the measures of nine networks", PAPER "Table I", 1.5,
     table_1},
    {"ginosar89-table-2", "Measures of hypercube, PSNN and binary tree", PAPER "Table II", 10,
     table_2},
    {"ginosar89-table-a", "Measures of nine networks of 64 and about 256 nodes", PAPER "Table A",
     2.0, table_a},
    {"ginosar89-fig-3", "Fanout and disconnectivity of nine networks", PAPER "Figure 3", 0.1,
     figure_3},
    {"ginosar89-fig-4", "Connectivity and looseness of nine networks", PAPER "Figure 4", 0.1,
     figure_4},
    {"ginosar89-fig-5", "Distance over network size", PAPER "Figure 5", 0.1, figure_5},
    {"ginosar89-fig-6", "Fanout over network size", PAPER "Figure 6", 0.1, figure_6},
    {"ginosar89-fig-7", "Disconnectivity over network size", PAPER "Figure 7", 0.1, figure_7},
    {"ginosar89-fig-8", "Connectivity over network size", PAPER "Figure 8", 0.1, figure_8},
    {"ginosar89-fig-9", "Cost-effectiveness over network size", PAPER "Figure 9", 0.1, figure_9},
    {0},
};

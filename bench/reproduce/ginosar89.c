/*
 * Tables I, II and A and figures 3 to 9 of Ginosar & Egozi 1989: what is printed beside what is
 * true.
 *
 * A printed value agrees when it lies between the bounds that are known; `difference` is what it
 * misses them by. What the paper prints as "about", or calls an open problem, neither agrees nor
 * disagrees. Figures 3 and 4 set the orders of growth of Table I against each other.
 */
#include "reproduce.h"

#include <math.h>

typedef enum network { CCN, NN1, NN2, NN3, STAR, TREE, CHORDAL, HYPERCUBE, PSNN, NETWORKS } network;

static const char *const network_names[NETWORKS] = {
    "CCN", "NN_1", "NN_2", "NN_3", "star", "tree", "chordal-ring", "hypercube", "PSNN"};

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

/* N / e. The paper defines the cut of a star and of a tree by nodes (A.3.5, A.3.6), elsewhere by
 * links. */
static rp_range disconnectivity(rp_run *run, const cn_topology *t, int by_nodes)
{
    if (!by_nodes)
        return rp_measure(run, t, CN_MEASURE_DISCONNECTIVITY);
    double nodes = (double)cn_topology_node_count(t);
    rp_range cut = rp_measure(run, t, CN_MEASURE_NODE_CUT);
    return (rp_range){nodes / cut.upper, nodes / cut.lower, cut.known};
}

/* Takes the topology and frees it. */
static facts find_facts(rp_run *run, network which, cn_topology *t)
{
    facts f = {.nodes = (double)cn_topology_node_count(t)};
    f.of[DISTANCE] = rp_measure(run, t, CN_MEASURE_DIAMETER);
    f.of[FANOUT] = rp_measure(run, t, CN_MEASURE_BROADCAST_TIME);
    f.of[DISCONNECTIVITY] = disconnectivity(run, t, which == STAR || which == TREE);
    f.of[CONNECTIVITY] = rp_measure(run, t, CN_MEASURE_MEAN_DEGREE);
    f.of[LOOSENESS] = rp_weighted(0.5, f.of[FANOUT], f.of[DISCONNECTIVITY]);
    f.of[LC] = rp_product(f.of[LOOSENESS], f.of[CONNECTIVITY]);
    cn_topology_free(&t);
    return f;
}

/* ---- rows ---- */

/* How the paper prints a value, if it does. */
typedef enum printing { NOT, VALUE, ABOUT, OPEN } printing;

static const char *const printing_names[] = {"", "value", "about", "open"};

typedef struct cell {
    printing as;
    double value; /* NaN where the paper has none */
} cell;

static cell of_paper(printing as, double value)
{
    return (cell){as, as == NOT ? NAN : value};
}

static const char value_header[] =
    "network,n,nodes,measure,paper,printed,lower,upper,known,difference,agrees";

static double nearest(double paper, rp_range r)
{
    double slack = 1e-9 * fabs(paper);
    if (paper > r.upper + slack)
        return r.upper;
    return paper < r.lower - slack ? r.lower : paper;
}

static void write_range(rp_table *table, rp_range r)
{
    rp_table_numbers(table, r.lower, r.upper);
}

static void write_value(rp_table *table, network which, double nodes, const char *name, cell paper,
                        rp_range r)
{
    double by = paper.value - nearest(paper.value, r);
    rp_table_text(table, network_names[which]);
    rp_table_numbers(table, ceil(log2(nodes)), nodes);
    rp_table_text(table, name);
    rp_table_numbers(table, paper.value);
    rp_table_text(table, printing_names[paper.as]);
    write_range(table, r);
    rp_table_text(table, cn_enum_name(CN_ENUM_KNOWN, (int)r.known));
    rp_table_numbers(table, by, paper.as == VALUE ? by == 0.0 : NAN);
    rp_table_compare(table, rp_text("%s/%s", network_names[which], name), "1",
                     nearest(paper.value, r), paper.value);
}

/* ---- the nine networks ---- */

/* About 64 (size 0) or 256 (size 1) nodes; NN_3 has 64 and 512, the binary tree one node less. */
static facts facts_of(rp_run *run, network which, int size)
{
    static const char *const networks[NETWORKS][2] = {
        {"complete(64)", "complete(256)"},
        {"ring(64)", "ring(256)"},
        {"torus([8,8])", "torus([16,16])"},
        {"torus([4,4,4])", "torus([8,8,8])"},
        {"star(64)", "star(256)"},
        {"tree(2,5)", "tree(2,7)"},
        {"chordal_ring(64,9)", "chordal_ring(256,17)"},
        {"hypercube(6)", "hypercube(8)"},
        {"psnn(6)", "psnn(8)"},
    };
    return find_facts(run, which, rp_network(run, "%s", networks[which][size]));
}

/* ---- Table I: orders of growth, and how the true values follow them ---- */

/* From the slowest growth to the fastest, for n of 3 and more. */
typedef enum order {
    INVERSE,
    ONE,
    LOG,
    CUBE_ROOT,
    CUBE_ROOT_LOG,
    ROOT,
    LINEAR,
    N_LOG,
    LOG2, /* in no drawing */
    ORDERS
} order;

static const char *const order_names[ORDERS] = {
    "1/N", "1", "log N", "N^(1/n)", "N^(1/n) log N", "sqrt N", "N", "N log N", "log^2 N"};

static double grow(order o, double nodes)
{
    double lg = log2(nodes), third = cbrt(nodes);
    const double grown[ORDERS] = {1.0 / nodes, 1.0,   lg,         third,  third * lg,
                                  sqrt(nodes), nodes, nodes * lg, lg * lg};
    return grown[o];
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

/* Whether the true values follow an order: from some 64 nodes to four times as many (NN_3: eight
 * times) they grow as much, up to a fifth for terms of lower order. That tells 1, log N, sqrt N, N
 * and N log N from each other. */
static int follows(order o, const facts f[2], quantity m)
{
    const double most = 1.2;
    double growth = f[1].of[m].upper / f[0].of[m].lower;
    double expected = grow(o, f[1].nodes) / grow(o, f[0].nodes);
    return growth < most * expected && growth > expected / most;
}

static void table_1(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    double agreeing = 0.0;
    rp_table_open(&table, run, exhibit,
                  "network,measure,paper,agrees,nodes_a,lower_a,upper_a,upper_a_over_order,"
                  "nodes_b,lower_b,upper_b,upper_b_over_order");
    for (int w = 0; w < NETWORKS && !run->failed; w++) {
        facts f[2] = {facts_of(run, (network)w, 0), facts_of(run, (network)w, 1)};
        for (int m = 0; m < MEASURES; m++) {
            order paper = printed[w][m];
            int agrees = follows(paper, f, (quantity)m);
            agreeing += agrees;
            rp_table_text(&table, network_names[w]);
            rp_table_text(&table, quantity_names[m]);
            rp_table_text(&table, order_names[paper]);
            rp_table_numbers(&table, agrees);
            for (int size = 0; size < 2; size++) {
                rp_table_numbers(&table, f[size].nodes);
                write_range(&table, f[size].of[m]);
                rp_table_numbers(&table, f[size].of[m].upper / grow(paper, f[size].nodes));
            }
        }
    }
    rp_table_compare(&table, "entries_as_printed", "entries", agreeing, NETWORKS * MEASURES);
    rp_table_close(&table);
}

/* ---- figures 3 and 4 ---- */

/* Table I with the factors log N of NN_n. */
static order drawn_order(network which, quantity m)
{
    if (which == NN3 && (m == FANOUT || m == LOOSENESS))
        return CUBE_ROOT_LOG;
    return which == NN3 && m == CONNECTIVITY ? LOG : printed[which][m];
}

static const char *drawn_name(network which)
{
    return which == NN3 ? "NN_n" : network_names[which];
}

/* Of the orders that occur on an axis, how many grow more slowly. */
static int place_of(order o, quantity m)
{
    int place = 0;
    for (int slower = 0; slower < (int)o; slower++)
        for (int w = 0, found = 0; w < NETWORKS && !found; w++)
            place += found = drawn_order((network)w, m) == (order)slower;
    return place;
}

/* On the x axis a network stands beside the others that have both its orders. */
static double x_place_of(network which, quantity x, quantity y)
{
    const double apart = 0.12;
    int before = 0, all = 0;
    for (int w = 0; w < NETWORKS; w++)
        if (drawn_order((network)w, x) == drawn_order(which, x) &&
            drawn_order((network)w, y) == drawn_order(which, y)) {
            before += w < (int)which;
            all++;
        }
    return place_of(drawn_order(which, x), x) + apart * (before - 0.5 * (all - 1));
}

/* The marks of an axis: the orders that occur on it, each at its place. */
static void mark_orders(rp_plot *plot, char axis, quantity m)
{
    rp_plot_command(plot, rp_text("set %ctics () noenhanced", axis));
    for (int w = 0; w < NETWORKS; w++) {
        order o = drawn_order((network)w, m);
        rp_plot_command(plot,
                        rp_text("set %ctics add ('%s' %d)", axis, order_names[o], place_of(o, m)));
    }
    rp_plot_command(plot, rp_text("set %crange [-0.5:%g]", axis, place_of(ORDERS, m) - 0.5));
}

/* As in the paper the axes are marked with orders of growth; the distances between these say
 * nothing. */
static void write_plane(rp_run *run, const rp_exhibit *exhibit)
{
    const quantity *axes = exhibit->of, x = axes[0], y = axes[1];
    const char *a = quantity_names[x], *b = quantity_names[y];
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit,
                  rp_text("network,%s_paper,%s_paper,%s_place,%s_place", a, b, a, b));
    for (int w = 0; w < NETWORKS; w++) {
        rp_table_text(&table, drawn_name((network)w));
        rp_table_text(&table, order_names[drawn_order((network)w, x)]);
        rp_table_text(&table, order_names[drawn_order((network)w, y)]);
        rp_table_numbers(&table, x_place_of((network)w, x, y),
                         place_of(drawn_order((network)w, y), y));
    }
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, rp_text("%s, order of growth", a),
                 rp_text("%s, order of growth", b));
    mark_orders(&plot, 'x', x);
    mark_orders(&plot, 'y', y);
    rp_plot_command(&plot, "set key noenhanced");
    for (unsigned w = 0; w < NETWORKS; w++)
        rp_plot_curve(&plot, CURVE_POINTS, w, drawn_name((network)w),
                      "($0 == %u ? column('%s_place') : NaN):(column('%s_place')):(0)", w, a, b);
    rp_plot_close(&plot);
}

/* ---- Table A: the printed formulas, at 64 and about 256 nodes ---- */

/* NaN where the paper prints no formula or where scan and print cannot be told apart: d and F of
 * NN_2, D of NN_3 and of the hypercube, L and LC of the PSNN (docs/errata.md). */
static double value_in_table_a(network which, quantity m, double nodes)
{
    double lg = log2(nodes), root = sqrt(nodes), third = cbrt(nodes);
    double levels = log2(nodes + 1.0) - 1.0, fanout = 3 * levels - 1; /* of the tree */
    const double values[NETWORKS][MEASURES] = {
        [CCN] = {1, lg, 4 / nodes, lg / 2 + 2 / nodes, nodes - 1,
                 (nodes - 1) * (lg / 2 + 2 / nodes)},
        [NN1] = {floor(nodes / 2), ceil(nodes / 2), nodes / 2, nodes / 2, 2, nodes},
        [NN2] = {NAN, NAN, root / 2, 3 * root / 4, 4, 3 * root},
        [NN3] = {3 * floor(third / 2 + 1e-9), 3 * ceil(third / 2 - 1e-9), NAN, third, 6, 6 * third},
        [STAR] = {2, nodes - 1, nodes, nodes - 0.5, nodes, nodes * nodes - nodes / 2},
        [TREE] = {2 * levels, fanout, nodes, nodes / 2 + 1.5 * levels - 0.5, 2.5,
                  1.25 * (nodes + fanout)},
        [CHORDAL] = {NAN, NAN, nodes / (root + 2), root, 3, 3 * root}, /* d and F as orders only */
        [HYPERCUBE] = {lg, lg, NAN, 1 + lg / 2, lg, lg + lg * lg / 2},
        [PSNN] = {lg + ceil(lg / 2) - 1, 2 * lg - 1, nodes / (2.0 * nodes / lg - 1.0), NAN, 4, NAN},
    };
    return values[which][m];
}

/* "About" stands before D, L and LC of the chordal ring and C of the tree, of which its LC is made.
 * Of D of the PSNN the text says that it is an open problem. */
static cell printed_in_table_a(network which, quantity m, double nodes)
{
    double value = value_in_table_a(which, m, nodes);
    if (isnan(value))
        return of_paper(NOT, value);
    if (which == PSNN && m == DISCONNECTIVITY)
        return of_paper(OPEN, value);
    if ((which == CHORDAL && m != CONNECTIVITY) || (which == TREE && m >= CONNECTIVITY))
        return of_paper(ABOUT, value);
    return of_paper(VALUE, value);
}

static void table_a(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit, value_header);
    for (int w = 0; w < NETWORKS; w++)
        for (int size = 0; size < 2 && !run->failed; size++) {
            facts f = facts_of(run, (network)w, size);
            for (int m = 0; m < MEASURES; m++) {
                cell paper = printed_in_table_a((network)w, (quantity)m, f.nodes);
                if (paper.as != NOT)
                    write_value(&table, (network)w, f.nodes, quantity_names[m], paper, f.of[m]);
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
    return find_facts(run, which,
                      which == HYPERCUBE ? rp_network(run, "hypercube(%u)", n)
                      : which == PSNN    ? rp_network(run, "psnn(%u)", n)
                                         : rp_network(run, "tree(2,%u)", n - 1));
}

/* Section 7: D = 2 for n = 3 and 4, and n/2, printed as "about", "only for n >= 4"; L and LC of the
 * table follow from n/2. */
static cell psnn_in_table_2(quantity m, double n)
{
    const double v[] = {n + ceil(n / 2) - 1, 2 * n - 1, n / 2, 1.25 * n - 0.5, 4, 5 * n - 2};
    if (m == DISTANCE || m == FANOUT || m == CONNECTIVITY)
        return of_paper(VALUE, v[m]);
    if (m == DISCONNECTIVITY && (n == 3 || n == 4))
        return of_paper(VALUE, 2.0);
    return of_paper(n >= 4 ? ABOUT : NOT, v[m]);
}

/* The tree has 2^n - 1 nodes; all but its D is printed as "about", or made of such. */
static cell printed_in_table_2(network which, quantity m, double n, double nodes)
{
    const double cube[] = {n, n, 2, n / 2 + 1, n, n * n / 2 + n};
    const double tree[] = {
        2 * n - 2, 3 * n - 4, nodes, 1.5 * n - 2 + nodes / 2, 2.5, 3.75 * n - 5 + 1.25 * nodes};
    if (which == PSNN)
        return psnn_in_table_2(m, n);
    if (which == HYPERCUBE)
        return of_paper(VALUE, cube[m]);
    return of_paper(m == DISCONNECTIVITY ? VALUE : ABOUT, tree[m]);
}

static void write_compared(rp_run *run, const rp_exhibit *exhibit, quantity first, quantity last)
{
    rp_table table;
    rp_table_open(&table, run, exhibit, value_header);
    for (int w = 0; w < 3; w++)
        for (uint32_t n = LEAST_N; n <= MOST_N && !run->failed; n++) {
            facts f = facts_of_size(run, compared[w], n);
            for (int m = (int)first; m <= (int)last; m++)
                write_value(&table, compared[w], f.nodes, quantity_names[m],
                            printed_in_table_2(compared[w], (quantity)m, n, f.nodes), f.of[m]);
        }
    rp_table_close(&table);
}

static void table_2(rp_run *run, const rp_exhibit *exhibit)
{
    write_compared(run, exhibit, DISTANCE, LC);
}

/* The paper's values as a dashed line, the true ones as points, with bars between differing
 * bounds. */
static void draw_network(rp_plot *plot, unsigned colour, network which, const char *name,
                         const char *title)
{
    const char *rows =
        rp_text("(strcol('network') eq '%s' && strcol('measure') eq '%s' ? column('n') : NaN)",
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

/* One measure over n. */
typedef struct figure {
    quantity measure;
    const char *y_label, *command;
} figure;

static void draw_compared(rp_run *run, const rp_exhibit *exhibit)
{
    const figure *f = exhibit->of;
    rp_plot plot;
    write_compared(run, exhibit, f->measure, f->measure);
    rp_plot_open(&plot, run, exhibit, "n = log_2 N", f->y_label);
    rp_plot_command(&plot, f->command);
    for (unsigned w = 0; w < 3; w++)
        draw_network(&plot, w, compared[w], quantity_names[f->measure], network_names[compared[w]]);
    close_plot(&plot);
}

/* ---- figure 9: L C for alpha = 1/2, 0 (D C) and 1 (F C) ---- */

static const double alphas[] = {0.5, 0.0, 1.0};
static const char *const alpha_names[] = {"LC", "DC", "FC"};

/* LC stands in Table II; DC and FC are products, as certain as the less certain factor. */
static cell printed_effectiveness(network which, int i, double n, double nodes)
{
    if (alphas[i] == 0.5)
        return printed_in_table_2(which, LC, n, nodes);
    cell a = printed_in_table_2(which, alphas[i] == 0.0 ? DISCONNECTIVITY : FANOUT, n, nodes);
    cell cost = printed_in_table_2(which, CONNECTIVITY, n, nodes);
    return of_paper(a.as == NOT || a.as > cost.as ? a.as : cost.as, a.value * cost.value);
}

static void write_effectiveness(rp_table *table, network which, int i)
{
    for (uint32_t n = LEAST_N; n <= MOST_N && !table->run->failed; n++) {
        facts f = facts_of_size(table->run, which, n);
        rp_range l = rp_weighted(alphas[i], f.of[FANOUT], f.of[DISCONNECTIVITY]);
        write_value(table, which, f.nodes, alpha_names[i],
                    printed_effectiveness(which, i, n, f.nodes), rp_product(l, f.of[CONNECTIVITY]));
    }
}

/* Of the tree F C alone is drawn: the other two grow with N. */
static void figure_9(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit, value_header);
    for (int w = 0; w < 3; w++)
        for (int i = 0; i < 3; i++)
            write_effectiveness(&table, compared[w], i);
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "n = log_2 N", "cost-effectiveness");
    rp_plot_command(&plot, "set yrange [0:110]");
    for (unsigned i = 0; i < 3; i++)
        for (unsigned w = 0; w < 2; w++)
            draw_network(&plot, 2 * i + w, compared[w], alpha_names[i],
                         rp_text("%s %s", alpha_names[i], network_names[compared[w]]));
    draw_network(&plot, 6, TREE, "FC", "FC tree");
    close_plot(&plot);
}

/* ---- the list ---- */

#define PAPER "Ginosar & Egozi 1989, "

const rp_exhibit ginosar89[] = {
    {"ginosar89-table-1", "Orders of growth of the measures of nine networks", PAPER "Table I", 1.5,
     table_1, NULL},
    {"ginosar89-table-2", "Measures of hypercube, PSNN and binary tree", PAPER "Table II", 10,
     table_2, NULL},
    {"ginosar89-table-a", "Measures of nine networks of 64 and about 256 nodes", PAPER "Table A",
     2.0, table_a, NULL},
    {"ginosar89-fig-3", "Fanout and disconnectivity of nine networks", PAPER "Figure 3", 0.1,
     write_plane, (const quantity[]){FANOUT, DISCONNECTIVITY}},
    {"ginosar89-fig-4", "Connectivity and looseness of nine networks", PAPER "Figure 4", 0.1,
     write_plane, (const quantity[]){CONNECTIVITY, LOOSENESS}},
    {"ginosar89-fig-5", "Distance over network size", PAPER "Figure 5", 0.1, draw_compared,
     &(const figure){DISTANCE, "distance d, hops", "set yrange [0:*]"}},
    {"ginosar89-fig-6", "Fanout over network size", PAPER "Figure 6", 0.1, draw_compared,
     &(const figure){FANOUT, "fanout F, steps", "set yrange [0:*]"}},
    {"ginosar89-fig-7", "Disconnectivity over network size", PAPER "Figure 7", 0.1, draw_compared,
     &(const figure){DISCONNECTIVITY, "disconnectivity D", "set yrange [0:12]"}},
    {"ginosar89-fig-8", "Connectivity over network size", PAPER "Figure 8", 0.1, draw_compared,
     &(const figure){CONNECTIVITY, "connectivity C, links a node", "set yrange [0:*]"}},
    {"ginosar89-fig-9", "Cost-effectiveness over network size", PAPER "Figure 9", 0.1, figure_9,
     NULL},
    {0},
};

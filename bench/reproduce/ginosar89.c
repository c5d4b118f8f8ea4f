#include "ginosar89.h"

#include <math.h>

#define TRY(call)                      \
    do {                               \
        cn_status try_status = (call); \
        if (try_status != CN_OK)       \
            return try_status;         \
    } while (0)

/* ---- what is true: the measures of one network, searched for once ---- */

typedef struct range {
    double lower, upper;
    cn_known kind;
} range;

typedef enum measured {
    DISTANCE,
    FANOUT,
    DISCONNECTIVITY,
    LOOSENESS,
    CONNECTIVITY,
    LC,
    MEASURED
} measured;

static const char *const measure_names[MEASURED] = {"d", "F", "D", "L", "C", "LC"};

typedef struct facts {
    double nodes;
    range of[MEASURED]; /* L and LC for alpha = 1/2 */
} facts;

static cn_known weaker(cn_known a, cn_known b)
{
    return a > b ? a : b;
}

static range sum_of(double alpha, range f, range d)
{
    return (range){alpha * f.lower + (1.0 - alpha) * d.lower,
                   alpha * f.upper + (1.0 - alpha) * d.upper, weaker(f.kind, d.kind)};
}

static range product(range a, range b)
{
    return (range){a.lower * b.lower, a.upper * b.upper, weaker(a.kind, b.kind)};
}

static cn_status measure(const cn_topology *t, cn_measure which, uint64_t steps, range *r)
{
    return cn_topology_measure(t, which, 0.5, steps, 0.0, NULL, NULL, &r->lower, &r->upper,
                               &r->kind);
}

/* Takes the topology and frees it. */
static cn_status find_facts(cn_topology *t, uint64_t steps, facts *f)
{
    range *of = f->of;
    f->nodes = (double)cn_topology_node_count(t);
    cn_status status = measure(t, CN_MEASURE_DIAMETER, steps, &of[DISTANCE]);
    if (status == CN_OK)
        status = measure(t, CN_MEASURE_BROADCAST_TIME, steps, &of[FANOUT]);
    if (status == CN_OK)
        status = measure(t, CN_MEASURE_DISCONNECTIVITY, steps, &of[DISCONNECTIVITY]);
    if (status == CN_OK)
        status = measure(t, CN_MEASURE_CONNECTIVITY, steps, &of[CONNECTIVITY]);
    cn_topology_free(&t);
    if (status != CN_OK)
        return status;
    of[LOOSENESS] = sum_of(0.5, of[FANOUT], of[DISCONNECTIVITY]);
    of[LC] = product(of[LOOSENESS], of[CONNECTIVITY]);
    return CN_OK;
}

/* ---- rows ---- */

static void put_header(FILE *out)
{
    fputs("network,n,N,measure,paper,lower,upper,kind,difference,differs\n", out);
}

/* What the paper misses the bounds by; 0 between them. */
static double difference(double paper, range r)
{
    double slack = 1e-9 * fabs(paper);
    if (paper > r.upper + slack)
        return paper - r.upper;
    return paper < r.lower - slack ? paper - r.lower : 0.0;
}

static void put_row(FILE *out, const char *network, double n, double nodes, const char *name,
                    double paper, range r)
{
    double by = difference(paper, r);
    fprintf(out, "%s,%g,%.0f,%s,%.6g,%.6g,%.6g,%s,%.6g,%d\n", network, n, nodes, name, paper,
            r.lower, r.upper, cn_known_name(r.kind), by, by != 0.0);
}

/* ---- Table I: orders of growth, and how the true values follow them ---- */

typedef enum network { CCN, NN1, NN2, NN3, STAR, TREE, CHORDAL, HYPERCUBE, PSNN, NETWORKS } network;

static const char *const network_names[NETWORKS] = {
    "CCN", "NN_1", "NN_2", "NN_3", "Star", "Tree", "Chordal ring", "Hypercube", "PSNN"};

/* About 64 (size 0) or 256 (size 1) nodes; NN_3 has 64 and 512, the binary tree one node less. */
static cn_status make(network which, int size, cn_topology **t)
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
    default:
        return cn_topology_psnn(size == 0 ? 6 : 8, t);
    }
}

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
    default:
        return 1.0 / nodes;
    }
}

/* As printed; for NN_n with n fixed at 3, so that the factors log N of the paper, which are n, are
 * constants. */
static const order printed[NETWORKS][MEASURED] = {
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
static order true_order(network which, measured m)
{
    return which == STAR && m == DISCONNECTIVITY ? ONE : printed[which][m];
}

cn_status ginosar89_table_1(FILE *out, uint64_t steps)
{
    fputs("network,measure,paper,true,differs,N_a,lower_a,upper_a,ratio_a,N_b,lower_b,upper_b,"
          "ratio_b\n",
          out);
    for (int w = 0; w < NETWORKS; w++) {
        facts f[2];
        for (int size = 0; size < 2; size++) {
            cn_topology *t;
            TRY(make((network)w, size, &t));
            TRY(find_facts(t, steps, &f[size]));
        }
        for (int m = 0; m < MEASURED; m++) {
            order paper = printed[w][m], truth = true_order((network)w, (measured)m);
            fprintf(out, "%s,%s,%s,%s,%d", network_names[w], measure_names[m], order_names[paper],
                    order_names[truth], paper != truth);
            for (int size = 0; size < 2; size++)
                fprintf(out, ",%.0f,%.6g,%.6g,%.4g", f[size].nodes, f[size].of[m].lower,
                        f[size].of[m].upper, f[size].of[m].upper / grow(truth, f[size].nodes));
            fputc('\n', out);
        }
    }
    return CN_OK;
}

/* ---- Table A: the printed formulas, at 64 and about 256 nodes ---- */

static double printed_in_table_a(network which, measured m, double nodes)
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
    case NN2: { /* floor and ceiling stand around N/2 under the root */
        const double v[] = {2 * floor(sqrt(nodes / 2)),
                            2 * ceil(sqrt(nodes / 2)),
                            root / 2,
                            3 * root / 4,
                            4,
                            3 * root};
        return v[m];
    }
    case NN3: { /* D is printed N^(1/2) / 2 */
        const double v[] = {
            3 * floor(third / 2 + 1e-9), 3 * ceil(third / 2 - 1e-9), root / 2, third, 6, 6 * third};
        return v[m];
    }
    case STAR: {
        const double v[] = {2, nodes - 1, nodes, nodes - 0.5, nodes, nodes * nodes - nodes / 2};
        return v[m];
    }
    case TREE: {
        double l = nodes / 2 + 1.5 * tree_levels - 0.5;
        const double v[] = {2 * log2(nodes + 1) - 2,
                            3 * tree_levels - 1,
                            nodes,
                            l,
                            2.5,
                            1.25 * (nodes + 3 * tree_levels - 1)};
        return v[m];
    }
    case CHORDAL: { /* d and F as orders only */
        const double v[] = {NAN, NAN, nodes / (root + 2), root, 3, 3 * root};
        return v[m];
    }
    case HYPERCUBE: {
        const double v[] = {lg, lg, nodes / 2, 1 + lg / 2, lg, lg + lg * lg / 2};
        return v[m];
    }
    default: {
        double l = 1.5 * (nodes - nodes / lg - lg + 0.5) / width;
        const double v[] = {lg + ceil(lg / 2) - 1,
                            2 * lg - 1,
                            nodes / width,
                            l,
                            4,
                            4 * nodes / (6 * nodes - 4 * nodes / lg - 4 * lg + 2) - 2 * nodes / lg -
                                1};
        return v[m];
    }
    }
}

cn_status ginosar89_table_a(FILE *out, uint64_t steps)
{
    put_header(out);
    for (int w = 0; w < NETWORKS; w++)
        for (int size = 0; size < 2; size++) {
            cn_topology *t;
            facts f;
            TRY(make((network)w, size, &t));
            TRY(find_facts(t, steps, &f));
            for (int m = 0; m < MEASURED; m++) {
                double paper = printed_in_table_a((network)w, (measured)m, f.nodes);
                if (!isnan(paper))
                    put_row(out, network_names[w], log2(f.nodes), f.nodes, measure_names[m], paper,
                            f.of[m]);
            }
        }
    return CN_OK;
}

/* ---- Table II and Figures 5-9: hypercube, PSNN and binary tree of 2^n nodes ---- */

enum { LEAST_N = 2, MOST_N = 10 };

/* The tree has 2^n - 1 nodes, n - 1 levels below the root. */
static cn_status make_of(network which, uint32_t n, cn_topology **t)
{
    if (which == HYPERCUBE)
        return cn_topology_hypercube(n, t);
    return which == PSNN ? cn_topology_psnn(n, t) : cn_topology_tree(2, n - 1, t);
}

static double printed_in_table_2(network which, measured m, double n)
{
    double nodes = ldexp(1.0, (int)n);
    const double cube[] = {n, n, 2, n / 2 + 1, n, n * n / 2 + n};
    const double psnn[] = {n + ceil(n / 2) - 1, 2 * n - 1, n / 2, 1.25 * n - 0.5, 4, 5 * n - 2};
    const double tree[] = {
        2 * n - 2, 3 * n - 4, nodes, 1.5 * n - 2 + nodes / 2, 2.5, 3.75 * n - 5 + 1.25 * nodes};
    return which == HYPERCUBE ? cube[m] : which == PSNN ? psnn[m] : tree[m];
}

static const network compared[] = {HYPERCUBE, PSNN, TREE};

static cn_status put_compared(FILE *out, uint64_t steps, measured first, measured last)
{
    put_header(out);
    for (int w = 0; w < 3; w++)
        for (uint32_t n = LEAST_N; n <= MOST_N; n++) {
            cn_topology *t;
            facts f;
            TRY(make_of(compared[w], n, &t));
            TRY(find_facts(t, steps, &f));
            for (int m = (int)first; m <= (int)last; m++)
                put_row(out, network_names[compared[w]], n, f.nodes, measure_names[m],
                        printed_in_table_2(compared[w], (measured)m, n), f.of[m]);
        }
    return CN_OK;
}

cn_status ginosar89_table_2(FILE *out, uint64_t steps)
{
    return put_compared(out, steps, DISTANCE, LC);
}

cn_status ginosar89_fig_5(FILE *out, uint64_t steps)
{
    return put_compared(out, steps, DISTANCE, DISTANCE);
}

cn_status ginosar89_fig_6(FILE *out, uint64_t steps)
{
    return put_compared(out, steps, FANOUT, FANOUT);
}

cn_status ginosar89_fig_7(FILE *out, uint64_t steps)
{
    return put_compared(out, steps, DISCONNECTIVITY, DISCONNECTIVITY);
}

cn_status ginosar89_fig_8(FILE *out, uint64_t steps)
{
    return put_compared(out, steps, CONNECTIVITY, CONNECTIVITY);
}

/* L C for alpha = 1/2, 0 (D C) and 1 (F C). */
cn_status ginosar89_fig_9(FILE *out, uint64_t steps)
{
    const double alphas[] = {0.5, 0.0, 1.0};
    const char *const names[] = {"LC", "DC", "FC"};
    put_header(out);
    for (int w = 0; w < 3; w++)
        for (uint32_t n = LEAST_N; n <= MOST_N; n++) {
            cn_topology *t;
            facts f;
            TRY(make_of(compared[w], n, &t));
            TRY(find_facts(t, steps, &f));
            for (int i = 0; i < 3; i++) {
                double a = alphas[i];
                double paper = (a * printed_in_table_2(compared[w], FANOUT, n) +
                                (1.0 - a) * printed_in_table_2(compared[w], DISCONNECTIVITY, n)) *
                               printed_in_table_2(compared[w], CONNECTIVITY, n);
                range l = sum_of(a, f.of[FANOUT], f.of[DISCONNECTIVITY]);
                put_row(out, network_names[compared[w]], n, f.nodes, names[i], paper,
                        product(l, f.of[CONNECTIVITY]));
            }
        }
    return CN_OK;
}

/* ---- Figures 3 and 4: orders against each other in the paper, points of 64 nodes here ---- */

static cn_status put_plane(FILE *out, uint64_t steps, measured x, measured y)
{
    fprintf(out, "network,N,paper_%s,paper_%s,%s_lower,%s_upper,%s_lower,%s_upper,differs\n",
            measure_names[x], measure_names[y], measure_names[x], measure_names[x],
            measure_names[y], measure_names[y]);
    for (int w = 0; w < NETWORKS; w++) {
        cn_topology *t;
        facts f;
        TRY(make((network)w, 0, &t));
        TRY(find_facts(t, steps, &f));
        int differs = printed[w][x] != true_order((network)w, x) ||
                      printed[w][y] != true_order((network)w, y);
        fprintf(out, "%s,%.0f,%s,%s,%.6g,%.6g,%.6g,%.6g,%d\n", network_names[w], f.nodes,
                order_names[printed[w][x]], order_names[printed[w][y]], f.of[x].lower,
                f.of[x].upper, f.of[y].lower, f.of[y].upper, differs);
    }
    return CN_OK;
}

cn_status ginosar89_fig_3(FILE *out, uint64_t steps)
{
    return put_plane(out, steps, FANOUT, DISCONNECTIVITY);
}

cn_status ginosar89_fig_4(FILE *out, uint64_t steps)
{
    return put_plane(out, steps, CONNECTIVITY, LOOSENESS);
}

/*
 * Horng 1992, Figures 3.4 and 3.5 (Horng & Kleinrock 1991, Figures 4 and 5): the state diagram of a
 * header, and what a node takes in and gives out when P_t, the probability that a channel brings a
 * message in transit, is given.
 *
 * The chain of 3.3.2 is put together here from the library's f'_{i,j} as the paper does, as a dense
 * matrix, and solved by iteration. So the crossing of the curves is a check of the library's own
 * banded solution.
 */
#include "reproduce.h"

#include "cubenet/experimental/intermediate.h"

#include <math.h>

enum { DIMENSIONS = 6, BUFFERS = 12, STATES = BUFFERS + 1, POINTS = 100 };

static const double load = 1.5;

typedef struct node_chain {
    double step[STATES][STATES];
    double stationary[STATES];
    double winners[STATES], sent[STATES]; /* means of phase 1, and of both phases */
} node_chain;

/* Probability that so many of the n channels bring a message in transit. */
static double binomial(int n, int k, double p)
{
    double chances = 1.0;
    for (int i = 0; i < k; i++)
        chances *= (double)(n - i) / (double)(i + 1);
    return chances * pow(p, k) * pow(1.0 - p, n - k);
}

/* One row: i messages, j of them sent, r come in transit, then new ones as many as fit (3.7 to
 * 3.9). */
static void add_row(rp_run *run, node_chain *chain, int i, double p_transit)
{
    const double a = load / (1.0 + load);
    double first[DIMENSIONS + 1], both[DIMENSIONS + 1];
    rp_check(run, cn_assignment_phase_one(DIMENSIONS, (uint64_t)i, first, DIMENSIONS + 1, NULL));
    rp_check(run, cn_assignment_both_phases(DIMENSIONS, BUFFERS, (uint64_t)i, both, DIMENSIONS + 1,
                                            NULL));
    chain->winners[i] = chain->sent[i] = 0.0;
    for (int k = 0; k < STATES; k++)
        chain->step[i][k] = 0.0;
    for (int j = 0; j <= DIMENSIONS && !run->failed; j++) {
        chain->winners[i] += j * first[j];
        chain->sent[i] += j * both[j];
        for (int r = 0; both[j] > 0.0 && r <= DIMENSIONS; r++) {
            const double here = both[j] * binomial(DIMENSIONS, r, p_transit);
            for (int k = i - j + r; k < BUFFERS; k++)
                chain->step[i][k] += here * (1.0 - a) * pow(a, k - (i - j + r));
            chain->step[i][BUFFERS] += here * pow(a, BUFFERS - (i - j + r));
        }
    }
}

static void solve(node_chain *chain)
{
    double change = 1.0;
    for (int i = 0; i < STATES; i++)
        chain->stationary[i] = 1.0 / STATES;
    for (int round = 0; round < 100000 && change > 1e-15; round++) {
        double next[STATES] = {0.0};
        change = 0.0;
        for (int i = 0; i < STATES; i++)
            for (int k = 0; k < STATES; k++)
                next[k] += chain->stationary[i] * chain->step[i][k];
        for (int k = 0; k < STATES; k++) {
            change = fmax(change, fabs(next[k] - chain->stationary[k]));
            chain->stationary[k] = next[k];
        }
    }
}

/* Both sides of eq. 3.22. */
static void rates(rp_run *run, double p_transit, double *input, double *output)
{
    node_chain chain;
    double hops[DIMENSIONS + 1], sent = 0.0, winners = 0.0, mean_hops = 0.0, share = 1.0;
    for (int i = 0; i < STATES; i++)
        add_row(run, &chain, i, p_transit);
    solve(&chain);
    for (int i = 0; i < STATES; i++) {
        sent += chain.stationary[i] * chain.sent[i];
        winners += chain.stationary[i] * chain.winners[i];
    }
    rp_check(run, cn_deflection_hops(DIMENSIONS, 1.0 - winners / sent, hops, DIMENSIONS + 1, NULL));
    for (int i = 1; i <= DIMENSIONS && !run->failed; i++) {
        share *= (double)(DIMENSIONS - i + 1) / i; /* C(n, i) */
        mean_hops += share / (pow(2.0, DIMENSIONS) - 1.0) * hops[i];
    }
    *input = load * (1.0 - chain.stationary[BUFFERS]);
    *output = sent / mean_hops;
}

/* Where they cross. */
static double crossing(rp_run *run, double *throughput)
{
    double low = 0.0, high = 1.0, output = 0.0;
    for (int i = 0; i < 60 && !run->failed; i++) {
        double middle = 0.5 * (low + high);
        rates(run, middle, throughput, &output);
        *(*throughput > output ? &low : &high) = middle;
    }
    return low;
}

static void input_and_output(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_plot plot;
    cn_topology *cube = rp_network(run, "hypercube(%d)", DIMENSIONS);
    double input = NAN, output = NAN, throughput = NAN;
    rp_experiment experiment = {.system = "deflection",
                                .topology = cube,
                                .settings = {{CN_PARAM_LOAD, load},
                                             {CN_PARAM_BUFFERS, BUFFERS},
                                             {CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}}};
    double p_transit = crossing(run, &throughput);
    rp_table_open(&table, run, exhibit, "p_transit,input_rate,output_rate,crossing");
    for (int i = 1; i < POINTS && !run->failed; i += run->quick ? 3 : 1) {
        rates(run, (double)i / POINTS, &input, &output);
        rp_table_numbers(&table, (double)i / POINTS, input, output, p_transit);
    }
    rp_table_compare(&table, "throughput_at_crossing", "messages/node/cycle", throughput,
                     rp_value(rp_predict(run, &experiment), CN_METRIC_THROUGHPUT));
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "P_t, probability that a channel brings a message in transit",
                 "messages per node and cycle");
    rp_plot_curve(&plot, CURVE_LINE, 0, "input rate", "1:2");
    rp_plot_curve(&plot, CURVE_LINE, 1, "output rate", "1:3");
    rp_plot_close(&plot);
    cn_topology_free(&cube);
}

/* Deflected with probability q, a message with i one-bits goes away over one of n - i of n - 1
 * channels. */
static void hop_diagram(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_graph graph;
    rp_table_open(&table, run, exhibit, "ones,next,share_of_phase_1,share_of_phase_2");
    rp_graph_open(&graph, run, exhibit);
    for (int i = 1; i <= DIMENSIONS && !run->failed; i++)
        for (int next = i - 1; next <= i + 1 && next <= DIMENSIONS; next += 2) {
            int closer = next < i;
            int ways = closer ? i - 1 : DIMENSIONS - i;
            rp_table_numbers(&table, i, next, closer, (double)ways / (DIMENSIONS - 1));
            rp_graph_print(&graph, "%d -> %d [label=\"%s%d/%d q\"]", i, next,
                           closer ? "1 - q + " : "", ways, DIMENSIONS - 1);
        }
    rp_table_close(&table);
    rp_graph_close(&graph);
}

const rp_exhibit horng92_chain[] = {
    {"horng92-fig-3.4", "State diagram of the hops of a message, 6-cube", "Horng 1992, Figure 3.4",
     0.1, hop_diagram, NULL},
    {"horng91-fig-4", "State diagram of the hops of a message, 6-cube",
     "Horng & Kleinrock 1991, Figure 4", 0.1, hop_diagram, NULL},
    {"horng92-fig-3.5", "Input and output rate of a node against P_t, 6-cube, M = 12",
     "Horng 1992, Figure 3.5", 0.5, input_and_output, NULL},
    {"horng91-fig-5", "Input and output rate of a node against P_t, 6-cube, M = 12",
     "Horng & Kleinrock 1991, Figure 5", 0.5, input_and_output, NULL},
    {0},
};

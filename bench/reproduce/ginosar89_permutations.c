/*
 * Ginosar & Egozi 1989, 5.3 and 7: how many steps a permutation takes, beside the disconnectivity D that is to predict it.
 *
 * Every node sends one message at the same time. "Node" is a step of the paper's model in which a node sends one message
 * to one neighbour; "link" one in which every channel carries one. Both are kinder than section 3: a node may receive
 * several messages in a step, and the two directions of a link do not exclude each other. A message takes, of the channels
 * on its shortest paths, the one that was given the fewest so far.
 */
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_N = 6, MOST_N = 12, QUICK_MOST_N = 7, DRAWS = 10, QUICK_DRAWS = 2 };

typedef enum permutation { RANDOM, REVERSAL, COMPLEMENT, PERMUTATIONS } permutation;

static const char *const permutation_names[] = {"random", "bit reversal", "complement"};
static const char *const networks[] = {"hypercube", "psnn"};

/* The destination of each node. */
static void fill(permutation which, uint32_t n, uint64_t draw, uint64_t to[])
{
    uint64_t nodes = UINT64_C(1) << n;
    for (uint64_t v = 0; v < nodes; v++) {
        uint64_t reversed = 0;
        for (uint32_t i = 0; i < n; i++)
            reversed |= (v >> i & 1) << (n - 1 - i);
        to[v] = which == REVERSAL ? reversed : which == COMPLEMENT ? nodes - 1 - v : v;
    }
    for (uint64_t last = nodes - 1; which == RANDOM && last > 0; last--) {
        uint64_t other = (uint64_t)rp_draw_whole(0.0, (double)last, draw * nodes + last);
        uint64_t kept = to[last];
        to[last] = to[other];
        to[other] = kept;
    }
}

/* ---- one permutation ---- */

typedef struct timing {
    double farthest, hops; /* greatest distance and sum of all */
    double steps[2];       /* of a link, of a node */
} timing;

/* The cycle of the last delivery. */
static double steps_of(rp_run *run, const cn_topology *t, const cn_operations *list, int one_port)
{
    const rp_experiment experiment = {.system = "collective",
                                      .topology = t,
                                      .settings = {{CN_PARAM_MACHINE, CN_MACHINE_CHANNELS},
                                                   {CN_PARAM_TREE, CN_TREE_LEAST_USED},
                                                   {CN_PARAM_ONE_PORT, one_port}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    if (scenario != NULL)
        rp_check(run, cn_scenario_set_operations(scenario, list));
    cn_result *result = rp_run_simulation(run, scenario);
    double steps = rp_value(result, CN_METRIC_COMPLETION_CYCLES);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return steps;
}

static timing permute(rp_run *run, const cn_topology *t, const uint64_t to[])
{
    timing found = {0};
    cn_operations *list = NULL;
    rp_check(run, cn_operations_new(t, &list));
    for (uint64_t v = 0; v < cn_topology_node_count(t) && !run->failed; v++) {
        uint64_t hops = 0;
        if (to[v] != v && rp_check(run, cn_topology_distance(t, v, to[v], NULL, &hops)))
            rp_check(run, cn_operations_add(list, v, &to[v], 1, 0));
        found.hops += (double)hops;
        found.farthest = fmax(found.farthest, (double)hops);
    }
    for (int one_port = 0; one_port < 2 && !run->failed; one_port++)
        found.steps[one_port] = steps_of(run, t, list, one_port);
    cn_operations_free(&list);
    return found;
}

/* The mean of the draws. */
static timing draw_all(rp_run *run, const cn_topology *t, permutation which, uint32_t n)
{
    timing mean = {0};
    uint64_t draws = which != RANDOM ? 1 : run->quick ? QUICK_DRAWS : DRAWS;
    uint64_t *to = calloc(cn_topology_node_count(t), sizeof *to);
    if (to == NULL)
        rp_fail(run, "out of memory");
    for (uint64_t draw = 0; draw < draws && !run->failed; draw++) {
        fill(which, n, draw, to);
        timing one = permute(run, t, to);
        mean.farthest += one.farthest / (double)draws;
        mean.hops += one.hops / (double)draws;
        for (int i = 0; i < 2; i++)
            mean.steps[i] += one.steps[i] / (double)draws;
    }
    free(to);
    return mean;
}

/* ---- the table and the drawing ---- */

/* Below `bound` no schedule ends: a message moves one hop a step, and all together as many as there are senders. */
static void write_row(rp_table *table, const cn_topology *t, int network, permutation which,
                      uint32_t n)
{
    double nodes = (double)cn_topology_node_count(t);
    rp_range d = rp_measure(table->run, t, CN_MEASURE_DISCONNECTIVITY);
    rp_range links = rp_measure(table->run, t, CN_MEASURE_LINKS);
    timing took = draw_all(table->run, t, which, n);
    double senders[] = {2.0 * links.upper, nodes};
    rp_table_text(table, networks[network]);
    rp_table_numbers(table, n, nodes);
    rp_table_text(table, permutation_names[which]);
    rp_table_numbers(table, d.lower, d.upper, took.farthest);
    for (int one_port = 0; one_port < 2; one_port++)
        rp_table_numbers(table, took.steps[one_port],
                         fmax(took.farthest, took.hops / senders[one_port]),
                         took.steps[one_port] / d.upper);
    if (n == LEAST_N || n == (table->run->quick ? QUICK_MOST_N : MOST_N))
        rp_table_state(
            table, rp_text("%s/%s/n=%u/steps_node", networks[network], permutation_names[which], n),
            "steps", took.steps[1]);
}

static void permutations(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit,
                  "network,n,nodes,permutation,d_lower,d_upper,farthest,steps_link,bound_link,"
                  "steps_link_over_d,steps_node,bound_node,steps_node_over_d");
    for (int network = 0; network < 2; network++)
        for (uint32_t n = LEAST_N; n <= (run->quick ? QUICK_MOST_N : MOST_N) && !run->failed; n++) {
            cn_topology *t = rp_network(run, "%s(%u)", networks[network], n);
            for (int which = 0; which < PERMUTATIONS && !run->failed; which++)
                write_row(&table, t, network, (permutation)which, n);
            cn_topology_free(&t);
        }
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "n = log_2 N", "steps; dashed: D");
    rp_plot_command(&plot, "set yrange [0:*]");
    for (unsigned network = 0; network < 2; network++) {
        const char *rows = rp_text("strcol('network') eq '%s'", networks[network]);
        for (unsigned which = 0; which < PERMUTATIONS; which++)
            rp_plot_curve(
                &plot, CURVE_LINE, PERMUTATIONS * network + which,
                rp_text("%s, %s", networks[network], permutation_names[which]),
                "(%s && strcol('permutation') eq '%s' ? column('n') : NaN):(column('steps_node'))",
                rows, permutation_names[which]);
        rp_plot_curve(&plot, CURVE_DASHED, PERMUTATIONS * network, "",
                      "(%s && strcol('permutation') eq 'random' ? column('n') : NaN):"
                      "((column('d_lower') + column('d_upper')) / 2)",
                      rows);
    }
    rp_plot_close(&plot);
}

const rp_exhibit ginosar89_permutations[] = {
    {"ginosar89-permutations", "Steps of permutations beside the disconnectivity",
     "Ginosar & Egozi 1989, 5.3 and 7", 40, permutations, NULL},
    {0},
};

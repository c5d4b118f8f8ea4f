/*
 * Ginosar & Egozi 1989, 5.3 and 7: how many steps a permutation takes, beside the disconnectivity D
 * that is to predict it.
 *
 * Every node sends one message at the same time, in three machines. "Link": in a step every channel
 * carries one message. "Node": in a step a node sends one message to one neighbour. Both run in the
 * library; a message takes, of the channels on its shortest paths, the one that was given the
 * fewest so far. "Exchange" is section 3 as it stands: a node sends one message and receives one,
 * and a link passes information in one direction, so that an exchange takes two steps. There the
 * nodes choose one after the other, each the first of its messages that finds a free link and a
 * free neighbour on a shortest path; another node begins in each step.
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
    double steps[3];       /* of a link, of a node, of exchanges */
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

/* ---- section 3 as it stands ---- */

typedef struct exchange {
    const cn_topology *t;
    uint64_t nodes, degree;
    uint64_t *neighbor;         /* [node * degree + port]; CN_NO_NODE where there is none */
    uint8_t *hops;              /* [destination * nodes + node] */
    uint64_t *at, *to, *next;   /* [message]: its node, its destination, the next one there */
    uint64_t *first, *last;     /* [node]: of its messages; CN_NO_NODE */
    uint64_t *sends, *receives; /* [node]: in this step to, from; CN_NO_NODE */
} exchange;

static void close_exchange(exchange *x)
{
    free(x->neighbor);
    free(x->hops);
    free(x->at);
}

static int open_exchange(rp_run *run, const cn_topology *t, exchange *x)
{
    const uint64_t n = cn_topology_node_count(t), ports = cn_topology_max_degree(t);
    *x = (exchange){.t = t, .nodes = n, .degree = ports};
    x->neighbor = calloc(n * ports, sizeof *x->neighbor);
    x->hops = calloc(n, n);
    x->at = calloc(n, 7 * sizeof *x->at);
    if (x->neighbor == NULL || x->hops == NULL || x->at == NULL) {
        rp_fail(run, "out of memory");
        return 0;
    }
    x->to = x->at + n;
    x->next = x->to + n;
    x->first = x->next + n;
    x->last = x->first + n;
    x->sends = x->last + n;
    x->receives = x->sends + n;
    for (uint64_t v = 0; v < n && !run->failed; v++) {
        size_t count = 0;
        rp_check(run, cn_topology_neighbors(t, v, x->neighbor + v * ports, ports, &count));
        for (; count < ports; count++)
            x->neighbor[v * ports + count] = CN_NO_NODE;
        rp_check(run, cn_topology_distances(t, v, NULL, x->at, n));
        for (uint64_t u = 0; u < n; u++)
            x->hops[v * n + u] = (uint8_t)x->at[u];
    }
    return !run->failed;
}

static void join(exchange *x, uint64_t message, uint64_t node)
{
    x->at[message] = node;
    x->next[message] = CN_NO_NODE;
    if (x->first[node] == CN_NO_NODE)
        x->first[node] = message;
    else
        x->next[x->last[node]] = message;
    x->last[node] = message;
}

/* The neighbour to which a message can go in this step; CN_NO_NODE: none. */
static uint64_t free_neighbor(const exchange *x, uint64_t message)
{
    const uint64_t v = x->at[message];
    const uint8_t *hops = x->hops + x->to[message] * x->nodes;
    for (uint64_t port = 0; port < x->degree; port++) {
        uint64_t u = x->neighbor[v * x->degree + port];
        if (u != CN_NO_NODE && hops[u] < hops[v] && x->receives[u] == CN_NO_NODE &&
            x->sends[u] != v)
            return u;
    }
    return CN_NO_NODE;
}

/* Takes the first message that can go out of the line of its node; CN_NO_NODE: none. */
static uint64_t leave(exchange *x, uint64_t node, uint64_t *far)
{
    uint64_t before = CN_NO_NODE, message = x->first[node];
    for (; message != CN_NO_NODE; before = message, message = x->next[message]) {
        if ((*far = free_neighbor(x, message)) == CN_NO_NODE)
            continue;
        if (before == CN_NO_NODE)
            x->first[node] = x->next[message];
        else
            x->next[before] = x->next[message];
        if (x->last[node] == message)
            x->last[node] = before;
        break;
    }
    return message;
}

static double exchange_all(exchange *x, const uint64_t to[])
{
    uint64_t left = 0, steps = 0;
    for (uint64_t v = 0; v < x->nodes; v++)
        x->first[v] = CN_NO_NODE;
    for (uint64_t v = 0; v < x->nodes; v++) {
        x->to[v] = to[v];
        if (to[v] != v) {
            join(x, v, v);
            left++;
        }
    }
    for (; left > 0; steps++) {
        for (uint64_t v = 0; v < x->nodes; v++)
            x->sends[v] = x->receives[v] = CN_NO_NODE;
        for (uint64_t i = 0; i < x->nodes; i++) {
            uint64_t v = (i + steps) % x->nodes, far = CN_NO_NODE, message = leave(x, v, &far);
            if (message == CN_NO_NODE)
                continue;
            x->sends[v] = far;
            x->receives[far] = message;
        }
        for (uint64_t v = 0; v < x->nodes; v++) {
            uint64_t message = x->receives[v];
            if (message != CN_NO_NODE && x->to[message] == v)
                left--;
            else if (message != CN_NO_NODE)
                join(x, message, v);
        }
    }
    return (double)steps;
}

/* ---- one permutation ---- */

static timing permute(rp_run *run, const cn_topology *t, exchange *x, const uint64_t to[])
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
    if (!run->failed)
        found.steps[2] = exchange_all(x, to);
    return found;
}

/* The mean of the draws. */
static timing draw_all(rp_run *run, const cn_topology *t, exchange *x, permutation which,
                       uint32_t n)
{
    timing mean = {0};
    uint64_t draws = which != RANDOM ? 1 : run->quick ? QUICK_DRAWS : DRAWS;
    uint64_t *to = calloc(cn_topology_node_count(t), sizeof *to);
    if (to == NULL)
        rp_fail(run, "out of memory");
    for (uint64_t draw = 0; draw < draws && !run->failed; draw++) {
        fill(which, n, draw, to);
        timing one = permute(run, t, x, to);
        mean.farthest += one.farthest / (double)draws;
        mean.hops += one.hops / (double)draws;
        for (int i = 0; i < 3; i++)
            mean.steps[i] += one.steps[i] / (double)draws;
    }
    free(to);
    return mean;
}

/* ---- the table and the drawing ---- */

/* Below `bound` no schedule ends: a message moves one hop a step, and all together as many as there
 * are senders. */
static void write_row(rp_table *table, exchange *x, int network, permutation which, uint32_t n)
{
    const cn_topology *t = x->t;
    double nodes = (double)x->nodes;
    rp_range d = rp_measure(table->run, t, CN_MEASURE_DISCONNECTIVITY);
    rp_range links = rp_measure(table->run, t, CN_MEASURE_LINKS);
    timing took = draw_all(table->run, t, x, which, n);
    double senders[] = {2.0 * links.upper, nodes, nodes};
    rp_table_text(table, networks[network]);
    rp_table_numbers(table, n, nodes);
    rp_table_text(table, permutation_names[which]);
    rp_table_numbers(table, d.lower, d.upper, took.farthest);
    for (int m = 0; m < 3; m++)
        rp_table_numbers(table, took.steps[m], fmax(took.farthest, took.hops / senders[m]),
                         took.steps[m] / d.upper);
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
                  "steps_link_over_d,steps_node,bound_node,steps_node_over_d,"
                  "steps_exchange,bound_exchange,steps_exchange_over_d");
    for (int network = 0; network < 2; network++)
        for (uint32_t n = LEAST_N; n <= (run->quick ? QUICK_MOST_N : MOST_N) && !run->failed; n++) {
            cn_topology *t = rp_network(run, "%s(%u)", networks[network], n);
            exchange x = {0};
            int is_open = t != NULL && open_exchange(run, t, &x);
            for (int which = 0; is_open && which < PERMUTATIONS && !run->failed; which++)
                write_row(&table, &x, network, (permutation)which, n);
            close_exchange(&x);
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

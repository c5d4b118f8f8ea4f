/*
 * Tables 3 to 14 of Ziavras & Krishnamurthy 1999 beside the machine `paper` of the system
 * `collective`; how far they agree, and what cannot, is in docs/lab/collective-tables.md.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ziavras99.h"

enum { REPLICATIONS = 20, QUICK_REPLICATIONS = 4, QUICK_NETWORKS = 3 };

/* Of Student's distribution, 97.5 %, for 20 and for 4 observations. */
static const double STUDENT_20 = 2.093, STUDENT_4 = 3.182;

static const double sizes[Z99_SIZES] = {3, 4, 5, 6, 7, 8, 0};

/* What comes out on one network. */
typedef struct cells {
    int known;
    double cycles[Z99_SIZES], half_width[Z99_SIZES], messages;
} cells;

/* The exhibits after the tables show them again. */
static cells seen[Z99_TABLES][Z99_NETWORKS][2];

/* ---- runs ---- */

typedef struct replication {
    double cycles[Z99_SIZES], messages;
    uint32_t draws; /* of the sources of its list */
    int failed;
} replication;

/* The first ones of the workloads with the paper's busiest source. */
static replication kept[Z99_TABLES][Z99_NETWORKS][QUICK_REPLICATIONS];

typedef struct batch {
    const rp_run *run;
    const z99_workload *workload;
    /* with the paper's busiest source, where this batch is without; else NULL */
    const replication *like;
    int detours;
    replication replication[REPLICATIONS];
} batch;

/* Without detours, and with unlimited buffers, no message ever waits: it moves in every cycle, so
 * an operation is complete after as many cycles as its farthest destination is away. *farthest: at
 * most the diameter. */
static cn_status find_farthest(const cn_topology *topology, const cn_operations *list, size_t index,
                               uint64_t destinations[], uint64_t *start, uint64_t *farthest)
{
    uint64_t source, most;
    size_t count = 0, nodes = (size_t)cn_topology_node_count(topology);
    cn_status status = cn_topology_diameter(topology, NULL, &most);
    if (status == CN_OK)
        status = cn_operations_get(list, index, destinations, nodes, &count, &source, start);
    *farthest = count == 0 ? most : 0; /* a broadcast has no destinations of its own */
    for (size_t i = 0; i < count && *farthest < most && status == CN_OK; i++) {
        uint64_t distance = 0;
        status = cn_topology_distance(topology, source, destinations[i], NULL, &distance);
        *farthest = distance > *farthest ? distance : *farthest;
    }
    return status;
}

static cn_status complete_without_waiting(const batch *b, const cn_operations *list, double *cycles)
{
    const cn_topology *topology = b->workload->topology;
    uint64_t *destinations = calloc(cn_topology_node_count(topology), sizeof *destinations);
    cn_status status = destinations == NULL ? CN_ERR_MEMORY : CN_OK;
    *cycles = 0.0;
    for (size_t i = 0; i < cn_operations_count(list) && status == CN_OK; i++) {
        uint64_t start = 0, farthest = 0;
        status = find_farthest(topology, list, i, destinations, &start, &farthest);
        *cycles = fmax(*cycles, (double)(start + farthest));
    }
    free(destinations);
    return status;
}

/* The same operations for every size of the buffers; without the paper's busiest source only for
 * those that the agreement is about. */
static void simulate_sizes(rp_run *run, const batch *b, const cn_operations *list, replication *out)
{
    const rp_experiment experiment = {.system = "collective",
                                      .topology = b->workload->topology,
                                      .settings = {{CN_PARAM_MACHINE, CN_MACHINE_PAPER},
                                                   {CN_PARAM_DETOURS, b->detours},
                                                   {CN_PARAM_REPLICATIONS, 1}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    rp_check(run, cn_scenario_set_operations(scenario, list));
    for (int size = 0; size < Z99_SIZES && !run->failed; size++) {
        if (sizes[size] == 0.0 && b->like != NULL)
            continue;
        if (sizes[size] == 0.0 && !b->detours) {
            rp_check(run, complete_without_waiting(b, list, &out->cycles[size]));
            continue;
        }
        rp_set(run, scenario, CN_PARAM_TRANSIT_BUFFERS, sizes[size]);
        cn_result *result = rp_run_simulation(run, scenario);
        out->cycles[size] = rp_value(result, CN_METRIC_COMPLETION_CYCLES);
        out->messages = rp_value(result, CN_METRIC_MESSAGES_DELIVERED);
        cn_result_free(&result);
    }
    cn_scenario_free(&scenario);
}

static void replicate(void *user, size_t number)
{
    batch *b = user;
    replication *out = &b->replication[number];
    rp_run run = *b->run;
    if (b->like != NULL && b->like[number].draws == 1) { /* its list is the same */
        *out = b->like[number];
        return;
    }
    cn_operations *list = z99_draw(b->workload, number + 1, &out->draws);
    if (list == NULL)
        rp_fail(&run, "%s", cn_last_error());
    simulate_sizes(&run, b, list, out);
    out->failed = run.failed;
    cn_operations_free(&list);
}

static void summarize(rp_run *run, const batch *b, size_t count, cells *out)
{
    double student = count == REPLICATIONS ? STUDENT_20 : STUDENT_4, messages = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (b->replication[i].failed)
            rp_fail(run, "a replication failed");
        messages += b->replication[i].messages;
    }
    for (int size = 0; size < Z99_SIZES; size++) {
        double sum = 0.0, squares = 0.0, n = (double)count;
        for (size_t i = 0; i < count; i++)
            sum += b->replication[i].cycles[size];
        for (size_t i = 0; i < count; i++)
            squares += pow(b->replication[i].cycles[size] - sum / n, 2.0);
        out->cycles[size] = sum / n;
        out->half_width[size] = student * sqrt(squares / (n - 1.0) / n);
    }
    out->messages = messages / (double)count;
    out->known = 1;
}

/* Of one network in one table, simulated once a run; with `free` on a few workloads as they
 * come. */
static const cells *cells_of(rp_run *run, int table, int network, int free)
{
    cells *out = &seen[table - Z99_FIRST_TABLE][network][free];
    if (out->known || run->failed)
        return out;
    cn_topology *topology = rp_network(run, "generalized_hypercube(k=%u,n=%u)",
                                       z99_networks[network].k, z99_networks[network].n);
    if (!run->failed) {
        z99_workload workload = z99_workload_of(table, network, topology, free);
        replication *like = kept[table - Z99_FIRST_TABLE][network];
        const cells *same = free ? cells_of(run, table, network, 0) : NULL;
        batch b = {
            .run = run, .workload = &workload, .detours = table >= 11, .like = free ? like : NULL};
        size_t count = run->quick || free ? QUICK_REPLICATIONS : REPLICATIONS;
        if (free && z99_workload_of(table, network, topology, 0).busiest == 0) {
            *out = *same;
        } else {
            rp_together(run, count, replicate, &b);
            summarize(run, &b, count, out);
            if (!free)
                memcpy(like, b.replication, QUICK_REPLICATIONS * sizeof *like);
        }
    }
    cn_topology_free(&topology);
    return out;
}

static int networks_of(const rp_run *run)
{
    return run->quick ? QUICK_NETWORKS : Z99_NETWORKS;
}

/* ---- tables 3 to 14 ---- */

static void write_network(rp_table *out, int table, int network)
{
    const cells *ours = cells_of(out->run, table, network, 0);
    const z99_printed *printed = &z99_tables[table - Z99_FIRST_TABLE][network];
    uint32_t n = z99_networks[network].n, k = z99_networks[network].k;
    for (int size = 0; size < Z99_SIZES; size++) {
        rp_table_numbers(out, n, k, pow(k, n));
        if (sizes[size] > 0.0)
            rp_table_numbers(out, sizes[size]);
        else
            rp_table_text(out, "inf");
        rp_table_numbers(out, ours->cycles[size], ours->half_width[size], printed->cycles[size],
                         ours->cycles[size] / printed->cycles[size], ours->messages,
                         printed->messages);
        rp_table_compare(out, rp_text("n=%u/k=%u/cycles", n, k), "cycles", ours->cycles[size],
                         printed->cycles[size]);
    }
    rp_table_compare(out, rp_text("n=%u/k=%u/messages", n, k), "messages", ours->messages,
                     printed->messages);
}

/* Of the cells with finite buffers. */
typedef struct agreement {
    double ratio, deviation; /* means of the ratio and of |ratio - 1| */
} agreement;

static agreement agreement_of(rp_run *run, int table, int free)
{
    agreement mean = {0.0, 0.0};
    double count = (double)networks_of(run) * (Z99_SIZES - 1);
    for (int network = 0; network < networks_of(run) && !run->failed; network++) {
        const cells *ours = cells_of(run, table, network, free);
        for (int size = 0; size < Z99_SIZES - 1; size++) {
            double ratio =
                ours->cycles[size] / z99_tables[table - Z99_FIRST_TABLE][network].cycles[size];
            mean.ratio += ratio / count;
            mean.deviation += fabs(ratio - 1.0) / count;
        }
    }
    return mean;
}

static void state_agreement(rp_table *out, const char *name, agreement mean)
{
    rp_table_state(out, rp_text("%s/mean_ratio", name), "ratio", mean.ratio);
    rp_table_state(out, rp_text("%s/mean_deviation", name), "1", mean.deviation);
}

static void write_table(rp_run *run, const rp_exhibit *exhibit)
{
    const int *of = exhibit->of, table = *of;
    rp_table out;
    rp_table_open(&out, run, exhibit,
                  "n,k,nodes,buffer,cycles_ours,half_width,cycles_paper,ratio,messages_ours,"
                  "messages_paper");
    for (int network = 0; network < networks_of(run) && !run->failed; network++)
        write_network(&out, table, network);
    state_agreement(&out, "finite_buffers", agreement_of(run, table, 0));
    rp_table_close(&out);
}

/* ---- how far they agree ---- */

static void write_agreement(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table out;
    rp_table_open(&out, run, exhibit,
                  "table,mean_ratio,mean_deviation,mean_ratio_any_workload,"
                  "mean_deviation_any_workload");
    for (int table = Z99_FIRST_TABLE; table <= Z99_LAST_TABLE && !run->failed; table++) {
        agreement like = agreement_of(run, table, 0), any = agreement_of(run, table, 1);
        rp_table_numbers(&out, table, like.ratio, like.deviation, any.ratio, any.deviation);
        state_agreement(&out, rp_text("table=%d", table), like);
        state_agreement(&out, rp_text("table=%d/any_workload", table), any);
    }
    rp_table_close(&out);
}

static void write_ratios(rp_table *out, int table, int network)
{
    const cells *ours = cells_of(out->run, table, network, 0);
    const z99_printed *printed = &z99_tables[table - Z99_FIRST_TABLE][network];
    for (int size = 0; size < Z99_SIZES - 1; size++) {
        rp_table_numbers(out, z99_networks[network].n, z99_networks[network].k, table, sizes[size],
                         table + (sizes[size] - 5.5) * 0.13,
                         ours->cycles[size] / printed->cycles[size]);
    }
}

static int has_dimension(const rp_run *run, uint32_t n)
{
    for (int network = 0; network < networks_of(run); network++)
        if (z99_networks[network].n == n)
            return 1;
    return 0;
}

/* Ratio over buffers, the tables side by side, a colour for each number of dimensions. */
static void write_summary(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table out;
    rp_plot plot;
    rp_table_open(&out, run, exhibit, "n,k,table,buffer,position,ratio");
    for (int table = Z99_FIRST_TABLE; table <= Z99_LAST_TABLE; table++)
        for (int network = 0; network < networks_of(run) && !run->failed; network++)
            write_ratios(&out, table, network);
    rp_table_close(&out);
    rp_plot_open(&plot, run, exhibit, "table; within each the buffers, 3 to 8 messages",
                 "cycles, ours over the paper's");
    rp_plot_command(&plot, "set xtics 3,1,14\nset xrange [2.4:14.6]");
    for (unsigned n = 2; n <= 6; n++) {
        if (has_dimension(run, n))
            rp_plot_curve(&plot, CURVE_POINTS, n - 2, rp_text("GH(%u,k)", n),
                          "($1 == %u ? $5 : NaN):6:(0)", n);
    }
    rp_plot_close(&plot);
}

static const int tables[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};

#define MULTICAST(number, share, which, weight)                                                  \
    {                                                                                            \
        "ziavras99-table-" #number, "Cycles of multicasts to " share " of the nodes, " which,    \
            "Ziavras & Krishnamurthy 1999, Table " #number, weight, write_table, &tables[number] \
    }

const rp_exhibit ziavras99_tables[] = {
    {"ziavras99-table-3", "Cycles of broadcasts that start at random",
     "Ziavras & Krishnamurthy 1999, Table 3", 32, write_table, &tables[3]},
    MULTICAST(4, "1/4", "random", 22),
    MULTICAST(5, "1/8", "random", 13),
    MULTICAST(6, "1/16", "random", 8),
    MULTICAST(7, "1/32", "random", 5),
    MULTICAST(8, "1/8", "the same for all", 13),
    MULTICAST(9, "1/16", "the same for all", 7),
    MULTICAST(10, "1/32", "the same for all", 5),
    MULTICAST(11, "1/4", "random, adaptive routing", 48),
    MULTICAST(12, "1/8", "the same for all, adaptive", 33),
    MULTICAST(13, "1/16", "the same for all, adaptive", 19),
    MULTICAST(14, "1/32", "the same for all, adaptive", 11),
    {"ziavras99-summary", "Cycles, ours over the paper's, in all cells",
     "Ziavras & Krishnamurthy 1999, Tables 3-14", 1, write_summary, NULL},
    {"ziavras99-agreement", "How far the tables agree, with the paper's busiest source and without",
     "Ziavras & Krishnamurthy 1999, Tables 3-14", 17, write_agreement, NULL},
    {0},
};

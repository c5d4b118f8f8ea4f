/*
 * Collective operations as workloads: how long an allreduce takes by each algorithm that exists on
 * a network, and from which vectors on others are faster than Swing. Worms and cut-through by the
 * routing that each takes by itself.
 *
 * No algorithm is faster than the channels: of M flits at each of N nodes (N - 1) / N M leave a
 * node before the sums are made and as many after, over as many channels as a node has.
 */
#include <math.h>

#include "reproduce.h"

#include <cubenet/experimental/collectives.h>

static const char *const systems[] = {"wormhole", "cut-through"};

enum { SYSTEMS = COUNT(systems), SIZES = 11, SMALLEST = 16 };

typedef struct allreduce {
    rp_run *run;
    const cn_topology *topology;
    cn_algorithm algorithm;
    uint64_t flits;
} allreduce;

/* NULL, and no failure, where the algorithm does not exist. */
static cn_workload *workload_of(const allreduce *a)
{
    cn_workload *made = NULL;
    cn_status status = cn_workload_collective(a->topology, CN_COLLECTIVE_ALLREDUCE, a->algorithm,
                                              a->flits, 0, &made);
    if (status != CN_ERR_UNSUPPORTED)
        rp_check(a->run, status);
    return made;
}

/* Cycles to the last delivery; NaN where it does not exist. */
static double cycles_of(const allreduce *a, const char *system)
{
    const rp_experiment experiment = {.system = system, .topology = a->topology};
    cn_workload *workload = workload_of(a);
    double cycles = NAN;
    if (workload != NULL) {
        cn_scenario *scenario = rp_scenario(a->run, &experiment);
        rp_check(a->run, cn_scenario_set_workload(scenario, workload));
        cn_result *result = rp_run_simulation(a->run, scenario);
        cycles = rp_value(result, CN_METRIC_COMPLETION_CYCLES);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
    cn_workload_free(&workload);
    return cycles;
}

/* ---- all algorithms ---- */

static const char *const networks[] = {"kary_ncube(k=8,n=3,bidirectional=True)", "hypercube(9)",
                                       "generalized_hypercube(k=8,n=3)"};
static const char *const titles[] = {"torus 8x8x8", "9-cube", "generalized hypercube 8x8x8"};

enum {
    NETWORKS = COUNT(networks),
    ALGORITHMS = CN_ALGORITHM_DIMENSIONS + 1, /* those of an allreduce come first */
    POINTS = NETWORKS * ALGORITHMS * SIZES
};

typedef struct point {
    size_t network;
    cn_algorithm algorithm;
    uint64_t flits, steps;
    double bound, busiest, cycles[SYSTEMS];
} point;

static void place_point(void *made, size_t number)
{
    point *p = made;
    p->network = number / SIZES / ALGORITHMS;
    p->algorithm = (cn_algorithm)(number / SIZES % ALGORITHMS);
    p->flits = (uint64_t)SMALLEST << number % SIZES;
}

static void count(const allreduce *a, point *p)
{
    cn_workload *workload = workload_of(a);
    double nodes = (double)cn_topology_node_count(a->topology);
    p->bound =
        ceil(2 * (nodes - 1) / nodes * (double)p->flits / cn_topology_max_degree(a->topology));
    if (workload == NULL)
        return;
    rp_check(a->run, cn_workload_steps(workload, &p->steps));
    rp_check(a->run, cn_workload_busiest_channel(workload, NULL, NULL, &p->busiest));
    cn_workload_free(&workload);
}

static void make_point(rp_run *run, void *made)
{
    point *p = made;
    cn_topology *topology = rp_network(run, "%s", networks[p->network]);
    const allreduce a = {run, topology, p->algorithm, p->flits};
    count(&a, p);
    for (size_t s = 0; s < SYSTEMS; s++)
        p->cycles[s] = cycles_of(&a, systems[s]);
    cn_topology_free(&topology);
}

static void write_point(rp_table *table, const void *made)
{
    const point *p = made;
    if (p->steps == 0)
        return; /* no such algorithm there */
    rp_table_numbers(table, (double)p->network);
    rp_table_text(table, titles[p->network]);
    rp_table_text(table, cn_algorithm_name(p->algorithm));
    rp_table_numbers(table, (int)p->algorithm, (double)p->flits, (double)p->steps, p->bound,
                     p->busiest, p->cycles[0], p->cycles[1]);
    if (p->flits == SMALLEST)
        rp_table_state(table,
                       rp_text("network=%zu/%s", p->network, cn_algorithm_name(p->algorithm)),
                       "cycles", p->cycles[0]);
}

static int is_quick(size_t number)
{
    return number % SIZES == 0;
}

static void draw_panel(rp_plot *plot, rp_run *run, size_t network)
{
    cn_topology *topology = rp_network(run, "%s", networks[network]);
    for (size_t a = 0; a < ALGORITHMS; a++) {
        const allreduce one = {run, topology, (cn_algorithm)a, 1};
        cn_workload *workload = workload_of(&one);
        if (workload != NULL)
            rp_plot_curve(plot, CURVE_LINE, (unsigned)a, cn_algorithm_name((cn_algorithm)a),
                          "(column('panel')==%zu && column('curve')==%zu ? column('flits') : "
                          "NaN):'wormhole_cycles'",
                          network, a);
        cn_workload_free(&workload);
    }
    rp_plot_curve(plot, CURVE_DASHED, ALGORITHMS, "bound",
                  "(column('panel')==%zu && column('curve')==0 ? column('flits') : NaN):'bound'",
                  network);
    cn_topology_free(&topology);
}

static void draw(rp_run *run, const rp_exhibit *exhibit)
{
    rp_plot plot;
    rp_plot_open(&plot, run, exhibit, "flits of a node: torus 8x8x8", "cycles of the allreduce");
    rp_plot_panels(&plot, NETWORKS);
    rp_plot_command(&plot, "set logscale xy 2\nset format '%.0f'");
    for (size_t n = 0; n < NETWORKS; n++) {
        if (n > 0)
            rp_plot_next_panel(&plot, rp_text("flits of a node: %s", titles[n]));
        draw_panel(&plot, run, n);
    }
    rp_plot_close(&plot);
}

static void compare_algorithms(rp_run *run, const rp_exhibit *exhibit)
{
    static const rp_point_set set = {
        .header = "panel,network,algorithm,curve,flits,steps,bound,busiest_flits,wormhole_cycles,"
                  "cut_through_cycles",
        .size = sizeof(point),
        .count = POINTS,
        .is_quick = is_quick,
        .place = place_point,
        .work = make_point,
        .write = write_point};
    rp_make_points(run, exhibit, &set);
    draw(run, exhibit);
}

/* ---- Swing against others ---- */

static const char *const tori[] = {"ring(64)", "torus([16,16])", "torus([8,8,8])",
                                   "torus([4,4,4,4])", "torus([2,4,16])"};
static const cn_algorithm others[] = {CN_ALGORITHM_RING, CN_ALGORITHM_RINGS, CN_ALGORITHM_RECURSIVE,
                                      CN_ALGORITHM_BINE};

typedef struct crossing {
    const char *torus, *system;
    cn_algorithm other;
    double nodes, least, swing[2], cycles[2]; /* of SMALLEST flits and of the most */
} crossing;

static void place_crossing(void *made, size_t number)
{
    crossing *c = made;
    c->system = systems[number % SYSTEMS];
    c->other = others[number / SYSTEMS % COUNT(others)];
    c->torus = tori[number / SYSTEMS / COUNT(others)];
}

static int other_is_faster(allreduce *a, const crossing *c, uint64_t flits)
{
    a->flits = flits;
    a->algorithm = CN_ALGORITHM_SWING;
    double swing = cycles_of(a, c->system);
    a->algorithm = c->other;
    return cycles_of(a, c->system) < swing;
}

/* Doubled until the other one is faster, then halved between, to a sixteenth. */
static double find_crossing(allreduce *a, const crossing *c)
{
    uint64_t above = SMALLEST, most = (uint64_t)SMALLEST << (SIZES - 1);
    while (above <= most && !other_is_faster(a, c, above))
        above *= 2;
    if (above > most)
        return NAN;
    for (uint64_t step = above / 4; above > SMALLEST && step >= above / 16; step /= 2)
        if (other_is_faster(a, c, above - step))
            above -= step;
    return (double)above;
}

static void make_crossing(rp_run *run, void *made)
{
    crossing *c = made;
    cn_topology *topology = rp_network(run, "%s", c->torus);
    allreduce a = {run, topology, CN_ALGORITHM_SWING, 0};
    c->nodes = (double)cn_topology_node_count(topology);
    for (size_t i = 0; i < 2; i++) {
        a.flits = (uint64_t)SMALLEST << (i == 0 ? 0 : SIZES - 1);
        a.algorithm = CN_ALGORITHM_SWING;
        c->swing[i] = cycles_of(&a, c->system);
        a.algorithm = c->other;
        c->cycles[i] = cycles_of(&a, c->system);
    }
    c->least = find_crossing(&a, c);
    cn_topology_free(&topology);
}

static void write_crossing(rp_table *table, const void *made)
{
    const crossing *c = made;
    rp_table_text(table, c->torus);
    rp_table_text(table, c->system);
    rp_table_text(table, cn_algorithm_name(c->other));
    rp_table_numbers(table, c->nodes, c->least, c->swing[0], c->cycles[0], c->swing[1],
                     c->cycles[1]);
}

static int is_quick_crossing(size_t number)
{
    return number / SYSTEMS / COUNT(others) == 0 && number % SYSTEMS == 0;
}

static void find_crossings(rp_run *run, const rp_exhibit *exhibit)
{
    static const rp_point_set set = {
        .header = "torus,system,algorithm,nodes,faster_than_swing_from,swing_cycles_16,cycles_16,"
                  "swing_cycles_16384,cycles_16384",
        .size = sizeof(crossing),
        .count = COUNT(tori) * COUNT(others) * SYSTEMS,
        .is_quick = is_quick_crossing,
        .place = place_crossing,
        .work = make_crossing,
        .write = write_crossing};
    rp_make_points(run, exhibit, &set);
}

const rp_exhibit collectives[] = {
    {"collectives-allreduce", "An allreduce of 16 to 16 384 flits a node by every algorithm",
     "De Sensi et al. 2024 and others", 45, compare_algorithms, NULL},
    {"collectives-crossing", "Vectors from which on others are faster than Swing",
     "De Sensi et al. 2024", 60, find_crossings, NULL},
    {0},
};

/*
 * How the choice of the best network is affected by locality: the question of Horng 1992, 6.1.2,
 * which the dissertation leaves open.
 *
 * Deflection on the k-ary n-cubes of 256 nodes at constant bisection width, with rings of one way
 * and of both (4.1), two buffers a channel, and traffic that is uniform or has geometric locality
 * of a mean distance. Each network is at the load at which its power is greatest in the published
 * model; the best one of a processing ratio has the greatest power in cycle times of the Boolean
 * cube. The model is the one that `automatic` takes.
 */
#include <math.h>
#include <stdio.h>

#include "cubenet/experimental/shape.h"

#include "reproduce.h"

enum { NODES = 256, SHAPES = 4, RINGS = 2, MEANS = 4, BETAS = 3, POINTS = RINGS * MEANS * SHAPES };

static const double means[MEANS] = {0.0, 1.5, 2.0, 4.0}; /* 0: uniform traffic */
static const double betas[BETAS] = {0.0, 0.25, 1.0};
static const char *const rings[RINGS] = {"one-way", "two-way"};

typedef struct point {
    int both_ways;
    double mean, load;
    uint64_t k;
    uint32_t n;
    double throughput_model, delay_model;
    rp_estimate throughput, delay;
} point;

typedef struct comparison {
    rp_run *run;
    int failed;
    size_t count;
    point points[POINTS];
} comparison;

/* ---- one point ---- */

static double mean_of(double ratio, uint64_t diameter)
{
    double sum = 0.0, hops = 0.0, weight = 1.0;
    for (uint64_t d = 1; d <= diameter; d++, weight *= ratio) {
        sum += weight;
        hops += (double)d * weight;
    }
    return hops / sum;
}

/* NULL for uniform traffic. */
static cn_traffic *traffic_of(rp_run *run, const cn_topology *topology, double mean)
{
    cn_traffic *traffic = NULL;
    uint64_t diameter = 1;
    double low = 0.0, high = 1.0;
    if (mean == 0.0)
        return NULL;
    rp_check(run, cn_topology_diameter(topology, NULL, &diameter));
    for (int i = 0; i < 53; i++) {
        double middle = 0.5 * (low + high);
        *(mean_of(middle, diameter) < mean ? &low : &high) = middle;
    }
    rp_check(run, cn_traffic_geometric_locality(topology, high, &traffic));
    return traffic;
}

static void simulate(rp_run *run, cn_scenario *scenario, point *p)
{
    rp_set(run, scenario, CN_PARAM_WARMUP_CYCLES, run->quick ? 200 : 2000);
    rp_set(run, scenario, CN_PARAM_MEASURE_CYCLES, run->quick ? 500 : 10000);
    rp_set(run, scenario, CN_PARAM_RELATIVE_PRECISION, run->quick ? 0.02 : 0.003);
    cn_result *result = rp_run_simulation(run, scenario);
    p->throughput = rp_read(result, CN_METRIC_THROUGHPUT, 1);
    p->delay = rp_read(result, CN_METRIC_MEAN_DELAY, 1);
    cn_result_free(&result);
}

static void compare(rp_run *run, point *p, uint64_t seed)
{
    cn_topology *topology = NULL;
    rp_check(run, cn_topology_kary_ncube(p->k, p->n, p->both_ways, &topology));
    cn_traffic *traffic = traffic_of(run, topology, p->mean);
    const rp_experiment experiment = {.system = "deflection", .topology = topology, .seed = seed};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    rp_check(run, cn_scenario_set_traffic(scenario, traffic));
    rp_check(run, cn_optimal_load(scenario, NULL, &p->load, NULL));
    rp_set(run, scenario, CN_PARAM_LOAD, p->load);
    rp_set(run, scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_AUTOMATIC);
    cn_result *model = rp_run_model(run, scenario);
    p->throughput_model = rp_value(model, CN_METRIC_THROUGHPUT);
    p->delay_model = rp_value(model, CN_METRIC_MEAN_DELAY);
    simulate(run, scenario, p);
    cn_result_free(&model);
    cn_scenario_free(&scenario);
    cn_traffic_free(&traffic);
    cn_topology_free(&topology);
}

static void work(void *user, size_t i)
{
    comparison *all = user;
    rp_run run = *all->run;
    compare(&run, &all->points[i], i + 1);
    if (run.failed)
        all->failed = 1;
}

/* ---- all ---- */

static void place(comparison *all)
{
    uint64_t k[SHAPES];
    uint32_t n[SHAPES];
    rp_check(all->run, cn_kary_shapes(NODES, k, n, SHAPES, NULL));
    for (int both = 0; both < RINGS; both++)
        for (size_t m = 0; m < MEANS; m++)
            for (size_t s = 0; s < SHAPES; s++)
                if (!all->run->quick || means[m] == 0.0 || means[m] == 2.0)
                    all->points[all->count++] =
                        (point){.both_ways = both, .mean = means[m], .k = k[s], .n = n[s]};
}

/* In units of the cycle time of the Boolean cube: it goes with the square of the rate of cycles. */
static double power_of(rp_run *run, const point *p, double beta, double throughput, double delay)
{
    double cycle = 1.0;
    rp_check(run, cn_bisection_cycle_time(p->k, p->both_ways, beta, &cycle));
    return throughput / delay / cycle / cycle;
}

static double power_of_model(rp_run *run, const point *p, double beta)
{
    return power_of(run, p, beta, p->throughput_model, p->delay_model);
}

static double power_of_simulation(rp_run *run, const point *p, double beta)
{
    return power_of(run, p, beta, p->throughput.value, p->delay.value);
}

static void write_point(rp_table *table, const point *p)
{
    rp_table_text(table, rings[p->both_ways]);
    rp_table_numbers(table, (double)p->k, p->n, p->mean, p->load, p->throughput_model);
    rp_table_estimate(table, p->throughput);
    rp_table_numbers(table, p->delay_model);
    rp_table_estimate(table, p->delay);
    rp_table_compare(table, "throughput", "messages/node/cycle", p->throughput_model,
                     p->throughput.value);
    rp_table_compare(table, "delay", "cycles", p->delay_model, p->delay.value);
    for (size_t b = 0; b < BETAS; b++)
        rp_table_numbers(table, power_of_model(table->run, p, betas[b]),
                         power_of_simulation(table->run, p, betas[b]));
}

/* The n of the greatest power among the shapes of one traffic. */
static void state_best(rp_table *table, const point shapes[SHAPES], double beta, const char *name,
                       double (*power)(rp_run *, const point *, double))
{
    size_t best = 0;
    for (size_t s = 1; s < SHAPES; s++)
        if (power(table->run, &shapes[s], beta) > power(table->run, &shapes[best], beta))
            best = s;
    const char *traffic = shapes->mean == 0.0 ? "uniform" : rp_text("mean=%g", shapes->mean);
    rp_table_state(
        table, rp_text("best_n/%s/%s/beta=%g/%s", rings[shapes->both_ways], traffic, beta, name),
        "1", shapes[best].n);
}

static void make(rp_run *run, const rp_exhibit *exhibit)
{
    comparison all = {.run = run};
    rp_table table;
    place(&all);
    rp_together(run, all.count, work, &all);
    if (all.failed)
        rp_fail(run, "a point of %s failed", exhibit->id);
    rp_table_open(&table, run, exhibit,
                  "rings,k,n,mean_distance,load,throughput_model,throughput_simulation,"
                  "throughput_half_width,mean_delay_model,mean_delay_simulation,"
                  "mean_delay_half_width,power_0_model,power_0_simulation,power_0.25_model,"
                  "power_0.25_simulation,power_1_model,power_1_simulation");
    for (size_t i = 0; i < all.count && !run->failed; i++)
        write_point(&table, &all.points[i]);
    for (size_t i = 0; i < all.count && !run->failed; i += SHAPES)
        for (size_t b = 0; b < BETAS; b++) {
            state_best(&table, &all.points[i], betas[b], "model", power_of_model);
            state_best(&table, &all.points[i], betas[b], "simulation", power_of_simulation);
        }
    rp_table_close(&table);
}

const rp_exhibit horng92_locality[] = {
    {"horng92-locality", "The best shape of 256 nodes at constant bisection width, with locality",
     "Horng 1992, 6.1.2", 20, make, NULL},
    {0},
};

/* Statistics of runs: they change no metric, add up to the totals, and do not depend on threads. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "simulation/deflection/deflection.h"
#include "simulation/run/sim.h"
#include "simulation/store_forward/store_forward.h"
#include "simulation/wormhole/wormhole.h"

enum { MOST_CHANNELS = 8192, MOST_BINS = 8448 };

/* ---- experiments ---- */

typedef struct experiment {
    const char *system, *routing;
    char network; /* c: hypercube(6), k: 4-ary 3-cube, m: mesh of 4 x 4, d: damaged hypercube(6) */
    double load;
    int continuous;
    double broadcasts;
} experiment;

static const experiment experiments[] = {
    {"deflection", NULL, 'c', 2.5, 0, 0},
    {"deflection", NULL, 'k', 2.0, 0, 0},
    {"deflection", "minimal", 'm', 0.9, 0, 0},
    {"deflection", "minimal", 'd', 0.9, 0, 0},
    {"separate-buffers", NULL, 'c', 1.2, 0, 0},
    {"separate-buffers", NULL, 'k', 0.7, 0, 0},
    {"separate-buffers", "up-down", 'm', 0.1, 0, 0},
    {"separate-buffers", "valiant", 'k', 0.4, 0, 0},
    {"separate-buffers", NULL, 'd', 0.8, 0, 0},
    {"separate-buffers", NULL, 'c', 1.2, 1, 0},
    {"separate-buffers", NULL, 'k', 0.7, 1, 0},
    {"separate-buffers", "valiant", 'k', 0.4, 1, 0},
    {"shared-buffer", NULL, 'c', 1.0, 0, 0},
    {"shared-buffer", NULL, 'k', 0.6, 0, 0},
    {"wormhole", NULL, 'c', 0.01, 0, 0},
    {"wormhole", NULL, 'k', 0.0008, 0, 0.1},
    {"wormhole", NULL, 'd', 0.0004, 0, 0.2},
};

enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

static cn_topology *make_network(char which)
{
    static const uint64_t sides[] = {4, 4};
    cn_topology *t = NULL;
    if (which == 'k')
        assert_ok(cn_topology_kary_ncube(4, 3, 1, &t));
    else if (which == 'm')
        assert_ok(cn_topology_mesh(sides, 2, &t));
    else
        assert_ok(cn_topology_hypercube(6, &t));
    return t;
}

static cn_scenario *scenario_of(const experiment *e, int statistics)
{
    cn_topology *t = make_network(e->network);
    cn_scenario *scenario;
    cn_faults *faults = NULL;
    assert_ok(cn_scenario_new(t, e->system, &scenario));
    if (e->network == 'd') {
        assert_ok(cn_faults_new(t, &faults));
        assert_ok(cn_faults_add_node(faults, 9));
        assert_ok(cn_faults_add_link(faults, 20, 3));
        assert_ok(cn_scenario_set_faults(scenario, faults));
    }
    if (e->routing != NULL)
        assert_ok(cn_scenario_set_routing_name(scenario, e->routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, e->load));
    if (e->continuous)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0));
    if (e->broadcasts > 0.0)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, e->broadcasts));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 150));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 2048));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, statistics));
    cn_faults_free(&faults);
    cn_topology_free(&t);
    return scenario;
}

static int is_wormhole(const experiment *e)
{
    return strcmp(e->system, "wormhole") == 0;
}

/* ---- reading ---- */

static uint64_t sum_of_loads(const cn_result *result)
{
    static uint64_t loads[MOST_CHANNELS];
    size_t count;
    uint64_t sum = 0;
    assert_ok(cn_result_channel_loads(result, loads, MOST_CHANNELS, &count));
    for (size_t i = 0; i < count; i++)
        sum += loads[i];
    return sum;
}

static uint64_t sum_of_nodes(const cn_result *result, cn_node_count which)
{
    static uint64_t counts[MOST_CHANNELS];
    size_t count;
    uint64_t sum = 0;
    assert_ok(cn_result_node_counts(result, which, counts, MOST_CHANNELS, &count));
    for (size_t i = 0; i < count; i++)
        sum += counts[i];
    return sum;
}

typedef struct bins {
    size_t count;
    uint64_t messages;
    double sum; /* of the lower ends */
    double lower[MOST_BINS], upper[MOST_BINS];
    uint64_t of[MOST_BINS];
} bins;

static void read_bins(const cn_result *result, cn_distribution which, bins *read)
{
    assert_ok(cn_result_histogram(result, which, read->lower, read->upper, read->of, MOST_BINS,
                                  &read->count));
    read->messages = 0;
    read->sum = 0.0;
    for (size_t i = 0; i < read->count; i++) {
        assert_true(read->of[i] > 0 && read->lower[i] < read->upper[i]);
        assert_true(i == 0 || read->upper[i - 1] <= read->lower[i]);
        read->messages += read->of[i];
        read->sum += read->lower[i] * (double)read->of[i];
    }
}

/* ---- no metric changes ---- */

static void assert_same_metrics(const cn_result *a, const cn_result *b)
{
    for (size_t m = 1; m <= cn_metric_count(); m++) {
        cn_metric metric = (cn_metric)m;
        double values[2], widths[2];
        uint64_t samples[2];
        assert_int_equal(cn_result_has(a, metric), cn_result_has(b, metric));
        if (!cn_result_has(a, metric))
            continue;
        assert_ok(cn_result_value(a, metric, &values[0]));
        assert_ok(cn_result_value(b, metric, &values[1]));
        assert_ok(cn_result_half_width(a, metric, &widths[0]));
        assert_ok(cn_result_half_width(b, metric, &widths[1]));
        assert_ok(cn_result_samples(a, metric, &samples[0]));
        assert_ok(cn_result_samples(b, metric, &samples[1]));
        assert_memory_equal(&values[0], &values[1], sizeof values[0]);
        assert_memory_equal(&widths[0], &widths[1], sizeof widths[0]);
        assert_int_equal(samples[0], samples[1]);
    }
}

static void metrics_stay_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXPERIMENTS; i++) {
        cn_result *results[2];
        for (int statistics = 0; statistics < 2; statistics++) {
            cn_scenario *scenario = scenario_of(&experiments[i], statistics);
            assert_ok(cn_simulate(scenario, NULL, &results[statistics]));
            assert_int_equal(cn_result_has_statistics(results[statistics]), statistics);
            cn_scenario_free(&scenario);
        }
        assert_same_metrics(results[0], results[1]);
        cn_result_free(&results[0]);
        cn_result_free(&results[1]);
    }
}

/* ---- sums ---- */

static uint64_t hops_of(const experiment *e, const uint64_t measured[CNI_COUNTERS])
{
    if (is_wormhole(e))
        return measured[CNI_COUNT_WORM_FLIT_HOPS];
    if (strcmp(e->system, "deflection") == 0)
        return measured[CNI_COUNT_FIRST_PHASE] + measured[CNI_COUNT_SECOND_PHASE];
    return measured[CNI_COUNT_HOPS];
}

static uint64_t queued(const experiment *e, const uint64_t measured[CNI_COUNTERS])
{
    if (is_wormhole(e))
        return measured[CNI_COUNT_WORM_PRESENT];
    if (strcmp(e->system, "deflection") == 0)
        return measured[CNI_COUNT_QUEUE];
    return measured[CNI_COUNT_WAITING];
}

static void check_sums(const experiment *e, const cn_sim *sim, const cn_result *result)
{
    static bins read;
    uint64_t measured[CNI_COUNTERS], queue = 0;
    cni_sim_measured(sim, measured);
    assert_int_equal(sum_of_loads(result), hops_of(e, measured));
    assert_int_equal(sum_of_nodes(result, CN_NODE_COUNT_OFFERED), measured[CNI_COUNT_OFFERED]);
    assert_int_equal(sum_of_nodes(result, CN_NODE_COUNT_ACCEPTED), measured[CNI_COUNT_ACCEPTED]);
    assert_int_equal(sum_of_nodes(result, CN_NODE_COUNT_REFUSED),
                     measured[CNI_COUNT_OFFERED] - measured[CNI_COUNT_ACCEPTED]);
    assert_int_equal(sum_of_nodes(result, CN_NODE_COUNT_DELIVERED), measured[CNI_COUNT_DELIVERED]);
    if (!is_wormhole(e))
        assert_int_equal(sum_of_nodes(result, CN_NODE_COUNT_FORWARDED),
                         hops_of(e, measured) - measured[CNI_COUNT_DELIVERED]);
    for (uint64_t node = 0; node < result->statistics->counts.nodes; node++)
        queue += result->statistics->counts.queue[node];
    assert_int_equal(queue, queued(e, measured));
    read_bins(result, CN_DISTRIBUTION_DELAY, &read);
    assert_int_equal(read.messages, measured[CNI_COUNT_DELIVERED]);
    read_bins(result, CN_DISTRIBUTION_HOPS, &read);
    if (is_wormhole(e)) {
        assert_true(read.sum == (double)measured[CNI_COUNT_WORM_HOPS]);
        assert_int_equal(read.messages,
                         measured[CNI_COUNT_DELIVERED] - measured[CNI_COUNT_WORM_BROADCASTS]);
    } else {
        assert_int_equal(read.messages, measured[CNI_COUNT_DELIVERED]);
    }
}

static void sums_are_the_totals(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXPERIMENTS; i++) {
        cn_scenario *scenario = scenario_of(&experiments[i], 1);
        cn_sim *sim;
        cn_result *result;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_step(sim, 150, NULL));
        for (uint64_t part = 1; part < 700; part *= 3) {
            if (part == 81)
                assert_ok(cn_sim_reset_statistics(sim));
            assert_ok(cn_sim_step(sim, part, NULL));
            assert_ok(cn_sim_result(sim, &result));
            check_sums(&experiments[i], sim, result);
            cn_result_free(&result);
        }
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
}

/* All that a network of stored messages takes in comes out: then the hops of the delivered messages
 * are those of the channels. */
static void hops_of_messages_are_those_of_channels(void **state)
{
    (void)state;
    static bins read;
    for (size_t i = 0; i < EXPERIMENTS; i++) {
        const experiment *e = &experiments[i];
        cn_scenario *scenario = scenario_of(e, 1);
        cn_sim *sim;
        cn_result *result;
        cn_delivery delivery;
        uint64_t hops = 0, deflections = 0, measured[CNI_COUNTERS], nodes = 64;
        if (e->network == 'm')
            nodes = 16;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        for (uint64_t c = 0; c < 40; c++) {
            for (uint64_t from = 0; from < nodes; from++)
                for (uint64_t j = 0; j < 5 && !is_wormhole(e); j++) {
                    uint64_t to = (from + 1 + (c * 31 + from * 17 + j * 7) % (nodes - 1)) % nodes;
                    if (e->network != 'd' || (from != 9 && to != 9))
                        assert_true(cn_sim_inject(sim, from, to, 0, 0) >= CN_OK);
                }
            assert_ok(cn_sim_step(sim, 1, NULL));
        }
        assert_ok(cn_sim_step(sim, 2000, NULL));
        cni_sim_measured(sim, measured);
        assert_int_equal(measured[CNI_COUNT_ACCEPTED], measured[CNI_COUNT_DELIVERED]);
        while (cn_sim_next_delivery(sim, &delivery, sizeof delivery) == CN_OK) {
            hops += delivery.hops;
            deflections += delivery.deflections;
            assert_int_equal(delivery.flits, 1);
            assert_true(delivery.hops >= 1 && delivery.deflections < delivery.hops);
        }
        assert_ok(cn_sim_result(sim, &result));
        read_bins(result, CN_DISTRIBUTION_HOPS, &read);
        assert_true(read.sum == (double)hops);
        assert_int_equal(hops, is_wormhole(e) ? 0 : sum_of_loads(result));
        if (strcmp(e->system, "deflection") == 0) {
            assert_int_equal(deflections, measured[CNI_COUNT_DEFLECTED]);
            assert_true(deflections > 0);
        } else {
            assert_int_equal(deflections, 0);
        }
        cn_result_free(&result);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
}

/* ---- threads and runs ---- */

static void assert_same_statistics_of(const cn_result *a, const cn_result *b)
{
    const cni_result_statistics *one = a->statistics, *other = b->statistics;
    assert_int_equal(one->counts.words, other->counts.words);
    assert_memory_equal(one->counts.word, other->counts.word,
                        one->counts.words * sizeof *one->counts.word);
    assert_memory_equal(&one->delays, &other->delays, sizeof one->delays);
    assert_int_equal(one->batches, other->batches);
    assert_memory_equal(one->batch, other->batch, sizeof one->batch);
}

/* Large enough for several threads. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    static const char *const systems[] = {"deflection", "separate-buffers", "shared-buffer"};
    for (size_t i = 0; i < 3; i++) {
        cn_topology *t;
        cn_scenario *scenario;
        cn_result *results[2];
        assert_ok(cn_topology_hypercube(10, &t));
        assert_ok(cn_scenario_new(t, systems[i], &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.8));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, 1));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 100));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 400));
        for (int r = 0; r < 2; r++) {
            assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, 1 + 2 * r));
            assert_ok(cn_simulate(scenario, NULL, &results[r]));
        }
        assert_same_statistics_of(results[0], results[1]);
        cn_result_free(&results[0]);
        cn_result_free(&results[1]);
        cn_scenario_free(&scenario);
        cn_topology_free(&t);
    }
}

static void replications_add_up(void **state)
{
    (void)state;
    static uint64_t sums[2][MOST_CHANNELS], one[MOST_CHANNELS];
    for (size_t i = 0; i < EXPERIMENTS; i += 4) {
        cn_scenario *scenario = scenario_of(&experiments[i], 1);
        cn_result *all, *single;
        size_t count;
        double total, values[64];
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 3));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, 2));
        assert_ok(cn_simulate(scenario, NULL, &all));
        assert_ok(cn_result_value(all, CN_METRIC_MESSAGES_DELIVERED, &total));
        assert_true((double)sum_of_nodes(all, CN_NODE_COUNT_DELIVERED) == total);
        assert_fails(cn_result_batches(all, CN_METRIC_THROUGHPUT, values, 64, NULL, NULL),
                     CN_ERR_NOT_FOUND, "several replications");
        assert_ok(cn_result_channel_loads(all, sums[0], MOST_CHANNELS, &count));
        memset(sums[1], 0, sizeof sums[1]);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 1));
        uint64_t seed = cn_scenario_seed(scenario);
        for (uint64_t r = 0; r < 3; r++) {
            assert_ok(cn_scenario_set_seed(scenario, r == 0 ? seed : cni_random_derive(seed, r)));
            assert_ok(cn_simulate(scenario, NULL, &single));
            assert_ok(cn_result_channel_loads(single, one, MOST_CHANNELS, NULL));
            for (size_t c = 0; c < count; c++)
                sums[1][c] += one[c];
            cn_result_free(&single);
        }
        assert_memory_equal(sums[0], sums[1], count * sizeof one[0]);
        cn_result_free(&all);
        cn_scenario_free(&scenario);
    }
}

/* ---- histograms and batches ---- */

static void quantiles_are_those_of_the_metrics(void **state)
{
    (void)state;
    static bins all, unicast, broadcast;
    for (size_t i = 0; i < EXPERIMENTS; i++) {
        cn_scenario *scenario = scenario_of(&experiments[i], 1);
        cn_result *result;
        double value, metric;
        assert_ok(cn_simulate(scenario, NULL, &result));
        assert_ok(cn_result_quantile(result, CN_DISTRIBUTION_DELAY, 0.95, &value));
        assert_ok(cn_result_value(result, CN_METRIC_DELAY_P95, &metric));
        assert_true(value == metric);
        assert_ok(cn_result_quantile(result, CN_DISTRIBUTION_DELAY, 1.0, &value));
        assert_ok(cn_result_value(result, CN_METRIC_DELAY_MAX, &metric));
        assert_true(value <= metric && value > 0.99 * metric);
        assert_ok(cn_result_quantile(result, CN_DISTRIBUTION_HOPS, 0.0, &value));
        assert_true(value == 1.0);
        if (is_wormhole(&experiments[i]) && experiments[i].broadcasts > 0.0) {
            read_bins(result, CN_DISTRIBUTION_DELAY, &all);
            read_bins(result, CN_DISTRIBUTION_DELAY_UNICAST, &unicast);
            read_bins(result, CN_DISTRIBUTION_DELAY_BROADCAST, &broadcast);
            assert_true(broadcast.messages > 0);
            assert_int_equal(all.messages, unicast.messages + broadcast.messages);
            assert_true(all.sum == unicast.sum + broadcast.sum);
            assert_ok(cn_result_quantile(result, CN_DISTRIBUTION_DELAY_UNICAST, 1.0, &value));
            assert_true(value == unicast.lower[unicast.count - 1]);
            assert_ok(cn_result_quantile(result, CN_DISTRIBUTION_DELAY_UNICAST, 0.0, &value));
            assert_true(value == unicast.lower[0]);
        }
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

static void batches_are_the_run_in_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXPERIMENTS; i++) {
        cn_scenario *scenario = scenario_of(&experiments[i], 1);
        cn_result *result;
        double values[64], whole, sum = 0.0;
        size_t count;
        uint64_t cycles;
        assert_ok(cn_simulate(scenario, NULL, &result));
        assert_ok(cn_result_batches(result, CN_METRIC_THROUGHPUT, values, 64, &count, &cycles));
        assert_int_equal(count * cycles, 2048);
        for (size_t b = 0; b < count; b++)
            sum += values[b];
        assert_ok(cn_result_value(result, CN_METRIC_THROUGHPUT, &whole));
        assert_true(fabs(sum / (double)count - whole) < 1e-12);
        assert_ok(
            cn_result_batches(result, CN_METRIC_MESSAGES_IN_FLIGHT, values, 64, &count, NULL));
        assert_ok(cn_result_value(result, CN_METRIC_MESSAGES_IN_FLIGHT, &whole));
        assert_true(values[count - 1] == whole);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

/* ---- measured and expected loads ---- */

/* Every channel of a torus within three half-widths of the expected flow, by runs of their own
 * seeds. */
static void measured_loads_are_the_expected_ones(void **state)
{
    (void)state;
    enum { RUNS = 40, CYCLES = 1500, CHANNELS = 12 * 4 };
    static const uint64_t sides[] = {3, 4};
    static const char *const routings[] = {"minimal", "dimension-order", "valiant"};
    for (size_t i = 0; i < 3; i++) {
        cn_topology *t;
        cn_scenario *scenario;
        cn_routing *routing;
        double expected[CHANNELS], load = 0.25;
        static cni_moments moments[CHANNELS];
        uint64_t loads[CHANNELS];
        memset(moments, 0, sizeof moments);
        assert_ok(cn_topology_torus(sides, 2, &t));
        assert_ok(cn_routing_new(t, routings[i], NULL, NULL, &routing));
        assert_ok(cn_routing_loads(routing, NULL, NULL, NULL, expected, CHANNELS, NULL));
        assert_ok(cn_scenario_new(t, "separate-buffers", &scenario));
        assert_ok(cn_scenario_set_routing(scenario, routing));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, CN_SELECTION_RANDOM));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 200));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, CYCLES));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, 1));
        for (uint64_t r = 0; r < RUNS; r++) {
            cn_result *result;
            assert_ok(cn_scenario_set_seed(scenario, 100 + r));
            assert_ok(cn_simulate(scenario, NULL, &result));
            assert_ok(cn_result_channel_loads(result, loads, CHANNELS, NULL));
            for (size_t c = 0; c < CHANNELS; c++)
                cni_moments_add(&moments[c], (double)loads[c] / CYCLES);
            cn_result_free(&result);
        }
        for (size_t c = 0; c < CHANNELS; c++) {
            double off = fabs(moments[c].mean - load * expected[c]);
            assert_true(off <= 3.0 * cni_moments_half_width(&moments[c]));
        }
        cn_scenario_free(&scenario);
        cn_routing_free(&routing);
        cn_topology_free(&t);
    }
}

/* ---- refusals ---- */

static void what_was_not_counted_is_not_there(void **state)
{
    (void)state;
    cn_scenario *scenario = scenario_of(&experiments[0], 0);
    cn_result *result, *model;
    uint64_t counts[64];
    double values[64];
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_ok(cn_predict(scenario, NULL, &model));
    assert_int_equal(cn_result_has_statistics(model), 0);
    assert_int_equal(cn_result_has_statistics(NULL), 0);
    assert_fails(cn_result_channel_loads(model, counts, 64, NULL), CN_ERR_NOT_FOUND,
                 "statistics = yes");
    assert_fails(cn_result_node_counts(result, CN_NODE_COUNT_OFFERED, counts, 64, NULL),
                 CN_ERR_NOT_FOUND, "statistics = yes");
    assert_fails(cn_result_node_queues(result, values, 64, NULL), CN_ERR_NOT_FOUND, "statistics");
    assert_fails(
        cn_result_histogram(result, CN_DISTRIBUTION_DELAY, values, values, counts, 64, NULL),
        CN_ERR_NOT_FOUND, "statistics");
    assert_fails(cn_result_quantile(result, CN_DISTRIBUTION_DELAY, 0.5, values), CN_ERR_NOT_FOUND,
                 "statistics");
    assert_fails(cn_result_batches(result, CN_METRIC_THROUGHPUT, values, 64, NULL, NULL),
                 CN_ERR_NOT_FOUND, "statistics");
    cn_result_free(&result);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, 1));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_fails(cn_result_quantile(result, CN_DISTRIBUTION_DELAY, 1.5, values), CN_ERR_ARGUMENT,
                 "share = 1.5");
    assert_fails(cn_result_quantile(result, CN_DISTRIBUTION_DELAY, NAN, values), CN_ERR_ARGUMENT,
                 "share");
    assert_fails(cn_result_histogram(result, CN_DISTRIBUTION_DELAY_BROADCAST, values, values,
                                     counts, 64, NULL),
                 CN_ERR_NOT_FOUND, "delay_broadcast");
    assert_fails(cn_result_quantile(result, (cn_distribution)9, 0.5, values), CN_ERR_ARGUMENT,
                 "which = 9");
    assert_fails(cn_result_node_counts(result, (cn_node_count)5, counts, 64, NULL), CN_ERR_ARGUMENT,
                 "which = 5");
    assert_fails(cn_result_batches(result, CN_METRIC_MEAN_DELAY_BROADCAST, values, 64, NULL, NULL),
                 CN_ERR_NOT_FOUND, "mean_delay_broadcast");
    cn_result_free(&result);
    cn_result_free(&model);
    cn_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_stay_the_same),
        cmocka_unit_test(sums_are_the_totals),
        cmocka_unit_test(hops_of_messages_are_those_of_channels),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(replications_add_up),
        cmocka_unit_test(quantiles_are_those_of_the_metrics),
        cmocka_unit_test(batches_are_the_run_in_parts),
        cmocka_unit_test(measured_loads_are_the_expected_ones),
        cmocka_unit_test(what_was_not_counted_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The driven simulation: injection, deliveries, warm-up, results, and what goes wrong. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

static cn_scenario *scenario_on(cn_topology *topology, double load, double buffers)
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers));
    cn_topology_free(&topology);
    return scenario;
}

static cn_scenario *deflection_on_cube(uint32_t n, double load, double buffers)
{
    cn_topology *topology;
    assert_ok(cn_topology_hypercube(n, &topology));
    return scenario_on(topology, load, buffers);
}

static cn_sim *open_and_free(cn_scenario *scenario)
{
    cn_sim *sim;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario); /* the simulation keeps what it needs */
    return sim;
}

/* ---- injected messages ---- */

/* Alone in the network a message needs exactly as many cycles as hops, between any two nodes. */
static void check_lone_messages(cn_topology *topology)
{
    uint64_t nodes = cn_topology_node_count(topology), hops[64];
    for (uint64_t v = 1; v < nodes; v++)
        assert_ok(cn_topology_distance(topology, 0, v, NULL, &hops[v]));
    cn_sim *sim = open_and_free(scenario_on(topology, 0.0, 2.0 * cn_topology_max_degree(topology)));
    for (uint64_t v = 1; v < nodes; v++) {
        cn_delivery got;
        uint64_t begin = cn_sim_cycle(sim);
        assert_ok(cn_sim_inject(sim, 0, v, 0, 1000 + v));
        assert_ok(cn_sim_step(sim, hops[v] - 1, NULL));
        assert_int_equal(cn_sim_next_delivery(sim, &got, sizeof got), CN_DONE);
        assert_ok(cn_sim_step(sim, 1, NULL));
        assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
        assert_int_equal(got.tag, 1000 + v);
        assert_int_equal(got.source, 0);
        assert_int_equal(got.destination, v);
        assert_int_equal(got.injected, begin);
        assert_int_equal(got.delivered, begin + hops[v]);
        assert_int_equal(cn_sim_next_delivery(sim, &got, sizeof got), CN_DONE);
    }
    cn_sim_close(&sim);
}

static void a_lone_message_needs_its_distance(void **state)
{
    (void)state;
    cn_topology *topology;
    assert_ok(cn_topology_hypercube(6, &topology));
    check_lone_messages(topology);
    assert_ok(cn_topology_kary_ncube(4, 3, 0, &topology));
    check_lone_messages(topology);
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &topology));
    check_lone_messages(topology);
}

/* Messages thrown in by hand among the scenario's own traffic: each comes out once, with its
 * tag. */
static void check_each_delivered_once(double load, double threads)
{
    enum { MESSAGES = 4000 };
    static char seen[MESSAGES];
    static uint64_t sources[MESSAGES + 1], destinations[MESSAGES + 1];
    memset(seen, 0, sizeof seen);
    cn_scenario *scenario = deflection_on_cube(10, load, 12);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
    cn_sim *sim = open_and_free(scenario);
    uint64_t injected = 0, refused = 0, delivered = 0, last_cycle = 0, draw = 0;
    cn_delivery got;
    for (int round = 0; delivered < MESSAGES; round++) {
        assert_true(round < 10000);
        for (int tries = 0; tries < 200 && injected < MESSAGES; tries++) {
            uint64_t source = cni_random_word(9, draw++) % 1024;
            uint64_t destination = (source + 1 + cni_random_word(9, draw++) % 1023) % 1024;
            sources[injected] = source =
                tries % 2 == 0 || injected == 0 ? source : sources[injected - 1];
            destinations[injected] = destination = destination == source ? source ^ 1 : destination;
            cn_status status = cn_sim_inject(sim, source, destination, 0, injected);
            if (status == CN_REFUSED)
                refused++;
            else
                assert_ok(status);
            injected += status == CN_OK;
        }
        assert_ok(cn_sim_step(sim, 1 + (uint64_t)round % 3, NULL));
        while (cn_sim_next_delivery(sim, &got, sizeof got) == CN_OK) {
            assert_true(got.tag < injected);
            assert_int_equal(seen[got.tag]++, 0);
            assert_int_equal(got.source, sources[got.tag]);
            assert_int_equal(got.destination, destinations[got.tag]);
            assert_true(got.delivered > got.injected && got.delivered >= last_cycle);
            assert_true(got.delivered <= cn_sim_cycle(sim));
            last_cycle = got.delivered;
            delivered++;
        }
    }
    assert_int_equal(injected, MESSAGES);
    if (load > 5.0)
        assert_true(refused > 0);
    cn_sim_close(&sim);
}

static void each_message_is_delivered_once_with_its_tag(void **state)
{
    (void)state;
    check_each_delivered_once(0.0, 1);
    check_each_delivered_once(1.5, 1);
    check_each_delivered_once(10.0, 1);
    check_each_delivered_once(1.5, 3);
}

static void a_full_node_refuses(void **state)
{
    (void)state;
    cn_sim *sim = open_and_free(deflection_on_cube(3, 0.0, 5));
    for (uint64_t i = 0; i < 5; i++)
        assert_ok(cn_sim_inject(sim, 2, 6, 0, i));
    assert_int_equal(cn_sim_inject(sim, 2, 6, 0, 5), CN_REFUSED);
    assert_ok(cn_sim_inject(sim, 3, 6, 0, 6)); /* only that node */
    assert_ok(cn_sim_step(sim, 1001, NULL));
    cn_delivery got;
    for (int i = 0; i < 6; i++)
        assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
    assert_int_equal(cn_sim_next_delivery(sim, &got, sizeof got), CN_DONE);
    cn_result *result;
    assert_ok(cn_sim_result(sim, &result));
    assert_near(value_of(result, CN_METRIC_MESSAGES_OFFERED), 7, 0);
    assert_near(value_of(result, CN_METRIC_MESSAGES_REFUSED), 1, 0);
    assert_near(value_of(result, CN_METRIC_MESSAGES_DELIVERED), 6, 0);
    assert_near(value_of(result, CN_METRIC_MESSAGES_IN_FLIGHT), 0, 0);
    cn_result_free(&result);
    cn_sim_close(&sim);
}

/* A caller built against a shorter cn_delivery gets no byte more than it knows. */
static void a_shorter_delivery_is_respected(void **state)
{
    (void)state;
    cn_sim *sim = open_and_free(deflection_on_cube(3, 0.0, 5));
    assert_ok(cn_sim_inject(sim, 0, 7, 0, 42));
    assert_ok(cn_sim_step(sim, 3, NULL));
    cn_delivery got;
    memset(&got, 0xee, sizeof got);
    assert_ok(cn_sim_next_delivery(sim, &got, 3 * sizeof got.tag));
    assert_int_equal(got.tag, 42);
    assert_int_equal(got.destination, 7);
    assert_int_equal(got.injected, UINT64_C(0xeeeeeeeeeeeeeeee));
    cn_sim_close(&sim);
}

/* ---- the same bits ---- */

static void check_stepped(double load, double warmup, uint64_t expected)
{
    cn_scenario *scenario = deflection_on_cube(5, load, 8);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, warmup));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 5000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    assert_ok(cn_scenario_set_seed(scenario, 77));
    cn_result *whole, *stepped;
    assert_ok(cn_simulate(scenario, NULL, &whole));
    assert_int_equal(cn_result_stop(whole), CN_STOP_CYCLES);
    assert_int_equal(cn_result_seed(whole), 77);
    assert_near(value_of(whole, CN_METRIC_WARMUP_CYCLES), (double)expected, 0);
    cn_sim *sim = open_and_free(scenario);
    uint64_t end = 5000 + expected;
    for (uint64_t cycle = 0, step = 1; cycle < end; cycle += step, step = 1 + step * 7 % 113)
        assert_ok(cn_sim_step(sim, step < end - cycle ? step : end - cycle, NULL));
    assert_int_equal(cn_sim_cycle(sim), end);
    assert_ok(cn_sim_result(sim, &stepped));
    assert_same_result(whole, stepped);
    cn_result_free(&whole);
    cn_result_free(&stepped);
    cn_sim_close(&sim);
}

static void stepping_equals_simulating(void **state)
{
    (void)state;
    check_stepped(1.5, 333, 333);
    check_stepped(1.5, 0, 0);
    check_stepped(1.5, CN_WARMUP_AUTOMATIC, 256);
    check_stepped(0, CN_WARMUP_AUTOMATIC, 128); /* nothing is in flight */
}

static void check_threads(double warmup)
{
    cn_result *results[4];
    static const double threads[4] = {1, 2, 3, 4};
    for (int i = 0; i < 4; i++) {
        cn_topology *topology;
        assert_ok(cn_topology_kary_ncube(11, 3, 1, &topology)); /* 1331 nodes share unevenly */
        cn_scenario *scenario = scenario_on(topology, 0.5, 9);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads[i]));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, warmup));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 600));
        assert_ok(cn_simulate(scenario, NULL, &results[i]));
        cn_scenario_free(&scenario);
    }
    for (int i = 1; i < 4; i++) {
        assert_same_result(results[0], results[i]);
        cn_result_free(&results[i]);
    }
    cn_result_free(&results[0]);
}

static void threads_do_not_change_the_result(void **state)
{
    (void)state;
    check_threads(50);
    check_threads(CN_WARMUP_AUTOMATIC);
}

/* ---- the warm-up ---- */

static double warmup_of(const char *system, uint32_t n, double load, double measured)
{
    cn_scenario *scenario = cube_scenario(system, n, load);
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, measured));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    assert_ok(cn_simulate(scenario, NULL, &result));
    double cycles = value_of(result, CN_METRIC_WARMUP_CYCLES);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return cycles;
}

/* Queues take the longer to fill the nearer the load is to its limit, here about 0.0426 for
 * worms. */
static void a_warm_up_finds_its_end(void **state)
{
    (void)state;
    double light = warmup_of("wormhole", 4, 0.008, 40000);
    double heavy = warmup_of("wormhole", 4, 0.0415, 40000);
    assert_in_range(light, 128, 1024);
    assert_in_range(heavy, light, 10000);
    assert_near(warmup_of("wormhole", 4, 0.06, 40000), 10000, 0); /* they never are full */
    assert_near(warmup_of("wormhole", 4, 0.0415, 400), 100, 0);   /* at most a quarter */
    assert_near(warmup_of("deflection", 4, 1.5, 3), 0, 0);
    assert_true(warmup_of("wormhole", 4, 0.12, 1e6) < 32768); /* nor need they: 256 a channel */
}

/* ---- the accounting ---- */

/* Offered = accepted + refused, accepted = delivered + in flight, and Little's law without a rest:
 * the messages counted at the start of every cycle are the delays of the delivered plus the ages of
 * those still on their way. With the load cut off the latter are none. */
static void the_accounts_add_up(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(6, 0.0, 9);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    cn_sim *sim = open_and_free(scenario);
    uint64_t cycles = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        uint64_t source = cni_random_word(4, 2 * i) % 64;
        cn_status status =
            cn_sim_inject(sim, source, source ^ (1 + cni_random_word(4, 2 * i + 1) % 63), 0, i);
        assert_true(status == CN_OK || status == CN_REFUSED);
        if (i % 40 == 39) {
            assert_ok(cn_sim_step(sim, 1, NULL));
            cycles++;
        }
    }
    assert_ok(cn_sim_step(sim, 200, NULL));
    cycles += 200;
    cn_result *r;
    assert_ok(cn_sim_result(sim, &r));
    double delivered = value_of(r, CN_METRIC_MESSAGES_DELIVERED);
    assert_near(value_of(r, CN_METRIC_MESSAGES_IN_FLIGHT), 0, 0);
    assert_near(value_of(r, CN_METRIC_MESSAGES_ACCEPTED), delivered, 0);
    assert_near(value_of(r, CN_METRIC_MESSAGES_OFFERED), 3000, 0);
    assert_near(value_of(r, CN_METRIC_MESSAGES_REFUSED), 3000 - delivered, 0);
    assert_near(value_of(r, CN_METRIC_CYCLES), (double)cycles, 0);
    assert_near(value_of(r, CN_METRIC_MEAN_QUEUE_LENGTH) * 64.0 * (double)cycles,
                value_of(r, CN_METRIC_MEAN_DELAY) * delivered, 1e-6);
    cn_result_free(&r);
    cn_sim_close(&sim);
}

/* What the metrics say of each other in a steady run. */
static void metrics_agree_with_each_other(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(6, 1.5, 8);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    cn_result *r;
    assert_ok(cn_simulate(scenario, NULL, &r));
    double rho = value_of(r, CN_METRIC_CHANNEL_UTILIZATION), h = value_of(r, CN_METRIC_MEAN_HOPS);
    double throughput = value_of(r, CN_METRIC_THROUGHPUT),
           delay = value_of(r, CN_METRIC_MEAN_DELAY);
    double forward = value_of(r, CN_METRIC_FORWARDING_PROBABILITY);
    double deflect = value_of(r, CN_METRIC_DEFLECTION_PROBABILITY);
    assert_near(forward + deflect, rho, 1e-12);
    assert_near(forward - deflect, value_of(r, CN_METRIC_NET_PROGRESS), 1e-12);
    assert_near(value_of(r, CN_METRIC_FIRST_PHASE_UTILIZATION) +
                    value_of(r, CN_METRIC_SECOND_PHASE_UTILIZATION),
                rho, 1e-12);
    assert_near(throughput, 6.0 * rho / h, 1e-12);
    assert_near(value_of(r, CN_METRIC_TRANSIT_PROBABILITY), rho * (1.0 - 1.0 / h), 1e-12);
    assert_near(value_of(r, CN_METRIC_POWER), 64.0 * throughput / delay, 1e-9);
    /* up to what the borders of the run cut off: 20000 cycles against some 10 on the way */
    assert_near(value_of(r, CN_METRIC_MEAN_QUEUE_LENGTH), throughput * delay, 1e-3 * 6.0);
    assert_near((forward - deflect) * 6.0 / throughput, value_of(r, CN_METRIC_MEAN_DISTANCE), 5e-3);
    assert_near(value_of(r, CN_METRIC_MEAN_DISTANCE), 6.0 * 32.0 / 63.0, 5e-3);
    assert_true(value_of(r, CN_METRIC_DELAY_P50) <= value_of(r, CN_METRIC_DELAY_P95));
    assert_true(value_of(r, CN_METRIC_DELAY_P95) <= value_of(r, CN_METRIC_DELAY_P99));
    assert_true(value_of(r, CN_METRIC_DELAY_P99) <= value_of(r, CN_METRIC_DELAY_MAX));
    assert_near(value_of(r, CN_METRIC_DELAY_P50), delay, 1.0);
    cn_result_free(&r);
    cn_scenario_free(&scenario);
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The quantiles are those of the delays of all messages, and the samples are their number. */
static void quantiles_are_those_of_the_delays(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(5, 0.0, 20);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    cn_sim *sim = open_and_free(scenario);
    static uint64_t delays[3000];
    size_t delivered = 0;
    cn_delivery got;
    for (uint64_t cycle = 0; cycle < 120; cycle++) {
        for (uint64_t i = 0; i < 40 && cycle < 60; i++)
            cn_sim_inject(sim, i % 5, 31 - i % 7, 0, i);
        assert_ok(cn_sim_step(sim, 1, NULL));
        while (cn_sim_next_delivery(sim, &got, sizeof got) == CN_OK)
            delays[delivered++] = got.delivered - got.injected;
    }
    qsort(delays, delivered, sizeof delays[0], by_size);
    assert_true(delivered > 500 && delays[delivered - 1] > delays[0] + 4);
    cn_result *r;
    assert_ok(cn_sim_result(sim, &r));
    static const struct {
        cn_metric metric;
        double p;
    } quantiles[] = {{CN_METRIC_DELAY_P50, 0.50},
                     {CN_METRIC_DELAY_P95, 0.95},
                     {CN_METRIC_DELAY_P99, 0.99},
                     {CN_METRIC_DELAY_MAX, 1.00}};
    for (size_t i = 0; i < 4; i++) {
        size_t rank = (size_t)ceil(quantiles[i].p * (double)delivered);
        assert_near(value_of(r, quantiles[i].metric), (double)delays[rank - 1], 0);
    }
    uint64_t samples;
    assert_ok(cn_result_samples(r, CN_METRIC_MEAN_DELAY, &samples));
    assert_int_equal(samples, delivered);
    assert_ok(cn_result_samples(r, CN_METRIC_ACCEPTANCE_PROBABILITY, &samples));
    assert_near(value_of(r, CN_METRIC_MESSAGES_OFFERED), (double)samples, 0);
    cn_result_free(&r);
    cn_sim_close(&sim);
}

/* A message offered and none delivered is no overload. */
static void an_idle_network_is_not_saturated(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        cn_scenario *scenario = deflection_on_cube(6, 0.0005, 12);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 5));
        assert_ok(cn_scenario_set_seed(scenario, seed));
        cn_result *r;
        assert_ok(cn_simulate(scenario, NULL, &r));
        assert_int_equal(cn_result_is_saturated(r), 0);
        cn_result_free(&r);
        cn_scenario_free(&scenario);
    }
}

static void nothing_delivered_means_no_delay(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(4, 0.0, 8);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 100));
    cn_result *r;
    double value;
    assert_ok(cn_simulate(scenario, NULL, &r));
    assert_near(value_of(r, CN_METRIC_THROUGHPUT), 0.0, 0.0);
    assert_false(cn_result_has(r, CN_METRIC_MEAN_DELAY));
    assert_fails(cn_result_value(r, CN_METRIC_MEAN_DELAY, &value), CN_ERR_NOT_FOUND, "mean_delay");
    assert_false(cn_result_has(r, CN_METRIC_DELAY_P99));
    assert_int_equal(cn_result_is_saturated(r), 0);
    cn_result_free(&r);
    cn_scenario_free(&scenario);
}

/* ---- what goes wrong ---- */

static void bad_calls_are_refused(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(3, 0.5, 6);
    cn_sim *sim = NULL, *none = NULL;
    cn_result *result;
    cn_delivery got;
    assert_fails(cn_sim_open(NULL, NULL, &none), CN_ERR_ARGUMENT, "scenario");
    assert_fails(cn_sim_open(scenario, NULL, NULL), CN_ERR_ARGUMENT, "sim");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 2));
    assert_fails(cn_sim_open(scenario, NULL, &none), CN_ERR_ARGUMENT, "buffers = 2");
    assert_null(none);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 6));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 1000));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_inject(sim, 8, 0, 0, 0), CN_ERR_ARGUMENT, "0 to 7");
    assert_fails(cn_sim_inject(sim, 0, UINT64_MAX, 0, 0), CN_ERR_ARGUMENT, "0 to 7");
    assert_fails(cn_sim_inject(sim, 5, 5, 0, 0), CN_ERR_ARGUMENT, "both 5");
    assert_fails(cn_sim_inject(NULL, 5, 4, 0, 0), CN_ERR_ARGUMENT, "sim");
    assert_fails(cn_sim_step(NULL, 1, NULL), CN_ERR_ARGUMENT, "sim");
    assert_fails(cn_sim_step(sim, UINT64_MAX, NULL), CN_ERR_ARGUMENT, "2^63");
    assert_ok(cn_sim_step(sim, 0, NULL));
    assert_fails(cn_sim_next_delivery(sim, NULL, 40), CN_ERR_ARGUMENT, "delivery");
    assert_fails(cn_sim_next_delivery(sim, &got, 0), CN_ERR_ARGUMENT, "size = 0");
    assert_fails(cn_sim_result(sim, &result), CN_ERR_STATE, "warm-up");
    assert_null(result);
    assert_ok(cn_sim_step(sim, 1000, NULL));
    assert_fails(cn_sim_result(sim, &result), CN_ERR_STATE, "warm-up");
    assert_ok(cn_sim_step(sim, 1, NULL));
    assert_ok(cn_sim_result(sim, &result));
    cn_result_free(&result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_sim_close(&sim);
    cn_sim_close(&sim);
    cn_sim_close(NULL);
    assert_int_equal(cn_sim_cycle(NULL), 0);
}

static void a_network_beyond_memory_is_refused(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(40, 0.5, 80);
    cn_sim *sim;
    cn_result *result;
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_UNSUPPORTED, "hypercube(40)");
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "hypercube(40)");
    assert_null(result);
    cn_scenario_free(&scenario);
}

static cn_status drive(void *context)
{
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    cn_result *result = NULL;
    (void)context;
    cn_status status = cn_topology_hypercube(4, &topology);
    if (status == CN_OK)
        status = cn_scenario_new(topology, "deflection", &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 10);
    if (status == CN_OK)
        status = cn_sim_open(scenario, NULL, &sim);
    for (uint64_t i = 0; i < 40 && status == CN_OK; i++)
        status = cn_sim_inject(sim, i % 16, (i + 1) % 16, 0, i);
    if (status == CN_OK)
        status = cn_sim_step(sim, 50, NULL);
    if (status == CN_OK)
        status = cn_sim_result(sim, &result);
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    support_fail_every_allocation(drive, NULL);
}

static void stepping_allocates_nothing(void **state)
{
    (void)state;
    support_install_allocator(0);
    cn_sim *sim = open_and_free(deflection_on_cube(6, 2.0, 7));
    assert_ok(cn_sim_inject(sim, 0, 63, 0, 0));
    uint64_t before = support_allocations();
    assert_ok(cn_sim_step(sim, 3000, NULL));
    assert_int_equal(support_allocations(), before);
    cn_sim_close(&sim);
    support_remove_allocator();
}

#define HAS_TYPE(function, type) _Generic(&(function), type : 1, default : 0)

/* Looking for messages that stand still, a kernel keeps what it finds. */
static void types_tell_which_calls_only_read(void **state)
{
    (void)state;
    typedef cn_status (*list_fn)(cn_sim *, uint64_t[], size_t, size_t *);
    typedef cn_status (*reading_list_fn)(const cn_sim *, uint64_t[], size_t, size_t *);
    assert_true(HAS_TYPE(cn_sim_result, cn_status(*)(cn_sim *, cn_result **)));
    assert_true(HAS_TYPE(cn_sim_deadlock, list_fn));
    assert_true(HAS_TYPE(cn_sim_channel_loads, reading_list_fn));
    assert_true(HAS_TYPE(cn_sim_cycle, uint64_t(*)(const cn_sim *)));
}

static void looks_leave_the_course_alone(void **state)
{
    (void)state;
    cn_scenario *scenario = cube_scenario("wormhole", 4, 0.01);
    cn_sim *looked_at, *left_alone;
    cn_result *looks, *result, *alone;
    uint64_t channels[64];
    size_t count;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 10));
    assert_ok(cn_sim_open(scenario, NULL, &looked_at));
    assert_ok(cn_sim_open(scenario, NULL, &left_alone));
    assert_ok(cn_sim_step(left_alone, 400, NULL));
    assert_ok(cn_sim_step(looked_at, 11, NULL));
    for (int cycle = 11; cycle < 400; cycle++) {
        assert_ok(cn_sim_result(looked_at, &looks));
        cn_result_free(&looks);
        assert_fails(cn_sim_deadlock(looked_at, channels, 64, &count), CN_ERR_STATE,
                     "not deadlocked");
        assert_ok(cn_sim_step(looked_at, 1, NULL));
    }
    assert_ok(cn_sim_result(looked_at, &result));
    assert_ok(cn_sim_result(left_alone, &alone));
    assert_true(value_of(alone, CN_METRIC_MESSAGES_DELIVERED) > 0);
    assert_same_result(result, alone);
    cn_result_free(&result);
    cn_result_free(&alone);
    cn_sim_close(&looked_at);
    cn_sim_close(&left_alone);
    cn_scenario_free(&scenario);
}

/* ---- broadcasts that memory is missing for ---- */

enum { STATE_ROOM = 1 << 16 };

static size_t state_of(const cn_sim *sim, uint8_t data[STATE_ROOM])
{
    size_t size;
    assert_ok(cn_sim_save(sim, data, STATE_ROOM, &size));
    return size;
}

/* As if it had not been tried, or the end: the same status from all that goes on. Gives 1 when the
 * broadcast was taken. */
static int broadcast_without_memory(const cn_scenario *scenario, uint64_t failing, size_t *ends)
{
    static uint8_t one[STATE_ROOM], other[STATE_ROOM];
    cn_sim *sim, *untouched;
    for (int i = 0; i < 2; i++) {
        cn_sim **made = i == 0 ? &sim : &untouched;
        assert_ok(cn_sim_open(scenario, NULL, made));
        assert_ok(cn_sim_step(*made, 9, NULL));
    }
    support_fail_allocation(failing);
    cn_status status = cn_sim_inject_broadcast(sim, 1, CN_BASE_OF_SCENARIO, 7);
    support_fail_allocation(0);
    assert_true(status == CN_OK || status == CN_ERR_MEMORY);
    if (status == CN_ERR_MEMORY && cn_sim_step(sim, 40, NULL) == CN_OK) {
        assert_ok(cn_sim_step(untouched, 40, NULL));
        size_t size = state_of(sim, one);
        assert_int_equal(size, state_of(untouched, other));
        assert_memory_equal(one, other, size);
        assert_ok(cn_sim_inject_broadcast(sim, 1, CN_BASE_OF_SCENARIO, 7));
    } else if (status == CN_ERR_MEMORY) {
        assert_true(cn_sim_step(sim, 1, NULL) < CN_OK);
        assert_true(cn_sim_inject(sim, 0, 1, 0, 7) < CN_OK);
        assert_true(cn_sim_inject_broadcast(sim, 0, CN_BASE_OF_SCENARIO, 7) < CN_OK);
        *ends += 1;
    }
    cn_sim_close(&sim);
    cn_sim_close(&untouched);
    return status == CN_OK;
}

static void a_broadcast_is_taken_as_a_whole_or_is_the_end(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        cn_param param;
        double value;
    } cases[] = {{"wormhole", CN_PARAM_LOAD, 0.02},
                 {"cut-through", CN_PARAM_LOAD, 0.02},
                 {"collective", CN_PARAM_MACHINE, CN_MACHINE_PAPER},
                 {"collective", CN_PARAM_MACHINE, CN_MACHINE_CHANNELS},
                 {"collective", CN_PARAM_CLUBBING, 1}};
    support_install_allocator(0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_topology *cube;
        cn_scenario *scenario;
        uint64_t failing = 1;
        size_t ends = 0;
        assert_ok(cn_topology_hypercube(3, &cube));
        assert_ok(cn_scenario_new(cube, cases[i].system, &scenario));
        assert_ok(cn_scenario_set(scenario, cases[i].param, cases[i].value));
        if (cn_scenario_takes(scenario, CN_PARAM_LOAD))
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 4));
        while (!broadcast_without_memory(scenario, failing, &ends))
            failing++;
        assert_true(failing > 1);
        cn_scenario_free(&scenario);
        cn_topology_free(&cube);
    }
    support_remove_allocator();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lone_message_needs_its_distance),
        cmocka_unit_test(each_message_is_delivered_once_with_its_tag),
        cmocka_unit_test(a_full_node_refuses),
        cmocka_unit_test(a_shorter_delivery_is_respected),
        cmocka_unit_test(stepping_equals_simulating),
        cmocka_unit_test(threads_do_not_change_the_result),
        cmocka_unit_test(a_warm_up_finds_its_end),
        cmocka_unit_test(the_accounts_add_up),
        cmocka_unit_test(metrics_agree_with_each_other),
        cmocka_unit_test(quantiles_are_those_of_the_delays),
        cmocka_unit_test(an_idle_network_is_not_saturated),
        cmocka_unit_test(nothing_delivered_means_no_delay),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(a_network_beyond_memory_is_refused),
        cmocka_unit_test(every_failed_allocation_unwinds),
        cmocka_unit_test(stepping_allocates_nothing),
        cmocka_unit_test(types_tell_which_calls_only_read),
        cmocka_unit_test(looks_leave_the_course_alone),
        cmocka_unit_test(a_broadcast_is_taken_as_a_whole_or_is_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

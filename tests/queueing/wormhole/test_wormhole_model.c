/* The models of the system "wormhole" (Shahrabi et al. 2001). */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/random.h"

enum { ONE_PORT = 4 };

typedef struct asked {
    uint32_t n;
    double flits, channels, beta, load;
    int variant; /* form of the model, and ONE_PORT */
} asked;

static cn_scenario *scenario_of(const asked *a)
{
    cn_scenario *scenario = cube_scenario("wormhole", a->n, a->load);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, a->flits));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, a->channels));
    assert_ok(
        cn_scenario_set_routing_name(scenario, a->channels > 1 ? "duato" : "dimension-order"));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, a->beta));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, a->variant % ONE_PORT));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_ONE_PORT, a->variant >= ONE_PORT));
    return scenario;
}

static cn_result *result_of(const asked *a)
{
    cn_result *result = NULL;
    cn_scenario *scenario = scenario_of(a);
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_scenario_free(&scenario);
    return result;
}

static double predicted(const asked *a, cn_metric metric)
{
    cn_result *result = result_of(a);
    double value = value_of(result, metric);
    cn_result_free(&result);
    return value;
}

static cn_status status_of(const asked *a)
{
    cn_result *result = NULL;
    cn_scenario *scenario = scenario_of(a);
    cn_status status = cn_predict(scenario, NULL, &result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return status;
}

/* ---- as published ---- */

/* The paper's startup latency of one cycle stands for the cycle in which a copy crosses its
 * channel, which eq. 12 leaves out. */
static double published_latency(asked a)
{
    cn_result *result = NULL;
    cn_scenario *scenario = scenario_of(&a);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, 1));
    assert_ok(cn_predict(scenario, NULL, &result));
    double value = value_of(result, CN_METRIC_MEAN_DELAY_BROADCAST);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return value;
}

static void the_published_model_gives_the_check_values(void **state)
{
    (void)state;
    assert_near(published_latency((asked){6, 32, 2, 0.01, 0.004, 0}), 229.49, 0.005);
    assert_near(published_latency((asked){6, 32, 2, 0.01, 0.012, 0}), 288.38, 0.005);
    assert_near(published_latency((asked){8, 128, 4, 0.02, 0.001, 0}), 1315.45, 0.005);
    assert_near(published_latency((asked){6, 32, 2, 0.01, 0.004, 1}), 232.42, 0.005);
    assert_near(published_latency((asked){6, 32, 2, 0.01, 0.012, 1}), 298.06, 0.005);
    assert_near(published_latency((asked){8, 128, 4, 0.02, 0.001, 1}), 1455.23, 0.005);
}

typedef struct model {
    double s, copy, unicast, wait;
} model;

/* Equations 12 to 25 at a service time s, written down as they stand: P_v by the recursion of
 * eq. 29 and 30, the blocking hop by hop. */
static model plain_services(const asked *a, double channel, double of_copies, double s)
{
    double q[65], sum = 0.0, rho = channel * s, nodes = ldexp(1.0, (int)a->n), ways = 1.0;
    int v = (int)a->channels;
    for (int i = 0; i <= v; i++) {
        q[i] = i == 0 ? 1.0 : i < v ? q[i - 1] * rho : q[i - 1] * channel / (1.0 / s - channel);
        sum += q[i];
    }
    double full = q[v] / sum, adaptive = q[v - 1] / sum / v + full;
    double wait = channel * s * s * (1.0 + pow(s - a->flits, 2) / (s * s)) / (2.0 * (1.0 - rho));
    model m = {.copy = a->flits + full * wait, .wait = wait};
    for (uint32_t i = 1; i <= a->n; i++) {
        ways *= (double)(a->n - i + 1) / i;
        double latency = a->flits + i;
        for (uint32_t j = 1; j <= i; j++)
            latency += pow(adaptive, i - j) * full * wait;
        m.unicast += ways / (nodes - 1.0) * latency;
    }
    m.s = of_copies * m.copy + (1.0 - of_copies) * m.unicast;
    return m;
}

/* Simple iteration from S = M, as slow as it is; and eq. 26 to 31 after it. *waits: W_s V. */
static double plain_latency(const asked *a, double *waits)
{
    double n = a->n, nodes = ldexp(1.0, (int)a->n), distance = n / 2.0 * nodes / (nodes - 1.0);
    double replica = a->variant % ONE_PORT == 0
                         ? (nodes - 1.0 - n) / (nodes - 1.0) / n * (nodes / 2.0 - 1.0)
                         : (nodes - 1.0 - n) / n;
    double unicasts = (1.0 - a->beta) * a->load, broadcasts = a->beta * a->load;
    double copies = broadcasts * (1.0 + replica), channel = copies + unicasts * distance / n;
    model m = {.s = a->flits};
    for (double before = 0.0; m.s > before;) {
        before = m.s;
        m = plain_services(a, channel, copies / channel, before);
        if (fabs(m.s - before) < 1e-14 * before)
            break;
    }
    double replicating = (nodes / 2.0 - 1.0) * broadcasts;
    double arrivals = (unicasts / n + copies) * (a->variant >= ONE_PORT ? n : 1.0);
    double s = ((broadcasts + replicating) * m.copy + unicasts * m.unicast) /
               (unicasts + broadcasts + replicating);
    double wait = arrivals * (s * s + pow(s - a->flits, 2)) / (2.0 * (1.0 - arrivals * s));
    double rho = channel * m.s, first = 0.0, second = 0.0;
    for (int v = 1; v <= (int)a->channels; v++) {
        double p = v < (int)a->channels ? (1.0 - rho) * pow(rho, v) : pow(rho, v);
        first += v * p;
        second += (double)v * v * p;
    }
    *waits = wait * second / first;
    return n * (m.copy + wait) * second / first;
}

static void newton_finds_the_fixed_point_of_plain_iteration(void **state)
{
    (void)state;
    const asked cases[] = {{6, 32, 2, 0.01, 0.02, 0},   {6, 32, 2, 0.01, 0.019, 1},
                           {7, 64, 3, 0.005, 0.007, 0}, {8, 32, 4, 0.02, 0.01, 1},
                           {3, 1, 2, 0.5, 0.1, 1},      {1, 16, 1, 0.0, 0.02, 0},
                           {5, 20, 8, 1.0, 0.005, 1}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        asked a = cases[i / 2];
        if (i % 2 == 1) {
            a.variant += ONE_PORT;
            a.load /= a.n;
        }
        double wait = 0.0, plain = plain_latency(&a, &wait);
        assert_near(predicted(&a, CN_METRIC_MEAN_DELAY_BROADCAST), plain, 1e-9 * plain);
        assert_near(predicted(&a, CN_METRIC_MEAN_DELAY_BROADCAST_SENT), plain - wait, 1e-9 * plain);
    }
}

/* ---- traffic ---- */

static void only_the_replicas_differ_between_the_rates(void **state)
{
    (void)state;
    const double published[] = {4.675, 8.504, 15.377}, right[] = {9.5, 120.0 / 7.0, 30.875};
    for (uint32_t n = 6; n <= 8; n++) {
        for (int variant = 0; variant <= 2; variant++) {
            asked a = {n, 32, 2, 0.01, 0.002, variant};
            cn_result *result = result_of(&a);
            double copies = value_of(result, CN_METRIC_CHANNEL_RATE_BROADCAST);
            double replicas = value_of(result, CN_METRIC_CHANNEL_RATE_REPLICA);
            double unicasts = value_of(result, CN_METRIC_CHANNEL_RATE_UNICAST);
            double distance = value_of(result, CN_METRIC_MEAN_DISTANCE);
            assert_near(copies, 0.01 * 0.002, 1e-18);
            assert_near(unicasts, 0.99 * 0.002 * distance / n, 1e-16);
            if (variant == 0)
                assert_near(replicas / copies, published[n - 6], 5e-4);
            else
                assert_near(replicas / copies, right[n - 6], 1e-12);
            assert_near(value_of(result, CN_METRIC_CHANNEL_MESSAGE_RATE),
                        copies + replicas + unicasts, 1e-16);
            cn_result_free(&result);
        }
    }
}

/* ---- limits ---- */

/* Down to the least number that there is. */
static const double no_loads[] = {0.0, 1e-8, 1e-9, 1e-12, 1e-20, 1e-24, 1e-100, 1e-300, 5e-324};
enum { NO_LOADS = sizeof no_loads / sizeof no_loads[0] };

static void without_load_nothing_waits(void **state)
{
    (void)state;
    for (int variant = 0; variant <= 2; variant++)
        for (size_t i = 0; i < 2 * NO_LOADS; i++) {
            asked a = {6, 32, 3, 0.1, no_loads[i / 2], variant + (i % 2 == 1 ? ONE_PORT : 0)};
            double hop = variant == 2 ? 33.0 : 32.0; /* eq. 12 leaves the cycle of the hop out */
            cn_result *result = result_of(&a);
            assert_near(value_of(result, CN_METRIC_MEAN_DELAY_BROADCAST), 6 * hop, 2e-3);
            assert_near(value_of(result, CN_METRIC_MEAN_DELAY_BROADCAST_SENT), 6 * hop, 2e-3);
            assert_near(value_of(result, CN_METRIC_MEAN_DELAY_UNICAST), 32.0 + 192.0 / 63.0, 1e-3);
            assert_near(value_of(result, CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING), 1.0, 1e-4);
            assert_near(value_of(result, CN_METRIC_WAITING_PER_HOP), 0.0, 1e-6);
            cn_result_free(&result);
        }
}

static void the_startup_latency_counts_at_every_step(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        int variant = i / 2;
        asked a = {6, 32, 2, 0.01, 0.004, variant + (i % 2 == 1 ? ONE_PORT : 0)};
        cn_result *without = result_of(&a), *with = NULL;
        cn_scenario *scenario = scenario_of(&a);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, 10));
        assert_ok(cn_predict(scenario, NULL, &with));
        double more = value_of(with, CN_METRIC_MEAN_DELAY_BROADCAST) -
                      value_of(without, CN_METRIC_MEAN_DELAY_BROADCAST);
        /* the longer each step, the more it is the deepest node that comes last */
        double least = variant < 2 ? 60.0 : i % 2 == 1 ? 45.0 : 57.0;
        assert_true(more >= least - 1e-9 && more < 60.0 + (variant < 2 ? 1e-9 : 0.0));
        assert_near(value_of(with, CN_METRIC_MEAN_DELAY_UNICAST),
                    value_of(without, CN_METRIC_MEAN_DELAY_UNICAST) + 10.0, 1e-9);
        cn_result_free(&with);
        cn_result_free(&without);
        cn_scenario_free(&scenario);
    }
}

/* One channel, no routing, no sharing: a queue with a constant service time. A message holds the
 * one virtual channel for M + 1 cycles; the model adds that one to those that follow another at
 * once. */
static void one_channel_is_a_queue_of_constant_service(void **state)
{
    (void)state;
    for (double load = 0.002; load < 0.025; load += 0.002) {
        asked a = {1, 32, 1, 0.0, load, 2};
        double exact = 33.0 + load * 33.0 * 33.0 / (2.0 * (1.0 - 33.0 * load));
        assert_near(predicted(&a, CN_METRIC_MEAN_DELAY_UNICAST), exact, 0.03 * exact);
        assert_near(predicted(&a, CN_METRIC_MEAN_DELAY_BROADCAST), exact, 0.03 * exact);
    }
}

static void delays_rise_with_the_load_up_to_saturation(void **state)
{
    (void)state;
    const asked cases[] = {{6, 32, 2, 0.01, 0, 0}, {8, 32, 4, 0.02, 0, 0}, {6, 32, 2, 0.2, 0, 0},
                           {4, 8, 3, 0.0, 0, 0},   {4, 8, 3, 1.0, 0, 0},   {5, 16, 1, 0.05, 0, 0}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++)
        for (int variant = 0; variant <= 2; variant++) {
            asked a = cases[i / 2];
            double unicast = 0.0, broadcast = 0.0, multiplexing = 0.0;
            a.variant = variant + (i % 2 == 1 ? ONE_PORT : 0);
            for (int step = 1;; step++) {
                cn_result *result = NULL;
                a.load = 0.0007 * step;
                assert_true(step < 1000);
                if (status_of(&a) == CN_ERR_UNSTABLE)
                    break;
                result = result_of(&a);
                double u = value_of(result, CN_METRIC_MEAN_DELAY_UNICAST);
                double b = value_of(result, CN_METRIC_MEAN_DELAY_BROADCAST);
                double m = value_of(result, CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING);
                assert_true(u > unicast && b > broadcast && m >= multiplexing - 1e-9);
                unicast = u;
                broadcast = b;
                multiplexing = m;
                cn_result_free(&result);
            }
            /* and stays without a steady state */
            a.load *= 2.0;
            assert_int_equal(status_of(&a), CN_ERR_UNSTABLE);
        }
}

static void what_has_no_steady_state_is_told_its_limit(void **state)
{
    (void)state;
    const char *limits[] = {[CN_MODEL_PUBLISHED] = "below 0.0209307", /* revision 1 */
                            [CN_MODEL_CORRECTED] = "below 0.0194998", /* revision 1 */
                            [CN_MODEL_OWN] = "below 0.0348"};         /* revision 2 */
    for (int variant = 0; variant <= 2; variant++) {
        asked a = {6, 32, 2, 0.01, 0.05, variant};
        cn_result *result = NULL;
        cn_scenario *scenario = scenario_of(&a);
        assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, limits[variant]);
        assert_null(result);
        cn_scenario_free(&scenario);
    }
}

/* The limit that is told does not depend on how far above it the question was. */
static void the_limit_does_not_depend_on_the_load(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const asked cases[] = {{2, 32, 2, 0.0, 0, 0},         {20, 1048576, 2, 0.01, 0, 0},
                                  {62, 1048576, 2, 0.01, 0, 0},  {40, 32, 2, 1.0, 0, 0},
                                  {10, 1048576, 16, 0.01, 0, 0}, {62, 1, 64, 0.0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int variant = 0; variant <= 2; variant++) {
            double told[2], load = 1e6;
            for (int j = 0; j < 2; j++) {
                asked a = cases[i];
                cn_result *result = NULL;
                a.variant = variant;
                a.load = load;
                cn_scenario *scenario = scenario_of(&a);
                assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "steady state");
                told[j] = atof(strstr(cn_last_error(), "below ") + 6);
                load = 1.05 * told[0];
                cn_scenario_free(&scenario);
            }
            assert_near(told[1], told[0], 0.02 * told[0]);
            asked below = cases[i];
            cn_result *result = NULL;
            below.variant = variant;
            below.load = 0.98 * told[0];
            cn_scenario *scenario = scenario_of(&below);
            assert_ok(cn_predict(scenario, NULL, &result));
            double delay = value_of(result, CN_METRIC_MEAN_DELAY);
            assert_true(delay > below.flits && delay < 1e12);
            cn_result_free(&result);
            cn_scenario_free(&scenario);
        }
}

/* ---- what is not covered ---- */

static void refuse(const asked *a, cn_param param, double value, const char *part)
{
    cn_result *result = NULL;
    cn_scenario *scenario = scenario_of(a);
    assert_ok(cn_scenario_set(scenario, param, value));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, part);
    assert_null(result);
    cn_scenario_free(&scenario);
}

static void other_machines_are_refused_in_words(void **state)
{
    (void)state;
    for (int variant = 0; variant <= 2; variant++) {
        asked a = {4, 8, 2, 0.1, 0.001, variant};
        refuse(&a, CN_PARAM_UNSAFE, 1, "unsafe = yes");
        refuse(&a, CN_PARAM_INJECTION_SERVERS, 2, "injection_servers = 2");
        refuse(&a, CN_PARAM_SELECTION, CN_SELECTION_LOWEST, "selection = lowest");
    }
    refuse(&(asked){4, 8, 2, 0.1, 0.001, 2}, CN_PARAM_FLIT_BUFFERS, 1, "flit_buffers = 1");
    cn_topology *torus;
    cn_scenario *scenario = scenario_of(&(asked){4, 8, 2, 0.1, 0.001, 2});
    cn_result *result;
    assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "broadcast_fraction = 0.1");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "model_variant = published of wormhole covers Boolean n-cubes");
    cn_scenario_free(&scenario);
    assert_ok(cn_topology_kary_ncube(4, 2, 0, &torus));
    assert_ok(cn_scenario_new(torus, "wormhole", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.001));
    assert_ok(cn_scenario_set_routing_name(scenario, "valiant"));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "routing = valiant");
    cn_scenario_free(&scenario);
    cn_topology_free(&torus);
    assert_ok(cn_topology_kary_ncube(33, 2, 0, &torus));
    assert_ok(cn_scenario_new(torus, "wormhole", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.001));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "at most 1024 nodes");
    cn_scenario_free(&scenario);
    cn_topology_free(&torus);
}

/* ---- other networks ---- */

typedef struct worms {
    uint64_t sides[3];
    uint32_t dimensions;
    const char *routing;
    double channels, flits, load;
    int is_mesh;
} worms;

static cn_scenario *scenario_of_worms(const worms *w)
{
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    assert_ok(w->is_mesh ? cn_topology_mesh(w->sides, w->dimensions, &topology)
                         : cn_topology_torus(w->sides, w->dimensions, &topology));
    assert_ok(cn_scenario_new(topology, "wormhole", &scenario));
    cn_topology_free(&topology);
    assert_ok(cn_scenario_set_routing_name(scenario, w->routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, w->channels));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, w->flits));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, w->load));
    return scenario;
}

static void networks_without_load_take_flits_and_hops(void **state)
{
    (void)state;
    for (size_t i = 0; i < NO_LOADS; i++) {
        double load = no_loads[i];
        cn_scenario *scenario = scenario_of_worms(&(worms){{4, 3}, 2, "duato", 3, 20, load, 0});
        cn_result *result = NULL;
        double hops = 12.0 / 11.0 * (1.0 + 2.0 / 3.0);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, 5));
        assert_ok(cn_predict(scenario, NULL, &result));
        assert_near(value_of(result, CN_METRIC_MEAN_DELAY), 25.0 + hops, 1e-4);
        assert_near(value_of(result, CN_METRIC_MEAN_HOPS), hops, 1e-9);
        assert_near(value_of(result, CN_METRIC_CHANNEL_MESSAGE_RATE), load * hops / 4.0, 1e-12);
        assert_near(value_of(result, CN_METRIC_WAITING_PER_HOP), 0.0, 1e-5);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

/* Light, middle and heavy: the last is about 70 % of what the network carries. On a mesh the
 * channels in the middle of a side carry more than those at its ends, which the model takes for
 * alike. */
static void networks_are_as_simulated(void **state)
{
    (void)state;
    static const worms cases[] = {{{8, 8}, 2, "dimension-order", 2, 24, 0.009, 0},
                                  {{8, 8}, 2, "dimension-order", 5, 40, 0.005, 0},
                                  {{8, 8}, 2, "duato", 3, 32, 0.0045, 0},
                                  {{8, 8}, 2, "duato", 6, 16, 0.032, 0},
                                  {{4, 4, 4}, 3, "duato", 4, 32, 0.015, 0},
                                  {{6, 6}, 2, "duato", 3, 32, 0.006, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_scenario *scenario = scenario_of_worms(&cases[i]);
        cn_result *forecast = NULL, *simulation = NULL;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 60000));
        assert_ok(cn_predict(scenario, NULL, &forecast));
        assert_ok(cn_simulate(scenario, NULL, &simulation));
        double delay = value_of(simulation, CN_METRIC_MEAN_DELAY);
        assert_near(value_of(forecast, CN_METRIC_MEAN_DELAY), delay,
                    (cases[i].is_mesh ? 0.06 : 0.05) * delay);
        assert_near(value_of(forecast, CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING),
                    value_of(simulation, CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING), 0.15);
        cn_result_free(&forecast);
        cn_result_free(&simulation);
        cn_scenario_free(&scenario);
    }
}

static double predicted_delay(const worms *w)
{
    cn_scenario *scenario = scenario_of_worms(w);
    cn_result *result = NULL;
    assert_ok(cn_predict(scenario, NULL, &result));
    double delay = value_of(result, CN_METRIC_MEAN_DELAY);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return delay;
}

/* Against runs of 400 000 cycles: at 90 % of saturation and more, and with a single adaptive
 * virtual channel. There it counts what inputs cannot bring. The limit of the model is some per
 * cent above that of the simulation (docs/lab/accuracy.md), and so near to it one per cent of the
 * limit is 3 to 6 % of the delay: hence the two wide tolerances, with `extrapolated`, and a last
 * load that is well above both limits. */
static void crowded_networks_are_as_simulated(void **state)
{
    (void)state;
    worms ordered = {{8, 8}, 2, "dimension-order", 4, 29, 0.0155, 0};
    const worms adaptive = {{8, 8}, 2, "duato", 3, 49, 0.006504, 0};
    cn_result *none = NULL;
    assert_near(predicted_delay(&ordered), 124.4, 0.06 * 124.4); /* +- 3.3 */
    assert_near(predicted_delay(&adaptive), 95.15, 0.04 * 95.15);
    ordered.load = 0.0165;
    assert_near(predicted_delay(&ordered), 170.9, 0.12 * 170.9); /* +- 7.5 */
    ordered.load = 0.0195;
    cn_scenario *scenario = scenario_of_worms(&ordered);
    assert_fails(cn_predict(scenario, NULL, &none), CN_ERR_UNSTABLE, "steady state only below");
    cn_scenario_free(&scenario);
}

static void networks_have_a_limit(void **state)
{
    (void)state;
    cn_scenario *scenario = scenario_of_worms(&(worms){{4, 3}, 2, "duato", 3, 16, 0.03, 0});
    cn_result *result = NULL;
    double limit = 0.0;
    assert_ok(cn_saturation_load(scenario, NULL, &limit));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.99 * limit));
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_result_free(&result);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 1.01 * limit));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "steady state only below");
    cn_scenario_free(&scenario);
}

static cn_status predict_network(void *context)
{
    const uint64_t sides[] = {4, 3};
    cn_result *result = NULL;
    cn_scenario *scenario = NULL;
    cn_topology *torus = NULL;
    (void)context;
    cn_status status = cn_topology_torus(sides, 2, &torus);
    if (status == CN_OK)
        status = cn_scenario_new(torus, "wormhole", &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, 0.004);
    if (status == CN_OK)
        status = cn_predict(scenario, NULL, &result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&torus);
    return status;
}

static void networks_survive_every_failing_allocation(void **state)
{
    (void)state;
    support_fail_every_allocation(predict_network, NULL);
}

typedef struct watch {
    clock_t last, longest;
    int looks;
} watch;

static int look(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    watch *w = user;
    clock_t now = clock();
    (void)done, (void)total, (void)lower, (void)upper;
    w->longest = now - w->last > w->longest ? now - w->last : w->longest;
    w->last = now;
    return ++w->looks == 120;
}

/* With many virtual channels the first laws of the channels take long: there, too, the control is
 * looked at every few milliseconds of the processor's time (a hundred of a slow or instrumented
 * one). */
static void networks_look_at_their_control(void **state)
{
    (void)state;
    cn_scenario *scenario = scenario_of_worms(&(worms){{8, 8}, 2, "duato", 64, 24, 0.004, 0});
    cn_result *result = NULL;
    cn_control *control = NULL;
    watch w = {.last = clock()};
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_progress(control, look, &w));
    assert_fails(cn_predict(scenario, control, &result), CN_ERR_CANCELLED, "cancelled");
    assert_int_equal(w.looks, 120); /* past the ways of 64 targets */
    assert_true(w.longest < CLOCKS_PER_SEC / 10);
    cn_control_free(&control);
    cn_scenario_free(&scenario);
}

/* Of what takes long on a large cube, the law of the last node of a broadcast is the longest. */
static void a_limit_looks_at_its_control(void **state)
{
    (void)state;
    cn_topology *topology;
    cn_scenario *scenario;
    cn_control *control;
    double load;
    watch w = {.last = clock()};
    assert_ok(cn_topology_hypercube(30, &topology));
    assert_ok(cn_scenario_new(topology, "wormhole", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_progress(control, look, &w));
    cn_status status = cn_saturation_load(scenario, control, &load);
    assert_true(status == CN_OK || status == CN_ERR_CANCELLED);
    assert_true(w.looks > 30);
    cn_control_free(&control);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

static double uniform(uint64_t *place)
{
    return (double)(cni_random_word(7, (*place)++) >> 11) * 0x1p-53;
}

static void any_parameters_give_finite_delays_or_a_status(void **state)
{
    (void)state;
    uint64_t place = 0;
    for (int i = 0; i < 400; i++) {
        asked a = {.n = 1 + (uint32_t)(uniform(&place) * 12),
                   .flits = floor(pow(300.0, uniform(&place))),
                   .channels = 1 + floor(pow(12.0, uniform(&place))) - (i % 7 == 0),
                   .beta = i % 5 == 0   ? 0.0
                           : i % 5 == 1 ? 1.0
                                        : pow(uniform(&place), 3),
                   .variant = i % 3 + (i / 3 % 2 == 1 ? ONE_PORT : 0)};
        a.channels = fmax(1.0, a.channels);
        a.load = 2.0 * uniform(&place) / (a.flits * (1.0 + a.beta * ldexp(1.0, (int)a.n) / a.n));
        cn_status status = status_of(&a);
        assert_true(status == CN_OK || status == CN_ERR_UNSTABLE);
        if (status != CN_OK)
            continue;
        cn_result *result = result_of(&a);
        double unicast = value_of(result, CN_METRIC_MEAN_DELAY_UNICAST);
        double broadcast = value_of(result, CN_METRIC_MEAN_DELAY_BROADCAST);
        assert_true(unicast >= a.flits && unicast < 1e12);
        double sent = value_of(result, CN_METRIC_MEAN_DELAY_BROADCAST_SENT);
        assert_true(broadcast >= a.n * a.flits && broadcast < 1e12);
        assert_true(sent >= a.n * a.flits && sent <= broadcast);
        assert_true(value_of(result, CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING) <= a.channels);
        cn_result_free(&result);
    }
    asked widest = {20, 64, 64, 0.0, 0.005, 2};
    assert_true(predicted(&widest, CN_METRIC_MEAN_DELAY_UNICAST) > 64.0);
}

static cn_status solve_once(void *context)
{
    cn_result *result = NULL;
    cn_scenario *scenario = NULL;
    cn_topology *cube = NULL;
    cn_status status = cn_topology_hypercube(5, &cube);
    if (status == CN_OK)
        status = cn_scenario_new(cube, "wormhole", &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, 0.004);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_ONE_PORT, *(const int *)context);
    if (status == CN_OK)
        status = cn_predict(scenario, NULL, &result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    for (int one_port = 0; one_port < 2; one_port++)
        support_fail_every_allocation(solve_once, &one_port);
}

/* ---- against simulation ---- */

typedef struct measured {
    asked of;
    double broadcast, broadcast_half_width, unicast, unicast_half_width;
} measured;

/* 20, 40, 60, 80 % of the greatest load that the simulation carries; seed 1, 10 000 cycles of
 * warm-up, 1 000 000 (n = 7: 600 000, n = 8: 300 000) measured. */
static const measured simulations[] = {
    {{6, 32, 2, 0.01, 0.0069, 2}, 231.4, 0.8, 41.62, 0.08},
    {{6, 32, 2, 0.01, 0.0138, 2}, 281.7, 1.1, 51.27, 0.18},
    {{6, 32, 2, 0.01, 0.0207, 2}, 363.6, 1.8, 66.16, 0.24},
    {{6, 32, 2, 0.01, 0.0276, 2}, 537.3, 4.1, 93.89, 0.50},
    {{6, 32, 4, 0.02, 0.007, 2}, 244.2, 0.7, 49.55, 0.17},
    {{6, 32, 4, 0.02, 0.014, 2}, 332.4, 1.3, 68.46, 0.23},
    {{6, 32, 4, 0.02, 0.021, 2}, 501.3, 2.7, 97.04, 0.41},
    {{6, 32, 4, 0.02, 0.028, 2}, 980.0, 14.5, 164.46, 1.83},
    {{7, 64, 2, 0.005, 0.0033, 2}, 531.2, 3.3, 80.05, 0.27},
    {{7, 64, 2, 0.005, 0.0066, 2}, 646.9, 4.3, 98.37, 0.42},
    {{7, 64, 2, 0.005, 0.0099, 2}, 814.8, 6.6, 125.66, 1.16},
    {{7, 64, 2, 0.005, 0.0132, 2}, 1138.5, 14.0, 172.07, 1.67},
    {{8, 32, 4, 0.02, 0.00444, 2}, 316.8, 1.4, 54.43, 0.33},
    {{8, 32, 4, 0.02, 0.00888, 2}, 414.6, 2.4, 73.35, 0.43},
    {{8, 32, 4, 0.02, 0.0133, 2}, 590.7, 5.0, 97.69, 0.64},
    {{8, 32, 4, 0.02, 0.0178, 2}, 1019.1, 19.1, 144.46, 2.02},
    {{6, 32, 2, 0.2, 0.00226, 2}, 222.2, 0.5, 49.05, 0.20},
    {{6, 32, 2, 0.2, 0.00452, 2}, 272.3, 1.1, 63.55, 0.25},
    {{6, 32, 2, 0.2, 0.00678, 2}, 370.9, 2.9, 82.02, 0.49},
    {{6, 32, 2, 0.2, 0.00904, 2}, 636.3, 9.0, 120.86, 1.32},
    {{6, 32, 4, 0.2, 0.00226, 2}, 223.1, 0.5, 51.07, 0.21},
    {{6, 32, 4, 0.2, 0.00452, 2}, 276.3, 1.1, 67.09, 0.28},
    {{6, 32, 4, 0.2, 0.00678, 2}, 382.1, 3.2, 87.55, 0.48},
    {{6, 32, 4, 0.2, 0.00904, 2}, 676.2, 9.6, 131.10, 1.40},
    {{7, 64, 2, 0.2, 0.00072, 2}, 507.2, 2.0, 99.95, 0.79},
    {{7, 64, 2, 0.2, 0.00144, 2}, 618.5, 3.8, 129.38, 0.85},
    {{7, 64, 2, 0.2, 0.00216, 2}, 836.3, 11.7, 164.44, 1.19},
    {{7, 64, 2, 0.2, 0.00288, 2}, 1398.2, 37.5, 234.79, 3.51},
    {{8, 32, 4, 0.2, 0.00086, 2}, 292.1, 0.8, 55.77, 0.32},
    {{8, 32, 4, 0.2, 0.00172, 2}, 350.2, 2.0, 71.14, 0.34},
    {{8, 32, 4, 0.2, 0.00258, 2}, 463.4, 4.2, 87.83, 0.47},
    {{8, 32, 4, 0.2, 0.00344, 2}, 748.2, 14.2, 119.63, 1.54},
};

static const char *page; /* docs/lab/accuracy.md */

static void the_page_tells_the_errors(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        cn_metric metric;
    } rows[] = {{"broadcasts", CN_METRIC_MEAN_DELAY_BROADCAST},
                {"unicasts", CN_METRIC_MEAN_DELAY_UNICAST}};
    enum { LOADS = 4 };
    for (size_t i = 0; i < sizeof simulations / sizeof simulations[0]; i += LOADS)
        for (int r = 0; r < 2; r++) {
            const asked *of = &simulations[i].of;
            double errors[LOADS];
            char begins[100];
            for (size_t l = 0; l < LOADS; l++) {
                const measured *m = &simulations[i + l];
                errors[l] =
                    predicted(&m->of, rows[r].metric) / (r == 0 ? m->broadcast : m->unicast) - 1.0;
            }
            snprintf(begins, sizeof begins, "%u | %g | %g | %g | %s", (unsigned)of->n, of->flits,
                     of->channels, of->beta, rows[r].name);
            assert_errors_in(page, begins, errors, LOADS);
        }
}

/* Broadcasts are within 7.2 %: eight are not within 5 %, six of them with V = 2 and few broadcasts,
 * whose steps vary more than the model says. Unicasts are within 3.4 % but for one, on the 8-cube
 * with V = 4 at 80 %. */
static void variant_2_is_near_the_simulations_up_to_four_fifths_of_saturation(void **state)
{
    (void)state;
    int above = 0, unicasts_above = 0;
    for (size_t i = 0; i < sizeof simulations / sizeof simulations[0]; i++) {
        const measured *m = &simulations[i];
        double ratio = predicted(&m->of, CN_METRIC_MEAN_DELAY_BROADCAST) / m->broadcast;
        above += fabs(ratio - 1.0) > 0.05;
        assert_near(ratio, 1.0, 0.072);
        double unicast = predicted(&m->of, CN_METRIC_MEAN_DELAY_UNICAST) / m->unicast;
        assert_near(unicast, 1.0, 0.063);
        unicasts_above += fabs(unicast - 1.0) > 0.034;
    }
    assert_int_equal(above, 8);
    assert_int_equal(unicasts_above, 1);
}

/* Tails that stay in the buffer for a cycle do not keep the next message of the queue from its
 * channel: with M = 8 it carries more than 8/9 of a flit a cycle. The simulation (seed 1) carries
 * 0.0364 but not 0.0372; at 0.02492 unicasts take 31.57 +- 0.30, broadcasts 187.6 +- 3.8. */
static void queues_of_short_messages_fill_their_channels(void **state)
{
    (void)state;
    asked a = {9, 8, 5, 0.049058575, 0.024919829, 2};
    assert_near(predicted(&a, CN_METRIC_MEAN_DELAY_UNICAST), 31.57, 0.03 * 31.57);
    assert_near(predicted(&a, CN_METRIC_MEAN_DELAY_BROADCAST), 187.6, 0.045 * 187.6);
    a.load = 0.0355; /* the limit of the model is within 5 % */
    assert_int_equal(status_of(&a), CN_OK);
    a.load = 0.0376;
    assert_int_equal(status_of(&a), CN_ERR_UNSTABLE);
}

/* On two dimensions a full channel may be one where all headers follow the message before them, so
 * that no others wait. The delay has no jump there, which would leave loads without an answer below
 * others that have one. The simulation (seed 1) takes 2.860 +- 0.004 cycles at 0.64 with M = 1,
 * 13.97 +- 0.38 and 27.08 +- 0.91 at 0.335 with M = 3, and carries 1.28 and 0.396. */
static void no_load_below_the_limit_is_refused(void **state)
{
    (void)state;
    asked cases[] = {{2, 1, 2, 0.0, 0.0, 2}, {2, 3, 2, 0.1, 0.0, 2}, {2, 4, 2, 0.0, 0.0, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        asked *a = &cases[i];
        double limit = 0.0, before = 0.0;
        cn_scenario *scenario = scenario_of(a);
        assert_ok(cn_saturation_load(scenario, NULL, &limit));
        cn_scenario_free(&scenario);
        for (int step = 1; step < 96; step++) {
            a->load = limit * step / 100.0;
            double delay = predicted(a, CN_METRIC_MEAN_DELAY_UNICAST);
            assert_true(delay > before);
            assert_true(step < 2 || delay < 1.3 * before);
            before = delay;
        }
        assert_true(limit > (i == 0 ? 1.15 : i == 1 ? 0.37 : 0.30));
    }
    asked one = {2, 1, 2, 0.0, 0.64, 2}, three = {2, 3, 2, 0.1, 0.335, 2};
    assert_near(predicted(&one, CN_METRIC_MEAN_DELAY_UNICAST), 2.860, 0.04 * 2.860);
    assert_near(predicted(&three, CN_METRIC_MEAN_DELAY_UNICAST), 13.97, 0.06 * 13.97);
}

/* The first round, from an empty network, overshoots, and says nothing of a steady state. The model
 * has one up to 0.088, the simulation not at 0.1. */
static void the_first_round_refuses_nothing(void **state)
{
    (void)state;
    for (double load = 0.0851; load < 0.0875; load += 0.0008) {
        asked a = {10, 16, 64, 0.0, load, 2};
        cn_scenario *scenario = scenario_of(&a);
        cn_result *result = NULL;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_FLIT_BUFFERS, 4));
        assert_ok(cn_predict(scenario, NULL, &result));
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

/* With many virtual channels rounds that swing must not pass for a load without a steady state:
 * worms of one flit fill the channels. */
static void many_virtual_channels_carry_a_flit_a_cycle(void **state)
{
    (void)state;
    asked a = {62, 1, 64, 0.0, 0.0, 2};
    double limit = 0.0;
    cn_scenario *scenario = scenario_of(&a);
    assert_ok(cn_saturation_load(scenario, NULL, &limit));
    cn_scenario_free(&scenario);
    assert_near(limit, 2.0,
                1e-3); /* a half of the channels of a node are crossed by each message */
}

/* Of broadcasts, the greatest where they have a steady state. */
static void the_errors_of_the_other_variants_are_known(void **state)
{
    (void)state;
    static const double greatest[] = {0.248, 0.956}; /* published, corrected */
    for (int variant = 0; variant < 2; variant++) {
        double error = 0.0;
        for (size_t i = 0; i < sizeof simulations / sizeof simulations[0]; i++) {
            asked a = simulations[i].of;
            a.variant = variant;
            if (status_of(&a) == CN_OK)
                error = fmax(error, fabs(published_latency(a) / simulations[i].broadcast - 1.0));
        }
        assert_near(error, greatest[variant], 0.002);
    }
}

/* The stored numbers are those of the simulator: a short run of one of each size. */
static void the_stored_simulations_can_be_simulated(void **state)
{
    (void)state;
    for (size_t i = 1; i < sizeof simulations / sizeof simulations[0]; i += 12) {
        const measured *m = &simulations[i];
        cn_scenario *scenario = scenario_of(&m->of);
        cn_result *result = NULL;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 3000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
        assert_ok(cn_simulate(scenario, NULL, &result));
        /* about one in a thousand runs is further away than this */
        assert_near(value_of(result, CN_METRIC_MEAN_DELAY_UNICAST), m->unicast,
                    2.0 * half_width_of(result, CN_METRIC_MEAN_DELAY_UNICAST));
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_model_gives_the_check_values),
        cmocka_unit_test(newton_finds_the_fixed_point_of_plain_iteration),
        cmocka_unit_test(only_the_replicas_differ_between_the_rates),
        cmocka_unit_test(without_load_nothing_waits),
        cmocka_unit_test(the_startup_latency_counts_at_every_step),
        cmocka_unit_test(one_channel_is_a_queue_of_constant_service),
        cmocka_unit_test(delays_rise_with_the_load_up_to_saturation),
        cmocka_unit_test(what_has_no_steady_state_is_told_its_limit),
        cmocka_unit_test(the_limit_does_not_depend_on_the_load),
        cmocka_unit_test(other_machines_are_refused_in_words),
        cmocka_unit_test(networks_without_load_take_flits_and_hops),
        cmocka_unit_test(networks_are_as_simulated),
        cmocka_unit_test(crowded_networks_are_as_simulated),
        cmocka_unit_test(networks_have_a_limit),
        cmocka_unit_test(networks_look_at_their_control),
        cmocka_unit_test(a_limit_looks_at_its_control),
        cmocka_unit_test(networks_survive_every_failing_allocation),
        cmocka_unit_test(any_parameters_give_finite_delays_or_a_status),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(the_page_tells_the_errors),
        cmocka_unit_test(variant_2_is_near_the_simulations_up_to_four_fifths_of_saturation),
        cmocka_unit_test(queues_of_short_messages_fill_their_channels),
        cmocka_unit_test(no_load_below_the_limit_is_refused),
        cmocka_unit_test(the_first_round_refuses_nothing),
        cmocka_unit_test(many_virtual_channels_carry_a_flit_a_cycle),
        cmocka_unit_test(the_errors_of_the_other_variants_are_known),
        cmocka_unit_test(the_stored_simulations_can_be_simulated),
    };
    if (argc != 2)
        return 1;
    page = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}

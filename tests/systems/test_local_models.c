/* Models with traffic that depends on the distance alone, and their refusals of all other. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>

enum { MOST_DISTANCES = 64 };

static cn_topology *network_of(const char *name)
{
    char text[128];
    cn_topology *topology;
    snprintf(text, sizeof text, "{\"cubenet\": \"topology\", \"format\": 1, \"topology\": \"%s\"}",
             name);
    assert_ok(cn_topology_from_json(text, NULL, &topology));
    return topology;
}

static cn_traffic *geometric(const char *network, double ratio)
{
    cn_topology *topology = network_of(network);
    cn_traffic *traffic;
    assert_ok(cn_traffic_geometric_locality(topology, ratio, &traffic));
    cn_topology_free(&topology);
    return traffic;
}

/* The traffic that is uniform, told by its distances. */
static cn_traffic *uniform(const char *network)
{
    double weights[MOST_DISTANCES];
    uint64_t counts[MOST_DISTANCES];
    size_t count;
    cn_topology *topology = network_of(network);
    cn_traffic *traffic;
    assert_ok(cn_topology_distance_counts(topology, 0, NULL, counts, MOST_DISTANCES, &count));
    for (size_t d = 1; d < count; d++)
        weights[d - 1] = (double)counts[d];
    assert_ok(cn_traffic_locality(topology, weights, count - 1, &traffic));
    cn_topology_free(&topology);
    return traffic;
}

/* Takes the traffic, which may be NULL. */
static cn_scenario *scenario_of(const char *system, const char *network, double load,
                                cn_traffic *traffic)
{
    cn_topology *topology = network_of(network);
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(topology, system, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    cn_traffic_free(&traffic);
    cn_topology_free(&topology);
    return scenario;
}

static cn_scenario *local(const char *system, const char *network, double ratio, double load)
{
    return scenario_of(system, network, load, geometric(network, ratio));
}

static double model(const cn_scenario *scenario, cn_metric metric)
{
    cn_result *result;
    assert_ok(cn_predict(scenario, NULL, &result));
    double value = value_of(result, metric);
    cn_result_free(&result);
    return value;
}

static const struct {
    const char *system, *network;
    double load;
} covered[] = {
    {"shared-buffer", "hypercube(6)", 1.2},
    {"optimistic-bound", "hypercube(6)", 1.2},
};

static double limit_of(const cn_scenario *scenario)
{
    double limit;
    assert_ok(cn_saturation_load(scenario, NULL, &limit));
    return limit;
}

/* Weights in proportion to the sizes of the shells are uniform traffic. */
static void uniform_distances_are_uniform_traffic(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof covered / sizeof covered[0]; i++) {
        const char *system = covered[i].system, *network = covered[i].network;
        cn_scenario *plain = scenario_of(system, network, covered[i].load, NULL);
        cn_scenario *told = scenario_of(system, network, covered[i].load, uniform(network));
        double delay = model(plain, CN_METRIC_MEAN_DELAY), limit = limit_of(plain);
        assert_near(model(told, CN_METRIC_MEAN_DELAY), delay, 1e-9 * delay);
        assert_near(limit_of(told), limit, 1e-9 * limit);
        cn_scenario_free(&plain);
        cn_scenario_free(&told);
    }
}

/* The mean distance of the model is that of the traffic; with shorter ways more is carried, and sooner. */
static void locality_shortens_the_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof covered / sizeof covered[0]; i++) {
        const char *system = covered[i].system, *network = covered[i].network;
        cn_scenario *plain = scenario_of(system, network, covered[i].load, NULL);
        cn_scenario *near = local(system, network, 0.25, covered[i].load);
        cn_traffic *traffic = geometric(network, 0.25);
        double mean;
        assert_ok(cn_traffic_mean_distance(traffic, NULL, &mean));
        assert_near(model(near, CN_METRIC_MEAN_DISTANCE), mean, 1e-12 * mean);
        assert_true(model(near, CN_METRIC_MEAN_DELAY) < model(plain, CN_METRIC_MEAN_DELAY));
        assert_true(limit_of(near) > 1.2 * limit_of(plain));
        cn_traffic_free(&traffic);
        cn_scenario_free(&plain);
        cn_scenario_free(&near);
    }
}

static void refuse(const char *system, const char *network, cn_traffic *traffic)
{
    cn_scenario *scenario = scenario_of(system, network, 0.01, traffic);
    cn_result *result;
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "and locality on networks");
    cn_scenario_free(&scenario);
}

/* Other patterns, and locality from another source. */
static void other_traffic_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof covered / sizeof covered[0]; i++) {
        const char *system = covered[i].system, *network = covered[i].network;
        cn_topology *topology = network_of(network);
        cn_traffic *traffic;
        assert_ok(cn_traffic_hotspot(topology, 0, 0.1, &traffic));
        refuse(system, network, traffic);
        traffic = geometric(network, 0.5);
        assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_BERNOULLI));
        refuse(system, network, traffic);
        cn_topology_free(&topology);
    }
}

/* ---- unlimited buffers ---- */

/* Eq. 2.57 and 2.67 with the mean distance of the traffic. */
static void unlimited_buffers_take_the_mean_distance(void **state)
{
    (void)state;
    for (double ratio = 0.0; ratio < 1.0; ratio += 0.3) {
        const double n = 7.0, load = 1.3;
        cn_scenario *shared = local("shared-buffer", "hypercube(7)", ratio, load);
        cn_scenario *bound = local("optimistic-bound", "hypercube(7)", ratio, load);
        double d = model(shared, CN_METRIC_MEAN_DISTANCE), limit = limit_of(bound);
        assert_near(model(shared, CN_METRIC_MEAN_DELAY), -n / load * log1p(-load * d / n), 1e-12);
        double z = 1.0 + 1.0 / load / (model(bound, CN_METRIC_MEAN_DELAY) - d + 1.0);
        double a = load / (1.0 + load), transit = load * (d - 1.0) / n;
        assert_near(pow(z, n) * (1.0 - a * z), (1.0 - a) * pow(transit * z + 1.0 - transit, n),
                    1e-10);
        assert_near(limit, n / d, 1e-12);
        cn_result *result;
        assert_ok(cn_scenario_set(bound, CN_PARAM_LOAD, limit));
        assert_fails(cn_predict(bound, NULL, &result), CN_ERR_UNSTABLE, "only below n/d");
        cn_scenario_free(&shared);
        cn_scenario_free(&bound);
    }
}

/* The least and the greatest (model - simulation) / simulation that a delay may have. */
typedef struct held {
    const char *network;
    double ratio, load, least, greatest;
} held;

static double simulated(cn_scenario *scenario, cn_metric metric)
{
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 1000.0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 4000.0));
    assert_ok(cn_simulate(scenario, NULL, &result));
    double value = value_of(result, metric);
    cn_result_free(&result);
    return value;
}

/* Poisson nodes are as good an approximation as with uniform traffic while nodes offer no more. */
static void a_shared_buffer_is_as_simulated(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const held points[] = {{"hypercube(8)", 0.7, 1.0, -0.05, 0.01},
                                  {"hypercube(9)", 1.0, 0.8, -0.02, 0.01},
                                  {"hypercube(9)", 0.5, 3.0, -0.4, -0.1}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const held *p = &points[i];
        cn_scenario *s = local("shared-buffer", p->network, p->ratio, p->load);
        cn_scenario *bound = local("optimistic-bound", p->network, p->ratio, p->load);
        double delay = simulated(s, CN_METRIC_MEAN_DELAY);
        double gap = model(s, CN_METRIC_MEAN_DELAY) / delay - 1.0;
        assert_true(gap > p->least && gap < p->greatest);
        assert_true(model(bound, CN_METRIC_MEAN_DELAY) < delay);
        cn_scenario_free(&s);
        cn_scenario_free(&bound);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_distances_are_uniform_traffic),
        cmocka_unit_test(locality_shortens_the_ways),
        cmocka_unit_test(other_traffic_is_refused),
        cmocka_unit_test(unlimited_buffers_take_the_mean_distance),
        cmocka_unit_test(a_shared_buffer_is_as_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

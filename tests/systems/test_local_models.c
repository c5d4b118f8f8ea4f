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
    cn_model_variant variant;
} covered[] = {
    {"shared-buffer", "hypercube(6)", 1.2, 0},
    {"optimistic-bound", "hypercube(6)", 1.2, 0},
    {"deflection", "hypercube(6)", 1.2, CN_MODEL_PUBLISHED},
    {"deflection", "hypercube(6)", 1.2, CN_MODEL_OWN},
    {"deflection", "kary_ncube(k=5,n=3,bidirectional=False)", 0.3, CN_MODEL_PUBLISHED},
    {"deflection", "kary_ncube(k=5,n=3,bidirectional=True)", 0.8, CN_MODEL_OWN},
    {"deflection", "generalized_hypercube(k=4,n=3)", 2.0, CN_MODEL_OWN},
    {"wormhole", "hypercube(5)", 0.01, CN_MODEL_PUBLISHED},
    {"wormhole", "hypercube(5)", 0.01, CN_MODEL_OWN},
    {"wormhole", "kary_ncube(k=6,n=2,bidirectional=True)", 0.01, CN_MODEL_OWN},
    {"cut-through-deflection", "hypercube(5)", 0.2, 0},
    {"cut-through-deflection", "kary_ncube(k=5,n=2,bidirectional=False)", 0.1, 0},
};

static double limit_of(const cn_scenario *scenario)
{
    double limit;
    assert_ok(cn_saturation_load(scenario, NULL, &limit));
    return limit;
}

/* One of them; takes the traffic. */
static cn_scenario *case_of(size_t i, cn_traffic *traffic)
{
    cn_scenario *scenario =
        scenario_of(covered[i].system, covered[i].network, covered[i].load, traffic);
    if (covered[i].variant != 0)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, covered[i].variant));
    return scenario;
}

/* Weights in proportion to the sizes of the shells are uniform traffic. */
static void uniform_distances_are_uniform_traffic(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof covered / sizeof covered[0]; i++) {
        cn_scenario *plain = case_of(i, NULL), *told = case_of(i, uniform(covered[i].network));
        double delay = model(plain, CN_METRIC_MEAN_DELAY), limit = limit_of(plain);
        assert_near(model(told, CN_METRIC_MEAN_DELAY), delay, 1e-9 * delay);
        assert_near(limit_of(told), limit, 1e-9 * limit);
        cn_scenario_free(&plain);
        cn_scenario_free(&told);
    }
}

/* The mean distance of the model is that of the traffic; with shorter ways more is carried, and
 * sooner. */
static void locality_shortens_the_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof covered / sizeof covered[0]; i++) {
        const char *network = covered[i].network;
        cn_scenario *plain = case_of(i, NULL), *near = case_of(i, geometric(network, 0.25));
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

/* ---- deflection ---- */

/* Own is as near to the simulation as with uniform traffic; and says where it is not. */
static void deflection_is_as_simulated(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const held points[] = {
        {"hypercube(7)", 0.3, 3.0, -0.02, 0.02},
        {"hypercube(5)", 1.0, 1.2, -0.02, 0.02},
        {"kary_ncube(k=8,n=2,bidirectional=True)", 0.5, 1.5, -0.02, 0.02},
        {"kary_ncube(k=4,n=3,bidirectional=False)", 0.8, 0.7, -0.02, 0.02},
        {"generalized_hypercube(k=4,n=3)", 0.4, 5.0, -0.02, 0.02},
        {"kary_ncube(k=10,n=3,bidirectional=False)", 0.5, 3.3, 0.02, 0.6}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const held *p = &points[i];
        cn_scenario *s = local("deflection", p->network, p->ratio, p->load);
        double gap = model(s, CN_METRIC_MEAN_DELAY) / simulated(s, CN_METRIC_MEAN_DELAY) - 1.0;
        assert_true(gap > p->least && gap < p->greatest);
        assert_true((model(s, CN_METRIC_EXTRAPOLATED) != 0.0) == (p->greatest > 0.02));
        cn_scenario_free(&s);
    }
}

/* Nothing is sent on but what was deflected: published has a balance there, own is refused and
 * automatic does without. */
static void neighbours_alone_are_for_published(void **state)
{
    (void)state;
    cn_result *result;
    cn_scenario *s = local("deflection", "hypercube(4)", 0.0, 1.0);
    assert_near(model(s, CN_METRIC_MEAN_DISTANCE), 1.0, 1e-15);
    assert_true(model(s, CN_METRIC_MEAN_HOPS) > 1.0 && model(s, CN_METRIC_MEAN_HOPS) < 1.1);
    assert_ok(cn_scenario_set(s, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
    assert_fails(cn_predict(s, NULL, &result), CN_ERR_UNSUPPORTED,
                 "at most 90 % goes to neighbours");
    assert_ok(cn_scenario_set(s, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_ok(cn_scenario_set(s, CN_PARAM_LOAD, 0.0));
    assert_near(model(s, CN_METRIC_MEAN_DELAY), 1.0, 1e-15);
    cn_scenario_free(&s);
}

/* A tenth that goes further is enough, and on rings none has to. */
static void own_settles_in_its_region(void **state)
{
    (void)state;
    static const struct {
        const char *network;
        double ratio, channels;
    } cases[] = {{"hypercube(3)", 0.12, 3},
                 {"hypercube(9)", 0.12, 9},
                 {"generalized_hypercube(k=4,n=2)", 0.12, 6},
                 {"kary_ncube(k=5,n=3,bidirectional=False)", 0.0, 3},
                 {"kary_ncube(k=6,n=2,bidirectional=True)", 0.0, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (double share = 0.02; share < 4.0; share *= 1.5) {
            cn_scenario *s =
                local("deflection", cases[i].network, cases[i].ratio, share * cases[i].channels);
            assert_ok(cn_scenario_set(s, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
            for (double buffers = 2.0; buffers < 5.0; buffers += 2.0) {
                assert_ok(cn_scenario_set(s, CN_PARAM_BUFFERS, buffers * cases[i].channels));
                assert_true(model(s, CN_METRIC_MEAN_DELAY) >= 1.0);
            }
            cn_scenario_free(&s);
        }
}

/* ---- cut-through with deflection, and worms ---- */

static void cut_through_deflection_is_as_simulated(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const held points[] = {
        {"hypercube(6)", 0.3, 0.3, -0.06, -0.02},
        {"hypercube(6)", 0.7, 0.3, -0.033, 0.033},
        {"kary_ncube(k=5,n=2,bidirectional=False)", 0.7, 0.2, -0.033, 0.033},
        {"kary_ncube(k=6,n=3,bidirectional=False)", 0.1, 0.7, -0.2, -0.033}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const held *p = &points[i];
        cn_scenario *s = local("cut-through-deflection", p->network, p->ratio, p->load);
        assert_ok(cn_scenario_set(s, CN_PARAM_MESSAGE_FLITS, 4.0));
        double gap = model(s, CN_METRIC_MEAN_DELAY) / simulated(s, CN_METRIC_MEAN_DELAY) - 1.0;
        assert_true(gap > p->least && gap < p->greatest);
        assert_true((model(s, CN_METRIC_EXTRAPOLATED) != 0.0) == (p->greatest < 0.0));
        cn_scenario_free(&s);
    }
}

/* On Boolean cubes by distance, on others by pairs of nodes. */
static void worms_are_as_simulated(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const held points[] = {
        {"hypercube(5)", 0.5, 0.07, -0.065, 0.065},
        {"kary_ncube(k=8,n=2,bidirectional=True)", 0.6, 0.03, -0.084, 0.084},
        {"torus([8,4])", 0.6, 0.03, -0.084, 0.084}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const held *p = &points[i];
        cn_scenario *s = local("wormhole", p->network, p->ratio, p->load);
        assert_ok(cn_scenario_set(s, CN_PARAM_MESSAGE_FLITS, 16.0));
        assert_ok(cn_scenario_set(s, CN_PARAM_VIRTUAL_CHANNELS, 3.0));
        assert_near(model(s, CN_METRIC_EXTRAPOLATED), 0.0, 0.0);
        double gap = model(s, CN_METRIC_MEAN_DELAY) / simulated(s, CN_METRIC_MEAN_DELAY) - 1.0;
        assert_true(gap > p->least && gap < p->greatest);
        cn_scenario_free(&s);
    }
}

/* A Boolean cube by a routing that is followed pair by pair gives the same mean distance as one
 * that is not. */
static void pairs_and_distances_are_the_same_traffic(void **state)
{
    (void)state;
    cn_scenario *by_pairs = local("wormhole", "hypercube(5)", 0.4, 0.01);
    cn_scenario *by_distance = local("wormhole", "hypercube(5)", 0.4, 0.01);
    assert_ok(cn_scenario_set_routing_name(by_pairs, "dimension-order"));
    assert_ok(cn_scenario_set(by_pairs, CN_PARAM_VIRTUAL_CHANNELS, 2.0));
    assert_near(model(by_pairs, CN_METRIC_MEAN_DISTANCE),
                model(by_distance, CN_METRIC_MEAN_DISTANCE), 1e-12);
    cn_scenario_free(&by_pairs);
    cn_scenario_free(&by_distance);
}

/* In a mesh the nodes of a corner have others near them than those of the middle. */
static void a_mesh_is_refused(void **state)
{
    (void)state;
    refuse("wormhole", "mesh([4,4])", geometric("mesh([4,4])", 0.5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_distances_are_uniform_traffic),
        cmocka_unit_test(locality_shortens_the_ways),
        cmocka_unit_test(other_traffic_is_refused),
        cmocka_unit_test(unlimited_buffers_take_the_mean_distance),
        cmocka_unit_test(a_shared_buffer_is_as_simulated),
        cmocka_unit_test(deflection_is_as_simulated),
        cmocka_unit_test(neighbours_alone_are_for_published),
        cmocka_unit_test(own_settles_in_its_region),
        cmocka_unit_test(cut_through_deflection_is_as_simulated),
        cmocka_unit_test(worms_are_as_simulated),
        cmocka_unit_test(pairs_and_distances_are_the_same_traffic),
        cmocka_unit_test(a_mesh_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every pattern of a study against the single building blocks and a plain count over all pairs. */
#include "support/support.h"

#include "cubenet/experimental/study.h"
#include "cubenet/experimental/damage.h"

#include <math.h>

enum { MOST = 64 };

typedef enum kept { WORKING, DEGRADED, CONVEX, MINIMAL, CLUSTERS } kept;

/* What a pattern should come to; NaN where it has no such value. */
typedef struct truth {
    double working, survivors, of_working, connected, reachable, distance, hops, clusters;
} truth;

static void keep(cn_study *study, kept what)
{
    switch (what) {
    case WORKING:
        assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_WORKING));
        break;
    case DEGRADED:
        assert_ok(cn_study_set(study, CN_STUDY_K, 1));
        assert_ok(cn_study_set(study, CN_STUDY_LINK_RULE, CN_LINK_DISABLES_END));
        assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_DEGRADED));
        break;
    case CONVEX:
        assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CONVEX));
        break;
    case MINIMAL:
        assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_MINIMAL));
        break;
    case CLUSTERS:
        assert_ok(cn_study_set(study, CN_STUDY_TIE_RULE, CN_TIE_ANY));
        assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CLUSTERS));
        break;
    }
}

static void alive_in(const cn_topology *topology, const cn_faults *faults, kept what, char alive[])
{
    cn_subnet *subnet = NULL;
    if (what == DEGRADED)
        assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_DISABLES_END, NULL, &subnet));
    if (what == CONVEX)
        assert_ok(cn_subnet_convex(faults, NULL, &subnet));
    if (what == MINIMAL)
        assert_ok(cn_subnet_minimal(faults, NULL, &subnet));
    for (uint64_t v = 0; v < cn_topology_node_count(topology); v++) {
        cn_node_state state = CN_NODE_SURVIVING;
        if (subnet != NULL)
            assert_ok(cn_subnet_node_state(subnet, v, &state));
        alive[v] = state == CN_NODE_SURVIVING && !cn_faults_has_node(faults, v);
    }
    cn_subnet_free(&subnet);
}

/* Floyd and Warshall over the survivors and their good links. */
static void measure_paths(const cn_topology *topology, const cn_faults *faults, const char alive[],
                          truth *t)
{
    static unsigned d[MOST][MOST];
    uint64_t nodes = cn_topology_node_count(topology);
    for (uint64_t a = 0; a < nodes; a++)
        for (uint64_t b = 0; b < nodes; b++)
            d[a][b] = a == b ? 0 : 1000;
    for (uint64_t a = 0; a < nodes; a++)
        for (uint32_t p = 0; p < cn_topology_max_degree(topology); p++) {
            uint64_t b;
            assert_ok(cn_topology_neighbor(topology, a, p, &b));
            if (alive[a] && alive[b] && !cn_faults_has_link(faults, a, p))
                d[a][b] = 1;
        }
    for (uint64_t c = 0; c < nodes; c++)
        for (uint64_t a = 0; a < nodes; a++)
            for (uint64_t b = 0; b < nodes; b++)
                if (d[a][c] + d[c][b] < d[a][b])
                    d[a][b] = d[a][c] + d[c][b];
    double pairs = 0, all = 0, sum = 0;
    for (uint64_t a = 0; a < nodes; a++)
        for (uint64_t b = 0; b < nodes; b++) {
            all += a != b && alive[a] && alive[b];
            pairs += a != b && d[a][b] < 1000;
            sum += a != b && d[a][b] < 1000 ? d[a][b] : 0;
        }
    t->connected = pairs == all;
    t->reachable = pairs / all;
    t->distance = sum / pairs;
}

static truth truth_of(const cn_topology *topology, const cn_faults *faults, kept what)
{
    char alive[MOST];
    truth t = {.hops = (double)NAN, .clusters = (double)NAN};
    double nodes = (double)cn_topology_node_count(topology), survivors = 0;
    alive_in(topology, faults, what, alive);
    for (int v = 0; v < (int)nodes; v++)
        survivors += alive[v];
    double working = nodes - (double)cn_faults_node_count(faults);
    t.working = working / nodes;
    t.survivors = survivors / nodes;
    t.of_working = survivors / working; /* NaN without working nodes */
    measure_paths(topology, faults, alive, &t);
    if (survivors == 0)
        t.connected = (double)NAN;
    if (what == CLUSTERS) {
        cn_hierarchy *hierarchy;
        uint64_t pairs;
        assert_ok(cn_hierarchy_new(faults, NULL, &hierarchy));
        assert_ok(cn_hierarchy_make_tables(hierarchy, NULL));
        assert_ok(cn_hierarchy_mean_hops(hierarchy, CN_TIE_ANY, NULL, &t.hops, &pairs));
        t.clusters = cn_hierarchy_cluster_count(hierarchy);
        if (pairs == 0)
            t.hops = (double)NAN;
        cn_hierarchy_free(&hierarchy);
    }
    return t;
}

static void assert_metric(const cn_result *result, cn_metric metric, double expected)
{
    assert_int_equal(cn_result_has(result, metric), !isnan(expected));
    if (!isnan(expected))
        assert_near(value_of(result, metric), expected, 1e-12);
}

/* A study of the one pattern: its faults are put in as those of every pattern. */
static void check(const cn_topology *topology, cn_study *study, const cn_study *source,
                  uint64_t index, kept what)
{
    cn_faults *faults;
    cn_result *result;
    assert_ok(cn_study_pattern(source, index, &faults));
    assert_ok(cn_study_set_faults(study, faults));
    assert_ok(cn_study_run(study, NULL, &result));
    truth t = truth_of(topology, faults, what);
    assert_metric(result, CN_METRIC_WORKING_FRACTION, t.working);
    assert_metric(result, CN_METRIC_SURVIVOR_FRACTION, t.survivors);
    assert_metric(result, CN_METRIC_SURVIVORS_OF_WORKING, t.of_working);
    assert_metric(result, CN_METRIC_EMPTY_FRACTION, t.survivors == 0);
    assert_metric(result, CN_METRIC_CONNECTED_FRACTION, t.connected);
    assert_metric(result, CN_METRIC_REACHABLE_FRACTION, t.reachable);
    assert_metric(result, CN_METRIC_MEAN_DISTANCE, t.distance);
    assert_metric(result, CN_METRIC_MEAN_HOPS, t.hops);
    assert_metric(result, CN_METRIC_CLUSTERS, t.clusters);
    assert_int_equal(cn_result_has(result, CN_METRIC_SATURATED_FRACTION), 0);
    assert_string_equal(cn_result_system(result), "study");
    assert_string_equal(cn_result_model(result), "");
    assert_int_equal(cn_result_stop(result), CN_STOP_MODEL);
    cn_result_free(&result);
    cn_faults_free(&faults);
}

static void check_all(cn_topology *topology, kept what, double link_probability)
{
    cn_study *study, *source;
    assert_ok(cn_study_new(topology, &study));
    assert_ok(cn_study_new(topology, &source));
    assert_ok(cn_study_set(study, CN_STUDY_PATTERNS, 1));
    keep(study, what);
    for (uint64_t i = 0; i < 40; i++) {
        double p = (double)(i % 8) * 0.13; /* up to 0.91: hardly anything is left */
        assert_ok(cn_study_set(source, CN_STUDY_NODE_PROBABILITY, p));
        assert_ok(cn_study_set(source, CN_STUDY_LINK_PROBABILITY, link_probability));
        check(topology, study, source, i, what);
    }
    assert_ok(cn_study_set(source, CN_STUDY_NODE_PROBABILITY, 1));
    assert_ok(cn_study_set(source, CN_STUDY_LINK_PROBABILITY, 0));
    check(topology, study, source, 0, what);
    cn_study_free(&source);
    cn_study_free(&study);
}

static void patterns_of_cubes_are_measured_right(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 5; n++) {
        cn_topology *cube;
        assert_ok(cn_topology_hypercube(n, &cube));
        for (kept what = WORKING; what <= CLUSTERS; what++) {
            check_all(cube, what, 0);
            check_all(cube, what, 0.07);
        }
        cn_topology_free(&cube);
    }
}

static void patterns_of_other_networks_are_measured_right(void **state)
{
    (void)state;
    cn_topology *torus;
    for (int both_ways = 0; both_ways < 2; both_ways++) {
        assert_ok(cn_topology_kary_ncube(5, 2, both_ways, &torus));
        check_all(torus, WORKING, 0.05);
        check_all(torus, MINIMAL, 0.05);
        if (both_ways)
            check_all(torus, DEGRADED, 0.05);
        cn_topology_free(&torus);
    }
}

static cn_study *loaded(cn_topology *cube, cn_scenario *scenario, cn_faults *faults)
{
    cn_study *study;
    assert_ok(cn_study_new(cube, &study));
    assert_ok(cn_study_set(study, CN_STUDY_PATTERNS, 1));
    assert_ok(cn_study_set_faults(study, faults));
    assert_ok(cn_study_set_scenario(study, scenario, 0));
    return study;
}

static double delay_of(const cn_study *study, double saturated)
{
    cn_result *result;
    assert_ok(cn_study_run(study, NULL, &result));
    assert_metric(result, CN_METRIC_SATURATED_FRACTION, saturated);
    assert_int_equal(cn_result_is_saturated(result), saturated == 1);
    assert_string_equal(cn_result_system(result), "flow-deviation");
    assert_string_equal(cn_result_model(result), "flow-deviation/published/1");
    double delay = (double)NAN;
    if (cn_result_has(result, CN_METRIC_MEAN_DELAY))
        assert_ok(cn_result_value(result, CN_METRIC_MEAN_DELAY, &delay));
    cn_result_free(&result);
    return delay;
}

/* Figure 5.1 damaged: flow deviation gives 3.685011 at load 0.4 and saturates at 5/6; in its convex
 * subnet 3.290043, and 9.583333 at 0.8. */
static void the_load_sees_faults_and_disabled_nodes(void **state)
{
    (void)state;
    const uint64_t dead[] = {2, 3, 4, 7, 9};
    cn_topology *cube;
    cn_faults *faults;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    for (size_t i = 0; i < 5; i++)
        assert_ok(cn_faults_add_node(faults, dead[i]));
    assert_ok(cn_scenario_new(cube, "flow-deviation", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.4));
    cn_study *study = loaded(cube, scenario, faults);
    assert_near(delay_of(study, 0), 3.685011, 1e-5);
    assert_ok(cn_study_set(study, CN_STUDY_TIE_RULE, CN_TIE_HEADER));
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CLUSTERS));
    assert_near(delay_of(study, 0), 3.685011, 1e-5);
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CONVEX));
    assert_near(delay_of(study, 0), 3.290043, 1e-5);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.84));
    assert_near(delay_of(study, 0), 3.290043, 1e-5); /* the study has a copy */
    assert_ok(cn_study_set_scenario(study, scenario, 0));
    assert_true(delay_of(study, 0) > 9.583333);
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_WORKING));
    assert_true(isnan(delay_of(study, 1)));
    /* the 1-degraded subnet is empty: nothing is put to it */
    assert_ok(cn_study_set(study, CN_STUDY_K, 1));
    assert_ok(cn_study_set(study, CN_STUDY_LINK_RULE, CN_LINK_IS_BAD));
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_DEGRADED));
    assert_true(isnan(delay_of(study, (double)NAN)));
    /* one survivor cut off: no way, which is not saturation */
    assert_ok(cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_WORKING));
    assert_ok(cn_faults_clear(faults));
    for (uint64_t v = 1; v <= 8; v *= 2)
        assert_ok(cn_faults_add_node(faults, v));
    assert_ok(cn_study_set_faults(study, faults));
    assert_true(isnan(delay_of(study, (double)NAN)));
    cn_study_free(&study);
    cn_scenario_free(&scenario);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_of_cubes_are_measured_right),
        cmocka_unit_test(patterns_of_other_networks_are_measured_right),
        cmocka_unit_test(the_load_sees_faults_and_disabled_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

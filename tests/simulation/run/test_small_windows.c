/* What a run measures in a few cycles: every metric is in its range, whatever is under way when the
 * measured cycles begin and end. */
#include "support/support.h"

#include <math.h>

enum { RUNS = 1500, MOST_CYCLES = 20 };

static uint64_t state_of_draws;

/* SplitMix64; below `end`. */
static uint64_t draw(uint64_t end)
{
    uint64_t z = (state_of_draws += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % end;
}

/* ---- a random scenario ---- */

static cn_topology *draw_network(int is_cube)
{
    static const uint64_t sides[] = {3, 2, 4};
    cn_topology *t = NULL;
    switch (draw(is_cube ? 5 : 8)) {
    case 0:
    case 1:
        assert_ok(cn_topology_hypercube(1 + (uint32_t)draw(7), &t));
        break;
    case 2:
        assert_ok(cn_topology_kary_ncube(3 + draw(3), 1 + (uint32_t)draw(2), 0, &t));
        break;
    case 3:
        assert_ok(cn_topology_kary_ncube(3 + draw(3), 1 + (uint32_t)draw(2), 1, &t));
        break;
    case 4:
        assert_ok(cn_topology_ring(3 + draw(9), 1, &t));
        break;
    case 5:
        assert_ok(cn_topology_mesh(sides, 1 + (uint32_t)draw(3), &t));
        break;
    case 6:
        assert_ok(cn_topology_complete(2 + draw(8), &t));
        break;
    default:
        assert_ok(cn_topology_generalized_hypercube_mixed(sides, 2, &t));
        break;
    }
    return t;
}

static const char *const systems[] = {"separate-buffers",       "shared-buffer", "deflection",
                                      "cut-through-deflection", "wormhole",      "cut-through"};

static void set(cn_scenario *scenario, cn_param param, uint64_t value)
{
    assert_ok(cn_scenario_set(scenario, param, (double)value));
}

/* Flits per message that the scenario has then. */
static double draw_messages(cn_scenario *scenario, size_t system)
{
    static const uint64_t flits[] = {1, 2, 3, 8, 20};
    uint64_t drawn = flits[draw(5)];
    if (system < 3)
        return 1.0;
    set(scenario, CN_PARAM_MESSAGE_FLITS, drawn);
    if (system > 3) {
        set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 3 + draw(3));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 0.2 * (double)draw(3)));
    }
    return (double)drawn;
}

static cn_scenario *draw_scenario(size_t system, uint64_t *nodes)
{
    static const double loads[] = {0.01, 0.1, 0.5, 1.0, 3.0, 20.0};
    cn_topology *network = draw_network(system == 3);
    cn_scenario *scenario = NULL;
    assert_ok(cn_scenario_new(network, systems[system], &scenario));
    double flits = draw_messages(scenario, system), load = loads[draw(6)];
    int refuses = system == 2 || system == 3; /* what is too much */
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, (refuses ? load : fmin(load, 1.0)) / flits));
    if (refuses)
        set(scenario, CN_PARAM_BUFFERS, 1 + cn_topology_max_degree(network) + draw(6));
    set(scenario, CN_PARAM_WARMUP_CYCLES, draw(2) * draw(30));
    set(scenario, CN_PARAM_MEASURE_CYCLES, 1 + draw(MOST_CYCLES));
    set(scenario, CN_PARAM_REPLICATIONS, 1 + 2 * (draw(4) == 0));
    set(scenario, CN_PARAM_STATISTICS, draw(2));
    assert_ok(cn_scenario_set_seed(scenario, draw(UINT64_MAX)));
    *nodes = cn_topology_node_count(network);
    cn_topology_free(&network);
    return scenario;
}

/* ---- ranges ---- */

static const struct {
    cn_metric metric;
    double least, most;
} ranges[] = {
    {CN_METRIC_ACCEPTANCE_PROBABILITY, 0, 1},
    {CN_METRIC_CHANNEL_UTILIZATION, 0, 1},
    {CN_METRIC_FIRST_PHASE_UTILIZATION, 0, 1},
    {CN_METRIC_SECOND_PHASE_UTILIZATION, 0, 1},
    {CN_METRIC_FORWARDING_PROBABILITY, 0, 1},
    {CN_METRIC_DEFLECTION_PROBABILITY, 0, 1},
    {CN_METRIC_NET_PROGRESS, -1, 1},
    {CN_METRIC_TRANSIT_PROBABILITY, 0, 1},
    {CN_METRIC_MEAN_DISTANCE, 1, INFINITY},
    {CN_METRIC_MEAN_HOPS, 1, INFINITY},
    {CN_METRIC_MEAN_DELAY, 1, INFINITY},
    {CN_METRIC_MEAN_QUEUE_LENGTH, 0, INFINITY},
    {CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING, 1, 64},
    {CN_METRIC_CHANNEL_MESSAGE_RATE, 0, 64}, /* virtual channels, given before a flit crosses */
    {CN_METRIC_WAITING_PER_HOP, 0, INFINITY},
    {CN_METRIC_POWER, 0, INFINITY},
    {CN_METRIC_SURVIVOR_FRACTION, 1, 1}};

static void check_ranges(const char *system, const cn_result *result)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        double value;
        if (cn_result_value(result, ranges[i].metric, &value) != CN_OK)
            continue;
        if (!(value >= ranges[i].least && value <= ranges[i].most))
            fail_msg("%s: %s = %.17g", system, cn_metric_name(ranges[i].metric), value);
    }
}

/* A host takes results whenever it wants, and injects messages. */
static void drive(const cn_scenario *scenario, const char *system, uint64_t nodes)
{
    double warmup;
    cn_sim *sim = NULL;
    assert_ok(cn_scenario_get(scenario, CN_PARAM_WARMUP_CYCLES, &warmup));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, (uint64_t)warmup, NULL));
    for (uint64_t left = 1 + draw(4); left > 0; left--) {
        cn_result *result = NULL;
        uint64_t source = draw(nodes), other = (source + 1 + draw(nodes - 1)) % nodes;
        assert_true(cn_sim_inject(sim, source, other, 0, 0) >= CN_OK);
        assert_ok(cn_sim_step(sim, 1 + draw(MOST_CYCLES), NULL));
        assert_ok(cn_sim_result(sim, &result));
        check_ranges(system, result);
        cn_result_free(&result);
    }
    cn_sim_close(&sim);
}

static void every_metric_is_in_its_range(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < RUNS; run++) {
        size_t system = run % (sizeof systems / sizeof systems[0]);
        cn_result *result = NULL;
        uint64_t nodes;
        state_of_draws = run;
        cn_scenario *scenario = draw_scenario(system, &nodes);
        assert_ok(cn_simulate(scenario, NULL, &result));
        check_ranges(systems[system], result);
        drive(scenario, systems[system], nodes);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_metric_is_in_its_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

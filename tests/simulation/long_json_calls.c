/* The readers of JSON, on texts that take some milliseconds, and a workload that takes as long. */
#include "simulation/long_calls.h"

#include "cubenet/experimental/shard.h"
#include "cubenet/experimental/workload.h"

#include <stdio.h>

static char *routing_text, *topology_text, *faults_text, *traffic_text, *scenario_text,
    *result_text, *study_text, *workload_text;

#define WRITE(name, object)                                                            \
    do {                                                                               \
        size_t length;                                                                 \
        assert_int_equal(cn_##name##_json(object, NULL, 0, &length), CN_ERR_CAPACITY); \
        name##_text = malloc(length + 1);                                              \
        assert_non_null(name##_text);                                                  \
        assert_ok(cn_##name##_json(object, name##_text, length + 1, NULL));            \
    } while (0)

static cn_status next_on_ring(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    uint64_t nodes = *(const uint64_t *)user;
    *neighbor = (node + (port == 0 ? 1 : nodes - 1)) % nodes;
    return CN_OK;
}

/* What comes of a permutation of 2^16 nodes, and of a simulation of one cycle of it. */
static void make_scenario_texts(void)
{
    cn_topology *cube;
    cn_faults *damage;
    cn_traffic *traffic;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_topology_hypercube(16, &cube));
    assert_ok(cn_faults_new(cube, &damage));
    assert_ok(cn_faults_add_random_nodes(damage, 60000, 1));
    assert_ok(cn_traffic_permutation(cube, 1, &traffic));
    assert_ok(cn_scenario_new(cube, "separate-buffers", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.01));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    set_cycles(scenario, 1, 1);
    assert_ok(cn_simulate(scenario, NULL, &result));
    WRITE(faults, damage);
    WRITE(traffic, traffic);
    WRITE(scenario, scenario);
    WRITE(result, result);
    cn_study *study;
    assert_ok(cn_study_new(cube, &study));
    assert_ok(cn_study_set_faults(study, damage));
    WRITE(study, study);
    cn_study_free(&study);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_traffic_free(&traffic);
    cn_faults_free(&damage);
    cn_topology_free(&cube);
}

enum { EMPTY_ROWS = 20000 };
static cn_result *halves[2];

/* Shards of runs that counted nothing. */
static void make_halves(void)
{
    char *text = malloc(4 * EMPTY_ROWS + 1024);
    assert_non_null(text);
    for (int s = 0; s < 2; s++) {
        int length = sprintf(
            text,
            "{\"cubenet\":\"result\",\"format\":1,\"library\":\"%s\",\"system\":\"deflection\","
            "\"seed\":1,\"stop\":\"cycles\",\"saturated\":false,\"settled\":true,\"estimates\":{},"
            "\"scenario\":{\"topology\":\"hypercube(4)\",\"system\":\"deflection\",\"parameters\":{"
            "\"load\":1,\"relative_precision\":0,\"replications\":%d}},\"shard\":{\"shard\":%d,"
            "\"shards\":2,\"units\":%d,\"sums\":[],\"delays\":{\"greatest\":0,\"bins\":[]},"
            "\"counters\":[",
            cn_version_text(), 2 * EMPTY_ROWS, s, 2 * EMPTY_ROWS);
        for (int row = 0; row < EMPTY_ROWS; row++)
            length += sprintf(text + length, row == 0 ? "[]" : ",[]");
        sprintf(text + length, "]}}");
        assert_ok(cn_result_from_json(text, NULL, &halves[s]));
    }
    free(text);
}

static cn_workload *chain;
static cn_scenario *chained;

/* Messages that go through a cube, each after the one before. */
static void make_chain(void)
{
    enum { NODES = 1024, MESSAGES = 20000 };
    cn_topology *cube;
    uint64_t number = 0;
    assert_ok(cn_topology_hypercube(10, &cube));
    assert_ok(cn_workload_new(cube, &chain));
    for (uint64_t i = 0; i < MESSAGES; i++)
        assert_ok(cn_workload_add(chain, i % NODES, (i + 1) % NODES, 1, 0, &number, i > 0, NULL, 0,
                                  &number));
    WRITE(workload, chain);
    assert_ok(cn_scenario_new(cube, "deflection", &chained));
    assert_ok(cn_scenario_set_workload(chained, chain));
    cn_topology_free(&cube);
}

void make_texts(void)
{
    make_chain();
    make_halves();
    cn_topology *ring;
    uint64_t nodes = 1 << 15;
    assert_ok(cn_topology_from_function(nodes, 2, next_on_ring, &nodes, NULL, &ring));
    WRITE(topology, ring);
    cn_topology_free(&ring);
    cn_routing *minimal;
    assert_ok(cn_routing_new(have.shuffle, "minimal", NULL, NULL, &minimal));
    WRITE(routing, minimal);
    cn_routing_free(&minimal);
    make_scenario_texts();
}

void free_texts(void)
{
    cn_result_free(&halves[0]);
    cn_result_free(&halves[1]);
    free(topology_text);
    free(faults_text);
    free(traffic_text);
    free(routing_text);
    free(scenario_text);
    free(result_text);
    free(study_text);
    free(workload_text);
    cn_workload_free(&chain);
    cn_scenario_free(&chained);
}

static cn_status read_topology(const cn_control *control, double *value)
{
    cn_topology *made;
    cn_status status = cn_topology_from_json(topology_text, control, &made);
    *value = made != NULL;
    cn_topology_free(&made);
    return status;
}

static cn_status read_faults(const cn_control *control, double *value)
{
    cn_faults *made;
    cn_status status = cn_faults_from_json(faults_text, control, &made);
    *value = made != NULL;
    cn_faults_free(&made);
    return status;
}

static cn_status read_traffic(const cn_control *control, double *value)
{
    cn_traffic *made;
    cn_status status = cn_traffic_from_json(traffic_text, control, &made);
    *value = made != NULL;
    cn_traffic_free(&made);
    return status;
}

static cn_status read_routing(const cn_control *control, double *value)
{
    cn_routing *made;
    cn_status status = cn_routing_from_json(routing_text, control, &made);
    *value = made != NULL;
    cn_routing_free(&made);
    return status;
}

static cn_status read_scenario(const cn_control *control, double *value)
{
    cn_scenario *made;
    cn_status status = cn_scenario_from_json(scenario_text, control, &made);
    *value = made != NULL;
    cn_scenario_free(&made);
    return status;
}

static cn_status read_result(const cn_control *control, double *value)
{
    cn_result *made;
    cn_status status = cn_result_from_json(result_text, control, &made);
    *value = made != NULL;
    cn_result_free(&made);
    return status;
}

static cn_status merge(const cn_control *control, double *value)
{
    cn_result *made;
    cn_status status = cn_result_merge((const cn_result *const *)halves, 2, control, &made);
    *value = made != NULL;
    cn_result_free(&made);
    return status;
}

static cn_status read_study(const cn_control *control, double *value)
{
    cn_study *made;
    cn_status status = cn_study_from_json(study_text, control, &made);
    *value = made != NULL;
    cn_study_free(&made);
    return status;
}

static cn_status read_workload(const cn_control *control, double *value)
{
    cn_workload *made;
    cn_status status = cn_workload_from_json(workload_text, control, &made);
    *value = made != NULL;
    cn_workload_free(&made);
    return status;
}

static cn_status busiest_channel(const cn_control *control, double *value)
{
    return cn_workload_busiest_channel(chain, NULL, control, value);
}

static cn_status run_workload(const cn_control *control, double *value)
{
    cn_result *made;
    cn_status status = cn_simulate(chained, control, &made);
    if (made != NULL && cn_result_has(made, CN_METRIC_COMPLETION_CYCLES))
        *value = value_of(made, CN_METRIC_COMPLETION_CYCLES);
    cn_result_free(&made);
    return status;
}

const long_call long_json_calls[] = {
    {"cn_topology_from_json", read_topology}, {"cn_faults_from_json", read_faults},
    {"cn_traffic_from_json", read_traffic},   {"cn_routing_from_json", read_routing},
    {"cn_scenario_from_json", read_scenario}, {"cn_result_from_json", read_result},
    {"cn_study_from_json", read_study},       {"cn_result_merge", merge},
    {"cn_workload_from_json", read_workload}, {"cn_workload_busiest_channel", busiest_channel},
    {"cn_simulate, workload", run_workload},
};
const size_t long_json_call_count = sizeof long_json_calls / sizeof long_json_calls[0];

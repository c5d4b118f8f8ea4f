#include "digest.h"

#include <string.h>

#include "base/control.h"

enum { MOST_NODES = 16, ROOM = 1 << 16 };

/* FNV-1a */
uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        digest = (digest ^ at[i]) * UINT64_C(1099511628211);
    return digest;
}

static uint64_t number(uint64_t digest, uint64_t value)
{
    return digest_bytes(digest, &value, sizeof value);
}

static uint64_t text(uint64_t digest, const char *value)
{
    return digest_bytes(digest, value, strlen(value) + 1);
}

static char room[ROOM];

/* What a function that writes text gives. */
#define WRITTEN(call) (assert_ok(call), text(digest, room))

static uint64_t of_topology(uint64_t digest, const cn_topology *topology)
{
    uint64_t nodes = cn_topology_node_count(topology);
    digest = number(text(digest, cn_topology_name(topology)), nodes);
    for (uint64_t node = 0; node < nodes && node < MOST_NODES; node++) {
        uint64_t neighbors[256];
        size_t count;
        assert_ok(cn_topology_neighbors(topology, node, neighbors, 256, &count));
        digest = digest_bytes(digest, neighbors, count * sizeof *neighbors);
    }
    return digest;
}

static uint64_t of_tree(uint64_t digest, const cn_tree *tree)
{
    uint64_t parents[256], first[257], children[256];
    assert_ok(cn_tree_arrays(tree, parents, first, children, 256, NULL));
    return digest_bytes(digest, parents, sizeof *parents * 8);
}

static uint64_t of_faults(uint64_t digest, const cn_faults *faults)
{
    return WRITTEN(cn_faults_json(faults, room, ROOM, NULL));
}

static uint64_t of_subnet(uint64_t digest, const cn_subnet *subnet)
{
    digest = WRITTEN(cn_subnet_draw(subnet, CN_FORMAT_DOT, NULL, room, ROOM, NULL));
    return number(number(digest, cn_subnet_rounds(subnet)), cn_subnet_messages(subnet));
}

static uint64_t of_hierarchy(uint64_t digest, const cn_hierarchy *hierarchy)
{
    uint64_t values[64], anys[64], channels[64], hops[64];
    size_t count = 0;
    digest = WRITTEN(cn_hierarchy_draw(hierarchy, CN_FORMAT_DOT, NULL, room, ROOM, NULL));
    for (uint64_t node = 0; node < 2; node++)
        if (cn_hierarchy_table(hierarchy, node, values, anys, channels, hops, 64, &count) ==
            CN_OK) {
            digest = digest_bytes(digest, channels, count * sizeof *channels);
            digest = digest_bytes(digest, hops, count * sizeof *hops);
        }
    return digest;
}

/* What messages of the first nodes may take at their source. */
static uint64_t of_routing(uint64_t digest, const cn_routing *routing)
{
    uint32_t least;
    assert_ok(cn_routing_least_virtual_channels(routing, &least));
    digest = number(text(digest, cn_routing_name(routing)), least);
    for (uint64_t pair = 0; pair < MOST_NODES * MOST_NODES; pair++) {
        uint64_t node = pair % MOST_NODES, destination = pair / MOST_NODES, ports, sets[64];
        size_t count;
        if (cn_routing_channels(routing, node, destination, &ports) != CN_OK)
            continue;
        assert_ok(cn_routing_virtual_channels(routing, least, node, destination, 0, CN_NO_PORT, 0,
                                              sets, 64, &count));
        digest = digest_bytes(number(digest, ports), sets, count * sizeof *sets);
    }
    return digest;
}

static uint64_t of_deadlock(uint64_t digest, const cn_deadlock *check)
{
    cn_verdict verdict;
    uint64_t counts[4], nodes[64];
    uint32_t ports[64], channels[64];
    uint64_t destinations[64];
    size_t length;
    assert_ok(cn_deadlock_verdict(check, &verdict));
    assert_ok(cn_deadlock_counts(check, &counts[0], &counts[1], &counts[2], &counts[3]));
    assert_ok(cn_deadlock_cycle(check, nodes, ports, channels, destinations, 64, &length));
    digest = digest_bytes(number(digest, (uint64_t)verdict), counts, sizeof counts);
    digest = digest_bytes(digest, nodes, length * sizeof *nodes);
    return digest_bytes(digest, ports, length * sizeof *ports);
}

static uint64_t of_traffic(uint64_t digest, const cn_traffic *traffic)
{
    uint64_t senders;
    assert_ok(cn_traffic_senders(traffic, &senders));
    digest = number(number(digest, senders), (uint64_t)cn_traffic_pattern(traffic));
    digest = number(digest, (uint64_t)cn_traffic_source(traffic));
    for (uint64_t node = 1; node < 4; node++) {
        double probability;
        assert_ok(cn_traffic_probability(traffic, 0, node, &probability));
        digest = digest_bytes(digest, &probability, sizeof probability);
    }
    return digest;
}

static uint64_t of_operations(uint64_t digest, const cn_operations *operations)
{
    size_t many = cn_operations_count(operations);
    for (size_t i = 0; i < many; i++) {
        uint64_t destinations[64], source, start;
        size_t count;
        assert_ok(cn_operations_get(operations, i, destinations, 64, &count, &source, &start));
        digest = digest_bytes(digest, destinations, count * sizeof *destinations);
        digest = number(number(digest, source), start);
    }
    return number(digest, many);
}

static uint64_t of_workload(uint64_t digest, const cn_workload *workload)
{
    size_t many = cn_workload_count(workload);
    for (size_t i = 0; i < many; i++) {
        cn_workload_entry entry;
        uint64_t waits[64];
        size_t count;
        assert_ok(cn_workload_message(workload, i, &entry, sizeof entry));
        assert_ok(cn_workload_waits(workload, i, waits, 64, &count));
        digest =
            digest_bytes(digest_bytes(digest, &entry, sizeof entry), waits, count * sizeof *waits);
    }
    return number(digest, many);
}

static uint64_t of_result(uint64_t digest, const cn_result *result)
{
    digest = text(digest, cn_result_system(result));
    digest = text(digest, cn_result_model(result));
    digest = number(number(digest, cn_result_seed(result)), (uint64_t)cn_result_stop(result));
    for (size_t m = 1; m <= cn_metric_count(); m++) {
        cn_metric metric = (cn_metric)m;
        if (!cn_result_has(result, metric))
            continue;
        double values[2] = {value_of(result, metric), half_width_of(result, metric)};
        digest = digest_bytes(digest, values, sizeof values);
    }
    return digest;
}

/* What a function that makes a result comes to; the result is given back. */
static uint64_t of_outcome(uint64_t digest, cn_status status, cn_result *result)
{
    digest = number(digest, (uint64_t)status);
    if (status == CN_OK)
        digest = of_result(digest, result);
    cn_result_free(&result);
    return digest;
}

static uint64_t of_scenario(uint64_t digest, const cn_scenario *scenario)
{
    cn_result *result = NULL;
    double cycles;
    digest = number(text(digest, cn_scenario_system(scenario)), cn_scenario_seed(scenario));
    digest = text(digest, cn_scenario_routing_name(scenario));
    for (size_t p = 1; p <= cn_param_count(); p++) {
        double value;
        if (cn_scenario_get(scenario, (cn_param)p, &value) == CN_OK)
            digest = digest_bytes(digest, &value, sizeof value);
    }
    cn_status status = cn_predict(scenario, NULL, &result);
    digest = of_outcome(digest, status, result);
    status = cn_scenario_get(scenario, CN_PARAM_MEASURE_CYCLES, &cycles);
    if (status != CN_OK || cycles > 1000)
        return digest;
    result = NULL;
    status = cn_simulate(scenario, NULL, &result);
    return of_outcome(digest, status, result);
}

static uint64_t of_sim(uint64_t digest, cn_sim *sim)
{
    cn_result *result = NULL;
    cn_status status = cn_sim_result(sim, &result);
    return of_outcome(number(digest, cn_sim_cycle(sim)), status, result);
}

static uint64_t of_study(uint64_t digest, const cn_study *study)
{
    cn_faults *faults = NULL;
    cn_result *result = NULL;
    cn_status status = cn_study_pattern(study, 0, &faults);
    if (status == CN_OK)
        digest = of_faults(digest, faults);
    cn_faults_free(&faults);
    status = cn_study_run(study, NULL, &result);
    return of_outcome(digest, status, result);
}

static uint64_t of_control(uint64_t digest, const cn_control *control)
{
    digest = number(number(digest, control->steps), control->progress != NULL);
    return number(digest, (uint64_t)control->seconds);
}

#define ADD(type)              \
    if (objects->type != NULL) \
    digest = of_##type(digest ^ 1, objects->type)

uint64_t digest_handles(const handles *objects)
{
    uint64_t digest = UINT64_C(14695981039346656037);
    ADD(topology);
    ADD(tree);
    ADD(faults);
    ADD(subnet);
    ADD(hierarchy);
    ADD(routing);
    ADD(deadlock);
    ADD(traffic);
    ADD(operations);
    ADD(workload);
    ADD(scenario);
    ADD(sim);
    ADD(study);
    ADD(control);
    ADD(result);
    return digest;
}

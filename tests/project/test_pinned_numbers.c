/* The numbers and names of the public enums. They are part of the ABI and of everybody's scripts: a
 * line is added here for every new one, and none is ever changed. test_enums.py tells which are
 * missing. */
#include "support/support.h"

#include <string.h>

typedef struct pinned {
    int constant;
    int number;
    const char *name;
} pinned;

static const pinned statuses[] = {
    {CN_OK, 0, NULL},
    {CN_DONE, 1, NULL},
    {CN_REFUSED, 2, NULL},
    {CN_ERR_ARGUMENT, -1, NULL},
    {CN_ERR_MEMORY, -2, NULL},
    {CN_ERR_UNSUPPORTED, -3, NULL},
    {CN_ERR_UNSTABLE, -4, NULL},
    {CN_ERR_NOT_FOUND, -5, NULL},
    {CN_ERR_OVERFLOW, -6, NULL},
    {CN_ERR_CAPACITY, -7, NULL},
    {CN_ERR_STATE, -8, NULL},
    {CN_ERR_CONVERGENCE, -9, NULL},
    {CN_ERR_DEADLOCK, -10, NULL},
    {CN_ERR_THREAD, -11, NULL},
    {CN_ERR_DISCONNECTED, -12, NULL},
    {CN_ERR_INTERNAL, -99, NULL},
};

static const pinned stops[] = {
    {CN_STOP_MODEL, 0, NULL},     {CN_STOP_PRECISION, 1, NULL}, {CN_STOP_CYCLES, 2, NULL},
    {CN_STOP_SATURATED, 3, NULL}, {CN_STOP_DEADLOCK, 4, NULL},  {CN_STOP_COMPLETED, 5, NULL},
};

static const pinned patterns[] = {
    {CN_PATTERN_UNIFORM, 0, "uniform"},
    {CN_PATTERN_BIT_COMPLEMENT, 1, "bit-complement"},
    {CN_PATTERN_BIT_REVERSE, 2, "bit-reverse"},
    {CN_PATTERN_TRANSPOSE, 3, "transpose"},
    {CN_PATTERN_SHUFFLE, 4, "shuffle"},
    {CN_PATTERN_TORNADO, 5, "tornado"},
    {CN_PATTERN_NEIGHBOR, 6, "neighbor"},
    {CN_PATTERN_HOTSPOT, 7, "hotspot"},
    {CN_PATTERN_PERMUTATION, 8, "permutation"},
    {CN_PATTERN_LOCALITY, 9, "locality"},
    {CN_PATTERN_DESTINATIONS, 10, "destinations"},
    {CN_PATTERN_MATRIX, 11, "matrix"},
    {CN_PATTERN_TRACE, 12, "trace"},
};

static const pinned sources[] = {
    {CN_SOURCE_OF_SYSTEM, 0, NULL}, {CN_SOURCE_GEOMETRIC, 1, NULL}, {CN_SOURCE_BERNOULLI, 2, NULL},
    {CN_SOURCE_POISSON, 3, NULL},   {CN_SOURCE_ON_OFF, 4, NULL},
};

static const pinned wormhole_rules[] = {
    {CN_WORMHOLE_DIMENSION_ORDER, 0, "dimension-order"},
    {CN_WORMHOLE_ADAPTIVE, 1, "adaptive"},
    {CN_WORMHOLE_DIMENSION_ORDER_UNSAFE, 2, "dimension-order-unsafe"},
    {CN_WORMHOLE_ADAPTIVE_UNSAFE, 3, "adaptive-unsafe"},
};

static const pinned verdicts[] = {
    {CN_VERDICT_ACYCLIC, 0, "acyclic"},
    {CN_VERDICT_ESCAPE, 1, "escape"},
    {CN_VERDICT_CYCLIC, 2, "cyclic"},
    {CN_VERDICT_ESCAPE_CYCLIC, 3, "escape-cyclic"},
    {CN_VERDICT_ESCAPE_MISSING, 4, "escape-missing"},
    {CN_VERDICT_STUCK, 5, "stuck"},
};

static const pinned params[] = {
    {CN_PARAM_LOAD, 1, "load"},
    {CN_PARAM_BUFFERS, 2, "buffers"},
    {CN_PARAM_WARMUP_CYCLES, 3, "warmup_cycles"},
    {CN_PARAM_MEASURE_CYCLES, 4, "measure_cycles"},
    {CN_PARAM_REPLICATIONS, 5, "replications"},
    {CN_PARAM_RELATIVE_PRECISION, 6, "relative_precision"},
    {CN_PARAM_THREADS, 7, "threads"},
    {CN_PARAM_VIRTUAL_CHANNELS, 8, "virtual_channels"},
    {CN_PARAM_MESSAGE_FLITS, 9, "message_flits"},
    {CN_PARAM_FLIT_BUFFERS, 10, "flit_buffers"},
    {CN_PARAM_BROADCAST_FRACTION, 11, "broadcast_fraction"},
    {CN_PARAM_STARTUP_LATENCY, 12, "startup_latency"},
    {CN_PARAM_NODE_FAILURE_PROBABILITY, 13, "node_failure_probability"},
    {CN_PARAM_PROCESSING_RATIO, 14, "processing_ratio"},
    {CN_PARAM_MODEL_VARIANT, 15, "model_variant"},
    {CN_PARAM_STATE_SPACE, 16, "state_space"},
    {CN_PARAM_ADAPTIVE, 17, "adaptive"},
    {CN_PARAM_INJECTION_SERVERS, 18, "injection_servers"},
    {CN_PARAM_ONE_PORT, 19, "one_port"},
    {CN_PARAM_SLOTTED, 20, "slotted"},
    {CN_PARAM_OPERATIONS, 21, "operations"},
    {CN_PARAM_START_CYCLES, 22, "start_cycles"},
    {CN_PARAM_DESTINATIONS, 23, "destinations"},
    {CN_PARAM_DESTINATION_CHOICE, 24, "destination_choice"},
    {CN_PARAM_MACHINE, 25, "machine"},
    {CN_PARAM_TREE, 26, "tree"},
    {CN_PARAM_CLUBBING, 27, "clubbing"},
    {CN_PARAM_CHANNEL_CAPACITY, 28, "channel_capacity"},
    {CN_PARAM_BUFFER_CLASSES, 29, "buffer_classes"},
};

static const pinned metrics[] = {
    {CN_METRIC_MEAN_DELAY, 1, "mean_delay"},
    {CN_METRIC_MEAN_DELAY_UNICAST, 2, "mean_delay_unicast"},
    {CN_METRIC_MEAN_DELAY_BROADCAST, 3, "mean_delay_broadcast"},
    {CN_METRIC_THROUGHPUT, 4, "throughput"},
    {CN_METRIC_NETWORK_THROUGHPUT, 5, "network_throughput"},
    {CN_METRIC_OFFERED_LOAD, 6, "offered_load"},
    {CN_METRIC_ACCEPTANCE_PROBABILITY, 7, "acceptance_probability"},
    {CN_METRIC_MEAN_QUEUE_LENGTH, 8, "mean_queue_length"},
    {CN_METRIC_CHANNEL_UTILIZATION, 9, "channel_utilization"},
    {CN_METRIC_FIRST_PHASE_UTILIZATION, 10, "first_phase_utilization"},
    {CN_METRIC_SECOND_PHASE_UTILIZATION, 11, "second_phase_utilization"},
    {CN_METRIC_FORWARDING_PROBABILITY, 12, "forwarding_probability"},
    {CN_METRIC_DEFLECTION_PROBABILITY, 13, "deflection_probability"},
    {CN_METRIC_NET_PROGRESS, 14, "net_progress"},
    {CN_METRIC_TRANSIT_PROBABILITY, 15, "transit_probability"},
    {CN_METRIC_MEAN_DISTANCE, 16, "mean_distance"},
    {CN_METRIC_MEAN_HOPS, 17, "mean_hops"},
    {CN_METRIC_POWER, 18, "power"},
    {CN_METRIC_POWER_ACCEPTED, 19, "power_accepted"},
    {CN_METRIC_DELAY_P50, 20, "delay_p50"},
    {CN_METRIC_DELAY_P95, 21, "delay_p95"},
    {CN_METRIC_DELAY_P99, 22, "delay_p99"},
    {CN_METRIC_DELAY_MAX, 23, "delay_max"},
    {CN_METRIC_CHANNEL_MESSAGE_RATE, 24, "channel_message_rate"},
    {CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING, 25, "virtual_channel_multiplexing"},
    {CN_METRIC_MESSAGES_DELIVERED, 26, "messages_delivered"},
    {CN_METRIC_MESSAGES_IN_FLIGHT, 27, "messages_in_flight"},
    {CN_METRIC_CYCLES, 28, "cycles"},
    {CN_METRIC_MESSAGES_OFFERED, 29, "messages_offered"},
    {CN_METRIC_MESSAGES_REFUSED, 30, "messages_refused"},
    {CN_METRIC_MESSAGES_ACCEPTED, 31, "messages_accepted"},
    {CN_METRIC_WAITING_PER_HOP, 32, "waiting_per_hop"},
    {CN_METRIC_CHANNEL_RATE_UNICAST, 33, "channel_rate_unicast"},
    {CN_METRIC_CHANNEL_RATE_BROADCAST, 34, "channel_rate_broadcast"},
    {CN_METRIC_CHANNEL_RATE_REPLICA, 35, "channel_rate_replica"},
    {CN_METRIC_COMPLETION_CYCLES, 36, "completion_cycles"},
    {CN_METRIC_OPERATION_CYCLES, 37, "operation_cycles"},
    {CN_METRIC_TRANSMISSIONS, 38, "transmissions"},
    {CN_METRIC_CONTENTIONS, 39, "contentions"},
    {CN_METRIC_PEAK_BUFFER_USE, 40, "peak_buffer_use"},
    {CN_METRIC_PEAK_CHANNEL_LOAD, 41, "peak_channel_load"},
    {CN_METRIC_LOWER_BOUND_CYCLES, 42, "lower_bound_cycles"},
    {CN_METRIC_SURVIVOR_FRACTION, 43, "survivor_fraction"},
    {CN_METRIC_REACHABLE_FRACTION, 44, "reachable_fraction"},
    {CN_METRIC_WORKING_FRACTION, 45, "working_fraction"},
    {CN_METRIC_SURVIVORS_OF_WORKING, 46, "survivors_of_working"},
    {CN_METRIC_CONNECTED_FRACTION, 47, "connected_fraction"},
    {CN_METRIC_CLUSTERS, 48, "clusters"},
    {CN_METRIC_SATURATED_FRACTION, 49, "saturated_fraction"},
    {CN_METRIC_EMPTY_FRACTION, 50, "empty_fraction"},
};

static const pinned formats[] = {
    {CN_FORMAT_EDGES, 1, "edges"},
    {CN_FORMAT_METIS, 2, "metis"},
    {CN_FORMAT_DOT, 3, "dot"},
    {CN_FORMAT_GRAPHML, 4, "graphml"},
};

static const pinned measures[] = {
    {CN_MEASURE_DIAMETER, 1, "diameter"},
    {CN_MEASURE_MEAN_DISTANCE, 2, "mean_distance"},
    {CN_MEASURE_BROADCAST_TIME, 3, "broadcast_time"},
    {CN_MEASURE_BISECTION_WIDTH, 4, "bisection_width"},
    {CN_MEASURE_DISCONNECTIVITY, 5, "disconnectivity"},
    {CN_MEASURE_LOOSENESS, 6, "looseness"},
    {CN_MEASURE_CONNECTIVITY, 7, "connectivity"},
    {CN_MEASURE_COST_EFFECTIVENESS, 8, "cost_effectiveness"},
    {CN_MEASURE_LINKS, 9, "links"},
    {CN_MEASURE_NODE_CUT, 10, "node_cut"},
};

static const pinned known[] = {
    {CN_KNOWN_CLOSED_FORM, 1, "closed form"},
    {CN_KNOWN_EXACT, 2, "exact"},
    {CN_KNOWN_BOUNDS, 3, "bounds"},
};

/* Enums of damaged cubes. */
static const pinned damage[] = {
    {CN_TIE_HEADER, 0, NULL},     {CN_TIE_ANY, 1, NULL},           {CN_TIE_LOWEST, 2, NULL},
    {CN_NODE_SURVIVING, 0, NULL}, {CN_NODE_FAULTY, 1, NULL},       {CN_NODE_DISABLED, 2, NULL},
    {CN_LINK_IS_BAD, 0, NULL},    {CN_LINK_DISABLES_END, 1, NULL},
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static void assert_numbers(const pinned rows[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(rows[i].constant, rows[i].number);
}

static int is_pinned(const pinned rows[], size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].number == number)
            return 1;
    return 0;
}

/* Nothing gives the number of statuses and stops away but that their texts differ from the one for
 * an unknown number. */
static void test_statuses(void **state)
{
    (void)state;
    assert_numbers(statuses, COUNT(statuses));
    const char *unknown = cn_status_text((cn_status)1000);
    for (int number = -1000; number < 1000; number++)
        assert_int_equal(strcmp(cn_status_text((cn_status)number), unknown) != 0,
                         is_pinned(statuses, COUNT(statuses), number));
}

static void test_stops(void **state)
{
    (void)state;
    assert_numbers(stops, COUNT(stops));
    const char *unknown = cn_stop_text((cn_stop)1000);
    for (int number = 0; number < 1000; number++)
        assert_int_equal(strcmp(cn_stop_text((cn_stop)number), unknown) != 0,
                         is_pinned(stops, COUNT(stops), number));
}

static void test_wormhole_rules(void **state)
{
    (void)state;
    assert_numbers(wormhole_rules, COUNT(wormhole_rules));
    for (size_t i = 0; i < COUNT(wormhole_rules); i++)
        assert_string_equal(cn_wormhole_rule_name((cn_wormhole_rule)wormhole_rules[i].number),
                            wormhole_rules[i].name);
    assert_null(cn_wormhole_rule_name((cn_wormhole_rule)COUNT(wormhole_rules)));
}

static void test_verdicts(void **state)
{
    (void)state;
    assert_numbers(verdicts, COUNT(verdicts));
    for (size_t i = 0; i < COUNT(verdicts); i++)
        assert_string_equal(cn_verdict_name((cn_verdict)verdicts[i].number), verdicts[i].name);
    assert_null(cn_verdict_name((cn_verdict)COUNT(verdicts)));
}

static void test_params(void **state)
{
    (void)state;
    assert_numbers(params, COUNT(params));
    assert_int_equal(cn_param_count(), COUNT(params));
    for (size_t i = 0; i < COUNT(params); i++)
        assert_string_equal(cn_param_name((cn_param)params[i].number), params[i].name);
}

static void test_metrics(void **state)
{
    (void)state;
    assert_numbers(metrics, COUNT(metrics));
    assert_int_equal(cn_metric_count(), COUNT(metrics));
    for (size_t i = 0; i < COUNT(metrics); i++)
        assert_string_equal(cn_metric_name((cn_metric)metrics[i].number), metrics[i].name);
}

static void test_traffic(void **state)
{
    (void)state;
    assert_numbers(patterns, COUNT(patterns));
    assert_numbers(sources, COUNT(sources));
    assert_int_equal(cn_pattern_count(), COUNT(patterns));
    for (size_t i = 0; i < COUNT(patterns); i++)
        assert_string_equal(cn_pattern_name((cn_pattern)patterns[i].number), patterns[i].name);
}

static void test_interchange(void **state)
{
    (void)state;
    assert_numbers(formats, COUNT(formats));
    for (size_t i = 0; i < COUNT(formats); i++)
        assert_string_equal(cn_format_name((cn_format)formats[i].number), formats[i].name);
    assert_null(cn_format_name((cn_format)(COUNT(formats) + 1)));
}

static void test_measures(void **state)
{
    (void)state;
    assert_numbers(measures, COUNT(measures));
    for (size_t i = 0; i < COUNT(measures); i++)
        assert_string_equal(cn_measure_name((cn_measure)measures[i].number), measures[i].name);
    assert_null(cn_measure_name((cn_measure)(COUNT(measures) + 1)));
    assert_numbers(known, COUNT(known));
    for (size_t i = 0; i < COUNT(known); i++)
        assert_string_equal(cn_known_name((cn_known)known[i].number), known[i].name);
    assert_null(cn_known_name((cn_known)(COUNT(known) + 1)));
}

static void test_damage(void **state)
{
    (void)state;
    assert_numbers(damage, COUNT(damage));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statuses),       cmocka_unit_test(test_stops),
        cmocka_unit_test(test_wormhole_rules), cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_params),         cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_traffic),        cmocka_unit_test(test_interchange),
        cmocka_unit_test(test_measures),       cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

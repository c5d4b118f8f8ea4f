/* The numbers and names of the public enums. They are part of the ABI and of everybody's scripts: a
 * line is added here for every new one, and none is ever changed. */
#include "support/support.h"

#include "cubenet/experimental/collectives.h"
#include "cubenet/experimental/part.h"
#include "cubenet/experimental/study.h"

#include <stdio.h>
#include <string.h>

typedef struct pinned {
    int constant;
    int number;
    const char *name;
} pinned;

static const pinned statuses[] = {
    {CN_OK, 0, "ok"},
    {CN_DONE, 1, "done"},
    {CN_REFUSED, 2, "refused"},
    {CN_ERR_ARGUMENT, -1, "argument"},
    {CN_ERR_MEMORY, -2, "memory"},
    {CN_ERR_UNSUPPORTED, -3, "unsupported"},
    {CN_ERR_UNSTABLE, -4, "unstable"},
    {CN_ERR_NOT_FOUND, -5, "not-found"},
    {CN_ERR_OVERFLOW, -6, "overflow"},
    {CN_ERR_CAPACITY, -7, "capacity"},
    {CN_ERR_STATE, -8, "state"},
    {CN_ERR_CONVERGENCE, -9, "convergence"},
    {CN_ERR_DEADLOCK, -10, "deadlock"},
    {CN_ERR_THREAD, -11, "thread"},
    {CN_ERR_DISCONNECTED, -12, "disconnected"},
    {CN_ERR_CANCELLED, -13, "cancelled"},
    {CN_ERR_EXCHANGE, -14, "exchange"},
    {CN_ERR_INTERNAL, -99, "internal"},
};

static const pinned stops[] = {
    {CN_STOP_MODEL, 0, "model"},           {CN_STOP_PRECISION, 1, "precision"},
    {CN_STOP_CYCLES, 2, "cycles"},         {CN_STOP_SATURATED, 3, "saturated"},
    {CN_STOP_DEADLOCK, 4, "deadlock"},     {CN_STOP_COMPLETED, 5, "completed"},
    {CN_STOP_TIME_LIMIT, 6, "time-limit"}, {CN_STOP_CANCELLED, 7, "cancelled"},
};

static const pinned formats[] = {
    {CN_FORMAT_EDGES, 1, "edges"},     {CN_FORMAT_METIS, 2, "metis"}, {CN_FORMAT_DOT, 3, "dot"},
    {CN_FORMAT_GRAPHML, 4, "graphml"}, {CN_FORMAT_SVG, 5, "svg"},
};

static const pinned measures[] = {
    {CN_MEASURE_DIAMETER, 1, "diameter"},
    {CN_MEASURE_MEAN_DISTANCE, 2, "mean_distance"},
    {CN_MEASURE_BROADCAST_TIME, 3, "broadcast_time"},
    {CN_MEASURE_BISECTION_WIDTH, 4, "bisection_width"},
    {CN_MEASURE_DISCONNECTIVITY, 5, "disconnectivity"},
    {CN_MEASURE_LOOSENESS, 6, "looseness"},
    {CN_MEASURE_MEAN_DEGREE, 7, "mean_degree"},
    {CN_MEASURE_COST_EFFECTIVENESS, 8, "cost_effectiveness"},
    {CN_MEASURE_LINKS, 9, "links"},
    {CN_MEASURE_NODE_CUT, 10, "node_cut"},
    {CN_MEASURE_LOOSENESS_EUCLIDEAN, 11, "looseness_euclidean"},
    {CN_MEASURE_LOOSENESS_PRODUCT, 12, "looseness_product"},
    {CN_MEASURE_LAYOUT_AREA_BOUND, 13, "layout_area_bound"},
    {CN_MEASURE_BROADCAST_TIME_JOINED_PORTS, 14, "broadcast_time_joined_ports"},
    {CN_MEASURE_BROADCAST_TIME_DIVIDED_PORTS, 15, "broadcast_time_divided_ports"},
    {CN_MEASURE_BROADCAST_TIME_LIMITED_LINKS, 16, "broadcast_time_limited_links"},
};

static const pinned kinds[] = {
    {CN_KNOWN_CLOSED_FORM, 1, "closed-form"},
    {CN_KNOWN_EXACT, 2, "exact"},
    {CN_KNOWN_BOUNDS, 3, "bounds"},
};

static const pinned node_states[] = {
    {CN_NODE_SURVIVING, 0, "surviving"},
    {CN_NODE_FAULTY, 1, "faulty"},
    {CN_NODE_DISABLED, 2, "disabled"},
};

/* Of enums that are arguments only and have no names. */
static const pinned without_names[] = {
    {CN_CHANGE_FAIL_NODE, 0, NULL}, {CN_CHANGE_REPAIR_NODE, 1, NULL},
    {CN_CHANGE_FAIL_LINK, 2, NULL}, {CN_CHANGE_REPAIR_LINK, 3, NULL},
    {CN_EXCHANGE_BEGIN, 0, NULL},   {CN_EXCHANGE_END, 1, NULL},
    {CN_EXCHANGE_STOP, 2, NULL},
};

static const pinned link_rules[] = {
    {CN_LINK_IS_BAD, 0, "is_bad"},
    {CN_LINK_DISABLES_END, 1, "disables_end"},
};

static const pinned tie_rules[] = {
    {CN_TIE_HEADER, 0, "header"},
    {CN_TIE_ANY, 1, "any"},
    {CN_TIE_LOWEST, 2, "lowest"},
};

static const pinned counts[] = {
    {CN_NODE_COUNT_OFFERED, 0, "offered"},     {CN_NODE_COUNT_ACCEPTED, 1, "accepted"},
    {CN_NODE_COUNT_REFUSED, 2, "refused"},     {CN_NODE_COUNT_DELIVERED, 3, "delivered"},
    {CN_NODE_COUNT_FORWARDED, 4, "forwarded"},
};

static const pinned histograms[] = {
    {CN_DISTRIBUTION_DELAY, 0, "delay"},
    {CN_DISTRIBUTION_DELAY_UNICAST, 1, "delay_unicast"},
    {CN_DISTRIBUTION_DELAY_BROADCAST, 2, "delay_broadcast"},
    {CN_DISTRIBUTION_HOPS, 3, "hops"},
};

static const pinned model_variants[] = {
    {CN_MODEL_PUBLISHED, 0, "published"},
    {CN_MODEL_CORRECTED, 1, "corrected"},
    {CN_MODEL_OWN, 2, "own"},
    {CN_MODEL_AUTOMATIC, 3, "automatic"},
};

static const pinned state_spaces[] = {
    {CN_STATES_AUTOMATIC, 0, "automatic"},
    {CN_STATES_EXACT, 1, "exact"},
    {CN_STATES_REDUCED, 2, "reduced"},
};

static const pinned message_trees[] = {
    {CN_TREE_BALANCED, 0, "balanced"},     {CN_TREE_SPLIT, 1, "split"},
    {CN_TREE_BINOMIAL, 2, "binomial"},     {CN_TREE_TURNED, 3, "turned"},
    {CN_TREE_LEAST_USED, 4, "least-used"}, {CN_TREE_BREADTH_FIRST, 5, "breadth-first"},
};

static const pinned operation_kinds[] = {
    {CN_OPERATIONS_OUTWARD, 0, "outward"},
    {CN_OPERATIONS_CONTENTION, 1, "contention"},
    {CN_OPERATIONS_COMBINING, 2, "combining"},
    {CN_OPERATIONS_CONCENTRATION, 3, "concentration"},
};

static const pinned destination_choices[] = {
    {CN_DESTINATIONS_STRIDE, 0, "stride"},
    {CN_DESTINATIONS_SAME_STRIDE, 1, "same-stride"},
    {CN_DESTINATIONS_UNIFORM, 2, "uniform"},
    {CN_DESTINATIONS_SAME_RUN, 3, "same-run"},
};

static const pinned machines[] = {
    {CN_MACHINE_PAPER, 0, "paper"},
    {CN_MACHINE_CHANNELS, 1, "channels"},
};

static const pinned bases[] = {
    {CN_BASE_RANDOM, 0, "random"},
    {CN_BASE_FIXED, 1, "fixed"},
    {CN_BASE_ROUND_ROBIN, 2, "round-robin"},
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
    {CN_SOURCE_OF_SYSTEM, 0, "system"},    {CN_SOURCE_GEOMETRIC, 1, "geometric"},
    {CN_SOURCE_BERNOULLI, 2, "bernoulli"}, {CN_SOURCE_POISSON, 3, "poisson"},
    {CN_SOURCE_ON_OFF, 4, "on-off"},
};

static const pinned selections[] = {
    {CN_SELECTION_RANDOM, 0, "random"},
    {CN_SELECTION_LOWEST, 1, "lowest"},
    {CN_SELECTION_LEAST_LOADED, 2, "least-loaded"},
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
    {CN_PARAM_MODEL_VARIANT, 15, "model_variant"},
    {CN_PARAM_STATE_SPACE, 16, "state_space"},
    {CN_PARAM_SELECTION, 17, "selection"},
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
    {CN_PARAM_DETOURS, 30, "detours"},
    {CN_PARAM_OPERATION_RATE, 31, "operation_rate"},
    {CN_PARAM_TRANSIT_BUFFERS, 32, "transit_buffers"},
    {CN_PARAM_UNSAFE, 33, "unsafe"},
    {CN_PARAM_STATISTICS, 34, "statistics"},
    {CN_PARAM_MESSAGE_BUFFERS, 35, "message_buffers"},
    {CN_PARAM_BROADCAST_BASE, 36, "broadcast_base"},
    {CN_PARAM_OPERATION_THRESHOLD, 37, "operation_threshold"},
    {CN_PARAM_OPERATION_KIND, 38, "operation_kind"},
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
    {CN_METRIC_WARMUP_CYCLES, 51, "warmup_cycles"},
    {CN_METRIC_UNSETTLED_FRACTION, 52, "unsettled_fraction"},
    {CN_METRIC_EXTRAPOLATED, 53, "extrapolated"},
    {CN_METRIC_MEAN_DELAY_BROADCAST_SENT, 54, "mean_delay_broadcast_sent"},
    {CN_METRIC_BOUND_RATIO, 55, "bound_ratio"},
    {CN_METRIC_CRITICAL_COMPUTING, 56, "critical_computing"},
    {CN_METRIC_CRITICAL_SOURCE_WAITING, 57, "critical_source_waiting"},
    {CN_METRIC_CRITICAL_NETWORK_WAITING, 58, "critical_network_waiting"},
    {CN_METRIC_CRITICAL_WIRES, 59, "critical_wires"},
};

static const pinned attachments[] = {
    {CN_ATTACHMENT_FAULTS, 1, "faults"},   {CN_ATTACHMENT_SUBNET, 2, "subnet"},
    {CN_ATTACHMENT_TRAFFIC, 3, "traffic"}, {CN_ATTACHMENT_OPERATIONS, 4, "operations"},
    {CN_ATTACHMENT_ROUTING, 5, "routing"}, {CN_ATTACHMENT_WORKLOAD, 6, "workload"},
};

static const pinned names_of_enums[] = {
    {CN_ENUM_STATUS, 1, NULL},        {CN_ENUM_FORMAT, 2, NULL},
    {CN_ENUM_MEASURE, 3, NULL},       {CN_ENUM_KNOWN, 4, NULL},
    {CN_ENUM_NODE_STATE, 5, NULL},    {CN_ENUM_LINK_RULE, 6, NULL},
    {CN_ENUM_TIE_RULE, 7, NULL},      {CN_ENUM_VERDICT, 8, NULL},
    {CN_ENUM_PATTERN, 9, NULL},       {CN_ENUM_SOURCE, 10, NULL},
    {CN_ENUM_STOP, 11, NULL},         {CN_ENUM_NODE_COUNT, 12, NULL},
    {CN_ENUM_DISTRIBUTION, 13, NULL}, {CN_ENUM_ATTACHMENT, 14, NULL},
};

static const pinned study_params[] = {
    {CN_STUDY_GROWN_NODES, 1, "grown_nodes"},
    {CN_STUDY_GROWN_CENTERS, 2, "grown_centers"},
    {CN_STUDY_RANDOM_NODES, 3, "random_nodes"},
    {CN_STUDY_RANDOM_LINKS, 4, "random_links"},
    {CN_STUDY_BOMBS, 5, "bombs"},
    {CN_STUDY_BOMB_RADIUS, 6, "bomb_radius"},
    {CN_STUDY_NODE_PROBABILITY, 7, "node_probability"},
    {CN_STUDY_LINK_PROBABILITY, 8, "link_probability"},
    {CN_STUDY_KEEP, 9, "keep"},
    {CN_STUDY_K, 10, "k"},
    {CN_STUDY_LINK_RULE, 11, "link_rule"},
    {CN_STUDY_TIE_RULE, 12, "tie_rule"},
    {CN_STUDY_PATHS, 13, "paths"},
    {CN_STUDY_PATTERNS, 14, "patterns"},
    {CN_STUDY_THREADS, 15, "threads"},
};

static const pinned collective_operations[] = {
    {CN_COLLECTIVE_ALLREDUCE, 0, "allreduce"}, {CN_COLLECTIVE_REDUCE_SCATTER, 1, "reduce-scatter"},
    {CN_COLLECTIVE_ALLGATHER, 2, "allgather"}, {CN_COLLECTIVE_ALL_TO_ALL, 3, "all-to-all"},
    {CN_COLLECTIVE_BROADCAST, 4, "broadcast"}, {CN_COLLECTIVE_REDUCE, 5, "reduce"},
};

static const pinned algorithms[] = {
    {CN_ALGORITHM_RING, 0, "ring"},           {CN_ALGORITHM_RINGS, 1, "rings"},
    {CN_ALGORITHM_RECURSIVE, 2, "recursive"}, {CN_ALGORITHM_SWING, 3, "swing"},
    {CN_ALGORITHM_BINE, 4, "bine"},           {CN_ALGORITHM_DIMENSIONS, 5, "dimensions"},
    {CN_ALGORITHM_ROTATED, 6, "rotated"},     {CN_ALGORITHM_INTERLEAVED, 7, "interleaved"},
};

static const pinned keeps[] = {
    {CN_KEEP_WORKING, 0, "working"},   {CN_KEEP_DEGRADED, 1, "degraded"},
    {CN_KEEP_CONVEX, 2, "convex"},     {CN_KEEP_MINIMAL, 3, "minimal"},
    {CN_KEEP_CLUSTERS, 4, "clusters"},
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* The names and numbers of one enum by plain int, whatever its type. */
#define ACCESS(type)                                                               \
    static const char *type##_name_of(int which, int number)                       \
    {                                                                              \
        (void)which;                                                               \
        return type##_name((type)number);                                          \
    }                                                                              \
    static cn_status type##_number_of(int which, const char *name, int *number)    \
    {                                                                              \
        type found = number == NULL ? (type)0 : (type)*number;                     \
        cn_status status = type##_from_name(name, number == NULL ? NULL : &found); \
        (void)which;                                                               \
        if (number != NULL)                                                        \
            *number = (int)found;                                                  \
        return status;                                                             \
    }

ACCESS(cn_param)
ACCESS(cn_metric)
ACCESS(cn_study_param)
ACCESS(cn_keep)
ACCESS(cn_collective_operation)
ACCESS(cn_algorithm)

static const char *enum_name(int which, int number)
{
    return cn_enum_name((cn_enum)which, number);
}

static cn_status enum_value(int which, const char *name, int *value)
{
    return cn_enum_from_name((cn_enum)which, name, value);
}

#define TABLE(type, rows)                                             \
    {                                                                 \
#type, 0, rows, COUNT(rows), type##_name_of, type##_number_of \
    }
#define ENUM(which, rows)                                          \
    {                                                              \
        "cn_enum", which, rows, COUNT(rows), enum_name, enum_value \
    }

static const struct {
    const char *type;
    int which;
    const pinned *rows;
    size_t count;
    const char *(*name_of)(int which, int number);
    cn_status (*number_of)(int which, const char *name, int *number);
} enums[] = {
    ENUM(CN_ENUM_STATUS, statuses),
    ENUM(CN_ENUM_FORMAT, formats),
    ENUM(CN_ENUM_MEASURE, measures),
    ENUM(CN_ENUM_KNOWN, kinds),
    ENUM(CN_ENUM_NODE_STATE, node_states),
    ENUM(CN_ENUM_LINK_RULE, link_rules),
    ENUM(CN_ENUM_TIE_RULE, tie_rules),
    ENUM(CN_ENUM_VERDICT, verdicts),
    ENUM(CN_ENUM_PATTERN, patterns),
    ENUM(CN_ENUM_SOURCE, sources),
    ENUM(CN_ENUM_STOP, stops),
    ENUM(CN_ENUM_NODE_COUNT, counts),
    ENUM(CN_ENUM_DISTRIBUTION, histograms),
    ENUM(CN_ENUM_ATTACHMENT, attachments),
    TABLE(cn_param, params),
    TABLE(cn_metric, metrics),
    TABLE(cn_study_param, study_params),
    TABLE(cn_keep, keeps),
    TABLE(cn_collective_operation, collective_operations),
    TABLE(cn_algorithm, algorithms),
};

static const pinned *row_with(const pinned rows[], size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}

static void numbers_without_names_stay(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(without_names); i++)
        assert_int_equal(without_names[i].constant, without_names[i].number);
}

/* Every number that is pinned has its name, and no other number has one. */
static void numbers_have_their_names(void **state)
{
    (void)state;
    for (size_t e = 0; e < COUNT(enums); e++) {
        for (size_t i = 0; i < enums[e].count; i++)
            assert_int_equal(enums[e].rows[i].constant, enums[e].rows[i].number);
        for (int number = -1000; number < 1000; number++) {
            const pinned *row = row_with(enums[e].rows, enums[e].count, number);
            if (row == NULL)
                assert_null(enums[e].name_of(enums[e].which, number));
            else
                assert_string_equal(enums[e].name_of(enums[e].which, number), row->name);
        }
        assert_null(enums[e].name_of(enums[e].which, INT32_MAX));
        assert_null(enums[e].name_of(enums[e].which, INT32_MIN));
    }
}

static void names_are_unique_and_lead_back(void **state)
{
    (void)state;
    for (size_t e = 0; e < COUNT(enums); e++)
        for (size_t i = 0; i < enums[e].count; i++) {
            const char *name = enums[e].rows[i].name;
            int number = 12345;
            assert_ok(enums[e].number_of(enums[e].which, name, &number));
            assert_int_equal(number, enums[e].rows[i].number);
            assert_true(name[0] >= 'a' && name[0] <= 'z');
            assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_"), strlen(name));
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(name, enums[e].rows[j].name);
        }
}

static void unknown_names_are_refused_in_a_sentence(void **state)
{
    (void)state;
    for (size_t e = 0; e < COUNT(enums); e++) {
        char function[64];
        int number = 1;
        snprintf(function, sizeof function, "%s_from_name: ", enums[e].type);
        assert_fails(enums[e].number_of(enums[e].which, "no such name", &number), CN_ERR_NOT_FOUND,
                     function);
        assert_non_null(strstr(cn_last_error(), "\"no such name\""));
        assert_int_equal(number, 1);
        assert_fails(enums[e].number_of(enums[e].which, "", &number), CN_ERR_NOT_FOUND, "\"\"");
        assert_fails(enums[e].number_of(enums[e].which, NULL, &number), CN_ERR_ARGUMENT, "name");
        assert_fails(enums[e].number_of(enums[e].which, enums[e].rows[0].name, NULL),
                     CN_ERR_ARGUMENT, "NULL");
    }
}

/* Texts differ from that of an unknown number just where there is a name. */
static void sentences_go_with_names(void **state)
{
    (void)state;
    for (int number = -1000; number < 1000; number++) {
        assert_int_equal(strcmp(cn_status_text((cn_status)number), "unknown status") != 0,
                         cn_enum_name(CN_ENUM_STATUS, number) != NULL);
        assert_int_equal(strcmp(cn_stop_text((cn_stop)number), "unknown reason") != 0,
                         cn_enum_name(CN_ENUM_STOP, number) != NULL);
        assert_int_equal(strcmp(cn_verdict_text((cn_verdict)number), "unknown verdict") != 0,
                         cn_enum_name(CN_ENUM_VERDICT, number) != NULL);
    }
}

static void counts_are_those_of_the_tables(void **state)
{
    (void)state;
    assert_int_equal(cn_param_count(), COUNT(params) + 1); /* 14 is no parameter */
    assert_null(cn_param_name((cn_param)14));
    assert_int_equal(cn_metric_count(), COUNT(metrics));
}

/* The enums are numbered without a gap, and the range of each is that of its values. */
static void enums_have_ranges(void **state)
{
    (void)state;
    int last = 0, least, greatest;
    for (size_t i = 0; i < COUNT(names_of_enums); i++)
        assert_int_equal(names_of_enums[i].constant, names_of_enums[i].number);
    for (size_t e = 0; e < COUNT(enums) && enums[e].which != 0; e++) {
        assert_int_equal(enums[e].which, ++last);
        assert_ok(cn_enum_range((cn_enum)last, &least, &greatest));
        for (size_t i = 0; i < enums[e].count; i++)
            assert_in_range(enums[e].rows[i].number - least, 0, greatest - least);
        assert_non_null(cn_enum_name((cn_enum)last, least));
        assert_non_null(cn_enum_name((cn_enum)last, greatest));
    }
    static const int none[] = {-1, 0, 15, INT32_MAX, INT32_MIN};
    assert_int_equal(last, 14);
    for (size_t i = 0; i < COUNT(none); i++) {
        assert_null(cn_enum_name((cn_enum)none[i], 0));
        assert_fails(cn_enum_from_name((cn_enum)none[i], "ok", &least), CN_ERR_ARGUMENT, "which");
        assert_fails(cn_enum_range((cn_enum)none[i], &least, &greatest), CN_ERR_ARGUMENT,
                     "1 to 14");
    }
    assert_fails(cn_enum_range(CN_ENUM_STOP, NULL, &greatest), CN_ERR_ARGUMENT, "least");
    assert_fails(cn_enum_range(CN_ENUM_STOP, &least, NULL), CN_ERR_ARGUMENT, "greatest");
}

/* The parameters that are choices, with the enum of their values; NULL: no and yes. */
static void parameters_know_their_choices(void **state)
{
    (void)state;
    static const pinned answers[] = {{0, 0, "no"}, {1, 1, "yes"}};
    static const pinned warmups[] = {{0, 0, "automatic"}}; /* above the least value */
    static const struct {
        cn_param param;
        const pinned *rows;
        size_t count;
    } choices[] = {
        {CN_PARAM_WARMUP_CYCLES, warmups, COUNT(warmups)},
        {CN_PARAM_MODEL_VARIANT, model_variants, COUNT(model_variants)},
        {CN_PARAM_STATE_SPACE, state_spaces, COUNT(state_spaces)},
        {CN_PARAM_SELECTION, selections, COUNT(selections)},
        {CN_PARAM_ONE_PORT, answers, 2},
        {CN_PARAM_SLOTTED, answers, 2},
        {CN_PARAM_DESTINATION_CHOICE, destination_choices, COUNT(destination_choices)},
        {CN_PARAM_OPERATION_KIND, operation_kinds, COUNT(operation_kinds)},
        {CN_PARAM_MACHINE, machines, COUNT(machines)},
        {CN_PARAM_BROADCAST_BASE, bases, COUNT(bases)},
        {CN_PARAM_TREE, message_trees, COUNT(message_trees)},
        {CN_PARAM_CLUBBING, answers, 2},
        {CN_PARAM_BUFFER_CLASSES, answers, 2},
        {CN_PARAM_DETOURS, answers, 2},
        {CN_PARAM_UNSAFE, answers, 2},
        {CN_PARAM_STATISTICS, answers, 2},
    };
    size_t found = 0;
    for (size_t i = 0; i < COUNT(params); i++)
        found += cn_param_choice_count((cn_param)params[i].number) > 0;
    assert_int_equal(found, COUNT(choices));
    for (size_t c = 0; c < COUNT(choices); c++) {
        assert_int_equal(cn_param_choice_count(choices[c].param), choices[c].count);
        for (size_t i = 0; i < choices[c].count; i++)
            assert_string_equal(
                cn_param_choice_name(choices[c].param, (size_t)choices[c].rows[i].number),
                choices[c].rows[i].name);
        for (size_t i = 0; i < choices[c].count; i++)
            assert_int_equal(choices[c].rows[i].constant, choices[c].rows[i].number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_their_names),
        cmocka_unit_test(numbers_without_names_stay),
        cmocka_unit_test(names_are_unique_and_lead_back),
        cmocka_unit_test(unknown_names_are_refused_in_a_sentence),
        cmocka_unit_test(sentences_go_with_names),
        cmocka_unit_test(enums_have_ranges),
        cmocka_unit_test(counts_are_those_of_the_tables),
        cmocka_unit_test(parameters_know_their_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

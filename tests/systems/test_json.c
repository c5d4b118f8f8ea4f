/* Objects as JSON: what is written and read again is equal, and runs with the same bits. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cubenet/experimental/study.h"

#include "scenario/traffic_cases.h"
#include "support/networks.h"

/* ---- texts ---- */

typedef cn_status (*write_fn)(const void *object, char text[], size_t capacity, size_t *length);

static char *written(write_fn write, const void *object)
{
    size_t length, again;
    assert_fails(write(object, NULL, 0, &length), CN_ERR_CAPACITY, "capacity = 0");
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_ok(write(object, text, length + 1, &again));
    assert_int_equal(length, again);
    assert_int_equal(strlen(text), length);
    return text;
}

#define WRITER(name)                                                                              \
    static cn_status put_##name(const void *object, char text[], size_t capacity, size_t *length) \
    {                                                                                             \
        return cn_##name##_json(object, text, capacity, length);                                  \
    }
WRITER(topology)
WRITER(faults)
WRITER(traffic)
WRITER(routing)
WRITER(scenario)
WRITER(result)

/* The object read from the text of another one, which it writes, too. */
#define READ_AGAIN(name, object, made)                       \
    do {                                                     \
        char *first = written(put_##name, object), *second;  \
        assert_ok(cn_##name##_from_json(first, NULL, made)); \
        second = written(put_##name, *(made));               \
        assert_string_equal(first, second);                  \
        free(first);                                         \
        free(second);                                        \
    } while (0)

/* ---- topologies ---- */

static void check_topology(const cn_topology *topology)
{
    cn_topology *again;
    READ_AGAIN(topology, topology, &again);
    assert_true(cn_topology_equal(topology, again));
    assert_string_equal(cn_topology_name(topology), cn_topology_name(again));
    assert_int_equal(cn_topology_max_degree(topology), cn_topology_max_degree(again));
    cn_topology_free(&again);
}

static void every_network(void **state)
{
    (void)state;
    for (size_t i = 0; i < network_count(); i++) {
        cn_topology *topology = make_network(i);
        check_topology(topology);
        cn_topology_free(&topology);
    }
}

static cn_status one_way(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    (void)user;
    if (port == 1 && node % 2 == 0)
        return CN_OK; /* no such port */
    *neighbor = (node + 1 + port) % 7;
    return CN_OK;
}

static void other_networks(void **state)
{
    static const uint64_t many[] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3};
    cn_topology *t;
    (void)state;
    assert_ok(cn_topology_from_function(7, 2, one_way, NULL, NULL, &t));
    check_topology(t);
    cn_topology_free(&t);
    assert_ok(cn_topology_from_edges(5, (uint64_t[]){3, 1, 0, 3, 3, 2}, 3, NULL,
                                     &t)); /* 4 stands alone */
    check_topology(t);
    cn_topology_free(&t);
    assert_ok(cn_topology_from_edges(1, NULL, 0, NULL, &t));
    check_topology(t);
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(62, &t));
    check_topology(t);
    cn_topology_free(&t);
    assert_ok(cn_topology_ring(UINT64_C(1) << 62, 0, &t));
    check_topology(t);
    cn_topology_free(&t);
    assert_ok(cn_topology_generalized_hypercube_mixed(many, 21, &t));
    check_topology(t);
    cn_topology_free(&t);
}

/* ---- faults ---- */

static void every_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < network_count(); i++) {
        cn_topology *topology = make_network(i);
        cn_faults *faults, *again;
        assert_ok(cn_faults_new(topology, &faults));
        for (int step = 0; step < 3; step++) {
            READ_AGAIN(faults, faults, &again);
            assert_int_equal(cn_faults_node_count(again), cn_faults_node_count(faults));
            assert_int_equal(cn_faults_link_count(again), cn_faults_link_count(faults));
            cn_faults_free(&again);
            if (cn_faults_node_count(faults) < cn_topology_node_count(topology))
                assert_ok(cn_faults_add_random_nodes(faults, 1, 7));
            if (cn_topology_max_degree(topology) <= 64)
                assert_ok(cn_faults_add_failing_links(faults, 0.1, 3));
        }
        cn_faults_free(&faults);
        cn_topology_free(&topology);
    }
}

/* ---- results, by all that can be asked ---- */

static void check_result(const cn_result *result)
{
    cn_result *again;
    READ_AGAIN(result, result, &again);
    assert_same_result(result, again);
    assert_int_equal(cn_result_stop(result), cn_result_stop(again));
    assert_string_equal(cn_result_library(result), cn_result_library(again));
    for (int m = 1; m <= (int)cn_metric_count(); m++) {
        double a = 0, b = 0;
        uint64_t x = 0, y = 0;
        assert_int_equal(cn_result_samples(result, (cn_metric)m, &x),
                         cn_result_samples(again, (cn_metric)m, &y));
        assert_int_equal(x, y);
        cn_status status = cn_result_value(result, (cn_metric)m, &a);
        char why[512];
        snprintf(why, sizeof why, "%s", cn_last_error());
        assert_int_equal(status, cn_result_value(again, (cn_metric)m, &b));
        if (status != CN_OK)
            assert_string_equal(why, cn_last_error()); /* absent for the same reason */
    }
    cn_result_free(&again);
}

static void check_statistics(const cn_result *a, const cn_result *b)
{
    static uint64_t x[9000], y[9000];
    static double low[9000], high[9000], low2[9000], high2[9000];
    size_t n, m;
    uint64_t cycles, cycles2;
    assert_int_equal(cn_result_has_statistics(a), cn_result_has_statistics(b));
    if (!cn_result_has_statistics(a))
        return;
    assert_ok(cn_result_channel_loads(a, x, 9000, &n));
    assert_ok(cn_result_channel_loads(b, y, 9000, &m));
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n * sizeof *x);
    for (int which = CN_NODE_COUNT_OFFERED; which <= CN_NODE_COUNT_FORWARDED; which++) {
        assert_ok(cn_result_node_counts(a, (cn_node_count)which, x, 9000, &n));
        assert_ok(cn_result_node_counts(b, (cn_node_count)which, y, 9000, &m));
        assert_memory_equal(x, y, n * sizeof *x);
    }
    assert_ok(cn_result_node_queues(a, low, 9000, &n));
    assert_ok(cn_result_node_queues(b, low2, 9000, &m));
    assert_memory_equal(low, low2, n * sizeof *low);
    for (int which = CN_DISTRIBUTION_DELAY; which <= CN_DISTRIBUTION_HOPS; which++) {
        cn_status status = cn_result_histogram(a, (cn_distribution)which, low, high, x, 9000, &n);
        assert_int_equal(status,
                         cn_result_histogram(b, (cn_distribution)which, low2, high2, y, 9000, &m));
        if (status != CN_OK)
            continue;
        assert_int_equal(n, m);
        assert_memory_equal(x, y, n * sizeof *x);
        assert_memory_equal(low, low2, n * sizeof *low);
        if (cn_result_quantile(a, (cn_distribution)which, 0.99, low) == CN_OK) {
            assert_ok(cn_result_quantile(b, (cn_distribution)which, 0.99, low2));
            assert_true(low[0] == low2[0]);
        }
    }
    for (int metric = 1; metric <= (int)cn_metric_count(); metric++) {
        cn_status status = cn_result_batches(a, (cn_metric)metric, low, 9000, &n, &cycles);
        assert_int_equal(status, cn_result_batches(b, (cn_metric)metric, low2, 9000, &m, &cycles2));
        if (status != CN_OK)
            continue;
        assert_int_equal(n, m);
        assert_int_equal(cycles, cycles2);
        for (size_t i = 0; i < n; i++)
            assert_true(low[i] == low2[i] || (isnan(low[i]) && isnan(low2[i])));
    }
}

/* ---- scenarios ---- */

/* Gives its simulation where there is one: the same for the one that is read, which the result
 * carries. */
static void check_scenario(const cn_scenario *scenario)
{
    cn_scenario *again, *carried;
    READ_AGAIN(scenario, scenario, &again);
    for (int simulate = 0; simulate < 2; simulate++) {
        cn_result *a = NULL, *b = NULL, *read;
        cn_status status =
            simulate ? cn_simulate(scenario, NULL, &a) : cn_predict(scenario, NULL, &a);
        assert_int_equal(status,
                         simulate ? cn_simulate(again, NULL, &b) : cn_predict(again, NULL, &b));
        if (status != CN_OK)
            continue;
        assert_same_result(a, b);
        check_result(a);
        READ_AGAIN(result, a, &read);
        check_statistics(a, read);
        check_statistics(a, b);
        assert_ok(cn_result_scenario(read, &carried));
        char *first = written(put_scenario, scenario), *second = written(put_scenario, carried);
        assert_string_equal(first, second);
        free(first);
        free(second);
        cn_scenario_free(&carried);
        cn_result_free(&read);
        cn_result_free(&a);
        cn_result_free(&b);
    }
    cn_scenario_free(&again);
}

static cn_scenario *short_scenario(const cn_topology *topology, const char *system)
{
    cn_scenario *s;
    if (cn_scenario_new(topology, system, &s) != CN_OK)
        return NULL;
    assert_ok(cn_scenario_set_seed(s, UINT64_MAX - 3));
    if (cn_scenario_takes(s, CN_PARAM_LOAD))
        assert_ok(cn_scenario_set(s, CN_PARAM_LOAD, 0.01 + 1.0 / 3e3));
    if (cn_scenario_takes(s, CN_PARAM_MEASURE_CYCLES))
        assert_ok(cn_scenario_set(s, CN_PARAM_MEASURE_CYCLES, 300));
    if (cn_scenario_takes(s, CN_PARAM_WARMUP_CYCLES))
        assert_ok(cn_scenario_set(s, CN_PARAM_WARMUP_CYCLES, 20));
    if (cn_scenario_takes(s, CN_PARAM_STATISTICS))
        assert_ok(cn_scenario_set(s, CN_PARAM_STATISTICS, 1));
    return s;
}

static void every_system(void **state)
{
    size_t ran = 0;
    (void)state;
    for (size_t i = 0; i < network_count(); i++) {
        cn_topology *topology = make_network(i);
        for (size_t k = 0; k < cn_system_count() && cn_topology_node_count(topology) <= 16; k++) {
            cn_scenario *scenario = short_scenario(topology, cn_system_name(k));
            if (scenario == NULL)
                continue;
            check_scenario(scenario);
            cn_scenario_free(&scenario);
            ran++;
        }
        cn_topology_free(&topology);
    }
    assert_true(ran > 50);
}

/* Each parameter that a system takes, at both ends of its range. */
static void every_parameter(void **state)
{
    cn_topology *cube;
    cn_scenario *s, *again;
    (void)state;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (size_t k = 0; k < cn_system_count(); k++)
        for (int p = 1; p <= (int)cn_param_count(); p++)
            for (int end = 0; end < 2; end++) {
                double least, greatest, value = 0, as_read = 0;
                assert_ok(cn_scenario_new(cube, cn_system_name(k), &s));
                if (cn_scenario_takes(s, (cn_param)p)) {
                    assert_ok(cn_param_range((cn_param)p, &least, &greatest, NULL, NULL));
                    value = end ? greatest : least;
                    assert_ok(cn_scenario_set(s, (cn_param)p, value));
                    READ_AGAIN(scenario, s, &again);
                    assert_ok(cn_scenario_get(again, (cn_param)p, &as_read));
                    assert_true(value == as_read);
                    cn_scenario_free(&again);
                }
                cn_scenario_free(&s);
            }
    cn_topology_free(&cube);
}

/* ---- traffic ---- */

static void check_traffic(const cn_topology *topology, const cn_traffic *traffic)
{
    cn_traffic *again;
    uint64_t nodes = cn_topology_node_count(topology);
    READ_AGAIN(traffic, traffic, &again);
    for (uint64_t s = 0; s < nodes; s++)
        for (uint64_t d = 0; d < nodes; d++) {
            double a, b;
            assert_ok(cn_traffic_probability(traffic, s, d, &a));
            assert_ok(cn_traffic_probability(again, s, d, &b));
            assert_true(a == b);
        }
    cn_scenario *scenario = nodes <= 16 ? short_scenario(topology, "separate-buffers") : NULL;
    if (scenario != NULL && cn_scenario_set_traffic(scenario, traffic) == CN_OK)
        check_scenario(scenario);
    cn_scenario_free(&scenario);
    cn_traffic_free(&again);
}

static void every_traffic(void **state)
{
    (void)state;
    for_every_traffic(check_traffic);
}

static void every_source(void **state)
{
    cn_topology *cube;
    cn_traffic *traffic;
    (void)state;
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_traffic_hotspot(cube, 5, 0.1, &traffic));
    for (int source = CN_SOURCE_OF_SYSTEM; source <= CN_SOURCE_POISSON; source++) {
        assert_ok(cn_traffic_set_source(traffic, (cn_source)source));
        check_traffic(cube, traffic);
    }
    assert_ok(cn_traffic_set_on_off(traffic, 3.0000000000000004, 1e15));
    check_traffic(cube, traffic);
    cn_traffic_free(&traffic);
    /* the order of the list is that of the tags of a trace; here it is not that of the sources */
    static const uint64_t cycles[] = {0, 0, 0, 4}, from[] = {3, 1, 3, 1}, to[] = {2, 3, 1, 5};
    for (int with_flits = 0; with_flits < 2; with_flits++) {
        static const uint64_t flits[] = {1, 1, 1, 1};
        assert_ok(cn_traffic_trace(cube, cycles, from, to, with_flits ? flits : NULL, 4, &traffic));
        char *text = written(put_traffic, traffic);
        assert_non_null(strstr(text, with_flits ? "[[0, 3, 2, 1], [0, 1, 3, 1], [0, 3, 1, 1]"
                                                : "[[0, 3, 2], [0, 1, 3], [0, 3, 1]"));
        free(text);
        check_traffic(cube, traffic);
        cn_traffic_free(&traffic);
    }
    assert_ok(cn_traffic_trace(cube, NULL, NULL, NULL, NULL, 0, &traffic));
    check_traffic(cube, traffic);
    cn_traffic_free(&traffic);
    cn_topology_free(&cube);
}

/* ---- routings ---- */

/* The same answers; how it runs is seen in scenarios. */
static void check_routing_alone(const cn_routing *routing, const cn_topology *topology)
{
    cn_routing *again;
    uint64_t nodes = cn_topology_node_count(topology), a, b, longest, as_read;
    uint32_t least, other;
    READ_AGAIN(routing, routing, &again);
    for (uint64_t v = 0; v < nodes; v++)
        for (uint64_t d = 0; d < nodes; d++) {
            cn_status status = cn_routing_channels(routing, v, d, &a);
            assert_int_equal(status, cn_routing_channels(again, v, d, &b));
            assert_true(status != CN_OK || a == b);
        }
    assert_ok(cn_routing_least_virtual_channels(routing, &least));
    assert_ok(cn_routing_least_virtual_channels(again, &other));
    assert_int_equal(least, other);
    cn_status status = cn_routing_longest_walk(routing, NULL, &longest);
    assert_int_equal(status, cn_routing_longest_walk(again, NULL, &as_read));
    assert_true(status != CN_OK || longest == as_read);
    cn_routing_free(&again);
}

static void check_routing_on(const cn_routing *routing, const cn_topology *topology,
                             const cn_faults *faults, const char *system)
{
    cn_scenario *scenario = short_scenario(topology, system);
    if (scenario == NULL)
        return;
    assert_ok(cn_scenario_set_faults(scenario, faults));
    if (cn_scenario_set_routing(scenario, routing) == CN_OK)
        check_scenario(scenario);
    cn_scenario_free(&scenario);
}

static const char *const that_route[] = {"separate-buffers", "wormhole"};

static void check_routing(const cn_routing *routing, const cn_topology *topology,
                          const cn_faults *faults)
{
    check_routing_alone(routing, topology);
    for (int i = 0; i < 2; i++)
        check_routing_on(routing, topology, faults, that_route[i]);
}

/* Runs take the time here: a routing runs in one of the systems, which is the other one on the next
 * network. */
static void every_named_routing(void **state)
{
    size_t made = 0;
    (void)state;
    for (size_t i = 0; i < network_count(); i++) {
        cn_topology *topology = make_network(i);
        cn_faults *faults = NULL;
        int small = cn_topology_node_count(topology) <= 16 && cn_topology_node_count(topology) > 2;
        for (int damaged = 0; damaged < 2 && small; damaged++) {
            if (damaged) {
                assert_ok(cn_faults_new(topology, &faults));
                assert_ok(cn_faults_add_node(faults, 1));
            }
            for (size_t k = 0; k < cn_routing_kind_count(); k++) {
                cn_routing *routing;
                if (cn_routing_new(topology, cn_routing_kind_name(k), faults, NULL, &routing) !=
                    CN_OK)
                    continue;
                check_routing_alone(routing, topology);
                check_routing_on(routing, topology, faults, that_route[(i + k) % 2]);
                cn_routing_free(&routing);
                made++;
            }
        }
        cn_faults_free(&faults);
        cn_topology_free(&topology);
    }
    assert_true(made > 100);
}

/* Lowest differing dimension first; with two virtual channels the second from the first hop on, or
 * adaptive with the first as escape. *user: 0 plain, 1 looks back, 2 adaptive. */
static cn_status rule(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                      uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    uint64_t differing = node ^ destination;
    int kind = *(const int *)user;
    (void)previous, (void)virtual_channel;
    for (uint32_t p = 0; p < 4; p++)
        if ((differing >> p & 1) != 0) {
            channels[p] = kind == 1 && port != CN_NO_PORT ? 2 : kind == 2 ? 3 : 1;
            if (kind != 2)
                return CN_OK;
            if ((differing & ((UINT64_C(1) << p) - 1)) != 0)
                channels[p] = 2;
        }
    return CN_OK;
}

static cn_status escape(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                        uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    (void)user, (void)previous, (void)port, (void)virtual_channel;
    for (uint32_t p = 0; p < 4; p++)
        if (((node ^ destination) >> p & 1) != 0) {
            channels[p] = 1;
            return CN_OK;
        }
    return CN_OK;
}

static void own_rules(void **state)
{
    cn_topology *cube;
    cn_routing *routing;
    (void)state;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (int kind = 0; kind < 3; kind++) {
        assert_ok(cn_routing_own(cube, kind == 0 ? 1 : 2, rule, kind == 2 ? escape : NULL, &kind,
                                 NULL, &routing));
        check_routing(routing, cube, NULL);
        cn_routing_free(&routing);
    }
    int adaptive = 2; /* without an escape: cyclic, and no channel is one */
    assert_ok(cn_routing_own(cube, 2, rule, NULL, &adaptive, NULL, &routing));
    check_routing(routing, cube, NULL);
    cn_routing_free(&routing);
    cn_topology_free(&cube);
}

static void routings_of_objects(void **state)
{
    cn_topology *cube, *ring;
    cn_faults *faults;
    cn_subnet *subnet;
    cn_hierarchy *hierarchy;
    cn_tree *tree;
    cn_routing *routing;
    (void)state;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_faults_add_node(faults, 3));
    assert_ok(cn_faults_add_node(faults, 5));
    assert_ok(cn_subnet_chosen(faults, (uint64_t[]){1, 7, 6, 2, 4, 0}, 6, &subnet));
    assert_ok(cn_routing_optimal_path(subnet, &routing));
    check_routing(routing, cube, faults);
    cn_routing_free(&routing);
    /* the clusters of a repaired hierarchy need not be those of a new one */
    assert_ok(cn_hierarchy_new(faults, NULL, &hierarchy));
    assert_ok(cn_hierarchy_make_tables(hierarchy, NULL));
    assert_ok(cn_hierarchy_update(hierarchy, CN_CHANGE_FAIL_NODE, 10, 0, NULL));
    assert_ok(cn_faults_add_node(faults, 10));
    assert_ok(cn_routing_two_level(hierarchy, NULL, &routing));
    check_routing(routing, cube, faults);
    cn_routing_free(&routing);
    cn_hierarchy_free(&hierarchy);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    assert_ok(cn_topology_ring(6, 1, &ring));
    for (int i = 0; i < 4; i++) {
        const cn_topology *t = i == 0 ? ring : cube;
        assert_ok(i == 0   ? cn_tree_breadth_first(t, 2, NULL, &tree)
                  : i == 1 ? cn_tree_balanced(t, 3, &tree)
                  : i == 2 ? cn_tree_binomial(t, 1, 2, &tree)
                           : cn_tree_edge_disjoint(t, 9, 3, &tree));
        assert_ok(cn_routing_tree(tree, &routing));
        check_routing(routing, t, NULL);
        cn_routing_free(&routing);
        cn_tree_free(&tree);
    }
    cn_topology_free(&ring);
    cn_topology_free(&cube);
}

/* ---- what else a scenario holds ---- */

static void attachments(void **state)
{
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    cn_operations *operations;
    cn_tree *tree;
    cn_scenario *s;
    (void)state;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_faults_add_node(faults, 3));
    assert_ok(cn_faults_add_link(faults, 0, 2));
    assert_ok(cn_subnet_convex(faults, NULL, &subnet));
    static const char *const systems[] = {"separate-buffers", "deflection"};
    for (int i = 0; i < 2; i++) {
        s = short_scenario(cube, systems[i]);
        assert_ok(cn_scenario_set_subnet(s, subnet));
        assert_ok(cn_scenario_set_faults(s, faults));
        check_scenario(s);
        cn_scenario_free(&s);
    }
    s = short_scenario(cube, "wormhole"); /* a default that follows the routing */
    assert_ok(cn_scenario_set_routing_name(s, "valiant"));
    check_scenario(s);
    cn_scenario_free(&s);
    assert_ok(cn_operations_new(cube, &operations));
    assert_ok(cn_operations_add(operations, 0, (uint64_t[]){9, 3, 5}, 3, 1));
    assert_ok(cn_operations_add_broadcast(operations, 2, 0));
    assert_ok(cn_tree_breadth_first(cube, 2, NULL, &tree));
    assert_ok(cn_operations_set_tree(operations, tree));
    cn_tree_free(&tree);
    assert_ok(cn_tree_binomial(cube, 0, 1, &tree));
    assert_ok(cn_operations_set_tree(operations, tree));
    s = short_scenario(cube, "collective");
    assert_ok(cn_scenario_set_operations(s, operations));
    check_scenario(s);
    cn_scenario_free(&s);
    cn_operations_free(&operations);
    cn_tree_free(&tree);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* ---- results of every end ---- */

static void every_end(void **state)
{
    cn_result *result;
    cn_control *control;
    cn_study *study;
    cn_topology *cube;
    (void)state;
    cn_scenario *s = cube_scenario("separate-buffers", 4, 1.9); /* no mean delay, and why */
    assert_ok(cn_scenario_set(s, CN_PARAM_MEASURE_CYCLES, 2000));
    assert_ok(cn_simulate(s, NULL, &result));
    check_result(result);
    cn_result_free(&result);
    assert_ok(cn_scenario_set(s, CN_PARAM_LOAD, 0.2));
    assert_ok(
        cn_scenario_set(s, CN_PARAM_MEASURE_CYCLES, 20)); /* too short: infinite half-widths */
    assert_ok(cn_simulate(s, NULL, &result));
    assert_true(isinf(half_width_of(result, CN_METRIC_MEAN_DELAY)));
    check_result(result);
    cn_result_free(&result);
    assert_ok(cn_scenario_set(s, CN_PARAM_REPLICATIONS, 3));
    assert_ok(cn_scenario_set(s, CN_PARAM_STATISTICS, 1));
    check_scenario(s);
    assert_ok(cn_scenario_set(s, CN_PARAM_REPLICATIONS, 1));
    assert_ok(cn_scenario_set(s, CN_PARAM_MEASURE_CYCLES, 1e12));
    assert_ok(cn_scenario_set(s, CN_PARAM_RELATIVE_PRECISION, 0)); /* else it may be met in time */
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_seconds(control, 0.05));
    assert_ok(cn_simulate(s, control, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_TIME_LIMIT);
    check_result(result);
    cn_result_free(&result);
    cn_control_free(&control);
    cn_scenario_free(&s);
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_study_new(cube, &study));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_NODES, 1));
    assert_ok(cn_study_set(study, CN_STUDY_RANDOM_LINKS, 1));
    assert_ok(cn_study_run(study, NULL, &result));
    assert_fails(cn_result_scenario(result, &s), CN_ERR_NOT_FOUND, "study");
    check_result(result);
    cn_result_free(&result);
    cn_study_free(&study);
    cn_topology_free(&cube);
}

/* ---- what is refused ---- */

#define HEAD                                                                           \
    "{\"cubenet\":\"scenario\",\"format\":1,\"topology\":\"hypercube(3)\",\"system\":" \
    "\"deflection\""
#define FAULTS "{\"cubenet\":\"faults\",\"format\":1,\"topology\":\"ring(4)\","

#define ESTIMATE(half_width)                                                                    \
    "{\"cubenet\":\"result\",\"format\":1,\"library\":\"1.0\",\"system\":\"study\",\"seed\":1," \
    "\"stop\":\"model\",\"saturated\":false,\"settled\":true,\"estimates\":{\"clusters\":"      \
    "{\"value\":1,\"half_width\":" half_width ",\"samples\":1}}}"

static const struct refusal {
    const char *text;
    cn_status status;
    const char *part;
} refusals[] = {
    {"", CN_ERR_ARGUMENT, "line 1, column 1: an object"},
    {"[]", CN_ERR_ARGUMENT, "an object"},
    {"{", CN_ERR_ARGUMENT, "column 2: a key"},
    {"{}", CN_ERR_ARGUMENT, "must say what this is"},
    {"{} x", CN_ERR_ARGUMENT, "nothing may follow"},
    {HEAD, CN_ERR_ARGUMENT, "a comma or \"}\" must stand here"},
    {HEAD ",}", CN_ERR_ARGUMENT, "a key in double quotes"},
    {HEAD ",\"seed\":01}", CN_ERR_ARGUMENT, "does not begin a JSON value"},
    {HEAD ",\"seed\":1.}", CN_ERR_ARGUMENT, "JSON value"},
    {HEAD ",\"seed\":+1}", CN_ERR_ARGUMENT, "JSON value"},
    {HEAD ",\"seed\":1e0}", CN_ERR_ARGUMENT, "seed: 1e0"},
    {HEAD ",\"seed\":-1}", CN_ERR_ARGUMENT, "whole number from 0"},
    {HEAD ",\"seed\":18446744073709551616}", CN_ERR_ARGUMENT, "18446744073709551616"},
    {HEAD ",\"seed\":1,\"seed\":1}", CN_ERR_ARGUMENT, "a second time"},
    {HEAD ",\"sed\":1}", CN_ERR_ARGUMENT, "did you mean \"seed\""},
    {HEAD ",\"something\":1}", CN_ERR_ARGUMENT, "there are: "},
    {HEAD ",\n \"parameters\":{\"lode\":1}}", CN_ERR_ARGUMENT,
     "line 2, column 16: there is no key \"lode\" here; did you mean \"load\""},
    {HEAD ",\"parameters\":{\"load\":-1}}", CN_ERR_ARGUMENT, "load = -1"},
    {HEAD ",\"parameters\":{\"load\":\"NaN\"}}", CN_ERR_ARGUMENT, "load = nan"},
    {HEAD ",\"parameters\":{\"load\":1e999}}", CN_ERR_ARGUMENT, "too large"},
    {HEAD ",\"parameters\":{\"load\":\"much\"}}", CN_ERR_ARGUMENT, "must be a number"},
    {HEAD ",\"parameters\":{\"model_variant\":\"mine\"}}", CN_ERR_NOT_FOUND, "\"mine\""},
    {HEAD ",\"parameters\":{\"virtual_channels\":1}}", CN_ERR_UNSUPPORTED, "does not take"},
    {HEAD ",\"routing\":\"best\"}", CN_ERR_NOT_FOUND, "\"best\""},
    {HEAD ",\"routing\":{\"name\":\"minimal\",\"with\":{}}}", CN_ERR_ARGUMENT, "nothing beside"},
    {HEAD ",\"operations\":{\"list\":[]}}", CN_ERR_UNSUPPORTED, "does not take operations"},
    {HEAD ",\"seed\":\"\xff\"}", CN_ERR_ARGUMENT, "ASCII"},
    {HEAD ",\"seed\":\"\xc0\xaf\"}", CN_ERR_ARGUMENT, "ASCII"},
    {HEAD ",\"seed\":\"\\x\"}", CN_ERR_ARGUMENT, "ASCII"},
    {HEAD ",\"seed\":\"\\u0000\"}", CN_ERR_ARGUMENT, "ASCII"},
    {HEAD ",\"seed\":\"\\ud800\"}", CN_ERR_ARGUMENT, "ASCII"},
    {HEAD ",\"seed\":\"\\u00e9\"}", CN_ERR_ARGUMENT, "ASCII"},
    {HEAD ",\"seed\":\"\\u12g4\"}", CN_ERR_ARGUMENT, "ASCII"},
    {HEAD ",\"seed\":1,\"\\u0073eed\":1}", CN_ERR_ARGUMENT, "a second time"},
    {HEAD ",\"routing\":\"b\\u0065st\"}", CN_ERR_NOT_FOUND, "\"best\""},
    {HEAD ",\"seed\":[[[[[[[[[[[[[[[[[[[[", CN_ERR_ARGUMENT, "inside each other"},
    {"{\"cubenet\":\"scenario\",\"format\":1,\"system\":\"deflection\"}", CN_ERR_ARGUMENT,
     "\"topology\" is missing"},
    {"{\"cubenet\":\"scenario\",\"format\":2,\"future\":[]}", CN_ERR_UNSUPPORTED, "format 2"},
    {"{\"cubenet\":\"topology\",\"format\":1,\"topology\":\"ring(4)\"}", CN_ERR_ARGUMENT,
     "this is \"topology\""},
    {"{\"cubenet\":\"scenario\",\"format\":1,\"topology\":\"ring(4,bidirectional=True)\","
     "\"system\":"
     "\"wormhole\"}",
     CN_ERR_NOT_FOUND, "this one is called \"ring(4)\""},
    {"{\"cubenet\":\"scenario\",\"format\":1,\"topology\":\"torus(4)\",\"system\":\"wormhole\"}",
     CN_ERR_NOT_FOUND, "\"torus(4)\""},
    {"{\"cubenet\":\"scenario\",\"format\":1,\"topology\":\"star(99999999999)\",\"system\":"
     "\"wormhole\"}",
     CN_ERR_ARGUMENT, "nodes = 99999999999"},
    {"{\"cubenet\":\"scenario\",\"format\":1,\"topology\":\"ring(99999999999999999999)\","
     "\"system\":\"wormhole\"}",
     CN_ERR_NOT_FOUND, "99999999999999999999"},
    {"{\"cubenet\":\"scenario\",\"format\":1,\"topology\":{\"made_of\":\"edges\",\"neighbors\":[[1]"
     ","
     "[]]},\"system\":\"wormhole\"}",
     CN_ERR_ARGUMENT, "a way back"},
    {"{\"cubenet\":\"scenario\",\"format\":1,\"topology\":{\"made_of\":\"edges\",\"neighbors\":[[1,"
     "1"
     "],[0]]},\"system\":\"wormhole\"}",
     CN_ERR_ARGUMENT, "more than once"},
};

static void refused(void **state)
{
    cn_scenario *scenario;
    cn_faults *faults;
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        scenario = (cn_scenario *)&scenario;
        assert_fails(cn_scenario_from_json(refusals[i].text, NULL, &scenario), refusals[i].status,
                     refusals[i].part);
        assert_null(scenario);
    }
    assert_fails(cn_faults_from_json(FAULTS "\"nodes\":[4]}", NULL, &faults), CN_ERR_ARGUMENT,
                 "nodes: 4 stands here");
    assert_fails(cn_faults_from_json(FAULTS "\"links\":[[0,2]]}", NULL, &faults), CN_ERR_ARGUMENT,
                 "no link from 0 to 2");
    assert_fails(cn_faults_from_json(FAULTS "\"links\":[[0,1,2]]}", NULL, &faults), CN_ERR_ARGUMENT,
                 "3 elements");
    assert_fails(cn_faults_from_json(FAULTS "\"nodes\":[2,3,2]}", NULL, &faults), CN_ERR_ARGUMENT,
                 "node 2 stands here a second time");
    assert_fails(cn_faults_from_json(FAULTS "\"links\":[[0,1],[1,0]]}", NULL, &faults),
                 CN_ERR_ARGUMENT, "the link from 1 to 0 stands here a second time");
    assert_fails(cn_scenario_from_json(NULL, NULL, &scenario), CN_ERR_ARGUMENT, "text is NULL");
    cn_result *result;
    assert_fails(cn_result_from_json(ESTIMATE("-0.5"), NULL, &result), CN_ERR_ARGUMENT,
                 "half_width: a half-width is at least 0");
    assert_fails(cn_result_from_json(ESTIMATE("\"NaN\""), NULL, &result), CN_ERR_ARGUMENT,
                 "half_width: a half-width is at least 0");
    assert_ok(cn_result_from_json(ESTIMATE("\"Infinity\""), NULL, &result));
    cn_result_free(&result);
}

/* A text with another model in place of its own. */
static cn_status read_model(const char *text, const char *model, cn_result **result)
{
    char changed[4096];
    const char *at = strstr(text, "  \"model\""), *rest = strchr(at, '\n') + 1;
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, model, rest);
    return cn_result_from_json(changed, NULL, result);
}

/* A text may be older or newer than the models of the library, or than the names of models. */
static void models(void **state)
{
    static const char *const wrong[] = {
        "deflection",
        "deflection/own",
        "deflection/own/",
        "deflection/own/0",
        "deflection/own/2a",
        "deflection/own/02",
        "deflection/mine/2",
        "wormhole/own/2",
        "deflection/own/-1",
        "deflection/own/2/2",
        "deflection/own/11111111111111111111111111111111111111111111111"};
    cn_topology *cube;
    cn_scenario *s;
    cn_result *result, *read;
    char line[128];
    (void)state;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_scenario_new(cube, "deflection", &s));
    assert_ok(cn_scenario_set(s, CN_PARAM_LOAD, 0.5));
    assert_ok(cn_scenario_set(s, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
    assert_ok(cn_predict(s, NULL, &result));
    assert_string_equal(cn_result_model(result), "deflection/own/2");
    check_result(result);
    char *text = written(put_result, result);
    assert_ok(read_model(text, "", &read));
    assert_string_equal(cn_result_model(read), "");
    check_result(read);
    cn_result_free(&read);
    assert_ok(read_model(text, "\"model\": \"deflection/own/314\",", &read));
    assert_string_equal(cn_result_model(read), "deflection/own/314");
    check_result(read);
    cn_result_free(&read);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(line, sizeof line, "\"model\": \"%s\",", wrong[i]);
        assert_fails(read_model(text, line, &read), CN_ERR_ARGUMENT,
                     "is no model of deflection, like \"deflection/own/2\"");
    }
    free(text);
    cn_result_free(&result);
    cn_scenario_free(&s);
    cn_topology_free(&cube);
}

/* Any white space and any order of the keys; what is left out has its default. */
static void written_by_hand(void **state)
{
    cn_scenario *s;
    double load;
    (void)state;
    assert_ok(cn_scenario_from_json(
        "\t{ \"system\" :\"deflection\",\r\n\"parameters\":{\"load\":1.50e0 } "
        ",\"topology\":\"hypercube(3)\" , \"format\":1,\"cubenet\":"
        "\"scenario\"} \n",
        NULL, &s));
    assert_ok(cn_scenario_get(s, CN_PARAM_LOAD, &load));
    assert_true(load == 1.5);
    assert_int_equal(cn_scenario_seed(s), 1);
    cn_scenario_free(&s);
    /* escapes stand for the characters that they name, in keys and in names */
    assert_ok(cn_scenario_from_json(
        "{\"syst\\u0065m\":\"defl\\u0065ction\",\"\\u0063ubenet\":\"scenario\",\"format\":1,"
        "\"topology\":\"kary_ncube(k\\u003d4,n\\u003D2,bidirectional=True)\"}",
        NULL, &s));
    assert_string_equal(cn_scenario_system(s), "deflection");
    cn_scenario_free(&s);
    assert_fails(cn_scenario_from_json(HEAD ",\"routing\":\"\\/\\\\\\\"\"}", NULL, &s),
                 CN_ERR_NOT_FOUND, "\"/\\\"\"");
}

#if defined(_WIN32)
static int is_comma_set(void)
{
    return setlocale(LC_ALL, "German_Germany.1252") != NULL;
}
#else
/* A locale of the kind is made, which need not be installed. */
static int is_comma_set(void)
{
    char folder[] = "/tmp/cubenet-locale-XXXXXX", command[256];
    if (mkdtemp(folder) == NULL || setenv("LOCPATH", folder, 1) != 0)
        return 0;
    snprintf(command, sizeof command, "localedef -i de_DE -f ISO-8859-1 %s/comma >/dev/null 2>&1",
             folder);
    int made = system(command) != -1 && setlocale(LC_ALL, "comma") != NULL;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != -1 && made;
}
#endif

/* Numbers have a point whatever the locale. */
static void with_a_decimal_comma(void **state)
{
    (void)state;
    if (!is_comma_set())
        skip_because("there is no locale with a decimal comma here");
    char comma[8];
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    assert_string_equal(comma, "0,5");
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(3, &cube));
    cn_scenario *s = short_scenario(cube, "separate-buffers");
    char *text = written(put_scenario, s);
    assert_non_null(strstr(text, "\"load\": 0.01033333333333333"));
    free(text);
    check_scenario(s);
    cn_scenario_free(&s);
    cn_topology_free(&cube);
    setlocale(LC_ALL, "C");
}

static cn_status read_all(void *context)
{
    const char *const *texts = context;
    cn_result *result = NULL;
    cn_status status = CN_OK;
    for (; *texts != NULL && status == CN_OK; texts++) {
        status = cn_result_from_json(*texts, NULL, &result);
        cn_result_free(&result);
    }
    return status;
}

/* Of a result with statistics, and one whose scenario holds all that there is. */
static void out_of_memory(void **state)
{
    const char *texts[] = {NULL, NULL};
    cn_result *result;
    (void)state;
    cn_scenario *s = cube_scenario("separate-buffers", 2, 0.2);
    assert_ok(cn_scenario_set(s, CN_PARAM_MEASURE_CYCLES, 50));
    assert_ok(cn_scenario_set(s, CN_PARAM_STATISTICS, 1));
    assert_ok(cn_simulate(s, NULL, &result));
    char *text = written(put_result, result);
    cn_result_free(&result);
    cn_scenario_free(&s);
    texts[0] = text;
    support_fail_every_allocation(read_all, texts);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_network),   cmocka_unit_test(other_networks),
        cmocka_unit_test(every_damage),    cmocka_unit_test(every_system),
        cmocka_unit_test(every_parameter), cmocka_unit_test(every_traffic),
        cmocka_unit_test(every_source),    cmocka_unit_test(every_named_routing),
        cmocka_unit_test(own_rules),       cmocka_unit_test(routings_of_objects),
        cmocka_unit_test(attachments),     cmocka_unit_test(every_end),
        cmocka_unit_test(refused),         cmocka_unit_test(models),
        cmocka_unit_test(written_by_hand), cmocka_unit_test(with_a_decimal_comma),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Networks in which some nodes send and receive, and the others forward. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubenet/experimental/damage.h"
#include "cubenet/experimental/hosts.h"
#include "cubenet/experimental/intermediate.h"
#include "cubenet/experimental/workload.h"
#include "routing/networks.h"
#include "routing/rules/routing.h"

enum { KINDS = 4, MOST = 400 };

/* ---- what is a host ---- */

static void hosts_are_listed(void **state)
{
    (void)state;
    static const uint64_t given[] = {4, 0, 2};
    uint64_t edges[] = {0, 1, 1, 2, 2, 3, 3, 4}, hosts[5];
    cn_topology *path = NULL, *some = NULL, *all = NULL;
    size_t count = 0;
    assert_ok(cn_topology_from_edges(5, edges, 4, NULL, &path));
    assert_int_equal(cn_topology_host_count(path), 5);
    assert_int_equal(cn_topology_host_count(NULL), 0);
    assert_ok(cn_topology_choose_hosts(path, given, 3, NULL, &some));
    assert_string_equal(cn_topology_name(some), "edges(5,4,hosts=3)");
    assert_int_equal(cn_topology_host_count(some), 3);
    assert_ok(cn_topology_hosts(some, hosts, 5, &count));
    assert_int_equal(count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(hosts[i], 2 * i);
    assert_int_equal(cn_topology_node_count(some), 5);
    assert_fails(cn_topology_hosts(some, hosts, 2, &count), CN_ERR_CAPACITY, "3 hosts");
    assert_int_equal(count, 3);
    for (uint64_t v = 0; v < 5; v++)
        hosts[v] = v;
    assert_ok(cn_topology_choose_hosts(path, hosts, 5, NULL, &all));
    assert_true(cn_topology_equal(all, path));
    assert_false(cn_topology_equal(some, path));
    cn_topology_free(&path);
    cn_topology_free(&some);
    cn_topology_free(&all);
}

static void choices_that_are_refused(void **state)
{
    (void)state;
    uint64_t edges[] = {0, 1, 1, 2}, hosts[] = {0, 2, 2, 3};
    cn_topology *path = NULL, *cube = NULL, *some = NULL, *t = NULL;
    assert_ok(cn_topology_from_edges(3, edges, 2, NULL, &path));
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_fails(cn_topology_choose_hosts(path, hosts, 1, NULL, &t), CN_ERR_ARGUMENT, "count = 1");
    assert_fails(cn_topology_choose_hosts(path, hosts, 4, NULL, &t), CN_ERR_ARGUMENT, "count = 4");
    assert_fails(cn_topology_choose_hosts(path, hosts, 3, NULL, &t), CN_ERR_ARGUMENT,
                 "hosts[2] = 2");
    assert_fails(cn_topology_choose_hosts(path, hosts + 2, 2, NULL, &t), CN_ERR_ARGUMENT,
                 "hosts[1] = 3");
    assert_fails(cn_topology_choose_hosts(cube, hosts, 2, NULL, &t), CN_ERR_UNSUPPORTED,
                 "hypercube(3)");
    assert_ok(cn_topology_choose_hosts(path, hosts, 2, NULL, &some));
    assert_fails(cn_topology_choose_hosts(some, hosts, 2, NULL, &t), CN_ERR_UNSUPPORTED,
                 "every node must be a host");
    assert_null(t);
    cn_topology_free(&path);
    cn_topology_free(&cube);
    cn_topology_free(&some);
}

static char *text_of_topology(const cn_topology *t)
{
    size_t length;
    assert_int_equal(cn_topology_json(t, NULL, 0, &length), CN_ERR_CAPACITY);
    char *text = calloc(length + 1, 1);
    assert_ok(cn_topology_json(t, text, length + 1, NULL));
    return text;
}

static void json_has_the_hosts(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        cn_topology *t = network_with_hosts(kind), *again = NULL;
        char *text = text_of_topology(t);
        assert_ok(cn_topology_from_json(text, NULL, &again));
        assert_true(cn_topology_equal(t, again));
        assert_string_equal(cn_topology_name(t), cn_topology_name(again));
        free(text);
        cn_topology_free(&t);
        cn_topology_free(&again);
    }
    cn_topology *t = NULL;
    assert_fails(cn_topology_from_json("{\"cubenet\": \"topology\", \"format\": 1, \"topology\": {"
                                       "\"made_of\": \"edges\", \"neighbors\": [[1], [0]], "
                                       "\"hosts\": [0, 2]}}",
                                       NULL, &t),
                 CN_ERR_ARGUMENT, "hosts[1] = 2");
}

/* ---- distances ---- */

static void distances_are_those_between_hosts(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        cn_topology *t = network_with_hosts(kind);
        uint64_t nodes = cn_topology_node_count(t), greatest = 0, found = 0;
        uint32_t hops[MOST];
        double sum = 0.0, pairs = 0.0, mean, lower, upper;
        cn_known known;
        for (uint64_t d = 0; d < nodes; d++) {
            network_hops(t, NULL, d, hops);
            for (uint64_t s = 0; s < nodes; s++)
                if (s != d && network_is_host(t, s) && network_is_host(t, d)) {
                    sum += hops[s];
                    pairs += 1.0;
                    greatest = hops[s] > greatest ? hops[s] : greatest;
                }
        }
        assert_ok(cn_topology_diameter(t, NULL, &found));
        assert_int_equal(found, greatest);
        assert_ok(cn_topology_mean_distance(t, NULL, &mean));
        assert_near(mean, sum / pairs, 1e-12);
        assert_ok(
            cn_topology_measure(t, CN_MEASURE_MEAN_DISTANCE, 0.0, NULL, &lower, &upper, &known));
        assert_true(lower == mean && upper == mean && known == CN_KNOWN_EXACT);
        assert_ok(cn_topology_measure(t, CN_MEASURE_DIAMETER, 0.0, NULL, &lower, &upper, &known));
        assert_true(lower == (double)greatest && upper == lower && known == CN_KNOWN_EXACT);
        cn_topology_free(&t);
    }
}

/* ---- loads ---- */

/* Sends so many messages from a state on, by every allowed channel in equal parts. */
static void send_on(const cn_routing *r, uint64_t node, uint32_t class, uint64_t target,
                    double amount, double loads[])
{
    const cn_topology *t = r->topology;
    uint32_t ports = cn_topology_max_degree(t), count = 0;
    if (node == target)
        return;
    uint64_t allowed = cni_routing_ports(r, node, class, target), far;
    for (uint32_t p = 0; p < ports; p++)
        count += allowed >> p & 1;
    assert_true(count > 0);
    for (uint32_t p = 0; p < ports; p++) {
        if ((allowed >> p & 1) == 0)
            continue;
        assert_ok(cn_topology_neighbor(t, node, p, &far));
        loads[node * ports + p] += amount / count;
        send_on(r, far, cni_routing_after(r, class, target, node, p, CNI_STORED), target,
                amount / count, loads);
    }
}

/* Channel loads and saturation load by every walk of every pair of hosts. */
static void check_loads(const cn_topology *t, const char *name)
{
    static uint64_t hosts[MOST];
    cn_routing *r = NULL;
    size_t count, channels = (size_t)cn_topology_node_count(t) * cn_topology_max_degree(t);
    double *expected = calloc(channels, sizeof *expected), *got = calloc(channels, sizeof *got);
    double busiest = 0.0, load;
    assert_ok(cn_topology_hosts(t, hosts, MOST, &count));
    assert_ok(cn_routing_new(t, name, NULL, NULL, &r));
    for (size_t s = 0; s < count; s++)
        for (size_t d = 0; d < count; d++)
            if (s != d)
                send_on(r, hosts[s], 0, hosts[d], 1.0 / (double)(count - 1), expected);
    assert_ok(cn_routing_loads(r, NULL, NULL, NULL, got, channels, NULL));
    for (size_t c = 0; c < channels; c++) {
        assert_near(got[c], expected[c], 1e-9);
        busiest = fmax(busiest, expected[c]);
    }
    assert_ok(cn_routing_saturation_load(r, NULL, NULL, NULL, &load));
    assert_near(load, 1.0 / busiest, 1e-9);
    free(expected);
    free(got);
    cn_routing_free(&r);
}

static void loads_are_sums_over_hosts(void **state)
{
    (void)state;
    static const char *const names[] = {"minimal", "up-down", "up-down-adaptive"};
    for (unsigned kind = 0; kind < KINDS; kind++) {
        cn_topology *t = network_with_hosts(kind);
        for (int i = 0; i < (kind < 3 ? 3 : 1); i++)
            check_loads(t, names[i]);
        cn_topology_free(&t);
    }
}

/* Half of a fat tree's messages may go up any way: none of its links is busier than those of the
 * hosts. */
static void a_fat_tree_is_fat(void **state)
{
    (void)state;
    cn_topology *t = network_with_hosts(0);
    cn_routing *r = NULL;
    cn_deadlock *check = NULL;
    cn_verdict verdict;
    double load = 0.0;
    assert_ok(cn_routing_new(t, "minimal", NULL, NULL, &r));
    assert_ok(cn_routing_saturation_load(r, NULL, NULL, NULL, &load));
    assert_near(load, 1.0, 1e-12);
    assert_ok(cn_routing_deadlock_check(r, 1, NULL, &check));
    assert_ok(cn_deadlock_verdict(check, &verdict));
    assert_int_equal(verdict, CN_VERDICT_ACYCLIC); /* between hosts it goes up, then down */
    cn_deadlock_free(&check);
    cn_routing_free(&r);
    cn_topology_free(&t);
}

/* ---- traffic ---- */

static void patterns_number_hosts_by_rank(void **state)
{
    (void)state;
    static const cn_pattern patterns[] = {CN_PATTERN_BIT_COMPLEMENT, CN_PATTERN_BIT_REVERSE,
                                          CN_PATTERN_TRANSPOSE, CN_PATTERN_SHUFFLE};
    static const uint64_t of_6[] = {9, 9, 9, 12}; /* 0110 of 16 hosts */
    cn_topology *t = network_with_hosts(0);
    for (size_t i = 0; i < 4; i++) {
        cn_traffic *traffic = NULL;
        uint64_t senders;
        double p = 0.0;
        uint64_t to = i == 1 ? 6 : of_6[i];
        assert_ok(cn_traffic_new(t, patterns[i], &traffic));
        assert_ok(cn_traffic_senders(traffic, &senders));
        assert_int_equal(senders, i == 0 ? 16 : i == 3 ? 14 : 12);
        assert_ok(cn_traffic_probability(traffic, 6, to, &p));
        assert_true(p == (i == 1 ? 0.0 : 1.0)); /* reversed it is itself */
        assert_ok(cn_traffic_probability(traffic, 20, 6, &p));
        assert_true(p == 0.0);
        cn_traffic_free(&traffic);
    }
    cn_topology_free(&t);
}

/* A host's number has the digits of its router above its place there. */
static void patterns_move_the_digits_of_hosts(void **state)
{
    (void)state;
    static const struct {
        cn_pattern pattern;
        uint64_t of_0, of_37; /* 37: place 1 at router 9, (1, 2) of a 4 x 4 torus */
    } cases[] = {{CN_PATTERN_TORNADO, 4 * (1 + 4 * 1) + 1, 4 * (2 + 4 * 3) + 2},
                 {CN_PATTERN_NEIGHBOR, 4 * (1 + 4 * 1) + 1, 4 * (2 + 4 * 3) + 2},
                 {CN_PATTERN_SHUFFLE, 0, 11},
                 {CN_PATTERN_BIT_COMPLEMENT, 63, 63 - 37}};
    cn_topology *torus = NULL, *longer = NULL, *t = NULL;
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &torus));
    assert_ok(cn_topology_with_lengths(torus, (uint32_t[]){3}, 1, NULL, &longer));
    assert_ok(cn_topology_with_hosts(longer, 4, &t));
    uint64_t first = cn_topology_node_count(longer);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_traffic *traffic = NULL;
        double p = 0.0;
        assert_ok(cn_traffic_new(t, cases[i].pattern, &traffic));
        assert_ok(cn_traffic_probability(traffic, first + 37, first + cases[i].of_37, &p));
        assert_true(p == 1.0);
        assert_ok(cn_traffic_probability(traffic, first, first + cases[i].of_0, &p));
        assert_true(p == (cases[i].of_0 == 0 ? 0.0 : 1.0));
        cn_traffic_free(&traffic);
    }
    cn_traffic *traffic = NULL;
    double p = 0.0;
    assert_ok(
        cn_traffic_new(longer, CN_PATTERN_TORNADO, &traffic)); /* without hosts those of nodes */
    assert_ok(cn_traffic_probability(traffic, 9, 14, &p));
    assert_true(p == 1.0);
    cn_traffic_free(&traffic);
    cn_topology *tree = network_with_hosts(0);
    assert_fails(cn_traffic_new(tree, CN_PATTERN_NEIGHBOR, &traffic), CN_ERR_UNSUPPORTED,
                 "address digits");
    cn_topology_free(&tree);
    cn_topology_free(&t);
    cn_topology_free(&longer);
    cn_topology_free(&torus);
}

/* Leaves and spines: hosts 7 .. 18. */
static void arrays_have_a_place_for_each_host(void **state)
{
    (void)state;
    cn_topology *t = network_with_hosts(1);
    cn_traffic *traffic = NULL;
    uint64_t to[12];
    double weights[144] = {0.0}, p = 0.0, mean = 0.0;
    for (uint64_t i = 0; i < 12; i++) {
        to[i] = 7 + (i + 1) % 12;
        weights[i * 12 + (i + 3) % 12] = 1.0;
    }
    assert_ok(cn_traffic_destinations(t, to, 12, &traffic));
    assert_ok(cn_traffic_probability(traffic, 18, 7, &p));
    assert_true(p == 1.0);
    assert_ok(
        cn_traffic_mean_distance(traffic, NULL, &mean)); /* of three one goes to another leaf */
    assert_near(mean, (2.0 * 2.0 + 4.0) / 3.0, 1e-12);
    cn_traffic_free(&traffic);
    to[3] = 2;
    assert_fails(cn_traffic_destinations(t, to, 12, &traffic), CN_ERR_ARGUMENT,
                 "destinations[3] = 2");
    assert_fails(cn_traffic_destinations(t, to, 19, &traffic), CN_ERR_ARGUMENT, "count = 19");
    assert_ok(cn_traffic_matrix(t, weights, 144, &traffic));
    assert_ok(cn_traffic_probability(traffic, 8, 11, &p));
    assert_true(p == 1.0);
    cn_traffic_free(&traffic);
    assert_ok(cn_traffic_hotspot(t, 10, 0.5, &traffic));
    assert_ok(cn_traffic_probability(traffic, 7, 10, &p));
    assert_near(p, 0.5 + 0.5 / 11.0, 1e-12);
    cn_traffic_free(&traffic);
    assert_fails(cn_traffic_hotspot(t, 3, 0.5, &traffic), CN_ERR_ARGUMENT, "no host");
    assert_fails(
        cn_traffic_trace(t, (uint64_t[]){1}, (uint64_t[]){7}, (uint64_t[]){3}, NULL, 1, &traffic),
        CN_ERR_ARGUMENT, "from host to host");
    assert_fails(cn_traffic_geometric_locality(t, 0.5, &traffic), CN_ERR_UNSUPPORTED,
                 "every node must be a host");
    cn_topology_free(&t);
}

/* A network in an object is a graph or is composed; what a key of either lacks or has too many is
 * said. */
static void json_of_parts_is_refused(void **state)
{
    static const char *const rows[][2] = {
        {"{}", "the key \"made_of\" is missing"},
        {"{\"with_hosts\": 2}", "with_hosts: this key does not go with neighbors"},
        {"{\"with_lengths\": [2]}", "with_lengths: this key does not go with neighbors"},
        {"{\"hosts\": [0]}", "the key \"made_of\" is missing"},
        {"{\"neighbors\": [[1], [0]]}", "the key \"made_of\" is missing"},
        {"{\"made_of\": \"edges\"}", "the key \"neighbors\" is missing"},
        {"{\"topology\": \"ring(8)\"}", "the key \"with_hosts\" is missing"},
        {"{\"topology\": {}}", "the key \"made_of\" is missing"},
        {"{\"topology\": \"ring(8)\", \"with_hosts\": 1, \"with_lengths\": [2]}",
         "with_lengths: this key does not go with with_hosts"},
        {"{\"topology\": \"ring(8)\", \"with_hosts\": 1, \"hosts\": [2]}",
         "hosts: this key does not go with topology"},
        {"{\"topology\": \"ring(8)\", \"with_hosts\": 0}", "hosts = 0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[300];
        cn_topology *t = NULL;
        cn_workload *w = NULL;
        snprintf(text, sizeof text, "{\"cubenet\": \"topology\", \"format\": 1, \"topology\": %s}",
                 rows[i][0]);
        assert_fails(cn_topology_from_json(text, NULL, &t), CN_ERR_ARGUMENT, rows[i][1]);
        assert_null(t);
        snprintf(text, sizeof text,
                 "{\"cubenet\": \"workload\", \"format\": 1, \"topology\": %s, \"messages\": []}",
                 rows[i][0]);
        assert_fails(cn_workload_from_json(text, NULL, &w), CN_ERR_ARGUMENT, rows[i][1]);
        assert_null(w);
    }
}

/* Only the nodes of the base get hosts, so relays set no limit. */
static void short_links_leave_room_for_hosts(void **state)
{
    cn_topology *base, *longer, *t, *none;
    (void)state;
    assert_ok(cn_topology_complete(2, &base));
    assert_ok(cn_topology_with_lengths(base, (uint32_t[]){4}, 1, NULL, &longer));
    assert_ok(cn_topology_with_hosts(longer, 63, &t));
    assert_int_equal(cn_topology_max_degree(t), 64);
    assert_fails(cn_topology_with_hosts(longer, 64, &none), CN_ERR_ARGUMENT, "have 1 ports");
    cn_topology_free(&t);
    assert_ok(cn_topology_with_hosts(longer, 1, &t));
    assert_int_equal(cn_topology_max_degree(t), 2);
    cn_topology_free(&t);
    cn_topology_free(&longer);
    cn_topology_free(&base);
}

static void more_is_refused(void **state)
{
    cn_topology *cube, *t;
    uint64_t hops, more;
    double lower, upper;
    cn_known kind;
    cn_routing *r;
    (void)state;
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_topology_with_hosts(cube, 2, &t));
    assert_fails(cn_flow_saturation(t, NULL, NULL, 0, 0.1, NULL, &lower, &upper),
                 CN_ERR_UNSUPPORTED, "host");
    assert_fails(
        cn_topology_broadcast_schedule(t, 0, NULL, NULL, NULL, NULL, 0, &hops, &more, &kind),
        CN_ERR_UNSUPPORTED, "host");
    assert_fails(cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME_DIVIDED_PORTS, 0.5, NULL, &lower,
                                     &upper, &kind),
                 CN_ERR_UNSUPPORTED, "host");
    cn_topology_free(&t);
    cn_topology_free(&cube);
    /* a routing of very many hosts is made without counting them */
    assert_ok(cn_topology_hypercube(40, &cube));
    assert_ok(cn_topology_with_hosts(cube, 3, &t));
    assert_ok(cn_routing_new(t, "dimension-order", NULL, NULL, &r));
    cn_routing_free(&r);
    cn_topology_free(&t);
    cn_topology_free(&cube);
}

static void json_names_nodes(void **state)
{
    (void)state;
    cn_topology *t = network_with_hosts(1);
    uint64_t to[12];
    double p = 0.0;
    for (int kind = 0; kind < 3; kind++) {
        cn_traffic *traffic = NULL, *again = NULL;
        size_t length;
        for (uint64_t i = 0; i < 12; i++)
            to[i] = 18 - i;
        assert_ok(kind == 0   ? cn_traffic_destinations(t, to, 12, &traffic)
                  : kind == 1 ? cn_traffic_permutation(t, 4, &traffic)
                              : cn_traffic_hotspot(t, 10, 0.5, &traffic));
        assert_int_equal(cn_traffic_json(traffic, NULL, 0, &length), CN_ERR_CAPACITY);
        char *text = calloc(length + 1, 1);
        assert_ok(cn_traffic_json(traffic, text, length + 1, NULL));
        assert_non_null(strstr(text, kind == 2 ? "\"node\": 10" : "18"));
        assert_ok(cn_traffic_from_json(text, NULL, &again));
        for (uint64_t d = 7; d < 19; d++) {
            double q = 0.0;
            assert_ok(cn_traffic_probability(traffic, 9, d, &p));
            assert_ok(cn_traffic_probability(again, 9, d, &q));
            assert_true(p == q);
        }
        char *list = strstr(text, "\"destinations\""),
             *router = kind < 2 ? strstr(list, "18") : NULL;
        if (kind < 2) {
            cn_traffic *wrong = NULL;
            memcpy(router, " 3", 2);
            assert_fails(cn_traffic_from_json(text, NULL, &wrong), CN_ERR_ARGUMENT, "no host");
        }
        free(text);
        cn_traffic_free(&traffic);
        cn_traffic_free(&again);
    }
    cn_topology_free(&t);
}

/* ---- per host ---- */

static double metric(const cn_topology *t, const char *system, const char *routing, double load,
                     double slotted, cn_metric which)
{
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    double value = 0.0;
    assert_ok(cn_scenario_new(t, system, &scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    if (slotted == 0.0)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, slotted));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20000));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_ok(cn_result_value(result, which, &value));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return value;
}

static void rates_are_those_of_a_host(void **state)
{
    (void)state;
    static const char *const systems[] = {"separate-buffers", "shared-buffer", "cut-through",
                                          "wormhole"};
    cn_topology *t = network_with_hosts(0);
    for (size_t i = 0; i < 4; i++) {
        double load = i < 2 ? 0.3 : 0.004;
        assert_near(metric(t, systems[i], "minimal", load, 1.0, CN_METRIC_THROUGHPUT), load,
                    0.03 * load);
        assert_near(metric(t, systems[i], "minimal", load, 1.0, CN_METRIC_MEAN_HOPS), 82.0 / 15.0,
                    0.15);
    }
    assert_near(metric(t, "separate-buffers", "valiant", 0.2, 0.0, CN_METRIC_THROUGHPUT), 0.2,
                0.01);
    cn_topology_free(&t);
}

/* The model of separate buffers, with one leg and with two, at a load at which it is near. */
static void the_model_of_separate_buffers_covers_hosts(void **state)
{
    (void)state;
    static const char *const names[] = {"minimal", "valiant"};
    for (unsigned kind = 0; kind < 2; kind++)
        for (int i = 0; i < 2; i++) {
            cn_topology *t = network_with_hosts(kind);
            cn_scenario *scenario = NULL;
            cn_result *result = NULL;
            double delay = 0.0;
            assert_ok(cn_scenario_new(t, "separate-buffers", &scenario));
            assert_ok(cn_scenario_set_routing_name(scenario, names[i]));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.1));
            assert_ok(cn_predict(scenario, NULL, &result));
            assert_ok(cn_result_value(result, CN_METRIC_MEAN_DELAY, &delay));
            double simulated =
                metric(t, "separate-buffers", names[i], 0.1, 1.0, CN_METRIC_MEAN_DELAY);
            assert_near(delay, simulated, 0.03 * simulated);
            cn_result_free(&result);
            cn_scenario_free(&scenario);
            cn_topology_free(&t);
        }
}

/* ---- what takes no hosts ---- */

static void what_needs_all_nodes_says_so(void **state)
{
    (void)state;
    static const char *const systems[] = {"deflection", "collective", "flow-deviation"};
    cn_topology *t = network_with_hosts(0);
    cn_scenario *scenario = NULL;
    cn_tree *tree = NULL;
    cn_faults *faults = NULL;
    cn_subnet *subnet = NULL;
    cn_result *result = NULL;
    cn_sim *sim = NULL;
    cn_routing *routing = NULL;
    double lower, upper;
    uint64_t ports = 0, hops;
    cn_known known;
    for (size_t i = 0; i < 3; i++)
        assert_fails(cn_scenario_new(t, systems[i], &scenario), CN_ERR_UNSUPPORTED,
                     "every node must be a host");
    assert_fails(cn_scenario_new(t, "cut-through-deflection", &scenario), CN_ERR_UNSUPPORTED,
                 "every node must be a host");
    assert_fails(cn_tree_breadth_first(t, 0, NULL, &tree), CN_ERR_UNSUPPORTED, "must be a host");
    assert_ok(cn_faults_new(t, &faults));
    assert_fails(cn_subnet_convex(faults, NULL, &subnet), CN_ERR_UNSUPPORTED, "must be a host");
    for (cn_measure m = CN_MEASURE_BROADCAST_TIME; m <= CN_MEASURE_BISECTION_WIDTH; m++)
        assert_fails(cn_topology_measure(t, m, 0.5, NULL, &lower, &upper, &known),
                     CN_ERR_UNSUPPORTED, "must be a host");
    for (int i = 0; i < 3; i++) {
        assert_ok(cn_scenario_new(t,
                                  i == 0   ? "shared-buffer"
                                  : i == 1 ? "cut-through"
                                           : "wormhole",
                                  &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.001));
        assert_int_equal(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED);
        if (i > 0) {
            assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 0.1));
            assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_ARGUMENT,
                         "broadcast_fraction");
            assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 0.0));
            assert_ok(cn_sim_open(scenario, NULL, &sim));
            assert_fails(cn_sim_inject_broadcast(sim, 0, CN_BASE_OF_SCENARIO, 0),
                         CN_ERR_UNSUPPORTED, "must be a host");
            assert_fails(cn_sim_inject(sim, 0, 20, 0, 0), CN_ERR_ARGUMENT, "destination = 20");
            assert_fails(cn_sim_inject(sim, 20, 0, 0, 0), CN_ERR_ARGUMENT, "source = 20");
            cn_sim_close(&sim);
        }
        cn_scenario_free(&scenario);
    }
    assert_ok(cn_routing_new(t, "minimal", NULL, NULL, &routing));
    assert_ok(cn_routing_channels(routing, 20, 0, &ports));
    assert_fails(cn_routing_channels(routing, 0, 20, &ports), CN_ERR_ARGUMENT, "no host");
    assert_fails(cn_routing_distance(routing, 0, 20, NULL, &hops), CN_ERR_ARGUMENT, "no host");
    cn_routing_free(&routing);
    cn_faults_free(&faults);
    cn_topology_free(&t);
}

/* ---- composed networks: the graph ---- */

static uint64_t step(const cn_topology *t, uint64_t node, uint32_t port)
{
    uint64_t far = 0;
    assert_ok(cn_topology_neighbor(t, node, port, &far));
    return far;
}

static uint32_t degree_of(const cn_topology *t, uint64_t node)
{
    uint32_t degree = 0;
    assert_ok(cn_topology_degree(t, node, &degree));
    return degree;
}

static uint32_t back_of(const cn_topology *t, uint64_t node, uint32_t port)
{
    uint32_t back = 0;
    assert_ok(cn_topology_back_port(t, node, port, &back));
    return back;
}

/* Routers first, then the hosts in their order. */
static void check_added_hosts(const cn_topology *t, const cn_topology *base, uint32_t hosts,
                              uint64_t routers)
{
    uint64_t nodes = cn_topology_node_count(base);
    assert_int_equal(cn_topology_node_count(t), nodes + routers * hosts);
    for (uint64_t v = 0; v < nodes; v++) {
        uint32_t own = degree_of(base, v);
        assert_int_equal(degree_of(t, v), own + (v < routers ? hosts : 0));
        for (uint32_t p = 0; p < own; p++) {
            assert_int_equal(step(t, v, p), step(base, v, p));
            assert_int_equal(back_of(t, v, p), back_of(base, v, p));
        }
        for (uint32_t h = 0; h < hosts && v < routers; h++) {
            uint64_t host = nodes + v * hosts + h;
            assert_int_equal(step(t, v, own + h), host);
            assert_int_equal(back_of(t, v, own + h), 0);
            assert_int_equal(degree_of(t, host), 1);
            assert_int_equal(step(t, host, 0), v);
            assert_int_equal(back_of(t, host, 0), own + h);
            assert_true(network_is_host(t, host) && !network_is_host(t, v));
        }
    }
}

/* Every link is a chain of relays that follow those of the links before; returns the relays. */
static uint64_t check_added_lengths(const cn_topology *t, const cn_topology *base)
{
    uint64_t nodes = cn_topology_node_count(base), next = nodes;
    for (uint64_t v = 0; v < nodes; v++)
        for (uint32_t p = 0; p < degree_of(base, v); p++) {
            uint64_t far = step(base, v, p), at = v;
            uint32_t back = back_of(base, v, p), port = p;
            if (back != CN_NO_PORT && far < v)
                continue;
            while (step(t, at, port) >= nodes) {
                assert_int_equal(step(t, at, port), next);
                assert_int_equal(degree_of(t, next), back == CN_NO_PORT ? 1 : 2);
                if (back != CN_NO_PORT) {
                    assert_int_equal(step(t, next, 0), at);
                    assert_int_equal(back_of(t, at, port), 0);
                    assert_int_equal(back_of(t, next, 0), port);
                }
                assert_false(network_is_host(t, next));
                at = next++;
                port = back != CN_NO_PORT;
            }
            assert_int_equal(step(t, at, port), far);
            assert_int_equal(back_of(t, at, port), back);
        }
    return next - nodes;
}

static void check_composed(const cn_topology *t, const cn_topology *base, unsigned index)
{
    uint64_t nodes = cn_topology_node_count(base), relays = 0;
    if (index % 3 == 0) {
        check_added_hosts(t, base, 2, nodes);
        return;
    }
    if (index % 3 == 1) {
        relays = check_added_lengths(t, base);
        assert_int_equal(cn_topology_node_count(t), nodes + relays);
        assert_int_equal(cn_topology_host_count(t), nodes);
        return;
    }
    for (uint64_t v = 0; v < nodes; v++) /* a host at each router and at no relay */
        assert_int_equal(degree_of(t, v), degree_of(base, v) + 1);
    assert_int_equal(cn_topology_host_count(t), nodes);
    relays = cn_topology_node_count(t) - 2 * nodes;
    for (uint64_t r = nodes; r < nodes + relays; r++)
        assert_true(degree_of(t, r) <= 2 && !network_is_host(t, r));
    for (uint64_t h = nodes + relays; h < 2 * nodes + relays; h++)
        assert_int_equal(step(t, h, 0), h - nodes - relays);
}

static cn_status copy_neighbor(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    const cn_topology *t = user;
    if (port < degree_of(t, node))
        *neighbor = step(t, node, port);
    return CN_OK;
}

/* The same graph stored, with the same hosts. */
static cn_topology *store_copy(cn_topology *t)
{
    static uint64_t hosts[MOST];
    size_t count = 0;
    cn_topology *all = NULL, *copy = NULL;
    assert_ok(cn_topology_hosts(t, hosts, MOST, &count));
    assert_ok(cn_topology_from_function(cn_topology_node_count(t), cn_topology_max_degree(t),
                                        copy_neighbor, t, NULL, &all));
    assert_ok(cn_topology_choose_hosts(all, hosts, count, NULL, &copy));
    cn_topology_free(&all);
    return copy;
}

/* All closed forms against the stored graph. */
static void check_measures(cn_topology *t)
{
    cn_topology *copy = store_copy(t);
    uint64_t nodes = cn_topology_node_count(t), a, b, of_t[MOST], of_copy[MOST];
    double x, y;
    assert_ok(cn_topology_link_count(t, &a));
    assert_ok(cn_topology_link_count(copy, &b));
    assert_int_equal(a, b);
    assert_ok(cn_topology_diameter(t, NULL, &a));
    assert_ok(cn_topology_diameter(copy, NULL, &b));
    assert_int_equal(a, b);
    assert_ok(cn_topology_mean_distance(t, NULL, &x));
    assert_ok(cn_topology_mean_distance(copy, NULL, &y));
    assert_near(x, y, 1e-12);
    for (uint64_t v = 0; v < nodes; v++) {
        assert_ok(cn_topology_distances(t, v, NULL, of_t, MOST));
        assert_ok(cn_topology_distances(copy, v, NULL, of_copy, MOST));
        assert_memory_equal(of_t, of_copy, nodes * sizeof *of_t);
    }
    cn_topology_free(&copy);
}

static void composed_graphs_are_as_defined(void **state)
{
    (void)state;
    cn_topology *base = NULL, *t, *before = NULL;
    unsigned kinds = 0;
    for (; (t = network_composed(kinds, &base)) != NULL; kinds++) {
        cn_topology *again = NULL;
        check_composed(t, base, kinds);
        check_measures(t);
        char *text = text_of_topology(t);
        assert_ok(cn_topology_from_json(text, NULL, &again));
        assert_true(cn_topology_equal(t, again));
        assert_string_equal(cn_topology_name(t), cn_topology_name(again));
        assert_false(cn_topology_equal(t, base) || cn_topology_equal(t, before));
        free(text);
        cn_topology_free(&again);
        cn_topology_free(&before);
        cn_topology_free(&base);
        before = t;
    }
    assert_true(kinds >= 20);
    cn_topology_free(&before);
}

/* Of different lengths only some are equal. */
static void networks_of_other_lengths_differ(void **state)
{
    (void)state;
    cn_topology *ring = NULL, *t[4] = {NULL};
    assert_ok(cn_topology_ring(3, 1, &ring));
    assert_ok(cn_topology_with_lengths(ring, (uint32_t[]){1, 2, 3}, 3, NULL, &t[0]));
    assert_ok(cn_topology_with_lengths(ring, (uint32_t[]){1, 3, 2}, 3, NULL, &t[1]));
    assert_ok(cn_topology_with_lengths(ring, (uint32_t[]){2, 2, 2}, 3, NULL, &t[2]));
    assert_ok(cn_topology_with_lengths(ring, (uint32_t[]){2}, 1, NULL, &t[3]));
    assert_string_equal(cn_topology_name(t[3]), "ring(3).with_lengths(2)");
    assert_false(cn_topology_equal(t[0], t[1]));
    assert_false(cn_topology_equal(t[0], t[2]));
    assert_true(cn_topology_equal(t[2], t[3]));
    for (int i = 0; i < 4; i++)
        cn_topology_free(&t[i]);
    cn_topology_free(&ring);
}

/* Nothing is stored: 2^40 routers. */
static void large_networks_are_computed(void **state)
{
    (void)state;
    cn_topology *cube = NULL, *t = NULL;
    uint64_t hops = 0, links = 0;
    assert_ok(cn_topology_hypercube(40, &cube));
    assert_ok(cn_topology_with_hosts(cube, 8, &t));
    cn_topology_free(&cube); /* it is kept alive */
    assert_int_equal(cn_topology_host_count(t), UINT64_C(1) << 43);
    assert_ok(
        cn_topology_distance(t, cn_topology_node_count(t) - 1, UINT64_C(1) << 40, NULL, &hops));
    assert_int_equal(hops, 42);
    assert_ok(cn_topology_link_count(t, &links));
    assert_int_equal(links, (UINT64_C(20) << 40) + (UINT64_C(8) << 40));
    cn_topology_free(&t);
}

/* ---- composed networks: the rules of the base ---- */

/* Of a pair of routers of the base, by the hosts of the composed network. */
typedef struct pairs {
    uint64_t hosts, routers;
} pairs;

static cn_status rate_of_routers(void *user, uint64_t source, uint64_t destination, double *rate)
{
    const pairs *p = user;
    double each = (double)p->hosts / (double)p->routers;
    (void)source;
    (void)destination;
    *rate = each * each / ((double)p->hosts - 1.0);
    return CN_OK;
}

/* A channel of the base carries in the composed network what it carries in the base, in each of its
 * cycles; a host's what it sends or gets. */
static void check_loads_of_base(const cn_topology *t, const cn_topology *base, const char *name)
{
    uint64_t nodes = cn_topology_node_count(base), all = cn_topology_node_count(t);
    uint32_t ports = cn_topology_max_degree(base), more = cn_topology_max_degree(t);
    pairs p = {cn_topology_host_count(t), nodes};
    cn_routing *lifted = NULL, *r = NULL;
    double expected[MOST], got[MOST * 8];
    assert_ok(cn_routing_new(t, name, NULL, NULL, &lifted));
    assert_ok(cn_routing_new(base, name, NULL, NULL, &r));
    assert_ok(cn_routing_loads(r, rate_of_routers, &p, NULL, expected, MOST, NULL));
    assert_ok(cn_routing_loads(lifted, NULL, NULL, NULL, got, MOST * 8, NULL));
    for (uint64_t v = 0; v < nodes; v++)
        for (uint32_t port = 0; port < degree_of(base, v); port++) {
            uint64_t at = v;
            uint32_t over = port,
                     onward = back_of(base, v, port) == CN_NO_PORT ? 0 : v < step(base, v, port);
            assert_near(got[at * more + over], expected[v * ports + port], 1e-9);
            while ((at = step(t, at, over)) >= nodes) {
                over = onward;
                assert_near(got[at * more + over], expected[v * ports + port], 1e-9);
            }
        }
    for (uint64_t v = 0; v < all; v++)
        if (v >= nodes && network_is_host(t, v))
            assert_near(got[v * more], 1.0, 1e-9);
    cn_routing_free(&lifted);
    cn_routing_free(&r);
}

static const char *const rules[] = {"minimal",        "preferred", "dimension-order", "duato",
                                    "negative-first", "up-down",   "up-down-adaptive"};
enum { RULES = sizeof rules / sizeof rules[0] };

static void loads_are_those_of_the_base(void **state)
{
    (void)state;
    cn_topology *base = NULL, *t;
    unsigned checked = 0;
    for (unsigned kind = 0; (t = network_composed(kind, &base)) != NULL; kind++) {
        for (int i = 0; i < RULES; i++) {
            cn_routing *r = NULL, *lifted = NULL;
            cn_status there_is = cn_routing_new(base, rules[i], NULL, NULL, &r);
            assert_int_equal(cn_routing_new(t, rules[i], NULL, NULL, &lifted), there_is);
            if (there_is == CN_OK) {
                check_loads_of_base(t, base, rules[i]);
                check_loads(t, rules[i]);
                checked++;
            }
            cn_routing_free(&r);
            cn_routing_free(&lifted);
        }
        cn_topology_free(&t);
        cn_topology_free(&base);
    }
    assert_true(checked > 60);
}

/* Every walk of valiant goes over a router; no host is one. */
static void lengths_of_valiant_go_by_routers(void **state)
{
    (void)state;
    static const struct {
        uint64_t nodes;
        size_t links;
        uint64_t edges[6], hosts[2], hops;
        int is_minimal;
    } cases[] = {{3, 3, {0, 1, 1, 2, 2, 0}, {1, 2}, 2, 0},
                 {4, 3, {0, 1, 1, 2, 2, 3}, {0, 3}, 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_topology *base, *t;
        cn_routing *r;
        uint64_t hops, distance;
        double mean, greatest;
        int is_minimal;
        assert_ok(
            cn_topology_from_edges(cases[i].nodes, cases[i].edges, cases[i].links, NULL, &base));
        assert_ok(cn_topology_choose_hosts(base, cases[i].hosts, 2, NULL, &t));
        assert_ok(cn_routing_new(t, "valiant", NULL, NULL, &r));
        assert_ok(cn_topology_distance(t, cases[i].hosts[0], cases[i].hosts[1], NULL, &distance));
        assert_ok(cn_routing_distance(r, cases[i].hosts[0], cases[i].hosts[1], NULL, &hops));
        assert_ok(cn_routing_stretch(r, NULL, &mean, &greatest));
        assert_ok(cn_routing_is_minimal(r, NULL, &is_minimal));
        assert_int_equal(hops, cases[i].hops);
        assert_int_equal(is_minimal, cases[i].is_minimal);
        assert_near(mean, (double)hops / (double)distance, 1e-12);
        assert_near(greatest, mean, 0.0);
        cn_routing_free(&r);
        cn_topology_free(&t);
        cn_topology_free(&base);
    }
    /* one leg from 3 to 4 has 4 hops, but no message takes one leg */
    const uint64_t edges[] = {0, 1, 0, 2, 1, 3, 2, 4, 5, 1, 5, 2, 5, 3, 5, 4};
    const uint64_t hosts[] = {0, 1, 2, 3, 4};
    cn_topology *base, *t;
    cn_routing *r;
    uint64_t longest;
    assert_ok(cn_topology_from_edges(6, edges, 8, NULL, &base));
    assert_ok(cn_topology_choose_hosts(base, hosts, 5, NULL, &t));
    assert_ok(cn_routing_new(t, "valiant", NULL, NULL, &r));
    assert_ok(cn_routing_longest_walk(r, NULL, &longest));
    assert_int_equal(longest, 3);
    cn_routing_free(&r);
    cn_topology_free(&t);
    cn_topology_free(&base);
}

/* By way of each router, with equal probability. */
static void loads_of_valiant_go_by_routers(void **state)
{
    (void)state;
    cn_topology *base = NULL, *t;
    for (unsigned kind = 0; (t = network_composed(kind, &base)) != NULL; kind++) {
        static uint64_t hosts[MOST];
        cn_routing *r = NULL;
        uint64_t routers = cn_topology_node_count(base);
        size_t count = 0, channels = (size_t)cn_topology_node_count(t) * cn_topology_max_degree(t);
        double expected[MOST * 8] = {0.0}, got[MOST * 8];
        if (cn_routing_new(t, "valiant", NULL, NULL, &r) == CN_OK) {
            assert_ok(cn_topology_hosts(t, hosts, MOST, &count));
            for (size_t s = 0; s < count; s++)
                for (size_t d = 0; d < count; d++)
                    for (uint64_t m = 0; m < routers && s != d; m++) {
                        double amount = 1.0 / (double)(count - 1) / (double)routers;
                        send_on(r->leg, hosts[s], 0, m, amount, expected);
                        send_on(r->leg, m, 0, hosts[d], amount, expected);
                    }
            assert_ok(cn_routing_loads(r, NULL, NULL, NULL, got, MOST * 8, NULL));
            for (size_t c = 0; c < channels; c++)
                assert_near(got[c], expected[c], 1e-9);
            for (uint64_t word = 0; word < 200; word++) {
                uint64_t middle = cni_routing_begin(r, hosts[1], word * 0x9e3779b97f4a7c15);
                assert_true(middle < routers);
            }
        }
        cn_routing_free(&r);
        cn_topology_free(&t);
        cn_topology_free(&base);
    }
}

/* Takes a walk's virtual channels from a router on: over the relays they are of one set of the
 * base, and lead where the base leads. */
static void follow_link(const cn_routing *r, const cn_topology *base, uint64_t node, uint32_t port,
                        uint64_t target, uint32_t count, uint64_t set)
{
    const cn_topology *t = r->topology;
    uint64_t nodes = cn_topology_node_count(base), channels[64];
    for (uint32_t v = 0; v < count; v++) {
        uint64_t at = node, next = step(t, node, port);
        uint32_t over = port, channel = v;
        if ((set >> v & 1) == 0)
            continue;
        while (next >= nodes) {
            uint32_t ways = 0, way = 0;
            assert_ok(cn_routing_virtual_channels(r, count, next, target, at, over, channel,
                                                  channels, 64, NULL));
            for (uint32_t p = 0; p < degree_of(t, next); p++)
                if (channels[p] != 0) {
                    ways++;
                    way = p;
                }
            assert_int_equal(ways, 1);
            assert_true((channels[way] & ~set) == 0 && (channels[way] >> channel & 1) != 0);
            assert_true(step(t, next, way) != at);
            at = next;
            over = way;
            next = step(t, at, over);
        }
        assert_int_equal(next, step(base, node, port));
    }
}

static void relays_keep_the_kind_of_channel(void **state)
{
    (void)state;
    cn_topology *base = NULL, *t;
    for (unsigned kind = 0; (t = network_composed(kind, &base)) != NULL; kind++) {
        for (int i = 0; i < RULES && kind % 3 == 1; i++) {
            uint64_t nodes = cn_topology_node_count(base), channels[64];
            cn_routing *r = NULL;
            uint32_t least = 0;
            if (cn_routing_new(t, rules[i], NULL, NULL, &r) != CN_OK)
                continue;
            assert_ok(cn_routing_least_virtual_channels(r, &least));
            for (uint64_t v = 0; v < nodes; v++)
                for (uint64_t d = 0; d < nodes; d++) {
                    if (v == d)
                        continue;
                    assert_ok(cn_routing_virtual_channels(r, least + 2, v, d, 0, CN_NO_PORT, 0,
                                                          channels, 64, NULL));
                    uint64_t own[64];
                    memcpy(own, channels, sizeof own);
                    for (uint32_t p = 0; p < degree_of(t, v); p++)
                        follow_link(r, base, v, p, d, least + 2, own[p]);
                }
            cn_routing_free(&r);
        }
        cn_topology_free(&t);
        cn_topology_free(&base);
    }
}

static void verdicts_are_those_of_the_base(void **state)
{
    (void)state;
    cn_topology *base = NULL, *t;
    unsigned free = 0, cyclic = 0;
    for (unsigned kind = 0; (t = network_composed(kind, &base)) != NULL; kind++) {
        for (int i = 0; i <= RULES; i++) {
            const char *name = i < RULES ? rules[i] : "valiant";
            cn_routing *r = NULL, *lifted = NULL;
            cn_deadlock *a = NULL, *b = NULL;
            uint32_t least = 0;
            if (cn_routing_new(base, name, NULL, NULL, &r) != CN_OK)
                continue;
            assert_ok(cn_routing_new(t, name, NULL, NULL, &lifted));
            assert_ok(cn_routing_least_virtual_channels(lifted, &least));
            assert_ok(cn_routing_deadlock_check(r, least, NULL, &a));
            assert_ok(cn_routing_deadlock_check(lifted, least, NULL, &b));
            assert_int_equal(cn_deadlock_is_free(a), cn_deadlock_is_free(b));
            free += cn_deadlock_is_free(b) != 0;
            cyclic += cn_deadlock_is_free(b) == 0;
            cn_deadlock_free(&a);
            cn_deadlock_free(&b);
            cn_routing_free(&r);
            cn_routing_free(&lifted);
        }
        cn_topology_free(&t);
        cn_topology_free(&base);
    }
    assert_true(free > 50 && cyclic > 10);
}

/* With hosts alone the graph of dependencies can be looked at itself. */
static void added_hosts_close_no_cycle(void **state)
{
    (void)state;
    cn_topology *base = NULL, *t;
    for (unsigned kind = 0; (t = network_composed(kind, &base)) != NULL; kind += 3) {
        cn_topology *copy = store_copy(t);
        cn_routing *lifted = NULL, *plain = NULL;
        cn_deadlock *a = NULL, *b = NULL;
        if (cn_routing_new(t, "minimal", NULL, NULL, &lifted) == CN_OK) {
            assert_ok(cn_routing_new(copy, "minimal", NULL, NULL, &plain));
            assert_ok(cn_routing_deadlock_check(lifted, 1, NULL, &a));
            assert_ok(cn_routing_deadlock_check(plain, 1, NULL, &b));
            assert_int_equal(cn_deadlock_is_free(a), cn_deadlock_is_free(b));
        }
        cn_deadlock_free(&a);
        cn_deadlock_free(&b);
        cn_routing_free(&lifted);
        cn_routing_free(&plain);
        cn_topology_free(&copy);
        cn_topology_free(&t);
        cn_topology_free(&base);
    }
}

/* The lowest port on a shortest way, in virtual channel 0 up and 1 down. */
static cn_status own_rule(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                          uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const cn_topology *base = user;
    uint64_t here, there;
    (void)previous;
    (void)virtual_channel;
    assert_true(node < cn_topology_node_count(base) && destination < cn_topology_node_count(base));
    assert_ok(cn_topology_distance(base, node, destination, NULL, &here));
    for (uint32_t p = 0; p < degree_of(base, node); p++) {
        assert_ok(cn_topology_distance(base, step(base, node, p), destination, NULL, &there));
        if (there < here) {
            channels[p] = port == CN_NO_PORT ? 1 : 2;
            return CN_OK;
        }
    }
    return CN_OK;
}

/* An own rule is asked about the base; it has two classes, and sets of channels of its own. */
static void own_rules_are_those_of_the_base(void **state)
{
    (void)state;
    cn_topology *base = NULL, *t;
    for (unsigned kind = 0; (t = network_composed(kind, &base)) != NULL; kind++) {
        cn_routing *r = NULL, *again = NULL;
        uint64_t nodes[MOST], same[MOST], hosts[MOST];
        size_t count = 0, length = 0, host_count = 0;
        assert_ok(cn_routing_own(t, 2, own_rule, NULL, base, NULL, &r));
        assert_int_equal(cn_routing_json(r, NULL, 0, &length), CN_ERR_CAPACITY);
        char *text = calloc(length + 1, 1);
        assert_ok(cn_routing_json(r, text, length + 1, NULL));
        assert_ok(cn_routing_from_json(text, NULL, &again));
        assert_ok(cn_topology_hosts(t, hosts, MOST, &host_count));
        for (size_t s = 0; s < host_count; s++)
            for (size_t d = 0; d < host_count; d++) {
                assert_ok(cn_routing_path(r, hosts[s], hosts[d], 1, nodes, MOST, &count));
                assert_int_equal(nodes[count - 1], hosts[d]);
                assert_ok(cn_routing_path(again, hosts[s], hosts[d], 1, same, MOST, &count));
                assert_memory_equal(nodes, same, count * sizeof *nodes);
            }
        free(text);
        cn_routing_free(&r);
        cn_routing_free(&again);
        cn_topology_free(&t);
        cn_topology_free(&base);
    }
}

/* ---- composed networks: a wire with registers ---- */

/* The cycles from the first delivery to the last of a stream of messages. */
static uint64_t stream(const cn_topology *t, const char *system, const char *routing, double flits,
                       uint64_t source, uint64_t destination, uint64_t *first)
{
    enum { COUNT = 60 };
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    cn_delivery got;
    uint64_t last = 0;
    int delivered = 0;
    assert_ok(cn_scenario_new(t, system, &scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.0));
    if (strstr(system, "buffer") == NULL)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, flits));
    if (strcmp(system, "wormhole") == 0)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_FLIT_BUFFERS, 2));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    for (int i = 0; i < COUNT; i++)
        assert_ok(cn_sim_inject(sim, source, destination, 0, 0));
    while (delivered < COUNT) {
        assert_ok(cn_sim_step(sim, 1, NULL));
        assert_true(cn_sim_cycle(sim) < 100000);
        while (cn_sim_next_delivery(sim, &got, sizeof got) == CN_OK) {
            last = got.delivered;
            *first = delivered++ == 0 ? last : *first;
        }
    }
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    return last - *first;
}

/* A link of 7 cycles takes in as much as one of 1, and gives it out 6 cycles later. */
static void a_stream_loses_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *system, *routing;
        double flits;
    } runs[] = {{"separate-buffers", "minimal", 1},     {"shared-buffer", "minimal", 1},
                {"cut-through", "minimal", 5},          {"wormhole", "minimal", 20},
                {"wormhole", "up-down-adaptive", 20},   {"wormhole", "up-down-adaptive", 3},
                {"cut-through", "up-down-adaptive", 1}, {"wormhole", "valiant", 8}};
    cn_topology *edge = NULL, *wire = NULL;
    assert_ok(cn_topology_from_edges(2, (uint64_t[]){0, 1}, 1, NULL, &edge));
    assert_ok(cn_topology_with_lengths(edge, (uint32_t[]){7}, 1, NULL, &wire));
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        uint64_t early, late;
        uint64_t without =
            stream(edge, runs[i].system, runs[i].routing, runs[i].flits, 0, 1, &early);
        uint64_t with = stream(wire, runs[i].system, runs[i].routing, runs[i].flits, 0, 1, &late);
        assert_int_equal(with, without);
        assert_int_equal(late, early + 6);
        if (i != 3 &&
            i != 7) /* with one virtual channel a worm waits for the tail of the one before */
            assert_int_equal(with, (uint64_t)(59 * runs[i].flits));
    }
    cn_topology_free(&edge);
    cn_topology_free(&wire);
}

/* ---- composed networks: faults ---- */

static void faults_are_carried(void **state)
{
    (void)state;
    cn_topology *torus = NULL, *longer = NULL, *t = NULL, *other = NULL;
    cn_faults *faults = NULL, *carried = NULL, *same = NULL;
    cn_routing *r = NULL;
    uint64_t nodes[MOST], ports;
    size_t count = 0;
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &torus));
    assert_ok(cn_topology_with_lengths(torus, (uint32_t[]){2}, 1, NULL, &longer));
    assert_ok(cn_topology_with_hosts(longer, 2, &t));
    assert_ok(cn_faults_new(torus, &faults));
    assert_ok(cn_faults_add_node(faults, 5));
    assert_ok(cn_faults_add_link(faults, 0, 2));
    assert_ok(cn_faults_carry(faults, t, &carried));
    assert_int_equal(cn_faults_node_count(carried), 3);
    assert_int_equal(cn_faults_link_count(carried), 1);
    uint64_t first_host = 16 + 32;
    assert_true(cn_faults_has_node(carried, 5) && cn_faults_has_node(carried, first_host + 10) &&
                cn_faults_has_node(carried, first_host + 11) && cn_faults_has_link(carried, 0, 2));
    assert_ok(cn_faults_carry(faults, torus, &same));
    assert_int_equal(cn_faults_node_count(same), 1);
    assert_ok(cn_routing_new(t, "up-down", carried, NULL, &r));
    for (uint64_t d = first_host; d < first_host + 32; d++) {
        if (d / 2 == (first_host + 10) / 2) {
            assert_fails(cn_routing_path(r, first_host, d, 0, nodes, MOST, &count), CN_ERR_ARGUMENT,
                         "survive");
            continue;
        }
        assert_ok(cn_routing_path(r, first_host, d, 0, nodes, MOST, &count));
        for (size_t i = 0; i + 1 < count; i++)
            assert_true(nodes[i] != 5 && !(nodes[i] == 0 && nodes[i + 1] == step(t, 0, 2)));
    }
    cn_routing_free(&r);
    assert_ok(cn_faults_add_node(carried, first_host + 20)); /* a host alone */
    assert_ok(cn_routing_new(t, "up-down-adaptive", carried, NULL, &r));
    assert_ok(cn_routing_channels(r, first_host, first_host + 21, &ports));
    cn_routing_free(&r);
    assert_ok(cn_faults_add_node(carried, 12)); /* a router without its hosts */
    assert_fails(cn_routing_new(t, "up-down", carried, NULL, &r), CN_ERR_DISCONNECTED,
                 "no path from node 72");
    assert_fails(cn_routing_new(t, "dimension-order", carried, NULL, &r), CN_ERR_DISCONNECTED,
                 "no path");
    assert_ok(cn_topology_hypercube(4, &other));
    cn_faults *wrong = NULL;
    assert_fails(cn_faults_carry(faults, other, &wrong), CN_ERR_ARGUMENT, "is not made");
    cn_faults_free(&same);
    cn_faults_free(&carried);
    cn_faults_free(&faults);
    cn_topology_free(&other);
    cn_topology_free(&t);
    cn_topology_free(&longer);
    cn_topology_free(&torus);
}

/* What is drawn is that of the base: links between routers, and routers with their hosts. */
static void random_faults_are_those_of_routers(void **state)
{
    (void)state;
    cn_topology *base = NULL, *t;
    for (unsigned kind = 0; (t = network_composed(kind, &base)) != NULL; kind++) {
        cn_faults *of_base = NULL, *drawn = NULL, *carried = NULL;
        uint64_t links = 0;
        if (!cn_topology_is_bidirectional(
                base)) { /* there pairs of channels are counted in another way */
            cn_topology_free(&t);
            cn_topology_free(&base);
            continue;
        }
        assert_ok(cn_faults_new(base, &of_base));
        assert_ok(cn_faults_new(t, &drawn));
        assert_ok(cn_faults_add_random_links(of_base, 3, kind));
        assert_ok(cn_faults_add_random_nodes(of_base, 2, kind));
        assert_ok(cn_faults_add_random_links(drawn, 3, kind));
        assert_ok(cn_faults_add_random_nodes(drawn, 2, kind));
        assert_ok(cn_faults_carry(of_base, t, &carried));
        assert_int_equal(cn_faults_node_count(drawn), cn_faults_node_count(carried));
        assert_int_equal(cn_faults_link_count(drawn), 3);
        for (uint64_t v = 0; v < cn_topology_node_count(t); v++) {
            assert_int_equal(cn_faults_has_node(drawn, v), cn_faults_has_node(carried, v));
            for (uint32_t p = 0; p < degree_of(t, v); p++)
                assert_int_equal(cn_faults_has_link(drawn, v, p),
                                 cn_faults_has_link(carried, v, p));
        }
        assert_ok(cn_topology_link_count(base, &links));
        assert_int_equal(cn_faults_add_random_links(drawn, links, 1), CN_ERR_ARGUMENT);
        cn_faults_free(&of_base);
        cn_faults_free(&drawn);
        cn_faults_free(&carried);
        cn_topology_free(&t);
        cn_topology_free(&base);
    }
}

/* ---- composed networks: what is refused ---- */

static void compositions_that_are_refused(void **state)
{
    (void)state;
    cn_topology *cube = NULL, *t = NULL, *hosts = NULL, *longer = NULL, *tree = NULL, *big = NULL;
    uint32_t lengths[32] = {0};
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_fails(cn_topology_with_hosts(cube, 0, &t), CN_ERR_ARGUMENT, "hosts = 0");
    assert_fails(cn_topology_with_hosts(cube, 61, &t), CN_ERR_ARGUMENT, "hosts = 61");
    assert_fails(cn_topology_with_hosts(cube, UINT32_MAX, &t), CN_ERR_ARGUMENT, "64 in all");
    assert_ok(cn_topology_hypercube(61, &big));
    assert_fails(cn_topology_with_hosts(big, 2, &t), CN_ERR_ARGUMENT, "2^62");
    assert_ok(cn_topology_with_hosts(cube, 60, &hosts));
    assert_fails(cn_topology_with_hosts(hosts, 1, &t), CN_ERR_UNSUPPORTED, "has hosts already");
    lengths[0] = 2;
    assert_fails(cn_topology_with_lengths(hosts, lengths, 1, NULL, &t), CN_ERR_UNSUPPORTED,
                 "before its hosts");
    assert_ok(cn_topology_with_lengths(cube, lengths, 1, NULL, &longer));
    assert_fails(cn_topology_with_lengths(longer, lengths, 1, NULL, &t), CN_ERR_UNSUPPORTED,
                 "composed already");
    assert_fails(cn_topology_with_lengths(cube, lengths, 2, NULL, &t), CN_ERR_ARGUMENT, "32 links");
    assert_fails(cn_topology_with_lengths(cube, lengths, 0, NULL, &t), CN_ERR_ARGUMENT, "32 links");
    assert_fails(cn_topology_with_lengths(cube, lengths, 32, NULL, &t), CN_ERR_ARGUMENT,
                 "lengths[1] = 0");
    lengths[0] = 65;
    assert_fails(cn_topology_with_lengths(cube, lengths, 1, NULL, &t), CN_ERR_ARGUMENT,
                 "lengths[0] = 65");
    assert_fails(cn_topology_with_lengths(big, lengths, 1, NULL, &t), CN_ERR_UNSUPPORTED,
                 "2^27 nodes");
    cn_topology_free(&big);
    assert_ok(cn_topology_hypercube(20, &big));
    lengths[0] = 64;
    assert_fails(cn_topology_with_lengths(big, lengths, 1, NULL, &t), CN_ERR_UNSUPPORTED,
                 "2^27 nodes");
    tree = network_with_hosts(0);
    assert_fails(cn_topology_with_hosts(tree, 1, &t), CN_ERR_UNSUPPORTED, "has hosts already");
    cn_routing *r = NULL;
    assert_fails(cn_routing_new(hosts, "optimal-path", NULL, NULL, &r), CN_ERR_UNSUPPORTED,
                 "composed networks");
    assert_fails(cn_routing_new(hosts, "two-level", NULL, NULL, &r), CN_ERR_UNSUPPORTED,
                 "composed networks");
    assert_null(t);
    cn_topology_free(&cube);
    cn_topology_free(&hosts);
    cn_topology_free(&longer);
    cn_topology_free(&tree);
    cn_topology_free(&big);
}

/* Chosen hosts keep their places where links get lengths. */
static void lengths_in_a_fat_tree(void **state)
{
    (void)state;
    cn_topology *tree = network_with_hosts(0), *t = NULL;
    uint64_t of_tree[MOST], of_t[MOST], far = 0;
    size_t count = 0;
    assert_ok(cn_topology_with_lengths(tree, (uint32_t[]){3}, 1, NULL, &t));
    assert_ok(cn_topology_hosts(tree, of_tree, MOST, NULL));
    assert_ok(cn_topology_hosts(t, of_t, MOST, &count));
    assert_int_equal(count, 16);
    assert_memory_equal(of_tree, of_t, 16 * sizeof *of_t);
    assert_ok(cn_topology_diameter(t, NULL, &far));
    assert_int_equal(far, 18);
    check_loads(t, "minimal");
    assert_near(metric(t, "separate-buffers", "minimal", 0.3, 1.0, CN_METRIC_THROUGHPUT), 0.3,
                0.01);
    cn_topology_free(&t);
    cn_topology_free(&tree);
}

/* The bisection of the base; hosts are on the side of their router. */
static void bisections_are_those_of_the_base(void **state)
{
    (void)state;
    cn_topology *cube = NULL, *longer = NULL, *t = NULL;
    uint64_t lower = 0, upper = 0;
    uint8_t side[MOST];
    cn_known known;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_with_lengths(cube, (uint32_t[]){2}, 1, NULL, &longer));
    assert_ok(cn_topology_with_hosts(longer, 3, &t));
    assert_ok(cn_topology_bisection(t, NULL, side, MOST, &lower, &upper, &known));
    assert_true(lower == 8 && upper == 8 && known == CN_KNOWN_CLOSED_FORM);
    uint64_t cut = 0, first = 0;
    for (uint64_t v = 0; v < cn_topology_node_count(t); v++) {
        first += network_is_host(t, v) && side[v] == 0;
        for (uint32_t p = 0; p < degree_of(t, v); p++)
            cut += v < step(t, v, p) && side[v] != side[step(t, v, p)];
    }
    assert_int_equal(first, 24);
    assert_int_equal(cut, 8);
    cn_topology_free(&t);
    cn_topology_free(&longer);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_are_listed),
        cmocka_unit_test(choices_that_are_refused),
        cmocka_unit_test(json_has_the_hosts),
        cmocka_unit_test(distances_are_those_between_hosts),
        cmocka_unit_test(loads_are_sums_over_hosts),
        cmocka_unit_test(a_fat_tree_is_fat),
        cmocka_unit_test(patterns_number_hosts_by_rank),
        cmocka_unit_test(patterns_move_the_digits_of_hosts),
        cmocka_unit_test(arrays_have_a_place_for_each_host),
        cmocka_unit_test(json_of_parts_is_refused),
        cmocka_unit_test(short_links_leave_room_for_hosts),
        cmocka_unit_test(more_is_refused),
        cmocka_unit_test(json_names_nodes),
        cmocka_unit_test(rates_are_those_of_a_host),
        cmocka_unit_test(the_model_of_separate_buffers_covers_hosts),
        cmocka_unit_test(what_needs_all_nodes_says_so),
        cmocka_unit_test(composed_graphs_are_as_defined),
        cmocka_unit_test(networks_of_other_lengths_differ),
        cmocka_unit_test(large_networks_are_computed),
        cmocka_unit_test(loads_are_those_of_the_base),
        cmocka_unit_test(lengths_of_valiant_go_by_routers),
        cmocka_unit_test(loads_of_valiant_go_by_routers),
        cmocka_unit_test(relays_keep_the_kind_of_channel),
        cmocka_unit_test(verdicts_are_those_of_the_base),
        cmocka_unit_test(added_hosts_close_no_cycle),
        cmocka_unit_test(own_rules_are_those_of_the_base),
        cmocka_unit_test(a_stream_loses_nothing),
        cmocka_unit_test(faults_are_carried),
        cmocka_unit_test(random_faults_are_those_of_routers),
        cmocka_unit_test(compositions_that_are_refused),
        cmocka_unit_test(lengths_in_a_fat_tree),
        cmocka_unit_test(bisections_are_those_of_the_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

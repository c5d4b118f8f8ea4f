/* Networks in which some nodes send and receive, and the others forward. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubenet/experimental/hosts.h"
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

/* Half of a fat tree's messages may go up any way: none of its links is busier than those of the hosts. */
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
        cmocka_unit_test(arrays_have_a_place_for_each_host),
        cmocka_unit_test(json_names_nodes),
        cmocka_unit_test(rates_are_those_of_a_host),
        cmocka_unit_test(the_model_of_separate_buffers_covers_hosts),
        cmocka_unit_test(what_needs_all_nodes_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What channels carry, beside all paths one by one. */
#include "plain_queues.h"

#include <math.h>

#include "base/bits.h"
#include "queueing/store_forward/channel_flows.h"
#include "support/networks.h"

typedef struct sums {
    const cn_routing *routing;
    size_t ports;
    double *flow, *fresh, *turns;
    double hops;
} sums;

#define NONE UINT32_MAX

/* Follows all paths of a part of the messages. `from` is the channel by which they came. */
static void follow(sums *s, uint32_t node, uint32_t class, uint32_t target, uint32_t destination,
                   uint32_t from, double part)
{
    cni_entry room;
    if (node == target && target == destination)
        return;
    if (node == target) {
        class = cni_leg_class(s->routing, 1);
        target = destination;
        if (node == target)
            return;
    }
    uint64_t ports = cni_routing_next(s->routing, node, class, target, &room)->ports;
    part /= cni_popcount(ports);
    for (; ports != 0; ports &= ports - 1) {
        uint32_t port = cni_lowest_bit(ports);
        size_t channel = node * s->ports + port;
        s->flow[channel] += part;
        s->hops += part;
        if (from == NONE)
            s->fresh[channel] += part;
        else
            s->turns[from * s->ports + port] += part;
        follow(s, (uint32_t)cni_neighbor(s->routing->topology, node, port),
               cni_routing_after(s->routing, class, target, node, port, CNI_STORED), target,
               destination, (uint32_t)channel, part);
    }
}

static void follow_pair(sums *s, uint32_t source, uint32_t destination, double rate)
{
    const cn_routing *r = s->routing;
    if (r->kind->legs == 1) {
        follow(s, source, 0, destination, destination, NONE, rate);
        return;
    }
    for (uint32_t m = 0; m < r->topology->nodes; m++)
        if (cni_routing_serves(r, m))
            follow(s, source, 0, m, destination, NONE, rate / (double)r->served_count);
}

static void open_sums(sums *s, const cn_routing *routing, const cn_traffic *traffic)
{
    size_t nodes = (size_t)routing->topology->nodes, ports = routing->topology->max_degree;
    *s = (sums){.routing = routing, .ports = ports};
    s->flow = calloc(nodes * ports, sizeof *s->flow);
    s->fresh = calloc(nodes * ports, sizeof *s->fresh);
    s->turns = calloc(nodes * ports * ports, sizeof *s->turns);
    for (uint32_t a = 0; a < nodes; a++)
        for (uint32_t b = 0; b < nodes; b++) {
            double rate = 1.0 / ((double)routing->served_count - 1.0);
            if (a == b || !cni_routing_serves(routing, a) || !cni_routing_serves(routing, b))
                continue;
            if (traffic != NULL)
                assert_ok(cn_traffic_probability(traffic, a, b, &rate));
            follow_pair(s, a, b, rate);
        }
}

static void close_sums(sums *s)
{
    free(s->flow);
    free(s->fresh);
    free(s->turns);
}

static void compare(const cn_scenario *scenario, const cn_routing *routing)
{
    cni_channel_flows f;
    sums s;
    assert_ok(cni_channel_flows_open("test", scenario, 1, &f));
    open_sums(&s, routing, cni_traffic_of(scenario));
    double left = 0.0; /* what goes on, less what all paths say: 0 in the sum, also with two legs */
    for (size_t c = 0; c < f.places; c++) {
        assert_near(f.flow[c], s.flow[c], 1e-12 * (1.0 + s.flow[c]));
        assert_near(f.fresh[c], s.fresh[c], 1e-12);
        for (size_t p = 0; p < f.ports; p++) {
            size_t turn = c * f.ports + p;
            if (routing->kind->legs == 1)
                assert_near(f.turns[turn], s.turns[turn], 1e-12 * (1.0 + s.flow[c]));
            left += f.turns[turn] - s.turns[turn];
        }
    }
    assert_near(left, 0.0, 1e-10 * (1.0 + s.hops));
    assert_near(f.sum, s.hops, 1e-12 * s.hops);
    close_sums(&s);
    cni_channel_flows_close(&f);
}

static const char *const routings[] = {"minimal",       "preferred",        "dimension-order",
                                       "up-down",       "up-down-adaptive", "valiant",
                                       "negative-first"};

static size_t compared;

static void compare_all(const cn_topology *t, const cn_faults *faults, const cn_traffic *traffic)
{
    for (size_t i = 0; i < sizeof routings / sizeof routings[0]; i++) {
        cn_routing *routing;
        if (cn_routing_new(t, routings[i], faults, NULL, &routing) != CN_OK)
            continue;
        cn_scenario *scenario = stored_scenario(t, 0.1, 1);
        assert_ok(cn_scenario_set_routing_name(scenario, routings[i]));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        if (traffic != NULL)
            assert_ok(cn_scenario_set_traffic(scenario, traffic));
        compare(scenario, routing);
        compared++;
        cn_scenario_free(&scenario);
        cn_routing_free(&routing);
    }
}

static void all_paths_add_up_to_the_flows(void **state)
{
    (void)state;
    for (size_t i = 0; i < network_count(); i++) {
        cn_topology *t = make_network(i);
        if (cn_topology_node_count(t) >= 2 && cn_topology_node_count(t) <= 16)
            compare_all(t, NULL, NULL);
        cn_topology_free(&t);
    }
    assert_true(compared > 100);
}

static void faults_and_traffic_are_seen(void **state)
{
    (void)state;
    static const uint64_t sides[] = {4, 3};
    cn_topology *networks[4];
    assert_ok(cn_topology_hypercube(3, &networks[0]));
    assert_ok(cn_topology_torus(sides, 2, &networks[1]));
    assert_ok(cn_topology_mesh(sides, 2, &networks[2]));
    assert_ok(cn_topology_psnn(3, &networks[3]));
    compared = 0;
    for (size_t i = 0; i < 4; i++) {
        cn_topology *t = networks[i];
        cn_faults *faults;
        cn_traffic *hotspot, *local;
        assert_ok(cn_faults_new(t, &faults));
        assert_ok(cn_faults_add_node(faults, 1));
        compare_all(t, faults, NULL);
        assert_ok(cn_traffic_hotspot(t, 2, 0.3, &hotspot));
        assert_ok(cn_traffic_geometric_locality(t, 0.3, &local));
        compare_all(t, NULL, hotspot);
        compare_all(t, NULL, local);
        cn_traffic_free(&local);
        cn_traffic_free(&hotspot);
        cn_faults_free(&faults);
        cn_topology_free(&t);
    }
    assert_true(compared > 30);
}

/* A message is new once, and at every node but its last one it goes on. */
static void flows_are_conserved(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_de_bruijn(5, &t));
    for (size_t i = 0; i < sizeof routings / sizeof routings[0]; i++) {
        cn_scenario *scenario = stored_scenario(t, 0.1, 1);
        cni_channel_flows f;
        double new = 0.0;
        assert_ok(cn_scenario_set_routing_name(scenario, routings[i]));
        cn_status status = cni_channel_flows_open("test", scenario, 1, &f);
        double *in = calloc(f.places + 1, sizeof *in);
        for (size_t c = 0; status == CN_OK && c < f.places; c++) {
            size_t node = c / f.ports, port = c % f.ports;
            new += f.fresh[c];
            for (size_t p = 0; f.flow[c] > 0.0 && p < f.ports; p++)
                in[cni_neighbor(t, node, (uint32_t)port) * f.ports + p] += f.turns[c * f.ports + p];
        }
        for (size_t c = 0; status == CN_OK && c < f.places; c++)
            assert_near(in[c] + f.fresh[c], f.flow[c], 1e-12);
        if (status == CN_OK)
            assert_near(new, 32.0, 1e-12);
        assert_int_equal(status == CN_OK, i == 0 || (i >= 3 && i <= 5));
        free(in);
        cni_channel_flows_close(&f);
        cn_scenario_free(&scenario);
    }
    cn_topology_free(&t);
}

static void what_has_no_flows_is_refused(void **state)
{
    (void)state;
    static const uint64_t when[] = {1}, one[] = {1}, two[] = {2};
    cn_topology *t, *large;
    cn_faults *faults;
    cn_traffic *traffic;
    cni_channel_flows f;
    assert_ok(cn_topology_hypercube(3, &t));
    assert_ok(cn_topology_kary_ncube(3, 9, 1, &large));
    cn_scenario *scenario = stored_scenario(large, 0.1, 1);
    assert_fails(cni_channel_flows_open("test", scenario, 1, &f), CN_ERR_UNSUPPORTED,
                 "19683 nodes");
    cn_scenario_free(&scenario);
    scenario = stored_scenario(t, 0.1, 1);
    assert_ok(cn_traffic_trace(t, when, one, two, NULL, 1, &traffic));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    assert_fails(cni_channel_flows_open("test", scenario, 1, &f), CN_ERR_UNSUPPORTED,
                 "a trace has");
    cn_traffic_free(&traffic);
    assert_ok(cn_faults_new(t, &faults));
    assert_ok(cn_faults_add_node(faults, 7));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_ok(cn_traffic_new(t, CN_PATTERN_BIT_COMPLEMENT, &traffic));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    assert_fails(cni_channel_flows_open("test", scenario, 1, &f), CN_ERR_DISCONNECTED,
                 "from node 0 to nodes that take no part");
    cni_channel_flows_close(&f);
    assert_ok(cn_scenario_set_traffic(scenario, NULL));
    for (uint64_t v = 1; v < 7; v++)
        assert_ok(cn_faults_add_node(faults, v));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_fails(cni_channel_flows_open("test", scenario, 0, &f), CN_ERR_DISCONNECTED,
                 "survivors = 1");
    cn_traffic_free(&traffic);
    cn_faults_free(&faults);
    cn_scenario_free(&scenario);
    cn_topology_free(&large);
    cn_topology_free(&t);
}

static cn_status predict_once(void *context)
{
    static const uint64_t sides[] = {3, 2};
    cn_topology *t = NULL;
    cn_traffic *traffic = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    cn_status status = cn_topology_mesh(sides, 2, &t);
    if (status == CN_OK)
        status = cn_traffic_hotspot(t, 1, 0.2, &traffic);
    if (status == CN_OK)
        status = cni_scenario_create(stored_system(), t, &scenario);
    if (status == CN_OK)
        status = cn_scenario_set_traffic(scenario, traffic);
    if (status == CN_OK)
        status = cn_scenario_set_routing_name(scenario, context);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_SLOTTED, 1);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, 0);
    if (status == CN_OK)
        status = cn_predict(scenario, NULL, &result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    char first[] = "up-down", second[] = "valiant";
    support_fail_every_allocation(predict_once, first);
    support_fail_every_allocation(predict_once, second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_paths_add_up_to_the_flows),
        cmocka_unit_test(faults_and_traffic_are_seen),
        cmocka_unit_test(flows_are_conserved),
        cmocka_unit_test(what_has_no_flows_is_refused),
        cmocka_unit_test(every_failed_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

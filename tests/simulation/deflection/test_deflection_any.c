/* Deflection on every network, by every routing: the kernel against a plain simulator, node by node
 * and cycle by cycle, and what it refuses. */
#include "support/support.h"

#include <string.h>

#include "base/random.h"
#include "simulation/deflection/deflection.h"
#include "simulation/deflection/deflection_kernel.h"
#include "simulation/plain_deflection.h"
#include "simulation/run/sim.h"

/* ---- one experiment in both ---- */

typedef struct experiment {
    cn_topology *topology;
    cn_routing *routing; /* attached; NULL: the default, and the plain simulator needs its own */
    cn_faults *faults;
    cn_traffic *traffic;
    double load;
    uint32_t buffers; /* 0: as many as come in at most */
    uint64_t seed;
    cn_selection selection;
} experiment;

static cn_scenario *scenario_of(const experiment *e)
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(e->topology, "deflection", &scenario));
    assert_ok(cn_scenario_set_faults(scenario, e->faults));
    assert_ok(cn_scenario_set_routing(scenario, e->routing));
    assert_ok(cn_scenario_set_traffic(scenario, e->traffic));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, e->load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS,
                              e->buffers > 0 ? e->buffers : cn_topology_max_degree(e->topology)));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, e->selection));
    assert_ok(cn_scenario_set_seed(scenario, e->seed));
    return scenario;
}

static plain_deflection *open_plain(const experiment *e, const cn_scenario *scenario,
                                    cn_routing **own)
{
    double buffers;
    plain_deflection *p = calloc(1, sizeof *p);
    assert_non_null(p);
    *own = NULL;
    if (e->routing == NULL)
        assert_ok(
            cn_routing_new(e->topology, cn_scenario_routing_name(scenario), e->faults, NULL, own));
    assert_ok(cn_scenario_get(scenario, CN_PARAM_BUFFERS, &buffers));
    p->topology = e->topology;
    p->routing = e->routing != NULL ? e->routing : *own;
    p->faults = e->faults;
    p->traffic = e->traffic;
    p->load = e->load;
    p->buffers = (uint64_t)buffers;
    p->seed = e->seed;
    p->selection = e->selection;
    plain_deflection_open(p);
    return p;
}

static void check_message(const cni_deflection *k, uint64_t node, uint64_t word,
                          const plain_message *message)
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t source =
        word >> s->source_shift & ((UINT64_C(1) << (s->created_shift - s->source_shift)) - 1);
    uint64_t number =
        word >> s->number_shift & ((UINT64_C(1) << (s->source_shift - s->number_shift)) - 1);
    assert_int_equal(k->epoch + (word >> s->created_shift), message->created);
    assert_int_equal(source, message->source);
    assert_int_equal(number, message->number);
    assert_int_equal(word & s->header_mask, cni_deflection_header(k, node, message->destination));
}

static void check_same(const cni_deflection *k, const plain_deflection *p)
{
    uint64_t counters[CNI_COUNTERS], held = 0;
    const plain_deflection_counts *c = &p->counts;
    for (uint64_t v = 0; v < p->nodes; v++) {
        assert_int_equal(k->length[v], p->node[v].count);
        assert_int_equal(k->holds[v / 64] >> v % 64 & 1, p->node[v].count > 0);
        for (size_t m = 0; m < p->node[v].count; m++)
            check_message(k, v, k->queue[v * k->shape.slots + m], &p->node[v].messages[m]);
        held += p->node[v].count;
    }
    cni_deflection_kernel.count(k, counters);
    assert_int_equal(counters[CNI_COUNT_OFFERED], c->offered);
    assert_int_equal(counters[CNI_COUNT_ACCEPTED], c->accepted);
    assert_int_equal(counters[CNI_COUNT_DELIVERED], c->delivered);
    assert_int_equal(counters[CNI_COUNT_DELAY], c->delay);
    assert_int_equal(counters[CNI_COUNT_FIRST_PHASE], c->first);
    assert_int_equal(counters[CNI_COUNT_SECOND_PHASE], c->second);
    assert_int_equal(counters[CNI_COUNT_DEFLECTED], c->deflected);
    assert_int_equal(counters[CNI_COUNT_QUEUE], c->queue);
    assert_int_equal(counters[CNI_COUNT_DISTANCE], c->distance);
    assert_int_equal(c->accepted, c->delivered + held);
    assert_int_equal(cni_deflection_kernel.in_flight(k), held);
}

/* Both for so many cycles. */
static void compare(const experiment *e, uint32_t cycles)
{
    cn_routing *own;
    cn_sim *sim;
    cn_scenario *scenario = scenario_of(e);
    int has_statistics = e->seed % 2 == 0;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, has_statistics));
    plain_deflection *p = open_plain(e, scenario, &own);
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    for (uint32_t c = 0; c < cycles; c++) {
        plain_deflection_step(p);
        assert_ok(cn_sim_step(sim, 1, NULL));
        check_same(sim->state, p);
    }
    assert_true(p->counts.delivered > 0);
    if (has_statistics)
        assert_same_statistics(sim, &p->tally, 0);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_routing_free(&own);
    plain_deflection_close(p);
    free(p);
}

/* Light and heavy, with as many buffers as channels and with more. */
static void compare_all(experiment e, uint32_t cycles)
{
    static const double loads[] = {0.1, 0.8, 6.0};
    uint32_t ports = cn_topology_max_degree(e.topology);
    for (uint32_t b = 0; b < 3; b++)
        for (size_t l = 0; l < 3; l++) {
            e.load = loads[l];
            e.buffers = b == 0 ? ports : b == 1 ? ports + 1 : 2 * ports;
            e.seed = 3 * b + l;
            compare(&e, cycles);
        }
}

/* ---- networks ---- */

enum { NETWORKS = 19 };

/* One way, of unequal degrees: rings through every second, third and fourth node of an 13-ring. */
static cn_status leap(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    (void)user;
    if (port == 0)
        *neighbor = (node + 1) % 12;
    else if (node % (port + 1) == 0)
        *neighbor = (node + port + 1) % 12;
    return CN_OK;
}

static cn_topology *make_network(int which)
{
    static const uint64_t sides[] = {3, 5, 2}, edges[] = {0, 1, 1, 2, 2, 3, 3, 0, 3, 4, 4,
                                                          5, 5, 1, 5, 6, 6, 0, 2, 6, 6, 7};
    cn_topology *t = NULL;
    switch (which) {
    case 0:
        assert_ok(cn_topology_hypercube(4, &t));
        break;
    case 1:
        assert_ok(cn_topology_kary_ncube(5, 2, 0, &t));
        break;
    case 2:
        assert_ok(cn_topology_kary_ncube(4, 2, 1, &t));
        break;
    case 3:
        assert_ok(cn_topology_torus(sides, 2, &t));
        break;
    case 4:
        assert_ok(cn_topology_generalized_hypercube_mixed(sides, 3, &t));
        break;
    case 5:
        assert_ok(cn_topology_complete(7, &t));
        break;
    case 6:
        assert_ok(cn_topology_psnn(4, &t));
        break;
    case 7:
        assert_ok(cn_topology_de_bruijn(4, &t));
        break;
    case 8:
        assert_ok(cn_topology_from_edges(8, edges, 11, NULL, &t));
        break;
    case 9:
        assert_ok(cn_topology_from_function(12, 4, leap, NULL, NULL, &t));
        break;
    case 10:
        assert_ok(cn_topology_mesh(sides, 3, &t));
        break;
    case 11:
        assert_ok(cn_topology_tree(2, 4, &t));
        break;
    case 12:
        assert_ok(cn_topology_star(9, &t));
        break;
    case 13:
        assert_ok(cn_topology_shuffle_exchange(4, &t));
        break;
    case 14:
        assert_ok(cn_topology_chordal_ring(20, 5, 0, &t));
        break;
    case 15:
        assert_ok(cn_topology_hypercube(7, &t));
        break;
    case 16:
        assert_ok(cn_topology_kary_ncube(9, 2, 1, &t));
        break;
    case 17:
        assert_ok(cn_topology_kary_ncube(3, 4, 0, &t));
        break;
    default:
        assert_ok(cn_topology_kary_ncube(70, 1, 1, &t));
        break;
    }
    return t;
}

static void every_network_equals_the_plain_simulator(void **state)
{
    (void)state;
    for (int which = 0; which < NETWORKS; which++) {
        experiment e = {.topology = make_network(which)};
        compare_all(e, 60);
        cn_topology_free(&e.topology);
    }
}

static void every_routing_equals_the_plain_simulator(void **state)
{
    (void)state;
    static const struct {
        int network;
        const char *routing;
    } cases[] = {{0, "minimal"},          {0, "preferred"},       {0, "dimension-order"},
                 {1, "preferred"},        {1, "minimal"},         {2, "preferred"},
                 {2, "minimal"},          {2, "duato"},           {3, "dimension-order"},
                 {10, "duato"},           {10, "negative-first"}, {15, "preferred"},
                 {16, "dimension-order"}, {17, "preferred"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        experiment e = {.topology = make_network(cases[i].network)};
        assert_ok(cn_routing_new(e.topology, cases[i].routing, NULL, NULL, &e.routing));
        compare_all(e, 60);
        cn_routing_free(&e.routing);
        cn_topology_free(&e.topology);
    }
}

/* Of the ports that come closer the lowest one. */
static cn_status lowest_closer(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                               uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const cn_topology *t = user;
    uint64_t here, there, next;
    uint32_t degree;
    (void)previous, (void)port, (void)virtual_channel;
    if (cn_topology_degree(t, node, &degree) != CN_OK ||
        cn_topology_distance(t, node, destination, NULL, &here) != CN_OK)
        return CN_ERR_INTERNAL;
    for (uint32_t p = 0; p < degree; p++)
        if (cn_topology_neighbor(t, node, p, &next) == CN_OK &&
            cn_topology_distance(t, next, destination, NULL, &there) == CN_OK && there < here) {
            channels[p] = 1;
            return CN_OK;
        }
    return CN_ERR_INTERNAL;
}

/* Boolean and k-ary n-cubes, too, which have a form of their own for random selection alone. */
static void every_selection_equals_the_plain_simulator(void **state)
{
    (void)state;
    for (int which = 0; which < NETWORKS; which++)
        for (int by = CN_SELECTION_LOWEST; by <= CN_SELECTION_LEAST_LOADED; by++) {
            experiment e = {.topology = make_network(which), .selection = (cn_selection)by};
            compare_all(e, 40);
            if (which == 2 || which == 15) { /* shortest ways, of which `preferred` takes some */
                assert_ok(cn_routing_new(e.topology, "minimal", NULL, NULL, &e.routing));
                compare_all(e, 40);
                cn_routing_free(&e.routing);
            }
            cn_topology_free(&e.topology);
        }
}

static void an_own_rule_equals_the_plain_simulator(void **state)
{
    (void)state;
    for (int which = 6; which < 10; which++) {
        experiment e = {.topology = make_network(which)};
        assert_ok(cn_routing_own(e.topology, 1, lowest_closer, NULL, e.topology, NULL, &e.routing));
        compare_all(e, 60);
        cn_routing_free(&e.routing);
        cn_topology_free(&e.topology);
    }
}

/* Every pattern that a network has, some with silent nodes. */
static void traffic_equals_the_plain_simulator(void **state)
{
    (void)state;
    static const int networks[] = {0, 2, 7, 10};
    for (size_t n = 0; n < 4; n++)
        for (int pattern = CN_PATTERN_UNIFORM; pattern <= CN_PATTERN_NEIGHBOR + 2; pattern++) {
            experiment e = {.topology = make_network(networks[n]), .load = 0.7, .seed = 5};
            cn_status status = pattern <= CN_PATTERN_NEIGHBOR
                                   ? cn_traffic_new(e.topology, (cn_pattern)pattern, &e.traffic)
                               : pattern == CN_PATTERN_NEIGHBOR + 1
                                   ? cn_traffic_hotspot(e.topology, 3, 0.2, &e.traffic)
                                   : cn_traffic_permutation(e.topology, 5, &e.traffic);
            /* a plain simulator draws uniform destinations by itself */
            if (status == CN_OK && cn_traffic_pattern(e.traffic) != CN_PATTERN_UNIFORM) {
                compare(&e, 80);
                assert_ok(cn_routing_new(e.topology, "minimal", NULL, NULL, &e.routing));
                compare(&e, 80);
            }
            cn_routing_free(&e.routing);
            cn_traffic_free(&e.traffic);
            cn_topology_free(&e.topology);
        }
}

/* ---- damage ---- */

static void damaged_networks_equal_the_plain_simulator(void **state)
{
    (void)state;
    static const int networks[] = {0, 2, 3, 4, 5, 7, 8, 10, 14, 15, 16};
    uint32_t compared = 0;
    for (size_t n = 0; n < sizeof networks / sizeof networks[0]; n++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            experiment e = {.topology = make_network(networks[n])};
            assert_ok(cn_faults_new(e.topology, &e.faults));
            assert_ok(cn_faults_add_random_links(e.faults, 1 + seed, seed));
            if (seed % 2 == 0)
                assert_ok(cn_faults_add_random_nodes(e.faults, 1 + seed / 2, seed));
            if (cn_routing_new(e.topology, "minimal", e.faults, NULL, &e.routing) == CN_OK) {
                compare_all(e, 40);
                e.selection = seed % 2 == 0 ? CN_SELECTION_LOWEST : CN_SELECTION_LEAST_LOADED;
                compare_all(e, 20);
                compared++;
            }
            cn_routing_free(&e.routing);
            cn_faults_free(&e.faults);
            cn_topology_free(&e.topology);
        }
    assert_true(compared >= 30);
}

/* Faults that are none leave the fast form. */
static void an_empty_set_of_faults_changes_nothing(void **state)
{
    (void)state;
    experiment e = {.topology = make_network(2), .load = 0.8, .buffers = 6, .seed = 3};
    void *kernel = NULL;
    assert_ok(cn_faults_new(e.topology, &e.faults));
    cn_scenario *scenario = scenario_of(&e);
    assert_ok(cni_deflection_kernel.open(scenario, 1, &kernel));
    assert_int_equal(((cni_deflection *)kernel)->form, CNI_FORM_KARY);
    cni_deflection_kernel.close(kernel);
    cn_scenario_free(&scenario);
    cn_faults_free(&e.faults);
    cn_topology_free(&e.topology);
}

static void metrics_are_those_of_what_survives(void **state)
{
    (void)state;
    experiment e = {.topology = make_network(16), .load = 0.3, .buffers = 8, .seed = 2};
    cn_result *result;
    assert_ok(cn_faults_new(e.topology, &e.faults));
    assert_ok(cn_faults_add_node(e.faults, 3));
    assert_ok(cn_faults_add_link(e.faults, 40, 0));
    cn_scenario *scenario = scenario_of(&e);
    assert_string_equal(cn_scenario_routing_name(scenario), "minimal");
    assert_ok(cn_simulate(scenario, NULL, &result));
    double share = 80.0 / 81.0, channels = 81.0 * 4.0 - 8.0 - 2.0;
    double hops = value_of(result, CN_METRIC_MEAN_HOPS);
    double throughput = value_of(result, CN_METRIC_THROUGHPUT);
    assert_near(value_of(result, CN_METRIC_SURVIVOR_FRACTION), share, 1e-12);
    assert_near(value_of(result, CN_METRIC_OFFERED_LOAD), 0.3, 0.01);
    assert_near(throughput, 0.3, 0.01);
    assert_near(value_of(result, CN_METRIC_CHANNEL_UTILIZATION),
                throughput * 80.0 * hops / channels, 1e-9);
    cn_result_free(&result);
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "without faults");
    cn_scenario_free(&scenario);
    cn_faults_free(&e.faults);
    cn_topology_free(&e.topology);
}

/* Who is disabled holds nothing; the others get what is for them. */
static void a_subnet_is_all_that_is_used(void **state)
{
    (void)state;
    experiment e = {.topology = make_network(15), .load = 0.6, .seed = 2};
    cn_subnet *subnet;
    cn_faults *other;
    void *opened = NULL;
    uint64_t counters[CNI_COUNTERS];
    assert_ok(cn_faults_new(e.topology, &e.faults));
    assert_ok(cn_faults_new(e.topology, &other));
    assert_ok(cn_faults_add_random_nodes(e.faults, 12, 4));
    assert_ok(cn_subnet_convex(e.faults, NULL, &subnet));
    cn_scenario *scenario = scenario_of(&e);
    assert_ok(cn_scenario_set_subnet(scenario, subnet));
    assert_string_equal(cn_scenario_routing_name(scenario), "optimal-path");
    assert_ok(cni_deflection_kernel.open(scenario, 2, &opened));
    cni_deflection *k = opened;
    uint32_t disabled = 0;
    for (int c = 0; c < 200; c++) {
        assert_ok(cni_deflection_kernel.step(k, 1));
        for (uint64_t v = 0; v < 128; v++) {
            cn_node_state of_node;
            assert_ok(cn_subnet_node_state(subnet, v, &of_node));
            disabled += of_node == CN_NODE_DISABLED;
            assert_true(of_node == CN_NODE_SURVIVING || k->length[v] == 0);
        }
        cni_deflection_kernel.count(k, counters);
        assert_int_equal(counters[CNI_COUNT_ACCEPTED],
                         counters[CNI_COUNT_DELIVERED] + cni_deflection_kernel.in_flight(k));
    }
    assert_true(disabled > 0 && counters[CNI_COUNT_DELIVERED] > 1000);
    cni_deflection_kernel.close(k);
    cn_sim *sim;
    assert_ok(cn_scenario_set_faults(scenario, other));
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_ARGUMENT,
                 "the subnet was made with 12 faulty nodes and 0 faulty links");
    cn_scenario_free(&scenario);
    cn_subnet_free(&subnet);
    cn_faults_free(&other);
    cn_faults_free(&e.faults);
    cn_topology_free(&e.topology);
}

/* ---- random networks: no message without a channel, and the oldest advances ---- */

typedef struct digraph {
    uint64_t nodes, seed, draws;
    int is_two_way;
    unsigned char joined[40][40];
} digraph;

static uint64_t draw(digraph *g, uint64_t bound)
{
    return cni_random_scale(cni_random_word(g->seed, g->draws++), bound);
}

static cn_status neighbor_in(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    const digraph *g = user;
    for (uint64_t v = 0; v < g->nodes; v++)
        if (g->joined[node][v] && port-- == 0)
            *neighbor = v;
    return CN_OK;
}

/* Rings through random nodes: as many channels come in as go out. The first one goes through
 * all. */
static cn_topology *random_network(digraph *g)
{
    cn_topology *t;
    uint64_t rings = 1 + draw(g, 4);
    for (uint64_t r = 0; r < rings; r++) {
        uint64_t order[40], length = r == 0 ? g->nodes : 2 + draw(g, g->nodes - 2);
        int is_free = 1;
        for (uint64_t i = 0; i < g->nodes; i++)
            order[i] = i;
        for (uint64_t i = 0; i < length; i++) {
            uint64_t other = i + draw(g, g->nodes - i), kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        for (uint64_t i = 0; i < length; i++)
            is_free &= !g->joined[order[i]][order[(i + 1) % length]];
        for (uint64_t i = 0; i < length && is_free; i++) {
            g->joined[order[i]][order[(i + 1) % length]] = 1;
            if (g->is_two_way)
                g->joined[order[(i + 1) % length]][order[i]] = 1;
        }
    }
    assert_ok(
        cn_topology_from_function(g->nodes, (uint32_t)g->nodes - 1, neighbor_in, g, NULL, &t));
    return t;
}

static void random_networks_keep_the_theorem(void **state)
{
    (void)state;
    uint32_t damaged = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        digraph g = {.seed = cni_random_derive(7, seed), .is_two_way = seed % 2 == 1};
        g.nodes = 4 + draw(&g, 36);
        experiment e = {
            .topology = random_network(&g), .load = seed % 3 == 0 ? 0.3 : 5.0, .seed = seed};
        if (g.is_two_way && seed % 4 == 3) {
            assert_ok(cn_faults_new(e.topology, &e.faults));
            assert_ok(cn_faults_add_random_links(e.faults, 1, seed));
        }
        cn_status status = cn_routing_new(e.topology, "minimal", e.faults, NULL, &e.routing);
        if (status == CN_OK) {
            damaged += e.faults != NULL;
            compare(&e, 150); /* the plain simulator checks both in every cycle */
            e.selection = seed % 8 < 4 ? CN_SELECTION_LOWEST : CN_SELECTION_LEAST_LOADED;
            compare(&e, 100);
        } else {
            assert_non_null(e.faults);
        }
        cn_routing_free(&e.routing);
        cn_faults_free(&e.faults);
        cn_topology_free(&e.topology);
    }
    assert_true(damaged >= 5);
}

/* ---- the same bits in every way ---- */

static void run_in_steps_and_threads(cn_topology *t, uint32_t buffers, cn_selection selection)
{
    cn_result *whole, *parts;
    experiment e = {
        .topology = t, .load = 0.4, .buffers = buffers, .seed = 4, .selection = selection};
    for (int threads = 1; threads <= 4; threads++) {
        cn_sim *sim;
        cn_scenario *scenario = scenario_of(&e);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 10));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        for (uint64_t c = 0, left = 90; left > 0; c++, left -= c < left ? c : left)
            assert_ok(cn_sim_step(sim, c < left ? c : left, NULL));
        if (cn_sim_cycle(sim) < 90)
            assert_ok(cn_sim_step(sim, 90 - cn_sim_cycle(sim), NULL));
        assert_int_equal(cn_sim_cycle(sim), 90);
        assert_ok(cn_sim_result(sim, threads == 1 ? &whole : &parts));
        if (threads > 1) {
            assert_same_result(whole, parts);
            cn_result_free(&parts);
        }
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
    cn_result_free(&whole);
    cn_topology_free(&t);
}

static void runs_do_not_depend_on_steps_and_threads(void **state)
{
    (void)state;
    static const uint64_t sides[] = {11, 9, 12};
    cn_topology *t;
    for (int by = CN_SELECTION_RANDOM; by <= CN_SELECTION_LEAST_LOADED; by++) {
        assert_ok(cn_topology_torus(sides, 3, &t));
        run_in_steps_and_threads(t, 9, (cn_selection)by);
        assert_ok(cn_topology_hypercube(10, &t));
        run_in_steps_and_threads(t, 12, (cn_selection)by);
    }
}

/* Messages from the caller alone: each arrives where it should, those of a cycle in the order of
 * their destinations, and on an idle network without delay. */
static void injected_messages_arrive(void **state)
{
    (void)state;
    for (int which = 0; which < NETWORKS; which++) {
        experiment e = {.topology = make_network(which), .seed = 2};
        cn_scenario *scenario = scenario_of(&e);
        cn_sim *sim;
        cn_delivery delivery;
        uint64_t nodes = cn_topology_node_count(e.topology), found = 0, cycle = 0, at = 0;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        for (uint64_t v = 0; v < nodes; v++)
            assert_ok(cn_sim_inject(
                sim, v, (v + 1 + v % 3) % nodes == v ? (v + 1) % nodes : (v + 1 + v % 3) % nodes, 0,
                v));
        assert_ok(cn_sim_step(sim, 400, NULL));
        while (cn_sim_next_delivery(sim, &delivery, sizeof delivery) == CN_OK) {
            uint64_t v = delivery.tag, hops;
            assert_int_equal(delivery.source, v);
            assert_ok(cn_topology_distance(e.topology, v, delivery.destination, NULL, &hops));
            assert_true(delivery.delivered - delivery.injected >= hops);
            assert_true(delivery.delivered > cycle ||
                        (delivery.delivered == cycle && delivery.destination >= at));
            cycle = delivery.delivered;
            at = delivery.destination;
            found++;
        }
        assert_int_equal(found, nodes);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
        cn_topology_free(&e.topology);
    }
}

/* ---- refusals ---- */

static void refuse(const experiment *e, cn_status status, const char *part)
{
    cn_sim *sim;
    cn_scenario *scenario = scenario_of(e);
    assert_fails(cn_sim_open(scenario, NULL, &sim), status, part);
    assert_null(sim);
    cn_scenario_free(&scenario);
}

/* Node 2 gets two and has one way out. */
static cn_status funnel(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    static const uint64_t to[4][2] = {{1, 2}, {2, 3}, {3, 4}, {0, 4}};
    (void)user;
    if (to[node][port] < 4)
        *neighbor = to[node][port];
    return CN_OK;
}

static void networks_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    experiment e = {.load = 0.5, .buffers = 8};
    assert_ok(cn_topology_from_function(4, 2, funnel, NULL, NULL, &e.topology));
    refuse(&e, CN_ERR_UNSUPPORTED, "2 come into node 2 of");
    cn_topology_free(&e.topology);
    e.topology =
        make_network(1); /* one way: a node less, and its neighbours lose one way out or one in */
    assert_ok(cn_faults_new(e.topology, &e.faults));
    assert_ok(cn_faults_add_node(e.faults, 7));
    refuse(&e, CN_ERR_UNSUPPORTED, "2 come into node 8 of");
    cn_faults_free(&e.faults);
    cn_topology_free(&e.topology);
    e.topology = make_network(11); /* a tree falls apart */
    assert_ok(cn_faults_new(e.topology, &e.faults));
    assert_ok(cn_faults_add_node(e.faults, 0));
    refuse(&e, CN_ERR_DISCONNECTED, "node");
    cn_faults_free(&e.faults);
    cn_topology_free(&e.topology);
    assert_ok(cn_topology_complete(66, &e.topology));
    cn_scenario *scenario;
    assert_fails(cn_scenario_new(e.topology, "deflection", &scenario), CN_ERR_UNSUPPORTED,
                 "64 ports");
    cn_topology_free(&e.topology);
    static const uint64_t long_sides[] = {4096, 4096};
    assert_ok(cn_topology_torus(long_sides, 2, &e.topology));
    e.buffers = 63;
    assert_ok(cn_scenario_new(e.topology, "deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 63));
    cn_sim *sim;
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_UNSUPPORTED, "64 bits");
    cn_scenario_free(&scenario);
    cn_topology_free(&e.topology);
}

/* Once round, whatever the destination. */
static cn_status always_on(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                           uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    (void)user, (void)node, (void)destination, (void)previous, (void)port, (void)virtual_channel;
    channels[1] = 1;
    return CN_OK;
}

static void routings_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *routing, *part;
    } cases[] = {{"valiant", "valiant has 2; minimal works"},
                 {"up-down", "up-down has 2; minimal works"},
                 {"up-down-adaptive", "up-down-adaptive has 3; minimal works"}};
    experiment e = {.topology = make_network(2), .load = 0.5, .buffers = 8};
    for (size_t i = 0; i < 3; i++) {
        assert_ok(cn_routing_new(e.topology, cases[i].routing, NULL, NULL, &e.routing));
        refuse(&e, CN_ERR_UNSUPPORTED, cases[i].part);
        cn_routing_free(&e.routing);
    }
    cn_topology_free(&e.topology);
    assert_ok(cn_topology_ring(6, 1, &e.topology));
    assert_ok(cn_routing_own(e.topology, 1, always_on, NULL, NULL, NULL, &e.routing));
    refuse(&e, CN_ERR_UNSUPPORTED, "may take port 1, which does not; minimal works");
    cn_routing_free(&e.routing);
    cn_topology_free(&e.topology);
}

static void messages_to_the_dead_are_refused(void **state)
{
    (void)state;
    experiment e = {.topology = make_network(2), .load = 0.5, .buffers = 8};
    cn_sim *sim;
    assert_ok(cn_faults_new(e.topology, &e.faults));
    assert_ok(cn_faults_add_node(e.faults, 5));
    assert_ok(cn_traffic_new(e.topology, CN_PATTERN_TORNADO, &e.traffic));
    refuse(&e, CN_ERR_DISCONNECTED, "tornado");
    cn_traffic_free(&e.traffic);
    assert_ok(cn_traffic_hotspot(e.topology, 3, 0.1, &e.traffic));
    refuse(&e, CN_ERR_DISCONNECTED, "to node 5");
    cn_traffic_free(&e.traffic);
    cn_scenario *scenario = scenario_of(&e);
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_inject(sim, 5, 1, 0, 0), CN_ERR_DISCONNECTED, "source = 5");
    assert_fails(cn_sim_inject(sim, 1, 5, 0, 0), CN_ERR_DISCONNECTED, "destination = 5");
    assert_ok(cn_sim_inject(sim, 1, 6, 0, 0));
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_faults_free(&e.faults);
    cn_topology_free(&e.topology);
}

static void models_are_of_their_routing(void **state)
{
    (void)state;
    experiment e = {.topology = make_network(2), .load = 0.2, .buffers = 8};
    cn_result *result;
    double load;
    assert_ok(cn_routing_new(e.topology, "preferred", NULL, NULL, &e.routing));
    cn_scenario *scenario = scenario_of(&e);
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_result_free(&result);
    assert_ok(cn_scenario_set_routing_name(scenario, "minimal"));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "not minimal");
    assert_ok(cn_scenario_set_routing_name(scenario, "preferred"));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, CN_SELECTION_LOWEST));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "selection = lowest, but the model of deflection needs random");
    assert_fails(cn_saturation_load(scenario, NULL, &load), CN_ERR_UNSUPPORTED,
                 "cn_saturation_load: selection = lowest");
    cn_scenario_free(&scenario);
    cn_routing_free(&e.routing);
    cn_topology_free(&e.topology);
}

/* `context`: whether there are faults. */
static cn_status open_and_step(void *context)
{
    static const uint64_t sides[] = {3, 4};
    cn_topology *torus = NULL;
    cn_scenario *scenario = NULL;
    cn_faults *faults = NULL;
    cn_sim *sim = NULL;
    cn_status status = cn_topology_torus(sides, 2, &torus);
    if (status == CN_OK)
        status = cn_scenario_new(torus, "deflection", &scenario);
    if (status == CN_OK && *(const int *)context)
        status = cn_faults_new(torus, &faults);
    if (status == CN_OK && faults != NULL)
        status = cn_faults_add_node(faults, 5);
    if (status == CN_OK)
        status = cn_scenario_set_faults(scenario, faults);
    if (status == CN_OK && faults == NULL)
        status = cn_scenario_set_routing_name(scenario, "dimension-order");
    if (status == CN_OK)
        status = cn_sim_open(scenario, NULL, &sim);
    if (status == CN_OK)
        status = cn_sim_inject(sim, 0, 2, 0, 1);
    if (status == CN_OK)
        status = cn_sim_step(sim, 20, NULL);
    cn_sim_close(&sim);
    cn_faults_free(&faults);
    cn_scenario_free(&scenario);
    cn_topology_free(&torus);
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    int without = 0, with = 1;
    support_fail_every_allocation(open_and_step, &without);
    support_fail_every_allocation(open_and_step, &with);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_network_equals_the_plain_simulator),
        cmocka_unit_test(every_routing_equals_the_plain_simulator),
        cmocka_unit_test(every_selection_equals_the_plain_simulator),
        cmocka_unit_test(an_own_rule_equals_the_plain_simulator),
        cmocka_unit_test(traffic_equals_the_plain_simulator),
        cmocka_unit_test(damaged_networks_equal_the_plain_simulator),
        cmocka_unit_test(an_empty_set_of_faults_changes_nothing),
        cmocka_unit_test(metrics_are_those_of_what_survives),
        cmocka_unit_test(a_subnet_is_all_that_is_used),
        cmocka_unit_test(random_networks_keep_the_theorem),
        cmocka_unit_test(runs_do_not_depend_on_steps_and_threads),
        cmocka_unit_test(injected_messages_arrive),
        cmocka_unit_test(networks_that_do_not_fit_are_refused),
        cmocka_unit_test(routings_that_do_not_fit_are_refused),
        cmocka_unit_test(messages_to_the_dead_are_refused),
        cmocka_unit_test(models_are_of_their_routing),
        cmocka_unit_test(every_failed_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Cut-through against the plain simulator, which moves every flit; latencies of lone messages,
 * messages of all lengths, no deadlock, deadlocks where the routing has them, and the
 * statistics. */
#include "support/support.h"
#include "support/wormhole_rules.h"

#include "routing/networks.h"
#include "simulation/run/sim.h"
#include "simulation/wormhole/wormhole.h"
#include "simulation/wormhole_compare.h"

enum { ALL = 10 };

static const plain_config usual = {.virtual_channels = 2,
                                   .message_flits = 8,
                                   .message_buffers = 2,
                                   .injection_servers = 1,
                                   .adaptive = 1,
                                   .broadcast_fraction = 0.03,
                                   .seed = 7};

/* ---- as the plain simulator ---- */

static void networks_with_digits(void **state)
{
    (void)state;
    for (int kind = 0; kind < ALL; kind++) {
        plain_config config = usual;
        cn_topology *t = digit_network(kind);
        config.topology = t;
        for (uint32_t buffers = 1; buffers <= 3; buffers++) {
            config.message_buffers = buffers;
            config.selection = (cn_selection)((buffers + (uint32_t)kind) % 3);
            config.virtual_channels = 3 + buffers % 2;
            config.adaptive = 1;
            compare_loads(config, kind < 7 ? 150 : 50);
            config.adaptive = 0;
            config.virtual_channels -= 1;
            compare_loads(config, kind < 7 ? 150 : 50);
        }
        cn_topology_free(&t);
    }
}

static void networks_of_all_kinds(void **state)
{
    (void)state;
    static const char *const names[] = {"up-down-adaptive", "up-down", "valiant"};
    for (int kind = 0; kind < ALL; kind++) {
        plain_config config = usual;
        cn_topology *t = any_network(kind);
        config.topology = t;
        config.message_buffers = 1 + (uint32_t)kind % 3;
        config.injection_servers = 1 + (uint32_t)kind % 2;
        for (int i = 0; i < 3; i++) {
            config.selection = (cn_selection)((kind + i) % 3);
            compare_routing(config, names[i], NULL, 150);
        }
        cn_topology_free(&t);
    }
}

static void lengths_places_and_servers(void **state)
{
    (void)state;
    cn_topology *cube = NULL;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (uint32_t flits = 1; flits <= 12; flits += flits < 4 ? 1 : 4)
        for (uint32_t buffers = 1; buffers <= 5; buffers += 2)
            for (int variant = 0; variant < 8; variant++) {
                plain_config config = usual;
                config.topology = cube;
                config.message_flits = flits;
                config.message_buffers = buffers;
                config.one_port = variant & 1;
                config.startup = (variant & 2) != 0 ? 5 : 0;
                config.injection_servers = (variant & 1) == 0 && (variant & 4) != 0 ? 3 : 1;
                config.adaptive = variant < 4;
                config.selection = (cn_selection)(variant % 3);
                config.broadcast_fraction = 0.1;
                config.seed = flits * 100 + buffers * 10 + (uint32_t)variant;
                compare_loads(config, 120);
            }
    cn_topology_free(&cube);
}

/* Nodes with more virtual channels than a word has bits. */
static void many_virtual_channels(void **state)
{
    (void)state;
    static const uint32_t virtual_channels[] = {9, 20, 64};
    for (int kind = 7; kind < ALL; kind++)
        for (uint32_t i = 0; i < 3; i++) {
            plain_config config = usual;
            cn_topology *t = digit_network(kind);
            config.topology = t;
            config.virtual_channels = virtual_channels[i];
            config.message_buffers = 1 + i % 2;
            config.selection = (cn_selection)i;
            config.seed += i;
            compare_loads(config, 25);
            cn_topology_free(&t);
        }
}

static void damaged_networks(void **state)
{
    (void)state;
    cn_topology *torus = NULL;
    cn_faults *faults = NULL;
    plain_config config = usual;
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &torus));
    assert_ok(cn_faults_new(torus, &faults));
    assert_ok(cn_faults_add_node(faults, 3));
    assert_ok(cn_faults_add_link(faults, 1, 0));
    config.topology = torus;
    compare_routing(config, "up-down-adaptive", faults, 300);
    compare_routing(config, "valiant", faults, 300);
    cn_faults_free(&faults);
    cn_topology_free(&torus);
}

static void traffic_of_the_scenario(void **state)
{
    (void)state;
    compare_traffics(usual);
}

static void deadlocks_where_they_are(void **state)
{
    (void)state;
    int deadlocks = 0;
    for (int kind = 5; kind <= 8; kind += 3)
        for (int rule = WORMHOLE_ORDER_UNSAFE; rule <= WORMHOLE_DUATO_UNSAFE; rule++)
            for (uint32_t buffers = 1; buffers <= 2; buffers++) {
                plain_config config = usual;
                cn_topology *torus = digit_network(kind);
                config.topology = torus;
                config.virtual_channels = 1;
                config.message_buffers = buffers;
                config.adaptive = rule;
                config.load = 0.5;
                config.broadcast_fraction = 0.0;
                deadlocks += compare_to_the_end(&config, 1000);
                cn_topology_free(&torus);
            }
    assert_true(deadlocks >= 4);
}

/* ---- one message ---- */

static cn_scenario *empty_network(const cn_topology *t, const char *routing, double flits,
                                  double buffers)
{
    cn_scenario *scenario = NULL;
    assert_ok(cn_scenario_new(t, "cut-through", &scenario));
    if (routing != NULL)
        assert_ok(cn_scenario_set_routing_name(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, flits));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_BUFFERS, buffers));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    return scenario;
}

/* M + hops cycles between all pairs, for lengths of one flit up to many more than there are
 * hops. */
static void alone_it_takes_flits_and_hops(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {1, 2, 3, 7, 32, 1000, 1025, 100000};
    for (int kind = 0; kind < ALL; kind++) {
        cn_topology *t = any_network(kind);
        uint64_t nodes = cn_topology_node_count(t);
        cn_scenario *scenario = empty_network(t, NULL, 5, kind % 2);
        cn_sim *sim = NULL;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        for (uint64_t pair = 0; pair < nodes * nodes; pair++) {
            uint64_t flits = lengths[pair % 8], from = pair / nodes, to = pair % nodes, hops = 0;
            cn_delivery delivery;
            if (from == to)
                continue;
            assert_ok(cn_sim_inject(sim, from, to, flits, pair));
            assert_ok(cn_sim_step_until(sim, CN_NEVER / 4, NULL));
            assert_ok(cn_sim_next_delivery(sim, &delivery, sizeof delivery));
            assert_ok(cn_topology_distance(t, from, to, NULL, &hops));
            assert_int_equal(delivery.tag, pair);
            assert_int_equal(delivery.flits, flits);
            assert_true(delivery.hops >= hops);
            assert_int_equal(delivery.delivered - delivery.injected, flits + delivery.hops);
            assert_int_equal(cn_sim_in_flight(sim), 0);
        }
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
        cn_topology_free(&t);
    }
}

/* On shortest ways those are the distances. */
static void alone_on_shortest_ways(void **state)
{
    (void)state;
    cn_topology *cube = NULL;
    cn_sim *sim = NULL;
    assert_ok(cn_topology_hypercube(8, &cube));
    cn_scenario *scenario = empty_network(cube, "duato", 32, 2);
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    for (uint64_t to = 1; to < 256; to++) {
        cn_delivery delivery;
        uint64_t hops = 0;
        assert_ok(cn_sim_inject(sim, 0, to, 0, to));
        assert_ok(cn_sim_step_until(sim, CN_NEVER / 4, NULL));
        assert_ok(cn_sim_next_delivery(sim, &delivery, sizeof delivery));
        assert_ok(cn_topology_distance(cube, 0, to, NULL, &hops));
        assert_int_equal(delivery.delivered - delivery.injected, 32 + hops);
    }
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

/* ---- many ---- */

static double mean_delay_of(const cn_topology *t, double buffers, double selection, double threads,
                            cn_result **result)
{
    cn_scenario *scenario = empty_network(t, NULL, 16, buffers);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.04));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, selection));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 3));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
    assert_ok(cn_simulate(scenario, NULL, result));
    cn_scenario_free(&scenario);
    return value_of(*result, CN_METRIC_MEAN_DELAY);
}

/* Room for more messages than ever come is room without limit; any number of threads gives the same
 * bits. */
static void unlimited_room_and_threads(void **state)
{
    (void)state;
    cn_topology *cube = NULL;
    cn_result *results[4] = {NULL};
    assert_ok(cn_topology_hypercube(5, &cube));
    double one = mean_delay_of(cube, 1, CN_SELECTION_RANDOM, 1, &results[0]);
    double all = mean_delay_of(cube, 0, CN_SELECTION_LEAST_LOADED, 1, &results[1]);
    mean_delay_of(cube, 1048576, CN_SELECTION_LEAST_LOADED, 1, &results[2]);
    mean_delay_of(cube, 0, CN_SELECTION_LEAST_LOADED, 3, &results[3]);
    assert_true(all < one);
    assert_same_result(results[1], results[2]);
    assert_same_result(results[1], results[3]);
    for (int i = 0; i < 4; i++)
        cn_result_free(&results[i]);
    cn_topology_free(&cube);
}

/* The same steps in one call, cycle by cycle, and from event to event. */
static void steps_may_be_cut_anyhow(void **state)
{
    (void)state;
    cn_topology *torus = NULL;
    uint64_t counters[3][CNI_COUNTERS];
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &torus));
    cn_scenario *scenario = empty_network(torus, NULL, 100, 2);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.0004));
    for (int i = 0; i < 3; i++) {
        cn_sim *sim = NULL;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        while (cn_sim_cycle(sim) < 20000) {
            uint64_t next = cn_sim_next_event(sim) - cn_sim_cycle(sim),
                     left = 20000 - cn_sim_cycle(sim);
            assert_ok(cn_sim_step(sim,
                                  i == 0        ? 20000
                                  : i == 1      ? 1
                                  : next < left ? next
                                                : left,
                                  NULL));
        }
        sim->kernel->count(sim->state, counters[i]);
        cn_sim_close(&sim);
    }
    assert_true(counters[0][CNI_COUNT_DELIVERED] > 50);
    assert_memory_equal(counters[0], counters[1], sizeof counters[0]);
    assert_memory_equal(counters[0], counters[2], sizeof counters[0]);
    cn_scenario_free(&scenario);
    cn_topology_free(&torus);
}

/* As many cycles as the variable says, near saturation: above the load at which the queues grow, so
 * that all buffers are full. */
static void no_deadlock_near_saturation(void **state)
{
    (void)state;
    const char *asked = getenv("CUBENET_LONG_CYCLES");
    uint64_t cycles = asked == NULL ? 20000 : strtoull(asked, NULL, 10), words = 17;
    for (int kind = 0; kind < 2 * ALL; kind++) {
        cn_topology *t = kind < ALL ? digit_network(kind) : any_network(kind - ALL);
        cn_scenario *scenario = empty_network(t, NULL, 6, 1 + kind % 2);
        cn_sim *sim = NULL;
        uint64_t totals[CNI_COUNTERS];
        double mean = 1.0;
        assert_ok(cn_topology_mean_distance(t, NULL, &mean));
        words += 1;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD,
                                  0.8 * cn_topology_max_degree(t) / (6 * mean) / (kind % 3 + 1)));
        assert_ok(cn_scenario_set_seed(scenario, words));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        for (uint64_t c = 0; c < cycles; c += 1000) {
            assert_ok(cn_sim_step(sim, 1000, NULL));
            sim->kernel->count(sim->state, totals);
            assert_int_equal(sim->kernel->in_flight(sim->state),
                             totals[CNI_COUNT_ACCEPTED] - totals[CNI_COUNT_DELIVERED]);
            if (totals[CNI_COUNT_ACCEPTED] - totals[CNI_COUNT_DELIVERED] > 100000) {
                cn_sim_close(&sim);
                assert_ok(cn_scenario_set_seed(scenario, ++words));
                assert_ok(cn_sim_open(scenario, NULL, &sim));
            }
        }
        assert_true(totals[CNI_COUNT_DELIVERED] > 0);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
        cn_topology_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_with_digits),
        cmocka_unit_test(networks_of_all_kinds),
        cmocka_unit_test(lengths_places_and_servers),
        cmocka_unit_test(many_virtual_channels),
        cmocka_unit_test(damaged_networks),
        cmocka_unit_test(traffic_of_the_scenario),
        cmocka_unit_test(deadlocks_where_they_are),
        cmocka_unit_test(alone_it_takes_flits_and_hops),
        cmocka_unit_test(alone_on_shortest_ways),
        cmocka_unit_test(unlimited_room_and_threads),
        cmocka_unit_test(steps_may_be_cut_anyhow),
        cmocka_unit_test(no_deadlock_near_saturation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The wormhole kernel against the plain simulator: the same counters at the end of every cycle. */
#include "support/support.h"
#include "support/wormhole_rules.h"

#include <string.h>

#include "simulation/run/sim.h"
#include "simulation/wormhole/wormhole.h"
#include "simulation/wormhole_compare.h"

static const plain_config usual = {.virtual_channels = 2,
                                   .message_flits = 8,
                                   .flit_buffers = 2,
                                   .injection_servers = 1,
                                   .adaptive = 1,
                                   .seed = 7};

static void cubes_under_duatos_rule(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 5; n++)
        for (uint32_t v = 2; v <= 4; v++) {
            plain_config config = usual;
            cn_topology *cube = NULL;
            assert_ok(cn_topology_hypercube(n, &cube));
            config.topology = cube;
            config.virtual_channels = v;
            config.selection = (cn_selection)((n + v) % 3);
            config.broadcast_fraction = v == 3 ? 0.0 : 0.05;
            config.base = (cn_broadcast_base)(n % 3);
            compare_loads(config, 250);
            cn_topology_free(&cube);
        }
}

static void lengths_buffers_and_servers(void **state)
{
    (void)state;
    cn_topology *cube = NULL;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (uint32_t flits = 1; flits <= 12; flits += flits < 4 ? 1 : 4)
        for (uint32_t buffers = 1; buffers <= 5; buffers += buffers < 3 ? 1 : 2)
            for (uint32_t servers = 1; servers <= 3; servers += 2) {
                plain_config config = usual;
                config.topology = cube;
                config.message_flits = flits;
                config.flit_buffers = buffers;
                config.injection_servers = servers;
                config.selection = (cn_selection)((flits + buffers + servers) % 3);
                config.broadcast_fraction = 0.1;
                config.base = (cn_broadcast_base)((flits + servers) % 3);
                config.seed = flits * 100 + buffers * 10 + servers;
                compare_loads(config, 150);
            }
    cn_topology_free(&cube);
}

static void dimension_order_one_port_and_startup(void **state)
{
    (void)state;
    cn_topology *cube = NULL;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (uint32_t v = 1; v <= 3; v++)
        for (int variant = 0; variant < 4; variant++) {
            plain_config config = usual;
            config.topology = cube;
            config.virtual_channels = v;
            config.adaptive = 0;
            config.one_port = variant & 1;
            config.startup = (variant & 2) != 0 ? 5 : 0;
            config.broadcast_fraction = 0.1;
            compare_loads(config, 200);
            config.adaptive = v > 1;
            compare_loads(config, 200);
        }
    cn_topology_free(&cube);
}

enum { NETWORKS = 7, CUBE = 6, LARGER = 7, ALL = 10 };

static void rings_tori_and_meshes(void **state)
{
    (void)state;
    for (int kind = 0; kind < CUBE; kind++) {
        cn_topology *topology = digit_network(kind);
        for (uint32_t v = 3; v <= 4; v++) {
            plain_config config = usual;
            config.topology = topology;
            config.virtual_channels = v;
            config.selection = (cn_selection)((kind + (int)v) % 3);
            compare_loads(config, 200);
            config.adaptive = 0;
            config.virtual_channels = v - 1;
            compare_loads(config, 200);
        }
        cn_topology_free(&topology);
    }
}

/* Node numbers of more than one part, and nodes with more virtual channels than a word has bits. */
static void larger_networks_and_many_virtual_channels(void **state)
{
    (void)state;
    static const uint32_t virtual_channels[] = {4, 9, 20, 64};
    for (int kind = LARGER; kind < ALL; kind++) {
        cn_topology *topology = digit_network(kind);
        for (uint32_t i = 0; i < 4; i++) {
            plain_config config = usual;
            config.topology = topology;
            config.virtual_channels = virtual_channels[i];
            config.adaptive = (int)i % 2;
            config.selection = (cn_selection)((kind + (int)i) % 3);
            config.seed += i;
            compare_loads(config, i == 0 ? 200 : 60);
            config.adaptive = 1 - config.adaptive;
            compare_loads(config, i == 0 ? 200 : 60);
        }
        cn_topology_free(&topology);
    }
}

/* Tori with one virtual channel and two, far above what they carry. */
static void without_protection(cn_topology *topology)
{
    for (int rule = WORMHOLE_ORDER_UNSAFE; rule <= WORMHOLE_DUATO_UNSAFE; rule++)
        for (uint32_t v = 1; v <= 2; v++) {
            plain_config config = usual;
            config.topology = topology;
            config.virtual_channels = v;
            config.adaptive = rule;
            config.load = 0.5;
            compare_to_the_end(&config, 3000);
        }
    cn_topology_free(&topology);
}

static void rules_without_protection(void **state)
{
    (void)state;
    without_protection(digit_network(5));
    without_protection(digit_network(8));
}

/* What both simulators let a header take is what wormhole_route() says. */
static void candidates_are_those_of_the_rule(void **state)
{
    (void)state;
    for (int kind = 0; kind < NETWORKS; kind++)
        for (int rule = 0; rule < 4; rule++) {
            cn_topology *topology = digit_network(kind);
            plain_config config = usual;
            config.topology = topology;
            config.virtual_channels = 4;
            config.adaptive = rule;
            plain_wormhole *plain = plain_open(&config);
            uint64_t nodes = cn_topology_node_count(topology), sets[16], escapes, escape;
            assert_ok(wormhole_escape(topology, (wormhole_rule)rule, 4, &escapes));
            for (uint64_t pair = 0; pair < nodes * nodes; pair++) {
                uint64_t node = pair / nodes, to = pair % nodes;
                size_t ports;
                assert_ok(
                    wormhole_route(topology, (wormhole_rule)rule, 4, node, to, sets, 16, &ports));
                for (uint64_t p = 0; p < ports && node != to; p++) {
                    assert_int_equal(plain_candidates(plain, node, p, to, &escape), sets[p]);
                    assert_int_equal(escape, sets[p] & escapes);
                }
            }
            plain_close(plain);
            cn_topology_free(&topology);
        }
}

static void traffic_of_the_scenario(void **state)
{
    (void)state;
    compare_traffics(usual);
}

/* As after a snapshot that somebody made up: there is room for one hop alone. */
static void no_worm_goes_further_than_its_place(void **state)
{
    (void)state;
    cn_scenario *scenario = cube_scenario("wormhole", 5, 0.0);
    cn_sim *sim = NULL;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    ((cni_wormhole *)sim->state)->stride = 1;
    assert_ok(cn_sim_inject(sim, 0, 1, 0, 0));
    assert_ok(cn_sim_step(sim, 100, NULL));
    assert_ok(cn_sim_inject(sim, 0, 31, 0, 0));
    assert_int_equal(cn_sim_step(sim, 100, NULL), CN_ERR_INTERNAL);
    assert_non_null(strstr(cn_last_error(), "too far"));
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_worm_goes_further_than_its_place),
        cmocka_unit_test(cubes_under_duatos_rule),
        cmocka_unit_test(lengths_buffers_and_servers),
        cmocka_unit_test(dimension_order_one_port_and_startup),
        cmocka_unit_test(rings_tori_and_meshes),
        cmocka_unit_test(larger_networks_and_many_virtual_channels),
        cmocka_unit_test(rules_without_protection),
        cmocka_unit_test(candidates_are_those_of_the_rule),
        cmocka_unit_test(traffic_of_the_scenario),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

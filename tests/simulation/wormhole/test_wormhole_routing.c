/* Worms by any routing on any network, damaged or not: as the plain simulator has it cycle by
 * cycle, own rules like the built-in ones, no deadlock, and a sentence for what is refused. */
#include "simulation/wormhole_compare.h"

#include <string.h>

#include "cubenet/experimental/damage.h"
#include "cubenet/experimental/hosts.h"
#include "routing/damage.h"
#include "routing/networks.h"
#include "simulation/run/sim.h"
#include "simulation/wormhole/wormhole.h"
#include "support/wormhole_rules.h"

static const plain_config usual = {.message_flits = 8,
                                   .flit_buffers = 2,
                                   .injection_servers = 1,
                                   .adaptive = 1,
                                   .broadcast_fraction = 0.03,
                                   .seed = 7};

enum { NETWORKS = 10 };

/* ---- as the plain simulator ---- */

static void built_in_routings_on_many_networks(void **state)
{
    (void)state;
    static const char *const names[] = {"up-down-adaptive", "up-down", "valiant"};
    for (int kind = 0; kind < NETWORKS; kind++) {
        plain_config config = usual;
        cn_topology *topology = any_network(kind);
        config.topology = topology;
        config.flit_buffers = 1 + (uint32_t)kind % 3;
        config.injection_servers = 1 + (uint32_t)kind % 2;
        for (int i = 0; i < 3; i++) {
            config.selection = (cn_selection)((kind + i) % 3);
            compare_routing(config, names[i], NULL, 150);
            if (kind == 2 || kind == 4)
                compare_routing(config, "negative-first", NULL, 200);
        }
        if (kind == 2 || kind == 4 || kind == 5) {
            compare_routing(config, "duato", NULL, 200);
            compare_routing(config, "dimension-order", NULL, 200);
        }
        cn_topology_free(&topology);
    }
}

/* Worms and whole messages between hosts; on the one-way network no routing is free of deadlock. */
static void hosts(void **state)
{
    (void)state;
    static const char *const names[] = {"up-down-adaptive", "up-down", "valiant", "minimal"};
    for (uint32_t kind = 0; kind < 3; kind++)
        for (uint32_t i = 0; i < (kind < 2 ? 4 : 3); i++) {
            plain_config config = usual;
            cn_topology *topology = network_with_hosts(kind);
            config.topology = topology;
            config.broadcast_fraction = 0.0;
            config.flit_buffers = 1 + kind;
            config.selection = (cn_selection)((kind + i) % 3);
            compare_routing(config, names[i], NULL, 150);
            config.message_buffers = 1 + i;
            compare_routing(config, names[i], NULL, 150);
            cn_topology_free(&topology);
        }
}

/* Hosts and relays: every routing that the base has, worms and whole messages by turns. */
static void composed_networks(void **state)
{
    (void)state;
    static const char *const names[] = {"up-down-adaptive", "duato",          "valiant",
                                        "dimension-order",  "negative-first", "up-down"};
    cn_topology *base = NULL, *topology;
    const unsigned step = is_sanitized() ? 3 : 1; /* which takes ten times as long */
    unsigned runs = 0;
    for (unsigned kind = 0; (topology = network_composed(kind, &base)) != NULL; kind++) {
        for (unsigned i = kind % step; i < 6; i += step) {
            plain_config config = usual;
            cn_routing *routing = NULL;
            if (cn_routing_new(topology, names[i], NULL, NULL, &routing) != CN_OK)
                continue;
            cn_routing_free(&routing);
            config.topology = topology;
            config.broadcast_fraction = 0.0;
            config.flit_buffers = 1 + kind % 3;
            config.injection_servers = 1 + kind % 2;
            config.selection = (cn_selection)((kind + i) % 3);
            config.message_buffers = (kind + i) % 2 == 0 ? 0 : 1 + i % 3;
            compare_routing(config, names[i], NULL, 100);
            runs++;
        }
        cn_topology_free(&topology);
        cn_topology_free(&base);
    }
    assert_true(runs > 60 / step - 5);
}

/* With a broken link and a router that fails, where what is left holds together. */
static void damaged_composed_networks(void **state)
{
    (void)state;
    static const char *const names[] = {"up-down-adaptive", "up-down", "valiant"};
    cn_topology *base = NULL, *topology;
    unsigned runs = 0;
    for (unsigned kind = 0; (topology = network_composed(kind, &base)) != NULL; kind++) {
        cn_faults *faults = NULL, *carried = NULL;
        cn_routing *routing = NULL;
        assert_ok(cn_faults_new(base, &faults));
        assert_ok(cn_faults_add_link(faults, 0, 0));
        if (kind % 2 == 0)
            assert_ok(cn_faults_add_node(faults, 3));
        assert_ok(cn_faults_carry(faults, topology, &carried));
        if (cn_routing_new(topology, names[kind % 3], carried, NULL, &routing) == CN_OK) {
            plain_config config = usual;
            config.topology = topology;
            config.broadcast_fraction = 0.0;
            config.message_buffers = kind % 2;
            compare_routing(config, names[kind % 3], carried, 100);
            runs++;
        }
        cn_routing_free(&routing);
        cn_faults_free(&faults);
        cn_faults_free(&carried);
        cn_topology_free(&topology);
        cn_topology_free(&base);
    }
    assert_true(runs > 5);
}

/* Detours round a fault are longer than the diameter of the undamaged network, and worms are as
 * long as they are. */
static void detours_in_a_damaged_composed_network(void **state)
{
    (void)state;
    cn_topology *ring = NULL, *topology = NULL;
    cn_faults *faults = NULL, *carried = NULL;
    cn_routing *routing = NULL;
    uint64_t longest = 0;
    plain_config config = usual;
    assert_ok(cn_topology_ring(9, 1, &ring));
    assert_ok(cn_topology_with_hosts(ring, 1, &topology));
    assert_ok(cn_faults_new(ring, &faults));
    assert_ok(cn_faults_add_link(faults, 0, 0));
    assert_ok(cn_faults_carry(faults, topology, &carried));
    assert_ok(cn_routing_new(topology, "minimal", carried, NULL, &routing));
    assert_ok(cn_routing_longest_walk(routing, NULL, &longest));
    assert_int_equal(longest, 8 + 2);
    config.topology = topology;
    config.broadcast_fraction = 0.0;
    config.message_flits = 40;
    compare_routing(config, "minimal", carried, 300);
    cn_routing_free(&routing);
    cn_faults_free(&faults);
    cn_faults_free(&carried);
    cn_topology_free(&topology);
    cn_topology_free(&ring);
}

/* Escapes over several ports at nodes with more virtual channels than a word has bits. */
static void many_virtual_channels(void **state)
{
    (void)state;
    static const char *const names[] = {"up-down", "valiant", "negative-first"};
    cn_topology *mesh = any_network(2), *random = any_network(8);
    for (int i = 0; i < 9; i++) {
        plain_config config = usual;
        cn_routing *routing = NULL;
        config.topology = i % 3 == 2 ? mesh : random;
        assert_ok(cn_routing_new(config.topology, names[i % 3], NULL, NULL, &routing));
        config.routing = routing;
        config.virtual_channels = i < 3 ? 64 : 20;
        config.selection = (cn_selection)(i / 3);
        config.message_buffers = i % 2 == 0 ? 0 : 2;
        compare_loads(config, 60);
        cn_routing_free(&routing);
    }
    cn_topology_free(&mesh);
    cn_topology_free(&random);
}

/* 3 classes of 1200^2 pairs: what headers may take is found from the stored ports. */
static void networks_too_large_for_numbered_entries(void **state)
{
    (void)state;
    static const uint64_t sides[] = {40, 30};
    plain_config config = usual;
    cn_topology *topology = NULL;
    assert_ok(cn_topology_torus(sides, 2, &topology));
    config.topology = topology;
    compare_routing(config, "up-down-adaptive", NULL, 40);
    cn_topology_free(&topology);
}

static void damaged_networks(void **state)
{
    (void)state;
    static const char *const names[] = {"up-down-adaptive", "up-down", "valiant"};
    for (int kind = 4; kind < NETWORKS; kind++) {
        plain_config config = usual;
        cn_topology *topology = kind == 6 ? NULL : any_network(kind); /* and the 5 x 5 torus */
        cn_faults *faults = NULL;
        uint64_t pairs = 0, survivors;
        if (topology == NULL)
            assert_ok(cn_topology_kary_ncube(5, 2, 1, &topology));
        config.topology = topology;
        config.one_port = kind % 2;
        assert_ok(cn_faults_new(topology, &faults));
        assert_ok(cn_faults_add_node(faults, 3));
        assert_ok(cn_faults_add_link(faults, 1, 0));
        survivors = cn_topology_node_count(topology) - 1;
        assert_ok(cn_faults_reachable_pairs(faults, NULL, &pairs));
        for (int i = 0; i < 3 && pairs == survivors * (survivors - 1); i++) {
            config.selection = (cn_selection)((kind + i) % 3);
            compare_routing(config, names[i], faults, 200);
        }
        assert_true(kind > 6 || pairs == survivors * (survivors - 1));
        cn_faults_free(&faults);
        cn_topology_free(&topology);
    }
}

/* Along the edges of a tree in a cube, whose walks are longer than the distances. */
static void along_a_tree(void **state)
{
    (void)state;
    plain_config config = usual;
    cn_topology *cube = NULL;
    cn_tree *tree = NULL;
    cn_routing *routing = NULL;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_tree_balanced(cube, 5, &tree));
    assert_ok(cn_routing_tree(tree, &routing));
    config.topology = cube;
    config.routing = routing;
    config.virtual_channels = 2;
    compare_loads(config, 300);
    cn_routing_free(&routing);
    cn_tree_free(&tree);
    cn_topology_free(&cube);
}

/* ---- long walks ---- */

static cn_topology *line(uint64_t nodes)
{
    uint64_t edges[2 * 200];
    cn_topology *t = NULL;
    for (uint64_t i = 0; i + 1 < nodes; i++) {
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    assert_ok(cn_topology_from_edges(nodes, edges, nodes - 1, NULL, &t));
    return t;
}

/* Worms that hold more channels than a word has bits, in buffers of all kinds: two words and, on
 * the ring of 300, three; and many of one word, on the ring of 100. */
static void long_walks(void **state)
{
    (void)state;
    static const char *const names[] = {"up-down-adaptive", "dimension-order", "duato", "duato"};
    static const uint64_t rings[] = {0, 140, 300, 100};
    for (uint32_t kind = 0; kind < 4; kind++) {
        cn_topology *t = NULL;
        plain_config config = usual;
        if (kind == 0)
            t = line(100);
        else
            assert_ok(cn_topology_ring(rings[kind], 1, &t));
        config.topology = t;
        config.broadcast_fraction = 0.0;
        config.message_flits = 160;
        config.flit_buffers = kind % 3 + 1;
        compare_routing(config, names[kind], NULL, 900);
        cn_topology_free(&t);
    }
}

/* The default routing of a damaged torus that is large: its walks are longer than the diameter. */
static void large_damaged_torus(void **state)
{
    (void)state;
    cn_topology *torus = NULL;
    cn_faults *faults = NULL;
    cn_routing *routing = NULL;
    uint64_t hops = 0;
    plain_config config = usual;
    assert_ok(cn_topology_kary_ncube(32, 2, 1, &torus));
    assert_ok(cn_faults_new(torus, &faults));
    assert_ok(cn_faults_add_node(faults, 100));
    assert_ok(cn_faults_add_link(faults, 500, 1));
    assert_ok(cn_routing_new(torus, "up-down-adaptive", faults, NULL, &routing));
    assert_ok(cn_routing_longest_walk(routing, NULL, &hops));
    assert_true(hops > 64);
    config.topology = torus;
    config.routing = routing;
    config.faults = faults;
    config.virtual_channels = 2;
    config.broadcast_fraction = 0.0;
    config.load = 0.004;
    compare(&config, 300);
    cn_routing_free(&routing);
    cn_faults_free(&faults);
    cn_topology_free(&torus);
}

/* ---- own rules ---- */

/* A rule that asks another routing, or leaves some of its channels out. */
typedef struct teller {
    const cn_topology *t;
    const cn_routing *r;
    uint32_t virtual_channels;
} teller;

static cn_status tell_part(teller *it, int escapes_only, uint64_t node, uint64_t destination,
                           uint64_t previous, uint32_t port, uint32_t virtual_channel,
                           uint64_t channels[])
{
    cni_entry room;
    uint32_t class = 0;
    if (port != CN_NO_PORT)
        class = cni_routing_after(it->r, 0, destination, previous, port, virtual_channel);
    cni_lanes_to_sets(cni_routing_next(it->r, node, class, destination, &room),
                      it->virtual_channels, escapes_only, channels);
    return CN_OK;
}

static cn_status tell(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                      uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    return tell_part(user, CNI_ALL_LANES, node, destination, previous, port, virtual_channel,
                     channels);
}

static cn_status tell_escape(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                             uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    return tell_part(user, CNI_ESCAPES_ONLY, node, destination, previous, port, virtual_channel,
                     channels);
}

static void same_bits(const cn_topology *t, const char *name, uint32_t more, int names_escapes)
{
    cn_routing *built_in = NULL, *own = NULL;
    teller it = {.t = t};
    cn_sim *sims[2] = {NULL};
    assert_ok(cn_routing_new(t, name, NULL, NULL, &built_in));
    it.r = built_in;
    it.virtual_channels = built_in->least + more;
    assert_ok(cn_routing_own(t, it.virtual_channels, tell, names_escapes ? tell_escape : NULL, &it,
                             NULL, &own));
    for (int i = 0; i < 2; i++) {
        cn_scenario *scenario = NULL;
        assert_ok(cn_scenario_new(t, "wormhole", &scenario));
        if (i == 0)
            assert_ok(cn_scenario_set_routing_name(scenario, name));
        else
            assert_ok(cn_scenario_set_routing(scenario, own));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, it.virtual_channels));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.02));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 12));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 0.02));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
        assert_ok(cn_sim_open(scenario, NULL, &sims[i]));
        cn_scenario_free(&scenario);
    }
    cn_routing_free(&own); /* the simulations hold it */
    for (int c = 0; c < 300; c++) {
        uint64_t counters[2][CNI_COUNTERS];
        for (int i = 0; i < 2; i++) {
            assert_ok(cn_sim_step(sims[i], 10, NULL));
            sims[i]->kernel->count(sims[i]->state, counters[i]);
        }
        assert_memory_equal(counters[0], counters[1], sizeof counters[0]);
        assert_true(c < 200 || counters[0][CNI_COUNT_DELIVERED] > 0);
    }
    cn_sim_close(&sims[0]);
    cn_sim_close(&sims[1]);
    cn_routing_free(&built_in);
}

/* In the Boolean cube that is the general form against the one of the kernel, elsewhere tables
 * against closed forms. */
static void own_rules_are_the_built_in_ones(void **state)
{
    (void)state;
    static const uint64_t radices[] = {4, 2, 3};
    for (int kind = 0; kind < 6; kind++) {
        cn_topology *t = NULL;
        assert_ok(kind == 0   ? cn_topology_hypercube(4, &t)
                  : kind == 1 ? cn_topology_kary_ncube(5, 2, 1, &t)
                  : kind == 2 ? cn_topology_kary_ncube(4, 2, 0, &t)
                  : kind == 3 ? cn_topology_torus(radices, 3, &t)
                  : kind == 4 ? cn_topology_mesh(radices, 3, &t)
                              : cn_topology_psnn(4, &t));
        for (uint32_t more = 0; more < 2; more++) {
            same_bits(t, kind < 5 ? "dimension-order" : "up-down", more, 0);
            same_bits(t, kind < 5 ? "duato" : "up-down-adaptive", more, 1);
        }
        cn_topology_free(&t);
    }
}

/* ---- one-way networks ---- */

/* Round the ring that network_one_way() has, in the second virtual channel from where it comes
 * round on; before it has begun to do that, a message may also take the third one of any channel
 * that brings it closer. */
static cn_status tell_round(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                            uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const cn_topology *t = user;
    uint64_t next = (node + 1) % cn_topology_node_count(t), here = 0;
    int goes_round = port != CN_NO_PORT && virtual_channel < 2;
    (void)previous;
    assert_ok(cn_topology_distance(t, node, destination, NULL, &here));
    for (uint32_t p = 0; p < cni_degree(t, node); p++) {
        uint64_t to = 0, left = 0;
        assert_ok(cn_topology_neighbor(t, node, p, &to));
        assert_ok(cn_topology_distance(t, to, destination, NULL, &left));
        channels[p] = to == next ? (node < destination ? 2 : 1) : 0;
        channels[p] |= !goes_round && left < here ? 4 : 0;
    }
    return CN_OK;
}

static cn_status tell_round_escape(void *user, uint64_t node, uint64_t destination,
                                   uint64_t previous, uint32_t port, uint32_t virtual_channel,
                                   uint64_t channels[])
{
    cn_status status =
        tell_round(user, node, destination, previous, port, virtual_channel, channels);
    for (uint32_t p = 0; p < cni_degree(user, node); p++)
        channels[p] &= 3;
    return status;
}

/* By an own rule that the checker proves, and by all shortest ways, which may deadlock, at light
 * load. */
static void one_way_networks(void **state)
{
    (void)state;
    uint64_t words = 29;
    for (uint32_t i = 0; i < 4; i++) {
        cn_topology *t = network_one_way(8 + 2 * i, 6 + i, &words);
        cn_routing *own = NULL, *minimal = NULL;
        plain_config config = usual;
        assert_int_equal(cn_topology_is_bidirectional(t), 0);
        config.topology = t;
        config.flit_buffers = 1 + i % 3;
        config.injection_servers = 1 + i % 2;
        config.selection = (cn_selection)(i % 3);
        assert_ok(cn_routing_own(t, 3, tell_round, tell_round_escape, t, NULL, &own));
        config.routing = own;
        config.virtual_channels = 3;
        compare_loads(config, 400);
        assert_ok(cn_routing_new(t, "minimal", NULL, NULL, &minimal));
        config.routing = minimal;
        config.adaptive = WORMHOLE_DUATO_UNSAFE;
        config.virtual_channels = 4;
        config.load = 0.01;
        compare(&config, 400);
        cn_routing_free(&own);
        cn_routing_free(&minimal);
        cn_topology_free(&t);
    }
}

/* Replications go by one routing, named or attached, on any number of threads. */
static void replications_share_a_routing(void **state)
{
    (void)state;
    cn_topology *t = network_random(20, 12, &(uint64_t){5});
    cn_routing *routing = NULL;
    cn_scenario *scenario = NULL;
    cn_result *results[3] = {NULL};
    assert_ok(cn_routing_new(t, "valiant", NULL, NULL, &routing));
    assert_ok(cn_scenario_new(t, "wormhole", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.005));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 3000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 4));
    for (int i = 0; i < 3; i++) {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, 1 + i));
        if (i < 2)
            assert_ok(cn_scenario_set_routing_name(scenario, "valiant"));
        else
            assert_ok(cn_scenario_set_routing(scenario, routing));
        assert_ok(cn_simulate(scenario, NULL, &results[i]));
        assert_same_result(results[0], results[i]);
    }
    assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
    cn_result *none = NULL;
    assert_fails(cn_simulate(scenario, NULL, &none), CN_ERR_UNSUPPORTED,
                 "is not a (generalized) hypercube");
    assert_null(none);
    for (int i = 0; i < 3; i++)
        cn_result_free(&results[i]);
    cn_scenario_free(&scenario);
    cn_routing_free(&routing);
    cn_topology_free(&t);
}

/* Room for the hops of a worm is known in closed form for two legs by dimension order: the longest
 * ways of both legs meet in one middle on networks with several farthest nodes only. */
static void two_legs_of_the_longest_have_room(void **state)
{
    (void)state;
    static const uint64_t square[] = {4, 4}, mixed[] = {6, 2, 3}, even[] = {4, 6}, odd[] = {5, 3};
    cn_topology *networks[5] = {NULL};
    assert_ok(cn_topology_generalized_hypercube_mixed(square, 2, &networks[0]));
    assert_ok(cn_topology_generalized_hypercube_mixed(mixed, 3, &networks[1]));
    assert_ok(cn_topology_torus(even, 2, &networks[2]));
    assert_ok(cn_topology_torus(odd, 2, &networks[3]));
    assert_ok(cn_topology_hypercube(4, &networks[4]));
    for (int i = 0; i < 5; i++) {
        cn_scenario *scenario = NULL;
        cn_result *result = NULL;
        assert_ok(cn_scenario_new(networks[i], "wormhole", &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.01));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 4));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 5000));
        assert_ok(cn_scenario_set_routing_name(scenario, "valiant"));
        assert_ok(cn_simulate(scenario, NULL, &result));
        cn_result_free(&result);
        cn_scenario_free(&scenario);
        cn_topology_free(&networks[i]);
    }
}

/* ---- no deadlock ---- */

/* A million cycles each, at seven tenths of the load at which the first channel would be full; at
 * eight to nine tenths such networks saturate. */
static void long_runs_near_saturation(void **state)
{
    (void)state;
    uint64_t words = 17;
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t nodes = 6 + i;
        cn_topology *t = network_random(nodes, nodes / 2, &words);
        cn_routing *routing = NULL;
        cn_scenario *scenario = NULL;
        cn_sim *sim = NULL;
        double full = 0.0;
        uint64_t counters[CNI_COUNTERS];
        assert_ok(cn_scenario_new(t, "wormhole", &scenario));
        assert_string_equal(cn_scenario_routing_name(scenario), "up-down-adaptive");
        assert_ok(cn_routing_new(t, "up-down-adaptive", NULL, NULL, &routing));
        assert_ok(cn_routing_saturation_load(routing, NULL, NULL, NULL, &full));
        assert_ok(cn_scenario_set_routing(scenario, routing));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 4));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.7 * full / 4.0));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        /* a sanitizer sees in the first of ten parts what it sees in all */
        int parts = is_sanitized() ? 1 : 10;
        for (int part = 0; part < parts; part++) {
            assert_ok(cn_sim_step(sim, 100000, NULL));
            sim->kernel->count(sim->state, counters);
            assert_int_equal(sim->kernel->in_flight(sim->state),
                             counters[CNI_COUNT_ACCEPTED] - counters[CNI_COUNT_DELIVERED]);
        }
        assert_true((double)counters[CNI_COUNT_DELIVERED] > 0.1 * full * nodes * 1e5 * parts / 4.0);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
        cn_routing_free(&routing);
        cn_topology_free(&t);
    }
}

/* All shortest ways of a torus, which may deadlock, as the plain simulator has them until they
 * do. */
static void what_may_deadlock_runs_unsafe(void **state)
{
    (void)state;
    cn_topology *torus = NULL;
    cn_routing *minimal = NULL;
    cn_scenario *scenario;
    cn_sim *sim = NULL;
    plain_config config = usual;
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &torus));
    assert_ok(cn_routing_new(torus, "minimal", NULL, NULL, &minimal));
    config.topology = torus;
    config.routing = minimal;
    config.virtual_channels = 1;
    config.load = 0.1;
    config.broadcast_fraction = 0.0;
    scenario = scenario_of(&config);
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_UNSUPPORTED, "channels ");
    assert_non_null(strstr(cn_last_error(), "->"));
    assert_non_null(strstr(cn_last_error(), "unsafe = yes"));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_UNSAFE, 1));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    plain_wormhole *plain = plain_open(&config);
    cn_status status = CN_OK;
    for (uint64_t c = 0; c < 5000 && status == CN_OK; c++) {
        plain_step(plain);
        status = cn_sim_step(sim, 1, NULL);
        assert_same_counts(sim, plain_read(plain));
        assert_int_equal(plain_is_stuck(plain), status == CN_ERR_DEADLOCK);
    }
    assert_int_equal(status, CN_ERR_DEADLOCK);
    plain_close(plain);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_routing_free(&minimal);
    cn_topology_free(&torus);
}

/* ---- faults ---- */

/* The load is offered by the survivors, and rates are those of channels that work. */
static void metrics_are_of_what_survives(void **state)
{
    (void)state;
    cn_topology *torus = NULL;
    cn_faults *faults = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &torus));
    assert_ok(cn_faults_new(torus, &faults));
    for (uint64_t v = 0; v < 3; v++)
        assert_ok(cn_faults_add_node(faults, v));
    assert_ok(cn_faults_add_link(faults, 10, 1));
    assert_ok(cn_scenario_new(torus, "wormhole", &scenario));
    assert_string_equal(cn_scenario_routing_name(scenario), "duato");
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_string_equal(cn_scenario_routing_name(scenario), "up-down-adaptive");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.01));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 8));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 0.05));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 100000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    assert_ok(cn_simulate(scenario, NULL, &result));
    double offered = value_of(result, CN_METRIC_OFFERED_LOAD);
    assert_near(offered, 0.01, 0.0005);
    assert_near(value_of(result, CN_METRIC_NETWORK_THROUGHPUT),
                13.0 * value_of(result, CN_METRIC_THROUGHPUT), 1e-9);
    /* 4 channels a node but for those of three neighbours in a ring and of one link */
    double channels = 64.0 - (3 * 8 - 2 * 2) - 2.0;
    double rate = value_of(result, CN_METRIC_CHANNEL_MESSAGE_RATE);
    double broadcasts = value_of(result, CN_METRIC_CHANNEL_RATE_BROADCAST) +
                        value_of(result, CN_METRIC_CHANNEL_RATE_REPLICA);
    assert_near(broadcasts * channels, 13.0 * 0.01 * 0.05 * 12.0, 0.1 * broadcasts * channels);
    assert_near(value_of(result, CN_METRIC_CHANNEL_UTILIZATION), 8.0 * rate, 0.01 * 8.0 * rate);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_faults_free(&faults);
    cn_topology_free(&torus);
}

/* A subnet disables node 0 of the 2-cube. A copy for a node without a channel would wait for ever
 * and hold up the queue behind it. */
static void broadcasts_leave_disabled_nodes_out(void **state)
{
    (void)state;
    static const char *const systems[] = {"wormhole", "cut-through"};
    for (size_t i = 0; i < 2; i++) {
        cn_topology *t;
        cn_faults *faults;
        cn_scenario *scenario;
        cn_sim *sim, *copy;
        cn_delivery d;
        uint64_t tags = 0;
        assert_ok(cn_topology_hypercube(2, &t));
        assert_ok(cn_faults_new(t, &faults));
        assert_ok(cn_faults_add_link(faults, 0, 0));
        assert_ok(cn_scenario_new(t, systems[i], &scenario));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        assert_ok(cn_scenario_set_routing_name(scenario, "optimal-path"));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_ONE_PORT, 1));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_inject_broadcast(sim, 3, CN_BASE_OF_SCENARIO, 1));
        assert_ok(cn_sim_step(sim, 100, NULL));
        assert_ok(cn_sim_inject(sim, 2, 3, 0, 2));
        assert_ok(cn_sim_step(sim, 1000, NULL));
        assert_ok(cn_sim_copy(sim, NULL, &copy));
        while (cn_sim_next_delivery(sim, &d, sizeof d) == CN_OK)
            tags |= UINT64_C(1) << d.tag;
        assert_int_equal(tags, 6);
        assert_int_equal(cn_sim_in_flight(sim), 0);
        cn_sim_close(&sim);
        cn_sim_close(&copy);
        cn_scenario_free(&scenario);
        cn_faults_free(&faults);
        cn_topology_free(&t);
    }
}

static void traffic_to_the_dead_is_refused(void **state)
{
    (void)state;
    static const uint64_t cycle = 5, from = 6, dead = 3, to = 1;
    cn_topology *cube = NULL;
    cn_faults *faults = NULL;
    cn_traffic *traffic = NULL;
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    damage_open(3, &cube, &faults);
    assert_ok(cn_faults_add_node(faults, 3));
    assert_ok(cn_scenario_new(cube, "wormhole", &scenario));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.01));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_inject(sim, 0, 3, 0, 0), CN_ERR_DISCONNECTED, "destination = 3");
    assert_fails(cn_sim_inject(sim, 3, 0, 0, 0), CN_ERR_DISCONNECTED, "source = 3");
    assert_fails(cn_sim_inject_broadcast(sim, 3, CN_BASE_OF_SCENARIO, 0), CN_ERR_DISCONNECTED,
                 "source = 3");
    cn_sim_close(&sim);
    for (int kind = 0; kind < 5; kind++) {
        assert_ok(kind == 0   ? cn_traffic_new(cube, CN_PATTERN_BIT_COMPLEMENT, &traffic)
                  : kind == 1 ? cn_traffic_trace(cube, &cycle, &from, &dead, NULL, 1, &traffic)
                  : kind == 2 ? cn_traffic_trace(cube, &cycle, &dead, &to, NULL, 1, &traffic)
                  : kind == 3 ? cn_traffic_trace(cube, &cycle, &from, &to, NULL, 1, &traffic)
                              : cn_traffic_new(cube, CN_PATTERN_UNIFORM, &traffic));
        if (kind == 4)
            assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_BERNOULLI));
        assert_ok(cn_scenario_set_traffic(scenario, traffic));
        if (kind < 3) {
            assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_DISCONNECTED,
                         "node 3 does not survive");
        } else {
            assert_ok(cn_sim_open(scenario, NULL, &sim));
            assert_ok(cn_sim_step(sim, 5000, NULL));
        }
        cn_sim_close(&sim);
        cn_traffic_free(&traffic);
    }
    cn_scenario_free(&scenario);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* ---- refusals ---- */

static void refuse(cn_topology *t, const char *name, uint32_t virtual_channels, cn_status status,
                   const char *part)
{
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    assert_ok(cn_scenario_new(t, "wormhole", &scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, name));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, virtual_channels));
    assert_fails(cn_sim_open(scenario, NULL, &sim), status, part);
    assert_null(sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&t);
}

static void what_cannot_run_is_refused(void **state)
{
    (void)state;
    cn_topology *t = NULL;
    cn_scenario *scenario = NULL;
    assert_ok(cn_topology_ring(10000, 1, &t));
    refuse(t, NULL, 3, CN_ERR_UNSUPPORTED, "walks of 5000 hops");
    assert_ok(cn_topology_hypercube(5, &t));
    refuse(t, "valiant", 1, CN_ERR_ARGUMENT, "virtual_channels = 1");
    assert_ok(cn_topology_kary_ncube(32, 2, 1, &t));
    refuse(t, "minimal", 4, CN_ERR_UNSUPPORTED, "too large");
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &t));
    refuse(t, "preferred", 3, CN_ERR_UNSUPPORTED, "the routing preferred may deadlock");
    t = network_one_way(12, 6, &(uint64_t){3});
    refuse(t, NULL, 2, CN_ERR_UNSUPPORTED, "bidirectional links");
    assert_ok(cn_topology_star(100, &t));
    assert_fails(cn_scenario_new(t, "wormhole", &scenario), CN_ERR_UNSUPPORTED, "99 ports");
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(3, &t));
    refuse(t, "two-level", 2, CN_ERR_UNSUPPORTED, "two-level");
}

/* Values that were not set follow what is attached; those that were set stay. */
static void virtual_channels_follow_the_routing(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double least;
    } rows[] = {{"dimension-order", 2}, {"duato", 3}, {"valiant", 4},         {"up-down", 1},
                {"minimal", 1},         {NULL, 3},    {"up-down-adaptive", 2}};
    cn_topology *torus = NULL;
    cn_faults *faults = NULL;
    cn_scenario *scenario = NULL;
    double least, usually, now;
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &torus));
    assert_ok(cn_faults_new(torus, &faults));
    assert_ok(cn_faults_add_node(faults, 3));
    assert_ok(cn_scenario_new(torus, "wormhole", &scenario));
    for (int is_set = 0; is_set < 2; is_set++) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            assert_ok(cn_scenario_set_routing_name(scenario, rows[i].name));
            assert_ok(
                cn_scenario_range(scenario, CN_PARAM_VIRTUAL_CHANNELS, &least, NULL, &usually));
            assert_ok(cn_scenario_get(scenario, CN_PARAM_VIRTUAL_CHANNELS, &now));
            assert_near(least, rows[i].least, 0);
            assert_near(usually, rows[i].least, 0);
            assert_near(now, is_set ? 9 : rows[i].least, 0);
        }
        assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 9));
    }
    assert_ok(cn_scenario_reset(scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, NULL));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_ok(cn_scenario_get(scenario, CN_PARAM_VIRTUAL_CHANNELS, &now));
    assert_near(now, 2, 0);
    cn_scenario_free(&scenario);
    cn_faults_free(&faults);
    cn_topology_free(&torus);
}

/* ---- out of memory ---- */

static cn_status run_damaged(void *context)
{
    static const uint64_t edges[] = {0, 1, 1, 2, 2, 3, 3, 0, 3, 4, 4, 0, 4, 5, 5, 1};
    cn_topology *t = NULL;
    cn_faults *faults = NULL;
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    cn_status status = cn_topology_from_edges(6, edges, 8, NULL, &t);
    if (status == CN_OK)
        status = cn_faults_new(t, &faults);
    if (status == CN_OK)
        status = cn_faults_add_node(faults, 2);
    if (status == CN_OK)
        status = cn_scenario_new(t, "wormhole", &scenario);
    if (status == CN_OK)
        status = cn_scenario_set_faults(scenario, faults);
    if (status == CN_OK)
        status = cn_scenario_set_routing_name(scenario, context);
    if (status == CN_OK) {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.1));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 0.2));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 3));
        status = cn_sim_open(scenario, NULL, &sim);
    }
    if (status == CN_OK)
        status = cn_sim_inject_broadcast(sim, 1, CN_BASE_OF_SCENARIO, 7);
    if (status == CN_OK)
        status = cn_sim_step(sim, 300, NULL);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_faults_free(&faults);
    cn_topology_free(&t);
    return status;
}

static void every_failing_allocation_unwinds(void **state)
{
    (void)state;
    char adaptive[] = "up-down-adaptive", valiant[] = "valiant";
    support_fail_every_allocation(run_damaged, adaptive);
    support_fail_every_allocation(run_damaged, valiant);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_routings_on_many_networks),
        cmocka_unit_test(hosts),
        cmocka_unit_test(composed_networks),
        cmocka_unit_test(damaged_composed_networks),
        cmocka_unit_test(detours_in_a_damaged_composed_network),
        cmocka_unit_test(many_virtual_channels),
        cmocka_unit_test(networks_too_large_for_numbered_entries),
        cmocka_unit_test(damaged_networks),
        cmocka_unit_test(along_a_tree),
        cmocka_unit_test(long_walks),
        cmocka_unit_test(large_damaged_torus),
        cmocka_unit_test(own_rules_are_the_built_in_ones),
        cmocka_unit_test(one_way_networks),
        cmocka_unit_test(replications_share_a_routing),
        cmocka_unit_test(two_legs_of_the_longest_have_room),
        cmocka_unit_test(long_runs_near_saturation),
        cmocka_unit_test(what_may_deadlock_runs_unsafe),
        cmocka_unit_test(metrics_are_of_what_survives),
        cmocka_unit_test(broadcasts_leave_disabled_nodes_out),
        cmocka_unit_test(traffic_to_the_dead_is_refused),
        cmocka_unit_test(what_cannot_run_is_refused),
        cmocka_unit_test(virtual_channels_follow_the_routing),
        cmocka_unit_test(every_failing_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

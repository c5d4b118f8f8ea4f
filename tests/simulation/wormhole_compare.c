#include "simulation/wormhole_compare.h"

#include <string.h>

#include "base/random.h"
#include "routing/networks.h"
#include "simulation/run/sim.h"
#include "simulation/wormhole/wormhole.h"
#include "support/wormhole_rules.h"

cn_topology *digit_network(int kind)
{
    static const uint64_t mixed[] = {4, 2, 3}, two[] = {6, 7}, three[] = {8, 5, 3};
    cn_topology *made = NULL;
    assert_ok(kind == 0   ? cn_topology_kary_ncube(4, 2, 1, &made)
              : kind == 1 ? cn_topology_kary_ncube(3, 2, 0, &made)
              : kind == 2 ? cn_topology_ring(7, 1, &made)
              : kind == 3 ? cn_topology_torus(mixed, 3, &made)
              : kind == 4 ? cn_topology_mesh(mixed, 3, &made)
              : kind == 5 ? cn_topology_kary_ncube(5, 2, 1, &made)
              : kind == 6 ? cn_topology_hypercube(5, &made)
              : kind == 7 ? cn_topology_hypercube(6, &made)
              : kind == 8 ? cn_topology_torus(two, 2, &made)
                          : cn_topology_torus(three, 3, &made));
    return made;
}

cn_topology *any_network(int kind)
{
    static const uint64_t radices[] = {3, 4};
    cn_topology *made = NULL;
    switch (kind) {
    case 0:
        assert_ok(cn_topology_psnn(4, &made));
        break;
    case 1:
        assert_ok(cn_topology_generalized_hypercube_mixed(radices, 2, &made));
        break;
    case 2:
        assert_ok(cn_topology_mesh(radices, 2, &made));
        break;
    case 3:
        assert_ok(cn_topology_de_bruijn(4, &made));
        break;
    case 4:
        assert_ok(cn_topology_hypercube(3, &made));
        break;
    case 5:
        assert_ok(cn_topology_kary_ncube(4, 2, 1, &made));
        break;
    default:
        return network_random(10 + (uint32_t)kind, (uint32_t)kind, &(uint64_t){(uint64_t)kind});
    }
    return made;
}

cn_scenario *scenario_of(const plain_config *config)
{
    cn_scenario *scenario = NULL;
    const struct {
        cn_param param;
        double value;
    } values[] = {{CN_PARAM_LOAD, config->load},
                  {CN_PARAM_VIRTUAL_CHANNELS, config->virtual_channels},
                  {CN_PARAM_MESSAGE_FLITS, config->message_flits},
                  {CN_PARAM_INJECTION_SERVERS, config->injection_servers},
                  {CN_PARAM_STARTUP_LATENCY, config->startup},
                  {CN_PARAM_UNSAFE, config->adaptive >= WORMHOLE_ORDER_UNSAFE},
                  {CN_PARAM_ONE_PORT, config->one_port},
                  {CN_PARAM_BROADCAST_FRACTION, config->broadcast_fraction},
                  {CN_PARAM_STATISTICS, config->seed % 2 == 0},
                  {CN_PARAM_SELECTION, config->selection},
                  {CN_PARAM_BROADCAST_BASE, config->base},
                  {CN_PARAM_WARMUP_CYCLES, 0}};
    int is_whole = config->message_buffers > 0;
    assert_ok(cn_scenario_new(config->topology, is_whole ? "cut-through" : "wormhole", &scenario));
    if (is_whole)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_BUFFERS, config->message_buffers));
    else
        assert_ok(cn_scenario_set(scenario, CN_PARAM_FLIT_BUFFERS, config->flit_buffers));
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_ok(cn_scenario_set(scenario, values[i].param, values[i].value));
    if (config->routing == NULL)
        assert_ok(cn_scenario_set_routing_name(
            scenario, config->adaptive % 2 == WORMHOLE_DUATO ? "duato" : "dimension-order"));
    else if (!config->by_name)
        assert_ok(cn_scenario_set_routing(scenario, config->routing));
    else
        assert_ok(cn_scenario_set_routing_name(scenario, cn_routing_name(config->routing)));
    assert_ok(cn_scenario_set_faults(scenario, config->faults));
    assert_ok(cn_scenario_set_seed(scenario, config->seed));
    assert_ok(cn_scenario_set_traffic(scenario, config->traffic));
    return scenario;
}

void assert_same_counts(const cn_sim *sim, const plain_counts *plain)
{
    uint64_t own[CNI_COUNTERS];
    sim->kernel->count(sim->state, own);
    assert_int_equal(sim->kernel->in_flight(sim->state),
                     own[CNI_COUNT_ACCEPTED] - own[CNI_COUNT_DELIVERED]);
    assert_int_equal(own[CNI_COUNT_CYCLES], plain->cycles);
    assert_int_equal(own[CNI_COUNT_ACCEPTED], plain->accepted[0] + plain->accepted[1]);
    for (int class = 0; class < 3; class ++)
        assert_int_equal(own[CNI_COUNT_WORM_UNICAST_GRANTS + class], plain->grants[class]);
    assert_int_equal(own[CNI_COUNT_WORM_WAITING], plain->waiting);
    assert_int_equal(own[CNI_COUNT_WORM_FLIT_HOPS], plain->flit_hops);
    assert_int_equal(own[CNI_COUNT_WORM_HELD], plain->held);
    assert_int_equal(own[CNI_COUNT_WORM_HELD_SQUARE], plain->held_square);
    assert_int_equal(own[CNI_COUNT_WORM_BUSY], plain->busy);
    assert_int_equal(own[CNI_COUNT_WORM_PRESENT], plain->present);
    assert_int_equal(own[CNI_COUNT_WORM_HOPS], plain->hops);
    assert_int_equal(own[CNI_COUNT_WORM_COPIES], plain->copies);
    assert_int_equal(own[CNI_COUNT_DELIVERED], plain->delivered[0] + plain->delivered[1]);
    assert_int_equal(own[CNI_COUNT_DELAY], plain->delay[0] + plain->delay[1]);
    assert_int_equal(own[CNI_COUNT_WORM_BROADCASTS], plain->delivered[1]);
    assert_int_equal(own[CNI_COUNT_WORM_BROADCAST_DELAY], plain->delay[1]);
    assert_int_equal(own[CNI_COUNT_WORM_BROADCAST_WAIT], plain->unsent);
}

/* Every injected message comes out of both in the same cycle: the arrivals of the plain simulator
 * that have a letter are the deliveries. */
static void assert_same_deliveries(cn_sim *sim, const plain_wormhole *plain, uint64_t nodes,
                                   uint64_t flits)
{
    uint64_t count;
    const plain_arrival *arrivals = plain_arrivals(plain, &count);
    cn_delivery delivery;
    cn_status status;
    while ((status = cn_sim_next_delivery(sim, &delivery, sizeof delivery)) == CN_OK) {
        uint64_t i = 0;
        int broadcast = delivery.destination == CN_ALL_NODES;
        assert_int_equal(delivery.delivered, cn_sim_cycle(sim));
        assert_int_equal(delivery.tag, delivery.source * (nodes + 1) +
                                           (broadcast ? nodes : delivery.destination));
        while (i < count && !(arrivals[i].is_last && arrivals[i].is_copy == broadcast &&
                              arrivals[i].source == delivery.source &&
                              arrivals[i].created == delivery.injected &&
                              (broadcast || arrivals[i].node == delivery.destination)))
            i++;
        assert_true(i < count);
        assert_int_equal(delivery.flits, flits);
        if (!broadcast)
            assert_int_equal(delivery.hops, arrivals[i].hops);
        else
            assert_true(delivery.hops >= 1 && delivery.hops < nodes);
    }
    assert_int_equal(status, CN_DONE);
}

/* The first node from this one on that takes part. */
static uint64_t survivor(const plain_config *config, uint64_t node)
{
    while (!network_is_host(config->topology, node) ||
           (config->routing != NULL && !cni_routing_serves(config->routing, node)))
        node = (node + 1) % cn_topology_node_count(config->topology);
    return node;
}

/* Every other one has a base of its own where there is one. */
static uint32_t base_of_injected(const plain_config *config, uint64_t word)
{
    int is_whole_cube = config->faults == NULL &&
                        strncmp(cn_topology_name(config->topology), "hypercube(", 10) == 0;
    return is_whole_cube && word % 2 == 0
               ? (uint32_t)(word / 2 % cn_topology_max_degree(config->topology))
               : CN_BASE_OF_SCENARIO;
}

static void inject_some(cn_sim *sim, plain_wormhole *plain, const plain_config *config,
                        uint64_t cycle)
{
    uint64_t nodes = cn_topology_node_count(config->topology);
    uint64_t word = cni_random_word(config->seed, cycle);
    uint64_t count = word % 4 == 0 ? word / 4 % 3 : 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t source = (word >> 8) % nodes,
                 destination = (source + 1 + (word >> 40) % (nodes - 1));
        destination = survivor(config, destination % nodes);
        source = survivor(config, source);
        if (source == destination)
            continue;
        if ((word >> 16) % 4 == 0 && config->broadcast_fraction > 0.0) {
            uint32_t base = base_of_injected(config, word >> 20);
            assert_ok(cn_sim_inject_broadcast(sim, source, base, source * (nodes + 1) + nodes));
            plain_inject_broadcast(plain, source, base);
        } else {
            assert_ok(
                cn_sim_inject(sim, source, destination, 0, source * (nodes + 1) + destination));
            plain_inject(plain, source, destination);
        }
        word = cni_random_mix(word);
    }
}

void compare(const plain_config *config, uint64_t cycles)
{
    cn_scenario *scenario = scenario_of(config);
    cn_sim *sim = NULL;
    uint64_t nodes = cn_topology_node_count(config->topology);
    size_t channels = (size_t)nodes * cn_topology_max_degree(config->topology), count;
    plain_wormhole *plain = plain_open(config);
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cni_wormhole *kernel = sim->state;
    if (config->seed % 3 == 0) /* as on processors without PDEP */
        kernel->has_pdep = 0;
    for (uint64_t c = 0; c < cycles; c++) {
        if (config->seed % 2 == 1 &&
            kernel->way == &cni_worms) /* however many channels are shared */
            cni_crowd_set(kernel, c / 40 % 2 == 1);
        inject_some(sim, plain, config, c);
        plain_step(plain);
        assert_ok(cn_sim_step(sim, 1, NULL));
        assert_same_counts(sim, plain_read(plain));
        assert_same_deliveries(sim, plain, nodes, config->message_flits);
    }
    uint64_t *loads = calloc(channels, sizeof *loads);
    assert_ok(cn_sim_channel_loads(sim, loads, channels, &count));
    for (size_t c = 0; c < channels; c++)
        assert_int_equal(loads[c], plain_channel_flits(plain, c));
    free(loads);
    if (config->seed % 2 == 0)
        assert_same_statistics(sim, plain_tally_of(plain), 1);
    plain_close(plain);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

/* Loads from a light one to twice what the channels carry. */
void compare_loads(plain_config config, uint64_t cycles)
{
    double ports = cn_topology_max_degree(config.topology), mean = 1.0;
    assert_ok(cn_topology_mean_distance(config.topology, NULL, &mean));
    double copies =
        config.broadcast_fraction * (double)(cn_topology_node_count(config.topology) - 1);
    double capacity = ports / (config.message_flits * (mean + copies));
    static const double shares[] = {0.2, 0.6, 2.0};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        config.load = shares[i] * capacity;
        config.seed += 1;
        compare(&config, cycles);
    }
}

void compare_routing(plain_config config, const char *name, const cn_faults *faults,
                     uint64_t cycles)
{
    cn_routing *routing = NULL;
    uint32_t least = 0;
    assert_ok(cn_routing_new(config.topology, name, faults, NULL, &routing));
    assert_ok(cn_routing_least_virtual_channels(routing, &least));
    config.routing = routing;
    config.faults = faults;
    for (uint32_t more = 0; more < 2; more++) {
        config.virtual_channels = least + more;
        config.by_name = (int)more;
        config.seed++;
        compare_loads(config, cycles);
    }
    cn_routing_free(&routing);
}

void compare_traffics(plain_config config)
{
    static const uint64_t cycles[] = {0, 0, 3, 3, 3, 40}, sources[] = {5, 2, 7, 7, 1, 0},
                          destinations[] = {2, 5, 0, 1, 7, 15}, flits[] = {9, 1, 30, 2, 5, 7};
    cn_topology *cube = NULL;
    cn_traffic *traffics[3] = {NULL};
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_traffic_new(cube, CN_PATTERN_BIT_REVERSE, &traffics[0]));
    assert_ok(cn_traffic_set_source(traffics[0], CN_SOURCE_BERNOULLI));
    assert_ok(cn_traffic_hotspot(cube, 3, 0.2, &traffics[1]));
    assert_ok(cn_traffic_set_on_off(traffics[1], 20.0, 10.0));
    assert_ok(cn_traffic_trace(cube, cycles, sources, destinations, flits, 6, &traffics[2]));
    for (int t = 0; t < 3; t++) {
        config.topology = cube;
        config.traffic = traffics[t];
        compare_loads(config, 300);
        cn_traffic_free(&traffics[t]);
    }
    cn_topology_free(&cube);
}

int compare_to_the_end(const plain_config *config, uint64_t cycles)
{
    cn_scenario *scenario = scenario_of(config);
    cn_sim *sim = NULL;
    plain_wormhole *plain = plain_open(config);
    cn_status status = CN_OK;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    for (uint64_t c = 0; c < cycles && status == CN_OK; c++) {
        plain_step(plain);
        status = cn_sim_step(sim, 1, NULL);
        assert_same_counts(sim, plain_read(plain));
        assert_int_equal(plain_is_stuck(plain), status == CN_ERR_DEADLOCK);
    }
    if (status == CN_ERR_DEADLOCK) {
        uint64_t channels[400];
        size_t length = 0;
        assert_ok(cn_sim_deadlock(sim, channels, 400, &length));
        assert_true(length >= 2);
    }
    plain_close(plain);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    return status == CN_ERR_DEADLOCK;
}

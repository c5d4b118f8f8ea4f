/* Short messages go a way of their own: the same bytes in all snapshots as by the way of worms, and
 * the same deliveries. */
#include "support/support.h"

#include "cubenet/experimental/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "simulation/run/sim.h"
#include "simulation/wormhole/wormhole.h"
#include "simulation/wormhole/wormhole_short.h"
#include "simulation/wormhole_compare.h"

enum { SCENARIOS = 300, STEPS = 12, NETWORKS = 10, ROUTINGS = 7, MOST_BYTES = 1 << 23 };

/* The next random number below a bound. */
static uint32_t draw(uint64_t *words, uint32_t bound)
{
    return cni_random_below((uint32_t)(cni_random_word(5, (*words)++) >> 32), bound);
}

static cn_topology *network_of(uint64_t *words)
{
    uint32_t kind = draw(words, 2 * NETWORKS + 1);
    if (kind < NETWORKS)
        return digit_network((int)kind);
    if (kind < 2 * NETWORKS)
        return any_network((int)kind - NETWORKS);
    cn_topology *mesh = any_network(2), *hosts = NULL;
    assert_ok(cn_topology_with_hosts(mesh, 1 + draw(words, 3), &hosts));
    cn_topology_free(&mesh);
    return hosts;
}

static void set_rest(cn_scenario *scenario, uint64_t *words)
{
    static const double loads[] = {0.01, 0.1, 0.3, 1.0};
    uint32_t flits = draw(words, 2) == 0 ? 1 : 1 + draw(words, 8), most = 9 - flits;
    const struct {
        cn_param param;
        double value;
    } values[] = {{CN_PARAM_MESSAGE_FLITS, flits},
                  {CN_PARAM_FLIT_BUFFERS, flits + draw(words, most)},
                  {CN_PARAM_VIRTUAL_CHANNELS, 1 + draw(words, 8)},
                  {CN_PARAM_LOAD, loads[draw(words, 4)] / flits},
                  {CN_PARAM_ONE_PORT, draw(words, 4) == 0},
                  {CN_PARAM_INJECTION_SERVERS, 1 + draw(words, 3)},
                  {CN_PARAM_STARTUP_LATENCY, draw(words, 5) == 0 ? 3 : 0},
                  {CN_PARAM_STATISTICS, draw(words, 4) == 0},
                  {CN_PARAM_UNSAFE, draw(words, 5) == 0},
                  {CN_PARAM_WARMUP_CYCLES, 40}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_ok(cn_scenario_set(scenario, values[i].param, values[i].value));
    if (draw(words, 4) == 0) /* not every network takes it */
        cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 0.05);
}

static cn_scenario *random_scenario(uint64_t *words)
{
    static const char *const routings[ROUTINGS] = {"dimension-order",  "duato",   "minimal",
                                                   "up-down-adaptive", "up-down", "negative-first",
                                                   "valiant"};
    cn_topology *topology = network_of(words);
    cn_scenario *scenario = NULL;
    cn_faults *faults = NULL;
    assert_ok(cn_scenario_new(topology, "wormhole", &scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, routings[draw(words, ROUTINGS)]));
    set_rest(scenario, words);
    if (draw(words, 6) == 0) {
        assert_ok(cn_faults_new(topology, &faults));
        assert_ok(cn_faults_add_random_nodes(faults, 1, *words));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        cn_faults_free(&faults);
    }
    assert_ok(cn_scenario_set_seed(scenario, *words));
    cn_topology_free(&topology);
    return scenario;
}

static const cni_wormhole *kernel_of(const cn_sim *sim)
{
    return sim->state;
}

/* The same bytes; and a simulation made of them goes on in place of the first. */
static void compare_snapshots(const cn_scenario *scenario, cn_sim **sim, const cn_sim *by_worms,
                              int is_restored)
{
    static uint8_t bytes[MOST_BYTES], others[MOST_BYTES];
    size_t size = 0, other_size = 0;
    assert_ok(cn_sim_save(*sim, bytes, sizeof bytes, &size));
    assert_ok(cn_sim_save(by_worms, others, sizeof others, &other_size));
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, others, size);
    if (!is_restored)
        return;
    int is_short = kernel_of(*sim)->way == &cni_short_messages;
    cn_sim_close(sim);
    assert_ok(cn_sim_restore(scenario, others, other_size, NULL, sim));
    assert_true(!is_short || kernel_of(*sim)->way == &cni_short_messages);
}

static void compare_deliveries(cn_sim *sim, cn_sim *by_worms)
{
    cn_delivery a, b;
    cn_status status;
    do {
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        status = cn_sim_next_delivery(sim, &a, sizeof a);
        assert_int_equal(cn_sim_next_delivery(by_worms, &b, sizeof b), status);
        assert_memory_equal(&a, &b, sizeof a);
    } while (status == CN_OK);
}

/* A few messages of the caller; a longer one than fits is the end of the way. */
static void inject(cn_sim *sim, cn_sim *by_worms, int are_long, uint64_t *words)
{
    uint32_t nodes = kernel_of(sim)->nodes;
    for (uint32_t i = draw(words, 3); i > 0; i--) {
        uint64_t source = draw(words, nodes), destination = draw(words, nodes);
        uint64_t flits = are_long && draw(words, 8) == 0 ? 1 + draw(words, 12) : 0;
        assert_int_equal(cn_sim_inject(sim, source, destination, flits, i),
                         cn_sim_inject(by_worms, source, destination, flits, i));
        if (flits > kernel_of(sim)->buffers && cn_sim_can_accept(sim, source) == CN_OK &&
            cn_sim_can_accept(sim, destination) == CN_OK && source != destination)
            assert_ptr_equal(kernel_of(sim)->way, &cni_worms);
    }
}

/* Early messages and broadcasts stand in a snapshot in an order that another one need not have. */
static int can_restore(const cni_wormhole *kernel)
{
    return kernel->startup == 0 && kernel->broadcast_fraction == 0.0;
}

/* Whether messages go this way at first. */
static int compare_ways(uint64_t *words)
{
    cn_scenario *scenario = random_scenario(words);
    cn_sim *sim = NULL, *by_worms = NULL;
    int is_short = 0, injects = draw(words, 2) == 0, are_long = draw(words, 2) == 0;
    if (cn_sim_open(scenario, NULL, &sim) == CN_OK) {
        assert_ok(cn_sim_open(scenario, NULL, &by_worms));
        is_short = kernel_of(sim)->way == &cni_short_messages;
        if (is_short)
            cni_short_leave(by_worms->state);
        assert_ptr_equal(kernel_of(by_worms)->way, &cni_worms);
        for (int step = 0; step < STEPS; step++) {
            uint32_t cycles = 1 + draw(words, 40);
            cn_status status = cn_sim_step(sim, cycles, NULL);
            assert_int_equal(cn_sim_step(by_worms, cycles, NULL), status);
            compare_deliveries(sim, by_worms);
            compare_snapshots(scenario, &sim, by_worms,
                              draw(words, 3) == 0 && can_restore(kernel_of(sim)));
            if (status != CN_OK)
                break;
            if (injects)
                inject(sim, by_worms, are_long, words);
        }
        cn_sim_close(&sim);
        cn_sim_close(&by_worms);
    }
    cn_scenario_free(&scenario);
    return is_short;
}

static void short_messages_go_as_worms_do(void **state)
{
    (void)state;
    int short_ones = 0;
    for (uint64_t i = 0; i < SCENARIOS; i++)
        short_ones += compare_ways(&(uint64_t){i << 16});
    assert_true(short_ones > SCENARIOS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_messages_go_as_worms_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

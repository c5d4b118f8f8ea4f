/*
 * What is analysed is what runs: at light load each channel carries what cn_routing_loads() says of
 * the routing, in every system that sends by it. The plain machines that kernels are held against
 * share the kernels' specification, and cannot find where that differs from the analysis.
 */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "routing/networks.h"
#include "routing/rules/routing.h"

/* The load of the busiest channel. */
#define SHARE 0.01

enum { MOST_CHANNELS = 256, GRAPHS = 20, RULES = 3 };

/* A kernel that goes cycle by cycle takes long for few messages: it has fewer, and some of the
 * routings only. */
typedef struct run {
    const char *system;
    double slotted;  /* of those that take it */
    uint32_t every;  /* of so many routings one */
    double messages; /* over the busiest channel */
} run;

static const run runs[] = {
    {"separate-buffers", 0, 1, 3000}, {"separate-buffers", 1, 4, 1500},
    {"shared-buffer", 1, 4, 1500},    {"deflection", 1, 1, 1500},
    {"cut-through", 1, 1, 3000},      {"wormhole", 1, 1, 3000},
};
enum { RUNS = sizeof runs / sizeof *runs };

static uint32_t done[RUNS], routings, wrong;

/* ---- one routing ---- */

static void compare(const cn_topology *t, const cn_routing *r, const char *system, double sent,
                    const double loads[], const uint64_t carried[], size_t channels)
{
    uint32_t ports = cn_topology_max_degree(t);
    for (size_t c = 0; c < channels; c++) {
        double expected = loads[c] * sent;
        if (fabs((double)carried[c] - expected) <= 3.0 * sqrt(expected) + 0.03 * expected)
            continue;
        fprintf(stderr, "%s, %s on %s: node %zu, port %zu carries %llu messages, not %.1f\n",
                system, cn_routing_name(r), cn_topology_name(t), c / ports, c % ports,
                (unsigned long long)carried[c], expected);
        wrong++;
    }
}

/* Deadlocks do not occur at this load, so a routing that may deadlock runs, too. */
static cn_status open_run(const cn_topology *t, const cn_routing *r, const cn_faults *faults,
                          const run *by, double load, cn_sim **sim)
{
    cn_scenario *scenario = NULL;
    uint32_t least = 1;
    assert_ok(cn_scenario_new(t, by->system, &scenario));
    assert_ok(cn_routing_least_virtual_channels(r, &least));
    assert_ok(cn_scenario_set_routing(scenario, r));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, 1));
    assert_ok(cn_scenario_set_seed(scenario, 5));
    if (cn_scenario_takes(scenario, CN_PARAM_SLOTTED))
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, by->slotted));
    if (cn_scenario_takes(scenario, CN_PARAM_VIRTUAL_CHANNELS)) {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, least));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 1));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_UNSAFE, 1));
    }
    cn_status status = cn_sim_open(scenario, NULL, sim);
    cn_scenario_free(&scenario);
    return status;
}

/* In every system that takes it: deflection takes few. */
static void run_all(const cn_topology *t, const cn_routing *r, const cn_faults *faults)
{
    double loads[MOST_CHANNELS], full = 0.0;
    uint64_t carried[MOST_CHANNELS];
    size_t channels, counted;
    assert_ok(cn_routing_loads(r, NULL, NULL, NULL, loads, MOST_CHANNELS, &channels));
    assert_ok(cn_routing_saturation_load(r, NULL, NULL, NULL, &full));
    for (uint32_t i = 0; i < RUNS; i++) {
        cn_sim *sim = NULL;
        if ((routings + i) % runs[i].every != 0)
            continue;
        cn_status status = open_run(t, r, faults, &runs[i], SHARE * full, &sim);
        assert_true(status == CN_OK || strcmp(runs[i].system, "deflection") == 0);
        if (status != CN_OK)
            continue;
        double cycles = floor(runs[i].messages / SHARE);
        assert_ok(cn_sim_step(sim, (uint64_t)cycles, NULL));
        assert_ok(cn_sim_channel_loads(sim, carried, MOST_CHANNELS, &counted));
        assert_int_equal(counted, channels);
        compare(t, r, runs[i].system, SHARE * full * cycles, loads, carried, channels);
        done[i]++;
        cn_sim_close(&sim);
    }
    routings++;
}

/* ---- own rules ---- */

/* Of the ports of another routing some, at random by node, destination and the channel over which a
 * message has come; of each the same number of virtual channels. */
typedef struct chooser {
    const cn_routing *base;
    uint32_t virtual_channels, taken;
    uint64_t seed;
} chooser;

static cn_status choose(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                        uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const chooser *c = user;
    uint32_t class = 0;
    (void)virtual_channel;
    if (port != CN_NO_PORT)
        class = cni_routing_after(c->base, 0, destination, previous, port, CNI_STORED);
    uint64_t ports = cni_routing_ports(c->base, node, class, destination);
    uint64_t word = cni_random_derive(cni_random_derive(c->seed, node), destination);
    word = cni_random_derive(word, previous * 64 + (port == CN_NO_PORT ? 63 : port));
    uint64_t some = (ports & word) != 0 ? ports & word : ports;
    uint64_t all = (UINT64_C(1) << c->virtual_channels) - 1,
             few = all >> (c->virtual_channels - c->taken);
    for (uint32_t p = 0; p < cn_topology_max_degree(c->base->topology); p++)
        channels[p] =
            (some >> p & 1) == 0 ? 0 : few << (word >> 60 & 1) * (c->virtual_channels - c->taken);
    return CN_OK;
}

/* The lowest one of each. */
static cn_status choose_escape(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                               uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const chooser *c = user;
    cn_status status = choose(user, node, destination, previous, port, virtual_channel, channels);
    for (uint32_t p = 0; p < cn_topology_max_degree(c->base->topology); p++)
        channels[p] &= 0 - channels[p];
    return status;
}

/* Without cycles, so that all channels are escapes; with cycles; and with escapes among other
 * channels. */
static void run_own_rules(const cn_topology *t, uint64_t seed)
{
    static const char *const bases[RULES] = {"up-down", "minimal", "up-down"};
    for (uint32_t i = 0; i < RULES; i++) {
        cn_routing *base = NULL, *own = NULL;
        assert_ok(cn_routing_new(t, bases[i], NULL, NULL, &base));
        chooser c = {base, 3, 1 + (i + (uint32_t)seed) % 3, seed};
        c.taken = i == 2 ? 2 : c.taken;
        assert_ok(cn_routing_own(t, 3, choose, i == 2 ? choose_escape : NULL, &c, NULL, &own));
        assert_true(i != 0 || own->has_escapes);
        run_all(t, own, NULL);
        cn_routing_free(&own);
        cn_routing_free(&base);
    }
}

/* ---- tests ---- */

/* All that a name makes on this network. */
static int run_named(const cn_topology *t, const cn_faults *faults)
{
    int made = 0;
    for (size_t k = 0; k < cn_routing_kind_count(); k++) {
        cn_routing *r = NULL;
        if (cn_routing_new(t, cn_routing_kind_name(k), faults, NULL, &r) == CN_OK) {
            made |= 1 << k;
            run_all(t, r, faults);
        }
        cn_routing_free(&r);
    }
    return made;
}

static void run_tree(const cn_topology *t)
{
    cn_tree *tree = NULL;
    cn_routing *r = NULL;
    assert_ok(cn_tree_breadth_first(t, 1, NULL, &tree));
    assert_ok(cn_routing_tree(tree, &r));
    run_all(t, r, NULL);
    cn_routing_free(&r);
    cn_tree_free(&tree);
}

static void all_routings(void **state)
{
    static const uint64_t sides[] = {4, 3};
    cn_topology *networks[6] = {NULL};
    cn_faults *faults = NULL;
    int made = 0;
    (void)state;
    assert_ok(cn_topology_hypercube(3, &networks[0]));
    assert_ok(cn_topology_mesh(sides, 2, &networks[1]));
    assert_ok(cn_topology_torus(sides, 2, &networks[2]));
    assert_ok(cn_topology_kary_ncube(3, 2, 0, &networks[3]));
    assert_ok(cn_topology_psnn(3, &networks[4]));
    assert_ok(cn_topology_de_bruijn(3, &networks[5]));
    for (int i = 0; i < 6; i++)
        made |= run_named(networks[i], NULL);
    run_tree(networks[0]);
    assert_ok(cn_faults_new(networks[0], &faults));
    assert_ok(cn_faults_add_node(faults, 3));
    made |= run_named(networks[0], faults);
    for (size_t k = 0; k < cn_routing_kind_count(); k++)
        assert_true((made >> k & 1) != 0 || strcmp(cn_routing_kind_name(k), "tree") == 0 ||
                    strcmp(cn_routing_kind_name(k), "own") == 0);
    cn_faults_free(&faults);
    for (int i = 0; i < 6; i++)
        cn_topology_free(&networks[i]);
    assert_int_equal(wrong, 0);
}

static void random_graphs(void **state)
{
    uint64_t words = 37;
    (void)state;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        cn_topology *t = network_random(5 + i % 4, 2 + i % 5, &words);
        run_named(t, NULL);
        run_own_rules(t, i);
        cn_topology_free(&t);
    }
    assert_int_equal(wrong, 0);
    for (uint32_t i = 0; i < RUNS; i++)
        assert_true(done[i] >= GRAPHS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_routings),
        cmocka_unit_test(random_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which of the channels that a routing allows a header takes: the bits that `lowest` has always had
 * where all channels are escapes, no draw where there is one port, and the port that is least
 * loaded. */
#include "support/support.h"

#include <string.h>

#include "routing/networks.h"
#include "simulation/run/sim.h"
#include "simulation/wormhole/wormhole.h"

/* ---- runs ---- */

typedef struct outcome {
    uint64_t delivered, delay, flit_hops;
} outcome;

/* West, east and south as they come closer, all equally good; north once only north is left.
 * Dimension 0 of a mesh is x. */
static cn_status north_last(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                            uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    const cn_topology *t = user;
    uint64_t side = 0, next = 0;
    (void)previous;
    (void)port;
    (void)virtual_channel;
    assert_ok(cn_topology_radix(t, 0, &side));
    uint64_t x = node % side, y = node / side, to_x = destination % side, to_y = destination / side;
    for (uint32_t p = 0; p < cn_topology_max_degree(t); p++) {
        channels[p] = 0;
        if (cn_topology_neighbor(t, node, p, &next) != CN_OK)
            continue;
        uint64_t next_x = next % side, next_y = next / side;
        channels[p] = (next_x > x && to_x > x) || (next_x < x && to_x < x) ||
                      (next_y < y && to_y < y) || (next_y > y && to_y > y && to_x == x);
    }
    return CN_OK;
}

static cn_topology *network_of(int is_mesh)
{
    static const uint64_t sides[] = {5, 5};
    cn_topology *t = NULL;
    if (!is_mesh)
        return network_random(20, 14, &(uint64_t){11});
    assert_ok(cn_topology_mesh(sides, 2, &t));
    return t;
}

/* 5000 cycles with two virtual channels, or the least. */
static outcome run(const char *system, int is_mesh, const char *name, cn_selection selection)
{
    cn_topology *t = network_of(is_mesh);
    cn_routing *routing = NULL;
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    cn_tree *tree = NULL;
    uint64_t counters[CNI_COUNTERS];
    uint32_t least = 1;
    if (strcmp(name, "own") == 0)
        assert_ok(cn_routing_own(t, 2, north_last, NULL, t, NULL, &routing));
    else if (strcmp(name, "tree") == 0) {
        assert_ok(cn_tree_breadth_first(t, 0, NULL, &tree));
        assert_ok(cn_routing_tree(tree, &routing));
    } else
        assert_ok(cn_routing_new(t, name, NULL, NULL, &routing));
    assert_ok(cn_routing_least_virtual_channels(routing, &least));
    assert_ok(cn_scenario_new(t, system, &scenario));
    assert_ok(cn_scenario_set_routing(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, selection));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, least < 2 ? 2 : least));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.03));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 6));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 0.02));
    assert_ok(cn_scenario_set_seed(scenario, 3));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, 5000, NULL));
    sim->kernel->count(sim->state, counters);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_routing_free(&routing);
    cn_tree_free(&tree);
    cn_topology_free(&t);
    return (outcome){counters[CNI_COUNT_DELIVERED], counters[CNI_COUNT_DELAY],
                     counters[CNI_COUNT_WORM_FLIT_HOPS]};
}

static int is_same(outcome a, outcome b)
{
    return a.delivered == b.delivered && a.delay == b.delay && a.flit_hops == b.flit_hops;
}

/* ---- tests ---- */

typedef struct pin {
    const char *system;
    int is_mesh;
    const char *routing;
    outcome expected;
} pin;

/* Of the library before the selection took a port among escapes, which were always taken from the
 * lowest one on. */
static const pin lowest[] = {
    {"wormhole", 0, "up-down", {2995, 39043, 54885}},
    {"wormhole", 0, "valiant", {2289, 1045535, 73824}},
    {"wormhole", 1, "up-down", {3764, 62549, 86018}},
    {"wormhole", 1, "negative-first", {3766, 52194, 86020}},
    {"wormhole", 1, "own", {3765, 62206, 86002}},
    {"cut-through", 0, "up-down", {2997, 34639, 54890}},
    {"cut-through", 0, "valiant", {2989, 116006, 98706}},
    {"cut-through", 1, "up-down", {3766, 52332, 86031}},
    {"cut-through", 1, "negative-first", {3766, 46515, 86023}},
    {"cut-through", 1, "own", {3766, 46354, 86022}},
};

/* Of the same, by random selection: routings whose escapes are those of one port. */
static const pin one_port[] = {
    {"wormhole", 1, "dimension-order", {3766, 49886, 86021}},
    {"wormhole", 1, "duato", {3765, 48095, 86012}},
    {"wormhole", 0, "tree", {2403, 794627, 61851}},
    {"wormhole", 1, "valiant", {3551, 659034, 144145}},
    {"cut-through", 1, "dimension-order", {3766, 46014, 86023}},
    {"cut-through", 1, "duato", {3766, 44109, 86026}},
    {"cut-through", 0, "tree", {2578, 513721, 68093}},
    {"cut-through", 1, "valiant", {3760, 82601, 153072}},
};

static void lowest_takes_the_lowest_escape(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lowest / sizeof *lowest; i++) {
        const pin *p = &lowest[i];
        assert_true(
            is_same(run(p->system, p->is_mesh, p->routing, CN_SELECTION_LOWEST), p->expected));
        assert_false(
            is_same(run(p->system, p->is_mesh, p->routing, CN_SELECTION_RANDOM), p->expected));
    }
}

static void one_port_needs_no_draw(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof one_port / sizeof *one_port; i++) {
        const pin *p = &one_port[i];
        int has_choice = strcmp(p->routing, "duato") == 0;
        for (int s = CN_SELECTION_RANDOM; s <= CN_SELECTION_LEAST_LOADED; s++)
            assert_int_equal(
                is_same(run(p->system, p->is_mesh, p->routing, (cn_selection)s), p->expected),
                s == CN_SELECTION_RANDOM || !has_choice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lowest_takes_the_lowest_escape),
        cmocka_unit_test(one_port_needs_no_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

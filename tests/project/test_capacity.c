/* The protocol of base.h for arrays that a function fills, in every public function with a
 * capacity. */
#include "support/support.h"
#include "support/wormhole_rules.h"

#include "cubenet/experimental/damage.h"
#include "cubenet/experimental/intermediate.h"
#include "cubenet/experimental/multicast.h"
#include "cubenet/experimental/shape.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 4, WORDS = 8192, UNTOUCHED = 0x5a };

static uint64_t room[COLUMNS][WORDS];
static size_t capacity, *count, given, needed, extra;
static int missing, step;
static const char *text;

/* Column `place` of what the call may fill. */
#define COLUMN(type, place) ((type *)(missing ? NULL : (void *)room[place]))

/* A call that has COLUMN(), capacity and count where they belong; a text needs one more for its
 * NUL. */
#define ARRAY(call)                \
    for (begin(#call, 0); next();) \
    ended(call)
#define TEXT(call)                 \
    for (begin(#call, 1); next();) \
    ended(call)

static void begin(const char *call, size_t more)
{
    text = call;
    extra = more;
    step = -1;
    needed = 0;
}

static int next(void)
{
    step++;
    missing = step < 2;
    capacity = step == 0 || step == 2  ? 0
               : step < 5 && step != 1 ? needed + extra - 1
                                       : needed + extra;
    count = step == 4 || step == 6 ? NULL : &given;
    given = 12345;
    memset(room, UNTOUCHED, sizeof room);
    return step < 7;
}

static int is_untouched(void)
{
    const unsigned char *byte = (const unsigned char *)room;
    for (size_t i = 0; i < sizeof room; i++)
        if (byte[i] != UNTOUCHED)
            return 0;
    return 1;
}

static void ended(cn_status status)
{
    static const cn_status expected[] = {CN_ERR_CAPACITY,
                                         CN_ERR_ARGUMENT,
                                         CN_ERR_CAPACITY,
                                         CN_ERR_CAPACITY,
                                         CN_ERR_CAPACITY,
                                         CN_OK,
                                         CN_OK};
    if (step == 0)
        needed = given;
    int counted = step == 1 ? given == 12345 : count == NULL || given == needed;
    if (status == expected[step] && counted && needed > 0 && needed < 12345 &&
        (status == CN_OK || is_untouched()))
        return;
    fail_msg("step %d of %s: status %d, count %zu, needed %zu, %s: %s", step, text, (int)status,
             given, needed, is_untouched() ? "nothing written" : "written", cn_last_error());
}

static void topologies(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_tree *tree;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_tree_balanced(cube, 0, &tree));
    ARRAY(cn_topology_neighbors(cube, 3, COLUMN(uint64_t, 0), capacity, count));
    ARRAY(cn_topology_distance_counts(cube, 3, NULL, COLUMN(uint64_t, 0), capacity, count));
    ARRAY(cn_topology_digits(cube, 3, COLUMN(uint64_t, 0), capacity, count));
    TEXT(cn_topology_address_text(cube, 3, COLUMN(char, 0), capacity, count));
    TEXT(cn_subcube_text(4, 1, 2, COLUMN(char, 0), capacity, count));
    TEXT(cn_topology_write(cube, CN_FORMAT_METIS, NULL, COLUMN(char, 0), capacity, count));
    ARRAY(cn_necklace_unfolded(cube, 3, COLUMN(uint64_t, 0), capacity, count));
    ARRAY(cn_tree_children(tree, 0, COLUMN(uint64_t, 0), capacity, count));
    ARRAY(cn_tree_path(tree, 7, COLUMN(uint64_t, 0), capacity, count));
    ARRAY(cn_tree_arrays(tree, COLUMN(uint64_t, 0), NULL, NULL, capacity, count));
    ARRAY(cn_spanning_graph_parents(cube, 0, 5, COLUMN(uint64_t, 0), COLUMN(uint64_t, 1), capacity,
                                    count));
    TEXT(cn_tree_draw(tree, CN_FORMAT_DOT, NULL, COLUMN(char, 0), capacity, count));
    TEXT(cn_tree_draw(tree, CN_FORMAT_SVG, NULL, COLUMN(char, 0), capacity, count));
    cn_tree_free(&tree);
    cn_topology_free(&cube);
}

static void decisions(void **state)
{
    (void)state;
    cn_topology *cube, *ring;
    cn_deadlock *check;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_ring(6, 0, &ring));
    assert_ok(wormhole_check(ring, WORMHOLE_ORDER_UNSAFE, 1, NULL, &check));
    ARRAY(cn_deadlock_cycle(check, COLUMN(uint64_t, 0), COLUMN(uint32_t, 1), COLUMN(uint32_t, 2),
                            COLUMN(uint64_t, 3), capacity, count));
    cn_deadlock_free(&check);
    cn_topology_free(&ring);
    cn_topology_free(&cube);
}

static void damage(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    cn_hierarchy *hierarchy;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_faults_add_node(faults, 5));
    assert_ok(cn_faults_add_node(faults, 6));
    assert_ok(cn_faults_add_link(faults, 8, 0));
    assert_ok(cn_subnet_convex(faults, NULL, &subnet));
    cn_routing *routing;
    assert_ok(cn_routing_optimal_path(subnet, &routing));
    assert_ok(cn_hierarchy_new(faults, NULL, &hierarchy));
    assert_ok(cn_hierarchy_make_tables(hierarchy, NULL));
    ARRAY(cn_faults_nodes(faults, COLUMN(uint64_t, 0), capacity, count));
    ARRAY(cn_faults_links(faults, COLUMN(uint64_t, 0), COLUMN(uint32_t, 1), capacity, count));
    TEXT(cn_topology_json(cube, COLUMN(char, 0), capacity, count));
    TEXT(cn_faults_json(faults, COLUMN(char, 0), capacity, count));
    ARRAY(cn_routing_path(routing, 0, 3, 1, COLUMN(uint64_t, 0), capacity, count));
    TEXT(cn_routing_json(routing, COLUMN(char, 0), capacity, count));
    cn_routing_free(&routing);
    ARRAY(cn_faults_stretch_counts(faults, NULL, COLUMN(uint64_t, 0), capacity, count, NULL));
    ARRAY(cn_faults_monotone_counts(faults, NULL, COLUMN(uint64_t, 0), capacity, count, NULL));
    TEXT(cn_faults_draw(faults, CN_FORMAT_DOT, NULL, COLUMN(char, 0), capacity, count));
    TEXT(cn_faults_draw(faults, CN_FORMAT_SVG, NULL, COLUMN(char, 0), capacity, count));
    ARRAY(cn_subnet_survivors(subnet, COLUMN(uint64_t, 0), capacity, count));
    TEXT(cn_subnet_draw(subnet, CN_FORMAT_DOT, NULL, COLUMN(char, 0), capacity, count));
    TEXT(cn_subnet_draw(subnet, CN_FORMAT_SVG, NULL, COLUMN(char, 0), capacity, count));
    ARRAY(cn_hierarchy_table(hierarchy, 0, COLUMN(uint64_t, 0), COLUMN(uint64_t, 1),
                             COLUMN(uint64_t, 2), COLUMN(uint64_t, 3), capacity, count));
    TEXT(cn_hierarchy_draw(hierarchy, CN_FORMAT_DOT, NULL, COLUMN(char, 0), capacity, count));
    TEXT(cn_hierarchy_draw(hierarchy, CN_FORMAT_SVG, NULL, COLUMN(char, 0), capacity, count));
    cn_hierarchy_free(&hierarchy);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void experiments(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_operations *operations;
    cn_traffic *traffic;
    cn_scenario *scenario;
    cn_sim *sim;
    cn_result *result;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_operations_new(cube, &operations));
    assert_ok(cn_operations_add(operations, 1, (uint64_t[]){2, 3}, 2, 0));
    assert_ok(cn_traffic_new(cube, CN_PATTERN_UNIFORM, &traffic));
    assert_ok(cn_scenario_new(cube, "wormhole", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, 1));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.005));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, 1000, NULL));
    assert_ok(cn_sim_result(sim, &result));
    ARRAY(cn_operations_get(operations, 0, COLUMN(uint64_t, 0), capacity, count, NULL, NULL));
    TEXT(cn_traffic_json(traffic, COLUMN(char, 0), capacity, count));
    TEXT(cn_scenario_json(scenario, COLUMN(char, 0), capacity, count));
    TEXT(cn_result_json(result, COLUMN(char, 0), capacity, count));
    cn_routing *routing;
    assert_ok(cn_routing_new(cube, "minimal", NULL, NULL, &routing));
    ARRAY(cn_traffic_loads(traffic, routing, NULL, COLUMN(double, 0), capacity, count));
    cn_routing_free(&routing);
    ARRAY(cn_assignment_phase_one(6, 3, COLUMN(double, 0), capacity, count));
    ARRAY(cn_assignment_both_phases(6, 8, 3, COLUMN(double, 0), capacity, count));
    ARRAY(cn_deflection_queue(6, 8, 1.5, 0.4, NULL, COLUMN(double, 0), capacity, count));
    ARRAY(cn_deflection_headers(cube, CN_STATES_AUTOMATIC, 0.2, NULL, COLUMN(double, 0),
                                COLUMN(double, 1), capacity, count));
    ARRAY(cn_deflection_hops(6, 0.5, COLUMN(double, 0), capacity, count));
    ARRAY(cn_kary_shapes(64, COLUMN(uint64_t, 0), COLUMN(uint32_t, 1), capacity, count));
    ARRAY(cn_sim_channel_loads(sim, COLUMN(uint64_t, 0), capacity, count));
    ARRAY(cn_sim_save(sim, COLUMN(uint8_t, 0), capacity, count));
    ARRAY(cn_result_channel_loads(result, COLUMN(uint64_t, 0), capacity, count));
    ARRAY(cn_result_node_counts(result, CN_NODE_COUNT_DELIVERED, COLUMN(uint64_t, 0), capacity,
                                count));
    ARRAY(cn_result_node_queues(result, COLUMN(double, 0), capacity, count));
    ARRAY(cn_result_histogram(result, CN_DISTRIBUTION_HOPS, COLUMN(double, 0), COLUMN(double, 1),
                              COLUMN(uint64_t, 2), capacity, count));
    ARRAY(cn_result_batches(result, CN_METRIC_THROUGHPUT, COLUMN(double, 0), capacity, count,
                            room[1]));
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_traffic_free(&traffic);
    cn_operations_free(&operations);
    cn_topology_free(&cube);
}

/* One array each that a caller may do without: NULL with capacity 0 leaves it out, a length that is
 * too small is refused, and so is an array that is missing. */
static void optional_arrays(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_known kind;
    uint64_t lower, upper, nodes[16];
    uint32_t steps[16];
    uint8_t side[16];
    double delay, flows[64];
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_bisection(cube, NULL, NULL, 0, &lower, &upper, &kind));
    assert_fails(cn_topology_bisection(cube, NULL, NULL, 16, &lower, &upper, &kind),
                 CN_ERR_ARGUMENT, "side is NULL");
    assert_fails(cn_topology_bisection(cube, NULL, side, 15, &lower, &upper, &kind),
                 CN_ERR_CAPACITY, "capacity = 15");
    assert_ok(
        cn_topology_broadcast_schedule(cube, 0, NULL, NULL, NULL, NULL, 0, &lower, &upper, &kind));
    assert_fails(cn_topology_broadcast_schedule(cube, 0, NULL, nodes, nodes, NULL, 15, &lower,
                                                &upper, &kind),
                 CN_ERR_ARGUMENT, "sent_at is NULL");
    assert_fails(cn_topology_broadcast_schedule(cube, 0, NULL, nodes, nodes, steps, 14, &lower,
                                                &upper, &kind),
                 CN_ERR_CAPACITY, "capacity = 14");
    assert_ok(cn_flow_deviation(cube, NULL, NULL, 0, 0.5, 0.1, NULL, &delay, NULL, NULL, 0));
    assert_fails(cn_flow_deviation(cube, NULL, NULL, 0, 0.5, 0.1, NULL, &delay, NULL, NULL, 64),
                 CN_ERR_ARGUMENT, "channel_flows is NULL");
    assert_fails(cn_flow_deviation(cube, NULL, NULL, 0, 0.5, 0.1, NULL, &delay, NULL, flows, 63),
                 CN_ERR_CAPACITY, "capacity = 63");
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topologies),  cmocka_unit_test(decisions),       cmocka_unit_test(damage),
        cmocka_unit_test(experiments), cmocka_unit_test(optional_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every public function with a handle, and each handle that it takes: a handle that is wrong gives
 * CN_ERR_ARGUMENT and a sentence, the answer for NULL, or, from a free function, nothing at all. */
#include "support/support.h"

#include "cubenet/experimental/intermediate.h"

#include <stdio.h>
#include <string.h>

#include "handle_calls.inc.h"

enum { CALLS = sizeof calls / sizeof calls[0] };

/* ---- an allocator that keeps what it gets back, so that a freed object can be read ---- */

enum { MOST_KEPT = 65536 };
static void *kept[MOST_KEPT];
static size_t kept_count;

static void *give(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void keep(void *user, void *memory)
{
    (void)user;
    assert_true(kept_count < MOST_KEPT);
    kept[kept_count++] = memory;
}

/* ---- one object of each type ---- */

#define MAKE(type, function, ...)              \
    do {                                       \
        cn_##type *it = NULL;                  \
        assert_ok(function(__VA_ARGS__, &it)); \
        assert_non_null(it);                   \
        made[TYPE_##type] = it;                \
    } while (0)

static void make_objects(void *made[TYPES])
{
    MAKE(topology, cn_topology_hypercube, 3);
    MAKE(tree, cn_tree_balanced, made[TYPE_topology], 0);
    MAKE(faults, cn_faults_new, made[TYPE_topology]);
    MAKE(subnet, cn_subnet_convex, made[TYPE_faults], NULL);
    MAKE(hierarchy, cn_hierarchy_new, made[TYPE_faults], NULL);
    MAKE(routing, cn_routing_new, made[TYPE_topology], "up-down", NULL, NULL);
    MAKE(deadlock, cn_routing_deadlock_check, made[TYPE_routing], 1, NULL);
    MAKE(traffic, cn_traffic_new, made[TYPE_topology], CN_PATTERN_UNIFORM);
    MAKE(operations, cn_operations_new, made[TYPE_topology]);
    MAKE(workload, cn_workload_new, made[TYPE_topology]);
    MAKE(scenario, cn_scenario_new, made[TYPE_topology], "deflection");
    assert_ok(cn_scenario_set(made[TYPE_scenario], CN_PARAM_LOAD, 0.5));
    MAKE(result, cn_predict, made[TYPE_scenario], NULL);
    MAKE(sim, cn_sim_open, made[TYPE_scenario], NULL);
    MAKE(study, cn_study_new, made[TYPE_topology]);
    cn_control *control;
    assert_ok(cn_control_new(&control));
    made[TYPE_control] = control;
    for (int type = 0; type < TYPES; type++)
        assert_non_null(made[type]);
}

#define FREE(type, function)               \
    do {                                   \
        cn_##type *it = made[TYPE_##type]; \
        function(&it);                     \
        assert_null(it);                   \
    } while (0)

/* The topology goes last: it lives as long as what was made for it. */
static void free_objects(void *made[TYPES])
{
    FREE(tree, cn_tree_free);
    FREE(faults, cn_faults_free);
    FREE(subnet, cn_subnet_free);
    FREE(hierarchy, cn_hierarchy_free);
    FREE(deadlock, cn_deadlock_free);
    FREE(routing, cn_routing_free);
    FREE(traffic, cn_traffic_free);
    FREE(operations, cn_operations_free);
    FREE(workload, cn_workload_free);
    FREE(result, cn_result_free);
    FREE(sim, cn_sim_close);
    FREE(study, cn_study_free);
    FREE(control, cn_control_free);
    FREE(scenario, cn_scenario_free);
    FREE(topology, cn_topology_free);
}

static void *freed[TYPES];

static int set_up(void **state)
{
    (void)state;
    assert_ok(cn_set_allocator(give, keep, NULL));
    void *made[TYPES] = {NULL};
    make_objects(made);
    memcpy(freed, made, sizeof freed);
    free_objects(made);
    make_objects(good);
    return 0;
}

static int take_down(void **state)
{
    (void)state;
    free_objects(good);
    assert_ok(cn_set_allocator(NULL, NULL, NULL));
    for (size_t i = 0; i < kept_count; i++)
        free(kept[i]);
    return 0;
}

/* ---- the calls ---- */

/* They may have NULL, which stands for none. */
static int takes_null(const struct call *call)
{
    static const char *const optional[][2] = {
        {"cn_scenario_set_faults", "faults"},
        {"cn_scenario_set_subnet", "subnet"},
        {"cn_predict_shape", "traffic"},
        {"cn_scenario_set_traffic", "traffic"},
        {"cn_scenario_set_operations", "operations"},
        {"cn_scenario_set_routing", "routing"},
        {"cn_scenario_set_workload", "workload"},
        {"cn_workload_busiest_channel", "routing"},
        {"cn_study_set_faults", "faults"},
        {"cn_study_set_scenario", "scenario"},
        {"cn_flow_deviation", "faults"},
        {"cn_flow_saturation", "faults"},
        {"cn_system_check_model", "topology"},
        {"cn_system_check_simulator", "topology"},
        {"cn_routing_new", "faults"},
    };
    if (strcmp(call->argument, "control") == 0 && strncmp(call->function, "cn_control", 10) != 0)
        return 1;
    for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++)
        if (strcmp(call->function, optional[i][0]) == 0 &&
            strcmp(call->argument, optional[i][1]) == 0)
            return 1;
    return 0;
}

/* Calls with a handle that is `what`. */
static void expect_refusal(const struct call *call, void *handle, const char *what)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence, "%s: %s is %s", call->function, call->argument, what);
    support_forget_error();
    int answer = call->call(handle);
    if (call->kind != STATUS) {
        if (answer != 1)
            fail_msg("%s: a wrong handle is not taken for NULL", sentence);
    } else if (answer != CN_ERR_ARGUMENT || strcmp(cn_last_error(), sentence) != 0) {
        fail_msg("%s: instead status %d, \"%s\"", sentence, answer, cn_last_error());
    }
}

static void a_handle_of_another_type(void **state)
{
    (void)state;
    for (size_t c = 0; c < CALLS; c++)
        for (int type = 0; type < TYPES; type++) {
            char what[80];
            snprintf(what, sizeof what, "not a %s but a %s", type_names[calls[c].type],
                     type_names[type]);
            if (type != calls[c].type)
                expect_refusal(&calls[c], good[type], what);
        }
}

static void a_handle_of_a_freed_object(void **state)
{
    (void)state;
    uint64_t foreign[64] = {17};
    for (size_t c = 0; c < CALLS; c++) {
        char what[80];
        snprintf(what, sizeof what,
                 "not a %s: it is a freed object or not an object of the library",
                 type_names[calls[c].type]);
        for (int type = 0; type < TYPES; type++)
            expect_refusal(&calls[c], freed[type], what);
        expect_refusal(&calls[c], foreign, what);
    }
}

static void a_handle_that_is_null(void **state)
{
    (void)state;
    for (size_t c = 0; c < CALLS; c++)
        if (!takes_null(&calls[c]))
            expect_refusal(&calls[c], NULL, "NULL");
}

/* All calls are refused because of the handle, not because of what else the table gives. */
static void every_type_has_calls(void **state)
{
    (void)state;
    size_t of[TYPES][3] = {{0}};
    for (size_t c = 0; c < CALLS; c++)
        of[calls[c].type][calls[c].kind]++;
    for (int type = 0; type < TYPES; type++) {
        assert_true(of[type][STATUS] + of[type][ANSWER] > 0);
        assert_int_equal(of[type][END], 1);
    }
}

/* The faults hold the topology; a second free of its handle takes nothing away from them. */
static void a_topology_is_freed_twice(void **state)
{
    (void)state;
    cn_topology *cube, *stale;
    cn_faults *faults;
    uint64_t distance;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    stale = cube;
    cn_topology_free(&cube);
    cn_topology_free(&stale);
    assert_non_null(stale);
    assert_ok(cn_faults_distance(faults, 0, 15, NULL, &distance));
    assert_int_equal(distance, 4);
    cn_faults_free(&faults);
    cn_topology_free(&stale);
    assert_string_equal(cn_topology_name(stale), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_has_calls),       cmocka_unit_test(a_handle_of_another_type),
        cmocka_unit_test(a_handle_of_a_freed_object), cmocka_unit_test(a_handle_that_is_null),
        cmocka_unit_test(a_topology_is_freed_twice),
    };
    return cmocka_run_group_tests_name("handles", tests, set_up, take_down);
}

#include "support/support.h"

#include "cubenet/experimental/damage.h"

#include <math.h>

/* A search that takes thousands of steps. */
static cn_topology *network(void)
{
    cn_topology *t;
    assert_ok(cn_topology_psnn(9, &t));
    return t;
}

typedef struct calls {
    int count, most;
    uint64_t total;
    double lower, upper;
} calls;

static int count(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    calls *c = user;
    c->total = total;
    assert_true(total == 0 || done <= total);
    assert_true(lower <= upper);
    c->lower = lower;
    c->upper = upper;
    return ++c->count >= c->most;
}

/* One object does for every search; what it is set to holds until it is set anew. */
static void one_object_for_all_searches(void **state)
{
    (void)state;
    cn_topology *t = network(), *cube;
    cn_control *control;
    cn_faults *faults;
    cn_subnet *subnet;
    cn_known kind;
    calls c = {.most = 1000000};
    double low, high;
    uint64_t lower, upper, used;
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_progress(control, count, &c));
    assert_ok(cn_control_set_steps(control, 3000));
    assert_ok(cn_topology_measure(t, CN_MEASURE_BISECTION_WIDTH, 0.5, control, &low, &high, &kind));
    assert_true(c.count > 0 && c.total == 3000);
    c.count = 0;
    assert_ok(cn_topology_bisection(t, control, NULL, 0, &lower, &upper, &kind));
    assert_true(c.count > 0 && c.total == 3000);
    assert_true(low == (double)lower && high == (double)upper);
    c.count = 0;
    assert_ok(
        cn_topology_broadcast_schedule(t, 0, control, NULL, NULL, NULL, 0, &lower, &upper, &kind));
    assert_true(c.count > 0 && c.total == 3000);
    assert_ok(cn_topology_hypercube(6, &cube));
    assert_ok(cn_faults_new(cube, &faults));
    assert_ok(cn_faults_add_random_nodes(faults, 12, 3));
    c.count = 0;
    assert_ok(cn_control_set_steps(control, CN_SEARCH_UNLIMITED));
    assert_ok(cn_subnet_optimum(faults, control, &subnet, &upper, &used));
    assert_true(c.count > 0 && c.total == 0);
    assert_true(used > 1 && upper == cn_subnet_survivor_count(subnet));
    cn_subnet_free(&subnet);
    c.most = 1;
    c.count = 0;
    assert_int_equal(cn_subnet_optimum(faults, control, &subnet, &lower, &used), CN_ERR_CANCELLED);
    assert_int_equal(c.count, 1);
    assert_int_equal(used, 1);
    assert_true(lower >= upper);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_control_free(&control);
    cn_topology_free(&t);
    cn_topology_free(&cube);
}

/* NULL, a new control, and one that was set back give the same. */
static void defaults(void **state)
{
    (void)state;
    cn_topology *t;
    cn_control *control;
    cn_known kind;
    uint64_t lower[3], upper[3];
    assert_ok(cn_topology_psnn(6, &t));
    assert_ok(cn_control_new(&control));
    assert_ok(cn_topology_bisection(t, NULL, NULL, 0, &lower[0], &upper[0], &kind));
    assert_ok(cn_topology_bisection(t, control, NULL, 0, &lower[1], &upper[1], &kind));
    assert_ok(cn_control_set_steps(control, 1));
    assert_ok(cn_control_set_seconds(control, 3600.0));
    assert_ok(cn_control_set_steps(control, 0));
    assert_ok(cn_control_set_seconds(control, 0.0));
    assert_ok(cn_topology_bisection(t, control, NULL, 0, &lower[2], &upper[2], &kind));
    assert_int_equal(kind, CN_KNOWN_EXACT);
    for (int i = 1; i < 3; i++)
        assert_true(lower[i] == lower[0] && upper[i] == upper[0]);
    cn_control_free(&control);
    cn_topology_free(&t);
}

static void errors(void **state)
{
    (void)state;
    cn_control *control;
    assert_fails(cn_control_new(NULL), CN_ERR_ARGUMENT, "control is NULL");
    assert_fails(cn_control_set_steps(NULL, 1), CN_ERR_ARGUMENT, "control is NULL");
    assert_fails(cn_control_set_progress(NULL, NULL, NULL), CN_ERR_ARGUMENT, "control is NULL");
    assert_ok(cn_control_new(&control));
    assert_fails(cn_control_set_seconds(control, -1.0), CN_ERR_ARGUMENT, "seconds = -1");
    assert_fails(cn_control_set_seconds(control, NAN), CN_ERR_ARGUMENT, "seconds = ");
    assert_fails(cn_control_set_seconds(control, HUGE_VAL), CN_ERR_ARGUMENT, "seconds = inf");
    cn_control_free(&control);
    assert_null(control);
    cn_control_free(&control);
    cn_control_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_object_for_all_searches),
        cmocka_unit_test(defaults),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

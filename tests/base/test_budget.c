#include "support/support.h"

#include "support/limits.h"

#include <math.h>

#include "base/budget.h"

static void steps(void **state)
{
    (void)state;
    cni_budget b;
    assert_ok(cni_budget_start(&b, "test", LIMITS(.steps = 10), CN_SEARCH_DEFAULT));
    assert_int_equal(cni_budget_spend(&b, 4), 1);
    assert_int_equal(cni_budget_left(&b), 6);
    assert_int_equal(cni_budget_spend(&b, 6), 0);
    assert_int_equal(cni_budget_left(&b), 0);
    assert_int_equal(b.stopped, 0);
    assert_int_equal(cni_budget_spend(NULL, 1000), 1);
    assert_ok(cni_budget_start(&b, "test", NULL, CN_SEARCH_DEFAULT));
    assert_int_equal(cni_budget_left(&b), CN_SEARCH_DEFAULT);
}

static void parts(void **state)
{
    (void)state;
    cni_budget whole, part;
    assert_ok(cni_budget_start(&whole, "test", LIMITS(.steps = 100), CN_SEARCH_DEFAULT));
    part = cni_budget_part(&whole, 30, 0.5);
    assert_int_equal(cni_budget_left(&part), 30);
    assert_int_equal(cni_budget_spend(&part, 40), 0);
    cni_budget_join(&whole, &part);
    assert_int_equal(cni_budget_left(&whole), 60);
    assert_int_equal(cni_budget_spend(&whole, 1), 1);
    part = cni_budget_part(&whole, 1000, 0.5);
    assert_int_equal(cni_budget_left(&part), 59);
}

static int count_calls(void *user, uint64_t taken, uint64_t total, double lower, double upper)
{
    int *calls = user;
    assert_true(lower == 3.0 && upper == 5.0);
    assert_true(taken > 0);
    assert_true(total == 0 || total == 10); /* of the whole search, also while a part of it runs */
    return ++*calls == 2;
}

static void the_caller_stops(void **state)
{
    (void)state;
    cni_budget whole, part;
    int calls = 0;
    assert_ok(cni_budget_start(
        &whole, "test",
        LIMITS(.steps = CN_SEARCH_UNLIMITED, .progress = count_calls, .user = &calls),
        CN_SEARCH_DEFAULT));
    whole.lower = 3.0;
    whole.upper = 5.0;
    assert_int_equal(cni_budget_spend(&whole, 1), 1);
    assert_int_equal(calls, 1);
    part = cni_budget_part(&whole, 10000000, 0.5);
    assert_int_equal(cni_budget_spend(&part, 1000000), 0);
    assert_int_equal(calls, 2);
    cni_budget_join(&whole, &part);
    assert_int_equal(whole.stopped, CNI_CANCELLED);
    assert_int_equal(cni_budget_spend(&whole, 1000000), 0);
    assert_int_equal(calls, 2); /* once stopped it is not asked again */
}

/* Also where there is time left, which other parts would have. */
static void the_caller_stops_in_time(void **state)
{
    (void)state;
    cni_budget whole, part;
    int calls = 1;
    assert_ok(cni_budget_start(&whole, "test",
                               LIMITS(.steps = CN_SEARCH_UNLIMITED, .seconds = 3600.0,
                                      .progress = count_calls, .user = &calls),
                               CN_SEARCH_DEFAULT));
    whole.lower = 3.0;
    whole.upper = 5.0;
    part = cni_budget_part(&whole, 10000000, 0.5);
    assert_int_equal(cni_budget_spend(&part, 1000000), 0);
    cni_budget_join(&whole, &part);
    assert_int_equal(whole.stopped, CNI_CANCELLED);
    assert_int_equal(cni_budget_spend(&whole, 1000000), 0);
    assert_int_equal(calls, 2);
}

static void time_runs_out(void **state)
{
    (void)state;
    cni_budget whole, part;
    assert_ok(cni_budget_start(&whole, "test",
                               LIMITS(.steps = CN_SEARCH_UNLIMITED, .seconds = 3600.0),
                               CN_SEARCH_DEFAULT));
    part = cni_budget_part(&whole, UINT64_MAX, 1e-9); /* a share that is over at once */
    uint64_t rounds = 0;
    while (cni_budget_spend(&part, 1000000))
        rounds++;
    assert_true(rounds < 1000000000);
    cni_budget_join(&whole, &part);
    assert_int_equal(cni_budget_spend(&whole, 1000000), 1); /* the rest has its hour */
}

/* Work asks the caller as steps do, and takes none. */
static void work_is_no_step(void **state)
{
    (void)state;
    cni_budget b;
    int calls = 0;
    assert_ok(cni_budget_start(&b, "test",
                               LIMITS(.steps = 10, .progress = count_calls, .user = &calls),
                               CN_SEARCH_DEFAULT));
    b.lower = 3.0;
    b.upper = 5.0;
    b.done = 1;
    assert_int_equal(cni_budget_work(&b, 1000), 1);
    assert_int_equal(calls, 0);
    assert_int_equal(cni_budget_work(&b, 1000000), 1);
    assert_int_equal(calls, 1);
    assert_int_equal(cni_budget_left(&b), 9);
    assert_int_equal(cni_budget_work(&b, 1000000), 0);
    assert_int_equal(cni_budget_work(&b, 1000000), 0);
    assert_int_equal(calls, 2);
    assert_int_equal(cni_budget_work(NULL, 1000000), 1);
}

static void errors(void **state)
{
    (void)state;
    cni_budget b;
    cn_control *freed = NULL;
    struct cn_control other = {.head = {CNI_TYPE_WORD(CNI_OBJECT_sim)}};
    assert_ok(cni_budget_start(&b, "test", freed, 7));
    assert_int_equal(cni_budget_left(&b), 7);
    assert_fails(cni_budget_start(&b, "test", &other, 7), CN_ERR_ARGUMENT,
                 "test: control is not a cn_control but a cn_sim");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),
        cmocka_unit_test(parts),
        cmocka_unit_test(the_caller_stops),
        cmocka_unit_test(the_caller_stops_in_time),
        cmocka_unit_test(time_runs_out),
        cmocka_unit_test(work_is_no_step),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

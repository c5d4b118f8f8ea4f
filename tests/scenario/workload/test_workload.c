/* Workloads: what is added comes back, what makes no sense is refused, JSON. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "cubenet/experimental/workload.h"

static cn_workload *on_ring(uint64_t nodes)
{
    cn_topology *topology;
    cn_workload *workload;
    assert_ok(cn_topology_ring(nodes, 1, &topology));
    assert_ok(cn_workload_new(topology, &workload));
    cn_topology_free(&topology);
    return workload;
}

/* 0 -> 1 -> 2, a computation at 2 after both of its messages, and a second message of node 0 after
 * its first. */
static cn_workload *small_one(void)
{
    static const uint64_t first[] = {0}, both[] = {1, 2};
    cn_workload *workload = on_ring(5);
    uint64_t number = 9;
    assert_ok(cn_workload_add(workload, 0, 1, 16, 0, NULL, 0, NULL, 0, &number));
    assert_int_equal(number, 0);
    assert_ok(cn_workload_add(workload, 1, 2, 0, 50, first, 1, NULL, 0, &number));
    assert_ok(cn_workload_add(workload, 0, 2, UINT32_MAX, 0, NULL, 0, first, 1, NULL));
    assert_ok(cn_workload_add(workload, 2, 2, 0, UINT32_MAX, both, 2, NULL, 0, &number));
    assert_int_equal(number, 3);
    assert_ok(cn_workload_add(workload, 2, 0, 1, 2, both, 2, &number, 1, &number));
    return workload;
}

static void assert_message(const cn_workload *workload, size_t number, const uint64_t expected[6])
{
    cn_workload_entry m;
    assert_ok(cn_workload_message(workload, number, &m, sizeof m));
    const uint64_t found[] = {m.source, m.destination, m.flits, m.computing, m.after, m.after_sent};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(found[i], expected[i]);
}

static void what_was_added_comes_back(void **state)
{
    (void)state;
    cn_workload *workload = small_one(), *copy;
    uint64_t waits[3], steps;
    size_t count;
    assert_ok(cn_workload_copy(workload, &copy));
    assert_true(cn_workload_equal(workload, copy));
    assert_ok(cn_workload_add(workload, 3, 4, 1, 0, NULL, 0, NULL, 0, NULL));
    assert_false(cn_workload_equal(workload, copy));
    assert_int_equal(cn_workload_count(workload), 6);
    assert_int_equal(cn_workload_count(copy), 5);
    assert_message(copy, 1, (uint64_t[]){1, 2, 0, 50, 1, 0});
    assert_message(copy, 2, (uint64_t[]){0, 2, UINT32_MAX, 0, 0, 1});
    assert_message(copy, 3, (uint64_t[]){2, 2, 0, UINT32_MAX, 2, 0});
    assert_message(copy, 4, (uint64_t[]){2, 0, 1, 2, 2, 1});
    assert_ok(cn_workload_waits(copy, 4, waits, 3, &count));
    assert_int_equal(count, 3);
    assert_int_equal(waits[0], 1);
    assert_int_equal(waits[1], 2);
    assert_int_equal(waits[2], 3);
    assert_fails(cn_workload_waits(copy, 4, waits, 2, &count), CN_ERR_CAPACITY, "3 waits");
    assert_ok(cn_workload_waits(copy, 0, NULL, 0, &count));
    assert_int_equal(count, 0);
    assert_ok(cn_workload_steps(copy, &steps));
    assert_int_equal(steps, 3); /* messages 0, 1 and 4; 3 is none */
    cn_workload_free(&copy);
    cn_workload_free(&copy);
    cn_workload_free(NULL);
    cn_workload_free(&workload);
}

static void an_older_caller_has_a_shorter_message(void **state)
{
    (void)state;
    cn_workload *workload = small_one();
    cn_workload_entry m;
    memset(&m, 0x77, sizeof m);
    assert_ok(cn_workload_message(workload, 1, &m, 2 * sizeof m.source));
    assert_int_equal(m.source, 1);
    assert_int_equal(m.destination, 2);
    assert_int_equal(m.flits, UINT64_C(0x7777777777777777));
    assert_fails(cn_workload_message(workload, 1, &m, 7), CN_ERR_ARGUMENT, "size = 7");
    cn_workload_free(&workload);
}

static void an_empty_one_has_no_steps(void **state)
{
    (void)state;
    cn_workload *workload = on_ring(5), *other = on_ring(6), *copy;
    uint64_t steps = 9;
    assert_ok(cn_workload_steps(workload, &steps));
    assert_int_equal(steps, 0);
    assert_ok(cn_workload_copy(workload, &copy));
    assert_true(cn_workload_equal(workload, copy));
    assert_false(cn_workload_equal(workload, other));
    assert_false(cn_workload_equal(workload, NULL));
    assert_int_equal(cn_workload_count(NULL), 0);
    assert_ok(cn_workload_add(copy, 4, 0, 0, 0, NULL, 0, NULL, 0, NULL));
    cn_workload_free(&workload);
    cn_workload_free(&other);
    cn_workload_free(&copy);
}

static cn_status add(cn_workload *workload, uint64_t source, uint64_t destination, uint64_t flits,
                     uint64_t after, uint64_t after_sent)
{
    return cn_workload_add(workload, source, destination, flits, 0, &after, after != UINT64_MAX,
                           &after_sent, after_sent != UINT64_MAX, NULL);
}

static void bad_messages_are_refused(void **state)
{
    (void)state;
    const uint64_t none = UINT64_MAX;
    cn_workload *workload = small_one();
    cn_workload_entry m;
    assert_fails(add(workload, 5, 0, 1, none, none), CN_ERR_ARGUMENT, "source = 5");
    assert_fails(add(workload, 0, 5, 1, none, none), CN_ERR_ARGUMENT, "destination = 5");
    assert_fails(add(workload, 0, 1, UINT64_C(1) << 32, none, none), CN_ERR_ARGUMENT,
                 "flits = 4294967296");
    assert_fails(add(workload, 3, 3, 7, none, none), CN_ERR_ARGUMENT,
                 "both 3, but flits = 7: a message to the source itself is computing alone");
    assert_fails(add(workload, 0, 1, 1, 5, none), CN_ERR_ARGUMENT,
                 "after[0] = 5, but message 5 may wait only for messages with smaller numbers");
    assert_fails(add(workload, 0, 1, 1, none, 7), CN_ERR_ARGUMENT,
                 "after_sent[0] = 7, but message 5 may wait only");
    assert_fails(add(workload, 0, 1, 1, 0, none), CN_ERR_ARGUMENT,
                 "message 0 goes to node 1, and message 5 of node 0 may wait only for deliveries");
    assert_fails(
        add(workload, 1, 3, 1, none, 0), CN_ERR_ARGUMENT,
        "message 0 is sent by node 0, and message 5 of node 1 may wait only for injections");
    assert_fails(cn_workload_add(workload, 0, 1, 1, UINT64_C(1) << 32, NULL, 0, NULL, 0, NULL),
                 CN_ERR_ARGUMENT, "computing = 4294967296");
    assert_fails(cn_workload_add(workload, 0, 1, 1, 0, NULL, 1, NULL, 0, NULL), CN_ERR_ARGUMENT,
                 "after is NULL");
    assert_fails(cn_workload_message(workload, 5, &m, sizeof m), CN_ERR_ARGUMENT, "number = 5");
    assert_fails(cn_workload_waits(workload, 5, NULL, 0, NULL), CN_ERR_ARGUMENT, "number = 5");
    assert_int_equal(cn_workload_count(workload), 5);
    cn_workload_free(&workload);
}

/* ---- JSON ---- */

static void json_says_all_of_it(void **state)
{
    (void)state;
    cn_workload *workload = small_one(), *again;
    char text[2000];
    size_t length;
    assert_ok(cn_workload_json(workload, text, sizeof text, &length));
    assert_non_null(strstr(text,
                           "{\"source\": 2, \"destination\": 0, \"flits\": 1, \"computing\": 2, "
                           "\"after\": [1, 2], \"after_sent\": [3]}"));
    assert_non_null(strstr(text, "{\"source\": 0, \"destination\": 2, \"flits\": 4294967295, "
                                 "\"after_sent\": [0]}"));
    assert_ok(cn_workload_from_json(text, NULL, &again));
    assert_true(cn_workload_equal(workload, again));
    assert_fails(cn_workload_json(workload, text, 10, &length), CN_ERR_CAPACITY, "capacity = 10");
    cn_workload_free(&again);
    cn_workload_free(&workload);
    workload = on_ring(3);
    assert_ok(cn_workload_json(workload, text, sizeof text, NULL));
    assert_ok(cn_workload_from_json(text, NULL, &again));
    assert_true(cn_workload_equal(workload, again));
    cn_workload_free(&again);
    cn_workload_free(&workload);
}

static void bad_json_is_refused(void **state)
{
    (void)state;
    static const char head[] = "{\"cubenet\": \"workload\", \"format\": 1, "
                               "\"topology\": \"ring(5)\", \"messages\": ";
    static const struct {
        const char *messages, *sentence;
    } bad[] = {
        {"7}", "an array"},
        {"[7]}", "an object"},
        {"[{\"source\": 0}]}", "\"destination\" is missing"},
        {"[{\"source\": 0, \"destination\": 1, \"after\": [0]}]}", "smaller numbers"},
        {"[{\"source\": 0, \"destination\": 9}]}", "destination = 9"},
        {"[{\"source\": 0, \"destination\": 1, \"wait\": 0}]}", "no key \"wait\""},
        {"[{\"source\": 0, \"destination\": 1, \"flits\": -1}]}", "flits"},
    };
    char text[400];
    cn_workload *workload;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, "%s%s", head, bad[i].messages);
        assert_fails(cn_workload_from_json(text, NULL, &workload), CN_ERR_ARGUMENT,
                     bad[i].sentence);
        assert_null(workload);
    }
}

static cn_status make_and_copy(void *context)
{
    const char *text = context;
    cn_workload *workload = NULL, *copy = NULL;
    uint64_t steps;
    cn_status status = cn_workload_from_json(text, NULL, &workload);
    if (status == CN_OK)
        status = cn_workload_copy(workload, &copy);
    if (status == CN_OK)
        status = cn_workload_steps(copy, &steps);
    cn_workload_free(&workload);
    cn_workload_free(&copy);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    cn_workload *workload = small_one();
    char text[2000];
    assert_ok(cn_workload_json(workload, text, sizeof text, NULL));
    cn_workload_free(&workload);
    support_fail_every_allocation(make_and_copy, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_added_comes_back),
        cmocka_unit_test(an_older_caller_has_a_shorter_message),
        cmocka_unit_test(an_empty_one_has_no_steps),
        cmocka_unit_test(bad_messages_are_refused),
        cmocka_unit_test(json_says_all_of_it),
        cmocka_unit_test(bad_json_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/support.h"

#include "base/error.h"

#include <string.h>

#if CNI_THREADS
#include <pthread.h>
#endif

static const struct {
    cn_status status;
    int number;
} statuses[] = {
    {CN_OK, 0},
    {CN_DONE, 1},
    {CN_REFUSED, 2},
    {CN_ERR_ARGUMENT, -1},
    {CN_ERR_MEMORY, -2},
    {CN_ERR_UNSUPPORTED, -3},
    {CN_ERR_UNSTABLE, -4},
    {CN_ERR_NOT_FOUND, -5},
    {CN_ERR_OVERFLOW, -6},
    {CN_ERR_CAPACITY, -7},
    {CN_ERR_STATE, -8},
    {CN_ERR_CONVERGENCE, -9},
    {CN_ERR_DEADLOCK, -10},
    {CN_ERR_THREAD, -11},
    {CN_ERR_DISCONNECTED, -12},
    {CN_ERR_INTERNAL, -99},
};
enum { STATUSES = sizeof statuses / sizeof statuses[0] };

static void text_is_empty_before_the_first_failure(void **state)
{
    (void)state;
    assert_string_equal(cn_last_error(), "");
}

static void every_status_has_its_number_and_its_own_sentence(void **state)
{
    (void)state;
    for (int i = 0; i < STATUSES; i++) {
        assert_int_equal(statuses[i].status, statuses[i].number);
        assert_true(strlen(cn_status_text(statuses[i].status)) > 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(cn_status_text(statuses[i].status),
                                    cn_status_text(statuses[j].status));
    }
}

static void unknown_status_has_a_sentence_too(void **state)
{
    (void)state;
    static const int unknown[] = {3, -13, -98, -100, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        const char *text = cn_status_text((cn_status)unknown[i]);
        assert_non_null(text);
        assert_true(strlen(text) > 0);
        for (int j = 0; j < STATUSES; j++)
            assert_string_not_equal(text, cn_status_text(statuses[j].status));
    }
}

static void fail_keeps_the_sentence_and_returns_the_status(void **state)
{
    (void)state;
    assert_int_equal(cni_fail(CN_ERR_STATE, "a = %d, b = %s", 17, "x"), CN_ERR_STATE);
    assert_string_equal(cn_last_error(), "a = 17, b = x");
    assert_int_equal(cni_fail(CN_ERR_OVERFLOW, "other"), CN_ERR_OVERFLOW);
    assert_string_equal(cn_last_error(), "other");
    assert_int_equal(cni_fail_invalid("the_function", "the_argument", NULL, CNI_NO_OBJECT),
                     CN_ERR_ARGUMENT);
    assert_non_null(strstr(cn_last_error(), "the_function"));
    assert_non_null(strstr(cn_last_error(), "the_argument"));
}

static void success_leaves_the_sentence(void **state)
{
    (void)state;
    cn_topology *cube;
    cni_fail(CN_ERR_STATE, "stays");
    assert_ok(cn_topology_hypercube(3, &cube));
    cn_topology_free(&cube);
    assert_string_equal(cn_last_error(), "stays");
}

/* A sentence can be made from the one before it. */
static void sentence_may_quote_the_last_one(void **state)
{
    (void)state;
    cni_fail(CN_ERR_STATE, "inner");
    cni_fail(CN_ERR_STATE, "outer: %s", cn_last_error());
    assert_string_equal(cn_last_error(), "outer: inner");
    cn_param param;
    cni_fail(CN_ERR_STATE, "nonsense");
    assert_int_equal(cn_param_from_name(cn_last_error(), &param), CN_ERR_NOT_FOUND);
    assert_non_null(strstr(cn_last_error(), "nonsense"));
}

static void long_sentence_is_cut_cleanly(void **state)
{
    (void)state;
    enum { LENGTH = 20000 };
    static char text[LENGTH + 1];
    for (int i = 0; i < LENGTH; i++)
        text[i] = (char)('a' + i % 26);
    assert_int_equal(cni_fail(CN_ERR_ARGUMENT, "%s", text), CN_ERR_ARGUMENT);
    size_t length = strlen(cn_last_error());
    assert_in_range(length, 100, LENGTH - 1);
    assert_memory_equal(cn_last_error(), text, length - 3); /* the end may say that it is cut */
    cni_fail(CN_ERR_ARGUMENT, "short");
    assert_string_equal(cn_last_error(), "short");
}

#if CNI_THREADS
static void *fail_in_thread(void *argument)
{
    const char **before_and_after = argument;
    before_and_after[0] = cn_last_error()[0] == '\0' ? "empty" : "not empty";
    cni_fail(CN_ERR_STATE, "second thread");
    before_and_after[1] = strcmp(cn_last_error(), "second thread") == 0 ? "own" : "foreign";
    return NULL;
}

static void every_thread_has_its_own_sentence(void **state)
{
    (void)state;
    const char *seen[2][2];
    pthread_t thread[2];
    cni_fail(CN_ERR_STATE, "first thread");
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, fail_in_thread, seen[i]), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_string_equal(seen[i][0], "empty");
        assert_string_equal(seen[i][1], "own");
    }
    assert_string_equal(cn_last_error(), "first thread");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_empty_before_the_first_failure),
        cmocka_unit_test(every_status_has_its_number_and_its_own_sentence),
        cmocka_unit_test(unknown_status_has_a_sentence_too),
        cmocka_unit_test(fail_keeps_the_sentence_and_returns_the_status),
        cmocka_unit_test(success_leaves_the_sentence),
        cmocka_unit_test(sentence_may_quote_the_last_one),
        cmocka_unit_test(long_sentence_is_cut_cleanly),
#if CNI_THREADS
        cmocka_unit_test(every_thread_has_its_own_sentence),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

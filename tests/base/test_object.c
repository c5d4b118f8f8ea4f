/* The word at the head of an object. */
#include "support/support.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

struct cn_faults {
    cni_object head;
    uint64_t content;
};

static cn_status require(const cn_faults *faults, const uint64_t *number)
{
    CNI_REQUIRE(faults);
    CNI_REQUIRE(number);
    return CN_OK;
}

static cn_status accept(const cn_faults *faults)
{
    CNI_REQUIRE_OR_NULL(faults);
    return CN_OK;
}

static cn_status require_function(int (*function)(void))
{
    CNI_REQUIRE_FUNCTION(function);
    return CN_OK;
}

static int some_function(void)
{
    return 17;
}

static void a_new_object_is_empty_but_for_its_head(void **state)
{
    (void)state;
    cn_faults *faults = CNI_NEW(faults);
    assert_non_null(faults);
    assert_int_equal(faults->content, 0);
    assert_int_equal(CNI_IS_VALID(faults), 1);
    cni_object_release(faults);
    assert_int_equal(cni_live_blocks(), 0);
}

static void types_are_told_apart(void **state)
{
    (void)state;
    cni_object object = {0};
    for (cni_type type = CNI_NO_OBJECT + 1; type < CNI_TYPES; type++) {
        object.word = CNI_TYPE_WORD(type);
        for (cni_type other = CNI_NO_OBJECT + 1; other < CNI_TYPES; other++)
            assert_int_equal(cni_is_valid(&object, other), type == other);
    }
    const cn_faults *faults = NULL;
    assert_int_equal(CNI_TYPE_OF(faults), CNI_OBJECT_faults);
    assert_int_equal(CNI_TYPE_OF((cn_sim *)NULL), CNI_OBJECT_sim);
    assert_int_equal(CNI_TYPE_OF(&faults), CNI_NO_OBJECT);
    assert_int_equal(CNI_TYPE_OF(&object.word), CNI_NO_OBJECT);
}

static void a_wrong_handle_is_named(void **state)
{
    (void)state;
    cn_faults faults = {{CNI_TYPE_WORD(CNI_OBJECT_faults)}, 3};
    uint64_t number = 0;
    assert_ok(require(&faults, &number));
    assert_ok(accept(&faults));
    assert_ok(accept(NULL));
    assert_ok(require_function(some_function));
    assert_fails(require(NULL, &number), CN_ERR_ARGUMENT, "require: faults is NULL");
    assert_fails(require(&faults, NULL), CN_ERR_ARGUMENT, "require: number is NULL");
    assert_fails(require_function(NULL), CN_ERR_ARGUMENT, "require_function: function is NULL");
    faults.head.word = CNI_TYPE_WORD(CNI_OBJECT_study);
    assert_fails(require(&faults, &number), CN_ERR_ARGUMENT,
                 "faults is not a cn_faults but a cn_study");
    faults.head.word = 0;
    assert_fails(require(&faults, &number), CN_ERR_ARGUMENT,
                 "faults is not a cn_faults: it is a freed");
    assert_fails(accept(&faults), CN_ERR_ARGUMENT, "faults is not a cn_faults: it is a freed");
}

/* Memory that outlives what was in it. */
static cn_faults only;

static void *give(void *user, size_t size)
{
    (void)user;
    assert_true(size <= sizeof only);
    return &only;
}

static void take(void *user, void *memory)
{
    (void)user;
    assert_ptr_equal(memory, &only);
}

static void the_word_is_cleared_at_the_end(void **state)
{
    (void)state;
    assert_ok(cn_set_allocator(give, take, NULL));
    cn_faults *faults = CNI_NEW(faults);
    assert_true(CNI_IS_VALID(&only));
    cni_object_release(faults);
    assert_false(CNI_IS_VALID(&only));
    assert_int_equal(only.head.word, 0);
    assert_ok(cn_set_allocator(NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_object_is_empty_but_for_its_head),
        cmocka_unit_test(types_are_told_apart),
        cmocka_unit_test(a_wrong_handle_is_named),
        cmocka_unit_test(the_word_is_cleared_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

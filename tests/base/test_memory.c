#include "support/support.h"

#include "base/memory.h"

#include <string.h>

static void blocks_are_zeroed_and_aligned(void **state)
{
    (void)state;
    for (size_t count = 1; count < 300; count += 7) {
        unsigned char *block = cni_allocate(count, 3);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < 3 * count; i++)
            assert_int_equal(block[i], 0);
        memset(block, 0xff, 3 * count); /* so that the next one does not find zeros by chance */
        cni_release(block);
    }
}

static void empty_blocks_are_blocks(void **state)
{
    (void)state;
    void *a = cni_allocate(0, 8), *b = cni_allocate(8, 0), *c = cni_allocate(0, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    assert_true(a != b && b != c && a != c);
    assert_int_equal(cni_live_blocks(), 3);
    cni_release(a);
    cni_release(b);
    cni_release(c);
    cni_release(NULL);
    assert_int_equal(cni_live_blocks(), 0);
}

static cn_status allocate(uint64_t count, size_t size)
{
    void *block = cni_allocate(count, size);
    cni_release(block);
    return block == NULL ? CN_ERR_MEMORY : CN_OK;
}

static void product_that_overflows_is_refused(void **state)
{
    (void)state;
    support_install_allocator(0);
    assert_fails(allocate(SIZE_MAX, 2), CN_ERR_MEMORY, "out of memory");
    assert_fails(allocate(2, SIZE_MAX), CN_ERR_MEMORY, "out of memory");
    assert_fails(allocate(SIZE_MAX / 2 + 1, 2), CN_ERR_MEMORY, "elements of 2 bytes");
    assert_fails(allocate(SIZE_MAX / 8 + 2, 8), CN_ERR_MEMORY, "out of memory");
    assert_fails(allocate(SIZE_MAX, SIZE_MAX), CN_ERR_MEMORY, "out of memory");
    for (uint32_t log2 = 61; log2 < 64; log2++) /* no count is cut on its way */
        assert_fails(allocate((UINT64_C(1) << log2) + 1, 8), CN_ERR_MEMORY, "elements of 8 bytes");
    assert_fails(allocate(UINT64_MAX, 1), CN_ERR_MEMORY, "18446744073709551615 elements");
    assert_int_equal(cni_size(UINT64_MAX), SIZE_MAX);
    assert_int_equal(cni_size(7), 7);
    assert_int_equal(support_allocations(), 0);
    support_remove_allocator();
    assert_int_equal(cni_live_blocks(), 0);
}

static void failed_block_is_not_counted(void **state)
{
    (void)state;
    support_install_allocator(1);
    assert_fails(allocate(10, 10), CN_ERR_MEMORY,
                 "allocate: out of memory for 10 elements of 10 bytes");
    assert_int_equal(cni_live_blocks(), 0);
    support_remove_allocator();
}

typedef struct witness {
    uint64_t allocated, released;
    size_t greatest;
} witness;

static void *witness_allocate(void *user, size_t size)
{
    witness *w = user;
    w->allocated++;
    w->greatest = size > w->greatest ? size : w->greatest;
    assert_true(size > 0);
    void *block = malloc(size);
    memset(block, 0xa5, size); /* the library may not count on zeros */
    return block;
}

static void witness_release(void *user, void *memory)
{
    witness *w = user;
    w->released++;
    assert_non_null(memory);
    free(memory);
}

static void hook_sees_every_block(void **state)
{
    (void)state;
    witness w = {0};
    static const uint64_t edges[] = {0, 1, 1, 2};
    assert_ok(cn_set_allocator(witness_allocate, witness_release, &w));
    assert_ok(allocate(0, 0));
    assert_ok(allocate(5, 20));
    assert_int_equal(w.allocated, 2);
    assert_int_equal(w.released, 2);
    assert_true(w.greatest >= 100);
    unsigned char *block = cni_allocate(10, 10);
    for (int i = 0; i < 100; i++)
        assert_int_equal(block[i], 0);
    cni_release(block);

    cn_topology *path;
    assert_ok(cn_topology_from_edges(3, edges, 2, NULL, &path));
    assert_true(w.allocated > 3 && w.released < w.allocated);
    cn_topology_free(&path);
    assert_true(w.released == w.allocated);
    assert_ok(cn_set_allocator(NULL, NULL, NULL));
    uint64_t before = w.allocated;
    assert_ok(allocate(1, 1));
    assert_true(w.allocated == before);
}

static void allocator_may_not_change_under_a_block(void **state)
{
    (void)state;
    witness w = {0};
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_true(cni_live_blocks() > 0);
    assert_fails(cn_set_allocator(witness_allocate, witness_release, &w), CN_ERR_STATE,
                 "blocks of the present allocator");
    assert_fails(cn_set_allocator(NULL, NULL, NULL), CN_ERR_STATE,
                 "blocks of the present allocator");
    cn_topology_free(&cube);
    assert_int_equal(cni_live_blocks(), 0);
    assert_int_equal(w.allocated, 0);
    assert_ok(cn_set_allocator(witness_allocate, witness_release, &w));
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_fails(cn_set_allocator(NULL, NULL, NULL), CN_ERR_STATE,
                 "blocks of the present allocator");
    cn_topology_free(&cube);
    assert_true(w.allocated > 0 && w.allocated == w.released);
    assert_ok(cn_set_allocator(NULL, NULL, NULL));
}

static void half_an_allocator_is_refused(void **state)
{
    (void)state;
    assert_fails(cn_set_allocator(witness_allocate, NULL, NULL), CN_ERR_ARGUMENT, "release");
    assert_fails(cn_set_allocator(NULL, witness_release, NULL), CN_ERR_ARGUMENT, "allocate");
    assert_ok(allocate(1, 1)); /* still by malloc and free */
}

static void grow_doubles_from_sixteen_and_keeps_the_content(void **state)
{
    (void)state;
    uint32_t *array = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        if (i == capacity) {
            assert_ok(cni_grow((void **)&array, &capacity, (size_t)i + 1, sizeof array[0]));
            assert_true(capacity == (i == 0 ? 16 : 2 * (size_t)i));
        }
        array[i] = i;
    }
    uint32_t *before = array;
    assert_ok(cni_grow((void **)&array, &capacity, 8192, sizeof array[0]));
    assert_ptr_equal(array, before); /* it has that room already */
    assert_true(capacity == 8192);
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(array[i], i);
    assert_ok(cni_grow((void **)&array, &capacity, 100000, sizeof array[0]));
    assert_true(capacity == 131072);
    assert_int_equal(array[4999], 4999);
    cni_release(array);
    assert_int_equal(cni_live_blocks(), 0);
}

static void grow_that_fails_changes_nothing(void **state)
{
    (void)state;
    uint64_t *array = NULL;
    size_t capacity = 0;
    assert_ok(cni_grow((void **)&array, &capacity, 3, sizeof array[0]));
    array[2] = 42;
    uint64_t *before = array;
    static const size_t too_many[] = {SIZE_MAX, SIZE_MAX / 2 + 2, SIZE_MAX / 8 + 1};
    for (int i = 0; i < 3; i++) {
        assert_fails(cni_grow((void **)&array, &capacity, too_many[i], sizeof array[0]),
                     CN_ERR_MEMORY, "out of memory");
        assert_ptr_equal(array, before);
        assert_int_equal(capacity, 16);
        assert_int_equal(array[2], 42);
    }
    cni_release(array);

    support_install_allocator(2);
    array = NULL;
    capacity = 0;
    assert_ok(cni_grow((void **)&array, &capacity, 16, sizeof array[0]));
    array[15] = 7;
    before = array;
    assert_fails(cni_grow((void **)&array, &capacity, 17, sizeof array[0]), CN_ERR_MEMORY,
                 "32 elements of 8");
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, 16);
    assert_int_equal(array[15], 7);
    cni_release(array);
    assert_int_equal(support_blocks(), 0);
    support_remove_allocator();
}

static void the_last_drop_destroys(void **state)
{
    (void)state;
    cni_references references = 1;
    cni_retain(&references);
    cni_retain(&references);
    assert_int_equal(cni_drop(&references), 0);
    assert_int_equal(cni_drop(&references), 0);
    assert_int_equal(cni_drop(&references), 1);
}

/* Every array of a block has its own places, all 0; one that cannot be leaves the pointers
 * alone. */
static void arrays_share_a_block(void **state)
{
    (void)state;
    unsigned char *bytes = NULL;
    double *reals = NULL;
    uint64_t *none = NULL, *words = NULL;
    void *block;
    size_t live = cni_live_blocks();
    const cni_array arrays[] = {
        CNI_ARRAY(bytes, 3),
        CNI_ARRAY(reals, 65),
        CNI_ARRAY(none, 0),
        CNI_ARRAY(words, 7),
    };
    assert_int_equal(cni_allocate_arrays(&block, arrays), CN_OK);
    assert_int_equal(cni_live_blocks(), live + 1);
    for (int i = 0; i < 65; i++)
        assert_true(reals[i] == 0.0);
    memset(bytes, 255, 3);
    memset(words, 255, 7 * sizeof *words);
    for (int i = 0; i < 65; i++)
        assert_true(reals[i] == 0.0);
    assert_true((uintptr_t)reals % sizeof *reals == 0 && (uintptr_t)words % sizeof *words == 0);
    cni_release(block);
    assert_int_equal(cni_live_blocks(), live);

    uint64_t *absent = NULL, huge = UINT64_MAX / 8; /* what is not made takes no room */
    const cni_array some[] = {CNI_ARRAY_IF(0, absent, huge), CNI_ARRAY_IF(1, words, 7),
                              CNI_ARRAY(bytes, 3)};
    assert_int_equal(cni_allocate_arrays(&block, some), CN_OK);
    assert_null(absent);
    memset(bytes, 255, 3);
    for (int i = 0; i < 7; i++)
        assert_true(words[i] == 0);
    cni_release(block);

    double *before = reals = (double *)&live;
    const cni_array wide[] = {CNI_ARRAY(reals, UINT64_MAX / 8), CNI_ARRAY(words, UINT64_MAX / 8)};
    assert_int_equal(cni_allocate_arrays(&block, wide), CN_ERR_MEMORY);
    assert_null(block);
    assert_ptr_equal(reals, before);
    assert_int_equal(cni_live_blocks(), live);

    /* each could be, and their sum is 2^64 */
    const cni_array most[] = {CNI_ARRAY(bytes, (uint64_t)PTRDIFF_MAX - 150),
                              CNI_ARRAY(bytes, (uint64_t)PTRDIFF_MAX)};
    assert_int_equal(cni_allocate_arrays(&block, most), CN_ERR_MEMORY);
    assert_int_equal(cni_live_blocks(), live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_share_a_block),
        cmocka_unit_test(blocks_are_zeroed_and_aligned),
        cmocka_unit_test(empty_blocks_are_blocks),
        cmocka_unit_test(product_that_overflows_is_refused),
        cmocka_unit_test(failed_block_is_not_counted),
        cmocka_unit_test(hook_sees_every_block),
        cmocka_unit_test(allocator_may_not_change_under_a_block),
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(grow_doubles_from_sixteen_and_keeps_the_content),
        cmocka_unit_test(grow_that_fails_changes_nothing),
        cmocka_unit_test(the_last_drop_destroys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

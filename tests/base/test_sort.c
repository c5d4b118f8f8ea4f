#include "support/support.h"

#include <string.h>

#include "support/limits.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/random.h"
#include "base/sort.h"

enum { MOST = 3000 };

/* An element of any size: its key first, then bytes that follow from the key and the place it
 * had. */
static unsigned char sorted[MOST * CNI_SORT_BYTES];
static uint64_t compares;

static int by_key(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    compares++;
    return (x > y) - (x < y);
}

/* Orders that sorts have trouble with. */
static uint32_t key_of(int order, uint64_t seed, uint32_t i, uint32_t count)
{
    uint64_t word = cni_random_word(seed, i);
    switch (order) {
    case 0:
        return (uint32_t)word;
    case 1:
        return (uint32_t)(word % 3); /* nearly all are equal to others */
    case 2:
        return i;
    case 3:
        return count - i;
    case 4:
        return i < count / 2 ? i : count - i; /* up and down */
    case 5:
        return i + 1 == count ? 0 : i;
    default:
        return 7;
    }
}
enum { ORDERS = 7 };

static void put(size_t size, uint32_t i, uint32_t key)
{
    unsigned char *to = sorted + i * size;
    memcpy(to, &key, sizeof key);
    for (size_t at = sizeof key; at < size; at++)
        to[at] = (unsigned char)(key * 31 + at);
}

/* In order, each with the bytes that it had, and none of them lost: the keys have the same sum and
 * sum of squares. */
static void check_sorted(size_t size, uint32_t count, uint64_t sum, uint64_t squares)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key;
        memcpy(&key, sorted + i * size, sizeof key);
        assert_true(key >= before);
        for (size_t at = sizeof key; at < size; at++)
            assert_int_equal(sorted[i * size + at], (unsigned char)(key * 31 + at));
        before = key;
        sum -= key;
        squares -= (uint64_t)key * key;
    }
    assert_int_equal(sum, 0);
    assert_int_equal(squares, 0);
}

static void every_order_and_size(void **state)
{
    (void)state;
    static const size_t sizes[] = {4, 8, 17, 64, CNI_SORT_BYTES};
    static const uint32_t counts[] = {0, 1, 2, 3, 11, 12, 13, 14, 25, 100, MOST};
    support_install_allocator(1); /* none may be asked for */
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int order = 0; order < ORDERS; order++) {
                uint64_t sum = 0, squares = 0;
                for (uint32_t i = 0; i < counts[c]; i++) {
                    uint32_t key = key_of(order, s, i, counts[c]);
                    put(sizes[s], i, key);
                    sum += key;
                    squares += (uint64_t)key * key;
                }
                compares = 0;
                assert_ok(cni_sort(sorted, counts[c], sizes[s], by_key, NULL));
                assert_true(compares <=
                            3 * (uint64_t)counts[c] * (64 - cni_leading_zeros(counts[c])));
                check_sorted(sizes[s], counts[c], sum, squares);
            }
    assert_int_equal(support_allocations(), 0);
    support_remove_allocator();
}

/* An order that is made up while it is asked for, so that every pivot is a bad one (McIlroy, "A
 * killer adversary for quicksort", 1999): what is not yet known is above all that is. */
#define GAS UINT32_MAX
static uint32_t value[MOST], solid, candidate;

static int by_adversary(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    compares++;
    if (value[x] == GAS && value[y] == GAS)
        value[x == candidate ? x : y] = solid++;
    if (value[x] == GAS)
        candidate = x;
    else if (value[y] == GAS)
        candidate = y;
    return (value[x] > value[y]) - (value[x] < value[y]);
}

static void no_order_takes_long(void **state)
{
    (void)state;
    static uint32_t numbers[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        numbers[i] = i;
        value[i] = GAS;
    }
    value[0] = 1; /* not in order, which is asked first, before all are known */
    value[1] = 0;
    solid = 2;
    compares = 0;
    assert_ok(cni_sort(numbers, MOST, sizeof *numbers, by_adversary, NULL));
    assert_true(compares < 8 * MOST * 12); /* log2 3000 = 11.6; quicksort alone takes 2250000 / 2 */
    for (uint32_t i = 1; i < MOST; i++)
        assert_true(value[numbers[i - 1]] <= value[numbers[i]]);
}

static int stop(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    (void)done, (void)total, (void)lower, (void)upper;
    return ++*(int *)user == 3;
}

/* All elements are there when it is stopped, and sorted by the next call. */
static void a_sort_that_is_stopped(void **state)
{
    (void)state;
    enum { MANY = 1 << 17 };
    uint32_t *numbers = malloc(MANY * sizeof *numbers);
    unsigned char *seen = calloc(MANY, 1);
    cni_budget budget;
    int calls = 0;
    assert_true(numbers != NULL && seen != NULL);
    for (uint32_t i = 0; i < MANY; i++)
        numbers[i] = (uint32_t)(i * UINT64_C(40503) % MANY); /* odd: every number once */
    assert_ok(cni_budget_begin(&budget, "test", LIMITS(.progress = stop, .user = &calls), 0));
    compares = 0;
    assert_fails(cni_sort(numbers, MANY, sizeof *numbers, by_key, &budget), CN_ERR_CANCELLED,
                 "test: cancelled by its callback");
    assert_int_equal(calls, 3);
    assert_true(compares <= 3 * (1 << 18) / 8 + 1024); /* at once */
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(seen[numbers[i]]++, 0);
    /* the sort of a search writes no sentence */
    assert_true(cni_fail(CN_ERR_ARGUMENT, "before") == CN_ERR_ARGUMENT);
    assert_int_equal(cni_sort_within(numbers, MANY, sizeof *numbers, by_key, &budget), 0);
    assert_string_equal(cn_last_error(), "before");
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(seen[numbers[i]]++, 1);
    assert_int_equal(cni_sort_within(numbers, MANY, sizeof *numbers, by_key, NULL), 1);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(numbers[i], i);
    free(numbers);
    free(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_and_size),
        cmocka_unit_test(no_order_takes_long),
        cmocka_unit_test(a_sort_that_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The wheel of times, held against a look at all of them. */
#include "support/support.h"

#include "base/memory.h"
#include "base/random.h"
#include "simulation/kernel/wheel.h"

enum { NUMBERS = 40 };

static uint64_t time_of(const void *user, uint32_t number)
{
    return ((const uint64_t *)user)[number];
}

static uint64_t least_of(const uint64_t times[])
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < NUMBERS; i++)
        least = times[i] < least ? times[i] : least;
    return least;
}

/* A new time after the present one, at most 2^(less than `bits`) away; now and then none at all. */
static void put(cni_wheel *wheel, uint64_t times[], uint32_t number, uint64_t draw, uint32_t bits)
{
    uint64_t gap =
        cni_random_word(3, 2 * draw) >> (64 - bits + cni_random_word(3, 2 * draw + 1) % bits);
    times[number] = draw % 17 == 0 ? UINT64_MAX : wheel->now + 1 + gap;
    if (times[number] != UINT64_MAX)
        cni_wheel_put(wheel, number, times[number]);
}

static void check(uint32_t bits, int goes_by_ones)
{
    cni_wheel wheel;
    uint64_t times[NUMBERS], draw = 0;
    assert_ok(cni_wheel_open(&wheel, NUMBERS));
    for (uint32_t i = 0; i < NUMBERS; i++)
        put(&wheel, times, i, draw++, bits);
    for (int round = 0; round < 3000; round++) {
        uint64_t next = cni_wheel_next(&wheel, time_of, times);
        assert_int_equal(next, least_of(times));
        if (next == UINT64_MAX || next >> 62 != 0)
            break;
        uint64_t to = goes_by_ones ? wheel.now + 1 : next;
        if (round % 5 == 0 && next - wheel.now > 2) /* some way, where nothing is due */
            to = wheel.now + 1 + cni_random_word(4, draw++) % (next - wheel.now - 1);
        uint32_t taken = 0, due = 0;
        for (uint32_t i = 0; i < NUMBERS; i++)
            due += times[i] == to;
        for (uint32_t at = cni_wheel_take(&wheel, to, time_of, times), after; at != CNI_WHEEL_NONE;
             at = after) {
            after = wheel.next[at];
            assert_int_equal(times[at], to);
            put(&wheel, times, at, draw++, bits);
            taken++;
        }
        assert_int_equal(taken, due);
    }
    cni_release(wheel.next);
}

static void all_come_at_their_time(void **state)
{
    (void)state;
    check(4, 1);
    check(9, 1);
    check(4, 0);
    check(13, 0);
    check(30, 0);
    check(55, 0);
    check(62, 0);
}

static void an_empty_wheel_has_no_next_time(void **state)
{
    (void)state;
    cni_wheel wheel;
    assert_ok(cni_wheel_open(&wheel, 1));
    assert_true(cni_wheel_next(&wheel, time_of, NULL) == UINT64_MAX);
    assert_int_equal(cni_wheel_take(&wheel, 1000000, time_of, NULL), CNI_WHEEL_NONE);
    uint64_t last = UINT64_MAX - 1;
    cni_wheel_put(&wheel, 0, last);
    assert_true(cni_wheel_next(&wheel, time_of, &last) == last);
    assert_int_equal(cni_wheel_take(&wheel, last, time_of, &last), 0);
    cni_release(wheel.next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_come_at_their_time),
        cmocka_unit_test(an_empty_wheel_has_no_next_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

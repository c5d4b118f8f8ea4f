#include "support/support.h"

#include "base/random.h"

#include <string.h>

enum { WORDS = 20000 };

static uint32_t ones(uint64_t word)
{
    uint32_t count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
}

/* Every bit is set in half of the words: five standard deviations of a binomial are sqrt(n) 2.5. */
static void assert_bits_balanced(const uint64_t words[], uint32_t count)
{
    for (uint32_t b = 0; b < 64; b++) {
        double set = 0;
        for (uint32_t i = 0; i < count; i++)
            set += (double)(words[i] >> b & 1);
        assert_near(set, count / 2.0, 2.5 * 141.5); /* sqrt(20000) */
    }
}

/* The words that the paper's reference code prints from state 0. */
static void words_are_those_of_splitmix64(void **state)
{
    (void)state;
    assert_true(cni_random_word(0, 0) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(cni_random_word(0, 1) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(cni_random_word(0, 2) == UINT64_C(0x06c45d188009454f));
    assert_true(cni_random_mix(CNI_RANDOM_STEP) == UINT64_C(0xe220a8397b1dcdaf));
}

static void mix_turns_half_of_the_bits(void **state)
{
    (void)state;
    for (uint32_t bit = 0; bit < 64; bit++) {
        double turned = 0;
        for (uint64_t i = 0; i < 1000; i++) {
            uint64_t word = cni_random_word(9, i);
            turned += ones(cni_random_mix(word) ^ cni_random_mix(word ^ UINT64_C(1) << bit));
        }
        assert_near(turned / 1000, 32, 5 * 4 / 31.6); /* standard deviation 4 / sqrt(1000) */
    }
}

static void bits_of_a_stream_are_balanced(void **state)
{
    (void)state;
    static uint64_t words[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = cni_random_word(12345, i);
    assert_bits_balanced(words, WORDS);
}

/* Streams are used by their first words, so these must be as good as words of one stream. */
static void bits_of_derived_states_are_balanced(void **state)
{
    (void)state;
    static uint64_t words[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = cni_random_derive(1, i);
    assert_bits_balanced(words, WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = cni_random_derive(i, 0);
    assert_bits_balanced(words, WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = cni_random_word(cni_random_derive(cni_random_derive(1, i / 100), i % 100), 0);
    assert_bits_balanced(words, WORDS);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Seeds, cycles and nodes are small numbers next to each other: no two may meet, nor lie so close
 * that one stream runs into the other. */
static void derived_states_all_differ(void **state)
{
    (void)state;
    enum { SIDE = 32, STATES = SIDE * SIDE * SIDE };
    static uint64_t states[STATES];
    for (uint64_t i = 0; i < STATES; i++) {
        uint64_t seed = i / SIDE / SIDE, cycle = i / SIDE % SIDE, node = i % SIDE;
        states[i] = cni_random_derive(cni_random_derive(seed, cycle), node);
    }
    qsort(states, STATES, sizeof states[0], by_value);
    for (uint32_t i = 1; i < STATES; i++)
        assert_true(states[i] != states[i - 1]);
    assert_true(cni_random_derive(1, 2) != cni_random_derive(2, 1));
    assert_true(cni_random_derive(0, UINT64_MAX) != cni_random_derive(0, 0));
}

static void below_is_the_floor(void **state)
{
    (void)state;
    assert_int_equal(cni_random_below(0, 7), 0);
    assert_int_equal(cni_random_below(UINT32_MAX, 7), 6);
    assert_int_equal(cni_random_below(UINT32_MAX, 1), 0);
    assert_int_equal(cni_random_below(UINT32_MAX, UINT32_MAX), UINT32_MAX - 1);
    assert_int_equal(cni_random_below(UINT32_C(1) << 31, 2), 1);
    assert_int_equal(cni_random_below((UINT32_C(1) << 31) - 1, 2), 0);
    for (uint64_t i = 0; i < 1000; i++) {
        uint32_t bits = (uint32_t)cni_random_word(5, i), bound = 1 + (uint32_t)(i * i);
        assert_int_equal(cni_random_below(bits, bound),
                         (uint64_t)bits * bound / (UINT64_C(1) << 32));
    }
}

/* Chi-square with the fixed stream; the limit has a probability of about 1e-5 of being passed. */
static void below_is_uniform(void **state)
{
    (void)state;
    static const struct {
        uint32_t bound;
        double limit;
    } rows[] = {{2, 19.5}, {3, 23.0}, {6, 30.9}, {10, 39.3}, {62, 119.0}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        double count[62] = {0}, sum = 0, expected = (double)WORDS / rows[r].bound;
        for (uint64_t i = 0; i < WORDS; i++)
            count[cni_random_below((uint32_t)(cni_random_word(7 + r, i) >> 32), rows[r].bound)]++;
        for (uint32_t x = 0; x < rows[r].bound; x++)
            sum += (count[x] - expected) * (count[x] - expected) / expected;
        assert_true(sum < rows[r].limit);
        assert_true(sum > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_those_of_splitmix64),
        cmocka_unit_test(mix_turns_half_of_the_bits),
        cmocka_unit_test(bits_of_a_stream_are_balanced),
        cmocka_unit_test(bits_of_derived_states_are_balanced),
        cmocka_unit_test(derived_states_all_differ),
        cmocka_unit_test(below_is_the_floor),
        cmocka_unit_test(below_is_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/support.h"

#include <math.h>

#include "base/exponential.h"
#include "base/random.h"

#define UNIT ldexp(1.0, -CNI_EXPONENTIAL_BITS)

static void the_table_holds_logarithms(void **state)
{
    (void)state;
    assert_int_equal(CNI_LN2_BITS, llround(ldexp(log(2.0), CNI_EXPONENTIAL_BITS)));
    for (int i = 0; i < 256; i++) {
        double m = (256.0 + i) / 512.0;
        assert_int_equal(cni_logarithms[i].negative, llround(ldexp(-log(m), CNI_EXPONENTIAL_BITS)));
        assert_int_equal(cni_logarithms[i].inverse, llround(ldexp(1.0 / m, 30)));
    }
}

static void it_is_the_logarithm(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200000; i++) {
        uint64_t word = cni_random_word(3, i) >> i % 60;
        double expected = -log(ldexp((double)(word | 1), -64));
        assert_near((double)cni_exponential(word) * UNIT, expected, 3e-8);
    }
    assert_near((double)cni_exponential(0) * UNIT, 64 * log(2.0), 3e-8);
    assert_near((double)cni_exponential(1) * UNIT, 64 * log(2.0), 3e-8);
    assert_near((double)cni_exponential(UINT64_MAX) * UNIT, 0.0, 3e-8);
    assert_near((double)cni_exponential(UINT64_C(1) << 63) * UNIT, log(2.0), 1e-12);
}

/* Longer for a smaller word: the shares that exceed a time are then right, too. */
static void it_falls_with_the_word(void **state)
{
    (void)state;
    uint64_t last = UINT64_MAX;
    for (uint64_t i = 0; i < 1 << 20; i++) {
        uint64_t time = cni_exponential((i << 44) + (cni_random_word(5, i) >> 20));
        assert_true(time <= last);
        last = time;
    }
}

/* Moments k! within five standard errors of 10^6 independent times. */
static void moments_are_those_of_an_exponential_time(void **state)
{
    (void)state;
    enum { TIMES = 1000000 };
    double sum = 0.0, squares = 0.0;
    for (uint64_t i = 0; i < TIMES; i++) {
        double time = (double)cni_exponential(cni_random_word(7, i)) * UNIT;
        sum += time;
        squares += time * time;
    }
    assert_near(sum / TIMES, 1.0, 5.0 / sqrt(TIMES));
    assert_near(squares / TIMES, 2.0, 5.0 * sqrt(20.0 / TIMES));
}

/* Against the math library, whose errors are far below these limits. */
static void decays_and_their_rates(void **state)
{
    (void)state;
    assert_true(cni_decay(0.0) == 1.0);
    for (int i = 1; i <= 4096; i++) {
        double x = i / 256.0;
        assert_near(cni_decay(x), exp(-x), 3e-14 * exp(-x));
    }
    for (int i = 0; i < 53; i++)
        for (uint64_t j = 0; j < 200; j++) {
            uint64_t p = (UINT64_C(1) << i) + (cni_random_word(9, j) >> 1 >> (63 - i));
            if (p >> 53 != 0)
                continue;
            double rate = -log1p(-ldexp((double)p, -53));
            assert_near(cni_decay_rate(p), rate, 1e-15 * rate);
        }
    double least = 53 * log(2.0); /* 1 - p = 2^-53 */
    assert_near(cni_decay_rate((UINT64_C(1) << 53) - 1), least, 1e-15 * least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decays_and_their_rates),
        cmocka_unit_test(the_table_holds_logarithms),
        cmocka_unit_test(it_is_the_logarithm),
        cmocka_unit_test(it_falls_with_the_word),
        cmocka_unit_test(moments_are_those_of_an_exponential_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

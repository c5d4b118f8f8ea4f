#include "support/support.h"

#include <string.h>

/* All addresses of n symbols, by number in base three. */
static void nth_text(uint32_t n, uint32_t number, char text[])
{
    for (uint32_t i = 0; i < n; i++, number /= 3)
        text[n - 1 - i] = "01X"[number % 3];
    text[n] = '\0';
}

static uint32_t power_of_three(uint32_t n)
{
    return n == 0 ? 1 : 3 * power_of_three(n - 1);
}

/* Horng 1992, 1.2.1: 0X1X stands for 0010, 0011, 0110 and 0111. */
static void example_of_the_dissertation(void **state)
{
    (void)state;
    uint32_t n;
    uint64_t value, any;
    assert_ok(cn_subcube_parse("0X1X", &n, &value, &any));
    assert_int_equal(n, 4);
    assert_int_equal(value, 2);
    assert_int_equal(any, 5);
    for (uint64_t node = 0; node < 16; node++)
        assert_int_equal(((node ^ value) & ~any) == 0,
                         node == 2 || node == 3 || node == 6 || node == 7);
}

static void text_and_words_agree(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 6; n++)
        for (uint32_t i = 0; i < power_of_three(n); i++) {
            char text[8], again[8], small[8];
            uint32_t read;
            uint64_t value, any;
            size_t length = 0;
            nth_text(n, i, text);
            assert_ok(cn_subcube_parse(text, &read, &value, &any));
            assert_int_equal(read, n);
            assert_int_equal(value & any, 0);
            for (uint32_t bit = 0; bit < n; bit++) {
                char symbol = text[n - 1 - bit];
                assert_int_equal(value >> bit & 1, symbol == '1');
                assert_int_equal(any >> bit & 1, symbol == 'X');
                small[n - 1 - bit] = symbol == 'X' ? 'x' : symbol;
            }
            assert_ok(cn_subcube_text(n, value, any, again, n + 1, &length));
            assert_string_equal(again, text);
            assert_int_equal(length, n);
            small[n] = '\0';
            uint64_t small_value, small_any;
            assert_ok(cn_subcube_parse(small, &read, &small_value, &small_any));
            assert_true(small_value == value && small_any == any);
        }
}

static void sixty_two_symbols_are_the_most(void **state)
{
    (void)state;
    char text[70], again[70];
    uint32_t n = 17;
    uint64_t value = 17, any = 17;
    memset(text, 'X', sizeof text);
    text[62] = '\0';
    assert_ok(cn_subcube_parse(text, &n, &value, &any));
    assert_int_equal(n, 62);
    assert_true(value == 0 && any == (UINT64_C(1) << 62) - 1);
    assert_ok(cn_subcube_text(62, value, any, again, sizeof again, NULL));
    assert_string_equal(again, text);
    text[0] = '1';
    assert_ok(cn_subcube_parse(text, &n, &value, &any));
    assert_true(value == UINT64_C(1) << 61 && any == (UINT64_C(1) << 61) - 1);
    text[62] = 'X';
    text[63] = '\0';
    n = 17;
    value = any = 17;
    assert_fails(cn_subcube_parse(text, &n, &value, &any), CN_ERR_ARGUMENT, "more than 62 symbols");
    assert_true(n == 17 && value == 17 && any == 17);
}

static void malformed_text_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    "2",   "0Y1", "01 ", " 01", "0-1",
                                        "*01", "0x2", "0b1", "O1",  "01\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint32_t n = 17;
        uint64_t value = 17, any = 17;
        assert_fails(cn_subcube_parse(texts[i], &n, &value, &any), CN_ERR_ARGUMENT,
                     texts[i][0] == 0 ? "text is empty" : quoted(texts[i]));
        assert_true(n == 17 && value == 17 && any == 17);
    }
    uint32_t n;
    uint64_t value, any;
    assert_fails(cn_subcube_parse(NULL, &n, &value, &any), CN_ERR_ARGUMENT, "text");
    assert_fails(cn_subcube_parse("01", NULL, &value, &any), CN_ERR_ARGUMENT, "n is NULL");
    assert_fails(cn_subcube_parse("01", &n, NULL, &any), CN_ERR_ARGUMENT, "value");
    assert_fails(cn_subcube_parse("01", &n, &value, NULL), CN_ERR_ARGUMENT, "any");
}

static void impossible_words_are_refused(void **state)
{
    (void)state;
    char text[80] = "before";
    static const struct {
        uint32_t n;
        uint64_t value, any;
        const char *part;
    } rows[] = {{0, 0, 0, "n = 0,"},
                {63, 0, 0, "n = 63"},
                {UINT32_MAX, 0, 0, "n = 4294967295"},
                {3, 8, 0, "value = 0x8"},
                {3, 0, 8, "any = 0x8"},
                {3, 1, 1, "value = 0x1, any = 0x1"},
                {3, 5, 6, "value = 0x5, any = 0x6"},
                {62, UINT64_C(3) << 62, 0, "value = 0xc000000000000000"},
                {62, 0, UINT64_C(1) << 63, "any = 0x8000000000000000"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t length = 17;
        assert_fails(
            cn_subcube_text(rows[i].n, rows[i].value, rows[i].any, text, sizeof text, &length),
            CN_ERR_ARGUMENT, rows[i].part);
        assert_string_equal(text, "before");
        assert_int_equal(length, 17);
    }
}

static void room_that_is_too_small_gives_the_length(void **state)
{
    (void)state;
    char text[8];
    size_t length = 0;
    assert_fails(cn_subcube_text(4, 2, 5, NULL, 0, &length), CN_ERR_CAPACITY, "capacity = ");
    assert_int_equal(length, 4);
    for (size_t capacity = 1; capacity <= 4; capacity++) {
        memset(text, '#', sizeof text);
        length = 0;
        assert_fails(cn_subcube_text(4, 2, 5, text, capacity, &length), CN_ERR_CAPACITY, "needs 5");
        assert_int_equal(length, 4);
        for (size_t i = capacity; i < sizeof text; i++)
            assert_int_equal(text[i], '#');
    }
    assert_fails(cn_subcube_text(4, 2, 5, text, 4, NULL), CN_ERR_CAPACITY, "capacity = ");
    assert_ok(cn_subcube_text(4, 2, 5, text, 5, NULL));
    assert_string_equal(text, "0X1X");
    assert_fails(cn_subcube_text(4, 2, 5, NULL, 5, &length), CN_ERR_ARGUMENT, "text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_of_the_dissertation),
        cmocka_unit_test(text_and_words_agree),
        cmocka_unit_test(sixty_two_symbols_are_the_most),
        cmocka_unit_test(malformed_text_is_refused),
        cmocka_unit_test(impossible_words_are_refused),
        cmocka_unit_test(room_that_is_too_small_gives_the_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

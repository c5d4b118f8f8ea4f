/* How many messages the nodes offer, and to whom. */
#include "support/support.h"

#include <string.h>

#include "base/random.h"
#include "simulation/kernel/geometric.h"

static uint64_t stream_of(uint64_t seed, uint64_t i)
{
    return cni_random_derive(cni_random_derive(seed, i), 0);
}

/* Geometric with mean `load`: chi-square over 0..7 and "more", 99.9 % for 8 degrees of freedom. */
static void check_offered(double load, uint64_t seed)
{
    enum { DRAWS = 200000, CELLS = 9 };
    cni_geometric traffic;
    uint64_t seen[CELLS] = {0};
    double a = load / (1.0 + load), chi_square = 0.0, power = 1.0;
    cni_geometric_start(&traffic, load);
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t offered = cni_geometric_offered(&traffic, stream_of(seed, i));
        seen[offered < CELLS - 1 ? offered : CELLS - 1]++;
    }
    for (size_t i = 0; i < CELLS; i++, power *= a) {
        double expected = DRAWS * (i < CELLS - 1 ? power * (1.0 - a) : power);
        double off = (double)seen[i] - expected;
        chi_square += off * off / expected;
    }
    assert_true(chi_square < 26.12);
}

static void offered_messages_are_geometric(void **state)
{
    (void)state;
    check_offered(0.5, 10);
    check_offered(1.5, 11);
    check_offered(7.0, 12);
}

/* At 1000 messages a cycle the table of thresholds is passed several times over. */
static void heavy_load_keeps_its_mean(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    cni_geometric traffic;
    double sum = 0.0;
    cni_geometric_start(&traffic, 1000.0);
    for (uint64_t i = 0; i < DRAWS; i++)
        sum += (double)cni_geometric_offered(&traffic, stream_of(5, i));
    assert_near(sum / DRAWS, 1000.0, 4.0 * 1000.5 / 316.2); /* 4 standard errors */
}

static void no_load_offers_nothing(void **state)
{
    (void)state;
    cni_geometric none, started;
    memset(&none, 0, sizeof none);
    cni_geometric_start(&started, 0.0);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(cni_geometric_offered(&none, stream_of(1, i)), 0);
        assert_int_equal(cni_geometric_offered(&started, stream_of(1, i)), 0);
    }
}

/* Every header but 0, equally often: 99.9 % for 6 degrees of freedom. */
static void destinations_are_uniform(void **state)
{
    (void)state;
    enum { DRAWS = 70000 };
    uint64_t seen[8] = {0};
    double chi_square = 0.0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t header = cni_uniform_header(stream_of(3, i / 2), i % 2, 8);
        assert_in_range(header, 1, 7);
        seen[header]++;
    }
    for (size_t h = 1; h < 8; h++)
        chi_square += ((double)seen[h] - 1e4) * ((double)seen[h] - 1e4) / 1e4;
    assert_true(chi_square < 22.46);
    for (uint64_t i = 0; i < 100; i++)
        assert_int_equal(cni_uniform_header(stream_of(3, i), 0, 2), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offered_messages_are_geometric),
        cmocka_unit_test(heavy_load_keeps_its_mean),
        cmocka_unit_test(no_load_offers_nothing),
        cmocka_unit_test(destinations_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

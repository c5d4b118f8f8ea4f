/* When messages come: both ways of drawing have the law that they say. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "scenario/traffic/source.h"

/* What a run saw in cycles 1 .. CYCLES, as the number in each. */
enum { CYCLES = 200000, WORDS = 7 };
static uint32_t seen[CYCLES + 1];

static cn_traffic *traffic_from(cn_source source, double mean_on, double mean_off)
{
    cn_topology *topology;
    cn_traffic *traffic;
    assert_ok(cn_topology_hypercube(3, &topology));
    assert_ok(cn_traffic_new(topology, CN_PATTERN_UNIFORM, &traffic));
    if (source == CN_SOURCE_ON_OFF)
        assert_ok(cn_traffic_set_on_off(traffic, mean_on, mean_off));
    else
        assert_ok(cn_traffic_set_source(traffic, source));
    assert_int_equal(cn_traffic_source(traffic), source);
    cn_topology_free(&topology);
    return traffic;
}

static void start(cni_source_process *source, cn_source kind, double load, double mean_on,
                  double mean_off)
{
    cn_traffic *traffic = traffic_from(kind, mean_on, mean_off);
    assert_ok(cni_source_start("test", traffic, CN_SOURCE_GEOMETRIC, load, source));
    assert_int_equal(source->kind, kind);
    cn_traffic_free(&traffic);
}

static void run_cycles(const cni_source_process *source, uint64_t seed)
{
    uint8_t on = cni_source_first_state(source, cni_random_word(seed, 0));
    for (uint64_t c = 1; c <= CYCLES; c++)
        seen[c] = (uint32_t)cni_source_offered(source, cni_random_derive(seed, c), WORDS, &on);
}

static void run_arrivals(const cni_source_process *source, uint64_t seed)
{
    cni_arrivals at;
    uint64_t last = 0;
    double fraction = 0.0;
    memset(seen, 0, sizeof seen);
    for (cni_source_begin(source, seed, &at); at.cycle <= CYCLES;
         cni_source_next(source, seed, &at)) {
        assert_true(at.cycle > last || (at.cycle == last && at.fraction >= fraction));
        assert_true(at.fraction >= 0.0 && at.fraction < 1.0);
        last = at.cycle;
        fraction = at.fraction;
        seen[at.cycle] += !at.silent;
    }
}

/* The number in a cycle has this law: chi-square over 0..5 and "more", 99.9 % for 6 degrees of
 * freedom. Cells that expect less than 5 are joined to the last. */
static void check_numbers(double (*law)(double load, uint32_t number), double load)
{
    double expected[7], chi_square = 0.0, left = 1.0;
    uint64_t found[7] = {0};
    size_t cells = 1;
    for (; cells < 7 && left * CYCLES > 50.0; cells++) {
        expected[cells - 1] = law(load, (uint32_t)cells - 1);
        left -= expected[cells - 1];
    }
    expected[cells - 1] = left;
    for (size_t c = 1; c <= CYCLES; c++)
        found[seen[c] < cells ? seen[c] : cells - 1]++;
    for (size_t i = 0; i < cells; i++) {
        double off = (double)found[i] - CYCLES * expected[i];
        if (expected[i] * CYCLES > 5.0)
            chi_square += off * off / (CYCLES * expected[i]);
        else
            assert_true(found[i] < 30);
    }
    assert_true(chi_square < 22.46);
}

static double bernoulli(double load, uint32_t number)
{
    return number == 0 ? 1.0 - load : number == 1 ? load : 0.0;
}

static double geometric(double load, uint32_t number)
{
    double a = load / (1.0 + load);
    return (1.0 - a) * pow(a, number);
}

static double poisson(double load, uint32_t number)
{
    return exp(-load) * pow(load, number) / tgamma(number + 1.0);
}

/* Neighbouring cycles are independent: lag-1 correlation within 4 standard errors of 0. */
static void check_independence(double load, double variance)
{
    double sum = 0.0;
    for (size_t c = 1; c < CYCLES; c++)
        sum += (seen[c] - load) * (seen[c + 1] - load);
    assert_near(sum / CYCLES / variance, 0.0, 4.0 / sqrt(CYCLES));
}

static void numbers_in_a_cycle_have_their_law(void **state)
{
    (void)state;
    static const struct {
        cn_source kind;
        double load;
        double (*law)(double, uint32_t);
    } cases[] = {{CN_SOURCE_BERNOULLI, 0.3, bernoulli}, {CN_SOURCE_BERNOULLI, 0.9, bernoulli},
                 {CN_SOURCE_GEOMETRIC, 0.4, geometric}, {CN_SOURCE_GEOMETRIC, 1.7, geometric},
                 {CN_SOURCE_POISSON, 0.25, poisson},    {CN_SOURCE_POISSON, 2.0, poisson}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cni_source_process source;
        double load = cases[i].load, variance = load;
        if (cases[i].kind == CN_SOURCE_BERNOULLI)
            variance = load * (1.0 - load);
        if (cases[i].kind == CN_SOURCE_GEOMETRIC)
            variance = load * (1.0 + load);
        start(&source, cases[i].kind, load, 0.0, 0.0);
        run_cycles(&source, 40 + i);
        check_numbers(cases[i].law, load);
        check_independence(load, variance);
        run_arrivals(&source, 50 + i);
        check_numbers(cases[i].law, load);
        check_independence(load, variance);
    }
}

/* Heavy Poisson traffic is a sum of parts: mean and variance within 4 standard errors. */
static void heavy_poisson_traffic_keeps_its_law(void **state)
{
    (void)state;
    static const double loads[] = {16.0, 16.5, 100.0};
    for (size_t i = 0; i < 3; i++) {
        cni_source_process source;
        double sum = 0.0, squares = 0.0, load = loads[i];
        start(&source, CN_SOURCE_POISSON, load, 0.0, 0.0);
        run_cycles(&source, 60 + i);
        for (size_t c = 1; c <= CYCLES; c++) {
            sum += seen[c] - load;
            squares += (seen[c] - load) * (seen[c] - load);
        }
        assert_near(sum / CYCLES, 0.0, 4.0 * sqrt(load / CYCLES));
        /* fourth central moment load + 3 load^2 */
        assert_near(squares / CYCLES, load, 4.0 * sqrt((load + 2.0 * load * load) / CYCLES));
    }
}

/*
 * On/off with mean lengths a and b, load r a / (a + b): the state is a two-state chain whose
 * correlation is g = 1 - 1/a - 1/b a cycle, and so E[x(t) x(t+1)] = load^2 + r^2 p (1-p) g with p =
 * a / (a + b). The variance of the mean follows: (load (1-load) + 2 r^2 p (1-p) g / (1-g)) /
 * CYCLES. Limits are 4.5 standard errors, for the products with the same inflation as for the mean,
 * and the variance three times that of independent ones, since neighbouring products share a
 * factor.
 */
static void check_on_off(double load, double on, double off)
{
    double p = on / (on + off), r = load / p, g = 1.0 - 1.0 / on - 1.0 / off;
    double inflation =
        1.0 + 2.0 * r * r * p * (1.0 - p) * fmax(g, 0.0) / (1.0 - g) / (load * (1.0 - load));
    double sum = 0.0, products = 0.0, pairs = load * load + r * r * p * (1.0 - p) * g;
    for (size_t c = 1; c <= CYCLES; c++) {
        assert_true(seen[c] <= 1);
        sum += seen[c];
        products += c < CYCLES ? seen[c] * seen[c + 1] : 0;
    }
    assert_near(sum / CYCLES, load, 4.5 * sqrt(load * (1.0 - load) * inflation / CYCLES));
    assert_near(products / CYCLES, pairs,
                4.5 * sqrt(pairs * (1.0 - pairs) * 3.0 * inflation / CYCLES));
}

static void on_off_sources_have_their_mean_and_correlation(void **state)
{
    (void)state;
    static const double cases[][3] = {
        {0.2, 10.0, 20.0}, {0.5, 5.0, 5.0}, {0.1, 50.0, 100.0}, {0.3, 1.0, 1.5}, {0.9, 9.0, 1.0}};
    for (size_t i = 0; i < 5; i++) {
        cni_source_process source;
        start(&source, CN_SOURCE_ON_OFF, cases[i][0], cases[i][1], cases[i][2]);
        run_cycles(&source, 70 + i);
        check_on_off(cases[i][0], cases[i][1], cases[i][2]);
        run_arrivals(&source, 80 + i);
        check_on_off(cases[i][0], cases[i][1], cases[i][2]);
    }
}

/* The share of runs that are on in cycle 1, with an on state that always sends. */
static void on_off_sources_start_in_their_long_run_mix(void **state)
{
    (void)state;
    enum { RUNS = 40000 };
    cni_source_process source;
    cni_arrivals at;
    uint64_t first_by_cycle = 0, first_by_arrival = 0;
    start(&source, CN_SOURCE_ON_OFF, 0.25, 100.0, 300.0);
    for (uint64_t i = 0; i < RUNS; i++) {
        uint8_t on = cni_source_first_state(&source, cni_random_word(90, i));
        first_by_cycle += cni_source_offered(&source, cni_random_derive(91, i), WORDS, &on);
        cni_source_begin(&source, cni_random_derive(92, i), &at);
        first_by_arrival += at.cycle == 1 && !at.silent;
    }
    double limit = 4.0 * sqrt(0.25 * 0.75 / RUNS);
    assert_near((double)first_by_cycle / RUNS, 0.25, limit);
    assert_near((double)first_by_arrival / RUNS, 0.25, limit);
}

static void certain_and_impossible_messages(void **state)
{
    (void)state;
    cni_source_process source;
    cni_arrivals at;
    start(&source, CN_SOURCE_BERNOULLI, 1.0, 0.0, 0.0);
    run_cycles(&source, 1);
    for (size_t c = 1; c <= CYCLES; c++)
        assert_int_equal(seen[c], 1);
    run_arrivals(&source, 1);
    for (size_t c = 1; c <= CYCLES; c++)
        assert_int_equal(seen[c], 1);
    for (int kind = CN_SOURCE_GEOMETRIC; kind <= CN_SOURCE_ON_OFF; kind++) {
        uint8_t on = 1;
        start(&source, (cn_source)kind, 0.0, 2.0, 2.0);
        assert_int_equal(cni_source_offered(&source, 1, WORDS, &on), 0);
        cni_source_begin(&source, 1, &at);
        assert_true(at.cycle == UINT64_MAX);
        cni_source_next(&source, 1, &at);
        assert_true(at.cycle == UINT64_MAX);
    }
    start(&source, CN_SOURCE_POISSON, 1e-18, 0.0, 0.0); /* once in 10^18 cycles */
    run_cycles(&source, 2);
    for (size_t c = 1; c <= CYCLES; c++)
        assert_int_equal(seen[c], 0);
    cni_source_begin(&source, 2, &at);
    assert_true(at.cycle > UINT64_C(1000000000000));
}

/* A message in 10^12 cycles, in one of 10^11 on periods: each call looks at a few of them only. */
static void a_source_that_seldom_sends_is_not_followed_for_ever(void **state)
{
    (void)state;
    cni_source_process source;
    cni_arrivals at;
    uint64_t calls = 0;
    start(&source, CN_SOURCE_ON_OFF, 1e-12, 5.0, 5.0);
    for (cni_source_begin(&source, 3, &at); at.cycle < 1000000; cni_source_next(&source, 3, &at)) {
        assert_true(at.silent);
        calls++;
    }
    assert_true(calls > 1000 && calls < 3000); /* 64 periods of 10 cycles */
}

static void a_load_above_what_the_source_offers_is_refused(void **state)
{
    (void)state;
    cni_source_process source;
    cn_traffic *traffic = traffic_from(CN_SOURCE_BERNOULLI, 0.0, 0.0);
    assert_fails(cni_source_start("run", traffic, CN_SOURCE_POISSON, 1.5, &source), CN_ERR_ARGUMENT,
                 "run: load = 1.5, but a Bernoulli source offers at most 1");
    assert_ok(cn_traffic_set_on_off(traffic, 3.0, 9.0));
    assert_fails(cni_source_start("run", traffic, CN_SOURCE_POISSON, 0.3, &source), CN_ERR_ARGUMENT,
                 "at most 0.25");
    assert_ok(cni_source_start("run", traffic, CN_SOURCE_POISSON, 0.25, &source));
    assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_OF_SYSTEM));
    assert_ok(cni_source_start("run", traffic, CN_SOURCE_POISSON, 1.5, &source));
    assert_int_equal(source.kind, CN_SOURCE_POISSON);
    assert_ok(cni_source_start("run", NULL, CN_SOURCE_GEOMETRIC, 1.5, &source));
    assert_int_equal(source.kind, CN_SOURCE_GEOMETRIC);
    cn_traffic_free(&traffic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_a_cycle_have_their_law),
        cmocka_unit_test(heavy_poisson_traffic_keeps_its_law),
        cmocka_unit_test(on_off_sources_have_their_mean_and_correlation),
        cmocka_unit_test(on_off_sources_start_in_their_long_run_mix),
        cmocka_unit_test(certain_and_impossible_messages),
        cmocka_unit_test(a_source_that_seldom_sends_is_not_followed_for_ever),
        cmocka_unit_test(a_load_above_what_the_source_offers_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The random operations of a scenario: who starts when, and who is to get what. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "simulation/collective/collective.h"

enum { NODES = 125, OPERATIONS = 4000, DESTINATIONS = 30 };

/* GH(3,5), opened and not yet begun. */
static cni_collective *open_above(cn_scenario **scenario, double choice, double load,
                                  double threshold, uint64_t seed)
{
    cn_topology *topology;
    void *state;
    assert_ok(cn_topology_generalized_hypercube(5, 3, &topology));
    assert_ok(cn_scenario_new(topology, "collective", scenario));
    cn_topology_free(&topology);
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_OPERATIONS, OPERATIONS));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_DESTINATIONS, DESTINATIONS));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_DESTINATION_CHOICE, choice));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_OPERATION_RATE, load));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_OPERATION_THRESHOLD, threshold));
    assert_ok(cni_collective_kernel.open(*scenario, seed, &state));
    return state;
}

static cni_collective *open_run(cn_scenario **scenario, double choice, double load, uint64_t seed)
{
    return open_above(scenario, choice, load, 0.0, seed);
}

static void close_run(cni_collective *run, cn_scenario **scenario)
{
    cni_collective_kernel.close(run);
    cn_scenario_free(scenario);
}

/* Every count is within five standard deviations of the same mean. */
static void assert_uniform(const uint64_t counts[], size_t cells, uint64_t total)
{
    double mean = (double)total / (double)cells;
    for (size_t i = 0; i < cells; i++)
        assert_near((double)counts[i], mean, 5.0 * sqrt(mean));
}

static void starts_and_sources_are_uniform_and_in_order(void **state)
{
    (void)state;
    cn_scenario *scenario;
    cni_collective *run = open_run(&scenario, 0, 0, 1);
    uint64_t starts[20] = {0}, sources[NODES] = {0};
    assert_int_equal(run->operations, OPERATIONS);
    for (size_t o = 0; o < OPERATIONS; o++) {
        const cni_operation *operation = &run->operation[o];
        assert_true(operation->start >= 1 && operation->start <= 20);
        starts[operation->start - 1]++;
        sources[operation->source]++;
        if (o > 0 && operation[-1].start == operation->start)
            assert_true(operation[-1].number < operation->number);
        else if (o > 0)
            assert_true(operation[-1].start < operation->start);
    }
    assert_uniform(starts, 20, OPERATIONS);
    assert_uniform(sources, NODES, OPERATIONS);
    close_run(run, &scenario);
}

/* 10 a cycle in the mean, over 20 cycles: mean and variance of the number in a cycle. */
static void poisson_numbers_have_their_mean_and_variance(void **state)
{
    (void)state;
    double sum = 0, squares = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        cn_scenario *scenario;
        cni_collective *run = open_run(&scenario, 0, 10.0 / NODES, seed);
        uint64_t starts[20] = {0};
        for (size_t o = 0; o < run->operations; o++)
            starts[run->operation[o].start - 1]++;
        for (size_t c = 0; c < 20; c++) {
            sum += (double)starts[c];
            squares += (double)(starts[c] * starts[c]);
        }
        close_run(run, &scenario);
    }
    double mean = sum / 2000, variance = squares / 2000 - mean * mean;
    assert_near(mean, 10, 5 * sqrt(10.0 / 2000));
    assert_near(variance, 10, 5 * sqrt(10 * (1 + 2 * 10.0) / 2000)); /* m4 = m (1 + 3 m) */
}

/* P[k] from its definition. */
static double probability(double mean, uint64_t k)
{
    return exp((double)k * log(mean) - mean - lgamma((double)k + 1.0));
}

/* The numbers 1 .. NODES whose probability is above the share of the greatest one. */
static uint64_t likely(double mean, double share)
{
    double greatest = 0.0;
    uint64_t count = 0;
    for (uint64_t k = 0; k < 2000; k++)
        greatest = fmax(greatest, probability(mean, k));
    for (uint64_t k = 1; k <= NODES; k++)
        count += probability(mean, k) > share * greatest;
    return count;
}

/* Each node starts at most once a cycle, with the probability of a likely number. */
static void nodes_start_above_a_threshold(void **state)
{
    (void)state;
    static const double cases[][2] = {{0.75, 2.0 / 3.0}, {0.75, 0.5}, {0.75, 0.01}, {0.01, 0.015},
                                      {0.13, 0.3},       {6.2, 0.1},  {9.0, 1e-9},  {0.75, 1e-300}};
    assert_int_equal(likely(15, 2.0 / 3.0), 7); /* of the paper: 12 .. 18 */
    assert_int_equal(likely(15, 0.5), 9);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double share = (double)likely(20 * cases[c][0], cases[c][1]) / NODES, operations = 0;
        for (uint64_t seed = 1; seed <= 50; seed++) {
            cn_scenario *scenario;
            cni_collective *run = open_above(&scenario, 0, cases[c][0], cases[c][1], seed);
            operations += (double)run->operations;
            for (size_t o = 1; o < run->operations; o++)
                assert_true(run->operation[o - 1].start < run->operation[o].start ||
                            run->operation[o - 1].source < run->operation[o].source);
            close_run(run, &scenario);
        }
        double draws = 50.0 * 20 * NODES;
        assert_near(operations, draws * share, 5 * sqrt(draws * share * (1 - share)));
    }
    cn_scenario *scenario; /* nothing is above the greatest */
    cni_collective *run = open_above(&scenario, 0, 0.75, 1.0, 1);
    assert_int_equal(run->operations, 0);
    close_run(run, &scenario);
    void *other;
    run = open_above(&scenario, 0, 0.75, 0.5, 1);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_OPERATION_RATE, 1e6));
    assert_fails(cni_collective_kernel.open(scenario, 1, &other), CN_ERR_ARGUMENT,
                 "operation_threshold");
    close_run(run, &scenario);
}

static void check_distinct(const cni_collective *run, uint32_t count, uint32_t source)
{
    char seen[NODES] = {0};
    for (uint32_t i = 0; i < count; i++) {
        assert_true(run->chosen[i] < NODES && run->chosen[i] != source);
        assert_false(seen[run->chosen[i]]);
        seen[run->chosen[i]] = 1;
    }
}

static void uniform_destinations_are_uniform(void **state)
{
    (void)state;
    cn_scenario *scenario;
    cni_collective *run = open_run(&scenario, CN_DESTINATIONS_UNIFORM, 0, 1);
    uint64_t first[NODES] = {0}, all[NODES] = {0};
    for (size_t o = 0; o < OPERATIONS; o++) {
        uint32_t source = run->operation[o].source;
        assert_int_equal(cni_collective_choose(run, &run->operation[o]), DESTINATIONS);
        check_distinct(run, DESTINATIONS, source);
        first[(run->chosen[0] + NODES - source) % NODES]++;
        for (uint32_t i = 0; i < DESTINATIONS; i++)
            all[(run->chosen[i] + NODES - source) % NODES]++;
    }
    for (uint32_t i = 0; i < NODES; i++) /* what was drawn from is in order again */
        assert_int_equal(run->identity[i], i);
    assert_uniform(first + 1, NODES - 1, OPERATIONS);
    assert_uniform(all + 1, NODES - 1, OPERATIONS * DESTINATIONS);
    close_run(run, &scenario);
}

/* r1 + i r2: the first two tell the stride, but for a source that was left out. */
static void strides_are_as_published(void **state)
{
    (void)state;
    cn_scenario *scenario;
    cni_collective *run = open_run(&scenario, CN_DESTINATIONS_STRIDE, 0, 1);
    uint64_t strides[NODES] = {0}, told = 0;
    for (size_t o = 0; o < OPERATIONS; o++) {
        uint32_t source = run->operation[o].source;
        uint32_t count = cni_collective_choose(run, &run->operation[o]), breaks = 0;
        check_distinct(run, count, source);
        assert_true(count == DESTINATIONS || count == DESTINATIONS - 1 || count == 25 ||
                    count == 24 || count == 5 || count == 4 || count <= 1);
        if (count < 4)
            continue;
        uint32_t stride = (run->chosen[1] + NODES - run->chosen[0]) % NODES;
        for (uint32_t i = 2; i < count; i++)
            breaks += (run->chosen[i] + NODES - run->chosen[i - 1]) % NODES != stride;
        assert_true(breaks <= 1 || count % 5 == 4);
        if (count == DESTINATIONS) {
            strides[stride]++;
            told++;
        }
    }
    for (size_t stride = 0; stride < NODES; stride++)
        if (stride % 5 == 0)
            assert_int_equal(strides[stride], 0); /* such a cycle is too short */
        else
            assert_near((double)strides[stride], (double)told / 100, 5 * sqrt((double)told / 100));
    close_run(run, &scenario);
}

/* All operations have the same set, but for their own sources. */
static void one_set_serves_all(void **state)
{
    (void)state;
    for (int choice = 1; choice < 4; choice += 2)
        for (uint64_t seed = 1; seed < 10; seed++) {
            cn_scenario *scenario;
            cni_collective *run = open_run(&scenario, choice, 0, seed);
            char set[NODES] = {0};
            for (int round = 0; round < 2; round++)
                for (size_t o = 0; o < 200; o++) {
                    uint32_t source = run->operation[o].source, own = 0;
                    uint32_t count = cni_collective_choose(run, &run->operation[o]);
                    for (uint32_t i = 0; i < count; i++)
                        if (round == 0)
                            set[run->chosen[i]] = 1;
                        else
                            own += set[run->chosen[i]] == 1;
                    uint32_t size = 0;
                    for (uint32_t v = 0; v < NODES; v++)
                        size += set[v] == 1 && v != source;
                    if (round == 1)
                        assert_true(own == count && count == size);
                }
            uint32_t edges = 0;
            for (uint32_t v = 0; v < NODES; v++)
                edges += set[v] != set[(v + 1) % NODES];
            if (choice == CN_DESTINATIONS_SAME_RUN)
                assert_int_equal(edges, 2);
            close_run(run, &scenario);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_and_sources_are_uniform_and_in_order),
        cmocka_unit_test(poisson_numbers_have_their_mean_and_variance),
        cmocka_unit_test(nodes_start_above_a_threshold),
        cmocka_unit_test(uniform_destinations_are_uniform),
        cmocka_unit_test(strides_are_as_published),
        cmocka_unit_test(one_set_serves_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "simulation/plain_tally.h"

#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static uint64_t *zeroes(uint64_t count)
{
    uint64_t *made = calloc(count, sizeof *made);
    assert_non_null(made);
    return made;
}

void plain_tally_open(plain_tally *tally, const cn_topology *topology)
{
    *tally = (plain_tally){.nodes = cn_topology_node_count(topology),
                           .ports = cn_topology_max_degree(topology)};
    tally->load = zeroes(tally->nodes * tally->ports);
    tally->offered = zeroes(tally->nodes);
    tally->accepted = zeroes(tally->nodes);
    tally->delivered = zeroes(tally->nodes);
    tally->forwarded = zeroes(tally->nodes);
    tally->queue = zeroes(tally->nodes);
}

void plain_tally_close(plain_tally *tally)
{
    free(tally->load);
    free(tally->offered);
    free(tally->accepted);
    free(tally->delivered);
    free(tally->forwarded);
    free(tally->queue);
}

static void assert_same_nodes(const cn_result *result, const plain_tally *tally)
{
    size_t nodes = (size_t)tally->nodes, count;
    uint64_t *got = zeroes(nodes);
    const uint64_t *const expected[] = {[CN_NODE_COUNT_OFFERED] = tally->offered,
                                        [CN_NODE_COUNT_ACCEPTED] = tally->accepted,
                                        [CN_NODE_COUNT_REFUSED] = NULL,
                                        [CN_NODE_COUNT_DELIVERED] = tally->delivered,
                                        [CN_NODE_COUNT_FORWARDED] = tally->forwarded};
    for (size_t which = 0; which < sizeof expected / sizeof expected[0]; which++) {
        assert_ok(cn_result_node_counts(result, (cn_node_count)which, got, nodes, &count));
        assert_int_equal(count, nodes);
        for (size_t node = 0; node < nodes; node++)
            assert_int_equal(got[node], which == CN_NODE_COUNT_REFUSED
                                            ? tally->offered[node] - tally->accepted[node]
                                            : expected[which][node]);
    }
    free(got);
}

static void assert_same_queues(const cn_result *result, const plain_tally *tally, uint64_t cycles)
{
    size_t nodes = (size_t)tally->nodes;
    double *mean = calloc(nodes, sizeof *mean);
    assert_non_null(mean);
    assert_ok(cn_result_node_queues(result, mean, nodes, NULL));
    for (size_t node = 0; node < nodes; node++)
        assert_true(mean[node] == (double)tally->queue[node] / (double)cycles);
    free(mean);
}

/* Bins of width one. */
static void assert_same_histogram(const cn_result *result, cn_distribution which,
                                  const uint64_t expected[], size_t most)
{
    enum { BINS = 600 };
    double lower[BINS], upper[BINS];
    uint64_t counts[BINS];
    size_t bins, filled = 0;
    assert_ok(cn_result_histogram(result, which, lower, upper, counts, BINS, &bins));
    for (size_t value = 0; value < most; value++) {
        if (expected[value] == 0)
            continue;
        assert_true(filled < bins);
        assert_true(lower[filled] == (double)value);
        assert_true(upper[filled] == (double)value + 1.0);
        assert_int_equal(counts[filled++], expected[value]);
    }
    assert_int_equal(filled, bins);
}

void assert_same_statistics(cn_sim *sim, const plain_tally *tally, int has_broadcasts)
{
    cn_result *result;
    size_t channels = (size_t)(tally->nodes * tally->ports), count;
    uint64_t *loads = zeroes(channels);
    assert_ok(cn_sim_result(sim, &result));
    assert_true(cn_result_has_statistics(result));
    assert_ok(cn_result_channel_loads(result, loads, channels, &count));
    assert_int_equal(count, channels);
    assert_memory_equal(loads, tally->load, channels * sizeof *loads);
    memset(loads, 0, channels * sizeof *loads);
    assert_ok(cn_sim_channel_loads(sim, loads, channels, &count));
    assert_memory_equal(loads, tally->load, channels * sizeof *loads);
    assert_same_nodes(result, tally);
    assert_same_queues(result, tally, cn_sim_cycle(sim));
    assert_same_histogram(result, CN_DISTRIBUTION_HOPS, tally->hops, TALLY_HOPS);
    if (has_broadcasts)
        assert_same_histogram(result, CN_DISTRIBUTION_DELAY_BROADCAST, tally->broadcasts,
                              TALLY_DELAYS);
    free(loads);
    cn_result_free(&result);
}

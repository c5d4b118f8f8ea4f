/* The statistics of a result beside its metrics. */
#include "cubenet/statistics.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "scenario/result.h"

static const cni_named node_counts[] = {
    [CN_NODE_COUNT_OFFERED] = {"offered", NULL},
    [CN_NODE_COUNT_ACCEPTED] = {"accepted", NULL},
    [CN_NODE_COUNT_REFUSED] = {"refused", NULL},
    [CN_NODE_COUNT_DELIVERED] = {"delivered", NULL},
    [CN_NODE_COUNT_FORWARDED] = {"forwarded", NULL},
};
const cni_names cni_node_counts = CNI_NAMES("count of nodes", node_counts, 0);

static const cni_named distributions[] = {
    [CN_DISTRIBUTION_DELAY] = {"delay", NULL},
    [CN_DISTRIBUTION_DELAY_UNICAST] = {"delay_unicast", NULL},
    [CN_DISTRIBUTION_DELAY_BROADCAST] = {"delay_broadcast", NULL},
    [CN_DISTRIBUTION_HOPS] = {"hops", NULL},
};
const cni_names cni_distributions = CNI_NAMES("distribution", distributions, 0);

CNI_GETTER(int, cn_result_has_statistics, result, result->statistics != NULL, 0);

static cn_status check_statistics(const char *function, const cn_result *result)
{
    if (result->statistics != NULL)
        return CN_OK;
    return cni_fail(CN_ERR_NOT_FOUND,
                    "%s: this result of %s holds no statistics; a simulation with statistics = yes "
                    "counts them",
                    function, result->system);
}

cn_status cn_result_channel_loads(const cn_result *result, uint64_t loads[], size_t capacity,
                                  size_t *count)
{
    CNI_REQUIRE(result);
    CNI_REQUIRE_ARRAY(loads, capacity);
    CNI_TRY(check_statistics(__func__, result));
    const cni_counts *counts = &result->statistics->counts;
    uint64_t channels = counts->nodes * counts->ports;
    CNI_REQUIRE_FIT(channels, capacity, count, "there are %llu channels",
                    (unsigned long long)channels);
    memcpy(loads, counts->load, (size_t)channels * sizeof *loads);
    return CN_OK;
}

cn_status cn_result_node_counts(const cn_result *result, cn_node_count which, uint64_t counts[],
                                size_t capacity, size_t *count)
{
    CNI_REQUIRE(result);
    CNI_REQUIRE_ARRAY(counts, capacity);
    CNI_TRY(cni_check_named(__func__, &cni_node_counts, "which", (int)which));
    CNI_TRY(check_statistics(__func__, result));
    const cni_counts *all = &result->statistics->counts;
    CNI_REQUIRE_FIT(all->nodes, capacity, count, "there are %llu nodes",
                    (unsigned long long)all->nodes);
    const uint64_t *from[] = {
        [CN_NODE_COUNT_OFFERED] = all->offered,     [CN_NODE_COUNT_ACCEPTED] = all->accepted,
        [CN_NODE_COUNT_REFUSED] = all->offered,     [CN_NODE_COUNT_DELIVERED] = all->delivered,
        [CN_NODE_COUNT_FORWARDED] = all->forwarded,
    };
    for (uint64_t node = 0; node < all->nodes; node++)
        counts[node] =
            from[which][node] - (which == CN_NODE_COUNT_REFUSED ? all->accepted[node] : 0);
    return CN_OK;
}

cn_status cn_result_node_queues(const cn_result *result, double queues[], size_t capacity,
                                size_t *count)
{
    CNI_REQUIRE(result);
    CNI_REQUIRE_ARRAY(queues, capacity);
    CNI_TRY(check_statistics(__func__, result));
    const cni_result_statistics *own = result->statistics;
    CNI_REQUIRE_FIT(own->counts.nodes, capacity, count, "there are %llu nodes",
                    (unsigned long long)own->counts.nodes);
    for (uint64_t node = 0; node < own->counts.nodes; node++)
        queues[node] = (double)own->counts.queue[node] * own->unit / (double)own->cycles;
    return CN_OK;
}

/* A histogram, NULL where there is none, another to subtract from it, or NULL, and the unit. */
typedef struct distribution {
    const cni_histogram *of, *without;
    double unit;
} distribution;

static cn_status find_distribution(const char *function, const cn_result *result,
                                   cn_distribution which, distribution *found)
{
    CNI_TRY(cni_check_named(function, &cni_distributions, "which", (int)which));
    CNI_TRY(check_statistics(function, result));
    const cni_result_statistics *own = result->statistics;
    const cni_histogram *broadcasts = own->counts.broadcasts;
    const distribution all[] = {
        [CN_DISTRIBUTION_DELAY] = {&own->delays, NULL, own->unit},
        [CN_DISTRIBUTION_DELAY_UNICAST] = {broadcasts == NULL ? NULL : &own->delays, broadcasts,
                                           own->unit},
        [CN_DISTRIBUTION_DELAY_BROADCAST] = {broadcasts, NULL, own->unit},
        [CN_DISTRIBUTION_HOPS] = {own->counts.hops, NULL, 1.0},
    };
    *found = all[which];
    if (found->of != NULL)
        return CN_OK;
    return cni_fail(CN_ERR_NOT_FOUND, "%s: this result of %s holds no distribution %s", function,
                    result->system, cni_name_of(&cni_distributions, (int)which));
}

static uint64_t count_of(const distribution *d, size_t bin)
{
    return d->of->bin[bin] - (d->without == NULL ? 0 : d->without->bin[bin]);
}

cn_status cn_result_histogram(const cn_result *result, cn_distribution which, double lower[],
                              double upper[], uint64_t counts[], size_t capacity, size_t *count)
{
    distribution d;
    CNI_REQUIRE(result);
    CNI_REQUIRE_ARRAY(lower, capacity);
    CNI_REQUIRE_ARRAY(upper, capacity);
    CNI_REQUIRE_ARRAY(counts, capacity);
    CNI_TRY(find_distribution(__func__, result, which, &d));
    uint64_t bins = 0, filled = 0;
    for (size_t bin = 0; bin < CNI_HISTOGRAM_BINS; bin++)
        bins += count_of(&d, bin) > 0;
    CNI_REQUIRE_FIT(bins, capacity, count, "there are %llu bins", (unsigned long long)bins);
    for (size_t bin = 0; filled < bins; bin++) {
        if (count_of(&d, bin) == 0)
            continue;
        lower[filled] = d.unit * (double)cni_histogram_bin_start(bin);
        upper[filled] = d.unit * (double)cni_histogram_bin_start(bin + 1);
        counts[filled++] = count_of(&d, bin);
    }
    return CN_OK;
}

cn_status cn_result_quantile(const cn_result *result, cn_distribution which, double share,
                             double *value)
{
    distribution d;
    CNI_REQUIRE_BOTH(result, value);
    CNI_TRY(cni_check_share(__func__, "share", share));
    CNI_TRY(find_distribution(__func__, result, which, &d));
    uint64_t total = d.of->total - (d.without == NULL ? 0 : d.without->total), below = 0;
    if (total == 0)
        return cni_fail(CN_ERR_NOT_FOUND, "%s: no message of the distribution %s was delivered",
                        __func__, cni_name_of(&cni_distributions, (int)which));
    uint64_t rank = cni_rank_of(share, total);
    for (size_t bin = 0; below < rank && bin < CNI_HISTOGRAM_BINS; bin++) {
        below += count_of(&d, bin);
        *value = d.unit * (double)cni_histogram_bin_start(bin);
    }
    return CN_OK;
}

cn_status cn_result_batches(const cn_result *result, cn_metric metric, double values[],
                            size_t capacity, size_t *count, uint64_t *cycles)
{
    CNI_REQUIRE(result);
    CNI_REQUIRE_ARRAY(values, capacity);
    CNI_TRY(cni_result_check_has(__func__, result, metric));
    CNI_TRY(check_statistics(__func__, result));
    const cni_result_statistics *own = result->statistics;
    if (own->batch_cycles == 0)
        return cni_fail(CN_ERR_NOT_FOUND,
                        "%s: this result is that of several replications, whose batches are not "
                        "the same cycles",
                        __func__);
    CNI_REQUIRE_FIT(own->batches, capacity, count, "there are %llu batches",
                    (unsigned long long)own->batches);
    CNI_GIVE(cycles, own->batch_cycles);
    for (size_t b = 0; b < own->batches; b++)
        values[b] = own->batch[metric][b];
    return CN_OK;
}

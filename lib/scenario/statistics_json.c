/* Statistics in JSON: all counts, and of a histogram the bins that are not empty. */
#include "scenario/result_json.h"

#include "cubenet/statistics.h"

#include "base/memory.h"
#include "topology/topology.h"

enum { UNIT, CYCLES, BATCH_CYCLES, BATCHES, DELAYS, LOADS, NODES, QUEUES, HOPS, BROADCASTS, KEYS };
static const char *const keys[] = {"unit",  "cycles", "batch_cycles", "batches", "delays",
                                   "loads", "nodes",  "queues",       "hops",    "broadcasts"};

/* Counts of the nodes that are stored; those that were refused are offered and not accepted. */
static const cn_node_count stored[] = {CN_NODE_COUNT_OFFERED, CN_NODE_COUNT_ACCEPTED,
                                       CN_NODE_COUNT_DELIVERED, CN_NODE_COUNT_FORWARDED};
enum { STORED = sizeof stored / sizeof stored[0] };

static void list_node_counts(const cni_counts *counts, uint64_t *arrays[STORED])
{
    uint64_t *const all[] = {counts->offered, counts->accepted, counts->delivered,
                             counts->forwarded};
    for (int i = 0; i < STORED; i++)
        arrays[i] = all[i];
}

/* ---- writing ---- */

void cni_histogram_put(cni_json_writer *w, const char *key, uint64_t greatest, const uint64_t bin[],
                       size_t bins)
{
    cni_json_open(w, key, '{');
    cni_json_put_whole(w, "greatest", greatest);
    cni_json_open(w, "bins", '[');
    for (size_t i = 0; i < bins; i++) {
        uint64_t is[] = {i, bin[i]};
        if (is[1] > 0)
            cni_json_put_wholes(w, NULL, is, 2);
    }
    cni_json_close(w, ']');
    cni_json_close(w, '}');
}

static void put_histogram(cni_json_writer *w, const char *key, const cni_histogram *histogram)
{
    cni_histogram_put(w, key, histogram->greatest, histogram->bin, CNI_HISTOGRAM_BINS);
}

static void put_batches(cni_json_writer *w, const cn_result *result)
{
    cni_json_open(w, keys[BATCHES], '{');
    for (size_t m = 1; m <= cn_metric_count(); m++)
        if (result->has[m])
            cni_json_put_reals(w, cn_metric_name((cn_metric)m), result->statistics->batch[m],
                               result->statistics->batches);
    cni_json_close(w, '}');
}

void cni_statistics_put(cni_json_writer *w, const cn_result *result)
{
    const cni_result_statistics *own = result->statistics;
    const cni_counts *counts = &own->counts;
    uint64_t *arrays[STORED];
    list_node_counts(counts, arrays);
    cni_json_open(w, "statistics", '{');
    cni_json_put_real(w, keys[UNIT], own->unit);
    cni_json_put_whole(w, keys[CYCLES], own->cycles);
    cni_json_put_whole(w, keys[BATCH_CYCLES], own->batch_cycles);
    put_batches(w, result);
    put_histogram(w, keys[DELAYS], &own->delays);
    cni_json_put_wholes(w, keys[LOADS], counts->load, counts->nodes * counts->ports);
    cni_json_open(w, keys[NODES], '{');
    for (int i = 0; i < STORED; i++)
        cni_json_put_wholes(w, cn_node_count_name(stored[i]), arrays[i], counts->nodes);
    cni_json_close(w, '}');
    cni_json_put_wholes(w, keys[QUEUES], counts->queue, counts->nodes);
    if (counts->hops != NULL)
        put_histogram(w, keys[HOPS], counts->hops);
    if (counts->broadcasts != NULL)
        put_histogram(w, keys[BROADCASTS], counts->broadcasts);
    cni_json_close(w, '}');
}

/* ---- reading ---- */

static cn_status read_bin(const cni_json *json, cni_json_value value, cni_histogram *histogram)
{
    uint64_t is[2];
    CNI_TRY(cni_json_wholes(json, value, UINT64_MAX, is, 2));
    if (is[0] >= CNI_HISTOGRAM_BINS || is[1] == 0 || histogram->bin[is[0]] != 0 ||
        is[1] > UINT64_MAX - histogram->total)
        return cni_json_fail(json, value,
                             "a bin is [number, messages], the number 0 to %d and once, the "
                             "messages at least 1",
                             CNI_HISTOGRAM_BINS - 1);
    histogram->bin[is[0]] = is[1];
    histogram->total += is[1];
    return CN_OK;
}

cn_status cni_histogram_of_json(const cni_json *json, cni_json_value value,
                                cni_histogram *histogram)
{
    static const char *const names[] = {"greatest", "bins"};
    cni_json_value is[2];
    size_t count;
    CNI_TRY(cni_json_members(json, value, names, 2, 2, is));
    CNI_TRY(cni_json_whole(json, is[0], UINT64_MAX, &histogram->greatest));
    CNI_TRY(cni_json_count(json, is[1], &count));
    for (cni_json_value v = cni_json_first(is[1]); v.at != NULL; v = cni_json_next(v))
        CNI_TRY(read_bin(json, v, histogram));
    return CN_OK;
}

/* Where the run has such a histogram. */
static cn_status read_optional(const cni_json *json, cni_json_value value,
                               cni_histogram **histogram)
{
    if (value.at != NULL)
        return cni_histogram_of_json(json, value, *histogram);
    *histogram = NULL;
    return CN_OK;
}

/* The metrics that the result has, each for as many batches. */
static cn_status read_batches(const cni_json *json, cni_json_value value, cn_result *result)
{
    cni_result_statistics *own = result->statistics;
    const char *names[CNI_METRIC_ROOM];
    cni_json_value is[CNI_METRIC_ROOM];
    size_t metric[CNI_METRIC_ROOM], count = 0;
    for (size_t m = 1; m <= cn_metric_count(); m++)
        if (result->has[m]) {
            names[count] = cn_metric_name((cn_metric)m);
            metric[count++] = m;
        }
    CNI_TRY(cni_json_members(json, value, names, count, count, is));
    if (count > 0)
        CNI_TRY(cni_json_count(json, is[0], &own->batches));
    if (own->batches > CNI_BATCHES || (own->batches > 0) > (own->batch_cycles > 0))
        return cni_json_fail(json, value, "there are %zu batches of %llu cycles, but at most %d",
                             own->batches, (unsigned long long)own->batch_cycles, CNI_BATCHES);
    for (size_t i = 0; i < count; i++)
        CNI_TRY(cni_json_reals(json, is[i], own->batch[metric[i]], own->batches));
    return CN_OK;
}

/* The loads are there one by one before room is made for them: it is no more than the text has. */
static cn_status open_counts(const cni_json *json, cni_json_value loads,
                             const cn_topology *topology, cni_counts *counts)
{
    size_t count;
    CNI_TRY(cni_json_count(json, loads, &count));
    if (topology->max_degree == 0 || count / topology->max_degree != topology->nodes ||
        count % topology->max_degree != 0)
        return cni_json_fail(json, loads, "there are %zu loads, but %s has %llu nodes of %lu ports",
                             count, topology->name, (unsigned long long)topology->nodes,
                             (unsigned long)topology->max_degree);
    CNI_TRY(cni_counts_open(topology, 0, counts));
    return cni_json_wholes(json, loads, UINT64_MAX, counts->load, count);
}

static cn_status read_counts(const cni_json *json, const cni_json_value is[KEYS],
                             const cn_topology *topology, cni_counts *counts)
{
    const char *names[STORED];
    uint64_t *arrays[STORED];
    cni_json_value of[STORED];
    for (int i = 0; i < STORED; i++)
        names[i] = cn_node_count_name(stored[i]);
    CNI_TRY(open_counts(json, is[LOADS], topology, counts));
    CNI_TRY(cni_json_members(json, is[NODES], names, STORED, STORED, of));
    list_node_counts(counts, arrays);
    for (int i = 0; i < STORED; i++)
        CNI_TRY(cni_json_wholes(json, of[i], UINT64_MAX, arrays[i], cni_size(counts->nodes)));
    CNI_TRY(cni_json_wholes(json, is[QUEUES], UINT64_MAX, counts->queue, cni_size(counts->nodes)));
    CNI_TRY(read_optional(json, is[HOPS], &counts->hops));
    return read_optional(json, is[BROADCASTS], &counts->broadcasts);
}

cn_status cni_statistics_of_json(const cni_json *json, cni_json_value value, cn_result *result)
{
    cni_json_value is[KEYS];
    if (result->scenario == NULL)
        return cni_json_fail(json, value, "there are statistics, but no scenario that they are of");
    CNI_TRY(cni_json_members(json, value, keys, HOPS, KEYS, is));
    cni_result_statistics *own = result->statistics = cni_allocate(1, sizeof *own);
    CNI_TRY_MEMORY(own);
    CNI_TRY(cni_json_real(json, is[UNIT], &own->unit));
    CNI_TRY(cni_json_whole(json, is[CYCLES], UINT64_MAX, &own->cycles));
    CNI_TRY(cni_json_whole(json, is[BATCH_CYCLES], UINT64_MAX, &own->batch_cycles));
    CNI_TRY(read_batches(json, is[BATCHES], result));
    CNI_TRY(cni_histogram_of_json(json, is[DELAYS], &own->delays));
    return read_counts(json, is, result->scenario->topology, &own->counts);
}

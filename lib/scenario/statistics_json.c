/* Statistics in JSON: all counts, and of a histogram the bins that are not empty. */
#include "scenario/result_json.h"

#include "cubenet/statistics.h"

#include "topology/topology.h"

/* ---- histograms ---- */

static void visit_bin(cni_io *io, size_t i, void *of)
{
    cni_histogram *histogram = of;
    uint64_t is[] = {i, cni_io_writes(io) ? histogram->bin[i] : 0};
    if (cni_io_writes(io) && is[1] == 0)
        return;
    cni_io_wholes(io, NULL, is, 2, UINT64_MAX);
    if (!cni_io_reads(io))
        return;
    if (is[0] >= CNI_HISTOGRAM_BINS || is[1] == 0 || histogram->bin[is[0]] != 0 ||
        is[1] > UINT64_MAX - histogram->total) {
        cni_io_fail(
            io, NULL,
            "a bin is [number, messages], the number 0 to %d and once, the messages at least "
            "1",
            CNI_HISTOGRAM_BINS - 1);
        return;
    }
    histogram->bin[is[0]] = is[1];
    histogram->total += is[1];
}

static void visit_histogram(cni_io *io, void *of)
{
    cni_histogram *histogram = of;
    cni_io_whole(io, "greatest", &histogram->greatest, UINT64_MAX);
    cni_io_array(io, "bins", CNI_HISTOGRAM_BINS, visit_bin, histogram);
}

void cni_io_histogram(cni_io *io, const char *key, cni_histogram *histogram)
{
    cni_io_object(io, key, visit_histogram, histogram);
}

/* Visits a histogram that only some runs have. */
static void visit_optional(cni_io *io, const char *key, cni_histogram **histogram)
{
    if (CNI_IO_HAS(io, key, *histogram != NULL))
        cni_io_histogram(io, key, *histogram);
    else if (cni_io_reads(io))
        *histogram = NULL;
}

/* ---- batches and counts ---- */

/* Visits the values of each metric of the result, one value for each batch. */
static void visit_batches(cni_io *io, void *of)
{
    const cn_result *result = of;
    cni_result_statistics *own = result->statistics;
    size_t first = 1;
    while (first < CNI_METRIC_ROOM && !result->has[first])
        first++;
    if (cni_io_reads(io) && first < CNI_METRIC_ROOM)
        own->batches = cni_io_count(io, cn_metric_name((cn_metric)first));
    if (cni_io_reads(io) &&
        (own->batches > CNI_BATCHES || (own->batches > 0) > (own->batch_cycles > 0)))
        cni_io_fail(io, NULL, "there are %zu batches of %llu cycles, but at most %d", own->batches,
                    (unsigned long long)own->batch_cycles, CNI_BATCHES);
    for (size_t m = first; m <= cn_metric_count(); m++)
        if (result->has[m])
            cni_io_reals(io, cn_metric_name((cn_metric)m), own->batch[m], own->batches);
}

/* Visits the counts of the nodes. The refused messages are left out: they are the offered less the
 * accepted ones. */
static void visit_nodes(cni_io *io, void *of)
{
    const cni_counts *counts = of;
    uint64_t *const arrays[] = {
        [CN_NODE_COUNT_OFFERED] = counts->offered,
        [CN_NODE_COUNT_ACCEPTED] = counts->accepted,
        [CN_NODE_COUNT_REFUSED] = NULL,
        [CN_NODE_COUNT_DELIVERED] = counts->delivered,
        [CN_NODE_COUNT_FORWARDED] = counts->forwarded,
    };
    for (int i = 0; i <= CN_NODE_COUNT_FORWARDED; i++)
        if (i != CN_NODE_COUNT_REFUSED)
            cni_io_wholes(io, cni_name_of(&cni_node_counts, i), arrays[i], counts->nodes,
                          UINT64_MAX);
}

/* Checks that the text has a load for each channel before it makes room for the counts, so the text
 * bounds the room. */
static void open_counts(cni_io *io, const cn_topology *topology, cni_counts *counts)
{
    size_t count = cni_io_count(io, "loads");
    if (!cni_io_reads(io))
        return;
    if (topology->max_degree == 0 || count / topology->max_degree != topology->nodes ||
        count % topology->max_degree != 0)
        cni_io_fail(io, "loads", "there are %zu loads, but %s has %llu nodes of %lu ports", count,
                    topology->name, (unsigned long long)topology->nodes,
                    (unsigned long)topology->max_degree);
    else
        io->status = cni_counts_open(topology, counts);
}

static void visit(cni_io *io, void *of)
{
    cn_result *result = of;
    cni_result_statistics *own = result->statistics;
    cni_counts *counts = &own->counts;
    cni_io_real(io, "unit", &own->unit);
    cni_io_whole(io, "cycles", &own->cycles, UINT64_MAX);
    cni_io_whole(io, "batch_cycles", &own->batch_cycles, UINT64_MAX);
    cni_io_object(io, "batches", visit_batches, result);
    cni_io_histogram(io, "delays", &own->delays);
    if (cni_io_reads(io))
        open_counts(io, result->scenario->topology, counts);
    cni_io_wholes(io, "loads", counts->load, counts->nodes * counts->ports, UINT64_MAX);
    cni_io_object(io, "nodes", visit_nodes, counts);
    cni_io_wholes(io, "queues", counts->queue, counts->nodes, UINT64_MAX);
    visit_optional(io, "hops", &counts->hops);
    visit_optional(io, "broadcasts", &counts->broadcasts);
}

void cni_io_statistics(cni_io *io, cn_result *result)
{
    if (cni_io_reads(io) && result->scenario == NULL)
        cni_io_fail(io, "statistics", "there are statistics, but no scenario that they are of");
    if (cni_io_reads(io))
        result->statistics = cni_io_allocate(io, 1, sizeof *result->statistics);
    cni_io_object(io, "statistics", visit, result);
}

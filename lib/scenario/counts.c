/* Counts by channel, by node and by delivered message, that a run keeps with `statistics` = yes. */
#include "scenario/counts.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "topology/topology.h"

enum { HISTOGRAM_WORDS = sizeof(cni_histogram) / sizeof(uint64_t), NODE_ARRAYS = 5 };

/* So the histograms lie in the block of words, and add up word by word. */
_Static_assert(sizeof(cni_histogram) == HISTOGRAM_WORDS * sizeof(uint64_t),
               "a histogram is an array of 64-bit words");

cn_status cni_counts_open(const cn_topology *topology, cni_counts *counts)
{
    return cni_counts_open_nodes(topology, topology->nodes, CNI_ALL_COUNTS, counts);
}

cn_status cni_counts_open_nodes(const cn_topology *topology, uint64_t nodes, int loads_alone,
                                cni_counts *counts)
{
    uint64_t channels = nodes * topology->max_degree;
    *counts = (cni_counts){.nodes = nodes, .ports = topology->max_degree};
    counts->words = channels + (loads_alone ? 0 : NODE_ARRAYS * nodes + 2 * HISTOGRAM_WORDS);
    counts->word = cni_allocate(counts->words, sizeof *counts->word);
    CNI_TRY_MEMORY(counts->word);
    counts->load = counts->word;
    if (loads_alone)
        return CN_OK;
    counts->offered = counts->load + channels;
    counts->accepted = counts->offered + nodes;
    counts->delivered = counts->accepted + nodes;
    counts->forwarded = counts->delivered + nodes;
    counts->queue = counts->forwarded + nodes;
    counts->hops = (cni_histogram *)(counts->queue + nodes);
    counts->broadcasts = counts->hops + 1;
    return CN_OK;
}

void cni_counts_close(cni_counts *counts)
{
    cni_release(counts->word);
    *counts = (cni_counts){0};
}

/* The pointers to the histograms may be NULL, for empty histograms. */
cn_status cni_counts_visit(cni_archive *archive, const cni_counts *counts,
                           cni_histogram *const hops[], size_t parts)
{
    if (!cni_counts_all(counts)) {
        cni_archive_u64s(archive, counts->word, counts->words);
        return CN_OK;
    }
    cni_histogram *own = (cni_histogram *)(counts->queue + counts->nodes), *broadcasts = own + 1;
    cni_archive_u64s(archive, counts->word, counts->words - 2 * HISTOGRAM_WORDS);
    CNI_TRY(cni_archive_histogram(archive, hops == NULL ? &own : hops, parts));
    return cni_archive_histogram(archive, &broadcasts, 1);
}

void cni_counts_add(cni_counts *into, const cni_counts *from)
{
    for (uint64_t i = 0; i < into->words; i++)
        into->word[i] += from->word[i];
    into->hops = from->hops == NULL ? NULL : into->hops;
    into->broadcasts = from->broadcasts == NULL ? NULL : into->broadcasts;
}

void cni_counts_subtract(cni_counts *from, const cni_counts *what)
{
    for (uint64_t i = 0; i < from->words; i++)
        from->word[i] -= what->word[i];
}

void cni_counts_copy(cni_counts *into, const cni_counts *from)
{
    uint64_t channels = from->nodes * from->ports;
    memcpy(into->load, from->load, (size_t)channels * sizeof *into->load);
    if (cni_counts_all(into)) /* what follows the loads in the block */
        memcpy(into->offered, from->offered,
               (size_t)(into->words - channels) * sizeof *into->offered);
}

void cni_counts_find_forwarded(const cn_topology *topology, cni_counts *counts)
{
    if (counts->nodes < topology->nodes)
        return;
    for (uint64_t node = 0; node < counts->nodes; node++)
        counts->forwarded[node] = 0 - counts->delivered[node];
    for (uint64_t node = 0; node < counts->nodes; node++) {
        const uint64_t *load = counts->load + node * counts->ports;
        for (uint32_t port = 0; port < topology->ops->degree(topology, node); port++)
            if (load[port] > 0)
                counts->forwarded[topology->ops->neighbor(topology, node, port)] += load[port];
    }
}

void cni_counts_settle(cni_counts *counts)
{
    if (counts->hops != NULL)
        cni_histogram_settle(counts->hops);
    if (counts->broadcasts != NULL)
        cni_histogram_settle(counts->broadcasts);
}

#include "scenario/traffic/locality.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "topology/distances/breadth_first.h"

/* Entries of the counts, which take the square of that over the dimensions to make, and nodes that are
 * listed from each of them. */
static const uint64_t MOST_COUNTS = UINT64_C(1) << 16;
static const uint64_t MOST_LISTED = 2048;

/* ---- digits ---- */

static uint64_t most_hops(const cn_topology *topology, uint32_t dimension)
{
    if (cni_sets_digits(topology))
        return 1;
    uint64_t radix = topology->radix[dimension];
    return !topology->bidirectional ? radix - 1 : radix / 2;
}

/* Digits of a header that stand for so many hops, not above the most. */
static uint64_t digits_at(const cn_topology *topology, uint32_t dimension, uint64_t hops)
{
    uint64_t radix = topology->radix[dimension];
    if (hops == 0 || !topology->bidirectional)
        return 1;
    if (cni_sets_digits(topology))
        return radix - 1;
    return 2 * hops == radix ? 1 : 2;
}

/* Number `which` of them. */
static uint64_t digit_at(const cn_topology *topology, uint32_t dimension, uint64_t hops,
                         uint64_t which)
{
    if (cni_sets_digits(topology))
        return hops + which;
    return which == 0 ? hops : topology->radix[dimension] - hops;
}

static cn_status count_ways(cni_locality *l, const cn_topology *topology)
{
    uint64_t width = l->diameter + 1;
    uint32_t n = topology->dimensions;
    if (width > MOST_COUNTS / (n + 1))
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "locality on %s allows distances up to %llu, but the network has distances up to %llu",
            topology->name, (unsigned long long)(MOST_COUNTS / (n + 1)),
            (unsigned long long)l->diameter);
    l->ways = cni_allocate((uint64_t)width * (n + 1), sizeof *l->ways);
    CNI_TRY_MEMORY(l->ways);
    l->ways[n * width] = 1;
    for (uint32_t i = n; i-- > 0;)
        for (uint64_t d = 0; d < width; d++)
            for (uint64_t h = 0; h <= most_hops(topology, i) && h <= d; h++)
                l->ways[i * width + d] +=
                    digits_at(topology, i, h) * l->ways[(i + 1) * width + d - h];
    return CN_OK;
}

/* The header number `rank` of those at distance d. */
static uint64_t header_at(const cni_locality *l, const cn_topology *topology, uint64_t d,
                          uint64_t rank)
{
    uint64_t width = l->diameter + 1, header = 0;
    for (uint32_t i = 0; i < topology->dimensions; i++)
        for (uint64_t h = 0;; h++) {
            uint64_t rest = l->ways[(i + 1) * width + d - h];
            uint64_t block = digits_at(topology, i, h) * rest;
            if (rank >= block) {
                rank -= block;
                continue;
            }
            header += digit_at(topology, i, h, rank / rest) * topology->stride[i];
            rank %= rest;
            d -= h;
            break;
        }
    return header;
}

/* ---- lists ---- */

static uint32_t *shell_of(const cni_locality *l, uint64_t source)
{
    return l->shell + source * (l->diameter + 2);
}

static cn_status list_from(cni_locality *l, const cni_graph *graph, cni_search *search)
{
    for (size_t s = 0; s < graph->nodes; s++) {
        cni_search_from(graph, (uint32_t)s, search);
        if (search->reached < graph->nodes)
            return cni_fail(CN_ERR_DISCONNECTED,
                            "locality: node %zu of %s reaches %zu of the %zu nodes", s,
                            graph->topology->name, search->reached, graph->nodes);
        uint32_t *shell = shell_of(l, s);
        for (size_t at = 0; at < graph->nodes; at++) {
            uint32_t node = search->queue[at];
            l->order[s * graph->nodes + at] = node;
            shell[search->hops[node] + 1]++;
        }
        for (uint64_t d = 0; d <= l->diameter; d++)
            shell[d + 1] += shell[d];
    }
    return CN_OK;
}

cn_status cni_locality_check(const char *function, const cn_topology *topology)
{
    if (cni_adds_digits(topology) || topology->nodes <= MOST_LISTED)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: locality on %s allows at most %llu nodes, but the network has %llu",
                    function, topology->name, (unsigned long long)MOST_LISTED,
                    (unsigned long long)topology->nodes);
}

static cn_status list_nodes(cni_locality *l, const cn_topology *topology)
{
    size_t nodes = cni_size(topology->nodes);
    l->order = cni_allocate((uint64_t)nodes * nodes, sizeof *l->order);
    l->shell = cni_allocate((uint64_t)nodes * ((uint64_t)l->diameter + 2), sizeof *l->shell);
    if (l->order == NULL || l->shell == NULL)
        return CN_ERR_MEMORY;
    cni_graph graph;
    cni_search search;
    CNI_TRY(cni_graph_open(topology, &graph));
    cn_status status = cni_search_open(&graph, &search);
    if (status == CN_OK) {
        status = list_from(l, &graph, &search);
        cni_search_close(&search);
    }
    cni_graph_close(&graph);
    return status;
}

/* ---- both ---- */

void cni_locality_close(cni_locality *l)
{
    if (l == NULL)
        return;
    cni_release(l->up_to);
    cni_release(l->ways);
    cni_release(l->order);
    cni_release(l->shell);
    cni_release(l);
}

static cn_status fill(cni_locality *l, const char *function, const cn_topology *topology,
                      const double sums[])
{
    l->up_to = cni_allocate((uint64_t)l->diameter + 1, sizeof *l->up_to);
    CNI_TRY_MEMORY(l->up_to);
    for (uint64_t d = 1; d <= l->diameter; d++)
        l->up_to[d] = sums[d - 1];
    if (!(l->up_to[l->diameter] > 0.0) || l->up_to[l->diameter] > 1e300)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: the sum of weights = %g, but it must be above 0 and at most 1e300",
                        function, l->up_to[l->diameter]);
    return cni_adds_digits(topology) ? count_ways(l, topology) : list_nodes(l, topology);
}

cn_status cni_locality_open(const char *function, const cn_topology *topology, uint64_t diameter,
                            const double sums[], cni_locality **locality)
{
    cni_locality *l = cni_allocate(1, sizeof *l);
    CNI_TRY_MEMORY(l);
    l->diameter = diameter;
    cn_status status = fill(l, function, topology, sums);
    if (status == CN_OK)
        *locality = l;
    else
        cni_locality_close(l);
    return status;
}

uint64_t cni_locality_shell(const cni_locality *l, const cn_topology *topology, uint64_t source,
                            uint64_t distance)
{
    (void)topology;
    if (l->ways != NULL)
        return l->ways[distance];
    const uint32_t *shell = shell_of(l, source);
    return shell[distance + 1] - shell[distance];
}

/* The farthest distance that the source has: no shell below it is empty. */
static uint64_t farthest(const cni_locality *l, const cn_topology *topology, uint64_t source)
{
    uint64_t low = 0, high = l->diameter;
    if (l->ways != NULL)
        return high;
    while (low < high) {
        uint64_t middle = (low + high + 1) / 2;
        if (shell_of(l, source)[middle] < topology->nodes)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int cni_locality_sends(const cni_locality *l, const cn_topology *topology, uint64_t source)
{
    return l->up_to[farthest(l, topology, source)] > 0.0;
}

double cni_locality_share(const cni_locality *l, const cn_topology *topology, uint64_t source,
                          uint64_t distance)
{
    uint64_t most = farthest(l, topology, source);
    if (distance > most)
        return 0.0;
    return (l->up_to[distance] - l->up_to[distance - 1]) / l->up_to[most];
}

uint64_t cni_locality_destination(const cni_locality *l, const cn_topology *topology,
                                  uint64_t source, uint64_t word)
{
    uint64_t low = 1, high = farthest(l, topology, source);
    double drawn = (double)(word >> 11) / 9007199254740992.0 * l->up_to[high]; /* below that */
    while (low < high) { /* the first distance whose sum lies above */
        uint64_t middle = (low + high) / 2;
        if (drawn < l->up_to[middle])
            high = middle;
        else
            low = middle + 1;
    }
    uint64_t rank =
        cni_random_scale(cni_random_derive(word, 1), cni_locality_shell(l, topology, source, low));
    if (l->ways != NULL)
        return cni_header(topology, source, header_at(l, topology, low, rank));
    return l->order[source * topology->nodes + shell_of(l, source)[low] + rank];
}

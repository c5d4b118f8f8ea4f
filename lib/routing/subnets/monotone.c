/*
 * Paths that keep one direction in each dimension of a damaged k-ary n-cube; the direction may be
 * the long way round (Horng 1992, 6.1.4).
 */
#include "routing/faults/fault.h"

#include <limits.h>

#include "base/error.h"
#include "cubenet/experimental/damage.h"
#include "routing/decisions/channels.h"

enum { MOST_NODES_LOG2 = 12 };

typedef struct monotone {
    const cn_faults *faults;
    cni_budget *budget;
    uint32_t n;
    uint64_t k, nodes;
    int two_way;
    uint32_t *node;         /* at every offset from the source */
    unsigned char *reached; /* by offset */
    unsigned char *fewest;  /* by node: the dimensions gone the long way; NONE: no path so far */
    uint64_t counts[CNI_MAX_DIMENSIONS + 1]; /* of pairs, by that number */
    uint64_t blocked;
    void *block;
} monotone;

enum { NONE = UCHAR_MAX };

/* Whether a step in dimension d brings a path to this offset. Lower offsets have been settled. Also
 * writes the number of the node at the offset. */
static int step_reaches(monotone *m, uint64_t offset, uint32_t d, uint64_t stride, uint64_t ups)
{
    uint64_t before = offset - stride, from = m->node[before];
    uint32_t port = (ups >> d & 1) != 0 ? m->n + d : d;
    m->node[offset] = (uint32_t)cni_neighbor(m->faults->topology, from, port);
    return m->reached[before] && (cni_faulty_links(m->faults, from) >> port & 1) == 0;
}

/* Finds whether a path reaches an offset. All paths have the same directions: up in the dimensions
 * with a bit in ups, else down. */
static void settle_offset(monotone *m, uint64_t offset, uint64_t ups)
{
    int reached = 0;
    unsigned char longs = 0;
    uint64_t stride = 1, rest = offset;
    for (uint32_t d = 0; d < m->n; d++, stride *= m->k, rest /= m->k) {
        uint64_t hops = rest % m->k;
        if (hops == 0)
            continue;
        reached |= step_reaches(m, offset, d, stride, ups);
        longs = (unsigned char)(longs + (m->two_way && 2 * hops > m->k));
    }
    uint64_t node = m->node[offset];
    m->reached[offset] = (unsigned char)(reached && !cni_node_faulty(m->faults, node));
    if (m->reached[offset] && longs < m->fewest[node])
        m->fewest[node] = longs;
}

static cn_status count_from(monotone *m, uint64_t source)
{
    if (cni_node_faulty(m->faults, source))
        return CN_OK;
    for (uint64_t v = 0; v < m->nodes; v++)
        m->fewest[v] = NONE;
    m->node[0] = (uint32_t)source;
    m->reached[0] = 1;
    for (uint64_t ups = 0; ups < (m->two_way ? cni_bit(m->n) : 1); ups++) {
        for (uint64_t offset = 1; offset < m->nodes; offset++)
            settle_offset(m, offset, ups);
        CNI_TRY(cni_budget_go_on(m->budget, m->nodes * m->n));
    }
    for (uint64_t v = 0; v < m->nodes; v++) {
        if (v == source || cni_node_faulty(m->faults, v))
            continue;
        if (m->fewest[v] == NONE)
            m->blocked++;
        else
            m->counts[m->fewest[v]]++;
    }
    return CN_OK;
}

static cn_status check(const char *function, const cn_faults *faults)
{
    const cn_topology *topology = faults->topology;
    CNI_TRY(cni_check_routable(function, topology));
    if (topology->nodes > cni_bit(MOST_NODES_LOG2))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s has %llu nodes, but at most 2^%d are allowed",
                        function, topology->name, (unsigned long long)topology->nodes,
                        MOST_NODES_LOG2);
    return CN_OK;
}

static cn_status open(const cn_faults *faults, monotone *m)
{
    const cn_topology *topology = faults->topology;
    size_t nodes = cni_size(topology->nodes);
    *m = (monotone){.faults = faults, .n = topology->dimensions, .nodes = topology->nodes};
    m->k = topology->radix[0];
    m->two_way = topology->max_degree > topology->dimensions;
    const cni_array arrays[] = {
        CNI_ARRAY(m->node, nodes),
        CNI_ARRAY(m->reached, nodes),
        CNI_ARRAY(m->fewest, nodes),
    };
    return cni_allocate_arrays(&m->block, arrays);
}

cn_status cn_faults_monotone_counts(const cn_faults *faults, const cn_control *control,
                                    uint64_t counts[], size_t capacity, size_t *count,
                                    uint64_t *blocked)
{
    CNI_REQUIRE(faults);
    CNI_REQUIRE_ARRAY(counts, capacity);
    CNI_BUDGET(budget, control, faults->topology->nodes);
    CNI_TRY(check(__func__, faults));
    monotone m;
    cn_status status = open(faults, &m);
    m.budget = &budget;
    for (uint64_t v = 0; status == CN_OK && v < m.nodes; v++, budget.done++)
        status = count_from(&m, v);
    cni_release(m.block);
    if (status != CN_OK)
        return status;
    size_t length = 0;
    for (size_t x = 0; x <= m.n; x++)
        length = m.counts[x] > 0 ? x + 1 : length;
    CNI_REQUIRE_FIT(length, capacity, count, "there are %zu counts", length);
    for (size_t x = 0; x < length; x++)
        counts[x] = m.counts[x];
    CNI_GIVE(blocked, m.blocked);
    return CN_OK;
}

/* Shortest paths around the faults. */
#include "routing/fault.h"

#include "base/error.h"

uint64_t cni_fault_search_from(const cn_faults *faults, uint64_t source, uint32_t hops[],
                               uint32_t queue[])
{
    const cn_topology *topology = faults->topology;
    for (uint64_t v = 0; v < topology->nodes; v++)
        hops[v] = UINT32_MAX;
    if (cni_node_faulty(faults, source))
        return 0;
    size_t begin = 0, end = 0;
    queue[end++] = (uint32_t)source;
    hops[source] = 0;
    for (; begin < end; begin++) {
        uint64_t v = queue[begin];
        uint64_t faulty = cni_faulty_links(faults, v);
        uint32_t degree = cni_degree(topology, v);
        for (uint32_t p = 0; p < degree; p++) {
            uint64_t far = cni_neighbor(topology, v, p);
            /* no link fails where there are more than 64 ports */
            if ((faulty != 0 && (faulty >> p & 1) != 0) || hops[far] != UINT32_MAX ||
                cni_node_faulty(faults, far))
                continue;
            hops[far] = hops[v] + 1;
            queue[end++] = (uint32_t)far;
        }
    }
    return end;
}

typedef struct search {
    uint32_t *hops, *queue;
} search;

static cn_status open_search(const cn_topology *topology, search *s)
{
    s->hops = cni_allocate((size_t)topology->nodes, sizeof *s->hops);
    s->queue = cni_allocate((size_t)topology->nodes, sizeof *s->queue);
    return s->hops == NULL || s->queue == NULL ? CN_ERR_MEMORY : CN_OK;
}

static void close_search(search *s)
{
    cni_release(s->hops);
    cni_release(s->queue);
}

cn_status cn_faults_distance(const cn_faults *faults, uint64_t source, uint64_t destination,
                             uint64_t *distance)
{
    CNI_REQUIRE(faults);
    CNI_REQUIRE(distance);
    CNI_TRY(cni_check_node(__func__, "source", faults->topology, source));
    CNI_TRY(cni_check_node(__func__, "destination", faults->topology, destination));
    search s;
    cn_status status = open_search(faults->topology, &s);
    if (status == CN_OK) {
        cni_fault_search_from(faults, source, s.hops, s.queue);
        uint32_t hops = s.hops[destination];
        *distance = hops == UINT32_MAX ? CN_UNREACHABLE : hops;
    }
    close_search(&s);
    return status;
}

cn_status cn_faults_mean_distance(const cn_faults *faults, double *mean, uint64_t *pairs)
{
    CNI_REQUIRE(faults);
    CNI_REQUIRE(mean);
    search s;
    cn_status status = open_search(faults->topology, &s);
    if (status == CN_OK) {
        uint64_t sum = 0, count = 0;
        for (uint64_t v = 0; v < faults->topology->nodes; v++) {
            uint64_t reached = cni_fault_search_from(faults, v, s.hops, s.queue);
            for (uint64_t i = 1; i < reached; i++)
                sum += s.hops[s.queue[i]];
            count += reached > 0 ? reached - 1 : 0;
        }
        *mean = count == 0 ? 0 : (double)sum / (double)count;
        if (pairs != NULL)
            *pairs = count;
    }
    close_search(&s);
    return status;
}

/* The working channels of a network, listed by the node to which each channel leads. */
#include "routing/faults/inlets.h"

#include "topology/distances/breadth_first.h"

/* Whether a channel works, its ends included. No link fails where there are more than 64 ports. */
static int works(const cn_faults *faults, uint64_t node, uint32_t port, uint64_t head)
{
    return faults == NULL || (!cni_node_faulty(faults, node) && !cni_node_faulty(faults, head) &&
                              (cni_faulty_links(faults, node) >> (port & 63) & 1) == 0);
}

/* Counts the channels into node v in first[v + 1]. */
static void count(cni_inlets *inlets, const cn_faults *faults, cni_budget *budget)
{
    const cn_topology *topology = inlets->topology;
    for (uint64_t v = 0; v < inlets->nodes && cni_budget_work(budget, topology->max_degree); v++)
        for (uint32_t p = 0; p < cni_degree(topology, v); p++) {
            uint64_t head = cni_neighbor(topology, v, p);
            inlets->first[head + 1] += (size_t)works(faults, v, p, head);
        }
    for (size_t v = 0; v < inlets->nodes; v++)
        inlets->first[v + 1] += inlets->first[v];
}

/* Fills the two arrays of channels. next[v]: the next free place among the channels into node v. */
static void fill(cni_inlets *inlets, const cn_faults *faults, cni_budget *budget, size_t next[])
{
    const cn_topology *topology = inlets->topology;
    for (size_t v = 0; v < inlets->nodes; v++)
        next[v] = inlets->first[v];
    for (uint32_t p = 0; p < topology->max_degree; p++)
        for (uint64_t v = 0; v < inlets->nodes && cni_budget_pass(budget, v, 2); v++) {
            if (p >= cni_degree(topology, v))
                continue;
            uint64_t head = cni_neighbor(topology, v, p);
            if (!works(faults, v, p, head))
                continue;
            inlets->tail[next[head]] = (uint32_t)v;
            inlets->port[next[head]++] = (unsigned char)p;
        }
}

cn_status cni_inlets_open(cni_inlets *inlets, const cn_topology *topology, const cn_faults *faults,
                          cni_budget *budget)
{
    *inlets = (cni_inlets){.topology = topology, .nodes = cni_size(topology->nodes)};
    inlets->first = cni_allocate(topology->nodes + 1, sizeof *inlets->first);
    CNI_TRY_MEMORY(inlets->first);
    count(inlets, faults, budget);
    size_t channels = inlets->first[inlets->nodes];
    size_t *next = cni_allocate(inlets->nodes, sizeof *next);
    inlets->tail = cni_allocate(channels, sizeof *inlets->tail);
    inlets->port = cni_allocate(channels, sizeof *inlets->port);
    cn_status status = cni_budget_go_on(budget, 0);
    if (next == NULL || inlets->tail == NULL || inlets->port == NULL)
        status = CN_ERR_MEMORY;
    else if (status == CN_OK)
        fill(inlets, faults, budget, next);
    cni_release(next);
    return status == CN_OK ? cni_budget_go_on(budget, 0) : status;
}

void cni_inlets_mark(cni_inlets *inlets, const uint64_t up[])
{
    for (size_t e = 0; e < inlets->first[inlets->nodes]; e++)
        if ((up[inlets->tail[e]] >> inlets->port[e] & 1) != 0)
            inlets->port[e] |= CNI_LEADS_UP;
}

void cni_inlets_close(cni_inlets *inlets)
{
    cni_release(inlets->first);
    cni_release(inlets->tail);
    cni_release(inlets->port);
    *inlets = (cni_inlets){0};
}

void cni_search_hops(const cni_inlets *inlets, uint32_t target, uint32_t hops[], uint32_t queue[])
{
    const cni_graph graph = cni_inlets_graph(inlets);
    cni_search search = {.hops = hops, .queue = queue};
    cni_search_within(&graph, target, NULL, &search);
}

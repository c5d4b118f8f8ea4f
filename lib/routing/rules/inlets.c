#include "routing/rules/inlets.h"

/* Whether a channel works, its ends included. */
static int works(const cn_faults *faults, uint64_t node, uint32_t port, uint64_t head)
{
    return faults == NULL || (!cni_node_faulty(faults, node) && !cni_node_faulty(faults, head) &&
                              (cni_faulty_links(faults, node) >> port & 1) == 0);
}

/* Counts the channels into node v in first[v + 1]. */
static void count(cni_inlets *inlets, const cn_topology *topology, const cn_faults *faults)
{
    for (uint64_t v = 0; v < topology->nodes; v++)
        for (uint32_t p = 0; p < cni_degree(topology, v); p++) {
            uint64_t head = cni_neighbor(topology, v, p);
            inlets->first[head + 1] += (size_t)works(faults, v, p, head);
        }
    for (size_t v = 0; v < inlets->nodes; v++)
        inlets->first[v + 1] += inlets->first[v];
}

/* next[v]: the free place of node v */
static void fill(cni_inlets *inlets, const cn_topology *topology, const cn_faults *faults,
                 size_t next[])
{
    for (size_t v = 0; v < inlets->nodes; v++)
        next[v] = inlets->first[v];
    for (uint32_t p = 0; p < topology->max_degree; p++)
        for (uint64_t v = 0; v < topology->nodes; v++) {
            if (p >= cni_degree(topology, v))
                continue;
            uint64_t head = cni_neighbor(topology, v, p);
            if (!works(faults, v, p, head))
                continue;
            inlets->tail[next[head]] = (uint32_t)v;
            inlets->port[next[head]++] = (unsigned char)p;
        }
}

cn_status cni_inlets_open(cni_inlets *inlets, const cn_topology *topology, const cn_faults *faults)
{
    *inlets = (cni_inlets){.nodes = (size_t)topology->nodes};
    inlets->first = cni_allocate(inlets->nodes + 1, sizeof *inlets->first);
    CNI_TRY_MEMORY(inlets->first);
    count(inlets, topology, faults);
    size_t channels = inlets->first[inlets->nodes];
    size_t *next = cni_allocate(inlets->nodes, sizeof *next);
    inlets->tail = cni_allocate(channels, sizeof *inlets->tail);
    inlets->port = cni_allocate(channels, sizeof *inlets->port);
    int has_room = next != NULL && inlets->tail != NULL && inlets->port != NULL;
    if (has_room)
        fill(inlets, topology, faults, next);
    cni_release(next);
    return has_room ? CN_OK : CN_ERR_MEMORY;
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

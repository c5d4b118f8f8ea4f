#include "routing/rules/search.h"

#define FAR UINT32_MAX

/*
 * Reaches a state over a channel of the tail, and so many hops from the target. No branch depends on what
 * is found: none of them could be predicted. queue has room for one more than there are states.
 */
static inline size_t reach(uint32_t hops[], uint32_t queue[], size_t end, size_t state,
                           uint32_t next, uint32_t port, uint64_t *ports)
{
    uint32_t known = hops[state];
    int fresh = known == FAR;
    queue[end] = (uint32_t)state;
    known = fresh ? next : known;
    hops[state] = known;
    *ports |= (uint64_t)(known == next) << port % CNI_LEADS_UP;
    return end + (size_t)fresh;
}

void cni_search_closer(const cni_inlets *inlets, uint32_t target, uint32_t scratch[],
                       cni_key keys[])
{
    size_t nodes = inlets->nodes, end = 1;
    uint32_t *hops = scratch, *queue = scratch + nodes;
    for (size_t v = 0; v < nodes; v++)
        hops[v] = FAR;
    hops[target] = 0;
    queue[0] = target;
    for (size_t at = 0; at < end; at++) {
        uint32_t v = queue[at], next = hops[v] + 1;
        for (size_t e = inlets->first[v]; e < inlets->first[v + 1]; e++) {
            uint32_t tail = inlets->tail[e];
            end = reach(hops, queue, end, tail, next, inlets->port[e], &keys[tail].first);
        }
    }
}

/* A state: node v while it may still go up is v, and v + N when it may no more. */
void cni_search_up_down(const cni_inlets *inlets, uint32_t target, uint32_t scratch[],
                        cni_key keys[])
{
    size_t nodes = inlets->nodes, end = 2;
    uint32_t *hops = scratch, *queue = scratch + 2 * nodes;
    for (size_t state = 0; state < 2 * nodes; state++)
        hops[state] = FAR;
    hops[target] = hops[target + nodes] = 0;
    queue[0] = target;
    queue[1] = target + (uint32_t)nodes;
    for (size_t at = 0; at < end; at++) {
        size_t state = queue[at], v = state < nodes ? state : state - nodes;
        size_t first = inlets->first[v], last = inlets->first[v + 1];
        uint32_t next = hops[state] + 1;
        /* up into a node that may still go up, down into one that may not */
        for (size_t e = first; state < nodes && e < last && inlets->port[e] >= CNI_LEADS_UP; e++) {
            uint32_t tail = inlets->tail[e];
            end = reach(hops, queue, end, tail, next, inlets->port[e], &keys[tail].second);
        }
        for (size_t e = last; state >= nodes && e > first && inlets->port[e - 1] < CNI_LEADS_UP;
             e--) {
            size_t tail = inlets->tail[e - 1], port = inlets->port[e - 1];
            end = reach(hops, queue, end, tail, next, (uint32_t)port, &keys[tail].second);
            tail += nodes;
            end = reach(hops, queue, end, tail, next, (uint32_t)port, &keys[tail].second);
        }
    }
}

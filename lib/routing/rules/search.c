#include "routing/rules/search.h"

#define FAR UINT32_MAX

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
            if (hops[tail] < next)
                continue;
            if (hops[tail] == FAR) {
                hops[tail] = next;
                queue[end++] = tail;
            }
            keys[tail].first |= cni_bit(inlets->port[e]);
        }
    }
}

/* A state: node v while it may still go up is v, and v + N when it may no more. */
typedef struct states {
    uint32_t *hops, *queue;
    size_t end;
    cni_key *keys;
} states;

static void reach(states *s, size_t state, uint32_t hops, uint32_t port)
{
    if (s->hops[state] < hops)
        return;
    if (s->hops[state] == FAR) {
        s->hops[state] = hops;
        s->queue[s->end++] = (uint32_t)state;
    }
    s->keys[state].second |= cni_bit(port);
}

void cni_search_up_down(const cni_inlets *inlets, const uint64_t up[], uint32_t target,
                        uint32_t scratch[], cni_key keys[])
{
    size_t nodes = inlets->nodes;
    states s = {scratch, scratch + 2 * nodes, 2, keys};
    for (size_t state = 0; state < 2 * nodes; state++)
        s.hops[state] = FAR;
    s.hops[target] = s.hops[target + nodes] = 0;
    s.queue[0] = target;
    s.queue[1] = target + (uint32_t)nodes;
    for (size_t at = 0; at < s.end; at++) {
        size_t state = s.queue[at], v = state < nodes ? state : state - nodes;
        for (size_t e = inlets->first[v]; e < inlets->first[v + 1]; e++) {
            uint32_t tail = inlets->tail[e], port = inlets->port[e], next = s.hops[state] + 1;
            int leads_up = (int)(up[tail] >> port & 1);
            if (leads_up != (state < nodes))
                continue; /* up into a node that may go up, down into one that may not */
            reach(&s, tail, next, port);
            if (!leads_up)
                reach(&s, tail + nodes, next, port);
        }
    }
}

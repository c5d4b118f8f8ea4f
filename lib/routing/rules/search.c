#include "routing/rules/search.h"

#include <string.h>

#include "base/memory.h"

#define FAR UINT32_MAX

void cni_search_hops(const cni_inlets *inlets, uint32_t target, uint32_t hops[], uint32_t queue[])
{
    size_t end = 1;
    for (size_t v = 0; v < inlets->nodes; v++)
        hops[v] = FAR;
    hops[target] = 0;
    queue[0] = target;
    for (size_t at = 0; at < end; at++)
        for (size_t e = inlets->first[queue[at]]; e < inlets->first[queue[at] + 1]; e++) {
            uint32_t tail = inlets->tail[e];
            queue[end] = tail;
            end += hops[tail] == FAR;
            hops[tail] = hops[tail] == FAR ? hops[queue[at]] + 1 : hops[tail];
        }
}

/* ---- many at once ---- */

cn_status cni_waves_open(cni_waves *waves, size_t nodes, size_t ports, int closer, int up_down)
{
    int is_wanted[CNI_WAYS] = {closer, up_down, up_down}, has_room;
    *waves = (cni_waves){.nodes = nodes, .ports = ports};
    waves->active = cni_allocate(nodes + 1, sizeof *waves->active);
    waves->touched = cni_allocate(nodes + 1, sizeof *waves->touched);
    has_room = waves->active != NULL && waves->touched != NULL;
    for (int w = 0; w < CNI_WAYS && has_room; w++) {
        if (!is_wanted[w])
            continue;
        waves->first[w] = cni_allocate(nodes * ports + 1, sizeof **waves->first);
        waves->front[w] = cni_allocate(nodes, sizeof **waves->front);
        waves->seen[w] = cni_allocate(nodes, sizeof **waves->seen);
        waves->next[w] = cni_allocate(nodes, sizeof **waves->next);
        has_room = waves->first[w] != NULL && waves->front[w] != NULL && waves->seen[w] != NULL &&
                   waves->next[w] != NULL;
    }
    return has_room ? CN_OK : CN_ERR_MEMORY;
}

void cni_waves_close(cni_waves *waves)
{
    for (int w = 0; w < CNI_WAYS; w++) {
        cni_release(waves->first[w]);
        cni_release(waves->front[w]);
        cni_release(waves->seen[w]);
        cni_release(waves->next[w]);
    }
    cni_release(waves->active);
    cni_release(waves->touched);
    *waves = (cni_waves){0};
}

/* Every target is at distance 0 of itself. Returns how many nodes are in front. */
static size_t begin(cni_waves *w, cni_way way, const uint32_t targets[], size_t count)
{
    memset(w->first[way], 0, w->nodes * w->ports * sizeof **w->first);
    memset(w->front[way], 0, w->nodes * sizeof **w->front);
    memset(w->seen[way], 0, w->nodes * sizeof **w->seen);
    for (size_t i = 0; i < count; i++) {
        w->front[way][targets[i]] |= UINT64_C(1) << i;
        w->seen[way][targets[i]] |= UINT64_C(1) << i;
        w->active[i] = targets[i];
    }
    return count;
}

/* The front goes on to what it has reached and not seen before; next is cleared. */
static inline uint64_t go_on(cni_waves *w, cni_way way, uint32_t node)
{
    uint64_t fresh = w->next[way][node] & ~w->seen[way][node];
    w->seen[way][node] |= fresh;
    w->front[way][node] = fresh;
    w->next[way][node] = 0;
    return fresh;
}

static void search_closer(cni_waves *w, const cni_inlets *inlets, const uint32_t targets[],
                          size_t count)
{
    uint64_t *front = w->front[CNI_CLOSER], *next = w->next[CNI_CLOSER];
    uint64_t *seen = w->seen[CNI_CLOSER], *first = w->first[CNI_CLOSER];
    for (size_t active = begin(w, CNI_CLOSER, targets, count); active > 0;) {
        size_t touched = 0;
        for (size_t i = 0; i < active; i++)
            for (size_t v = w->active[i], e = inlets->first[v]; e < inlets->first[v + 1]; e++) {
                uint32_t tail = inlets->tail[e];
                w->touched[touched] = tail;
                touched += next[tail] == 0;
                next[tail] |= front[v];
            }
        for (size_t i = 0; i < active; i++) {
            size_t v = w->active[i];
            for (size_t e = inlets->first[v]; e < inlets->first[v + 1]; e++) {
                size_t tail = inlets->tail[e], port = inlets->port[e] % CNI_LEADS_UP;
                first[tail * w->ports + port] |= front[v] & next[tail] & ~seen[tail];
            }
        }
        for (size_t i = 0; i < active; i++)
            front[w->active[i]] = 0;
        active = 0;
        for (size_t i = 0; i < touched; i++) {
            w->active[active] = w->touched[i];
            active += go_on(w, CNI_CLOSER, w->touched[i]) != 0;
        }
    }
}

/* Up into a node that may still go up, down into one that may no more: all from the state before. */
static void search_up_down(cni_waves *w, const cni_inlets *inlets, const uint32_t targets[],
                           size_t count)
{
    uint64_t *const *front = w->front, *const *next = w->next, *const *seen = w->seen;
    begin(w, CNI_UP, targets, count);
    for (size_t active = begin(w, CNI_DOWN, targets, count); active > 0;) {
        size_t touched = 0;
        for (size_t i = 0; i < active; i++)
            for (size_t v = w->active[i], e = inlets->first[v]; e < inlets->first[v + 1]; e++) {
                uint32_t tail = inlets->tail[e];
                int is_up = inlets->port[e] >= CNI_LEADS_UP;
                uint64_t come = is_up ? front[CNI_UP][v] : front[CNI_DOWN][v];
                w->touched[touched] = tail;
                touched += next[CNI_UP][tail] == 0 && come != 0;
                next[CNI_UP][tail] |= come;
                next[CNI_DOWN][tail] |= is_up ? 0 : come;
            }
        for (size_t i = 0; i < active; i++)
            for (size_t v = w->active[i], e = inlets->first[v]; e < inlets->first[v + 1]; e++) {
                size_t tail = inlets->tail[e];
                size_t place = tail * w->ports + inlets->port[e] % CNI_LEADS_UP;
                int is_up = inlets->port[e] >= CNI_LEADS_UP;
                uint64_t come = is_up ? front[CNI_UP][v] : front[CNI_DOWN][v];
                w->first[CNI_UP][place] |= come & next[CNI_UP][tail] & ~seen[CNI_UP][tail];
                w->first[CNI_DOWN][place] |=
                    is_up ? 0 : come & next[CNI_DOWN][tail] & ~seen[CNI_DOWN][tail];
            }
        for (size_t i = 0; i < active; i++)
            front[CNI_UP][w->active[i]] = front[CNI_DOWN][w->active[i]] = 0;
        active = 0;
        for (size_t i = 0; i < touched; i++) {
            uint64_t up = go_on(w, CNI_UP, w->touched[i]), down = go_on(w, CNI_DOWN, w->touched[i]);
            w->active[active] = w->touched[i];
            active += (up | down) != 0;
        }
    }
}

void cni_waves_from(cni_waves *waves, const cni_inlets *inlets, const uint32_t targets[],
                    size_t count)
{
    if (waves->first[CNI_CLOSER] != NULL)
        search_closer(waves, inlets, targets, count);
    if (waves->first[CNI_UP] != NULL)
        search_up_down(waves, inlets, targets, count);
}

/* ---- from targets by port to ports by target ---- */

/* Bit 8i + j becomes bit 8j + i. */
static uint64_t transpose(uint64_t x)
{
    uint64_t t = (x ^ (x >> 7)) & UINT64_C(0x00aa00aa00aa00aa);
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & UINT64_C(0x0000cccc0000cccc);
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & UINT64_C(0x00000000f0f0f0f0);
    return x ^ t ^ (t << 28);
}

void cni_waves_ports(const cni_waves *waves, cni_way way, size_t v, uint64_t ports[CNI_TARGETS])
{
    const uint64_t *word = waves->first[way] + v * waves->ports;
    for (size_t i = 0; i < CNI_TARGETS; i++)
        ports[i] = 0;
    for (size_t p = 0; p < waves->ports; p += 8) {
        size_t rows = waves->ports - p < 8 ? waves->ports - p : 8;
        for (unsigned byte = 0; byte < CNI_TARGETS; byte += 8) {
            uint64_t square = 0;
            for (size_t i = 0; i < rows; i++)
                square |= (word[p + i] >> byte & 255) << 8 * i;
            square = transpose(square);
            for (size_t i = 0; i < 8; i++)
                ports[byte + i] |= (square >> 8 * i & 255) << p;
        }
    }
}

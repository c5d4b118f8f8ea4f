/* Breadth-first searches from many targets at once, for the ports of minimal and up-down rules. */
#include "routing/rules/search.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* The node to which each port leads, by the numbers of the fronts; a faulty port leads to node
 * N, which no wave reaches. */
static void fill_heads(cni_waves *w, const cni_inlets *inlets)
{
    size_t count = w->nodes * w->ports;
    for (size_t c = 0; c < count; c++) {
        if (w->closer != NULL)
            w->closer[c] = (uint32_t)w->nodes;
        if (w->up_down != NULL)
            w->up_down[c] = (uint32_t)(2 * w->nodes);
    }
    for (size_t v = 0; v < w->nodes; v++)
        for (size_t e = inlets->first[v]; e < inlets->first[v + 1]; e++) {
            uint32_t tail = inlets->tail[e], port = inlets->port[e] % CNI_LEADS_UP;
            size_t c = tail * w->ports + port;
            int leads_down = inlets->port[e] < CNI_LEADS_UP;
            if (w->degree[tail] <= port)
                w->degree[tail] = (unsigned char)(port + 1);
            if (w->closer != NULL)
                w->closer[c] = (uint32_t)v;
            if (w->up_down != NULL)
                w->up_down[c] = (uint32_t)(2 * v) + (uint32_t)leads_down;
        }
}

cn_status cni_waves_open(cni_waves *waves, const cni_inlets *inlets, size_t ports, int closer,
                         int up_down)
{
    *waves = (cni_waves){.nodes = inlets->nodes, .ports = ports, .inlets = inlets};
    cni_waves *w = waves;
    size_t nodes = w->nodes, channels = nodes * ports + 1;
    const cni_array arrays[] = {CNI_ARRAY(w->front, 2 * nodes + 2),
                                CNI_ARRAY(w->seen, 2 * nodes),
                                CNI_ARRAY(w->next, 2 * nodes),
                                CNI_ARRAY(w->active, nodes + 1),
                                CNI_ARRAY(w->touched, nodes + 1),
                                CNI_ARRAY(w->is_touched, nodes),
                                CNI_ARRAY(w->degree, nodes),
                                CNI_ARRAY_IF(closer, w->first[CNI_CLOSER], channels),
                                CNI_ARRAY_IF(up_down, w->first[CNI_UP], channels),
                                CNI_ARRAY_IF(up_down, w->first[CNI_DOWN], channels),
                                CNI_ARRAY_IF(closer, w->closer, channels),
                                CNI_ARRAY_IF(up_down, w->up_down, channels)};
    CNI_TRY(cni_allocate_arrays(&w->block, arrays));
    fill_heads(waves, inlets);
    return CN_OK;
}

void cni_waves_close(cni_waves *waves)
{
    cni_release(waves->block);
    *waves = (cni_waves){0};
}

/* The nodes that the waves may reach from the active nodes. When these are many, all nodes. */
static size_t touch(cni_waves *w, size_t active)
{
    size_t touched = 0;
    if (active >= w->nodes / 8) {
        for (size_t v = 0; v < w->nodes; v++)
            w->touched[v] = (uint32_t)v;
        return w->nodes;
    }
    for (size_t i = 0; i < active; i++)
        for (size_t v = w->active[i], e = w->inlets->first[v]; e < w->inlets->first[v + 1]; e++) {
            uint32_t tail = w->inlets->tail[e];
            w->touched[touched] = tail;
            touched += !w->is_touched[tail];
            w->is_touched[tail] = 1;
        }
    for (size_t i = 0; i < touched; i++)
        w->is_touched[w->touched[i]] = 0;
    return touched;
}

/* Looks along all ports of a node for waves that reach the node for the first time. */
static uint64_t come_closer(cni_waves *w, size_t v)
{
    const uint32_t *head = w->closer + v * w->ports;
    size_t degree = w->degree[v];
    const uint64_t *front = w->front;
    uint64_t *first = w->first[CNI_CLOSER] + v * w->ports, come = 0;
    for (size_t p = 0; p < degree; p++)
        come |= front[head[p]];
    uint64_t fresh = come & ~w->seen[v];
    for (size_t p = 0; fresh != 0 && p < degree; p++)
        first[p] |= front[head[p]] & fresh;
    w->seen[v] |= fresh;
    w->next[v] = fresh;
    return fresh;
}

/* Up into a node that may still go up, down into a node that may not, always from the front of
 * the step before. Odd fronts belong to nodes that may not go up any more. */
static uint64_t come_up_down(cni_waves *w, size_t v)
{
    const uint32_t *head = w->up_down + v * w->ports;
    size_t degree = w->degree[v];
    const uint64_t *front = w->front;
    uint64_t *up = w->first[CNI_UP] + v * w->ports, *down = w->first[CNI_DOWN] + v * w->ports;
    uint64_t come = 0, come_down = 0;
    for (size_t p = 0; p < degree; p++) {
        uint64_t from = front[head[p]];
        come |= from;
        come_down |= from & (0 - (uint64_t)(head[p] & 1));
    }
    uint64_t fresh = come & ~w->seen[2 * v], fresh_down = come_down & ~w->seen[2 * v + 1];
    for (size_t p = 0; (fresh | fresh_down) != 0 && p < degree; p++) {
        uint64_t from = front[head[p]];
        up[p] |= from & fresh;
        down[p] |= from & fresh_down & (0 - (uint64_t)(head[p] & 1));
    }
    w->seen[2 * v] |= fresh;
    w->seen[2 * v + 1] |= fresh_down;
    w->next[2 * v] = fresh;
    w->next[2 * v + 1] = fresh_down;
    return fresh | fresh_down;
}

/* Every target is at distance 0 from itself; `states` fronts a node. Returns the hops from the last
 * node that a wave reaches in its first state. */
static uint32_t search(cni_waves *w, const uint32_t targets[], size_t count, size_t states,
                       uint64_t (*come)(cni_waves *w, size_t v))
{
    size_t active = count;
    uint32_t hops = 0, most = 0;
    memset(w->front, 0, (w->nodes + 1) * states * sizeof *w->front);
    memset(w->seen, 0, w->nodes * states * sizeof *w->seen);
    for (size_t i = 0; i < count; i++) {
        w->active[i] = targets[i];
        for (size_t s = 0; s < states; s++)
            w->front[targets[i] * states + s] = w->seen[targets[i] * states + s] = UINT64_C(1) << i;
    }
    while (active > 0) {
        size_t touched = touch(w, active), fresh = 0;
        hops++;
        for (size_t i = 0; i < touched; i++)
            come(w, w->touched[i]);
        for (size_t i = 0; i < active; i++)
            for (size_t s = 0; s < states; s++)
                w->front[w->active[i] * states + s] = 0;
        for (size_t i = 0; i < touched; i++) {
            uint32_t v = w->touched[i];
            uint64_t any = 0;
            most = w->next[v * states] != 0 ? hops : most;
            for (size_t s = 0; s < states; s++)
                any |= w->front[v * states + s] = w->next[v * states + s];
            w->active[fresh] = v;
            fresh += any != 0;
        }
        active = fresh;
    }
    return most;
}

void cni_waves_from(cni_waves *waves, const uint32_t targets[], size_t count)
{
    for (int way = 0; way < CNI_WAYS; way++)
        if (waves->first[way] != NULL)
            memset(waves->first[way], 0, waves->nodes * waves->ports * sizeof **waves->first);
    if (waves->closer != NULL)
        waves->hops[CNI_CLOSER] = search(waves, targets, count, 1, come_closer);
    if (waves->up_down != NULL)
        waves->hops[CNI_UP] = search(waves, targets, count, 2, come_up_down);
}

/* ---- from targets by port to ports by target ---- */

/* Eight squares of 8 by 8 bits side by side: bit 8b + j of row i becomes bit 8b + i of row j. */
static void transpose(uint64_t row[8])
{
    static const uint64_t low[] = {UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333),
                                   UINT64_C(0x0f0f0f0f0f0f0f0f)};
    for (unsigned level = 0, step = 1; level < 3; level++, step *= 2)
        for (unsigned i = 0; i < 8; i++)
            if ((i & step) == 0) {
                uint64_t a = row[i], b = row[i + step];
                row[i] = (a & low[level]) | (b & low[level]) << step;
                row[i + step] = (a >> step & low[level]) | (b & ~low[level]);
            }
}

void cni_waves_ports(const cni_waves *waves, cni_way way, size_t v, uint64_t ports[CNI_TARGETS])
{
    const uint64_t *word = waves->first[way] + v * waves->ports;
    for (size_t i = 0; i < CNI_TARGETS; i++)
        ports[i] = 0;
    for (size_t p = 0; p < waves->degree[v]; p += 8) {
        size_t rows = waves->ports - p < 8 ? waves->ports - p : 8;
        uint64_t row[8] = {0};
        for (size_t i = 0; i < rows; i++)
            row[i] = word[p + i];
        transpose(row);
        for (size_t b = 0; b < 8; b++)
            for (size_t j = 0; j < 8; j++)
                ports[8 * b + j] |= (row[j] >> 8 * b & 255) << p;
    }
}

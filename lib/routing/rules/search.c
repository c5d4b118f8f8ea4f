/* Breadth-first searches from many targets at once, for the ports of minimal and up-down rules. */
#include "routing/rules/search.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* A channel leads up where it is marked. Only before the first hop down may a message go up; other
 * ports lead to a state behind the last one, which no wave reaches. */
static void fill_heads(cni_waves *w)
{
    const cni_inlets *inlets = w->inlets;
    size_t states = w->nodes * w->each;
    for (size_t c = 0; c < states * w->ports; c++)
        w->head[c] = (uint32_t)states;
    for (size_t v = 0; v < w->nodes; v++)
        for (size_t e = inlets->first[v]; e < inlets->first[v + 1]; e++) {
            uint32_t tail = inlets->tail[e], port = inlets->port[e] % CNI_LEADS_UP;
            int leads_down = inlets->port[e] < CNI_LEADS_UP;
            uint32_t head = (uint32_t)(v * w->each) + (uint32_t)(w->each > 1 && leads_down);
            if (w->degree[tail] <= port)
                w->degree[tail] = (unsigned char)(port + 1);
            for (size_t s = 0; s < (leads_down ? w->each : 1); s++)
                w->head[(tail * w->each + s) * w->ports + port] = head;
        }
}

cn_status cni_waves_open(cni_waves *waves, const cni_inlets *inlets, size_t ports, cni_way way)
{
    cni_waves *w = waves;
    *w = (cni_waves){.nodes = inlets->nodes,
                     .each = way == CNI_CLOSER ? 1 : 2,
                     .ports = ports,
                     .inlets = inlets};
    size_t states = w->nodes * w->each;
    const cni_array arrays[] = {CNI_ARRAY(w->first, states * ports + 1),
                                CNI_ARRAY(w->head, states * ports + 1),
                                CNI_ARRAY(w->front, states + 1),
                                CNI_ARRAY(w->seen, states),
                                CNI_ARRAY(w->next, states),
                                CNI_ARRAY(w->active, w->nodes + 1),
                                CNI_ARRAY(w->touched, w->nodes + 1),
                                CNI_ARRAY(w->is_touched, w->nodes),
                                CNI_ARRAY(w->degree, w->nodes)};
    CNI_TRY(cni_allocate_arrays(&w->block, arrays));
    fill_heads(w);
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

/* Looks along all ports of a state for waves that reach the state for the first time. */
static inline void come_closer(cni_waves *w, size_t state, size_t degree)
{
    const uint32_t *head = w->head + state * w->ports;
    const uint64_t *front = w->front;
    uint64_t *first = w->first + state * w->ports, come = 0;
    for (size_t p = 0; p < degree; p++)
        come |= front[head[p]];
    uint64_t fresh = come & ~w->seen[state];
    for (size_t p = 0; fresh != 0 && p < degree; p++)
        first[p] |= front[head[p]] & fresh;
    w->seen[state] |= fresh;
    w->next[state] = fresh;
}

/* Every target is at distance 0 from itself, in all its states. */
void cni_waves_from(cni_waves *w, const uint32_t targets[], size_t count)
{
    const size_t each = w->each, states = w->nodes * each;
    size_t active = count;
    memset(w->first, 0, states * w->ports * sizeof *w->first);
    memset(w->front, 0, (states + 1) * sizeof *w->front);
    memset(w->seen, 0, states * sizeof *w->seen);
    w->hops = 0;
    for (size_t i = 0; i < count; i++) {
        w->active[i] = targets[i];
        for (size_t s = targets[i] * each; s < (targets[i] + 1) * each; s++)
            w->front[s] = w->seen[s] = UINT64_C(1) << i;
    }
    for (uint32_t hops = 1; active > 0; hops++) {
        size_t touched = touch(w, active), fresh = 0;
        for (size_t i = 0; i < touched; i++) {
            size_t v = w->touched[i], degree = w->degree[v];
            for (size_t s = v * each; s < (v + 1) * each; s++)
                come_closer(w, s, degree);
        }
        for (size_t i = 0; i < active; i++)
            for (size_t s = 0; s < each; s++)
                w->front[w->active[i] * each + s] = 0;
        for (size_t i = 0; i < touched; i++) {
            size_t v = w->touched[i];
            uint64_t any = 0;
            for (size_t s = v * each; s < (v + 1) * each; s++)
                any |= w->front[s] = w->next[s];
            w->hops = w->next[v * each] != 0 ? hops : w->hops;
            w->active[fresh] = (uint32_t)v;
            fresh += any != 0;
        }
        active = fresh;
    }
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

void cni_waves_ports(const cni_waves *waves, size_t state, uint64_t ports[], size_t stride)
{
    const uint64_t *word = waves->first + state * waves->ports;
    for (size_t i = 0; i < CNI_TARGETS; i++)
        ports[i * stride] = 0;
    for (size_t p = 0; p < waves->degree[state / waves->each]; p += 8) {
        size_t rows = waves->ports - p < 8 ? waves->ports - p : 8;
        uint64_t row[8] = {0};
        for (size_t i = 0; i < rows; i++)
            row[i] = word[p + i];
        transpose(row);
        for (size_t b = 0; b < 8; b++)
            for (size_t j = 0; j < 8; j++)
                ports[(8 * b + j) * stride] |= (row[j] >> 8 * b & 255) << p;
    }
}

/* Admission of the traffic that a scenario brings; that of every other is in the cycle itself. */
#include "simulation/deflection/deflection.h"

#include "simulation/deflection/deflection_node.h"

/* The digits of a header in the form of a message. */
static uint64_t as_message(const cni_deflection_shape *s, uint64_t header)
{
    uint64_t fields = 0;
    if (s->digit_bits == 1)
        return header;
    for (uint32_t i = 0; i < s->dimensions; i++, header /= s->radix)
        fields |= header % s->radix << i * s->digit_bits;
    return fields;
}

uint32_t cni_deflection_admit(const cni_deflection *k, cni_deflection_worker *w, uint64_t node,
                              uint64_t stream, uint64_t cycle, uint32_t length)
{
    const cni_deflection_shape *s = &k->shape;
    const cni_trace_message *listed = k->slotted.trace;
    uint64_t *queue = k->queue + node * s->slots;
    uint64_t offered = 0;
    if (listed != NULL) {
        listed += w->trace_at;
        offered = cni_slotted_listed(&k->slotted, w->trace_at, cycle, node);
        w->trace_at += (size_t)offered;
    } else if (k->slotted.load > 0.0) {
        offered = cni_slotted_offered(&k->slotted, node, stream);
    }
    uint32_t room = s->buffers - length;
    uint32_t accepted = offered < room ? (uint32_t)offered : room;
    uint64_t stamp = (cycle - k->epoch) << s->created_shift | node << s->source_shift;
    for (uint32_t j = 0; j < accepted; j++) {
        uint64_t header = listed != NULL ? cni_header(k->topology, node, listed[j].destination)
                                         : cni_slotted_header(&k->slotted, node, stream, j);
        header = as_message(s, header);
        queue[length + j] = stamp | (uint64_t)j << s->number_shift | header;
        w->counters[CNI_COUNT_DISTANCE] += cni_deflection_distance(s, header);
    }
    w->counters[CNI_COUNT_OFFERED] += offered;
    w->counters[CNI_COUNT_ACCEPTED] += accepted;
    return length + accepted;
}

void cni_deflection_find_listed(const cni_deflection *k, cni_deflection_worker *w, uint64_t cycle)
{
    if (k->slotted.trace != NULL)
        w->trace_at = cni_trace_find(k->slotted.traffic, cycle, w->first_node);
}

void cni_deflection_admit_first(cni_deflection *k)
{
    for (uint32_t i = 0; i < cni_team_workers(k->team); i++) {
        cni_deflection_worker *w = k->workers[i];
        cni_deflection_find_listed(k, w, 0);
        for (uint64_t node = w->first_node; node < w->end_node; node++)
            k->length[node] = cni_deflection_admit(k, w, node, 0, 0, k->length[node]);
    }
}

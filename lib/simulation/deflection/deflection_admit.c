/* Admission of messages: headers, and all traffic other than the plain traffic of cubes, which
 * deflection_node.h admits. */
#include "simulation/deflection/deflection.h"

#include "routing/decisions/channels.h"
#include "simulation/deflection/deflection_node.h"

/* The number of a header from its header field. */
static uint64_t number_of(const cni_deflection *k, uint64_t fields)
{
    uint64_t header = 0;
    for (uint32_t i = k->shape.dimensions; i-- > 0;)
        header = header * k->shape.radix +
                 (fields >> i * k->shape.digit_bits & ((UINT64_C(1) << k->shape.digit_bits) - 1));
    return header;
}

uint64_t cni_deflection_preferred(const cni_deflection *k, uint64_t header)
{
    return cni_preferred_channels(k->topology, number_of(k, header));
}

uint64_t cni_deflection_header(const cni_deflection *k, uint64_t source, uint64_t destination)
{
    if (k->form == CNI_FORM_ROUTED)
        return destination;
    return cni_deflection_fields(&k->shape, cni_header(k->topology, source, destination));
}

uint64_t cni_deflection_hops_of(const cni_deflection *k, uint64_t source, uint64_t header)
{
    if (k->form != CNI_FORM_ROUTED)
        return cni_deflection_distance(&k->shape, header);
    uint64_t hops = 0;
    if (k->any.hops != NULL)
        return k->any.hops[header * k->shape.nodes + source];
    for (uint64_t v = source; v != header; hops++)
        v = cni_deflection_closer(&k->any, v, header);
    return hops;
}

/* Adds up the distances whose places were noted. */
void cni_deflection_add_distances(cni_deflection_worker *w)
{
    for (size_t i = 0; i < w->distances; i++)
        w->hand.counters[CNI_COUNT_DISTANCE] += *w->distance[i];
    w->distances = 0;
}

/* Counts the distance of a new message. Returns the distance when messages have a field for hops.
 * A distance in a table lies far away in memory, so its place is noted and fetched, and the
 * distance is added later. Adding at once takes 1.4 to 2 times as long in networks of 1024
 * nodes. */
static uint64_t count_distance(const cni_deflection *k, cni_deflection_worker *w, uint64_t node,
                               uint64_t header)
{
    if (k->any.hops == NULL || k->shape.hop_mask != 0) {
        uint64_t hops = cni_deflection_hops_of(k, node, header);
        w->hand.counters[CNI_COUNT_DISTANCE] += hops;
        return hops;
    }
    const uint16_t *hops = &k->any.hops[header * k->shape.nodes + node];
    CNI_PREFETCH(hops);
    w->distance[w->distances++] = hops;
    if (CNI_RARELY(w->distances == CNI_ARRIVAL_ROOM))
        cni_deflection_add_distances(w);
    return 0;
}

uint32_t cni_deflection_admit(const cni_deflection *k, cni_deflection_worker *w, uint64_t node,
                              uint64_t stream, uint64_t cycle, uint32_t length)
{
    const cni_deflection_shape *s = &k->shape;
    const cni_trace_message *listed = NULL;
    uint64_t *queue = k->queue + (node - s->first) * s->slots;
    uint64_t offered = cni_divided_offered(&k->base, &w->hand, node, stream, &listed, cycle);
    if (!cni_network_is_endpoint(&k->any.network, node))
        return 0;
    uint32_t room = s->buffers - length;
    uint32_t accepted = offered < room ? (uint32_t)offered : room;
    uint64_t stamp = (cycle - k->epoch) << s->created_shift | node << s->source_shift;
    for (uint32_t j = 0; j < accepted; j++) {
        uint64_t to = listed != NULL ? listed[j].destination
                                     : cni_network_destination(&k->any.network, &k->base.slotted,
                                                               node, stream, j);
        uint64_t header = cni_deflection_header(k, node, to);
        uint64_t hops = count_distance(k, w, node, header);
        queue[length + j] =
            stamp | (uint64_t)j << s->number_shift | cni_deflection_hop_field(s, hops) | header;
    }
    if (k->came != NULL)
        cni_deflection_count_new(k, node, offered, accepted);
    w->hand.counters[CNI_COUNT_OFFERED] += offered;
    w->hand.counters[CNI_COUNT_ACCEPTED] += accepted;
    return length + accepted;
}

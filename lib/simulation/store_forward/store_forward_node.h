/*
 * The steps of a message at a node, and the operations on queues. The shape is the shape of the
 * kernel, or a copy of that shape in which `form` and `is_wide` are constants, so that the compiler
 * drops the branches on these constants from inlined functions.
 */
#ifndef CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_NODE_H
#define CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_NODE_H

#include "base/error.h"
#include "simulation/kernel/processor.h"
#include "simulation/store_forward/store_forward.h"

/* Reads a message; a wide message at a place without one has created = CNI_NO_TIME. */
CNI_INLINE cni_message cni_store_load(const cni_store_shape *s, const uint64_t *at)
{
    return (cni_message){s->is_wide ? at[0] : 0, at[s->is_wide],
                         s->form == CNI_STORE_CLASSED ? at[s->is_wide + 1] : 0};
}

CNI_INLINE void cni_store_save(const cni_store_shape *s, uint64_t *at, const cni_message *m)
{
    at[0] = m->created | (s->is_wide ? 0 : m->identity);
    if (s->is_wide)
        at[1] = m->identity;
    if (s->form == CNI_STORE_CLASSED)
        at[s->is_wide + 1] = m->way;
}

/* The place in a bank of the message that comes to a node of a Boolean cube over a port. The
 * channel that leads back has the same port; a message from another part lies in its place. */
CNI_INLINE uint64_t cni_store_cube_place(const cni_store *k, const cni_store_shape *s,
                                         uint64_t node, uint32_t port)
{
    uint64_t from = node ^ UINT64_C(1) << port;
    return port * s->stride + (cni_part_has(&k->base.part, from) ? from : node) - s->first;
}

/* Whether a message is at its destination. A message that has reached the intermediate node of
 * its first leg begins its last leg here. */
CNI_INLINE int cni_store_arrives(const cni_store *k, const cni_store_shape *s, uint64_t node,
                                 cni_message *m)
{
    uint64_t to = m->identity & s->to_mask;
    if (s->form == CNI_STORE_CUBE || s->form == CNI_STORE_RINGS)
        return to == 0;
    if (s->form == CNI_STORE_ROUTED || m->way >> 8 != node)
        return s->form == CNI_STORE_ROUTED && to == node;
    uint32_t last = cni_leg_class(k->network.routing, k->network.routing->kind->legs - 1);
    if ((m->way & 255) < last)
        m->way = to << 8 | last;
    return to == node && m->way >> 8 == node;
}

/* The channels that a message may take. */
CNI_INLINE uint64_t cni_store_channels(const cni_store *k, const cni_store_shape *s, uint64_t node,
                                       const cni_message *m)
{
    uint64_t to = m->identity & s->to_mask;
    if (s->form == CNI_STORE_CUBE)
        return to;
    if (s->form == CNI_STORE_RINGS)
        return k->by_header != NULL ? k->by_header[to]
                                    : cni_preferred_channels(k->network.topology, to);
    uint32_t class = s->form == CNI_STORE_ROUTED ? 0 : (uint32_t)(m->way & 255);
    uint64_t target = s->form == CNI_STORE_ROUTED ? to : m->way >> 8;
    return cni_network_ports(&k->network, node, class, target);
}

/* Fetches the table entry that cni_store_channels() will read, for a message with a destination. */
CNI_INLINE void cni_store_fetch_channels(const cni_store *k, const cni_store_shape *s,
                                         uint64_t node, const cni_message *m)
{
    if (s->form == CNI_STORE_ROUTED)
        cni_network_fetch_ports(&k->network, node, 0, m->identity & s->to_mask);
    else
        cni_network_fetch_ports(&k->network, node, (uint32_t)(m->way & 255), m->way >> 8);
}

/* Picks one of the channels of a node. */
CNI_INLINE uint32_t cni_store_pick(const cni_store *k, const cni_store_shape *s, uint64_t node,
                                   uint64_t channels, uint32_t random)
{
    if (CNI_RARELY(s->selection != CN_SELECTION_RANDOM)) {
        if (s->selection == CN_SELECTION_LOWEST)
            return cni_lowest_bit(channels);
        channels = cni_store_least_loaded(k, node, channels);
    }
    return cni_pick_bit(channels, random, s->has_pdep);
}

/* Appends a message. real = 0: writes to the place behind the last message, and the queue keeps
 * its length. */
CNI_INLINE cn_status cni_store_push(const cni_store_shape *s, cni_pool *pool, cni_queue *queue,
                                    const cni_message *m, uint32_t real)
{
    if (CNI_RARELY(cni_queue_length(queue) > cni_queue_mask(queue)))
        CNI_TRY(cni_pool_grow(pool, queue));
    uint32_t mask = cni_queue_mask(queue), tail = queue->tail;
    cni_store_save(s, pool->words + (uint64_t)tail * s->width, m);
    queue->tail = (tail & ~mask) | ((tail + real) & mask);
    queue->held += real;
    return CN_OK;
}

/* Removes the first message of a queue of a channel when has = 1. When has = 0 the queue is
 * empty and the returned words are no message. home: the number of the queue's home. */
CNI_INLINE cni_message cni_store_pop(const cni_store_shape *s, cni_pool *pool, cni_queue *queue,
                                     uint32_t has, uint32_t home)
{
    uint64_t place = cni_queue_place(queue, 0);
    cni_message m = cni_store_load(s, pool->words + place * s->width);
    queue->held -= has;
    int is_empty = cni_queue_length(queue) == 0, is_away = cni_queue_size(queue) != CNI_STORE_HOME;
    if (CNI_RARELY(is_empty & is_away))
        cni_pool_go_home(pool, queue, home);
    return m;
}

/* Moves a message over a channel: updates header, hops and class. has = 0: there is no message,
 * and nothing is looked up by its words. */
CNI_INLINE void cni_store_cross(const cni_store *k, const cni_store_shape *s, uint64_t node,
                                uint32_t port, cni_message *m, uint32_t has)
{
    if (s->form == CNI_STORE_CUBE) {
        m->identity ^= UINT64_C(1) << port;
        return;
    }
    if (s->form == CNI_STORE_RINGS) { /* a header is numbered like a node, and moves like a node */
        uint64_t header = m->identity & s->to_mask & (0 - (uint64_t)has);
        m->identity += k->network.far[header * s->ports + port] - header;
    } else if (CNI_RARELY(s->hop == 0) && has) {
        cni_store_note_hop(k, m);
    }
    m->identity += s->hop;
    if (s->form == CNI_STORE_CLASSED)
        m->way = (m->way & ~UINT64_C(255)) |
                 cni_routing_after(k->network.routing, (uint32_t)(m->way & 255), m->way >> 8, node,
                                   port, CNI_STORED);
}

#endif

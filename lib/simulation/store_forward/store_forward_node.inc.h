/*
 * What happens to a message at a node, included once per processor with
 *
 *     COUNT(word)      number of one-bits of a word
 *     SELECT(word, r)  position of its one-bit number r
 *     TARGET           attribute of all that is made: the processor that it is for; may be empty
 *     LOCAL(name)      the name of what is made
 *
 * `form` and what follows from it are constants wherever a function is inlined.
 */

TARGET CNI_INLINE uint32_t LOCAL(width)(cni_store_form form)
{
    return (cni_is(form, CNI_STORE_CLASSED) ? 2u : 1u) + (cni_is_wide(form) ? 1 : 0);
}

TARGET CNI_INLINE cni_message LOCAL(load)(const uint64_t *at, cni_store_form form)
{
    int wide = cni_is_wide(form);
    uint64_t way = cni_is(form, CNI_STORE_CLASSED) ? at[wide + 1] : 0;
    return (cni_message){wide || at[0] == CNI_NO_TIME ? at[0] : 0, at[wide], way};
}

TARGET CNI_INLINE void LOCAL(save)(uint64_t *at, const cni_message *m, cni_store_form form)
{
    int wide = cni_is_wide(form);
    at[0] = m->created | (wide ? 0 : m->identity);
    if (wide)
        at[1] = m->identity;
    if (cni_is(form, CNI_STORE_CLASSED))
        at[wide + 1] = m->way;
}

/* Whether a message is where it goes; one that is there by way of a node begins its last leg. */
TARGET CNI_INLINE int LOCAL(arrive)(const cni_store *k, const cni_store_shape *s, uint64_t node,
                                    cni_message *m, cni_store_form form)
{
    uint64_t to = m->identity & s->to_mask;
    if (cni_is(form, CNI_STORE_CUBE) || cni_is(form, CNI_STORE_RINGS))
        return to == 0;
    if (cni_is(form, CNI_STORE_ROUTED) || m->way >> 8 != node)
        return cni_is(form, CNI_STORE_ROUTED) && to == node;
    uint32_t last = cni_leg_class(k->network.routing, k->network.routing->kind->legs - 1);
    if ((m->way & 255) < last)
        m->way = to << 8 | last;
    return to == node && m->way >> 8 == node;
}

/* The channels that a message may take. */
TARGET CNI_INLINE uint64_t LOCAL(ports)(const cni_store *k, const cni_store_shape *s, uint64_t node,
                                        const cni_message *m, cni_store_form form)
{
    uint64_t to = m->identity & s->to_mask;
    if (cni_is(form, CNI_STORE_CUBE))
        return to;
    if (cni_is(form, CNI_STORE_RINGS))
        return k->by_header != NULL ? k->by_header[to]
                                    : cni_preferred_channels(k->network.topology, to);
    if (cni_is(form, CNI_STORE_ROUTED) && k->allowed != NULL)
        return cni_packed_at(k->allowed, cni_routing_place(k->network.routing, node, 0, to));
    if (cni_is(form, CNI_STORE_ROUTED))
        return cni_network_ports(&k->network, node, 0, to);
    return cni_network_ports(&k->network, node, (uint32_t)(m->way & 255), m->way >> 8);
}

/* Of the channels of a node those with the shortest queue: as it is, or as it was before the messages of the cycle. */
TARGET CNI_APART uint64_t LOCAL(least_loaded)(const cni_store *k, uint64_t node, uint64_t channels)
{
    const uint64_t first = cni_store_queue(k->queues, cni_store_at(k, node), 0);
    uint64_t found = 0;
    uint32_t least = UINT32_MAX;
    for (; channels != 0; channels &= channels - 1) {
        uint64_t q = first + cni_lowest_bit(channels) * CNI_STORE_LANES;
        uint32_t length = k->seen == NULL ? cni_queue_length(&k->queue[q]) : k->seen[q];
        uint64_t kept = found & (0 - (uint64_t)(length >= least));
        found = kept | (channels & (0 - channels) & (0 - (uint64_t)(length <= least)));
        least = length < least ? length : least;
    }
    return found;
}

/* One of the channels of a node. */
TARGET CNI_INLINE uint32_t LOCAL(pick)(const cni_store *k, const cni_store_shape *s, uint64_t node,
                                       uint64_t channels, uint32_t random)
{
    if (CNI_RARELY(s->selection != CN_SELECTION_RANDOM)) {
        if (s->selection == CN_SELECTION_LOWEST)
            return cni_lowest_bit(channels);
        channels = LOCAL(least_loaded)(k, node, channels);
    }
    return SELECT(channels, cni_random_below(random, COUNT(channels)));
}

/* Appends a message, or writes one that is not there (real = 0). */
TARGET CNI_INLINE cn_status LOCAL(push)(cni_pool *pool, cni_queue *queue, const cni_message *m,
                                        uint32_t real, cni_store_form form)
{
    if (CNI_RARELY(cni_queue_length(queue) > cni_queue_mask(queue)))
        CNI_TRY(cni_pool_grow(pool, queue));
    uint32_t mask = cni_queue_mask(queue), tail = queue->tail;
    LOCAL(save)(pool->words + (uint64_t)tail * LOCAL(width)(form), m, form);
    queue->tail = (tail & ~mask) | ((tail + real) & mask);
    queue->held += real;
    return CN_OK;
}

/* Takes the first message of a queue of a channel, when there is one (has = 1). home: where the queue is at home. */
TARGET CNI_INLINE cni_message LOCAL(pop)(cni_pool *pool, cni_queue *queue, uint32_t has,
                                         uint32_t home, cni_store_form form)
{
    uint64_t place = cni_queue_place(queue, 0);
    cni_message m = LOCAL(load)(pool->words + place * LOCAL(width)(form), form);
    queue->held -= has;
    int is_empty = cni_queue_length(queue) == 0, is_away = cni_queue_size(queue) != CNI_STORE_HOME;
    if (CNI_RARELY(is_empty & is_away))
        cni_pool_go_home(pool, queue, home);
    return m;
}

/* The message as it comes over a channel of a node, from which it takes it. */
TARGET CNI_INLINE void LOCAL(cross)(const cni_store *k, const cni_store_shape *s, uint64_t node,
                                    uint32_t port, cni_message *m, cni_store_form form)
{
    if (cni_is(form, CNI_STORE_CUBE))
        m->identity ^= UINT64_C(1) << port;
    if (cni_is(form, CNI_STORE_RINGS)) { /* a header is numbered like a node, and moves like one */
        uint64_t header = m->identity & s->to_mask;
        m->identity += k->network.far[header * s->ports + port] - header;
    }
    if (!cni_is(form, CNI_STORE_CUBE))
        m->identity += s->hop;
    if ((cni_is(form, CNI_STORE_ROUTED) || cni_is(form, CNI_STORE_CLASSED)) &&
        CNI_RARELY(s->hop == 0))
        cni_store_note_hop(k, m);
    if (cni_is(form, CNI_STORE_CLASSED))
        m->way = (m->way & ~UINT64_C(255)) |
                 cni_routing_after(k->network.routing, (uint32_t)(m->way & 255), m->way >> 8, node,
                                   port, CNI_STORED);
}

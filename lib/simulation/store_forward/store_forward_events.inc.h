/*
 * The events of the continuous clock (store_forward_events.c), included once per processor with what
 * store_forward_node.inc.h wants.
 */

/* The queue of a channel: node * 64 + port. */
TARGET CNI_INLINE cni_queue *LOCAL(queue_of)(const cni_store *k, uint32_t channel)
{
    return &k->queue[cni_store_queue(k->shape.ports, channel >> 6, channel & 63)];
}

/* Into the queue of one of the channels; real = 0: a message that is not there, into none. */
TARGET CNI_INLINE cn_status LOCAL(event_join)(cni_store *k, uint64_t node, const cni_message *m,
                                              uint64_t word, uint32_t real, cni_store_form form)
{
    uint64_t channels = LOCAL(ports)(k, &k->shape, node, m, form) | !real;
    uint32_t port = LOCAL(pick)(k, &k->shape, node, channels, (uint32_t)(word >> 32));
    uint32_t channel = (uint32_t)node << 6 | port;
    cni_queue *queue = LOCAL(queue_of)(k, channel);
    k->busy[k->busy_count] = channel;
    k->busy_count += real & (cni_queue_length(queue) == 0);
    return LOCAL(push)(&k->workers[0]->pool, queue, m, real, form);
}

/* A new message at the node of this rank, if it sends. */
TARGET CNI_APART cn_status LOCAL(event_arrive)(cni_store *k, uint32_t from, uint64_t tick)
{
    const cni_network *network = &k->network;
    uint64_t begin = cni_random_word(k->stream, (UINT64_C(1) << 63) + k->events);
    uint32_t to = (uint32_t)((word_of(k, WORD_DESTINATION) >> 32) * (network->served - 1) >> 32);
    to += to >= from;
    uint32_t source = network->node_of == NULL ? from : network->node_of[from];
    uint64_t destination = network->node_of == NULL ? to : network->node_of[to];
    const cn_traffic *traffic = k->slotted.traffic;
    if (traffic != NULL && !cni_traffic_sends(traffic, source))
        return CN_OK;
    if (traffic != NULL && traffic->pattern != CN_PATTERN_UNIFORM)
        destination = cni_traffic_destination(traffic, source, word_of(k, WORD_DESTINATION));
    cni_message m = cni_store_create(k, source, destination, 0, 0, tick, begin);
    cni_store_count_new(k->workers[0], 1,
                        k->form == CNI_STORE_CUBE
                            ? COUNT(m.identity & k->shape.to_mask)
                            : cni_store_distance(k, source, m.identity & k->shape.to_mask),
                        0);
    if (CNI_RARELY(k->counts.words > 0)) {
        k->counts.accepted[source] += 1;
        cni_counts_join(&k->counts, source, tick);
    }
    return LOCAL(event_join)(k, source, &m, word_of(k, WORD_CHANNEL), 1, cni_store_form_of(k));
}

/* A transmission ends on busy channel number i. When the queue has become empty, the last of the busy channels
 * gets the number. */
TARGET CNI_INLINE cn_status LOCAL(transmit)(cni_store *k, uint32_t i, uint64_t tick,
                                            cni_store_form form, int counts)
{
    cni_store_worker *w = k->workers[0];
    uint64_t from = k->busy[i] >> 6, channel = from * k->shape.ports + (k->busy[i] & 63);
    uint32_t port = k->busy[i] & 63;
    uint32_t home = (uint32_t)cni_store_queue(k->shape.ports, from, port);
    cni_queue *queue = &k->queue[home];
    cni_message m = LOCAL(pop)(&w->pool, queue, 1, home, form);
    uint32_t is_empty = cni_queue_length(queue) == 0;
    k->busy_count -= is_empty;
    k->busy[i] ^= (k->busy[i] ^ k->busy[k->busy_count]) & (0 - is_empty);
    LOCAL(cross)(k, &k->shape, from, port, &m, form);
    uint64_t node =
        cni_is(form, CNI_STORE_CUBE) ? from ^ UINT64_C(1) << port : k->network.far[channel];
    w->counters[CNI_COUNT_HOPS] += 1;
    int arrived = LOCAL(arrive)(k, &k->shape, node, &m, form);
    if (counts)
        count_hop(k, channel, from, node, tick, arrived, &m);
    w->created[w->arrivals] = m.created;
    w->identity[w->arrivals] = m.identity;
    w->ended[w->arrivals] = tick;
    w->arrivals += arrived != 0;
    if (CNI_RARELY(w->arrivals == CNI_STORE_ARRIVALS))
        cni_store_count_arrivals(k, w, 0, k->cycle + 1);
    if (CNI_RARELY(k->reach > 0) && arrived) /* what is far is not touched for nothing */
        return CN_OK;
    return LOCAL(event_join)(k, node, &m, word_of(k, WORD_CHANNEL), !arrived, form);
}

/* Where message i of a queue is. */
TARGET CNI_INLINE const uint64_t *LOCAL(message_at)(const cni_store *k, const cni_queue *queue,
                                                    uint32_t i, cni_store_form form)
{
    return k->workers[0]->pool.words + (size_t)cni_queue_place(queue, i) * LOCAL(width)(form);
}

/* The queue that the first message of a channel will join at event AHEAD_NEXT, when that one moves it. */
TARGET CNI_INLINE void LOCAL(fetch_next)(cni_store *k, uint32_t channel, cni_store_form form,
                                         int counts)
{
    uint64_t node = channel >> 6;
    uint32_t port = channel & 63;
    const uint64_t *first = LOCAL(message_at)(k, LOCAL(queue_of)(k, channel), 0, form);
    cni_message m = LOCAL(load)(first, form);
    LOCAL(cross)(k, &k->shape, node, port, &m, form);
    node = cni_is(form, CNI_STORE_CUBE) ? node ^ UINT64_C(1) << port
                                        : k->network.far[node * k->shape.ports + port];
    if (LOCAL(arrive)(k, &k->shape, node, &m, form))
        return;
    if (counts)
        CNI_PREFETCH(&k->counts.queue[node]);
    uint64_t word = cni_random_word(k->stream, (k->events + AHEAD_NEXT) * WORDS + WORD_CHANNEL);
    uint64_t channels = LOCAL(ports)(k, &k->shape, node, &m, form);
    port = LOCAL(pick)(k, &k->shape, node, channels, (uint32_t)(word >> 32));
    const cni_queue *next = LOCAL(queue_of)(k, (uint32_t)node << 6 | port);
    event_of(k, k->events + AHEAD_NEXT)->next = next;
    CNI_PREFETCH(next);
}

/* The busy channel on which event `ahead` from now ends a transmission, as far as one can tell; or none. */
TARGET CNI_INLINE const uint32_t *LOCAL(due)(cni_store *k, uint32_t ahead)
{
    double point = event_of(k, k->events + ahead)->point - k->arrivals;
    return point >= 0.0 && point < k->busy_count ? &k->busy[(uint32_t)point] : NULL;
}

/* Fetches what later events will touch, step by step. Until then a channel may fall idle or busy, or get another
 * number: what is fetched is right nearly always. */
TARGET CNI_INLINE void LOCAL(fetch_ahead)(cni_store *k, cni_store_form form, int counts)
{
    const uint32_t *due = LOCAL(due)(k, AHEAD_NUMBER);
    if (due != NULL)
        CNI_PREFETCH(due);
    if ((due = LOCAL(due)(k, AHEAD_QUEUE)) != NULL)
        CNI_PREFETCH(LOCAL(queue_of)(k, *due));
    if ((due = LOCAL(due)(k, AHEAD_FIRST)) != NULL)
        CNI_PREFETCH(LOCAL(message_at)(k, LOCAL(queue_of)(k, *due), 0, form));
    if (counts && due != NULL) {
        CNI_PREFETCH(&k->counts.load[(*due >> 6) * k->shape.ports + (*due & 63)]);
        CNI_PREFETCH(&k->counts.queue[*due >> 6]);
    }
    if ((due = LOCAL(due)(k, AHEAD_NEXT)) != NULL)
        LOCAL(fetch_next)(k, *due, form, counts);
    const cni_queue *next = event_of(k, k->events + AHEAD_LAST)->next;
    if (next != NULL)
        CNI_PREFETCH(LOCAL(message_at)(k, next, cni_queue_length(next), form));
}

/* The event that is due in the present cycle. */
TARGET CNI_INLINE cn_status LOCAL(happen)(cni_store *k, cni_store_form form, int counts)
{
    double point = event_of(k, k->events)->point, channel = point - k->arrivals;
    cn_status status = CN_OK;
    if (k->reach > 0)
        LOCAL(fetch_ahead)(k, form, counts);
    if (channel < k->busy_count) {
        uint64_t tick = (k->cycle << CNI_TICK_BITS) + (uint64_t)(int64_t)(k->next * 0x1p20);
        count_until(k, tick);
        if (channel >= 0.0)
            status = LOCAL(transmit)(k, (uint32_t)channel, tick, form, counts);
        else
            status = LOCAL(event_arrive)(
                k, least((uint32_t)(point / k->load), k->network.served - 1), tick);
    }
    k->events += 1;
    k->is_drawn = 0;
    return status;
}

TARGET CNI_INLINE cn_status LOCAL(run_form)(cni_store *k, uint64_t cycles, cni_store_form form,
                                            int counts)
{
    while (cycles > 0) {
        if (!k->is_drawn)
            draw(k);
        if (k->next < 1.0) {
            CNI_TRY(LOCAL(happen)(k, form, counts));
            continue;
        }
        /* as many whole cycles as pass before the next event */
        uint64_t pass = k->next < (double)cycles ? (uint64_t)k->next : cycles;
        cni_store_count_arrivals(k, k->workers[0], 0, k->cycle + 1);
        k->next -= (double)pass;
        k->cycle += pass;
        k->injections = 0;
        cycles -= pass;
        count_until(k, k->cycle << CNI_TICK_BITS);
    }
    return CN_OK;
}

TARGET CNI_INLINE cn_status LOCAL(run)(cni_store *k, uint64_t cycles, int counts)
{
    if (k->form == CNI_STORE_CUBE)
        return LOCAL(run_form)(k, cycles, CNI_STORE_CUBE + CNI_STORE_WIDE, counts);
    if (k->form == CNI_STORE_RINGS)
        return LOCAL(run_form)(k, cycles, CNI_STORE_RINGS + CNI_STORE_WIDE, counts);
    if (k->form == CNI_STORE_ROUTED)
        return LOCAL(run_form)(k, cycles, CNI_STORE_ROUTED + CNI_STORE_WIDE, counts);
    return LOCAL(run_form)(k, cycles, CNI_STORE_CLASSED + CNI_STORE_WIDE, counts);
}

TARGET static cn_status LOCAL(run_events)(cni_store *k, uint64_t cycles)
{
    return k->counts.words > 0 ? LOCAL(run)(k, cycles, 1) : LOCAL(run)(k, cycles, 0);
}

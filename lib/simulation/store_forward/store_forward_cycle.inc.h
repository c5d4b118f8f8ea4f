/*
 * The slotted cycle, included once per processor after store_forward_node.inc.h.
 *
 * In the Boolean cube the loop that receives avoids branches that a processor cannot foresee: a message that is
 * not there is written to a queue where the next one overwrites it.
 */

/* cni_store_at() */
TARGET CNI_INLINE uint64_t LOCAL(at)(const cni_store_shape *s, uint64_t node, cni_store_form form)
{
    return cni_is_wide(form) ? node - s->first : node;
}

/* Puts a message that stays at the node into a queue. */
TARGET CNI_INLINE cn_status LOCAL(join)(const cni_store *k, const cni_store_shape *s,
                                        cni_store_worker *w, uint64_t node, const cni_message *m,
                                        uint64_t word, cni_store_form form, int separate)
{
    cni_queue *queue =
        k->queue + cni_store_queue(separate ? s->ports : 1, LOCAL(at)(s, node, form), 0);
    if (separate) {
        uint64_t channels = LOCAL(ports)(k, s, node, m, form);
        queue += LOCAL(pick)(k, s, node, channels, (uint32_t)(word >> 32)) * CNI_STORE_LANES;
    }
    return LOCAL(push)(&w->pool, queue, m, 1, form);
}

/* What the channels bring to a node of a whole Boolean cube; gives the first failure. */
TARGET CNI_INLINE cn_status LOCAL(receive_cube)(const cni_store *k, const cni_store_shape *s,
                                                cni_store_worker *w, uint64_t node, uint64_t stream,
                                                const uint64_t *restrict in, cni_store_form form,
                                                int separate)
{
    const uint32_t width = LOCAL(width)(form);
    cni_queue *queues = k->queue + cni_store_queue(separate ? s->ports : 1, node, 0);
    size_t arrivals = w->arrivals;
    cn_status status = CN_OK;
    for (uint32_t p = 0; p < s->ports; p++, in += width * s->stride) {
        stream += CNI_RANDOM_STEP;
        cni_message m = LOCAL(load)(in + width * (node ^ UINT64_C(1) << p), form);
        uint32_t none = m.created == CNI_NO_TIME;
        if (separate && none) /* the rest is longer than what a wrong guess costs */
            continue;
        uint64_t header = m.identity & s->to_mask;
        uint32_t gone = none | (header == 0);
        w->created[arrivals] = cni_store_created(s, &m, cni_is_wide(form));
        w->identity[arrivals] = m.identity;
        arrivals += gone & (none ^ 1);
        cni_queue *queue = queues;
        if (separate) /* word p of the node picks */
            queue +=
                LOCAL(pick)(k, s, node, header | gone, (uint32_t)(cni_random_mix(stream) >> 32)) *
                CNI_STORE_LANES;
        queue = gone ? &w->nowhere : queue;
        cn_status pushed = LOCAL(push)(&w->pool, queue, &m, gone ^ 1, form);
        status = CNI_RARELY(pushed != CN_OK) ? pushed : status;
    }
    w->arrivals = arrivals;
    return status;
}

/* The same in any network. */
TARGET CNI_INLINE cn_status LOCAL(receive)(const cni_store *k, const cni_store_shape *s,
                                           cni_store_worker *w, uint64_t node, uint64_t stream,
                                           const uint64_t *restrict in, cni_store_form form,
                                           int separate)
{
    const size_t *first = k->network.inlets.first + node;
    const uint32_t *from = cni_store_from(k, LOCAL(at)(s, node, form));
    uint64_t inlets = cni_is(form, CNI_STORE_CUBE) ? s->ports : first[1] - first[0];
    for (uint64_t i = 0; i < inlets; i++) {
        const uint64_t *sent = in + (uint64_t)from[i * CNI_STORE_LANES] * LOCAL(width)(form);
        if (sent[0] == CNI_NO_TIME)
            continue;
        cni_message m = LOCAL(load)(sent, form);
        if (LOCAL(arrive)(k, s, node, &m, form)) {
            w->created[w->arrivals] = cni_store_created(s, &m, cni_is_wide(form));
            w->identity[w->arrivals++] = m.identity;
            continue;
        }
        CNI_TRY(LOCAL(join)(k, s, w, node, &m, cni_random_word(stream, i), form, separate));
    }
    return CN_OK;
}

/* New messages of the scenario's traffic. */
TARGET CNI_INLINE cn_status LOCAL(admit)(const cni_store *k, const cni_store_shape *s,
                                         cni_store_worker *w, uint64_t node, uint64_t stream,
                                         uint64_t cycle, cni_store_form form, int separate)
{
    const cni_trace_message *listed = NULL;
    int has_header = cni_is(form, CNI_STORE_CUBE) || cni_is(form, CNI_STORE_RINGS);
    int is_plain = k->slotted.traffic == NULL && (has_header || k->network.rank_of == NULL);
    uint64_t offered = !is_plain ? cni_store_offered(k, w, node, stream, cycle, &listed)
                                 : cni_geometric_offered(&k->slotted.geometric, stream);
    if (CNI_RARELY(offered > s->numbers))
        return CN_ERR_OVERFLOW;
    uint64_t travel = 0;
    for (uint64_t j = 0; j < offered; j++) {
        cni_message m;
        if (has_header && is_plain) {
            m = cni_store_stamp(s, cycle,
                                node << s->source_shift | j << s->number_shift |
                                    cni_uniform_header(stream, j, s->nodes),
                                cni_is_wide(form));
        } else {
            uint64_t to = listed != NULL
                              ? listed[j].destination
                              : cni_network_destination(&k->network, &k->slotted, node, stream, j);
            m = cni_store_create(k, node, to, j, 0, cycle,
                                 cni_random_word(stream, CNI_WORDS_BEGIN + j));
        }
        if (cni_is(form, CNI_STORE_CUBE))
            travel += COUNT(m.identity & s->to_mask);
        else
            travel += cni_store_distance(k, node, m.identity & s->to_mask);
        CNI_TRY(LOCAL(join)(k, s, w, node, &m, cni_random_word(stream, CNI_WORDS_NEW + j), form,
                            separate));
    }
    cni_store_count_new(w, offered, travel, listed != NULL);
    return CN_OK;
}

TARGET CNI_INLINE void LOCAL(send_separate)(const cni_store *k, const cni_store_shape *s,
                                            cni_store_worker *w, uint64_t node,
                                            uint64_t *restrict out, cni_store_form form, int counts)
{
    const uint64_t at = LOCAL(at)(s, node, form);
    cni_queue *queue = k->queue + cni_store_queue(s->ports, at, 0);
    uint64_t *load = counts ? k->counts.load + at * s->ports : NULL, waiting = 0;
    uint32_t home = (uint32_t)(queue - w->queue), width = LOCAL(width)(form);
    uint64_t hops = 0;
    out += at * width;
    for (uint32_t port = 0; port < s->ports;
         port++, out += s->stride * width, queue += CNI_STORE_LANES, home += CNI_STORE_LANES) {
        uint32_t has = cni_queue_length(queue) != 0;
        waiting += cni_queue_length(queue);
        if (!cni_is(form, CNI_STORE_CUBE) && !has) {
            *out = CNI_NO_TIME;
            continue;
        }
        cni_message m = LOCAL(pop)(&w->pool, queue, has, home, form);
        LOCAL(cross)(k, s, node, port, &m, form);
        m.created |= (uint64_t)has - 1;
        LOCAL(save)(out, &m, form);
        hops += has;
        if (counts)
            load[port] += has;
    }
    if (counts)
        k->counts.queue[at] += waiting;
    w->counters[CNI_COUNT_HOPS] += hops;
}

/* The lengths that all see who come to a node before it sends again: they choose at the same time. */
TARGET CNI_APART void LOCAL(look)(const cni_store *k, const cni_store_shape *s, uint64_t node)
{
    uint64_t q = cni_store_queue(s->ports, cni_store_at(k, node), 0);
    for (uint32_t port = 0; port < s->ports; port++, q += CNI_STORE_LANES)
        k->seen[q] = cni_queue_length(&k->queue[q]);
}

/* Phase 1 of cn_route_two_phase(): every message claims a channel, the losers stay. Two messages share
 * a random word. */
TARGET CNI_INLINE void LOCAL(send_shared)(const cni_store *k, const cni_store_shape *s,
                                          cni_store_worker *w, uint64_t node, uint64_t stream,
                                          uint64_t *restrict out, cni_store_form form, int counts)
{
    const uint64_t at = LOCAL(at)(s, node, form);
    cni_queue *queue = &k->queue[at];
    uint64_t *load = counts ? k->counts.load + at * s->ports : NULL;
    uint32_t width = LOCAL(width)(form), kept = 0, length = cni_queue_length(queue);
    uint32_t block = queue->tail & ~cni_queue_mask(queue); /* the head is always its first place */
    cni_message best[CNI_MOST_PORTS];
    uint64_t *base = w->pool.words + (uint64_t)block * width, word = 0;
    for (uint32_t port = 0; port < s->ports; port++)
        best[port] = (cni_message){CNI_NO_TIME, 0, 0};
    for (uint32_t i = 0; i < length; i++) {
        cni_message m = LOCAL(load)(base + (uint64_t)i * width, form);
        if (i % 2 == 0) {
            stream += CNI_RANDOM_STEP;
            word = cni_random_mix(stream); /* number i/2 */
        }
        uint32_t port = LOCAL(pick)(k, s, node, LOCAL(ports)(k, s, node, &m, form),
                                    (uint32_t)(i % 2 == 0 ? word >> 32 : word));
        cni_message other = best[port];
        int older = (m.created < other.created) |
                    ((m.created == other.created) & (m.identity < other.identity));
        uint64_t change = 0 - (uint64_t)older;
        cni_message swap = {(m.created ^ other.created) & change,
                            (m.identity ^ other.identity) & change, (m.way ^ other.way) & change};
        best[port] = (cni_message){other.created ^ swap.created, other.identity ^ swap.identity,
                                   other.way ^ swap.way};
        m = (cni_message){m.created ^ swap.created, m.identity ^ swap.identity, m.way ^ swap.way};
        LOCAL(save)(base + (uint64_t)kept * width, &m, form);
        kept += m.created != CNI_NO_TIME;
    }
    *queue = cni_queue_packed(block, cni_queue_size(queue), kept);
    if (CNI_RARELY(kept == 0 && cni_queue_size(queue) != w->pool.home_size))
        cni_pool_go_home(&w->pool, queue, (uint32_t)(queue - w->queue));
    w->counters[CNI_COUNT_HOPS] += length - kept;
    out += at * width;
    for (uint32_t port = 0; port < s->ports; port++, out += s->stride * width) {
        cni_message m = best[port];
        if (cni_is(form, CNI_STORE_CUBE) || m.created != CNI_NO_TIME)
            LOCAL(cross)(k, s, node, port, &m, form);
        LOCAL(save)(out, &m, form);
        if (counts)
            load[port] += m.created != CNI_NO_TIME;
    }
    if (counts)
        k->counts.queue[at] += length;
}

/* With statistics: what came to a node since there were so many arrivals and accepted messages. */
TARGET CNI_INLINE void LOCAL(count_come)(const cni_store *k, const cni_store_shape *s,
                                         cni_store_worker *w, uint64_t node, size_t arrivals,
                                         uint64_t accepted, cni_store_form form)
{
    const uint64_t at = LOCAL(at)(s, node, form);
    k->counts.accepted[at] += w->counters[CNI_COUNT_ACCEPTED] - accepted;
    k->counts.delivered[at] += w->arrivals - arrivals;
    for (size_t i = arrivals; i < w->arrivals; i++) {
        uint64_t identity = w->identity[i];
        w->made[i] = cni_is(form, CNI_STORE_CUBE) ? COUNT(cni_store_source(s, identity) ^ node)
                                                  : cni_store_hops(k, identity, node);
    }
}

/* What happens at CNI_STORE_LANES nodes, or at those up to the end. */
TARGET CNI_INLINE cn_status LOCAL(visit_each)(const cni_store *k, const cni_store_shape *s,
                                              cni_store_worker *w, const cni_store_moment *now,
                                              uint64_t node, cni_store_form form, int separate,
                                              int counts)
{
    uint64_t end = node + CNI_STORE_LANES < w->end_node ? node + CNI_STORE_LANES : w->end_node;
    int is_whole_cube = cni_is(form, CNI_STORE_CUBE) && (!cni_is_wide(form) || k->from == NULL);
    for (; node < end; node++) {
        uint64_t stream = cni_random_derive(now->seed, node);
        uint64_t accepted = w->counters[CNI_COUNT_ACCEPTED];
        size_t arrivals = w->arrivals;
        cn_status status = CN_OK;
        if (now->in != NULL && is_whole_cube)
            status = LOCAL(receive_cube)(k, s, w, node, stream, now->in, form, separate);
        else if (now->in != NULL)
            status = LOCAL(receive)(k, s, w, node, stream, now->in, form, separate);
        if (now->admits && status == CN_OK)
            status = LOCAL(admit)(k, s, w, node, stream, now->cycle, form, separate);
        if (CNI_RARELY(status != CN_OK)) {
            w->failed_at = node;
            return status;
        }
        if (counts)
            LOCAL(count_come)(k, s, w, node, arrivals, accepted, form);
        if (now->out != NULL && separate) {
            LOCAL(send_separate)(k, s, w, node, now->out, form, counts);
            if (CNI_RARELY(k->seen != NULL))
                LOCAL(look)(k, s, node);
        } else if (now->out != NULL)
            LOCAL(send_shared)(k, s, w, node, stream, now->out, form, counts);
    }
    return CN_OK;
}

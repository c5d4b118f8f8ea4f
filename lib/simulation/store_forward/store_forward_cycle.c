/* The slotted cycle, one node after the other. */
#include "base/error.h"
#include "base/inline.h"
#include "simulation/store_forward/store_forward_node.h"

uint64_t cni_store_least_loaded(const cni_store *k, uint64_t node, uint64_t channels)
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

/* Puts a message that stays at the node into a queue. */
CNI_INLINE cn_status join_queue(const cni_store *k, const cni_store_shape *s, cni_store_worker *w,
                                uint64_t node, const cni_message *m, uint64_t word)
{
    cni_queue *queue = k->queue + cni_store_queue(k->queues, node - s->first, 0);
    if (k->separate) {
        uint64_t channels = cni_store_channels(k, s, node, m);
        queue += cni_store_pick(k, s, node, channels, (uint32_t)(word >> 32)) * CNI_STORE_LANES;
    }
    return cni_store_push(s, &w->pool, queue, m, 1);
}

/* What the channels bring to a node. */
CNI_INLINE cn_status receive_any(const cni_store *k, const cni_store_shape *s, cni_store_worker *w,
                                 uint64_t node, uint64_t stream, const uint64_t *restrict in)
{
    const int is_whole_cube = s->form == CNI_STORE_CUBE && k->from == NULL;
    const size_t *first = k->network.inlets.first; /* NULL: a cube, which has one by port */
    const uint32_t *from = is_whole_cube ? NULL : cni_store_from(k, node - s->first);
    uint64_t inlets = s->form == CNI_STORE_CUBE ? s->ports : first[node + 1] - first[node];
    for (uint64_t i = 0; i < inlets; i++) {
        uint64_t place =
            is_whole_cube ? i * s->stride + (node ^ UINT64_C(1) << i) : from[i * CNI_STORE_LANES];
        const uint64_t *sent = in + place * s->width;
        if (sent[0] == CNI_NO_TIME)
            continue;
        cni_message m = cni_store_load(s, sent);
        if (cni_store_arrives(k, s, node, &m)) {
            w->created[w->arrivals] = cni_store_created(s, &m);
            w->identity[w->arrivals++] = m.identity;
            continue;
        }
        CNI_TRY(join_queue(k, s, w, node, &m, cni_random_word(stream, i)));
    }
    return CN_OK;
}

/* New messages of the scenario's traffic. */
CNI_INLINE cn_status admit_any(const cni_store *k, const cni_store_shape *s, cni_store_worker *w,
                               uint64_t node, uint64_t stream, uint64_t cycle)
{
    const cni_trace_message *listed = NULL;
    int has_header = s->form == CNI_STORE_CUBE || s->form == CNI_STORE_RINGS;
    int is_plain = k->base.slotted.traffic == NULL && (has_header || k->network.rank_of == NULL);
    uint64_t offered = 0;
    if (is_plain)
        offered = cni_geometric_offered(&k->base.slotted.geometric, stream);
    else if (cni_network_is_endpoint(&k->network, node))
        offered = cni_divided_offered(&k->base, &w->hand, node, stream, &listed, cycle);
    if (CNI_RARELY(offered > s->numbers))
        return CN_ERR_OVERFLOW;
    uint64_t travel = 0;
    for (uint64_t j = 0; j < offered; j++) {
        cni_message m;
        if (has_header && is_plain) {
            m = cni_store_stamp(s, cycle,
                                node << s->source_shift | j << s->number_shift |
                                    cni_uniform_header(stream, j, s->nodes));
        } else {
            uint64_t to = listed != NULL ? listed[j].destination
                                         : cni_network_destination(&k->network, &k->base.slotted,
                                                                   node, stream, j);
            m = cni_store_create(k, node, to, j, 0, cycle,
                                 cni_random_word(stream, CNI_WORDS_BEGIN + j));
        }
        travel += cni_store_distance(k, node, m.identity & s->to_mask);
        CNI_TRY(join_queue(k, s, w, node, &m, cni_random_word(stream, CNI_WORDS_NEW + j)));
    }
    cni_store_count_new(w, offered, travel, listed != NULL);
    return CN_OK;
}

CNI_INLINE void send_separate(const cni_store *k, const cni_store_shape *s, cni_store_worker *w,
                              uint64_t node, uint64_t *restrict out)
{
    const uint64_t at = node - s->first;
    cni_queue *queue = k->queue + cni_store_queue(s->ports, at, 0);
    uint64_t *load = k->base.counts.words > 0 ? k->base.counts.load + at * s->ports : NULL;
    uint32_t home = (uint32_t)(queue - w->queue);
    uint64_t hops = 0, waiting = 0;
    out += at * s->width;
    for (uint32_t port = 0; port < s->ports;
         port++, out += s->stride * s->width, queue += CNI_STORE_LANES, home += CNI_STORE_LANES) {
        uint32_t has = cni_queue_length(queue) != 0;
        waiting += cni_queue_length(queue);
        if (s->form != CNI_STORE_CUBE && !has) {
            *out = CNI_NO_TIME;
            continue;
        }
        cni_message m = cni_store_pop(s, &w->pool, queue, has, home);
        cni_store_cross(k, s, node, port, &m);
        m.created |= (uint64_t)has - 1;
        cni_store_save(s, out, &m);
        hops += has;
        if (load != NULL)
            load[port] += has;
    }
    if (load != NULL)
        k->base.counts.queue[at] += waiting;
    w->hand.counters[CNI_COUNT_HOPS] += hops;
}

/* The lengths that all see who come to a node before it sends again: they choose at the same
 * time. */
static void look(const cni_store *k, uint64_t node)
{
    uint64_t q = cni_store_queue(k->queues, cni_store_at(k, node), 0);
    for (uint32_t port = 0; port < k->queues; port++, q += CNI_STORE_LANES)
        k->seen[q] = cni_queue_length(&k->queue[q]);
}

/* Phase 1 of cn_route_two_phase(): every message claims a channel, the losers stay. Two messages
 * share a random word. */
CNI_INLINE void send_shared(const cni_store *k, const cni_store_shape *s, cni_store_worker *w,
                            uint64_t node, uint64_t stream, uint64_t *restrict out)
{
    const uint64_t at = node - s->first;
    cni_queue *queue = &k->queue[at];
    uint64_t *load = k->base.counts.words > 0 ? k->base.counts.load + at * s->ports : NULL;
    uint32_t width = s->width, kept = 0, length = cni_queue_length(queue);
    uint32_t block = queue->tail & ~cni_queue_mask(queue); /* the head is always its first place */
    cni_message best[CNI_MOST_PORTS];
    uint64_t *base = w->pool.words + (uint64_t)block * width, word = 0;
    for (uint32_t port = 0; port < s->ports; port++)
        best[port] = (cni_message){CNI_NO_TIME, 0, 0};
    for (uint32_t i = 0; i < length; i++) {
        cni_message m = cni_store_load(s, base + (uint64_t)i * width);
        if (i % 2 == 0) {
            stream += CNI_RANDOM_STEP;
            word = cni_random_mix(stream); /* number i/2 */
        }
        uint32_t port = cni_store_pick(k, s, node, cni_store_channels(k, s, node, &m),
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
        cni_store_save(s, base + (uint64_t)kept * width, &m);
        kept += m.created != CNI_NO_TIME;
    }
    *queue = cni_queue_packed(block, cni_queue_size(queue), kept);
    if (CNI_RARELY(kept == 0 && cni_queue_size(queue) != w->pool.home_size))
        cni_pool_go_home(&w->pool, queue, (uint32_t)(queue - w->queue));
    w->hand.counters[CNI_COUNT_HOPS] += length - kept;
    out += at * width;
    for (uint32_t port = 0; port < s->ports; port++, out += s->stride * width) {
        cni_message m = best[port];
        if (s->form == CNI_STORE_CUBE || m.created != CNI_NO_TIME)
            cni_store_cross(k, s, node, port, &m);
        cni_store_save(s, out, &m);
        if (load != NULL)
            load[port] += m.created != CNI_NO_TIME;
    }
    if (load != NULL)
        k->base.counts.queue[at] += length;
}

/* What happens at a node. */
CNI_INLINE cn_status visit_one(const cni_store *k, const cni_store_shape *s, cni_store_worker *w,
                               const cni_store_moment *now, uint64_t node)
{
    uint64_t stream = cni_random_derive(now->seed, node);
    uint64_t accepted = w->hand.counters[CNI_COUNT_ACCEPTED];
    size_t arrivals = w->arrivals;
    if (now->in != NULL)
        CNI_TRY(receive_any(k, s, w, node, stream, now->in));
    if (now->admits)
        CNI_TRY(admit_any(k, s, w, node, stream, now->cycle));
    if (k->base.counts.words > 0) {
        k->base.counts.accepted[node - s->first] += w->hand.counters[CNI_COUNT_ACCEPTED] - accepted;
        k->base.counts.delivered[node - s->first] += w->arrivals - arrivals;
        for (size_t i = arrivals; i < w->arrivals; i++)
            w->made[i] = cni_store_hops(k, w->identity[i], node);
    }
    if (now->out == NULL)
        return CN_OK;
    if (k->separate)
        send_separate(k, s, w, node, now->out);
    else
        send_shared(k, s, w, node, stream, now->out);
    if (CNI_RARELY(k->seen != NULL))
        look(k, node);
    return CN_OK;
}

CNI_INLINE cn_status walk_form(const cni_store *k, cni_store_worker *w, const cni_store_moment *now,
                               uint64_t node, uint64_t end, cni_store_form form, int is_wide)
{
    const cni_store_moment moment = *now;
    cni_store_shape s = k->shape;
    s.form = form;
    s.is_wide = is_wide; /* which are constants here, and what follows from them */
    s.width = cni_store_width(form, is_wide);
    for (; node < end; node++) {
        cn_status status = visit_one(k, &s, w, &moment, node);
        if (CNI_RARELY(status != CN_OK)) {
            w->failed_at = node;
            return status;
        }
        if (w->arrivals >= CNI_STORE_ARRIVALS)
            cni_store_count_arrivals(k, w, now->cycle, now->cycle);
    }
    return CN_OK;
}

#define WALK(name, form, is_wide)                                                               \
    static cn_status name(const cni_store *k, cni_store_worker *w, const cni_store_moment *now, \
                          uint64_t node, uint64_t end)                                          \
    {                                                                                           \
        return walk_form(k, w, now, node, end, form, is_wide);                                  \
    }

WALK(walk_cube, CNI_STORE_CUBE, 0)
WALK(walk_rings, CNI_STORE_RINGS, 0)
WALK(walk_routed, CNI_STORE_ROUTED, 0)
WALK(walk_classed, CNI_STORE_CLASSED, 0)
WALK(walk_wide_cube, CNI_STORE_CUBE, 1)
WALK(walk_wide_rings, CNI_STORE_RINGS, 1)
WALK(walk_wide_routed, CNI_STORE_ROUTED, 1)
WALK(walk_wide_classed, CNI_STORE_CLASSED, 1)

cn_status cni_store_walk_each(const cni_store *k, cni_store_worker *w, const cni_store_moment *now,
                              uint64_t node, uint64_t end)
{
    static cni_store_walk *const walks[2][CNI_STORE_CLASSED + 1] = {
        {walk_cube, walk_rings, walk_routed, walk_classed},
        {walk_wide_cube, walk_wide_rings, walk_wide_routed, walk_wide_classed}};
    return walks[k->shape.is_wide][k->shape.form](k, w, now, node, end);
}

cn_status cni_store_admit(const cni_store *k, cni_store_worker *w, uint64_t node, uint64_t stream,
                          uint64_t cycle)
{
    return admit_any(k, &k->shape, w, node, stream, cycle);
}

cn_status cni_store_join(cni_store *k, uint64_t node, const cni_message *message, uint64_t word)
{
    return join_queue(k, &k->shape, cni_store_worker_of(k, node), node, message, word);
}

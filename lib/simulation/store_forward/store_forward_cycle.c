/* The slotted cycle for all processors: nodes are worked in rows, and the messages of a row one
 * after the other. */
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
        uint32_t length =
            k->seen_length == NULL ? cni_queue_length(&k->queue[q]) : k->seen_length[q];
        uint64_t kept = found & (0 - (uint64_t)(length >= least));
        found = kept | (channels & (0 - channels) & (0 - (uint64_t)(length <= least)));
        least = length < least ? length : least;
    }
    return found;
}

/* Consecutive nodes that are worked together. A row of 32 gives the memory time to deliver the
 * table entries of its messages before they are used. */
enum { ROW = 32 };

typedef struct row {
    const cni_store *k;
    const cni_store_shape *s;
    cni_store_worker *w;
    uint64_t first, at; /* the first node, and its index in the part */
    uint32_t count;
    const uint64_t *stream; /* by node of the row: the start of its random sequence */
} row;

/*
 * Messages of a row that are to join queues, in this order, where a routing is looked up in a
 * table. Whether a message comes, stays or goes on is chance. So each message is written behind the
 * last of the list, and only the count tells whether it belongs to the list. All listed messages
 * then look up their channels, and after that all join their queues. So no step waits for a
 * mispredicted branch or for distant memory. Messages with headers need no table, and join at once.
 *
 * 512 messages take at most 18 KB, so the list stays in the first cache.
 */
enum { MOST_JOINING = 512 };

typedef struct joining {
    size_t count;
    uint64_t word[3 * (MOST_JOINING + 1)];
    uint64_t state[MOST_JOINING + 1]; /* the state of the random word that picks the queue */
    /* first the node in the row, then the queue among the queues of the row */
    uint32_t queue[MOST_JOINING + 1];
} joining;

/* Whether messages carry headers, which need no table. */
CNI_INLINE int has_headers(const cni_store_shape *s)
{
    return s->form == CNI_STORE_CUBE || s->form == CNI_STORE_RINGS;
}

/* Puts a message that stays at a node into a queue. */
CNI_INLINE cn_status join_queue(const cni_store *k, const cni_store_shape *s, cni_store_worker *w,
                                uint64_t node, const cni_message *m, uint64_t word)
{
    cni_queue *queue = k->queue + cni_store_queue(k->queues, node - s->first, 0);
    if (k->separate) {
        uint64_t channels = cni_store_channels(k, s, node, m);
        queue += cni_store_pick(k, s, node, channels, (uint32_t)(word >> 32)) * CNI_STORE_LANES;
    }
    cn_status status = cni_store_push(s, &w->pool, queue, m, 1);
    if (CNI_RARELY(status != CN_OK))
        w->failed_at = node;
    return status;
}

/* Puts all listed messages into their queues. */
CNI_INLINE cn_status join_all(const row *n, joining *j)
{
    const cni_store_shape *s = n->s;
    const cni_store *k = n->k;
    const size_t count = j->count;
    for (size_t i = 0; k->separate && i < count; i++) {
        cni_message m = cni_store_load(s, j->word + i * s->width);
        uint32_t lane = j->queue[i], random = (uint32_t)(cni_random_mix(j->state[i]) >> 32);
        uint64_t node = n->first + lane, channels = cni_store_channels(k, s, node, &m);
        uint32_t port = cni_store_pick(k, s, node, channels, random);
        j->queue[i] = (uint32_t)cni_store_queue(s->ports, lane, port);
    }
    cni_queue *queue = k->queue + cni_store_queue(k->queues, n->at, 0);
    j->count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t q = j->queue[i];
        cni_message m = cni_store_load(s, j->word + i * s->width);
        cn_status status = cni_store_push(s, &n->w->pool, queue + q, &m, 1);
        if (CNI_RARELY(status != CN_OK)) {
            n->w->failed_at =
                n->first + q % CNI_STORE_LANES + q / CNI_STORE_LANES / k->queues * CNI_STORE_LANES;
            return status;
        }
    }
    return CN_OK;
}

/* Lists a message of a node of the row. real = 0: writes it behind the list without counting it.
 * Returns the new count. index: the number of its random word. */
CNI_INLINE size_t list_message(const row *n, joining *j, size_t count, uint32_t lane,
                               const cni_message *m, uint64_t index, uint32_t real)
{
    cni_store_save(n->s, j->word + count * n->s->width, m);
    j->state[count] = n->stream[lane] + (index + 1) * CNI_RANDOM_STEP;
    j->queue[count] = lane;
    cni_store_fetch_channels(n->k, n->s, n->first + lane, m);
    return count + real;
}

/* Receives the messages that come over the channels into a node of the row: counts arrivals, and
 * lists or joins the other messages. */
CNI_INLINE cn_status receive_messages(const row *n, joining *j, uint32_t lane,
                                      const cni_store_moment *now)
{
    const cni_store *k = n->k;
    const cni_store_shape *s = n->s;
    cni_store_worker *w = n->w;
    const int is_cube = s->form == CNI_STORE_CUBE;
    const size_t *first = k->network.inlets.first;
    const uint64_t node = n->first + lane;
    const uint32_t *from = is_cube ? NULL : cni_store_from(k, n->at + lane);
    uint64_t inlets = is_cube ? s->ports : first[node + 1] - first[node];
    size_t arrivals = w->arrivals, count = j->count;
    for (uint64_t i = 0; i < inlets; i++) {
        uint64_t place =
            is_cube ? cni_store_cube_place(k, s, node, (uint32_t)i) : from[i * CNI_STORE_LANES];
        const uint64_t *sent = now->in + place * s->width;
        uint32_t is_there = sent[0] != CNI_NO_TIME;
        if (has_headers(s) && !is_there)
            continue;
        cni_message m = cni_store_load(s, sent);
        uint32_t arrives = is_there & (uint32_t)cni_store_arrives(k, s, node, &m);
        w->created[arrivals] = cni_store_created(s, &m);
        w->identity[arrivals] = m.identity;
        arrivals += arrives;
        if (!has_headers(s))
            count = list_message(n, j, count, lane, &m, i, is_there ^ arrives);
        else if (!arrives)
            CNI_TRY(join_queue(k, s, w, node, &m, cni_random_word(n->stream[lane], i)));
    }
    if (k->base.counts.words > 0) {
        k->base.counts.delivered[n->at + lane] += arrivals - w->arrivals;
        for (size_t i = w->arrivals; i < arrivals; i++)
            w->hops_made[i] = cni_store_hops(k, w->identity[i], node);
    }
    w->arrivals = arrivals;
    j->count = count;
    if (CNI_RARELY(arrivals >= CNI_STORE_ARRIVALS))
        cni_store_count_arrivals(k, w, now->cycle, now->cycle);
    return CNI_RARELY(count > MOST_JOINING - CNI_MOST_PORTS) ? join_all(n, j) : CN_OK;
}

/* Admits new messages of the scenario's traffic at a node. is_plain: the plain traffic of
 * geometric.h, with messages to all nodes. */
CNI_INLINE cn_status admit_messages(const row *n, joining *j, uint32_t lane, uint64_t cycle,
                                    int is_plain)
{
    const cni_store *k = n->k;
    const cni_store_shape *s = n->s;
    const cni_trace_message *listed = NULL;
    const uint64_t node = n->first + lane, stream = n->stream[lane];
    uint64_t offered = 0, travel = 0;
    if (is_plain)
        offered = cni_geometric_offered(&k->base.slotted.geometric, stream);
    else if (cni_network_is_endpoint(&k->network, node))
        offered = cni_divided_offered(&k->base, &n->w->hand, node, stream, &listed, cycle);
    if (CNI_RARELY(offered > s->numbers)) {
        n->w->failed_at = node;
        return CN_ERR_OVERFLOW;
    }
    for (uint64_t i = 0; i < offered; i++) {
        cni_message m;
        if (has_headers(s) && is_plain) {
            m = cni_store_stamp(s, cycle,
                                node << s->source_shift | i << s->number_shift |
                                    cni_uniform_header(stream, i, s->nodes));
        } else {
            uint64_t to = listed != NULL ? listed[i].destination
                                         : cni_network_destination(&k->network, &k->base.slotted,
                                                                   node, stream, i);
            m = cni_store_create(k, node, to, i, 0, cycle,
                                 cni_random_word(stream, CNI_WORDS_BEGIN + i));
        }
        travel += cni_store_distance(k, node, m.identity & s->to_mask);
        if (has_headers(s)) {
            CNI_TRY(join_queue(k, s, n->w, node, &m, cni_random_word(stream, CNI_WORDS_NEW + i)));
            continue;
        }
        j->count = list_message(n, j, j->count, lane, &m, CNI_WORDS_NEW + i, 1);
        if (CNI_RARELY(j->count == MOST_JOINING))
            CNI_TRY(join_all(n, j));
    }
    cni_store_count_new(n->w, offered, travel, listed != NULL);
    return CN_OK;
}

/* Admits new messages at all nodes of the row. */
CNI_INLINE cn_status admit_row(const row *n, joining *j, uint64_t cycle)
{
    const cni_store *k = n->k;
    const cni_slotted *traffic = &k->base.slotted;
    int is_plain = traffic->traffic == NULL && k->network.rank_of == NULL;
    uint64_t nodes = UINT64_MAX >> (64 - n->count);
    if (is_plain)
        nodes = cni_geometric_offering(&traffic->geometric, n->stream, n->count);
    for (; nodes != 0; nodes &= nodes - 1) {
        uint32_t lane = cni_lowest_bit(nodes);
        uint64_t before = n->w->hand.counters[CNI_COUNT_ACCEPTED];
        CNI_TRY(admit_messages(n, j, lane, cycle, is_plain));
        if (k->base.counts.words > 0)
            k->base.counts.accepted[n->at + lane] +=
                n->w->hand.counters[CNI_COUNT_ACCEPTED] - before;
    }
    return CN_OK;
}

/* Sends the first messages of the queues of up to eight nodes for a port. Returns the number of
 * messages sent. */
CNI_INLINE uint64_t send_port(const row *n, uint32_t lane, uint32_t port, uint64_t *restrict out)
{
    const cni_store_shape *s = n->s;
    const uint64_t at = n->at + lane;
    const uint32_t end = n->count - lane < CNI_STORE_LANES ? n->count - lane : CNI_STORE_LANES;
    cni_queue *queue = n->k->queue + cni_store_queue(s->ports, at, port);
    uint32_t home = (uint32_t)(queue - n->w->queue);
    const cni_counts *counts = n->k->base.counts.words > 0 ? &n->k->base.counts : NULL;
    uint64_t hops = 0;
    out += (port * s->stride + at) * s->width;
    for (uint32_t i = 0; i < end; i++, queue++, out += s->width) {
        uint32_t length = cni_queue_length(queue), has = length != 0;
        if (s->form == CNI_STORE_CLASSED && !has) {
            *out = CNI_NO_TIME;
            continue;
        }
        cni_message m = cni_store_pop(s, &n->w->pool, queue, has, home + i);
        cni_store_cross(n->k, s, n->first + lane + i, port, &m, has);
        m.created |= (uint64_t)has - 1;
        cni_store_save(s, out, &m);
        hops += has;
        if (CNI_RARELY(counts != NULL)) {
            counts->load[(at + i) * s->ports + port] += has;
            counts->queue[at + i] += length;
        }
    }
    return hops;
}

/* Sends the first messages of all queues of the row. */
CNI_INLINE void send_separate(const row *n, uint64_t *restrict out)
{
    uint64_t hops = 0;
    for (uint32_t lane = 0; lane < n->count; lane += CNI_STORE_LANES)
        for (uint32_t port = 0; port < n->s->ports; port++)
            hops += send_port(n, lane, port, out);
    n->w->hand.counters[CNI_COUNT_HOPS] += hops;
}

/* Notes the lengths of the queues of a node after it has sent. All messages that come to the
 * node in the next cycle choose by these lengths, because they choose at the same time. */
static void note_lengths(const cni_store *k, uint64_t node)
{
    uint64_t q = cni_store_queue(k->queues, cni_store_at(k, node), 0);
    for (uint32_t port = 0; port < k->queues; port++, q += CNI_STORE_LANES)
        k->seen_length[q] = cni_queue_length(&k->queue[q]);
}

/* Whether the words are a message. */
CNI_INLINE uint32_t is_there(const cni_store_shape *s, const cni_message *m)
{
    return (s->is_wide ? m->created : m->identity) != CNI_NO_TIME;
}

/* Phase 1 of cn_route_two_phase(): every message claims a channel, and the losers stay. Two
 * messages share a random word. */
CNI_INLINE void send_shared(const row *n, uint32_t lane, uint64_t *restrict out)
{
    const cni_store *k = n->k;
    const cni_store_shape *s = n->s;
    const uint64_t at = n->at + lane, node = n->first + lane;
    cni_queue *queue = &k->queue[at];
    uint64_t *load = k->base.counts.words > 0 ? k->base.counts.load + at * s->ports : NULL;
    uint32_t width = s->width, kept = 0, length = cni_queue_length(queue);
    /* in a shared buffer the first message is always in the first place of the block */
    uint32_t block = queue->tail & ~cni_queue_mask(queue);
    cni_message best[CNI_MOST_PORTS];
    uint64_t *base = n->w->pool.words + (uint64_t)block * width, word = 0;
    uint64_t stream = n->stream[lane];
    for (uint32_t port = 0; port < s->ports; port++)
        best[port] = (cni_message){s->is_wide ? CNI_NO_TIME : 0, CNI_NO_TIME, 0};
    for (uint32_t i = 0; i < length; i++) {
        cni_message m = cni_store_load(s, base + (uint64_t)i * width);
        if (i % 2 == 0) {
            stream += CNI_RANDOM_STEP;
            word = cni_random_mix(stream); /* word number i / 2 of the stream */
        }
        uint32_t port = cni_store_pick(k, s, node, cni_store_channels(k, s, node, &m),
                                       (uint32_t)(i % 2 == 0 ? word >> 32 : word));
        cni_message other = best[port];
        int older = m.identity < other.identity;
        if (s->is_wide)
            older = (m.created < other.created) | ((m.created == other.created) & older);
        uint64_t change = 0 - (uint64_t)older;
        cni_message swap = {(m.created ^ other.created) & change,
                            (m.identity ^ other.identity) & change, (m.way ^ other.way) & change};
        best[port] = (cni_message){other.created ^ swap.created, other.identity ^ swap.identity,
                                   other.way ^ swap.way};
        m = (cni_message){m.created ^ swap.created, m.identity ^ swap.identity, m.way ^ swap.way};
        cni_store_save(s, base + (uint64_t)kept * width, &m);
        kept += is_there(s, &m);
    }
    *queue = cni_queue_packed(block, cni_queue_size(queue), kept);
    if (CNI_RARELY(kept == 0 && cni_queue_size(queue) != n->w->pool.home_size))
        cni_pool_go_home(&n->w->pool, queue, (uint32_t)(queue - n->w->queue));
    n->w->hand.counters[CNI_COUNT_HOPS] += length - kept;
    out += at * width;
    for (uint32_t port = 0; port < s->ports; port++, out += s->stride * width) {
        cni_message m = best[port];
        uint32_t has = is_there(s, &m);
        if (s->form != CNI_STORE_CLASSED || has)
            cni_store_cross(k, s, node, port, &m, has);
        m.created |= (uint64_t)has - 1;
        cni_store_save(s, out, &m);
        if (load != NULL)
            load[port] += has;
    }
    if (load != NULL)
        k->base.counts.queue[at] += length;
}

/* One pass over the nodes of a row: receive, admit, send. */
CNI_INLINE cn_status visit_row(const row *n, const cni_store_moment *now)
{
    joining j;
    j.count = 0;
    for (uint32_t lane = 0; now->in != NULL && lane < n->count; lane++)
        CNI_TRY(receive_messages(n, &j, lane, now));
    if (now->admits)
        CNI_TRY(admit_row(n, &j, now->cycle));
    CNI_TRY(join_all(n, &j));
    if (now->out != NULL && n->k->separate)
        send_separate(n, now->out);
    for (uint32_t lane = 0; now->out != NULL && !n->k->separate && lane < n->count; lane++)
        send_shared(n, lane, now->out);
    for (uint32_t lane = 0; now->out != NULL && n->k->seen_length != NULL && lane < n->count;
         lane++)
        note_lengths(n->k, n->first + lane);
    return CN_OK;
}

CNI_INLINE cn_status walk_form(const cni_store *k, cni_store_worker *w, const cni_store_moment *now,
                               uint64_t node, uint64_t end, cni_store_form form, int is_wide)
{
    const cni_store_moment moment = *now;
    cni_store_shape s = k->shape;
    s.form = form;
    s.is_wide = is_wide; /* constants in this function, and so the width */
    s.width = cni_store_width(form, is_wide);
    uint64_t stream[ROW];
    for (; node < end; node += ROW) {
        const row n = {.k = k,
                       .s = &s,
                       .w = w,
                       .first = node,
                       .at = node - s.first,
                       .count = end - node < ROW ? (uint32_t)(end - node) : ROW,
                       .stream = stream};
        for (uint32_t lane = 0; lane < n.count; lane++)
            stream[lane] = cni_random_derive(now->seed, node + lane);
        CNI_TRY(visit_row(&n, &moment));
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
    const row n = {.k = k,
                   .s = &k->shape,
                   .w = w,
                   .first = node,
                   .at = cni_store_at(k, node),
                   .count = 1,
                   .stream = &stream};
    joining j;
    j.count = 0;
    CNI_TRY(admit_messages(&n, &j, 0, cycle, 0));
    return join_all(&n, &j);
}

cn_status cni_store_join(cni_store *k, uint64_t node, const cni_message *message, uint64_t word)
{
    return join_queue(k, &k->shape, cni_store_worker_of(k, node), node, message, word);
}

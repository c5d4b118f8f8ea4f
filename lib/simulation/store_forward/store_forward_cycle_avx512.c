/*
 * The slotted cycle for x86-64 processors with AVX-512, with messages of one word: eight nodes at a
 * time. Rare cases go to the functions for one node.
 */
#include "simulation/store_forward/store_forward.h"

#if CNI_AVX512
#include <immintrin.h>

#include "base/error.h"
#include "base/inline.h"
#include "simulation/store_forward/store_forward_node.h"

#define TARGET __attribute__((target("bmi,bmi2,popcnt,avx512f,avx512dq,avx512vl,avx512vpopcntdq")))
#define LANES TARGET __attribute__((always_inline))

#include "simulation/kernel/lanes.inc.h"
#include "simulation/store_forward/store_forward_lanes.inc.h"

/* Eight nodes. The last group of a network may have fewer: `valid` has a bit for each node. */
typedef struct nodes_of_lanes {
    const cni_store *k;
    const cni_store_shape *s;
    cni_store_worker *w;
    uint64_t first;
    __mmask8 valid;
    __m512i node, stream;
    cni_queue *queue; /* the queues of these nodes */
    int counts;       /* with statistics */
} nodes_of_lanes;

/* Messages that are to be put into queues, in this order. There is room for all messages that
 * come to eight nodes in a cycle. */
enum { MOST_JOINING = CNI_STORE_LANES * (CNI_MOST_PORTS + 1) };

typedef struct joining {
    size_t count;
    uint64_t queue[MOST_JOINING]; /* the number of the queue among the queues of the eight nodes */
    uint64_t message[MOST_JOINING];
} joining;

/* Appends the listed messages to their queues. Queues lie far apart, and one message after the
 * other is faster than scattering eight at a time. */
static inline LANES cn_status join_queues(const nodes_of_lanes *n, joining *j)
{
    for (size_t i = 0; i < j->count; i++) {
        cni_message m = {0, j->message[i], 0};
        cn_status status = cni_store_push(n->s, &n->w->pool, n->queue + j->queue[i], &m, 1);
        if (CNI_RARELY(status != CN_OK)) {
            n->w->failed_at = n->first + j->queue[i] % CNI_STORE_LANES;
            return status;
        }
    }
    j->count = 0;
    return CN_OK;
}

/* ---- steps that depend on the form of messages ---- */

/* The messages that come over inlet i. from: the places of the inlets; NULL: a Boolean cube. */
static inline LANES __m512i receive_lanes(const nodes_of_lanes *n, const uint32_t *from,
                                          const uint64_t *in, uint32_t i)
{
    if (from != NULL) {
        __m256i at = _mm256_loadu_si256((const __m256i *)(from + i * CNI_STORE_LANES));
        return load_words(in, _mm512_cvtepu32_epi64(at));
    }
    const uint64_t side = UINT64_C(1) << i;
    const uint64_t *sent = in + i * n->s->stride + (n->first ^ (side & ~UINT64_C(7)));
    __m512i order = _mm512_xor_si512(lane_numbers(), all(side % CNI_STORE_LANES));
    return _mm512_permutexvar_epi64(order, _mm512_loadu_si512(sent));
}

/* The lanes whose messages are at their destination. */
static inline LANES __mmask8 arrive_lanes(const nodes_of_lanes *n, __m512i to)
{
    if (n->s->form != CNI_STORE_ROUTED)
        return _mm512_testn_epi64_mask(to, to);
    return _mm512_cmpeq_epi64_mask(to, n->node);
}

/* The channels of messages by the tables of cni_network_ports(). A gather reads four bytes from an
 * entry on. */
static inline LANES __m512i look_up(const cni_network *network, __m512i place, __mmask8 which)
{
    const __m256i none = _mm256_setzero_si256();
    if (network->bytes != NULL)
        return _mm512_and_si512(_mm512_cvtepu32_epi64(_mm512_mask_i64gather_epi32(
                                    none, which, place, network->bytes, 1)),
                                all(UINT8_MAX));
    return _mm512_and_si512(_mm512_cvtepu32_epi64(_mm512_mask_i64gather_epi32(
                                none, which, place, network->near.narrow, 2)),
                            all(UINT16_MAX));
}

/* The channels that messages of these lanes at these nodes may take. */
static inline LANES __m512i ports_lanes(const nodes_of_lanes *n, __m512i node, __mmask8 which,
                                        __m512i to)
{
    const cni_network *network = &n->k->network;
    uint64_t at[CNI_STORE_LANES], ports[CNI_STORE_LANES];
    if (n->s->form == CNI_STORE_CUBE)
        return to;
    if (n->s->form == CNI_STORE_ROUTED && (network->bytes != NULL || network->near.narrow != NULL))
        return look_up(network, _mm512_add_epi64(_mm512_mullo_epi64(node, all(n->s->nodes)), to),
                       which);
    _mm512_storeu_si512(at, node);
    _mm512_storeu_si512(ports, to);
    for (uint32_t rest = bits_of(which); rest != 0; rest &= rest - 1) {
        uint32_t lane = cni_lowest_bit(rest);
        const cni_message m = {.identity = ports[lane]};
        ports[lane] = cni_store_channels(n->k, n->s, at[lane], &m);
    }
    return _mm512_loadu_si512(ports);
}

/* Messages as they come over the channels of a port in the lanes `has`; the other lanes get no
 * message. */
static inline LANES __m512i cross_lanes(const nodes_of_lanes *n, uint32_t port, __m512i m,
                                        __mmask8 has)
{
    if (n->s->form == CNI_STORE_CUBE)
        m = _mm512_xor_si512(m, all(UINT64_C(1) << port));
    if (n->s->form == CNI_STORE_RINGS) {
        __m512i header = _mm512_and_si512(m, all(n->s->to_mask));
        __m512i at = _mm512_add_epi64(_mm512_mullo_epi64(header, all(n->s->ports)), all(port));
        __m256i far =
            _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), has, at, n->k->network.far, 4);
        m = _mm512_add_epi64(_mm512_sub_epi64(m, header), _mm512_cvtepu32_epi64(far));
    }
    if (n->s->form != CNI_STORE_CUBE)
        m = _mm512_add_epi64(m, all(n->s->hop));
    return _mm512_mask_mov_epi64(all(CNI_NO_TIME), has, m);
}

/* Picks channels for messages that stay at their nodes, and lists the messages. words: a random
 * word for each. */
static inline LANES void join_lanes(const nodes_of_lanes *n, joining *j, __mmask8 which, __m512i m,
                                    __m512i words)
{
    __m512i queue = lane_numbers();
    if (n->k->separate) {
        __m512i to = _mm512_and_si512(m, all(n->s->to_mask));
        __m512i channels = ports_lanes(n, n->node, which, to);
        __m512i port = pick_bit(n->s, channels, _mm512_srli_epi64(words, 32));
        queue = _mm512_add_epi64(queue, _mm512_slli_epi64(port, 3));
    }
    _mm512_storeu_si512(j->queue + j->count, _mm512_maskz_compress_epi64(which, queue));
    _mm512_storeu_si512(j->message + j->count, _mm512_maskz_compress_epi64(which, m));
    j->count += ones_of(which);
}

/* ---- statistics ---- */

/* Adds `more` to the counts of the nodes. */
static inline LANES void count_nodes(const nodes_of_lanes *n, uint64_t *counts, __m512i more)
{
    counts += n->first;
    __m512i before = _mm512_maskz_loadu_epi64(n->valid, counts);
    _mm512_mask_storeu_epi64(counts, n->valid, _mm512_add_epi64(before, more));
}

/* Counts the messages that cross the channels of a port. */
static inline LANES void count_loads(const nodes_of_lanes *n, uint32_t port, __mmask8 has)
{
    const uint32_t crossing = has, ports = n->s->ports, end = ones_of(n->valid);
    uint64_t *load = n->k->base.counts.load + n->first * ports + port;
    for (uint32_t lane = 0; lane < end; lane++)
        load[lane * ports] += crossing >> lane & 1;
}

/* The hops of messages that have arrived. */
static inline LANES __m512i hops_of(const nodes_of_lanes *n, __m512i identity)
{
    const cni_store_shape *s = n->s;
    if (n->s->form == CNI_STORE_CUBE) {
        __m512i source =
            _mm512_and_si512(_mm512_srli_epi64(identity, s->source_shift), all(s->to_mask));
        return _mm512_popcnt_epi64(_mm512_xor_si512(source, n->node));
    }
    if (s->hop_mask != 0)
        return _mm512_and_si512(_mm512_srli_epi64(identity, s->hop_shift), all(s->hop_mask));
    uint64_t hops[CNI_STORE_LANES];
    _mm512_storeu_si512(hops, identity);
    for (uint32_t lane = 0; lane < CNI_STORE_LANES; lane++)
        hops[lane] = cni_store_hops(n->k, hops[lane], n->first + lane);
    return _mm512_loadu_si512(hops);
}

/* ---- the steps of a cycle ---- */

/* Receives the messages that come over the channels into eight nodes. */
static inline LANES cn_status receive_all(const nodes_of_lanes *n, const uint64_t *in)
{
    cni_store_worker *w = n->w;
    const cni_store_shape *s = n->s;
    __m512i delivered = _mm512_setzero_si512();
    uint32_t inlets = s->ports;
    const uint32_t *from = NULL;
    if (n->s->form != CNI_STORE_CUBE) {
        const size_t *first = n->k->from_first + n->first / CNI_STORE_LANES;
        inlets = (uint32_t)(first[1] - first[0]);
        from = cni_store_from(n->k, n->first);
    }
    joining j;
    j.count = 0;
    for (uint32_t i = 0; i < inlets; i++) {
        __m512i m = receive_lanes(n, from, in, i);
        __mmask8 there = is_there(m) & n->valid;
        __m512i to = _mm512_and_si512(m, all(s->to_mask));
        __mmask8 gone = there & arrive_lanes(n, to);
        __m512i created = _mm512_srli_epi64(m, s->created_shift);
        _mm512_storeu_si512(
            w->created + w->arrivals,
            _mm512_maskz_compress_epi64(gone, _mm512_add_epi64(created, all(s->epoch))));
        if (n->counts) {
            delivered = _mm512_mask_add_epi64(delivered, gone, delivered, all(1));
            _mm512_storeu_si512(w->hops_made + w->arrivals,
                                _mm512_maskz_compress_epi64(gone, hops_of(n, m)));
        }
        w->arrivals += ones_of(gone);
        if (bits_of(there) != bits_of(gone))
            join_lanes(n, &j, there & (__mmask8)~gone, m, words_of(n->stream, i));
    }
    if (n->counts)
        count_nodes(n, n->k->base.counts.delivered, delivered);
    return join_queues(n, &j);
}

/* Turns steps (1 .. nodes - 1) of new messages into headers or destinations, and adds up the
 * distances. */
static inline LANES __m512i aim_messages(const nodes_of_lanes *n, __mmask8 which, __m512i steps,
                                         uint64_t *travel)
{
    const cni_store *k = n->k;
    if (n->s->form == CNI_STORE_CUBE) {
        __m512i hops = _mm512_maskz_popcnt_epi64(which, steps);
        *travel += (uint64_t)_mm512_reduce_add_epi64(hops);
        return steps;
    }
    uint64_t to[CNI_STORE_LANES];
    _mm512_storeu_si512(to, steps);
    for (uint32_t rest = which; rest != 0; rest &= rest - 1) {
        uint32_t lane = cni_lowest_bit(rest);
        uint64_t node = n->first + lane, step = to[lane];
        if (n->s->form == CNI_STORE_ROUTED)
            to[lane] = cni_network_step(&k->network, node, step);
        *travel += k->hops_by_header ? k->hops[step] : cni_store_distance(k, node, to[lane]);
    }
    return _mm512_loadu_si512(to);
}

/* Admits new messages at nodes, with the numbers of messages from the table of geometric.h.
 * draw: the random word that decides the number. */
static inline LANES cn_status admit_all(const nodes_of_lanes *n, uint64_t cycle, __m512i draw)
{
    const cni_geometric *geometric = &n->k->base.slotted.geometric;
    const cni_store_shape *s = n->s;
    __mmask8 active = n->valid;
    uint64_t count = 0, travel = 0;
    joining new;
    new.count = 0;
    __m512i accepted = _mm512_setzero_si512();
    for (uint32_t j = 0; j < geometric->thresholds; j++) {
        active = _mm512_mask_cmplt_epu64_mask(active, draw, all(geometric->threshold[j]));
        if (active == 0)
            break;
        __m512i step = _mm512_srli_epi64(words_of(n->stream, CNI_WORDS_HEADERS + j), 24);
        step = _mm512_srli_epi64(_mm512_mullo_epi64(step, all(s->nodes - 1)), 40);
        __m512i to = aim_messages(n, active, _mm512_add_epi64(step, all(1)), &travel);
        __m512i m = _mm512_add_epi64(to, all((uint64_t)j << s->number_shift));
        m = _mm512_add_epi64(m, _mm512_sllv_epi64(n->node, all(s->source_shift)));
        m = _mm512_add_epi64(m, all((cycle - s->epoch) << s->created_shift));
        count += ones_of(active);
        accepted = _mm512_mask_add_epi64(accepted, active, accepted, all(1));
        join_lanes(n, &new, active, m, words_of(n->stream, CNI_WORDS_NEW + j));
        if (CNI_RARELY(new.count > MOST_JOINING - 2 * CNI_STORE_LANES))
            CNI_TRY(join_queues(n, &new));
    }
    cni_store_count_new(n->w, count, travel, 0);
    if (n->counts)
        count_nodes(n, n->k->base.counts.accepted, accepted);
    return join_queues(n, &new);
}

/* Admits the new messages of eight nodes: plain traffic eight nodes at a time, all other traffic
 * node by node. */
static inline LANES cn_status admit_lanes(const nodes_of_lanes *n, const cni_store_moment *now)
{
    const cni_store *k = n->k;
    const cni_geometric *geometric = &k->base.slotted.geometric;
    __m512i draw = words_of(n->stream, CNI_WORDS_OFFERED);
    uint32_t most = geometric->thresholds;
    int is_plain =
        k->base.slotted.traffic == NULL && k->network.rank_of == NULL && n->s->numbers > most;
    /* a draw below the last threshold needs more words than one */
    if (is_plain && most == CNI_GEOMETRIC_THRESHOLDS)
        is_plain = _mm512_cmplt_epu64_mask(draw, all(geometric->threshold[most - 1])) == 0;
    if (is_plain)
        return admit_all(n, now->cycle, draw);
    uint64_t stream[CNI_STORE_LANES];
    _mm512_storeu_si512(stream, n->stream);
    for (uint64_t lane = 0; lane < ones_of(n->valid); lane++) {
        uint64_t before = n->w->hand.counters[CNI_COUNT_ACCEPTED], node = n->first + lane;
        cn_status status = cni_store_admit(k, n->w, node, stream[lane], now->cycle);
        if (status != CN_OK) {
            n->w->failed_at = node;
            return status;
        }
        if (n->counts)
            k->base.counts.accepted[n->first + lane] +=
                n->w->hand.counters[CNI_COUNT_ACCEPTED] - before;
    }
    return CN_OK;
}

/* Sends the first messages of all queues of eight nodes. */
static inline LANES void send_each(const nodes_of_lanes *n, uint64_t *out)
{
    const cni_store_shape *s = n->s;
    cni_queue *queues = n->queue;
    __m512i waiting = _mm512_setzero_si512();
    uint64_t hops = 0;
    out += n->first;
    for (uint32_t port = 0; port < s->ports; port++, out += s->stride, queues += CNI_STORE_LANES) {
        __m512i queue = _mm512_loadu_si512(queues), length = queue_length(queue);
        __mmask8 has = _mm512_test_epi64_mask(length, length);
        /* on cubes alone: with the other forms a mispredicted branch costs more than the skipped
         * port */
        if (n->s->form == CNI_STORE_CUBE && bits_of(has) == 0) {
            _mm512_storeu_si512(out, all(CNI_NO_TIME));
            continue;
        }
        __m512i head = queue_place(queue, _mm512_sub_epi64(queue, length));
        __m512i m = load_words(n->w->pool.words, head);
        _mm512_storeu_si512(out, cross_lanes(n, port, m, has));
        __m512i rest = _mm512_mask_sub_epi64(queue, has, queue, all(UINT64_C(1) << 32));
        _mm512_storeu_si512(queues, rest);
        /* queues that are empty now, but not at home */
        uint32_t away = bits_of(
            _mm512_mask_cmpneq_epi64_mask(has & _mm512_cmpeq_epi64_mask(length, all(1)),
                                          queue_room(rest), all(UINT64_C(1) << CNI_STORE_HOME)));
        for (; CNI_RARELY(away != 0); away &= away - 1) {
            cni_queue *empty = queues + cni_lowest_bit(away);
            cni_pool_go_home(&n->w->pool, empty, (uint32_t)(empty - n->w->queue));
        }
        hops += ones_of(has);
        waiting = _mm512_add_epi64(waiting, length);
        if (n->counts)
            count_loads(n, port, has);
    }
    if (n->counts)
        count_nodes(n, n->k->base.counts.queue, waiting);
    n->w->hand.counters[CNI_COUNT_HOPS] += hops;
}

#include "simulation/store_forward/store_forward_claims.inc.h"

/* One pass over eight nodes: receive, admit, send. */
static inline LANES cn_status visit_lanes(const nodes_of_lanes *n, const cni_store_moment *now)
{
    if (now->in != NULL)
        CNI_TRY(receive_all(n, now->in));
    if (now->admits)
        CNI_TRY(admit_lanes(n, now));
    if (now->out != NULL && n->k->separate)
        send_each(n, now->out);
    else if (now->out != NULL)
        send_best(n, now->out);
    return CN_OK;
}

static inline LANES cn_status walk_lanes(const cni_store *k, cni_store_worker *w,
                                         const cni_store_moment *now, uint64_t node, uint64_t end,
                                         cni_store_form form)
{
    cni_store_shape s = k->shape;
    s.form = form;
    s.is_wide = 0;
    s.width = 1; /* constants in this function */
    const cni_store_moment moment = *now;
    for (; node < end; node += CNI_STORE_LANES) {
        const nodes_of_lanes n = {
            .k = k,
            .s = &s,
            .w = w,
            .first = node,
            .valid = first_lanes(w->end_node - node),
            .node = _mm512_add_epi64(lane_numbers(), all(node)),
            .stream = streams_of(now->seed, node),
            .queue = k->queue + cni_store_queue(k->queues, node, 0),
            .counts = k->base.counts.words > 0,
        };
        cn_status status = visit_lanes(&n, &moment);
        if (CNI_RARELY(status != CN_OK))
            return status;
        if (w->arrivals >= CNI_STORE_ARRIVALS)
            cni_store_count_arrivals(k, w, now->cycle, now->cycle);
    }
    return CN_OK;
}

TARGET cn_status cni_store_walk_lanes(const cni_store *k, cni_store_worker *w,
                                      const cni_store_moment *now, uint64_t node, uint64_t end)
{
    if (k->shape.form == CNI_STORE_CUBE)
        return walk_lanes(k, w, now, node, end, CNI_STORE_CUBE);
    if (k->shape.form == CNI_STORE_RINGS)
        return walk_lanes(k, w, now, node, end, CNI_STORE_RINGS);
    return walk_lanes(k, w, now, node, end, CNI_STORE_ROUTED);
}
#else
/* Never called: without vectors in the build cni_has_lanes() is 0. */
cn_status cni_store_walk_lanes(const cni_store *k, cni_store_worker *w, const cni_store_moment *now,
                               uint64_t node, uint64_t end)
{
    return cni_store_walk_each(k, w, now, node, end);
}
#endif

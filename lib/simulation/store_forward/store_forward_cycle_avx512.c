/*
 * The slotted cycle for x86-64 processors with AVX-512: eight nodes at a time, where cni_store_fits_lanes(). What is
 * rare is left to the functions for one node.
 */
#include "simulation/store_forward/store_forward.h"

#if CNI_AVX512
#include <immintrin.h>
#include <string.h>

#include "base/error.h"
#include "base/inline.h"
#include "routing/decisions/channels.h"

#define COUNT(word) ((uint32_t)__builtin_popcountll(word))
#define SELECT(word, rank) ((uint32_t)_tzcnt_u64(_pdep_u64(UINT64_C(1) << (rank), (word))))
#define TARGET __attribute__((target("bmi,bmi2,popcnt,avx512f,avx512dq,avx512vl,avx512vpopcntdq")))
#define LANES TARGET __attribute__((always_inline))
#define LOCAL(part) cni_store_avx512_##part
#include "simulation/store_forward/store_forward_node.inc.h"

#include "simulation/store_forward/store_forward_cycle.inc.h"

#include "simulation/kernel/lanes.inc.h"
#include "simulation/store_forward/store_forward_lanes.inc.h"

/* Eight nodes, of which some may be behind the last. */
typedef struct nodes_of_lanes {
    uint64_t first;
    uint64_t at; /* its number in the part */
    __mmask8 valid;
    __m512i stream;
    cni_queue *queue; /* theirs */
} nodes_of_lanes;

/* Messages that are to be put into queues, in this order. */
enum { MOST_JOINING = CNI_STORE_LANES * (CNI_MOST_PORTS + 1) };

typedef struct joining {
    size_t count;
    uint64_t queue[MOST_JOINING]; /* number of it among those of the eight nodes */
    uint64_t created[MOST_JOINING], identity[MOST_JOINING];
} joining;

/* Appends them to their queues. Queues are far apart and independent of each other, so one after the other is
 * faster than eight at a time. */
static inline LANES cn_status join_now(cni_store_worker *w, const nodes_of_lanes *n, joining *j,
                                       cni_store_form form)
{
    for (size_t i = 0; i < j->count; i++) {
        cni_message m = {cni_is_wide(form) ? j->created[i] : 0, j->identity[i], 0};
        cn_status status = LOCAL(push)(&w->pool, n->queue + j->queue[i], &m, 1, form);
        if (CNI_RARELY(status != CN_OK)) {
            w->failed_at = n->first + j->queue[i] % CNI_STORE_LANES;
            return status;
        }
    }
    j->count = 0;
    return CN_OK;
}

/* ---- what differs from form to form ---- */

/* The messages of inlet i. */
static inline LANES lanes receive_lanes(const cni_store_shape *s, const nodes_of_lanes *n,
                                        const uint32_t *from, const uint64_t *in, uint32_t i,
                                        cni_store_form form)
{
    if (!cni_is(form, CNI_STORE_CUBE) || (cni_is_wide(form) && from != NULL)) {
        __m256i at = _mm256_loadu_si256((const __m256i *)(from + i * CNI_STORE_LANES));
        return load_far(in, _mm512_cvtepu32_epi64(at), form);
    }
    const uint32_t width = LOCAL(width)(form);
    const uint64_t *sent = in + i * width * s->stride;
    if (i < 3)
        return load_near(sent + width * n->first, 1u << i, form);
    return load_near(sent + width * (n->first ^ UINT64_C(1) << i), 0, form);
}

/* Whether messages are where they go. */
static inline LANES __mmask8 arrive_lanes(const nodes_of_lanes *n, __m512i to, cni_store_form form)
{
    if (!cni_is(form, CNI_STORE_ROUTED))
        return _mm512_testn_epi64_mask(to, to);
    return _mm512_cmpeq_epi64_mask(to, _mm512_add_epi64(lane_numbers(), all(n->first)));
}

/* The channels that messages at some nodes may take. */
static inline LANES __m512i ports_lanes(const cni_store *k, const cni_store_shape *s, __m512i node,
                                        __mmask8 which, __m512i to, cni_store_form form)
{
    const __m512i none = _mm512_setzero_si512();
    if (cni_is(form, CNI_STORE_CUBE))
        return to;
    if (cni_is(form, CNI_STORE_RINGS))
        return _mm512_mask_i64gather_epi64(none, which, to, k->by_header, 8);
    __m512i place = _mm512_add_epi64(_mm512_mullo_epi64(to, all(s->nodes)), node);
    if (k->allowed->wide != NULL)
        return _mm512_mask_i64gather_epi64(none, which, place, k->allowed->wide, 8);
    const __m256i half = _mm256_setzero_si256();
    if (k->allowed->medium != NULL)
        return _mm512_cvtepu32_epi64(
            _mm512_mask_i64gather_epi32(half, which, place, k->allowed->medium, 4));
    /* two at a time, of which the upper is wanted; place 0 is not, since node 0 is there */
    __m512i before = _mm512_sub_epi64(place, all(1));
    __m256i pairs = _mm512_mask_i64gather_epi32(half, which, before, k->allowed->narrow, 2);
    return _mm512_cvtepu32_epi64(_mm256_srli_epi32(pairs, 16));
}

/* As least_loaded() by the lengths that all see. */
static inline LANES __m512i least_loaded_lanes(const cni_store *k, const cni_store_shape *s,
                                               const nodes_of_lanes *n, __m512i channels)
{
    const uint32_t *seen = k->seen + cni_store_queue(s->ports, n->at, 0);
    __m512i found = _mm512_setzero_si512(), least = all(UINT32_MAX);
    for (uint32_t port = 0; port < s->ports; port++, seen += CNI_STORE_LANES) {
        const __m512i bit = all(UINT64_C(1) << port);
        __m512i length = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)seen));
        __mmask8 may = _mm512_test_epi64_mask(channels, bit);
        __mmask8 less = _mm512_mask_cmplt_epu64_mask(may, length, least);
        found = _mm512_mask_mov_epi64(found, less, _mm512_setzero_si512());
        found = _mm512_mask_or_epi64(found, _mm512_mask_cmple_epu64_mask(may, length, least), found,
                                     bit);
        least = _mm512_mask_mov_epi64(least, less, length);
    }
    return found;
}

static inline LANES lanes cross_lanes(const cni_store *k, const cni_store_shape *s, uint32_t port,
                                      lanes m, __mmask8 has, cni_store_form form)
{
    if (cni_is(form, CNI_STORE_CUBE))
        m.identity = _mm512_xor_si512(m.identity, all(UINT64_C(1) << port));
    if (cni_is(form, CNI_STORE_RINGS)) {
        __m512i header = _mm512_and_si512(m.identity, all(s->to_mask));
        __m512i at = _mm512_add_epi64(_mm512_mullo_epi64(header, all(s->ports)), all(port));
        __m256i far =
            _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), has, at, k->network.far, 4);
        m.identity =
            _mm512_add_epi64(_mm512_sub_epi64(m.identity, header), _mm512_cvtepu32_epi64(far));
    }
    if (!cni_is(form, CNI_STORE_CUBE))
        m.identity = _mm512_add_epi64(m.identity, all(s->hop));
    if (cni_is_wide(form))
        m.created = _mm512_mask_mov_epi64(all(CNI_NO_TIME), has, m.created);
    else
        m.identity = _mm512_mask_mov_epi64(all(CNI_NO_TIME), has, m.identity);
    return m;
}

/* Picks channels for messages that stay at their nodes; words are random ones. */
static inline LANES void join_lanes(const cni_store *k, const cni_store_shape *s,
                                    const nodes_of_lanes *n, joining *j, __mmask8 which, lanes m,
                                    __m512i words, cni_store_form form, int separate)
{
    __m512i queue = lane_numbers();
    if (separate) {
        __m512i to = _mm512_and_si512(m.identity, all(s->to_mask));
        __m512i channels =
            ports_lanes(k, s, _mm512_add_epi64(lane_numbers(), all(n->first)), which, to, form);
        if (CNI_RARELY(k->seen != NULL))
            channels = least_loaded_lanes(k, s, n, channels);
        __m512i port = pick_bit(s, channels, _mm512_srli_epi64(words, 32));
        queue = _mm512_add_epi64(queue, _mm512_slli_epi64(port, 3));
    }
    _mm512_storeu_si512(j->queue + j->count, _mm512_maskz_compress_epi64(which, queue));
    if (cni_is_wide(form))
        _mm512_storeu_si512(j->created + j->count, _mm512_maskz_compress_epi64(which, m.created));
    _mm512_storeu_si512(j->identity + j->count, _mm512_maskz_compress_epi64(which, m.identity));
    j->count += COUNT(which);
}

/* ---- statistics ---- */

static inline LANES void count_nodes(const nodes_of_lanes *n, uint64_t *counts, __m512i more)
{
    counts += n->at;
    __m512i before = _mm512_maskz_loadu_epi64(n->valid, counts);
    _mm512_mask_storeu_epi64(counts, n->valid, _mm512_add_epi64(before, more));
}

/* What crosses the channels of a port, of which `recent` has a byte each. */
static inline LANES void count_loads(const cni_store *k, const cni_store_shape *s,
                                     const nodes_of_lanes *n, uint32_t port, __mmask8 has)
{
    uint8_t *recent = k->recent + cni_store_queue(s->ports, n->at, port);
    uint64_t bytes;
    memcpy(&bytes, recent, sizeof bytes);
    bytes += _pdep_u64(has, UINT64_C(0x0101010101010101));
    memcpy(recent, &bytes, sizeof bytes);
}

/* As look(), when messages of these queues of a port have been sent. */
static inline LANES void look_lanes(const cni_store *k, const cni_store_shape *s,
                                    const nodes_of_lanes *n, uint32_t port, __m512i length,
                                    __mmask8 has)
{
    __m512i left = _mm512_mask_sub_epi64(length, has, length, all(1));
    _mm256_storeu_si256((__m256i *)(k->seen + cni_store_queue(s->ports, n->at, port)),
                        _mm512_cvtepi64_epi32(left));
}

/* Hops of messages that have arrived. */
static inline LANES __m512i hops_of(const cni_store *k, const cni_store_shape *s,
                                    const nodes_of_lanes *n, __m512i identity, cni_store_form form)
{
    if (cni_is(form, CNI_STORE_CUBE)) {
        __m512i node = _mm512_add_epi64(lane_numbers(), all(n->first));
        __m512i source =
            _mm512_and_si512(_mm512_srli_epi64(identity, s->source_shift), all(s->to_mask));
        return _mm512_popcnt_epi64(_mm512_xor_si512(source, node));
    }
    if (s->hop_mask != 0)
        return _mm512_and_si512(_mm512_srli_epi64(identity, s->hop_shift), all(s->hop_mask));
    uint64_t hops[CNI_STORE_LANES];
    _mm512_storeu_si512(hops, identity);
    for (uint32_t lane = 0; lane < CNI_STORE_LANES; lane++)
        hops[lane] = cni_store_hops(k, hops[lane], n->first + lane);
    return _mm512_loadu_si512(hops);
}

/* ---- the parts of a cycle ---- */

/* Fetches what the routing's table says of the messages that come to the next eight nodes: it is larger than the
 * near caches, and its places are in no order. */
static inline LANES void fetch_ahead(const cni_store *k, const cni_store_shape *s, uint64_t node,
                                     uint64_t at, const uint64_t *in, cni_store_form form)
{
    const uint32_t width = LOCAL(width)(form);
    const size_t *first = k->from_first + at / CNI_STORE_LANES;
    const uint32_t *from = cni_store_from(k, at);
    const char *narrow = (const char *)k->allowed->narrow;
    for (size_t i = 0; i < (first[1] - first[0]) * CNI_STORE_LANES; i++) {
        uint64_t to = in[width * (uint64_t)from[i] + width - 1] & s->to_mask;
        CNI_PREFETCH(narrow + 2 * (to * s->nodes + node));
    }
}

/* What the channels bring. */
static inline LANES cn_status receive_all(const cni_store *k, const cni_store_shape *s,
                                          cni_store_worker *w, const nodes_of_lanes *n,
                                          const uint64_t *in, cni_store_form form, int separate,
                                          int counts)
{
    __m512i delivered = _mm512_setzero_si512();
    uint32_t inlets = s->ports;
    const uint32_t *from = NULL;
    if (!cni_is(form, CNI_STORE_CUBE) || (cni_is_wide(form) && k->from != NULL)) {
        const size_t *first = k->from_first + n->at / CNI_STORE_LANES;
        inlets = (uint32_t)(first[1] - first[0]);
        from = cni_store_from(k, n->at);
    }
    if (cni_is(form, CNI_STORE_ROUTED) && k->allowed->narrow != NULL &&
        n->first + CNI_STORE_LANES < w->end_node)
        fetch_ahead(k, s, n->first + CNI_STORE_LANES, n->at + CNI_STORE_LANES, in, form);
    joining j;
    j.count = 0;
    for (uint32_t i = 0; i < inlets; i++) {
        lanes m = receive_lanes(s, n, from, in, i, form);
        __mmask8 there = is_there(m) & n->valid;
        __m512i to = _mm512_and_si512(m.identity, all(s->to_mask));
        __mmask8 gone = there & arrive_lanes(n, to, form);
        if (!cni_is_wide(form))
            m.created =
                _mm512_add_epi64(_mm512_srli_epi64(m.identity, s->created_shift), all(s->epoch));
        _mm512_storeu_si512(w->created + w->arrivals, _mm512_maskz_compress_epi64(gone, m.created));
        if (cni_is_wide(form)) /* in a part, where it may be one of the caller's */
            _mm512_storeu_si512(w->identity + w->arrivals,
                                _mm512_maskz_compress_epi64(gone, m.identity));
        if (counts) {
            delivered = _mm512_mask_add_epi64(delivered, gone, delivered, all(1));
            _mm512_storeu_si512(
                w->made + w->arrivals,
                _mm512_maskz_compress_epi64(gone, hops_of(k, s, n, m.identity, form)));
        }
        w->arrivals += COUNT(gone);
        if (bits_of(there) != bits_of(gone))
            join_lanes(k, s, n, &j, there & (__mmask8)~gone, m, words_of(n->stream, i), form,
                       separate);
    }
    if (counts)
        count_nodes(n, k->counts.delivered, delivered);
    return join_now(w, n, &j, form);
}

/* What new messages say of where they go, by their numbers from 1 on; adds up their distances, or asks for them. */
static inline LANES __m512i aim(const cni_store *k, const cni_store_shape *s, cni_store_worker *w,
                                const nodes_of_lanes *n, __mmask8 which, __m512i steps,
                                uint64_t *travel, cni_store_form form)
{
    if (cni_is(form, CNI_STORE_CUBE)) {
        __m512i hops = _mm512_maskz_popcnt_epi64(which, steps);
        *travel += (uint64_t)_mm512_reduce_add_epi64(hops);
        return steps;
    }
    uint64_t to[CNI_STORE_LANES];
    _mm512_storeu_si512(to, steps);
    for (uint32_t rest = which; rest != 0; rest &= rest - 1) {
        uint32_t lane = cni_lowest_bit(rest);
        uint64_t node = n->first + lane, step = to[lane];
        if (cni_is(form, CNI_STORE_ROUTED))
            to[lane] = cni_network_step(&k->network, node, step);
        if (k->hops_by_header)
            *travel += k->hops[step];
        else if (k->hops == NULL)
            *travel += cni_store_distance(k, node, to[lane]);
        else
            cni_store_ask_distance(k, w, node * s->nodes + to[lane]);
    }
    return _mm512_loadu_si512(to);
}

/* New messages at nodes of which each draws a number from the table of geometric.h. */
static inline LANES cn_status admit_all(const cni_store *k, const cni_store_shape *s,
                                        cni_store_worker *w, const nodes_of_lanes *n,
                                        uint64_t cycle, __m512i draw, cni_store_form form,
                                        int separate, int counts)
{
    const cni_geometric *geometric = &k->slotted.geometric;
    __mmask8 active = n->valid;
    uint64_t count = 0, travel = 0;
    joining new;
    new.count = 0;
    __m512i source = _mm512_add_epi64(lane_numbers(), all(n->first));
    __m512i accepted = _mm512_setzero_si512();
    for (uint32_t j = 0; j < geometric->thresholds; j++) {
        active = _mm512_mask_cmplt_epu64_mask(active, draw, all(geometric->threshold[j]));
        if (active == 0)
            break;
        __m512i step = _mm512_srli_epi64(words_of(n->stream, CNI_WORDS_HEADERS + j), 24);
        step = _mm512_srli_epi64(_mm512_mullo_epi64(step, all(s->nodes - 1)), 40);
        __m512i to = aim(k, s, w, n, active, _mm512_add_epi64(step, all(1)), &travel, form);
        __m512i identity = _mm512_add_epi64(to, all((uint64_t)j << s->number_shift));
        identity = _mm512_add_epi64(identity, _mm512_sllv_epi64(source, all(s->source_shift)));
        if (!cni_is_wide(form))
            identity = _mm512_add_epi64(identity, all((cycle - s->epoch) << s->created_shift));
        lanes m = {all(cycle), identity};
        count += COUNT(active);
        accepted = _mm512_mask_add_epi64(accepted, active, accepted, all(1));
        join_lanes(k, s, n, &new, active, m, words_of(n->stream, CNI_WORDS_NEW + j), form,
                   separate);
        if (CNI_RARELY(new.count > MOST_JOINING - 2 * CNI_STORE_LANES))
            CNI_TRY(join_now(w, n, &new, form));
    }
    cni_store_count_new(w, count, travel, 0);
    if (counts)
        count_nodes(n, k->counts.accepted, accepted);
    return join_now(w, n, &new, form);
}

static inline LANES cn_status admit_lanes(const cni_store *k, const cni_store_shape *s,
                                          cni_store_worker *w, const nodes_of_lanes *n,
                                          const cni_store_moment *now, cni_store_form form,
                                          int separate, int counts)
{
    const cni_geometric *geometric = &k->slotted.geometric;
    __m512i draw = words_of(n->stream, CNI_WORDS_OFFERED);
    uint32_t most = geometric->thresholds;
    int is_plain = k->slotted.traffic == NULL && k->network.rank_of == NULL && s->numbers > most;
    if (is_plain && most == CNI_GEOMETRIC_THRESHOLDS) /* more than the table tells */
        is_plain = _mm512_cmplt_epu64_mask(draw, all(geometric->threshold[most - 1])) == 0;
    if (is_plain)
        return admit_all(k, s, w, n, now->cycle, draw, form, separate, counts);
    for (uint64_t node = n->first; node < n->first + COUNT(n->valid); node++) {
        uint64_t before = w->counters[CNI_COUNT_ACCEPTED];
        cn_status status = LOCAL(admit)(k, s, w, node, cni_random_derive(now->seed, node),
                                        now->cycle, form, separate);
        if (status != CN_OK) {
            w->failed_at = node;
            return status;
        }
        if (counts)
            k->counts.accepted[n->at + (node - n->first)] +=
                w->counters[CNI_COUNT_ACCEPTED] - before;
    }
    return CN_OK;
}

static inline LANES void send_each(const cni_store *k, const cni_store_shape *s,
                                   cni_store_worker *w, const nodes_of_lanes *n, uint64_t *out,
                                   cni_store_form form, int counts)
{
    cni_queue *queues = n->queue;
    __m512i waiting = _mm512_setzero_si512();
    uint64_t hops = 0;
    out += LOCAL(width)(form) * n->at;
    for (uint32_t port = 0; port < s->ports; port++) {
        __m512i queue = _mm512_loadu_si512(queues), length = queue_length(queue);
        __mmask8 has = _mm512_test_epi64_mask(length, length);
        if (CNI_RARELY(k->seen != NULL))
            look_lanes(k, s, n, port, length, has);
        /* elsewhere a wrong guess costs more than it saves */
        if (cni_is(form, CNI_STORE_CUBE) && bits_of(has) == 0) {
            save_near(out, (lanes){all(CNI_NO_TIME), all(CNI_NO_TIME)}, form);
            out += LOCAL(width)(form) * s->stride;
            queues += CNI_STORE_LANES;
            continue;
        }
        __m512i head = queue_place(queue, _mm512_sub_epi64(queue, length));
        lanes m = cross_lanes(k, s, port, load_far(w->pool.words, head, form), has, form);
        __m512i rest = _mm512_mask_sub_epi64(queue, has, queue, all(UINT64_C(1) << 32));
        save_near(out, m, form);
        _mm512_storeu_si512(queues, rest);
        /* empty, but not at home */
        uint32_t away = bits_of(
            _mm512_mask_cmpneq_epi64_mask(has & _mm512_cmpeq_epi64_mask(length, all(1)),
                                          queue_room(rest), all(UINT64_C(1) << CNI_STORE_HOME)));
        for (; CNI_RARELY(away != 0); away &= away - 1) {
            cni_queue *empty = queues + cni_lowest_bit(away);
            cni_pool_go_home(&w->pool, empty, (uint32_t)(empty - w->queue));
        }
        hops += COUNT(has);
        waiting = _mm512_add_epi64(waiting, length);
        if (counts)
            count_loads(k, s, n, port, has);
        out += LOCAL(width)(form) * s->stride;
        queues += CNI_STORE_LANES;
    }
    if (counts)
        count_nodes(n, k->counts.queue, waiting);
    w->counters[CNI_COUNT_HOPS] += hops;
}

#include "simulation/store_forward/store_forward_claims.inc.h"

static inline LANES cn_status visit_lanes(const cni_store *k, const cni_store_shape *s,
                                          cni_store_worker *w, const cni_store_moment *now,
                                          uint64_t node, cni_store_form form, int separate,
                                          int counts)
{
    if (cni_is(form, CNI_STORE_CLASSED))
        return LOCAL(visit_each)(k, s, w, now, node, form, separate, counts);
    uint64_t left = w->end_node - node, at = LOCAL(at)(s, node, form);
    const nodes_of_lanes n = {
        .first = node,
        .at = at,
        .valid = first_lanes(left),
        .stream = streams_of(now->seed, node),
        .queue = k->queue + cni_store_queue(separate ? s->ports : 1, at, 0),
    };
    cn_status status = CN_OK;
    if (now->in != NULL)
        status = receive_all(k, s, w, &n, now->in, form, separate, counts);
    if (now->admits && status == CN_OK)
        status = admit_lanes(k, s, w, &n, now, form, separate, counts);
    if (CNI_RARELY(status != CN_OK))
        return status;
    if (now->out != NULL && separate)
        send_each(k, s, w, &n, now->out, form, counts);
    else if (now->out != NULL)
        send_best(k, s, w, &n, now->out, form, counts);
    return CN_OK;
}

#define VISIT visit_lanes
#define WALKS cni_store_walks_avx512
#include "simulation/store_forward/store_forward_pass.inc.h"
#endif

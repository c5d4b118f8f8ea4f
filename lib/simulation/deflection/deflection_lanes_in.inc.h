/*
 * Messages that come to eight nodes at a time, over their channels and as new messages. Included by
 * deflection_lanes.inc.h.
 */
/* ---- messages that come in ---- */

/* The places of the messages for a block. outer: a bit for each port over which messages come
 * from other parts. The exchange has put these messages where the block sends. */
typedef struct lane_inlets {
    uint64_t *word; /* the words of the bank */
    int bank;
    uint64_t outer;
    const cni_deflection_coming *coming;
} lane_inlets;

/* The messages that come over a port of a Boolean cube to eight nodes, after the channel.
 * *there: the lanes with a message. */
static inline LANES __m512i take_from_boolean(const cni_deflection_shape *s, uint64_t node,
                                              uint32_t p, const lane_inlets *in, __mmask8 *there)
{
    const __m512i none = all(CNI_NO_MESSAGE);
    uint64_t side = UINT64_C(1) << p, here = p * s->stride + (node - s->first);
    uint64_t *row =
        in->word +
        (CNI_RARELY((in->outer & side) != 0) ? here : lanes_across(s, node, p, in->bank));
    __m512i order = _mm512_xor_si512(lane_numbers(), all(side % LANE_NODES));
    __m512i m = _mm512_permutexvar_epi64(order, _mm512_loadu_si512(row));
    _mm512_storeu_si512(row, none);
    *there = _mm512_cmpneq_epi64_mask(m, none);
    return _mm512_xor_si512(m, all(side));
}

/* The address of a place from which a masked vector begins. The place itself may lie outside the
 * bank; only the words of the mask lie in it. So the address is computed as an integer. */
static inline LANES uint64_t *word_at(uint64_t *word, uint64_t place)
{
    return (uint64_t *)((uintptr_t)word + place * sizeof *word);
}

/* The same on rings, where some messages come straight and some round the end of a ring. */
static inline LANES __m512i take_from_kary(const cni_deflection_shape *s, uint64_t node, uint32_t p,
                                           const lane_inlets *in, __mmask8 *there)
{
    const __m512i none = all(CNI_NO_MESSAGE);
    uint64_t step = in->coming->step[p], at = node % CNI_BLOCK;
    uint64_t *row = word_at(in->word, p * s->stride + (node - s->first) + step);
    uint64_t *end = word_at(row, 0 - step * s->radix);
    __mmask8 straight = (__mmask8)(in->coming->straight[p] >> at);
    __mmask8 round = (__mmask8)(in->coming->round[p] >> at);
    __m512i m = _mm512_mask_loadu_epi64(none, straight, row);
    m = _mm512_mask_loadu_epi64(m, round, end);
    _mm512_mask_storeu_epi64(row, straight, none);
    _mm512_mask_storeu_epi64(end, round, none);
    *there = straight | round;
    int up = p >= s->dimensions;
    uint32_t shift = (up ? p - s->dimensions : p) * s->digit_bits;
    uint64_t one = UINT64_C(1) << shift, top = (s->radix - 1) << shift;
    __m512i digit = _mm512_and_si512(m, all(((UINT64_C(1) << s->digit_bits) - 1) << shift));
    __mmask8 wraps = _mm512_cmpeq_epi64_mask(digit, all(up ? top : 0));
    __m512i change = _mm512_mask_mov_epi64(all(up ? one : 0 - one), wraps, all(up ? 0 - top : top));
    return _mm512_add_epi64(m, change);
}

/* Receives over `count` ports from `port` on to eight nodes. Delivered messages are collected.
 * Returns the new lengths. */
static inline LANES __m512i take_ports(cni_deflection_form form, const cni_deflection_shape *s,
                                       cni_deflection_worker *w, uint64_t node, uint32_t port,
                                       int count, const lane_inlets *in, const lane_queues *q,
                                       __m512i length)
{
    const __m512i none = all(CNI_NO_MESSAGE), mask = all(s->header_mask);
    const __m512i nodes = _mm512_add_epi64(lane_numbers(), all(node));
    __m512i slot[LANE_NODES];
    uint64_t *arrival = w->arrival + w->arrivals;
    LANES_UNROLLED
    for (int i = 0; i < count; i++) {
        uint32_t p = port + (uint32_t)i;
        slot[i] = none;
        if (p >= s->ports)
            continue;
        __mmask8 there;
        __m512i m = form == CNI_FORM_BOOLEAN ? take_from_boolean(s, node, p, in, &there)
                                             : take_from_kary(s, node, p, in, &there);
        __mmask8 stays = _mm512_mask_test_epi64_mask(there, m, mask);
        __mmask8 arrived = (__mmask8)(there ^ stays);
        _mm512_storeu_si512(arrival,
                            _mm512_maskz_compress_epi64(arrived, _mm512_or_si512(m, nodes)));
        arrival += __builtin_popcount(bits_of(arrived));
        slot[i] = _mm512_mask_mov_epi64(none, stays, m);
    }
    w->arrivals = (size_t)(arrival - w->arrival);
    return append_slots(q, length, count, slot);
}

/* The ports, a bit each, over which messages come to a block from other parts. A part has full
 * blocks, so all 64 nodes of the block count. */
static inline TARGET uint64_t outer_ports(const cni_deflection *k, const cni_deflection_shape *s,
                                          uint64_t block)
{
    uint64_t ports = 0;
    for (uint32_t p = 0; CNI_RARELY(k->outer != NULL) && p < s->ports; p++)
        ports |= (uint64_t)(k->outer[p * s->blocks + block] != 0) << p;
    return ports;
}

/* Receives all messages for the nodes of a full block from a bank. Returns the nodes that hold
 * messages. */
static inline LANES uint64_t receive_block(cni_deflection_form form, const cni_deflection *k,
                                           const cni_deflection_shape *s, cni_deflection_worker *w,
                                           uint64_t cycle, uint64_t block,
                                           const cni_deflection_coming *coming, int bank)
{
    uint64_t base = block * CNI_BLOCK, holds = 0, here = block - s->first / CNI_BLOCK;
    const lane_inlets inlets = {k->channel[bank], bank, outer_ports(k, s, here), coming};
    for (uint32_t p = 0; CNI_RARELY(k->came != NULL) && p < s->ports; p++)
        cni_deflection_count_coming(k, p, here,
                                    coming->straight[p] | coming->round[p] |
                                        ((inlets.outer >> p & 1) != 0 ? coming->outer[p] : 0));
    for (uint64_t j = 0; j < CNI_BLOCK; j += LANE_NODES) {
        uint64_t node = base + j, at = node - s->first;
        const lane_queues q = {k->queue + at * s->slots, s->slots};
        __m512i length = load_lengths(k->length + at);
        uint32_t p = 0;
        for (; p + 4 < s->ports; p += 8)
            length = take_ports(form, s, w, node, p, 8, &inlets, &q, length);
        if (p < s->ports)
            length = take_ports(form, s, w, node, p, 4, &inlets, &q, length);
        if (w->arrivals >= CNI_ARRIVAL_ROOM)
            cni_deflection_count_arrivals(k, w, cycle);
        holds |= (uint64_t)bits_of(_mm512_test_epi64_mask(length, length)) << j;
        save_lengths(k->length + at, length);
    }
    return holds;
}

/* receive_block() with a constant form. */
TARGET CNI_APART uint64_t receive_lanes(cni_deflection_form form, const cni_deflection *k,
                                        const cni_deflection_shape *s, cni_deflection_worker *w,
                                        uint64_t cycle, uint64_t block,
                                        const cni_deflection_coming *coming, int bank)
{
    if (form == CNI_FORM_BOOLEAN)
        return receive_block(CNI_FORM_BOOLEAN, k, s, w, cycle, block, coming, bank);
    return receive_block(CNI_FORM_KARY, k, s, w, cycle, block, coming, bank);
}

/* ---- new messages ---- */

/* The number of messages that each of eight nodes offers, as cni_geometric_offered(). The first
 * random word decides nearly always. */
static inline LANES __m512i find_offered(const cni_geometric *traffic, __m512i stream)
{
    __m512i draw = words_of(stream, CNI_WORDS_OFFERED), offered = _mm512_setzero_si512();
    __mmask8 active = UINT8_MAX;
    for (uint32_t j = 0; j < traffic->thresholds && active != 0; j++) {
        active = _mm512_mask_cmplt_epu64_mask(active, draw, all(traffic->threshold[j]));
        offered = _mm512_mask_add_epi64(offered, active, offered, all(1));
    }
    uint32_t open = bits_of(_mm512_cmpge_epu64_mask(offered, all(CNI_GEOMETRIC_THRESHOLDS)));
    if (CNI_RARELY(open != 0)) {
        uint64_t streams[LANE_NODES], number[LANE_NODES];
        _mm512_storeu_si512(streams, stream);
        _mm512_storeu_si512(number, offered);
        for (int l = 0; l < LANE_NODES; l++)
            if ((open >> l & 1) != 0)
                number[l] = cni_geometric_offered(traffic, streams[l]);
        offered = _mm512_loadu_si512(number);
    }
    return offered;
}

/* The messages that eight nodes offer and accept, and their distances; summed over a block. */
typedef struct lane_news {
    __m512i offered, accepted, distance;
} lane_news;

/* Writes the new messages of eight nodes. The nodes have room for `accepted` messages. */
static inline LANES void make_messages(cni_deflection_form form, const cni_deflection *k,
                                       const cni_deflection_shape *s, const lane_queues *q,
                                       __m512i stamp, __m512i stream, __m512i length,
                                       __m512i accepted, lane_news *news)
{
    uint64_t most = (uint64_t)_mm512_reduce_max_epi64(accepted);
    for (uint64_t m = 0; m < most; m += 4) {
        __m512i slot[4];
        LANES_UNROLLED
        for (uint64_t i = 0; i < 4; i++) {
            /* as cni_uniform_header() */
            __m512i word = _mm512_srli_epi64(words_of(stream, CNI_WORDS_HEADERS + m + i), 24);
            __m512i rest = _mm512_srli_epi64(_mm512_mullo_epi64(word, all(s->nodes - 1)), 40);
            __m512i header = _mm512_add_epi64(rest, all(1));
            __mmask8 there = _mm512_cmpgt_epu64_mask(accepted, all(m + i));
            __m512i hops = _mm512_popcnt_epi64(header);
            if (form == CNI_FORM_KARY) { /* as cni_deflection_fresh() */
                header = _mm512_i64gather_epi64(header, k->fresh, 8);
                hops = _mm512_srli_epi64(header, 32);
                header = _mm512_and_si512(header, all(UINT32_MAX));
            }
            news->distance = _mm512_mask_add_epi64(news->distance, there, news->distance, hops);
            if (CNI_RARELY(s->hop_mask != 0)) {
                hops = _mm512_min_epu64(hops, all(s->hop_mask));
                header = _mm512_or_si512(header, _mm512_sllv_epi64(hops, all(s->hop_shift)));
            }
            header = _mm512_or_si512(header, all((m + i) << s->number_shift));
            slot[i] = _mm512_or_si512(header, stamp);
        }
        append_packed(q, _mm512_add_epi64(length, _mm512_min_epu64(accepted, all(m))), slot);
    }
}

/* Admits the new messages of the nodes of a full block as far as there is room, as
 * cni_deflection_admit_plain(). Returns the nodes that then hold messages. */
static inline LANES uint64_t admit_new(cni_deflection_form form, const cni_deflection *k,
                                       const cni_deflection_shape *s, cni_deflection_tally *tally,
                                       uint64_t block, uint64_t created, const uint64_t stream[])
{
    uint64_t base = block * CNI_BLOCK, holds = 0;
    lane_news news = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
    for (uint64_t j = 0; j < CNI_BLOCK; j += LANE_NODES) {
        uint64_t node = base + j, at = node - s->first;
        const lane_queues q = {k->queue + at * s->slots, s->slots};
        __m512i streams = _mm512_loadu_si512(stream + j), length = load_lengths(k->length + at);
        __m512i offered = find_offered(&k->base.slotted.geometric, streams);
        __m512i accepted = _mm512_min_epu64(offered, _mm512_sub_epi64(all(s->buffers), length));
        __m512i sources =
            _mm512_sllv_epi64(_mm512_add_epi64(lane_numbers(), all(node)), all(s->source_shift));
        __m512i stamp = _mm512_or_si512(sources, all(created << s->created_shift));
        make_messages(form, k, s, &q, stamp, streams, length, accepted, &news);
        news.offered = _mm512_add_epi64(news.offered, offered);
        news.accepted = _mm512_add_epi64(news.accepted, accepted);
        if (CNI_RARELY(k->came != NULL)) {
            uint64_t of[LANE_NODES], in[LANE_NODES];
            _mm512_storeu_si512(of, offered);
            _mm512_storeu_si512(in, accepted);
            for (uint64_t l = 0; l < LANE_NODES; l++)
                cni_deflection_count_new(k, node + l, of[l], in[l]);
        }
        length = _mm512_add_epi64(length, accepted);
        holds |= (uint64_t)bits_of(_mm512_test_epi64_mask(length, length)) << j;
        save_lengths(k->length + at, length);
    }
    tally->offered += (uint64_t)_mm512_reduce_add_epi64(news.offered);
    tally->accepted += (uint64_t)_mm512_reduce_add_epi64(news.accepted);
    tally->distance += (uint64_t)_mm512_reduce_add_epi64(news.distance);
    return holds;
}

TARGET CNI_APART uint64_t admit_lanes(cni_deflection_form form, const cni_deflection *k,
                                      const cni_deflection_shape *s, cni_deflection_tally *tally,
                                      uint64_t block, uint64_t created, const uint64_t stream[])
{
    if (form == CNI_FORM_BOOLEAN)
        return admit_new(CNI_FORM_BOOLEAN, k, s, tally, block, created, stream);
    return admit_new(CNI_FORM_KARY, k, s, tally, block, created, stream);
}

/*
 * The cycle of deflection routing on Boolean cubes for eight nodes at a time, with the same bits.
 * Included by deflection_cycle.c, for processors with AVX-512. Lane l is node number l of eight
 * consecutive nodes.
 *
 * The queues have messages node by node; the rows of channels have them port by port, eight nodes
 * in a line. Queues are compressed node by node, and claims are compared lane by lane; between the
 * two a matrix of words is transposed in registers. The matrix has 4 or 8 messages of each node.
 */
#define TARGET \
    __attribute__((target("bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")))
#define LANES TARGET __attribute__((always_inline))
#define LANES_UNROLLED _Pragma("GCC unroll 8")

enum { LANE_NODES = 8 };

/* Eight nodes at a time pay from LANES_QUEUED messages a port in the queues of a block on, and from
 * LANES_COMING messages a port that come to a block on. With fewer messages most lanes are empty,
 * and the code for one node does the same work. Fewer than LANES_FETCH blocks fit into the caches
 * and need no fetching. */
enum { LANES_QUEUED = 24, LANES_COMING = 16, LANES_FETCH = 32 };

/* Transposes two matrices of 4 x 4 words that lie side by side in four rows: word j of row i
 * becomes word i of row j. */
static inline LANES void transpose_four(__m512i row[4])
{
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    __m512i a = _mm512_unpacklo_epi64(row[0], row[1]), b = _mm512_unpackhi_epi64(row[0], row[1]);
    __m512i c = _mm512_unpacklo_epi64(row[2], row[3]), d = _mm512_unpackhi_epi64(row[2], row[3]);
    row[0] = _mm512_permutex2var_epi64(a, low, c);
    row[1] = _mm512_permutex2var_epi64(b, low, d);
    row[2] = _mm512_permutex2var_epi64(a, high, c);
    row[3] = _mm512_permutex2var_epi64(b, high, d);
}

/* Transposes a matrix of 8 x 8 words. */
static inline LANES void transpose_eight(__m512i row[8])
{
    transpose_four(row);
    transpose_four(row + 4);
    for (int j = 0; j < 4; j++) {
        __m512i upper = row[j], lower = row[j + 4];
        row[j] = _mm512_shuffle_i64x2(upper, lower, 0x44);
        row[j + 4] = _mm512_shuffle_i64x2(upper, lower, 0xee);
    }
}

/* The queues of eight nodes. */
typedef struct lane_queues {
    uint64_t *first;
    uint64_t slots;
} lane_queues;

/* Loads slots at .. at + count - 1 of the queues, a vector for each slot. */
static inline LANES void load_slots(const lane_queues *q, uint64_t at, int count, __m512i slot[])
{
    LANES_UNROLLED
    for (int i = 0; i < count; i++) {
        const uint64_t *queue = q->first + (uint64_t)i * q->slots + at;
        if (count == LANE_NODES)
            slot[i] = _mm512_loadu_si512(queue);
        else
            slot[i] = _mm512_inserti64x4(
                _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)queue)),
                _mm256_loadu_si256((const __m256i *)(queue + 4 * q->slots)), 1);
    }
    if (count == LANE_NODES)
        transpose_eight(slot);
    else
        transpose_four(slot);
}

/* Appends the messages of `count` vectors, in their order, to queues of these lengths, and
 * returns the new lengths. Words written behind the new ends do not count. */
static inline LANES __m512i append_slots(const lane_queues *q, __m512i length, int count,
                                         __m512i slot[])
{
    const __m512i none = all(CNI_NO_MESSAGE);
    uint64_t at[LANE_NODES];
    _mm512_storeu_si512(at, length);
    LANES_UNROLLED
    for (int i = 0; i < count; i++)
        length =
            _mm512_mask_add_epi64(length, _mm512_cmpneq_epi64_mask(slot[i], none), length, all(1));
    if (count == LANE_NODES)
        transpose_eight(slot);
    else
        transpose_four(slot);
    LANES_UNROLLED
    for (int i = 0; i < count; i++) {
        uint64_t *queue = q->first + (uint64_t)i * q->slots;
        __mmask8 there = _mm512_cmpneq_epi64_mask(slot[i], none);
        if (count == LANE_NODES) {
            _mm512_storeu_si512(queue + at[i], _mm512_maskz_compress_epi64(there, slot[i]));
            continue;
        }
        __m256i lower = _mm512_castsi512_si256(slot[i]);
        __m256i upper = _mm512_extracti64x4_epi64(slot[i], 1);
        _mm256_storeu_si256((__m256i *)(queue + at[i]),
                            _mm256_maskz_compress_epi64((__mmask8)(there & 15), lower));
        _mm256_storeu_si256((__m256i *)(queue + 4 * q->slots + at[i + 4]),
                            _mm256_maskz_compress_epi64((__mmask8)(there >> 4), upper));
    }
    return length;
}

static inline LANES __m512i load_lengths(const uint32_t *from)
{
    return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)from));
}

static inline LANES void save_lengths(uint32_t *to, __m512i length)
{
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi64_epi32(length));
}

/* Fetches into the second cache, because the first cache has no room for two blocks of a large
 * network. */
static inline LANES void fetch_ahead(const uint64_t *words)
{
    _mm_prefetch((const char *)words, _MM_HINT_T1);
}

/* The place in a bank of the messages that come to eight nodes over a port. take_port() puts the
 * eight messages into the order of the nodes. */
static inline LANES uint64_t lanes_across(const cni_deflection_shape *s, uint64_t node,
                                          uint32_t port, int bank)
{
    uint64_t side = UINT64_C(1) << port & ~UINT64_C(7);
    if (cni_deflection_is_turned(bank))
        side &= CNI_BLOCK - 1;
    return port * s->stride + ((node ^ side) - s->first);
}

/* ---- messages that come in ---- */

/* The places of the messages for a block. outer: a bit for each port over which messages come
 * from other parts. The exchange has put these messages where the block sends. */
typedef struct lane_inlets {
    uint64_t *word; /* the words of the bank */
    int bank;
    uint64_t outer;
} lane_inlets;

/* The messages that come over a port to eight nodes, after the channel.
 * *there: the lanes with a message. */
static inline LANES __m512i take_port(const cni_deflection_shape *s, uint64_t node, uint32_t p,
                                      const lane_inlets *in, __mmask8 *there)
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

/* Receives over `count` ports from `port` on to eight nodes. Delivered messages are collected.
 * Returns the new lengths. */
static inline LANES __m512i take_ports(const cni_deflection_shape *s, cni_deflection_worker *w,
                                       uint64_t node, uint32_t port, int count,
                                       const lane_inlets *in, const lane_queues *q, __m512i length)
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
        __m512i m = take_port(s, node, p, in, &there);
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
TARGET CNI_APART uint64_t receive_lanes(const cni_deflection *k, const cni_deflection_shape *s,
                                        cni_deflection_worker *w, uint64_t cycle, uint64_t block,
                                        const cni_deflection_coming *coming, int bank)
{
    uint64_t base = block * CNI_BLOCK, holds = 0, here = block - s->first / CNI_BLOCK;
    const lane_inlets inlets = {k->channel[bank], bank, outer_ports(k, s, here)};
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
            length = take_ports(s, w, node, p, 8, &inlets, &q, length);
        if (p < s->ports)
            length = take_ports(s, w, node, p, 4, &inlets, &q, length);
        if (w->arrivals >= CNI_ARRIVAL_ROOM)
            cni_deflection_count_arrivals(k, w, cycle);
        holds |= (uint64_t)bits_of(_mm512_test_epi64_mask(length, length)) << j;
        save_lengths(k->length + at, length);
    }
    return holds;
}

/* The next block, whose memory is fetched ahead; queue = NULL: nothing is fetched. */
typedef struct lane_next {
    const uint64_t *queue, *word;
    int bank; /* the bank from which the block receives; it sends into the same places */
} lane_next;

/* Fetches for the same eight nodes of the next block, in a step for each port: a line of the
 * port's row, and in the first 16 steps two lines of a queue. Two steps fetch four lines of a
 * queue, which is mostly as much as is in use. Fetching everything at once would wait for the
 * memory. */
static inline LANES void fetch_step(const cni_deflection_shape *s, const lane_next *next,
                                    uint64_t node, uint32_t step)
{
    uint64_t then = node + CNI_BLOCK;
    const uint64_t *queue = next->queue + (then + step / 2) * s->slots + step % 2 * LANE_NODES;
    fetch_ahead(next->word + lanes_across(s, s->first + then, step, next->bank));
    if (step < 2 * LANE_NODES) {
        fetch_ahead(queue);
        fetch_ahead(queue + 2 * LANE_NODES);
    }
}

/* ---- both phases of a node ---- */

/* The port, below `ports`, that a message picks from the channels of its header with the lower
 * half of a random word. */
static inline LANES __m512i pick_port(__m512i header, __m512i bits, uint32_t ports)
{
    const __m512i low_byte = _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0);
    __m512i rank = _mm512_srli_epi64(_mm512_mul_epu32(bits, _mm512_popcnt_epi64(header)), 32);
    __m512i place = _mm512_setzero_si512();
    for (uint32_t half = 16; half >= 8; half /= 2) { /* until 8 ports are left */
        if (ports <= half)
            continue;
        __m512i below =
            _mm512_popcnt_epi64(_mm512_and_si512(header, all((UINT64_C(1) << half) - 1)));
        __mmask8 above = _mm512_cmpge_epu64_mask(rank, below);
        place = _mm512_mask_add_epi64(place, above, place, all(half));
        rank = _mm512_mask_sub_epi64(rank, above, rank, below);
        header = _mm512_mask_srli_epi64(header, above, header, half);
    }
    /* Each of the 8 ports left gets a byte, with the number of channels up to this port. The
     * picked port is the number of bytes that are at most `rank`. */
    __m512i bytes = _mm512_shuffle_epi8(header, low_byte);
    bytes = _mm512_and_si512(bytes, all(UINT64_C(0x8040201008040201)));
    bytes = _mm512_mullo_epi64(_mm512_min_epu8(bytes, all(UINT64_C(0x0101010101010101))),
                               all(UINT64_C(0x0101010101010101)));
    __mmask64 before = _mm512_cmple_epu8_mask(bytes, _mm512_shuffle_epi8(rank, low_byte));
    __m512i count = _mm512_srli_epi64(_mm512_popcnt_epi64(_mm512_movm_epi8(before)), 3);
    return ports <= 8 ? count : _mm512_add_epi64(place, count);
}

/* Phase 1 of the messages in `count` slots of eight nodes, from slot `at` on. Afterwards the
 * slots have the messages that stay. Nodes are numbered from the start of the part. most_ports: a
 * constant, 8, 16 or 24, that is at least the number of ports. */
static inline LANES void claim_slots(const cni_deflection_shape *s, cni_deflection_sending *sending,
                                     const lane_next *next, uint64_t node, __m512i stream,
                                     uint64_t at, int count, uint32_t most_ports, __m512i lengths,
                                     __m512i slot[])
{
    const __m512i none = all(CNI_NO_MESSAGE), headers = all(s->header_mask);
    __m512i port[LANE_NODES];
    LANES_UNROLLED
    for (int i = 0; i < count; i++) {
        __mmask8 there = _mm512_cmpgt_epu64_mask(lengths, all(at + (uint64_t)i));
        slot[i] = _mm512_mask_mov_epi64(none, there, slot[i]);
    }
    LANES_UNROLLED
    for (int i = 0; i < count; i += 2) {
        __m512i word = words_of(stream, (at + (uint64_t)i) / 2),
                upper = _mm512_srli_epi64(word, 32);
        port[i] = pick_port(_mm512_and_si512(slot[i], headers), upper, most_ports);
        port[i + 1] = pick_port(_mm512_and_si512(slot[i + 1], headers), word, most_ports);
    }
    for (uint32_t p = 0; p < s->ports; p++) {
        uint64_t *row = sending->row[p] + node % CNI_BLOCK;
        __m512i oldest = at == 0 ? none : _mm512_loadu_si512(row);
        if (at == 0 && next->queue != NULL)
            fetch_step(s, next, node, p);
        LANES_UNROLLED
        for (int i = 0; i < count; i++) {
            __mmask8 claims = _mm512_cmpeq_epi64_mask(port[i], all(p));
            __m512i other = oldest;
            oldest = _mm512_mask_min_epu64(oldest, claims, oldest, slot[i]);
            slot[i] = _mm512_mask_max_epu64(slot[i], claims, slot[i], other);
        }
        _mm512_storeu_si512(row, oldest);
        /* byte j has a bit for each of the nodes 8 j to 8 j + 7 that sends */
        uint8_t *sent = (uint8_t *)&sending->sent[p];
        sent[node % CNI_BLOCK / LANE_NODES] = _mm512_cmpneq_epi64_mask(oldest, none);
    }
}

/* Phase 1 of eight nodes. Returns how many messages stay at each. */
static inline LANES __m512i claim_lanes(const cni_deflection_shape *s,
                                        cni_deflection_sending *sending, const lane_next *next,
                                        const lane_queues *q, uint64_t node, __m512i stream,
                                        __m512i lengths, uint32_t most_ports)
{
    __m512i slot[LANE_NODES], kept = _mm512_setzero_si512();
    uint64_t longest = (uint64_t)_mm512_reduce_max_epi64(lengths), at = 0;
    for (; at + 4 < longest; at += 8) {
        load_slots(q, at, 8, slot);
        claim_slots(s, sending, next, node, stream, at, 8, most_ports, lengths, slot);
        kept = append_slots(q, kept, 8, slot);
    }
    if (at < longest || at == 0) {
        load_slots(q, at, 4, slot);
        claim_slots(s, sending, next, node, stream, at, 4, most_ports, lengths, slot);
        kept = append_slots(q, kept, 4, slot);
    }
    return kept;
}

/* Sends the messages of the nodes of a full block over the channels of a bank. Returns the nodes
 * that still hold messages. */
static inline LANES uint64_t send_full(const cni_deflection *k, const cni_deflection_shape *s,
                                       cni_deflection_worker *w, cni_deflection_tally *tally,
                                       uint64_t block, const uint64_t stream[], int out,
                                       cni_deflection_sending *sending, uint32_t most_ports)
{
    uint64_t still = 0, base = block * CNI_BLOCK, stay = s->buffers - s->ports;
    int fetches = s->blocks >= LANES_FETCH && block + 1 < s->blocks;
    const lane_next next = {fetches ? k->queue : NULL, k->channel[out], 1 - out};
    __m512i queued = _mm512_setzero_si512(), left = queued;
    for (uint64_t j = 0; j < CNI_BLOCK; j += LANE_NODES) {
        uint64_t node = base + j;
        const lane_queues q = {k->queue + node * s->slots, s->slots};
        __m512i lengths = load_lengths(k->length + node), streams = _mm512_loadu_si512(stream + j);
        __m512i kept = claim_lanes(s, sending, &next, &q, node, streams, lengths, most_ports);
        queued = _mm512_add_epi64(queued, lengths);
        left = _mm512_add_epi64(left, kept);
        save_lengths(k->length + node, kept);
        still |= (uint64_t)bits_of(_mm512_test_epi64_mask(kept, kept)) << j;
        uint32_t full = bits_of(_mm512_cmpgt_epu64_mask(kept, all(stay)));
        for (; CNI_RARELY(full != 0); full &= full - 1) {
            uint64_t l = cni_lowest_bit(full);
            k->length[node + l] = (uint32_t)force_out(k, w, node + l, stream[j + l],
                                                      k->length[node + l], stay, sending);
            still &= ~((uint64_t)(stay == 0) << (j + l));
        }
    }
    uint64_t all_queued = (uint64_t)_mm512_reduce_add_epi64(queued);
    tally->queue += all_queued;
    tally->first_phase += all_queued - (uint64_t)_mm512_reduce_add_epi64(left);
    return still;
}

TARGET CNI_APART uint64_t send_lanes(const cni_deflection *k, const cni_deflection_shape *s,
                                     cni_deflection_worker *w, cni_deflection_tally *tally,
                                     uint64_t block, const uint64_t stream[], int out,
                                     cni_deflection_sending *sending)
{
    if (s->ports <= 8)
        return send_full(k, s, w, tally, block, stream, out, sending, 8);
    if (s->ports <= 16)
        return send_full(k, s, w, tally, block, stream, out, sending, 16);
    return send_full(k, s, w, tally, block, stream, out, sending, 24);
}

#undef LANES
#undef LANES_UNROLLED
#undef TARGET

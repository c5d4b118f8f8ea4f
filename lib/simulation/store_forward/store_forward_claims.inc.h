/*
 * Shared buffers with messages of one word: phase 1 for eight nodes at a time. Included by
 * store_forward_cycle_avx512.c.
 */
/* The channels that eight messages of one node pick, from message number i on. i is even,
 * because two messages share a random word. */
static inline LANES __m512i pick_shared(const nodes_of_lanes *n, const uint64_t *messages,
                                        uint64_t node, uint64_t stream, uint32_t i, __mmask8 which)
{
    const __m512i shift = _mm512_setr_epi64(32, 0, 32, 0, 32, 0, 32, 0);
    __m512i pair = _mm512_srli_epi64(lane_numbers(), 1);
    __m512i step = _mm512_mullo_epi64(pair, all(CNI_RANDOM_STEP));
    __m512i words = words_of(_mm512_add_epi64(all(stream), step), i / 2);
    __m512i to = _mm512_and_si512(_mm512_loadu_si512(messages), all(n->s->to_mask));
    __m512i channels = ports_lanes(n, all(node), which, to);
    return pick_bit(n->s, channels, low_half(_mm512_srlv_epi64(words, shift)));
}

/* The claims of messages of eight nodes, in the order of the nodes and their queues. A full list
 * is settled, so the size bounds only the memory: 256 claims keep the list in the first cache. */
enum { MOST_CLAIMS = 256 };

typedef struct claims {
    size_t count;
    uint64_t place[MOST_CLAIMS + CNI_STORE_LANES]; /* the place of the message in the pool */
    uint64_t slot[MOST_CLAIMS + CNI_STORE_LANES];  /* port * CNI_STORE_LANES + lane */
    /* by lane: the place for the next message that stays */
    uint64_t kept[CNI_STORE_LANES];
    uint64_t best[CNI_MOST_PORTS * CNI_STORE_LANES]; /* by slot: the oldest claimant so far */
} claims;

/* Compares each claim with the best claimant of its channel. Messages that lose stay in their
 * queue. */
static inline LANES void settle_claims(uint64_t *words, claims *c)
{
    for (size_t i = 0; i < c->count; i++) {
        uint64_t a = words[c->place[i]], *best = &c->best[c->slot[i]], b = *best;
        uint64_t *end = &c->kept[c->slot[i] % CNI_STORE_LANES], loser = a < b ? b : a;
        *best = a < b ? a : b;
        words[*end] = loser;
        *end += loser != CNI_NO_TIME;
    }
    c->count = 0;
}

/* Lists a claim for every message of the queue of a lane. */
static inline LANES void list_claims(const nodes_of_lanes *n, uint64_t *words, uint32_t lane,
                                     uint64_t stream, claims *c)
{
    const cni_queue *queue = n->queue + lane;
    uint32_t length = cni_queue_length(queue);
    uint64_t first = c->kept[lane] = queue->tail & ~cni_queue_mask(queue);
    for (uint32_t i = 0; i < length; i += CNI_STORE_LANES) {
        __mmask8 which = first_lanes(length - i);
        __m512i port = pick_shared(n, words + first + i, n->first + lane, stream, i, which);
        __m512i slot = _mm512_add_epi64(_mm512_slli_epi64(port, 3), all(lane));
        __m512i place = _mm512_add_epi64(lane_numbers(), all(first + i));
        _mm512_storeu_si512(c->slot + c->count, slot);
        _mm512_storeu_si512(c->place + c->count, place);
        c->count += ones_of(which);
        if (CNI_RARELY(c->count > MOST_CLAIMS))
            settle_claims(words, c);
    }
}

/* Shortens the queue of a lane to the messages that lost. */
static inline LANES void keep_losers(cni_store_worker *w, cni_queue *queue, uint64_t end)
{
    uint32_t length = cni_queue_length(queue), size = cni_queue_size(queue);
    uint32_t first = queue->tail & ~cni_queue_mask(queue), kept = (uint32_t)end - first;
    *queue = cni_queue_packed(first, size, kept);
    if (CNI_RARELY(kept == 0 && size != w->pool.home_size))
        cni_pool_go_home(&w->pool, queue, (uint32_t)(queue - w->queue));
    w->hand.counters[CNI_COUNT_HOPS] += length - kept;
}

/* Sends the oldest claimant of every channel, as send_shared() does. */
static inline LANES void send_best(const nodes_of_lanes *n, uint64_t *out)
{
    const cni_store_shape *s = n->s;
    claims c;
    uint64_t stream[CNI_STORE_LANES], *words = n->w->pool.words;
    uint32_t end = ones_of(n->valid);
    c.count = 0;
    if (n->counts)
        count_nodes(n, n->k->base.counts.queue, queue_length(_mm512_loadu_si512(n->queue)));
    _mm512_storeu_si512(stream, n->stream);
    for (size_t i = 0; i < s->ports * CNI_STORE_LANES; i += CNI_STORE_LANES)
        _mm512_storeu_si512(c.best + i, all(CNI_NO_TIME));
    for (uint32_t lane = 0; lane < end; lane++)
        list_claims(n, words, lane, stream[lane], &c);
    settle_claims(words, &c);
    for (uint32_t lane = 0; lane < end; lane++)
        keep_losers(n->w, n->queue + lane, c.kept[lane]);
    out += n->first;
    for (uint32_t port = 0; port < s->ports; port++, out += s->stride) {
        __m512i m = _mm512_loadu_si512(c.best + port * CNI_STORE_LANES);
        __mmask8 has = is_there(m);
        _mm512_storeu_si512(out, cross_lanes(n, port, m, has));
        if (n->counts)
            count_loads(n, port, has);
    }
}

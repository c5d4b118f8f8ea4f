/*
 * The cycle of deflection routing, included once per variant with
 *
 *     BOOLEAN          1 for the Boolean n-cube, 0 for the k-ary n-cubes
 *     RUN              the name of the function that is made
 *     COUNT(word)      number of one-bits of a word that is not 0
 *     SELECT(word, r)  position of its one-bit number r
 *     TARGET           attribute of all that is made: the processor that it is for; may be empty
 *
 * Every variant gives the same bits. The plain form of one node's decision is cn_route_two_phase().
 *
 * The loops avoid branches that a processor cannot foresee: a message that is not there is a word
 * like any other (CNI_NO_MESSAGE), is written where the next one overwrites it, and only the count
 * that follows tells. A queue has two spare slots for such writes.
 */

#define JOIN_NAMES(a, b) a##_##b
#define NAME_FOR(run, part) JOIN_NAMES(run, part)
#define LOCAL(part) NAME_FOR(RUN, part)

/* The message after it has crossed a channel. */
TARGET CNI_INLINE uint64_t LOCAL(cross)(const cni_deflection_shape *s, uint64_t message,
                                        uint32_t port)
{
#if BOOLEAN
    (void)s;
    return message ^ UINT64_C(1) << port;
#else
    int up = port >= s->dimensions;
    uint32_t shift = (up ? port - s->dimensions : port) * s->digit_bits;
    uint64_t one = UINT64_C(1) << shift, top = (s->radix - 1) << shift;
    uint64_t digit = message & ((UINT64_C(1) << s->digit_bits) - 1) << shift;
    if (up)
        return digit == top ? message - top : message + one;
    return digit == 0 ? message + top : message - one;
#endif
}

/* 1 when the channel brings the message closer. */
TARGET CNI_INLINE int LOCAL(is_valid)(const cni_deflection_shape *s, uint64_t message,
                                      uint32_t port)
{
#if BOOLEAN
    (void)s;
    return (int)(message >> port & 1);
#else
    int up = port >= s->dimensions;
    uint32_t shift = (up ? port - s->dimensions : port) * s->digit_bits;
    uint64_t e = message >> shift & ((UINT64_C(1) << s->digit_bits) - 1);
    if (!s->bidirectional || e == 0)
        return e != 0;
    return up ? s->radix - e <= e : e <= s->radix - e;
#endif
}

/* Phase 2: the youngest losers get a random free channel each, until the rest leaves room for one
 * message from every neighbour. Returns how many of the `kept` still stay. */
TARGET CNI_APART uint32_t LOCAL(force_out)(const cni_deflection_shape *s, cni_deflection_worker *w,
                                           uint64_t stream, uint64_t *queue, uint32_t kept,
                                           uint64_t *best)
{
    uint64_t free_channels = 0;
    for (uint32_t p = 0; p < s->ports; p++)
        free_channels |= (uint64_t)(best[p] == CNI_NO_MESSAGE) << p;
    uint32_t forced = 0;
    for (; kept > s->buffers - s->ports; forced++) {
        uint32_t youngest = 0;
        for (uint32_t m = 1; m < kept; m++)
            youngest = queue[m] > queue[youngest] ? m : youngest;
        uint64_t message = queue[youngest];
        queue[youngest] = queue[--kept];
        uint64_t word = cni_random_word(stream, CNI_WORDS_PHASE_TWO + forced);
        uint32_t port =
            SELECT(free_channels, cni_random_below((uint32_t)(word >> 32), COUNT(free_channels)));
        free_channels &= ~(UINT64_C(1) << port);
        best[port] = message;
        w->counters[CNI_COUNT_DEFLECTED] += !LOCAL(is_valid)(s, message, port);
    }
    w->counters[CNI_COUNT_SECOND_PHASE] += forced;
    return kept;
}

/* Phase 1 of one message: it takes the channel that it picks from a younger one, or loses to an older.
 * Who has lost goes to the end of those kept. */
TARGET CNI_INLINE uint64_t LOCAL(claim)(const cni_deflection *k, const cni_deflection_shape *s,
                                        uint64_t message, uint32_t random, uint64_t *best,
                                        uint64_t *queue, uint64_t kept)
{
    uint64_t channels = message & s->header_mask;
#if BOOLEAN
    (void)k;
#else
    if (message == CNI_NO_MESSAGE)
        return kept;
    channels =
        k->preferred != NULL ? k->preferred[channels] : cni_deflection_preferred(k, channels);
#endif
    uint64_t port = SELECT(channels, cni_random_below(random, COUNT(channels)));
    uint64_t other = best[port];
    uint64_t winner = message < other ? message : other;
    uint64_t loser = message < other ? other : message;
    best[port] = winner;
    queue[kept] = loser;
    return kept + (loser != CNI_NO_MESSAGE);
}

/* Both phases of one node, and its messages onto the channels. Two messages share a random word; to
 * an odd one comes a message that is not there, which wins nothing and is not kept. */
TARGET CNI_INLINE void LOCAL(send)(const cni_deflection *k, const cni_deflection_shape *s,
                                   cni_deflection_worker *w, cni_deflection_tally *tally,
                                   uint64_t node, uint64_t stream, uint32_t length,
                                   uint64_t *restrict out)
{
    uint64_t *queue = k->queue + node * s->slots;
    uint64_t kept = 0, state = stream;
    uint64_t best[CNI_MAX_PORTS];
    for (uint32_t p = 0; p < s->ports; p += 8)
        memset(best + p, 0xff, 8 * sizeof best[0]); /* CNI_NO_MESSAGE; of a fixed size: no call */
    queue[length] = CNI_NO_MESSAGE;
    for (uint64_t m = 0; m < length; m += 2) {
        state += CNI_RANDOM_STEP;
        uint64_t word = cni_random_mix(state); /* number m/2 of the stream */
        uint64_t first = queue[m], second = queue[m + 1];
        kept = LOCAL(claim)(k, s, first, (uint32_t)(word >> 32), best, queue, kept);
        kept = LOCAL(claim)(k, s, second, (uint32_t)word, best, queue, kept);
    }
    tally->queue += length;
    tally->first_phase += length - kept;
    if (kept > s->buffers - s->ports)
        kept = LOCAL(force_out)(&k->shape /* s stays in registers: its address must not get out */,
                                w, stream, queue, (uint32_t)kept, best);
    k->length[node] = (uint32_t)kept;
    out += node;
    for (uint32_t p = 0; p < s->ports; p++, out += s->stride)
        *out = best[p];
}

/* What the neighbours sent crosses its channel: the arrived are put aside, the others join the
 * queue. */
TARGET CNI_INLINE uint32_t LOCAL(receive)(const cni_deflection *k, const cni_deflection_shape *s,
                                          cni_deflection_worker *w, uint64_t node,
                                          const uint64_t *restrict in, const int64_t *from)
{
    uint64_t *queue = k->queue + node * s->slots;
    uint64_t length = k->length[node];
    size_t arrivals = w->arrivals;
    for (uint32_t p = 0; p < s->ports; p++, in += s->stride) {
#if BOOLEAN
        (void)from;
        uint64_t sent = in[node ^ UINT64_C(1) << p];
#else
        uint64_t sent = in[node + (uint64_t)from[p]];
#endif
        uint64_t message = LOCAL(cross)(s, sent, p);
        uint64_t none = sent == CNI_NO_MESSAGE;
        uint64_t arrived = ((message & s->header_mask) == 0) & (none ^ 1);
        w->arrival[arrivals] = message;
        queue[length] = message;
        arrivals += (size_t)arrived;
        length += 1 - arrived - none;
    }
    w->arrivals = arrivals;
    return (uint32_t)length;
}

/* A header in the form of a message. */
TARGET CNI_INLINE uint64_t LOCAL(fields)(const cni_deflection_shape *s, uint64_t number)
{
#if BOOLEAN
    (void)s;
    return number;
#else
    uint64_t header = 0;
    for (uint32_t i = 0; i < s->dimensions; i++, number /= s->radix)
        header |= number % s->radix << i * s->digit_bits;
    return header;
#endif
}

/* Admits the new messages of the node's own traffic, as far as there is room. */
TARGET CNI_INLINE uint32_t LOCAL(admit)(const cni_deflection *k, const cni_deflection_shape *s,
                                        cni_deflection_tally *tally, uint64_t node, uint64_t stream,
                                        uint64_t created, uint32_t length)
{
    uint64_t *queue = k->queue + node * s->slots;
    uint64_t offered = cni_geometric_offered(&k->slotted.geometric, stream);
    uint32_t room = s->buffers - length;
    uint32_t accepted = offered < room ? (uint32_t)offered : room;
    uint64_t stamp = created << s->created_shift | node << s->source_shift;
    for (uint32_t j = 0; j < accepted; j++) {
        uint64_t header = LOCAL(fields)(s, cni_uniform_header(stream, j, s->nodes));
        queue[length + j] = stamp | (uint64_t)j << s->number_shift | header;
        tally->distance += cni_deflection_distance(s, header);
    }
    tally->offered += offered;
    tally->accepted += accepted;
    return length + accepted;
}

#if !BOOLEAN
/* Steps the digits of a node to the next one and corrects where its messages come from. */
TARGET CNI_INLINE void LOCAL(next_senders)(const cni_deflection_shape *s, uint64_t digits[],
                                           int64_t from[])
{
    int64_t stride = 1;
    for (uint32_t i = 0; i < s->dimensions; i++) {
        digits[i] = digits[i] + 1 == s->radix ? 0 : digits[i] + 1;
        cni_deflection_senders(s, i, digits[i], stride, from);
        if (digits[i] != 0)
            return;
        stride *= (int64_t)s->radix;
    }
}
#endif

/* One pass over the worker's nodes: receive for the cycle that ends (when `in` is given), then send
 * for the next (when `out` is). `cycle` is the number of cycles that are over in between. */
TARGET CNI_INLINE void LOCAL(pass_with)(const cni_deflection *k, cni_deflection_worker *w,
                                        uint64_t cycle, const uint64_t *restrict in,
                                        uint64_t *restrict out, int of_scenario)
{
    const cni_deflection_shape s = k->shape;
    cni_deflection_tally tally = {0};
    uint64_t cycle_seed = cni_random_derive(k->seed, cycle), created = cycle - k->epoch;
    int has_traffic = k->slotted.load > 0.0;
    if (of_scenario && in != NULL)
        cni_deflection_find_listed(k, w, cycle);
    int64_t from[CNI_MAX_PORTS];
#if !BOOLEAN
    uint64_t digits[CNI_MAX_PORTS];
    cni_deflection_first_senders(&s, w->first_node, digits, from);
#endif
    for (uint64_t node = w->first_node, end = w->end_node; node < end; node++) {
        uint64_t stream = cni_random_derive(cycle_seed, node);
        uint32_t length = k->length[node];
        if (in != NULL) {
            length = LOCAL(receive)(k, &s, w, node, in, from);
            if (of_scenario)
                length = cni_deflection_admit(k, w, node, stream, cycle, length);
            else if (has_traffic)
                length = LOCAL(admit)(k, &s, &tally, node, stream, created, length);
            k->length[node] = length;
            if (w->arrivals >= CNI_ARRIVAL_ROOM)
                cni_deflection_count_arrivals(k, w, cycle);
        }
        if (out != NULL)
            LOCAL(send)(k, &s, w, &tally, node, stream, length, out);
#if !BOOLEAN
        LOCAL(next_senders)(&s, digits, from);
#endif
    }
    cni_deflection_count_arrivals(k, w, cycle);
    w->counters[CNI_COUNT_QUEUE] += tally.queue;
    w->counters[CNI_COUNT_FIRST_PHASE] += tally.first_phase;
    w->counters[CNI_COUNT_OFFERED] += tally.offered;
    w->counters[CNI_COUNT_ACCEPTED] += tally.accepted;
    w->counters[CNI_COUNT_DISTANCE] += tally.distance;
}

/* Compiled twice, so that the traffic that most scenarios have does not pay for any other. */
TARGET CNI_APART void LOCAL(pass)(const cni_deflection *k, cni_deflection_worker *w, uint64_t cycle,
                                  const uint64_t *restrict in, uint64_t *restrict out)
{
    LOCAL(pass_with)(k, w, cycle, in, out, 0);
}

TARGET CNI_APART void LOCAL(pass_of_scenario)(const cni_deflection *k, cni_deflection_worker *w,
                                              uint64_t cycle, const uint64_t *restrict in,
                                              uint64_t *restrict out)
{
    LOCAL(pass_with)(k, w, cycle, in, out, 1);
}

TARGET void RUN(cni_deflection *kernel, uint32_t worker, uint64_t cycles)
{
    cni_deflection_worker *w = kernel->workers[worker];
    int of_scenario = kernel->slotted.traffic != NULL;
    LOCAL(pass)(kernel, w, kernel->cycle, NULL, kernel->channel[0]); /* admits nothing */
    for (uint64_t c = 1; c <= cycles; c++) {
        const uint64_t *in = kernel->channel[(c - 1) % 2];
        uint64_t *out = c < cycles ? kernel->channel[c % 2] : NULL;
        cni_team_meet(kernel->team);
        if (of_scenario)
            LOCAL(pass_of_scenario)(kernel, w, kernel->cycle + c, in, out);
        else
            LOCAL(pass)(kernel, w, kernel->cycle + c, in, out);
    }
}

#undef LOCAL
#undef NAME_FOR
#undef JOIN_NAMES

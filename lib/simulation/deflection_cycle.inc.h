/*
 * The cycle of deflection routing, included once per variant with
 *
 *     BOOLEAN          1 for the Boolean n-cube, 0 for the k-ary n-cubes
 *     RUN              the name of the function that is made
 *     COUNT(word)      number of one-bits of a word that is not 0
 *     SELECT(word, r)  position of its one-bit number r
 *
 * Every variant gives the same bits. The plain form of one node's decision is cn_route_two_phase().
 */

#define JOIN_NAMES(a, b) a##_##b
#define NAME_FOR(run, part) JOIN_NAMES(run, part)
#define LOCAL(part) NAME_FOR(RUN, part)

/* The channels among which phase 1 picks. */
static inline uint64_t LOCAL(preferred)(const cni_deflection *k, uint64_t message)
{
    uint64_t header = message & k->header_mask;
#if BOOLEAN
    return header;
#else
    return k->preferred != NULL ? k->preferred[header] : cni_deflection_preferred(k, header);
#endif
}

/* The message after it has crossed a channel. */
static inline uint64_t LOCAL(cross)(const cni_deflection *k, uint64_t message, uint32_t port)
{
#if BOOLEAN
    (void)k;
    return message ^ (UINT64_C(1) << port);
#else
    int up = port >= k->dimensions;
    uint32_t shift = (up ? port - k->dimensions : port) * k->digit_bits;
    uint64_t one = UINT64_C(1) << shift, top = (k->radix - 1) << shift;
    uint64_t digit = message & ((UINT64_C(1) << k->digit_bits) - 1) << shift;
    if (up)
        return digit == top ? message - top : message + one;
    return digit == 0 ? message + top : message - one;
#endif
}

/* 1 when the channel brings the message closer. */
static inline int LOCAL(is_valid)(const cni_deflection *k, uint64_t message, uint32_t port)
{
#if BOOLEAN
    (void)k;
    return (int)(message >> port & 1);
#else
    int up = port >= k->dimensions;
    uint32_t shift = (up ? port - k->dimensions : port) * k->digit_bits;
    uint64_t e = message >> shift & ((UINT64_C(1) << k->digit_bits) - 1);
    if (!k->bidirectional || e == 0)
        return e != 0;
    return up ? k->radix - e <= e : e <= k->radix - e;
#endif
}

/* Phase 2: the youngest losers get a random free channel each, until the rest leaves room for one
 * message from every neighbour. Returns how many of the `kept` still stay. */
static inline uint32_t LOCAL(force_out)(const cni_deflection *k, cni_deflection_worker *w,
                                        uint64_t stream, uint64_t *restrict queue, uint32_t kept,
                                        uint64_t *restrict best)
{
    uint64_t free_channels = 0;
    for (uint32_t p = 0; p < k->ports; p++)
        free_channels |= (uint64_t)(best[p] == CNI_NO_MESSAGE) << p;
    uint32_t forced = 0;
    for (; kept > k->buffers - k->ports; forced++) {
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
        w->counters[CNI_COUNT_DEFLECTED] += !LOCAL(is_valid)(k, message, port);
    }
    w->counters[CNI_COUNT_SECOND_PHASE] += forced;
    return kept;
}

/* Both phases of one node, and its messages onto the channels. */
static inline void LOCAL(send)(const cni_deflection *k, cni_deflection_worker *w, uint64_t node,
                               uint64_t stream, uint64_t *restrict out)
{
    uint64_t *restrict queue = k->queue + node * k->slots;
    uint32_t length = k->length[node], kept = 0;
    uint64_t best[CNI_MAX_PORTS];
    for (uint32_t p = 0; p < k->ports; p++)
        best[p] = CNI_NO_MESSAGE;
    for (uint32_t m = 0; m < length; m += 2) {
        uint64_t word = cni_random_word(stream, m / 2);
        for (uint32_t half = 0; half < 2 && m + half < length; half++) {
            uint64_t message = queue[m + half];
            uint64_t channels = LOCAL(preferred)(k, message);
            uint32_t port = SELECT(
                channels, cni_random_below((uint32_t)(word >> (32 - 32 * half)), COUNT(channels)));
            uint64_t other = best[port];
            best[port] = message < other ? message : other;
            uint64_t loser = message < other ? other : message;
            queue[kept] = loser; /* overwritten by the next one when there was no other */
            kept += loser != CNI_NO_MESSAGE;
        }
    }
    w->counters[CNI_COUNT_QUEUE] += length;
    w->counters[CNI_COUNT_FIRST_PHASE] += length - kept;
    if (kept > k->buffers - k->ports)
        kept = LOCAL(force_out)(k, w, stream, queue, kept, best);
    k->length[node] = kept;
    for (uint32_t p = 0; p < k->ports; p++) {
        uint64_t message = best[p];
        out[p * k->nodes + node] =
            message == CNI_NO_MESSAGE ? message : LOCAL(cross)(k, message, p);
    }
}

/* The node from which a message comes in through the channels of a port. */
static inline uint64_t LOCAL(sender)(const cni_deflection *k, uint64_t node, uint32_t port,
                                     const int64_t *from)
{
    (void)k;
#if BOOLEAN
    (void)from;
    return node ^ (UINT64_C(1) << port);
#else
    return node + (uint64_t)from[port];
#endif
}

/* What the neighbours sent: the arrived are put aside, the others join the queue. */
static inline uint32_t LOCAL(receive)(const cni_deflection *k, cni_deflection_worker *w,
                                      uint64_t node, const uint64_t *restrict in,
                                      const int64_t *from)
{
    uint64_t *restrict queue = k->queue + node * k->slots;
    uint32_t length = k->length[node];
    size_t arrivals = w->arrivals;
    for (uint32_t p = 0; p < k->ports; p++) {
        uint64_t message = in[p * k->nodes + LOCAL(sender)(k, node, p, from)];
        int arrived = (message & k->header_mask) == 0;
        w->arrival[arrivals] = message;
        arrivals += (size_t)arrived;
        queue[length] = message;
        length += message != CNI_NO_MESSAGE && !arrived;
    }
    w->arrivals = arrivals;
    return length;
}

/* The header of a new message to a uniformly random other node. */
static inline uint64_t LOCAL(draw_header)(const cni_deflection *k, uint64_t word)
{
    /* 40 random bits on at most 2^22 headers: uniform to within 2^-18 of 1/N */
    uint64_t number = 1 + ((word >> 24) * (k->nodes - 1) >> 40);
#if BOOLEAN
    return number;
#else
    uint64_t header = 0;
    for (uint32_t i = 0; i < k->dimensions; i++, number /= k->radix)
        header |= number % k->radix << i * k->digit_bits;
    return header;
#endif
}

/* Admits the new messages of the node's own traffic, as far as there is room. */
static inline uint32_t LOCAL(admit)(const cni_deflection *k, cni_deflection_worker *w,
                                    uint64_t node, uint64_t stream, uint64_t created,
                                    uint32_t length)
{
    uint64_t *restrict queue = k->queue + node * k->slots;
    uint64_t offered = cni_deflection_offered(k, stream);
    uint32_t room = k->buffers - length;
    uint32_t accepted = offered < room ? (uint32_t)offered : room;
    uint64_t stamp = created << k->created_shift | node << k->source_shift;
    for (uint32_t j = 0; j < accepted; j++) {
        uint64_t header = LOCAL(draw_header)(k, cni_random_word(stream, CNI_WORDS_MESSAGES + j));
        queue[length++] = stamp | (uint64_t)j << k->number_shift | header;
        w->counters[CNI_COUNT_DISTANCE] += cni_deflection_distance(k, header);
    }
    w->counters[CNI_COUNT_OFFERED] += offered;
    w->counters[CNI_COUNT_ACCEPTED] += accepted;
    return length;
}

#if !BOOLEAN
/* Steps the digits of a node to the next one and corrects where its messages come from. */
static inline void LOCAL(next_senders)(const cni_deflection *k, uint64_t digits[], int64_t from[])
{
    int64_t stride = 1;
    for (uint32_t i = 0; i < k->dimensions; i++) {
        digits[i] = digits[i] + 1 == k->radix ? 0 : digits[i] + 1;
        cni_deflection_senders(k, i, digits[i], stride, from);
        if (digits[i] != 0)
            return;
        stride *= (int64_t)k->radix;
    }
}
#endif

/* One pass over the worker's nodes: receive for the cycle that ends (when `in` is given), then send
 * for the next (when `out` is). `cycle` is the number of cycles that are over in between. */
static inline void LOCAL(pass)(const cni_deflection *k, cni_deflection_worker *w, uint64_t cycle,
                               const uint64_t *restrict in, uint64_t *restrict out)
{
    uint64_t cycle_seed = cni_random_derive(k->seed, cycle);
    int64_t from[CNI_MAX_PORTS];
#if !BOOLEAN
    uint64_t digits[CNI_MAX_PORTS];
    cni_deflection_first_senders(k, w->first_node, digits, from);
#endif
    for (uint64_t node = w->first_node; node < w->end_node; node++) {
        uint64_t stream = cni_random_derive(cycle_seed, node);
        if (in != NULL) {
            uint32_t length = LOCAL(receive)(k, w, node, in, from);
            if (k->load > 0.0)
                length = LOCAL(admit)(k, w, node, stream, cycle - k->epoch, length);
            k->length[node] = length;
            if (w->arrivals >= CNI_ARRIVAL_ROOM)
                cni_deflection_count_arrivals(k, w, cycle);
        }
        if (out != NULL)
            LOCAL(send)(k, w, node, stream, out);
#if !BOOLEAN
        LOCAL(next_senders)(k, digits, from);
#endif
    }
    cni_deflection_count_arrivals(k, w, cycle);
}

void RUN(cni_deflection *kernel, uint32_t worker, uint64_t cycles)
{
    cni_deflection_worker *w = kernel->workers[worker];
    LOCAL(pass)(kernel, w, kernel->cycle, NULL, kernel->channel[0]);
    for (uint64_t c = 1; c <= cycles; c++) {
        cni_team_meet(kernel->team);
        LOCAL(pass)
        (kernel, w, kernel->cycle + c, kernel->channel[(c - 1) % 2],
         c < cycles ? kernel->channel[c % 2] : NULL);
    }
}

#undef LOCAL
#undef NAME_FOR
#undef JOIN_NAMES

/*
 * The cycle of deflection routing, included once per variant with
 *
 *     FORM             one of cni_deflection_form
 *     RUN              the name of the function that is made
 *     COUNT(word)      number of one-bits of a word
 *     SELECT(word, r)  position of its one-bit number r
 *     TARGET           attribute of all that is made: the processor that it is for; may be empty
 *
 * Every variant gives the same bits. The plain form of one node's decision is cn_route_two_phase().
 *
 * The first two forms are chosen for undamaged cubes by the routing of their name alone: header
 * arithmetic knows no other (deflection_open.c).
 *
 * The loops avoid branches that a processor cannot foresee: a message that is not there is a word
 * like any other (CNI_NO_MESSAGE), is written where the next one overwrites it, and only the count
 * that follows tells. A queue has two spare slots for such writes. Messages that come in are taken port
 * by port, each port for 64 nodes, so that a node takes its own in the order of the ports and the only
 * branch is the end of the 64.
 */

#define JOIN_NAMES(a, b) a##_##b
#define NAME_FOR(run, part) JOIN_NAMES(run, part)
#define LOCAL(part) NAME_FOR(RUN, part)

/* ---- a message and a channel ---- */

/* The message after it has crossed a channel. */
TARGET CNI_INLINE uint64_t LOCAL(cross)(const cni_deflection_shape *s, uint64_t message,
                                        uint32_t port)
{
    if (FORM == CNI_FORM_ROUTED)
        return message;
    if (FORM == CNI_FORM_BOOLEAN)
        return message ^ UINT64_C(1) << port;
    int up = port >= s->dimensions;
    uint32_t shift = (up ? port - s->dimensions : port) * s->digit_bits;
    uint64_t one = UINT64_C(1) << shift, top = (s->radix - 1) << shift;
    uint64_t digit = message & ((UINT64_C(1) << s->digit_bits) - 1) << shift;
    if (up)
        return message + (digit == top ? 0 - top : one);
    return message + (digit == 0 ? top : 0 - one);
}

/* 1 when the channel brings the message closer. */
TARGET CNI_INLINE int LOCAL(is_valid)(const cni_deflection *k, uint64_t node, uint64_t message,
                                      uint32_t port)
{
    const cni_deflection_shape *s = &k->shape;
    if (FORM == CNI_FORM_BOOLEAN)
        return (int)(message >> port & 1);
    if (FORM == CNI_FORM_ROUTED)
        return (int)(cni_routing_ports(k->any.closer, node, 0, message & s->header_mask) >> port &
                     1);
    int up = port >= s->dimensions;
    uint32_t shift = (up ? port - s->dimensions : port) * s->digit_bits;
    uint64_t e = message >> shift & ((UINT64_C(1) << s->digit_bits) - 1);
    if (!s->bidirectional || e == 0)
        return e != 0;
    return up ? s->radix - e <= e : e <= s->radix - e;
}

/* The channels that phase 1 lets a message pick from. */
TARGET CNI_INLINE uint64_t LOCAL(allowed)(const cni_deflection *k, const cni_deflection_shape *s,
                                          uint64_t node, uint64_t message)
{
    uint64_t header = message & s->header_mask;
    if (FORM == CNI_FORM_BOOLEAN)
        return header;
    if (FORM == CNI_FORM_KARY)
        return k->preferred != NULL ? k->preferred[header] : cni_deflection_preferred(k, header);
    return cni_routing_ports(k->any.routing, node, 0, header);
}

/* ---- both phases of a node ---- */

/* Phase 2: the youngest losers get a random free channel each, until the rest leaves room for one
 * message from every neighbour. Returns how many of the `kept` still stay. */
TARGET CNI_APART uint64_t LOCAL(force_out)(const cni_deflection *k, cni_deflection_worker *w,
                                           uint64_t node, uint64_t stream, uint64_t kept,
                                           uint64_t stay, cni_deflection_ports *ports)
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t *queue = k->queue + node * s->slots, good = UINT64_MAX >> (CNI_MAX_PORTS - s->ports);
    uint64_t free_channels = (FORM == CNI_FORM_ROUTED ? k->any.good[node] : good) & ~ports->taken;
    for (uint32_t p = 0; FORM == CNI_FORM_BOOLEAN && p < s->ports; p++)
        free_channels &= ~((uint64_t)(ports->best[p] != CNI_NO_MESSAGE) << p);
    uint32_t forced = 0;
    for (; kept > stay; forced++) {
        uint64_t youngest = 0;
        for (uint64_t m = 1; m < kept; m++)
            youngest = queue[m] > queue[youngest] ? m : youngest;
        uint64_t message = queue[youngest];
        queue[youngest] = queue[--kept];
        uint64_t word = cni_random_word(stream, CNI_WORDS_PHASE_TWO + forced);
        uint32_t port =
            SELECT(free_channels, cni_random_below((uint32_t)(word >> 32), COUNT(free_channels)));
        free_channels &= ~(UINT64_C(1) << port);
        ports->taken |= UINT64_C(1) << port;
        ports->best[port * ports->stride] = message;
        w->counters[CNI_COUNT_DEFLECTED] += !LOCAL(is_valid)(k, node, message, port);
    }
    w->counters[CNI_COUNT_SECOND_PHASE] += forced;
    return kept;
}

/* The channel that a message picks in phase 1. */
TARGET CNI_INLINE uint32_t LOCAL(pick)(const cni_deflection *k, const cni_deflection_shape *s,
                                       uint64_t node, uint64_t message, uint64_t random)
{
    uint64_t channels = LOCAL(allowed)(k, s, node, message);
    return SELECT(channels, cni_random_below((uint32_t)random, COUNT(channels)));
}

/* Phase 1 of one message: it takes the channel that it picks from a younger one, or loses to an older.
 * Who has lost goes to the end of those kept. */
TARGET CNI_INLINE uint64_t LOCAL(claim)(const cni_deflection *k, const cni_deflection_shape *s,
                                        uint64_t node, uint64_t message, uint64_t random,
                                        cni_deflection_ports *ports, uint64_t *queue, uint64_t kept)
{
    /* only on the Boolean cube the header of a message that is not there gives a channel */
    if (FORM != CNI_FORM_BOOLEAN && message == CNI_NO_MESSAGE)
        return kept;
    uint32_t port = LOCAL(pick)(k, s, node, message, random);
    uint64_t *place = ports->best + (FORM == CNI_FORM_KARY ? port * ports->stride : port);
    uint64_t other = *place;
    if (FORM == CNI_FORM_KARY)
        other = (ports->taken >> port & 1) != 0 ? other : CNI_NO_MESSAGE;
    uint64_t winner = message < other ? message : other;
    uint64_t loser = message < other ? other : message;
    *place = winner;
    if (FORM != CNI_FORM_BOOLEAN) /* there it is found when all are sent */
        ports->taken |= UINT64_C(1) << port;
    queue[kept] = loser;
    return kept + (loser != CNI_NO_MESSAGE);
}

/* The same of the first two at once: most nodes of a k-ary cube have no more. The second one may not be
 * there; if so, it leaves no trace. */
TARGET CNI_INLINE uint64_t LOCAL(claim_two)(const cni_deflection *k, const cni_deflection_shape *s,
                                            uint64_t node, uint64_t word,
                                            cni_deflection_ports *ports, uint64_t *queue)
{
    uint64_t first = queue[0], second = queue[1];
    uint64_t is_there = second != CNI_NO_MESSAGE;
    uint32_t port = LOCAL(pick)(k, s, node, first, word >> 32);
    uint32_t other = LOCAL(pick)(k, s, node, is_there ? second : first, word);
    uint64_t clash = is_there & (port == other);
    uint64_t older = second < first ? second : first, younger = second < first ? first : second;
    ports->best[other * ports->stride] = second;
    ports->best[port * ports->stride] = clash ? older : first;
    ports->taken = UINT64_C(1) << port | is_there << other;
    queue[0] = younger;
    return clash;
}

/* Both phases of one node. Two messages share a random word; to an odd one comes a message that is not
 * there, which wins nothing and is not kept. Returns how many stay. */
TARGET CNI_INLINE uint64_t LOCAL(assign)(const cni_deflection *k, const cni_deflection_shape *s,
                                         cni_deflection_worker *w, cni_deflection_tally *tally,
                                         uint64_t node, uint64_t stream,
                                         cni_deflection_ports *ports)
{
    uint64_t *queue = k->queue + node * s->slots;
    uint64_t length = k->length[node], kept = 0, m = 0, state = stream + CNI_RANDOM_STEP;
    queue[length] = CNI_NO_MESSAGE;
    if (FORM == CNI_FORM_KARY) {
        kept = LOCAL(claim_two)(k, s, node, cni_random_mix(state), ports, queue);
        state += CNI_RANDOM_STEP;
        m = 2;
    }
    for (; m < length; m += 2, state += CNI_RANDOM_STEP) {
        uint64_t word = cni_random_mix(state); /* number m/2 of the stream */
        uint64_t first = queue[m], second = queue[m + 1];
        kept = LOCAL(claim)(k, s, node, first, word >> 32, ports, queue, kept);
        kept = LOCAL(claim)(k, s, node, second, word, ports, queue, kept);
    }
    tally->queue += length;
    tally->first_phase += length - kept;
    uint64_t stay = FORM == CNI_FORM_ROUTED ? k->any.keeps[node] : s->buffers - s->ports;
    if (kept > stay) {
        cni_deflection_ports lent = *ports; /* the other one stays in registers */
        kept = LOCAL(force_out)(k, w, node, stream, kept, stay, &lent);
        ports->taken = lent.taken;
    }
    k->length[node] = (uint32_t)kept;
    return kept;
}

/* The messages of the nodes of a block that hold some, onto the channels of a bank. Returns those that
 * still hold some. */
TARGET CNI_INLINE uint64_t LOCAL(send)(const cni_deflection *k, const cni_deflection_shape *s,
                                       cni_deflection_worker *w, cni_deflection_tally *tally,
                                       uint64_t block, uint64_t holds, const uint64_t stream[],
                                       int bank)
{
    uint64_t best[CNI_MAX_PORTS], still = 0, *out = k->channel[bank];
    uint64_t sent[CNI_MAX_PORTS] = {0}; /* by port: the nodes that send over it */
    cni_deflection_taken taken;
    if (FORM == CNI_FORM_KARY)
        cni_deflection_take_none(&taken, s->ports);
    for (; holds != 0; holds &= holds - 1) {
        uint32_t j = cni_lowest_bit(holds);
        uint64_t node = block * CNI_BLOCK + j;
        cni_deflection_ports ports = {best, 1, 0};
        if (FORM == CNI_FORM_KARY)
            ports = (cni_deflection_ports){out + node, s->stride, 0};
        else
            for (uint32_t p = 0; p < s->ports; p += 8)
                memset(best + p, 0xff, 8 * sizeof best[0]); /* of a fixed size: no call */
        uint64_t kept = LOCAL(assign)(k, s, w, tally, node, stream[j], &ports);
        still |= (uint64_t)(kept != 0) << j;
        if (FORM == CNI_FORM_BOOLEAN)
            for (uint32_t p = 0; p < s->ports; p++) {
                out[p * s->stride + node] = best[p];
                sent[p] |= (uint64_t)(best[p] != CNI_NO_MESSAGE) << j;
            }
        else if (FORM == CNI_FORM_KARY)
            cni_deflection_take(&taken, s->ports, j, ports.taken);
        else
            for (uint64_t left = ports.taken; left != 0; left &= left - 1)
                out[k->any.place[node * s->ports + cni_lowest_bit(left)]] =
                    best[cni_lowest_bit(left)];
    }
    if (FORM != CNI_FORM_ROUTED)
        for (uint32_t p = 0; p < s->ports; p++)
            k->sent[bank][p * (s->blocks + 2) + 1 + block] =
                FORM == CNI_FORM_KARY ? cni_deflection_takers(&taken, p) : sent[p];
    return still;
}

/* ---- what comes in ---- */

/* What comes to nodes of a block by one row: the arrived are put aside, the others join the queue. `row`
 * has the message of node number j of the block at from + j. Returns the nodes whose queue has grown. */
TARGET CNI_INLINE uint64_t LOCAL(take)(const cni_deflection *k, const cni_deflection_shape *s,
                                       cni_deflection_worker *w, uint64_t block, uint64_t coming,
                                       uint64_t *row, uint64_t from, uint32_t port)
{
    uint64_t base = block * CNI_BLOCK, grown = 0;
    uint64_t *queue = k->queue + base * s->slots;
    uint32_t *length = k->length + base;
    size_t arrivals = w->arrivals;
    for (; coming != 0; coming &= coming - 1) {
        uint32_t j = cni_lowest_bit(coming);
        uint64_t message = LOCAL(cross)(s, row[from + j], port);
        uint64_t header = message & s->header_mask;
        uint64_t stays = header != (FORM == CNI_FORM_ROUTED ? base + j : 0);
        w->arrival[arrivals] = FORM == CNI_FORM_ROUTED ? message : message | (base + j);
        queue[j * s->slots + length[j]] = message;
        arrivals += (size_t)(1 - stays);
        length[j] += (uint32_t)stays;
        grown |= stays << j;
        if (FORM == CNI_FORM_ROUTED)
            row[from + j] = CNI_NO_MESSAGE;
    }
    w->arrivals = arrivals;
    return grown;
}

/* The 64 bits of a row of `sent` from a node on, which may be 64 before the first. */
TARGET CNI_INLINE uint64_t LOCAL(bits_from)(const uint64_t *row, uint64_t node)
{
    uint64_t place = node + CNI_BLOCK, word = place / CNI_BLOCK;
    uint32_t shift = (uint32_t)(place % CNI_BLOCK);
    return row[word] >> shift | row[word + 1] << 1 << (63 - shift);
}

/* The messages that come over a port of the cube: straight, or round the end of its ring. */
TARGET CNI_INLINE uint64_t LOCAL(take_port)(const cni_deflection *k, const cni_deflection_shape *s,
                                            cni_deflection_worker *w, uint64_t block,
                                            uint64_t there, uint32_t port, uint64_t step, int bank)
{
    const uint64_t *sent = k->sent[bank] + port * (s->blocks + 2);
    uint64_t *row = k->channel[bank] + port * s->stride;
    uint64_t wrapped = k->wrapped[port * s->blocks + block], grown = 0;
    for (int wraps = 0; wraps < 2; wraps++, step *= 1 - s->radix, wrapped = ~wrapped) {
        uint64_t nodes = there & ~wrapped, from = block * CNI_BLOCK + step;
        if (nodes != 0)
            grown |=
                LOCAL(take)(k, s, w, block, nodes & LOCAL(bits_from)(sent, from), row, from, port);
    }
    return grown;
}

/* Bits of the 64 places of a row that are not empty. */
TARGET CNI_INLINE uint64_t LOCAL(filled)(const uint64_t *row)
{
    uint64_t filled = 0;
    for (uint32_t j = 0; j < CNI_BLOCK; j++)
        filled |= (uint64_t)(row[j] != CNI_NO_MESSAGE) << j;
    return filled;
}

/* All that comes to the nodes of a block. Returns those whose queue has grown. */
TARGET CNI_INLINE uint64_t LOCAL(receive)(const cni_deflection *k, const cni_deflection_shape *s,
                                          cni_deflection_worker *w, uint64_t cycle, uint64_t block,
                                          uint64_t there, int bank)
{
    uint64_t grown = 0, step = 1;
    for (uint32_t row = 0; row < s->rows; row++) {
        if (FORM == CNI_FORM_ROUTED) {
            uint64_t *in = k->channel[bank] + row * s->stride, from = block * CNI_BLOCK;
            grown |= LOCAL(take)(k, s, w, block, LOCAL(filled)(in + from), in, from, row);
        } else {
            step = row == s->dimensions ? 1 : step;
            grown |= LOCAL(take_port)(k, s, w, block, there, row,
                                      row < s->dimensions ? step : 0 - step, bank);
            step *= s->radix;
        }
        if (w->arrivals >= CNI_ARRIVAL_ROOM)
            cni_deflection_count_arrivals(k, w, cycle);
    }
    return grown;
}

/* ---- new messages ---- */

/* Where the random sequences of the nodes of a block begin. */
TARGET CNI_INLINE void LOCAL(begin_streams)(uint64_t cycle_seed, uint64_t block, uint64_t stream[])
{
    uint64_t state = cni_random_mix(cycle_seed + CNI_RANDOM_STEP);
    for (uint64_t j = 0; j < CNI_BLOCK; j++)
        stream[j] = cni_random_mix(state + (block * CNI_BLOCK + j + 1) * CNI_RANDOM_STEP);
}

/* The nodes of a block that offer something: the first word of each decides it. */
TARGET CNI_INLINE uint64_t LOCAL(offering)(const cni_geometric *traffic, const uint64_t stream[])
{
    uint64_t nodes = 0, threshold = traffic->thresholds > 0 ? traffic->threshold[0] : 0;
    for (uint64_t j = 0; j < CNI_BLOCK; j++)
        nodes |= (uint64_t)(cni_random_word(stream[j], CNI_WORDS_OFFERED) < threshold) << j;
    return nodes;
}

/* Admits the new messages of a node of a cube, as far as there is room. */
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
        uint64_t header = cni_deflection_fields(s, cni_uniform_header(stream, j, s->nodes));
        queue[length + j] = stamp | (uint64_t)j << s->number_shift | header;
        tally->distance += cni_deflection_distance(s, header);
    }
    tally->offered += offered;
    tally->accepted += accepted;
    return length + accepted;
}

/* The new messages of the nodes of a block. Returns those that hold some. */
TARGET CNI_INLINE uint64_t LOCAL(admit_block)(const cni_deflection *k,
                                              const cni_deflection_shape *s,
                                              cni_deflection_worker *w, cni_deflection_tally *tally,
                                              uint64_t cycle, uint64_t block, uint64_t there,
                                              const uint64_t stream[])
{
    int is_geometric = k->slotted.trace == NULL && k->slotted.source.kind == CN_SOURCE_GEOMETRIC;
    int is_plain = FORM != CNI_FORM_ROUTED && k->slotted.traffic == NULL;
    uint64_t nodes = is_geometric ? there & LOCAL(offering)(&k->slotted.geometric, stream) : there;
    uint64_t hold = 0;
    for (; nodes != 0; nodes &= nodes - 1) {
        uint32_t j = cni_lowest_bit(nodes), length;
        uint64_t node = block * CNI_BLOCK + j;
        if (is_plain)
            length = LOCAL(admit)(k, s, tally, node, stream[j], cycle - k->epoch, k->length[node]);
        else
            length = cni_deflection_admit(k, w, node, stream[j], cycle, k->length[node]);
        k->length[node] = length;
        hold |= (uint64_t)(length != 0) << j;
    }
    return hold;
}

/* ---- a cycle ---- */

/* One pass over the worker's nodes: receive from a bank for the cycle that ends, then send into one for
 * the next; CNI_NO_BANK: not that. `cycle` is the number of cycles that are over in between. */
TARGET CNI_APART void LOCAL(pass)(const cni_deflection *k, cni_deflection_worker *w, uint64_t cycle,
                                  int in, int out)
{
    const cni_deflection_shape s = k->shape;
    cni_deflection_tally tally = {0};
    uint64_t stream[CNI_BLOCK], cycle_seed = cni_random_derive(k->seed, cycle);
    int has_traffic = k->slotted.load > 0.0 || k->slotted.trace != NULL;
    if (in != CNI_NO_BANK)
        cni_deflection_find_listed(k, w, cycle);
    for (uint64_t block = w->first_block; block < w->end_block; block++) {
        uint64_t left = s.nodes - block * CNI_BLOCK, holds = k->holds[block];
        uint64_t there = left < CNI_BLOCK ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
        if (in != CNI_NO_BANK)
            holds |= LOCAL(receive)(k, &s, w, cycle, block, there, in);
        if (holds != 0 || has_traffic)
            LOCAL(begin_streams)(cycle_seed, block, stream);
        if (in != CNI_NO_BANK && has_traffic)
            holds |= LOCAL(admit_block)(k, &s, w, &tally, cycle, block, there, stream);
        if (out != CNI_NO_BANK)
            holds = LOCAL(send)(k, &s, w, &tally, block, holds, stream, out);
        k->holds[block] = holds;
    }
    cni_deflection_count_arrivals(k, w, cycle);
    w->counters[CNI_COUNT_QUEUE] += tally.queue;
    w->counters[CNI_COUNT_FIRST_PHASE] += tally.first_phase;
    w->counters[CNI_COUNT_OFFERED] += tally.offered;
    w->counters[CNI_COUNT_ACCEPTED] += tally.accepted;
    w->counters[CNI_COUNT_DISTANCE] += tally.distance;
}

TARGET static void RUN(cni_deflection *kernel, uint32_t worker, uint64_t cycles)
{
    cni_deflection_worker *w = kernel->workers[worker];
    LOCAL(pass)(kernel, w, kernel->cycle, CNI_NO_BANK, 0); /* admits nothing */
    for (uint64_t c = 1; c <= cycles; c++) {
        int in = (int)((c - 1) % 2), out = c < cycles ? (int)(c % 2) : CNI_NO_BANK;
        cni_team_meet(kernel->team);
        LOCAL(pass)(kernel, w, kernel->cycle + c, in, out);
    }
}

#undef LOCAL
#undef NAME_FOR
#undef JOIN_NAMES

/*
 * The cycle of deflection routing. The compiler makes its code once for each form: `form` is a
 * constant in every inlined function. On processors with AVX-512, full blocks of Boolean cubes with
 * many messages go eight nodes at a time (deflection_lanes.inc.h).
 *
 * Every variant gives the same bits. cn_route_two_phase() is the plain form of one node's decision.
 *
 * CNI_FORM_BOOLEAN and CNI_FORM_KARY serve undamaged cubes with the routing "preferred" and random
 * selection alone, because header arithmetic knows no other routing or selection
 * (deflection_open.c).
 *
 * The loops avoid branches that a processor cannot predict. Where a message arrives or stays, wins
 * or loses, it is written to both places, and only a count tells which place holds it. Arrivals are
 * read port by port, each port for 64 nodes: a node receives its messages in the order of the
 * ports, and the only branch is the end of the 64. A message that is sent goes at once to its place
 * in the rows of channels, which the receiver has left empty.
 */
#include <string.h>

#include "simulation/deflection/deflection.h"
#include "simulation/deflection/deflection_node.h"
#include "simulation/kernel/processor.h"

/* ---- a message and a channel ---- */

/* The channels from which a message may pick in phase 1. */
CNI_INLINE uint64_t allowed_channels(const cni_deflection_form form, const cni_deflection *k,
                                     const cni_deflection_shape *s, uint64_t node, uint64_t message)
{
    uint64_t header = message & s->header_mask;
    if (form == CNI_FORM_BOOLEAN)
        return header;
    if (form == CNI_FORM_KARY)
        return k->preferred != NULL ? k->preferred[header] : cni_deflection_preferred(k, header);
    return cni_network_ports(&k->any.network, node, 0, header);
}

/* Finds the places of a block's messages in a bank. Functions that send number nodes and blocks
 * from the start of the part. */
CNI_INLINE void begin_sending(const cni_deflection_form form, const cni_deflection *k,
                              const cni_deflection_shape *s, uint64_t block, int bank,
                              cni_deflection_sending *sending)
{
    uint64_t base = block * CNI_BLOCK, *row = k->channel[bank];
    for (uint32_t p = 0; p < (form == CNI_FORM_ROUTED ? 1 : s->ports); p++, row += s->stride) {
        uint64_t at = form == CNI_FORM_ROUTED ? 0 : base;
        if (form == CNI_FORM_BOOLEAN && cni_deflection_is_turned(bank) &&
            !CNI_RARELY(k->outer != NULL && k->outer[p * s->blocks + block] != 0))
            at = ((base + s->first) ^ cni_deflection_far(p)) - s->first;
        sending->row[p] = row + at;
        sending->sent[p] = 0;
    }
}

/* The place of the message that a node sends over a port. */
CNI_INLINE uint64_t *place_of(const cni_deflection_form form, const cni_deflection *k,
                              const cni_deflection_shape *s, const cni_deflection_sending *sending,
                              uint64_t node, uint32_t port)
{
    if (form == CNI_FORM_ROUTED)
        return sending->row[0] + k->any.place[(node + s->first) * s->ports + port];
    return sending->row[port] + node % CNI_BLOCK;
}

/* ---- both phases of a node ---- */

/* Phase 2: the youngest losers each leave over a random free channel, until `stay` messages are
 * left, so that there is room for one message from every inlet. `kept` messages have lost phase
 * 1. Returns how many stay. */
CNI_INLINE uint64_t force_out_form(const cni_deflection_form form, const cni_deflection *k,
                                   cni_deflection_worker *w, uint64_t node, uint64_t stream,
                                   uint64_t kept, uint64_t stay, cni_deflection_sending *sending)
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t *queue = k->queue + node * s->slots, good = UINT64_MAX >> (CNI_MAX_PORTS - s->ports);
    uint64_t free_channels = form == CNI_FORM_ROUTED ? k->any.working[node + s->first] : good;
    for (uint64_t left = free_channels; left != 0; left &= left - 1) {
        uint32_t port = cni_lowest_bit(left);
        uint64_t is_free = *place_of(form, k, s, sending, node, port) == CNI_NO_MESSAGE;
        free_channels ^= (1 - is_free) << port;
    }
    uint32_t forced = 0;
    for (; kept > stay; forced++) {
        uint64_t youngest = 0;
        for (uint64_t m = 1; m < kept; m++)
            youngest = queue[m] > queue[youngest] ? m : youngest;
        uint64_t message = queue[youngest];
        queue[youngest] = queue[--kept];
        uint64_t word = cni_random_word(stream, CNI_WORDS_PHASE_TWO + forced);
        uint32_t port = cni_pick_bit(free_channels, (uint32_t)(word >> 32), s->has_pdep);
        free_channels &= ~(UINT64_C(1) << port);
        uint64_t is_deflected = !cni_deflection_is_valid(form, k, node + s->first, message, port);
        w->hand.counters[CNI_COUNT_DEFLECTED] += is_deflected;
        if (CNI_RARELY(is_deflected & ((message >> s->tag_shift & 1) | (s->hop_mask != 0))))
            message = cni_deflection_deflect(k, node + s->first, message, port,
                                             cni_deflection_cross(form, s, message, port));
        *place_of(form, k, s, sending, node, port) = message;
        sending->sent[port] |= UINT64_C(1) << node % CNI_BLOCK;
    }
    w->hand.counters[CNI_COUNT_SECOND_PHASE] += forced;
    return kept;
}

CNI_APART uint64_t force_out(const cni_deflection *k, cni_deflection_worker *w, uint64_t node,
                             uint64_t stream, uint64_t kept, uint64_t stay,
                             cni_deflection_sending *sending)
{
    if (k->form == CNI_FORM_BOOLEAN)
        return force_out_form(CNI_FORM_BOOLEAN, k, w, node, stream, kept, stay, sending);
    if (k->form == CNI_FORM_KARY)
        return force_out_form(CNI_FORM_KARY, k, w, node, stream, kept, stay, sending);
    return force_out_form(CNI_FORM_ROUTED, k, w, node, stream, kept, stay, sending);
}

#if CNI_AVX512
#include "simulation/kernel/lanes.inc.h"

#include "simulation/deflection/deflection_lanes.inc.h"
#endif

/* The bits of the 64 places of a row that have messages. */
CNI_INLINE uint64_t filled_places(const uint64_t row[])
{
    uint64_t some = 0;
    for (uint32_t j = 0; j < CNI_BLOCK; j++)
        some |= (uint64_t)(row[j] != CNI_NO_MESSAGE) << j;
    return some;
}

/* ---- phase 1 ---- */

/* Phase 1 of one message. The message gets the channel that it picks if the channel is free or a
 * younger message has it; otherwise it loses. The loser goes behind the `kept` messages that
 * stay. Returns the new number of these. `wanted`: as in assign_channels(). */
CNI_INLINE uint64_t claim_channel(const cni_deflection_form form, const cni_deflection *k,
                                  const cni_deflection_shape *s, uint64_t node, uint64_t message,
                                  uint64_t random, cni_deflection_sending *sending, uint64_t *queue,
                                  uint64_t kept, const uint32_t *wanted)
{
    uint64_t channels = allowed_channels(form, k, s, node + s->first, message);
    if (wanted != NULL)
        channels = cni_selected(k->selection, channels, wanted);
    uint32_t port = cni_pick_bit(channels, (uint32_t)random, s->has_pdep);
    uint64_t *place = place_of(form, k, s, sending, node, port), other = *place;
    if (form != CNI_FORM_ROUTED)
        sending->sent[port] |= UINT64_C(1) << node % CNI_BLOCK;
    uint64_t loser = message < other ? other : message;
    *place = message < other ? message : other;
    queue[kept] = loser;
    return kept + (loser != CNI_NO_MESSAGE);
}

/* Both phases of one node. Two messages share a random word. Returns how many messages stay.
 * `wanted`: NULL, as a constant, for random selection; otherwise by port the number of messages
 * that want the port. */
CNI_INLINE uint64_t assign_channels(const cni_deflection_form form, const cni_deflection *k,
                                    const cni_deflection_shape *s, cni_deflection_worker *w,
                                    cni_deflection_tally *tally, uint64_t node, uint64_t stream,
                                    cni_deflection_sending *sending, const uint32_t *wanted)
{
    uint64_t *queue = k->queue + node * s->slots;
    uint64_t length = k->length[node], kept = 0, state = stream;
    for (uint64_t m = 0; m < length; m += 2) {
        state += CNI_RANDOM_STEP;
        uint64_t word = cni_random_mix(state); /* word number m / 2 of the stream */
        uint64_t second = queue[m + 1];        /* read first, because a loser may overwrite it */
        kept = claim_channel(form, k, s, node, queue[m], word >> 32, sending, queue, kept, wanted);
        if (m + 1 == length)
            break;
        kept = claim_channel(form, k, s, node, second, word, sending, queue, kept, wanted);
    }
    tally->queue += length;
    tally->first_phase += length - kept;
    uint64_t stay =
        form == CNI_FORM_ROUTED ? k->any.most_kept[node + s->first] : s->buffers - s->ports;
    if (CNI_RARELY(kept > stay))
        kept = force_out(k, w, node, stream, kept, stay, sending);
    k->length[node] = (uint32_t)kept;
    return kept;
}

/* Both phases of one node with another selection than random. */
CNI_INLINE uint64_t assign_selected(const cni_deflection_form form, const cni_deflection *k,
                                    const cni_deflection_shape *s, cni_deflection_worker *w,
                                    cni_deflection_tally *tally, uint64_t node, uint64_t stream,
                                    cni_deflection_sending *sending)
{
    const uint64_t *queue = k->queue + node * s->slots;
    uint32_t wanted[CNI_MAX_PORTS] = {0};
    for (uint64_t m = 0; k->selection == CN_SELECTION_LEAST_LOADED && m < k->length[node]; m++)
        cni_want_channels(allowed_channels(form, k, s, node + s->first, queue[m]), wanted);
    return assign_channels(form, k, s, w, tally, node, stream, sending, wanted);
}

/* Sends the messages of the nodes `holds` of a block. Returns the nodes that still hold
 * messages. */
CNI_INLINE uint64_t send_messages(const cni_deflection_form form, const cni_deflection *k,
                                  const cni_deflection_shape *s, cni_deflection_worker *w,
                                  cni_deflection_tally *tally, uint64_t block, uint64_t holds,
                                  const uint64_t stream[], cni_deflection_sending *sending)
{
    uint64_t still = 0, base = block * CNI_BLOCK;
    int selects = form == CNI_FORM_ROUTED && CNI_RARELY(k->selection != CN_SELECTION_RANDOM);
    for (uint64_t left = holds; left != 0; left &= left - 1) {
        uint32_t j = cni_lowest_bit(left);
        uint64_t kept =
            selects ? assign_selected(form, k, s, w, tally, base + j, stream[j], sending)
                    : assign_channels(form, k, s, w, tally, base + j, stream[j], sending, NULL);
        still |= (uint64_t)(kept != 0) << j;
    }
    return still;
}

/* ---- messages that come in ---- */

/* Receives the messages that come to nodes of a block over a port or an inlet: delivered
 * messages are collected, the others join queues. The message for node number j of the block is
 * at place first + (j ^ flip) of the row, or `further` places on for the nodes of `round`; these
 * sums are taken modulo 2^64, and only their results need to be places of the bank. end[j] is
 * the place in `queue` behind the messages of node j. Returns the nodes whose queue has grown. */
CNI_INLINE uint64_t take_messages(const cni_deflection_form form, const cni_deflection *k,
                                  const cni_deflection_shape *s, cni_deflection_worker *w,
                                  uint64_t block, uint64_t end[], uint64_t coming, uint64_t *row,
                                  uint64_t first, uint64_t flip, uint64_t round, uint64_t further,
                                  uint32_t port, uint64_t *queue)
{
    uint64_t base = block * CNI_BLOCK, grown = 0, mask = s->header_mask;
    uint64_t *arrival = w->arrival + w->arrivals;
    if (CNI_RARELY(k->came != NULL))
        cni_deflection_count_coming(k, port, block - s->first / CNI_BLOCK, coming);
    for (; coming != 0; coming &= coming - 1) {
        uint64_t j = cni_lowest_bit(coming);
        uint64_t from = first + (j ^ flip);
        if (form == CNI_FORM_KARY)
            from += further & (0 - (round >> j & 1));
        uint64_t *place = row + from;
        uint64_t message = cni_deflection_cross(form, s, *place, port);
        uint64_t stays = (message & mask) != (form == CNI_FORM_ROUTED ? base + j : 0);
        *place = CNI_NO_MESSAGE;
        if (form == CNI_FORM_ROUTED)
            cni_network_fetch_ports(&k->any.network, base + j, 0, message & mask);
        *arrival = form == CNI_FORM_ROUTED ? message : message | (base + j);
        queue[end[j]] = message;
        arrival += stays ^ 1;
        end[j] += stays;
        grown |= stays << j;
    }
    w->arrivals = (size_t)(arrival - w->arrival);
    return grown;
}

/* The 64 bits of a row of `sent` from a place on. The place may be 64 before the first place. */
CNI_INLINE uint64_t bits_from(const uint64_t *row, uint64_t from)
{
    uint64_t place = from + CNI_BLOCK, word = place / CNI_BLOCK;
    uint32_t shift = (uint32_t)(place % CNI_BLOCK);
    return row[word] >> shift | row[word + 1] << 1 << (63 - shift);
}

/* Finds the nodes of a block to which messages come over each port of the cube: straight, round
 * the end of a ring, or from another part. Returns the number of the messages. */
CNI_INLINE uint64_t find_coming(const cni_deflection *k, const cni_deflection_shape *s,
                                uint64_t block, uint64_t there, int bank,
                                cni_deflection_coming *coming, int divided)
{
    uint64_t step = 1, messages = 0, at = block * CNI_BLOCK - s->first;
    for (uint32_t p = 0; p < s->ports; p++, step *= s->radix) {
        const uint64_t *sent = k->sent[bank] + p * (s->blocks + 2);
        uint64_t wrapped = k->wrapped[p * s->blocks + at / CNI_BLOCK], inner = there;
        step = p == s->dimensions ? 1 : step;
        uint64_t way = p < s->dimensions ? step : 0 - step;
        uint64_t from = at + way, round = from - way * s->radix;
        if (divided) {
            uint64_t outer = k->outer[p * s->blocks + at / CNI_BLOCK];
            const uint64_t *back = k->sent[bank] + cni_deflection_back(s, p) * (s->blocks + 2);
            inner = there & ~outer;
            coming->outer[p] = outer & back[1 + at / CNI_BLOCK];
            messages += cni_popcount(coming->outer[p]);
        }
        coming->step[p] = way;
        coming->straight[p] =
            (inner & ~wrapped) == 0 ? 0 : inner & ~wrapped & bits_from(sent, from);
        coming->round[p] = (inner & wrapped) == 0 ? 0 : inner & wrapped & bits_from(sent, round);
        messages += cni_popcount(coming->straight[p] | coming->round[p]);
    }
    return messages;
}

/* Receives all messages that come to the nodes of a block. Returns the nodes whose queue has
 * grown. */
CNI_INLINE uint64_t receive_messages(const cni_deflection_form form, const cni_deflection *k,
                                     const cni_deflection_shape *s, cni_deflection_worker *w,
                                     uint64_t cycle, uint64_t block,
                                     const cni_deflection_coming *coming, int bank, int divided)
{
    uint64_t grown = 0, base = block * CNI_BLOCK, at = base - s->first, end[CNI_BLOCK];
    uint64_t *queue = k->queue + at * s->slots;
    for (uint64_t j = 0; j < CNI_BLOCK; j++)
        end[j] = j * s->slots + k->length[at + j];
    for (uint32_t r = 0; r < s->rows; r++) {
        uint64_t *row = k->channel[bank] + r * s->stride;
        uint64_t coming_in, first = at, flip = 0, round = 0, further = 0;
        if (form == CNI_FORM_ROUTED) {
            coming_in = filled_places(row + at);
        } else if (form == CNI_FORM_BOOLEAN) {
            uint64_t side = UINT64_C(1) << r;
            flip = side % CNI_BLOCK;
            first = cni_deflection_is_turned(bank) ? at : (base ^ (side - flip)) - s->first;
            coming_in = coming->straight[r] | coming->round[r];
        } else {
            first = at + coming->step[r];
            round = coming->round[r];
            further = 0 - coming->step[r] * s->radix;
            coming_in = coming->straight[r] | round;
        }
        grown |= take_messages(form, k, s, w, block, end, coming_in, row, first, flip, round,
                               further, r, queue);
        if (divided) {
            uint64_t *back = k->channel[bank] + cni_deflection_back(s, r) * s->stride;
            grown |= take_messages(form, k, s, w, block, end, coming->outer[r], back, at, 0, 0, 0,
                                   r, queue);
        }
        if (w->arrivals >= CNI_ARRIVAL_ROOM)
            cni_deflection_count_arrivals(k, w, cycle);
    }
    for (uint64_t j = 0; j < CNI_BLOCK; j++)
        k->length[at + j] = (uint32_t)(end[j] - j * s->slots);
    return grown;
}

/* ---- a cycle ---- */

/* The nodes of a block of the part, and the data of a pass over it. */
typedef struct block_pass {
    uint64_t cycle, block, at; /* `at`: the number of the block in the part */
    uint64_t there;            /* the nodes of the block */
    int in, out, divided, by_lanes;
} block_pass;

/* Receives the messages that come to a block. Returns the nodes that then hold messages. */
CNI_INLINE uint64_t receive_block(const cni_deflection_form form, const cni_deflection *k,
                                  const cni_deflection_shape *s, cni_deflection_worker *w,
                                  const block_pass *b, uint64_t holds, uint64_t messages,
                                  const cni_deflection_coming *coming)
{
    if (form == CNI_FORM_ROUTED ? b->in == CNI_NO_BANK : messages == 0)
        return holds;
#if CNI_AVX512
    if (b->by_lanes && messages >= s->ports * LANES_COMING)
        return holds | receive_lanes(k, s, w, b->cycle, b->block, coming, b->in);
#endif
    return holds | receive_messages(form, k, s, w, b->cycle, b->block, coming, b->in, b->divided);
}

/* Sends the messages of a block. Returns the nodes that still hold messages. */
CNI_INLINE uint64_t send_block(const cni_deflection_form form, const cni_deflection *k,
                               const cni_deflection_shape *s, cni_deflection_worker *w,
                               cni_deflection_tally *tally, const block_pass *b, uint64_t holds,
                               const uint64_t stream[])
{
    cni_deflection_sending sending;
    if (CNI_RARELY(k->came != NULL) && holds != 0)
        cni_deflection_count_queues(k, b->at);
    begin_sending(form, k, s, b->at, b->out, &sending);
#if CNI_AVX512
    if (b->by_lanes &&
        cni_deflection_count_queued(k->length + b->at * CNI_BLOCK) >= s->ports * LANES_QUEUED)
        holds = send_lanes(k, s, w, tally, b->at, stream, b->out, &sending);
    else
#endif
        holds = send_messages(form, k, s, w, tally, b->at, holds, stream, &sending);
    for (uint32_t p = 0; form != CNI_FORM_ROUTED && p < s->ports; p++)
        k->sent[b->out][p * (s->blocks + 2) + 1 + b->at] = sending.sent[p];
    return holds;
}

/* As cni_deflection_pass(). */
CNI_INLINE void pass_form(const cni_deflection_form form, const cni_deflection *k,
                          cni_deflection_worker *w, uint64_t cycle, int in, int out)
{
    const cni_deflection_shape s = k->shape;
    cni_deflection_tally tally = {0};
    uint64_t stream[CNI_BLOCK], cycle_seed = cni_random_derive(k->base.seed, cycle);
    int admits = cni_deflection_admits(k, cycle, in);
    if (admits)
        cni_divided_find_listed(&k->base, &w->hand, w->first_block * CNI_BLOCK, cycle);
    for (uint64_t block = w->first_block; block < w->end_block; block++) {
        uint64_t at = block - s.first / CNI_BLOCK;
        uint64_t left = s.nodes - block * CNI_BLOCK, holds = k->holds[at], messages = 0;
        const block_pass b = {.cycle = cycle,
                              .block = block,
                              .at = at,
                              .there = left < CNI_BLOCK ? (UINT64_C(1) << left) - 1 : UINT64_MAX,
                              .in = in,
                              .out = out,
                              .divided = form != CNI_FORM_ROUTED && CNI_RARELY(k->outer != NULL),
                              .by_lanes =
                                  form == CNI_FORM_BOOLEAN && s.has_lanes && left >= CNI_BLOCK};
        cni_deflection_coming coming;
        if (form != CNI_FORM_ROUTED && in != CNI_NO_BANK)
            messages = find_coming(k, &s, block, b.there, in, &coming, b.divided);
        if (holds != 0 || messages != 0 || admits || form == CNI_FORM_ROUTED)
            cni_deflection_begin_streams(cycle_seed, block, stream);
        holds = receive_block(form, k, &s, w, &b, holds, messages, &coming);
        if (admits)
            holds |= cni_deflection_admit_block(form, k, &s, w, &tally, cycle, block,
                                                cni_deflection_sources(k, b.there, stream), stream);
        k->holds[at] =
            out == CNI_NO_BANK ? holds : send_block(form, k, &s, w, &tally, &b, holds, stream);
    }
    cni_deflection_count_arrivals(k, w, cycle);
    cni_deflection_add(w, &tally);
}

void cni_deflection_pass(const cni_deflection *k, cni_deflection_worker *w, uint64_t cycle, int in,
                         int out)
{
    if (k->form == CNI_FORM_BOOLEAN)
        pass_form(CNI_FORM_BOOLEAN, k, w, cycle, in, out);
    else if (k->form == CNI_FORM_KARY)
        pass_form(CNI_FORM_KARY, k, w, cycle, in, out);
    else
        pass_form(CNI_FORM_ROUTED, k, w, cycle, in, out);
}

/*
 * Virtual cut-through with deflection (Horng 1992, 6.1.1; docs/simulation.md) in the kernel of
 * deflection routing. Messages, queues and traffic are the same, but a cycle of the kernel is a
 * mini-cycle. A period (the round of docs/simulation.md) begins with a mini-cycle for each port, in
 * which nodes send headers over that port; in the other mini-cycles no header moves. Phase 1 sends
 * the oldest message that the port brings closer. Phase 2 is for a full node without such a
 * message, and sends the youngest message of the node. The flits behind a header follow without a
 * stop, so they need no state: when a header has come to its destination, the tail comes m
 * mini-cycles later, before the period is over. A hop counts when its tail has crossed, like a
 * delivery.
 *
 * A header that crosses in a mini-cycle lies in row 0 of a bank, in the place of the sender.
 */
#include <string.h>

#include "simulation/deflection/deflection.h"
#include "simulation/deflection/deflection_node.h"

/* The ports over which headers come, tails come and headers are sent in a pass; a number from
 * s->ports on means no port. */
typedef struct pass_ports {
    uint64_t come, end, send;
} pass_ports;

static pass_ports find_ports(const cni_deflection_shape *s, uint64_t cycle, int in, int out)
{
    uint64_t none = UINT64_MAX, before = in == CNI_NO_BANK ? none : (cycle - 1) % s->period;
    return (pass_ports){before, in == CNI_NO_BANK || before < s->tail ? none : before - s->tail,
                        out == CNI_NO_BANK ? none : cycle % s->period};
}

/* The distance in node numbers, modulo 2^64, from a node to the sender of a port's channel,
 * except at the end of a ring. */
static uint64_t way_of(const cni_deflection_shape *s, uint32_t port)
{
    uint64_t step = 1;
    for (uint32_t i = port % s->dimensions; i > 0; i--)
        step *= s->radix;
    return port < s->dimensions ? step : 0 - step;
}

/* Receives the headers that come to the nodes of a block over a port. Returns the nodes whose
 * queue has grown; the other headers are at their destination. */
CNI_INLINE uint64_t receive_headers(cni_deflection_form form, const cni_deflection *k,
                                    const cni_deflection_shape *s, uint64_t block, uint32_t count,
                                    uint32_t port, uint64_t way, int bank, uint64_t *stayed)
{
    uint64_t base = block * CNI_BLOCK, wraps = k->wrapped[port * s->blocks + block];
    uint64_t grown = 0, coming = 0, back = way * s->radix;
    uint64_t *queue = k->queue + base * s->slots, *row = k->channel[bank];
    uint64_t *tails = k->tails + port * s->stride + base;
    for (uint32_t j = 0; j < count; j++, queue += s->slots, wraps >>= 1) {
        uint64_t *place = row + (base + j + way - (back & (0 - (wraps & 1))));
        uint64_t message = cni_deflection_cross(form, s, *place, port);
        uint64_t is_there = *place != CNI_NO_MESSAGE;
        uint64_t stays = is_there & ((message & s->header_mask) != 0);
        *place = CNI_NO_MESSAGE;
        tails[j] = is_there == stays ? CNI_NO_MESSAGE : message | (base + j);
        queue[k->length[base + j]] = message;
        k->length[base + j] += (uint32_t)stays;
        grown |= stays << j;
        coming |= is_there << j;
    }
    if (CNI_RARELY(k->came != NULL))
        cni_deflection_count_coming(k, port, block, coming);
    *stayed += cni_popcount(grown);
    return grown;
}

/* Receives the tails of the messages whose headers have come to the nodes of a block over a
 * port. */
static void receive_tails(const cni_deflection *k, cni_deflection_worker *w, uint64_t cycle,
                          uint64_t block, uint32_t port)
{
    uint64_t *tails = k->tails + port * k->shape.stride + block * CNI_BLOCK;
    for (uint32_t j = 0; j < CNI_BLOCK; j++) {
        w->arrival[w->arrivals] = tails[j];
        w->arrivals += tails[j] != CNI_NO_MESSAGE;
        tails[j] = CNI_NO_MESSAGE;
    }
    if (w->arrivals >= CNI_ARRIVAL_ROOM)
        cni_deflection_count_arrivals(k, w, cycle);
}

/* Finds the message that a full node sends over a port when the port brings none of its messages
 * closer: the youngest. Returns this message; *youngest is its slot. Adds 1 to *forced. */
CNI_APART uint64_t force_across(cni_deflection_form form, const cni_deflection *k, uint64_t node,
                                uint32_t port, uint64_t *youngest, uint64_t *forced)
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t *queue = k->queue + node * s->slots;
    *youngest = 0;
    for (uint64_t m = 1; m < s->buffers; m++)
        *youngest = queue[m] > queue[*youngest] ? m : *youngest;
    uint64_t message = queue[*youngest];
    *forced += 1;
    if (CNI_RARELY((message >> s->tag_shift & 1) | (s->hop_mask != 0)))
        return cni_deflection_deflect(k, node, message, port,
                                      cni_deflection_cross(form, s, message, port));
    return message;
}

/* Sends over a port, for each node of a block that holds messages, the oldest message that the
 * port brings closer. Returns the nodes that still hold messages. */
CNI_INLINE uint64_t send_across(cni_deflection_form form, const cni_deflection *k,
                                const cni_deflection_shape *s, uint64_t sent[], uint64_t block,
                                uint64_t holds, uint32_t port, int bank)
{
    uint64_t still = holds, first = 0;
    for (uint64_t left = holds; left != 0; left &= left - 1) {
        uint64_t node = block * CNI_BLOCK + cni_lowest_bit(left), oldest = CNI_NO_MESSAGE, at = 0;
        uint64_t *queue = k->queue + node * s->slots, length = k->length[node];
        for (uint64_t m = 0; m < length; m++) {
            int is_valid = cni_deflection_is_valid(form, k, node, queue[m], port);
            uint64_t message = is_valid ? queue[m] : CNI_NO_MESSAGE;
            at = message < oldest ? m : at;
            oldest = message < oldest ? message : oldest;
        }
        if (oldest != CNI_NO_MESSAGE)
            first += 1;
        else if (length == s->buffers)
            oldest = force_across(form, k, node, port, &at, &sent[CNI_CROSSING_SECOND]);
        else
            continue;
        k->channel[bank][node] = oldest;
        queue[at] = queue[--length];
        k->length[node] = (uint32_t)length;
        still ^= (length == 0 ? left & (0 - left) : 0);
    }
    sent[CNI_CROSSING_FIRST] += first;
    return still;
}

/* Counts, at the end of a pass, the headers sent by each phase and the headers that came and go
 * on (stayed). A header sent by one worker may come to another worker, so CNI_CROSSING_LAST is
 * meaningful only as a sum over all workers. */
static void count_crossing(uint32_t ports, cni_deflection_worker *w, pass_ports at,
                           const uint64_t sent[], uint64_t stayed)
{
    if (at.come < ports) {
        uint64_t *came = w->crossing[at.come];
        came[CNI_CROSSING_LAST] = came[CNI_CROSSING_FIRST] + came[CNI_CROSSING_SECOND] - stayed;
    }
    if (at.end < ports) {
        uint64_t *ended = w->crossing[at.end];
        w->hand.counters[CNI_COUNT_FIRST_PHASE] += ended[CNI_CROSSING_FIRST];
        w->hand.counters[CNI_COUNT_SECOND_PHASE] += ended[CNI_CROSSING_SECOND];
        w->hand.counters[CNI_COUNT_DEFLECTED] += ended[CNI_CROSSING_SECOND];
        memset(ended, 0, sizeof w->crossing[0]);
    }
    if (at.send < ports) {
        w->crossing[at.send][CNI_CROSSING_FIRST] = sent[CNI_CROSSING_FIRST];
        w->crossing[at.send][CNI_CROSSING_SECOND] = sent[CNI_CROSSING_SECOND];
    }
}

/* One pass over the nodes of a worker, as cni_deflection_pass(). */
CNI_INLINE void pass_form(cni_deflection_form form, const cni_deflection *k,
                          cni_deflection_worker *w, uint64_t cycle, int in, int out)
{
    const cni_deflection_shape s = k->shape;
    const pass_ports at = find_ports(&s, cycle, in, out);
    cni_deflection_tally tally = {0};
    uint64_t sent[CNI_CROSSING_LAST] = {0}, stayed = 0;
    uint64_t stream[CNI_BLOCK], cycle_seed = cni_random_derive(k->base.seed, cycle);
    uint64_t way = at.come < s.ports ? way_of(&s, (uint32_t)at.come) : 0;
    int admits = cni_deflection_admits(k, cycle, in);
    if (admits)
        cni_divided_find_listed(&k->base, &w->hand, w->first_block * CNI_BLOCK, cycle);
    for (uint64_t block = w->first_block; block < w->end_block; block++) {
        uint64_t left = s.nodes - block * CNI_BLOCK, holds = k->holds[block];
        uint64_t there = left < CNI_BLOCK ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
        if (at.come < s.ports)
            holds |=
                receive_headers(form, k, &s, block, left < CNI_BLOCK ? (uint32_t)left : CNI_BLOCK,
                                (uint32_t)at.come, way, in, &stayed);
        if (at.end < s.ports)
            receive_tails(k, w, cycle, block, (uint32_t)at.end);
        if (admits) {
            cni_deflection_begin_streams(cycle_seed, block, stream);
            holds |= cni_deflection_admit_block(form, k, &s, w, &tally, cycle, block,
                                                cni_deflection_sources(k, there, stream), stream);
        }
        if (out != CNI_NO_BANK && holds != 0)
            tally.queue += cni_deflection_count_queued(k->length + block * CNI_BLOCK);
        if (CNI_RARELY(k->came != NULL) && out != CNI_NO_BANK && holds != 0)
            cni_deflection_count_queues(k, block);
        if (at.send < s.ports)
            holds = send_across(form, k, &s, sent, block, holds, (uint32_t)at.send, out);
        k->holds[block] = holds;
    }
    cni_deflection_count_arrivals(k, w, cycle);
    count_crossing(s.ports, w, at, sent, stayed);
    cni_deflection_add(w, &tally);
}

void cni_deflection_pass_cut_through(const cni_deflection *k, cni_deflection_worker *w,
                                     uint64_t cycle, int in, int out)
{
    if (k->form == CNI_FORM_BOOLEAN)
        pass_form(CNI_FORM_BOOLEAN, k, w, cycle, in, out);
    else
        pass_form(CNI_FORM_KARY, k, w, cycle, in, out);
}

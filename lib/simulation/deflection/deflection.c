/* The kernel of deflection routing around its cycle: stepping, injecting, counting. */
#include "simulation/deflection/deflection.h"

#include <string.h>

#include "base/error.h"
#include "simulation/deflection/deflection_kernel.h"
#include "simulation/deflection/deflection_node.h"
#include "simulation/kernel/rates.h"
#include "topology/topology.h"

/* ---- stepping ---- */

/* Notes an arrival to report. The header of a collected message has been replaced by its node. */
static void note_arrival(const cni_deflection *k, cni_deflection_worker *w, uint64_t cycle,
                         uint64_t message)
{
    const cni_landing landing = {cycle, message & k->shape.header_mask, {message}};
    cni_divided_note_landing(&w->hand, &landing);
}

uint64_t cni_deflection_name(const cni_deflection *k, uint64_t message, uint64_t *source,
                             uint64_t *number)
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t sources = (UINT64_C(1) << (s->created_shift - s->source_shift)) - 1;
    uint64_t numbers = (UINT64_C(1) << (s->source_shift - s->number_shift)) - 1;
    *source = message >> s->source_shift & sources;
    *number = message >> s->number_shift & numbers;
    return k->epoch + (message >> s->created_shift);
}

/* The letter of an injected message. */
static cni_letter *find_tagged(const cni_deflection *k, uint64_t message)
{
    uint64_t source, number, created = cni_deflection_name(k, message, &source, &number);
    return cni_mailbox_find(&k->base.head.mailbox, created, source, number);
}

/* The hops that a message at a node still needs, by its header. */
static uint64_t hops_left(const cni_deflection *k, uint64_t node, uint64_t message)
{
    return cni_deflection_hops_of(k, node, message & k->shape.header_mask);
}

uint64_t cni_deflection_deflect(const cni_deflection *k, uint64_t node, uint64_t message,
                                uint32_t port, uint64_t crossed)
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t is_tagged = message >> s->tag_shift & 1, next = node;
    if (k->form == CNI_FORM_ROUTED)
        next = k->any.network.far[node * s->ports + port];
    uint64_t more = 1 + hops_left(k, next, crossed) - hops_left(k, node, message);
    cni_letter *letter = is_tagged ? find_tagged(k, message) : NULL;
    if (letter != NULL) {
        letter->deflections += 1;
        letter->hops += (uint32_t)more;
    }
    uint64_t room = s->hop_mask - (message >> s->hop_shift & s->hop_mask);
    return message + ((more < room ? more : room) << s->hop_shift);
}

void cni_deflection_count_arrivals(const cni_deflection *k, cni_deflection_worker *w,
                                   uint64_t cycle)
{
    uint64_t traced = k->base.head.mailbox.reports_trace ? UINT64_C(1) << k->shape.tag_shift : 0;
    uint64_t delay = 0, tagged = traced, now = cycle - k->epoch;
    for (size_t i = 0; i < w->arrivals; i++) {
        uint64_t message = w->arrival[i], age = now - (message >> k->shape.created_shift);
        delay += age;
        tagged |= message;
        cni_histogram_add(w->hand.delays, age);
    }
    w->hand.counters[CNI_COUNT_DELIVERED] += w->arrivals;
    w->hand.counters[CNI_COUNT_DELAY] += delay;
    if (w->hand.hops != NULL)
        cni_deflection_count_delivered(k, w);
    if (tagged >> k->shape.tag_shift & 1)
        for (size_t i = 0; i < w->arrivals; i++)
            if ((w->arrival[i] | traced) >> k->shape.tag_shift & 1)
                note_arrival(k, w, cycle, w->arrival[i]);
    w->arrivals = 0;
    cni_deflection_add_distances(w);
}

static void pass_worker(void *kernel, uint32_t worker, uint64_t cycle, int in, int out)
{
    cni_deflection *k = kernel;
    cni_deflection_worker *w = cni_deflection_worker_at(k, worker);
    if (k->shape.period != 0)
        cni_deflection_pass_cut_through(k, w, cycle, in, out);
    else
        cni_deflection_pass(k, w, cycle, in, out);
}

static cn_status run_cycles(cni_deflection *k, uint64_t cycles)
{
    const cni_deflection_shape *s = &k->shape;
    cni_part_cycles order = {.part = &k->base.part,
                             .team = k->base.team,
                             .kernel = k,
                             .pass = pass_worker,
                             .first = k->base.cycle,
                             .cycles = cycles};
    for (int i = 0; i < 2; i++)
        order.bank[i] = (cni_part_bank){.word = k->channel[i],
                                        .stride = s->stride,
                                        .rows = s->rows,
                                        .kept = s->rows,
                                        .sent = k->sent[i],
                                        .sent_stride = s->blocks + 2};
    cni_part_run_cycles(&order);
    return k->base.part.status;
}

/* Reports an arrival to the caller. Trace messages have no letter, so their deflections and
 * their hops are unknown. */
static void report_arrival(cni_divided *base, const cni_landing *landing)
{
    const cni_deflection *k = (cni_deflection *)base;
    uint64_t message = landing->message[0], cycle = landing->cycle, source, number,
             created = cni_deflection_name(k, message, &source, &number);
    const cni_trace_message *m;
    if ((message >> k->shape.tag_shift & 1) != 0)
        cni_mailbox_arrive(&base->head.mailbox, find_tagged(k, message), cycle);
    else if ((m = cni_slotted_find(&k->base.slotted, created, source, number)) != NULL)
        cni_mailbox_report(&base->head.mailbox, m, cycle, 0, k->shape.tail + 1);
}

/* Adapts a message to an epoch that is `shift` cycles later. */
static cn_status make_younger(const cni_deflection *k, uint64_t node, uint64_t *message,
                              uint64_t shift)
{
    if (*message >> k->shape.created_shift < shift)
        return cni_fail(CN_ERR_OVERFLOW,
                        "cn_sim_step: a message at node %llu has been in the network for "
                        "more than %llu cycles, the greatest age that a message can have",
                        (unsigned long long)node,
                        (unsigned long long)(k->greatest_created - shift));
    *message -= shift << k->shape.created_shift;
    return CN_OK;
}

/* Moves the epoch forward by half the span of the age field. A smaller step would scan all
 * messages more often; a larger step would fail for more old messages. */
static cn_status move_epoch(cni_deflection *k)
{
    uint64_t shift = (k->greatest_created + 2) / 2;
    for (uint64_t node = k->base.part.first; node < k->base.part.end; node++) {
        uint64_t at = node - k->base.part.first, *queue = k->queue + at * k->shape.slots;
        for (uint32_t m = 0; m < k->length[at]; m++)
            CNI_TRY(make_younger(k, node, &queue[m], shift));
        for (uint32_t p = 0; k->tails != NULL && p < k->shape.ports; p++) {
            uint64_t *tail = &k->tails[p * k->shape.stride + node];
            if (*tail != CNI_NO_MESSAGE)
                CNI_TRY(make_younger(k, node, tail, shift));
        }
    }
    k->epoch += shift;
    return CN_OK;
}

/* Passes cycles of an empty network. The epoch moves exactly as in step_kernel(), because the
 * epoch decides when a later message is too old. */
static void skip_cycles(void *state, uint64_t cycles)
{
    cni_deflection *k = state;
    uint64_t shift = (k->greatest_created + 2) / 2;
    k->base.cycle += cycles;
    uint64_t now = k->base.cycle - k->epoch;
    if (now > k->greatest_created)
        k->epoch += (now - k->greatest_created + shift - 1) / shift * shift;
}

static cn_status step_kernel(void *state, uint64_t cycles)
{
    cni_deflection *k = state;
    while (cycles > 0) {
        uint64_t room = k->greatest_created - (k->base.cycle - k->epoch);
        if (room == 0) {
            CNI_TRY(move_epoch(k));
            continue;
        }
        uint64_t now = cycles < room ? cycles : room;
        CNI_TRY(cni_divided_make_trace_room(&k->base, now));
        CNI_TRY(run_cycles(k, now));
        k->base.cycle += now;
        cycles -= now;
        cni_divided_land(&k->base, report_arrival);
    }
    return CN_OK;
}

/* ---- messages from the caller ---- */

/* The number of messages of this source that were admitted at the end of the present cycle. All
 * of them are still in its queue, because nothing has moved since. */
static uint64_t admitted_now(const cni_deflection *k, uint64_t source)
{
    const uint64_t at = source - k->shape.first, *queue = k->queue + at * k->shape.slots;
    uint64_t stamp =
        (k->base.cycle - k->epoch) << k->shape.created_shift | source << k->shape.source_shift;
    uint64_t found = 0;
    for (uint32_t m = 0; m < k->length[at]; m++)
        found += queue[m] >> k->shape.source_shift == stamp >> k->shape.source_shift;
    return found;
}

static cn_status can_accept(const void *state, const char *function, uint64_t source)
{
    const cni_deflection *k = state;
    CNI_TRY(cni_network_check_node(function, &k->any.network, "source", source));
    return k->length[source - k->shape.first] < k->shape.buffers ? CN_OK : CN_REFUSED;
}

static uint64_t queued_at(const void *state, uint64_t node)
{
    const cni_deflection *k = state;
    return k->length[node - k->shape.first];
}

static void count_injected(cni_deflection *k, uint64_t source, int is_accepted, uint64_t hops)
{
    uint64_t *counters = k->base.hands[0]->counters;
    counters[CNI_COUNT_OFFERED] += 1;
    counters[CNI_COUNT_ACCEPTED] += is_accepted != 0;
    counters[CNI_COUNT_DISTANCE] += hops;
    if (k->came != NULL)
        cni_deflection_count_new(k, source, 1, is_accepted != 0);
}

static cn_status inject_message(void *state, uint64_t source, uint64_t destination, uint64_t flits,
                                uint64_t tag)
{
    cni_deflection *k = state;
    (void)flits;
    cn_status accepts = can_accept(k, "cn_sim_inject", source);
    if (accepts >= CN_OK)
        CNI_TRY(
            cni_network_check_node("cn_sim_inject", &k->any.network, "destination", destination));
    if (accepts == CN_REFUSED)
        count_injected(k, source, 0, 0);
    CNI_TRY(accepts);
    uint64_t number = admitted_now(k, source);
    CNI_TRY(cni_divided_make_landing_room(&k->base, k->base.head.mailbox.waiting + 1));
    uint64_t header = cni_deflection_header(k, source, destination);
    uint64_t hops = cni_deflection_hops_of(k, source, header);
    cn_delivery delivery = {.tag = tag,
                            .source = source,
                            .destination = destination,
                            .injected = k->base.cycle,
                            .hops = hops,
                            .flits = k->shape.tail + 1};
    CNI_TRY(cni_mailbox_post(&k->base.head.mailbox, number, &delivery));
    uint64_t at = source - k->shape.first;
    k->queue[at * k->shape.slots + k->length[at]++] =
        (k->base.cycle - k->epoch) << k->shape.created_shift | source << k->shape.source_shift |
        number << k->shape.number_shift | cni_deflection_hop_field(&k->shape, hops) |
        UINT64_C(1) << k->shape.tag_shift | header;
    k->holds[at / CNI_BLOCK] |= UINT64_C(1) << at % CNI_BLOCK;
    count_injected(k, source, 1, hops);
    return CN_OK;
}

/* ---- counting ---- */

/* Counts flits. The flits that messages on channels have still to send are not counted yet. */
static void count_flits(const cni_deflection *k, uint64_t counters[CNI_COUNTERS])
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t *flits = counters + CNI_COUNT_FLITS;
    flits[CNI_CROSSING_FIRST] = (s->tail + 1) * counters[CNI_COUNT_FIRST_PHASE];
    flits[CNI_CROSSING_SECOND] = (s->tail + 1) * counters[CNI_COUNT_SECOND_PHASE];
    flits[CNI_CROSSING_LAST] = (s->tail + 1) * counters[CNI_COUNT_DELIVERED];
    for (uint32_t p = 0; s->period != 0 && p < s->ports; p++)
        for (uint32_t i = 0; i < cni_team_workers(k->base.team); i++)
            for (int c = 0; c < CNI_CROSSINGS; c++)
                flits[c] += cni_deflection_worker_at(k, i)->crossing[p][c] *
                            (k->base.cycle % s->period - p);
}

static void read_counters(const void *state, uint64_t counters[CNI_COUNTERS])
{
    const cni_deflection *k = state;
    cni_divided_count(&k->base, counters);
    counters[CNI_COUNT_NODES] = k->base.cycle * k->any.endpoints;
    counters[CNI_COUNT_CHANNELS] = k->base.cycle * k->any.channels;
    count_flits(k, counters);
}

static uint64_t in_flight(const void *state)
{
    const cni_deflection *k = state;
    uint64_t messages = 0;
    for (uint64_t at = 0; at < k->base.part.end - k->base.part.first; at++)
        messages += k->length[at];
    for (uint64_t i = 0; k->tails != NULL && i < k->shape.ports * k->shape.stride; i++)
        messages += k->tails[i] != CNI_NO_MESSAGE;
    return messages;
}

#define KERNEL(which, divides)                                                                    \
    {                                                                                             \
        .variant = which, .open = cni_deflection_open, .close = cni_deflection_close,             \
        .visit = cni_deflection_visit, .step = step_kernel, .next_event = cni_divided_next_event, \
        .skip = skip_cycles, .can_accept = can_accept, .queued = queued_at,                       \
        .inject = inject_message, .report_trace = cni_head_report_trace,                          \
        .next_delivery = cni_head_fetch, .count = read_counters, .in_flight = in_flight,          \
        .delays = cni_divided_gather, .clear_delays = cni_divided_clear_delays,                   \
        .evaluate = cni_deflection_evaluate, .read = cni_deflection_read, .part = divides,        \
    }

const cni_kernel cni_deflection_kernel = KERNEL(CNI_STORE_AND_FORWARD, cni_divided_part);
const cni_kernel cni_cut_through_deflection_kernel = KERNEL(CNI_CUT_THROUGH, NULL);

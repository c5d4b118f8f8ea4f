/* The kernel of deflection routing around its cycle: stepping, injecting, counting. */
#include "simulation/deflection/deflection.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "routing/decisions/channels.h"
#include "simulation/deflection/deflection_kernel.h"
#include "simulation/deflection/deflection_node.h"
#include "simulation/kernel/rates.h"
#include "topology/topology.h"

static void close_kernel(void *state)
{
    cni_deflection_close(state);
}

static cn_status open_kernel(const cn_scenario *scenario, uint64_t seed, void **state)
{
    cni_deflection *k = cni_allocate(1, sizeof *k);
    CNI_TRY_MEMORY(k);
    cn_status status = cni_deflection_open(scenario, seed, k);
    if (status == CN_OK)
        *state = k;
    else
        cni_deflection_close(k);
    return status;
}

/* ---- stepping ---- */

/* The header of a message that has arrived is the number of the node where it is. */
static void put_aside(const cni_deflection *k, cni_deflection_worker *w, uint64_t cycle,
                      uint64_t message)
{
    const cni_landing landing = {cycle, message & k->shape.header_mask, {message}};
    cni_landings_add(&w->tagged, &landing);
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

/* The one of the mailbox that waits for a message. */
static cn_delivery *find_tagged(const cni_deflection *k, uint64_t message)
{
    uint64_t source, number, created = cni_deflection_name(k, message, &source, &number);
    return cni_mailbox_find(&k->mailbox, created, source, number);
}

cn_delivery *cni_deflection_find_letter(void *kernel, const uint64_t *message, uint64_t *number)
{
    const cni_deflection *k = kernel;
    uint64_t source, created = cni_deflection_name(k, *message, &source, number);
    if ((*message >> k->shape.tag_shift & 1) == 0)
        return NULL;
    return cni_mailbox_find(&k->mailbox, created, source, *number);
}

/* By a routing, a node has no room for what comes in rows beyond its inlets. */
int cni_deflection_allows(const void *kernel, uint64_t row, uint64_t node, const uint64_t *message,
                          uint64_t cycle)
{
    const cni_deflection *k = kernel;
    const cni_deflection_shape *s = &k->shape;
    uint64_t source, number, created = cni_deflection_name(k, *message, &source, &number);
    uint64_t header = *message & s->header_mask;
    int is_tagged = (*message >> s->tag_shift & 1) != 0;
    if (created > cycle || source >= s->nodes ||
        (k->form == CNI_FORM_ROUTED && row >= s->buffers - k->any.keeps[node]))
        return 0;
    return (header == (k->form == CNI_FORM_ROUTED ? node : 0) ||
            cni_deflection_is_header(k, node, header)) &&
           (is_tagged || k->slotted.trace == NULL ||
            cni_slotted_has(&k->slotted, created, source, number));
}

/* Hops that a message has still to make, as its header at a node says. */
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
    cn_delivery *delivery = is_tagged ? find_tagged(k, message) : NULL;
    if (delivery != NULL) {
        delivery->deflections += 1;
        delivery->hops += more;
    }
    uint64_t room = s->hop_mask - (message >> s->hop_shift & s->hop_mask);
    return message + ((more < room ? more : room) << s->hop_shift);
}

void cni_deflection_count_arrivals(const cni_deflection *k, cni_deflection_worker *w,
                                   uint64_t cycle)
{
    uint64_t traced = k->mailbox.reports_trace ? UINT64_C(1) << k->shape.tag_shift : 0;
    uint64_t delay = 0, tagged = traced, now = cycle - k->epoch;
    for (size_t i = 0; i < w->arrivals; i++) {
        uint64_t message = w->arrival[i], age = now - (message >> k->shape.created_shift);
        delay += age;
        tagged |= message;
        cni_histogram_add(&w->delays, age);
    }
    w->counters[CNI_COUNT_DELIVERED] += w->arrivals;
    w->counters[CNI_COUNT_DELAY] += delay;
    if (w->hops != NULL)
        cni_deflection_count_delivered(k, w);
    if (tagged >> k->shape.tag_shift & 1)
        for (size_t i = 0; i < w->arrivals; i++)
            if ((w->arrival[i] | traced) >> k->shape.tag_shift & 1)
                put_aside(k, w, cycle, w->arrival[i]);
    w->arrivals = 0;
    cni_deflection_add_distances(w);
}

int cni_deflection_has_avx512(void)
{
#if CNI_AVX512
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

static cni_deflection_pass_fn choose_pass(const cni_deflection *k)
{
    if (k->shape.period != 0)
        return cni_deflection_passes_cut_through[k->form];
#if CNI_AVX512
    if (cni_deflection_has_avx512())
        return cni_deflection_passes_avx512[k->form];
#endif
#if CNI_BMI2
    if (__builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt"))
        return cni_deflection_passes_bmi2[k->form];
#endif
    return cni_deflection_passes[k->form];
}

/* The first pass admits nothing. */
static void pass(void *kernel, uint32_t worker, uint64_t cycle, int in, int out, uint32_t stage)
{
    cni_deflection *k = kernel;
    k->pass(k, k->workers[worker], cycle, in, out, stage);
}

static cn_status run(cni_deflection *k, uint64_t cycles)
{
    const cni_deflection_shape *s = &k->shape;
    cni_part_cycles order = {.part = &k->part,
                             .team = k->team,
                             .kernel = k,
                             .pass = pass,
                             .first = k->cycle,
                             .cycles = cycles};
    for (int i = 0; i < 2; i++)
        order.bank[i] = (cni_part_bank){.word = k->channel[i],
                                        .stride = s->stride,
                                        .rows = s->rows,
                                        .kept = s->rows,
                                        .sent = k->sent[i],
                                        .sent_stride = s->blocks + 2};
    cni_part_run_cycles(&order);
    return k->part.status;
}

/* The deflections of the messages of a trace, and so their hops, are not known. */
static void deliver_one(cni_deflection *k, uint64_t message, uint64_t cycle)
{
    uint64_t source, number, created = cni_deflection_name(k, message, &source, &number);
    if ((message >> k->shape.tag_shift & 1) != 0)
        cni_mailbox_arrive(&k->mailbox, find_tagged(k, message), cycle);
    else
        cni_mailbox_report(&k->mailbox, cni_slotted_message(&k->slotted, created, source, number),
                           cycle, 0, k->shape.tail + 1);
}

/* Hands the tagged arrivals to the mailbox, by cycle and destination. */
static void deliver_tagged(cni_deflection *k)
{
    const cni_landings *of[CNI_MAX_WORKERS];
    size_t next[CNI_MAX_WORKERS] = {0};
    uint32_t workers = cni_team_workers(k->team);
    for (uint32_t i = 0; i < workers; i++)
        of[i] = &k->workers[i]->tagged;
    for (const cni_landing *l; (l = cni_landings_next(of, workers, next)) != NULL;)
        deliver_one(k, l->message[0], l->cycle);
    for (uint32_t i = 0; i < workers; i++)
        k->workers[i]->tagged.count = 0;
}

/* After an epoch that is so much later. */
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

/* Moves the epoch forward by half of what the age field spans. */
static cn_status move_epoch(cni_deflection *k)
{
    uint64_t shift = (k->greatest_created + 2) / 2;
    for (uint64_t node = k->part.first; node < k->part.end; node++) {
        uint64_t at = node - k->part.first, *queue = k->queue + at * k->shape.slots;
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

cn_status cni_deflection_make_tagged_room(cni_deflection *k, size_t needed)
{
    for (uint32_t i = 0; i < cni_team_workers(k->team); i++)
        CNI_TRY(cni_landings_make_room(&k->workers[i]->tagged, needed));
    return CN_OK;
}

/* Accepted and not delivered. */
static uint64_t present(const cni_deflection *k)
{
    uint64_t messages = k->injected[CNI_COUNT_ACCEPTED] + k->part.balance;
    for (uint32_t i = 0; i < cni_team_workers(k->team); i++)
        messages += k->workers[i]->counters[CNI_COUNT_ACCEPTED] -
                    k->workers[i]->counters[CNI_COUNT_DELIVERED];
    return messages;
}

static uint64_t next_event(const void *state)
{
    const cni_deflection *k = state;
    return present(k) > 0 || k->part.parts > 0 ? k->cycle + 1
                                               : cni_slotted_next(&k->slotted, k->cycle);
}

/* The epoch moves as in step_kernel(): it decides when a message is too old. */
static void skip(void *state, uint64_t cycles)
{
    cni_deflection *k = state;
    uint64_t shift = (k->greatest_created + 2) / 2;
    k->cycle += cycles;
    uint64_t now = k->cycle - k->epoch;
    if (now > k->greatest_created)
        k->epoch += (now - k->greatest_created + shift - 1) / shift * shift;
}

/* Messages that may be delivered in so many cycles: the trace's own may come from any part. */
static uint64_t most_traced(const cni_deflection *k, uint64_t cycles)
{
    uint64_t first = k->part.parts > 0 ? 0 : k->cycle;
    return present(k) + cni_slotted_between(&k->slotted, first, k->cycle + cycles);
}

static cn_status step_kernel(void *state, uint64_t cycles)
{
    cni_deflection *k = state;
    k->pass = choose_pass(k);
    if (k->cycle == 0 && cycles > 0 && k->slotted.trace != NULL)
        cni_deflection_admit_first(k);
    while (cycles > 0) {
        uint64_t room = k->greatest_created - (k->cycle - k->epoch);
        if (room == 0) {
            CNI_TRY(move_epoch(k));
            continue;
        }
        uint64_t now = cycles < room ? cycles : room;
        k->traced = k->mailbox.reports_trace ? most_traced(k, now) : 0;
        if (k->traced > 0) {
            CNI_TRY(cni_deflection_make_tagged_room(k, k->mailbox.waiting + k->traced));
            CNI_TRY(cni_mailbox_make_room(&k->mailbox, k->traced));
        }
        CNI_TRY(run(k, now));
        k->cycle += now;
        cycles -= now;
        deliver_tagged(k);
    }
    return CN_OK;
}

/* ---- messages from the caller ---- */

/* How many messages of this source were admitted at the end of the present cycle. They are all still
 * there: nothing has moved since. */
static uint64_t admitted_now(const cni_deflection *k, uint64_t source)
{
    const uint64_t at = source - k->shape.first, *queue = k->queue + at * k->shape.slots;
    uint64_t stamp = (k->cycle - k->epoch) << k->shape.created_shift | source
                                                                           << k->shape.source_shift;
    uint64_t found = 0;
    for (uint32_t m = 0; m < k->length[at]; m++)
        found += queue[m] >> k->shape.source_shift == stamp >> k->shape.source_shift;
    return found;
}

static cn_status can_accept(const void *state, const char *function, uint64_t source)
{
    const cni_deflection *k = state;
    if (k->form == CNI_FORM_ROUTED)
        CNI_TRY(cni_network_check_node(function, &k->any.network, "source", source));
    return k->length[source - k->shape.first] < k->shape.buffers ? CN_OK : CN_REFUSED;
}

static uint64_t queued(const void *state, uint64_t node)
{
    const cni_deflection *k = state;
    return k->length[node - k->shape.first];
}

static void count_injected(cni_deflection *k, uint64_t source, int is_accepted)
{
    k->injected[CNI_COUNT_OFFERED] += 1;
    k->injected[CNI_COUNT_ACCEPTED] += is_accepted != 0;
    if (k->own.plane != NULL)
        cni_deflection_count_new(k, source, 1, is_accepted != 0);
}

static cn_status inject(void *state, uint64_t source, uint64_t destination, uint64_t flits,
                        uint64_t tag)
{
    cni_deflection *k = state;
    (void)flits;
    cn_status accepts = can_accept(k, "cn_sim_inject", source);
    if (k->form == CNI_FORM_ROUTED && accepts >= CN_OK)
        CNI_TRY(
            cni_network_check_node("cn_sim_inject", &k->any.network, "destination", destination));
    if (accepts == CN_REFUSED)
        count_injected(k, source, 0);
    CNI_TRY(accepts);
    uint64_t number = admitted_now(k, source);
    CNI_TRY(cni_deflection_make_tagged_room(k, k->mailbox.waiting + 1));
    uint64_t header = cni_deflection_header(k, source, destination);
    uint64_t hops = cni_deflection_hops_of(k, source, header);
    cn_delivery delivery = {.tag = tag,
                            .source = source,
                            .destination = destination,
                            .injected = k->cycle,
                            .hops = hops,
                            .flits = k->shape.tail + 1};
    CNI_TRY(cni_mailbox_post(&k->mailbox, number, &delivery));
    uint64_t at = source - k->shape.first;
    k->queue[at * k->shape.slots + k->length[at]++] =
        (k->cycle - k->epoch) << k->shape.created_shift | source << k->shape.source_shift |
        number << k->shape.number_shift | cni_deflection_hop_field(&k->shape, hops) |
        UINT64_C(1) << k->shape.tag_shift | header;
    k->holds[at / CNI_BLOCK] |= UINT64_C(1) << at % CNI_BLOCK;
    count_injected(k, source, 1);
    k->injected[CNI_COUNT_DISTANCE] += hops;
    return CN_OK;
}

static void report_trace(void *state)
{
    cni_deflection *k = state;
    k->mailbox.reports_trace = 1;
}

static cn_status next_delivery(void *state, cn_delivery *delivery)
{
    cni_deflection *k = state;
    return cni_mailbox_fetch(&k->mailbox, delivery);
}

/* ---- counting ---- */

/* Of messages that are still on channels, those that have crossed by now. */
static void count_flits(const cni_deflection *k, uint64_t counters[CNI_COUNTERS])
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t *flits = counters + CNI_COUNT_FLITS;
    flits[CNI_CROSSING_FIRST] = (s->tail + 1) * counters[CNI_COUNT_FIRST_PHASE];
    flits[CNI_CROSSING_SECOND] = (s->tail + 1) * counters[CNI_COUNT_SECOND_PHASE];
    flits[CNI_CROSSING_LAST] = (s->tail + 1) * counters[CNI_COUNT_DELIVERED];
    for (uint32_t p = 0; s->period != 0 && p < s->ports; p++)
        for (uint32_t i = 0; i < cni_team_workers(k->team); i++)
            for (int c = 0; c < CNI_CROSSINGS; c++)
                flits[c] += k->workers[i]->crossing[p][c] * (k->cycle % s->period - p);
}

static void count(const void *state, uint64_t counters[CNI_COUNTERS])
{
    const cni_deflection *k = state;
    memcpy(counters, k->injected, sizeof k->injected);
    for (uint32_t i = 0; i < cni_team_workers(k->team); i++)
        for (size_t c = 0; c < CNI_COUNTERS; c++)
            counters[c] += k->workers[i]->counters[c];
    int is_routed = k->form == CNI_FORM_ROUTED;
    counters[CNI_COUNT_CYCLES] = k->cycle;
    uint64_t nodes = k->part.end - k->part.first;
    counters[CNI_COUNT_NODES] = k->cycle * (is_routed ? k->any.served : nodes);
    counters[CNI_COUNT_CHANNELS] =
        k->cycle * (is_routed ? k->any.channels : nodes * k->shape.ports);
    count_flits(k, counters);
}

static uint64_t in_flight(const void *state)
{
    const cni_deflection *k = state;
    uint64_t messages = 0;
    for (uint64_t at = 0; at < k->part.end - k->part.first; at++)
        messages += k->length[at];
    for (uint64_t i = 0; k->tails != NULL && i < k->shape.ports * k->shape.stride; i++)
        messages += k->tails[i] != CNI_NO_MESSAGE;
    return messages;
}

/* Worker 0 collects what the others have. */
static const cni_histogram *delays(const void *state)
{
    const cni_deflection *k = state;
    for (uint32_t i = 1; i < cni_team_workers(k->team); i++) {
        cni_histogram_merge(&k->workers[0]->delays, &k->workers[i]->delays);
        cni_histogram_clear(&k->workers[i]->delays);
    }
    return &k->workers[0]->delays;
}

static void clear_delays(void *state)
{
    cni_deflection *k = state;
    for (uint32_t i = 0; i < cni_team_workers(k->team); i++)
        cni_histogram_clear(&k->workers[i]->delays);
}

static cni_part *part_of(void *state)
{
    return &((cni_deflection *)state)->part;
}

#define KERNEL(which, divides)                                                             \
    {                                                                                      \
        .variant = which, .open = open_kernel, .close = close_kernel,                      \
        .visit = cni_deflection_visit, .step = step_kernel, .next_event = next_event,      \
        .skip = skip, .can_accept = can_accept, .queued = queued, .inject = inject,        \
        .report_trace = report_trace, .next_delivery = next_delivery, .count = count,      \
        .in_flight = in_flight, .delays = delays, .clear_delays = clear_delays,            \
        .evaluate = cni_deflection_evaluate, .read = cni_deflection_read, .part = divides, \
    }

const cni_kernel cni_deflection_kernel = KERNEL(CNI_STORE_AND_FORWARD, part_of);
const cni_kernel cni_cut_through_deflection_kernel = KERNEL(CNI_CUT_THROUGH, NULL);

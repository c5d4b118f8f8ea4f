/* The kernels that store and forward, around their clocks: stepping, injecting, counting. */
#include "simulation/store_forward/store_forward.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/system.h"
#include "simulation/kernel/rates.h"
#include "simulation/store_forward/store_forward_kernel.h"

/* ---- counting ---- */

static void read_counters(const void *state, uint64_t counters[CNI_COUNTERS])
{
    const cni_store *k = state;
    cni_divided_count(&k->base, counters);
    counters[CNI_COUNT_NODE_CYCLES] = k->endpoints * k->base.cycle;
    counters[CNI_COUNT_CHANNEL_CYCLES] = k->channels * k->base.cycle;
    counters[CNI_COUNT_SPARE] = k->spare * k->base.cycle;
}

static uint64_t queued_at(const void *state, uint64_t node)
{
    const cni_store *k = state;
    uint64_t messages = 0;
    for (uint32_t port = 0; port < k->queues; port++)
        messages +=
            cni_queue_length(&k->queue[cni_store_queue(k->queues, cni_store_at(k, node), port)]);
    return messages;
}

static uint64_t in_flight(const void *state)
{
    const cni_store *k = state;
    uint64_t messages = 0;
    for (uint64_t q = 0; q < cni_store_queues(k->queues, cni_store_nodes(k)); q++)
        messages += cni_queue_length(&k->queue[q]);
    return messages;
}

static void read_messages(const cni_store *k, cni_counts *counts)
{
    cni_divided_gather(&k->base);
    cni_counts_copy(counts, &k->base.counts);
    cni_counts_find_forwarded(k->network.topology, counts);
    memcpy(counts->offered, counts->accepted, (size_t)counts->nodes * sizeof *counts->offered);
    /* cni_counts_join() has subtracted the ticks at which the present messages joined */
    for (uint64_t v = 0; !k->slotted_clock && v < k->shape.nodes; v++)
        counts->queue[v] += (k->base.cycle << CNI_TICK_BITS) * queued_at(k, v);
    if (k->shape.form != CNI_STORE_CUBE && k->shape.form != CNI_STORE_RINGS && k->shape.hop == 0)
        counts->hops = NULL;
    counts->broadcasts = NULL;
}

static void read_counts(const void *state, cni_counts *counts)
{
    const cni_store *k = state;
    if (cni_counts_all(counts))
        read_messages(k, counts);
    else
        cni_counts_copy(counts, &k->base.counts);
}

/* ---- stepping ---- */

static void report_arrival(cni_divided *base, const cni_landing *landing)
{
    const cni_store *k = (cni_store *)base;
    cni_mailbox *mailbox = &base->head.mailbox;
    uint64_t created = landing->message[0], identity = landing->message[1];
    if ((identity >> k->shape.injected_shift & 1) == 0) {
        const cni_trace_message *m = cni_store_find_traced(k, created, identity);
        if (m != NULL)
            cni_mailbox_report(mailbox, m, landing->cycle,
                               cni_store_hops(k, identity, m->destination), 1);
        return;
    }
    cni_letter *letter = cni_store_find_letter(k, created, identity);
    if (letter != NULL)
        letter->hops += (uint32_t)cni_store_hops(k, identity, letter->destination);
    cni_mailbox_arrive(mailbox, letter, landing->cycle);
}

static cn_status fail_numbers(const cni_store *k, uint64_t node, uint64_t cycle)
{
    return cni_fail(
        CN_ERR_OVERFLOW, "more than %llu messages came in at node %llu at the end of cycle %llu",
        (unsigned long long)k->shape.numbers, (unsigned long long)node, (unsigned long long)cycle);
}

/* Reports the failure of a worker. Workers may be other threads, and an error message belongs to
 * its thread, so the calling thread writes it. */
static cn_status check_workers(const cni_store *k)
{
    for (uint32_t i = 0; i < cni_team_workers(k->base.team); i++) {
        const cni_store_worker *w = cni_store_worker_at(k, i);
        unsigned long long node = w->failed_at, cycle = atomic_load(&w->failed);
        if (w->status == CN_ERR_OVERFLOW)
            return fail_numbers(k, node, cycle);
        if (w->status != CN_OK)
            return cni_fail(CN_ERR_MEMORY,
                            "out of memory: a queue of node %llu cannot grow at cycle %llu", node,
                            cycle);
    }
    return CN_OK;
}

int cni_store_fits_lanes(const cni_store *k)
{
    const cni_mailbox *mailbox = &k->base.head.mailbox;
    return !k->shape.is_wide && k->seen_length == NULL && mailbox->waiting == 0 &&
           !mailbox->reports_trace && k->shape.form != CNI_STORE_CLASSED;
}

/* As cni_part_cycles.pass. */
static void pass_worker(void *kernel, uint32_t worker, uint64_t cycle, int in, int out)
{
    const cni_store *k = kernel;
    cni_store_worker *w = cni_store_worker_at(k, worker);
    const cni_store_moment now = {
        .cycle = cycle,
        .seed = cni_random_derive(k->base.seed, cycle),
        .in = in == CNI_NO_BANK ? NULL : k->channel[in],
        .out = out == CNI_NO_BANK ? NULL : k->channel[out],
        .admits = in != CNI_NO_BANK ? k->base.slotted.traffic != NULL || k->load > 0.0
                                    : k->base.slotted.trace != NULL && cycle == 0,
    };
    cni_store_walk *walk =
        k->by_lanes && cni_store_fits_lanes(k) ? cni_store_walk_lanes : cni_store_walk_each;
    cni_divided_find_listed(&k->base, &w->hand, w->first_node, cycle);
    cn_status status = walk(k, w, &now, w->first_node, w->end_node);
    if (status != CN_OK) {
        w->status = status;
        atomic_store_explicit(&w->failed, cycle, memory_order_relaxed);
        return;
    }
    cni_store_count_arrivals(k, w, cycle, cycle);
    if (now.out == NULL)
        return;
    /* the sum over all workers and parts is the number of messages in the network */
    w->hand.counters[CNI_COUNT_WAITING] +=
        w->hand.counters[CNI_COUNT_ACCEPTED] - w->hand.counters[CNI_COUNT_DELIVERED];
}

/* Whether some worker has failed in this cycle or before. */
static int has_failed(const void *kernel, uint64_t cycle)
{
    const cni_store *k = kernel;
    int failed = 0;
    for (uint32_t i = 0; i < cni_team_workers(k->base.team); i++)
        failed |=
            atomic_load_explicit(&cni_store_worker_at(k, i)->failed, memory_order_relaxed) <= cycle;
    return failed;
}

cn_status cni_store_run_cycles(cni_store *k, uint64_t cycles)
{
    cni_part_cycles order = {.part = &k->base.part,
                             .team = k->base.team,
                             .kernel = k,
                             .pass = pass_worker,
                             .has_failed = has_failed,
                             .first = k->base.cycle,
                             .cycles = cycles};
    for (int i = 0; i < 2; i++)
        order.bank[i] = (cni_part_bank){.word = k->channel[i],
                                        .stride = k->shape.stride,
                                        .rows = k->rows,
                                        .kept = k->shape.ports};
    cni_part_run_cycles(&order);
    CNI_TRY(check_workers(k));
    return k->base.part.status;
}

/* Runs as many cycles as the epoch has room for, but no more than *cycles; returns the number in
 * *cycles. */
static cn_status run_part(cni_store *k, uint64_t *cycles)
{
    CNI_TRY(cni_store_move_epoch(k));
    uint64_t room = k->shape.span - (k->base.cycle - k->shape.epoch);
    if (room < *cycles)
        *cycles = room;
    CNI_TRY(cni_store_run_cycles(k, *cycles));
    k->base.cycle += *cycles;
    cni_divided_land(&k->base, report_arrival);
    return CN_OK;
}

static cn_status run_slotted(cni_store *k, uint64_t cycles)
{
    CNI_TRY(cni_divided_make_trace_room(&k->base, cycles));
    k->injections = 0;
    for (uint64_t part = cycles; cycles > 0; part = cycles -= part)
        CNI_TRY(run_part(k, &part));
    return CN_OK;
}

static cn_status step_kernel(void *state, uint64_t cycles)
{
    cni_store *k = state;
    if (k->slotted_clock)
        return run_slotted(k, cycles);
    cn_status status = cni_store_run_events(k, cycles);
    cni_divided_land(&k->base, report_arrival);
    return status;
}

static uint64_t next_event(const void *state)
{
    const cni_store *k = state;
    return k->slotted_clock ? cni_divided_next_event(state) : cni_store_next_unit(k);
}

static void skip_cycles(void *state, uint64_t cycles)
{
    cni_store *k = state;
    if (!k->slotted_clock)
        cni_store_run_events(k, cycles); /* before the next event, so only the clock moves */
    else
        k->base.cycle += cycles;
    if (!k->shape.is_wide)
        k->shape.epoch = k->base.cycle; /* the network is empty */
    k->injections = 0;
}

/* ---- messages from the caller ---- */

/* The number of a message that is injected now, among the messages of its source and cycle.
 * Other parts inject messages that this part does not know, so the slotted clock numbers by
 * source. Nothing has moved since the last injection, so the last injected message is at the
 * tail of a queue of the source, and has the greatest number there. The continuous clock, which
 * has no parts, numbers over all nodes. */
static uint64_t next_number(const cni_store *k, uint64_t source)
{
    const cni_store_shape *s = &k->shape;
    const cni_pool *pool = &cni_store_worker_of(k, source)->pool;
    uint64_t number = 0;
    if (!k->slotted_clock || k->injections == 0)
        return k->injections;
    for (uint32_t port = 0; port < k->queues; port++) {
        uint64_t q = cni_store_queue(k->queues, cni_store_at(k, source), port);
        uint32_t length = cni_queue_length(&k->queue[q]);
        if (length == 0)
            continue;
        const uint64_t *last =
            pool->words + (uint64_t)cni_queue_place(&k->queue[q], length - 1) * s->width;
        const cni_message m = {last[0], last[k->shape.is_wide], 0};
        uint64_t next = (m.identity >> s->number_shift & (s->numbers - 1)) + 1;
        if ((m.identity >> s->injected_shift & 1) != 0 &&
            cni_store_source(s, m.identity) == source &&
            cni_store_created(s, &m) == k->base.cycle && number < next)
            number = next;
    }
    return number;
}

static cn_status check_numbers(cni_store *k, uint64_t source, uint64_t number)
{
    if (number >= k->shape.numbers && !k->shape.is_wide)
        CNI_TRY(cni_store_widen(k));
    if (!k->slotted_clock && k->base.cycle >> (64 - CNI_TICK_BITS) != 0)
        return cni_fail(CN_ERR_OVERFLOW, "cn_sim_inject: cycle = %llu, but it must be below 2^%d",
                        (unsigned long long)k->base.cycle, 64 - CNI_TICK_BITS);
    return number < k->shape.numbers ? CN_OK : fail_numbers(k, source, k->base.cycle);
}

static cn_status post_letter(cni_store *k, uint64_t number, const cn_delivery *delivery)
{
    CNI_TRY(cni_divided_make_landing_room(&k->base, k->base.head.mailbox.waiting + 1));
    return cni_mailbox_post(&k->base.head.mailbox, number, delivery);
}

static cn_status can_accept(const void *state, const char *function, uint64_t source)
{
    const cni_store *k = state;
    return cni_network_check_node(function, &k->network, "source", source);
}

static cn_status inject_message(void *state, uint64_t source, uint64_t destination, uint64_t flits,
                                uint64_t tag)
{
    cni_store *k = state;
    (void)flits;
    uint64_t stream = cni_random_derive(cni_random_derive(k->base.seed, k->base.cycle), source);
    CNI_TRY(cni_network_check_node("cn_sim_inject", &k->network, "source", source));
    CNI_TRY(cni_network_check_node("cn_sim_inject", &k->network, "destination", destination));
    uint64_t number = next_number(k, source);
    CNI_TRY(check_numbers(k, source, number));
    cn_delivery delivery = {.tag = tag,
                            .source = source,
                            .destination = destination,
                            .injected = k->base.cycle,
                            .flits = 1};
    uint64_t word = cni_random_word(stream, CNI_WORDS_INJECTED + number);
    cni_message m =
        cni_store_create(k, source, destination, number, 1,
                         k->slotted_clock ? k->base.cycle : k->base.cycle << CNI_TICK_BITS,
                         cni_random_word(stream, CNI_WORDS_BEGIN_INJECTED + number));
    CNI_TRY(post_letter(k, number, &delivery));
    CNI_TRY(k->slotted_clock ? cni_store_join(k, source, &m, word)
                             : cni_store_disturb(k, source, &m, word));
    cni_store_count_new(cni_store_worker_at(k, 0), 1,
                        cni_store_distance(k, source, m.identity & k->shape.to_mask), 1);
    k->injections += 1;
    if (k->base.counts.words > 0)
        k->base.counts.accepted[cni_store_at(k, source)] += 1;
    if (k->base.counts.words > 0 && !k->slotted_clock)
        cni_counts_join(&k->base.counts, source, k->base.cycle << CNI_TICK_BITS);
    return CN_OK;
}

/* ---- results ---- */

/* Delays and waiting times are counted in units of 2^-delay_bits cycles. */
static uint32_t delay_bits(const cn_scenario *scenario)
{
    return scenario->value[CN_PARAM_SLOTTED] != 0.0 ? 0 : CNI_TICK_BITS;
}

/* Whether there is no steady state: the scenario's load is at its limit or above, or it leaves
 * less capacity than the injected messages need. */
static int is_saturated(const uint64_t counters[CNI_COUNTERS])
{
    double asked = (double)counters[CNI_COUNT_TRAVEL_INJECTED] * CNI_STORE_PARTS;
    return counters[CNI_COUNT_SPARE] == 0 || asked > (double)counters[CNI_COUNT_SPARE];
}

static void put_metrics(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                        cn_result *result)
{
    uint64_t cycles = counters[CNI_COUNT_CYCLES], accepted = counters[CNI_COUNT_ACCEPTED];
    uint64_t messages = counters[CNI_COUNT_DELIVERED];
    double unit = ldexp(1.0, -(int)delay_bits(scenario)), delivered = (double)messages;
    double node_cycles = (double)counters[CNI_COUNT_NODE_CYCLES];
    double channel_cycles = (double)counters[CNI_COUNT_CHANNEL_CYCLES];
    double hops = (double)counters[CNI_COUNT_HOPS];
    result->saturated = is_saturated(counters);
    cni_put_rates(counters, node_cycles, result);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, hops / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_TRANSIT_PROBABILITY, (hops - delivered) / channel_cycles,
                   cycles);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE,
                   (double)counters[CNI_COUNT_TRAVEL] / (double)accepted, accepted);
    cni_result_put(result, CN_METRIC_SURVIVOR_FRACTION,
                   node_cycles / ((double)scenario->topology->nodes * (double)cycles), cycles);
    cni_result_put(result, CN_METRIC_REACHABLE_FRACTION, 1.0, cycles);
    if (result->saturated)
        return;
    cni_put_delay(counters, (double)counters[CNI_COUNT_DELAY] * unit / delivered, result);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH,
                   (double)counters[CNI_COUNT_WAITING] * unit / node_cycles, cycles);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, hops / delivered, messages);
}

#define STORE_KERNEL(which)                                                                   \
    {                                                                                         \
        .variant = which, .open = cni_store_open, .close = cni_store_close,                   \
        .settle = cni_store_settle, .visit = cni_store_visit, .step = step_kernel,            \
        .next_event = next_event, .skip = skip_cycles, .can_accept = can_accept,              \
        .queued = queued_at, .inject = inject_message, .report_trace = cni_head_report_trace, \
        .next_delivery = cni_head_fetch, .count = read_counters, .in_flight = in_flight,      \
        .delays = cni_divided_gather, .clear_delays = cni_divided_clear_delays,               \
        .delay_bits = delay_bits, .evaluate = put_metrics, .shorten = cni_store_shorten,      \
        .takes_all = cni_store_takes_all, .read = read_counts, .part = cni_divided_part,      \
    }

const cni_kernel cni_separate_buffers_kernel = STORE_KERNEL(CNI_STORE_SEPARATE);
const cni_kernel cni_shared_buffer_kernel = STORE_KERNEL(CNI_STORE_SHARED);

/* The kernel of deflection routing around its cycle: opening, stepping, injecting, counting. */
#include "simulation/deflection/deflection.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "routing/decisions/channels.h"
#include "simulation/deflection/deflection_kernel.h"
#include "simulation/deflection/deflection_node.h"
#include "simulation/kernel/rates.h"
#include "topology/topology.h"

enum { WORDS_OF_CACHE_LINE = 8 };

/* Nodes below which another thread costs more than it brings. */
enum { NODES_PER_WORKER = 256 };

/* The age field must span this many bits to keep any two messages of a real run apart. */
enum { LEAST_CREATED_BITS = 12 };

/* Headers of up to this many bits have their preferred channels in a table. */
enum { TABLE_BITS = 16 };

static uint32_t bits_for(uint64_t greatest)
{
    uint32_t bits = 0;
    for (; greatest > 0; greatest >>= 1)
        bits++;
    return bits;
}

/* ---- opening ---- */

static cn_status lay_out(cni_deflection *k, const cn_topology *topology)
{
    if (!cni_is_kary_ncube(topology))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "deflection is simulated on hypercubes and k-ary n-cubes, not on %s; "
                        "cn_predict() has a model of it",
                        topology->name);
    k->shape.dimensions = topology->dimensions;
    k->shape.radix = topology->radix[0];
    k->shape.bidirectional = topology->max_degree > topology->dimensions;
    k->shape.digit_bits = bits_for(k->shape.radix - 1);
    uint32_t header_bits = k->shape.dimensions * k->shape.digit_bits;
    uint32_t source_bits = bits_for(k->shape.nodes - 1);
    uint32_t number_bits = bits_for(k->shape.buffers);
    uint32_t used = header_bits + 1 + number_bits + source_bits;
    if (k->shape.nodes > CNI_UNIFORM_NODES || header_bits > 31 || used > 64 - LEAST_CREATED_BITS)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "the simulator keeps a message in 64 bits, but on %s with buffers = %lu it "
                        "needs %lu for header, source and number and %d for the age",
                        topology->name, (unsigned long)k->shape.buffers, (unsigned long)used,
                        LEAST_CREATED_BITS);
    k->shape.header_mask = (UINT64_C(1) << header_bits) - 1;
    k->shape.tag_shift = header_bits;
    k->shape.number_shift = header_bits + 1;
    k->shape.source_shift = k->shape.number_shift + number_bits;
    k->shape.created_shift = k->shape.source_shift + source_bits;
    k->greatest_created =
        (UINT64_C(1) << (64 - k->shape.created_shift)) - 2; /* all ones: no message */
    return CN_OK;
}

static uint64_t header_as_message(const cni_deflection *k, uint64_t header)
{
    uint64_t fields = 0;
    for (uint32_t i = 0; i < k->shape.dimensions; i++, header /= k->shape.radix)
        fields |= header % k->shape.radix << i * k->shape.digit_bits;
    return fields;
}

static uint64_t header_of(const cni_deflection *k, uint64_t message)
{
    uint64_t header = 0, fields = message & k->shape.header_mask;
    for (uint32_t i = k->shape.dimensions; i-- > 0;)
        header = header * k->shape.radix +
                 (fields >> i * k->shape.digit_bits & ((UINT64_C(1) << k->shape.digit_bits) - 1));
    return header;
}

uint64_t cni_deflection_preferred(const cni_deflection *k, uint64_t header)
{
    return cni_preferred_channels(k->topology, header_of(k, header));
}

static cn_status make_preferred_table(cni_deflection *k)
{
    if (k->shape.radix == 2 || k->shape.dimensions * k->shape.digit_bits > TABLE_BITS)
        return CN_OK;
    k->preferred = cni_allocate((uint64_t)k->shape.header_mask + 1, sizeof *k->preferred);
    if (k->preferred == NULL)
        return CN_ERR_MEMORY;
    for (uint64_t header = 1; header < k->shape.nodes; header++)
        k->preferred[header_as_message(k, header)] = cni_preferred_channels(k->topology, header);
    return CN_OK;
}

static cn_status open_workers(cni_deflection *k, uint32_t threads)
{
    uint64_t useful = (k->shape.nodes + NODES_PER_WORKER - 1) / NODES_PER_WORKER;
    CNI_TRY(cni_team_open(threads < useful ? threads : (uint32_t)useful, &k->team));
    uint32_t workers = cni_team_workers(k->team);
    k->workers = cni_allocate(workers, sizeof *k->workers);
    if (k->workers == NULL)
        return CN_ERR_MEMORY;
    /* whole cache lines of channel words to each */
    uint64_t share = ((k->shape.nodes + workers - 1) / workers + WORDS_OF_CACHE_LINE - 1) /
                     WORDS_OF_CACHE_LINE * WORDS_OF_CACHE_LINE;
    for (uint32_t i = 0; i < workers; i++) {
        cni_deflection_worker *w = cni_allocate(1, sizeof *w);
        k->workers[i] = w;
        if (w == NULL)
            return CN_ERR_MEMORY;
        uint64_t first = i * share, end = first + share;
        w->first_node = first < k->shape.nodes ? first : k->shape.nodes;
        w->end_node = end < k->shape.nodes ? end : k->shape.nodes;
    }
    return CN_OK;
}

static cn_status open_state(cni_deflection *k)
{
    size_t nodes = (size_t)k->shape.nodes;
    k->shape.slots = (uint64_t)k->shape.buffers + 2;
    k->shape.stride = k->shape.nodes + WORDS_OF_CACHE_LINE;
    if (k->shape.slots > SIZE_MAX / nodes)
        return cni_fail(CN_ERR_MEMORY, "out of memory: %zu nodes of %llu messages", nodes,
                        (unsigned long long)k->shape.slots);
    k->queue = cni_allocate((uint64_t)nodes * k->shape.slots, sizeof *k->queue);
    k->length = cni_allocate(nodes, sizeof *k->length);
    for (int bank = 0; bank < 2; bank++)
        k->channel[bank] =
            cni_allocate((uint64_t)k->shape.stride * k->shape.ports, sizeof *k->channel[bank]);
    return k->queue && k->length && k->channel[0] && k->channel[1] ? CN_OK : CN_ERR_MEMORY;
}

static void close_kernel(void *state)
{
    cni_deflection *k = state;
    if (k->team != NULL && k->workers != NULL) {
        for (uint32_t i = 0; i < cni_team_workers(k->team); i++) {
            if (k->workers[i] != NULL)
                cni_release(k->workers[i]->tagged);
            cni_release(k->workers[i]);
        }
    }
    cni_release(k->workers);
    cni_team_close(&k->team);
    cni_mailbox_close(&k->mailbox);
    cni_slotted_close(&k->slotted);
    cni_release(k->preferred);
    cni_release(k->queue);
    cni_release(k->length);
    cni_release(k->channel[0]);
    cni_release(k->channel[1]);
    cni_release(k);
}

static cn_status open_kernel(const cn_scenario *scenario, uint64_t seed, void **state)
{
    cni_deflection *k = cni_allocate(1, sizeof *k);
    if (k == NULL)
        return CN_ERR_MEMORY;
    k->topology = scenario->topology;
    k->shape.nodes = scenario->topology->nodes;
    k->shape.ports = scenario->topology->max_degree;
    k->shape.buffers = (uint32_t)scenario->value[CN_PARAM_BUFFERS];
    k->seed = seed;
    cn_status status = lay_out(k, scenario->topology);
    if (status == CN_OK)
        status = cni_slotted_open(scenario, seed, &k->slotted);
    if (status == CN_OK)
        status = make_preferred_table(k);
    if (status == CN_OK)
        status = open_state(k);
    if (status == CN_OK)
        status = open_workers(k, (uint32_t)scenario->value[CN_PARAM_THREADS]);
    if (status == CN_OK)
        *state = k;
    else
        close_kernel(k);
    return status;
}

/* ---- stepping ---- */

void cni_deflection_count_arrivals(const cni_deflection *k, cni_deflection_worker *w,
                                   uint64_t cycle)
{
    uint64_t delay = 0, tagged = 0, now = cycle - k->epoch;
    for (size_t i = 0; i < w->arrivals; i++) {
        uint64_t message = w->arrival[i], age = now - (message >> k->shape.created_shift);
        delay += age;
        tagged |= message;
        cni_histogram_add(&w->delays, age);
    }
    w->counters[CNI_COUNT_DELIVERED] += w->arrivals;
    w->counters[CNI_COUNT_DELAY] += delay;
    if (tagged >> k->shape.tag_shift & 1)
        for (size_t i = 0; i < w->arrivals; i++)
            if (w->arrival[i] >> k->shape.tag_shift & 1)
                w->tagged[w->tagged_count++] = (cni_tagged_arrival){cycle, w->arrival[i]};
    w->arrivals = 0;
}

static cni_deflection_run_fn choose_run(const cni_deflection *k)
{
#if CNI_BMI2
    if (__builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt"))
        return k->shape.radix == 2 ? cni_deflection_run_boolean_bmi2 : cni_deflection_run_kary_bmi2;
#endif
    return k->shape.radix == 2 ? cni_deflection_run_boolean : cni_deflection_run_kary;
}

typedef struct run_order {
    cni_deflection *kernel;
    cni_deflection_run_fn run;
    uint64_t cycles;
} run_order;

static void run_worker(void *work, uint32_t worker)
{
    run_order *order = work;
    order->run(order->kernel, worker, order->cycles);
}

/* Hands the tagged arrivals to the mailbox, by cycle and destination. Each worker has its own in that
 * order, and the nodes of a worker are below those of the next. */
static void deliver_tagged(cni_deflection *k)
{
    if (k->mailbox.waiting == 0)
        return;
    uint32_t workers = cni_team_workers(k->team);
    size_t next[CNI_MAX_WORKERS] = {0};
    for (;;) {
        const cni_tagged_arrival *first = NULL;
        uint32_t of = 0;
        for (uint32_t i = 0; i < workers; i++) {
            const cni_deflection_worker *w = k->workers[i];
            if (next[i] < w->tagged_count &&
                (first == NULL || w->tagged[next[i]].cycle < first->cycle)) {
                first = &w->tagged[next[i]];
                of = i;
            }
        }
        if (first == NULL)
            break;
        next[of]++;
        uint64_t message = first->message;
        uint64_t source_mask =
            (UINT64_C(1) << (k->shape.created_shift - k->shape.source_shift)) - 1;
        uint64_t number_mask = (UINT64_C(1) << (k->shape.source_shift - k->shape.number_shift)) - 1;
        cni_mailbox_arrive(&k->mailbox, k->epoch + (message >> k->shape.created_shift),
                           message >> k->shape.source_shift & source_mask,
                           message >> k->shape.number_shift & number_mask, first->cycle);
    }
    for (uint32_t i = 0; i < workers; i++)
        k->workers[i]->tagged_count = 0;
}

/* Moves the epoch forward by half of what the age field spans. */
static cn_status move_epoch(cni_deflection *k)
{
    uint64_t shift = (k->greatest_created + 2) / 2;
    for (uint64_t node = 0; node < k->shape.nodes; node++) {
        uint64_t *queue = k->queue + node * k->shape.slots;
        for (uint32_t m = 0; m < k->length[node]; m++) {
            if (queue[m] >> k->shape.created_shift < shift)
                return cni_fail(CN_ERR_OVERFLOW,
                                "cn_sim_step: a message at node %llu has been in the network for "
                                "more than %llu cycles, the greatest age that a message can have",
                                (unsigned long long)node,
                                (unsigned long long)(k->greatest_created - shift));
            queue[m] -= shift << k->shape.created_shift;
        }
    }
    k->epoch += shift;
    return CN_OK;
}

static cn_status step_kernel(void *state, uint64_t cycles)
{
    cni_deflection *k = state;
    if (k->cycle == 0 && cycles > 0 && k->slotted.trace != NULL)
        cni_deflection_admit_first(k);
    while (cycles > 0) {
        uint64_t room = k->greatest_created - (k->cycle - k->epoch);
        if (room == 0) {
            CNI_TRY(move_epoch(k));
            continue;
        }
        run_order order = {k, choose_run(k), cycles < room ? cycles : room};
        cni_team_run(k->team, run_worker, &order);
        k->cycle += order.cycles;
        cycles -= order.cycles;
        deliver_tagged(k);
    }
    return CN_OK;
}

/* ---- messages from the caller ---- */

/* How many messages of this source were admitted at the end of the present cycle. They are all still
 * there: nothing has moved since. */
static uint64_t admitted_now(const cni_deflection *k, uint64_t source)
{
    const uint64_t *queue = k->queue + source * k->shape.slots;
    uint64_t stamp = (k->cycle - k->epoch) << k->shape.created_shift | source
                                                                           << k->shape.source_shift;
    uint64_t found = 0;
    for (uint32_t m = 0; m < k->length[source]; m++)
        found += queue[m] >> k->shape.source_shift == stamp >> k->shape.source_shift;
    return found;
}

/* Room for every waiting message in every worker: who will deliver it is not known. */
static cn_status make_tagged_room(cni_deflection *k)
{
    size_t needed = k->mailbox.waiting + 1;
    for (uint32_t i = 0; i < cni_team_workers(k->team); i++)
        CNI_TRY(cni_grow((void **)&k->workers[i]->tagged, &k->workers[i]->tagged_room, needed,
                         sizeof *k->workers[i]->tagged));
    return CN_OK;
}

static cn_status inject(void *state, uint64_t source, uint64_t destination, uint64_t tag)
{
    cni_deflection *k = state;
    if (k->length[source] == k->shape.buffers) {
        k->injected[CNI_COUNT_OFFERED] += 1;
        return CN_REFUSED;
    }
    uint64_t header, number = admitted_now(k, source);
    CNI_TRY(cn_topology_header(k->topology, source, destination, &header));
    CNI_TRY(make_tagged_room(k));
    cn_delivery delivery = {
        .tag = tag, .source = source, .destination = destination, .injected = k->cycle};
    CNI_TRY(cni_mailbox_post(&k->mailbox, number, &delivery));
    uint64_t fields = header_as_message(k, header);
    k->queue[source * k->shape.slots + k->length[source]++] =
        (k->cycle - k->epoch) << k->shape.created_shift | source << k->shape.source_shift |
        number << k->shape.number_shift | UINT64_C(1) << k->shape.tag_shift | fields;
    k->injected[CNI_COUNT_OFFERED] += 1;
    k->injected[CNI_COUNT_ACCEPTED] += 1;
    k->injected[CNI_COUNT_DISTANCE] += cni_deflection_distance(&k->shape, fields);
    return CN_OK;
}

static cn_status next_delivery(void *state, cn_delivery *delivery)
{
    cni_deflection *k = state;
    return cni_mailbox_fetch(&k->mailbox, delivery);
}

/* ---- counting ---- */

static void count(const void *state, uint64_t counters[CNI_COUNTERS])
{
    const cni_deflection *k = state;
    memcpy(counters, k->injected, sizeof k->injected);
    for (uint32_t i = 0; i < cni_team_workers(k->team); i++)
        for (size_t c = 0; c < CNI_COUNTERS; c++)
            counters[c] += k->workers[i]->counters[c];
    counters[CNI_COUNT_CYCLES] = k->cycle;
}

static uint64_t in_flight(const void *state)
{
    const cni_deflection *k = state;
    uint64_t messages = 0;
    for (uint64_t node = 0; node < k->shape.nodes; node++)
        messages += k->length[node];
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

static void evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                     cn_result *result)
{
    double node_cycles = (double)scenario->topology->nodes * (double)counters[CNI_COUNT_CYCLES];
    double channel_cycles = node_cycles * scenario->topology->max_degree;
    double offered = (double)counters[CNI_COUNT_OFFERED];
    double accepted = (double)counters[CNI_COUNT_ACCEPTED];
    double delivered = (double)counters[CNI_COUNT_DELIVERED];
    double first = (double)counters[CNI_COUNT_FIRST_PHASE];
    double second = (double)counters[CNI_COUNT_SECOND_PHASE];
    double deflected = (double)counters[CNI_COUNT_DEFLECTED];
    double hops = first + second;
    uint64_t cycles = counters[CNI_COUNT_CYCLES], messages = counters[CNI_COUNT_DELIVERED];

    cni_put_rates(counters, node_cycles, result);
    cni_put_delay(counters, (double)counters[CNI_COUNT_DELAY] / delivered, result);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH,
                   (double)counters[CNI_COUNT_QUEUE] / node_cycles, cycles);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, hops / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_FIRST_PHASE_UTILIZATION, first / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_SECOND_PHASE_UTILIZATION, second / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_FORWARDING_PROBABILITY, (hops - deflected) / channel_cycles,
                   cycles);
    cni_result_put(result, CN_METRIC_DEFLECTION_PROBABILITY, deflected / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_NET_PROGRESS, (hops - 2.0 * deflected) / channel_cycles,
                   cycles);
    cni_result_put(result, CN_METRIC_TRANSIT_PROBABILITY, (hops - delivered) / channel_cycles,
                   cycles);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, (double)counters[CNI_COUNT_DISTANCE] / accepted,
                   counters[CNI_COUNT_ACCEPTED]);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, hops / delivered, messages);
    /* Would the channels suffice if every offered message were let in and made these hops? */
    result->saturated = delivered > 0.0 && offered * (hops / delivered) > channel_cycles;
}

const cni_kernel cni_deflection_kernel = {
    .open = open_kernel,
    .close = close_kernel,
    .step = step_kernel,
    .inject = inject,
    .next_delivery = next_delivery,
    .count = count,
    .in_flight = in_flight,
    .delays = delays,
    .clear_delays = clear_delays,
    .evaluate = evaluate,
};

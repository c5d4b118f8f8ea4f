/* Statistics of the kernel of deflection routing, by channel, node and message. */
#include <string.h>

#include "simulation/deflection/deflection.h"
#include "simulation/kernel/rates.h"
#include "topology/topology.h"

/* The header of a collected message has been replaced by its node. */
void cni_deflection_count_delivered(const cni_deflection *k, cni_deflection_worker *w)
{
    for (size_t i = 0; i < w->arrivals; i++) {
        uint64_t message = w->arrival[i];
        k->base.counts.delivered[(message & k->shape.header_mask) - k->shape.first] += 1;
        cni_histogram_count(w->hand.hops, message >> k->shape.hop_shift & k->shape.hop_mask);
    }
}

void cni_deflection_count_queues(const cni_deflection *k, uint64_t block)
{
    uint64_t first = block * CNI_BLOCK, left = k->base.part.end - k->base.part.first - first;
    uint64_t *queue = k->base.counts.queue + first;
    const uint32_t *length = k->length + first;
    for (uint64_t j = 0; j < (left < CNI_BLOCK ? left : CNI_BLOCK); j++)
        queue[j] += length[j];
}

/* The load of a channel. A message within the part was counted by the receiving node and the row
 * of the channel, a message to another part by the place of the channel. */
static uint64_t read_load(const cni_deflection *k, uint64_t node, uint32_t port)
{
    const cni_deflection_shape *s = &k->shape;
    uint64_t row = port, far, place = port * s->stride + node - s->first;
    if (k->form != CNI_FORM_ROUTED) {
        far = k->topology->ops->neighbor(k->topology, node, port);
        if (!cni_part_has(&k->base.part, far))
            return k->base.part.gone[place];
        far -= s->first;
    } else if ((k->any.working[node] >> port & 1) != 0) {
        place = k->any.place[node * s->ports + port];
        row = place / s->stride;
        far = place % s->stride;
        if (row >= s->rows)
            return k->base.part.gone[place];
    } else {
        return 0;
    }
    return k->came[row * s->blocks * CNI_BLOCK + far];
}

static void read_loads(const cni_deflection *k, uint64_t loads[])
{
    for (uint64_t node = k->base.part.first; node < k->base.part.end; node++)
        for (uint32_t port = 0; port < k->shape.ports; port++)
            *loads++ = read_load(k, node, port);
}

/* Messages whose tail alone is missing are at their destination, and are not forwarded. */
static void leave_out_arriving(const cni_deflection *k, uint64_t forwarded[])
{
    for (uint32_t port = 0; port < k->shape.ports; port++)
        for (uint64_t node = 0; node < k->shape.nodes; node++)
            forwarded[node] -= k->tails[port * k->shape.stride + node] != CNI_NO_MESSAGE;
}

void cni_deflection_read(const void *state, cni_counts *counts)
{
    const cni_deflection *k = state;
    if (!cni_counts_all(counts)) {
        read_loads(k, counts->load);
        return;
    }
    cni_divided_gather(&k->base);
    cni_counts_copy(counts, &k->base.counts);
    read_loads(k, counts->load);
    cni_counts_find_forwarded(k->topology, counts);
    if (k->tails != NULL)
        leave_out_arriving(k, counts->forwarded);
    counts->broadcasts = NULL;
    if (k->shape.hop_mask == 0)
        counts->hops = NULL;
}

cn_status cni_deflection_visit_counts(cni_deflection *k, cni_archive *archive)
{
    const cni_deflection_shape *s = &k->shape;
    const cni_counts *all = &k->base.counts;
    cni_histogram *hops[CNI_MAX_WORKERS];
    if (all->words == 0)
        return CN_OK;
    uint64_t nodes = k->base.part.end - k->base.part.first;
    cni_archive_u64s(archive, all->offered, nodes);
    cni_archive_u64s(archive, all->accepted, nodes);
    cni_archive_u64s(archive, all->delivered, nodes);
    if (k->base.part.gone != NULL)
        cni_archive_u64s(archive, k->base.part.gone, k->words);
    cni_archive_u64s(archive, all->queue, nodes);
    for (uint64_t row = 0; row < s->rows; row++)
        cni_archive_u64s(archive, k->came + row * s->blocks * CNI_BLOCK, nodes);
    size_t threads = cni_divided_list_hops(&k->base, hops);
    return cni_archive_histogram(archive, hops, threads);
}

/* ---- metrics ---- */

/* Puts the metrics of channels. A channel is in use while flits cross it. In cut-through every
 * message that phase 2 sends is deflected. */
static void put_channels(const uint64_t counters[CNI_COUNTERS], int cuts_through, cn_result *result)
{
    const uint64_t *flits = counters + CNI_COUNT_FLITS;
    uint64_t cycles = counters[CNI_COUNT_CYCLES];
    double channel_cycles = (double)counters[CNI_COUNT_CHANNELS];
    double first = (double)flits[CNI_CROSSING_FIRST], second = (double)flits[CNI_CROSSING_SECOND];
    double deflected = cuts_through ? second : (double)counters[CNI_COUNT_DEFLECTED];
    double last = (double)flits[CNI_CROSSING_LAST];
    double hops = first + second;
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, hops / channel_cycles, cycles);
    if (!cuts_through) {
        cni_result_put(result, CN_METRIC_FIRST_PHASE_UTILIZATION, first / channel_cycles, cycles);
        cni_result_put(result, CN_METRIC_SECOND_PHASE_UTILIZATION, second / channel_cycles, cycles);
    }
    cni_result_put(result, CN_METRIC_FORWARDING_PROBABILITY, (hops - deflected) / channel_cycles,
                   cycles);
    cni_result_put(result, CN_METRIC_DEFLECTION_PROBABILITY, deflected / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_NET_PROGRESS, (hops - 2.0 * deflected) / channel_cycles,
                   cycles);
    cni_result_put(result, CN_METRIC_TRANSIT_PROBABILITY, (hops - last) / channel_cycles, cycles);
}

void cni_deflection_evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                             cn_result *result)
{
    double node_cycles = (double)counters[CNI_COUNT_NODES];
    double channel_cycles = (double)counters[CNI_COUNT_CHANNELS];
    double offered = (double)counters[CNI_COUNT_OFFERED];
    double accepted = (double)counters[CNI_COUNT_ACCEPTED];
    double delivered = (double)counters[CNI_COUNT_DELIVERED];
    double hops =
        (double)counters[CNI_COUNT_FIRST_PHASE] + (double)counters[CNI_COUNT_SECOND_PHASE];
    uint64_t cycles = counters[CNI_COUNT_CYCLES], messages = counters[CNI_COUNT_DELIVERED];
    uint64_t tail, period = cni_deflection_period(scenario, &tail);

    cni_put_rates(counters, node_cycles, result);
    cni_put_delay(counters, (double)counters[CNI_COUNT_DELAY] / delivered, result);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH,
                   (double)counters[CNI_COUNT_QUEUE] / node_cycles, cycles);
    put_channels(counters, period != 0, result);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, (double)counters[CNI_COUNT_DISTANCE] / accepted,
                   counters[CNI_COUNT_ACCEPTED]);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, hops / delivered, messages);
    if (cni_faults_of(scenario) != NULL || cni_is_damaged(scenario)) {
        double all = (double)scenario->topology->nodes * (double)cycles;
        cni_result_put(result, CN_METRIC_SURVIVOR_FRACTION, node_cycles / all, cycles);
        cni_result_put(result, CN_METRIC_REACHABLE_FRACTION, 1.0, cycles);
    }
    /* Saturated: the channels would not suffice if every offered message were admitted and made
     * the hops that the delivered messages made. */
    double uses = channel_cycles / (double)(period == 0 ? 1 : period);
    result->saturated = delivered > 0.0 && offered * (hops / delivered) > uses;
}

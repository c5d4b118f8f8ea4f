/* The second moment of the arrivals at each channel, as one fixed point for all channels ((S7),
 * (S8)). */
#include "queueing/store_forward/channel_arrivals.h"

#include <math.h>

#include "base/memory.h"
#include "routing/faults/fault.h"

double cni_run_share(double q, double f)
{
    return 0.5 * f * (1.0 + (1.0 - q) * (1.0 - f)) * q * q;
}

/* Each round at least halves the part that is left, so 64 rounds leave less than a double shows. */
enum { MOST_ROUNDS = 64 };

static size_t head_of(const cni_channel_flows *f, size_t channel)
{
    return (size_t)cni_neighbor(f->topology, channel / f->ports, (uint32_t)(channel % f->ports));
}

/* Sums t and t^2 over the channels into each node, by channel out of it. Variant published
 * divides the flow of each channel like all transit of the node. `runs` and `next` hold the sums
 * by node here. */
static void add_turns(cni_channel_arrivals *q, int own)
{
    const cni_channel_flows *f = q->flows;
    double *all = q->runs, *squares = q->next;
    for (size_t c = 0; c < f->places; c++) {
        double sum = 0.0;
        if (f->flow[c] == 0.0)
            continue;
        size_t head = head_of(f, c);
        for (size_t p = 0; p < f->ports; p++) {
            double mean = f->turns[c * f->ports + p];
            q->transit[head * f->ports + p] += mean;
            q->squares[head * f->ports + p] += mean * mean;
            sum += mean;
        }
        all[head] += sum;
        squares[head] += sum * sum;
    }
    for (size_t c = 0; c < f->places && !own; c++) {
        size_t node = c / f->ports;
        double share = all[node] > 0.0 ? q->transit[c] / all[node] : 0.0;
        q->squares[c] = share * share * squares[node];
    }
}

static void find_roots(cni_channel_arrivals *q, double burst)
{
    q->root = q->squares;
    for (size_t c = 0; c < q->flows->places; c++) {
        double new = q->flows->fresh[c], transit = q->transit[c];
        double moment = burst * new *new + 2.0 * new *transit + transit *transit - q->squares[c];
        q->root[c] = q->load * sqrt(fmax(moment, 0.0));
        q->runs[c] = q->root[c];
    }
}

/* Makes one round of (S8). Returns the change relative to the sum. */
static double add_runs(cni_channel_arrivals *q)
{
    const cni_channel_flows *f = q->flows;
    double change = 0.0, sum = 0.0, *old = q->runs;
    for (size_t c = 0; c < f->places; c++)
        q->next[c] = q->root[c];
    for (size_t c = 0; c < f->places; c++) {
        if (f->flow[c] == 0.0)
            continue;
        size_t first = head_of(f, c) * f->ports;
        for (size_t p = 0; p < f->ports; p++)
            q->next[first + p] += old[c] * cni_run_share(f->turns[c * f->ports + p] / f->flow[c],
                                                         q->load * f->flow[first + p]);
    }
    for (size_t c = 0; c < f->places; c++) {
        change += fabs(q->next[c] - old[c]);
        sum += q->next[c];
    }
    q->runs = q->next;
    q->next = old;
    return sum > 0.0 ? change / sum : 0.0;
}

cn_status cni_channel_arrivals_open(const cni_channel_flows *flows, double load, double burst,
                                    int own, cni_channel_arrivals *arrivals)
{
    cni_channel_arrivals *q = arrivals;
    *q = (cni_channel_arrivals){.flows = flows, .load = load};
    const cni_array arrays[] = {
        CNI_ARRAY(q->transit, flows->places), CNI_ARRAY(q->squares, flows->places),
        CNI_ARRAY(q->runs, flows->places), CNI_ARRAY(q->next, flows->places)};
    CNI_TRY(cni_allocate_arrays(&q->block, arrays));
    add_turns(q, own);
    find_roots(q, burst);
    for (int i = 0; own && i < MOST_ROUNDS && add_runs(q) > 1e-15; i++)
        ;
    return CN_OK;
}

void cni_channel_arrivals_close(cni_channel_arrivals *arrivals)
{
    cni_release(arrivals->block);
}

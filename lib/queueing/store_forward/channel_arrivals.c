#include "queueing/store_forward/channel_arrivals.h"

#include <math.h>

#include "base/memory.h"
#include "routing/faults/fault.h"

double cni_run_share(double q, double f)
{
    return 0.5 * f * (1.0 + (1.0 - q) * (1.0 - f)) * q * q;
}

/* Runs get shorter from channel to channel, at least by half in all. */
enum { MOST_ROUNDS = 64 };

/* What a queue needs to know of what comes to it, by channel. */
typedef struct arriving {
    const cni_channel_flows *flows;
    double load, burst;
    int own;
    double *transit, *squares; /* sum of t and of t^2, at load 1 */
    double *root;              /* of u, in the place of the squares */
    double *runs, *next;       /* y */
} arriving;

static size_t head_of(const cni_channel_flows *f, size_t channel)
{
    return (size_t)cni_neighbor(f->topology, channel / f->ports, (uint32_t)(channel % f->ports));
}

/* As published what comes by each channel is divided as all that is in transit. `runs` and `next` hold the
 * sums by node. */
static void add_turns(arriving *q)
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
    for (size_t c = 0; c < f->places && !q->own; c++) {
        size_t node = c / f->ports;
        double share = all[node] > 0.0 ? q->transit[c] / all[node] : 0.0;
        q->squares[c] = share * share * squares[node];
    }
}

static void find_roots(arriving *q)
{
    q->root = q->squares;
    for (size_t c = 0; c < q->flows->places; c++) {
        double new = q->flows->fresh[c], transit = q->transit[c];
        double moment = q->burst * new *new + 2.0 * new *transit + transit *transit - q->squares[c];
        q->root[c] = q->load * sqrt(fmax(moment, 0.0));
        q->runs[c] = q->root[c];
    }
}

/* One round. Returns how much has changed, relative to the sum. */
static double add_runs(arriving *q)
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
    size_t places = flows->places;
    double *room = cni_allocate(4 * places, sizeof *room);
    CNI_TRY_MEMORY(room);
    arriving q = {.flows = flows,
                  .load = load,
                  .burst = burst,
                  .own = own,
                  .transit = room,
                  .squares = room + places,
                  .runs = room + 2 * places,
                  .next = room + 3 * places};
    add_turns(&q);
    find_roots(&q);
    for (int i = 0; own && i < MOST_ROUNDS && add_runs(&q) > 1e-15; i++)
        ;
    *arrivals = (cni_channel_arrivals){q.root, q.runs, room};
    return CN_OK;
}

void cni_channel_arrivals_close(cni_channel_arrivals *arrivals)
{
    cni_release(arrivals->room);
}

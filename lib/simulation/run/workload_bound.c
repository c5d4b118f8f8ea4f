/*
 * Lower bounds of the time of a workload under any routing and flow control: the flits over a cut,
 * into a node and out of a node, one flit a channel and cycle; and the longest chain of messages,
 * none of which waits for a channel.
 */
#include "base/memory.h"
#include "cubenet/measure.h"
#include "routing/faults/inlets.h"
#include "routing/subnets/subnet.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic_measure.h"
#include "simulation/run/workload_run.h"
#include "topology/distances/breadth_first.h"
#include "topology/topology.h"

/* Up to so many nodes distances are searched for; in larger networks without a closed form every
 * distance counts as 1. */
enum { MOST_SEARCHED = 1 << 12 };

typedef struct crossing {
    uint64_t flits, channels;
} crossing;

typedef struct bound {
    const cn_scenario *scenario;
    const cn_workload *workload;
    int has_flits;
    uint8_t *side;              /* by node, of the cut */
    crossing *in, *out, cut[2]; /* in, out: by node; cut: by the side that sends */
    uint32_t *list;             /* by node: the first message that it sends */
    uint64_t *sent, *delivered; /* by message: the earliest cycles */
    void *block;
} bound;

static uint64_t flits_of(const bound *b, const cni_workload_row *m)
{
    return b->has_flits && m->flits > 0 ? m->flits : (uint64_t)cni_scenario_flits(b->scenario);
}

/* ---- the load of channels ---- */

static void find_sides(bound *b)
{
    const cn_topology *t = b->workload->topology;
    uint32_t side;
    for (uint64_t v = 0; v < t->nodes; v++)
        b->side[v] = cn_bisection_side(t, v, &side) == CN_OK ? (uint8_t)side : v >= t->nodes / 2;
}

/* Counts the flits out of each node, into each node, and over the cut. */
static void count_flits(bound *b)
{
    for (size_t i = 0; i < b->workload->messages; i++) {
        const cni_workload_row *m = &b->workload->message[i];
        uint64_t flits = cni_is_computing(m) ? 0 : flits_of(b, m);
        b->out[m->source].flits += flits;
        b->in[m->destination].flits += flits;
        if (b->side[m->source] != b->side[m->destination])
            b->cut[b->side[m->source]].flits += flits;
    }
}

static cn_status count_channels(bound *b)
{
    const cn_subnet *subnet = cni_subnet_of(b->scenario);
    cni_inlets inlets = {0};
    cn_status status =
        cni_inlets_open(&inlets, b->workload->topology,
                        subnet != NULL ? subnet->faults : cni_faults_of(b->scenario), NULL);
    for (size_t v = 0; v < inlets.nodes && status == CN_OK; v++)
        for (size_t i = inlets.first[v]; i < inlets.first[v + 1]; i++) {
            b->in[v].channels++;
            b->out[inlets.tail[i]].channels++;
            if (b->side[v] != b->side[inlets.tail[i]])
                b->cut[b->side[inlets.tail[i]]].channels++;
        }
    cni_inlets_close(&inlets);
    return status;
}

/* The most cycles that one of the counts needs for its flits; at least `most`. */
static uint64_t longest(const crossing counts[], uint64_t count, uint64_t most)
{
    for (uint64_t i = 0; i < count; i++)
        if (counts[i].channels > 0) {
            uint64_t cycles =
                counts[i].flits / counts[i].channels + (counts[i].flits % counts[i].channels != 0);
            most = cycles > most ? cycles : most;
        }
    return most;
}

/* ---- chains ---- */

/* Puts the distance of each message into `delivered`, source by source. */
static cn_status find_distances(bound *b)
{
    const cn_topology *t = b->workload->topology;
    cni_distances from = {.topology = t};
    int is_known = t->nodes <= MOST_SEARCHED || t->ops->distance != cni_search_distance;
    cn_status status = CN_OK;
    for (uint64_t v = 0; v < t->nodes; v++)
        b->list[v] = CNI_NOTHING_NEXT;
    for (uint32_t m = 0; m < b->workload->messages; m++) {
        uint32_t *first = &b->list[b->workload->message[m].source];
        b->sent[m] = *first; /* the next message of this source */
        *first = m;
    }
    for (uint64_t v = 0; v < t->nodes; v++)
        for (uint64_t m = b->list[v]; m != CNI_NOTHING_NEXT && status == CN_OK; m = b->sent[m]) {
            b->delivered[m] = 1;
            if (is_known)
                status = cni_find_distance(&from, v, b->workload->message[m].destination,
                                           &b->delivered[m]);
        }
    cni_close_distances(&from);
    return status;
}

/* Follows the chains of messages that wait for each other. Returns the end of the longest chain. */
static uint64_t follow_chains(bound *b)
{
    const cn_workload *workload = b->workload;
    uint64_t last = 0;
    for (size_t i = 0; i < workload->messages; i++) {
        const cni_workload_row *m = &workload->message[i];
        uint64_t ready = 0;
        for (size_t w = m->waits; w < cni_workload_waits_end(workload, i); w++) {
            uint32_t other = cni_waited_number(workload->wait[w]);
            uint64_t event =
                cni_waits_for_sent(workload->wait[w]) ? b->sent[other] : b->delivered[other];
            ready = event > ready ? event : ready;
        }
        b->sent[i] = ready + m->computing;
        b->delivered[i] += b->sent[i];
        /* hops + M cycles where every message has its own length, otherwise hops + M - 1 */
        if (!cni_is_computing(m))
            b->delivered[i] += flits_of(b, m) - !b->has_flits;
        last = b->delivered[i] > last ? b->delivered[i] : last;
    }
    return last;
}

static cn_status find_bound(bound *b, uint64_t *cycles)
{
    uint64_t nodes = b->workload->topology->nodes;
    find_sides(b);
    count_flits(b);
    CNI_TRY(count_channels(b));
    CNI_TRY(find_distances(b));
    *cycles = longest(b->cut, 2, follow_chains(b));
    *cycles = longest(b->in, nodes, longest(b->out, nodes, *cycles));
    return CN_OK;
}

cn_status cni_workload_bound(const cn_scenario *scenario, uint64_t *cycles)
{
    bound b = {.scenario = scenario,
               .workload = cni_workload_of(scenario),
               .has_flits = scenario->system->kernel->has_flits};
    uint64_t nodes = scenario->topology->nodes, messages = b.workload->messages;
    const cni_array arrays[] = {
        CNI_ARRAY(b.side, nodes), CNI_ARRAY(b.in, nodes),      CNI_ARRAY(b.out, nodes),
        CNI_ARRAY(b.list, nodes), CNI_ARRAY(b.sent, messages), CNI_ARRAY(b.delivered, messages),
    };
    CNI_TRY(cni_allocate_arrays(&b.block, arrays));
    cn_status status = find_bound(&b, cycles);
    cni_release(b.block);
    return status;
}

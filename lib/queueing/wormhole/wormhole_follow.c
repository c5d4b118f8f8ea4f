/*
 * Worms on their ways, target by target (docs/wormhole-model.md): backwards from the target what a header still
 * meets, forwards from the sources what it has met. Both give the time for which a worm holds each channel.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "queueing/wormhole/wormhole_network.h"

/* ---- how headers choose ---- */

static double sum_over(const cni_wormhole_net *n, const double a[], uint32_t channel,
                       uint32_t groups)
{
    double sum = 0.0;
    for (uint32_t g = 0; g < n->ways.groups; g++)
        sum += cni_has_group(groups, g) ? a[cni_group_at(n, channel, g)] : 0.0;
    return sum;
}

static double all_full(const cni_wormhole_net *n, const cni_wormhole_way *way)
{
    double product = 1.0;
    for (uint32_t g = 0; g < n->ways.groups; g++)
        if (cni_has_group(way->adaptive, g))
            product *= n->full[cni_group_at(n, way->channel, g)];
    return product;
}

static double free_ones(const cni_wormhole_net *n, const cni_wormhole_way *way)
{
    double sum = 0.0;
    for (uint32_t g = 0; g < n->ways.groups; g++)
        if (cni_has_group(way->adaptive, g))
            sum += n->ways.size[g] - n->held[cni_group_at(n, way->channel, g)];
    return fmax(sum, 1e-9);
}

/* One that waits gets what falls free first. */
static void choose(cni_wormhole_net *n, size_t first, size_t last)
{
    double none = 1.0, free_sum = 0.0, relief = 0.0, escape = 0.0;
    for (size_t w = first; w < last; w++) {
        const cni_wormhole_way *way = &n->ways.way[w];
        uint32_t all = way->adaptive | way->escapes;
        n->adaptive[w] = way->adaptive != 0 ? free_ones(n, way) : 0.0;
        none *= way->adaptive != 0 ? all_full(n, way) : 1.0;
        free_sum += n->adaptive[w];
        relief += sum_over(n, n->relief, way->channel, all);
    }
    for (size_t w = first; w < last; w++) {
        const cni_wormhole_way *way = &n->ways.way[w];
        if (way->escapes != 0)
            escape = none * (1.0 - sum_over(n, n->escaped, way->channel, way->escapes));
    }
    double waits = relief > 0.0 ? (none - escape) / relief : 0.0;
    for (size_t w = first; w < last; w++) {
        const cni_wormhole_way *way = &n->ways.way[w];
        double share = free_sum > 0.0 ? (1.0 - none) * n->adaptive[w] / free_sum : 0.0;
        share += waits * sum_over(n, n->relief, way->channel, way->adaptive);
        n->adaptive[w] = share;
        n->split[w] = share;
        if (way->escapes != 0)
            n->split[w] += escape + waits * sum_over(n, n->relief, way->channel, way->escapes);
    }
    for (size_t w = first; w < last && relief <= 0.0; w++) /* before the first round */
        n->split[w] = n->adaptive[w] = 1.0 / (double)(last - first);
}

typedef struct blocking {
    double wait, once_blocked;
} blocking;

/* Of a header at a state that came over this input or, for the channel of its own queue, from there. All
 * messages have one length: of v virtual channels the first falls free after v/(v+1) of the mean time between
 * departures, after all of it where times vary as exponential ones do. */
static blocking wait_at(const cni_wormhole_net *n, size_t state, uint32_t input, uint32_t own)
{
    double all_held = 1.0, relief = 0.0, count = 0.0, variation = 0.0;
    for (size_t w = n->ways.first[state]; w < n->ways.first[state + 1]; w++) {
        const cni_wormhole_way *way = &n->ways.way[w];
        uint32_t from = own == way->channel ? cni_own_queue(n) : input;
        for (uint32_t g = 0; g < n->ways.groups; g++) {
            if (cni_has_group(way->adaptive, g))
                all_held *= n->blocked[cni_input_at(n, way->channel, g, from)];
            if (!cni_has_group(way->adaptive | way->escapes, g))
                continue;
            count += n->ways.size[g];
            variation += n->ways.size[g] * n->variation[cni_group_at(n, way->channel, g)];
        }
        relief += sum_over(n, n->relief, way->channel, way->adaptive | way->escapes);
        if (way->escapes != 0)
            all_held *= sum_over(n, n->escaped, way->channel, way->escapes);
    }
    if (relief <= 0.0)
        return (blocking){0.0, 0.0};
    double mean = (count + variation / count) / (count + 1.0) / relief;
    return (blocking){all_held * mean, mean};
}

/* Of what sharing adds to the time of a message: each message that it meets takes up to M cycles from it, all times
 * as likely, and all together at most (V - 1) M. */
static double sharing_variance(const cni_wormhole_net *n, double added)
{
    double most = (n->channels - 1.0) * n->flits;
    return most > 0.0 ? fmax(0.0, added * 2.0 / 3.0 * n->flits * (1.0 - added / most)) : 0.0;
}

/* Of a wait that is 0 or, with small probability, exponential with mean `once_blocked`. */
static double wait_variance(double mean, double once_blocked)
{
    return fmax(0.0, mean * (2.0 * once_blocked - mean));
}

/* ---- one target ---- */

/* By node and input; `mine` with V elements each. */
typedef struct route {
    uint32_t target;
    size_t base;    /* state of node 0 */
    double *rest;   /* law of the most that flow beside it on one of the channels to come */
    double *felt;   /* of the waits to come, what is felt a channel before */
    double *spread; /* the variance of what is felt */
    double *waits;  /* all of them */
    double *rate;   /* of headers that come here */
    double *met;    /* that times the law of the channels so far */
    double *block;
} route;

static size_t place_of(const cni_wormhole_net *n, uint32_t node, uint32_t input)
{
    return (size_t)node * n->inputs + input;
}

/* The place at which a way comes out. */
static size_t place_after(const cni_wormhole_net *n, const cni_wormhole_way *way)
{
    return place_of(n, way->next, n->ways.input[way->channel]);
}

/* Mean share of the cycles that a worm gets, from the distribution function of those beside it. */
static double pace(const double function[], uint32_t channels)
{
    double mean = 0.0;
    for (uint32_t k = 0; k < channels; k++)
        mean += (function[k] - (k > 0 ? function[k - 1] : 0.0)) / (k + 1);
    return mean / function[channels - 1];
}

/* While a header waits the buffers behind it take flits: of a wait of mean w, exp(-(B-1)/w) is felt one
 * channel before. */
static double felt_before(const cni_wormhole_net *n, double felt, double once_blocked)
{
    return once_blocked > 0.0 ? felt * exp(-(n->buffers - 1.0) / once_blocked) : 0.0;
}

/* The share of the flits for which slow channels so many hops apart add up; buffers hold the others. */
static double rigid(const cni_wormhole_net *n, double hops)
{
    return fmax(0.0, 1.0 - (n->buffers - 1.0) * hops / n->flits);
}

static void go_back(const cni_wormhole_net *n, route *r)
{
    const cni_worm_routes *y = &n->ways;
    uint32_t channels = n->channels;
    for (uint32_t i = y->nodes; i-- > 0;) {
        uint32_t node = y->order[r->base + i];
        size_t state = r->base + node;
        for (uint64_t inputs = y->inputs[state]; inputs != 0; inputs &= inputs - 1) {
            uint32_t input = cni_lowest_bit(inputs);
            size_t here = place_of(n, node, input);
            double *rest = r->rest + here * channels, felt = 0.0, waits = 0.0, spread = 0.0;
            for (uint32_t k = 0; k < channels; k++)
                rest[k] = node == r->target;
            r->felt[here] = r->waits[here] = r->spread[here] = 0.0;
            if (node == r->target)
                continue;
            for (size_t w = y->first[state]; w < y->first[state + 1]; w++) {
                const cni_wormhole_way *way = &y->way[w];
                size_t there = place_after(n, way);
                const double *later = r->rest + there * channels;
                const double *beside = cni_beside_at(n, way->channel, way->kind, input);
                for (uint32_t k = 0; k < channels; k++)
                    rest[k] += n->split[w] * beside[k] * later[k];
                felt += n->split[w] * r->felt[there];
                spread += n->split[w] * r->spread[there];
                waits += n->split[w] * r->waits[there];
            }
            blocking b = wait_at(n, state, input, UINT32_MAX);
            spread += wait_variance(b.wait, b.once_blocked);
            r->felt[here] = felt_before(n, felt + b.wait, b.once_blocked);
            r->spread[here] = felt_before(n, spread, b.once_blocked);
            r->waits[here] = waits + b.wait;
        }
    }
}

/* Headers that take a way, at this rate; `met`: the law of the channels before, NULL at the source. */
static void take(cni_wormhole_net *n, route *r, uint32_t node, size_t w, uint32_t input,
                 double rate, const double met[], double of_met)
{
    const cni_worm_routes *y = &n->ways;
    const cni_wormhole_way *way = &y->way[w];
    size_t there = place_after(n, way);
    const double *beside = cni_beside_at(n, way->channel, way->kind, input);
    const double *rest = r->rest + there * n->channels;
    double so_far[CNI_WORMHOLE_LEVELS] = {0}, whole[CNI_WORMHOLE_LEVELS] = {0};
    double *met_there = r->met + there * n->channels;
    for (uint32_t k = 0; k < n->channels; k++) {
        so_far[k] = (met == NULL ? 1.0 : met[k] / of_met) * beside[k];
        whole[k] = so_far[k] * rest[k];
        met_there[k] += rate * so_far[k];
    }
    r->rate[there] += rate;
    double behind = n->flits / pace(so_far, n->channels);
    double added = n->flits / pace(whole, n->channels) - behind;
    double to_go = y->left[r->base + way->next];
    added *= rigid(n, (y->left[r->base + node] + 1.0) / 3.0) * rigid(n, 0.5 * (to_go + 1.0));
    double time = 1.0 + behind + added + r->felt[there];
    double variance = sharing_variance(n, behind + added - n->flits) + r->spread[there];
    double adaptive = n->split[w] > 0.0 ? n->adaptive[w] / n->split[w] : 1.0;
    double of_adaptive = 0.0, of_escapes = 0.0;
    for (uint32_t g = 0; g < y->groups; g++) {
        of_adaptive += cni_has_group(way->adaptive, g) ? y->size[g] : 0.0;
        of_escapes += cni_has_group(way->escapes, g) ? y->size[g] : 0.0;
    }
    for (uint32_t g = 0; g < y->groups; g++) {
        double part = cni_has_group(way->adaptive, g) ? adaptive * y->size[g] / of_adaptive : 0.0;
        if (cni_has_group(way->escapes, g))
            part += (1.0 - adaptive) * y->size[g] / of_escapes;
        size_t at = cni_group_at(n, way->channel, g);
        n->rate[at] += rate * part;
        n->held[at] += rate * part * time;
        n->square[at] += rate * part * (time * time + variance);
        n->turn[at * n->inputs + input] += rate * part;
        n->kept[at * n->inputs + input] += rate * part * time;
    }
    n->demand[(size_t)way->channel * y->kinds + way->kind] += rate;
}

/* New messages of a queue: they may take the channel of any way. */
static void serve(cni_wormhole_net *n, const route *r, uint32_t node, uint32_t queue, double rate)
{
    const cni_worm_routes *y = &n->ways;
    size_t state = r->base + node;
    blocking b = wait_at(n, state, cni_other_queue(n), queue);
    double first[CNI_WORMHOLE_LEVELS] = {0}, whole[CNI_WORMHOLE_LEVELS] = {0};
    double felt = 0.0, spread = 0.0, waits = b.wait, left = y->left[state];
    for (size_t w = y->first[state]; w < y->first[state + 1]; w++) {
        const cni_wormhole_way *way = &y->way[w];
        size_t there = place_after(n, way);
        const double *beside =
            cni_beside_at(n, way->channel, way->kind,
                          way->channel == queue ? cni_own_queue(n) : cni_other_queue(n));
        for (uint32_t k = 0; k < n->channels; k++) {
            first[k] += n->split[w] * beside[k];
            whole[k] += n->split[w] * beside[k] * r->rest[there * n->channels + k];
        }
        felt += n->split[w] * r->felt[there];
        spread += n->split[w] * r->spread[there];
        waits += n->split[w] * r->waits[there];
    }
    double behind = n->flits / pace(first, n->channels);
    double added = (n->flits / pace(whole, n->channels) - behind) * rigid(n, (left + 1.0) / 3.0);
    double flow = behind + added;
    double service = b.wait + behind + added * rigid(n, 0.5 * left) + felt;
    double variance =
        sharing_variance(n, flow - n->flits) + wait_variance(b.wait, b.once_blocked) + spread;
    n->queue[3 * (size_t)queue] += rate;
    n->queue[3 * (size_t)queue + 1] += rate * service;
    n->queue[3 * (size_t)queue + 2] += rate * (service * service + variance);
    n->flow += rate * flow;
    n->wait += rate * waits;
}

static void begin_at(cni_wormhole_net *n, route *r, uint32_t node, double rate)
{
    size_t first = n->ways.first[r->base + node], last = n->ways.first[r->base + node + 1];
    double each = rate / (double)(last - first);
    for (size_t w = first; w < last; w++) {
        serve(n, r, node, n->ways.way[w].channel, each);
        take(n, r, node, w, cni_own_queue(n), each * n->split[w], NULL, 1.0);
        if (last - first > 1)
            take(n, r, node, w, cni_other_queue(n), (rate - each) * n->split[w], NULL, 1.0);
    }
}

static void go_on(cni_wormhole_net *n, route *r, double rate)
{
    const cni_worm_routes *y = &n->ways;
    size_t places = (size_t)y->nodes * n->inputs;
    memset(r->rate, 0, places * sizeof *r->rate);
    memset(r->met, 0, places * n->channels * sizeof *r->met);
    for (uint32_t i = 0; i < y->nodes; i++) {
        uint32_t node = y->order[r->base + i];
        size_t state = r->base + node;
        if (node == r->target)
            continue;
        begin_at(n, r, node, rate);
        for (uint64_t inputs = y->inputs[state]; inputs != 0; inputs &= inputs - 1) {
            uint32_t input = cni_lowest_bit(inputs);
            size_t here = place_of(n, node, input);
            for (size_t w = y->first[state]; r->rate[here] > 0.0 && w < y->first[state + 1]; w++)
                if (n->split[w] > 0.0)
                    take(n, r, node, w, input, r->rate[here] * n->split[w],
                         r->met + here * n->channels, r->rate[here]);
        }
    }
}

/* ---- all targets ---- */

static cn_status open_route(const cni_wormhole_net *n, route *r)
{
    size_t places = (size_t)n->ways.nodes * n->inputs;
    *r = (route){.block = cni_allocate(places * (2 * (uint64_t)n->channels + 4), sizeof *r->block)};
    if (r->block == NULL)
        return CN_ERR_MEMORY;
    r->rest = r->block;
    r->met = r->rest + places * n->channels;
    r->felt = r->met + places * n->channels;
    r->waits = r->felt + places;
    r->rate = r->waits + places;
    r->spread = r->rate + places;
    return CN_OK;
}

static void clear(cni_wormhole_net *n)
{
    size_t groups = n->places * n->ways.groups;
    memcpy(n->before, n->held, groups * sizeof *n->held);
    memset(n->rate, 0, groups * sizeof *n->rate);
    memset(n->held, 0, groups * sizeof *n->held);
    memset(n->square, 0, groups * sizeof *n->square);
    memset(n->turn, 0, groups * n->inputs * sizeof *n->turn);
    memset(n->kept, 0, groups * n->inputs * sizeof *n->kept);
    memset(n->demand, 0, n->places * n->ways.kinds * sizeof *n->demand);
    memset(n->queue, 0, 3 * n->places * sizeof *n->queue);
    n->flow = n->wait = 0.0;
}

cn_status cni_wormhole_follow(cni_wormhole_net *n)
{
    const cni_worm_routes *y = &n->ways;
    double rate = n->load / (y->nodes - 1.0);
    uint64_t ways_there = 2 * (y->count / y->nodes + 1); /* back and on, over each input */
    uint64_t work = ways_there * y->ports * (64 + 8 * (uint64_t)n->channels);
    cn_status status = CN_OK;
    route r;
    for (size_t state = 0; state < (size_t)y->nodes * y->nodes; state++) {
        choose(n, y->first[state], y->first[state + 1]);
        if (state % y->nodes == 0)
            CNI_TRY(cni_budget_go_on(n->budget, 32 * (uint64_t)y->nodes));
    }
    clear(n);
    CNI_TRY(open_route(n, &r));
    for (r.target = 0; r.target < y->nodes && status == CN_OK; r.target++) {
        r.base = (size_t)r.target * y->nodes;
        go_back(n, &r);
        go_on(n, &r, rate);
        status = cni_budget_go_on(n->budget, work);
    }
    cni_release(r.block);
    n->flow /= n->load * y->nodes;
    n->wait /= n->load * y->nodes;
    return status;
}

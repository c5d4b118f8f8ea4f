/*
 * Worms on their ways, target by target (docs/theory/wormhole.md, W8 to W11). Backwards from the
 * target the model finds what a header still meets, forwards from the sources what it has met. Both
 * together give the time for which a worm holds each channel.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "queueing/wormhole/wormhole_network.h"

/* ---- how headers choose ---- */

/* Sums up the views of the groups in each set. */
static void sum_up_groups(cni_wormhole_net *n, size_t channel, int own)
{
    for (uint32_t set = 0; set < UINT32_C(1) << n->routes.groups; set++) {
        cni_wormhole_sum sum = {.full = 1.0};
        for (uint32_t g = 0; g < n->routes.groups; g++) {
            const cni_wormhole_view *v = cni_view_at(n, channel, g, own);
            size_t at = cni_group_at(n, channel, g);
            if (!cni_has_group(set, g))
                continue;
            sum.free += v->free;
            sum.full *= v->full;
            sum.escaped += v->escaped;
            sum.relief += n->group[at].relief;
            sum.variation += n->routes.size[g] * n->group[at].variation;
        }
        *cni_sum_at(n, channel, own, set) = sum;
    }
}

/* A choice of a header: ports of a way. */
typedef struct option {
    const cni_wormhole_way *way;
    const cni_wormhole_sum *sum; /* sums of its channel, by set of groups */
    uint32_t ports;
    int own; /* the message is from the queue of that channel */
    /* rate at which a virtual channel falls free for a header that waits there */
    double relief;
    double split, adaptive; /* P(taken); share of that over an adaptive group */
} option;

typedef struct choice {
    uint32_t count;
    option options[CNI_MOST_PORTS + 1];
} choice;

static void add_option(const cni_wormhole_net *n, size_t w, uint32_t ports, int own, choice *c)
{
    const cni_wormhole_way *way = &n->routes.way[w];
    const cni_wormhole_sum *sum = cni_sum_at(n, way->channel, own, 0);
    double relief = sum[way->escapes != 0 ? way->escapes : way->adaptive].relief;
    c->options[c->count++] =
        (option){way, sum, ports, own, ports * relief, n->split[w], n->adaptive[w]};
}

#define NO_WAY SIZE_MAX
#define ALL_WAYS (SIZE_MAX - 1)

/* Lists the options at a state, and how transits choose between them. The channel of the way
 * `own` has the queue of the message; ALL_WAYS: the queue serves all ways. */
static void list_options(const cni_wormhole_net *n, size_t state, size_t own, choice *c)
{
    c->count = 0;
    for (size_t w = n->routes.first[state]; w < n->routes.first[state + 1]; w++) {
        uint32_t ports = n->routes.way[w].ports - (uint32_t)(w == own);
        if (w == own)
            add_option(n, w, 1, 1, c);
        if (ports > 0)
            add_option(n, w, ports, own == ALL_WAYS, c);
    }
}

/* Finds how headers choose. A header takes any free adaptive virtual channel, else a free
 * escape; a header that waits gets the virtual channel that falls free first. The mean number of
 * free ones is at least 1e-9, so that the sum over the options is not 0. */
static void choose_options(const cni_wormhole_net *n, choice *c)
{
    double none = 1.0, free_sum = 0.0, relief = 0.0, escape = 0.0;
    for (option *o = c->options; o < c->options + c->count; o++) {
        const cni_wormhole_sum *sum = &o->sum[o->way->adaptive];
        o->adaptive =
            o->way->adaptive != 0 ? o->ports * (sum->free > 1e-9 ? sum->free : 1e-9) : 0.0;
        none *= cni_power(sum->full, o->ports);
        free_sum += o->adaptive;
        relief += o->relief;
    }
    for (option *o = c->options; o < c->options + c->count; o++)
        if (o->way->escapes != 0)
            escape = none * (1.0 - o->sum[o->way->escapes].escaped);
    double waits = relief > 0.0 ? (none - escape) / relief : 0.0;
    for (option *o = c->options; o < c->options + c->count; o++) {
        double share = free_sum > 0.0 ? (1.0 - none) * o->adaptive / free_sum : 0.0;
        double waiting = waits * o->relief, all = n->size_of[o->way->adaptive];
        o->adaptive = share + waiting * all / n->size_of[o->way->adaptive | o->way->escapes];
        o->split = share + waiting + (o->way->escapes != 0 ? escape : 0.0);
    }
}

typedef struct blocking {
    double all_held, wait, once_blocked;
} blocking;

/* W17: the wait of a header with this choice, which came over this input, if not from the queue
 * of the channel. All messages have one length: of v virtual channels the first falls free after
 * v/(v+1) of the mean time between departures, and after all of it where times vary as
 * exponential times do. */
static blocking wait_at(const cni_wormhole_net *n, const choice *c, uint32_t input)
{
    double all_held = 1.0, relief = 0.0, count = 0.0, variation = 0.0;
    for (const option *o = c->options; o < c->options + c->count; o++) {
        uint32_t from = o->own ? cni_own_queue(n) : input, all = o->way->adaptive | o->way->escapes;
        for (uint32_t g = 0; g < n->routes.groups; g++)
            if (cni_has_group(o->way->adaptive, g))
                all_held *= cni_power(n->input[cni_input_at(n, o->way->channel, g, from)].blocked,
                                      o->ports);
        count += o->ports * n->size_of[all];
        variation += o->ports * o->sum[all].variation;
        relief += o->relief;
        if (o->way->escapes != 0)
            all_held *= o->sum[o->way->escapes].escaped;
    }
    if (relief <= 0.0)
        return (blocking){0.0, 0.0, 0.0};
    double mean = (count + variation / count) / (count + 1.0) / relief;
    return (blocking){all_held, all_held * mean, mean};
}

/* ---- one target ---- */

/* What a header at a site still meets, on the average. */
typedef struct ahead {
    /* the part of the waits to come that is felt one channel before; its variance */
    double felt, spread;
    double waits, turns; /* all waits to come; turns of the first flit on the channels to come */
    double first, all;   /* mean level on the next channel; mean of the lowest from it on */
} ahead;

/* The ways to one target. Arrays are by site and input; laws have V elements each. */
typedef struct route {
    uint32_t target;
    size_t base; /* number of the state of site 0 */
    ahead *ahead;
    double *rest; /* law of the lowest level on the channels to come */
    double *rate; /* rate of the headers that come here */
    double *met;  /* rate times the law of the lowest level on the channels so far */
    void *block;
} route;

static size_t place_of(const cni_wormhole_net *n, uint32_t site, uint32_t input)
{
    return (size_t)site * n->inputs + input;
}

/* tau of W8: cycles from the first turn on a channel of this mean level to the turn of the last
 * flit. The first turn comes after half of the part of a round that other messages take; a round
 * is 1 / level cycles. */
static double cycles_of_flits(const cni_wormhole_net *n, double level)
{
    return (n->flits - 0.5) / level + 0.5;
}

/* theta of W9: the share of the flits for which slow channels so many hops apart add up; buffers
 * hold the other flits. */
static double rigid_share(const cni_wormhole_net *n, double hops)
{
    double share = 1.0 - (n->buffers - 1.0) * hops / n->flits;
    return share > 0.0 ? share : 0.0;
}

/* The channels after the choice. `whole` gets the law of the lowest level from here on. */
static ahead look_ahead(const cni_wormhole_net *n, const route *r, const choice *c, uint32_t input,
                        double *restrict whole)
{
    ahead a = {.first = n->lowest, .all = n->lowest};
    for (uint32_t k = 0; k < n->channels; k++)
        whole[k] = 0.0;
    for (const option *o = c->options; o < c->options + c->count; o++) {
        size_t there = place_of(n, o->way->next, o->way->input);
        const ahead *later = &r->ahead[there];
        const double *rest = r->rest + there * n->channels;
        const double *beside =
            cni_beside_at(n, o->way->channel, o->way->kind, o->own ? cni_own_queue(n) : input);
        for (uint32_t k = 0; k < n->channels; k++) {
            double level = o->split * beside[k];
            whole[k] += level * rest[k];
            a.first += level * n->width[k];
            a.all += level * rest[k] * n->width[k];
        }
        a.felt += o->split * later->felt;
        a.spread += o->split * later->spread;
        a.waits += o->split * later->waits;
        a.turns += o->split * later->turns;
    }
    return a;
}

/* Goes back from the target. Finds how headers choose at each site, and what they still meet. */
static void follow_back(const cni_wormhole_net *n, route *r)
{
    const cni_worm_routes *y = &n->routes;
    choice c;
    for (uint32_t i = y->sites; i-- > 0;) {
        uint32_t site = y->order[r->base + i];
        list_options(n, r->base + site, NO_WAY, &c);
        choose_options(n, &c);
        for (const option *o = c.options; o < c.options + c.count; o++) {
            n->split[o->way - y->way] = o->split;
            n->adaptive[o->way - y->way] = o->adaptive;
        }
        for (uint64_t from = y->from[r->base + site]; from != 0; from &= from - 1) {
            uint32_t input = cni_lowest_bit(from);
            size_t here = place_of(n, site, input);
            double *rest = r->rest + here * n->channels;
            ahead a = look_ahead(n, r, &c, input, rest);
            blocking b = wait_at(n, &c, input);
            for (uint32_t k = 0; k < n->channels && c.count == 0; k++)
                rest[k] = 1.0; /* no channel follows */
            /* While a header waits the buffers behind it take flits. This share of the wait is
             * felt one channel before. */
            double share = b.wait > 0.0 ? exp(-(n->buffers - 1.0) / b.once_blocked) : 0.0;
            double spread = a.spread + cni_wait_variance(b.wait, b.once_blocked);
            double turn = c.count > 0 ? 0.5 * (1.0 / a.first - 1.0) : 0.0;
            r->ahead[here] = (ahead){.felt = share * (a.felt + b.wait),
                                     .spread = share * spread,
                                     .waits = a.waits + b.wait,
                                     .turns = a.turns + turn};
        }
    }
}

/* Headers that come to a site over an input. */
typedef struct arrival {
    uint32_t site, input;
    double rate;
    const double *met; /* law of the lowest level on the channels before */
    double together;   /* theta of W9: the share for which slow channels add up */
} arrival;

/* Adds the bunching on the channel of an input to the means over the messages that the input
 * brings to a channel. */
static void add_bunching(cni_wormhole_net *n, const arrival *a, size_t channel, double rate)
{
    cni_wormhole_bunching *brought = &n->brought[channel * n->inputs + a->input];
    if (a->input >= n->routes.inputs)
        return;
    const cni_wormhole_bunching *by =
        &n->bunching[n->routes.input_class[a->site * n->routes.inputs + a->input]];
    brought->trains += rate * by->trains;
    brought->meetings += rate * by->meetings;
}

/* The headers take a way, and hold its channel for the time of W10. The channel gets its part of
 * the messages of its class. */
static void take_way(cni_wormhole_net *n, route *r, const arrival *a, const option *o)
{
    const cni_worm_routes *y = &n->routes;
    const cni_wormhole_way *way = o->way;
    size_t there = place_of(n, way->next, way->input), own = a->input == cni_own_queue(n);
    const double *beside = cni_beside_at(n, way->channel, way->kind, a->input);
    const double *rest = r->rest + there * n->channels;
    double *restrict met_there = r->met + there * n->channels, so_far = n->lowest,
                     whole = n->lowest;
    double *restrict limit = n->limit + way->channel * (n->channels + 1);
    double all = a->rate * o->split, here = all / y->members[way->channel];
    double adaptive = o->adaptive / o->split;
    if (!(all > 0.0))
        return;
    for (uint32_t k = 0; k < n->channels; k++) {
        double level = a->met[k] * beside[k];
        met_there[k] += all * level;
        so_far += level * n->width[k];
        whole += level * rest[k] * n->width[k];
    }
    r->rate[there] += all;
    double behind = cycles_of_flits(n, so_far), added = cycles_of_flits(n, whole) - behind;
    added *= a->together * rigid_share(n, 0.5 * (y->left[r->base + way->next] + 1.0));
    double stall = (own ? 0.0 : 1.0) + r->ahead[there].felt, time = stall + behind + added;
    double variance = cni_sharing_variance(n, behind + added - n->flits) + r->ahead[there].spread;
    n->stall[way->channel] += here * stall;
    limit[n->channels] += here * time;
    for (uint32_t k = 0; k < n->channels; k++)
        limit[k] += here * time * (1.0 - a->together * (1.0 - a->met[k] * rest[k]));
    for (uint32_t g = 0; g < y->groups; g++) {
        size_t at = cni_group_at(n, way->channel, g);
        double part = here * (adaptive * n->part[way->adaptive][g] +
                              (1.0 - adaptive) * n->part[way->escapes][g]);
        cni_wormhole_group *group = &n->group[at];
        cni_wormhole_input *from = &n->input[at * n->inputs + a->input];
        group->rate += part;
        group->held += part * time;
        group->square += part * (time * time + variance);
        from->rate += part;
        from->held += part * time;
    }
    n->demand[(2 * way->channel + own) * y->kinds + way->kind] += here;
    add_bunching(n, a, way->channel, here);
}

/* New messages in a queue of the channels of a way, or in the one queue of a node. A message may
 * take any way. Returns the flits and waits of a message. */
static cni_wormhole_copy serve_queue(cni_wormhole_net *n, route *r, uint32_t site, size_t own,
                                     double rate)
{
    double whole[CNI_WORMHOLE_LEVELS];
    double left = n->routes.left[r->base + site];
    arrival new = {site, cni_other_queue(n), rate, n->nothing, rigid_share(n, (left + 1.0) / 3.0)};
    size_t channel = n->one_port ? 0 : n->routes.way[own].channel;
    double queues = n->one_port ? 1.0 : n->routes.members[channel];
    choice c;
    list_options(n, r->base + site, own, &c);
    choose_options(n, &c);
    blocking b = wait_at(n, &c, cni_other_queue(n));
    ahead a = look_ahead(n, r, &c, cni_other_queue(n), whole);
    double behind = cycles_of_flits(n, a.first);
    double added = (cycles_of_flits(n, a.all) - behind) * new.together;
    /* with V = 1 the next message waits until the tail has left the buffer */
    double tail = n->channels == 1 ? (n->one_port ? 1.0 / n->degree : 1.0) : 0.0;
    double service = b.wait + behind + added * rigid_share(n, 0.5 * left) + a.felt + tail;
    double variance = cni_sharing_variance(n, behind + added - n->flits) +
                      cni_wait_variance(b.wait, b.once_blocked) + a.spread;
    double here = rate / queues;
    cni_wormhole_service *q = &n->queue[channel];
    q->rate += here;
    q->first += here * service;
    q->second += here * (service * service + variance);
    q->third += here * (service * service + 3.0 * variance) * service;
    for (const option *o = c.options; o < c.options + c.count; o++) {
        new.input = o->own ? cni_own_queue(n) : cni_other_queue(n);
        take_way(n, r, &new, o);
    }
    return (cni_wormhole_copy){behind + added + a.turns, b.wait + a.waits, b.all_held,
                               b.once_blocked};
}

/* Begins messages in a queue. `weight` is their share of all messages. */
static void begin_in_queue(cni_wormhole_net *n, route *r, uint32_t site, size_t queue, double rate,
                           double weight)
{
    cni_wormhole_copy s = serve_queue(n, r, site, queue, rate);
    n->flow += weight * s.flow;
    n->wait += weight * s.wait;
}

/* Messages begin in the queues of all channels that they may take, or in the one queue of the
 * node. */
static void begin_at_site(cni_wormhole_net *n, route *r, uint32_t site, double rate, double weight)
{
    const cni_worm_routes *y = &n->routes;
    size_t state = r->base + site;
    double ports = 0.0;
    if (n->one_port) {
        begin_in_queue(n, r, site, ALL_WAYS, rate, weight);
        return;
    }
    for (size_t w = y->first[state]; w < y->first[state + 1]; w++)
        ports += y->way[w].ports;
    for (size_t w = y->first[state]; w < y->first[state + 1]; w++) {
        double part = y->way[w].ports / ports;
        begin_in_queue(n, r, site, w, rate * part, weight * part);
    }
}

/* Follows unicasts forwards to a target, and to the targets for which it stands. */
static void follow_on(cni_wormhole_net *n, route *r)
{
    const cni_worm_routes *y = &n->routes;
    choice c;
    for (uint32_t i = 0; i < y->sites; i++) {
        uint32_t site = y->order[r->base + i];
        double weight = y->weight[r->target] * y->share[r->base + site];
        begin_at_site(n, r, site, n->load * weight, weight);
        list_options(n, r->base + site, NO_WAY, &c);
        /* W10: two of i channels are (i + 1) / 3 apart on the average. That this is the distance of
         * channels that add up is a judgement. */
        double together = rigid_share(n, (y->left[r->base + site] + 1.0) / 3.0);
        for (uint64_t from = y->from[r->base + site]; from != 0; from &= from - 1) {
            uint32_t input = cni_lowest_bit(from);
            size_t here = place_of(n, site, input);
            double *met = r->met + here * n->channels;
            for (uint32_t k = 0; k < n->channels; k++)
                met[k] /= r->rate[here];
            const arrival come = {site, input, r->rate[here], met, together};
            for (const option *o = c.options; o < c.options + c.count; o++)
                take_way(n, r, &come, o);
        }
    }
}

/* ---- all targets ---- */

/* Turns the sums of a channel into means. */
static void divide_sums(cni_wormhole_net *n, size_t channel)
{
    uint32_t groups = n->routes.groups, inputs = n->inputs;
    size_t at = channel * groups;
    double all = 0.0, *limit = n->limit + channel * (n->channels + 1);
    const cni_wormhole_service *q = &n->queue[n->one_port ? 0 : channel];
    for (uint32_t g = 0; g < groups; g++)
        all += n->group[at + g].rate;
    for (uint32_t k = 0; k < n->channels && all > 0.0; k++)
        limit[k] /= limit[n->channels];
    n->stall[channel] /= all > 0.0 ? all * n->flits : 1.0;
    for (uint32_t input = 0; input < inputs; input++) {
        cni_wormhole_bunching *b = &n->brought[channel * inputs + input];
        double rate = 0.0;
        for (uint32_t g = 0; g < groups; g++)
            rate += n->input[(at + g) * inputs + input].rate;
        if (input == cni_own_queue(n))
            b->trains = q->rate > 0.0 ? q->first / q->rate : 0.0;
        else if (rate > 0.0)
            *b = (cni_wormhole_bunching){b->trains / rate, b->meetings / rate};
        for (uint32_t g = 0; g < groups; g++) {
            n->input[(at + g) * inputs + input].rate /= cni_alike(n, input);
            n->input[(at + g) * inputs + input].held /= cni_alike(n, input);
            n->input[(at + g) * inputs + input].behind =
                b->trains * n->input[(at + g) * inputs + input].rate;
        }
    }
}

cn_status cni_wormhole_follow(cni_wormhole_net *n)
{
    const cni_worm_routes *y = &n->routes;
    /* backwards and forwards, over each input */
    uint64_t ways_there = 2 * (y->count / y->targets + 1);
    uint64_t work = ways_there * y->inputs * (64 + 8 * (uint64_t)n->channels);
    size_t places = (size_t)y->sites * n->inputs, groups = (size_t)y->channels * y->groups;
    cn_status status = CN_OK;
    route r = {0};
    const cni_array arrays[] = {CNI_ARRAY(r.ahead, places), CNI_ARRAY(r.rest, places * n->channels),
                                CNI_ARRAY(r.rate, places), CNI_ARRAY(r.met, places * n->channels)};
    CNI_TRY(cni_allocate_arrays(&r.block, arrays));
    for (size_t at = 0; at < groups; at++) {
        n->group[at].before = n->group[at].held;
        n->group[at].rate = n->group[at].held = n->group[at].square = 0.0;
    }
    for (size_t at = 0; at < groups * n->inputs; at++)
        n->input[at].rate = n->input[at].held = 0.0;
    size_t channels = y->channels;
    memset(n->demand, 0, 2 * channels * y->kinds * sizeof *n->demand);
    memset(n->stall, 0, channels * sizeof *n->stall);
    memset(n->limit, 0, channels * (n->channels + 1) * sizeof *n->limit);
    memset(n->brought, 0, channels * n->inputs * sizeof *n->brought);
    memset(n->queue, 0, channels * sizeof *n->queue);
    n->flow = n->wait = 0.0;
    for (size_t c = 0; c < y->channels; c++)
        for (int own = 0; own < 2; own++)
            sum_up_groups(n, c, own);
    for (r.target = 0; r.target < y->targets && status == CN_OK; r.target++) {
        r.base = (size_t)r.target * y->sites;
        memset(r.rate, 0, places * sizeof *r.rate);
        memset(r.met, 0, places * n->channels * sizeof *r.met);
        follow_back(n, &r);
        follow_on(n, &r);
        if (y->by_distance) /* copies are messages of one hop without a choice */
            n->copy = serve_queue(n, &r, 1, n->one_port ? ALL_WAYS : y->first[1],
                                  n->copies * y->members[0]);
        status = cni_budget_go_on(n->budget, work);
    }
    cni_release(r.block);
    for (size_t c = 0; c < y->channels; c++)
        divide_sums(n, c);
    return status;
}

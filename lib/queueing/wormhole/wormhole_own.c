/* The library's own wormhole model, `model_variant` own: docs/wormhole-model.md. */
#include "queueing/wormhole/wormhole_own.h"

#include <math.h>

#include "base/memory.h"

#define PI 3.14159265358979323846

/* ---- before the first round: nothing waits and nothing is shared ---- */

/* P(the next message of its queue takes the same channel as a transit). One that is on its first hop has come from another
 * queue of the node; after h hops a unicast is on one of n C(n-1, h) channels, all as likely. */
static double next_on_channel(const cni_wormhole_state *s)
{
    uint32_t n = s->c->n;
    double queue = s->copies + s->first, channels = n, go_on = 1.0, hops = 0.0, meet = 0.0;
    if (n == 1 || s->first <= 0.0)
        return 0.0;
    for (uint32_t h = 1; h < n; h++) {
        go_on -= s->c->share[h];
        channels *= (double)(n - h) / h;
        hops += go_on;
        meet += go_on * go_on / channels;
    }
    double begun = (1.0 - s->own / queue) / (n - 1.0);
    return (1.0 - s->through) * begun + s->through * meet / hops * s->first / queue;
}

static void find_arrivals(cni_wormhole_state *s)
{
    const cni_wormhole_case *c = s->c;
    double further = 0.0, transits = 0.0, over_channels = 0.0, own = 0.0;
    s->copies = c->broadcast + c->replica;
    s->first = (1.0 - c->beta) * c->load / c->n;
    s->own = s->copies;
    for (uint32_t i = c->n; i >= 1; i--) {
        /* all hops with i dimensions left, less first hops over the channel of the own queue */
        s->demand[i] = c->n * s->first * (further + c->share[i] * (1.0 - 1.0 / i));
        s->own += s->first * c->share[i] / i;
        transits += s->demand[i];
        over_channels += c->n * s->first * further;
        own += i > 1 ? c->n * s->first * c->share[i] / i : 0.0;
        further += c->share[i];
    }
    s->through = transits > 0.0 ? over_channels / transits : 0.0;
    s->from_queue = over_channels > 0.0 ? own / over_channels : 0.0;
    s->next = next_on_channel(s);
}

static void start(cni_wormhole_state *s, const cni_wormhole_case *c)
{
    s->c = c;
    find_arrivals(s);
    for (uint32_t i = 1; i <= c->n; i++)
        s->stream[i] = c->flits;
    s->copy_stream = c->flits;
    s->free[c->channels - 1] = 1.0;
    s->own_birth = s->own;
    s->denser = 1.0;
    for (uint32_t v = 0; v <= c->channels; v++)
        s->held[v] = -1.0;
    cni_wormhole_quadrature(s->node, s->weight);
    for (uint32_t k = 0; k < c->channels; k++) {
        s->width[k] = 1.0 / ((k + 1.0) * (k + 2.0));
        s->limit[0][k] = s->limit[1][k] = 1.0;
        for (uint32_t i = 1; i <= c->n; i++)
            s->rest[i][k] = s->others[i][k] = 1.0;
    }
    cni_wormhole_levels(s);
}

/* ---- waiting for a virtual channel ---- */

/* Mean wait of a header that found all held with r dimensions left. All messages have one length: the first of V to leave does
 * so after V / (V + 1) of the mean time between departures. As many more leave as wait before it, by Little's law. */
static double wait_when_blocked(const cni_wormhole_state *s, uint32_t r)
{
    double v = s->c->channels, residual = v / (v + 1.0) / s->rate[0][s->c->channels];
    residual /= 1.0 - s->waiting_rate * residual;
    return residual / (1.0 + (r - 1.0) * (v - 1.0) / v);
}

/* Of a wait that is 0 or, with small probability, exponential with mean `blocked`. */
static double wait_variance(double mean, double blocked)
{
    return fmax(0.0, mean * (2.0 * blocked - mean));
}

/* While a header waits, with mean w when it does, the buffers of the hops behind it take flits: exp(-(B-1) hops/w) of
 * the wait is felt behind them, and nothing where the tail is there already. */
static double felt(const cni_wormhole_case *c, uint32_t hops, double when_blocked)
{
    return hops * c->buffers < c->flits ? exp(-(c->buffers - 1.0) * hops / when_blocked) : 0.0;
}

static void find_felt(cni_wormhole_state *s)
{
    for (uint32_t q = 1; q <= s->c->n; q++) {
        s->felt[q] = s->felt_variance[q] = 0.0;
        for (uint32_t r = q; r >= 1 && s->wait[r] > 0.0; r--) {
            double blocked = wait_when_blocked(s, r), share = felt(s->c, q - r + 1, blocked);
            s->felt[q] += share * s->wait[r];
            s->felt_variance[q] += share * wait_variance(s->wait[r], blocked);
        }
    }
}

static void find_waits(cni_wormhole_state *s)
{
    uint32_t v = s->c->channels;
    double blocked = s->held[v] * s->spacing[v] * s->waiting_share, without = 0.0, with = 0.0;
    for (uint32_t r = 1; r <= s->c->n; r++, blocked *= s->free[0])
        s->wait[r] = blocked * wait_when_blocked(s, r);
    find_felt(s);
    for (uint32_t t = 0; t <= v; t++) {
        without += s->x[0][t];
        with += t < v ? s->x[1][t] : 0.0;
    }
    /* one that follows another waits for the tail of that to leave the buffer, when transits hold all the rest, and where
     * others wait before it they get what the tail leaves */
    s->copy_blocked = s->x[0][v] / without;
    s->copy_wait = (1.0 - s->busy) * s->copy_blocked * wait_when_blocked(s, 1) +
                   s->busy * s->x[1][v - 1] / with * (1.0 + s->queue * wait_when_blocked(s, 1));
}

/* Of a unicast in a source queue: a copy's, times what it is further on for i dimensions over what it is for one. Not
 * wait[i] / wait[1], as these are 0 where whatever finds all held follows the message before it. */
static double first_wait(const cni_wormhole_state *s, uint32_t i)
{
    return pow(s->free[0], i - 1.0) * wait_when_blocked(s, i) / wait_when_blocked(s, 1) *
           s->copy_wait;
}

/* ---- the source queue ---- */

typedef struct moments {
    double rate, first, second, third; /* rate times the moments of the service time */
} moments;

static void add(moments *m, double rate, double mean, double variance)
{
    m->rate += rate;
    m->first += rate * mean;
    m->second += rate * (mean * mean + variance);
    m->third += rate * (mean * mean + 3.0 * variance) * mean;
}

/* Of what sharing adds to the time of a message: each message that it meets takes up to M cycles
 * from it, all times as likely, and all together at most (V - 1) M. */
static double sharing_variance(const cni_wormhole_state *s, double added)
{
    double most = (s->c->channels - 1.0) * s->c->flits;
    return most > 0.0 ? fmax(0.0, added * 2.0 / 3.0 * s->c->flits * (1.0 - added / most)) : 0.0;
}

static double copy_wait_variance(const cni_wormhole_state *s)
{
    double all = s->held[s->c->channels], blocked = wait_when_blocked(s, 1);
    if (s->copy_wait < blocked * all)
        blocked = s->copy_wait / all;
    return wait_variance(s->copy_wait, blocked);
}

static moments service(const cni_wormhole_state *s)
{
    const cni_wormhole_case *c = s->c;
    moments m = {0, 0, 0, 0};
    add(&m, s->copies, s->copy_wait + s->copy_stream,
        sharing_variance(s, s->copy_stream - c->flits) + copy_wait_variance(s));
    for (uint32_t i = 1; i <= c->n; i++) {
        double wait = first_wait(s, i), mean = s->sending[i] + wait;
        double variance = sharing_variance(s, s->stream[i] - c->flits) +
                          wait_variance(wait, wait_when_blocked(s, i));
        mean += s->felt[i - 1];
        variance += s->felt_variance[i - 1];
        add(&m, s->first * c->share[i], mean, variance);
    }
    return m;
}

/* ---- rounds ---- */

/* Near the limit it takes many. */
enum { MOST_ROUNDS = 2000 };

static int has_settled(double now, double before)
{
    return fabs(now - before) <= 1e-10 * now;
}

static cn_status iterate(cni_wormhole_state *s)
{
    uint64_t work = 32 * (uint64_t)s->c->n * s->c->channels;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double held = s->held[s->c->channels], stream = s->copy_stream, busy = s->busy;
        CNI_TRY(cni_budget_go_on(s->c->budget, work));
        if (cni_wormhole_channel(s) != CN_OK)
            return CN_ERR_UNSTABLE;
        cni_wormhole_share(s);
        find_waits(s);
        moments m = service(s);
        if (!(m.first < (round > 0 ? 1.0 : INFINITY))) /* the first one overshoots */
            return CN_ERR_UNSTABLE;
        s->busy = fmin(1.0, m.first);
        if (has_settled(s->held[s->c->channels], held) && has_settled(s->copy_stream, stream) &&
            has_settled(s->busy, busy))
            return CN_OK;
    }
    return CN_ERR_UNSTABLE;
}

/* ---- what copies of broadcasts have in common ---- */

/* A copy that arrives over dimension d - k of the broadcast's order is sent on over d with this
 * probability; it is also the share of the copies in the queue of d that came so. */
static double forwarded(const cni_wormhole_case *c, uint32_t k)
{
    return (ldexp(c->nodes, -(int)k) - 1.0) / (c->nodes - 1.0);
}

/* Nodes that send m copies, over the nodes that send n - 1. */
static double senders(uint32_t n, uint32_t m)
{
    return ldexp(1.0, m == n ? 0 : (int)(n - 1 - m));
}

/* Of the broadcasts that a node sends on over one dimension, the share that it also sends over
 * another one of the same broadcast of ours; both take dimensions that follow each other,
 * around. */
static double crossed_together(uint32_t n)
{
    double both = 0.0, pairs = 0.0;
    for (uint32_t apart = 1; apart < n; apart++) {
        double ours = 0.0, covered = 0.0, all = 0.0;
        for (uint32_t m = 1; m <= n; m++) {
            double sides = (m > apart ? m - apart : 0.0) + (m + apart > n ? m + apart - n : 0.0);
            ours += m > apart ? senders(n, m) * (m - apart) : 0.0;
            covered += senders(n, m) * fmin(m, sides);
            all += senders(n, m) * m;
        }
        both += ours * covered / all;
        pairs += ours;
    }
    return pairs > 0.0 ? both / pairs : 0.0;
}

/* ---- delays ---- */

enum { UNITS_OF_A_STEP = 1 << 17 }; /* of the budget, for the law of the last node of a broadcast */

typedef struct queueing {
    double unicast, copy, copy_variance; /* waits in the source queue */
} queueing;

/* Share of the copies in a queue that came over the same channel as another one of it. */
static double same_input(const cni_wormhole_case *c)
{
    double squares = 0.0;
    for (uint32_t k = 1; k < c->n; k++)
        squares += forwarded(c, k) * forwarded(c, k);
    return squares;
}

/* Share of the work of a queue that a copy cannot find, because it is of copies that came over
 * the same channel: one after the other. It finds of the one before only by how much that takes
 * longer here than it took there: of two times of one deviation, deviation / sqrt(pi) on the
 * average, in place of the M/2 that is left of a message at any time. */
static double unseen(const cni_wormhole_state *s, const moments *m)
{
    moments copies = {0, 0, 0, 0};
    double variance = sharing_variance(s, s->copy_stream - s->c->flits);
    add(&copies, s->copies, s->copy_wait + s->copy_stream, variance + copy_wait_variance(s));
    double found = sqrt(variance / PI) / (0.5 * s->c->flits);
    return copies.second / m->second * fmax(0.0, 1.0 - found);
}

/* Share of the time in which a source queue sends a copy. */
static double busy_with_copies(const cni_wormhole_state *s)
{
    return s->copies * (s->copy_wait + s->copy_stream);
}

/* Pollaczek and Khinchine's, where copies find less than the mean work: that is sum of rate times E[S^2]/2 + (work found) E[S].
 * Copies that are sent on join before the new unicasts of a cycle, which find all of those and not half. */
static queueing source_queue(const cni_wormhole_state *s, const moments *m)
{
    double idle = 1.0 - m->first, copies = busy_with_copies(s);
    double missed = same_input(s->c) * unseen(s, m) * idle;
    double wait = m->second / (2.0 * (idle + copies * missed));
    double variance = wait * wait + m->third / (3.0 * idle);
    double before = 0.5 * s->c->replica * (s->copy_wait + s->copy_stream);
    return (queueing){wait + before, wait * (1.0 - missed), variance * (1.0 - missed)};
}

static cn_status broadcast_delay(const cni_wormhole_state *s, const moments *m, const queueing *q,
                                 double *delay)
{
    const cni_wormhole_case *c = s->c;
    double added = s->copy_stream - c->flits, excess = q->copy + s->copy_wait + added;
    double variance = q->copy_variance + sharing_variance(s, added) + copy_wait_variance(s);
    double at_once = (1.0 - m->first) * (1.0 - s->copy_blocked) * exp(-2.0 * added / c->flits),
           later = 1.0 - at_once;
    cni_wormhole_step step = {.base = c->flits + 1.0 + c->startup, .at_once = at_once};
    if (later > 0.0) {
        step.mean = excess / later;
        step.variance = (variance + excess * excess) / later - step.mean * step.mean;
        step.variance = fmax(step.variance, 0.01 * step.mean * step.mean);
    }
    double of_copies = busy_with_copies(s) / m->first;
    CNI_TRY(cni_budget_go_on(c->budget, (uint64_t)c->n * UNITS_OF_A_STEP));
    return cni_wormhole_last(c->n, &step, of_copies * crossed_together(c->n), delay);
}

static void put_outcome(const cni_wormhole_state *s, const queueing *q,
                        cni_wormhole_outcome *outcome)
{
    const cni_wormhole_case *c = s->c;
    double delay = q->unicast + c->distance + c->startup, waiting = s->copies * s->copy_wait;
    double held = 0.0, square = 0.0;
    for (uint32_t i = 1; i <= c->n; i++) {
        double waits = first_wait(s, i);
        for (uint32_t r = 1; r < i; r++)
            waits += s->wait[r];
        delay += c->share[i] * (s->stream[i] + waits);
        waiting += s->first * c->share[i] * waits;
    }
    for (uint32_t v = 1; v <= c->channels; v++) {
        held += v * s->held[v];
        square += (double)v * v * s->held[v];
    }
    outcome->unicast_delay = delay;
    outcome->waiting_per_hop = waiting / c->channel;
    outcome->multiplexing = square / held;
}

static cn_status solve(cni_wormhole_state *s, cni_wormhole_outcome *outcome)
{
    CNI_TRY(iterate(s));
    moments m = service(s);
    queueing q = source_queue(s, &m);
    put_outcome(s, &q, outcome);
    return broadcast_delay(s, &m, &q, &outcome->broadcast_delay);
}

cn_status cni_wormhole_own(const cni_wormhole_case *c, cni_wormhole_outcome *outcome)
{
    if (c->load <= 0.0) {
        *outcome = (cni_wormhole_outcome){.unicast_delay = c->flits + c->distance + c->startup,
                                          .broadcast_delay = c->n * (c->flits + 1.0 + c->startup),
                                          .multiplexing = 1.0};
        return CN_OK;
    }
    /* short messages and many virtual channels settle in theory where the channels cannot carry them */
    if (!(c->channel * c->flits < 1.0))
        return CN_ERR_UNSTABLE;
    cni_wormhole_state *s = cni_allocate(1, sizeof *s);
    if (s == NULL)
        return CN_ERR_MEMORY;
    start(s, c);
    cn_status status = solve(s, outcome);
    cni_release(s);
    return status;
}

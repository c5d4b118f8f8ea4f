/*
 * How fast a worm flows that shares its channels (docs/wormhole-model.md, 5). Of each channel it gets the level that the
 * others there leave it (wormhole_pace.c); over several channels it flows as on the worst of them, so that their laws
 * multiply.
 */
#include <math.h>
#include <string.h>

#include "queueing/wormhole/wormhole_own.h"

/* By the number of virtual channels held, escape and adaptive. */
static double choice_at(const cni_wormhole_state *s, uint32_t r, uint32_t held)
{
    uint32_t left = s->c->channels - 1 - held;
    double escaped = s->escaped[held];
    double choice = (1.0 - escaped) * s->share[r][left];
    return escaped > 0.0 ? choice + escaped * s->share[r][left + 1] : choice;
}

/* ---- beside a message ---- */

static void put_level(const cni_wormhole_state *s, const double flows[], uint32_t k, double own,
                      double level[])
{
    for (uint32_t at = 0; at < s->reach; at++)
        level[at] = 0.0;
    for (uint32_t j = 0; j <= k; j++)
        for (uint32_t at = 0; at < s->reach; at++)
            level[at] +=
                flows[j] * ((1.0 - own) * s->level[0][j][at] +
                            (own > 0.0 ? own * (j > 0 ? s->level[1][j - 1][at] : 1.0) : 0.0));
}

static void crowd(const cni_wormhole_state *s, cni_wormhole_row found)
{
    for (uint32_t k = s->reach; k < s->c->channels; k++)
        found[s->reach - 1] += found[k];
}

/* Beside an own message are transits alone. */
static void beside_own(const cni_wormhole_state *s, cni_wormhole_company *c)
{
    uint32_t v = s->c->channels;
    for (uint32_t r = 1; r <= s->c->n; r++) {
        for (uint32_t t = 0; t < v; t++)
            c->found[r][t] = s->x[0][t] * choice_at(s, r, t);
        c->found[r][v - 1] += s->x[0][v] * s->share[r][0]; /* one has gone when it waited */
        crowd(s, c->found[r]);
    }
    for (uint32_t t = 0; t < s->reach; t++) {
        c->come[t] = t + 1 < v ? s->births[1][t] : 0.0;
        for (uint32_t j = 0; j <= t; j++)
            c->flows[t][j] = s->flows[1][t][j];
        put_level(s, c->flows[t], t, 0.0, c->level[t]);
        c->greedy[t] = cni_wormhole_pace(s, s->level[0][t]);
        c->usual[t] = s->of_own[t];
        c->beside_greedy[t] = s->beside_greedy[t];
        c->beside_usual[t] = s->of_transits[1][t];
    }
}

static void find_transit(const cni_wormhole_state *s, uint32_t r, cni_wormhole_row found)
{
    uint32_t v = s->c->channels;
    for (uint32_t k = 0; k < v; k++)
        found[k] =
            s->spacing[k] * choice_at(s, r, k) * (s->x[0][k] + (k > 0 ? s->x[1][k - 1] : 0.0));
    found[v - 1] += s->spacing[v] * s->share[r][0] * (s->x[0][v] + s->x[1][v - 1]);
    crowd(s, found);
}

/* Beside a transit one of the others may be an own message. */
static void beside_transit(const cni_wormhole_state *s, cni_wormhole_company *c)
{
    uint32_t v = s->c->channels;
    for (uint32_t r = 1; r <= s->c->n; r++)
        find_transit(s, r, c->found[r]);
    for (uint32_t k = 0; k < s->reach; k++) {
        double transits = s->x[0][k + 1] * (k + 1), with = s->x[1][k] * k, sum = 0.0;
        double own = with > 0.0 ? with / (transits + with) : 0.0;
        c->come[k] = 0.0;
        if (k + 1 < v)
            c->come[k] = (1.0 - own) * (s->births[0][k + 1] + s->own_birth * s->own_births[k + 1]) +
                         own * s->births[1][k];
        for (uint32_t j = 0; j <= k; j++)
            sum += c->flows[k][j] = s->flows[0][k + 1][j + 1] * (j + 1);
        for (uint32_t j = 0; j <= k; j++)
            c->flows[k][j] /= sum;
        put_level(s, c->flows[k], k, own, c->level[k]);
        c->greedy[k] = cni_wormhole_pace(s, s->level[0][k]);
        c->usual[k] = s->of_transits[0][k + 1] / (k + 1);
        c->beside_greedy[k] = s->beside_greedy[k];
        c->beside_usual[k] = c->usual[k] * k;
    }
}

/* Rates at which the message and the others leave, by k. What a message gets that other channels limit, and what it leaves the
 * others, lie between a greedy one and the usual one. */
typedef struct leaving {
    cni_wormhole_row mine, theirs;
} leaving;

static void leave(const cni_wormhole_state *s, const cni_wormhole_company *c,
                  const cni_wormhole_row limit, leaving *l)
{
    uint32_t v = s->c->channels;
    cni_wormhole_row mine, theirs;
    for (uint32_t j = 0; j < s->reach; j++) {
        mine[j] = cni_wormhole_lower(s, limit, s->level[0][j]);
        double apart = c->greedy[j] - c->usual[j];
        double part = apart > 1e-9 ? (c->greedy[j] - mine[j]) / apart : 0.0;
        theirs[j] = c->beside_greedy[j] + part * (c->beside_usual[j] - c->beside_greedy[j]);
    }
    for (uint32_t k = 0; k < s->reach; k++) {
        l->mine[k] = l->theirs[k] = 0.0;
        for (uint32_t j = 0; j <= k; j++) {
            l->mine[k] += c->flows[k][j] * mine[j] / s->c->flits;
            l->theirs[k] += c->flows[k][j] * theirs[j] / s->c->flits;
        }
        l->theirs[k] = fmax(0.0, l->theirs[k]) * (k + 1 < v ? 1.0 : 1.0 - s->queue);
    }
}

/* The law of the level over the whole time of a message with r left: from what it finds the others come and go until it has
 * gone. */
static void law(const cni_wormhole_state *s, const cni_wormhole_company *c, const leaving *l,
                uint32_t r, cni_wormhole_row level)
{
    uint32_t states = s->reach;
    cni_wormhole_row time, ratio;
    double sum = 0.0;
    for (uint32_t k = 0; k < states; k++) {
        double come = k > 0 ? c->come[k - 1] : 0.0,
               back = k > 0 ? ratio[k - 1] * l->theirs[k] : 0.0;
        double out = l->mine[k] + l->theirs[k] + (k + 1 < states ? c->come[k] : 0.0) - come * back;
        time[k] = (c->found[r][k] + (k > 0 ? come * time[k - 1] : 0.0)) / out;
        ratio[k] = 1.0 / out;
    }
    for (uint32_t k = states - 1; k-- > 0;)
        time[k] += ratio[k] * l->theirs[k + 1] * time[k + 1];
    for (uint32_t at = 0; at < s->reach; at++)
        level[at] = 0.0;
    for (uint32_t k = 0; k < states; k++) {
        sum += time[k];
        for (uint32_t at = 0; at < s->reach; at++)
            level[at] += time[k] * c->level[k][at];
    }
    for (uint32_t at = 0; at < s->reach; at++)
        level[at] = sum > 0.0 ? fmin(1.0, level[at] / sum) : 1.0;
}

/* ---- the paths ---- */

/* The share of the flits for which one slow channel holds up another: none are stored between them. On a path of i hops two
 * are (i + 1)/3 apart on the average, and B - 1 flits more than flow fit into a buffer. */
static double rigid(const cni_wormhole_state *s, uint32_t hops)
{
    return fmax(0.0, 1.0 - (s->c->buffers - 1.0) * (hops + 1.0) / (3.0 * s->c->flits));
}

/* A path of i hops: the laws of its levels multiplied, all but the first, and all; by which of its channels the tail leaves the
 * source early: before flits have passed the slowest channel the buffers up to it fill. */
typedef struct path {
    cni_wormhole_row later, whole;
    double at_first, first_slower, slower, further;
    leaving leaves[3]; /* on later channels, on the first of another queue, and of its own */
} path;

/* On longer paths the limits change no more: each is one hop more than the one before. */
enum { FOLLOWED = 16 };

static void add_slow(const cni_wormhole_state *s, path *p, const cni_wormhole_row level,
                     uint32_t hops_before)
{
    double slower = 1.0 / cni_wormhole_pace(s, level) - 1.0;
    p->slower += slower;
    p->further += slower * hops_before;
}

static void follow(const cni_wormhole_state *s, const cni_wormhole_company *own,
                   const cni_wormhole_company *transit, uint32_t i, path *p)
{
    cni_wormhole_row level, first;
    if (i <= FOLLOWED)
        p->slower = p->further = 0.0;
    else
        p->further += p->slower -= p->first_slower;
    for (uint32_t at = 0; at < s->reach && i <= FOLLOWED; at++)
        p->later[at] = 1.0;
    if (i <= FOLLOWED) {
        leave(s, transit, s->others[i], &p->leaves[0]);
        leave(s, transit, s->rest[i], &p->leaves[1]);
        leave(s, own, s->rest[i], &p->leaves[2]);
    }
    for (uint32_t r = i <= FOLLOWED ? 1 : i - 1; r < i; r++) {
        law(s, transit, &p->leaves[0], r, level);
        add_slow(s, p, level, i - r);
        for (uint32_t at = 0; at < s->reach; at++)
            p->later[at] *= level[at];
    }
    /* a unicast with i dimensions to go gets the channel of its queue in one case of i */
    law(s, transit, &p->leaves[1], i, level);
    law(s, own, &p->leaves[2], i, first);
    for (uint32_t at = 0; at < s->reach; at++) {
        first[at] = first[at] / i + (1.0 - 1.0 / i) * level[at];
        p->whole[at] = p->later[at] * first[at];
    }
    p->first_slower = -p->slower;
    add_slow(s, p, first, 0);
    p->first_slower += p->slower;
    p->at_first = s->c->flits / cni_wormhole_pace(s, first);
}

/* M rounds of turns, less what of the last one comes after the turn of the last flit. The first flit finds a turn after half of
 * what others take of a round, on each channel. */
static double to_last_turn(const cni_wormhole_state *s, double rounds)
{
    return rounds - (rounds / s->c->flits - 1.0);
}

static double early(const cni_wormhole_state *s, const path *p, double stream)
{
    if (p->slower <= 0.0)
        return 0.0;
    double flits = (s->c->buffers - 1.0) * p->further / p->slower;
    return fmin(stream - s->c->flits, flits * stream / s->c->flits * (1.0 - p->whole[0]));
}

/* Of the messages that hold a channel, by the time for which they do: what other channels allow them. */
typedef struct limits {
    cni_wormhole_row sum[2];
    double time[2];
} limits;

static void add_limit(limits *l, int own, double time, const cni_wormhole_row limit, uint32_t reach)
{
    l->time[own] += time;
    for (uint32_t at = 0; at < reach; at++)
        l->sum[own][at] += time * limit[at];
}

void cni_wormhole_share(cni_wormhole_state *s)
{
    cni_wormhole_company *own = &s->company[1], *transit = &s->company[0];
    leaving l;
    path p;
    cni_wormhole_row level, none, shorter;
    limits all = {{{0}, {0}}, {0.0, 0.0}};
    beside_own(s, own);
    beside_transit(s, transit);
    for (uint32_t at = 0; at < s->reach; at++)
        none[at] = shorter[at] = 1.0;
    leave(s, own, none, &l);
    law(s, own, &l, 1, level);
    double rounds = s->c->flits / cni_wormhole_pace(s, level);
    s->copy_stream = 0.5 * (rounds + to_last_turn(s, rounds));
    add_limit(&all, 1, s->copies * s->copy_stream, none, s->reach);
    for (uint32_t i = 1; i <= s->c->n; i++) {
        double together = rigid(s, i);
        follow(s, own, transit, i, &p);
        /* flits that are stored are ahead only where the further channel was the slow one first: half of the cases */
        rounds = p.at_first + 0.5 * (1.0 + together) *
                                  (s->c->flits / cni_wormhole_pace(s, p.whole) - p.at_first);
        double sending = to_last_turn(s, rounds) + 0.5 * p.first_slower;
        s->stream[i] = sending + 0.5 * (p.slower - p.first_slower);
        s->sending[i] = sending - early(s, &p, sending);
        for (uint32_t at = 0; at < s->reach; at++) {
            s->rest[i][at] = 1.0 - together * (1.0 - p.later[at]);
            s->others[i][at] = 1.0 - together * (1.0 - shorter[at]);
        }
        double time = s->first * s->c->share[i] * s->stream[i];
        add_limit(&all, 1, time / i, s->rest[i], s->reach);
        add_limit(&all, 0, time * (1.0 - 1.0 / i), s->rest[i], s->reach);
        add_limit(&all, 0, time * (i - 1.0), s->others[i], s->reach);
        memcpy(shorter, p.whole, sizeof shorter);
    }
    for (uint32_t kind = 0; kind < 2; kind++)
        for (uint32_t at = 0; at < s->reach && all.time[kind] > 0.0;
             at++) /* half the step, as for the probabilities */
            s->limit[kind][at] =
                0.5 * (s->limit[kind][at] + fmin(1.0, all.sum[kind][at] / all.time[kind]));
    cni_wormhole_levels(s);
}

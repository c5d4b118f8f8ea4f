/*
 * The law of the numbers of virtual channels held on a channel, from the rates and the mean numbers
 * held (docs/theory/wormhole.md, W12 to W15): a chain of births and deaths, whose births give the
 * right means.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "queueing/wormhole/wormhole_network.h"

/* Laws of the channel at hand. Only the elements for its sizes have values. */
typedef struct laws {
    /* by j, cell: level of a message beside j others */
    cni_wormhole_row level[CNI_WORMHOLE_LEVELS];
    /* by number held m: weights of j flowing messages, their sum, departures of each message;
     * P(the next to leave is own, given an own one) */
    cni_wormhole_row weight[CNI_WORMHOLE_LEVELS], weights, death, own_leaves;
    /* transits and own: by group, free adaptive ones */
    cni_wormhole_row birth[2][CNI_WORMHOLE_GROUPS];
} laws;

/* The channel at hand. Of two elements the first is of transits, the second of own messages,
 * from the channel's own queue. */
typedef struct channel {
    size_t number;
    double *law;
    laws *laws;
    double rate; /* of messages, over all groups */
    /* by free adaptive virtual channels: arrivals over their mean */
    cni_wormhole_row thinner[2];
    double own[CNI_WORMHOLE_GROUPS]; /* by group: share of own messages in the arrivals */
    double held, own_held;           /* mean numbers of all and of own messages */
    double hurry;                    /* stay of a transit over the stay of an own message */
    /* by group: as in cni_wormhole_block() */
    double left[CNI_WORMHOLE_GROUPS], relief[CNI_WORMHOLE_GROUPS];
    double from[CNI_MOST_PORTS + 2]; /* by input: q of W15 */
    cni_wormhole_row any[2];         /* others that flow beside a message at any time */
} channel;

void cni_wormhole_states(cni_wormhole_net *n)
{
    for (uint32_t i = 0; i < 2 * n->states; i++) {
        cni_wormhole_held s = {.own = i >= n->states};
        for (uint32_t g = 0; g < n->routes.groups; g++) {
            s.of[g] = i % n->states / n->stride[g] % (n->routes.size[g] + 1);
            s.all += s.of[g];
            if (!cni_has_group(n->routes.escapes, g)) {
                s.adaptive += s.of[g];
                s.adaptive_free += n->routes.size[g] - s.of[g];
            }
        }
        n->state[i] = s;
    }
}

/* ---- the chain ---- */

/* The share of cell k that is below a level. */
static double share_of_cell(double level, uint32_t k)
{
    return fmin(1.0, fmax(0.0, (level * (k + 2.0) - 1.0) * (k + 1.0)));
}

/* W12: the levels in cell k beside j others. A binomial number of the others has limits in the
 * cell or above; the rest is taken at the mean of its limits. */
static void find_levels(const cni_wormhole_net *n, channel *c, uint32_t k)
{
    const double *limit = n->limit + c->number * (n->channels + 1);
    double free = limit[k], small = 0.0, slow[CNI_WORMHOLE_LEVELS] = {1.0};
    for (uint32_t j = k + 1; j < n->channels; j++)
        small += free < 1.0 ? (limit[j] - limit[j - 1]) / (j + 1) / (1.0 - free) : 0.0;
    for (uint32_t j = 0; j < n->channels; j++) {
        double level = j < k;
        for (uint32_t l = 0; j >= k && l <= j && l * small < 1.0; l++)
            level += slow[l] * share_of_cell((1.0 - l * small) / (1.0 + j - l), k);
        c->laws->level[j][k] = level;
        for (uint32_t l = j + 2; l-- > 0;)
            slow[l] = (l <= j ? free * slow[l] : 0.0) + (l > 0 ? (1.0 - free) * slow[l - 1] : 0.0);
    }
}

/* The factor 1 + LATE (V - 1) of W13 for full channels: messages that fill a channel come late
 * in the stay of the others, so a full channel is left more often than its flits say. 0.05 is
 * read off departures in simulations; without it full channels would be left too rarely. */
static const double LATE = 0.05;

/* W13: messages that flow share the channel, and messages that stand still have room for all.
 * These are two queues in product form. */
static void find_weights(const cni_wormhole_net *n, channel *c)
{
    const double *limit = n->limit + c->number * (n->channels + 1);
    double stall = n->stall[c->number];
    for (uint32_t k = 0; k < n->channels; k++)
        find_levels(n, c, k);
    c->laws->weight[0][0] = c->laws->weights[0] = 1.0;
    c->laws->death[0] = 0.0;
    for (uint32_t m = 1; m <= n->channels; m++) {
        double mean = 0.0;
        for (uint32_t k = 0; k < n->channels; k++)
            mean += limit[k] * c->laws->level[m - 1][k] * n->width[k];
        double still = 1.0, flits = m * (mean + 1.0 / (n->channels + 1.0)); /* phi(m) of W12 */
        c->laws->weight[m][m] = c->laws->weight[m - 1][m - 1] / flits;
        c->laws->weights[m] = c->laws->weight[m][m];
        for (uint32_t j = m; j-- > 0;) {
            still *= stall / (m - j);
            c->laws->weight[m][j] = still * c->laws->weight[j][j];
            c->laws->weights[m] += c->laws->weight[m][j];
        }
        c->laws->death[m] = c->laws->weights[m - 1] / c->laws->weights[m] / m;
        c->laws->own_leaves[m] = c->hurry / (c->hurry + m - 1.0);
    }
    if (n->routes.escapes != 0)
        c->laws->death[n->channels] *= 1.0 + LATE * (n->channels - 1.0);
}

/* Births thin out with the free adaptive virtual channels (W7). Escapes are taken only while all
 * adaptive virtual channels are held. At most one own message is there. */
static void find_births(const cni_wormhole_net *n, channel *c)
{
    for (uint32_t g = 0; g < n->routes.groups; g++) {
        double birth = n->group[cni_group_at(n, c->number, g)].birth;
        int escapes = cni_has_group(n->routes.escapes, g);
        for (uint32_t x = 0; x <= n->channels; x++) {
            double thin[2] = {c->thinner[0][x], c->thinner[1][x]};
            if (escapes)
                thin[0] = thin[1] = x == 0;
            c->laws->birth[0][g][x] = birth * (1.0 - c->own[g]) * thin[0];
            c->laws->birth[1][g][x] = birth * c->own[g] * n->eager[c->number] * thin[1];
        }
    }
}

/* Sets each state to its balance with the others, one state after the other. */
static void sweep_states(const cni_wormhole_net *n, const channel *c)
{
    double *law = c->law;
    for (uint32_t i = 0; i < 2 * n->states; i++) {
        const cni_wormhole_held *s = &n->state[i];
        double in = 0.0, out = s->all * c->laws->death[s->all];
        if (s->own && s->all == 0)
            continue;
        for (uint32_t g = 0; g < n->routes.groups; g++) {
            uint32_t stride = n->stride[g], now = s->adaptive_free;
            uint32_t before = now + !cni_has_group(n->routes.escapes, g);
            if (s->of[g] > 0) {
                in += law[i - stride] * c->laws->birth[0][g][before];
                if (s->own)
                    in += law[i - stride - n->states] * c->laws->birth[1][g][before];
            }
            if (s->of[g] < n->routes.size[g]) {
                double leave = c->laws->death[s->all + 1] * (s->of[g] + 1);
                double own = c->laws->own_leaves[s->all + 1];
                out += c->laws->birth[0][g][now];
                in += law[i + stride] * leave * (s->own ? 1.0 - own : 1.0);
                if (!s->own) {
                    out += c->laws->birth[1][g][now];
                    in += law[i + stride + n->states] * leave * own;
                }
            }
        }
        if (out > 0.0)
            law[i] = in / out;
    }
}

/* The exponent of W14 damps the steps. With 1 some loads below the limit do not come to rest,
 * with 1.5 hardly any load does. Delays do not depend on it; the limit does, and falls with it. */
static const double DAMPED = 0.8;

static double odds(double mean, double most)
{
    return mean / (most - mean);
}

/* W14: moves the births to where the means are right: the numbers held, also by own messages,
 * and the part of each group in the arrivals. 0.999 keeps the odds of an own message finite. */
static void adjust_births(cni_wormhole_net *n, const channel *c)
{
    double *law = c->law;
    double sum = 0.0, own = 0.0, all = 0.0, leave = 0.0;
    double leaves[CNI_WORMHOLE_GROUPS] = {0}, mean[CNI_WORMHOLE_GROUPS] = {0};
    for (uint32_t i = 0; i < 2 * n->states; i++) {
        const cni_wormhole_held *s = &n->state[i];
        sum += law[i];
        all += law[i] * s->all;
        own += s->own ? law[i] : 0.0;
        for (uint32_t g = 0; g < n->routes.groups; g++) {
            leaves[g] += law[i] * c->laws->death[s->all] * s->of[g];
            mean[g] += law[i] * s->of[g];
        }
    }
    for (uint32_t g = 0; g < n->routes.groups; g++)
        leave += leaves[g];
    for (uint32_t i = 0; i < 2 * n->states; i++)
        law[i] /= sum;
    double *eager = &n->eager[c->number];
    if (own > 0.0 && own < sum && c->own_held > 0.0)
        *eager *= pow(odds(fmin(0.999, c->own_held), 1.0) / odds(own, sum), DAMPED);
    for (uint32_t g = 0; g < n->routes.groups; g++) {
        size_t at = cni_group_at(n, c->number, g);
        double *birth = &n->group[at].birth, size = n->routes.size[g];
        if (n->group[at].rate <= 0.0)
            *birth = 0.0;
        else if (*birth <= 0.0 || leaves[g] <= 0.0)
            *birth = n->group[at].held / size;
        else if (n->routes.escapes == 0)
            *birth *= pow(odds(n->group[at].held, size) / odds(mean[g] / sum, size), DAMPED);
        else
            *birth *= pow(odds(c->held, n->channels) / odds(all / sum, n->channels) *
                              n->group[at].rate / c->rate * leave / leaves[g],
                          DAMPED);
    }
}

/* Turns of the first round, which begins with any law, and of later rounds. */
enum { FIRST_TURNS = 60, TURNS = 3 };

static void find_law(cni_wormhole_net *n, channel *c, int is_first)
{
    find_weights(n, c);
    for (int i = is_first ? FIRST_TURNS : TURNS; i-- > 0;) {
        find_births(n, c);
        sweep_states(n, c);
        sweep_states(n, c);
        adjust_births(n, c);
    }
}

/* ---- how headers choose ---- */

static void normalize_law(double a[], uint32_t count)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < count; k++)
        sum += a[k];
    for (uint32_t k = 0; k < count && sum > 0.0; k++)
        a[k] /= sum;
}

/* Gauss and Legendre's quadrature on [-1, 1], sixteen points: the points above 0, their weights. */
static const double nodes[][2] = {
    {0.0950125098376374, 0.1894506104550685}, {0.2816035507792589, 0.1826034150449236},
    {0.4580167776572274, 0.1691565193950025}, {0.6178762444026438, 0.1495959888165767},
    {0.7554044083550030, 0.1246289712555339}, {0.8656312023878318, 0.0951585116824928},
    {0.9445750230732326, 0.0622535239386479}, {0.9894009349916499, 0.0271524594117541}};

/* The row of a number of free adaptive virtual channels, by kind. */
static double *choices_at(const cni_wormhole_net *n, uint32_t free_ones)
{
    return n->choice + free_ones * n->routes.kinds;
}

/* W7 times r, by the number x of free adaptive virtual channels of a channel: the part of the
 * headers with r ports that take this channel is E[x / (x + Y)], where Y virtual channels are
 * free on the r - 1 other ports. 1 / (x + Y) is the integral of z^(x+Y-1). The other ports are
 * as the mean channel. */
static void find_choices(cni_wormhole_net *n)
{
    uint32_t kinds = n->routes.kinds, all = (UINT32_C(1) << n->routes.groups) - 1;
    uint32_t most = (uint32_t)n->size_of[all & ~n->routes.escapes];
    double free_ones[CNI_WORMHOLE_LEVELS] = {0}, term[CNI_MOST_PORTS];
    for (size_t c = 0; c < n->routes.channels; c++)
        for (uint32_t i = 0; i < 2 * n->states; i++)
            free_ones[n->state[i].adaptive_free] +=
                n->routes.members[c] * n->law[2 * c * n->states + i];
    normalize_law(free_ones, n->channels + 1);
    memset(n->choice, 0, (n->channels + 1) * kinds * sizeof *n->choice);
    for (uint32_t kind = 0; kind < kinds; kind++)
        choices_at(n, 0)[kind] = cni_power(free_ones[0], kind);
    for (size_t i = 0; i < 2 * sizeof nodes / sizeof nodes[0]; i++) {
        const double *node = nodes[i / 2];
        double z = 0.5 + (i % 2 == 0 ? 0.5 : -0.5) * node[0], others = 0.0, by_kind = 0.5 * node[1];
        for (uint32_t x = most + 1; x-- > 0;)
            others = others * z + free_ones[x];
        for (uint32_t kind = 0; kind < kinds; kind++, by_kind *= others)
            term[kind] = by_kind * (kind + 1);
        double power = 1.0;
        for (uint32_t x = 1; x <= most; x++, power *= z)
            for (uint32_t kind = 0; kind < kinds; kind++)
                choices_at(n, x)[kind] += x * power * term[kind];
    }
}

/* ---- probabilities for headers ---- */

/* The others that a message finds when it comes, by kind. An own message finds no other own
 * message. */
static void find_seen(const cni_wormhole_net *n, const channel *c, int own)
{
    uint32_t kinds = n->routes.kinds;
    memset(n->finds, 0, n->channels * kinds * sizeof *n->finds);
    for (uint32_t i = 0; i < (2 - (uint32_t)own) * n->states; i++) {
        const cni_wormhole_held *s = &n->state[i];
        /* full: one message has left when the header comes in */
        uint32_t m = s->all == n->channels ? s->all - 1 : s->all;
        double p = c->law[i] / c->laws->weights[m], *finds = n->finds + m * kinds;
        const double *choices = choices_at(n, s->adaptive_free);
        for (uint32_t kind = 0; kind < kinds; kind++)
            finds[kind] += p * choices[kind];
    }
    for (uint32_t kind = 0; kind < kinds; kind++) {
        for (uint32_t j = 0; j < n->channels; j++) {
            n->seen[kind][j] = 0.0;
            for (uint32_t m = j; m < n->channels; m++)
                n->seen[kind][j] += n->finds[m * kinds + kind] * c->laws->weight[m][j];
        }
        normalize_law(n->seen[kind], n->channels);
    }
}

/* W15. Beside a message are the others of any time, changed by the effect of its own choice of
 * the channel. k others are news unless all of them came over the same input, since that channel
 * was shared with them already. */
static void put_beside(cni_wormhole_net *n, const channel *c, uint32_t kind, int own,
                       const double usual[])
{
    cni_wormhole_row p, function;
    double sum = 0.0;
    for (uint32_t k = 0; k < n->channels; k++) {
        double there = c->any[own][k] + n->seen[kind][k] - usual[k];
        p[k] = there > 0.0 ? there : 0.0;
        sum += p[k];
    }
    for (uint32_t at = 0; at < n->channels; at++) {
        function[at] = 0.0;
        for (uint32_t k = 0; k < n->channels; k++)
            function[at] += p[k] * c->laws->level[k][at];
        function[at] /= sum;
    }
    for (uint32_t input = 0; input < n->inputs; input++) {
        double from = c->from[input], same = from;
        double *beside = cni_beside_at(n, c->number, kind, input);
        for (uint32_t k = 0; k < n->channels && own == (input == cni_own_queue(n)); k++) {
            beside[k] = same > 0.0 ? pow(function[k], 1.0 - same) : function[k];
            same *= from;
        }
    }
}

static void find_beside(cni_wormhole_net *n, channel *c, int own)
{
    const double *demand = n->demand + (2 * c->number + (size_t)own) * n->routes.kinds;
    cni_wormhole_row usual = {0};
    normalize_law(c->any[own], n->channels);
    find_seen(n, c, own);
    for (uint32_t kind = 0; kind < n->routes.kinds; kind++)
        for (uint32_t k = 0; k < n->channels; k++)
            usual[k] += demand[kind] * n->seen[kind][k];
    normalize_law(usual, n->channels);
    for (uint32_t kind = 0; kind < n->routes.kinds; kind++)
        put_beside(n, c, kind, own, usual);
}

/* Adds what a state shows of a group. `leave` is the rate of departures of each message, times
 * the probability of the state. */
static void look_at_group(const cni_wormhole_net *n, channel *c, uint32_t i, uint32_t g,
                          double leave)
{
    const cni_wormhole_held *s = &n->state[i];
    int full = s->of[g] == n->routes.size[g], escapes = cni_has_group(n->routes.escapes, g);
    for (int own = 0; own < (s->own ? 1 : 2); own++) {
        cni_wormhole_view *v = cni_view_at(n, c->number, g, own);
        v->free += c->law[i] * (n->routes.size[g] - s->of[g]);
        v->full += full ? c->law[i] : 0.0;
        v->escaped += full && s->adaptive_free == 0 ? c->law[i] : 0.0;
    }
    c->left[g] += full ? leave * s->of[g] : 0.0;
    /* a header that waits for an escape waits for adaptive virtual channels, too */
    if (full && (!escapes || s->adaptive_free == 0))
        c->relief[g] += leave * (s->of[g] + (escapes ? s->adaptive : 0));
}

/* Below this probability no digit of a result shows a full group, and its rate of departures
 * would be a quotient of numbers near 0. */
static const double RARE = 1e-40;

static void look_at_states(cni_wormhole_net *n, channel *c)
{
    double all[2] = {0.0, 0.0}, no_adaptive[2] = {0.0, 0.0}, held = 0.0, pairs = 0.0, leaves = 0.0;
    memset(cni_view_at(n, c->number, 0, 0), 0, 2 * n->routes.groups * sizeof *n->view);
    for (uint32_t i = 0; i < 2 * n->states; i++) {
        const cni_wormhole_held *s = &n->state[i];
        double p = c->law[i], leave = p * c->laws->death[s->all];
        for (int own = 0; own < (s->own ? 1 : 2); own++) {
            all[own] += p;
            no_adaptive[own] += s->adaptive_free == 0 ? p : 0.0;
        }
        double share = p / c->laws->weights[s->all] / s->all;
        for (uint32_t j = 1; j <= s->all; j++) {
            double beside = share * c->laws->weight[s->all][j] * j;
            c->any[0][j - 1] += beside * (s->all - s->own);
            c->any[1][j - 1] += beside * s->own;
        }
        held += p * s->all;
        pairs += p * s->all * (s->all - 1.0);
        leaves += leave * s->all;
        for (uint32_t g = 0; g < n->routes.groups; g++)
            look_at_group(n, c, i, g, leave);
    }
    for (uint32_t g = 0; g < n->routes.groups; g++) {
        const cni_wormhole_view *v = cni_view_at(n, c->number, g, 0);
        double waiting = cni_has_group(n->routes.escapes, g) ? v->escaped : v->full;
        c->left[g] *= c->rate / leaves;
        c->relief[g] *= waiting > RARE ? c->rate / leaves / waiting : 0.0;
        for (int own = 0; own < 2; own++) {
            cni_wormhole_view *u = cni_view_at(n, c->number, g, own);
            *u = (cni_wormhole_view){u->free / all[own], u->full / all[own],
                                     no_adaptive[own] > 0.0 ? u->escaped / no_adaptive[own] : 0.0};
        }
    }
    n->bunching[c->number].meetings = held > 0.0 ? fmin(1.0, pairs / (held * held)) : 1.0;
}

/* Sums up the arrivals at a channel, and the part of its own queue. */
static void look_at_arrivals(cni_wormhole_net *n, channel *c, int is_first)
{
    double own_kept = 0.0, own_turn = 0.0, kept = 0.0;
    for (uint32_t g = 0; g < n->routes.groups; g++) {
        size_t at = cni_group_at(n, c->number, g), own = at * n->inputs + cni_own_queue(n);
        double now = n->group[at].held;
        if (n->group[at].rate <= 0.0)
            continue;
        n->group[at].variation =
            fmin(1.0, n->group[at].square * n->group[at].rate / (now * now) - 1.0);
        if (!is_first) /* half of the step, since the full step overshoots near saturation */
            n->group[at].held = 0.5 * (now + n->group[at].before);
        c->rate += n->group[at].rate;
        c->held += n->group[at].held;
        c->own[g] = n->input[own].rate / n->group[at].rate;
        c->own_held += n->input[own].held / now * n->group[at].held;
        own_kept += n->input[own].held;
        own_turn += n->input[own].rate;
        kept += now;
    }
    c->hurry = own_kept > 0.0 && c->rate > own_turn
                   ? (kept - own_kept) / (c->rate - own_turn) * own_turn / own_kept
                   : 1.0;
    for (uint32_t input = 0; input < n->routes.inputs; input++) {
        for (uint32_t g = 0; g < n->routes.groups; g++)
            c->from[input] += n->input[cni_input_at(n, c->number, g, input)].rate / c->rate;
        c->from[input] = fmin(1.0, c->from[input]);
        c->from[input] *= n->brought[c->number * n->inputs + input].meetings;
    }
    for (uint32_t own = 0; own < 2; own++) {
        double *demand = n->demand + (2 * c->number + own) * n->routes.kinds, rate = 0.0;
        for (uint32_t kind = 0; kind < n->routes.kinds; kind++)
            rate += demand[kind];
        for (uint32_t kind = 0; kind < n->routes.kinds && rate > 0.0; kind++)
            for (uint32_t x = 0; x <= n->channels; x++)
                c->thinner[own][x] += demand[kind] / rate * choices_at(n, x)[kind];
    }
}

static cn_status occupy_channel(cni_wormhole_net *n, size_t number, int is_first)
{
    laws found_laws;
    channel c = {.number = number, .law = n->law + 2 * number * n->states, .laws = &found_laws};
    const double *demand = n->demand + 2 * number * n->routes.kinds;
    look_at_arrivals(n, &c, is_first);
    for (uint32_t g = 0; g < n->routes.groups && n->routes.escapes == 0; g++)
        if (!(n->group[cni_group_at(n, number, g)].held < n->routes.size[g]))
            return CN_ERR_UNSTABLE;
    if (!(c.held < n->channels))
        return CN_ERR_UNSTABLE;
    if (c.rate <= 0.0)
        return CN_OK;
    find_law(n, &c, is_first);
    look_at_states(n, &c);
    for (int own = 0; own < 2; own++)
        find_beside(n, &c, own);
    /* the headers of kind 0, transits and own, may take no other channel */
    cni_wormhole_block(n, number, (demand[0] + demand[n->routes.kinds]) / c.rate, c.left, c.relief);
    return CN_OK;
}

/* The work for a channel: its weights have a power for each pair of numbers held and flowing,
 * its law two sweeps over the states, the laws beside a message a power for each number, kind
 * and input; and of two inputs each may wait before the other. */
static uint64_t work_of_channel(const cni_wormhole_net *n, int is_first)
{
    uint64_t v = n->channels, turn = 6 * v * v + 32 * (uint64_t)n->states * n->routes.groups;
    return turn * (is_first ? FIRST_TURNS : TURNS) + 16 * v * n->routes.kinds * n->inputs +
           8 * (uint64_t)n->routes.groups * n->inputs * n->inputs;
}

cn_status cni_wormhole_occupy(cni_wormhole_net *n)
{
    int is_first = n->rounds == 0;
    uint64_t work = work_of_channel(n, is_first);
    find_choices(n);
    CNI_TRY(cni_budget_go_on(n->budget, 8 * (uint64_t)n->routes.channels * n->states));
    for (size_t c = 0; c < n->routes.channels; c++) {
        if (n->routes.members[c] > 0.0)
            CNI_TRY(occupy_channel(n, c, is_first));
        CNI_TRY(cni_budget_go_on(n->budget, work));
    }
    return CN_OK;
}

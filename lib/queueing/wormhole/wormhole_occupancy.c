/*
 * How many virtual channels of each group are held on a channel, from the rates and the mean
 * numbers held (docs/theory/wormhole.md, W12 to W15): a chain of births and deaths whose rates of
 * births are such that the means are right, and from its law what a header meets.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "queueing/wormhole/wormhole_network.h"

/* Laws of a channel at hand, of which the elements that there are get their values. */
typedef struct laws {
    cni_wormhole_row level[CNI_WORMHOLE_LEVELS]; /* of what one gets beside j others */
    /* given m held: weight of j of them flowing, of all, and the rate of departures of each; P(the
     * next to leave is own | one is) */
    cni_wormhole_row weight[CNI_WORMHOLE_LEVELS], weights, death, own_leaves;
    cni_wormhole_row birth[2][CNI_WORMHOLE_GROUPS]; /* of transits and own, by free adaptive ones */
} laws;

/* A channel at hand. Of two elements the first is of transits, the second of own messages: those
 * from its own queue. */
typedef struct channel {
    size_t number;
    double *law;
    laws *of;
    double rate;                     /* of messages, all groups */
    cni_wormhole_row thinner[2];     /* arrivals, by free adaptive ones, over their mean */
    double own[CNI_WORMHOLE_GROUPS]; /* share of the arrivals */
    double held, own_held;           /* mean numbers of all and of own messages */
    double hurry;                    /* how much sooner one of them leaves */
    double left[CNI_WORMHOLE_GROUPS], relief[CNI_WORMHOLE_GROUPS]; /* by group: while it is full */
    double from[CNI_MOST_PORTS + 2]; /* by input: its share, more where it brings fewer at a time */
    cni_wormhole_row any[2];         /* others beside it at any time */
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

static double share_of_cell(double level, uint32_t k)
{
    return fmin(1.0, fmax(0.0, (level * (k + 2.0) - 1.0) * (k + 1.0)));
}

/* The levels in cell k beside j others. Of these a number that is binomial have a limit in the cell
 * or above; the others take their mean. */
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
        c->of->level[j][k] = level;
        for (uint32_t l = j + 2; l-- > 0;)
            slow[l] = (l <= j ? free * slow[l] : 0.0) + (l > 0 ? (1.0 - free) * slow[l - 1] : 0.0);
    }
}

/* Read off simulations, the one number here that is (docs/theory/wormhole.md, W13): a full channel
 * of V virtual channels is left more often than its flits say, by this times V - 1, as those that
 * fill it come late in the stay of the others. */
static const double LATE = 0.05;

/* W13. Messages that flow share the channel, those that stand still have room for all: two queues
 * in product form. */
static void weigh(const cni_wormhole_net *n, channel *c)
{
    const double *limit = n->limit + c->number * (n->channels + 1);
    double stall = n->stall[c->number];
    for (uint32_t k = 0; k < n->channels; k++)
        find_levels(n, c, k);
    c->of->weight[0][0] = c->of->weights[0] = 1.0;
    c->of->death[0] = 0.0;
    for (uint32_t m = 1; m <= n->channels; m++) {
        double mean = 0.0;
        for (uint32_t k = 0; k < n->channels; k++)
            mean += limit[k] * c->of->level[m - 1][k] * n->width[k];
        double still = 1.0, flits = m * (mean + 1.0 / (n->channels + 1.0)); /* of m, in a cycle */
        c->of->weight[m][m] = c->of->weight[m - 1][m - 1] / flits;
        c->of->weights[m] = c->of->weight[m][m];
        for (uint32_t j = m; j-- > 0;) {
            still *= stall / (m - j);
            c->of->weight[m][j] = still * c->of->weight[j][j];
            c->of->weights[m] += c->of->weight[m][j];
        }
        c->of->death[m] = c->of->weights[m - 1] / c->of->weights[m] / m;
        c->of->own_leaves[m] = c->hurry / (c->hurry + m - 1.0);
    }
    if (n->routes.escapes != 0)
        c->of->death[n->channels] *= 1.0 + LATE * (n->channels - 1.0);
}

/* Escapes are taken while all adaptive ones are held. There is one own message at most. */
static void find_births(const cni_wormhole_net *n, channel *c)
{
    for (uint32_t g = 0; g < n->routes.groups; g++) {
        double birth = n->group[cni_group_at(n, c->number, g)].birth;
        int escapes = cni_has_group(n->routes.escapes, g);
        for (uint32_t x = 0; x <= n->channels; x++) {
            double thin[2] = {c->thinner[0][x], c->thinner[1][x]};
            if (escapes)
                thin[0] = thin[1] = x == 0;
            c->of->birth[0][g][x] = birth * (1.0 - c->own[g]) * thin[0];
            c->of->birth[1][g][x] = birth * c->own[g] * n->eager[c->number] * thin[1];
        }
    }
}

/* Balance of one state after the other. */
static void sweep(const cni_wormhole_net *n, const channel *c)
{
    double *law = c->law;
    for (uint32_t i = 0; i < 2 * n->states; i++) {
        const cni_wormhole_held *s = &n->state[i];
        double in = 0.0, out = s->all * c->of->death[s->all];
        if (s->own && s->all == 0)
            continue;
        for (uint32_t g = 0; g < n->routes.groups; g++) {
            uint32_t stride = n->stride[g], now = s->adaptive_free;
            uint32_t before = now + !cni_has_group(n->routes.escapes, g);
            if (s->of[g] > 0) {
                in += law[i - stride] * c->of->birth[0][g][before];
                if (s->own)
                    in += law[i - stride - n->states] * c->of->birth[1][g][before];
            }
            if (s->of[g] < n->routes.size[g]) {
                double leave = c->of->death[s->all + 1] * (s->of[g] + 1);
                double own = c->of->own_leaves[s->all + 1];
                out += c->of->birth[0][g][now];
                in += law[i + stride] * leave * (s->own ? 1.0 - own : 1.0);
                if (!s->own) {
                    out += c->of->birth[1][g][now];
                    in += law[i + stride + n->states] * leave * own;
                }
            }
        }
        if (out > 0.0)
            law[i] = in / out;
    }
}

/* Steps of W14 are damped: with 1 some loads below the limit do not come to rest, with 1.5 hardly
 * any does. Delays do not depend on it. */
static const double DAMPED = 0.8;

static double odds(double mean, double most)
{
    return mean / (most - mean);
}

/* Moves rates of births and the share that flows to where the means are right: the numbers held,
 * also by own messages, and the channel busy for the time that its flits take (W14). */
static void adjust(cni_wormhole_net *n, const channel *c)
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
            leaves[g] += law[i] * c->of->death[s->all] * s->of[g];
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

enum { FIRST_TURNS = 60, TURNS = 3 };

static void find_law(cni_wormhole_net *n, channel *c, int is_first)
{
    weigh(n, c);
    for (int i = is_first ? FIRST_TURNS : TURNS; i-- > 0;) {
        find_births(n, c);
        sweep(n, c);
        sweep(n, c);
        adjust(n, c);
    }
}

/* ---- how headers choose ---- */

static double scale(double a[], uint32_t count)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < count; k++)
        sum += a[k];
    for (uint32_t k = 0; k < count && sum > 0.0; k++)
        a[k] /= sum;
    return sum;
}

/* Of the quadrature of Gauss and Legendre on [-1, 1]: the nodes above 0 and their weights. */
static const double nodes[][2] = {
    {0.0950125098376374, 0.1894506104550685}, {0.2816035507792589, 0.1826034150449236},
    {0.4580167776572274, 0.1691565193950025}, {0.6178762444026438, 0.1495959888165767},
    {0.7554044083550030, 0.1246289712555339}, {0.8656312023878318, 0.0951585116824928},
    {0.9445750230732326, 0.0622535239386479}, {0.9894009349916499, 0.0271524594117541}};

/* By kind. */
static double *choices_at(const cni_wormhole_net *n, uint32_t free_ones)
{
    return n->choice + free_ones * n->routes.kinds;
}

/* W7, by x: of headers with r ports to choose from, times r over their number, those that take this
 * channel when it has x free adaptive virtual channels. They choose among these and the Y of r - 1
 * others: r E[x / (x + Y)], where 1 / (x + Y) is the integral of z^(x+Y-1). Others are as the mean
 * channel. */
static void find_choices(cni_wormhole_net *n)
{
    uint32_t kinds = n->routes.kinds, all = (UINT32_C(1) << n->routes.groups) - 1;
    uint32_t most = (uint32_t)n->size_of[all & ~n->routes.escapes];
    double free_ones[CNI_WORMHOLE_LEVELS] = {0}, term[CNI_MOST_PORTS];
    for (size_t c = 0; c < n->routes.channels; c++)
        for (uint32_t i = 0; i < 2 * n->states; i++)
            free_ones[n->state[i].adaptive_free] +=
                n->routes.members[c] * n->law[2 * c * n->states + i];
    scale(free_ones, n->channels + 1);
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

/* ---- what it means for headers ---- */

/* What messages see, by kind. Own messages see no other one. */
static void see(const cni_wormhole_net *n, const channel *c, int own)
{
    uint32_t kinds = n->routes.kinds;
    memset(n->finds, 0, n->channels * kinds * sizeof *n->finds);
    for (uint32_t i = 0; i < (2 - (uint32_t)own) * n->states; i++) {
        const cni_wormhole_held *s = &n->state[i];
        uint32_t m = s->all == n->channels ? s->all - 1 : s->all; /* one has gone when it waited */
        double p = c->law[i] / c->of->weights[m], *finds = n->finds + m * kinds;
        const double *choices = choices_at(n, s->adaptive_free);
        for (uint32_t kind = 0; kind < kinds; kind++)
            finds[kind] += p * choices[kind];
    }
    for (uint32_t kind = 0; kind < kinds; kind++) {
        for (uint32_t j = 0; j < n->channels; j++) {
            n->seen[kind][j] = 0.0;
            for (uint32_t m = j; m < n->channels; m++)
                n->seen[kind][j] += n->finds[m * kinds + kind] * c->of->weight[m][j];
        }
        scale(n->seen[kind], n->channels);
    }
}

/* W15. Beside a message are those of any time, changed by what its own choice of the channel has
 * done. k others are news unless all of them came over the same input: that channel was shared with
 * them already. */
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
            function[at] += p[k] * c->of->level[k][at];
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
    scale(c->any[own], n->channels);
    see(n, c, own);
    for (uint32_t kind = 0; kind < n->routes.kinds; kind++)
        for (uint32_t k = 0; k < n->channels; k++)
            usual[k] += demand[kind] * n->seen[kind][k];
    scale(usual, n->channels);
    for (uint32_t kind = 0; kind < n->routes.kinds; kind++)
        put_beside(n, c, kind, own, usual);
}

/* What a state shows of a group. `leave`: rate of departures of each message. */
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
    if (full && (!escapes || s->adaptive_free ==
                                 0)) /* those who wait for an escape wait for adaptive ones, too */
        c->relief[g] += leave * (s->of[g] + (escapes ? s->adaptive : 0));
}

/* States that hardly ever are, of which no digit shows anything. */
static const double RARE = 1e-40;

static void look_at_states(cni_wormhole_net *n, channel *c)
{
    double all[2] = {0.0, 0.0}, no_adaptive[2] = {0.0, 0.0}, held = 0.0, pairs = 0.0, leaves = 0.0;
    memset(cni_view_at(n, c->number, 0, 0), 0, 2 * n->routes.groups * sizeof *n->view);
    for (uint32_t i = 0; i < 2 * n->states; i++) {
        const cni_wormhole_held *s = &n->state[i];
        double p = c->law[i], leave = p * c->of->death[s->all];
        for (int own = 0; own < (s->own ? 1 : 2); own++) {
            all[own] += p;
            no_adaptive[own] += s->adaptive_free == 0 ? p : 0.0;
        }
        double share = p / c->of->weights[s->all] / s->all;
        for (uint32_t j = 1; j <= s->all; j++) {
            double beside = share * c->of->weight[s->all][j] * j;
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

/* What comes to a channel, and how much of it from its own queue. */
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
        if (!is_first) /* half the step: the full one overshoots near saturation */
            n->group[at].held = 0.5 * (now + n->group[at].before);
        c->rate += n->group[at].rate;
        c->held += n->group[at].held;
        c->own[g] = n->input[own].turn / n->group[at].rate;
        c->own_held += n->input[own].kept / now * n->group[at].held;
        own_kept += n->input[own].kept;
        own_turn += n->input[own].turn;
        kept += now;
    }
    c->hurry = own_kept > 0.0 && c->rate > own_turn
                   ? (kept - own_kept) / (c->rate - own_turn) * own_turn / own_kept
                   : 1.0;
    for (uint32_t input = 0; input < n->routes.inputs; input++) {
        for (uint32_t g = 0; g < n->routes.groups; g++)
            c->from[input] += n->input[cni_input_at(n, c->number, g, input)].turn / c->rate;
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

static cn_status occupy(cni_wormhole_net *n, size_t number, int is_first)
{
    laws of;
    channel c = {.number = number, .law = n->law + 2 * number * n->states, .of = &of};
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
    cni_wormhole_block(n, number, (demand[0] + demand[n->routes.kinds]) / c.rate, c.left, c.relief);
    return CN_OK;
}

/* A channel's weights have a power for each pair of numbers held and flowing, its law two sweeps
 * over the states, and what is beside a message a power for each number, kind and input; of two
 * inputs each may wait before the other. */
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
            CNI_TRY(occupy(n, c, is_first));
        CNI_TRY(cni_budget_go_on(n->budget, work));
    }
    return CN_OK;
}

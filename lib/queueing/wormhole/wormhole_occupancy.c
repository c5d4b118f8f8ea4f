/*
 * How many virtual channels of each group are held on a channel, from the rates and the mean numbers held
 * (docs/wormhole-model.md): a chain of births and deaths whose rates of births are such that the means are
 * right, and from its law what a header meets.
 */
#include <math.h>

#include "base/error.h"
#include "queueing/wormhole/wormhole_network.h"
#include "queueing/wormhole/wormhole_own.h"

/* A channel at hand. */
typedef struct channel {
    size_t number;
    double rate; /* of messages, all groups */
    /* given m held: weight of j of them flowing, of all, and the rate of departures */
    double weight[CNI_WORMHOLE_LEVELS][CNI_WORMHOLE_LEVELS];
    double weights[CNI_WORMHOLE_LEVELS], death[CNI_WORMHOLE_LEVELS];
    double thinner[CNI_WORMHOLE_LEVELS]; /* arrivals, by free adaptive ones, over their mean */
    double faster[CNI_WORMHOLE_GROUPS];  /* departures while a group is full, over their mean */
} channel;

/* A state: what is held of each group. */
typedef struct held_state {
    uint32_t of[CNI_WORMHOLE_GROUPS], all, adaptive_free;
} held_state;

static held_state state_at(const cni_wormhole_net *n, uint32_t number)
{
    held_state s = {{0}, 0, 0};
    for (uint32_t g = n->ways.groups; g-- > 0;) {
        s.of[g] = number / n->stride[g];
        number -= s.of[g] * n->stride[g];
        s.all += s.of[g];
        if (!cni_has_group(n->ways.escapes, g))
            s.adaptive_free += n->ways.size[g] - s.of[g];
    }
    return s;
}

/* ---- the chain ---- */

/* Messages that flow share the channel, those that stand still or are held up elsewhere have room for all: two
 * queues in product form. */
static void weigh(const cni_wormhole_net *n, channel *c)
{
    double flowing = n->flowing[c->number];
    for (uint32_t m = 0; m <= n->channels; m++) {
        double still = 1.0;
        c->weights[m] = 0.0;
        for (uint32_t j = m + 1; j-- > 0;) {
            still *= j < m ? (1.0 - flowing) / (m - j) : 1.0;
            c->weight[m][j] = still * pow(flowing, j);
            c->weights[m] += c->weight[m][j];
        }
        c->death[m] = m > 0 ? c->weights[m - 1] / c->weights[m] : 0.0;
    }
}

/* Escapes are taken while all adaptive ones are held. */
static double birth_rate(const cni_wormhole_net *n, const channel *c, uint32_t group,
                         uint32_t adaptive_free)
{
    double birth = n->birth[cni_group_at(n, c->number, group)];
    if (cni_has_group(n->ways.escapes, group))
        return adaptive_free == 0 ? birth : 0.0;
    return birth * c->thinner[adaptive_free];
}

/* Balance of one state after the other. */
static void sweep(const cni_wormhole_net *n, const channel *c, double law[])
{
    for (uint32_t i = 0; i < n->states; i++) {
        held_state s = state_at(n, i);
        double in = 0.0, out = 0.0;
        for (uint32_t g = 0; g < n->ways.groups; g++) {
            uint32_t adaptive = !cni_has_group(n->ways.escapes, g);
            if (s.of[g] > 0) {
                out += c->death[s.all] * s.of[g] / s.all;
                in += law[i - n->stride[g]] * birth_rate(n, c, g, s.adaptive_free + adaptive);
            }
            if (s.of[g] < n->ways.size[g]) {
                out += birth_rate(n, c, g, s.adaptive_free);
                in += law[i + n->stride[g]] * c->death[s.all + 1] * (s.of[g] + 1) / (s.all + 1);
            }
        }
        if (out > 0.0)
            law[i] = in / out;
    }
}

/* Moves rates of births and the share that flows to where the means are right: the numbers held, and the
 * channel busy for the time that its flits take. */
static void adjust(cni_wormhole_net *n, const channel *c, double law[])
{
    double sum = 0.0, busy = 0.0, mean[CNI_WORMHOLE_GROUPS] = {0}, full[CNI_WORMHOLE_GROUPS] = {0};
    for (uint32_t i = 0; i < n->states; i++) {
        held_state s = state_at(n, i);
        sum += law[i];
        busy += law[i] * (1.0 - c->weight[s.all][0] / c->weights[s.all]);
        for (uint32_t g = 0; g < n->ways.groups; g++) {
            mean[g] += law[i] * s.of[g];
            full[g] += s.of[g] == n->ways.size[g] ? law[i] : 0.0;
        }
    }
    for (uint32_t i = 0; i < n->states; i++)
        law[i] /= sum;
    double *flowing = &n->flowing[c->number];
    if (busy > 0.0)
        *flowing = fmin(1.0, *flowing * pow(c->rate * n->flits * sum / busy, 0.7));
    for (uint32_t g = 0; g < n->ways.groups; g++) {
        size_t at = cni_group_at(n, c->number, g);
        double size = n->ways.size[g], wanted = n->held[at], now = mean[g] / sum;
        double odds = now > 0.0 ? wanted / (size - wanted) * (size - now) / now : 1.0;
        if (n->rate[at] <= 0.0)
            n->birth[at] = 0.0;
        else
            n->birth[at] = n->birth[at] > 0.0 ? n->birth[at] * pow(odds, 0.8) : wanted / size;
        n->full[at] = full[g] / sum;
    }
}

enum { FIRST_TURNS = 60, TURNS = 3 };

static void find_law(cni_wormhole_net *n, channel *c, int is_first)
{
    double *law = n->law + c->number * n->states;
    for (int i = is_first ? FIRST_TURNS : TURNS; i-- > 0;) {
        weigh(n, c);
        sweep(n, c, law);
        sweep(n, c, law);
        adjust(n, c, law);
    }
}

/* ---- what it means for headers ---- */

typedef struct meeting {
    double any[CNI_WORMHOLE_LEVELS];                      /* beside a message, at any time */
    double seen[CNI_WORMHOLE_KINDS][CNI_WORMHOLE_LEVELS]; /* by one that comes, by kind */
    double usual[CNI_WORMHOLE_LEVELS];
    double lasts; /* share of its time in which a message flows */
} meeting;

static void scale(double a[], uint32_t count, double *sum)
{
    *sum = 0.0;
    for (uint32_t k = 0; k < count; k++)
        *sum += a[k];
    for (uint32_t k = 0; k<count && * sum> 0.0; k++)
        a[k] /= *sum;
}

static void find_meeting(const cni_wormhole_net *n, const channel *c, meeting *m)
{
    const double *law = n->law + c->number * n->states;
    const double *demand = n->demand + c->number * n->ways.kinds;
    uint32_t channels = n->channels;
    double sum;
    *m = (meeting){{0}, {{0}}, {0}, 0.0};
    for (uint32_t i = 0; i < n->states; i++) {
        held_state s = state_at(n, i);
        uint32_t found = s.all == channels ? s.all - 1 : s.all; /* one has gone when it waited */
        for (uint32_t j = 1; j <= s.all; j++)
            m->any[j - 1] += law[i] * c->weight[s.all][j] / c->weights[s.all] * j;
        for (uint32_t kind = 0; kind < n->ways.kinds; kind++)
            for (uint32_t j = 0; j <= found; j++)
                m->seen[kind][j] += law[i] * n->share[kind][s.adaptive_free] * c->weight[found][j] /
                                    c->weights[found];
    }
    scale(m->any, channels, &sum);
    for (uint32_t kind = 0; kind < n->ways.kinds; kind++) {
        scale(m->seen[kind], channels, &sum);
        for (uint32_t k = 0; k < channels; k++)
            m->usual[k] += demand[kind] / c->rate * m->seen[kind][k];
    }
    for (uint32_t k = 0; k < channels; k++)
        m->lasts += m->any[k] / (k + 1);
}

/* Beside a message are those of any time, changed by what its own choice of the channel has done, for the
 * part of the time for which that lasts. k others are news unless all of them came over the same input: that
 * channel was shared with them already. The less there are beside messages of any kind, the fewer of those
 * that one finds came with it. */
static void put_beside(cni_wormhole_net *n, const channel *c)
{
    meeting m;
    find_meeting(n, c, &m);
    double usual = 0.0;
    for (uint32_t k = 1; k < n->channels; k++)
        usual += k * m.any[k];
    for (uint32_t kind = 0; kind < n->ways.kinds; kind++) {
        double function[CNI_WORMHOLE_LEVELS], sum = 0.0, mean = 0.0;
        for (uint32_t k = 0; k < n->channels; k++) {
            double p = fmax(0.0, m.any[k] + m.lasts * (m.seen[kind][k] - m.usual[k]));
            mean += k * p;
            sum += p;
            function[k] = sum;
        }
        for (uint32_t input = 0; input < n->inputs; input++) {
            double from = 0.0;
            for (uint32_t g = 0; g < n->ways.groups && input != cni_other_queue(n); g++)
                from += n->turn[cni_input_at(n, c->number, g, input)] / c->rate;
            from = fmin(1.0, mean > 0.0 ? from * usual / mean : from);
            from *= n->pairs[c->number * n->inputs + input];
            double *beside = cni_beside_at(n, c->number, kind, input), same = from;
            for (uint32_t k = 0; k < n->channels; k++, same *= from)
                beside[k] = same > 0.0 ? pow(function[k] / sum, 1.0 - same) : function[k] / sum;
        }
    }
}

static void find_escaped(cni_wormhole_net *n, channel *c)
{
    const double *law = n->law + c->number * n->states;
    double full = 0.0, held[CNI_WORMHOLE_GROUPS] = {0};
    double leave[CNI_WORMHOLE_GROUPS] = {0}, leave_full[CNI_WORMHOLE_GROUPS] = {0};
    for (uint32_t i = 0; i < n->states; i++) {
        held_state s = state_at(n, i);
        for (uint32_t g = 0; g < n->ways.groups && s.all > 0; g++) {
            double leaves = law[i] * c->death[s.all] * s.of[g] / s.all;
            leave[g] += leaves;
            leave_full[g] += s.of[g] == n->ways.size[g] ? leaves : 0.0;
        }
        for (uint32_t g = 0; g < n->ways.groups && s.adaptive_free == 0; g++)
            held[g] += s.of[g] == n->ways.size[g] ? law[i] : 0.0;
        full += s.adaptive_free == 0 ? law[i] : 0.0;
    }
    for (uint32_t g = 0; g < n->ways.groups; g++) {
        size_t at = cni_group_at(n, c->number, g);
        n->escaped[at] = full > 0.0 ? held[g] / full : 0.0;
        c->faster[g] = leave_full[g] > 0.0 ? leave_full[g] / leave[g] / n->full[at] : 1.0;
    }
}

/* ---- all channels ---- */

/* share[r-1][x]: of headers with r ports to choose from, times r over their number, those that take this channel
 * when it has x free adaptive virtual channels. They choose among these and the Y of r - 1 others: r
 * E[x / (x + Y)], where 1 / (x + Y) is the integral of z^(x+Y-1). Others are as the mean channel. */
static void find_shares(cni_wormhole_net *n)
{
    double node[CNI_WORMHOLE_NODES], weight[CNI_WORMHOLE_NODES],
        free_ones[CNI_WORMHOLE_LEVELS] = {0};
    double sum;
    for (size_t c = 0; c < n->places; c++)
        for (uint32_t i = 0; i < n->states; i++)
            free_ones[state_at(n, i).adaptive_free] += n->law[c * n->states + i];
    scale(free_ones, n->channels + 1, &sum);
    cni_wormhole_quadrature(node, weight);
    for (uint32_t kind = 0; kind < n->ways.kinds; kind++)
        for (uint32_t x = 0; x <= n->channels; x++)
            n->share[kind][x] = x == 0 ? pow(free_ones[0], kind) : 0.0;
    for (int i = 0; i < CNI_WORMHOLE_NODES; i++) {
        double z = node[i], others = 0.0, by_kind = weight[i];
        for (uint32_t x = n->channels + 1; x-- > 0;)
            others = others * z + free_ones[x];
        for (uint32_t kind = 0; kind < n->ways.kinds; kind++, by_kind *= others) {
            double term = by_kind * (kind + 1);
            for (uint32_t x = 1; x <= n->channels; x++, term *= z)
                n->share[kind][x] += x * term;
        }
    }
}

static cn_status occupy(cni_wormhole_net *n, size_t number, int is_first)
{
    channel c = {.number = number};
    const double *demand = n->demand + number * n->ways.kinds;
    for (uint32_t g = 0; g < n->ways.groups; g++) {
        size_t at = cni_group_at(n, number, g);
        c.rate += n->rate[at];
        if (n->held[at] > 0.0)
            n->variation[at] =
                fmin(1.0, n->square[at] * n->rate[at] / (n->held[at] * n->held[at]) - 1.0);
        if (!is_first) /* half the step: the full one overshoots near saturation */
            n->held[at] = 0.5 * (n->held[at] + n->before[at]);
        if (!(n->held[at] < n->ways.size[g]))
            return CN_ERR_UNSTABLE;
    }
    if (c.rate <= 0.0)
        return CN_OK;
    for (uint32_t kind = 0; kind < n->ways.kinds; kind++)
        for (uint32_t x = 0; x <= n->channels; x++)
            c.thinner[x] += demand[kind] / c.rate * n->share[kind][x];
    find_law(n, &c, is_first);
    put_beside(n, &c);
    find_escaped(n, &c);
    cni_wormhole_block(n, number, demand[0] / c.rate, c.faster);
    return CN_OK;
}

/* A channel's weights have a power for each pair of numbers held and flowing, its law two sweeps over the states, and what is
 * beside a message a power for each number, kind and input; of two inputs each may wait before the other. */
static uint64_t work_of_channel(const cni_wormhole_net *n, int is_first)
{
    uint64_t v = n->channels, turn = 6 * v * v + 32 * (uint64_t)n->states * n->ways.groups;
    return turn * (is_first ? FIRST_TURNS : TURNS) + 16 * v * n->ways.kinds * n->inputs +
           8 * (uint64_t)n->ways.groups * n->inputs * n->inputs;
}

cn_status cni_wormhole_occupy(cni_wormhole_net *n, int is_first)
{
    uint64_t work = work_of_channel(n, is_first);
    find_shares(n);
    CNI_TRY(cni_budget_go_on(n->budget, 8 * (uint64_t)n->places * n->states));
    CNI_TRY(cni_wormhole_bring(n));
    for (size_t c = 0; c < n->places; c++) {
        CNI_TRY(occupy(n, c, is_first));
        CNI_TRY(cni_budget_go_on(n->budget, work));
    }
    return CN_OK;
}

/*
 * The full diagram of Horng 1992, 4.3.2, with the probabilities of eq. 4.6.
 *
 * They depend on the digits of a header only, not on their places, so headers with the same digits
 * are one state: digits sorted, C(n + k - 1, n) of them in place of k^n. On bidirectional rings,
 * which the paper leaves out, the digits are distances 0 .. floor(k/2), a dimension has two
 * channels, and a digit of k/2 is valid both ways; eq. 4.6 then holds with channels in place of
 * dimensions, because phase 1 picks uniformly among the preferred channels there too.
 *
 * With digits d_1 >= ... >= d_n a state has the number sum of C(d_i + n - i, n - i + 1), which
 * counts the sorted headers before it.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "queueing/deflection/hop_model.h"
#include "topology/topology.h"

enum { MAX_N = CNI_MAX_DIMENSIONS };

typedef struct drawing {
    cni_hop_model *model;
    uint32_t k, n, greatest; /* greatest digit */
    int bidirectional;
    size_t *choose;            /* C(c, r) at [c * (n + 1) + r], c < greatest + n */
    uint32_t digit[MAX_N + 1]; /* of the present state, sorted down */
} drawing;

double cni_states_kary_exact(double k, uint32_t n, int bidirectional)
{
    double digits = bidirectional ? floor(k / 2.0) + 1.0 : k, count = 1.0;
    for (uint32_t i = 1; i <= n; i++)
        count = count * (digits - 1.0 + i) / i;
    return count;
}

static size_t number_of(const drawing *d, const uint32_t digit[])
{
    size_t number = 0;
    for (uint32_t i = 0; i < d->n; i++)
        number += d->choose[(size_t)(digit[i] + d->n - 1 - i) * (d->n + 1) + d->n - i];
    return number;
}

/* The state after one of the digits of value `from` has become `to`. */
static size_t changed(const drawing *d, uint32_t from, uint32_t to)
{
    uint32_t digit[MAX_N], at = 0, i = 0;
    int gone = 0, put = 0;
    while (at < d->n) {
        if (!put && (i == d->n || d->digit[i] <= to)) {
            digit[at++] = to;
            put = 1;
        } else if (!gone && d->digit[i] == from) {
            gone = 1;
            i++;
        } else {
            digit[at++] = d->digit[i++];
        }
    }
    return number_of(d, digit);
}

/* Channels of a dimension with this digit that bring a message closer, and the others. */
static uint32_t closer(const drawing *d, uint32_t digit)
{
    return digit == 0 ? 0 : d->bidirectional && 2 * digit == d->k ? 2 : 1;
}

static uint32_t farther(const drawing *d, uint32_t digit)
{
    return (d->bidirectional ? 2 : 1) - closer(d, digit);
}

/* Where the channels of the wrong way lead; the middle of an odd ring is as far from either
 * side. */
static uint32_t deflected(const drawing *d, uint32_t digit)
{
    return digit < d->greatest && d->bidirectional ? digit + 1 : d->greatest;
}

/* 1 over the preferred channels of a header whose greatest digit is `value`, `times` times. */
static double share(const drawing *d, uint32_t value, uint32_t times)
{
    return 1.0 / ((double)times * closer(d, value));
}

/* The chance that a message wants to go on in the direction in which one of its digits has gone
 * from `from` to `to`. */
static double onward(const drawing *d, uint32_t from, uint32_t to)
{
    int ahead = to < from || !d->bidirectional || to == from || 2 * to == d->k;
    uint32_t times = 1;
    if (to == 0 || !ahead)
        return 0.0;
    for (uint32_t i = 0, gone = 0; i < d->n; i++) {
        if (!gone && d->digit[i] == from)
            gone = 1;
        else if (d->digit[i] > to)
            return 0.0;
        else
            times += d->digit[i] == to;
    }
    return share(d, to, times);
}

static cn_status draw_hop(drawing *d, uint32_t from, uint32_t to, double first, double second)
{
    return cni_hop_model_hop(d->model, (cni_hop){.target = changed(d, from, to),
                                                 .deflects = to >= from,
                                                 .first = first,
                                                 .second = second,
                                                 .onward = onward(d, from, to)});
}

/* All hops out of the present state: for each digit that occurs, with `times` places. */
static cn_status draw_hops(drawing *d)
{
    double others = (d->bidirectional ? 2.0 * d->n : d->n) - 1.0;
    for (uint32_t i = 0, next = 0; i < d->n; i = next) {
        uint32_t value = d->digit[i];
        while (next < d->n && d->digit[next] == value)
            next++;
        double times = next - i, valid = times * closer(d, value);
        double first = i == 0 ? 1.0 : 0.0; /* the greatest digits are the preferred ones */
        double second = others > 0.0 ? (valid - first) / others : first;
        if (value > 0)
            CNI_TRY(draw_hop(d, value, value - 1, first, second));
        if (farther(d, value) > 0)
            CNI_TRY(
                draw_hop(d, value, deflected(d, value), 0.0, times * farther(d, value) / others));
    }
    return CN_OK;
}

/* Preferred channels: those of the greatest digits. */
static uint32_t preferred(const drawing *d)
{
    uint32_t times = 1;
    while (times < d->n && d->digit[times] == d->digit[0])
        times++;
    return times * closer(d, d->digit[0]);
}

/* How many headers the present state stands for. */
static double headers(const drawing *d)
{
    double ways = 1.0;
    for (uint32_t i = 0, same = 0; i < d->n; i++) {
        same = i > 0 && d->digit[i] == d->digit[i - 1] ? same + 1 : 1;
        ways = ways * (i + 1) / same; /* n! over the factorials of the multiplicities */
        if (d->bidirectional && d->digit[i] > 0 && 2 * d->digit[i] != d->k)
            ways *= 2.0;
    }
    return ways;
}

/* The next sorted header: the last digit that can grow does, those after it start again. */
static void advance(drawing *d)
{
    uint32_t i = d->n - 1;
    while (i > 0 && d->digit[i] == d->digit[i - 1])
        d->digit[i--] = 0;
    d->digit[i]++;
}

static cn_status draw(drawing *d)
{
    for (size_t state = 0; state < d->model->states; state++) {
        uint64_t distance = 0;
        for (uint32_t i = 0; i < d->n; i++)
            distance += d->digit[i];
        cni_hop_model_state(d->model, state, distance, headers(d), preferred(d));
        if (state > 0)
            CNI_TRY(draw_hops(d));
        advance(d);
    }
    return cni_hop_model_end(d->model);
}

static void fill_choose(const drawing *d)
{
    size_t width = (size_t)d->n + 1;
    for (size_t c = 0; c < (size_t)d->greatest + d->n; c++)
        for (size_t r = 0; r <= d->n; r++)
            d->choose[c * width + r] =
                r == 0   ? 1
                : c == 0 ? 0
                         : d->choose[(c - 1) * width + r - 1] + d->choose[(c - 1) * width + r];
}

cn_status cni_hops_kary_exact(uint32_t k, uint32_t n, int bidirectional, cni_hop_model *model)
{
    drawing d = {model, k, n, bidirectional ? k / 2 : k - 1, bidirectional, NULL, {0}};
    uint32_t period = !bidirectional ? k : k % 2 == 0 ? 2 : 1;
    size_t states = (size_t)(cni_states_kary_exact(k, n, bidirectional) + 0.5);
    CNI_TRY(cni_hop_model_begin(model, states, period));
    d.choose = cni_allocate((uint64_t)d.greatest + n, (n + 1) * sizeof *d.choose);
    if (d.choose == NULL)
        return CN_ERR_MEMORY;
    fill_choose(&d);
    cn_status status = draw(&d);
    cni_release(d.choose);
    return status;
}

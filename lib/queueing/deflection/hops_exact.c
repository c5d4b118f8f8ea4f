/*
 * The full diagram of Horng 1992, 4.3.2, with the probabilities of eq. 4.6 ("K-ary n-cube" in
 * docs/theory/deflection.md).
 *
 * The probabilities depend on the digits of a header and not on their places. So headers with the
 * same digits are one state: sorted digits, C(n + k - 1, n) states in place of k^n. The paper
 * leaves out bidirectional rings. There the digits are distances 0 .. floor(k/2), a dimension has
 * two channels, and a digit of k/2 is valid both ways. Eq. 4.6 holds with channels in place of
 * dimensions, because phase 1 chooses uniformly among the preferred channels there too.
 *
 * Generalized hypercubes ((D6)) have the digits 0, right, and 1, wrong, and k - 1 channels a
 * dimension. One channel sets a wrong digit right, and k - 2 set it to another wrong value. With
 * k = 2 this is the Boolean n-cube (figure 3.4), with n = 1 the complete network.
 *
 * With digits d_1 >= ... >= d_n a state has the number sum of C(d_i + n - i, n - i + 1). It counts
 * the sorted headers before the state.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "queueing/deflection/hop_model.h"
#include "topology/topology.h"

typedef struct drawing {
    cni_hop_model *model;
    uint32_t k, n, greatest; /* the greatest digit */
    cni_hop_ways ways;
    uint32_t channels;                      /* of a dimension */
    size_t *choose;                         /* C(c, r) at [c * (n + 1) + r], c < greatest + n */
    uint32_t digit[CNI_MAX_DIMENSIONS + 1]; /* digits of the present state, sorted down */
} drawing;

double cni_states_exact(double k, uint32_t n, cni_hop_ways ways)
{
    double digits = ways == CNI_ALL_VALUES ? 2.0 : ways == CNI_TWO_WAY ? floor(k / 2.0) + 1.0 : k;
    double count = 1.0;
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

/* Returns the state after one digit of value `from` has become `to`. */
static size_t state_after(const drawing *d, uint32_t from, uint32_t to)
{
    uint32_t digit[CNI_MAX_DIMENSIONS], at = 0, i = 0;
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

/* Returns the channels of a dimension with this digit that bring a message closer. The next
 * function returns the other channels. */
static uint32_t channels_closer(const drawing *d, uint32_t digit)
{
    return digit == 0 ? 0 : d->ways == CNI_TWO_WAY && 2 * digit == d->k ? 2 : 1;
}

static uint32_t channels_farther(const drawing *d, uint32_t digit)
{
    return d->channels - channels_closer(d, digit);
}

/* Returns the digit after a hop the wrong way. The middle of an odd ring is equally far from
 * both sides. */
static uint32_t digit_deflected(const drawing *d, uint32_t digit)
{
    return digit < d->greatest && d->ways == CNI_TWO_WAY ? digit + 1 : d->greatest;
}

/* Returns the probability that a message wants to go on in the direction in which a digit has
 * gone from `from` to `to`. In generalized hypercubes that is the channel back, which sets a right
 * digit right again. */
static double onward_chance(const drawing *d, uint32_t from, uint32_t to)
{
    int ahead = to < from || (to == from ? d->ways != CNI_ALL_VALUES : d->ways != CNI_TWO_WAY) ||
                2 * to == d->k;
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
    /* the share of one preferred channel: the greatest digit is `to` and occurs `times` times */
    return 1.0 / ((double)times * channels_closer(d, to));
}

static cn_status draw_hop(drawing *d, uint32_t from, uint32_t to, double first, double second)
{
    return cni_hop_model_hop(d->model, (cni_hop){.target = state_after(d, from, to),
                                                 .deflects = to >= from,
                                                 .first = first,
                                                 .second = second,
                                                 .onward = onward_chance(d, from, to)});
}

/* Adds all hops out of the present state, for each value of a digit, with `times` places. */
static cn_status draw_hops(drawing *d)
{
    double others = (double)d->channels * d->n - 1.0;
    for (uint32_t i = 0, next = 0; i < d->n; i = next) {
        uint32_t value = d->digit[i];
        while (next < d->n && d->digit[next] == value)
            next++;
        double times = next - i, valid = times * channels_closer(d, value);
        double first = i == 0 ? 1.0 : 0.0; /* phase 1 takes the greatest digits */
        double second = others > 0.0 ? (valid - first) / others : first;
        if (value > 0)
            CNI_TRY(draw_hop(d, value, value - 1, first, second));
        if (channels_farther(d, value) > 0)
            CNI_TRY(draw_hop(d, value, digit_deflected(d, value), 0.0,
                             times * channels_farther(d, value) / others));
    }
    return CN_OK;
}

/* Returns the number of preferred channels, the channels of the greatest digits. */
static uint32_t count_preferred(const drawing *d)
{
    uint32_t times = 1;
    while (times < d->n && d->digit[times] == d->digit[0])
        times++;
    return times * channels_closer(d, d->digit[0]);
}

/* Returns the number of headers of the present state. */
static double count_headers(const drawing *d)
{
    double ways = 1.0;
    for (uint32_t i = 0, same = 0; i < d->n; i++) {
        same = i > 0 && d->digit[i] == d->digit[i - 1] ? same + 1 : 1;
        ways = ways * (i + 1) / same; /* n! over the factorials of the multiplicities */
        if (d->digit[i] > 0 && d->ways != CNI_ONE_WAY && 2 * d->digit[i] != d->k)
            ways *= d->channels; /* each stands for as many values */
    }
    return ways;
}

/* Goes on to the next sorted header: the last digit that can grow does, and the digits after it
 * become 0. */
static void next_header(drawing *d)
{
    uint32_t i = d->n - 1;
    while (i > 0 && d->digit[i] == d->digit[i - 1])
        d->digit[i--] = 0;
    d->digit[i]++;
}

static cn_status draw_states(drawing *d)
{
    for (size_t state = 0; state < d->model->states; state++) {
        uint64_t distance = 0;
        for (uint32_t i = 0; i < d->n; i++)
            distance += d->digit[i];
        cni_hop_model_state(d->model, state, distance, count_headers(d), count_preferred(d));
        if (state > 0)
            CNI_TRY(draw_hops(d));
        next_header(d);
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

uint32_t cni_period_exact(uint32_t k, cni_hop_ways ways)
{
    return ways == CNI_ONE_WAY || k == 2 ? k : ways == CNI_TWO_WAY && k % 2 == 0 ? 2 : 1;
}

cn_status cni_hops_exact(uint32_t k, uint32_t n, cni_hop_ways ways, cni_hop_model *model)
{
    drawing d = {.model = model, .k = k, .n = n, .ways = ways};
    d.greatest = ways == CNI_ALL_VALUES ? 1 : ways == CNI_TWO_WAY ? k / 2 : k - 1;
    d.channels = ways == CNI_ALL_VALUES ? k - 1 : ways == CNI_TWO_WAY ? 2 : 1;
    size_t states = (size_t)(cni_states_exact(k, n, ways) + 0.5);
    CNI_TRY(cni_hop_model_begin(model, states, cni_period_exact(k, ways)));
    model->digits = ways == CNI_ALL_VALUES ? k : 0;
    d.choose = cni_allocate((uint64_t)d.greatest + n, (n + 1) * sizeof *d.choose);
    CNI_TRY_MEMORY(d.choose);
    fill_choose(&d);
    cn_status status = draw_states(&d);
    cni_release(d.choose);
    return status;
}

#include "queueing/deflection/cut_through_node.h"

#include <math.h>
#include <string.h>

static double *row_of(const cni_wants *w, size_t headers)
{
    return w->probability + headers * (w->buffers + 1);
}

double cni_wants_headers(const cni_wants *w)
{
    double mean = 0.0;
    for (size_t i = 1; i <= w->buffers; i++)
        for (size_t q = 0; q <= i; q++)
            mean += (double)i * row_of(w, i)[q];
    return mean;
}

double cni_wants_wanting(const cni_wants *w)
{
    double mean = 0.0;
    for (size_t i = 1; i <= w->buffers; i++)
        for (size_t q = 1; q <= i; q++)
            mean += (double)q * row_of(w, i)[q];
    return mean;
}

static void agree_on_headers(cni_wants *w, double mean, double wanting)
{
    double now = cni_wants_headers(w), share = mean > 0.0 ? fmin(1.0, wanting / mean) : 0.0;
    double more = fmin(1.0, fmax(0.0, mean - now)), less = now > mean ? 1.0 - mean / now : 0.0;
    for (size_t i = 1; i <= w->buffers && less > 0.0; i++) {
        double *row = row_of(w, i), *below = row_of(w, i - 1);
        for (size_t q = 0; q <= i; q++) {
            double change = row[q] * fmin(1.0, less * (double)i);
            row[q] -= change;
            if (q > 0)
                below[q - 1] += change * (double)q / (double)i;
            if (q < i)
                below[q] += change * (double)(i - q) / (double)i;
        }
    }
    for (size_t i = w->buffers; i-- > 0 && more > 0.0;) {
        double *row = row_of(w, i), *above = row_of(w, i + 1);
        for (size_t q = 0; q <= i; q++) {
            double change = row[q] * more;
            row[q] -= change;
            above[q + 1] += change * share;
            above[q] += change * (1.0 - share);
        }
    }
}

static void agree_on_wanting(cni_wants *w, double mean)
{
    double wanting = cni_wants_wanting(w), rest = cni_wants_headers(w) - wanting;
    double more = mean > wanting && rest > 0.0 ? (mean - wanting) / rest : 0.0;
    double less = mean < wanting && wanting > 0.0 ? 1.0 - mean / wanting : 0.0;
    for (size_t i = 1; i <= w->buffers; i++) {
        double *row = row_of(w, i);
        for (size_t q = i; q-- > 0 && more > 0.0;) {
            double change = row[q] * fmin(1.0, more * (double)(i - q));
            row[q] -= change;
            row[q + 1] += change;
        }
        for (size_t q = 1; q <= i && less > 0.0; q++) {
            double change = row[q] * fmin(1.0, less * (double)q);
            row[q] -= change;
            row[q - 1] += change;
        }
    }
}

void cni_wants_agree(cni_wants *w, double headers, double wanting)
{
    agree_on_headers(w, headers, wanting);
    agree_on_wanting(w, wanting);
}

void cni_wants_read(const cni_wants *w, double headers[], double sends[], double wanting[])
{
    for (size_t q = 0; q <= w->buffers; q++)
        wanting[q] = 0.0;
    for (size_t i = 0; i <= w->buffers; i++) {
        const double *row = row_of(w, i);
        sends[i] = 0.0;
        for (size_t q = 1; q <= i; q++)
            sends[i] += row[q];
        for (size_t q = 0; q <= i; q++)
            wanting[q] += row[q];
        headers[i] = row[0] + sends[i];
        sends[i] = headers[i] > 0.0 ? fmin(1.0, sends[i] / headers[i]) : 0.0;
    }
}

/* Of `some` and `others`, of which `a` and `b` count, the share of the first. */
static double share_of(size_t some, double a, size_t others, double b)
{
    double all = (double)some * a + (double)others * b;
    if (others == 0)
        return some > 0;
    return all > 0.0 ? (double)some * a / all : 0.0;
}

/* A header joins nodes that have sent, so none of them is full. */
static void join(const cni_wants *w, double by_state[], const double stay[], double come)
{
    size_t most = w->buffers;
    for (size_t i = most; i > 0; i--) {
        double *row = by_state + i * (most + 1), *below = row - (most + 1);
        double alone = i < most ? 1.0 - stay[i] : 1.0;
        for (size_t q = i; q > 0; q--)
            row[q] = row[q] * alone +
                     stay[i - 1] * (below[q - 1] * come + (q < i ? below[q] * (1.0 - come) : 0.0));
        row[0] = row[0] * alone + stay[i - 1] * below[0] * (1.0 - come);
    }
    by_state[0] *= 1.0 - stay[0];
}

/* One of the q leaves; where there is none, a full node forces one of the others out. */
static void send(const cni_wants *w, double by_state[])
{
    size_t row = w->buffers + 1, full = w->buffers * row;
    for (size_t i = 1; i <= w->buffers; i++)
        for (size_t q = 1; q <= i; q++) {
            by_state[(i - 1) * row + q - 1] += by_state[i * row + q];
            by_state[i * row + q] = 0.0;
        }
    by_state[full - row] += by_state[full];
    by_state[full] = 0.0;
}

/* Of those that send. */
static double sum_sending(const cni_wants *w, const double by_state[])
{
    size_t row = w->buffers + 1;
    double sum = by_state[w->buffers * row];
    for (size_t i = 1; i <= w->buffers; i++)
        for (size_t q = 1; q <= i; q++)
            sum += by_state[i * row + q];
    return sum;
}

double cni_wants_again(const cni_wants *w)
{
    return sum_sending(w, w->since);
}

void cni_wants_cross(cni_wants *w, const cni_crossing_rates *rates, double come, double z)
{
    size_t row = w->buffers + 1;
    double sending = sum_sending(w, w->probability);
    send(w, w->since);
    for (size_t i = 0; i < w->buffers; i++)
        for (size_t q = 0; q <= i; q++)
            w->since[i * row + q] = z * w->since[i * row + q] + row_of(w, i + 1)[q + 1];
    w->since[(w->buffers - 1) * row] += row_of(w, w->buffers)[0];
    send(w, w->probability);
    for (size_t at = 0; at < row * row; at++)
        w->since[at] -= sending * w->probability[at];
    join(w, w->probability, rates->stay, come);
    join(w, w->since, rates->stay, come);
}

/* For the nodes with i headers: how many times as likely they send as if headers were independent. */
static double ratio_of(const cni_wants *w, size_t i, double sends, const double alone[],
                       const double rest[])
{
    double all = 0.0, some = 0.0;
    for (size_t q = 0; q <= i; q++) {
        all += row_of(w, i)[q];
        some += row_of(w, i)[q] * (1.0 - alone[q] * rest[i - q]);
    }
    return some > 0.0 ? sends * all / some : 0.0;
}

/* What correction brings the share of the wanting that leaves to what it must be. */
static double scale_of(const cni_wants *w, const cni_crossing_wants *c, const double ratio[],
                       const double alone[], const double rest[])
{
    double leaving = 0.0;
    for (size_t i = 1; i <= w->buffers; i++)
        for (size_t q = 1; q <= i; q++)
            leaving += row_of(w, i)[q] * fmin(1.0, ratio[i] * (1.0 - alone[q] * rest[i - q])) *
                       share_of(q, c->both, i - q, c->other);
    return leaving > 0.0 ? c->leave * cni_wants_wanting(w) / leaving : 1.0;
}

/* These shares of the nodes in a state send a header that the channel brings closer, or another one. */
static void let_go(const cni_wants *w, double by_state[], size_t i, size_t q, double wanting,
                   double others)
{
    double *at = by_state + i * (w->buffers + 1) + q, *below = at - (w->buffers + 1);
    if (q > 0)
        below[-1] += *at * wanting;
    if (q < i)
        *below += *at * others;
    *at *= 1.0 - wanting - others;
}

void cni_wants_pass(cni_wants *w, const cni_crossing_rates *rates, const cni_crossing_wants *c,
                    double spare[])
{
    size_t most = w->buffers;
    double *alone = spare, *rest = alone + most + 1, *ratio = rest + most + 1;
    alone[0] = rest[0] = 1.0;
    for (size_t q = 1; q <= most; q++) {
        alone[q] = alone[q - 1] * (1.0 - c->both);
        rest[q] = rest[q - 1] * (1.0 - c->other);
    }
    for (size_t i = 0; i <= most; i++)
        ratio[i] = ratio_of(w, i, rates->sends[i], alone, rest);
    double scale = scale_of(w, c, ratio, alone, rest);
    for (size_t i = 1; i <= most; i++)
        for (size_t q = 0; q <= i; q++) {
            double sent = fmin(1.0, ratio[i] * (1.0 - alone[q] * rest[i - q]));
            double forced = i == most ? 1.0 - sent : 0.0;
            double wanting = share_of(q, c->both, i - q, c->other);
            if (q < i)
                wanting = fmin(1.0, scale * wanting);
            wanting = sent * wanting + forced * share_of(q, 1.0 - c->both, i - q, 1.0 - c->other);
            let_go(w, w->probability, i, q, wanting, sent + forced - wanting);
            let_go(w, w->since, i, q, wanting, sent + forced - wanting);
        }
    join(w, w->probability, rates->stay, c->come);
    join(w, w->since, rates->stay, c->come);
}

/* New headers to the nodes of one of the two. */
static void admit(const cni_wants *w, double by_state[], double more, double fresh, double going[])
{
    size_t most = w->buffers;
    memset(going, 0, (most + 1) * sizeof *going); /* have as many, and perhaps one more */
    for (size_t i = 0; i < most; i++) {
        double *row = by_state + i * (most + 1);
        for (size_t q = 0; q <= i; q++) {
            double there = row[q] + going[q];
            row[q] = (1.0 - more) * there;
            going[q] = more * there;
        }
        going[i + 1] = fresh * going[i];
        for (size_t q = i; q > 0; q--)
            going[q] = (1.0 - fresh) * going[q] + fresh * going[q - 1];
        going[0] *= 1.0 - fresh;
    }
    for (size_t q = 0; q <= most; q++)
        by_state[most * (most + 1) + q] += going[q];
}

void cni_wants_admit(cni_wants *w, double more, double fresh, double spare[])
{
    admit(w, w->probability, more, fresh, spare);
    admit(w, w->since, more, fresh, spare);
}

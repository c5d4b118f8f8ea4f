/* The distribution of the headers at a node, in the model of cut-through with deflection (C6). */
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

/* The mean number of headers that the channel brings closer. */
static double mean_wanting(const cni_wants *w)
{
    double mean = 0.0;
    for (size_t i = 1; i <= w->buffers; i++)
        for (size_t q = 1; q <= i; q++)
            mean += (double)q * row_of(w, i)[q];
    return mean;
}

/* Adds or takes headers with equal probability until the mean number of headers is `mean`. */
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

/* Turns headers with equal probability until the mean number that the channel brings closer is
 * `mean`. */
static void agree_on_wanting(cni_wants *w, double mean)
{
    double wanting = mean_wanting(w), rest = cni_wants_headers(w) - wanting;
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

/* Returns the share of the first kind among `some` things of weight a and `others` of weight b. */
static double share_of(size_t some, double a, size_t others, double b)
{
    double all = (double)some * a + (double)others * b;
    if (others == 0)
        return some > 0;
    return all > 0.0 ? (double)some * a / all : 0.0;
}

/* A header joins a node that has sent one, so it finds a free buffer. The probability is `stay`,
 * and `come` that the channel brings it closer. */
static void join_headers(const cni_wants *w, double stay, double come)
{
    for (size_t i = w->buffers; i > 0; i--) {
        double *row = row_of(w, i), *below = row_of(w, i - 1),
               alone = i < w->buffers ? 1.0 - stay : 1.0;
        for (size_t q = i; q > 0; q--)
            row[q] = row[q] * alone +
                     stay * (below[q - 1] * come + (q < i ? below[q] * (1.0 - come) : 0.0));
        row[0] = row[0] * alone + stay * below[0] * (1.0 - come);
    }
    w->probability[0] *= 1.0 - stay;
}

/* One of the q headers leaves. In a full node with q = 0 another header is forced out. */
void cni_wants_cross(cni_wants *w, double stay, double come)
{
    for (size_t i = 1; i <= w->buffers; i++)
        for (size_t q = 1; q <= i; q++) {
            row_of(w, i - 1)[q - 1] += row_of(w, i)[q];
            row_of(w, i)[q] = 0.0;
        }
    row_of(w, w->buffers - 1)[0] += row_of(w, w->buffers)[0];
    row_of(w, w->buffers)[0] = 0.0;
    join_headers(w, stay, come);
}

/* Nodes in a state send a header: the share `wanting` of these nodes a header that the channel
 * brings closer, and the share `others` another header. */
static void send_header(const cni_wants *w, size_t i, size_t q, double wanting, double others)
{
    double *at = row_of(w, i) + q, *below = row_of(w, i - 1) + q;
    if (q > 0)
        below[-1] += *at * wanting;
    if (q < i)
        *below += *at * others;
    *at *= 1.0 - wanting - others;
}

void cni_wants_pass(cni_wants *w, double stay, const cni_crossing_wants *c, double spare[])
{
    size_t most = w->buffers;
    /* By number of headers: the probability that no header of this number wants the other
     * channel. `alone` is for headers that this channel brings closer, `rest` for all others. */
    double *alone = spare, *rest = spare + most + 1;
    alone[0] = rest[0] = 1.0;
    for (size_t q = 1; q <= most; q++) {
        alone[q] = alone[q - 1] * (1.0 - c->both);
        rest[q] = rest[q - 1] * (1.0 - c->other);
    }
    for (size_t i = 1; i <= most; i++)
        for (size_t q = 0; q <= i; q++) {
            double sent = 1.0 - alone[q] * rest[i - q];
            double forced = i == most ? 1.0 - sent : 0.0;
            double wanting = sent * share_of(q, c->both, i - q, c->other) +
                             forced * share_of(q, 1.0 - c->both, i - q, 1.0 - c->other);
            send_header(w, i, q, wanting, sent + forced - wanting);
        }
    join_headers(w, stay, c->come);
}

void cni_wants_admit(cni_wants *w, double more, double fresh, double going[])
{
    size_t most = w->buffers;
    /* by q: nodes with i headers that perhaps get one more */
    memset(going, 0, (most + 1) * sizeof *going);
    for (size_t i = 0; i < most; i++) {
        double *row = row_of(w, i);
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
        row_of(w, most)[q] += going[q];
}

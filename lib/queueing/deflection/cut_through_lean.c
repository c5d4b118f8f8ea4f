#include "queueing/deflection/cut_through_lean.h"

#include <math.h>

/* An excess that never ended would make the sums over it infinite. */
static const double LONGEST = 0.99;

/* Nodes of which there are fewer do not count. */
static const double NO_NODES = 1e-30;

void cni_lean_send(size_t buffers, const double sends[], double by_number[])
{
    for (size_t i = 0; i < buffers; i++) {
        double next = i + 1 < buffers ? sends[i + 1] : 1.0;
        by_number[i] = by_number[i] * (1.0 - sends[i]) + by_number[i + 1] * next;
    }
    by_number[buffers] = 0.0;
}

/* To nodes that have sent. */
static void come(size_t buffers, double stay, double by_number[])
{
    for (size_t i = buffers; i > 0; i--)
        by_number[i] = by_number[i] * (1.0 - stay) + by_number[i - 1] * stay;
    by_number[0] *= 1.0 - stay;
}

void cni_lean_cross(cni_lean *lean, const double sends[], double stay)
{
    cni_lean_send(lean->buffers, sends, lean->excess);
    come(lean->buffers, stay, lean->excess);
}

void cni_lean_admit(cni_lean *lean, double more)
{
    double going = 0.0;
    for (size_t i = 0; i < lean->buffers; i++) {
        double there = lean->excess[i] + going;
        lean->excess[i] = (1.0 - more) * there;
        going = more * there;
    }
    lean->excess[lean->buffers] += going;
}

void cni_lean_last_hops(cni_lean *lean, double come_in, double squares)
{
    lean->last_hops += come_in;
    lean->squares += squares;
    lean->any += (squares > 0.0 ? come_in : -expm1(-come_in)) * (1.0 - lean->any);
}

void cni_lean_read(const cni_lean *lean, const cni_lean_causes *causes, double stay[])
{
    for (size_t i = 0; i < lean->buffers; i++) {
        double more = causes->sent[i] > NO_NODES ? lean->excess[i] / causes->sent[i] : 0.0;
        stay[i] = fmin(1.0, fmax(0.0, causes->stay + more));
    }
}

static double mean_of(const cni_lean *lean)
{
    double mean = 0.0;
    for (size_t i = 1; i <= lean->buffers; i++)
        mean += (double)i * lean->excess[i];
    return mean;
}

/* What headers without another hop do to those that stay: c(1), and r. */
static double take_turns(const cni_lean *lean, double waiting, double *ratio)
{
    double d = lean->last_hops, moment = fmax(0.0, d * d - lean->squares);
    *ratio = 0.0;
    if (d <= 0.0 || waiting <= 0.0 || moment <= 0.0)
        return 0.0;
    double sent = fmin(1.0, d + (moment + 2.0 * d * (1.0 - d)) / (2.0 * waiting));
    double next = fmax(0.0, d * (sent - d) * (1.0 - lean->any / d));
    *ratio = fmin(LONGEST, fmax(0.0, 1.0 - 2.0 * next / moment));
    return next;
}

void cni_lean_renew(cni_lean *lean, const cni_lean_causes *causes)
{
    double left = mean_of(lean), ratio, next = take_turns(lean, causes->waiting, &ratio);
    double z = lean->added > 0.0 ? fmin(LONGEST, fmax(0.0, left / lean->added)) : 0.0;
    double sum = causes->again + next / (1.0 - ratio * z); /* of z^(t-1) c(t) */
    next += causes->again * (1.0 - z * z);
    ratio = z > 0.0 && sum > next ? fmin(LONGEST, (1.0 - next / sum) / z) : 0.0;
    come(lean->buffers, causes->stay, lean->excess);
    for (size_t i = 0; i <= lean->buffers; i++) {
        double more = i > 0 ? causes->sent[i - 1] : 0.0, fewer = causes->sent[i];
        lean->excess[i] = ratio * lean->excess[i] + next * (more - fewer);
    }
    lean->added = mean_of(lean);
    lean->lasts = z;
    lean->last_hops = lean->squares = lean->any = 0.0;
}

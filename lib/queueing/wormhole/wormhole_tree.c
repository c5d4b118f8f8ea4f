/*
 * The time until a broadcast has reached its last node (docs/theory/wormhole.md, W21, W22). With
 * one port a node sends the copy into m - 1 dimensions first, then the copies into m - 2 .. 0. All
 * nodes have the message after times with the laws
 *
 *     B_m = S * (A_m-1 B_m-1^(1-together))        A_m = Q * B_m
 *
 * B_m counts from where the node begins to send, A_m from where it has the message. S is the
 * service of a copy, Q the wait of the first copy.
 *
 * With all ports a node sends m copies at once, into subtrees of 0 .. m-1 dimensions, so the law of
 * the time of a tree of m dimensions is, with G the law of a step,
 *
 *     F_m = F_m-1^(1-together) (G * F_m-1)
 *
 * F_m-1 is also the law of the first m - 1 copies together. These are the equations of one port
 * with no service and Q = G: B_m is F_m-1, and A_m B_m^(1-together) is F_m. `together` is theta of
 * W21: with 0 all delays are independent, with 1 the tree is as late as its deepest node.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "queueing/wormhole/wormhole_network.h"

/* Most cells, which bounds the work of a convolution; cells of a step where the span allows it. */
enum { MOST_CELLS = 1200, FINE = 8 };

/* Cells of time, each `width` long. The base of a step is `base` cells; the last cell is `last`. */
typedef struct grid {
    double width;
    int base, last;
} grid;

/* The finest grid that covers the span with at most MOST_CELLS cells. */
static grid grid_of(double base_of_step, double span)
{
    for (int base = FINE; base >= 1; base /= 2)
        if (span <= MOST_CELLS * base_of_step / base)
            return (grid){base_of_step / base, base, (int)(span * base / base_of_step)};
    return (grid){span / MOST_CELLS, 0, MOST_CELLS};
}

/* The span of the law: n steps on the average, and 8 + 2 sqrt(n) deviations and means of an
 * excess. A shorter span would cut the tail of the law off, and the mean would be too small. */
static double span_of(uint32_t n, const cni_wormhole_step *step)
{
    return n * (step->base + (1.0 - step->at_once) * step->mean) +
           (8.0 + 2.0 * sqrt(n)) * (sqrt(step->variance) + step->mean);
}

/* The law of the excess: cell j holds the times nearest to j widths. The shape is at most 100: a
 * narrower law would fall between two cells. Returns the mean of the excess less the mean of the
 * cells. */
static double fill_step(const cni_wormhole_step *step, const grid *g, double *p)
{
    if (!(step->mean > 0.0) || !(step->variance > 0.0) || !(step->at_once < 1.0)) {
        memset(p, 0, ((size_t)g->last + 1) * sizeof *p);
        p[0] = 1.0;
        return 0.0;
    }
    double shape = fmin(100.0, step->mean * step->mean / step->variance);
    double size = step->mean / shape, sum = 0.0;
    for (int j = 0; j <= g->last; j++) {
        double at = (j == 0 ? 0.5 : j) * g->width / size;
        p[j] = exp((shape - 1.0) * log(at) - at + shape);
        if (j == 0)
            p[j] *= 0.5 / shape * exp(0.5 * at); /* integral of t^(shape-1) over the half cell */
        sum += p[j];
    }
    double mean = 0.0;
    if (!(sum > 0.0)) { /* all is far within the first cell */
        p[0] = 1.0;
        return (1.0 - step->at_once) * step->mean;
    }
    for (int j = 0; j <= g->last; j++) {
        p[j] *= (1.0 - step->at_once) / sum;
        mean += p[j] * j * g->width;
    }
    p[0] += step->at_once;
    return (1.0 - step->at_once) * step->mean - mean;
}

/* later = G * law, from cell `first` on; the base of G is `base` cells. Goes by rows, so that
 * the inner loop has no sum to carry. */
static void convolve(const double *p, const double *law, int base, const grid *g, int first,
                     double *later)
{
    for (int t = 0; t <= g->last; t++)
        later[t] = 0.0;
    for (int j = 0; j <= g->last - first; j++) {
        const double *from = law + first - base;
        double *to = later + first + j, weight = p[j];
        for (int t = 0; t <= g->last - first - j && weight > 0.0; t++)
            to[t] += weight * from[t];
    }
}

/* The mean of the law P(time <= t). */
static double mean_of(const double *law, const grid *g)
{
    double sum = 0.0;
    for (int t = 0; t <= g->last; t++)
        sum += 1.0 - fmin(1.0, law[t]);
    return sum * g->width;
}

/* The laws of a tree: of the excesses of S and Q; of B_m, A_m and their product. */
typedef struct tree {
    grid g;
    double *service, *queued, *begun, *all, *law;
    void *block;
    int one_port;
} tree;

/* Returns the mean, where the base of a service has `of_service` cells. */
static double mean_of_tree(const tree *p, uint32_t n, int of_service, double together)
{
    const grid *g = &p->g;
    int first = 0; /* before this cell nothing arrives */
    for (int t = 0; t <= g->last; t++)
        p->law[t] = 1.0;
    for (uint32_t m = 1; m <= n; m++) {
        first = first + of_service < g->last ? first + of_service : g->last;
        convolve(p->service, p->law, of_service, g, first, p->begun);
        first = (int)m * g->base < g->last ? (int)m * g->base : g->last;
        convolve(p->queued, p->begun, g->base - of_service, g, first, p->all);
        for (int t = 0; t <= g->last; t++)
            p->law[t] = p->all[t] * pow(p->begun[t], 1.0 - together);
    }
    return mean_of(p->one_port ? p->all : p->law, g);
}

cn_status cni_wormhole_last(uint32_t n, const cni_wormhole_step *service,
                            const cni_wormhole_step *queued, double together, double *mean)
{
    static const cni_wormhole_step none = {.at_once = 1.0};
    tree p = {.one_port = service != NULL};
    service = p.one_port ? service : &none;
    double base = service->base + queued->base;
    p.g = grid_of(base, span_of(n, service) + span_of(n, queued));
    size_t cells = (size_t)p.g.last + 1;
    double of_service = p.g.base * service->base / base, whole = floor(of_service);
    const cni_array arrays[] = {CNI_ARRAY(p.service, cells), CNI_ARRAY(p.queued, cells),
                                CNI_ARRAY(p.begun, cells), CNI_ARRAY(p.all, cells),
                                CNI_ARRAY(p.law, cells)};
    CNI_TRY(cni_allocate_arrays(&p.block, arrays));
    double missing = fill_step(service, &p.g, p.service) + fill_step(queued, &p.g, p.queued);
    *mean = mean_of_tree(&p, n, (int)whole, together);
    if (of_service > whole)
        *mean += (of_service - whole) * (mean_of_tree(&p, n, (int)whole + 1, together) - *mean);
    *mean += n * (missing + (p.g.base == 0 ? base : 0.0));
    cni_release(p.block);
    return CN_OK;
}

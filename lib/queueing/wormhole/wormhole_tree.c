/*
 * When a broadcast has reached its last node. A node that has the message sends m copies at once,
 * into subtrees of 0 .. m-1 dimensions, so the law of the time of a tree of m dimensions is
 *
 *     F_m(t) = F_m-1(t)^(1-together) (G * F_m-1)(t)
 *
 * G is the law of a step and F_m-1 also that of the first m - 1 copies. With `together` = 0 all
 * delays are independent; with 1 the tree is as late as its deepest node.
 */
#include <math.h>

#include "base/memory.h"
#include "queueing/wormhole/wormhole_network.h"

enum { MOST_CELLS = 1200, FINE = 8 };

/* Cells of time: a step's base is `base` of them, each `width` long, up to cell `last`. */
typedef struct grid {
    double width;
    int base, last;
} grid;

static grid grid_for(uint32_t n, const cni_wormhole_step *step)
{
    double deviation = sqrt(step->variance);
    double span = n * (step->base + (1.0 - step->at_once) * step->mean) +
                  (8.0 + 2.0 * sqrt(n)) * (deviation + step->mean);
    for (int base = FINE; base >= 1; base /= 2)
        if (span <= MOST_CELLS * step->base / base)
            return (grid){step->base / base, base, (int)(span * base / step->base)};
    return (grid){span / MOST_CELLS, 0, MOST_CELLS};
}

/* The excess: cell j holds the times nearest to j widths. Returns by how much the cells fall
 * short of the mean. */
static double fill_step(const cni_wormhole_step *step, const grid *g, double *p)
{
    double shape = fmin(100.0, step->mean * step->mean / step->variance);
    double size = step->mean / shape, sum = 0.0;
    for (int j = 0; j <= g->last; j++) {
        double at = (j == 0 ? 0.5 : j) * g->width / size;
        p[j] = exp((shape - 1.0) * log(at) - at + shape);
        if (j == 0)
            p[j] *= 0.5 / shape * exp(0.5 * at); /* of t^(shape-1) from 0 on */
        sum += p[j];
    }
    double mean = 0.0;
    for (int j = 0; j <= g->last; j++) {
        p[j] *= (1.0 - step->at_once) / sum;
        mean += p[j] * j * g->width;
    }
    p[0] += step->at_once;
    return (1.0 - step->at_once) * step->mean - mean;
}

/* later = G * law, from cell `first` on. By rows, so that the inner loop has no sum to carry. */
static void convolve(const double *p, const double *law, const grid *g, int first, double *later)
{
    for (int t = 0; t <= g->last; t++)
        later[t] = 0.0;
    for (int j = 0; j <= g->last - first; j++) {
        const double *from = law + first - g->base;
        double *to = later + first + j, weight = p[j];
        for (int t = 0; t <= g->last - first - j; t++)
            to[t] += weight * from[t];
    }
}

cn_status cni_wormhole_last(uint32_t n, const cni_wormhole_step *step, double together,
                            double *mean)
{
    *mean = n * step->base;
    if (!(step->mean > 0.0) || !(step->variance > 0.0) || !(step->at_once < 1.0))
        return CN_OK;
    grid g = grid_for(n, step);
    size_t cells = (size_t)g.last + 1;
    double *p = cni_allocate(3 * (uint64_t)cells, sizeof *p);
    if (p == NULL)
        return CN_ERR_MEMORY;
    double *law = p + cells, *later = law + cells;
    double missing = fill_step(step, &g, p);
    for (int t = 0; t <= g.last; t++)
        law[t] = 1.0;
    for (uint32_t m = 1; m <= n; m++) {
        int first = (int)m * g.base; /* before it nothing arrives */
        convolve(p, law, &g, first < g.last ? first : g.last, later);
        for (int t = 0; t <= g.last; t++)
            law[t] = later[t] * (together > 0.0 ? pow(law[t], 1.0 - together) : law[t]);
    }
    double sum = 0.0;
    for (int t = 0; t <= g.last; t++)
        sum += 1.0 - fmin(1.0, law[t]);
    *mean = sum * g.width + n * (missing + (g.base == 0 ? step->base : 0.0));
    cni_release(p);
    return CN_OK;
}

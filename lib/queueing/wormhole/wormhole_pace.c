/*
 * What a message gets of a channel beside others that other channels hold up (docs/wormhole-model.md, 3). The cycles of
 * a channel are shared out evenly, and what one does not use goes to the rest: a message gets the level at which they are all
 * used, or less where another channel allows it less. Limits and levels are laws over 1, 1/2, 1/3 ..: by k, the share of the
 * cell from 1/(k+2) to 1/(k+1) that lies below.
 */
#include <math.h>

#include "queueing/wormhole/wormhole_own.h"

double cni_wormhole_pace(const cni_wormhole_state *s, const cni_wormhole_row law)
{
    double mean = 1.0 / (s->reach + 1.0);
    for (uint32_t k = 0; k < s->reach; k++)
        mean += law[k] * s->width[k];
    return mean;
}

double cni_wormhole_lower(const cni_wormhole_state *s, const cni_wormhole_row limit,
                          const cni_wormhole_row level)
{
    double mean = 1.0 / (s->reach + 1.0);
    for (uint32_t k = 0; k < s->reach; k++)
        mean += limit[k] * level[k] * s->width[k];
    return mean;
}

static double share_of_cell(double level, uint32_t k)
{
    return fmin(1.0, fmax(0.0, (level * (k + 2.0) - 1.0) * (k + 1.0)));
}

/* Mean limit of those below 1/(k+1). */
static double mean_below(const cni_wormhole_row limit, uint32_t k, uint32_t reach)
{
    double mean = 0.0;
    for (uint32_t j = k + 1; j < reach; j++)
        mean += (limit[j] - limit[j - 1]) / (j + 1);
    return limit[k] < 1.0 ? mean / (1.0 - limit[k]) : 0.0;
}

/* The levels in cell k beside j others. Of these a number that is binomial have a limit in the cell or above; the others take their mean. */
static void find_cell(cni_wormhole_state *s, uint32_t k)
{
    double free = s->limit[0][k], small = mean_below(s->limit[0], k, s->reach);
    double own_free = s->limit[1][k], own_small = mean_below(s->limit[1], k, s->reach);
    cni_wormhole_row slow = {1.0}; /* P(so many of the j are held up) */
    for (uint32_t j = 0; j < s->reach; j++) {
        double without = j < k, greedy = j < k, beside = j < k;
        for (uint32_t l = 0; j >= k && l <= j; l++) {
            double left = 1.0 - l * small, rivals = 1.0 + j - l;
            if (left <= 0.0)
                break;
            double alone = share_of_cell(left / (rivals + 1.0), k);
            without += slow[l] * share_of_cell(left / rivals, k);
            greedy += slow[l] * alone;
            beside += slow[l] * (own_free * alone +
                                 (1.0 - own_free) * share_of_cell((left - own_small) / rivals, k));
        }
        s->level[0][j][k] = without;
        s->level[1][j][k] = beside;
        s->greedy[j][k] = greedy;
        for (uint32_t l = j + 2; j < s->reach && l-- > 0;)
            slow[l] = (l <= j ? free * slow[l] : 0.0) + (l > 0 ? (1.0 - free) * slow[l - 1] : 0.0);
    }
}

static void find_reach(cni_wormhole_state *s)
{
    s->reach = 1;
    for (uint32_t k = 2; k <= s->c->channels && k <= CNI_WORMHOLE_CROWD; k++)
        s->reach = s->held[k] > 1e-12 || s->held[k] < 0.0 ? k : s->reach;
}

void cni_wormhole_levels(cni_wormhole_state *s)
{
    find_reach(s);
    for (uint32_t k = 0; k < s->reach; k++)
        find_cell(s, k);
    for (uint32_t j = 0; j <= s->c->channels; j++) {
        /* among more than are followed the cycles are shared evenly */
        s->of_own[j] = 1.0 / (j + 1.0);
        s->of_transits[0][j] = s->of_transits[1][j] = j > 0;
        s->beside_greedy[j] = j / (j + 1.0);
        if (j < s->reach)
            s->of_own[j] = cni_wormhole_lower(s, s->limit[1], s->level[0][j]);
        if (j == 0 || j > s->reach)
            continue;
        for (uint32_t own = 0; own < 2; own++)
            s->of_transits[own][j] = j * cni_wormhole_lower(s, s->limit[0], s->level[own][j - 1]);
        s->beside_greedy[j] = j * cni_wormhole_lower(s, s->limit[0], s->greedy[j - 1]);
    }
}

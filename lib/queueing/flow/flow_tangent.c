#include "queueing/flow/flow_tangent.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* An origin whose flow on some channel is used up before this much of the step is left out of it. */
#define LEAST_STEP 0.1
#define MOST_STEPS 1e4 /* each magnifies rounding */

enum { HALVINGS = 60 };

static size_t count_parts(const cni_flow *flow)
{
    return (size_t)flow->network->nodes * flow->network->channels;
}

/* How often the change from `before` to `part` can be repeated until a part is used up. */
static double most_steps(const double before[], const double part[], size_t channels)
{
    double steps = INFINITY;
    for (size_t c = 0; c < channels; c++)
        if (part[c] < before[c])
            steps = fmin(steps, part[c] / (before[c] - part[c]));
    return steps;
}

/* Makes `before` the direction, 0 for the origins that are left out, and adds it up by channel. Gives how
 * many steps all the others can take. */
static double turn_into_direction(double before[], const cni_flow *flow, double sum[])
{
    size_t channels = flow->network->channels;
    double most = INFINITY;
    memset(sum, 0, channels * sizeof *sum);
    for (uint32_t origin = 0; origin < flow->network->nodes; origin++) {
        double *change = before + origin * channels;
        const double *part = flow->part + origin * channels;
        double steps = most_steps(change, part, channels);
        int goes_on = steps >= LEAST_STEP;
        if (goes_on)
            most = fmin(most, steps);
        for (size_t c = 0; c < channels; c++) {
            change[c] = goes_on ? part[c] - change[c] : 0.0;
            sum[c] += change[c];
        }
    }
    return most;
}

/* The derivative of the sum of f / (1 - f) along the direction. */
static double slope_at(const cni_flow *flow, const double direction[], double steps)
{
    double slope = 0.0;
    for (uint32_t c = 0; c < flow->network->channels; c++) {
        double room = 1.0 - flow->flow[c] - steps * direction[c];
        if (!(room > 0.0))
            return INFINITY;
        slope += direction[c] / (room * room);
    }
    return slope;
}

/* The last point on the line, up to `most` steps, at which the sum does not rise. */
static double best_steps(const cni_flow *flow, const double direction[], double most)
{
    double low = 0.0, high = fmin(most, MOST_STEPS);
    if (!(slope_at(flow, direction, 0.0) < 0.0))
        return 0.0;
    if (slope_at(flow, direction, high) < 0.0)
        return high;
    for (int i = 0; i < HALVINGS && high - low > 1e-6 * low; i++) {
        double middle = low + (high - low) / 2.0;
        if (slope_at(flow, direction, middle) < 0.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* What is left of a part that the step uses up is rounding. */
static void take_steps(cni_flow *flow, const double direction[], double steps)
{
    size_t parts = count_parts(flow);
    if (steps == 0.0)
        return;
    for (size_t i = 0; i < parts; i++) {
        double next = flow->part[i] + steps * direction[i];
        flow->part[i] = next > 1e-13 * flow->part[i] ? next : 0.0;
    }
    cni_flow_sum(flow);
}

static cn_status open_tangent(cni_tangent *tangent, const cni_flow *flow)
{
    size_t parts = count_parts(flow);
    tangent->before = cni_allocate(parts, sizeof *tangent->before);
    tangent->now = cni_allocate(parts, sizeof *tangent->now);
    if (tangent->before == NULL || tangent->now == NULL)
        return CN_ERR_MEMORY;
    memcpy(tangent->before, flow->part, parts * sizeof *flow->part);
    return CN_OK;
}

cn_status cni_tangent_improve(cni_tangent *tangent, cni_flow *flow)
{
    if (tangent->before == NULL && open_tangent(tangent, flow) != CN_OK)
        return CN_ERR_MEMORY;
    memcpy(tangent->now, flow->part, count_parts(flow) * sizeof *flow->part);
    cni_flow_improve(flow, 1);
    cni_flow_improve(flow, 0); /* there and back: a round is then a symmetric operator */
    double *sum = flow->length;
    double most = turn_into_direction(tangent->before, flow, sum);
    take_steps(flow, tangent->before, best_steps(flow, sum, most));
    double *free_again = tangent->before;
    tangent->before = tangent->now;
    tangent->now = free_again;
    return CN_OK;
}

void cni_tangent_close(cni_tangent *tangent)
{
    cni_release(tangent->before);
    cni_release(tangent->now);
    tangent->before = tangent->now = NULL;
}

#include "queueing/flow/flow_newton.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_SEARCHES = 50, HALVINGS = 60 };

/* The search ends when this share of the first residue's squared norm is left. */
#define RESIDUE 1e-4

/* By channel, but for the last two. */
typedef struct newton {
    double *weight;    /* found so far: what the step is made of */
    double *search;    /* the weights of the present direction */
    double *direction; /* what it does to the flows */
    double *image;     /* what the residue, taken as weights, does to them */
    double *residue;   /* the lengths after the step, as far as second derivatives tell */
    double *change;    /* of the flows, by the step found so far */
    double *share;     /* by node, for the origin at hand */
    double *whole;     /* all of this */
} newton;

static cn_status open_newton(newton *made, size_t channels, size_t nodes)
{
    double **const place[] = {&made->weight,  &made->search, &made->direction, &made->image,
                              &made->residue, &made->change, &made->share};
    size_t count = sizeof place / sizeof place[0];
    made->whole = cni_allocate((count - 1) * channels + nodes, sizeof *made->whole);
    if (made->whole == NULL)
        return CN_ERR_MEMORY;
    for (size_t i = 0; i < count; i++)
        *place[i] = made->whole + i * channels;
    return CN_OK;
}

/* ---- one origin ---- */

/* The mean weight of the paths in use to every node, into `nearest`; what goes to it or through it, into
 * `farthest`. */
static void average(cni_flow *flow, uint32_t origin, const double weight[])
{
    const cni_flow_network *network = flow->network;
    const uint32_t *order = cni_flow_order(flow, origin);
    const double *part = cni_flow_part(flow, origin);
    double *mean = flow->nearest, *through = flow->farthest;
    for (uint32_t at = 0; at < flow->reached[origin]; at++)
        mean[order[at]] = through[order[at]] = 0.0;
    for (uint32_t at = 0; at < flow->reached[origin]; at++) {
        uint32_t v = order[at];
        if (through[v] > 0.0)
            mean[v] /= through[v];
        for (uint32_t c = network->first[v]; c < network->first[v + 1]; c++)
            if (part[c] > 0.0) {
                mean[network->head[c]] += part[c] * (weight[c] + mean[v]);
                through[network->head[c]] += part[c];
            }
    }
}

/* Adds to the image how the origin's parts would change, were all changes small. */
static void add_image(cni_flow *flow, uint32_t origin, const double weight[], double image[])
{
    const cni_flow_network *network = flow->network;
    const uint32_t *order = cni_flow_order(flow, origin);
    const double *part = cni_flow_part(flow, origin);
    average(flow, origin, weight);
    for (uint32_t at = flow->reached[origin]; at-- > 0;) {
        uint32_t v = order[at];
        double rise = 0.0;
        for (uint32_t c = network->first[v]; c < network->first[v + 1]; c++)
            if (part[c] > 0.0) {
                double more =
                    part[c] * (flow->nearest[network->head[c]] - (weight[c] + flow->nearest[v]));
                image[c] += more;
                rise += more;
            }
        /* to the heads of its channels the node passes on what more goes through it */
        if (flow->farthest[v] > 0.0)
            flow->nearest[v] += rise / flow->farthest[v];
    }
}

/* What a channel's part is multiplied with before the shares of its head's channels are made 1 again. */
static double growth(const cni_flow *flow, const double weight[], uint32_t v, uint32_t c)
{
    return fmax(1.0 + flow->nearest[flow->network->head[c]] - (weight[c] + flow->nearest[v]), 0.0);
}

/*
 * What makes the grown parts of a node's channels add up to what goes through it now. Weights so large that
 * rounding is all that is left of a growth leave the shares alone: then, below 0, what the parts themselves
 * are to be multiplied with.
 */
static double scale(double grown, double before, double through)
{
    if (!(before > 0.0))
        return 0.0;
    return grown >= 0.5 * before && isfinite(grown) ? through / grown : -through / before;
}

/* Moves the origin's parts by `step` of the way to the new shares, or adds the whole way to `change`. */
static void shift(cni_flow *flow, uint32_t origin, const newton *given, double step, double *change)
{
    const cni_flow_network *network = flow->network;
    const uint32_t *order = cni_flow_order(flow, origin);
    double *part = cni_flow_part(flow, origin), *share = given->share;
    average(flow, origin, given->weight);
    for (uint32_t at = 0; at < flow->reached[origin]; at++)
        share[order[at]] = 0.0;
    for (uint32_t at = 0; at < flow->reached[origin]; at++) {
        uint32_t v = order[at];
        for (uint32_t c = network->first[v]; c < network->first[v + 1]; c++)
            if (part[c] > 0.0)
                share[network->head[c]] += part[c] * growth(flow, given->weight, v, c);
    }
    for (uint32_t at = flow->reached[origin]; at-- > 0;) {
        uint32_t v = order[at];
        double through = flow->farthest[v];
        for (uint32_t c = network->first[v]; c < network->first[v + 1]; c++)
            if (part[c] > 0.0) {
                double factor = share[network->head[c]];
                double more =
                    part[c] * (factor < 0.0 ? -factor - 1.0
                                            : growth(flow, given->weight, v, c) * factor - 1.0);
                through += more;
                if (change != NULL)
                    change[c] += more;
                else
                    part[c] = fmax(part[c] + step * more, 0.0);
            }
        share[v] = scale(share[v], flow->farthest[v], fmax(through, 0.0));
    }
}

/* ---- all of them ---- */

static double product(const double a[], const double b[], size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static double second_derivative(const cni_flow *flow, uint32_t c)
{
    return 2.0 * flow->length[c] / (1.0 - flow->flow[c]);
}

/* Within what an origin takes. */
static int goes_on(const cni_flow_network *network)
{
    return cni_budget_work(network->budget, 4 * (uint64_t)network->channels);
}

/* How far the shares move: the root of the sum of part times relative change squared. */
static double reach(const newton *found, size_t channels)
{
    return sqrt(fmax(-product(found->weight, found->change, channels), 0.0));
}

/* Conjugate gradients, preconditioned by what the shares are in proportion to; as long as the step reaches
 * no farther than the radius (Steihaug 1983). */
static void find_weights(cni_flow *flow, newton *found, double radius)
{
    uint32_t channels = flow->network->channels;
    size_t bytes = channels * sizeof(double);
    double first = 0.0, before = INFINITY;
    memset(found->whole, 0, 6 * bytes);
    memcpy(found->residue, flow->length, bytes);
    for (int i = 0; i < MOST_SEARCHES && reach(found, channels) <= radius; i++) {
        memset(found->image, 0, bytes);
        for (uint32_t origin = 0; origin < flow->network->nodes && goes_on(flow->network); origin++)
            if (flow->reached[origin] > 0)
                add_image(flow, origin, found->residue, found->image);
        double norm = -product(found->residue, found->image, channels), curvature = 0.0;
        if (i == 0)
            first = norm;
        if (!(norm > RESIDUE * first))
            break;
        for (uint32_t c = 0; c < channels; c++) {
            found->search[c] = found->residue[c] + norm / before * found->search[c];
            found->direction[c] = found->image[c] + norm / before * found->direction[c];
            curvature += second_derivative(flow, c) * found->direction[c] * found->direction[c];
        }
        before = norm;
        if (!(curvature > 0.0))
            break;
        for (uint32_t c = 0; c < channels; c++) {
            found->weight[c] += norm / curvature * found->search[c];
            found->change[c] += norm / curvature * found->direction[c];
            found->residue[c] = flow->length[c] + second_derivative(flow, c) * found->change[c];
        }
    }
}

/* The derivative of the sum of f / (1 - f) along the change. */
static double slope_at(const cni_flow *flow, const double change[], double step)
{
    double slope = 0.0;
    for (uint32_t c = 0; c < flow->network->channels; c++) {
        double room = 1.0 - flow->flow[c] - step * change[c];
        if (!(room > 0.0))
            return INFINITY;
        slope += change[c] / (room * room);
    }
    return slope;
}

/* The last point on the line, up to 1, at which the sum does not rise. */
static double best_step(const cni_flow *flow, const double change[])
{
    double low = 0.0, high = 1.0;
    if (!(slope_at(flow, change, 0.0) < 0.0))
        return 0.0;
    if (slope_at(flow, change, high) < 0.0)
        return high;
    for (int i = 0; i < HALVINGS && high - low > 1e-6 * low; i++) {
        double middle = low + (high - low) / 2.0;
        if (slope_at(flow, change, middle) < 0.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Not beyond the radius. Gives how far it goes. */
static double shorten(newton *found, size_t channels, double radius)
{
    double length = reach(found, channels);
    if (length <= radius)
        return length;
    for (size_t c = 0; c < channels; c++)
        found->weight[c] *= radius / length;
    return radius;
}

/* A step so short is the work of rounding near the optimum and tells nothing: the next one is free again. */
#define SHORTEST 1e-6

static double next_radius(double radius, double length, double step)
{
    if (step < 0.25)
        return length > SHORTEST ? length / 4.0 : INFINITY;
    return step == 1.0 && length == radius ? 4.0 * radius : radius;
}

cn_status cni_flow_newton(cni_flow *flow, double *radius)
{
    const cni_flow_network *network = flow->network;
    newton found;
    if (open_newton(&found, network->channels, network->nodes) != CN_OK)
        return CN_ERR_MEMORY;
    find_weights(flow, &found, *radius);
    double length = shorten(&found, network->channels, *radius);
    memset(found.change, 0, network->channels * sizeof *found.change);
    for (uint32_t origin = 0; origin < network->nodes && goes_on(network); origin++)
        if (flow->reached[origin] > 0)
            shift(flow, origin, &found, 0.0, found.change);
    double step = best_step(flow, found.change);
    for (uint32_t origin = 0; origin < network->nodes && goes_on(network); origin++)
        if (flow->reached[origin] > 0 && step > 0.0)
            shift(flow, origin, &found, step, NULL);
    *radius = next_radius(*radius, length, step);
    cni_flow_sum(flow);
    cni_release(found.whole);
    return cni_budget_go_on(network->budget, 0);
}

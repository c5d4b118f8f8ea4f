/*
 * Newton's step on the flows of all origins at once ((F2) of docs/theory/flow-deviation.md). Near
 * saturation a step of one origin gains little: the gain of an origin that leaves a full channel is
 * lost unless another origin takes the free place in the same step.
 *
 * The unknowns are the parts of all origins on the channels that they use. Each part changes in
 * proportion to itself and to the advantage of its path over the mean path to the same node (scaled
 * as in Gallager 1977). So a step uses no new channel. The costs of the paths follow from one
 * weight for each channel, common to all origins. So conjugate gradients look for one weight a
 * channel, and only the list of used channels is kept by origin. The change of the flows is linear
 * in the weights as long as no part turns negative. Origins may exchange much flow with each other
 * while the sum of f / (1 - f) hardly moves.
 */
#include "queueing/flow/flow_bush.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* The weights of every search lead downhill, so the searches may end early. After 40 halvings
 * 1e-12 of the step is left, and the round makes no step. */
enum { MOST_SEARCHES = 50, HALVINGS = 40 };

/* The searches end when this share of the first residue's squared norm is left. The step is
 * halved, and the next round makes another one, so better weights gain little. */
#define RESIDUE 1e-4

/* The least gain of a step, as a share of the gain that the slope at its beginning promises. */
#define LEAST_GAIN 0.1

/* A channel with flow from an origin. Its ends are places in the order of the origin. */
typedef struct used {
    double part;
    uint32_t channel;
    uint16_t tail, head;
} used;

typedef struct newton {
    /* by channel */
    double *weight;    /* the weights so far; the step is made of these */
    double *search;    /* the weights of the present direction */
    double *direction; /* the change of the flows by these weights */
    double *image;     /* the change of the flows by the residue, taken as weights */
    double *residue;   /* the lengths after the step, to first order in the change */
    double *change;    /* the change of the flows by the step so far */
    double *wanted;    /* by used channel of the present origin: its part after the step */
    /* by place in the order of the present origin */
    double *mean; /* the mean weight of the paths in use to the node */
    /* the mean weight, plus the relative change of the flow through the node to later nodes */
    double *onward;
    double *sum; /* the sum of the wanted parts into the node */
    /* By origin: the first of its used channels, in the order of their tails. One more element
     * ends the last origin. */
    size_t *first;
    used *edge;
    /* by origin and place: 1 / (the origin's flow to the node or through it); 0 for the origin */
    double *inverse;
    void *block; /* holds the arrays but `edge` */
} newton;

/* ---- the channels in use ---- */

/* Counts the channels with flow from an origin. Clears the remainders of rounding behind nodes
 * without flow: a step would scale a remainder up to a flow from nowhere. */
static size_t count_used(newton *made, cni_flow *flow, uint32_t origin)
{
    const cni_flow_network *network = flow->network;
    const uint32_t *order = cni_flow_order(flow, origin);
    double *part = cni_flow_part(flow, origin), *into = made->mean; /* by node */
    size_t count = 0;
    memset(into, 0, network->nodes * sizeof *into);
    for (uint32_t at = 0; at < flow->reached[origin]; at++) {
        uint32_t v = order[at];
        for (uint32_t c = network->first[v]; c < network->first[v + 1]; c++) {
            if (at > 0 && !(into[v] > 0.0))
                part[c] = 0.0;
            into[network->head[c]] += part[c];
            count += part[c] > 0.0;
        }
    }
    return count;
}

/* Lists the channels with flow from an origin, and finds the flow through each node. */
static void list_used(const cni_flow *flow, newton *made, uint32_t origin)
{
    const cni_flow_network *network = flow->network;
    const uint32_t *order = cni_flow_order(flow, origin);
    const double *part = cni_flow_part(flow, origin);
    double *inverse = made->inverse + (size_t)origin * network->nodes;
    used *edge = made->edge + made->first[origin];
    cni_flow_rank(flow, origin);
    for (uint32_t at = 0; at < flow->reached[origin]; at++) {
        for (uint32_t c = network->first[order[at]]; c < network->first[order[at] + 1]; c++) {
            uint32_t head = flow->rank[network->head[c]];
            if (!(part[c] > 0.0))
                continue;
            *edge++ = (used){part[c], c, (uint16_t)at, (uint16_t)head};
            inverse[head] += part[c];
        }
    }
    for (uint32_t at = 0; at < flow->reached[origin]; at++)
        inverse[at] = inverse[at] > 0.0 ? 1.0 / inverse[at] : 0.0;
}

static cn_status open_newton(newton *made, cni_flow *flow)
{
    size_t channels = flow->network->channels, nodes = flow->network->nodes;
    const cni_array arrays[] = {
        CNI_ARRAY(made->weight, channels),    CNI_ARRAY(made->search, channels),
        CNI_ARRAY(made->direction, channels), CNI_ARRAY(made->image, channels),
        CNI_ARRAY(made->residue, channels),   CNI_ARRAY(made->change, channels),
        CNI_ARRAY(made->wanted, channels),    CNI_ARRAY(made->mean, nodes),
        CNI_ARRAY(made->onward, nodes),       CNI_ARRAY(made->sum, nodes),
        CNI_ARRAY(made->first, nodes + 1),    CNI_ARRAY(made->inverse, (uint64_t)nodes * nodes),
    };
    *made = (newton){0};
    CNI_TRY(cni_allocate_arrays(&made->block, arrays));
    for (uint32_t origin = 0; origin < nodes; origin++)
        made->first[origin + 1] = made->first[origin] + count_used(made, flow, origin);
    made->edge = cni_allocate(made->first[nodes], sizeof *made->edge);
    CNI_TRY_MEMORY(made->edge);
    for (uint32_t origin = 0; origin < nodes; origin++)
        list_used(flow, made, origin);
    return CN_OK;
}

/* ---- one origin ---- */

/* Finds the mean weight of the paths in use to every place in the order of the origin. */
static void average_weights(newton *given, const cni_flow *flow, uint32_t origin,
                            const double weight[])
{
    const double *inverse = given->inverse + (size_t)origin * flow->network->nodes;
    double *mean = given->mean;
    const used *end = given->edge + given->first[origin + 1];
    memset(mean, 0, flow->reached[origin] * sizeof *mean);
    for (const used *e = given->edge + given->first[origin]; e < end; e++)
        mean[e->head] += e->part * inverse[e->head] * (weight[e->channel] + mean[e->tail]);
    memcpy(given->onward, mean, flow->reached[origin] * sizeof *mean);
}

/* Returns the change of the part of a used channel, (F2), as if all changes were small. The
 * calls go back through the channels of the origin. */
static double change_of_part(newton *given, const double inverse[], const used *e,
                             const double weight[])
{
    double more = e->part * (given->onward[e->head] - (weight[e->channel] + given->mean[e->tail]));
    /* the change of the flow through the tail is passed on to the channels that lead to the tail */
    given->onward[e->tail] += more * inverse[e->tail];
    return more;
}

/* Adds the part of an origin to the change of the flows by the residue, taken as weights. */
static void add_image(newton *given, const cni_flow *flow, uint32_t origin)
{
    const double *inverse = given->inverse + (size_t)origin * flow->network->nodes;
    const used *begin = given->edge + given->first[origin];
    average_weights(given, flow, origin, given->residue);
    for (const used *e = given->edge + given->first[origin + 1]; e-- > begin;)
        given->image[e->channel] += change_of_part(given, inverse, e, given->residue);
}

/*
 * Finds the parts of the origin after a step, into `wanted`. No part falls below 0. Where a part
 * would, all parts into the node are scaled so that their sum is the flow to the node and through
 * it. Where the sum of the wanted parts is 0, the present parts are scaled instead.
 */
static void step_parts(newton *given, const cni_flow *flow, uint32_t origin)
{
    const double *inverse = given->inverse + (size_t)origin * flow->network->nodes;
    const used *edge = given->edge + given->first[origin];
    size_t count = given->first[origin + 1] - given->first[origin];
    double *wanted = given->wanted, *sum = given->sum, *through = given->mean;
    average_weights(given, flow, origin, given->weight);
    memset(sum, 0, flow->reached[origin] * sizeof *sum);
    for (size_t i = count; i-- > 0;) {
        double more = change_of_part(given, inverse, &edge[i], given->weight);
        wanted[i] = fmax(edge[i].part + more, 0.0);
        sum[edge[i].head] += wanted[i];
    }
    for (uint32_t at = 1; at < flow->reached[origin]; at++)
        through[at] = inverse[at] > 0.0 ? 1.0 / inverse[at] : 0.0;
    for (size_t i = count; i-- > 0;) {
        uint32_t head = edge[i].head;
        double left = fmax(through[head], 0.0); /* rounding may leave less than 0 */
        wanted[i] =
            sum[head] > 0.0 ? left / sum[head] * wanted[i] : left * inverse[head] * edge[i].part;
        through[edge[i].tail] += wanted[i] - edge[i].part;
    }
}

/* ---- all origins ---- */

static double inner_product(const double a[], const double b[], size_t count)
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

/* Takes the work of one origin off the budget. */
static int goes_on(const cni_flow_network *network)
{
    return cni_budget_work(network->budget, network->channels);
}

/* Finds the weights by conjugate gradients. The parts themselves are the preconditioner, as in
 * (F2): parts change in proportion to their size. */
static void find_weights(const cni_flow *flow, newton *found)
{
    uint32_t channels = flow->network->channels;
    size_t bytes = channels * sizeof(double);
    double first = 0.0, before = INFINITY;
    memcpy(found->residue, flow->length, bytes);
    for (int i = 0; i < MOST_SEARCHES; i++) {
        memset(found->image, 0, bytes);
        for (uint32_t origin = 0; origin < flow->network->nodes && goes_on(flow->network); origin++)
            add_image(found, flow, origin);
        double norm = -inner_product(found->residue, found->image, channels), curvature = 0.0;
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

/* Returns the fall of the sum of f / (1 - f) when the flows change; -INFINITY when a channel
 * becomes full. */
static double gain_of(const cni_flow *flow, const double change[])
{
    double rise = 0.0;
    for (uint32_t c = 0; c < flow->network->channels; c++) {
        double room = 1.0 - flow->flow[c];
        if (!(room - change[c] > 0.0))
            return -INFINITY;
        rise += change[c] / (room * (room - change[c]));
    }
    return -rise;
}

/* Finds the change of the flows by the step, into `change`. With `take`, changes the parts too. */
static void make_step(const cni_flow *flow, newton *found, int take)
{
    memset(found->change, 0, flow->network->channels * sizeof *found->change);
    for (uint32_t origin = 0; origin < flow->network->nodes && goes_on(flow->network); origin++) {
        const used *edge = found->edge + found->first[origin];
        size_t count = found->first[origin + 1] - found->first[origin];
        step_parts(found, flow, origin);
        for (size_t i = 0; i < count; i++) {
            found->change[edge[i].channel] += found->wanted[i] - edge[i].part;
            if (take)
                cni_flow_part(flow, origin)[edge[i].channel] = found->wanted[i];
        }
    }
}

/*
 * Halves the step until its gain is enough. Returns 0 when it never is. The whole step may lose up
 * to `loss`: parts that would turn negative are 0 then, and the next step gains more without these
 * parts.
 */
static int find_step(const cni_flow *flow, newton *found, double loss)
{
    uint32_t channels = flow->network->channels;
    for (int i = 0; i < HALVINGS; i++) {
        make_step(flow, found, 0);
        double gain = gain_of(flow, found->change);
        double promised = -inner_product(flow->length, found->change, channels);
        if ((gain > 0.0 && gain >= LEAST_GAIN * promised) || (i == 0 && gain > -loss))
            return 1;
        for (uint32_t c = 0; c < channels; c++)
            found->weight[c] /= 2.0;
    }
    return 0;
}

cn_status cni_flow_newton(cni_flow *flow, double loss)
{
    newton found;
    cn_status status = open_newton(&found, flow);
    if (status == CN_OK) {
        find_weights(flow, &found);
        if (find_step(flow, &found, loss))
            make_step(flow, &found, 1);
        cni_flow_sum(flow);
        status = cni_budget_go_on(flow->network->budget, 0);
    }
    cni_release(found.block);
    cni_release(found.edge);
    return status;
}

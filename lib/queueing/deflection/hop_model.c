/*
 * Opens and solves a hop model ("The hops" in docs/theory/deflection.md).
 *
 * Class c has the states whose distance is c modulo the period. A hop leads from class c to class c
 * - 1, and from class 0 to the last class. A message arrives in class 0. So class 0, looked at
 * every `period` hops, is an absorbing Markov chain A. The mean counts there solve
 *
 *     x_0 = (counts in `period` hops) + A x_0.
 *
 * The counts of class 1, 2, ... follow one hop at a time. The elimination never subtracts
 * (Grassmann, Taksar & Heyman 1985): the probability that a state stays is found from the
 * probability that it leaves. So x has full relative accuracy even where a message hardly ever
 * arrives.
 *
 * With S states, class size s = S / period and e edges a state: O(S s e + s^3) time, O(S e + s^2)
 * memory.
 */
#include "queueing/deflection/hop_model.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cubenet/experimental/intermediate.h"
#include "cubenet/queueing.h"
#include "scenario/parameter.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

/* ---- states and hops ---- */

cn_status cni_hop_model_begin(cni_hop_model *model, size_t states, uint32_t period)
{
    memset(model, 0, sizeof *model);
    model->states = states;
    model->period = period;
    const cni_array arrays[] = {CNI_ARRAY(model->start, states),
                                CNI_ARRAY(model->distance, states),
                                CNI_ARRAY(model->first_hop, states + 1),
                                CNI_ARRAY(model->wants, states),
                                CNI_ARRAY(model->order, states),
                                CNI_ARRAY(model->place, states),
                                CNI_ARRAY(model->class_from, (uint64_t)period + 1),
                                CNI_ARRAY(model->chance, states),
                                CNI_ARRAY(model->count[0], states),
                                CNI_ARRAY(model->count[1], states)};
    return cni_allocate_arrays(&model->block, arrays);
}

void cni_hop_model_state(cni_hop_model *model, size_t state, uint64_t distance, double weight,
                         uint32_t wants)
{
    model->distance[state] = distance;
    model->start[state] = state == 0 ? 0.0 : weight; /* no node sends to itself */
    model->wants[state] = wants;
    model->first_hop[state] = model->hops;
}

cn_status cni_hop_model_hop(cni_hop_model *model, cni_hop hop)
{
    if (hop.first <= 0.0 && hop.second <= 0.0)
        return CN_OK;
    void *hops = model->hop;
    CNI_TRY(cni_grow(&hops, &model->hop_room, model->hops + 1, sizeof hop));
    model->hop = hops;
    model->hop[model->hops++] = hop;
    return CN_OK;
}

static size_t class_of(const cni_hop_model *model, size_t state)
{
    return (size_t)(model->distance[state] % model->period);
}

/* Sorts the states by class, by counting. State 0 stays the first of class 0. */
static void sort_by_class(cni_hop_model *model)
{
    size_t *from = model->class_from;
    for (size_t i = 0; i < model->states; i++)
        from[class_of(model, i) + 1]++;
    for (size_t c = 0; c < model->period; c++)
        from[c + 1] += from[c];
    for (size_t i = 0; i < model->states; i++) {
        size_t at = from[class_of(model, i)]++;
        model->order[at] = (uint32_t)i;
        model->place[i] = at;
    }
    for (size_t c = model->period; c > 0; c--)
        from[c] = from[c - 1];
    from[0] = 0;
}

cn_status cni_hop_model_end(cni_hop_model *model)
{
    size_t states = model->states;
    double sum = 0.0;
    model->first_hop[states] = model->hops;
    for (size_t i = 0; i < states; i++)
        sum += model->start[i];
    for (size_t i = 0; i < states; i++)
        model->start[i] /= sum;
    sort_by_class(model);
    model->chain =
        cni_allocate((uint64_t)model->class_from[1] * model->class_from[1], sizeof(double));
    return model->chain ? CN_OK : CN_ERR_MEMORY;
}

void cni_hop_model_close(cni_hop_model *model)
{
    cni_release(model->block);
    cni_release(model->hop);
    cni_release(model->chain);
    memset(model, 0, sizeof *model);
}

/* ---- the choice of the diagram ---- */

/* Operations of a solution; a balance needs about ten solutions. `automatic` takes the exact
 * diagram up to WORK_AUTOMATIC. The other two bounds refuse diagrams that take too much time or
 * memory. */
#define WORK_AUTOMATIC 0x1p24
#define WORK_GREATEST 0x1p32
#define STATES_GREATEST 0x1p22

static double work_of(double states, double period, uint32_t dimensions)
{
    double members = states / period;
    return states * members * (dimensions + 1) + members * members * members / 3.0;
}

/* The digits of a network. */
typedef struct shape {
    uint64_t k;
    uint32_t n;
    cni_hop_ways ways;
} shape;

static shape shape_of(const cn_topology *topology)
{
    uint32_t n = topology->dimensions;
    uint64_t k = n > 0 ? topology->radix[0] : 0;
    if (cni_is_complete(topology))
        return (shape){topology->nodes, 1, CNI_ALL_VALUES};
    if ((cni_is_hypercube(topology) || cni_sets_digits(topology)) && cni_is_symmetric(topology))
        return (shape){k, n, n > 0 ? CNI_ALL_VALUES : CNI_ONE_WAY};
    return (shape){k, n, topology->bidirectional ? CNI_TWO_WAY : CNI_ONE_WAY};
}

/* Resolves the state space `automatic`. */
int cni_hop_model_is_reduced(const cn_topology *topology, int state_space)
{
    shape s = shape_of(topology);
    double k = (double)s.k, exact = cni_states_exact(k, s.n, s.ways);
    if (state_space != CN_STATES_AUTOMATIC || s.ways != CNI_ONE_WAY)
        return state_space == CN_STATES_REDUCED && s.ways != CNI_ALL_VALUES;
    return exact > STATES_GREATEST || work_of(exact, k, s.n) > WORK_AUTOMATIC;
}

double cni_hop_model_states(const cn_topology *topology, int state_space)
{
    shape s = shape_of(topology);
    return cni_hop_model_is_reduced(topology, state_space)
               ? cni_states_reduced((double)s.k, s.n)
               : cni_states_exact((double)s.k, s.n, s.ways);
}

cn_status cni_hop_model_accepts(const char *function, const cn_topology *topology)
{
    if (cni_is_kary_ncube(topology) || shape_of(topology).ways == CNI_ALL_VALUES)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: there is a model of deflection for hypercubes, k-ary n-cubes, generalized "
                    "hypercubes of equal radices and complete networks, not for %s",
                    function, topology->name);
}

cn_status cni_hop_model_open(const char *function, const cn_topology *topology, int state_space,
                             cni_hop_model *model)
{
    CNI_TRY(cni_hop_model_accepts(function, topology));
    memset(model, 0, sizeof *model);
    shape s = shape_of(topology);
    int reduced = cni_hop_model_is_reduced(topology, state_space);
    double states = cni_hop_model_states(topology, state_space);
    if (reduced && s.ways == CNI_TWO_WAY)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "state_space = reduced, but the reduced diagram exists for unidirectional rings only, "
            "not for %s",
            topology->name);
    uint32_t k = (uint32_t)s.k;
    if (states > STATES_GREATEST ||
        work_of(states, cni_period_exact(k, s.ways), s.n) > WORK_GREATEST)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "the %s state space of %s has %.4g states, which is more than can be solved",
            reduced ? "reduced" : "exact", topology->name, states);
    cn_status status =
        reduced ? cni_hops_reduced(k, s.n, model) : cni_hops_exact(k, s.n, s.ways, model);
    if (status != CN_OK)
        cni_hop_model_close(model);
    return status;
}

/* Opens the diagram for a public function and checks the arguments of the function. */
static cn_status open_for(cni_budget *budget, const cn_topology *topology,
                          cn_state_space state_space, double q, cni_hop_model *model)
{
    CNI_TRY(cni_check_named(budget->function, &cni_state_spaces, "state_space", (int)state_space));
    if (!(q >= 0.0 && q < 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: q = %g, but it must be at least 0 and below 1",
                        budget->function, q);
    CNI_TRY(cni_hop_model_open(budget->function, topology, (int)state_space, model));
    model->budget = budget;
    return CN_OK;
}

cn_status cn_deflection_mean_hops(const cn_topology *topology, cn_state_space state_space, double q,
                                  const cn_control *control, double *mean_hops, uint64_t *states)
{
    cni_hop_model model;
    double hops = 0.0, deflections;
    CNI_REQUIRE_BOTH(topology, mean_hops);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(open_for(&budget, topology, state_space, q, &model));
    cni_hop_model_means(&model, q, &hops, &deflections);
    uint64_t count = model.states;
    cni_hop_model_close(&model);
    CNI_TRY(cni_budget_go_on(&budget, 0));
    *mean_hops = hops;
    CNI_GIVE(states, count);
    return CN_OK;
}

/* ---- solving ---- */

static double chance_of(const cni_hop *hop, double q)
{
    return (1.0 - q) * hop->first + q * hop->second;
}

/* Follows member `from` of class 0 for `period` hops: fills its row of the chain, and its
 * deflections. */
static void follow_member(cni_hop_model *model, double q, size_t from)
{
    double *row = model->chain + from * model->class_from[1], *chance = model->chance;
    double deflections = 0.0;
    memset(row, 0, model->class_from[1] * sizeof *row);
    for (size_t c = model->period; c > 0; c--) {
        int begins = c == model->period; /* class 0 itself, and only this member of it */
        size_t at = begins ? from : model->class_from[c];
        size_t end = begins ? from + 1 : model->class_from[c + 1];
        for (; at < end; at++) {
            uint32_t state = model->order[at];
            double here = begins ? 1.0 : chance[state];
            chance[state] = 0.0;
            if (here <= 0.0)
                continue;
            for (size_t e = model->first_hop[state]; e < model->first_hop[state + 1]; e++) {
                const cni_hop *hop = &model->hop[e];
                double there = here * chance_of(hop, q);
                deflections += hop->deflects ? there : 0.0;
                if (c == 1)
                    row[model->place[hop->target]] += there;
                else
                    chance[hop->target] += there;
            }
        }
    }
    model->count[0][model->order[from]] = model->period;
    model->count[1][model->order[from]] = deflections;
}

/* Solves the absorbing chain of class 0 for both counts, by elimination from the top down. */
static void solve_class_0(cni_hop_model *model)
{
    size_t members = model->class_from[1];
    const uint32_t *order = model->order;
    for (size_t top = members; top-- > 1;) {
        double *down = model->chain + top * members, leave = 0.0;
        for (size_t j = 0; j < top; j++)
            leave += down[j];
        for (size_t j = 0; j < top; j++)
            down[j] /= leave;
        for (int what = 0; what < 2; what++)
            model->count[what][order[top]] /= leave;
        for (size_t i = 1; i < top && cni_budget_work(model->budget, top / 4 + 1); i++) {
            double *row = model->chain + i * members, into = row[top];
            if (into <= 0.0)
                continue;
            for (size_t j = 0; j < top; j++)
                row[j] += into * down[j];
            for (int what = 0; what < 2; what++)
                model->count[what][order[i]] += into * model->count[what][order[top]];
        }
    }
    for (size_t i = 2; i < members; i++)
        for (size_t j = 1; j < i; j++)
            for (int what = 0; what < 2; what++)
                model->count[what][order[i]] +=
                    model->chain[i * members + j] * model->count[what][order[j]];
}

/* Finds the counts of a state from the counts of the class below. */
static void count_from_below(cni_hop_model *model, double q, uint32_t state)
{
    double hops = 1.0, deflections = 0.0;
    for (size_t e = model->first_hop[state]; e < model->first_hop[state + 1]; e++) {
        const cni_hop *hop = &model->hop[e];
        double chance = chance_of(hop, q);
        hops += chance * model->count[0][hop->target];
        deflections += chance * (model->count[1][hop->target] + hop->deflects);
    }
    model->count[0][state] = hops;
    model->count[1][state] = deflections;
}

void cni_hop_model_means(cni_hop_model *model, double q, double *hops, double *deflections)
{
    size_t members = model->class_from[1];
    model->count[0][0] = model->count[1][0] = 0.0;
    for (size_t i = 1; i < members && cni_budget_work(model->budget, 4 * model->hops); i++)
        follow_member(model, q, i);
    solve_class_0(model);
    for (size_t at = members; at < model->states; at++)
        count_from_below(model, q, model->order[at]);
    *hops = *deflections = 0.0;
    for (size_t i = 1; i < model->states; i++) {
        *hops += model->start[i] * model->count[0][i];
        *deflections += model->start[i] * model->count[1][i];
    }
}

/* ---- the diagram as a matrix ---- */

static cn_status put_chain(const cni_hop_model *model, double q, double start[], double matrix[])
{
    size_t states = model->states;
    matrix[0] = 1.0; /* an arrived message stays arrived */
    for (size_t i = 0; i < states; i++) {
        CNI_TRY(cni_budget_go_on(model->budget, states));
        start[i] = model->start[i];
        double *row = matrix + i * states;
        for (size_t j = i == 0; j < states; j++)
            row[j] = 0.0;
        for (size_t e = model->first_hop[i]; e < model->first_hop[i + 1]; e++)
            row[model->hop[e].target] += chance_of(&model->hop[e], q);
    }
    return CN_OK;
}

cn_status cn_deflection_headers(const cn_topology *topology, cn_state_space state_space, double q,
                                const cn_control *control, double start[], double matrix[],
                                size_t capacity, size_t *count)
{
    cni_hop_model model;
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(start, capacity);
    CNI_REQUIRE_ARRAY(matrix, capacity);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(open_for(&budget, topology, state_space, q, &model));
    CNI_GIVE(count, model.states);
    cn_status status =
        capacity < model.states
            ? cni_fail_capacity(__func__, capacity, "there are %zu states", model.states)
            : put_chain(&model, q, start, matrix);
    cni_hop_model_close(&model);
    return status;
}

/*
 * Channel loads when messages take every allowed channel with equal probability. The flow to each
 * destination goes through the states of its walks in an order in which a state has received all of
 * its flow before it sends.
 */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "routing/questions/loads.h"
#include "routing/questions/walks.h"

typedef struct loading {
    cni_budget *budget;
    const cn_routing *routing;
    cn_rate_fn rate; /* NULL: uniform */
    void *user;
    double uniform; /* from each served host to each other served host */
    cni_walks walks;
    double *out, *in;  /* with two legs: the flow that a node sends, and receives, in all */
    double *flow;      /* by state, see cni_walks_send() */
    uint32_t *sources; /* the nodes that send to the target at hand */
    void *block;       /* of the four arrays before it */
    double *loads;
} loading;

/* From one host to another. */
static cn_status rate_of(const loading *l, uint32_t source, uint32_t destination, double *rate)
{
    *rate = l->uniform;
    if (l->rate == NULL)
        return CN_OK;
    *rate = 0.0;
    CNI_TRY(l->rate(l->user, source, destination, rate));
    if (*rate >= 0.0 && *rate < HUGE_VAL)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: rate gives %g from node %lu to node %lu, but it must be 0 or more and "
                    "finite",
                    l->budget->function, *rate, (unsigned long)source, (unsigned long)destination);
}

/* With two legs: sums what each host sends and receives. Every router is the intermediate node with
 * equal probability: on first legs it receives an equal part of all that is sent, on second legs it
 * sends an equal part of all that is received. */
static cn_status sum_rates(loading *l)
{
    const cni_walks *w = &l->walks;
    const cn_topology *t = l->routing->topology;
    for (size_t i = 0; i < w->end_count; i++) {
        for (size_t j = 0; j < w->end_count && cni_is_host(t, w->ends[i]); j++) {
            double rate;
            if (i == j || !cni_is_host(t, w->ends[j]))
                continue;
            CNI_TRY(rate_of(l, w->ends[j], w->ends[i], &rate));
            l->out[w->ends[j]] += rate;
            l->in[w->ends[i]] += rate;
        }
        CNI_TRY(cni_budget_go_on(l->budget, w->end_count));
    }
    return CN_OK;
}

/* The rate from a source to a target over both kinds of legs. */
static double leg_rate(const loading *l, uint32_t source, uint32_t target)
{
    const cn_topology *t = l->routing->topology;
    double out = cni_is_router(t, target) ? l->out[source] : 0.0;
    double in = cni_is_router(t, source) ? l->in[target] : 0.0;
    return (out + in) / (double)l->routing->middles;
}

static cn_status load_to(loading *l, uint32_t target)
{
    cni_walks *w = &l->walks;
    size_t count = 0;
    for (size_t i = 0; i < w->end_count; i++) {
        uint32_t source = w->ends[i];
        double rate;
        if (source == target)
            continue;
        if (l->out != NULL)
            rate = leg_rate(l, source, target);
        else
            CNI_TRY(rate_of(l, source, target, &rate));
        l->flow[source] = rate;
        l->sources[count] = source;
        count += rate > 0.0;
    }
    CNI_TRY(cni_walks_send(w, target, l->sources, count, l->flow, l->loads));
    return cni_walks_check(l->budget->function, w, target);
}

/* The rates are finite; their sums need not be finite. */
static cn_status check_loads(const loading *l)
{
    size_t ports = l->routing->topology->max_degree;
    for (size_t c = 0; c < l->walks.nodes * ports; c++)
        if (!(l->loads[c] < HUGE_VAL))
            return cni_fail(CN_ERR_OVERFLOW,
                            "%s: rate gives so much that the load of port %zu of node %zu is "
                            "greater than any double",
                            l->budget->function, c % ports, c / ports);
    return CN_OK;
}

static cn_status load_all(loading *l)
{
    const cn_routing *r = l->routing;
    if (r->hosts > 1)
        l->uniform = 1.0 / ((double)r->hosts - 1.0);
    CNI_TRY(cni_walks_open(l->budget->function, r, CNI_WALKS_OF_STORED, l->budget, &l->walks));
    const cni_array arrays[] = {
        CNI_ARRAY_IF(r->kind->legs > 1, l->out, l->walks.nodes),
        CNI_ARRAY_IF(r->kind->legs > 1, l->in, l->walks.nodes),
        CNI_ARRAY(l->flow, l->walks.states),
        CNI_ARRAY(l->sources, l->walks.nodes),
    };
    CNI_TRY(cni_allocate_arrays(&l->block, arrays));
    l->loads = cni_allocate(l->walks.nodes * r->topology->max_degree, sizeof *l->loads);
    CNI_TRY_MEMORY(l->loads);
    if (l->out != NULL)
        CNI_TRY(sum_rates(l));
    for (size_t i = 0; i < l->walks.end_count; i++)
        CNI_TRY(load_to(l, l->walks.ends[i]));
    return check_loads(l);
}

static cn_status find_loads(cni_budget *budget, const cn_routing *routing, cn_rate_fn rate,
                            void *user, double **loads)
{
    loading l = {.budget = budget, .routing = routing, .rate = rate, .user = user};
    cn_status status = load_all(&l);
    cni_walks_close(&l.walks);
    cni_release(l.block);
    if (status != CN_OK)
        cni_release(l.loads);
    else
        *loads = l.loads;
    return status;
}

cn_status cni_routing_give_loads(cni_budget *budget, const cn_routing *routing, cn_rate_fn rate,
                                 void *user, double loads[], size_t capacity, size_t *count)
{
    const cn_topology *t = routing->topology;
    /* 0: find_loads() refuses the network */
    uint64_t needed = t->nodes > CNI_WALKS_NODES ? 0 : t->nodes * t->max_degree;
    double *found;
    if (capacity < needed && count != NULL)
        *count = (size_t)needed;
    if (capacity < needed)
        return cni_fail_capacity(budget->function, capacity, "%s has %llu nodes of %lu ports",
                                 t->name, (unsigned long long)t->nodes,
                                 (unsigned long)t->max_degree);
    CNI_TRY(find_loads(budget, routing, rate, user, &found));
    for (size_t c = 0; c < needed; c++)
        loads[c] = found[c];
    cni_release(found);
    CNI_GIVE(count, (size_t)needed);
    return CN_OK;
}

cn_status cni_routing_give_saturation(cni_budget *budget, const cn_routing *routing,
                                      cn_rate_fn rate, void *user, double *load)
{
    const cn_topology *t = routing->topology;
    double *loads, busiest = 0.0;
    CNI_TRY(find_loads(budget, routing, rate, user, &loads));
    for (size_t c = 0; c < (size_t)t->nodes * t->max_degree; c++)
        busiest = loads[c] > busiest ? loads[c] : busiest;
    cni_release(loads);
    if (busiest == 0.0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: no channel carries any messages, so no load fills one",
                        budget->function);
    if (busiest < 1.0 / DBL_MAX)
        return cni_fail(CN_ERR_OVERFLOW,
                        "%s: the busiest channel carries %g messages a cycle, so little that the "
                        "load at which it is full is greater than any double",
                        budget->function, busiest);
    *load = 1.0 / busiest;
    return CN_OK;
}

/* ---- rates from a function of the caller, which writes no error text ---- */

typedef struct asking {
    const char *function;
    cn_rate_fn rate;
    void *user;
} asking;

static cn_status ask(void *user, uint64_t source, uint64_t destination, double *rate)
{
    const asking *a = user;
    cn_status status = a->rate(a->user, source, destination, rate);
    if (status == CN_OK)
        return CN_OK;
    return cni_fail(status > CN_OK ? CN_ERR_ARGUMENT : status,
                    "%s: rate returned %d from node %llu to node %llu", a->function, (int)status,
                    (unsigned long long)source, (unsigned long long)destination);
}

cn_status cn_routing_loads(const cn_routing *routing, cn_rate_fn rate, void *user,
                           const cn_control *control, double loads[], size_t capacity,
                           size_t *count)
{
    CNI_REQUIRE(routing);
    CNI_REQUIRE_ARRAY(loads, capacity);
    CNI_BUDGET(budget, control, 0);
    asking a = {__func__, rate, user};
    return cni_routing_give_loads(&budget, routing, rate == NULL ? NULL : ask, &a, loads, capacity,
                                  count);
}

cn_status cn_routing_saturation_load(const cn_routing *routing, cn_rate_fn rate, void *user,
                                     const cn_control *control, double *load)
{
    CNI_REQUIRE_BOTH(routing, load);
    CNI_BUDGET(budget, control, 0);
    asking a = {__func__, rate, user};
    return cni_routing_give_saturation(&budget, routing, rate == NULL ? NULL : ask, &a, load);
}

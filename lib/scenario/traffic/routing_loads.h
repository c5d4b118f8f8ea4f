/* The rates of a traffic, pair by pair, for questions to a routing. */
#ifndef CNI_SCENARIO_TRAFFIC_ROUTING_LOADS_H
#define CNI_SCENARIO_TRAFFIC_ROUTING_LOADS_H

#include "cubenet/traffic.h"

#include "base/budget.h"

/* So many messages, or flits, from one node to another. */
typedef struct cni_pair_flow {
    uint64_t destination, source, amount;
} cni_pair_flow;

/* Flows for a function that is asked for them destination by destination, both ascending. */
typedef struct cni_pair_flows {
    cni_pair_flow *list;
    size_t next, count;
} cni_pair_flows;

/* Puts the flows in this order. CN_ERR_CANCELLED. */
cn_status cni_pair_flows_sort(cni_pair_flows *flows, cni_budget *budget);

/* The sum of the flows from a source to a destination. */
uint64_t cni_pair_flows_take(cni_pair_flows *flows, uint64_t source, uint64_t destination);

/* Calls `use` with a function that gives the rates of a traffic in which each sender sends one
 * message. `use` asks for them destination by destination, both ascending. Returns the result of
 * `use`. */
typedef cn_status (*cni_use_rates_fn)(void *user, cn_rate_fn rate, void *rates);
cn_status cni_traffic_with_rates(const char *function, const cn_traffic *traffic,
                                 const cn_routing *routing, cni_budget *budget,
                                 cni_use_rates_fn use, void *user);

/* As cn_traffic_loads(), within a call that has a budget. */
cn_status cni_traffic_give_loads(const cn_traffic *traffic, const cn_routing *routing,
                                 cni_budget *budget, double loads[], size_t capacity,
                                 size_t *count);

/* The load at which the busiest channel is full: 1 / the greatest of these loads. */
cn_status cni_traffic_give_saturation(const cn_traffic *traffic, const cn_routing *routing,
                                      cni_budget *budget, double *load);

#endif

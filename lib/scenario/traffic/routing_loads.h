/* The rates of a traffic, pair by pair, for questions to a routing. */
#ifndef CNI_SCENARIO_TRAFFIC_ROUTING_LOADS_H
#define CNI_SCENARIO_TRAFFIC_ROUTING_LOADS_H

#include "cubenet/traffic.h"

#include "scenario/traffic/traffic_measure.h"

/* The messages, or flits, from one node to another. */
typedef struct cni_pair_flow {
    uint64_t destination, source, amount;
} cni_pair_flow;

/* Flows for a function that is asked for one pair after the other: destinations ascend, and so do
 * the sources of each destination. */
typedef struct cni_pair_flows {
    cni_pair_flow *list;
    size_t next; /* the first flow that no pair has taken yet */
    size_t count;
} cni_pair_flows;

/* Puts the flows in this order. CN_ERR_CANCELLED. */
cn_status cni_pair_flows_sort(cni_pair_flows *flows, cni_budget *budget);

/* The sum of the flows from a source to a destination. */
uint64_t cni_pair_flows_take(cni_pair_flows *flows, uint64_t source, uint64_t destination);

/* The rates of a traffic in which each sender sends one message. */
typedef struct cni_rates {
    const cn_traffic *traffic;
    cni_pair_flows trace;    /* of a trace: its messages */
    double each;             /* of a trace: the rate of one message */
    cni_distances distances; /* for a pattern whose share needs the distance */
} cni_rates;

/* Rates for one question to a routing. Close them also after a failure. */
cn_status cni_rates_open(const char *function, const cn_traffic *traffic, const cn_routing *routing,
                         cni_budget *budget, cni_rates *rates);
void cni_rates_close(cni_rates *rates);

/* Gives the rate of a pair. The pairs come in the order of cni_pair_flows. */
cn_status cni_give_rate(void *rates, uint64_t source, uint64_t destination, double *rate);

/* As cn_traffic_loads(), within a call that has a budget. */
cn_status cni_traffic_give_loads(const cn_traffic *traffic, const cn_routing *routing,
                                 cni_budget *budget, double loads[], size_t capacity,
                                 size_t *count);

#endif

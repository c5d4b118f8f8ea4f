/* The rates of a traffic, pair by pair, for questions to a routing. */
#ifndef CNI_SCENARIO_TRAFFIC_ROUTING_LOADS_H
#define CNI_SCENARIO_TRAFFIC_ROUTING_LOADS_H

#include "cubenet/traffic.h"

#include "scenario/traffic/traffic_measure.h"

/* Messages of a trace from one node to another. */
typedef struct cni_listed_pair {
    uint64_t destination, source;
} cni_listed_pair;

/* The rates of a traffic in which each sender sends one message. */
typedef struct cni_rates {
    const cn_traffic *traffic;
    /* of a trace: its messages in the order in which they are asked for, and the next one */
    cni_listed_pair *pairs;
    size_t next, count;
    double each;             /* what one message is a cycle */
    cni_distances distances; /* of locality */
} cni_rates;

/* Rates for one question to a routing. Close them also after a failure. */
cn_status cni_rates_open(const char *function, const cn_traffic *traffic, const cn_routing *routing,
                         cni_budget *budget, cni_rates *rates);
void cni_rates_close(cni_rates *rates);

/* Of a pair. The question asks destination by destination, both ascending. */
cn_status cni_give_rate(void *rates, uint64_t source, uint64_t destination, double *rate);

/* As cn_traffic_loads(), within a call that has a budget. */
cn_status cni_traffic_give_loads(const cn_traffic *traffic, const cn_routing *routing,
                                 cni_budget *budget, double loads[], size_t capacity,
                                 size_t *count);

#endif

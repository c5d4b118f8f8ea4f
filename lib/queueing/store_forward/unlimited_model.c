#include "queueing/store_forward/unlimited_model.h"

#include <math.h>

#include "base/error.h"
#include "scenario/traffic/capacity.h"
#include "topology/topology.h"

cn_status cni_unlimited_model_open(const char *function, const cn_topology *topology, double load,
                                   cni_unlimited_model *model)
{
    double capacity = cni_capacity(topology);
    /* what the rounding of 2 - 2^(1-n) has added: nothing up to n = 53 */
    double rounded = ldexp(1.0, 1 - (int)topology->dimensions) - (2.0 - capacity);
    double left = capacity - load - rounded;
    if (left <= 0.0)
        return cni_fail(CN_ERR_UNSTABLE,
                        "%s: load = %.15g, but %s has a steady state only below n/d = %.15g "
                        "messages per node and cycle",
                        function, load, topology->name, capacity);
    model->n = topology->dimensions;
    model->nodes = (double)topology->nodes;
    model->load = load;
    model->rho = load / capacity;
    model->idle = left / capacity;
    return cn_topology_mean_distance(topology, &model->distance);
}

/* Nothing is refused and nothing deflected, so every rate follows from the load; the mean queue from
 * Little's law. */
void cni_unlimited_model_put(const cni_unlimited_model *m, double delay, cn_result *result)
{
    double power = m->nodes * m->load / delay;
    cni_result_put(result, CN_METRIC_MEAN_DELAY, delay, 0);
    cni_result_put(result, CN_METRIC_THROUGHPUT, m->load, 0);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, m->nodes * m->load, 0);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD, m->load, 0);
    cni_result_put(result, CN_METRIC_ACCEPTANCE_PROBABILITY, 1.0, 0);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH, m->load * delay, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, m->rho, 0);
    /* P_t = lambda (d - 1) / n (eq. 2.8) */
    cni_result_put(result, CN_METRIC_TRANSIT_PROBABILITY, m->load * (m->distance - 1.0) / m->n, 0);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, m->distance, 0);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, m->distance, 0);
    cni_result_put(result, CN_METRIC_POWER, power, 0);
    cni_result_put(result, CN_METRIC_POWER_ACCEPTED, power, 0);
}

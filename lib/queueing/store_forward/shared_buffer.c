/*
 * A shared buffer at each node ((S2) of docs/theory/store-and-forward.md; the approximation of
 * Horng 1992, 2.4). The number of messages in a node is taken as Poisson. Its mean makes a node
 * empty as often as n independent channels are all idle (eq. 2.49). A node with this number sends
 * as much as comes (eq. 2.51).
 *
 * Check values: n = 6: load 0.2 -> T = 3.2138, 1.4 -> 5.3216, 1.8 -> 8.1891; n = 10: 1.4 -> 8.6161.
 */
#include "cubenet/experimental/intermediate.h"

#include <math.h>

#include "base/error.h"
#include "queueing/store_forward/unlimited_model.h"
#include "topology/topology.h"

/* -log(1 - rho) */
static double log_idle(const cni_unlimited_model *m)
{
    return m->rho < 0.5 ? -log1p(-m->rho) : -log(m->idle);
}

/* T = -(n/lambda) log(1 - lambda d/n), (S2) (eq. 2.57); d as the load goes to 0 */
static double delay_of(const cni_unlimited_model *m)
{
    return m->rho > 0.0 ? m->distance * (log_idle(m) / m->rho) : m->distance;
}

static cn_status check_cube(const cn_scenario *scenario)
{
    if (cni_is_plain_cube(scenario))
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSUPPORTED,
        "cn_predict: the model of shared-buffer covers Boolean n-cubes without faults and "
        "shortest paths that are all taken alike; cn_simulate() covers more");
}

cn_status cni_limit_shared_buffer(const cn_scenario *scenario, double *load)
{
    CNI_TRY(check_cube(scenario));
    return cni_limit_of_cube(scenario, load);
}

cn_status cni_predict_shared_buffer(const cn_scenario *scenario, cn_result *result)
{
    cni_unlimited_model m;
    CNI_TRY(check_cube(scenario));
    CNI_TRY(cni_unlimited_model_open("cn_predict", scenario->topology, cni_traffic_of(scenario),
                                     scenario->value[CN_PARAM_LOAD], &m));
    cni_unlimited_model_put(&m, scenario, delay_of(&m), result);
    return CN_OK;
}

/* Fills the first `count` Poisson probabilities of mean x, with the given greatest one, and
 * returns the sum of all down to 1e-20 of it. The terms go up and down from the greatest:
 * exp(-x) and the powers of x could underflow. */
static double poisson(double x, double greatest, double probabilities[], size_t count)
{
    size_t mode = (size_t)x;
    double sum = 0.0, weight = greatest;
    for (size_t i = mode; weight > 1e-20 || i < count; i++) {
        sum += weight;
        if (i < count)
            probabilities[i] = weight;
        weight *= x / (double)(i + 1);
    }
    weight = greatest;
    for (size_t i = mode; i > 0 && (weight > 1e-20 || count > 0); i--) {
        weight *= (double)i / x;
        sum += weight;
        if (i <= count)
            probabilities[i - 1] = weight;
    }
    return sum;
}

cn_status cn_shared_buffer_queue(uint32_t n, double load, double probabilities[], size_t count)
{
    CNI_REQUIRE(probabilities);
    cni_unlimited_model m;
    CNI_TRY(cni_unlimited_model_of_cube(__func__, n, load, &m));
    double x = m.n * log_idle(&m);
    poisson(x, 1.0 / poisson(x, 1.0, NULL, 0), probabilities, count);
    return CN_OK;
}

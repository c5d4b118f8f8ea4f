/*
 * A buffer at each outgoing channel: the model of Horng 1992, 2.3. A channel is a queue with one
 * server to which in every cycle come its shares of binomial transit and geometric new messages
 * (eq. 2.17); its mean length is that of Pollaczek and Khinchin (eq. 2.30).
 *
 * Check: n = 6: load 0.2 -> T = 3.2255, 0.8 -> 4.1245, 1.4 -> 6.9202, 1.8 -> 19.8287.
 */
#include "base/error.h"
#include "queueing/store_forward/unlimited_model.h"

/* T = lambda (2 d + (1 - 1/n) (d - 1)^2) / (2 (n - lambda d)) + d (eq. 2.32) */
static double delay(const cni_unlimited_model *m)
{
    double d = m->distance, transit = d - 1.0;
    double second_moment = 2.0 * d + (1.0 - 1.0 / m->n) * transit * transit;
    return m->load * second_moment / (2.0 * m->n * m->idle) + d;
}

cn_status cni_predict_separate_buffers(const cn_scenario *scenario, cn_result *result)
{
    cni_unlimited_model m;
    CNI_TRY(cni_unlimited_model_open("cn_predict", scenario->topology,
                                     scenario->value[CN_PARAM_LOAD], &m));
    cni_unlimited_model_put(&m, delay(&m), result);
    return CN_OK;
}

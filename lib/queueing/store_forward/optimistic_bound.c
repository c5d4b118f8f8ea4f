/*
 * The optimistic bound on the mean delay: the model of Horng 1992, 2.5
 * (docs/theory/store-and-forward.md, S3, S4). A node with i messages sends min(i, n) of them, all
 * closer to where they go; its queue is that of a bulk server, given by the one root z_n above 1 of
 *
 *     z^n (1 - a z) = (1 - a) (P z + 1 - P)^n,   P = lambda (d - 1) / n   (eq. 2.67, appendix A)
 *
 * With z = 1 + t / lambda and a = lambda / (1 + lambda) that is the root t in (0, 1) of
 *
 *     F(t) = n log(1 + t / lambda) - n log(1 + t (d - 1) / n) + log(1 - t)
 *
 * which is concave, 0 at 0 and without bound below at 1; and T = d - 1 + 1/t (eq. 2.76). Near
 * capacity t is small and the logarithms all but cancel: so their linear parts are added up
 * exactly.
 *
 * Check: n = 6: load 0.2 -> T = 3.0477, 0.8 -> 3.0993, 1.4 -> 3.5373, 1.8 -> 5.9741.
 */
#include <math.h>

#include "base/error.h"
#include "queueing/store_forward/unlimited_model.h"

/* Until there is no number in between: fewer than a double has exponents and digits. */
enum { MOST_HALVINGS = 1200 };

/* x - log(1 + x) to full relative accuracy, x > -1 */
static double minus_log1p(double x)
{
    if (fabs(x) >= 0.125)
        return x - log1p(x);
    double sum = 0.0, power = x * x;
    for (int i = 2; i < 22; i++, power *= -x)
        sum += power / i;
    return sum;
}

/* F(t); n (1 - rho) / lambda = F'(0) */
static double drift(const cni_unlimited_model *m, double t)
{
    return t * m->n * m->idle / m->load - m->n * minus_log1p(t / m->load) +
           m->n * minus_log1p(t * (m->distance - 1.0) / m->n) - minus_log1p(-t);
}

double cni_optimistic_root(const cni_unlimited_model *m)
{
    if (m->load < 1e-16)
        return 1.0; /* to the last bit: 1/t - 1 is about load^n */
    double low = 0.0, high = 1.0;
    for (int i = 0; i < MOST_HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        if (drift(m, middle) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* T = d - 1 + 1/t (eq. 2.76) */
static double delay(const cni_unlimited_model *m)
{
    if (m->load < 1e-16)
        return m->distance;
    return m->distance - 1.0 + 1.0 / cni_optimistic_root(m);
}

cn_status cni_predict_optimistic_bound(const cn_scenario *scenario, cn_result *result)
{
    cni_unlimited_model m;
    CNI_TRY(cni_unlimited_model_open("cn_predict", scenario->topology, cni_traffic_of(scenario),
                                     scenario->value[CN_PARAM_LOAD], &m));
    cni_unlimited_model_put(&m, scenario, delay(&m), result);
    return CN_OK;
}

/*
 * The optimistic bound on the mean delay ((S3) and (S4) of docs/theory/store-and-forward.md; Horng
 * 1992, 2.5). A node with i messages sends min(i, n) messages, and every hop brings its message
 * closer. The queue of a node is the queue of a bulk server. It follows from the only root z_n
 * above 1 of (S3) (eq. 2.67, appendix A)
 *
 *     z^n (1 - a z) = (1 - a) (P z + 1 - P)^n,   P = lambda (d - 1) / n.
 *
 * With z = 1 + t / lambda and a = lambda / (1 + lambda) this is the root t in (0, 1) of (S4)
 *
 *     F(t) = n log(1 + t / lambda) - n log(1 + t (d - 1) / n) + log(1 - t).
 *
 * F is concave, 0 at 0, and without a lower bound near 1. Then T = d - 1 + 1/t (eq. 2.76). Near
 * capacity t is small and the logarithms nearly cancel, so their linear parts are added exactly.
 *
 * Check values: n = 6: load 0.2 -> T = 3.0477, 0.8 -> 3.0993, 1.4 -> 3.5373, 1.8 -> 5.9741.
 */
#include <math.h>

#include "base/error.h"
#include "queueing/store_forward/unlimited_model.h"

/* Halving ends when no double lies in between. A double has exponents and digits for fewer than
 * 1200 halvings. */
enum { MOST_HALVINGS = 1200 };

/* x - log(1 + x) to full relative accuracy, x > -1. Below 1/8 the series has 20 terms, more than
 * a double shows: log1p would cancel against x. */
static double minus_log1p(double x)
{
    if (fabs(x) >= 0.125)
        return x - log1p(x);
    double sum = 0.0, power = x * x;
    for (int i = 2; i < 22; i++, power *= -x)
        sum += power / i;
    return sum;
}

/* F(t), (S4). Its slope at 0 is n (1 - rho) / lambda. */
static double drift(const cni_unlimited_model *m, double t)
{
    return t * m->n * m->idle / m->load - m->n * minus_log1p(t / m->load) +
           m->n * minus_log1p(t * (m->distance - 1.0) / m->n) - minus_log1p(-t);
}

double cni_optimistic_root(const cni_unlimited_model *m)
{
    if (m->load < 1e-16)
        return 1.0; /* exact in a double: 1/t - 1 is about load^n */
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

/* T = d - 1 + 1/t, (S4) (eq. 2.76) */
static double delay_of(const cni_unlimited_model *m)
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
    cni_unlimited_model_put(&m, scenario, delay_of(&m), result);
    return CN_OK;
}

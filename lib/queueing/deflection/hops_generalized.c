/*
 * The hops of a message in the generalized hypercube of n dimensions with k values each ((D6) of
 * docs/theory/deflection.md). With k = 2 it is the Boolean n-cube ((D5); Horng 1992, 3.3.4, figure
 * 3.4), with n = 1 the complete network.
 *
 * A state is the number i of dimensions that differ. There are n (k - 1) channels: i set a wrong
 * digit right, i (k - 2) set a wrong digit to another wrong value, and (n - i)(k - 1) set a right
 * digit wrong. Phase 1 always gives one of the first kind. Phase 2 gives any channel but the lost
 * one, all with equal probability.
 */
#include <math.h>

#include "base/error.h"
#include "cubenet/experimental/intermediate.h"
#include "queueing/deflection/hop_model.h"
#include "topology/topology.h"

enum { MAX_N = CNI_MAX_DIMENSIONS };

/* Adds the hops out of state i. After a hop away the channel in the same direction leads back,
 * and the message wants it with probability 1 / (i + 1). After a hop to another wrong value the
 * channel back does not set the digit right, so `onward` is 0. */
static cn_status draw_hops(cni_hop_model *model, uint32_t k, uint32_t n, uint32_t i)
{
    double others = (double)n * (k - 1.0) - 1.0;
    double closer = others > 0.0 ? (i - 1.0) / others : 1.0;
    CNI_TRY(cni_hop_model_hop(model, (cni_hop){.target = i - 1, .first = 1.0, .second = closer}));
    if (k > 2)
        CNI_TRY(cni_hop_model_hop(
            model, (cni_hop){.target = i, .deflects = 1, .second = i * (k - 2.0) / others}));
    if (i == n)
        return CN_OK;
    return cni_hop_model_hop(model, (cni_hop){.target = i + 1,
                                              .deflects = 1,
                                              .second = (n - i) * (k - 1.0) / others,
                                              .onward = 1.0 / (i + 1)});
}

cn_status cni_hops_generalized(uint32_t k, uint32_t n, cni_hop_model *model)
{
    double nodes = 1.0; /* C(n, i) (k-1)^i: nodes at distance i */
    CNI_TRY(cni_hop_model_begin(model, (size_t)n + 1, k == 2 ? 2 : 1));
    model->digits = k;
    cni_hop_model_state(model, 0, 0, nodes, 0);
    for (uint32_t i = 1; i <= n; i++) {
        nodes = nodes * (n - i + 1) / i * (k - 1.0);
        cni_hop_model_state(model, i, i, nodes, i);
        CNI_TRY(draw_hops(model, k, n, i));
    }
    return cni_hop_model_end(model);
}

/* (D5): g_n = 1, g_i = (1 + b_i g_{i+1}) / (1 - b_i), b_i = q (n-i)/(n-1), h_i = g_1 + ... +
 * g_i. */
static void solve_hops(uint32_t n, double q, double h[])
{
    h[0] = 0.0;
    h[n] = 1.0; /* h[i] holds g_i until the sum below */
    for (uint32_t i = n - 1; i >= 1; i--) {
        double b = q * (n - i) / (n - 1);
        h[i] = (1.0 + b * h[i + 1]) / (1.0 - b);
    }
    for (uint32_t i = 1; i <= n; i++)
        h[i] += h[i - 1];
}

cn_status cn_deflection_hops(uint32_t n, double q, double hop_counts[], size_t capacity,
                             size_t *count)
{
    CNI_REQUIRE_ARRAY(hop_counts, capacity);
    if (n < 1 || n > MAX_N)
        return cni_fail(CN_ERR_ARGUMENT, "%s: n = %lu, but it must be 1 to %d", __func__,
                        (unsigned long)n, MAX_N);
    if (n > 1 && !(q >= 0.0 && q < 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: q = %g, but it must be at least 0 and below 1",
                        __func__, q);
    if (count != NULL)
        *count = (size_t)n + 1;
    if (capacity <= n)
        return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but n + 1 = %lu are needed", __func__,
                        capacity, (unsigned long)n + 1);
    solve_hops(n, q, hop_counts);
    return CN_OK;
}

/* The hops of a message in the Boolean n-cube in closed form ((D5) of docs/theory/deflection.md;
 * Horng 1992, 3.3.4). */
#include "base/error.h"
#include "cubenet/experimental/intermediate.h"
#include "topology/topology.h"

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
    CNI_TRY(cni_check_range(__func__, "n", n, 1, CNI_MAX_DIMENSIONS));
    if (n > 1 && !(q >= 0.0 && q < 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: q = %g, but it must be at least 0 and below 1",
                        __func__, q);
    CNI_REQUIRE_FIT((size_t)n + 1, capacity, count, "n + 1 = %lu are needed", (unsigned long)n + 1);
    solve_hops(n, q, hop_counts);
    return CN_OK;
}

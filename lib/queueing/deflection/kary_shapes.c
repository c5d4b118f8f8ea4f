/* The k-ary n-cubes of one size, compared at constant bisection width (Horng 1992, 4.4.2). */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cubenet/experimental/shape.h"
#include "scenario/result.h"
#include "scenario/scenario.h"
#include "topology/topology.h"

enum { MOST_SHAPES = 62 }; /* one shape for each n */
static const uint64_t MOST_NODES = UINT64_C(1) << 62;

/* Returns k with k^n = nodes, or 0. */
static uint64_t root_of(uint64_t nodes, uint32_t n)
{
    uint64_t guess = (uint64_t)llround(pow((double)nodes, 1.0 / n));
    for (uint64_t k = guess > 2 ? guess - 1 : 2; k <= guess + 1; k++) {
        uint64_t power = 1;
        for (uint32_t i = 0; i < n && power != 0; i++)
            power = power <= nodes / k ? power * k : 0;
        if (power == nodes)
            return k;
    }
    return 0;
}

cn_status cn_kary_shapes(uint64_t nodes, uint64_t radix[], uint32_t dimensions[], size_t capacity,
                         size_t *count)
{
    size_t found = 0;
    if (nodes < 2 || nodes > MOST_NODES)
        return cni_fail(CN_ERR_ARGUMENT, "%s: nodes = %llu, but it must be 2 to 2^62", __func__,
                        (unsigned long long)nodes);
    CNI_REQUIRE_ARRAY(radix, capacity);
    CNI_REQUIRE_ARRAY(dimensions, capacity);
    uint64_t k_of[MOST_SHAPES];
    uint32_t n_of[MOST_SHAPES];
    for (uint32_t n = 1; n <= MOST_SHAPES && nodes >> n > 0; n++) {
        k_of[found] = n == 1 ? nodes : root_of(nodes, n);
        n_of[found] = n;
        found += k_of[found] > 0;
    }
    CNI_REQUIRE_FIT(found, capacity, count, "there are %zu shapes", found);
    memcpy(radix, k_of, found * sizeof *radix);
    memcpy(dimensions, n_of, found * sizeof *dimensions);
    return CN_OK;
}

/* Bidirectional rings have twice the channels between the halves. Rings of 2 nodes have one
 * channel each way in either case. */
static cn_status find_cycle_time(const char *function, uint64_t radix, int bidirectional,
                                 double processing_ratio, double *cycle_time)
{
    if (radix < 2)
        return cni_fail(CN_ERR_ARGUMENT, "%s: radix = %llu, but it must be at least 2", function,
                        (unsigned long long)radix);
    if (!(processing_ratio >= 0.0 && processing_ratio < INFINITY))
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: processing_ratio = %g, but it must be a number of at least 0",
                        function, processing_ratio);
    double channels = bidirectional && radix > 2 ? 4.0 : 2.0;
    *cycle_time = (processing_ratio + channels / (double)radix) / (processing_ratio + 1.0);
    return CN_OK;
}

cn_status cn_bisection_cycle_time(uint64_t radix, int bidirectional, double processing_ratio,
                                  double *cycle_time)
{
    CNI_REQUIRE(cycle_time);
    return find_cycle_time(__func__, radix, bidirectional, processing_ratio, cycle_time);
}

/* Predicts throughput and delay per cycle with the default number of buffers, 2 a channel. */
static cn_status predict_deflection(cn_scenario *scenario, const cn_traffic *traffic, double load,
                                    cn_model_variant variant, const cn_control *control,
                                    double *throughput, double *delay)
{
    cn_result *result = NULL;
    CNI_TRY(cn_scenario_set_traffic(scenario, traffic));
    CNI_TRY(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    CNI_TRY(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
    CNI_TRY(cn_predict(scenario, control, &result));
    *throughput = result->value[CN_METRIC_THROUGHPUT];
    *delay = result->value[CN_METRIC_MEAN_DELAY];
    cn_result_free(&result);
    return CN_OK;
}

cn_status cn_predict_shape(const cn_topology *topology, const cn_traffic *traffic,
                           double processing_ratio, double load, cn_model_variant model_variant,
                           const cn_control *control, double *throughput, double *delay)
{
    CNI_REQUIRE_OR_NULL(control);
    CNI_REQUIRE_OR_NULL(traffic);
    CNI_REQUIRE(topology);
    CNI_REQUIRE_BOTH(throughput, delay);
    CNI_TRY(cni_param_check(__func__, CN_PARAM_LOAD, load));
    if (!cni_is_kary_ncube(topology))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: %s is no k-ary n-cube", __func__, topology->name);
    double cycle_time = 1.0, rate = 0.0, time = 0.0;
    cn_scenario *scenario = NULL;
    CNI_TRY(find_cycle_time(__func__, topology->radix[0], topology->bidirectional, processing_ratio,
                            &cycle_time));
    CNI_TRY(cni_fail_as(__func__, cn_scenario_new(topology, "deflection", &scenario)));
    cn_status status = predict_deflection(scenario, traffic, load * cycle_time, model_variant,
                                          control, &rate, &time);
    cn_scenario_free(&scenario);
    CNI_TRY(cni_fail_as(__func__, status));
    *throughput = rate / cycle_time;
    *delay = time * cycle_time;
    return CN_OK;
}

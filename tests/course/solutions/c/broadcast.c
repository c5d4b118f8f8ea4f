/*
 * Assignment 6: the traffic of broadcasts (6-broadcast.md).
 *
 * A node of the n-cube creates load messages a cycle; a share beta of them are broadcasts over a
 * binomial tree.
 */
#include "course.h"

#include <math.h>

/* Fills nodes[i], i = 0 .. n - 1: how many of the 2^n - 1 nodes other than the source send i copies
 * on. */
void replications(unsigned n, uint64_t nodes[])
{
    for (unsigned i = 0; i < n; i++)
        nodes[i] = UINT64_C(1) << (n - 1 - i);
}

/* lambda_cr by equations 3, 10 and 11 as they were published. */
double published_replica_rate(unsigned n, double beta, double load)
{
    double others = ldexp(1, (int)n) - 1, mean = 0;
    for (unsigned i = 0; i < n; i++)
        mean += i * ldexp(1, (int)(n - 1 - i)) / others;
    return mean / n * (ldexp(1, (int)n - 1) - 1) * beta * load;
}

/* lambda_cr as it is: copies per cycle over one channel that do not come from the source of their
 * broadcast. */
double replica_rate(unsigned n, double beta, double load)
{
    return beta * load * (ldexp(1, (int)n) - 1 - n) / n;
}

static cn_status open_worms(unsigned n, double beta, double load, cn_scenario **scenario)
{
    cn_topology *cube;
    cn_status status = cn_topology_hypercube(n, &cube);
    if (status != CN_OK)
        return status;
    status = cn_scenario_new(cube, "wormhole", scenario);
    cn_topology_free(&cube);
    if (status == CN_OK &&
        ((status = cn_scenario_set_seed(*scenario, 1)) ||
         (status = cn_scenario_set(*scenario, CN_PARAM_LOAD, load)) ||
         (status = cn_scenario_set(*scenario, CN_PARAM_BROADCAST_FRACTION, beta)) ||
         (status = cn_scenario_set(*scenario, CN_PARAM_VIRTUAL_CHANNELS, 2)) ||
         (status = cn_scenario_set(*scenario, CN_PARAM_MESSAGE_FLITS, 32)) ||
         (status = cn_scenario_set(*scenario, CN_PARAM_MEASURE_CYCLES, 100000)) ||
         (status = cn_scenario_set(*scenario, CN_PARAM_RELATIVE_PRECISION, 0))))
        cn_scenario_free(scenario);
    return status;
}

/* lambda_cr / lambda_cb in the simulator: the system of latency_errors(), metrics
 * channel_rate_replica and channel_rate_broadcast. NAN when cubenet refuses. */
double measured_ratio(unsigned n, double beta, double load)
{
    cn_scenario *scenario;
    cn_result *result;
    double replica, broadcast;
    if (open_worms(n, beta, load, &scenario) || cn_simulate(scenario, NULL, &result) ||
        cn_result_value(result, CN_METRIC_CHANNEL_RATE_REPLICA, &replica) ||
        cn_result_value(result, CN_METRIC_CHANNEL_RATE_BROADCAST, &broadcast))
        return NAN;
    cn_result_free(&result), cn_scenario_free(&scenario);
    return replica / broadcast;
}

/* Fills errors with those of mean_delay_broadcast, (model / simulation - 1) * 100: published,
 * corrected.
 *
 * System "wormhole" on the n-cube: virtual_channels 2, message_flits 32, broadcast_fraction beta;
 * simulated with seed 1, measure_cycles 100000, relative_precision 0. The models CN_MODEL_PUBLISHED
 * and CN_MODEL_CORRECTED need startup_latency 1, for the cycle that they leave out; the simulation
 * has 0. NAN when cubenet refuses. */
void latency_errors(unsigned n, double beta, double load, double errors[2])
{
    static const double variants[] = {CN_MODEL_PUBLISHED, CN_MODEL_CORRECTED};
    cn_scenario *scenario;
    cn_result *result;
    double simulated, predicted;
    errors[0] = errors[1] = NAN;
    if (open_worms(n, beta, load, &scenario) || cn_simulate(scenario, NULL, &result) ||
        cn_result_value(result, CN_METRIC_MEAN_DELAY_BROADCAST, &simulated) ||
        cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, 1))
        return;
    cn_result_free(&result);
    for (int i = 0; i < 2; i++) {
        if (cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variants[i]) ||
            cn_predict(scenario, NULL, &result) ||
            cn_result_value(result, CN_METRIC_MEAN_DELAY_BROADCAST, &predicted))
            return;
        cn_result_free(&result);
        errors[i] = (predicted / simulated - 1) * 100;
    }
    cn_scenario_free(&scenario);
}

/*
 * Assignment 4: the Markov chains of deflection routing (4-chain.md).
 *
 * A node has n channels, at most 16, and M buffers, at most 64; all functions but the last one are
 * computed without cubenet.
 */
#include "course.h"

#include <math.h>
#include <string.h>

enum { CHANNELS = 16, BUFFERS = 64 };

/* Fills f with f_{i,j} for i = messages, j = 0 .. n: the probability that they win j channels. */
void phase_one(unsigned n, unsigned messages, double f[])
{
    for (unsigned j = 0; j <= n; j++)
        f[j] = j == 0;
    for (unsigned i = 0; i < messages; i++) {
        for (unsigned j = n; j > 0; j--)
            f[j] = f[j - 1] * (1 - (j - 1.0) / n) + f[j] * j / n;
        f[0] = 0;
    }
}

/* Fills f with f'_{i,j} for i = messages, j = 0 .. n: the probability that j of them leave the
 * node. */
void both_phases(unsigned n, unsigned buffers, unsigned messages, double f[])
{
    phase_one(n, messages, f);
    unsigned may_stay = buffers - n, least = messages > may_stay ? messages - may_stay : 0;
    for (unsigned j = 0; j < least; j++) {
        f[least] += f[j];
        f[j] = 0;
    }
}

static void fill_matrix(unsigned n, unsigned buffers, double load, double transit,
                        double matrix[BUFFERS + 1][BUFFERS + 1])
{
    double a = load / (1 + load), came[CHANNELS + 1] = {1}, sent[CHANNELS + 1];
    for (unsigned channel = 0; channel < n; channel++)
        for (unsigned t = n; t + 1 > 0; t--)
            came[t] = came[t] * (1 - transit) + (t > 0 ? came[t - 1] * transit : 0);
    memset(matrix, 0, (BUFFERS + 1) * sizeof matrix[0]);
    for (unsigned i = 0; i <= buffers; i++) {
        both_phases(n, buffers, i, sent);
        for (unsigned j = 0; j <= n && j <= i; j++)
            for (unsigned t = 0; t <= n; t++) {
                double here = sent[j] * came[t];
                for (unsigned m = i - j + t; m <= buffers && here > 0; m++) {
                    matrix[i][m] += here * (m < buffers ? 1 - a : 1);
                    here *= a;
                }
            }
    }
}

/* Fills pi with the stationary distribution of the number of messages at the start of a cycle, for
 * 0 .. buffers; transit is P_t. */
void stationary(unsigned n, unsigned buffers, double load, double transit, double pi[])
{
    static double matrix[BUFFERS + 1][BUFFERS + 1];
    double next[BUFFERS + 1], change = 1;
    fill_matrix(n, buffers, load, transit, matrix);
    for (unsigned m = 0; m <= buffers; m++)
        pi[m] = m == 0;
    for (int step = 0; step < 10000 && change > 1e-14; step++) {
        change = 0;
        for (unsigned m = 0; m <= buffers; m++) {
            next[m] = 0;
            for (unsigned i = 0; i <= buffers; i++)
                next[m] += pi[i] * matrix[i][m];
            change = fmax(change, fabs(next[m] - pi[m]));
        }
        memcpy(pi, next, (buffers + 1) * sizeof pi[0]);
    }
}

/* Fills the chain of a header in the n-cube, n + 1 rows of n + 1 elements: element i (n + 1) + j is
 * the probability that a hop of a message with i one-bits leaves it with j of them. A share q of
 * all hops are of phase 2. Row 0 stays in
 * 0. */
void headers(unsigned n, double q, double matrix[])
{
    for (unsigned e = 0; e < (n + 1) * (n + 1); e++)
        matrix[e] = e == 0;
    for (unsigned i = 1; i <= n; i++) {
        double forward = (i - 1.0) / (n - 1);
        matrix[i * (n + 1) + i - 1] = 1 - q + q * forward;
        if (i < n)
            matrix[i * (n + 1) + i + 1] = q * (1 - forward);
    }
}

/* The error of the published model of the mean delay on the n-cube, (model / simulation - 1) * 100.
 * System "deflection", CN_MODEL_PUBLISHED; measure_cycles 20000, relative_precision 0, seed 1. NAN
 * when cubenet refuses. */
double model_error(unsigned n, unsigned buffers, double load)
{
    cn_topology *cube;
    cn_scenario *scenario;
    cn_result *model, *simulation;
    double predicted, simulated;
    if (cn_topology_hypercube(n, &cube) || cn_scenario_new(cube, "deflection", &scenario) ||
        cn_scenario_set_seed(scenario, 1) || cn_scenario_set(scenario, CN_PARAM_LOAD, load) ||
        cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers) ||
        cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED) ||
        cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20000) ||
        cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0) ||
        cn_predict(scenario, NULL, &model) || cn_simulate(scenario, NULL, &simulation) ||
        cn_result_value(model, CN_METRIC_MEAN_DELAY, &predicted) ||
        cn_result_value(simulation, CN_METRIC_MEAN_DELAY, &simulated))
        return NAN;
    cn_result_free(&model), cn_result_free(&simulation);
    cn_scenario_free(&scenario), cn_topology_free(&cube);
    return (predicted / simulated - 1) * 100;
}

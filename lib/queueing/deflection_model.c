/*
 * Deflection routing with finite buffers in the Boolean n-cube: the model of Horng 1992, 3.3 (the same
 * in Horng & Kleinrock 1991, 3).
 *
 * A node is a Markov chain on its number of messages, P = D R A (eq. 3.10): D sends f'_{i,j}, R
 * receives binomially from n channels with probability P_t each, A admits a geometric number. P_t
 * closes the loop: what the network lets in must come out, load (1 - pi_M) = n rho / h (eq. 3.22).
 *
 * The geometric arrivals have no memory, so they can be admitted one at a time: with probability a
 * one more, else the cycle begins. On the states "m messages, and one more may come" the chain moves
 * up by one with probability a and else by a row of D R, which reaches no farther than n either way.
 * That chain is banded; eliminating its states from the top down without a subtraction (Grassmann,
 * Taksar & Heyman 1985) gives pi to full relative accuracy in O(M n^2) time and O(M n) memory, and
 * pi_m = (1 - a) u_m for m < M, pi_M = u_M (eq. 3.17, 3.18).
 *
 * Check: n = 6, M = 12, load 1.5: P_A 0.91622, throughput 1.37433, T 5.30814, h 3.12065, rho 0.71480.
 */
#include "queueing/deflection_model.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "queueing/assignment.h"
#include "scenario/scenario.h"
#include "topology/topology.h"

enum { MAX_N = CNI_MAX_DIMENSIONS };

typedef struct model {
    uint32_t n;
    size_t states; /* M + 1 */
    double load;
    double ratio;             /* a = load / (1 + load) */
    double rest;              /* 1 - a, without the cancellation */
    double d_hops[MAX_N + 1]; /* d_i */
    double *both;             /* f'_{i,j} by i and j */
    double *first_sent;       /* mean of f_{i,.} by i */
    double *both_sent;        /* mean of f'_{i,.} by i */
    double *band;             /* the chain: row m, columns m-n .. m+n */
    double *pi;

    /* what follows from pi */
    double rho, rho_1, h, accepted;
} model;

static size_t width(const model *m)
{
    return 2 * (size_t)m->n + 1;
}

/* ---- what does not depend on P_t ---- */

static void fill_tables(model *m)
{
    uint32_t n = m->n;
    double row[MAX_N + 1] = {1.0};
    for (size_t i = 0; i < m->states; i++) {
        double *both = m->both + i * (n + 1);
        if (i > 0)
            cni_assignment_next(n, row);
        memcpy(both, row, (n + 1) * sizeof row[0]);
        cni_assignment_force(n, m->states - 1, i, both);
        for (uint32_t j = 1; j <= n; j++) {
            m->first_sent[i] += row[j] * j;
            m->both_sent[i] += both[j] * j;
        }
    }
    /* d_i = C(n,i) / (2^n - 1) */
    double ways = 1.0, others = ldexp(1.0, (int)n) - 1.0;
    for (uint32_t i = 1; i <= n; i++) {
        ways = ways * (n - i + 1) / i;
        m->d_hops[i] = ways / others;
    }
}

static void close_model(model *m)
{
    cni_release(m->both);
    cni_release(m->first_sent);
    cni_release(m->both_sent);
    cni_release(m->band);
    cni_release(m->pi);
}

static cn_status open_model(const cn_scenario *scenario, model *m)
{
    memset(m, 0, sizeof *m);
    m->n = scenario->topology->dimensions;
    m->states = (size_t)scenario->value[CN_PARAM_BUFFERS] + 1;
    m->load = scenario->value[CN_PARAM_LOAD];
    m->ratio = m->load / (1.0 + m->load);
    m->rest = 1.0 / (1.0 + m->load);
    m->both = cni_allocate(m->states * (m->n + 1), sizeof(double));
    m->first_sent = cni_allocate(m->states, sizeof(double));
    m->both_sent = cni_allocate(m->states, sizeof(double));
    m->band = cni_allocate(m->states * width(m), sizeof(double));
    m->pi = cni_allocate(m->states, sizeof(double));
    if (!m->both || !m->first_sent || !m->both_sent || !m->band || !m->pi) {
        close_model(m);
        return CN_ERR_MEMORY;
    }
    fill_tables(m);
    return CN_OK;
}

/* ---- the chain for a given P_t ---- */

/* t_i: i of the n channels bring a transit message. By recursion over the channels: no powers that
 * underflow. */
static void binomial(uint32_t n, double p, double t[])
{
    for (uint32_t i = 0; i <= n; i++)
        t[i] = i == 0;
    for (uint32_t channel = 0; channel < n; channel++)
        for (uint32_t i = channel + 2; i-- > 0;)
            t[i] = t[i] * (1.0 - p) + (i > 0 ? t[i - 1] * p : 0.0);
}

/* Row m: one more arrival with probability a, else a cycle. In the top state nothing more comes in. */
static void fill_band(model *m, double transit)
{
    uint32_t n = m->n;
    double t[MAX_N + 1];
    binomial(n, transit, t);
    memset(m->band, 0, m->states * width(m) * sizeof(double));
    for (size_t i = 0; i < m->states; i++) {
        double *row = m->band + i * width(m) + n; /* row[k]: k messages more */
        const double *both = m->both + i * (n + 1);
        double cycle = i + 1 < m->states ? m->rest : 1.0;
        for (uint32_t j = 0; j <= n && j <= i; j++)
            for (uint32_t k = 0; k <= n; k++)
                row[(ptrdiff_t)k - (ptrdiff_t)j] += cycle * both[j] * t[k];
        if (i + 1 < m->states)
            row[1] += m->ratio;
    }
}

/* Takes the states out from the top down and spreads the ways through each over the states below.
 * Leaves in row i, above the diagonal, the visits to each higher state per visit to i. */
static void eliminate(model *m)
{
    size_t n = m->n, step = width(m);
    for (size_t top = m->states - 1; top > 0; top--) {
        size_t lowest = top > n ? top - n : 0;
        double *down = m->band + top * step + n; /* down[j - top] */
        double leave = 0.0;
        for (size_t j = lowest; j < top; j++)
            leave += down[(ptrdiff_t)j - (ptrdiff_t)top];
        for (size_t i = lowest; i < top; i++) {
            double *row = m->band + i * step + n; /* row[j - i] */
            double into = row[top - i] / leave;
            row[top - i] = into;
            if (into > 0.0)
                for (size_t j = lowest; j < top; j++)
                    row[(ptrdiff_t)j - (ptrdiff_t)i] += into * down[(ptrdiff_t)j - (ptrdiff_t)top];
        }
    }
}

/* pi from the bottom up. */
static void build_up(model *m)
{
    size_t n = m->n, step = width(m);
    double sum = m->rest;
    m->pi[0] = 1.0;
    for (size_t top = 1; top < m->states; top++) {
        size_t lowest = top > n ? top - n : 0;
        double visits = 0.0;
        for (size_t i = lowest; i < top; i++)
            visits += m->pi[i] * m->band[i * step + n + (top - i)];
        m->pi[top] = visits;
        if (visits > 1e200) { /* far above capacity the top states outweigh the rest by any power */
            for (size_t i = 0; i <= top; i++)
                m->pi[i] *= 1e-200;
            sum *= 1e-200;
            visits *= 1e-200;
        }
        sum += top + 1 < m->states ? visits * m->rest : visits;
    }
    for (size_t i = 0; i < m->states; i++)
        m->pi[i] *= (i + 1 < m->states ? m->rest : 1.0) / sum;
}

/* ---- what follows from pi ---- */

/* g_n = 1, g_i = (1 + b_i g_{i+1}) / (1 - b_i), b_i = q (n-i)/(n-1), h_i = g_1 + ... + g_i */
static void hops(uint32_t n, double q, double h[])
{
    h[0] = 0.0;
    h[n] = 1.0; /* holds g until the sum below */
    for (uint32_t i = n - 1; i >= 1; i--) {
        double b = q * (n - i) / (n - 1);
        h[i] = (1.0 + b * h[i + 1]) / (1.0 - b);
    }
    for (uint32_t i = 1; i <= n; i++)
        h[i] += h[i - 1];
}

/* rho, rho_1 (eq. 3.11, 3.12), h (eq. 3.14) and P_A = 1 - pi_M (eq. 3.16), summed from below: at a
 * great load pi_M is so near to 1 that the difference would lose its digits. */
static void follow(model *m)
{
    double h[MAX_N + 1];
    m->rho = m->rho_1 = m->h = m->accepted = 0.0;
    for (size_t i = 0; i + 1 < m->states; i++)
        m->accepted += m->pi[i];
    m->accepted = fmin(m->accepted, 1.0);
    for (size_t i = 1; i < m->states; i++) {
        m->rho += m->pi[i] * m->both_sent[i] / m->n;
        m->rho_1 += m->pi[i] * m->first_sent[i] / m->n;
    }
    double q = m->rho > 0.0 ? fmax(0.0, 1.0 - m->rho_1 / m->rho) : 0.0;
    hops(m->n, q, h);
    for (uint32_t i = 1; i <= m->n; i++)
        m->h += m->d_hops[i] * h[i];
}

/* What comes in less what goes out, per channel (eq. 3.22): falls as P_t rises. The chain balances a
 * node by itself, load P_A + n P_t = n rho; put into 3.22 that leaves P_t = rho (1 - 1/h), which
 * keeps its digits for any load and any M. */
static double surplus(model *m, double transit)
{
    fill_band(m, transit);
    eliminate(m);
    build_up(m);
    follow(m);
    return m->rho * (1.0 - 1.0 / m->h) - transit;
}

/* The root of the surplus in (0, 1): regula falsi with the Illinois rule, every third step a
 * bisection, so that it ends also where the surplus is lost in rounding. Leaves the model solved
 * there. At P_t = 1 no node ever empties and there is no steady state, so that end is taken as
 * negative without a look. */
static cn_status balance(model *m)
{
    double low = 0.0, high = 1.0;
    double above = surplus(m, low), below = -above;
    if (m->n == 1)
        return CN_OK; /* every message arrives with its first hop: P_t = 0 */
    for (int i = 0; i < 400 && above > 0.0; i++) {
        double part = i % 3 == 2 ? 0.5 : above / (above - below);
        double guess = low + (high - low) * part;
        double value = surplus(m, guess);
        if (fabs(value) <= 1e-14 * guess || high - low <= 1e-15 * high)
            return CN_OK;
        if (value > 0.0) {
            low = guess;
            above = value;
            below *= 0.5;
        } else {
            high = guess;
            below = value;
            above *= 0.5;
        }
    }
    return cni_fail(CN_ERR_CONVERGENCE,
                    "cn_predict: no transit probability balances input and output at load = %g",
                    m->load);
}

static void put_metrics(const model *m, double nodes, cn_result *result)
{
    double distance = 0.0, queue = 0.0;
    for (uint32_t i = 1; i <= m->n; i++)
        distance += i * m->d_hops[i];
    for (size_t i = 1; i < m->states; i++)
        queue += (double)i * m->pi[i];
    double throughput = m->load * m->accepted;
    /* nothing is ever in another's way as the load goes to 0 */
    double delay = m->load > 0.0 ? queue / throughput : distance;
    double power = nodes * throughput / delay;
    cni_result_put(result, CN_METRIC_MEAN_DELAY, delay, 0);
    cni_result_put(result, CN_METRIC_THROUGHPUT, throughput, 0);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, nodes * throughput, 0);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD, m->load, 0);
    cni_result_put(result, CN_METRIC_ACCEPTANCE_PROBABILITY, m->accepted, 0);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH, queue, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, m->rho, 0);
    cni_result_put(result, CN_METRIC_FIRST_PHASE_UTILIZATION, m->rho_1, 0);
    cni_result_put(result, CN_METRIC_SECOND_PHASE_UTILIZATION, fmax(0.0, m->rho - m->rho_1), 0);
    cni_result_put(result, CN_METRIC_FORWARDING_PROBABILITY, m->rho * (1.0 + distance / m->h) / 2.0,
                   0);
    cni_result_put(result, CN_METRIC_DEFLECTION_PROBABILITY, m->rho * (1.0 - distance / m->h) / 2.0,
                   0);
    cni_result_put(result, CN_METRIC_NET_PROGRESS, m->rho * distance / m->h, 0);
    cni_result_put(result, CN_METRIC_TRANSIT_PROBABILITY, m->rho * (1.0 - 1.0 / m->h), 0);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, distance, 0);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, m->h, 0);
    cni_result_put(result, CN_METRIC_POWER, power, 0);
    cni_result_put(result, CN_METRIC_POWER_ACCEPTED, power * m->accepted, 0);
    result->saturated = m->load * m->h > m->n;
}

cn_status cni_predict_deflection(const cn_scenario *scenario, cn_result *result)
{
    model m;
    CNI_TRY(open_model(scenario, &m));
    cn_status status = CN_OK;
    if (m.load > 0.0) {
        status = balance(&m);
    } else {
        m.pi[0] = 1.0;
        follow(&m);
    }
    if (status == CN_OK)
        put_metrics(&m, (double)scenario->topology->nodes, result);
    close_model(&m);
    return status;
}

cn_status cn_deflection_hops(uint32_t n, double q, double hop_counts[], size_t capacity)
{
    CNI_REQUIRE(hop_counts);
    if (n < 1 || n > MAX_N)
        return cni_fail(CN_ERR_ARGUMENT, "%s: n = %lu, but it must be 1 to %d", __func__,
                        (unsigned long)n, MAX_N);
    if (n > 1 && !(q >= 0.0 && q < 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: q = %g, but it must be at least 0 and below 1",
                        __func__, q);
    if (capacity <= n)
        return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but n + 1 = %lu are needed", __func__,
                        capacity, (unsigned long)n + 1);
    hops(n, q, hop_counts);
    return CN_OK;
}

/*
 * Distributions of the Boolean n-cube with unlimited buffers ("Queue lengths" in
 * docs/theory/store-and-forward.md). Both distributions that the dissertation prints belong to sums
 * of a binomial number, of transit messages, and a geometric number. With P = lambda (d - 1) / n:
 *
 * - The messages b_j that a channel is given in a cycle: B(z) = A(1 - 1/n + z/n) (eq. 2.16, 2.17),
 *   binomial of n and P/n plus geometric of mean lambda/n.
 * - The messages x_i in a node of the optimistic bound: X(z) = (1 - z_n) (P z + 1 - P)^n / (z -
 *   z_n) (eq. 2.74), binomial of n and P plus geometric of ratio 1/z_n.
 *
 * The queue of a channel that sends one message a cycle (eq. 2.20) follows from b_j: as many cycles
 * lead from at most j messages to more as back (S5),
 *
 *     q_{j+1} b_0 = q_0 P[v > j] + sum_{i=1}^{j} q_i P[v > j - i + 1],  q_0 = 1 - rho.
 *
 * Nothing is subtracted. P[v > k] is geometric for k of n and more, so the sum needs its last n
 * terms only.
 */
#include "cubenet/experimental/intermediate.h"

#include "base/error.h"
#include "queueing/store_forward/unlimited_model.h"
#include "topology/topology.h"

typedef struct mixture {
    double binomial[CNI_MAX_DIMENSIONS + 1];
    uint32_t n;
    double ratio, rest; /* the geometric part is (1 - ratio) ratio^i; rest is 1 - ratio */
} mixture;

/* Mixes a binomial number of n and p with a geometric number of this mean. */
static mixture mix_lengths(double n, double p, double mean)
{
    mixture m = {{1.0}, (uint32_t)n, mean / (1.0 + mean), 1.0 / (1.0 + mean)};
    for (uint32_t trial = 1; trial <= m.n; trial++) {
        for (uint32_t i = trial; i > 0; i--)
            m.binomial[i] = m.binomial[i] * (1.0 - p) + m.binomial[i - 1] * p;
        m.binomial[0] *= 1.0 - p;
    }
    return m;
}

static void put_mixture(const mixture *m, double probabilities[], size_t count)
{
    double last = 0.0;
    for (size_t i = 0; i < count; i++) {
        last = last * m->ratio + (i <= m->n ? m->binomial[i] * m->rest : 0.0);
        probabilities[i] = last;
    }
}

/* more[k] = P[v > k] for k = 0 .. n. Beyond n each value is its predecessor times the ratio. */
static void put_tails(const mixture *m, double more[])
{
    double above = 0.0, geometric = 0.0;
    for (uint32_t k = m->n + 1; k-- > 0; above += m->binomial[k])
        more[k] = above;
    for (uint32_t k = 0; k <= m->n; k++) {
        geometric = (geometric + m->binomial[k]) * m->ratio;
        more[k] += geometric;
    }
}

/* (S5): the queue of a channel with these arrivals, which is empty with probability `idle`. */
static void put_queue(const mixture *m, double idle, double q[], size_t count)
{
    double more[CNI_MAX_DIMENSIONS + 1], none = m->binomial[0] * m->rest, far = 0.0, first = 1.0;
    put_tails(m, more);
    if (count > 0)
        q[0] = idle;
    for (size_t j = 1; j < count; j++) {
        /* `far` sums the terms with P[v > n] and beyond */
        first = j - 1 <= m->n ? more[j - 1] : first * m->ratio;
        far *= m->ratio;
        if (j > m->n)
            far += q[j - m->n] * more[m->n];
        double sum = idle * first + far;
        for (size_t k = 1; k < m->n && k < j; k++)
            sum += q[j - k] * more[k];
        q[j] = sum / none;
    }
}

static mixture arrivals_of(const cni_unlimited_model *m)
{
    return mix_lengths(m->n, m->load * (m->distance - 1.0) / (m->n * m->n), m->load / m->n);
}

cn_status cn_separate_buffers_arrivals(uint32_t n, double load, double probabilities[],
                                       size_t count)
{
    cni_unlimited_model m;
    CNI_REQUIRE(probabilities);
    CNI_TRY(cni_unlimited_model_of_cube(__func__, n, load, &m));
    mixture arrivals = arrivals_of(&m);
    put_mixture(&arrivals, probabilities, count);
    return CN_OK;
}

cn_status cn_separate_buffers_queue(uint32_t n, double load, double probabilities[], size_t count)
{
    cni_unlimited_model m;
    CNI_REQUIRE(probabilities);
    CNI_TRY(cni_unlimited_model_of_cube(__func__, n, load, &m));
    mixture arrivals = arrivals_of(&m);
    put_queue(&arrivals, m.idle, probabilities, count);
    return CN_OK;
}

cn_status cn_optimistic_bound_queue(uint32_t n, double load, double probabilities[], size_t count)
{
    cni_unlimited_model m;
    CNI_REQUIRE(probabilities);
    CNI_TRY(cni_unlimited_model_of_cube(__func__, n, load, &m));
    /* 1/z_n = lambda / (lambda + t) */
    mixture queue =
        mix_lengths(m.n, load * (m.distance - 1.0) / m.n, load / cni_optimistic_root(&m));
    put_mixture(&queue, probabilities, count);
    return CN_OK;
}

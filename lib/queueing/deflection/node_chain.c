/*
 * The Markov chain of a node with finite buffers ((D1) to (D4) of docs/theory/deflection.md; Horng
 * 1992, 3.3.2, 3.3.3), for a given P_t.
 *
 * P = D R A (eq. 3.10): D sends f'_{i,j} messages, R receives a binomial number from n channels
 * with probability P_t each, A admits a geometric number.
 *
 * Geometric numbers have no memory, so the chain admits new messages one at a time: one more with
 * probability a, else the cycle begins. On the states "m messages, and one more may come" the chain
 * goes up by one with probability a, and else by a row of D R, at most n either way. So its matrix
 * is a band. Elimination from the top state down needs no subtraction (Grassmann, Taksar & Heyman
 * 1985). It gives the visits u to these states, and so pi, to full relative accuracy in O(M n^2)
 * time and O(M n) memory: pi_m = (1 - a) u_m for m < M, pi_M = u_M (eq. 3.17, 3.18).
 */
#include "queueing/deflection/node_chain.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cubenet/queueing.h"
#include "queueing/deflection/assignment.h"

static size_t band_width(const cni_node_chain *m)
{
    return 2 * (size_t)m->channels + 1;
}

void cni_node_chain_set_row(cni_node_chain *m, size_t messages, const double row[])
{
    uint32_t n = m->channels;
    size_t spare = m->states - 1 - n; /* M - n: the messages that may stay */
    double *both = m->both + messages * (n + 1), first_sent = 0.0, second_sent = 0.0;
    memcpy(m->first + messages * (n + 1), row, (n + 1) * sizeof row[0]);
    memcpy(both, row, (n + 1) * sizeof row[0]);
    cni_assignment_force(n, m->states - 1, messages, both);
    for (uint32_t j = 0; j <= n; j++) {
        first_sent += row[j] * j;
        if (messages > spare + j)
            second_sent += row[j] * (double)(messages - spare - j);
    }
    m->first_sent[messages] = first_sent;
    m->second_sent[messages] = second_sent;
}

/* Fills the rows of phase 1 as published, (D1): independent and uniform claims. */
static cn_status fill_tables(cni_node_chain *m)
{
    double row[CNI_CHANNELS + 1] = {1.0};
    uint64_t work = (uint64_t)m->channels * m->channels;
    for (size_t i = 0; i < m->states; i++) {
        CNI_TRY(cni_budget_go_on(m->budget, work));
        if (i > 0)
            cni_assignment_next(m->channels, row);
        cni_node_chain_set_row(m, i, row);
    }
    return CN_OK;
}

void cni_node_chain_close(cni_node_chain *m)
{
    cni_release(m->block);
    memset(m, 0, sizeof *m);
}

cn_status cni_node_chain_open(uint32_t channels, size_t buffers, double load, cni_budget *budget,
                              cni_node_chain *m)
{
    memset(m, 0, sizeof *m);
    m->budget = budget;
    m->channels = channels;
    m->states = buffers + 1;
    m->load = load;
    m->ratio = load / (1.0 + load);
    m->rest = 1.0 / (1.0 + load);
    uint64_t states = m->states;
    const cni_array arrays[] = {CNI_ARRAY(m->first, states * (channels + 1)),
                                CNI_ARRAY(m->both, states * (channels + 1)),
                                CNI_ARRAY(m->first_sent, states),
                                CNI_ARRAY(m->second_sent, states),
                                CNI_ARRAY(m->band, states * band_width(m)),
                                CNI_ARRAY(m->pi, states),
                                CNI_ARRAY(m->lean, states - channels)};
    CNI_TRY(cni_allocate_arrays(&m->block, arrays));
    cn_status status = fill_tables(m);
    if (status != CN_OK)
        cni_node_chain_close(m);
    return status;
}

/* The recursion over the channels has no powers that underflow. */
void cni_binomial(uint32_t n, double p, double t[])
{
    for (uint32_t i = 0; i <= n; i++)
        t[i] = i == 0;
    for (uint32_t channel = 0; channel < n; channel++)
        for (uint32_t i = channel + 2; i-- > 0;)
            t[i] = t[i] * (1.0 - p) + (i > 0 ? t[i - 1] * p : 0.0);
}

static void clear_rows(cni_node_chain *m, size_t first, size_t end)
{
    memset(m->band + first * band_width(m), 0, (end - first) * band_width(m) * sizeof(double));
}

/* Fills the rows of the band: one more message with probability a, else a cycle. In the top
 * state no more messages come in. */
static void fill_band(cni_node_chain *m, double transit)
{
    uint32_t n = m->channels;
    size_t spare = m->states - 1 - n;
    double t[CNI_CHANNELS + 1];
    uint64_t work = (uint64_t)n * n;
    clear_rows(m, 0, n);
    for (size_t kept = 0; kept <= spare && cni_budget_work(m->budget, work); kept++) {
        clear_rows(m, kept + n, kept + n + 1);
        if (kept == 0 || fabs(m->lean[kept] - m->lean[kept - 1]) > 0.0)
            cni_binomial(n, cni_transit(m, transit, kept), t);
        for (uint32_t j = 0; j <= n; j++) {
            size_t i = kept + j;
            double *row = m->band + i * band_width(m) + n; /* row[k]: k messages more */
            double sent = m->both[i * (n + 1) + j] * (i + 1 < m->states ? m->rest : 1.0);
            for (uint32_t k = 0; k <= n; k++)
                row[(ptrdiff_t)k - (ptrdiff_t)j] += sent * t[k];
        }
        m->band[kept * band_width(m) + n + 1] += m->ratio; /* this row is complete */
    }
    for (size_t i = spare + 1; i + 1 < m->states; i++)
        m->band[i * band_width(m) + n + 1] += m->ratio;
}

/* A top state with less than this probability of leaving downwards counts as never left. The
 * states below have no share that a digit shows, and visits from there would be beyond the range
 * of a double. */
static const double NEVER_LEFT = 1e-100;

/* Takes states out of the chain from the top down and spreads the ways through each over the
 * states below. Row i then has, above the diagonal, the visits to each higher state per visit to
 * i. Returns the lowest state. */
static size_t eliminate(cni_node_chain *m)
{
    size_t n = m->channels, step = band_width(m);
    for (size_t top = m->states - 1; top > 0 && cni_budget_work(m->budget, n * n); top--) {
        size_t lowest = top > n ? top - n : 0;
        double *down = m->band + top * step + n; /* down[j - top] */
        double leave = 0.0;
        for (size_t j = lowest; j < top; j++)
            leave += down[(ptrdiff_t)j - (ptrdiff_t)top];
        if (leave < NEVER_LEFT)
            return top;
        for (size_t i = lowest; i < top; i++) {
            double *row = m->band + i * step + n; /* row[j - i] */
            double into = row[top - i] / leave;
            row[top - i] = into;
            if (into > 0.0)
                for (size_t j = lowest; j < top; j++)
                    row[(ptrdiff_t)j - (ptrdiff_t)i] += into * down[(ptrdiff_t)j - (ptrdiff_t)top];
        }
    }
    return 0;
}

/* Finds pi from the lowest state up. */
static void build_up(cni_node_chain *m, size_t bottom)
{
    size_t n = m->channels, step = band_width(m);
    double sum = bottom + 1 < m->states ? m->rest : 1.0;
    memset(m->pi, 0, bottom * sizeof m->pi[0]);
    m->pi[bottom] = 1.0;
    for (size_t top = bottom + 1; top < m->states && cni_budget_work(m->budget, n); top++) {
        size_t lowest = top > n ? top - n : 0;
        double visits = 0.0;
        for (size_t i = lowest; i < top; i++)
            visits += m->pi[i] * m->band[i * step + n + (top - i)];
        m->pi[top] = visits;
        /* far above capacity the top states outweigh the others by any power */
        if (visits > 1e200) {
            cni_budget_work(m->budget, top);
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

/* Finds rho_1 and rho_2 (D4; eq. 3.11, 3.12) and P_A = 1 - pi_M (eq. 3.16). P_A is summed from
 * below: at a great load pi_M is so near to 1 that the difference would lose its digits. */
static void find_means(cni_node_chain *m)
{
    m->accepted = m->rho_1 = m->rho_2 = m->queue = 0.0;
    for (size_t i = 0; i + 1 < m->states; i++)
        m->accepted += m->pi[i];
    m->accepted = m->accepted < 1.0 ? m->accepted : 1.0;
    for (size_t i = 1; i < m->states; i++) {
        m->rho_1 += m->pi[i] * m->first_sent[i] / m->channels;
        m->rho_2 += m->pi[i] * m->second_sent[i] / m->channels;
        m->queue += m->pi[i] * (double)i;
    }
}

void cni_node_chain_solve(cni_node_chain *m, double transit)
{
    fill_band(m, transit);
    build_up(m, eliminate(m));
    find_means(m);
}

void cni_node_chain_empty(cni_node_chain *m)
{
    memset(m->pi, 0, m->states * sizeof m->pi[0]);
    m->pi[0] = 1.0;
    find_means(m);
}

/* ---- the chain for callers with models of their own ---- */

#define MOST_LOAD 1e6
enum { MOST_BUFFERS = 1 << 20 };

static cn_status check_given(const char *function, uint32_t channels, uint64_t buffers, double load,
                             double transit)
{
    CNI_TRY(cni_check_range(function, "channels", channels, 1, CNI_CHANNELS));
    if (buffers < channels || buffers > MOST_BUFFERS)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: buffers = %llu, but it must be %lu (one per channel) to %d", function,
                        (unsigned long long)buffers, (unsigned long)channels, MOST_BUFFERS);
    if (!(load >= 0.0 && load <= MOST_LOAD))
        return cni_fail(CN_ERR_ARGUMENT, "%s: load = %g, but it must be 0 to %g", function, load,
                        MOST_LOAD);
    if (!(transit >= 0.0 && transit < 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: transit = %g, but it must be at least 0 and below 1",
                        function, transit);
    return CN_OK;
}

cn_status cn_deflection_queue(uint32_t channels, uint64_t buffers, double load, double transit,
                              const cn_control *control, double probabilities[], size_t capacity,
                              size_t *count)
{
    cni_node_chain chain;
    CNI_REQUIRE_ARRAY(probabilities, capacity);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(check_given(__func__, channels, buffers, load, transit));
    CNI_REQUIRE_FIT(buffers + 1, capacity, count, "buffers + 1 = %llu are needed",
                    (unsigned long long)buffers + 1);
    CNI_TRY(cni_node_chain_open(channels, (size_t)buffers, load, &budget, &chain));
    cni_node_chain_solve(&chain, transit);
    cn_status status = cni_budget_go_on(&budget, 0);
    if (status == CN_OK)
        memcpy(probabilities, chain.pi, chain.states * sizeof chain.pi[0]);
    cni_node_chain_close(&chain);
    return status;
}

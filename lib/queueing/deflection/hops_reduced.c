/*
 * The reduced diagram of Horng 1992, 4.3.2 and figure 4.3. A state is (i, j) = (n_v, n_d), the
 * number of valid dimensions and the distance, i <= j <= i (k - 1).
 *
 * When phase 2 gives a message a valid channel, the paper's r_{i,j} is the probability that one hop
 * is left in the dimension of the channel. Its sum over compositions of j into i parts is the mean
 * number of parts that are 1, i C(j-2, i-2) / C(j-1, i-1), over i - 1. This is i / (j - 1).
 */
#include "base/error.h"
#include "base/memory.h"
#include "queueing/deflection/hop_model.h"

/* Returns the number of the state of i valid dimensions and distance j: each i below has
 * i (k - 2) + 1 states. */
static size_t number_of(uint32_t k, uint32_t i, uint64_t j)
{
    return i == 0 ? 0 : (size_t)(i - 1) * i / 2 * (k - 2) + (size_t)j;
}

double cni_states_reduced(double k, uint32_t n)
{
    return (k - 2.0) * n * (n + 1.0) / 2.0 + n + 1.0;
}

/* Returns the preferred dimensions of (i, j). The diagram has no place for this number. It is
 * taken as if phase 1 had made the digits equal within one. */
static uint64_t preferred_dimensions(uint32_t i, uint64_t j)
{
    return j % i == 0 ? i : j % i;
}

/* Adds the hops out of (i, j): cases I, II and III of the paper. In case III no dimension has
 * one hop left. */
static cn_status draw_hops(cni_hop_model *model, uint32_t k, uint32_t n, uint32_t i, uint64_t j)
{
    double valid = n > 1 ? (i - 1.0) / (n - 1.0) : 1.0, terminating = 0.0;
    if (j == i) /* I: every valid dimension has one hop left */
        terminating = 1.0;
    else if (j <= (uint64_t)(i - 1) * (k - 1) + 1)
        terminating = (double)i / (double)(j - 1);
    if (j > i)
        CNI_TRY(cni_hop_model_hop(
            model, (cni_hop){.target = number_of(k, i, j - 1),
                             .first = 1.0,
                             .second = valid * (1.0 - terminating),
                             .onward = preferred_dimensions(i, j) == 1 ? 1.0 / i : 0.0}));
    if (terminating > 0.0)
        CNI_TRY(cni_hop_model_hop(model, (cni_hop){.target = number_of(k, i - 1, j - 1),
                                                   .first = j > i ? 0.0 : 1.0,
                                                   .second = valid * terminating}));
    if (i == n)
        return CN_OK;
    return cni_hop_model_hop(model, (cni_hop){.target = number_of(k, i + 1, j + k - 1),
                                              .deflects = 1,
                                              .second = (double)(n - i) / (n - 1),
                                              .onward = 1.0});
}

/* ways[j]: the number of ways to write j as a sum of i digits 1 .. k-1, from the same of i - 1
 * digits. All are whole numbers below k^n. */
static void add_digit(uint32_t k, uint32_t i, const uint64_t before[], uint64_t ways[])
{
    uint64_t window = 0; /* before[j - k + 1] + ... + before[j - 1] */
    ways[0] = 0;
    for (uint64_t j = 1; j <= (uint64_t)i * (k - 1); j++) {
        window += before[j - 1];
        if (j >= k)
            window -= before[j - k];
        ways[j] = window;
    }
}

static cn_status draw_states(cni_hop_model *model, uint32_t k, uint32_t n, uint64_t *ways[2])
{
    double dimensions = 1.0; /* C(n, i) */
    ways[0][0] = 1;
    cni_hop_model_state(model, 0, 0, 1.0, 0);
    for (uint32_t i = 1; i <= n; i++) {
        const uint64_t *count = ways[i % 2];
        dimensions = dimensions * (n - i + 1) / i;
        add_digit(k, i, ways[(i + 1) % 2], ways[i % 2]);
        for (uint64_t j = i; j <= (uint64_t)i * (k - 1); j++) {
            cni_hop_model_state(model, number_of(k, i, j), j, dimensions * (double)count[j],
                                (uint32_t)preferred_dimensions(i, j));
            CNI_TRY(draw_hops(model, k, n, i, j));
        }
    }
    return cni_hop_model_end(model);
}

cn_status cni_hops_reduced(uint32_t k, uint32_t n, cni_hop_model *model)
{
    size_t states = (size_t)(cni_states_reduced(k, n) + 0.5), sums = (size_t)n * (k - 1) + 1;
    CNI_TRY(cni_hop_model_begin(model, states, k));
    uint64_t *ways[2] = {cni_allocate(sums, sizeof(uint64_t)),
                         cni_allocate(sums, sizeof(uint64_t))};
    cn_status status = ways[0] && ways[1] ? draw_states(model, k, n, ways) : CN_ERR_MEMORY;
    cni_release(ways[0]);
    cni_release(ways[1]);
    return status;
}

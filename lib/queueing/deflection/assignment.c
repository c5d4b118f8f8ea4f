/*
 * The number of messages that leave a node in a cycle ((D1) and (D2) of docs/theory/deflection.md;
 * Horng 1992, 3.3.3).
 *
 * Check values: n = 6, i = 2: f = 1/6, 5/6 for j = 1, 2; the mean of f_{i,.} is n (1 - (1 -
 * 1/n)^i).
 */
#include "queueing/deflection/assignment.h"

#include "base/error.h"

enum { MAX_CHANNELS = 4096, MAX_MESSAGES = 1 << 20 };

/* (D1), eq. 2.33 with j in its factors as in eq. 2.39: the i-th message finds its channel taken
 * with probability j/n. */
void cni_assignment_next(uint32_t channels, double row[])
{
    double n = channels;
    for (uint32_t j = channels; j > 0; j--)
        row[j] = row[j - 1] * (1.0 - (j - 1) / n) + row[j] * (j / n);
    row[0] = 0.0;
}

/* (D2), eq. 3.3. The sum begins at l = 0: with M = n and no message all probability is f_{0,0} =
 * 1, and a later beginning would lose it. */
void cni_assignment_force(uint32_t channels, uint64_t buffers, uint64_t messages, double row[])
{
    if (messages <= buffers - channels)
        return; /* all messages may stay */
    /* the least j that leaves n buffers free */
    uint32_t least = (uint32_t)(messages - (buffers - channels));
    for (uint32_t j = 0; j < least; j++) {
        row[least] += row[j];
        row[j] = 0.0;
    }
}

static cn_status check_arguments(const char *function, uint32_t channels, uint64_t messages)
{
    CNI_TRY(cni_check_range(function, "channels", channels, 1, MAX_CHANNELS));
    if (messages > MAX_MESSAGES)
        return cni_fail(CN_ERR_ARGUMENT, "%s: messages = %llu, but it must be at most %d", function,
                        (unsigned long long)messages, MAX_MESSAGES);
    return CN_OK;
}

static void fill_phase_one(uint32_t channels, uint64_t messages, double row[])
{
    for (uint32_t j = 0; j <= channels; j++)
        row[j] = j == 0;
    for (uint64_t i = 0; i < messages; i++)
        cni_assignment_next(channels, row);
}

cn_status cn_assignment_phase_one(uint32_t channels, uint64_t messages, double probabilities[],
                                  size_t capacity, size_t *count)
{
    CNI_REQUIRE_ARRAY(probabilities, capacity);
    CNI_TRY(check_arguments(__func__, channels, messages));
    CNI_REQUIRE_FIT((size_t)channels + 1, capacity, count, "channels + 1 = %lu are needed",
                    (unsigned long)channels + 1);
    fill_phase_one(channels, messages, probabilities);
    return CN_OK;
}

cn_status cn_assignment_both_phases(uint32_t channels, uint64_t buffers, uint64_t messages,
                                    double probabilities[], size_t capacity, size_t *count)
{
    CNI_REQUIRE_ARRAY(probabilities, capacity);
    CNI_TRY(check_arguments(__func__, channels, messages));
    if (buffers < channels || buffers > MAX_MESSAGES)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: buffers = %llu, but it must be %lu (one per channel) to %d", __func__,
                        (unsigned long long)buffers, (unsigned long)channels, MAX_MESSAGES);
    if (messages > buffers)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: messages = %llu, but it must be at most buffers = %llu", __func__,
                        (unsigned long long)messages, (unsigned long long)buffers);
    CNI_REQUIRE_FIT((size_t)channels + 1, capacity, count, "channels + 1 = %lu are needed",
                    (unsigned long)channels + 1);
    fill_phase_one(channels, messages, probabilities);
    cni_assignment_force(channels, buffers, messages, probabilities);
    return CN_OK;
}

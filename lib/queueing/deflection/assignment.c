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

static cn_status check_arguments(const char *function, uint32_t channels, uint64_t messages,
                                 const double probabilities[], size_t capacity)
{
    if (capacity > 0 && probabilities == NULL)
        return cni_fail_invalid(function, "probabilities", NULL, CNI_NO_OBJECT);

    if (channels < 1 || channels > MAX_CHANNELS)
        return cni_fail(CN_ERR_ARGUMENT, "%s: channels = %lu, but it must be 1 to %d", function,
                        (unsigned long)channels, MAX_CHANNELS);
    if (messages > MAX_MESSAGES)
        return cni_fail(CN_ERR_ARGUMENT, "%s: messages = %llu, but it must be at most %d", function,
                        (unsigned long long)messages, MAX_MESSAGES);
    return CN_OK;
}

static cn_status check_room(const char *function, uint32_t channels, size_t capacity, size_t *count)
{
    if (count != NULL)
        *count = (size_t)channels + 1;
    if (capacity > channels)
        return CN_OK;
    return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but channels + 1 = %lu are needed",
                    function, capacity, (unsigned long)channels + 1);
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
    CNI_TRY(check_arguments(__func__, channels, messages, probabilities, capacity));
    CNI_TRY(check_room(__func__, channels, capacity, count));
    fill_phase_one(channels, messages, probabilities);
    return CN_OK;
}

cn_status cn_assignment_both_phases(uint32_t channels, uint64_t buffers, uint64_t messages,
                                    double probabilities[], size_t capacity, size_t *count)
{
    CNI_TRY(check_arguments(__func__, channels, messages, probabilities, capacity));
    if (buffers < channels || buffers > MAX_MESSAGES)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: buffers = %llu, but it must be %lu (one per channel) to %d", __func__,
                        (unsigned long long)buffers, (unsigned long)channels, MAX_MESSAGES);
    if (messages > buffers)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: messages = %llu, but it must be at most buffers = %llu", __func__,
                        (unsigned long long)messages, (unsigned long long)buffers);
    CNI_TRY(check_room(__func__, channels, capacity, count));
    fill_phase_one(channels, messages, probabilities);
    cni_assignment_force(channels, buffers, messages, probabilities);
    return CN_OK;
}

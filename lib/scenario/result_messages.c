/* The times of each message of a workload, and the chain of messages that ended last. */
#include "scenario/result_messages.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/scenario.h"

cn_status cni_message_times_open(cni_message_times *times, size_t messages)
{
    times->ready = cni_allocate((uint64_t)messages * 3, sizeof *times->ready);
    CNI_TRY_MEMORY(times->ready);
    memset(times->ready, 0xff, messages * 3 * sizeof *times->ready); /* never */
    times->injected = times->ready + messages;
    times->delivered = times->injected + messages;
    times->messages = messages;
    return CN_OK;
}

cn_status cni_message_times_copy(const cni_message_times *times, cni_message_times *copy)
{
    CNI_TRY(cni_message_times_open(copy, times->messages));
    memcpy(copy->ready, times->ready, times->messages * 3 * sizeof *times->ready);
    return CN_OK;
}

void cni_message_times_close(cni_message_times *times)
{
    cni_release(times->ready);
    *times = (cni_message_times){0};
}

/* ---- the critical path ---- */

cni_last_event cni_find_last_event(const cn_workload *workload, const cni_message_times *times,
                                   uint32_t message)
{
    cni_last_event last = {0, CNI_NOTHING_BEFORE, 0};
    size_t end = cni_workload_waits_end(workload, message);
    for (size_t w = workload->message[message].waits; w < end; w++) {
        cni_workload_wait wait = workload->wait[w];
        uint32_t number = cni_waited_number(wait);
        uint64_t cycle =
            cni_waits_for_sent(wait) ? times->injected[number] : times->delivered[number];
        if (cycle == UINT64_MAX)
            last.missing++;
        else if (last.message == CNI_NOTHING_BEFORE || cycle > last.cycle)
            last = (cni_last_event){cycle, number, last.missing};
    }
    return last;
}

uint32_t cni_find_last_message(const cni_message_times *times)
{
    uint32_t last = 0;
    for (uint32_t m = 0; m < times->messages; m++)
        if (times->delivered[m] == UINT64_MAX)
            return CNI_NOTHING_BEFORE;
        else if (times->delivered[m] > times->delivered[last])
            last = m;
    return last;
}

/* Walks backward over the chain as far as there is room. Returns the number of messages on the
 * chain. */
static size_t walk_back(const cn_result *result, uint64_t numbers[], size_t room)
{
    const cni_message_times *times = &result->messages;
    uint32_t m = cni_find_last_message(times);
    size_t length = 0;
    for (; m != CNI_NOTHING_BEFORE; length++) {
        if (length < room)
            numbers[room - 1 - length] = m;
        m = cni_find_last_event(cni_workload_of(result->scenario), times, m).message;
    }
    return length;
}

/* ---- reading ---- */

static cn_status check_messages(const char *function, const cn_result *result)
{
    if (result->messages.messages > 0)
        return CN_OK;
    return cni_fail(CN_ERR_NOT_FOUND,
                    "%s: this result of %s holds no times of messages; that of a simulation with a "
                    "workload does",
                    function, result->system);
}

cn_status cn_result_messages(const cn_result *result, uint64_t ready[], uint64_t injected[],
                             uint64_t delivered[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(result);
    CNI_TRY(check_messages(__func__, result));
    const cni_message_times *times = &result->messages;
    uint64_t *const to[] = {ready, injected, delivered};
    CNI_REQUIRE_FIT(times->messages, capacity, count, "the workload has %zu messages",
                    times->messages);
    for (size_t i = 0; i < 3; i++)
        if (to[i] != NULL)
            memcpy(to[i], times->ready + i * times->messages, times->messages * sizeof *to[i]);
    return CN_OK;
}

cn_status cn_result_critical_path(const cn_result *result, uint64_t numbers[], size_t capacity,
                                  size_t *count)
{
    CNI_REQUIRE(result);
    CNI_REQUIRE_ARRAY(numbers, capacity);
    CNI_TRY(check_messages(__func__, result));
    size_t length = walk_back(result, NULL, 0);
    CNI_REQUIRE_FIT(length, capacity, count, "the critical path has %zu messages", length);
    walk_back(result, numbers, length);
    return CN_OK;
}

/* ---- in JSON ---- */

void cni_message_times_visit(cni_io *io, void *of)
{
    cn_result *result = of;
    cni_message_times *times = &result->messages;
    const cn_workload *workload =
        result->scenario == NULL ? NULL : cni_workload_of(result->scenario);
    if (cni_io_reads(io) && workload == NULL)
        cni_io_fail(io, NULL, "the scenario has no workload that has messages");
    if (cni_io_reads(io))
        io->status = cni_message_times_open(times, cn_workload_count(workload));
    cni_io_wholes(io, "ready", times->ready, times->messages, UINT64_MAX);
    cni_io_wholes(io, "injected", times->injected, times->messages, UINT64_MAX);
    cni_io_wholes(io, "delivered", times->delivered, times->messages, UINT64_MAX);
}

#include "scenario/result_messages.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/scenario.h"

static void give(uint64_t to[], const uint64_t from[], size_t count)
{
    if (to != NULL)
        memcpy(to, from, count * sizeof *to);
}

cn_status cni_message_times_new(size_t messages, size_t length, cni_message_times **times)
{
    cni_message_times *made = cni_allocate(1, sizeof *made);
    CNI_TRY_MEMORY(made);
    const cni_array arrays[] = {
        CNI_ARRAY(made->ready, messages),
        CNI_ARRAY(made->injected, messages),
        CNI_ARRAY(made->delivered, messages),
        CNI_ARRAY(made->path, length),
    };
    cn_status status = cni_allocate_arrays(&made->block, arrays);
    made->messages = messages;
    made->length = length;
    if (status != CN_OK)
        cni_message_times_free(&made);
    *times = made;
    return status;
}

void cni_message_times_free(cni_message_times **times)
{
    if (*times != NULL)
        cni_release((*times)->block);
    cni_release(*times);
    *times = NULL;
}

cn_status cni_message_times_copy(const cni_message_times *times, cni_message_times **copy)
{
    CNI_TRY(cni_message_times_new(times->messages, times->length, copy));
    give((*copy)->ready, times->ready, times->messages);
    give((*copy)->injected, times->injected, times->messages);
    give((*copy)->delivered, times->delivered, times->messages);
    if (times->path != NULL)
        memcpy((*copy)->path, times->path, times->length * sizeof *times->path);
    return CN_OK;
}

/* ---- reading ---- */

static cn_status check_messages(const char *function, const cn_result *result)
{
    if (result->messages != NULL)
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
    const cni_message_times *times = result->messages;
    CNI_REQUIRE_FIT(times->messages, capacity, count, "the workload has %zu messages",
                    times->messages);
    give(ready, times->ready, times->messages);
    give(injected, times->injected, times->messages);
    give(delivered, times->delivered, times->messages);
    return CN_OK;
}

cn_status cn_result_critical_path(const cn_result *result, uint64_t numbers[], size_t capacity,
                                  size_t *count)
{
    CNI_REQUIRE(result);
    CNI_REQUIRE_ARRAY(numbers, capacity);
    CNI_TRY(check_messages(__func__, result));
    const cni_message_times *times = result->messages;
    CNI_REQUIRE_FIT(times->length, capacity, count, "the critical path has %zu messages",
                    times->length);
    for (size_t i = 0; i < times->length; i++)
        numbers[i] = times->path[i];
    return CN_OK;
}

/* ---- in JSON ---- */

static void visit_path(cni_io *io, size_t i, void *of)
{
    const cni_message_times *times = of;
    uint64_t number = cni_io_writes(io) ? times->path[i] : 0;
    cni_io_whole(io, NULL, &number, times->messages - 1);
    if (cni_io_reads(io))
        times->path[i] = (uint32_t)number;
}

static void visit(cni_io *io, void *of)
{
    cn_result *result = of;
    cni_message_times *times = result->messages;
    const cn_workload *workload =
        result->scenario == NULL ? NULL : cni_workload_of(result->scenario);
    if (!cni_io_writes(io)) {
        size_t length = cni_io_count(io, "critical_path");
        if (cni_io_reads(io) && workload == NULL)
            cni_io_fail(io, NULL, "the scenario has no workload that has messages");
        if (cni_io_reads(io) && length > cn_workload_count(workload))
            cni_io_fail(io, "critical_path", "a path has at most as many messages as the workload");
        if (cni_io_reads(io))
            io->status =
                cni_message_times_new(cn_workload_count(workload), length, &result->messages);
        times = result->messages;
    }
    cni_message_times none = {0};
    if (times == NULL)
        times = &none; /* while keys are listed */
    cni_io_wholes(io, "ready", times->ready, times->messages, UINT64_MAX);
    cni_io_wholes(io, "injected", times->injected, times->messages, UINT64_MAX);
    cni_io_wholes(io, "delivered", times->delivered, times->messages, UINT64_MAX);
    cni_io_array(io, "critical_path", times->length, visit_path, times);
}

void cni_io_message_times(cni_io *io, cn_result *result)
{
    cni_io_object(io, "messages", visit, result);
}

/* Messages that wait for messages. */
#include "scenario/workload/workload.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "topology/topology.h"

cn_status cn_workload_new(const cn_topology *topology, cn_workload **workload)
{
    CNI_REQUIRE_OUT(workload);
    CNI_REQUIRE(topology);
    if (topology->nodes > CNI_WORKLOAD_NODES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: a workload has at most %llu nodes, but %s has %llu", __func__,
                        (unsigned long long)CNI_WORKLOAD_NODES, topology->name,
                        (unsigned long long)topology->nodes);
    cn_workload *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->topology = cni_topology_retain(topology);
    *workload = made;
    return CN_OK;
}

void cn_workload_free(cn_workload **workload)
{
    if (workload == NULL || !CNI_IS_VALID(*workload))
        return;
    cni_topology_release((*workload)->topology);
    cni_release((*workload)->message);
    cni_release((*workload)->wait);
    cni_object_release(*workload);
    *workload = NULL;
}

static void *copy_array(const void *array, size_t count, size_t size)
{
    void *copy = cni_allocate(count, size);
    if (copy != NULL && count > 0)
        memcpy(copy, array, count * size);
    return copy;
}

cn_status cn_workload_copy(const cn_workload *workload, cn_workload **copy)
{
    CNI_REQUIRE_OUT(copy);
    CNI_REQUIRE(workload);
    cn_workload *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    *made = *workload;
    cni_topology_retain(made->topology);
    made->messages_room = made->messages;
    made->waits_room = made->waits;
    made->message = copy_array(workload->message, made->messages, sizeof *made->message);
    made->wait = copy_array(workload->wait, made->waits, sizeof *made->wait);
    if (made->message == NULL || made->wait == NULL) {
        cn_workload_free(&made);
        return CN_ERR_MEMORY;
    }
    *copy = made;
    return CN_OK;
}

/* ---- adding ---- */

static cn_status check_message(const char *function, const cn_workload *workload, uint64_t source,
                               uint64_t destination, uint64_t flits, uint64_t computing)
{
    CNI_TRY(cni_check_host(function, "source", workload->topology, source));
    CNI_TRY(cni_check_host(function, "destination", workload->topology, destination));
    CNI_TRY(cni_check_range(function, "flits", flits, 0, UINT32_MAX));
    CNI_TRY(cni_check_range(function, "computing", computing, 0, UINT32_MAX));
    if (source == destination && flits > 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: source and destination are both %llu, but flits = %llu: a message to "
                        "the source itself is computing alone and has 0 flits",
                        function, (unsigned long long)source, (unsigned long long)flits);
    return CN_OK;
}

/* Whether message `number` of `source` may wait for these messages. */
static cn_status check_waits(const char *function, const cn_workload *workload, uint64_t source,
                             const uint64_t waits[], size_t count, int is_sent)
{
    const char *list = is_sent ? "after_sent" : "after";
    unsigned long long number = workload->messages;
    for (size_t i = 0; i < count; i++) {
        unsigned long long other = waits[i];
        if (other >= number)
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: %s[%zu] = %llu, but message %llu may wait only for messages with "
                            "smaller numbers",
                            function, list, i, other, number);
        const cni_workload_row *m = &workload->message[other];
        unsigned long long end = is_sent ? m->source : m->destination;
        if (end != source)
            return cni_fail(
                CN_ERR_ARGUMENT,
                "%s: %s[%zu] = %llu, but message %llu %s node %llu, and message %llu of "
                "node %llu may wait only for %s",
                function, list, i, other, other, is_sent ? "is sent by" : "goes to", end, number,
                (unsigned long long)source,
                is_sent ? "injections by this node" : "deliveries to this node");
    }
    return CN_OK;
}

static cn_status make_room(const char *function, cn_workload *workload, size_t waits)
{
    if (workload->messages >= CNI_MOST_MESSAGES)
        return cni_fail(CN_ERR_OVERFLOW, "%s: a workload has at most %lu messages", function,
                        (unsigned long)CNI_MOST_MESSAGES);
    if (waits > UINT32_MAX - workload->waits)
        return cni_fail(CN_ERR_OVERFLOW, "%s: a workload has at most %lu waits", function,
                        (unsigned long)UINT32_MAX);
    CNI_TRY(cni_grow(&workload->message, &workload->messages_room, workload->messages + 1,
                     sizeof *workload->message));
    return cni_grow(&workload->wait, &workload->waits_room, workload->waits + waits,
                    sizeof *workload->wait);
}

static void append_waits(cn_workload *workload, const uint64_t waits[], size_t count, int is_sent)
{
    for (size_t i = 0; i < count; i++)
        workload->wait[workload->waits++] =
            (cni_workload_wait)waits[i] << 1 | (cni_workload_wait)is_sent;
}

cn_status cn_workload_add(cn_workload *workload, uint64_t source, uint64_t destination,
                          uint64_t flits, uint64_t computing, const uint64_t after[],
                          size_t after_count, const uint64_t after_sent[], size_t after_sent_count,
                          uint64_t *number)
{
    CNI_REQUIRE(workload);
    CNI_REQUIRE_ARRAY(after, after_count);
    CNI_REQUIRE_ARRAY(after_sent, after_sent_count);
    CNI_TRY(check_message(__func__, workload, source, destination, flits, computing));
    CNI_TRY(check_waits(__func__, workload, source, after, after_count, 0));
    CNI_TRY(check_waits(__func__, workload, source, after_sent, after_sent_count, 1));
    CNI_TRY(make_room(__func__, workload, after_count + after_sent_count));
    workload->message[workload->messages++] =
        (cni_workload_row){(uint32_t)source, (uint32_t)destination, (uint32_t)flits,
                           (uint32_t)computing, (uint32_t)workload->waits};
    append_waits(workload, after, after_count, 0);
    append_waits(workload, after_sent, after_sent_count, 1);
    CNI_GIVE(number, workload->messages - 1); /* last: `number` may point into a list of waits */
    return CN_OK;
}

/* ---- reading ---- */

CNI_GETTER(size_t, cn_workload_count, workload, workload->messages, 0);

static cn_status check_number(const char *function, const cn_workload *workload, size_t number)
{
    if (number < workload->messages)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: number = %zu, but the workload has %zu messages",
                    function, number, workload->messages);
}

cn_status cn_workload_message(const cn_workload *workload, size_t number,
                              cn_workload_entry *message, size_t size)
{
    CNI_REQUIRE_BOTH(workload, message);
    CNI_TRY(check_number(__func__, workload, number));
    if (size < sizeof message->source)
        return cni_fail(CN_ERR_ARGUMENT, "%s: size = %zu, but it must be sizeof(cn_workload_entry)",
                        __func__, size);
    const cni_workload_row *m = &workload->message[number];
    cn_workload_entry full = {m->source, m->destination, m->flits, m->computing, 0, 0};
    for (size_t w = m->waits; w < cni_workload_waits_end(workload, number); w++)
        *(cni_waits_for_sent(workload->wait[w]) ? &full.after_sent : &full.after) += 1;
    memset(message, 0, size); /* members that only a newer header has */
    memcpy(message, &full, size < sizeof full ? size : sizeof full);
    return CN_OK;
}

cn_status cn_workload_waits(const cn_workload *workload, size_t number, uint64_t waits[],
                            size_t capacity, size_t *count)
{
    CNI_REQUIRE(workload);
    CNI_REQUIRE_ARRAY(waits, capacity);
    CNI_TRY(check_number(__func__, workload, number));
    size_t first = workload->message[number].waits;
    size_t needed = cni_workload_waits_end(workload, number) - first;
    CNI_REQUIRE_FIT(needed, capacity, count, "the message has %zu waits", needed);
    for (size_t i = 0; i < needed; i++)
        waits[i] = cni_waited_number(workload->wait[first + i]);
    return CN_OK;
}

static int same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

int cn_workload_equal(const cn_workload *a, const cn_workload *b)
{
    return CNI_IS_VALID(a) && CNI_IS_VALID(b) && cn_topology_equal(a->topology, b->topology) &&
           a->messages == b->messages && a->waits == b->waits &&
           same_bytes(a->message, b->message, a->messages * sizeof *a->message) &&
           same_bytes(a->wait, b->wait, a->waits * sizeof *a->wait);
}

cn_status cn_workload_steps(const cn_workload *workload, uint64_t *steps)
{
    CNI_REQUIRE_BOTH(workload, steps);
    uint32_t *step = cni_allocate(workload->messages, sizeof *step), most = 0;
    CNI_TRY_MEMORY(step);
    for (size_t i = 0; i < workload->messages; i++) {
        for (size_t w = workload->message[i].waits; w < cni_workload_waits_end(workload, i); w++) {
            uint32_t before = step[cni_waited_number(workload->wait[w])];
            step[i] = before > step[i] ? before : step[i];
        }
        step[i] += !cni_is_computing(&workload->message[i]);
        most = step[i] > most ? step[i] : most;
    }
    cni_release(step);
    *steps = most;
    return CN_OK;
}

/* The times of the events of each message of a workload. */
#ifndef CNI_SCENARIO_RESULT_MESSAGES_H
#define CNI_SCENARIO_RESULT_MESSAGES_H

#include "base/json.h"
#include "scenario/result.h"
#include "scenario/workload/workload.h"

#define CNI_NOTHING_BEFORE UINT32_MAX

/* Opens the times of so many messages, before any event. Close them also after a failure.
 * CN_ERR_MEMORY. */
cn_status cni_message_times_open(cni_message_times *times, size_t messages);
cn_status cni_message_times_copy(const cni_message_times *times, cni_message_times *copy);
void cni_message_times_close(cni_message_times *times);

/* Of the events that a message waits for: the cycle of the last event so far and its message,
 * the first message of several; and the number of events still to come. */
typedef struct cni_last_event {
    uint64_t cycle;
    uint32_t message; /* CNI_NOTHING_BEFORE: none */
    uint32_t missing;
} cni_last_event;

cni_last_event cni_find_last_event(const cn_workload *workload, const cni_message_times *times,
                                   uint32_t message);

/* The message that was delivered last, the first of several; CNI_NOTHING_BEFORE unless all were
 * delivered. */
uint32_t cni_find_last_message(const cni_message_times *times);

/* Visits the member "messages" of a result whose scenario has a workload. */
void cni_message_times_visit(cni_io *io, void *result);

#endif

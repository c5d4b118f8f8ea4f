/* When what happened to each message of a workload, in a result. */
#ifndef CNI_SCENARIO_RESULT_MESSAGES_H
#define CNI_SCENARIO_RESULT_MESSAGES_H

#include "base/json.h"
#include "scenario/result.h"

struct cni_message_times {
    void *block;
    size_t messages, length;                /* of the critical path; 0: not complete */
    uint64_t *ready, *injected, *delivered; /* cycles; CN_NEVER: not before the end of the run */
    uint32_t *path;                         /* may be NULL in what is copied */
};

/* CN_ERR_MEMORY. */
cn_status cni_message_times_new(size_t messages, size_t length, cni_message_times **times);
cn_status cni_message_times_copy(const cni_message_times *times, cni_message_times **copy);
void cni_message_times_free(cni_message_times **times);

/* The member "messages" of a result whose scenario has a workload. */
void cni_io_message_times(cni_io *io, cn_result *result);

#endif

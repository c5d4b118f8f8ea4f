/* The inside of a cn_control. */
#ifndef CNI_BASE_CONTROL_H
#define CNI_BASE_CONTROL_H

#include "cubenet/control.h"

#include <stdatomic.h>

#include "base/object.h"

/* Limits and callback as cubenet/control.h explains them. A control of zeros has the defaults. */
struct cn_control {
    cni_object head;
    uint64_t steps;
    double seconds, interval;
    cn_progress_fn progress;
    void *user;
    atomic_int is_cancelled; /* the only member that changes while a call reads the others */
};

#endif

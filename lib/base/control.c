/* Controls: limits, progress function and cancellation that a caller gives to a call. */
#include "base/control.h"

#include <math.h>

#include "base/error.h"

cn_status cn_control_new(cn_control **control)
{
    CNI_REQUIRE(control);
    *control = CNI_NEW(*control);
    return *control == NULL ? CN_ERR_MEMORY : CN_OK;
}

void cn_control_free(cn_control **control)
{
    if (control == NULL || !CNI_IS_VALID(*control))
        return;
    cni_object_release(*control);
    *control = NULL;
}

cn_status cn_control_set_steps(cn_control *control, uint64_t steps)
{
    CNI_REQUIRE(control);
    control->steps = steps;
    return CN_OK;
}

static cn_status check_seconds(const char *function, double seconds)
{
    if (seconds >= 0.0 && !isinf(seconds))
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: seconds = %g, but it must be at least 0 and finite (0: no limit)",
                    function, seconds);
}

cn_status cn_control_set_seconds(cn_control *control, double seconds)
{
    CNI_REQUIRE(control);
    CNI_TRY(check_seconds(__func__, seconds));
    control->seconds = seconds;
    return CN_OK;
}

cn_status cn_control_set_interval(cn_control *control, double seconds)
{
    CNI_REQUIRE(control);
    CNI_TRY(check_seconds(__func__, seconds));
    control->interval = seconds;
    return CN_OK;
}

cn_status cn_control_set_progress(cn_control *control, cn_progress_fn progress, void *user)
{
    CNI_REQUIRE(control);
    control->progress = progress;
    control->user = user;
    return CN_OK;
}

cn_status cn_control_cancel(cn_control *control)
{
    CNI_REQUIRE(control);
    atomic_store(&control->is_cancelled, 1);
    return CN_OK;
}

cn_status cn_control_resume(cn_control *control)
{
    CNI_REQUIRE(control);
    atomic_store(&control->is_cancelled, 0);
    return CN_OK;
}

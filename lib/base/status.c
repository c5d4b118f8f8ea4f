/* The names and texts of the status codes. */
#include "base/names.h"

/* From the lowest code on. */
static const cni_named statuses[] = {
    [CN_OK - CN_ERR_INTERNAL] = {"ok", "success"},
    [CN_DONE - CN_ERR_INTERNAL] = {"done", "nothing more to give"},
    [CN_REFUSED - CN_ERR_INTERNAL] = {"refused", "the network did not take the message"},
    [CN_ERR_ARGUMENT - CN_ERR_INTERNAL] = {"argument", "invalid argument"},
    [CN_ERR_MEMORY - CN_ERR_INTERNAL] = {"memory", "out of memory"},
    [CN_ERR_UNSUPPORTED - CN_ERR_INTERNAL] = {"unsupported", "this combination is not supported"},
    [CN_ERR_UNSTABLE - CN_ERR_INTERNAL] = {"unstable", "no steady state at this load"},
    [CN_ERR_NOT_FOUND - CN_ERR_INTERNAL] = {"not-found", "not found"},
    [CN_ERR_OVERFLOW - CN_ERR_INTERNAL] = {"overflow", "the answer does not fit its type"},
    [CN_ERR_CAPACITY - CN_ERR_INTERNAL] = {"capacity", "the array is too small"},
    [CN_ERR_STATE - CN_ERR_INTERNAL] = {"state", "not allowed now"},
    [CN_ERR_CONVERGENCE - CN_ERR_INTERNAL] = {"convergence", "an iteration did not converge"},
    [CN_ERR_DEADLOCK - CN_ERR_INTERNAL] = {"deadlock", "the network is deadlocked"},
    [CN_ERR_THREAD - CN_ERR_INTERNAL] = {"thread", "no thread could be started"},
    [CN_ERR_DISCONNECTED - CN_ERR_INTERNAL] = {"disconnected", "some node cannot reach some other"},
    [CN_ERR_CANCELLED - CN_ERR_INTERNAL] = {"cancelled", "cancelled before its end"},
    [CN_ERR_EXCHANGE - CN_ERR_INTERNAL] = {"exchange", "the exchange with another part failed"},
    [CN_ERR_INTERNAL - CN_ERR_INTERNAL] = {"internal", "a bug in cubenet"},
};
const cni_names cni_statuses = CNI_NAMES("status", statuses, CN_ERR_INTERNAL);

const char *cn_status_text(cn_status status)
{
    return cni_text_of(&cni_statuses, (int)status, "unknown status");
}

/* Whether every message arrives, whatever it chooses. */
#include "base/error.h"
#include "routing/questions/walks.h"

static cn_status look(cni_walks *w, int *has_dead_end, int *has_circle)
{
    for (size_t i = 0; i < w->served_count; i++) {
        CNI_TRY(cni_walks_to(w, w->served[i], w->served, w->served_count));
        *has_dead_end |= w->dead_ends > 0;
        *has_circle |= w->ordered < w->reached;
    }
    return CN_OK;
}

static cn_status find(const char *function, const cn_routing *routing, const cn_control *control,
                      int *has_dead_end, int *has_circle)
{
    cni_walks walks;
    cni_budget budget;
    CNI_TRY(cni_budget_begin(&budget, function, control, 0));
    cn_status status = cni_walks_open(function, routing, 0, &budget, &walks);
    if (status == CN_OK)
        status = look(&walks, has_dead_end, has_circle);
    cni_walks_close(&walks);
    return status;
}

cn_status cn_routing_is_connected(const cn_routing *routing, const cn_control *control,
                                  int *is_connected)
{
    CNI_REQUIRE_BOTH(routing, is_connected);
    int has_dead_end = 0, has_circle = 0;
    CNI_TRY(find(__func__, routing, control, &has_dead_end, &has_circle));
    *is_connected = !has_dead_end;
    return CN_OK;
}

cn_status cn_routing_is_livelock_free(const cn_routing *routing, const cn_control *control,
                                      int *is_livelock_free)
{
    CNI_REQUIRE_BOTH(routing, is_livelock_free);
    int has_dead_end = 0, has_circle = 0;
    CNI_TRY(find(__func__, routing, control, &has_dead_end, &has_circle));
    *is_livelock_free = !has_circle;
    return CN_OK;
}

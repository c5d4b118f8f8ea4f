#include "topology/budget.h"

#include <stddef.h>
#include <time.h>

/* Steps between two looks at the clock. */
static const uint64_t STRIDE = 1 << 16;

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void cni_budget_start(cni_budget *budget, uint64_t work, double seconds, cn_progress_fn progress,
                      void *user)
{
    budget->work = work == 0 ? CN_SEARCH_DEFAULT : work;
    budget->done = 0;
    budget->deadline = seconds > 0.0 ? now() + seconds : 0.0;
    budget->next_look = 0;
    budget->progress = progress;
    budget->user = user;
    budget->stopped = 0;
}

int cni_budget_spend(cni_budget *budget, uint64_t steps, double lower, double upper)
{
    if (budget == NULL)
        return 1;
    budget->done += steps;
    if (budget->work != CN_SEARCH_UNLIMITED && steps > budget->work)
        budget->stopped = 1;
    else if (budget->work != CN_SEARCH_UNLIMITED)
        budget->work -= steps;
    if (!budget->stopped && budget->done >= budget->next_look) {
        budget->next_look = budget->done + STRIDE;
        if (budget->deadline > 0.0 && now() >= budget->deadline)
            budget->stopped = 1;
        else if (budget->progress != NULL &&
                 budget->progress(budget->user, budget->done, lower, upper) != 0)
            budget->stopped = 1;
    }
    return !budget->stopped;
}

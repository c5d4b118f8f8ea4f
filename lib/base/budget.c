#include "base/budget.h"

#include <math.h>
#include <time.h>

#include "base/error.h"

/* Steps, and units of work, between two looks at the clock. */
static const uint64_t STRIDE = 1 << 16, WORK_STRIDE = 1 << 18;

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

cn_status cni_budget_start(cni_budget *budget, const char *function, const cn_control *control,
                           uint64_t default_steps)
{
    static const cn_control defaults;
    if (control != NULL && !CNI_IS_VALID(control))
        return cni_fail_invalid(function, "control", control, CNI_TYPE_OF(control));
    if (control == NULL)
        control = &defaults;
    uint64_t work = control->steps == 0 ? default_steps : control->steps;
    *budget = (cni_budget){
        .work = work,
        .total = work == CN_SEARCH_UNLIMITED ? 0 : work,
        .deadline = control->seconds > 0.0 ? now() + control->seconds : 0.0,
        .upper = HUGE_VAL,
        .progress = control->progress,
        .user = control->user,
    };
    return CN_OK;
}

static void look(cni_budget *budget)
{
    budget->next_look = budget->done + STRIDE;
    budget->unseen = 0;
    if (budget->deadline > 0.0 && now() >= budget->deadline)
        budget->stopped = 1;
    /* steps are taken some at a time, so the last ones may be more than are left */
    uint64_t done =
        budget->total > 0 && budget->done > budget->total ? budget->total : budget->done;
    if (budget->progress != NULL &&
        budget->progress(budget->user, done, budget->total, budget->lower, budget->upper) != 0)
        budget->stopped = 1;
}

int cni_budget_spend(cni_budget *budget, uint64_t steps)
{
    if (budget == NULL)
        return 1;
    budget->done += steps;
    if (!budget->stopped && budget->done >= budget->next_look)
        look(budget);
    return !budget->stopped && budget->done < budget->work;
}

int cni_budget_work(cni_budget *budget, uint64_t units)
{
    if (budget == NULL)
        return 1;
    budget->unseen += units;
    if (!budget->stopped && budget->unseen >= WORK_STRIDE)
        look(budget);
    return !budget->stopped;
}

uint64_t cni_budget_left(const cni_budget *budget)
{
    return budget->work > budget->done ? budget->work - budget->done : 0;
}

cni_budget cni_budget_part(const cni_budget *whole, uint64_t most, double share)
{
    cni_budget part = *whole;
    uint64_t left = cni_budget_left(whole);
    part.work = part.done + (most < left ? most : left);
    if (whole->deadline > 0.0) {
        double time = now();
        part.deadline = time + share * (whole->deadline - time);
    }
    return part;
}

void cni_budget_join(cni_budget *whole, const cni_budget *part)
{
    whole->done = part->done;
    whole->next_look = part->next_look;
    whole->lower = part->lower;
    whole->upper = part->upper;
    /* A part that is out of its time leaves the rest to others, one that was told to stop does not. */
    whole->stopped = part->stopped &&
                     (whole->deadline <= 0.0 || now() >= whole->deadline || now() < part->deadline);
}

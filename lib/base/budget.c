/* Budgets: how long a call may go on, when it reports its progress, and how several threads share
 * both. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#endif

#include "base/budget.h"

#include <math.h>
#include <time.h>

#include "base/error.h"

/* Units of work between two looks at the clock, and units of work in a step. */
static const uint64_t STRIDE = 1 << 18, STEP = 4;

#if defined(_WIN32)
/* The declaration of <windows.h>, whose macros would take names of other sources in the single
 * file. */
__declspec(dllimport) unsigned long long __stdcall GetTickCount64(void);

double cni_clock(void)
{
    return 1e-3 * (double)GetTickCount64();
}
#else
double cni_clock(void)
{
    struct timespec time;
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &time);
#else
    timespec_get(&time, TIME_UTC);
#endif
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
#endif

static const cn_control defaults;

static int is_cancelled(const cn_control *control)
{
    return atomic_load_explicit(&((cn_control *)cni_mutable(control))->is_cancelled,
                                memory_order_relaxed) != 0;
}

cn_status cni_budget_start(cni_budget *budget, const char *function, const cn_control *control,
                           uint64_t default_steps)
{
    if (control != NULL && !CNI_IS_VALID(control))
        return cni_fail_invalid(function, "control", control, CNI_TYPE_OF(control));
    if (control == NULL)
        control = &defaults;
    uint64_t work = control->steps == 0 ? default_steps : control->steps;
    *budget = (cni_budget){
        .function = function,
        .control = control,
        .work = work,
        .total = work == CN_SEARCH_UNLIMITED ? 0 : work,
        .deadline = control->seconds > 0.0 ? cni_clock() + control->seconds : 0.0,
        .upper = HUGE_VAL,
        .stopped = is_cancelled(control) ? CNI_CANCELLED : CNI_GOING,
    };
    return CN_OK;
}

cn_status cni_budget_begin(cni_budget *budget, const char *function, const cn_control *control,
                           uint64_t total)
{
    CNI_TRY(cni_budget_start(budget, function, control, 0));
    budget->work = CN_SEARCH_UNLIMITED;
    budget->total = total;
    return CN_OK;
}

int cni_budget_is_watched(const cni_budget *budget)
{
    return budget != NULL && budget->control != &defaults;
}

static int is_late(const cni_budget *budget)
{
    return budget->deadline > 0.0 && cni_clock() >= budget->deadline;
}

/* Calls the callback unless the last call was a moment ago; 1 when the callback cancels. */
static int ask(cni_budget *budget)
{
    const cn_control *control = budget->control;
    if (control->progress == NULL)
        return 0;
    if (control->interval > 0.0) {
        double time = cni_clock();
        if (time < budget->next_call)
            return 0;
        budget->next_call = time + control->interval;
    }
    /* a thread takes several steps at a time, so the last steps may be more than are left */
    uint64_t done =
        budget->total > 0 && budget->done > budget->total ? budget->total : budget->done;
    return control->progress(control->user, done, budget->total, budget->lower, budget->upper) != 0;
}

/* Adds the work of this thread to the counts of the crew, and learns whether the crew is to
 * stop. */
static void share_progress(cni_budget *budget)
{
    cni_crew *crew = budget->crew;
    atomic_fetch_add(&crew->done, budget->done - budget->told);
    budget->told = budget->done;
    if (budget->whole != NULL)
        budget->whole->done = atomic_load(&crew->done);
    if (budget->stopped == CNI_GOING)
        budget->stopped = (cni_stopped)atomic_load(&crew->stopped);
}

int cni_budget_look(cni_budget *budget)
{
    budget->unseen = 0;
    if (budget->crew != NULL)
        share_progress(budget);
    if (budget->stopped != CNI_GOING)
        return 0;
    if (budget->whole != NULL && !cni_budget_look(budget->whole)) {
        budget->stopped = budget->whole->stopped;
    } else if (is_cancelled(budget->control)) {
        budget->stopped = CNI_CANCELLED;
    } else if (is_late(budget)) {
        budget->stopped = CNI_OUT_OF_TIME;
    }
    /* an outer budget asks for its inner ones, and so does that of worker 0 for its crew */
    int asks = budget->whole == NULL && budget->crew == NULL;
    if (asks && ask(budget))
        budget->stopped = CNI_CANCELLED;
    if (budget->crew != NULL && budget->stopped != CNI_GOING)
        atomic_store(&budget->crew->stopped, (int)budget->stopped);
    return budget->stopped == CNI_GOING;
}

int cni_budget_spend(cni_budget *budget, uint64_t steps)
{
    if (budget == NULL)
        return 1;
    if (budget->done == 0)
        budget->unseen = STRIDE; /* the first step of a search looks */
    budget->done += steps;
    return cni_budget_work(budget, STEP * steps) && budget->done < budget->work;
}

int cni_budget_work(cni_budget *budget, uint64_t units)
{
    if (budget == NULL)
        return 1;
    budget->unseen += units;
    if (budget->stopped == CNI_GOING && budget->unseen >= STRIDE)
        cni_budget_look(budget);
    return budget->stopped == CNI_GOING;
}

cn_status cni_budget_go_on(cni_budget *budget, uint64_t units)
{
    return cni_budget_work(budget, units) ? CN_OK : cni_budget_fail(budget);
}

cn_status cni_budget_answer(const cni_budget *budget)
{
    if (budget->stopped != CNI_CANCELLED)
        return CN_OK;
    return cni_fail(CN_ERR_CANCELLED, "%s: cancelled by %s", budget->function,
                    is_cancelled(budget->control) ? "cn_control_cancel()" : "its callback");
}

cn_status cni_budget_fail(const cni_budget *budget)
{
    CNI_TRY(cni_budget_answer(budget));
    return cni_fail(CN_ERR_CANCELLED,
                    "%s: the time limit of %g seconds was reached before there was a result",
                    budget->function, budget->control->seconds);
}

uint64_t cni_budget_left(const cni_budget *budget)
{
    return budget->work > budget->done ? budget->work - budget->done : 0;
}

cni_budget cni_budget_part(const cni_budget *whole, uint64_t most, double share_of_time)
{
    cni_budget part = *whole;
    uint64_t left = cni_budget_left(whole);
    part.work = part.done + (most < left ? most : left);
    if (whole->deadline > 0.0) {
        double time = cni_clock();
        part.deadline = time + share_of_time * (whole->deadline - time);
    }
    return part;
}

void cni_budget_join(cni_budget *whole, const cni_budget *part)
{
    whole->done = part->done;
    whole->unseen = part->unseen;
    whole->next_call = part->next_call;
    whole->lower = part->lower;
    whole->upper = part->upper;
    /* A part that is out of time leaves the rest to other parts; a cancelled part does not. */
    whole->stopped = part->stopped;
    if (part->stopped == CNI_OUT_OF_TIME && !is_late(whole))
        whole->stopped = CNI_GOING;
}

cni_budget cni_budget_within(cni_budget *whole)
{
    cni_budget inner = {.control = &defaults, .work = CN_SEARCH_UNLIMITED, .upper = HUGE_VAL};
    if (whole == NULL)
        return inner;
    inner.function = whole->function;
    inner.control = whole->control;
    inner.whole = whole;
    inner.stopped = whole->stopped;
    return inner;
}

cni_budget cni_budget_of_worker(cni_budget *whole, cni_crew *crew, uint32_t worker)
{
    cni_budget own = cni_budget_within(whole);
    own.crew = crew;
    own.deadline = whole->deadline;
    if (worker != 0)
        own.whole = NULL;
    return own;
}

void cni_budget_gather(cni_budget *whole, cni_crew *crew)
{
    if (whole->stopped == CNI_GOING)
        whole->stopped = (cni_stopped)atomic_load(&crew->stopped);
}

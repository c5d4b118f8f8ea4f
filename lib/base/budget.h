/*
 * Budgets: the use that a call has made of its cn_control, and whether the call is to go on.
 *
 * A call that may take long starts a budget, reports its work to the budget, and ends when the
 * budget says so. Searches spend steps and keep their bounds; all other calls use
 * cni_budget_go_on(), whose status unwinds them. A function that may be called without a control
 * takes NULL for a budget: then it never stops early.
 */
#ifndef CNI_BASE_BUDGET_H
#define CNI_BASE_BUDGET_H

#include "base/control.h"

typedef enum cni_stopped { CNI_GOING, CNI_OUT_OF_TIME, CNI_CANCELLED } cni_stopped;

/* Facts that the threads of one call share; all zero at first. */
typedef struct cni_crew {
    atomic_int stopped; /* a cni_stopped */
    atomic_uint_fast64_t done;
} cni_crew;

typedef struct cni_budget {
    const char *function; /* which was called, for sentences */
    const cn_control *control;
    uint64_t work; /* most steps; CN_SEARCH_UNLIMITED: no limit */
    /* the work in all, for the caller's progress function; 0: unknown or unlimited */
    uint64_t total;
    uint64_t done;       /* steps taken; without a search, the part of the total that is done */
    uint64_t unseen;     /* work since clock and caller were last asked */
    double deadline;     /* in seconds of the clock; 0: none */
    double next_call;    /* when the caller may be called again */
    double lower, upper; /* what the call has so far, for the caller */
    cni_stopped stopped; /* stopped by the caller or the clock, not for want of steps */
    /* the outer budget of the same thread, which asks the caller and shows its own numbers; or
     * NULL */
    struct cni_budget *whole;
    cni_crew *crew; /* NULL: one thread works */
    uint64_t told;  /* the part of `done` that the crew knows */
} cni_budget;

/* A control of NULL stands for the defaults; a control with 0 steps for default_steps.
 * CN_ERR_ARGUMENT, in the name of the calling function, for a handle that is no control. */
cn_status cni_budget_start(cni_budget *budget, const char *function, const cn_control *control,
                           uint64_t default_steps);

/* The same for a call without a search: its steps have no limit. total is 0 when unknown. */
cn_status cni_budget_begin(cni_budget *budget, const char *function, const cn_control *control,
                           uint64_t total);

/* Declares the budget of a public function and begins it; the function returns when the control is
 * no control. */
#define CNI_BUDGET(budget, control, total) \
    cni_budget budget;                     \
    CNI_TRY(cni_budget_begin(&budget, __func__, control, total))

/* Takes steps off the budget. 0 when no steps are left or the budget was stopped; the search
 * then returns its bounds. A NULL budget never ends. */
int cni_budget_spend(cni_budget *budget, uint64_t steps);

/* Counts work beside steps, a unit for each few nanoseconds, so that the budget looks at clock
 * and caller in time within long steps and while a search is set up. 0 when the budget was
 * stopped; a NULL budget never is. A function without a result then returns CN_DONE, and the
 * measure falls back on bounds that need no search. */
int cni_budget_work(cni_budget *budget, uint64_t units);

/* The same for a call that has no result before its end: CN_OK, or CN_ERR_CANCELLED with a
 * sentence. */
cn_status cni_budget_go_on(cni_budget *budget, uint64_t units);

/* cni_budget_work() for element i of a long array, where each element takes so many units. */
static inline int cni_budget_pass(cni_budget *budget, uint64_t i, uint64_t units)
{
    return (i & 1023) != 0 || cni_budget_work(budget, units << 10);
}

/* Looks at clock and caller now; 0 when the budget was stopped. */
int cni_budget_look(cni_budget *budget);

/* 1 when the caller gave a control. */
int cni_budget_is_watched(const cni_budget *budget);

/* The status of a call with a result: CN_ERR_CANCELLED when the caller cancelled it, else CN_OK.
 * The second function, for a call without a result, also returns CN_ERR_CANCELLED when the time
 * is over. */
cn_status cni_budget_answer(const cni_budget *budget);
cn_status cni_budget_fail(const cni_budget *budget);

/* Steps that are left. */
uint64_t cni_budget_left(const cni_budget *budget);

/* A budget for a part of the search: at most `most` of the steps that are left, and this share of
 * the time that is left. cni_budget_join() gives the use of the part back to the whole. */
cni_budget cni_budget_part(const cni_budget *whole, uint64_t most, double share);
void cni_budget_join(cni_budget *whole, const cni_budget *part);

/* A budget for a call within a call, on the same thread: the caller sees the numbers of the
 * outer call. The inner budget has no limit but the time. For a NULL budget: a budget that never
 * ends. */
cni_budget cni_budget_within(cni_budget *whole);

/* A budget for one thread of a crew: worker 0 is the calling thread, which alone asks the
 * caller. The work of all threads adds up. */
cni_budget cni_budget_of_worker(cni_budget *whole, cni_crew *crew, uint32_t worker);

/* After the work of the crew: when any thread was stopped, the call was stopped. */
void cni_budget_gather(cni_budget *whole, cni_crew *crew);

/* Seconds of a clock that only goes forward. */
double cni_clock(void);

#endif

/*
 * What a call has used of its cn_control, and whether it is to go on.
 *
 * A call that may take long starts a budget, tells it what it works, and ends when it is told so.
 * Searches spend steps and keep what they have; all others go on with cni_budget_go_on(), whose
 * status unwinds them. A function that may be called without a control takes NULL for a budget: it
 * never ends.
 */
#ifndef CNI_BASE_BUDGET_H
#define CNI_BASE_BUDGET_H

#include "base/control.h"

typedef enum cni_stopped { CNI_GOING, CNI_OUT_OF_TIME, CNI_CANCELLED } cni_stopped;

/* What the threads know of each other that work on one call; all zero at first. */
typedef struct cni_crew {
    atomic_int stopped; /* a cni_stopped */
    atomic_uint_fast64_t done;
} cni_crew;

typedef struct cni_budget {
    const char *function; /* which was called, for sentences */
    const cn_control *control;
    uint64_t work;       /* steps that may be taken in all; CN_SEARCH_UNLIMITED */
    uint64_t total;      /* for the caller: what there is to do; 0: unknown or unlimited */
    uint64_t done;       /* steps taken; where nothing is searched, what is done of the total */
    uint64_t next_look;  /* value of done at which clock and caller are asked again */
    uint64_t unseen;     /* work since clock and caller were last asked */
    double deadline;     /* in seconds of the clock; 0: none */
    double next_call;    /* when the caller may be called again */
    double lower, upper; /* what the call has so far, for the caller */
    cni_stopped stopped; /* by the caller or the clock, not for want of steps */
    struct cni_budget
        *whole;     /* of this thread, which asks the caller and shows its own numbers; NULL */
    cni_crew *crew; /* NULL: one thread works */
    uint64_t told;  /* of done, to the crew */
} cni_budget;

/* A control of NULL stands for the defaults; its 0 steps are default_steps. CN_ERR_ARGUMENT, in the
 * name of the calling function, for a handle that is no control. */
cn_status cni_budget_start(cni_budget *budget, const char *function, const cn_control *control,
                           uint64_t default_steps);

/* The same for a call that is no search: its steps have no limit. total: 0 when it is not known. */
cn_status cni_budget_begin(cni_budget *budget, const char *function, const cn_control *control,
                           uint64_t total);

/* Both in one: the budget of a public function, which is left when the control is none. */
#define CNI_BUDGET(budget, control, total) \
    cni_budget budget;                     \
    CNI_TRY(cni_budget_begin(&budget, __func__, control, total))

/* Takes steps off the budget; 0 when it is used up or was stopped, and the search is to return the
 * bounds that it has. NULL never ends. */
int cni_budget_spend(cni_budget *budget, uint64_t steps);

/* Counts work that is no step, a unit for each few nanoseconds, so that clock and caller are asked
 * in time within long steps and while a search is set up, too. 0 when it was stopped; NULL never
 * is. A function that then has nothing to give returns CN_DONE, and the measure falls back on
 * bounds that need no search. */
int cni_budget_work(cni_budget *budget, uint64_t units);

/* The same for what gives nothing before its end: CN_OK, or CN_ERR_CANCELLED with a sentence. */
cn_status cni_budget_go_on(cni_budget *budget, uint64_t units);

/* The same for element i of a long array; each element takes so many units. */
static inline int cni_budget_pass(cni_budget *budget, uint64_t i, uint64_t units)
{
    return (i & 1023) != 0 || cni_budget_work(budget, units << 10);
}

/* Asks clock and caller now; 0 when it was stopped. */
int cni_budget_look(cni_budget *budget);

/* 1 when there is someone to ask. */
int cni_budget_is_watched(const cni_budget *budget);

/* What a call returns that has something to give: CN_ERR_CANCELLED when it was cancelled, else
 * CN_OK. And one that has nothing: also when it was out of time. */
cn_status cni_budget_answer(const cni_budget *budget);
cn_status cni_budget_fail(const cni_budget *budget);

/* Steps that are left. */
uint64_t cni_budget_left(const cni_budget *budget);

/* A budget for a part of the search: at most so many of the steps that are left, and this share of
 * the time. What the part took goes back with cni_budget_join(). */
cni_budget cni_budget_part(const cni_budget *whole, uint64_t most, double share);
void cni_budget_join(cni_budget *whole, const cni_budget *part);

/* A budget for a call within a call, on the same thread: the caller sees the numbers of the outer
 * one. It is unlimited but for the time. Of NULL it is one that never ends. */
cni_budget cni_budget_within(cni_budget *whole);

/* A budget for one thread of a crew: worker 0 is the calling thread, which alone asks the caller.
 * What they have done adds up. */
cni_budget cni_budget_of_worker(cni_budget *whole, cni_crew *crew, uint32_t worker);

/* When the crew has come back: whichever thread was the first to stop, the call was. */
void cni_budget_gather(cni_budget *whole, cni_crew *crew);

/* Seconds of a clock that only goes forward. */
double cni_clock(void);

#endif

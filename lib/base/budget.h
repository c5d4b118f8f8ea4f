/* What a search has used of its cn_control. */
#ifndef CNI_BASE_BUDGET_H
#define CNI_BASE_BUDGET_H

#include "base/control.h"

typedef struct cni_budget {
    uint64_t work;       /* steps that may be taken in all; CN_SEARCH_UNLIMITED */
    uint64_t total;      /* work of the whole search, for the caller; 0: unlimited */
    uint64_t done;       /* steps taken */
    uint64_t next_look;  /* value of done at which clock and caller are asked again */
    uint64_t unseen;     /* work since clock and caller were last asked */
    double deadline;     /* in seconds of the clock; 0: none */
    double lower, upper; /* what the search has so far, for the caller */
    int stopped;         /* by the caller or the clock, not for want of steps */
    cn_progress_fn progress;
    void *user;
} cni_budget;

/* A control of NULL stands for the defaults; its 0 steps are default_steps. CN_ERR_ARGUMENT, in the name of
 * the calling function, for a handle that is no control. */
cn_status cni_budget_start(cni_budget *budget, const char *function, const cn_control *control,
                           uint64_t default_steps);

/* Takes steps off the budget; 0 when it is used up or was stopped, and the search is to return the
 * bounds that it has. NULL never ends. */
int cni_budget_spend(cni_budget *budget, uint64_t steps);

/* Counts work that is no step, a unit for each few nanoseconds, so that clock and caller are asked in time
 * within long steps and while a search is set up, too. 0 when it was stopped; NULL never is. A function
 * that then has nothing to give returns CN_DONE, and the measure falls back on bounds that need no
 * search. */
int cni_budget_work(cni_budget *budget, uint64_t units);

/* Steps that are left. */
uint64_t cni_budget_left(const cni_budget *budget);

/* A budget for a part of the search: at most so many of the steps that are left, and this share of
 * the time. What the part took goes back with cni_budget_join(). */
cni_budget cni_budget_part(const cni_budget *whole, uint64_t most, double share);
void cni_budget_join(cni_budget *whole, const cni_budget *part);

#endif

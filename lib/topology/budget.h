/* How long a search may take, and whom it tells how far it is. */
#ifndef CNI_TOPOLOGY_BUDGET_H
#define CNI_TOPOLOGY_BUDGET_H

#include "cubenet/measure.h"

typedef struct cni_budget {
    uint64_t work;      /* steps left */
    uint64_t done;      /* steps taken */
    double deadline;    /* in seconds of the wall clock; 0: none */
    uint64_t next_look; /* value of done at which clock and caller are asked again */
    cn_progress_fn progress;
    void *user;
    int stopped;
} cni_budget;

void cni_budget_start(cni_budget *budget, uint64_t work, double seconds, cn_progress_fn progress,
                      void *user);

/* Takes steps off the budget; 0 when it is used up or the caller has asked to stop, and the search is
 * to return the bounds that it has. NULL never ends. */
int cni_budget_spend(cni_budget *budget, uint64_t steps, double lower, double upper);

#endif

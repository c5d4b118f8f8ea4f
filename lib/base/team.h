/*
 * A team of threads that work on one task together. The calling thread is worker 0, so a team of
 * one starts no thread. Without thread support every team has one worker.
 */
#ifndef CNI_BASE_TEAM_H
#define CNI_BASE_TEAM_H

#include "cubenet/base.h"

typedef struct cni_team cni_team;

enum { CNI_MAX_WORKERS = 1024 };

/* The work of every worker in a cni_team_run(); worker counts from 0. */
typedef void (*cni_work_fn)(void *work, uint32_t worker);

/* A team of this many workers (1 .. CNI_MAX_WORKERS). CN_ERR_MEMORY, CN_ERR_THREAD. */
cn_status cni_team_open(uint32_t workers, cni_team **team);
void cni_team_close(cni_team **team);

uint32_t cni_team_workers(const cni_team *team);

/* Has every worker call fn, and returns when all workers have come back. */
void cni_team_run(cni_team *team, cni_work_fn fn, void *work);

/* The same; while the calling thread waits for the other workers, it calls idle(work) every 20
 * ms or so. */
void cni_team_run_watched(cni_team *team, cni_work_fn fn, void (*idle)(void *work), void *work);

/* Within fn: waits until every worker has come here. */
void cni_team_meet(cni_team *team);

#endif

/* Teams of threads: start, a meeting of all threads, watched work, end. */
#if CNI_THREADS
#define _POSIX_C_SOURCE 200809L /* sched_yield, clock_gettime, threads */
#endif

#include "base/team.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/memory.h"

#if CNI_THREADS

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

struct cni_team {
    uint32_t workers;
    /* cni_team_meet(): the last thread to come opens the next round */
    atomic_uint_fast32_t waiting;
    atomic_uint_fast32_t round;
    /* cni_team_run(): guarded by the mutex */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t task;    /* number of the present run */
    uint32_t working; /* workers that have not come back */
    int closing;
    cni_work_fn fn;
    void *work;
    struct member {
        cni_team *team;
        uint32_t worker;
        pthread_t thread;
    } member[];
};

static void *serve(void *argument)
{
    struct member *self = argument;
    cni_team *team = self->team;
    uint64_t done = 0;
    pthread_mutex_lock(&team->mutex);
    for (;;) {
        while (team->task == done && !team->closing)
            pthread_cond_wait(&team->changed, &team->mutex);
        if (team->closing)
            break;
        done = team->task;
        pthread_mutex_unlock(&team->mutex);
        team->fn(team->work, self->worker);
        pthread_mutex_lock(&team->mutex);
        if (--team->working == 0)
            pthread_cond_broadcast(&team->changed);
    }
    pthread_mutex_unlock(&team->mutex);
    return NULL;
}

#if defined(_POSIX_CLOCK_SELECTION) && _POSIX_CLOCK_SELECTION > 0
#define TEAM_CLOCK CLOCK_MONOTONIC
#else
#define TEAM_CLOCK CLOCK_REALTIME
#endif

static void init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
#if defined(_POSIX_CLOCK_SELECTION) && _POSIX_CLOCK_SELECTION > 0
    pthread_condattr_setclock(&attributes, TEAM_CLOCK);
#endif
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

cn_status cni_team_open(uint32_t workers, cni_team **team)
{
    cni_team *made = cni_allocate(1, sizeof *made + workers * sizeof made->member[0]);
    *team = made;
    CNI_TRY_MEMORY(made);
    pthread_mutex_init(&made->mutex, NULL);
    init_condition(&made->changed);
    for (made->workers = 1; made->workers < workers; made->workers++) {
        struct member *next = &made->member[made->workers];
        next->team = made;
        next->worker = made->workers;
        if (pthread_create(&next->thread, NULL, serve, next) == 0)
            continue;
        uint32_t started = made->workers;
        cni_team_close(team);
        return cni_fail(CN_ERR_THREAD, "threads = %lu, but the operating system started only %lu",
                        (unsigned long)workers, (unsigned long)started);
    }
    return CN_OK;
}

void cni_team_close(cni_team **team)
{
    cni_team *old = *team;
    *team = NULL;
    if (old == NULL)
        return;
    pthread_mutex_lock(&old->mutex);
    old->closing = 1;
    pthread_cond_broadcast(&old->changed);
    pthread_mutex_unlock(&old->mutex);
    for (uint32_t i = 1; i < old->workers; i++)
        pthread_join(old->member[i].thread, NULL);
    pthread_cond_destroy(&old->changed);
    pthread_mutex_destroy(&old->mutex);
    cni_release(old);
}

/* Waits until the other workers have come back, or for 20 ms. */
static void wait_a_while(cni_team *team)
{
    struct timespec until;
    clock_gettime(TEAM_CLOCK, &until);
    until.tv_nsec += 20000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&team->changed, &team->mutex, &until);
}

static void wait_for_all(cni_team *team, void (*idle)(void *work), void *work)
{
    pthread_mutex_lock(&team->mutex);
    while (team->working > 0) {
        if (idle == NULL) {
            pthread_cond_wait(&team->changed, &team->mutex);
            continue;
        }
        wait_a_while(team);
        pthread_mutex_unlock(&team->mutex);
        idle(work);
        pthread_mutex_lock(&team->mutex);
    }
    pthread_mutex_unlock(&team->mutex);
}

void cni_team_run_watched(cni_team *team, cni_work_fn fn, void (*idle)(void *work), void *work)
{
    if (team->workers > 1) {
        pthread_mutex_lock(&team->mutex);
        team->fn = fn;
        team->work = work;
        team->working = team->workers - 1;
        team->task += 1;
        pthread_cond_broadcast(&team->changed);
        pthread_mutex_unlock(&team->mutex);
    }
    fn(work, 0);
    if (team->workers > 1)
        wait_for_all(team, idle, work);
}

void cni_team_meet(cni_team *team)
{
    if (team->workers == 1)
        return;
    uint_fast32_t round = atomic_load_explicit(&team->round, memory_order_acquire);
    if (atomic_fetch_add_explicit(&team->waiting, 1, memory_order_acq_rel) + 1 == team->workers) {
        atomic_store_explicit(&team->waiting, 0, memory_order_relaxed);
        atomic_store_explicit(&team->round, round + 1, memory_order_release);
        return;
    }
    /* The other workers are as far as this one, give or take microseconds: look a while before
     * yielding. */
    for (unsigned looks = 0; atomic_load_explicit(&team->round, memory_order_acquire) == round;
         looks++)
        if (looks > 2000)
            sched_yield();
}

#else

struct cni_team {
    uint32_t workers;
};

cn_status cni_team_open(uint32_t workers, cni_team **team)
{
    (void)workers;
    *team = cni_allocate(1, sizeof **team);
    CNI_TRY_MEMORY(*team);
    (*team)->workers = 1;
    return CN_OK;
}

void cni_team_close(cni_team **team)
{
    cni_release(*team);
    *team = NULL;
}

void cni_team_run_watched(cni_team *team, cni_work_fn fn, void (*idle)(void *work), void *work)
{
    (void)team;
    (void)idle;
    fn(work, 0);
}

void cni_team_meet(cni_team *team)
{
    (void)team;
}

#endif

void cni_team_run(cni_team *team, cni_work_fn fn, void *work)
{
    cni_team_run_watched(team, fn, NULL, work);
}

uint32_t cni_team_workers(const cni_team *team)
{
    return team->workers;
}

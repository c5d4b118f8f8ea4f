/* Work that falls into parts which know nothing of each other, on several threads. */
#include <math.h>

#include "reproduce.h"

#if RP_THREADS
#include <pthread.h>

enum { MOST_THREADS = 64 };

typedef struct share {
    rp_work_fn work;
    void *user;
    size_t first, step, parts;
} share;

static void *do_share(void *user)
{
    const share *mine = user;
    for (size_t i = mine->first; i < mine->parts; i += mine->step)
        mine->work(mine->user, i);
    return NULL;
}

/* What no thread could be had for is done here. */
void rp_together(const rp_run *run, size_t parts, rp_work_fn work, void *user)
{
    pthread_t thread[MOST_THREADS];
    share shares[MOST_THREADS];
    int begun[MOST_THREADS] = {0};
    size_t threads = run->threads < 1 ? 1 : run->threads;
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    for (size_t i = 0; i < threads; i++)
        shares[i] = (share){work, user, i, threads, parts};
    for (size_t i = 1; i < threads; i++)
        begun[i] = pthread_create(&thread[i], NULL, do_share, &shares[i]) == 0;
    for (size_t i = 0; i < threads; i++)
        if (!begun[i])
            do_share(&shares[i]);
    for (size_t i = 1; i < threads; i++)
        if (begun[i])
            pthread_join(thread[i], NULL);
}
#else
void rp_together(const rp_run *run, size_t parts, rp_work_fn work, void *user)
{
    (void)run;
    for (size_t i = 0; i < parts; i++)
        work(user, i);
}
#endif

double rp_draw_between(double least, double greatest, uint64_t word)
{
    return least + (greatest - least) * rp_draw(word);
}

double rp_draw_whole(double least, double greatest, uint64_t word)
{
    return least + floor((greatest - least + 1.0) * rp_draw(word));
}

double rp_draw(uint64_t word)
{
    word *= UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((word ^ word >> 31) >> 11) * 0x1p-53;
}

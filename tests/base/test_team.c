#include "support/support.h"

#include "base/team.h"

#include <stdatomic.h>

enum { MOST = 8, ROUNDS = 300 };

typedef struct task {
    cni_team *team;
    uint32_t workers;
    atomic_uint calls[MOST];
    atomic_uint arrived;
    atomic_uint early; /* times that a worker passed the barrier before all had come */
    uint64_t turn;     /* written by one worker a round, read by all: the barrier orders them */
    atomic_uint stale;
} task;

static void count_call(void *work, uint32_t worker)
{
    task *t = work;
    atomic_fetch_add(&t->calls[worker], 1);
}

static void pass_barriers(void *work, uint32_t worker)
{
    task *t = work;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        if (worker == round % t->workers)
            t->turn = round;
        atomic_fetch_add(&t->arrived, 1);
        cni_team_meet(t->team);
        if (atomic_load(&t->arrived) < round * t->workers)
            atomic_fetch_add(&t->early, 1);
        if (t->turn != round)
            atomic_fetch_add(&t->stale, 1);
        cni_team_meet(t->team);
    }
}

/* Without thread support there is one worker however many were asked for. */
static uint32_t expected_workers(uint32_t asked)
{
    return CNI_THREADS ? asked : 1;
}

static void every_worker_runs_once(void **state)
{
    (void)state;
    for (uint32_t workers = 1; workers <= MOST; workers++) {
        task t = {0};
        assert_ok(cni_team_open(workers, &t.team));
        assert_int_equal(cni_team_workers(t.team), expected_workers(workers));
        for (uint32_t round = 1; round <= 20; round++) {
            cni_team_run(t.team, count_call, &t);
            for (uint32_t w = 0; w < MOST; w++)
                assert_int_equal(t.calls[w], w < cni_team_workers(t.team) ? round : 0);
        }
        cni_team_close(&t.team);
        assert_null(t.team);
    }
}

static void nobody_passes_the_barrier_alone(void **state)
{
    (void)state;
    for (uint32_t workers = 1; workers <= 4; workers++) {
        task t = {0};
        assert_ok(cni_team_open(workers, &t.team));
        t.workers = cni_team_workers(t.team);
        for (int again = 0; again < 2; again++) {
            t.arrived = 0;
            cni_team_run(t.team, pass_barriers, &t);
            assert_int_equal(t.arrived, ROUNDS * t.workers);
            assert_int_equal(t.early, 0);
            assert_int_equal(t.stale, 0);
        }
        cni_team_close(&t.team);
    }
}

static void teams_come_and_go(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 200; i++) {
        task t = {0};
        assert_ok(cni_team_open(1 + i % 4, &t.team));
        for (uint32_t round = 0; round < i % 3; round++) /* also: none at all */
            cni_team_run(t.team, count_call, &t);
        assert_int_equal(t.calls[0], i % 3);
        cni_team_close(&t.team);
        cni_team_close(&t.team); /* of a handle that is NULL */
    }
}

static void two_teams_do_not_meet(void **state)
{
    (void)state;
    task a = {0}, b = {0};
    assert_ok(cni_team_open(2, &a.team));
    assert_ok(cni_team_open(3, &b.team));
    cni_team_run(a.team, count_call, &a);
    cni_team_run(b.team, count_call, &b);
    cni_team_close(&a.team);
    cni_team_run(b.team, count_call, &b);
    cni_team_close(&b.team);
    assert_int_equal(a.calls[0], 1);
    assert_int_equal(b.calls[expected_workers(3) - 1], 2);
}

static cn_status open_and_close(void *context)
{
    (void)context;
    cni_team *team = NULL;
    cn_status status = cni_team_open(3, &team);
    if (status != CN_OK)
        assert_null(team);
    cni_team_close(&team);
    return status;
}

static void failed_allocation_leaves_nothing(void **state)
{
    (void)state;
    support_fail_every_allocation(open_and_close, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_worker_runs_once),
        cmocka_unit_test(nobody_passes_the_barrier_alone),
        cmocka_unit_test(teams_come_and_go),
        cmocka_unit_test(two_teams_do_not_meet),
        cmocka_unit_test(failed_allocation_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

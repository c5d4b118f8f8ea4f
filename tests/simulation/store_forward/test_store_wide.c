/* Messages that get a word more while a large cube runs, against the same run in which they do
 * not. */
#include "support/support.h"

#include <string.h>

#include "base/random.h"
#include "simulation/run/sim.h"
#include "simulation/store_forward/store_forward.h"

enum { CASES = 9, CYCLES = 14, SEED = 20240 };

static uint64_t draw(uint64_t run, uint64_t what, uint64_t below)
{
    return cni_random_word(cni_random_derive(SEED, run), what) % below;
}

static cn_sim *open_case(uint64_t run, uint32_t threads)
{
    static const char *const systems[] = {"separate-buffers", "shared-buffer"};
    cn_topology *t;
    cn_scenario *s;
    cn_sim *sim;
    uint32_t n = 14 + (uint32_t)(run % 3);
    assert_ok(cn_topology_hypercube(n, &t));
    assert_ok(cn_scenario_new(t, systems[draw(run, 0, 2)], &s));
    if (n ==
        16) /* general routings are wide in the others, where a message has bits for its hops */
        assert_ok(cn_scenario_set_routing_name(s, run % 2 ? "dimension-order" : NULL));
    assert_ok(cn_scenario_set(s, CN_PARAM_LOAD, 0.05 + 0.01 * (double)draw(run, 2, 120)));
    assert_ok(cn_scenario_set(s, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set(s, CN_PARAM_STATISTICS, (double)draw(run, 3, 2)));
    assert_ok(cn_scenario_set(s, CN_PARAM_THREADS, threads));
    assert_ok(cn_scenario_set_seed(s, draw(run, 4, 1000)));
    assert_ok(cn_sim_open(s, NULL, &sim));
    cn_scenario_free(&s);
    cn_topology_free(&t);
    return sim;
}

typedef struct seen {
    uint64_t created, source, injected, number, to, way;
} seen;

static seen see(const cni_store *k, const cni_queue *queue, const cni_store_worker *w, uint32_t i)
{
    const cni_store_shape *s = &k->shape;
    const uint64_t *words = w->pool.words + cni_queue_place(queue, i) * s->width;
    uint32_t more = k->shape.is_wide ? 1 : 0;
    cni_message m = {words[0], words[more],
                     k->shape.form == CNI_STORE_CLASSED ? words[more + 1] : 0};
    return (seen){cni_store_created(s, &m),
                  cni_store_source(s, m.identity),
                  m.identity >> s->injected_shift & 1,
                  m.identity >> s->number_shift & (s->numbers - 1),
                  m.identity & s->to_mask,
                  m.way};
}

/* Both on one thread, so that queues have the same numbers. */
static void compare(cn_sim *a, cn_sim *b)
{
    const cni_store *x = a->state, *y = b->state;
    uint64_t of_a[CNI_COUNTERS] = {0}, of_b[CNI_COUNTERS] = {0};
    a->kernel->count(x, of_a);
    b->kernel->count(y, of_b);
    assert_memory_equal(of_a, of_b, sizeof of_a);
    assert_int_equal(a->kernel->in_flight(x), b->kernel->in_flight(y));
    for (uint64_t q = 0; q < x->shape.nodes * x->queues; q++) {
        const cni_queue *u = &x->queue[q], *v = &y->queue[q];
        assert_int_equal(cni_queue_length(u), cni_queue_length(v));
        for (uint32_t i = 0; i < cni_queue_length(u); i++) {
            seen one = see(x, u, cni_store_worker_at(x, 0), i),
                 other = see(y, v, cni_store_worker_at(y, 0), i);
            assert_memory_equal(&one, &other, sizeof one);
        }
    }
}

static void inject(cn_sim *a, cn_sim *b, uint64_t run, uint64_t cycle)
{
    uint64_t nodes = cn_topology_node_count(((cni_store *)a->state)->network.topology);
    for (uint64_t i = 0; i < 20; i++) {
        uint64_t from = draw(run, 100 * cycle + i, nodes);
        uint64_t to = draw(run, 100 * cycle + 50 + i, nodes);
        if (from == to)
            continue;
        assert_ok(cn_sim_inject(a, from, to, 0, i));
        assert_ok(cn_sim_inject(b, from, to, 0, i));
    }
}

static void compare_deliveries(cn_sim *a, cn_sim *b)
{
    cn_delivery x, y;
    cn_status status;
    do {
        memset(&x, 0, sizeof x);
        memset(&y, 0, sizeof y);
        status = cn_sim_next_delivery(a, &x, sizeof x);
        assert_int_equal(cn_sim_next_delivery(b, &y, sizeof y), status);
        assert_memory_equal(&x, &y, sizeof x);
    } while (status == CN_OK);
}

/* How a run becomes wide: the epoch cannot move far enough, or at some cycle of its own. */
static void widen_some_time(cn_sim *sim, uint64_t run, uint64_t cycle)
{
    cni_store *k = sim->state;
    if (run / 3 % 2 == 0 && cycle == 0)
        k->shape.span = 2 + draw(run, 5, 8);
    if (run / 3 % 2 == 1 && cycle == draw(run, 6, CYCLES))
        assert_ok(cni_store_widen(k));
}

static void a_word_more_changes_nothing(void **state)
{
    (void)state;
    int widened = 0;
    for (uint64_t run = 0; run < CASES; run++) {
        cn_sim *narrow = open_case(run, 1), *wide = open_case(run, 1);
        for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
            inject(narrow, wide, run, cycle);
            widen_some_time(wide, run, cycle);
            assert_ok(cn_sim_step(narrow, 1, NULL));
            assert_ok(cn_sim_step(wide, 1, NULL));
            compare_deliveries(narrow, wide);
            if (cycle % 5 == 4)
                compare(narrow, wide);
        }
        compare(narrow, wide);
        assert_false(((cni_store *)narrow->state)->shape.is_wide);
        widened += ((cni_store *)wide->state)->shape.is_wide;
        cn_sim_close(&narrow);
        cn_sim_close(&wide);
    }
    assert_true(widened > CASES * 2 / 3);
}

/* Creation times then come from an epoch that is not 0. */
static void after_the_epoch_has_moved(void **state)
{
    (void)state;
    cn_sim *narrow = open_case(0, 1), *wide = open_case(0, 1);
    cni_store *k = wide->state;
    k->shape.span = 60;
    assert_ok(cn_sim_step(narrow, 65, NULL));
    assert_ok(cn_sim_step(wide, 65, NULL));
    assert_true(k->shape.epoch > 0 && !k->shape.is_wide);
    assert_ok(cni_store_widen(k));
    compare(narrow, wide);
    assert_ok(cn_sim_step(narrow, 5, NULL));
    assert_ok(cn_sim_step(wide, 5, NULL));
    compare(narrow, wide);
    cn_sim_close(&narrow);
    cn_sim_close(&wide);
}

/* The pools of all workers, by their counters. */
static void on_three_threads(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < 2; run++) {
        uint64_t of_a[CNI_COUNTERS] = {0}, of_b[CNI_COUNTERS] = {0};
        cn_sim *narrow = open_case(run, 1), *wide = open_case(run, 3);
        uint64_t before = 1 + draw(run, 7, CYCLES - 1);
        assert_ok(cn_sim_step(wide, before, NULL));
        assert_ok(cni_store_widen(wide->state));
        assert_ok(cn_sim_step(wide, CYCLES - before, NULL));
        assert_ok(cn_sim_step(narrow, CYCLES, NULL));
        narrow->kernel->count(narrow->state, of_a);
        wide->kernel->count(wide->state, of_b);
        assert_memory_equal(of_a, of_b, sizeof of_a);
        cn_sim_close(&narrow);
        cn_sim_close(&wide);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_more_changes_nothing),
        cmocka_unit_test(after_the_epoch_has_moved),
        cmocka_unit_test(on_three_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

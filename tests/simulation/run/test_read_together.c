/* Several threads read one simulation at once, as the header of cn_sim allows, where the kernel
 * keeps flits in sets. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

enum { READERS = 2, ROUNDS = 12, CROWDED = 512 };

typedef struct reader {
    const cn_sim *sim;
    unsigned char *data;
    size_t size;
    cn_status status;
} reader;

static atomic_int to_come; /* readers that have not begun */

static void *save(void *argument)
{
    reader *r = argument;
    atomic_fetch_sub(&to_come, 1);
    while (atomic_load(&to_come) > 0)
        ;
    r->status = cn_sim_save(r->sim, r->data, r->size, NULL);
    return NULL;
}

/* A 7-cube far above saturation. */
static cn_sim *open_crowded(void)
{
    cn_topology *cube;
    cn_scenario *scenario;
    cn_sim *sim;
    assert_ok(cn_topology_hypercube(7, &cube));
    assert_ok(cn_scenario_new(cube, "wormhole", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.03));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_FLIT_BUFFERS, 2));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 8));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    assert_ok(cn_sim_step(sim, CROWDED, NULL));
    return sim;
}

static void saves_do_not_disturb_each_other(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        /* The size is that of a twin: nothing reads the simulation before the threads do. */
        cn_sim *sim = open_crowded(), *twin = open_crowded();
        size_t size;
        assert_int_equal(cn_sim_save(twin, NULL, 0, &size), CN_ERR_CAPACITY);
        reader readers[READERS];
        pthread_t threads[READERS];
        for (int i = 0; i < READERS; i++) {
            readers[i] = (reader){.sim = sim, .data = malloc(size), .size = size};
            assert_non_null(readers[i].data);
        }
        atomic_store(&to_come, READERS);
        for (int i = 0; i < READERS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, save, &readers[i]), 0);
        for (int i = 0; i < READERS; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < READERS; i++) {
            assert_ok(readers[i].status);
            assert_memory_equal(readers[i].data, readers[0].data, size);
        }
        for (int i = 0; i < READERS; i++)
            free(readers[i].data);
        cn_sim_close(&sim);
        cn_sim_close(&twin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(saves_do_not_disturb_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

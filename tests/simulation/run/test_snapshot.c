/* Snapshots: what is copied or restored at any cycle goes on like what was never interrupted;
 * nothing else is taken for one. */
#include "support/support.h"

#include <string.h>

#include "base/archive.h"
#include "base/random.h"
#include "scenario/scenario.h"
#include "support/snapshot_cases.h"

enum { CYCLES = 260, THREADS = 3, HASH_BYTES = 8, MOST_CHANNELS = 256 };

typedef struct blob {
    unsigned char *bytes;
    size_t size;
} blob;

static blob save(const cn_sim *sim)
{
    blob b = {NULL, 0};
    assert_int_equal(cn_sim_save(sim, NULL, 0, &b.size), CN_ERR_CAPACITY);
    b.bytes = malloc(b.size);
    assert_non_null(b.bytes);
    assert_ok(cn_sim_save(sim, b.bytes, b.size, &b.size));
    return b;
}

static cn_scenario *scenario_of(size_t index, double threads)
{
    cn_scenario *scenario = snapshot_case_scenario(index, threads);
    if (scenario == NULL)
        fail_msg("%s: %s", snapshot_case_name(index), cn_last_error());
    return scenario;
}

/* ---- the same bits ---- */

static void assert_same_deliveries(cn_sim *a, cn_sim *b)
{
    cn_delivery got[2];
    for (cn_status status = CN_OK; status == CN_OK;) {
        memset(got, 0, sizeof got);
        status = cn_sim_next_delivery(a, &got[0], sizeof got[0]);
        assert_int_equal(cn_sim_next_delivery(b, &got[1], sizeof got[1]), status);
        assert_memory_equal(&got[0], &got[1], sizeof got[0]);
    }
}

static void assert_same_bytes(const cn_sim *a, const cn_sim *b)
{
    blob x = save(a), y = save(b);
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.bytes, y.bytes, x.size);
    free(x.bytes);
    free(y.bytes);
}

static void assert_same_loads(const cn_sim *a, const cn_sim *b)
{
    size_t count[2] = {0, 0};
    uint64_t *loads[2];
    if (cn_sim_channel_loads(a, NULL, 0, &count[0]) != CN_ERR_CAPACITY)
        return;
    for (int i = 0; i < 2; i++) {
        loads[i] = calloc(count[0] + 1, sizeof *loads[i]);
        assert_ok(cn_sim_channel_loads(i == 0 ? a : b, loads[i], count[0], &count[i]));
    }
    assert_memory_equal(loads[0], loads[1], count[0] * sizeof *loads[0]);
    free(loads[0]);
    free(loads[1]);
}

static void assert_same_deadlock(cn_sim *a, cn_sim *b)
{
    uint64_t channels[2][MOST_CHANNELS];
    size_t count[2] = {0, 0};
    cn_status status = cn_sim_deadlock(a, channels[0], MOST_CHANNELS, &count[0]);
    assert_true(status == CN_OK || status == CN_ERR_STATE);
    assert_int_equal(cn_sim_deadlock(b, channels[1], MOST_CHANNELS, &count[1]), status);
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(channels[0], channels[1], count[0] * sizeof channels[0][0]);
}

static void assert_same_statistics(const cn_result *a, const cn_result *b, uint64_t nodes)
{
    uint64_t *counts = calloc((size_t)nodes * 2, sizeof *counts);
    double *queues = calloc((size_t)nodes * 2, sizeof *queues);
    for (int kind = 0; kind <= (int)CN_NODE_COUNT_FORWARDED; kind++) {
        cn_status status = cn_result_node_counts(a, (cn_node_count)kind, counts, nodes, NULL);
        assert_int_equal(cn_result_node_counts(b, (cn_node_count)kind, counts + nodes, nodes, NULL),
                         status);
        assert_memory_equal(counts, counts + nodes, nodes * sizeof *counts);
    }
    cn_status status = cn_result_node_queues(a, queues, nodes, NULL);
    assert_int_equal(cn_result_node_queues(b, queues + nodes, nodes, NULL), status);
    assert_memory_equal(queues, queues + nodes, nodes * sizeof *queues);
    free(counts);
    free(queues);
}

static void assert_same_end(cn_sim *a, cn_sim *b, uint64_t nodes)
{
    cn_result *x = NULL, *y = NULL;
    cn_status status = cn_sim_result(a, &x);
    assert_int_equal(cn_sim_result(b, &y), status);
    if (status != CN_OK)
        return;
    assert_same_result(x, y);
    assert_int_equal(cn_result_stop(x), cn_result_stop(y));
    assert_same_statistics(x, y, nodes);
    cn_result_free(&x);
    cn_result_free(&y);
}

/* The simulation goes on in another object, on another number of threads. */
static void move(cn_sim **sim, size_t index, uint64_t word)
{
    cn_sim *other = NULL;
    if (word % 3 == 0) {
        assert_ok(cn_sim_copy(*sim, NULL, &other));
    } else {
        cn_scenario *scenario = scenario_of(index, 1 + (double)(word / 3 % THREADS));
        blob b = save(*sim);
        assert_ok(cn_sim_restore(scenario, b.bytes, b.size, NULL, &other));
        cn_scenario_free(&scenario);
        free(b.bytes);
    }
    cn_sim_close(sim);
    *sim = other;
}

/* One of the two is moved now and then; both have the same host. */
static void compare(size_t index, uint64_t seed)
{
    cn_scenario *scenario = scenario_of(index, 1);
    uint64_t nodes = snapshot_case_nodes(index), moves = 0;
    cn_sim *straight, *moved;
    cn_status status = CN_OK;
    assert_ok(cn_sim_open(scenario, NULL, &straight));
    assert_ok(cn_sim_open(scenario, NULL, &moved));
    if (strstr(snapshot_case_name(index), "trace") != NULL && seed % 2 == 0) {
        assert_ok(cn_sim_report_trace(straight));
        assert_ok(cn_sim_report_trace(moved));
    }
    for (uint64_t i = 0; cn_sim_cycle(straight) < CYCLES && status == CN_OK; i++) {
        uint64_t word = cni_random_word(seed, i), steps = word % 16 == 0 ? 1 + word / 16 % 40 : 1;
        if (word / 1024 % 5 == 0 || i < 3) {
            move(&moved, index, word >> 20);
            moves++;
            if (snapshot_case_is_canonical(index))
                assert_same_bytes(straight, moved);
        }
        assert_ok(snapshot_case_inject(straight, index, nodes, word >> 32));
        assert_ok(snapshot_case_inject(moved, index, nodes, word >> 32));
        assert_int_equal(cn_sim_in_flight(straight), cn_sim_in_flight(moved));
        assert_true(cn_sim_next_event(straight) == cn_sim_next_event(moved));
        status = cn_sim_step(straight, steps, NULL);
        assert_int_equal(cn_sim_step(moved, steps, NULL), status);
        assert_int_equal(cn_sim_cycle(straight), cn_sim_cycle(moved));
        if (word / 64 % 4 != 0)
            assert_same_deliveries(straight, moved);
        if (word / 4096 % 128 == 0 && status == CN_OK) {
            assert_ok(cn_sim_reset_statistics(straight));
            assert_ok(cn_sim_reset_statistics(moved));
        }
    }
    if (status == CN_ERR_DEADLOCK)
        move(&moved, index, seed);
    assert_true(moves > 10 || status == CN_ERR_DEADLOCK);
    assert_same_loads(straight, moved);
    assert_same_deadlock(straight, moved);
    assert_same_deliveries(straight, moved);
    assert_same_end(straight, moved, nodes);
    cn_sim_close(&straight);
    cn_sim_close(&moved);
    cn_scenario_free(&scenario);
}

static void moving_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < snapshot_cases(); i++)
        for (uint64_t seed = 1; seed <= 2; seed++) {
            compare(i, seed);
        }
}

/* However the cycles are cut into calls, and whatever was skipped: an equal state has equal
 * bytes. */
static void steps_leave_no_trace(void **state)
{
    (void)state;
    for (size_t i = 0; i < snapshot_cases(); i++) {
        cn_scenario *scenario = scenario_of(i, 1);
        cn_sim *whole, *cut;
        assert_ok(cn_sim_open(scenario, NULL, &whole));
        assert_ok(cn_sim_open(scenario, NULL, &cut));
        cn_status status = cn_sim_step(whole, 1100, NULL);
        for (int cycle = 0; cycle < 1100 && status == CN_OK; cycle++)
            assert_ok(cn_sim_step(cut, 1, NULL));
        if (status == CN_OK && snapshot_case_is_canonical(i))
            assert_same_bytes(whole, cut);
        cn_sim_close(&whole);
        cn_sim_close(&cut);
        cn_scenario_free(&scenario);
    }
}

/* ---- what is refused ---- */

static size_t case_of(const char *name)
{
    size_t index = 0;
    while (strcmp(snapshot_case_name(index), name) != 0)
        index++;
    return index;
}

static blob taken(size_t index, uint64_t cycles)
{
    cn_scenario *scenario = scenario_of(index, 1);
    cn_sim *sim;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, cycles, NULL));
    blob b = save(sim);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    return b;
}

static void assert_refused(const cn_scenario *scenario, const blob *b, size_t size,
                           cn_status status, const char *part)
{
    cn_sim *sim = (cn_sim *)1;
    assert_fails(cn_sim_restore(scenario, b->bytes, size, NULL, &sim), status, part);
    assert_null(sim);
}

static void sign(blob *b)
{
    uint64_t hash = cni_hash_bytes(b->bytes, b->size - HASH_BYTES);
    for (int i = 0; i < HASH_BYTES; i++)
        b->bytes[b->size - HASH_BYTES + (size_t)i] = (unsigned char)(hash >> 8 * i);
}

static void another_scenario_is_refused(void **state)
{
    (void)state;
    size_t index = case_of("separate");
    blob b = taken(index, 30);
    cn_scenario *scenario = scenario_of(case_of("shared"), 1);
    assert_refused(scenario, &b, b.size, CN_ERR_ARGUMENT,
                   "one of the system separate-buffers, but the scenario is one of shared-buffer");
    cn_scenario_free(&scenario);
    scenario = scenario_of(index, 1);
    assert_ok(cn_scenario_set_seed(scenario, 9));
    assert_refused(scenario, &b, b.size, CN_ERR_ARGUMENT, "seed 1, but the scenario has 9");
    assert_ok(cn_scenario_set_seed(scenario, 1));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5));
    assert_refused(scenario, &b, b.size, CN_ERR_ARGUMENT, "another scenario of separate-buffers");
    cn_scenario_free(&scenario);
    scenario = scenario_of(case_of("separate-rings"), 1);
    assert_refused(scenario, &b, b.size, CN_ERR_ARGUMENT, "its network");
    cn_scenario_free(&scenario);
    free(b.bytes);
}

static void what_changes_no_bits_may_differ(void **state)
{
    (void)state;
    size_t index = case_of("deflection");
    blob b = taken(index, 30);
    cn_scenario *scenario = scenario_of(index, 3);
    cn_sim *sim;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.1));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 4));
    assert_ok(cn_sim_restore(scenario, b.bytes, b.size, NULL, &sim));
    assert_int_equal(cn_sim_cycle(sim), 30);
    cn_sim_close(&sim);
    /* an equal scenario, made in another way: what is left out is said, damage is none */
    double value;
    cn_faults *none;
    assert_ok(cn_faults_new(scenario->topology, &none));
    for (cn_param param = (cn_param)1; (size_t)param <= cn_param_count(); param++)
        if (cn_scenario_takes(scenario, param)) {
            assert_ok(cn_scenario_get(scenario, param, &value));
            assert_ok(cn_scenario_set(scenario, param, value));
        }
    assert_ok(cn_scenario_set_faults(scenario, none));
    assert_ok(cn_scenario_set_routing_name(scenario, cn_scenario_routing_name(scenario)));
    assert_ok(cn_sim_restore(scenario, b.bytes, b.size, NULL, &sim));
    cn_sim_close(&sim);
    assert_ok(cn_faults_add_node(none, 0));
    assert_ok(cn_scenario_set_faults(scenario, none));
    assert_refused(scenario, &b, b.size, CN_ERR_ARGUMENT, "faults");
    cn_faults_free(&none);
    cn_scenario_free(&scenario);
    free(b.bytes);
}

static void damage_is_refused(void **state)
{
    (void)state;
    size_t index = case_of("wormhole");
    blob b = taken(index, 60);
    cn_scenario *scenario = scenario_of(index, 1);
    assert_refused(scenario, &b, 0, CN_ERR_ARGUMENT, "the 0 bytes of data are no snapshot");
    assert_refused(scenario, &b, 40, CN_ERR_ARGUMENT, "no snapshot");
    assert_refused(scenario, &b, b.size - 1, CN_ERR_ARGUMENT, "but size = ");
    for (size_t at = 0; at < b.size; at += 1 + at % 7) {
        cn_sim *sim;
        b.bytes[at] ^= (unsigned char)(1 << at % 8);
        assert_true(cn_sim_restore(scenario, b.bytes, b.size, NULL, &sim) < CN_OK);
        assert_null(sim);
        b.bytes[at] ^= (unsigned char)(1 << at % 8);
    }
    b.bytes[b.size / 2] ^= 4;
    assert_refused(scenario, &b, b.size, CN_ERR_ARGUMENT, "damaged: its hash");
    b.bytes[b.size / 2] ^= 4;
    b.bytes[0] = 'C';
    assert_refused(scenario, &b, b.size, CN_ERR_ARGUMENT, "no snapshot of cn_sim_save()");
    b.bytes[0] = 'c';
    b.bytes[8] = 77;
    sign(&b);
    assert_refused(scenario, &b, b.size, CN_ERR_UNSUPPORTED, "version 77");
    cn_scenario_free(&scenario);
    free(b.bytes);
}

/* What is a number of messages is none below 0, and no part is more than the whole. Below 0 is
 * above 2^63 by more than what was made up for another number, of which one bit is wrong. */
static void check_counts(cn_sim *sim)
{
    static const cn_metric counts[] = {CN_METRIC_MESSAGES_OFFERED, CN_METRIC_MESSAGES_REFUSED,
                                       CN_METRIC_MESSAGES_ACCEPTED, CN_METRIC_MESSAGES_DELIVERED};
    cn_result *result;
    if (cn_sim_result(sim, &result) == CN_OK) {
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            assert_true(value_of(result, counts[i]) >= 0.0 &&
                        value_of(result, counts[i]) < 0x1.8p63);
        assert_true(value_of(result, CN_METRIC_MESSAGES_REFUSED) <=
                    value_of(result, CN_METRIC_MESSAGES_OFFERED));
        cn_result_free(&result);
    }
}

/* With a hash that fits: bits of a short snapshot, one at a time; up to so many behind each are
 * left out. */
static void make_up_numbers(const cn_scenario *scenario, blob b, size_t skipped)
{
    size_t refused = 0, taken_for_real = 0;
    for (size_t bit = 8 * 64; bit < 8 * (b.size - HASH_BYTES); bit += 1 + bit % (skipped + 1)) {
        cn_sim *sim;
        b.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        sign(&b);
        cn_status status = cn_sim_restore(scenario, b.bytes, b.size, NULL, &sim);
        refused += status != CN_OK;
        taken_for_real += status == CN_OK;
        if (status == CN_OK)
            check_counts(sim);
        if (status == CN_OK && cn_sim_step(sim, 20, NULL) == CN_OK) /* in one way or the other */
            check_counts(sim);
        cn_sim_close(&sim);
        b.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_true(refused > 100 && taken_for_real > 100);
    free(b.bytes);
}

static void made_up_numbers_do_no_harm(void **state)
{
    (void)state;
    size_t index = case_of("wormhole-own");
    cn_scenario *scenario = scenario_of(index, 1);
    make_up_numbers(scenario, taken(index, 60), 2);
    cn_scenario_free(&scenario);
}

/* Those that are subtracted from what is counted later, of a system that refuses messages. */
static void made_up_counts_do_no_harm(void **state)
{
    (void)state;
    for (int statistics = 0; statistics < 2; statistics++) {
        cn_scenario *scenario = cube_scenario("deflection", 2, 3.0);
        cn_sim *sim;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 2));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 5));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, statistics));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_step(sim, 40, NULL));
        make_up_numbers(scenario, save(sim), 2);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
}

/* Among them destinations that are the nodes where messages wait: these have no channel to take. */
static void made_up_destinations_do_no_harm(void **state)
{
    (void)state;
    for (int machine = CN_MACHINE_PAPER; machine <= CN_MACHINE_CHANNELS; machine++) {
        cn_topology *cube;
        cn_scenario *scenario;
        cn_sim *sim;
        assert_ok(cn_topology_hypercube(3, &cube));
        assert_ok(cn_scenario_new(cube, "collective", &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, machine));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_OPERATIONS, 12));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_DESTINATIONS, 6));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_TRANSIT_BUFFERS, 1));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_step(sim, 8, NULL)); /* some wait on their way */
        make_up_numbers(scenario, save(sim), 0);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
        cn_topology_free(&cube);
    }
}

static void the_size_is_asked_for(void **state)
{
    (void)state;
    cn_scenario *scenario = cube_scenario("deflection", 4, 0.5);
    cn_sim *sim;
    size_t size = 5;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_save(sim, NULL, 0, &size), CN_ERR_CAPACITY, "capacity = 0");
    assert_fails(cn_sim_save(sim, NULL, 10, &size), CN_ERR_ARGUMENT, "data");
    assert_true(size > 64);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

/* The pieces of a broadcast have more places than the network has nodes, and one of those may be
 * the first that is read. */
static void pieces_of_broadcasts_are_restored(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_scenario_new(cube, "collective", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_TREE, CN_TREE_SPLIT));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_TRANSIT_BUFFERS, 3));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_OPERATIONS, 20));
    for (int machine = CN_MACHINE_PAPER; machine <= CN_MACHINE_CHANNELS; machine++)
        for (uint64_t cycle = 1; cycle < 30; cycle += 2) {
            cn_sim *sim, *restored;
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, machine));
            assert_ok(cn_sim_open(scenario, NULL, &sim));
            assert_ok(cn_sim_step(sim, cycle, NULL));
            blob b = save(sim);
            assert_ok(cn_sim_restore(scenario, b.bytes, b.size, NULL, &restored));
            assert_ok(cn_sim_step(sim, 5, NULL));
            assert_ok(cn_sim_step(restored, 5, NULL));
            assert_same_bytes(sim, restored);
            free(b.bytes);
            cn_sim_close(&sim);
            cn_sim_close(&restored);
        }
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

static void every_simulated_system_has_a_case(void **state)
{
    (void)state;
    cn_topology *cube = NULL;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (size_t system = 0; system < cn_system_count(); system++) {
        size_t found = 0;
        for (size_t i = 0; i < snapshot_cases(); i++) {
            cn_scenario *scenario = scenario_of(i, 1);
            found += strcmp(cn_scenario_system(scenario), cn_system_name(system)) == 0;
            cn_scenario_free(&scenario);
        }
        assert_true(found > 0 || cn_system_check_simulator(system, cube) != CN_OK);
    }
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_simulated_system_has_a_case),
        cmocka_unit_test(moving_changes_nothing),
        cmocka_unit_test(pieces_of_broadcasts_are_restored),
        cmocka_unit_test(steps_leave_no_trace),
        cmocka_unit_test(another_scenario_is_refused),
        cmocka_unit_test(what_changes_no_bits_may_differ),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(made_up_numbers_do_no_harm),
        cmocka_unit_test(made_up_destinations_do_no_harm),
        cmocka_unit_test(made_up_counts_do_no_harm),
        cmocka_unit_test(the_size_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A network in parts, each in a thread of its own, gives the bits of the whole one: results,
 * deliveries, loads. */
#include "support/support.h"

#include <string.h>

#include "base/archive.h"
#include "base/random.h"
#include "simulation/kernel/part_buffer.h"
#include "support/part_host.h"

enum { CYCLES = 60, WARMUP = 20, MOST_PARTS = 8, MOST_DELIVERED = 1 << 15, STEPS = 5 };

typedef enum network { CUBE, RINGS, ONE_WAY, PSNN, TORUS, DAMAGED, DE_BRUIJN } network;
typedef enum traffic { PLAIN, ON_OFF, TRACE } traffic;

typedef struct run_case {
    const char *name, *system;
    network network;
    uint64_t radix;
    uint32_t size;
    double load;
    traffic traffic;
    int statistics;
    uint32_t burst; /* messages that node 1 sends to the last node, at a time */
    const char *routing;
    cn_selection selection;
} run_case;

#define SEPARATE "separate-buffers"
#define SHARED "shared-buffer"
#define LOWEST CN_SELECTION_LOWEST

static const run_case cases[] = {
    {"deflection on the 10-cube", "deflection", CUBE, 2, 10, 0.7, PLAIN, 1, 0, NULL, 0},
    {"the same without statistics", "deflection", CUBE, 2, 10, 1.2, PLAIN, 0, 0, NULL, 0},
    {"on 8-ary 4-cubes", "deflection", RINGS, 8, 4, 0.5, PLAIN, 1, 0, NULL, 0},
    {"on 5-ary 4-cubes", "deflection", RINGS, 5, 4, 0.6, ON_OFF, 1, 0, NULL, 0},
    {"on rings of one direction", "deflection", ONE_WAY, 4, 5, 0.1, PLAIN, 1, 0, NULL, 0},
    {"on PSNN(10)", "deflection", PSNN, 2, 10, 0.2, PLAIN, 1, 0, NULL, 0},
    {"on a torus", "deflection", TORUS, 24, 2, 0.1, ON_OFF, 0, 0, "minimal", 0},
    {"on a damaged cube", "deflection", DAMAGED, 2, 9, 0.3, PLAIN, 1, 0, NULL, 0},
    {"by the lowest channel", "deflection", ONE_WAY, 4, 5, 0.1, PLAIN, 1, 0, NULL, LOWEST},
    {"by the least loaded one", "deflection", CUBE, 2, 9, 0.6, ON_OFF, 0, 0, NULL,
     CN_SELECTION_LEAST_LOADED},
    {"a trace", "deflection", CUBE, 2, 9, -1, TRACE, 1, 0, NULL, 0},
    {"many letters", "deflection", CUBE, 2, 9, 0, PLAIN, 0, 9, NULL, 0},
    {"separate buffers on the 10-cube", SEPARATE, CUBE, 2, 10, 1.2, PLAIN, 1, 0, NULL, 0},
    {"least loaded", SEPARATE, CUBE, 2, 9, 0.6, ON_OFF, 0, 0, NULL, CN_SELECTION_LEAST_LOADED},
    {"on 8-ary 4-cubes", SEPARATE, RINGS, 8, 4, 0.4, PLAIN, 1, 0, NULL, 0},
    {"on PSNN(10)", SEPARATE, PSNN, 2, 10, 0.3, PLAIN, 1, 0, NULL, 0},
    {"by way of another node", SEPARATE, TORUS, 24, 2, 0.05, PLAIN, 1, 0, "valiant", 0},
    {"on a de Bruijn network", SEPARATE, DE_BRUIJN, 2, 9, 0.1, PLAIN, 1, 0, NULL, 0},
    {"on a damaged cube", SEPARATE, DAMAGED, 2, 9, 0.5, PLAIN, 0, 0, NULL, 0},
    {"a trace", SEPARATE, CUBE, 2, 9, -1, TRACE, 1, 0, NULL, 0},
    {"many letters", SEPARATE, DE_BRUIJN, 2, 9, 0, PLAIN, 0, 9, NULL, LOWEST},
    {"a shared buffer on the 10-cube", SHARED, CUBE, 2, 10, 1.2, PLAIN, 1, 0, NULL, 0},
    {"on 8-ary 4-cubes", SHARED, RINGS, 8, 4, 0.4, ON_OFF, 1, 0, NULL, 0},
    {"on PSNN(10)", SHARED, PSNN, 2, 10, 0.3, PLAIN, 1, 0, NULL, LOWEST},
    {"on rings of one direction", SHARED, ONE_WAY, 4, 5, 0.1, PLAIN, 1, 0, NULL, 0},
    {"a trace", SHARED, TORUS, 24, 2, -1, TRACE, 0, 0, "up-down-adaptive", 0},
    {"many letters", SHARED, CUBE, 2, 9, 0, PLAIN, 0, 9, NULL, 0},
};

/* ---- scenarios ---- */

static void add_trace(cn_scenario *scenario, const cn_topology *t)
{
    enum { COUNT = 3000 };
    static uint64_t cycles[COUNT], sources[COUNT], destinations[COUNT];
    uint64_t nodes = cn_topology_node_count(t);
    cn_traffic *made;
    for (size_t i = 0; i < COUNT; i++) {
        cycles[i] = i / 30;
        sources[i] = cni_random_word(5, i) % nodes;
        destinations[i] = (sources[i] + 1 + cni_random_word(6, i) % (nodes - 1)) % nodes;
    }
    assert_ok(cn_traffic_trace(t, cycles, sources, destinations, NULL, COUNT, &made));
    assert_ok(cn_scenario_set_traffic(scenario, made));
    cn_traffic_free(&made);
}

static void add_on_off(cn_scenario *scenario, const cn_topology *t)
{
    cn_traffic *made;
    assert_ok(cn_traffic_new(t, CN_PATTERN_UNIFORM, &made));
    assert_ok(cn_traffic_set_on_off(made, 8.0, 3.0));
    assert_ok(cn_scenario_set_traffic(scenario, made));
    cn_traffic_free(&made);
}

static void damage(cn_scenario *scenario, const cn_topology *t)
{
    cn_faults *faults;
    assert_ok(cn_faults_new(t, &faults));
    for (uint64_t v = 0; v < 12; v++)
        assert_ok(cn_faults_add_node(faults, 37 * v + 5));
    assert_ok(cn_scenario_set_faults(scenario, faults));
    cn_faults_free(&faults);
}

static cn_topology *topology_of(const run_case *c)
{
    const uint64_t two[] = {c->radix, c->radix + 1};
    cn_topology *t = NULL;
    if (c->network == CUBE || c->network == DAMAGED)
        assert_ok(cn_topology_hypercube(c->size, &t));
    else if (c->network == RINGS || c->network == ONE_WAY)
        assert_ok(cn_topology_kary_ncube(c->radix, c->size, c->network == RINGS, &t));
    else if (c->network == PSNN)
        assert_ok(cn_topology_psnn(c->size, &t));
    else if (c->network == DE_BRUIJN)
        assert_ok(cn_topology_de_bruijn(c->size, &t));
    else
        assert_ok(cn_topology_torus(two, 2, &t));
    return t;
}

static cn_scenario *scenario_of(const run_case *c, double threads)
{
    cn_topology *t = topology_of(c);
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(t, c->system, &scenario));
    if (c->load >= 0)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, c->load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, WARMUP));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STATISTICS, c->statistics));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SELECTION, c->selection));
    if (strcmp(c->system, "deflection") != 0)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 1));
    if (c->routing != NULL)
        assert_ok(cn_scenario_set_routing_name(scenario, c->routing));
    if (c->traffic == TRACE)
        add_trace(scenario, t);
    if (c->traffic == ON_OFF)
        add_on_off(scenario, t);
    if (c->network == DAMAGED)
        damage(scenario, t);
    cn_scenario_set_seed(scenario, 77);
    cn_topology_free(&t);
    return scenario;
}

/* ---- a run ---- */

/* What a part, or the whole, is given and gives. */
typedef struct part_run {
    const run_case *what;
    cn_scenario *scenario;
    uint32_t parts; /* 0: the whole network */
    uint64_t nodes, first, count;
    uint64_t save_at; /* cycle at which it is saved, closed and restored; 0: never */
    cn_status status;
    char error[300];
    cn_delivery *delivered;
    size_t deliveries;
    uint64_t *loads;
    size_t load_count;
    uint8_t *counts;
    size_t counts_size;
    uint64_t flying;
    cn_result *result;
} part_run;

static cn_status inject(cn_sim *sim, const part_run *run, uint64_t cycle)
{
    for (uint64_t i = 0; i < 6; i++) {
        uint64_t word = cni_random_word(cycle, i), source = word % run->nodes;
        uint64_t destination = (source + 1 + (word >> 32) % (run->nodes - 1)) % run->nodes;
        cn_status status = CN_OK;
        if (source >= run->first && source - run->first < run->count)
            status = cn_sim_inject(sim, source, destination, 0, 1000 * cycle + i);
        if (status < CN_OK && status != CN_ERR_DISCONNECTED)
            return status;
    }
    for (uint64_t v = 0; v < run->nodes / 2 && run->what->burst > 0 && cycle == 30; v++)
        for (uint32_t i = 0; i < run->what->burst && v >= run->first && v - run->first < run->count;
             i++) {
            cn_status status = cn_sim_inject(sim, v, run->nodes - 1 - v, 0, 10 * v + i);
            if (status < CN_OK)
                return status;
        }
    return CN_OK;
}

static void fetch(cn_sim *sim, part_run *run)
{
    while (run->deliveries < MOST_DELIVERED &&
           cn_sim_next_delivery(sim, &run->delivered[run->deliveries], sizeof *run->delivered) ==
               CN_OK)
        run->deliveries += 1;
}

static cn_status reopen(cn_sim **sim, const part_run *run, part_port *port)
{
    size_t size = 0;
    cn_sim_save(*sim, NULL, 0, &size);
    uint8_t *bytes = malloc(size);
    cn_status status = cn_sim_save(*sim, bytes, size, NULL);
    cn_sim_close(sim);
    if (status == CN_OK)
        status = run->parts > 0 ? cn_sim_restore_part(run->scenario, bytes, size, part_exchange,
                                                      port, NULL, sim)
                                : cn_sim_restore(run->scenario, bytes, size, NULL, sim);
    free(bytes);
    return status;
}

static cn_status finish(cn_sim *sim, part_run *run)
{
    run->flying = cn_sim_in_flight(sim);
    if (run->what->statistics) {
        cn_sim_channel_loads(sim, NULL, 0, &run->load_count);
        run->loads = calloc(run->load_count, sizeof *run->loads);
        cn_status status = cn_sim_channel_loads(sim, run->loads, run->load_count, NULL);
        if (status != CN_OK)
            return status;
    }
    if (run->parts == 0)
        return cn_sim_result(sim, &run->result);
    cn_sim_save_counts(sim, NULL, 0, &run->counts_size);
    run->counts = malloc(run->counts_size);
    return cn_sim_save_counts(sim, run->counts, run->counts_size, NULL);
}

/* Steps of different lengths, as many cycles for all. */
static cn_status step(cn_sim *sim, part_run *run, part_port *port, cn_sim **now)
{
    static const uint64_t steps[STEPS] = {1, 5, 2, 3, 1};
    *now = sim;
    if (run->what->traffic == TRACE && cn_sim_report_trace(sim) != CN_OK)
        return CN_ERR_INTERNAL;
    for (size_t i = 0; cn_sim_cycle(*now) < CYCLES; i++) {
        uint64_t cycle = cn_sim_cycle(*now), left = CYCLES - cycle, next = steps[i % STEPS];
        cn_status status = inject(*now, run, cycle);
        if (status == CN_OK)
            status = cn_sim_step(*now, next < left ? next : left, NULL);
        if (status != CN_OK)
            return status;
        fetch(*now, run);
        if (run->save_at > 0 && cycle < run->save_at && cn_sim_cycle(*now) >= run->save_at)
            status = reopen(now, run, port);
        if (status != CN_OK)
            return status;
    }
    return finish(*now, run);
}

static void work(part_port *port)
{
    part_run *run = port->context;
    cn_sim *sim = NULL;
    run->status = run->parts > 0 ? cn_sim_open_part(run->scenario, port->part, run->parts,
                                                    part_exchange, port, NULL, &sim)
                                 : cn_sim_open(run->scenario, NULL, &sim);
    if (run->status == CN_OK)
        run->status = step(sim, run, port, &sim);
    if (run->status != CN_OK)
        strncpy(run->error, cn_last_error(), sizeof run->error - 1);
    if (run->status != CN_OK && sim != NULL && port->host != NULL)
        part_exchange(port, CN_EXCHANGE_STOP, 0, NULL, 0);
    cn_sim_close(&sim);
}

static part_run new_run(const run_case *c, cn_scenario *scenario, uint32_t part, uint32_t parts)
{
    cn_topology *t = topology_of(c);
    part_run run = {.what = c, .scenario = scenario, .parts = parts};
    run.nodes = run.count = cn_topology_node_count(t);
    if (parts > 0)
        assert_ok(cn_part_nodes(t, part, parts, &run.first, &run.count));
    run.delivered = calloc(MOST_DELIVERED, sizeof *run.delivered);
    cn_topology_free(&t);
    return run;
}

static void free_run(part_run *run)
{
    free(run->delivered);
    free(run->loads);
    free(run->counts);
    cn_result_free(&run->result);
}

/* ---- comparing ---- */

static int by_arrival(const void *a, const void *b)
{
    const cn_delivery *one = a, *other = b;
    const uint64_t keys[][2] = {{one->delivered, other->delivered},
                                {one->destination, other->destination},
                                {one->source, other->source},
                                {one->injected, other->injected},
                                {one->tag, other->tag}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static void assert_same_deliveries(part_run *whole, const part_run parts[], uint32_t count)
{
    cn_delivery *all = calloc(MOST_DELIVERED, sizeof *all);
    size_t found = 0;
    for (uint32_t p = 0; p < count; p++)
        for (size_t i = 0; i < parts[p].deliveries; i++) {
            const cn_delivery *d = &parts[p].delivered[i];
            assert_in_range(d->destination, parts[p].first, parts[p].first + parts[p].count - 1);
            assert_true(i == 0 || d[-1].delivered < d->delivered ||
                        (d[-1].delivered == d->delivered && d[-1].destination <= d->destination));
            all[found++] = *d;
        }
    if (found != whole->deliveries)
        fail_msg("%s in %u parts: %zu deliveries, not %zu", whole->what->name, (unsigned)count,
                 found, whole->deliveries);
    assert_true(found > 60);
    qsort(all, found, sizeof *all, by_arrival);
    qsort(whole->delivered, found, sizeof *all, by_arrival);
    for (size_t i = 0; i < found; i++)
        assert_memory_equal(&all[i], &whole->delivered[i], sizeof *all);
    free(all);
}

static void assert_same_statistics(const cn_result *a, const cn_result *b)
{
    size_t length[2] = {0, 0};
    cn_result_json(a, NULL, 0, &length[0]);
    cn_result_json(b, NULL, 0, &length[1]);
    assert_int_equal(length[0], length[1]);
    char *text[2] = {malloc(length[0] + 1), malloc(length[1] + 1)};
    assert_ok(cn_result_json(a, text[0], length[0] + 1, NULL));
    assert_ok(cn_result_json(b, text[1], length[1] + 1, NULL));
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
}

static cn_result *merge(const run_case *c, const part_run parts[], uint32_t count)
{
    const uint8_t *data[MOST_PARTS];
    size_t sizes[MOST_PARTS];
    cn_result *merged = NULL;
    cn_scenario *scenario = scenario_of(c, 1);
    for (uint32_t p = 0; p < count; p++) {
        data[p] = parts[(p + 1) % count].counts;
        sizes[p] = parts[(p + 1) % count].counts_size;
    }
    assert_ok(cn_result_merge_parts(scenario, data, sizes, count, &merged));
    cn_scenario_free(&scenario);
    return merged;
}

static void check_parts(const run_case *c, part_run *whole, uint32_t count, double threads,
                        uint64_t save_at)
{
    cn_scenario *scenario = scenario_of(c, threads);
    part_run parts[MOST_PARTS];
    part_port ports[MOST_PARTS] = {{0}};
    uint64_t flying = 0;
    for (uint32_t p = 0; p < count; p++) {
        parts[p] = new_run(c, scenario, p, count);
        parts[p].save_at = save_at;
        ports[p].context = &parts[p];
    }
    assert_true(part_host_run(count, ports, work));
    for (uint32_t p = 0; p < count; p++) {
        if (parts[p].status != CN_OK)
            fail_msg("%s, part %u of %u: %s", c->name, (unsigned)p, (unsigned)count,
                     parts[p].error);
        flying += parts[p].flying;
        for (size_t i = 0; i < parts[p].load_count; i++)
            if (parts[p].loads[i] !=
                whole->loads[parts[p].first * (whole->load_count / whole->nodes) + i])
                fail_msg("%s: load %zu of part %u of %u", c->name, i, (unsigned)p, (unsigned)count);
    }
    assert_int_equal(flying, whole->flying);
    assert_same_deliveries(whole, parts, count);
    cn_result *merged = merge(c, parts, count);
    assert_same_result(merged, whole->result);
    assert_same_statistics(merged, whole->result);
    cn_result_free(&merged);
    for (uint32_t p = 0; p < count; p++)
        free_run(&parts[p]);
    cn_scenario_free(&scenario);
}

static part_run run_whole(const run_case *c)
{
    cn_scenario *scenario = scenario_of(c, 1);
    part_run whole = new_run(c, scenario, 0, 0);
    part_port port = {.context = &whole};
    work(&port);
    if (whole.status != CN_OK)
        fail_msg("%s: %s", c->name, whole.error);
    cn_scenario_free(&scenario);
    return whole;
}

static int is_large(const run_case *c)
{
    return c->network == PSNN || (c->network == RINGS && c->radix == 8);
}

static int is_10_cube(const run_case *c)
{
    return c->network == CUBE && c->size == 10;
}

static void test_parts_have_the_bits_of_the_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const run_case *c = &cases[i];
        part_run whole = run_whole(c);
        for (uint32_t count = 1; count <= MOST_PARTS; count *= 2)
            if (is_10_cube(c) || count == (is_large(c) ? 8 : 4))
                check_parts(c, &whole, count, count == 2 ? 2 : 1, 0);
        check_parts(c, &whole, 3, 1, CYCLES / 2);
        free_run(&whole);
    }
}

/* ---- what fails ---- */

static void run_parts(const run_case *c, uint32_t count, part_port ports[], part_run parts[])
{
    cn_scenario *scenario = scenario_of(c, 1);
    for (uint32_t p = 0; p < count; p++) {
        parts[p] = new_run(c, scenario, p, count);
        ports[p].context = &parts[p];
    }
    assert_true(part_host_run(count, ports, work));
    cn_scenario_free(&scenario);
}

static void run_failing(const run_case *c, uint32_t count, part_port ports[], part_run parts[])
{
    run_parts(c, count, ports, parts);
    for (uint32_t p = 0; p < count; p++) {
        assert_int_equal(parts[p].status, CN_ERR_EXCHANGE);
        assert_true(ports[p].stopped);
        free_run(&parts[p]);
    }
}

static void test_a_failing_exchange_ends_every_part(void **state)
{
    (void)state;
    for (size_t i = 0; i < 40; i++) {
        const run_case *c = &cases[i % (sizeof cases / sizeof cases[0])];
        part_run parts[4];
        part_port ports[4] = {{0}};
        if (!is_10_cube(c))
            continue;
        ports[2].fails_at = 1 + i;
        run_failing(c, 4, ports, parts);
        assert_non_null(strstr(parts[2].error, "returned 42"));
    }
}

static size_t damaged_word; /* for all parts */

static int invert_bit(part_port *port, uint64_t words[], size_t count)
{
    words[damaged_word % count] ^= 4;
    return port->damaged == 0;
}

/* Two words behind the head that follow each other: their sum stays. */
static int swap_words(part_port *port, uint64_t words[], size_t count)
{
    for (size_t i = CNI_HEAD_WORDS; i + 1 < count && port->damaged == 0; i++) {
        uint64_t word = words[i];
        if (word == words[i + 1])
            continue;
        words[i] = words[i + 1];
        words[i + 1] = word;
        return 1;
    }
    return 0;
}

static void run_damaged(const run_case *c, int (*how)(part_port *, uint64_t[], size_t))
{
    static const char *const sentences[] = {"is not what that one sent", "but it got what part"};
    part_run parts[2];
    part_port ports[2] = {{.damage_at = 20, .damage = how}, {0}};
    run_failing(c, 2, ports, parts);
    assert_int_equal(ports[0].damaged, 1);
    assert_true(strstr(parts[0].error, sentences[0]) != NULL ||
                strstr(parts[0].error, sentences[1]) != NULL);
}

/* In every word of the head and behind it: a part that believed what is damaged would wait for
 * more. */
static void test_damage_on_the_way_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!is_10_cube(&cases[i]))
            continue;
        for (damaged_word = 0; damaged_word < 10; damaged_word++)
            run_damaged(&cases[i], invert_bit);
        run_damaged(&cases[i], swap_words);
    }
}

/* A host that lies changes a word and makes the sum right. */
static int forge(part_port *port, uint64_t words[], size_t count)
{
    uint64_t random = cni_random_word(1000 * damaged_word + port->part, port->calls);
    if (random % 5 != 0 || count <= CNI_HEAD_WORDS)
        return 0;
    uint64_t *word = &words[CNI_HEAD_WORDS + (random >> 8) % (count - CNI_HEAD_WORDS)];
    random = cni_random_mix(random);
    if (random % 4 == 0)
        *word = random;
    else if (random % 4 == 1)
        *word += random >> 60;
    else
        *word ^= UINT64_C(1) << (random >> 8) % 64;
    words[CNI_HEAD_SUM] = cni_part_sum(words, count);
    return 1;
}

/* What it makes up may be possible, and then the result is another; else it is found. */
static void test_forged_messages_do_no_harm(void **state)
{
    uint64_t forged = 0, found = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (damaged_word = 0; damaged_word < (is_large(&cases[i]) ? 1 : 3); damaged_word++) {
            part_run parts[2];
            part_port ports[2] = {{.damage_at = 3, .damage = forge}, {0}};
            run_parts(&cases[i], 2, ports, parts);
            forged += ports[0].damaged;
            found += parts[0].status == CN_ERR_EXCHANGE;
            for (uint32_t p = 0; p < 2; p++) {
                assert_true(parts[p].status == CN_OK || ports[p].stopped ||
                            parts[p].status == CN_ERR_INTERNAL);
                free_run(&parts[p]);
            }
        }
    assert_true(forged > 100 && found > 10);
}

/* Sends node 64 of a star, a leaf, a message for its center in a row. */
static int send_to_leaf(void *user, int call, uint64_t number, cn_part_neighbor *const neighbors[],
                        size_t count)
{
    const uint64_t *row = user;
    uint64_t words[] = {0,
                        number,
                        neighbors == NULL ? 0 : neighbors[0]->part,
                        3,
                        0,
                        0,
                        *row << CNI_PART_ROW_SHIFT | 64,
                        1,
                        0};
    if (call != CN_EXCHANGE_END)
        return 0;
    assert_int_equal(count, 1);
    words[CNI_HEAD_SUM] = cni_part_sum(words, sizeof words / sizeof words[0]);
    memcpy(neighbors[0]->received, words, sizeof words);
    neighbors[0]->received_size = sizeof words;
    return 0;
}

/* The center has 64 of them, and a leaf buffers for one. */
static void test_a_node_takes_nothing_beyond_its_inlets(void **state)
{
    cn_topology *star;
    cn_scenario *scenario;
    (void)state;
    assert_ok(cn_topology_star(65, &star));
    assert_ok(cn_scenario_new(star, "deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 64));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set_routing_name(scenario, "minimal"));
    for (uint64_t row = 0; row < 2; row++) {
        cn_sim *part;
        assert_ok(cn_sim_open_part(scenario, 1, 2, send_to_leaf, &row, NULL, &part));
        assert_int_equal(cn_sim_step(part, 1, NULL), row == 0 ? CN_OK : CN_ERR_EXCHANGE);
        cn_sim_close(&part);
    }
    cn_scenario_free(&scenario);
    cn_topology_free(&star);
}

/* Sends the first neighbour's part a message from node 65 by its channel to node 64, which lies in
 * the same part: a way up after a way down, so node 64 has no channel for the message. */
static int send_by_inner_channel(void *user, int call, uint64_t number,
                                 cn_part_neighbor *const neighbors[], size_t count)
{
    int *armed = user;
    for (size_t i = 0; call == CN_EXCHANGE_END && i < count; i++) {
        uint64_t words[] = {0, number, neighbors[i]->part, 5, 0, 0, 65, 1, 0, 1, 1 << 8 | 1};
        size_t length = *armed ? sizeof words / sizeof words[0] : CNI_HEAD_WORDS;
        *armed = 0;
        words[CNI_HEAD_RUNS] = length - CNI_HEAD_WORDS;
        words[CNI_HEAD_SUM] = cni_part_sum(words, length);
        memcpy(neighbors[i]->received, words, length * sizeof words[0]);
        neighbors[i]->received_size = length * sizeof words[0];
    }
    return 0;
}

static void test_a_channel_inside_a_part_gets_nothing_from_others(void **state)
{
    const uint64_t sides[] = {16, 16};
    cn_topology *mesh;
    cn_scenario *scenario;
    cn_sim *part;
    (void)state;
    assert_ok(cn_topology_mesh(sides, 2, &mesh));
    assert_ok(cn_scenario_new(mesh, SEPARATE, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set_routing_name(scenario, "up-down"));
    for (int armed = 0; armed < 2; armed++) {
        int is_armed = armed;
        assert_ok(cn_sim_open_part(scenario, 1, 4, send_by_inner_channel, &is_armed, NULL, &part));
        assert_int_equal(cn_sim_step(part, 20, NULL), armed ? CN_ERR_EXCHANGE : CN_OK);
        cn_sim_close(&part);
    }
    cn_scenario_free(&scenario);
    cn_topology_free(&mesh);
}

static int no_exchange(void *user, int call, uint64_t number, cn_part_neighbor *const neighbors[],
                       size_t count)
{
    (void)user;
    (void)call;
    (void)number;
    (void)neighbors;
    (void)count;
    return 1;
}

static void test_what_cannot_be_divided_is_refused(void **state)
{
    (void)state;
    cn_sim *sim;
    cn_scenario *scenario = cube_scenario("wormhole", 8, 0.01);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 10));
    assert_fails(cn_sim_open_part(scenario, 0, 2, no_exchange, NULL, NULL, &sim),
                 CN_ERR_UNSUPPORTED, "wormhole cannot be divided");
    cn_scenario_free(&scenario);
    scenario = cube_scenario("deflection", 8, 0.1);
    assert_fails(cn_sim_open_part(scenario, 0, 2, no_exchange, NULL, NULL, &sim),
                 CN_ERR_UNSUPPORTED, "warmup_cycles = automatic");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 10));
    assert_fails(cn_sim_open_part(scenario, 0, 5, no_exchange, NULL, NULL, &sim), CN_ERR_ARGUMENT,
                 "1 to 4 parts");
    assert_fails(cn_sim_open_part(scenario, 2, 2, no_exchange, NULL, NULL, &sim), CN_ERR_ARGUMENT,
                 "part = 2");
    assert_fails(cn_sim_open_part(scenario, 0, 2, NULL, NULL, NULL, &sim), CN_ERR_ARGUMENT,
                 "exchange");
    cn_scenario_free(&scenario);
}

/* A part of the largest cube that a message has room for. */
static void test_cubes_have_up_to_24_dimensions(void **state)
{
    (void)state;
    for (uint32_t n = 24; n <= 25; n++) {
        cn_sim *sim = NULL;
        cn_scenario *scenario = cube_scenario("deflection", n, 0.1);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, n));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 10));
        if (n == 24)
            assert_ok(cn_sim_open_part(scenario, 5, 4096, no_exchange, NULL, NULL, &sim));
        else
            assert_fails(cn_sim_open_part(scenario, 5, 4096, no_exchange, NULL, NULL, &sim),
                         CN_ERR_UNSUPPORTED, "64 bits");
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
}

static void test_a_part_says_what_it_does_not_do(void **state)
{
    (void)state;
    cn_sim *sim, *other;
    cn_result *result;
    cn_scenario *scenario = cube_scenario("deflection", 8, 0.1);
    uint8_t data[8];
    size_t size;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_sim_open_part(scenario, 1, 2, no_exchange, NULL, NULL, &sim));
    assert_fails(cn_sim_result(sim, &result), CN_ERR_UNSUPPORTED, "cn_result_merge_parts()");
    assert_fails(cn_sim_step_until(sim, 9, NULL), CN_ERR_UNSUPPORTED, "part 1 of 2");
    assert_fails(cn_sim_copy(sim, NULL, &other), CN_ERR_UNSUPPORTED, "part 1 of 2");
    assert_fails(cn_sim_inject(sim, 3, 200, 0, 0), CN_ERR_ARGUMENT, "nodes 128 to 255");
    assert_ok(cn_sim_inject(sim, 200, 3, 0, 0));
    assert_fails(cn_sim_save_counts(sim, data, sizeof data, &size), CN_ERR_STATE, "no cycle");
    assert_fails(cn_sim_step(sim, 1, NULL), CN_ERR_EXCHANGE, "returned 1");
    assert_fails(cn_sim_step(sim, 1, NULL), CN_ERR_STATE, "ended");
    cn_sim_close(&sim);
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_exchanged(sim, NULL, NULL, NULL, NULL), CN_ERR_STATE, "no part");
    assert_fails(cn_sim_save_counts(sim, data, sizeof data, &size), CN_ERR_STATE,
                 "cn_sim_result()");
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

/* With a hash that fits: bits of what was counted, one at a time. */
static void make_up_counts(const cn_scenario *scenario, part_run parts[2])
{
    const uint8_t *data[] = {parts[0].counts, parts[1].counts};
    size_t sizes[] = {parts[0].counts_size, parts[1].counts_size};
    size_t end = sizes[0] - 8, refused = 0;
    for (size_t bit = 8 * 64; bit < 8 * end; bit += 1 + bit % 259) {
        cn_result *merged;
        parts[0].counts[bit / 8] ^= (uint8_t)(1 << bit % 8);
        uint64_t hash = cni_hash_bytes(parts[0].counts, end);
        for (size_t i = 0; i < 8; i++)
            parts[0].counts[end + i] = (uint8_t)(hash >> 8 * i);
        if (cn_result_merge_parts(scenario, data, sizes, 2, &merged) == CN_OK) {
            double most = value_of(merged, CN_METRIC_MESSAGES_OFFERED);
            double refused_ones = value_of(merged, CN_METRIC_MESSAGES_REFUSED);
            assert_true(refused_ones >= 0.0 && refused_ones <= most && most < 0x1.8p63);
        } else
            refused++;
        cn_result_free(&merged);
        parts[0].counts[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(refused > 20);
    uint64_t hash = cni_hash_bytes(parts[0].counts, end);
    for (size_t i = 0; i < 8; i++)
        parts[0].counts[end + i] = (uint8_t)(hash >> 8 * i);
}

static void test_merging_refuses_what_does_not_fit(void **state)
{
    (void)state;
    cn_scenario *scenario = scenario_of(&cases[0], 1);
    part_run parts[2];
    part_port ports[2] = {{0}};
    cn_result *merged;
    for (uint32_t p = 0; p < 2; p++) {
        parts[p] = new_run(&cases[0], scenario, p, 2);
        ports[p].context = &parts[p];
    }
    assert_true(part_host_run(2, ports, work));
    make_up_counts(scenario, parts);
    const uint8_t *twice[] = {parts[0].counts, parts[0].counts};
    size_t sizes[] = {parts[0].counts_size, parts[0].counts_size};
    assert_fails(cn_result_merge_parts(scenario, twice, sizes, 2, &merged), CN_ERR_ARGUMENT,
                 "part 0 of 2 is there twice");
    assert_fails(cn_result_merge_parts(scenario, twice, sizes, 1, &merged), CN_ERR_ARGUMENT,
                 "one of 2 parts");
    parts[0].counts[100] ^= 1;
    assert_fails(cn_result_merge_parts(scenario, twice, sizes, 2, &merged), CN_ERR_ARGUMENT,
                 "the bytes of data are damaged: its hash");
    cn_sim *sim;
    assert_fails(cn_sim_restore_part(scenario, parts[0].counts, parts[0].counts_size, part_exchange,
                                     NULL, NULL, &sim),
                 CN_ERR_ARGUMENT, "cn_sim_restore_part: the");
    cn_scenario_set_seed(scenario, 78);
    parts[0].counts[100] ^= 1;
    assert_fails(cn_result_merge_parts(scenario, twice, sizes, 2, &merged), CN_ERR_ARGUMENT,
                 "seed 77");
    for (uint32_t p = 0; p < 2; p++)
        free_run(&parts[p]);
    cn_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_have_the_bits_of_the_whole),
        cmocka_unit_test(test_a_failing_exchange_ends_every_part),
        cmocka_unit_test(test_damage_on_the_way_is_found),
        cmocka_unit_test(test_forged_messages_do_no_harm),
        cmocka_unit_test(test_a_node_takes_nothing_beyond_its_inlets),
        cmocka_unit_test(test_a_channel_inside_a_part_gets_nothing_from_others),
        cmocka_unit_test(test_what_cannot_be_divided_is_refused),
        cmocka_unit_test(test_cubes_have_up_to_24_dimensions),
        cmocka_unit_test(test_a_part_says_what_it_does_not_do),
        cmocka_unit_test(test_merging_refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

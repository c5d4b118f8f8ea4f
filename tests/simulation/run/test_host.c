/* The clock of a host: the next event, cycles that are skipped, messages of their own length. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "scenario/system.h"
#include "simulation/kernel/kernel.h"

/* ---- what is simulated ---- */

typedef struct setting {
    const char *system;
    int slotted;
    double load;
    int has_trace;
    double threads;
    double startup;
} setting;

static const setting settings[] = {
    {"deflection", 1, 0.0, 0, 1, 0},
    {"deflection", 1, 0.0, 1, 1, 0},
    {"deflection", 1, 0.0, 1, 2, 0},
    {"separate-buffers", 1, 0.0, 0, 1, 0},
    {"separate-buffers", 1, 0.0, 1, 1, 0},
    {"separate-buffers", 1, 0.0, 1, 3, 0},
    {"separate-buffers", 0, 0.0, 0, 1, 0},
    {"separate-buffers", 0, 1e-4, 0, 1, 0},
    {"shared-buffer", 1, 0.0, 1, 1, 0},
    {"shared-buffer", 1, 0.001, 0, 1, 0},
    {"deflection", 1, 0.001, 0, 1, 0},
    {"wormhole", 1, 0.0, 0, 1, 0},
    {"wormhole", 1, 1e-4, 0, 1, 0},
    {"wormhole", 1, 1e-5, 0, 1, 30},
    {"wormhole", 1, 0.0, 1, 1, 0},
    {"wormhole", 1, 0.0, 1, 1, 40},
    {"cut-through", 1, 0.0, 0, 1, 0},
    {"cut-through", 1, 1e-4, 0, 1, 0},
    {"cut-through", 1, 1e-5, 0, 1, 30},
    {"cut-through", 1, 0.0, 1, 1, 0},
    {"collective", 1, 0.0, 0, 1, 0},
    {"cut-through-deflection", 1, 0.0, 0, 1, 0},
    {"cut-through-deflection", 1, 1e-4, 0, 1, 0},
    {"cut-through-deflection", 1, 0.0, 1, 2, 0},
};
enum { SETTINGS = sizeof settings / sizeof *settings, CYCLES = 6000, NODES = 16 };

enum { TRACED = 120 };
static uint64_t trace_cycles[TRACED], trace_sources[TRACED], trace_destinations[TRACED];

/* Bursts with long gaps, the first of them before the first cycle. */
static void set_trace(cn_scenario *scenario, const cn_topology *topology)
{
    cn_traffic *trace;
    for (uint64_t i = 0; i < TRACED; i++) {
        trace_cycles[i] = i / 12 * 523 + (i < 60 || i >= 84 ? 0 : i % 12 / 4);
        trace_sources[i] = cni_random_word(5, 2 * i) % (i < 84 ? NODES : 3);
        trace_destinations[i] =
            (trace_sources[i] + 1 + cni_random_word(5, 2 * i + 1) % (NODES - 1)) % NODES;
    }
    assert_ok(cn_traffic_trace(topology, trace_cycles, trace_sources, trace_destinations, NULL,
                               TRACED, &trace));
    assert_ok(cn_scenario_set_traffic(scenario, trace));
    cn_traffic_free(&trace);
}

static void set_operations(cn_scenario *scenario, const cn_topology *topology)
{
    cn_operations *list;
    const uint64_t some[] = {3, 5, 9};
    assert_ok(cn_operations_new(topology, &list));
    assert_ok(cn_operations_add_broadcast(list, 2, 0));
    assert_ok(cn_operations_add(list, 1, some, 3, 700));
    assert_ok(cn_operations_add_broadcast(list, 7, 702));
    assert_ok(cn_operations_add(list, 4, some, 3, 3000));
    assert_ok(cn_scenario_set_operations(scenario, list));
    cn_operations_free(&list);
}

static cn_scenario *scenario_of(const setting *s)
{
    cn_topology *topology;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(4, &topology));
    assert_ok(cn_scenario_new(topology, s->system, &scenario));
    if (cn_scenario_takes(scenario, CN_PARAM_LOAD)) {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, s->load));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 100));
    } else {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, CN_MACHINE_CHANNELS));
        set_operations(scenario, topology);
    }
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, s->threads));
    if (cn_scenario_takes(scenario, CN_PARAM_SLOTTED))
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, s->slotted));
    if (cn_scenario_takes(scenario, CN_PARAM_STARTUP_LATENCY))
        assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, s->startup));
    if (s->has_trace)
        set_trace(scenario, topology);
    cn_topology_free(&topology);
    return scenario;
}

/* What the caller injects at the end of a cycle: seldom, and sometimes several. */
static int injected_at(uint64_t cycle)
{
    return cycle % 911 == 5 ? 3 : cycle == 0 || cycle % 1000 == 0;
}

/* ---- the same bits ---- */

static void inject_kernel(const cni_kernel *kernel, void *state, uint64_t cycle)
{
    for (int i = 0; i < injected_at(cycle); i++) {
        uint64_t source = (cycle + (uint64_t)i / 2) % NODES;
        uint64_t flits = kernel->has_flits ? 1 + cycle % 50 : 0;
        assert_ok(
            kernel->inject(state, source, source ^ (1 + cycle % 15), flits, cycle + (uint64_t)i));
    }
}

static void assert_same_state(const cni_kernel *kernel, void *a, void *b)
{
    uint64_t counted[2][CNI_COUNTERS];
    cn_delivery got[2];
    kernel->count(a, counted[0]);
    kernel->count(b, counted[1]);
    assert_memory_equal(counted[0], counted[1], sizeof counted[0]);
    assert_int_equal(kernel->in_flight(a), kernel->in_flight(b));
    assert_true(kernel->next_event(a) == kernel->next_event(b));
    for (;;) {
        memset(got, 0, sizeof got);
        cn_status status = kernel->next_delivery(a, &got[0]);
        assert_int_equal(kernel->next_delivery(b, &got[1]), status);
        assert_memory_equal(&got[0], &got[1], sizeof got[0]);
        if (status == CN_DONE)
            break;
    }
}

/* What messages did so far, but not what only time counts. */
static uint64_t happened(const cni_kernel *kernel, const void *state)
{
    uint64_t counters[CNI_COUNTERS];
    kernel->count(state, counters);
    return counters[CNI_COUNT_OFFERED] + counters[CNI_COUNT_ACCEPTED] +
           counters[CNI_COUNT_DELIVERED] + counters[CNI_COUNT_DELAY];
}

/* One state is stepped through every cycle, the other one skips: they never differ, and nothing
 * happens in what is skipped. Returns the number of skipped cycles. */
static uint64_t compare(const setting *s)
{
    cn_scenario *scenario = scenario_of(s);
    const cni_kernel *kernel = scenario->system->kernel;
    void *slow, *fast;
    uint64_t skipped = 0;
    assert_ok(kernel->open(scenario, 1, &slow));
    assert_ok(kernel->open(scenario, 1, &fast));
    if (kernel->begin != NULL) {
        assert_ok(kernel->begin(slow));
        assert_ok(kernel->begin(fast));
    }
    for (uint64_t now = 0; now < CYCLES;) {
        inject_kernel(kernel, slow, now);
        inject_kernel(kernel, fast, now);
        uint64_t next = kernel->next_event(fast), end = now + 1;
        assert_true(next > now);
        while (end < CYCLES && !injected_at(end))
            end++;
        if (next <= now + 1) {
            assert_ok(kernel->step(slow, 1));
            assert_ok(kernel->step(fast, 1));
            now++;
        } else {
            uint64_t idle = (next <= end ? next - 1 : end) - now, before = happened(kernel, slow);
            for (uint64_t i = 0; i < idle; i++)
                assert_ok(kernel->step(slow, 1));
            assert_int_equal(happened(kernel, slow), before);
            if (idle > 10) { /* a stretch may be skipped in pieces */
                (kernel->skip)(fast, idle / 3);
                (kernel->skip)(fast, idle - idle / 3);
            } else {
                (kernel->skip)(fast, idle);
            }
            skipped += idle;
            now += idle;
        }
        assert_same_state(kernel, slow, fast);
    }
    kernel->close(slow);
    kernel->close(fast);
    cn_scenario_free(&scenario);
    return skipped;
}

static void skipping_gives_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; i < SETTINGS; i++) {
        uint64_t skipped = compare(&settings[i]);
        int is_drawn = settings[i].load > 0.0 && settings[i].slotted &&
                       strcmp(settings[i].system, "wormhole") != 0 &&
                       strcmp(settings[i].system, "cut-through") != 0;
        if (is_drawn)
            assert_int_equal(skipped, 0);
        else
            assert_true(skipped > CYCLES / 2);
    }
}

/* The same through the public functions: in one step, cycle by cycle, and from event to event. */
static cn_result *run(const setting *s, int way)
{
    cn_scenario *scenario = scenario_of(s);
    cn_sim *sim;
    cn_result *result;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario);
    assert_ok(cn_sim_inject(sim, 3, 12, 0, 1));
    while (cn_sim_cycle(sim) < CYCLES) {
        uint64_t now = cn_sim_cycle(sim), next = cn_sim_next_event(sim);
        uint64_t to = way == 0 ? CYCLES : way == 1 || next > CYCLES ? now + 1 : next;
        assert_true(next > now);
        assert_ok(cn_sim_step(sim, to - now, NULL));
    }
    assert_ok(cn_sim_result(sim, &result));
    cn_sim_close(&sim);
    return result;
}

static void a_result_does_not_depend_on_the_steps(void **state)
{
    (void)state;
    for (int i = 0; i < SETTINGS; i++) {
        cn_result *whole = run(&settings[i], 0);
        for (int way = 1; way < 3; way++) {
            cn_result *parts = run(&settings[i], way);
            assert_same_result(whole, parts);
            cn_result_free(&parts);
        }
        cn_result_free(&whole);
    }
}

/* ---- long idle times ---- */

/* In continuous time the next message may be far beyond the cycles that are asked for. */
static void a_message_in_a_thousand_million_cycles_is_not_waited_for(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_scenario *scenario;
    cn_sim *sim;
    assert_ok(cn_topology_hypercube(1, &cube));
    assert_ok(cn_scenario_new(cube, "separate-buffers", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 1e-12));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_inject(sim, 0, 1, 0, 1));
    assert_ok(cn_sim_step(sim, 1000, NULL));
    assert_int_equal(cn_sim_in_flight(sim), 0);
    uint64_t next = cn_sim_next_event(sim);
    assert_true(next > 5000 && next < 100000);
    assert_ok(cn_sim_step(sim, next - 1001, NULL));
    assert_true(cn_sim_next_event(sim) > next + 5000);
    cn_delivery delivery;
    assert_ok(cn_sim_next_delivery(sim, &delivery, sizeof delivery));
    assert_int_equal(cn_sim_step_until(sim, 100000, NULL), CN_DONE);
    assert_int_equal(cn_sim_cycle(sim), 100000);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

/* 10^15 cycles pass at once in an empty network; a message after them takes as long as one
 * before. */
static void an_empty_network_costs_nothing(void **state)
{
    (void)state;
    static const char *const systems[] = {"deflection", "separate-buffers", "shared-buffer",
                                          "wormhole",   "cut-through",      "collective"};
    for (int i = 0; i < 6; i++) {
        setting empty = {systems[i], 1, 0.0, 0, 1, 0};
        cn_scenario *scenario = scenario_of(&empty);
        cn_sim *sim;
        cn_delivery first, last;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_step(sim, 5000, NULL)); /* collective: its operations are over */
        assert_true(cn_sim_next_event(sim) == CN_NEVER);
        assert_ok(cn_sim_inject(sim, 1, 14, 0, 1));
        assert_int_equal(cn_sim_next_event(sim), 5001);
        assert_ok(cn_sim_step(sim, UINT64_C(1000000000000000), NULL));
        assert_ok(cn_sim_next_delivery(sim, &first, sizeof first));
        assert_ok(cn_sim_inject(sim, 1, 14, 0, 2));
        assert_ok(cn_sim_step(sim, UINT64_C(1000000000000000), NULL));
        assert_ok(cn_sim_next_delivery(sim, &last, sizeof last));
        assert_int_equal(first.injected, 5000);
        assert_int_equal(last.injected, UINT64_C(1000000000005000));
        assert_int_equal(last.delivered - last.injected, first.delivered - first.injected);
        assert_int_equal(cn_sim_cycle(sim), UINT64_C(2000000000005000));
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
}

/* Sources of a wormhole network that send once in 10^11 cycles. */
static void seldom_sources_are_waited_for(void **state)
{
    (void)state;
    setting seldom = {"wormhole", 1, 1e-11, 0, 1, 0};
    cn_scenario *scenario = scenario_of(&seldom);
    cn_sim *sim;
    cn_result *result;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, UINT64_C(100000000000000), NULL));
    assert_ok(cn_sim_result(sim, &result));
    assert_near(value_of(result, CN_METRIC_MESSAGES_OFFERED), 16000, 600);
    assert_near(value_of(result, CN_METRIC_MEAN_DELAY), 32 + 32.0 / 15.0, 0.05);
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

/* ---- until something happens ---- */

static void steps_end_at_a_delivery_at_rest_or_at_the_limit(void **state)
{
    (void)state;
    setting empty = {"deflection", 1, 0.0, 0, 1, 0};
    cn_scenario *scenario = scenario_of(&empty);
    cn_sim *sim;
    cn_delivery got;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_int_equal(cn_sim_step_until(sim, 1000, NULL), CN_DONE); /* at rest from the beginning */
    assert_int_equal(cn_sim_cycle(sim), 0);
    assert_ok(cn_sim_step(sim, 10, NULL));
    assert_ok(cn_sim_inject(sim, 0, 15, 0, 4)); /* 4 hops */
    assert_ok(cn_sim_inject(sim, 1, 0, 0, 1));
    assert_ok(cn_sim_inject(sim, 7, 6, 0, 2));
    assert_int_equal(cn_sim_in_flight(sim), 3);
    assert_ok(cn_sim_step_until(sim, 1000, NULL));
    assert_int_equal(cn_sim_cycle(sim), 11);
    assert_int_equal(cn_sim_in_flight(sim), 1);
    assert_ok(cn_sim_step_until(sim, 1000, NULL)); /* still there to be fetched: no step */
    assert_int_equal(cn_sim_cycle(sim), 11);
    assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
    assert_int_equal(got.tag, 1);
    assert_ok(cn_sim_step_until(sim, 1000, NULL));
    assert_int_equal(cn_sim_cycle(sim), 11);
    assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
    assert_int_equal(got.tag, 2);
    assert_int_equal(cn_sim_step_until(sim, 13, NULL), CN_DONE);
    assert_int_equal(cn_sim_cycle(sim), 13);
    assert_int_equal(cn_sim_step_until(sim, 5, NULL), CN_DONE); /* over already */
    assert_int_equal(cn_sim_cycle(sim), 13);
    assert_ok(cn_sim_step_until(sim, UINT64_MAX, NULL));
    assert_int_equal(cn_sim_cycle(sim), 14);
    assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
    assert_int_equal(cn_sim_next_delivery(sim, &got, sizeof got), CN_DONE);
    assert_int_equal(cn_sim_step_until(sim, UINT64_MAX, NULL), CN_DONE);
    assert_int_equal(cn_sim_cycle(sim), 14);
    assert_int_equal(cn_sim_in_flight(sim), 0);
    assert_fails(cn_sim_step_until(NULL, 5, NULL), CN_ERR_ARGUMENT, "sim");
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

/* Of a trace the clock stops at its end; its messages are not the caller's. */
static void a_trace_is_over_when_its_last_message_has_arrived(void **state)
{
    (void)state;
    setting trace = {"separate-buffers", 1, 0.0, 1, 1, 0};
    cn_scenario *scenario = scenario_of(&trace);
    cn_sim *sim;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_int_equal(cn_sim_next_event(sim), 1); /* some of it is offered at cycle 0 */
    assert_int_equal(cn_sim_step_until(sim, UINT64_MAX, NULL), CN_DONE);
    assert_true(cn_sim_next_event(sim) == CN_NEVER);
    assert_true(cn_sim_cycle(sim) > 9 * 523 && cn_sim_cycle(sim) < 9 * 523 + 20);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

/* ---- messages of a trace ---- */

/* All that come out of a run of the trace, with a message of the caller now and then; returns the
 * result. */
static cn_result *deliver(const setting *s, double buffers, uint64_t step, int reports,
                          cn_delivery got[], size_t *count)
{
    cn_scenario *scenario = scenario_of(s);
    cn_sim *sim;
    cn_result *result;
    if (buffers > 0.0)
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario);
    if (reports)
        assert_ok(cn_sim_report_trace(sim));
    *count = 0;
    while (cn_sim_cycle(sim) < CYCLES) {
        if (cn_sim_cycle(sim) % 1000 == 0)
            assert_ok(cn_sim_inject(sim, 1, 2 + cn_sim_cycle(sim) / 1000, 0, 1000000));
        assert_ok(cn_sim_step(sim, step, NULL));
        while (cn_sim_next_delivery(sim, &got[*count], sizeof *got) == CN_OK)
            *count += 1;
    }
    assert_ok(cn_sim_result(sim, &result));
    cn_sim_close(&sim);
    return result;
}

static void check_trace(const setting *s, double buffers)
{
    enum { INJECTED = CYCLES / 1000 };
    cn_delivery got[4][TRACED + INJECTED + 1];
    size_t count[4];
    cn_result *result[4];
    memset(got, 0, sizeof got);
    for (int way = 0; way < 4; way++)
        result[way] = deliver(s, buffers,
                              way == 1   ? 1
                              : way == 2 ? 1000
                                         : 40,
                              way != 3, got[way], &count[way]);
    assert_int_equal(count[3], INJECTED);
    for (int way = 1; way < 4; way++)
        assert_same_result(result[0], result[way]);
    for (int way = 1; way < 3; way++) {
        assert_int_equal(count[0], count[way]);
        assert_memory_equal(got[0], got[way], sizeof got[0]);
    }
    assert_near(value_of(result[0], CN_METRIC_MESSAGES_DELIVERED), (double)count[0], 0);
    assert_near(value_of(result[0], CN_METRIC_MESSAGES_IN_FLIGHT), 0, 0);
    assert_true(buffers > 0.0 ? count[0] < TRACED + INJECTED : count[0] == TRACED + INJECTED);
    char seen[TRACED] = {0};
    for (size_t i = 0; i < count[0]; i++) {
        const cn_delivery *d = &got[0][i];
        if (i > 0)
            assert_true(d->delivered > d[-1].delivered ||
                        (d->delivered == d[-1].delivered && d->destination >= d[-1].destination));
        if (d->tag == 1000000)
            continue;
        assert_true(d->tag < TRACED && !seen[d->tag]);
        seen[d->tag] = 1;
        assert_int_equal(d->injected, trace_cycles[d->tag]);
        assert_int_equal(d->source, trace_sources[d->tag]);
        assert_int_equal(d->destination, trace_destinations[d->tag]);
        assert_true(d->delivered > d->injected);
    }
    for (int way = 0; way < 4; way++)
        cn_result_free(&result[way]);
}

static void messages_of_a_trace_are_delivered_with_their_number(void **state)
{
    (void)state;
    for (int i = 0; i < SETTINGS; i++)
        if (settings[i].has_trace)
            check_trace(&settings[i], 0.0);
    check_trace(&settings[1], 4.0); /* some find no room */
}

static void only_a_trace_can_be_reported(void **state)
{
    (void)state;
    cn_scenario *scenario = cube_scenario("deflection", 4, 0.8);
    cn_sim *sim;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_report_trace(sim), CN_ERR_ARGUMENT, "no trace");
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

/* ---- what the host may ask ---- */

static void a_full_source_says_so(void **state)
{
    (void)state;
    setting empty = {"deflection", 1, 0.0, 0, 1, 0};
    cn_scenario *scenario = scenario_of(&empty);
    cn_sim *sim;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 5));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    for (uint64_t i = 0; i < 5; i++) {
        assert_ok(cn_sim_can_accept(sim, 2));
        assert_ok(cn_sim_inject(sim, 2, 6, 0, i));
    }
    assert_int_equal(cn_sim_can_accept(sim, 2), CN_REFUSED);
    assert_ok(cn_sim_can_accept(sim, 3));
    assert_ok(cn_sim_step(sim, 1, NULL));
    assert_ok(cn_sim_can_accept(sim, 2));
    assert_fails(cn_sim_can_accept(sim, 16), CN_ERR_ARGUMENT, "source = 16");
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

static void a_faulty_source_accepts_nothing(void **state)
{
    (void)state;
    static const char *const systems[] = {"deflection", "separate-buffers", "wormhole",
                                          "cut-through"};
    cn_topology *topology;
    cn_faults *faults;
    assert_ok(cn_topology_hypercube(4, &topology));
    assert_ok(cn_faults_new(topology, &faults));
    assert_ok(cn_faults_add_node(faults, 9));
    for (int i = 0; i < 4; i++) {
        cn_scenario *scenario;
        cn_sim *sim;
        assert_ok(cn_scenario_new(topology, systems[i], &scenario));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_can_accept(sim, 8));
        assert_fails(cn_sim_can_accept(sim, 9), CN_ERR_DISCONNECTED, "source");
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
    cn_faults_free(&faults);
    cn_topology_free(&topology);
}

static uint64_t queued_at(const cn_sim *sim, uint64_t node)
{
    uint64_t messages = UINT64_MAX;
    assert_ok(cn_sim_queued(sim, node, &messages));
    return messages;
}

/* Of systems that store messages all that are in flight wait at some node; of "wormhole" and
 * "cut-through" those that are still at their sources. */
static void what_waits_is_what_is_in_flight(void **state)
{
    (void)state;
    for (int i = 0; i < SETTINGS; i++) {
        int is_of_flits = strcmp(settings[i].system, "wormhole") == 0 ||
                          strncmp(settings[i].system, "cut-through", 11) == 0;
        cn_scenario *scenario = scenario_of(&settings[i]);
        cn_sim *sim;
        uint64_t most = 0;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        for (uint64_t cycle = 0; cycle < 700 && strcmp(settings[i].system, "collective") != 0;
             cycle++) {
            uint64_t sum = 0;
            for (uint64_t j = 0; j < 6 && cycle % 40 == 0; j++)
                assert_true(cn_sim_inject(sim, (cycle + j / 2) % NODES,
                                          (cycle + j / 2 + 1 + j) % NODES, 0, j) >= CN_OK);
            for (uint64_t v = 0; v < NODES; v++)
                sum += queued_at(sim, v);
            if (is_of_flits)
                assert_true(sum <= cn_sim_in_flight(sim));
            else
                assert_int_equal(sum, cn_sim_in_flight(sim));
            most = sum > most ? sum : most;
            assert_ok(cn_sim_step(sim, 1, NULL));
        }
        if (strcmp(settings[i].system, "collective") != 0)
            assert_true(most >= 6);
        else
            assert_fails(cn_sim_queued(sim, 0, &most), CN_ERR_UNSUPPORTED, "collective");
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
}

/* Five worms of 7 flits over one channel: one leaves every 7 cycles, and waits there from the start
 * of its startup latency on. */
static void worms_wait_until_their_tail_has_left(void **state)
{
    (void)state;
    for (uint64_t startup = 0; startup < 60; startup += 25) {
        setting empty = {"wormhole", 1, 0.0, 0, 1, (double)startup};
        cn_scenario *scenario = scenario_of(&empty);
        cn_sim *sim;
        cn_delivery got;
        uint64_t arrived = 0;
        assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        for (uint64_t i = 0; i < 5; i++)
            assert_ok(cn_sim_inject(sim, 2, 3, 7, i));
        for (uint64_t cycle = 0; arrived < 5; cycle++) {
            uint64_t sent = cycle < startup ? 0 : (cycle - startup) / 7;
            while (cn_sim_next_delivery(sim, &got, sizeof got) == CN_OK)
                arrived++;
            assert_in_range(queued_at(sim, 2), sent < 5 ? 5 - sent : 0, sent < 6 ? 6 - sent : 0);
            assert_true(queued_at(sim, 2) <= 5 - arrived);
            assert_int_equal(queued_at(sim, 3), 0);
            assert_true(cycle < 200);
            assert_ok(cn_sim_step(sim, 1, NULL));
        }
        assert_int_equal(queued_at(sim, 2), 0);
        assert_fails(cn_sim_queued(sim, 16, &arrived), CN_ERR_ARGUMENT, "node = 16");
        assert_fails(cn_sim_queued(sim, 0, NULL), CN_ERR_ARGUMENT, "messages");
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
}

/* ---- lengths ---- */

/* A worm of M flits alone takes M + hops cycles, and every channel of its way carries M flits. */
static void messages_have_their_own_length(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {1, 2, 12, 0, 1000};
    setting empty = {"wormhole", 1, 0.0, 0, 1, 0};
    cn_scenario *scenario = scenario_of(&empty);
    cn_sim *sim;
    uint64_t loads[64], sum = 0, expected = 0;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 20));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    for (uint64_t i = 0; i < 5; i++) {
        cn_delivery got;
        uint64_t flits = lengths[i] == 0 ? 20 : lengths[i];
        assert_ok(cn_sim_inject(sim, 2, 13, lengths[i], i));
        assert_ok(cn_sim_step_until(sim, UINT64_MAX, NULL));
        assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
        assert_int_equal(got.tag, i);
        assert_int_equal(got.delivered - got.injected, flits + 4);
        assert_int_equal(got.flits, flits);
        assert_int_equal(got.hops, 4);
        expected += 4 * flits;
    }
    assert_ok(cn_sim_channel_loads(sim, loads, 64, NULL));
    for (int c = 0; c < 64; c++)
        sum += loads[c];
    assert_int_equal(sum, expected);
    assert_fails(cn_sim_inject(sim, 2, 13, UINT64_C(1) << 32, 0), CN_ERR_ARGUMENT,
                 "flits = 4294967296");
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

static void systems_without_flits_refuse_lengths(void **state)
{
    (void)state;
    static const char *const systems[] = {"deflection", "separate-buffers", "shared-buffer",
                                          "collective"};
    for (int i = 0; i < 4; i++) {
        setting empty = {systems[i], 1, 0.0, 0, 1, 0};
        cn_scenario *scenario = scenario_of(&empty);
        cn_sim *sim;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_inject(sim, 1, 2, 0, 0));
        assert_ok(cn_sim_inject(sim, 1, 2, 1, 0));
        assert_fails(cn_sim_inject(sim, 1, 2, 12, 0), CN_ERR_UNSUPPORTED, "flits = 12");
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
}

/* ---- statistics ---- */

/* After a reset the result is that of the cycles that follow, as after a warm-up of so many
 * cycles. */
static void a_reset_is_the_end_of_a_warm_up(void **state)
{
    (void)state;
    static const char *const systems[] = {"deflection",    "separate-buffers",
                                          "shared-buffer", "wormhole",
                                          "cut-through",   "cut-through-deflection"};
    for (int i = 0; i < 6; i++) {
        cn_result *result[2];
        for (int resets = 0; resets < 2; resets++) {
            cn_scenario *scenario = cube_scenario(systems[i], 4, i >= 3 ? 0.005 : 0.8);
            cn_sim *sim;
            assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, resets ? 300 : 1000));
            assert_ok(cn_sim_open(scenario, NULL, &sim));
            assert_ok(cn_sim_step(sim, 1000, NULL));
            if (resets)
                assert_ok(cn_sim_reset_statistics(sim));
            assert_fails(cn_sim_result(sim, &result[resets]), CN_ERR_STATE, "1000");
            assert_ok(cn_sim_step(sim, 3000, NULL));
            assert_ok(cn_sim_result(sim, &result[resets]));
            cn_sim_close(&sim);
            cn_scenario_free(&scenario);
        }
        assert_same_result(result[0], result[1]);
        cn_result_free(&result[0]);
        cn_result_free(&result[1]);
    }
}

/* A reset in the middle of the warm-up ends it. */
static void a_reset_ends_the_warm_up(void **state)
{
    (void)state;
    cn_scenario *scenario = cube_scenario("deflection", 4, 0.8);
    cn_sim *sim;
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 500));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, 40, NULL));
    assert_ok(cn_sim_reset_statistics(sim));
    assert_ok(cn_sim_step(sim, 60, NULL));
    assert_ok(cn_sim_result(sim, &result));
    assert_near(value_of(result, CN_METRIC_CYCLES), 100, 0);
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    assert_fails(cn_sim_reset_statistics(NULL), CN_ERR_ARGUMENT, "sim");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_gives_the_same_bits),
        cmocka_unit_test(a_result_does_not_depend_on_the_steps),
        cmocka_unit_test(an_empty_network_costs_nothing),
        cmocka_unit_test(seldom_sources_are_waited_for),
        cmocka_unit_test(steps_end_at_a_delivery_at_rest_or_at_the_limit),
        cmocka_unit_test(a_trace_is_over_when_its_last_message_has_arrived),
        cmocka_unit_test(messages_of_a_trace_are_delivered_with_their_number),
        cmocka_unit_test(only_a_trace_can_be_reported),
        cmocka_unit_test(a_full_source_says_so),
        cmocka_unit_test(a_faulty_source_accepts_nothing),
        cmocka_unit_test(what_waits_is_what_is_in_flight),
        cmocka_unit_test(worms_wait_until_their_tail_has_left),
        cmocka_unit_test(a_message_in_a_thousand_million_cycles_is_not_waited_for),
        cmocka_unit_test(messages_have_their_own_length),
        cmocka_unit_test(systems_without_flits_refuse_lengths),
        cmocka_unit_test(a_reset_is_the_end_of_a_warm_up),
        cmocka_unit_test(a_reset_ends_the_warm_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "plain_workload.h"

/* ---- the interpreter ---- */

/* The cycle in which a message is ready; CN_NEVER: not known yet. */
static uint64_t ready_at(const cn_workload *workload, size_t number, const plain_times *times)
{
    uint64_t waits[PLAIN_MESSAGES], latest = times->start;
    size_t count;
    cn_workload_entry m;
    assert_ok(cn_workload_message(workload, number, &m, sizeof m));
    assert_ok(cn_workload_waits(workload, number, waits, PLAIN_MESSAGES, &count));
    assert_int_equal(count, m.after + m.after_sent);
    for (size_t i = 0; i < count; i++) {
        uint64_t event = i < m.after ? times->delivered[waits[i]] : times->injected[waits[i]];
        if (event == CN_NEVER)
            return CN_NEVER;
        if (event > latest)
            latest = event;
    }
    return latest + m.computing;
}

/* The first message in the order (ready, number) that may be injected now, at a source that has
 * refused none. */
static size_t next_one(const cn_workload *workload, uint64_t cycle, const int refused[],
                       plain_times *times)
{
    size_t count = cn_workload_count(workload), best = count;
    for (size_t m = 0; m < count; m++) {
        cn_workload_entry is;
        assert_ok(cn_workload_message(workload, m, &is, sizeof is));
        times->ready[m] = ready_at(workload, m, times);
        if (times->injected[m] == CN_NEVER && times->ready[m] <= cycle &&
            (is.source == is.destination || !refused[is.source]) &&
            (best == count || times->ready[m] < times->ready[best]))
            best = m;
    }
    return best;
}

static void take_deliveries(cn_sim *sim, plain_times *times)
{
    cn_delivery d;
    while (cn_sim_next_delivery(sim, &d, sizeof d) == CN_OK) {
        assert_int_equal(times->injected[d.tag], d.injected);
        times->delivered[d.tag] = d.delivered;
    }
}

static void inject(cn_sim *sim, const cn_workload *workload, size_t number, int refused[],
                   plain_times *times)
{
    cn_workload_entry m;
    uint64_t cycle = cn_sim_cycle(sim);
    assert_ok(cn_workload_message(workload, number, &m, sizeof m));
    if (m.source == m.destination) {
        times->injected[number] = times->delivered[number] = cycle;
        return;
    }
    cn_status accepts = cn_sim_can_accept(sim, m.source);
    refused[m.source] = accepts == CN_REFUSED;
    if (accepts == CN_REFUSED)
        return;
    assert_ok(cn_sim_inject(sim, m.source, m.destination, m.flits, number));
    times->injected[number] = cycle;
}

static int is_complete(size_t count, const plain_times *times)
{
    for (size_t m = 0; m < count; m++)
        if (times->delivered[m] == CN_NEVER)
            return 0;
    return 1;
}

cn_sim *plain_workload_run(const cn_scenario *scenario, const cn_workload *workload, uint64_t start,
                           plain_times *times)
{
    size_t count = cn_workload_count(workload), next;
    cn_sim *sim;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, start, NULL));
    times->start = start;
    for (size_t m = 0; m < PLAIN_MESSAGES; m++)
        times->ready[m] = times->injected[m] = times->delivered[m] = CN_NEVER;
    for (;;) {
        int refused[PLAIN_MESSAGES] = {0};
        take_deliveries(sim, times);
        while ((next = next_one(workload, cn_sim_cycle(sim), refused, times)) < count)
            inject(sim, workload, next, refused, times);
        if (is_complete(count, times))
            break;
        assert_true(cn_sim_cycle(sim) < 1000000);
        assert_ok(cn_sim_step(sim, 1, NULL));
    }
    times->end = cn_sim_cycle(sim);
    return sim;
}

/* ---- random workloads ---- */

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % below;
}

/* Of the messages before, up to four that it may wait for. */
static size_t pick_waits(const cn_workload *workload, uint64_t *state, uint64_t source, int is_sent,
                         uint64_t waits[4])
{
    size_t count = cn_workload_count(workload), found = 0, want = draw(state, 4);
    for (size_t tries = 0; tries < 60 && found < want && count > 0; tries++) {
        cn_workload_entry m;
        uint64_t other = draw(state, count);
        assert_ok(cn_workload_message(workload, other, &m, sizeof m));
        if ((is_sent ? m.source : m.destination) == source)
            waits[found++] = other;
    }
    return found;
}

static uint64_t draw_node(uint64_t *state, uint64_t nodes, uint64_t dead)
{
    uint64_t node;
    do
        node = draw(state, nodes);
    while (node == dead);
    return node;
}

cn_workload *random_workload(const cn_topology *topology, uint64_t seed, size_t messages,
                             uint64_t most_flits, uint64_t dead)
{
    cn_workload *workload;
    uint64_t state = seed * 977 + 1, nodes = cn_topology_node_count(topology);
    assert_ok(cn_workload_new(topology, &workload));
    for (size_t m = 0; m < messages; m++) {
        uint64_t after[4], after_sent[4];
        uint64_t source = draw_node(&state, nodes, dead);
        uint64_t destination = draw(&state, 8) == 0 ? source : draw_node(&state, nodes, dead);
        uint64_t flits = source == destination ? 0 : draw(&state, most_flits + 1);
        uint64_t computing = draw(&state, 3) == 0 ? draw(&state, 40) : 0;
        size_t waits = pick_waits(workload, &state, source, 0, after);
        size_t sent = pick_waits(workload, &state, source, 1, after_sent);
        assert_ok(cn_workload_add(workload, source, destination, flits, computing, after, waits,
                                  after_sent, sent, NULL));
    }
    return workload;
}

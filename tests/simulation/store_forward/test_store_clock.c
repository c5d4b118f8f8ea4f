/* The continuous clock of stored messages against a plain simulator, event by event. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "base/exponential.h"
#include "routing/rules/routing.h"
#include "simulation/store_forward/store_forward.h"

enum { CHANNELS = 512, ROOM = 4096, CYCLES = 400 };

typedef struct item {
    uint64_t created; /* tick */
    uint64_t destination;
} item;

/* Channels are numbered node * ports + port. Messages are never moved: of a line those from `first`
 * on wait. */
typedef struct plain_clock {
    const cn_topology *topology;
    const cn_routing *routing;
    uint32_t ports;
    uint64_t nodes;
    double load;
    uint64_t seed, cycle, event, injections;
    /* cycles from the beginning of the present one to the next event, or to the last */
    double since;
    int is_drawn; /* the next */
    uint32_t floor, ceiling;
    item *line[CHANNELS];
    size_t first[CHANNELS], end[CHANNELS];
    uint32_t busy[CHANNELS], busy_count; /* in the order in which the kernel has them */
    uint64_t delivered, hops, delay, accepted;
} plain_clock;

static uint64_t word_of_event(const plain_clock *s, uint64_t which)
{
    return cni_random_word(cni_random_derive(s->seed, 0), s->event * 4 + which);
}

static void join_line(plain_clock *s, uint64_t node, item m, uint64_t word)
{
    cni_entry room;
    uint64_t ports = cni_routing_next(s->routing, node, 0, m.destination, &room)->ports;
    uint32_t rank = cni_random_below((uint32_t)(word >> 32), cni_popcount(ports)), port = 0;
    for (;; port++)
        if ((ports >> port & 1) != 0 && rank-- == 0)
            break;
    uint32_t channel = (uint32_t)node * s->ports + port;
    if (s->first[channel] == s->end[channel])
        s->busy[s->busy_count++] = channel;
    assert_true(s->end[channel] < ROOM);
    s->line[channel][s->end[channel]++] = m;
}

static void end_transmission(plain_clock *s, uint32_t number, uint64_t tick)
{
    uint32_t channel = s->busy[number];
    uint64_t node;
    item m = s->line[channel][s->first[channel]++];
    if (s->first[channel] == s->end[channel])
        s->busy[number] = s->busy[--s->busy_count];
    assert_ok(cn_topology_neighbor(s->topology, channel / s->ports, channel % s->ports, &node));
    s->hops++;
    if (node != m.destination) {
        join_line(s, node, m, word_of_event(s, 3));
        return;
    }
    s->delivered++;
    s->delay += tick - m.created;
}

/* Of the process itself the ceiling is no part: it says only how often something is drawn at which
 * nothing happens. */
static void draw_next(plain_clock *s)
{
    if (s->busy_count < s->floor || s->busy_count > s->ceiling) {
        uint32_t room = s->busy_count / 32 + 6, least = s->load > 0.0 ? 0 : 1;
        s->ceiling = s->busy_count < least ? 0 : s->busy_count + room;
        s->floor = s->busy_count < room + least ? least : s->busy_count - room;
        if (s->busy_count < least)
            s->floor = 0;
    }
    double rate = s->load * (double)s->nodes + s->ceiling;
    s->since += (double)cni_exponential(word_of_event(s, 0)) * 0x1p-44 / rate;
    s->is_drawn = 1;
}

static void next_event(plain_clock *s)
{
    double arrivals = s->load * (double)s->nodes, rate = arrivals + s->ceiling;
    double point = (double)(word_of_event(s, 1) >> 11) * 0x1p-53 * rate;
    uint64_t tick = (s->cycle << CNI_TICK_BITS) + (uint64_t)(s->since * 0x1p20);
    if (point < arrivals) {
        uint64_t from = (uint64_t)(point / s->load);
        uint64_t to = (word_of_event(s, 2) >> 32) * (s->nodes - 1) >> 32;
        to += to >= from;
        s->accepted++;
        join_line(s, from, (item){tick, to}, word_of_event(s, 3));
    } else if (point - arrivals < s->busy_count) {
        end_transmission(s, (uint32_t)(point - arrivals), tick);
    }
    s->event++;
    s->is_drawn = 0;
}

static void step_clock(plain_clock *s)
{
    for (;;) {
        if (!s->is_drawn)
            draw_next(s);
        if (s->since >= 1.0)
            break;
        next_event(s);
    }
    s->since -= 1.0;
    s->cycle++;
    s->injections = 0;
}

static void inject_at(plain_clock *s, uint64_t source, uint64_t destination)
{
    uint64_t stream = cni_random_derive(cni_random_derive(s->seed, s->cycle), source);
    s->event++;
    s->is_drawn = 0;
    s->since = 0.0;
    s->accepted++;
    join_line(s, source, (item){s->cycle << CNI_TICK_BITS, destination},
              cni_random_word(stream, CNI_WORDS_INJECTED + s->injections++));
}

/* ---- both ---- */

static void compare(cn_sim *sim, const plain_clock *s)
{
    cn_result *r;
    assert_ok(cn_sim_result(sim, &r));
    assert_true(s->delivered > 0);
    double delivered = (double)s->delivered;
    assert_near(value_of(r, CN_METRIC_MESSAGES_DELIVERED), delivered, 0);
    assert_near(value_of(r, CN_METRIC_MESSAGES_ACCEPTED), (double)s->accepted, 0);
    assert_near(value_of(r, CN_METRIC_MEAN_HOPS), (double)s->hops / delivered, 1e-12);
    assert_near(value_of(r, CN_METRIC_MEAN_DELAY), (double)s->delay * 0x1p-20 / delivered, 1e-9);
    cn_result_free(&r);
}

/* With the scenario's own traffic, messages of the caller, or both. */
static void run_both(cn_topology *topology, double load, uint64_t injected)
{
    cn_scenario *scenario;
    cn_routing *routing;
    cn_sim *sim;
    assert_ok(cn_scenario_new(topology, "separate-buffers", &scenario));
    assert_ok(cn_routing_new(topology, "minimal", NULL, NULL, &routing));
    assert_ok(cn_scenario_set_routing(scenario, routing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set_seed(scenario, 5));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    plain_clock *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->topology = topology;
    s->routing = routing;
    s->nodes = cn_topology_node_count(topology);
    s->ports = cn_topology_max_degree(topology);
    s->load = load;
    s->seed = 5;
    assert_true(s->nodes * s->ports <= CHANNELS);
    for (uint32_t c = 0; c < s->nodes * s->ports; c++) {
        s->line[c] = calloc(ROOM, sizeof *s->line[c]);
        assert_non_null(s->line[c]);
    }
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        for (uint64_t i = 0; i < injected && cycle % 3 == 0; i++) {
            uint64_t word = cni_random_word(cycle, i), source = word % s->nodes;
            uint64_t destination = (source + 1 + (word >> 32) % (s->nodes - 1)) % s->nodes;
            assert_ok(cn_sim_inject(sim, source, destination, 0, 0));
            inject_at(s, source, destination);
        }
        assert_ok(cn_sim_step(sim, 1, NULL));
        step_clock(s);
        if (cycle % 40 == 39)
            compare(sim, s);
    }
    for (uint32_t c = 0; c < s->nodes * s->ports; c++)
        free(s->line[c]);
    free(s);
    cn_sim_close(&sim);
    cn_routing_free(&routing);
    cn_scenario_free(&scenario);
}

static void the_clock_equals_the_plain_form(void **state)
{
    (void)state;
    static const uint64_t mesh[] = {3, 4}, torus[] = {4, 5};
    cn_topology *topology[4];
    assert_ok(cn_topology_mesh(mesh, 2, &topology[0]));
    assert_ok(cn_topology_torus(torus, 2, &topology[1]));
    assert_ok(cn_topology_hypercube(5, &topology[2]));
    assert_ok(cn_topology_de_bruijn(4, &topology[3]));
    for (size_t i = 0; i < 4; i++) {
        run_both(topology[i], 0.3, 0);
        run_both(topology[i], 0.01, 0);
        run_both(topology[i], 0.0, 2);
        run_both(topology[i], 0.2, 2);
        cn_topology_free(&topology[i]);
    }
}

/* A network whose queues are fetched ahead gives the bits of one step as of many. */
static void steps_do_not_change_what_is_foreseen(void **state)
{
    (void)state;
    double delay[2];
    for (int which = 0; which < 2; which++) {
        cn_scenario *scenario = cube_scenario("separate-buffers", 10, 1.5);
        cn_sim *sim;
        cn_result *r;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        for (int i = 0; i < (which ? 30 : 1); i++)
            assert_ok(cn_sim_step(sim, which ? 1 : 30, NULL));
        assert_ok(cn_sim_result(sim, &r));
        delay[which] = value_of(r, CN_METRIC_MEAN_DELAY);
        cn_result_free(&r);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
    assert_near(delay[0], delay[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_equals_the_plain_form),
        cmocka_unit_test(steps_do_not_change_what_is_foreseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

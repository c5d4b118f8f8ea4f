#include "plain_queues.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/random.h"
#include "queueing/store_forward/unlimited_model.h"
#include "scenario/system.h"

enum { BATCHES = 32 };

typedef struct letter {
    uint32_t target, destination, class, hops;
    double born;
} letter;

typedef struct line {
    letter *letters; /* a ring of `room`, a power of two */
    size_t first, length, room;
} line;

typedef struct machine {
    const cn_routing *routing;
    const cn_topology *topology;
    size_t ports, places, nodes_served;
    uint32_t *served, *head;
    line *lines;    /* by channel */
    letter *moving; /* in this cycle, over the channels `sending` */
    uint32_t *sending;
    uint32_t *busy, *place; /* in continuous time: channels that send, and where they stand there */
    uint32_t busy_count;
    uint64_t words, seed;
    double now;
    double delay, hops, count;
} machine;

static uint64_t draw(machine *m)
{
    return cni_random_word(m->seed, m->words++);
}

static uint32_t below(machine *m, size_t limit)
{
    return (uint32_t)((draw(m) >> 32) * limit >> 32);
}

static void push(line *l, const letter *item)
{
    if (l->length == l->room) {
        size_t room = l->room == 0 ? 8 : 2 * l->room;
        letter *letters = malloc(room * sizeof *letters);
        assert_non_null(letters);
        for (size_t i = 0; i < l->length; i++)
            letters[i] = l->letters[(l->first + i) & (l->room - 1)];
        free(l->letters);
        *l = (line){letters, 0, l->length, room};
    }
    l->letters[(l->first + l->length++) & (l->room - 1)] = *item;
}

/* A message that is at a node joins the queue of a random channel. */
static void join(machine *m, uint32_t node, letter *item)
{
    cni_entry room;
    if (node == item->target) { /* the end of a first leg, which may be the source */
        item->target = item->destination;
        item->class = cni_leg_class(m->routing, 1);
    }
    uint64_t ports = cni_routing_next(m->routing, node, item->class, item->target, &room)->ports;
    assert_true(ports != 0);
    for (uint32_t skip = below(m, cni_popcount(ports)); skip > 0; skip--)
        ports &= ports - 1;
    uint32_t channel = (uint32_t)(node * m->ports + cni_lowest_bit(ports));
    push(&m->lines[channel], item);
    if (m->lines[channel].length > 1)
        return;
    m->place[channel] = m->busy_count;
    m->busy[m->busy_count++] = channel;
}

static letter pop(machine *m, uint32_t channel)
{
    line *l = &m->lines[channel];
    letter item = l->letters[l->first];
    l->first = (l->first + 1) & (l->room - 1);
    if (--l->length == 0) {
        uint32_t last = m->busy[--m->busy_count];
        m->busy[m->place[channel]] = last;
        m->place[last] = m->place[channel];
    }
    return item;
}

static void arrive(machine *m, uint32_t channel, letter *item)
{
    uint32_t node = (uint32_t)(channel / m->ports), port = (uint32_t)(channel % m->ports);
    item->class = cni_routing_after(m->routing, item->class, item->target, node, port, CNI_STORED);
    item->hops++;
    if (m->head[channel] != item->target || item->target != item->destination) {
        join(m, m->head[channel], item);
        return;
    }
    m->delay += m->now - item->born;
    m->hops += item->hops;
    m->count += 1;
}

static void offer(machine *m, size_t i)
{
    uint32_t other = below(m, m->nodes_served - 1);
    uint32_t source = m->served[i], to = m->served[other + (other >= i)];
    letter item = {.destination = to, .born = m->now};
    item.target = (uint32_t)cni_routing_begin(m->routing, to, draw(m));
    join(m, source, &item);
}

static void step(machine *m, double load)
{
    uint64_t more = (uint64_t)(load / (1.0 + load) * 0x1p53);
    uint32_t count = m->busy_count;
    memcpy(m->sending, m->busy, count * sizeof *m->busy);
    for (uint32_t i = 0; i < count; i++)
        m->moving[i] = pop(m, m->sending[i]);
    m->now += 1.0;
    for (uint32_t i = 0; i < count; i++)
        arrive(m, m->sending[i], &m->moving[i]);
    for (size_t i = 0; i < m->nodes_served; i++)
        while (draw(m) >> 11 < more)
            offer(m, i);
}

/* The next event, one of those that are possible. */
static void happen(machine *m, double load)
{
    double new = load *(double)m->nodes_served, all = new + m->busy_count;
    double time = ((double)(draw(m) >> 11) + 0.5) * 0x1p-53;
    m->now -= log(time) / all;
    if ((double)(draw(m) >> 11) * 0x1p-53 * all < new) {
        offer(m, below(m, m->nodes_served));
    } else {
        uint32_t channel = m->busy[below(m, m->busy_count)];
        letter item = pop(m, channel);
        arrive(m, channel, &item);
    }
}

static void open_machine(const cn_routing *routing, machine *m)
{
    const cn_topology *t = routing->topology;
    m->routing = routing;
    m->topology = t;
    m->ports = t->max_degree;
    m->places = (size_t)t->nodes * m->ports;
    m->served = calloc((size_t)t->nodes, sizeof *m->served);
    m->head = calloc(m->places, sizeof *m->head);
    m->lines = calloc(m->places, sizeof *m->lines);
    m->moving = calloc(m->places, sizeof *m->moving);
    m->sending = calloc(m->places, sizeof *m->sending);
    m->busy = calloc(m->places, sizeof *m->busy);
    m->place = calloc(m->places, sizeof *m->place);
    for (uint32_t v = 0; v < t->nodes; v++) {
        if (cni_routing_serves(routing, v))
            m->served[m->nodes_served++] = v;
        for (uint32_t p = 0; p < cni_degree(t, v); p++)
            m->head[v * m->ports + p] = (uint32_t)cni_neighbor(t, v, p);
    }
}

static void close_machine(machine *m)
{
    for (size_t c = 0; c < m->places; c++)
        free(m->lines[c].letters);
    free(m->served);
    free(m->head);
    free(m->lines);
    free(m->moving);
    free(m->sending);
    free(m->busy);
    free(m->place);
}

static void run_for(machine *m, const plain_run *run, double cycles)
{
    for (double end = m->now + cycles; m->now < end;)
        if (run->continuous)
            happen(m, run->load);
        else
            step(m, run->load);
}

plain_means simulate_plainly(const cn_routing *routing, const plain_run *run)
{
    machine m = {.seed = run->seed};
    double sum = 0.0, squares = 0.0, delay = 0.0, hops = 0.0, count = 0.0;
    open_machine(routing, &m);
    run_for(&m, run, (double)run->warmup);
    for (int b = 0; b < BATCHES; b++) {
        m.delay = m.hops = m.count = 0.0;
        run_for(&m, run, (double)(run->cycles / BATCHES));
        sum += m.delay / m.count;
        squares += m.delay / m.count * (m.delay / m.count);
        delay += m.delay;
        hops += m.hops;
        count += m.count;
    }
    close_machine(&m);
    double variance = (squares - sum * sum / BATCHES) / (BATCHES - 1);
    /* Student's t of 31 degrees of freedom */
    return (plain_means){delay / count, 2.0395 * sqrt(variance / BATCHES), hops / count};
}

/* ---- a system on every network ---- */

static cn_status accept_all(const cn_topology *topology)
{
    (void)topology;
    return CN_OK;
}

static const char *minimal(const cn_scenario *scenario)
{
    return cni_subnet_of(scenario) != NULL ? "optimal-path" : "minimal";
}

static const cni_system stored = {
    .name = "separate-buffers",
    .params =
        CNI_TAKES(CN_PARAM_LOAD, CN_PARAM_SLOTTED, CN_PARAM_SELECTION, CN_PARAM_MODEL_VARIANT),
    .with = CNI_WITH(CN_ATTACHMENT_TRAFFIC) | CNI_WITH(CN_ATTACHMENT_FAULTS) |
            CNI_WITH(CN_ATTACHMENT_SUBNET) | CNI_WITH(CN_ATTACHMENT_ROUTING),
    .model_of_traffic = 1,
    .source = CN_SOURCE_GEOMETRIC,
    .routing = minimal,
    .accepts = accept_all,
    .model = {[CN_MODEL_PUBLISHED] = "separate-buffers/published/1",
              [CN_MODEL_OWN] = "separate-buffers/own/1"},
    .predict = cni_predict_separate_buffers,
};

const cni_system *stored_system(void)
{
    return &stored;
}

cn_scenario *stored_scenario(const cn_topology *topology, double load, int slotted)
{
    cn_scenario *scenario;
    assert_ok(cni_scenario_create(&stored, topology, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, slotted));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    return scenario;
}

/*
 * A routing function of the caller, asked once and stored.
 *
 * For every destination, all messages are followed from their sources over all channels that the
 * function allows. A place is an origin of a message at a node: the message is new there, or has
 * come over some virtual channel. Places of a node with the same answers for all destinations
 * become one class; the class of new messages is 0.
 */
#include "base/error.h"
#include "base/random.h"
#include "routing/faults/inlets.h"
#include "routing/rules/own.h"
#include "routing/rules/vc_rule.h"

/* A message on its way: its place, and the choice that comes next there. */
typedef struct step {
    size_t place;
    uint32_t node;
    uint32_t number; /* of the entry of the place */
    uint32_t next;   /* port times virtual channels, plus virtual channel */
} step;

typedef struct asking {
    cni_vc_rules rules;
    cn_routing *routing;
    cni_own_rule *own;
    size_t places;
    uint32_t *answers;    /* numbers of entries by target and place; 0: not asked */
    unsigned char *state; /* by place, for one target: UNSEEN, OPEN or DONE */
    step *steps;          /* a stack, with room for a step at each place */
    uint64_t sets[CNI_MOST_PORTS], escapes[CNI_MOST_PORTS]; /* the last answer, by port */
} asking;

enum { UNSEEN, OPEN, DONE };

/* The number of a virtual channel of the network. */
static size_t channel_of(const cni_own_rule *o, uint64_t node, uint32_t port,
                         uint32_t virtual_channel)
{
    return (o->first[node] + port) * o->virtual_channels + virtual_channel;
}

/* ---- one answer ---- */

/* Puts a port into the lane with this set; 0 when there is no room for one more lane. */
static int join_lane(cni_entry *entry, uint32_t port, uint64_t set, int is_escape)
{
    uint32_t i = 0;
    if (set == 0)
        return 1;
    while (i < entry->lanes && (entry->lane[i].set != set || entry->lane[i].is_escape != is_escape))
        i++;
    if (i == CNI_LANES)
        return 0;
    if (i == entry->lanes)
        cni_add_lane(entry, cni_bit(port), set, is_escape);
    entry->lane[i].ports |= cni_bit(port);
    entry->ports |= cni_bit(port);
    return 1;
}

static cn_status make_entry(const asking *a, uint64_t node, uint64_t target, cni_entry *entry)
{
    const char *wrong = NULL;
    cn_status status = CN_ERR_UNSUPPORTED;
    for (uint32_t p = 0; p < a->routing->topology->max_degree && wrong == NULL; p++)
        if (!join_lane(entry, p, a->sets[p] & ~a->escapes[p], CNI_FREE_LANE) ||
            !join_lane(entry, p, a->escapes[p], CNI_ESCAPE_LANE))
            wrong = "the ports have more than 4 different sets of virtual channels";
    if (wrong == NULL && entry->lanes == 0) {
        wrong = "rule gave no channel";
        status = CN_ERR_DISCONNECTED;
    }
    if (wrong == NULL)
        return CN_OK;
    return cni_fail(status, "%s: at node %llu for destination %llu %s", a->rules.function,
                    (unsigned long long)node, (unsigned long long)target, wrong);
}

/* Asks the functions of the caller, and finds the number of the entry with their answer. */
static cn_status find_number(asking *a, uint64_t node, uint64_t target, const cni_origin *from,
                             uint32_t *number)
{
    cni_entry entry = {0};
    CNI_TRY(cni_ask_rules(&a->rules, node, target, from, a->sets, a->escapes));
    CNI_TRY(make_entry(a, node, target, &entry));
    return cni_table_intern(&a->routing->table, &entry, number);
}

/* ---- all walks of messages to one target ---- */

static uint32_t *answer_of(const asking *a, uint64_t target, size_t place)
{
    return &a->answers[target * a->places + place];
}

/* Asks at a place where a message arrives, and puts the place on the stack. */
static cn_status enter_answer(asking *a, uint64_t node, uint64_t target, size_t place,
                              const cni_origin *from, size_t *height)
{
    uint32_t *answer = answer_of(a, target, place);
    CNI_TRY(find_number(a, node, target, from, answer));
    a->state[place] = OPEN;
    a->steps[(*height)++] = (step){place, (uint32_t)node, *answer, 0};
    return CN_OK;
}

/* Finds the next virtual channel that the message may take; returns 0 when none is left. */
static int choose(const asking *a, step *at, cni_origin *choice)
{
    const cni_entry *entry = &a->routing->table.entries[at->number];
    uint32_t channels = a->own->virtual_channels;
    uint32_t end = cni_degree(a->routing->topology, at->node) * channels;
    while (at->next < end) {
        uint32_t port = at->next / channels, virtual_channel = at->next % channels;
        at->next++;
        for (uint32_t i = 0; i < entry->lanes; i++)
            if ((entry->lane[i].ports >> port & entry->lane[i].set >> virtual_channel & 1) != 0) {
                *choice = (cni_origin){at->node, port, virtual_channel};
                return 1;
            }
    }
    return 0;
}

/* Follows the messages from a source over all allowed channels, by depth-first search. */
static cn_status follow(asking *a, uint64_t source, uint64_t target)
{
    const cn_topology *t = a->routing->topology;
    size_t height = 0;
    cni_origin choice = {source, CN_NO_PORT, 0};
    CNI_TRY(enter_answer(a, source, target, (size_t)source, &choice, &height));
    while (height > 0) {
        step *at = &a->steps[height - 1];
        if (!choose(a, at, &choice)) {
            a->state[at->place] = DONE;
            height--;
            continue;
        }
        uint64_t head = cni_neighbor(t, choice.previous, choice.port);
        size_t place = (size_t)t->nodes +
                       channel_of(a->own, choice.previous, choice.port, choice.virtual_channel);
        if (head == target || a->state[place] == DONE)
            continue;
        if (a->state[place] == OPEN)
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: rule allows a message for destination %llu to travel without end, "
                            "through node %llu every time",
                            a->rules.function, (unsigned long long)target,
                            (unsigned long long)head);
        CNI_TRY(enter_answer(a, head, target, place, &choice, &height));
    }
    return CN_OK;
}

/* Asks once more: in small networks every question, else every eighth one. */
static cn_status repeat(asking *a, uint64_t node, uint64_t target, size_t place,
                        const cni_origin *from)
{
    uint32_t number;
    if (a->state[place] == UNSEEN ||
        (a->places > 256 && (cni_random_derive(target, place) & 7) != 0))
        return CN_OK;
    CNI_TRY(find_number(a, node, target, from, &number));
    if (number == *answer_of(a, target, place))
        return CN_OK;
    return cni_fail(
        CN_ERR_ARGUMENT,
        "%s: rule or escape returned different channels for the same arguments, at node "
        "%llu for destination %llu",
        a->rules.function, (unsigned long long)node, (unsigned long long)target);
}

static cn_status repeat_some(asking *a, uint64_t target)
{
    const cn_topology *t = a->routing->topology;
    for (uint64_t v = 0; v < t->nodes; v++) {
        CNI_TRY(repeat(a, v, target, (size_t)v, &(cni_origin){v, CN_NO_PORT, 0}));
        for (uint32_t i = 0; i < cni_degree(t, v) * a->own->virtual_channels; i++) {
            cni_origin from = {v, i / a->own->virtual_channels, i % a->own->virtual_channels};
            size_t place = (size_t)t->nodes + channel_of(a->own, v, 0, i);
            CNI_TRY(repeat(a, cni_neighbor(t, v, from.port), target, place, &from));
        }
    }
    return CN_OK;
}

static cn_status ask_all(asking *a)
{
    uint64_t nodes = a->routing->topology->nodes;
    for (uint64_t target = 0; target < nodes; target++) {
        for (size_t p = 0; p < a->places; p++)
            a->state[p] = UNSEEN;
        for (uint64_t source = 0; source < nodes; source++) {
            if (source != target)
                CNI_TRY(follow(a, source, target));
            CNI_TRY(cni_budget_go_on(a->routing->budget, 64));
        }
        CNI_TRY(repeat_some(a, target));
        CNI_TRY(cni_budget_go_on(a->routing->budget, a->places));
    }
    return CN_OK;
}

/* ---- classes ---- */

/* The answers of the classes of one node: numbers by class and target. */
typedef struct classes {
    uint32_t *numbers;
    uint32_t count;
} classes;

/* Whether a place gives the same answers as a class, for all targets for which both were asked. */
static int suits(const asking *a, const uint32_t numbers[], size_t place)
{
    for (uint64_t t = 0; t < a->routing->topology->nodes; t++) {
        uint32_t answer = *answer_of(a, t, place);
        if (answer != 0 && numbers[t] != 0 && numbers[t] != answer)
            return 0;
    }
    return 1;
}

/* Puts a place of a node into the first class with which it agrees. */
static cn_status classify(const asking *a, classes *c, uint64_t node, size_t place,
                          unsigned char *class)
{
    uint64_t nodes = a->routing->topology->nodes;
    uint32_t found = 0;
    while (found < c->count && !suits(a, &c->numbers[found * nodes], place))
        found++;
    if (found == CNI_MOST_CLASSES)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: rule needs more than %d classes of arriving channels at node %llu",
                        a->rules.function, CNI_MOST_CLASSES, (unsigned long long)node);
    if (found == c->count)
        c->count++;
    for (uint64_t t = 0; t < nodes; t++)
        if (*answer_of(a, t, place) != 0)
            c->numbers[found * nodes + t] = *answer_of(a, t, place);
    *class = (unsigned char)found;
    return CN_OK;
}

static cn_status classify_node(const asking *a, const cni_inlets *inlets, uint64_t node, classes *c)
{
    uint64_t nodes = a->routing->topology->nodes;
    unsigned char source;
    for (size_t i = 0; i < c->count * nodes; i++)
        c->numbers[i] = 0;
    c->count = 0;
    CNI_TRY(classify(a, c, node, (size_t)node, &source));
    for (size_t e = inlets->first[node]; e < inlets->first[node + 1]; e++)
        for (uint32_t v = 0; v < a->own->virtual_channels; v++) {
            size_t channel = channel_of(a->own, inlets->tail[e], inlets->port[e], v);
            CNI_TRY(classify(a, c, node, (size_t)nodes + channel, &a->own->arrival[channel]));
        }
    return CN_OK;
}

/* Classifies the places of all nodes: once to count the classes, and once more to fill the
 * table. */
enum { COUNT_CLASSES, FILL_TABLE };
static cn_status classify_all(const asking *a, const cni_inlets *inlets, classes *c, int fills)
{
    cn_routing *r = a->routing;
    uint64_t nodes = r->topology->nodes;
    for (uint64_t v = 0; v < nodes; v++) {
        CNI_TRY(classify_node(a, inlets, v, c));
        CNI_TRY(cni_budget_go_on(a->routing->budget, c->count * nodes));
        r->classes = c->count > r->classes ? c->count : r->classes;
        for (uint32_t k = 0; fills && k < c->count; k++)
            for (uint64_t t = 0; t < nodes; t++)
                CNI_TRY(cni_table_set(&r->table, cni_routing_place(r, v, k, t),
                                      c->numbers[k * nodes + t]));
    }
    return CN_OK;
}

static cn_status make_table(asking *a, const cni_inlets *inlets)
{
    classes c = {
        cni_allocate(CNI_MOST_CLASSES * (size_t)a->routing->topology->nodes, sizeof *c.numbers), 0};
    cn_status status =
        c.numbers == NULL ? CN_ERR_MEMORY : classify_all(a, inlets, &c, COUNT_CLASSES);
    if (status == CN_OK)
        status = cni_routing_want_table(a->rules.function, a->routing);
    if (status == CN_OK)
        status = classify_all(a, inlets, &c, FILL_TABLE);
    cni_release(c.numbers);
    cni_table_seal(&a->routing->table);
    return status;
}

/* ---- the whole ---- */

static void close(void *state)
{
    cni_own_rule *o = state;
    cni_release(o->first);
    cni_release(o->arrival);
    cni_release(o);
}

/* A stored message has the class of a message that came over the lowest allowed virtual channel. */
static uint32_t after(const cn_routing *routing, uint32_t class, uint64_t target, uint64_t node,
                      uint32_t port, uint32_t virtual_channel)
{
    const cni_own_rule *o = routing->state;
    if (virtual_channel == CNI_STORED) {
        const cni_entry *entry =
            cni_table_at(&routing->table, cni_routing_place(routing, node, class, target));
        uint64_t set = 0;
        for (uint32_t i = 0; i < entry->lanes; i++)
            set |= (entry->lane[i].ports >> port & 1) != 0 ? entry->lane[i].set : 0;
        virtual_channel = set == 0 ? 0 : cni_lowest_bit(set);
    }
    if (virtual_channel >= o->virtual_channels)
        return 0;
    return o->arrival[channel_of(o, node, port, virtual_channel)];
}

size_t *cni_first_channels(const cn_topology *topology)
{
    size_t *first = cni_allocate(topology->nodes + 1, sizeof *first);
    for (uint64_t v = 0; first != NULL && v < topology->nodes; v++)
        first[v + 1] = first[v] + cni_degree(topology, v);
    return first;
}

static cn_status prepare(asking *a, cni_inlets *inlets)
{
    const cn_topology *t = a->routing->topology;
    uint64_t nodes = t->nodes;
    cni_own_rule *o = a->own;
    CNI_TRY(cni_routing_check_table(a->rules.function, a->routing));
    o->first = cni_first_channels(t);
    CNI_TRY_MEMORY(o->first);
    a->places = (size_t)nodes + o->first[nodes] * o->virtual_channels;
    if (a->places > CNI_MOST_PLACES / nodes)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: a rule on %s has %zu answers for each of %llu destinations, but at "
                        "most 2^28 answers are stored",
                        a->rules.function, t->name, a->places, (unsigned long long)nodes);
    o->arrival = cni_allocate(a->places - (size_t)nodes, sizeof *o->arrival);
    a->answers = cni_allocate(a->places * (size_t)nodes, sizeof *a->answers);
    a->state = cni_allocate(a->places, sizeof *a->state);
    a->steps = cni_allocate(a->places, sizeof *a->steps);
    if (o->arrival == NULL || a->answers == NULL || a->state == NULL || a->steps == NULL)
        return CN_ERR_MEMORY;
    CNI_TRY(cni_table_open(&a->routing->table));
    return cni_inlets_open(inlets, t, NULL, NULL);
}

/* Without an escape function every channel is an escape where the dependencies have no cycle. In
 * a network too large for that check no channel is an escape. */
static cn_status name_escapes(cn_routing *routing, uint32_t virtual_channels)
{
    cn_deadlock *check = NULL;
    cn_verdict verdict = CN_VERDICT_CYCLIC;
    cn_status status = cni_routing_check(routing, virtual_channels, routing->budget, &check);
    if (status == CN_ERR_UNSUPPORTED)
        return CN_OK;
    if (status != CN_OK)
        return status;
    cn_deadlock_verdict(check, &verdict);
    cn_deadlock_free(&check);
    if (verdict != CN_VERDICT_ACYCLIC)
        return CN_OK;
    cn_deadlock *kept = routing->checks[virtual_channels]; /* it knew of no escapes */
    routing->checks[virtual_channels] = NULL;
    cn_deadlock_free(&kept);
    routing->has_escapes = 1;
    for (size_t e = 0; e < routing->table.count; e++)
        for (uint32_t i = 0; i < routing->table.entries[e].lanes; i++)
            routing->table.entries[e].lane[i].is_escape = 1;
    return CN_OK;
}

static cn_status make_entries(asking *a)
{
    cni_inlets inlets = {0};
    a->own = cni_allocate(1, sizeof *a->own);
    CNI_TRY_MEMORY(a->own);
    a->routing->state = a->own;
    a->own->virtual_channels = a->routing->least;
    cn_status status = prepare(a, &inlets);
    if (status == CN_OK)
        status = ask_all(a);
    if (status == CN_OK)
        status = make_table(a, &inlets);
    cni_inlets_close(&inlets);
    cni_release(a->answers);
    cni_release(a->state);
    cni_release(a->steps);
    if (status == CN_OK && a->rules.escape == NULL)
        status = name_escapes(a->routing, a->own->virtual_channels);
    return status;
}

cn_status cni_own_build(const char *function, const cn_topology *topology,
                        uint32_t virtual_channels, cn_vc_rule rule, cn_vc_rule escape, void *user,
                        cni_budget *budget, cn_routing **routing)
{
    cn_routing *made;
    if (topology->base != NULL) { /* the rule is that of the base */
        cn_routing *base;
        CNI_TRY(cni_own_build(function, topology->base, virtual_channels, rule, escape, user,
                              budget, &base));
        cn_status status = cni_routing_lift(function, topology, base, budget, routing);
        cn_routing_free(&base);
        return status;
    }
    CNI_TRY(cni_routing_make(function, &cni_own, topology, NULL, budget, &made));
    made->least = virtual_channels;
    made->has_escapes = escape != NULL;
    asking a = {
        .rules = {function, topology, virtual_channels, rule, escape, 0, user, CNI_MOST_PORTS},
        .routing = made};
    return cni_routing_finish(made, make_entries(&a), routing);
}

cn_status cn_routing_own(const cn_topology *topology, uint32_t virtual_channels, cn_vc_rule rule,
                         cn_vc_rule escape, void *user, const cn_control *control,
                         cn_routing **routing)
{
    CNI_REQUIRE_OUT(routing);
    CNI_REQUIRE(topology);
    CNI_BUDGET(budget, control, 0);
    CNI_REQUIRE_FUNCTION(rule);
    CNI_TRY(cni_check_range(__func__, "virtual_channels", virtual_channels, 1,
                            CN_MAX_VIRTUAL_CHANNELS));
    return cni_own_build(__func__, topology, virtual_channels, rule, escape, user, &budget,
                         routing);
}

const cni_routing_kind cni_own = {
    .name = "own",
    .summary = "a caller's own rule",
    .classes = 1,
    .legs = 1,
    .asks_more = 1,
    .after = after,
    .close = close,
    .visit = cni_own_visit,
};
